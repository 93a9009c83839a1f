/* internal.h: functions that the parts of rename share. */
#ifndef ANIM_FILTER_RENAME_INTERNAL_H
#define ANIM_FILTER_RENAME_INTERNAL_H

#include "base/map.h"
#include "clip/track.h"
#include "filter/rename/rename.h"

/* Return whether the selection matches the text: one of `count` globs matches, or the list is empty. */
bool anim_rename_selects(const char *const *globs, size_t count, const char *text);

/* The tracks of the current clip under their old and new names. All-zero is empty. Needs about 100 bytes per track. */
struct anim_identities {
	struct anim_text_set before, after;
	struct anim_buffer text;
};

/* Add a track under its old and its new name. Warns if only the new name is already in the set. Returns 0 or -1. */
int anim_identities_add(struct anim_identities *, const struct anim_track *, const struct anim_track *renamed,
			struct anim_diagnostics *, struct anim_error *);
void anim_identities_clear(struct anim_identities *);

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
