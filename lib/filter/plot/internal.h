/* internal.h: declarations that the parts of anim-plot share, private to this folder. */
#ifndef ANIM_FILTER_PLOT_INTERNAL_H
#define ANIM_FILTER_PLOT_INTERNAL_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/print.h"
#include "clip/source.h"
#include "filter/common/summary.h"
#include "filter/compare/compare.h"
#include "filter/plot/plot.h"

#define PLOT_COMPONENTS ANIM_COMPONENTS_MAX

/* --- The values that a player shows, by component, and their minimum and maximum in each column of a picture --- */

struct plot_curve {
	struct anim_source *play;
	bool rotates; /* the components describe a rotation */
	enum anim_plot_rotation rotation;
	enum anim_euler_order order;
	unsigned components;
	double factor; /* for numbers: converts to the unit of the component */
	bool straight; /* only lines and steps */
	/* for rotations: the first key, and the components seen last, which the next ones continue */
	double first[4], last[PLOT_COMPONENTS];
};

/* Begin with a source. The caller opened `play`, which must outlive the curve. Returns 0 or -1. */
int plot_curve_open(struct plot_curve *, struct anim_source *play, enum anim_plot_rotation, struct anim_error *);

/*
 * Return the components at `count` times, at most ANIM_SOURCE_SAMPLES. They are NaN if the player sets no value at a
 * time. Returns 0 or -1.
 */
int plot_curve_at(struct plot_curve *, const double *t, unsigned count, double (*out)[PLOT_COMPONENTS],
		  struct anim_error *);

/*
 * The values of a component: column c has all values from least[c] to most[c] (none if least > most), and edge[c] at
 * its left border.
 */
struct plot_component {
	double *least, *most, *edge; /* `columns`, `columns` and `columns` + 1 elements */
};

/*
 * Widen a range by the values of that many columns of a component. Values that are not finite are drawn at its ends.
 */
void plot_component_widen(const struct plot_component *, size_t columns, double *least, double *most);

struct plot_columns {
	double start_s, end_s;
	size_t count;
	unsigned components;
	struct plot_component component[PLOT_COMPONENTS];
};

/* Allocate that many columns in the arena. Returns 0 or -1. */
int plot_columns_init(struct plot_columns *, double start_s, double end_s, size_t count, unsigned components,
		      struct anim_arena *, struct anim_error *);

/* Return the time of the left border of column c. */
double plot_column_time(const struct plot_columns *, size_t c);
/* Return the column of a time, or `count` for a time outside all columns. */
size_t plot_column_of(const struct plot_columns *, double t);

/*
 * Fill all columns, by playing the keys and a fixed number of times in each column. The minimum and maximum of all
 * columns are exact to the digits that are printed. Other values are exact to one row of a picture. Returns 0 or -1.
 */
int plot_measure(struct plot_curve *, struct plot_columns *, struct anim_error *);

/* Return the row in which a value is drawn, of so many rows from top to bottom. Row 0 is the top one. */
static inline unsigned plot_row_of(double top, double bottom, double value, unsigned rows)
{
	double at = (top - value) / (top - bottom) * rows;

	return at < 0 ? 0 : at < rows - 1 ? (unsigned)at : rows - 1;
}

/* Return the unit in which the components of a track are drawn: "deg", "m", "px", "%" or "". */
const char *plot_unit_of(const struct anim_clip *, const struct anim_track *, enum anim_plot_rotation);
/* Return the factor from a number in the track to the number that is drawn, for example from radians to degrees. */
double plot_factor_of(const struct anim_track *);

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
	PLOT_INK_SAFE = PLOT_INK_COMPONENTS + 4, /* x y z w in the palette that all readers can tell apart */
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

/* --- Curves --- */

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

#endif
