/* muscle.c: the names and limits of Unity's muscles, and its formulas on a small skeleton in T-pose. */
#include "filter/retarget/muscle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/elementary.h"
#include "math/quaternion.h"
#include "tap.h"

#define DEGREES (180 / ANIM_PI)

/* ---- A skeleton of 1.6 units whose bones have any axes ---- */

static const double identity[4] = {0, 0, 0, 1};

struct row {
	int bone, parent; /* of a pair the left one */
	double place[3];  /* of the left one */
};

#define FINGER(n) (ANIM_BONE_FINGERS + 6 * (n))

static const struct row rows[] = {{ANIM_BONE_HIPS, -1, {0, 0.95, 0}},
				  {ANIM_BONE_SPINE, ANIM_BONE_HIPS, {0, 1.05, 0.01}},
				  {ANIM_BONE_CHEST, ANIM_BONE_SPINE, {0, 1.15, 0}},
				  {ANIM_BONE_UPPER_CHEST, ANIM_BONE_CHEST, {0, 1.25, -0.01}},
				  {ANIM_BONE_NECK, ANIM_BONE_UPPER_CHEST, {0, 1.4, -0.01}},
				  {ANIM_BONE_HEAD, ANIM_BONE_NECK, {0, 1.48, 0.01}},
				  {ANIM_BONE_JAW, ANIM_BONE_HEAD, {0, 1.5, 0.05}},
				  {ANIM_BONE_EYE, ANIM_BONE_HEAD, {-0.03, 1.54, 0.07}},
				  {ANIM_BONE_SHOULDER, ANIM_BONE_UPPER_CHEST, {-0.04, 1.36, 0}},
				  {ANIM_BONE_UPPER_ARM, ANIM_BONE_SHOULDER, {-0.14, 1.36, 0}},
				  {ANIM_BONE_LOWER_ARM, ANIM_BONE_UPPER_ARM, {-0.39, 1.36, 0}},
				  {ANIM_BONE_HAND, ANIM_BONE_LOWER_ARM, {-0.63, 1.36, 0}},
				  {ANIM_BONE_UPPER_LEG, ANIM_BONE_HIPS, {-0.08, 0.9, 0}},
				  {ANIM_BONE_LOWER_LEG, ANIM_BONE_UPPER_LEG, {-0.08, 0.5, 0}},
				  {ANIM_BONE_FOOT, ANIM_BONE_LOWER_LEG, {-0.08, 0.09, 0}},
				  {ANIM_BONE_TOES, ANIM_BONE_FOOT, {-0.08, 0.02, 0.12}},
				  {FINGER(1), ANIM_BONE_HAND, {-0.72, 1.36, 0.02}},
				  {FINGER(1) + 2, FINGER(1), {-0.75, 1.36, 0.02}},
				  {FINGER(1) + 4, FINGER(1) + 2, {-0.77, 1.36, 0.02}}};

/* A rotation that is another one for each bone. */
static void any_turn(double q[4], unsigned seed)
{
	double length = 0;

	for (unsigned i = 0; i < 4; i++) {
		seed = seed * 1103515245 + 12345;
		q[i] = (double)(seed >> 8 & 0xFFFF) / 0x8000 - 0.9;
		length += q[i] * q[i];
	}
	for (unsigned i = 0; i < 4; i++)
		q[i] /= sqrt(length);
}

static void make_joints(struct anim_muscle_joint joints[ANIM_HUMAN_BONES])
{
	memset(joints, 0, ANIM_HUMAN_BONES * sizeof *joints);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int side = 0; side < (rows[i].bone < ANIM_BONE_EYE ? 1 : 2); side++) {
			int bone = rows[i].bone + side;
			struct anim_muscle_joint *joint = &joints[bone];

			joint->known = joint->direct = true;
			joint->twist = ANIM_MUSCLE_TWIST;
			joint->parent = rows[i].parent < ANIM_BONE_EYE ? rows[i].parent : rows[i].parent + side;
			memcpy(joint->place, rows[i].place, sizeof joint->place);
			joint->place[0] *= side == 0 ? 1 : -1;
			any_turn(joint->turn, (unsigned)bone + 7);
			memcpy(joint->above, joint->parent < 0 ? identity : joints[joint->parent].turn,
			       sizeof joint->above);
		}
}

static struct anim_muscle_body *make_body(void)
{
	static struct anim_muscle_body body;
	struct anim_muscle_joint joints[ANIM_HUMAN_BONES];

	make_joints(joints);
	CHECK(anim_muscle_lacking(joints) == ANIM_HUMAN_BONES);
	CHECK(anim_muscle_body_make(&body, joints));
	return &body;
}

static double degrees_between(const double a[4], const double b[4])
{
	double back[4], q[4];

	anim_quat_conjugate_double(back, a);
	anim_quat_multiply_double(q, back, b);
	return 2 * DEGREES * anim_atan2(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), fabs(q[3]));
}

/* Where a bone points in the root's space once it has this rotation, all above being at rest. */
static void pointing(const struct anim_muscle_body *body, unsigned bone, const double local[4], double out[3])
{
	const double along[3] = {1, 0, 0};

	anim_quat_rotate_double(out, body->bones[bone].post, along);
	anim_quat_rotate_double(out, local, out);
	anim_quat_rotate_double(out, body->bones[bone].joint.above, out);
}

/* ---- Names and limits ---- */

TEST(names_are_95, "the 95 muscles have two spellings, and each is one axis of one bone")
{
	static const char *const fingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
	static const char *const joints[] = {"1 Stretched", "Spread", "2 Stretched", "3 Stretched"};
	static const char *const others[] = {"",
					     "Spine",
					     "Spine Twist",
					     "spine Front-Back",
					     "Left Spine Front-Back",
					     "Arm Down-Up",
					     "LeftArm Down-Up",
					     "LeftHand.Index",
					     "LeftHand.Index.4 Stretched",
					     "LeftHand Index 1 Stretched",
					     "Left Index.1 Stretched",
					     "Hand.Index.1 Stretched",
					     "RootT.x",
					     "Left Hand Down-Up "};
	bool seen[ANIM_HUMAN_BONES][3] = {{false}};
	enum anim_human_bone bone, same;
	unsigned axis, same_axis, count = 0;
	char name[64];

	for (unsigned i = 0; i < 2 * 5 * 4; i++) {
		const char *side = i % 2 == 0 ? "Left" : "Right", *finger = fingers[i / 8], *joint = joints[i / 2 % 4];

		snprintf(name, sizeof name, "%sHand.%s.%s", side, finger, joint);
		CHECKF(anim_muscle_find(name, &bone, &axis) && bone >= ANIM_BONE_FINGERS && axis > 0, "%s", name);
		CHECKF((bone - ANIM_BONE_FINGERS) / 6 == i / 8 && bone % 2 != i % 2, "%s", name);
		CHECKF(!seen[bone][axis], "%s", name);
		seen[bone][axis] = true;
		snprintf(name, sizeof name, "%s %s %s", side, finger, joint);
		CHECKF(anim_muscle_find(name, &same, &same_axis) && same == bone && same_axis == axis, "%s", name);
		count++;
	}
	for (unsigned b = 0; b < ANIM_BONE_FINGERS; b++)
		for (unsigned i = 0; i < 3; i++) {
			double sign;

			/* a muscle that has no range has no name */
			if (anim_muscle_angle(NULL, (enum anim_human_bone)b, i, 1) == 0 || b == ANIM_BONE_HIPS)
				continue;
			same = anim_muscle_mirror((enum anim_human_bone)b, i, &sign);
			CHECKF(anim_muscle_mirror(same, i, &sign) == b, "%u", b);
			CHECKF((same == b) == (b < ANIM_BONE_EYE), "%u", b);
			count++;
		}
	CHECKF(count == 95, "%u", count);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		CHECKF(!anim_muscle_find(others[i], &bone, &axis), "%s", others[i]);
}

TEST(names_have_sides,
     "mirrored, a muscle is the other side's, and one of the trunk that goes left or right is negated")
{
	static const struct {
		const char *name, *mirrored;
		double sign;
	} pairs[] = {{"Spine Twist Left-Right", "Spine Twist Left-Right", -1},
		     {"Neck Nod Down-Up", "Neck Nod Down-Up", 1},
		     {"Jaw Left-Right", "Jaw Left-Right", -1},
		     {"Left Arm Front-Back", "Right Arm Front-Back", 1},
		     {"Right Foot Twist In-Out", "Left Foot Twist In-Out", 1},
		     {"RightHand.Ring.Spread", "LeftHand.Ring.Spread", 1}};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		enum anim_human_bone bone, other;
		unsigned axis, other_axis;
		double sign;

		CHECK(anim_muscle_find(pairs[i].name, &bone, &axis));
		CHECK(anim_muscle_find(pairs[i].mirrored, &other, &other_axis));
		CHECKF(anim_muscle_mirror(bone, axis, &sign) == other && axis == other_axis && sign == pairs[i].sign,
		       "%s", pairs[i].name);
	}
}

TEST(names_come_back, "the name of a muscle in clips leads to its bone and axis, and its angle to its value")
{
	unsigned count = 0;

	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		for (unsigned i = 0; i < 3; i++) {
			enum anim_human_bone own = (enum anim_human_bone)b, bone;
			unsigned axis;
			char name[64];

			if ((anim_muscle_axes(own) >> i & 1) == 0)
				continue;
			anim_muscle_name(own, i, name, sizeof name);
			CHECKF(anim_muscle_find(name, &bone, &axis) && bone == own && axis == i, "%s", name);
			CHECKF(strstr(name, b < ANIM_BONE_FINGERS ? " " : "Hand.") != NULL, "%s", name);
			for (int k = -3; k <= 3; k++)
				CHECK(fabs(anim_muscle_value(NULL, own, i, anim_muscle_angle(NULL, own, i, k / 2.0)) -
					   k / 2.0) < 1e-12);
			count++;
		}
	CHECKF(count == 95, "%u", count);
}

TEST(angles_go_on, "an angle is the value times the limit of its side, also beyond 1")
{
	CHECK(fabs(anim_muscle_angle(NULL, ANIM_BONE_UPPER_LEG, 2, 1) * DEGREES - 50) < 1e-12);
	CHECK(fabs(anim_muscle_angle(NULL, ANIM_BONE_UPPER_LEG, 2, -1) * DEGREES + 90) < 1e-12);
	CHECK(fabs(anim_muscle_angle(NULL, ANIM_BONE_UPPER_LEG + 1, 1, 1.5) * DEGREES + 90) < 1e-12);
	CHECK(fabs(anim_muscle_angle(NULL, ANIM_BONE_UPPER_ARM, 2, 1) * DEGREES + 100) < 1e-12);
	CHECK(anim_muscle_angle(NULL, ANIM_BONE_CHEST, 0, 0) == 0);
	CHECK(anim_muscle_instead(ANIM_BONE_UPPER_CHEST) == ANIM_BONE_CHEST);
	CHECK(anim_muscle_instead(ANIM_BONE_CHEST) == ANIM_BONE_SPINE);
	CHECK(anim_muscle_instead(ANIM_BONE_NECK) == ANIM_BONE_HEAD);
	CHECK(anim_muscle_instead(ANIM_BONE_SHOULDER + 1) == (int)ANIM_BONE_UPPER_ARM + 1);
	CHECK(anim_muscle_instead(ANIM_BONE_SPINE) == ANIM_HUMAN_BONES);
	CHECK(anim_muscle_instead(ANIM_BONE_JAW) == ANIM_HUMAN_BONES);
}

TEST(limits_are_the_joints,
     "a joint's own limits and centre count, and limits that are the default but for rounding do not")
{
	struct anim_muscle_limits limits = {{-10, -20, -45}, {10, 30, 25}, {0, 0, 5}};
	struct anim_muscle_limits usual = {{-59.999998, -60.000002, -90}, {60, 60, 50}, {0}};
	struct anim_muscle_joint joint = {.known = true};

	anim_muscle_limit(&joint, ANIM_BONE_UPPER_LEG, &limits);
	CHECK(joint.limited);
	CHECK(fabs(anim_muscle_angle(&joint, ANIM_BONE_UPPER_LEG, 1, 0.5) * DEGREES - 15) < 1e-12);
	CHECK(fabs(anim_muscle_angle(&joint, ANIM_BONE_UPPER_LEG, 1, -0.5) * DEGREES + 10) < 1e-12);
	CHECK(fabs(anim_muscle_angle(&joint, ANIM_BONE_UPPER_LEG + 1, 1, 2) * DEGREES + 60) < 1e-12);
	CHECK(fabs(anim_muscle_angle(&joint, ANIM_BONE_UPPER_LEG, 2, 0) * DEGREES - 5) < 1e-12);
	CHECK(fabs(anim_muscle_angle(&joint, ANIM_BONE_UPPER_LEG, 2, 1) * DEGREES - 25) < 1e-12);
	CHECK(fabs(anim_muscle_angle(&joint, ANIM_BONE_UPPER_LEG, 2, -1) * DEGREES + 45) < 1e-12);
	for (int k = -4; k <= 4; k++)
		CHECK(fabs(anim_muscle_value(&joint, ANIM_BONE_UPPER_LEG + 1, 2,
					     anim_muscle_angle(&joint, ANIM_BONE_UPPER_LEG + 1, 2, k / 3.0)) -
			   k / 3.0) < 1e-12);
	anim_muscle_limit(&joint, ANIM_BONE_UPPER_LEG, &usual);
	CHECK(!joint.limited);
	CHECK(anim_muscle_angle(&joint, ANIM_BONE_UPPER_LEG, 1, 1) ==
	      anim_muscle_angle(NULL, ANIM_BONE_UPPER_LEG, 1, 1));
}

/* ---- Rotations ---- */

TEST(t_pose_has_values, "muscles at the values that Unity gives the T-pose lead to it, whatever the bones' axes are")
{
	static const struct {
		int bone;
		double values[3];
	} poses[] = {{ANIM_BONE_SPINE, {0}},
		     {ANIM_BONE_HEAD, {0}},
		     {ANIM_BONE_JAW, {0, 0, 1.03}},
		     {ANIM_BONE_UPPER_LEG, {0, 0, 0.6}},
		     {ANIM_BONE_LOWER_LEG, {0, 0, 1}},
		     {ANIM_BONE_FOOT, {0}},
		     {ANIM_BONE_UPPER_ARM, {0, 0.29, 0.39}},
		     {ANIM_BONE_LOWER_ARM, {0, 0, 1}},
		     {ANIM_BONE_HAND, {0}}};
	const struct anim_muscle_body *body = make_body();

	for (size_t i = 0; i < sizeof poses / sizeof *poses; i++)
		for (int side = 0; side < (poses[i].bone < ANIM_BONE_EYE ? 1 : 2); side++) {
			enum anim_human_bone bone = (enum anim_human_bone)(poses[i].bone + side);
			double angles[3], local[4];

			for (unsigned k = 0; k < 3; k++)
				angles[k] = anim_muscle_angle(NULL, bone, k, poses[i].values[k]);
			anim_muscle_rotation(body, bone, angles, 0, local);
			/* two digits of a muscle of 100 degrees */
			CHECKF(degrees_between(local, body->bones[bone].rest) < 1, "%d: %g", (int)bone,
			       degrees_between(local, body->bones[bone].rest));
		}
}

TEST(muscles_have_directions, "muscles bend bones to where their names say")
{
	static const struct {
		const char *name;
		double value;
		unsigned axis; /* in which the bone points farther than at 0, by the sign */
		double sign;
	} bends[] = {{"Left Arm Down-Up", 1, 1, 1},           {"Right Arm Down-Up", 1, 1, 1},
		     {"Right Arm Down-Up", -1, 1, -1},        {"Left Shoulder Down-Up", 1, 1, 1},
		     {"Left Upper Leg Front-Back", -1, 2, 1}, {"Right Upper Leg Front-Back", -1, 2, 1},
		     {"Left Arm Front-Back", -1, 2, 1},       {"Right Arm Front-Back", 1, 2, -1},
		     {"Spine Front-Back", 1, 2, -1},          {"Spine Left-Right", 1, 0, 1},
		     {"Head Tilt Left-Right", -1, 0, -1},     {"Left Foot Up-Down", 1, 2, -1}};
	const struct anim_muscle_body *body = make_body();

	for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
		double angles[3] = {0}, local[4], before[3], after[3];
		enum anim_human_bone bone = ANIM_BONE_HIPS;
		unsigned axis = 0;

		CHECK(anim_muscle_find(bends[i].name, &bone, &axis));
		anim_muscle_rotation(body, bone, angles, 0, local);
		pointing(body, bone, local, before);
		angles[axis] = anim_muscle_angle(NULL, bone, axis, bends[i].value / 4);
		anim_muscle_rotation(body, bone, angles, 0, local);
		pointing(body, bone, local, after);
		CHECKF((after[bends[i].axis] - before[bends[i].axis]) * bends[i].sign > 0.02, "%s: %g", bends[i].name,
		       after[bends[i].axis] - before[bends[i].axis]);
	}
}

TEST(twist_moves_no_end, "twist that is handed on turns the bone between and leaves the end where it is")
{
	const struct anim_muscle_body *body = make_body();

	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		enum anim_human_bone bone = (enum anim_human_bone)b, below = anim_muscle_twists(body, bone);
		bool limb = (b >= ANIM_BONE_UPPER_ARM && b < ANIM_BONE_HAND) ||
			    (b >= ANIM_BONE_UPPER_LEG && b < ANIM_BONE_FOOT);
		double all[4], rest[4], half[4], handed[4], a[4], c[4];

		CHECKF((below != ANIM_HUMAN_BONES) == limb, "%u", b);
		if (!limb)
			continue;
		anim_muscle_rotation(body, bone, (const double[3]){1, 0.3, -0.4}, 0, all);
		anim_muscle_rotation(body, below, (const double[3]){0.2, 0.1, 0.5}, 0, rest);
		anim_muscle_rotation(body, bone, (const double[3]){0.5, 0.3, -0.4}, 0, half);
		anim_muscle_rotation(body, below, (const double[3]){0.2, 0.1, 0.5}, 0.5, handed);
		CHECK(degrees_between(all, half) > 20);
		anim_quat_multiply_double(a, all, rest);
		anim_quat_multiply_double(c, half, handed);
		CHECKF(degrees_between(a, c) < 1e-6, "%u: %g", b, degrees_between(a, c));
	}
}

/* ---- The inverse ---- */

/* A number from -1 to 1. */
static double any_number(unsigned *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return (double)(*seed >> 8 & 0xFFFF) / 0x8000 - 1;
}

/* Pose a body by angles, with the twists of limbs passed on. The hips are turned in some way. */
static void pose_by(const struct anim_muscle_body *body, double angles[ANIM_HUMAN_BONES][3],
		    struct anim_muscle_pose *pose, double locals[ANIM_HUMAN_BONES][4])
{
	for (unsigned i = 0; i < body->count; i++) {
		enum anim_human_bone b = body->order[i];
		const struct anim_muscle_bone *bone = &body->bones[b];
		int parent = bone->joint.parent;
		bool takes = parent >= 0 && anim_muscle_twists(body, (enum anim_human_bone)parent) == b;
		double own[3];

		memcpy(own, angles[b], sizeof own);
		if (anim_muscle_twists(body, b) != ANIM_HUMAN_BONES)
			own[0] *= 1 - bone->joint.twist;
		anim_muscle_rotation(body, b, own, takes ? body->bones[parent].joint.twist * angles[parent][0] : 0,
				     locals[b]);
		if (parent < 0) {
			any_turn(pose->wanted[b], 3);
			continue;
		}
		anim_quat_multiply_double(pose->wanted[b], pose->wanted[parent], bone->between);
		anim_quat_multiply_double(pose->wanted[b], pose->wanted[b], locals[b]);
	}
}

/* Angles of random muscles. Elbows and knees have this muscle, or a random one if it is 0. */
static void any_angles(double angles[ANIM_HUMAN_BONES][3], double hinge, double range, unsigned *seed)
{
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		for (unsigned i = 0; i < 3; i++) {
			bool bends = (b >= ANIM_BONE_LOWER_ARM && b < ANIM_BONE_HAND) ||
				     (b >= ANIM_BONE_LOWER_LEG && b < ANIM_BONE_FOOT);
			double value = range * any_number(seed);

			if (bends && i == 2 && hinge != 0)
				value = hinge;
			angles[b][i] = (anim_muscle_axes((enum anim_human_bone)b) >> i & 1) == 0
					   ? 0
					   : anim_muscle_angle(NULL, (enum anim_human_bone)b, i, value);
		}
}

TEST(values_come_back, "muscles of rotations that muscles gave are the same, also if limbs are straight")
{
	/* 0: any value. The third is straight, except for rounding. */
	const double hinges[] = {0, 1, 2 * anim_atan2(0.839, 1) * DEGREES / 80, 0.999, 1.001, 0.99, 0.9, -1, 1.2};
	static struct anim_muscle_pose pose;
	double angles[ANIM_HUMAN_BONES][3], locals[ANIM_HUMAN_BONES][4], place[3], turn[4];
	struct anim_muscle_body *body = make_body();
	unsigned seed = 1;

	for (unsigned i = 0; i < 400; i++) {
		double hinge = hinges[i % (sizeof hinges / sizeof *hinges)];

		body->bones[ANIM_BONE_UPPER_ARM].joint.twist = i % 3 == 0 ? 0.3 : 0.5;
		any_angles(angles, hinge, 1.2, &seed);
		pose_by(body, angles, &pose, locals);
		for (unsigned k = 0; k < 3; k++)
			pose.hips[k] = any_number(&seed);
		anim_muscle_solve(body, &pose);
		for (unsigned n = 0; n < body->count; n++) {
			unsigned b = body->order[n];

			CHECKF(pose.off[b] < 1e-6, "%u %u: off by %g", i, b, pose.off[b]);
			for (unsigned k = 0; k < 3; k++) {
				double off = fabs(pose.angles[b][k] - angles[b][k]);

				if (b == ANIM_BONE_HIPS)
					continue;
				CHECKF(off < 1e-6, "%u: bone %u axis %u is %g, not %g", i, b, k, pose.angles[b][k],
				       angles[b][k]);
			}
		}
		/* and the root gives the hips back */
		anim_muscle_place(body, &pose);
		anim_muscle_hips(body, locals, pose.root.place, pose.root.turn, place, turn);
		CHECK(degrees_between(turn, pose.wanted[ANIM_BONE_HIPS]) < 1e-6);
		for (unsigned k = 0; k < 3; k++)
			CHECKF(fabs(place[k] - pose.hips[k]) < 1e-9, "%g", place[k] - pose.hips[k]);
	}
	body->bones[ANIM_BONE_UPPER_ARM].joint.twist = 0.5;
}

TEST(nearest_is_found, "of rotations that no muscle gives, hands and feet stay exact, limbs keep their directions, and "
		       "the remainder is reported")
{
	static struct anim_muscle_pose pose, again;
	double locals[ANIM_HUMAN_BONES][4], q[4], a[3], b[3];
	static const double along[3] = {1, 0, 0};
	struct anim_muscle_body *body = make_body();
	unsigned seed = 7;

	for (unsigned i = 0; i < 200; i++) {
		memset(pose.angles, 0, sizeof pose.angles);
		for (unsigned n = 0; n < body->count; n++) {
			unsigned bone = body->order[n];

			/* some way from the T-pose */
			for (unsigned k = 0; k < 4; k++)
				q[k] = 0.3 * any_number(&seed) + (k == 3 ? 1 : 0);
			for (unsigned k = 0; k < 4; k++)
				pose.wanted[bone][k] =
				    q[k] / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
			anim_quat_multiply_double(pose.wanted[bone], pose.wanted[bone], body->bones[bone].joint.turn);
		}
		anim_muscle_solve(body, &pose);
		memcpy(again.wanted, pose.wanted, sizeof again.wanted);
		pose_by(body, pose.angles, &again, locals);
		/* pose_by turns the hips in its own way */
		for (unsigned n = 0; n < body->count; n++) {
			unsigned bone = body->order[n];
			bool end = (bone >= ANIM_BONE_HAND && bone < ANIM_BONE_UPPER_LEG) ||
				   (bone >= ANIM_BONE_FOOT && bone < ANIM_BONE_TOES);
			bool lower = (bone >= ANIM_BONE_LOWER_ARM && bone < ANIM_BONE_HAND) ||
				     (bone >= ANIM_BONE_LOWER_LEG && bone < ANIM_BONE_FOOT);

			double turns[4];

			anim_quat_multiply_double(turns, pose.own[bone], body->bones[bone].back);
			CHECK(!end || pose.off[bone] == 0);
			CHECKF(lower ||
				   fabs(degrees_between(turns, pose.wanted[bone]) -
					2 * (90 - anim_acos(pose.off[bone]) * DEGREES)) < 1e-6 ||
				   anim_muscle_axes((enum anim_human_bone)bone) == 7,
			       "%u %u: %g", i, bone, pose.off[bone]);
			anim_quat_rotate_double(a, body->bones[bone].post, along);
			anim_quat_rotate_double(b, pose.wanted[bone], a);
			anim_quat_rotate_double(a, turns, a);
			CHECKF(!lower || fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] -
					      (1 - 2 * pose.off[bone] * pose.off[bone])) < 1e-9,
			       "%u %u: %g", i, bone, pose.off[bone]);
		}
	}
	/* the angles give the reported rotations */
	anim_muscle_solve(body, &again);
	for (unsigned n = 0; n < body->count; n++)
		CHECKF(again.off[body->order[n]] < 1e-6, "%u: %g", body->order[n], again.off[body->order[n]]);
}

TEST(twists_go_on, "a twist that passes 180 degrees goes on, one within the limits does not depend on the pose before")
{
	static struct anim_muscle_pose pose;
	double angles[ANIM_HUMAN_BONES][3] = {{0}}, locals[ANIM_HUMAN_BONES][4];
	struct anim_muscle_body *body = make_body();

	for (int i = 0; i <= 20; i++) {
		angles[ANIM_BONE_SPINE][0] = i * 0.25;
		pose_by(body, angles, &pose, locals);
		anim_muscle_solve(body, &pose);
		CHECKF(fabs(pose.angles[ANIM_BONE_SPINE][0] - i * 0.25) < 1e-6, "%d: %g", i,
		       pose.angles[ANIM_BONE_SPINE][0]);
	}
	angles[ANIM_BONE_SPINE][0] = -1.5;
	memset(pose.angles, 0, sizeof pose.angles);
	pose.angles[ANIM_BONE_SPINE][0] = 2;
	pose_by(body, angles, &pose, locals);
	anim_muscle_solve(body, &pose);
	CHECK(fabs(pose.angles[ANIM_BONE_SPINE][0] + 1.5) < 1e-6);
}

/* The error of the twists of one limb, which anim_muscle_smooth makes as small as it can. */
static double error_of(const struct anim_muscle_hinge *hinges, const double *times, size_t count)
{
	double sum = 0;

	for (size_t k = 0; k < count; k++) {
		const struct anim_muscle_hinge *h = &hinges[k];
		double off = h->a + h->b * anim_cos(h->by) + h->c * anim_sin(h->by);

		sum += off * off + 2 * 0.003 * (1 - anim_cos(h->by));
		if (k > 0)
			sum += 0.0072 / 900 * (h->by - h[-1].by) * (h->by - h[-1].by) /
			       ((times[k] - times[k - 1]) * (times[k] - times[k - 1]));
	}
	return sum;
}

TEST(hinges_count_as_far_as_they_bend,
     "the twist of a limb is between its own and its hinge's, and follows its neighbours")
{
	/* a bend in degrees, its direction seen from the hinge's, and the twist: the root of a closed form */
	static const double known[][3] = {{1, 15, 1.34},   {1, 60, 2.64},  {2, 60, 11.63}, {3, 80, 25.61},
					  {5, 30, 21.56},  {5, 89, 65.92}, {5, 0, 0},      {10, 60, 55.29},
					  {20, 60, 58.74}, {20, 89, 87.53}};
	struct anim_muscle_hinge hinges[60];
	double times[60], work[4 * 60], least;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		double sine = anim_sin(known[i][0] / DEGREES), way = known[i][1] / DEGREES;
		struct anim_muscle_hinge hinge = {.by = 0.1, .b = -sine * anim_sin(way), .c = sine * anim_cos(way)};

		times[0] = 0;
		anim_muscle_smooth(&hinge, times, 1, work);
		CHECKF(fabs(hinge.by * DEGREES - known[i][2]) < 0.01, "%g", hinge.by * DEGREES);
	}
	/* a direction that turns round at 3 degrees of bend */
	for (size_t k = 0; k < 60; k++) {
		double sine = anim_sin(3 / DEGREES), way = ANIM_TAU * (double)k / 30;

		hinges[k] = (struct anim_muscle_hinge){.b = -sine * anim_sin(way), .c = sine * anim_cos(way)};
		times[k] = (double)k / 30;
	}
	anim_muscle_smooth(hinges, times, 60, work);
	least = error_of(hinges, times, 60);
	for (size_t k = 0; k < 60; k++) {
		CHECKF(fabs(hinges[k].by) * DEGREES < 20, "%g", hinges[k].by * DEGREES);
		for (int sign = -1; sign <= 1; sign += 2) {
			hinges[k].by += sign * 0.001;
			CHECK(error_of(hinges, times, 60) > least);
			hinges[k].by -= sign * 0.001;
		}
	}
	/* two samples at one time do not count as neighbours */
	times[1] = times[0];
	anim_muscle_smooth(hinges, times, 60, work);
	CHECK(isfinite(hinges[0].by) && isfinite(hinges[1].by));
}

/* ---- The body ---- */

TEST(hips_stand, "the T-pose stands where it rests, and turns about its mass centre")
{
	static double locals[ANIM_HUMAN_BONES][4];
	const struct anim_muscle_body *body = make_body();
	const double half = sqrt(0.5), quarter[4] = {0, 3 * half, 0, 3 * half};
	double place[3], turn[4], centre[3] = {0, 1, 0}, rest[3];

	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		memcpy(locals[b], body->bones[b].rest, sizeof locals[b]);
	CHECKF(body->scale > 0.9 && body->scale < 1, "%g", body->scale);
	anim_muscle_hips(body, locals, centre, identity, place, turn);
	CHECK(degrees_between(turn, body->bones[ANIM_BONE_HIPS].joint.turn) < 1e-6);
	/* the mass centre is the given place, so the hips are as far from it as at rest */
	CHECK(fabs(place[1] - 0.95) < 1e-12);
	/* an upper arm of 1/4 moves the centre by 0.0090909 of it: Unity's oddity of the left forearm */
	CHECKF(fabs(place[0] - -0.25 * 0.75 / 82.5) < 1e-9, "%g", place[0] / 0.25);
	memcpy(rest, place, sizeof rest);
	anim_muscle_hips(body, locals, centre, quarter, place, turn);
	CHECK(fabs(place[1] - 0.95) < 1e-12);
	CHECK(fabs(place[0] - rest[2]) < 1e-12 && fabs(place[2] + rest[0]) < 1e-12);
	CHECK(fabs(degrees_between(turn, body->bones[ANIM_BONE_HIPS].joint.turn) - 90) < 1e-6);
	centre[0] = 2;
	anim_muscle_hips(body, locals, centre, identity, place, turn);
	CHECK(fabs(place[0] - rest[0] - 2 * body->scale) < 1e-12);
}

TEST(other_rests, "arms that hang down are straightened, what is a T-pose stays")
{
	static struct anim_muscle_body body;
	struct anim_muscle_joint joints[ANIM_HUMAN_BONES], bent[ANIM_HUMAN_BONES];
	const double way[4] = {0, 0, sin(0.4), cos(0.4)};
	const unsigned arm = ANIM_BONE_UPPER_ARM;

	make_joints(joints);
	memcpy(bent, joints, sizeof bent);
	CHECK(anim_muscle_straighten(joints, 0.2) == 0 && memcmp(joints, bent, sizeof bent) == 0);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		struct anim_muscle_joint *joint = &bent[b];
		bool hand =
		    b >= ANIM_BONE_FINGERS ? b % 2 == ANIM_BONE_FINGERS % 2 : b == arm || b == arm + 2 || b == arm + 4;

		if (!joint->known || !hand)
			continue;
		anim_quat_multiply_double(joint->turn, way, joint->turn);
		if (b == arm)
			continue;
		anim_quat_multiply_double(joint->above, way, joint->above);
		for (unsigned i = 0; i < 3; i++)
			joint->place[i] -= joints[arm].place[i];
		anim_quat_rotate_double(joint->place, way, joint->place);
		for (unsigned i = 0; i < 3; i++)
			joint->place[i] += joints[arm].place[i];
	}
	CHECK(bent[arm + 4].place[1] < 1.1);
	CHECK(anim_muscle_straighten(bent, 0.9) == 0);
	CHECK(anim_muscle_straighten(bent, 0.2) == 1);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		for (unsigned i = 0; i < 3 && joints[b].known; i++)
			CHECKF(fabs(bent[b].place[i] - joints[b].place[i]) < 1e-12 &&
				   degrees_between(bent[b].turn, joints[b].turn) < 1e-6 &&
				   degrees_between(bent[b].above, joints[b].above) < 1e-6,
			       "%u", b);
	CHECK(anim_muscle_body_make(&body, bent));
}

TEST(ground_is_found, "a skeleton that rests on its back or below the ground has the body of one that is upright")
{
	static struct anim_muscle_body body;
	struct anim_muscle_joint joints[ANIM_HUMAN_BONES];
	const double half = sqrt(0.5), back[4] = {half, 0, 0, half};
	const double scale = make_body()->scale;
	bool rotated = false;

	make_joints(joints);
	CHECK(anim_muscle_upright(joints, &rotated) && !rotated);
	anim_muscle_raise(joints, rotated);
	CHECK(fabs(joints[ANIM_BONE_HIPS].place[1] - 0.95) < 1e-12);
	/* 0.11 of the leg is where the ankles are, nearly */
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		joints[b].place[1] -= 2;
	anim_muscle_raise(joints, rotated);
	CHECKF(fabs(joints[ANIM_BONE_FOOT].place[1] - 0.11 * 0.81) < 1e-12, "%g", joints[ANIM_BONE_FOOT].place[1]);
	CHECK(anim_muscle_body_make(&body, joints) && fabs(body.scale - scale) < 0.01);
	make_joints(joints);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		anim_quat_multiply_double(joints[b].turn, back, joints[b].turn);
		anim_quat_multiply_double(joints[b].above, back, joints[b].above);
		anim_quat_rotate_double(joints[b].place, back, joints[b].place);
	}
	CHECK(anim_muscle_upright(joints, &rotated) && rotated);
	anim_muscle_raise(joints, rotated);
	CHECK(anim_muscle_body_make(&body, joints) && fabs(body.scale - scale) < 0.01);
	/* legs that point up */
	make_joints(joints);
	for (unsigned b = ANIM_BONE_UPPER_LEG; b < ANIM_BONE_FINGERS; b++)
		joints[b].place[1] = 1.8 - joints[b].place[1];
	CHECK(!anim_muscle_upright(joints, &rotated));
}

TEST(lacking_bones, "a skeleton without a needed bone, without lengths or below the ground makes no body")
{
	static struct anim_muscle_body body;
	struct anim_muscle_joint joints[ANIM_HUMAN_BONES];

	make_joints(joints);
	joints[ANIM_BONE_FOOT + 1].known = false;
	CHECK(anim_muscle_lacking(joints) == (int)ANIM_BONE_FOOT + 1);
	make_joints(joints);
	memcpy(joints[ANIM_BONE_HAND].place, joints[ANIM_BONE_LOWER_ARM].place, sizeof joints->place);
	CHECK(!anim_muscle_body_make(&body, joints));
	make_joints(joints);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		joints[b].place[1] -= 3;
	CHECK(!anim_muscle_body_make(&body, joints));
	make_joints(joints);
	joints[ANIM_BONE_UPPER_LEG].parent = FINGER(1);
	CHECK(!anim_muscle_body_make(&body, joints));
	/* the optional bones are no need */
	make_joints(joints);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		if (b == ANIM_BONE_CHEST || b == ANIM_BONE_UPPER_CHEST || b == ANIM_BONE_NECK || b == ANIM_BONE_JAW ||
		    (b >= ANIM_BONE_EYE && b < ANIM_BONE_UPPER_ARM) || b >= ANIM_BONE_TOES)
			joints[b].known = false;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		while (joints[b].parent >= 0 && !joints[joints[b].parent].known)
			joints[b].parent = joints[joints[b].parent].parent;
	CHECK(anim_muscle_body_make(&body, joints));
	CHECKF(body.scale > 0.85 && body.scale < 1, "%g", body.scale);
}
