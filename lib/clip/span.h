/* span.h: the keys of a track that decide its values in a part of its clip. */
#ifndef ANIM_CLIP_SPAN_H
#define ANIM_CLIP_SPAN_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/track.h"

/* A part of a clip, including both ends, on the time axis of the clip. */
struct anim_range {
	float start_s, end_s;
};

/* A range as a person gives it: seconds, or frames of the clip's rate, counted from time 0. Infinite: the clip's own end. */
struct anim_time_range {
	bool given; /* false: the complete clip */
	bool frames;
	double from, to;
};

/*
 * Cut a given range to the clip, in float32 as the clip. Returns 1, 0 if they do not overlap, or -1 if frames are asked for
 * and the clip has no frame rate.
 */
int anim_range_of_clip(struct anim_range *, const struct anim_clip *, const struct anim_time_range *,
		       struct anim_error *);

/* Return true if the range contains the complete clip. */
bool anim_range_is_whole(const struct anim_range *, const struct anim_clip *);

/* Return how many keys beyond its own two keys can influence a segment, on each side. */
size_t anim_span_reach(const struct anim_track *);

/* Keys first .. first + count - 1. */
struct anim_span {
	size_t first, count;
};

/* How many keys of a sorted time column are before the range, before or at its start, before or at its end. */
struct anim_span_counts {
	size_t before_start, to_start, to_end;
};

/*
 * Return true if the track depends on the start and end of the clip (Godot's rules), so that a part of it cannot be
 * separated.
 */
bool anim_span_follows_clip(const struct anim_track *);

/*
 * Find the span that gives every value in the range under the rules of the track (not for anim_span_follows_clip),
 * the same as all keys: the keys inside, and the keys that the segments at both ends need. Only the head of the track
 * is read. `first_s` and `last_s` are the times of its outermost keys. The span has all keys if fewer would not be
 * enough: unsorted times, looping ends that the range reaches, Raw of unknown interval. For events (properties that
 * begin with '@') it has only the keys inside the range.
 */
void anim_span_of_raw(struct anim_span *, const struct anim_track *, const struct anim_range *);
void anim_span_of_keys(struct anim_span *, const struct anim_track *, const struct anim_range *,
		       const struct anim_span_counts *, double first_s, double last_s);

/* The same for a track with its keys in memory. Not for Raw. */
void anim_span_of_track(struct anim_span *, const struct anim_track *, const struct anim_range *);

/* Count the keys of a time column of n keys. */
void anim_span_count(struct anim_span_counts *, const float *time, size_t n, const struct anim_range *);

#endif
