/* bezier.c: curves whose handles have a time part. */
#include "math/bezier.h"
#include "math/cubic.h"

#include <math.h>

/* Godot sums the four terms in this order. */
static float polynomial(float p0, float p1, float p2, float p3, float u)
{
	float v = 1.0f - u, v2 = v * v, u2 = u * u;

	return p0 * (v2 * v) + p1 * v2 * u * 3.0f + p2 * v * u2 * 3.0f + p3 * (u2 * u);
}

float anim_bezier_godot(const struct anim_bezier_point p[4], double x)
{
	float low = 0, high = 1, x_low, x_high, y_low, y_high, weight;

	for (int i = 0; i < 10; i++) {
		float middle = (low + high) / 2;

		if ((double)polynomial(p[0].x, p[1].x, p[2].x, p[3].x, middle) < x)
			low = middle;
		else
			high = middle;
	}
	x_low = polynomial(p[0].x, p[1].x, p[2].x, p[3].x, low);
	x_high = polynomial(p[0].x, p[1].x, p[2].x, p[3].x, high);
	y_low = polynomial(p[0].y, p[1].y, p[2].y, p[3].y, low);
	y_high = polynomial(p[0].y, p[1].y, p[2].y, p[3].y, high);
	weight = (float)((x - (double)x_low) / (double)(x_high - x_low));
	return y_low + (y_high - y_low) * weight;
}

/* Newton's steps inside a bracket that shrinks each time; bisection where a step would leave it. */
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
