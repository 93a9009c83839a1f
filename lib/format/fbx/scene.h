/* scene.h: the objects of an FBX file and their connections, for animation. Private to this folder. */
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
#define FBX_STACK_NAMES 1                                    /* scope of stack names in fbx_scene.ids */
#define FBX_SHAPES_OF(object) ((uint64_t)1 << 32 | (object)) /* scope in fbx_scene.shapes */

enum fbx_object_kind {
	FBX_MODEL,
	FBX_STACK,
	FBX_LAYER,
	FBX_CURVE_NODE,
	FBX_CURVE,
	FBX_GEOMETRY,
	FBX_BLEND_SHAPE,
	FBX_CHANNEL,   /* of a blend shape */
	FBX_ATTRIBUTE, /* of a model, for example a camera or a light */
	FBX_SKIN,
	FBX_CLUSTER /* of a skin: the points that a bone moves */
};

/* The types of lights that have no class of their own are point lights. */
enum fbx_light { FBX_POINT_LIGHT, FBX_DIRECTIONAL_LIGHT, FBX_SPOT_LIGHT };

struct fbx_object {
	enum fbx_object_kind kind;
	uint32_t number;  /* its index in the array of its kind (GEOMETRY to SKIN have no array) */
	const char *name; /* CHANNEL only */
	double value;     /* CHANNEL only: its weight in percent without animation */
	uint32_t owner;   /* GEOMETRY to CLUSTER: the object that it belongs to, or FBX_NONE */
	uint8_t light;    /* ATTRIBUTE: enum fbx_light */
	uint8_t content;  /* GEOMETRY, ATTRIBUTE: the kind that it gives its model, enum anim_node_kind */
};

/*
 * The world matrix of a model when its skin was bound, in the axes and units of the file. The translation is at
 * 12..14.
 */
struct fbx_bind {
	const char
	    *identity; /* of the model, or NULL if the matrix is from a cluster, which is connected with its model */
	size_t size;
	bool is_good, has_points; /* CLUSTER only: has_points */
	uint32_t model;           /* CLUSTER only: its bone, or FBX_NONE */
	double matrix[16];
};

/* A node. Its transform is a translation, a rotation in degrees, and a scale, with three numbers each. */
enum { FBX_T, FBX_R, FBX_S, FBX_TRANSFORMS };
enum { FBX_SPHERIC = 6 }; /* the rotation order without angles */
/* How a model inherits the scale of its parent: along its own axes, by matrix, or not at all. */
enum { FBX_SCALE_BY_AXIS, FBX_SCALE_BY_MATRIX, FBX_OWN_SCALE };
struct fbx_model {
	const char *name;
	const char *path_name; /* unique among its siblings */
	uint8_t kind;          /* enum anim_node_kind */
	uint8_t contents;      /* bit i: it has content of the kind i */
	uint8_t light;         /* enum fbx_light */
	bool has_parent;       /* `parent` is set: a model, or FBX_NONE for the root */
	bool is_placed;        /* it is in the tree */
	bool is_sheared;       /* its axes are not at right angles, which no rotation and scale can say */
	uint32_t parent;
	double lcl[FBX_TRANSFORMS][3];
	double pre[3], post[3];
	double rotation_offset[3], rotation_pivot[3], scaling_offset[3], scaling_pivot[3];
	uint32_t order; /* XYZ XZY YZX YXZ ZXY ZYX (the first letter is applied first), or FBX_SPHERIC */
	uint32_t inherit;
	bool is_active, is_limit_only; /* decide whether pre, post and order have an effect */
	uint8_t above;                 /* the kind of its parent, enum anim_node_kind */
	double before[4], after[4];    /* the rotations around its own one, set by fbx_model_set_rotations */
	bool is_rotated;               /* one of them is not the identity */
	uint32_t bind;                 /* its matrix when a skin was bound, or FBX_NONE */
	uint32_t geometry;             /* the object to which its skin is connected, or FBX_NONE */
	double visible;                /* Visibility without animation, 0 if hidden */
	uint32_t number;               /* in the tree */
	uint32_t imported;             /* in the order of Godot's importer, with options->godot_paths */
	uint32_t first_child, next;    /* the list of its children, ended by FBX_NONE */
};

/*
 * An FBX camera looks along +X and a light along -Y, and in streams both look along -Z. `rotation` leads from the axes of
 * FBX to the axes of streams. Component i of a vector in the axes of streams is sign[i] times component from[i].
 */
struct fbx_axes {
	double rotation[4], degrees[3];
	unsigned from[3];
	double sign[3];
};

/* Return the axes of a kind of node, enum anim_node_kind. Nodes other than cameras and lights get the identity. */
const struct fbx_axes *fbx_axes_of(unsigned kind);

struct fbx_stack {
	const char *name;
	bool has_local, has_reference;
	int64_t local[2], reference[2]; /* in ticks */
	bool has_take;
	int64_t take[2];
	uint32_t layers; /* number of layers */
};

struct fbx_layer {
	uint32_t stack, rank;       /* its stack or FBX_NONE, and its position in the stack */
	double weight;              /* in percent */
	uint32_t mode;              /* 0: add, 1: override, 2: blend */
	uint32_t rotations, scales; /* 0: blend as rotations and factors, 1: blend as numbers */
	uint32_t weight_node;       /* a curve node, or FBX_NONE */
	bool is_muted;              /* muted or solo, which has no effect here */
};

struct fbx_curve_node {
	uint32_t layer;
	uint32_t curves[3]; /* FBX_NONE: use the constant */
	double constants[3];
	unsigned known; /* bit i: the file gives constant i */
	bool is_lost;   /* it drives a property that is not read */
};

struct fbx_curve {
	const char *why;     /* why the curve cannot be read, so that its clips are left out; NULL if it can */
	uint64_t place;      /* of its keys in the spool */
	size_t size;         /* bytes in the spool */
	size_t count;        /* number of keys */
	int64_t first, last; /* times of the first and the last key, in ticks */
	bool is_small;       /* the keys in the spool are in the small form */
	bool is_still;       /* the curve always has the value of its first key, `value` */
	double value;
	struct fbx_end ends[2];
};

/* A curve node that drives a property of an object. */
struct fbx_drive {
	uint32_t curve_node, object;
	const char *property;
	/* The rest is set after the whole file is read. */
	uint32_t model; /* FBX_NONE: not kept */
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
	/* (model, name) of user properties with FBX_SHAPE_LABEL, and (FBX_SHAPES_OF(object), name) -> shape inside it */
	struct anim_map shapes;
	struct anim_buffer objects, models, stacks, layers, curve_nodes, curves, drives;
	struct anim_buffer children; /* struct fbx_child, in files before version 6000 */
	struct anim_buffer binds;    /* struct fbx_bind, only if options->bind_rests or godot_paths */
	const char *take_model;      /* the model of the current take, for messages */
	struct anim_spool spool;     /* keys of all curves */
	bool has_objects, has_connections, has_takes;
	bool is_latin;        /* some name is not UTF-8 */
	size_t falling, lost; /* curves with descending times, and animated models that are missing */
	size_t constraints;
	size_t repeated;  /* objects with the number of another one */
	size_t bad_binds; /* bind matrices that are not 16 finite numbers */

	struct fbx_model model_template;
	struct fbx_stack stack_template;
	struct fbx_layer layer_template;

	uint32_t header_version;
	bool has_tc;
	int64_t tc;
	int64_t ticks; /* per second */
	/* Settings. Axes: 0 x, 1 y, 2 z. Their order: right, up, front (towards the viewer). */
	int64_t axis[3], sign[3];
	double unit_m;
	int64_t time_mode;
	double custom_rate;

	/* Buffers for the current curve. */
	struct anim_buffer times, values, flags, data, counts, keys, spans, columns;
};

#define FBX_ALL(buffer, type) ((type *)(void *)(buffer).data) /* NULL if the buffer is empty */
#define FBX_AT(buffer, type, i) ((type *)(void *)(buffer).data + (i))
#define FBX_COUNT(buffer, type) ((uint32_t)((buffer).size / sizeof(type)))

/*
 * Read the whole file. Return 0 or -1. Before the call, set input, options and error, and zero the rest. Call
 * fbx_scene_clear in both cases.
 */
int fbx_scene_read(struct fbx_scene *);
void fbx_scene_clear(struct fbx_scene *);

/* Return the object with this identity, or NULL. */
struct fbx_object *fbx_object_find(const struct fbx_scene *, const void *identity, size_t size);

/*
 * Add an object, with a zeroed entry in the array of its kind if there is one. Return its index in that array, or
 * FBX_NONE on error.
 */
uint32_t fbx_object_add(struct fbx_scene *, enum fbx_object_kind, const void *identity, size_t size);

/* Return a copy of a name in UTF-8, without the object type before or after it. NULL if out of memory. */
const char *fbx_name(struct fbx_scene *, const char *text, size_t length);
/* Like fbx_name, for names that text files write without a type, so that "::" is part of the name. */
const char *fbx_plain_name(struct fbx_scene *, const char *text, size_t length);

/*
 * Check the current keys (scene->keys), sort them, and store them in the spool. Return the number of the new curve,
 * or FBX_NONE on error.
 */
uint32_t fbx_curve_add(struct fbx_scene *, const struct fbx_end ends[2]);

/* Read the current record if it gives how a curve continues before or after its keys. Return 0 or -1. */
int fbx_end_read(struct fbx_scene *, struct fbx_end ends[2]);

/* Append the spans of a curve that has keys. Return 0 or -1. */
int fbx_curve_load(struct fbx_scene *, const struct fbx_curve *, struct anim_buffer *spans);

/*
 * Handle an error in a curve. If options->keep_going is set and the file can be read further, close all lists deeper
 * than `depth`, and add a curve whose `why` is the message. *number: this curve. Return 0, or -1 with the error.
 */
int fbx_curve_leave_out(struct fbx_scene *, unsigned depth, uint32_t *number);

/* takes.c: read the list of takes, and a model of a file before version 6000. Return 0 or -1. */
int fbx_takes_read(struct fbx_scene *);
int fbx_old_model_read(struct fbx_scene *);
/* Connect the models of a file before version 6000. Return 0 or -1. */
int fbx_old_models_connect(struct fbx_scene *);

/*
 * reader.c: return whether a property can become a track with its own name. Parts of a transform cannot, nor can names that
 * have another meaning in the stream.
 */
bool fbx_property_is_own(const char *name);

/* The label of a user property that is the weight of the blend shape with its name. The writer of anim-tools uses it. */
#define FBX_SHAPE_LABEL "BlendShape"

#endif
