/* internal.h: the filter's state and its parts. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_INTERNAL_H
#define ANIM_FILTER_CONVERT_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "clip/caps.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "clip/source.h"
#include "filter/components.h"
#include "filter/convert/convert.h"
#include "filter/filter.h"
#include "stream/store.h"

/* ---- A Curve track that grows key by key ---- */

/* A segment: its ends, its mode, and where the mode is the cubic one, its inner control values. */
struct convert_piece {
	float from_s, to_s;
	enum anim_interp mode;
	double from[ANIM_COMPONENTS_MAX], to[ANIM_COMPONENTS_MAX];
	double inner[2][ANIM_COMPONENTS_MAX];
	bool weighted;   /* of one component: handles of other lengths than a third */
	double share[2]; /* of the segment: their lengths */
};

/* All-zero but for type and cubic is empty. */
struct convert_keys {
	enum anim_type type;
	enum anim_interp cubic; /* how cubics are written: CubicBezier, Hermite, Weighted or Bezier2D */
	enum anim_interp even;  /* and how where none is weighted */
	struct anim_buffer time, mode, value, left, right, left_x, right_x, weighted;
	double arriving[ANIM_COMPONENTS_MAX]; /* what the key to come has for its left column */
	float arriving_x;
	uint8_t arriving_weighted;
	bool arrives; /* `arriving` holds: the last segment was cubic */
	size_t n;
};

void convert_keys_reset(struct convert_keys *, enum anim_type, enum anim_interp cubic, enum anim_interp even);
void convert_keys_clear(struct convert_keys *);

/*
 * The inner control values of a piece as the target has them: numbers of the left and right column, and of left_x and
 * right_x where the mode has those.
 */
void convert_controls(const struct convert_piece *, enum anim_interp cubic, double right[ANIM_COMPONENTS_MAX],
		      double left[ANIM_COMPONENTS_MAX], float *right_x, float *left_x);

/* Appends the key that opens the piece; or a last key. 0 or -1. */
int convert_keys_add(struct convert_keys *, const struct convert_piece *, struct anim_error *);

/* ---- fit.c: keys under the target's rules that play as the source does, within a tolerance ---- */

struct convert_fitting {
	struct anim_source *source;
	const struct anim_caps *caps;
	struct convert_keys *keys;
	struct anim_buffer *breaks; /* scratch */
	enum anim_type type;        /* of the target, made of floats or doubles */
	bool rotation;              /* values are rotations, or (with one or three components) angles */
	bool rigid;                 /* no keys may be added */
	double unit;                /* what errors of its numbers are multiplied by: radians become degrees */
	double tolerance;           /* degrees where rotation is set, else the value's unit */
	/* Found by the fit: */
	bool direct;       /* all keys are those of the source, and both players compute the same curves from them */
	bool approximated; /* some error is larger than rounding */
	bool not_finite;   /* some values were no finite numbers and the value before them was held */
	double turn;       /* values that differ by multiples of it are one; 0: none do */
	double leap;       /* how far the source jumps by itself, too briefly to be met; rotations of Godot 3 */
	double solver;     /* what Godot's player of Bezier tracks may miss, wherever in a segment */
	/* The source plays rotations, and the target's values are angles in degrees, of this order. */
	bool angles;
	enum anim_euler_order order;
};

/* Replaces a rotation that the source plays by its angles that are nearest to others. */
void convert_take_angles(const struct convert_fitting *, const double near[ANIM_COMPONENTS_MAX],
			 double v[ANIM_COMPONENTS_MAX]);

/* Fills the keys. 1, 0 where the target has no mode that could hold it (rigid: without more keys), -1. */
int convert_fit(struct convert_fitting *, struct anim_error *);

/* The outer keys hold, and nothing of the track lies outside the clip; `whole`: nor is there more of the clip. */
bool convert_is_inside(const struct convert_fitting *, const struct anim_track *, bool whole);

/* ---- angles.c ---- */

/*
 * Fills the keys with angles of a rotation that goes straight from key to key: straight, with keys between where those are needed.
 * *worst: a bound of the error in degrees, 0: no more than rounding. 1, 0 where the source is another, -1.
 */
int convert_fit_straight(struct convert_fitting *, double *worst, struct anim_error *);

/* ---- span.c: how far a segment of the target is from what it stands for, and the best mode for it ---- */

#define CONVERT_POINTS 26 /* samples of a segment, the first at its start, the last just before its end */

#define CONVERT_MORE 4 /* more samples that tell what it comes to */

/* What fmax and fmin say of numbers, without the call. */
static inline double convert_larger(double most, double other)
{
	return other > most ? other : most;
}

static inline double convert_smaller(double least, double other)
{
	return other < least ? other : least;
}

/* A segment at work. */
struct convert_span {
	struct convert_piece piece; /* its `to` is what the curve comes to */
	double t[CONVERT_POINTS];
	double v[CONVERT_POINTS + CONVERT_MORE][ANIM_COMPONENTS_MAX]; /* and at the times that tell its end */
	double next[ANIM_COMPONENTS_MAX];                             /* the value at its end, from there on */
	bool constant, jumps, finite;
	bool from_key;       /* begins at a key of the source, or where one was added */
	bool starts, ends;   /* at a break of the source, where its player may take one side for the other */
	double cut_s;        /* where a key helps most; 0: in the middle */
	double noise;        /* what rounding alone may make of its values */
	double range;        /* of the first component between the two breaks that it lies between */
	bool prefers_linear; /* Linear keys in the source: more of them are better than a cubic */
};

struct convert_meter {
	const struct convert_fitting *fit;
	struct anim_clip clip;
	struct anim_sample_state state;
	double turn; /* as in the fit */
};

/* What the rounding of times to floats may make of the span's values, where it goes fast. */
double convert_grain(const struct convert_meter *, const struct convert_span *);

#define CONVERT_NEARER 0.52 /* of a margin: as near to a key as its player tells the two sides apart */

/* One of the players is only asked at floats. */
bool convert_asks_at_floats(const struct convert_fitting *);

/* How near to a time the span's values are not asked for; `at_break`: of the source, else of the target alone. */
double convert_margin(const struct convert_fitting *, double t, bool at_break);

/* How far two values are apart: degrees of rotations, else the largest difference of a component. */
double convert_deviation(const struct convert_meter *, const double a[ANIM_COMPONENTS_MAX],
			 const double b[ANIM_COMPONENTS_MAX]);

/* What rounding alone may make of the span's values. */
double convert_noise(const struct convert_meter *, const struct convert_span *);

/* What a pass over the track may use. */
struct convert_pass {
	struct convert_fitting *fit;
	struct convert_meter measure;
	unsigned modes;
	bool splits;                      /* keys may be added */
	size_t budget;                    /* so many */
	bool spares;                      /* so few for each segment of the source: with many, some were not followed */
	bool closely;                     /* all of an error is to be known, for it will be told */
	double turn;                      /* values that differ by multiples of it are one; 0: none do */
	double last[ANIM_COMPONENTS_MAX]; /* the value at the end of what is done */
	bool first;                       /* nothing is done */
	bool held;                        /* what was done last is a constant that needs no key at its end */
};

/*
 * How far Godot's player of a Bezier track may be from an even piece of one component, float32 and all, in the fit's unit: at times
 * that it does not take for those of its keys.
 */
double convert_solver_off(const struct convert_fitting *, const struct convert_piece *);

/* What a span may be off: its tolerance, or what rounding makes. */
double convert_limit(const struct convert_pass *, const struct convert_span *);

/* Between the lowest and the highest value of one component. */
double convert_range(const struct convert_span *);

/* The source steps there. */
bool convert_source_holds(const struct convert_pass *, const struct convert_span *);

/*
 * The best mode for the span: 1 where it is within the tolerance, 0 where not; *off its error, the piece ready. Four
 * fifths of the tolerance count, the rest is for what lies between the samples.
 */
int convert_choose(struct convert_pass *, struct convert_span *, double *off, struct anim_error *);

/* All in the fit's unit; 0: no more than rounding. */
struct convert_told {
	double worst;   /* a bound of the error */
	double lasting; /* and of the error but for brief moments */
	double lasts_s; /* how long such a moment lasts, at most */
};

/* ---- The filter ---- */

struct convert {
	struct anim_filter filter;
	struct anim_caps caps;
	double tol;
	bool strict;
	struct anim_diagnostics *diagnostics;
	struct anim_rests rests;
	struct anim_rests *other_rests; /* for nodes that those do not have; NULL: none; borrowed */
	struct anim_arena scratch;      /* of the track at hand */
	bool foreign;                   /* the track at hand is not of Godot's */
	const struct anim_scope *scope; /* of the clip, for what is said when its components are joined */
	bool in_clip;
	struct anim_store *components; /* component tracks of the clip, to be joined at its end; NULL: none */
	struct convert_keys keys;
	struct anim_keys steps;
	struct anim_buffer breaks, samples;
	struct anim_texts texts; /* of the track that goes on */
	/* Of targets of Euler angles: node -> order; and of the track at hand. */
	struct anim_map orders;
	struct anim_arena order_names;
	enum anim_euler_order order;
};

/* Of the tolerance, what a measured error may be: the rest is for what lies between the samples. */
#define CONVERT_MEASURED 0.8

/* What a track becomes. */
struct convert_target {
	const char *property;
	enum anim_type type;
	enum anim_step step;
	bool became_rotation; /* Euler or 2-D angles are quaternions now: warned of */
	bool rigid;           /* only if no keys are added */
};

/* A whole track, sorted, that is neither disabled nor empty. 0 or -1. */
int convert_whole(struct convert *, const struct anim_track *, struct anim_error *);

/*
 * A source through one step, out to the next sink. `like` has node and attributes. 0, -1, or 1 where the
 * target is rigid and more keys are needed: nothing was sent then.
 */
int convert_track(struct convert *, struct anim_source *, const struct anim_track *like, const struct convert_target *,
		  struct anim_error *);

/*
 * Sets c->order for a track of a rotation or of Euler angles: what the first of them that moved its node had. Targets of Euler angles
 * alone have one order for each node. 0 or -1.
 */
int convert_settle_order(struct convert *, const struct anim_track *, struct anim_error *);

/* Passes on a track that is ready; source text that its target does not read becomes what it means. 0 or -1. */
int convert_put(struct convert *, const struct anim_track *, struct anim_error *);

/* The rest of a track's node, in the stream or elsewhere; NULL where nothing tells. */
const struct anim_rest *convert_rest(struct convert *, const char *node);

#endif
