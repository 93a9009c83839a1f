/* imported.h: the nodes of a glTF or FBX file as Godot's importer arranges and names them. */
#ifndef ANIM_FORMAT_IMPORTED_H
#define ANIM_FORMAT_IMPORTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "clip/sink.h"

#define ANIM_IMPORT_NONE UINT32_MAX

/* A node of the file. */
struct anim_import_node {
	const char *name;      /* or NULL */
	uint32_t parent, skin; /* or ANIM_IMPORT_NONE */
	bool is_placed;        /* it is in the tree */
	bool is_joint, has_mesh, has_camera;
	const char *light; /* the type of its NODE if it is a light, otherwise NULL */
	/* The following members are set by anim_import_make. */
	uint32_t last_child, before; /* the list of its children from the last, ended by ANIM_IMPORT_NONE */
	const char *imported_name;
	/* in anim_import.places: of its transform, of its other properties, of its mesh. ANIM_IMPORT_NONE outside the tree */
	uint32_t place, element, shapes;
};

struct anim_import_skin {
	const uint32_t *joints;
	uint32_t count;
};

/* A node of the scene that the importer makes. */
enum anim_import_kind {
	ANIM_IMPORT_ROOT,
	ANIM_IMPORT_NODE,
	ANIM_IMPORT_SKELETON,
	ANIM_IMPORT_BONE,
	ANIM_IMPORT_ATTACHMENT, /* a BoneAttachment3D, for the nodes below a bone */
	ANIM_IMPORT_CONTENT,    /* the mesh, camera or light of a node that is a bone */
	ANIM_IMPORT_SKINNED     /* a mesh with a skin, below its skeleton */
};
struct anim_import_place {
	const char *name;
	uint32_t folder; /* the place whose path precedes the name, for a bone its skeleton, or ANIM_IMPORT_NONE */
	uint32_t above;  /* the place that moves it */
	uint32_t node;   /* or ANIM_IMPORT_NONE */
	enum anim_import_kind kind;
	bool dropped; /* its name says that it is not imported */
};

/* Set the members before `places`, and zero the rest. The arrays are borrowed, and the arena gets the names. */
struct anim_import {
	struct anim_arena *arena;
	bool is_fbx;
	bool has_single_root; /* the first node may be the root of the scene (GODOT_single_root) */
	struct anim_import_node *nodes;
	uint32_t node_count;
	const uint32_t *order; /* the nodes of the tree, parents first */
	uint32_t order_count;
	const struct anim_import_skin *skins;
	uint32_t skin_count;
	struct anim_buffer places; /* struct anim_import_place */
	struct anim_buffer path;
};

/* Arrange and name the nodes. Return 0 or -1. Call anim_import_clear in both cases. */
int anim_import_make(struct anim_import *, struct anim_error *);
void anim_import_clear(struct anim_import *); /* frees places and path */

static inline struct anim_import_place *anim_import_place(const struct anim_import *import, uint32_t number)
{
	return (struct anim_import_place *)(void *)import->places.data + number;
}

/* Return true for a mesh with a skin that has no place of its own in the scene. Its skeleton moves it. */
bool anim_import_is_skinned(const struct anim_import *, uint32_t node);

/* Return the path of a place, borrowed until the next call, or NULL if out of memory or if it is too long for a name. */
const char *anim_import_path(struct anim_import *, uint32_t place, struct anim_error *);

/*
 * Write a NODE for each place. `write` adds the transform and the attributes of a node of the file to `out`, which has
 * its path, kind and parent, and passes it on. Return 0 or -1.
 */
typedef int anim_import_write_node(void *context, uint32_t node, struct anim_node *out, struct anim_error *);
int anim_import_write(struct anim_import *, anim_import_write_node *write, void *context, struct anim_sink *,
		      struct anim_error *);

#endif
