/* retime.h: clips in other times: a part of them, shifted, faster, backwards, on whole frames. */
#ifndef ANIM_FILTER_RETIME_H
#define ANIM_FILTER_RETIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/span.h"

/* --- The part of a track for a range of its clip, as a track that shows the same there --- */

/* What one track after another is cut with. */
struct anim_cutter;

struct anim_cutter *anim_cutter_new(struct anim_error *); /* NULL out of memory */
void anim_cutter_free(struct anim_cutter *);              /* takes NULL */

struct anim_cut_range {
	const struct anim_clip *clip; /* as it came */
	struct anim_range range;      /* on the clip's axis */
	double tol;                   /* in the value's unit; rotations a hundred times as many degrees */
	bool unroll;                  /* what repeats becomes keys even where all of the clip is in the range */
};

/*
 * `out` is the part of a Curve or Discrete track (keys in order, no events): the keys inside, and keys with the values and
 * tangents of that place where the range cuts a segment. Borrowed from the cutter and the track until the next call.
 * *worst is how far it is off where no mode can follow (degrees of rotations, else the value's unit), negative where it is
 * exact. 0 or -1.
 */
int anim_cutter_cut(struct anim_cutter *, const struct anim_cut_range *, const struct anim_track *,
		    struct anim_track *out, double *worst, struct anim_error *);

/* --- Clips in other times: a part of them, shifted, faster, backwards, on whole frames --- */

/* Done in the order of the members. All-zero but for tol and diagnostics changes nothing. */
struct anim_retime_options {
	uint32_t rate_num, rate_den; /* of Raw tracks of unknown interval, and the clips' hint afterwards; 0, 0: none */
	bool ranged;                 /* clips become this part of them, which starts at 0 */
	double from_s, to_s;         /* -INFINITY, INFINITY: the clip's own */
	bool reverse;
	uint32_t speed_num, speed_den; /* 0, 0: as it is */
	double duration_s;             /* what clips last afterwards, instead of a speed; 0: none */
	double shift_s;
	uint32_t snap_num, snap_den; /* keys to the nearest whole frame behind the clip's start; 0, 0: none */
	bool sets_loop;
	enum anim_loop loop; /* of the clips afterwards */
	double tol;          /* of cut segments that no mode can follow; rotations a hundred times as many degrees */
	const char *const *clips; /* only clips that one of these fits (NAME, PLAYER:NAME, globs); borrowed */
	size_t clip_count;        /* 0: all */
	struct anim_diagnostics *diagnostics; /* must be there */
};

/*
 * A filter in front of `next` (owned, freed on failure too). What a track shows under its own rules is the same at the
 * mapped times: tangents, handles, shares, transitions and the ends change with the times, and where a part begins or ends
 * inside a segment keys with the values and tangents of that place come to stand. What no mode can follow is approximated
 * to `tol` and warned of with its error. end() fails where a pattern fitted no clip, or no clip lies in the range.
 * NULL on failure.
 */
struct anim_sink *anim_retime_new(const struct anim_retime_options *, struct anim_sink *next, struct anim_error *);

#endif
