/* convert.h: tracks into what a target can hold: its kinds, types, modes and units; the one place of such changes. */
#ifndef ANIM_FILTER_CONVERT_H
#define ANIM_FILTER_CONVERT_H

#include <stdbool.h>

#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"

/* How far a curve may be off: in the value's own unit; rotations may be off a hundred times as many degrees. */
#define ANIM_TOLERANCE 1e-4

/*
 * A filter in front of `next` (owned, freed on failure too). The caps are copied, but their format's name is borrowed;
 * diagnostics must be there. NULL on failure.
 *
 * A track that the target can hold, and whose player shows the same under it, goes through as it is. Another becomes one
 * under the target's rules: its keys stay where they are, what the source's player makes of the clip's ends and loops
 * becomes keys, and keys are added where a segment of the target cannot follow to `tol`. The error is measured by
 * playing both (lib/clip/sample.h); errors beyond rounding are counted in diagnostics. With `strict` they end the run
 * (ANIM_STRICT) at the first track. Linear rotations stay where the target's player differs by less than the tolerance.
 *
 * Single components are joined at the clip's end, behind its other tracks; a component without track has its rest.
 */
struct anim_sink *anim_convert_new(const struct anim_caps *, double tol, bool strict,
				   struct anim_diagnostics *diagnostics, struct anim_sink *next, struct anim_error *);

/*
 * Rests for nodes that the stream's own trees do not tell of (borrowed until the filter is freed): by their path, else by
 * their own name. To be called before anything comes.
 */
void anim_convert_use_rests(struct anim_sink *, struct anim_rests *);

#endif
