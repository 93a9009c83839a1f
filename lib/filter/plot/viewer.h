/* viewer.h: a page of HTML that plays animation in a browser; for anim-plot. */
#ifndef ANIM_FILTER_PLOT_VIEWER_H
#define ANIM_FILTER_PLOT_VIEWER_H

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "filter/plot/plot.h"

/* Bytes of samples; a page that would hold more has 30 samples a second, and says so. */
#define ANIM_VIEWER_MOST ((uint64_t)64 << 20)

struct anim_viewer_options {
	const char *names[2]; /* of the inputs, for people; the second is NULL where there is none; borrowed */
	enum anim_plot_rotation rotation; /* how curves show rotations */
	enum anim_plot_palette palette;
	bool ranged; /* only this part of each clip, in seconds; -INFINITY, INFINITY: its own ends */
	double from_s, to_s;
	double limit_m, limit_px; /* how far a joint of the second may be off from the first's; 0: nobody told */
	double shell_m, shell_px; /* around joints, of the points whose errors are shown */
	size_t store_memory;
	struct anim_diagnostics *diagnostics; /* must be there */
};

struct anim_viewer;

/*
 * One file without links: a page, and lines of JSON with the nodes, and of each track what its player shows at each frame, as
 * float32 in base64. It is written as tracks come, one at a time, onto the output (borrowed, not committed). Frames are those
 * of the clip's own rate, else 60 a second. NULL on failure.
 */
struct anim_viewer *anim_viewer_new(struct anim_output *, const struct anim_viewer_options *, struct anim_error *);
void anim_viewer_free(struct anim_viewer *); /* NULL is allowed */

/*
 * Where the first input (0) and then, where there are two, the second (1) flow to; to be freed by the caller before the viewer.
 * `next` (borrowed; NULL: none) gets all of it, too. The second is brought into the first's axes, and shows its clips of the
 * same names, or its only one beside the only one. NULL on failure.
 */
struct anim_sink *anim_viewer_input(struct anim_viewer *, int side, struct anim_sink *next, struct anim_error *);

struct anim_compare_shown;

/* Tells of a pair that was compared (the `show` of anim_compare_options): its largest error stands at its curves. 0 or -1. */
int anim_viewer_pair(void *viewer, const struct anim_compare_shown *, struct anim_error *);

/* Tells what is not the same of two clips beside their tracks (the `show_clips`). 0 or -1. */
struct anim_compare_clips;
int anim_viewer_clips(void *viewer, const struct anim_compare_clips *, struct anim_error *);

/* After the inputs have ended: their tracks, and the end of the page. 0 or -1. */
int anim_viewer_end(struct anim_viewer *, struct anim_error *);

#endif
