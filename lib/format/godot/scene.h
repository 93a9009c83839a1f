/* scene.h: the nodes of a Godot scene: names, classes, placements, bones. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_SCENE_H
#define ANIM_FORMAT_GODOT_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "format/godot/value.h"

/* Position, rotation (x y z w), scale in one row: rests and poses of bones. */
#define GODOT_POSE_COMPONENTS 10

/* What was said of a node's transform. Euler angles wait for the order, which may come behind them. */
#define GODOT_EULER 16u /* rotation is in `euler`, not in `rotation`; beside enum ANIM_HAS_* */
#define GODOT_SKEW 32u
struct godot_placement {
	uint8_t has;            /* ANIM_HAS_POSITION ..., GODOT_EULER (then ANIM_HAS_ROTATION too), GODOT_SKEW */
	uint8_t rotation_order; /* enum anim_euler_order, which counts as Godot does */
	float position[3], rotation[4], euler[3], scale[3]; /* 2-D: x y; the angle in euler[2] */
	float skew;
};

#define GODOT_BONE_REST 1u
#define GODOT_BONE_DISABLED 2u
#define GODOT_BONE_POSITION 4u /* these three: of the pose */
#define GODOT_BONE_ROTATION 8u
#define GODOT_BONE_SCALE 16u
#define GODOT_BONE_RELATIVE 32u /* the pose is relative to the rest (Godot 2 and 3) */
struct godot_bone {
	const char *name; /* NULL: the file gives none */
	uint32_t index;   /* N of bones/N */
	uint32_t parent;  /* index of the parent, GODOT_NO_BONE: the skeleton */
	uint32_t number;  /* among the NODEs, once written */
	unsigned flags;
	float rest[GODOT_POSE_COMPONENTS], pose[GODOT_POSE_COMPONENTS];
};
#define GODOT_NO_BONE 0xFFFFFFFFu

struct godot_player;

/* What few nodes have. */
struct godot_node_extra {
	const char *instance; /* path of the scene as written, NULL */
	struct godot_player *player;
	struct anim_buffer bones; /* struct godot_bone, in the order of the file */
	const char *bone_name;    /* of a BoneAttachment */
	uint32_t bone_index;
	float rest[6]; /* of a Bone2D: x.x x.y y.x y.y origin.x origin.y */
	bool has_rest;
	float motion_scale; /* of a Skeleton3D; 0: nothing said, which is 1 */
};

#define GODOT_NODE_UNREAD 1u /* an instance whose nodes are not known, or a node made up below one */
#define GODOT_NODE_UNIQUE 2u /* unique_name_in_owner */
struct godot_node {
	const char *name, *type; /* type empty where it is not known */
	uint32_t parent, number; /* of tree->nodes; among the NODEs, once written */
	unsigned flags;
	struct godot_placement *placement; /* NULL: nothing said */
	struct godot_node_extra *extra;    /* NULL: none */
};
#define GODOT_NO_NODE 0xFFFFFFFFu

/* A parent always stands before its children; the first node is the root. All-zero is empty. */
struct godot_tree {
	struct anim_buffer nodes; /* struct godot_node */
	struct anim_map names;    /* (parent, name) -> node; unique names; (node, bone index) -> bone */
	size_t bones;             /* of all nodes */
	bool fragment;            /* the file may lack any of its nodes: missing parents are made up in silence */
};

struct godot_node *godot_tree_node(const struct godot_tree *, uint32_t node); /* moves when nodes are added */
uint32_t godot_tree_count(const struct godot_tree *);

/* Follows a NodePath (its subnames are passed over) from a node: names, . .. and %Name. False where it leads nowhere. */
bool godot_tree_find(const struct godot_tree *, uint32_t from, const char *path, uint32_t *node);

/*
 * Return what the engine multiplies positions of the bone by that the path names, seen from node `from`: the motion_scale of
 * its skeleton; 1 if the tree has no such skeleton.
 */
float godot_tree_motion_scale(const struct godot_tree *, uint32_t from, const char *path);

/* Appends the path from the root to the node, `.` for the root itself. 0 or -1. */
int godot_tree_path(const struct godot_tree *, uint32_t node, struct anim_buffer *, struct anim_error *);

/* Find the node that %name means. */
bool godot_tree_find_unique(const struct godot_tree *, const char *name, size_t length, uint32_t *node);

void godot_tree_clear(struct godot_tree *);

/*
 * TREE and NODEs. Bones stand behind their skeleton, parents first. `left` says what of the file is in
 * neither nodes nor clips, empty: nothing is left behind. 0 or -1.
 */
int godot_scene_write(struct godot_tree *, const char *source_file, const char *shown, const char *left,
		      struct anim_diagnostics *, struct anim_sink *, struct anim_error *);

#endif
