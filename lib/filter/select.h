/* select.h: keeps the tracks that are asked for. */
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

/* --- Globs or regular expressions, several of which are or'ed --- */

/* All-zero fits everything. The texts are borrowed. */
struct anim_patterns {
	const char *const *globs; /* of anim_glob_match */
	regex_t *regexes;         /* instead of them, owned; NULL: globs */
	size_t count;
};

/*
 * `regular`: POSIX extended regular expressions, which fit where any part of the name does. 0, or -1 with a message that
 * names the one that is wrong.
 */
int anim_patterns_init(struct anim_patterns *, const char *const *texts, size_t count, bool regular,
		       struct anim_error *);
void anim_patterns_clear(struct anim_patterns *);

/* Either form fits: the property, and for a component "position.x" or "modulate.a". */
bool anim_patterns_fit_property(const struct anim_patterns *, const struct anim_track *);
/* --- Whether a track ever changes --- */

/*
 * True where the track shows one value for all time: its keys have equal values (-0 is 0; q and -q are not equal, NaN is
 * no value), and no slope or handle moves it between them. A track without keys shows nothing that could change; events
 * (properties that begin with '@') happen, so that one key is enough not to be constant.
 */
bool anim_track_is_constant(const struct anim_track *);

/* --- Keeps the tracks that are asked for --- */

struct anim_select_options {
	/* All criteria that are set must fit; all borrowed for the filter's life. */
	struct anim_patterns nodes, properties;
	struct anim_patterns clips; /* against NAME and PLAYER:NAME */
	uint64_t types;             /* bits 1 << enum anim_type; 0: any */
	unsigned kinds;             /* bits 1 << enum anim_kind; 0: any */
	bool constant;              /* tracks that never change */
	size_t min_keys;            /* with at least so many keys or samples */
	bool invert;                /* keeps what does not fit */
	bool require;               /* end() fails where nothing is left; else a note says so */
	/* Of several inputs: tracks that pass are added up there, clips pass without any, and end() tells nothing. NULL: of one. */
	size_t *kept;
	struct anim_diagnostics *diagnostics; /* must be there */
};

extern const char anim_select_nothing[]; /* the note */

/*
 * A filter in front of `next` (owned, freed on failure too). Trees pass. A clip passes with the first of its tracks that
 * does; one that came without tracks, where `clips` lets it. Tracks need only their heads and ->record
 * (anim_stream_pump_heads); what passes keeps its ->record. NULL on failure.
 */
struct anim_sink *anim_select_new(const struct anim_select_options *, struct anim_sink *next, struct anim_error *);

#endif
