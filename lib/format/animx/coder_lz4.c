/* coder_lz4.c: a body as chunks of raw LZ4 blocks, the way lz4net's LZ4Stream writes them. */
#include <stdlib.h>
#include <string.h>

#include "format/animx/coder.h"

#ifdef ANIM_HAVE_LZ4

#include <lz4.h>

#define CHUNK (1 << 20) /* inflated bytes, the stream's default block size */
#define HEAD_MAX 30     /* three varints */
#define COMPRESSED 1u

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
	uint8_t head[HEAD_MAX];
	size_t size = animx_put_varint(head, smaller ? COMPRESSED : 0);

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

struct animx_coder *animx_lz4_coder_new(struct anim_output *out, struct anim_error *error)
{
	static const struct animx_coder_ops ops = {write, finish, free_coder};
	struct lz4_coder *lz4 = malloc(sizeof *lz4);

	if (lz4 == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	lz4->coder.ops = &ops;
	lz4->out = out;
	lz4->size = 0;
	return &lz4->coder;
}

#else

struct animx_coder *animx_lz4_coder_new(struct anim_output *out, struct anim_error *error)
{
	(void)out;
	animx_coder_is_there(ANIM_ANIMX_LZ4, error);
	return NULL;
}

#endif
