/* span.h: which keys of a track decide its values in a part of its clip. */
#ifndef ANIM_CLIP_SPAN_H
#define ANIM_CLIP_SPAN_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/track.h"

/* A part of a clip, both ends included, on the clip's axis. */
struct anim_range {
	float start_s, end_s;
};

/*
 * from_s..to_s, of which either may be infinite, cut to the clip, in the clip's own float32. False where they have no time
 * in common.
 */
bool anim_range_of_clip(struct anim_range *, const struct anim_clip *, double from_s, double to_s);

/* True where nothing of the clip lies outside the range. */
bool anim_range_is_whole(const struct anim_range *, const struct anim_clip *);

/* How many keys beyond a segment's own two its value may depend on, on each side. */
size_t anim_span_reach(const struct anim_track *);

/* Keys first .. first + count - 1. */
struct anim_span {
	size_t first, count;
};

/* How many keys of a sorted time column lie before the range, before or at its start, before or at its end. */
struct anim_span_counts {
	size_t before_start, to_start, to_end;
};

/* True where the track plays by the clip's own start and end (Godot's rules), so that a part of it cannot stand alone. */
bool anim_span_follows_clip(const struct anim_track *);

/*
 * The span that gives every value in the range under the track's rules (not those of anim_span_follows_clip), the same
 * as all keys: the keys inside and those that the segments at both ends need. Only the head of the track is looked at.
 * `first_s`, `last_s`: the times of its outermost keys. All keys where fewer would not do: unsorted times, ends that loop
 * and are reached, Raw of unknown interval. Events (properties that begin with '@'): those inside the range alone.
 */
void anim_span_of_raw(struct anim_span *, const struct anim_track *, const struct anim_range *);
void anim_span_of_keys(struct anim_span *, const struct anim_track *, const struct anim_range *,
		       const struct anim_span_counts *, double first_s, double last_s);

/* The counts of a time column of n keys. */
void anim_span_count(struct anim_span_counts *, const float *time, size_t n, const struct anim_range *);

#endif
