/* retarget.h: transfer the animation of one skeleton to another, based on their rest poses. */
#ifndef ANIM_FILTER_RETARGET_RETARGET_H
#define ANIM_FILTER_RETARGET_RETARGET_H

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "filter/common/pose.h"
#include "filter/rename/rename.h"

/*
 * A tree of nodes in the rest pose, with its records. Begin with anim_skeleton_init. All members are private except the
 * count.
 */
struct anim_skeleton {
	struct anim_poses poses;
	unsigned trees;           /* number of trees that were read; must be one */
	const char *file;         /* base name of the source file of the last tree, in the arena, or NULL */
	struct anim_buffer names; /* struct anim_skeleton_name of each node */
	const bool *dropped;      /* nodes that are not taken for bones of a human, or NULL */
	struct anim_store *records;
	struct anim_store *clips; /* of the file, if they are kept, or NULL */
	/*
	 * The same tree in the pose in which its skin was bound, or NULL. If set, the axes of its bones come from this pose
	 * (borrowed, set by the caller).
	 */
	struct anim_skeleton *bound;
	struct anim_arena arena;
};

void anim_skeleton_init(struct anim_skeleton *);
void anim_skeleton_clear(struct anim_skeleton *); /* leaves it as after _init */

/*
 * Return a sink that adds all incoming nodes to the skeleton (borrowed). `records`: keep their records as well. Returns
 * NULL on failure.
 */
struct anim_sink *anim_skeleton_sink_new(struct anim_skeleton *, bool records, struct anim_error *);

/*
 * Let a sink of the skeleton also keep clips. Then, after reading, replace the rest by the pose of the first clip at a time.
 * The topmost node that has left its rest keeps its place. They return 0, or -1, also without a clip.
 */
int anim_skeleton_keep_clips(struct anim_skeleton *, struct anim_error *);
int anim_skeleton_pose(struct anim_skeleton *, double time_s, struct anim_error *);

/*
 * Find the nodes of the human bones. If the file itself names them, these are used, otherwise names and parents decide.
 * A missing bone gets ANIM_POSE_NONE. Returns 1, 0 if the skeleton is not a human's (then all are missing), or -1.
 */
int anim_skeleton_human(struct anim_skeleton *, uint32_t bones[ANIM_HUMAN_BONES], struct anim_error *);

/*
 * Return how doubtful the axes of a human's bones are that the rest shows: 0 in a T-pose and for other skeletons, 1 in
 * another pose, 2 if the rest is not a pose, or -1.
 */
int anim_skeleton_doubt(struct anim_skeleton *, struct anim_error *);

/*
 * Create a filter that writes to `next` (owned, also freed on failure). If the stream's tree holds several humans, it
 * keeps one, and drops the nodes and tracks of the others, with a warning. It keeps the human at or below the node `name`
 * (a path or a name), or the first one if it is NULL. Without a name, it also keeps humans with nodes of the same path in
 * `to`, which may be NULL. Both are borrowed. Returns NULL on failure.
 */
struct anim_sink *anim_character_new(const char *name, struct anim_skeleton *to, struct anim_diagnostics *,
				     struct anim_sink *next, struct anim_error *);

/* Everything is borrowed while the filter exists. */
struct anim_retarget_options {
	struct anim_skeleton *from; /* NULL: the stream's tree */
	struct anim_skeleton *to;   /* with its records. NULL: the source in a T-pose, for formats that need one */
	bool implied;               /* the user did not ask for it: small details have no messages of their own */
	bool only_poseless; /* if `to` is NULL: leave a rest that is a pose, with its feet on the ground or not */
	const char *from_name, *to_name; /* the files of the two skeletons, for messages, or NULL */
	struct anim_rename_map *map;     /* bone names from source to target; NULL: none. Used rows are marked. */
	/*
	 * The source bone that carries the motion of the whole body. NULL: a human's hips, otherwise the topmost animated
	 * bone.
	 */
	const char *hips;
	/* If rest directions differ by more than this, the bone is rotated to its partner's direction. 180 or more: never. */
	unsigned silhouette_degrees;
	bool partial;        /* main human bones may lack partners */
	bool keep_positions; /* keep positions of the face */
	bool scale;          /* keep scales */
	bool feet;           /* report how far feet slide, before and after */
	size_t store_memory; /* maximum bytes of waiting tracks in memory */
	struct anim_diagnostics *diagnostics;
};

/*
 * Create a retargeting filter that writes to `next` (owned, also freed on failure). The target's tree replaces the
 * stream's tree. Bones are matched by the map, then by humanoid names if both sides have them, otherwise by equal
 * names. A bone rotates away from its rest pose about the axes of the tree's space, as its partner does. n is this
 * rotation relative to the parent:
 *
 *     n = P q W^-1        q' = P'^-1 n W'        p' = rest' + B'^-1 (B (p - rest)) h' / h
 *
 * P and W are the rest rotations of the parent and the bone in the tree's space. B is the parent's basis with its
 * scale, and h is the height of the hips. Primed symbols belong to the target. If the target's bones point in other
 * directions, its rest pose is first matched to the source's pose.
 *
 * The factors are constant, so keys stay keys, slopes are converted and nothing is sampled. Only the rotations of bones
 * without a partner are multiplied into the bones below them. Such tracks wait in a store for the end of their clip.
 * They are sampled if more than one of them is animated. Positions are kept for the hips and the bones above them.
 * Others are dropped unless both skeletons have the same rest pose. Tracks outside of transforms are unchanged.
 *
 * Clips of Unity's humanoid need no source skeleton. Their muscles become rotations of the target's bones. RootT and
 * RootQ become the position and rotation of its hips (retarget/muscle.h). They are sampled at the clip's rate. Returns
 * NULL on failure.
 */
struct anim_sink *anim_retarget_new(const struct anim_retarget_options *, struct anim_sink *next, struct anim_error *);

/*
 * Create a filter that writes to `next` (owned, also freed on failure). It retargets a human to the usual skeleton of
 * MikuMikuDance. A human that has the bones of MikuMikuDance, and other streams, pass unchanged. Returns NULL on failure.
 */
struct anim_sink *anim_retarget_mmd_new(size_t store_memory, struct anim_diagnostics *, struct anim_sink *next,
					struct anim_error *);

/*
 * Create a filter that writes to `next` (owned, also freed on failure). It does the inverse: clips of bones become
 * clips of Unity's humanoid. Of the options, `from`, `map` (with Unity's names on the right), silhouette_degrees,
 * store_memory and diagnostics are used. The tree stays.
 *
 * Rotations of human bones and transforms of the hips and the nodes above them are sampled at the clip's rate, or 60
 * times a second. They become muscles, RootT, RootQ and the goals of feet and hands. Other tracks stay. Rotations that
 * no muscle reaches, and positions and scales of other bones, are reported. Returns NULL on failure.
 */
struct anim_sink *anim_muscles_new(const struct anim_retarget_options *, struct anim_sink *next, struct anim_error *);

#endif
