/* angles.c: Euler angles of rotations, or the bend, the twist and the swing of joints. */
#include "filter/angles.h"

#include <math.h>
#include <string.h>

#include "filter/common/pose.h"
#include "filter/filter.h"
#include "math/elementary.h"
#include "math/vector.h"

#define TURN 360.0
#define DEGREES (180 / ANIM_PI)

struct angles {
	struct anim_filter filter;
	enum anim_euler_order order; /* ANIM_EULER_ORDER_COUNT: bend, twist and swing */
	struct anim_diagnostics *diagnostics;
	struct anim_poses poses;
	struct anim_buffer bones; /* double[3] for each node: the sum of its children's positions */
	struct anim_arena arena;  /* of a track */
};

/* The rest pose from which the angles of a joint are measured. */
struct joint {
	double rest[4];
	double above[3];        /* the direction to the joint, in the parent's space */
	double bone[3];         /* the direction of its bone, in its own space */
	double bone_at_rest[3]; /* the same in the parent's space, at rest */
};

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct angles *a = (struct angles *)sink;
	const size_t number = anim_poses_count(&a->poses);
	double(*bones)[3];
	uint32_t parent;

	if (anim_filter_node(sink, node, error) != 0)
		return -1;
	if (number == 0)
		a->bones.size = 0;
	if (anim_buffer_extend(&a->bones, sizeof *bones, error) == NULL)
		return -1;
	bones = (double(*)[3])(void *)a->bones.data;
	memset(bones[number], 0, sizeof *bones);
	parent = anim_poses_parent(&a->poses, (uint32_t)number);
	for (int i = 0; i < 3 && parent != ANIM_POSE_NONE; i++)
		bones[parent][i] += (double)a->poses.rests.items[number].position[i];
	return 0;
}

/* Return whether the tree has a rest pose of the node in space. */
static bool find_joint(struct angles *a, const char *node, struct joint *joint)
{
	uint32_t number = a->filter.clip.flags & ANIM_IN_TREE ? anim_poses_find(&a->poses, a->filter.clip.root, node)
							      : ANIM_POSE_NONE;
	const struct anim_rest *rest;

	if (number == ANIM_POSE_NONE || anim_poses_is_flat(&a->poses, number))
		return false;
	rest = &a->poses.rests.items[number];
	anim_quat_unit_double(joint->rest, rest->rotation);
	for (int i = 0; i < 3; i++)
		joint->above[i] = (double)rest->position[i];
	memcpy(joint->bone, (const double(*)[3])(const void *)a->bones.data + number, sizeof joint->bone);
	if (!(anim_vec3_unit(joint->bone) > 0)) {
		anim_quat_rotate_back(joint->bone, joint->rest, joint->above);
		anim_vec3_unit(joint->bone);
	}
	anim_vec3_unit(joint->above);
	anim_quat_rotate_double(joint->bone_at_rest, joint->rest, joint->bone);
	return true;
}

/* Compute bend, twist and swing of a local rotation. `before` is the twist of the key before. */
static void flex(const struct joint *joint, const double q[4], double before, float out[3])
{
	double from_rest[4], bone[3], twist;

	anim_quat_from_to(from_rest, joint->rest, q);
	anim_quat_rotate_double(bone, q, joint->bone);
	twist = 2 * DEGREES * anim_atan2(anim_vec3_dot_double(from_rest, joint->bone), from_rest[3]);
	out[0] = (float)(anim_vec3_angle(joint->above, bone) * DEGREES);
	out[1] = (float)(twist - TURN * rint((twist - before) / TURN));
	out[2] = (float)(anim_vec3_angle(joint->bone_at_rest, bone) * DEGREES);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	static const char *const names[] = {"bend", "twist", "swing"};
	struct angles *a = (struct angles *)sink;
	const bool flexion = a->order == ANIM_EULER_ORDER_COUNT, relative = track->flags & ANIM_REST_RELATIVE;
	struct anim_track out;
	struct joint joint;
	float(*values)[3], *column;
	uint8_t *interps;
	int result = 0;
	double angles[3] = {0}, twist = 0;

	if (track->type != ANIM_FLOATQ || track->component != ANIM_WHOLE || strcmp(track->property, "rotation") != 0 ||
	    !anim_track_is_transform(track))
		return anim_filter_track(sink, track, error);
	if ((flexion || relative) && !find_joint(a, track->node, &joint))
		return anim_diagnostics_track(a->diagnostics, track, error, "no rest pose, left out");
	anim_arena_reset(&a->arena);
	if ((values = anim_arena_zeroed(&a->arena, track->n + 1, sizeof *values, error)) == NULL ||
	    (interps = anim_arena_zeroed(&a->arena, track->n + 1, sizeof *interps, error)) == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++) {
		double q[4], local[4];

		anim_quat_unit_double(local, (const float *)track->value + 4 * k);
		if (relative)
			anim_quat_multiply_double(q, joint.rest, local);
		else
			memcpy(q, local, sizeof q);
		if (flexion) {
			flex(&joint, q, twist, values[k]);
			twist = (double)values[k][1];
		} else {
			if (k == 0)
				anim_euler_from_quat_double(angles, q, a->order);
			else
				anim_euler_near(angles, q, a->order);
			for (int i = 0; i < 3; i++)
				values[k][i] = (float)(angles[i] * DEGREES + 0); /* no -0 */
		}
		interps[k] = anim_track_interp(track, k) == ANIM_HOLD ? ANIM_HOLD : ANIM_LINEAR;
	}
	out = (struct anim_track){.kind = track->kind,
				  .type = ANIM_FLOAT3,
				  .node = track->node,
				  .property = "angles",
				  .component = ANIM_WHOLE,
				  .interp = ANIM_INTERP_COLUMN,
				  .flags = track->flags & ANIM_DISABLED,
				  .n = track->n,
				  .start_s = track->start_s,
				  .step_s = track->step_s,
				  .rate_num = track->rate_num,
				  .rate_den = track->rate_den,
				  .time = track->time,
				  .value = values,
				  .interps = interps};
	if (!flexion)
		return anim_sink_track(a->filter.next, &out, error);
	column = anim_arena_zeroed(&a->arena, out.n, sizeof *column, error);
	if (column == NULL)
		return -1;
	out.type = ANIM_FLOAT;
	for (int i = 0; i < 3 && result == 0; i++) {
		for (size_t k = 0; k < out.n; k++)
			column[k] = values[k][i];
		out.property = names[i];
		out.value = column;
		result = anim_sink_track(a->filter.next, &out, error);
	}
	return result;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_filter_keep(&((struct angles *)sink)->filter, clip, error) != 0
		   ? -1
		   : anim_filter_clip(sink, clip, error);
}

static void on_free(struct anim_sink *sink)
{
	struct angles *a = (struct angles *)sink;

	anim_buffer_clear(&a->bones);
	anim_arena_clear(&a->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_angles_new(enum anim_euler_order order, struct anim_diagnostics *diagnostics,
				  struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.node = on_node, .clip = on_clip, .track = on_track, .free = on_free};
	struct angles *a = next == NULL ? NULL : anim_filter_new(sizeof *a, &ops, next, error);

	if (a == NULL)
		return NULL;
	anim_poses_init(&a->poses, 0);
	a->filter.poses = &a->poses;
	a->order = order;
	a->diagnostics = diagnostics;
	return &a->filter.sink;
}
