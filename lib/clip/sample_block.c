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

	return track->kind != ANIM_DISCRETE && track->interp == ANIM_LINEAR && is_staged_type(track->type) &&
	       s->shape != ANIM_SHAPE_PLANE && track->n > 0;
}

/* The segment under the cursor. */
struct window {
	const float *time;
	size_t at, last; /* last: the one that only ends segments */
	double origin, tolerance, low, high;
};

static void move(struct window *w, size_t at)
{
	w->at = at;
	w->low = (double)w->time[at] - w->origin;
	w->high = (double)w->time[at + 1] - w->origin;
}

/*
 * The key that opens the segment of t, as the rules' own search finds it, where t lies inside the row; -1 where it does
 * not, or where two keys are so near to t that only that search can tell.
 */
static ptrdiff_t opening_key(struct window *w, double t)
{
	double tolerance = fabs(t) > 1 ? fabs(t) * w->tolerance : w->tolerance;

	while (t >= w->high && w->at + 2 <= w->last)
		move(w, w->at + 1);
	if (!(t >= w->low && t < w->high))
		return -1;
	if (w->high - t < tolerance) {
		if (t - w->low < tolerance || w->at + 2 > w->last ||
		    (double)w->time[w->at + 2] - w->origin - t < tolerance)
			return -1;
		move(w, w->at + 1);
		return (ptrdiff_t)w->at;
	}
	if (t - w->low < tolerance && w->at > 0 && t - ((double)w->time[w->at - 1] - w->origin) < tolerance)
		return -1;
	return (ptrdiff_t)w->at;
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

/* Sorted keys without transitions: most samples need no more than the cursor. */
static bool is_simple(const struct anim_sampler *s)
{
	const struct anim_track *track = s->track;

	return track->kind == ANIM_CURVE && (track->flags & ANIM_UNSORTED) == 0 && track->ease == NULL &&
	       s->usable >= 2;
}

static void gather(struct anim_sampler *s, const double *t, size_t count, struct anim_block *block, uint8_t *present)
{
	struct window w = {s->track->time, 0, s->usable - 1, s->origin, s->tolerance, 0, 0};
	bool simple = is_simple(s), single = s->track->rules == ANIM_RULES_GODOT3;

	if (simple)
		move(&w, s->state->cursor < w.last ? s->state->cursor : 0);
	for (size_t i = 0; i < count; i++) {
		double now = single ? (double)(float)(t[i] - w.origin) : t[i] - w.origin;
		ptrdiff_t at;

		if (simple && now < w.low) {
			at = anim_find_key(w.time, w.last, t[i]);
			move(&w, at < 0 ? 0 : (size_t)at);
		}
		at = simple ? opening_key(&w, now) : -1;
		if (at < 0) {
			put_segment(s, t[i], block, i, &present[i]);
			continue;
		}
		present[i] = 1;
		block->from[i] = (uint32_t)at;
		block->to[i] = (uint32_t)at + 1;
		block->elapsed[i] = (float)(now - w.low);
		block->duration[i] = (float)(w.high - w.low);
	}
	if (simple)
		s->state->cursor = w.at;
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
			anim_block_lerp(form, &block, track->value, lanes, size, values);
		clear_absent(values, lanes, present + done, size);
	}
}
