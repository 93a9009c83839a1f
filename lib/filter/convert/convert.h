/* convert.h: converts tracks to the kinds, types, modes and units that a target supports; no other filter does. */
#ifndef ANIM_FILTER_CONVERT_H
#define ANIM_FILTER_CONVERT_H

#include <stdbool.h>

#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"

/*
 * Default tolerance of a curve, in the value's own unit. For rotations the tolerance is a hundred times this number, in
 * degrees.
 */
#define ANIM_TOLERANCE 1e-4

/*
 * Return a filter that converts tracks and passes them to `next` (owned, also freed on failure), or NULL on failure.
 * The caps are copied, but the name of their format is borrowed. diagnostics must not be NULL.
 *
 * A track passes unchanged if the target supports it and the target's player shows the same animation. Any other track
 * is converted to the target's rules: its keys stay at their times, and the source player's treatment of clip ends and
 * loops becomes keys. More keys are added if a segment of the target cannot follow the curve within `tol`. The error is
 * measured by playing both tracks (lib/clip/sample.h), and errors larger than rounding are counted in diagnostics. With
 * `strict` an error that diagnostics do not tolerate ends the run at the first track (ANIM_STRICT). Linear rotations
 * stay unchanged if the target's player differs by less than the tolerance.
 *
 * Single components are joined at the end of the clip, after its other tracks. A component without a track gets its
 * value from the rest pose.
 */
struct anim_sink *anim_convert_new(const struct anim_caps *, double tol, bool strict,
				   struct anim_diagnostics *diagnostics, struct anim_sink *next, struct anim_error *);

/*
 * Set the rest poses of nodes that are not in the stream's own trees (borrowed until the filter is freed). Nodes are
 * found by path, otherwise by name. Call it before the first record.
 */
void anim_convert_use_rests(struct anim_sink *, struct anim_rests *);

/*
 * Set the tolerance of rotations, in degrees, because the user asked for tolerances. Without this call, targets with one
 * form for each part of a transform use smaller ones for these parts. Call it before the first record.
 */
void anim_convert_use_degrees(struct anim_sink *, double tol_deg);

/*
 * Return whether the node of a track of the current clip is in space, and not two-dimensional. If its rest pose is
 * unknown, the axes of the clip decide.
 */
bool anim_convert_is_in_space(struct anim_sink *, const struct anim_track *);

/*
 * Convert tracks of one clip with the default tolerance, and pass them to `next` (owned, freed). Each of the `count`
 * elements of `tracks` has `size` bytes and begins with a struct anim_track. Returns 0 or -1.
 */
int anim_convert_tracks(const struct anim_caps *, struct anim_diagnostics *, struct anim_rests *,
			const struct anim_clip *, const void *tracks, size_t count, size_t size, struct anim_sink *next,
			struct anim_error *);

#endif
