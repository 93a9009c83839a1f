/* body_lzma.c: inflates LZMA bodies: the properties, both sizes, and a raw LZMA1 stream. */
#include "format/animx/body.h"

#ifdef ANIM_HAVE_LZMA

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#define WINDOW ((size_t)64 << 10) /* inflated bytes at a time */
#define PROPERTIES 5u             /* lc, lp and pb in one byte, and the dictionary's size */
#define HEAD (PROPERTIES + 16u)   /* both sizes behind them */
#define DICTIONARY_MIN 4096u
#define DECODER_MEMORY ((uint64_t)1 << 20) /* what the decoder takes beside its dictionary */

struct lzma {
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
static int end_stream(struct animx_body *body, struct lzma *lzma, struct anim_error *error)
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
static int feed(struct animx_body *body, struct lzma *lzma, struct anim_error *error)
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
	struct lzma *lzma = body->state;

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
	struct lzma *lzma = state;

	lzma_end(&lzma->stream);
	free(lzma);
}

/* The head of a .lzma file, which is ours without the compressed size, begins the decoder. */
static int begin(struct animx_body *body, struct lzma *lzma, const uint8_t head[HEAD], struct anim_error *error)
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

int animx_lzma_open(struct animx_body *body, struct anim_error *error)
{
	static const struct animx_codec codec = {fill, free_lzma};
	struct lzma *lzma = calloc(1, sizeof *lzma);
	const uint8_t *at;
	uint8_t head[HEAD];

	if (lzma == NULL)
		return anim_fail_memory(error);
	body->state = lzma;
	body->codec = &codec;
	if (animx_body_raw(body, HEAD, &at, error) != 0)
		return -1;
	memcpy(head, at, HEAD);
	return begin(body, lzma, head, error);
}

#else

int animx_lzma_open(struct animx_body *body, struct anim_error *error)
{
	return animx_body_fail_raw(body, error, ANIM_UNSUPPORTED,
				   "its body is LZMA, which this build does not read; build anim-tools with liblzma");
}

#endif
