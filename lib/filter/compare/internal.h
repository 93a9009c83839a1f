/* internal.h: what the parts of anim-diff share. */
#ifndef ANIM_FILTER_COMPARE_INTERNAL_H
#define ANIM_FILTER_COMPARE_INTERNAL_H

#include "base/print.h"
#include "clip/keys.h"
#include "clip/source.h"
#include "filter/compare/compare.h"
#include "stream/store.h"

#define COMPARE_NONE SIZE_MAX
#define COMPARE_NO_TRACK UINT32_MAX

/* One input: a sink in front of a store, with what the store's index does not tell. Its free does nothing. */
struct compare_side {
	struct anim_sink sink;
	struct anim_store *store;
	struct anim_arena arena;
	struct anim_buffer clips; /* struct compare_clip */
	struct anim_buffer kinds; /* const char *: of each track the component of Unity's that it belongs to, or "" */
	struct anim_buffer roots; /* const char *: the root's name of each tree */
	bool bare_names;          /* the clip at hand is Resonite's */
	struct anim_rests rests;  /* of the tree `rests_tree`, to which the clips that are compared next belong, too */
	size_t rests_tree;        /* from 1 on; 0: of none */
};

/* What is compared as one: a whole track, or the tracks of the components of one value. */
struct compare_item {
	const char *node, *property, *kind;      /* the side's */
	uint32_t tracks[ANIM_COMPONENTS_JOINED]; /* numbers in the clip; COMPARE_NO_TRACK: none for this component */
	uint8_t component; /* of a lone component beyond ANIM_COMPONENTS_JOINED; else ANIM_WHOLE */
	bool joined;       /* tracks are of components */
	bool bone;         /* of a skeleton: anim_track_is_bone */
};

/* One clip of one side, ready to be compared. */
struct compare_view {
	struct compare_side *side;
	size_t clip;
	const struct anim_clip *head;
	struct compare_side *trees;  /* where its tree is: the side, or that of what turned it */
	size_t tree;                 /* from 1 on; 0: none */
	const char *root_name;       /* of its tree; NULL: none */
	struct anim_rests *rests;    /* of `trees` */
	struct anim_buffer items;    /* struct compare_item */
	struct anim_buffer partners; /* size_t: of each the other side's item, COMPARE_NONE: it has none */
	struct anim_buffer
	    placed; /* uint8_t: of each, whether it moves a node that compare_world compares; may be empty */
	struct anim_arena arena; /* of the tracks at hand */
};

int compare_view_open(struct compare_view *, struct compare_side *, size_t clip, struct anim_error *);
struct compare_item *compare_items(const struct compare_view *, size_t *count);

/* Brings clips of one tree into other axes, one after another; the tree itself once. All-zero is empty. */
struct compare_turn {
	struct anim_sink sink; /* behind `axes` */
	struct anim_sink *axes;
	struct anim_axes_options options;
	const struct compare_side *from; /* where the tree `tree` (0: none) was */
	size_t tree, store_memory;
	struct compare_side trees, clip; /* the tree; the clip at hand */
};

/* Two lists of which elements belong together, by keys; round after round, while the key function changes. */
struct compare_pairing {
	size_t counts[2];
	size_t *partners[2]; /* of each element; COMPARE_NONE: it has none yet */
	/* The key of an element of a side: 1, in the arena or longer-lived; 0: it takes no part in this round; -1. */
	int (*key)(void *context, int side, size_t number, struct anim_arena *, const char **key, size_t *length,
		   struct anim_error *);
	void *context;
	bool evenly;    /* only keys that both sides have equally often */
	size_t guesses; /* counts those that had others to choose from */
};
/* A round over what has no partner. 0 or -1. */
int compare_pair_up(struct compare_pairing *, struct anim_error *);

/* Sets the partners. *guesses counts those that had several to choose from. 0 or -1. */
int compare_match(struct compare_view views[2], enum anim_compare_match, size_t *guesses, struct anim_error *);

/* An item as it is played. */
struct compare_source {
	struct anim_source play;
	struct anim_track tracks[ANIM_COMPONENTS_JOINED];
	const struct anim_track *first;
	bool text, angle, logic, relative;
	unsigned components, known; /* how many; a bit for each that has a track or a rest */
};

/* `fallback` is the other side's rest of the node, or NULL. 0 or -1; its play is to be closed in either case. */
int compare_source_open(struct compare_source *, struct compare_view *, const struct compare_item *,
			const struct anim_rest *fallback, struct anim_error *);
/* Makes absolute what is relative to its rest (NULL: unknown). False where no rest is known. */
bool compare_make_absolute(struct compare_source *, const struct anim_rest *);

enum compare_status { COMPARE_SAME, COMPARE_WITHIN, COMPARE_DIFFERS, COMPARE_TYPES, COMPARE_ONLY_A, COMPARE_ONLY_B };
#define COMPARE_STATUS_COUNT 6
extern const char *const compare_status_names[COMPARE_STATUS_COUNT];

/* What came of one pair, or of an item that has no partner. Texts live as long as the sides. */
struct compare_row {
	enum compare_status status;
	enum anim_unit unit;
	double beyond_s;                /* for how long the limit was exceeded at one go, at most; 0: not known */
	double worst, rms, at_s, limit; /* at_s on the first side's axis; rms of texts: 0 */
	const struct compare_item *items[2];
	const char *note; /* what else is to be said; NULL: nothing */
};

/* What a comparison needs beside the two sources. All-zero but for the rate is empty. */
struct compare_meter {
	uint32_t rate_num, rate_den;
	struct anim_buffer breaks[2];
	struct anim_buffer times; /* double: scratch */
};
/*
 * How far two sources of one kind are apart; `components`: a bit for each that counts. Samples of which
 * nobody knows the times are taken by their numbers where both have as many, at_s: the clip's start. Fills worst, rms, at_s.
 * 0 or -1.
 */
int compare_measure(struct compare_meter *, struct compare_source s[2], unsigned components, struct compare_row *,
		    struct anim_error *);
/* What anim_compare_errors needs. */
struct compare_error_source {
	struct compare_source *sides;
	unsigned components;
	enum anim_unit unit;
	double start_s[2], end_s[2];
};
/* Fills all but the row's own, of two sources that compare_measure took. False for samples of unknown times. */
bool compare_error_source_init(struct compare_error_source *, const struct compare_meter *, struct compare_source s[2],
			       unsigned components, enum anim_unit);
/* Samples of unknown times. */
bool compare_has_no_times(const struct anim_track *);
/*
 * A track of texts as what they mean: what is Godot's source text on one side may be that on the other. Its texts lie in *texts,
 * to be cleared by anim_texts_clear, and in *strings. 0 or -1.
 */
int compare_meant(const struct anim_track *, struct anim_track *out, struct anim_texts *texts,
		  struct anim_strings *strings, struct anim_error *);
/* How far texts are apart, key by key. 0 or -1. */
int compare_texts(const struct anim_clip *const clips[2], const struct anim_track *a, const struct anim_track *b,
		  struct compare_row *, struct anim_error *);

/* A pair of clips and what came of it, or a clip without partner (the other head NULL, no rows). */
struct compare_pair {
	struct anim_compare_clips clips;
	bool differs;
	struct compare_row *rows; /* without those that are the same, where nobody asks for these */
	size_t count;
	uint64_t statuses[COMPARE_STATUS_COUNT]; /* how many rows there are of each */
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

/* What prints: rows for people, or JSON. */
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

/* A clip of each side; COMPARE_NONE: it stands alone. */
struct couple {
	size_t clips[2];
};

struct compare_world;

struct anim_compare {
	struct anim_compare_options options;
	struct compare_side sides[2];
	struct anim_buffer couples; /* struct couple */
	struct anim_buffer rows;    /* struct compare_row of the clips at hand, as a pair has them */
	uint64_t statuses[COMPARE_STATUS_COUNT];
	struct anim_arena notes;         /* of these rows */
	struct compare_turn turns[2][2]; /* of each side: in space; of what came of that, in the plane */
	struct compare_meter measure;
	struct compare_world *world; /* of compare_world; NULL: it was not called yet */
	size_t couple;               /* at hand, from 1 on */
	unsigned told;               /* units that were told to have no limit: 1 << unit */
};

/* Puts the turned clip in the place of a view's, in space or in the plane, where the axes ask for it. 0 or -1. */
int compare_turn_axes(struct anim_compare *, struct compare_view views[2], int side, bool flat, struct anim_error *);

/* Compares the tracks of a couple of two; the rows lie in c->rows, their items in the views. 0 or -1. */
int compare_clips(struct anim_compare *, const struct couple *, struct compare_view views[2], struct compare_pair *,
		  struct anim_error *);

/*
 * Adds a row for each node of a tree that moves in either clip, with the distance of the shell's points around it, and marks the
 * items that move them, which need no rows of their own. 0 or -1.
 */
int compare_world(struct anim_compare *, struct compare_view views[2], struct anim_error *);
/* The trees that it keeps for the next clips are no longer what they were. NULL is allowed in both. */
void compare_world_forget(struct compare_world *);
void compare_world_free(struct compare_world *);

/* Counts the row, and keeps it if it is to be told. 0 or -1. */
int compare_add_row(struct anim_compare *, const struct compare_row *, struct anim_error *);

/* The component that an item is of alone, or ANIM_WHOLE. */
uint8_t compare_component(const struct compare_item *);
/* The label of an item, "A/Hips position.x", in the arena; NULL out of memory. */
const char *compare_label(const struct compare_item *, bool with_node, struct anim_arena *, struct anim_error *);

#endif
