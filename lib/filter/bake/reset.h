/* reset.h: what Godot's RESET clips say of properties: the values that what is not driven goes back to. */
#ifndef ANIM_FILTER_BAKE_RESET_H
#define ANIM_FILTER_BAKE_RESET_H

#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "clip/track.h"

/* A property's value: of lane i where bit i of `lanes` is set. */
struct bake_reset_value {
	double value[4];
	unsigned lanes, flags; /* flags: of its track */
	unsigned whole;        /* how many lanes a whole value has; 0: only single ones came */
};

/* All-zero is empty. Memory follows the tracks of RESET clips alone. */
struct bake_resets {
	struct anim_buffer clips, values; /* struct anim_clip, struct bake_reset_value */
	struct anim_map names;            /* node and property of each clip -> number of the value */
	struct anim_arena arena;
};

/* A RESET begins, or one of its tracks came: its value at the clip's start is kept. 0 or -1. */
int bake_resets_begin(struct bake_resets *, const struct anim_clip *, struct anim_error *);
int bake_resets_add(struct bake_resets *, const struct anim_track *, struct anim_error *);

/* The RESET of a clip: its player's, of no library or of the same. Its number, or -1. */
ptrdiff_t bake_resets_find(const struct bake_resets *, const struct anim_clip *);

/* 1 and *value (borrowed until the next change), 0 where RESET `number` (-1: none) does not say, -1 out of memory. */
int bake_resets_value(struct bake_resets *, ptrdiff_t number, const char *node, const char *property,
		      const struct bake_reset_value **value, struct anim_error *);

void bake_resets_clear(struct bake_resets *);

#endif
