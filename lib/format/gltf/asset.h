/* asset.h: the document of a glTF file as an index: what animation needs of it, and where in the text things stand. */
#ifndef ANIM_FORMAT_GLTF_ASSET_H
#define ANIM_FORMAT_GLTF_ASSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "clip/sink.h"
#include "clip/track.h"
#include "stream/store.h"

#define GLTF_NONE UINT32_MAX /* an index that is not there */
#define GLTF_LOOK "lookAt"   /* what the node whose rotation is a human's gaze is called in place of a bone */
#define GLTF_LOOK_OFFSET "gltf.look_offset" /* the attribute of that node: three numbers, parted by commas */
#define GLTF_UNNAMED "gltf.unnamed"         /* the attribute of a clip without a name: what it is called instead */
#define GLTF_GENERATOR "anim-tools"         /* of files that hold nothing but nodes and animation */

/* Bytes of the JSON text, from its first one on; 0, 0: not there. An array's or object's are with its brackets. */
struct gltf_range {
	uint64_t from, to;
};

/* A run of one of the asset's buffers of numbers or texts. */
struct gltf_run {
	uint32_t first, count;
};

struct gltf_node {
	const char *name;         /* NULL: none */
	struct gltf_run children; /* in asset.indices */
	struct gltf_run weights;  /* in asset.numbers */
	uint32_t mesh, skin, camera;
	float position[3], rotation[4], scale[3];
	bool is_matrix, is_light;
	bool is_sheared;               /* its matrix is no product of the three */
	bool is_first;                 /* the matrix is the node's first member */
	struct gltf_range matrix_text; /* of that member, from the end of the one before it; {0, 0}: none, or several */
	bool is_visible;               /* KHR_node_visibility */
	/* What gltf_tree_make finds. */
	bool is_joint, is_placed;
	uint32_t parent;
	const char *human, *expression; /* what VRMC_vrm_animation calls it; NULL: nothing */
	const char *path_name;          /* the name in its path, unlike those of its siblings; NULL: it is in no tree */
};

struct gltf_mesh {
	uint32_t targets;        /* morph targets of its first primitive */
	struct gltf_run names;   /* of them, in asset.texts; as many as the file has */
	struct gltf_run weights; /* in asset.numbers */
	uint32_t node;           /* the first of the tree that has it, as gltf_tree_make finds it; GLTF_NONE */
};

struct gltf_skin {
	struct gltf_run joints; /* in asset.joints */
	uint32_t binds;         /* the accessor of its inverse bind matrices; GLTF_NONE */
};

/* glTF's own numbers. */
enum gltf_component {
	GLTF_I8 = 5120,
	GLTF_U8 = 5121,
	GLTF_I16 = 5122,
	GLTF_U16 = 5123,
	GLTF_U32 = 5125,
	GLTF_F32 = 5126
};

struct gltf_sparse_part {
	uint32_t view, component;
	uint64_t offset;
};
struct gltf_sparse {
	uint64_t count;
	struct gltf_sparse_part indices, values;
};
struct gltf_accessor {
	uint64_t offset, count;
	uint32_t view; /* GLTF_NONE: zeros */
	uint32_t component;
	uint32_t sparse; /* in asset.sparses; GLTF_NONE */
	uint8_t lanes;   /* of the type, matrices without their padding; 0: a type that is not known */
	bool is_matrix, normalized;
};

/* What EXT_ and KHR_meshopt_compression say of a view. */
enum gltf_filter {
	GLTF_FILTER_NONE,
	GLTF_FILTER_QUATERNION,
	GLTF_FILTER_EXPONENTIAL,
	GLTF_FILTER_OTHER /* of meshes alone */
};
struct gltf_packed {
	uint64_t offset, length, count;
	uint32_t buffer, stride;
	enum gltf_filter filter;
	bool is_attributes, is_khr;
};
struct gltf_view {
	uint64_t offset, length;
	uint64_t place;          /* where it is unpacked; UINT64_MAX: not yet */
	uint32_t buffer, stride; /* stride 0: tightly packed */
	uint32_t packed;         /* in asset.packed; GLTF_NONE */
};

struct gltf_buffer {
	uint64_t length;
	const char *uri; /* percent-decoded; NULL: none, or data */
	bool is_data;
	uint64_t data_place, data_size; /* of a data URI's bytes, where they were asked for */
	struct gltf_range length_text;
	struct gltf_range data_text; /* the base64 of a data URI */
};

struct gltf_sampler {
	uint32_t input, output;
	uint8_t interp; /* ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE (CUBICSPLINE); ANIM_INTERP_COUNT: another word */
	struct gltf_run others; /* in asset.members: those with other names */
};
enum gltf_path {
	GLTF_TRANSLATION,
	GLTF_ROTATION,
	GLTF_SCALE,
	GLTF_WEIGHTS,
	GLTF_POINTER, /* KHR_animation_pointer */
	GLTF_PATH_OTHER
};
struct gltf_channel {
	uint32_t sampler, node;
	enum gltf_path path;
	const char *pointer;           /* of GLTF_POINTER; of GLTF_PATH_OTHER the word; else NULL */
	struct gltf_run others;        /* as a sampler's */
	struct gltf_range target_text; /* of the target */
	bool target_has_others;        /* it has members with other names */
};
struct gltf_animation {
	const char *name; /* NULL: none, until gltf_name_animations gives one */
	bool is_unnamed;
	struct gltf_run samplers, channels;
	struct gltf_range text, samplers_text, channels_text;
	struct gltf_range extras_text, events_text; /* of extras, of its member `events` if extras is an object */
	bool has_others;                            /* members that are neither name, channels, samplers nor extras */
	bool extras_is_object, extras_has_members;
};

/* A bone or an expression of VRMC_vrm_animation; or a bone of a model, VRM 1.0 or 0.x. Names are those of 1.0. */
struct gltf_vrm {
	const char *name;
	uint32_t node; /* GLTF_NONE: of a model, not there */
	bool is_expression, is_model;
};

/* All-zero is none. Texts lie in the arena. Indices in it are as the file has them: look before they are followed. */
struct gltf_asset {
	struct anim_arena arena;
	/* Of the structs that are called so, in the file's order. */
	struct anim_buffer nodes, meshes, accessors, views, buffers, animations, samplers, channels;
	struct anim_buffer sparses, packed, skins;
	struct anim_buffer indices;                            /* uint32_t */
	struct anim_buffer numbers;                            /* float */
	struct anim_buffer texts;                              /* const char *; NULL: none */
	struct anim_buffer scenes;                             /* struct gltf_run of indices */
	struct anim_buffer joints;                             /* uint32_t: nodes that skins list */
	struct anim_buffer vrms;                               /* struct gltf_vrm */
	struct anim_buffer used;                               /* const char *: extensionsUsed */
	struct anim_buffer members;                            /* struct gltf_range: members, without their commas */
	struct anim_buffer camera_nodes;                       /* uint32_t, of each camera: as mesh.node */
	uint32_t scene;                                        /* GLTF_NONE: not told */
	uint32_t cameras, materials, textures, images, others; /* how many; others: extensions of the document */
	const char *version;                                   /* of glTF; NULL: not told */
	const char *generator;                                 /* NULL: not told */
	bool is_vrm;                                           /* it has VRMC_vrm_animation */
	/* Of that, where the eyes look. */
	uint32_t look; /* the node whose rotation tells; GLTF_NONE */
	float look_offset[3];
	bool has_look_offset;

	/* tree.c: one root is the tree's, several are below one of our own; and scratch. */
	struct anim_buffer roots; /* uint32_t */
	struct anim_buffer path;

	/* For those who edit the text. */
	struct gltf_range document, animations_text, accessors_text, views_text, buffers_text, used_text;
};

struct gltf_container; /* data.h */
/*
 * Read the document that the container's input is at, of a GLB json_size bytes, else to the input's end. NULs behind it are
 * passed over; the input is then behind what was read. The bytes of data URIs go to the spool; if that is NULL they are passed
 * over. What is not JSON, glTF 1.x, and members of other types than they should have are refused with their place: of a GLB
 * the byte, else the line. Return 0 or -1; to be cleared in either case.
 */
int gltf_asset_read(struct gltf_asset *, const struct gltf_container *, struct anim_spool *data, struct anim_error *);
void gltf_asset_clear(struct gltf_asset *);

/* ---- tree.c: the nodes of a document as one tree, and their paths in it ---- */

/*
 * Find parents, joints and roots: those of the scene, of all nodes if there is none, and those above what channels move; give
 * every node below them the name that its path has. Refuse nodes with two parents or in a ring. Return 0 or -1.
 */
int gltf_tree_make(struct gltf_asset *, struct anim_error *);

/* Return the path of a node of the tree, borrowed until the next call; NULL out of memory, or if it is too long for a name. */
const char *gltf_tree_path(struct gltf_asset *, uint32_t node, struct anim_error *);

/* Write TREE and NODEs. `file`: the source's base name, may be empty; `name`: of a root of our own. Return 0 or -1. */
int gltf_tree_write(struct gltf_asset *, const char *file, const char *name, struct anim_sink *, struct anim_error *);

/* Name animations without a name by the file: "walk", further ones "walk-2" and so on. base_name is borrowed. Return 0 or -1. */
int gltf_name_animations(struct gltf_asset *, const char *base_name, struct anim_error *);

/* Element i of one of the asset's buffers; NULL where there is none (GLTF_NONE, too). */
#define GLTF_AT(asset, list, type, i) \
	((uint64_t)(i) < (asset)->list.size / sizeof(type) ? (type *)(void *)(asset)->list.data + (i) : (type *)NULL)
#define GLTF_COUNT(asset, list, type) ((uint32_t)((asset)->list.size / sizeof(type)))

static inline struct gltf_node *gltf_node_at(const struct gltf_asset *asset, uint64_t i)
{
	return GLTF_AT(asset, nodes, struct gltf_node, i);
}

static inline struct gltf_mesh *gltf_mesh_at(const struct gltf_asset *asset, uint64_t i)
{
	return GLTF_AT(asset, meshes, struct gltf_mesh, i);
}

static inline struct gltf_accessor *gltf_accessor_at(const struct gltf_asset *asset, uint64_t i)
{
	return GLTF_AT(asset, accessors, struct gltf_accessor, i);
}

static inline struct gltf_view *gltf_view_at(const struct gltf_asset *asset, uint64_t i)
{
	return GLTF_AT(asset, views, struct gltf_view, i);
}

static inline struct gltf_buffer *gltf_buffer_at(const struct gltf_asset *asset, uint64_t i)
{
	return GLTF_AT(asset, buffers, struct gltf_buffer, i);
}

static inline struct gltf_animation *gltf_animation_at(const struct gltf_asset *asset, uint64_t i)
{
	return GLTF_AT(asset, animations, struct gltf_animation, i);
}

static inline uint32_t gltf_node_count(const struct gltf_asset *asset)
{
	return GLTF_COUNT(asset, nodes, struct gltf_node);
}

static inline uint32_t gltf_animation_count(const struct gltf_asset *asset)
{
	return GLTF_COUNT(asset, animations, struct gltf_animation);
}

/* The compressed bytes of a view, and the sparse elements of an accessor; NULL: it has none. */
static inline const struct gltf_packed *gltf_packed_of(const struct gltf_asset *asset, const struct gltf_view *view)
{
	return GLTF_AT(asset, packed, struct gltf_packed, view->packed);
}

static inline const struct gltf_sparse *gltf_sparse_of(const struct gltf_asset *asset,
						       const struct gltf_accessor *accessor)
{
	return GLTF_AT(asset, sparses, struct gltf_sparse, accessor->sparse);
}

#endif
