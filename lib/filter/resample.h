/* resample.h: curves -> Raw tracks on one grid. */
#ifndef ANIM_FILTER_RESAMPLE_H
#define ANIM_FILTER_RESAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "clip/losses.h"
#include "clip/sink.h"

enum anim_resample_end {
	ANIM_END_COVER, /* last sample at or past the clip's end, taken at min(t, end) */
	ANIM_END_GRID,  /* last sample at or before the end */
	ANIM_END_FIT,   /* the rate is bent so that a sample meets the end */
	ANIM_END_LOOP   /* no copy of the first sample at the end */
};

struct anim_resample_options {
	uint32_t rate_num, rate_den; /* samples a second; 0, 0: the clip's own rate hint (an error where it has none) */
	enum anim_resample_end end;
	bool all;                   /* what cannot be interpolated becomes Raw too, instead of Discrete */
	struct anim_losses *losses; /* must be there */
};

/* A filter in front of `next` (owned by it from then on, also on failure freed). NULL on failure. */
struct anim_sink *anim_resample_new(const struct anim_resample_options *, struct anim_sink *next, struct anim_error *);

/* "30", "29.97", "30000/1001", "24fps", "source" -> num/den ("source": 0/0). -1 with a message that tells what a rate is. */
int anim_rate_parse(const char *text, uint32_t *num, uint32_t *den, struct anim_error *);

#endif
