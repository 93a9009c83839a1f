/* internal.h: what the parts of rename share. */
#ifndef ANIM_FILTER_RENAME_INTERNAL_H
#define ANIM_FILTER_RENAME_INTERNAL_H

#include "base/map.h"
#include "clip/track.h"
#include "filter/rename/rename.h"

/* Whether the selection takes the text: one of `count` globs fits, or there are none. */
bool anim_rename_selects(const char *const *globs, size_t count, const char *text);

/* All-zero is empty. About 100 bytes a track of the clip at hand. */
struct anim_identities {
	struct anim_text_set before, after;
	struct anim_buffer text;
};

/* Adds a track as it came and as it goes on; warns where only the latter was there before. 0 or -1. */
int anim_identities_add(struct anim_identities *, const struct anim_track *, const struct anim_track *renamed,
			struct anim_diagnostics *, struct anim_error *);
void anim_identities_clear(struct anim_identities *);

struct anim_new_node {
	struct anim_node node; /* as it came; parent: its number then, which is its place in the list */
	const char *path;      /* the new one; at first the old one */
	bool parted;           /* it is a skeleton's bone: a ':' parts it from that */
	uint32_t number;       /* while the tree is written; ANIM_NO_PARENT: not yet */
	size_t others;         /* bytes of records of other tags that stand behind it */
	size_t others_at;      /* where in the tree's `others` */
};

/* All-zero holds no tree. Texts lie in the arena. */
struct anim_new_tree {
	bool held;
	struct anim_tree head;
	struct anim_buffer nodes;  /* struct anim_new_node */
	struct anim_buffer others; /* records of other tags: those behind the head, then each node's */
	size_t head_others;        /* bytes of them behind the head */
	struct anim_map by_path;   /* new path -> place in the list; while the tree is written */
	struct anim_arena arena;
	uint32_t written;
};

/* Forgets all and begins another. 0 or -1. */
int anim_new_tree_begin(struct anim_new_tree *, const struct anim_tree *, struct anim_error *);
int anim_new_tree_add(struct anim_new_tree *, const struct anim_node *, struct anim_error *);

/* A record of another tag behind what came last; it stays there. 0 or -1. */
int anim_new_tree_record(struct anim_new_tree *, const struct anim_record *, struct anim_error *);

size_t anim_new_tree_count(const struct anim_new_tree *);
struct anim_new_node *anim_new_tree_at(const struct anim_new_tree *, size_t place);

/*
 * Writes TREE and NODEs under their new paths and forgets them. Each node comes behind the one that its path names
 * before the last '/', which is made (without a transform) where there is none; a skeleton's bone behind
 * the bone that was its parent where that is of the same skeleton, else behind the skeleton. The first node stays the
 * root. Two nodes of one path are warned of. 0 or -1.
 */
int anim_new_tree_write(struct anim_new_tree *, struct anim_diagnostics *, struct anim_sink *, struct anim_error *);

void anim_new_tree_clear(struct anim_new_tree *);

#endif
