/* curve.c: what a player shows of a track, lane by lane. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/components.h"
#include "filter/plot/internal.h"
#include "math/elementary.h"

#define DEGREES (180 / ANIM_PI)

/* --- Rotations as lanes that do not jump --- */

static void normalize(double q[4])
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	for (int i = 0; i < 4 && length > 0; i++)
		q[i] /= length;
}

/* q seen from `first`: what turns first into q, in the parent's axes; its w is not below 0. */
static void turn_from(const double first[4], const double q[4], double out[4])
{
	const double back[4] = {-first[0], -first[1], -first[2], first[3]};

	anim_quat_multiply_double(out, q, back);
	normalize(out);
	if (out[3] < 0)
		for (int i = 0; i < 4; i++)
			out[i] = -out[i];
}

/* Of the vectors that are this rotation, whole turns apart, the one nearest to the last. */
static void to_vector(const double turn[4], const double last[3], double out[3])
{
	double sine = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
	double angle = 2 * anim_atan2(sine, turn[3]), along = 0, axis[3];
	double size = sqrt(last[0] * last[0] + last[1] * last[1] + last[2] * last[2]);

	for (int i = 0; i < 3; i++) {
		axis[i] = sine > 1e-12 ? turn[i] / sine : size > 0 ? last[i] / size : 0;
		along += axis[i] * last[i] / DEGREES;
	}
	angle += ANIM_TAU * rint((along - angle) / ANIM_TAU);
	for (int i = 0; i < 3; i++)
		out[i] = axis[i] * angle * DEGREES;
}

static void to_euler(const double q[4], const double last[3], enum anim_euler_order order, double out[3])
{
	double angles[3];

	for (int i = 0; i < 3; i++)
		angles[i] = last[i] / DEGREES;
	anim_euler_near(angles, q, order);
	for (int i = 0; i < 3; i++)
		out[i] = angles[i] * DEGREES;
}

static void to_same_side(const double q[4], const double last[4], double out[4])
{
	double dot = q[0] * last[0] + q[1] * last[1] + q[2] * last[2] + q[3] * last[3];

	for (int i = 0; i < 4; i++)
		out[i] = dot < 0 ? -q[i] : q[i];
}

void plot_curve_lanes(struct plot_curve *curve, const double v[ANIM_COMPONENTS_MAX], double out[PLOT_LANES])
{
	double turn[4];

	if (curve->rotation == ANIM_PLOT_QUAT)
		to_same_side(v, curve->last, out);
	else if (curve->rotation == ANIM_PLOT_EULER)
		to_euler(v, curve->last, curve->order, out);
	else
		turn_from(curve->first, v, turn);
	if (curve->rotation == ANIM_PLOT_ROTVEC)
		to_vector(turn, curve->last, out);
	else if (curve->rotation == ANIM_PLOT_ANGLE)
		out[0] =
		    2 * DEGREES * anim_atan2(sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]), turn[3]);
	if (isfinite(out[0]))
		memcpy(curve->last, out, sizeof curve->last);
}

/* --- A curve --- */

const char *anim_plot_refusal(const struct anim_track *track)
{
	if (track->flags & ANIM_DISABLED)
		return "disabled";
	if (track->n == 0)
		return "no keys";
	if (track->type == ANIM_STRING)
		return "texts";
	return track->kind == ANIM_RAW && track->n > 1 && isnan(anim_track_time(track, 1)) ? "interval unknown" : NULL;
}

static bool is_straight(const struct anim_source *play)
{
	return anim_source_blends_linearly(play) && !anim_track_is_turned(anim_source_first(play));
}

/* A sorted track whose numbers are played as they are. */
static bool is_bare(const struct anim_source *play)
{
	const struct anim_track *track = play->tracks[0];

	return play->count == 1 && !play->joined && !play->radians && !play->fraction && !play->bytes &&
	       play->step == ANIM_STEP_KEEP && (track->flags & ANIM_UNSORTED) == 0 &&
	       (track->kind == ANIM_RAW || !anim_rules_are_godot(track->rules) || play->clip->start_s == 0);
}

double plot_factor_of(const struct anim_track *track)
{
	bool angle = anim_track_is_transform(track) &&
		     (strcmp(track->property, "euler") == 0 || strcmp(track->property, "angle") == 0);

	return angle && !(track->flags & ANIM_DEGREES) ? DEGREES : 1;
}

/*
 * The keys that a player has: Godot's lacks those behind the clip's end, but for those of Bezier tracks. They bound what is between
 * them where their numbers are the lanes. 0 or -1.
 */
static int find_keys(struct plot_curve *curve, struct anim_error *error)
{
	struct anim_source *play = curve->play;
	const struct anim_track *track = play->tracks[0];
	struct anim_sampler sampler;

	if (!is_bare(play))
		return 0;
	if (anim_sampler_open(&sampler, play->clip, track, &play->states[0], error) != 0)
		return -1;
	curve->keys = *track;
	if (track->interp != ANIM_BEZIER_2D || sampler.usable < 2)
		curve->keys.n = sampler.usable;
	curve->bounded = curve->keys.n >= 2 && !anim_types[track->type].quaternion && !anim_track_is_turned(track);
	return 0;
}

static unsigned lanes_of(const struct plot_curve *curve, const struct anim_track *track)
{
	if (curve->shape == PLOT_NUMBERS)
		return curve->play->joined ? curve->play->count : anim_types[track->type].components;
	return curve->rotation == ANIM_PLOT_QUAT ? 4 : curve->rotation == ANIM_PLOT_ANGLE ? 1 : 3;
}

int plot_curve_open(struct plot_curve *curve, struct anim_source *play, enum anim_plot_rotation rotation,
		    struct anim_error *error)
{
	const struct anim_track *track = anim_source_first(play);
	double first = anim_track_time(track, 0), value[1][ANIM_COMPONENTS_MAX] = {{0}};

	*curve = (struct plot_curve){.play = play, .rotation = rotation, .factor = plot_factor_of(track)};
	curve->shape = anim_types[track->type].quaternion || play->step == ANIM_STEP_EULER ||
			       play->step == ANIM_STEP_ANGLE || play->unit_length
			   ? PLOT_ROTATION
			   : PLOT_NUMBERS;
	curve->factor = play->radians ? DEGREES : curve->factor;
	curve->hair = plot_hair_at(track, 0);
	curve->order = (enum anim_euler_order)anim_track_order(track);
	curve->lanes = lanes_of(curve, track);
	if (find_keys(curve, error) != 0)
		return -1;
	curve->straight = curve->shape == PLOT_NUMBERS && is_straight(play);
	curve->plain = curve->bounded && plot_is_plain(&curve->keys);
	curve->even = curve->plain && plot_is_even(&curve->keys, &curve->lengths);
	curve->wraps =
	    anim_track_has_interp(track, ANIM_LINEAR_ANGLE) || anim_track_has_interp(track, ANIM_CUBIC_ANGLE);
	curve->leaps = anim_track_has_interp(track, ANIM_BEZIER_2D);
	curve->turned = curve->shape == PLOT_ROTATION && rotation == ANIM_PLOT_ROTVEC && curve->keys.n >= 2 &&
			curve->keys.type == ANIM_FLOATQ;
	if (curve->shape == PLOT_NUMBERS)
		return 0;
	if (anim_source_sample(play, &first, 1, value, error) != 0)
		return -1;
	memcpy(curve->first, value[0], sizeof curve->first);
	normalize(curve->first);
	if (curve->rotation == ANIM_PLOT_QUAT)
		memcpy(curve->last, value[0], sizeof curve->first);
	return 0;
}

int plot_curve_play(struct plot_curve *curve, const double *t, unsigned count, struct plot_values *values,
		    struct anim_error *error)
{
	size_t absent = curve->play->absent;

	memset(values->there, true, count);
	if (anim_source_sample(curve->play, t, count, values->v, error) != 0)
		return -1;
	for (unsigned i = 0; curve->play->absent != absent && i < count; i++) { /* which of them it is */
		size_t before = curve->play->absent;

		if (anim_source_sample(curve->play, t + i, 1, values->v + i, error) != 0)
			return -1;
		values->there[i] = curve->play->absent == before;
	}
	return 0;
}

void plot_curve_show(struct plot_curve *curve, const struct plot_values *values, unsigned i, double out[PLOT_LANES])
{
	const double *v = values->v[i];

	if (values->there[i] && curve->shape == PLOT_ROTATION) {
		plot_curve_lanes(curve, v, out);
		return;
	}
	for (unsigned lane = 0; lane < curve->lanes; lane++)
		out[lane] = values->there[i] ? v[lane] * curve->factor : (double)NAN;
}

int plot_curve_at(struct plot_curve *curve, const double *t, unsigned count, double (*out)[PLOT_LANES],
		  struct anim_error *error)
{
	struct plot_values values;

	if (plot_curve_play(curve, t, count, &values, error) != 0)
		return -1;
	for (unsigned i = 0; i < count; i++)
		plot_curve_show(curve, &values, i, out[i]);
	return 0;
}
