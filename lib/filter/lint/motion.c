/* motion.c: what is seen when a clip plays: loops that jump from their end to their start; how a foot that slides is told. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "clip/keys.h"
#include "filter/lint/internal.h"
#include "math/elementary.h"

/* ---- Numbers as they are told ---- */

/* To a thousandth: seconds, degrees. */
static const char *fixed_text(char out[ANIM_NUMBER_MAX + 1], double value)
{
	out[anim_number_print_float(out, (float)(anim_round(value * 1000) / 1000))] = '\0';
	return out;
}

/* To three digits: what may be of any size. */
static const char *short_text(char out[ANIM_NUMBER_MAX + 1], double value)
{
	double unit = 1;

	while (fabs(value) >= 1000 * unit && unit < 1e30)
		unit *= 10;
	while (fabs(value) < 100 * unit && unit > 1e-30)
		unit /= 10;
	out[anim_number_print_float(out, (float)(anim_round(value / unit) * unit))] = '\0';
	return out;
}

/* ---- Loops ---- */

#define SEAM_DEGREES 1  /* how far apart rotations may be */
#define SEAM_SHARE 0.01 /* and what is none, of the range of its values */
#define SEAM_NOISE 1e-5 /* of its size: what rounding may make of a value that stays */

/* A clip that goes there and back has no seam; of formats that do not say so, each may be meant to loop. */
static bool may_loop(const struct anim_clip *clip)
{
	bool says = strncmp(clip->source, "godot", 5) == 0 || strcmp(clip->source, "unity") == 0;

	return clip->end_s > clip->start_s && (clip->loop == ANIM_LOOP_WRAP || (clip->loop == ANIM_LOOP_NONE && !says));
}

static double range_of(const struct anim_track *track, unsigned component)
{
	double low = (double)INFINITY, high = -low;

	for (size_t k = 0; k < track->n; k++) {
		double v = anim_component(track->type, track->value, k, component);

		low = v < low ? v : low;
		high = v > high ? v : high;
	}
	return high - low;
}

static bool is_angle(const struct anim_track *track)
{
	return anim_track_is_transform(track) &&
	       (strcmp(track->property, "euler") == 0 || strcmp(track->property, "angle") == 0);
}

/* Degrees between two rotations, or between angles, whole turns aside. */
static double degrees_between(const struct anim_track *track, const double a[ANIM_COMPONENTS_MAX],
			      const double b[ANIM_COMPONENTS_MAX])
{
	float p[4], q[4];
	double most = 0;

	if (anim_types[track->type].quaternion) {
		anim_components_to_float(p, a, 4);
		anim_components_to_float(q, b, 4);
		return anim_quat_angle(p, q) * (180 / ANIM_PI);
	}
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		double turn = b[i] - a[i];

		most = fmax(most, fabs(turn - ANIM_TAU * anim_round(turn / ANIM_TAU)));
	}
	return most * (180 / ANIM_PI);
}

/* The largest difference of a component; the range of that one, and the size of them all. */
static double difference(const struct anim_track *track, const double a[ANIM_COMPONENTS_MAX],
			 const double b[ANIM_COMPONENTS_MAX], double *range, double *size)
{
	double most = 0;

	*range = *size = 0;
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		double off = fabs(b[i] - a[i]);

		*size = fmax(*size, fmax(fabs(a[i]), fabs(b[i])));
		if (off > most) {
			most = off;
			*range = range_of(track, i);
		}
	}
	return most;
}

static void tell_seam(const struct anim_track *track, double end_s, const double a[ANIM_COMPONENTS_MAX],
		      const double b[ANIM_COMPONENTS_MAX], struct lint_tallies *tallies)
{
	char size[ANIM_NUMBER_MAX + 1], end[ANIM_NUMBER_MAX + 1], share[ANIM_NUMBER_MAX + 1];
	double range, off, size_of;

	if (anim_types[track->type].quaternion || is_angle(track)) {
		off = degrees_between(track, a, b);
		if (off > SEAM_DEGREES)
			lint_count_detail(tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
					  "%s degrees from its end, at %s s, to its start: ", fixed_text(size, off),
					  fixed_text(end, end_s));
		return;
	}
	off = difference(track, a, b, &range, &size_of);
	if (off > SEAM_SHARE * range && off > SEAM_NOISE * size_of)
		lint_count_detail(
		    tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
		    "%s (%s %% of its range) from its end, at %s s, to its start: ", short_text(size, off),
		    fixed_text(share, anim_round(100 * off / range)), fixed_text(end, end_s));
}

int lint_seam(const struct anim_clip *clip, const struct anim_track *track, struct lint_tallies *tallies,
	      struct anim_error *error)
{
	/* At its very end a player of loops may show the start already. */
	const double times[2] = {(double)clip->start_s, (double)nextafterf(clip->end_s, clip->start_s)};
	double values[2][ANIM_COMPONENTS_MAX] = {{0}};
	struct anim_source source;
	int result;

	if (!may_loop(clip) || !anim_play_can(track) || track->property[0] == '@')
		return 0;
	anim_play_open(&source, clip, track);
	anim_source_open(&source, NULL);
	result = anim_play_sample(&source, times, 2, values, error);
	anim_source_close(&source);
	if (result > 0)
		tell_seam(track, (double)clip->end_s, values[0], values[1], tallies);
	return result < 0 ? -1 : 0;
}

/* ---- Feet ---- */

const char *lint_slide_text(const struct anim_slide *slide, double start_s, char out[LINT_SLIDE_TEXT])
{
	char size[ANIM_NUMBER_MAX + 1], share[ANIM_NUMBER_MAX + 1], from[ANIM_NUMBER_MAX + 1], to[ANIM_NUMBER_MAX + 1];

	snprintf(out, LINT_SLIDE_TEXT, "it slides %s on the ground, %s %% of its leg, from %s s to %s s",
		 short_text(size, slide->size), fixed_text(share, anim_round(100 * slide->share)),
		 fixed_text(from, start_s + slide->from_s), fixed_text(to, start_s + slide->to_s));
	return out;
}
