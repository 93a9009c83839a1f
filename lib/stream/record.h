/* record.h: one record of the stream, its parts <-> the model, and which may follow which. See anim-stream(5). */
#ifndef ANIM_STREAM_RECORD_H
#define ANIM_STREAM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "clip/sink.h"
#include "clip/track.h"

#define ANIM_RECORD_HEAD 16u

/* bytes: head, payload and padding in one piece, 8-aligned; payload = bytes + 16. Borrowed as its giver says. */
struct anim_record {
	char tag[5];     /* with NUL */
	uint64_t length; /* of the payload, without padding */
	uint64_t offset; /* in the stream it came from; for messages */
	const uint8_t *bytes;
	size_t size; /* of bytes, a multiple of 8 */
};

/* One `prog` record: provenance. */
struct anim_prog {
	const char *program, *version;
	struct anim_attrs attrs;
};

static inline bool anim_record_is(const struct anim_record *record, const char *tag)
{
	return memcmp(record->tag, tag, 4) == 0;
}

/* zlib's CRC-32 of `size` bytes going on from `crc` (0 at first), by the fastest way this processor has; same result. */
uint32_t anim_crc32(uint32_t crc, const void *bytes, size_t size);

/* True where the record's CRC agrees with its bytes. */
bool anim_record_is_sound(const struct anim_record *);

/* zlib's own, which the fast one is tested against. */
uint32_t anim_crc32_plain(uint32_t crc, const void *bytes, size_t size);

/*
 * Payload -> model, fully checked (anim_*_validate included). Names and attributes are copied into the arena; a track's form 0
 * columns point into the record, form 1 columns are undone into the arena. ->record is set to the record. -1: message
 * and absolute byte offset.
 */
int anim_record_prog(const struct anim_record *, struct anim_prog *, struct anim_arena *, struct anim_error *);
int anim_record_tree(const struct anim_record *, struct anim_tree *, struct anim_arena *, struct anim_error *);
int anim_record_node(const struct anim_record *, uint32_t number, struct anim_node *, struct anim_arena *,
		     struct anim_error *);
int anim_record_clip(const struct anim_record *, bool tree_before, struct anim_clip *, struct anim_arena *,
		     struct anim_error *);
int anim_record_track(const struct anim_record *, struct anim_track *, struct anim_arena *, struct anim_error *);

/* Model -> one whole record appended to the buffer (its size stays a multiple of 8), CRC included; validates first. */
int anim_encode_prog(struct anim_buffer *, const struct anim_prog *, struct anim_error *);
int anim_encode_tree(struct anim_buffer *, const struct anim_tree *, struct anim_error *);
int anim_encode_node(struct anim_buffer *, const struct anim_node *, uint32_t number, struct anim_error *);
int anim_encode_clip(struct anim_buffer *, const struct anim_clip *, bool tree_before, struct anim_error *);
int anim_encode_track(struct anim_buffer *, const struct anim_track *, struct anim_error *);

/* The record that begins at `bytes` (one that this library encoded): for stores. Not checked. */
void anim_record_at(const uint8_t *bytes, uint64_t offset, struct anim_record *);

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

/* What a record tells, by its tag; of a tag that is not decoded the record alone. */
struct anim_decoded {
	const struct anim_record *record;
	union {
		struct anim_prog prog;
		struct anim_tree tree;
		struct anim_node node;
		struct anim_clip clip;
		struct anim_track track;
	};
};

/*
 * Decodes a record into the arena, which is emptied first. `order`: as it is behind the record, its nodes and tree alone are
 * looked at. The record stays borrowed. 0 or -1.
 */
int anim_record_decode(struct anim_decoded *, const struct anim_record *, const struct anim_order *,
		       struct anim_arena *, struct anim_error *);

/* Hands that to the sink; a prog, and what is not decoded, as the record that it is. 0 or -1. */
int anim_decoded_push(const struct anim_decoded *, struct anim_sink *, struct anim_error *);

#endif
