/* info.c: the contents of a handle: clips, tracks, trees and nodes, and searches in them. */
#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "base/path.h"

_Static_assert(ANIM_TRACK_REST_RELATIVE == ANIM_REST_RELATIVE && ANIM_TRACK_DEGREES == ANIM_DEGREES &&
		   ANIM_TRACK_PERCENT == ANIM_PERCENT && ANIM_TRACK_UNSORTED == ANIM_UNSORTED &&
		   ANIM_TRACK_DISABLED == ANIM_DISABLED && ANIM_NODE_HAS_POSITION == ANIM_HAS_POSITION &&
		   ANIM_NODE_HAS_ROTATION == ANIM_HAS_ROTATION && ANIM_NODE_HAS_SCALE == ANIM_HAS_SCALE &&
		   ANIM_NODE_HAS_2D == ANIM_HAS_2D,
	       "flags have the stream's numbers");

/* An id is the number of the stream plus 1, because 0 means that nothing is said. */
_Static_assert((int)ANIM_KIND_CURVE == (int)ANIM_CURVE + 1 && (int)ANIM_VALUE_STRING == (int)ANIM_STRING + 1 &&
		   (int)ANIM_VALUE_FLOATQ == (int)ANIM_FLOATQ + 1 && (int)ANIM_VALUE_LONG4 == (int)ANIM_LONG4 + 1 &&
		   (int)ANIM_MODE_HERMITE == (int)ANIM_HERMITE + 1 &&
		   (int)ANIM_MODE_CUBIC_ANGLE == (int)ANIM_CUBIC_ANGLE + 1 &&
		   (int)ANIM_MODE_OF_KEYS == (int)ANIM_INTERP_COLUMN + 1 &&
		   (int)ANIM_PLAYER_RESONITE == (int)ANIM_RULES_RESONITE + 1 &&
		   (int)ANIM_OUTSIDE_NONE == (int)ANIM_EXTRAPOLATION_NONE + 1 &&
		   (int)ANIM_REPEAT_PING_PONG == (int)ANIM_LOOP_PINGPONG + 1 &&
		   (int)ANIM_SPACE_GLTF == (int)ANIM_AXES_GLTF + 1 &&
		   (int)ANIM_SPACE2D_UNITY == (int)ANIM_AXES2D_UNITY + 1,
	       "ids follow the stream");

/* Attributes are returned without a copy. */
_Static_assert(sizeof(struct anim_attribute) == sizeof(struct anim_attr), "an attribute is two texts");

static const struct anim_attribute *attributes_of(const struct anim_attrs *attrs)
{
	return (const struct anim_attribute *)(const void *)attrs->items;
}

size_t anim_clip_count(const struct anim *h)
{
	return h == NULL ? 0 : anim_store_clips(h->store);
}

size_t anim_tree_count(const struct anim *h)
{
	return h == NULL ? 0 : h->trees.size / sizeof(struct api_tree *);
}

size_t api_node_count(const struct api_tree *tree)
{
	return tree->nodes.size / sizeof(struct anim_node);
}

const struct anim_node *api_node(const struct api_tree *tree, size_t number)
{
	return (const struct anim_node *)(const void *)tree->nodes.data + number;
}

/* ---- Checks ---- */

static int check_number(const char *what, size_t number, size_t count, struct anim_error *error)
{
	return number < count ? 0 : api_misuse(error, "%s %zu: there are %zu, counted from 0", what, number, count);
}

int api_check_room(size_t capacity, size_t count, size_t width, struct anim_error *error)
{
	if (width == 0 || count <= capacity / width)
		return 0;
	return api_misuse(error, "an array of %zu elements for %zu x %zu", capacity, count, width);
}

int api_check_times(const double *times, size_t count, const void *out, struct anim_error *error)
{
	if (count > 0 && (times == NULL || out == NULL))
		return api_misuse(error, "an array is NULL");
	for (size_t i = 0; i < count; i++)
		if (!isfinite(times[i]))
			return api_misuse(error, "time %zu is not finite", i);
	return 0;
}

static int check_handle(const struct anim *h, struct anim_error *error)
{
	return h != NULL ? 0 : api_misuse(error, "the handle is NULL");
}

int api_check_clip(const struct anim *h, size_t clip, struct anim_error *error)
{
	return check_handle(h, error) != 0 ? -1 : check_number("clip", clip, anim_clip_count(h), error);
}

int api_check_track(const struct anim *h, size_t clip, size_t track, struct anim_error *error)
{
	if (api_check_clip(h, clip, error) != 0)
		return -1;
	return check_number("track", track, anim_store_tracks(h->store, clip), error);
}

int api_check_tree(const struct anim *h, size_t tree, struct anim_error *error)
{
	return check_handle(h, error) != 0 ? -1 : check_number("tree", tree, anim_tree_count(h), error);
}

static ptrdiff_t tree_number(const struct anim *h, size_t clip)
{
	return ((const ptrdiff_t *)(const void *)h->clip_trees.data)[clip];
}

struct api_tree *api_tree_of_clip(const struct anim *h, size_t clip)
{
	ptrdiff_t number = tree_number(h, clip);

	return number < 0 ? NULL : api_tree(h, (size_t)number);
}

int api_fetch(struct anim *h, size_t clip, size_t track, struct anim_error *error)
{
	if (h != NULL && h->has_track && h->clip_number == clip && h->track_number == track)
		return 0;
	if (api_check_track(h, clip, track, error) != 0)
		return -1;
	h->has_track = false;
	anim_sample_state_clear(&h->state);
	if (anim_store_read(h->store, clip, track, &h->track, error) != 0)
		return anim_error_in_file(error, h->name);
	h->has_track = true;
	h->clip_number = clip;
	h->track_number = track;
	return 0;
}

/* ---- Heads ---- */

int anim_get_clip(const struct anim *h, size_t clip, struct anim_clip_info *info, struct anim_fault *fault)
{
	struct anim_error error = {0};
	const struct anim_clip *head;

	if (api_check_clip(h, clip, &error) != 0)
		return api_fault(fault, &error);
	head = anim_store_clip(h->store, clip);
	if (api_give(info,
		     &(struct anim_clip_info){.name = head->name,
					      .start_s = (double)head->start_s,
					      .end_s = (double)head->end_s,
					      .loop = anim_loop_names[head->loop],
					      .axes = anim_axes_names[head->axes],
					      .axes2d = anim_axes2d_names[head->axes2d],
					      .source = head->source,
					      .root = head->root,
					      .rate_num = head->rate_num,
					      .rate_den = head->rate_den,
					      .tracks = anim_store_tracks(h->store, clip),
					      .tree = tree_number(h, clip),
					      .attributes = attributes_of(&head->attrs),
					      .attribute_count = head->attrs.count,
					      .loop_id = head->loop + 1,
					      .axes_id = head->axes + 1,
					      .axes2d_id = head->axes2d + 1},
		     sizeof *info, &error) != 0)
		return api_fault(fault, &error);
	return 0;
}

int anim_get_track(const struct anim *h, size_t clip, size_t track, struct anim_track_info *info,
		   struct anim_fault *fault)
{
	struct anim_error error = {0};
	const struct anim_store_track *head;
	const struct anim_type_info *type;

	if (api_check_track(h, clip, track, &error) != 0)
		return api_fault(fault, &error);
	head = anim_store_track_at(h->store, clip, track);
	type = &anim_types[head->type];
	if (api_give(info,
		     &(struct anim_track_info){
			 .node = head->node,
			 .property = head->property,
			 .kind = anim_kind_names[head->kind],
			 .type = type->name,
			 .mode = head->interp == ANIM_INTERP_COLUMN ? "" : anim_interp_names[head->interp],
			 .rules = anim_rules_names[head->rules],
			 .pre = anim_extrapolation_names[head->pre],
			 .post = anim_extrapolation_names[head->post],
			 .component = head->component == ANIM_WHOLE ? ANIM_ALL_COMPONENTS : (int)head->component,
			 .components = type->components,
			 .flags = head->flags,
			 .is_rotation = type->quaternion,
			 .keys = head->n,
			 .start_s = head->start_s,
			 .step_s = head->rate_num != 0 ? (double)head->rate_den / head->rate_num : head->step_s,
			 .rate_num = head->rate_num,
			 .rate_den = head->rate_den,
			 .kind_id = (int)head->kind + 1,
			 .type_id = (int)head->type + 1,
			 .mode_id = (int)head->interp + 1,
			 .rules_id = (int)head->rules + 1,
			 .pre_id = (int)head->pre + 1,
			 .post_id = (int)head->post + 1,
		     },
		     sizeof *info, &error) != 0)
		return api_fault(fault, &error);
	return 0;
}

ptrdiff_t anim_get_track_attributes(struct anim *h, size_t clip, size_t track, const struct anim_attribute **items,
				    struct anim_fault *fault)
{
	struct anim_error error = {0};

	if (api_fetch(h, clip, track, &error) != 0)
		return api_fault(fault, &error);
	if (items == NULL)
		return api_misuse(&error, "no place for the attributes"), api_fault(fault, &error);
	*items = attributes_of(&h->track.attrs);
	return (ptrdiff_t)h->track.attrs.count;
}

int anim_get_tree(const struct anim *h, size_t number, struct anim_tree_info *info, struct anim_fault *fault)
{
	struct anim_error error = {0};
	const struct api_tree *tree;

	if (api_check_tree(h, number, &error) != 0)
		return api_fault(fault, &error);
	tree = api_tree(h, number);
	if (api_give(info,
		     &(struct anim_tree_info){.root_name = tree->head.root_name,
					      .file = tree->head.source_file,
					      .axes = anim_axes_names[tree->head.axes],
					      .axes2d = anim_axes2d_names[tree->head.axes2d],
					      .nodes = api_node_count(tree),
					      .attributes = attributes_of(&tree->head.attrs),
					      .attribute_count = tree->head.attrs.count,
					      .axes_id = tree->head.axes + 1,
					      .axes2d_id = tree->head.axes2d + 1},
		     sizeof *info, &error) != 0)
		return api_fault(fault, &error);
	return 0;
}

int anim_get_node(const struct anim *h, size_t tree, size_t node, struct anim_node_info *info, struct anim_fault *fault)
{
	struct anim_error error = {0};
	const struct anim_node *head;
	const char *name;
	struct anim_node_info own;

	if (api_check_tree(h, tree, &error) != 0 ||
	    check_number("node", node, api_node_count(api_tree(h, tree)), &error) != 0)
		return api_fault(fault, &error);
	head = api_node(api_tree(h, tree), node);
	/* A bone is named by the part of its path after the skeleton's ':', others by the last part. */
	name = node == 0 ? api_tree(h, tree)->head.root_name
			 : anim_node_bone(head->path, api_node(api_tree(h, tree), head->parent)->path);
	own = (struct anim_node_info){.path = head->path,
				      .name = name != NULL ? name : anim_path_last(head->path),
				      .kind = anim_node_kind_names[head->kind],
				      .type = head->type,
				      .parent = head->parent == ANIM_NO_PARENT ? -1 : (ptrdiff_t)head->parent,
				      .has = head->has,
				      .attributes = attributes_of(&head->attrs),
				      .attribute_count = head->attrs.count};
	memcpy(own.position, head->position, sizeof own.position);
	memcpy(own.rotation, head->rotation, sizeof own.rotation);
	memcpy(own.scale, head->scale, sizeof own.scale);
	return api_give(info, &own, sizeof own, &error) != 0 ? api_fault(fault, &error) : 0;
}

/* ---- Finding ---- */

ptrdiff_t anim_find_clip(const struct anim *h, const char *name)
{
	for (size_t i = 0; name != NULL && i < anim_clip_count(h); i++)
		if (strcmp(anim_store_clip(h->store, i)->name, name) == 0)
			return (ptrdiff_t)i;
	return -1;
}

ptrdiff_t anim_find_track(const struct anim *h, size_t clip, size_t from, const char *node, const char *property)
{
	return clip < anim_clip_count(h) && node != NULL && property != NULL
		   ? anim_store_find(h->store, clip, from, node, property)
		   : -1;
}

ptrdiff_t anim_find_named(const struct anim *h, size_t clip, size_t from, const char *name, const char *property)
{
	size_t count = clip < anim_clip_count(h) && name != NULL ? anim_store_tracks(h->store, clip) : 0;

	for (size_t i = from; i < count; i++) {
		const struct anim_store_track *track = anim_store_track_at(h->store, clip, i);

		if (strcmp(anim_node_own_name(track->node), name) == 0 &&
		    (property == NULL || strcmp(track->property, property) == 0))
			return (ptrdiff_t)i;
	}
	return -1;
}

static ptrdiff_t find(struct api_tree *tree, const char *root, const char *node)
{
	uint32_t number =
	    tree == NULL || node == NULL ? ANIM_POSE_NONE : anim_poses_find(&tree->posing.poses, root, node);

	return number == ANIM_POSE_NONE ? -1 : (ptrdiff_t)number;
}

ptrdiff_t anim_find_node(const struct anim *h, size_t tree, const char *path)
{
	return tree < anim_tree_count(h) ? find(api_tree(h, tree), ".", path) : -1;
}

ptrdiff_t anim_find_driven(const struct anim *h, size_t clip, const char *node)
{
	if (clip >= anim_clip_count(h))
		return -1;
	return find(api_tree_of_clip(h, clip), anim_store_clip(h->store, clip)->root, node);
}
