/* codec.h: how the body of an AnimX file is read and written: plain, as LZ4, as LZMA; private to this folder. */
#ifndef ANIM_FORMAT_ANIMX_CODEC_H
#define ANIM_FORMAT_ANIMX_CODEC_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/input.h"
#include "format/animx/animx.h"

/* ---- reading ---- */

#define ANIMX_VARINT_MAX 10 /* bytes: 64 bits, 7 a byte */

struct animx_body;

/* One inflater; `state` of the body is its own. */
struct animx_codec {
	/* The next window, which stays until the next call: 1, 0 at the end of the body, proven to be whole, or -1. */
	int (*fill)(struct animx_body *, const uint8_t **at, size_t *size, struct anim_error *);
	void (*free)(void *state);
};

/* Begin with animx_body_init, end with animx_body_clear. */
struct animx_body {
	struct anim_input *input;        /* borrowed */
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

void animx_body_init(struct animx_body *, struct anim_input *);
void animx_body_clear(struct animx_body *);

/* Fails with the place of the byte at `offset`. Returns -1. */
int animx_body_fail(const struct animx_body *, uint64_t offset, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same with the place that a warning may carry. */
struct anim_place animx_body_place(const struct animx_body *, uint64_t offset);

/* Copies `size` bytes out. 0, or -1 where there are fewer. */
int animx_body_read(struct animx_body *, void *to, size_t size, struct anim_error *);

/*
 * count * each bytes into the buffer, which is emptied first. It grows as they arrive, or at once where the file is known to
 * hold them. 0 or -1.
 */
int animx_body_block(struct animx_body *, struct anim_buffer *, size_t count, size_t each, struct anim_error *);

int animx_body_varint(struct animx_body *, uint64_t *value, struct anim_error *);

/* Appends a string of at most `limit` bytes, UTF-8 without NUL, and says how long it is. 0 or -1. */
int animx_body_text(struct animx_body *, size_t limit, struct anim_buffer *, uint32_t *length, struct anim_error *);

/* From a mark on what is read is kept too, until it is dropped; reading again from it is for as often as wanted. 0 or -1. */
enum animx_mark { ANIMX_MARK_HERE, ANIMX_MARK_AGAIN, ANIMX_MARK_DROP };
int animx_body_mark(struct animx_body *, enum animx_mark, struct anim_error *);

/* 1 where bytes are left to read, 0 at the body's end, or -1. */
int animx_body_more(struct animx_body *, struct anim_error *);

/* The number in the first bytes: its length, 0 where they are too few, or ANIMX_VARINT_MAX + 1 where it is over 64 bits. */
size_t animx_varint(const uint8_t *bytes, size_t size, uint64_t *value);

/* For codecs: `size` bytes of the file (which are then passed over at the next call), -1 where it ends before. */
int animx_body_raw(struct animx_body *, size_t size, const uint8_t **at, struct anim_error *);
/* The same for as many as there are, at most `most`: how many, 0 at the end of the file, -1. */
ssize_t animx_body_some(struct animx_body *, uint64_t most, const uint8_t **at, struct anim_error *);
/* Fails with the place in the file where the codec stands. */
int animx_body_fail_raw(const struct animx_body *, struct anim_error *, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- writing ---- */

/* The first member of each coder; one without `ops` only adds up how much is written. */
struct animx_coder {
	const struct animx_coder_ops *ops;
	uint64_t size; /* bytes written to it */
};

struct animx_coder_ops {
	int (*write)(struct animx_coder *, const void *bytes, size_t size, struct anim_error *);
	int (*finish)(struct animx_coder *, struct anim_error *); /* all were written: the rest goes out */
	void (*free)(struct animx_coder *);
};

int animx_coder_write(struct animx_coder *, const void *bytes, size_t size, struct anim_error *);

/* The bytes of a varint: how many, at most 10. */
size_t animx_put_varint(uint8_t *to, uint64_t value);

/* ---- the encodings ---- */

struct animx_encoding {
	/* Goes on with the body, which stands at the first packed byte. 0, or -1: its head is wrong, or no library was there. */
	int (*open)(struct animx_body *, struct anim_error *);
	/*
	 * A coder for a body of exactly `size` bytes onto the output (borrowed). store_memory: what may be held in memory of
	 * output that has to wait. NULL on failure.
	 */
	struct animx_coder *(*coder_new)(struct anim_output *, uint64_t size, size_t store_memory, struct anim_error *);
	const char *missing; /* why nothing can be written in it; NULL: it can */
};

extern const struct animx_encoding animx_lz4, animx_lzma;
extern const struct animx_encoding *const animx_encodings[]; /* by enum anim_animx_encoding */

#endif
