/* tree.h: trees that are kept, and united. Internal to cat_join. */
#ifndef ANIM_FILTER_CAT_TREE_H
#define ANIM_FILTER_CAT_TREE_H

#include "base/map.h"
#include "clip/sink.h"

/* A TREE with its NODEs; texts in the arena of whoever keeps it. */
struct anim_kept_tree {
	struct anim_tree head;
	struct anim_node *nodes; /* owned */
	size_t count, capacity;
	struct anim_map numbers;             /* of the first node of each path */
	const char *file;                    /* the input that it came from, for messages */
	const struct anim_kept_tree *united; /* the last that was united with it, when that had so many nodes */
	size_t united_count;
};

/* Adds the next node; its parent is one of the tree's. 0 or -1. */
int anim_kept_tree_add(struct anim_kept_tree *, const struct anim_node *, struct anim_arena *, struct anim_error *);

/*
 * Adds the nodes of `from` whose paths `to` has not (texts shared). *differ counts those that both have with another
 * position, rotation or scale: those of `to` stay. What was done last time is not done again. 0 or -1.
 */
int anim_kept_tree_unite(struct anim_kept_tree *to, const struct anim_kept_tree *from, size_t *differ,
			 struct anim_error *);

int anim_kept_tree_replay(const struct anim_kept_tree *, struct anim_sink *, struct anim_error *);
void anim_kept_tree_clear(struct anim_kept_tree *);

#endif
