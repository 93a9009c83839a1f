/* internal.h: what the parts of anim-root share. */
#ifndef ANIM_FILTER_ROOT_INTERNAL_H
#define ANIM_FILTER_ROOT_INTERNAL_H

#include "base/buffer.h"
#include "clip/rest.h"
#include "filter/root/root.h"

/* Where a node's space lies in another: v' = m v + o. */
struct root_frame {
	double m[9], o[3]; /* the matrix row by row */
	double q[4];       /* the turn in m */
	bool even;         /* scaled, if at all, alike in all directions, and not mirrored: m is q but for a factor */
};

extern const struct root_frame root_frame_none;

/* The frame of a node at rest, inside of another; `out` may be that one. */
void root_frame_into(struct root_frame *out, const struct root_frame *, const struct anim_rest *);
void root_frame_join(struct root_frame *out, const struct root_frame *outer, const struct root_frame *inner);
void root_frame_point(double out[3], const struct root_frame *, const double v[3]);
void root_matrix_apply(double out[3], const double m[9], const double v[3]);
void root_matrix_multiply(double out[9], const double a[9], const double b[9]);

/* ---- motion.c: from what the two nodes do to what they do afterwards ---- */

enum root_part { ROOT_POSITION, ROOT_ROTATION, ROOT_HIPS_POSITION, ROOT_HIPS_ROTATION, ROOT_PARTS };

/* One part: straight lines, and arcs of rotations, between values at times that rise. All borrowed. */
struct root_line {
	size_t n; /* 0: it stays at `rest` */
	const double *time;
	const double (*value)[4];
	double rest[4];
};

struct root_pose {
	double time, part[ROOT_PARTS][4];
};

/* All-zero is empty, but for what is told first. */
struct root_motion {
	/* Told: */
	const struct anim_root_options *options;
	struct root_frame above, rest,
	    between;     /* of the root's parent in the tree; of the root in it; of the hips' parent in the root */
	double scale[3]; /* of the root */
	struct root_line line[ROOT_PARTS];
	double start_s, end_s;
	bool samples; /* all lines that are there have the same times: these, and no others */
	/* Found: */
	struct anim_buffer poses;          /* struct root_pose: afterwards; rotations agree in sign */
	double way_m, yaw_rad;             /* what the root does from the first to the last */
	double gap_m, gap_rad;             /* `loop`: what the hips were off at the end */
	double bound_m, bound_rad, lost_s; /* between keys; a time at which the yaw is not to be told, NaN: none */
	/* At work: */
	struct root_frame hips; /* of the hips' parent in the tree, all at rest */
	double hips_inverse[9], above_inverse[9];
	double hips_rest[3], turn_rest[4]; /* of the hips in the tree */
	double gap[3], gap_turn[4];
	size_t more; /* keys that were added */
};

/* From what is told, what the clip's times do not change. 0, or -1 where something is scaled to nothing. */
int root_motion_begin(struct root_motion *, struct anim_error *);
/* The poses; after that. 0 or -1. */
int root_motion_make(struct root_motion *, struct anim_error *);

#endif
