/* codec.h: the bytes of an AnimX file: its body (plain, LZ4 or LZMA) and the keys in it; private to this folder. */
#ifndef ANIM_FORMAT_ANIMX_CODEC_H
#define ANIM_FORMAT_ANIMX_CODEC_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/input.h"
#include "clip/track.h"
#include "format/animx/animx.h"

/* ---- Reading ---- */

#define ANIMX_VARINT_MAX 10 /* bytes: 64 bits, 7 per byte */

struct animx_body;

/* An inflater. It owns `state` of the body. */
struct animx_codec {
	/*
	 * Get the next window, which is valid until the next call. Returns 1, 0 at the verified end of the body, or -1.
	 */
	int (*fill)(struct animx_body *, const uint8_t **at, size_t *size);
	void (*free)(void *state);
};

/* The body as it is read. The codec, or the file, fills the window `at`, and reader.c reads from it. */
struct animx_body {
	struct anim_input *input; /* borrowed */
	struct anim_error *error;
	const struct animx_codec *codec; /* NULL: the bytes of the file itself */
	void *state;
	const uint8_t *at;
	size_t left;     /* bytes at `at` */
	uint64_t offset; /* of `at` in the file, or in the inflated body */
	uint64_t base;   /* offset of the body in the file */
	bool trust_size; /* no limit on the ratio of inflated to compressed bytes */
	size_t peeked;   /* bytes of the input's window that are not skipped yet */
	bool marking, replaying;
	uint64_t marked;                 /* offset of the mark */
	struct anim_buffer kept, replay; /* bytes read since the mark; bytes to read again */
	const uint8_t *next;             /* the window that follows `replay` */
	size_t next_size;
};

/* Get the next window of the body in the encoding of the file. Returns 1, 0 at the end, or -1. */
int animx_body_fill(struct animx_body *);

/*
 * Read the number in the first bytes. Returns its length, 0 if there are too few bytes, or ANIMX_VARINT_MAX + 1 if it
 * has more than 64 bits.
 */
size_t animx_parse_varint(const uint8_t *bytes, size_t size, uint64_t *value);

/* ---- Writing ---- */

/*
 * The first member of each coder. If `ops` is NULL, bytes go to `out` unchanged. If `out` is also NULL, they are only
 * counted.
 */
struct animx_coder {
	const struct animx_coder_ops *ops;
	struct anim_output *out; /* borrowed */
	struct anim_error *error;
	uint64_t size; /* bytes written to it */
};

struct animx_coder_ops {
	int (*write)(struct animx_coder *, const void *bytes, size_t size);
	int (*finish)(struct animx_coder *); /* all bytes were written: flush the rest */
	void (*free)(struct animx_coder *);
};

/* Write a varint. Returns its number of bytes, at most 10. */
size_t animx_put_varint(uint8_t *to, uint64_t value);

/* ---- The encodings ---- */

struct animx_encoding {
	/*
	 * Start reading the body, at its first packed byte. Returns 0, or -1 if its head is invalid or the library is
	 * missing.
	 */
	int (*open)(struct animx_body *);
	/*
	 * Make a coder for a body of exactly `size` bytes onto the output (borrowed). store_memory limits the memory
	 * for output that is kept. Returns NULL on failure. The plain encoding has NULL here: see struct animx_coder.
	 */
	struct animx_coder *(*coder_new)(struct anim_output *, uint64_t size, size_t store_memory, struct anim_error *);
	bool needs_size;     /* coder_new uses the size; other coders ignore it */
	const char *missing; /* the reason why it cannot be written; NULL: it can */
};

extern const struct animx_encoding *const animx_encodings[]; /* by enum anim_animx_encoding */

/* ---- Keys as pairs in a file <-> columns ---- */

/* Split n pairs (first part of first_size bytes, second part of second_size bytes) into two columns, or join them. */
void animx_split(const uint8_t *pairs, size_t n, size_t first_size, size_t second_size, void *first, void *second);
void animx_join(uint8_t *pairs, size_t n, size_t first_size, size_t second_size, const void *first, const void *second);

/*
 * Return true if the floats at `pairs`, `stride` bytes apart, are valid times of a Curve: finite, not negative, not
 * decreasing.
 */
bool animx_are_times(const uint8_t *pairs, size_t n, size_t stride);

/* Return true if none of the floats is -0 or denormal. No clip has such a small time, so these are other bytes. */
bool animx_are_likely_times(const uint8_t *pairs, size_t n, size_t stride);

/* Return true if the type is not made of bools, or if the bytes, `stride` apart, have no bits beyond its components. */
bool animx_are_bools(enum anim_type, const uint8_t *pairs, size_t n, size_t stride);

/*
 * Find the orders in which the keys of a Curve can be read; `pairs` are the bytes in the file. Both are true if nothing
 * decides. Only for values of a fixed size.
 */
void animx_key_orders(enum anim_type, const uint8_t *pairs, size_t n, bool *time_first, bool *value_first);

#endif
