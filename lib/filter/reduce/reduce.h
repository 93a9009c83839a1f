/* reduce.h: fewer keys, and a proof of how far off they are, for anim-reduce. */
#ifndef ANIM_FILTER_REDUCE_H
#define ANIM_FILTER_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "filter/compare/compare.h"
#include "stream/record.h"

/* What is between the keys that stay. */
enum anim_reduce_keys {
	ANIM_REDUCE_LINEAR,
	ANIM_REDUCE_HERMITE, /* cubics with slopes on both sides, where the player takes them: not Godot's */
	ANIM_REDUCE_AUTO     /* these for Unity, whose keys have slopes anyway */
};

/* Other limits, of tracks by themselves and of joints in space, for nodes that fit a glob. */
struct anim_reduce_override {
	char glob[256];
	struct anim_limits limits;
};

/* Reads "*Hand*=0.2mm@5cm", "Jaw=0.01mm,scale=1%" into one that is all zero. 0, or -1 (ANIM_BAD_INPUT). */
int anim_reduce_override_parse(struct anim_reduce_override *, const char *text, struct anim_error *);

struct anim_reduce_options {
	struct anim_limits
	    limits; /* none: world 1mm@10cm where a tree has the clip's nodes, 0.1mm, 0.1deg and 0.1% elsewhere */
	const struct anim_reduce_override
	    *overrides; /* borrowed; the last that fits a node and tells its limit holds */
	size_t override_count;
	enum anim_rules rules; /* whose player shows the result; ANIM_RULES_COUNT: that of each track */
	enum anim_reduce_keys keys;
	bool loop;          /* the first two keys of each track and the last two stay */
	bool drop_constant; /* what stays at its node's rest goes */
	bool move;          /* keys may stand between the source's, on its straight lines and arcs */
	bool fast;          /* the farthest key that fits, one after another, instead of the fewest */
	bool keep_euler;    /* Euler angles stay; else they become rotations where that leaves no more keys */
	bool smaller;       /* a track keeps all keys unless those left take less room in files of the rules' format */
	size_t store_memory;
	struct anim_output *report; /* where of each clip a JSON object is put, in an array; borrowed. NULL: nowhere */
	/*
	 * Gets the attribute `tol-sum` before the first record behind those of provenance: how far off may be what this program
	 * and those before it make of their source. Borrowed, with the arena that it grows in; NULL: not told.
	 */
	struct anim_prog *prog;
	struct anim_arena *prog_arena;
	struct anim_diagnostics *diagnostics; /* must be there */
};

/*
 * A filter in front of `next` (owned, freed on failure too). NULL on failure.
 *
 * Raw tracks and curves of straight lines, steps or cubics lose the keys without which their player
 * shows the same but for the limit of their property; the keys that stay are the source's, the first and the last among them,
 * or with `move` lie on its lines. What is between the keys is proven, not
 * sampled: the result as it is written is held against the source at the keys of both, and what may happen between them is
 * bounded. Other tracks stay as they are, as do those that the player of the result cannot show within their limits; both are
 * told, as are overrides that concern nothing. A note tells of each clip how many keys there were and are, and the bound.
 */
struct anim_sink *anim_reduce_new(const struct anim_reduce_options *, struct anim_sink *next, struct anim_error *);

#endif
