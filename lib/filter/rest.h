/* rest.h: the rest transforms of a tree's nodes, by path: what a property shows where no track drives it. */
#ifndef ANIM_FILTER_REST_H
#define ANIM_FILTER_REST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "clip/track.h"

struct anim_rest {
	const char *path;
	uint8_t has;
	float position[3], rotation[4], scale[3];
};

/* All-zero is empty. */
struct anim_rests {
	struct anim_rest *items;
	size_t count, capacity;
	struct anim_arena arena, scratch;
	uint32_t *slots; /* by the hash of the path: number of the item + 1; 0: free */
	size_t slot_count;
	bool lacked_memory; /* a find had none and said NULL: see anim_rests_check */
};

int anim_rests_add(struct anim_rests *, const struct anim_node *, struct anim_error *);
void anim_rests_clear(struct anim_rests *);

/*
 * Called by a filter's end() before it ends what is behind it: -1 where a find had no memory to look with, so that the
 * answer may have been wrong.
 */
int anim_rests_check(const struct anim_rests *, struct anim_error *);

/* The node that a track of a clip under `root` (the clip's) drives; NULL where the tree has none, or without memory. */
const struct anim_rest *anim_rests_find(struct anim_rests *, const char *root, const char *node);

/*
 * The rest value of the track's property in the track's own type (position, rotation, scale; whole or one lane, float or
 * double) into *value (at most 128 bytes). False where the tree says nothing of it.
 */
bool anim_rests_value(struct anim_rests *, const char *root, const struct anim_track *, void *value);

#endif
