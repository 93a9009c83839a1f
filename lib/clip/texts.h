/* texts.h: strings of a track under construction. */
#ifndef ANIM_CLIP_TEXTS_H
#define ANIM_CLIP_TEXTS_H

#include "base/buffer.h"
#include "clip/track.h"

/* All-zero is empty: uint32_t length[n], uint64_t start[n], bytes. Owned. */
struct anim_texts {
	struct anim_buffer length, start, bytes;
};

size_t anim_texts_count(const struct anim_texts *);
/* Closes the string that was appended to texts->bytes from `start` on. 0, or -1 where it is longer than a text may be. */
int anim_texts_close(struct anim_texts *, size_t start, struct anim_error *);
int anim_texts_add(struct anim_texts *, const char *bytes, size_t length, struct anim_error *);
void anim_texts_view(const struct anim_texts *, struct anim_strings *); /* borrowed until the next change */
void anim_texts_reset(struct anim_texts *);
void anim_texts_clear(struct anim_texts *);

#endif
