/* axes.c: from one engine's axes to another's: nodes, and the filter itself. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "filter/axes/internal.h"

/* --- Nodes of the tree from one engine's axes to another's --- */

#define POSE_COMPONENTS 10 /* position, rotation, scale */

/* What becomes of a node's own transform. */
struct change {
	struct axes_map point, rotation;
};

/*
 * Unity has no two-dimensional nodes. What may be meant so are those that its two-dimensional scenes are made of, and
 * that a scene's own root has no class; meshes and lights stay in space.
 */
static bool may_be_flat(const struct anim_node *node)
{
	static const char *const classes[] = {"", "Transform", "RectTransform", "SpriteRenderer", "Camera"};

	return anim_text_is_one_of(node->type, classes, ANIM_COUNT(classes));
}

static bool leans(const struct anim_node *node)
{
	return (node->has & ANIM_HAS_ROTATION) &&
	       (fabs((double)node->rotation[0]) > AXES_LEAN || fabs((double)node->rotation[1]) > AXES_LEAN);
}

static int warn_of_flattening(struct axes *a, const struct anim_node *node, struct anim_error *error)
{
	if (leans(node))
		return anim_diagnostics_warn(
		    a->options.diagnostics, "nodes are turned about x or y; they stay three-dimensional", error,
		    "node '%s' is turned about x or y; it stays three-dimensional", node->path);
	if (node->position[2] == 0 || node->kind == ANIM_NODE_CAMERA)
		return 0;
	return anim_diagnostics_warn(
	    a->options.diagnostics, "nodes have a depth (z), which is left out; draw order is z_index in Godot", error,
	    "node '%s' has a depth (z), which is left out; draw order is z_index in Godot", node->path);
}

/* A node into the target's axes. *out is a copy of the node; texts are kept in node_arena. 0 or -1. */
static int axes_node_enter(struct axes *a, const struct anim_node *node, struct axes_node *known,
			   struct anim_error *error)
{
	const struct axes_node *nodes = (const struct axes_node *)(const void *)a->nodes.data;
	bool in_space = !(node->has & ANIM_HAS_2D),
	     shines = node->kind == ANIM_NODE_CAMERA || node->kind == ANIM_NODE_LIGHT;
	size_t number = a->rests.count - 1;

	known->flat = !in_space;
	/* A mirror of Z reverses the way they look by itself. */
	known->turned = in_space && shines && !a->flat && a->options.mirror == ANIM_MIRROR_X;
	known->below_turned = in_space && node->parent < number && nodes[node->parent].turned;
	if (!in_space || !a->flattens_tree || !may_be_flat(node))
		return 0;
	known->flat = !leans(node);
	return warn_of_flattening(a, node, error);
}

/* Reads "px py pz qx qy qz qw sx sy sz". 1, 0 where the text is not that, -1 out of memory. */
static int read_pose(struct axes *a, const char *pose, float numbers[POSE_COMPONENTS], struct anim_error *error)
{
	size_t length = strlen(pose);
	char *padded = anim_arena_zeroed(&a->node_arena, length + ANIM_INPUT_SLACK, 1, error);
	const char *at = padded;

	if (padded == NULL)
		return -1;
	memcpy(padded, pose, length);
	for (unsigned i = 0; i < POSE_COMPONENTS; i++) {
		while (*at == ' ')
			at++;
		if ((at = anim_number_float(at, padded + length, &numbers[i])) == NULL)
			return 0;
	}
	return 1;
}

static int set_attr(struct axes *a, struct anim_node *out, const char *key, const char *value, struct anim_error *error)
{
	struct anim_attrs attrs = out->attrs;

	return anim_attrs_with(&out->attrs, &attrs, key, value, &a->node_arena, error);
}

/* The attribute godot.pose in the other axes; one that is no pose stays. */
static int change_pose(struct axes *a, const struct change *change, struct anim_node *out, struct anim_error *error)
{
	const char *pose = anim_attrs_get(&out->attrs, "godot.pose");
	char text[POSE_COMPONENTS * (ANIM_NUMBER_MAX + 1)], *to = text;
	float numbers[POSE_COMPONENTS];
	int status = pose == NULL ? 0 : read_pose(a, pose, numbers, error);

	if (status <= 0)
		return status;
	if (!axes_map_floats(&change->point, numbers, numbers) ||
	    !axes_map_floats(&change->rotation, numbers + 3, numbers + 3))
		return 0;
	for (unsigned i = 0; i < POSE_COMPONENTS; i++) {
		to += anim_number_print_float(to, numbers[i]);
		*to++ = i + 1 < POSE_COMPONENTS ? ' ' : '\0';
	}
	return set_attr(a, out, "godot.pose", text, error);
}

/* The attribute godot.skew, which runs the other way round. */
static int change_skew(struct axes *a, struct anim_node *out, struct anim_error *error)
{
	const char *skew = anim_attrs_get(&out->attrs, "godot.skew");
	const char *turned;

	if (skew == NULL || *skew == '\0')
		return 0;
	turned = *skew == '-' ? skew + 1 : anim_arena_printf(&a->node_arena, error, "-%s", skew);
	return turned == NULL ? -1 : set_attr(a, out, "godot.skew", turned, error);
}

static int change_transform(const struct change *change, struct anim_node *out, struct anim_error *error)
{
	bool finite = true;

	if (out->has & ANIM_HAS_POSITION)
		finite = axes_map_floats(&change->point, out->position, out->position);
	if (out->has & ANIM_HAS_ROTATION)
		axes_map_floats(&change->rotation, out->rotation, out->rotation);
	return finite ? 0 : anim_fail(error, ANIM_BAD_INPUT, "node '%s' lies beyond what a float holds", out->path);
}

static void flat_change(const struct axes *a, struct change *change)
{
	axes_flat_point(a, &change->point);
	axes_map_init(&change->rotation, 4);
	change->rotation.factor[2] = -1;
}

/* What Unity's nodes lose on the way into two dimensions. */
static void flatten(struct anim_node *out)
{
	if (out->has & ANIM_HAS_2D)
		return;
	out->has |= ANIM_HAS_2D;
	out->position[2] = out->rotation[0] = out->rotation[1] = 0;
	out->scale[2] = 1;
}

static bool is_identity(const float q[4])
{
	return q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 1;
}

/* Nodes of Godot that have no place, whatever is above them. */
static bool has_place(const struct anim_node *node)
{
	static const char *const none[] = {"Node", "AnimationPlayer", "AnimationTree", "AudioStreamPlayer", "Timer",
					   "Tween"};

	return node->has != 0 || !anim_text_is_one_of(node->type, none, ANIM_COUNT(none));
}

/*
 * A rotation that was not told is none: half a turn must be told. One that comes back to none where nothing else was told
 * was made here on the way there.
 */
static void turn_untold(struct anim_node *out)
{
	if (!(out->has & ANIM_HAS_ROTATION)) {
		out->has |= ANIM_HAS_ROTATION;
		memcpy(out->rotation, (const float[4]){0, 0, 0, 1}, sizeof out->rotation);
	}
}

static void forget_untold(struct anim_node *out)
{
	if (out->has != ANIM_HAS_ROTATION || !is_identity(out->rotation))
		return;
	out->has = 0;
	memcpy(out->rotation, (const float[4]){0, 0, 0, 1}, sizeof out->rotation);
}

static int change_in_space(struct axes *a, const struct axes_node *known, struct anim_node *out,
			   struct anim_error *error)
{
	bool turns = known->turned || known->below_turned;
	struct change change;

	axes_space_point(a, known->below_turned, &change.point);
	axes_space_rotation(a, known->below_turned, known->turned, &change.rotation);
	if (turns && has_place(out))
		turn_untold(out);
	if (!(out->has & (ANIM_HAS_POSITION | ANIM_HAS_ROTATION)))
		return 0;
	out->record = NULL;
	if (change_transform(&change, out, error) != 0)
		return -1;
	if (turns)
		forget_untold(out);
	return change_pose(a, &change, out, error);
}

static int axes_node_change(struct axes *a, const struct axes_node *known, struct anim_node *out,
			    struct anim_error *error)
{
	struct change change;

	if (known->flat != a->flat)
		return 0;
	if (!a->flat)
		return change_in_space(a, known, out, error);
	out->record = NULL;
	flatten(out);
	flat_change(a, &change);
	if (change_transform(&change, out, error) != 0 || change_pose(a, &change, out, error) != 0)
		return -1;
	return change_skew(a, out, error);
}

/* --- From one engine's axes to another's: which trees, nodes, clips and tracks change --- */

int anim_axes_find(const char *name, enum anim_axes *axes, enum anim_axes2d *axes2d)
{
	static const char *const flat[] = {[ANIM_AXES2D_GODOT] = "godot2d", [ANIM_AXES2D_UNITY] = "unity2d"};

	*axes = ANIM_AXES_UNKNOWN;
	*axes2d = ANIM_AXES2D_UNKNOWN;
	for (int i = ANIM_AXES_GODOT; i < ANIM_AXES_COUNT; i++)
		if (strcasecmp(anim_axes_names[i], name) == 0)
			*axes = (enum anim_axes)i;
	for (int i = ANIM_AXES2D_GODOT; i < ANIM_AXES2D_COUNT; i++)
		if (strcasecmp(flat[i], name) == 0)
			*axes2d = (enum anim_axes2d)i;
	return *axes == ANIM_AXES_UNKNOWN && *axes2d == ANIM_AXES2D_UNKNOWN ? -1 : 0;
}

static bool is_left_handed(enum anim_axes axes)
{
	return axes == ANIM_AXES_UNITY || axes == ANIM_AXES_RESONITE;
}

bool anim_axes_differ(enum anim_axes a, enum anim_axes b)
{
	return a != ANIM_AXES_UNKNOWN && b != ANIM_AXES_UNKNOWN && is_left_handed(a) != is_left_handed(b);
}

/*
 * Whether what is in these axes must change, with the axes of the target in their place. 1 or 0; -1 with a message where
 * nobody knows which they are.
 */
static int resolve(const struct axes *a, uint8_t *axes, uint8_t *axes2d, const char *what, const char *name,
		   struct anim_error *error)
{
	unsigned found = a->flat ? *axes2d : *axes;

	if (found == 0)
		found = a->flat ? (unsigned)a->options.from2d : (unsigned)a->options.from;
	if (found == 0 && a->options.by_default)
		return 0;
	if (found == 0)
		return anim_fail(error, ANIM_BAD_INPUT,
				 "%s '%s' does not say which %saxes it is in; tell with --from godot%s (or another)",
				 what, name, a->flat ? "two-dimensional " : "", a->flat ? "2d" : "");
	if (a->flat) {
		*axes2d = (uint8_t)a->options.target2d;
		return found != (unsigned)a->options.target2d;
	}
	*axes = (uint8_t)a->options.target;
	return anim_axes_differ((enum anim_axes)found, a->options.target);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_tree out = *tree;
	int changes = resolve(a, &out.axes, &out.axes2d, "the tree of", tree->source_file, error);

	if (changes < 0)
		return -1;
	anim_rests_clear(&a->rests);
	a->nodes.size = 0;
	a->changes_tree = changes == 1;
	a->flattens_tree = a->flat && a->changes_tree && a->options.target2d == ANIM_AXES2D_GODOT;
	if (out.axes != tree->axes || out.axes2d != tree->axes2d)
		out.record = NULL;
	return anim_filter_tree(sink, &out, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct axes_node *known = anim_buffer_extend(&a->nodes, sizeof *known, error);
	struct anim_node out = *node;

	anim_arena_reset(&a->node_arena);
	if (known == NULL || anim_rests_add(&a->rests, node, error) != 0 || axes_node_enter(a, node, known, error) != 0)
		return -1;
	if (a->changes_tree && axes_node_change(a, known, &out, error) != 0)
		return -1;
	return anim_filter_node(sink, &out, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_clip out = *clip;
	int changes = resolve(a, &out.axes, &out.axes2d, "clip", clip->name, error);

	if (changes < 0)
		return -1;
	anim_arena_reset(&a->clip_arena);
	if (anim_clip_copy(&a->clip, clip, &a->clip_arena, error) != 0)
		return -1;
	a->changes_clip = changes == 1;
	a->from = clip->axes;
	if (out.axes != clip->axes || out.axes2d != clip->axes2d)
		out.record = NULL;
	return anim_filter_clip(sink, &out, error);
}

/* Once for a clip, and all clips that say the same are told together. */
static int tell_change(struct axes *a, struct anim_error *error)
{
	unsigned from = a->from;

	a->from = ANIM_AXES_UNKNOWN;
	if (!a->options.by_default || from == ANIM_AXES_UNKNOWN)
		return 0;
	return anim_diagnostics_note(a->options.diagnostics, NULL, error, "converted from %s axes to %s axes",
				     anim_axes_names[from], anim_axes_names[a->options.target]);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_track out = *track;
	enum axes_verdict verdict = AXES_PASS;

	anim_arena_reset(&a->track_arena);
	if (a->changes_clip)
		verdict = axes_track(a, track, &out, error);
	if (verdict == AXES_FAILED || (verdict != AXES_PASS && tell_change(a, error) != 0))
		return -1;
	return verdict == AXES_DROPPED ? 0 : anim_filter_track(sink, &out, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return anim_rests_check(&((struct axes *)sink)->rests, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct axes *a = (struct axes *)sink;

	anim_arena_clear(&a->clip_arena);
	anim_arena_clear(&a->node_arena);
	anim_arena_clear(&a->track_arena);
	anim_rests_clear(&a->rests);
	anim_buffer_clear(&a->nodes);
	for (int i = 0; i < AXES_COLUMNS; i++)
		anim_buffer_clear(&a->columns[i]);
	anim_filter_free(sink);
}

struct anim_sink *anim_axes_new(const struct anim_axes_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};
	struct axes *a = anim_filter_new(sizeof *a, &ops, next, error);

	if (a == NULL)
		return NULL;
	a->options = *options;
	a->flat = options->target2d != ANIM_AXES2D_UNKNOWN;
	a->clip.root = ".";
	return &a->filter.sink;
}
