/* internal.h: the findings of anim-lint, how they are counted and told; private to lib/filter. */
#ifndef ANIM_FILTER_LINT_INTERNAL_H
#define ANIM_FILTER_LINT_INTERNAL_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "base/print.h"
#include "clip/resonite.h"
#include "filter/lint/lint.h"

/* In the order in which those of a track are told. */
enum lint_kind {
	LINT_FAULT,
	LINT_READING,
	LINT_CLIP_TWICE,
	LINT_CLIP_NAME,
	LINT_NO_DURATION,
	LINT_AXES_UNKNOWN,
	LINT_AXES_OTHER,
	LINT_ATTRIBUTE,
	LINT_NODE_TWICE,
	LINT_NODE_NAME,
	LINT_HUMANOID,
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
	/* for one engine */
	LINT_QUATERNION_LONG_WAY,
	LINT_MODE,
	LINT_EASE,
	LINT_ENDS,
	LINT_TYPE,
	LINT_FIELD_TYPE,
	LINT_VALUE_RANGE,
	LINT_REST_RELATIVE,
	LINT_DISABLED,
	LINT_UNBOUND,
	LINT_WEIGHT,
	LINT_PATH,
	LINT_BONE,
	LINT_HANDLE,
	LINT_TRACK_ORDER,
	LINT_TRACK_LIST,
	LINT_KIND_COUNT
};

#define LINT_NO_KEY SIZE_MAX

/* How often a track has something, and where first. */
struct lint_tally {
	uint64_t count;
	size_t key;
	char detail[96]; /* stands before the kind's text; may be empty */
};
struct lint_tallies {
	struct lint_tally of[LINT_KIND_COUNT];
};

/* Counts one more of the kind; `detail` is kept of the first one. */
void lint_count(struct lint_tallies *, enum lint_kind, size_t key);
void lint_count_detail(struct lint_tallies *, enum lint_kind, size_t key, const char *detail, ...)
    __attribute__((format(printf, 4, 5)));

/* What any player would stumble over. */
void lint_keys(const struct anim_track *, const struct anim_clip *, struct lint_tallies *);

/* Rotations (of floatQ or doubleQ) that are interpolated component by component: two signs of one rotation are far apart. */
void lint_turns(const struct anim_track *, struct lint_tallies *);

/*
 * The lists of tracks of the run's clips, by which an Animator binds its fields. All-zero is empty. A list is
 * kept where it shares no track with an earlier one: those of other characters do not concern it.
 */
struct lint_lists {
	struct anim_map owners;     /* a track -> the number of the first list that has it */
	struct anim_buffer lists;   /* of those kept: struct lint_list */
	struct anim_buffer kept;    /* their tracks one behind the other: struct lint_item */
	struct anim_buffer current; /* those of the clip at hand */
	struct anim_arena texts, current_texts;
	uint64_t unbound, shifting; /* tracks without field: so far, and those with one behind them */
	size_t first;               /* the first of them, in `current` */
};
int lint_lists_add(struct lint_lists *, const struct anim_resonite_names *, const struct anim_track *,
		   struct anim_error *);
/* At the clip's end: what is wrong with the order of its tracks, in the arena; NULL: nothing. 0 or -1. */
int lint_lists_order(struct lint_lists *, struct anim_arena *, const char **fault, struct anim_error *);
/* And where it differs from an earlier list with tracks of the same names. */
int lint_lists_compare(struct lint_lists *, const char *clip, const char *file, struct anim_arena *, const char **fault,
		       struct anim_error *);
void lint_lists_reset(struct lint_lists *); /* forgets the clip at hand */
void lint_lists_clear(struct lint_lists *);

/* What is wrong with a clip's name for Godot, NULL where nothing is. */
const char *lint_godot_clip(const struct anim_clip *);

/* A set of names, each of a few parts. All-zero is empty. */
struct lint_names {
	struct anim_text_set set;
	struct anim_buffer key; /* of the name at hand: its parts, each with its NUL */
};
#define LINT_NAME_PARTS 5

/* 1: it was new and is in the set now; 0: it was there already; -1 out of memory. */
int lint_names_add(struct lint_names *, const char *const parts[LINT_NAME_PARTS], struct anim_error *);
int lint_names_has(struct lint_names *, const char *const parts[LINT_NAME_PARTS], struct anim_error *); /* 1, 0, -1 */
void lint_names_clear(struct lint_names *);

/* Keeps a node of the tree, by which bones are found. 0 or -1 out of memory. */
int lint_godot_node(struct lint_names *, const struct anim_node *, struct anim_error *);

/*
 * What an engine would stumble over beside, in a track of the clip; nodes: what lint_godot_node kept. The arena is for names.
 * 0 or -1 out of memory.
 */
int lint_engine(enum anim_lint_target, const struct anim_track *, const struct anim_clip *, struct lint_names *nodes,
		struct lint_tallies *, struct anim_arena *, struct anim_error *);

/*
 * Which names of nodes that Godot does not allow are new to `told`: how many, and what is said of the first, in
 * the arena. `bone`: where a bone's name begins in the path, NULL: nowhere. 0 or -1 out of memory.
 */
struct lint_renames {
	uint64_t count;
	const char *message;
};
int lint_godot_renames(struct lint_names *told, const char *path, const char *bone, struct lint_renames *,
		       struct anim_arena *, struct anim_error *);
int lint_godot_rename_root(struct lint_names *told, const char *name, struct lint_renames *, struct anim_arena *,
			   struct anim_error *);

#endif
