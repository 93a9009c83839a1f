/* curve.c: cubic curves, curves with handles in time and value, transitions; one component at a time. */
#include "math/curve.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/elementary.h"

/* ---- Cubics ---- */

#define TAU_F 6.28318530717958647693f

float anim_cubic_in_time(float from, float to, float before, float after, float weight, float to_t, float before_t,
			 float after_t)
{
	const struct anim_cubic_weights w = anim_cubic_weigh(weight, to_t, before_t, after_t);

	return anim_cubic_weighted(from, to, before, after, &w);
}

static double lerp_double(double from, double to, double weight)
{
	return from + (to - from) * weight;
}

double anim_cubic_in_time_double(double from, double to, double before, double after, double weight, double to_t,
				 double before_t, double after_t)
{
	double t = to_t * weight;
	double a1 = lerp_double(before, from, before_t == 0 ? 0.0 : (t - before_t) / -before_t);
	double a2 = lerp_double(from, to, to_t == 0 ? 0.5 : t / to_t);
	double a3 = lerp_double(to, after, after_t - to_t == 0 ? 1.0 : (t - to_t) / (after_t - to_t));
	double b1 = lerp_double(a1, a2, to_t - before_t == 0 ? 0.0 : (t - before_t) / (to_t - before_t));
	double b2 = lerp_double(a2, a3, after_t == 0 ? 1.0 : t / after_t);

	return lerp_double(b1, b2, to_t == 0 ? 0.5 : t / to_t);
}

/* fmod of two floats is a float, so computing it in double loses nothing. */
static float modulo(float x, float y)
{
	return (float)fmod((double)x, (double)y);
}

float anim_lerp_angle(float from, float to, float weight)
{
	float difference = modulo(to - from, TAU_F);

	return from + (modulo(2.0f * difference, TAU_F) - difference) * weight;
}

float anim_wrap_angle(float angle)
{
	float wrapped = modulo(angle, TAU_F);

	if (wrapped < 0)
		wrapped += TAU_F;
	return wrapped + 0.0f;
}

/* Return `angle` plus the multiple of 2 pi that brings it nearest to `reference`. */
static float turn_near(float reference, float angle)
{
	float difference = modulo(angle - reference, TAU_F);

	return reference + modulo(2.0f * difference, TAU_F) - difference;
}

float anim_cubic_angle_in_time(float from, float to, float before, float after, float weight, float to_t,
			       float before_t, float after_t)
{
	float start = modulo(from, TAU_F), near_to = turn_near(start, to);

	return anim_cubic_in_time(start, near_to, turn_near(start, before), turn_near(near_to, after), weight, to_t,
				  before_t, after_t);
}

float anim_catmull_rom(float from, float to, float before, float after, float weight)
{
	float t2 = weight * weight, t3 = t2 * weight;

	return 0.5f *
	       ((from * 2.0f) + (-before + to) * weight + (2.0f * before - 5.0f * from + 4.0f * to - after) * t2 +
		(-before + 3.0f * from - 3.0f * to + after) * t3);
}

double anim_catmull_rom_double(double from, double to, double before, double after, double weight)
{
	double t2 = weight * weight, t3 = t2 * weight;

	return 0.5 * ((from * 2) + (-before + to) * weight + (2 * before - 5 * from + 4 * to - after) * t2 +
		      (-before + 3 * from - 3 * to + after) * t3);
}

double anim_hermite(double from, double from_slope, double to, double to_slope, double duration, double u)
{
	double third = duration / 3;

	return anim_bezier(from, from + from_slope * third, to - to_slope * third, to, u);
}

double anim_bezier(double p0, double p1, double p2, double p3, double u)
{
	double v = 1 - u;

	return v * v * v * p0 + 3 * v * v * u * p1 + 3 * v * u * u * p2 + u * u * u * p3;
}

/* ---- Curves with handles in time and value ---- */

/* Godot sums the four terms in this order. */
static float polynomial(float p0, float p1, float p2, float p3, float u)
{
	float v = 1.0f - u, v2 = v * v, u2 = u * u;

	return p0 * (v2 * v) + p1 * v2 * u * 3.0f + p2 * v * u2 * 3.0f + p3 * (u2 * u);
}

#define HALVINGS 10

/* Return the value at x on the straight line between the points of two parameters. */
static float secant(const struct anim_bezier_point p[4], double x, float low, float high)
{
	float x_low, x_high, y_low, y_high, weight;

	x_low = polynomial(p[0].x, p[1].x, p[2].x, p[3].x, low);
	x_high = polynomial(p[0].x, p[1].x, p[2].x, p[3].x, high);
	y_low = polynomial(p[0].y, p[1].y, p[2].y, p[3].y, low);
	y_high = polynomial(p[0].y, p[1].y, p[2].y, p[3].y, high);
	weight = (float)((x - (double)x_low) / (double)(x_high - x_low));
	return y_low + (y_high - y_low) * weight;
}

float anim_bezier_godot(const struct anim_bezier_point p[4], double x)
{
	float low = 0, high = 1;

	for (int i = 0; i < HALVINGS; i++) {
		float middle = (low + high) / 2;

		if ((double)polynomial(p[0].x, p[1].x, p[2].x, p[3].x, middle) < x)
			low = middle;
		else
			high = middle;
	}
	return secant(p, x, low, high);
}

enum { LANES = 4 };
typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t masks __attribute__((vector_size(4 * LANES)));

/* Compute `polynomial` at four parameters. */
static inline floats polynomials(const struct anim_bezier_point p[4], floats u)
{
	floats v = 1.0f - u, v2 = v * v, u2 = u * u;

	return p[0].x * (v2 * v) + p[1].x * v2 * u * 3.0f + p[2].x * v * u2 * 3.0f + p[3].x * (u2 * u);
}

/* A float is below x if it is below the first float that is not. */
static float first_not_below(double x)
{
	float near = (float)x;

	return (double)near < x ? nextafterf(near, INFINITY) : near;
}

static inline void halve_once(const struct anim_bezier_point p[4], floats goal, floats *low, floats *high)
{
	floats middle = (*low + *high) / 2.0f;
	masks below = (masks)(polynomials(p, middle) < goal);

	*low = (floats)((below & (masks)middle) | (~below & (masks)*low));
	*high = (floats)((below & (masks)*high) | (~below & (masks)middle));
}

/* Two vectors are interleaved, so that each waits only for itself. */
static void halve(const struct anim_bezier_point p[4], const float goal[2 * LANES], float low[2 * LANES],
		  float high[2 * LANES])
{
	floats g[2], l[2] = {{0}, {0}}, h[2] = {{1, 1, 1, 1}, {1, 1, 1, 1}};

	memcpy(g, goal, sizeof g);
	for (int i = 0; i < HALVINGS; i++) {
		halve_once(p, g[0], &l[0], &h[0]);
		halve_once(p, g[1], &l[1], &h[1]);
	}
	memcpy(low, l, sizeof l);
	memcpy(high, h, sizeof h);
}

void anim_bezier_godot_row(const struct anim_bezier_point p[4], const double *x, size_t count, float *out)
{
	for (size_t done = 0; done < count; done += 2 * LANES) {
		size_t size = count - done < 2 * LANES ? count - done : 2 * LANES;
		float goal[2 * LANES] = {0}, low[2 * LANES], high[2 * LANES];

		for (size_t i = 0; i < size; i++)
			goal[i] = first_not_below(x[done + i]);
		halve(p, goal, low, high);
		for (size_t i = 0; i < size; i++)
			out[done + i] = secant(p, x[done + i], low[i], high[i]);
	}
}

/* Newton steps inside a bracket that shrinks each time. If a step would leave it, bisection is used. */
double anim_bezier_parameter(double x0, double x1, double x2, double x3, double x)
{
	double low = 0, high = 1, u = x3 > x0 ? (x - x0) / (x3 - x0) : 0;

	if (!(u > 0))
		return 0;
	if (u >= 1)
		return 1;
	for (int i = 0; i < 80; i++) {
		double v = 1 - u, off = anim_bezier(x0, x1, x2, x3, u) - x, step, slope;

		if (off == 0)
			break;
		*(off < 0 ? &low : &high) = u;
		slope = 3 * (v * v * (x1 - x0) + 2 * v * u * (x2 - x1) + u * u * (x3 - x2));
		step = u - off / slope;
		if (!(step > low && step < high))
			step = low + (high - low) / 2;
		if (fabs(step - u) <= 0x1p-52)
			return step;
		u = step;
	}
	return u;
}

/* ---- Godot's transitions ---- */

double anim_ease(double x, double curve)
{
	x = x < 0 ? 0 : x > 1 ? 1 : x;
	if (curve >= 1)
		return anim_pow(x, curve);
	if (curve > 0)
		return 1 - anim_pow(1 - x, 1 / curve);
	if (!(curve < 0))
		return 0;
	if (x < 0.5)
		return anim_pow(x * 2, -curve) * 0.5;
	return (1 - anim_pow(1 - (x - 0.5) * 2, -curve)) * 0.5 + 0.5;
}
