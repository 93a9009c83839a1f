/* map.h: a list of names and what each becomes, as a CSV file has it. */
#ifndef ANIM_FILTER_RENAME_MAP_H
#define ANIM_FILTER_RENAME_MAP_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "base/map.h"

/* All-zero is empty. */
struct anim_rename_map {
	struct anim_map rows;  /* name -> number of its `to` */
	struct anim_buffer to; /* const char * */
	struct anim_arena arena;
	size_t longest; /* bytes of the longest name */
};

/*
 * Reads "from,to" lines (RFC 4180: fields in double quotes may hold commas, line feeds and doubled quotes; line ends
 * LF or CRLF); a first line of "from,to" or "old,new" is a head, empty lines are passed over. Names to the letter.
 * May be called for several files. 0, or -1 with the place: other than two fields, an empty one, a name that becomes
 * two things.
 */
int anim_rename_map_read(struct anim_rename_map *, struct anim_input *, struct anim_error *);
void anim_rename_map_clear(struct anim_rename_map *);

/* What the name becomes, NULL where the map does not say. */
const char *anim_rename_map_get(const struct anim_rename_map *, const char *name, size_t length);

/* The same of a path, by the rows that hold a '/' ("./A" is A below the root and nowhere else). */
const char *anim_rename_map_get_path(const struct anim_rename_map *, const char *path, size_t length);

#endif
