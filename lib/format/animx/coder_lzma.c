/* coder_lzma.c: a body as one raw LZMA1 stream without end marker, behind its properties and both sizes. */
#include <stdlib.h>
#include <string.h>

#include "format/animx/coder.h"
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

bool animx_coder_is_there(enum anim_animx_encoding encoding, struct anim_error *error)
{
#ifndef ANIM_HAVE_LZ4
	if (encoding == ANIM_ANIMX_LZ4)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "this build does not write LZ4; build anim-tools with liblz4"),
		       false;
#endif
#if !CAN_WRITE_LZMA
	if (encoding == ANIM_ANIMX_LZMA)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "this build does not write LZMA; build anim-tools with liblzma 5.4 or later"),
		       false;
#endif
	(void)encoding;
	(void)error;
	return true;
}

#if CAN_WRITE_LZMA

#define WINDOW ((size_t)64 << 10) /* compressed bytes that are kept as one run */
#define DICTIONARY (1u << 21)
#define NICE_LENGTH 32

struct lzma_coder {
	struct animx_coder coder;
	struct anim_output *out;
	lzma_stream stream;
	uint64_t size;
	struct anim_log log; /* the compressed bytes: their number stands before them */
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
	if (anim_log_begin(&lzma->log, size, error) != 0)
		return -1;
	return anim_log_append(&lzma->log, lzma->window, size, error);
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
	put_little_endian(head + 13, anim_log_size(&lzma->log), 8);
	return anim_output_write(lzma->out, head, sizeof head, error);
}

static int finish(struct animx_coder *coder, struct anim_error *error)
{
	struct lzma_coder *lzma = (struct lzma_coder *)coder;
	uint64_t total;

	if (run(lzma, LZMA_FINISH, error) != 0 || keep(lzma, error) != 0 || write_head(lzma, error) != 0)
		return -1;
	total = anim_log_size(&lzma->log);
	for (uint64_t place = 0; place < total; place += WINDOW) {
		uint64_t size = total - place < WINDOW ? total - place : WINDOW;
		const uint8_t *bytes = anim_log_read(&lzma->log, place, size, error);

		if (bytes == NULL || anim_output_write(lzma->out, bytes, (size_t)size, error) != 0)
			return -1;
	}
	return 0;
}

static void free_coder(struct animx_coder *coder)
{
	struct lzma_coder *lzma = (struct lzma_coder *)coder;

	lzma_end(&lzma->stream);
	anim_log_clear(&lzma->log);
	free(lzma);
}

static lzma_ret begin(struct lzma_coder *lzma)
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

struct animx_coder *animx_lzma_coder_new(struct anim_output *out, uint64_t size, size_t store_memory,
					 struct anim_error *error)
{
	static const struct animx_coder_ops ops = {write, finish, free_coder};
	struct lzma_coder *lzma = calloc(1, sizeof *lzma);

	if (lzma == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	lzma->coder.ops = &ops;
	lzma->out = out;
	lzma->size = size;
	anim_log_init(&lzma->log, store_memory);
	if (begin(lzma) != LZMA_OK) {
		free_coder(&lzma->coder);
		anim_fail_memory(error);
		return NULL;
	}
	lzma->stream.next_out = lzma->window;
	lzma->stream.avail_out = WINDOW;
	return &lzma->coder;
}

#else

struct animx_coder *animx_lzma_coder_new(struct anim_output *out, uint64_t size, size_t store_memory,
					 struct anim_error *error)
{
	(void)out;
	(void)size;
	(void)store_memory;
	animx_coder_is_there(ANIM_ANIMX_LZMA, error);
	return NULL;
}

#endif
