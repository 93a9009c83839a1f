/* cut_godot.h: part of a track whose player ends at the clip's end. Internal to cut. */
#ifndef ANIM_FILTER_CUT_GODOT_H
#define ANIM_FILTER_CUT_GODOT_H

#include "clip/keys.h"
#include "clip/span.h"

/* Columns of the track being made. All-zero is empty. */
struct anim_cut_godot {
	struct anim_keys keys;
	struct anim_sample_state state;
	bool approximated; /* the last track's values in the range are not quite what they were */
	bool changed;      /* it has other keys; else `out` is the track itself */
};

/*
 * `out` is the part of the track (rules godot3, godot4; not Raw) for the range of the clip; borrowed from the work and the
 * track until the next call. 0 or -1.
 */
int anim_cut_godot(struct anim_cut_godot *, const struct anim_clip *, const struct anim_range *,
		   const struct anim_track *, struct anim_track *out, struct anim_error *);
void anim_cut_godot_clear(struct anim_cut_godot *);

#endif
