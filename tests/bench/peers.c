/*
 * peers.c: bench_peers RULE TOLERANCE SOURCE RESULT: the rules by which others leave out keys, restated, so that their keys can be
 * counted where their measured error is the same. Tracks: whole positions, rotations (arcs between keys) and scales.
 *
 *   resample  a key goes that lies on the line from the last key that stayed to the next one, each component to the tolerance;
 *             what went is not looked at again (npm keyframe-resample 0.1.0, which is glTF-Transform's `resample`)
 *   godot     the middle one of three keys goes where the velocities before and behind it have nearly one direction and one
 *             length, or both steps are tiny; TOLERANCE: velocity and angle, a tenth of it the tiny step, as its defaults have
 *             it (Godot 4, scene/resources/animation.cpp, Animation::optimize)
 *   ozz       Ramer-Douglas-Peucker in metres; what a turn is off counts times the length of the joints below, 0.1 m at least,
 *             and each joint spends all of the tolerance (ozz-animation 0.16, animation_optimizer.cc and decimate.h)
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/filter.h"
#include "stream/stream.h"

enum { NODES = 4096, LANES = 4 };

struct peers {
	struct anim_filter filter;
	const char *rule;
	double tolerance;
	/* the tree: how far below each node the farthest goes */
	size_t nodes;
	char *paths[NODES];
	uint32_t parents[NODES];
	double lengths[NODES], distances[NODES];
	char *root;
	struct anim_keys keys;
	struct anim_arena arena;
	/* the track at hand */
	size_t n;
	int lanes;
	double *t, (*v)[LANES], reach;
	unsigned char *keep;
};

static double dot(const double *a, const double *b, int lanes)
{
	double sum = 0;

	for (int i = 0; i < lanes; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Between keys a and b at the time of key k. */
static void between(const struct peers *p, size_t a, size_t b, size_t k, double out[LANES])
{
	double w = (p->t[k] - p->t[a]) / (p->t[b] - p->t[a]), from = 1 - w, to = w;
	double cosine = dot(p->v[a], p->v[b], p->lanes), angle;

	if (p->lanes == 4) {
		angle = acos(fmin(fabs(cosine), 1));
		if (angle > 1e-6) {
			from = sin((1 - w) * angle) / sin(angle);
			to = sin(w * angle) / sin(angle);
		}
		to = cosine < 0 ? -to : to;
	}
	for (int i = 0; i < p->lanes; i++)
		out[i] = from * p->v[a][i] + to * p->v[b][i];
}

static double angle_between(const double *a, const double *b)
{
	double minus = 0, plus = 0;

	for (int i = 0; i < 4; i++) {
		minus += (a[i] - b[i]) * (a[i] - b[i]);
		plus += (a[i] + b[i]) * (a[i] + b[i]);
	}
	return 4 * atan2(sqrt(fmin(minus, plus)), sqrt(fmax(minus, plus)));
}

static double distance(const double *a, const double *b)
{
	double square = 0;

	for (int i = 0; i < 3; i++)
		square += (a[i] - b[i]) * (a[i] - b[i]);
	return sqrt(square);
}

/* ---- resample ---- */

static void resample(struct peers *p)
{
	size_t last = 0;

	for (size_t k = 1; k + 1 < p->n; k++) {
		double on[LANES];
		int near = 1;

		between(p, last, k + 1, k, on);
		for (int i = 0; i < p->lanes; i++)
			near = near && fabs(on[i] - p->v[k][i]) <= p->tolerance;
		p->keep[k] = !near;
		last = near ? last : k;
	}
}

/* ---- godot ---- */

/* The turn from a to b: its axis, and its angle. */
static double turn(const double *a, const double *b, double axis[3])
{
	double v[3], w = dot(a, b, 4), length;

	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;

		v[i] = b[i] * a[3] - a[i] * b[3] - b[j] * a[k] + b[k] * a[j];
	}
	length = sqrt(dot(v, v, 3));
	for (int i = 0; i < 3; i++)
		axis[i] = length > 0 ? (w < 0 ? -v[i] : v[i]) / length : 0;
	return 2 * atan2(length, fabs(w));
}

static int godot_drops(const struct peers *p, size_t a, size_t b, size_t c)
{
	double first[3], second[3], tiny = p->tolerance / 10, speeds[2],
				    steps[2] = {p->t[b] - p->t[a], p->t[c] - p->t[b]};

	if (p->lanes == 4) {
		speeds[0] = turn(p->v[a], p->v[b], first);
		speeds[1] = turn(p->v[b], p->v[c], second);
	} else {
		for (int i = 0; i < 3; i++) {
			first[i] = p->v[b][i] - p->v[a][i];
			second[i] = p->v[c][i] - p->v[b][i];
		}
		speeds[0] = sqrt(dot(first, first, 3));
		speeds[1] = sqrt(dot(second, second, 3));
		for (int i = 0; i < 3; i++) {
			first[i] /= speeds[0] > 0 ? speeds[0] : 1;
			second[i] /= speeds[1] > 0 ? speeds[1] : 1;
		}
	}
	if (speeds[0] < tiny && speeds[1] < tiny)
		return 1;
	if (dot(first, second, 3) < 1 - 2 * p->tolerance)
		return 0;
	speeds[0] /= steps[0];
	speeds[1] /= steps[1];
	return fmin(speeds[0], speeds[1]) >= (1 - p->tolerance) * fmax(speeds[0], speeds[1]);
}

static void godot(struct peers *p)
{
	size_t last = 0;

	for (size_t k = 1; k + 1 < p->n; k++) {
		p->keep[k] = (unsigned char)!godot_drops(p, last, k, k + 1);
		last = p->keep[k] ? k : last;
	}
}

/* ---- ozz ---- */

static void decimate(struct peers *p, size_t a, size_t b)
{
	double most = 0, on[LANES];
	size_t worst = a;

	for (size_t k = a + 1; k < b; k++) {
		double off;

		between(p, a, b, k, on);
		off = p->lanes == 4 ? p->reach * 2 * sin(angle_between(on, p->v[k]) / 2)
				    : distance(on, p->v[k]) * p->reach;
		if (off > most) {
			most = off;
			worst = k;
		}
	}
	if (most <= p->tolerance)
		return;
	p->keep[worst] = 1;
	decimate(p, a, worst);
	decimate(p, worst, b);
}

/* ---- Tracks ---- */

static size_t node_of(struct peers *p, const struct anim_track *track, struct anim_error *error)
{
	const char *path = anim_tree_path(p->root, track->node, &p->arena, error);

	for (size_t i = 0; path != NULL && i < p->nodes; i++)
		if (strcmp(path, p->paths[i]) == 0)
			return i;
	return NODES;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct peers *p = (struct peers *)sink;
	size_t node = node_of(p, track, error), size = anim_types[track->type].size;
	struct anim_track out = *track;

	p->n = track->n;
	p->lanes = (int)anim_types[track->type].components;
	p->reach = node < NODES && p->lanes == 4 ? p->lengths[node] : strcmp(track->property, "scale") == 0 ? 0.1 : 1;
	p->t = calloc(p->n + 1, sizeof *p->t);
	p->v = calloc(p->n + 1, sizeof *p->v);
	p->keep = calloc(p->n + 1, 1);
	if (p->t == NULL || p->v == NULL || p->keep == NULL || p->lanes > LANES)
		return anim_fail_memory(error);
	for (size_t k = 0; k < p->n; k++) {
		p->t[k] = anim_track_time(track, k);
		anim_components(track->type, track->value, k, p->v[k]);
	}
	memset(p->keep, 1, p->n);
	if (p->n > 2 && strcmp(p->rule, "ozz") == 0) {
		memset(p->keep + 1, 0, p->n - 2);
		decimate(p, 0, p->n - 1);
	} else if (p->n > 2) {
		strcmp(p->rule, "godot") == 0 ? godot(p) : resample(p);
	}
	/* two equal keys are one: all of them do that */
	if (p->n > 1 && memchr(p->keep + 1, 1, p->n - 2 > 0 ? p->n - 2 : 0) == NULL &&
	    memcmp(p->v[0], p->v[p->n - 1], sizeof *p->v) == 0)
		p->keep[p->n - 1] = 0;
	anim_keys_reset(&p->keys, track->type);
	for (size_t k = 0; k < p->n; k++)
		if (p->keep[k] && anim_keys_add(&p->keys, (float)p->t[k], (const char *)track->value + k * size,
						ANIM_LINEAR, error) != 0)
			return -1;
	free(p->t);
	free(p->v);
	free(p->keep);
	out.kind = ANIM_CURVE;
	out.start_s = out.step_s = 0;
	out.rate_num = out.rate_den = 0;
	memset(out.column, 0, sizeof out.column);
	anim_keys_finish(&p->keys, &out);
	return anim_sink_track(p->filter.next, &out, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct peers *p = (struct peers *)sink;
	double square = 0;

	if (p->nodes == NODES || (p->paths[p->nodes] = strdup(node->path)) == NULL)
		return anim_fail_memory(error);
	for (int i = 0; i < 3; i++)
		square += (double)node->position[i] * (double)node->position[i];
	p->parents[p->nodes] = node->parent;
	p->distances[p->nodes++] = sqrt(square);
	return anim_filter_node(sink, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct peers *p = (struct peers *)sink;

	p->root = strdup(clip->root);
	for (size_t i = 0; i < p->nodes; i++)
		p->lengths[i] = 0.1;
	for (size_t i = p->nodes; i-- > 0;)
		if (p->parents[i] != ANIM_NO_PARENT)
			p->lengths[p->parents[i]] = fmax(p->lengths[p->parents[i]], p->lengths[i] + p->distances[i]);
	return p->root == NULL ? anim_fail_memory(error) : anim_filter_clip(sink, clip, error);
}

int main(int argc, char **argv)
{
	static const struct anim_sink_ops ops = {.node = on_node, .clip = on_clip, .track = on_track};
	const struct anim_stream_writer_options options = {0};
	struct anim_stream_reader *reader = NULL;
	struct anim_input *input = NULL;
	struct anim_output *output = NULL;
	struct anim_error error = {0};
	struct anim_sink *writer;
	struct peers *p;

	if (argc < 5 || anim_input_open(&input, argv[3], NULL, &error) != 0 ||
	    anim_stream_reader_new(&reader, input, &error) != 0 || anim_output_open(&output, argv[4], &error) != 0 ||
	    (writer = anim_stream_writer_new(output, &options, &error)) == NULL ||
	    (p = anim_filter_new(sizeof *p, &ops, writer, &error)) == NULL)
		return 2;
	p->rule = argv[1];
	p->tolerance = strtod(argv[2], NULL);
	if (anim_stream_pump(reader, &p->filter.sink, &error) != 0 || anim_sink_end(&p->filter.sink, &error) != 0 ||
	    anim_output_commit(output, &error) != 0) {
		fprintf(stderr, "bench_peers: %s\n", error.message);
		return 1;
	}
	return 0;
}
