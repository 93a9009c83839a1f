/* codec_lzma.c: LZMA bodies: the properties, both sizes, and a raw LZMA1 stream without end marker. */
#include "format/animx/codec.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "stream/store.h"

#ifdef ANIM_HAVE_LZMA
#include <lzma.h>
#endif

/* Older libraries always write an end marker. */
#if defined ANIM_HAVE_LZMA && LZMA_VERSION >= UINT32_C(50040002)
#define CAN_WRITE_LZMA 1
#else
#define CAN_WRITE_LZMA 0
#endif

#define WINDOW ((size_t)64 << 10) /* bytes at a time: inflated, or compressed and kept as one run */

/* ---- reading ---- */

#ifdef ANIM_HAVE_LZMA

#define PROPERTIES 5u           /* lc, lp and pb in one byte, and the dictionary's size */
#define HEAD (PROPERTIES + 16u) /* both sizes behind them */
#define DICTIONARY_MIN 4096u
#define DECODER_MEMORY ((uint64_t)1 << 20) /* what the decoder takes beside its dictionary */

struct lzma_body {
	lzma_stream stream;
	uint64_t packed_left; /* compressed bytes not yet taken */
	bool done;
	uint8_t out[WINDOW];
};

static uint64_t little_endian(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = size; i-- > 0;)
		value = value << 8 | bytes[i];
	return value;
}

/* Behind the last compressed byte nothing may come. */
static int end_stream(struct animx_body *body, struct lzma_body *lzma, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t more;

	if (lzma->packed_left > 0 || lzma->stream.avail_in > 0)
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT,
					   "LZMA: more compressed bytes than the body needs");
	more = animx_body_some(body, 1, &at, error);
	if (more > 0) {
		body->peeked = 0;
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "bytes behind the LZMA body");
	}
	return (int)more;
}

/* The next compressed bytes. 0 or -1. */
static int feed(struct animx_body *body, struct lzma_body *lzma, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t there;

	if (lzma->stream.avail_in > 0 || lzma->packed_left == 0)
		return 0;
	there = animx_body_some(body, lzma->packed_left, &at, error);
	if (there < 0)
		return -1;
	if (there == 0)
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT,
					   "the file is cut: %llu more bytes of LZMA are announced",
					   (unsigned long long)lzma->packed_left);
	lzma->stream.next_in = at;
	lzma->stream.avail_in = (size_t)there;
	lzma->packed_left -= (uint64_t)there;
	return 0;
}

static int fill(struct animx_body *body, const uint8_t **at, size_t *window, struct anim_error *error)
{
	struct lzma_body *lzma = body->state;

	lzma->stream.next_out = lzma->out;
	lzma->stream.avail_out = sizeof lzma->out;
	while (!lzma->done && lzma->stream.avail_out == sizeof lzma->out) {
		lzma_ret result;

		if (feed(body, lzma, error) != 0)
			return -1;
		result = lzma_code(&lzma->stream, lzma->packed_left == 0 ? LZMA_FINISH : LZMA_RUN);
		if (result == LZMA_MEM_ERROR)
			return anim_fail_memory(error);
		if (result != LZMA_OK && result != LZMA_STREAM_END)
			return animx_body_fail_raw(body, error, ANIM_BAD_INPUT,
						   result == LZMA_BUF_ERROR ? "LZMA: less comes out than announced"
									    : "damaged LZMA data");
		lzma->done = result == LZMA_STREAM_END;
	}
	*at = lzma->out;
	*window = sizeof lzma->out - lzma->stream.avail_out;
	return *window > 0 ? 1 : end_stream(body, lzma, error);
}

static void free_lzma(void *state)
{
	struct lzma_body *lzma = state;

	lzma_end(&lzma->stream);
	free(lzma);
}

/* The head of a .lzma file, which is ours without the compressed size, begins the decoder. */
static int begin_decoder(struct animx_body *body, struct lzma_body *lzma, const uint8_t head[HEAD],
			 struct anim_error *error)
{
	uint64_t dictionary = little_endian(head + 1, 4), size = little_endian(head + PROPERTIES, 8);
	uint8_t alone[PROPERTIES + 8];
	lzma_ret result;

	if (dictionary > ANIM_LZMA_DICTIONARY_MAX)
		return animx_body_fail_raw(body, error, ANIM_TOO_LARGE,
					   "an LZMA dictionary of %llu bytes, at most %u are allowed",
					   (unsigned long long)dictionary, ANIM_LZMA_DICTIONARY_MAX);
	lzma->packed_left = little_endian(head + PROPERTIES + 8, 8);
	if (size > INT64_MAX || lzma->packed_left > INT64_MAX)
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "LZMA: a negative size");
	memcpy(alone, head, sizeof alone);
	/* A dictionary that is larger than all that comes out is only memory. */
	if (dictionary > size && dictionary > DICTIONARY_MIN) {
		dictionary = size < DICTIONARY_MIN ? DICTIONARY_MIN : size;
		for (int i = 0; i < 4; i++)
			alone[1 + i] = (uint8_t)(dictionary >> (8 * i));
	}
	if (lzma_alone_decoder(&lzma->stream, ANIM_LZMA_DICTIONARY_MAX + DECODER_MEMORY) != LZMA_OK)
		return anim_fail_memory(error);
	lzma->stream.next_in = alone;
	lzma->stream.avail_in = sizeof alone;
	lzma->stream.next_out = lzma->out;
	lzma->stream.avail_out = sizeof lzma->out; /* it stays empty: the head alone gives nothing */
	result = lzma_code(&lzma->stream, LZMA_RUN);
	if (result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR)
		return anim_fail_memory(error);
	if ((result != LZMA_OK && result != LZMA_BUF_ERROR) || lzma->stream.avail_in != 0)
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "a damaged head of an LZMA body");
	return 0;
}

static int open_body(struct animx_body *body, struct anim_error *error)
{
	static const struct animx_codec codec = {fill, free_lzma};
	struct lzma_body *lzma = anim_zeroed(sizeof *lzma, error);
	const uint8_t *at;
	uint8_t head[HEAD];

	if (lzma == NULL)
		return -1;
	body->state = lzma;
	body->codec = &codec;
	if (animx_body_raw(body, HEAD, &at, error) != 0)
		return -1;
	memcpy(head, at, HEAD);
	return begin_decoder(body, lzma, head, error);
}

#else

static int open_body(struct animx_body *body, struct anim_error *error)
{
	return animx_body_fail_raw(body, error, ANIM_UNSUPPORTED,
				   "its body is LZMA, which this build does not read; build anim-tools with liblzma");
}

#endif

/* ---- writing ---- */

#if CAN_WRITE_LZMA

#define DICTIONARY (1u << 21)
#define NICE_LENGTH 32

struct lzma_coder {
	struct animx_coder coder;
	struct anim_output *out;
	lzma_stream stream;
	uint64_t size;
	struct anim_spool log; /* the compressed bytes: their number stands before them */
	uint8_t window[WINDOW];
};

/* Keeps a full or last window and begins another. */
static int keep(struct lzma_coder *lzma, struct anim_error *error)
{
	size_t size = WINDOW - lzma->stream.avail_out;

	lzma->stream.next_out = lzma->window;
	lzma->stream.avail_out = WINDOW;
	if (size == 0)
		return 0;
	if (anim_spool_begin(&lzma->log, size, error) != 0)
		return -1;
	return anim_spool_append(&lzma->log, lzma->window, size, error);
}

/* Feeds what is in the stream's input, all of it where the action is LZMA_FINISH. */
static int run(struct lzma_coder *lzma, lzma_action action, struct anim_error *error)
{
	lzma_ret result = LZMA_OK;

	while (result == LZMA_OK && (lzma->stream.avail_in > 0 || action == LZMA_FINISH)) {
		result = lzma_code(&lzma->stream, action);
		if (lzma->stream.avail_out == 0 && keep(lzma, error) != 0)
			return -1;
	}
	if (result == LZMA_MEM_ERROR)
		return anim_fail_memory(error);
	if (result != LZMA_OK && result != LZMA_STREAM_END)
		return anim_fail(error, ANIM_SYSTEM, "liblzma failed with %d", (int)result);
	return 0;
}

static int write(struct animx_coder *coder, const void *bytes, size_t size, struct anim_error *error)
{
	struct lzma_coder *lzma = (struct lzma_coder *)coder;

	lzma->stream.next_in = bytes;
	lzma->stream.avail_in = size;
	return run(lzma, LZMA_RUN, error);
}

static void put_little_endian(uint8_t *to, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		to[i] = (uint8_t)(value >> (8 * i));
}

static int write_head(struct lzma_coder *lzma, struct anim_error *error)
{
	uint8_t head[21] = {0x5d}; /* lc 3, lp 0, pb 2 */

	put_little_endian(head + 1, DICTIONARY, 4);
	put_little_endian(head + 5, lzma->size, 8);
	put_little_endian(head + 13, anim_spool_size(&lzma->log), 8);
	return anim_output_write(lzma->out, head, sizeof head, error);
}

static int finish(struct animx_coder *coder, struct anim_error *error)
{
	struct lzma_coder *lzma = (struct lzma_coder *)coder;
	uint64_t total;

	if (run(lzma, LZMA_FINISH, error) != 0 || keep(lzma, error) != 0 || write_head(lzma, error) != 0)
		return -1;
	total = anim_spool_size(&lzma->log);
	for (uint64_t place = 0; place < total; place += WINDOW) {
		uint64_t size = total - place < WINDOW ? total - place : WINDOW;
		const uint8_t *bytes = anim_spool_read(&lzma->log, place, size, error);

		if (bytes == NULL || anim_output_write(lzma->out, bytes, (size_t)size, error) != 0)
			return -1;
	}
	return 0;
}

static void free_coder(struct animx_coder *coder)
{
	struct lzma_coder *lzma = (struct lzma_coder *)coder;

	lzma_end(&lzma->stream);
	anim_spool_clear(&lzma->log);
	free(lzma);
}

static lzma_ret begin_coder(struct lzma_coder *lzma)
{
	lzma_options_lzma options = {.dict_size = DICTIONARY,
				     .lc = 3,
				     .lp = 0,
				     .pb = 2,
				     .mode = LZMA_MODE_NORMAL,
				     .nice_len = NICE_LENGTH,
				     .mf = LZMA_MF_BT4,
				     .ext_size_low = (uint32_t)lzma->size,
				     .ext_size_high = (uint32_t)(lzma->size >> 32)};
	const lzma_filter filters[] = {{LZMA_FILTER_LZMA1EXT, &options}, {LZMA_VLI_UNKNOWN, NULL}};

	return lzma_raw_encoder(&lzma->stream, filters);
}

static struct animx_coder *coder_new(struct anim_output *out, uint64_t size, size_t store_memory,
				     struct anim_error *error)
{
	static const struct animx_coder_ops ops = {write, finish, free_coder};
	struct lzma_coder *lzma = anim_zeroed(sizeof *lzma, error);

	if (lzma == NULL)
		return NULL;
	lzma->coder.ops = &ops;
	lzma->out = out;
	lzma->size = size;
	anim_spool_init(&lzma->log, store_memory);
	if (begin_coder(lzma) != LZMA_OK) {
		free_coder(&lzma->coder);
		anim_fail_memory(error);
		return NULL;
	}
	lzma->stream.next_out = lzma->window;
	lzma->stream.avail_out = WINDOW;
	return &lzma->coder;
}

const struct animx_encoding animx_lzma = {open_body, coder_new, NULL};

#else

const struct animx_encoding animx_lzma = {open_body, NULL,
					  "this build does not write LZMA; build anim-tools with liblzma 5.4 or later"};

#endif
