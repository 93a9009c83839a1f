/* rest.c: the rest poses of the nodes of a tree, by path. */
#include "clip/rest.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/number.h"
#include "clip/rules.h"

/* Return the slot of the path, or the free slot for it. At most half of the slots are used. */
static uint32_t *slot_of(const struct anim_rests *rests, const char *path)
{
	size_t at = (size_t)anim_hash_text(0, path) & (rests->slot_count - 1);

	while (rests->slots[at] != 0 && strcmp(rests->items[rests->slots[at] - 1].path, path) != 0)
		at = (at + 1) & (rests->slot_count - 1);
	return &rests->slots[at];
}

/* If several nodes have the same path, the first counts. */
static void index_item(struct anim_rests *rests, size_t number)
{
	uint32_t *slot = slot_of(rests, rests->items[number].path);

	if (*slot == 0)
		*slot = (uint32_t)number + 1;
}

static int reserve_slots(struct anim_rests *rests, struct anim_error *error)
{
	size_t count = rests->slot_count > 0 ? 2 * rests->slot_count : 128;
	uint32_t *slots;

	if (2 * (rests->count + 1) <= rests->slot_count)
		return 0;
	if ((slots = calloc(count, sizeof *slots)) == NULL)
		return anim_fail_memory(error);
	free(rests->slots);
	rests->slots = slots;
	rests->slot_count = count;
	for (size_t i = 0; i < rests->count; i++)
		index_item(rests, i);
	return 0;
}

int anim_rests_add_copy(struct anim_rests *rests, const struct anim_rest *from, struct anim_error *error)
{
	struct anim_rest rest = *from;
	const char *last = rests->count == 0 ? NULL : rests->items[rests->count - 1].type, *name;
	uint32_t first;

	if (rests->count == rests->capacity) {
		size_t capacity = rests->capacity > 0 ? 2 * rests->capacity : 64;
		struct anim_rest *moved = realloc(rests->items, capacity * sizeof *moved);

		if (moved == NULL)
			return anim_fail_memory(error);
		rests->items = moved;
		rests->capacity = capacity;
	}
	if (reserve_slots(rests, error) != 0)
		return -1;
	rest.path = anim_arena_text(&rests->arena, from->path, strlen(from->path), error);
	if (rest.path != NULL && from->rotation_order != NULL)
		rest.rotation_order =
		    anim_arena_text(&rests->arena, from->rotation_order, strlen(from->rotation_order), error);
	/* Neighbours are often of one class, whose name is kept once. */
	rest.type = from->type == NULL || *from->type == '\0' ? ""
		    : last != NULL && strcmp(last, from->type) == 0
			? last
			: anim_arena_text(&rests->arena, from->type, strlen(from->type), error);
	if (rest.path != NULL && from->rect != NULL &&
	    (rest.rect = anim_arena_text(&rests->arena, from->rect, strlen(from->rect), error)) == NULL)
		return -1;
	if (rest.path == NULL || rest.type == NULL || (from->rotation_order != NULL && rest.rotation_order == NULL))
		return -1;
	/* If several nodes have the same unique name, the first counts. */
	name = anim_node_own_name(rest.path);
	if (rest.unique && !anim_map_get(&rests->unique, 0, name, strlen(name), &first) &&
	    anim_map_put(&rests->unique, 0, name, strlen(name), (uint32_t)rests->count, error) != 0)
		return -1;
	rests->items[rests->count] = rest;
	index_item(rests, rests->count++);
	return 0;
}

int anim_rests_add(struct anim_rests *rests, const struct anim_node *node, struct anim_error *error)
{
	struct anim_rest rest = {.path = node->path,
				 .rotation_order = anim_attrs_get(&node->attrs, "rotation_order"),
				 .rect = anim_attrs_get(&node->attrs, ANIM_ATTR_RECT),
				 .type = node->type,
				 .has = node->has,
				 .kind = node->kind,
				 .unique = anim_attrs_get(&node->attrs, "godot.unique_name") != NULL};

	memcpy(rest.position, node->position, sizeof rest.position);
	memcpy(rest.rotation, node->rotation, sizeof rest.rotation);
	memcpy(rest.scale, node->scale, sizeof rest.scale);
	return anim_rests_add_copy(rests, &rest, error);
}

void anim_rests_clear(struct anim_rests *rests)
{
	free(rests->items);
	free(rests->slots);
	anim_map_clear(&rests->unique);
	anim_map_clear(&rests->pieces);
	anim_buffer_clear(&rests->owners);
	anim_arena_clear(&rests->arena);
	anim_arena_clear(&rests->scratch);
	*rests = (struct anim_rests){.lacked_memory = rests->lacked_memory};
}

int anim_rests_check(const struct anim_rests *rests, struct anim_error *error)
{
	return rests->lacked_memory ? anim_fail_memory(error) : 0;
}

/*
 * After %Name the path continues from the node with that name, which becomes *root. Returns the rest of the path, or
 * NULL if out of memory.
 */
static const char *resolve_unique(struct anim_rests *rests, const char **root, const char *node,
				  struct anim_error *error)
{
	size_t length = strcspn(node, "/:");
	uint32_t number;
	const char *rest;

	if (node[0] != '%' || !anim_map_get(&rests->unique, 0, node + 1, length - 1, &number))
		return node;
	rest = anim_arena_printf(&rests->scratch, error, ".%s", node + length);
	if (rest == NULL)
		return NULL;
	*root = rests->items[number].path;
	return rest;
}

const struct anim_rest *anim_rests_find(struct anim_rests *rests, const char *root, const char *node)
{
	struct anim_error error = {0};
	const char *path;
	uint32_t number;

	if (rests->count == 0)
		return NULL;
	anim_arena_reset(&rests->scratch);
	node = resolve_unique(rests, &root, node, &error);
	path = node == NULL ? NULL : anim_tree_path(root, node, &rests->scratch, &error);
	rests->lacked_memory |= error.code == ANIM_NO_MEMORY;
	number = path == NULL ? 0 : *slot_of(rests, path);
	return number == 0 ? NULL : &rests->items[number - 1];
}

/* ---- Names ---- */

/*
 * Two paths have the same name if they end in the same characters, in both after a separator; some characters are a
 * '_' in Godot's spelling. If paths are cut at all of these, they are sequences of pieces, and the endings of all
 * nodes form a tree of pieces, read from the end. Each path is walked once for all its endings, however many it has.
 */

#define NOBODY UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

/* The node and the bone whose names have this ending: the number of an item, NOBODY or SEVERAL. */
struct owners {
	uint32_t node, bone;
};

/* The state of walking the last name of a path from its end. */
struct ending {
	const char *path;
	size_t from, to; /* of the current piece */
	bool whole;      /* a name begins with this piece */
};

static struct ending ending_of(const char *path)
{
	return (struct ending){.path = path, .from = strlen(path) + 1};
}

/* Move to the previous piece. Returns false at the first piece. */
static bool next_piece(struct ending *ending)
{
	const char *path = ending->path;

	if (ending->from == 0 || path[ending->from - 1] == '/')
		return false;
	ending->to = --ending->from;
	while (ending->from > 0 && strchr("/:_.@\"%", path[ending->from - 1]) == NULL)
		ending->from--;
	ending->whole = (ending->from == 0 || path[ending->from - 1] == '/' || path[ending->from - 1] == ':') &&
			(path[ending->from] != '\0' || path[0] == '\0');
	return true;
}

/* Find the ending that consists of this piece and the ending `rest` after it. Returns false if no item has it. */
static bool find_ending(const struct anim_rests *rests, const struct ending *ending, uint32_t rest, uint32_t *number)
{
	return anim_map_get(&rests->pieces, rest, ending->path + ending->from, ending->to - ending->from, number);
}

static struct owners *owners_of(const struct anim_rests *rests, uint32_t number)
{
	return (struct owners *)(void *)rests->owners.data + number - 1;
}

static void own(uint32_t *owner, uint32_t item)
{
	*owner = *owner == NOBODY ? item : SEVERAL;
}

static int index_name(struct anim_rests *rests, uint32_t item, struct anim_error *error)
{
	static const struct owners none = {NOBODY, NOBODY};
	struct ending ending = ending_of(rests->items[item].path);

	for (uint32_t rest = 0, number; next_piece(&ending); rest = number) {
		if (!find_ending(rests, &ending, rest, &number)) {
			number = (uint32_t)(rests->owners.size / sizeof none) + 1;
			if (anim_buffer_append(&rests->owners, &none, sizeof none, error) != 0 ||
			    anim_map_put(&rests->pieces, rest, ending.path + ending.from, ending.to - ending.from,
					 number, error) != 0)
				return -1;
		}
		if (!ending.whole)
			continue;
		own(&owners_of(rests, number)->node, item);
		if (rests->items[item].kind == ANIM_NODE_BONE)
			own(&owners_of(rests, number)->bone, item);
	}
	return 0;
}

/* Return the only item, or the only bone, that shares a complete ending with the path. */
static const struct anim_rest *find_named(struct anim_rests *rests, const char *node, bool bone)
{
	struct ending ending = ending_of(node);
	struct anim_error error;
	uint32_t found = NOBODY;

	for (; rests->named < rests->count; rests->named++)
		if (index_name(rests, (uint32_t)rests->named, &error) != 0) {
			rests->lacked_memory = true;
			return NULL;
		}
	for (uint32_t number = 0; next_piece(&ending) && find_ending(rests, &ending, number, &number);) {
		const struct owners *owners = owners_of(rests, number);
		uint32_t owner = !ending.whole ? NOBODY : bone ? owners->bone : owners->node;

		if (owner == SEVERAL || (owner != NOBODY && found != NOBODY && owner != found))
			return NULL;
		found = owner == NOBODY ? found : owner;
	}
	return found == NOBODY ? NULL : &rests->items[found];
}

const struct anim_rest *anim_rests_find_name(struct anim_rests *rests, const char *node)
{
	return find_named(rests, node, false);
}

const struct anim_rest *anim_rests_find_bone(struct anim_rests *rests, const char *node)
{
	return find_named(rests, node, true);
}

const struct anim_rest *anim_rests_find_either(struct anim_rests *tree, struct anim_rests *other, const char *root,
					       const char *node)
{
	const struct anim_rest *rest = anim_rests_find(tree, root, node);

	if (rest != NULL || other == NULL)
		return rest;
	rest = anim_rests_find(other, root, node);
	if (rest == NULL)
		rest = anim_rests_find_name(other, node);
	other->used = other->used || rest != NULL;
	return rest;
}

struct rests_sink {
	struct anim_sink sink;
	struct anim_rests *rests;
};

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_rests_add(((struct rests_sink *)sink)->rests, node, error);
}

struct anim_sink *anim_rests_sink_new(struct anim_rests *rests, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.node = on_node};
	struct rests_sink *collector = anim_sink_new(sizeof *collector, &ops, error);

	if (collector == NULL)
		return NULL;
	collector->rests = rests;
	return &collector->sink;
}

bool anim_rest_value(const struct anim_rest *rest, const struct anim_track *track, void *value)
{
	const struct anim_type_info *type = &anim_types[track->type];
	unsigned count = 3, first = track->component == ANIM_WHOLE ? 0 : track->component;
	const float *components = NULL;

	if (rest != NULL && strcmp(track->property, "position") == 0 && (rest->has & ANIM_HAS_POSITION)) {
		components = rest->position;
	} else if (rest != NULL && strcmp(track->property, "rotation") == 0 && (rest->has & ANIM_HAS_ROTATION)) {
		components = rest->rotation;
		count = 4;
	} else if (rest != NULL && strcmp(track->property, "scale") == 0 && (rest->has & ANIM_HAS_SCALE)) {
		components = rest->scale;
	}
	if (components == NULL || (track->flags & ANIM_REST_RELATIVE) || first + type->components > count ||
	    !anim_track_is_transform(track) || anim_track_is_placed(track))
		return false;
	for (unsigned i = 0; i < type->components; i++) {
		double wide = components[first + i];

		if (type->scalar == ANIM_SCALAR_F32)
			memcpy((float *)value + i, &components[first + i], sizeof(float));
		else if (type->scalar == ANIM_SCALAR_F64)
			memcpy((double *)value + i, &wide, sizeof wide);
		else
			return false;
	}
	return true;
}

bool anim_rest_is_reset(const struct anim_track *track)
{
	return track->rules == ANIM_RULES_GODOT4 && track->kind == ANIM_CURVE;
}

bool anim_rest_is_blanked(const struct anim_track *track)
{
	return anim_rest_is_reset(track) && track->type == ANIM_STRING &&
	       anim_attrs_get(&track->attrs, "literal") == NULL;
}

/* Get Variant::zero() of the engine, and the initial value of a 3-D track in its mixer. */
static void reset_value(const struct anim_track *track, void *value)
{
	const char *kind = anim_attrs_get(&track->attrs, "godot.type");
	const struct anim_type_info *type = &anim_types[track->type];
	bool scale = kind != NULL && strcmp(kind, "scale_3d") == 0;
	unsigned width = type->components == 16 ? 4 : type->components == 9 ? 3 : 2;
	double components[ANIM_COMPONENTS_MAX] = {0};

	for (unsigned i = 0; i < type->components; i++)
		components[i] = scale || (type->matrix && i % (width + 1) == 0);
	if (type->quaternion || track->type == ANIM_COLOR)
		components[3] = 1;
	anim_value_store(track->type, components, value);
}

bool anim_rest_recorded(const struct anim_track *track, void *value)
{
	const char *at = anim_attrs_get(&track->attrs, ANIM_ATTR_REST);
	double components[ANIM_COMPONENTS_MAX] = {0};

	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		at = at == NULL ? NULL : anim_number_double(at, at + strlen(at), &components[i]);
		if (at == NULL || track->type == ANIM_STRING)
			return false;
		at += *at == ' ';
	}
	anim_value_store(track->type, components, value);
	return true;
}

enum anim_filler anim_rest_filler(const struct anim_rest *rest, const struct anim_track *track, void *value)
{
	if (anim_rest_is_reset(track)) {
		if (strchr(track->node, ':') == NULL || !anim_rest_value(rest, track, value))
			reset_value(track, value);
		return ANIM_FILLER_RESET;
	}
	if (anim_rest_recorded(track, value) || anim_rest_value(rest, track, value))
		return ANIM_FILLER_REST;
	if (track->n == 0) {
		memset(value, 0, anim_types[track->type].size);
		return ANIM_FILLER_NONE;
	}
	memcpy(value, track->value, anim_types[track->type].size);
	return ANIM_FILLER_FIRST;
}

int anim_rest_report_reset(struct anim_diagnostics *diagnostics, const struct anim_track *track,
			   struct anim_error *error)
{
	return anim_diagnostics_track(diagnostics, track, error,
				      "all keys are past the end of the clip; Godot's default was used: the bone's "
				      "rest, or 0, no rotation, scale 1");
}
