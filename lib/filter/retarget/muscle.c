/* muscle.c: the constants of Unity's humanoid, and its formulas. */
#include "filter/retarget/muscle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

#define NONE ANIM_HUMAN_BONES
#define SIDES 2
#define RADIANS (ANIM_PI / 180)

/* ---- Constants ---- */

/*
 * The constants of a bone, or of the left bone of a pair. The reference axis fixes the rotation of the bone's own axes
 * about its direction. The neutral rotation leads from the T-pose to the pose in which all muscles are 0. It is a
 * quaternion (x, y, z, 1) in the axes of the root, not normalised. The right bone has y and z negated.
 */
struct constants {
	double axis[3], neutral[3];
	const char *sign[SIDES]; /* "+" or "-" for each axis */
	double low[3], high[3];  /* degrees of a muscle at -1 (negative) and 1 */
	double mass;             /* any unit */
	const char *muscles[3];  /* names without the side, or NULL */
};

#define X 1, 0, 0
#define BACK -1, 0, 0
#define Y 0, 1, 0
#define Z 0, 0, 1
#define LIMITS(x, y, z) -(x), -(y), -(z), x, y, z
#define ROW(a, b, c, nx, ny, nz, left, right, lx, ly, lz, hx, hy, hz, mass, ...)          \
	{                                                                                 \
		{a, b, c}, {nx, ny, nz}, {left, right}, {lx, ly, lz}, {hx, hy, hz}, mass, \
		{                                                                         \
			__VA_ARGS__                                                       \
		}                                                                         \
	}
#define BONE(...) ROW(__VA_ARGS__)
#define TRUNK(limit, mass, ...) BONE(BACK, 0, 0, 0, "+++", "+++", LIMITS(limit, limit, limit), mass, __VA_ARGS__)

static const struct constants trunk[] = {
    TRUNK(40, 12, NULL),
    TRUNK(40, 2.5, "Spine Twist Left-Right", "Spine Left-Right", "Spine Front-Back"),
    TRUNK(40, 12, "Chest Twist Left-Right", "Chest Left-Right", "Chest Front-Back"),
    TRUNK(20, 12, "UpperChest Twist Left-Right", "UpperChest Left-Right", "UpperChest Front-Back"),
    TRUNK(40, 1, "Neck Turn Left-Right", "Neck Tilt Left-Right", "Neck Nod Down-Up"),
    TRUNK(40, 4, "Head Turn Left-Right", "Head Tilt Left-Right", "Head Nod Down-Up"),
    BONE(X, 0.09, 0, 0, "++-", "++-", LIMITS(0, 10, 10), 0, NULL, "Jaw Left-Right", "Jaw Close"),
};

/* The pairs from the eyes to the toes. */
static const struct constants limbs[] = {
    BONE(X, 0, 0, 0, "++-", "+--", 0, -20, -10, 0, 20, 15, 0, NULL, "Eye In-Out", "Eye Down-Up"),
    BONE(Z, 0, 0, 0, "++-", "+++", 0, -15, -15, 0, 15, 30, 0.5, NULL, "Shoulder Front-Back", "Shoulder Down-Up"),
    BONE(Z, 0, 0.268, 0.364, "++-", "-++", -90, -100, -60, 90, 100, 100, 2, "Arm Twist In-Out", "Arm Front-Back",
	 "Arm Down-Up"),
    BONE(Y, 0, 0.839, 0, "++-", "-++", LIMITS(90, 0, 80), 1.5, "Forearm Twist In-Out", NULL, "Forearm Stretch"),
    BONE(Z, 0, 0, 0, "++-", "+++", LIMITS(0, 40, 80), 0.5, NULL, "Hand In-Out", "Hand Down-Up"),
    BONE(X, -0.268, 0, 0, "+++", "--+", -60, -60, -90, 60, 60, 50, 10, "Upper Leg Twist In-Out", "Upper Leg In-Out",
	 "Upper Leg Front-Back"),
    BONE(X, 0.839, 0, 0, "++-", "-+-", LIMITS(90, 0, 80), 4, "Lower Leg Twist In-Out", NULL, "Lower Leg Stretch"),
    BONE(X, 0, 0, 0, "+++", "+-+", LIMITS(0, 30, 50), 0.8, NULL, "Foot Twist In-Out", "Foot Up-Down"),
    BONE(X, 0, 0, 0, "+++", "+++", LIMITS(0, 0, 50), 0.2, NULL, NULL, "Toes Up-Down"),
};

#define FIRST NULL, "Spread", "1 Stretched"
#define SECOND NULL, NULL, "2 Stretched"
#define THIRD NULL, NULL, "3 Stretched"
#define THUMB(...) BONE(Y, 0, -0.2, 0, "-++", "++-", 0, 0, -40, 0, 0, 35, 0, __VA_ARGS__)
#define CURL(...) BONE(Z, 0, 0, 0.33, "-+-", "+++", LIMITS(0, 0, 45), 0, __VA_ARGS__)

static const struct constants fingers[] = {
    BONE(Y, 0, 0.125, 0.125, "--+", "+--", LIMITS(0, 25, 20), 0, FIRST), THUMB(SECOND), THUMB(THIRD),
    BONE(Z, 0, 0.08, 0.3, "---", "+-+", LIMITS(0, 20, 50), 0, FIRST),    CURL(SECOND),  CURL(THIRD),
    BONE(Z, 0, 0.04, 0.3, "---", "+-+", LIMITS(0, 7.5, 50), 0, FIRST),   CURL(SECOND),  CURL(THIRD),
    BONE(Z, 0, -0.04, 0.3, "-+-", "+++", LIMITS(0, 7.5, 50), 0, FIRST),  CURL(SECOND),  CURL(THIRD),
    BONE(Z, 0, -0.08, 0.3, "-+-", "+++", LIMITS(0, 20, 50), 0, FIRST),   CURL(SECOND),  CURL(THIRD),
};

static const char *const finger_names[] = {"Thumb", "Index", "Middle", "Ring", "Little"};

#define JOINTS 3 /* of a finger */

/* 1 for the right one of a pair. */
static unsigned side_of(enum anim_human_bone bone)
{
	return bone < ANIM_BONE_EYE ? 0 : (bone - ANIM_BONE_EYE) % SIDES;
}

static const struct constants *constants_of(enum anim_human_bone bone)
{
	if (bone < ANIM_BONE_EYE)
		return &trunk[bone];
	if (bone < ANIM_BONE_FINGERS)
		return &limbs[(bone - ANIM_BONE_EYE) / SIDES];
	return &fingers[(bone - ANIM_BONE_FINGERS) / SIDES];
}

/* ---- Names ---- */

static bool find_in(const struct constants *row, const char *name, unsigned *axis)
{
	for (*axis = 0; *axis < 3; ++*axis)
		if (row->muscles[*axis] != NULL && strcmp(row->muscles[*axis], name) == 0)
			return true;
	return false;
}

/* "Index.1 Stretched", "Index 1 Stretched" of a side. */
static bool find_finger(const char *name, char gap, unsigned side, enum anim_human_bone *bone, unsigned *axis)
{
	for (unsigned finger = 0; finger < sizeof finger_names / sizeof *finger_names; finger++) {
		const char *rest = anim_text_after(name, finger_names[finger]);

		for (unsigned joint = 0; rest != NULL && *rest == gap && joint < JOINTS; joint++) {
			unsigned row = JOINTS * finger + joint;

			*bone = (enum anim_human_bone)(ANIM_BONE_FINGERS + SIDES * row + side);
			if (find_in(&fingers[row], rest + 1, axis))
				return true;
		}
	}
	return false;
}

unsigned anim_muscle_root(const char *name)
{
	static const char *const names[ANIM_MUSCLE_ROOTS] = {"RootT.x", "RootT.y", "RootT.z", "RootQ.x",
							     "RootQ.y", "RootQ.z", "RootQ.w"};
	unsigned i = 0;

	while (i < ANIM_MUSCLE_ROOTS && strcmp(name, names[i]) != 0)
		i++;
	return i;
}

bool anim_muscle_find(const char *name, enum anim_human_bone *bone, unsigned *axis)
{
	static const char *const sides[SIDES] = {"Left", "Right"};

	for (unsigned row = 0; row < sizeof trunk / sizeof *trunk; row++)
		if (find_in(&trunk[row], name, axis)) {
			*bone = (enum anim_human_bone)row;
			return true;
		}
	for (unsigned side = 0; side < SIDES; side++) {
		const char *rest = anim_text_after(name, sides[side]),
			   *of_limb = rest == NULL ? NULL : anim_text_after(rest, " ");

		for (unsigned row = 0; of_limb != NULL && row < sizeof limbs / sizeof *limbs; row++)
			if (find_in(&limbs[row], of_limb, axis)) {
				*bone = (enum anim_human_bone)(ANIM_BONE_EYE + SIDES * row + side);
				return true;
			}
		if ((of_limb != NULL && find_finger(of_limb, ' ', side, bone, axis)) ||
		    find_finger(anim_text_after(rest, "Hand."), '.', side, bone, axis))
			return true;
	}
	return false;
}

unsigned anim_muscle_axes(enum anim_human_bone bone)
{
	const struct constants *row = constants_of(bone);
	unsigned axes = 0;

	for (unsigned i = 0; i < 3; i++)
		axes |= row->muscles[i] != NULL ? 1u << i : 0;
	return axes;
}

int anim_muscle_name(enum anim_human_bone bone, unsigned axis, char *out, size_t capacity)
{
	const char *name = constants_of(bone)->muscles[axis], *side = side_of(bone) == 0 ? "Left" : "Right";

	if (bone < ANIM_BONE_EYE)
		return snprintf(out, capacity, "%s", name);
	if (bone < ANIM_BONE_FINGERS)
		return snprintf(out, capacity, "%s %s", side, name);
	return snprintf(out, capacity, "%sHand.%s.%s", side, finger_names[(bone - ANIM_BONE_FINGERS) / SIDES / JOINTS],
			name);
}

enum anim_human_bone anim_muscle_mirror(enum anim_human_bone bone, unsigned axis, double *sign)
{
	const char *name = constants_of(bone)->muscles[axis];

	*sign = name != NULL && strstr(name, "Left-Right") != NULL ? -1 : 1;
	if (bone < ANIM_BONE_EYE)
		return bone;
	return (enum anim_human_bone)(side_of(bone) == 0 ? bone + 1 : bone - 1);
}

/* Degrees. Avatars keep their limits as floats in radians. */
#define SAME_LIMIT 1e-4

void anim_muscle_limit(struct anim_muscle_joint *joint, enum anim_human_bone bone,
		       const struct anim_muscle_limits *limits)
{
	const struct constants *row = constants_of(bone);

	joint->limits = *limits;
	joint->limited = false;
	for (unsigned i = 0; i < 3; i++)
		joint->limited |= fabs(limits->low[i] - row->low[i]) > SAME_LIMIT ||
				  fabs(limits->high[i] - row->high[i]) > SAME_LIMIT ||
				  fabs(limits->centre[i]) > SAME_LIMIT;
}

/* Get the range of an axis in degrees: of muscles from 0 on, and of negative muscles, from the centre on. Returns its sign. */
static double range_of(const struct anim_muscle_joint *joint, enum anim_human_bone bone, unsigned axis, double *centre,
		       double *above, double *below)
{
	const struct constants *row = constants_of(bone);
	bool own = joint != NULL && joint->limited;

	*centre = own ? joint->limits.centre[axis] : 0;
	*above = (own ? joint->limits.high : row->high)[axis] - *centre;
	*below = *centre - (own ? joint->limits.low : row->low)[axis];
	return row->sign[side_of(bone)][axis] == '-' ? -1 : 1;
}

double anim_muscle_angle(const struct anim_muscle_joint *joint, enum anim_human_bone bone, unsigned axis, double value)
{
	double centre, above, below, sign = range_of(joint, bone, axis, &centre, &above, &below);

	return sign * (centre + value * (value >= 0 ? above : below)) * RADIANS;
}

double anim_muscle_value(const struct anim_muscle_joint *joint, enum anim_human_bone bone, unsigned axis, double angle)
{
	double centre, above, below, sign = range_of(joint, bone, axis, &centre, &above, &below);
	double degrees = sign * angle / RADIANS - centre, range = degrees >= 0 ? above : below;

	return range != 0 ? degrees / range : 0;
}

enum anim_human_bone anim_muscle_instead(enum anim_human_bone bone)
{
	if (bone == ANIM_BONE_UPPER_CHEST || bone == ANIM_BONE_CHEST)
		return (enum anim_human_bone)(bone - 1);
	if (bone == ANIM_BONE_NECK)
		return ANIM_BONE_HEAD;
	if (bone >= ANIM_BONE_SHOULDER && bone < ANIM_BONE_UPPER_ARM)
		return (enum anim_human_bone)(bone + SIDES);
	return NONE;
}

/* ---- A bone's own axes in the T-pose ---- */

/* Return the bone that another bone points to. NONE: its direction is a constant, or the direction of another bone. */
static enum anim_human_bone next_of(const struct anim_muscle_joint *joints, enum anim_human_bone bone)
{
	if (bone == ANIM_BONE_HIPS)
		return ANIM_BONE_SPINE;
	if (bone < ANIM_BONE_HEAD) {
		do
			bone = (enum anim_human_bone)(bone + 1);
		while (bone < ANIM_BONE_HEAD && !joints[bone].known);
		return bone;
	}
	if ((bone >= ANIM_BONE_SHOULDER && bone < ANIM_BONE_HAND) ||
	    (bone >= ANIM_BONE_UPPER_LEG && bone < ANIM_BONE_FOOT) ||
	    (bone >= ANIM_BONE_FINGERS && (bone - ANIM_BONE_FINGERS) / SIDES % JOINTS < JOINTS - 1))
		return (enum anim_human_bone)(bone + SIDES);
	return NONE;
}

/* The direction in which a bone points, of length 1, and how long it is. False: nowhere. */
static bool direction_of(const struct anim_muscle_joint *joints, enum anim_human_bone bone, double out[3],
			 double *length)
{
	enum anim_human_bone next = next_of(joints, bone);
	bool finger = bone >= ANIM_BONE_FINGERS, hand = bone >= ANIM_BONE_HAND && bone < ANIM_BONE_UPPER_LEG;

	/* the last bone of a chain has the direction of the bone before it */
	if ((hand || finger) && (next == NONE || !joints[next].known)) {
		bool first = finger && (bone - ANIM_BONE_FINGERS) / SIDES % JOINTS == 0;
		enum anim_human_bone before = first ? (enum anim_human_bone)(ANIM_BONE_HAND + side_of(bone))
						    : (enum anim_human_bone)(bone - SIDES);

		if (!joints[before].known || !direction_of(joints, before, out, length))
			return false;
		*length /= hand ? 4 : 1;
		return true;
	}
	if (next != NONE && joints[next].known) {
		/* in motion capture the first bone of the spine often is at the hips */
		do {
			/* The distance of two bones, and the way from the first to the second. */
			anim_vec3_subtract(out, joints[next].place, joints[bone].place);
			*length = anim_vec3_length_double(out);
		} while (*length == 0 && bone < ANIM_BONE_NECK && (next = next_of(joints, next)) != NONE);
		return anim_vec3_unit(out) > 0;
	}
	memset(out, 0, 3 * sizeof *out);
	if (bone == ANIM_BONE_HEAD) {
		double neck[3];

		out[1] = 1;
		if (!joints[ANIM_BONE_NECK].known || !direction_of(joints, ANIM_BONE_NECK, neck, length))
			*length = 0;
		return true;
	}
	if (bone >= ANIM_BONE_FOOT && bone < ANIM_BONE_TOES) {
		out[1] = -1;
		*length = joints[bone].place[1]; /* above the floor */
		return true;
	}
	out[2] = 1; /* toes, eyes, jaw */
	*length = 0;
	return true;
}

static bool make_bone(struct anim_muscle_body *body, const struct anim_muscle_joint *joints, enum anim_human_bone b)
{
	const struct constants *row = constants_of(b);
	struct anim_muscle_bone *bone = &body->bones[b];
	double sign = side_of(b) == 0 ? 1 : -1, x[3], y[3], z[3], own[4], back[4];
	double neutral[4] = {row->neutral[0], sign * row->neutral[1], sign * row->neutral[2], 1};

	bone->joint = joints[b];
	bone->mass = row->mass;
	if (!direction_of(joints, b, x, &bone->length))
		return false;
	anim_vec3_cross_double(y, row->axis, x);
	if (!(anim_vec3_dot_double(y, y) > 1e-6) || !(anim_vec3_unit(y) > 0))
		return false;
	anim_vec3_cross_double(z, x, y);
	anim_quat_from_axes_double(own, x, y, z);
	anim_quat_normalize_double(neutral);
	anim_quat_conjugate_double(back, joints[b].turn);
	anim_quat_multiply_double(bone->post, back, own);
	anim_quat_conjugate_double(bone->back, bone->post);
	anim_quat_conjugate_double(back, joints[b].above);
	anim_quat_multiply_double(bone->pre, neutral, own);
	anim_quat_multiply_double(bone->pre, back, bone->pre);
	anim_quat_multiply_double(bone->rest, back, joints[b].turn);
	if (joints[b].parent < 0) {
		anim_quat_multiply_double(bone->lead, joints[b].above, bone->pre);
		memcpy(bone->between, joints[b].above, sizeof bone->between);
		memcpy(bone->offset, joints[b].place, sizeof bone->offset);
		return true;
	}
	anim_quat_conjugate_double(back, joints[joints[b].parent].turn);
	anim_quat_multiply_double(bone->between, back, joints[b].above);
	anim_quat_multiply_double(bone->lead, body->bones[joints[b].parent].back, bone->between);
	anim_quat_multiply_double(bone->lead, bone->lead, bone->pre);
	anim_vec3_subtract(bone->offset, joints[b].place, joints[joints[b].parent].place);
	anim_quat_rotate_double(bone->offset, back, bone->offset);
	return true;
}

/* ---- The body ---- */

/* Places and rotations of all bones in the root's space. */
struct pose {
	double places[ANIM_HUMAN_BONES][3], rotations[ANIM_HUMAN_BONES][4];
};

/* Return whether a bone has a mass or is between such bones. */
static bool weighs(unsigned bone)
{
	return bone < ANIM_BONE_JAW || (bone >= ANIM_BONE_SHOULDER && bone < ANIM_BONE_FINGERS);
}

/* Compute the body's orientation from the first joints of arms and legs. False: it has none. */
static bool orient(const struct pose *pose, double out[4])
{
	const double *arms[SIDES] = {pose->places[ANIM_BONE_UPPER_ARM], pose->places[ANIM_BONE_UPPER_ARM + 1]};
	const double *legs[SIDES] = {pose->places[ANIM_BONE_UPPER_LEG], pose->places[ANIM_BONE_UPPER_LEG + 1]};
	double x[3], y[3], z[3];

	for (unsigned i = 0; i < 3; i++) {
		x[i] = arms[1][i] + legs[1][i] - (arms[0][i] + legs[0][i]);
		y[i] = arms[0][i] + arms[1][i] - (legs[0][i] + legs[1][i]);
	}
	if (!(anim_vec3_unit(x) > 0) || !(anim_vec3_unit(y) > 0))
		return false;
	anim_vec3_cross_double(z, x, y);
	if (!(anim_vec3_unit(z) > 0))
		return false;
	anim_vec3_cross_double(x, y, z);
	anim_quat_from_axes_double(out, x, y, z);
	return true;
}

static void middle_of(const struct pose *pose, unsigned a, unsigned b, double out[3])
{
	for (unsigned k = 0; k < 3; k++)
		out[k] = (pose->places[a][k] + pose->places[b][k]) / 2;
}

/*
 * Compute the position of a bone's mass. The positions that Unity uses are not known. These give the mass centre of
 * three avatars to 0.6 mm, and the human scale of a fourth model to 0.03 %. The forearms are exact in all avatars: the
 * mass of the left forearm is in the middle of the upper arm, and the mass of the right forearm is at the elbow.
 */
static void mass_of(const struct anim_muscle_body *body, const struct pose *pose, unsigned b, double out[3])
{
	const struct anim_muscle_bone *bone = &body->bones[b];
	double share = 0.5; /* of the bone's length, from its start to its mass */

	switch (b) {
	case ANIM_BONE_SPINE:
	case ANIM_BONE_NECK:
	case ANIM_BONE_HAND:
	case ANIM_BONE_HAND + 1U:
		share = 0;
		break;
	case ANIM_BONE_CHEST: /* at its end. If it is also the upper chest, half of the mass is in its middle. */
		share = body->bones[ANIM_BONE_UPPER_CHEST].joint.known ? 1 : 0.75;
		break;
	case ANIM_BONE_SHOULDER:
	case ANIM_BONE_SHOULDER + 1U:
		share = 1;
		break;
	default:
		break;
	}
	if (b == ANIM_BONE_HIPS) {
		middle_of(pose, ANIM_BONE_UPPER_LEG, ANIM_BONE_UPPER_LEG + 1, out);
	} else if (b == ANIM_BONE_LOWER_ARM) {
		middle_of(pose, b, ANIM_BONE_UPPER_ARM, out);
	} else if (b == ANIM_BONE_LOWER_ARM + 1) {
		memcpy(out, pose->places[b], 3 * sizeof *out);
	} else if (b >= ANIM_BONE_FOOT && b < ANIM_BONE_TOES && body->bones[b + SIDES].joint.known) {
		middle_of(pose, b, b + SIDES, out);
	} else {
		anim_quat_rotate_double(out, bone->post, (const double[3]){bone->length * share, 0, 0});
		anim_quat_rotate_double(out, pose->rotations[b], out);
		anim_vec3_add(out, pose->places[b], 1);
	}
}

/* The centre of mass. */
static void weigh(const struct anim_muscle_body *body, const struct pose *pose, double out[3])
{
	double whole = 0, at[3];

	memset(out, 0, 3 * sizeof *out);
	for (unsigned i = 0; i < body->count; i++) {
		unsigned b = body->order[i];
		double mass = body->bones[b].mass;

		if (mass == 0)
			continue;
		/* the mass of a missing bone of the spine is in the bone below */
		for (unsigned next = b + 1;
		     b >= ANIM_BONE_SPINE && next <= ANIM_BONE_UPPER_CHEST && !body->bones[next].joint.known; next++)
			mass += constants_of((enum anim_human_bone)next)->mass;
		mass_of(body, pose, b, at);
		for (unsigned k = 0; k < 3; k++)
			out[k] += mass * at[k];
		whole += mass;
	}
	for (unsigned k = 0; k < 3; k++)
		out[k] /= whole;
}

enum anim_human_bone anim_muscle_lacking(const struct anim_muscle_joint joints[ANIM_HUMAN_BONES])
{
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		bool needed = b == ANIM_BONE_HIPS || b == ANIM_BONE_SPINE || b == ANIM_BONE_HEAD ||
			      (b >= ANIM_BONE_UPPER_ARM && b < ANIM_BONE_TOES);

		if (needed && !joints[b].known)
			return (enum anim_human_bone)b;
	}
	return NONE;
}

bool anim_muscle_body_make(struct anim_muscle_body *body, const struct anim_muscle_joint joints[ANIM_HUMAN_BONES])
{
	bool listed[ANIM_HUMAN_BONES] = {false};
	struct pose pose = {.places = {{0}}};
	double centre[3];
	unsigned before;

	memset(body, 0, sizeof *body);
	do {
		before = body->count;
		for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
			if (joints[b].known && !listed[b] && (joints[b].parent < 0 || listed[joints[b].parent])) {
				body->order[body->count++] = (enum anim_human_bone)b;
				listed[b] = true;
			}
	} while (body->count > before);
	for (unsigned i = 0; i < body->count; i++) {
		unsigned b = body->order[i];

		if (weighs(b) && joints[b].parent >= 0 && !weighs((unsigned)joints[b].parent))
			return false;
		if (!make_bone(body, joints, (enum anim_human_bone)b))
			return false;
		memcpy(pose.places[b], joints[b].place, sizeof pose.places[b]);
		memcpy(pose.rotations[b], joints[b].turn, sizeof pose.rotations[b]);
	}
	if (!orient(&pose, body->base))
		return false;
	weigh(body, &pose, centre);
	body->scale = centre[1];
	return body->scale > 0 && isfinite(body->scale);
}

#define UPRIGHT_BODY 0.7 /* cosine of the angle between upright and a body that is not */
#define NEAR_GROUND 0.05 /* of a leg: ankles further below 0 are not on the ground */
#define ANKLE 0.11       /* of a leg: the height of ankles above the ground if it is unknown */

/* Rotate a bone, and all bones below it, about its position. */
static void rotate_branch(struct anim_muscle_joint joints[ANIM_HUMAN_BONES], unsigned bone, const double way[4])
{
	double pivot[3];

	memcpy(pivot, joints[bone].place, sizeof pivot);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		struct anim_muscle_joint *joint = &joints[b];
		int above = (int)b;

		for (unsigned steps = 0; steps < ANIM_HUMAN_BONES && above >= 0 && above != (int)bone; steps++)
			above = joints[above].parent;
		if (!joint->known || above != (int)bone)
			continue;
		anim_quat_multiply_double(joint->turn, way, joint->turn);
		if (b == bone)
			continue;
		anim_quat_multiply_double(joint->above, way, joint->above);
		anim_vec3_subtract(joint->place, joint->place, pivot);
		anim_quat_rotate_double(joint->place, way, joint->place);
		anim_vec3_add(joint->place, pivot, 1);
	}
}

/* Return how much lower the feet are than the upper legs. */
static double leg_of(const struct anim_muscle_joint *joints)
{
	double leg = 0;

	for (unsigned side = 0; side < SIDES; side++)
		leg += (joints[ANIM_BONE_UPPER_LEG + side].place[1] - joints[ANIM_BONE_FOOT + side].place[1]) / SIDES;
	return leg;
}

bool anim_muscle_upright(struct anim_muscle_joint joints[ANIM_HUMAN_BONES], bool *rotated)
{
	struct pose pose = {0};
	double base[4], now[3] = {0, 1, 0}, way[4];

	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		memcpy(pose.places[b], joints[b].place, sizeof pose.places[b]);
	if (!orient(&pose, base))
		return false;
	anim_quat_rotate_double(now, base, now);
	anim_quat_between_double(way, now, (const double[3]){0, 1, 0});
	*rotated = now[1] < UPRIGHT_BODY;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES && *rotated; b++) {
		anim_quat_multiply_double(joints[b].turn, way, joints[b].turn);
		anim_quat_multiply_double(joints[b].above, way, joints[b].above);
		anim_quat_rotate_double(joints[b].place, way, joints[b].place);
	}
	return leg_of(joints) > 0;
}

void anim_muscle_raise(struct anim_muscle_joint joints[ANIM_HUMAN_BONES], bool anywhere)
{
	double leg = leg_of(joints),
	       ankle = (joints[ANIM_BONE_FOOT].place[1] + joints[ANIM_BONE_FOOT + 1].place[1]) / 2;

	for (unsigned b = 0; b < ANIM_HUMAN_BONES && (anywhere || ankle < -NEAR_GROUND * leg); b++)
		joints[b].place[1] += ANKLE * leg - ankle;
}

void anim_muscle_to_tpose(struct anim_muscle_joint joints[ANIM_HUMAN_BONES])
{
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		double wanted[4], way[4];

		if (!joints[b].known || !joints[b].posed)
			continue;
		anim_quat_multiply_double(wanted, joints[b].above, joints[b].pose);
		anim_quat_conjugate_double(way, joints[b].turn);
		anim_quat_multiply_double(way, wanted, way);
		anim_quat_normalize_double(way);
		rotate_branch(joints, b, way);
	}
}

unsigned anim_muscle_straighten(struct anim_muscle_joint joints[ANIM_HUMAN_BONES], double radians)
{
	static const enum anim_human_bone straight[] = {ANIM_BONE_UPPER_ARM, ANIM_BONE_LOWER_ARM, ANIM_BONE_UPPER_LEG,
							ANIM_BONE_LOWER_LEG};
	unsigned count = 0;

	for (unsigned i = 0; i < SIDES * sizeof straight / sizeof *straight; i++) {
		unsigned side = i % SIDES, bone = straight[i / SIDES] + side;
		bool arm = bone < ANIM_BONE_HAND;
		double wanted[3] = {arm ? (side == 0 ? -1 : 1) : 0, arm ? 0 : -1, 0}, now[3], way[4];

		if (!joints[bone].known || !joints[bone + SIDES].known)
			continue;
		for (unsigned k = 0; k < 3; k++)
			now[k] = joints[bone + SIDES].place[k] - joints[bone].place[k];
		if (!(anim_vec3_unit(now) > 0) || anim_acos(anim_vec3_dot_double(now, wanted)) <= radians)
			continue;
		anim_quat_between_double(way, now, wanted);
		rotate_branch(joints, bone, way);
		count++;
	}
	return count;
}

/* ---- Muscles ---- */

/*
 * Rotate about the bone first (twist), then once about an axis across the bone (swing), by the length of both swings.
 * Euler angles instead would be wrong by up to 90 degrees.
 */
static void swing_twist(const double angles[3], double out[4])
{
	double x = angles[0], y = angles[1], z = angles[2], swing = sqrt(y * y + z * z);
	double cosine, sine, twist_cosine, twist_sine;

	anim_sincos(swing / 2, &sine, &cosine);
	sine = swing < 1e-8 ? 0.5 : sine / swing;
	if (x == 0) {
		twist_sine = 0;
		twist_cosine = 1;
	} else {
		anim_sincos(x / 2, &twist_sine, &twist_cosine);
	}
	out[0] = cosine * twist_sine;
	out[1] = (z * twist_sine + y * twist_cosine) * sine;
	out[2] = (z * twist_cosine - y * twist_sine) * sine;
	out[3] = cosine * twist_cosine;
}

void anim_muscle_rotation(const struct anim_muscle_body *body, enum anim_human_bone b, const double angles[3],
			  double twist, double out[4])
{
	const struct anim_muscle_bone *bone = &body->bones[b];
	double q[4];

	swing_twist(angles, q);
	anim_quat_multiply_double(q, bone->pre, q);
	anim_quat_multiply_double(out, q, bone->back);
	if (twist != 0 && bone->joint.direct && bone->joint.parent >= 0) {
		const struct anim_muscle_bone *parent = &body->bones[bone->joint.parent];

		swing_twist((const double[3]){twist, 0, 0}, q);
		anim_quat_multiply_double(q, parent->post, q);
		anim_quat_multiply_double(q, q, parent->back);
		anim_quat_multiply_double(out, q, out);
	}
}

enum anim_human_bone anim_muscle_twists(const struct anim_muscle_body *body, enum anim_human_bone bone)
{
	enum anim_human_bone below = (enum anim_human_bone)(bone + SIDES);

	if ((bone < ANIM_BONE_UPPER_ARM || bone >= ANIM_BONE_HAND) &&
	    (bone < ANIM_BONE_UPPER_LEG || bone >= ANIM_BONE_FOOT))
		return NONE;
	return body->bones[below].joint.known && body->bones[below].joint.direct &&
		       body->bones[below].joint.parent == (int)bone
		   ? below
		   : NONE;
}

void anim_muscle_hips(const struct anim_muscle_body *body, double (*locals)[4], const double root_place[3],
		      const double root_turn[4], double place[3], double turn[4])
{
	struct pose pose = {.places = {{0}}};
	double way[4], back[4], centre[3];

	for (unsigned i = 0; i < body->count; i++) {
		unsigned b = body->order[i];
		const struct anim_muscle_bone *bone = &body->bones[b];
		int parent = bone->joint.parent;

		if (!weighs(b))
			continue;
		if (parent < 0) {
			memcpy(pose.rotations[b], bone->joint.turn, sizeof pose.rotations[b]);
			memcpy(pose.places[b], bone->joint.place, sizeof pose.places[b]);
			continue;
		}
		anim_quat_multiply_double(pose.rotations[b], pose.rotations[parent], bone->between);
		anim_quat_multiply_double(pose.rotations[b], pose.rotations[b], locals[b]);
		anim_quat_rotate_double(pose.places[b], pose.rotations[parent], bone->offset);
		anim_vec3_add(pose.places[b], pose.places[parent], 1);
	}
	if (!orient(&pose, back))
		memcpy(back, body->base, sizeof back);
	weigh(body, &pose, centre);
	anim_quat_conjugate_double(back, back);
	memcpy(way, root_turn, sizeof way);
	anim_quat_normalize_double(way);
	anim_quat_multiply_double(way, way, body->base);
	anim_quat_multiply_double(way, way, back);
	anim_vec3_subtract(centre, centre, pose.places[ANIM_BONE_HIPS]);
	anim_quat_rotate_double(centre, way, centre);
	for (unsigned k = 0; k < 3; k++)
		place[k] = root_place[k] * body->scale - centre[k];
	anim_quat_multiply_double(turn, way, pose.rotations[ANIM_BONE_HIPS]);
}

/* ======== Rotations of bones to muscles ======== */

/* These are inline because a pose of 55 bones needs some 300 of them. */

ANIM_INLINE void rotate(double out[3], const double q[4], const double v[3])
{
	double x = 2 * (q[1] * v[2] - q[2] * v[1]), y = 2 * (q[2] * v[0] - q[0] * v[2]);
	double z = 2 * (q[0] * v[1] - q[1] * v[0]);

	out[0] = v[0] + q[3] * x + q[1] * z - q[2] * y;
	out[1] = v[1] + q[3] * y + q[2] * x - q[0] * z;
	out[2] = v[2] + q[3] * z + q[0] * y - q[1] * x;
}

/* A rotation as a twist about x, then a swing about an axis across x. */
struct parts {
	double sine, cosine; /* of half the twist, cosine >= 0 */
	double swing[4];     /* w >= 0 */
};

static struct parts split(const double q[4])
{
	double length = sqrt(q[0] * q[0] + q[3] * q[3]), sign = q[3] < 0 ? -1 : 1;
	double sine = length > 0 ? q[0] / length : 0, cosine = length > 0 ? q[3] / length : sign;

	return (struct parts){.sine = sign * sine,
			      .cosine = sign * cosine,
			      .swing = {0, q[1] * cosine - q[2] * sine, q[1] * sine + q[2] * cosine, length}};
}

/* Get the two angles of a swing. */
static void swing_angles(const double swing[4], double angles[3])
{
	double size = sqrt(swing[1] * swing[1] + swing[2] * swing[2]), sign = swing[3] < 0 ? -1 : 1;
	double scale = size < 1e-12 ? 2 : 2 * anim_atan2(size, fabs(swing[3])) / size;

	angles[1] = sign * swing[1] * scale;
	angles[2] = sign * swing[2] * scale;
}

#define BEYOND (2 * ANIM_PI / 3) /* more than any muscle of a human twists a bone */

/*
 * Return the angle of a twist, or the same rotation some full rotations further, near the angle before. Within the range of a
 * human, angles are unique. Beyond it a twist that passes 180 degrees would otherwise turn back all the way.
 */
static double continued(double angle, double before)
{
	bool beyond = fabs(angle) > BEYOND && fabs(before) > BEYOND;

	if (!isfinite(before) || (!beyond && fabs(before) <= ANIM_PI))
		return angle;
	return angle + ANIM_TAU * anim_round((before - angle) / ANIM_TAU);
}

/* Compute the axes in which a bone is swung and twisted, from the axes that the bone above reaches. */
ANIM_INLINE void frame_of(const struct anim_muscle_body *body, const struct anim_muscle_pose *pose, unsigned b,
			  double out[4])
{
	int parent = body->bones[b].joint.parent;

	if (parent < 0)
		memcpy(out, body->bones[b].lead, 4 * sizeof *out);
	else
		anim_quat_product(out, pose->own[parent], body->bones[b].lead);
}

/* Compute the wanted rotation of a bone's own axes, relative to other axes. */
ANIM_INLINE void wanted_in(const struct anim_muscle_body *body, const struct anim_muscle_pose *pose, unsigned b,
			   const double frame[4], double out[4])
{
	double own[4];

	anim_quat_product(own, pose->wanted[b], body->bones[b].post);
	anim_quat_from_to(out, frame, own);
}

/* ---- Single bones ---- */

/* Find the angles of a bone that has these axes, the nearest rotation to q, and how far it is from q. */
static void find_nearest(unsigned axes, const double q[4], double angles[3], double out[4], double *off)
{
	struct parts parts;

	if (axes == ANIM_MUSCLE_SWING_Z) {
		double length = sqrt(q[2] * q[2] + q[3] * q[3]), sign = q[3] < 0 ? -1 : 1;

		angles[2] = 2 * anim_atan2(sign * q[2], sign * q[3]);
		out[0] = out[1] = 0;
		out[2] = length > 0 ? q[2] / length : 0;
		out[3] = length > 0 ? q[3] / length : 1;
		*off = sqrt(q[0] * q[0] + q[1] * q[1]);
		return;
	}
	parts = split(q);
	swing_angles(parts.swing, angles);
	memcpy(out, parts.swing, 4 * sizeof *out);
	if ((axes & ANIM_MUSCLE_SWING_Y) == 0) {
		anim_sincos(angles[2] / 2, &out[2], &out[3]);
		*off = fabs(anim_sin(angles[1] / 2));
		angles[1] = out[1] = 0;
	}
	if ((axes & ANIM_MUSCLE_TWIST_AXIS) == 0) {
		*off = fabs(parts.sine);
		return;
	}
	angles[0] = continued(2 * anim_atan2(parts.sine, parts.cosine), angles[0]);
	anim_quat_product(out, out, (const double[4]){parts.sine, 0, 0, parts.cosine});
}

/*
 * ---- Limbs ----
 *
 * An elbow or knee is a hinge, and a hand or foot has no twist. So the twist of the upper bone follows from the
 * direction of the lower bone, and the twist of the lower bone follows from the rotation of the hand or foot. The parts
 * of the twists that the bones pass on do not change either. In a nearly straight limb that direction is noise, so the
 * hinge counts only as far as the limb bends.
 */

/*
 * Find the twist x for which twist(-x) * q, seen from `lead`, is a swing. Returns the angle, the sine and cosine of its
 * half, and the swing.
 */
static double twist_before(const double lead[4], const double q[4], double swing[4], double half[2])
{
	double seen[4], turned[4], length;

	anim_quat_from_to(seen, lead, q);
	anim_quat_product(turned, (const double[4]){1, 0, 0, 0}, q);
	anim_quat_from_to(turned, lead, turned);
	length = sqrt(seen[0] * seen[0] + turned[0] * turned[0]);
	length = turned[0] < 0 ? -length : length;
	half[0] = length != 0 ? seen[0] / length : 0;
	half[1] = length != 0 ? turned[0] / length : 1;
	for (unsigned i = 0; i < 4; i++)
		swing[i] = half[1] * seen[i] - half[0] * turned[i];
	return 2 * anim_atan2(half[0], half[1]);
}

/*
 * A limb in one pose, in the axes of the upper bone after its swing and before its twist. In the plane of its hinge the
 * lower bone points along x cos(bend) + y sin(bend).
 */
struct limb {
	const double *lead;  /* of the lower bone */
	double x[3], y[3];   /* lead's axes */
	double straight;     /* the bend that makes the limb straightest */
	double side;         /* 1 or -1: elbows and knees overstretch if they bend further in this direction */
	double wanted[4];    /* the wanted rotation of the lower bone's own axes */
	double direction[3]; /* in which the lower bone should point */
	double own;          /* the twist that the upper bone itself has */
};

#define HYPEREXTENSION (ANIM_PI / 6) /* elbows and knees that bend further do it the right way */
#define SAME_TWIST 2e-3              /* radians */
#define LEAST_PART 0.05              /* of a twist from which all of it is computed */

/*
 * How much a radian of the own twist of a bone counts beside a radian of its direction. Below a bend of 3 degrees, which
 * is the square root, noise sideways cannot spin the bone. Above 10 degrees more than 90 % of the hinge is obeyed. Fitted to
 * humanoid clips that Unity made of generic clips.
 */
#define OWN_TWIST 0.003

/* The same for a difference of a radian between two samples that are 1/30 s apart, squared: it grows with the speed. */
#define STEADY (0.0072 / 900)

/* Return how far the limb bends at its best twist. The hinge may be too oblique to make the limb straight. */
static double bend_of(const struct limb *limb)
{
	double far = sqrt(limb->x[0] * limb->x[0] + limb->y[0] * limb->y[0]);

	return anim_acos(far > fabs(limb->direction[0]) ? limb->direction[0] / far : copysign(1, limb->direction[0]));
}

/* Return the twist with which the lower bone, bent like this, comes nearest to its direction. */
static double twist_for(const struct limb *limb, double bend)
{
	const double *to = limb->direction;
	double cosine, sine, v1, v2;

	anim_sincos(bend, &sine, &cosine);
	v1 = cosine * limb->x[1] + sine * limb->y[1];
	v2 = cosine * limb->x[2] + sine * limb->y[2];
	return anim_atan2(to[2] * v1 - to[1] * v2, to[1] * v1 + to[2] * v2);
}

/* Find the bend for a twist, and the sine of the angle between the lower bone's direction and the plane of its hinge. */
static double bend_for(const struct limb *limb, double twist, double *off)
{
	const double *to = limb->direction, back[4] = {-limb->lead[0], -limb->lead[1], -limb->lead[2], limb->lead[3]};
	double cosine, sine, u[3];

	anim_sincos(twist, &sine, &cosine);
	rotate(u, back, (const double[3]){to[0], to[1] * cosine + to[2] * sine, to[2] * cosine - to[1] * sine});
	*off = u[2];
	return anim_atan2(u[1], u[0]);
}

/* Return the part of its twist that a bone passes on to the bone below. */
static double passed_on(const struct anim_muscle_body *body, enum anim_human_bone bone)
{
	return anim_muscle_twists(body, bone) == NONE ? 0 : body->bones[bone].joint.twist;
}

/*
 * Return the twist that an upper bone has if its hinge says nothing: its own. If the rotations of all three bones are as
 * Unity distributes twists, it is a multiple of that, and all muscles come back exactly.
 */
static double twist_without_hinge(const struct anim_muscle_body *body, const struct anim_muscle_pose *pose,
				  unsigned upper, const struct limb *limb)
{
	const unsigned lower = upper + SIDES, last = lower + SIDES;
	double passed = passed_on(body, (enum anim_human_bone)upper),
	       next = passed_on(body, (enum anim_human_bone)lower);
	double whole = limb->own / (1 - passed), frame[4], q[4], half[2], sine, cosine, bend, off, end;

	if (passed == 0 || passed > 1 - LEAST_PART || next < LEAST_PART)
		return limb->own;
	bend = bend_for(limb, whole, &off);
	if (fabs(off) > SAME_TWIST)
		return limb->own;
	anim_sincos(whole / 2, &sine, &cosine);
	anim_quat_product(frame, (const double[4]){sine, 0, 0, cosine}, limb->lead);
	anim_sincos(bend / 2, &sine, &cosine);
	anim_quat_product(frame, frame, (const double[4]){0, 0, sine, cosine});
	anim_quat_from_to(frame, frame, limb->wanted); /* the rest is the lower bone's own twist */
	anim_quat_product(q, pose->wanted[lower], body->bones[lower].post);
	wanted_in(body, pose, last, q, q);
	end = twist_before(body->bones[last].lead, q, q, half);
	off = 2 * anim_atan2(frame[0], frame[3]) - end * (1 - next) / next;
	off -= ANIM_TAU * anim_round(off / ANIM_TAU);
	return fabs(off) < SAME_TWIST ? whole : limb->own;
}

/* Half of the error of a twist, half of its slope, and a positive curvature for Newton's method. */
struct slope {
	double error, slope, curvature;
};

static struct slope slope_at(const struct anim_muscle_hinge *hinge, double by)
{
	double sine, cosine, off, change;

	anim_sincos(by, &sine, &cosine);
	off = hinge->a + hinge->b * cosine + hinge->c * sine;
	change = hinge->c * cosine - hinge->b * sine;
	return (struct slope){.error = off * off / 2 + OWN_TWIST * (1 - cosine),
			      .slope = off * change + OWN_TWIST * sine,
			      .curvature = change * change + OWN_TWIST * fmax(cosine, 0.1)};
}

#define STEP 0.5 /* radians at most */
#define STEPS 8

/* Find the minimum near a twist. */
static double descend(const struct anim_muscle_hinge *hinge, double by)
{
	for (unsigned i = 0; i < STEPS; i++) {
		struct slope at = slope_at(hinge, by);
		double step = fmax(-STEP, fmin(STEP, at.slope / at.curvature));

		by -= step;
		if (fabs(step) < 1e-12)
			break;
	}
	return by;
}

/*
 * Let the limb reach the wanted place of its end. At this twist the lower bone may miss its direction, so the whole limb
 * rotates the shortest way. Computes the upper bone's own axes in `frame` and the bend.
 */
static void reach_end(const struct anim_muscle_body *body, struct anim_muscle_pose *pose, unsigned upper,
		      const struct limb *limb, double twist, double own[4], double *bend)
{
	const double l1 = body->bones[upper].length, l2 = body->bones[upper + SIDES].length;
	double off, now[3], end[3], sine, cosine, lower[3], way[4];

	*bend = bend_for(limb, twist, &off) - limb->straight;
	*bend -= ANIM_TAU * anim_round(*bend / ANIM_TAU);
	*bend = limb->straight + copysign(bend_of(limb), *bend == 0 ? -limb->side : *bend);
	anim_sincos(twist / 2, &sine, &cosine);
	memcpy(own, (const double[4]){sine, 0, 0, cosine}, 4 * sizeof *own);
	anim_sincos(*bend, &sine, &cosine);
	for (unsigned i = 0; i < 3; i++)
		lower[i] = cosine * limb->x[i] + sine * limb->y[i];
	rotate(lower, own, (const double[3]){lower[0], lower[1], lower[2]});
	for (unsigned i = 0; i < 3; i++) {
		now[i] = (i == 0 ? l1 : 0) + l2 * lower[i];
		end[i] = (i == 0 ? l1 : 0) + l2 * limb->direction[i];
	}
	anim_quat_between_double(way, now, end);
	anim_quat_product(own, way, own);
	rotate(now, way, lower);
	anim_vec3_subtract(now, now, limb->direction);
	rotate(end, way, (const double[3]){1, 0, 0});
	end[0] -= 1;
	pose->off[upper] = anim_vec3_length_double(end) / 2;
	pose->off[upper + SIDES] = anim_vec3_length_double(now) / 2;
}

/* Solve the three bones of a limb from its upper bone on. */
static void solve_limb(const struct anim_muscle_body *body, struct anim_muscle_pose *pose, unsigned upper)
{
	const unsigned lower = upper + SIDES, end = lower + SIDES;
	struct anim_muscle_hinge *hinge =
	    &pose->hinges[upper < ANIM_BONE_UPPER_LEG ? upper - ANIM_BONE_UPPER_ARM
						      : SIDES + upper - ANIM_BONE_UPPER_LEG];
	double frame[4], q[4], swing[4], half[2], twist;
	struct limb limb;
	struct parts parts;

	limb = (struct limb){.lead = body->bones[upper + SIDES].lead};
	frame_of(body, pose, upper, frame);
	wanted_in(body, pose, upper, frame, q);
	parts = split(q);
	limb.own = 2 * anim_atan2(parts.sine, parts.cosine);
	memcpy(swing, parts.swing, sizeof parts.swing);
	anim_quat_product(q, frame, swing);
	wanted_in(body, pose, upper + SIDES, q, limb.wanted);
	rotate(limb.direction, limb.wanted, (const double[3]){1, 0, 0});
	rotate(limb.x, limb.lead, (const double[3]){1, 0, 0});
	rotate(limb.y, limb.lead, (const double[3]){0, 1, 0});
	limb.straight = anim_atan2(limb.y[0], limb.x[0]);
	limb.side = limb.y[0] < 0 ? -1 : 1;
	hinge->from = twist_without_hinge(body, pose, upper, &limb);

	static const double along[3] = {1, 0, 0};
	const double back[4] = {-limb.lead[0], -limb.lead[1], -limb.lead[2], limb.lead[3]};
	double axis[3], u[3], side[3], sine, cosine;
	const double *to = limb.direction;

	anim_sincos(hinge->from, &sine, &cosine);
	rotate(u, back, (const double[3]){to[0], to[1] * cosine + to[2] * sine, to[2] * cosine - to[1] * sine});
	rotate(axis, back, along);
	anim_vec3_cross_double(side, axis, u);
	hinge->a = axis[2] * anim_vec3_dot_double(axis, u);
	hinge->b = u[2] - hinge->a;
	hinge->c = -side[2];

	if (!pose->chosen) {
		/*
		 * Choose the twist of a pose alone: the smallest error of the hinge and of the bone's own twist
		 * together.
		 */
		const double bend = limb.side * bend_of(&limb),
			     flexed = twist_for(&limb, limb.straight - bend) - hinge->from;
		const double starts[] = {0, flexed, twist_for(&limb, limb.straight + bend) - hinge->from, 0.9, -0.9};
		double best = 0, least = (double)INFINITY, beyond, off;

		for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {
			double by = descend(hinge, starts[i]), error = slope_at(hinge, by).error;

			if (error < least) {
				least = error;
				best = by;
			}
		}
		beyond = limb.side * (bend_for(&limb, hinge->from + best, &off) - limb.straight);
		beyond -= ANIM_TAU * anim_round(beyond / ANIM_TAU);
		hinge->by = beyond > HYPEREXTENSION ? descend(hinge, flexed) : best;
	}
	reach_end(body, pose, upper, &limb, hinge->from + hinge->by, q, &pose->angles[lower][2]);
	anim_quat_product(q, swing, q);
	anim_quat_product(pose->own[upper], frame, q);
	parts = split(q);
	swing_angles(parts.swing, pose->angles[upper]);
	pose->angles[upper][0] = continued(2 * anim_atan2(parts.sine, parts.cosine), pose->angles[upper][0]);

	pose->angles[lower][1] = 0;
	anim_sincos(pose->angles[lower][2] / 2, &half[0], &half[1]);
	frame_of(body, pose, lower, frame);
	anim_quat_product(frame, frame, (const double[4]){0, 0, half[0], half[1]});
	wanted_in(body, pose, end, frame, q);
	twist = twist_before(body->bones[end].lead, q, swing, half);
	pose->angles[lower][0] = continued(twist, pose->angles[lower][0]);
	anim_quat_product(pose->own[lower], frame, (const double[4]){half[0], 0, 0, half[1]});

	swing_angles(swing, pose->angles[end]);
	anim_quat_product(pose->own[end], pose->wanted[end], body->bones[end].post);
	pose->off[end] = 0;
}

void anim_muscle_solve(const struct anim_muscle_body *body, struct anim_muscle_pose *pose)
{
	bool solved[ANIM_HUMAN_BONES] = {false};

	for (unsigned i = 0; i < body->count; i++) {
		enum anim_human_bone b = body->order[i];

		if (solved[b])
			continue;

		unsigned bone = b;
		bool upper = (bone >= ANIM_BONE_UPPER_ARM && bone < ANIM_BONE_LOWER_ARM) ||
			     (bone >= ANIM_BONE_UPPER_LEG && bone < ANIM_BONE_LOWER_LEG);

		if (upper && body->bones[bone + SIDES].joint.parent == (int)bone &&
		    body->bones[bone + 2 * SIDES].joint.parent == (int)(bone + SIDES)) {
			solve_limb(body, pose, b);
			solved[b + SIDES] = solved[b + 2 * SIDES] = true;
		} else if (anim_muscle_axes(b) != 0) {
			double frame[4], q[4], nearest[4];

			frame_of(body, pose, b, frame);
			wanted_in(body, pose, b, frame, q);
			pose->off[b] = 0;
			find_nearest(anim_muscle_axes(b), q, pose->angles[b], nearest, &pose->off[b]);
			anim_quat_product(pose->own[b], frame, nearest);
		} else {
			anim_quat_product(pose->own[b], pose->wanted[b], body->bones[b].post);
		}
	}
}

/* ---- Limbs over a clip ---- */

#define ROUNDS 40
#define GAIN 1e-9 /* of the error: a round that gains less is the last */

/* Return how much a change between two samples counts. */
static double steadiness(const double *times, size_t k)
{
	double step = times[k] - times[k - 1];

	return step > 0 ? STEADY / (step * step) : 0;
}

/* Return half of the error of all samples: of their hinges and twists, and of the changes between them. */
static double error_of(const struct anim_muscle_hinge *hinges, const double *times, const double *by, size_t count)
{
	double sum = 0;

	for (size_t k = 0; k < count; k++) {
		double change = k > 0 ? by[k] - by[k - 1] : 0;

		sum += slope_at(&hinges[k], by[k]).error + (k > 0 ? steadiness(times, k) * change * change / 2 : 0);
	}
	return sum;
}

/* Compute all steps of one round (Gauss-Newton). Each sample depends on its neighbours only, so one sweep each way is enough. */
static void find_steps(const struct anim_muscle_hinge *hinges, const double *times, size_t count, double damping,
		       const double *by, double *steps, double *ratios)
{
	for (size_t k = 0; k < count; k++) {
		struct slope at = slope_at(&hinges[k], by[k]);
		double before = k > 0 ? steadiness(times, k) : 0, after = k + 1 < count ? steadiness(times, k + 1) : 0;
		double slope = at.slope, pivot = at.curvature + before + after + damping;

		if (k > 0) {
			slope += before * (by[k] - by[k - 1]);
			pivot -= before * ratios[k - 1];
		}
		if (k + 1 < count)
			slope -= after * (by[k + 1] - by[k]);
		ratios[k] = after / pivot;
		steps[k] = (-slope + (k > 0 ? before * steps[k - 1] : 0)) / pivot;
	}
	for (size_t k = count; k-- > 1;)
		steps[k - 1] += ratios[k - 1] * steps[k];
}

void anim_muscle_smooth(struct anim_muscle_hinge *hinges, const double *times, size_t count, double *work)
{
	double *by = work, *next = work + count, *steps = next + count, *ratios = steps + count;
	double damping = 1e-4, error, changed;

	for (size_t k = 0; k < count; k++) {
		by[k] = hinges[k].by;
		if (k > 0) /* the same twist, near the one before */
			by[k] -= ANIM_TAU * anim_round((by[k] - by[k - 1]) / ANIM_TAU);
	}
	error = error_of(hinges, times, by, count);
	for (unsigned round = 0; round < ROUNDS; round++) {
		find_steps(hinges, times, count, damping, by, steps, ratios);
		for (size_t k = 0; k < count; k++)
			next[k] = by[k] + fmax(-STEP, fmin(STEP, steps[k]));
		changed = error_of(hinges, times, next, count);
		if (!(changed < error)) {
			damping *= 10;
			continue;
		}
		damping /= 3;
		memcpy(by, next, count * sizeof *by);
		if (error - changed <= GAIN * error)
			break;
		error = changed;
	}
	for (size_t k = 0; k < count; k++)
		hinges[k].by = by[k];
}

/* ---- The body of a pose ---- */

void anim_muscle_place(const struct anim_muscle_body *body, struct anim_muscle_pose *pose)
{
	static const unsigned goals[ANIM_MUSCLE_GOALS] = {ANIM_BONE_FOOT, ANIM_BONE_FOOT + 1, ANIM_BONE_HAND,
							  ANIM_BONE_HAND + 1};
	struct pose at = {0};
	double back[4];

	for (unsigned i = 0; i < body->count; i++) {
		unsigned b = body->order[i];
		const struct anim_muscle_bone *bone = &body->bones[b];
		int parent = bone->joint.parent;

		if (!weighs(b))
			continue;
		anim_quat_product(at.rotations[b], pose->own[b], bone->back);
		if (parent >= 0)
			rotate(at.places[b], at.rotations[parent], bone->offset);
		else
			memcpy(at.places[b], b == ANIM_BONE_HIPS ? pose->hips : bone->joint.place, sizeof at.places[b]);
		for (unsigned k = 0; k < 3 && parent >= 0; k++)
			at.places[b][k] += at.places[parent][k];
	}
	if (!orient(&at, pose->root.turn))
		memcpy(pose->root.turn, body->base, sizeof pose->root.turn);
	weigh(body, &at, pose->root.place);
	anim_quat_conjugate_double(back, body->base);
	anim_quat_product(pose->root.turn, pose->root.turn, back);
	for (unsigned k = 0; k < 3; k++)
		pose->root.place[k] /= body->scale;

	/* Compute the goals: the sole of a foot or the wrist of a hand, relative to the body. */
	anim_quat_conjugate_double(back, pose->root.turn);
	for (unsigned i = 0; i < ANIM_MUSCLE_GOALS; i++) {
		const unsigned b = goals[i];
		const bool foot = b == ANIM_BONE_FOOT || b == ANIM_BONE_FOOT + 1;
		struct anim_muscle_placement *goal = &pose->goals[i];
		double *place = goal->place;

		rotate(place, pose->own[b], (const double[3]){foot ? body->bones[b].length : 0, 0, 0});
		for (unsigned k = 0; k < 3; k++)
			place[k] = (place[k] + at.places[b][k]) / body->scale - pose->root.place[k];
		rotate(place, back, (const double[3]){place[0], place[1], place[2]});
		anim_quat_product(goal->turn, back, pose->own[b]);
	}
}
