/* pose.c: mmd_pose_evaluate: bones in layers, copied motion, and IK by cyclic coordinate descent. */

/*
 * Bones are evaluated in layers. A bone copies the motion of another one, then it is placed, and then the chains of IK whose
 * goal it is are solved. The steps follow babylon-mmd, which agrees with other players as far as they agree with each other.
 */
#include "format/mmd/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

#define NEAR_SQUARED 1e-8 /* of distances and of axes */
#define DEGREES (ANIM_PI / 180)

/* The constant part of a bone. */
struct pose_bone {
	double offset[3];
	uint32_t parent, append_from;
	bool appends_rotation, appends_translation, is_link;
	double ratio;
	size_t first_ik, ik_count; /* of `iks`: chains whose goal it is */
	uint32_t place;            /* in the order */
};

/* The order in which a rotation is split into angles. */
enum split { SPLIT_YXZ, SPLIT_ZYX, SPLIT_XZY };

struct pose_link {
	uint32_t bone;
	bool limited, locked; /* locked: to no rotation */
	int hinge;            /* its only axis, or -1 */
	enum split split;
	double min[3], max[3];
	double limit_cos, half_sin, half_cos; /* of the largest step */
	/* the bones to place after a step, of `path`: from the link down to the effector */
	size_t first_path, path_count;
};

struct pose_ik {
	uint32_t goal, effector, loops;
	size_t number; /* in the model */
	struct pose_link *links;
	size_t link_count;
	size_t first_after, after_count; /* of `path`: bones to place when the chain is solved */
};

/* ---- Preparation ---- */

struct ordered {
	uint32_t bone;
	int32_t layer;
	bool after_physics;
};

static int compare_order(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->after_physics != y->after_physics)
		return x->after_physics ? 1 : -1;
	if (x->layer != y->layer)
		return x->layer < y->layer ? -1 : 1;
	return (x->bone > y->bone) - (x->bone < y->bone);
}

/* Sort the bones by the time of their evaluation, parents first. Return 0 or -1. */
static int make_order(struct mmd_pose *pose, struct anim_error *error)
{
	uint32_t count = mmd_bone_count(pose->model);
	struct ordered *ordered = anim_arena_zeroed(&pose->arena, count + 1, sizeof *ordered, error);
	uint32_t *wanted = anim_arena_zeroed(&pose->arena, count + 1, sizeof *wanted, error);

	pose->order = anim_arena_zeroed(&pose->arena, count + 1, sizeof *pose->order, error);
	if (ordered == NULL || wanted == NULL || pose->order == NULL)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		const struct mmd_bone *bone = mmd_bone_at(pose->model, i);

		ordered[i] = (struct ordered){i, bone->layer, bone->after_physics};
	}
	qsort(ordered, count, sizeof *ordered, compare_order);
	for (uint32_t i = 0; i < count; i++)
		wanted[i] = ordered[i].bone;
	if (mmd_parents_first(pose->model, wanted, pose->order, error) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		pose->fixed[pose->order[i]].place = i;
	return 0;
}

static void set_link(struct pose_link *to, const struct mmd_link *link, double limit)
{
	const double most = limit < ANIM_PI ? limit : ANIM_PI, half_pi = ANIM_PI / 2;
	int axes = 0;

	*to = (struct pose_link){.bone = link->bone, .limited = link->limited, .hinge = -1};
	to->limit_cos = anim_cos(most);
	anim_sincos(most / 2, &to->half_sin, &to->half_cos);
	if (!link->limited)
		return;
	/* A hinge has limits on one axis. */
	for (int i = 0; i < 3; i++)
		if (link->min[i] != 0 || link->max[i] != 0) {
			to->hinge = i;
			axes++;
		}
	if (axes != 1)
		to->hinge = -1;
	if ((double)link->min[0] > -half_pi && (double)link->max[0] < half_pi)
		to->split = SPLIT_YXZ;
	else
		to->split = (double)link->min[1] > -half_pi && (double)link->max[1] < half_pi ? SPLIT_ZYX : SPLIT_XZY;
	to->locked = true;
	for (size_t i = 0; i < 3; i++) {
		to->min[i] = (double)link->min[i];
		to->max[i] = (double)link->max[i];
		to->locked = to->locked && link->min[i] == 0 && link->max[i] == 0;
	}
}

/* Hostile models have many long chains. */
#define PATHS_MAX ((size_t)1 << 24)

static int add_path(struct anim_buffer *path, uint32_t bone, struct anim_error *error)
{
	if (path->size >= PATHS_MAX * sizeof bone)
		return anim_fail(error, ANIM_TOO_LARGE, "the IK chains of the model have too many bones");
	return anim_buffer_append(path, &bone, sizeof bone, error);
}

/*
 * List the bones to place when a link has rotated: those from the link down to the effector. If the link is not above
 * the effector, this is the link alone, and the effector. Return 0 or -1.
 */
static int list_path(const struct mmd_pose *pose, uint32_t effector, struct pose_link *link, struct anim_buffer *path,
		     struct anim_error *error)
{
	uint32_t at = effector, *first, last;
	size_t count = 1;

	link->first_path = path->size / sizeof at;
	for (; at != MMD_NONE && at != link->bone; at = pose->fixed[at].parent)
		count++;
	link->path_count = at == MMD_NONE ? 2 : count;
	if (at == MMD_NONE)
		return add_path(path, link->bone, error) != 0 ? -1 : add_path(path, effector, error);
	for (at = effector; count-- > 0; at = pose->fixed[at].parent)
		if (add_path(path, at, error) != 0)
			return -1;
	first = (uint32_t *)(void *)path->data + link->first_path;
	for (size_t i = 0, k = link->path_count - 1; i < k; i++, k--) {
		last = first[k];
		first[k] = first[i];
		first[i] = last;
	}
	return 0;
}

static void use_ancestors(const struct mmd_pose *pose, uint32_t bone)
{
	for (; bone != MMD_NONE && !pose->used[bone]; bone = pose->fixed[bone].parent)
		pose->used[bone] = true;
}

/* Links that are the effector, the goal or missing do nothing. Return 0 or -1. */
static int add_ik(struct mmd_pose *pose, const struct mmd_ik *from, struct pose_ik *ik, uint8_t *moved,
		  struct anim_buffer *path, struct anim_error *error)
{
	uint32_t placed = pose->fixed[from->goal].place + 1;

	ik->effector = from->effector;
	ik->goal = from->goal;
	ik->loops = from->loops;
	ik->links = anim_arena_zeroed(&pose->arena, from->link_count + 1, sizeof *ik->links, error);
	if (ik->links == NULL)
		return -1;
	for (size_t i = 0; i < from->link_count; i++) {
		const struct mmd_link *link = mmd_link_at(pose->model, from, i);
		struct pose_link *to = &ik->links[ik->link_count];

		if (link->bone == MMD_NONE || link->bone == from->effector || link->bone == from->goal)
			continue;
		set_link(to, link, (double)from->limit * (double)(i + 1));
		if (to->locked)
			continue;
		if (list_path(pose, from->effector, to, path, error) != 0)
			return -1;
		pose->fixed[link->bone].is_link = true;
		ik->link_count++;
	}

	/* List the bones that were placed before the chain is solved, and that hang below a link of it. */
	memset(moved, 0, mmd_bone_count(pose->model));
	for (size_t i = 0; i < ik->link_count; i++)
		moved[ik->links[i].bone] = 1;
	ik->first_after = path->size / sizeof(uint32_t);
	for (uint32_t i = 0; i < placed; i++) {
		uint32_t bone = pose->order[i], parent = pose->fixed[bone].parent;

		if (parent != MMD_NONE && moved[parent])
			moved[bone] = 1;
		if (moved[bone] && pose->used[bone] && add_path(path, bone, error) != 0)
			return -1;
	}
	ik->after_count = path->size / sizeof(uint32_t) - ik->first_after;
	return 0;
}

/* Prepare the chains, sorted by the bone that is their goal. Return 0 or -1. */
static int add_iks(struct mmd_pose *pose, struct anim_buffer *path, struct anim_error *error)
{
	size_t count = mmd_ik_count(pose->model), used = 0;
	uint32_t bones = mmd_bone_count(pose->model);
	uint8_t *moved = anim_arena_zeroed(&pose->arena, bones + 1, 1, error);

	pose->iks = anim_arena_zeroed(&pose->arena, count + 1, sizeof *pose->iks, error);
	if (pose->iks == NULL || moved == NULL)
		return -1;
	if ((uint64_t)count * bones > PATHS_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "the model has too many IK chains, %zu", count);
	for (size_t i = 0; i < count; i++) { /* counted before their places are known */
		const struct mmd_ik *ik = mmd_ik_at(pose->model, i);

		if (ik->goal != MMD_NONE && ik->effector != MMD_NONE && ik->loops > 0)
			pose->fixed[ik->goal].ik_count++;
	}
	for (uint32_t i = 0; i < bones; i++) {
		pose->fixed[i].first_ik = used;
		used += pose->fixed[i].ik_count;
		pose->fixed[i].ik_count = 0;
	}
	for (size_t i = 0; i < count; i++) {
		const struct mmd_ik *from = mmd_ik_at(pose->model, i);
		struct pose_bone *goal;
		struct pose_ik *ik;

		if (from->goal == MMD_NONE || from->effector == MMD_NONE || from->loops == 0)
			continue;
		goal = &pose->fixed[from->goal];
		ik = &pose->iks[goal->first_ik + goal->ik_count++];
		ik->number = i;
		if (add_ik(pose, from, ik, moved, path, error) != 0)
			return -1;
	}
	return 0;
}

int mmd_pose_init(struct mmd_pose *pose, const struct mmd_model *model, struct anim_error *error)
{
	uint32_t count = mmd_bone_count(model);
	struct anim_buffer path = {0};

	*pose = (struct mmd_pose){.model = model};
	pose->bones = anim_arena_zeroed(&pose->arena, count + 1, sizeof *pose->bones, error);
	pose->fixed = anim_arena_zeroed(&pose->arena, count + 1, sizeof *pose->fixed, error);
	pose->used = anim_arena_zeroed(&pose->arena, count + 1, sizeof *pose->used, error);
	pose->ik_on = anim_arena_zeroed(&pose->arena, mmd_ik_count(model) + 1, sizeof *pose->ik_on, error);
	if (pose->bones == NULL || pose->fixed == NULL || pose->used == NULL || pose->ik_on == NULL)
		return -1;
	memset(pose->ik_on, true, mmd_ik_count(model) * sizeof *pose->ik_on);
	for (uint32_t i = 0; i < count; i++) {
		const struct mmd_bone *bone = mmd_bone_at(model, i);
		struct pose_bone *fixed = &pose->fixed[i];
		float offset[3];

		mmd_bone_offset(model, i, offset);
		for (size_t k = 0; k < 3; k++)
			fixed->offset[k] = (double)offset[k];
		fixed->parent = bone->parent;
		fixed->append_from = bone->append_from;
		fixed->appends_rotation = bone->appends_rotation;
		fixed->appends_translation = bone->appends_translation;
		fixed->ratio = (double)bone->append_ratio;
		pose->bones[i].rotation[3] = 1;
	}

	/* Mark the bones that IK needs, and both bones of each pair in which one copies the motion of the other. */
	for (size_t i = 0; i < mmd_ik_count(model); i++) {
		const struct mmd_ik *ik = mmd_ik_at(model, i);

		use_ancestors(pose, ik->goal);
		use_ancestors(pose, ik->effector);
		for (size_t k = 0; k < ik->link_count; k++)
			use_ancestors(pose, mmd_link_at(model, ik, k)->bone);
	}
	for (uint32_t i = 0; i < count; i++)
		if (pose->fixed[i].appends_rotation || pose->fixed[i].appends_translation)
			pose->used[i] = pose->used[pose->fixed[i].append_from] = true;

	if (make_order(pose, error) != 0 || add_iks(pose, &path, error) != 0) {
		anim_buffer_clear(&path);
		return -1;
	}
	pose->path = (uint32_t *)(void *)path.data; /* freed by mmd_pose_clear */
	return 0;
}

void mmd_pose_clear(struct mmd_pose *pose)
{
	struct anim_buffer path = {.data = (uint8_t *)pose->path};

	anim_buffer_clear(&path);
	anim_arena_clear(&pose->arena);
}

uint64_t mmd_pose_cost(const struct mmd_pose *pose)
{
	uint64_t cost = 0;

	for (uint32_t i = 0; i < mmd_bone_count(pose->model); i++)
		for (size_t k = 0; k < pose->fixed[i].ik_count; k++) {
			const struct pose_ik *ik = &pose->iks[pose->fixed[i].first_ik + k];

			for (size_t link = 0; link < ik->link_count; link++)
				cost += (uint64_t)ik->loops * ik->links[link].path_count;
			cost += ik->after_count;
		}
	return cost;
}

/* ---- Placing a bone ---- */

void mmd_rotation_power(double out[4], const double q[4], double k)
{
	double sine = anim_vec3_length_double(q), angle = 2 * anim_atan2(sine, fabs(q[3])) * k, s, c;

	if (k == 1 || !(sine > 0)) {
		memcpy(out, q, 4 * sizeof *out);
		return;
	}
	anim_sincos(angle / 2, &s, &c);
	for (int i = 0; i < 3; i++)
		out[i] = q[i] / sine * (q[3] < 0 ? -s : s);
	out[3] = c;
}

/*
 * Compute everything about a bone from its own motion, the motion that it copies, and the rotation of IK: its place in the
 * space of its parent and of the model.
 */
static void update(struct mmd_pose *pose, uint32_t number)
{
	const struct pose_bone *fixed = &pose->fixed[number];
	struct mmd_bone_pose *bone = &pose->bones[number];
	const struct mmd_bone_pose *parent = fixed->parent == MMD_NONE ? NULL : &pose->bones[fixed->parent];
	bool appends = fixed->appends_rotation || fixed->appends_translation;
	const struct pose_bone *from_fixed = appends ? &pose->fixed[fixed->append_from] : NULL;
	const struct mmd_bone_pose *from = appends ? &pose->bones[fixed->append_from] : NULL;
	double q[4];

	memcpy(bone->before_ik, bone->rotation, sizeof bone->before_ik);
	for (int i = 0; i < 3; i++)
		bone->local_position[i] = fixed->offset[i] + bone->position[i];
	if (from != NULL && fixed->appends_rotation) {
		memcpy(q, from_fixed->appends_rotation ? from->appended_rotation : from->rotation, sizeof q);
		if (from_fixed->is_link)
			anim_quat_product(q, from->ik_rotation, q);
		mmd_rotation_power(bone->appended_rotation, q, fixed->ratio);
		anim_quat_product(bone->before_ik, bone->rotation, bone->appended_rotation);
	}
	for (int i = 0; i < 3 && from != NULL && fixed->appends_translation; i++) {
		bone->appended_position[i] =
		    fixed->ratio * (from_fixed->appends_translation ? from->appended_position[i] : from->position[i]);
		bone->local_position[i] += bone->appended_position[i];
	}

	if (fixed->is_link)
		anim_quat_product(bone->local_rotation, bone->ik_rotation, bone->before_ik);
	else
		memcpy(bone->local_rotation, bone->before_ik, sizeof bone->local_rotation);
	if (parent == NULL) {
		memcpy(bone->world_position, bone->local_position, sizeof bone->world_position);
		memcpy(bone->world_rotation, bone->local_rotation, sizeof bone->world_rotation);
		return;
	}
	anim_quat_rotate_double(bone->world_position, parent->world_rotation, bone->local_position);
	anim_vec3_add(bone->world_position, parent->world_position, 1);
	anim_quat_product(bone->world_rotation, parent->world_rotation, bone->local_rotation);
}

/* ---- IK ---- */

/* Clip an angle. In the first half of the loops an angle beyond a limit is mirrored at it, which bends straight joints. */
static double clip(double angle, double min, double max, bool mirrors)
{
	if (angle < min)
		return mirrors && 2 * min - angle <= max ? 2 * min - angle : min;
	if (angle > max)
		return mirrors && 2 * max - angle >= min ? 2 * max - angle : max;
	return angle;
}

/* Return the angle whose sine this is, kept away from the poles. */
static double middle_angle(double sine)
{
	const double most = 88 * DEGREES, angle = ANIM_PI / 2 - anim_acos(sine);

	return angle > most ? most : angle < -most ? -most : angle;
}

/* Split a rotation into the angles about x, y and z. The orders are YXZ, ZYX and XZY, as products of matrices. */
static void split_angles(const double q[4], enum split split, double angles[3])
{
	const double x = q[0], y = q[1], z = q[2], w = q[3];

	switch (split) {
	case SPLIT_YXZ:
		angles[0] = middle_angle(2 * (x * w - y * z));
		angles[1] = anim_atan2(2 * (x * z + y * w), 1 - 2 * (x * x + y * y));
		angles[2] = anim_atan2(2 * (x * y + z * w), 1 - 2 * (x * x + z * z));
		break;
	case SPLIT_ZYX:
		angles[1] = middle_angle(2 * (y * w - x * z));
		angles[0] = anim_atan2(2 * (y * z + x * w), 1 - 2 * (x * x + y * y));
		angles[2] = anim_atan2(2 * (x * y + z * w), 1 - 2 * (y * y + z * z));
		break;
	case SPLIT_XZY:
		angles[2] = middle_angle(2 * (z * w - x * y));
		angles[0] = anim_atan2(2 * (y * z + x * w), 1 - 2 * (x * x + z * z));
		angles[1] = anim_atan2(2 * (x * z + y * w), 1 - 2 * (y * y + z * z));
		break;
	}
}

/* Bring the rotation of a limited link within its limits. Only one axis of a hinge can have an angle. */
static void limit_link(const struct pose_link *link, struct mmd_bone_pose *bone, bool mirrors)
{
	static const enum anim_euler_order orders[] = {ANIM_EULER_YXZ, ANIM_EULER_ZYX, ANIM_EULER_XZY};
	double q[4], back[4], angles[3];

	anim_quat_product(q, bone->ik_rotation, bone->before_ik);
	split_angles(q, link->split, angles);
	if (link->hinge >= 0) {
		double half = clip(angles[link->hinge], link->min[link->hinge], link->max[link->hinge], mirrors) / 2, s;

		memset(q, 0, sizeof q);
		anim_sincos(half, &s, &q[3]);
		q[link->hinge] = s;
	} else {
		for (int i = 0; i < 3; i++)
			angles[i] = clip(angles[i], link->min[i], link->max[i], mirrors);
		anim_quat_from_euler_double(q, angles, orders[link->split]);
	}
	anim_quat_conjugate_double(back, bone->before_ik);
	anim_quat_product(bone->ik_rotation, q, back);
}

/* Rotate a link so that the effector comes nearer to the goal. Return whether it rotated. */
static bool step(struct mmd_pose *pose, const struct pose_ik *ik, const struct pose_link *link, bool first_half)
{
	struct mmd_bone_pose *bone = &pose->bones[link->bone];
	const uint32_t parent = pose->fixed[link->bone].parent;
	double to_effector[3], to_goal[3], axis[3], rotation[4], cosine, half_cos, half_sin;

	anim_vec3_subtract(to_effector, bone->world_position, pose->bones[ik->effector].world_position);
	anim_vec3_subtract(to_goal, bone->world_position, pose->bones[ik->goal].world_position);
	anim_vec3_unit(to_effector);
	anim_vec3_unit(to_goal);
	anim_vec3_cross_double(axis, to_effector, to_goal);
	if (!(anim_vec3_dot_double(axis, axis) >= NEAR_SQUARED))
		return false;
	if (parent != MMD_NONE)
		anim_quat_rotate_back(axis, pose->bones[parent].world_rotation, axis);
	if (first_half && link->hinge >= 0) {
		double sign = axis[link->hinge] >= 0 ? 1 : -1;

		memset(axis, 0, sizeof axis);
		axis[link->hinge] = sign;
	} else {
		anim_vec3_unit(axis);
	}
	cosine = anim_vec3_dot_double(to_effector, to_goal);
	if (cosine > link->limit_cos) {
		cosine = cosine > 1 ? 1 : cosine;
		half_cos = sqrt((1 + cosine) / 2);
		half_sin = sqrt((1 - cosine) / 2);
	} else {
		half_cos = link->half_cos;
		half_sin = link->half_sin;
	}
	for (int i = 0; i < 3; i++)
		rotation[i] = axis[i] * half_sin;
	rotation[3] = half_cos;
	anim_quat_product(bone->ik_rotation, rotation, bone->ik_rotation);
	if (link->limited)
		limit_link(link, bone, first_half);
	for (size_t i = 0; i < link->path_count; i++)
		update(pose, pose->path[link->first_path + i]);
	return true;
}

static void solve(struct mmd_pose *pose, const struct pose_ik *ik)
{
	bool rotated = false, moved = false;
	double rest[3];

	/* Undo the rotations of a chain that shares links with this one. */
	for (size_t i = 0; i < ik->link_count; i++) {
		double *q = pose->bones[ik->links[i].bone].ik_rotation;

		rotated = rotated || q[0] != 0 || q[1] != 0 || q[2] != 0;
		memcpy(q, (const double[4]){0, 0, 0, 1}, 4 * sizeof *q);
	}
	for (size_t i = 0; i < ik->after_count && rotated; i++)
		update(pose, pose->path[ik->first_after + i]);

	for (uint32_t loop = 0; loop < ik->loops; loop++) {
		anim_vec3_subtract(rest, pose->bones[ik->goal].world_position,
				   pose->bones[ik->effector].world_position);
		if (anim_vec3_dot_double(rest, rest) < NEAR_SQUARED)
			break;
		for (size_t i = 0; i < ik->link_count; i++)
			moved |= step(pose, ik, &ik->links[i], loop < ik->loops / 2);
	}
	for (size_t i = 0; i < ik->after_count && moved; i++)
		update(pose, pose->path[ik->first_after + i]);
}

void mmd_pose_evaluate(struct mmd_pose *pose)
{
	uint32_t count = mmd_bone_count(pose->model);

	for (uint32_t i = 0; i < count; i++) {
		struct mmd_bone_pose *bone = &pose->bones[i];

		if (!pose->used[i])
			continue;
		memcpy(bone->ik_rotation, (const double[4]){0, 0, 0, 1}, sizeof bone->ik_rotation);
		memcpy(bone->appended_rotation, bone->ik_rotation, sizeof bone->appended_rotation);
		memset(bone->appended_position, 0, sizeof bone->appended_position);
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct pose_bone *fixed = &pose->fixed[pose->order[i]];

		if (!pose->used[pose->order[i]])
			continue;
		update(pose, pose->order[i]);
		for (size_t k = 0; k < fixed->ik_count; k++) {
			const struct pose_ik *ik = &pose->iks[fixed->first_ik + k];

			if (pose->ik_on[ik->number])
				solve(pose, ik);
		}
	}
}
