/* scene_merge.c: joins a file's objects, its prefab instances and what stands for their insides to one scene. */
#include <string.h>

#include "format/unity/scene_instance.h"

bool unity_scene_transform(const struct unity_source *source, int64_t id, struct unity_transform **transform)
{
	uint32_t number;

	if (!unity_id_get(source, id, UNITY_ID_TRANSFORM, &number))
		return false;
	*transform = unity_transform_at(&source->scene, number);
	return true;
}

bool unity_scene_object(const struct unity_source *source, int64_t id, struct unity_object **object)
{
	uint32_t number;

	if (!unity_id_get(source, id, UNITY_ID_OBJECT, &number))
		return false;
	*object = unity_object_at(&source->scene, number);
	return true;
}

bool unity_scene_player(const struct unity_source *source, int64_t id, struct unity_player **player)
{
	uint32_t number;

	if (!unity_id_get(source, id, UNITY_ID_PLAYER, &number))
		return false;
	*player = unity_player_at(source, number);
	return true;
}

static int add_stand_in(struct unity_run *run, struct unity_scene *scene, const struct unity_stand_in *stand_in,
			int64_t id, struct anim_error *error)
{
	uint32_t number = (uint32_t)(scene->stand_in_ids.size / sizeof id);
	const char *key = anim_arena_text(&run->arena, (const char *)&stand_in->source, sizeof stand_in->source, error);

	if (key == NULL || anim_buffer_append(&scene->stand_in_ids, &id, sizeof id, error) != 0)
		return -1;
	return anim_map_put(&scene->stand_ins, (uint64_t)stand_in->instance, key, sizeof stand_in->source, number,
			    error);
}

static int note_stand_ins(struct unity_run *run, struct unity_scene *scene, struct anim_error *error)
{
	for (size_t i = 0; i < unity_object_count(scene); i++) {
		const struct unity_object *object = unity_object_at(scene, i);

		if (object->stripped && add_stand_in(run, scene, &object->stand_in, object->id, error) != 0)
			return -1;
	}
	for (size_t i = 0; i < unity_transform_count(scene); i++) {
		const struct unity_transform *transform = unity_transform_at(scene, i);

		if (transform->stripped && add_stand_in(run, scene, &transform->stand_in, transform->id, error) != 0)
			return -1;
	}
	return 0;
}

/* What the components make of the objects of the file itself. */
static void choose_kinds(struct unity_source *source)
{
	for (size_t i = 0; i < unity_object_count(&source->scene); i++) {
		struct unity_object *object = unity_object_at(&source->scene, i);
		uint32_t class_id;

		for (size_t k = 0; k < object->component_count; k++)
			if (unity_id_get(source, object->components[k], UNITY_ID_COMPONENT, &class_id))
				object->kind_class = unity_kind_choose(object->kind_class, (int32_t)class_id);
	}
}

/* Stand-ins whose prefab did not bring them hang under the root of their instance. */
static void hang_stand_ins(struct unity_source *source)
{
	const struct unity_instance *instances = (const struct unity_instance *)source->scene.instances.data;
	struct unity_scene *scene = &source->scene;
	uint32_t number;

	for (size_t i = 0; i < unity_transform_count(scene); i++) {
		struct unity_transform *transform = unity_transform_at(scene, i);

		if (!transform->stripped ||
		    !unity_id_get(source, transform->stand_in.instance, UNITY_ID_INSTANCE, &number) ||
		    instances[number].root == UNITY_NONE || instances[number].root == i)
			continue;
		transform->father = unity_transform_at(scene, instances[number].root)->id;
	}
}

/*
 * Before Unity 2018.3 a scene may have the objects of an instance in full, as they are after all changes: they are the
 * instance, and the prefab would bring them a second time.
 */
static void find_full(struct unity_source *source)
{
	struct unity_instance *instances = (struct unity_instance *)source->scene.instances.data;
	const struct unity_transform *father;
	struct unity_transform *found;
	uint32_t number;

	for (size_t i = 0; i < unity_transform_count(&source->scene); i++) {
		const struct unity_transform *transform = unity_transform_at(&source->scene, i);

		if (transform->stripped ||
		    !unity_id_get(source, transform->stand_in.instance, UNITY_ID_INSTANCE, &number))
			continue;
		instances[number].in_full = true;
		father = unity_scene_transform(source, transform->father, &found) ? found : NULL;
		if (father == NULL || father->stand_in.instance != transform->stand_in.instance)
			instances[number].root = (uint32_t)i;
	}
}

/* A player may sit on such a stand-in of a GameObject: it needs a place in the tree. */
static int place_stand_ins(struct unity_run *run, struct unity_source *source, struct anim_error *error)
{
	for (size_t i = 0; i < unity_player_count(source); i++) {
		struct unity_merging at = {.run = run, .source = source};
		struct unity_transform *transform;
		struct unity_object *object;
		uint32_t number;

		if (!unity_scene_object(source, unity_player_at(source, i)->object, &object) || !object->stripped ||
		    !unity_id_get(source, object->stand_in.instance, UNITY_ID_INSTANCE, &number))
			continue;
		at.instance = (struct unity_instance *)source->scene.instances.data + number;
		object->stripped = false;
		transform = unity_scene_add(&at, object->id, error);
		if (transform == NULL)
			return -1;
		transform->object = object->id;
		if (at.instance->root != UNITY_NONE)
			transform->father = unity_transform_at(&source->scene, at.instance->root)->id;
	}
	return 0;
}

/* The place of each child among its siblings, as its father's document has it. */
static void number_siblings(struct unity_source *source)
{
	const struct unity_instance *instances = (const struct unity_instance *)source->scene.instances.data;
	const int64_t *root = (const int64_t *)source->scene.roots.data;
	struct unity_scene *scene = &source->scene;
	struct unity_transform *child;
	uint32_t number;

	for (size_t i = 0; i < unity_transform_count(scene); i++) {
		const struct unity_transform *father = unity_transform_at(scene, i);

		for (size_t k = 0; k < father->child_count; k++)
			if (unity_scene_transform(source, father->children[k], &child) && child->father == father->id)
				child->sibling = (int64_t)k;
	}
	for (size_t i = 0; i < scene->roots.size / sizeof *root; i++)
		if (unity_scene_transform(source, root[i], &child))
			child->sibling = (int64_t)i;
		else if (unity_id_get(source, root[i], UNITY_ID_INSTANCE, &number) &&
			 instances[number].root != UNITY_NONE)
			unity_transform_at(scene, instances[number].root)->sibling = (int64_t)i;
}

static void link_objects(struct unity_source *source)
{
	struct unity_object *object;

	for (size_t i = 0; i < unity_transform_count(&source->scene); i++) {
		struct unity_transform *transform = unity_transform_at(&source->scene, i);

		if (!unity_scene_object(source, transform->object, &object))
			continue;
		object->transform = (uint32_t)i;
		transform->removed = object->removed;
	}
}

/* A GameObject whose Transform the file lacks, as in a fragment, is a root. */
static int place_bare_objects(struct unity_run *run, struct unity_source *source, struct anim_error *error)
{
	const struct unity_merging at = {.run = run, .source = source};

	for (size_t i = 0; i < unity_object_count(&source->scene); i++) {
		struct unity_object *object = unity_object_at(&source->scene, i);
		struct unity_transform *transform;

		if (object->transform != UNITY_NONE || object->stripped || object->removed)
			continue;
		object->transform = (uint32_t)unity_transform_count(&source->scene);
		transform = unity_scene_add(&at, object->id, error);
		if (transform == NULL)
			return -1;
		transform->object = object->id;
		transform->line = object->line;
		transform->is_bare = true;
	}
	return 0;
}

int unity_scene_merge(struct unity_run *run, struct unity_source *source, struct anim_error *error)
{
	struct unity_scene *scene = &source->scene;
	struct unity_instance *instances = (struct unity_instance *)scene->instances.data;
	size_t count = scene->instances.size / sizeof *instances;
	int result;

	if (scene->merged)
		return 0;
	scene->merged = true;
	choose_kinds(source);
	find_full(source);
	result = note_stand_ins(run, scene, error);
	source->reading = true;
	for (size_t i = 0; i < count && result == 0; i++) {
		struct unity_merging at = {.run = run, .source = source, .instance = &instances[i]};

		if (!instances[i].in_full)
			result = unity_scene_join(&at, error);
	}
	source->reading = false;
	if (result == 0)
		result = place_stand_ins(run, source, error);
	if (result != 0)
		return -1;
	hang_stand_ins(source);
	number_siblings(source);
	link_objects(source);
	return place_bare_objects(run, source, error);
}
