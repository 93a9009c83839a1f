/* curved.c: tracks whose keys have slopes as they come: cubics from key to key, and what is none of these stays. */
#include <math.h>
#include <string.h>

#include "filter/reduce/internal.h"
#include "math/curve.h"

#define ONE_KEY 2e-5 /* seconds, or of the time: Godot takes keys that are nearer by half for one */

/*
 * Godot's cubic by four keys between two of them, which is one in time: through what it shows at both and at two times between.
 * False where it is none.
 */
static bool cubic_by_keys(const struct anim_track *track, size_t k, double *leaving, double *arriving)
{
	size_t before = k > 0 ? k - 1 : 0, after = k + 2 < track->n ? k + 2 : k + 1;
	double at_s = anim_track_time(track, k), to_t = anim_track_time(track, k + 1) - at_s;
	double before_t = anim_track_time(track, before) - at_s, after_t = anim_track_time(track, after) - at_s;

	if (!reduce_has_neighbours(track) || !(to_t > ONE_KEY * fmax(1, at_s)))
		return false;
	for (unsigned c = 0; c < anim_types[track->type].components; c++) {
		double a = anim_component(track->type, track->value, k, c),
		       b = anim_component(track->type, track->value, k + 1, c),
		       outer[2] = {anim_component(track->type, track->value, before, c),
				   anim_component(track->type, track->value, after, c)};
		double one = anim_cubic_in_time_double(a, b, outer[0], outer[1], 1.0 / 3, to_t, before_t, after_t),
		       two = anim_cubic_in_time_double(a, b, outer[0], outer[1], 2.0 / 3, to_t, before_t, after_t);

		leaving[c] = (double)(float)((-11 * a + 18 * one - 9 * two + 2 * b) / (2 * to_t));
		arriving[c] = (double)(float)((11 * b - 18 * two + 9 * one - 2 * a) / (2 * to_t));
		if (!isfinite(leaving[c]) || !isfinite(arriving[c]))
			return false;
	}
	return true;
}

bool reduce_has_neighbours(const struct anim_track *track)
{
	enum anim_type type = track->type;
	bool numbers = (type >= ANIM_FLOAT && type <= ANIM_FLOAT3) || (type >= ANIM_DOUBLE && type <= ANIM_DOUBLE3);

	return track->kind == ANIM_CURVE && track->interp == ANIM_CUBIC_TIME && numbers &&
	       (track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_PLAIN);
}

bool reduce_slopes_between(const struct anim_track *track, size_t k, double *leaving, double *arriving)
{
	enum anim_interp mode = anim_track_interp(track, k);
	unsigned components = anim_types[track->type].components;
	double seconds = anim_track_time(track, k + 1) - anim_track_time(track, k), from[ANIM_COMPONENTS_MAX],
	       to[ANIM_COMPONENTS_MAX];
	bool straight = mode == ANIM_LINEAR && !anim_types[track->type].quaternion, finite = true;

	if (!(seconds > 0) || reduce_is_timed(track, k) || (track->ease != NULL && track->ease[k] != 1))
		return false;
	if (mode == ANIM_CUBIC_TIME)
		return cubic_by_keys(track, k, leaving, arriving);
	if (!(straight || mode == ANIM_HERMITE || mode == ANIM_WEIGHTED || mode == ANIM_CUBIC_BEZIER))
		return false;
	anim_components(track->type, track->value, k, from);
	anim_components(track->type, track->value, k + 1, to);
	if (!straight) {
		anim_components(track->type, track->right, k, leaving);
		anim_components(track->type, track->left, k + 1, arriving);
	}
	for (unsigned c = 0; c < components; c++) {
		if (straight)
			leaving[c] = arriving[c] = (to[c] - from[c]) / seconds;
		if (mode == ANIM_CUBIC_BEZIER) {
			leaving[c] = 3 * (leaving[c] - from[c]) / seconds;
			arriving[c] = 3 * (to[c] - arriving[c]) / seconds;
		}
		finite = finite && isfinite(leaving[c]) && isfinite(arriving[c]);
	}
	return finite;
}

bool reduce_is_curved(const struct anim_track *track)
{
	double slopes[2][ANIM_COMPONENTS_MAX];

	if (track->kind != ANIM_CURVE || !anim_type_is_real(track->type) || track->interp == ANIM_LINEAR)
		return false;
	/* of cubics by neighbours none stays what it is without them */
	for (size_t k = 0; k + 1 < track->n && track->interp == ANIM_CUBIC_TIME; k++)
		if (!reduce_slopes_between(track, k, slopes[0], slopes[1]))
			return false;
	for (size_t k = 0; k + 1 < track->n; k++)
		if (anim_track_interp(track, k) != ANIM_LINEAR &&
		    (reduce_slopes_between(track, k, slopes[0], slopes[1]) || reduce_has_time(track, k)))
			return true;
	return false;
}

bool reduce_is_all_curved(const struct anim_track *track)
{
	double slopes[2][ANIM_COMPONENTS_MAX];

	for (size_t k = 0; k + 1 < track->n; k++)
		if (!reduce_slopes_between(track, k, slopes[0], slopes[1]))
			return false;
	return reduce_is_curved(track);
}

double reduce_largest_control(const struct anim_track *track, bool length)
{
	double most = 0;

	for (size_t k = 0; k + 1 < track->n; k++) {
		double slopes[2][ANIM_COMPONENTS_MAX], value[ANIM_COMPONENTS_MAX];
		double third = (anim_track_time(track, k + 1) - anim_track_time(track, k)) / 3;

		if (reduce_has_time(track, k))
			most = fmax(most, reduce_timed_control(track, k, length));
		if (!reduce_slopes_between(track, k, slopes[0], slopes[1]))
			continue;
		for (size_t end = 0; end < 2; end++) {
			double square = 0, largest = 0;

			anim_components(track->type, track->value, k + end, value);
			for (unsigned c = 0; c < anim_types[track->type].components; c++) {
				double number = value[c] + (end == 0 ? third : -third) * slopes[end][c];

				square += number * number;
				largest = fmax(largest, fabs(number));
			}
			most = fmax(most, length ? sqrt(square) : largest);
		}
	}
	return most;
}

/* ---- Keys that stay ---- */

/* A handle that takes a third of the cubic. 0 or -1. */
static int set_handle(struct anim_keys *keys, double seconds, bool leaving, struct anim_error *error)
{
	float x = (float)(leaving ? seconds / 3 : -seconds / 3);

	return anim_keys_set(keys, leaving ? ANIM_COLUMN_RIGHT_X : ANIM_COLUMN_LEFT_X, &x, error);
}

/* The last key is the end of a new cubic, or its beginning. 0 or -1. */
static int set_slope(struct anim_keys *keys, const struct anim_track *track, const struct reduce_cubic *cubic,
		     bool handles, bool leaving, struct anim_error *error)
{
	const double *slope = leaving ? cubic->leaving : cubic->arriving;
	double numbers[ANIM_COMPONENTS_MAX] = {0};
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	uint8_t *mode = keys->column[ANIM_COLUMN_INTERP].data + keys->n - 1, *bits;

	memcpy(numbers, slope, anim_types[track->type].components * sizeof *numbers);
	if (handles)
		numbers[0] *= leaving ? cubic->length_s / 3 : -cubic->length_s / 3;
	anim_value_store(keys->type, numbers, value);
	if (handles && set_handle(keys, cubic->length_s, leaving, error) != 0)
		return -1;
	if (leaving && *mode != ANIM_WEIGHTED && !handles)
		*mode = ANIM_HERMITE;
	if (track->weighted != NULL) {
		bits = keys->column[ANIM_COLUMN_WEIGHTED].data + keys->n - 1;
		*bits &= (uint8_t)(leaving ? ~2 : ~1);
	}
	return anim_keys_set(keys, leaving ? ANIM_COLUMN_RIGHT : ANIM_COLUMN_LEFT, value, error);
}

/* One of the track's, or on a curve of it. 0 or -1. */
static int add_kept(struct anim_keys *keys, const struct anim_track *track, const struct reduce_run *run, size_t k,
		    struct anim_error *error)
{
	double numbers[ANIM_COMPONENTS_MAX] = {0};
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	enum anim_interp mode = run->handles                     ? ANIM_BEZIER_2D
				: track->interp == ANIM_WEIGHTED ? ANIM_WEIGHTED
								 : ANIM_HERMITE;

	if (run->key[k] != REDUCE_BETWEEN)
		return anim_keys_add_part(keys, track, run->key[k], 1, 0, error);
	memcpy(numbers, run->value + k * run->components, run->components * sizeof *numbers);
	anim_value_store(keys->type, numbers, value);
	return anim_keys_add(keys, (float)run->time[k], value, mode, error);
}

bool reduce_is_whole(const struct reduce_run *run, size_t k)
{
	return run->key[k] != REDUCE_BETWEEN && run->key[k + 1] == run->key[k] + 1;
}

int reduce_add_curved(struct anim_keys *keys, const struct anim_track *track, const struct reduce_run *run,
		      const uint8_t *keep, struct anim_error *error)
{
	struct reduce_cubic cubic;
	bool fitted = false; /* what ends at the key is new */

	for (size_t k = reduce_first_kept(keep, run->n), next; k < run->n; k = next) {
		if (add_kept(keys, track, run, k, error) != 0 ||
		    (fitted && set_slope(keys, track, &cubic, run->handles, false, error) != 0))
			return -1;
		next = reduce_next_kept(keep, run->n, k);
		fitted = next < run->n && !(next == k + 1 && reduce_is_whole(run, k));
		if (!fitted)
			continue;
		reduce_cubic_fit(run, k, next, &cubic);
		if (set_slope(keys, track, &cubic, run->handles, true, error) != 0)
			return -1;
	}
	return 0;
}
