/* mirror.h: exchanges left and right in an animation. */
#ifndef ANIM_FILTER_MIRROR_MIRROR_H
#define ANIM_FILTER_MIRROR_MIRROR_H

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "filter/common/pose.h"
#include "filter/rename/rename.h"

enum anim_mirror_plane { ANIM_MIRROR_FIND, ANIM_MIRROR_NORMAL_X, ANIM_MIRROR_NORMAL_Y, ANIM_MIRROR_NORMAL_Z };

/* All members are borrowed for the filter's life. */
struct anim_mirror_options {
	/* ANIM_MIRROR_FIND: the plane with most left-right pairs of names on its two sides. */
	enum anim_mirror_plane plane;
	struct anim_rename_map *pairs; /* pairs of names, in either order; NULL: none */
	struct anim_poses *rests;      /* the rest poses of the nodes; NULL: those of the stream's own tree */
	bool posed; /* `rests` is a pose of a clip, which only helps to find the mirror images of bones */
	struct anim_diagnostics *diagnostics;
};

/*
 * Return a filter that mirrors tracks and passes them to `next` (owned, also freed on failure), or NULL on failure.
 * Each track moves to the partner of its node, where it shows the mirror image. If a bone is rotated from its rest pose
 * by n, about the axes of the tree's space, then its partner is rotated by the mirror image of n:
 *
 *     q' = P'^-1 mirror(P q W^-1) W'        p' = rest' + B'^-1 mirror(B (p - rest))
 *
 * P and W are the rest rotations of the parent and the bone in the tree's space, B is the parent's basis with its
 * scale, and primed letters are of the partner. In two dimensions the same applies to angles: a' = rest' - (a - rest).
 * The factors are constant, so keys remain keys, slopes are transformed in the same way, and nothing is sampled. Scales
 * only change sides. So do tracks of other properties, and blend shapes according to the sides in their names.
 */
struct anim_sink *anim_mirror_new(const struct anim_mirror_options *, struct anim_sink *next, struct anim_error *);

/*
 * Return whether a mirror (a filter of anim_mirror_new) can convert this track of Euler angles: 1 if it can mirror it
 * key by key, or refuses it for another reason. 0 if it can only mirror it as rotations. -1 on failure. Call it after
 * the clip has begun.
 */
int anim_mirror_fits(struct anim_sink *, const struct anim_track *, struct anim_error *);

/* Return the side in a node's name: 'l' or 'r', or 0 if there is none. */
char anim_side_of_name(const char *name);

#endif
