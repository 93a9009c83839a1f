/* retarget.h: animation of one skeleton brought onto another, by the rests of both. */
#ifndef ANIM_FILTER_RETARGET_RETARGET_H
#define ANIM_FILTER_RETARGET_RETARGET_H

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "filter/pose.h"
#include "filter/rename/rename.h"

/* A tree of nodes at rest, with its records. Begin with anim_skeleton_init; all members are private but the count. */
struct anim_skeleton {
	struct anim_poses poses;
	unsigned trees;           /* how many came; one is right */
	struct anim_buffer names; /* struct anim_skeleton_name: of each node */
	struct anim_store *records;
	struct anim_arena arena;
};

void anim_skeleton_init(struct anim_skeleton *);
void anim_skeleton_clear(struct anim_skeleton *); /* leaves it as _init does */

/* A sink that adds all nodes that come (the skeleton is borrowed) and, where `records` is set, keeps what they say. NULL on failure. */
struct anim_sink *anim_skeleton_sink_new(struct anim_skeleton *, bool records, struct anim_error *);

/* Everything is borrowed for the filter's life. */
struct anim_retarget_options {
	struct anim_skeleton *from;  /* NULL: the stream's own tree */
	struct anim_skeleton *to;    /* with its records */
	struct anim_rename_map *map; /* names of bones, from the one to the other; NULL: none; its rows are marked */
	const char *hips; /* the bone of the source that carries the motion of the whole; NULL: a human's hips,
					else the topmost that moves */
	unsigned
	    silhouette_degrees; /* from here on a bone's direction at rest is brought to its partner's; at least 180: never */
	unsigned limb_degrees; /* the same of arms and legs */
	bool partial;          /* main bones of a human may lack partners */
	bool keep_positions;   /* those of the face */
	bool scale;            /* scales, too */
	bool feet;             /* tell how far feet slide, before and after */
	size_t store_memory;   /* bytes of tracks that may wait in memory */
	struct anim_diagnostics *diagnostics;
};

/*
 * A filter in front of `next` (owned, freed on failure too). The target's tree takes the place of the stream's; bones find their
 * partners by the map, by the names of humanoids where both sides have such, else by equal names. A bone turns away from its
 * rest, about the axes of the whole, as its partner does; n is that turn relative to the one above:
 *
 *     n = P q W^-1        q' = P'^-1 n W'        p' = rest' + B'^-1 (B (p - rest)) h' / h
 *
 * with P and W the rests of the parent and the bone in the tree's space, B the parent's basis with its scale, h the height of the
 * hips, and what is primed the target's, whose rest is first brought into the pose of the source's where their bones point
 * elsewhere. The factors are constant: keys stay keys, slopes go along, nothing is sampled. Only where bones have no partner and
 * others below them do, their turns go in front of those below: such tracks wait in a store for their clip's end, and are
 * sampled where more than one moves. Positions are those of the hips and what is above them, others are dropped, but between
 * skeletons of the same rests. What is no part of a transform stays.
 *
 * Clips of Unity's humanoid need no skeleton of a source: their muscles become rotations of the target's bones, and RootT and RootQ
 * the position and rotation of its hips (retarget/muscle.h), sampled at the clip's rate. NULL on failure.
 */
struct anim_sink *anim_retarget_new(const struct anim_retarget_options *, struct anim_sink *next, struct anim_error *);

#endif
