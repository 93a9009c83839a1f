/* internal.h: what the parts of anim-plot share; private to this folder. */
#ifndef ANIM_FILTER_PLOT_INTERNAL_H
#define ANIM_FILTER_PLOT_INTERNAL_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/print.h"
#include "clip/cubic.h"
#include "clip/source.h"
#include "filter/compare/compare.h"
#include "filter/plot/plot.h"

#define PLOT_LANES ANIM_COMPONENTS_MAX

/* --- What a player shows of a value, lane by lane, and the least and most of it in each column of a picture --- */

enum plot_shape { PLOT_NUMBERS, PLOT_ROTATION };

/* The shortest and the longest segment, in seconds. */
struct plot_lengths {
	float least, most;
};

struct plot_curve {
	struct anim_source *play;
	struct anim_track keys; /* of one track, sorted and played as it is: those that its player has; else none */
	enum plot_shape shape;
	enum anim_plot_rotation rotation;
	enum anim_euler_order order;
	unsigned lanes;
	double factor;               /* of numbers: the lane's unit */
	double hair;                 /* plot_hair_at(0) of its track: times max(1, |t|) it is that at t */
	bool straight;               /* lines and steps alone */
	bool bounded;                /* the keys bound what lies between them */
	bool plain;                  /* plot_is_plain(keys) */
	bool even;                   /* plot_is_even(keys) */
	struct plot_lengths lengths; /* then */
	bool turned;                 /* rotations of floats as vectors */
	bool wraps;                  /* angles that jump from a whole turn to none between two keys */
	bool leaps; /* handles that may reach beyond their segment, where a player takes one value of several */
	double first[4],
	    last[PLOT_LANES]; /* of rotations: what they start from; the lanes last seen, which they go on from */
};

/* Of one source, whose `play` was opened by the caller and outlives the curve. 0 or -1. */
int plot_curve_open(struct plot_curve *, struct anim_source *play, enum anim_plot_rotation, struct anim_error *);

/* What the source shows at up to so many times, which is not brought into lanes yet. */
struct plot_values {
	double v[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX];
	bool there[ANIM_SOURCE_SAMPLES];
};

/* The values at `count` (at most ANIM_SOURCE_SAMPLES) times. 0 or -1. */
int plot_curve_play(struct plot_curve *, const double *t, unsigned count, struct plot_values *, struct anim_error *);

/* The lanes of value i; NaN where there is none. Rotations go on from the last ones. */
void plot_curve_show(struct plot_curve *, const struct plot_values *, unsigned i, double out[PLOT_LANES]);

/* Both. 0 or -1. */
int plot_curve_at(struct plot_curve *, const double *t, unsigned count, double (*out)[PLOT_LANES], struct anim_error *);

/* The lanes of a rotation as the source has it; they go on from the last ones. */
void plot_curve_lanes(struct plot_curve *, const double v[ANIM_COMPONENTS_MAX], double out[PLOT_LANES]);

/* A lane's values: column c has all from least[c] to most[c] (none where least > most), edge[c] at its left border. */
struct plot_lane {
	double *least, *most, *edge; /* columns, columns, columns + 1 */
};

/* Widens a range by what so many columns of a lane show; what is not finite is drawn at its ends. */
void plot_lane_widen(const struct plot_lane *, size_t columns, double *least, double *most);

struct plot_columns {
	double start_s, end_s;
	size_t count;
	unsigned lanes;
	struct plot_lane lane[PLOT_LANES];
	/* of each column: its least and most are so far from what is shown, at most; NULL: they are that */
	float *slack;
	uint8_t *sure; /* beside it: bits 2 i and 2 i + 1, that the least and the most of lane i are what is shown */
};

/* Room for so many, from the arena. 0 or -1. */
int plot_columns_init(struct plot_columns *, double start_s, double end_s, size_t count, unsigned lanes,
		      struct anim_arena *, struct anim_error *);

/* The time of the left border of column c. */
double plot_column_time(const struct plot_columns *, size_t c);
/* The column in which a time lies; `count` for one outside. */
size_t plot_column_of(const struct plot_columns *, double t);

/* Fills all columns. `breaks` is room for the times at which the curve bends. 0 or -1. */
int plot_measure(struct plot_curve *, struct plot_columns *, struct anim_buffer *breaks, struct anim_error *);
/*
 * The same for a picture: where it is sooner least and most are off by up to two PLOT_FINE'ths of the range of all lanes, but for
 * the outermost of each lane, and so that all fall on the right ones of so many rows of dots. Rows 0, of a picture that has none: by
 * a quarter of that. 0 or -1.
 */
#define PLOT_FINE 1024
#define PLOT_FINER 16 /* the part of that by which turns are left, once they are looked at */
int plot_measure_rough(struct plot_curve *, struct plot_columns *, unsigned rows, struct anim_buffer *breaks,
		       struct anim_arena *, struct anim_error *);

/* The row, of so many from top to bottom, in which a value is drawn; 0 is the upper one. */
static inline unsigned plot_row_of(double top, double bottom, double value, unsigned rows)
{
	double at = (top - value) / (top - bottom) * rows;

	return at < 0 ? 0 : at < rows - 1 ? (unsigned)at : rows - 1;
}

/* --- What bounds a curve between its keys --- */

/* The control values of a cubic's derivative give its turns in 0..1: how many, up to two. */
unsigned plot_turns_of(const double p[4], double out[2]);
/*
 * The polynomial between key k and the next, in one lane, in the track's unit. False where none is known, or where it has several
 * values at one time: it is a cubic then, and its control values bound what is shown.
 */
bool plot_controls_of(const struct anim_track *, size_t k, unsigned lane, struct anim_cubic *);
/* So near to a key at t nothing but the key is looked at. Where keys come again, their times are only as exact as a float. */
double plot_hair_at(const struct anim_track *, double t);
/* The part of the segment's time that has gone by at u of the polynomial. */
double plot_part_of(const struct anim_cubic *, double u);
/*
 * The least and the most of that polynomial, no nearer to a key than a player tells apart from it, and at which part of its time that
 * is, 0: at an end. False where none is known, or is no cubic.
 */
struct plot_reach {
	double least, most, least_u, most_u;
};
bool plot_reach_of(const struct anim_track *, unsigned lane, size_t k, struct plot_reach *);

#define PLOT_PLAIN_LANES 4
/* Up to so many floats in one mode, of steps, lines or cubics, without transitions. */
bool plot_is_plain(const struct anim_track *);

/* Finds those of a sorted track; true where they are nearly the same. False of samples. */
bool plot_is_even(const struct anim_track *, struct plot_lengths *);

/* The outermost of a lane, in the track's unit. */
struct plot_outer {
	double least, most;
	size_t lowest, highest; /* the key where that is, or the one before the turn where that is */
	double least_u, most_u; /* of the way to the next key; 0: at the key */
	bool sinks, rises;      /* found, not what the caller began with */
};
/*
 * Widens least .. most of each lane by the keys first .. last of a plain, sorted track, and by the cubics between them where these
 * are known. first is not the track's first key; of cubics last is not its last. False, and nothing, where that is not known.
 * Cubics that come out by no more than `apart` need not be found: *rest is how far out they are at most, and which key is lowest and
 * highest is not told unless it is 0. The lengths bound those of the whole track; NULL: of the keys at hand they are found.
 */
bool plot_find_outermost(const struct anim_track *, const struct plot_lengths *, size_t first, size_t last,
			 double apart, struct plot_outer *, double *rest);

/*
 * Rotations at a stretch of keys as vectors. Of the outermost of these a player is asked; which they may be, and which ways between
 * them may come farther out, is found by a rough look. All-zero at first; `room` is owned.
 */
struct plot_turns {
	struct anim_buffer room; /* of the columns that follow */
	size_t *keys, found;     /* that may come outermost */
	float *bend;             /* of each way, from that to the first: the second derivative of a lane, at most */
	float *lane[3];          /* degrees: of what lies before the first, of all, of what lies behind the last */
	float least[3], most[3];
	const struct anim_track *track;
	size_t from, count;
};

#define PLOT_TURNS_OFF 0.001     /* degrees that a rough vector is off at most */
#define PLOT_TURNS_ROUNDING 2e-5 /* degrees: as much as the rounding of quaternions */

/*
 * So many floatq keys of the track from one on, as they are seen from `first`, going on from the vector `before`. 1; 0: no rough look
 * tells of these; -1: no memory.
 */
int plot_turns_read(struct plot_turns *, const double first[4], const double before[3], const struct anim_track *,
		    size_t from, size_t count, struct anim_error *);
/* Goes on to what there is behind. False where from one to the next it may be half a turn. */
bool plot_turns_join(struct plot_turns *, const double *before, const double *after);
/* Finds the keys that may come outermost. */
void plot_turns_find(struct plot_turns *);

/* Such a track's keys bound the ways between them. */
bool plot_turns_may(const struct anim_track *);
/* Bounds all ways, of the first and the last what lies between two times; false where one has no bound. */
bool plot_turns_bound(struct plot_turns *, double from, double to);
/* Whether a way may come below these, or above. */
bool plot_turns_reach(const struct plot_turns *, size_t way, const double *least, const double *most);
/* How far ways may come out beyond all keys, in degrees, once they are bounded; infinite where that is not known of one. */
double plot_turns_beyond(const struct plot_turns *);
/* The same by a rougher look that needs no bounds; infinite where none tells. */
double plot_turns_away(const struct plot_turns *);

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
/* Dots that a panel is high. */
unsigned plot_terminal_rows(const struct anim_plot_options *);
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
