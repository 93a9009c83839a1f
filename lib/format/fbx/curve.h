/* curve.h: converts the keys of an FBX curve to spans that can be evaluated. Private to this folder. */
#ifndef ANIM_FORMAT_FBX_CURVE_H
#define ANIM_FORMAT_FBX_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * Flags of a key. They describe the curve from this key to the next one. Flags of tangents apply to both sides of the
 * key.
 */
enum {
	FBX_KEY_CONSTANT = 0x2,
	FBX_KEY_LINEAR = 0x4,
	FBX_KEY_CUBIC = 0x8,
	FBX_KEY_NEXT = 0x100, /* with CONSTANT: hold the value of the next key */
	FBX_KEY_AUTO = 0x100, /* with CUBIC */
	FBX_KEY_TCB = 0x200,
	FBX_KEY_USER = 0x400,
	FBX_KEY_BROKEN = 0x800,
	FBX_KEY_CLAMP = 0x1000,
	FBX_KEY_TIME_INDEPENDENT = 0x2000,
	FBX_KEY_CLAMP_PROGRESSIVE = 0x4000,
	FBX_KEY_RIGHT_WEIGHTED = 0x1000000,
	FBX_KEY_LEFT_WEIGHTED = 0x2000000
};

/*
 * A key as it is in the file. Its data depend on the flags: with AUTO, the bias of both sides instead of slopes, and
 * with TCB, tension, continuity and bias.
 */
struct fbx_key {
	int64_t time; /* in ticks */
	double value;
	uint32_t flags;
	uint32_t place; /* index in the file, so that sorting keeps the order of equal times */
	double data[3]; /* slope to the right, slope to the left of the next key */
	double right_weight,
	    left_weight; /* of this key to the right, of the next key to the left, if the flags say so */
};

/* The curve between two keys. */
struct fbx_span {
	int64_t start, end; /* in ticks, equal if the curve has only one key */
	double from, to;    /* values. HOLD holds `from`, and `to` is the value at the end if no span follows. */
	double right, left; /* slopes per second at the start and the end of a cubic */
	double right_weight, left_weight; /* lengths of the handles of a WEIGHTED cubic, as fractions of the span */
	uint8_t mode;                     /* ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE or ANIM_WEIGHTED */
};

/*
 * Append the spans of n > 0 keys with ascending times, and compute their tangents. `tick_s`: seconds per tick. Return
 * 0 or -1.
 */
int fbx_keys_solve(const struct fbx_key *, size_t n, double tick_s, struct anim_buffer *spans, struct anim_error *);

/*
 * Evaluate spans at any time. Before the first and after the last span, their values are held. If two spans meet at
 * the time, the later one counts, or the earlier one if `before` is true. *near is the index of the last span that
 * was used. Keep it between calls.
 */
double fbx_spans_at(const struct fbx_span *, size_t count, double time, bool before, double tick_s, size_t *near);

/* How a curve continues before its first or after its last key. */
struct fbx_end {
	char type;           /* C: hold, K: continue straight, R: repeat, M: mirror, A: repeat from the last value */
	int32_t repetitions; /* -1: endless */
};

/*
 * Append the spans of a curve, and copies of them from `start` to `end` (ticks) where the curve has no keys. `spans`
 * must not be part of the buffer. `ends` are the two ends. An end that needs more than `max` spans holds its value instead. Return 0, 1 if an
 * end holds for this reason, or -1 on error.
 */
int fbx_spans_unroll(const struct fbx_span *spans, size_t count, const struct fbx_end *ends, int64_t start, int64_t end,
		     size_t max, double tick_s, struct anim_buffer *out, struct anim_error *);

#endif
