/* rest.h: the rest transforms of a tree's nodes, by path: what a property shows where no track drives it. */
#ifndef ANIM_CLIP_REST_H
#define ANIM_CLIP_REST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/track.h"

struct anim_rest {
	const char *path;
	const char *rotation_order; /* NULL: the node does not say */
	uint8_t has, kind;          /* the node's */
	bool unique;                /* Godot finds it by %Name */
	float position[3], rotation[4], scale[3];
};

/* All-zero is empty. */
struct anim_rests {
	struct anim_rest *items;
	size_t count, capacity;
	struct anim_arena arena, scratch;
	uint32_t *slots; /* by the hash of the path: number of the item + 1; 0: free */
	size_t slot_count;
	struct anim_map unique;    /* number of the item that Godot's %Name finds */
	struct anim_map pieces;    /* (what follows, a piece of a name) -> number of that ending */
	struct anim_buffer owners; /* struct owners an ending: the items that end with it */
	size_t named;              /* items whose endings are known: those of the first look by name */
	bool lacked_memory;        /* a find had none and said NULL: see anim_rests_check */
};

int anim_rests_add(struct anim_rests *, const struct anim_node *, struct anim_error *);
int anim_rests_add_copy(struct anim_rests *, const struct anim_rest *, struct anim_error *); /* of another tree's */
void anim_rests_clear(struct anim_rests *);

/*
 * Called by a filter's end() before it ends what is behind it: -1 where a find had no memory to look with, so that the
 * answer may have been wrong.
 */
int anim_rests_check(const struct anim_rests *, struct anim_error *);

/* The node that a track of a clip under `root` (the clip's) drives; NULL where the tree has none, or without memory. */
const struct anim_rest *anim_rests_find(struct anim_rests *, const char *root, const char *node);

/*
 * The only node, or the only bone, of the same name as `node` (anim_node_same_name): for trees of other files, which may hold
 * a skeleton elsewhere. NULL where there is none, or several, or without memory.
 */
const struct anim_rest *anim_rests_find_name(struct anim_rests *, const char *node);
const struct anim_rest *anim_rests_find_bone(struct anim_rests *, const char *node);

/* In the tree; where it has none and `other` (NULL: none) is given, there by path, else by name. */
const struct anim_rest *anim_rests_find_either(struct anim_rests *tree, struct anim_rests *other, const char *root,
					       const char *node);

/* A sink that keeps the nodes of all that comes in the rests (borrowed). NULL on failure. */
struct anim_sink *anim_rests_sink_new(struct anim_rests *, struct anim_error *);

/*
 * The rest value of the track's property in the track's own type (position, rotation, scale; whole or one component, float or
 * double) into *value (at most 128 bytes). False where the node (NULL: none) says nothing of it, for a field that is
 * only called like a part of a transform, and for a track that is in another space than the rest (anim_track_is_placed).
 */
bool anim_rest_value(const struct anim_rest *, const struct anim_track *, void *value);

/* What stands where a track's player has no value of its own. */
enum anim_filler {
	ANIM_FILLER_NONE, /* nothing is known: zeros */
	ANIM_FILLER_REST,
	ANIM_FILLER_FIRST, /* the first key's value */
	ANIM_FILLER_RESET  /* what the player itself sets */
};

/*
 * Fills *value (at most 128 bytes) in the track's own type, which is no string. Godot 4 sets a blended track without any
 * key inside its clip to the bone's rest, else to what its type is at first: 0, no rotation, black, scale 1 of a scale_3d
 * track. Other players leave the property alone: the rest of the node (NULL: unknown), else the first key's value.
 */
enum anim_filler anim_rest_filler(const struct anim_rest *, const struct anim_track *, void *value);

/* True for what Godot 4 sets where no key lies inside the clip; there a track of its has no value at any time. */
bool anim_rest_is_reset(const struct anim_track *);

/* Such a track of plain texts: Godot sets an empty one. */
bool anim_rest_is_blanked(const struct anim_track *);

/* Tells that ANIM_FILLER_RESET was put in the place of a track's values. 0 or -1. */
int anim_rest_tell_reset(struct anim_diagnostics *, const struct anim_track *, struct anim_error *);

#endif
