/* record.h: a record of the stream, converted to the model and back, and the order of records. See anim-stream(5). */
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

/*
 * bytes: head, payload and padding in one piece, 8-aligned; payload = bytes + 16. Borrowed; the function that returns
 * the record says for how long.
 */
struct anim_record {
	char tag[5];      /* with NUL */
	uint16_t version; /* of its stream: 2 may have columns in ANIM_FORM_LATTICE */
	uint64_t length;  /* of the payload, without padding */
	uint64_t offset;  /* in its stream; for messages */
	const uint8_t *bytes;
	size_t size; /* of bytes, a multiple of 8 */
};

/* A `prog` record: provenance. */
struct anim_prog {
	const char *program, *version;
	struct anim_attrs attrs;
};

static inline bool anim_record_is(const struct anim_record *record, const char *tag)
{
	return memcmp(record->tag, tag, 4) == 0;
}

/*
 * Return zlib's CRC-32 of `size` bytes, continued from `crc` (0 at first), with the fastest method of this processor.
 * All methods give the same result.
 */
uint32_t anim_crc32(uint32_t crc, const void *bytes, size_t size);

/* Return true if the CRC of the record matches its bytes. */
bool anim_record_is_sound(const struct anim_record *);

/* Return the CRC of zlib itself, against which the fast one is tested. */
uint32_t anim_crc32_plain(uint32_t crc, const void *bytes, size_t size);

/*
 * Convert a payload to the model with all checks (including anim_*_validate). Names and attributes are copied to the
 * arena. Form 0 columns of a track point into the record, form 1 columns are decoded into the arena. ->record is set
 * to the record. Returns 0, or -1 with a message and an absolute byte offset.
 */
int anim_record_prog(const struct anim_record *, struct anim_prog *, struct anim_arena *, struct anim_error *);
int anim_record_tree(const struct anim_record *, struct anim_tree *, struct anim_arena *, struct anim_error *);
int anim_record_node(const struct anim_record *, uint32_t number, struct anim_node *, struct anim_arena *,
		     struct anim_error *);
int anim_record_clip(const struct anim_record *, bool tree_before, struct anim_clip *, struct anim_arena *,
		     struct anim_error *);
int anim_record_track(const struct anim_record *, struct anim_track *, struct anim_arena *, struct anim_error *);

/*
 * Convert the model to a complete record with its CRC and append it to the buffer, whose size stays a multiple of 8.
 * The data are validated first. Returns 0 or -1.
 */
int anim_encode_prog(struct anim_buffer *, const struct anim_prog *, struct anim_error *);
int anim_encode_tree(struct anim_buffer *, const struct anim_tree *, struct anim_error *);
int anim_encode_node(struct anim_buffer *, const struct anim_node *, uint32_t number, struct anim_error *);
int anim_encode_clip(struct anim_buffer *, const struct anim_clip *, bool tree_before, struct anim_error *);
int anim_encode_track(struct anim_buffer *, const struct anim_track *, struct anim_error *);

/*
 * Get the record that begins at `bytes` and was encoded by this library: for stores. It is not checked. Its version is
 * the one that writers use.
 */
void anim_record_at(const uint8_t *bytes, uint64_t offset, struct anim_record *);

/* The forms of a column in a TRAK. */
enum anim_form {
	ANIM_FORM_PLAIN,
	ANIM_FORM_PREPARED, /* rearranged for compression */
	ANIM_FORM_LATTICE   /* integers, only for the value column and only in version 2 */
};

/*
 * The first bytes of the stream: str "AnimS", u16 version. Programs write version 1. Archives with an error have version
 * 2, so that older readers name the version instead of a column that they do not know.
 */
#define ANIM_STREAM_HEAD 8u
#define ANIM_STREAM_VERSION 1u
#define ANIM_STREAM_VERSION_LATTICE 2u
extern const uint8_t anim_stream_head[ANIM_STREAM_HEAD];

enum anim_stage { ANIM_STAGE_PROG, ANIM_STAGE_TREE, ANIM_STAGE_CLIP, ANIM_STAGE_INDEX, ANIM_STAGE_END };

/* All-zero is the state after the head of the stream. */
struct anim_order {
	enum anim_stage stage;
	uint32_t nodes;          /* of the last TREE */
	bool tree;               /* there was a TREE */
	uint64_t records, bytes; /* required contents of END: number of records, sum of their lengths */
};

/*
 * Advance by a record with this tag and length. Returns 0, or -1 if it is not allowed here, or if its upper-case tag
 * is unknown (ANIM_UNSUPPORTED). END is not counted.
 */
int anim_order_next(struct anim_order *, const char *tag, uint64_t length, struct anim_error *);

/*
 * Return true if the record is a TRAK of version 2 with a column in ANIM_FORM_LATTICE. A stream of version 1 cannot have
 * it. The record was checked before.
 */
bool anim_record_has_lattice(const struct anim_record *);

/* Return true if the four bytes can be a tag: letters; the fourth may be a blank. */
bool anim_tag_is(const uint8_t tag[4]);

/* The contents of a record, by its tag. For a tag that is not decoded, only the record. */
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
 * Decode a record into the arena, which is emptied first. `order` is the state after the record; only its nodes and
 * tree are used. The record stays borrowed. Returns 0 or -1.
 */
int anim_record_decode(struct anim_decoded *, const struct anim_record *, const struct anim_order *,
		       struct anim_arena *, struct anim_error *);

/* Pass it to the sink. A prog, and a record that is not decoded, is passed as a record. Returns 0 or -1. */
int anim_decoded_push(const struct anim_decoded *, struct anim_sink *, struct anim_error *);

#endif
