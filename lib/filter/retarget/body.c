/* body.c: finds the bones of a human in a tree, and makes the body that Unity's muscles move. */
#include "filter/retarget/body.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "base/number.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

#define UPRIGHT 0.9999
#define AXES 3

/* Convert between Unity's space and a space of the other handedness. The same mirror converts back. */
void retarget_mirror_place(const struct retarget_body *body, double v[3])
{
	v[0] = body->mirrored ? -v[0] : v[0];
}

void retarget_mirror_rotation(const struct retarget_body *body, double q[4])
{
	q[1] = body->mirrored ? -q[1] : q[1];
	q[2] = body->mirrored ? -q[2] : q[2];
}

static uint32_t parent_of(const struct retarget_body *body, uint32_t node)
{
	return anim_poses_parent(&body->plan.to.skeleton->poses, node);
}

static void place_of(const struct retarget_body *body, uint32_t node, double out[3])
{
	const double *at = anim_poses_at(&body->plan.to.skeleton->poses, node, 0);

	for (unsigned i = 0; i < 3; i++)
		out[i] = at[4 * i + 3];
	retarget_mirror_place(body, out);
}

#define NUMBERS (3 * AXES) /* of unity.limits: low, high and, if not 0, the centre */

/* Read up to `most` numbers with commas between them. Returns their count, or 0 if the text is something else. */
static unsigned read_numbers(const char *text, double *numbers, unsigned most)
{
	for (unsigned count = 0; count < most; text++) {
		size_t length = strcspn(text, ",");

		if (length == 0 || anim_number_typed(text, length, &numbers[count]) != length ||
		    !isfinite(numbers[count]))
			return 0;
		text += length;
		count++;
		if (*text == '\0')
			return count;
	}
	return 0;
}

/*
 * Read the limits, the twist and the rotation in the T-pose that an avatar gives a bone. The rotation is in Unity's axes, so
 * a tree in other axes has none. Returns 0 or -1.
 */
static int read_avatar(const struct retarget_body *body, struct anim_muscle_joint *joint, enum anim_human_bone bone,
		       struct anim_error *error)
{
	const struct retarget_side *side = &body->plan.to;
	const char *text = retarget_attr(side, side->bones[bone], "unity.limits"), *name = anim_human_bone_name(bone);
	const char *twist = retarget_attr(side, side->bones[bone], "unity.twist");
	const char *tpose = retarget_attr(side, side->bones[bone], "unity.tpose");
	double numbers[NUMBERS] = {0};
	struct anim_muscle_limits limits;
	unsigned count = text == NULL ? NUMBERS : read_numbers(text, numbers, NUMBERS);

	if (count != NUMBERS && count != 2 * AXES)
		return anim_fail(error, ANIM_BAD_INPUT, "the target's %s has unity.limits that are not 6 or 9 numbers",
				 name);
	memcpy(limits.low, numbers, sizeof limits.low);
	memcpy(limits.high, numbers + AXES, sizeof limits.high);
	memcpy(limits.centre, numbers + 2 * AXES, sizeof limits.centre);
	if (text != NULL)
		anim_muscle_limit(joint, bone, &limits);
	if (twist != NULL && read_numbers(twist, &joint->twist, 1) != 1)
		return anim_fail(error, ANIM_BAD_INPUT, "the target's %s has a unity.twist that is not a number", name);
	if (tpose == NULL || body->mirrored)
		return 0;
	if (read_numbers(tpose, joint->pose, 4) != 4)
		return anim_fail(error, ANIM_BAD_INPUT, "the target's %s has a unity.tpose that is not 4 numbers",
				 name);
	joint->posed = true;
	return 0;
}

/*
 * Find the space of RootT and RootQ. It is the space of the tree's root if the root is upright. It is then
 * rotated by a multiple of 90 degrees about the vertical axis, so that the model faces z. Joints
 * move from the tree's space into it.
 */
static void find_root(struct retarget_body *body, struct anim_muscle_joint *joints)
{
	static const double half = 0.70710678118654752440;
	static const double quarters[4][4] = {{0, 0, 0, 1}, {0, -half, 0, half}, {0, 1, 0, 0}, {0, half, 0, half}};
	const struct retarget_side *side = &body->plan.to;
	const unsigned arm = ANIM_BONE_UPPER_ARM, leg = ANIM_BONE_UPPER_LEG;
	double own[4], back[4], up[3] = {0, 1, 0}, right[3];
	unsigned quarter;

	memset(body->root_place, 0, sizeof body->root_place);
	memcpy(own, quarters[0], sizeof own);
	memcpy(back, side->rotations[0], sizeof back);
	retarget_mirror_rotation(body, back);
	anim_quat_rotate_double(up, back, up);
	if (strcmp(anim_poses_path(&side->skeleton->poses, 0), ".") == 0 && side->bones[ANIM_BONE_HIPS] != 0 &&
	    up[1] > UPRIGHT) {
		place_of(body, 0, body->root_place);
		memcpy(own, back, sizeof own);
	}
	anim_quat_conjugate_double(back, own);
	for (unsigned i = 0; i < 3; i++)
		right[i] =
		    joints[arm + 1].place[i] + joints[leg + 1].place[i] - joints[arm].place[i] - joints[leg].place[i];
	anim_quat_rotate_double(right, back, right);
	if (fabs(right[0]) >= fabs(right[2]))
		quarter = right[0] >= 0 ? 0 : 2;
	else
		quarter = right[2] > 0 ? 1 : 3;
	anim_quat_multiply_double(body->root_turn, own, quarters[quarter]);
	anim_quat_conjugate_double(back, body->root_turn);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		struct anim_muscle_joint *joint = &joints[b];

		if (!joint->known)
			continue;
		anim_vec3_subtract(joint->place, joint->place, body->root_place);
		anim_quat_rotate_double(joint->place, back, joint->place);
		anim_quat_multiply_double(joint->turn, back, joint->turn);
		anim_quat_multiply_double(joint->above, back, joint->above);
	}
}

/* ---- The map of a source ---- */

/* Use the bones of the map. A map that has the hips has all bones, so no name is guessed. */
static int map_source(struct retarget_body *body, struct anim_error *error)
{
	struct retarget_side *side = &body->plan.to;
	const struct anim_rest *rests = side->skeleton->poses.rests.items;
	bool mapped[ANIM_HUMAN_BONES] = {false};
	uint32_t bones[ANIM_HUMAN_BONES] = {0};

	for (uint32_t n = 0; n < side->count; n++) {
		const char *name = retarget_mapped_name(body->map, side, n);
		unsigned b = name == NULL ? ANIM_HUMAN_BONES : anim_human_bone_find(name);

		if (name == NULL)
			continue;
		if (b == ANIM_HUMAN_BONES)
			return anim_fail(
			    error, ANIM_UNSUPPORTED,
			    "'%s', which " ANIM_OPTION(
				"retarget", "map") " names for '%s', is not a bone of Unity, such as LeftUpperArm",
			    name, anim_node_own_name(rests[n].path));
		/* meshes beside a skeleton often have the names of its bones */
		if (!mapped[b] || (rests[n].kind == ANIM_NODE_BONE && rests[bones[b]].kind != ANIM_NODE_BONE))
			bones[b] = n;
		mapped[b] = true;
	}
	for (unsigned b = 0; b < ANIM_HUMAN_BONES && mapped[ANIM_BONE_HIPS]; b++)
		side->bones[b] = ANIM_POSE_NONE;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		for (unsigned other = 0; mapped[b] && other < ANIM_HUMAN_BONES; other++)
			if (side->bones[other] == bones[b])
				side->bones[other] = ANIM_POSE_NONE;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		if (mapped[b])
			side->bones[b] = bones[b];
	return 0;
}

/* ---- The body ---- */

#define LISTED 3 /* number of missing bones in the message */

/* Report the bones that are needed and that the skeleton does not have. The message has the first lines of a map. */
static int check_bones(const struct retarget_body *body, const struct anim_muscle_joint *joints,
		       struct anim_error *error)
{
	const char *whose = body->is_source ? "skeleton" : "target";
	struct anim_muscle_joint known[ANIM_HUMAN_BONES];
	enum anim_human_bone lacking;
	char bones[96] = "", lines[128] = "";
	unsigned count = 0;

	memcpy(known, joints, sizeof known);
	for (; (lacking = anim_muscle_lacking(known)) != ANIM_HUMAN_BONES; known[lacking].known = true) {
		const char *name = anim_human_bone_name(lacking), *gap = count == 0 ? "" : ", ";

		if (count++ >= LISTED)
			continue;
		snprintf(bones + strlen(bones), sizeof bones - strlen(bones), "%s%s", gap, name);
		snprintf(lines + strlen(lines), sizeof lines - strlen(lines),
			 body->is_source ? "%s'BONE,%s'" : "%s'%s,BONE'", gap, name);
	}
	if (count == 0)
		return 0;
	if (count == 1)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "the %s has no %s, which humanoid clips need; name the bone with " ANIM_OPTION_TO(
				     "retarget", "map", "FILE") ", " ANIM_ADVICE_TO(MAP_LINES, "in a line %s"),
				 whose, bones, lines);
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "the %s lacks %u bones that humanoid clips need: %s%s; name them with " ANIM_OPTION_TO(
			     "retarget", "map", "FILE") ", " ANIM_ADVICE_TO(MAP_LINES, "in lines %s%s"),
			 whose, count, bones, count > LISTED ? ", ..." : "", lines, count > LISTED ? ", ..." : "");
}

int retarget_body_make(struct retarget_body *body, struct anim_error *error)
{
	const struct anim_retarget_options *options = body->plan.options;
	const char *whose = body->is_source ? "skeleton" : "target";
	uint8_t axes = options->to->poses.axes;
	struct anim_muscle_joint joints[ANIM_HUMAN_BONES];
	unsigned straightened;
	bool legs, rotated = false;

	body->mirrored = axes != ANIM_AXES_UNITY && axes != ANIM_AXES_RESONITE;
	if (retarget_find_human(&body->plan, error) != 0 || (body->map != NULL && map_source(body, error) != 0))
		return -1;

	/* Get all bones in the mirrored space of the tree. */
	const struct retarget_side *side = &body->plan.to;
	int *bones = anim_arena_zeroed(&body->plan.arena, side->count + 1, sizeof *bones, error);

	if (bones == NULL)
		return -1;
	for (uint32_t n = 0; n < side->count; n++)
		bones[n] = -1;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		if (side->bones[b] != ANIM_POSE_NONE)
			bones[side->bones[b]] = (int)b;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		struct anim_muscle_joint *joint = &joints[b];
		uint32_t node = side->bones[b];

		*joint = (struct anim_muscle_joint){
		    .known = node != ANIM_POSE_NONE, .parent = -1, .twist = ANIM_MUSCLE_TWIST};
		if (!joint->known)
			continue;
		if (read_avatar(body, joint, (enum anim_human_bone)b, error) != 0)
			return -1;
		/* the nearest bone of a human above the node */
		for (uint32_t n = parent_of(body, node); n != ANIM_POSE_NONE && joint->parent < 0;
		     n = parent_of(body, n))
			joint->parent = bones[n];
		joint->direct = joint->parent >= 0 && side->bones[joint->parent] == parent_of(body, node);
		place_of(body, node, joint->place);
		memcpy(joint->turn, side->rotations[node], sizeof joint->turn);
		memcpy(joint->above, anim_poses_rotation_above(&side->skeleton->poses, side->rotations, node),
		       sizeof joint->above);
		retarget_mirror_rotation(body, joint->turn);
		retarget_mirror_rotation(body, joint->above);
	}
	if (check_bones(body, joints, error) != 0)
		return -1;

	anim_muscle_to_tpose(joints);
	legs = anim_muscle_upright(joints, &rotated);
	find_root(body, joints);
	anim_muscle_raise(joints, rotated);
	straightened = anim_muscle_straighten(joints, (double)options->silhouette_degrees * (ANIM_PI / 180));
	if (!legs || !anim_muscle_body_make(&body->body, joints))
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    body->is_source
			? "the rest pose of the %s is not a T-pose of a human: bones have no length, or its legs do "
			  "not point down; name a file with a T-pose, or a time at which a clip of it shows one, "
			  "with " ANIM_OPTION_TO("retarget", "from", "FILE@SECONDS")
			: "the rest pose of the %s is not a T-pose of a human: bones have no length, or its legs do "
			  "not point down; name a file with a T-pose, or a time at which a clip of it shows one, "
			  "with " ANIM_OPTION_TO("retarget", "to", "FILE@SECONDS"),
		    whose);
	if (straightened == 0)
		return 0;
	return anim_diagnostics_note(options->diagnostics, body->is_source ? "skeleton" : "target", error,
				     "another rest pose than the T-pose" ANIM_DETAIL
				     "; %u bones of arms and legs were aligned first",
				     straightened);
}
