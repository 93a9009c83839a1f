/* scale.c: multiply the positions of nodes and tracks by a factor. */
#include "filter/scale.h"

#include <math.h>
#include <string.h>

#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/common/posing.h"
#include "filter/filter.h"
#include "filter/rename/rename.h"
#include "stream/store.h"

#define SAMPLES 64 /* poses of a clip that are measured */

struct scale {
	struct anim_filter filter;
	struct anim_scale_options options;
	double factor;             /* of the current tree */
	struct anim_store *store;  /* a tree whose height is not known yet, with its first clip, or NULL */
	struct anim_posing posing; /* its nodes */
	bool known;                /* the height of the tree that comes back from the store */
	bool *arms;                /* the node is a part of an arm */
	double height;             /* the largest so far */
	struct anim_arena arena;   /* of a node or a track */
};

/* ---- Nodes ---- */

/* Scale the position in the attribute godot.pose, which begins with it. A text of another form stays. Returns 0 or -1. */
static int scale_pose(struct scale *s, struct anim_node *node, struct anim_error *error)
{
	const char *pose = anim_attrs_get(&node->attrs, "godot.pose");
	const struct anim_attrs attrs = node->attrs;
	size_t length = pose == NULL ? 0 : strlen(pose);
	char *padded = anim_arena_zeroed(&s->arena, length + ANIM_INPUT_SLACK, 1, error), *text, *to;
	const char *at = padded;

	if (pose == NULL || padded == NULL)
		return padded == NULL ? -1 : 0;
	memcpy(padded, pose, length);
	if ((text = to = anim_arena_zeroed(&s->arena, length + 3 * (ANIM_NUMBER_MAX + 1) + 1, 1, error)) == NULL)
		return -1;
	for (int i = 0; i < 3; i++) {
		float number;

		while (*at == ' ')
			at++;
		if ((at = anim_number_float(at, padded + length, &number)) == NULL)
			return 0;
		to += anim_number_print_float(to, (float)((double)number * s->factor));
		*to++ = ' ';
	}
	while (*at == ' ')
		at++;
	memcpy(to, at, strlen(at) + 1);
	return anim_attrs_with(&node->attrs, &attrs, "godot.pose", text, &s->arena, error);
}

/* ---- Tracks ---- */

/* Return the components of the track that are lengths, as bits. */
static unsigned lengths_of(const struct anim_track *track)
{
	static const char *const points[] = {"position", "global_position", "transform:origin"};
	const struct anim_type_info *info = &anim_types[track->type];
	const char *variant = anim_attrs_get(&track->attrs, "godot.variant");

	if (!anim_track_is_transform(track))
		return 0;
	if (anim_text_is_one_of(track->property, points, 3))
		return info->components <= 3 ? 7 : 0;
	if (strcmp(track->property, "transform") != 0 && strcmp(track->property, "global_transform") != 0)
		return 0;
	/* rows of basis and origin */
	return info->components == 16 ? 1u << 3 | 1u << 7 | 1u << 11
	       : info->components == 9 && variant != NULL && strcmp(variant, "Transform2D") == 0 ? 1u << 2 | 1u << 5
												 : 0;
}

static int scale_track(struct scale *s, const struct anim_track *track, struct anim_error *error)
{
	const struct anim_type_info *info = &anim_types[track->type];
	const unsigned lengths = lengths_of(track);
	const void *from[] = {track->value, track->left, track->right};
	void *to[3] = {NULL};
	struct anim_track out = *track;

	if (lengths == 0 || track->n == 0)
		return anim_sink_track(s->filter.next, track, error);
	if (!anim_type_is_real(track->type)) {
		if (anim_diagnostics_track(s->options.diagnostics, track, error,
					   "integers, which cannot be scaled, stay unchanged") != 0)
			return -1;
		return anim_sink_track(s->filter.next, track, error);
	}
	anim_arena_reset(&s->arena);
	for (int column = 0; column < 3; column++) {
		if (from[column] == NULL)
			continue;
		if ((to[column] = anim_arena_zeroed(&s->arena, track->n, info->size, error)) == NULL)
			return -1;
		for (size_t k = 0; k < track->n; k++) {
			double value[ANIM_COMPONENTS_MAX] = {0}, before;

			anim_components(track->type, from[column], k, value);
			for (unsigned i = 0; i < info->components; i++) {
				before = value[i];
				value[i] *= (lengths >> i & 1) != 0 ? s->factor : 1;
				if (column == 0 && isfinite(before) && !isfinite((float)value[i]) &&
				    info->size == 4 * info->components)
					return anim_track_refuse(track, "becomes too large for a float", error);
			}
			anim_value_store(track->type, value, (uint8_t *)to[column] + k * info->size);
		}
	}
	out.value = to[0];
	out.left = to[1];
	out.right = to[2];
	out.record = NULL;
	return anim_sink_track(s->filter.next, &out, error);
}

/* ---- The height, and the filter ---- */

/* Measure the pose of a sample: from the lowest to the highest bone, or node without bones, without the arms. */
static void measure(void *context, size_t k, size_t in_tile)
{
	struct scale *s = context;
	const struct anim_poses *poses = &s->posing.poses;
	double low = INFINITY, high = -INFINITY;

	(void)k;
	for (uint32_t n = 0; n < anim_poses_count(poses); n++) {
		const double y = anim_poses_at(poses, n, in_tile)[7];

		if (s->arms[n] ||
		    (poses->rests.items[n].kind != ANIM_NODE_BONE && (poses->has_bones[0] || poses->has_bones[1])))
			continue;
		low = fmin(low, y);
		high = fmax(high, y);
	}
	s->height = fmax(s->height, high - low);
}

/* Pass on a tree that was kept and its first clip, scaled to the new height. Returns 0 or -1. */
static int push_tree(struct scale *s, struct anim_error *error)
{
	struct anim_store *kept = s->store;
	int result;

	if (kept == NULL)
		return 0;

	/* Find the largest height of a pose in the clip that was kept, or at rest. */
	struct anim_poses *poses = &s->posing.poses;
	const struct anim_clip *clip = anim_store_clips(s->store) > 0 ? anim_store_clip(s->store, 0) : NULL;
	const struct anim_clip rest = {.flags = ANIM_IN_TREE};

	s->height = 0;
	s->arms = anim_arena_zeroed(&s->arena, anim_poses_count(poses) + 1, sizeof *s->arms, error);
	if (s->arms == NULL || anim_rests_check(&poses->rests, error) != 0)
		return -1;
	for (uint32_t n = 0; n < anim_poses_count(poses); n++) {
		const uint32_t parent = anim_poses_parent(poses, n);
		struct anim_bone_guess guess = {.doubtful = false};

		s->arms[n] = (parent != ANIM_POSE_NONE && s->arms[parent]) ||
			     (anim_bone_of_name(&guess, anim_node_own_name(anim_poses_path(poses, n))) &&
			      (guess.bones[0] == ANIM_BONE_UPPER_ARM || guess.bones[0] == ANIM_BONE_UPPER_ARM + 1));
	}
	if (clip != NULL)
		anim_posing_begin_at(&s->posing, clip, (double)clip->start_s, (double)clip->end_s, SAMPLES);
	if (clip != NULL && anim_posing_clip(&s->posing, s->store, 0, error) != 0)
		return -1;
	if (clip == NULL) {
		anim_posing_begin_at(&s->posing, &rest, 0, 0, 1);
		if (anim_poses_ready(poses, error) != 0)
			return -1;
	}
	if (anim_poses_each(poses, measure, s, error) != 0)
		return -1;

	if (!(s->height > 0) || !isfinite(s->options.height_m / s->height))
		return anim_fail(error, ANIM_UNSUPPORTED, "the skeleton has no height, so it cannot be scaled to one");
	s->factor = s->options.height_m / s->height;
	if (anim_diagnostics_note(
		s->options.diagnostics, NULL, error,
		"scaled by %.6g: it was %.6g units high, from the lowest to the highest joint without the arms",
		s->factor, s->height) != 0)
		return -1;
	s->store = NULL;
	s->known = true; /* the nodes and tracks of the store are scaled, not kept again */
	result = anim_store_replay_trees(kept, &s->filter.sink, error);
	if (result == 0 && anim_store_clips(kept) > 0)
		result = anim_store_replay(kept, 0, NULL, &s->filter.sink, error);
	s->known = false;
	anim_store_free(kept);
	return result;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct scale *s = (struct scale *)sink;

	if (push_tree(s, error) != 0)
		return -1;
	if (s->options.factor > 0 || s->known)
		return anim_filter_tree(sink, tree, error);
	anim_posing_clear(&s->posing);
	if ((s->store = anim_store_new(s->options.store_memory, error)) == NULL)
		return -1;
	return anim_sink_tree(anim_store_sink(s->store), tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct scale *s = (struct scale *)sink;

	if (s->options.factor > 0 || s->known) {
		struct anim_node out = *node;

		anim_arena_reset(&s->arena);
		for (int i = 0; i < ((node->has & ANIM_HAS_2D) != 0 ? 2 : 3); i++) {
			out.position[i] = (float)((double)node->position[i] * s->factor);
			if (!isfinite(out.position[i]))
				return anim_fail(error, ANIM_BAD_INPUT,
						 "the position of node '%.100s' becomes too large for a float",
						 node->path);
		}
		out.record = NULL;
		return scale_pose(s, &out, error) != 0 ? -1 : anim_sink_node(s->filter.next, &out, error);
	}
	return anim_poses_add(&s->posing.poses, node, error) != 0
		   ? -1
		   : anim_sink_node(anim_store_sink(s->store), node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct scale *s = (struct scale *)sink;

	if (s->options.factor == 0 && !(clip->flags & ANIM_IN_TREE))
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%.100s' has no nodes, so its height is not known",
				 clip->name);
	if (s->store != NULL && anim_store_clips(s->store) == 0)
		return anim_sink_clip(anim_store_sink(s->store), clip, error);
	return push_tree(s, error) != 0 ? -1 : anim_filter_clip(sink, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct scale *s = (struct scale *)sink;

	return s->store != NULL ? anim_sink_track(anim_store_sink(s->store), track, error)
				: scale_track(s, track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return push_tree((struct scale *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct scale *s = (struct scale *)sink;

	anim_store_free(s->store);
	anim_posing_clear(&s->posing);
	anim_arena_clear(&s->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_scale_new(const struct anim_scale_options *options, struct anim_sink *next,
				 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};
	struct scale *s = anim_filter_new(sizeof *s, &ops, next, error);

	if (s == NULL)
		return NULL;
	s->options = *options;
	s->factor = options->factor;
	anim_poses_init(&s->posing.poses, 0);
	return &s->filter.sink;
}
