/* asset.h: the document of a glTF file as an index. It has the data that animations need, and their places in the text. */
#ifndef ANIM_FORMAT_GLTF_ASSET_H
#define ANIM_FORMAT_GLTF_ASSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "clip/sink.h"
#include "clip/track.h"
#include "format/imported.h"
#include "stream/store.h"

#define GLTF_NONE UINT32_MAX                /* an index that does not exist */
#define GLTF_LOOK "lookAt"                  /* the name that a human's gaze node has in place of a bone's name */
#define GLTF_EXPRESSION "gltf.expression"   /* the attribute of the node of an expression: its name */
#define GLTF_LOOK_OFFSET "gltf.look_offset" /* the attribute of that node: three numbers separated by commas */
#define GLTF_UNNAMED "gltf.unnamed"         /* the attribute of a clip without a name: the name that it got instead */
#define GLTF_LOOP_NAME "gltf.loop_name"     /* the attribute of a clip that loops by its name: this name */
#define GLTF_GENERATOR "anim-tools"         /* of files that hold only nodes and animations */

/* A range of bytes of the JSON text. 0, 0: it is missing. For an array or object, the range includes the brackets. */
struct gltf_range {
	uint64_t from, to;
};

/* A range of elements in one of the asset's buffers. */
struct gltf_run {
	uint32_t first, count;
};

struct gltf_node {
	const char *name;         /* or NULL */
	struct gltf_run children; /* in asset.indices */
	struct gltf_run weights;  /* in asset.numbers */
	uint32_t mesh, skin, camera, light;
	float position[3], rotation[4], scale[3];
	bool is_matrix;
	bool is_sheared; /* the matrix is not a product of position, rotation and scale */
	bool is_first;   /* the matrix is the first member of the node */
	/* of the matrix member, from the end of the member before it ({0, 0}: no matrix, or several) */
	struct gltf_range matrix_text;
	bool is_visible; /* KHR_node_visibility */
	/* The following members are set by gltf_tree_make. */
	bool is_joint, is_placed;
	uint32_t parent;
	const char *human, *expression; /* its names in VRMC_vrm_animation, or NULL */
	/* the name in its path, unique among its siblings, or NULL if it is not in the tree */
	const char *path_name;
	bool is_outside; /* it is not in the scene of the file (set by gltf_tree_import) */
};

struct gltf_mesh {
	uint32_t targets;        /* number of morph targets of its first primitive */
	uint32_t positions;      /* the accessor of its vertices, or GLTF_NONE */
	struct gltf_run names;   /* their names in asset.texts, as many as the file has */
	struct gltf_run weights; /* in asset.numbers */
	uint32_t node;           /* the first node in the tree with this mesh (set by gltf_tree_make), or GLTF_NONE */
};

struct gltf_skin {
	struct gltf_run joints; /* in asset.joints */
	uint32_t binds;         /* the accessor of its inverse bind matrices, or GLTF_NONE */
};

/* The component types, with the numbers of glTF. */
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
	uint32_t view; /* GLTF_NONE: all elements are zero */
	uint32_t component;
	uint32_t sparse;    /* in asset.sparses, or GLTF_NONE */
	uint8_t components; /* number of components of the type, for matrices without padding (0: unknown type) */
	bool is_matrix, normalized;
};

/* The parameters that EXT_ and KHR_meshopt_compression give for a view. */
enum gltf_filter {
	GLTF_FILTER_NONE,
	GLTF_FILTER_QUATERNION,
	GLTF_FILTER_EXPONENTIAL,
	GLTF_FILTER_OTHER /* only used by meshes */
};
struct gltf_packed {
	uint64_t offset, length, count;
	uint32_t buffer, stride;
	enum gltf_filter filter;
	bool is_attributes, is_khr;
};
struct gltf_view {
	uint64_t offset, length;
	uint64_t place;          /* of the unpacked bytes, or UINT64_MAX if they are not unpacked yet */
	uint32_t buffer, stride; /* stride: 0 for tightly packed */
	uint32_t packed;         /* in asset.packed, or GLTF_NONE */
};

struct gltf_buffer {
	uint64_t length;
	const char *uri; /* percent-decoded, or NULL for a data URI or without a URI */
	bool is_data;
	uint64_t data_place, data_size; /* of the bytes of a data URI, if the caller wants them */
	struct gltf_range length_text;
	struct gltf_range data_text; /* the base64 text of a data URI */
};

struct gltf_sampler {
	uint32_t input, output;
	uint8_t interp;         /* ANIM_HOLD, ANIM_LINEAR or ANIM_HERMITE (CUBICSPLINE) */
	bool is_odd;            /* its interpolation is not in the specification */
	struct gltf_run others; /* in asset.members: members with other names */
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
	const char *pointer;           /* for GLTF_POINTER the pointer, for GLTF_PATH_OTHER the word, otherwise NULL */
	struct gltf_run others;        /* like the sampler's */
	struct gltf_range target_text; /* of the member `target` */
	bool target_has_others;        /* the target has members with other names */
};
struct gltf_animation {
	const char *name, *own; /* as clip and in the file. `name` may be NULL until gltf_name_animations sets it */
	bool is_unnamed, loops;
	struct gltf_run samplers, channels;
	struct gltf_range text, samplers_text, channels_text;
	struct gltf_range extras_text, events_text; /* of `extras`, and of its member `events` if extras is an object */
	bool has_others;                            /* it has members other than name, channels, samplers and extras */
	bool extras_is_object, extras_has_members;
};

/*
 * A bone or an expression of VRMC_vrm_animation, or a bone of a VRM 1.0 or 0.x model. The names are always the names of
 * VRM 1.0.
 */
struct gltf_vrm {
	const char *name;
	uint32_t node; /* GLTF_NONE is possible only for a bone of a model */
	bool is_expression, is_model;
};

/* The index. All-zero is empty. Texts are in the arena. Indices are stored unchecked, so check them before use. */
struct gltf_asset {
	struct anim_arena arena;
	/* The structs of the same name, in the order of the file. */
	struct anim_buffer nodes, meshes, accessors, views, buffers, animations, samplers, channels;
	struct anim_buffer sparses, packed, skins;
	struct anim_buffer indices;      /* uint32_t */
	struct anim_buffer numbers;      /* float */
	struct anim_buffer texts;        /* const char *, may be NULL */
	struct anim_buffer scenes;       /* struct gltf_run of indices */
	struct anim_buffer joints;       /* uint32_t: the joints of skins */
	struct anim_buffer vrms;         /* struct gltf_vrm */
	struct anim_buffer used;         /* const char *: extensionsUsed */
	struct anim_buffer lights;       /* const char *: the types of KHR_lights_punctual, or NULL */
	struct anim_buffer members;      /* struct gltf_range: members, without the commas */
	struct anim_buffer camera_nodes; /* uint32_t, for each camera: like mesh.node */
	uint32_t scene;                  /* or GLTF_NONE */
	/* numbers of elements, with `others` for extensions of the document */
	uint32_t cameras, materials, textures, images, others;
	uint32_t copyrights,
	    extras;            /* numbers of members with these names, `extras` of the document, scenes and nodes */
	const char *version;   /* of glTF, or NULL */
	const char *generator; /* or NULL */
	bool is_vrm;           /* it has VRMC_vrm_animation */
	bool keeps_root;       /* the scene is the root of the tree, also if it has one node at the top */
	/* The gaze of VRMC_vrm_animation. */
	uint32_t look; /* the node whose rotation gives it, or GLTF_NONE */
	float look_offset[3];
	bool has_look_offset;

	/*
	 * For tree.c: the roots, and scratch. A single root becomes the root of the TREE. Several roots get an
	 * additional root above them.
	 */
	struct anim_buffer roots; /* uint32_t */
	uint32_t scene_roots;     /* number of roots that the scene has */
	struct anim_buffer path;
	struct anim_import import; /* if it has places, they are the nodes of the TREE */

	/* For functions that edit the text. */
	struct gltf_range document, animations_text, accessors_text, views_text, buffers_text, used_text;
};

struct gltf_container; /* data.h */
/*
 * Read the document at the position of the container's input. It has json_size bytes in a GLB, and otherwise extends to
 * the end of the input. NULs after it are skipped. Afterwards the input is after the bytes that were read. The bytes of
 * data URIs are appended to the spool, or skipped if it is NULL. Invalid JSON, glTF 1.x and members of a wrong type are
 * errors with their place, which is a byte in a GLB and a line otherwise. Return 0 or -1. The asset must be cleared in
 * both cases.
 */
int gltf_asset_read(struct gltf_asset *, const struct gltf_container *, struct anim_spool *data, struct anim_error *);
void gltf_asset_clear(struct gltf_asset *);

/* ---- tree.c: the nodes of a document as one tree, and their paths in it ---- */

/*
 * Find parents, joints and roots, and give every node below a root the name that its path uses. The roots are those of
 * the scene, or of all nodes if there is no scene, and the topmost nodes above animated ones. Nodes with two parents
 * and cycles are errors. Return 0 or -1.
 */
int gltf_tree_make(struct gltf_asset *, struct anim_error *);

/*
 * Return the path of a node of the tree, borrowed until the next call. Return NULL if out of memory, or if the path is
 * too long for a name.
 */
const char *gltf_tree_path(struct gltf_asset *, uint32_t node, struct anim_error *);

/* Arrange and name the nodes as Godot's importer does, in asset.import, after gltf_tree_make. Return 0 or -1. */
int gltf_tree_import(struct gltf_asset *, struct anim_error *);

/*
 * Write TREE and NODEs. `file` is the base name of the source and may be empty. `name` is the name of an additional
 * root. Return 0 or -1.
 */
int gltf_tree_write(struct gltf_asset *, const char *file, const char *name, struct anim_sink *, struct anim_error *);

/*
 * Return the name that Godot's importer gives to a clip: "walk-loop", "walk_loop" and "walk$cycle" become "walk". *loops
 * is set if it loops by its name: if it had such a word, or begins or ends with "loop" or "cycle". Returns the name
 * itself if nothing changes, or NULL if out of memory.
 */
const char *gltf_loop_name(const char *name, bool *loops, struct anim_arena *, struct anim_error *);

/*
 * Name unnamed animations after the file: "walk", then "walk-2" and so on, and the others as Godot's importer does,
 * unless another one has that name. base_name is borrowed. Return 0 or -1.
 */
int gltf_name_animations(struct gltf_asset *, const char *base_name, struct anim_error *);

/* Element i of one of the asset's buffers, or NULL if it does not exist, for example for GLTF_NONE. */
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

/* Return the compression of a view or the sparse elements of an accessor, or NULL if it has none. */
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
