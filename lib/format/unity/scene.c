/* scene.c: reads GameObjects, Transforms, prefab instances and the order of roots out of their documents. */
#include "format/unity/scene.h"

#include <string.h>

#include "format/unity/names.h"
#include "format/unity/read_run.h"

/* One document while it is read. */
struct reading {
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

/* The fileIDs of a list, in the run's arena; members: the item's member that is the reference, NULL: the item. */
static int read_ids(struct reading *reading, const struct unity_node *list, const char *member, const int64_t **ids,
		    size_t *count, struct anim_error *error)
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
		out[(*count)++] = file_id(member == NULL ? item : unity_get(item, member));
	*ids = out;
	return 0;
}

/* Notes what an old "- 23: {fileID: 11}" says of the class of a component whose document may be missing. */
static int note_component(struct reading *reading, const struct unity_node *item, struct anim_error *error)
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

static int read_components(struct reading *reading, const struct unity_node *list, struct unity_object *object,
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

static int read_object(struct reading *reading, const struct unity_node *root, struct anim_error *error)
{
	struct unity_scene *scene = &reading->source->scene;
	struct unity_object object = {
	    .id = reading->document->id, .line = reading->document->line, .transform = UNITY_NONE};
	const char *name = unity_text(root, "m_Name", "");
	bool active = true;

	(void)unity_bool(root, "m_IsActive", &active, NULL);
	object.inactive = !active;
	object.stripped = reading->document->stripped;
	if (object.stripped)
		read_stand_in(root, &object.stand_in);
	else if (name[0] != '\0' && (object.name = unity_keep(reading->run, name, error)) == NULL)
		return -1;
	if (read_components(reading, unity_get(root, "m_Component"), &object, error) != 0 ||
	    unity_id_put(reading->source, object.id, UNITY_ID_OBJECT, (uint32_t)unity_object_count(scene), error) != 0)
		return -1;
	return anim_buffer_append(&scene->objects, &object, sizeof object, error);
}

/* True where the member is there with all its components. */
static bool read_vector(const struct unity_node *root, const char *key, unsigned lanes, float *to)
{
	float values[4];
	unsigned count = 0;

	if (unity_vector(root, key, values, &count, NULL) <= 0 || count < lanes)
		return false;
	memcpy(to, values, lanes * sizeof *to);
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

static int read_transform(struct reading *reading, const struct unity_node *root, struct anim_error *error)
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
	if (transform.stripped)
		read_stand_in(root, &transform.stand_in);
	transform.object = file_id(unity_get(root, "m_GameObject"));
	transform.father = file_id(unity_get(root, "m_Father"));
	(void)unity_int64(root, "m_RootOrder", &transform.sibling, NULL);
	read_placement(root, &transform);
	if (read_ids(reading, unity_get(root, "m_Children"), NULL, &transform.children, &transform.child_count,
		     error) != 0 ||
	    unity_id_put(reading->source, transform.id, UNITY_ID_TRANSFORM, (uint32_t)unity_transform_count(scene),
			 error) != 0)
		return -1;
	return anim_buffer_append(&scene->transforms, &transform, sizeof transform, error);
}

/* The properties of a prefab's objects that count here. */
static bool is_of_interest(const char *property)
{
	static const char *const names[] = {"m_Name",       "m_IsActive", "m_RootOrder",
					    "m_Controller", "m_WrapMode", "m_PlayableAsset"};
	static const char *const vectors[] = {"m_LocalPosition.", "m_LocalRotation.", "m_LocalScale."};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(property, names[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
		if (strncmp(property, vectors[i], strlen(vectors[i])) == 0)
			return true;
	return false;
}

static int read_change(struct reading *reading, const struct unity_node *item, struct unity_change *change,
		       struct anim_error *error)
{
	change->target = file_id(unity_get(item, "target"));
	change->property = unity_keep(reading->run, unity_text(item, "propertyPath", ""), error);
	change->value = unity_keep(reading->run, unity_text(item, "value", ""), error);
	if (change->property == NULL || change->value == NULL)
		return -1;
	if (unity_reference(unity_get(item, "objectReference"), &change->reference, NULL) <= 0)
		change->reference = (struct unity_reference){0};
	return 0;
}

static int read_changes(struct reading *reading, const struct unity_node *list, struct unity_instance *instance,
			struct anim_error *error)
{
	const struct unity_node *item = list == NULL || list->kind != UNITY_LIST ? NULL : list->first;
	struct unity_change change;
	struct anim_buffer changes = {0};
	struct unity_change *kept = NULL;
	int result = 0;

	for (; item != NULL && result == 0; item = item->next) {
		if (!is_of_interest(unity_text(item, "propertyPath", "")))
			continue;
		result = read_change(reading, item, &change, error);
		if (result == 0)
			result = anim_buffer_append(&changes, &change, sizeof change, error);
	}
	if (result == 0 && changes.size > 0) {
		kept = anim_arena_alloc(&reading->run->arena, changes.size, error);
		result = kept == NULL ? -1 : 0;
	}
	if (kept != NULL)
		memcpy(kept, changes.data, changes.size);
	instance->changes = kept;
	instance->change_count = kept == NULL ? 0 : changes.size / sizeof change;
	anim_buffer_clear(&changes);
	return result;
}

static int read_additions(struct reading *reading, const struct unity_node *list, struct unity_instance *instance,
			  struct anim_error *error)
{
	const struct unity_node *item;
	struct unity_addition *out;

	if (list == NULL || list->kind != UNITY_LIST || list->count == 0)
		return 0;
	out = anim_arena_zeroed(&reading->run->arena, list->count, sizeof *out, error);
	if (out == NULL)
		return -1;
	instance->additions = out;
	for (item = list->first; item != NULL; item = item->next)
		out[instance->addition_count++] =
		    (struct unity_addition){file_id(unity_get(item, "targetCorrespondingSourceObject")),
					    file_id(unity_get(item, "addedObject"))};
	return 0;
}

/* Components and objects that were taken out, in one list. */
static int read_removed(struct reading *reading, const struct unity_node *modification, struct unity_instance *instance,
			struct anim_error *error)
{
	static const char *const names[] = {"m_RemovedComponents", "m_RemovedGameObjects"};
	const int64_t *parts[2] = {NULL, NULL};
	size_t counts[2];
	int64_t *all;

	for (int i = 0; i < 2; i++)
		if (read_ids(reading, unity_get(modification, names[i]), NULL, &parts[i], &counts[i], error) != 0)
			return -1;
	if (counts[0] + counts[1] == 0)
		return 0;
	all = anim_arena_alloc(&reading->run->arena, (counts[0] + counts[1]) * sizeof *all, error);
	if (all == NULL)
		return -1;
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < counts[i]; k++)
			all[instance->removed_count++] = parts[i][k];
	instance->removed = all;
	return 0;
}

/* An instance of a prefab. The document of a prefab of itself, which older files have, names none: it is passed over. */
static int read_instance(struct reading *reading, const struct unity_node *root, struct anim_error *error)
{
	struct unity_scene *scene = &reading->source->scene;
	const struct unity_node *modification = unity_get(root, "m_Modification");
	struct unity_instance instance = {
	    .id = reading->document->id, .line = reading->document->line, .root = UNITY_NONE};

	if (unity_reference(either(root, "m_SourcePrefab", "m_ParentPrefab"), &instance.prefab, NULL) <= 0 ||
	    instance.prefab.file_id == 0)
		return 0;
	instance.parent = file_id(unity_get(modification, "m_TransformParent"));
	if (read_changes(reading, unity_get(modification, "m_Modifications"), &instance, error) != 0 ||
	    read_removed(reading, modification, &instance, error) != 0 ||
	    read_additions(reading, unity_get(modification, "m_AddedComponents"), &instance, error) != 0 ||
	    unity_id_put(reading->source, instance.id, UNITY_ID_INSTANCE,
			 (uint32_t)(scene->instances.size / sizeof instance), error) != 0)
		return -1;
	return anim_buffer_append(&scene->instances, &instance, sizeof instance, error);
}

static int read_roots(struct reading *reading, const struct unity_node *root, struct anim_error *error)
{
	const int64_t *ids = NULL;
	size_t count;

	if (read_ids(reading, unity_get(root, "m_Roots"), NULL, &ids, &count, error) != 0)
		return -1;
	return anim_buffer_append(&reading->source->scene.roots, ids, count * sizeof *ids, error);
}

bool unity_scene_is(int32_t class_id)
{
	return class_id == UNITY_GAME_OBJECT || class_id == UNITY_TRANSFORM || class_id == UNITY_RECT_TRANSFORM ||
	       class_id == UNITY_PREFAB_INSTANCE || class_id == UNITY_SCENE_ROOTS;
}

int unity_scene_read(struct unity_run *run, struct unity_source *source, const struct unity_document *document,
		     const struct unity_node *root, struct anim_error *error)
{
	struct reading reading = {run, source, document};

	switch (document->class_id) {
	case UNITY_GAME_OBJECT:
		return read_object(&reading, root, error);
	case UNITY_PREFAB_INSTANCE:
		return read_instance(&reading, root, error);
	case UNITY_SCENE_ROOTS:
		return read_roots(&reading, root, error);
	default:
		return read_transform(&reading, root, error);
	}
}
