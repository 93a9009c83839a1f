/* curve.h: cubic curves, curves with handles in time and value, transitions; one component at a time. */
#ifndef ANIM_MATH_CURVE_H
#define ANIM_MATH_CURVE_H

#include <stddef.h>

#include "math/vector.h"

/*
 * Interpolate four values at the times before_t <= 0 = from, to_t, after_t (seconds); weight is 0..1 between from and
 * to. This is the pyramid of Barry and Goldman, with Godot 4's choices if times are equal
 * (Math::cubic_interpolate_in_time).
 */
float anim_cubic_in_time(float from, float to, float before, float after, float weight, float to_t, float before_t,
			 float after_t);

/* The weights of the six blends of the pyramid. They depend only on the time, so several values share them. */
struct anim_cubic_weights {
	float before, between, after, lower, upper;
};

static inline struct anim_cubic_weights anim_cubic_weigh(float weight, float to_t, float before_t, float after_t)
{
	float t = to_t * weight;

	return (struct anim_cubic_weights){
	    .before = before_t == 0 ? 0.0f : (t - before_t) / -before_t,
	    .between = to_t == 0 ? 0.5f : t / to_t,
	    .after = after_t - to_t == 0 ? 1.0f : (t - to_t) / (after_t - to_t),
	    .lower = to_t - before_t == 0 ? 0.0f : (t - before_t) / (to_t - before_t),
	    .upper = after_t == 0 ? 1.0f : t / after_t,
	};
}

/* The same as anim_cubic_in_time with given weights. The bits are equal. */
static inline float anim_cubic_weighted(float from, float to, float before, float after,
					const struct anim_cubic_weights *w)
{
	float a1 = anim_lerp(before, from, w->before), a2 = anim_lerp(from, to, w->between),
	      a3 = anim_lerp(to, after, w->after);

	return anim_lerp(anim_lerp(a1, a2, w->lower), anim_lerp(a2, a3, w->upper), w->between);
}

double anim_cubic_in_time_double(double from, double to, double before, double after, double weight, double to_t,
				 double before_t, double after_t);

/*
 * The same for radians, taking the shortest arc for each difference. The result is not wrapped (Godot's
 * cubic_interpolate_angle_in_time).
 */
float anim_cubic_angle_in_time(float from, float to, float before, float after, float weight, float to_t,
			       float before_t, float after_t);

/* Interpolate with uniform Catmull-Rom (Godot 3). */
float anim_catmull_rom(float from, float to, float before, float after, float weight);
double anim_catmull_rom_double(double from, double to, double before, double after, double weight);

/*
 * Interpolate radians linearly along the shortest arc, not wrapped, or wrap to 0 <= x < 2 pi (Godot's lerp_angle,
 * fposmod).
 */
float anim_lerp_angle(float from, float to, float weight);
float anim_wrap_angle(float angle);

/* Evaluate a Hermite segment. Slopes are per second, the segment lasts `duration` seconds, u is 0..1 in it. */
double anim_hermite(double from, double from_slope, double to, double to_slope, double duration, double u);

/* Evaluate the cubic Bezier polynomial of four control values. */
double anim_bezier(double p0, double p1, double p2, double p3, double u);

/* A handle or a key: time and value. */
struct anim_bezier_point {
	float x, y;
};

/*
 * Evaluate Godot's Animation::bezier_track_interpolate within one segment, in float32. The points are the key at x =
 * 0, its handle, the next key's handle, the next key (all relative to the first key's time). There are ten bisections
 * of the parameter, then one secant step. Only the time is a double, as in Godot 4; in Godot 3 it is a float. Handles
 * that extend beyond the segment select one of several roots; NaN is possible.
 */
float anim_bezier_godot(const struct anim_bezier_point points[4], double x);

/* The same at several times with the same bits. The bisections of four times are done at once. */
void anim_bezier_godot_row(const struct anim_bezier_point points[4], const double *x, size_t count, float *out);

/*
 * Find the parameter u in 0..1 at which the Bezier polynomial of x0 x1 x2 x3 is x, with x0 <= x <= x3. The root is
 * accurate to the last bits. If the curve reverses its direction, the result is one of the roots.
 */
double anim_bezier_parameter(double x0, double x1, double x2, double x3, double x);

/*
 * Apply Math::ease. x is clamped to 0..1; curve 1 is linear, above 1 slow at the start, 0..1 slow at the end, below 0
 * slow at both; 0 stays at 0.
 */
double anim_ease(double x, double curve);

#endif
