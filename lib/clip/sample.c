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

/* Only Hold and Linear keys. */
static bool is_straight(const struct anim_track *track)
{
	if (track->kind != ANIM_CURVE)
		return true;
	for (int mode = ANIM_LINEAR + 1; mode < ANIM_INTERP_COUNT; mode++)
		if (anim_track_has_interp(track, (enum anim_interp)mode))
			return false;
	return true;
}

static const struct anim_rules_ops *rules_of(const struct anim_track *track, struct anim_error *error)
{
	if (track->kind == ANIM_RAW)
		return &anim_rules_plain;
	switch (track->rules) {
	case ANIM_RULES_PLAIN:
		return &anim_rules_plain;
	case ANIM_RULES_GODOT4:
		return &anim_rules_godot4;
	case ANIM_RULES_GODOT3:
		return &anim_rules_godot3;
	case ANIM_RULES_RESONITE:
		return &anim_rules_resonite;
	default:
		if (is_straight(track))
			return &anim_rules_plain;
		anim_fail(error, ANIM_UNSUPPORTED, "%s %s: curves under %s rules are not played by this version",
			  track->node, track->property, anim_rules_names[track->rules]);
		return NULL;
	}
}

static int prepare(struct anim_sampler *s, const struct anim_clip *clip, const struct anim_track *track,
		   struct anim_sample_state *state, struct anim_error *error)
{
	memset(s, 0, sizeof *s);
	s->clip = clip;
	s->track = track;
	s->state = state;
	s->rules = rules_of(track, error);
	if (s->rules == NULL)
		return -1;
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

	if (prepare(&sampler, clip, track, state, error) != 0)
		return -1;
	if (anim_sample_block_plays(&sampler)) {
		anim_sample_block(&sampler, t, count, out, present);
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		if (sample_one(&sampler, t[i], (char *)out + i * size, &present[i], error) != 0)
			return -1;
	return 0;
}
