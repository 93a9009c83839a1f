/* angles.c: rotations for targets that have only Euler angles: the order of a node, and Linear keys without a curve fit. */
#include <math.h>
#include <string.h>

#include "filter/convert/internal.h"
#include "math/elementary.h"

#define DEGREES (180 / ANIM_PI)
#define SAMPLES 3  /* per segment, without its ends */
#define SPARE 1.25 /* factor of the error for the times between the samples */
#define MEASURED \
	0.785       /* share of the tolerance for the error at samples; the remainder is for other times and rounding */
#define SMALL 0.1   /* radians: the bound below holds for smaller rotations, and slerp and lerp are equal for them */
#define NEAR 0.7    /* cosine of half the largest rotation between two keys that samples can follow */
#define HALVINGS 20 /* of one segment */
#define BUDGET_EACH 256 /* additional keys between two keys of the source */
#define QUIET 1e-4      /* degrees: float32 quaternions cannot distinguish smaller rotations */

struct straight {
	struct convert_fitting *fit;
	struct convert_meter meter;
	struct anim_error *error;
	double last[ANIM_COMPONENTS_MAX]; /* angles at the end of the last segment */
	double worst, size;               /* the largest error; the largest angle */
	unsigned budget;
};

/*
 * Return whether all rotations from key to key are small enough for samples to follow them. If the player blends by component,
 * a rotation near 180 degrees, or between quaternions of opposite signs, happens almost at once.
 */
static bool are_rotations_small(const struct convert_fitting *fit, const struct anim_track *track)
{
	bool by_component = anim_rules_blend_lanes(fit->source->clip, track->rules);
	const float *q = track->value;

	for (size_t k = 0; k + 1 < track->n; k++, q += 4) {
		double dot = (double)anim_quat_dot(q, q + 4);
		double size = (double)anim_quat_dot(q, q) * (double)anim_quat_dot(q + 4, q + 4);

		if (!((by_component ? dot : fabs(dot)) > NEAR * sqrt(size)))
			return false;
	}
	return true;
}

/* Return whether the source is a plain curve of Linear quaternions whose keys samples can follow. */
static bool is_straight(const struct convert_fitting *fit)
{
	const struct anim_source *s = fit->source;
	const struct anim_track *track = anim_source_first(s);
	bool is_plain = track->rules == ANIM_RULES_PLAIN || track->rules == ANIM_RULES_UNITY;
	bool holds = track->pre == ANIM_EXTRAPOLATION_HOLD && track->post == ANIM_EXTRAPOLATION_HOLD;

	return !s->joined && s->step == ANIM_STEP_KEEP && track->kind == ANIM_CURVE && is_plain &&
	       track->type == ANIM_FLOATQ && track->interp == ANIM_LINEAR && track->ease == NULL &&
	       !(track->flags & ANIM_UNSORTED) && holds && (fit->caps->ends || convert_is_inside(fit, track, false)) &&
	       are_rotations_small(fit, track);
}

/*
 * Return a bound of the difference, in degrees, between Linear angles and a rotation at constant speed with the same ends.
 * The angular velocity of Linear angles is a sum over the angles, each about its own axis. The axes are rotated only by the
 * other angles, so the velocity changes by at most the products of the angles' speeds. Two motions with the same ends differ
 * by at most an eighth of that change, plus smaller terms of the rotation, for which half as much is added.
 */
static double bound_of(const double from[ANIM_COMPONENTS_MAX], const double to[ANIM_COMPONENTS_MAX])
{
	double a = fabs(to[0] - from[0]) / DEGREES, b = fabs(to[1] - from[1]) / DEGREES;
	double c = fabs(to[2] - from[2]) / DEGREES;

	if (!(a <= SMALL && b <= SMALL && c <= SMALL))
		return (double)INFINITY;
	return 1.5 * (a * b + a * c + b * c) / 8 * DEGREES;
}

/* Sample the rotations of the source between two times, and the error of Linear angles there. Returns 0 or -1. */
static int sample_between(struct straight *s, double from_s, double to_s, const double to[ANIM_COMPONENTS_MAX],
			  double q[SAMPLES][ANIM_COMPONENTS_MAX], double *off)
{
	double t[SAMPLES];

	for (int i = 0; i < SAMPLES; i++)
		t[i] = (double)(float)(from_s + (to_s - from_s) * (i + 1) / (SAMPLES + 1));
	if (anim_source_sample(s->fit->source, t, SAMPLES, q, s->error) != 0)
		return -1;
	*off = 0;
	for (int i = 0; i < SAMPLES; i++) {
		double part = (t[i] - from_s) / (to_s - from_s), straight[ANIM_COMPONENTS_MAX], at[ANIM_COMPONENTS_MAX];

		for (int k = 0; k < ANIM_COMPONENTS_MAX; k++)
			straight[k] = s->last[k] + (to[k] - s->last[k]) * part;
		memcpy(at, q[i], sizeof at);
		convert_nearest_angles(s->fit, straight, at);
		*off = fmax(*off, convert_deviation(&s->meter, straight, at));
	}
	return 0;
}

/* Add the key at a time and the keys that the segment to another time needs. The rotation there is `q`. Returns 0 or -1. */
static int add_segment(struct straight *s, float from_s, float to_s, const double q[ANIM_COMPONENTS_MAX], int halvings)
{
	double limit = MEASURED * s->fit->tolerance, samples[SAMPLES][ANIM_COMPONENTS_MAX] = {{0}}, off;
	struct convert_piece piece = {.from_s = from_s, .to_s = to_s, .mode = ANIM_LINEAR};
	float middle = (float)((double)from_s + ((double)to_s - (double)from_s) / 2);

	memcpy(piece.to, q, sizeof piece.to);
	convert_nearest_angles(s->fit, s->last, piece.to);
	off = to_s > from_s ? bound_of(s->last, piece.to) : 0;
	if (off > limit) {
		if (sample_between(s, (double)from_s, (double)to_s, piece.to, samples, &off) != 0)
			return -1;
		if (off > limit && halvings > 0 && middle > from_s && middle < to_s && s->budget > 0) {
			s->budget--;
			return add_segment(s, from_s, middle, samples[SAMPLES / 2], halvings - 1) != 0 ||
				       add_segment(s, middle, to_s, q, halvings - 1) != 0
				   ? -1
				   : 0;
		}
		off *= SPARE;
	}
	s->worst = fmax(s->worst, off);
	for (int i = 0; i < 3; i++)
		s->size = fmax(s->size, fabs(piece.to[i]));
	memcpy(piece.from, s->last, sizeof piece.from);
	memcpy(s->last, piece.to, sizeof s->last);
	return convert_keys_add(s->fit->keys, &piece, s->error);
}

static void rotation_at(const struct anim_track *track, size_t k, double q[ANIM_COMPONENTS_MAX])
{
	memset(q, 0, ANIM_COMPONENTS_MAX * sizeof *q);
	anim_components(track->type, track->value, k, q);
}

int convert_fit_straight(struct convert_fitting *fit, double *worst, struct anim_error *error)
{
	struct straight s = {.fit = fit, .meter = {.fit = fit}, .error = error};
	static const double none[ANIM_COMPONENTS_MAX];
	const struct anim_track *track = fit->source->tracks[0];
	struct convert_piece last = {.mode = ANIM_LINEAR};

	if (!is_straight(fit))
		return 0;
	rotation_at(track, 0, s.last);
	convert_nearest_angles(fit, none, s.last);
	for (size_t k = 0; k + 1 < track->n; k++) {
		double q[ANIM_COMPONENTS_MAX];

		rotation_at(track, k + 1, q);
		s.budget = BUDGET_EACH;
		if (add_segment(&s, track->time[k], track->time[k + 1], q, HALVINGS) != 0)
			return -1;
	}
	last.from_s = last.to_s = track->time[track->n - 1];
	memcpy(last.from, s.last, sizeof last.from);
	memcpy(last.to, s.last, sizeof last.to);
	*worst = s.worst + 0x1p-22 * s.size; /* plus the rounding of three angles */
	*worst = *worst > QUIET ? *worst : 0;
	return convert_keys_add(fit->keys, &last, error) != 0 ? -1 : 1;
}

int convert_choose_order(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	bool is_euler = strcmp(t->property, "euler") == 0;
	uint32_t order = (uint32_t)(is_euler ? anim_track_order(t) : ANIM_EULER_ZYX);
	struct anim_error outside = {0};
	const char *path;

	if (!c->caps.euler_only || !anim_track_is_transform(t) || (!is_euler && strcmp(t->property, "rotation") != 0))
		return 0;
	path = anim_tree_path(c->filter.clip.root, t->node, &c->scratch, &outside);
	if (path == NULL && outside.code == ANIM_NO_MEMORY)
		return anim_fail_memory(error);
	if (path == NULL) /* the writer reports nodes outside its tree */
		path = t->node;
	if (!anim_map_get(&c->orders, 0, path, strlen(path), &order)) {
		path = anim_arena_text(&c->order_names, path, strlen(path), error);
		if (path == NULL || anim_map_put(&c->orders, 0, path, strlen(path), order, error) != 0)
			return -1;
	}
	c->order = (enum anim_euler_order)order;
	return 0;
}
