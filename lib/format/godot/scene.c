/* scene.c: reads [node] sections into a tree of nodes, finds nodes by path, and writes the records TREE and NODE. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/godot/document.h"
#include "format/godot/scene.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ---- The tree ---- */

#define NODES_MAX 0x7FFFFFFFu

/*
 * Scopes of tree->names: children are in the scope of the number of their parent. A bone has an empty name in its own
 * scope.
 */
#define SCOPE_UNIQUE ((uint64_t)1 << 40)

static uint64_t bone_scope(uint32_t node, uint32_t index)
{
	return (uint64_t)1 << 63 | (uint64_t)node << 32 | index;
}

struct godot_node *godot_tree_node(const struct godot_tree *tree, uint32_t node)
{
	return (struct godot_node *)tree->nodes.data + node;
}

uint32_t godot_tree_count(const struct godot_tree *tree)
{
	return (uint32_t)(tree->nodes.size / sizeof(struct godot_node));
}

/* Find the first child with that name. */
static bool tree_child(const struct godot_tree *tree, uint32_t parent, const char *name, size_t length, uint32_t *child)
{
	return anim_map_get(&tree->names, parent, name, length, child);
}

/* Add a node below `parent`, or the root if it is GODOT_NO_NODE. Texts are borrowed. Sets *node. Returns 0 or -1. */
static int tree_add(struct godot_tree *tree, uint32_t parent, const char *name, const char *type, uint32_t *node,
		    struct anim_error *error)
{
	struct godot_node *added;
	uint32_t twin;

	*node = godot_tree_count(tree);
	if (*node >= NODES_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "too many nodes");
	added = anim_buffer_extend(&tree->nodes, sizeof *added, error);
	if (added == NULL)
		return -1;
	*added = (struct godot_node){.name = name, .type = type, .parent = parent};
	if (parent == GODOT_NO_NODE || tree_child(tree, parent, name, strlen(name), &twin))
		return 0;
	return anim_map_put(&tree->names, parent, name, strlen(name), *node, error);
}

/* Register the node under %name. Returns 0 or -1. */
static int set_unique(struct godot_tree *tree, uint32_t node, struct anim_error *error)
{
	struct godot_node *named = godot_tree_node(tree, node);

	named->flags |= GODOT_NODE_UNIQUE;
	return anim_map_put(&tree->names, SCOPE_UNIQUE, named->name, strlen(named->name), node, error);
}

/*
 * Return the extra properties of the node, created if necessary, or NULL if out of memory. The arena must live as long
 * as the tree.
 */
static struct godot_node_extra *tree_extra(struct godot_tree *tree, uint32_t node, struct anim_arena *arena,
					   struct anim_error *error)
{
	struct godot_node *owner = godot_tree_node(tree, node);

	if (owner->extra == NULL && (owner->extra = anim_arena_zeroed(arena, 1, sizeof *owner->extra, error)) != NULL)
		owner->extra->bone_index = GODOT_NO_BONE;
	return owner->extra;
}

static struct godot_placement *tree_placement(struct godot_tree *tree, uint32_t node, struct anim_arena *arena,
					      struct anim_error *error)
{
	struct godot_node *owner = godot_tree_node(tree, node);

	if (owner->placement == NULL &&
	    (owner->placement = anim_arena_zeroed(arena, 1, sizeof *owner->placement, error)) != NULL)
		owner->placement->rotation_order = ANIM_EULER_YXZ;
	return owner->placement;
}

/* ---- Nodes by path ---- */

bool godot_tree_find(const struct godot_tree *tree, uint32_t from, const char *path, uint32_t *node)
{
	size_t end = strcspn(path, ":");

	*node = from;
	if (from >= godot_tree_count(tree) || path[0] == '/')
		return false;
	for (size_t at = 0, length; at < end; at += length + 1) {
		const char *name = path + at;
		bool found = true;

		length = strcspn(name, "/:");
		if (length == 2 && memcmp(name, "..", 2) == 0) {
			*node = godot_tree_node(tree, *node)->parent;
			found = *node != GODOT_NO_NODE;
		} else if (length > 0 && name[0] == '%') {
			found = anim_map_get(&tree->names, SCOPE_UNIQUE, name + 1, length - 1, node);
		} else if (length > 0 && !(length == 1 && name[0] == '.')) {
			found = tree_child(tree, *node, name, length, node);
		}
		if (!found)
			return false;
	}
	return true;
}

float godot_tree_motion_scale(const struct godot_tree *tree, uint32_t from, const char *path)
{
	const struct godot_node_extra *extra;
	uint32_t node;

	if (!godot_tree_find(tree, from, path, &node))
		return 1;
	extra = godot_tree_node(tree, node)->extra;
	return extra == NULL || extra->motion_scale == 0 ? 1 : extra->motion_scale;
}

/* Append the path from the root to the node, `.` for the root itself. Returns 0 or -1. */
static int append_path(const struct godot_tree *tree, uint32_t node, struct anim_buffer *out, struct anim_error *error)
{
	size_t size = 0, end;
	char *at;

	if (node == 0)
		return anim_buffer_append(out, ".", 1, error);
	for (uint32_t i = node; i != 0; i = godot_tree_node(tree, i)->parent)
		size += strlen(godot_tree_node(tree, i)->name) + 1;
	at = anim_buffer_extend(out, size - 1, error);
	if (at == NULL)
		return -1;
	end = size - 1;
	for (uint32_t i = node; i != 0; i = godot_tree_node(tree, i)->parent) {
		const char *name = godot_tree_node(tree, i)->name;
		size_t length = strlen(name);

		memcpy(at + end - length, name, length);
		if (end > length)
			at[end - length - 1] = '/';
		end -= length + 1;
	}
	return 0;
}

/* Apply one step of a path to the text in `out`. The nodes need not exist, except for %Name. */
static int step_text(const struct godot_tree *tree, struct anim_buffer *out, const char *name, size_t length,
		     struct anim_error *error)
{
	uint32_t node;

	if (length == 0 || (length == 1 && name[0] == '.'))
		return 0;
	if (length == 2 && memcmp(name, "..", 2) == 0) {
		size_t size = out->size;

		/* Remove the last name. Above the root of the scene, `..` is added. */
		if (size == 0)
			return anim_buffer_append(out, "..", 2, error);
		if (size >= 2 && memcmp(out->data + size - 2, "..", 2) == 0 &&
		    (size == 2 || out->data[size - 3] == '/'))
			return anim_buffer_append(out, "/..", 3, error);
		while (out->size > 0 && out->data[out->size - 1] != '/')
			out->size--;
		if (out->size > 0)
			out->size--;
		return 0;
	}
	if (name[0] == '%' && anim_map_get(&tree->names, SCOPE_UNIQUE, name + 1, length - 1, &node)) {
		out->size = 0;
		return node == 0 ? 0 : append_path(tree, node, out, error);
	}
	if (out->size > 0 && anim_buffer_append(out, "/", 1, error) != 0)
		return -1;
	return anim_buffer_append(out, name, length, error);
}

const char *godot_tree_resolve(const struct godot_tree *tree, uint32_t from, const char *relative,
			       struct anim_arena *arena, struct anim_error *error)
{
	size_t length = strcspn(relative, ":");
	struct anim_buffer out = {0};
	const char *result = NULL;

	if (length > 0 && relative[0] == '/')
		return anim_arena_text(arena, relative, length, error);
	if (from != 0 && append_path(tree, from, &out, error) != 0)
		goto done;
	for (size_t at = 0; at < length;) {
		size_t name = strcspn(relative + at, "/:");

		if (step_text(tree, &out, relative + at, name, error) != 0)
			goto done;
		at += name + 1;
	}
	result = out.size == 0 ? "." : anim_arena_text(arena, (const char *)out.data, out.size, error);
done:
	anim_buffer_clear(&out);
	return result;
}

/* ---- Bones of a node ---- */

/* Return bone N of a node, or NULL. The pointer becomes invalid when bones are added. */
static struct godot_bone *find_bone(const struct godot_tree *tree, uint32_t node, uint32_t index)
{
	uint32_t at;

	if (!anim_map_get(&tree->names, bone_scope(node, index), "", 0, &at))
		return NULL;
	return (struct godot_bone *)godot_tree_node(tree, node)->extra->bones.data + at;
}

static void pose_identity(float pose[GODOT_POSE_COMPONENTS])
{
	static const float identity[GODOT_POSE_COMPONENTS] = {[6] = 1, [7] = 1, [8] = 1, [9] = 1};

	memcpy(pose, identity, sizeof identity);
}

/* Add a bone with identity transforms to a node with extra properties. Returns NULL if out of memory. */
static struct godot_bone *add_bone(struct godot_tree *tree, uint32_t node, uint32_t index, struct anim_error *error)
{
	struct anim_buffer *bones = &godot_tree_node(tree, node)->extra->bones;
	uint32_t at = (uint32_t)(bones->size / sizeof(struct godot_bone));
	struct godot_bone *bone = anim_buffer_extend(bones, sizeof *bone, error);

	if (bone == NULL || anim_map_put(&tree->names, bone_scope(node, index), "", 0, at, error) != 0)
		return NULL;
	*bone = (struct godot_bone){.index = index, .parent = GODOT_NO_BONE};
	pose_identity(bone->rest);
	pose_identity(bone->pose);
	tree->bones++;
	return bone;
}

void godot_tree_clear(struct godot_tree *tree)
{
	for (uint32_t i = 0; i < godot_tree_count(tree); i++)
		if (godot_tree_node(tree, i)->extra != NULL)
			anim_buffer_clear(&godot_tree_node(tree, i)->extra->bones);
	anim_buffer_clear(&tree->nodes);
	anim_map_clear(&tree->names);
}

/* ---- Transforms, decomposed to position, rotation and scale ---- */

static bool all_finite(const float *components, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(components[i]))
			return false;
	return true;
}

/* Decompose a 4 x 4 matrix, stored row by row. */
static void pose_of_matrix(float pose[GODOT_POSE_COMPONENTS], const float m[16])
{
	static const float none[4] = {0, 0, 0, 1};
	float *rotation = pose + 3;
	double length = 0;

	anim_transform_decompose(pose, pose + 3, pose + 7, m);

	/*
	 * Replace a rotation that does not have length 1 by the identity. A transform that scales an axis to 0 has no
	 * defined rotation.
	 */
	for (size_t i = 0; i < 4; i++)
		length += (double)rotation[i] * rotation[i];
	if (!(fabs(length - 1) < 1e-3)) /* far more than rounding; also true for NaN */
		memcpy(rotation, none, sizeof none);
}

static void pose_of_transform(const double numbers[12], float pose[GODOT_POSE_COMPONENTS])
{
	float m[16] = {[15] = 1};

	for (size_t row = 0; row < 3; row++) {
		for (size_t column = 0; column < 3; column++)
			m[4 * row + column] = (float)numbers[3 * row + column];
		m[4 * row + 3] = (float)numbers[9 + row];
	}
	pose_of_matrix(pose, m);
}

/*
 * Decompose like Transform2D::get_rotation, get_scale and get_skew of Godot. The numbers are the x axis, the y axis and
 * the origin.
 */
static void pose_of_transform2d(const float numbers[6], float pose[GODOT_POSE_COMPONENTS], float *skew)
{
	double xx = numbers[0], xy = numbers[1], yx = numbers[2], yy = numbers[3];
	double x_length = sqrt(xx * xx + xy * xy), y_length = sqrt(yx * yx + yy * yy);
	double sign = xx * yy - xy * yx < 0 ? -1 : 1, sine, cosine;

	pose[0] = numbers[4];
	pose[1] = numbers[5];
	pose[2] = pose[3] = pose[4] = 0;
	anim_sincos(anim_atan2(xy, xx) / 2, &sine, &cosine);
	pose[5] = (float)sine;
	pose[6] = (float)cosine;
	pose[7] = (float)x_length;
	pose[8] = (float)(sign * y_length);
	pose[9] = 1;
	*skew = 0;
	if (x_length > 0 && y_length > 0)
		*skew = (float)(anim_acos(sign * (xx * yx + xy * yy) / (x_length * y_length)) - ANIM_PI / 2);
}

/* ---- Transform properties of Godot ---- */

enum placement_meaning {
	MEANS_POSITION,
	MEANS_ROTATION,
	MEANS_DEGREES,
	/* 2-D degrees of Godot 2 are anticlockwise on the screen, degrees of later versions clockwise */
	MEANS_DEGREES_UP,
	MEANS_SCALE,
	MEANS_SKEW,
	MEANS_TRANSFORM,
	MEANS_ORDER
};

static const struct {
	const char *property;
	enum placement_meaning meaning;
} properties[] = {
    {"transform", MEANS_TRANSFORM},
    {"position", MEANS_POSITION},
    {"rotation", MEANS_ROTATION},
    {"quaternion", MEANS_ROTATION},
    {"basis", MEANS_TRANSFORM},
    {"scale", MEANS_SCALE},
    {"skew", MEANS_SKEW},
    {"rotation_order", MEANS_ORDER},
    {"rotation_degrees", MEANS_DEGREES},
    {"translation", MEANS_POSITION},
    {"rect_position", MEANS_POSITION},
    {"rect_rotation", MEANS_DEGREES},
    {"rect_scale", MEANS_SCALE},
    {"transform/pos", MEANS_POSITION},
    {"transform/rot", MEANS_DEGREES_UP},
    {"transform/scale", MEANS_SCALE},
    {"transform/local", MEANS_TRANSFORM},
};

static void to_floats(float *out, const double *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = (float)numbers[i];
}

/* Set a vector of three components, or of two components. The latter makes the node 2-D. */
static void set_vector(struct godot_placement *placement, float *components, uint8_t bit,
		       const struct godot_value *value)
{
	if (value->type != GODOT_VECTOR3 && value->type != GODOT_VECTOR2)
		return;
	to_floats(components, value->numbers, value->type == GODOT_VECTOR3 ? 3 : 2);
	placement->has |= bit;
	if (value->type == GODOT_VECTOR2)
		placement->has |= ANIM_HAS_2D;
}

/* Set the rotation from Euler angles, a quaternion, or the single angle of a 2-D node. */
static void set_rotation(struct godot_placement *placement, const struct godot_value *value, double unit)
{
	double angle;

	if (value->type == GODOT_QUATERNION) {
		to_floats(placement->rotation, value->numbers, 4);
		placement->has = (uint8_t)((placement->has | ANIM_HAS_ROTATION) & ~GODOT_EULER);
		return;
	}
	if (value->type == GODOT_VECTOR3) {
		for (size_t i = 0; i < 3; i++)
			placement->euler[i] = (float)(value->numbers[i] * unit);
	} else if (godot_value_number(value, &angle)) {
		placement->euler[2] = (float)(angle * unit);
		placement->has |= ANIM_HAS_2D;
	} else {
		return;
	}
	placement->has |= ANIM_HAS_ROTATION | GODOT_EULER;
}

static void set_pose(struct godot_placement *placement, const float *pose, uint8_t more)
{
	if (more & ANIM_HAS_POSITION)
		memcpy(placement->position, pose, sizeof placement->position);
	memcpy(placement->rotation, pose + 3, sizeof placement->rotation);
	memcpy(placement->scale, pose + 7, sizeof placement->scale);
	placement->has = (uint8_t)((placement->has | more | ANIM_HAS_ROTATION | ANIM_HAS_SCALE) & ~GODOT_EULER);
}

/* Apply a property. A value of an unsuitable type is ignored. */
static void apply_placement(struct godot_placement *placement, enum placement_meaning meaning,
			    const struct godot_value *value)
{
	float pose[GODOT_POSE_COMPONENTS], axes[6];
	double skew, basis[12] = {0};

	switch (meaning) {
	case MEANS_POSITION:
		set_vector(placement, placement->position, ANIM_HAS_POSITION, value);
		break;
	case MEANS_SCALE:
		set_vector(placement, placement->scale, ANIM_HAS_SCALE, value);
		break;
	case MEANS_ROTATION:
		set_rotation(placement, value, 1);
		break;
	case MEANS_DEGREES:
		set_rotation(placement, value, ANIM_PI / 180);
		break;
	case MEANS_DEGREES_UP:
		set_rotation(placement, value, -ANIM_PI / 180);
		break;
	case MEANS_TRANSFORM:
		if (value->type == GODOT_TRANSFORM3D) {
			pose_of_transform(value->numbers, pose);
			set_pose(placement, pose, ANIM_HAS_POSITION);
		} else if (value->type == GODOT_BASIS) {
			memcpy(basis, value->numbers, 9 * sizeof *basis);
			pose_of_transform(basis, pose);
			set_pose(placement, pose, 0);
		} else if (value->type == GODOT_TRANSFORM2D) {
			to_floats(axes, value->numbers, 6);
			pose_of_transform2d(axes, pose, &placement->skew);
			set_pose(placement, pose, ANIM_HAS_POSITION | ANIM_HAS_2D | GODOT_SKEW);
		}
		break;
	case MEANS_SKEW:
		if (!godot_value_number(value, &skew) || !isfinite(skew))
			break;
		placement->skew = (float)skew;
		placement->has |= GODOT_SKEW;
		break;
	case MEANS_ORDER:
		if (value->type == GODOT_INT && value->integer >= 0 && value->integer <= 5)
			placement->rotation_order = (uint8_t)value->integer;
		break;
	}
}

/* ---- bones/N/WHAT of a Skeleton or Skeleton3D, or of an instance that overrides one ---- */

/* Split bones/N/WHAT. Returns WHAT, or NULL if the property does not have this form. */
static const char *split_bone(const char *property, uint32_t *index)
{
	static const char prefix[] = "bones/";
	const char *digits = property + sizeof prefix - 1;
	size_t count;

	if (strncmp(property, prefix, sizeof prefix - 1) != 0)
		return NULL;
	count = strspn(digits, "0123456789");
	if (count == 0 || count > 9 || digits[count] != '/')
		return NULL;
	*index = 0;
	for (size_t i = 0; i < count; i++)
		*index = 10 * *index + (uint32_t)(digits[i] - '0');
	return digits + count + 1;
}

/* Set a complete rest pose or pose. A transform that is not finite is ignored. */
static void set_bone_transform(struct godot_bone *bone, float *components, unsigned flags,
			       const struct godot_value *value)
{
	float pose[GODOT_POSE_COMPONENTS];

	if (value->type != GODOT_TRANSFORM3D)
		return;
	pose_of_transform(value->numbers, pose);
	if (!all_finite(pose, GODOT_POSE_COMPONENTS))
		return;
	memcpy(components, pose, sizeof pose);
	bone->flags |= flags;
}

/* Set some components of the pose, in the form of Godot 4. */
static void set_components(struct godot_bone *bone, size_t first, size_t count, enum godot_type type, unsigned flag,
			   const struct godot_value *value)
{
	float pose[GODOT_POSE_COMPONENTS];

	if (value->type != type)
		return;
	memcpy(pose, bone->pose, sizeof pose);
	to_floats(pose + first, value->numbers, count);
	if (!all_finite(pose, GODOT_POSE_COMPONENTS))
		return;
	memcpy(bone->pose, pose, sizeof pose);
	bone->flags |= flag;
}

/* Apply WHAT to bone `index`. A value of an unsuitable type is ignored. Returns 0, or -1 if out of memory. */
static int set_bone(struct godot_parse *parse, uint32_t node, uint32_t index, const char *what,
		    const struct godot_value *value)
{
	const unsigned whole = GODOT_BONE_POSITION | GODOT_BONE_ROTATION | GODOT_BONE_SCALE;
	struct godot_tree *tree = &parse->document->tree;
	struct godot_bone *bone;

	if (tree_extra(tree, node, &parse->context->arena, parse->error) == NULL)
		return -1;
	bone = find_bone(tree, node, index);
	if (bone == NULL && (bone = add_bone(tree, node, index, parse->error)) == NULL)
		return -1;
	if (strcmp(what, "name") == 0 && godot_value_is_name(value) && value->text.length > 0) {
		bone->name = godot_keep(parse->context, &value->text);
		return bone->name == NULL ? -1 : 0;
	}
	if (strcmp(what, "parent") == 0) {
		bool is_index = value->type == GODOT_INT && value->integer >= 0 && value->integer < GODOT_NO_BONE;

		bone->parent = is_index ? (uint32_t)value->integer : GODOT_NO_BONE;
	} else if (strcmp(what, "rest") == 0) {
		set_bone_transform(bone, bone->rest, GODOT_BONE_REST, value);
	} else if (strcmp(what, "pose") == 0) {
		set_bone_transform(bone, bone->pose, whole | GODOT_BONE_RELATIVE, value);
	} else if (strcmp(what, "position") == 0) {
		set_components(bone, 0, 3, GODOT_VECTOR3, GODOT_BONE_POSITION, value);
	} else if (strcmp(what, "rotation") == 0) {
		set_components(bone, 3, 4, GODOT_QUATERNION, GODOT_BONE_ROTATION, value);
	} else if (strcmp(what, "scale") == 0) {
		set_components(bone, 7, 3, GODOT_VECTOR3, GODOT_BONE_SCALE, value);
	} else if (strcmp(what, "enabled") == 0 && value->type == GODOT_BOOL) {
		bone->flags &= ~GODOT_BONE_DISABLED;
		if (!value->boolean)
			bone->flags |= GODOT_BONE_DISABLED;
	}
	return 0;
}

/* ---- Nodes of an instanced scene become part of the scene that instances it ---- */

/*
 * Insert a copy of the nodes of `inner` at `node`. The node gets the properties of the inner root, because it has none
 * yet. Returns 0 or -1.
 */
static int merge_tree(struct godot_tree *tree, uint32_t node, const struct godot_tree *inner, struct anim_arena *arena,
		      struct anim_error *error)
{
	uint32_t first = godot_tree_count(tree), count = godot_tree_count(inner), at = node;

	for (uint32_t i = 0; i < count; i++) {
		const struct godot_node *from = godot_tree_node(inner, i);
		const struct godot_node_extra *rare = from->extra;
		struct godot_placement *placement;
		struct godot_node_extra *extra;
		struct godot_node *to;

		if (i > 0 && tree_add(tree, from->parent == 0 ? node : first + from->parent - 1, from->name, from->type,
				      &at, error) != 0)
			return -1;
		to = godot_tree_node(tree, at);
		if (to->type[0] == '\0')
			to->type = from->type;
		to->flags |= from->flags & GODOT_NODE_UNREAD;
		if (from->placement != NULL) {
			placement = tree_placement(tree, at, arena, error);
			if (placement == NULL)
				return -1;
			*placement = *from->placement;
		}
		if (i > 0 && (from->flags & GODOT_NODE_UNIQUE) && set_unique(tree, at, error) != 0)
			return -1;
		if (rare == NULL)
			continue;
		extra = tree_extra(tree, at, arena, error);
		if (extra == NULL)
			return -1;
		if (extra->instance == NULL)
			extra->instance = rare->instance;
		if (extra->unread == NULL)
			extra->unread = rare->unread;
		extra->bone_name = rare->bone_name;
		extra->bone_index = rare->bone_index;
		memcpy(extra->rest, rare->rest, sizeof extra->rest);
		extra->has_rest = rare->has_rest;
		extra->motion_scale = rare->motion_scale;
		if (rare->player != NULL) {
			/*
			 * Its settings are valid for libraries that the outer scene adds. Its own clips belong to its
			 * own file.
			 */
			extra->player = anim_arena_zeroed(arena, 1, sizeof *extra->player, error);
			if (extra->player == NULL)
				return -1;
			extra->player->node = at;
			extra->player->root_node = rare->player->root_node;
			extra->player->autoplay = rare->player->autoplay;
		}
		for (size_t k = 0; k < rare->bones.size / sizeof(struct godot_bone); k++) {
			const struct godot_bone *inner_bone = (const struct godot_bone *)rare->bones.data + k;
			struct godot_bone *bone = add_bone(tree, at, inner_bone->index, error);

			if (bone == NULL)
				return -1;
			*bone = *inner_bone;
		}
	}
	return 0;
}

/* ---- Reading a node: its parent, its instanced scene, its properties ---- */

/* Return the player of the node, created if necessary, or NULL if out of memory. */
static struct godot_player *player_of(struct godot_parse *parse, uint32_t node)
{
	struct anim_arena *arena = &parse->context->arena;
	struct godot_node_extra *extra = tree_extra(&parse->document->tree, node, arena, parse->error);

	if (extra == NULL)
		return NULL;
	if (extra->player == NULL)
		extra->player = anim_arena_zeroed(arena, 1, sizeof *extra->player, parse->error);
	if (extra->player != NULL)
		extra->player->node = node;
	return extra->player;
}

/* Return the text of an attribute, or NULL if it is missing or not a text. */
static const struct godot_string *tag_text(const struct godot_tag *tag, const char *key)
{
	const struct godot_value *value = godot_tag_get(tag, key);

	if (value == NULL ||
	    (value->type != GODOT_STRING && value->type != GODOT_STRING_NAME && value->type != GODOT_NODE_PATH))
		return NULL;
	return &value->text;
}

/*
 * Find the node that the attribute `parent` refers to. Missing nodes are created if the file may lack them. Otherwise
 * the root is used with a warning, as in the engine. Returns 0 or -1.
 */
static int find_parent(struct godot_parse *parse, const struct godot_tag *tag, uint32_t *parent)
{
	const struct godot_string *path = tag_text(tag, "parent"), *name = tag_text(tag, "name");
	struct godot_tree *tree = &parse->document->tree;
	const char *rest;
	size_t length;

	*parent = 0;
	if (path == NULL)
		return godot_parse_warn(parse, &tag->place, NULL, "a second root, '%s', becomes a child of the first",
					name->bytes);
	if (godot_tree_find(tree, 0, path->bytes, parent))
		return 0;

	/* Find the deepest existing node of the path. */
	*parent = 0;
	for (rest = path->bytes; *rest != '\0'; rest += length + (rest[length] == '/')) {
		length = strcspn(rest, "/");
		if (length > 0 && !(length == 1 && rest[0] == '.') && !tree_child(tree, *parent, rest, length, parent))
			break;
	}
	if (strstr(path->bytes, "..") != NULL ||
	    (!tree->fragment && !(godot_tree_node(tree, *parent)->flags & GODOT_NODE_UNREAD))) {
		*parent = 0;
		if (godot_parse_warn(parse, &tag->place, "node",
				     "'%s' (parent '%s'): the parent does not exist; the root becomes the parent",
				     name->bytes, path->bytes) != 0)
			return -1;
		return godot_parse_name(parse, "'%s'", name->bytes);
	}

	/* Create the missing nodes, whose class is unknown. */
	for (; *rest != '\0'; rest += length + (rest[length] == '/')) {
		struct godot_string missing = {rest, length = strcspn(rest, "/")};
		const char *kept;

		if (length == 0 || (length == 1 && rest[0] == '.'))
			continue;
		kept = godot_keep(parse->context, &missing);
		if (kept == NULL || tree_add(tree, *parent, kept, "", parent, parse->error) != 0)
			return -1;
		godot_tree_node(tree, *parent)->flags |= GODOT_NODE_UNREAD;
	}
	return 0;
}

/* Find the node if the tag changes a node of an instance, otherwise add it. Returns 0 or -1. */
static int place_node(struct godot_parse *parse, const struct godot_tag *tag, uint32_t *node)
{
	const struct godot_string *name = tag_text(tag, "name"), *type = tag_text(tag, "type");
	struct godot_context *context = parse->context;
	struct godot_tree *tree = &parse->document->tree;
	uint32_t parent = GODOT_NO_NODE, known;
	const char *kept, *class = "";

	if (godot_tree_count(tree) == 0 && tag_text(tag, "parent") != NULL) {
		tree->fragment = true; /* a scene that does not begin with its root gets one */
		if (tree_add(tree, GODOT_NO_NODE, parse->context->base_name, "", node, parse->error) != 0)
			return -1;
	}
	if (godot_tree_count(tree) > 0 && find_parent(parse, tag, &parent) != 0)
		return -1;
	if (type == NULL && parent != GODOT_NO_NODE && tree_child(tree, parent, name->bytes, name->length, node))
		return 0;
	if (type != NULL && anim_map_get(&context->names, 0, type->bytes, type->length, &known)) {
		class = ((const char **)context->classes.data)[known];
	} else if (type != NULL) {
		/* Keep the only copy of the name of the class. */
		known = (uint32_t)(context->classes.size / sizeof class);
		class = godot_keep(context, type);
		if (class == NULL || anim_buffer_append(&context->classes, &class, sizeof class, context->error) != 0 ||
		    anim_map_put(&context->names, 0, class, type->length, known, context->error) != 0)
			return -1;
	}
	kept = godot_keep(parse->context, name);
	if (kept == NULL || tree_add(tree, parent, kept, class, node, parse->error) != 0)
		return -1;
	if (type == NULL && parent != GODOT_NO_NODE && (godot_tree_node(tree, parent)->flags & GODOT_NODE_UNREAD))
		godot_tree_node(tree, *node)->flags |= GODOT_NODE_UNREAD;
	return 0;
}

/* Return true if the node is the root of a scene that inherits another scene, and if its clips are read. */
static bool inherits(const struct godot_parse *parse, uint32_t node)
{
	return node == 0 && parse->document->want == GODOT_WANT_ALL;
}

/*
 * Report a scene that is not read. For an instanced scene, only nodes are lost, which is a note. For a base scene, its
 * players are also lost, which is a warning.
 */
static int report_unread(struct godot_parse *parse, uint32_t node, const char *path, const struct anim_place *place,
			 const char *why)
{
	godot_tree_node(&parse->document->tree, node)->flags |= GODOT_NODE_UNREAD;
	godot_tree_node(&parse->document->tree, node)->extra->unread = why;
	if (inherits(parse, node))
		return godot_parse_warn(parse, place, NULL,
					"nodes and clips of the scene that this one inherits, '%s', are not read: %s",
					path, why);
	if (godot_document_report(parse->context, parse->document, ANIM_NOTE, place, "instanced scene",
				  "'%s': not read, so nodes are missing" ANIM_DETAIL ": %s", path, why) != 0)
		return -1;
	return godot_parse_name(parse, "'%s' (%s)", path, why);
}

/* Read the instanced scene, and make its nodes a part of this one. Returns 0 or -1. */
static int follow_instance(struct godot_parse *parse, uint32_t node, const char *path, const struct anim_place *place)
{
	struct godot_context *context = parse->context;
	struct godot_document *inner;
	const char *why;
	bool heir = inherits(parse, node);
	size_t count;
	uint32_t first;
	int got = godot_external_document(context, parse->document, path, heir ? GODOT_WANT_ALL : GODOT_WANT_NODES,
					  &inner, &why);

	if (got < 0)
		return -1;
	if (got == 0)
		return report_unread(parse, node, path, place, why);
	count = godot_tree_count(&inner->tree) + inner->tree.bones;
	if (count > ANIM_INSTANCED_NODES_MAX - context->instanced_nodes)
		return report_unread(parse, node, path, place, "there are too many nodes in instanced scenes");
	context->instanced_nodes += count;
	first = godot_tree_count(&parse->document->tree);
	if (merge_tree(&parse->document->tree, node, &inner->tree, &context->arena, parse->error) != 0)
		return -1;
	/*
	 * Clips of the base scene play in the inheriting scene, where the second node of the base scene has number
	 * `first`.
	 */
	for (const struct godot_player *player = heir ? inner->players : NULL; player != NULL; player = player->next) {
		struct godot_player *own = player_of(parse, player->node == 0 ? 0 : first + player->node - 1);

		if (own == NULL || godot_player_inherit(parse, own, player, path) != 0)
			return -1;
	}
	return 0;
}

/* Read the scene that the node is an instance of, if it is one. Returns 0 or -1. */
static int read_instance(struct godot_parse *parse, const struct godot_tag *tag, uint32_t node)
{
	/* files that Godot imports as scenes, and its own */
	static const char *const scenes[] = {".tscn", ".escn",  ".scn", ".glb", ".gltf",
					     ".fbx",  ".blend", ".dae", ".obj"};
	const struct godot_value *instance = godot_tag_get(tag, "instance"), *value = instance;
	struct godot_tree *tree = &parse->document->tree;
	const struct godot_external *external;
	struct godot_node_extra *extra;
	const char *path;

	if (value == NULL)
		value = godot_tag_get(tag, "instance_placeholder");
	if (value == NULL)
		return 0;
	if (value->type == GODOT_EXT_RESOURCE) {
		external = godot_externals_find(&parse->document->externals, value->text.bytes, value->text.length);
		path = external == NULL ? "" : external->path;
	} else {
		path = godot_keep(parse->context, &value->text);
	}
	if (path == NULL)
		return -1;
	if (path[0] == '\0') {
		const char *name = godot_tree_node(tree, node)->name;

		/* The file does not declare the ext_resource. */
		if (instance == NULL)
			return 0;
		godot_tree_node(tree, node)->flags |= GODOT_NODE_UNREAD;
		if (godot_parse_warn(parse, &tag->place, "node",
				     "'%s': an instance of a resource that is not in the file", name) != 0)
			return -1;
		return godot_parse_name(parse, "'%s'", name);
	}
	extra = tree_extra(tree, node, &parse->context->arena, parse->error);
	if (extra == NULL)
		return -1;
	extra->instance = path;
	if (instance != NULL && (anim_path_has_suffix(path, scenes, ANIM_COUNT(scenes)) || inherits(parse, node)))
		return follow_instance(parse, node, path, &tag->place);
	godot_tree_node(tree, node)->flags |= GODOT_NODE_UNREAD;
	return 0;
}

/*
 * Return whether the class of the node may have a property. Scripts can have properties with the same names, so the
 * property is ignored if the class is known not to have it.
 */
static bool is_of(const struct godot_node *node, const char *class)
{
	return node->type[0] == '\0' || strncmp(node->type, class, strlen(class)) == 0;
}

/* Apply a property that belongs neither to transforms nor to bones nor to players. Returns 0 or -1. */
static int set_own(struct godot_parse *parse, uint32_t at, const char *name, const struct godot_value *value)
{
	struct godot_tree *tree = &parse->document->tree;
	struct godot_node *node = godot_tree_node(tree, at);
	struct godot_node_extra *extra;
	bool attachment = is_of(node, "BoneAttachment");

	if (strcmp(name, "unique_name_in_owner") == 0)
		return value->type == GODOT_BOOL && value->boolean ? set_unique(tree, at, parse->error) : 0;
	if (strcmp(name, "motion_scale") != 0 && !attachment && !is_of(node, "Bone2D"))
		return 0;
	extra = tree_extra(tree, at, &parse->context->arena, parse->error);
	if (extra == NULL)
		return -1;
	if (strcmp(name, "bone_name") == 0 && attachment && value->type == GODOT_STRING && value->text.length > 0)
		return (extra->bone_name = godot_keep(parse->context, &value->text)) == NULL ? -1 : 0;
	if (strcmp(name, "bone_idx") == 0 && attachment && value->type == GODOT_INT && value->integer >= 0 &&
	    value->integer < GODOT_NO_BONE)
		extra->bone_index = (uint32_t)value->integer;
	if (strcmp(name, "motion_scale") == 0 && is_of(node, "Skeleton3D")) {
		double scale;

		/* Set the scale. The engine replaces a scale that is not above 0 by 1. */
		if (godot_value_number(value, &scale))
			extra->motion_scale = (float)scale > 0 && isfinite((float)scale) ? (float)scale : 1;
	}
	if (strcmp(name, "rest") == 0 && value->type == GODOT_TRANSFORM2D) {
		to_floats(extra->rest, value->numbers, 6);
		extra->has_rest = true;
	}
	return 0;
}

/* Count a setting of a node. Returns 0 or -1. */
static int count_setting(struct godot_parse *parse, uint32_t node, const char *name)
{
	struct godot_document *document = parse->document;
	const char *part;
	int counts = 1;

	if (document->held != NULL) {
		/*
		 * The writer gives these properties to a sprite for the clips that show parts of an image. They depend
		 * on the image, and without the texture, which is counted, they mean nothing.
		 */
		if (anim_text_is_word("Sprite Sprite2D Sprite3D", godot_tree_node(&document->tree, node)->type) &&
		    anim_text_is_word("frame vframes region_enabled region_rect offset pixel_size", name))
			return 0;
		anim_arena_reset(&parse->scratch);
		part = godot_tree_resolve(&document->tree, node, ".", &parse->scratch, parse->error);
		if (part != NULL)
			part = anim_arena_printf(&parse->scratch, parse->error, "%s\n%s", part, name);
		counts = part == NULL ? -1 : anim_held_part(document->held, part, parse->error);
	}
	document->lost.count[GODOT_LOST_SETTING] += counts > 0;
	return counts < 0 ? -1 : 0;
}

/*
 * Read a property of a player, of a bone, of the node itself or of its transform. All others are skipped. They count as
 * lost settings unless they are counted elsewhere. Returns 0 or -1.
 */
static int read_property(struct godot_parse *parse, uint32_t node, const char *name)
{
	uint32_t index = 0;
	const char *what = split_bone(name, &index);
	bool bone = what != NULL && anim_text_is_word("name parent rest pose position rotation scale enabled", what);
	bool own = anim_text_is_word("unique_name_in_owner bone_name bone_idx rest motion_scale", name);
	struct godot_placement *placement;
	struct godot_value value;
	size_t placed = 0;
	char kept[40]; /* longer than all supported names; reading the value overwrites the buffer of the reader */

	if (anim_text_is_word("libraries root_node root/root autoplay", name) ||
	    anim_text_after(name, "libraries/") != NULL || anim_text_after(name, "anims/") != NULL) {
		struct godot_player *player = player_of(parse, node);

		return player == NULL ? -1 : godot_player_read(parse, player, name);
	}
	while (placed < ANIM_COUNT(properties) && strcmp(properties[placed].property, name) != 0)
		placed++;
	if (placed == ANIM_COUNT(properties) && !bone) {
		/* These can be restored from a stream, or are counted as the resource that they refer to. */
		if (!anim_text_is_word("unique_name_in_owner hframes mesh script motion_scale rest bone_name", name) &&
		    count_setting(parse, node, name) != 0)
			return -1;
		if (!own)
			return 0;
	}
	snprintf(kept, sizeof kept, "%s", name);
	anim_arena_reset(&parse->scratch);
	if (godot_text_value(parse->text, &parse->scratch, &value) != 0)
		return -1;
	if (bone)
		return set_bone(parse, node, index, kept + (what - name), &value);
	if (own)
		return set_own(parse, node, kept, &value);
	placement = tree_placement(&parse->document->tree, node, &parse->context->arena, parse->error);
	if (placement == NULL)
		return -1;
	apply_placement(placement, properties[placed].meaning, &value);
	return 0;
}

int godot_node_read(struct godot_parse *parse, const struct godot_tag *tag)
{
	const struct godot_string *name = tag_text(tag, "name");
	struct anim_place place;
	const char *property;
	uint32_t node;
	int got;

	if (name == NULL || name->length == 0)
		return godot_parse_fault(parse, &tag->place, "a [node] without a name");
	parse->document->lost.count[GODOT_LOST_GROUP] += godot_tag_get(tag, "groups") != NULL;
	if (place_node(parse, tag, &node) != 0 || read_instance(parse, tag, node) != 0)
		return -1;
	if (strcmp(godot_tree_node(&parse->document->tree, node)->type, "AnimationPlayer") == 0 &&
	    player_of(parse, node) == NULL)
		return -1;
	godot_section_node(parse->document, node);
	while ((got = godot_text_property(parse->text, &property, &place)) > 0)
		if (read_property(parse, node, property) != 0)
			return -1;
	return got;
}

/* ---- Poses of the records: multiplied, compared as in Godot, and put in a node ---- */

/* Set pose = parent * pose, both as position, rotation, scale. */
static void pose_multiply(const float parent[GODOT_POSE_COMPONENTS], float pose[GODOT_POSE_COMPONENTS])
{
	float a[16], b[16], product[16];

	anim_transform_compose(a, parent, parent + 3, parent + 7);
	anim_transform_compose(b, pose, pose + 3, pose + 7);
	for (size_t row = 0; row < 4; row++)
		for (size_t column = 0; column < 4; column++) {
			float sum = 0;

			for (size_t i = 0; i < 4; i++)
				sum += a[4 * row + i] * b[4 * i + column];
			product[4 * row + column] = sum;
		}
	pose_of_matrix(pose, product);
}

/* Compare like Math::is_equal_approx: with an absolute tolerance below 1, and a relative tolerance above. */
static bool nearly(float a, float b)
{
	float tolerance = fabsf(a) > 1 ? 1e-5f * fabsf(a) : 1e-5f;

	return fabsf(a - b) < tolerance;
}

/* Compare poses like Godot. A quaternion and its negative are the same rotation. */
static bool pose_equal(const float a[GODOT_POSE_COMPONENTS], const float b[GODOT_POSE_COMPONENTS])
{
	bool same = true, opposite = true;

	for (size_t i = 0; i < GODOT_POSE_COMPONENTS; i++) {
		bool rotation = i >= 3 && i < 7;

		if (!rotation && !nearly(a[i], b[i]))
			return false;
		same = same && (!rotation || nearly(a[i], b[i]));
		opposite = opposite && (!rotation || nearly(a[i], -b[i]));
	}
	return same || opposite;
}

/* Copy the components if they are set and finite. Returns false if they are not finite. */
static bool put(struct anim_node *node, float *to, const float *components, size_t count, unsigned given, unsigned bit)
{
	if (!(given & bit))
		return true;
	if (!all_finite(components, count))
		return false;
	memcpy(to, components, count * sizeof *components);
	node->has |= (uint8_t)bit;
	return true;
}

/*
 * Set has, position, rotation and scale of the node. Components that are not finite are omitted, and the function then
 * returns false.
 */
static bool get_placement(const struct godot_placement *placement, struct anim_node *node)
{
	size_t components = placement->has & ANIM_HAS_2D ? 2 : 3;
	float rotation[4] = {0, 0, 0, 1};
	bool finite;

	if (placement->has & ANIM_HAS_ROTATION) {
		double sine, cosine;

		/* Get the rotation as a quaternion. */
		if (!(placement->has & GODOT_EULER)) {
			memcpy(rotation, placement->rotation, sizeof placement->rotation);
		} else if (placement->has & ANIM_HAS_2D) {
			anim_sincos((double)placement->euler[2] / 2, &sine, &cosine);
			rotation[0] = rotation[1] = 0;
			rotation[2] = (float)sine;
			rotation[3] = (float)cosine;
		} else {
			anim_quat_from_euler(rotation, placement->euler, placement->rotation_order);
		}
	}
	node->has |= placement->has & ANIM_HAS_2D;
	finite = put(node, node->position, placement->position, components, placement->has, ANIM_HAS_POSITION);
	finite &= put(node, node->rotation, rotation, 4, placement->has, ANIM_HAS_ROTATION);
	finite &= put(node, node->scale, placement->scale, components, placement->has, ANIM_HAS_SCALE);
	return finite;
}

/* ---- The records ---- */

/* The state while records are written. */
struct scene_records {
	struct anim_error *error;
	struct godot_tree *tree;
	struct anim_sink *sink;
	struct anim_diagnostics *diagnostics;
	const char *shown;       /* the name of the file in messages */
	uint32_t count;          /* number of NODEs written so far */
	struct anim_buffer path; /* of the node, followed by a NUL */
	struct anim_map bones;   /* numbers of the NODEs of bones by name, in the scope of their skeleton */
	struct anim_attr attrs[8];
	size_t attr_count;
	char pose[GODOT_POSE_COMPONENTS * (ANIM_NUMBER_MAX + 1)], skew[ANIM_NUMBER_MAX + 1];
	char motion_scale[ANIM_NUMBER_MAX + 1];
};

/* Add an attribute. The keys must be added in byte order. */
static void add_attr(struct scene_records *records, const char *key, const char *value)
{
	records->attrs[records->attr_count++] = (struct anim_attr){key, value};
}

/* Warn about the node with this name. */
static int warn(struct scene_records *records, const char *noun, const char *name, const char *text)
{
	struct anim_place place = {.file = records->shown, .at = ANIM_AT_FILE};

	if (anim_diagnostics_add(records->diagnostics, ANIM_WARNING, &place, noun, records->error, "'%s': %s", name,
				 text) != 0)
		return -1;
	return anim_diagnostics_name(records->diagnostics, records->error, "'%s'", name);
}

static void print_pose(struct scene_records *records, const float *pose)
{
	char *at = records->pose;

	for (size_t i = 0; i < GODOT_POSE_COMPONENTS; i++) {
		if (i > 0)
			*at++ = ' ';
		at += anim_number_print_float(at, pose[i]);
	}
	*at = '\0';
}

static int write_node(struct scene_records *records, struct anim_node *node, uint32_t *number)
{
	if (anim_buffer_append(&records->path, "", 1, records->error) != 0)
		return -1;
	if (records->path.size - 1 > ANIM_NAME_MAX)
		return anim_fail(records->error, ANIM_TOO_LARGE, "the path of a node is longer than %u bytes",
				 ANIM_NAME_MAX);
	node->path = (const char *)records->path.data;
	node->attrs = (struct anim_attrs){records->attrs, records->attr_count};
	*number = records->count++;
	return anim_sink_node(records->sink, node, records->error);
}

/*
 * Split the transform of a Bone2D: its property `rest` becomes the transform of the NODE, its placement in the scene
 * becomes its pose.
 */
static void place_bone2d(struct scene_records *records, const struct godot_node_extra *extra, struct anim_node *node)
{
	float rest[GODOT_POSE_COMPONENTS], pose[GODOT_POSE_COMPONENTS], skew;

	pose_of_transform2d(extra->rest, rest, &skew);
	if (!all_finite(rest, GODOT_POSE_COMPONENTS))
		return;
	memcpy(pose, node->position, sizeof node->position);
	memcpy(pose + 3, node->rotation, sizeof node->rotation);
	memcpy(pose + 7, node->scale, sizeof node->scale);
	memcpy(node->position, rest, sizeof node->position);
	memcpy(node->rotation, rest + 3, sizeof node->rotation);
	memcpy(node->scale, rest + 7, sizeof node->scale);
	node->has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE | ANIM_HAS_2D;
	if (pose_equal(rest, pose))
		return;
	print_pose(records, pose);
	add_attr(records, "godot.pose", records->pose);
}

/* Write the NODE of a node of the file. Returns 0 or -1. */
static int write_own(struct scene_records *records, uint32_t at)
{
	struct godot_node *from = godot_tree_node(records->tree, at);
	struct anim_node node = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .type = from->type};
	const struct godot_placement *placement = from->placement;
	const struct godot_node_extra *extra = from->extra;
	const char *bone = extra == NULL ? NULL : extra->bone_name; /* to which the node is attached */

	if (extra != NULL && bone == NULL && extra->bone_index != GODOT_NO_BONE && from->parent != GODOT_NO_NODE) {
		const struct godot_bone *attached = find_bone(records->tree, from->parent, extra->bone_index);

		bone = attached == NULL ? NULL : attached->name;
	}
	node.kind = (uint8_t)godot_class_kind(from->type);
	node.has = godot_class_is_2d(from->type) ? ANIM_HAS_2D : 0;
	node.parent = at == 0 ? ANIM_NO_PARENT : godot_tree_node(records->tree, from->parent)->number;
	records->attr_count = 0;
	records->path.size = 0;
	/* The engine keeps an attachment at its bone, whatever its own transform is. */
	if (bone != NULL && anim_map_get(&records->bones, from->parent, bone, strlen(bone), &node.parent))
		placement = NULL;
	if (placement != NULL && !get_placement(placement, &node) &&
	    warn(records, "node", from->name, "a transform that is not finite is left out") != 0)
		return -1;
	if (bone != NULL)
		add_attr(records, "godot.bone", bone);
	if (extra != NULL && extra->instance != NULL)
		add_attr(records, "godot.instance", extra->instance);
	if (extra != NULL && extra->motion_scale != 0 && extra->motion_scale != 1) {
		records->motion_scale[anim_number_print_float(records->motion_scale, extra->motion_scale)] = '\0';
		add_attr(records, "godot.motion_scale", records->motion_scale);
	}
	if (extra != NULL && extra->has_rest && node.kind == ANIM_NODE_BONE)
		place_bone2d(records, extra, &node);
	if (placement != NULL && (placement->has & GODOT_SKEW) && placement->skew != 0) {
		records->skew[anim_number_print_float(records->skew, placement->skew)] = '\0';
		add_attr(records, "godot.skew", records->skew);
	}
	if (from->flags & GODOT_NODE_UNIQUE)
		add_attr(records, "godot.unique_name", "true");
	if (placement != NULL && placement->rotation_order != ANIM_EULER_YXZ)
		add_attr(records, "rotation_order", anim_euler_order_names[placement->rotation_order]);
	if (append_path(records->tree, at, &records->path, records->error) != 0)
		return -1;
	return write_node(records, &node, &from->number);
}

/* Write the NODE of a bone. Returns 0 or -1. */
static int write_bone(struct scene_records *records, uint32_t skeleton, struct godot_bone *bone)
{
	struct anim_node node = {.kind = ANIM_NODE_BONE, .type = ""};
	const struct godot_bone *parent = find_bone(records->tree, skeleton, bone->parent);
	char number[ANIM_NUMBER_MAX + 1] = "#";
	const char *name = bone->name == NULL ? number : bone->name;
	float pose[GODOT_POSE_COMPONENTS];

	records->attr_count = 0;
	node.parent = bone->parent == GODOT_NO_BONE || parent == NULL ? godot_tree_node(records->tree, skeleton)->number
								      : parent->number;
	if (bone->flags & GODOT_BONE_REST)
		node.has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE;
	memcpy(node.position, bone->rest, sizeof node.position);
	memcpy(node.rotation, bone->rest + 3, sizeof node.rotation);
	memcpy(node.scale, bone->rest + 7, sizeof node.scale);
	if (bone->flags & GODOT_BONE_DISABLED)
		add_attr(records, "godot.enabled", "false");

	/* Add the pose if it differs from the rest pose, which has the components that the file does not set. */
	memcpy(pose, bone->rest, sizeof pose);
	if (bone->flags & GODOT_BONE_RELATIVE) {
		memcpy(pose, bone->pose, sizeof pose);
		pose_multiply(bone->rest, pose);
	} else {
		if (bone->flags & GODOT_BONE_POSITION)
			memcpy(pose, bone->pose, 3 * sizeof *pose);
		if (bone->flags & GODOT_BONE_ROTATION)
			memcpy(pose + 3, bone->pose + 3, 4 * sizeof *pose);
		if (bone->flags & GODOT_BONE_SCALE)
			memcpy(pose + 7, bone->pose + 7, 3 * sizeof *pose);
	}
	if (all_finite(pose, GODOT_POSE_COMPONENTS) && !pose_equal(pose, bone->rest)) {
		print_pose(records, pose);
		add_attr(records, "godot.pose", records->pose);
	}

	/* The path is the path of the skeleton, then the name of the bone or #N. */
	number[1 + anim_number_print_uint64(number + 1, bone->index)] = '\0';
	records->path.size = 0;
	if (append_path(records->tree, skeleton, &records->path, records->error) != 0 ||
	    anim_buffer_append(&records->path, ":", 1, records->error) != 0 ||
	    anim_buffer_append(&records->path, name, strlen(name), records->error) != 0 ||
	    write_node(records, &node, &bone->number) != 0)
		return -1;
	return bone->name == NULL ? 0
				  : anim_map_put(&records->bones, skeleton, bone->name, strlen(bone->name),
						 bone->number, records->error);
}

/* Marks in bone->number while bones are being sorted. */
#define BONE_WAITING 0xFFFFFFFFu
#define BONE_ASKED 0xFFFFFFFEu

/* Write the bones of a skeleton, parents first. Returns 0 or -1. */
static int write_bones(struct scene_records *records, uint32_t skeleton)
{
	const struct anim_buffer *bones = &godot_tree_node(records->tree, skeleton)->extra->bones;
	struct godot_bone *bone = (struct godot_bone *)bones->data;
	size_t count = bones->size / sizeof *bone;
	struct anim_buffer stack = {0};
	int result = 0;

	for (size_t i = 0; i < count; i++)
		bone[i].number = BONE_WAITING;
	for (size_t i = 0; i < count && result == 0; i++) {
		struct godot_bone *at = &bone[i], *parent;

		/* Push the bone and its ancestors that have not been written yet. A cycle of parents is cut. */
		for (; at != NULL && at->number == BONE_WAITING && result == 0; at = parent) {
			parent = find_bone(records->tree, skeleton, at->parent);
			at->number = BONE_ASKED;
			result = anim_buffer_append(&stack, &at, sizeof at, records->error);
			if (result == 0 && parent != NULL && parent->number == BONE_ASKED) {
				at->parent = GODOT_NO_BONE;
				result = warn(records, "bone", godot_tree_node(records->tree, skeleton)->name,
					      "a cycle of parents; the skeleton becomes the parent");
			}
		}
		for (; stack.size > 0 && result == 0; stack.size -= sizeof at) {
			memcpy(&at, stack.data + stack.size - sizeof at, sizeof at);
			result = write_bone(records, skeleton, at);
		}
	}
	anim_buffer_clear(&stack);
	return result;
}

int godot_scene_write(struct godot_tree *tree, const char *source_file, const char *shown, const char *left,
		      struct anim_diagnostics *diagnostics, struct anim_sink *sink, struct anim_error *error)
{
	struct scene_records records = {
	    .tree = tree, .sink = sink, .error = error, .diagnostics = diagnostics, .shown = shown};
	uint32_t count = godot_tree_count(tree);
	struct anim_attr attr = {"godot.left", left};
	struct anim_tree head = {.axes = ANIM_AXES_GODOT,
				 .axes2d = ANIM_AXES2D_GODOT,
				 .source_file = source_file,
				 .root_name = count == 0 ? "" : godot_tree_node(tree, 0)->name,
				 .attrs = {&attr, left[0] != '\0'}};
	int result = anim_sink_tree(sink, &head, error);

	for (uint32_t i = 0; i < count && result == 0; i++) {
		result = write_own(&records, i);
		if (result == 0 && godot_tree_node(tree, i)->extra != NULL)
			result = write_bones(&records, i);
	}
	anim_buffer_clear(&records.path);
	anim_map_clear(&records.bones);
	return result;
}
