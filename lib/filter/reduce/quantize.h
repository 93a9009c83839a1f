/* quantize.h: values on lattices within error limits, for the small archives of anim-pack --tol. */
#ifndef ANIM_FILTER_QUANTIZE_H
#define ANIM_FILTER_QUANTIZE_H

#include "filter/reduce/reduce.h"

struct anim_quantize_options {
	struct anim_limits limits;                    /* as in struct anim_reduce_options, with the same defaults */
	const struct anim_reduce_override *overrides; /* borrowed */
	size_t override_count;
	const char *limits_text; /* both as texts, for the record of errors, borrowed */
	const char *const *override_texts;
	size_t store_memory;
	/* Written after the provenance of the input, if anything is on a lattice. Borrowed, as is the arena. NULL: none. */
	struct anim_prog *prog;
	struct anim_arena *prog_arena;
	struct anim_diagnostics *diagnostics; /* required */
};

/*
 * Return a sink in front of an archive writer (owned, and freed on failure). Returns NULL on failure.
 *
 * It stores the whole input. At the end it puts the values of tracks on lattices whose errors stay within the limits, and
 * proves the errors: of joints in all poses and between samples, of other tracks by themselves. Samples of Euler angles
 * become rotations. Tracks, clips and archives that would not become smaller stay exact. Notes have the errors.
 */
struct anim_sink *anim_quantize_new(const struct anim_quantize_options *, struct anim_sink *writer,
				    struct anim_error *);

#endif
