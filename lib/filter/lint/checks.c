/* checks.c: names that are used twice, and what is wrong with a track's keys for any player. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/lint/internal.h"

/* --- A set of names, to find those used twice --- */

static int join_parts(struct lint_names *names, const char *const parts[LINT_NAME_PARTS], struct anim_error *error)
{
	names->key.size = 0;
	for (int i = 0; i < LINT_NAME_PARTS; i++)
		if (anim_buffer_append(&names->key, parts[i], strlen(parts[i]) + 1, error) != 0)
			return -1;
	return 0;
}

int lint_names_add(struct lint_names *names, const char *const parts[LINT_NAME_PARTS], struct anim_error *error)
{
	if (join_parts(names, parts, error) != 0)
		return -1;
	return anim_text_set_add(&names->set, names->key.data, names->key.size, error);
}

int lint_names_has(struct lint_names *names, const char *const parts[LINT_NAME_PARTS], struct anim_error *error)
{
	if (join_parts(names, parts, error) != 0)
		return -1;
	return anim_text_set_has(&names->set, names->key.data, names->key.size);
}

void lint_names_clear(struct lint_names *names)
{
	anim_text_set_clear(&names->set);
	anim_buffer_clear(&names->key);
}

/* --- What any player would stumble over in a track's keys --- */

#define UNIT_TOLERANCE 1e-3 /* of |q|^2 */
#define STEP_TOLERANCE 1e-3 /* of a sample's step: times and lengths are rounded apart from each other */

static void check_times(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies)
{
	/* A clip of length 0 with later keys is one finding, not one for each key. */
	bool has_end = clip->end_s > clip->start_s;

	for (size_t k = 0; k < track->n; k++) {
		float time_s = track->time[k];

		if (!isfinite(time_s)) {
			lint_count(tallies, LINT_TIME_NOT_FINITE, k);
			continue;
		}
		if (k > 0 && time_s < track->time[k - 1])
			lint_count(tallies, LINT_TIMES_UNSORTED, k);
		if (k > 0 && time_s == track->time[k - 1])
			lint_count(tallies, LINT_TIMES_EQUAL, k);
		if (time_s < clip->start_s)
			lint_count(tallies, LINT_BEFORE_START, k);
		if (has_end && time_s > clip->end_s)
			lint_count(tallies, LINT_PAST_END, k);
	}
}

/* The first sample at or past the clip's end is needed to play up to the end: only those behind it are too many. */
static void check_samples(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies)
{
	double step_s = track->n > 1 ? anim_track_time(track, 1) - anim_track_time(track, 0) : 0;
	double slack_s = step_s * STEP_TOLERANCE, start_s = (double)clip->start_s, end_s = (double)clip->end_s;
	bool has_end = end_s > start_s;

	if (track->rate_num == 0 && track->step_s == 0) {
		lint_count(tallies, LINT_NO_INTERVAL, LINT_NO_KEY);
		return;
	}
	for (size_t k = 0; k < track->n; k++) {
		if (anim_track_time(track, k) < start_s - slack_s)
			lint_count(tallies, LINT_BEFORE_START, k);
		if (has_end && k > 0 && anim_track_time(track, k - 1) > end_s - slack_s)
			lint_count(tallies, LINT_PAST_END, k);
	}
}

static bool is_finite(const struct anim_track *track, const void *column, size_t k)
{
	size_t components = anim_types[track->type].components;
	bool doubles = anim_types[track->type].scalar == ANIM_SCALAR_F64;

	for (size_t i = k * components; i < (k + 1) * components; i++)
		if (doubles ? !isfinite(((const double *)column)[i]) : !isfinite(((const float *)column)[i]))
			return false;
	return true;
}

static bool is_finite_handle(const struct anim_track *track, const float *column, size_t k)
{
	size_t components = anim_types[track->type].components;

	for (size_t i = k * components; column != NULL && i < (k + 1) * components; i++)
		if (!isfinite(column[i]))
			return false;
	return true;
}

/* The slopes of Hermite and Weighted may be infinite or no number: they step. */
static bool needs_finite_tangents(enum anim_interp interp)
{
	return interp == ANIM_TANGENT || interp == ANIM_CUBIC_BEZIER || interp == ANIM_BEZIER_2D;
}

/* Whether the side that segment k uses of its two keys is finite. */
static bool segment_is_finite(const struct anim_track *track, size_t k)
{
	enum anim_interp interp = anim_track_interp(track, k);

	if (track->ease != NULL && interp != ANIM_HOLD && !isfinite(track->ease[k]))
		return false;
	if (track->right != NULL && needs_finite_tangents(interp) &&
	    (!is_finite(track, track->right, k) || !is_finite(track, track->left, k + 1)))
		return false;
	return (interp != ANIM_WEIGHTED && interp != ANIM_BEZIER_2D) ||
	       (is_finite_handle(track, track->right_x, k) && is_finite_handle(track, track->left_x, k + 1));
}

static void check_numbers(const struct anim_track *track, struct lint_tallies *tallies)
{
	for (size_t k = 0; anim_type_is_real(track->type) && k < track->n; k++)
		if (!is_finite(track, track->value, k))
			lint_count(tallies, LINT_VALUE_NOT_FINITE, k);
	for (size_t k = 0; track->kind == ANIM_CURVE && k + 1 < track->n; k++)
		if (!segment_is_finite(track, k))
			lint_count(tallies, LINT_TANGENT_NOT_FINITE, k);
}

static double quaternion_dot(const struct anim_track *track, size_t a, size_t b)
{
	bool doubles = anim_types[track->type].scalar == ANIM_SCALAR_F64;
	double sum = 0;

	for (size_t i = 0; i < 4; i++) {
		if (doubles)
			sum += ((const double *)track->value)[4 * a + i] * ((const double *)track->value)[4 * b + i];
		else
			sum += (double)((const float *)track->value)[4 * a + i] *
			       (double)((const float *)track->value)[4 * b + i];
	}
	return sum;
}

static void check_quaternions(const struct anim_track *track, struct lint_tallies *tallies)
{
	for (size_t k = 0; k < track->n; k++) {
		double length = quaternion_dot(track, k, k);

		if (isfinite(length) && fabs(length - 1) > UNIT_TOLERANCE)
			lint_count(tallies, LINT_QUATERNION_NOT_UNIT, k);
	}
}

static void check_tangents(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (!anim_track_has_interp(track, ANIM_TANGENT))
		return;
	for (size_t k = 0; k < track->n; k++)
		if (anim_track_interp(track, k) == ANIM_TANGENT)
			lint_count(tallies, LINT_TANGENT, k);
}

/* Infinite slopes on either side step a component (Unity); where all do, nothing turns. */
static bool segment_steps(const struct anim_track *track, size_t k)
{
	enum anim_interp interp = anim_track_interp(track, k);
	bool steps = interp == ANIM_HERMITE || interp == ANIM_WEIGHTED;

	for (unsigned i = 0; i < anim_types[track->type].components && steps; i++)
		steps = isinf(anim_component(track->type, track->right, k, i)) ||
			isinf(anim_component(track->type, track->left, k + 1, i));
	return steps || interp == ANIM_HOLD;
}

void lint_turns(const struct anim_track *track, struct lint_tallies *tallies)
{
	for (size_t k = 0; track->kind != ANIM_DISCRETE && k + 1 < track->n; k++)
		if (quaternion_dot(track, k, k + 1) < 0 && !segment_steps(track, k))
			lint_count(tallies, LINT_QUATERNION_LONG_WAY, k + 1);
}

void lint_keys(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies)
{
	if (track->n == 0) {
		lint_count(tallies, LINT_NO_KEYS, LINT_NO_KEY);
		return;
	}
	if (track->kind == ANIM_RAW)
		check_samples(track, clip, tallies);
	else
		check_times(track, clip, tallies);
	check_numbers(track, tallies);
	if (anim_types[track->type].quaternion)
		check_quaternions(track, tallies);
	if (track->kind == ANIM_CURVE)
		check_tangents(track, tallies);
}
