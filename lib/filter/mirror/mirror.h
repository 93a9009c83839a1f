/* mirror.h: animation with left and right exchanged. */
#ifndef ANIM_FILTER_MIRROR_MIRROR_H
#define ANIM_FILTER_MIRROR_MIRROR_H

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "filter/pose.h"
#include "filter/rename/rename.h"

enum anim_mirror_plane { ANIM_MIRROR_FIND, ANIM_MIRROR_NORMAL_X, ANIM_MIRROR_NORMAL_Y, ANIM_MIRROR_NORMAL_Z };

/* Everything is borrowed for the filter's life. */
struct anim_mirror_options {
	enum anim_mirror_plane plane;  /* ANIM_MIRROR_FIND: the one that most pairs of names lie on both sides of */
	struct anim_rename_map *pairs; /* names that belong together, either way round; NULL: none */
	struct anim_poses *rests;      /* whose nodes tell the rests; NULL: the stream's own tree */
	struct anim_diagnostics *diagnostics;
};

/*
 * A filter in front of `next` (owned, freed on failure too). Each track goes to its node's partner, and what it does there is the
 * mirror image: of a bone whose turn away from its rest, about the axes of the tree's space, is n, the partner's is n mirrored:
 *
 *     q' = P'^-1 mirror(P q W^-1) W'        p' = rest' + B'^-1 mirror(B (p - rest))
 *
 * with P and W the rests of the parent and the bone in the tree's space, B the parent's basis with its scale, and what is
 * primed the partner's; in two dimensions the same with angles, a' = rest' - (a - rest). The factors are constant, so keys stay keys, slopes go along, and nothing is sampled. Scales only change
 * sides; so do tracks of other properties, and blend shapes by the sides in their names. NULL on failure.
 */
struct anim_sink *anim_mirror_new(const struct anim_mirror_options *, struct anim_sink *next, struct anim_error *);

/*
 * Return 1 if the mirror (a filter of anim_mirror_new) has an image of this track of Euler angles key by key, or refuses the
 * track for another reason; 0 if only rotations have one there; -1 on failure. The clip has begun.
 */
int anim_mirror_fits(struct anim_sink *, const struct anim_track *, struct anim_error *);

/* The side that a node's own name tells: 'l', 'r'; 0: none. */
char anim_side_of_name(const char *name);

#endif
