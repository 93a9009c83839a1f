/* panel.h: a track as a panel with its curve, and the panels of a clip. Private to this folder. */
#ifndef ANIM_FILTER_PLOT_PANEL_H
#define ANIM_FILTER_PLOT_PANEL_H

#include "filter/compare/compare.h"
#include "filter/plot/curve.h"
#include "filter/plot/view.h"

/* One track that is drawn. */
struct plot_panel {
	struct anim_arena arena; /* for all members below */
	const char *title;       /* node and property, unchanged */
	const char *form;        /* the drawn form of a rotation, such as " vector", or "" */
	const char *property, *unit;
	const char *names[PLOT_COMPONENTS];
	uint8_t colors[PLOT_COMPONENTS]; /* 0 to 3: x y z w */
	struct plot_columns columns;
	uint8_t *keyed; /* for each column: it contains a key */
	size_t keys;
	bool samples; /* at a fixed rate, and not keys */
	bool broken;  /* some values are not finite */
	bool rotates; /* a rotation */
	double least[PLOT_COMPONENTS], most[PLOT_COMPONENTS];
	/*
	 * For a comparison: the columns of the source, which is drawn wide and pale, the largest error in each
	 * column, and the error in words.
	 */
	bool paired;
	struct plot_columns source;
	float *error;
	double worst, limit, at_s;
	enum anim_unit measure; /* unit of the errors */
	const char *error_unit;
	const char *part, *cause, *rest, *description; /* the error in words: its parts, and the complete text */
	double share;                                  /* the error divided by the range of the source; 0: not known */
	bool named, shared;                            /* the cause is a known one, and may hold for the whole clip */
	size_t dots; /* keys that are drawn one by one: their number, then their times and the components of each */
	double *dot_times, *dot_values;
	double bottom, top; /* of the picture */
	double rounding;    /* the part of the values that may be caused by the rounding of their type */
	bool flat;
	double distance; /* distance travelled, by which it is ranked */
	size_t number;   /* of its track */
	/* in the arena: the track that is measured when the clip ends; otherwise NULL */
	const struct anim_track *waiting;
};

/*
 * Find the kind of error of a pair. The columns and errors of its panel must be set. Sets part, cause ("0.03333 s
 * late (1 frame)") and rest in the arena of the panel, with "" for none. Returns 0 or -1.
 */
int plot_describe(struct plot_panel *, const struct plot_clip *, const struct anim_compare_shown *,
		  struct anim_error *);
/* Return the cause that all panels share, or "". */
const char *plot_shared_cause(struct plot_panel *const *, size_t count);
/*
 * Set the description of the error of a panel from its parts. Leave out the cause if the line of the clip has it.
 * Returns 0 or -1.
 */
int plot_join_description(struct plot_panel *, bool shared, struct anim_error *);

/* Names of tracks that are listed but not drawn. */
struct plot_list {
	struct anim_buffer text; /* "a = 1, b = 2" */
	size_t count, listed;    /* number of these tracks, and of names in the text */
};

/* The panels of a clip in the order in which they are drawn, and the numbers of the other tracks. */
struct plot_sheet {
	const struct plot_clip *clip;
	struct plot_panel **panels;
	size_t count, hidden; /* tracks that move (of a comparison: that differ): drawn, and not drawn */
	size_t off;           /* pairs that differ */
	bool paired;
	double worst[ANIM_UNIT_COUNT],
	    rest[ANIM_UNIT_COUNT]; /* errors: the largest, and the largest that is not drawn */
	bool limited;              /* the pairs have limits */
	size_t beyond;             /* pairs that exceed their limits */
	const char *cause;         /* the cause of all errors that are drawn; "" for none, or several */
	struct plot_list constant, texts, unplayed;
};

/* Return the number of columns of a panel. */
size_t plot_panel_columns(const struct plot_page *);

/* Print "x 0 .. 1, y 2 m, 3 keys; off by 0.5 deg at 1 s, limit 0.1 deg", in a terminal with the colours of the curves. */
void plot_panel_words(struct plot_page *, const struct plot_panel *, bool colored);
/* Print "off by 0.5 deg at 1 s", without the time if the error is 0. */
void plot_panel_off(struct plot_page *, const struct plot_panel *);

void plot_panels_print(struct plot_page *, const struct plot_sheet *); /* in a terminal */
void plot_panels_draw(struct plot_page *, const struct plot_sheet *);  /* in an SVG */

/* Styles of the SVG: the usual colours of the axes, or a palette for colour-blind readers, on a light and a dark page. */
#define PLOT_PANEL_SVG_COLUMNS 400 /* columns per panel: two per pixel */
extern const char plot_svg_axes[], plot_svg_safe[], plot_svg_axes_dark[], plot_svg_safe_dark[];

#endif
