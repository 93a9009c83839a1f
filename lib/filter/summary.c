/* summary.c: the ranges of a track's times and values. */
#include "filter/summary.h"

#include <math.h>

#include "clip/keys.h"
#include "clip/track.h"

/* Widens least..most by a finite value; the first one sets both. */
static void widen(double value, bool *has, double *least, double *most)
{
	if (!isfinite(value))
		return;
	if (!*has || value < *least)
		*least = value;
	if (!*has || value > *most)
		*most = value;
	*has = true;
}

static void times_of(const struct anim_track *track, struct summary *summary)
{
	bool sorted = (track->flags & ANIM_UNSORTED) == 0;
	size_t step = sorted && track->n > 1 ? track->n - 1 : 1;

	for (size_t k = 0; k < track->n; k += step)
		widen(anim_track_time(track, k), &summary->has_times, &summary->first_s, &summary->last_s);
}

static void values_of(const struct anim_track *track, struct summary *summary)
{
	unsigned lanes = anim_types[track->type].lanes;

	if (track->type == ANIM_STRING)
		return;
	for (unsigned lane = 0; lane < lanes; lane++) {
		bool has = false;

		for (size_t k = 0; k < track->n; k++)
			widen(anim_lane(track->type, track->value, k, lane), &has, &summary->least[lane],
			      &summary->most[lane]);
		if (!has)
			return;
	}
	summary->has_range = lanes > 0;
}

static int interp_of(const struct anim_track *track)
{
	if (track->interp != ANIM_INTERP_COLUMN)
		return track->interp;
	for (size_t k = 1; k < track->n; k++)
		if (track->interps[k] != track->interps[0])
			return ANIM_INTERP_COLUMN;
	return track->n > 0 ? track->interps[0] : ANIM_INTERP_COLUMN;
}

/* As the stream stores them: the texts of strings begin at a multiple of 8 behind their lengths. */
static uint64_t bytes_of(const struct anim_track *track)
{
	const struct anim_type_info *info = &anim_types[track->type];
	unsigned present = anim_track_columns(track);
	const uint64_t sizes[ANIM_COLUMN_COUNT] = {
	    [ANIM_COLUMN_TIME] = 4,
	    [ANIM_COLUMN_VALUE] = track->type == ANIM_STRING ? 4 : info->size,
	    [ANIM_COLUMN_INTERP] = 1,
	    [ANIM_COLUMN_LEFT] = info->size,
	    [ANIM_COLUMN_RIGHT] = info->size,
	    [ANIM_COLUMN_LEFT_X] = 4u * info->lanes,
	    [ANIM_COLUMN_RIGHT_X] = 4u * info->lanes,
	    [ANIM_COLUMN_EASE] = 4,
	    [ANIM_COLUMN_WEIGHTED] = 1,
	    [ANIM_COLUMN_HINT] = 4,
	};
	uint64_t bytes = track->strings != NULL ? track->strings->bytes_size + 4 * (track->n % 2) : 0;

	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++)
		bytes += (present >> i & 1) != 0 ? sizes[i] * track->n : 0;
	return bytes;
}

void summary_of(const struct anim_track *track, struct summary *summary)
{
	*summary = (struct summary){.interp = interp_of(track), .bytes = bytes_of(track)};
	times_of(track, summary);
	values_of(track, summary);
	for (size_t k = 0; track->ease != NULL && k < track->n && !summary->eased; k++)
		summary->eased = track->ease[k] != 1;
}
