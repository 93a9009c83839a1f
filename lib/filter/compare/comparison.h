/* comparison.h: a running comparison, with its pairs, rows and report. Private to this folder. */
#ifndef ANIM_FILTER_COMPARE_COMPARISON_H
#define ANIM_FILTER_COMPARE_COMPARISON_H

#include "base/print.h"
#include "filter/compare/inputs.h"

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

/* A clip of each side. COMPARE_NONE: that side has none. */
struct compare_couple {
	size_t clips[2];
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
	struct anim_buffer couples; /* struct compare_couple */
	struct anim_buffer rows;    /* struct compare_row of the current clips, as a pair has them */
	uint64_t statuses[COMPARE_STATUS_COUNT];
	struct anim_arena notes; /* for these rows */
	/* for each side: converted in space, then in the plane */
	struct compare_conversion conversions[2][2];
	struct compare_meter meter;
	struct compare_world *world; /* for compare_world; NULL: it was not called yet */
	size_t couple;               /* current pair, from 1 on */
	unsigned reported;           /* units without a limit that have been reported: 1 << unit */
};

/* Fill `couples`. Returns 0, or -1 if the only clip of one side has no namesake among several. */
int compare_match_clips(struct anim_compare *, struct anim_error *);

struct compare_matches {
	size_t guesses; /* items that had several candidates */
	size_t humans;  /* items matched by the bones of humans, because their names do not match */
	size_t unlike;  /* of these, items whose nodes have other axes at rest */
};

/* Set the partners of the items, and count them. Returns 0 or -1. */
int compare_match_tracks(struct compare_view views[2], enum anim_compare_match, struct compare_matches *,
			 struct anim_error *);

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
