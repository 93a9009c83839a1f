/* character.c: keep one of several characters in a tree. */
#include <string.h>

#include "base/advice.h"
#include "filter/filter.h"
#include "filter/retarget/plan.h"

#define CHARACTERS 16 /* maximum number that is searched */

struct character {
	struct anim_filter filter;
	const char *name;              /* path or name of the chosen one. NULL: the first */
	struct anim_skeleton *to;      /* the target, or NULL */
	struct anim_skeleton skeleton; /* the tree, with its records, which wait until the characters are known */
	struct anim_sink *to_skeleton; /* its sink. NULL: no tree waits */
	uint32_t seen, written;        /* nodes of the tree that were read and passed on so far */
	uint32_t *numbers;             /* of each node among those passed on */
	bool *dropped;                 /* of each node */
	uint32_t tops[CHARACTERS];
	unsigned count; /* characters in the tree, of which the first is kept */
	size_t tracks;  /* dropped in the current tree */
	struct anim_clip clip;
	struct anim_arena arena, clip_arena;
	struct anim_diagnostics *diagnostics;
};

static uint32_t parent_of(const struct character *c, uint32_t node)
{
	return anim_poses_parent(&c->skeleton.poses, node);
}

static const char *path_of(const struct character *c, uint32_t node)
{
	return anim_poses_path(&c->skeleton.poses, node);
}

static uint32_t nodes_of(const struct character *c)
{
	return (uint32_t)anim_poses_count(&c->skeleton.poses);
}

/* ---- The characters ---- */

/* Drop a node and all below it. Children come after their parents. */
static void drop(struct character *c, uint32_t above)
{
	for (uint32_t n = above; n < nodes_of(c); n++)
		c->dropped[n] =
		    c->dropped[n] || n == above || (parent_of(c, n) != ANIM_POSE_NONE && c->dropped[parent_of(c, n)]);
}

/* Decide which nodes are dropped. Returns 0 or -1. */
static int choose(struct character *c, struct anim_error *error)
{
	if (c->name != NULL) {
		uint32_t chosen = anim_poses_find_loosely(&c->skeleton.poses, ".", c->name);

		for (uint32_t n = 0; n < nodes_of(c) && chosen == ANIM_POSE_NONE; n++)
			chosen = strcmp(anim_node_own_name(path_of(c, n)), c->name) == 0 ? n : chosen;
		if (chosen == ANIM_POSE_NONE)
			return anim_fail(
			    error, ANIM_UNSUPPORTED,
			    ANIM_OPTION("retarget",
					"character") ": the tree has no node '%.80s'; " ANIM_ADVICE(LIST_NODES),
			    c->name);
		for (uint32_t n = 0; n < nodes_of(c); n++) {
			uint32_t parent = parent_of(c, n);

			c->dropped[n] = n < chosen || (n > chosen && (parent == ANIM_POSE_NONE || c->dropped[parent]));
		}
		for (uint32_t n = chosen; n != ANIM_POSE_NONE; n = parent_of(c, n))
			c->dropped[n] = false;
		return 0;
	}

	/* Find the characters, and the highest node of each that is not above another one. */
	uint32_t *ways = c->numbers; /* of each node: the number of characters at or below it */
	uint32_t bones[ANIM_HUMAN_BONES];

	for (c->count = 0; c->count < CHARACTERS; c->count++) {
		int found = anim_skeleton_human(&c->skeleton, bones, error);

		if (found < 0)
			return -1;
		if (bones[ANIM_BONE_HIPS] == ANIM_POSE_NONE)
			break;

		/* The hips, or the node above them that also carries the spine. */
		uint32_t top = bones[ANIM_BONE_HIPS], n;

		while (bones[ANIM_BONE_SPINE] != ANIM_POSE_NONE && parent_of(c, top) != ANIM_POSE_NONE) {
			for (n = bones[ANIM_BONE_SPINE]; n != ANIM_POSE_NONE && n != top;)
				n = parent_of(c, n);
			if (n == top)
				break;
			top = parent_of(c, top);
		}
		c->tops[c->count] = top;
		drop(c, top);
	}
	memset(c->dropped, 0, nodes_of(c) * sizeof *c->dropped);
	memset(ways, 0, nodes_of(c) * sizeof *ways);
	for (unsigned i = 0; i < c->count; i++)
		for (uint32_t n = c->tops[i]; n != ANIM_POSE_NONE; n = parent_of(c, n))
			ways[n]++;
	for (unsigned i = 0; i < c->count; i++)
		while (parent_of(c, c->tops[i]) != ANIM_POSE_NONE && ways[parent_of(c, c->tops[i])] == 1)
			c->tops[i] = parent_of(c, c->tops[i]);

	/* A character with a counterpart in the target stays. */
	for (unsigned i = 1; i < c->count; i++)
		if (c->to == NULL || anim_poses_find(&c->to->poses, ".", path_of(c, c->tops[i])) == ANIM_POSE_NONE)
			drop(c, c->tops[i]);
	return 0;
}

/* Return whether a node stays, and give it its new parent. */
static bool keep(void *context, struct anim_node *node)
{
	struct character *c = context;
	uint32_t number = c->seen++;

	if (c->dropped[number])
		return false;
	c->numbers[number] = c->written++;
	if (node->parent != ANIM_NO_PARENT && c->numbers[node->parent] != node->parent) {
		node->parent = c->numbers[node->parent];
		node->record = NULL;
	}
	return true;
}

/* Pass on the tree that waits. Returns 0 or -1. */
static int release(struct character *c, struct anim_error *error)
{
	size_t count = nodes_of(c) + 1;

	if (c->to_skeleton == NULL)
		return 0;
	anim_sink_free(c->to_skeleton);
	c->to_skeleton = NULL;
	anim_arena_reset(&c->arena);
	c->dropped = anim_arena_zeroed(&c->arena, count, sizeof *c->dropped, error);
	c->numbers = anim_arena_zeroed(&c->arena, count, sizeof *c->numbers, error);
	c->skeleton.dropped = c->dropped;
	if (c->dropped == NULL || c->numbers == NULL || choose(c, error) != 0)
		return -1;
	c->seen = c->written = 0;
	return anim_store_replay_changed(c->skeleton.records, keep, c, c->filter.next, error);
}

/* Warn of the characters that were left out. Returns 0 or -1. */
static int report(struct character *c, struct anim_error *error)
{
	size_t tracks = c->tracks;

	c->tracks = 0;
	if (tracks == 0 || c->name != NULL)
		return 0;
	return anim_diagnostics_warn(c->diagnostics, NULL, error,
				     "%zu tracks of other characters were left out: '%s' is used, and " ANIM_OPTION_TO(
					 "retarget", "character", "%s%s") " chooses another",
				     tracks, path_of(c, c->tops[0]), path_of(c, c->tops[1]),
				     c->count > 2 ? " or the like" : "");
}

/* ---- The sink ---- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct character *c = (struct character *)sink;

	if (release(c, error) != 0 || report(c, error) != 0)
		return -1;
	anim_skeleton_clear(&c->skeleton);
	c->to_skeleton = anim_skeleton_sink_new(&c->skeleton, true, error);
	return c->to_skeleton == NULL ? -1 : anim_sink_tree(c->to_skeleton, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct character *)sink)->to_skeleton, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct character *c = (struct character *)sink;

	anim_arena_reset(&c->clip_arena);
	if (release(c, error) != 0 || anim_clip_copy(&c->clip, clip, &c->clip_arena, error) != 0)
		return -1;
	return anim_filter_clip(sink, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct character *c = (struct character *)sink;
	uint32_t node = c->clip.flags & ANIM_IN_TREE ? anim_poses_find(&c->skeleton.poses, c->clip.root, track->node)
						     : ANIM_POSE_NONE;

	if (node == ANIM_POSE_NONE || !c->dropped[node])
		return anim_filter_track(sink, track, error);
	c->tracks++;
	return 0;
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct character *c = (struct character *)sink;

	return c->to_skeleton == NULL ? anim_filter_record(sink, record, error)
				      : anim_store_keep_record(c->skeleton.records, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct character *c = (struct character *)sink;

	if (release(c, error) != 0 || report(c, error) != 0 || anim_rests_check(&c->skeleton.poses.rests, error) != 0 ||
	    (c->to != NULL && anim_rests_check(&c->to->poses.rests, error) != 0))
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct character *c = (struct character *)sink;

	anim_sink_free(c->to_skeleton);
	anim_skeleton_clear(&c->skeleton);
	anim_arena_clear(&c->arena);
	anim_arena_clear(&c->clip_arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_character_new(const char *name, struct anim_skeleton *to, struct anim_diagnostics *diagnostics,
				     struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};
	struct character *c = anim_filter_new(sizeof *c, &ops, next, error);

	if (c == NULL)
		return NULL;
	c->name = name;
	c->to = to;
	c->diagnostics = diagnostics;
	anim_skeleton_init(&c->skeleton);
	return &c->filter.sink;
}
