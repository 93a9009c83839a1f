/* rules_godot4.c: Godot 4's Animation: which keys a time lies between, under each loop mode. */
#include <math.h>
#include <string.h>

#include "clip/rules_godot4.h"

/* "4.2", "4.2.1": before 4.3 cubics of colours, integers, bools, matrices and cubic angles of vectors were linear. */
static bool is_old(const char *version)
{
	return version != NULL && strncmp(version, "4.", 2) == 0 && version[2] >= '0' && version[2] <= '2' &&
	       (version[3] == '\0' || version[3] == '.');
}

static void prepare(struct anim_sampler *s)
{
	anim_godot_prepare(s);
	s->old_cubics = is_old(anim_attrs_get(&s->clip->attrs, "godot.version"));
}

/* Indices as the engine's _interpolate has them: signed, -1 before the first key. */
struct position {
	ptrdiff_t at, next, before, after, last;
	bool at_start, at_end;
	float delta, elapsed; /* length of the segment, and how far into it */
};

static ptrdiff_t clamp(ptrdiff_t k, ptrdiff_t last)
{
	return k < 0 ? 0 : k > last ? last : k;
}

static void place_once(struct position *p)
{
	if (p->at_start)
		p->at = 0;
	p->next = clamp(p->at + 1, p->last);
	p->before = clamp(p->at - 1, p->last);
	p->after = clamp(p->at + 2, p->last);
}

static ptrdiff_t modulo(ptrdiff_t k, ptrdiff_t n)
{
	return (k % n + n) % n;
}

static void place_wrapped(const struct anim_sampler *s, double t, struct position *p)
{
	ptrdiff_t n = p->last + 1;
	double at, next;

	if (p->at_start)
		p->at = p->last;
	p->next = modulo(p->at + 1, n);
	p->before = modulo(p->at - 1, n);
	p->after = modulo(p->at + 2, n);
	at = anim_godot_key(s, (size_t)p->at);
	next = anim_godot_key(s, (size_t)p->next);
	if (p->at_start) {
		float left = (float)(s->length - at);

		left = left < 0 ? 0 : left;
		p->delta = (float)((double)left + next);
		p->elapsed = (float)((double)left + t);
	} else if (p->at_end) {
		p->delta = (float)((s->length - at) + next);
		p->elapsed = (float)(t - at);
	}
}

/* Key k of a row that is read there and back: 0 1 2 2 1 0 0 1 ... */
static ptrdiff_t mirrored(ptrdiff_t k, ptrdiff_t n)
{
	k = modulo(k, 2 * n);
	return k < n ? k : 2 * n - 1 - k;
}

static void place_mirrored(const struct anim_sampler *s, double t, struct position *p)
{
	ptrdiff_t n = p->last + 1, raw = p->at_start ? -1 : p->at;
	double at, next;

	p->next = mirrored(raw + 1, n);
	p->before = mirrored(raw - 1, n);
	p->after = mirrored(raw + 2, n);
	p->at = mirrored(raw, n);
	at = anim_godot_key(s, (size_t)p->at);
	next = anim_godot_key(s, (size_t)p->next);
	if (p->at_start) {
		float left = (float)at;

		left = left < 0 ? 0 : left;
		p->delta = (float)((double)left + next);
		p->elapsed = (float)((double)left + t);
	} else if (p->at_end) {
		p->delta = (float)(s->length * 2.0 - at - next);
		p->elapsed = (float)(t - at);
	}
}

static void times_mirrored(const struct anim_sampler *s, const struct position *p, struct anim_segment *segment)
{
	double at = anim_godot_key(s, segment->from), next = anim_godot_key(s, segment->to);
	double before = anim_godot_key(s, segment->before), after = anim_godot_key(s, segment->after);
	bool turns = p->at == p->next;

	if (turns && ((p->before > p->at && p->after < p->next) || (p->before < p->at && p->after > p->next)))
		segment->before_t = (float)(at - before);
	else if (p->before == p->at)
		segment->before_t = (float)(p->at < p->next ? -at * 2.0 : (s->length - at) * 2.0);
	if (turns) {
		segment->to_t = (float)(p->before < p->at ? (s->length - at) * 2.0 : -at * 2.0);
		segment->after_t = (float)(next - after + (double)segment->to_t);
	} else if (p->next == p->after) {
		segment->after_t =
		    (float)((p->at < p->next ? (s->length - next) * 2.0 : -next * 2.0) + (double)segment->to_t);
	}
}

/* The times of a cubic's keys, counted from key `from` and on over the clip's end. */
static void fill_times(const struct anim_sampler *s, const struct position *p, struct anim_segment *segment)
{
	double at = anim_godot_key(s, segment->from), next = anim_godot_key(s, segment->to);
	double before = anim_godot_key(s, segment->before), after = anim_godot_key(s, segment->after);
	bool wraps = s->wraps && s->clip->loop == ANIM_LOOP_WRAP;

	segment->before_t = (float)(wraps && p->before > p->at ? -s->length + before - at : before - at);
	segment->to_t = (float)(wraps && p->next < p->at ? s->length + next - at : next - at);
	segment->after_t =
	    (float)(wraps && (p->next < p->at || p->after <= p->at) ? s->length + after - at : after - at);
	if (s->wraps && !wraps)
		times_mirrored(s, p, segment);
}

static bool locate(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	struct position p = {.last = (ptrdiff_t)s->usable - 1};

	if (s->track->interp == ANIM_BEZIER_2D)
		return anim_godot_locate_bezier(s, t, segment);
	memset(segment, 0, sizeof *segment);
	if (s->usable <= 1) {
		segment->hold = true;
		return s->usable == 1;
	}
	t -= s->origin;
	p.at = anim_godot_find(s, s->track->n, t);
	p.at_start = p.at < 0;
	p.at_end = p.at >= p.last;
	if (!s->wraps)
		place_once(&p);
	else if (s->clip->loop == ANIM_LOOP_WRAP)
		place_wrapped(s, t, &p);
	else
		place_mirrored(s, t, &p);
	if (!p.at_start && !p.at_end) {
		p.delta = (float)(anim_godot_key(s, (size_t)p.next) - anim_godot_key(s, (size_t)p.at));
		p.elapsed = (float)(t - anim_godot_key(s, (size_t)p.at));
	}
	segment->from = (size_t)p.at;
	segment->to = (size_t)p.next;
	segment->before = (size_t)p.before;
	segment->after = (size_t)p.after;
	segment->duration = (double)p.delta;
	segment->weight = fabsf(p.delta) < 1e-5f ? 0 : (double)(p.elapsed / p.delta);
	segment->hold = !anim_godot_ease(s, segment);
	if (s->neighbours)
		fill_times(s, &p, segment);
	return true;
}

const struct anim_rules_ops anim_rules_godot4 = {prepare, locate, anim_godot4_blend};
