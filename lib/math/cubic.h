/* cubic.h: cubic curves through or along keys; one lane at a time. */
#ifndef ANIM_MATH_CUBIC_H
#define ANIM_MATH_CUBIC_H

/*
 * Four values at the times before_t <= 0 = from, to_t, after_t (seconds); weight 0..1 between from and to. Barry and
 * Goldman's pyramid, with the choices Godot 4 makes where times coincide (Math::cubic_interpolate_in_time).
 */
float anim_cubic_in_time(float from, float to, float before, float after, float weight, float to_t, float before_t,
			 float after_t);
double anim_cubic_in_time_double(double from, double to, double before, double after, double weight, double to_t,
				 double before_t, double after_t);

/* Radians, each difference by the shortest way; the result is not wrapped (Godot's cubic_interpolate_angle_in_time). */
float anim_cubic_angle_in_time(float from, float to, float before, float after, float weight, float to_t,
			       float before_t, float after_t);

/* Uniform Catmull-Rom (Godot 3). */
float anim_catmull_rom(float from, float to, float before, float after, float weight);
double anim_catmull_rom_double(double from, double to, double before, double after, double weight);

/* Linear by the shortest way round, radians, not wrapped; and a wrap to 0 <= x < 2 pi (Godot's lerp_angle, fposmod). */
float anim_lerp_angle(float from, float to, float weight);
float anim_wrap_angle(float angle);

/* Slopes are per second, the segment lasts `duration` seconds, u = 0..1 in it. */
double anim_hermite(double from, double from_slope, double to, double to_slope, double duration, double u);

/* The cubic Bezier polynomial of four control values. */
double anim_bezier(double p0, double p1, double p2, double p3, double u);

#endif
