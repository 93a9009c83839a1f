/* cut.h: keep tracks by name, and cut clips and tracks to a range of time. */
#ifndef ANIM_FILTER_CUT_H
#define ANIM_FILTER_CUT_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/span.h"

/* One pattern of each kind must match. An empty list matches everything. Borrowed. */
struct anim_cut_patterns {
	const char *const *items;
	size_t count;
};

struct anim_cut_options {
	struct anim_cut_patterns nodes;      /* globs of anim_glob_match */
	struct anim_cut_patterns properties; /* globs of anim_glob_match */
	struct anim_time_range range;
	bool was_cut;                         /* tracks without ->record are already cut (anim_archive_read) */
	struct anim_diagnostics *diagnostics; /* required */
};

/*
 * Create a filter that writes to `next` (owned, also freed on failure). A tree is passed on if one of its clips is. Of
 * other records, only prog is passed on. If a range is given, a clip's start and end become the range, limited to the clip. Times
 * of keys are unchanged, and each track keeps the keys that the range needs (clip/span.h). Godot's player ends at the
 * clip's end, so a track under its rules gets a key there if its value still changes. A warning reports if this changes
 * the curve. Returns NULL on failure.
 */
struct anim_sink *anim_cut_new(const struct anim_cut_options *, struct anim_sink *next, struct anim_error *);

/*
 * Return whether a track of the current clip is wanted, so that a reader can skip others (struct anim_archive_wanted).
 */
bool anim_cut_wants_track(const struct anim_sink *, const char *node, const char *property);

#endif
