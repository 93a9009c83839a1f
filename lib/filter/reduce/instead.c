/*
 * instead.c: rotations instead of Euler angles, because rotations can lose keys, if they finally need no more of
 * them.
 */
#include <math.h>
#include <stdlib.h>

#include "filter/reduce/internal.h"
#include "filter/rotations.h"

#define OFF 1e-3 /* allowed error of rotations in degrees, in addition to the limit */
#define FAR 1e-2 /* if the error is larger, the Euler angles stay */

/* A sink that passes clips and tracks to a sink with another owner. */
struct forward {
	struct anim_sink sink;
	struct anim_sink *to;
};

static int forward_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(((struct forward *)sink)->to, clip, error);
}

static int forward_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(((struct forward *)sink)->to, track, error);
}

static bool is_used(const struct reduce_instead *instead, size_t i)
{
	return instead->place[i] != SIZE_MAX && !instead->refused[instead->place[i]];
}

/*
 * Convert Euler angles of the clip to rotations in the store: all of them, or those that are used. Returns 0 or -1.
 */
static int convert(struct reduce_instead *instead, const struct anim_clip *clip, bool used,
		   struct anim_diagnostics *diagnostics, struct anim_store *store, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = forward_clip, .track = forward_track};
	const struct anim_rotations_options options = {
	    .hermite = instead->hermite, .tol = OFF, .rests = instead->rests, .diagnostics = diagnostics};
	struct forward *forward = anim_sink_new(sizeof *forward, &ops, error);
	struct anim_sink *sink;
	struct anim_track track;
	int result;

	if (forward == NULL)
		return -1;
	forward->to = anim_store_sink(store);
	sink = anim_rotations_new(&options, &forward->sink, error);
	result = sink == NULL ? -1 : anim_sink_clip(sink, clip, error);
	for (size_t i = 0; result == 0 && i < anim_store_tracks(instead->original, 0); i++)
		if ((used ? is_used(instead, i) : instead->place[i] != SIZE_MAX) &&
		    (anim_store_read(instead->original, 0, i, &track, error) != 0 ||
		     anim_sink_track(sink, &track, error) != 0))
			result = -1;
	if (result == 0)
		result = anim_sink_end(sink, error);
	anim_sink_free(sink);
	return result;
}

/*
 * Find the Euler angles, and mark their places with 0 until the real ones are known. Returns their number, or
 * SIZE_MAX on failure.
 */
static size_t find_angles(struct reduce_instead *instead, struct anim_error *error)
{
	size_t count = anim_store_tracks(instead->original, 0), found = 0;
	struct anim_track track;

	instead->place = anim_zeroed((count + 1) * sizeof *instead->place, error);
	for (size_t i = 0; i < count && instead->place != NULL; i++) {
		if (anim_store_read(instead->original, 0, i, &track, error) != 0)
			return SIZE_MAX;
		instead->place[i] = anim_rotations_concern(&track) ? 0 : SIZE_MAX;
		found += instead->place[i] == 0;
	}
	return instead->place == NULL ? SIZE_MAX : found;
}

/* Find for each of the Euler angles the rotation of which it became a part, and count its keys. */
static void find_places(struct reduce_instead *instead)
{
	ptrdiff_t next = 0;

	for (size_t i = 0; i < anim_store_tracks(instead->original, 0); i++) {
		const struct anim_store_track *track = anim_store_track_at(instead->original, 0, i);
		ptrdiff_t found;

		if (instead->place[i] == SIZE_MAX)
			continue;
		/* whole angles become rotations in the same order, and single components come last */
		found = anim_store_find(instead->rotations, 0, (size_t)next, track->node, "rotation");
		if (found < 0)
			found = anim_store_find(instead->rotations, 0, 0, track->node, "rotation");
		instead->place[i] = found < 0 ? SIZE_MAX : (size_t)found;
		if (found < 0)
			continue;
		instead->keys[found] += track->n;
		next = track->component == ANIM_WHOLE ? found + 1 : next;
	}
}

static void refuse_far(struct reduce_instead *instead, const struct anim_diagnostics *diagnostics)
{
	double worst = 0;

	for (size_t i = 0; i < diagnostics->count; i++)
		worst = diagnostics->items[i].unit != NULL ? fmax(worst, diagnostics->items[i].worst) : worst;
	for (size_t i = 0; i < anim_store_tracks(instead->rotations, 0); i++)
		instead->refused[i] = worst > FAR && anim_store_track_at(instead->rotations, 0, i)->kind != ANIM_RAW;
}

int reduce_instead_begin(struct reduce_instead *instead, const struct anim_clip *clip, struct anim_store *original,
			 struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	size_t count;
	int result;

	instead->original = original;
	count = find_angles(instead, error);
	if (count == 0 || count == SIZE_MAX)
		return count == 0 ? 0 : -1;
	if ((instead->rotations = anim_store_new(instead->memory, error)) == NULL)
		return -1;
	result = convert(instead, clip, false, &diagnostics, instead->rotations, error);
	count = anim_store_tracks(instead->rotations, 0) + 1;
	instead->refused = anim_zeroed(count, error);
	instead->keys = anim_zeroed(count * sizeof *instead->keys, error);
	if (result == 0 && instead->refused != NULL && instead->keys != NULL) {
		find_places(instead);
		refuse_far(instead, &diagnostics);
	}
	anim_diagnostics_clear(&diagnostics);
	return result != 0 || instead->refused == NULL || instead->keys == NULL ? -1 : 1;
}

int reduce_instead_mix(struct reduce_instead *instead, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_track track;
	uint8_t *done = anim_zeroed(anim_store_tracks(instead->rotations, 0) + 1, error);
	int result = 0;

	instead->mixed = anim_store_new(instead->memory, error);
	if (done == NULL || instead->mixed == NULL || anim_sink_clip(anim_store_sink(instead->mixed), clip, error) != 0)
		result = -1;
	for (size_t i = 0; i < anim_store_tracks(instead->original, 0) && result == 0; i++) {
		bool used = is_used(instead, i);

		if (used && done[instead->place[i]]++)
			continue;
		result = used ? anim_store_read(instead->rotations, 0, instead->place[i], &track, error)
			      : anim_store_read(instead->original, 0, i, &track, error);
		if (result == 0)
			result = anim_sink_track(anim_store_sink(instead->mixed), &track, error);
	}
	free(done);
	return result;
}

int reduce_instead_report(struct reduce_instead *instead, const struct anim_clip *clip,
			  struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	struct anim_store *nowhere = anim_store_new(instead->memory, error);
	int result = nowhere == NULL ? -1 : convert(instead, clip, true, diagnostics, nowhere, error);

	anim_store_free(nowhere);
	return result;
}

void reduce_instead_clear(struct reduce_instead *instead)
{
	anim_store_free(instead->rotations);
	anim_store_free(instead->mixed);
	free(instead->place);
	free(instead->refused);
	free(instead->keys);
	instead->original = instead->rotations = instead->mixed = NULL;
	instead->place = instead->keys = NULL;
	instead->refused = NULL;
}
