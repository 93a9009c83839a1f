/* sample_block.c: linear tracks of a few floats, in stages over blocks of samples. */
#include <math.h>
#include <string.h>

#include "clip/rules.h"
#include "math/block.h"

static bool is_staged_type(enum anim_type type)
{
	return type == ANIM_FLOATQ || type == ANIM_COLOR || (type >= ANIM_FLOAT && type <= ANIM_FLOAT4);
}

bool anim_sample_block_plays(const struct anim_sampler *s)
{
	const struct anim_track *track = s->track;

	if ((s->rules == &anim_rules_resonite || s->rules == &anim_rules_unity) &&
	    track->type == ANIM_FLOATQ) /* no slerp */
		return false;
	return track->kind != ANIM_DISCRETE && track->interp == ANIM_LINEAR && is_staged_type(track->type) &&
	       s->shape != ANIM_SHAPE_PLANE && track->n > 1; /* one key is itself, infinities too */
}

static void put_segment(struct anim_sampler *s, double t, struct anim_block *block, size_t i, uint8_t *present)
{
	struct anim_segment segment;

	memset(&segment, 0, sizeof segment);
	*present = isfinite(t) && s->rules->locate(s, t, &segment);
	block->from[i] = (uint32_t)segment.from;
	block->to[i] = (uint32_t)(segment.hold ? segment.from : segment.to);
	block->elapsed[i] = segment.hold ? 0 : (float)segment.weight;
	block->duration[i] = 1;
}

static void gather_by_rules(struct anim_sampler *s, const double *t, size_t count, struct anim_block *block,
			    uint8_t *present)
{
	for (size_t i = 0; i < count; i++)
		put_segment(s, t[i], block, i, &present[i]);
}

/* The segment under the cursor. */
struct window {
	const float *time;
	size_t at, last; /* last: the key that only ends segments */
	double low, high;
	float duration;
};

static inline void move(struct window *w, size_t at)
{
	w->at = at;
	w->low = (double)w->time[at];
	w->high = (double)w->time[at + 1];
	w->duration = (float)(w->high - w->low);
}

/* Back to the segment of a time before the window. */
static void turn_back(struct window *w, double t)
{
	ptrdiff_t at = anim_find_key(w->time, w->last, t);

	move(w, at < 0 ? 0 : (size_t)at);
}

/* Two keys are so near to t that only the rules' own search can tell which it is at. */
static inline bool is_ambiguous(const struct window *w, double t, double tolerance)
{
	return t - w->low < tolerance && w->at > 0 && t - (double)w->time[w->at - 1] < tolerance;
}

/*
 * Rising keys without transitions: most samples need no more than the cursor. A key counts as reached when it is within
 * the tolerance, as in Godot's search; on a grid that meets the keys this also makes the steps regular.
 */
static void gather_in_order(struct anim_sampler *s, const double *t, size_t count, struct anim_block *block,
			    uint8_t *present)
{
	struct window w = {.time = s->track->time, .last = s->usable - 1};

	move(&w, s->state->cursor < w.last ? s->state->cursor : 0);
	memset(present, 1, count);
	for (size_t i = 0; i < count; i++) {
		double now = t[i], size = fabs(now), tolerance = (size > 1 ? size : 1) * s->tolerance;

		if (w.low - now >= tolerance)
			turn_back(&w, now);
		while (w.high - now < tolerance && w.at + 2 <= w.last)
			move(&w, w.at + 1);
		if (!(w.low - now < tolerance && w.high - now >= tolerance) || is_ambiguous(&w, now, tolerance)) {
			put_segment(s, now, block, i, &present[i]);
			continue;
		}
		block->from[i] = (uint32_t)w.at;
		block->to[i] = (uint32_t)w.at + 1;
		block->elapsed[i] = (float)(now - w.low);
		block->duration[i] = w.duration;
	}
	s->state->cursor = w.at;
}

/* Godot 3 has its times in float32, a clip of Godot's that was cut has its keys from another start. */
static bool is_in_order(const struct anim_sampler *s)
{
	const struct anim_track *track = s->track;

	return track->kind == ANIM_CURVE && (track->flags & ANIM_UNSORTED) == 0 && track->ease == NULL &&
	       s->usable >= 2 && track->rules != ANIM_RULES_GODOT3 && s->origin == 0;
}

static void clear_absent(float *out, size_t lanes, const uint8_t *present, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (present[i] == 0)
			memset(out + i * lanes, 0, lanes * sizeof *out);
}

void anim_sample_block(struct anim_sampler *s, const double *t, size_t count, float *out, uint8_t *present)
{
	const struct anim_track *track = s->track;
	enum anim_block_form form = anim_block_best();
	unsigned lanes = anim_types[track->type].lanes;
	struct anim_block block;
	void (*gather)(struct anim_sampler *, const double *, size_t, struct anim_block *, uint8_t *) =
	    is_in_order(s) ? gather_in_order : gather_by_rules;

	memset(&block, 0, sizeof block);
	for (size_t done = 0; done < count; done += ANIM_BLOCK) {
		size_t size = count - done < ANIM_BLOCK ? count - done : ANIM_BLOCK;
		float *values = out + done * lanes;

		gather(s, t + done, size, &block, present + done);
		if (track->type == ANIM_FLOATQ)
			anim_block_slerp(form, &block, track->value, size, values);
		else if (track->type == ANIM_FLOAT && track->rules == ANIM_RULES_GODOT4 &&
			 s->shape != ANIM_SHAPE_SINGLE)
			anim_block_lerp_double(form, &block, track->value, size, values);
		else
			anim_block_lerp(form, &block, track->value, track->n, lanes, size, values);
		clear_absent(values, lanes, present + done, size);
	}
}
