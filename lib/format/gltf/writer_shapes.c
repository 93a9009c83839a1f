/* writer_shapes.c: the weights of a mesh: the stream has a track for each blend shape, glTF one sampler for all of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/gltf/writer.h"
#include "math/curve.h"

#define BLEND_SHAPE "blend_shape/"

/* The tracks of one mesh in one clip. */
struct shapes {
	struct gltf_writer *writer;
	size_t clip;
	uint32_t node;
	uint32_t first;           /* its first track */
	const uint32_t *next;     /* behind each track the next one of the same node; GLTF_NONE: there is none */
	struct anim_buffer times; /* of all of them, rising, none twice */
	enum anim_interp mode;
	float *value, *left, *right; /* for each time the weights of all targets */
};

/* ---- One track at any time ---- */

/* Key k, the one at the clip's end behind the others. */
static float time_at(const struct gltf_keys *keys, size_t k)
{
	return k < keys->n ? keys->time[k] : keys->last_s;
}

static float value_at(const struct gltf_keys *keys, size_t k)
{
	return k < keys->n ? keys->value[k] : *keys->last;
}

static size_t count_of(const struct gltf_keys *keys)
{
	return keys->n + (keys->last != NULL);
}

struct point {
	float value, left, right;
};

/* The slope at a time in the segment that key k opens. */
static double slope_in(const struct gltf_keys *keys, size_t k, double t)
{
	double from = (double)value_at(keys, k), to = (double)value_at(keys, k + 1);
	double start = (double)time_at(keys, k), d = (double)time_at(keys, k + 1) - start, s = (t - start) / d;

	if (keys->mode == ANIM_HOLD)
		return 0;
	if (keys->mode == ANIM_LINEAR)
		return (to - from) / d;
	return (6 * s * s - 6 * s) * (from - to) / d + (3 * s * s - 4 * s + 1) * (double)keys->right[k] +
	       (3 * s * s - 2 * s) * (double)keys->left[k + 1];
}

static double value_in(const struct gltf_keys *keys, size_t k, double t)
{
	double from = (double)value_at(keys, k), to = (double)value_at(keys, k + 1);
	double start = (double)time_at(keys, k), d = (double)time_at(keys, k + 1) - start, s = (t - start) / d;

	if (keys->mode == ANIM_HOLD)
		return from;
	if (keys->mode == ANIM_LINEAR)
		return from + (to - from) * s;
	return anim_hermite(from, (double)keys->right[k], to, (double)keys->left[k + 1], d, s);
}

/* At key k; `outer`: nothing of any track is before it, or behind it. */
static void at_key(const struct gltf_keys *keys, size_t k, bool outer, struct point *out)
{
	bool cubic = keys->mode == ANIM_HERMITE, first = k == 0, last = k + 1 == count_of(keys);
	double t = (double)time_at(keys, k);

	out->value = value_at(keys, k);
	out->left = out->right = 0;
	if (!first)
		out->left = cubic ? keys->left[k] : (float)slope_in(keys, k - 1, t);
	else if (cubic && outer)
		out->left = keys->left[k];
	if (!last)
		out->right = cubic ? keys->right[k] : (float)slope_in(keys, k, t);
	else if (cubic && outer)
		out->right = keys->right[k];
}

/* *k: the last key at or before the time before; it only grows. */
static void evaluate(const struct gltf_keys *keys, size_t *k, float t, bool outer, struct point *out)
{
	while (*k + 1 < count_of(keys) && time_at(keys, *k + 1) <= t)
		++*k;
	if (time_at(keys, *k) == t) {
		at_key(keys, *k, outer, out);
		return;
	}
	*out = (struct point){.value = value_at(keys, *k)};
	if (t < time_at(keys, 0) || *k + 1 == count_of(keys))
		return;
	out->value = (float)value_in(keys, *k, (double)t);
	out->left = out->right = (float)slope_in(keys, *k, (double)t);
}

/* ---- All of them ---- */

static int compare_times(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return x < y ? -1 : x > y;
}

static int add_time(struct shapes *shapes, float t)
{
	return anim_buffer_append(&shapes->times, &t, sizeof t, shapes->writer->error);
}

/* Reads track i of the clip. 0 or -1. */
static int read_keys(struct shapes *shapes, size_t i, struct anim_track *t, struct gltf_keys *keys)
{
	struct gltf_writer *writer = shapes->writer;

	anim_arena_reset(&writer->scratch);
	return anim_store_read(writer->later, shapes->clip, i, t, writer->error) != 0 ||
		       gltf_prepare(writer, t, false, keys) != 0
		   ? -1
		   : 0;
}

static enum anim_interp more_of(enum anim_interp mode, enum anim_interp other)
{
	if (mode == ANIM_HERMITE || other == ANIM_HERMITE)
		return ANIM_HERMITE;
	return mode == other ? mode : ANIM_LINEAR;
}

/* The mode that can show all of them. 0 or -1. */
static int choose_mode(struct shapes *shapes)
{
	for (uint32_t i = shapes->first; i != GLTF_NONE; i = shapes->next[i]) {
		struct gltf_keys keys;
		struct anim_track t;

		if (read_keys(shapes, i, &t, &keys) != 0)
			return -1;
		shapes->mode = i == shapes->first ? keys.mode : more_of(shapes->mode, keys.mode);
	}
	return 0;
}

/* The times of the keys, and just before a step that others would bend. 0 or -1. */
static int add_times(struct shapes *shapes, const struct gltf_keys *keys)
{
	bool steps = keys->mode == ANIM_HOLD && shapes->mode != ANIM_HOLD;

	for (size_t k = 0; k < count_of(keys); k++) {
		float before = nextafterf(time_at(keys, k), -INFINITY);

		if (steps && k > 0 && value_at(keys, k) != value_at(keys, k - 1) && before > time_at(keys, k - 1) &&
		    add_time(shapes, before) != 0)
			return -1;
		if (add_time(shapes, time_at(keys, k)) != 0)
			return -1;
	}
	return 0;
}

static int collect_times(struct shapes *shapes)
{
	struct gltf_out_clip *clip = gltf_writer_clip(shapes->writer, shapes->clip);
	float *times;
	size_t n, kept = 0;

	shapes->times.size = 0;
	for (uint32_t i = shapes->first; i != GLTF_NONE; i = shapes->next[i]) {
		struct gltf_keys keys;
		struct anim_track t;

		if (read_keys(shapes, i, &t, &keys) != 0 || add_times(shapes, &keys) != 0)
			return -1;
	}
	if (!clip->ended && add_time(shapes, gltf_clip_length(shapes->writer)) != 0)
		return -1;
	clip->ended = true;
	times = (float *)(void *)shapes->times.data;
	n = shapes->times.size / sizeof *times;
	qsort(times, n, sizeof *times, compare_times);
	for (size_t k = 0; k < n; k++)
		if (kept == 0 || times[k] != times[kept - 1])
			times[kept++] = times[k];
	shapes->times.size = kept * sizeof *times;
	return 0;
}

/* The column of the track's target. */
static void fill(struct shapes *shapes, const struct gltf_keys *keys, size_t target, size_t targets)
{
	const float *times = (const float *)(const void *)shapes->times.data;
	size_t n = shapes->times.size / sizeof *times, at = 0;
	struct point point;

	for (size_t k = 0; k < n; k++) {
		evaluate(keys, &at, times[k], k == 0 || k + 1 == n, &point);
		shapes->value[k * targets + target] = point.value;
		if (shapes->mode != ANIM_HERMITE)
			continue;
		shapes->left[k * targets + target] = point.left;
		shapes->right[k * targets + target] = point.right;
	}
}

static int make_columns(struct shapes *shapes, struct anim_arena *arena, size_t targets)
{
	struct gltf_writer *writer = shapes->writer;
	const float *rests = gltf_out_nodes_at(&writer->nodes, shapes->node)->weights;
	size_t n = shapes->times.size / sizeof(float), size;

	if (anim_size_multiply(targets, sizeof(float), &size, writer->error) != 0)
		return -1;
	shapes->value = anim_arena_zeroed(arena, n, size, writer->error);
	shapes->left = shapes->right = NULL;
	if (shapes->mode == ANIM_HERMITE) {
		shapes->left = anim_arena_zeroed(arena, n, size, writer->error);
		shapes->right = anim_arena_zeroed(arena, n, size, writer->error);
	}
	if (shapes->value == NULL || (shapes->mode == ANIM_HERMITE && (shapes->left == NULL || shapes->right == NULL)))
		return -1;
	for (size_t k = 0; k < n && rests != NULL; k++)
		memcpy(shapes->value + k * targets, rests, size);
	return 0;
}

static int put_sampler(struct shapes *shapes, size_t targets)
{
	struct gltf_writer *writer = shapes->writer;
	const struct gltf_keys keys = {
	    .n = shapes->times.size / sizeof(float),
	    .lanes = (unsigned)targets,
	    .scalars = true,
	    .mode = shapes->times.size > sizeof(float) || shapes->mode == ANIM_HOLD ? shapes->mode : ANIM_LINEAR,
	    .time = (const float *)(const void *)shapes->times.data,
	    .value = shapes->value,
	    .left = shapes->left,
	    .right = shapes->right};
	struct gltf_out_channel channel = {
	    .clip = (uint32_t)shapes->clip, .node = shapes->node, .path = GLTF_WEIGHTS, .mode = (uint8_t)keys.mode};

	return gltf_put_keys(writer, &keys, &channel.input, &channel.output) != 0
		   ? -1
		   : anim_buffer_append(&writer->weights, &channel, sizeof channel, writer->error);
}

/* The sampler of one mesh. 0 or -1. */
static int put_mesh(struct shapes *shapes)
{
	struct gltf_writer *writer = shapes->writer;
	size_t targets = gltf_out_nodes_at(&writer->nodes, shapes->node)->targets;
	struct anim_arena columns = {0};
	int result = choose_mode(shapes);

	if (result == 0)
		result = collect_times(shapes);
	if (result == 0)
		result = make_columns(shapes, &columns, targets);
	for (uint32_t i = shapes->first; i != GLTF_NONE && result == 0; i = shapes->next[i]) {
		struct gltf_keys keys;
		struct anim_track t;
		uint32_t target = 0;
		const char *name;

		result = read_keys(shapes, i, &t, &keys);
		name = result == 0 ? t.property + sizeof BLEND_SHAPE - 1 : "";
		if (result == 0 && anim_map_get(&writer->targets, shapes->node, name, strlen(name), &target))
			fill(shapes, &keys, target, targets);
	}
	if (result == 0)
		result = put_sampler(shapes, targets);
	anim_arena_clear(&columns);
	return result;
}

/* The node of each track of weights of the clip; GLTF_NONE for others. 0 or -1. */
static int find_nodes(struct gltf_writer *writer, size_t clip, uint32_t *nodes)
{
	for (size_t i = 0; i < anim_store_tracks(writer->later, clip); i++) {
		const struct anim_store_track *stored = anim_store_track_at(writer->later, clip, i);
		const struct anim_track track = {.node = stored->node, .property = stored->property};

		nodes[i] = GLTF_NONE;
		if (stored->property[0] != '@' && gltf_find_node(writer, &track, &nodes[i]) < 0)
			return -1;
	}
	return 0;
}

/* Leads from each track to the next one of the same node; of the nodes those of their first tracks stay. 0 or -1. */
static int link_tracks(struct gltf_writer *writer, uint32_t *nodes, uint32_t *next, size_t count)
{
	uint32_t *last = anim_zeroed((gltf_out_nodes_count(&writer->nodes) + 1) * sizeof *last, writer->error);

	for (uint32_t i = 0; last != NULL && i < count; i++) {
		uint32_t node = nodes[i];

		next[i] = GLTF_NONE;
		if (node == GLTF_NONE)
			continue;
		if (last[node] != 0) {
			next[last[node] - 1] = i;
			nodes[i] = GLTF_NONE;
		}
		last[node] = i + 1;
	}
	free(last);
	return last == NULL ? -1 : 0;
}

static int put_clip(struct gltf_writer *writer, size_t clip)
{
	size_t count = anim_store_tracks(writer->later, clip);
	uint32_t *nodes = anim_zeroed((count + 1) * sizeof *nodes, writer->error);
	uint32_t *next = anim_zeroed((count + 1) * sizeof *next, writer->error);
	struct shapes shapes = {.writer = writer, .clip = clip, .next = next};
	int result = nodes == NULL || next == NULL ? -1 : find_nodes(writer, clip, nodes);

	if (result == 0)
		result = link_tracks(writer, nodes, next, count);
	for (uint32_t i = 0; i < count && result == 0; i++) {
		if (nodes[i] == GLTF_NONE)
			continue;
		shapes.node = nodes[i];
		shapes.first = i;
		result = put_mesh(&shapes);
	}
	anim_buffer_clear(&shapes.times);
	free(nodes);
	free(next);
	return result;
}

int gltf_put_weights(struct gltf_writer *writer)
{
	for (size_t clip = 0; clip < anim_store_clips(writer->later); clip++) {
		writer->clip = *anim_store_clip(writer->later, clip);
		if (put_clip(writer, clip) != 0)
			return -1;
	}
	return 0;
}
