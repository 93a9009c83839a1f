/* figure.h: stick figures; private to this folder. */
#ifndef ANIM_FILTER_PLOT_FIGURE_H
#define ANIM_FILTER_PLOT_FIGURE_H

#include "filter/plot/internal.h"

#define FIGURE_STEPS 8 /* of the root's path from pose to pose */

enum figure_side { FIGURE_MIDDLE, FIGURE_RIGHT, FIGURE_LEFT, FIGURE_SIDES };

/* A joint that is drawn. */
struct figure_joint {
	uint32_t node;
	uint32_t parent; /* of the joints; UINT32_MAX: none is drawn above it */
	uint8_t side;    /* enum figure_side */
	bool head, of_body;
};

/* A point on the page: to the right and up, in the tree's unit. */
struct figure_point {
	double x, y;
};

/* One skeleton as it is looked at; side by side, each pose as if the first skeleton's root stood at nothing. */
struct figure_body {
	const struct figure_joint *joints;
	size_t count;
	const struct figure_point *points; /* of pose, joint */
	const struct figure_point
	    *path; /* of the root on the ground: FIGURE_STEPS a pose; the first of pose i is at i * FIGURE_STEPS */
};

struct figure_clip {
	struct plot_clip clip;
	size_t poses, path_count;
	bool onion; /* poses lie over each other, where they are; else side by side */
	bool alone; /* no body has more than one joint */
	bool flat;  /* of the plane, which is looked at from the front */
	enum anim_plot_side side;
	const char *length_unit; /* "m", "px" */
	/* the file's own; else the source's and the result's, which stands over it */
	struct figure_body bodies[2];
	unsigned count;
	const struct figure_point *feet; /* of pose: the first's root's place on the ground, which is its own */
	struct figure_point least, most; /* of all points, paths included where poses lie over each other */
	double height;                   /* of the first: from the ground to its highest joint */
	double travel;                   /* of its root on the ground, from the first pose to the last */
	double step_s;                   /* from pose to pose */
	/* of two: how many joints are off, and beyond their limit; the worst, by its own name (NULL: none is off) */
	struct anim_compare_apart apart;
	const char *worst;
};

void figure_terminal_clip(struct anim_print *, const struct anim_plot_options *, const struct figure_clip *,
			  bool first);
void figure_svg_clip(struct plot_svg *, const struct figure_clip *, struct anim_error *);
extern const char figure_svg_light[], figure_svg_dark[];

#endif
