/* world.c: the errors of nodes in space: points of a shell around each joint, over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "clip/keys.h"
#include "filter/common/pose.h"
#include "filter/compare/comparison.h"
#include "filter/filter.h"

/* The result of one node. The distance is taken to be linear between two samples, as in pair.c. */
struct apart {
	double worst, at_s, last, square, seconds;
};

/*
 * One clip of each side with the trees that place it. The trees are kept for all of their clips. Data of nodes is
 * reset only for the nodes of the previous clip, so that the cost of a clip does not grow with its tree.
 */
struct compare_world {
	struct anim_compare *c;
	struct compare_view *views;
	struct anim_poses poses[2];
	const struct compare_side
	    *trees[2]; /* the sides that have the trees of the poses, and their numbers from 1 on; NULL: none */
	size_t tree[2];
	struct anim_arena tree_arena;
	uint32_t *same; /* for each node of the first poses, the node of the second with the same path or name */
	/* for each node of the second, the first node for which it is `same`; for each of these, the next */
	uint32_t *same_first, *same_next;
	uint8_t *taken;  /* for each node of the second: tracks gave it to a node */
	uint32_t *shown; /* nodes of the first that move or whose partner moves, in increasing order */
	size_t shown_count;
	struct anim_buffer times; /* double: seconds from the starts of the clips, in increasing order */
	struct anim_buffer merged, breaks;
	uint32_t *partners;    /* for each node of the first poses, the node of the second */
	uint32_t *numbers;     /* for each: number as a reported joint; ANIM_POSE_NONE: none */
	struct apart *apart;   /* for each node of the first poses */
	double end_s, epsilon; /* largest tolerance of all players so far: times this near are one */
	bool steps;            /* some track holds */
};

/* ---- The items that place a node, and the times of their changes ---- */

/* Return the part of a node that a source moves, or -1 for none. */
static int part_of(const struct compare_source *s, const struct anim_rest *rest)
{
	const char *property = s->first->property;
	enum anim_pose_part part;

	if (s->text || !anim_track_is_transform(s->first))
		return -1;
	if (s->angle && strcmp(property, "angle") != 0)
		return ANIM_POSE_ROTATION;
	part = anim_pose_part_of(rest, property, s->angle ? 1 : s->components);
	return part == ANIM_POSE_PARTS || !anim_type_is_real(s->first->type) ? -1 : (int)part;
}

/*
 * Return the node that an item moves, by its own name if its side has a tree, otherwise by the name of its partner.
 * Returns ANIM_POSE_NONE for a node outside the tree.
 */
static uint32_t node_of(struct compare_world *w, int side, size_t item)
{
	const size_t *partners = (const size_t *)(const void *)w->views[side].partners.data;
	size_t count;

	if (w->views[side].tree > 0)
		return anim_poses_find(&w->poses[side], w->views[side].head->root,
				       compare_items(&w->views[side], &count)[item].node);
	if (partners[item] == COMPARE_NONE)
		return ANIM_POSE_NONE;
	return anim_poses_find(&w->poses[side], w->views[!side].head->root,
			       compare_items(&w->views[!side], &count)[partners[item]].node);
}

/*
 * Open an item that moves a node. Returns 1 with the node and the part, 0 if it moves none, or -1. The item must be
 * closed in all cases.
 */
static int open_item(struct compare_world *w, int side, size_t item, struct compare_source *s, uint32_t *node,
		     int *part, struct anim_error *error)
{
	const struct compare_item *items;
	size_t count;

	memset(s, 0, sizeof *s);
	*node = node_of(w, side, item);
	if (*node == ANIM_POSE_NONE)
		return 0;
	items = compare_items(&w->views[side], &count);
	if (compare_source_open(s, &w->views[side], &items[item], &w->poses[side].rests.items[*node], error) != 0) {
		anim_error_in_file(error, w->c->options.names[side]);
		return -1;
	}
	*part = part_of(s, &w->poses[side].rests.items[*node]);
	if (*part >= 0 && s->relative && !compare_make_absolute(s, &w->poses[side].rests.items[*node]))
		*part = -1;
	for (unsigned i = 0; i < s->play.count; i++)
		if (compare_has_no_times(s->play.tracks[i]))
			*part = -1;
	return *part >= 0;
}

/* Merge two increasing lists of times. Of times that are nearer than `epsilon` the last one counts. Returns 0 or -1. */
static int merge(struct compare_world *w, const float *from, size_t count, double start_s, struct anim_error *error)
{
	const double *old = (const double *)(const void *)w->times.data;
	size_t old_count = w->times.size / sizeof *old, i = 0, k = 0;
	struct anim_buffer swap;

	w->merged.size = 0;
	while (i < old_count || k < count) {
		double a = i < old_count ? old[i] : (double)INFINITY;
		double b = k < count ? fmin((double)from[k] - start_s, w->end_s) : (double)INFINITY;
		double t = fmin(a, b), *last = NULL;

		i += a <= b;
		k += b <= a;
		if (w->merged.size > 0)
			last = (double *)(void *)w->merged.data + w->merged.size / sizeof *last - 1;
		if (last != NULL && t - *last <= w->epsilon)
			*last = t;
		else if (t >= 0 && anim_buffer_append(&w->merged, &t, sizeof t, error) != 0)
			return -1;
	}
	swap = w->times;
	w->times = w->merged;
	w->merged = swap;
	return 0;
}

/* Mark the items that move nodes, and collect the times at which they may bend. Returns 0 or -1. */
static int find_placed(struct compare_world *w, int side, struct anim_error *error)
{
	uint8_t *placed;
	size_t count;

	compare_items(&w->views[side], &count);
	if ((placed = anim_buffer_extend(&w->views[side].placed, count, error)) == NULL)
		return -1;
	memset(placed, 0, count);
	for (size_t i = 0; i < count; i++) {
		struct compare_source s;
		uint32_t node;
		int part, result = open_item(w, side, i, &s, &node, &part, error);

		if (result > 0) {
			placed[i] = 1;
			for (unsigned k = 0; k < s.play.count; k++)
				w->steps = w->steps || (s.play.tracks[k] != NULL &&
							(anim_track_steps(s.play.tracks[k]) ||
							 anim_track_has_interp(s.play.tracks[k], ANIM_HOLD)));
			w->epsilon = fmax(w->epsilon, anim_rules_near(s.first->rules, w->end_s));
			result = anim_source_breaks(&s.play, &w->breaks, error);
			if (result == 0)
				result = anim_source_add_swings(&s.play, &w->breaks, error);
			if (result >= 0)
				result =
				    merge(w, (const float *)(const void *)w->breaks.data,
					  w->breaks.size / sizeof(float), (double)w->views[side].head->start_s, error);
		}
		anim_source_close(&s.play);
		if (result < 0)
			return -1;
	}
	return 0;
}

/* ---- The values of both sides at these times ---- */

static const double *times_of(const struct compare_world *w, size_t *count)
{
	*count = w->times.size / sizeof(double);
	return (const double *)(const void *)w->times.data;
}

/*
 * Return the time of sample k. If tracks hold, it is just after their steps, because players and formats shift steps
 * by a rounding error.
 */
static double moment(const struct compare_world *w, size_t k)
{
	size_t count;
	double t = times_of(w, &count)[k];

	return w->steps ? fmin(t + w->epsilon, w->end_s) : t;
}

static int put_values(struct compare_world *w, int side, struct compare_source *s, uint32_t node, int part,
		      struct anim_error *error)
{
	double t[ANIM_SOURCE_SAMPLES], values[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};
	const struct anim_clip *clip = w->views[side].head;
	unsigned components = part == ANIM_POSE_ROTATION ? 4 : s->components;
	size_t count;

	times_of(w, &count);
	for (size_t done = 0; done < count;) {
		size_t batch = count - done < ANIM_SOURCE_SAMPLES ? count - done : ANIM_SOURCE_SAMPLES;

		for (size_t k = 0; k < batch; k++)
			t[k] = fmin((double)clip->start_s + moment(w, done + k),
				    clip->end_s > clip->start_s ? (double)clip->end_s : (double)INFINITY);
		if (anim_source_sample(&s->play, t, batch, values, error) != 0)
			return -1;
		for (size_t k = 0; k < batch; k++) {
			float numbers[4];

			for (unsigned i = 0; i < components; i++)
				numbers[i] = (float)values[k][i];
			if (anim_poses_put_value(&w->poses[side], node, (enum anim_pose_part)part, numbers, components,
						 error) != 0)
				return -1;
		}
		done += batch;
	}
	return 0;
}

static int place_side(struct compare_world *w, int side, struct anim_error *error)
{
	size_t count, items;

	times_of(w, &count);
	anim_poses_begin(&w->poses[side], count);
	compare_items(&w->views[side], &items);
	for (size_t i = 0; i < items; i++) {
		struct compare_source s;
		uint32_t node;
		int part, result = w->views[side].placed.data[i] ? open_item(w, side, i, &s, &node, &part, error) : 0;

		if (!w->views[side].placed.data[i])
			continue;
		if (result > 0 && anim_track_is_placed(s.first))
			anim_poses_set_apart(&w->poses[side], node);
		if (result > 0)
			result = anim_poses_open(&w->poses[side], node, (enum anim_pose_part)part, error);
		if (result > 0)
			result = put_values(w, side, &s, node, part, error);
		anim_source_close(&s.play);
		if (result < 0)
			return -1;
	}
	return anim_poses_ready(&w->poses[side], error);
}

/* ---- Errors ---- */

/* Add a node to the list once. Until it has a number, 0 marks it as listed. */
static void show(struct compare_world *w, uint32_t node)
{
	if (w->numbers[node] != ANIM_POSE_NONE)
		return;
	w->numbers[node] = 0;
	w->shown[w->shown_count++] = node;
}

static int by_number(const void *one, const void *other)
{
	uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;

	return (a > b) - (a < b);
}

/*
 * Match the nodes of both trees: first those that matched tracks move, then the others by path or name. Then list
 * the nodes that may move.
 */
static void pair_nodes(struct compare_world *w)
{
	const size_t *partners = (const size_t *)(const void *)w->views[0].partners.data;
	size_t items;

	compare_items(&w->views[0], &items);
	for (size_t i = 0; i < items; i++)
		if (w->views[0].placed.data[i] && partners[i] != COMPARE_NONE && w->views[1].placed.data[partners[i]]) {
			uint32_t node = node_of(w, 0, i), other = node_of(w, 1, partners[i]);

			show(w, node);
			w->partners[node] = other;
			w->taken[other] = 1;
		}
	for (size_t i = 0; i < w->poses[0].moving; i++)
		show(w, anim_poses_moved(&w->poses[0], i));
	for (size_t i = 0; i < w->poses[1].moving; i++)
		for (uint32_t node = w->same_first[anim_poses_moved(&w->poses[1], i)]; node != ANIM_POSE_NONE;
		     node = w->same_next[node])
			show(w, node);
	if (w->shown_count > 1)
		qsort(w->shown, w->shown_count, sizeof *w->shown, by_number);
	for (size_t i = 0; i < w->shown_count; i++) {
		uint32_t node = w->shown[i], same = w->same[node];

		w->numbers[node] = ANIM_POSE_NONE;
		if (w->partners[node] == ANIM_POSE_NONE && same != ANIM_POSE_NONE && !w->taken[same])
			w->partners[node] = same;
	}
}

/* Return whether a node of a side is in the plane and its numbers are pixels with +Y down. */
static bool is_in_pixels(const struct compare_world *w, int side, uint32_t node)
{
	return anim_poses_is_flat(&w->poses[side], node) && w->views[side].head->axes2d == ANIM_AXES2D_GODOT;
}

/* Return true if the node has a partner, and one of the two moves. */
static bool moves(const struct compare_world *w, uint32_t node)
{
	uint32_t other = w->partners[node];

	return other != ANIM_POSE_NONE &&
	       (anim_poses_moves(&w->poses[0], node) || anim_poses_moves(&w->poses[1], other));
}

/* Return true if both nodes have the same unit, so that one may be in space and the other in the plane, and one moves. */
static bool counts(const struct compare_world *w, uint32_t node)
{
	return moves(w, node) && is_in_pixels(w, 0, node) == is_in_pixels(w, 1, w->partners[node]);
}

static enum anim_unit unit_of(const struct compare_world *w, uint32_t node)
{
	return is_in_pixels(w, 0, node) ? ANIM_UNIT_PIXELS : ANIM_UNIT_LENGTH;
}

static double limit_of(const struct compare_world *w, uint32_t node)
{
	return anim_limits_find(&w->c->options.limits, unit_of(w, node), ANIM_LIMIT_WORLD);
}

static double shell_of(const struct compare_world *w, uint32_t node)
{
	return w->c->options.limits.shell_m * (is_in_pixels(w, 0, node) ? w->c->options.ppu : 1);
}

/* Report the nodes that count to the viewer. Returns 0 or -1. */
static int show_joints(struct compare_world *w, struct anim_error *error)
{
	struct anim_compare_joint joint = {.couple = w->c->couple, .clip = w->views[0].head};

	if (w->c->options.show_joint == NULL)
		return 0;
	for (size_t i = 0; i < w->shown_count; i++) {
		uint32_t node = w->shown[i], above = anim_poses_parent(&w->poses[0], node);

		if (!counts(w, node))
			continue;
		while (above != ANIM_POSE_NONE && w->numbers[above] == ANIM_POSE_NONE)
			above = anim_poses_parent(&w->poses[0], above);
		joint.parent = above == ANIM_POSE_NONE ? ANIM_POSE_NONE : w->numbers[above];
		joint.path = anim_poses_path(&w->poses[0], node);
		joint.unit = unit_of(w, node);
		joint.limit = limit_of(w, node);
		joint.shell = shell_of(w, node);
		if (w->c->options.show_joint(w->c->options.show_context, &joint, error) != 0)
			return -1;
		w->numbers[node] = joint.number++;
	}
	return 0;
}

static int measure(struct compare_world *w, struct anim_error *error)
{
	size_t total;

	times_of(w, &total);
	for (size_t first = 0, count; first < total; first += count) {
		size_t most = w->poses[0].tile < w->poses[1].tile ? w->poses[0].tile : w->poses[1].tile;

		count = total - first < most ? total - first : most;
		for (int side = 0; side < 2; side++)
			if (anim_poses_tile(&w->poses[side], first, count, error) != 0)
				return -1;
		for (size_t i = 0; i < w->shown_count; i++)
			for (size_t k = 0; k < count && counts(w, w->shown[i]); k++) {
				uint32_t node = w->shown[i];
				double t = moment(w, first + k), before = first + k > 0 ? moment(w, first + k - 1) : t;
				double off = anim_poses_distance(anim_poses_at(&w->poses[0], node, k),
								 anim_poses_at(&w->poses[1], w->partners[node], k),
								 shell_of(w, node), false);

				struct apart *apart = &w->apart[node];
				double length_s = t - before;

				if (length_s > 0) {
					apart->square +=
					    length_s * (apart->last * apart->last + apart->last * off + off * off) / 3;
					apart->seconds += length_s;
				}
				if (off > apart->worst) {
					apart->worst = off;
					apart->at_s = t;
				}
				apart->last = off;

				if (w->c->options.show_joint != NULL)
					w->c->options.show_apart(w->c->options.show_context, w->numbers[node], t, off);
			}
	}
	return 0;
}

/* ---- Viewers ---- */

int anim_compare_place(const struct anim_compare_world *shown, const double *times, size_t count,
		       struct anim_error *error)
{
	struct compare_world *w = shown->context;

	w->times.size = 0;
	w->steps = false; /* the requested times are not keys, so no time is shifted after a step */
	if (anim_buffer_append(&w->times, times, count * sizeof *times, error) != 0)
		return -1;
	for (int side = 0; side < 2; side++)
		if (place_side(w, side, error) != 0)
			return -1;
	return 0;
}

static int show_world(struct compare_world *w, struct anim_error *error)
{
	const struct anim_compare_options *options = &w->c->options;
	struct anim_compare_world shown = {.couple = w->c->couple,
					   .clip = w->views[0].head,
					   .poses = {&w->poses[0], &w->poses[1]},
					   .partners = w->partners,
					   .has_muscles = {w->views[0].has_muscles, w->views[1].has_muscles},
					   .apart = {{.worst = ANIM_POSE_NONE}, {.worst = ANIM_POSE_NONE}},
					   .context = w};

	if (options->show_world == NULL)
		return 0;
	for (size_t i = 0; i < w->shown_count; i++) {
		uint32_t node = w->shown[i];
		struct anim_compare_apart *sums = &shown.apart[anim_poses_is_flat(&w->poses[0], node)];
		const struct apart *apart = &w->apart[node];
		double limit = limit_of(w, node);

		sums->off += apart->worst > 0;
		sums->beyond += limit > 0 && apart->worst > limit;
		if (apart->worst > sums->worst_off) {
			sums->worst = node;
			sums->unit = unit_of(w, node);
			sums->worst_off = apart->worst;
			sums->shell = shell_of(w, node);
			sums->at_s = apart->at_s + (double)shown.clip->start_s;
		}
	}
	return options->show_world(options->show_context, &shown, error);
}

/* ---- The rows ---- */

static int add_row(struct compare_world *w, uint32_t node, struct anim_error *error)
{
	const struct apart *apart = &w->apart[node];
	struct compare_item *items = anim_arena_zeroed(&w->c->notes, 2, sizeof *items, error);
	struct compare_row row = {.unit = unit_of(w, node),
				  .worst = apart->worst,
				  .rms = apart->seconds > 0 ? sqrt(apart->square / apart->seconds) : apart->worst,
				  .at_s = apart->at_s + (double)w->views[0].head->start_s,
				  .limit = limit_of(w, node)};

	if (items == NULL)
		return -1;
	for (int side = 0; side < 2; side++) {
		const char *path = anim_poses_path(&w->poses[side], side == 0 ? node : w->partners[node]);

		items[side] = (struct compare_item){.property = ANIM_LIMIT_WORLD, .kind = "", .component = ANIM_WHOLE};
		items[side].node = anim_arena_text(&w->c->notes, path, strlen(path), error);
		if (items[side].node == NULL)
			return -1;
		for (int i = 0; i < ANIM_COMPONENTS_JOINED; i++)
			items[side].tracks[i] = COMPARE_NO_TRACK;
		row.items[side] = &items[side];
	}
	row.status = row.worst == 0 ? COMPARE_SAME : row.worst <= row.limit ? COMPARE_WITHIN : COMPARE_DIFFERS;
	return compare_add_row(w->c, &row, error);
}

/* ---- Both clips ---- */

static void clear_trees(struct compare_world *w)
{
	for (int side = 0; side < 2; side++) {
		anim_poses_clear(&w->poses[side]);
		w->trees[side] = NULL;
	}
	anim_arena_reset(&w->tree_arena);
	w->shown_count = 0;
}

/*
 * Read the tree of each side, or the tree of the other side if it has none, unless both are the trees of the
 * previous clips. Returns 0 or -1.
 */
static int read_trees(struct compare_world *w, struct anim_error *error)
{
	const struct compare_view *of[2];

	if (w->views[0].tree == 0 && w->views[1].tree == 0)
		return anim_fail(
		    error, ANIM_BAD_INPUT,
		    "neither '%s' nor '%s' has a node tree, so the positions of nodes in space are unknown",
		    w->c->options.names[0], w->c->options.names[1]);
	for (int side = 0; side < 2; side++)
		of[side] = &w->views[w->views[side].tree > 0 ? side : !side];
	if (w->trees[0] == of[0]->trees && w->tree[0] == of[0]->tree && w->trees[1] == of[1]->trees &&
	    w->tree[1] == of[1]->tree)
		return 0;
	clear_trees(w);
	for (int side = 0; side < 2; side++) {
		struct anim_sink *sink = anim_poses_sink_new(&w->poses[side], error);
		int result =
		    sink == NULL ? -1 : anim_store_replay_tree(of[side]->trees->store, of[side]->tree - 1, sink, error);

		anim_sink_free(sink);
		if (result != 0)
			return -1;
	}

	/* Allocate the data of nodes, and find the nodes with the same names in both trees. */
	size_t first = anim_poses_count(&w->poses[0]), second = anim_poses_count(&w->poses[1]);
	uint32_t *numbers = anim_arena_zeroed(&w->tree_arena, 5 * first + second + 1, sizeof *numbers, error);

	w->apart = anim_arena_zeroed(&w->tree_arena, first + 1, sizeof *w->apart, error);
	w->taken = anim_arena_zeroed(&w->tree_arena, second + 1, sizeof *w->taken, error);
	if (numbers == NULL || w->apart == NULL || w->taken == NULL)
		return -1;
	memset(numbers, 0xff, (5 * first + second) * sizeof *numbers);
	w->same = numbers;
	w->same_next = numbers + first;
	w->partners = numbers + 2 * first;
	w->numbers = numbers + 3 * first;
	w->shown = numbers + 4 * first;
	w->same_first = numbers + 5 * first;
	w->shown_count = 0;
	for (uint32_t node = 0; node < first; node++) {
		uint32_t same = w->same[node] =
		    anim_poses_find_loosely(&w->poses[1], ".", anim_poses_path(&w->poses[0], node));

		if (same == ANIM_POSE_NONE)
			continue;
		w->same_next[node] = w->same_first[same];
		w->same_first[same] = node;
	}

	for (int side = 0; side < 2; side++) {
		w->trees[side] = of[side]->trees;
		w->tree[side] = of[side]->tree;
	}
	return 0;
}

int compare_world(struct anim_compare *c, struct compare_view views[2], struct anim_error *error)
{
	struct compare_world *w = c->world;
	double lengths[2];

	if (w == NULL) {
		w = c->world = anim_zeroed(sizeof *w, error);
		if (w == NULL)
			return -1;
		for (int side = 0; side < 2; side++)
			anim_poses_init(&w->poses[side], c->options.store_memory);
	}
	w->c = c;
	w->views = views;
	w->steps = false;
	w->times.size = 0;
	if (read_trees(w, error) != 0)
		return -1;

	/* Forget the nodes of the previous clips. */
	for (size_t i = 0; i < w->shown_count; i++) {
		uint32_t node = w->shown[i];

		if (w->partners[node] != ANIM_POSE_NONE)
			w->taken[w->partners[node]] = 0;
		w->partners[node] = w->numbers[node] = ANIM_POSE_NONE;
		w->apart[node] = (struct apart){.worst = 0};
	}
	w->shown_count = 0;

	for (int side = 0; side < 2; side++) {
		const struct anim_clip *clip = w->views[side].head;

		lengths[side] = (double)clip->end_s - (double)clip->start_s;
	}
	w->end_s = fmin(lengths[0], lengths[1]);
	w->epsilon = fmax(4e-7, 4e-7 * w->end_s);

	/* Add the points between the keys. */
	double step_s = (double)w->c->options.rate_den / (double)w->c->options.rate_num;
	size_t count;
	float *grid;

	if (w->end_s / step_s >= (double)ANIM_SAMPLES_MAX)
		return anim_fail(
		    error, ANIM_TOO_LARGE,
		    "clip '%s' of %.9g s would need more than %u points of comparison. Use a lower rate (" ANIM_OPTION(
			"diff", "rate") ")",
		    w->views[0].head->name, w->end_s, ANIM_SAMPLES_MAX);
	count = (size_t)(w->end_s / step_s) + 2;
	w->breaks.size = 0;
	if ((grid = anim_buffer_extend(&w->breaks, count * sizeof *grid, error)) == NULL)
		return -1;
	for (size_t k = 0; k < count; k++)
		grid[k] = (float)fmin((double)k * step_s, w->end_s);
	if (merge(w, grid, count, 0, error) != 0)
		return -1;

	for (int side = 0; side < 2; side++)
		if (find_placed(w, side, error) != 0)
			return -1;
	for (int side = 0; side < 2; side++)
		if (place_side(w, side, error) != 0)
			return -1;
	pair_nodes(w);
	if (show_joints(w, error) != 0 || measure(w, error) != 0)
		return -1;
	for (int side = 0; side < 2; side++) /* a node may have been missed because memory ran out */
		if (anim_rests_check(&w->poses[side].rests, error) != 0)
			return -1;
	for (size_t i = 0; i < w->shown_count; i++) {
		uint32_t node = w->shown[i];

		if (counts(w, node)
			? add_row(w, node, error) != 0
			: moves(w, node) &&
			      anim_diagnostics_warn(
				  w->c->options.diagnostics, "node", error,
				  "'%s': not compared, because of two dimensions in one file and three in the other",
				  anim_poses_path(&w->poses[0], node)) != 0)
			return -1;
	}
	return show_world(w, error);
}

void compare_world_forget(struct compare_world *w)
{
	if (w != NULL)
		clear_trees(w);
}

void compare_world_free(struct compare_world *w)
{
	if (w == NULL)
		return;
	clear_trees(w);
	anim_buffer_clear(&w->times);
	anim_buffer_clear(&w->merged);
	anim_buffer_clear(&w->breaks);
	anim_arena_clear(&w->tree_arena);
	free(w);
}
