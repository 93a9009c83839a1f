/* rest.h: the rest poses of the nodes of a tree, by path: the value of a property that no track animates. */
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
	const char *rotation_order; /* NULL: not given by the node */
	const char *type;           /* the node's class in its engine, or "" */
	const char *rect;           /* ANIM_ATTR_RECT, or NULL */
	uint8_t has, kind;          /* of the node */
	bool unique;                /* Godot finds the node by %Name */
	float position[3], rotation[4], scale[3];
};

/* All-zero is empty. */
struct anim_rests {
	struct anim_rest *items;
	size_t count, capacity;
	struct anim_arena arena, scratch;
	uint32_t *slots; /* hash table by path: number of the item + 1; 0: free */
	size_t slot_count;
	struct anim_map unique; /* name -> number of the item that Godot's %Name finds */
	/* (number of an ending, the piece of a name before it) -> number of the longer ending */
	struct anim_map pieces;
	struct anim_buffer owners; /* one struct owners per ending: the items with that ending */
	size_t named;              /* items whose endings are indexed; this begins at the first search by name */
	bool used;                 /* anim_rests_find_either found a node here that the other tree lacks */
	bool lacked_memory;        /* a search was out of memory and returned NULL: see anim_rests_check */
};

int anim_rests_add(struct anim_rests *, const struct anim_node *, struct anim_error *);
int anim_rests_add_copy(struct anim_rests *, const struct anim_rest *, struct anim_error *); /* of another tree */
void anim_rests_clear(struct anim_rests *);

/*
 * Check that no search was out of memory, so that its answer may have been wrong. Called by a filter's end() before
 * it ends the next sink. Returns 0 or -1.
 */
int anim_rests_check(const struct anim_rests *, struct anim_error *);

/*
 * Return the node that a track animates in a clip with this `root`, or NULL if the tree does not have it or if out of
 * memory.
 */
const struct anim_rest *anim_rests_find(struct anim_rests *, const char *root, const char *node);

/*
 * Return the only node, or the only bone, with the same name as `node` (anim_node_same_name). This is for trees of
 * other files, whose skeleton may be elsewhere. Returns NULL if there is none, if there are several, or if out of
 * memory.
 */
const struct anim_rest *anim_rests_find_name(struct anim_rests *, const char *node);
const struct anim_rest *anim_rests_find_bone(struct anim_rests *, const char *node);

/* Search the tree. If it does not have the node, search `other` (NULL: none) by path, then by name. */
const struct anim_rest *anim_rests_find_either(struct anim_rests *tree, struct anim_rests *other, const char *root,
					       const char *node);

/* Return a sink that adds the nodes of its input to the rests (borrowed). NULL on failure. */
struct anim_sink *anim_rests_sink_new(struct anim_rests *, struct anim_error *);

/*
 * Get the rest value of the track's property, in the type of the track (position, rotation, scale; all components or
 * one, float or double), into *value (at most 128 bytes). Returns false if the node (NULL: none) does not have it,
 * for a field that only has the name of a part of a transform, and for a track in another space than the rest pose
 * (anim_track_is_placed).
 */
bool anim_rest_value(const struct anim_rest *, const struct anim_track *, void *value);

/*
 * Get the value that the track itself records for times before its first key, in the attribute ANIM_ATTR_REST: numbers
 * with blanks between them. Returns false if it has none.
 */
#define ANIM_ATTR_REST "godot.rest"
bool anim_rest_recorded(const struct anim_track *, void *value);

/* The value used when the player of a track sets none. */
enum anim_filler {
	ANIM_FILLER_NONE, /* unknown: zeros */
	ANIM_FILLER_REST,
	ANIM_FILLER_FIRST, /* the value of the first key */
	ANIM_FILLER_RESET  /* the value that the player itself sets */
};

/*
 * Fill *value (at most 128 bytes) in the type of the track, which is not a string. For a blended track without any
 * key inside its clip, Godot 4 sets the rest pose of the bone, otherwise the initial value of the type: 0, no
 * rotation, black, scale 1 for a scale_3d track. Other players do not change the property: it has the rest pose of
 * the node (NULL: unknown), otherwise the value of the first key.
 */
enum anim_filler anim_rest_filler(const struct anim_rest *, const struct anim_track *, void *value);

/*
 * Return true if Godot 4 sets the track even without a key inside the clip. Without such a key, the track has no
 * value at any time.
 */
bool anim_rest_is_reset(const struct anim_track *);

/* Return true for such a track of plain texts, to which Godot sets an empty text. */
bool anim_rest_is_blanked(const struct anim_track *);

/* Report that ANIM_FILLER_RESET replaced the values of a track. Returns 0 or -1. */
int anim_rest_report_reset(struct anim_diagnostics *, const struct anim_track *, struct anim_error *);

#endif
