/* root.c: separates the motion of a whole body from the motion of its hips, and writes the tracks of both nodes. */
#include "filter/root/root.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/buffer.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/rest.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "filter/common/affine.h"
#include "filter/common/pose.h"
#include "filter/convert/convert.h"
#include "filter/filter.h"
#include "filter/retarget/retarget.h"
#include "filter/select.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"
#include "stream/store.h"

/* The transform from a node's space to another space: v' = m v + o. */
struct root_frame {
	double m[9], o[3]; /* the matrix row by row */
	double q[4];       /* the rotation in m */
	bool even;         /* uniform scale, not mirrored: m is q times a factor */
};

/* ---- From the motion of the two nodes to their new motion ---- */

enum root_part { ROOT_POSITION, ROOT_ROTATION, ROOT_HIPS_POSITION, ROOT_HIPS_ROTATION, ROOT_PARTS };

/* One part: linear segments, or slerps of rotations, between values at increasing times. All members are borrowed. */
struct root_line {
	size_t n; /* 0: it is constant at `rest` */
	const double *time;
	const double (*value)[4];
	double rest[4];
};

struct root_pose {
	double time, part[ROOT_PARTS][4];
};

/* All-zero is empty, except for the inputs. */
struct root_motion {
	/* Inputs: */
	const struct anim_root_options *options;
	/* Of the root's parent in the tree, of the root in its parent, and of the hips' parent in the root. */
	struct root_frame above, rest, between;
	double scale[3]; /* of the root */
	struct root_line line[ROOT_PARTS];
	double start_s, end_s;
	bool samples; /* all lines that exist have the same times, and only these are used */
	/* Results: */
	struct anim_buffer poses;          /* struct root_pose: the new motion; neighbouring rotations agree in sign */
	double way_m, yaw_rad;             /* how far the root moves and rotates from the first to the last pose */
	double gap_m, gap_rad;             /* `loop`: the difference between the hips' end and start */
	double bound_m, bound_rad, lost_s; /* error between keys; a time at which the yaw is undefined, NaN: none */
	/* Work: */
	struct root_frame hips; /* of the hips' parent in the tree, all in the rest pose */
	double hips_inverse[9], above_inverse[9];
	double hips_rest[3], rest_rotation[4]; /* rest pose of the hips in the tree */
	double gap[3], gap_rotation[4];
	size_t more; /* number of added keys */
};

/* ======== The hips' motion in the tree, separated into the root's part and the rest ======== */

#define DEPTH_MAX 10        /* halvings of the interval between two keys */
#define MORE_MAX (1u << 20) /* largest number of keys that are added to a clip */
#define YAW_STEP 0.5        /* radians between two keys, so that each yaw can be unwrapped from the one before */
#define TWIST_LOST 1e-12    /* of a quaternion's squared length: below this a twist is noise */
#define POLE 0.499          /* of half a sine: above this ozz treats x as upright (ToEuler in quaternion.h) */

static const struct root_frame root_frame_none = {.m = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .q = {0, 0, 0, 1}, .even = true};

/* ---- Frames ---- */

static void matrix_apply(double out[3], const double m[9], const double v[3])
{
	const double x = v[0], y = v[1], z = v[2];

	for (int i = 0; i < 3; i++)
		out[i] = m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z;
}

static void matrix_multiply(double out[9], const double a[9], const double b[9])
{
	double product[9];

	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			product[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
	memcpy(out, product, sizeof product);
}

static void frame_point(double out[3], const struct root_frame *frame, const double v[3])
{
	matrix_apply(out, frame->m, v);
	for (int i = 0; i < 3; i++)
		out[i] += frame->o[i];
}

static void frame_join(struct root_frame *out, const struct root_frame *outer, const struct root_frame *inner)
{
	struct root_frame joined;

	matrix_multiply(joined.m, outer->m, inner->m);
	frame_point(joined.o, outer, inner->o);
	anim_quat_multiply_double(joined.q, outer->q, inner->q);
	joined.even = outer->even && inner->even;
	*out = joined;
}

/* Compute the frame of a node in its rest pose inside another frame. `out` may be that frame. */
static void frame_into(struct root_frame *out, const struct root_frame *outer, const struct anim_rest *rest)
{
	struct root_frame own = {.even = false};

	anim_quat_unit_double(own.q, rest->rotation);

	const double x = own.q[0], y = own.q[1], z = own.q[2], w = own.q[3];
	const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
				2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
				2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};

	memcpy(own.m, rows, sizeof rows);

	for (int i = 0; i < 3; i++) {
		own.o[i] = (double)rest->position[i];
		for (int k = 0; k < 3; k++)
			own.m[3 * i + k] *= (double)rest->scale[k];
	}
	own.even = rest->scale[0] > 0 && fabsf(rest->scale[0] - rest->scale[1]) <= 1e-6f * rest->scale[0] &&
		   fabsf(rest->scale[0] - rest->scale[2]) <= 1e-6f * rest->scale[0];
	frame_join(out, outer, &own);
}

/* ---- Rotations ---- */

/* Return the angle from a to b in radians, 0 to pi. */
static double angle_between(const double a[4], const double b[4])
{
	double back[4], d[4];

	anim_quat_conjugate_double(back, a);
	anim_quat_multiply_double(d, back, b);
	return 2 * anim_atan2(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), fabs(d[3]));
}

static void yaw_rotation(double out[4], double yaw)
{
	out[0] = out[2] = 0;
	anim_sincos(yaw / 2, &out[1], &out[3]);
}

/* ---- The motion of the two nodes at one time ---- */

struct moment {
	double time, part[ROOT_PARTS][4];
	double arm[3];                /* from the root to the hips, along the tree's axes */
	double place[3], rotation[4]; /* of the hips in the tree */
	double yaw, way[3];           /* of the motion; the yaw is unwrapped to be nearest to the moment before */
};

/*
 * Return the first Euler angle in the order y, z, x: the direction of the rotated x axis. The formula is ozz's,
 * including its poles.
 */
static double heading(const double q[4])
{
	double pole = q[0] * q[1] + q[2] * q[3];

	if (fabs(pole) > POLE)
		return copysign(2, pole) * anim_atan2(q[0], q[3]);
	return anim_atan2(2 * (q[1] * q[3] - q[0] * q[2]), q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]);
}

/* Set the yaw nearest to another yaw, and the position that belongs to it. */
static void set_yaw(struct root_motion *m, struct moment *at, double near_yaw)
{
	double rest[3], back[4], rotation[4], yaw;

	/*
	 * Compute the yaw of the rotation from the rest pose, unwrapped to be nearest to near_yaw. If it is
	 * undefined, keep near_yaw.
	 */
	if (!m->options->yaw) {
		at->yaw = 0;
	} else {
		anim_quat_conjugate_double(back, m->rest_rotation);
		anim_quat_multiply_double(rotation, at->rotation, back);
		if (!m->options->heading && rotation[1] * rotation[1] + rotation[3] * rotation[3] < TWIST_LOST) {
			m->lost_s = isnan(m->lost_s) ? at->time : m->lost_s;
			at->yaw = near_yaw;
		} else {
			yaw = m->options->heading ? heading(rotation) : 2 * anim_atan2(rotation[1], rotation[3]);
			at->yaw = yaw - ANIM_TAU * anim_round((yaw - near_yaw) / ANIM_TAU);
		}
	}

	/*
	 * The root's position is measured from the hips' rest position after the yaw rotation, so that the body rotates
	 * about itself, wherever its hips are in the rest pose. ozz rotates it about the tree's origin.
	 */
	memcpy(rest, m->hips_rest, sizeof rest);
	if (at->yaw != 0 && !m->options->heading) {
		yaw_rotation(rotation, at->yaw);
		anim_quat_rotate_double(rest, rotation, rest);
	}
	for (int i = 0; i < 3; i++)
		at->way[i] = m->options->axes[i] ? at->place[i] - rest[i] : 0;
}

static void measure_moment(struct root_motion *m, double t, double near_yaw, struct moment *at)
{
	double place[3];

	at->time = t;
	for (int part = 0; part < ROOT_PARTS; part++) {
		const struct root_line *line = &m->line[part];
		bool rotation = part == ROOT_ROTATION || part == ROOT_HIPS_ROTATION;
		size_t low = 0, high = line->n;
		double weight;

		if (line->n == 0) {
			memcpy(at->part[part], line->rest, sizeof line->rest);
			continue;
		}
		while (high - low > 1) {
			size_t middle = low + (high - low) / 2;

			*(line->time[middle] <= t ? &low : &high) = middle;
		}
		memcpy(at->part[part], line->value[low], sizeof line->value[low]);
		if (high == line->n || t <= line->time[low])
			continue;
		weight = (t - line->time[low]) / (line->time[high] - line->time[low]);
		if (rotation)
			anim_quat_slerp_double(at->part[part], line->value[low], line->value[high], weight);
		else
			for (int i = 0; i < 3; i++)
				at->part[part][i] += (line->value[high][i] - at->part[part][i]) * weight;
	}
	/* the root's scale comes from its rest pose, and tracks may not change it */
	frame_point(place, &m->between, at->part[ROOT_HIPS_POSITION]);
	for (int i = 0; i < 3; i++)
		place[i] *= m->scale[i];
	anim_quat_rotate_double(place, at->part[ROOT_ROTATION], place);
	matrix_apply(at->arm, m->above.m, place);
	for (int i = 0; i < 3; i++)
		place[i] += at->part[ROOT_POSITION][i];
	frame_point(at->place, &m->above, place);
	anim_quat_multiply_double(at->rotation, m->above.q, at->part[ROOT_ROTATION]);
	anim_quat_multiply_double(at->rotation, at->rotation, m->between.q);
	anim_quat_multiply_double(at->rotation, at->rotation, at->part[ROOT_HIPS_ROTATION]);
	set_yaw(m, at, near_yaw);
}

/* Compute the place of the hips in the tree without the motion. */
static void remove_motion(const struct root_motion *m, const struct moment *at, double place[3], double rotation[4])
{
	double back[4], share;

	yaw_rotation(back, -at->yaw);
	anim_quat_multiply_double(rotation, back, at->rotation);
	for (int i = 0; i < 3; i++)
		place[i] = at->place[i] - at->way[i];
	anim_quat_rotate_double(place, back, place);
	if (!m->options->loop || !(m->end_s > m->start_s))
		return;
	share = (at->time - m->start_s) / (m->end_s - m->start_s);
	for (int i = 0; i < 3; i++)
		place[i] -= share * m->gap[i];
	anim_quat_slerp_double(back, root_frame_none.q, m->gap_rotation, share);
	anim_quat_conjugate_double(back, back);
	anim_quat_multiply_double(rotation, back, rotation);
}

/* ---- Between two moments ---- */

/*
 * Bound the error of linear segments of both nodes between two moments. Time is counted from 0 at a to 1 at b. In a
 * product of rotations with constant speeds, the speed changes only because one rotation moves the axis of the other,
 * by at most the product of both speeds. A function with a second derivative of at most s differs by at most s / 8 from
 * the line (or slerp) through its ends. The root's position swings about the hips' rest position, which rotates. If x
 * and z are both motion, the remainder of the hips' position is this rest position, and does not rotate.
 */
static void bound_between(const struct root_motion *m, const struct moment *a, const struct moment *b, double *off_m,
			  double *off_rad)
{
	double gap = m->end_s > m->start_s ? m->gap_rad * (b->time - a->time) / (m->end_s - m->start_s) : 0;
	double angles[] = {angle_between(a->part[ROOT_ROTATION], b->part[ROOT_ROTATION]),
			   angle_between(a->part[ROOT_HIPS_ROTATION], b->part[ROOT_HIPS_ROTATION]),
			   fabs(b->yaw - a->yaw), gap};
	double root = angles[0], yaw = angles[2], sum = 0, products = 0, away[2][3], curve, speed, reach, swing = 0;

	for (int i = 0; i < 4; i++) {
		products += sum * angles[i];
		sum += angles[i];
	}
	*off_rad = products / 8;
	for (int i = 0; i < 3; i++) { /* a rotation about y moves points that are not on the axis */
		away[0][i] = i == 1 ? 0 : a->place[i] - a->way[i];
		away[1][i] = i == 1 ? 0 : b->place[i] - b->way[i];
	}
	curve = root * root * fmax(anim_vec3_length_double(a->arm), anim_vec3_length_double(b->arm)) +
		2 * root * anim_vec3_distance(a->arm, b->arm);
	if (!m->options->heading && (m->options->axes[0] || m->options->axes[2]))
		swing = yaw * yaw * sqrt(m->hips_rest[0] * m->hips_rest[0] + m->hips_rest[2] * m->hips_rest[2]);
	if (!m->options->heading && m->options->axes[0] && m->options->axes[2]) {
		*off_m = (curve + swing) / 8;
		return;
	}
	reach = fmax(anim_vec3_length_double(away[0]), anim_vec3_length_double(away[1])) + (curve + swing) / 8;
	speed = anim_vec3_distance(away[0], away[1]) + (curve + swing) / 2;
	*off_m = (curve + 2 * swing + 2 * yaw * speed + yaw * yaw * reach) / 8;
}

static int put(struct root_motion *m, const struct moment *at, struct anim_error *error)
{
	struct root_pose pose = {.time = at->time};
	double place[3], rotation[4], back[4], yaw[4];

	remove_motion(m, at, place, rotation);
	for (int i = 0; i < 3; i++)
		place[i] -= m->hips.o[i];
	matrix_apply(pose.part[ROOT_HIPS_POSITION], m->hips_inverse, place);
	anim_quat_conjugate_double(back, m->hips.q);
	anim_quat_multiply_double(pose.part[ROOT_HIPS_ROTATION], back, rotation);
	/* the root rotates with the motion about the tree's origin, and is then moved */
	frame_point(place, &m->above, m->rest.o);
	yaw_rotation(yaw, at->yaw);
	anim_quat_rotate_double(place, yaw, place);
	for (int i = 0; i < 3; i++)
		place[i] += at->way[i] - m->above.o[i];
	matrix_apply(pose.part[ROOT_POSITION], m->above_inverse, place);
	anim_quat_conjugate_double(back, m->above.q);
	anim_quat_multiply_double(rotation, yaw, m->above.q);
	anim_quat_multiply_double(rotation, back, rotation);
	anim_quat_multiply_double(pose.part[ROOT_ROTATION], rotation, m->rest.q);
	return anim_buffer_append(&m->poses, &pose, sizeof pose, error);
}

/* Add all moments from a (already added) to b, and unwrap the yaw of b. Returns 0 or -1. */
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
		measure_moment(m, half, a->yaw, &middle);
		return put_between(m, a, &middle, depth + 1, error) != 0 ? -1
									 : put_between(m, &middle, b, depth + 1, error);
	}
	m->bound_m = fmax(m->bound_m, off_m);
	m->bound_rad = fmax(m->bound_rad, off_rad);
	return put(m, b, error);
}

/* ---- The complete motion ---- */

/* Compute everything that is constant over the clip from the inputs. Returns 0, or -1 if a scale is zero. */
static int motion_begin(struct root_motion *m, struct anim_error *error)
{
	frame_join(&m->hips, &m->rest, &m->between);
	frame_join(&m->hips, &m->above, &m->hips);
	frame_point(m->hips_rest, &m->hips, m->line[ROOT_HIPS_POSITION].rest);
	anim_quat_multiply_double(m->rest_rotation, m->hips.q, m->line[ROOT_HIPS_ROTATION].rest);
	m->lost_s = NAN;
	m->more = 0;
	m->way_m = m->yaw_rad = m->gap_m = m->gap_rad = m->bound_m = m->bound_rad = 0;
	m->poses.size = 0;
	memcpy(m->hips_inverse, m->hips.m, sizeof m->hips_inverse);
	memcpy(m->above_inverse, m->above.m, sizeof m->above_inverse);
	if (anim_basis_invert(m->hips_inverse, 3) && anim_basis_invert(m->above_inverse, 3))
		return 0;
	return anim_fail(error, ANIM_UNSUPPORTED, "a node above '%.80s' has scale 0", m->options->hips);
}

/* Compute the poses and the other results. Call it after motion_begin. Returns 0 or -1. */
static int compute_motion(struct root_motion *m, struct anim_error *error)
{
	size_t cursor[ROOT_PARTS] = {0};
	struct moment first, a, b;

	/* Measure the difference between the hips' end and start, without the motion. */
	memset(m->gap, 0, sizeof m->gap);
	memcpy(m->gap_rotation, root_frame_none.q, sizeof m->gap_rotation);
	if (m->options->loop) {
		double places[2][3], rotations[2][4];

		measure_moment(m, m->start_s, 0, &a);
		measure_moment(m, m->end_s, 0, &b);
		remove_motion(m, &a, places[0], rotations[0]);
		remove_motion(m, &b, places[1], rotations[1]);
		for (int i = 0; i < 3; i++)
			m->gap[i] = places[1][i] - places[0][i];
		anim_quat_conjugate_double(rotations[0], rotations[0]);
		anim_quat_multiply_double(m->gap_rotation, rotations[1], rotations[0]);
		for (int i = 0; i < 4 && m->gap_rotation[3] < 0; i++)
			m->gap_rotation[i] = -m->gap_rotation[i];
		m->gap_m = anim_vec3_length_double(m->gap);
		m->gap_rad = angle_between(root_frame_none.q, m->gap_rotation);
	}

	measure_moment(m, m->start_s, 0, &first);
	if (put(m, &first, error) != 0)
		return -1;
	for (a = first; a.time < m->end_s; a = b) {
		/* The earliest time of a line after this one, or infinity. */
		double next = INFINITY;

		for (int part = 0; part < ROOT_PARTS; part++) {
			const struct root_line *line = &m->line[part];

			while (cursor[part] < line->n && line->time[cursor[part]] <= a.time)
				cursor[part]++;
			if (cursor[part] < line->n)
				next = fmin(next, line->time[cursor[part]]);
		}
		measure_moment(m, fmin(next, m->end_s), a.yaw, &b);
		if (put_between(m, &a, &b, 0, error) != 0)
			return -1;
	}
	for (int i = 0; i < 3; i++) /* distance of the body, because the root also swings about it */
		first.place[i] = m->options->axes[i] ? first.place[i] : a.place[i];
	m->way_m = anim_vec3_distance(first.place, a.place);
	m->yaw_rad = a.yaw - first.yaw;

	/* Let neighbouring rotations agree in sign. */
	struct root_pose *poses = (struct root_pose *)(void *)m->poses.data;

	for (size_t k = 1; k < m->poses.size / sizeof *poses; k++)
		for (int part = ROOT_ROTATION; part < ROOT_PARTS; part += 2) {
			const double *before = poses[k - 1].part[part];
			double *own = poses[k].part[part];

			if (before[0] * own[0] + before[1] * own[1] + before[2] * own[2] + before[3] * own[3] < 0)
				for (int i = 0; i < 4; i++)
					own[i] = -own[i];
		}
	return 0;
}

/* ======== The tracks of the two nodes, kept until their clip ends, and their new tracks ======== */

#define EXACT 1e-12 /* rounding error of products in double that should be 0 */

/* One of the waiting tracks, and the part that it moves. Single components, Euler angles and rotations are all kept. */
struct held {
	struct anim_track track;
	bool root;
	enum root_part part;
};

struct root {
	struct anim_filter filter;
	struct anim_root_options options;
	struct anim_poses poses; /* the tree */
	struct anim_arena tree_arena;
	const char *tree_name; /* of its first node */
	uint32_t root, hips;
	bool guesses;                  /* the user did not name the hips. Then: */
	struct anim_skeleton skeleton; /* the tree, in which the hips are searched, */
	struct anim_sink *to_skeleton; /* its sink, */
	struct anim_store *store;      /* and the clip's tracks, which show the moving nodes. NULL: none wait */
	struct anim_sink replayed;     /* receives the tracks from the store */
	uint8_t *relation; /* of each node: bits of enum relation, and of enum moved if the hips are searched */
	struct anim_clip clip;
	bool known; /* a track that moves a node has come, so the two nodes are known */
	bool in_clip;
	const struct anim_scope *scope; /* of the clip */
	struct anim_arena arena;        /* of the clip */
	struct anim_buffer held;        /* struct held, in the order of arrival */
	struct anim_buffer straight;    /* struct held, with linear segments */
	struct anim_buffer columns[ANIM_COLUMN_COUNT], root_columns[ANIM_COLUMN_COUNT], time;
	struct root_motion motion;
	const char *names[2]; /* of the hips and the root, as their tracks name them; NULL: no track */
	size_t beside;        /* number of tracks of nodes below the root that are not below the hips */
};

/* ---- The two nodes ---- */

#define WAITING ((size_t)1 << 20) /* bytes of a clip's tracks in memory. Others are in a file */

/* The hips themselves are IN_HIPS, but not ABOVE_HIPS. The root itself is IN_ROOT. */
enum relation { ABOVE_HIPS = 1, IN_HIPS = 2, IN_ROOT = 4 };
enum moved { MOVED = 8, SCALED = 16 }; /* the clip has such tracks of the node that leave its rest pose */

/*
 * Find a node by its path, otherwise by its own name, otherwise by its name in any case. Sets *several if a name is
 * ambiguous.
 */
static uint32_t find_by(const struct root *r, const char *name, bool *several)
{
	uint32_t found = ANIM_POSE_NONE;

	*several = false;
	if (strcmp(name, r->tree_name) == 0)
		return 0;
	for (uint32_t n = 0; n < anim_poses_count(&r->poses); n++)
		if (strcmp(anim_poses_path(&r->poses, n), name) == 0)
			return n;
	for (int loose = 0; loose < 2 && found == ANIM_POSE_NONE; loose++)
		for (uint32_t n = 0; n < anim_poses_count(&r->poses); n++) {
			const char *own = anim_node_own_name(anim_poses_path(&r->poses, n));

			if (loose ? strcasecmp(own, name) != 0 : strcmp(own, name) != 0)
				continue;
			*several = *several || found != ANIM_POSE_NONE;
			found = n;
		}
	return found;
}

static int find_node(const struct root *r, const char *name, uint32_t *out, struct anim_error *error)
{
	bool several;

	*out = find_by(r, name, &several);
	if (*out == ANIM_POSE_NONE)
		return anim_fail(error, ANIM_UNSUPPORTED, "the tree has no node '%.80s'; " ANIM_ADVICE(LIST_NODES),
				 name);
	return several ? anim_fail(error, ANIM_UNSUPPORTED, "several nodes are named '%.80s'; use a path", name) : 0;
}

/* Find the root above the hips: the named node, or `root`. Returns 0 or -1. */
static int find_root(struct root *r, uint32_t root, struct anim_error *error)
{
	r->root = root;
	if (r->options.root != NULL && find_node(r, r->options.root, &r->root, error) != 0)
		return -1;
	if (r->root == ANIM_POSE_NONE)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "'%.80s' is the tree's first node, so it has no node above it for the root motion",
				 r->options.hips);

	for (uint32_t n = anim_poses_parent(&r->poses, r->hips); n != ANIM_POSE_NONE;
	     n = anim_poses_parent(&r->poses, n))
		r->relation[n] |= ABOVE_HIPS;
	if (!(r->relation[r->root] & ABOVE_HIPS))
		return anim_fail(error, ANIM_UNSUPPORTED, "'%.80s' is not above '%.80s' in the tree", r->options.root,
				 r->options.hips);
	/* Parents come before their children. */
	for (uint32_t n = 0; n < anim_poses_count(&r->poses); n++) {
		uint32_t parent = anim_poses_parent(&r->poses, n);

		r->relation[n] |= n == r->hips ? IN_HIPS : n == r->root ? IN_ROOT : 0;
		if (parent != ANIM_POSE_NONE)
			r->relation[n] |= r->relation[parent] & (IN_HIPS | IN_ROOT);
	}
	return 0;
}

/* Find both nodes if the user names the hips, otherwise prepare the search, which needs the tracks. Returns 0 or -1. */
static int find_both(struct root *r, struct anim_error *error)
{
	size_t count = anim_poses_count(&r->poses);

	if (count == 0 || !(r->clip.flags & ANIM_IN_TREE))
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "clip '%s' has no node tree; read it from the scene or prefab that plays it, or " ANIM_ADVICE(
			ADD_TREE),
		    r->clip.name);
	r->relation = anim_arena_zeroed(&r->arena, count, sizeof *r->relation, error);
	if (r->relation == NULL)
		return -1;
	if (r->guesses)
		return (r->store = anim_store_new(WAITING, error)) == NULL ||
			       anim_sink_clip(anim_store_sink(r->store), &r->clip, error) != 0
			   ? -1
			   : 0;
	if (find_node(r, r->options.hips, &r->hips, error) != 0)
		return -1;
	return find_root(r, anim_poses_parent(&r->poses, r->hips), error);
}

static const struct anim_rest *rest_of(const struct root *r, uint32_t node)
{
	return &r->poses.rests.items[node];
}

/*
 * Set the frames of the rest poses: of the nodes above the root, of the root, and of the nodes between root and hips.
 * Returns 0 or -1.
 */
static int place_rests(struct root *r, struct anim_error *error)
{
	struct root_motion *m = &r->motion;
	const struct anim_rest *rest;

	m->above = m->between = root_frame_none;
	for (uint32_t n = r->hips; n != ANIM_POSE_NONE; n = anim_poses_parent(&r->poses, n)) {
		struct root_frame own, *into = n == r->root               ? &m->rest
					       : r->relation[n] & IN_ROOT ? &m->between
									  : &m->above;

		if (rest_of(r, n)->has & ANIM_HAS_2D)
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "'%.80s' is two-dimensional, whose motion cannot be moved to the root",
					 rest_of(r, n)->path);
		if (n == r->hips)
			continue;
		frame_into(&own, &root_frame_none, rest_of(r, n));
		if (into == &m->rest)
			m->rest = own;
		else
			frame_join(into, &own, into);
	}
	for (int part = 0; part < ROOT_PARTS; part++) {
		rest = rest_of(r, part < ROOT_HIPS_POSITION ? r->root : r->hips);
		m->line[part] = (struct root_line){0};
		if (part == ROOT_POSITION || part == ROOT_HIPS_POSITION)
			for (int i = 0; i < 3; i++)
				m->line[part].rest[i] = (double)rest->position[i];
		else
			anim_quat_unit_double(m->line[part].rest, rest->rotation);
	}
	for (int i = 0; i < 3; i++)
		m->scale[i] = (double)rest_of(r, r->root)->scale[i];
	return 0;
}

/* ---- Arriving tracks ---- */

/* Return whether the track moves its node: its position, or its rotation in any form. */
static bool places(const struct anim_track *track, bool *rotates)
{
	static const char *const properties[] = {"position", "rotation", "euler"};

	*rotates = strcmp(track->property, "position") != 0;
	return anim_text_is_one_of(track->property, properties, 3);
}

static bool is_idle(const struct anim_track *track)
{
	return track->n == 0 || (track->flags & ANIM_DISABLED) || !anim_track_is_transform(track);
}

#define REST_TOLERANCE 1e-5f /* exporters write rest poses with such errors */

/* Return whether a track never leaves the rest pose of its node. Exporters write such tracks for nodes without animation. */
static bool stays_at_rest(const struct root *r, uint32_t node, const struct anim_track *track)
{
	const struct anim_rest *rest = rest_of(r, node);
	unsigned count = track->type == ANIM_FLOATQ ? 4 : 3;
	const float *want = count == 4                              ? rest->rotation
			    : strcmp(track->property, "scale") == 0 ? rest->scale
								    : rest->position;

	if ((count == 3 && track->type != ANIM_FLOAT3) || track->component != ANIM_WHOLE ||
	    (track->flags & ANIM_REST_RELATIVE) || (track->right != NULL && !anim_track_is_constant(track)) ||
	    strcmp(track->property, "euler") == 0)
		return false;
	for (size_t k = 0; k < track->n; k++) {
		/* Rotations with opposite signs are equal. */
		const float *value = (const float *)track->value + k * count;
		float sign = count == 4 && anim_quat_dot(value, want) < 0 ? -1 : 1;

		for (unsigned i = 0; i < count; i++)
			if (!(fabsf(sign * value[i] - want[i]) <= REST_TOLERANCE * fmaxf(1, fabsf(want[i]))))
				return false;
	}
	return true;
}

static int pass_track(struct root *r, const struct anim_track *track, struct anim_error *error)
{
	uint32_t node = is_idle(track) ? ANIM_POSE_NONE : anim_poses_find(&r->poses, r->clip.root, track->node);
	bool rotates, place = places(track, &rotates);

	if (node == ANIM_POSE_NONE)
		return anim_filter_track(&r->filter.sink, track, error);
	if ((node == r->hips || node == r->root) && place) {
		bool root = node == r->root;
		struct held held = {.root = root,
				    .part = (root ? ROOT_POSITION : ROOT_HIPS_POSITION) + (rotates ? 1 : 0)};

		if (anim_track_copy(&held.track, track, &r->arena, error) != 0)
			return -1;
		if (r->names[root] == NULL)
			r->names[root] = held.track.node;
		return anim_buffer_append(&r->held, &held, sizeof held, error);
	}
	if ((r->relation[node] & ABOVE_HIPS) && (place || strcmp(track->property, "scale") == 0) &&
	    !stays_at_rest(r, node, track))
		return anim_track_refuse(track,
					 node == r->root
					     ? "scales the root, which is above the hips"
					     : "moves a node above the hips; only the root may be animated there",
					 error);
	r->beside += place && (r->relation[node] & (IN_ROOT | IN_HIPS)) == IN_ROOT;
	return anim_filter_track(&r->filter.sink, track, error);
}

static int replay_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return pass_track((struct root *)(void *)((char *)(void *)sink - offsetof(struct root, replayed)), track,
			  error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct root *r = (struct root *)sink;

	if (anim_track_check_local(track, error) != 0)
		return -1;
	/* a clip that moves no node, such as one of muscles, needs no tree */
	if (!r->known && !anim_track_is_transform(track))
		return anim_filter_track(sink, track, error);
	if (!r->known && find_both(r, error) != 0)
		return -1;
	r->known = true;
	return r->store != NULL ? anim_sink_track(anim_store_sink(r->store), track, error)
				: pass_track(r, track, error);
}

/* ---- The node that moves the body, if the user does not name it ---- */

/* Return a bone or plain node below `above` that is not above or below `hips`, or ANIM_POSE_NONE. */
static uint32_t find_beside(const struct root *r, uint32_t above, uint32_t hips)
{
	uint32_t way = hips, n = (uint32_t)anim_poses_count(&r->poses);

	while (n-- > above + 1) { /* children come after their parents */
		uint32_t up = n;

		if (n == way) {
			way = anim_poses_parent(&r->poses, n);
			continue;
		}
		if (rest_of(r, n)->kind != ANIM_NODE && rest_of(r, n)->kind != ANIM_NODE_BONE)
			continue;
		while (up != ANIM_POSE_NONE && up > above && up != hips)
			up = anim_poses_parent(&r->poses, up);
		if (up == above)
			return n;
	}
	return ANIM_POSE_NONE;
}

/*
 * Choose both nodes. Usually they are the hips and their parent. If one other node above the hips moves, it is the root.
 * If several do, or if more than the hips is below it, the topmost of them moves the body, and its parent is the root.
 * Everything below that node keeps its place. Returns 0 or -1.
 */
static int choose_both(struct root *r, struct anim_error *error)
{
	uint32_t hips, root, top = ANIM_POSE_NONE, body = top;
	unsigned moved = 0;

	/* Find out which nodes the clip moves. */
	for (size_t i = 0; i < anim_store_tracks(r->store, 0); i++) {
		struct anim_track track;
		uint32_t node;
		bool rotates, place;

		if (anim_store_read(r->store, 0, i, &track, error) != 0)
			return -1;
		place = places(&track, &rotates);
		if (is_idle(&track) || (!place && strcmp(track.property, "scale") != 0))
			continue;
		node = anim_poses_find(&r->poses, r->clip.root, track.node);
		if (node != ANIM_POSE_NONE && !stays_at_rest(r, node, &track))
			r->relation[node] |= place ? MOVED : SCALED;
	}

	/* Find the hips: as retargeting does, otherwise the uppermost node with such a name or that moves. */
	uint32_t bones[ANIM_HUMAN_BONES], count = (uint32_t)anim_poses_count(&r->poses);
	struct anim_bone_guess guess;

	if (anim_skeleton_human(&r->skeleton, bones, error) < 0)
		return -1;
	hips = bones[ANIM_BONE_HIPS];
	for (uint32_t n = 0; n < count && hips == ANIM_POSE_NONE; n++)
		if (anim_bone_of_name(&guess, anim_node_own_name(anim_poses_path(&r->poses, n))) &&
		    guess.bones[0] == ANIM_BONE_HIPS)
			hips = n;
	for (uint32_t n = 1; n < count && hips == ANIM_POSE_NONE; n++)
		if (r->relation[n] & MOVED)
			hips = n;
	if (hips == ANIM_POSE_NONE)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 r->relation[0] & MOVED
				     ? "only the first node of the tree moves, and no node has a known "
				       "name for hips"
				     : "no node of the tree moves or has a known name for hips");

	for (uint32_t n = root = anim_poses_parent(&r->poses, hips); n != ANIM_POSE_NONE;) {
		uint32_t parent = anim_poses_parent(&r->poses, n);

		if (r->relation[n] & (MOVED | SCALED)) {
			moved++;
			top = n;
			body = parent != ANIM_POSE_NONE ? n : body;
		}
		n = parent;
	}
	if (moved == 1 && !(r->relation[top] & SCALED) &&
	    (r->options.fold || body == ANIM_POSE_NONE || find_beside(r, top, hips) == ANIM_POSE_NONE))
		root = top;
	else if (body != ANIM_POSE_NONE && r->options.root == NULL)
		root = anim_poses_parent(&r->poses, hips = body);
	r->hips = hips;
	r->options.hips = anim_poses_path(&r->poses, hips);
	return find_root(r, root, error);
}

/* ---- Positions alone: constant factors, so that keys stay keys ---- */

static struct held *held_at(const struct anim_buffer *held, size_t i)
{
	return (struct held *)(void *)held->data + i;
}

static size_t held_count(const struct anim_buffer *held)
{
	return held->size / sizeof(struct held);
}

/*
 * Return the position track of the hips if it is the only track that changes and a matrix can be applied to it, or NULL
 * if more must be done.
 */
static const struct anim_track *find_way(const struct root *r)
{
	const struct anim_track *way = NULL;

	if (r->options.yaw || r->options.loop)
		return NULL;
	for (size_t i = 0; i < held_count(&r->held); i++) {
		const struct held *held = held_at(&r->held, i);

		if (held->root || (held->part == ROOT_HIPS_POSITION && way != NULL))
			return NULL;
		if (held->part == ROOT_HIPS_POSITION)
			way = &held->track;
	}
	return way != NULL && way->component == ANIM_WHOLE && !(way->flags & ANIM_REST_RELATIVE) &&
		       anim_type_is_real(way->type) && anim_types[way->type].components == 3
		   ? way
		   : NULL;
}

static void set_affine(struct anim_affine *out, const double m[9], const double offset[3])
{
	*out = (struct anim_affine){.components = 3};
	for (int i = 0; i < 3; i++) {
		out->offset[i] = fabs(offset[i]) < EXACT ? 0 : offset[i];
		memcpy(out->m[i], m + 3 * i, 3 * sizeof *m);
	}
	anim_affine_snap(out);
}

/*
 * K selects the axes that are motion, h are the hips' values, B h + b is their place in the tree, x is that place in
 * the rest pose, and A is the matrix of the root's parent. Then the motion is w = K (B h + b - x), the root's position
 * is its rest position + A^-1 w, and the hips' position is h - B^-1 w.
 */
static void find_matrices(const struct root_motion *m, struct anim_affine *hips, struct anim_affine *root)
{
	double ways[9] = {0}, way[3], none[3], product[9], offset[3], x[3];

	frame_point(x, &m->hips, m->line[ROOT_HIPS_POSITION].rest);
	for (int i = 0; i < 3; i++) {
		way[i] = m->options->axes[i] ? m->hips.o[i] - x[i] : 0;
		for (int k = 0; k < 3 && m->options->axes[i]; k++)
			ways[3 * i + k] = m->hips.m[3 * i + k];
	}
	matrix_multiply(product, m->hips_inverse, ways);
	matrix_apply(offset, m->hips_inverse, way);
	for (int i = 0; i < 3; i++) {
		none[i] = -offset[i];
		for (int k = 0; k < 3; k++)
			product[3 * i + k] = (i == k) - product[3 * i + k];
	}
	set_affine(hips, product, none);
	matrix_multiply(product, m->above_inverse, ways);
	matrix_apply(offset, m->above_inverse, way);
	for (int i = 0; i < 3; i++)
		offset[i] += m->rest.o[i];
	set_affine(root, product, offset);
}

/* Compute the part of the root's motion that the track gives at a time. Returns 1, 0 if there is no value, or -1. */
static int way_at(struct root *r, const struct anim_affine *root, const struct anim_track *way, double t, double out[3],
		  struct anim_error *error)
{
	double numbers[3];
	int result = anim_sample_one(&r->clip, way, t, numbers, error);

	if (result <= 0)
		return result;
	for (int i = 0; i < 3; i++)
		out[i] = root->m[i][0] * numbers[0] + root->m[i][1] * numbers[1] + root->m[i][2] * numbers[2];
	matrix_apply(out, r->motion.above.m, out);
	return 1;
}

/* Returns 1, 0 if a matrix cannot be applied to the track's curves, or -1. */
static int put_ways(struct root *r, const struct anim_track *way, struct anim_error *error)
{
	struct root_motion *m = &r->motion;
	double ends[2][3] = {{0}}, squares = 0;
	struct anim_affine hips, root;
	struct anim_track stays, goes;
	int done;

	if (motion_begin(m, error) != 0)
		return -1;
	find_matrices(m, &hips, &root);
	if (way_at(r, &root, way, (double)r->clip.start_s, ends[0], error) < 0 ||
	    way_at(r, &root, way, (double)r->clip.end_s, ends[1], error) < 0)
		return -1;
	for (int i = 0; i < 3; i++)
		squares += (ends[1][i] - ends[0][i]) * (ends[1][i] - ends[0][i]);
	m->way_m = sqrt(squares);
	/* Write both tracks, or none if a matrix cannot be applied to one of them. */
	done = anim_affine_track(&hips, way, r->columns, &stays, error);
	if (done > 0 && !r->options.in_place)
		done = anim_affine_track(&root, way, r->root_columns, &goes, error);
	if (done <= 0)
		return done;
	if (anim_sink_track(r->filter.next, &stays, error) != 0)
		return -1;
	if (r->options.in_place)
		return 1;
	goes.node = r->names[true];
	return anim_sink_track(r->filter.next, &goes, error) != 0 ? -1 : 1;
}

/* ---- Linear segments ---- */

struct collector {
	struct anim_sink sink;
	struct root *r;
};

static int collect(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct root *r = ((struct collector *)sink)->r;
	uint32_t node = anim_poses_find(&r->poses, r->clip.root, track->node);
	bool rotates;
	struct held held = {.root = node == r->root};

	if (!places(track, &rotates) || anim_types[track->type].components != (rotates ? 4 : 3))
		return anim_track_refuse(track, "cannot be used for root motion", error);
	held.part = (held.root ? ROOT_POSITION : ROOT_HIPS_POSITION) + (rotates ? 1 : 0);
	if (anim_track_copy(&held.track, track, &r->arena, error) != 0)
		return -1;
	return anim_buffer_append(&r->straight, &held, sizeof held, error);
}

static int read_line(struct root *r, const struct held *held, struct anim_error *error)
{
	const struct anim_track *track = &held->track;
	struct root_line *line = &r->motion.line[held->part];
	double *time = anim_arena_zeroed(&r->arena, track->n, sizeof *time, error), length;
	double(*value)[4] = anim_arena_zeroed(&r->arena, track->n, sizeof *value, error);
	bool rotates = anim_types[track->type].quaternion;

	if (time == NULL || value == NULL)
		return -1;
	if (line->n > 0)
		return anim_track_refuse(track, "exists twice", error);
	for (size_t k = 0; k < track->n; k++) {
		time[k] = anim_track_time(track, k);
		anim_components(track->type, track->value, k, value[k]);
		length = sqrt(value[k][0] * value[k][0] + value[k][1] * value[k][1] + value[k][2] * value[k][2] +
			      value[k][3] * value[k][3]);
		if (rotates && (!(length > 0) || isinf(length)))
			return anim_track_refuse(track, "has a key that is not a rotation", error);
		for (int i = 0; rotates && i < 4; i++)
			value[k][i] /= length;
	}
	line->n = track->n;
	line->time = time;
	line->value = (const double(*)[4])value;
	return 0;
}

/* ---- The new tracks ---- */

static int put_part(struct root *r, enum root_part part, const struct anim_track *samples, struct anim_error *error)
{
	const struct root_pose *poses = (const struct root_pose *)(const void *)r->motion.poses.data;
	bool rotates = part == ROOT_ROTATION || part == ROOT_HIPS_ROTATION, root = part < ROOT_HIPS_POSITION;
	unsigned components = rotates ? 4 : 3;
	struct anim_buffer *values = &r->columns[ANIM_COLUMN_VALUE];
	struct anim_track out = {.kind = ANIM_CURVE, .component = ANIM_WHOLE, .interp = ANIM_LINEAR};

	if (samples != NULL) {
		out = *samples;
		out.record = NULL;
		out.attrs = (struct anim_attrs){0};
		out.interp = ANIM_LINEAR;
	}
	values->size = r->time.size = 0;
	for (size_t k = 0; k < r->motion.poses.size / sizeof *poses; k++) {
		float time = (float)poses[k].time, numbers[4];

		anim_components_to_float(numbers, poses[k].part[part], components);
		if (anim_buffer_append(values, numbers, components * sizeof *numbers, error) != 0 ||
		    anim_buffer_append(&r->time, &time, sizeof time, error) != 0)
			return -1;
		out.n = k + 1;
	}
	out.type = rotates ? ANIM_FLOATQ : ANIM_FLOAT3;
	out.node = r->names[root];
	out.property = rotates ? "rotation" : "position";
	out.time = samples != NULL ? NULL : (const float *)(const void *)r->time.data;
	out.value = values->data;
	return anim_sink_track(r->filter.next, &out, error);
}

/* Write the tracks of both nodes with linear segments. Returns 0 or -1. */
static int put_lines(struct root *r, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.track = collect};
	static const struct anim_caps caps = {.format = "anim-root",
					      .kinds = 1u << ANIM_RAW | 1u << ANIM_CURVE,
					      .types = (uint64_t)1 << ANIM_FLOAT3 | (uint64_t)1 << ANIM_FLOATQ,
					      .interps = 1u << ANIM_LINEAR,
					      .rules = ANIM_RULES_PLAIN,
					      .raw_start = true,
					      .whole_transforms = true,
					      .regular = true};
	const bool moves_root = !r->options.in_place && !r->options.fold;
	const struct anim_track *samples;
	struct root_motion *m = &r->motion;
	struct collector *collector;
	bool rotated = r->options.yaw || r->options.loop;
	int result;

	/* The hips' rotation changes by the root's own tracks, or by the motion that is removed. */
	for (size_t i = 0; i < held_count(&r->held); i++)
		rotated = rotated || held_at(&r->held, i)->part == ROOT_ROTATION;
	if (rotated && !(m->above.even && m->rest.even && m->between.even))
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "'%.80s' has a non-uniformly scaled parent; rotating it would shear", r->options.hips);

	/* Convert the waiting tracks to complete, absolute values with linear segments. */
	collector = anim_sink_new(sizeof *collector, &ops, error);
	r->straight.size = 0;
	if (collector == NULL)
		return -1;
	collector->r = r;
	if (anim_convert_tracks(&caps, r->options.diagnostics, &r->poses.rests, &r->clip, r->held.data,
				held_count(&r->held), sizeof(struct held), &collector->sink, error) != 0)
		return -1;
	for (size_t i = 0; i < held_count(&r->straight); i++)
		if (read_line(r, held_at(&r->straight, i), error) != 0)
			return -1;
	if (held_count(&r->straight) == 0)
		return 0;

	/* If all tracks are samples at the same times, the new tracks are as well. */
	samples = &held_at(&r->straight, 0)->track;
	for (size_t i = 0; i < held_count(&r->straight) && samples != NULL; i++) {
		const struct anim_track *track = &held_at(&r->straight, i)->track;

		if (track->kind != ANIM_RAW || track->n != samples->n || track->n == 0 ||
		    anim_track_time(track, 0) != anim_track_time(samples, 0) ||
		    !(anim_track_time(track, track->n - 1) == anim_track_time(samples, samples->n - 1)))
			samples = NULL;
	}
	m->samples = samples != NULL;
	m->start_s = samples != NULL ? anim_track_time(samples, 0) : (double)r->clip.start_s;
	m->end_s = samples != NULL ? anim_track_time(samples, samples->n - 1) : (double)r->clip.end_s;
	if (motion_begin(m, error) != 0 || compute_motion(m, error) != 0)
		return -1;

	result = moves_root ? put_part(r, ROOT_POSITION, samples, error) : 0;
	if (result == 0 && moves_root && r->options.yaw)
		result = put_part(r, ROOT_ROTATION, samples, error);
	if (result == 0)
		result = put_part(r, ROOT_HIPS_POSITION, samples, error);
	if (result == 0 && (rotated || m->line[ROOT_HIPS_ROTATION].n > 0))
		result = put_part(r, ROOT_HIPS_ROTATION, samples, error);
	return result;
}

/* ---- Notes ---- */

static int report(struct root *r, struct anim_error *error)
{
	const struct root_motion *m = &r->motion;
	struct anim_diagnostics *diagnostics = r->options.diagnostics;
	double degree = 180 / ANIM_PI;

	if (!r->options.fold &&
	    anim_diagnostics_note(
		diagnostics, NULL, error,
		"%s %.4g m and %.4g degrees; the error of the hips between keys is at most %.2g mm and %.2g degrees",
		r->options.in_place ? "removed a motion of" : "the root now moves", m->way_m, m->yaw_rad * degree,
		m->bound_m * 1000, m->bound_rad * degree) != 0)
		return -1;
	if (r->options.fold &&
	    anim_diagnostics_note(
		diagnostics, NULL, error,
		"the root is in its rest pose; the error of the hips between keys is at most %.2g mm and "
		"%.2g degrees",
		m->bound_m * 1000, m->bound_rad * degree) != 0)
		return -1;
	if (r->options.loop &&
	    anim_diagnostics_note(
		diagnostics, NULL, error,
		"the hips ended %.4g m and %.4g degrees away from their start; the difference is spread over the clip",
		m->gap_m, m->gap_rad * degree) != 0)
		return -1;
	if (!isnan(m->lost_s) &&
	    anim_diagnostics_warn(
		diagnostics, NULL, error,
		"at %.6g s the hips are upside down, so their yaw is undefined; the yaw before is used",
		m->lost_s) != 0)
		return -1;
	if (r->beside > 0 && !r->options.in_place)
		return anim_diagnostics_note(diagnostics, NULL, error,
					     "%zu tracks of other nodes below the root now move with it", r->beside);
	return 0;
}

/* ---- The sink ---- */

static int finish_clip(struct root *r, struct anim_error *error)
{
	const struct anim_scope *scope = r->options.diagnostics->scope;
	const struct anim_track *way;
	int done = 0;

	if (!r->in_clip)
		return 0;
	r->in_clip = false;
	r->options.diagnostics->scope = r->scope;

	struct anim_store *store = r->store;
	int result;

	if (store != NULL) {
		result = choose_both(r, error);
		r->store = NULL;
		if (result == 0)
			result = anim_store_replay(store, 0, NULL, &r->replayed, error);
		anim_store_free(store);
		if (result != 0)
			return -1;
	}

	/* Nodes beside the hips would lose the motion that the root has now. */
	bool moves = false;
	uint32_t beside;

	for (size_t i = 0; i < held_count(&r->held); i++)
		moves |= held_at(&r->held, i)->root && !stays_at_rest(r, r->root, &held_at(&r->held, i)->track);
	if (moves && !r->options.fold && (beside = find_beside(r, r->root, r->hips)) != ANIM_POSE_NONE) {
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "'%.80s' is below '%.80s', but not below '%.80s', so it would lose the motion of its parent; "
		    "extract '%.80s' instead",
		    anim_poses_path(&r->poses, beside), anim_poses_path(&r->poses, r->root),
		    anim_poses_path(&r->poses, r->hips), anim_poses_path(&r->poses, r->root));
	}

	if (held_count(&r->held) == 0) {
		r->options.diagnostics->scope = scope;
		return 0;
	}
	for (int root = 0; root < 2; root++) {
		const char *path = anim_poses_path(&r->poses, root ? r->root : r->hips);

		if (r->names[root] == NULL &&
		    (r->names[root] = anim_tree_name(r->clip.root, path, &r->arena, error)) == NULL)
			return -1;
	}
	if (place_rests(r, error) != 0)
		return -1;
	if ((way = find_way(r)) != NULL)
		done = put_ways(r, way, error);
	for (size_t i = 0; i < held_count(&r->held) && done > 0; i++)
		if (held_at(&r->held, i)->part == ROOT_HIPS_ROTATION &&
		    anim_sink_track(r->filter.next, &held_at(&r->held, i)->track, error) != 0)
			done = -1;
	if (done == 0)
		done = put_lines(r, error);
	if (done < 0 || report(r, error) != 0)
		return -1;
	r->options.diagnostics->scope = scope;
	return 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct root *r = (struct root *)sink;

	if (finish_clip(r, error) != 0)
		return -1;
	anim_arena_reset(&r->tree_arena);
	if (r->guesses) {
		anim_sink_free(r->to_skeleton);
		anim_skeleton_clear(&r->skeleton);
		r->to_skeleton = anim_skeleton_sink_new(&r->skeleton, false, error);
		if (r->to_skeleton == NULL || anim_sink_tree(r->to_skeleton, tree, error) != 0)
			return -1;
	}
	r->tree_name = tree->root_name;
	if (anim_text_keep(&r->tree_name, &r->tree_arena, error) != 0)
		return -1;
	return anim_filter_tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct root *r = (struct root *)sink;

	if (r->to_skeleton != NULL && anim_sink_node(r->to_skeleton, node, error) != 0)
		return -1;
	return anim_filter_node(sink, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct root *r = (struct root *)sink;

	if (finish_clip(r, error) != 0)
		return -1;
	anim_arena_reset(&r->arena);
	r->held.size = 0;
	r->names[0] = r->names[1] = NULL;
	r->beside = 0;
	r->scope = r->options.diagnostics->scope;
	r->in_clip = true;
	r->known = false;
	if (anim_clip_copy(&r->clip, clip, &r->arena, error) != 0)
		return -1;
	return anim_filter_clip(sink, clip, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return finish_clip((struct root *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct root *r = (struct root *)sink;

	anim_sink_free(r->to_skeleton);
	anim_skeleton_clear(&r->skeleton);
	anim_store_free(r->store);
	anim_arena_clear(&r->tree_arena);
	anim_arena_clear(&r->arena);
	anim_buffer_clear(&r->held);
	anim_buffer_clear(&r->straight);
	anim_buffer_clear(&r->time);
	anim_buffer_clear(&r->motion.poses);
	for (int i = 0; i < ANIM_COLUMN_COUNT; i++) {
		anim_buffer_clear(&r->columns[i]);
		anim_buffer_clear(&r->root_columns[i]);
	}
	anim_filter_free(sink);
}

struct anim_sink *anim_root_new(const struct anim_root_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	static const struct anim_sink_ops replayed = {.track = replay_track};
	struct root *r = anim_filter_new(sizeof *r, &ops, next, error);

	if (r == NULL)
		return NULL;
	r->options = *options;
	r->guesses = options->hips == NULL;
	r->motion.options = &r->options;
	anim_skeleton_init(&r->skeleton);
	r->replayed.ops = &replayed;
	anim_poses_init(&r->poses, 0);
	r->filter.poses = &r->poses;
	return &r->filter.sink;
}
