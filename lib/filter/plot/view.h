/* view.h: the page that the views of anim-plot draw on, and the sinks that draw it. Private to this folder. */
#ifndef ANIM_FILTER_PLOT_VIEW_H
#define ANIM_FILTER_PLOT_VIEW_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/print.h"
#include "clip/sink.h"
#include "filter/common/summary.h"
#include "filter/compare/compare.h"
#include "filter/plot/plot.h"

/* --- The clip that is drawn --- */

/* The differences of two clips, except for the tracks that both have. */
struct plot_apart {
	const char *alone; /* "only in the source" if the other file has no such clip, otherwise NULL */
	bool lengths_differ, loops_differ;
	double length_s; /* of the result */
	enum anim_loop loops[2];
	size_t lone[2];       /* tracks that only the source has, tracks that only the result has */
	const char *named[2]; /* names of these tracks, "a position, b scale and 3 more"; NULL: none */
	size_t texts, unlike; /* text tracks that differ, and tracks that cannot be compared */
};

struct plot_clip {
	struct anim_clip head;
	double start_s, end_s; /* of the drawn part */
	struct plot_apart apart;
};

/* --- A page: lines of characters, or an SVG. All-zero except for the members that page_open in view.c sets. --- */

struct plot_page {
	struct anim_plot_options options;
	struct anim_print print; /* for an SVG, it prints into `body`, because the height is known only at the end */
	struct anim_output *out;
	struct anim_buffer body;
	struct anim_arena scratch;
	size_t high;  /* pixels so far */
	size_t text;  /* offset in `body` at which the last line begins */
	bool heading; /* the last line is a heading */
	size_t clips; /* headings so far */
};

#define PLOT_SVG_GAP 12     /* pixels around the picture */
#define PLOT_SVG_WIDE 1020  /* pixels of the whole file */
#define PLOT_SVG_HEADING 26 /* pixels of the heading of a clip */

void plot_page_close(struct plot_page *);

/* Print at most 255 bytes. The format may use only integers and texts, which no locale changes. */
void plot_put(struct plot_page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Print "before 0.013 deg after", with text_of_number. */
void plot_number(struct plot_page *, const char *before, double value, const char *unit, const char *after);
/* Print "12 joints". */
void plot_count(struct plot_page *, size_t count, const char *one, const char *many);
/* Print a name, made safe for a terminal or escaped for XML. */
void plot_name(struct plot_page *, const char *name);
/*
 * Print a name in at most that many characters. The names of the nodes above are shortened first. In a terminal the
 * name is padded.
 */
void plot_short(struct plot_page *, const char *name, size_t width);

/*
 * Begin the line "walk: 2 s, ", which the caller continues and ends with plot_line_end. An SVG also moves down by
 * the height of the line.
 */
void plot_heading(struct plot_page *, const struct plot_clip *);
/* Begin an ordinary line, in the same way. */
void plot_line(struct plot_page *);
void plot_line_end(struct plot_page *);
/* Print a line "constant: a = 1, b = 2 and 3 more". The names are already safe. */
void plot_names(struct plot_page *, const char *what, const char *names, size_t size, size_t more);
/* Print "; the result lasts 2 s; 1 track is only in the source". */
void plot_apart(struct anim_print *, const struct plot_apart *);
/* Print lines "only in the source: a position". */
void plot_lone(struct plot_page *, const struct plot_apart *);
/* Print "3.2 mm". */
void plot_off(struct plot_page *, const char *before, enum anim_unit, double off);
/*
 * Print "LeftFoot 3.2 mm at 1.433 s (of points 10 cm around the joint)". If shell is 0, leave out the part in
 * parentheses.
 */
void plot_worst(struct plot_page *, const char *name, enum anim_unit, double off, double at_s, double shell);

/* Colours in a terminal. Each group has the colours of one view, in the order of the view's own numbers. */
enum {
	PLOT_INK_COMPONENTS,                     /* x y z w */
	PLOT_INK_SAFE = PLOT_INK_COMPONENTS + 4, /* x y z w in the palette for colour-blind readers */
	PLOT_INK_SHADES = PLOT_INK_SAFE + 4,     /* of errors */
	PLOT_INK_MARKS = PLOT_INK_SHADES + 5,    /* of a dope sheet */
	PLOT_INK_FIGURE = PLOT_INK_MARKS + 5,
	PLOT_INKS = PLOT_INK_FIGURE + 6,
	PLOT_INK_NONE = PLOT_INKS
};
/* Begin a colour, or end it with PLOT_INK_NONE. Does nothing if the terminal has no colours. */
void plot_ink(struct plot_page *, unsigned ink);

/* The characters of a terminal: the number of dots in each, the bit of each dot, and the lines around pictures. */
struct plot_charset {
	unsigned wide, high;
	uint8_t bits[2][4]; /* by column and row */
	const char *line, *corner, *flat, *tick, *key;
};
const struct plot_charset *plot_charset(const struct plot_page *);

/* A character: dots, or a glyph instead. If all members except the ink are zero, it is empty. */
struct plot_cell {
	uint8_t bits, ink;
	const char *glyph;
};
/* Print a line of cells without the empty ones at its end. */
void plot_cells(struct plot_page *, const struct plot_cell *, size_t count);
/* Print a label at the left of a picture. If necessary, it extends up to the line itself. */
void plot_gutter(struct plot_page *, size_t gutter, const char *label, const char *line);
/* Print a label at a character of a line, if the last label ends before it. */
void plot_label(struct plot_page *, const char *text, size_t at, size_t *end);

/*
 * Return the layout of pictures of rows in a terminal. Names are at the left, in at most `name_most` characters. At
 * the right are `after` more characters, if there is room.
 */
size_t plot_row_gutter(const struct plot_page *, size_t name_most);
bool plot_row_has(const struct plot_page *, size_t name_most, size_t after);
size_t plot_row_columns(const struct plot_page *, size_t name_most, size_t after);
/* Print a row up to the line at its right. If `cells` is NULL, print it up to the line at its left. */
void plot_row(struct plot_page *, const char *name, size_t depth, size_t name_most, const struct plot_cell *cells,
	      size_t columns);

/* Print the time below that many characters, beginning `gutter` characters from the left. */
void plot_times(struct plot_page *, const struct plot_clip *, double end_s, size_t gutter, size_t columns);
/*
 * Print the time in an SVG in at most `most` parts, below a box (left, top, wide, high in pixels), with a line
 * through the box at each time.
 */
void plot_svg_times(struct plot_page *, const struct plot_clip *, double end_s, double most, const long box[4]);

/*
 * Return the smallest step of 1, 2 or 5 times a power of ten that divides `range` into at most `most` parts. Returns
 * 0 for an empty range.
 */
double plot_tick_step(double range, double most);
/* Return `number` such steps, rounded once. */
double plot_tick(double number, double step);

/* --- Views: sinks that draw clips in one way --- */

struct plot_view {
	struct anim_sink sink;
	const struct plot_kind *kind;
	struct plot_page page;
	struct anim_arena head; /* for the texts of the clip */
	struct plot_clip clip;
	bool in_clip;  /* the clip is drawn; false: its tracks are not passed on */
	size_t couple; /* the number of the current pair of clips, if there are two files */
	size_t clips;
};

/*
 * The functions of a view. A function may be NULL. `size` is the size of the struct of the view, which begins with a
 * plot_view.
 */
struct plot_kind {
	size_t size;
	const char *light[2], *dark[2]; /* style of an SVG, by palette */
	void (*open)(struct plot_view *);
	void (*begin)(struct plot_view *);
	int (*finish)(struct plot_view *, struct anim_error *); /* draws the clip; returns 0 or -1 */
	int (*end)(struct plot_view *, struct anim_error *);
	void (*free)(struct plot_view *);
	int (*tree)(struct anim_sink *, const struct anim_tree *, struct anim_error *);
	int (*node)(struct anim_sink *, const struct anim_node *, struct anim_error *);
	int (*track)(struct anim_sink *, const struct anim_track *, struct anim_error *);
};
extern const struct plot_kind plot_curves, plot_heat, plot_dope, plot_figure;

/* Begin a pair of clips of two files, unless it has already begun. */
int plot_view_pair(struct plot_view *, size_t couple, const struct anim_clip *, struct anim_error *);

/* Set the differences of two clips that a comparison reports, with texts in the arena. Returns 0 or -1. */
int plot_apart_of(struct plot_apart *, const struct anim_compare_clips *, struct anim_arena *, struct anim_error *);

/*
 * Widen that many columns, which are 0 at first, by the errors at their borders and between them. Includes
 * shown->worst at its time. Returns 0 or -1.
 */
int plot_errors(const struct plot_clip *, size_t count, const struct anim_compare_shown *, float *out,
		struct anim_error *);

/*
 * Return the label of an event, in the arena: the first text in the event, or the last name if this text is a path.
 * Returns NULL on failure.
 */
#define PLOT_FLAG_MOST 60u /* bytes */
const char *plot_flag_text(struct anim_arena *, const struct anim_text *event, struct anim_error *);

#endif
