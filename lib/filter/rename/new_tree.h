/* new_tree.h: a tree that waits for its new paths, and is written in their order. Private to rename. */
#ifndef ANIM_FILTER_RENAME_NEW_TREE_H
#define ANIM_FILTER_RENAME_NEW_TREE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

struct anim_new_node {
	struct anim_node node; /* the original node; parent is the original number, which is the index in the list */
	const char *path;      /* the new path; first the old one */
	bool parted;           /* a bone of a skeleton: a ':' separates the two names */
	uint32_t number;       /* number in the written tree; ANIM_NO_PARENT: not written yet */
	size_t others;         /* bytes of records of other tags that follow it */
	size_t others_at;      /* their offset in the tree's `others` */
};

/* A tree that is kept until its new paths are known. All-zero holds no tree. Texts are in the arena. */
struct anim_new_tree {
	bool held;
	struct anim_tree head;
	struct anim_buffer nodes;  /* struct anim_new_node */
	struct anim_buffer others; /* records of other tags: first those after the head, then those of each node */
	size_t head_others;        /* bytes of the records after the head */
	struct anim_map by_path;   /* new path -> index in the list, while the tree is written */
	struct anim_arena arena;
	uint32_t written;
};

/* Drop the old tree and begin a new one. Returns 0 or -1. */
int anim_new_tree_begin(struct anim_new_tree *, const struct anim_tree *, struct anim_error *);
int anim_new_tree_add(struct anim_new_tree *, const struct anim_node *, struct anim_error *);

/* Add a record of another tag. It stays after the last node, or after the head. Returns 0 or -1. */
int anim_new_tree_record(struct anim_new_tree *, const struct anim_record *, struct anim_error *);

/*
 * Add a new node. It is written before the first node that is below its path, at the latest after all others. `bone` is
 * the bone to which it is attached, or NULL. Returns 0 or -1.
 */
int anim_new_tree_make(struct anim_new_tree *, const char *path, const char *type, const char *bone,
		       struct anim_error *);

size_t anim_new_tree_count(const struct anim_new_tree *);
struct anim_new_node *anim_new_tree_at(const struct anim_new_tree *, size_t place);

/*
 * Write TREE and NODEs under their new paths, then drop the tree. Each node is written after the node that its path
 * names before the last '/'. If that node does not exist, it is created without a transform. A skeleton's bone is
 * written after its former parent if that is a bone of the same skeleton, otherwise after the skeleton. The first node
 * stays the root. Warns if two nodes get the same path. Returns 0 or -1.
 */
int anim_new_tree_write(struct anim_new_tree *, struct anim_diagnostics *, struct anim_sink *, struct anim_error *);

void anim_new_tree_clear(struct anim_new_tree *);

#endif
