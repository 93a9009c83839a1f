/* stretch.h: runs of bytes on their way into an archive, each with the way it is best deflated. Internal to stream. */
#ifndef ANIM_STREAM_STRETCH_H
#define ANIM_STREAM_STRETCH_H

#include <stdbool.h>

#include "base/buffer.h"

enum anim_deflate_way {
	ANIM_DEFLATE_MATCHES, /* zlib's default strategy */
	ANIM_DEFLATE_RUNS,    /* Z_RLE: byte planes, which repeat themselves in runs only */
	ANIM_DEFLATE_STORED   /* a plane of noise: deflating it would cost time and gain nothing */
};

struct anim_stretch {
	size_t size;
	uint8_t way;        /* enum anim_deflate_way */
	bool begins_member; /* must be the first of a member */
};

/* All-zero is empty. */
struct anim_stretches {
	struct anim_buffer items; /* struct anim_stretch, one after another */
};

/*
 * Adds one behind the last; it becomes part of it where that makes no difference (a stretch of runs stays its own, since
 * each plane has its own statistics). 0 or -1.
 */
int anim_stretches_add(struct anim_stretches *, const struct anim_stretch *, struct anim_error *);

size_t anim_stretches_count(const struct anim_stretches *);
const struct anim_stretch *anim_stretches_at(const struct anim_stretches *, size_t i); /* borrowed until the next add */
void anim_stretches_reset(struct anim_stretches *);                                    /* empty, memory kept */
void anim_stretches_clear(struct anim_stretches *);

#endif
