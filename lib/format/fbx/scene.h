/* scene.h: an FBX file's objects and how they are connected, as far as animation needs them. Private to this folder. */
#ifndef ANIM_FORMAT_FBX_SCENE_H
#define ANIM_FORMAT_FBX_SCENE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "format/fbx/cursor.h"
#include "format/fbx/curve.h"
#include "format/read.h"
#include "stream/store.h"

#define FBX_NONE UINT32_MAX
#define FBX_STACK_NAMES 1 /* scope of fbx_scene.ids */

enum fbx_object_kind {
	FBX_MODEL,
	FBX_STACK,
	FBX_LAYER,
	FBX_CURVE_NODE,
	FBX_CURVE,
	FBX_GEOMETRY,
	FBX_BLEND_SHAPE,
	FBX_CHANNEL,  /* of a blend shape */
	FBX_ATTRIBUTE /* of a model: what a camera, a light has */
};

struct fbx_object {
	enum fbx_object_kind kind;
	uint32_t number;  /* in the array of its kind, which the last four have not */
	const char *name; /* of a channel */
	uint32_t owner;   /* of the last four: the object it belongs to; FBX_NONE: none */
};

/* A node. Three numbers each: translation, rotation in degrees, scale. */
enum { FBX_T, FBX_R, FBX_S, FBX_TRANSFORMS };
enum { FBX_SPHERIC = 6 }; /* the order of rotation that has no angles */
/* How a scale is inherited: along each axis, by the matrices, not at all. */
enum { FBX_SCALE_BY_AXIS, FBX_SCALE_BY_MATRIX, FBX_OWN_SCALE };
struct fbx_model {
	const char *name;
	const char *path_name; /* no sibling's */
	uint8_t kind;          /* enum anim_node_kind */
	bool has_parent;       /* `parent` is told: a model, or FBX_NONE for the root */
	bool is_placed;        /* it is in the tree */
	uint32_t parent;
	double lcl[FBX_TRANSFORMS][3];
	double pre[3], post[3];
	double rotation_offset[3], rotation_pivot[3], scaling_offset[3], scaling_pivot[3];
	uint32_t order; /* XYZ XZY YZX YXZ ZXY ZYX, the first letter turns first; FBX_SPHERIC */
	uint32_t inherit;
	bool is_active, is_limit_only; /* whether pre, post and order count */
	uint32_t number;               /* in the tree */
	uint32_t first_child, next;    /* the list of its children; FBX_NONE: its end */
};

struct fbx_stack {
	const char *name;
	bool has_properties, has_local, has_reference;
	int64_t local[2], reference[2]; /* ticks */
	bool has_take;
	int64_t take[2];
	uint32_t layers; /* how many */
};

struct fbx_layer {
	uint32_t stack, rank;       /* FBX_NONE; its place in the stack */
	double weight;              /* percent */
	uint32_t mode;              /* 0: add, 1: override, 2: blend */
	uint32_t rotations, scales; /* 0: as rotations and factors; 1: as numbers */
	uint32_t weight_node;       /* curve node; FBX_NONE */
};

struct fbx_curve_node {
	uint32_t layer;
	uint32_t curves[3]; /* FBX_NONE: the constant */
	double constants[3];
	unsigned known; /* bit i: constant i was told */
};

struct fbx_curve {
	uint64_t place; /* of its spans in the spool */
	size_t count;
	struct fbx_end ends[2];
};

/* A curve node drives a property of an object. */
struct fbx_drive {
	uint32_t curve_node, object;
	const char *property;
	/* Found in the end. */
	uint32_t model; /* FBX_NONE: none */
	uint32_t stack, rank;
	uint32_t what; /* FBX_T, FBX_R, FBX_S, or enum fbx_other */
	uint32_t serial;
};
enum fbx_other { FBX_VISIBLE = FBX_TRANSFORMS, FBX_SHAPE, FBX_USER };

struct fbx_scene {
	struct fbx_cursor cursor;
	const struct anim_read_options *options;
	struct anim_error *error;
	struct anim_arena arena;
	struct anim_map ids; /* (0, identity) -> object */
	/* (model, name) -> 0: of user properties that anim-tools wrote for the weights of blend shapes. */
	struct anim_map shapes;
	struct anim_buffer objects, models, stacks, layers, curve_nodes, curves, drives;
	struct anim_buffer children; /* struct fbx_child: of files before 6000 */
	struct anim_spool spool;     /* spans of all curves */
	bool has_objects;
	bool is_latin;        /* a name is not UTF-8 */
	size_t falling, lost; /* curves whose times fall; models that takes name, but that are not there */
	size_t constraints;
	size_t others; /* animated properties of objects that are not kept */

	struct fbx_model model_template;
	struct fbx_stack stack_template;
	struct fbx_layer layer_template;

	uint32_t header_version;
	bool has_tc;
	int64_t tc;
	int64_t ticks; /* a second */
	/* Settings. Axes: 0 x, 1 y, 2 z; right, up, front (towards the viewer). */
	int64_t axis[3], sign[3];
	double unit_m;
	int64_t time_mode;
	double custom_rate;

	/* What is at hand. */
	struct anim_buffer times, values, flags, data, counts, keys, spans;
};

#define FBX_ALL(buffer, type) ((type *)(void *)(buffer).data) /* NULL where there is none */
#define FBX_AT(buffer, type, i) ((type *)(void *)(buffer).data + (i))
#define FBX_COUNT(buffer, type) ((uint32_t)((buffer).size / sizeof(type)))

/* Read the whole file. 0 or -1. Clear the scene in both cases; it begins all-zero but for input, options and error. */
int fbx_scene_read(struct fbx_scene *);
void fbx_scene_clear(struct fbx_scene *);

/* The object of this identity; NULL: none. */
struct fbx_object *fbx_object_find(const struct fbx_scene *, const void *identity, size_t size);

/* Add one of these kinds with a cleared entry in the array of its kind. Its number there; FBX_NONE on failure. */
uint32_t fbx_object_add(struct fbx_scene *, enum fbx_object_kind, const void *identity, size_t size);

/* Return a copy of a name in UTF-8, without what is put before or after it to tell its type. NULL on failure. */
const char *fbx_name(struct fbx_scene *, const char *text, size_t length);

/* Solve the keys at hand (scene->keys) and put their spans into the spool; the curve's number, FBX_NONE on failure. */
uint32_t fbx_curve_add(struct fbx_scene *, const struct fbx_end ends[2]);

/* takes.c: read a list of takes, and a model of a file before 6000. 0 or -1. */
int fbx_takes_read(struct fbx_scene *);
int fbx_old_model_read(struct fbx_scene *);
/* Connect the models of a file before 6000. 0 or -1. */
int fbx_old_models_connect(struct fbx_scene *);

/* reader.c: return whether a property can be a track of its own name: it is no part of a transform, in FBX or in the stream. */
bool fbx_property_is_own(const char *name);

/* The label of a user property that is the weight of the blend shape of that name. */
#define FBX_SHAPE_LABEL "BlendShape"

#endif
