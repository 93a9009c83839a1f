/* bind.c: order tracks for Resonite's Animator, which binds its fields to tracks by their numbers. */
#include "filter/bind.h"

#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/buffer.h"
#include "base/map.h"
#include "clip/resonite.h"
#include "clip/rules.h"
#include "filter/filter.h"
#include "stream/store.h"

#define LABEL_MAX 256u /* maximum bytes of a track's name in a message */
#define NONE UINT32_MAX

struct order {
	struct anim_filter filter;
	struct anim_diagnostics *diagnostics;
	size_t store_memory;
	struct anim_store *waiting; /* tracks of the current clip; NULL: none */
	struct anim_clip clip;      /* a copy */
	struct anim_arena arena;    /* of the clip */
	bool drop;
};

static bool binds(const char *property, enum anim_type type, uint8_t component)
{
	return anim_resonite_unbound(property, type, component) == NULL;
}

/* Write the waiting tracks after the clip's other tracks. */
static int order_finish(struct order *order, struct anim_error *error)
{
	size_t count = order->waiting == NULL ? 0 : anim_store_tracks(order->waiting, 0);
	struct anim_track track;
	uint64_t place = 0;

	for (size_t i = 0; i < count; i++)
		if (anim_store_next(order->waiting, &place, &track, error) != 0 ||
		    anim_sink_track(order->filter.next, &track, error) != 0)
			return -1;
	anim_store_free(order->waiting);
	order->waiting = NULL;
	return 0;
}

static int order_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct order *order = (struct order *)sink;

	return order_finish(order, error) != 0 ? -1 : anim_sink_tree(order->filter.next, tree, error);
}

static int order_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct order *order = (struct order *)sink;

	if (order_finish(order, error) != 0)
		return -1;
	anim_arena_reset(&order->arena);
	if (anim_clip_copy(&order->clip, clip, &order->arena, error) != 0)
		return -1;
	return anim_sink_clip(order->filter.next, clip, error);
}

static int order_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct order *order = (struct order *)sink;

	if (binds(track->property, track->type, track->component))
		return anim_sink_track(order->filter.next, track, error);
	if (order->drop) {
		anim_diagnostics_leave_out(order->diagnostics);
		return anim_diagnostics_track(
		    order->diagnostics, track, error,
		    "left out by " ANIM_OPTION("emit", "bindable") ": Resonite has no such field");
	}
	if (order->waiting == NULL) {
		order->waiting = anim_store_new_plain(order->store_memory, error);
		if (order->waiting == NULL || anim_sink_clip(anim_store_sink(order->waiting), &order->clip, error) != 0)
			return -1;
	}
	return anim_sink_track(anim_store_sink(order->waiting), track, error);
}

static int order_end(struct anim_sink *sink, struct anim_error *error)
{
	struct order *order = (struct order *)sink;

	return order_finish(order, error) != 0 ? -1 : anim_sink_end(order->filter.next, error);
}

static void order_free(struct anim_sink *sink)
{
	struct order *order = (struct order *)sink;

	anim_store_free(order->waiting);
	anim_arena_clear(&order->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_bind_order_new(bool drop, size_t store_memory, struct anim_diagnostics *diagnostics,
				      struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {order_tree, NULL,      order_clip, order_track,
						 NULL,       order_end, order_free};
	struct order *order = anim_filter_new(sizeof *order, &ops, next, error);

	if (order == NULL)
		return NULL;
	if (next->ops->node == NULL) /* the caller need not decode nodes */
		order->filter.ops.node = NULL;
	order->diagnostics = diagnostics;
	order->store_memory = store_memory;
	order->drop = drop;
	return &order->filter.sink;
}

/* A tree of the stream and its rest poses. */
struct bind_tree {
	struct anim_store *nodes;
	struct anim_rests rests;
	char *root_name;
};

/* A track of the common list. Tracks of the same name are linked by `next`, in the order of their clip. */
struct bind_slot {
	size_t clip, track; /* the first such track in the store */
	uint32_t next;      /* next with the same name; NONE: none */
	uint32_t pass, at;  /* only in the first of a name: the last pass with the name, and the slot used then */
	bool binds;
};

struct same {
	struct anim_sink sink, *next;
	struct anim_diagnostics *diagnostics;
	struct anim_rests *others;
	size_t store_memory;
	struct anim_store *store;      /* clips and tracks */
	struct anim_buffer trees;      /* struct bind_tree */
	struct anim_buffer clip_trees; /* uint32_t per clip: its tree, NONE: none */
	struct anim_buffer slots;      /* struct bind_slot */
	struct anim_buffer taken;      /* uint32_t per slot: its track in the current clip, NONE: missing */
	struct anim_map rows;          /* name -> first slot with it */
	struct anim_arena kept, scratch;
	uint32_t pass;
};

static struct bind_slot *slot_at(const struct same *same, size_t i)
{
	return (struct bind_slot *)(void *)same->slots.data + i;
}

static size_t slot_count(const struct same *same)
{
	return same->slots.size / sizeof(struct bind_slot);
}

static struct bind_tree *tree_of(const struct same *same, size_t clip)
{
	uint32_t tree = ((const uint32_t *)(const void *)same->clip_trees.data)[clip];

	return tree == NONE ? NULL : (struct bind_tree *)(void *)same->trees.data + tree;
}

static void names_of(const struct same *same, size_t clip, struct anim_resonite_names *names)
{
	const struct bind_tree *tree = tree_of(same, clip);

	anim_resonite_names_init(names, anim_store_clip(same->store, clip), tree == NULL ? NULL : tree->root_name);
}

/*
 * Return the name that identifies a track: Resonite's node and property, and the type. In the arena. Returns NULL if
 * out of memory.
 */
static const char *name_of(const struct same *same, size_t clip, const struct anim_store_track *track,
			   struct anim_arena *arena, size_t *length, struct anim_error *error)
{
	struct anim_resonite_names names;
	const char *node, *property;
	size_t a, b;
	char *name;

	names_of(same, clip, &names);
	node = anim_resonite_node(&names, track->node, track->bone, arena, error);
	property = anim_resonite_property(track->property, track->component, arena, error);
	if (node == NULL || property == NULL)
		return NULL;
	a = strlen(node) + 1;
	b = strlen(property) + 1;
	*length = a + b + 1;
	name = anim_arena_alloc(arena, *length, error);
	if (name == NULL)
		return NULL;
	memcpy(name, node, a);
	memcpy(name + a, property, b);
	name[a + b] = (char)track->type;
	return name;
}

/*
 * Add a slot for a track with a new name, or for another track with the same name in its clip. Returns its number, or
 * NONE if out of memory.
 */
static uint32_t add_slot(struct same *same, size_t clip, size_t number, struct anim_error *error)
{
	const struct anim_store_track *track = anim_store_track_at(same->store, clip, number);
	struct bind_slot slot = {.clip = clip,
				 .track = number,
				 .next = NONE,
				 .pass = same->pass,
				 .at = (uint32_t)slot_count(same),
				 .binds = binds(track->property, track->type, track->component)};

	return anim_buffer_append(&same->slots, &slot, sizeof slot, error) != 0 ? NONE : slot.at;
}

/*
 * Return the slot of the next track with this name in this pass. Adds it if necessary. Returns NONE if out of memory.
 */
static uint32_t find_slot(struct same *same, size_t clip, size_t number, struct anim_error *error)
{
	const struct anim_store_track *track = anim_store_track_at(same->store, clip, number);
	uint32_t first, slot;
	size_t length;
	const char *name;

	anim_arena_reset(&same->scratch);
	name = name_of(same, clip, track, &same->scratch, &length, error);
	if (name == NULL)
		return NONE;
	if (!anim_map_get(&same->rows, 0, name, length, &first)) {
		name = name_of(same, clip, track, &same->kept, &length, error);
		first = name == NULL ? NONE : add_slot(same, clip, number, error);
		if (first == NONE || anim_map_put(&same->rows, 0, name, length, first, error) != 0)
			return NONE;
		return first;
	}
	slot = first;
	if (slot_at(same, first)->pass == same->pass) {
		uint32_t before = slot_at(same, first)->at;

		slot = slot_at(same, before)->next;
		if (slot == NONE) {
			slot = add_slot(same, clip, number, error);
			if (slot == NONE)
				return NONE;
			slot_at(same, before)->next = slot;
		}
	}
	slot_at(same, first)->pass = same->pass;
	slot_at(same, first)->at = slot;
	return slot;
}

/* Writers leave these tracks out, so they have no number. */
static bool is_left_out(const struct anim_store_track *track)
{
	return track->n == 0 || (track->flags & ANIM_DISABLED) != 0;
}

static int same_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct same *same = (struct same *)sink;
	struct bind_tree kept = {.nodes = anim_store_new(same->store_memory, error)};

	if (kept.nodes == NULL)
		return -1;
	kept.root_name = anim_arena_text(&same->kept, tree->root_name, strlen(tree->root_name), error);
	if (kept.root_name == NULL || anim_buffer_append(&same->trees, &kept, sizeof kept, error) != 0) {
		anim_store_free(kept.nodes);
		return -1;
	}
	return anim_sink_tree(anim_store_sink(kept.nodes), tree, error);
}

static int same_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct same *same = (struct same *)sink;
	struct bind_tree *tree = (struct bind_tree *)(void *)(same->trees.data + same->trees.size) - 1;

	if (anim_rests_add(&tree->rests, node, error) != 0)
		return -1;
	return anim_sink_node(anim_store_sink(tree->nodes), node, error);
}

static int same_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct same *same = (struct same *)sink;
	uint32_t tree = (uint32_t)(same->trees.size / sizeof(struct bind_tree)) - 1;

	if (same->trees.size == 0 || (clip->flags & ANIM_IN_TREE) == 0)
		tree = NONE;
	same->pass++;
	if (anim_buffer_append(&same->clip_trees, &tree, sizeof tree, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(same->store), clip, error);
}

static int same_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct same *same = (struct same *)sink;
	size_t clip = anim_store_clips(same->store) - 1, number = anim_store_tracks(same->store, clip);

	if (anim_sink_track(anim_store_sink(same->store), track, error) != 0)
		return -1;
	if (is_left_out(anim_store_track_at(same->store, clip, number)))
		return 0;
	return find_slot(same, clip, number, error) == NONE ? -1 : 0;
}

/* Find the rest value in the trees that have the node, first in this clip's own tree. */
static bool find_rest(struct same *same, size_t clip, const struct bind_slot *slot, const struct anim_track *like,
		      void *value)
{
	const size_t clips[] = {clip, slot->clip};

	for (size_t i = 0; i < 2; i++) {
		const char *root = anim_store_clip(same->store, clips[i])->root;
		struct bind_tree *tree = tree_of(same, clips[i]);
		const struct anim_rest *rest;

		if (tree == NULL)
			continue;
		rest = anim_rests_find(&tree->rests, root, like->node);
		if (rest == NULL)
			rest = anim_rests_find_name(&tree->rests, like->node);
		if (anim_rest_value(rest, like, value))
			return true;
	}
	return same->others != NULL &&
	       anim_rest_value(anim_rests_find_either(same->others, same->others, ".", like->node), like, value);
}

/* Add a track of one key for a track that the clip lacks. */
static int add_rest(struct same *same, size_t clip, const struct bind_slot *slot, struct anim_error *error)
{
	const struct anim_store_track *like = anim_store_track_at(same->store, slot->clip, slot->track);
	const float time_s = anim_store_clip(same->store, clip)->start_s;
	const uint32_t null = ANIM_NULL_STRING;
	const uint64_t start = 0;
	const struct anim_strings strings = {.length = &null, .start = &start, .bytes = ""};
	union {
		uint8_t bytes[ANIM_VALUE_MAX];
		double aligned;
	} value = {{0}};
	struct anim_track track = {.kind = anim_type_is_real(like->type) ? ANIM_CURVE : ANIM_DISCRETE,
				   .type = like->type,
				   .rules = ANIM_RULES_RESONITE,
				   .node = like->node,
				   .property = like->property,
				   .component = like->component,
				   .interp = anim_type_is_real(like->type) ? ANIM_LINEAR : ANIM_HOLD,
				   .n = 1,
				   .time = &time_s};

	anim_arena_reset(&same->scratch);
	if (!find_rest(same, clip, slot, &track, value.bytes)) {
		/* Set the default value of a track without a known rest pose, and warn. */
		static const float rotation[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
		char label[LABEL_MAX];

		if (binds(like->property, like->type, like->component)) {
			if (like->type == ANIM_FLOATQ)
				memcpy(value.bytes, rotation, sizeof rotation);
			else if (like->type == ANIM_BOOL)
				value.bytes[0] = 1;
			else if (strcmp(like->property, "scale") == 0)
				memcpy(value.bytes, scale, sizeof scale);
		}
		anim_track_label(&track, label, sizeof label);
		if (anim_diagnostics_warn(
			same->diagnostics, "track", error,
			"'%s' (missing in clip '%s'): added with a default value (0, no rotation, scale 1, visible) "
			"because the rest pose is unknown; set it with " ANIM_OPTION_TO("bake", "rest", "FILE"),
			label, anim_store_clip(same->store, clip)->name) != 0)
			return -1;
	}

	/*
	 * The node's path in this clip that is written as the same name as in the other clip, for a track without
	 * attributes.
	 */
	struct anim_resonite_names there, here;
	const char *wanted, *got;

	names_of(same, slot->clip, &there);
	names_of(same, clip, &here);
	wanted = anim_resonite_node(&there, like->node, like->bone, &same->scratch, error);
	got = anim_resonite_node(&here, like->node, false, &same->scratch, error);
	if (wanted == NULL || got == NULL)
		track.node = NULL;
	else
		track.node = strcmp(wanted, got) == 0 ? like->node : anim_resonite_node_read(wanted);

	if (track.node == NULL)
		return -1;
	if (track.type == ANIM_STRING)
		track.strings = &strings;
	else
		track.value = value.bytes;
	return anim_sink_track(same->next, &track, error);
}

static int pass_track(struct same *same, size_t clip, size_t number, struct anim_error *error)
{
	struct anim_track track;

	if (anim_store_read(same->store, clip, number, &track, error) != 0)
		return -1;
	return anim_sink_track(same->next, &track, error);
}

/* Write the slots that bind, or the others. */
static int write_slots(struct same *same, size_t clip, bool bind, struct anim_error *error)
{
	const uint32_t *taken = (const uint32_t *)(const void *)same->taken.data;

	for (size_t i = 0; i < slot_count(same); i++) {
		const struct bind_slot *slot = slot_at(same, i);

		if (slot->binds != bind)
			continue;
		if ((taken[i] == NONE ? add_rest(same, clip, slot, error) : pass_track(same, clip, taken[i], error)) !=
		    0)
			return -1;
	}
	return 0;
}

static int write_clip(struct same *same, size_t clip, const struct bind_tree **last, struct anim_error *error)
{
	const struct bind_tree *tree = tree_of(same, clip);

	if (tree != NULL && tree != *last) {
		if (anim_store_replay_trees(tree->nodes, same->next, error) != 0)
			return -1;
		*last = tree;
	}
	if (anim_sink_clip(same->next, anim_store_clip(same->store, clip), error) != 0)
		return -1;

	/* Find the slot of each track of the clip. */
	size_t count = slot_count(same);
	uint32_t *taken;

	same->taken.size = 0;
	taken = anim_buffer_extend(&same->taken, count * sizeof *taken, error);
	if (taken == NULL)
		return -1;
	memset(taken, 0xff, count * sizeof *taken);
	same->pass++;
	for (size_t i = 0; i < anim_store_tracks(same->store, clip); i++) {
		uint32_t slot;

		if (is_left_out(anim_store_track_at(same->store, clip, i)))
			continue;
		slot = find_slot(same, clip, i, error);
		if (slot == NONE)
			return -1;
		taken[slot] = (uint32_t)i;
	}
	if (write_slots(same, clip, true, error) != 0 || write_slots(same, clip, false, error) != 0)
		return -1;

	for (size_t i = 0; i < anim_store_tracks(same->store, clip); i++)
		if (is_left_out(anim_store_track_at(same->store, clip, i)) && pass_track(same, clip, i, error) != 0)
			return -1;
	return 0;
}

static int same_end(struct anim_sink *sink, struct anim_error *error)
{
	struct same *same = (struct same *)sink;
	const struct bind_tree *last = NULL;

	for (size_t i = 0; i < anim_store_clips(same->store); i++)
		if (write_clip(same, i, &last, error) != 0)
			return -1;
	for (size_t i = 0; i < same->trees.size / sizeof(struct bind_tree); i++)
		if (anim_rests_check(&((struct bind_tree *)(void *)same->trees.data)[i].rests, error) != 0)
			return -1;
	return anim_sink_end(same->next, error);
}

static void same_free(struct anim_sink *sink)
{
	struct same *same = (struct same *)sink;

	for (size_t i = 0; i < same->trees.size / sizeof(struct bind_tree); i++) {
		struct bind_tree *tree = (struct bind_tree *)(void *)same->trees.data + i;

		anim_store_free(tree->nodes);
		anim_rests_clear(&tree->rests);
	}
	anim_buffer_clear(&same->trees);
	anim_buffer_clear(&same->clip_trees);
	anim_buffer_clear(&same->slots);
	anim_buffer_clear(&same->taken);
	anim_map_clear(&same->rows);
	anim_arena_clear(&same->kept);
	anim_arena_clear(&same->scratch);
	anim_store_free(same->store);
	anim_sink_free(same->next);
	free(same);
}

struct anim_sink *anim_bind_same_new(struct anim_rests *others, size_t store_memory,
				     struct anim_diagnostics *diagnostics, struct anim_sink *next,
				     struct anim_error *error)
{
	static const struct anim_sink_ops ops = {same_tree, same_node, same_clip, same_track,
						 NULL,      same_end,  same_free};
	struct same *same = anim_zeroed(sizeof *same, error);

	if (same == NULL) {
		anim_sink_free(next);
		return NULL;
	}
	*same = (struct same){
	    .sink.ops = &ops, .next = next, .diagnostics = diagnostics, .others = others, .store_memory = store_memory};
	same->store = anim_store_new(store_memory, error);
	if (same->store == NULL) {
		same_free(&same->sink);
		return NULL;
	}
	return &same->sink;
}
