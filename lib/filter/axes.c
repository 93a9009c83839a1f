/* axes.c: from one engine's axes to another's, by mirroring one axis. */
#include "filter/axes.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/input.h"
#include "base/number.h"
#include "filter/rest.h"

#define POSE_LANES 10 /* position, rotation, scale */

/* What a property's lanes are, as far as a mirror is concerned. */
enum meaning { NOTHING, POINT, QUATERNION, EULER, MATRIX };

struct axes {
	struct anim_sink sink;
	struct anim_axes_options options;
	struct anim_sink *next;
	bool mirrors_tree, mirrors_clip;
	struct anim_arena clip_arena;
	const char *root;              /* of the clip */
	struct anim_rests rests;       /* tells which nodes are two-dimensional */
	struct anim_buffer columns[3]; /* value, left, right of the track at hand */
	struct anim_arena node_arena;
};

int anim_axes_find(const char *name)
{
	for (int i = ANIM_AXES_GODOT; i < ANIM_AXES_COUNT; i++)
		if (strcmp(anim_axes_names[i], name) == 0)
			return i;
	return -1;
}

static bool is_left_handed(enum anim_axes axes)
{
	return axes == ANIM_AXES_UNITY || axes == ANIM_AXES_RESONITE;
}

bool anim_axes_differ(enum anim_axes a, enum anim_axes b)
{
	return a != ANIM_AXES_UNKNOWN && b != ANIM_AXES_UNKNOWN && is_left_handed(a) != is_left_handed(b);
}

/* The axes that `found` stands for; -1 with a message where nobody knows. */
static int resolve(const struct axes *a, enum anim_axes found, const char *what, const char *name,
		   struct anim_error *error)
{
	if (found != ANIM_AXES_UNKNOWN)
		return (int)found;
	if (a->options.from != ANIM_AXES_UNKNOWN)
		return (int)a->options.from;
	return anim_fail(error, ANIM_BAD_INPUT,
			 "%s '%s' does not say which axes it is in; tell with --from godot (or another)", what, name);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_tree out = *tree;
	int from = resolve(a, tree->axes, "the tree of", tree->source_file, error);

	if (from < 0)
		return -1;
	anim_rests_clear(&a->rests);
	a->mirrors_tree = anim_axes_differ((enum anim_axes)from, a->options.target);
	if (out.axes != a->options.target) {
		out.axes = (uint8_t)a->options.target;
		out.record = NULL;
	}
	return anim_sink_tree(a->next, &out, error);
}

/* +1 or -1 for lane i of a point, of a rotation's vector part. */
static float point_sign(const struct axes *a, unsigned i)
{
	return i == (a->options.mirror == ANIM_MIRROR_X ? 0u : 2u) ? -1.0f : 1.0f;
}

/* A mirror keeps the turn about its own axis and reverses the other two: conjugation by the mirror. */
static float turn_sign(const struct axes *a, unsigned i)
{
	return i >= 3 || point_sign(a, i) < 0 ? 1.0f : -1.0f;
}

static void mirror_transform(const struct axes *a, float position[3], float rotation[4])
{
	for (unsigned i = 0; i < 3; i++)
		position[i] *= point_sign(a, i);
	for (unsigned i = 0; i < 4; i++)
		rotation[i] *= turn_sign(a, i);
}

/* Reads "px py pz qx qy qz qw sx sy sz". 1, 0 where the text is not that, -1 out of memory. */
static int read_pose(struct axes *a, const char *pose, float numbers[POSE_LANES], struct anim_error *error)
{
	size_t length = strlen(pose);
	char *padded = anim_arena_zeroed(&a->node_arena, length + ANIM_INPUT_SLACK, 1, error);
	const char *at = padded;

	if (padded == NULL)
		return -1;
	memcpy(padded, pose, length);
	for (unsigned i = 0; i < POSE_LANES; i++) {
		while (*at == ' ')
			at++;
		if ((at = anim_number_float(at, padded + length, &numbers[i])) == NULL)
			return 0;
	}
	return 1;
}

/* The attribute godot.pose mirrored; one that is no pose stays. */
static int mirror_pose(struct axes *a, const struct anim_node *node, struct anim_node *out, struct anim_error *error)
{
	const char *pose = anim_attrs_get(&node->attrs, "godot.pose");
	char text[POSE_LANES * (ANIM_NUMBER_MAX + 1)], *to = text;
	float numbers[POSE_LANES];
	int status = pose == NULL ? 0 : read_pose(a, pose, numbers, error);

	if (status <= 0)
		return status;
	mirror_transform(a, numbers, numbers + 3);
	for (unsigned i = 0; i < POSE_LANES; i++) {
		to += anim_number_print_float(to, numbers[i]);
		*to++ = i + 1 < POSE_LANES ? ' ' : '\0';
	}
	return anim_attrs_with(&out->attrs, &node->attrs, "godot.pose", text, &a->node_arena, error);
}

static int mirror_node(struct axes *a, const struct anim_node *node, struct anim_node *out, struct anim_error *error)
{
	*out = *node;
	out->record = NULL;
	mirror_transform(a, out->position, out->rotation);
	return mirror_pose(a, node, out, error);
}

/* A transform that is not set stays the identity, without a zero that has lost its sign. */
static bool is_mirrored(const struct axes *a, const struct anim_node *node)
{
	return a->mirrors_tree && !(node->has & ANIM_HAS_2D) &&
	       (node->has & (ANIM_HAS_POSITION | ANIM_HAS_ROTATION)) != 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_node out;

	if (anim_rests_add(&a->rests, node, error) != 0)
		return -1;
	if (!is_mirrored(a, node))
		return anim_sink_node(a->next, node, error);
	anim_arena_reset(&a->node_arena);
	if (mirror_node(a, node, &out, error) != 0)
		return -1;
	if (!(node->has & ANIM_HAS_POSITION))
		memcpy(out.position, node->position, sizeof out.position);
	if (!(node->has & ANIM_HAS_ROTATION))
		memcpy(out.rotation, node->rotation, sizeof out.rotation);
	return anim_sink_node(a->next, &out, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_clip out = *clip;
	int from = resolve(a, clip->axes, "clip", clip->name, error);

	if (from < 0)
		return -1;
	anim_arena_reset(&a->clip_arena);
	if ((a->root = anim_arena_text(&a->clip_arena, clip->root, strlen(clip->root), error)) == NULL)
		return -1;
	a->mirrors_clip = anim_axes_differ((enum anim_axes)from, a->options.target);
	if (out.axes != a->options.target) {
		out.axes = (uint8_t)a->options.target;
		out.record = NULL;
	}
	return anim_sink_clip(a->next, &out, error);
}

static const struct {
	const char *property;
	enum meaning meaning;
	unsigned lanes;
} meanings[] = {
    {"position", POINT, 3},        {"global_position", POINT, 3}, {"transform:origin", POINT, 3},
    {"rotation", QUATERNION, 4},   {"quaternion", QUATERNION, 4}, {"euler", EULER, 3},
    {"global_rotation", EULER, 3}, {"transform", MATRIX, 0},      {"global_transform", MATRIX, 0},
    {"basis", MATRIX, 0},          {"global_basis", MATRIX, 0},
};

/* The node of the track or, where the tree does not know it, the nearest one above it that it knows. */
static const struct anim_rest *nearest_node(struct axes *a, const char *node)
{
	const struct anim_rest *rest = anim_rests_find(&a->rests, a->root, node);
	char *path = rest == NULL ? anim_arena_text(&a->node_arena, node, strlen(node), NULL) : NULL, *slash;

	a->rests.lacked_memory |= rest == NULL && path == NULL;
	while (rest == NULL && path != NULL && (slash = strrchr(path, '/')) != NULL) {
		*slash = '\0';
		rest = anim_rests_find(&a->rests, a->root, path);
	}
	return rest;
}

/* Whether one lane of a property belongs to a node in space. One lane alone does not say: the tree must. */
static int is_spatial_lane(struct axes *a, const struct anim_track *track, enum meaning meaning, bool *spatial,
			   struct anim_error *error)
{
	const struct anim_rest *rest;
	bool known;

	anim_arena_reset(&a->node_arena);
	rest = nearest_node(a, track->node);
	known = anim_rests_find(&a->rests, a->root, track->node) != NULL;
	*spatial = rest == NULL || !(rest->has & ANIM_HAS_2D);
	if (meaning != POINT || known || !*spatial ||
	    (track->rules != ANIM_RULES_GODOT4 && track->rules != ANIM_RULES_GODOT3))
		return 0;
	return anim_losses_add(a->options.losses, ANIM_WARNING, NULL,
			       "single lanes of positions belong to nodes that no tree tells of; they were taken for "
			       "three-dimensional",
			       error,
			       "'%s %s' is one lane, and no tree tells of its node; it was taken for three-dimensional",
			       track->node, track->property);
}

/* What the track's property is; NOTHING where a mirror does not touch it. */
static int meaning_of(struct axes *a, const struct anim_track *track, enum meaning *meaning, struct anim_error *error)
{
	const struct anim_type_info *type = &anim_types[track->type];
	size_t i = 0, count = sizeof meanings / sizeof *meanings;
	bool holds;

	while (i < count && strcmp(track->property, meanings[i].property) != 0)
		i++;
	*meaning = NOTHING;
	if (i == count || !anim_type_is_real(track->type))
		return 0;
	if (meanings[i].meaning == MATRIX)
		holds = type->matrix && type->lanes > 4 && anim_attrs_get(&track->attrs, "godot.variant") == NULL;
	else if (track->component == ANIM_WHOLE)
		holds = type->lanes == meanings[i].lanes;
	else if (is_spatial_lane(a, track, meanings[i].meaning, &holds, error) != 0)
		return -1;
	*meaning = holds ? meanings[i].meaning : NOTHING;
	return 0;
}

/* Sign of each of the track's own lanes; false where all are +1. */
static bool lane_signs(const struct axes *a, const struct anim_track *track, enum meaning meaning, float sign[16])
{
	unsigned lanes = anim_types[track->type].lanes, first = track->component == ANIM_WHOLE ? 0 : track->component;
	unsigned width = lanes == 16 ? 4 : 3;
	bool any = false;

	for (unsigned i = 0; i < lanes; i++) {
		if (meaning == POINT)
			sign[i] = point_sign(a, first + i);
		else if (meaning == MATRIX)
			sign[i] = point_sign(a, i / width) * point_sign(a, i % width);
		else
			sign[i] = turn_sign(a, first + i);
		any = any || sign[i] < 0;
	}
	return any;
}

/* to = from times the sign of each lane; exact, also for infinities. */
static void flip_floats(float *restrict to, const float *restrict from, size_t n, unsigned lanes, const float *sign)
{
	if (lanes == 3) {
		for (size_t k = 0; k < n; k++)
			for (unsigned i = 0; i < 3; i++)
				to[3 * k + i] = from[3 * k + i] * sign[i];
	} else if (lanes == 4) {
		for (size_t k = 0; k < n; k++)
			for (unsigned i = 0; i < 4; i++)
				to[4 * k + i] = from[4 * k + i] * sign[i];
	} else {
		for (size_t k = 0; k < n; k++)
			for (unsigned i = 0; i < lanes; i++)
				to[lanes * k + i] = from[lanes * k + i] * sign[i];
	}
}

static void flip_doubles(double *restrict to, const double *restrict from, size_t n, unsigned lanes, const float *sign)
{
	for (size_t k = 0; k < n; k++)
		for (unsigned i = 0; i < lanes; i++)
			to[lanes * k + i] = from[lanes * k + i] * sign[i];
}

/* *column becomes its mirror image, kept in the buffer. NULL stays NULL. */
static int mirror_column(struct anim_buffer *buffer, const void **column, const struct anim_track *track,
			 const float *sign, struct anim_error *error)
{
	const struct anim_type_info *type = &anim_types[track->type];
	size_t bytes;

	if (*column == NULL || track->n == 0)
		return 0;
	buffer->size = 0;
	if (anim_size_multiply(track->n, type->size, &bytes, error) != 0 ||
	    anim_buffer_extend(buffer, bytes, error) == NULL)
		return -1;
	if (type->scalar == ANIM_SCALAR_F32)
		flip_floats((float *)(void *)buffer->data, *column, track->n, type->lanes, sign);
	else
		flip_doubles((double *)(void *)buffer->data, *column, track->n, type->lanes, sign);
	*column = buffer->data;
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_track out = *track;
	enum meaning meaning = NOTHING;
	float sign[16];

	if (a->mirrors_clip && meaning_of(a, track, &meaning, error) != 0)
		return -1;
	if (meaning == NOTHING || !lane_signs(a, track, meaning, sign))
		return anim_sink_track(a->next, track, error);
	out.record = NULL;
	if (mirror_column(&a->columns[0], &out.value, track, sign, error) != 0 ||
	    mirror_column(&a->columns[1], &out.left, track, sign, error) != 0 ||
	    mirror_column(&a->columns[2], &out.right, track, sign, error) != 0)
		return -1;
	return anim_sink_track(a->next, &out, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return anim_sink_record(((struct axes *)sink)->next, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct axes *filter = (struct axes *)sink;

	return anim_rests_check(&filter->rests, error) != 0 ? -1 : anim_sink_end(filter->next, error);
}

static void on_free(struct anim_sink *sink)
{
	struct axes *a = (struct axes *)sink;

	anim_sink_free(a->next);
	anim_arena_clear(&a->clip_arena);
	anim_arena_clear(&a->node_arena);
	anim_rests_clear(&a->rests);
	for (int i = 0; i < 3; i++)
		anim_buffer_clear(&a->columns[i]);
	free(a);
}

struct anim_sink *anim_axes_new(const struct anim_axes_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};
	struct axes *a = calloc(1, sizeof *a);

	if (a == NULL) {
		anim_fail_memory(error);
		anim_sink_free(next);
		return NULL;
	}
	a->sink.ops = &ops;
	a->options = *options;
	a->next = next;
	a->root = ".";
	return &a->sink;
}
