/* motion.c: layers, transforms, unchanged keys, and fitted keys. */
#include "format/fbx/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clip/rules.h"
#include "math/curve.h"
#include "math/elementary.h"

#define RADIANS (ANIM_PI / 180)

/* ---- Layers ---- */

static double channel_at(struct fbx_channels *channels, unsigned component, double time, bool before, double tick_s)
{
	if (channels->spans[component] == NULL)
		return channels->constants[component];
	return fbx_spans_at(channels->spans[component], channels->counts[component], time, before, tick_s,
			    &channels->near[component]);
}

static void quat_of(double q[4], const double degrees[3], enum anim_euler_order order)
{
	const double angles[3] = {degrees[0] * RADIANS, degrees[1] * RADIANS, degrees[2] * RADIANS};

	anim_quat_from_euler_double(q, angles, order);
}

/* Return a power of the factor with the sign of the factor. */
static double power(double factor, double exponent)
{
	return copysign(anim_pow(fabs(factor), exponent), factor);
}

/* Blend the values of a layer with the values of the layers below it. */
static void add_layer(double v[3], const double add[3], const struct fbx_layer *layer, double weight,
		      unsigned transform, enum anim_euler_order order)
{
	static const double none[4] = {0, 0, 0, 1};
	double below[4], above[4], angles[3];
	bool is_added = layer->mode == 0;

	if (layer->mode == 1) {
		memcpy(v, add, 3 * sizeof *v);
		return;
	}
	if (transform == FBX_R && layer->rotations == 0) {
		quat_of(below, v, order);
		quat_of(above, add, order);
		anim_quat_slerp_double(above, is_added ? none : below, above, weight);
		if (is_added)
			anim_quat_multiply_double(above, below, above);
		anim_euler_from_quat_double(angles, above, order);
		for (unsigned i = 0; i < 3; i++)
			v[i] = angles[i] / RADIANS;
		return;
	}
	for (unsigned i = 0; i < 3; i++) {
		if (transform == FBX_S && layer->scales == 0)
			v[i] = (is_added ? v[i] : power(v[i], 1 - weight)) * power(add[i], weight);
		else
			v[i] = (is_added ? v[i] : v[i] * (1 - weight)) + add[i] * weight;
	}
}

/* Evaluate the translation, rotation or scale of a model, in the units and axes of the file. */
static void values_at(const struct fbx_motion *motion, unsigned transform, double time, bool before, double v[3])
{
	const struct fbx_model *model = motion->model;
	struct fbx_channels *channels = motion->channels[transform];
	size_t count = motion->counts[transform];
	double tick_s = motion->tick_s;

	memcpy(v, model->lcl[transform], 3 * sizeof *v);
	for (; count > 0; count--, channels++) {
		double add[3], weight = channels->layer->weight / 100;

		for (unsigned k = 0; k < 3; k++)
			add[k] = channel_at(channels, k, time, before, tick_s);
		if (channels->layer->rank == 0) {
			memcpy(v, add, sizeof add);
			continue;
		}
		if (channels->weight != NULL)
			weight = fbx_spans_at(channels->weight, channels->weight_count, time, before, tick_s,
					      &channels->near[3]) /
				 100;
		weight = weight < 0 ? 0 : weight > 0.99999 ? 1 : weight;
		add_layer(v, add, channels->layer, weight, transform, fbx_model_order(model));
	}
}

/* ---- Transforms ---- */

const struct fbx_axes *fbx_axes_of(unsigned kind)
{
#define HALF 0.70710678118654752440 /* the sine of 45 degrees */
	static const struct fbx_axes none = {{0, 0, 0, 1}, {0, 0, 0}, {0, 1, 2}, {1, 1, 1}},
				     camera = {{0, -HALF, 0, HALF}, {0, -90, 0}, {2, 1, 0}, {1, 1, -1}},
				     light = {{-HALF, 0, 0, HALF}, {-90, 0, 0}, {0, 2, 1}, {1, -1, 1}};

	return kind == ANIM_NODE_CAMERA ? &camera : kind == ANIM_NODE_LIGHT ? &light : &none;
}

static bool is_active(const struct fbx_model *model)
{
	return model->is_active && !model->is_limit_only;
}

/*
 * FBX names the rotation that is applied first, first. Our names are reversed. Pre-rotations and models without an
 * active order use XYZ.
 */
enum anim_euler_order fbx_model_order(const struct fbx_model *model)
{
	static const enum anim_euler_order orders[] = {ANIM_EULER_ZYX, ANIM_EULER_YZX, ANIM_EULER_XZY,
						       ANIM_EULER_ZXY, ANIM_EULER_YXZ, ANIM_EULER_XYZ};

	return is_active(model) && model->order < FBX_SPHERIC ? orders[model->order] : ANIM_EULER_ZYX;
}

static bool is_zero(const double v[3])
{
	return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

bool fbx_model_is_rotated(const struct fbx_model *model)
{
	return (is_active(model) && model->order >= FBX_SPHERIC) || model->is_rotated;
}

int fbx_model_angles(const struct fbx_model *model, unsigned from[3], double sign[3], double offset[3])
{
	const char *order = anim_euler_order_names[fbx_model_order(model)];
	const struct fbx_axes *axes = fbx_axes_of(model->kind);
	bool is_before = !is_zero(model->before), is_after = !is_zero(model->after), is_plain = true;
	double sides[4];
	char own_order[4] = "";

	anim_quat_multiply_double(sides, model->before, model->after);
	if (is_active(model) && model->order >= FBX_SPHERIC)
		return -1;
	for (unsigned i = 0; i < 3; i++) {
		from[i] = i;
		sign[i] = 1;
		offset[i] = 0;
	}
	if (!is_before && !is_after)
		return (int)fbx_model_order(model);
	for (unsigned i = 0; i < 4; i++) /* without a post-rotation */
		is_plain &= model->after[i] == axes->rotation[i];
	/* The rotation only adds to the angle that is applied first. */
	if (!is_before && is_plain && axes->degrees[order[2] - 'X'] != 0) {
		offset[order[2] - 'X'] = axes->degrees[order[2] - 'X'];
		return (int)fbx_model_order(model);
	}
	/* The rotations of both sides have the same angles about other axes. The writer of anim-tools makes such nodes. */
	if (!is_plain || fabs(sides[0]) + fabs(sides[1]) + fabs(sides[2]) > 1e-12)
		return -1;
	for (unsigned i = 0; i < 3; i++) {
		from[i] = axes->from[i];
		sign[i] = axes->sign[i];
		for (unsigned k = 0; k < 3; k++)
			if (order[k] == (char)('X' + from[i]))
				own_order[k] = (char)('X' + i);
	}
	return anim_euler_order_find(own_order);
}

static void rotation_of(const struct fbx_model *model, const double degrees[3], double q[4])
{
	if (is_active(model) && model->order >= FBX_SPHERIC)
		quat_of(q, (const double[3]){0, 0, 0}, ANIM_EULER_ZYX);
	else
		quat_of(q, degrees, fbx_model_order(model));
	if (!model->is_rotated)
		return;
	anim_quat_multiply_double(q, model->before, q);
	anim_quat_multiply_double(q, q, model->after);
}

/* Compute back^-1 and then q, and make it exactly the identity if the two are the same but for rounding. */
static bool set_difference(double q[4], const double back[4])
{
	static const double none[4] = {0, 0, 0, 1};
	double inverse[4], out[4];

	anim_quat_conjugate_double(inverse, back);
	anim_quat_multiply_double(out, inverse, q);
	if (fabs(out[0]) + fabs(out[1]) + fabs(out[2]) < 1e-12)
		memcpy(out, none, sizeof out);
	memcpy(q, out, sizeof out);
	return out[0] != 0 || out[1] != 0 || out[2] != 0;
}

void fbx_model_set_rotations(struct fbx_model *model)
{
	static const double zeros[3];
	double post[4];

	quat_of(model->before, is_active(model) ? model->pre : zeros, ANIM_EULER_ZYX);
	quat_of(post, is_active(model) ? model->post : zeros, ANIM_EULER_ZYX);
	memcpy(model->after, fbx_axes_of(model->kind)->rotation, sizeof model->after);
	model->is_rotated = set_difference(model->before, fbx_axes_of(model->above)->rotation);
	model->is_rotated |= set_difference(model->after, post);
}

/* Change a vector from the axes of a kind of node in FBX to its axes in streams. */
static void convert_vector(unsigned kind, double v[3], bool is_scale)
{
	const struct fbx_axes *axes = fbx_axes_of(kind);
	const double old[3] = {v[0], v[1], v[2]};

	for (unsigned i = 0; i < 3; i++)
		v[i] = old[axes->from[i]] * (is_scale ? 1 : axes->sign[i]);
}

/* Compute the vector from the rotation pivot to the origin, before the rotation. */
static void arm_of(const struct fbx_model *model, const double scale[3], double arm[3])
{
	for (unsigned i = 0; i < 3; i++)
		arm[i] = model->scaling_offset[i] + model->scaling_pivot[i] * (1 - scale[i]) - model->rotation_pivot[i];
}

static void rotation_at(const struct fbx_motion *motion, double time, bool before, double q[4])
{
	double degrees[3];

	values_at(motion, FBX_R, time, before, degrees);
	rotation_of(motion->model, degrees, q);
	if (motion->is_top && motion->space->is_rotated)
		anim_quat_multiply_double(q, motion->space->rotation, q);
}

/* ---- Scales that are inherited along axes, or not at all ---- */

const struct fbx_frame fbx_frame_root = {.scale = {1, 1, 1},
					 .inherited = {1, 1, 1},
					 .off = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
					 .shown = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* Multiply a matrix, given by its columns, and a vector. */
static void multiply(double out[3], const double m[3][3], const double v[3])
{
	for (unsigned row = 0; row < 3; row++)
		out[row] = m[0][row] * v[0] + m[1][row] * v[1] + m[2][row] * v[2];
}

/* Return the angle between two vectors in degrees. It is 0 if one of them is 0. */
static double angle_between(const double a[3], const double b[3])
{
	double across[3], dot = 0;

	for (unsigned i = 0; i < 3; i++) {
		across[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
		dot += a[i] * b[i];
	}
	return anim_atan2(sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]), dot) / RADIANS;
}

double fbx_frame_below(const struct fbx_frame *parent, const struct fbx_model *model, const double rotation[4],
		       double scale[3], struct fbx_frame *frame)
{
	bool by_matrix = model->inherit != FBX_SCALE_BY_AXIS && model->inherit != FBX_OWN_SCALE;
	const double *inherited = by_matrix                             ? fbx_frame_root.scale
				  : model->inherit == FBX_SCALE_BY_AXIS ? parent->scale
									: parent->inherited;
	double back[4], apart[3][3], shown[3], angle = 0, own[3], passed[3];

	/* Scales are inherited along the axes of the file. */
	for (unsigned i = 0; i < 3; i++)
		own[fbx_axes_of(model->above)->from[i]] = inherited[i];
	for (unsigned i = 0; i < 3; i++)
		passed[i] = own[fbx_axes_of(model->kind)->from[i]];
	anim_quat_conjugate_double(back, rotation);
	for (unsigned i = 0; i < 3; i++) {
		double axis[3] = {i == 0, i == 1, i == 2}, truth[3], seen[3], written[3];

		frame->inherited[i] = passed[i];
		frame->scale[i] = passed[i] * scale[i];
		/* The true axis, as seen from the written axes of the parent, and then from the written axes of this node. */
		anim_quat_rotate_double(axis, rotation, axis);
		multiply(written, parent->shown, axis);
		for (unsigned k = 0; k < 3; k++)
			axis[k] *= frame->scale[i] / (by_matrix || parent->scale[k] == 0 ? 1 : parent->scale[k]);
		multiply(truth, parent->off, axis);
		anim_quat_rotate_double(apart[i], back, truth);
		shown[i] = apart[i][i];
		multiply(seen, parent->shown, truth);
		for (unsigned k = 0; k < 3; k++)
			frame->shown[i][k] = written[k] *= shown[i];
		angle = fmax(angle, angle_between(seen, written));
	}
	for (unsigned i = 0; i < 3; i++) {
		for (unsigned k = 0; k < 3; k++)
			frame->off[i][k] = shown[k] == 0 ? i == k : apart[i][k] / shown[k];
		scale[i] = shown[i];
	}
	return angle;
}

void fbx_frame_move(const struct fbx_frame *parent, double position[3])
{
	const double own[3] = {position[0], position[1], position[2]};

	multiply(position, parent->off, own);
}

/* Compute the frame of the parent. */
static void frame_above(const struct fbx_motion *motion, double time, bool before, struct fbx_frame *frame)
{
	*frame = fbx_frame_root;
	for (size_t i = 0; i < motion->above_count; i++) {
		const struct fbx_frame parent = *frame;
		double q[4], scale[3];

		rotation_at(&motion->above[i], time, before, q);
		values_at(&motion->above[i], FBX_S, time, before, scale);
		convert_vector(motion->above[i].model->kind, scale, true);
		fbx_frame_below(&parent, motion->above[i].model, q, scale, frame);
	}
}

static void scale_at(const struct fbx_motion *motion, double time, bool before, double scale[3])
{
	struct fbx_frame parent, own;
	double q[4];

	values_at(motion, FBX_S, time, before, scale);
	convert_vector(motion->model->kind, scale, true);
	if (motion->above_count == 0)
		return;
	frame_above(motion, time, before, &parent);
	rotation_at(motion, time, before, q);
	*motion->sheared_deg = fmax(*motion->sheared_deg, fbx_frame_below(&parent, motion->model, q, scale, &own));
}

/* Compute the position. Rotations and scales are evaluated only if pivots or offsets make them count. */
static void position_at(const struct fbx_motion *motion, double time, bool before, double position[3])
{
	const struct fbx_model *model = motion->model;
	const struct fbx_space *space = motion->space;
	double scale[3], degrees[3], arm[3], q[4], at[3];
	bool has_arm = fbx_motion_has_arm(motion);

	values_at(motion, FBX_T, time, before, at);
	for (unsigned i = 0; i < 3 && has_arm; i++)
		at[i] = at[i] + model->rotation_offset[i] + model->rotation_pivot[i];
	convert_vector(model->above, at, false);
	if (has_arm) {
		values_at(motion, FBX_R, time, before, degrees);
		values_at(motion, FBX_S, time, before, scale);
		rotation_of(model, degrees, q);
		arm_of(model, scale, arm);
		convert_vector(model->kind, arm, false);
		anim_quat_rotate_double(arm, q, arm);
		for (unsigned i = 0; i < 3; i++)
			at[i] += arm[i];
	}
	for (unsigned i = 0; i < 3; i++)
		position[i] = space->unit_m * (motion->is_top ? space->sign[i] * at[space->axis[i]] : at[i]);
	if (motion->is_moved) {
		struct fbx_frame parent;

		frame_above(motion, time, before, &parent);
		fbx_frame_move(&parent, position);
	}
}

void fbx_motion_at(const struct fbx_motion *motion, double time, bool before, struct fbx_pose *pose)
{
	position_at(motion, time, before, pose->position);
	rotation_at(motion, time, before, pose->rotation);
	scale_at(motion, time, before, pose->scale);
}

bool fbx_motion_is_plain(const struct fbx_motion *motion, unsigned transform, const struct fbx_channels **channels)
{
	*channels = motion->channels[transform];
	return motion->counts[transform] == 1 && (*channels)->layer->rank == 0;
}

bool fbx_motion_is_pivoted(const struct fbx_motion *motion)
{
	double scale[3], arm[3];

	if (motion->counts[FBX_S] > 0 && !is_zero(motion->model->scaling_pivot))
		return true;
	values_at(motion, FBX_S, (double)motion->start, false, scale);
	arm_of(motion->model, scale, arm);
	return motion->counts[FBX_R] > 0 && !is_zero(arm);
}

bool fbx_motion_has_arm(const struct fbx_motion *motion)
{
	const struct fbx_model *model = motion->model;

	return !is_zero(model->rotation_offset) || !is_zero(model->rotation_pivot) || !is_zero(model->scaling_offset) ||
	       !is_zero(model->scaling_pivot);
}

/* ---- Keys as they are ---- */

/* A key of one component. */
struct part {
	int64_t time;
	double value, left, right, left_weight, right_weight;
	uint8_t mode, weighted;
};

/* Return whether the next span starts with a value other than the end of this one, which does not hold. */
static bool jumps_after(const struct fbx_span *span)
{
	return span[0].mode != ANIM_HOLD && span[0].to != span[1].from;
}

/*
 * Append the keys of consecutive spans. If a span starts with a value other than the end of the previous span, there
 * are two keys at that time.
 */
static int parts_of(const struct fbx_span *spans, size_t count, struct anim_buffer *out, struct anim_error *error)
{
	struct part part = {.left_weight = 1.0 / 3, .right_weight = 1.0 / 3}, *at;
	size_t jumps = 0;

	for (size_t i = 1; i < count; i++)
		jumps += jumps_after(&spans[i - 1]);
	at = anim_buffer_extend(out, (count + jumps + 1) * sizeof *at, error);
	if (at == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct fbx_span *span = &spans[i];

		part.time = span->start;
		if (i > 0 && jumps_after(span - 1)) {
			part.value = span[-1].to;
			part.right = 0;
			part.mode = ANIM_HOLD;
			part.weighted &= 1;
			*at++ = part;
			part.left = 0;
			part.weighted = 0;
		}
		part.value = span->from;
		part.mode = span->mode;
		part.right = span->mode >= ANIM_HERMITE ? span->right : 0;
		if (span->mode == ANIM_WEIGHTED) {
			part.right_weight = span->right_weight;
			part.weighted |= 2;
		}
		*at++ = part;
		part.left = span->mode >= ANIM_HERMITE ? span->left : 0;
		part.weighted = span->mode == ANIM_WEIGHTED;
		part.left_weight = span->mode == ANIM_WEIGHTED ? span->left_weight : 1.0 / 3;
		part.right_weight = 1.0 / 3;
	}
	if (count == 1 && spans[0].start == spans[0].end) {
		out->size -= sizeof *at;
		return 0;
	}
	part.time = spans[count - 1].end;
	part.value = spans[count - 1].to;
	part.right = 0;
	part.mode = spans[count - 1].mode;
	*at = part;
	return 0;
}

static bool same_times_and_modes(const struct anim_buffer *a, const struct anim_buffer *b)
{
	const struct part *first = FBX_ALL(*a, struct part), *second = FBX_ALL(*b, struct part);

	if (a->size != b->size)
		return false;
	for (size_t k = 0; k < a->size / sizeof *first; k++)
		if (first[k].time != second[k].time || first[k].mode != second[k].mode ||
		    first[k].weighted != second[k].weighted)
			return false;
	return true;
}

/* Add key k of the components `first` to `last`. At least one of them is not NULL. NULL components are constant. */
static int add_key(struct part *parts[3], const double constants[3], size_t k, const struct fbx_map *map,
		   unsigned first, unsigned last, double tick_s, struct anim_keys *keys, struct anim_error *error)
{
	float value[3], left[3] = {0}, right[3] = {0}, left_x[3], right_x[3];
	const struct part *any = parts[first] != NULL ? parts[first] : parts[last] != NULL ? parts[last] : parts[1];
	float time;

	any += k;
	for (unsigned i = first; i <= last; i++) {
		const struct part *part = parts[i] == NULL ? NULL : &parts[i][k];
		double factor = map->factor[i];

		value[i - first] = (float)((part != NULL ? part->value : constants[i]) * factor + map->offset[i]);
		left[i - first] = (float)(part != NULL ? part->left * factor : 0);
		right[i - first] = (float)(part != NULL ? part->right * factor : 0);
		left_x[i - first] = (float)(part != NULL ? part->left_weight : 1.0 / 3);
		right_x[i - first] = (float)(part != NULL ? part->right_weight : 1.0 / 3);
	}
	time = (float)((double)any->time * tick_s);
	if (anim_keys_add(keys, time, value, (enum anim_interp)any->mode, error) != 0)
		return -1;
	if (any->mode >= ANIM_HERMITE || left[0] != 0 || left[1] != 0 || left[2] != 0) {
		if (anim_keys_set(keys, ANIM_COLUMN_LEFT, left, error) != 0 ||
		    anim_keys_set(keys, ANIM_COLUMN_RIGHT, right, error) != 0)
			return -1;
	}
	if (any->mode != ANIM_WEIGHTED && any->weighted == 0)
		return 0;
	if (anim_keys_set(keys, ANIM_COLUMN_LEFT_X, left_x, error) != 0 ||
	    anim_keys_set(keys, ANIM_COLUMN_RIGHT_X, right_x, error) != 0)
		return -1;
	return anim_keys_set(keys, ANIM_COLUMN_WEIGHTED, &any->weighted, error);
}

int fbx_channels_keys(const struct fbx_channels *channels, const struct fbx_map *map, int only, double tick_s,
		      int64_t start, struct anim_keys *keys, struct anim_error *error)
{
	unsigned first = only < 0 ? 0 : (unsigned)only, last = only < 0 ? 2 : (unsigned)only;
	struct anim_buffer lists[3] = {{0}, {0}, {0}};
	struct part lone = {.time = start, .mode = ANIM_LINEAR}, *parts[3] = {NULL, NULL, NULL};
	double constants[3] = {0};
	size_t n = 0;
	int result = 1;
	unsigned known = 3;

	for (unsigned i = first; i <= last && result == 1; i++) {
		const struct fbx_span *spans = channels->spans[map->from[i]];

		constants[i] = channels->constants[map->from[i]];
		if (spans == NULL)
			continue;
		if (parts_of(spans, channels->counts[map->from[i]], &lists[i], error) != 0)
			result = -1;
		else if (known < 3 && !same_times_and_modes(&lists[known], &lists[i]))
			result = 0;
		parts[i] = FBX_ALL(lists[i], struct part);
		n = lists[i].size / sizeof **parts;
		known = i;
	}
	if (known == 3) {
		lone.value = constants[first];
		parts[first] = &lone;
		n = 1;
	}
	for (size_t k = 0; k < n && result == 1; k++)
		if (add_key(parts, constants, k, map, first, last, tick_s, keys, error) != 0)
			result = -1;
	for (unsigned i = 0; i < 3; i++)
		anim_buffer_clear(&lists[i]);
	return result;
}

/* ---- Fitted keys ---- */

#define SAMPLES 8       /* parts of a span, for measuring the error */
#define SHORTEST_S 1e-4 /* minimum length of a span */
#define TOLERANCE 1e-6  /* radians for rotations, otherwise relative to the size of the values */
#define LEAST_SIZE 1e-2
#define STILL 1e-8 /* relative change below which a value counts as constant */
#define DEGREES_BETWEEN_SAMPLES 60
#define HALVINGS_MAX 24
#define KEYS_BETWEEN_MAX (1u << 17) /* keys of one track besides those at the times of the file's keys */

struct fit {
	const struct fbx_motion *motion;
	unsigned transform;
	unsigned components;
	struct anim_keys *keys;
	struct anim_error *error;
	double off;
	/* the end of the previous span */
	bool has_end;
	double end[4], end_slope[4];
	size_t between; /* keys between those of the file */
	bool moves;     /* some sample differs from the first sample of its span */
};

static void sample(struct fit *fit, double time, bool before, const double near[4], double out[4])
{
	const struct fbx_motion *motion = fit->motion;
	double dot = 0;

	if (fit->transform == FBX_T)
		position_at(motion, time, before, out);
	else if (fit->transform == FBX_S)
		scale_at(motion, time, before, out);
	else
		rotation_at(motion, time, before, out);
	for (unsigned i = 0; near != NULL && fit->components == 4 && i < 4; i++)
		dot += out[i] * near[i];
	for (unsigned i = 0; dot < 0 && i < 4; i++)
		out[i] = -out[i];
}

/* Get the sums of the rotation angles of all layers. Unlike quaternions, they show whole revolutions. */
static void angles_at(const struct fit *fit, double time, bool before, double angles[3])
{
	const struct fbx_motion *motion = fit->motion;

	for (unsigned k = 0; k < 3; k++) {
		angles[k] = 0;
		for (size_t i = 0; i < motion->counts[FBX_R]; i++)
			angles[k] += channel_at(&motion->channels[FBX_R][i], k, time, before, motion->tick_s);
	}
}

/*
 * Return a bound of the change of an angle from sample to sample between two times, or infinity if no single span contains them. Three
 * times the largest difference of neighbouring points of a Bezier curve bounds its derivative (its hodograph). With weights its time
 * is a curve as well, and only the range of the points is a bound.
 */
static double most_change(struct fbx_channels *channels, unsigned component, double from, double to, double tick_s)
{
	const struct fbx_span *span = channels->spans[component];
	double ticks, right, left;

	if (span == NULL)
		return 0;
	channel_at(channels, component, from, false, tick_s); /* finds the span */
	span += channels->near[component];
	ticks = (double)span->end - (double)span->start;
	if (to <= (double)span->start ||
	    (from >= (double)span->end && channels->near[component] + 1 == channels->counts[component]))
		return 0;
	if (from < (double)span->start || to > (double)span->end)
		return (double)INFINITY;
	if (span->mode == ANIM_HOLD || !(ticks > 0))
		return 0;
	if (span->mode == ANIM_LINEAR)
		return fabs(span->to - span->from) * ((to - from) / ticks) / SAMPLES;
	right = span->right * span->right_weight * ticks * tick_s;
	left = span->left * span->left_weight * ticks * tick_s;
	if (span->mode == ANIM_WEIGHTED)
		return fabs(right) + fabs(left) + fabs(span->to - span->from);
	return 3 * fmax(fmax(fabs(right), fabs(left)), fabs(span->to - left - span->from - right)) *
	       ((to - from) / ticks) / SAMPLES;
}

/* Return whether the samples of a span are so dense that no revolution is missed. */
static bool is_dense(const struct fit *fit, double from, double to)
{
	const struct fbx_motion *motion = fit->motion;
	double last[3], next[3], most = 0;

	for (unsigned k = 0; k < 3; k++) {
		double sum = 0;

		for (size_t i = 0; i < motion->counts[FBX_R]; i++)
			sum += most_change(&motion->channels[FBX_R][i], k, from, to, motion->tick_s);
		most = fmax(most, sum);
	}
	if (most < DEGREES_BETWEEN_SAMPLES - 1) /* far more than rounding changes */
		return true;
	angles_at(fit, from, false, last);
	for (unsigned k = 1; k <= SAMPLES; k++) {
		angles_at(fit, k == SAMPLES ? to : from + (to - from) * k / SAMPLES, k == SAMPLES, next);
		for (unsigned i = 0; i < 3; i++)
			if (fabs(next[i] - last[i]) > DEGREES_BETWEEN_SAMPLES)
				return false;
		memcpy(last, next, sizeof last);
	}
	return true;
}

/* Return the slope at the first of five values at distance `step`, using the polynomial of degree 4 through them. */
static double slope_of(const double v[5], double step)
{
	return (-25 * v[0] + 48 * v[1] - 36 * v[2] + 16 * v[3] - 3 * v[4]) / (12 * step);
}

/* Return the largest error of a Hermite span at the samples, divided by the tolerance. */
static double error_of(const struct fit *fit, double v[SAMPLES + 1][4], const double right[4], const double left[4],
		       double duration, double *off)
{
	double worst = 0, size = LEAST_SIZE;

	*off = 0;
	for (unsigned i = 0; i < fit->components; i++)
		size = fmax(size, fmax(fabs(v[0][i]), fabs(v[SAMPLES][i])));
	for (unsigned k = 1; k < SAMPLES; k++) {
		double shown[4], difference = 0;

		for (unsigned i = 0; i < fit->components; i++)
			shown[i] =
			    anim_hermite((double)(float)v[0][i], (double)(float)right[i], (double)(float)v[SAMPLES][i],
					 (double)(float)left[i], duration, (double)k / SAMPLES);
		if (fit->components == 4)
			anim_normalize(shown);
		for (unsigned i = 0; i < fit->components; i++)
			difference += (shown[i] - v[k][i]) * (shown[i] - v[k][i]);
		difference = sqrt(difference);
		if (fit->components == 4) {
			worst = fmax(worst, 2 * difference / TOLERANCE);
			*off = fmax(*off, 2 * difference / RADIANS);
		} else {
			worst = fmax(worst, difference / (TOLERANCE * size));
			*off = fmax(*off, difference);
		}
	}
	return worst;
}

static int add_fitted(struct fit *fit, double time, const double value[4], const double left[4], const double right[4],
		      enum anim_interp mode)
{
	float numbers[3][4];

	for (unsigned i = 0; i < 4; i++) {
		numbers[0][i] = (float)value[i];
		numbers[1][i] = (float)left[i];
		numbers[2][i] = (float)right[i];
	}
	if (anim_keys_add(fit->keys, (float)(time * fit->motion->tick_s), numbers[0], mode, fit->error) != 0 ||
	    anim_keys_set(fit->keys, ANIM_COLUMN_LEFT, numbers[1], fit->error) != 0)
		return -1;
	return anim_keys_set(fit->keys, ANIM_COLUMN_RIGHT, numbers[2], fit->error);
}

/* Add the key between the previous span and a span that starts with this value. */
static int join_spans(struct fit *fit, double time, const double value[4], const double right[4])
{
	static const double none[4];
	bool jumps = false;

	for (unsigned i = 0; fit->has_end && i < fit->components; i++)
		jumps |= fabs(fit->end[i] - value[i]) > TOLERANCE * fmax(LEAST_SIZE, fabs(value[i]));
	if (jumps && add_fitted(fit, time, fit->end, fit->end_slope, none, ANIM_HERMITE) != 0)
		return -1;
	return add_fitted(fit, time, value, fit->has_end && !jumps ? fit->end_slope : none, right, ANIM_HERMITE);
}

/* Fit the span between two times, which has no step inside. Return 0 or -1. */
static int fit_span(struct fit *fit, double from, double to, unsigned halvings)
{
	const struct fbx_motion *motion = fit->motion;
	const size_t work =
	    1 + motion->counts[FBX_T] + motion->counts[FBX_R] + motion->counts[FBX_S] + motion->above_count;
	double v[SAMPLES + 1][4] = {{0}}, right[4] = {0}, left[4] = {0}, off, middle = from + (to - from) / 2;
	double duration = (to - from) * motion->tick_s;
	bool is_seen = is_dense(fit, from, to);

	for (unsigned k = 0; k <= SAMPLES; k++)
		sample(fit, k == SAMPLES ? to : from + (to - from) * k / SAMPLES, k == SAMPLES,
		       k > 0          ? v[k - 1]
		       : fit->has_end ? fit->end
				      : NULL,
		       v[k]);
	for (unsigned i = 0; i < fit->components; i++) {
		const double begin[5] = {v[0][i], v[2][i], v[4][i], v[6][i], v[8][i]};
		const double end[5] = {v[8][i], v[6][i], v[4][i], v[2][i], v[0][i]};

		for (unsigned k = 1; k <= SAMPLES; k++)
			fit->moves |= fabs(v[k][i] - v[0][i]) > STILL * fmax(LEAST_SIZE, fabs(v[0][i]));
		right[i] = slope_of(begin, duration / 4);
		left[i] = 0 - slope_of(end, duration / 4);
	}
	if ((error_of(fit, v, right, left, duration, &off) > 1 || !is_seen) && duration > 2 * SHORTEST_S &&
	    halvings < HALVINGS_MAX && fit->between < KEYS_BETWEEN_MAX && *motion->work_left >= work) {
		fit->between++;
		*motion->work_left -= work;
		return fit_span(fit, from, middle, halvings + 1) != 0 ? -1 : fit_span(fit, middle, to, halvings + 1);
	}
	fit->off = fmax(fit->off, fit->transform == FBX_R && !is_seen ? 180 : off);
	if (join_spans(fit, from, v[0], right) != 0)
		return -1;
	fit->has_end = true;
	memcpy(fit->end, v[SAMPLES], sizeof fit->end);
	memcpy(fit->end_slope, left, sizeof left);
	return 0;
}

static int add_times(const struct fbx_span *spans, size_t count, struct anim_buffer *times, struct anim_error *error)
{
	for (size_t i = 0; i < count; i++)
		if (anim_buffer_append(times, &spans[i].start, sizeof spans[i].start, error) != 0 ||
		    anim_buffer_append(times, &spans[i].end, sizeof spans[i].end, error) != 0)
			return -1;
	return 0;
}

static int compare_times(const void *a, const void *b)
{
	int64_t first, second;

	memcpy(&first, a, sizeof first);
	memcpy(&second, b, sizeof second);
	return (first > second) - (first < second);
}

static int add_channel_times(const struct fbx_channels *channels, size_t count, struct anim_buffer *times,
			     struct anim_error *error)
{
	for (; count > 0; count--, channels++) {
		for (unsigned k = 0; k < 3; k++)
			if (add_times(channels->spans[k], channels->counts[k], times, error) != 0)
				return -1;
		if (add_times(channels->weight, channels->weight_count, times, error) != 0)
			return -1;
	}
	return 0;
}

/* Collect the times of all keys that take part, in ascending order and without duplicates. Return 0 or -1. */
static int find_times(const struct fit *fit, struct anim_buffer *times)
{
	const struct fbx_motion *motion = fit->motion;
	bool is_below = motion->above_count > 0 && fit->transform != FBX_R;
	size_t n = 0;
	int64_t *time;

	for (unsigned transform = 0; transform < FBX_TRANSFORMS; transform++)
		if ((fit->transform == FBX_T || transform == fit->transform || (is_below && transform == FBX_R)) &&
		    add_channel_times(motion->channels[transform], motion->counts[transform], times, fit->error) != 0)
			return -1;
	for (size_t i = 0; i < motion->above_count && is_below; i++)
		for (unsigned transform = FBX_R; transform <= FBX_S; transform++)
			if (add_channel_times(motion->above[i].channels[transform], motion->above[i].counts[transform],
					      times, fit->error) != 0)
				return -1;
	time = FBX_ALL(*times, int64_t);
	if (times->size == 0)
		return anim_buffer_append(times, &motion->start, sizeof motion->start, fit->error);
	qsort(time, times->size / sizeof *time, sizeof *time, compare_times);
	for (size_t i = 0; i < times->size / sizeof *time; i++)
		if (n == 0 || time[i] != time[n - 1])
			time[n++] = time[i];
	times->size = n * sizeof *time;
	return 0;
}

int fbx_motion_fit(const struct fbx_motion *motion, unsigned transform, struct anim_keys *keys, double *off,
		   struct anim_error *error)
{
	struct fit fit = {.motion = motion,
			  .transform = transform,
			  .components = anim_types[keys->type].components,
			  .keys = keys,
			  .error = error};
	static const double none[4];
	struct anim_buffer times = {0};
	const struct anim_buffer *column;
	const size_t size = fit.components * sizeof(float);
	double value[4] = {0};
	bool is_still = true;
	int result = find_times(&fit, &times);
	size_t n = times.size / sizeof(int64_t);

	if (result == 0 && motion->above_count > 0) {
		if (n > *motion->work_left / (motion->above_count + 1)) {
			anim_buffer_clear(&times);
			return 0;
		}
		*motion->work_left -= n * (motion->above_count + 1);
	}
	for (size_t i = 0; i + 1 < n && result == 0; i++)
		result = fit_span(&fit, (double)*FBX_AT(times, int64_t, i), (double)*FBX_AT(times, int64_t, i + 1), 0);
	if (result == 0) {
		double last = (double)*FBX_AT(times, int64_t, n - 1);

		sample(&fit, last, false, fit.has_end ? fit.end : NULL, value);
		result = join_spans(&fit, last, value, none);
	}
	anim_buffer_clear(&times);

	/* One key is enough if the value is constant. */
	column = &keys->column[ANIM_COLUMN_VALUE];
	for (size_t k = 1; result == 0 && k < keys->n && is_still; k++)
		is_still = !fit.moves && memcmp(column->data, column->data + k * size, size) == 0;
	if (result == 0 && is_still) {
		float time = anim_keys_time(keys, 0), first[4];

		memcpy(first, column->data, size);
		anim_keys_reset(keys, keys->type);
		result = anim_keys_add(keys, time, first, ANIM_LINEAR, error);
	}
	*off = fit.off;
	return result == 0 ? 1 : -1;
}

/* ---- Steps ---- */

static bool is_on(const struct fbx_motion *motion, double time, bool before)
{
	double v[3];

	values_at(motion, FBX_T, time, before, v);
	return v[0] != 0;
}

int fbx_motion_steps(const struct fbx_motion *motion, struct anim_keys *keys, struct anim_error *error)
{
	const struct fit fit = {.motion = motion, .transform = FBX_T, .error = error};
	struct anim_buffer times = {0};
	int result = find_times(&fit, &times) == 0 ? 1 : -1;
	size_t n = times.size / sizeof(int64_t);

	for (size_t i = 0; i < n && result == 1; i++) {
		double time = (double)*FBX_AT(times, int64_t, i);
		double next = i + 1 < n ? (double)*FBX_AT(times, int64_t, i + 1) : time;
		uint8_t value = is_on(motion, time, false);

		if (next > time && (is_on(motion, time + (next - time) / 2, false) != (value != 0) ||
				    is_on(motion, next, true) != (value != 0)))
			result = 0;
		else if (anim_keys_add(keys, (float)(time * motion->tick_s), &value, ANIM_HOLD, error) != 0)
			result = -1;
	}
	anim_buffer_clear(&times);
	return result;
}
