/* cubic.c: cubic curves, one lane at a time. */
#include "math/cubic.h"

#include <math.h>

#include "math/vector.h"

#define TAU_F 6.28318530717958647693f

float anim_cubic_in_time(float from, float to, float before, float after, float weight, float to_t, float before_t,
			 float after_t)
{
	float t = to_t * weight;
	float a1 = anim_lerp(before, from, before_t == 0 ? 0.0f : (t - before_t) / -before_t);
	float a2 = anim_lerp(from, to, to_t == 0 ? 0.5f : t / to_t);
	float a3 = anim_lerp(to, after, after_t - to_t == 0 ? 1.0f : (t - to_t) / (after_t - to_t));
	float b1 = anim_lerp(a1, a2, to_t - before_t == 0 ? 0.0f : (t - before_t) / (to_t - before_t));
	float b2 = anim_lerp(a2, a3, after_t == 0 ? 1.0f : t / after_t);

	return anim_lerp(b1, b2, to_t == 0 ? 0.5f : t / to_t);
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

/* fmod of two floats is a float, so double's loses nothing. */
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

/* `angle` or the turn of it that is nearest to `reference`. */
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
