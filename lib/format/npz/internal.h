/* internal.h: shared by the parts of the npz reader: the joints of SMPL, and rotations that wait in a spool. */
#ifndef ANIM_FORMAT_NPZ_INTERNAL_H
#define ANIM_FORMAT_NPZ_INTERNAL_H

#include "clip/sink.h"
#include "format/npz/array.h"
#include "format/read.h"
#include "stream/store.h"

/* ---- The joints of SMPL, SMPL-H and SMPL-X ---- */

/* The first 22 joints are the same in all models. The others have these numbers. */
#define SMPL_BODY 22u
#define SMPL_JAW 22u
#define SMPL_EYES 23u
#define SMPL_HANDS 25u /* 15 joints of the left hand, then of the right one */
#define SMPL_PALMS 55u /* left_hand and right_hand, which only SMPL has */
#define SMPL_JOINTS 57u
#define SMPL_NO_JOINT 255u

struct smpl_joint {
	const char *name;
	uint8_t parent;   /* SMPL_NO_JOINT: the root */
	int8_t offset[3]; /* from the parent in the T-pose, in centimetres: x left, y up, z forward */
};

/* Parents have smaller numbers than their children. */
extern const struct smpl_joint smpl_joints[SMPL_JOINTS];

/* Place of the root in the T-pose, from the origin of the model, and its height above the floor, in metres. */
extern const double smpl_root[3];
#define SMPL_ROOT_HEIGHT 0.95

/* ---- Rotations and positions, which wait in a spool until all arrays were read ---- */

/* Items of four floats per frame: quaternions, or positions and a 0. Items of a tile are one after the other. */
struct npz_block {
	const uint8_t *joints; /* the joint of each item, or NULL for positions */
	size_t items, frames, tile_frames;
	uint64_t place; /* in the spool */
};

#define NPZ_BLOCKS_MAX 12

struct npz_reader {
	const struct anim_read_options *options;
	struct anim_error *error;
	struct anim_input *input;
	struct zip_reader zip;

	struct anim_spool spool;
	struct anim_buffer tile;   /* double: numbers of an array */
	struct anim_buffer run;    /* float: the tile of a block */
	struct anim_buffer values; /* float: all values of an item */
	struct npz_block blocks[NPZ_BLOCKS_MAX];
	size_t block_count;
	/* the block and item of each joint, and of the root's positions */
	struct {
		uint8_t block, item; /* block SMPL_NO_JOINT: the file does not have it */
	} of[SMPL_JOINTS], root;
	double upright[3]; /* sum of the directions in which the root's Y axis points */

	/* facts from other arrays */
	double rate, scaling;   /* rate: 0 if unknown */
	const char *shape_name; /* of the array with the rotations, for messages */
	bool has_poses;         /* an array has all rotations, and arrays of single parts repeat them */
	bool is_y_up;           /* the source of such names has its Y axis up */
	struct anim_buffer gender, betas, objects, others; /* texts */

	/* the skeleton */
	double offsets[SMPL_JOINTS][3];
	bool has_offsets; /* the file has positions of joints, which give the offsets */
	double residual;  /* largest distance from positions in the file to joints with the rotations, in metres */

	struct anim_clip clip;
	double step_s; /* if the clip has no rate */
	size_t frames;
	struct anim_arena texts;
	struct anim_buffer path;
};

/* Begin a block of so many items. Return it, or NULL after a refusal. */
struct npz_block *npz_block_begin(struct npz_reader *, struct npy_array *, size_t items, size_t frames);
/* Append `items` items of a tile: reader->run, in which each item has `frames` values. Return 0 or -1. */
int npz_block_append(struct npz_reader *, size_t items, size_t frames);
/* Read all values of an item into reader->values. Return 0 or -1. */
int npz_block_gather(struct npz_reader *, const struct npz_block *, size_t item);

/* Read n x 22 x 3 or n x 24 x 3 positions of joints, and compute rotations and offsets. Return 0 or -1. */
int npz_read_positions(struct npz_reader *, struct npy_array *);

/* ---- The arrays that anim-emit npz writes ---- */

/*
 * Read the arrays times, names and values, and push a clip with a track for each group of names. `array` is the
 * first array, whose header was read. Return 0 or -1.
 */
int npz_read_table(struct npz_reader *, struct npy_array *, struct anim_sink *);

/* Move to the next array of the archive and read its header. Return 1, 0 after the last one, or -1. */
int npz_next_array(struct npz_reader *, struct npy_array *);

#endif
