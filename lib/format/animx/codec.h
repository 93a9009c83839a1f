/* codec.h: the bytes of an AnimX file: its body, plain, as LZ4 or as LZMA, and the keys in it; private to this folder. */
#ifndef ANIM_FORMAT_ANIMX_CODEC_H
#define ANIM_FORMAT_ANIMX_CODEC_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/input.h"
#include "clip/track.h"
#include "format/animx/animx.h"

/* ---- reading ---- */

#define ANIMX_VARINT_MAX 10 /* bytes: 64 bits, 7 a byte */

struct animx_body;

/* One inflater; `state` of the body is its own. */
struct animx_codec {
	/* The next window, which stays until the next call: 1, 0 at the end of the body, proven to be whole, or -1. */
	int (*fill)(struct animx_body *, const uint8_t **at, size_t *size);
	void (*free)(void *state);
};

/* Begin with animx_body_init, end with animx_body_clear. */
struct animx_body {
	struct anim_input *input; /* borrowed */
	struct anim_error *error;
	const struct animx_codec *codec; /* NULL: the file's own bytes */
	void *state;
	const uint8_t *at;
	size_t left;     /* bytes at `at` */
	uint64_t offset; /* of `at` in the file, or in the inflated body */
	uint64_t base;   /* where the body begins in the file */
	bool trust_size; /* no limit on what comes out of how much */
	size_t peeked;   /* bytes of the input's window that are not yet passed over */
	bool marking, replaying;
	uint64_t marked;                 /* offset of the mark */
	struct anim_buffer kept, replay; /* read since the mark; to be read again */
	const uint8_t *next;             /* the window behind what is read again */
	size_t next_size;
};

void animx_body_init(struct animx_body *, struct anim_input *, struct anim_error *);
void animx_body_clear(struct animx_body *);

/* Fails with the place of the byte at `offset`. Returns -1. */
int animx_body_fail(const struct animx_body *, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with the place that a warning may carry. */
struct anim_place animx_body_place(const struct animx_body *, uint64_t offset);

/* Copies `size` bytes out. 0, or -1 where there are fewer. */
int animx_body_read(struct animx_body *, void *to, size_t size);

/*
 * count * each bytes into the buffer, which is emptied first. It grows as they arrive, or at once where the file is known to
 * hold them. 0 or -1.
 */
int animx_body_block(struct animx_body *, struct anim_buffer *, size_t count, size_t each);

int animx_body_varint(struct animx_body *, uint64_t *value);

/* Appends a string of at most `limit` bytes, UTF-8 without NUL, and says how long it is. 0 or -1. */
int animx_body_text(struct animx_body *, size_t limit, struct anim_buffer *, uint32_t *length);

/* From a mark on what is read is kept too, until it is dropped; reading again from it is for as often as wanted. 0 or -1. */
enum animx_mark { ANIMX_MARK_HERE, ANIMX_MARK_AGAIN, ANIMX_MARK_DROP };
int animx_body_mark(struct animx_body *, enum animx_mark);

/* 1 where bytes are left to read, 0 at the body's end, or -1. */
int animx_body_more(struct animx_body *);

/* ---- writing ---- */

/* The first member of each coder. If `ops` is NULL, bytes go to `out` unchanged; if `out` is NULL too, they are only counted. */
struct animx_coder {
	const struct animx_coder_ops *ops;
	struct anim_output *out; /* borrowed */
	struct anim_error *error;
	uint64_t size; /* bytes written to it */
};

struct animx_coder_ops {
	int (*write)(struct animx_coder *, const void *bytes, size_t size);
	int (*finish)(struct animx_coder *); /* all were written: the rest goes out */
	void (*free)(struct animx_coder *);
};

int animx_coder_write(struct animx_coder *, const void *bytes, size_t size);

/* The bytes of a varint: how many, at most 10. */
size_t animx_put_varint(uint8_t *to, uint64_t value);

/* ---- the encodings ---- */

struct animx_encoding {
	/* Goes on with the body, which stands at the first packed byte. 0, or -1: its head is wrong, or no library was there. */
	int (*open)(struct animx_body *);
	/*
	 * Make a coder for a body of exactly `size` bytes onto the output (borrowed). store_memory: what may be held in memory of
	 * output that has to wait. NULL on failure. Of the plain encoding NULL: see struct animx_coder.
	 */
	struct animx_coder *(*coder_new)(struct anim_output *, uint64_t size, size_t store_memory, struct anim_error *);
	bool needs_size;     /* coder_new uses the size; others do not look at it */
	const char *missing; /* why nothing can be written in it; NULL: it can */
};

extern const struct animx_encoding *const animx_encodings[]; /* by enum anim_animx_encoding */

/* ---- Keys as a file has them, side by side, <-> columns ---- */

/* n pairs of a first part of first_size bytes and a second of second_size bytes <-> a column of each. */
void animx_split(const uint8_t *pairs, size_t n, size_t first_size, size_t second_size, void *first, void *second);
void animx_join(uint8_t *pairs, size_t n, size_t first_size, size_t second_size, const void *first, const void *second);

/* True where the floats at `pairs`, `stride` bytes apart, are times of a Curve: finite, not negative, not decreasing. */
bool animx_are_times(const uint8_t *pairs, size_t n, size_t stride);

/* True where none of the floats is so small that no clip has it as a time (denormal), or -0: bytes of something else. */
bool animx_are_likely_times(const uint8_t *pairs, size_t n, size_t stride);

/* True where the type is not made of bools, or the bytes, `stride` apart, have no bit beyond its components. */
bool animx_are_bools(enum anim_type, const uint8_t *pairs, size_t n, size_t stride);

/*
 * In which order the keys of a Curve can be read, `pairs` as a file has them: both where nothing speaks for one. The end
 * of *value_first is only looked at where the values are of fixed size.
 */
void animx_key_orders(enum anim_type, const uint8_t *pairs, size_t n, bool *time_first, bool *value_first);

/*
 * Brings bytes of a bool type to what Resonite takes them for: any but 0 is true for bool, bits above the components are ignored
 * for bool2 to bool4. True where one was changed; other types are left alone.
 */
bool animx_clean_bools(enum anim_type, uint8_t *column, size_t n);

#endif
