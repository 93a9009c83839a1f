/* joints.c: a tolerance in space, divided among the tracks of a skeleton, and the sum of their errors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "filter/reduce/joints.h"
#include "math/elementary.h"

#define ANGLE_MAX 0.5 /* radians: upper bound of all limits */

struct joint {
	uint32_t parent;
	struct reduce_target target;
	double tightest;   /* smallest tolerance of the joint and of all joints below it */
	double reach;      /* distance of the farthest point that it carries, in its own space */
	double above;      /* largest factor of the scales above it */
	double distance;   /* largest distance from its parent */
	double scale;      /* its own largest scale */
	unsigned moving;   /* its tracks that may have an error */
	unsigned up, down; /* number of such tracks from the root to it, and below it on the longest path down */
	bool driven[ANIM_POSE_PARTS];
	double off; /* largest distance by which the errors of its tracks together move a point */
};

struct joint_track {
	uint32_t node; /* ANIM_POSE_NONE: it moves no joint */
	int part;
	double angle_unit; /* radians per unit of its limit: 1 for quaternions */
	unsigned angles;   /* number of angles that may have an error at once */
	bool can;          /* it can have fewer keys */
	double limit;
	bool curved; /* it already had cubics */
	bool cubic;  /* it can become cubics */
};

struct reduce_joints {
	struct anim_poses *poses;
	struct joint *joints;
	struct joint_track *tracks;
	size_t count, track_count;
	enum anim_rules rules; /* of the result */
	enum anim_reduce_keys keys;
	bool straight; /* see reduce_joints_are_straight */
	bool lines;    /* set by reduce_joints_draw_lines */
	struct anim_arena arena;
};

/* Return the target of a node by its path in the tree. `root` is the root of the clip. */
static struct reduce_target find_target(struct reduce_limits *limits, const char *root, const char *path)
{
	struct reduce_target target = {.tolerance_m =
					   anim_limits_find(&limits->all, ANIM_UNIT_LENGTH, ANIM_LIMIT_WORLD),
				       .shell_m = limits->all.shell_m};
	size_t length = strlen(root);
	/* the path that tracks of the clip have */
	const char *below = strncmp(path, root, length) == 0 && path[length] == '/' ? path + length + 1 : path;

	for (size_t i = limits->count; i-- > 0;) {
		const struct anim_limits *own = &limits->overrides[i].limits;
		const char *glob = limits->overrides[i].glob;

		if (!own->world || !(anim_glob_match(glob, path) || anim_glob_match(glob, below)))
			continue;
		limits->used[i] = true;
		return (struct reduce_target){.group = i + 1,
					      .tolerance_m = anim_limits_find(own, ANIM_UNIT_LENGTH, ANIM_LIMIT_WORLD),
					      .shell_m = own->shell_m};
	}
	return target;
}

int reduce_find_branch(struct anim_poses *tree, struct anim_poses poses[2], const char *root, struct anim_store *store,
		       struct reduce_limits *limits, struct anim_error *error)
{
	anim_poses_begin(tree, 0);
	for (size_t i = 0; i < anim_store_tracks(store, 0); i++) {
		uint32_t node = anim_poses_find(tree, root, anim_store_track_at(store, 0, i)->node);

		if (node != ANIM_POSE_NONE)
			anim_poses_mark(tree, node);
	}
	if (anim_rests_check(&tree->rests, error) != 0)
		return -1;
	for (uint32_t node = 0; node < anim_poses_count(tree) && limits != NULL && limits->count > 0; node++)
		(void)find_target(limits, root, anim_poses_path(tree, node));
	anim_poses_find_branch(tree);
	for (int side = 0; side < 2; side++)
		if (anim_poses_copy_branch(&poses[side], tree, error) != 0)
			return -1;
	return 0;
}

/* ---- Distances ---- */

/* Return the part of a transform that a track moves, or -1. */
static int part_of(const struct anim_track *track)
{
	static const char *const names[] = {"position", "rotation", "scale", "euler"};

	if (!anim_track_is_transform(track) || !anim_type_is_real(track->type))
		return -1;
	for (int i = 0; i < 4; i++)
		if (strcmp(track->property, names[i]) == 0)
			return i == 3 ? ANIM_POSE_ROTATION : i;
	return -1;
}

/*
 * Return true for a whole part of a transform that is absolute, with straight lines or cubics between its keys, if
 * it has several. It covers the clip, or holds its value outside its keys. Then no player shows more than its keys and
 * straight lines.
 */
static bool is_straight_part(const struct anim_track *track, const struct anim_clip *clip, enum anim_rules rules)
{
	bool quaternion = anim_types[track->type].quaternion, wraps = (track->flags & ANIM_LOOP_WRAP_KEYS) != 0;

	if (track->component != ANIM_WHOLE || (track->flags & ANIM_REST_RELATIVE) ||
	    quaternion != (strcmp(track->property, "rotation") == 0) || strcmp(track->property, "euler") == 0)
		return false;
	if (reduce_is_curved(track) && !reduce_is_all_curved(track))
		return false;
	if (!reduce_can(track, clip, rules) && !(track->n == 1 && anim_type_is_real(track->type)))
		return false;
	if (!(anim_track_time(track, 0) <= (double)clip->start_s) && (track->pre != ANIM_EXTRAPOLATION_HOLD || wraps))
		return false;
	if (!(anim_track_time(track, track->n - 1) >= (double)clip->end_s) &&
	    (track->post != ANIM_EXTRAPOLATION_HOLD || wraps))
		return false;
	return reduce_is_regular(track);
}

/* The factor by which curves may exceed the values of their keys. Straight lines do not exceed them. */
#define CURVED 1.5

/*
 * Return the largest value that a track shows: its length, or its largest component. `known`: it has straight lines, or cubics.
 */
static double largest_of(const struct anim_track *track, bool known, bool length)
{
	double most = 0, numbers[ANIM_POSE_NUMBERS];
	unsigned components = anim_types[track->type].components;

	for (size_t k = 0; k < track->n; k++) {
		double square = 0, one = 0;

		anim_components(track->type, track->value, k, numbers);
		for (unsigned i = 0; i < components; i++) {
			double size = fabs(numbers[i]);

			square += size * size;
			one = size > one ? size : one;
		}
		one = length ? square : one;
		most = one > most ? one : most;
	}
	most = (length ? sqrt(most) : most) * (known ? 1 : CURVED);
	return track->kind == ANIM_RAW || track->interp == ANIM_LINEAR
		   ? most
		   : fmax(most, reduce_largest_control(track, length));
}

/* Note which joint a track moves, and how far. */
static void read_track(struct reduce_joints *joints, const struct anim_clip *clip, size_t number,
		       const struct anim_track *track)
{
	const struct anim_type_info *type = &anim_types[track->type];
	struct joint_track *mine = &joints->tracks[number];
	bool can = reduce_can(track, clip, joints->rules), relative = (track->flags & ANIM_REST_RELATIVE) != 0;
	bool curved = reduce_is_curved(track), spatial;
	double most = 0;
	struct joint *joint;

	mine->node = ANIM_POSE_NONE;
	mine->part = part_of(track);
	/* a whole value in space, or a component of one */
	spatial = track->component != ANIM_WHOLE ? type->components == 1 : type->components == 3 || type->quaternion;
	if (mine->part < 0 || !spatial || !(clip->flags & ANIM_IN_TREE))
		return;
	mine->node = anim_poses_find(joints->poses, clip->root, track->node);
	if (mine->node == ANIM_POSE_NONE)
		return;
	joint = &joints->joints[mine->node];
	joints->straight = joints->straight && track->n > 0 && !joint->driven[mine->part] &&
			   is_straight_part(track, clip, joints->rules);
	joint->driven[mine->part] = true;
	mine->angle_unit = type->quaternion || !(track->flags & ANIM_DEGREES) ? 1 : ANIM_PI / 180;
	mine->angles = type->quaternion ? 1 : type->components;
	if (mine->part != ANIM_POSE_ROTATION)
		most = largest_of(track, can && (!curved || reduce_is_all_curved(track)),
				  mine->part == ANIM_POSE_POSITION);
	if (mine->part == ANIM_POSE_POSITION)
		joint->distance =
		    relative || track->component != ANIM_WHOLE ? joint->distance + most : fmax(joint->distance, most);
	if (mine->part == ANIM_POSE_SCALE)
		joint->scale = relative ? joint->scale * (1 + most) : fmax(joint->scale, most);
	if (can) {
		joint->moving++;
		mine->can = true;
		mine->curved = curved;
		mine->cubic = reduce_is_cubic(track, joints->rules, joints->keys);
	}
}

/*
 * Return the largest distance by which an error of a joint's part moves a point. The error is in metres, radians, or
 * a factor.
 */
static double moved_by(const struct joint *joint, int part, double off)
{
	if (part == ANIM_POSE_POSITION)
		return joint->above * off;
	if (part == ANIM_POSE_SCALE)
		return joint->above * off * joint->reach;
	return joint->above * joint->scale * joint->reach * 2 * anim_sin(fmin(off, ANIM_PI) / 2);
}

/* Return the error of a part that moves no point by more than `moved`. */
static double error_for(const struct joint *joint, int part, double moved)
{
	double whole = moved_by(joint, part, part == ANIM_POSE_ROTATION ? ANIM_PI : 1), sine;

	if (part != ANIM_POSE_ROTATION)
		return moved / whole;
	sine = moved / whole;
	return sine < 0.2 ? 2 * anim_atan2(sine, sqrt(1 - sine * sine)) : ANGLE_MAX / 2;
}

/*
 * Divide the tolerances. On a path from the root to a joint, no share is larger than the joint's tolerance divided
 * by the number of tracks that share it.
 */
static void share_out(struct reduce_joints *joints)
{
	for (size_t i = 0; i < joints->count; i++) {
		struct joint *joint = &joints->joints[i];

		joint->reach = joint->target.shell_m;
		joint->tightest = joint->target.tolerance_m;
		joint->above = joint->parent == ANIM_POSE_NONE
				   ? 1
				   : joints->joints[joint->parent].above * joints->joints[joint->parent].scale;
		joint->up = joint->moving + (joint->parent == ANIM_POSE_NONE ? 0 : joints->joints[joint->parent].up);
	}
	for (size_t i = joints->count; i-- > 0;) {
		const struct joint *joint = &joints->joints[i];
		struct joint *parent;

		if (joint->parent == ANIM_POSE_NONE)
			continue;
		parent = &joints->joints[joint->parent];
		parent->reach = fmax(parent->reach, joint->distance + joint->scale * joint->reach);
		parent->tightest = fmin(parent->tightest, joint->tightest);
		if (parent->down < joint->down + joint->moving)
			parent->down = joint->down + joint->moving;
	}
	for (size_t i = 0; i < joints->track_count; i++) {
		struct joint_track *track = &joints->tracks[i];
		const struct joint *joint;

		if (track->node == ANIM_POSE_NONE || !track->can)
			continue;
		joint = &joints->joints[track->node];
		track->limit = error_for(joint, track->part, joint->tightest / (joint->up + joint->down));
		if (track->part == ANIM_POSE_ROTATION)
			track->limit /= track->angle_unit * track->angles;
	}
}

struct reduce_joints *reduce_joints_new(struct anim_poses *poses, const struct anim_clip *clip,
					struct anim_store *store, enum anim_rules rules, enum anim_reduce_keys keys,
					struct reduce_limits *limits, struct anim_error *error)
{
	struct reduce_joints *joints = anim_zeroed(sizeof *joints, error);
	struct anim_track track;

	if (joints == NULL)
		return NULL;
	joints->poses = poses;
	joints->count = anim_poses_count(poses);
	joints->track_count = anim_store_tracks(store, 0);
	joints->rules = rules;
	joints->keys = keys;
	joints->straight = true;
	joints->joints = anim_arena_zeroed(&joints->arena, joints->count + 1, sizeof *joints->joints, error);
	joints->tracks = anim_arena_zeroed(&joints->arena, joints->track_count + 1, sizeof *joints->tracks, error);
	if (joints->joints == NULL || joints->tracks == NULL)
		goto failed;

	/* each joint at rest, then with the values of its tracks */
	for (uint32_t i = 0; i < joints->count; i++) {
		const struct anim_rest *rest = &poses->rests.items[i];
		struct joint *joint = &joints->joints[i];
		double square = 0;

		for (int axis = 0; axis < 3; axis++) {
			square += (double)rest->position[axis] * (double)rest->position[axis];
			joint->scale = fmax(joint->scale, fabs((double)rest->scale[axis]));
		}
		joint->distance = sqrt(square);
		joint->target = find_target(limits, clip->root, anim_poses_path(poses, i));
		joint->parent = anim_poses_parent(poses, i);
	}
	for (size_t i = 0; i < joints->track_count; i++) {
		if (anim_store_read(store, 0, i, &track, error) != 0)
			goto failed;
		read_track(joints, clip, i, &track);
	}
	if (anim_rests_check(&poses->rests, error) != 0)
		goto failed;
	share_out(joints);
	return joints;
failed:
	reduce_joints_free(joints);
	return NULL;
}

void reduce_joints_free(struct reduce_joints *joints)
{
	if (joints == NULL)
		return;
	anim_arena_clear(&joints->arena);
	free(joints);
}

/* ---- Limits of tracks, and their errors ---- */

bool reduce_joints_are_straight(const struct reduce_joints *joints)
{
	return joints->straight;
}

bool reduce_joints_limit(const struct reduce_joints *joints, size_t number, struct reduce_share *share)
{
	const struct joint_track *track = &joints->tracks[number];
	const struct joint *joint;

	*share = (struct reduce_share){.node = track->node};
	if (track->node == ANIM_POSE_NONE)
		return false;
	joint = &joints->joints[track->node];
	share->part = (enum anim_pose_part)track->part;
	share->can = track->can;
	share->limit = track->limit;
	share->sharers = joint->up + joint->down;
	share->most =
	    track->part == ANIM_POSE_ROTATION ? ANGLE_MAX / (track->angle_unit * track->angles) : (double)INFINITY;
	share->limit = fmin(share->limit, share->most);
	share->cubic = track->cubic && (track->curved || !joints->lines);
	return true;
}

bool reduce_joints_have_choice(const struct reduce_joints *joints)
{
	for (size_t i = 0; i < joints->track_count; i++)
		if (joints->tracks[i].cubic && !joints->tracks[i].curved)
			return true;
	return false;
}

void reduce_joints_draw_lines(struct reduce_joints *joints, bool lines)
{
	joints->lines = lines;
}

bool reduce_joints_have_lines(const struct reduce_joints *joints)
{
	return joints->lines;
}

void reduce_joints_fix(struct reduce_joints *joints, size_t number)
{
	joints->tracks[number].limit = 0;
}

const struct reduce_target *reduce_joints_target(const struct reduce_joints *joints, uint32_t node)
{
	return &joints->joints[node].target;
}

void reduce_joints_begin(struct reduce_joints *joints)
{
	for (size_t i = 0; i < joints->count; i++)
		joints->joints[i].off = 0;
}

void reduce_joints_add(struct reduce_joints *joints, size_t number, double bound)
{
	const struct joint_track *track = &joints->tracks[number];
	struct joint *joint = &joints->joints[track->node];

	joint->off += moved_by(joint, track->part,
			       track->part == ANIM_POSE_ROTATION ? bound * track->angle_unit * track->angles : bound);
}

void reduce_joints_bound(struct reduce_joints *joints, struct reduce_proof *proofs)
{
	for (uint32_t node = 0; node < joints->count; node++) {
		struct joint *joint = &joints->joints[node];
		struct reduce_proof *proof = &proofs[joint->target.group];

		joint->off += joint->parent == ANIM_POSE_NONE ? 0 : joints->joints[joint->parent].off;
		if (joint->off > proof->bound) {
			proof->bound = joint->off;
			proof->where = anim_poses_path(joints->poses, node);
		}
	}
}
