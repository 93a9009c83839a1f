/* figure.c: a human in a tree, and frames of its bones, from the pose at rest or from a motion. */
#include "filter/retarget/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "filter/common/affine.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

#define NONE (-1) /* no slot */
#define DEGREES (180 / ANIM_PI)

/*
 * Degrees: the limits of a pose of a human. The worst poses that real skeletons rest in have 4, 24, 4, 95, 22, 40 and 15.
 * The nearest rests that are not poses have 13, 43, 22, 116, 30, 106 and 28.
 */
#define POSE_LINES 12  /* between hip line and shoulder line */
#define POSE_TRUNK 30  /* between the trunk and the legs, straight through */
#define POSE_ACROSS 12 /* between the hip line and a line across the trunk */
#define POSE_ARMS 105  /* between an arm and its side of the shoulder line */
#define POSE_KNEES 25
#define POSE_LEGS 60   /* between the two legs */
#define POSE_SIDES 21  /* between a left limb and the mirrored right one */
#define POSE_SIZE 0.05 /* of a leg: shorter trunks have no direction */

#define NEAR_AXIS 30 /* degrees: a body this near an axis is along it */
#define NEAR_BOUND 5 /* the same in a bind pose, in which glTF leaves the top joint as the file does */
#define STANDING 60  /* degrees: minimum elevation of the body's axis */
#define TOES 15      /* degrees: a foot at rest that points up by more is not flat on the ground */
#define SPLAY 12     /* degrees: feet lean as shins that lean out by more */
#define FLAT 6       /* degrees: toes that are lower than this below the ankle are on the ground */

/* Of a motion. */
#define PARTS 10        /* of a motion, each of which has upright samples */
#define UPRIGHT_GOOD 35 /* degrees, the sum of a pose's differences from upright: the limits below hold */
#define UPRIGHT_POOR 90 /* the limits for poor poses hold */
#define TRUST 29        /* degrees between the frame that joints show and the mean over a motion */
#define WIDE 0.1        /* of the hip line: closer collar bones show no direction */
#define TRUST_HIPS 20   /* the same for hips that do not belong to a straight chain */
#define STRAIGHT 30     /* degrees between the directions of bones that continue each other */
#define BENT 15         /* degrees: a joint that bends by more shows its hinge */
#define HINGE 0.5       /* how well the hinges of all samples agree, 0 to 1: real joints have 0.76 or more */
#define MATCHED 60      /* degrees between two frames of a hand or a limb that can be the same */
#define LOW 0.3         /* share of the samples in which a foot is on the ground */

#define ALIKE 0.1 /* degrees between bones of two rests that have the same axes */
#define SAME 0.01 /* of a leg: bones with closer offsets, in the axes of the bones above, are the same */
#define WALKS 10  /* degrees: legs that swing less may not show how they bend */

static const double no_rotation[4] = {0, 0, 0, 1};

/* ---- Vectors and rotations ---- */

static double angle(const double a[3], const double b[3])
{
	return anim_vec3_angle(a, b) * DEGREES;
}

static double rotation_angle(const double a[4], const double b[4])
{
	double d = fabs(anim_quat_dot_double(a, b));

	return 2 * anim_acos(fmin(d, 1)) * DEGREES;
}

/* Compute the frame with this left and this up. The `first` of them (0: left) is exact. Returns false if it has none. */
static bool frame_of(double q[4], const double left[3], const double up[3], unsigned first)
{
	double axes[3][3];
	const double *fixed = first == 0 ? left : up, *other = first == 0 ? up : left;

	memcpy(axes[first], fixed, sizeof axes[0]);
	memcpy(axes[1 - first], other, sizeof axes[0]);
	if (!(anim_vec3_unit(axes[first]) > 0))
		return false;
	for (unsigned i = 0; i < 3; i++)
		axes[1 - first][i] = other[i] - anim_vec3_dot_double(other, axes[first]) * axes[first][i];
	if (!(anim_vec3_unit(axes[1 - first]) > 1e-9))
		return false;
	anim_vec3_cross_double(axes[2], axes[0], axes[1]);
	anim_quat_from_axes_double(q, axes[0], axes[1], axes[2]);
	return true;
}

/* Rotate a frame by the shortest way, so that its axis c has this direction. */
static void point(double frame[4], const double c[3], const double direction[3])
{
	double now[3], way[4];

	anim_quat_rotate_double(now, frame, c);
	anim_quat_between_double(way, now, direction);
	anim_quat_multiply_double(frame, way, frame);
	anim_quat_normalize_double(frame);
}

/* ---- The figure ---- */

static const double *place(const struct retarget_figure *f, size_t sample, int slot)
{
	return f->at[sample * f->count + (size_t)slot];
}

static const double *rotation(const struct retarget_figure *f, size_t sample, int slot)
{
	return f->rotations[sample * f->count + (size_t)slot];
}

static const double *joint(const struct retarget_figure *f, size_t sample, unsigned bone)
{
	return place(f, sample, f->bones[bone]);
}

static bool has(const struct retarget_figure *f, unsigned bone)
{
	return bone < ANIM_HUMAN_BONES && f->bones[bone] != NONE;
}

static int add_slot(struct retarget_figure *f, uint32_t node)
{
	if (f->slots[node] == NONE) {
		f->slots[node] = (int)f->count;
		f->nodes[f->count++] = node;
	}
	return f->slots[node];
}

static int make_room(struct retarget_figure *f, size_t samples, struct anim_arena *arena, struct anim_error *error)
{
	double(*at)[3] = anim_arena_zeroed(arena, samples * (f->count + 1), sizeof *at, error);
	double(*rotations)[4] = anim_arena_zeroed(arena, samples * (f->count + 1), sizeof *rotations, error);

	if (at == NULL || rotations == NULL)
		return -1;
	if (f->at != NULL) {
		memcpy(at, f->at, f->count * sizeof *at);
		memcpy(rotations, f->rotations, f->count * sizeof *rotations);
	}
	f->at = at;
	f->rotations = rotations;
	return 0;
}

/* Convert between a left-handed tree's space and the mirrored space. The same mirror converts back. */
void retarget_frames_mirror(const struct retarget_figure *f, double q[4])
{
	q[1] = f->mirrored ? -q[1] : q[1];
	q[2] = f->mirrored ? -q[2] : q[2];
}

static void keep_place(const struct retarget_figure *f, double out[3], const double at[ANIM_POSE_NUMBERS])
{
	for (unsigned i = 0; i < 3; i++)
		out[i] = i == 0 && f->mirrored ? -at[3] : at[4 * i + 3];
}

int retarget_figure_make(struct retarget_figure *f, const struct retarget_side *side, const struct retarget_side *other,
			 struct anim_arena *arena, struct anim_error *error)
{
	const bool bound = side->skeleton->bound != NULL;
	struct anim_poses *poses = bound ? &side->skeleton->bound->poses : &side->skeleton->poses;
	double(*rotations)[4] = side->rotations;

	*f = (struct retarget_figure){.side = side,
				      .mirrored = poses->axes == ANIM_AXES_UNITY || poses->axes == ANIM_AXES_RESONITE};
	f->slots = anim_arena_zeroed(arena, side->count + 1, sizeof *f->slots, error);
	f->nodes = anim_arena_zeroed(arena, side->count + 1, sizeof *f->nodes, error);
	f->trunk = anim_arena_zeroed(arena, side->count + ANIM_BONE_JAW, sizeof *f->trunk, error);
	f->frames = anim_arena_zeroed(arena, side->count + 1, sizeof *f->frames, error);
	if (f->slots == NULL || f->nodes == NULL || f->trunk == NULL || f->frames == NULL)
		return -1;
	for (uint32_t n = 0; n < side->count; n++)
		f->slots[n] = NONE;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		uint32_t node = side->bones[b];

		/* a map can name bones that only the other side knows */
		if (other != NULL && other->bones[b] != ANIM_POSE_NONE &&
		    other->nodes[other->bones[b]].partner != ANIM_POSE_NONE)
			node = other->nodes[other->bones[b]].partner;
		f->bones[b] = node == ANIM_POSE_NONE ? NONE : add_slot(f, node);
	}

	/* Add the bones between the hips and the head, parents first. */
	const struct retarget_chain *chains[2] = {&side->spine, &side->neck};
	static const unsigned spare[2][2] = {{ANIM_BONE_SPINE, ANIM_BONE_UPPER_CHEST},
					     {ANIM_BONE_NECK, ANIM_BONE_NECK}};

	f->chest = f->bones[ANIM_BONE_HIPS];
	for (unsigned c = 0; c < 2; c++) {
		for (size_t i = 0; i < chains[c]->count; i++)
			f->trunk[f->trunk_count++] = add_slot(f, chains[c]->nodes[i]);
		for (unsigned b = spare[c][0]; b <= spare[c][1] && chains[c]->count == 0; b++)
			if (has(f, b))
				f->trunk[f->trunk_count++] = f->bones[b];
		if (c == 0 && f->trunk_count > 0)
			f->chest = f->trunk[f->trunk_count - 1];
	}
	if (has(f, ANIM_BONE_HEAD))
		f->trunk[f->trunk_count++] = f->bones[ANIM_BONE_HEAD];

	/* frames require hips, arms with hands, and legs with feet */
	f->complete = has(f, ANIM_BONE_HIPS);
	for (unsigned b = ANIM_BONE_UPPER_ARM; b < ANIM_BONE_TOES; b++)
		f->complete &= has(f, b);
	if (bound)
		anim_poses_begin(poses, 1);
	if (make_room(f, 1, arena, error) != 0 ||
	    (bound &&
	     (anim_poses_ready(poses, error) != 0 || anim_poses_rotations(poses, &rotations, arena, error) != 0)))
		return -1;
	for (size_t i = 0; i < f->count; i++) {
		keep_place(f, f->at[i], anim_poses_at(poses, f->nodes[i], 0));
		memcpy(f->rotations[i], rotations[f->nodes[i]], sizeof f->rotations[i]);
		retarget_frames_mirror(f, f->rotations[i]);
	}
	return 0;
}

/* ---- Motion ---- */

int retarget_figure_begin(struct retarget_figure *f, size_t samples, struct anim_arena *arena, struct anim_error *error)
{
	f->samples = samples;
	return make_room(f, samples + 1, arena, error);
}

void retarget_figure_sample(struct retarget_figure *f, const struct anim_poses *poses, size_t sample, size_t in_tile)
{
	for (size_t i = 0; i < f->count; i++) {
		const double *at = anim_poses_at(poses, f->nodes[i], in_tile);
		double *q = f->rotations[(sample + 1) * f->count + i];
		double x[3] = {at[0], at[4], at[8]}, y[3] = {at[1], at[5], at[9]};

		keep_place(f, f->at[(sample + 1) * f->count + i], at);
		if (!frame_of(q, x, y, 0))
			memcpy(q, no_rotation, sizeof no_rotation);
		retarget_frames_mirror(f, q);
	}
}

/* ---- A pose ---- */

/* The main directions of a figure, of length 1. */
struct stance {
	double hips[3], shoulders[3]; /* from right to left */
	double trunk[3], legs[3];     /* up, and down */
	double left[3];               /* of hips and shoulders together */
	double length;                /* of the trunk */
};

static void direction(const struct retarget_figure *f, size_t sample, unsigned from, unsigned to, double out[3])
{
	anim_vec3_subtract(out, joint(f, sample, to), joint(f, sample, from));
	anim_vec3_unit(out);
}

/* Get the middle between a bone and its counterpart. */
static void middle(const struct retarget_figure *f, size_t sample, unsigned bone, double out[3])
{
	for (unsigned i = 0; i < 3; i++)
		out[i] = (joint(f, sample, bone)[i] + joint(f, sample, bone + 1)[i]) / 2;
}

static void find_stance(const struct retarget_figure *f, size_t sample, struct stance *s)
{
	double leg[2][3];

	direction(f, sample, ANIM_BONE_UPPER_LEG + 1, ANIM_BONE_UPPER_LEG, s->hips);
	direction(f, sample, ANIM_BONE_UPPER_ARM + 1, ANIM_BONE_UPPER_ARM, s->shoulders);
	middle(f, sample, ANIM_BONE_UPPER_ARM, s->trunk);
	middle(f, sample, ANIM_BONE_UPPER_LEG, leg[0]);
	anim_vec3_subtract(s->trunk, s->trunk, leg[0]);
	s->length = anim_vec3_unit(s->trunk);
	for (unsigned i = 0; i < 2; i++)
		direction(f, sample, ANIM_BONE_UPPER_LEG + i, ANIM_BONE_FOOT + i, leg[i]);
	memcpy(s->legs, leg[0], sizeof leg[0]);
	anim_vec3_add(s->legs, leg[1], 1);
	anim_vec3_unit(s->legs);
	memcpy(s->left, s->hips, sizeof s->left);
	anim_vec3_add(s->left, s->shoulders, 1);
	anim_vec3_unit(s->left);
}

/* Return the length of thigh and shin, the mean of both legs. */
static double leg_length(const struct retarget_figure *f, size_t sample)
{
	double length = 0, way[3];

	for (unsigned i = 0; i < 4; i++) {
		unsigned bone = ANIM_BONE_UPPER_LEG + i;

		anim_vec3_subtract(way, joint(f, sample, bone + 2), joint(f, sample, bone));
		length += anim_vec3_length_double(way) / 2;
	}
	return length;
}

static double knee(const struct retarget_figure *f, size_t sample, unsigned side)
{
	double thigh[3], shin[3];

	direction(f, sample, ANIM_BONE_UPPER_LEG + side, ANIM_BONE_LOWER_LEG + side, thigh);
	direction(f, sample, ANIM_BONE_LOWER_LEG + side, ANIM_BONE_FOOT + side, shin);
	return angle(thigh, shin);
}

/* The four bones of both sides that are straight from joint to joint: upper arm, forearm, thigh, shin. */
static const unsigned limbs[4] = {ANIM_BONE_UPPER_ARM, ANIM_BONE_LOWER_ARM, ANIM_BONE_UPPER_LEG, ANIM_BONE_LOWER_LEG};

/* Return whether the rest is a pose of a human. Many files have a rest in which all bones are along one axis. */
static bool is_pose(const struct retarget_figure *f)
{
	struct stance s;
	double legs[2][3], arm[3], side[3], down[3];
	bool pose;

	find_stance(f, 0, &s);
	memset(down, 0, sizeof down);
	anim_vec3_add(down, s.legs, -1);
	pose = s.length > POSE_SIZE * leg_length(f, 0) && angle(s.hips, s.shoulders) <= POSE_LINES &&
	       angle(s.trunk, down) <= POSE_TRUNK && fabs(angle(s.hips, s.trunk) - 90) <= POSE_ACROSS;
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned k = 0; k < 3; k++)
			side[k] = i == 0 ? s.shoulders[k] : -s.shoulders[k];
		direction(f, 0, ANIM_BONE_UPPER_ARM + i, ANIM_BONE_HAND + i, arm);
		direction(f, 0, ANIM_BONE_UPPER_LEG + i, ANIM_BONE_FOOT + i, legs[i]);
		pose = pose && angle(arm, side) <= POSE_ARMS && knee(f, 0, i) <= POSE_KNEES;
	}
	for (unsigned b = 0; b < 4; b++) {
		double way[2][3], along;

		for (unsigned i = 0; i < 2; i++)
			direction(f, 0, limbs[b] + i, limbs[b] + 2 + i, way[i]);
		along = anim_vec3_dot_double(way[0], s.left);
		for (unsigned k = 0; k < 3; k++)
			way[0][k] -= 2 * along * s.left[k];
		pose = pose && angle(way[0], way[1]) <= POSE_SIDES;
	}
	return pose && angle(legs[0], legs[1]) <= POSE_LEGS;
}

/* Replace a direction by the nearest axis. Returns false if it is too far away. */
static bool snap(double v[3], double degrees)
{
	double axis[3] = {0};
	unsigned most = fabs(v[0]) >= fabs(v[1]) && fabs(v[0]) >= fabs(v[2]) ? 0 : fabs(v[1]) >= fabs(v[2]) ? 1 : 2;

	axis[most] = v[most] < 0 ? -1 : 1;
	if (angle(axis, v) > degrees)
		return false;
	memcpy(v, axis, sizeof axis);
	return true;
}

/* Rotate the rest about the hips, so that the body is upright and faces in its quarter exactly. */
static void level(struct retarget_figure *f)
{
	const double half = f->facing * ANIM_PI / 4;
	const double upright[4] = {0, anim_sin(half), 0, anim_cos(half)};
	double way[4], hips[3];

	anim_quat_conjugate_double(way, f->body);
	anim_quat_multiply_double(way, upright, way);
	memcpy(hips, joint(f, 0, ANIM_BONE_HIPS), sizeof hips);
	for (size_t i = 0; i < f->count; i++) {
		anim_vec3_subtract(f->at[i], f->at[i], hips);
		anim_quat_rotate_double(f->at[i], way, f->at[i]);
		anim_vec3_add(f->at[i], hips, 1);
		anim_quat_multiply_double(f->rotations[i], way, f->rotations[i]);
	}
	memcpy(f->body, upright, sizeof upright);
	f->standing = true;
}

/* Find the frame of the body at rest, and the quarter rotation about up to which it faces. */
static bool find_body(struct retarget_figure *f)
{
	static const double z[3] = {0, 0, 1};
	const bool bound = f->side->skeleton->bound != NULL;
	const double near = bound ? NEAR_BOUND : NEAR_AXIS;
	struct stance s;
	double left[3], up[3], forward[3];

	find_stance(f, 0, &s);
	anim_vec3_subtract(up, s.trunk, s.legs);
	anim_vec3_unit(up);
	memcpy(left, s.left, sizeof left);
	if (!snap(left, near) || !snap(up, near) || fabs(anim_vec3_dot_double(left, up)) > 0.5) {
		memcpy(left, s.left, sizeof left);
		anim_vec3_subtract(up, s.trunk, s.legs);
	}
	f->facing = 0;
	f->standing = false;
	if (!frame_of(f->body, left, up, 0))
		return false;
	anim_quat_rotate_double(up, f->body, (const double[3]){0, 1, 0});
	anim_quat_rotate_double(forward, f->body, z);
	f->standing = up[1] >= anim_sin(STANDING / DEGREES);
	if (!f->standing && !bound)
		return true;
	if (fabs(forward[0]) > fabs(forward[2]))
		f->facing = forward[0] > 0 ? 1 : 3;
	else
		f->facing = forward[2] >= 0 ? 0 : 2;
	if (bound)
		level(f);
	return true;
}

/* The direction of an arm or a leg in the T-pose, in the body's terms. */
static void canonical(unsigned bone, double c[3])
{
	bool leg = bone >= ANIM_BONE_UPPER_LEG && bone < ANIM_BONE_FINGERS;

	c[0] = leg ? 0 : (bone - ANIM_BONE_SHOULDER) % 2 == 0 ? 1 : -1;
	c[1] = leg ? -1 : 0;
	c[2] = 0;
}

/* Return whether arms and legs at rest have the directions of a T-pose, to this number of degrees. */
bool retarget_figure_is_tpose(const struct retarget_figure *f, double degrees)
{
	bool tpose = f->posed;

	for (unsigned b = 0; b < 8; b++) {
		unsigned bone = limbs[b / 2] + b % 2;
		double c[3], way[3];

		canonical(bone, c);
		anim_quat_rotate_double(c, f->body, c);
		direction(f, 0, bone, bone + 2, way);
		tpose = tpose && angle(c, way) <= degrees;
	}
	return tpose;
}

bool retarget_figure_judge(struct retarget_figure *f)
{
	f->posed = f->complete && is_pose(f);
	f->bodied = f->complete && find_body(f);
	return f->posed;
}

/* ---- Frames from the rest ---- */

/* Set the frame of a bone that has this orientation in the body at rest. */
static void set_frame(struct retarget_figure *f, int slot, const double stand[4])
{
	anim_quat_from_to(f->frames[slot], rotation(f, 0, slot), stand);
}

/* Follow a limb: rotate the frame with each bone to its direction. `end` has no direction of its own. */
static void follow(struct retarget_figure *f, unsigned bone, unsigned count, double stand[4])
{
	double c[3], way[3];

	canonical(bone, c);
	for (unsigned i = 0; i <= count; i++, bone += 2) {
		if (!has(f, bone))
			return;
		if (i < count && has(f, bone + 2)) {
			direction(f, 0, bone, bone + 2, way);
			point(stand, c, way);
		}
		set_frame(f, f->bones[bone], stand);
	}
}

void retarget_frames_of_rest(struct retarget_figure *f, bool by_direction)
{
	for (size_t i = 0; i < f->count; i++)
		set_frame(f, (int)i, f->body);
	if (by_direction) {
		for (unsigned i = 0; i < 2; i++) {
			double stand[4];

			memcpy(stand, f->body, sizeof stand);
			follow(f, ANIM_BONE_UPPER_LEG + i, 2, stand);
			memcpy(stand, f->body, sizeof stand);
			follow(f, ANIM_BONE_UPPER_ARM + i, 2, stand);
			for (unsigned finger = 0; finger < 5; finger++) {
				double own[4];

				memcpy(own, stand, sizeof own);
				for (unsigned k = 0; k < 3 && finger == 0; k++)
					if (has(f, ANIM_BONE_FINGERS + 2 * k + i))
						set_frame(f, f->bones[ANIM_BONE_FINGERS + 2 * k + i], own);
				if (finger > 0)
					follow(f, ANIM_BONE_FINGERS + 6 * finger + i, 2, own);
			}
		}
	}

	/*
	 * Feet are flat on the ground at rest, with two exceptions. A leg that is spread at rest carries its foot with
	 * it, and the rest of some motion capture lets the feet point straight forward from an ankle that is high above
	 * the ground.
	 */
	const double legs = leg_length(f, 0);

	for (unsigned i = 0; i < 2; i++) {
		double shin[3], foot[3], lean[4], stand[4], up, slope, pitch, length;
		const double *ankle = joint(f, 0, ANIM_BONE_FOOT + i);

		direction(f, 0, ANIM_BONE_LOWER_LEG + i, ANIM_BONE_FOOT + i, shin);
		anim_quat_rotate_back(shin, f->body, shin);
		shin[2] = 0;
		anim_quat_between_double(lean, (const double[3]){0, -1, 0}, shin);
		if ((i == 0 ? 1 : -1) * anim_atan2(shin[0], -shin[1]) * DEGREES <= SPLAY)
			memcpy(lean, no_rotation, sizeof lean);
		if (has(f, ANIM_BONE_TOES + i)) {
			anim_vec3_subtract(foot, joint(f, 0, ANIM_BONE_TOES + i), ankle);
			length = anim_vec3_unit(foot);
			up = ankle[1] - 0.025 * legs;
			slope = (anim_acos(foot[1]) * DEGREES) - 90;
			pitch = 90 - anim_acos(length > 0 ? fmin(up / length, 1) : 0) * DEGREES;
			if (f->standing && slope < FLAT && ankle[1] > 0.03 * legs && pitch > TOES) {
				const double tilt[4] = {-anim_sin(pitch / DEGREES / 2), 0, 0,
							anim_cos(pitch / DEGREES / 2)};

				anim_quat_multiply_double(lean, lean, tilt);
			}
		}
		anim_quat_multiply_double(stand, f->body, lean);
		set_frame(f, f->bones[ANIM_BONE_FOOT + i], stand);
		if (has(f, ANIM_BONE_TOES + i))
			set_frame(f, f->bones[ANIM_BONE_TOES + i], stand);
	}
}

/* ---- Frames from a motion ---- */

/* The motion of a figure whose rest is not a pose. Samples count from 1. */
struct seen {
	struct retarget_figure *f;
	bool *upright;   /* the most upright samples */
	bool *spread;    /* the same of each part of the motion */
	double score;    /* the median of their differences from upright, in degrees */
	double *numbers; /* room for one number of each sample */
	double chain[3]; /* the direction of the trunk in the zero pose, if `straight` */
	bool straight;
	bool guessed; /* a limb shows no hinge */
};

/* Compute the place of `to` in the own axes of `from`, the median of all samples, relative to the place of `base`. */
static void find_child(const struct seen *seen, int from, int base, int to, double out[3])
{
	const struct retarget_figure *f = seen->f;

	for (unsigned i = 0; i < 3; i++) {
		for (size_t k = 1; k <= f->samples; k++) {
			double way[3];

			anim_vec3_subtract(way, place(f, k, to), place(f, k, base));
			anim_quat_rotate_back(way, rotation(f, k, from), way);
			seen->numbers[k - 1] = way[i];
		}
		qsort(seen->numbers, f->samples, sizeof *seen->numbers, anim_compare_doubles);
		out[i] = seen->numbers[f->samples / 2];
	}
}

static int find_upright(struct seen *seen, struct anim_arena *arena, struct anim_error *error)
{
	static const double up[3] = {0, 1, 0}, down[3] = {0, -1, 0};
	const struct retarget_figure *f = seen->f;
	double *scores = anim_arena_zeroed(arena, f->samples + 1, sizeof *scores, error), limit;
	size_t count = f->samples / 10 < 5 ? 5 : f->samples / 10;

	seen->numbers = anim_arena_zeroed(arena, f->samples + 1, sizeof *seen->numbers, error);
	seen->upright = anim_arena_zeroed(arena, f->samples + 1, sizeof *seen->upright, error);
	seen->spread = anim_arena_zeroed(arena, f->samples + 1, sizeof *seen->spread, error);
	if (scores == NULL || seen->numbers == NULL || seen->upright == NULL || seen->spread == NULL)
		return -1;
	for (size_t k = 1; k <= f->samples; k++) {
		struct stance s;

		find_stance(f, k, &s);
		scores[k - 1] = angle(s.trunk, up) + angle(s.legs, down) + angle(s.hips, s.shoulders) +
				(knee(f, k, 0) + knee(f, k, 1)) / 4;
	}
	memcpy(seen->numbers, scores, f->samples * sizeof *scores);
	qsort(seen->numbers, f->samples, sizeof *scores, anim_compare_doubles);
	count = count > f->samples ? f->samples : count;
	limit = seen->numbers[count - 1];
	seen->score = seen->numbers[count / 2];
	for (size_t k = 1; k <= f->samples; k++)
		seen->upright[k] = scores[k - 1] <= limit;
	for (size_t part = 0; part < PARTS; part++) {
		const size_t first = f->samples * part / PARTS, size = f->samples * (part + 1) / PARTS - first;

		memcpy(seen->numbers, scores + first, size * sizeof *scores);
		qsort(seen->numbers, size, sizeof *scores, anim_compare_doubles);
		for (size_t k = first; k < first + size; k++)
			seen->spread[k + 1] = scores[k] <= fmin(fmax(limit, UPRIGHT_GOOD), seen->numbers[size / PARTS]);
	}
	return 0;
}

/* Return the limit for a difference from the mean, which depends on how upright the motion is. */
static double trust(const struct seen *seen, double good, double poor)
{
	return seen->score <= UPRIGHT_GOOD ? good : seen->score <= UPRIGHT_POOR ? poor : 180;
}

/* Get the orientation of the body that something suggests for a bone in a sample. Returns false if it suggests none. */
typedef bool stand_at(const struct seen *, const void *what, size_t sample, double out[4]);

/* Compute the mean frame of a bone over the samples. Returns false if no sample suggests one. */
static bool average(const struct seen *seen, int slot, stand_at *stand, const void *what, double out[4])
{
	double q[4], sum[4] = {0};
	bool any = false;

	for (size_t k = 1; k <= seen->f->samples; k++) {
		if (!stand(seen, what, k, q))
			continue;
		anim_quat_from_to(q, rotation(seen->f, k, slot), q);
		any = true;
		for (unsigned i = 0, sign = anim_quat_dot_double(sum, q) < 0; i < 4; i++)
			sum[i] += sign ? -q[i] : q[i];
	}
	anim_quat_normalize_double(sum);
	memcpy(out, sum, sizeof sum);
	return any;
}

/* The upright body, from its line of hips and shoulders, in the samples of a list. */
static bool upright(const struct seen *seen, const void *samples, size_t sample, double out[4])
{
	struct stance s;

	if (!((const bool *)samples)[sample])
		return false;
	find_stance(seen->f, sample, &s);
	return frame_of(out, s.left, (const double[3]){0, 1, 0}, 1);
}

/* The same as for another bone with a frame. */
static bool beside(const struct seen *seen, const void *other, size_t sample, double out[4])
{
	const int slot = *(const int *)other;

	anim_quat_multiply_double(out, rotation(seen->f, sample, slot), seen->f->frames[slot]);
	return true;
}

/* Compute the frame of a bone that has the orientation of another bone with a frame in the zero pose. */
static void frame_through_zero(const struct seen *seen, int slot, int other, double out[4])
{
	beside(seen, &other, 0, out);
	anim_quat_from_to(out, rotation(seen->f, 0, slot), out);
}

/* Find the direction to which the bones of the trunk point in the zero pose, if it is the same for all. */
static void find_chain(struct seen *seen)
{
	const struct retarget_figure *f = seen->f;
	double sum[3] = {0};

	seen->straight = f->trunk_count > 1;
	for (int pass = 0; pass < 2 && seen->straight; pass++) {
		for (size_t i = 0; i + 1 < f->trunk_count; i++) {
			double way[3];

			find_child(seen, f->trunk[i], f->trunk[i], f->trunk[i + 1], way);
			anim_quat_rotate_double(way, rotation(f, 0, f->trunk[i]), way);
			anim_vec3_unit(way);
			if (pass == 0)
				anim_vec3_add(sum, way, 1);
			else
				seen->straight = seen->straight && angle(way, sum) <= STRAIGHT;
		}
		seen->straight = seen->straight && anim_vec3_unit(sum) > 0;
	}
	memcpy(seen->chain, sum, sizeof sum);
}

static void measure_hips(struct seen *seen)
{
	struct retarget_figure *f = seen->f;
	int hips = f->bones[ANIM_BONE_HIPS];
	double left[3], up[3], zero[3], mean[4], *frame = f->frames[hips], limit = TRUST_HIPS;
	bool known = f->trunk_count > 0;

	average(seen, hips, upright, seen->upright, mean);
	find_child(seen, hips, f->bones[ANIM_BONE_UPPER_LEG + 1], f->bones[ANIM_BONE_UPPER_LEG], left);
	if (known) {
		find_child(seen, hips, hips, f->trunk[0], up);
		anim_quat_rotate_double(zero, rotation(f, 0, hips), up);
		if (seen->straight && angle(zero, seen->chain) <= STRAIGHT) {
			anim_quat_rotate_back(up, rotation(f, 0, hips), seen->chain);
			limit = TRUST;
		}
	}
	if (known && frame_of(frame, left, up, 0) && rotation_angle(frame, mean) <= trust(seen, limit, 70))
		return;
	anim_quat_rotate_double(up, mean, (const double[3]){0, 1, 0});
	if (!frame_of(frame, left, up, 0))
		memcpy(frame, mean, sizeof mean);
}

static void measure_trunk(struct seen *seen)
{
	struct retarget_figure *f = seen->f;
	const unsigned arms =
	    has(f, ANIM_BONE_SHOULDER) && has(f, ANIM_BONE_SHOULDER + 1) ? ANIM_BONE_SHOULDER : ANIM_BONE_UPPER_ARM;
	double line[3], hips[3], left[3], up[3], mean[4], spread[4];
	bool wide;

	find_child(seen, f->chest, f->bones[arms + 1], f->bones[arms], line);
	find_child(seen, f->bones[ANIM_BONE_HIPS], f->bones[ANIM_BONE_UPPER_LEG + 1], f->bones[ANIM_BONE_UPPER_LEG],
		   hips);
	wide = anim_vec3_length_double(line) >= WIDE * anim_vec3_length_double(hips);
	anim_quat_rotate_double(line, rotation(f, 0, f->chest), line);
	for (size_t i = 0; i < f->trunk_count; i++) {
		int slot = f->trunk[i];
		bool known = seen->straight || i + 1 < f->trunk_count;

		average(seen, slot, upright, seen->upright, mean);
		/* a head that looks aside in one part of the motion looks ahead in others */
		if (average(seen, slot, upright, seen->spread, spread)) {
			anim_quat_rotate_double(up, mean, (const double[3]){0, 1, 0});
			anim_quat_rotate_double(left, spread, (const double[3]){1, 0, 0});
			(void)frame_of(mean, left, up, 1);
		}
		if (wide)
			anim_quat_rotate_back(left, rotation(f, 0, slot), line);
		else
			anim_quat_rotate_double(left, mean, (const double[3]){1, 0, 0});
		if (seen->straight)
			anim_quat_rotate_back(up, rotation(f, 0, slot), seen->chain);
		else if (known)
			find_child(seen, slot, slot, f->trunk[i + 1], up);
		if (!known || !frame_of(f->frames[slot], left, up, 1) ||
		    rotation_angle(f->frames[slot], mean) > trust(seen, TRUST, 70))
			memcpy(f->frames[slot], mean, sizeof mean);
	}
}

/* The direction and the hinge that a motion shows for one bone of a limb. */
struct hinge {
	int slot;
	double way[3];   /* to the next joint, in its own axes */
	double axis[3];  /* the sum of the axes about which the joint bends, in its own axes */
	double share;    /* how well these axes agree: 0 to 1 */
	double frame[4]; /* by direction and axis */
	double c[3];     /* the direction in the body's terms */
	int above;       /* the bone whose frame is carried to it by the shortest way if it never bends */
};

static bool carried(const struct seen *seen, const void *what, size_t sample, double out[4])
{
	const struct hinge *bone = what;
	double way[3];

	anim_quat_rotate_double(way, rotation(seen->f, sample, bone->slot), bone->way);
	beside(seen, &bone->above, sample, out);
	point(out, bone->c, way);
	return true;
}

/* Carry the frame of another bone to this one by the shortest way in each sample. */
static void carry(const struct seen *seen, struct hinge *bone, int above)
{
	double *frame = seen->f->frames[bone->slot];

	bone->above = above;
	average(seen, bone->slot, carried, bone, frame);
	point(frame, bone->c, bone->way);
}

static size_t measure_bending(const struct seen *seen, unsigned bone, struct hinge pair[2])
{
	const struct retarget_figure *f = seen->f;
	double total = 0;
	size_t count = 0;

	for (size_t k = 1; k <= f->samples; k++) {
		double upper[3], lower[3], axis[3], own[3];

		direction(f, k, bone, bone + 2, upper);
		direction(f, k, bone + 2, bone + 4, lower);
		if (angle(upper, lower) <= BENT)
			continue;
		anim_vec3_cross_double(axis, upper, lower);
		total += anim_vec3_length_double(axis);
		count++;
		for (unsigned i = 0; i < 2; i++) {
			anim_quat_rotate_back(own, rotation(f, k, pair[i].slot), axis);
			anim_vec3_add(pair[i].axis, own, 1);
		}
	}
	for (unsigned i = 0; i < 2; i++)
		pair[i].share = total > 0 ? anim_vec3_length_double(pair[i].axis) / total : 0;
	return count;
}

/* Arms and legs: the direction comes from the joints, the rotation about it from the axis of elbow or knee. */
static void measure_limb(struct seen *seen, unsigned bone, int above)
{
	struct retarget_figure *f = seen->f;
	const bool leg = bone >= ANIM_BONE_UPPER_LEG;
	double zero[2][3], own[4], terms[4], stand[4];
	struct hinge pair[2] = {{.slot = f->bones[bone]}, {.slot = f->bones[bone + 2]}}, *first, *second;
	size_t count;

	for (unsigned i = 0; i < 2; i++) {
		canonical(bone, pair[i].c);
		find_child(seen, pair[i].slot, pair[i].slot, f->bones[bone + 2 * i + 2], pair[i].way);
		anim_quat_rotate_double(zero[i], rotation(f, 0, pair[i].slot), pair[i].way);
	}
	count = measure_bending(seen, bone, pair);
	for (unsigned i = 0; i < 2; i++) {
		const double axis[3] = {leg, leg ? 0 : -pair[i].c[0], 0};

		if (!frame_of(own, pair[i].way, pair[i].axis, 0) || !frame_of(terms, pair[i].c, axis, 0))
			continue;
		anim_quat_conjugate_double(terms, terms);
		anim_quat_multiply_double(pair[i].frame, own, terms);
	}
	first = &pair[pair[1].share > pair[0].share];
	second = &pair[first == pair];
	if (count < 3 || first->share < HINGE) {
		seen->guessed = true;
		carry(seen, &pair[0], above);
		carry(seen, &pair[1], pair[0].slot);
		return;
	}
	memcpy(f->frames[first->slot], first->frame, sizeof first->frame);
	frame_through_zero(seen, second->slot, first->slot, stand);
	point(stand, second->c, second->way);
	if (angle(zero[0], zero[1]) < STRAIGHT &&
	    (second->share < HINGE || rotation_angle(stand, second->frame) < MATCHED))
		memcpy(f->frames[second->slot], stand, sizeof stand);
	else if (second->share >= HINGE)
		memcpy(f->frames[second->slot], second->frame, sizeof second->frame);
	else
		carry(seen, second, first->slot);
}

static void measure_hand(struct seen *seen, unsigned i)
{
	struct retarget_figure *f = seen->f;
	int hand = f->bones[ANIM_BONE_HAND + i], arm = f->bones[ANIM_BONE_LOWER_ARM + i];
	int collar = f->bones[ANIM_BONE_SHOULDER + i], finger = f->bones[ANIM_BONE_FINGERS + 12 + i];
	double mean[4], way[2][3];
	bool straight = true;

	average(seen, hand, beside, &arm, mean);
	frame_through_zero(seen, hand, arm, f->frames[hand]);
	if (finger != NONE) {
		find_child(seen, hand, hand, finger, way[0]);
		find_child(seen, arm, arm, hand, way[1]);
		anim_quat_rotate_double(way[0], rotation(f, 0, hand), way[0]);
		anim_quat_rotate_double(way[1], rotation(f, 0, arm), way[1]);
		straight = angle(way[0], way[1]) < STRAIGHT;
	}
	if (!straight || rotation_angle(f->frames[hand], mean) > MATCHED)
		memcpy(f->frames[hand], mean, sizeof mean);
	for (unsigned b = ANIM_BONE_FINGERS + i; b < ANIM_HUMAN_BONES; b += 2)
		if (has(f, b))
			frame_through_zero(seen, f->bones[b], hand, f->frames[f->bones[b]]);
	if (collar == NONE)
		return;
	average(seen, collar, upright, seen->upright, mean);
	frame_through_zero(seen, collar, f->bones[ANIM_BONE_UPPER_ARM + i], f->frames[collar]);
	if (rotation_angle(f->frames[collar], mean) > trust(seen, TRUST, 60))
		memcpy(f->frames[collar], mean, sizeof mean);
}

/* A foot whose ankle is at most this high, with the sole on the ground and the toes forward. */
struct flat {
	int foot, toes, hips;
	double highest;
};

static bool flat(const struct seen *seen, const void *what, size_t sample, double out[4])
{
	static const double up[3] = {0, 1, 0};
	const struct flat *own = what;
	double forward[3], left[3];

	if (place(seen->f, sample, own->foot)[1] > own->highest)
		return false;
	if (own->toes != NONE) {
		anim_vec3_subtract(forward, place(seen->f, sample, own->toes), place(seen->f, sample, own->foot));
	} else {
		beside(seen, &own->hips, sample, out);
		anim_quat_rotate_double(forward, out, (const double[3]){0, 0, 1});
	}
	anim_vec3_cross_double(left, up, forward);
	return frame_of(out, left, up, 1);
}

static void measure_foot(struct seen *seen, unsigned i)
{
	struct retarget_figure *f = seen->f;
	struct flat own = {f->bones[ANIM_BONE_FOOT + i], f->bones[ANIM_BONE_TOES + i], f->bones[ANIM_BONE_HIPS], 0};

	for (size_t k = 1; k <= f->samples; k++)
		seen->numbers[k - 1] = place(f, k, own.foot)[1];
	qsort(seen->numbers, f->samples, sizeof *seen->numbers, anim_compare_doubles);
	own.highest = seen->numbers[(size_t)(LOW * (double)(f->samples - 1))];
	if (!average(seen, own.foot, flat, &own, f->frames[own.foot]))
		average(seen, own.foot, beside, &f->bones[ANIM_BONE_LOWER_LEG + i], f->frames[own.foot]);
	if (own.toes != NONE)
		average(seen, own.toes, beside, &own.foot, f->frames[own.toes]);
}

bool retarget_figure_walks(const struct retarget_figure *f)
{
	for (unsigned b = ANIM_BONE_UPPER_LEG; b < ANIM_BONE_FOOT; b++) {
		for (size_t k = 2; k <= f->samples; k++) {
			double before[4], now[4];

			anim_quat_from_to(before, rotation(f, 1, f->bones[ANIM_BONE_HIPS]),
					  rotation(f, 1, f->bones[b]));
			anim_quat_from_to(now, rotation(f, k, f->bones[ANIM_BONE_HIPS]), rotation(f, k, f->bones[b]));
			if (rotation_angle(before, now) > WALKS)
				return true;
		}
	}
	return false;
}

int retarget_frames_of_motion(struct retarget_figure *f, bool *guessed, struct anim_arena *arena,
			      struct anim_error *error)
{
	struct seen seen = {.f = f};

	memcpy(f->body, no_rotation, sizeof f->body);
	f->facing = 0;
	f->standing = true;
	if (find_upright(&seen, arena, error) != 0)
		return -1;
	find_chain(&seen);
	measure_hips(&seen);
	measure_trunk(&seen);
	for (unsigned i = 0; i < 2; i++) {
		measure_limb(&seen, ANIM_BONE_UPPER_ARM + i, f->chest);
		measure_limb(&seen, ANIM_BONE_UPPER_LEG + i, f->bones[ANIM_BONE_HIPS]);
		measure_hand(&seen, i);
		measure_foot(&seen, i);
	}
	for (unsigned b = ANIM_BONE_JAW; b < ANIM_BONE_SHOULDER; b++)
		if (has(f, b) && has(f, ANIM_BONE_HEAD))
			average(&seen, f->bones[b], beside, &f->bones[ANIM_BONE_HEAD], f->frames[f->bones[b]]);
	*guessed = seen.guessed || seen.score > UPRIGHT_POOR;
	return 0;
}

/* ---- Two figures ---- */

/* Compute the orientation of a bone's frame at rest in the tree, which may be another pose than the one that shows the frame. */
static void stand_in_tree(const struct retarget_figure *f, int slot, double out[4])
{
	memcpy(out, f->side->rotations[f->nodes[slot]], 4 * sizeof *out);
	retarget_frames_mirror(f, out);
	anim_quat_multiply_double(out, out, f->frames[slot]);
}

double retarget_figure_fix(const struct retarget_figure *from, int slot, const struct retarget_figure *to, int to_slot,
			   const double turned[4], double fix[4])
{
	double facing[4], whole[4], stand[4], back[4], off;

	/* fix = F W a a'^-1 W'^-1, and F = turned body^-1 */
	anim_quat_conjugate_double(back, from->body);
	anim_quat_multiply_double(facing, turned, back);
	stand_in_tree(from, slot, stand);
	anim_quat_multiply_double(fix, facing, stand);
	stand_in_tree(to, to_slot, back);
	anim_quat_conjugate_double(back, back);
	anim_quat_multiply_double(fix, fix, back);
	anim_quat_normalize_double(fix);
	anim_quat_conjugate_double(back, to->body);
	anim_quat_multiply_double(whole, turned, back);
	off = rotation_angle(whole, fix);
	retarget_frames_mirror(to, fix);
	return off;
}

bool retarget_figures_alike(const struct retarget_figure *a, const struct retarget_figure *b)
{
	static const unsigned lines[][2] = {{ANIM_BONE_UPPER_LEG, ANIM_BONE_UPPER_LEG + 1},
					    {ANIM_BONE_UPPER_ARM, ANIM_BONE_UPPER_ARM + 1},
					    {ANIM_BONE_HIPS, ANIM_BONE_HEAD}};
	double way[2][3];

	for (size_t i = 0; i < a->count; i++) {
		uint32_t partner = a->side->nodes[a->nodes[i]].partner;
		int slot = partner == ANIM_POSE_NONE ? NONE : b->slots[partner];

		if (slot != NONE && rotation_angle(rotation(a, 0, (int)i), rotation(b, 0, slot)) > ALIKE)
			return false;
	}
	for (unsigned i = 0; i < 8 + ANIM_COUNT(lines); i++) {
		unsigned from = i < 8 ? limbs[i / 2] + i % 2 : lines[i - 8][0], to = i < 8 ? from + 2 : lines[i - 8][1];

		if (!has(a, from) || !has(a, to) || !has(b, from) || !has(b, to))
			continue;
		direction(a, 0, from, to, way[0]);
		direction(b, 0, from, to, way[1]);
		if (angle(way[0], way[1]) > STRAIGHT / 2.0)
			return false;
	}
	return true;
}

bool retarget_figures_same(struct retarget_figure *a, struct retarget_figure *b)
{
	const double legs[2] = {leg_length(a, 0), leg_length(b, 0)};
	const struct anim_poses *poses = &a->side->skeleton->poses, *others = &b->side->skeleton->poses;

	retarget_frames_of_rest(a, true);
	retarget_frames_of_rest(b, true);
	for (size_t i = 0; i < a->count; i++) {
		uint32_t partner = a->side->nodes[a->nodes[i]].partner, n = a->nodes[i], other = partner;
		double way[2][3];
		int above, other_above;

		if (partner == ANIM_POSE_NONE || b->slots[partner] == NONE || (int)i == a->bones[ANIM_BONE_HIPS])
			continue;
		do
			n = anim_poses_parent(poses, n);
		while (n != ANIM_POSE_NONE && a->slots[n] == NONE);
		do
			other = anim_poses_parent(others, other);
		while (other != ANIM_POSE_NONE && b->slots[other] == NONE);
		if (n == ANIM_POSE_NONE || other == ANIM_POSE_NONE || a->side->nodes[n].partner != other)
			return false;
		above = a->slots[n];
		other_above = b->slots[other];
		anim_vec3_subtract(way[0], place(a, 0, (int)i), place(a, 0, above));
		anim_vec3_subtract(way[1], place(b, 0, b->slots[partner]), place(b, 0, other_above));
		anim_quat_rotate_back(way[0], rotation(a, 0, above), way[0]);
		anim_quat_rotate_back(way[1], rotation(b, 0, other_above), way[1]);
		for (unsigned k = 0; k < 3; k++)
			if (!(fabs(way[0][k] * legs[1] - way[1][k] * legs[0]) <= SAME * legs[0] * legs[1]))
				return false;
		if (a->posed && b->posed && rotation_angle(a->frames[i], b->frames[b->slots[partner]]) > MATCHED)
			return false;
	}
	return legs[0] > 0 && legs[1] > 0;
}

void retarget_frames_copy(const struct retarget_figure *from, struct retarget_figure *to)
{
	retarget_frames_of_rest(to, false);
	memcpy(to->body, from->body, sizeof to->body);
	to->facing = from->facing;
	for (size_t i = 0; i < from->count; i++) {
		uint32_t partner = from->side->nodes[from->nodes[i]].partner;

		if (partner != ANIM_POSE_NONE && to->slots[partner] != NONE)
			memcpy(to->frames[to->slots[partner]], from->frames[i], sizeof from->frames[i]);
	}
}

/* ---- A T-pose ---- */

/* Give bones without a length the places that they have in the motion. */
static void set_lengths(const struct retarget_figure *from, struct anim_poses *poses)
{
	for (size_t i = 0; i < from->count && from->samples > 0 && !(leg_length(from, 0) > 0); i++) {
		uint32_t parent = anim_poses_parent(poses, from->nodes[i]);
		int above = parent == ANIM_POSE_NONE ? NONE : from->slots[parent];
		double way[3];

		if (above == NONE)
			continue;
		anim_vec3_subtract(way, place(from, 1, (int)i), place(from, 1, above));
		anim_quat_rotate_back(way, rotation(from, 1, above), way);
		way[0] = from->mirrored ? -way[0] : way[0];
		for (unsigned k = 0; k < 3; k++)
			poses->rests.items[from->nodes[i]].position[k] = (float)way[k];
	}
}

static int pose_again(struct anim_poses *poses, struct anim_error *error)
{
	anim_poses_rest_again(poses);
	anim_poses_begin(poses, 1);
	return anim_poses_ready(poses, error);
}

int retarget_figure_to_tpose(const struct retarget_figure *from, struct retarget_side *to, struct retarget_figure *f,
			     double ankle, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_poses *poses = &to->skeleton->poses;
	const uint32_t hips = from->nodes[from->bones[ANIM_BONE_HIPS]], above = anim_poses_parent(poses, hips);
	struct anim_affine back;
	double low;

	for (uint32_t n = 0; n < to->count; n++) {
		struct anim_rest *rest = &poses->rests.items[n];
		const double *turn_above = anim_poses_rotation_above(poses, to->rotations, n);
		double own[4];

		if (from->slots[n] == NONE) {
			anim_quat_unit_double(own, rest->rotation);
			anim_quat_multiply_double(to->rotations[n], turn_above, own);
			continue;
		}
		anim_quat_conjugate_double(to->rotations[n], from->frames[from->slots[n]]);
		retarget_frames_mirror(from, to->rotations[n]);
		anim_quat_from_to(own, turn_above, to->rotations[n]);
		for (unsigned k = 0; k < 4; k++)
			rest->rotation[k] = (float)(own[3] < 0 ? -own[k] : own[k]);
		rest->has |= ANIM_HAS_ROTATION;
	}
	set_lengths(from, poses);
	if (pose_again(poses, error) != 0)
		return -1;
	low = fmin(anim_poses_at(poses, from->nodes[from->bones[ANIM_BONE_FOOT]], 0)[7],
		   anim_poses_at(poses, from->nodes[from->bones[ANIM_BONE_FOOT + 1]], 0)[7]);
	anim_affine_basis(&back, above == ANIM_POSE_NONE ? NULL : anim_poses_at(poses, above, 0));
	for (unsigned k = 0, inverts = anim_affine_invert(&back); k < 3 && inverts; k++)
		poses->rests.items[hips].position[k] += (float)(back.m[k][1] * (ankle - low));
	if (pose_again(poses, error) != 0 || retarget_figure_make(f, to, NULL, arena, error) != 0)
		return -1;
	memcpy(f->body, no_rotation, sizeof f->body);
	f->posed = f->bodied = f->standing = true;
	for (size_t i = 0; i < f->count; i++)
		set_frame(f, (int)i, no_rotation);
	return 0;
}

/* ---- Heights ---- */

int retarget_figure_end(struct retarget_figure *f, struct anim_arena *arena, struct anim_error *error)
{
	double *numbers = anim_arena_zeroed(arena, f->samples + 1, sizeof *numbers, error);

	if (numbers == NULL)
		return -1;
	for (size_t k = 1; k <= f->samples; k++)
		numbers[k - 1] = fmin(joint(f, k, ANIM_BONE_FOOT)[1], joint(f, k, ANIM_BONE_FOOT + 1)[1]);
	qsort(numbers, f->samples, sizeof *numbers, anim_compare_doubles);
	f->low = numbers[f->samples > 0 ? (f->samples - 1) / 20 : 0];
	return 0;
}

void retarget_figure_stand(const struct retarget_figure *f, bool target, struct retarget_stand *s)
{
	const int hips = f->bones[ANIM_BONE_HIPS];
	double way[3], legs = leg_length(f, 0), low = joint(f, 0, ANIM_BONE_FOOT)[1], ankle;
	/* files with all offsets 0 have their lengths in the motion */
	const size_t seen = f->samples > 0 && !(legs > 0) ? 1 : 0;

	for (unsigned b = ANIM_BONE_FOOT; b < ANIM_BONE_FINGERS; b++)
		low = has(f, b) ? fmin(low, joint(f, 0, b)[1]) : low;
	s->legs = legs = leg_length(f, seen);
	middle(f, seen, ANIM_BONE_UPPER_LEG, way);
	anim_vec3_subtract(way, way, place(f, seen, hips));
	anim_quat_rotate_back(way, rotation(f, seen, hips), way);
	anim_quat_rotate_back(way, f->frames[hips], way);
	s->drop = -way[1];
	ankle = (joint(f, 0, ANIM_BONE_FOOT)[1] + joint(f, 0, ANIM_BONE_FOOT + 1)[1]) / 2;
	s->guessed = false;
	s->ankle = ankle;
	s->rests = f->posed && ankle >= -0.01 * legs && ankle < 0.3 * legs &&
		   place(f, 0, hips)[1] - ankle > 0.7 * legs && low > -0.04 * legs &&
		   (f->samples == 0 || fabs(f->low - ankle) <= 0.3 * legs);
	if (s->rests)
		return;
	s->ankle = 0.11 * legs;
	if (target && f->posed && ankle - low > 0.03 * legs && ankle - low < 0.3 * legs)
		s->ankle = ankle - low;
	else if (!target && f->samples > 0 && f->low < 0.3 * legs)
		s->ankle = f->low;
	else
		s->guessed = true;
}
