/* limb.c: two-bone inverse kinematics. */
#include "filter/pin/limb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"
#include "math/quaternion.h"

#define TINY 1e-9
#define DEGREES (180 / ANIM_PI)

/* ---- The hinge ---- */

/* Bends in degrees count from here on, by their square: a leg can be overstretched or bent sideways by less all the time. */
#define CLEAR_BEND 15
#define ANATOMY 56 /* weight of the rest pose: a bend of 30 degrees for a quarter of a second */

/* Get thigh x shin of a sample in the space of the upper bone, and the bend in degrees. */
static double bend_of(const struct pin_sample *sample, double axis[3])
{
	double thigh[3], shin[3], back[4];

	anim_vec3_subtract(thigh, sample->middle, sample->root);
	anim_vec3_subtract(shin, sample->at[PIN_END], sample->middle);
	anim_vec3_cross_double(axis, thigh, shin);
	anim_quat_conjugate_double(back, sample->turn);
	anim_quat_rotate_double(axis, back, axis);
	return anim_atan2(anim_vec3_length_double(axis), anim_vec3_dot_double(thigh, shin)) * DEGREES;
}

void pin_find_hinge(const struct pin_motion *motion, const double anatomy[3], double hinge[3])
{
	double mean[3] = {0};

	memset(hinge, 0, 3 * sizeof *hinge);
	for (size_t k = 0; k < motion->count; k++) {
		const size_t next = k + 1 < motion->count ? k + 1 : k, before = next > 0 ? next - 1 : 0;
		double axis[3], beyond = fmax(0, bend_of(&motion->samples[k], axis) - CLEAR_BEND);

		anim_vec3_add(mean, axis, 1);
		if (anim_vec3_unit(axis) > 0)
			anim_vec3_add(hinge, axis, beyond * beyond * (motion->times[next] - motion->times[before]));
	}
	anim_vec3_add(hinge, anatomy, ANATOMY);
	if (!(anim_vec3_unit(hinge) > 0)) {
		memcpy(hinge, mean, sizeof mean);
		anim_vec3_unit(hinge);
	}
}

/* ---- The side ---- */

#define OWN_BEND 8   /* degrees: the side of a limb that bends so counts half */
#define FREE_BEND 30 /* degrees: from here on the limb's own side begins to count wherever it is ... */
#define ALL_FREE 45  /* ... and from here on all of it does */
#define KEPT 1e6     /* weight of the side of a limb that does not move */
#define TAU_S 0.05   /* time in which a side changes */

/* The axes across the new direction of a limb: `first` is the side to which its hinge bends. */
struct across {
	double swing[4], along[3], first[3], second[3];
	double thigh[3], shin[3]; /* after the swing */
	double length;            /* from the new root to the target */
};

static void find_across(const struct pin_sample *sample, const double hinge[3], double lower, struct across *out)
{
	const double root[3] = {sample->root[0], sample->root[1] - lower, sample->root[2]};
	double from[3], axis[3];

	anim_vec3_subtract(out->thigh, sample->middle, sample->root);
	anim_vec3_subtract(out->shin, sample->at[PIN_END], sample->middle);
	anim_vec3_subtract(from, sample->at[PIN_END], sample->root);
	anim_vec3_subtract(out->along, sample->to[PIN_END], root);
	out->length = anim_vec3_length_double(out->along);
	if (!(anim_vec3_unit(out->along) > 0)) {
		memcpy(out->along, from, sizeof from);
		anim_vec3_unit(out->along);
	}
	anim_quat_between_double(out->swing, from, out->along);
	anim_quat_rotate_double(out->thigh, out->swing, out->thigh);
	anim_quat_rotate_double(out->shin, out->swing, out->shin);
	anim_quat_rotate_double(axis, sample->turn, hinge);
	anim_quat_rotate_double(axis, out->swing, axis);
	anim_vec3_cross_double(out->first, out->along, axis);
	if (anim_vec3_length_double(out->first) < TINY) {
		/* a hinge along the limb says nothing, so the limb's own side counts */
		memcpy(out->first, out->thigh, sizeof out->first);
		anim_vec3_add(out->first, out->along, -anim_vec3_dot_double(out->thigh, out->along));
	}
	if (!(anim_vec3_unit(out->first) > 0)) {
		const double any[3] = {fabs(out->along[0]) < 0.5, fabs(out->along[0]) >= 0.5, 0};

		anim_vec3_cross_double(out->first, out->along, any);
		anim_vec3_unit(out->first);
	}
	anim_vec3_cross_double(out->second, out->along, out->first);
}

/* Get the side on which a limb is bent, of length 1, and its weight. */
static double own_side(const struct pin_sample *sample, const double hinge[3], double lower, double side[2])
{
	struct across across;
	double axis[3], length, bend = bend_of(sample, axis), weight;

	find_across(sample, hinge, lower, &across);
	side[0] = anim_vec3_dot_double(across.thigh, across.first);
	side[1] = anim_vec3_dot_double(across.thigh, across.second);
	length = sqrt(side[0] * side[0] + side[1] * side[1]);
	if (!(length > TINY * anim_vec3_length_double(across.thigh))) {
		side[0] = side[1] = 0;
		return 0;
	}
	side[0] /= length;
	side[1] /= length;
	if (!sample->moves)
		return KEPT;
	weight = bend / OWN_BEND;
	weight *= weight;
	length = pin_fall((bend - FREE_BEND) / (ALL_FREE - FREE_BEND));
	return weight * weight * (length * fmax(0, side[0]) + 1 - length);
}

/* Return how much a change of the side between a sample and the one before counts. */
static double steadiness(const struct pin_motion *motion, size_t k)
{
	const double step = motion->times[k] - motion->times[k - 1];

	return step > 0 ? TAU_S * TAU_S / (step * step) : 0;
}

int pin_choose_sides(struct pin_motion *motion, const double hinge[3], const double *lower, struct anim_error *error)
{
	double *ratios = anim_zeroed(motion->count * sizeof *ratios + 1, error);

	/*
	 * The smallest sum of weight |z - own|^2 + |z - 1|^2 + steadiness |z - z before|^2. Each sample depends on its
	 * neighbours only, so one sweep each way solves it.
	 */
	for (size_t k = 0; k < motion->count && ratios != NULL; k++) {
		struct pin_sample *sample = &motion->samples[k];
		const double weight = own_side(sample, hinge, lower[k], sample->side);
		const double before = k > 0 ? steadiness(motion, k) : 0,
			     after = k + 1 < motion->count ? steadiness(motion, k + 1) : 0;
		const double pivot = weight + 1 + before + after - (k > 0 ? before * ratios[k - 1] : 0);

		ratios[k] = after / pivot;
		for (int i = 0; i < 2; i++)
			sample->side[i] =
			    (weight * sample->side[i] + (i == 0 ? 1 : 0) + (k > 0 ? before * sample[-1].side[i] : 0)) /
			    pivot;
	}
	for (size_t k = motion->count; k-- > 1 && ratios != NULL;)
		for (int i = 0; i < 2; i++)
			motion->samples[k - 1].side[i] += ratios[k - 1] * motion->samples[k].side[i];
	for (size_t k = 0; k < motion->count && ratios != NULL; k++) {
		double *side = motion->samples[k].side, length = sqrt(side[0] * side[0] + side[1] * side[1]);

		side[0] = length > 1e-6 ? side[0] / length : 1;
		side[1] = length > 1e-6 ? side[1] / length : 0;
	}
	free(ratios);
	return ratios != NULL ? 0 : -1;
}

/* ---- The bones ---- */

void pin_limb_reach(const struct pin_sample *sample, const double hinge[3], double lower, struct pin_reach *out)
{
	struct across across;
	double thigh[3], shin[3], a, b, after, cosine, sine;

	find_across(sample, hinge, lower, &across);
	a = anim_vec3_length_double(across.thigh);
	b = anim_vec3_length_double(across.shin);
	after = fmax(fabs(a - b) + TINY * (a + b), fmin(across.length, a + b));
	cosine = a * after > 0 ? fmax(-1, fmin(1, (a * a + after * after - b * b) / (2 * a * after))) : 1;
	sine = sqrt(1 - cosine * cosine);
	for (int i = 0; i < 3; i++) {
		const double side = sample->side[0] * across.first[i] + sample->side[1] * across.second[i];

		thigh[i] = a * (cosine * across.along[i] + sine * side);
		shin[i] = after * across.along[i] - thigh[i];
	}
	anim_quat_between_double(out->upper, across.thigh, thigh);
	anim_quat_multiply_double(out->upper, out->upper, across.swing);
	anim_quat_between_double(out->lower, across.shin, shin);
	anim_quat_multiply_double(out->lower, out->lower, across.swing);
	for (int i = 0; i < 3; i++) {
		out->middle[i] = sample->root[i] - (i == 1 ? lower : 0) + thigh[i];
		out->end[i] = out->middle[i] + shin[i];
	}
}
