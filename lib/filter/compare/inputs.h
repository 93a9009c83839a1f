/* inputs.h: the two inputs of a comparison, and their clips and tracks in the form in which they are compared. */
#ifndef ANIM_FILTER_COMPARE_INPUTS_H
#define ANIM_FILTER_COMPARE_INPUTS_H

#include "clip/keys.h"
#include "clip/source.h"
#include "filter/compare/compare.h"
#include "stream/store.h"

#define COMPARE_NONE SIZE_MAX
#define COMPARE_NO_TRACK UINT32_MAX

/*
 * One input: a sink before a store, with data that the index of the store does not have. Its free function does
 * nothing.
 */
struct compare_side {
	struct anim_sink sink;
	struct anim_store *store;
	struct anim_arena arena;
	struct anim_buffer clips; /* struct compare_clip */
	struct anim_buffer kinds; /* const char *: for each track, the Unity component to which it belongs, or "" */
	struct anim_buffer roots; /* const char *: the name of the root of each tree */
	bool bare_names;          /* the current clip is from Resonite */
	struct anim_rests rests;  /* of the tree `rests_tree`, which the next clips may share */
	size_t rests_tree;        /* from 1 on; 0: none */
};

/* A unit of comparison: a whole track, or the tracks of the components of one value. */
struct compare_item {
	const char *node, *property, *kind;      /* of this side */
	uint32_t tracks[ANIM_COMPONENTS_JOINED]; /* numbers in the clip; COMPARE_NO_TRACK: none for this component */
	uint8_t component; /* of a single component beyond ANIM_COMPONENTS_JOINED; otherwise ANIM_WHOLE */
	bool joined;       /* the tracks are components */
	bool bone;         /* of a skeleton: anim_track_is_bone */
};

/* One clip of one side, ready to be compared. */
struct compare_view {
	struct compare_side *side;
	size_t clip;
	const struct anim_clip *head;
	bool has_muscles;            /* of Unity's humanoid */
	struct compare_side *trees;  /* the side that has its tree: the clip's own side, or the converted one */
	size_t tree;                 /* from 1 on; 0: none */
	const char *root_name;       /* of its tree; NULL: none */
	struct anim_rests *rests;    /* of `trees` */
	struct anim_buffer items;    /* struct compare_item */
	struct anim_buffer partners; /* size_t: for each item, the item of the other side; COMPARE_NONE: none */
	struct anim_buffer
	    placed; /* uint8_t: for each item, whether it moves a node that compare_world compares; may be empty */
	struct anim_arena arena; /* for the current tracks */
};

struct compare_item *compare_items(const struct compare_view *, size_t *count);

/* Return the numbers of the partners of the items. */
static inline size_t *compare_partners(const struct compare_view *view)
{
	return (size_t *)(void *)view->partners.data;
}

/* Converts clips of one tree to other axes, one after another. The tree is converted once. All-zero is empty. */
struct compare_conversion {
	struct anim_sink sink; /* receives the output of `axes` */
	struct anim_sink *axes;
	struct anim_axes_options options;
	const struct compare_side *from; /* the side that had the tree `tree` (0: none) */
	size_t tree, store_memory;
	struct compare_side trees, clip; /* the converted tree and the current clip */
};

/* An item in the form in which it is played. */
struct compare_source {
	struct anim_source play;
	struct anim_track tracks[ANIM_COMPONENTS_JOINED];
	const struct anim_track *first;
	bool text, angle, logic, relative;
	unsigned components, known; /* number of components, and a bit for each that has a track or a rest value */
};

/*
 * Open an item. `fallback` is the rest pose of the node on the other side, or NULL. Returns 0 or -1. Its `play` must
 * be closed in both cases.
 */
int compare_source_open(struct compare_source *, struct compare_view *, const struct compare_item *,
			const struct anim_rest *fallback, struct anim_error *);
/*
 * Convert values relative to the rest pose (NULL: unknown) to absolute ones. Returns false if no rest pose is known.
 */
bool compare_make_absolute(struct compare_source *, const struct anim_rest *);

#endif
