/* curve.c: the tangents of keys, values between keys, and the curve before the first and after the last key. */
#include "format/fbx/curve.h"

#include <math.h>

#include "clip/track.h"
#include "math/curve.h"

#define THIRD (1.0 / 3.0)

static int append_span(struct anim_buffer *out, const struct fbx_span *span, struct anim_error *error)
{
	return anim_buffer_append(out, span, sizeof *span, error);
}

/* ---- Tangents ---- */

/* A key and its neighbours. The first and the last key have only one neighbour. */
struct corner {
	bool has_before, has_after;
	double before_s, after_s;       /* durations of the two spans */
	double rise_before, rise_after; /* differences of the values */
	double left, right;             /* slopes of straight lines to the neighbours, or 0 without a neighbour */
	double left_weight, right_weight;
};

static struct corner corner_of(const struct fbx_key *keys, size_t n, size_t k, double tick_s)
{
	struct corner corner = {
	    .has_before = k > 0, .has_after = k + 1 < n, .left_weight = THIRD, .right_weight = THIRD};

	if (corner.has_before) {
		corner.before_s = ((double)keys[k].time - (double)keys[k - 1].time) * tick_s;
		corner.rise_before = keys[k].value - keys[k - 1].value;
		corner.left = corner.before_s > 0 ? corner.rise_before / corner.before_s : 0;
		if ((keys[k - 1].flags & FBX_KEY_LEFT_WEIGHTED) != 0)
			corner.left_weight = keys[k - 1].left_weight;
	}
	if (corner.has_after) {
		corner.after_s = ((double)keys[k + 1].time - (double)keys[k].time) * tick_s;
		corner.rise_after = keys[k + 1].value - keys[k].value;
		corner.right = corner.after_s > 0 ? corner.rise_after / corner.after_s : 0;
	}
	if ((keys[k].flags & FBX_KEY_RIGHT_WEIGHTED) != 0)
		corner.right_weight = keys[k].right_weight;
	return corner;
}

/*
 * Apply the bias of MotionBuilder, in percent. It moves the slope towards the straight line on one side. A bias
 * beyond 500 adds a constant.
 */
static double biased(double slope, const struct corner *corner, double bias)
{
	double weight = fabs(bias) / 100, target = bias > 0 ? corner->right : corner->left, away = target - slope;

	if (weight <= 1e-4)
		return slope;
	slope = slope * (1 - weight) + target * weight;
	if (weight > 5)
		slope += (weight - 5) * (weight - 5) * copysign(40, fabs(away) > 1e-5 ? away : bias);
	return slope;
}

static double auto_slope(const struct corner *corner, uint32_t flags, double bias)
{
	double whole_s = corner->before_s + corner->after_s, slope, part, sign, before, after;
	bool is_end = !corner->has_before || !corner->has_after;
	struct corner straight = *corner;

	if (!(whole_s > 0) || (is_end && (flags & FBX_KEY_CLAMP_PROGRESSIVE) != 0))
		return 0;
	if (is_end) {
		/* Both straight lines are equal here, so only a bias beyond 500 has an effect. */
		straight.left = straight.right = corner->left + corner->right;
		return (flags & FBX_KEY_TIME_INDEPENDENT) != 0 ? straight.left : biased(straight.left, &straight, bias);
	}
	if ((flags & FBX_KEY_CLAMP) != 0 && (corner->rise_before == 0 || corner->rise_after == 0))
		return 0;
	slope = (corner->rise_before + corner->rise_after) / whole_s;
	if ((flags & FBX_KEY_TIME_INDEPENDENT) == 0) {
		part = corner->before_s / whole_s;
		slope = slope / 2 + (corner->left * (1 - part) + corner->right * part) / 2;
		slope = biased(slope, corner, bias);
	}
	if ((flags & FBX_KEY_CLAMP_PROGRESSIVE) == 0)
		return slope;

	/* Limit the slope so that neither handle goes beyond the value of a neighbour. */
	sign = slope < 0 ? -1 : 1;
	before = sign * corner->rise_before / (corner->left_weight * corner->before_s);
	after = sign * corner->rise_after / (corner->right_weight * corner->after_s);
	return sign * fmin(fabs(slope), fmin(before > 0 ? before : 0, after > 0 ? after : 0));
}

/* Compute the slopes on both sides of an AUTO or TCB key. */
static void solve_key(const struct fbx_key *keys, size_t n, size_t k, double tick_s, double *left, double *right)
{
	struct corner corner = corner_of(keys, n, k, tick_s);
	const double *data = keys[k].data;
	double before = k > 0 ? keys[k - 1].data[1] : 0, part = corner.has_before && corner.has_after ? 0.5 : 1;

	if ((keys[k].flags & FBX_KEY_TCB) == 0) {
		*right = auto_slope(&corner, keys[k].flags, data[0]);
		/* Both sides have the same bias with opposite signs, unless the tangent is broken. */
		*left = fabs(before + data[0]) <= 1e-4 ? *right : auto_slope(&corner, keys[k].flags, -before);
		return;
	}
	part *= 1 - data[0];
	*left = part * ((1 + data[2]) * (1 - data[1]) * corner.left + (1 - data[2]) * (1 + data[1]) * corner.right);
	*right = part * ((1 + data[2]) * (1 + data[1]) * corner.left + (1 - data[2]) * (1 - data[1]) * corner.right);
}

static bool is_solved(const struct fbx_key *key)
{
	return (key->flags & FBX_KEY_CUBIC) != 0 && (key->flags & (FBX_KEY_AUTO | FBX_KEY_TCB)) != 0;
}

/* Set the cubic from key k to the next key. */
static void solve_span(const struct fbx_key *keys, size_t n, size_t k, double tick_s, struct fbx_span *span)
{
	const struct fbx_key *key = &keys[k];
	bool is_tcb = (key->flags & FBX_KEY_TCB) != 0;
	double other;

	span->mode = ANIM_HERMITE;
	span->right = key->data[0];
	span->left = is_tcb ? 0 : key->data[1];
	span->right_weight = span->left_weight = THIRD;
	if (is_solved(key))
		solve_key(keys, n, k, tick_s, &other, &span->right);
	if (is_solved(&keys[k + 1]))
		solve_key(keys, n, k + 1, tick_s, &span->left, &other);
	if (is_tcb || (key->flags & (FBX_KEY_RIGHT_WEIGHTED | FBX_KEY_LEFT_WEIGHTED)) == 0)
		return;
	span->mode = ANIM_WEIGHTED;
	if ((key->flags & FBX_KEY_RIGHT_WEIGHTED) != 0)
		span->right_weight = key->right_weight;
	if ((key->flags & FBX_KEY_LEFT_WEIGHTED) != 0)
		span->left_weight = key->left_weight;
}

int fbx_keys_solve(const struct fbx_key *keys, size_t n, double tick_s, struct anim_buffer *spans,
		   struct anim_error *error)
{
	struct fbx_span *out;

	/* There is at most one span for each pair of keys, and one more before the first key. */
	if (anim_buffer_reserve(spans, (n + 1) * sizeof *out, error) != 0)
		return -1;
	out = (struct fbx_span *)(void *)(spans->data + spans->size);
	for (size_t k = 0; k + 1 < n || k == 0; k++) {
		const struct fbx_key *key = &keys[k], *next = k + 1 < n ? key + 1 : key;
		struct fbx_span span = {
		    .start = key->time, .end = next->time, .from = key->value, .to = next->value, .mode = ANIM_LINEAR};

		if (n == 1 || (key->flags & FBX_KEY_CONSTANT) != 0) {
			span.mode = ANIM_HOLD;
			/* A span of length 0 gives the time before the first key the value of this key. */
			if (k == 0 && n > 1 && (key->flags & FBX_KEY_NEXT) != 0)
				*out++ = (struct fbx_span){.start = key->time,
							   .end = key->time,
							   .from = key->value,
							   .to = key->value,
							   .mode = ANIM_HOLD};
			if ((key->flags & FBX_KEY_NEXT) != 0)
				span.from = span.to;
		} else if ((key->flags & FBX_KEY_CUBIC) != 0) {
			solve_span(keys, n, k, tick_s, &span);
		}
		*out++ = span;
	}
	spans->size = (size_t)((uint8_t *)out - spans->data);
	return 0;
}

/* ---- Values ---- */

static double span_at(const struct fbx_span *span, double time, double tick_s)
{
	double ticks = (double)span->end - (double)span->start, duration = ticks * tick_s, x, u;

	if (span->mode == ANIM_HOLD || !(ticks > 0))
		return span->from;
	x = (time - (double)span->start) / ticks;
	if (span->mode == ANIM_LINEAR)
		return span->from + (span->to - span->from) * x;
	if (span->mode == ANIM_HERMITE)
		return anim_hermite(span->from, span->right, span->to, span->left, duration, x);
	u = anim_bezier_parameter(0, span->right_weight, 1 - span->left_weight, 1, x);
	return anim_bezier(span->from, span->from + span->right * span->right_weight * duration,
			   span->to - span->left * span->left_weight * duration, span->to, u);
}

static bool has_begun(const struct fbx_span *span, double time, bool before)
{
	return (double)span->start < time || ((double)span->start == time && !before);
}

double fbx_spans_at(const struct fbx_span *spans, size_t count, double time, bool before, double tick_s, size_t *near)
{
	size_t low = 0, high = count, k = *near < count ? *near : 0;

	/* Find the last span that has begun. Usually it is the span of the previous call. */
	if (!has_begun(&spans[k], time, before) || (k + 1 < count && has_begun(&spans[k + 1], time, before))) {
		while (low < high) {
			k = low + (high - low) / 2;
			if (has_begun(&spans[k], time, before))
				low = k + 1;
			else
				high = k;
		}
		k = low > 0 ? low - 1 : 0;
	}
	*near = k;
	if (time <= (double)spans[k].start)
		return spans[k].from;
	if (time > (double)spans[k].end || (time == (double)spans[k].end && !before))
		return spans[k].to;
	return span_at(&spans[k], time, tick_s);
}

/* ---- Ends ---- */

/* Append copy `number` of all spans, before or after the curve. Copy 1 is next to the curve. */
static int append_copy(const struct fbx_span *spans, size_t count, char type, bool after, int64_t number,
		       struct anim_buffer *out, struct anim_error *error)
{
	int64_t first = spans[0].start, last = spans[count - 1].end, period = last - first;
	int64_t shift = after ? number * period : -number * period;
	double rise = type == 'A' ? (spans[count - 1].to - spans[0].from) * (double)(after ? number : -number) : 0;
	bool is_mirrored = type == 'M' && number % 2 == 1;

	for (size_t i = 0; i < count; i++) {
		const struct fbx_span *span = &spans[is_mirrored ? count - 1 - i : i];
		struct fbx_span copy = *span;

		if (is_mirrored) {
			copy = (struct fbx_span){.start = first + last + shift - span->end,
						 .end = first + last + shift - span->start,
						 .from = span->mode == ANIM_HOLD ? span->from : span->to,
						 .to = span->from,
						 .right = -span->left,
						 .left = -span->right,
						 .right_weight = span->left_weight,
						 .left_weight = span->right_weight,
						 .mode = span->mode};
		} else {
			copy.start += shift;
			copy.end += shift;
			copy.from += rise;
			copy.to += rise;
		}
		if (append_span(out, &copy, error) != 0)
			return -1;
	}
	return 0;
}

/* Return the number of copies that cover `ticks` before or after the curve, or -1 if there are too many. */
static int64_t copies(const struct fbx_end *end, size_t count, int64_t period, int64_t ticks, size_t max)
{
	int64_t most = period > 0 ? (ticks + period - 1) / period : 0;

	if (ticks <= 0 || period <= 0 || (end->type != 'R' && end->type != 'M' && end->type != 'A'))
		return 0;
	if (end->repetitions >= 0 && end->repetitions < most)
		most = end->repetitions;
	return (uint64_t)most > max / count ? -1 : most;
}

/* Append a straight line that continues the curve before its first or after its last key. */
static int append_line(const struct fbx_span *span, bool is_last, int64_t to, double tick_s, struct anim_buffer *out,
		       struct anim_error *error)
{
	double value = is_last ? span->to : span->from;
	int64_t at = is_last ? span->end : span->start;
	double duration = ((double)span->end - (double)span->start) * tick_s, slope = 0, other;
	struct fbx_span line;

	if (span->mode == ANIM_LINEAR && duration > 0)
		slope = (span->to - span->from) / duration;
	else if (span->mode != ANIM_HOLD && duration > 0)
		slope = is_last ? span->left : span->right;
	other = value + slope * ((double)to - (double)at) * tick_s;
	line = (struct fbx_span){.start = is_last ? at : to,
				 .end = is_last ? to : at,
				 .from = is_last ? value : other,
				 .to = is_last ? other : value,
				 .mode = ANIM_LINEAR};
	return append_span(out, &line, error);
}

int fbx_spans_unroll(const struct fbx_span *spans, size_t count, const struct fbx_end *ends, int64_t start, int64_t end,
		     size_t max, double tick_s, struct anim_buffer *out, struct anim_error *error)
{
	int64_t first = spans[0].start, last = spans[count - 1].end, before_ticks, after_ticks;
	int64_t before, after;

	if (__builtin_sub_overflow(first, start, &before_ticks) || __builtin_sub_overflow(end, last, &after_ticks))
		before_ticks = after_ticks = 0;
	before = copies(&ends[0], count, last - first, before_ticks, max);
	after = copies(&ends[1], count, last - first, after_ticks, max);
	if (ends[0].type == 'K' && before_ticks > 0 && append_line(&spans[0], false, start, tick_s, out, error) != 0)
		return -1;
	for (int64_t i = before; i > 0; i--)
		if (append_copy(spans, count, ends[0].type, false, i, out, error) != 0)
			return -1;
	if (anim_buffer_append(out, spans, count * sizeof *spans, error) != 0)
		return -1;
	for (int64_t i = 1; i <= after; i++)
		if (append_copy(spans, count, ends[1].type, true, i, out, error) != 0)
			return -1;
	if (ends[1].type == 'K' && after_ticks > 0 &&
	    append_line(&spans[count - 1], true, end, tick_s, out, error) != 0)
		return -1;
	return before < 0 || after < 0 ? 1 : 0;
}
