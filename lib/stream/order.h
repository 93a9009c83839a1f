/* order.h: which record may follow which; one rule for reader and writer. */
#ifndef ANIM_STREAM_ORDER_H
#define ANIM_STREAM_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The stream's first bytes: str "AnimS", u16 version. */
#define ANIM_STREAM_HEAD 8u
#define ANIM_STREAM_VERSION 1u
extern const uint8_t anim_stream_head[ANIM_STREAM_HEAD];

enum anim_stage { ANIM_STAGE_PROG, ANIM_STAGE_TREE, ANIM_STAGE_CLIP, ANIM_STAGE_INDEX, ANIM_STAGE_END };

/* All-zero is the state after the head of the stream. */
struct anim_order {
	enum anim_stage stage;
	uint32_t nodes;          /* of the last TREE */
	bool tree;               /* a TREE came */
	uint64_t records, bytes; /* what END must say: all records, the sum of their lengths */
};

/*
 * Moves on over a record of this tag and length: 0, or -1 where it may not stand there or is an upper-case one that is not
 * known (ANIM_UNSUPPORTED). END is not counted.
 */
int anim_order_next(struct anim_order *, const char *tag, uint64_t length, struct anim_error *);

/* True for four bytes that can be a tag: letters, the fourth a blank too. */
bool anim_tag_is(const uint8_t tag[4]);

#endif
