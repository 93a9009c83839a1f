/* coder.h: bytes of an AnimX body on their way out, compressed or not; private to this folder. */
#ifndef ANIM_FORMAT_ANIMX_CODER_H
#define ANIM_FORMAT_ANIMX_CODER_H

#include "format/animx/animx.h"

struct animx_coder;

struct animx_coder_ops {
	int (*write)(struct animx_coder *, const void *bytes, size_t size, struct anim_error *);
	int (*finish)(struct animx_coder *, struct anim_error *); /* all were written: the rest goes out */
	void (*free)(struct animx_coder *);
};

/* The first member of each coder. */
struct animx_coder {
	const struct animx_coder_ops *ops;
};

/* True where the encoding's library was there when this was built; else the error says so. */
bool animx_coder_is_there(enum anim_animx_encoding, struct anim_error *);

/*
 * A coder for a body of exactly `size` bytes onto the output (borrowed). store_memory: what may be held in memory of output
 * that has to wait. NULL on failure.
 */
struct animx_coder *animx_coder_new(enum anim_animx_encoding, struct anim_output *, uint64_t size, size_t store_memory,
				    struct anim_error *);
struct animx_coder *animx_lz4_coder_new(struct anim_output *, struct anim_error *);
struct animx_coder *animx_lzma_coder_new(struct anim_output *, uint64_t size, size_t store_memory, struct anim_error *);

/* A coder that only adds up how much is written, into *size. */
struct animx_coder *animx_counter_new(uint64_t *size, struct anim_error *);

int animx_coder_write(struct animx_coder *, const void *bytes, size_t size, struct anim_error *);
int animx_coder_finish(struct animx_coder *, struct anim_error *);
void animx_coder_free(struct animx_coder *); /* NULL is allowed */

/* The bytes of a varint: how many, at most 10. */
size_t animx_put_varint(uint8_t *to, uint64_t value);

/*
 * A track as version 1 has it: times from 0, names Resonite's, Raw with start 0. A Curve that is marked has a mode for each
 * key, even where they are the same. 0 or -1.
 */
int animx_put_track(struct animx_coder *, const struct anim_write_options *, const struct anim_track *, bool marked,
		    struct anim_error *);

/* A text behind its length. */
int animx_put_text(struct animx_coder *, const char *text, size_t length, struct anim_error *);

#endif
