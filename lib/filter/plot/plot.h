/* plot.h: pictures of the curves of a stream, for anim-plot. */
#ifndef ANIM_FILTER_PLOT_H
#define ANIM_FILTER_PLOT_H

#include <stdbool.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/span.h"

/* The characters that draw lines in the terminal: 2 x 4 dots per character, or 1 x 2. */
enum anim_plot_charset { ANIM_PLOT_BRAILLE, ANIM_PLOT_BLOCK, ANIM_PLOT_ASCII };
enum anim_plot_color { ANIM_PLOT_PLAIN, ANIM_PLOT_256, ANIM_PLOT_RGB };
enum anim_plot_palette { ANIM_PLOT_AXES, ANIM_PLOT_SAFE }; /* red, green, blue; the colours of Okabe and Ito */

/* How a quaternion is drawn. All but its own components are in degrees. */
enum anim_plot_rotation {
	ANIM_PLOT_ROTVEC, /* axis times angle, from the first key on, in the axes of the parent */
	ANIM_PLOT_QUAT,   /* x y z w, with signs chosen so that it does not jump */
	ANIM_PLOT_EULER,  /* angles about x y z, in the order YXZ unless the track has another */
	ANIM_PLOT_ANGLE   /* the angle from the first key, 0 to 180 */
};

enum anim_plot_view {
	ANIM_PLOT_CURVES,
	ANIM_PLOT_HEAT,  /* errors by joint and time */
	ANIM_PLOT_DOPE,  /* the times of the keys */
	ANIM_PLOT_FIGURE /* poses, side by side or over each other */
};

/* The side from which a figure is viewed. It faces +z. */
enum anim_plot_side { ANIM_PLOT_THREE_QUARTER, ANIM_PLOT_FRONT, ANIM_PLOT_SIDE };

#define ANIM_PLOT_MOST_POSES 100

struct anim_plot_options {
	enum anim_plot_view view;
	enum anim_plot_rotation rotation;
	enum anim_plot_charset charset;
	enum anim_plot_color color;
	enum anim_plot_palette palette;
	unsigned width; /* characters per line */
	bool svg;       /* one SVG file instead of text */
	bool all;     /* all tracks, in the order of the stream; false: the tracks of each clip that travel farthest */
	bool against; /* the sink receives pairs instead of tracks */
	bool picked;  /* the user selected tracks by name, so no pair is too small to be drawn */
	unsigned poses; /* number of poses of a figure, 1 to ANIM_PLOT_MOST_POSES */
	bool onion;     /* poses over each other at their places; false: side by side */
	enum anim_plot_side side;
	bool folds; /* a row of a dope sheet is a node of at most `depth` names; false: a track */
	unsigned depth;
	bool frames; /* count time in frames if the clip has a rate */
	struct anim_time_range range;
	struct anim_diagnostics *diagnostics; /* required */
	const struct anim_advisor *advisor;   /* words for remedies (borrowed) */
};

#define ANIM_PLOT_SHOWN 12 /* tracks of a clip that are drawn and kept, unless `all` is set */
#define ANIM_PLOT_LEAST_WIDTH 20
#define ANIM_PLOT_MOST_WIDTH 1000

/*
 * Return a sink that draws to the output (borrowed, not committed), clip by clip. Between keys the picture has the
 * values that the player of the track's rules shows, up to one row of dots. The sink keeps only the columns of the
 * drawn tracks. Returns NULL on failure.
 */
struct anim_sink *anim_plot_new(struct anim_output *, const struct anim_plot_options *, struct anim_error *);

struct anim_compare_shown;

/*
 * Draw a compared pair onto the picture of anim_plot_new: the first side as source, the second side with its keys,
 * and their errors. Use it as `show` of anim_compare_options, with the sink as context. Call the end of the sink
 * after the comparison. Only the pairs of a clip that are farthest apart are drawn and kept. Returns 0 or -1.
 */
int anim_plot_pair(void *sink, const struct anim_compare_shown *, struct anim_error *);

/*
 * Do the same for ANIM_PLOT_HEAT, as `show`, `show_joint` and `show_apart`. The sink keeps a row of columns for each
 * compared joint, and for the tracks that may be drawn. Without `all`, these are some dozens of each unit and limit.
 */
int anim_heat_pair(void *sink, const struct anim_compare_shown *, struct anim_error *);
struct anim_compare_joint;
int anim_heat_joint(void *sink, const struct anim_compare_joint *, struct anim_error *);
void anim_heat_apart(void *sink, uint32_t number, double t_s, double off);

/*
 * Add the differences of two clips, beside their tracks, to the heading of the clip. Use it as `show_clips` in any
 * view.
 */
struct anim_compare_clips;
int anim_plot_clips(void *sink, const struct anim_compare_clips *, struct anim_error *);

/* Draw the keys of a pair for ANIM_PLOT_DOPE. Use it as `show_keys`. */
struct anim_compare_keys;
int anim_dope_keys(void *sink, const struct anim_compare_keys *, struct anim_error *);

/* Draw the figures of both clips for ANIM_PLOT_FIGURE. Use it as `show_world`. */
struct anim_compare_world;
int anim_figure_world(void *sink, const struct anim_compare_world *, struct anim_error *);

/*
 * Return the reason why no player shows a track as numbers: "disabled", "no keys", "texts" or "interval unknown" (of
 * its samples). Returns NULL if a player may show it.
 */
const char *anim_plot_refusal(const struct anim_track *);

/* --- A track as one line of blocks --- */

#define ANIM_SPARK_LEVELS 8
#define ANIM_SPARK_MOST 64 /* blocks per line */

/* The component of a track that moves most. For a rotation, the angle from its first key. */
struct anim_spark {
	uint8_t levels[ANIM_SPARK_MOST]; /* 1 to ANIM_SPARK_LEVELS; 0: no value */
	const char *component, *unit;    /* "x" and "m", static; "" if there is only one component, or no unit */
	double least, most;              /* of the finite values; least > most: none */
};

/*
 * Play the track into `count` blocks (at most ANIM_SPARK_MOST) from the start to the end of its clip. The track must
 * have keys and no texts. A block shows the value of its time that is farthest from the middle between the minimum
 * and the maximum. Returns 0 or -1, with ANIM_UNSUPPORTED if no player plays the track.
 */
int anim_spark(const struct anim_clip *, const struct anim_track *, size_t count, struct anim_spark *,
	       struct anim_error *);

#endif
