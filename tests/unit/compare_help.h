/* compare_help.h: two animations that a test builds track by track, and what anim-diff says of them. */
#ifndef ANIM_TESTS_COMPARE_HELP_H
#define ANIM_TESTS_COMPARE_HELP_H

#include "filter/compare/compare.h"

#define DIFF_TEXT_MAX 8192

/* Two sides that grow, and what was found in the end. */
struct diff_bench {
	struct anim_compare_options options;
	struct anim_compare *compare;
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	struct anim_clip clips[2];
	bool begun[2], failed, differ;
	bool kept; /* the diagnostics are the test's to clear */
	char text[DIFF_TEXT_MAX];
};

/* Clips "walk" from 0 to 1 s in resonite axes; what is set in options counts from the first record on. */
void diff_begin(struct diff_bench *);

/* A record more of side 0 or 1: the clip as it stands in `clips`, which a track begins by itself; its tree before it. */
void diff_clip(struct diff_bench *, int side);
void diff_track(struct diff_bench *, int side, const struct anim_track *);
void diff_tree(struct diff_bench *, int side, const struct anim_node *, size_t count);

/* Ends both sides; the text that is printed. */
const char *diff_finish(struct diff_bench *);

/* Two clips of one track each: all that is printed, and whether they differ. */
void diff_check_tracks(struct diff_bench *, const struct anim_track *one, const struct anim_track *other, bool differ,
		       const char *wanted);

/* Nothing failed, and the text has this part. */
void diff_check_row(const struct diff_bench *, const char *part);

/* Three keys in a second of the node Hips, straight lines between them. */
struct anim_track diff_curve(const char *property, enum anim_type, const void *value);

extern const float diff_halves[3], diff_flat[9]; /* times; zeros */

#endif
