/* internal.h: what the parts of anim-plot share; private to this folder. */
#ifndef ANIM_FILTER_PLOT_INTERNAL_H
#define ANIM_FILTER_PLOT_INTERNAL_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/print.h"
#include "clip/source.h"
#include "filter/compare/compare.h"
#include "filter/plot/plot.h"
#include "filter/summary.h"

#define PLOT_LANES ANIM_COMPONENTS_MAX

/* --- What a player shows of a value, lane by lane, and the least and most of it in each column of a picture --- */

struct plot_curve {
	struct anim_source *play;
	bool rotates; /* lanes are those of a rotation */
	enum anim_plot_rotation rotation;
	enum anim_euler_order order;
	unsigned lanes;
	double factor; /* of numbers: to the unit of the lane */
	bool straight; /* lines and steps alone */
	double first[4],
	    last[PLOT_LANES]; /* of rotations: the first key, and the lanes last seen, which they go on from */
};

/* Begin with a source, whose `play` was opened by the caller and outlives the curve. 0 or -1. */
int plot_curve_open(struct plot_curve *, struct anim_source *play, enum anim_plot_rotation, struct anim_error *);

/* Return the lanes at `count` (at most ANIM_SOURCE_SAMPLES) times; NaN if the player sets no value then. 0 or -1. */
int plot_curve_at(struct plot_curve *, const double *t, unsigned count, double (*out)[PLOT_LANES], struct anim_error *);

/* The values of a lane: column c has all from least[c] to most[c] (none if least > most), edge[c] at its left border. */
struct plot_lane {
	double *least, *most, *edge; /* columns, columns, columns + 1 */
};

/* Widen a range by the values of so many columns of a lane. Values that are not finite are drawn at its ends. */
void plot_lane_widen(const struct plot_lane *, size_t columns, double *least, double *most);

struct plot_columns {
	double start_s, end_s;
	size_t count;
	unsigned lanes;
	struct plot_lane lane[PLOT_LANES];
};

/* Make room for so many columns, in the arena. 0 or -1. */
int plot_columns_init(struct plot_columns *, double start_s, double end_s, size_t count, unsigned lanes,
		      struct anim_arena *, struct anim_error *);

/* Return the time of the left border of column c. */
double plot_column_time(const struct plot_columns *, size_t c);
/* Return the column of a time; `count` for a time outside of them. */
size_t plot_column_of(const struct plot_columns *, double t);

/*
 * Fill all columns, by playing the keys and a fixed number of times in each column. The least and the most of all columns are
 * exact to the digits that are printed, and other values to a row of a picture. 0 or -1.
 */
int plot_measure(struct plot_curve *, struct plot_columns *, struct anim_error *);

/* Return the row, of so many from top to bottom, in which a value is drawn; 0 is the upper one. */
static inline unsigned plot_row_of(double top, double bottom, double value, unsigned rows)
{
	double at = (top - value) / (top - bottom) * rows;

	return at < 0 ? 0 : at < rows - 1 ? (unsigned)at : rows - 1;
}

/* What the lanes of a track are measured in, as they are drawn: "deg", "m", "px", "%" or "". */
const char *plot_unit_of(const struct anim_clip *, const struct anim_track *, enum anim_plot_rotation);
/* A number of the track, as it is drawn, by the number that it holds: degrees of radians. */
double plot_factor_of(const struct anim_track *);

/* --- The clip that is drawn --- */

/* The differences of two clips beside the tracks that both have. */
struct plot_apart {
	const char *alone; /* "in the source alone": the other file has no such clip; NULL: it has */
	bool lengths_differ, loops_differ;
	double length_s; /* of the result */
	enum anim_loop loops[2];
	size_t lone[2];       /* tracks of the source alone, of the result alone */
	const char *named[2]; /* "a position, b scale and 3 more": these; NULL: none */
	size_t texts, unlike; /* tracks of texts that differ; that cannot be compared */
};

struct plot_clip {
	struct anim_clip head;
	double start_s, end_s; /* of the part that is drawn */
	struct plot_apart apart;
};

/* --- A page: lines of characters, or an SVG. All-zero but for what plot_page_open sets. --- */

struct plot_page {
	struct anim_plot_options options;
	struct anim_print print; /* of an SVG into its body, whose height is known at the end */
	struct anim_output *out;
	struct anim_buffer body;
	struct anim_arena scratch;
	size_t high;  /* pixels so far */
	size_t text;  /* where the line that was begun last begins, in the body */
	bool heading; /* that line is one */
	size_t clips; /* headings so far */
};

#define PLOT_SVG_GAP 12     /* pixels around what is drawn */
#define PLOT_SVG_WIDE 1020  /* pixels of the whole file */
#define PLOT_SVG_HEADING 26 /* of the line of a clip */

void plot_page_open(struct plot_page *, struct anim_output *, const struct anim_plot_options *);
/* Write an SVG, with the style of the view on a light page and on a dark one. 0 or -1. */
int plot_page_end(struct plot_page *, const char *light, const char *dark);
void plot_page_close(struct plot_page *);

/* Print a text of up to 255 bytes: whole numbers and texts, which no locale changes. */
void plot_put(struct plot_page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Print "before 0.013 deg after", by text_of_number. */
void plot_number(struct plot_page *, const char *before, double value, const char *unit, const char *after);
/* Print "12 joints". */
void plot_count(struct plot_page *, size_t count, const char *one, const char *many);
/* Print a name, safe in a terminal, or as XML. */
void plot_name(struct plot_page *, const char *name);
/* The same in so many characters: names above the own one of a path are cut first; in a terminal it is padded. */
void plot_short(struct plot_page *, const char *name, size_t width);

/* Begin "walk: 2 s, ", which the caller goes on with and ends by plot_line_end; in an SVG it moves down by its height. */
void plot_heading(struct plot_page *, const struct plot_clip *);
/* Begin a line, the same. */
void plot_line(struct plot_page *);
void plot_line_end(struct plot_page *);
/* Print a line "constant: a = 1, b = 2 and 3 more". The names are safe. */
void plot_names(struct plot_page *, const char *what, const char *names, size_t size, size_t more);
/* Print "; the result lasts 2 s; 1 track is in the source alone". */
void plot_apart(struct anim_print *, const struct plot_apart *);
/* Print lines "in the source alone: a position". */
void plot_lone(struct plot_page *, const struct plot_apart *);
/* Print "3.2 mm". */
void plot_off(struct plot_page *, const char *before, enum anim_unit, double off);
/* Print "LeftFoot 3.2 mm at 1.433 s (of points 10 cm around the joint)"; shell 0: of no joint. */
void plot_worst(struct plot_page *, const char *name, enum anim_unit, double off, double at_s, double shell);

/* Colours in a terminal: each group has those of one view, in the order of its own numbers. */
enum {
	PLOT_INK_LANES,                       /* x y z w, */
	PLOT_INK_SAFE = PLOT_INK_LANES + 4,   /* with the palette that all can tell apart */
	PLOT_INK_SHADES = PLOT_INK_SAFE + 4,  /* of errors */
	PLOT_INK_MARKS = PLOT_INK_SHADES + 5, /* of a dope sheet */
	PLOT_INK_FIGURE = PLOT_INK_MARKS + 5,
	PLOT_INKS = PLOT_INK_FIGURE + 6,
	PLOT_INK_NONE = PLOT_INKS
};
/* Begin a colour, or end it (PLOT_INK_NONE). Nothing if the terminal has none. */
void plot_ink(struct plot_page *, unsigned ink);

/* The characters of a terminal: how many dots each has and the bit of each; lines around pictures. */
struct plot_charset {
	unsigned wide, high;
	uint8_t bits[2][4]; /* of column, row */
	const char *line, *corner, *flat, *tick, *key;
};
const struct plot_charset *plot_charset(const struct plot_page *);

/* A character: dots, or a glyph instead; all-zero but for its ink: empty. */
struct plot_cell {
	uint8_t bits, ink;
	const char *glyph;
};
/* Print a line of them without the empty ones at its end. */
void plot_cells(struct plot_page *, const struct plot_cell *, size_t count);
/* Print a label at the left of a picture, up to the line itself if it has to be. */
void plot_gutter(struct plot_page *, size_t gutter, const char *label, const char *line);
/* Print a label at a character of a line, if the last one ends before it. */
void plot_label(struct plot_page *, const char *text, size_t at, size_t *behind);

/* Pictures of rows in a terminal: at the left their names in at most so many characters, at the right `after` more, if they fit. */
size_t plot_row_gutter(const struct plot_page *, size_t name_most);
bool plot_row_has(const struct plot_page *, size_t name_most, size_t after);
size_t plot_row_columns(const struct plot_page *, size_t name_most, size_t after);
/* Print a row up to the line at its right; `cells` NULL: up to the line at its left. */
void plot_row(struct plot_page *, const char *name, size_t depth, size_t name_most, const struct plot_cell *cells,
	      size_t columns);

/* Print the time below so many characters, `gutter` characters from the left. */
void plot_times(struct plot_page *, const struct plot_clip *, double end_s, size_t gutter, size_t columns);
/* The same with `most` parts at most, below a box (left, top, wide, high in pixels), each time a line through it. */
void plot_svg_times(struct plot_page *, const struct plot_clip *, double end_s, double most, const long box[4]);

/* Return 1, 2 or 5 times a power of ten: the least such step that divides `range` into `most` parts at most; 0 for no range. */
double plot_tick_step(double range, double most);
/* Return so many such steps, rounded once. */
double plot_tick(double number, double step);

/* --- Views: sinks that draw clips in one way --- */

struct plot_view {
	struct anim_sink sink;
	const struct plot_kind *kind;
	struct plot_page page;
	struct anim_arena head; /* of the texts of the clip */
	struct plot_clip clip;
	bool in_clip;  /* it is drawn; else tracks are not passed on */
	size_t couple; /* of two files: of the clip at hand */
	size_t clips;
};

/* What a view does; NULL: nothing. `size` is that of its struct, which begins with a plot_view. */
struct plot_kind {
	size_t size;
	const char *light[2], *dark[2]; /* style of an SVG, by the palette */
	void (*open)(struct plot_view *);
	void (*begin)(struct plot_view *);
	int (*finish)(struct plot_view *, struct anim_error *); /* draws the clip; 0 or -1 */
	int (*end)(struct plot_view *, struct anim_error *);
	void (*free)(struct plot_view *);
	int (*tree)(struct anim_sink *, const struct anim_tree *, struct anim_error *);
	int (*node)(struct anim_sink *, const struct anim_node *, struct anim_error *);
	int (*track)(struct anim_sink *, const struct anim_track *, struct anim_error *);
};
extern const struct plot_kind plot_curves, plot_heat, plot_dope, plot_figure;

/* Begin a clip, after the one before is drawn. 0 or -1. */
int plot_view_begin(struct plot_view *, const struct anim_clip *, struct anim_error *);
/* The same of two files, unless this couple of clips has begun. */
int plot_view_pair(struct plot_view *, size_t couple, const struct anim_clip *, struct anim_error *);

/* Set what a comparison tells of two clips; texts in the arena. 0 or -1. */
int plot_apart_of(struct plot_apart *, const struct anim_compare_clips *, struct anim_arena *, struct anim_error *);

/*
 * Widen so many columns, which are 0 at first, by the errors at their borders and between them; shown->worst where that is. 0 or -1.
 */
int plot_errors(const struct plot_clip *, size_t count, const struct anim_compare_shown *, float *out,
		struct anim_error *);

/* Return what the flag of an event says, in the arena: the first text in it, of a path the last name. NULL on failure. */
#define PLOT_FLAG_MOST 60u /* bytes */
const char *plot_flag_text(struct anim_arena *, const struct anim_text *event, struct anim_error *);

/* --- Curves --- */

/* One track that is drawn. */
struct plot_panel {
	struct anim_arena arena; /* of all that follows */
	const char *title;       /* node and property, unchanged */
	const char *form;        /* " vector": what is drawn of a rotation; "" */
	const char *property, *unit;
	const char *names[PLOT_LANES];
	uint8_t colors[PLOT_LANES]; /* 0 to 3: x y z w */
	struct plot_columns columns;
	uint8_t *keyed; /* of each column: a key lies in it */
	size_t keys;
	bool samples; /* of a fixed rate: they are no keys */
	bool broken;  /* numbers among them that are not finite */
	bool turns;   /* a rotation */
	double least[PLOT_LANES], most[PLOT_LANES];
	/* against another: the source, drawn wide and pale; of each column the largest error; its words */
	bool paired;
	struct plot_columns source;
	float *error;
	double worst, limit, at_s;
	enum anim_unit measure; /* of the errors */
	const char *error_unit;
	const char *part, *cause, *rest, *fault; /* the error in words: its parts, and all that is said */
	double share;                            /* of the range of the source; 0: not known */
	bool named, shared;                      /* the cause is one that is known; one that may be of the whole clip */
	size_t dots; /* keys that are drawn one by one: their times, and of each the lanes */
	double *dot_times, *dot_values;
	double bottom, top; /* of the picture */
	double rounding;    /* the part of values that may be rounding of their type */
	bool flat;
	double way;                       /* what it is ranked by */
	size_t number;                    /* of its track */
	const struct anim_track *waiting; /* in the arena: what is measured when the clip ends; else NULL */
};

/* Names of tracks that are told and not drawn. */
struct plot_list {
	struct anim_buffer text; /* "a = 1, b = 2" */
	size_t count, told;
};

/* The panels of a clip in the order in which they are drawn, and numbers of the others. */
struct plot_sheet {
	const struct plot_clip *clip;
	struct plot_panel **panels;
	size_t count, hidden; /* of those that move (of pairs: that differ): drawn, and not */
	size_t off;           /* pairs that differ */
	bool paired;
	double worst[ANIM_UNIT_COUNT],
	    rest[ANIM_UNIT_COUNT]; /* errors: the largest, and the largest that is not drawn */
	bool limited;              /* limits are told; so many pairs are beyond */
	size_t beyond;
	const char *cause; /* of all errors that are drawn; "": they have none, or several */
	struct plot_list constant, texts, unplayed;
};

void plot_sheet_draw(struct plot_page *, const struct plot_sheet *);
size_t plot_panel_columns(const struct plot_page *);
#define PLOT_SVG_DOTS 500 /* keys of a panel that are drawn one by one */
extern const char plot_svg_axes[], plot_svg_safe[], plot_svg_axes_dark[], plot_svg_safe_dark[];

/*
 * Find the kind of error of a panel of a pair, whose columns and errors are set: sets part, cause ("0.03333 s late (1 frame)")
 * and rest, in its arena, "" for none. 0 or -1.
 */
int plot_fault_of(struct plot_panel *, const struct plot_clip *, const struct anim_compare_shown *,
		  struct anim_error *);
/* Return the cause that all panels share; "". */
const char *plot_fault_shared(struct plot_panel *const *, size_t count);
/* Set the fault of a panel from its parts, without its cause if that is said of the clip. 0 or -1. */
int plot_fault_join(struct plot_panel *, bool shared, struct anim_error *);

#endif
