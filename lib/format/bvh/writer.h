/* writer.h: the skeleton and the motion that are written, between the sink that gathers and what prints; private to this folder. */
#ifndef ANIM_FORMAT_BVH_WRITER_H
#define ANIM_FORMAT_BVH_WRITER_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/print.h"
#include "clip/track.h"
#include "format/bvh/bvh.h"
#include "format/bvh/internal.h"
#include "stream/store.h"

#define BVH_NO_JOINT UINT32_MAX

/* The samples of a joint's positions or angles, three floats each as the file has them, in the spool. */
struct bvh_column {
	bool there;
	size_t n; /* 1: it stays */
	uint64_t place;
	unsigned axes; /* bit a: it is more than the offset, or a turn, on axis a of the stream */
};

/* A node of the tree, and a joint where it is one. Texts lie in the writer's arena. */
struct bvh_bone {
	struct anim_node node;
	/* What the rest makes of points and turns below it: m * p + position; rotation. `plain`: as they are, the position apart. */
	double m[9], position[3], rotation[4];
	bool plain;

	bool joint;
	unsigned depth;
	uint32_t above;               /* the joint above; BVH_NO_JOINT: a root, or no joint */
	uint32_t first, last, next;   /* the joints below it, in the tree's order */
	float offset[3];              /* as the file has it */
	bool told, order_told;        /* `channels` came with the tree; `order` is not to be changed */
	struct bvh_channels channels; /* as the file has them: axes and order */
	enum anim_euler_order order;  /* of the turns, by the stream's axes */
	struct bvh_column moves, turns;
};

struct bvh_writer {
	struct anim_sink sink;
	struct anim_print print;
	struct anim_write_options options;
	struct anim_arena kept, scratch; /* of the tree and the clip; of the track at hand */
	const char *root_name;           /* of the tree */
	struct anim_buffer bones;        /* struct bvh_bone */
	struct anim_map paths;           /* of the nodes -> their numbers */
	bool has_clip, has_grid;
	struct anim_clip clip;
	double unit; /* metres */
	bool z_up;
	size_t frames;
	double start_s, step_s; /* of the tracks */
	uint32_t rate_num, rate_den;
	struct anim_spool motion;
	char label[256]; /* of the track at hand */
};

static inline struct bvh_bone *bvh_bone_at(const struct bvh_writer *writer, size_t number)
{
	return (struct bvh_bone *)(void *)writer->bones.data + number;
}

static inline size_t bvh_bone_count(const struct bvh_writer *writer)
{
	return writer->bones.size / sizeof(struct bvh_bone);
}

/* ---- skeleton.c: the joints that a tree's nodes are ---- */

/* Adds the node, behind its parent. 0 or -1. */
int bvh_skeleton_add(struct bvh_writer *, const struct anim_node *, struct anim_error *);

/* Makes joints of the nodes, for the clip that begins. 0, or -1 where there are none, or they are too deep. */
int bvh_skeleton_join(struct bvh_writer *, struct anim_error *);

/* A position in the space of the node's parent, and a turn there, as the file has them: in the joints' space without rests. */
void bvh_skeleton_position(const struct bvh_writer *, const struct bvh_bone *, const double position[3], float out[3]);
void bvh_skeleton_turn(const struct bvh_writer *, const struct bvh_bone *, const double turn[4], double out[4]);

/* Three numbers of the stream's axes as the file's. */
void bvh_skeleton_axes(const struct bvh_writer *, float v[3]);

/* Sets the channels, now that all tracks are known. */
void bvh_skeleton_channels(struct bvh_writer *);

/* ---- print.c ---- */

/* The whole file. 0 or -1. */
int bvh_print(struct bvh_writer *, struct anim_error *);

#endif
