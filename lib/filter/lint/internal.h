/* internal.h: the findings of anim-lint, how they are counted and told; private to lib/filter. */
#ifndef ANIM_FILTER_LINT_INTERNAL_H
#define ANIM_FILTER_LINT_INTERNAL_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "base/print.h"
#include "clip/resonite.h"
#include "filter/feet.h"
#include "filter/lint/lint.h"

/*
 * The kinds, and how scripts know them: those names stay as they are (anim-lint(1)). And what is said of them in a
 * track, unless an engine has another text; NULL: made where they are found. In the order in which those of a track are told;
 * behind QUATERNION_LONG_WAY they are for one engine.
 */
#define LINT_KINDS(X)                                                                                                \
	X(FAULT, "fault", NULL)                                                                                      \
	X(READING, "reading", NULL)                                                                                  \
	X(CLIP_TWICE, "clip-twice", NULL)                                                                            \
	X(CLIP_NAME, "clip-name", NULL)                                                                              \
	X(NO_DURATION, "no-duration", NULL)                                                                          \
	X(AXES_UNKNOWN, "axes-unknown", NULL)                                                                        \
	X(AXES_OTHER, "axes-other", NULL)                                                                            \
	X(ATTRIBUTE, "attribute", NULL)                                                                              \
	X(NODE_TWICE, "node-twice", "an earlier node has this path; Unity binds to the first one")                   \
	X(NODE_NAME, "node-name", "its name holds a '/', so that no path of Unity's leads to it")                    \
	X(HUMANOID, "humanoid", NULL)                                                                                \
	X(FOOT_SLIDES, "foot-slides", NULL)                                                                          \
	X(NAME_TWICE, "name-twice", "an earlier track drives the same property of the same node")                    \
	X(NO_KEYS, "no-keys", "it has no keys")                                                                      \
	X(NO_INTERVAL, "no-interval", "Raw samples without interval: when they play is not known")                   \
	X(TIME_NOT_FINITE, "time-not-finite", "the time is not a finite number")                                     \
	X(TIMES_UNSORTED, "times-unsorted", "the time is before that of the key before it")                          \
	X(TIMES_EQUAL, "times-equal", "the time is that of the key before it")                                       \
	X(BEFORE_START, "before-start", "the time is before the clip's start")                                       \
	X(PAST_END, "past-end", "the time is past the clip's end")                                                   \
	X(VALUE_NOT_FINITE, "value-not-finite", "the value is not a finite number")                                  \
	X(TANGENT_NOT_FINITE, "tangent-not-finite", "a tangent or easing is not a finite number")                    \
	X(QUATERNION_NOT_UNIT, "quaternion-not-unit", "the quaternion is not of length 1")                           \
	X(TANGENT, "tangent", "Tangent keys, whose curve is not documented; write CubicBezier")                      \
	X(LOOP_SEAM, "loop-seam", "the loop does not close")                                                         \
	X(QUATERNION_LONG_WAY, "quaternion-long-way", "quaternion turns the long way")                               \
	X(MODE, "mode", " keys, which Resonite does not have")                                                       \
	X(EASE, "ease", "the key is eased, which Resonite cannot")                                                   \
	X(ENDS, "ends", "it goes on outside its keys, where Resonite holds the first and the last one")              \
	X(TYPE, "type", " cannot come from AnimJ; AnimX holds it")                                                   \
	X(FIELD_TYPE, "field-type", "")                                                                              \
	X(VALUE_RANGE, "value-range", "the value is beyond a float, which is what Resonite's field is")              \
	X(REST_RELATIVE, "rest-relative", "it is relative to the rest pose, Resonite's tracks are not")              \
	X(DISABLED, "disabled", "it is disabled; Resonite plays all tracks")                                         \
	X(UNBOUND, "unbound", "Unity has no property of this name, and nothing says which component's it is")        \
	X(WEIGHT, "weight", "a weight is not within 0..1")                                                           \
	X(PATH, "path", "")                                                                                          \
	X(BONE, "bone", "the skeleton has no bone of this name")                                                     \
	X(HANDLE, "handle", "a handle reaches beyond the segment: some times have several values")                   \
	X(MODES, "modes", "its keys have several modes, a channel of glTF has one")                                  \
	X(TANGENTS_DROPPED, "tangents-dropped", "curved rotations, which Godot and Blender import as straight ones") \
	X(TRACK_ORDER, "track-order", NULL)                                                                          \
	X(TRACK_LIST, "track-list", NULL)

#define LINT_ENUM(kind, name, text) LINT_##kind,
enum lint_kind { LINT_KINDS(LINT_ENUM) LINT_KIND_COUNT };

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
void lint_count_detail(struct lint_tallies *, enum lint_kind, size_t key, const char *detail, ...)
    __attribute__((format(printf, 4, 5)));

/* A set of names, each of a few parts. All-zero is empty. */
struct lint_names {
	struct anim_text_set set;
	struct anim_buffer key; /* of the name at hand: its parts, each with its NUL */
};
#define LINT_NAME_PARTS 5

int lint_names_has(struct lint_names *, const char *const parts[LINT_NAME_PARTS], struct anim_error *); /* 1, 0, -1 */

/*
 * What a player, and the engine beside, would stumble over in a track of the clip. `nodes`: those of the tree, with "bones" for
 * a skeleton that has some and "part" where not all are known. The arena is for names. 0 or -1 out of memory.
 */
int lint_track(enum anim_lint_target, const struct anim_track *, const struct anim_clip *, struct lint_names *nodes,
	       struct lint_tallies *, struct anim_arena *, struct anim_error *);

/* Why the clip's axes are in the way of what the track moves, and of which kind that is; NULL: nothing is. */
const char *lint_fault_of_axes(const struct anim_clip *, const struct anim_track *, enum anim_lint_target,
			       enum lint_kind *);

/* ---- motion.c: what is seen when a clip plays ---- */

/* A looping clip: counts a track that is somewhere else at its end than at its start. 0 or -1. */
int lint_seam(const struct anim_clip *, const struct anim_track *, struct lint_tallies *, struct anim_error *);

#define LINT_SLIDE_TEXT 256
const char *lint_slide_text(const struct anim_slide *, double start_s, char out[LINT_SLIDE_TEXT]);

/* One thing found. Texts are borrowed; NULL where none is concerned. */
struct lint_finding {
	enum lint_kind kind;
	const struct anim_place *place; /* in the file, as its reader told */
	const char *clip, *node;
	const struct anim_track *track; /* its node, property and component */
	size_t key;                     /* the first one, counted from 0; LINT_NO_KEY: none */
	uint64_t count;                 /* how often, at least 1 */
	const char *message;
};

/* Where findings are told, and their numbers. */
struct lint_report {
	struct anim_print print; /* its error is set at each call */
	struct anim_arena scratch;
	enum anim_lint_target target;
	bool json;
	uint64_t ignored; /* 1 << kind */
	const char *file; /* the one at hand; owned by the sink */
	uint64_t files, unreadable, clips, tracks, keys, findings, found[LINT_KIND_COUNT];
};

int lint_report_finding(struct lint_report *, const struct lint_finding *, struct anim_error *); /* 0 or -1 */
int lint_report_end(struct lint_report *, struct anim_error *); /* the document's end */

/* What is said of a kind behind the tally's detail; NULL for those whose messages are made where they are found. */
const char *lint_text(enum anim_lint_target, enum lint_kind);

#endif
