/* sample.c: the value of a track at a time. Chooses the rules, and a sufficiently fast method for the track. */
#include "clip/sample.h"

#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "math/block.h"
#include "math/curve.h"
#include "math/quaternion.h"

/* ---- Linear tracks of a few floats, in stages for blocks of samples ---- */

static bool block_plays(const struct anim_sampler *s)
{
	const struct anim_track *track = s->track;
	enum anim_type type = track->type;

	if (s->state->refused)
		return false;
	if ((track->rules == ANIM_RULES_RESONITE || track->rules == ANIM_RULES_UNITY) &&
	    track->type == ANIM_FLOATQ) /* no slerp */
		return false;
	return track->kind != ANIM_DISCRETE && !anim_track_is_captured(track) && track->interp == ANIM_LINEAR &&
	       (type == ANIM_FLOATQ || type == ANIM_COLOR || (type >= ANIM_FLOAT && type <= ANIM_FLOAT4)) &&
	       s->shape != ANIM_SHAPE_PLANE &&
	       track->n > 1; /* a single key is returned unchanged, including infinities */
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

/* Move back to the segment of a time before the window. */
static void turn_back(struct window *w, double t)
{
	ptrdiff_t at = anim_find_key(w->time, w->last, t);

	move(w, at < 0 ? 0 : (size_t)at);
}

/* Return whether two keys are so near to t that only the search of the rules can decide which of them counts. */
static inline bool is_ambiguous(const struct window *w, double t, double tolerance)
{
	return t - w->low < tolerance && w->at > 0 && t - (double)w->time[w->at - 1] < tolerance;
}

#define SPARSE 4 /* with at least this many keys between two times, keys are searched instead of passed one by one */

/*
 * Gather rising keys without transitions: most samples need only the cursor. A key counts as reached if it is within
 * the tolerance, as in Godot's search. On a grid that meets the keys this also makes the steps regular.
 */
ANIM_INLINE void gather_rising(struct anim_sampler *s, const double *t, size_t count, struct anim_block *block,
			       uint8_t *present, bool sparse)
{
	struct window w = {.time = s->track->time, .last = s->usable - 1};

	move(&w, s->state->cursor < w.last ? s->state->cursor : 0);
	memset(present, 1, count);
	for (size_t i = 0; i < count; i++) {
		double now = t[i], size = fabs(now), tolerance = (size > 1 ? size : 1) * s->tolerance;

		if (w.low - now >= tolerance)
			turn_back(&w, now);
		if (sparse && w.high <= now)
			move(&w, (size_t)anim_find_key_near(w.time, w.last, now, w.at + 1));
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

static void gather_in_order(struct anim_sampler *s, const double *t, size_t count, struct anim_block *block,
			    uint8_t *present)
{
	const float *time = s->track->time;
	double keys = (double)(s->usable - 1), length = (double)time[s->usable - 1] - (double)time[0];

	/* several keys are between one time and the next, assuming that keys are evenly spaced */
	if ((t[count - 1] - t[0]) * keys > length * (double)(count * SPARSE))
		gather_rising(s, t, count, block, present, true);
	else
		gather_rising(s, t, count, block, present, false);
}

static void clear_absent(float *out, size_t components, const uint8_t *present, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (present[i] == 0)
			memset(out + i * components, 0, components * sizeof *out);
}

static void sample_block(struct anim_sampler *s, const double *t, size_t count, float *out, uint8_t *present)
{
	const struct anim_track *track = s->track;
	enum anim_block_form form = anim_block_best();
	unsigned components = anim_types[track->type].components;
	struct anim_block block;
	/* Godot 3 has its times in float32, and a Godot clip that was cut has keys relative to another start. */
	bool in_order = track->kind == ANIM_CURVE && (track->flags & ANIM_UNSORTED) == 0 && track->ease == NULL &&
			s->usable >= 2 && track->rules != ANIM_RULES_GODOT3 && s->origin == 0;
	void (*gather)(struct anim_sampler *, const double *, size_t, struct anim_block *, uint8_t *) =
	    in_order ? gather_in_order : gather_by_rules;

	memset(&block, 0, sizeof block);
	for (size_t done = 0; done < count; done += ANIM_BLOCK) {
		size_t size = count - done < ANIM_BLOCK ? count - done : ANIM_BLOCK;
		float *values = out + done * components;

		gather(s, t + done, size, &block, present + done);
		if (track->type == ANIM_FLOATQ)
			anim_block_slerp(form, &block, track->value, size, values);
		else if (track->type == ANIM_FLOAT && track->rules == ANIM_RULES_GODOT4 &&
			 s->shape != ANIM_SHAPE_SINGLE)
			anim_block_lerp_double(form, &block, track->value, size, values);
		else
			anim_block_lerp(form, &block, track->value, track->n, components, size, values);
		clear_absent(values, components, present + done, size);
	}
}

/* ---- Hermite tracks of a few floats, without the type checks of other blends ---- */

static bool hermite_plays(const struct anim_sampler *s)
{
	const struct anim_track *track = s->track;
	enum anim_type type = track->type;

	if (s->rules != &anim_rules_unity && s->rules != &anim_rules_plain)
		return false;
	return track->kind == ANIM_CURVE && track->interp == ANIM_HERMITE &&
	       (type == ANIM_COLOR || (type >= ANIM_FLOAT && type <= ANIM_FLOATQ));
}

/* The columns of such a track. */
struct columns {
	const float *value, *left, *right;
	unsigned components;
	bool quaternion;
};

/* The segment under the cursor as Bezier control values, and times in it that wait to be solved together. */
struct hermite {
	const struct columns *columns;
	struct anim_block_cubic cubic;
	size_t from, to;
	double low, high, duration; /* seconds; times before `high` are in the segment */
	bool smooth; /* false: a slope makes it step, it is a single key, or its weights are not even in time */
	double u[ANIM_BLOCK];
	float *out;
	size_t count;
};

static void solve_hermite(struct hermite *h)
{
	size_t whole = h->count;

	for (; whole % ANIM_BLOCK_STEP != 0; whole++)
		h->u[whole] = 0;
	if (h->count > 0)
		anim_block_bezier(anim_block_best(), &h->cubic, h->u, h->count, h->out);
	h->count = 0;
}

static void prepare_hermite(const struct anim_track *track, const struct anim_segment *segment, struct hermite *h)
{
	const struct columns *c = h->columns;
	const float *from = c->value + c->components * segment->from, *to = c->value + c->components * segment->to;
	const float *right = c->right + c->components * segment->from, *left = c->left + c->components * segment->to;
	double third = segment->duration / 3;

	h->from = segment->from;
	h->to = segment->to;
	h->low = (double)track->time[h->from];
	h->high = (double)track->time[h->to];
	h->duration = segment->duration;
	h->smooth = segment->from != segment->to && (track->flags & ANIM_UNSORTED) == 0 && track->ease == NULL;
	for (unsigned i = 0; i < c->components && h->smooth; i++) {
		h->smooth = isfinite(right[i]) && isfinite(left[i]);
		h->cubic.p[0][i] = (double)from[i];
		h->cubic.p[1][i] = (double)from[i] + (double)right[i] * third;
		h->cubic.p[2][i] = (double)to[i] - (double)left[i] * third;
		h->cubic.p[3][i] = (double)to[i];
	}
}

static void blend_hermite(const struct columns *c, const struct anim_segment *segment, float *out)
{
	const float *from = c->value + c->components * segment->from, *to = c->value + c->components * segment->to;
	const float *right = c->right + c->components * segment->from, *left = c->left + c->components * segment->to;
	double v[ANIM_COMPONENTS_MAX];

	for (unsigned i = 0; i < c->components; i++)
		v[i] = segment->from != segment->to && isfinite(right[i]) && isfinite(left[i])
			   ? anim_hermite((double)from[i], (double)right[i], (double)to[i], (double)left[i],
					  segment->duration, segment->weight)
			   : (double)from[i];
	if (c->quaternion)
		anim_normalize(v);
	anim_components_to_float(out, v, c->components);
}

/* Add a time in the current segment, whose weight is known without reading the keys. */
static void add_to_row(struct hermite *h, double weight, float *out)
{
	if (h->count == ANIM_BLOCK)
		solve_hermite(h);
	if (h->count == 0)
		h->out = out;
	h->u[h->count++] = weight;
}

/* Handle any other time. Returns true if there is a value. */
static bool open_hermite(struct anim_sampler *s, double t, struct hermite *h, float *out)
{
	const struct columns *columns = h->columns;
	struct anim_segment segment;

	solve_hermite(h);
	memset(&segment, 0, sizeof segment);
	if (!isfinite(t) || !s->rules->locate(s, t, &segment)) {
		memset(out, 0, columns->components * sizeof *out);
		return false;
	}
	if (segment.hold) {
		memcpy(out, columns->value + columns->components * segment.from, columns->components * sizeof *out);
		return true;
	}
	prepare_hermite(s->track, &segment, h);
	if (h->smooth)
		add_to_row(h, segment.weight, out);
	else
		blend_hermite(columns, &segment, out);
	return true;
}

static void sample_hermite(struct anim_sampler *s, const double *t, size_t count, float *out, uint8_t *present)
{
	const struct anim_track *track = s->track;
	const struct columns columns = {track->value, track->left, track->right, anim_types[track->type].components,
					anim_types[track->type].quaternion};
	struct hermite h;

	h.columns = &columns;
	h.cubic = (struct anim_block_cubic){.components = columns.components, .unit = columns.quaternion};
	h.smooth = false;
	h.count = 0;
	s->neighbours = false;
	for (size_t i = 0; i < count; i++, out += columns.components) {
		present[i] = true;
		if (h.smooth && t[i] >= h.low && t[i] < h.high)
			add_to_row(&h, (t[i] - h.low) / h.duration, out);
		else
			present[i] = open_hermite(s, t[i], &h, out);
	}
	solve_hermite(&h);
}

/* ---- Cubic rotations: the part that depends only on the keys is computed once for all times between them ---- */

/* Some cubics of Godot 4.2 are not cubic. Their blend decides. */
static bool cubic_plays(const struct anim_sampler *s)
{
	return !s->old_cubics && !s->state->refused &&
	       (s->rules == &anim_rules_godot4 || s->rules == &anim_rules_plain) && s->track->kind == ANIM_CURVE &&
	       s->track->interp == ANIM_CUBIC_TIME && s->track->type == ANIM_FLOATQ;
}

static void sample_cubic(struct anim_sampler *s, const double *t, size_t count, float *out, uint8_t *present)
{
	const float *value = s->track->value;
	struct anim_quat_cubic cubic = {0};
	struct anim_segment at, last = {0};

	memset(&at, 0, sizeof at);
	for (size_t i = 0; i < count; i++, out += 4) {
		present[i] = isfinite(t[i]) && s->rules->locate(s, t[i], &at);
		if (present[i] == 0) {
			memset(out, 0, 4 * sizeof *out);
		} else if (at.hold) {
			memcpy(out, value + 4 * at.from, 4 * sizeof *out);
		} else {
			if (!cubic.ready || at.from != last.from || at.to != last.to || at.before != last.before ||
			    at.after != last.after) {
				anim_quat_cubic_prepare(&cubic, value + 4 * at.from, value + 4 * at.to,
							value + 4 * at.before, value + 4 * at.after);
				last = at;
			}
			anim_quat_cubic_at(out, &cubic, (float)at.weight, at.to_t, at.before_t, at.after_t);
		}
	}
}

/* ---- Godot's Bezier tracks: times in one segment are solved together ---- */

static bool bezier_plays(const struct anim_sampler *s)
{
	const struct anim_track *track = s->track;

	return (s->rules == &anim_rules_godot4 || s->rules == &anim_rules_godot3) && track->kind == ANIM_CURVE &&
	       track->interp == ANIM_BEZIER_2D && track->type == ANIM_FLOAT && s->usable > 0;
}

/* Times in one segment that wait to be solved, and the destinations of their values. */
struct bezier_row {
	struct anim_segment segment;
	double into[ANIM_BLOCK];
	float *out;
	size_t count;
};

static void solve_row(const struct anim_track *track, struct bezier_row *row)
{
	struct anim_bezier_point points[4];

	if (row->count == 0)
		return;
	anim_bezier_points(track, &row->segment, points);
	anim_bezier_godot_row(points, row->into, row->count, row->out);
	row->count = 0;
}

static void sample_bezier(struct anim_sampler *s, const double *t, size_t count, float *out, uint8_t *present)
{
	const float *value = s->track->value;
	struct bezier_row row = {.count = 0};
	struct anim_segment at;

	memset(&at, 0, sizeof at);
	for (size_t i = 0; i < count; i++) {
		present[i] = isfinite(t[i]) && s->rules->locate(s, t[i], &at);
		if (present[i] == 0 || at.hold || at.from != row.segment.from || row.count == ANIM_BLOCK)
			solve_row(s->track, &row);
		if (present[i] == 0) {
			out[i] = 0;
		} else if (at.hold) {
			out[i] = value[at.from];
		} else {
			if (row.count == 0) {
				row.out = out + i;
				row.segment = at;
			}
			row.into[row.count++] = at.weight;
		}
	}
	solve_row(s->track, &row);
}

/* ---- All tracks ---- */

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

ptrdiff_t anim_find_key_near(const float *time, size_t n, double t, size_t near)
{
	size_t low = near < n ? near : n, high = low, step = 1;

	if (low < n && (double)time[low] <= t) {
		for (high = low + 1; high < n && (double)time[high] <= t; step *= 2) {
			low = high;
			high = step < n - low ? low + step : n;
		}
	} else {
		for (; low > 0 && (double)time[low - 1] > t; step *= 2) {
			high = low - 1;
			low = step < high ? high - step : 0;
		}
	}
	return (ptrdiff_t)low + anim_find_key(time + low, high - low, t);
}

double anim_segment_ease(const struct anim_track *track, size_t key, double weight)
{
	if (track->ease == NULL || track->ease[key] == 1)
		return weight;
	return anim_ease(weight, (double)track->ease[key]);
}

/* Godot 4 blends even a single key with the previous value. */
static bool is_refused(const struct anim_sampler *s, const struct anim_segment *segment, bool held)
{
	const float *value = s->track->value;

	if (!s->state->refused || (held && s->rules == &anim_rules_godot3))
		return false;
	return anim_godot_refuses(value + 4 * segment->from) || (!held && anim_godot_refuses(value + 4 * segment->to));
}

int anim_sampler_open(struct anim_sampler *s, const struct anim_clip *clip, const struct anim_track *track,
		      struct anim_sample_state *state, struct anim_error *error)
{
	static const struct anim_rules_ops *const rows[ANIM_RULES_COUNT] = {
	    &anim_rules_plain, &anim_rules_godot4, &anim_rules_godot3, &anim_rules_unity, &anim_rules_resonite};

	memset(s, 0, sizeof *s);
	s->clip = clip;
	s->track = track;
	s->state = state;
	s->rules = track->kind == ANIM_RAW || track->rules >= ANIM_RULES_COUNT ? &anim_rules_plain : rows[track->rules];
	if (track->kind == ANIM_RAW && track->n > 1 && track->rate_num == 0 && !(track->step_s > 0))
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "%s %s: the time between the samples is not known; set it with " ANIM_OPTION("retime", "rate"),
		    track->node, track->property);
	s->rules->prepare(s);
	s->neighbours = track->kind == ANIM_CURVE && track->interp != ANIM_HOLD && track->interp != ANIM_LINEAR;
	if (state->track != track) {
		state->track = track;
		state->cursor = 0;
		state->refused =
		    track->kind == ANIM_CURVE && anim_rules_are_godot(track->rules) && anim_godot_refuses_some(track);
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
	static const float none[4] = {0, 0, 0, 1};
	enum anim_interp mode;
	struct anim_segment segment;
	bool held;

	memset(&segment, 0, sizeof segment);
	*present = isfinite(t) && s->rules->locate(s, t, &segment);
	if (*present == 0) {
		memset(out, 0, value_size(track));
		return 0;
	}
	mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, segment.from);
	held = mode == ANIM_HOLD || (segment.hold && track->interp != ANIM_BEZIER_2D);
	if (is_refused(s, &segment, held))
		memcpy(out, none, sizeof none);
	else if (!held)
		return s->rules->blend(s, mode, &segment, out, error);
	else
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
	if (block_plays(&sampler)) {
		sample_block(&sampler, t, count, out, present);
		return 0;
	}
	if (hermite_plays(&sampler)) {
		sample_hermite(&sampler, t, count, out, present);
		return 0;
	}
	if (cubic_plays(&sampler)) {
		sample_cubic(&sampler, t, count, out, present);
		return 0;
	}
	if (bezier_plays(&sampler)) {
		sample_bezier(&sampler, t, count, out, present);
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		if (sample_one(&sampler, t[i], (char *)out + i * size, &present[i], error) != 0)
			return -1;
	return 0;
}

int anim_sample_one(const struct anim_clip *clip, const struct anim_track *track, double t, double *out,
		    struct anim_error *error)
{
	struct anim_sample_state state = {0};
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	uint8_t present = 0;
	int result = anim_sample(clip, track, &t, 1, value, &present, &state, error);

	anim_sample_state_clear(&state);
	if (result == 0 && present)
		anim_components(track->type, value, 0, out);
	return result != 0 ? -1 : present;
}

void anim_sample_times(const struct anim_track *track, double *t, size_t count)
{
	if (track->kind == ANIM_RAW || anim_rules_are_godot(track->rules))
		return;
	for (size_t i = 0; i < count; i++)
		t[i] = (double)(float)t[i];
}
