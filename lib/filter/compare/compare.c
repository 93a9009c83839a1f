/* compare.c: keeps two inputs, brings their clips to the same axes, and compares them pair by pair. */
#include "filter/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/map.h"
#include "base/text.h"
#include "filter/compare/comparison.h"
#include "filter/filter.h"

struct compare_clip {
	size_t tree, first; /* number of its tree from 1 on, 0: none; index of its first track in `kinds` */
	bool has_muscles;   /* of Unity's humanoid */
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
	const char *humanoid = anim_attrs_get(&track->attrs, "unity.humanoid"), *kind = "";
	const char *class = anim_attrs_get(&track->attrs, "unity.class");
	const char *script = anim_attrs_get(&track->attrs, "unity.script");
	struct anim_track out = *track;

	if ((track->flags & ANIM_DISABLED) || track->n == 0)
		return 0;
	clip->has_muscles = clip->has_muscles || (humanoid != NULL && strcmp(humanoid, "muscle") == 0);
	/* The Unity component and script distinguish two properties with the same name. */
	class = class == NULL ? "" : class;
	script = script == NULL ? "" : script;
	if (*class != '\0' || *script != '\0')
		kind = anim_arena_printf(&side->arena, error, "%s %s", class, script);
	if (kind == NULL || restore_name(side, &out, error) != 0 ||
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

static int add_track(struct compare_view *view, struct anim_map *map, size_t number, struct anim_error *error)
{
	const struct anim_store_track *track = anim_store_track_at(view->side->store, view->clip, number);
	size_t first = clip_of(view->side, view->clip)->first, count, length;
	struct compare_item item = {.node = track->node,
				    .property = track->property,
				    .kind = ((const char *const *)(const void *)view->side->kinds.data)[first + number],
				    .tracks = {(uint32_t)number, COMPARE_NO_TRACK, COMPARE_NO_TRACK, COMPARE_NO_TRACK},
				    .component = ANIM_WHOLE,
				    .bone = track->bone};
	struct compare_item *items = compare_items(view, &count);
	const char *key;
	uint32_t at;

	if (track->component >= ANIM_COMPONENTS_JOINED || track->type == ANIM_STRING) {
		item.component = track->component;
		return anim_buffer_append(&view->items, &item, sizeof item, error);
	}
	key =
	    anim_key_join(&view->arena, (const char *const[]){item.node, item.property, item.kind}, 3, &length, error);
	if (key == NULL)
		return -1;
	/* The item of the component's value, if it has room for the component. */
	if (anim_map_get(map, 0, key, length, &at) && items[at].tracks[track->component] == COMPARE_NO_TRACK) {
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

/*
 * Set the tree to which the clip belongs, or 0 for none, with its rest poses. Clips of one tree share them. Returns 0
 * or -1.
 */
static int set_tree(struct compare_view *view, struct compare_side *trees, size_t tree, struct anim_error *error)
{
	struct anim_sink *sink;
	int result;

	view->trees = trees;
	view->tree = tree;
	view->root_name = tree == 0 ? NULL : ((const char *const *)(const void *)trees->roots.data)[tree - 1];
	view->rests = &trees->rests;
	if (tree == trees->rests_tree)
		return 0;
	anim_rests_clear(&trees->rests);
	trees->rests_tree = 0;
	if (tree == 0)
		return 0;
	sink = anim_rests_sink_new(&trees->rests, error);
	if (sink == NULL)
		return -1;
	result = anim_store_replay_tree(trees->store, tree - 1, sink, error);
	anim_sink_free(sink);
	trees->rests_tree = result == 0 ? tree : 0;
	return result;
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

/* Replace the clip of a view by its conversion. Returns 0 or -1. */
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
	static const struct anim_sink_ops ops = {keep_tree, keep_node, keep_clip, keep_track, NULL, NULL, on_free};
	struct compare_conversion *conversions = c->conversions[side], *conversion = &conversions[flat];
	struct compare_view *view = &views[side];
	struct anim_axes_options axes;
	bool fits;

	if (!choose_axes(c, views, side, flat, &axes))
		return 0;
	fits = conversion->axes != NULL && conversion->from == view->trees && conversion->tree == view->tree &&
	       conversion->options.from == axes.from && conversion->options.target == axes.target &&
	       conversion->options.from2d == axes.from2d && conversion->options.target2d == axes.target2d;
	if (!fits) {
		for (int i = flat; i < 2; i++) /* the tree of the second conversion may be the output of the first */
			if (conversion_end(&conversions[i], error) != 0)
				return -1;
		compare_world_forget(c->world);
		*conversion = (struct compare_conversion){.sink.ops = &ops,
							  .options = axes,
							  .from = view->trees,
							  .tree = view->tree,
							  .store_memory = c->options.store_memory};
		if (compare_side_init(&conversion->trees, conversion->store_memory, error) != 0)
			return -1;
		conversion->axes = anim_axes_new(&axes, &conversion->sink, error);
		if (conversion->axes == NULL)
			return -1;
		if (conversion->tree != 0 &&
		    anim_store_replay_tree(view->trees->store, conversion->tree - 1, conversion->axes, error) != 0)
			return -1;
	}
	return convert_view(view, conversion, error);
}

/* --- A pair of clips --- */

/* Return true if the lengths of clips differ by more than the rounding of float32. */
static bool lengths_differ(const struct anim_compare *c, const struct anim_clip *a, const struct anim_clip *b)
{
	double one = (double)a->end_s - (double)a->start_s, other = (double)b->end_s - (double)b->start_s;

	return fabs(one - other) >
	       anim_limits_find(&c->options.limits, ANIM_UNIT_TIME, "") + 1e-6 * fmax(1, fmax(one, other));
}

/* Return true if the loop modes differ, unless one of two formats cannot express the mode. */
static bool loops_differ(const struct anim_clip *a, const struct anim_clip *b)
{
	/* formats whose clips do not say whether they loop */
	static const char *const silent[] = {"animj", "animx", "asf", "bvh", "gltf", "mmd"};
	const struct anim_clip *once = a->loop == ANIM_LOOP_NONE ? a : b->loop == ANIM_LOOP_NONE ? b : NULL;

	return a->loop != b->loop && (once == NULL || !anim_text_is_one_of(once->source, silent, ANIM_COUNT(silent)) ||
				      strcmp(a->source, b->source) == 0);
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

/* Compare the tracks of a pair of clips. The rows are in c->rows, and their items in the views. Returns 0 or -1. */
static int compare_clips(struct anim_compare *c, const struct compare_couple *couple, struct compare_view views[2],
			 struct compare_pair *pair, struct anim_error *error)
{
	struct compare_matches matches;
	bool in_space;

	c->rows.size = 0;
	memset(c->statuses, 0, sizeof c->statuses);
	anim_arena_reset(&c->notes);
	for (int i = 0; i < 2; i++)
		if (view_open(&views[i], &c->sides[i], couple->clips[i], error) != 0)
			return -1;
	for (int i = 0; i < 4; i++)
		if (convert_axes(c, views, i % 2, i >= 2, error) != 0)
			return -1;
	in_space = c->options.world || (c->options.world_if_known && (views[0].tree > 0 || views[1].tree > 0));
	if (compare_match_tracks(views, c->options.match, &matches, error) != 0)
		return -1;
	if (matches.guesses > 0 &&
	    anim_diagnostics_warn(
		c->options.diagnostics, NULL, error,
		"clip '%s': the last names of %zu %s match several others, and these were matched in order",
		views[0].head->name, matches.guesses, matches.guesses == 1 ? "track" : "tracks") != 0)
		return -1;
	if (matches.humans > 0 &&
	    anim_diagnostics_note(c->options.diagnostics, NULL, error,
				  "clip '%s': %zu %s matched by the human bones, because the names differ",
				  views[0].head->name, matches.humans, matches.humans == 1 ? "track" : "tracks") != 0)
		return -1;
	if (matches.unlike > 0 && !c->options.world &&
	    anim_diagnostics_warn(c->options.diagnostics, NULL, error,
				  "clip '%s': %zu of the bones rest in other axes, so their rotations are not "
				  "comparable; " ANIM_ADVICE(SAME_SKELETON),
				  views[0].head->name, matches.unlike) != 0)
		return -1;
	if (find_lone(c, views, &pair->clips, error) != 0 || (in_space && compare_world(c, views, error) != 0))
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
	c->meter.rate_num = options->rate_num;
	c->meter.rate_den = options->rate_den;
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
		anim_buffer_clear(&c->meter.breaks[i]);
	}
	anim_buffer_clear(&c->meter.times);
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

static int sum_up(struct compare_report *report, struct compare_pair *pair, struct anim_error *error)
{
	struct compare_sums *sums = &report->sums;

	pair->differs = pair->clips.lengths_differ;
	for (size_t i = 0; i < pair->count; i++) {
		const struct compare_row *row = &pair->rows[i];
		const char *label;

		pair->differs = pair->differs || row->status > COMPARE_WITHIN;
		if (row->items[0] == NULL || row->items[1] == NULL || !(row->worst > sums->worst[row->unit].error))
			continue;
		sums->worst[row->unit].there = true;
		sums->worst[row->unit].error = row->worst;
		sums->worst[row->unit].at_s = row->at_s;
		anim_arena_reset(&report->scratch);
		label = compare_label(row->items[0], true, &report->scratch, error);
		if (label == NULL || keep_text(&sums->worst[row->unit].clip, pair->clips.heads[0]->name, error) != 0 ||
		    keep_text(&sums->worst[row->unit].track, label, error) != 0)
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

static int compare_couple(struct anim_compare *c, const struct compare_couple *couple, struct compare_report *report,
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
	result = compare_match_clips(c, error);
	for (size_t i = 0; i < c->couples.size / sizeof(struct compare_couple) && result == 0; i++)
		result =
		    compare_couple(c, (const struct compare_couple *)(const void *)c->couples.data + i, report, error);
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
