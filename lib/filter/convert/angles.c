/* angles.c: rotations for targets that have only Euler angles: the order of a node, and Linear keys without a curve fit. */
#include <math.h>
#include <string.h>

#include "filter/convert/track.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define DEGREES (180 / ANIM_PI)
#define SAMPLES 3  /* per segment, without its ends */
#define SPARE 1.25 /* factor of the error for the times between the samples */
#define MEASURED \
	0.785       /* share of the tolerance for the error at samples; the remainder is for other times and rounding */
#define SMALL 0.3   /* radians: the bound below holds for rotations whose angles change by no more than this in all */
#define NEAR 0.7    /* cosine of half the largest rotation between two keys that samples can follow */
#define HALVINGS 20 /* of one segment */
#define BUDGET_EACH 256 /* additional keys between two keys of the source */

struct straight {
	struct convert_fitting *fit;
	struct convert_meter meter;
	struct anim_error *error;
	const struct anim_track *own;     /* the source's own angles in the target's order, or NULL */
	double last[ANIM_COMPONENTS_MAX]; /* angles at the end of the last segment */
	double worst, size;               /* the largest error; the largest angle */
	unsigned budget;
};

/* The rotation at the end of a segment. */
struct ending {
	bool is_key; /* it is key k of the source, and not in `q` */
	size_t k;
	double q[ANIM_COMPONENTS_MAX]; /* a sample */
};

/* Return whether the rotation from the key before key k is so large that samples may not follow it. */
static bool is_large(const struct convert_fitting *fit, size_t k, bool by_component)
{
	double q[2][ANIM_COMPONENTS_MAX] = {{0}}, dot, size;

	anim_source_element(fit->source, k - 1, q[0]);
	anim_source_element(fit->source, k, q[1]);
	dot = anim_quat_dot_double(q[0], q[1]);
	size = anim_quat_dot_double(q[0], q[0]) * anim_quat_dot_double(q[1], q[1]);
	return !((by_component ? dot : fabs(dot)) > NEAR * sqrt(size));
}

/* Return the distance from a key at t within which the source's player shows the key. */
static double reach_at(const struct convert_fitting *fit, float t)
{
	return anim_rules_reach(anim_source_first(fit->source)->rules, (double)t - (double)fit->source->clip->start_s);
}

/*
 * Return whether Godot's player plays the track like a plain one, except close to a key: it accepts all rotations, shows the
 * outer keys until the ends of the clip, and distinguishes all keys.
 */
static bool is_plain_in_godot(const struct convert_fitting *fit, const struct anim_track *track)
{
	const struct anim_clip *clip = fit->source->clip;
	float first = track->time[0], last = track->time[track->n - 1];
	bool wraps = clip->loop != ANIM_LOOP_NONE && (track->flags & ANIM_LOOP_WRAP_KEYS);

	if (anim_godot_refuses_some(track) || first < clip->start_s || last > clip->end_s)
		return false;
	if ((wraps || track->rules == ANIM_RULES_GODOT3) && !(first == clip->start_s && last == clip->end_s))
		return false;
	for (size_t k = 1; k < track->n; k++)
		if (!((double)track->time[k] - (double)track->time[k - 1] >
		      CONVERT_APART * reach_at(fit, track->time[k])))
			return false;
	return true;
}

/*
 * Return whether the source is a plain curve of Linear quaternions whose keys samples can follow. If the player blends by
 * component, a rotation near 180 degrees, or between quaternions of opposite signs, happens almost at once. Other large
 * rotations are halved.
 */
static bool is_straight(const struct convert_fitting *fit)
{
	const struct anim_source *s = fit->source;
	const struct anim_track *track = anim_source_first(s);
	bool holds = track->pre == ANIM_EXTRAPOLATION_HOLD && track->post == ANIM_EXTRAPOLATION_HOLD;

	if (s->joined || s->step != ANIM_STEP_KEEP || track->kind != ANIM_CURVE || track->type != ANIM_FLOATQ ||
	    track->interp != ANIM_LINEAR || track->ease != NULL || (track->flags & ANIM_UNSORTED) || !holds)
		return false;
	if (anim_rules_are_godot(track->rules) ? !is_plain_in_godot(fit, track)
					       : track->rules != ANIM_RULES_PLAIN && track->rules != ANIM_RULES_UNITY)
		return false;
	if (!fit->caps->ends && !convert_is_inside(fit, track, false))
		return false;
	for (size_t k = 1; k < track->n && anim_rules_blend_components(s->clip, track->rules); k++)
		if (is_large(fit, k, true))
			return false;
	return true;
}

#define CHORD \
	2.23 /* the angle of a rotation is at most that many times the distance of its quaternions, and 2 times for small ones */

void convert_add_beside(struct convert_fitting *fit, double reach_s, double seconds,
			const double from[ANIM_COMPONENTS_MAX], const double to[ANIM_COMPONENTS_MAX])
{
	/* a bound of the angle between the two rotations in degrees, which is close for small ones */
	double size = sqrt(anim_quat_dot_double(from, from) * anim_quat_dot_double(to, to));
	double angle = CHORD * sqrt(fmax(0, 2 - 2 * fabs(anim_quat_dot_double(from, to)) / size)) * DEGREES;

	fit->beside = fmax(fit->beside, reach_s * angle / seconds);
	fit->beside_s = fmax(fit->beside_s, 2 * reach_s);
}

/*
 * Record the error beside key k and the key before it, because Godot's player shows the value of the key: the speed times the
 * distance.
 */
static void add_beside(struct convert_fitting *fit, size_t k)
{
	const struct anim_track *track = anim_source_first(fit->source);
	double reach = reach_at(fit, track->time[k]);
	double q[2][ANIM_COMPONENTS_MAX] = {{0}}, seconds;

	if (!(reach > 0))
		return;
	anim_source_element(fit->source, k - 1, q[0]);
	anim_source_element(fit->source, k, q[1]);
	seconds = (double)track->time[k] - (double)track->time[k - 1];
	convert_add_beside(fit, reach, seconds, q[0], q[1]);
}

double convert_lines_apart(const double degrees[3], enum anim_euler_order order)
{
	const char *axes = anim_euler_order_names[order];
	double outer = fabs(degrees[axes[0] - 'X']) / DEGREES, middle = fabs(degrees[axes[1] - 'X']) / DEGREES;
	double inner = fabs(degrees[axes[2] - 'X']) / DEGREES, sum = outer + middle + inner, bend;

	if (!(sum <= SMALL))
		return (double)INFINITY;
	bend = sqrt(middle * middle * (outer + inner) * (outer + inner) + outer * outer * inner * inner);
	return bend * (1 + sum / 2 + sum * sum / 3) / 8 * DEGREES;
}

/* Return convert_lines_apart of the change between two triples of angles in degrees. */
static double bound_of(const struct straight *s, const double from[ANIM_COMPONENTS_MAX],
		       const double to[ANIM_COMPONENTS_MAX])
{
	const double change[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};

	return convert_lines_apart(change, s->fit->order);
}

/* Sample the rotations of the source between two times, and the error of Linear angles there. Returns 0 or -1. */
static int sample_between(struct straight *s, double from_s, double to_s, const double to[ANIM_COMPONENTS_MAX],
			  double q[SAMPLES][ANIM_COMPONENTS_MAX], double *off)
{
	double t[SAMPLES], reach = reach_at(s->fit, (float)to_s);

	for (int i = 0; i < SAMPLES; i++) {
		t[i] = (double)(float)(from_s + (to_s - from_s) * (i + 1) / (SAMPLES + 1));
		t[i] = fmin(fmax(t[i], from_s + reach), to_s - reach);
	}
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

#define SAME 1e-6 /* degrees: the source's own angles are exact, the angles of its rotation are rounded */

/*
 * Set the source's own angles, by whole rotations nearest to the last ones: unchanged, or the other triple that gives
 * the same rotation. Keep the numbers of the source if they need no whole rotation.
 */
static void set_own_angles(const struct straight *s, const double own[3], double v[ANIM_COMPONENTS_MAX])
{
	double other[3], off[2] = {0, 0};
	int middle = anim_euler_order_names[s->fit->order][1] - 'X';

	for (int i = 0; i < 3; i++) {
		other[i] = (i == middle ? -own[i] : own[i]) + 180;
		other[i] += 360 * rint((s->last[i] - other[i]) / 360);
		v[i] = own[i] + 360 * rint((s->last[i] - own[i]) / 360);
		off[0] += fabs(v[i] - s->last[i]);
		off[1] += fabs(other[i] - s->last[i]);
	}
	if (off[1] < off[0])
		memcpy(v, other, sizeof other);
	v[3] = 0;
}

/*
 * Set the angles of a rotation that are nearest to the last ones. The source's own angles save the way through the rotation.
 * If the middle angle is near 90 degrees, other angles of the same rotation can be nearer.
 */
static void set_angles(const struct straight *s, const struct ending *end, double v[ANIM_COMPONENTS_MAX])
{
	double near[ANIM_COMPONENTS_MAX] = {0}, own[ANIM_COMPONENTS_MAX], off = 0;
	bool has_own = end->is_key && s->own != NULL;

	if (has_own) {
		anim_components(s->own->type, s->own->value, end->k, own);
		for (int i = 0; i < 3 && !(s->own->flags & ANIM_DEGREES); i++)
			own[i] *= DEGREES;
		set_own_angles(s, own, v);
		if (bound_of(s, s->last, v) <= MEASURED * s->fit->tolerance)
			return;
	}
	if (end->is_key)
		anim_source_element(s->fit->source, end->k, near);
	else
		memcpy(near, end->q, sizeof near);
	convert_nearest_angles(s->fit, s->last, near);
	for (int i = 0; has_own && i < 3; i++)
		off = fmax(off, fabs(near[i] - v[i]));
	if (!has_own || off > SAME)
		memcpy(v, near, sizeof near);
}

/* Add the key at a time and the keys that the segment to another time needs. Returns 0 or -1. */
static int add_segment(struct straight *s, float from_s, float to_s, const struct ending *end, int halvings)
{
	double limit = MEASURED * s->fit->tolerance, samples[SAMPLES][ANIM_COMPONENTS_MAX], off;
	struct convert_piece piece = {.from_s = from_s, .to_s = to_s, .mode = ANIM_LINEAR};
	float middle = (float)((double)from_s + ((double)to_s - (double)from_s) / 2);
	bool is_short = (double)to_s - (double)from_s <= CONVERT_APART * reach_at(s->fit, to_s);

	set_angles(s, end, piece.to);
	off = to_s > from_s ? bound_of(s, s->last, piece.to) : 0;
	if (off > limit) {
		if (sample_between(s, (double)from_s, (double)to_s, piece.to, samples, &off) != 0)
			return -1;
		if (halvings == HALVINGS && is_large(s->fit, end->k, false))
			off = (double)INFINITY;
		if (off > limit && halvings > 0 && middle > from_s && middle < to_s && !is_short && s->budget > 0) {
			struct ending half = {.is_key = false};

			s->budget--;
			memcpy(half.q, samples[SAMPLES / 2], sizeof half.q);
			return add_segment(s, from_s, middle, &half, halvings - 1) != 0 ||
				       add_segment(s, middle, to_s, end, halvings - 1) != 0
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

int convert_fit_straight(struct convert_fitting *fit, double *worst, struct anim_error *error)
{
	struct straight s = {.fit = fit, .meter = {.fit = fit}, .error = error};
	const struct anim_track *track = fit->source->tracks[0];
	struct convert_piece last = {.mode = ANIM_LINEAR};
	struct ending end = {.is_key = true};

	if (convert_keeps_angles(fit->source, fit->order))
		s.own = track;
	else if (!is_straight(fit))
		return 0;
	fit->keys->straight = true;
	set_angles(&s, &end, s.last);
	last.to_s = (float)anim_track_shown_s(track, 0, fit->source->clip);
	for (end.k = 1; end.k < track->n; end.k++) {
		last.from_s = last.to_s;
		last.to_s = (float)anim_track_shown_s(track, end.k, fit->source->clip);
		s.budget = BUDGET_EACH;
		if (s.own == NULL)
			add_beside(fit, end.k);
		if (add_segment(&s, last.from_s, last.to_s, &end, HALVINGS) != 0)
			return -1;
	}
	last.from_s = last.to_s;
	memcpy(last.from, s.last, sizeof last.from);
	memcpy(last.to, s.last, sizeof last.to);
	*worst = s.worst + 0x1p-22 * s.size; /* plus the rounding of three angles */
	*worst = *worst > CONVERT_NOISE ? *worst : 0;
	return convert_keys_add(fit->keys, &last, error) != 0 ? -1 : 1;
}

bool convert_keeps_angles(const struct anim_source *s, enum anim_euler_order order)
{
	const struct anim_track *track = anim_source_first(s);

	return !s->joined && s->step == ANIM_STEP_EULER && anim_track_is_captured(track) && s->order == order &&
	       track->interp == ANIM_LINEAR && (track->n == 1 || anim_track_step(track) > 0);
}

int convert_choose_order(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	bool is_euler = strcmp(t->property, "euler") == 0;
	uint32_t order = (uint32_t)(is_euler ? anim_track_order(t) : ANIM_EULER_ZYX);
	const char *path;

	if (!c->caps.euler_only || !anim_track_is_transform(t) || (!is_euler && strcmp(t->property, "rotation") != 0))
		return 0;
	if (anim_tree_path_find(c->filter.clip.root, t->node, &path, &c->scratch, error) != 0)
		return -1;
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
