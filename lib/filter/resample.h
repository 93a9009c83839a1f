/* resample.h: the times at which a clip is sampled, and the filter that samples there. */
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

/* What to do where the clip's end is no sample. */
enum anim_grid_end {
	ANIM_END_COVER, /* last sample at or past the clip's end, taken at min(t, end) */
	ANIM_END_GRID,  /* last sample at or before the end */
	ANIM_END_FIT,   /* the rate is bent so that a sample meets the end */
	ANIM_END_LOOP   /* no copy of the first sample at the end */
};

/*
 * Sample k lies k*rate_den/rate_num (or, where the rate was bent, k*step_s) behind start_s. All in double. A clip that is
 * played several times over is `passes` parts of length_s, every second one backwards where `back` is set.
 */
struct anim_grid {
	double start_s, end_s;
	double length_s; /* of one pass */
	unsigned passes; /* at least 1 */
	bool back;
	uint32_t rate_num, rate_den;
	double step_s; /* 0 beside a rate */
	size_t count;
	bool past_end; /* the last sample would lie past the end and is taken at the end */
};

/* The grid of a clip at num/den samples a second. -1 (ANIM_TOO_LARGE) for more than ANIM_KEYS_MAX samples. */
int anim_grid_of_clip(struct anim_grid *, const struct anim_clip *, uint32_t num, uint32_t den, enum anim_grid_end,
		      struct anim_error *);

/*
 * Times of samples first .. first + count - 1 on the clip's axis, none past the end. Where one pass ends and the next
 * begins, the time is the next one's start.
 */
void anim_grid_times(const struct anim_grid *, size_t first, size_t count, double *t);

/*
 * The head of a Raw track on the grid, with type, names, flags and attributes of `like`, on an axis that starts at 0; interp
 * and values are the caller's to set.
 */
void anim_grid_track(const struct anim_grid *, const struct anim_track *like, struct anim_track *out);

/*
 * Rotations that a source shows on the grid, for players that turn the shorter way from one to the next. Where two are half a
 * turn apart, but for what rounding does to samples and their times, the second is moved by what makes the source's way the
 * shorter one, 0.12 degrees at most. `type`: a quaternion's. 0 or -1.
 */
int anim_grid_keep_way(const struct anim_grid *, struct anim_source *, enum anim_type, void *samples,
		       struct anim_error *);

/*
 * Read a rate: "30", "29.97", "30000/1001", "24fps" -> num/den in lowest terms, "source" -> 0/0. A decimal of more than nine
 * places is the fraction that rounds to the same double: "29.97002997002997" is 30000/1001. -1 (ANIM_BAD_INPUT) with a
 * message that says how a rate is written.
 */
int anim_rate_parse(const char *text, uint32_t *num, uint32_t *den, struct anim_error *);
/* The same for a ratio above 0, such as a speed: 1/30, which as a rate is refused for the slip that it is, is one. */
int anim_ratio_parse(const char *text, uint32_t *num, uint32_t *den);
/* Warn of a rate that was typed and is below 1 a second. 0 or -1. */
int anim_rate_check(uint32_t num, uint32_t den, struct anim_diagnostics *, struct anim_error *);
/* n/d in lowest terms; false (and nothing set) where they are 0 or 32 bits cannot hold them. */
bool anim_rate_reduce(uint64_t n, uint64_t d, uint32_t *num, uint32_t *den);

/* --- Curves -> Raw tracks on one grid --- */

struct anim_resample_options {
	uint32_t rate_num, rate_den; /* samples a second; 0, 0: the clip's own rate hint (an error where it has none) */
	enum anim_grid_end end;
	bool all;        /* what only steps becomes Raw too, instead of Discrete */
	unsigned loops;  /* runs of clips that loop, which do not loop afterwards; 0: one, and they still do */
	bool trust_size; /* clips may have more than ANIM_SAMPLES_MAX samples */
	struct anim_diagnostics *diagnostics; /* must be there */
};

/*
 * A filter in front of `next` (owned by it from then on, freed on failure too). NULL on failure.
 * Every clip starts at 0 afterwards and keeps its length; its tracks become Raw with one sample per point of the grid,
 * under the rules `plain`. What only steps stays what it is: Discrete tracks and curves that hold at every key keep their keys
 * (cut to the clip); sampled strings and bools become Discrete with a key where the value changes.
 * Disabled tracks are left out with a warning.
 */
struct anim_sink *anim_resample_new(const struct anim_resample_options *, struct anim_sink *next, struct anim_error *);

/* The grid of the last clip that came; borrowed. For a filter in front that takes samples of its own. */
const struct anim_grid *anim_resample_grid(const struct anim_sink *);

#endif
