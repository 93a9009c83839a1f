/* writer.c: the sink that collects a skeleton and its motion, and writes both as text at the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/buffer.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/number.h"
#include "base/print.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "format/bvh/bvh.h"
#include "format/bvh/text.h"
#include "math/elementary.h"
#include "stream/store.h"

#define BIT(type) ((uint64_t)1 << (type))

/* Return whether the conversion concerns the track. Other tracks are passed on unchanged. */
static bool is_single(const struct anim_track *track)
{
	return track->component != ANIM_WHOLE;
}

const struct anim_caps anim_bvh_caps = {.format = "bvh",
					.kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					.types = BIT(ANIM_FLOAT) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOATQ) |
						 BIT(ANIM_DOUBLE) | BIT(ANIM_DOUBLE3) | BIT(ANIM_DOUBLEQ),
					.interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE,
					.rules = ANIM_RULES_PLAIN,
					.mixed_interps = true,
					.euler = true,
					.angle = true,
					.whole_transforms = true,
					.ends = true,
					.negative_times = true,
					.raw_start = true,
					.lone_components = true,
					.frames = true,
					.holds = is_single};

#define CHUNK 1024u                   /* samples converted at once */
#define TILE_FLOATS ((size_t)1 << 17) /* numbers that are sorted by frame at once */
#define NO_JOINT UINT32_MAX

/* The samples of a joint's position or rotation in the spool. Each has three floats, in the form that the file has. */
struct column {
	bool there;
	size_t n; /* number of samples (1: it is constant) */
	uint64_t place;
	unsigned axes; /* bit a: on axis a of the stream it differs from the offset, or from 0 */
};

/* A node of the tree, which may be a joint. Texts are in the writer's arena. */
struct bone {
	struct anim_node node;
	/*
	 * The rest pose of the node, including the nodes above it: a point p becomes m * p + position. `plain`: m and
	 * rotation are identities.
	 */
	double m[9], position[3], rotation[4];
	bool plain;

	bool joint;
	bool moves; /* a track moves it or a joint below it */
	unsigned depth;
	uint32_t above;             /* the nearest joint above it, or NO_JOINT */
	uint32_t first, last, next; /* the joints directly below it, in the order of the tree */
	float offset[3];            /* in the form that the file has */
	/* from_tree: `channels` came with the tree, order_fixed: a track cannot change `order` */
	bool from_tree, order_fixed;
	struct bvh_channels channels; /* in the form that the file has: axes and order */
	enum anim_euler_order order;  /* of the rotation, by the axes of the stream */
	struct column position_column, rotation_column;
};

struct writer {
	struct anim_sink sink;
	struct anim_print print;
	struct anim_write_options options;
	struct anim_arena kept, scratch; /* kept: for the tree and the clip, scratch: for the current track */
	const char *root_name;           /* of the tree */
	struct anim_buffer bones;        /* struct bone */
	struct anim_map paths;           /* path of a node -> its number */
	bool has_clip, has_joints, has_grid;
	bool has_bones; /* the tree says which nodes are bones */
	uint32_t first_joint;
	struct anim_clip clip;
	double unit; /* in metres */
	bool z_up;
	uint8_t axes2d; /* of the tree */
	size_t frames;
	double start_s, step_s; /* of the tracks */
	uint32_t rate_num, rate_den;
	struct anim_spool motion;
	char label[256]; /* of the current track */
};

static struct bone *bone_at(const struct writer *writer, size_t number)
{
	return (struct bone *)(void *)writer->bones.data + number;
}

static size_t bone_count(const struct writer *writer)
{
	return writer->bones.size / sizeof(struct bone);
}

static const struct bone *parent_of(const struct writer *writer, const struct bone *bone)
{
	return bone->node.parent == ANIM_NO_PARENT ? NULL : bone_at(writer, bone->node.parent);
}

/* ---- The space of the joints, whose rest poses are only offsets ---- */

static void apply(double out[3], const double m[9], const double v[3])
{
	double result[3];

	for (int i = 0; i < 3; i++)
		result[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
	memcpy(out, result, sizeof result);
}

/* Multiply the rest pose of the nodes above by the node's rotation and scale. */
static void add_rest(struct bone *bone)
{
	static const float no_rotation[4] = {0, 0, 0, 1}, no_scale[3] = {1, 1, 1};
	const struct anim_node *node = &bone->node;
	bool differs = false;
	double q[4], m[9];

	for (int i = 0; i < 4; i++)
		differs |= node->rotation[i] != no_rotation[i] || (i < 3 && node->scale[i] != no_scale[i]);
	if (!differs)
		return;
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

/* Convert three numbers from the stream's axes to the file's. */
static void exchange_axes(const struct writer *writer, float v[3])
{
	float y = v[1];

	if (!writer->z_up)
		return;
	v[1] = -v[BVH_MIRRORED];
	v[2] = y;
}

/* Convert a position from the space of the node's parent to the space of the file. */
static void convert_position(const struct writer *writer, const struct bone *bone, const double position[3],
			     float out[3])
{
	const struct bone *parent = parent_of(writer, bone);
	const struct bone *above = bone->above == NO_JOINT ? NULL : bone_at(writer, bone->above);
	double v[3] = {position[0], position[1], position[2]};

	if (parent != NULL && !parent->plain)
		apply(v, parent->m, v);
	for (int i = 0; i < 3 && parent != NULL && parent != above; i++) {
		double more = parent->position[i] - (above == NULL ? 0 : above->position[i]);

		v[i] = more == 0 ? v[i] : v[i] + more; /* keep the sign of a zero */
	}
	for (int i = 0; i < 3; i++)
		out[i] = (float)(writer->unit == 1 ? v[i] : v[i] / writer->unit);
	exchange_axes(writer, out);
}

/* ---- Joints ---- */

/* Append the joint to the list of the joint above it. */
static void link_joint(struct writer *writer, uint32_t number)
{
	struct bone *bone = bone_at(writer, number), *above;

	bone->depth = 1;
	if (bone->above == NO_JOINT)
		return;
	above = bone_at(writer, bone->above);
	bone->depth = above->depth + 1;
	if (above->first == NO_JOINT)
		above->first = number;
	else
		bone_at(writer, above->last)->next = number;
	above->last = number;
}

/* Append the letters of an order as channels. */
static void add_rotation(struct bvh_channels *channels, enum anim_euler_order order)
{
	for (int i = 0; i < 3; i++)
		bvh_channels_add(channels, BVH_ROTATION + (unsigned)(anim_euler_order_names[order][i] - 'X'));
}

/* Set the channels that the tree names for the joint. A track may have another order. */
static void begin_channels(struct writer *writer, struct bone *bone)
{
	const char *stated = anim_attrs_get(&bone->node.attrs, BVH_ATTR_CHANNELS);
	int order = writer->options.bvh.order - 1;
	struct bvh_channels chosen = {.count = 0};
	bool rotates;

	bone->from_tree = stated != NULL && bvh_channels_read(stated, &bone->channels);
	rotates = bvh_channels_have_any(&bone->channels, true);
	bone->order_fixed = order >= 0 || rotates;
	if (order < 0 && rotates) {
		bone->order = bvh_channels_order(&bone->channels);
		return;
	}
	/* A chosen order refers to the axes of the file. */
	add_rotation(&chosen, order >= 0 ? (enum anim_euler_order)order : ANIM_EULER_ZXY);
	if (writer->z_up)
		bvh_channels_exchange_axes(&chosen);
	bone->order = bvh_channels_order(&chosen);
}

/* Make joints of the nodes for the new clip. Return 0, or -1 if they are nested too deeply. */
static int make_joints(struct writer *writer, struct anim_error *error)
{
	size_t count = bone_count(writer), joints = 0;

	writer->has_bones = false;
	for (size_t i = 0; i < count; i++)
		writer->has_bones |= bone_at(writer, i)->node.kind == ANIM_NODE_BONE;
	for (size_t i = 0; i < count; i++) {
		struct bone *bone = bone_at(writer, i);
		const struct bone *parent = parent_of(writer, bone);
		double rest[3];
		bool is_placed;

		bone->first = bone->last = bone->next = NO_JOINT;
		bone->above = parent == NULL ? NO_JOINT : parent->joint ? bone->node.parent : parent->above;
		/* Two-dimensional nodes are joints if they are in units with +Y up. */
		is_placed = writer->axes2d == ANIM_AXES2D_UNITY || (bone->node.has & ANIM_HAS_2D) == 0;
		bone->joint = writer->has_bones ? bone->node.kind == ANIM_NODE_BONE
						: bone->node.kind == ANIM_NODE && parent != NULL && is_placed;
		if (!bone->joint)
			continue;
		if (joints++ == 0)
			writer->first_joint = (uint32_t)i;
		link_joint(writer, (uint32_t)i);
		if (bone->depth > ANIM_NESTING_BVH)
			return anim_fail(error, ANIM_TOO_LARGE, "joints are nested deeper than %d", ANIM_NESTING_BVH);
		for (int axis = 0; axis < 3; axis++)
			rest[axis] = (double)bone->node.position[axis];
		convert_position(writer, bone, rest, bone->offset);
		begin_channels(writer, bone);
	}
	writer->has_joints = joints > 0; /* otherwise the first track says why, see refuse_no_joints */
	return 0;
}

static int refuse_no_joints(const struct anim_track *track, struct anim_error *error)
{
	if (track != NULL && anim_attrs_get(&track->attrs, "unity.humanoid") != NULL)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "BVH needs bones, but humanoid curves of Unity are muscles; " ANIM_ADVICE(TO_MODEL));
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "BVH needs a skeleton, but the input has no tree of bones; another format, such as "
			 ".glb, needs none");
}

/* Return whether the node is above the other one in the tree. */
static bool is_above(const struct writer *writer, uint32_t number, const struct bone *bone)
{
	uint32_t parent = bone->node.parent;

	while (parent != ANIM_NO_PARENT && parent != number)
		parent = bone_at(writer, parent)->node.parent;
	return parent == number;
}

/*
 * Make a node above all joints a joint, because it moves: the root of a root motion. Its rest pose must be the origin, so that the
 * rests of the joints below it do not change. Returns whether it is a joint.
 */
static bool raise_root(struct writer *writer, struct bone *root)
{
	uint32_t number = (uint32_t)(root - bone_at(writer, 0));

	/* Only the few nodes above the first joint need the test of all joints. */
	if (!root->plain || root->position[0] != 0 || root->position[1] != 0 || root->position[2] != 0 ||
	    !is_above(writer, number, bone_at(writer, writer->first_joint)))
		return false;
	for (uint32_t i = 0; i < bone_count(writer); i++) {
		const struct bone *bone = bone_at(writer, i);

		if (bone->joint &&
		    (bone->depth >= ANIM_NESTING_BVH || (bone->above == NO_JOINT && !is_above(writer, number, bone))))
			return false;
	}
	root->joint = true;
	root->depth = 1;
	begin_channels(writer, root);
	for (uint32_t i = number + 1; i < bone_count(writer); i++) {
		struct bone *bone = bone_at(writer, i);
		bool is_top = bone->above == NO_JOINT && is_above(writer, number, bone);

		bone->depth += bone->joint;
		bone->above = is_top ? number : bone->above;
		if (is_top && bone->joint)
			link_joint(writer, i);
	}
	return true;
}

/*
 * Scenes of Unity and FBX do not say which nodes are bones, so nodes of meshes beside the skeleton are joints as well. Leave out
 * the roots without any track, with all joints below them, if another root has tracks. Return 0 or -1.
 */
static int leave_still_roots(struct writer *writer, struct anim_error *error)
{
	size_t left = 0, count = bone_count(writer);
	const char *first = "";
	bool moves = false;

	if (writer->has_bones)
		return 0;
	/* Joints above come first. */
	for (size_t i = count; i-- > 0;) {
		struct bone *bone = bone_at(writer, i);

		bone->moves |= bone->joint && (bone->position_column.there || bone->rotation_column.there);
		moves |= bone->moves;
		if (bone->joint && bone->above != NO_JOINT)
			bone_at(writer, bone->above)->moves |= bone->moves;
	}
	for (size_t i = 0; i < count && moves; i++) {
		struct bone *bone = bone_at(writer, i);
		bool still = bone->above == NO_JOINT ? !bone->moves : !bone_at(writer, bone->above)->joint;

		if (!bone->joint || !still)
			continue;
		bone->joint = false;
		if (left++ == 0)
			first = bone->node.path;
	}
	return left == 0
		   ? 0
		   : anim_diagnostics_note(writer->options.diagnostics, NULL, error,
					   "left out %zu %s beside the skeleton, which no track moves: '%.100s'%s",
					   left, left == 1 ? "node" : "nodes", first, left == 1 ? "" : ", ...");
}

/*
 * Set the channels of a joint once all tracks are known: the tree's channels, and the ones that the tracks need. If the
 * tree has none, use six for a root or a joint that moves, and three for other joints.
 */
static void set_channels(const struct writer *writer, struct bone *bone)
{
	struct bvh_channels *channels = &bone->channels;
	bool whole = !bone->from_tree && (bone->above == NO_JOINT || bone->position_column.axes != 0);
	bool rotates = bvh_channels_have_any(channels, true) || bone->rotation_column.axes != 0;
	bool reorders = writer->options.bvh.order > 0 && rotates, complete = bone->from_tree && !reorders;

	for (unsigned axis = 0; axis < 3; axis++)
		if (whole || (bone->position_column.axes >> axis & 1) != 0)
			bvh_channels_add(channels, axis);
	if (reorders) {
		struct bvh_channels all = *channels;

		channels->count = 0;
		for (unsigned i = 0; i < all.count; i++)
			if (all.items[i] < BVH_ROTATION)
				bvh_channels_add(channels, all.items[i]);
	}
	for (unsigned axis = 0; axis < 3; axis++)
		complete &=
		    (bone->rotation_column.axes >> axis & 1) == 0 || bvh_channels_have(channels, BVH_ROTATION + axis);
	if (!complete)
		add_rotation(channels, bone->order);
	if (writer->z_up)
		bvh_channels_exchange_axes(channels);
}

/* ---- Tracks ---- */

/* Fail if the track does not consist of samples of a whole value. */
static int check_track(struct writer *writer, const struct anim_track *track, struct anim_error *error)
{
	unsigned components = anim_types[track->type].components;
	bool quaternion = strcmp(track->property, "rotation") == 0;

	if (track->component != ANIM_WHOLE || (track->flags & ANIM_REST_RELATIVE) != 0)
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s' is %s; " ANIM_ADVICE(BAKE), writer->label,
				 track->component != ANIM_WHOLE ? "one component" : "relative to the rest pose");
	if (quaternion ? !anim_types[track->type].quaternion : components != 3)
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s' is of %s", writer->label,
				 anim_types[track->type].name);
	if (track->kind != ANIM_RAW)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "bvh needs frames, but track '%s' has keys; " ANIM_ADVICE_TO(SAMPLE, "30"),
				 writer->label);
	return 0;
}

/* Fail if the track's samples are not on the grid of the others. A single sample is constant and fits every grid. */
static int check_grid(struct writer *writer, const struct anim_track *track, struct anim_error *error)
{
	bool same = track->n == writer->frames && track->rate_num == writer->rate_num &&
		    track->rate_den == writer->rate_den && track->step_s == writer->step_s &&
		    track->start_s == writer->start_s;

	if (track->n > 1 && writer->has_grid && writer->frames > 1 && !same)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s' has other frames than those before it; " ANIM_ADVICE_TO(SAMPLE, "30"),
				 writer->label);
	if (writer->has_grid && track->n <= writer->frames)
		return 0;
	writer->has_grid = true;
	writer->frames = track->n;
	writer->start_s = track->start_s;
	writer->step_s = track->step_s;
	writer->rate_num = track->rate_num;
	writer->rate_den = track->rate_den;
	return 0;
}

/*
 * Convert samples first .. first + count - 1 of a rotation to the form that the file has. Angles in the joint's order
 * stay unchanged. For other rotations, `near` holds the angles of the previous sample, in radians.
 */
static void convert_angles(struct writer *writer, const struct bone *bone, const struct anim_track *track, size_t first,
			   size_t count, double near[3], float (*out)[3])
{
	bool degrees = (track->flags & ANIM_DEGREES) != 0, quaternion = anim_types[track->type].quaternion;
	int stated = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));
	enum anim_euler_order order = stated < 0 ? ANIM_EULER_YXZ : (enum anim_euler_order)stated;
	bool unchanged = !quaternion && bone->plain && bone->order == order;
	const struct bone *parent = parent_of(writer, bone);
	double v[ANIM_COMPONENTS_MAX], back[4];

	for (size_t k = 0; k < count; k++) {
		anim_components(track->type, track->value, first + k, v);
		if (!quaternion && !unchanged) {
			double unit = degrees ? ANIM_PI / 180 : 1;
			const double given[3] = {v[0] * unit, v[1] * unit, v[2] * unit};

			anim_quat_from_euler_double(v, given, order);
		}
		if (!unchanged) {
			/* From the space of the node's parent to the space of the file. */
			if (parent != NULL && !parent->plain)
				anim_quat_multiply_double(v, parent->rotation, v);
			anim_quat_conjugate_double(back, bone->rotation);
			if (!bone->plain)
				anim_quat_multiply_double(v, v, back);
			anim_euler_near(near, v, bone->order);
			memcpy(v, near, 3 * sizeof *v);
		}
		for (int i = 0; i < 3; i++)
			out[k][i] = (float)(unchanged && degrees ? v[i] : v[i] * (180 / ANIM_PI));
		exchange_axes(writer, out[k]);
	}
}

/* Convert all samples and append them to the spool. Return 0 or -1. */
static int keep_samples(struct writer *writer, const struct bone *bone, const struct anim_track *track,
			struct column *column, struct anim_error *error)
{
	static const float none[3];
	bool moves = column == &bone->position_column;
	const float *from = moves ? bone->offset : none;
	double near[3] = {0, 0, 0}, v[ANIM_COMPONENTS_MAX], square = 0, rounding;
	float part[CHUNK][3];

	/* A difference as small as this, in units or degrees, can be an earlier rounding error. */
	for (int i = 0; i < 3; i++)
		square += (double)bone->offset[i] * (double)bone->offset[i];
	rounding = moves ? 1e-6 * sqrt(square) : 1e-5;
	*column = (struct column){.there = true, .n = track->n, .place = anim_spool_size(&writer->motion)};
	if (anim_spool_begin(&writer->motion, track->n * sizeof *part, error) != 0)
		return -1;
	for (size_t first = 0; first < track->n; first += CHUNK) {
		size_t count = track->n - first < CHUNK ? track->n - first : CHUNK;

		for (size_t k = 0; moves && k < count; k++) {
			anim_components(track->type, track->value, first + k, v);
			convert_position(writer, bone, v, part[k]);
		}
		if (!moves)
			convert_angles(writer, bone, track, first, count, near, part);
		for (size_t k = 0; k < count; k++)
			for (unsigned axis = 0; axis < 3; axis++) {
				if (!isfinite(part[k][axis]))
					return anim_fail(error, ANIM_UNSUPPORTED,
							 "track '%s': sample %zu is not a finite number", writer->label,
							 first + k);
				if (fabs((double)part[k][axis] - (double)from[axis]) > rounding)
					column->axes |= 1u << (writer->z_up ? bvh_other_axis(axis) : axis);
			}
		if (anim_spool_append(&writer->motion, part, count * sizeof *part, error) != 0)
			return -1;
	}
	return 0;
}

/*
 * Leave out a scale. A constant scale that equals the rest pose needs no warning, because the offsets contain it.
 * Return 0 or -1.
 */
static int leave_scale(struct writer *writer, const struct bone *bone, const struct anim_track *track,
		       struct anim_error *error)
{
	bool moves = track->component != ANIM_WHOLE || anim_types[track->type].components != 3;
	double v[ANIM_COMPONENTS_MAX];

	for (size_t k = 0; !moves && k < track->n; k++) {
		anim_components(track->type, track->value, k, v);
		for (int i = 0; i < 3; i++)
			moves |=
			    !(fabs(v[i] - (double)bone->node.scale[i]) <= 1e-4 * fabs((double)bone->node.scale[i]));
	}
	if (!moves)
		return 0;
	return anim_diagnostics_drop(writer->options.diagnostics, track, "left out, because BVH has no scale of joints",
				     error);
}

/*
 * Give a track of a two-dimensional node the components that it has in space: an angle becomes the last of three
 * angles, and a position gets a depth of 0. Other tracks stay unchanged. Returns 0 or -1.
 */
static int add_depth(struct writer *writer, const struct anim_track *track, struct anim_track *out,
		     struct anim_error *error)
{
	unsigned components = anim_types[track->type].components;
	bool angle = components == 1 && strcmp(track->property, "angle") == 0;
	bool point = components == 2 && strcmp(track->property, "position") == 0;
	float *wide;

	anim_arena_reset(&writer->scratch);
	*out = *track;
	if (track->component != ANIM_WHOLE || track->kind != ANIM_RAW || !anim_type_is_real(track->type) ||
	    !(angle || point) || !anim_track_is_transform(track))
		return 0;
	wide = anim_arena_zeroed(&writer->scratch, track->n, 3 * sizeof *wide, error);
	for (size_t k = 0; wide != NULL && k < track->n; k++)
		for (unsigned i = 0; i < components; i++)
			wide[3 * k + (angle ? 2 : i)] = (float)anim_component(track->type, track->value, k, i);
	out->type = ANIM_FLOAT3;
	out->property = angle ? "euler" : track->property;
	out->value = wide;
	out->record = NULL;
	return wide == NULL ? -1 : 0;
}

static bool is_constant(const struct anim_track *track)
{
	const uint8_t *bytes = track->value;
	size_t size = anim_types[track->type].size, k = 1;

	while (k < track->n && memcmp(bytes, bytes + k * size, size) == 0)
		k++;
	return k >= track->n;
}

static int on_track(struct anim_sink *sink, const struct anim_track *from, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	struct anim_track wide = *from;
	const struct anim_track *track = &wide;
	int deepened = writer->has_joints ? add_depth(writer, from, &wide, error) : refuse_no_joints(from, error), gone;
	bool transforms = anim_type_is_real(track->type) && anim_track_is_transform(track);
	bool moves = transforms && strcmp(track->property, "position") == 0;
	bool rotates =
	    transforms && (strcmp(track->property, "rotation") == 0 || strcmp(track->property, "euler") == 0);
	bool scales = transforms && strcmp(track->property, "scale") == 0;
	int order = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));
	struct column *column;
	struct bone *bone = NULL; /* the tree may lack it */
	const char *path;
	uint32_t number;

	if (deepened != 0)
		return -1;
	anim_track_label(from, writer->label, sizeof writer->label);
	if (anim_tree_path_find(writer->clip.root, track->node, &path, &writer->scratch, error) != 0)
		return -1;
	if (path != NULL && anim_map_get(&writer->paths, 0, path, strlen(path), &number))
		bone = bone_at(writer, number);
	gone = anim_diagnostics_gate(writer->options.diagnostics, track, true, error);
	if (gone != 0)
		return gone < 0 ? -1 : 0;
	if (bone == NULL && (moves || rotates))
		return anim_diagnostics_drop(
		    writer->options.diagnostics, track,
		    "left out, because the tree lacks this bone; the skeleton may be in another file", error);
	if (bone == NULL || !(moves || rotates || scales) ||
	    (!bone->joint && (scales || is_constant(track) || !raise_root(writer, bone))))
		return anim_diagnostics_drop(writer->options.diagnostics, track,
					     "left out, because BVH has only positions and rotations of joints", error);
	if (scales)
		return leave_scale(writer, bone, track, error);
	column = moves ? &bone->position_column : &bone->rotation_column;
	if (column->there)
		return anim_diagnostics_drop(writer->options.diagnostics, track,
					     "left out, because an earlier track sets the same property", error);
	if (check_track(writer, track, error) != 0 || check_grid(writer, track, error) != 0)
		return -1;
	if (rotates && !bone->order_fixed && order >= 0)
		bone->order = (enum anim_euler_order)order;
	return track->n == 0 ? 0 : keep_samples(writer, bone, track, column, error);
}

/* ---- The joints as text ---- */

static void put_indent(struct anim_print *print, unsigned depth)
{
	while (depth-- > 0)
		anim_print_text(print, "\t");
}

/* Return whether the reader would derive this name of the tree from the original name in the file. */
static bool is_made_of(const char *name, const char *original)
{
	for (; *original != '\0'; original++, name++)
		if (*name != (*original == '/' ? '_' : *original))
			return false;
	return *name == '\0' || (*name == '-' && name[1 + strspn(name + 1, "0123456789")] == '\0');
}

static const char *name_of(const struct writer *writer, const struct bone *bone)
{
	const char *original = anim_attrs_get(&bone->node.attrs, BVH_ATTR_NAME);
	const struct bone *parent = parent_of(writer, bone);
	const char *name = parent == NULL ? NULL : anim_node_bone(bone->node.path, parent->node.path);

	if (strcmp(bone->node.path, ".") == 0)
		return writer->root_name[0] != '\0' ? writer->root_name : "root";
	if (name == NULL)
		name = strrchr(bone->node.path, '/') == NULL ? bone->node.path : strrchr(bone->node.path, '/') + 1;
	return original != NULL && original[0] != '\0' && is_made_of(name, original) ? original : name;
}

/* Print the head of a joint up to its offset. For most readers blanks would end a name, for all readers braces would. */
static void put_head(struct anim_print *print, unsigned depth, const char *word, const char *name,
		     const float offset[3])
{
	put_indent(print, depth);
	anim_print_text(print, word);
	for (; *name != '\0'; name++)
		anim_print_bytes(print, strchr(" \t{}", *name) != NULL || (unsigned char)*name < ' ' ? "_" : name, 1);
	anim_print_text(print, "\n");
	put_indent(print, depth);
	anim_print_text(print, "{\n");
	put_indent(print, depth + 1);
	anim_print_text(print, "OFFSET");
	for (int i = 0; i < 3; i++) {
		anim_print_text(print, " ");
		anim_print_float(print, offset[i]);
	}
	anim_print_text(print, "\n");
}

static void put_brace(struct anim_print *print, unsigned depth)
{
	put_indent(print, depth);
	anim_print_text(print, "}\n");
}

/* Return whether the node was an End Site in its file and no track moves it. */
static bool is_end(const struct bone *bone)
{
	return bone->above != NO_JOINT && bone->first == NO_JOINT && !bone->position_column.there &&
	       !bone->rotation_column.there && anim_attrs_get(&bone->node.attrs, BVH_ATTR_END) != NULL;
}

/* Print a joint or an End Site, without the joints below it. */
static void put_joint(struct writer *writer, const struct bone *bone)
{
	struct anim_print *print = &writer->print;
	char channels[BVH_CHANNELS_TEXT];

	if (is_end(bone)) {
		bool named = strcmp(anim_attrs_get(&bone->node.attrs, BVH_ATTR_END), "named") == 0;

		put_head(print, bone->depth - 1, named ? "End Site " : "End Site", named ? name_of(writer, bone) : "",
			 bone->offset);
		put_brace(print, bone->depth - 1);
		return;
	}
	put_head(print, bone->depth - 1, bone->depth == 1 ? "ROOT " : "JOINT ", name_of(writer, bone), bone->offset);
	put_indent(print, bone->depth);
	anim_print_text(print, "CHANNELS ");
	anim_print_uint64(print, bone->channels.count);
	bvh_channels_print(&bone->channels, channels);
	anim_print_texts(print, bone->channels.count > 0 ? " " : "", channels, "\n");
}

/* Print the end of a joint. If it has no joint below it and no file gives its end, its length is a tenth of its offset. */
static void put_tail(struct anim_print *print, const struct bone *bone)
{
	const float tip[3] = {bone->offset[0] / 10, bone->offset[1] / 10, bone->offset[2] / 10};

	if (bone->first == NO_JOINT && !bone->from_tree) {
		put_head(print, bone->depth, "End Site", "", tip);
		put_brace(print, bone->depth);
	}
	put_brace(print, bone->depth - 1);
}

/* Print all joints, and list those with channels in the order of the text. Return 0 or -1. */
static int put_joints(struct writer *writer, struct anim_buffer *order, struct anim_error *error)
{
	anim_print_text(&writer->print, "HIERARCHY\n");
	for (uint32_t root = 0; root < bone_count(writer); root++) {
		const struct bone *bone = bone_at(writer, root);
		uint32_t at = bone->joint && bone->above == NO_JOINT ? root : NO_JOINT;

		while (at != NO_JOINT) {
			bone = bone_at(writer, at);
			put_joint(writer, bone);
			if (!is_end(bone) && anim_buffer_append(order, &at, sizeof at, error) != 0)
				return -1;
			if (bone->first != NO_JOINT) {
				at = bone->first;
				continue;
			}
			/* Close this joint, which has none below it, and the joints that end with it. */
			if (!is_end(bone))
				put_tail(&writer->print, bone);
			while (bone->next == NO_JOINT && bone->above != NO_JOINT) {
				bone = bone_at(writer, bone->above);
				put_tail(&writer->print, bone);
			}
			at = bone->next;
		}
	}
	return writer->print.failed ? -1 : 0;
}

/* ---- The motion as text ---- */

#define DECIMALS_LEAST 7
#define DECIMALS_MOST 17

/* Print the integer part and `decimals` decimals of a time, as in 0.0333333. All digits together are below 10^18. */
static void print_decimals(double time_s, int decimals, char text[BVH_FRAME_TIME_TEXT])
{
	uint64_t power = 1, whole;
	size_t used;

	for (int i = 0; i < decimals; i++)
		power *= 10;
	whole = (uint64_t)rint(time_s * (double)power);
	used = anim_number_print_uint64(text, whole / power);
	text[used++] = '.';
	for (whole %= power; power > 1; whole %= power) {
		power /= 10;
		text[used++] = (char)('0' + whole / power);
	}
	text[used] = '\0';
}

/*
 * Print the frame time as in the source if it is unchanged, otherwise a text that reads back as the rate, with the fewest
 * decimals, at least 7. Without a rate, print the step.
 */
static void put_frame_time(struct writer *writer)
{
	const char *stated = anim_attrs_get(&writer->clip.attrs, BVH_ATTR_FRAME_TIME);
	char text[BVH_FRAME_TIME_TEXT];
	bool is_exact = false;
	uint32_t num, den;
	double step_s, time_s;

	if (stated != NULL && bvh_frame_time_read(stated, strlen(stated), &num, &den, &step_s) &&
	    num == writer->rate_num && den == writer->rate_den && (num != 0 || step_s == writer->step_s)) {
		anim_print_text(&writer->print, stated);
		return;
	}
	time_s = writer->rate_num > 0 ? (double)writer->rate_den / (double)writer->rate_num : writer->step_s;
	for (int decimals = DECIMALS_LEAST;
	     !is_exact && writer->rate_num > 0 && time_s < 10 && decimals <= DECIMALS_MOST; decimals++) {
		print_decimals(time_s, decimals, text);
		is_exact = bvh_frame_time_read(text, strlen(text), &num, &den, &step_s) && num == writer->rate_num &&
			   den == writer->rate_den;
	}
	if (!is_exact)
		text[anim_number_print_double(text, time_s)] = '\0';
	anim_print_text(&writer->print, text);
}

/* Copy the position or rotation channels of a joint to their places in a tile. Return 0 or -1. */
static int fill_channels(struct writer *writer, const struct bone *bone, bool rotation, size_t first, size_t frames,
			 float *scratch, float *to, size_t width, struct anim_error *error)
{
	static const float none[3];
	const struct column *column = rotation ? &bone->rotation_column : &bone->position_column;
	const float *values = column->there ? scratch : rotation ? none : bone->offset;
	bool constant = column->n == 1;
	size_t size = 3 * sizeof *scratch, step = column->there && !constant ? 3 : 0;

	if (column->there && anim_spool_copy(&writer->motion, column->place + (constant ? 0 : first * size), scratch,
					     (constant ? 1 : frames) * size, error) != 0)
		return -1;
	for (unsigned i = 0; i < bone->channels.count; i++) {
		unsigned channel = bone->channels.items[i];

		for (size_t k = 0; (channel >= BVH_ROTATION) == rotation && k < frames; k++)
			to[k * width + i] = values[k * step + channel % BVH_ROTATION];
	}
	return 0;
}

/* Print numbers, one line per frame. */
static void put_numbers(struct anim_print *print, const float *values, size_t count, size_t width)
{
	size_t most = width < ANIM_NUMBER_TEXTS ? ANIM_NUMBER_TEXTS / width * width : ANIM_NUMBER_TEXTS;
	struct anim_number_texts texts;
	char lines[ANIM_NUMBER_TEXTS * (sizeof texts.bytes[0] + 1)];

	for (size_t first = 0; first < count; first += most) {
		size_t part = count - first < most ? count - first : most, used = 0;

		anim_number_print_floats(values + first, part, width < most ? width : 1, &texts);
		for (size_t i = 0; i < part; i++) {
			memcpy(lines + used, texts.bytes[i], sizeof texts.bytes[i]);
			used += texts.length[i];
			lines[used++] = (first + i + 1) % width == 0 ? '\n' : ' ';
		}
		anim_print_bytes(print, lines, used);
	}
}

/* Print the frames of the joints, in tiles. Return 0 or -1. */
static int put_motion(struct writer *writer, const uint32_t *joints, size_t joint_count, struct anim_error *error)
{
	struct anim_buffer values = {0}, scratch = {0};
	size_t width = 0, tile_frames, frames;
	int result = 0;

	for (size_t i = 0; i < joint_count; i++)
		width += bone_at(writer, joints[i])->channels.count;
	if (width == 0)
		return 0;
	tile_frames = TILE_FLOATS / width > 0 ? TILE_FLOATS / width : 1;
	tile_frames = tile_frames < writer->frames ? tile_frames : writer->frames;
	if (anim_buffer_extend(&values, tile_frames * width * sizeof(float) + 1, error) == NULL ||
	    anim_buffer_extend(&scratch, tile_frames * 3 * sizeof(float) + 1, error) == NULL)
		result = -1;
	for (size_t first = 0; result == 0 && first < writer->frames; first += frames) {
		float *to = (float *)(void *)values.data, *room = (float *)(void *)scratch.data;

		frames = writer->frames - first < tile_frames ? writer->frames - first : tile_frames;
		for (size_t i = 0; i < joint_count && result == 0; i++) {
			const struct bone *bone = bone_at(writer, joints[i]);

			for (int rotation = 0; rotation < 2 && result == 0; rotation++)
				result = fill_channels(writer, bone, rotation, first, frames, room, to, width, error);
			to += bone->channels.count;
		}
		if (result == 0)
			put_numbers(&writer->print, (float *)(void *)values.data, frames * width, width);
		result = result != 0 || writer->print.failed ? -1 : 0;
	}
	anim_buffer_clear(&values);
	anim_buffer_clear(&scratch);
	return result;
}

/* ---- The sink ---- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;

	if (writer->has_clip)
		return 0;
	writer->bones.size = 0;
	anim_map_clear(&writer->paths);
	anim_arena_reset(&writer->kept);
	writer->root_name = tree->root_name;
	writer->axes2d = tree->axes2d;
	return anim_text_keep(&writer->root_name, &writer->kept, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	struct bone bone = {.m = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .rotation = {0, 0, 0, 1}, .plain = true};
	uint32_t number = (uint32_t)bone_count(writer);

	if (writer->has_clip)
		return 0;
	if (anim_node_copy(&bone.node, node, &writer->kept, error) != 0)
		return -1;
	for (int i = 0; i < 3; i++)
		bone.position[i] = (double)node->position[i];
	if (node->parent != ANIM_NO_PARENT) {
		const struct bone *parent = bone_at(writer, node->parent);

		memcpy(bone.m, parent->m, sizeof bone.m);
		memcpy(bone.rotation, parent->rotation, sizeof bone.rotation);
		bone.plain = parent->plain;
		apply(bone.position, parent->m, bone.position);
		for (int i = 0; i < 3; i++)
			bone.position[i] += parent->position[i];
	}
	add_rest(&bone);
	if (anim_map_put(&writer->paths, 0, bone.node.path, strlen(bone.node.path), number, error) != 0)
		return -1;
	return anim_buffer_append(&writer->bones, &bone, sizeof bone, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	const char *unit, *up;

	if (writer->has_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "a BVH file holds one clip");
	/* Without a tree the clip has no joints, which refuse_no_joints reports. */
	if ((clip->flags & ANIM_IN_TREE) == 0) {
		writer->bones.size = 0;
		anim_map_clear(&writer->paths);
	}
	writer->has_clip = true;
	if (anim_clip_copy(&writer->clip, clip, &writer->kept, error) != 0)
		return -1;
	/* By default, unit and vertical axis are taken from the clip's source file. */
	unit =
	    writer->options.bvh.unit != NULL ? writer->options.bvh.unit : anim_attrs_get(&clip->attrs, BVH_ATTR_UNIT);
	if (unit == NULL || !anim_bvh_unit(unit, &writer->unit))
		writer->unit = 1;
	/* A user who gave the unit of the input may expect metres here, as in all other formats. */
	if (writer->options.bvh.unit == NULL && writer->unit != 1 &&
	    anim_diagnostics_note(
		writer->options.diagnostics, NULL, error,
		"lengths stay in the unit of the source, %s; " ANIM_OPTION_TO("emit", "to-unit", "m") " writes metres",
		unit) != 0)
		return -1;
	up = anim_attrs_get(&clip->attrs, BVH_ATTR_UP);
	writer->z_up = writer->options.bvh.up == ANIM_BVH_Z ||
		       (writer->options.bvh.up == ANIM_BVH_SOURCE && up != NULL && strcmp(up, "z") == 0);
	if (anim_diagnostics_playback(writer->options.diagnostics, clip, "BVH", false, "", error) != 0)
		return -1;
	return make_joints(writer, error);
}

/* Choose the frames of a clip without tracks, which is one pose for its whole length, and a rate if none is known. */
static void make_grid(struct writer *writer)
{
	const struct anim_clip *clip = &writer->clip;
	const char *stated = anim_attrs_get(&clip->attrs, BVH_ATTR_FRAME_TIME);
	double step_s, frames;

	if (!writer->has_grid && (stated == NULL || !bvh_frame_time_read(stated, strlen(stated), &writer->rate_num,
									 &writer->rate_den, &writer->step_s))) {
		writer->rate_num = clip->rate_num;
		writer->rate_den = clip->rate_den;
	}
	if (writer->rate_num == 0 && !(writer->step_s > 0)) {
		writer->rate_num = 30;
		writer->rate_den = 1;
	}
	if (writer->has_grid)
		return;
	step_s = writer->rate_num > 0 ? (double)writer->rate_den / (double)writer->rate_num : writer->step_s;
	frames = ((double)clip->end_s - (double)clip->start_s) / step_s;
	writer->frames = frames < 1e9 ? (size_t)rint(frames) + 1 : 1;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;
	struct anim_print *print = &writer->print;
	struct anim_buffer order = {0}; /* uint32_t: joints in the order of the text */
	int result;

	if (!writer->has_clip)
		return anim_fail_no_clip(error);
	if (!writer->has_joints)
		return refuse_no_joints(NULL, error);
	if (anim_diagnostics_check(writer->options.diagnostics, error) != 0)
		return -1;
	make_grid(writer);
	if (leave_still_roots(writer, error) != 0)
		return -1;
	for (size_t i = 0; i < bone_count(writer); i++)
		if (bone_at(writer, i)->joint)
			set_channels(writer, bone_at(writer, i));
	print->error = error;
	result = put_joints(writer, &order, error);
	anim_print_text(print, "MOTION\nFrames: ");
	anim_print_uint64(print, writer->frames);
	anim_print_text(print, "\nFrame Time: ");
	put_frame_time(writer);
	anim_print_text(print, "\n");
	if (result == 0 && !print->failed)
		result = put_motion(writer, (const uint32_t *)(const void *)order.data, order.size / sizeof(uint32_t),
				    error);
	anim_buffer_clear(&order);
	return print->failed ? -1 : result;
}

static void on_free(struct anim_sink *sink)
{
	struct writer *writer = (struct writer *)sink;

	anim_arena_clear(&writer->kept);
	anim_arena_clear(&writer->scratch);
	anim_buffer_clear(&writer->bones);
	anim_map_clear(&writer->paths);
	anim_spool_clear(&writer->motion);
	free(writer);
}

struct anim_sink *anim_bvh_writer_new(struct anim_output *out, const struct anim_write_options *options,
				      struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct writer *writer = anim_sink_new(sizeof *writer, &ops, error);

	if (writer == NULL)
		return NULL;
	writer->options = *options;
	writer->print.out = out;
	writer->unit = 1;
	anim_spool_init(&writer->motion, options->store_memory);
	return &writer->sink;
}
