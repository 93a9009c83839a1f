/* measure.c: how far a segment of the target is from what it stands for. */
#include "filter/convert/measure.h"

#include <math.h>
#include <string.h>

#include "clip/lane.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define DEGREES (180 / ANIM_PI)

void convert_measure_open(struct convert_measure *m, const struct convert_fit *fit, double turn)
{
	memset(m, 0, sizeof *m);
	m->fit = fit;
	m->clip = *fit->source->clip;
	m->clip.attrs = (struct anim_attrs){NULL, 0};
	m->turn = turn;
}

void convert_measure_close(struct convert_measure *m)
{
	anim_sample_state_clear(&m->state);
}

double convert_deviation(const struct convert_measure *m, const double a[ANIM_LANES_MAX],
			 const double b[ANIM_LANES_MAX])
{
	const struct anim_type_info *type = &anim_types[m->fit->type];
	float p[4], q[4];
	double off = 0, angle;

	for (unsigned i = 0; i < 4 && type->quaternion; i++) {
		p[i] = (float)a[i];
		q[i] = (float)b[i];
	}
	if (type->quaternion) {
		angle = anim_quat_angle(p, q);
		return angle == angle ? angle * DEGREES : 0;
	}
	for (unsigned i = 0; i < type->lanes; i++)
		off = fmax(off, fabs(a[i] - b[i]));
	return m->fit->rotation ? off * DEGREES : off;
}

/* Godot looks for the time of a Bezier curve in float32, to a 1024th and on along a straight line. */
static bool is_solver(const struct convert_fit *fit)
{
	return fit->keys->cubic == ANIM_BEZIER_2D;
}

double convert_noise(const struct convert_measure *m, const struct convert_span *span)
{
	const struct anim_type_info *type = &anim_types[m->fit->type];
	double size = 0;

	if (type->quaternion)
		return 1e-4; /* degrees: float32 quaternions tell no less apart */
	for (int i = 0; i < CONVERT_POINTS; i++)
		for (unsigned lane = 0; lane < type->lanes; lane++)
			size = fmax(size, fabs(span->v[i][lane]));
	size = (is_solver(m->fit) ? 32 : 8) * 0x1p-24 * size * (m->fit->rotation ? DEGREES : 1);
	return fmax(size, 1e-3 * m->fit->tolerance); /* sums of large keys near zero round coarsely */
}

/* A track of the piece alone. */
struct pair {
	float time[2], left_x[2], right_x[2];
	uint8_t weighted[2];
	_Alignas(16) uint8_t value[2 * 128], left[2 * 128], right[2 * 128];
};

static void make_pair(const struct convert_measure *m, const struct convert_piece *piece, struct pair *pair,
		      struct anim_track *track)
{
	static const struct anim_track none;
	size_t size = anim_types[m->fit->type].size;
	double right[ANIM_LANES_MAX], left[ANIM_LANES_MAX];

	memset(pair, 0, sizeof *pair);
	*track = none;
	track->kind = ANIM_CURVE;
	track->type = m->fit->type;
	track->rules = m->fit->caps->rules;
	track->node = track->property = "";
	track->component = ANIM_WHOLE;
	track->interp = (uint8_t)piece->mode;
	track->n = 2;
	track->time = pair->time;
	track->value = pair->value;
	pair->time[0] = piece->from_s;
	pair->time[1] = piece->to_s;
	anim_value_store(track->type, piece->from, pair->value);
	anim_value_store(track->type, piece->to, pair->value + size);
	if (piece->mode == ANIM_HOLD || piece->mode == ANIM_LINEAR)
		return;
	convert_controls(piece, piece->mode, right, left, &pair->right_x[0], &pair->left_x[1]);
	anim_value_store(track->type, right, pair->right);
	anim_value_store(track->type, left, pair->left + size);
	track->left = pair->left;
	track->right = pair->right;
	if (piece->mode != ANIM_BEZIER_2D && !piece->weighted)
		return;
	track->left_x = pair->left_x;
	track->right_x = pair->right_x;
	pair->weighted[0] = 2;
	pair->weighted[1] = 1;
	track->weighted = piece->weighted ? pair->weighted : NULL;
}

int convert_measure(struct convert_measure *m, const struct convert_span *span, double *off, struct anim_error *error)
{
	_Alignas(16) uint8_t values[CONVERT_POINTS * 128];
	uint8_t present[CONVERT_POINTS];
	double v[ANIM_LANES_MAX];
	struct anim_track track;
	struct pair pair;

	make_pair(m, &span->piece, &pair, &track);
	m->state.track = NULL; /* another track at the same address */
	if (anim_sample(&m->clip, &track, span->t, CONVERT_POINTS, values, present, &m->state, error) != 0)
		return -1;
	*off = 0;
	for (int i = 0; i < CONVERT_POINTS; i++) {
		for (unsigned lane = 0; lane < anim_types[track.type].lanes; lane++)
			v[lane] = anim_lane(track.type, values, (size_t)i, lane);
		if (m->turn > 0)
			v[0] += m->turn * rint((span->v[i][0] - v[0]) / m->turn);
		*off = fmax(*off, present[i] ? convert_deviation(m, v, span->v[i]) : (double)INFINITY);
	}
	return 0;
}

void convert_least_squares(struct convert_span *span)
{
	double a = (double)span->piece.from_s, length = (double)span->piece.to_s - a;
	double aa = 0, ab = 0, bb = 0, determinant;
	double u[CONVERT_POINTS];

	for (int i = 0; i < CONVERT_POINTS; i++) {
		double v, first, second;

		u[i] = (span->t[i] - a) / length;
		v = 1 - u[i];
		first = 3 * v * v * u[i];
		second = 3 * v * u[i] * u[i];
		aa += first * first;
		ab += first * second;
		bb += second * second;
	}
	determinant = aa * bb - ab * ab;
	for (int lane = 0; lane < ANIM_LANES_MAX; lane++) {
		double p = span->piece.from[lane], q = span->piece.to[lane], x = 0, y = 0;

		for (int i = 0; i < CONVERT_POINTS; i++) {
			double v = 1 - u[i], rest = span->v[i][lane] - v * v * v * p - u[i] * u[i] * u[i] * q;

			x += 3 * v * v * u[i] * rest;
			y += 3 * v * u[i] * u[i] * rest;
		}
		span->piece.inner[0][lane] = (x * bb - y * ab) / determinant;
		span->piece.inner[1][lane] = (y * aa - x * ab) / determinant;
	}
}
