/* cubic.c: segments of tracks as cubic polynomials, complete or cut, without loss. */
#include "clip/cubic.h"

#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "math/curve.h"

/* Return the length of a handle as a fraction of segment k. */
static double share_of(const struct anim_track *track, const float *column, size_t k, unsigned component, int bit)
{
	if (track->weighted == NULL || column == NULL || !(track->weighted[k] & bit))
		return 1.0 / 3;
	return (double)column[k * anim_types[track->type].components + component];
}

bool anim_cubic_is_even(const struct anim_cubic *l)
{
	return fabs(l->x[1] - 1.0 / 3) < 1e-6 && fabs(l->x[2] - 2.0 / 3) < 1e-6;
}

static void set_all(struct anim_cubic *l, double value)
{
	for (int i = 0; i < 4; i++)
		l->y[i] = value;
}

void anim_cubic_hold(struct anim_cubic *l, double value)
{
	*l = (struct anim_cubic){.x = {0, 1.0 / 3, 2.0 / 3, 1}};
	set_all(l, value);
}

/* Set the inner points from the columns of tangents or handles. */
static void bend(const struct anim_track *track, enum anim_interp mode, size_t k, unsigned component,
		 struct anim_cubic *l)
{
	double duration = (double)track->time[k + 1] - (double)track->time[k];
	double right = anim_component(track->type, track->right, k, component);
	double left = anim_component(track->type, track->left, k + 1, component);

	l->steps = !isfinite(right) || !isfinite(left);
	if (l->steps) {
		set_all(l, l->y[0]);
		return;
	}
	l->cubic = true;
	if (mode == ANIM_WEIGHTED) {
		l->x[1] = share_of(track, track->right_x, k, component, 2);
		l->x[2] = 1 - share_of(track, track->left_x, k + 1, component, 1);
	} else if (mode == ANIM_BEZIER_2D) {
		l->x[1] = (double)track->right_x[k] / duration;
		l->x[2] = 1 + (double)track->left_x[k + 1] / duration;
	}
	if (mode == ANIM_CUBIC_BEZIER) {
		l->y[1] = right;
		l->y[2] = left;
	} else if (mode == ANIM_BEZIER_2D) {
		l->y[1] = l->y[0] + right;
		l->y[2] = l->y[3] + left;
	} else if (mode == ANIM_TANGENT || anim_cubic_is_even(l)) {
		l->y[1] = l->y[0] + right * (mode == ANIM_TANGENT ? 1.0 / 3 : duration / 3);
		l->y[2] = l->y[3] - left * (mode == ANIM_TANGENT ? 1.0 / 3 : duration / 3);
	} else {
		l->y[1] = l->y[0] + right * l->x[1] * duration;
		l->y[2] = l->y[3] - left * (1 - l->x[2]) * duration;
	}
}

bool anim_cubic_read(const struct anim_track *track, size_t k, unsigned component, struct anim_cubic *l)
{
	enum anim_interp mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, k);

	anim_cubic_hold(l, anim_component(track->type, track->value, k, component));
	if (mode == ANIM_HOLD)
		return true;
	l->y[3] = anim_component(track->type, track->value, k + 1, component);
	if (track->ease != NULL && track->ease[k] != 1)
		return false;
	if (mode == ANIM_LINEAR) {
		l->y[1] = l->y[0] + (l->y[3] - l->y[0]) / 3;
		l->y[2] = l->y[3] - (l->y[3] - l->y[0]) / 3;
		return !anim_types[track->type].quaternion;
	}
	if (mode < ANIM_TANGENT || mode > ANIM_BEZIER_2D || track->left == NULL || track->right == NULL)
		return false;
	bend(track, mode, k, component, l);
	return true;
}

/* Return the polar form of the polynomial. It is the value of the polynomial if all three arguments are equal. */
static double blossom(const double p[4], double u, double v, double w)
{
	double a = p[0] + (p[1] - p[0]) * u, b = p[1] + (p[2] - p[1]) * u, c = p[2] + (p[3] - p[2]) * u;

	a += (b - a) * v;
	b += (c - b) * v;
	return a + (b - a) * w;
}

/* Set the control values of the part from u to v. */
static void cut(double p[4], double u, double v)
{
	const double q[4] = {blossom(p, u, u, u), blossom(p, u, u, v), blossom(p, u, v, v), blossom(p, v, v, v)};

	memcpy(p, q, sizeof q);
}

void anim_cubic_cut(struct anim_cubic *l, double from, double to)
{
	bool is_even = anim_cubic_is_even(l);
	double u = is_even ? from : anim_bezier_parameter(l->x[0], l->x[1], l->x[2], l->x[3], from);
	double v = is_even ? to : anim_bezier_parameter(l->x[0], l->x[1], l->x[2], l->x[3], to);
	double start, length;

	cut(l->y, u, v);
	if (is_even)
		return;
	cut(l->x, u, v);
	start = l->x[0];
	length = l->x[3] - start;
	for (int i = 0; i < 4; i++)
		l->x[i] = (l->x[i] - start) / length;
}
