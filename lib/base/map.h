/* map.h: names that were seen before, and numbers of names within scopes; by hashing. */
#ifndef ANIM_BASE_MAP_H
#define ANIM_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* ---- (scope, name) -> number ---- */

/* All-zero is an empty map. Scopes keep equal names of different families apart; the caller numbers them. */
struct anim_map {
	struct anim_map_entry *entries;
	uint32_t *slots; /* number of the entry + 1; 0: free */
	size_t count, entry_capacity, slot_count;
};

/* True, and *value set, where the name is known in this scope. */
bool anim_map_get(const struct anim_map *, uint64_t scope, const void *name, size_t length, uint32_t *value);

/* Sets or replaces. The name is borrowed for the map's life. 0, or -1 out of memory. */
int anim_map_put(struct anim_map *, uint64_t scope, const void *name, size_t length, uint32_t value,
		 struct anim_error *);

void anim_map_clear(struct anim_map *); /* frees; leaves an empty map */

/* ---- Which texts were seen before ---- */

/* All-zero is empty. Texts may hold any bytes, NUL too. */
struct anim_text_set {
	struct anim_map texts;
	struct anim_arena arena;
};

/* 1: not seen before, and kept now (copied); 0: seen; -1 out of memory. */
int anim_text_set_add(struct anim_text_set *, const void *text, size_t length, struct anim_error *);
bool anim_text_set_has(const struct anim_text_set *, const void *text, size_t length);
void anim_text_set_reset(struct anim_text_set *); /* empties it, for reuse */
void anim_text_set_clear(struct anim_text_set *);

#endif
