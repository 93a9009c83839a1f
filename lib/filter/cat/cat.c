/* cat.c: combines several streams: their records one after another, or their clips joined. */
#include "filter/cat/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/buffer.h"
#include "base/map.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/clips.h"
#include "filter/common/components.h"
#include "filter/convert/convert.h"
#include "filter/filter.h"
#include "filter/retime/retime.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "stream/record.h"
#include "stream/store.h"

/*
 * The identity of each track of a group: node, property, component, and how many tracks with these came before it in
 * the clip.
 */
struct anim_join_identities {
	uint32_t **of; /* of[part][track] is its identity */
	size_t count;  /* number of identities, numbered in the order of their first tracks */
	struct anim_arena arena;
};

/* --- Several streams, read one after another, as one stream --- */

struct cat {
	struct anim_filter filter;
	struct anim_buffer chain;    /* the prog records of the current input, with unknown records among them */
	struct anim_text_set chains; /* chains that were passed on */
	/* The current TREE with its NODEs and the unknown records among them, and the TREE that was passed on last. */
	struct anim_buffer tree, last_tree;
	struct anim_arena arena; /* of a record that is passed on */
};

static int append(struct anim_buffer *buffer, const struct anim_record *record, struct anim_error *error)
{
	return anim_buffer_append(buffer, record->bytes, record->size, error);
}

static int pass_record(struct cat *cat, const struct anim_record *record, uint32_t *nodes, struct anim_error *error)
{
	struct anim_sink *sink = &cat->filter.sink;
	struct anim_tree tree;
	struct anim_node node;

	anim_arena_reset(&cat->arena);
	if (memcmp(record->tag, "TREE", 4) == 0) {
		if (anim_record_tree(record, &tree, &cat->arena, error) != 0)
			return -1;
		return anim_filter_tree(sink, &tree, error);
	}
	if (memcmp(record->tag, "NODE", 4) == 0) {
		if (anim_record_node(record, (*nodes)++, &node, &cat->arena, error) != 0)
			return -1;
		return anim_filter_node(sink, &node, error);
	}
	return anim_filter_record(sink, record, error);
}

/* Pass on all records of a buffer. */
static int pass_all(struct cat *cat, const struct anim_buffer *buffer, struct anim_error *error)
{
	struct anim_record record;
	uint32_t nodes = 0;

	for (size_t at = 0; at < buffer->size; at += record.size) {
		anim_record_at(buffer->data + at, at, &record);
		if (pass_record(cat, &record, &nodes, error) != 0)
			return -1;
	}
	return 0;
}

static bool is_last_again(const struct cat *cat)
{
	return cat->tree.size == cat->last_tree.size &&
	       memcmp(cat->tree.data, cat->last_tree.data, cat->tree.size) == 0;
}

static int pass_held(struct cat *cat, struct anim_error *error)
{
	int is_new =
	    cat->chain.size == 0 ? 0 : anim_text_set_add(&cat->chains, cat->chain.data, cat->chain.size, error);
	struct anim_buffer passed;

	if (is_new < 0 || (is_new > 0 && pass_all(cat, &cat->chain, error) != 0))
		return -1;
	cat->chain.size = 0;
	passed = cat->tree;
	if (passed.size == 0)
		return 0;
	if (!is_last_again(cat) && pass_all(cat, &cat->tree, error) != 0)
		return -1;
	cat->tree = cat->last_tree;
	cat->tree.size = 0;
	cat->last_tree = passed;
	return 0;
}

static int cat_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct cat *cat = (struct cat *)sink;

	if (pass_held(cat, error) != 0)
		return -1;
	return tree->record != NULL ? append(&cat->tree, tree->record, error)
				    : anim_encode_tree(&cat->tree, tree, error);
}

/* The node number is used only to check the parent. The bytes come from the record, or are encoded here. */
static int cat_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct cat *cat = (struct cat *)sink;
	uint32_t number = node->parent == ANIM_NO_PARENT ? 0 : node->parent + 1;

	return node->record != NULL ? append(&cat->tree, node->record, error)
				    : anim_encode_node(&cat->tree, node, number, error);
}

static int cat_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return pass_held((struct cat *)sink, error) != 0 ? -1 : anim_filter_clip(sink, clip, error);
}

static int cat_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct cat *cat = (struct cat *)sink;

	if (memcmp(record->tag, "prog", 4) == 0 || cat->chain.size > 0)
		return append(&cat->chain, record, error);
	return cat->tree.size > 0 ? append(&cat->tree, record, error) : anim_filter_record(sink, record, error);
}

static int cat_end(struct anim_sink *sink, struct anim_error *error)
{
	return pass_held((struct cat *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void cat_free(struct anim_sink *sink)
{
	struct cat *cat = (struct cat *)sink;

	anim_buffer_clear(&cat->chain);
	anim_buffer_clear(&cat->tree);
	anim_buffer_clear(&cat->last_tree);
	anim_text_set_clear(&cat->chains);
	anim_arena_clear(&cat->arena);
	anim_filter_free(sink);
}

int anim_cat_begin(struct anim_sink *sink, struct anim_error *error)
{
	return pass_held((struct cat *)sink, error);
}

struct anim_sink *anim_cat_new(struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {cat_tree, cat_node, cat_clip, NULL, cat_record, cat_end, cat_free};
	struct cat *cat = anim_filter_new(sizeof *cat, &ops, next, error);

	return cat == NULL ? NULL : &cat->filter.sink;
}

/* --- Trees that are kept, and merged by the paths of their nodes --- */

static int grow(struct anim_kept_tree *tree, struct anim_error *error)
{
	size_t capacity = tree->capacity == 0 ? 16 : tree->capacity * 2, bytes;
	struct anim_node *moved;

	if (tree->count < tree->capacity)
		return 0;
	if (tree->count >= ANIM_NO_PARENT)
		return anim_fail(error, ANIM_TOO_LARGE, "the merged tree has too many nodes");
	if (anim_size_multiply(capacity, sizeof *moved, &bytes, error) != 0)
		return -1;
	moved = realloc(tree->nodes, bytes);
	if (moved == NULL)
		return anim_fail_memory(error);
	tree->nodes = moved;
	tree->capacity = capacity;
	return 0;
}

/* Add a node. Its texts must outlive the tree. */
static int add(struct anim_kept_tree *tree, const struct anim_node *node, struct anim_error *error)
{
	uint32_t number;

	if (grow(tree, error) != 0)
		return -1;
	tree->nodes[tree->count] = *node;
	if (!anim_map_get(&tree->numbers, 0, node->path, strlen(node->path), &number) &&
	    anim_map_put(&tree->numbers, 0, node->path, strlen(node->path), (uint32_t)tree->count, error) != 0)
		return -1;
	tree->count++;
	return 0;
}

static bool is_same_place(const struct anim_node *a, const struct anim_node *b)
{
	return a->has == b->has && memcmp(a->position, b->position, sizeof a->position) == 0 &&
	       memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0 &&
	       memcmp(a->scale, b->scale, sizeof a->scale) == 0;
}

/*
 * Find or add node i of `from` and set numbers[i] to its number in `to`. Parents come before children, so the parent's
 * number is known.
 */
static int unite_node(struct anim_kept_tree *to, const struct anim_kept_tree *from, size_t i, uint32_t *numbers,
		      size_t *differ, struct anim_error *error)
{
	struct anim_node node = from->nodes[i];

	if (anim_map_get(&to->numbers, 0, node.path, strlen(node.path), &numbers[i])) {
		*differ += !is_same_place(&to->nodes[numbers[i]], &node);
		return 0;
	}
	numbers[i] = (uint32_t)to->count;
	if (to->count > 0)
		node.parent = node.parent == ANIM_NO_PARENT ? 0 : numbers[node.parent];
	return add(to, &node, error);
}

/*
 * Add the nodes of `from` whose paths are not in `to` (texts are shared). *differ is the number of nodes that are in
 * both with a different position, rotation or scale. For these, `to` stays unchanged. If `from` was also the last tree
 * to be merged, nothing is done. Returns 0 or -1.
 */
static int kept_tree_unite(struct anim_kept_tree *to, const struct anim_kept_tree *from, size_t *differ,
			   struct anim_error *error)
{
	uint32_t *numbers;
	int result = 0;

	*differ = 0;
	if (to->united == from && to->united_count == from->count)
		return 0;
	numbers = calloc(from->count + 1, sizeof *numbers);
	if (numbers == NULL)
		return anim_fail_memory(error);
	to->united = from;
	to->united_count = from->count;
	for (size_t i = 0; i < from->count && result == 0; i++)
		result = unite_node(to, from, i, numbers, differ, error);
	free(numbers);
	return result;
}

static int kept_tree_replay(const struct anim_kept_tree *tree, struct anim_sink *sink, struct anim_error *error)
{
	if (anim_sink_tree(sink, &tree->head, error) != 0)
		return -1;
	for (size_t i = 0; i < tree->count; i++)
		if (anim_sink_node(sink, &tree->nodes[i], error) != 0)
			return -1;
	return 0;
}

/* --- Which tracks of several clips are the same track --- */

/* A name of tracks. Tracks of a clip with the same node, property and component differ by their order. */
struct track_name {
	size_t part, seen; /* number of such tracks so far in the current part */
	uint32_t *numbers; /* identity of the first, second ... track; in the arena */
	size_t capacity;
};

struct identity_work {
	struct anim_join_identities *identities;
	struct anim_map names;   /* "node\0property" in the scope of its component -> number of the name */
	struct track_name *name; /* one for each name */
	size_t name_capacity;
	struct anim_error *error;
};

static void *grown(struct anim_arena *arena, const void *old, size_t count, size_t size, struct anim_error *error)
{
	void *moved = anim_arena_zeroed(arena, 2 * count + 4, size, error);

	if (moved != NULL && count > 0)
		memcpy(moved, old, count * size);
	return moved;
}

static struct track_name *name_of(struct identity_work *work, const struct anim_store_track *track)
{
	struct anim_arena *arena = &work->identities->arena;
	size_t length;
	char *key = anim_key_join(arena, (const char *const[]){track->node, track->property}, 2, &length, work->error);
	uint32_t number;

	if (key == NULL)
		return NULL;
	if (anim_map_get(&work->names, track->component, key, length, &number))
		return &work->name[number];
	number = (uint32_t)work->names.count;
	if (number == work->name_capacity) {
		work->name = grown(arena, work->name, work->name_capacity, sizeof *work->name, work->error);
		work->name_capacity = 2 * work->name_capacity + 4;
	}
	if (work->name == NULL || anim_map_put(&work->names, track->component, key, length, number, work->error) != 0)
		return NULL;
	return &work->name[number];
}

static int identify(struct identity_work *work, const struct anim_store_track *track, size_t part, uint32_t *identity)
{
	struct track_name *name = name_of(work, track);
	size_t at;

	if (name == NULL)
		return -1;
	if (name->part != part + 1)
		name->seen = 0;
	name->part = part + 1;
	at = name->seen++;
	if (at >= name->capacity) {
		name->numbers =
		    grown(&work->identities->arena, name->numbers, name->capacity, sizeof *name->numbers, work->error);
		if (name->numbers == NULL)
			return -1;
		name->capacity = 2 * name->capacity + 4;
	}
	if (name->numbers[at] == 0)
		name->numbers[at] = (uint32_t)++work->identities->count;
	*identity = name->numbers[at] - 1;
	return 0;
}

static int identify_all(struct identity_work *work, const struct anim_store *store, const struct anim_join_group *group)
{
	struct anim_join_identities *identities = work->identities;
	size_t number = 0;

	identities->of = anim_arena_zeroed(&identities->arena, group->count, sizeof *identities->of, work->error);
	if (identities->of == NULL)
		return -1;
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, number++) {
		size_t count = anim_store_tracks(store, part->clip);
		uint32_t *of = anim_arena_zeroed(&identities->arena, count + 1, sizeof *of, work->error);

		identities->of[number] = of;
		for (size_t i = 0; of != NULL && i < count; i++)
			if (identify(work, anim_store_track_at(store, part->clip, i), number, &of[i]) != 0)
				return -1;
		if (of == NULL)
			return -1;
	}
	return 0;
}

static int join_identify(struct anim_join_identities *identities, const struct anim_store *store,
			 const struct anim_join_group *group, struct anim_error *error)
{
	struct identity_work work = {.identities = identities, .error = error};
	int result;

	memset(identities, 0, sizeof *identities);
	result = identify_all(&work, store, group);
	anim_map_clear(&work.names);
	return result;
}

static void join_identities_clear(struct anim_join_identities *identities)
{
	anim_arena_clear(&identities->arena);
	memset(identities, 0, sizeof *identities);
}

/* ======== The tracks of several clips one after another in time ======== */

/* Largest distance of a join of Raw tracks from a frame, in frames. */
#define FRAME_SLACK 0.01
/*
 * Up to this number of samples may be made by repeating a sample. Above it, at least half of the samples must be
 * original.
 */
#define SAMPLES_FREE ((size_t)1 << 20)

/* A track that grows with each part of a group. */
struct growing {
	struct anim_join_work *work;
	const struct anim_clip *clip; /* of the current part */
	const struct anim_join_part *part;
	struct anim_track head;  /* of the first part that has the track; texts in the work's arena */
	struct anim_track track; /* of the current part */
	struct anim_keys keys;
	struct anim_cutter *cutter;
	bool any, continues; /* there was a part; a later part also has the track */
	bool cubic, slopes;  /* of the current part: its modes depend on neighbour keys; it has slopes or handles */
	double seam[ANIM_COMPONENTS_MAX]; /* for samples: the value at the end of the part before */
};

static int fail_track(const struct growing *growing, const char *what, const char *way, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;

	return anim_fail(error, ANIM_UNSUPPORTED, "track '%.100s %.100s' of clip '%.60s' in %.60s %s; %s", track->node,
			 track->property, growing->clip->name, growing->part->file, what, way);
}

static int keep_head(struct growing *growing, struct anim_error *error)
{
	struct anim_arena *arena = &growing->work->arena;
	const struct anim_track *track = &growing->track;

	growing->any = true;
	growing->head = *track;
	if (anim_text_keep(&growing->head.node, arena, error) != 0 ||
	    anim_text_keep(&growing->head.property, arena, error) != 0 ||
	    anim_attrs_keep(&growing->head.attrs, arena, error) != 0)
		return -1;
	anim_keys_reset(&growing->keys, track->type);
	return 0;
}

/* Check that the units and the reference of the numbers are the same. Samples keep those of their source. */
static int check_units(const struct growing *growing, struct anim_error *error)
{
	const struct anim_track *head = &growing->head, *track = &growing->track;
	int orders[2] = {anim_track_order(head), anim_track_order(track)};
	unsigned other = (unsigned)(head->flags ^ track->flags);
	bool euler = strcmp(track->property, "euler") == 0 && track->component == ANIM_WHOLE;
	const char *way = euler ? ANIM_ADVICE(BAKE_BOTH) : ANIM_ADVICE(SAME_UNITS);
	char what[96];

	if (other & ANIM_REST_RELATIVE)
		return fail_track(growing,
				  (track->flags & ANIM_REST_RELATIVE) != 0
				      ? "is relative to its rest pose, but not in the previous clip"
				      : "is not relative to its rest pose, but it is in the previous clip",
				  ANIM_ADVICE(BAKE_BOTH), error);
	if (other & ANIM_DEGREES)
		return fail_track(growing,
				  (track->flags & ANIM_DEGREES) != 0
				      ? "is in degrees, but in radians in the previous clip"
				      : "is in radians, but in degrees in the previous clip",
				  way, error);
	if (other & ANIM_PERCENT)
		return fail_track(growing,
				  (track->flags & ANIM_PERCENT) != 0
				      ? "is in percent, but not in the previous clip"
				      : "is not in percent, but it is in the previous clip",
				  way, error);
	if (!euler || orders[0] == orders[1])
		return 0;
	snprintf(what, sizeof what, "has Euler angles in the order %s, but %s in the previous clip",
		 anim_euler_order_names[orders[1]], anim_euler_order_names[orders[0]]);
	return fail_track(growing, what, way, error);
}

/* Check that all properties which decide how a player reads the keys are the same in all parts. */
static int check_like(const struct growing *growing, struct anim_error *error)
{
	const struct anim_track *head = &growing->head, *track = &growing->track;
	static const char way[] = ANIM_ADVICE(MAKE_EQUAL);

	if (head->kind != track->kind)
		return fail_track(growing, "is of another kind (curve, samples or steps) than in the previous clip",
				  way, error);
	if (head->type != track->type)
		return fail_track(growing, "has another value type than in the previous clip", way, error);
	if (head->rules != track->rules && head->kind == ANIM_CURVE)
		return fail_track(growing,
				  "has the interpolation rules of one engine here and of another in the previous clip; "
				  "resample both first",
				  way, error);
	return check_units(growing, error);
}

static double seam_before(const struct growing *growing)
{
	return (double)growing->clip->start_s + growing->part->shift_s;
}

static double seam_after(const struct growing *growing)
{
	return (double)growing->clip->end_s + growing->part->shift_s;
}

/*
 * Add key k again at time_s, which is not shifted, with slopes and handles of 0. Between two such keys of one value the
 * curve is constant in every mode. Beside such a key, a cubic segment has the same neighbour as at the end of its
 * track.
 */
static int add_rest(struct growing *growing, size_t k, double time_s, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	struct anim_text text;

	return anim_keys_add(&growing->keys, (float)time_s, anim_value_at(track, k, &text), anim_track_interp(track, k),
			     error);
}

/* Add a key where two clips join, twice if cubics depend on the keys beyond it. */
static int rest_at_seam(struct growing *growing, size_t k, double time_s, struct anim_error *error)
{
	if (growing->cubic && add_rest(growing, k, time_s, error) != 0)
		return -1;
	return add_rest(growing, k, time_s, error);
}

/*
 * The value is constant from the start of the clip to the part's first key. Keys of earlier parts must not bend its
 * first segment.
 */
static int open_curve(struct growing *growing, size_t k, struct anim_error *error)
{
	double first_s = (double)growing->track.time[k] + growing->part->shift_s;
	bool late = (float)first_s > (float)seam_before(growing);

	if (late && rest_at_seam(growing, k, seam_before(growing), error) != 0)
		return -1;
	if (growing->cubic || (late && growing->slopes))
		return add_rest(growing, k, first_s, error);
	return 0;
}

/*
 * The value is constant from the part's last key to the end of the clip. Keys of later parts must not bend its last
 * segment.
 */
static int close_curve(struct growing *growing, size_t k, struct anim_error *error)
{
	double last_s = (double)growing->track.time[k] + growing->part->shift_s;
	bool early = (float)last_s < (float)seam_after(growing);

	if ((growing->cubic || (early && growing->slopes)) && add_rest(growing, k, last_s, error) != 0)
		return -1;
	if (early && anim_track_interp(&growing->track, k) != ANIM_HOLD)
		return rest_at_seam(growing, k, seam_after(growing), error);
	return 0;
}

/* Godot's player ignores keys after the clip's end, except for those of bezier tracks. */
static bool ends_with_clip(const struct anim_track *track)
{
	return anim_rules_are_godot(track->rules) && !anim_track_has_interp(track, ANIM_BEZIER_2D);
}

/* Find the clip's keys: *from to *to - 1. */
static void find_span(const struct growing *growing, size_t *from, size_t *to)
{
	const struct anim_track *track = &growing->track;

	*from = 0;
	*to = track->n;
	while (*to > 0 && track->time[*to - 1] > growing->clip->end_s)
		--*to;
	while (*from < *to && track->time[*from] < growing->clip->start_s)
		++*from;
}

static bool repeats(const struct anim_track *track, uint8_t ends)
{
	return track->n > 1 && (ends == ANIM_EXTRAPOLATION_LOOP || ends == ANIM_EXTRAPOLATION_PINGPONG);
}

/* Return whether Godot interpolates across the end of the loop, from the last key in the clip to the first one. */
static bool wraps(const struct growing *growing)
{
	const struct anim_track *track = &growing->track;

	return track->n > 1 && growing->clip->loop != ANIM_LOOP_NONE && (track->flags & ANIM_LOOP_WRAP_KEYS) != 0 &&
	       ends_with_clip(track);
}

/*
 * Return whether the clip's own keys, with constant values before the first and after the last, differ from the
 * animation that the track shows.
 */
static bool needs_cut(const struct growing *growing)
{
	const struct anim_track *track = &growing->track;
	size_t from, to;

	find_span(growing, &from, &to);
	if (from > 0 || (to < track->n && (to == 0 || !ends_with_clip(track))))
		return true;
	if (!wraps(growing) && !repeats(track, track->pre) && !repeats(track, track->post))
		return false;
	return from == to || track->time[from] > growing->clip->start_s || track->time[to - 1] < growing->clip->end_s;
}

/* Replace a track with keys outside its clip, or with repeats in it, by the animation that it shows in its clip. */
static int cut_to_clip(struct growing *growing, struct anim_error *error)
{
	struct anim_track track = growing->track;
	bool rotation = anim_types[track.type].quaternion;
	const struct anim_cut_range range = {
	    growing->clip, {growing->clip->start_s, growing->clip->end_s}, ANIM_TOLERANCE, .unroll = true};
	double worst;

	track.record = NULL;
	if (anim_cutter_cut(growing->cutter, &range, &track, &growing->track, &worst, error) != 0)
		return -1;
	if (worst < 0)
		return 0;
	return anim_diagnostics_add_error(growing->work->diagnostics, rotation ? "rotation" : "curve", worst,
					  rotation ? "degrees" : "units", error,
					  "'%.100s %.100s' in %.100s: approximated at the ends of the clip", track.node,
					  track.property, growing->part->file);
}

static int add_curve(struct growing *growing, bool first, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	size_t from, to;

	if (needs_cut(growing) && cut_to_clip(growing, error) != 0)
		return -1;
	find_span(growing, &from, &to);
	growing->slopes = track->left != NULL;
	growing->cubic = false;
	for (size_t k = 0; k < track->n && !growing->cubic; k++)
		growing->cubic = anim_interp_is_cubic(anim_track_interp(track, k));
	/* The columns must exist before keys are added that the source does not have. */
	if (anim_keys_add_part(&growing->keys, track, 0, 0, 0, error) != 0 || from == to)
		return from == to ? 0 : -1;
	if (!first && growing->keys.n > 0 && open_curve(growing, from, error) != 0)
		return -1;
	if (anim_keys_add_part(&growing->keys, track, from, to - from, growing->part->shift_s, error) != 0)
		return -1;
	return growing->continues ? close_curve(growing, to - 1, error) : 0;
}

/*
 * The value that a Discrete track has at its clip's start is set there. Events only happen at their time, so they are
 * not repeated.
 */
static int add_discrete(struct growing *growing, bool first, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	bool event = anim_track_is_event(track), late;
	size_t from, to, at;

	find_span(growing, &from, &to);
	late = from < track->n && track->time[from] > growing->clip->start_s;
	at = from > 0 ? from - 1 : 0;
	if (!event && track->n > 0 && (late || from == track->n) &&
	    (from > 0 || (!first && track->pre == ANIM_EXTRAPOLATION_HOLD)) &&
	    add_rest(growing, at, seam_before(growing), error) != 0)
		return -1;
	return anim_keys_add_part(&growing->keys, track, from, to - from, growing->part->shift_s, error);
}

/* Return the frame of a time in the joined track, or -1 if it is not at a frame. */
static double frame_of(const struct growing *growing, double time_s)
{
	const struct anim_track *head = &growing->head;
	double rate_hz = head->rate_num != 0 ? (double)head->rate_num / (double)head->rate_den : 1 / head->step_s;
	double frame = (time_s - head->start_s) * rate_hz;

	return fabs(frame - rint(frame)) <= FRAME_SLACK && rint(frame) < (double)INT32_MAX ? rint(frame) : -1;
}

static bool is_of_rate(const struct growing *growing)
{
	const struct anim_track *head = &growing->head, *track = &growing->track;

	if (head->rate_num == 0 && head->step_s == 0)
		return false;
	return head->rate_num == track->rate_num && head->rate_den == track->rate_den && head->step_s == track->step_s;
}

/* Repeat sample k of the track up to frame `frame`, or remove the samples from there on. */
static int fill_to(struct growing *growing, const struct anim_track *track, size_t k, size_t frame,
		   struct anim_error *error)
{
	anim_keys_cut(&growing->keys, frame);
	if (frame > 2 * growing->keys.n + SAMPLES_FREE)
		return fail_track(growing, "has samples for only a small part of its clip",
				  "append first, then resample", error);
	while (growing->keys.n < frame)
		if (anim_keys_add_part(&growing->keys, track, k, 1, 0, error) != 0)
			return -1;
	return 0;
}

/* Report a jump between two clips: samples cannot jump, so the change takes a frame. */
static int report_jump(const struct growing *growing, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	bool rotation = anim_types[track->type].quaternion;
	double begin[ANIM_COMPONENTS_MAX] = {0}, jump;

	if (track->interp == ANIM_HOLD || !anim_type_is_real(track->type))
		return 0;
	anim_components(track->type, track->value, 0, begin);
	jump = anim_values_apart(track->type, growing->seam, begin);
	if (!(jump > ANIM_TOLERANCE * (rotation ? 100 : 1)))
		return 0;
	return anim_diagnostics_add_error(
	    growing->work->diagnostics, rotation ? "sampled rotation" : "sampled track", jump,
	    rotation ? "degrees" : "units", error,
	    "'%.100s %.100s' (at the start of %.100s): a jump between two clips takes one frame", track->node,
	    track->property, growing->part->file);
}

static int add_raw(struct growing *growing, bool first, struct anim_error *error)
{
	const struct anim_track *track = &growing->track;
	double begin, frame, end, last;

	if (first)
		growing->head.start_s = track->start_s + growing->part->shift_s;
	if (first && !growing->continues)
		return anim_keys_add_part(&growing->keys, track, 0, track->n, 0, error);
	if (!is_of_rate(growing))
		return fail_track(growing, "has another sample rate than in the previous clip, or none",
				  ANIM_ADVICE(SAME_RATE), error);
	begin = first ? 0 : frame_of(growing, seam_before(growing));
	frame = frame_of(growing, track->start_s + growing->part->shift_s);
	end = growing->continues ? frame_of(growing, seam_after(growing)) : 0;
	if (begin < 0 || frame < begin || end < 0)
		return fail_track(growing, "does not begin and end at a frame", ANIM_ADVICE(APPEND_FIRST), error);
	if (track->n == 0)
		return 0;
	growing->head.flags = (growing->head.flags & ~ANIM_LAST_AT_END) | (track->flags & ANIM_LAST_AT_END);
	if ((!first && report_jump(growing, error) != 0) || fill_to(growing, track, 0, (size_t)frame, error) != 0 ||
	    anim_keys_add_part(&growing->keys, track, 0, track->n, 0, error) != 0)
		return -1;
	/* The value at the end of the part, which is frame `end`. The first sample is frame `frame`. */
	last = fmin(end - frame, (double)(track->n - 1));
	if (track->type != ANIM_STRING)
		anim_components(track->type, track->value, (size_t)fmax(last, 0), growing->seam);
	return growing->continues ? fill_to(growing, track, track->n - 1, (size_t)end, error) : 0;
}

/* Add track number `number` of the current part. */
static int add_part(struct growing *growing, size_t number, struct anim_error *error)
{
	struct anim_join_work *work = growing->work;
	bool first = !growing->any;

	if (anim_store_read(work->store, growing->part->clip, number, &growing->track, error) != 0 ||
	    anim_track_validate(&growing->track, error) != 0)
		return -1;
	if (growing->track.flags & ANIM_UNSORTED)
		return fail_track(growing, "has keys out of order", ANIM_ADVICE(SORT_KEYS), error);
	if ((first ? keep_head(growing, error) : check_like(growing, error)) != 0)
		return -1;
	switch (growing->track.kind) {
	case ANIM_RAW:
		return add_raw(growing, first, error);
	case ANIM_DISCRETE:
		return add_discrete(growing, first, error);
	default:
		return add_curve(growing, first, error);
	}
}

/* The ends of a joined track never repeat, because the parts' ends are not the ends of the joined clip. */
static uint8_t held_end(uint8_t ends)
{
	return ends == ANIM_EXTRAPOLATION_NONE ? ANIM_EXTRAPOLATION_NONE : ANIM_EXTRAPOLATION_HOLD;
}

/*
 * Write the track of one identity. `numbers` has the number of its track + 1 for each part, or 0 if the part does not
 * have it.
 */
static int append_track(struct growing *growing, const struct anim_join_group *group, const size_t *numbers,
			struct anim_error *error)
{
	struct anim_join_work *work = growing->work;
	size_t left = 0, at = 0;

	for (size_t i = 0; i < group->count; i++)
		left += numbers[i] != 0;
	growing->any = false;
	anim_arena_reset(&work->arena);
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, at++) {
		if (numbers[at] == 0)
			continue;
		growing->part = part;
		growing->clip = anim_store_clip(work->store, part->clip);
		growing->continues = --left > 0;
		if (add_part(growing, numbers[at] - 1, error) != 0)
			return -1;
	}
	growing->head.pre = held_end(growing->head.pre);
	growing->head.post = held_end(growing->head.post);
	anim_keys_finish(&growing->keys, &growing->head);
	return anim_sink_track(work->next, &growing->head, error);
}

/* Write all tracks, in the order in which their identities first appeared. */
static int append_all(struct growing *growing, const struct anim_join_group *group,
		      struct anim_join_identities *identities, struct anim_error *error)
{
	struct anim_store *store = growing->work->store;
	size_t *numbers, cells, at = 0;

	if (anim_size_multiply(identities->count, group->count, &cells, error) != 0)
		return -1;
	numbers = anim_arena_zeroed(&identities->arena, cells + 1, sizeof *numbers, error);
	if (numbers == NULL)
		return -1;
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, at++)
		for (size_t i = 0; i < anim_store_tracks(store, part->clip); i++)
			numbers[identities->of[at][i] * group->count + at] = i + 1;
	for (size_t i = 0; i < identities->count; i++)
		if (append_track(growing, group, numbers + i * group->count, error) != 0)
			return -1;
	return 0;
}

static int join_append(struct anim_join_work *work, const struct anim_join_group *group, struct anim_error *error)
{
	struct growing growing = {.work = work};
	struct anim_join_identities identities;
	int result = join_identify(&identities, work->store, group, error);

	if (result == 0)
		result = (growing.cutter = anim_cutter_new(error)) == NULL ? -1 : 0;
	if (result == 0)
		result = append_all(&growing, group, &identities, error);
	join_identities_clear(&identities);
	anim_keys_clear(&growing.keys);
	anim_cutter_free(growing.cutter);
	return result;
}

/* --- The head of a clip that is made of several --- */

/* Check the axes: clips cannot be joined if their axes are known and differ. */
static int join_axes(uint8_t *axes, uint8_t other, const char *const *names, const struct anim_clip *clip,
		     const struct anim_join_part *part, struct anim_error *error)
{
	if (*axes == 0)
		*axes = other;
	if (other == 0 || other == *axes)
		return 0;
	return anim_fail(error, ANIM_BAD_INPUT,
			 "clip '%.100s' is in %s axes, but in %.100s it is in %s axes; " ANIM_ADVICE(SAME_AXES),
			 clip->name, names[*axes], part->file, names[other]);
}

static int report_root(struct anim_join_work *work, const struct anim_clip *head, const struct anim_clip *clip,
		       const struct anim_join_part *part, struct anim_error *error)
{
	if (strcmp(head->root, clip->root) == 0)
		return 0;
	return anim_diagnostics_warn(
	    work->diagnostics, "clip", error,
	    "'%.100s' of %.100s (root '%.100s'): another root than the first clip, at which node "
	    "paths now start" ANIM_DETAIL " ('%.100s')",
	    clip->name, part->file, clip->root, head->root);
}

static int report_loop(struct anim_join_work *work, const struct anim_clip *head, const struct anim_clip *clip,
		       const struct anim_join_part *part, struct anim_error *error)
{
	if (head->loop == clip->loop)
		return 0;
	return anim_diagnostics_note(
	    work->diagnostics, "clip", error,
	    "'%.100s' of %.100s (%s): another loop mode than the first clip, whose mode is kept" ANIM_DETAIL " (%s)",
	    clip->name, part->file, anim_loop_names[clip->loop], anim_loop_names[head->loop]);
}

/* Warn that a loop has become longer, so that it repeats later than before. */
static int report_length(struct anim_join_work *work, const struct anim_clip *head, const struct anim_clip *clip,
			 const struct anim_join_part *part, struct anim_error *error)
{
	if (head->loop == ANIM_LOOP_NONE || (head->start_s == clip->start_s && head->end_s == clip->end_s))
		return 0;
	return anim_diagnostics_warn(
	    work->diagnostics, "looping clip", error,
	    "'%.100s' of %.100s: another start or end than the first clip; the longer time is kept", clip->name,
	    part->file);
}

static int take_head(struct anim_join_work *work, struct anim_clip *head, struct anim_join_part *part, double end_s,
		     bool append, struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(work->store, part->clip);

	if (join_axes(&head->axes, clip->axes, anim_axes_names, head, part, error) != 0 ||
	    join_axes(&head->axes2d, clip->axes2d, anim_axes2d_names, head, part, error) != 0 ||
	    report_root(work, head, clip, part, error) != 0 || report_loop(work, head, clip, part, error) != 0 ||
	    (!append && report_length(work, head, clip, part, error) != 0))
		return -1;
	if (append) {
		part->shift_s = end_s - (double)clip->start_s;
		head->end_s = (float)((double)clip->end_s + part->shift_s);
	} else {
		head->start_s = clip->start_s < head->start_s ? clip->start_s : head->start_s;
		head->end_s = clip->end_s > head->end_s ? clip->end_s : head->end_s;
	}
	if (!(clip->flags & ANIM_END_DERIVED))
		head->flags &= (uint8_t)~ANIM_END_DERIVED;
	if (head->rate_num == 0) {
		head->rate_num = clip->rate_num;
		head->rate_den = clip->rate_den;
	}
	return 0;
}

/*
 * Make the head of the joined clip: it has the settings of the first part, and it lasts to the end of the others.
 * Differences that prevent a join are errors, all others are reported.
 */
static int join_head(struct anim_join_work *work, struct anim_join_group *group, bool append, struct anim_clip *head,
		     struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(work->store, group->first->clip);
	double end_s = (double)clip->end_s;

	*head = *clip;
	for (struct anim_join_part *part = group->first->next; part != NULL; part = part->next) {
		clip = anim_store_clip(work->store, part->clip);
		if (take_head(work, head, part, end_s, append, error) != 0)
			return -1;
		end_s += (double)clip->end_s - (double)clip->start_s;
		head->record = NULL;
	}
	if (group->tree != NULL && !(head->flags & ANIM_IN_TREE)) {
		head->flags |= ANIM_IN_TREE;
		head->record = NULL;
	}
	return 0;
}

/* --- The tracks of several clips merged --- */

static int report_replaced(struct anim_join_work *work, const struct anim_join_part *part,
			   const struct anim_store_track *track, struct anim_error *error)
{
	return anim_diagnostics_warn(work->diagnostics, "track", error,
				     "'%.100s %.100s' of clip '%.100s' in %.100s: also in a later input, which is used",
				     track->node, track->property, anim_store_clip(work->store, part->clip)->name,
				     part->file);
}

/* Write the tracks of a part that no later part has. */
static int write_part(struct anim_join_work *work, const struct anim_join_part *part, const uint32_t *identity,
		      const size_t *last, size_t number, struct anim_error *error)
{
	struct anim_track track;

	for (size_t i = 0; i < anim_store_tracks(work->store, part->clip); i++) {
		if (last[identity[i]] != number) {
			if (report_replaced(work, part, anim_store_track_at(work->store, part->clip, i), error) != 0)
				return -1;
			continue;
		}
		if (anim_store_read(work->store, part->clip, i, &track, error) != 0 ||
		    anim_sink_track(work->next, &track, error) != 0)
			return -1;
	}
	return 0;
}

/* Write the merged tracks of a group, after its head was written. Returns 0 or -1. */
static int join_merge(struct anim_join_work *work, const struct anim_join_group *group, struct anim_error *error)
{
	struct anim_join_identities identities;
	const struct anim_join_part *part;
	size_t *last = NULL, number; /* last[identity]: the last part that has it */
	int result = join_identify(&identities, work->store, group, error);

	if (result == 0)
		last = anim_arena_zeroed(&identities.arena, identities.count + 1, sizeof *last, error);
	if (last == NULL)
		result = -1;
	for (part = group->first, number = 0; result == 0 && part != NULL; part = part->next, number++)
		for (size_t i = 0; i < anim_store_tracks(work->store, part->clip); i++)
			last[identities.of[number][i]] = number;
	for (part = group->first, number = 0; result == 0 && part != NULL; part = part->next, number++)
		result = write_part(work, part, identities.of[number], last, number, error);
	join_identities_clear(&identities);
	return result;
}

/* --- The filter: finds the clips that become one, stores everything until then, and writes it --- */

/* A stored tree. Trees are in the order in which they arrived. */
struct join_tree_item {
	struct anim_kept_tree kept;
	size_t before; /* number of the next clip */
	bool used;     /* a clip belongs to it */
	struct join_tree_item *next;
};

/* Groups of one name, or of one name and player, in the order in which they began. */
struct join_row {
	struct anim_join_group *first, *last;
	struct anim_join_group *left; /* input `input` has already joined or begun the groups before this one */
	size_t input;
};

struct join {
	struct anim_filter filter;
	struct anim_join_options options;
	struct anim_store *store;
	struct anim_arena arena; /* trees, parts and groups */
	struct join_tree_item *first_tree, *last_tree;
	struct anim_join_part **parts; /* of each clip in the store; in the arena */
	size_t part_capacity;
	size_t input; /* number of the current input */
	const char *file;
	bool one_each; /* no input has more than one clip, not counting RESET */
	bool in_turn;  /* all clips of the only input are appended */
	struct anim_clips_wanted order;
	size_t last_counted;
	struct anim_map row_numbers;         /* by name in scope 0, by player in the scopes of the name rows */
	struct join_row *rows;               /* in the arena */
	struct anim_join_group **group_list; /* the group that each clip begins, or NULL; in the arena */
	struct anim_join_work work;
};

static int join_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	struct join_tree_item *kept = anim_arena_zeroed(&join->arena, 1, sizeof *kept, error);

	if (kept == NULL || anim_tree_copy(&kept->kept.head, tree, &join->arena, error) != 0)
		return -1;
	kept->kept.file = join->file;
	kept->before = anim_store_clips(join->store);
	if (join->last_tree == NULL)
		join->first_tree = kept;
	else
		join->last_tree->next = kept;
	join->last_tree = kept;
	return 0;
}

static int join_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	struct anim_node copy;

	/* The node's parent is already in the tree. */
	return anim_node_copy(&copy, node, &join->arena, error) != 0 ? -1 : add(&join->last_tree->kept, &copy, error);
}

/* Make room for one more part. The old array stays in the arena. */
static int grow_parts(struct join *join, size_t count, struct anim_error *error)
{
	size_t capacity = join->part_capacity == 0 ? 16 : 2 * join->part_capacity;
	struct anim_join_part **parts;

	if (count < join->part_capacity)
		return 0;
	parts = anim_arena_zeroed(&join->arena, capacity, sizeof(struct anim_join_part *), error);
	if (parts == NULL)
		return -1;
	if (count > 0)
		memcpy(parts, join->parts, count * sizeof *parts);
	join->parts = parts;
	join->part_capacity = capacity;
	return 0;
}

static int join_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	size_t number = anim_store_clips(join->store);
	struct anim_join_part *part = anim_arena_zeroed(&join->arena, 1, sizeof *part, error);

	if (part == NULL || grow_parts(join, number, error) != 0)
		return -1;
	part->clip = number;
	part->input = join->input;
	part->file = join->file;
	(void)anim_clips_wanted_match(&join->order, clip);
	part->rank = join->order.first;
	if (clip->flags & ANIM_IN_TREE) {
		part->tree = &join->last_tree->kept;
		join->last_tree->used = true;
	}
	join->parts[number] = part;
	if (!anim_clip_is_reset(clip)) {
		if (join->last_counted == join->input)
			join->one_each = false;
		join->last_counted = join->input;
	}
	return anim_sink_clip(anim_store_sink(join->store), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(anim_store_sink(((struct join *)sink)->store), track, error);
}

static int join_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return memcmp(record->tag, "prog", 4) == 0 ? anim_filter_record(sink, record, error) : 0;
}

/* Return the name by which a clip is joined. It is the same for all clips if each input has only one, or with in_turn. */
static const char *joint_name(const struct join *join, const struct anim_clip *clip)
{
	bool any = (join->one_each || join->in_turn) && !anim_clip_is_reset(clip);

	return any ? "" : clip->name;
}

/* Return the row of a text in a scope, a new empty one if necessary. NULL if out of memory. */
static struct join_row *row_of(struct join *join, uint64_t scope, const char *text, struct anim_error *error)
{
	size_t length = strlen(text);
	uint32_t number;

	if (!anim_map_get(&join->row_numbers, scope, text, length, &number)) {
		number = (uint32_t)join->row_numbers.count;
		if (anim_map_put(&join->row_numbers, scope, text, length, number, error) != 0)
			return NULL;
	}
	return &join->rows[number];
}

/* Find the rows of a clip's group: the row of its name, and the row of its name and player. Returns 0 or -1. */
static int find_rows(struct join *join, const struct anim_clip *clip, struct join_row *rows[ANIM_JOIN_ROWS],
		     struct anim_error *error)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");
	uint64_t scope;

	rows[ANIM_JOIN_OF_NAME] = row_of(join, 0, joint_name(join, clip), error);
	if (rows[ANIM_JOIN_OF_NAME] == NULL)
		return -1;
	scope = 2 * (uint64_t)(rows[ANIM_JOIN_OF_NAME] - join->rows + 1) + (player != NULL);
	rows[ANIM_JOIN_OF_PLAYER] = row_of(join, scope, player != NULL ? player : "", error);
	return rows[ANIM_JOIN_OF_PLAYER] == NULL ? -1 : 0;
}

/* Return the first group of a row that an earlier input began and this input has not joined, or NULL. */
static struct anim_join_group *first_left(struct join_row *row, enum anim_join_row which, size_t input)
{
	if (row->input != input)
		row->left = row->first;
	row->input = input;
	while (row->left != NULL && row->left->last->input == input)
		row->left = row->left->next[which];
	return row->left;
}

static int begin_group(struct join *join, struct anim_join_part *part, struct join_row *const rows[ANIM_JOIN_ROWS],
		       struct anim_error *error)
{
	struct anim_join_group *group = anim_arena_zeroed(&join->arena, 1, sizeof *group, error);

	if (group == NULL)
		return -1;
	group->first = group->last = part;
	group->count = 1;
	group->tree = part->tree;
	join->group_list[part->clip] = group;
	for (int i = 0; i < ANIM_JOIN_ROWS; i++) {
		if (rows[i]->last == NULL)
			rows[i]->first = group;
		else
			rows[i]->last->next[i] = group;
		rows[i]->last = group;
	}
	return 0;
}

static int join_group(struct join *join, struct anim_join_group *group, struct anim_join_part *part,
		      struct anim_error *error)
{
	size_t differ;

	group->last->next = part;
	group->last = part;
	group->count++;
	if (group->tree == NULL)
		group->tree = part->tree;
	if (part->tree == NULL || part->tree == group->tree)
		return 0;
	if (kept_tree_unite(group->tree, part->tree, &differ, error) != 0)
		return -1;
	if (differ == 0)
		return 0;
	if (anim_diagnostics_warn(join->options.diagnostics, "node", error,
				  "another rest pose in %.100s than in %.100s, which is kept", part->tree->file,
				  group->tree->file) != 0)
		return -1;
	anim_diagnostics_repeat(join->options.diagnostics, differ - 1);
	return 0;
}

/* Add a clip to the group of its name and player, otherwise to the group of its name, or begin a group. */
static int place_part(struct join *join, struct anim_join_part *part, struct anim_error *error)
{
	struct join_row *rows[ANIM_JOIN_ROWS];
	struct anim_join_group *group;

	if (find_rows(join, anim_store_clip(join->store, part->clip), rows, error) != 0)
		return -1;
	if (join->in_turn) {
		group = rows[ANIM_JOIN_OF_PLAYER]->last;
		return group == NULL ? begin_group(join, part, rows, error) : join_group(join, group, part, error);
	}
	group = first_left(rows[ANIM_JOIN_OF_PLAYER], ANIM_JOIN_OF_PLAYER, part->input);
	if (group == NULL)
		group = first_left(rows[ANIM_JOIN_OF_NAME], ANIM_JOIN_OF_NAME, part->input);
	return group == NULL ? begin_group(join, part, rows, error) : join_group(join, group, part, error);
}

static bool has_one_input(const struct join *join)
{
	size_t count = anim_store_clips(join->store);

	for (size_t i = 0; i < count; i++)
		if (join->parts[i]->input != join->parts[0]->input)
			return false;
	return true;
}

static int compare_ranks(const void *a, const void *b)
{
	const struct anim_join_part *one = *(struct anim_join_part *const *)a,
				    *two = *(struct anim_join_part *const *)b;

	if (one->rank != two->rank)
		return one->rank < two->rank ? -1 : 1;
	return one->clip < two->clip ? -1 : 1;
}

static int find_groups(struct join *join, struct anim_error *error)
{
	size_t count = anim_store_clips(join->store);
	struct anim_join_part **parts =
	    anim_arena_zeroed(&join->arena, count + 1, sizeof(struct anim_join_part *), error);

	join->group_list = anim_arena_zeroed(&join->arena, count + 1, sizeof(struct anim_join_group *), error);
	join->rows = anim_arena_zeroed(&join->arena, count + 1, ANIM_JOIN_ROWS * sizeof *join->rows, error);
	if (parts == NULL || join->group_list == NULL || join->rows == NULL)
		return -1;
	if (count > 0)
		memcpy(parts, join->parts, count * sizeof *parts);
	join->in_turn = join->options.how == ANIM_JOIN_APPEND && has_one_input(join);
	if (join->in_turn)
		qsort(parts, count, sizeof *parts, compare_ranks);
	for (size_t i = 0; i < count; i++)
		if (place_part(join, parts[i], error) != 0)
			return -1;
	return 0;
}

/* Write a group whose clips overlap. Returns 0 or -1. */
static int write_blended(struct join *join, struct anim_join_group *group, struct anim_error *error)
{
	struct anim_join_work work = join->work;
	struct anim_arena arena = {0};
	struct anim_join_group parts;
	struct anim_clip head;
	int result = join_blend(&join->work, group, join->options.blend_s, &parts, &work.store,
				join->options.store_memory, &arena, error);

	work.arena = (struct anim_arena){0};
	if (result == 0)
		result = join_head(&work, &parts, true, &head, error);
	if (result == 0)
		result = anim_sink_clip(join->filter.next, &head, error);
	if (result == 0)
		result = join_append(&work, &parts, error);
	anim_store_free(work.store);
	anim_arena_clear(&work.arena);
	anim_arena_clear(&arena);
	return result;
}

static int write_group(struct join *join, struct anim_join_group *group, struct anim_error *error)
{
	const struct anim_clip *first = anim_store_clip(join->store, group->first->clip);
	bool append = join->options.how == ANIM_JOIN_APPEND && !anim_clip_is_reset(first);
	struct anim_clip head;

	if (append && join->options.blend_s > 0 && group->count > 1)
		return write_blended(join, group, error);
	if (join_head(&join->work, group, append, &head, error) != 0)
		return -1;
	if (group->count == 1)
		return anim_store_replay(join->store, group->first->clip, &head, join->filter.next, error);
	if (anim_sink_clip(join->filter.next, &head, error) != 0)
		return -1;
	return append ? join_append(&join->work, group, error) : join_merge(&join->work, group, error);
}

/* Write the trees that came before clip `before` and have no clip. */
static int write_loose(struct join *join, struct join_tree_item **tree, size_t before, struct anim_kept_tree **last,
		       struct anim_error *error)
{
	for (; *tree != NULL && (*tree)->before <= before; *tree = (*tree)->next) {
		if ((*tree)->used)
			continue;
		*last = &(*tree)->kept;
		if (kept_tree_replay(*last, join->filter.next, error) != 0)
			return -1;
	}
	return 0;
}

/* Warn if no clips were joined. Returns 0 or -1. */
static int warn_apart(struct join *join, struct anim_error *error)
{
	static const char names[] = "no clips were joined: inputs with several clips are joined by the names of the "
				    "clips, and these differ; " ANIM_ADVICE(RENAME_CLIPS);
	static const char merge[] = "no clips were joined: only clips of different inputs are merged, and there is one "
				    "input; write each clip to a file first, and name every file as an input";
	size_t count = anim_store_clips(join->store), counted = 0;

	for (size_t i = 0; i < count; i++) {
		if (join->group_list[i] == NULL || join->group_list[i]->count > 1)
			return 0;
		counted += !anim_clip_is_reset(anim_store_clip(join->store, i));
	}
	if (count == 0)
		return 0;
	return anim_diagnostics_warn(join->options.diagnostics, NULL, error, "%s",
				     !has_one_input(join)                   ? names
				     : join->options.how == ANIM_JOIN_MERGE ? merge
				     : counted < 2 ? "no clips were joined: the input has only one"
						   : "no clips were joined: each is of another player");
}

static int write_all(struct join *join, struct anim_error *error)
{
	struct anim_kept_tree *last = NULL;
	struct join_tree_item *loose = join->first_tree;

	if (warn_apart(join, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_clips(join->store); i++) {
		struct anim_join_group *group = join->group_list[i];

		if (write_loose(join, &loose, i, &last, error) != 0)
			return -1;
		if (group == NULL)
			continue;
		if (group->tree != NULL && group->tree != last &&
		    kept_tree_replay(group->tree, join->filter.next, error) != 0)
			return -1;
		last = group->tree != NULL ? group->tree : last;
		if (write_group(join, group, error) != 0)
			return -1;
	}
	return write_loose(join, &loose, SIZE_MAX, &last, error);
}

static int join_end(struct anim_sink *sink, struct anim_error *error)
{
	struct join *join = (struct join *)sink;

	if (find_groups(join, error) != 0 || write_all(join, error) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void join_free(struct anim_sink *sink)
{
	struct join *join = (struct join *)sink;

	for (struct join_tree_item *tree = join->first_tree; tree != NULL; tree = tree->next) {
		free(tree->kept.nodes);
		anim_map_clear(&tree->kept.numbers);
		tree->kept = (struct anim_kept_tree){.nodes = NULL};
	}
	anim_store_free(join->store);
	anim_map_clear(&join->row_numbers);
	free(join->order.fitted);
	anim_arena_clear(&join->work.arena);
	anim_arena_clear(&join->arena);
	anim_filter_free(sink);
}

void anim_join_begin(struct anim_sink *sink, const char *name)
{
	struct join *join = (struct join *)sink;

	join->input++;
	join->file = name;
}

struct anim_sink *anim_join_new(const struct anim_join_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {join_tree,   join_node, join_clip, on_track,
						 join_record, join_end,  join_free};
	struct join *join = anim_filter_new(sizeof *join, &ops, next, error);

	if (join == NULL)
		return NULL;
	join->options = *options;
	join->file = "-";
	join->one_each = true;
	join->last_counted = SIZE_MAX;
	join->store = anim_store_new(options->store_memory, error);
	if (join->store == NULL ||
	    anim_clips_wanted_init(&join->order, options->order, options->order_count, error) != 0) {
		anim_sink_free(&join->filter.sink);
		return NULL;
	}
	join->work = (struct anim_join_work){.store = join->store, .diagnostics = options->diagnostics, .next = next};
	return &join->filter.sink;
}
