/* bezier.h: curves whose handles have a time part: y at a time x. */
#ifndef ANIM_MATH_BEZIER_H
#define ANIM_MATH_BEZIER_H

/* A handle or a key: time and value. */
struct anim_bezier_point {
	float x, y;
};

/*
 * Godot's Animation::bezier_track_interpolate within one segment, in float32: the key at x = 0, its handle, the next
 * key's handle, the next key (all relative to the first key's time); ten bisections of the parameter, then one secant
 * step. Only the time is a double, as Godot 4's is; Godot 3's is a float. Handles that reach beyond the segment pick one of several roots; NaN is possible.
 */
float anim_bezier_godot(const struct anim_bezier_point points[4], double x);

/*
 * The parameter u in 0..1 at which the Bezier polynomial of x0 x1 x2 x3 is x, x0 <= x <= x3: the root to the last bits;
 * where the curve turns back, one of the roots.
 */
double anim_bezier_parameter(double x0, double x1, double x2, double x3, double x);

#endif
