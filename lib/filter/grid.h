/* grid.h: the times at which a clip is sampled. */
#ifndef ANIM_FILTER_GRID_H
#define ANIM_FILTER_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "clip/track.h"

/* What to do where the clip's end is no sample. */
enum anim_grid_end {
	ANIM_END_COVER, /* last sample at or past the clip's end, taken at min(t, end) */
	ANIM_END_GRID,  /* last sample at or before the end */
	ANIM_END_FIT,   /* the rate is bent so that a sample meets the end */
	ANIM_END_LOOP   /* no copy of the first sample at the end */
};

/* Sample k lies k*rate_den/rate_num (or, where the rate was bent, k*step_s) behind start_s. All in double. */
struct anim_grid {
	double start_s, end_s;
	uint32_t rate_num, rate_den;
	double step_s; /* 0 beside a rate */
	size_t count;
	bool past_end; /* the last sample would lie past the end and is taken at the end */
};

/* The grid of a clip at num/den samples a second. -1 (ANIM_TOO_LARGE) for more than ANIM_KEYS_MAX samples. */
int anim_grid_of_clip(struct anim_grid *, const struct anim_clip *, uint32_t num, uint32_t den, enum anim_grid_end,
		      struct anim_error *);

/* Times of samples first .. first + count - 1 on the clip's axis, none past the end. */
void anim_grid_times(const struct anim_grid *, size_t first, size_t count, double *t);

/*
 * "30", "29.97", "30000/1001", "24fps" -> num/den in lowest terms, "source" -> 0/0. -1 (ANIM_BAD_INPUT) with a message
 * that says what a rate looks like.
 */
int anim_rate_parse(const char *text, uint32_t *num, uint32_t *den, struct anim_error *);

#endif
