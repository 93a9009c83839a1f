/* retime.h: change the times of clips: cut, shift, speed, reverse, snap to frames. */
#ifndef ANIM_FILTER_RETIME_H
#define ANIM_FILTER_RETIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/span.h"

/* --- Cutting a track to a range of its clip --- */

/* Reusable state for cutting tracks. */
struct anim_cutter;

struct anim_cutter *anim_cutter_new(struct anim_error *); /* NULL if out of memory */
void anim_cutter_free(struct anim_cutter *);              /* NULL is allowed */

struct anim_cut_range {
	const struct anim_clip *clip; /* the original clip */
	struct anim_range range;      /* in the clip's times */
	double tol;                   /* maximum error in the value's unit; for rotations, 100 * tol degrees */
	bool unroll;                  /* write repetitions as keys even if the range is the complete clip */
};

/*
 * Cut a Curve or Discrete track (keys in order, no events). `out` has the keys inside the range. If the range cuts a
 * segment, a key with the value and tangents of that time is added. `out` is borrowed from the cutter and the track
 * until the next call. *worst is the error of parts that no interpolation mode can represent (in degrees for rotations,
 * otherwise in the value's unit). It is negative if the result is exact. Returns 0 or -1.
 */
int anim_cutter_cut(struct anim_cutter *, const struct anim_cut_range *, const struct anim_track *,
		    struct anim_track *out, double *worst, struct anim_error *);

/* --- The filter --- */

/* The changes are applied in the order of the members. All-zero except for tol and diagnostics changes nothing. */
struct anim_retime_options {
	uint32_t rate_num,
	    rate_den; /* rate of Raw tracks with an unknown interval, and the clips' new rate hint; 0, 0: none */
	/* Cut clips to these parts, which then start at 0. Of several, each part is a clip: walk-1, walk-2. Borrowed. */
	const struct anim_time_range *ranges;
	size_t range_count; /* 0: the complete clips */
	/* Then cut each part to the best loop in it, close that, and set its loop mode. A note reports it. */
	bool find_loop;
	/*
	 * Or leave out stillness at both ends: points at most trim_shell_m away from each node have moved by at most trim_m
	 * since the start, or move by no more until the end. 0: do not.
	 */
	double trim_m, trim_shell_m;
	size_t store_memory; /* of anim_store_new, which keeps a clip for several parts or a search */
	bool reverse;
	uint32_t speed_num, speed_den; /* 0, 0: unchanged */
	double duration_s;             /* new length of the clips, instead of a speed; 0: none */
	double shift_s;
	uint32_t snap_num,
	    snap_den; /* rate of frames, counted from the clip's start, to which keys are moved; 0, 0: none */
	bool sets_loop;
	enum anim_loop loop; /* new loop mode of the clips */
	double tol; /* maximum error of segments that no mode can represent; for rotations, 100 * tol degrees */
	const char *const *clips; /* only clips that match one of these (NAME, PLAYER:NAME, globs); borrowed */
	size_t clip_count;        /* 0: all */
	struct anim_diagnostics *diagnostics; /* required */
};

/*
 * Create a filter that changes times and writes to `next` (owned, also freed on failure). A track shows the same values
 * at the mapped times under its own rules. Tangents, handles, shares, transitions and ends are converted with the
 * times. If a range begins or ends inside a segment, a key with the value and tangents of that time is added. Parts
 * that no interpolation mode can represent are approximated to `tol`, with a warning that gives the error. end() fails
 * if a pattern matched no clip or if no clip overlaps the range. Returns NULL on failure.
 */
struct anim_sink *anim_retime_new(const struct anim_retime_options *, struct anim_sink *next, struct anim_error *);

#endif
