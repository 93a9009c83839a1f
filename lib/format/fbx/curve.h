/* curve.h: the curves of an FBX file: from keys as the file has them to spans that can be played. Private to this folder. */
#ifndef ANIM_FORMAT_FBX_CURVE_H
#define ANIM_FORMAT_FBX_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/* Flags of a key, which hold for the way to the next one; those of tangents hold on both sides of the key. */
enum {
	FBX_KEY_CONSTANT = 0x2,
	FBX_KEY_LINEAR = 0x4,
	FBX_KEY_CUBIC = 0x8,
	FBX_KEY_NEXT = 0x100, /* with CONSTANT: the next key's value is held */
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

/* A key as the file has it. */
struct fbx_key {
	int64_t time; /* ticks */
	double value;
	uint32_t flags;
	uint32_t place; /* among the keys of its curve, so that equal times keep their order */
	double data[3]; /* slope to the right, slope to the left of the next key; bias of both if AUTO; t c b if TCB */
	double right_weight, left_weight; /* the latter of the next key; read where the flags say so */
};

/* What a curve shows from one key to the next. */
struct fbx_span {
	int64_t start, end; /* ticks; equal where there is only one key */
	double from, to;    /* values; HOLD: `from` is held, and `to` is the value at the end, unless a span follows */
	double right, left; /* slopes per second at the start and the end of a cubic */
	double right_weight, left_weight; /* parts of the span that the handles of a WEIGHTED cubic take */
	uint8_t mode;                     /* ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE, ANIM_WEIGHTED */
};

/* Append the spans of n > 0 keys whose times do not fall, tangents solved. `tick_s`: seconds of a tick. 0 or -1. */
int fbx_keys_solve(const struct fbx_key *, size_t n, double tick_s, struct anim_buffer *spans, struct anim_error *);

/*
 * The value of spans at any time; their ends are held. At a time where two spans meet the later one counts, or the earlier one
 * if `before`. `near` is the number of a span near the time, kept between calls.
 */
double fbx_spans_at(const struct fbx_span *, size_t count, double time, bool before, double tick_s, size_t *near);

/* What a curve shows before its first and after its last key. */
struct fbx_end {
	char
	    type; /* C: hold; K: go on straight; R: repeat; M: mirror; A: repeat, each time from where the last ended */
	int32_t repetitions; /* -1: endless */
};

/*
 * Append the spans of a curve, and copies of them for the time from `start` to `end` (ticks) before its first and after its
 * last key. `spans` must not be part of the buffer. An end that would become more than `max` spans holds its value instead.
 * Return 0; 1 if an end holds for this reason; -1.
 */
int fbx_spans_unroll(const struct fbx_span *spans, size_t count, const struct fbx_end ends[2], int64_t start,
		     int64_t end, size_t max, double tick_s, struct anim_buffer *out, struct anim_error *);

#endif
