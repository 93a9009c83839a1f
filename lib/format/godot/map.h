/* map.h: (scope, name) -> number, by hashing. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_MAP_H
#define ANIM_FORMAT_GODOT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* All-zero is an empty map. Scopes keep equal names of different families apart; the caller numbers them. */
struct godot_map {
	struct godot_map_entry *entries;
	uint32_t *slots; /* number of the entry + 1; 0: free */
	size_t count, entry_capacity, slot_count;
};

/* True, and *value set, where the name is known in this scope. */
bool godot_map_get(const struct godot_map *, uint64_t scope, const void *name, size_t length, uint32_t *value);

/* Sets or replaces. The name is borrowed for the map's life. 0, or -1 out of memory. */
int godot_map_put(struct godot_map *, uint64_t scope, const void *name, size_t length, uint32_t value,
		  struct anim_error *);

void godot_map_clear(struct godot_map *); /* frees; leaves an empty map */

#endif
