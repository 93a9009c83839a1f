/* compare.c: matches the clips of two inputs and the tracks of two clips, and compares them clip by clip. */
#include "filter/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "clip/resonite.h"
#include "filter/clips.h"
#include "filter/compare/internal.h"
#include "filter/filter.h"

struct compare_clip {
	size_t tree, first; /* number of its tree from 1 on, 0: none; index of its first track in `kinds` */
	bool has_muscles;   /* of Unity's humanoid */
};

/* A clip of each side. COMPARE_NONE: that side has none. */
struct couple {
	size_t clips[2];
};

/* --- One of two inputs, kept in a store, and its clips as they are compared --- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct compare_side *side = (struct compare_side *)sink;
	const char *name = anim_arena_text(&side->arena, tree->root_name, strlen(tree->root_name), error);

	if (name == NULL || anim_buffer_append(&side->roots, &name, sizeof name, error) != 0)
		return -1;
	return anim_sink_tree(anim_store_sink(side->store), tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(anim_store_sink(((struct compare_side *)sink)->store), node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct compare_side *side = (struct compare_side *)sink;
	bool in_tree = (clip->flags & ANIM_IN_TREE) != 0;
	struct compare_clip entry = {.tree = in_tree ? side->roots.size / sizeof(const char *) : 0,
				     .first = side->kinds.size / sizeof(const char *)};

	side->bare_names = strcmp(clip->source, "animj") == 0 || strcmp(clip->source, "animx") == 0;
	if (anim_buffer_append(&side->clips, &entry, sizeof entry, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(side->store), clip, error);
}

/* Return the Unity component and script, which distinguish two properties with the same name. */
static const char *kind_of(struct compare_side *side, const struct anim_track *track, struct anim_error *error)
{
	const char *class = anim_attrs_get(&track->attrs, "unity.class");
	const char *script = anim_attrs_get(&track->attrs, "unity.script");

	if ((class == NULL || *class == '\0') && (script == NULL || *script == '\0'))
		return "";
	return anim_arena_printf(&side->arena, error, "%s %s", class == NULL ? "" : class,
				 script == NULL ? "" : script);
}

/*
 * Restore the name and component of a track. "RootT.x" is component x of RootT in formats whose readers know
 * components, and a plain name in the others. "field:" is a remainder of the model's names in Resonite files of
 * `anim-emit --names source`: the reader takes "position" for a field with that name. "Euler.y" is the name that
 * writers for Resonite give to a component of Euler angles.
 */
static int restore_name(struct compare_side *side, struct anim_track *track, struct anim_error *error)
{
	static const char letters[] = "xyzwrgba", field[] = "field:";
	size_t length;
	const char *letter;

	if (side->bare_names && strncmp(track->property, field, sizeof field - 1) == 0) {
		track->property += sizeof field - 1;
		track->record = NULL;
	}
	length = strlen(track->property);
	if (track->component != ANIM_WHOLE || anim_types[track->type].components != 1 || track->type == ANIM_STRING ||
	    length < 3 || track->property[length - 2] != '.' || strncmp(track->property, "blend_shape/", 12) == 0)
		return 0;
	if ((letter = strchr(letters, track->property[length - 1])) == NULL)
		return 0;
	track->component = (uint8_t)((letter - letters) % 4);
	track->property = anim_arena_text(&side->arena, track->property, length - 2, error);
	track->record = NULL;
	if (side->bare_names && track->property != NULL && strcmp(track->property, "Euler") == 0)
		track->property = "euler";
	return track->property == NULL ? -1 : 0;
}

/* Store a track, except disabled ones, which are not played, and those without keys, which have no values. */
static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct compare_side *side = (struct compare_side *)sink;
	struct compare_clip *clip = (struct compare_clip *)(void *)(side->clips.data + side->clips.size) - 1;
	const char *humanoid = anim_attrs_get(&track->attrs, "unity.humanoid"), *kind;
	struct anim_track out = *track;

	if ((track->flags & ANIM_DISABLED) || track->n == 0)
		return 0;
	clip->has_muscles = clip->has_muscles || (humanoid != NULL && strcmp(humanoid, "muscle") == 0);
	if (restore_name(side, &out, error) != 0 || (kind = kind_of(side, track, error)) == NULL ||
	    anim_buffer_append(&side->kinds, &kind, sizeof kind, error) != 0)
		return -1;
	return anim_sink_track(anim_store_sink(side->store), &out, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return anim_sink_end(anim_store_sink(((struct compare_side *)sink)->store), error);
}

static void on_free(struct anim_sink *sink)
{
	(void)sink;
}

/* Initialise a side. Returns 0 or -1. The side must be cleared in both cases. */
static int compare_side_init(struct compare_side *side, size_t store_memory, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};

	memset(side, 0, sizeof *side);
	side->sink.ops = &ops;
	side->store = anim_store_new(store_memory, error);
	return side->store == NULL ? -1 : 0;
}

static void compare_side_clear(struct compare_side *side)
{
	anim_store_free(side->store);
	anim_rests_clear(&side->rests);
	anim_arena_clear(&side->arena);
	anim_buffer_clear(&side->clips);
	anim_buffer_clear(&side->kinds);
	anim_buffer_clear(&side->roots);
	memset(side, 0, sizeof *side);
}

static const struct compare_clip *clip_of(const struct compare_side *side, size_t clip)
{
	return (const struct compare_clip *)(const void *)side->clips.data + clip;
}

/* Load the rest poses of a tree, or none for 0. Clips of one tree share them. Returns 0 or -1. */
static int load_rests(struct compare_side *side, size_t tree, struct anim_error *error)
{
	struct anim_sink *sink;
	int result;

	if (tree == side->rests_tree)
		return 0;
	anim_rests_clear(&side->rests);
	side->rests_tree = 0;
	if (tree == 0)
		return 0;
	sink = anim_rests_sink_new(&side->rests, error);
	if (sink == NULL)
		return -1;
	result = anim_store_replay_tree(side->store, tree - 1, sink, error);
	anim_sink_free(sink);
	side->rests_tree = result == 0 ? tree : 0;
	return result;
}

/* The sink after anim-axes. It passes the tree and the current clip to different sides. */
static int keep_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return anim_sink_tree(&((struct compare_conversion *)sink)->trees.sink, tree, error);
}

static int keep_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(&((struct compare_conversion *)sink)->trees.sink, node, error);
}

static int keep_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(&((struct compare_conversion *)sink)->clip.sink, clip, error);
}

static int keep_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(&((struct compare_conversion *)sink)->clip.sink, track, error);
}

/* A sink before anim-axes. Tracks that must not be converted bypass it. Its free function does nothing. */
struct passing {
	struct anim_sink sink, *axes, *past;
	const uint8_t *stays; /* for each track; NULL: all tracks are converted */
	size_t number;        /* of the next track */
};

static int pass_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(((struct passing *)sink)->axes, clip, error);
}

static int pass_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct passing *passing = (struct passing *)sink;
	bool stays = passing->stays != NULL && passing->stays[passing->number];

	passing->number++;
	return anim_sink_track(stays ? passing->past : passing->axes, track, error);
}

/*
 * Mark the positions with three components. Single components of Godot do not say whether they belong to two or
 * three dimensions, and anim-axes sees one at a time. A position with a third component is not flat.
 */
static int find_spatial(struct compare_view *view, const uint8_t **stays, struct anim_error *error)
{
	size_t count, tracks = anim_store_tracks(view->side->store, view->clip);
	const struct compare_item *items = compare_items(view, &count);
	uint8_t *marks = anim_arena_zeroed(&view->arena, tracks + 1, sizeof *marks, error);

	if (marks == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (!items[i].joined || items[i].tracks[2] == COMPARE_NO_TRACK ||
		    strcmp(items[i].property, "position") != 0)
			continue;
		for (unsigned component = 0; component < ANIM_COMPONENTS_JOINED; component++)
			if (items[i].tracks[component] != COMPARE_NO_TRACK)
				marks[items[i].tracks[component]] = 1;
	}
	*stays = marks;
	return 0;
}

struct compare_item *compare_items(const struct compare_view *view, size_t *count)
{
	*count = view->items.size / sizeof(struct compare_item);
	return (struct compare_item *)(void *)view->items.data;
}

/* Return the item of the component's value if it has room for the component, otherwise COMPARE_NONE. */
static size_t item_of_component(const struct compare_view *view, const struct anim_map *map, const char *key,
				size_t length, uint8_t component)
{
	size_t count;
	struct compare_item *items = compare_items(view, &count);
	uint32_t number;

	if (!anim_map_get(map, 0, key, length, &number) || items[number].tracks[component] != COMPARE_NO_TRACK)
		return COMPARE_NONE;
	return number;
}

static int add_track(struct compare_view *view, struct anim_map *map, size_t number, struct anim_error *error)
{
	const struct anim_store_track *track = anim_store_track_at(view->side->store, view->clip, number);
	size_t first = clip_of(view->side, view->clip)->first, count, length, at;
	struct compare_item item = {.node = track->node,
				    .property = track->property,
				    .kind = ((const char *const *)(const void *)view->side->kinds.data)[first + number],
				    .tracks = {(uint32_t)number, COMPARE_NO_TRACK, COMPARE_NO_TRACK, COMPARE_NO_TRACK},
				    .component = ANIM_WHOLE,
				    .bone = track->bone};
	struct compare_item *items = compare_items(view, &count);
	const char *key;

	if (track->component >= ANIM_COMPONENTS_JOINED || track->type == ANIM_STRING) {
		item.component = track->component;
		return anim_buffer_append(&view->items, &item, sizeof item, error);
	}
	key =
	    anim_key_join(&view->arena, (const char *const[]){item.node, item.property, item.kind}, 3, &length, error);
	if (key == NULL)
		return -1;
	at = item_of_component(view, map, key, length, track->component);
	if (at != COMPARE_NONE) {
		items[at].tracks[track->component] = (uint32_t)number;
		return 0;
	}
	item.joined = true;
	item.tracks[0] = COMPARE_NO_TRACK;
	item.tracks[track->component] = (uint32_t)number;
	if (anim_map_put(map, 0, key, length, (uint32_t)count, error) != 0)
		return -1;
	return anim_buffer_append(&view->items, &item, sizeof item, error);
}

/* Set the tree to which the clip belongs, or 0 for none. Returns 0 or -1. */
static int set_tree(struct compare_view *view, struct compare_side *trees, size_t tree, struct anim_error *error)
{
	view->trees = trees;
	view->tree = tree;
	view->root_name = tree == 0 ? NULL : ((const char *const *)(const void *)trees->roots.data)[tree - 1];
	view->rests = &trees->rests;
	return load_rests(trees, tree, error);
}

static int view_open(struct compare_view *view, struct compare_side *side, size_t clip, struct anim_error *error)
{
	size_t tracks = anim_store_tracks(side->store, clip);
	struct anim_map map = {0};
	int result;

	memset(view, 0, sizeof *view);
	view->side = side;
	view->clip = clip;
	view->head = anim_store_clip(side->store, clip);
	view->has_muscles = clip_of(side, clip)->has_muscles;
	result = set_tree(view, side, clip_of(side, clip)->tree, error);
	if (result == 0) /* most items have one track */
		result = anim_buffer_reserve(&view->items, tracks * sizeof(struct compare_item), error);
	for (size_t i = 0; i < tracks && result == 0; i++)
		result = add_track(view, &map, i, error);
	anim_map_clear(&map);
	return result;
}

static void compare_view_clear(struct compare_view *view)
{
	anim_buffer_clear(&view->items);
	anim_buffer_clear(&view->partners);
	anim_buffer_clear(&view->placed);
	anim_arena_clear(&view->arena);
}

static bool conversion_fits(const struct compare_conversion *conversion, const struct compare_view *view,
			    const struct anim_axes_options *options)
{
	return conversion->axes != NULL && conversion->from == view->trees && conversion->tree == view->tree &&
	       conversion->options.from == options->from && conversion->options.target == options->target &&
	       conversion->options.from2d == options->from2d && conversion->options.target2d == options->target2d;
}

static int conversion_begin(struct compare_conversion *conversion, const struct compare_view *view,
			    const struct anim_axes_options *options, size_t store_memory, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {keep_tree, keep_node, keep_clip, keep_track, NULL, NULL, on_free};

	*conversion = (struct compare_conversion){.sink.ops = &ops,
						  .options = *options,
						  .from = view->trees,
						  .tree = view->tree,
						  .store_memory = store_memory};
	if (compare_side_init(&conversion->trees, store_memory, error) != 0)
		return -1;
	conversion->axes = anim_axes_new(options, &conversion->sink, error);
	if (conversion->axes == NULL || conversion->tree == 0)
		return conversion->axes == NULL ? -1 : 0;
	return anim_store_replay_tree(view->trees->store, conversion->tree - 1, conversion->axes, error);
}

static void compare_conversion_clear(struct compare_conversion *conversion)
{
	anim_sink_free(conversion->axes);
	conversion->axes = NULL;
	compare_side_clear(&conversion->trees);
	compare_side_clear(&conversion->clip);
}

static int conversion_end(struct compare_conversion *conversion, struct anim_error *error)
{
	int result = conversion->axes == NULL ? 0 : anim_sink_end(conversion->axes, error);

	compare_conversion_clear(conversion);
	return result;
}

static int convert_view(struct compare_view *view, struct compare_conversion *conversion, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = pass_clip, .track = pass_track, .free = on_free};
	struct passing passing = {.sink.ops = &ops, .axes = conversion->axes, .past = &conversion->sink};

	compare_side_clear(&conversion->clip);
	if (conversion->options.target2d != ANIM_AXES2D_UNKNOWN && find_spatial(view, &passing.stays, error) != 0)
		return -1;
	if (compare_side_init(&conversion->clip, conversion->store_memory, error) != 0 ||
	    anim_store_replay(view->side->store, view->clip, NULL, &passing.sink, error) != 0)
		return -1;
	compare_view_clear(view);
	if (view_open(view, &conversion->clip, 0, error) != 0)
		return -1;
	return set_tree(view, &conversion->trees, conversion->tree == 0 ? 0 : 1, error);
}

/*
 * Choose the conversion of a side that brings both sides to the same axes. If only one side has a tree, that side is
 * converted.
 */
static bool choose_axes(const struct anim_compare *c, const struct compare_view *views, int side, bool flat,
			struct anim_axes_options *axes)
{
	const struct anim_clip *own = views[side].head, *other = views[!side].head;
	bool trees[2] = {views[0].root_name != NULL, views[1].root_name != NULL};
	int converted = trees[0] && !trees[1] ? 0 : 1;

	*axes = (struct anim_axes_options){.mirror = c->options.mirror,
					   .ppu = c->options.ppu,
					   .diagnostics = c->options.diagnostics,
					   .from = (enum anim_axes)own->axes,
					   .from2d = (enum anim_axes2d)own->axes2d};
	if (c->options.axes_keep)
		return false;
	axes->target = flat ? ANIM_AXES_UNKNOWN : (enum anim_axes)other->axes;
	axes->target2d = flat ? ANIM_AXES2D_UNITY : ANIM_AXES2D_UNKNOWN;
	if (flat) /* only the trees of Godot say which nodes are two-dimensional, and all other formats have +Y up */
		return own->axes2d == ANIM_AXES2D_GODOT &&
		       (other->axes2d == ANIM_AXES2D_UNITY ||
			(other->axes2d == ANIM_AXES2D_UNKNOWN && other->axes > ANIM_AXES_GODOT));
	return side == converted && anim_axes_differ((enum anim_axes)own->axes, (enum anim_axes)other->axes);
}

/* Replace the clip of a view by the converted clip if the axes require it. Returns 0 or -1. */
static int convert_axes(struct anim_compare *c, struct compare_view views[2], int side, bool flat,
			struct anim_error *error)
{
	struct compare_conversion *conversions = c->conversions[side];
	struct compare_view *view = &views[side];
	struct anim_axes_options axes;

	if (!choose_axes(c, views, side, flat, &axes))
		return 0;
	if (!conversion_fits(&conversions[flat], view, &axes)) {
		for (int i = flat; i < 2; i++) /* the tree of the second conversion may be the output of the first */
			if (conversion_end(&conversions[i], error) != 0)
				return -1;
		compare_world_forget(c->world);
		if (conversion_begin(&conversions[flat], view, &axes, c->options.store_memory, error) != 0)
			return -1;
	}
	return convert_view(view, &conversions[flat], error);
}

/* --- Matching of the elements of two lists by key; elements with the same key are matched in order --- */

/* Two lists whose elements are matched by keys, in several rounds with different key functions. */
struct pairing {
	size_t counts[2];
	size_t *partners[2]; /* for each element; COMPARE_NONE: none yet */
	/*
	 * Returns the key of an element of a side, which lives in the arena or longer. Returns 1, 0 if the element
	 * takes no part in this round, or -1.
	 */
	int (*key)(void *context, int side, size_t number, struct anim_arena *, const char **key, size_t *length,
		   struct anim_error *);
	void *context;
	bool evenly;    /* match only keys that occur equally often on both sides */
	size_t guesses; /* number of elements that had several candidates */
};

/*
 * An element that takes part in a round, with the hash of its key. The key itself is built again only if several
 * elements share a hash, so a million elements need no more memory than this.
 */
struct keyed {
	uint64_t hash;
	uint32_t number, side;
};

/* An element with its key, for elements that share a hash. */
struct spelled {
	const char *key;
	size_t length;
	struct keyed element;
};

/* One round. */
struct pairing_round {
	struct pairing *pairing;
	struct anim_error *error;
	struct anim_arena keys;      /* for the current elements */
	struct anim_buffer elements; /* struct keyed */
	struct anim_buffer spelled;
};

static int list_side(struct pairing_round *round, unsigned side)
{
	const struct pairing *p = round->pairing;

	for (size_t i = 0; i < p->counts[side]; i++) {
		struct keyed element = {.number = (uint32_t)i, .side = side};
		const char *key;
		size_t length;
		int got;

		if (p->partners[side][i] != COMPARE_NONE)
			continue;
		anim_arena_reset(&round->keys);
		got = p->key(p->context, (int)side, i, &round->keys, &key, &length, round->error);
		if (got < 0)
			return -1;
		element.hash = got == 0 ? 0 : anim_hash(0, key, length);
		if (got == 1 && anim_buffer_append(&round->elements, &element, sizeof element, round->error) != 0)
			return -1;
	}
	return 0;
}

static int by_place(const struct keyed *a, const struct keyed *b)
{
	if (a->side != b->side)
		return a->side < b->side ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static int by_hash(const void *one, const void *other)
{
	const struct keyed *a = one, *b = other;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return by_place(a, b);
}

static int compare_keys(const struct spelled *a, const struct spelled *b)
{
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(a->key, b->key, a->length);
}

static int by_key(const void *one, const void *other)
{
	const struct spelled *a = one, *b = other;
	int order = compare_keys(a, b);

	return order != 0 ? order : by_place(&a->element, &b->element);
}

/* Match the elements of one key. The first side's elements come before the second's, each in order. */
static void pair_group(struct pairing *p, const struct spelled *group, size_t count)
{
	size_t first = 0, second;

	while (first < count && group[first].element.side == 0)
		first++;
	second = count - first;
	for (size_t i = 0; i < first && i < second && (!p->evenly || first == second); i++) {
		size_t one = group[i].element.number, other = group[first + i].element.number;

		p->partners[0][one] = other;
		p->partners[1][other] = one;
		p->guesses += i + 1 < second;
	}
}

/* Match elements that share a hash. */
static int pair_run(struct pairing_round *round, const struct keyed *run, size_t count)
{
	const struct pairing *p = round->pairing;
	struct spelled *spelled;

	anim_arena_reset(&round->keys);
	round->spelled.size = 0;
	spelled = anim_buffer_extend(&round->spelled, count * sizeof *spelled, round->error);
	if (spelled == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		spelled[i].element = run[i];
		if (p->key(p->context, (int)run[i].side, run[i].number, &round->keys, &spelled[i].key,
			   &spelled[i].length, round->error) < 0)
			return -1;
	}
	qsort(spelled, count, sizeof *spelled, by_key);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && compare_keys(&spelled[i], &spelled[end]) == 0;)
			end++;
		pair_group(round->pairing, spelled + i, end - i);
	}
	return 0;
}

static int pair_runs(struct pairing_round *round)
{
	struct keyed *elements = (struct keyed *)(void *)round->elements.data;
	size_t count = round->elements.size / sizeof *elements;

	if (count > 0)
		qsort(elements, count, sizeof *elements, by_hash);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && elements[end].hash == elements[i].hash;)
			end++;
		if (elements[i].side != elements[end - 1].side && pair_run(round, elements + i, end - i) != 0)
			return -1;
	}
	return 0;
}

static bool is_any_left(const struct pairing *p, int side)
{
	size_t i = 0;

	while (i < p->counts[side] && p->partners[side][i] != COMPARE_NONE)
		i++;
	return i < p->counts[side];
}

/* Run a round over the elements without a partner. Returns 0 or -1. */
static int pair_up(struct pairing *p, struct anim_error *error)
{
	struct pairing_round round = {.pairing = p, .error = error};
	int result = 0;

	if (!is_any_left(p, 0) || !is_any_left(p, 1))
		return 0;
	for (unsigned side = 0; side < 2 && result == 0; side++)
		result = list_side(&round, side);
	if (result == 0)
		result = pair_runs(&round);
	anim_arena_clear(&round.keys);
	anim_buffer_clear(&round.elements);
	anim_buffer_clear(&round.spelled);
	return result;
}

/* --- The pairs of clips of two inputs --- */

static const struct anim_clip *clip_at(const struct anim_compare *c, int side, size_t clip)
{
	return anim_store_clip(c->sides[side].store, clip);
}

static size_t clips_of(const struct anim_compare *c, int side)
{
	return anim_store_clips(c->sides[side].store);
}

/*
 * The rounds in which clips are matched: by name and player, then by name. "walk" also matches "lib/walk" if no
 * other clip is called exactly so, because formats with one clip per file do not keep the library.
 */
enum naming { NAMING_PLAYER, NAMING_NAME, NAMING_LIBRARY_FIRST, NAMING_LIBRARY_SECOND, NAMINGS };

struct naming_round {
	const struct anim_compare *c;
	unsigned naming;
};

static int key_of(void *context, int side, size_t number, struct anim_arena *keys, const char **key, size_t *length,
		  struct anim_error *error)
{
	const struct naming_round *round = context;
	const struct anim_clip *clip = clip_at(round->c, side, number);
	const char *player = anim_attrs_get(&clip->attrs, "player"), *slash = strrchr(clip->name, '/');

	*key = clip->name;
	*length = strlen(*key) + 1;
	if (round->naming == NAMING_NAME)
		return 1;
	if (round->naming != NAMING_PLAYER) {
		bool has_library = (round->naming == NAMING_LIBRARY_FIRST) == (side == 0);

		*key = has_library && slash != NULL ? slash + 1 : clip->name;
		*length = strlen(*key) + 1;
		return has_library == (slash != NULL);
	}
	*key = anim_key_join(keys, (const char *const[]){clip->name, player}, player == NULL ? 1 : 2, length, error);
	return *key == NULL ? -1 : 1;
}

/* Return whether a clip counts. RESET counts only if it is the only clip, or if all clips are requested. */
static bool counts_beside(const struct anim_compare *c, int side, size_t clip)
{
	return c->options.all_clips || clips_of(c, side) == 1 || !anim_clip_is_reset(clip_at(c, side, clip));
}

/* Return the number of clips that count, and the last of them. */
static size_t counting(const struct anim_compare *c, int side, size_t *the_one)
{
	size_t count = 0, all = clips_of(c, side);

	*the_one = 0;
	for (size_t i = 0; i < all; i++) {
		if (!counts_beside(c, side, i))
			continue;
		count++;
		*the_one = i;
	}
	return count;
}

static int add_couple(struct anim_compare *c, size_t a, size_t b, struct anim_error *error)
{
	const struct couple couple = {{a, b}};

	return anim_buffer_append(&c->couples, &couple, sizeof couple, error);
}

/* Report a single clip if none of the several clips on the other side has its name. */
static int refuse_lone(const struct anim_compare *c, int lone, size_t clip, struct anim_error *error)
{
	struct anim_clip_names names = {.count = 0};
	char list[240];

	for (size_t i = 0; i < clips_of(c, !lone); i++)
		anim_clip_names_add(&names, clip_at(c, !lone, i));
	anim_clip_names_print(&names, NULL, list, sizeof list);
	return anim_fail(error, ANIM_BAD_INPUT,
			 "%s has only the clip '%.80s', and %s has no clip with that name, but has %s. Select a clip "
			 "with " ANIM_OPTION("diff", "clip") ", or use " ANIM_OPTION("diff", "all-clips"),
			 c->options.names[lone], clip_at(c, lone, clip)->name, c->options.names[!lone], list);
}

/*
 * Add the clips without a namesake. RESET does not count beside others. If one clip of a side was matched and it is
 * the only one there, the other clips of the other side do not count.
 */
static int couple_rest(struct anim_compare *c, size_t *const partners[2], struct anim_error *error)
{
	size_t one[2], counts[2] = {counting(c, 0, &one[0]), counting(c, 1, &one[1])};
	bool all = c->options.all_clips, found[2];

	for (int side = 0; side < 2; side++)
		found[side] = counts[side] == 1 && partners[side][one[side]] != COMPARE_NONE;
	if (!all && (found[0] || found[1]))
		return 0;
	if (counts[0] == 1 && counts[1] == 1 && !found[0] && !found[1])
		return add_couple(c, one[0], one[1], error);
	for (int side = 0; side < 2 && !all; side++)
		if (counts[side] == 1 && counts[!side] > 1)
			return refuse_lone(c, side, one[side], error);
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < clips_of(c, side); i++) {
			if (partners[side][i] != COMPARE_NONE || !counts_beside(c, side, i))
				continue;
			if (add_couple(c, side == 0 ? i : COMPARE_NONE, side == 0 ? COMPARE_NONE : i, error) != 0)
				return -1;
		}
	}
	return 0;
}

static int couple_namesakes(struct anim_compare *c, struct pairing *p, struct anim_error *error)
{
	struct naming_round *round = p->context;

	for (round->naming = 0; round->naming < NAMINGS; round->naming++) {
		if (round->naming == NAMING_NAME) /* clips with the same name and player differ only in their order */
			p->guesses = 0;
		if (pair_up(p, error) != 0)
			return -1;
	}
	if (p->guesses > 0 &&
	    anim_diagnostics_warn(
		c->options.diagnostics, NULL, error,
		"%zu %s several others, and these were matched in order. Select one with " ANIM_OPTION_TO(
		    "diff", "clip", "PLAYER:NAME"),
		p->guesses, p->guesses == 1 ? "clip's name matches" : "clips' names match") != 0)
		return -1;
	for (size_t i = 0; i < p->counts[0]; i++)
		if (p->partners[0][i] != COMPARE_NONE && add_couple(c, i, p->partners[0][i], error) != 0)
			return -1;
	return 0;
}

/* Fill `couples`. Returns 0, or -1 if the only clip of one side has no namesake among several. */
static int compare_couple_clips(struct anim_compare *c, struct anim_error *error)
{
	struct naming_round round = {.c = c};
	struct pairing pairing = {.counts = {clips_of(c, 0), clips_of(c, 1)}, .key = key_of, .context = &round};
	int result = 0;

	for (int side = 0; side < 2 && result == 0; side++) {
		pairing.partners[side] = malloc((pairing.counts[side] + 1) * sizeof(size_t));
		if (pairing.partners[side] == NULL)
			result = anim_fail_memory(error);
		for (size_t i = 0; i < pairing.counts[side] && result == 0; i++)
			pairing.partners[side][i] = COMPARE_NONE;
	}
	if (result == 0)
		result = couple_namesakes(c, &pairing, error);
	if (result == 0)
		result = couple_rest(c, pairing.partners, error);
	free(pairing.partners[0]);
	free(pairing.partners[1]);
	return result;
}

/* --- Matching of the tracks of two clips by the names that different formats give them --- */

/*
 * The forms of the name of a node, the strictest first. In the GODOT forms, '_' replaces characters that Godot does
 * not allow in node names.
 */
enum form { FORM_TEXT, FORM_PATH, FORM_GODOT_PATH, FORM_NAME, FORM_GODOT_NAME };

/*
 * The spellings of a property: its own text with the same Unity component, then the names that Resonite and Godot 4
 * use.
 */
enum spelling { SPELLING_OWN, SPELLING_RESONITE, SPELLING_GODOT, SPELLING_GODOT_OTHER, SPELLINGS };

struct match_round {
	struct compare_view *views;
	enum form form;
	unsigned spelling;
};

/* Return the path in the tree, with a bone below its skeleton as below any other node. */
static const char *path_of(const struct compare_view *view, const struct compare_item *item, struct anim_arena *arena,
			   struct anim_error *error)
{
	struct anim_error inside = {0};
	char *path = anim_tree_path(view->head->root, item->node, arena, &inside);
	const char *bone = anim_bone_name(view->head->source, item->node, item->bone);

	if (path == NULL && inside.code != ANIM_OK) {
		*error = inside;
		return NULL;
	}
	if (path == NULL)
		return item->node;
	if (bone != NULL)
		path[strlen(path) - strlen(bone) - 1] = '/';
	return path;
}

static const char *node_of(const struct compare_view *view, enum form form, const struct compare_item *item,
			   struct anim_arena *arena, struct anim_error *error)
{
	struct anim_resonite_names names;
	const char *node;

	if (form == FORM_TEXT)
		return item->node;
	if (form == FORM_PATH || form == FORM_GODOT_PATH) {
		node = path_of(view, item, arena, error);
	} else {
		anim_resonite_names_init(&names, view->head, view->root_name);
		node = anim_resonite_node(&names, item->node, item->bone, arena, error);
	}
	return node == NULL || form == FORM_PATH || form == FORM_NAME ? node
								      : anim_godot_node(node, NULL, arena, error);
}

/*
 * Return the name of a property. Rotations of any spelling are one property in Resonite. A single component of a
 * matrix is a separate property.
 */
static const char *property_of(const struct match_round *match_round, const struct compare_item *item,
			       struct anim_arena *keys, struct anim_error *error)
{
	char class[16] = "";

	if (match_round->spelling == SPELLING_OWN)
		return item->property;
	if (match_round->spelling == SPELLING_RESONITE)
		return anim_resonite_property(item->property, item->component, keys, error);
	snprintf(class, sizeof class, "%.*s", (int)strcspn(item->kind, " "), item->kind);
	return anim_godot4_property(item->property, class, match_round->spelling == SPELLING_GODOT_OTHER, keys, error);
}

static int match_key_of(void *context, int side, size_t number, struct anim_arena *keys, const char **out,
			size_t *length, struct anim_error *error)
{
	const struct match_round *match_round = context;
	const struct compare_view *view = &match_round->views[side];
	size_t count;
	const struct compare_item *item = compare_items(view, &count) + number;
	bool own = match_round->spelling == SPELLING_OWN;
	const char *node = node_of(view, match_round->form, item, keys, error);
	const char *property = property_of(match_round, item, keys, error), *kind = own ? item->kind : "";
	char part[16];

	if (node == NULL || property == NULL)
		return -1;
	snprintf(part, sizeof part, "%u%s", item->component, own && item->joined ? " joined" : "");
	*out = anim_key_join(keys, (const char *const[]){node, property, kind, part}, 4, length, error);
	return *out == NULL ? -1 : 1;
}

/*
 * Return true if both lists have the same names in the same order. Then each item is the partner of the item at the
 * same place.
 */
static bool are_alike(const struct compare_view views[2])
{
	size_t counts[2], i = 0;
	const struct compare_item *a = compare_items(&views[0], &counts[0]), *b = compare_items(&views[1], &counts[1]);

	while (i < counts[0] && counts[0] == counts[1] && strcmp(a[i].node, b[i].node) == 0 &&
	       strcmp(a[i].property, b[i].property) == 0 && strcmp(a[i].kind, b[i].kind) == 0 &&
	       a[i].component == b[i].component && a[i].joined == b[i].joined)
		i++;
	return i == counts[0] && i == counts[1];
}

/* Set the partners. *guesses counts the elements that had several candidates. Returns 0 or -1. */
static int match_tracks(struct compare_view views[2], enum anim_compare_match match, size_t *guesses,
			struct anim_error *error)
{
	enum form first = match == ANIM_MATCH_NAME ? FORM_NAME : FORM_TEXT;
	enum form last = match == ANIM_MATCH_PATH ? FORM_GODOT_PATH : FORM_GODOT_NAME;
	struct match_round match_round = {.views = views};
	struct pairing pairing = {.key = match_key_of, .context = &match_round};

	*guesses = 0;
	/* Make the lists of both views, without partners. */
	for (int side = 0; side < 2; side++) {
		compare_items(&views[side], &pairing.counts[side]);
		views[side].partners.size = 0;
		pairing.partners[side] =
		    anim_buffer_extend(&views[side].partners, (pairing.counts[side] + 1) * sizeof(size_t), error);
		if (pairing.partners[side] == NULL)
			return -1;
		for (size_t i = 0; i < pairing.counts[side]; i++)
			pairing.partners[side][i] = COMPARE_NONE;
	}
	if (match == ANIM_MATCH_INDEX || (first == FORM_TEXT && are_alike(views))) {
		for (size_t i = 0; i < pairing.counts[0] && i < pairing.counts[1]; i++)
			pairing.partners[0][i] = pairing.partners[1][i] = i;
	}
	for (match_round.form = first; match_round.form <= last && match != ANIM_MATCH_INDEX; match_round.form++) {
		pairing.guesses = match_round.form > FORM_NAME ? pairing.guesses : 0;
		for (match_round.spelling = 0; match_round.spelling < SPELLINGS; match_round.spelling++) {
			/* If several names of one format became one name in the other, their order decides. */
			pairing.evenly = match_round.spelling == SPELLING_OWN;
			if (pair_up(&pairing, error) != 0)
				return -1;
		}
	}
	/* tracks with the same path are matched in order */
	*guesses = match_round.form > FORM_NAME ? pairing.guesses : 0;
	return 0;
}

/* --- A pair of clips --- */

/* Return true if the lengths of clips differ by more than the rounding of float32. */
static bool lengths_differ(const struct anim_compare *c, const struct anim_clip *a, const struct anim_clip *b)
{
	double one = (double)a->end_s - (double)a->start_s, other = (double)b->end_s - (double)b->start_s;

	return fabs(one - other) >
	       anim_limits_find(&c->options.limits, ANIM_UNIT_TIME, "") + 1e-6 * fmax(1, fmax(one, other));
}

/* Return false for formats whose clips do not say whether they loop. */
static bool has_loop_mode(const struct anim_clip *clip)
{
	static const char *const silent[] = {"animj", "animx", "asf", "bvh", "gltf", "mmd"};

	return !anim_text_is_one_of(clip->source, silent, ANIM_COUNT(silent));
}

/* Return true if the loop modes differ, unless one of two formats cannot express the mode. */
static bool loops_differ(const struct anim_clip *a, const struct anim_clip *b)
{
	const struct anim_clip *once = a->loop == ANIM_LOOP_NONE ? a : b->loop == ANIM_LOOP_NONE ? b : NULL;

	return a->loop != b->loop && (once == NULL || has_loop_mode(once) || strcmp(a->source, b->source) == 0);
}

/* Find the tracks that exist on one side only. Returns 0 or -1. */
static int find_lone(struct anim_compare *c, struct compare_view views[2], struct anim_compare_clips *out,
		     struct anim_error *error)
{
	for (int side = 0; side < 2 && c->options.show_clips != NULL; side++) {
		size_t count;
		const struct compare_item *items = compare_items(&views[side], &count);

		for (size_t i = 0; i < count; i++) {
			size_t number = out->lone[side];

			if (compare_partners(&views[side])[i] != COMPARE_NONE)
				continue;
			out->lone[side]++;
			if (number >= ANIM_COMPARE_NAMED)
				continue;
			out->named[side][number] = compare_label(&items[i], true, &c->notes, error);
			if (out->named[side][number] == NULL)
				return -1;
		}
	}
	return 0;
}

static int warn_of_guesses(const struct anim_compare *c, const char *clip, size_t guesses, struct anim_error *error)
{
	if (guesses == 0)
		return 0;
	return anim_diagnostics_warn(
	    c->options.diagnostics, NULL, error,
	    "clip '%s': the last names of %zu %s match several others, and these were matched in order", clip, guesses,
	    guesses == 1 ? "track" : "tracks");
}

static bool is_in_world(const struct anim_compare *c, const struct compare_view views[2])
{
	return c->options.world || (c->options.world_if_known && (views[0].tree > 0 || views[1].tree > 0));
}

/* Compare the tracks of a pair of clips. The rows are in c->rows, and their items in the views. Returns 0 or -1. */
static int compare_clips(struct anim_compare *c, const struct couple *couple, struct compare_view views[2],
			 struct compare_pair *pair, struct anim_error *error)
{
	size_t guesses;

	c->rows.size = 0;
	memset(c->statuses, 0, sizeof c->statuses);
	anim_arena_reset(&c->notes);
	for (int i = 0; i < 2; i++)
		if (view_open(&views[i], &c->sides[i], couple->clips[i], error) != 0)
			return -1;
	for (int i = 0; i < 4; i++)
		if (convert_axes(c, views, i % 2, i >= 2, error) != 0)
			return -1;
	if (match_tracks(views, c->options.match, &guesses, error) != 0 ||
	    warn_of_guesses(c, views[0].head->name, guesses, error) != 0 ||
	    find_lone(c, views, &pair->clips, error) != 0 ||
	    (is_in_world(c, views) && compare_world(c, views, error) != 0))
		return -1;
	for (int i = 0; i < 2 && c->options.world_besides; i++)
		views[i].placed.size = 0;
	if (compare_tracks(c, views, error) != 0)
		return -1;
	for (int i = 0; i < 2; i++)
		pair->clips.heads[i] = views[i].head;
	pair->rows = (struct compare_row *)(void *)c->rows.data;
	pair->count = c->rows.size / sizeof *pair->rows;
	memcpy(pair->statuses, c->statuses, sizeof pair->statuses);
	for (size_t i = 0; i < pair->count; i++)
		pair->clips.texts += pair->rows[i].unit == ANIM_UNIT_KEYS && pair->rows[i].status == COMPARE_DIFFERS;
	pair->clips.unlike = pair->statuses[COMPARE_TYPES];
	pair->clips.lengths_differ = lengths_differ(c, views[0].head, views[1].head);
	pair->clips.loops_differ = loops_differ(views[0].head, views[1].head);
	return 0;
}

/* --- The comparison: match the clips of two inputs, compare their tracks, and print the result --- */

const char *const compare_status_names[COMPARE_STATUS_COUNT] = {"same",  "within", "differs",
								"types", "only-a", "only-b"};

struct anim_compare *anim_compare_new(const struct anim_compare_options *options, struct anim_error *error)
{
	struct anim_compare *c = anim_zeroed(sizeof *c, error);

	if (c == NULL)
		return NULL;
	c->options = *options;
	c->measure.rate_num = options->rate_num;
	c->measure.rate_den = options->rate_den;
	for (int i = 0; i < 2; i++) {
		if (compare_side_init(&c->sides[i], options->store_memory, error) == 0)
			continue;
		anim_compare_free(c);
		return NULL;
	}
	return c;
}

void anim_compare_free(struct anim_compare *c)
{
	if (c == NULL)
		return;
	for (int i = 0; i < 2; i++) {
		compare_side_clear(&c->sides[i]);
		for (int flat = 0; flat < 2; flat++)
			compare_conversion_clear(&c->conversions[i][flat]);
		anim_buffer_clear(&c->measure.breaks[i]);
	}
	anim_buffer_clear(&c->measure.times);
	compare_world_free(c->world);
	anim_buffer_clear(&c->couples);
	anim_buffer_clear(&c->rows);
	anim_arena_clear(&c->notes);
	free(c);
}

struct anim_sink *anim_compare_input(struct anim_compare *c, int side)
{
	return &c->sides[side].sink;
}

uint8_t compare_component(const struct compare_item *item)
{
	unsigned components = 0, component = 0;

	for (unsigned i = 0; i < ANIM_COMPONENTS_JOINED && item->joined; i++) {
		components += item->tracks[i] != COMPARE_NO_TRACK;
		component = item->tracks[i] != COMPARE_NO_TRACK ? i : component;
	}
	return components == 1 ? (uint8_t)component : item->component;
}

const char *compare_label(const struct compare_item *item, bool with_node, struct anim_arena *arena,
			  struct anim_error *error)
{
	return anim_label_copy(arena, with_node ? item->node : "", item->property, compare_component(item), error);
}

static int keep_text(struct anim_buffer *kept, const char *text, struct anim_error *error)
{
	kept->size = 0;
	return anim_buffer_append(kept, text, strlen(text) + 1, error);
}

static int keep_worst(struct compare_report *report, const struct compare_row *row, const char *clip,
		      struct anim_error *error)
{
	struct compare_sums *sums = &report->sums;
	const char *label;

	if (row->items[0] == NULL || row->items[1] == NULL || !(row->worst > sums->worst[row->unit].error))
		return 0;
	sums->worst[row->unit].there = true;
	sums->worst[row->unit].error = row->worst;
	sums->worst[row->unit].at_s = row->at_s;
	anim_arena_reset(&report->scratch);
	label = compare_label(row->items[0], true, &report->scratch, error);
	if (label == NULL || keep_text(&sums->worst[row->unit].clip, clip, error) != 0)
		return -1;
	return keep_text(&sums->worst[row->unit].track, label, error);
}

static int sum_up(struct compare_report *report, struct compare_pair *pair, struct anim_error *error)
{
	struct compare_sums *sums = &report->sums;

	pair->differs = pair->clips.lengths_differ;
	for (size_t i = 0; i < pair->count; i++) {
		pair->differs = pair->differs || pair->rows[i].status > COMPARE_WITHIN;
		if (keep_worst(report, &pair->rows[i], pair->clips.heads[0]->name, error) != 0)
			return -1;
	}
	for (int status = 0; status < COMPARE_STATUS_COUNT; status++)
		sums->tracks[status] += pair->statuses[status];
	for (int side = 0; side < 2; side++) {
		bool lone = pair->clips.heads[!side] == NULL;

		pair->differs = pair->differs || lone;
		sums->clips_only[side] += lone;
	}
	sums->clips += pair->clips.heads[0] != NULL && pair->clips.heads[1] != NULL;
	sums->differ = sums->differ || pair->differs;
	return 0;
}

static int compare_couple(struct anim_compare *c, const struct couple *couple, struct compare_report *report,
			  struct anim_error *error)
{
	const struct compare_form *form = c->options.json ? &compare_json : &compare_table;
	struct compare_pair pair = {.rows = NULL};
	struct compare_view views[2];
	int result = 0;

	memset(views, 0, sizeof views);
	pair.clips.couple = ++c->couple;
	if (couple->clips[0] != COMPARE_NONE && couple->clips[1] != COMPARE_NONE)
		result = compare_clips(c, couple, views, &pair, error);
	for (int i = 0; i < 2 && result == 0; i++)
		if (pair.clips.heads[i] == NULL && couple->clips[i] != COMPARE_NONE)
			pair.clips.heads[i] = anim_store_clip(c->sides[i].store, couple->clips[i]);
	if (result == 0 && (result = sum_up(report, &pair, error)) == 0) {
		form->pair(report, &pair);
		result = report->print.failed ? -1 : 0;
	}
	if (result == 0 && c->options.show_clips != NULL)
		result = c->options.show_clips(c->options.show_context, &pair.clips, error);
	for (int i = 0; i < 2; i++)
		compare_view_clear(&views[i]);
	return result;
}

int anim_compare_run(struct anim_compare *c, struct anim_output *out, bool *differ, struct anim_error *error)
{
	struct compare_report *report = anim_zeroed(sizeof *report, error);
	const struct compare_form *form = c->options.json ? &compare_json : &compare_table;
	int result;

	if (report == NULL)
		return -1;
	report->options = &c->options;
	report->print.out = out;
	report->print.error = error;
	form->begin(report);
	result = compare_couple_clips(c, error);
	for (size_t i = 0; i < c->couples.size / sizeof(struct couple) && result == 0; i++)
		result = compare_couple(c, (const struct couple *)(const void *)c->couples.data + i, report, error);
	for (int i = 0; i < 4 && result == 0; i++)
		result = conversion_end(&c->conversions[i % 2][i / 2], error);
	if (result == 0)
		form->end(report);
	*differ = report->sums.differ;
	result = report->print.failed ? -1 : result;
	anim_arena_clear(&report->scratch);
	for (int unit = 0; unit < ANIM_UNIT_COUNT; unit++) {
		anim_buffer_clear(&report->sums.worst[unit].clip);
		anim_buffer_clear(&report->sums.worst[unit].track);
	}
	free(report);
	return result;
}
