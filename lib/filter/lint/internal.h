/* internal.h: the findings of anim-lint, and how they are counted and reported. Private to lib/filter. */
#ifndef ANIM_FILTER_LINT_INTERNAL_H
#define ANIM_FILTER_LINT_INTERNAL_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "base/number.h"
#include "base/print.h"
#include "clip/resonite.h"
#include "filter/common/feet.h"
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
	char detail[96]; /* printed before the text of the kind; may be empty */
};
struct lint_tallies {
	struct lint_tally of[LINT_KIND_COUNT];
};

/* Count one problem of the kind. The `detail` of the first one is kept. */
void lint_count_detail(struct lint_tallies *, enum lint_kind, size_t key, const char *detail, ...)
    __attribute__((format(printf, 4, 5)));

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

/* ---- Numbers in messages ---- */

#define LINT_NUMBER (ANIM_NUMBER_MAX + 1)
const char *lint_fixed(char out[LINT_NUMBER], double value); /* print with three decimals: seconds, degrees */

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

/* One finding. Texts are borrowed. NULL if the finding is not about such an item. */
struct lint_finding {
	enum lint_kind kind;
	const struct anim_place *place; /* in the file, as its reader reported it */
	const char *clip, *node;
	const char *noun;               /* kind of the subject in `node`, or NULL for a node */
	const struct anim_track *track; /* its node, property and component */
	size_t key;                     /* the first key, counted from 0; LINT_NO_KEY: none */
	uint64_t count;                 /* number of occurrences, at least 1 */
	const char *message;
};

/* The state of the output: where findings are reported, and their counts. */
struct lint_report {
	struct anim_print print; /* its error is set at each call */
	struct anim_arena scratch;
	enum anim_lint_target target;
	const char *target_name;
	const struct lint_form *form;
	const struct anim_advisor *advisor;
	const char *version;
	const struct anim_lint_ignored *ignored;
	size_t ignored_count;
	const char *file;        /* the current file; owned by the sink */
	struct anim_buffer text; /* of a finding, if it is printed in quotes */
	uint64_t files, unreadable, clips, tracks, keys, findings, found[LINT_KIND_COUNT];
};

/*
 * The functions of an output format. Errors are stored in the report's print. `begin` is called before the first
 * finding, or before the end if there is none.
 */
struct lint_form {
	void (*begin)(struct lint_report *); /* may be NULL */
	void (*finding)(struct lint_report *, const struct lint_finding *);
	void (*end)(struct lint_report *); /* may be NULL */
};
extern const struct lint_form lint_sarif, lint_github;

void lint_report_init(struct lint_report *, struct anim_output *, const struct anim_lint_options *);
void lint_report_clear(struct lint_report *);
int lint_report_finding(struct lint_report *, const struct lint_finding *, struct anim_error *); /* 0 or -1 */
int lint_report_end(struct lint_report *, struct anim_error *); /* prints the end of the document */

#endif
