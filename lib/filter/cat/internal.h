/* internal.h: the clips that become one, shared by the two ways to join them. */
#ifndef ANIM_FILTER_CAT_INTERNAL_H
#define ANIM_FILTER_CAT_INTERNAL_H

#include "base/map.h"
#include "filter/cat/cat.h"
#include "stream/store.h"

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

/* A clip in the store. */
struct anim_join_part {
	size_t clip; /* its number in the store */
	size_t input;
	const char *file; /* of its input, for messages */
	struct anim_kept_tree *tree;
	double shift_s; /* added to its times; 0 where merged */
	struct anim_join_part *next;
};

/* What groups stand in rows by: their name, their name and player. */
enum anim_join_row { ANIM_JOIN_OF_NAME, ANIM_JOIN_OF_PLAYER, ANIM_JOIN_ROWS };

/* Clips that become one, in the order of their inputs. */
struct anim_join_group {
	struct anim_join_part *first, *last;
	size_t count;
	struct anim_kept_tree *tree;                  /* of the joined clip; NULL: none */
	struct anim_join_group *next[ANIM_JOIN_ROWS]; /* in the rows that it is in */
};

/* What both ways work with. */
struct anim_join_work {
	struct anim_store *store;
	struct anim_diagnostics *diagnostics;
	struct anim_sink *next;
	struct anim_arena arena; /* of the clip at hand */
};
int anim_join_append(struct anim_join_work *, const struct anim_join_group *, struct anim_error *);

/* Numbers the tracks of a group by identity: node, property, component and how many of that came before in the clip. */
struct anim_join_identities {
	uint32_t **of; /* of[part][track] is its identity */
	size_t count;  /* identities, numbered in the order in which they came first */
	struct anim_arena arena;
};
int anim_join_identify(struct anim_join_identities *, const struct anim_store *, const struct anim_join_group *,
		       struct anim_error *);
void anim_join_identities_clear(struct anim_join_identities *);

#endif
