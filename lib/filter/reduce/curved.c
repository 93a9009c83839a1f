/* curved.c: tracks whose keys have slopes as they come: cubics from key to key, and what is none of these stays. */
#include <math.h>
#include <string.h>

#include "filter/reduce/internal.h"

/* Both handles of a Weighted segment take a third of it: then its time is no curve. */
static bool is_weighted(const struct anim_track *track, size_t k)
{
	return anim_track_interp(track, k) == ANIM_WEIGHTED && track->weighted != NULL &&
	       ((track->right_x != NULL && (track->weighted[k] & 2)) ||
		(track->left_x != NULL && (track->weighted[k + 1] & 1)));
}

/*
 * The slopes of the cubic from key k to the next. False where it is none: a step, a curve in time, an arc, or a time with two
 * values.
 */
static bool slopes_between(const struct anim_track *track, size_t k, double *leaving, double *arriving)
{
	enum anim_interp mode = anim_track_interp(track, k);
	unsigned components = anim_types[track->type].components;
	double seconds = anim_track_time(track, k + 1) - anim_track_time(track, k), from[ANIM_COMPONENTS_MAX],
	       to[ANIM_COMPONENTS_MAX];
	bool straight = mode == ANIM_LINEAR && !anim_types[track->type].quaternion, finite = true;

	if (!(seconds > 0) || is_weighted(track, k) || (track->ease != NULL && track->ease[k] != 1) ||
	    !(straight || mode == ANIM_HERMITE || mode == ANIM_WEIGHTED || mode == ANIM_CUBIC_BEZIER))
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

	if (track->kind != ANIM_CURVE || !anim_type_is_real(track->type))
		return false;
	for (size_t k = 0; k + 1 < track->n; k++)
		if (anim_track_interp(track, k) != ANIM_LINEAR && slopes_between(track, k, slopes[0], slopes[1]))
			return true;
	return false;
}

bool reduce_is_all_curved(const struct anim_track *track)
{
	double slopes[2][ANIM_COMPONENTS_MAX];

	for (size_t k = 0; k + 1 < track->n; k++)
		if (!slopes_between(track, k, slopes[0], slopes[1]))
			return false;
	return reduce_is_curved(track);
}

int reduce_read_slopes(struct reduce_work *work, const struct anim_track *track, struct reduce_run *run,
		       struct anim_error *error)
{
	size_t numbers;
	double *slopes;

	work->slopes.size = work->fixed.size = 0;
	if (anim_size_multiply(2 * track->n, run->components * sizeof *slopes, &numbers, error) != 0 ||
	    anim_buffer_extend(&work->slopes, numbers, error) == NULL ||
	    anim_buffer_extend(&work->fixed, track->n, error) == NULL)
		return -1;
	memset(work->slopes.data, 0, numbers);
	memset(work->fixed.data, 0, track->n);
	slopes = (double *)(void *)work->slopes.data;
	run->leaving = slopes;
	run->arriving = slopes + track->n * run->components;
	run->fixed = work->fixed.data;
	for (size_t k = 0; k + 1 < track->n; k++) {
		double leaving[ANIM_COMPONENTS_MAX], arriving[ANIM_COMPONENTS_MAX];

		work->fixed.data[k] = !slopes_between(track, k, leaving, arriving);
		if (work->fixed.data[k])
			continue;
		memcpy(slopes + k * run->components, leaving, run->components * sizeof *slopes);
		memcpy(slopes + (track->n + k + 1) * run->components, arriving, run->components * sizeof *slopes);
	}
	return 0;
}

double reduce_largest_control(const struct anim_track *track, bool length)
{
	double most = 0;

	for (size_t k = 0; k + 1 < track->n; k++) {
		double slopes[2][ANIM_COMPONENTS_MAX], value[ANIM_COMPONENTS_MAX];
		double third = (anim_track_time(track, k + 1) - anim_track_time(track, k)) / 3;

		if (!slopes_between(track, k, slopes[0], slopes[1]))
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

/* The last key is the end of a new cubic, or its beginning. 0 or -1. */
static int set_slope(struct anim_keys *keys, const struct anim_track *track, const double *slope, bool leaving,
		     struct anim_error *error)
{
	double numbers[ANIM_COMPONENTS_MAX] = {0};
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	uint8_t *mode = keys->column[ANIM_COLUMN_INTERP].data + keys->n - 1, *bits;

	memcpy(numbers, slope, anim_types[track->type].components * sizeof *numbers);
	anim_value_store(track->type, numbers, value);
	if (leaving && *mode != ANIM_WEIGHTED)
		*mode = ANIM_HERMITE;
	if (track->weighted != NULL) {
		bits = keys->column[ANIM_COLUMN_WEIGHTED].data + keys->n - 1;
		*bits &= (uint8_t)(leaving ? ~2 : ~1);
	}
	return anim_keys_set(keys, leaving ? ANIM_COLUMN_RIGHT : ANIM_COLUMN_LEFT, value, error);
}

int reduce_add_curved(struct anim_keys *keys, const struct anim_track *track, const struct reduce_run *run,
		      const uint8_t *keep, struct anim_error *error)
{
	struct reduce_cubic cubic;
	bool fitted = false; /* what ends at the key is new */

	for (size_t k = 0, next; k < run->n; k = next) {
		if (anim_keys_add_part(keys, track, k, 1, 0, error) != 0 ||
		    (fitted && set_slope(keys, track, cubic.arriving, false, error) != 0))
			return -1;
		next = reduce_next_kept(keep, run->n, k);
		fitted = next < run->n && next > k + 1;
		if (!fitted)
			continue;
		reduce_cubic_fit(run, k, next, &cubic);
		if (set_slope(keys, track, cubic.leaving, true, error) != 0)
			return -1;
	}
	return 0;
}
