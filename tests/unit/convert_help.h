/* convert_help.h: one track through the conversion, and the result played beside the source. */
#ifndef ANIM_TESTS_CONVERT_HELP_H
#define ANIM_TESTS_CONVERT_HELP_H

#include "capture.h"
#include "filter/convert/convert.h"

struct convert_bench {
	struct anim_diagnostics diagnostics;
	struct capture capture;
	struct anim_error error;
	struct anim_clip clip;
	struct anim_sink *filter;
	bool strict, failed;
};

extern const struct anim_caps caps_resonite; /* as AnimJ's */

/* All-zero but for the clip; a tree may be sent between begin and the first track. */
void convert_begin(struct convert_bench *, const struct anim_caps *, const struct anim_clip *);
void convert_add(struct convert_bench *, const struct anim_track *);
void convert_finish(struct convert_bench *);
void convert_clear(struct convert_bench *);

/* The largest error that was reported, 0 if none was; and the largest but for moments. */
double convert_told(const struct convert_bench *);
double convert_lasting(const struct convert_bench *);

/* Whether something was told that has this text in it. */
bool convert_tells(const struct convert_bench *, const char *part);

/*
 * The largest deviation of the captured track `number` from the source over the clip, at `points` times, none nearer
 * to a key of the source than players tell apart: degrees for quaternions.
 */
double convert_compare(const struct convert_bench *, const struct anim_track *source, size_t number, int points);

#endif
