/* target.h: where a node of the stream lies in Unity's hierarchy, as the path of a curve. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_TARGET_H
#define ANIM_FORMAT_UNITY_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "clip/track.h"

/* How the nodes of a clip are written, by its source. */
enum unity_nodes {
	UNITY_NODES_PATHS, /* Unity's own: ':' and '%' are letters like others */
	UNITY_NODES_GODOT, /* "A/Skeleton3D:Hips" is a bone, "%Name" the one node of that name */
	UNITY_NODES_BARE,  /* AnimJ, AnimX: bare names of slots */
	UNITY_NODES_OTHER  /* paths and bones */
};

/* All-zero is empty. */
struct unity_target {
	struct anim_buffer nodes; /* of the last tree: private */
	struct anim_map names;    /* their paths and last names */
	struct anim_arena arena;  /* of the nodes' texts */
	bool in_tree;             /* the clip belongs to that tree */
	enum unity_nodes kind;
	const char *root; /* path in the tree of the animation's root, in the arena; NULL: outside of it */
};

/* What is to be said of a path. */
enum unity_placing {
	UNITY_PLACED,
	UNITY_LOOSE_BONE, /* no tree tells the bone's parents: it became a child of its skeleton */
	UNITY_LOOSE_NAME, /* a bare name, or a "%Name" that the tree does not know: it became a child of the root */
	UNITY_OUTSIDE     /* above or beside the animation's root: no path reaches it */
};

void unity_target_tree(struct unity_target *); /* forgets the tree before */
int unity_target_node(struct unity_target *, const struct anim_node *, struct anim_error *);
int unity_target_clip(struct unity_target *, const struct anim_clip *, struct anim_error *);
void unity_target_clear(struct unity_target *);

/* A node's path ("" for the root) in the arena, and what to say of it; NULL path where it is outside. 0 or -1. */
int unity_target_path(const struct unity_target *, const char *node, const char **path, enum unity_placing *,
		      struct anim_arena *, struct anim_error *);

/*
 * The path of a bone that was a node of Unity's at `kept`: there, under the name that the bone has by now. NULL where the
 * node is no bone. The arena's, or `kept`. 0 or -1.
 */
int unity_target_kept(const char *node, const char *kept, const char **path, struct anim_arena *, struct anim_error *);

/*
 * What a property of another engine is called in Unity and the class that has it, by what the tree says of the node:
 * the energy of a Light is m_Intensity of class 108. Only what is the same number in both. The property itself and -1
 * where nothing is known. 0 or -1.
 */
int unity_target_property(const struct unity_target *, const char *node, const char *property, const char **name,
			  int64_t *class_id, struct anim_arena *, struct anim_error *);

#endif
