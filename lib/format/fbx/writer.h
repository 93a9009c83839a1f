/* writer.h: what the two parts of the FBX writer share: what a stream became, and how it is laid out. Private to this folder. */
#ifndef ANIM_FORMAT_FBX_WRITER_H
#define ANIM_FORMAT_FBX_WRITER_H

#include "base/map.h"
#include "clip/rest.h"
#include "format/fbx/fbx.h"
#include "format/write.h"
#include "math/quaternion.h"
#include "stream/store.h"

#define FBX_TICKS INT64_C(46186158000) /* of a second */
#define FBX_NOTHING UINT32_MAX

/* What a curve node drives: a part of the transform, the visibility, or from FBX_OUT_USER on user property number - FBX_OUT_USER. */
enum { FBX_OUT_T, FBX_OUT_R, FBX_OUT_S, FBX_OUT_VISIBLE, FBX_OUT_USER };

struct fbx_out_node {
	const char *name;
	uint32_t parent; /* number; FBX_NOTHING: the root */
	bool is_bone;
	uint8_t kind;              /* ANIM_NODE_CAMERA, ANIM_NODE_LIGHT, or ANIM_NODE for all others */
	uint8_t light;             /* enum fbx_light */
	bool is_human;             /* a bone of a human, or a plain node below one */
	bool is_made;              /* no tree has it, only tracks do */
	bool has_shapes;           /* a mesh of one point, which has its blend shapes */
	bool is_driven;            /* a track moves it */
	bool is_rotated;           /* a track rotates it */
	uint32_t skeleton, nested; /* is_made: the topmost rotated node at or above it, and how many of these rotate */
	bool is_posed;             /* a bone, or above one */
	bool has_order;            /* a track gave `order` */
	enum anim_euler_order order;   /* of its rotation */
	uint32_t first_property, last; /* user properties; FBX_NOTHING: none */
	double position[3], rotation[4], scale[3];
	bool is_sized;
	double size; /* of a bone: the distance to its first child, or else from its parent, in metres */
};

/* A property that FBX does not know, of one or three numbers. */
struct fbx_out_property {
	const char *name;
	uint32_t next; /* of the same node; FBX_NOTHING: it is the last */
	bool is_vector;
	bool is_channel; /* a blend shape of the node's own mesh, and not a user property */
	bool is_shape;   /* a user property that is the weight of a blend shape */
	double value[3]; /* of the first keys that came */
};

struct fbx_out_clip {
	const char *name;
	int64_t start, end; /* ticks */
};

/* The curves of one property of a node in one clip. */
struct fbx_out_curve_node {
	uint32_t clip, node, what;
	uint32_t curves[3]; /* FBX_NOTHING: the rest */
	float values[3];    /* of the first keys */
};

/* A curve: n times (int64_t) and values (float), `runs` flags (int32_t), data (4 uint32_t) and counts (int32_t) in the spool. */
struct fbx_out_curve {
	uint64_t place;
	uint32_t n, runs;
	float first;
	char ends[2]; /* letters of the extrapolations; C: the end is held */
};

#define FBX_OUT_ALL(buffer, type) ((type *)(void *)(buffer).data)
#define FBX_OUT_AT(buffer, type, number) (FBX_OUT_ALL(buffer, type) + (number))
#define FBX_OUT_COUNT(buffer, type) ((uint32_t)((buffer).size / sizeof(type)))

struct fbx_writer {
	struct anim_sink sink;
	struct anim_write_options options;
	struct anim_output *output;
	struct anim_error *error; /* of the call at hand */
	struct anim_arena kept, scratch;

	struct anim_rests rests;    /* find the nodes by their paths; one for each */
	struct anim_buffer nodes;   /* struct fbx_out_node */
	struct anim_buffer numbers; /* uint32_t: of the nodes of the tree at hand */
	const char *root_name;      /* of the tree at hand */
	struct anim_buffer clips;   /* struct fbx_out_clip */
	struct anim_buffer curve_nodes, curves, properties;
	struct anim_map property_numbers; /* (node, name) -> property */
	struct anim_map names;            /* of the clips -> the number that the next clip of this name gets */
	struct anim_spool spool;
	uint32_t rate_num, rate_den; /* of the first clip that has one; 0, 0: none */

	/* The clip at hand. */
	bool in_clip;
	struct anim_arena clip_arena;
	struct anim_clip clip;
	struct anim_map driven; /* (node, property) -> curve node */
	/* The track at hand. */
	struct anim_buffer times, values, flags, data, counts;
};

/* Return whether a node becomes a model: a root that nothing moves and that is nowhere else is the root of the file. */
bool fbx_out_is_model(const struct fbx_writer *, uint32_t node);

/* Return whether a curve node drives the weight of a blend shape that is an object of its own, in percent. */
bool fbx_out_is_channel(const struct fbx_writer *, uint32_t what);

/*
 * Return the rotation of the axes of a property: of the node's parent for FBX_OUT_T, and of the node itself for FBX_OUT_R and
 * FBX_OUT_S. Other properties have none.
 */
const struct fbx_axes *fbx_out_axes(const struct fbx_writer *, uint32_t node, uint32_t what);

/* Get FBX_OUT_T, FBX_OUT_R (degrees in the order of the node) or FBX_OUT_S of a node, in the axes of FBX. */
void fbx_out_vector(const struct fbx_writer *, uint32_t node, uint32_t what, double v[3]);

/* writer_file.c: write the whole file. Return 0 or -1. */
int fbx_out_write(struct fbx_writer *);

#endif
