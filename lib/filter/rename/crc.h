/* crc.h: paths by their CRC-32, which is all that Unity's players know of them. */
#ifndef ANIM_FILTER_RENAME_CRC_H
#define ANIM_FILTER_RENAME_CRC_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "base/map.h"
#include "clip/sink.h"

/* All-zero is empty. */
struct anim_crc_names {
	struct anim_map by_crc;   /* the four bytes of a CRC -> number of its path */
	struct anim_buffer paths; /* const char * */
	struct anim_buffer nodes; /* const char *: of each NODE of the tree at hand, with bones below their parents */
	struct anim_arena arena;
};

/*
 * Adds a path, and what is left of it without its first names, for any of these may be the animation's root. Of several
 * with one CRC the first counts. 0 or -1.
 */
int anim_crc_names_add(struct anim_crc_names *, const char *path, struct anim_error *);

/* Adds the lines of a text: one path a line. 0 or -1. */
int anim_crc_names_read(struct anim_crc_names *, struct anim_input *, struct anim_error *);

/* A sink that adds the paths of all nodes and tracks that come to the names (borrowed). NULL on failure. */
struct anim_sink *anim_crc_names_sink_new(struct anim_crc_names *, struct anim_error *);

/*
 * True where the node is a CRC: a decimal number of 32 bits, alone or behind "path_", as rippers write it. *path is the
 * path of that CRC, "." for that of the empty one, or NULL where it is not known.
 */
bool anim_crc_names_find(const struct anim_crc_names *, const char *node, const char **path);

void anim_crc_names_clear(struct anim_crc_names *);

#endif
