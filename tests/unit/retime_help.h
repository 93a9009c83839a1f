/* retime_help.h: tracks made by a seed, retimed, and played before and after; for the tests of retime. */
#ifndef ANIM_TESTS_RETIME_HELP_H
#define ANIM_TESTS_RETIME_HELP_H

#include "capture.h"
#include "filter/retime/retime.h"

/* Members of struct anim_retime_options that cut out one part. */
#define PART(from_s, to_s) .ranges = &(const struct anim_time_range){true, false, from_s, to_s}, .range_count = 1

#define RETIME_KEYS 8
#define RETIME_COMPONENTS 4

/* A track made by a seed, and what it is made in. */
struct retime_maker {
	uint64_t seed;
	struct anim_clip clip;
	struct anim_track track;
	float time[RETIME_KEYS], left_x[RETIME_KEYS * RETIME_COMPONENTS], right_x[RETIME_KEYS * RETIME_COMPONENTS],
	    ease[RETIME_KEYS];
	float value[RETIME_KEYS * RETIME_COMPONENTS], left[RETIME_KEYS * RETIME_COMPONENTS],
	    right[RETIME_KEYS * RETIME_COMPONENTS];
	uint8_t modes[RETIME_KEYS], weighted[RETIME_KEYS];
};

/* What came out. */
struct retime_result {
	struct capture capture;
	struct anim_diagnostics diagnostics;
};

double retime_uniform(struct retime_maker *, double low, double high);
unsigned retime_pick(struct retime_maker *, unsigned count); /* 0 .. count - 1 */

/* A track of RETIME_KEYS keys of one mode with all the columns that it has, in a clip 0.5..9. */
void retime_make(struct retime_maker *, uint64_t seed, enum anim_rules, enum anim_interp, enum anim_type);

/* The clip and its track through the filter; what comes out is checked to be valid. */
void retime_run(struct retime_result *, struct anim_retime_options, const struct anim_clip *,
		const struct anim_track *);
void retime_finish(struct retime_result *);

/* The largest difference at 500 times of the range; `scale` seconds become of one, backwards where negative. */
double retime_compare(const struct anim_clip *, const struct anim_track *, const struct retime_result *, double from,
		      double to, double scale);

/* The track cut, turned and hurried, in every mixture. */
void retime_check_all(struct retime_maker *, double tolerance, const char *name);

#endif
