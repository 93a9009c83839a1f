/* node.c: nodes of the tree from one engine's axes to another's. */
#include <math.h>
#include <string.h>

#include "base/input.h"
#include "base/number.h"
#include "filter/axes/internal.h"

#define POSE_LANES 10 /* position, rotation, scale */

/* What becomes of a node's own transform. */
struct change {
	struct axes_map point, rotation;
};

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words != NULL && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

/*
 * Unity has no two-dimensional nodes. What may be meant so are those that its two-dimensional scenes are made of, and
 * that a scene's own root has no class; meshes and lights stay in space.
 */
static bool may_be_flat(const struct anim_node *node)
{
	static const char *const classes[] = {"", "Transform", "RectTransform", "SpriteRenderer", "Camera", NULL};

	return is_one_of(node->type, classes);
}

static bool leans(const struct anim_node *node)
{
	return (node->has & ANIM_HAS_ROTATION) &&
	       (fabs((double)node->rotation[0]) > AXES_LEAN || fabs((double)node->rotation[1]) > AXES_LEAN);
}

static int warn_of_flattening(struct axes *a, const struct anim_node *node, struct anim_error *error)
{
	if (leans(node))
		return anim_losses_add(a->options.losses, ANIM_WARNING, NULL,
				       "nodes are turned about x or y; they stay three-dimensional", error,
				       "node '%s' is turned about x or y; it stays three-dimensional", node->path);
	if (node->position[2] == 0 || node->kind == ANIM_NODE_CAMERA)
		return 0;
	return anim_losses_add(a->options.losses, ANIM_WARNING, NULL,
			       "nodes have a depth (z), which is left out; draw order is z_index in Godot", error,
			       "node '%s' has a depth (z), which is left out; draw order is z_index in Godot",
			       node->path);
}

int axes_node_enter(struct axes *a, const struct anim_node *node, struct axes_node *known, struct anim_error *error)
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

static int set_attr(struct axes *a, struct anim_node *out, const char *key, const char *value, struct anim_error *error)
{
	struct anim_attrs attrs = out->attrs;

	return anim_attrs_with(&out->attrs, &attrs, key, value, &a->node_arena, error);
}

/* The attribute godot.pose in the other axes; one that is no pose stays. */
static int change_pose(struct axes *a, const struct change *change, struct anim_node *out, struct anim_error *error)
{
	const char *pose = anim_attrs_get(&out->attrs, "godot.pose");
	char text[POSE_LANES * (ANIM_NUMBER_MAX + 1)], *to = text;
	float numbers[POSE_LANES];
	int status = pose == NULL ? 0 : read_pose(a, pose, numbers, error);

	if (status <= 0)
		return status;
	if (!axes_map_floats(&change->point, numbers, numbers) ||
	    !axes_map_floats(&change->rotation, numbers + 3, numbers + 3))
		return 0;
	for (unsigned i = 0; i < POSE_LANES; i++) {
		to += anim_number_print_float(to, numbers[i]);
		*to++ = i + 1 < POSE_LANES ? ' ' : '\0';
	}
	return set_attr(a, out, "godot.pose", text, error);
}

/* The attribute godot.skew, which runs the other way round. */
static int change_skew(struct axes *a, struct anim_node *out, struct anim_error *error)
{
	const char *skew = anim_attrs_get(&out->attrs, "godot.skew");
	size_t length = skew == NULL ? 0 : strlen(skew);
	char *text = skew == NULL ? NULL : anim_arena_alloc(&a->node_arena, length + 2, error);

	if (skew == NULL || *skew == '\0')
		return 0;
	if (text == NULL)
		return -1;
	text[0] = '-';
	memcpy(text + 1, skew, length + 1);
	return set_attr(a, out, "godot.skew", *skew == '-' ? text + 2 : text, error);
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
	static const char *const none[] = {
	    "Node", "AnimationPlayer", "AnimationTree", "AudioStreamPlayer", "Timer", "Tween", NULL};

	return node->has != 0 || !is_one_of(node->type, none);
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

int axes_node_change(struct axes *a, const struct axes_node *known, struct anim_node *out, struct anim_error *error)
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
