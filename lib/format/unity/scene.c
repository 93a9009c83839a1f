/* scene.c: replace prefab instances in the scene of a file, and write its tree as NODE records. */
#include "format/unity/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/caps.h"
#include "format/unity/names.h"

/* ---- Components that determine the kind of a NODE ---- */

static const struct {
	int32_t class_id;
	enum anim_node_kind kind;
	const char *type;
} kinds[] = {{20, ANIM_NODE_CAMERA, "Camera"},
	     {108, ANIM_NODE_LIGHT, "Light"},
	     {UNITY_SPOT_LIGHT, ANIM_NODE_LIGHT, "SpotLight"},
	     {UNITY_DIRECTIONAL_LIGHT, ANIM_NODE_LIGHT, "DirectionalLight"},
	     {137, ANIM_NODE_MESH, "SkinnedMeshRenderer"},
	     {23, ANIM_NODE_MESH, "MeshRenderer"},
	     {212, ANIM_NODE_MESH, "SpriteRenderer"},
	     {33, ANIM_NODE_MESH, "MeshFilter"}};
#define KINDS (ANIM_COUNT(kinds))

/* Return the row of a class, or KINDS if it has none. */
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

static int32_t choose_kind(int32_t a, int32_t b)
{
	return kind_of(a) <= kind_of(b) ? a : b;
}

/* ---- Replacing an instance by its prefab, or by a placeholder if the prefab is not found ---- */

/* An instance that is being replaced. */
struct prefab_merging {
	struct unity_run *run;
	struct unity_source *source;
	struct unity_instance *instance; /* of the source, whose buffer does not grow */
	int64_t placeholder;             /* the GameObject made for a prefab that cannot be read, otherwise 0 */
};

/* The ids of a root GameObject in a model that Unity imported, in newer and older versions. */
static const int64_t model_objects[] = {919132149155446097, 100000};

/*
 * Return the fileID that an object of the prefab has in the file of the instance. If the file has a stripped object for
 * it, the id is that of the stripped object. Otherwise, since Unity 2018.3, it is the XOR of both ids without
 * the sign.
 */
static int64_t mapped(const struct prefab_merging *at, int64_t id)
{
	const struct unity_scene *scene = &at->source->scene;
	uint32_t number;

	if (id == 0)
		return 0;
	if (anim_map_get(&scene->stand_ins, (uint64_t)at->instance->id, &id, sizeof id, &number))
		return ((const int64_t *)scene->stand_in_ids.data)[number];
	return (int64_t)(((uint64_t)id ^ (uint64_t)at->instance->id) & INT64_MAX);
}

/*
 * Return the object with this id, and add it if necessary. A stripped object becomes a complete one. NULL if out of
 * memory.
 */
static struct unity_object *make_object(const struct prefab_merging *at, int64_t id)
{
	const struct unity_object made = {.id = id, .transform = UNITY_NONE};
	struct unity_object *object = unity_object_of(at->source, id);

	if (object == NULL)
		return unity_item_add(at->run, at->source, &at->source->scene.objects, &made, sizeof made, id,
				      UNITY_ID_OBJECT);
	object->stripped = false;
	return object;
}

/*
 * Return the Transform with this id, and add it if necessary. A stripped one becomes complete. NULL if out of memory.
 */
static struct unity_transform *add_transform(const struct prefab_merging *at, int64_t id)
{
	const struct unity_transform made = {
	    .id = id, .sibling = UNITY_LAST, .number = UNITY_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	struct unity_transform *transform = unity_transform_of(at->source, id);

	if (transform == NULL)
		return unity_item_add(at->run, at->source, &at->source->scene.transforms, &made, sizeof made, id,
				      UNITY_ID_TRANSFORM);
	transform->stripped = false;
	return transform;
}

/* Copy the objects, Transforms and players of a prefab to the place of its instance. Returns 0 or -1. */
static int copy_prefab(const struct prefab_merging *at, const struct unity_source *prefab)
{
	struct unity_instance *instance = at->instance;

	for (size_t i = 0; i < unity_object_count(&prefab->scene); i++) {
		const struct unity_object *from = unity_object_at(&prefab->scene, i);
		struct unity_object *to = make_object(at, mapped(at, from->id));

		if (to == NULL)
			return -1;
		to->name = from->name;
		to->inactive = from->inactive;
		to->removed = from->removed;
		to->kind_class = from->kind_class;
		to->avatar = from->avatar;
	}
	for (size_t i = 0; i < unity_transform_count(&prefab->scene); i++) {
		const struct unity_transform *from = unity_transform_at(&prefab->scene, i);
		struct unity_transform *to = add_transform(at, mapped(at, from->id));

		if (to == NULL)
			return -1;
		to->object = mapped(at, from->object);
		to->parent = from->parent == 0 ? instance->parent : mapped(at, from->parent);
		to->sibling = from->parent == 0 ? UNITY_LAST : from->sibling;
		to->is_rect = from->is_rect;
		to->is_bare = from->is_bare;
		to->removed = from->removed;
		to->has = from->has;
		memcpy(to->position, from->position, sizeof to->position);
		memcpy(to->rotation, from->rotation, sizeof to->rotation);
		memcpy(to->scale, from->scale, sizeof to->scale);
		memcpy(to->rect, from->rect, sizeof to->rect);
		to->has_rect = from->has_rect;
		if (from->parent == 0 && !from->removed && instance->root == UNITY_NONE)
			instance->root = (uint32_t)(to - (struct unity_transform *)at->source->scene.transforms.data);
	}
	for (size_t i = 0; i < unity_player_count(prefab); i++) {
		struct unity_player player = *unity_player_at(prefab, i);
		struct unity_track_binding *bindings = NULL;

		player.id = mapped(at, player.id);
		player.object = mapped(at, player.object);
		player.line = instance->line;
		if (player.binding_count > 0 &&
		    (bindings = anim_arena_zeroed(&at->run->arena, player.binding_count, sizeof *bindings,
						  at->run->error)) == NULL)
			return -1;
		for (size_t k = 0; k < player.binding_count; k++) {
			bindings[k] = player.bindings[k];
			bindings[k].target = mapped(at, bindings[k].target);
		}
		if (player.binding_count > 0)
			player.bindings = bindings;
		if (unity_item_add(at->run, at->source, &at->source->players.players, &player, sizeof player, player.id,
				   UNITY_ID_PLAYER) == NULL)
			return -1;
	}
	return 0;
}

/* Apply a change of one component of the transform: "m_LocalPosition.x". */
static bool set_component(struct unity_transform *transform, const struct unity_change *change)
{
	static const char *const vectors[] = {"m_LocalPosition.", "m_LocalRotation.", "m_LocalScale."};
	static const unsigned components[] = {3, 4, 3};
	float *const to[] = {transform->position, transform->rotation, transform->scale};

	for (unsigned i = 0; i < 3; i++) {
		const char *name = anim_text_after(change->property, vectors[i]);
		unsigned component = 0;
		float value;

		if (name == NULL)
			continue;
		while (component < components[i] && (name[0] != "xyzw"[component] || name[1] != '\0'))
			component++;
		if (component == components[i] ||
		    unity_number_float(change->value, change->value + strlen(change->value), &value) == NULL)
			continue;
		to[i][component] = value;
		transform->has |= (uint8_t)(1u << i);
		return true;
	}
	for (size_t i = 0; i < ANIM_COUNT(unity_rect_names); i++) {
		const char *name = anim_text_after(change->property, unity_rect_names[i]);
		float value;

		if (name == NULL || name[0] != '.' || (name[1] != 'x' && name[1] != 'y') || name[2] != '\0' ||
		    unity_number_float(change->value, change->value + strlen(change->value), &value) == NULL)
			continue;
		transform->rect[i][name[1] == 'y'] = value;
		return true;
	}
	return false;
}

/* Set another controller or timeline. The reference is relative to the file of the instance. */
static int change_player(const struct prefab_merging *at, struct unity_player *player,
			 const struct unity_change *change)
{
	if (strcmp(change->property, "m_WrapMode") == 0)
		(void)unity_parse_id(change->value, strlen(change->value), &player->wrap);
	if (strcmp(change->property, "m_Controller") != 0 && strcmp(change->property, "m_PlayableAsset") != 0)
		return 0;
	player->refs = anim_arena_alloc(&at->run->arena, sizeof *player->refs, at->run->error);
	if (player->refs == NULL)
		return -1;
	player->refs[0] = change->reference;
	player->count = change->reference.file_id != 0;
	player->home = at->source;
	return 0;
}

/*
 * Add a reference of the instance to a component that is in no file, for example the Animator that Unity puts on a
 * model. The component is known only from the change. Its object is probably the root.
 */
static int add_played(const struct prefab_merging *at, const struct unity_change *change, int64_t id)
{
	struct anim_buffer *players = &at->source->players.players;
	const struct unity_player made = {
	    .id = id, .object = at->placeholder, .line = at->instance->line, .home = at->source};
	struct unity_player *player = unity_player_of(at->source, id);
	struct unity_reference *refs;

	if (id == 0 || change->reference.file_id == 0)
		return 0;
	if (player == NULL)
		player = unity_item_add(at->run, at->source, players, &made, sizeof made, id, UNITY_ID_PLAYER);
	if (player == NULL)
		return -1;
	/* The capacity of the references doubles when it is full. */
	if ((player->count & (player->count - 1)) == 0) {
		refs = anim_arena_zeroed(&at->run->arena, player->count == 0 ? 1 : 2 * player->count, sizeof *refs,
					 at->run->error);
		if (refs == NULL)
			return -1;
		if (player->count > 0)
			memcpy(refs, player->refs, player->count * sizeof *refs);
		player->refs = refs;
	}
	player->refs[player->count++] = change->reference;
	return 0;
}

/* Apply the changes, removals and additions of the instance. Returns 0 or -1. */
static int apply_changes(const struct prefab_merging *at)
{
	for (size_t i = 0; i < at->instance->change_count; i++) {
		const struct unity_change *change = &at->instance->changes[i];
		const char *property = change->property;
		bool names_clips =
		    at->placeholder != 0 &&
		    (strcmp(property, "m_Controller") == 0 || strcmp(property, "m_PlayableAsset") == 0 ||
		     strcmp(property, "m_Animation") == 0 || strncmp(property, "m_Animations.", 13) == 0);
		int64_t id = mapped(at, change->target);
		struct unity_transform *transform = unity_transform_of(at->source, id);
		struct unity_object *object = unity_object_of(at->source, id);
		struct unity_player *player = unity_player_of(at->source, id);
		int result = 0;

		if (object != NULL && strcmp(property, "m_Name") == 0)
			object->name = change->value;
		else if (object != NULL && strcmp(property, "m_IsActive") == 0)
			object->inactive = strcmp(change->value, "0") == 0;
		else if (transform != NULL) {
			int64_t order;

			if (!set_component(transform, change) && strcmp(property, "m_RootOrder") == 0 &&
			    unity_parse_id(change->value, strlen(change->value), &order))
				transform->sibling = order;
		} else if (names_clips)
			result = add_played(at, change, id);
		else if (player != NULL)
			result = change_player(at, player, change);
		if (result != 0)
			return -1;
	}
	for (size_t i = 0; i < at->instance->removed_count; i++) {
		int64_t id = mapped(at, at->instance->removed[i]);
		struct unity_object *object = unity_object_of(at->source, id);
		struct unity_player *player = unity_player_of(at->source, id);

		if (object != NULL)
			object->removed = true;
		else if (player != NULL)
			player->removed = true;
	}
	for (size_t i = 0; i < at->instance->addition_count; i++) {
		const struct unity_addition *addition = &at->instance->additions[i];
		struct unity_object *object = unity_object_of(at->source, mapped(at, addition->target));
		uint32_t class_id;

		if (object != NULL && unity_id_get(at->source, addition->added, UNITY_ID_COMPONENT, &class_id))
			object->kind_class = choose_kind(object->kind_class, (int32_t)class_id);
	}
	return 0;
}

/*
 * Find the root of a prefab that cannot be read by the changes to it. Unity always writes the position of a root
 * Transform and the name of a root GameObject into the instance. Returns 0 if it is not known.
 */
static int64_t root_by_changes(const struct unity_instance *instance, const char *property)
{
	for (size_t i = 0; i < instance->change_count; i++)
		if (strncmp(instance->changes[i].property, property, strlen(property)) == 0)
			return instance->changes[i].target;
	return 0;
}

static int make_placeholder(struct prefab_merging *at)
{
	struct unity_instance *instance = at->instance;
	int64_t source = root_by_changes(instance, "m_RootOrder"), object_source = 0, object_id, transform_id;
	struct unity_transform *transform;
	struct unity_object *object;

	if (source == 0)
		source = root_by_changes(instance, "m_Local");
	transform_id = source == 0 ? instance->id : mapped(at, source);
	for (size_t i = 0; i < instance->change_count && object_source == 0; i++)
		for (size_t k = 0; k < ANIM_COUNT(model_objects); k++)
			if (instance->changes[i].target == model_objects[k])
				object_source = model_objects[k];
	object_id = mapped(at, object_source != 0 ? object_source : root_by_changes(instance, "m_Name"));
	if (object_id == 0)
		object_id = instance->id;
	object = make_object(at, object_id);
	if (object == NULL)
		return -1;
	transform = add_transform(at, transform_id);
	if (transform == NULL)
		return -1;
	transform->object = object_id;
	transform->parent = instance->parent;
	instance->root = (uint32_t)(transform - (struct unity_transform *)at->source->scene.transforms.data);
	at->placeholder = object_id;
	return 0;
}

#define warn(at, line, ...) unity_say((at)->run, (at)->source, ANIM_WARNING, line, __VA_ARGS__)

static int say_unread(const struct prefab_merging *at, const char *path, const char *why)
{
	static const char missing[] = "nodes are missing or named ?ID";
	const char *guid = at->instance->prefab.guid, *where = unity_where(at->run);
	uint32_t line = at->instance->line;
	int result;

	if (path != NULL)
		result = warn(at, line, "prefab", "'%s' (%s): not read, so %s", path, why, missing);
	else if (why != NULL)
		result = warn(at, line, "prefab", "'guid %s': not searched for, because %s; %s", guid, why, missing);
	else
		result = warn(at, line, "prefab", "'guid %s': not found in a file %s, so %s", guid, where, missing);
	if (result != 0 || path != NULL)
		return result != 0 ? -1 : unity_say_name(at->run, "'%s' (%s)", path, why);
	return unity_say_name(at->run, "guid %s", guid);
}

#define IS_MODEL 2
#define SCATTER 0x9e3779b97f4a7c15u /* an odd number: fileIDs of nodes are far from the ids that files have */

/*
 * Returns 1 with *prefab, itself merged. Returns IS_MODEL with *prefab, a model whose nodes are known. Returns 0 if it
 * cannot be used, after a warning. Returns -1 on error.
 */
static int find_prefab(const struct prefab_merging *at, struct unity_source **prefab)
{
	const struct unity_avatar *avatar;
	const char *path, *why;
	size_t nodes;
	int got = unity_source_find(at->run, at->source, at->instance->prefab.guid, prefab, &path, &why);

	if (got < 0)
		return -1;
	if (got > 0 && *prefab == at->source) {
		got = 0;
		why = "it would contain itself";
	}
	if (got > 0 && (*prefab)->path != NULL && unity_is_model((*prefab)->path)) {
		/* The import settings of a model may have its skeleton. */
		got = unity_avatar_of_model(at->run, *prefab, &avatar);
		if (got <= 0)
			return got < 0 ? -1 : say_unread(at, path, "a model");
		if (avatar->node_count > ANIM_INSTANCED_NODES_MAX - at->run->copied)
			return say_unread(at, path, "there are too many nodes");
		at->run->copied += avatar->node_count;
		if (unity_say(at->run, at->source, ANIM_NOTE, at->instance->line, "model",
			      "'%s': not read; nodes come from the skeleton in the import settings", path) != 0 ||
		    unity_say_name(at->run, "'%s'", path) != 0)
			return -1;
		return IS_MODEL;
	}
	if (got == 0)
		return say_unread(at, path, path != NULL && unity_is_model(path) ? "a model" : why);
	if (unity_scene_merge(at->run, *prefab) != 0)
		return -1;
	nodes = unity_object_count(&(*prefab)->scene) + unity_transform_count(&(*prefab)->scene) +
		unity_player_count(*prefab);
	if (nodes > ANIM_INSTANCED_NODES_MAX - at->run->copied)
		return say_unread(at, path, "there are too many nodes");
	at->run->copied += nodes;
	return 1;
}

/*
 * Replace the instance by its prefab, with the changes of the instance. A prefab that cannot be read gives a warning.
 * Returns 0 or -1.
 */
static int join_instance(struct prefab_merging *at)
{
	const struct unity_avatar *avatar;
	struct unity_source *prefab;
	struct unity_object *object;
	int64_t root;
	int got = find_prefab(at, &prefab);

	if (got < 0 || (got == 1 && copy_prefab(at, prefab) != 0) || (got != 1 && make_placeholder(at) != 0))
		return -1;
	/* Add the nodes of a model below its placeholder. */
	if (got == IS_MODEL) {
		object = unity_object_of(at->source, at->placeholder);
		root = unity_transform_at(&at->source->scene, at->instance->root)->id;
		if (unity_avatar_of_model(at->run, prefab, &avatar) <= 0 || object == NULL)
			return -1;
		object->avatar = avatar;
		if (unity_avatar_place(at->run, at->source, avatar, (int64_t)((uint64_t)at->instance->id * SCATTER),
				       root) != 0)
			return -1;
	}
	return apply_changes(at);
}

/* ---- The scene ---- */

static int add_stand_in(struct unity_run *run, struct unity_scene *scene, const struct unity_stand_in *stand_in,
			int64_t id)
{
	uint32_t number = (uint32_t)(scene->stand_in_ids.size / sizeof id);
	const char *key =
	    anim_arena_text(&run->arena, (const char *)&stand_in->source, sizeof stand_in->source, run->error);

	if (key == NULL || anim_buffer_append(&scene->stand_in_ids, &id, sizeof id, run->error) != 0)
		return -1;
	return anim_map_put(&scene->stand_ins, (uint64_t)stand_in->instance, key, sizeof stand_in->source, number,
			    run->error);
}

/*
 * Index the stripped objects, and find instances whose objects are complete in the file. Before Unity 2018.3, a scene may
 * contain the objects of an instance with all changes. They are the instance, and the prefab would add them a second time.
 * Returns 0 or -1.
 */
static int index_stand_ins(struct unity_run *run, struct unity_source *source)
{
	struct unity_scene *scene = &source->scene;
	struct unity_instance *instances = (struct unity_instance *)scene->instances.data;
	const struct unity_transform *parent;
	uint32_t number;

	for (size_t i = 0; i < unity_object_count(scene); i++) {
		const struct unity_object *object = unity_object_at(scene, i);

		if (object->stripped && add_stand_in(run, scene, &object->stand_in, object->id) != 0)
			return -1;
	}
	for (size_t i = 0; i < unity_transform_count(scene); i++) {
		const struct unity_transform *transform = unity_transform_at(scene, i);

		if (transform->stripped) {
			if (add_stand_in(run, scene, &transform->stand_in, transform->id) != 0)
				return -1;
			continue;
		}
		if (!unity_id_get(source, transform->stand_in.instance, UNITY_ID_INSTANCE, &number))
			continue;
		instances[number].in_full = true;
		parent = unity_transform_of(source, transform->parent);
		if (parent == NULL || parent->stand_in.instance != transform->stand_in.instance)
			instances[number].root = (uint32_t)i;
	}
	return 0;
}

/*
 * Give a stripped GameObject a place in the tree if a player belongs to it, and move stripped objects that their prefab
 * does not contain below the root of their instance. Returns 0 or -1.
 */
static int place_stand_ins(struct unity_run *run, struct unity_source *source)
{
	struct unity_instance *instances = (struct unity_instance *)source->scene.instances.data;

	for (size_t i = 0; i < unity_player_count(source); i++) {
		struct prefab_merging at = {.run = run, .source = source};
		struct unity_transform *transform;
		struct unity_object *object = unity_object_of(source, unity_player_at(source, i)->object);
		uint32_t number;

		if (object == NULL || !object->stripped ||
		    !unity_id_get(source, object->stand_in.instance, UNITY_ID_INSTANCE, &number))
			continue;
		at.instance = &instances[number];
		object->stripped = false;
		transform = add_transform(&at, object->id);
		if (transform == NULL)
			return -1;
		transform->object = object->id;
		if (at.instance->root != UNITY_NONE)
			transform->parent = unity_transform_at(&source->scene, at.instance->root)->id;
	}
	for (size_t i = 0; i < unity_transform_count(&source->scene); i++) {
		struct unity_transform *transform = unity_transform_at(&source->scene, i);
		uint32_t number;

		if (transform->stripped &&
		    unity_id_get(source, transform->stand_in.instance, UNITY_ID_INSTANCE, &number) &&
		    instances[number].root != UNITY_NONE && instances[number].root != i)
			transform->parent = unity_transform_at(&source->scene, instances[number].root)->id;
	}
	return 0;
}

/* Number the children of each node in the order of its document. */
static void number_siblings(struct unity_source *source)
{
	const struct unity_instance *instances = (const struct unity_instance *)source->scene.instances.data;
	const int64_t *root = (const int64_t *)source->scene.roots.data;
	struct unity_scene *scene = &source->scene;
	struct unity_transform *child;
	uint32_t number;

	for (size_t i = 0; i < unity_transform_count(scene); i++) {
		const struct unity_transform *parent = unity_transform_at(scene, i);

		for (size_t k = 0; k < parent->child_count; k++)
			if ((child = unity_transform_of(source, parent->children[k])) != NULL &&
			    child->parent == parent->id)
				child->sibling = (int64_t)k;
	}
	for (size_t i = 0; i < scene->roots.size / sizeof *root; i++)
		if ((child = unity_transform_of(source, root[i])) != NULL)
			child->sibling = (int64_t)i;
		else if (unity_id_get(source, root[i], UNITY_ID_INSTANCE, &number) &&
			 instances[number].root != UNITY_NONE)
			unity_transform_at(scene, instances[number].root)->sibling = (int64_t)i;
}

/*
 * Link objects with their Transforms. A GameObject becomes a root if the file lacks its Transform, as in a fragment. Returns
 * 0 or -1.
 */
static int link_objects(struct unity_run *run, struct unity_source *source)
{
	const struct prefab_merging at = {.run = run, .source = source};

	for (size_t i = 0; i < unity_transform_count(&source->scene); i++) {
		struct unity_transform *transform = unity_transform_at(&source->scene, i);
		struct unity_object *object = unity_object_of(source, transform->object);

		if (object == NULL)
			continue;
		object->transform = (uint32_t)i;
		transform->removed = object->removed;
	}

	for (size_t i = 0; i < unity_object_count(&source->scene); i++) {
		struct unity_object *object = unity_object_at(&source->scene, i);
		struct unity_transform *transform;

		if (object->transform != UNITY_NONE || object->stripped || object->removed)
			continue;
		object->transform = (uint32_t)unity_transform_count(&source->scene);
		transform = add_transform(&at, object->id);
		if (transform == NULL)
			return -1;
		transform->object = object->id;
		transform->line = object->line;
		transform->is_bare = true;
	}
	return 0;
}

int unity_scene_merge(struct unity_run *run, struct unity_source *source)
{
	struct unity_scene *scene = &source->scene;
	struct unity_instance *instances = (struct unity_instance *)scene->instances.data;
	size_t count = scene->instances.size / sizeof *instances;
	int result;

	if (scene->merged)
		return 0;
	scene->merged = true;
	/* The kinds of the file's own objects come from their components. */
	for (size_t i = 0; i < unity_object_count(scene); i++) {
		struct unity_object *object = unity_object_at(scene, i);
		uint32_t class_id;

		for (size_t k = 0; k < object->component_count; k++)
			if (unity_id_get(source, object->components[k], UNITY_ID_COMPONENT, &class_id))
				object->kind_class = choose_kind(object->kind_class, (int32_t)class_id);
	}
	result = index_stand_ins(run, source);
	source->reading = true;
	for (size_t i = 0; i < count && result == 0; i++) {
		struct prefab_merging at = {.run = run, .source = source, .instance = &instances[i]};

		if (!instances[i].in_full)
			result = join_instance(&at);
	}
	source->reading = false;
	if (result == 0)
		result = place_stand_ins(run, source);
	if (result != 0)
		return -1;
	number_siblings(source);
	return link_objects(run, source);
}

/* ---- TREE and NODEs ---- */

#define SAME_ROTATION 0.999999 /* cosine of half the angle, 0.16 degrees */

/* A Transform below its parent, which is also a number. */
struct tree_branch {
	uint32_t parent, transform;
	int64_t sibling;
};
#define ROOTS UINT32_MAX
#define DROPPED (UINT32_MAX - 1) /* removed by an instance */

/* A Transform to write. `parent_node` is the number of its parent's NODE, `length` the length of its path. */
struct tree_visit {
	uint32_t transform, parent_node;
	size_t length;
	const struct unity_avatar *avatar; /* of the nearest Animator above */
};

struct tree_writing {
	struct unity_run *run;
	struct unity_source *source;
	struct anim_sink *sink;
	struct anim_buffer branches; /* struct tree_branch, sorted */
	struct anim_buffer stack;    /* struct tree_visit */
	struct anim_buffer path;     /* of the last NODE, with NUL */
	uint32_t count;              /* NODEs written */
	size_t visited;
};

bool unity_scene_has_tree(const struct unity_scene *scene)
{
	for (size_t i = 0; i < unity_transform_count(scene); i++)
		if (!unity_transform_at(scene, i)->removed)
			return true;
	return false;
}

const char *unity_transform_name(const struct unity_source *source, const struct unity_transform *transform,
				 char made[UNITY_NAME_MADE])
{
	const struct unity_object *object = unity_object_of(source, transform->object);
	int64_t id = transform->object != 0 ? transform->object : transform->id;

	if (object != NULL && object->name != NULL && object->name[0] != '\0')
		return object->name;
	snprintf(made, UNITY_NAME_MADE, "?%lld", (long long)id);
	return made;
}

static int compare_branches(const void *left, const void *right)
{
	const struct tree_branch *a = left, *b = right;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->sibling != b->sibling)
		return a->sibling < b->sibling ? -1 : 1;
	return a->transform < b->transform ? -1 : a->transform > b->transform;
}

static int sort_branches(struct tree_writing *writing)
{
	size_t count = unity_transform_count(&writing->source->scene);
	struct tree_branch *branches =
	    anim_buffer_extend(&writing->branches, count * sizeof *branches, writing->run->error);

	if (branches == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct unity_transform *transform = unity_transform_at(&writing->source->scene, i);

		branches[i] = (struct tree_branch){ROOTS, (uint32_t)i, transform->sibling};
		if (transform->removed) {
			branches[i].parent = DROPPED;
		} else if (transform->parent != 0 &&
			   !unity_id_get(writing->source, transform->parent, UNITY_ID_TRANSFORM, &branches[i].parent)) {
			branches[i].parent = ROOTS;
			if (warn(writing, transform->line, "Transform",
				 "'%lld': the parent is missing, so it is attached to the root",
				 (long long)transform->id) != 0 ||
			    unity_say_name(writing->run, "%lld", (long long)transform->id) != 0)
				return -1;
		}
	}
	qsort(branches, count, sizeof *branches, compare_branches);
	return 0;
}

/* Get the branches of one parent in *first. Returns their number. */
static size_t branches_of(const struct tree_writing *writing, uint32_t parent, const struct tree_branch **first)
{
	const struct tree_branch *all = (const struct tree_branch *)writing->branches.data;
	size_t count = writing->branches.size / sizeof *all, low = 0, high = count, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all[middle].parent < parent)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < count && all[end].parent == parent; end++)
		;
	*first = all + low;
	return end - low;
}

/* Push in reverse order, so that the first is visited first. */
static int push_branches(struct tree_writing *writing, uint32_t parent, uint32_t parent_node, size_t length,
			 const struct unity_avatar *avatar)
{
	const struct tree_branch *first;
	size_t count = branches_of(writing, parent, &first);

	for (size_t i = count; i-- > 0;) {
		struct tree_visit visit = {first[i].transform, parent_node, length, avatar};

		if (anim_buffer_append(&writing->stack, &visit, sizeof visit, writing->run->error) != 0)
			return -1;
	}
	return 0;
}

/* Append the name of the node to its parent's path. The path of the root is ".". */
static int set_path(struct tree_writing *writing, const struct tree_visit *visit)
{
	const struct unity_transform *transform = unity_transform_at(&writing->source->scene, visit->transform);
	char made[UNITY_NAME_MADE];
	const char *name =
	    visit->parent_node == ANIM_NO_PARENT ? "." : unity_transform_name(writing->source, transform, made);
	struct anim_place place = {.file = writing->source->shown,
				   .at = transform->line == 0 ? ANIM_AT_FILE : ANIM_AT_LINE,
				   .line = transform->line,
				   .column = 1};

	writing->path.size = visit->length;
	if (visit->parent_node != ANIM_NO_PARENT && strchr(name, '/') != NULL &&
	    (warn(writing, transform->line, "name", "'%s': no path leads to a name with a '/', not even in Unity",
		  name) != 0 ||
	     unity_say_name(writing->run, "'%s'", name) != 0))
		return -1;
	if (visit->length > 0 && anim_buffer_append(&writing->path, "/", 1, writing->run->error) != 0)
		return -1;
	if (anim_buffer_append(&writing->path, name, strlen(name) + 1, writing->run->error) != 0)
		return -1;
	if (writing->path.size - 1 <= ANIM_NAME_MAX)
		return 0;
	return anim_fail_at(writing->run->error, ANIM_TOO_LARGE, &place, "the path of a node is longer than %u bytes",
			    ANIM_NAME_MAX);
}

static bool is_finite(const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}

/* Set the finite components of the transform. */
static int place_node(const struct tree_writing *writing, const struct unity_transform *from, struct anim_node *node)
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
	if (warn(writing, from->line, "Transform", "'%lld': values that are not finite are left out",
		 (long long)from->id) != 0)
		return -1;
	return unity_say_name(writing->run, "%lld", (long long)from->id);
}

#define ATTRIBUTES 6
#define RECT_SIZE (10 * (ANIM_NUMBER_MAX + 1)) /* text of a rectangle */

/* Set the attributes of a node in `attrs`, sorted by their keys. */
static void set_attributes(const struct tree_writing *writing, const struct tree_visit *visit, bool inactive,
			   struct anim_attr attrs[ATTRIBUTES], char rect[RECT_SIZE], struct anim_node *node)
{
	const struct unity_transform *transform = unity_transform_at(&writing->source->scene, visit->transform);
	const struct unity_transform *above = unity_transform_of(writing->source, transform->parent);
	const struct unity_human *human = NULL;
	char made[UNITY_NAME_MADE], made_above[UNITY_NAME_MADE];
	const float *own = node->rotation, *rest;
	size_t count = 0;
	double same = 0;

	/* the bone of a human that the node is, or NULL */
	if (visit->avatar != NULL)
		human =
		    unity_avatar_human(visit->avatar, unity_transform_name(writing->source, transform, made),
				       above == NULL ? NULL : unity_transform_name(writing->source, above, made_above));

	if (human != NULL)
		attrs[count++] = (struct anim_attr){"unity.human", human->human};
	if (inactive)
		attrs[count++] = (struct anim_attr){"unity.inactive", "1"};
	if (human != NULL && human->limits != NULL)
		attrs[count++] = (struct anim_attr){"unity.limits", human->limits};
	if (transform->has_rect) {
		size_t length = 0;

		for (size_t i = 0; i < 10; i++) {
			if (i > 0)
				rect[length++] = ' ';
			length += anim_number_print_float(rect + length, transform->rect[i / 2][i % 2]);
		}
		rect[length] = '\0';
		attrs[count++] = (struct anim_attr){ANIM_ATTR_RECT, rect};
	}
	/* The T-pose of the avatar is needed if the node has another rotation. */
	if (human != NULL && human->tpose != NULL && human->node != UNITY_NONE) {
		rest = visit->avatar->nodes[human->node].rotation;
		for (unsigned i = 0; i < 4; i++)
			same += (double)own[i] * (double)rest[i];
		if (fabs(same) < SAME_ROTATION)
			attrs[count++] = (struct anim_attr){"unity.tpose", human->tpose};
	}
	if (human != NULL && human->twist != NULL)
		attrs[count++] = (struct anim_attr){"unity.twist", human->twist};
	node->attrs = (struct anim_attrs){attrs, count};
}

static int write_node(struct tree_writing *writing, const struct tree_visit *visit)
{
	struct unity_transform *from = unity_transform_at(&writing->source->scene, visit->transform);
	const struct unity_object *object = unity_object_of(writing->source, from->object);
	size_t kind = object == NULL ? KINDS : kind_of(object->kind_class);
	struct anim_node node = {.parent = visit->parent_node, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	struct anim_attr attrs[ATTRIBUTES];
	char rect[RECT_SIZE];

	if (set_path(writing, visit) != 0 || place_node(writing, from, &node) != 0)
		return -1;
	node.path = (const char *)writing->path.data;
	node.kind = (uint8_t)(kind < KINDS ? kinds[kind].kind : ANIM_NODE);
	node.type = kind < KINDS    ? kinds[kind].type
		    : from->is_bare ? "GameObject"
		    : from->is_rect ? "RectTransform"
				    : "Transform";
	set_attributes(writing, visit, object != NULL && object->inactive, attrs, rect, &node);
	from->number = writing->count++;
	return anim_sink_node(writing->sink, &node, writing->run->error);
}

/* Visit everything below a parent, in the order of the tree. */
static int visit_all(struct tree_writing *writing, uint32_t parent, uint32_t parent_node)
{
	const struct unity_object *object;
	struct tree_visit visit;
	size_t length;

	if (push_branches(writing, parent, parent_node, 0, NULL) != 0)
		return -1;
	while (writing->stack.size > 0) {
		writing->stack.size -= sizeof visit;
		memcpy(&visit, writing->stack.data + writing->stack.size, sizeof visit);
		writing->visited++;
		if (parent == ROOTS && write_node(writing, &visit) != 0)
			return -1;
		length = visit.parent_node == ANIM_NO_PARENT || parent != ROOTS ? 0 : writing->path.size - 1;
		/* Nodes below get the avatar of the node's own Animator, or else of the nearest one above. */
		object = unity_object_of(writing->source,
					 unity_transform_at(&writing->source->scene, visit.transform)->object);
		if (push_branches(writing, visit.transform, parent == ROOTS ? writing->count - 1 : ANIM_NO_PARENT,
				  length,
				  object != NULL && object->avatar != NULL ? object->avatar : visit.avatar) != 0)
			return -1;
	}
	return 0;
}

#define LEAN 1e-6f /* largest x and y of a rotation that counts as a rotation about z */

/* Return whether the scene has sprites, nothing that only exists in space, and no rotation about x or y. */
static bool is_flat(const struct unity_source *source)
{
	size_t count = unity_transform_count(&source->scene);
	bool flat = false;

	for (size_t i = 0; i < count; i++) {
		const struct unity_transform *transform = unity_transform_at(&source->scene, i);
		const struct unity_object *object = unity_object_of(source, transform->object);
		int32_t kind = object == NULL ? 0 : object->kind_class;

		flat = flat || unity_class_is_flat(kind);
		if (unity_class_is_solid(kind < 0 ? UNITY_LIGHT : kind) || fabsf(transform->rotation[0]) > LEAN ||
		    fabsf(transform->rotation[1]) > LEAN)
			return false;
	}
	return flat;
}

static int write_tree(struct tree_writing *writing, const char *source_file)
{
	struct anim_attr flat = {ANIM_ATTR_2D, "1"};
	struct anim_tree tree = {.axes = ANIM_AXES_UNITY, .axes2d = ANIM_AXES2D_UNITY, .source_file = source_file};
	const struct anim_node common_root = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	const struct tree_branch *roots;
	char made[UNITY_NAME_MADE];
	size_t count, lost;

	if (sort_branches(writing) != 0)
		return -1;
	count = branches_of(writing, ROOTS, &roots);
	if (is_flat(writing->source))
		tree.attrs = (struct anim_attrs){&flat, 1};
	tree.root_name = writing->run->base_name;
	if (count == 1)
		tree.root_name = unity_transform_name(
		    writing->source, unity_transform_at(&writing->source->scene, roots->transform), made);
	writing->count = count != 1;
	if (anim_sink_tree(writing->sink, &tree, writing->run->error) != 0 ||
	    (count != 1 && anim_sink_node(writing->sink, &common_root, writing->run->error) != 0) ||
	    visit_all(writing, DROPPED, ANIM_NO_PARENT) != 0 ||
	    visit_all(writing, ROOTS, count == 1 ? ANIM_NO_PARENT : 0) != 0)
		return -1;
	lost = unity_transform_count(&writing->source->scene) - writing->visited;
	if (lost == 0)
		return 0;
	return warn(writing, 0, NULL, "%zu Transform%s in a cycle of parents and %s left out", lost,
		    lost == 1 ? " is" : "s are", lost == 1 ? "is" : "are");
}

int unity_scene_write(struct unity_run *run, struct unity_source *source, const char *source_file,
		      struct anim_sink *sink)
{
	struct tree_writing writing = {.run = run, .source = source, .sink = sink};
	int result = write_tree(&writing, source_file);

	anim_buffer_clear(&writing.branches);
	anim_buffer_clear(&writing.stack);
	anim_buffer_clear(&writing.path);
	return result;
}
