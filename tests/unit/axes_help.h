/* axes_help.h: trees and tracks through anim-axes into a capture. */
#ifndef ANIM_TESTS_AXES_HELP_H
#define ANIM_TESTS_AXES_HELP_H

#include "capture.h"
#include "filter/axes/axes.h"

/* A run of the filter; what came out is in `out`. */
struct axes_run {
	struct anim_diagnostics diagnostics;
	struct capture out;
	struct anim_sink *filter;
	struct anim_clip clip; /* what axes_run_clip sends; may be changed before */
	uint32_t nodes;        /* sent so far */
};

/* To axes of three dimensions, or of two (the other one unknown); 16 pixels a unit. */
void axes_run_open(struct axes_run *, enum anim_axes target, enum anim_axes2d target2d);
void axes_run_mirror_z(struct axes_run *, enum anim_axes target); /* the same with the other mirror */

void axes_run_tree(struct axes_run *, enum anim_axes, enum anim_axes2d);
void axes_run_node(struct axes_run *, const struct anim_node *);
void axes_run_clip(struct axes_run *, enum anim_axes, enum anim_axes2d); /* in the tree, if one was sent */
void axes_run_track(struct axes_run *, const struct anim_track *);
void axes_run_end(struct axes_run *);
void axes_run_close(struct axes_run *); /* frees what was captured, too */

/* A node without transform; the first one is the root. */
struct anim_node axes_run_make_node(const char *path, unsigned kind, uint32_t parent);

/* A Linear track of Cam with two keys. */
struct anim_track axes_run_make_track(const char *property, enum anim_type, const void *value);

/* Checks `count` floats, bit by bit. */
void axes_run_floats(const char *what, const void *found, const float *wanted, size_t count);

#endif
