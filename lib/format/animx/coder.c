/* coder.c: chooses a coder; the one that changes nothing and the one that counts. */
#include "format/animx/coder.h"

#include <stdlib.h>

struct plain {
	struct animx_coder coder;
	struct anim_output *out;
};

struct counter {
	struct animx_coder coder;
	uint64_t *size;
};

static int write_plain(struct animx_coder *coder, const void *bytes, size_t size, struct anim_error *error)
{
	return anim_output_write(((struct plain *)coder)->out, bytes, size, error);
}

static int count(struct animx_coder *coder, const void *bytes, size_t size, struct anim_error *error)
{
	(void)bytes;
	(void)error;
	*((struct counter *)coder)->size += size;
	return 0;
}

static int finish_nothing(struct animx_coder *coder, struct anim_error *error)
{
	(void)coder;
	(void)error;
	return 0;
}

static void free_plain(struct animx_coder *coder)
{
	free(coder);
}

static struct animx_coder *plain_new(struct anim_output *out, struct anim_error *error)
{
	static const struct animx_coder_ops ops = {write_plain, finish_nothing, free_plain};
	struct plain *plain = calloc(1, sizeof *plain);

	if (plain == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	plain->coder.ops = &ops;
	plain->out = out;
	return &plain->coder;
}

struct animx_coder *animx_counter_new(uint64_t *size, struct anim_error *error)
{
	static const struct animx_coder_ops ops = {count, finish_nothing, free_plain};
	struct counter *counter = calloc(1, sizeof *counter);

	if (counter == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	counter->coder.ops = &ops;
	counter->size = size;
	*size = 0;
	return &counter->coder;
}

struct animx_coder *animx_coder_new(enum anim_animx_encoding encoding, struct anim_output *out, uint64_t size,
				    size_t store_memory, struct anim_error *error)
{
	switch (encoding) {
	case ANIM_ANIMX_LZ4:
		return animx_lz4_coder_new(out, error);
	case ANIM_ANIMX_LZMA:
		return animx_lzma_coder_new(out, size, store_memory, error);
	default:
		return plain_new(out, error);
	}
}

int animx_coder_write(struct animx_coder *coder, const void *bytes, size_t size, struct anim_error *error)
{
	return size == 0 ? 0 : coder->ops->write(coder, bytes, size, error);
}

int animx_coder_finish(struct animx_coder *coder, struct anim_error *error)
{
	return coder->ops->finish(coder, error);
}

void animx_coder_free(struct animx_coder *coder)
{
	if (coder != NULL)
		coder->ops->free(coder);
}

size_t animx_put_varint(uint8_t *to, uint64_t value)
{
	size_t size = 0;

	for (; value > 127; value >>= 7)
		to[size++] = (uint8_t)(value | 128);
	to[size++] = (uint8_t)value;
	return size;
}
