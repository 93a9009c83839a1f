/* tree.h: the nodes of a document as one tree, and their paths in it. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_TREE_H
#define ANIM_FORMAT_GLTF_TREE_H

#include "base/map.h"
#include "clip/sink.h"
#include "format/gltf/asset.h"

/* All-zero is empty. */
struct gltf_tree {
	struct anim_buffer roots; /* uint32_t: one of them is the tree's root, several are below one of our own */
	struct anim_map names;    /* (the parent, a name) -> how many siblings have it */
	struct anim_buffer path;  /* scratch */
};

/*
 * Finds parents, joints and roots: those of the scene, of all nodes where there is none, and those above what channels move;
 * gives every node below them the name that its path has. Refuses nodes with two parents or in a ring. 0 or -1.
 */
int gltf_tree_make(struct gltf_tree *, struct gltf_asset *, struct anim_error *);

/* The path of a node of the tree; borrowed until the next call. NULL out of memory, or where it is too long for a name. */
const char *gltf_tree_path(struct gltf_tree *, const struct gltf_asset *, uint32_t node, struct anim_error *);

/* TREE and NODEs. `file`: the source's base name, may be empty; `name` that of a root of our own. 0 or -1. */
int gltf_tree_write(struct gltf_tree *, const struct gltf_asset *, const char *file, const char *name,
		    struct anim_sink *, struct anim_error *);

void gltf_tree_clear(struct gltf_tree *);

#endif
