/* bake.h: convert tracks for players that support only vectors sampled at a fixed rate. */
#ifndef ANIM_FILTER_BAKE_H
#define ANIM_FILTER_BAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"
#include "filter/resample.h"

struct anim_bake_options {
	uint32_t rate_num, rate_den; /* samples per second; 0, 0: the clip's rate hint, or 30 with a note */
	enum anim_grid_end end;
	unsigned loops; /* times a looping clip is played, which then no longer loops; 0: once, and it still loops */
	bool all;       /* convert stepping tracks to Raw instead of Discrete */
	bool world;     /* nodes in world space; with `all`, without drop_constant */
	bool drop_constant; /* leave out tracks that stay at the rest value; other constant tracks get one sample */
	bool trust_size;    /* as in struct anim_resample_options */
	struct anim_rests *rests; /* rest poses of nodes outside of the stream's trees; NULL: none; borrowed */
	struct anim_diagnostics *diagnostics; /* required */
};

/*
 * Create a baking filter that writes to `next` (owned, also freed on failure). Returns NULL on failure.
 *
 * It resamples as anim_resample_new does. In addition, single components are joined and written after the clip's other
 * tracks. Euler angles become rotations, values relative to a rest pose become absolute, and the signs of quaternions
 * are made continuous. A component without a track gets its value from the clip's RESET, otherwise from the node's rest
 * pose, otherwise the property's neutral value with a warning.
 *
 * A Godot clip with such components may come before its RESET. The tree's clips from there on are then kept in a store
 * until RESET arrives or the tree's clips end. Otherwise only the component tracks of one clip are kept.
 */
struct anim_sink *anim_bake_new(const struct anim_bake_options *, struct anim_sink *next, struct anim_error *);

#endif
