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
 * The same for `loops` (at least 1) runs of a clip that loops: one of a ping-pong clip is there and back, and a clip that
 * does not loop is played once.
 */
int anim_grid_of_loops(struct anim_grid *, const struct anim_clip *, uint32_t num, uint32_t den, enum anim_grid_end,
		       unsigned loops, struct anim_error *);

/* Where sample k lies: of all passes, one behind the other, not past their end. */
double anim_grid_at(const struct anim_grid *, size_t k);

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
 * "30", "29.97", "30000/1001", "24fps" -> num/den in lowest terms, "source" -> 0/0. -1 (ANIM_BAD_INPUT) with a message
 * that says what a rate looks like.
 */
int anim_rate_parse(const char *text, uint32_t *num, uint32_t *den, struct anim_error *);

#endif
