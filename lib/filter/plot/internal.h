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

/* --- Pictures --- */

/* One track that is drawn. */
struct plot_panel {
	struct anim_arena arena; /* of all that follows */
	const char *title;       /* node and property, as they are */
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
	/* against another: the source, drawn wide and pale; of each column the largest error; what is told of it */
	bool paired;
	struct plot_columns source;
	float *error;
	double worst, limit, at_s;
	enum anim_unit measure; /* of the errors */
	const char *error_unit;
	const char *part, *cause, *rest, *fault; /* what the error is like, in words: its parts, and all that is said */
	double share;                            /* of the source's range; 0: not known */
	bool named, shared;                      /* the cause is one that is known; one that may be of the whole clip */
	size_t dots; /* keys that are drawn one by one: their times, and of each the lanes */
	double *dot_times, *dot_values;
	double bottom, top; /* of the picture */
	double rounding;    /* what of values may be that of their type, as a part of them */
	bool flat;
	double way;                       /* what it is ranked by */
	size_t number;                    /* of its track */
	size_t size;                      /* of its lines in an SVG, in bytes; 0: not known */
	const struct anim_track *waiting; /* in the arena: what is measured when the clip ends; else NULL */
};

/* Names of tracks that are told and not drawn. */
struct plot_names {
	struct anim_buffer text; /* "a = 1, b = 2" */
	size_t count, told;
};

/* What is not the same of two clips beside the tracks that both have. */
struct plot_apart {
	const char *alone; /* "in the source alone": the other file has no such clip; NULL: it has */
	bool lengths_differ, loops_differ;
	double length_s; /* of the result, and how it goes on */
	enum anim_loop loop;
	size_t lone[2];       /* tracks of the source alone, of the result alone */
	const char *named[2]; /* "a position, b scale and 3 more": these; NULL: none */
	size_t texts, unlike; /* tracks of texts that differ; that cannot be compared */
};

/* One clip, its panels in the order in which they are drawn. */
struct plot_clip {
	struct anim_clip head;
	double start_s, end_s;
	struct plot_panel *const *panels;
	size_t count, hidden; /* of those that move (of pairs: that differ): drawn, and not */
	size_t off;           /* pairs that differ */
	bool paired;
	double worst[ANIM_UNIT_COUNT],
	    rest[ANIM_UNIT_COUNT]; /* errors: the largest, and the largest that is not drawn */
	bool limited;              /* limits are told; so many pairs are beyond */
	size_t beyond;
	const char *cause;       /* of all errors that are drawn; "": they have none, or several */
	struct plot_apart apart; /* where paired */
	const struct plot_names *constant, *unplayed, *texts;
	unsigned merged; /* of an SVG's columns: so many are one at least, for otherwise it would be too large */
};

/*
 * A clip begins: its head is copied, its texts into the arena, which is emptied before; the part of it that is asked for. 1; 0,
 * with a note, where it has nothing of that; -1.
 */
int plot_clip_begin(struct plot_clip *, const struct anim_clip *, const struct anim_plot_options *, struct anim_arena *,
		    struct anim_error *);

/* Takes over what a comparison tells of two clips; texts into the arena. 0 or -1. */
int plot_clip_apart(struct plot_clip *, const struct anim_compare_clips *, struct anim_arena *, struct anim_error *);
/* The clip that a picture of two is of: the source's, where there is one. */
const struct anim_clip *plot_clip_shown(const struct anim_compare_clips *);
/* "; the result lasts 2 s; 1 track is in the source alone" */
void plot_print_apart(struct anim_print *, const struct plot_clip *);

/*
 * The largest error of each of so many columns, which are 0 at first: at their borders and between them; shown->worst where that is.
 * 0 or -1.
 */
int plot_errors(double start_s, double end_s, size_t count, const struct anim_compare_shown *, float *out,
		struct anim_error *);

/*
 * What kind of error a pair's panel has, whose columns and errors are there: sets part, cause ("0.03333 s late (1 frame)") and rest,
 * in its arena, "" for none. 0 or -1.
 */
int plot_fault_of(struct plot_panel *, const struct plot_clip *, const struct anim_compare_shown *,
		  struct anim_error *);
/* The cause that all of several panels share; "". */
const char *plot_fault_shared(const struct plot_clip *);
/* Sets the panel's fault from its parts, without its cause where that is said of the clip. 0 or -1. */
int plot_fault_join(struct plot_panel *, bool shared, struct anim_error *);

/* The time below pictures in seconds or frames: from where to where, and which numbers stand there. */
struct plot_axis {
	double start, end, step, first; /* first: the number of its step; step 0: the start alone */
	bool frames;
};
void plot_axis_of(struct plot_axis *, const struct anim_plot_options *, const struct anim_clip *, double start_s,
		  double end_s, double ticks_most);
/* The tick's place in 0..1; more than 1 behind the last. */
double plot_axis_tick(const struct plot_axis *, unsigned i, double *value);

/* Tells of a stream without clips, of which there is no picture. 0 or -1. */
int plot_tell_none(const struct anim_plot_options *, size_t clips, struct anim_error *);

/* The sinks of further views: as anim_plot_new. */
struct anim_sink *plot_heat_new(struct anim_output *, const struct anim_plot_options *, struct anim_error *);
struct anim_sink *plot_dope_new(struct anim_output *, const struct anim_plot_options *, struct anim_error *);
struct anim_sink *plot_figure_new(struct anim_output *, const struct anim_plot_options *, struct anim_error *);

/* A name in so many characters of a line, cut in its middle where it is longer, padded where it is shorter. */
void plot_print_name(struct anim_print *, const char *name, size_t width);
/* The whole of it, for people and in XML. */
void plot_print_safe(struct anim_print *, const char *name);
void plot_print_xml(struct anim_print *, const char *name);
/* "LeftFoot 3.2 mm at 1.433 s (of points 10 cm around the joint)", the name by one of these; shell 0: of no joint. */
void plot_print_worst(struct anim_print *, void (*print_name)(struct anim_print *, const char *), const char *name,
		      enum anim_unit, double off, double at_s, double shell);
/* What the flag of an event says, in the arena: the first text in it, of a path the last name. NULL on failure. */
#define PLOT_FLAG_MOST 60u /* bytes */
const char *plot_flag_text(struct anim_arena *, const struct anim_text *event, struct anim_error *);
/* "12 joints" */
void plot_print_count(struct anim_print *, size_t count, const char *one, const char *many);
/* The character of these dots, a bit of its pattern each: of two columns and four rows, or of two rows. */
void plot_print_dots(struct anim_print *, enum anim_plot_charset, unsigned bits);
/* How many dots a character has; the bit of one of them. */
void plot_dots_of(enum anim_plot_charset, unsigned *wide, unsigned *high);
unsigned plot_dot(enum anim_plot_charset, unsigned x, unsigned y);
/* What stands left of a picture's columns, and below it: "|", and the corner. */
const char *plot_line_of(enum anim_plot_charset);

void plot_terminal_clip(struct anim_print *, const struct anim_plot_options *, const struct plot_clip *, bool first);
/* "walk: 2 s, ", the name in bold. */
void plot_terminal_heading(struct anim_print *, const struct anim_plot_options *, const struct plot_clip *);
/* "in the source alone: a position": lines of what is drawn nowhere. */
void plot_terminal_lone(struct anim_print *, const struct plot_clip *);
/* The time of a clip from one time to another below so many characters, `gutter` characters from the left. */
void plot_terminal_axis(struct anim_print *, const struct anim_plot_options *, const struct anim_clip *, double start_s,
			double end_s, size_t gutter, size_t columns);
/* Columns of a picture in the terminal. */
size_t plot_terminal_columns(const struct anim_plot_options *);
/* Of pictures of rows: characters for their names, at most so many; those that are left where so many are taken. */
size_t plot_terminal_gutter(const struct anim_plot_options *, size_t most);
size_t plot_terminal_row(const struct anim_plot_options *, size_t taken);

#define PLOT_SVG_COLUMNS 400 /* of a panel: two a pixel */
#define PLOT_SVG_BYTES 40000 /* of a clip, from which on two columns, */
#define PLOT_SVG_MERGED 4    /* then four, become one */
#define PLOT_SVG_DOTS 500    /* keys of a panel that are drawn one by one */

/* What is drawn so far; how high that is, in pixels. All-zero is empty. */
struct plot_svg {
	struct anim_buffer body;
	size_t high;
	size_t text;  /* where the text that was opened last begins, in the body */
	bool heading; /* it is one */
	bool failed;
};

void plot_svg_clip(struct plot_svg *, const struct anim_plot_options *, const struct plot_clip *, struct anim_error *);
/* The bytes of a panel's lines, more or less, so many of its columns drawn as one; not 0. */
size_t plot_svg_size(const struct plot_panel *, unsigned merged);
extern const char *const plot_svg_curves[2]; /* their style, by the palette */

#define PLOT_SVG_GAP 12     /* pixels around what is drawn */
#define PLOT_SVG_WIDE 1020  /* pixels of the whole file */
#define PLOT_SVG_HEADING 26 /* of a clip's line */

/* The clip's name as a text that the caller goes on with and ends; moves down by its height. */
void plot_svg_heading(struct plot_svg *, struct anim_print *, const struct plot_clip *);
/* A line below what is drawn, as a text that the caller goes on with and ends. */
void plot_svg_line(struct plot_svg *, struct anim_print *);
/* Ends either: what is wider than the file goes on in lines below, and down by their height. */
void plot_svg_text_end(struct plot_svg *, struct anim_print *);
void plot_svg_lone(struct plot_svg *, struct anim_print *, const struct plot_clip *);
void plot_svg_names(struct plot_svg *, struct anim_print *, const char *what, const struct plot_names *);
/* Times below a picture that lies there, in pixels, each a line up through it; class v is of texts around their middle. */
void plot_svg_times(struct anim_print *, const struct plot_axis *, long left, long top, long wide, long high);
/* The whole file, with what the view adds to the style, on a light page and on a dark one. */
void plot_svg_end(struct plot_svg *, struct anim_print *, const char *light, const char *night);

/* A text of XML: what it cannot hold, what turns its direction, and what is no UTF-8, becomes U+FFFD. */
void plot_xml(struct anim_print *, const char *text, size_t size);
/* The same, cut in the middle where it has more than so many characters. */
void plot_xml_short(struct anim_print *, const char *text, size_t most);
void plot_svg_number(struct anim_print *, double value, const char *unit);

/* "11 more are off by at most 0.1 deg, 2 mm": what differs and is not drawn. */
void plot_print_rest(struct anim_print *, const struct plot_clip *);
/* How many there are, in words, without an end of the line. */
void plot_print_counts(struct anim_print *, const struct plot_clip *);

/* "off by 0.5 deg at 1 s": of a pair; without the time where nothing is off. */
void plot_print_off(struct anim_print *, const struct plot_panel *);
/* "x 0 .. 1, y 2 m, 3 keys"; of a pair, the error, too */
void plot_print_words(struct anim_print *, const struct plot_panel *);

/* 1, 2 or 5 times a power of ten: the least such step that divides `range` into `most` parts at most; 0 for no range. */
double plot_tick_step(double range, double most);
/* So many such steps, rounded once. */
double plot_tick(double number, double step);

#endif
