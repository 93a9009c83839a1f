/* bake.h: tracks for players that know nothing but whole values sampled at a fixed rate. */
#ifndef ANIM_FILTER_BAKE_H
#define ANIM_FILTER_BAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"
#include "filter/resample.h"

struct anim_bake_options {
	uint32_t rate_num, rate_den; /* samples a second; 0, 0: the clip's own rate hint, else 30 with a note */
	enum anim_grid_end end;
	unsigned loops;           /* runs of clips that loop, which do not loop afterwards; 0: one, and they still do */
	bool all;                 /* what only steps becomes Raw too, instead of Discrete */
	bool world;               /* nodes in the space that their tree stands in; with `all`, without drop_constant */
	bool drop_constant;       /* leave out what stays at its rest; one sample of what else is constant */
	bool trust_size;          /* as struct anim_resample_options has it */
	struct anim_rests *rests; /* of nodes that the stream's trees do not have; NULL: none; borrowed */
	struct anim_diagnostics *diagnostics; /* must be there */
};

/*
 * A filter in front of `next` (owned by it from then on, freed on failure too). NULL on failure.
 *
 * As anim_resample_new, and: single components are joined behind the clip's other tracks, Euler angles become rotations, bones
 * relative to their rest absolute, the signs of quaternions continuous. Components without track hold the value of the clip's
 * RESET, else the node's rest, else the property's neutral value with a warning.
 *
 * A Godot clip with such components may come before its RESET: from there on the clips of the tree are kept in a store until it
 * comes or the tree's clips end. Otherwise only the component tracks of one clip are kept.
 */
struct anim_sink *anim_bake_new(const struct anim_bake_options *, struct anim_sink *next, struct anim_error *);

#endif
