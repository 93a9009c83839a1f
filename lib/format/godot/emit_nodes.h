/* emit_nodes.h: the nodes of a scene that is to be written. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_EMIT_NODES_H
#define ANIM_FORMAT_GODOT_EMIT_NODES_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "clip/track.h"
#include "format/godot/emit_names.h"

/* How sure a class is; a surer one takes its place. SPACE: only whether it is Node2D or Node3D. */
enum godot_class_source { GODOT_CLASS_DEFAULT, GODOT_CLASS_SPACE, GODOT_CLASS_GUESSED, GODOT_CLASS_TOLD };

#define GODOT_NO_PARENT 0xFFFFFFFFu
struct godot_scene_node {
	const char *path, *name, *class; /* path "." for the root; of a bone "A/Skeleton3D:Hips" */
	enum godot_class_source source;
	uint32_t parent; /* number of the node (of a bone: of its skeleton); GODOT_NO_PARENT for the root */
	bool bone;
	uint32_t bone_index, bone_parent; /* in its skeleton; GODOT_NO_PARENT: none */
	uint32_t bones;                   /* of a skeleton: how many */
	uint8_t has;
	float position[3], rotation[4], scale[3];
	const char *pose, *skew, *order; /* attributes, NULL */
	bool disabled;
	bool unique;                      /* %name finds it */
	uint32_t first_shape, last_shape; /* blend shapes that tracks drive: number + 1 in `shapes`, 0: none */
	uint32_t mesh, frames;            /* number of the mesh that has them; frames of a sprite; 0: none */
};

/* All-zero is empty. Texts lie in the arena. */
struct godot_nodes {
	struct anim_buffer items; /* struct godot_scene_node, parents before children */
	struct anim_map by_path, by_unique;
	struct anim_arena arena;
	struct anim_buffer numbers; /* uint32_t: of each NODE of the tree at hand */
	struct anim_buffer shapes;  /* writer_meshes.c */
	struct anim_map by_shape;   /* of a node's number and the shape's name */
	const char *root_name;      /* of the first tree; NULL: none came */
	bool godot3;                /* classes are written as Godot 3 has them */
};

void godot_nodes_clear(struct godot_nodes *);
size_t godot_nodes_count(const struct godot_nodes *);
struct godot_scene_node *godot_nodes_at(const struct godot_nodes *, uint32_t number);
/* The node of this path, or GODOT_NO_PARENT. */
uint32_t godot_nodes_find(const struct godot_nodes *, const char *path);

/* A tree begins; its nodes follow. Nodes of a later tree that are new are added. 0 or -1. */
int godot_nodes_tree(struct godot_nodes *, const struct anim_tree *, struct anim_error *);
/* *written: the path that it is written under, until the nodes are cleared. */
int godot_nodes_add(struct godot_nodes *, const struct godot_emit_names *, const struct anim_node *,
		    const char **written, struct anim_error *);

/* True for paths of nodes that a scene can have: down from its root, without %Name, not too deep. */
bool godot_nodes_can_be(const char *path);

/*
 * Where a path that begins with %Name goes on from: *path is the rest of it, seen from the node whose path is returned,
 * which is made below `root` where no node is called so. NULL on failure.
 */
const char *godot_nodes_unique(struct godot_nodes *, const char *root, const char **path, struct anim_arena *,
			       struct anim_error *);

/*
 * The node of this path in the tree, made with all that is above it where it is not there; a bone too. The class is
 * what its tracks want (NULL: nothing in particular). Its number, or GODOT_NO_PARENT: it leaves the scene, or no memory
 * (then error is filled).
 */
uint32_t godot_nodes_need(struct godot_nodes *, const char *path, const char *class, struct anim_error *);

#endif
