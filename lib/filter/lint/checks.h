/* checks.h: the checks of anim-lint on one track and on the tracks of a clip. Private to lib/filter. */
#ifndef ANIM_FILTER_LINT_CHECKS_H
#define ANIM_FILTER_LINT_CHECKS_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "base/number.h"
#include "clip/resonite.h"
#include "filter/lint/lint.h"

/*
 * Indexes of anim_lint_rules, in the order in which the findings of a track are reported. Kinds after
 * QUATERNION_LONG_WAY are for one engine.
 */
enum lint_kind {
	LINT_FAULT,
	LINT_READING,
	LINT_CLIP_TWICE,
	LINT_NO_DURATION,
	LINT_AXES_UNKNOWN,
	LINT_ATTRIBUTE,
	LINT_NODE_TWICE,
	LINT_NODE_NAME,
	LINT_GOALS,
	LINT_LOST,
	LINT_APPROXIMATED,
	LINT_FOOT_SLIDES,
	LINT_FOOT_HEIGHT,
	LINT_FEET_UNKNOWN,
	LINT_NAME_TWICE,
	LINT_NO_KEYS,
	LINT_NO_INTERVAL,
	LINT_TIME_NOT_FINITE,
	LINT_TIMES_UNSORTED,
	LINT_TIMES_EQUAL,
	LINT_BEFORE_START,
	LINT_PAST_END,
	LINT_VALUE_NOT_FINITE,
	LINT_TANGENT_NOT_FINITE,
	LINT_QUATERNION_NOT_UNIT,
	LINT_TANGENT,
	LINT_LOOP_SEAM,
	LINT_MUSCLE_RANGE,
	LINT_MUSCLE_JUMP,
	LINT_QUATERNION_LONG_WAY,
	LINT_FIELD_TYPE,
	LINT_UNBOUND,
	LINT_WEIGHT,
	LINT_PATH,
	LINT_BONE,
	LINT_HANDLE,
	LINT_TANGENTS_DROPPED,
	LINT_TRACK_ORDER,
	LINT_TRACK_LIST,
	LINT_KIND_COUNT
};

#define LINT_NO_KEY SIZE_MAX

/* How often a track has a problem, and at which key first. */
struct lint_tally {
	uint64_t count;
	size_t key;
	char detail[96]; /* printed before the text of the kind, or empty */
};
struct lint_tallies {
	struct lint_tally of[LINT_KIND_COUNT];
};

/* Count one problem of the kind. The `detail` of the first one is kept. */
void lint_count_detail(struct lint_tallies *, enum lint_kind, size_t key, const char *detail, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- Numbers in messages ---- */

#define LINT_NUMBER (ANIM_NUMBER_MAX + 1)
const char *lint_fixed(char out[LINT_NUMBER], double value);  /* print with three decimals: seconds, degrees */
const char *lint_digits(char out[LINT_NUMBER], double value); /* print with three digits: numbers of any size */

/* ---- A track ---- */

/* A set of names, each of several parts. All-zero is empty. */
struct lint_names {
	struct anim_text_set set;
	struct anim_buffer key; /* of the current name: its parts, each followed by NUL */
};
#define LINT_NAME_PARTS 5

int lint_names_has(struct lint_names *, const char *const parts[LINT_NAME_PARTS], struct anim_error *); /* 1, 0, -1 */

/*
 * Find the problems that a player has with a track, in general and for one engine. `nodes` are the nodes of the tree,
 * with "bones" for a skeleton that has bones and "part" if some nodes are unknown. The arena is for names. Returns 0,
 * or -1 if out of memory.
 */
int lint_track(enum anim_lint_target, const struct anim_track *, const struct anim_clip *, struct lint_names *nodes,
	       struct lint_tallies *, struct anim_arena *, struct anim_error *);

/* Count a track of a looping clip whose end differs from its start. Returns 0 or -1. */
int lint_seam(const struct anim_clip *, const struct anim_track *, struct lint_tallies *, struct anim_error *);

/* ---- Humanoid curves of a clip ---- */

#define LINT_PLACES 5 /* the body, two feet, two hands */

/* All-zero is a clip without such curves. */
struct lint_humanoid {
	uint64_t curves;
	bool moves; /* it has muscles or goals, and not only the root motion that generic clips also have */
	bool legs;  /* it has muscles of legs */
	uint8_t
	    parts[LINT_PLACES]; /* bits of the curves of each place: x, y, z of its position, x to w of its rotation */
};

/* Record a track, and count its problems if it is a muscle. Returns 1 if it is humanoid, 0 if it is not, or -1. */
int lint_humanoid_track(struct lint_humanoid *, const struct anim_clip *, const struct anim_track *,
			struct lint_tallies *, struct anim_arena *, struct anim_error *);

/* Set *fault to the problem of the clip's goals, a constant or in the arena, or to NULL. Returns 0 or -1. */
int lint_humanoid_goals(const struct lint_humanoid *, enum anim_lint_target, const char **fault, struct anim_arena *,
			struct anim_error *);

/* ---- The lists of tracks by which Resonite's Animators bind ---- */

/*
 * The track lists of all clips in this run. An Animator binds its fields by such a list. All-zero is empty. A list is
 * kept if it shares no track with an earlier list, because clips of other characters have other lists.
 */
struct lint_lists {
	struct anim_map owners;     /* a track -> the number of the first list that has it */
	struct anim_buffer lists;   /* of the kept lists: struct list */
	struct anim_buffer kept;    /* tracks of the kept lists, one list after another: struct item */
	struct anim_buffer current; /* tracks of the current clip: struct item */
	struct anim_arena texts, current_texts;
	/* Number of tracks without a field: so far, and before the last track with a field. */
	uint64_t unbound, shifting;
	size_t first; /* index in `current` of the first track without a field */
};

int lint_lists_add(struct lint_lists *, const struct anim_resonite_names *, const struct anim_track *,
		   struct anim_error *); /* 0 or -1 */

/*
 * Check the order of the clip's tracks at its end, and compare them with an earlier list that has some of them. Sets each
 * fault to its message, in the arena, or to NULL. Returns 0 or -1.
 */
int lint_lists_check(struct lint_lists *, const char *clip, const char *file, const char **order_fault,
		     const char **list_fault, struct anim_arena *, struct anim_error *);

void lint_lists_reset(struct lint_lists *); /* forget the current clip */
void lint_lists_clear(struct lint_lists *);

#endif
