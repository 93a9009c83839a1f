/* texts.h: strings of a track under construction. */
#ifndef ANIM_CLIP_TEXTS_H
#define ANIM_CLIP_TEXTS_H

#include <stdbool.h>

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

/* True for texts that are Godot's source text of strings, names and paths: &"walk", NodePath("A/B"), "a" beside null. */
bool anim_texts_are_quoted(const struct anim_track *);
/* Appends the texts of such a track as what they mean; source text of other values stays as it is. 0 or -1. */
int anim_texts_unquote(struct anim_texts *, const struct anim_track *, struct anim_error *);
/* What the character behind a '\\' stands for in Godot's source text. */
char anim_texts_unescaped(char);

#endif
