/* reader.h: the parts of the npz reader: the joints of SMPL, the forms of rotations, rows, blocks in a spool, the reader. */
#ifndef ANIM_FORMAT_NPZ_READER_H
#define ANIM_FORMAT_NPZ_READER_H

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

/* ---- The meaning of the numbers of a joint ---- */

/* SIX: two rows or two columns of a matrix, one after the other. SIX_PAIRS: two columns, their numbers in turn. */
enum npz_form { NPZ_POSITIONS, NPZ_AXIS, NPZ_QUATERNION, NPZ_MATRIX, NPZ_SIX, NPZ_SIX_PAIRS };

/*
 * Compute the rotation that the numbers mean. A quaternion keeps its order, and two vectors count as rows. Return false
 * if the numbers are not a rotation.
 */
bool npz_rotation(enum npz_form, const double *numbers, float q[4]);

/* Return whether the numbers of `count` joints are more likely SIX_PAIRS than SIX. */
bool npz_six_is_pairs(const double *numbers, size_t count);

/* How well numbers fit positions of the body's joints. */
struct npz_body {
	double size; /* bones are so many times as long as the mean ones in metres */
	/* changes of the lengths of bones, as a part of all changes: 0 for positions, 0.5 and more for rotations */
	double changes;
	double off;  /* mean difference of the logarithms of lengths from the mean ones */
	double mean; /* of the lengths of triples besides the root's: as rotations, mean angles in radians */
	bool moves;  /* `changes` is known */
};
void npz_body_measure(const double *tile, size_t width, size_t frames, struct npz_body *);

/* ---- The numbers of an array, frame by frame ---- */

#define NPZ_COMPONENTS_MAX 9
#define NPZ_TILE_NUMBERS ((size_t)1 << 18) /* numbers that are sorted by joint at once: 2 MiB */
#define NPZ_MOTION_X 322                   /* numbers of a frame of Motion-X: an item each */

/* An array of frames x items x components, whose axes can have any order in the file. */
struct npz_rows {
	struct npy_array *array;                 /* borrowed */
	size_t frames, items, components, width; /* width: items x components, the numbers of a frame */
	bool in_order;                           /* the file has the numbers in this order */
	size_t frame_step, item_step, component_at[NPZ_COMPONENTS_MAX]; /* distances in the file, in numbers */
	uint64_t place; /* of the numbers in the spool, if they are not in order */
};

struct npz_reader;

/*
 * Find the axes of an array. `counts`: the possible numbers of items, up to a 0. only_triples: items have three
 * components. Return 1, 0 if the shape does not fit, or -1.
 */
int npz_rows_begin(struct npz_reader *, struct npy_array *, const uint16_t *counts, bool only_triples,
		   struct npz_rows *);
/* Read the numbers of the next frames into reader->tile. Return 0 or -1. */
int npz_rows_tile(struct npz_reader *, const struct npz_rows *, size_t first, size_t frames);

/* The problem of pickled objects, and the way round. */
#define NPZ_PICKLED                                                                                                   \
	"holds pickled Python objects, which are never loaded; if you trust the file, make an npz of its arrays: "    \
	"python3 -c \"import numpy as n; d=n.load('IN',allow_pickle=True); d=d if hasattr(d,'files') else d.item(); " \
	"n.savez('OUT.npz',**{k:n.array(d[k].tolist()) for k in d})\""

/* ---- Rotations and positions, kept in a spool until all arrays were read ---- */

/* Items of four floats per frame: quaternions, or positions and a 0. Items of a tile are one after the other. */
struct npz_block {
	const uint8_t *joints; /* the joint of each item, or NULL for positions */
	enum npz_form form;    /* of rotations */
	size_t items, frames, tile_frames;
	uint64_t place; /* in the spool */
};

#define NPZ_BLOCKS_MAX 16

/* Finds rotations from positions. */
struct npz_solver {
	const uint8_t *joints; /* of the array */
	unsigned count;
	/* by joint: its place in the array, and its child if it is the only one. SMPL_NO_JOINT: none */
	uint8_t place[SMPL_JOINTS], child[SMPL_JOINTS];
};

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
	unsigned poses_rank,
	    root_rank;              /* of the array with all rotations, and of the one with translations (0: none) */
	double first_sum, last_sum; /* of the magnitudes of the first and last numbers of quaternions */
	double angle_sum;           /* of the angles of axes and angles that are not 0, in the file's unit */
	size_t angles;              /* how many they are */
	bool degrees;               /* their unit */
	bool w_first, six_columns;  /* quaternions are w x y z, six numbers are columns */

	/* facts from other arrays */
	double rate, scaling;                              /* rate: 0 if unknown */
	double unit_m;                                     /* of positions and translations */
	bool is_y_up;                                      /* the source of such names has its Y axis up */
	struct anim_buffer gender, betas, objects, others; /* texts */

	/* the skeleton */
	struct npz_solver solver;
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

/* Prepare to find rotations and offsets from positions of these joints (static). */
void npz_solver_begin(struct npz_reader *, const uint8_t *joints, unsigned count);
/* Convert positions, in the unit of the file, to a tile of a block: rotations, then the root's positions. Return 0 or -1. */
int npz_solve(struct npz_reader *, double *tile, size_t width, size_t frames, bool is_first);

/* ---- The arrays that anim-emit npz writes ---- */

/*
 * Read the arrays times, names and values, and push a clip with a track for each group of names. `array` is the
 * first array, whose header was read. Return 0 or -1.
 */
int npz_read_table(struct npz_reader *, struct npy_array *, struct anim_sink *);

/* Move to the next array of the archive and read its header. Return 1, 0 after the last one, or -1. */
int npz_next_array(struct npz_reader *, struct npy_array *);

#endif
