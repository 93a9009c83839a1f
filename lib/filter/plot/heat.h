/* heat.h: errors by joint and time; private to this folder. */
#ifndef ANIM_FILTER_PLOT_HEAT_H
#define ANIM_FILTER_PLOT_HEAT_H

#include "filter/compare/compare.h"
#include "filter/plot/internal.h"

#define HEAT_LEVELS 8 /* from a hundredth of what may be off to all of it; one more stands for what is beyond */

/* A joint, or a track that moves none. */
struct heat_row {
	char *label;   /* a joint's own name; of a track node and property; as it is; owned */
	size_t number; /* of tracks: in their order */
	uint32_t parent, first_child, last, next; /* of joints; UINT32_MAX: none */
	unsigned depth;
	enum anim_unit unit;
	float *off; /* of each column the largest error */
	double worst, at_s, limit;
	double shell;            /* of joints: of points so far around them; 0: of tracks */
	double last_s, last_off; /* of joints: the last distance that was told */
	bool begun, hidden;
};

struct heat_clip {
	struct plot_clip clip;
	const struct heat_row *rows; /* all */
	const uint32_t *order;       /* of those that are drawn, from above */
	size_t count, columns;
	size_t joints, tracks, beyond;   /* that are off; of them beyond their limit */
	double scale[ANIM_UNIT_COUNT];   /* the largest error of each unit that is finite */
	uint32_t worst[ANIM_UNIT_COUNT]; /* whose it is; UINT32_MAX: of none */
	bool limited[ANIM_UNIT_COUNT];   /* rows of it have a limit */
	double limit[ANIM_UNIT_COUNT];   /* the first of these */
};

/* What may be off in a row: its limit, without one the largest of its unit. */
double heat_scale(const struct heat_clip *, const struct heat_row *);
/* 0 to HEAT_LEVELS; HEAT_LEVELS + 1: beyond the limit. */
unsigned heat_level(const struct heat_clip *, const struct heat_row *, double off);

size_t heat_terminal_columns(const struct anim_plot_options *);
#define HEAT_SVG_COLUMNS 240

void heat_terminal_clip(struct anim_print *, const struct anim_plot_options *, const struct heat_clip *, bool first);
void heat_svg_clip(struct plot_svg *, const struct anim_plot_options *, const struct heat_clip *, struct anim_error *);
extern const char heat_svg_light[], heat_svg_dark[];

#endif
