/* cut.h: keeps tracks by name, and of clips and tracks a part in time. */
#ifndef ANIM_FILTER_CUT_H
#define ANIM_FILTER_CUT_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"

/* Patterns are or'ed, the kinds of them and'ed; none of a kind: all. Borrowed. */
struct anim_cut_patterns {
	const char *const *items;
	size_t count;
};

struct anim_cut_options {
	struct anim_cut_patterns nodes;      /* globs of anim_glob_match */
	struct anim_cut_patterns properties; /* likewise */
	bool ranged;
	double from_s, to_s;                  /* where ranged; -INFINITY, INFINITY: the clip's own */
	bool was_cut;                         /* tracks without ->record are spans already (anim_archive_read) */
	struct anim_diagnostics *diagnostics; /* must be there */
};

/*
 * A filter in front of `next` (owned, freed on failure too). A tree passes where a clip in it does; of other records only
 * prog. Where ranged, a clip's start and end become the range, cut to the clip; times of keys stay, and of each track
 * those keys stay that the range needs (clip/span.h). Tracks under Godot's rules, whose player ends at the clip's end,
 * get a key there where the value still moves; a warning says where that changes the curve. NULL on failure.
 */
struct anim_sink *anim_cut_new(const struct anim_cut_options *, struct anim_sink *next, struct anim_error *);

/*
 * Whether a track of the last clip that came is wanted: for a reader that can leave out what is not (struct
 * anim_archive_wanted).
 */
bool anim_cut_wants_track(const struct anim_sink *, const char *node, const char *property);

#endif
