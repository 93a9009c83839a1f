/* codec_lz4.c: LZ4 bodies: chunks of raw blocks, as lz4net's LZ4Stream writes them, and (read alone) LZ4 frames. */
#include "format/animx/codec.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#ifdef ANIM_HAVE_LZ4

#include <lz4.h>
#include <lz4frame.h>

/* ---- reading ---- */

#define WINDOW ((size_t)64 << 10) /* inflated bytes of a frame at a time */
#define CHUNK_COMPRESSED 1u
#define CHUNK_FLAGS 3u /* compressed, high compression; the bits above count passes, which nobody writes */
#define RATIO_MAX 255u /* an LZ4 block inflates to at most so many times its size */

struct lz4_chunks {
	struct anim_buffer out;
};

struct lz4_frame {
	LZ4F_dctx *context;
	bool done;
	uint8_t out[WINDOW];
};

/*
 * True where the sequences of a block keep within what was inflated before and give `raw_size` bytes: the library itself
 * takes an offset of 0 for something.
 */
static bool block_is_sound(const uint8_t *at, size_t size, size_t raw_size)
{
	const uint8_t *end = at + size;
	size_t made = 0;

	while (at < end) {
		uint8_t token = *at++;
		size_t literals = token >> 4, match = token & 15, offset;

		for (unsigned more = 255; literals >= 15 && more == 255 && at < end; literals += more)
			more = *at++;
		if (literals > (size_t)(end - at))
			return false;
		at += literals;
		made += literals;
		if (at == end)
			return made == raw_size;
		if (end - at < 2)
			return false;
		offset = (size_t)(at[0] | at[1] << 8);
		at += 2;
		if (offset == 0 || offset > made)
			return false;
		for (unsigned more = 255; match >= 15 && more == 255 && at < end; match += more)
			more = *at++;
		made += match + 4;
		if (made > raw_size)
			return false;
	}
	return false;
}

/* One number of a chunk's head; `rest` bytes are in the window. */
static int head_number(struct animx_body *body, const uint8_t **at, size_t *rest, uint64_t *value,
		       struct anim_error *error)
{
	size_t used = animx_varint(*at, *rest, value);

	if (used == 0 || used > ANIMX_VARINT_MAX)
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "a damaged head of an LZ4 chunk");
	*at += used;
	*rest -= used;
	return 0;
}

/* The head: 1 and its numbers, 0 at the end of the file, -1. */
static int read_head(struct animx_body *body, uint64_t *flags, uint64_t *raw_size, uint64_t *size,
		     struct anim_error *error)
{
	const uint8_t *at, *start;
	ssize_t there;
	size_t rest;

	anim_input_skip(body->input, body->peeked);
	body->peeked = 0;
	there = anim_input_peek(body->input, 3 * ANIMX_VARINT_MAX, &at, error);
	if (there <= 0)
		return (int)there;
	start = at;
	rest = (size_t)there;
	if (head_number(body, &at, &rest, flags, error) != 0 || head_number(body, &at, &rest, raw_size, error) != 0)
		return -1;
	*size = *raw_size;
	if ((*flags & CHUNK_COMPRESSED) != 0 && head_number(body, &at, &rest, size, error) != 0)
		return -1;
	if (*flags > CHUNK_FLAGS)
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "an LZ4 chunk of unknown flags");
	if (*raw_size > ANIM_LZ4_CHUNK_MAX)
		return animx_body_fail_raw(body, error, ANIM_TOO_LARGE,
					   "an LZ4 chunk of %llu bytes, at most %u are read",
					   (unsigned long long)*raw_size, ANIM_LZ4_CHUNK_MAX);
	if (*size > *raw_size)
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT,
					   "an LZ4 chunk that is longer compressed than not");
	anim_input_skip(body->input, (size_t)(at - start));
	return 1;
}

static int inflate_chunk(struct animx_body *body, const uint8_t **at, size_t size, size_t raw_size,
			 struct anim_error *error)
{
	struct lz4_chunks *chunks = body->state;

	chunks->out.size = 0;
	if (raw_size / RATIO_MAX > size || !block_is_sound(*at, size, raw_size))
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "a damaged LZ4 chunk");
	if (anim_buffer_extend(&chunks->out, raw_size, error) == NULL)
		return -1;
	if (LZ4_decompress_safe((const char *)*at, (char *)chunks->out.data, (int)size, (int)raw_size) != (int)raw_size)
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "a damaged LZ4 chunk");
	*at = chunks->out.data;
	return 0;
}

static int fill_chunk(struct animx_body *body, const uint8_t **at, size_t *window, struct anim_error *error)
{
	uint64_t flags, raw_size = 0, size;

	while (raw_size == 0) {
		int more = read_head(body, &flags, &raw_size, &size, error);

		if (more <= 0)
			return more;
		if (animx_body_raw(body, (size_t)size, at, error) != 0)
			return -1;
	}
	*window = (size_t)raw_size;
	if ((flags & CHUNK_COMPRESSED) != 0 && inflate_chunk(body, at, (size_t)size, *window, error) != 0)
		return -1;
	return 1;
}

static void free_chunks(void *state)
{
	struct lz4_chunks *chunks = state;

	anim_buffer_clear(&chunks->out);
	free(chunks);
}

/* Behind the frame nothing may come. */
static int end_frame(struct animx_body *body, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t more = animx_body_some(body, 1, &at, error);

	if (more > 0) {
		body->peeked = 0;
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "bytes behind the LZ4 frame");
	}
	return (int)more;
}

static int fill_frame(struct animx_body *body, const uint8_t **at, size_t *window, struct anim_error *error)
{
	struct lz4_frame *frame = body->state;

	while (!frame->done) {
		const uint8_t *in;
		ssize_t there = animx_body_some(body, SIZE_MAX, &in, error);
		size_t used = (size_t)there, made = sizeof frame->out, wanted;

		if (there < 0)
			return -1;
		if (there == 0)
			return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "the file is cut inside an LZ4 frame");
		wanted = LZ4F_decompress(frame->context, frame->out, &made, in, &used, NULL);
		body->peeked = used;
		if (LZ4F_isError(wanted))
			return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "a damaged LZ4 frame: %s",
						   LZ4F_getErrorName(wanted));
		frame->done = wanted == 0;
		*at = frame->out;
		*window = made;
		if (made > 0)
			return 1;
	}
	return end_frame(body, error);
}

static void free_frame(void *state)
{
	struct lz4_frame *frame = state;

	LZ4F_freeDecompressionContext(frame->context);
	free(frame);
}

static int open_frame(struct animx_body *body, struct anim_error *error)
{
	static const struct animx_codec codec = {fill_frame, free_frame};
	struct lz4_frame *frame = anim_zeroed(sizeof *frame, error);

	if (frame == NULL)
		return -1;
	if (LZ4F_isError(LZ4F_createDecompressionContext(&frame->context, LZ4F_VERSION))) {
		free(frame);
		return anim_fail_memory(error);
	}
	body->state = frame;
	body->codec = &codec;
	return 0;
}

/* A frame's magic cannot begin a chunk: as flags it would count passes. */
static int open_body(struct animx_body *body, struct anim_error *error)
{
	static const struct animx_codec codec = {fill_chunk, free_chunks};
	static const uint8_t magic[] = {0x04, 0x22, 0x4d, 0x18};
	const uint8_t *at;
	ssize_t there = anim_input_peek(body->input, sizeof magic, &at, error);

	if (there < 0)
		return -1;
	if (there >= (ssize_t)sizeof magic && memcmp(at, magic, sizeof magic) == 0)
		return open_frame(body, error);
	body->state = anim_zeroed(sizeof(struct lz4_chunks), error);
	body->codec = body->state == NULL ? NULL : &codec;
	return body->state == NULL ? -1 : 0;
}

/* ---- writing ---- */

#define CHUNK (1 << 20) /* inflated bytes, the stream's default block size */

struct lz4_coder {
	struct animx_coder coder;
	struct anim_output *out;
	size_t size; /* bytes in `chunk` */
	char chunk[CHUNK], packed[LZ4_COMPRESSBOUND(CHUNK)];
};

/* A chunk that does not become smaller is stored. */
static int flush(struct lz4_coder *lz4, struct anim_error *error)
{
	int packed = LZ4_compress_default(lz4->chunk, lz4->packed, (int)lz4->size, sizeof lz4->packed);
	bool smaller = packed > 0 && (size_t)packed < lz4->size;
	uint8_t head[3 * ANIMX_VARINT_MAX];
	size_t size = animx_put_varint(head, smaller ? CHUNK_COMPRESSED : 0);

	if (lz4->size == 0)
		return 0;
	size += animx_put_varint(head + size, lz4->size);
	if (smaller)
		size += animx_put_varint(head + size, (uint64_t)packed);
	if (anim_output_write(lz4->out, head, size, error) != 0 ||
	    anim_output_write(lz4->out, smaller ? lz4->packed : lz4->chunk, smaller ? (size_t)packed : lz4->size,
			      error) != 0)
		return -1;
	lz4->size = 0;
	return 0;
}

static int write(struct animx_coder *coder, const void *bytes, size_t size, struct anim_error *error)
{
	struct lz4_coder *lz4 = (struct lz4_coder *)coder;
	const char *from = bytes;

	while (size > 0) {
		size_t room = CHUNK - lz4->size, part = size < room ? size : room;

		memcpy(lz4->chunk + lz4->size, from, part);
		lz4->size += part;
		from += part;
		size -= part;
		if (lz4->size == CHUNK && flush(lz4, error) != 0)
			return -1;
	}
	return 0;
}

static int finish(struct animx_coder *coder, struct anim_error *error)
{
	return flush((struct lz4_coder *)coder, error);
}

static void free_coder(struct animx_coder *coder)
{
	free(coder);
}

static struct animx_coder *coder_new(struct anim_output *out, uint64_t size, size_t store_memory,
				     struct anim_error *error)
{
	static const struct animx_coder_ops ops = {write, finish, free_coder};
	struct lz4_coder *lz4 = malloc(sizeof *lz4);

	(void)size;
	(void)store_memory;
	if (lz4 == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	lz4->coder = (struct animx_coder){&ops, 0};
	lz4->out = out;
	lz4->size = 0;
	return &lz4->coder;
}

const struct animx_encoding animx_lz4 = {open_body, coder_new, NULL};

#else

static int refuse(struct animx_body *body, struct anim_error *error)
{
	return animx_body_fail_raw(body, error, ANIM_UNSUPPORTED,
				   "its body is LZ4, which this build does not read; build anim-tools with liblz4");
}

const struct animx_encoding animx_lz4 = {refuse, NULL, "this build does not write LZ4; build anim-tools with liblz4"};

#endif
