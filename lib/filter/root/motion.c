/* motion.c: the hips' place in the tree, parted into what goes to the root and what stays. */
#include <math.h>
#include <string.h>

#include "filter/root/internal.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define DEPTH_MAX 10        /* halvings of what lies between two keys */
#define MORE_MAX (1u << 20) /* keys that are added to a clip, at most */
#define YAW_STEP 0.5        /* radians between two keys, so that the next is found from the one before */
#define TWIST_LOST 1e-12    /* of a quaternion's length, squared: from here on a twist is noise */
#define POLE 0.499          /* of half a sine: from here on ozz takes x as standing upright (ToEuler in quaternion.h) */

const struct root_frame root_frame_none = {.m = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .q = {0, 0, 0, 1}, .even = true};

/* ---- Frames ---- */

void root_matrix_apply(double out[3], const double m[9], const double v[3])
{
	const double x = v[0], y = v[1], z = v[2];

	for (int i = 0; i < 3; i++)
		out[i] = m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z;
}

void root_matrix_multiply(double out[9], const double a[9], const double b[9])
{
	double product[9];

	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			product[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
	memcpy(out, product, sizeof product);
}

void root_frame_point(double out[3], const struct root_frame *frame, const double v[3])
{
	root_matrix_apply(out, frame->m, v);
	for (int i = 0; i < 3; i++)
		out[i] += frame->o[i];
}

void root_frame_join(struct root_frame *out, const struct root_frame *outer, const struct root_frame *inner)
{
	struct root_frame joined;

	root_matrix_multiply(joined.m, outer->m, inner->m);
	root_frame_point(joined.o, outer, inner->o);
	anim_quat_multiply_double(joined.q, outer->q, inner->q);
	joined.even = outer->even && inner->even;
	*out = joined;
}

static void turn_matrix(double m[9], const double q[4])
{
	const double x = q[0], y = q[1], z = q[2], w = q[3];
	const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
				2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
				2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};

	memcpy(m, rows, sizeof rows);
}

void root_frame_into(struct root_frame *out, const struct root_frame *outer, const struct anim_rest *rest)
{
	struct root_frame own;

	anim_quat_unit_double(own.q, rest->rotation);
	turn_matrix(own.m, own.q);
	for (int i = 0; i < 3; i++) {
		own.o[i] = (double)rest->position[i];
		for (int k = 0; k < 3; k++)
			own.m[3 * i + k] *= (double)rest->scale[k];
	}
	own.even = rest->scale[0] > 0 && fabsf(rest->scale[0] - rest->scale[1]) <= 1e-6f * rest->scale[0] &&
		   fabsf(rest->scale[0] - rest->scale[2]) <= 1e-6f * rest->scale[0];
	root_frame_join(out, outer, &own);
}

/* ---- Turns ---- */

/* Radians from a to b, 0 to pi. */
static double angle_between(const double a[4], const double b[4])
{
	double back[4], d[4];

	anim_quat_conjugate_double(back, a);
	anim_quat_multiply_double(d, back, b);
	return 2 * anim_atan2(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), fabs(d[3]));
}

static double length(const double v[3])
{
	return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance(const double a[3], const double b[3])
{
	const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};

	return length(d);
}

static void yaw_turn(double out[4], double yaw)
{
	out[0] = out[2] = 0;
	anim_sincos(yaw / 2, &out[1], &out[3]);
}

/* ---- What the two nodes do at a time ---- */

struct moment {
	double time, part[ROOT_PARTS][4];
	double arm[3];            /* from the root to the hips, along the tree's axes */
	double place[3], turn[4]; /* of the hips in the tree */
	double yaw, way[3];       /* of the motion; the yaw as near to the moment before as can be */
};

static void line_at(const struct root_line *line, double t, bool rotation, double out[4])
{
	size_t low = 0, high = line->n;
	double weight;

	if (line->n == 0) {
		memcpy(out, line->rest, sizeof line->rest);
		return;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		*(line->time[middle] <= t ? &low : &high) = middle;
	}
	memcpy(out, line->value[low], sizeof line->value[low]);
	if (high == line->n || t <= line->time[low])
		return;
	weight = (t - line->time[low]) / (line->time[high] - line->time[low]);
	if (rotation)
		anim_quat_slerp_double(out, line->value[low], line->value[high], weight);
	else
		for (int i = 0; i < 3; i++)
			out[i] += (line->value[high][i] - out[i]) * weight;
}

/* The first of the Euler angles about y, z and x: where the turn takes x to; the formula, poles included, is ozz's. */
static double heading(const double q[4])
{
	double pole = q[0] * q[1] + q[2] * q[3];

	if (fabs(pole) > POLE)
		return copysign(2, pole) * anim_atan2(q[0], q[3]);
	return anim_atan2(2 * (q[1] * q[3] - q[0] * q[2]), q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]);
}

/* The yaw of the turn from rest, nearest to `near`; that where there is none. */
static double find_yaw(struct root_motion *m, const struct moment *at, double near)
{
	double back[4], turn[4], yaw;

	if (!m->options->yaw)
		return 0;
	anim_quat_conjugate_double(back, m->turn_rest);
	anim_quat_multiply_double(turn, at->turn, back);
	if (!m->options->heading && turn[1] * turn[1] + turn[3] * turn[3] < TWIST_LOST) {
		m->lost_s = isnan(m->lost_s) ? at->time : m->lost_s;
		return near;
	}
	yaw = m->options->heading ? heading(turn) : 2 * anim_atan2(turn[1], turn[3]);
	return yaw - ANIM_TAU * anim_round((yaw - near) / ANIM_TAU);
}

/*
 * Where the hips' rest is once the body is turned: the way leads from there, so that the body turns about itself, wherever the
 * hips rest. ozz turns it about the tree's origin.
 */
static void turned_rest(const struct root_motion *m, double yaw, double out[3])
{
	double turn[4];

	memcpy(out, m->hips_rest, sizeof m->hips_rest);
	if (yaw == 0 || m->options->heading)
		return;
	yaw_turn(turn, yaw);
	anim_quat_rotate_double(out, turn, out);
}

/* The yaw nearest to another, and the way that goes with it. */
static void set_yaw(struct root_motion *m, struct moment *at, double near_yaw)
{
	double rest[3];

	at->yaw = find_yaw(m, at, near_yaw);
	turned_rest(m, at->yaw, rest);
	for (int i = 0; i < 3; i++)
		at->way[i] = m->options->axes[i] ? at->place[i] - rest[i] : 0;
}

static void look(struct root_motion *m, double t, double near_yaw, struct moment *at)
{
	double place[3];

	at->time = t;
	for (int part = 0; part < ROOT_PARTS; part++)
		line_at(&m->line[part], t, part == ROOT_ROTATION || part == ROOT_HIPS_ROTATION, at->part[part]);
	/* the root's rest has its scale, which no track may change */
	root_frame_point(place, &m->between, at->part[ROOT_HIPS_POSITION]);
	for (int i = 0; i < 3; i++)
		place[i] *= m->scale[i];
	anim_quat_rotate_double(place, at->part[ROOT_ROTATION], place);
	root_matrix_apply(at->arm, m->above.m, place);
	for (int i = 0; i < 3; i++)
		place[i] += at->part[ROOT_POSITION][i];
	root_frame_point(at->place, &m->above, place);
	anim_quat_multiply_double(at->turn, m->above.q, at->part[ROOT_ROTATION]);
	anim_quat_multiply_double(at->turn, at->turn, m->between.q);
	anim_quat_multiply_double(at->turn, at->turn, at->part[ROOT_HIPS_ROTATION]);
	set_yaw(m, at, near_yaw);
}

/* Where the hips are in the tree when the motion is taken away. */
static void take_away(const struct root_motion *m, const struct moment *at, double place[3], double turn[4])
{
	double back[4], share;

	yaw_turn(back, -at->yaw);
	anim_quat_multiply_double(turn, back, at->turn);
	for (int i = 0; i < 3; i++)
		place[i] = at->place[i] - at->way[i];
	anim_quat_rotate_double(place, back, place);
	if (!m->options->loop || !(m->end_s > m->start_s))
		return;
	share = (at->time - m->start_s) / (m->end_s - m->start_s);
	for (int i = 0; i < 3; i++)
		place[i] -= share * m->gap[i];
	anim_quat_slerp_double(back, root_frame_none.q, m->gap_turn, share);
	anim_quat_conjugate_double(back, back);
	anim_quat_multiply_double(turn, back, turn);
}

static void find_gap(struct root_motion *m)
{
	struct moment first, last;
	double places[2][3], turns[2][4];

	memset(m->gap, 0, sizeof m->gap);
	memcpy(m->gap_turn, root_frame_none.q, sizeof m->gap_turn);
	if (!m->options->loop)
		return;
	look(m, m->start_s, 0, &first);
	look(m, m->end_s, 0, &last);
	take_away(m, &first, places[0], turns[0]);
	take_away(m, &last, places[1], turns[1]);
	for (int i = 0; i < 3; i++)
		m->gap[i] = places[1][i] - places[0][i];
	anim_quat_conjugate_double(turns[0], turns[0]);
	anim_quat_multiply_double(m->gap_turn, turns[1], turns[0]);
	for (int i = 0; i < 4 && m->gap_turn[3] < 0; i++)
		m->gap_turn[i] = -m->gap_turn[i];
	m->gap_m = length(m->gap);
	m->gap_rad = angle_between(root_frame_none.q, m->gap_turn);
}

/* ---- Between two moments ---- */

/*
 * What lines through both are off in between, at most. A product of turns at constant speeds has a speed that changes only by
 * one turning the other's axis, by no more than the product of both; what has a second derivative of at most s is no farther
 * than s / 8 from the line (the arc) through its ends. Time counts 1 from a to b. The way of the root swings about the hips' rest,
 * which turns; what is left of the hips' place, once the way is taken from both x and z, is that rest itself and does not turn.
 */
static void bound_between(const struct root_motion *m, const struct moment *a, const struct moment *b, double *off_m,
			  double *off_rad)
{
	double gap = m->end_s > m->start_s ? m->gap_rad * (b->time - a->time) / (m->end_s - m->start_s) : 0;
	double turns[] = {angle_between(a->part[ROOT_ROTATION], b->part[ROOT_ROTATION]),
			  angle_between(a->part[ROOT_HIPS_ROTATION], b->part[ROOT_HIPS_ROTATION]),
			  fabs(b->yaw - a->yaw), gap};
	double root = turns[0], yaw = turns[2], sum = 0, products = 0, away[2][3], curve, speed, reach, swing = 0;

	for (int i = 0; i < 4; i++) {
		products += sum * turns[i];
		sum += turns[i];
	}
	*off_rad = products / 8;
	for (int i = 0; i < 3; i++) { /* a turn about y moves what lies off the axis */
		away[0][i] = i == 1 ? 0 : a->place[i] - a->way[i];
		away[1][i] = i == 1 ? 0 : b->place[i] - b->way[i];
	}
	curve = root * root * fmax(length(a->arm), length(b->arm)) + 2 * root * distance(a->arm, b->arm);
	if (!m->options->heading && (m->options->axes[0] || m->options->axes[2]))
		swing = yaw * yaw * sqrt(m->hips_rest[0] * m->hips_rest[0] + m->hips_rest[2] * m->hips_rest[2]);
	if (!m->options->heading && m->options->axes[0] && m->options->axes[2]) {
		*off_m = (curve + swing) / 8;
		return;
	}
	reach = fmax(length(away[0]), length(away[1])) + (curve + swing) / 8;
	speed = distance(away[0], away[1]) + (curve + swing) / 2;
	*off_m = (curve + 2 * swing + 2 * yaw * speed + yaw * yaw * reach) / 8;
}

static int put(struct root_motion *m, const struct moment *at, struct anim_error *error)
{
	struct root_pose pose = {.time = at->time};
	double place[3], turn[4], back[4], yaw[4];

	take_away(m, at, place, turn);
	for (int i = 0; i < 3; i++)
		place[i] -= m->hips.o[i];
	root_matrix_apply(pose.part[ROOT_HIPS_POSITION], m->hips_inverse, place);
	anim_quat_conjugate_double(back, m->hips.q);
	anim_quat_multiply_double(pose.part[ROOT_HIPS_ROTATION], back, turn);
	/* the root turns with the motion, about the tree's origin, and moves on */
	root_frame_point(place, &m->above, m->rest.o);
	yaw_turn(yaw, at->yaw);
	anim_quat_rotate_double(place, yaw, place);
	for (int i = 0; i < 3; i++)
		place[i] += at->way[i] - m->above.o[i];
	root_matrix_apply(pose.part[ROOT_POSITION], m->above_inverse, place);
	anim_quat_conjugate_double(back, m->above.q);
	anim_quat_multiply_double(turn, yaw, m->above.q);
	anim_quat_multiply_double(turn, back, turn);
	anim_quat_multiply_double(pose.part[ROOT_ROTATION], turn, m->rest.q);
	return anim_buffer_append(&m->poses, &pose, sizeof pose, error);
}

/* All moments from a (which was put) to b, which keeps its yaw near to those before. 0 or -1. */
static int put_between(struct root_motion *m, const struct moment *a, struct moment *b, unsigned depth,
		       struct anim_error *error)
{
	double off_m, off_rad, half = (double)(float)(a->time + (b->time - a->time) / 2);
	bool near;

	set_yaw(m, b, a->yaw);
	bound_between(m, a, b, &off_m, &off_rad);
	near = off_m <= m->options->tolerance_m && off_rad * 180 <= m->options->tolerance_deg * ANIM_PI &&
	       fabs(b->yaw - a->yaw) <= YAW_STEP;
	if (!near && !m->samples && m->more < MORE_MAX && depth < DEPTH_MAX && half > a->time && half < b->time) {
		struct moment middle;

		m->more++;
		look(m, half, a->yaw, &middle);
		return put_between(m, a, &middle, depth + 1, error) != 0 ? -1
									 : put_between(m, &middle, b, depth + 1, error);
	}
	m->bound_m = fmax(m->bound_m, off_m);
	m->bound_rad = fmax(m->bound_rad, off_rad);
	return put(m, b, error);
}

/* ---- All of it ---- */

/* The earliest time of a line behind t; infinity: none. */
static double next_time(const struct root_motion *m, size_t cursor[ROOT_PARTS], double t)
{
	double next = INFINITY;

	for (int part = 0; part < ROOT_PARTS; part++) {
		const struct root_line *line = &m->line[part];

		while (cursor[part] < line->n && line->time[cursor[part]] <= t)
			cursor[part]++;
		if (cursor[part] < line->n)
			next = fmin(next, line->time[cursor[part]]);
	}
	return next;
}

int root_motion_begin(struct root_motion *m, struct anim_error *error)
{
	root_frame_join(&m->hips, &m->rest, &m->between);
	root_frame_join(&m->hips, &m->above, &m->hips);
	root_frame_point(m->hips_rest, &m->hips, m->line[ROOT_HIPS_POSITION].rest);
	anim_quat_multiply_double(m->turn_rest, m->hips.q, m->line[ROOT_HIPS_ROTATION].rest);
	m->lost_s = NAN;
	m->more = 0;
	m->way_m = m->yaw_rad = m->gap_m = m->gap_rad = m->bound_m = m->bound_rad = 0;
	m->poses.size = 0;
	memcpy(m->hips_inverse, m->hips.m, sizeof m->hips_inverse);
	memcpy(m->above_inverse, m->above.m, sizeof m->above_inverse);
	if (anim_basis_invert(m->hips_inverse, 3) && anim_basis_invert(m->above_inverse, 3))
		return 0;
	return anim_fail(error, ANIM_UNSUPPORTED, "what '%.80s' stands in is scaled to nothing", m->options->hips);
}

static void agree_in_sign(struct root_motion *m)
{
	struct root_pose *poses = (struct root_pose *)(void *)m->poses.data;

	for (size_t k = 1; k < m->poses.size / sizeof *poses; k++)
		for (int part = ROOT_ROTATION; part < ROOT_PARTS; part += 2) {
			const double *a = poses[k - 1].part[part];
			double *b = poses[k].part[part];

			if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0)
				for (int i = 0; i < 4; i++)
					b[i] = -b[i];
		}
}

int root_motion_make(struct root_motion *m, struct anim_error *error)
{
	size_t cursor[ROOT_PARTS] = {0};
	struct moment first, a, b;
	double t;

	find_gap(m);
	look(m, m->start_s, 0, &first);
	if (put(m, &first, error) != 0)
		return -1;
	for (a = first; a.time < m->end_s; a = b) {
		t = fmin(next_time(m, cursor, a.time), m->end_s);
		look(m, t, a.yaw, &b);
		if (put_between(m, &a, &b, 0, error) != 0)
			return -1;
	}
	for (int i = 0; i < 3; i++) /* of the body: the root also swings about it */
		first.place[i] = m->options->axes[i] ? first.place[i] : a.place[i];
	m->way_m = distance(first.place, a.place);
	m->yaw_rad = a.yaw - first.yaw;
	agree_in_sign(m);
	return 0;
}
