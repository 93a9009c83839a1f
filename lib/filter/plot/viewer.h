/* viewer.h: an HTML page that plays animations in a browser, for anim-plot. */
#ifndef ANIM_FILTER_PLOT_VIEWER_H
#define ANIM_FILTER_PLOT_VIEWER_H

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "filter/plot/plot.h"

/* Bytes of samples. A page that would hold more uses 30 samples per second, and says so. */
#define ANIM_VIEWER_MOST ((uint64_t)64 << 20)

struct anim_viewer_options {
	const char
	    *names[2]; /* names of the inputs, for people, borrowed. The second is NULL if there is only one input */
	enum anim_plot_rotation rotation; /* how curves show rotations */
	enum anim_plot_palette palette;
	struct anim_time_range range; /* only this part of each clip */
	double limit_m, limit_px;     /* the largest allowed error of a joint of the second input; 0: no limit */
	double shell_m, shell_px;     /* distance from a joint to the points whose errors are shown */
	size_t store_memory;
	struct anim_diagnostics *diagnostics; /* required */
	const struct anim_advisor *advisor;   /* words for remedies (borrowed) */
};

struct anim_viewer;

/*
 * Begin a page on the output (borrowed, not committed). It is written as tracks arrive, one at a time. Returns NULL
 * on failure.
 *
 * The page has no links. It reads the only <script type="application/json">, which holds a JSON array with one
 * object per line. Each object has the member "is". `side` is 0 for the first input and 1 for the second. `clip` is
 * the number of a clip of the first input, `own` is the number of a clip of its own side. Frames are at the rate of
 * the clip, or 60 per second if it has none. `data` is float32, lowest byte first, in base64.
 *
 *   page   source, result: names of the inputs; as: rotvec, quat, euler, angle; safe: the palette; limit, pixels: the
 *          allowed error, 0: not known; shell, circle: the distance of points around joints, in metres and pixels;
 *          reduced: it has fewer frames, because it would be too large
 *   tree   side, axes, down: y of the plane points down. Its nodes follow, each after its parent:
 *   node   side, path, parent (-1: none), bone, placed, flat: in the plane, hand: "l", "r" or "", position, rotation,
 *          scale
 *   clip   side, clip, own, tree (from 1 on, 0: none), name, player, reset, start, length, rate
 *   track  side, clip, node (-1: not in the tree), name, property, component, part: position, rotation, scale, angle
 *          or null, unit, turns: a quaternion, steps: no values between keys, lanes: the names of the components,
 *          data: all components of each frame; one frame if nothing moves
 *   keys   side, own, name, property, count, data: their times; none if there are very many
 *   event  side, own, name, count, times, flags: the label of each, says: the contents of each
 *   left   clip, name, why: a track that is not played
 *   off    clip, node, property, worst, at: the largest error of a pair of tracks, as text
 *   far    clip, node, off, at, pixels: the largest error of a node in space
 *   apart  clip, text, source, result: the differences of two clips, and the tracks that only one of them has
 *   note   text: a message of reading
 *   end    the last one
 */
struct anim_viewer *anim_viewer_new(struct anim_output *, const struct anim_viewer_options *, struct anim_error *);
void anim_viewer_free(struct anim_viewer *); /* NULL is allowed */

/*
 * Return the sink of the first input (0) or, if there are two, then of the second one (1). The caller frees it
 * before the viewer. `next` (borrowed, or NULL) receives everything as well. The second input is converted to the
 * axes of the first one. It shows its clips of the same names, or its only clip beside the only clip of the first
 * input. Returns NULL on failure.
 */
struct anim_sink *anim_viewer_input(struct anim_viewer *, int side, struct anim_sink *next, struct anim_error *);

struct anim_compare_shown;

/*
 * Show the largest error of a compared pair at its curves. Use it as `show` of anim_compare_options. Returns 0 or
 * -1.
 */
int anim_viewer_pair(void *viewer, const struct anim_compare_shown *, struct anim_error *);

/* Show the largest error of a node in space, which may be between frames. Use it as `show_world`. Returns 0 or -1. */
struct anim_compare_world;
int anim_viewer_world(void *viewer, const struct anim_compare_world *, struct anim_error *);

/* Show the differences of two clips, beside their tracks. Use it as `show_clips`. Returns 0 or -1. */
struct anim_compare_clips;
int anim_viewer_clips(void *viewer, const struct anim_compare_clips *, struct anim_error *);

/* Write the tracks, and the end of the page, after the inputs have ended. Returns 0 or -1. */
int anim_viewer_end(struct anim_viewer *, struct anim_error *);

#endif
