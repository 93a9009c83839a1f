/* curved.c: tracks whose keys have slopes as they come: cubics from key to key, and what is none of these stays. */
#include <math.h>
#include <string.h>

#include "clip/cubic.h"
#include "filter/reduce/internal.h"

/* A handle has a length of its own between key k and the next: what is there is no cubic in time. */
static bool has_own_handle(const struct anim_track *track, size_t k)
{
	return track->weighted != NULL && ((track->right_x != NULL && (track->weighted[k] & 2)) ||
					   (track->left_x != NULL && (track->weighted[k + 1] & 1)));
}

bool reduce_slopes_between(const struct anim_track *track, size_t k, double *leaving, double *arriving)
{
	enum anim_interp mode = anim_track_interp(track, k);
	unsigned components = anim_types[track->type].components;
	double seconds = anim_track_time(track, k + 1) - anim_track_time(track, k), from[ANIM_COMPONENTS_MAX],
	       to[ANIM_COMPONENTS_MAX];
	bool straight = mode == ANIM_LINEAR && !anim_types[track->type].quaternion, finite = true;

	if (!(seconds > 0) || (mode == ANIM_WEIGHTED && has_own_handle(track, k)) ||
	    (track->ease != NULL && track->ease[k] != 1))
		return false;
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
	for (size_t k = 0; k + 1 < track->n; k++)
		if (anim_track_interp(track, k) != ANIM_LINEAR && reduce_slopes_between(track, k, slopes[0], slopes[1]))
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

/* The same of a curve whose components have handles of their own lengths: it is in the box of their control values. */
static double largest_in_box(const struct anim_track *track, size_t k, bool length)
{
	double square = 0, most = 0;
	struct anim_cubic curve;

	for (unsigned c = 0; c < anim_types[track->type].components; c++) {
		double largest = 0;

		if (!anim_cubic_read(track, k, c, &curve))
			return 0;
		for (int i = 0; i < 4; i++)
			largest = fmax(largest, fabs(curve.y[i]));
		square += largest * largest;
		most = fmax(most, largest);
	}
	return length ? sqrt(square) : most;
}

double reduce_largest_control(const struct anim_track *track, bool length)
{
	double most = 0;

	for (size_t k = 0; k + 1 < track->n; k++) {
		double slopes[2][ANIM_COMPONENTS_MAX], value[ANIM_COMPONENTS_MAX];
		double third = (anim_track_time(track, k + 1) - anim_track_time(track, k)) / 3;

		if (!reduce_slopes_between(track, k, slopes[0], slopes[1])) {
			most = fmax(most, largest_in_box(track, k, length));
			continue;
		}
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

int reduce_read_slopes(struct reduce_work *work, const struct anim_track *track, struct reduce_run *run,
		       struct anim_error *error)
{
	size_t numbers = run->n * run->components * sizeof(double);
	double *leaving, *arriving;
	uint8_t *fixed;

	work->slopes.size = work->arriving.size = work->fixed.size = 0;
	leaving = anim_buffer_extend(&work->slopes, numbers, error);
	arriving = anim_buffer_extend(&work->arriving, numbers, error);
	fixed = anim_buffer_extend(&work->fixed, run->n, error);
	if (leaving == NULL || arriving == NULL || fixed == NULL)
		return -1;
	for (size_t k = 0; k + 1 < run->n; k++)
		fixed[k] = !reduce_slopes_between(track, k, leaving + k * run->components,
						  arriving + (k + 1) * run->components);
	run->leaving = leaving;
	run->arriving = arriving;
	run->fixed = fixed;
	return 0;
}

/* ---- Keys that stay ---- */

/* The last key is the end of a new cubic, or its beginning. 0 or -1. */
static int set_slope(struct anim_keys *keys, const struct anim_track *track, const struct reduce_cubic *cubic,
		     bool leaving, struct anim_error *error)
{
	double numbers[ANIM_COMPONENTS_MAX] = {0};
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	uint8_t *mode = keys->column[ANIM_COLUMN_INTERP].data + keys->n - 1;

	memcpy(numbers, leaving ? cubic->leaving : cubic->arriving,
	       anim_types[track->type].components * sizeof *numbers);
	anim_value_store(keys->type, numbers, value);
	if (leaving && *mode != ANIM_WEIGHTED)
		*mode = ANIM_HERMITE;
	if (track->weighted != NULL)
		keys->column[ANIM_COLUMN_WEIGHTED].data[keys->n - 1] &= (uint8_t)(leaving ? ~2 : ~1);
	return anim_keys_set(keys, leaving ? ANIM_COLUMN_RIGHT : ANIM_COLUMN_LEFT, value, error);
}

int reduce_add_curved(struct anim_keys *keys, const struct anim_track *track, const struct reduce_run *run,
		      const uint8_t *keep, struct anim_error *error)
{
	struct reduce_cubic cubic;
	bool fitted = false; /* what ends at the key is new */

	for (size_t k = reduce_first_kept(keep, run->n), next; k < run->n; k = next) {
		if (anim_keys_add_part(keys, track, k, 1, 0, error) != 0 ||
		    (fitted && set_slope(keys, track, &cubic, false, error) != 0))
			return -1;
		next = reduce_next_kept(keep, run->n, k);
		fitted = next < run->n && next > k + 1;
		if (!fitted)
			continue;
		reduce_cubic_fit(run, k, next, &cubic);
		if (set_slope(keys, track, &cubic, true, error) != 0)
			return -1;
	}
	return 0;
}
