/* archive_member.c: one gzip member of an archive. */
#include "stream/archive_member.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "stream/archive.h"
#include "stream/record.h"

#define LEVEL_OF_REST 6
/* A member of less is done soon at any level: small archives, the index of others. */
#define SMALL_MEMBER ((size_t)64 * 1024)
#define LEVEL_OF_SMALL 9
#define STORED_BLOCK_MOST 65535u
#define STORED_BLOCK_HEAD 5u
/* All of a member in stored blocks. */
#define STORED_MOST (ANIM_MEMBER_MAX + (ANIM_MEMBER_MAX / STORED_BLOCK_MOST + 1) * STORED_BLOCK_HEAD)

struct anim_deflater {
	z_stream zip;
	int level;
};

int anim_member_init(struct anim_member *member, struct anim_error *error)
{
	memset(member, 0, sizeof *member);
	member->plain = malloc(ANIM_MEMBER_MAX);
	member->packed = malloc(ANIM_MEMBER_HEAD + STORED_MOST + ANIM_MEMBER_TAIL);
	return member->plain == NULL || member->packed == NULL ? anim_fail_memory(error) : 0;
}

void anim_member_clear(struct anim_member *member)
{
	free(member->plain);
	free(member->packed);
	anim_stretches_clear(&member->stretches);
	memset(member, 0, sizeof *member);
}

struct anim_deflater *anim_deflater_new(int level, struct anim_error *error)
{
	struct anim_deflater *deflater = calloc(1, sizeof *deflater);

	if (deflater == NULL || deflateInit2(&deflater->zip, level == 0 ? LEVEL_OF_REST : level, Z_DEFLATED, -MAX_WBITS,
					     MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(deflater);
		anim_fail_memory(error);
		return NULL;
	}
	deflater->level = level;
	return deflater;
}

void anim_deflater_free(struct anim_deflater *deflater)
{
	if (deflater != NULL)
		deflateEnd(&deflater->zip);
	free(deflater);
}

/* Sets level and strategy for what comes next of a member; the block of what came before ends here. 0 or -1. */
static int set_way(struct anim_deflater *deflater, enum anim_deflate_way way, size_t member_size)
{
	int level = member_size < SMALL_MEMBER ? LEVEL_OF_SMALL : LEVEL_OF_REST, strategy = Z_DEFAULT_STRATEGY;

	if (deflater->level != 0)
		level = deflater->level;
	else if (way == ANIM_DEFLATE_RUNS)
		strategy = Z_RLE;
	if (way == ANIM_DEFLATE_STORED)
		level = Z_NO_COMPRESSION;
	return deflateParams(&deflater->zip, level, strategy) == Z_OK ? 0 : -1;
}

/* The member's stretches as one deflate stream in `to`: its size, 0 where it is larger than `room`. */
static size_t deflate_stretches(struct anim_deflater *deflater, struct anim_member *member, uint8_t *to, size_t room)
{
	const size_t count = anim_stretches_count(&member->stretches);
	z_stream *zip = &deflater->zip;
	int status = deflateReset(zip);

	zip->next_in = member->plain;
	zip->avail_in = 0;
	zip->next_out = to;
	zip->avail_out = (uInt)room;
	for (size_t i = 0; i < count && status == Z_OK; i++) {
		const struct anim_stretch *stretch = anim_stretches_at(&member->stretches, i);

		if (set_way(deflater, stretch->way, member->plain_size) != 0)
			return 0;
		zip->avail_in = (uInt)stretch->size;
		status = deflate(zip, i + 1 == count ? Z_FINISH : Z_BLOCK);
		if (zip->avail_in != 0 || zip->avail_out == 0)
			return 0;
	}
	return status == Z_STREAM_END ? room - zip->avail_out : 0;
}

/* The same as stored blocks. */
static size_t store_plain(const struct anim_member *member, uint8_t *to)
{
	uint8_t *at = to;

	for (size_t done = 0; done < member->plain_size;) {
		size_t left = member->plain_size - done, size = left < STORED_BLOCK_MOST ? left : STORED_BLOCK_MOST;
		uint16_t length[2] = {(uint16_t)size, (uint16_t)~size};

		*at = size == left; /* the last block */
		memcpy(at + 1, length, sizeof length);
		memcpy(at + STORED_BLOCK_HEAD, member->plain + done, size);
		at += STORED_BLOCK_HEAD + size;
		done += size;
	}
	return (size_t)(at - to);
}

void anim_deflater_run(struct anim_deflater *deflater, struct anim_member *member)
{
	static const uint8_t head[ANIM_MEMBER_AX_AT] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 8, 0, 'A', 'X', 4, 0};
	uint8_t *data = member->packed + ANIM_MEMBER_HEAD;
	size_t stored = member->plain_size + (member->plain_size / STORED_BLOCK_MOST + 1) * STORED_BLOCK_HEAD;
	size_t size = deflate_stretches(deflater, member, data, stored);
	uint32_t less_one, tail[2] = {anim_crc32(0, member->plain, member->plain_size), (uint32_t)member->plain_size};

	if (size == 0)
		size = store_plain(member, data);
	memcpy(data + size, tail, sizeof tail);
	member->packed_size = ANIM_MEMBER_HEAD + size + ANIM_MEMBER_TAIL;
	less_one = (uint32_t)member->packed_size - 1;
	memcpy(member->packed, head, sizeof head);
	memcpy(member->packed + ANIM_MEMBER_AX_AT, &less_one, sizeof less_one);
}
