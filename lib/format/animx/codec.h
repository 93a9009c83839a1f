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

/* Begin with animx_body_init, end with animx_body_clear. */
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

void animx_body_init(struct animx_body *, struct anim_input *, struct anim_error *);
void animx_body_clear(struct animx_body *);

/* Fail with the place of the byte at `offset`. Returns -1. */
int animx_body_fail(const struct animx_body *, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Return the same place for a warning. */
struct anim_place animx_body_place(const struct animx_body *, uint64_t offset);

/* Copy `size` bytes. Returns 0, or -1 if there are fewer. */
int animx_body_read(struct animx_body *, void *to, size_t size);

/*
 * Read count * each bytes into the buffer, which is emptied first. The buffer grows as bytes arrive. It grows at once
 * if the file is known to contain them. Returns 0 or -1.
 */
int animx_body_block(struct animx_body *, struct anim_buffer *, size_t count, size_t each);

int animx_body_varint(struct animx_body *, uint64_t *value);

/* Append a string of at most `limit` bytes (UTF-8 without NUL), and set *length. Returns 0 or -1. */
int animx_body_text(struct animx_body *, size_t limit, struct anim_buffer *, uint32_t *length);

/*
 * Set a mark (HERE), return to it (AGAIN), or remove it (DROP). Bytes read after the mark are kept until it is removed,
 * so they can be read again any number of times. Returns 0 or -1.
 */
enum animx_mark { ANIMX_MARK_HERE, ANIMX_MARK_AGAIN, ANIMX_MARK_DROP };
int animx_body_mark(struct animx_body *, enum animx_mark);

/* Return 1 if there are bytes left, 0 at the end of the body, or -1. */
int animx_body_more(struct animx_body *);

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

int animx_coder_write(struct animx_coder *, const void *bytes, size_t size);

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
	 * for output that must wait. Returns NULL on failure. The plain encoding has NULL here: see struct animx_coder.
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

/*
 * Convert bytes of a bool type to Resonite's reading of them. For bool, any byte except 0 is true. For bool2 to bool4,
 * bits above the components are ignored. Returns true if a byte changed. Other types stay unchanged.
 */
bool animx_clean_bools(enum anim_type, uint8_t *column, size_t n);

#endif
