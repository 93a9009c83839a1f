/* fit.h: keys that play like a source under the target's rules, within a tolerance. */
#ifndef ANIM_FILTER_CONVERT_FIT_H
#define ANIM_FILTER_CONVERT_FIT_H

#include "base/buffer.h"
#include "clip/caps.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "clip/source.h"

/* ---- A Curve track that grows key by key ---- */

/* A segment: its ends, its mode, and the inner control values if the mode is cubic. */
struct convert_piece {
	float from_s, to_s;
	enum anim_interp mode;
	double from[ANIM_COMPONENTS_MAX], to[ANIM_COMPONENTS_MAX];
	double inner[2][ANIM_COMPONENTS_MAX];
	bool weighted;   /* the handles are not a third of the segment long; only if there is one component */
	double share[2]; /* lengths of the two handles, as a share of the segment */
};

/* Empty if all-zero except for type and cubic. */
struct convert_keys {
	enum anim_type type;
	enum anim_interp cubic; /* the mode of cubic segments: CubicBezier, Hermite, Weighted or Bezier2D */
	enum anim_interp even;  /* their mode if no segment is weighted */
	struct anim_buffer time, mode, value, left, right, left_x, right_x, weighted;
	double arriving[ANIM_COMPONENTS_MAX]; /* the left column of the next key */
	float arriving_x;
	uint8_t arriving_weighted;
	bool arrives;  /* `arriving` is valid: the last segment was cubic */
	bool straight; /* no segment will be cubic: the columns of handles stay empty */
	size_t n;
};

void convert_keys_clear(struct convert_keys *);

/*
 * Compute the inner control values of a piece in the target's form: the numbers of the left and right column, and
 * left_x and right_x if the mode has them.
 */
void convert_controls(const struct convert_piece *, enum anim_interp cubic, double right[ANIM_COMPONENTS_MAX],
		      double left[ANIM_COMPONENTS_MAX], float *right_x, float *left_x);

/* ---- fit.c: keys that play like the source under the target's rules, within a tolerance ---- */

/* Keys that all tracks of a file may get beyond a few for each segment, so that a small file ends after a few seconds. */
#define CONVERT_SPARE 262144

struct convert_fitting {
	struct anim_source *source;
	const struct anim_caps *caps;
	struct convert_keys *keys;
	struct anim_buffer *breaks; /* scratch */
	struct anim_buffer
	    *known; /* scratch: for each segment between two breaks 1 if its error is at most `bound`, else 0 */
	enum anim_type type; /* of the target; its components are floats or doubles */
	bool rotation;       /* values are rotations, or angles (if they have one or three components) */
	bool rigid;          /* no keys may be added */
	size_t *spare;       /* the keys that the file may still get, beyond some for each segment */
	double unit;         /* factor for errors of the numbers; it converts radians to degrees */
	double tolerance;    /* in degrees if `rotation` is set, otherwise in the value's unit */
	/* Results of the fit: */
	bool direct;       /* all keys are keys of the source, and both players compute the same curves from them */
	bool approximated; /* an error is larger than rounding */
	bool exhausted;    /* the keys that could be spared did not suffice, so few were added */
	bool not_finite;   /* some values were not finite, and the value before them was held */
	double period;     /* values that differ by a multiple of this are equal; 0: no wrapping */
	double jump_s;     /* time of the last jump at a key, or 0 */
	double leap;       /* largest jump inside the source that is too short to be sampled; rotations of Godot 3 */
	double bound;      /* error of the known segments, in degrees, except close to their ends */
	double beside; /* additional error close to keys, because a player shows the key there, and how long it is */
	double beside_s;
	double solver; /* largest error of Godot's solver for Bezier tracks, at any time in a segment */
	/* The source plays rotations, and the target's values are angles in degrees, in this order. */
	bool angles;
	enum anim_euler_order order;
};

/* Replace a rotation that the source plays by the angles that are nearest to `near`. */
void convert_nearest_angles(const struct convert_fitting *, const double near[ANIM_COMPONENTS_MAX],
			    double v[ANIM_COMPONENTS_MAX]);

/*
 * Fit the keys, and set the columns and modes of `out`, which borrows them. *bound is an upper bound of the error in
 * degrees, or -1 if the error has to be measured. Returns 1, 0 if no mode of the target can represent the source (if rigid:
 * without more keys), or -1.
 */
int convert_fit(struct convert_fitting *, struct anim_track *out, double *bound, struct anim_error *);

/* Append the key that begins the piece, or a last key. Returns 0 or -1. */
int convert_keys_add(struct convert_keys *, const struct convert_piece *, struct anim_error *);

/* Return whether the outer keys hold and all keys are inside the clip. `whole`: the keys must also span the clip. */
bool convert_is_inside(const struct convert_fitting *, const struct anim_track *, bool whole);

/* ---- angles.c ---- */

/*
 * Fit angles to a rotation that is interpolated linearly from key to key. The angles are Linear keys, with additional keys
 * if needed. fit->keys must be empty. *worst is a bound of the error in degrees; 0: only rounding. Returns 1, 0 if the source is another curve, or -1.
 */
int convert_fit_straight(struct convert_fitting *, double *worst, struct anim_error *);

/*
 * Return whether the source is a track of samples of Euler angles in this order that rotates from sample to sample at constant
 * speed. Such angles become keys of Euler angles without the way through rotations.
 */
bool convert_keeps_angles(const struct anim_source *, enum anim_euler_order);

/*
 * Return a bound of the difference, in degrees, between Linear angles and a rotation at constant speed with the same ends.
 * The angles change by `degrees`, about x, y and z. Infinite if they change by more than the derivation allows.
 *
 * Let r(t) be the rotation vector from the start, t from 0 to 1, and a, b, c the changes of the outer, the middle and the
 * inner angle, s their sum. The rotation at constant speed is t r(1). Two rotations differ by at most the difference of
 * their vectors, and a curve differs from its chord by at most an eighth of its largest second derivative. So r'' is wanted.
 * The angular velocity w is the sum of a, b and c about axes e1, e2 and e3. e1 stays, a rotates e2, and a and b rotate e3.
 * So w' = a b e1 x e2 + a c e1 x e3 + b c e2 x e3. e2 is perpendicular to e1 and to e3, and e3 has the angle of the middle
 * rotation to e1 x e2. With the sine of that angle at 1 in the first component and the cosine at 1 in the others,
 * |w'|^2 <= (b (a + c))^2 + (a c)^2 =: p^2.
 * And r' = w + 1/2 r x w + 1/12 r x (r x w) + ..., and |r x w| <= s p / 2 (1 + s / 2 + ...), because w changes by at most p.
 * Deriving once more, |r''| <= p (1 + s / 2 + 0.28 s^2) for s up to 0.3.
 */
double convert_lines_apart(const double degrees[3], enum anim_euler_order);

/* ---- span.c: the error of a target segment, and the best mode for it ---- */

#define CONVERT_POINTS 26 /* samples of a segment: the first at its start, the last just before its end */

#define CONVERT_MORE 4 /* additional samples that show which value the segment approaches at its end */

/* Like fmax and fmin for numbers, but inlined. */
static inline double convert_larger(double most, double other)
{
	return other > most ? other : most;
}

static inline double convert_smaller(double least, double other)
{
	return other < least ? other : least;
}

/* The segment that is being fitted. */
struct convert_span {
	struct convert_piece piece; /* its `to` is the value that the curve approaches at its end */
	double t[CONVERT_POINTS];
	/* The values at the times t, and at the additional times near the end. */
	double v[CONVERT_POINTS + CONVERT_MORE][ANIM_COMPONENTS_MAX];
	double next[ANIM_COMPONENTS_MAX]; /* the value that applies from the end on */
	bool constant, jumps, finite;
	bool from_key;       /* begins at a key of the source or at an added key */
	bool starts, ends;   /* the end is at a break of the source, where its player may use the wrong side */
	double cut_s;        /* the time at which an added key helps most; 0: in the middle */
	double noise;        /* largest error of the values that comes from rounding alone */
	double range;        /* range of the first component between the two breaks around the span */
	double size;         /* largest number between these breaks */
	double begin_s;      /* the first of these breaks */
	size_t k;            /* its number: the source's keys of this time are near this key */
	bool prefers_linear; /* the source has Linear keys: prefer more of them to a cubic */
};

struct convert_meter {
	const struct convert_fitting *fit;
	struct anim_clip clip;
	struct anim_sample_state state;
	double period; /* same as in convert_fitting */
};

/* Part of a margin: the shortest distance from a key at which its player still distinguishes the two sides. */
#define CONVERT_NEARER 0.52

/* Return whether one of the players is evaluated only at float times. */
bool convert_asks_at_floats(const struct convert_fitting *);

/*
 * Return how close to a time the span's values may not be sampled. `at_break`: a break of the source, otherwise of the
 * target only.
 */
double convert_margin(const struct convert_fitting *, double t, bool at_break);

/* Return the difference of two values: in degrees for rotations, otherwise the largest difference of a component. */
double convert_deviation(const struct convert_meter *, const double a[ANIM_COMPONENTS_MAX],
			 const double b[ANIM_COMPONENTS_MAX]);

/* The state of one pass over the track. */
struct convert_pass {
	struct convert_fitting *fit;
	struct convert_meter measure;
	unsigned modes;
	bool splits;   /* keys may be added */
	size_t budget; /* how many keys may still be added */
	bool spares;   /* limit the keys for each segment of the source: with many keys, some could not be fitted */
	bool closely;  /* compute the complete error, because it will be reported */
	double period; /* values that differ by a multiple of this are equal; 0: no wrapping */
	double last[ANIM_COMPONENTS_MAX]; /* the value at the end of the finished part */
	bool first;                       /* no part is finished */
	bool held;                        /* the last finished piece is a constant that needs no key at its end */
	bool linear;                      /* the source blends linearly everywhere */
	/* Values at breaks of the source, sampled together: `ahead_count` of them from break `ahead_first` on. */
	double ahead[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX];
	size_t ahead_first, ahead_count;
};

/*
 * Return the largest error of Godot's solver for Bezier tracks in a piece of one component that is not weighted. It
 * includes float32 rounding, is in the fit's unit, and applies at times that the player does not take for a key's time.
 */
double convert_solver_off(const struct convert_fitting *, const struct convert_piece *);

/*
 * Return a bound of the difference, in degrees, between the rotation of Euler angles that the source plays between two of its
 * breaks and a Linear rotation of the target with the same ends. Infinite if the angles change too much, or in another way
 * than cubics. The rotation of changing angles differs from the one of Linear angles by at most the sum of the angles'
 * differences. The times follow break k, so the keys there are near key k.
 */
double convert_bound_rotation(const struct convert_fitting *, size_t k, double from_s, double to_s);

/* Return the allowed error of a span: its tolerance, or the rounding error if that is larger. */
double convert_limit(const struct convert_pass *, const struct convert_span *);

/* Return the highest minus the lowest value of the first component. */
double convert_range(const struct convert_span *);

/* Return whether the source holds its value from a time until its next break. */
bool convert_source_holds(const struct convert_pass *, float from_s);

/*
 * Choose the best mode for the span. Returns 1 if it is within the tolerance, otherwise 0. Sets *off to its error, and
 * the piece. Only four fifths of the tolerance are used, because errors between the samples are not measured.
 */
int convert_choose(struct convert_pass *, struct convert_span *, double *off, struct anim_error *);

/* The reported errors, in the fit's unit. 0: no more than rounding. */
struct convert_errors {
	double worst;    /* upper bound of the error */
	double lasting;  /* upper bound of the error without brief moments */
	double lasts_s;  /* longest duration of such a moment */
	bool is_useless; /* the track shows nothing of its source */
};

#define CONVERT_NOISE 1e-4 /* degrees: float32 quaternions cannot represent smaller differences */

/* Keys of Godot are this many times farther apart than the distance at which its player shows the value of a key. */
#define CONVERT_APART 4

/* Record the error close to the ends of a segment if a player shows the ends within `reach_s`: the speed times that distance. */
void convert_add_beside(struct convert_fitting *, double reach_s, double seconds,
			const double from[ANIM_COMPONENTS_MAX], const double to[ANIM_COMPONENTS_MAX]);

/* Share of the tolerance that a measured error may use. The remainder is for errors between the samples. */
#define CONVERT_MEASURED 0.8

#endif
