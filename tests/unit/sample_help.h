/* sample_help.h: small tracks for the tests of sampling. */
#ifndef ANIM_TESTS_SAMPLE_HELP_H
#define ANIM_TESTS_SAMPLE_HELP_H

#include <stddef.h>

#include "clip/sample.h"

/* A curve of `n` keys under the rules; the caller adds columns. */
struct anim_track sample_curve(enum anim_rules, enum anim_interp, enum anim_type, size_t n, const float *time,
			       const void *value);

/* A clip from 0 to end. */
struct anim_clip sample_clip(double end_s, enum anim_loop);

/* One sample of a one-component track of floats; NaN where there is no value; a failed check where sampling fails. */
float sample_float(const struct anim_clip *, const struct anim_track *, double t);

/* One sample of any type but strings into `out`; whether there is a value. */
bool sample_value(const struct anim_clip *, const struct anim_track *, double t, void *out);

/* The text of one sample, in a buffer that the next call overwrites; "(none)", "(null)". */
const char *sample_string(const struct anim_clip *, const struct anim_track *, double t);

/* Strings of `n` texts, in memory that the next call overwrites. */
const struct anim_strings *sample_strings(size_t n, const char *const *texts);

#endif
