/* dope.h: a dope sheet: when tracks have keys; private to this folder. */
#ifndef ANIM_FILTER_PLOT_DOPE_H
#define ANIM_FILTER_PLOT_DOPE_H

#include "filter/plot/internal.h"

/* Of which files a key is: of the one, or of both; of the source alone; of the result alone. As bits, of a column. */
enum dope_of { DOPE_OF_ALL = 1, DOPE_OF_SOURCE = 2, DOPE_OF_RESULT = 4 };

/* One key of an event: when, and what is called or played. */
struct dope_event {
	double time_s;
	const char *text;
	enum dope_of of; /* of ALL that are not the same: "bark -> meow" */
	bool differs;
};

/* A track, or all tracks of what is folded into one node. */
struct dope_row {
	const char *label;
	uint32_t number;            /* of tracks in it; of two files, of the result's */
	size_t keys[2], samples[2]; /* of the source, if there is one; of the file or the result */
	uint8_t *keyed;             /* of each column: enum dope_of of the keys that lie in it */
	float *times[2];            /* of such, the first key's time */
	uint32_t *held,
	    *sampled; /* of each column: how many of its tracks hold there between equal keys; have samples */
	struct anim_buffer events; /* struct dope_event, their texts in the clip's arena */
};

struct dope_clip {
	struct plot_clip clip;
	const struct dope_row *rows;
	size_t count, columns;
	size_t tracks, hidden, keys[2]; /* tracks of all, and of rows that are not drawn; keys of all */
	bool paired;
	size_t differ; /* of two files: events that are not the same */
};

size_t dope_terminal_columns(const struct anim_plot_options *);
#define DOPE_SVG_COLUMNS 720

void dope_terminal_clip(struct anim_print *, const struct anim_plot_options *, const struct dope_clip *, bool first);
void dope_svg_clip(struct plot_svg *, const struct anim_plot_options *, const struct dope_clip *, struct anim_error *);
extern const char dope_svg_light[], dope_svg_dark[];

#endif
