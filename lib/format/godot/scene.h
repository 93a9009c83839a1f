/* scene.h: the nodes of a Godot scene: names, classes, transforms, bones. Internal to format/godot. */
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

/* A rest pose or pose of a bone is one row: position, rotation (x y z w), scale. */
#define GODOT_POSE_COMPONENTS 10

/* The transform of a node, as far as properties set it. Euler angles are kept, because the order may follow them. */
#define GODOT_EULER 16u /* the rotation is in `euler`, not in `rotation`; used together with enum ANIM_HAS_* */
#define GODOT_SKEW 32u
struct godot_placement {
	uint8_t has;            /* ANIM_HAS_POSITION ..., GODOT_EULER (then also ANIM_HAS_ROTATION), GODOT_SKEW */
	uint8_t rotation_order; /* enum anim_euler_order, which has the numbers of Godot */
	float position[3], rotation[4], euler[3], scale[3]; /* 2-D: x y; the angle is in euler[2] */
	float skew;
};

#define GODOT_BONE_REST 1u
#define GODOT_BONE_DISABLED 2u
#define GODOT_BONE_POSITION 4u /* this and the next two: the pose has this component */
#define GODOT_BONE_ROTATION 8u
#define GODOT_BONE_SCALE 16u
#define GODOT_BONE_RELATIVE 32u /* the pose is relative to the rest pose (Godot 2 and 3) */
struct godot_bone {
	const char *name; /* NULL if the file gives none */
	uint32_t index;   /* the N of bones/N */
	uint32_t parent;  /* index of the parent; GODOT_NO_BONE if the parent is the skeleton */
	uint32_t number;  /* number of its NODE, after it has been written */
	unsigned flags;
	float rest[GODOT_POSE_COMPONENTS], pose[GODOT_POSE_COMPONENTS];
};
#define GODOT_NO_BONE 0xFFFFFFFFu

struct godot_player;

/* Properties that few nodes have. */
struct godot_node_extra {
	const char *instance;        /* path of the instanced scene as written, or NULL */
	const char *unread;          /* why the instanced scene is not read, or NULL */
	struct godot_player *player; /* of an AnimationPlayer, or a node with properties of one, or NULL */
	struct anim_buffer bones;    /* array of struct godot_bone, in the order of the file */
	const char *bone_name;       /* of a BoneAttachment */
	uint32_t bone_index;
	float rest[6]; /* of a Bone2D: x.x x.y y.x y.y origin.x origin.y */
	bool has_rest;
	float motion_scale; /* of a Skeleton3D; 0 means not set, which is the same as 1 */
};

#define GODOT_NODE_UNREAD 1u /* an instance whose nodes are not known, or a node that was created below one */
#define GODOT_NODE_UNIQUE 2u /* unique_name_in_owner */
struct godot_node {
	const char *name, *type; /* type is empty if it is not known */
	/* number of the parent in tree->nodes; number of its NODE, after it has been written */
	uint32_t parent, number;
	unsigned flags;
	struct godot_placement *placement; /* NULL if nothing is set */
	struct godot_node_extra *extra;    /* may be NULL */
};
#define GODOT_NO_NODE 0xFFFFFFFFu

/* A tree of nodes. A parent always precedes its children. The first node is the root. All-zero is empty. */
struct godot_tree {
	struct anim_buffer nodes; /* array of struct godot_node */
	struct anim_map names;    /* (parent, name) -> node; unique names; (node, bone index) -> bone */
	size_t bones;             /* number of bones of all nodes */
	/* the file may lack any of its nodes, so missing parents are created without a message */
	bool fragment;
};

/* Return a node. The pointer becomes invalid when nodes are added. */
struct godot_node *godot_tree_node(const struct godot_tree *, uint32_t node);
uint32_t godot_tree_count(const struct godot_tree *);

/*
 * Find the node of a NodePath, seen from a node. The path may contain names, `.`, `..` and %Name. Subnames are ignored.
 * Returns false if the node does not exist.
 */
bool godot_tree_find(const struct godot_tree *, uint32_t from, const char *path, uint32_t *node);

/*
 * Return the factor by which the engine multiplies positions of the bone with this path, seen from node `from`: the
 * motion_scale of its skeleton, or 1 if the tree has no such skeleton.
 */
float godot_tree_motion_scale(const struct godot_tree *, uint32_t from, const char *path);

/*
 * Return the path from the root for the path `relative`, seen from the node. The nodes need not exist. A path that
 * leaves the scene begins with `..`. An absolute path is unchanged. The result is in the arena, or NULL if out of
 * memory.
 */
const char *godot_tree_resolve(const struct godot_tree *, uint32_t from, const char *relative, struct anim_arena *,
			       struct anim_error *);

void godot_tree_clear(struct godot_tree *);

/*
 * Return the type of a node from its class. A node without a class, or of an unknown class, is an ANIM_NODE in 3-D. A
 * 2-D transform makes its node 2-D.
 */
enum anim_node_kind godot_class_kind(const char *type);

/* Return true for a class of 2-D nodes. */
bool godot_class_is_2d(const char *type);

/*
 * Write TREE and NODEs. Bones follow their skeleton, parents first. `left` describes the parts of the file that are in
 * neither nodes nor clips, or is empty. Returns 0 or -1.
 */
int godot_scene_write(struct godot_tree *, const char *source_file, const char *shown, const char *left,
		      struct anim_diagnostics *, struct anim_sink *, struct anim_error *);

#endif
