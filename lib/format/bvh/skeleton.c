/* skeleton.c: the joints that a tree's nodes are, and what their rests make of positions and turns. */
#include <string.h>

#include "base/limits.h"
#include "format/bvh/writer.h"
#include "math/quaternion.h"

/* ---- Rests ---- */

static void apply(double out[3], const double m[9], const double v[3])
{
	double result[3];

	for (int i = 0; i < 3; i++)
		result[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
	memcpy(out, result, sizeof result);
}

/* Rotation and scale of a node behind its parent's. */
static void add_rest(struct bvh_bone *bone)
{
	const struct anim_node *node = &bone->node;
	double q[4], m[9];

	anim_quat_unit_double(q, node->rotation);
	for (int i = 0; i < 3; i++) {
		double axis[3] = {i == 0, i == 1, i == 2};

		anim_quat_rotate_double(axis, q, axis);
		apply(axis, bone->m, axis);
		for (int row = 0; row < 3; row++)
			m[3 * row + i] = axis[row] * (double)node->scale[i];
	}
	memcpy(bone->m, m, sizeof m);
	anim_quat_multiply_double(bone->rotation, bone->rotation, q);
	bone->plain = false;
}

static bool is_turned(const struct anim_node *node)
{
	static const float no_turn[4] = {0, 0, 0, 1}, no_scale[3] = {1, 1, 1};

	for (int i = 0; i < 4; i++)
		if (node->rotation[i] != no_turn[i] || (i < 3 && node->scale[i] != no_scale[i]))
			return true;
	return false;
}

int bvh_skeleton_add(struct bvh_writer *writer, const struct anim_node *node, struct anim_error *error)
{
	struct bvh_bone bone = {.m = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .rotation = {0, 0, 0, 1}, .plain = true};
	double position[3];

	if (anim_node_copy(&bone.node, node, &writer->kept, error) != 0)
		return -1;
	for (int i = 0; i < 3; i++)
		bone.position[i] = position[i] = (double)node->position[i];
	if (node->parent != ANIM_NO_PARENT) {
		const struct bvh_bone *parent = bvh_bone_at(writer, node->parent);

		memcpy(bone.m, parent->m, sizeof bone.m);
		memcpy(bone.rotation, parent->rotation, sizeof bone.rotation);
		bone.plain = parent->plain;
		apply(bone.position, parent->m, position);
		for (int i = 0; i < 3; i++)
			bone.position[i] += parent->position[i];
	}
	if (is_turned(node))
		add_rest(&bone);
	if (anim_map_put(&writer->paths, 0, bone.node.path, strlen(bone.node.path), (uint32_t)bvh_bone_count(writer),
			 error) != 0)
		return -1;
	return anim_buffer_append(&writer->bones, &bone, sizeof bone, error);
}

/* ---- Joints ---- */

static const struct bvh_bone *parent_of(const struct bvh_writer *writer, const struct bvh_bone *bone)
{
	return bone->node.parent == ANIM_NO_PARENT ? NULL : bvh_bone_at(writer, bone->node.parent);
}

void bvh_skeleton_axes(const struct bvh_writer *writer, float v[3])
{
	float y = v[1];

	if (!writer->z_up)
		return;
	v[1] = -v[BVH_MIRRORED];
	v[2] = y;
}

void bvh_skeleton_position(const struct bvh_writer *writer, const struct bvh_bone *bone, const double position[3],
			   float out[3])
{
	const struct bvh_bone *parent = parent_of(writer, bone);
	const struct bvh_bone *above = bone->above == BVH_NO_JOINT ? NULL : bvh_bone_at(writer, bone->above);
	double v[3] = {position[0], position[1], position[2]};

	if (parent != NULL && !parent->plain)
		apply(v, parent->m, v);
	for (int i = 0; i < 3 && parent != NULL && parent != above; i++) {
		double more = parent->position[i] - (above == NULL ? 0 : above->position[i]);

		v[i] = more == 0 ? v[i] : v[i] + more; /* a zero keeps its sign */
	}
	for (int i = 0; i < 3; i++)
		out[i] = (float)(writer->unit == 1 ? v[i] : v[i] / writer->unit);
	bvh_skeleton_axes(writer, out);
}

void bvh_skeleton_turn(const struct bvh_writer *writer, const struct bvh_bone *bone, const double turn[4],
		       double out[4])
{
	const struct bvh_bone *parent = parent_of(writer, bone);
	const double *rest = bone->rotation;
	const double back[4] = {-rest[0], -rest[1], -rest[2], rest[3]};

	memcpy(out, turn, 4 * sizeof *out);
	if (parent != NULL && !parent->plain)
		anim_quat_multiply_double(out, parent->rotation, out);
	if (!bone->plain)
		anim_quat_multiply_double(out, out, back);
}

static bool is_joint(const struct anim_node *node, bool bones)
{
	if (bones)
		return node->kind == ANIM_NODE_BONE;
	return node->kind == ANIM_NODE && node->parent != ANIM_NO_PARENT && (node->has & ANIM_HAS_2D) == 0;
}

/* The nearest joint above each node, which stands behind its parent. */
static uint32_t above_of(const struct bvh_writer *writer, const struct bvh_bone *bone)
{
	const struct bvh_bone *parent = parent_of(writer, bone);

	if (parent == NULL)
		return BVH_NO_JOINT;
	return parent->joint ? bone->node.parent : parent->above;
}

/* Puts the joint below the one above it, behind the others there. */
static void hang(struct bvh_writer *writer, uint32_t number)
{
	struct bvh_bone *bone = bvh_bone_at(writer, number), *above;

	bone->depth = 1;
	if (bone->above == BVH_NO_JOINT)
		return;
	above = bvh_bone_at(writer, bone->above);
	bone->depth = above->depth + 1;
	if (above->first == BVH_NO_JOINT)
		above->first = number;
	else
		bvh_bone_at(writer, above->last)->next = number;
	above->last = number;
}

/* The order's letters, which the file's channels have, by the stream's axes. */
static enum anim_euler_order order_of(const struct bvh_writer *writer, enum anim_euler_order file)
{
	struct bvh_channels channels = {.count = 0};

	for (int i = 0; i < 3; i++)
		bvh_channels_add(&channels, BVH_TURNS + (unsigned)(anim_euler_order_names[file][i] - 'X'));
	if (writer->z_up)
		bvh_channels_turn_up(&channels);
	return bvh_channels_order(&channels);
}

/* Whether there is a channel for each of these axes. */
static bool covers(const struct bvh_channels *channels, unsigned first, unsigned axes)
{
	for (unsigned axis = 0; axis < 3; axis++)
		if ((axes >> axis & 1) != 0 && !bvh_channels_have(channels, first + axis))
			return false;
	return true;
}

static bool has_turns(const struct bvh_channels *channels)
{
	for (unsigned i = 0; i < channels->count; i++)
		if (channels->items[i] >= BVH_TURNS)
			return true;
	return false;
}

/* What the tree tells of the joint's channels; a track may tell another order. */
static void begin_channels(struct bvh_writer *writer, struct bvh_bone *bone)
{
	const char *told = anim_attrs_get(&bone->node.attrs, BVH_ATTR_CHANNELS);
	bool turns;

	bone->told = told != NULL && bvh_channels_read(told, &bone->channels);
	turns = has_turns(&bone->channels);
	if (writer->options.bvh.order > 0)
		bone->order = order_of(writer, (enum anim_euler_order)(writer->options.bvh.order - 1));
	else
		bone->order = turns ? bvh_channels_order(&bone->channels) : order_of(writer, ANIM_EULER_ZXY);
	bone->order_told = writer->options.bvh.order > 0 || turns;
}

int bvh_skeleton_join(struct bvh_writer *writer, struct anim_error *error)
{
	size_t count = bvh_bone_count(writer), joints = 0;
	bool bones = false;

	for (size_t i = 0; i < count; i++)
		bones |= bvh_bone_at(writer, i)->node.kind == ANIM_NODE_BONE;
	for (size_t i = 0; i < count; i++) {
		struct bvh_bone *bone = bvh_bone_at(writer, i);
		const float *rest = bone->node.position;

		bone->first = bone->last = bone->next = BVH_NO_JOINT;
		bone->above = above_of(writer, bone);
		bone->joint = is_joint(&bone->node, bones);
		if (!bone->joint)
			continue;
		joints++;
		hang(writer, (uint32_t)i);
		if (bone->depth > ANIM_NESTING_BVH)
			return anim_fail(error, ANIM_TOO_LARGE, "joints are nested deeper than %d", ANIM_NESTING_BVH);
		bvh_skeleton_position(
		    writer, bone, (const double[3]){(double)rest[0], (double)rest[1], (double)rest[2]}, bone->offset);
		begin_channels(writer, bone);
	}
	if (joints == 0)
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "bvh is a skeleton in motion, and the stream has no tree of bones; parse a file that has both");
	return 0;
}

/* The letters of the order as channels, behind what is there. */
static void add_turns(struct bvh_bone *bone)
{
	for (int i = 0; i < 3; i++)
		bvh_channels_add(&bone->channels, BVH_TURNS + (unsigned)(anim_euler_order_names[bone->order][i] - 'X'));
}

/* Without those that turn. */
static void drop_turns(struct bvh_channels *channels)
{
	struct bvh_channels all = *channels;

	channels->count = 0;
	for (unsigned i = 0; i < all.count; i++)
		if (all.items[i] < BVH_TURNS)
			bvh_channels_add(channels, all.items[i]);
}

/* What the tree told, and what more the tracks need; else six channels for a root or what moves, three for others. */
static void set_channels(const struct bvh_writer *writer, struct bvh_bone *bone)
{
	bool whole = !bone->told && (bone->above == BVH_NO_JOINT || bone->moves.axes != 0);
	bool turned = has_turns(&bone->channels) || bone->turns.axes != 0;

	for (unsigned axis = 0; axis < 3; axis++)
		if (whole || (bone->moves.axes >> axis & 1) != 0)
			bvh_channels_add(&bone->channels, axis);
	if (writer->options.bvh.order > 0 && turned)
		drop_turns(&bone->channels);
	if (!bone->told || !covers(&bone->channels, BVH_TURNS, bone->turns.axes) ||
	    (writer->options.bvh.order > 0 && turned))
		add_turns(bone);
	if (writer->z_up)
		bvh_channels_turn_up(&bone->channels);
}

void bvh_skeleton_channels(struct bvh_writer *writer)
{
	for (size_t i = 0; i < bvh_bone_count(writer); i++)
		if (bvh_bone_at(writer, i)->joint)
			set_channels(writer, bvh_bone_at(writer, i));
}
