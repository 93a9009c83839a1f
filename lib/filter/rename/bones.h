/* bones.h: nodes that tracks move become bones of a skeleton. */
#ifndef ANIM_FILTER_RENAME_BONES_H
#define ANIM_FILTER_RENAME_BONES_H

#include "filter/rename/rename.h"

/* Everything is borrowed for the filter's life. */
struct anim_bones_options {
	const char *path; /* of the skeleton, from the animation's root; not empty, no ':' */
	struct anim_rename_selection select;
	size_t store_memory; /* bytes of clips that may wait in memory */
	struct anim_losses *losses;
};

/*
 * A filter in front of `next` (owned, freed on failure too). Tracks of position, rotation, Euler angles and scale
 * that are selected go to "PATH:Name". Where any of their nodes is below PATH, only those are meant; else where any
 * is below the node above PATH, only those; else all. Nodes on the way to PATH, cameras, lights, meshes, and nodes of
 * two dimensions or of a canvas stay what they are. In the tree these nodes become bones, with what is between them
 * and the skeleton, and what is below them and has no more than a transform; rests stay. What else stands below a
 * bone, and tracks of a bone's node that are no transform, go below "PATH/Name", a BoneAttachment3D. A ':' in a
 * bone's name becomes '_', as Godot's importers have it. Clips wait in a store until their tree is over; records of
 * unknown tags behind them go on before the tree. Warns where no track is a bone's, and where two tracks become one. NULL on failure.
 */
struct anim_sink *anim_bones_new(const struct anim_bones_options *, struct anim_sink *next, struct anim_error *);

#endif
