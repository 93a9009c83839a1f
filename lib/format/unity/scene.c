/* scene.c: GameObjects, Transforms and prefab instances out of their documents; the tree of them into NODE records. */
#include "format/unity/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "format/unity/names.h"
#include "format/unity/run.h"

/* ---- GameObjects, Transforms and the order of roots ---- */

/* One document while it is read. */
struct scene_reading {
	struct unity_run *run;
	struct unity_source *source;
	const struct unity_document *document;
};

struct unity_object *unity_object_at(const struct unity_scene *scene, size_t number)
{
	return (struct unity_object *)scene->objects.data + number;
}

struct unity_transform *unity_transform_at(const struct unity_scene *scene, size_t number)
{
	return (struct unity_transform *)scene->transforms.data + number;
}

size_t unity_object_count(const struct unity_scene *scene)
{
	return scene->objects.size / sizeof(struct unity_object);
}

size_t unity_transform_count(const struct unity_scene *scene)
{
	return scene->transforms.size / sizeof(struct unity_transform);
}

struct unity_object *unity_object_of(const struct unity_source *source, int64_t id)
{
	uint32_t number;

	return unity_id_get(source, id, UNITY_ID_OBJECT, &number) ? unity_object_at(&source->scene, number) : NULL;
}

struct unity_transform *unity_transform_of(const struct unity_source *source, int64_t id)
{
	uint32_t number;

	return unity_id_get(source, id, UNITY_ID_TRANSFORM, &number) ? unity_transform_at(&source->scene, number)
								     : NULL;
}

void unity_scene_clear(struct unity_scene *scene)
{
	anim_buffer_clear(&scene->objects);
	anim_buffer_clear(&scene->transforms);
	anim_buffer_clear(&scene->instances);
	anim_buffer_clear(&scene->roots);
	anim_buffer_clear(&scene->stand_in_ids);
	anim_map_clear(&scene->stand_ins);
}

/* A fileID; 0 where the node is none. What is no reference is no fault here: the tree is read as far as it makes sense. */
static int64_t file_id(const struct unity_node *node)
{
	struct unity_reference reference;

	return unity_reference(node, &reference, NULL) > 0 ? reference.file_id : 0;
}

static const struct unity_node *either(const struct unity_node *map, const char *name, const char *older)
{
	const struct unity_node *node = unity_get(map, name);

	return node != NULL ? node : unity_get(map, older);
}

/* What a stripped document stands for; before Unity 2018.3 the members had other names. */
static void read_stand_in(const struct unity_node *root, struct unity_stand_in *stand_in)
{
	stand_in->instance = file_id(either(root, "m_PrefabInstance", "m_PrefabInternal"));
	stand_in->source = file_id(either(root, "m_CorrespondingSourceObject", "m_PrefabParentObject"));
}

/* The fileIDs of a list, in the run's arena. */
static int read_ids(struct scene_reading *reading, const struct unity_node *list, const int64_t **ids, size_t *count,
		    struct anim_error *error)
{
	const struct unity_node *item;
	int64_t *out;

	*count = 0;
	if (list == NULL || list->kind != UNITY_LIST || list->count == 0)
		return 0;
	out = anim_arena_zeroed(&reading->run->arena, list->count, sizeof *out, error);
	if (out == NULL)
		return -1;
	for (item = list->first; item != NULL; item = item->next)
		out[(*count)++] = file_id(item);
	*ids = out;
	return 0;
}

/* Notes what an old "- 23: {fileID: 11}" says of the class of a component whose document may be missing. */
static int note_component(struct scene_reading *reading, const struct unity_node *item, struct anim_error *error)
{
	const struct unity_node *reference = item->kind == UNITY_MAP ? item->first : NULL;
	uint32_t known;
	int64_t class_id, id = file_id(reference);

	if (reference == NULL || !unity_parse_id(reference->key, strlen(reference->key), &class_id) || class_id <= 0 ||
	    class_id > INT32_MAX || !unity_kind_is((int32_t)class_id) ||
	    unity_id_get(reading->source, id, UNITY_ID_COMPONENT, &known))
		return 0;
	return unity_id_put(reading->source, id, UNITY_ID_COMPONENT, (uint32_t)class_id, error);
}

static int read_components(struct scene_reading *reading, const struct unity_node *list, struct unity_object *object,
			   struct anim_error *error)
{
	const struct unity_node *item;
	int64_t *ids;

	if (list == NULL || list->kind != UNITY_LIST || list->count == 0)
		return 0;
	ids = anim_arena_zeroed(&reading->run->arena, list->count, sizeof *ids, error);
	if (ids == NULL)
		return -1;
	object->components = ids;
	for (item = list->first; item != NULL; item = item->next) {
		ids[object->component_count++] = file_id(item->kind == UNITY_MAP ? item->first : NULL);
		if (note_component(reading, item, error) != 0)
			return -1;
	}
	return 0;
}

static int read_object(struct scene_reading *reading, const struct unity_node *root, struct anim_error *error)
{
	struct unity_scene *scene = &reading->source->scene;
	struct unity_object object = {
	    .id = reading->document->id, .line = reading->document->line, .transform = UNITY_NONE};
	const char *name = unity_text(root, "m_Name", "");
	bool active = true;

	(void)unity_bool(root, "m_IsActive", &active, NULL);
	object.inactive = !active;
	object.stripped = reading->document->stripped;
	read_stand_in(root, &object.stand_in);
	if (!object.stripped && name[0] != '\0' && (object.name = unity_keep(reading->run, name, error)) == NULL)
		return -1;
	if (read_components(reading, unity_get(root, "m_Component"), &object, error) != 0 ||
	    unity_id_put(reading->source, object.id, UNITY_ID_OBJECT, (uint32_t)unity_object_count(scene), error) != 0)
		return -1;
	return anim_buffer_append(&scene->objects, &object, sizeof object, error);
}

/* True where the member is there up to its last component; components before that may be missing and stay. */
static bool read_vector(const struct unity_node *root, const char *key, unsigned components, float *to)
{
	float values[4] = {0};
	unsigned count = 0;

	memcpy(values, to, components * sizeof *to);
	if (unity_vector(root, key, values, &count, NULL) <= 0 || count < components)
		return false;
	memcpy(to, values, components * sizeof *to);
	return true;
}

static void read_placement(const struct unity_node *root, struct unity_transform *transform)
{
	if (read_vector(root, "m_LocalPosition", 3, transform->position))
		transform->has |= ANIM_HAS_POSITION;
	if (read_vector(root, "m_LocalRotation", 4, transform->rotation))
		transform->has |= ANIM_HAS_ROTATION;
	if (read_vector(root, "m_LocalScale", 3, transform->scale))
		transform->has |= ANIM_HAS_SCALE;
}

static int read_transform(struct scene_reading *reading, const struct unity_node *root, struct anim_error *error)
{
	struct unity_scene *scene = &reading->source->scene;
	struct unity_transform transform = {.id = reading->document->id,
					    .line = reading->document->line,
					    .sibling = UNITY_LAST,
					    .number = UNITY_NONE,
					    .rotation = {0, 0, 0, 1},
					    .scale = {1, 1, 1}};

	transform.is_rect = reading->document->class_id == UNITY_RECT_TRANSFORM;
	transform.stripped = reading->document->stripped;
	read_stand_in(root, &transform.stand_in);
	transform.object = file_id(unity_get(root, "m_GameObject"));
	transform.father = file_id(unity_get(root, "m_Father"));
	(void)unity_int64(root, "m_RootOrder", &transform.sibling, NULL);
	read_placement(root, &transform);
	if (read_ids(reading, unity_get(root, "m_Children"), &transform.children, &transform.child_count, error) != 0 ||
	    unity_id_put(reading->source, transform.id, UNITY_ID_TRANSFORM, (uint32_t)unity_transform_count(scene),
			 error) != 0)
		return -1;
	return anim_buffer_append(&scene->transforms, &transform, sizeof transform, error);
}

static int read_roots(struct scene_reading *reading, const struct unity_node *root, struct anim_error *error)
{
	const int64_t *ids = NULL;
	size_t count;

	if (read_ids(reading, unity_get(root, "m_Roots"), &ids, &count, error) != 0)
		return -1;
	return anim_buffer_append(&reading->source->scene.roots, ids, count * sizeof *ids, error);
}

bool unity_scene_is(int32_t class_id)
{
	return class_id == UNITY_GAME_OBJECT || class_id == UNITY_TRANSFORM || class_id == UNITY_RECT_TRANSFORM ||
	       class_id == UNITY_SCENE_ROOTS;
}

int unity_scene_read(struct unity_run *run, struct unity_source *source, const struct unity_document *document,
		     const struct unity_node *root, struct anim_error *error)
{
	struct scene_reading reading = {run, source, document};

	switch (document->class_id) {
	case UNITY_GAME_OBJECT:
		return read_object(&reading, root, error);
	case UNITY_SCENE_ROOTS:
		return read_roots(&reading, root, error);
	default:
		return read_transform(&reading, root, error);
	}
}

/* ---- Instances of prefabs: what they change, take out and add, item by item, for there may be many ---- */

/* One document while it is read. */
struct instance_reading {
	struct unity_run *run;
	struct unity_instance instance;
	bool has_source; /* m_SourcePrefab was there, which counts more than m_ParentPrefab */
	struct anim_buffer changes, removed, additions; /* struct unity_change, int64_t, struct unity_addition */
};

/* The properties of a prefab's objects that count here. */
static bool is_of_interest(const char *property)
{
	static const char *const names[] = {"m_Name",       "m_IsActive", "m_RootOrder",    "m_Animation",
					    "m_Controller", "m_WrapMode", "m_PlayableAsset"};
	static const char *const vectors[] = {"m_LocalPosition.", "m_LocalRotation.", "m_LocalScale.",
					      "m_Animations.Array.data["};

	if (anim_text_is_one_of(property, names, ANIM_COUNT(names)))
		return true;
	for (size_t i = 0; i < ANIM_COUNT(vectors); i++)
		if (anim_text_behind(property, vectors[i]) != NULL)
			return true;
	return false;
}

static int add_change(struct instance_reading *at, const struct unity_node *item, struct anim_error *error)
{
	struct unity_change change = {.target = file_id(unity_get(item, "target"))};
	const char *property = unity_text(item, "propertyPath", "");

	if (!is_of_interest(property))
		return 0;
	change.property = unity_keep(at->run, property, error);
	change.value = unity_keep(at->run, unity_text(item, "value", ""), error);
	if (change.property == NULL || change.value == NULL)
		return -1;
	if (unity_reference(unity_get(item, "objectReference"), &change.reference, NULL) <= 0)
		change.reference = (struct unity_reference){0};
	return anim_buffer_append(&at->changes, &change, sizeof change, error);
}

static int add_item(struct instance_reading *at, const char *list, const struct unity_node *item,
		    struct anim_error *error)
{
	struct unity_addition addition;
	int64_t id;

	if (strcmp(list, "m_Modifications") == 0)
		return add_change(at, item, error);
	if (strcmp(list, "m_AddedComponents") == 0) {
		addition.target = file_id(unity_get(item, "targetCorrespondingSourceObject"));
		addition.added = file_id(unity_get(item, "addedObject"));
		return anim_buffer_append(&at->additions, &addition, sizeof addition, error);
	}
	if (strcmp(list, "m_RemovedComponents") != 0 && strcmp(list, "m_RemovedGameObjects") != 0)
		return 0;
	id = file_id(item);
	return anim_buffer_append(&at->removed, &id, sizeof id, error);
}

static void take_field(struct instance_reading *at, const char *name, const struct unity_node *node)
{
	bool is_source = strcmp(name, "m_SourcePrefab") == 0;

	if (strcmp(name, "m_TransformParent") == 0)
		at->instance.parent = file_id(node);
	else if ((is_source || (strcmp(name, "m_ParentPrefab") == 0 && !at->has_source)) &&
		 unity_reference(node, &at->instance.prefab, NULL) <= 0)
		at->instance.prefab = (struct unity_reference){0};
	at->has_source |= is_source;
}

static bool is_wanted(void *context, const char *name)
{
	static const char *const names[] = {"m_Modification",      "m_TransformParent",    "m_Modifications",
					    "m_RemovedComponents", "m_RemovedGameObjects", "m_AddedComponents",
					    "m_SourcePrefab",      "m_ParentPrefab"};

	(void)context;
	return anim_text_is_one_of(name, names, ANIM_COUNT(names));
}

static int read_fields(struct instance_reading *at, struct unity_file *file, struct anim_error *error)
{
	struct anim_arena scratch = {0};
	struct unity_field field;
	int got;

	unity_clip_want(file, is_wanted, NULL);
	unity_clip_enter(file, "m_Modification");
	while ((got = unity_clip_next(file, &scratch, &field, error)) > 0) {
		if (!field.is_item)
			take_field(at, field.name, field.node);
		else if (add_item(at, field.name, field.node, error) != 0)
			break;
		anim_arena_reset(&scratch);
	}
	anim_arena_clear(&scratch);
	return got == 0 ? 0 : -1;
}

/* The document of a prefab of itself, which older files have, names none: it is passed over. */
static int add_instance(struct instance_reading *at, struct unity_source *source, struct anim_error *error)
{
	struct unity_scene *scene = &source->scene;
	struct unity_instance *instance = &at->instance;
	uint32_t number = (uint32_t)(scene->instances.size / sizeof *instance);

	if (instance->prefab.file_id == 0)
		return 0;
	instance->changes = unity_keep_items(at->run, &at->changes, error);
	instance->removed = unity_keep_items(at->run, &at->removed, error);
	instance->additions = unity_keep_items(at->run, &at->additions, error);
	if (instance->changes == NULL || instance->removed == NULL || instance->additions == NULL ||
	    unity_id_put(source, instance->id, UNITY_ID_INSTANCE, number, error) != 0)
		return -1;
	instance->change_count = at->changes.size / sizeof *instance->changes;
	instance->removed_count = at->removed.size / sizeof *instance->removed;
	instance->addition_count = at->additions.size / sizeof *instance->additions;
	return anim_buffer_append(&scene->instances, instance, sizeof *instance, error);
}

int unity_instance_read(struct unity_run *run, struct unity_source *source, struct unity_file *file,
			const struct unity_document *document, struct anim_error *error)
{
	struct instance_reading at = {.run = run,
				      .instance = {.id = document->id, .line = document->line, .root = UNITY_NONE}};
	int result = read_fields(&at, file, error);

	if (result == 0)
		result = add_instance(&at, source, error);
	anim_buffer_clear(&at.changes);
	anim_buffer_clear(&at.removed);
	anim_buffer_clear(&at.additions);
	return result;
}

/* ---- TREE and NODEs ---- */

/* A Transform below its father, which is a number too. */
struct branch {
	uint32_t father, transform;
	int64_t sibling;
};
#define ROOTS UINT32_MAX
#define DROPPED (UINT32_MAX - 1) /* what an instance took out */

/* A Transform to be written; `length`: of its father's path. */
struct visit {
	uint32_t transform, parent;
	size_t length;
};

struct writing {
	struct unity_run *run;
	struct unity_source *source;
	struct anim_sink *sink;      /* NULL: nothing is written, only counted */
	struct anim_buffer branches; /* struct branch, sorted */
	struct anim_buffer stack;    /* struct visit */
	struct anim_buffer path;     /* of the last NODE, with NUL */
	uint32_t count;              /* NODEs written */
	size_t visited;
};

static const struct {
	int32_t class_id;
	enum anim_node_kind kind;
	const char *type;
} kinds[] = {{20, ANIM_NODE_CAMERA, "Camera"},
	     {108, ANIM_NODE_LIGHT, "Light"},
	     {137, ANIM_NODE_MESH, "SkinnedMeshRenderer"},
	     {23, ANIM_NODE_MESH, "MeshRenderer"},
	     {212, ANIM_NODE_MESH, "SpriteRenderer"},
	     {33, ANIM_NODE_MESH, "MeshFilter"}};
#define KINDS (ANIM_COUNT(kinds))

/* The row of a class; KINDS where there is none. */
static size_t kind_of(int32_t class_id)
{
	size_t i = 0;

	while (i < KINDS && kinds[i].class_id != class_id)
		i++;
	return i;
}

bool unity_kind_is(int32_t class_id)
{
	return kind_of(class_id) < KINDS;
}

int32_t unity_kind_choose(int32_t a, int32_t b)
{
	return kind_of(a) <= kind_of(b) ? a : b;
}

bool unity_scene_has_tree(const struct unity_scene *scene)
{
	for (size_t i = 0; i < unity_transform_count(scene); i++)
		if (!unity_transform_at(scene, i)->removed)
			return true;
	return false;
}

/* What a path calls it; `made` gets a name where it has none. */
#define NAME_MAX_MADE 24
static const char *name_of(const struct unity_source *source, const struct unity_transform *transform,
			   char made[NAME_MAX_MADE])
{
	const struct unity_object *object = unity_object_of(source, transform->object);
	int64_t id = transform->object != 0 ? transform->object : transform->id;

	if (object != NULL && object->name != NULL && object->name[0] != '\0')
		return object->name;
	snprintf(made, NAME_MAX_MADE, "?%lld", (long long)id);
	return made;
}

static int compare_branches(const void *left, const void *right)
{
	const struct branch *a = left, *b = right;

	if (a->father != b->father)
		return a->father < b->father ? -1 : 1;
	if (a->sibling != b->sibling)
		return a->sibling < b->sibling ? -1 : 1;
	return a->transform < b->transform ? -1 : a->transform > b->transform;
}

static int say_orphan(const struct writing *writing, const struct unity_transform *transform, struct anim_error *error)
{
	if (unity_say(writing->run, writing->source, ANIM_WARNING, transform->line,
		      "Transforms have a father that is not there; they are put at the root", error,
		      "the father of Transform %lld is not there; it is put at the root",
		      (long long)transform->id) != 0)
		return -1;
	return anim_diagnostics_name(writing->run->options->diagnostics, error, "%lld", (long long)transform->id);
}

static int find_branch(const struct writing *writing, uint32_t number, struct branch *branch, struct anim_error *error)
{
	const struct unity_transform *transform = unity_transform_at(&writing->source->scene, number);

	*branch = (struct branch){ROOTS, number, transform->sibling};
	if (transform->removed)
		branch->father = DROPPED;
	else if (transform->father != 0 &&
		 !unity_id_get(writing->source, transform->father, UNITY_ID_TRANSFORM, &branch->father)) {
		branch->father = ROOTS;
		return say_orphan(writing, transform, error);
	}
	return 0;
}

static int sort_branches(struct writing *writing, struct anim_error *error)
{
	size_t count = unity_transform_count(&writing->source->scene);
	struct branch *branches = anim_buffer_extend(&writing->branches, count * sizeof *branches, error);

	if (branches == NULL)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (find_branch(writing, (uint32_t)i, &branches[i], error) != 0)
			return -1;
	qsort(branches, count, sizeof *branches, compare_branches);
	return 0;
}

/* The branches of one father: *first, and how many. */
static size_t branches_of(const struct writing *writing, uint32_t father, const struct branch **first)
{
	const struct branch *all = (const struct branch *)writing->branches.data;
	size_t count = writing->branches.size / sizeof *all, low = 0, high = count, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all[middle].father < father)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < count && all[end].father == father; end++)
		;
	*first = all + low;
	return end - low;
}

/* So that the first is visited first. */
static int push_branches(struct writing *writing, uint32_t father, uint32_t parent, size_t length,
			 struct anim_error *error)
{
	const struct branch *first;
	size_t count = branches_of(writing, father, &first);

	for (size_t i = count; i-- > 0;) {
		struct visit visit = {first[i].transform, parent, length};

		if (anim_buffer_append(&writing->stack, &visit, sizeof visit, error) != 0)
			return -1;
	}
	return 0;
}

static int check_name(const struct writing *writing, const struct unity_transform *transform, const char *name,
		      struct anim_error *error)
{
	if (strchr(name, '/') == NULL)
		return 0;
	if (unity_say(writing->run, writing->source, ANIM_WARNING, transform->line,
		      "names hold a '/': no path leads to them, in Unity neither", error,
		      "the name '%s' holds a '/': no path leads to it, in Unity neither", name) != 0)
		return -1;
	return anim_diagnostics_name(writing->run->options->diagnostics, error, "'%s'", name);
}

static int fail_path(const struct writing *writing, const struct unity_transform *transform, struct anim_error *error)
{
	struct anim_place place = {.file = writing->source->shown,
				   .at = transform->line == 0 ? ANIM_AT_FILE : ANIM_AT_LINE,
				   .line = transform->line,
				   .column = 1};

	return anim_fail_at(error, ANIM_TOO_LARGE, &place, "the path of a node is longer than %u bytes", ANIM_NAME_MAX);
}

/* Appends the node's name to its father's path; the root's is ".". */
static int set_path(struct writing *writing, const struct visit *visit, struct anim_error *error)
{
	const struct unity_transform *transform = unity_transform_at(&writing->source->scene, visit->transform);
	char made[NAME_MAX_MADE];
	const char *name = visit->parent == ANIM_NO_PARENT ? "." : name_of(writing->source, transform, made);

	writing->path.size = visit->length;
	if (visit->parent != ANIM_NO_PARENT && check_name(writing, transform, name, error) != 0)
		return -1;
	if (visit->length > 0 && anim_buffer_append(&writing->path, "/", 1, error) != 0)
		return -1;
	if (anim_buffer_append(&writing->path, name, strlen(name) + 1, error) != 0)
		return -1;
	return writing->path.size - 1 > ANIM_NAME_MAX ? fail_path(writing, transform, error) : 0;
}

static bool is_finite(const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}

/* What is finite of the placement. */
static int place(const struct writing *writing, const struct unity_transform *from, struct anim_node *node,
		 struct anim_error *error)
{
	uint8_t has = from->has;

	if (!is_finite(from->position, 3))
		has &= (uint8_t)~ANIM_HAS_POSITION;
	if (!is_finite(from->rotation, 4))
		has &= (uint8_t)~ANIM_HAS_ROTATION;
	if (!is_finite(from->scale, 3))
		has &= (uint8_t)~ANIM_HAS_SCALE;
	if (has & ANIM_HAS_POSITION)
		memcpy(node->position, from->position, sizeof node->position);
	if (has & ANIM_HAS_ROTATION)
		memcpy(node->rotation, from->rotation, sizeof node->rotation);
	if (has & ANIM_HAS_SCALE)
		memcpy(node->scale, from->scale, sizeof node->scale);
	node->has = has;
	if (has == from->has)
		return 0;
	if (unity_say(writing->run, writing->source, ANIM_WARNING, from->line,
		      "Transforms have values that are not finite; those are left out", error,
		      "Transform %lld has values that are not finite; they are left out", (long long)from->id) != 0)
		return -1;
	return anim_diagnostics_name(writing->run->options->diagnostics, error, "%lld", (long long)from->id);
}

static const char *type_of(const struct unity_transform *transform)
{
	if (transform->is_bare)
		return "GameObject";
	return transform->is_rect ? "RectTransform" : "Transform";
}

static int write_node(struct writing *writing, const struct visit *visit, struct anim_error *error)
{
	static const struct anim_attr inactive = {"unity.inactive", "1"};
	struct unity_transform *from = unity_transform_at(&writing->source->scene, visit->transform);
	const struct unity_object *object = unity_object_of(writing->source, from->object);
	size_t kind = object == NULL ? KINDS : kind_of(object->kind_class);
	struct anim_node node = {.parent = visit->parent, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};

	if (set_path(writing, visit, error) != 0 || place(writing, from, &node, error) != 0)
		return -1;
	node.path = (const char *)writing->path.data;
	node.kind = (uint8_t)(kind < KINDS ? kinds[kind].kind : ANIM_NODE);
	node.type = kind < KINDS ? kinds[kind].type : type_of(from);
	if (object != NULL && object->inactive)
		node.attrs = (struct anim_attrs){(struct anim_attr *)&inactive, 1};
	from->number = writing->count++;
	return anim_sink_node(writing->sink, &node, error);
}

/* Visits everything below a father, in the order of the tree. */
static int visit_all(struct writing *writing, uint32_t father, uint32_t parent, struct anim_error *error)
{
	struct visit visit;
	size_t length;

	if (push_branches(writing, father, parent, 0, error) != 0)
		return -1;
	while (writing->stack.size > 0) {
		writing->stack.size -= sizeof visit;
		memcpy(&visit, writing->stack.data + writing->stack.size, sizeof visit);
		writing->visited++;
		if (father == ROOTS && write_node(writing, &visit, error) != 0)
			return -1;
		length = visit.parent == ANIM_NO_PARENT || father != ROOTS ? 0 : writing->path.size - 1;
		if (push_branches(writing, visit.transform, father == ROOTS ? writing->count - 1 : ANIM_NO_PARENT,
				  length, error) != 0)
			return -1;
	}
	return 0;
}

/* The root that holds several roots together. */
static int write_common_root(struct writing *writing, struct anim_error *error)
{
	struct anim_node node = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};

	writing->count = 1;
	return anim_sink_node(writing->sink, &node, error);
}

static int check_all_visited(const struct writing *writing, struct anim_error *error)
{
	size_t lost = unity_transform_count(&writing->source->scene) - writing->visited;

	if (lost == 0)
		return 0;
	return unity_say(writing->run, writing->source, ANIM_WARNING, 0, NULL, error,
			 "%zu Transform%s fathers that run in a ring and %s left out", lost,
			 lost == 1 ? " has" : "s have", lost == 1 ? "is" : "are");
}

static int write_tree(struct writing *writing, const char *source_file, struct anim_error *error)
{
	struct anim_tree tree = {.axes = ANIM_AXES_UNITY, .axes2d = ANIM_AXES2D_UNITY, .source_file = source_file};
	const struct branch *roots;
	char made[NAME_MAX_MADE];
	size_t count;

	if (sort_branches(writing, error) != 0)
		return -1;
	count = branches_of(writing, ROOTS, &roots);
	tree.root_name = writing->run->base_name;
	if (count == 1)
		tree.root_name =
		    name_of(writing->source, unity_transform_at(&writing->source->scene, roots->transform), made);
	if (anim_sink_tree(writing->sink, &tree, error) != 0 ||
	    (count != 1 && write_common_root(writing, error) != 0) ||
	    visit_all(writing, DROPPED, ANIM_NO_PARENT, error) != 0 ||
	    visit_all(writing, ROOTS, count == 1 ? ANIM_NO_PARENT : 0, error) != 0)
		return -1;
	return check_all_visited(writing, error);
}

int unity_scene_write(struct unity_run *run, struct unity_source *source, const char *source_file,
		      struct anim_sink *sink, struct anim_error *error)
{
	struct writing writing = {.run = run, .source = source, .sink = sink};
	int result = write_tree(&writing, source_file, error);

	anim_buffer_clear(&writing.branches);
	anim_buffer_clear(&writing.stack);
	anim_buffer_clear(&writing.path);
	return result;
}

/* Its number among the transforms where it became a NODE. */
static bool find_node(const struct unity_source *source, int64_t id, uint32_t *transform)
{
	const struct unity_object *object = unity_object_of(source, id);

	if (object == NULL || object->transform == UNITY_NONE)
		return false;
	*transform = object->transform;
	return unity_transform_at(&source->scene, *transform)->number != UNITY_NONE;
}

/* Appends its ancestors, itself first, up to the root's children. */
static int list_ancestors(const struct unity_source *source, uint32_t transform, struct anim_buffer *ancestors,
			  struct anim_error *error)
{
	uint32_t at = transform;

	while (unity_transform_at(&source->scene, at)->number != 0) {
		if (anim_buffer_append(ancestors, &at, sizeof at, error) != 0)
			return -1;
		if (!unity_id_get(source, unity_transform_at(&source->scene, at)->father, UNITY_ID_TRANSFORM, &at))
			return 0;
	}
	return 0;
}

const char *unity_scene_path(struct unity_run *run, const struct unity_source *source, int64_t object,
			     struct anim_error *error)
{
	struct anim_buffer ancestors = {0}, path = {0};
	uint32_t transform;
	char made[NAME_MAX_MADE];
	const char *kept = ".";
	int result;

	if (!find_node(source, object, &transform))
		return kept;
	result = list_ancestors(source, transform, &ancestors, error);
	for (size_t i = ancestors.size / sizeof transform; i-- > 0 && result == 0;) {
		const char *name =
		    name_of(source, unity_transform_at(&source->scene, ((uint32_t *)ancestors.data)[i]), made);

		if (path.size > 0)
			result = anim_buffer_append(&path, "/", 1, error);
		if (result == 0)
			result = anim_buffer_append(&path, name, strlen(name), error);
	}
	if (result == 0 && path.size > 0)
		kept = anim_arena_text(&run->arena, (const char *)path.data, path.size, error);
	anim_buffer_clear(&ancestors);
	anim_buffer_clear(&path);
	return result == 0 ? kept : NULL;
}
