/* plot.h: pictures of the curves that flow by, for anim-plot. */
#ifndef ANIM_FILTER_PLOT_H
#define ANIM_FILTER_PLOT_H

#include <stdbool.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/* What the lines of a picture in the terminal are made of: 2 x 4 dots a character, or 1 x 2. */
enum anim_plot_charset { ANIM_PLOT_BRAILLE, ANIM_PLOT_BLOCK, ANIM_PLOT_ASCII };
enum anim_plot_color { ANIM_PLOT_PLAIN, ANIM_PLOT_256, ANIM_PLOT_RGB };
enum anim_plot_palette { ANIM_PLOT_AXES, ANIM_PLOT_SAFE }; /* red green blue; Okabe and Ito's */

/* What is drawn of a quaternion, in degrees but for its own components. */
enum anim_plot_rotation {
	ANIM_PLOT_ROTVEC, /* axis times angle, from the first key on, in the parent's axes */
	ANIM_PLOT_QUAT,   /* x y z w, the sign without jumps */
	ANIM_PLOT_EULER,  /* about x y z, in the order YXZ unless the track tells another */
	ANIM_PLOT_ANGLE   /* how far from the first key, 0 to 180 */
};

enum anim_plot_view {
	ANIM_PLOT_CURVES,
	ANIM_PLOT_HEAT,  /* errors by joint and time */
	ANIM_PLOT_DOPE,  /* when tracks have keys */
	ANIM_PLOT_FIGURE /* poses, side by side or over each other */
};

/* Where a figure is looked at from; it faces +z. */
enum anim_plot_side { ANIM_PLOT_THREE_QUARTER, ANIM_PLOT_FRONT, ANIM_PLOT_SIDE };

#define ANIM_PLOT_MOST_POSES 100

struct anim_plot_options {
	enum anim_plot_view view;
	enum anim_plot_rotation rotation;
	enum anim_plot_charset charset;
	enum anim_plot_color color;
	enum anim_plot_palette palette;
	unsigned width; /* characters of a line */
	bool svg;       /* one file in the place of text */
	bool all;       /* every track, in the stream's order; else those that travel farthest of each clip */
	bool against;   /* pairs come, not tracks */
	bool picked;    /* tracks were asked for by their names: of pairs, none is too small to be drawn */
	unsigned poses; /* of a figure, 1 to ANIM_PLOT_MOST_POSES */
	bool onion;     /* over each other where they are; else side by side */
	enum anim_plot_side side;
	bool folds; /* rows of a dope sheet are nodes of `depth` names at most; else tracks */
	unsigned depth;
	bool frames; /* time is counted in frames where the clip knows its rate */
	bool ranged;
	double from_s, to_s;                  /* where ranged; -INFINITY, INFINITY: the clip's own */
	struct anim_diagnostics *diagnostics; /* must be there */
};

#define ANIM_PLOT_SHOWN 12 /* tracks of a clip that are drawn and kept, unless all are */
#define ANIM_PLOT_LEAST_WIDTH 20
#define ANIM_PLOT_MOST_WIDTH 1000

/*
 * A sink that draws to the output (borrowed, not committed), clip by clip. Between keys
 * the picture has what the player of the track's rules shows, within a row of dots. Kept are the columns of the tracks that are drawn. NULL on failure.
 */
struct anim_sink *anim_plot_new(struct anim_output *, const struct anim_plot_options *, struct anim_error *);

struct anim_compare_shown;

/*
 * Draws a pair that was compared onto the picture of anim_plot_new: the first side as source, the second with its keys, and their
 * errors. For the `show` of anim_compare_options, whose context is the sink; its end is to be called after the comparison.
 * Drawn and kept are those of a clip that are farthest apart. 0 or -1.
 */
int anim_plot_pair(void *sink, const struct anim_compare_shown *, struct anim_error *);

/*
 * The same for ANIM_PLOT_HEAT: for `show`, `show_joint` and `show_apart`. Kept is a row of columns for each joint that is
 * compared, and for the tracks that may be drawn: unless all are, some dozens of each unit and limit.
 */
int anim_heat_pair(void *sink, const struct anim_compare_shown *, struct anim_error *);
struct anim_compare_joint;
int anim_heat_joint(void *sink, const struct anim_compare_joint *, struct anim_error *);
void anim_heat_apart(void *sink, uint32_t number, double t_s, double off);

/* For `show_clips` of any view: the differences of two clips beside their tracks, which are in their heading. */
struct anim_compare_clips;
int anim_plot_clips(void *sink, const struct anim_compare_clips *, struct anim_error *);

/* The same for ANIM_PLOT_DOPE: for `show_keys`. */
struct anim_compare_keys;
int anim_dope_keys(void *sink, const struct anim_compare_keys *, struct anim_error *);

/* The same for ANIM_PLOT_FIGURE: for `show_world`. */
struct anim_compare_world;
int anim_figure_world(void *sink, const struct anim_compare_world *, struct anim_error *);

/* Why no player shows a track as numbers: "disabled", "no keys", "texts", "interval unknown" (of its samples); NULL: it may. */
const char *anim_plot_refusal(const struct anim_track *);

/* --- A track as one line of blocks --- */

#define ANIM_SPARK_LEVELS 8
#define ANIM_SPARK_MOST 64 /* blocks of a line */

/* The lane of a track that moves most; of a rotation how far it is from its first key. */
struct anim_spark {
	uint8_t levels[ANIM_SPARK_MOST]; /* 1 to ANIM_SPARK_LEVELS; 0: there is no value */
	const char *lane, *unit;         /* "x", "m", static; "": there is but one, none */
	double least, most;              /* of what is finite; least > most: nothing is */
};

/*
 * Plays the track, which has keys and no texts, into `count` (at most ANIM_SPARK_MOST) blocks from its clip's start to its end.
 * A block shows of its time the value that is farthest from the middle between the least and the most. 0 or -1;
 * ANIM_UNSUPPORTED for what no player plays.
 */
int anim_spark(const struct anim_clip *, const struct anim_track *, size_t count, struct anim_spark *,
	       struct anim_error *);

#endif
