/* scene.c: reads GameObjects, Transforms and the order of roots out of their documents. */
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

/* The fileIDs of a list, in the run's arena. */
static int read_ids(struct reading *reading, const struct unity_node *list, const int64_t **ids, size_t *count,
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
	read_stand_in(root, &object.stand_in);
	if (!object.stripped && name[0] != '\0' && (object.name = unity_keep(reading->run, name, error)) == NULL)
		return -1;
	if (read_components(reading, unity_get(root, "m_Component"), &object, error) != 0 ||
	    unity_id_put(reading->source, object.id, UNITY_ID_OBJECT, (uint32_t)unity_object_count(scene), error) != 0)
		return -1;
	return anim_buffer_append(&scene->objects, &object, sizeof object, error);
}

/* True where the member is there up to its last component; components before that may be missing and stay. */
static bool read_vector(const struct unity_node *root, const char *key, unsigned lanes, float *to)
{
	float values[4] = {0};
	unsigned count = 0;

	memcpy(values, to, lanes * sizeof *to);
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

static int read_roots(struct reading *reading, const struct unity_node *root, struct anim_error *error)
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
	struct reading reading = {run, source, document};

	switch (document->class_id) {
	case UNITY_GAME_OBJECT:
		return read_object(&reading, root, error);
	case UNITY_SCENE_ROOTS:
		return read_roots(&reading, root, error);
	default:
		return read_transform(&reading, root, error);
	}
}
