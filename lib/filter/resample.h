/* resample.h: the times at which a clip is sampled, and the filter that samples it. */
#ifndef ANIM_FILTER_RESAMPLE_H
#define ANIM_FILTER_RESAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/source.h"
#include "clip/track.h"

/* --- The times at which a clip is sampled --- */

/* What to do if no sample is at the clip's end. */
enum anim_grid_end {
	ANIM_END_COVER, /* last sample at or past the clip's end, taken at min(t, end) */
	ANIM_END_GRID,  /* last sample at or before the end */
	ANIM_END_FIT,   /* the rate is adjusted so that the last sample is at the end */
	ANIM_END_LOOP   /* no copy of the first sample at the end */
};

/*
 * The sample times. Sample k is k*rate_den/rate_num after start_s, or k*step_s if the rate was adjusted. All times are
 * doubles. A clip that is played several times has `passes` passes of length_s. If `back` is set, every second pass is
 * reversed.
 */
struct anim_grid {
	double start_s, end_s;
	double length_s; /* of one pass */
	unsigned passes; /* at least 1 */
	bool back;
	uint32_t rate_num, rate_den;
	double step_s; /* 0 if there is a rate */
	size_t count;
	bool past_end; /* the last sample would be past the end and is taken at the end */
};

/*
 * Compute the grid of a clip at num/den samples per second. Returns -1 (ANIM_TOO_LARGE) for more than ANIM_KEYS_MAX
 * samples.
 */
int anim_grid_of_clip(struct anim_grid *, const struct anim_clip *, uint32_t num, uint32_t den, enum anim_grid_end,
		      struct anim_error *);

/*
 * Get the times of samples first to first + count - 1 in the clip's times, none past the end. At the border between two
 * passes, the time is the start of the second pass.
 */
void anim_grid_times(const struct anim_grid *, size_t first, size_t count, double *t);

/*
 * Make the head of a Raw track on the grid, starting at 0, with the type, names, flags and attributes of `like`. The
 * caller sets interp and values.
 */
void anim_grid_track(const struct anim_grid *, const struct anim_track *like, struct anim_track *out);

/*
 * Adjust sampled rotations for players that interpolate by the shorter way. If two samples are 180 degrees apart,
 * except for rounding of values and times, the second is moved by at most 0.12 degrees, so that the source's way is the
 * shorter one. `type` is a quaternion type. Returns 0 or -1.
 */
int anim_grid_keep_way(const struct anim_grid *, struct anim_source *, enum anim_type, void *samples,
		       struct anim_error *);

/*
 * Read a rate: "30", "29.97", "30000/1001" or "24fps" gives num/den in lowest terms, and "source" gives 0/0. A decimal
 * with more than nine places is the fraction that rounds to the same double: "29.97002997002997" is 30000/1001. Returns
 * 0, or -1 (ANIM_BAD_INPUT) with a message that shows how a rate is written.
 */
int anim_rate_parse(const char *text, uint32_t *num, uint32_t *den, struct anim_error *);
/*
 * Like anim_rate_parse, for a ratio above 0, such as a speed. 1/30 is valid, although as a rate it is rejected as a
 * likely mistake. Returns 0 or -1.
 */
int anim_ratio_parse(const char *text, uint32_t *num, uint32_t *den);
/* Warn about a typed rate below 1 per second. Returns 0 or -1. */
int anim_rate_check(uint32_t num, uint32_t den, struct anim_diagnostics *, struct anim_error *);
/* Reduce n/d to lowest terms. Returns false (and sets nothing) if one is 0 or 32 bits cannot hold them. */
bool anim_rate_reduce(uint64_t n, uint64_t d, uint32_t *num, uint32_t *den);

/* --- Curves -> Raw tracks on one grid --- */

struct anim_resample_options {
	uint32_t rate_num, rate_den; /* samples per second; 0, 0: the clip's rate hint (an error if it has none) */
	enum anim_grid_end end;
	bool all;        /* convert stepping tracks to Raw instead of Discrete */
	unsigned loops;  /* times a looping clip is played, which then no longer loops; 0: once, and it still loops */
	bool trust_size; /* allow more than ANIM_SAMPLES_MAX samples per clip */
	struct anim_diagnostics *diagnostics; /* required */
};

/*
 * Create a resampling filter that writes to `next` (owned, also freed on failure). Returns NULL on failure.
 *
 * Every clip then starts at 0 and keeps its length. Its tracks become Raw, with one sample per point of the grid and
 * rules `plain`. Stepping tracks keep their kind: Discrete tracks and curves that hold at every key keep their keys,
 * cut to the clip. Sampled strings and bools become Discrete, with a key at each change. Disabled tracks are left out
 * with a warning.
 */
struct anim_sink *anim_resample_new(const struct anim_resample_options *, struct anim_sink *next, struct anim_error *);

/* Return the grid of the current clip; borrowed. For a preceding filter that samples tracks itself. */
const struct anim_grid *anim_resample_grid(const struct anim_sink *);

#endif
