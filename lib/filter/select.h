/* select.h: keep the requested tracks. */
#ifndef ANIM_FILTER_SELECT_H
#define ANIM_FILTER_SELECT_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/track.h"

/* --- Lists of globs or regular expressions, one of which must match --- */

/* All-zero matches everything. The texts are borrowed. */
struct anim_patterns {
	const char *const *globs; /* of anim_glob_match */
	regex_t *regexes;         /* used instead of globs, owned; NULL: globs */
	size_t count;
};

/*
 * `regular`: the texts are POSIX extended regular expressions, which match any part of a name. Returns 0, or -1 with a
 * message that names the invalid one.
 */
int anim_patterns_init(struct anim_patterns *, const char *const *texts, size_t count, bool regular,
		       struct anim_error *);
void anim_patterns_clear(struct anim_patterns *);

/* Return whether the property matches, or for a component the full name: "position.x" or "modulate.a". */
bool anim_patterns_fit_property(const struct anim_patterns *, const struct anim_track *);
/* --- Constant tracks --- */

/*
 * Return whether the track shows one value at all times: all keys have equal values, and no slope or handle changes
 * them in between. (-0 equals 0; q and -q differ; NaN equals nothing.) A track without keys is constant. An event (a
 * property that begins with '@') is not, even with one key.
 */
bool anim_track_is_constant(const struct anim_track *);

/* --- The filter --- */

struct anim_select_options {
	/* All given criteria must match. All are borrowed while the filter exists. */
	struct anim_patterns nodes, properties; /* globs for nodes may be parts of a human (anim_human_part) */
	struct anim_patterns clips;             /* matched with NAME and PLAYER:NAME */
	uint64_t types;                         /* bits 1 << enum anim_type; 0: any */
	unsigned kinds;                         /* bits 1 << enum anim_kind; 0: any */
	bool constant;                          /* only tracks that never change */
	size_t min_keys;                        /* only tracks with at least this many keys or samples */
	bool invert;                            /* keep what does not match */
	bool require;                           /* end() fails if nothing is left; otherwise it writes a note */
	/*
	 * For several inputs: the number of kept tracks is added here, clips are passed on without tracks, and end()
	 * reports nothing. NULL: one input.
	 */
	size_t *kept;
	struct anim_diagnostics *diagnostics; /* required */
};

extern const char anim_select_nothing[]; /* the note */

/*
 * Create a filter that writes to `next` (owned, also freed on failure). A part of a human among the globs matches the tracks of its
 * bones and of the nodes below them, such as twist bones, up to the next bone. The bones are found in the tree or, without a tree,
 * by their names. The face includes blend shapes and expressions. If the tree has a node with the name of a part, only this node
 * matches. Trees are passed on. A clip is passed on with
 * its first kept track. A clip without tracks is passed on if `clips` matches. Tracks need only their heads and
 * ->record (anim_stream_pump_heads), and kept tracks keep their ->record. Returns NULL on failure.
 */
struct anim_sink *anim_select_new(const struct anim_select_options *, struct anim_sink *next, struct anim_error *);

#endif
