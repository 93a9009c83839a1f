/* codec.c: the encodings of the body of an AnimX file (plain, LZ4 or LZMA), and splitting and joining its keys. */
#include "format/animx/codec.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "stream/store.h"

#ifdef ANIM_HAVE_LZ4
#include <lz4.h>
#include <lz4frame.h>
#endif
#ifdef ANIM_HAVE_LZMA
#include <lzma.h>
#endif

/* ---- The bytes of the file, and the windows of the body ---- */

/* Fail with the codec's current position in the file. */
__attribute__((format(printf, 3, 4))) static int fail_packed(const struct animx_body *body, int code,
							     const char *format, ...)
{
	struct anim_place place = {
	    .file = anim_input_name(body->input), .at = ANIM_AT_BYTE, .offset = anim_input_offset(body->input)};
	va_list args;

	va_start(args, format);
	anim_fail_va(body->error, code, &place, format, args);
	va_end(args);
	return -1;
}

/*
 * Get the available bytes of the file, at most `most`. The next call skips them. Returns their number, 0 at the end of
 * the file, or -1.
 */
static ssize_t peek_some_packed(struct animx_body *body, uint64_t most, const uint8_t **at)
{
	ssize_t size;

	anim_input_skip(body->input, body->peeked);
	body->peeked = 0;
	if (most == 0)
		return 0;
	size = anim_input_peek(body->input, 1, at, body->error);
	if (size > 0)
		body->peeked = (uint64_t)size < most ? (size_t)size : (size_t)most;
	return size < 0 ? -1 : (ssize_t)body->peeked;
}

#if defined ANIM_HAVE_LZ4 || defined ANIM_HAVE_LZMA
/* Get exactly `size` bytes in the same way. Returns 0, or -1 if the file ends earlier. */
static int peek_packed(struct animx_body *body, size_t size, const uint8_t **at)
{
	ssize_t there;

	anim_input_skip(body->input, body->peeked);
	body->peeked = 0;
	there = anim_input_peek(body->input, size, at, body->error);
	if (there < 0)
		return -1;
	if ((size_t)there < size) {
		anim_input_skip(body->input, (size_t)there);
		return fail_packed(body, ANIM_BAD_INPUT, "the file is cut inside a compressed body");
	}
	body->peeked = size;
	return 0;
}
#endif

int animx_body_fill(struct animx_body *body)
{
	ssize_t size;

	if (body->codec != NULL) {
		int more = body->codec->fill(body, &body->at, &body->left);
		uint64_t inflated, taken;

		if (more <= 0)
			return more;
		/* Check the expansion, because a few kilobytes can inflate to gigabytes. */
		inflated = body->offset + body->left;
		taken = anim_input_offset(body->input) + body->peeked - body->base;
		if (body->trust_size || inflated <= ANIM_ANIMX_INFLATED_MAX ||
		    inflated / ANIM_ANIMX_EXPANSION_MAX <= taken)
			return 1;
		return fail_packed(body, ANIM_TOO_LARGE,
				   "more than %llu bytes inflate from %llu; if you trust the file, use " ANIM_OPTION(
				       "parse", "trust-size"),
				   (unsigned long long)ANIM_ANIMX_INFLATED_MAX, (unsigned long long)taken);
	}
	size = peek_some_packed(body, UINT64_MAX, &body->at);
	body->left = size < 0 ? 0 : (size_t)size;
	return size < 0 ? -1 : size > 0;
}

/* ---- Numbers of 7 bits per byte ---- */

size_t animx_parse_varint(const uint8_t *bytes, size_t size, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < size && i < ANIMX_VARINT_MAX; i++) {
		if (i == ANIMX_VARINT_MAX - 1 && bytes[i] > 1)
			break;
		*value |= (uint64_t)(bytes[i] & 127) << (7 * i);
		if (bytes[i] < 128)
			return i + 1;
	}
	return size < ANIMX_VARINT_MAX ? 0 : ANIMX_VARINT_MAX + 1;
}

size_t animx_put_varint(uint8_t *to, uint64_t value)
{
	size_t size = 0;

	for (; value > 127; value >>= 7)
		to[size++] = (uint8_t)(value | 128);
	to[size++] = (uint8_t)value;
	return size;
}

/* ---- LZ4: chunks of raw blocks, as lz4net's LZ4Stream writes them, and LZ4 frames (read only) ---- */

#ifdef ANIM_HAVE_LZ4

#define LZ4_WINDOW ((size_t)64 << 10) /* inflated bytes of a frame at a time */
#define CHUNK_COMPRESSED 1u
#define CHUNK_FLAGS 3u /* compressed, high compression; higher bits count passes, which no known writer uses */
#define RATIO_MAX 255u /* maximum ratio of inflated to compressed bytes in an LZ4 block */

struct lz4_chunks {
	struct anim_buffer out;
};

struct lz4_frame {
	LZ4F_dctx *context;
	bool done;
	uint8_t out[LZ4_WINDOW];
};

/*
 * Return true if the sequences of a block refer only to bytes inflated before them, and give `raw_size` bytes. This
 * check is necessary because the library accepts an offset of 0.
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

/* Read one number of the head of a chunk. `rest` bytes are in the window. */
static int lz4_head_number(struct animx_body *body, const uint8_t **at, size_t *rest, uint64_t *value)
{
	size_t used = animx_parse_varint(*at, *rest, value);

	if (used == 0 || used > ANIMX_VARINT_MAX)
		return fail_packed(body, ANIM_BAD_INPUT, "a damaged head of an LZ4 chunk");
	*at += used;
	*rest -= used;
	return 0;
}

/* Read the head of a chunk. Returns 1 with its numbers, 0 at the end of the file, or -1. */
static int read_lz4_head(struct animx_body *body, uint64_t *flags, uint64_t *raw_size, uint64_t *size)
{
	const uint8_t *at, *start;
	ssize_t there;
	size_t rest;

	anim_input_skip(body->input, body->peeked);
	body->peeked = 0;
	there = anim_input_peek(body->input, 3 * ANIMX_VARINT_MAX, &at, body->error);
	if (there <= 0)
		return (int)there;
	start = at;
	rest = (size_t)there;
	if (lz4_head_number(body, &at, &rest, flags) != 0 || lz4_head_number(body, &at, &rest, raw_size) != 0)
		return -1;
	*size = *raw_size;
	if ((*flags & CHUNK_COMPRESSED) != 0 && lz4_head_number(body, &at, &rest, size) != 0)
		return -1;
	if (*flags > CHUNK_FLAGS)
		return fail_packed(body, ANIM_BAD_INPUT, "an LZ4 chunk with unknown flags");
	if (*raw_size > ANIM_LZ4_CHUNK_MAX)
		return fail_packed(body, ANIM_TOO_LARGE, "an LZ4 chunk of %llu bytes, at most %u are read",
				   (unsigned long long)*raw_size, ANIM_LZ4_CHUNK_MAX);
	if (*size > *raw_size)
		return fail_packed(body, ANIM_BAD_INPUT, "an LZ4 chunk that is larger compressed than uncompressed");
	anim_input_skip(body->input, (size_t)(at - start));
	return 1;
}

static int fill_chunk(struct animx_body *body, const uint8_t **at, size_t *window)
{
	struct lz4_chunks *chunks = body->state;
	uint64_t flags, raw_size = 0, size;

	while (raw_size == 0) {
		int more = read_lz4_head(body, &flags, &raw_size, &size);

		if (more <= 0)
			return more;
		if (peek_packed(body, (size_t)size, at) != 0)
			return -1;
	}
	*window = (size_t)raw_size;
	if ((flags & CHUNK_COMPRESSED) == 0)
		return 1;
	chunks->out.size = 0;
	if (raw_size / RATIO_MAX > size || !block_is_sound(*at, (size_t)size, *window))
		return fail_packed(body, ANIM_BAD_INPUT, "a damaged LZ4 chunk");
	if (anim_buffer_extend(&chunks->out, *window, body->error) == NULL)
		return -1;
	if (LZ4_decompress_safe((const char *)*at, (char *)chunks->out.data, (int)size, (int)raw_size) != (int)raw_size)
		return fail_packed(body, ANIM_BAD_INPUT, "a damaged LZ4 chunk");
	*at = chunks->out.data;
	return 1;
}

static void free_chunks(void *state)
{
	struct lz4_chunks *chunks = state;

	anim_buffer_clear(&chunks->out);
	free(chunks);
}

static int fill_frame(struct animx_body *body, const uint8_t **at, size_t *window)
{
	struct lz4_frame *frame = body->state;
	const uint8_t *in;
	ssize_t there;

	while (!frame->done) {
		size_t used, made = sizeof frame->out, wanted;

		there = peek_some_packed(body, SIZE_MAX, &in);
		used = (size_t)there;
		if (there < 0)
			return -1;
		if (there == 0)
			return fail_packed(body, ANIM_BAD_INPUT, "the file is cut inside an LZ4 frame");
		wanted = LZ4F_decompress(frame->context, frame->out, &made, in, &used, NULL);
		body->peeked = used;
		if (LZ4F_isError(wanted))
			return fail_packed(body, ANIM_BAD_INPUT, "a damaged LZ4 frame: %s", LZ4F_getErrorName(wanted));
		frame->done = wanted == 0;
		*at = frame->out;
		*window = made;
		if (made > 0)
			return 1;
	}
	/* Nothing may follow the frame. */
	there = peek_some_packed(body, 1, &in);
	if (there <= 0)
		return (int)there;
	body->peeked = 0;
	return fail_packed(body, ANIM_BAD_INPUT, "extra bytes after the LZ4 frame");
}

static void free_frame(void *state)
{
	struct lz4_frame *frame = state;

	LZ4F_freeDecompressionContext(frame->context);
	free(frame);
}

static int open_frame(struct animx_body *body)
{
	static const struct animx_codec codec = {fill_frame, free_frame};
	struct lz4_frame *frame = anim_zeroed(sizeof *frame, body->error);

	if (frame == NULL)
		return -1;
	if (LZ4F_isError(LZ4F_createDecompressionContext(&frame->context, LZ4F_VERSION))) {
		free(frame);
		return anim_fail_memory(body->error);
	}
	body->state = frame;
	body->codec = &codec;
	return 0;
}

/*
 * Open a body with frames or chunks. The magic number of a frame cannot begin a chunk, because as flags it would count
 * passes.
 */
static int open_lz4(struct animx_body *body)
{
	static const struct animx_codec codec = {fill_chunk, free_chunks};
	static const uint8_t magic[] = {0x04, 0x22, 0x4d, 0x18};
	const uint8_t *at;
	ssize_t there = anim_input_peek(body->input, sizeof magic, &at, body->error);

	if (there < 0)
		return -1;
	if (there >= (ssize_t)sizeof magic && memcmp(at, magic, sizeof magic) == 0)
		return open_frame(body);
	body->state = anim_zeroed(sizeof(struct lz4_chunks), body->error);
	body->codec = body->state == NULL ? NULL : &codec;
	return body->state == NULL ? -1 : 0;
}

#define LZ4_CHUNK (1 << 20) /* inflated bytes, the default block size of LZ4Stream */

struct lz4_coder {
	struct animx_coder coder;
	size_t size; /* bytes in `chunk` */
	char chunk[LZ4_CHUNK], packed[LZ4_COMPRESSBOUND(LZ4_CHUNK)];
};

/* Write the chunk. It is stored uncompressed if compression does not make it smaller. */
static int flush_lz4(struct lz4_coder *lz4)
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
	if (anim_output_write(lz4->coder.out, head, size, lz4->coder.error) != 0 ||
	    anim_output_write(lz4->coder.out, smaller ? lz4->packed : lz4->chunk, smaller ? (size_t)packed : lz4->size,
			      lz4->coder.error) != 0)
		return -1;
	lz4->size = 0;
	return 0;
}

static int write_lz4(struct animx_coder *coder, const void *bytes, size_t size)
{
	struct lz4_coder *lz4 = (struct lz4_coder *)coder;
	const char *from = bytes;

	while (size > 0) {
		size_t room = LZ4_CHUNK - lz4->size, part = size < room ? size : room;

		memcpy(lz4->chunk + lz4->size, from, part);
		lz4->size += part;
		from += part;
		size -= part;
		if (lz4->size == LZ4_CHUNK && flush_lz4(lz4) != 0)
			return -1;
	}
	return 0;
}

static int finish_lz4(struct animx_coder *coder)
{
	return flush_lz4((struct lz4_coder *)coder);
}

static void free_lz4_coder(struct animx_coder *coder)
{
	free(coder);
}

static struct animx_coder *new_lz4_coder(struct anim_output *out, uint64_t size, size_t store_memory,
					 struct anim_error *error)
{
	static const struct animx_coder_ops ops = {write_lz4, finish_lz4, free_lz4_coder};
	struct lz4_coder *lz4 = malloc(sizeof *lz4);

	(void)size;
	(void)store_memory;
	if (lz4 == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	lz4->coder = (struct animx_coder){.ops = &ops, .out = out, .error = error};
	lz4->size = 0;
	return &lz4->coder;
}

static const struct animx_encoding lz4_encoding = {.open = open_lz4, .coder_new = new_lz4_coder};

#else

static int refuse_lz4(struct animx_body *body)
{
	return fail_packed(body, ANIM_UNSUPPORTED,
			   "its body is LZ4, which this build does not read; " ANIM_ADVICE_TO(BUILD_WITH, "liblz4"));
}

static const struct animx_encoding lz4_encoding = {
    .open = refuse_lz4, .missing = "this build does not write LZ4; " ANIM_ADVICE_TO(BUILD_WITH, "liblz4")};

#endif

/* ---- LZMA: the properties, both sizes, and a raw LZMA1 stream without end marker ---- */

/* Older libraries always write an end marker. */
#if defined ANIM_HAVE_LZMA && LZMA_VERSION >= UINT32_C(50040002)
#define CAN_WRITE_LZMA 1
#else
#define CAN_WRITE_LZMA 0
#endif

#define LZMA_WINDOW ((size_t)64 << 10) /* bytes at a time: inflated, or compressed and kept as one run */

#ifdef ANIM_HAVE_LZMA

#define PROPERTIES 5u           /* lc, lp and pb in one byte, and the size of the dictionary */
#define HEAD (PROPERTIES + 16u) /* followed by both sizes */
#define DICTIONARY_MIN 4096u
#define DECODER_MEMORY ((uint64_t)1 << 20) /* memory of the decoder besides its dictionary */

struct lzma_body {
	lzma_stream stream;
	uint64_t packed_left; /* compressed bytes not yet consumed */
	bool done;
	uint8_t out[LZMA_WINDOW];
};

static uint64_t little_endian(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = size; i-- > 0;)
		value = value << 8 | bytes[i];
	return value;
}

/* Give the next compressed bytes to the decoder. Returns 0 or -1. */
static int feed(struct animx_body *body, struct lzma_body *lzma)
{
	const uint8_t *at;
	ssize_t there;

	if (lzma->stream.avail_in > 0 || lzma->packed_left == 0)
		return 0;
	there = peek_some_packed(body, lzma->packed_left, &at);
	if (there < 0)
		return -1;
	if (there == 0)
		return fail_packed(body, ANIM_BAD_INPUT, "the file is cut: %llu more bytes of LZMA are expected",
				   (unsigned long long)lzma->packed_left);
	lzma->stream.next_in = at;
	lzma->stream.avail_in = (size_t)there;
	lzma->packed_left -= (uint64_t)there;
	return 0;
}

static int fill_lzma(struct animx_body *body, const uint8_t **at, size_t *window)
{
	struct lzma_body *lzma = body->state;
	ssize_t more;

	lzma->stream.next_out = lzma->out;
	lzma->stream.avail_out = sizeof lzma->out;
	while (!lzma->done && lzma->stream.avail_out == sizeof lzma->out) {
		lzma_ret result;

		if (feed(body, lzma) != 0)
			return -1;
		result = lzma_code(&lzma->stream, lzma->packed_left == 0 ? LZMA_FINISH : LZMA_RUN);
		if (result == LZMA_MEM_ERROR)
			return anim_fail_memory(body->error);
		if (result != LZMA_OK && result != LZMA_STREAM_END)
			return fail_packed(body, ANIM_BAD_INPUT,
					   result == LZMA_BUF_ERROR
					       ? "LZMA: the data are shorter than their header says"
					       : "damaged LZMA data");
		lzma->done = result == LZMA_STREAM_END;
	}
	*at = lzma->out;
	*window = sizeof lzma->out - lzma->stream.avail_out;
	if (*window > 0)
		return 1;
	/* Nothing may follow the last compressed byte. */
	if (lzma->packed_left > 0 || lzma->stream.avail_in > 0)
		return fail_packed(body, ANIM_BAD_INPUT, "LZMA: more compressed bytes than the body needs");
	more = peek_some_packed(body, 1, at);
	if (more > 0) {
		body->peeked = 0;
		return fail_packed(body, ANIM_BAD_INPUT, "extra bytes after the LZMA body");
	}
	return (int)more;
}

static void free_lzma(void *state)
{
	struct lzma_body *lzma = state;

	lzma_end(&lzma->stream);
	free(lzma);
}

static int open_lzma(struct animx_body *body)
{
	static const struct animx_codec codec = {fill_lzma, free_lzma};
	struct lzma_body *lzma = anim_zeroed(sizeof *lzma, body->error);
	const uint8_t *at;
	uint8_t head[HEAD], alone[PROPERTIES + 8];
	uint64_t dictionary, size;
	lzma_ret result;

	if (lzma == NULL)
		return -1;
	body->state = lzma;
	body->codec = &codec;
	if (peek_packed(body, HEAD, &at) != 0)
		return -1;
	memcpy(head, at, HEAD);

	/* Start the decoder with the head of a .lzma file, which is our head without the compressed size. */
	dictionary = little_endian(head + 1, 4);
	size = little_endian(head + PROPERTIES, 8);
	if (dictionary > ANIM_LZMA_DICTIONARY_MAX)
		return fail_packed(body, ANIM_TOO_LARGE, "an LZMA dictionary of %llu bytes, at most %u are allowed",
				   (unsigned long long)dictionary, ANIM_LZMA_DICTIONARY_MAX);
	lzma->packed_left = little_endian(head + PROPERTIES + 8, 8);
	if (size > INT64_MAX || lzma->packed_left > INT64_MAX)
		return fail_packed(body, ANIM_BAD_INPUT, "LZMA: a negative size");
	memcpy(alone, head, sizeof alone);
	/* A dictionary larger than the inflated body only wastes memory. */
	if (dictionary > size && dictionary > DICTIONARY_MIN) {
		dictionary = size < DICTIONARY_MIN ? DICTIONARY_MIN : size;
		for (int i = 0; i < 4; i++)
			alone[1 + i] = (uint8_t)(dictionary >> (8 * i));
	}
	if (lzma_alone_decoder(&lzma->stream, ANIM_LZMA_DICTIONARY_MAX + DECODER_MEMORY) != LZMA_OK)
		return anim_fail_memory(body->error);
	lzma->stream.next_in = alone;
	lzma->stream.avail_in = sizeof alone;
	lzma->stream.next_out = lzma->out;
	lzma->stream.avail_out = sizeof lzma->out; /* it stays empty, because the head alone gives no output */
	result = lzma_code(&lzma->stream, LZMA_RUN);
	if (result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR)
		return anim_fail_memory(body->error);
	if ((result != LZMA_OK && result != LZMA_BUF_ERROR) || lzma->stream.avail_in != 0)
		return fail_packed(body, ANIM_BAD_INPUT, "a damaged head of an LZMA body");
	return 0;
}

#else

static int open_lzma(struct animx_body *body)
{
	return fail_packed(body, ANIM_UNSUPPORTED,
			   "its body is LZMA, which this build does not read; " ANIM_ADVICE_TO(BUILD_WITH, "liblzma"));
}

#endif

#if CAN_WRITE_LZMA

#define DICTIONARY (1u << 21)
#define NICE_LENGTH 32

struct lzma_coder {
	struct animx_coder coder;
	lzma_stream stream;
	uint64_t size;
	struct anim_spool log; /* the compressed bytes, kept because their number is written before them */
	uint8_t window[LZMA_WINDOW];
};

/* Keep a full or last window, and begin another. */
static int keep_lzma(struct lzma_coder *lzma)
{
	size_t size = LZMA_WINDOW - lzma->stream.avail_out;

	lzma->stream.next_out = lzma->window;
	lzma->stream.avail_out = LZMA_WINDOW;
	if (size == 0)
		return 0;
	if (anim_spool_begin(&lzma->log, size, lzma->coder.error) != 0)
		return -1;
	return anim_spool_append(&lzma->log, lzma->window, size, lzma->coder.error);
}

/* Encode the stream's input, and finish the stream if the action is LZMA_FINISH. */
static int run_lzma(struct lzma_coder *lzma, lzma_action action)
{
	lzma_ret result = LZMA_OK;

	while (result == LZMA_OK && (lzma->stream.avail_in > 0 || action == LZMA_FINISH)) {
		result = lzma_code(&lzma->stream, action);
		if (lzma->stream.avail_out == 0 && keep_lzma(lzma) != 0)
			return -1;
	}
	if (result == LZMA_MEM_ERROR)
		return anim_fail_memory(lzma->coder.error);
	if (result != LZMA_OK && result != LZMA_STREAM_END)
		return anim_fail(lzma->coder.error, ANIM_SYSTEM, "liblzma failed with %d", (int)result);
	return 0;
}

static int write_lzma(struct animx_coder *coder, const void *bytes, size_t size)
{
	struct lzma_coder *lzma = (struct lzma_coder *)coder;

	lzma->stream.next_in = bytes;
	lzma->stream.avail_in = size;
	return run_lzma(lzma, LZMA_RUN);
}

static void put_little_endian(uint8_t *to, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		to[i] = (uint8_t)(value >> (8 * i));
}

static int finish_lzma(struct animx_coder *coder)
{
	struct lzma_coder *lzma = (struct lzma_coder *)coder;
	uint8_t head[21] = {0x5d}; /* lc 3, lp 0, pb 2 */
	uint64_t total;

	if (run_lzma(lzma, LZMA_FINISH) != 0 || keep_lzma(lzma) != 0)
		return -1;
	put_little_endian(head + 1, DICTIONARY, 4);
	put_little_endian(head + 5, lzma->size, 8);
	put_little_endian(head + 13, anim_spool_size(&lzma->log), 8);
	if (anim_output_write(lzma->coder.out, head, sizeof head, lzma->coder.error) != 0)
		return -1;
	total = anim_spool_size(&lzma->log);
	for (uint64_t place = 0; place < total; place += LZMA_WINDOW) {
		uint64_t size = total - place < LZMA_WINDOW ? total - place : LZMA_WINDOW;
		const uint8_t *bytes = anim_spool_read(&lzma->log, place, size, coder->error);

		if (bytes == NULL || anim_output_write(lzma->coder.out, bytes, (size_t)size, coder->error) != 0)
			return -1;
	}
	return 0;
}

static void free_lzma_coder(struct animx_coder *coder)
{
	struct lzma_coder *lzma = (struct lzma_coder *)coder;

	lzma_end(&lzma->stream);
	anim_spool_clear(&lzma->log);
	free(lzma);
}

static struct animx_coder *new_lzma_coder(struct anim_output *out, uint64_t size, size_t store_memory,
					  struct anim_error *error)
{
	static const struct animx_coder_ops ops = {write_lzma, finish_lzma, free_lzma_coder};
	struct lzma_coder *lzma = anim_zeroed(sizeof *lzma, error);
	lzma_options_lzma settings = {.dict_size = DICTIONARY,
				      .lc = 3,
				      .lp = 0,
				      .pb = 2,
				      .mode = LZMA_MODE_NORMAL,
				      .nice_len = NICE_LENGTH,
				      .mf = LZMA_MF_BT4,
				      .ext_size_low = (uint32_t)size,
				      .ext_size_high = (uint32_t)(size >> 32)};
	const lzma_filter filters[] = {{LZMA_FILTER_LZMA1EXT, &settings}, {LZMA_VLI_UNKNOWN, NULL}};

	if (lzma == NULL)
		return NULL;
	lzma->coder = (struct animx_coder){.ops = &ops, .out = out, .error = error};
	lzma->size = size;
	anim_spool_init(&lzma->log, store_memory);
	if (lzma_raw_encoder(&lzma->stream, filters) != LZMA_OK) {
		free_lzma_coder(&lzma->coder);
		anim_fail_memory(error);
		return NULL;
	}
	lzma->stream.next_out = lzma->window;
	lzma->stream.avail_out = LZMA_WINDOW;
	return &lzma->coder;
}

static const struct animx_encoding lzma_encoding = {.open = open_lzma, .coder_new = new_lzma_coder, .needs_size = true};

#else

static const struct animx_encoding lzma_encoding = {
    .open = open_lzma,
    .missing = "this build does not write LZMA; " ANIM_ADVICE_TO(BUILD_WITH, "liblzma") " 5.4 or later"};

#endif

static const struct animx_encoding plain_encoding;
const struct animx_encoding *const animx_encodings[] = {
    [ANIM_ANIMX_PLAIN] = &plain_encoding, [ANIM_ANIMX_LZ4] = &lz4_encoding, [ANIM_ANIMX_LZMA] = &lzma_encoding};

/* ---- Splitting keys into columns and joining them: every key passes here ---- */

/* With constant sizes, a copy is a few move instructions, so this is inlined for each common pair of sizes. */
static inline __attribute__((always_inline)) void split(const uint8_t *pairs, size_t n, size_t first_size,
							size_t second_size, uint8_t *first, uint8_t *second)
{
	for (size_t k = 0; k < n; k++) {
		memcpy(first + k * first_size, pairs, first_size);
		memcpy(second + k * second_size, pairs + first_size, second_size);
		pairs += first_size + second_size;
	}
}

static inline __attribute__((always_inline)) void join(uint8_t *pairs, size_t n, size_t first_size, size_t second_size,
						       const uint8_t *first, const uint8_t *second)
{
	for (size_t k = 0; k < n; k++) {
		memcpy(pairs, first + k * first_size, first_size);
		memcpy(pairs + first_size, second + k * second_size, second_size);
		pairs += first_size + second_size;
	}
}

/* Call `way` with the sizes as constants if they are common. */
#define BY_SIZES(way, pairs, n, first_size, second_size, first, second)        \
	do {                                                                   \
		if ((first_size) == 4 && (second_size) == 4)                   \
			way(pairs, n, 4, 4, first, second);                    \
		else if ((first_size) == 4 && (second_size) == 12)             \
			way(pairs, n, 4, 12, first, second);                   \
		else if ((first_size) == 4 && (second_size) == 16)             \
			way(pairs, n, 4, 16, first, second);                   \
		else if ((first_size) == 12 && (second_size) == 12)            \
			way(pairs, n, 12, 12, first, second);                  \
		else if ((first_size) == 16 && (second_size) == 16)            \
			way(pairs, n, 16, 16, first, second);                  \
		else                                                           \
			way(pairs, n, first_size, second_size, first, second); \
	} while (0)

void animx_split(const uint8_t *pairs, size_t n, size_t first_size, size_t second_size, void *first, void *second)
{
	BY_SIZES(split, pairs, n, first_size, second_size, first, second);
}

void animx_join(uint8_t *pairs, size_t n, size_t first_size, size_t second_size, const void *first, const void *second)
{
	BY_SIZES(join, pairs, n, first_size, second_size, first, second);
}

bool animx_are_times(const uint8_t *pairs, size_t n, size_t stride)
{
	float before = 0;

	for (size_t k = 0; k < n; k++) {
		float time;

		memcpy(&time, pairs + k * stride, sizeof time);
		if (!(time >= before && time <= FLT_MAX))
			return false;
		before = time;
	}
	return true;
}

bool animx_are_likely_times(const uint8_t *pairs, size_t n, size_t stride)
{
	for (size_t k = 0; k < n; k++) {
		float time;

		memcpy(&time, pairs + k * stride, sizeof time);
		if (fpclassify(time) == FP_SUBNORMAL || (time == 0 && signbit(time)))
			return false;
	}
	return true;
}

bool animx_are_bools(enum anim_type type, const uint8_t *pairs, size_t n, size_t stride)
{
	unsigned all = 0;

	if (anim_types[type].scalar != ANIM_SCALAR_BOOL)
		return true;
	for (size_t k = 0; k < n; k++)
		all |= pairs[k * stride];
	return all >> anim_types[type].components == 0;
}

/*
 * Return true if the type is not a quaternion, or if all quaternions, `stride` apart, have length 1. Exporters write
 * length 1 up to rounding, but bytes shifted by a time do not have it.
 */
static bool are_unit_quaternions(enum anim_type type, const uint8_t *pairs, size_t n, size_t stride)
{
	bool wide = anim_types[type].scalar == ANIM_SCALAR_F64;

	for (size_t k = 0; anim_types[type].quaternion && k < n; k++) {
		double square = 0, components[4];
		float narrow[4];

		if (wide)
			memcpy(components, pairs + k * stride, sizeof components);
		else
			memcpy(narrow, pairs + k * stride, sizeof narrow);
		for (int i = 0; i < 4; i++)
			square += wide ? components[i] * components[i] : (double)narrow[i] * (double)narrow[i];
		if (!(fabs(square - 1) <= 1e-3))
			return false;
	}
	return true;
}

void animx_key_orders(enum anim_type type, const uint8_t *pairs, size_t n, bool *time_first, bool *value_first)
{
	size_t size = anim_types[type].size, stride = size + sizeof(float);
	const uint8_t *rest = pairs + sizeof(float), *last = pairs + size;
	bool first, second;

	*time_first = animx_are_times(pairs, n, stride);
	*value_first = n > 0 && animx_are_times(last, n, stride);
	if (!*time_first || !*value_first)
		return;
	first = animx_are_bools(type, rest, n, stride) && are_unit_quaternions(type, rest, n, stride) &&
		animx_are_likely_times(pairs, n, stride);
	second = animx_are_bools(type, pairs, n, stride) && are_unit_quaternions(type, pairs, n, stride) &&
		 animx_are_likely_times(last, n, stride);
	if (first == second)
		return;
	*time_first = first;
	*value_first = second;
}
