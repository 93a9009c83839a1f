/* root.h: moves the motion of a whole body from its hips to a node above them, or back, for anim-root. */
#ifndef ANIM_FILTER_ROOT_H
#define ANIM_FILTER_ROOT_H

#include <stdbool.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"

struct anim_root_options {
	const char *hips;   /* the node, by its path in the tree or by its name; NULL: found by its name */
	const char *root;   /* a node above it, by path or name; NULL: its parent */
	bool axes[3];       /* the hips' position along these axes is motion: x, y (up) and z of the tree */
	bool yaw;           /* the hips' rotation about y is motion: the twist */
	bool heading;       /* measure the yaw as ozz does: as the Euler angle */
	bool in_place;      /* remove the motion */
	bool fold;          /* the reverse: the root stays in its rest pose, and its motion is added to the hips */
	bool loop;          /* the hips end as they began: the difference is spread over the clip */
	double tolerance_m; /* largest error between keys if the keys alone are not exact */
	double tolerance_deg;
	struct anim_diagnostics *diagnostics; /* must not be NULL */
};

/*
 * Return a filter that moves root motion and passes the result to `next` (owned, also freed on failure), or NULL on
 * failure. Root and hips together show the same motion as before, except for the parts that `loop` and `in_place`
 * remove. Moving a position needs only constant factors, so keys stay keys, whatever their modes are. A rotation is
 * different: both nodes get linear segments with the keys of both, and more keys if the error between keys would exceed
 * the tolerance. Tracks on a common grid of samples stay on it. For each clip, a note reports how far the root moves
 * and rotates, and the error bound. The tracks of the two nodes wait until the end of the clip.
 *
 * The yaw is the twist about y of the hips' rotation from the rest pose: 2 atan2(y, w) of that quaternion, unwrapped.
 * With `heading` it is the first Euler angle of that rotation in the order y, z, x, as in ozz's MotionExtractor (0.16).
 * The two are equal if the hips lean about x or z alone, and differ by 2 atan(tan(a/2) tan(b/2)) if they lean by a and
 * b about both. With `yaw` the root's position is p - R h, for the hips' position p, their rest position h and the yaw
 * rotation R. Hips whose rest position is beside the y axis then do not circle about it. With `heading` it is p - h, as
 * in ozz.
 */
struct anim_sink *anim_root_new(const struct anim_root_options *, struct anim_sink *next, struct anim_error *);

/*
 * Return a filter that does the same for clips of Unity's humanoid, and passes all others to `next`, which must be a filter
 * of anim_root_new (owned, also freed on failure). NULL on failure. The motion that the root gets is a setting of the clip:
 * Unity moves the object by all that is not baked into the pose. `in_place` and `loop` change RootT and RootQ. Keys stay
 * keys unless a rotation changes.
 */
struct anim_sink *anim_root_humanoid_new(const struct anim_root_options *, struct anim_sink *next, struct anim_error *);

#endif
