/*
 * reduce.c: bench_reduce SOURCE RESULT SHELL [POINTS]: how far the joints of two streams of one tree are apart, looked at
 * densely and in double, by an evaluator of its own (names and records are the library's, nothing of the maths is). Prints of
 * all clips together keys before and after, the largest distance in metres, and when. Tracks: whole positions, rotations and
 * scales with straight lines or Hermite curves.
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "stream/stream.h"

enum { NODES = 4096, CLIPS = 64, PARTS = 3 };

struct curve {
	size_t n;
	int lanes;  /* 0: none */
	int steps;  /* a value holds until the next key */
	int chords; /* rotations: blended lane by lane */
	int hermite;
	double *t, *v, *left, *right;
};

struct scene {
	struct anim_sink sink;
	size_t nodes, clips, keys;
	char *paths[NODES], *roots[CLIPS];
	uint32_t parents[NODES];
	double rest[NODES][PARTS][4], ends[CLIPS][2];
	struct curve *curves; /* by clip, node, part */
	struct anim_arena arena;
};

static void *need(void *p)
{
	if (p == NULL)
		exit(2);
	return p;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct scene *s = (struct scene *)sink;
	size_t i = s->nodes++;

	(void)error;
	if (s->nodes > NODES)
		exit(2);
	s->paths[i] = need(strdup(node->path));
	s->parents[i] = node->parent;
	for (int k = 0; k < 4; k++) {
		s->rest[i][0][k] = k < 3 ? (double)node->position[k] : 0;
		s->rest[i][1][k] = (double)node->rotation[k];
		s->rest[i][2][k] = k < 3 ? (double)node->scale[k] : 0;
	}
	return 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct scene *s = (struct scene *)sink;

	(void)error;
	if (s->curves == NULL)
		s->curves = need(calloc(CLIPS * s->nodes * PARTS, sizeof *s->curves));
	if (s->clips == CLIPS)
		exit(2);
	s->roots[s->clips] = need(strdup(clip->root));
	s->ends[s->clips][0] = (double)clip->start_s;
	s->ends[s->clips++][1] = (double)clip->end_s;
	return 0;
}

static double *column(const struct anim_track *track, const void *values, int lanes)
{
	double *out;

	if (values == NULL)
		return NULL;
	out = need(malloc(track->n * (size_t)lanes * sizeof *out));
	for (size_t k = 0; k < track->n; k++)
		for (int i = 0; i < lanes; i++)
			out[k * (size_t)lanes + (size_t)i] = anim_component(track->type, values, k, (unsigned)i);
	return out;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	static const char *const names[PARTS] = {"position", "rotation", "scale"};
	struct scene *s = (struct scene *)sink;
	char *path = anim_tree_path(s->roots[s->clips - 1], track->node, &s->arena, error);
	struct curve *curve;

	s->keys += track->n;
	for (size_t node = 0; path != NULL && node < s->nodes; node++)
		for (size_t part = 0; part < PARTS; part++) {
			/* those of two dimensions are no joints in space */
			if (strcmp(path, s->paths[node]) != 0 || strcmp(track->property, names[part]) != 0 ||
			    anim_types[track->type].components != (part == 1 ? 4 : 3))
				continue;
			curve = &s->curves[((s->clips - 1) * s->nodes + node) * PARTS + part];
			curve->n = track->n;
			curve->lanes = part == 1 ? 4 : 3;
			curve->steps =
			    track->kind == ANIM_DISCRETE || (track->kind == ANIM_CURVE && track->interp == ANIM_HOLD);
			curve->chords = track->rules == ANIM_RULES_UNITY || track->rules == ANIM_RULES_RESONITE;
			curve->hermite = track->kind == ANIM_CURVE && track->interp == ANIM_HERMITE;
			curve->t = need(malloc(track->n * sizeof(double)));
			for (size_t k = 0; k < track->n; k++)
				curve->t[k] = anim_track_time(track, k);
			curve->v = column(track, track->value, curve->lanes);
			curve->left = column(track, track->left, curve->lanes);
			curve->right = column(track, track->right, curve->lanes);
		}
	return 0;
}

static void read_scene(struct scene *s, const char *path)
{
	static const struct anim_sink_ops ops = {.node = on_node, .clip = on_clip, .track = on_track};
	struct anim_stream_reader *reader = NULL;
	struct anim_input *input = NULL;
	struct anim_error error = {0};

	s->sink.ops = &ops;
	if (anim_input_open(&input, path, NULL, &error) != 0 || anim_stream_reader_new(&reader, input, &error) != 0 ||
	    anim_stream_pump(reader, &s->sink, &error) != 0) {
		fprintf(stderr, "bench_reduce: %s: %s\n", path, error.message);
		exit(2);
	}
	anim_stream_reader_free(reader);
	anim_input_close(input);
}

static void unit(double q[4])
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	for (int i = 0; i < 4; i++)
		q[i] /= length;
}

static void arc(const double *a, const double *b, double w, double out[4])
{
	double dot = 0, sign, angle, from = 1 - w, to = w;

	for (int i = 0; i < 4; i++)
		dot += a[i] * b[i];
	sign = dot < 0 ? -1 : 1;
	angle = acos(fmin(fabs(dot), 1));
	if (angle > 1e-4) {
		from = sin((1 - w) * angle) / sin(angle);
		to = sin(w * angle) / sin(angle);
	}
	for (int i = 0; i < 4; i++)
		out[i] = from * a[i] + sign * to * b[i];
}

static void value_at(const struct curve *c, double t, double out[4])
{
	size_t low = 0, high = c->n, lanes = (size_t)c->lanes;
	const double *a, *b;
	double w, length;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (c->t[middle] <= t)
			low = middle;
		else
			high = middle;
	}
	a = c->v + low * lanes;
	memcpy(out, a, lanes * sizeof *out);
	if (t > c->t[low] && low + 1 < c->n && !c->steps) {
		b = a + lanes;
		length = c->t[low + 1] - c->t[low];
		w = (t - c->t[low]) / length;
		for (size_t i = 0; i < lanes; i++)
			out[i] = a[i] + w * (b[i] - a[i]);
		for (size_t i = 0; i < lanes && c->hermite; i++)
			out[i] = a[i] * (1 + 2 * w) * (1 - w) * (1 - w) + b[i] * w * w * (3 - 2 * w) +
				 length * (c->right[low * lanes + i] * w * (1 - w) * (1 - w) -
					   c->left[(low + 1) * lanes + i] * w * w * (1 - w));
		if (lanes == 4 && !c->hermite && !c->chords)
			arc(a, b, w, out);
	}
	if (lanes == 4)
		unit(out);
}

/* Rows of three: basis and origin. */
static void pose(const struct scene *s, size_t clip, double t, double (*out)[12])
{
	for (size_t node = 0; node < s->nodes; node++) {
		double v[PARTS][4], m[12];
		const double *q = v[1];

		for (size_t part = 0; part < PARTS; part++) {
			const struct curve *c = &s->curves[(clip * s->nodes + node) * PARTS + part];

			memcpy(v[part], s->rest[node][part], sizeof v[part]);
			if (c->n > 0)
				value_at(c, t, v[part]);
		}
		unit(v[1]);
		for (int r = 0; r < 3; r++)
			for (int k = 0; k < 3; k++) {
				int o = 3 - r - k;
				double e =
				    r == k ? 1 - 2 * (q[(r + 1) % 3] * q[(r + 1) % 3] + q[(r + 2) % 3] * q[(r + 2) % 3])
					   : 2 * (q[r] * q[k] + ((k - r + 3) % 3 == 1 ? -1 : 1) * q[o] * q[3]);

				m[4 * r + k] = e * v[2][k];
			}
		for (int r = 0; r < 3; r++)
			m[4 * r + 3] = v[0][r];
		if (s->parents[node] == ANIM_NO_PARENT) {
			memcpy(out[node], m, sizeof m);
			continue;
		}
		for (int r = 0; r < 3; r++)
			for (int k = 0; k < 4; k++) {
				const double *p = out[s->parents[node]] + 4 * r;

				out[node][4 * r + k] =
				    p[0] * m[k] + p[1] * m[4 + k] + p[2] * m[8 + k] + (k == 3 ? p[3] : 0);
			}
	}
}

/* The farthest of 26 points of the shell from itself. */
static double distance(const double a[12], const double b[12], double shell)
{
	double most = 0;

	for (int i = 0; i < 26; i++) {
		int index = i < 13 ? i : i + 1;
		double d[3] = {index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1}, square = 0, length;

		length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / shell;
		for (int r = 0; r < 3; r++) {
			double off = a[4 * r + 3] - b[4 * r + 3];

			for (int k = 0; k < 3 && shell > 0; k++)
				off += (a[4 * r + k] - b[4 * r + k]) * d[k] / length;
			square += off * off;
		}
		most = fmax(most, square);
	}
	return sqrt(most);
}

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The times of all keys of a clip. */
static size_t knots(const struct scene *s, size_t clip, double **out)
{
	size_t count = 2, used = 0;
	const struct curve *c = s->curves + clip * s->nodes * PARTS;

	for (size_t i = 0; i < s->nodes * PARTS; i++)
		count += c[i].n;
	*out = need(malloc(count * sizeof **out));
	(*out)[used++] = s->ends[clip][0];
	(*out)[used++] = s->ends[clip][1];
	for (size_t i = 0; i < s->nodes * PARTS; i++)
		for (size_t k = 0; k < c[i].n; k++)
			(*out)[used++] = c[i].t[k];
	qsort(*out, used, sizeof **out, by_time);
	count = 0;
	for (size_t i = 0; i < used; i++)
		if (count == 0 || (*out)[i] > (*out)[count - 1] + 1e-7)
			(*out)[count++] = (*out)[i];
	return count;
}

int main(int argc, char **argv)
{
	static struct scene scenes[2];
	static double poses[2][NODES][12];
	double shell, most = 0, at_s = 0;
	unsigned points = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 64;

	if (argc < 4)
		return 2;
	shell = strtod(argv[3], NULL);
	for (int side = 0; side < 2; side++)
		read_scene(&scenes[side], argv[1 + side]);
	for (size_t clip = 0; clip < scenes[0].clips; clip++) {
		double *times;
		size_t count = knots(&scenes[0], clip, &times);

		for (size_t k = 0; k + 1 < count; k++)
			for (unsigned i = 0; i < points; i++) {
				double t = times[k] + (times[k + 1] - times[k]) * i / points;

				for (int side = 0; side < 2; side++)
					pose(&scenes[side], clip, t, poses[side]);
				for (size_t node = 0; node < scenes[0].nodes; node++) {
					double off = distance(poses[0][node], poses[1][node], shell);

					if (off > most) {
						most = off;
						at_s = t;
					}
				}
			}
		free(times);
	}
	printf("%zu %zu %.9g %.6f\n", scenes[0].keys, scenes[1].keys, most, at_s);
	return 0;
}
