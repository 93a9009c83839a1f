/* angles.h: joint angles in degrees instead of rotations, for tables. */
#ifndef ANIM_FILTER_ANGLES_H
#define ANIM_FILTER_ANGLES_H

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "math/quaternion.h"

/*
 * Create a filter that writes to `next` (owned, also freed on failure, and may be NULL, which gives NULL). Keys keep their times, and all
 * tracks except 3D rotations stay unchanged. Returns NULL on failure.
 *
 * With an Euler order, a track of rotations becomes a float3 track `angles`: x, y and z in degrees, without jumps of 360
 * degrees. With ANIM_EULER_ORDER_COUNT it becomes three float tracks. `bend` is the angle between the direction from the
 * parent to the joint and the direction of the joint's bone: 0 for a straight knee. `swing` is the angle between the bone
 * and its direction at rest, and `twist` the angle about the bone from the rest (right-handed). The bone points to the mean
 * of the children, and at the end of a chain away from the parent. Rotations of nodes without a rest pose are left out
 * with a warning.
 */
struct anim_sink *anim_angles_new(enum anim_euler_order, struct anim_diagnostics *, struct anim_sink *next,
				  struct anim_error *);

#endif
