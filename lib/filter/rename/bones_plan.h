/* bones_plan.h: which nodes are bones, and where everything at and below them goes. Internal to rename_bones. */
#ifndef ANIM_FILTER_RENAME_BONES_PLAN_H
#define ANIM_FILTER_RENAME_BONES_PLAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "filter/rename/tree.h"

/* What tells nodes of the tree and those of clips without a tree apart. */
enum anim_bones_scope { ANIM_BONES_LOOSE, ANIM_BONES_IN_TREE };

/*
 * All-zero is empty but for the path. Paths are the tree's, "" is never one. Filled track by track, then made, then
 * asked.
 */
struct anim_bones_plan {
	const char *path;          /* of the skeleton, from the root of a clip */
	struct anim_buffer moved;  /* struct driven: nodes that transform tracks drive */
	struct anim_buffer others; /* the same of other tracks */
	struct anim_text_set seen; /* of both */
	struct anim_map bones;     /* by scope and path */
	struct anim_map kept;      /* nodes of the tree that no track makes a bone of */
	struct anim_map attached;  /* attachments made */
	struct anim_arena arena;   /* until reset */
};

void anim_bones_plan_reset(struct anim_bones_plan *);
void anim_bones_plan_clear(struct anim_bones_plan *);

/* A track of the node on a clip with this root. 0 or -1. */
int anim_bones_plan_add(struct anim_bones_plan *, enum anim_bones_scope, const char *root, const char *node,
			bool transform, struct anim_error *);

/* Finds the bones, and gives the nodes of the tree, where one is held, their kinds and paths. 0 or -1. */
int anim_bones_plan_make(struct anim_bones_plan *, struct anim_new_tree *, struct anim_error *);

/*
 * Where a track of the node goes: as given where it stays. `transform`: the track is one of a transform. *bone is set
 * true where it becomes a bone's. In the arena; NULL on failure.
 */
const char *anim_bones_plan_node(const struct anim_bones_plan *, enum anim_bones_scope, const char *root,
				 const char *node, bool transform, bool *bone, struct anim_arena *,
				 struct anim_error *);

#endif
