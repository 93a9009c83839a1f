/* archive_member.h: one gzip member of an archive: what goes into it, and how it is deflated. Internal to stream. */
#ifndef ANIM_STREAM_ARCHIVE_MEMBER_H
#define ANIM_STREAM_ARCHIVE_MEMBER_H

#include "stream/stretch.h"

/* What is collected for a member, and the member made of it. Owns its memory, of fixed size. */
struct anim_member {
	uint8_t *plain; /* ANIM_MEMBER_MAX bytes */
	size_t plain_size;
	struct anim_stretches stretches; /* of `plain` */
	uint8_t *packed;
	size_t packed_size;
};

int anim_member_init(struct anim_member *, struct anim_error *); /* 0, or -1: to be cleared all the same */
void anim_member_clear(struct anim_member *);

/* Deflates members one after another; one for each thread. */
struct anim_deflater;

/* level 1 to 9: zlib's own for all that is deflated; 0: runs by Z_RLE, the rest at level 6, in small members 9. NULL out of memory. */
struct anim_deflater *anim_deflater_new(int level, struct anim_error *);
void anim_deflater_free(struct anim_deflater *); /* NULL is allowed */

/*
 * Makes `packed` of `plain` (not empty): head with AX, deflated data, CRC-32 and size; stored where that is not larger.
 * Cannot fail. The same bytes, whichever deflater of this level and version of zlib does it.
 */
void anim_deflater_run(struct anim_deflater *, struct anim_member *);

#endif
