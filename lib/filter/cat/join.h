/* join.h: the clips that are joined, and their tracks. */
#ifndef ANIM_FILTER_CAT_JOIN_H
#define ANIM_FILTER_CAT_JOIN_H

#include "base/map.h"
#include "filter/cat/cat.h"
#include "stream/store.h"

/* A TREE with its NODEs. Texts are in the arena of the owner. */
struct anim_kept_tree {
	struct anim_tree head;
	struct anim_node *nodes; /* owned */
	size_t count, capacity;
	struct anim_map numbers; /* number of the first node of each path */
	const char *file;        /* the input of the tree, for messages */
	/* The last tree that was merged into this one, when it had united_count nodes. */
	const struct anim_kept_tree *united;
	size_t united_count;
};

/* A clip in the store. */
struct anim_join_part {
	size_t clip; /* its number in the store */
	size_t input;
	size_t rank;      /* number of the first pattern of the order that matches it */
	const char *file; /* name of its input, for messages */
	struct anim_kept_tree *tree;
	bool shapes;    /* it has tracks of shapes of a face at the root, which need no nodes */
	bool places;    /* it has other tracks */
	double shift_s; /* added to its times, or 0 if merged */
	struct anim_join_part *next;
};

/* The keys of the rows that groups are in: the name, or the name and the player. */
enum anim_join_row { ANIM_JOIN_OF_NAME, ANIM_JOIN_OF_PLAYER, ANIM_JOIN_ROWS };

/* Clips that become one, in the order of their inputs. */
struct anim_join_group {
	struct anim_join_part *first, *last;
	size_t count;
	struct anim_kept_tree *tree;                  /* of the joined clip, or NULL */
	const struct anim_join_part *owner;           /* the part from which the tree is, or NULL */
	struct anim_join_group *next[ANIM_JOIN_ROWS]; /* next group in each of its rows */
};

/* The state that ANIM_JOIN_MERGE and ANIM_JOIN_APPEND share. */
struct anim_join_work {
	struct anim_store *store;
	struct anim_diagnostics *diagnostics;
	struct anim_sink *next;
	struct anim_arena arena; /* of the current clip */
};

/*
 * The identity of each track of a group: node, property, component, and how many tracks with these came before it in
 * the clip.
 */
struct anim_join_identities {
	uint32_t **of; /* of[part][track] is its identity */
	size_t count;  /* number of identities, numbered in the order of their first tracks */
	struct anim_arena arena;
};

/* Find which tracks of a group's clips are the same track. Returns 0 or -1. Clear the identities in both cases. */
int join_identify(struct anim_join_identities *, const struct anim_store *, const struct anim_join_group *,
		  struct anim_error *);
void join_identities_clear(struct anim_join_identities *);

/* Write the tracks of a group's clips one after another in time, after the head of the clip. Returns 0 or -1. */
int join_append(struct anim_join_work *, const struct anim_join_group *, struct anim_error *);

/*
 * Replace a group of clips by their parts outside of the blends and by clips of the blends between them: *out, whose members
 * are in the arena, and a new store. Each clip but the first is first moved over the ground and rotated about the vertical axis,
 * so that the bodies meet in the middle of the blend. Returns 0 or -1.
 */
int join_blend(const struct anim_join_work *, const struct anim_join_group *, double blend_s,
	       struct anim_join_group *out, struct anim_store **made, size_t store_memory, struct anim_arena *,
	       struct anim_error *);

#endif
