/* reduce.h: an angle modulo a quarter turn, for any double; internal to math. */
#ifndef ANIM_MATH_REDUCE_H
#define ANIM_MATH_REDUCE_H

/* x = quadrant * pi/2 + high + low, |high| <= pi/4 (a little more by rounding), the quadrant modulo 4. */
struct anim_reduced {
	double high, low;
	unsigned quadrant;
};

void anim_reduce_half_pi(double x, struct anim_reduced *); /* x must be finite */

/* a * b = *product + the returned rest, exactly where nothing overflows (Dekker's product). */
double anim_product_rest(double a, double b, double *product);

/* a + b = *sum + the returned rest, exactly (Knuth's sum). */
double anim_sum_rest(double a, double b, double *sum);

#endif
