/* sample.c: the value of a track at a time: chooses the rules, and the way that is fast enough for the track. */
#include "clip/sample.h"

#include <math.h>
#include <string.h>

#include "clip/blend.h"
#include "clip/rules.h"
#include "math/ease.h"

void anim_sample_state_clear(struct anim_sample_state *state)
{
	anim_arena_clear(&state->arena);
	memset(state, 0, sizeof *state);
}

ptrdiff_t anim_find_key(const float *time, size_t n, double t)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((double)time[middle] <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return (ptrdiff_t)low - 1;
}

double anim_segment_ease(const struct anim_track *track, size_t key, double weight)
{
	if (track->ease == NULL || track->ease[key] == 1)
		return weight;
	return anim_ease(weight, (double)track->ease[key]);
}

static const struct anim_rules_ops *rules_of(const struct anim_track *track)
{
	static const struct anim_rules_ops *const rows[ANIM_RULES_COUNT] = {
	    &anim_rules_plain, &anim_rules_godot4, &anim_rules_godot3, &anim_rules_unity, &anim_rules_resonite};

	return track->kind == ANIM_RAW || track->rules >= ANIM_RULES_COUNT ? &anim_rules_plain : rows[track->rules];
}

int anim_sampler_open(struct anim_sampler *s, const struct anim_clip *clip, const struct anim_track *track,
		      struct anim_sample_state *state, struct anim_error *error)
{
	memset(s, 0, sizeof *s);
	s->clip = clip;
	s->track = track;
	s->state = state;
	s->rules = rules_of(track);
	if (track->kind == ANIM_RAW && track->n > 1 && track->rate_num == 0 && !(track->step_s > 0))
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "%s %s: the time between the samples is not known; set it with anim-retime --rate",
				 track->node, track->property);
	s->rules->prepare(s);
	s->neighbours = track->kind == ANIM_CURVE && track->interp != ANIM_HOLD && track->interp != ANIM_LINEAR;
	if (state->track != track) {
		state->track = track;
		state->cursor = 0;
	}
	anim_arena_reset(&state->arena);
	return 0;
}

static size_t value_size(const struct anim_track *track)
{
	return track->type == ANIM_STRING ? sizeof(struct anim_text) : anim_types[track->type].size;
}

static int sample_one(struct anim_sampler *s, double t, void *out, uint8_t *present, struct anim_error *error)
{
	const struct anim_track *track = s->track;
	enum anim_interp mode;
	struct anim_segment segment;

	memset(&segment, 0, sizeof segment);
	*present = isfinite(t) && s->rules->locate(s, t, &segment);
	if (*present == 0) {
		memset(out, 0, value_size(track));
		return 0;
	}
	mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, segment.from);
	if (mode != ANIM_HOLD && (!segment.hold || track->interp == ANIM_BEZIER_2D))
		return s->rules->blend(s, mode, &segment, out, error);
	anim_value_copy(track, segment.from, out);
	return 0;
}

int anim_sample(const struct anim_clip *clip, const struct anim_track *track, const double *t, size_t count, void *out,
		uint8_t *present, struct anim_sample_state *state, struct anim_error *error)
{
	size_t size = value_size(track);
	struct anim_sampler sampler;

	if (anim_sampler_open(&sampler, clip, track, state, error) != 0)
		return -1;
	if (anim_sample_block_plays(&sampler)) {
		anim_sample_block(&sampler, t, count, out, present);
		return 0;
	}
	if (anim_sample_hermite_plays(&sampler)) {
		anim_sample_hermite(&sampler, t, count, out, present);
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		if (sample_one(&sampler, t[i], (char *)out + i * size, &present[i], error) != 0)
			return -1;
	return 0;
}

void anim_sample_times(const struct anim_track *track, double *t, size_t count)
{
	if (track->kind == ANIM_RAW || track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_GODOT3)
		return;
	for (size_t i = 0; i < count; i++)
		t[i] = (double)(float)t[i];
}
