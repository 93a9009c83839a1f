/* raw.c: samples at even times: a part of them on whole samples, backwards, at another rate. */
#include <math.h>
#include <string.h>

#include "filter/retime/internal.h"

static bool is_timed(const struct anim_track *track)
{
	return track->rate_num != 0 || track->step_s > 0;
}

/* A sample holds until the next one, so backwards it begins where that one lay. */
static bool holds(const struct anim_track *track)
{
	return track->interp == ANIM_HOLD || !anim_type_is_real(track->type);
}

static double step_of(const struct anim_track *track)
{
	return track->rate_num != 0 ? (double)track->rate_den / (double)track->rate_num : track->step_s;
}

static int reverse_strings(const struct anim_track *track, struct anim_track *out, struct anim_arena *arena,
			   struct anim_error *error)
{
	struct anim_strings *strings = anim_arena_alloc(arena, sizeof *strings, error);
	uint32_t *length = anim_arena_zeroed(arena, track->n, sizeof *length, error);
	uint64_t *start = anim_arena_zeroed(arena, track->n, sizeof *start, error);

	if (strings == NULL || length == NULL || start == NULL)
		return -1;
	*strings = *track->strings;
	for (size_t k = 0; k < track->n; k++) {
		length[k] = track->strings->length[track->n - 1 - k];
		start[k] = track->strings->start[track->n - 1 - k];
	}
	strings->length = length;
	strings->start = start;
	out->strings = strings;
	return 0;
}

static int reverse_values(const struct anim_track *track, struct anim_track *out, struct anim_arena *arena,
			  struct anim_error *error)
{
	size_t size = anim_types[track->type].size;
	uint8_t *values;

	out->before = track->after;
	out->after = track->before;
	if (track->type == ANIM_STRING)
		return reverse_strings(track, out, arena, error);
	if ((values = anim_arena_zeroed(arena, track->n, size, error)) == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++)
		memcpy(values + k * size, (const uint8_t *)track->value + (track->n - 1 - k) * size, size);
	out->value = values;
	return 0;
}

/* Samples first .. of `track`: kept as anim_track_part has them, strings in the arena. */
static int take_part(const struct anim_range *range, const struct anim_track *track, struct anim_track *out,
		     struct anim_arena *arena, struct anim_error *error)
{
	struct anim_strings *strings = anim_arena_alloc(arena, sizeof *strings, error);
	struct anim_span span;

	if (strings == NULL)
		return -1;
	anim_span_of_raw(&span, track, range);
	anim_track_part(out, strings, track, span.first, span.count);
	return 0;
}

static void map_rate(const struct retime_map *map, struct anim_track *out)
{
	if (out->rate_num == 0) {
		out->step_s *= fabs(retime_scale(map));
		return;
	}
	if (retime_multiply_rate(&out->rate_num, &out->rate_den, map->num, map->den))
		return;
	out->step_s = step_of(out) * fabs(retime_scale(map));
	out->rate_num = out->rate_den = 0;
}

int retime_raw(const struct retime_map *map, const struct anim_range *range, const struct anim_track *track,
	       struct anim_track *out, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_track part = *track;
	double first_s;

	if (range != NULL && take_part(range, track, &part, arena, error) != 0)
		return -1;
	*out = part;
	out->record = NULL;
	if (map->reverse && part.n > 0) {
		if (part.n > 1 && !is_timed(&part))
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "%.100s %.100s: the time between the samples is not known; set it with --rate",
					 part.node, part.property);
		first_s = part.n > 1 ? anim_track_time(&part, part.n - 1) : part.start_s;
		out->start_s = retime_time(map, first_s + (part.n > 1 && holds(&part) ? step_of(&part) : 0));
		if (reverse_values(&part, out, arena, error) != 0)
			return -1;
	} else {
		out->start_s = retime_time(map, part.start_s);
	}
	map_rate(map, out);
	if (!isfinite(out->start_s) || !isfinite(out->step_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%.100s %.100s' would come to no finite time",
				 track->node, track->property);
	return 0;
}
