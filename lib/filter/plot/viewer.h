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
 * Begin a page on the output (borrowed, not committed), which is written as tracks come, one at a time. NULL on failure.
 *
 * The page has no links. It reads the one <script type="application/json">, a JSON array of objects, one a line, each with
 * the member "is". `side` is 0 of the first input, 1 of the second; `clip` the number of a clip of the first; `own` that of
 * a clip of its own side. Frames are at the rate of the clip, else 60 a second. `data` is float32, lowest byte first, in base64.
 *
 *   page   source, result: names of the inputs; as: rotvec, quat, euler, angle; safe: the palette; limit, pixels: what may be
 *          off, 0: not known; shell, circle: around joints, in metres and pixels; reduced: fewer frames, for it would be too large
 *   tree   side, axes, down: y of the plane goes down. Its nodes follow, each after its parent:
 *   node   side, path, parent (-1: none), bone, placed, flat: of the plane, hand: "l", "r" or "", position, rotation, scale
 *   clip   side, clip, own, tree (from 1 on, 0: none), name, player, reset, start, length, rate
 *   track  side, clip, node (-1: none of the tree), name, property, component, part: position, rotation, scale, angle or null,
 *          unit, turns: a quaternion, steps: no values between keys, lanes: their names, data: of each frame all lanes; one
 *          frame if nothing moves
 *   keys   side, own, name, property, count, data: their times; none if there are very many
 *   event  side, own, name, count, times, flags: what each names, says: what it holds
 *   left   clip, name, why: a track that is not played
 *   off    clip, node, property, worst, at: the largest error of a pair of tracks, as text
 *   apart  clip, text, source, result: what is not the same of two clips, and the tracks that one of them has alone
 *   note   text: a message of reading
 *   end    the last one
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
