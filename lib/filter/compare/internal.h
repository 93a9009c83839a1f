/* internal.h: declarations that the parts of anim-diff share. */
#ifndef ANIM_FILTER_COMPARE_INTERNAL_H
#define ANIM_FILTER_COMPARE_INTERNAL_H

#include "base/print.h"
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

enum compare_status { COMPARE_SAME, COMPARE_WITHIN, COMPARE_DIFFERS, COMPARE_TYPES, COMPARE_ONLY_A, COMPARE_ONLY_B };
#define COMPARE_STATUS_COUNT 6
extern const char *const compare_status_names[COMPARE_STATUS_COUNT];

/* The result of one pair, or of an item without a partner. Texts live as long as the sides. */
struct compare_row {
	enum compare_status status;
	enum anim_unit unit;
	double beyond_s;                /* the longest time without interruption beyond the limit; 0: not known */
	double worst, rms, at_s, limit; /* at_s on the axis of the first side; rms of texts: 0 */
	const struct compare_item *items[2];
	const char *note; /* an additional remark; NULL: none */
};

/* Data of a comparison besides the two sources. If all members but the rate are zero, it is empty. */
struct compare_meter {
	uint32_t rate_num, rate_den;
	struct anim_buffer breaks[2];
	struct anim_buffer times; /* double: scratch */
};
/* Return true for samples with unknown times. */
bool compare_has_no_times(const struct anim_track *);

/* A pair of clips with its result, or a clip without a partner (the other head is NULL, and there are no rows). */
struct compare_pair {
	struct anim_compare_clips clips;
	bool differs;
	struct compare_row *rows; /* without equal rows if nobody needs them */
	size_t count;
	uint64_t statuses[COMPARE_STATUS_COUNT]; /* number of rows with each status */
};

/* Sums over all pairs. */
struct compare_sums {
	uint64_t clips, clips_only[2], tracks[COMPARE_STATUS_COUNT];
	struct {
		double error, at_s;
		bool there;
		struct anim_buffer clip, track; /* texts, terminated */
	} worst[ANIM_UNIT_COUNT];
	bool differ;
};

/* The printer: rows for people, or JSON. */
struct compare_report {
	struct anim_print print;
	struct anim_arena scratch;
	const struct anim_compare_options *options;
	struct compare_sums sums;
	uint64_t pairs; /* printed so far */
};
struct compare_form {
	void (*begin)(struct compare_report *);
	void (*pair)(struct compare_report *, const struct compare_pair *);
	void (*end)(struct compare_report *);
};
extern const struct compare_form compare_table, compare_json;

struct compare_world;

struct anim_compare {
	struct anim_compare_options options;
	struct compare_side sides[2];
	struct anim_buffer couples; /* struct couple */
	struct anim_buffer rows;    /* struct compare_row of the current clips, as a pair has them */
	uint64_t statuses[COMPARE_STATUS_COUNT];
	struct anim_arena notes; /* for these rows */
	/* for each side: converted in space, then in the plane */
	struct compare_conversion conversions[2][2];
	struct compare_meter measure;
	struct compare_world *world; /* for compare_world; NULL: it was not called yet */
	size_t couple;               /* current pair, from 1 on */
	unsigned reported;           /* units without a limit that have been reported: 1 << unit */
};

/*
 * Add a row for each node of a tree that moves in either clip, with the error of the points of the shell around it.
 * Marks the items that move these nodes, because they need no rows of their own. Returns 0 or -1.
 */
int compare_world(struct anim_compare *, struct compare_view views[2], struct anim_error *);
/* Forget the trees that are kept for the next clips, because they have changed. NULL is allowed in both functions. */
void compare_world_forget(struct compare_world *);
void compare_world_free(struct compare_world *);

/*
 * Compare the tracks of two clips whose items are matched, and add their rows, or report their keys to the viewer.
 * Returns 0 or -1.
 */
int compare_tracks(struct anim_compare *, struct compare_view views[2], struct anim_error *);

/* Count the row, and keep it if it is to be printed. Returns 0 or -1. */
int compare_add_row(struct anim_compare *, const struct compare_row *, struct anim_error *);

/* Return the component if an item has only one, or ANIM_WHOLE. */
uint8_t compare_component(const struct compare_item *);
/* Return the label of an item, "A/Hips position.x", in the arena. Returns NULL if out of memory. */
const char *compare_label(const struct compare_item *, bool with_node, struct anim_arena *, struct anim_error *);

#endif
