/* map.h: (scope, name) -> number, by hashing. */
#ifndef ANIM_BASE_MAP_H
#define ANIM_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

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

#endif
