/* clip_names.h: telling clips by name, and lists of names for messages. */
#ifndef ANIM_FILTER_CLIP_NAMES_H
#define ANIM_FILTER_CLIP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/track.h"

enum anim_clip_match { ANIM_CLIP_OTHER, ANIM_CLIP_BY_GLOB, ANIM_CLIP_EXACT };

/*
 * How `wanted` (NAME or PLAYER:NAME, or a glob for either) fits the clip. PLAYER is the whole path that attribute `player`
 * tells: a last name alone is not enough, so that what fits does not hang on what else is in the stream.
 */
enum anim_clip_match anim_clip_match(const struct anim_clip *, const char *wanted);

/* True where the name is RESET, in whichever library: Godot's poses to go back to. */
bool anim_clip_is_reset(const struct anim_clip *);

/* The first names that came, shortened where they are long, and how many came. All-zero is empty. */
#define ANIM_CLIP_NAMES_KEPT 12
struct anim_clip_names {
	struct {
		char name[84], player[84];
	} kept[ANIM_CLIP_NAMES_KEPT];
	size_t count;
};

void anim_clip_names_add(struct anim_clip_names *, const struct anim_clip *);

/* True where two of the kept have one name, so that only PLAYER:NAME tells them apart. */
bool anim_clip_names_collide(const struct anim_clip_names *);

/* True where two of the kept have one name and one player: nothing tells them apart. */
bool anim_clip_names_same(const struct anim_clip_names *);

/*
 * "idle, run, jump and 4 more", with players where names collide or what was wanted (may be NULL) has one; at most
 * `capacity` - 1 bytes and a NUL.
 */
void anim_clip_names_print(const struct anim_clip_names *, const char *wanted, char *out, size_t capacity);

#endif
