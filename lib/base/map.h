/* map.h: hash tables: numbers of names within scopes, and sets of texts. */
#ifndef ANIM_BASE_MAP_H
#define ANIM_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* ---- (scope, name) -> number ---- */

/* All-zero is an empty map. Scopes separate equal names of different families; the caller numbers the scopes. */
struct anim_map {
	struct anim_map_entry *entries;
	uint32_t *slots; /* index of the entry + 1; 0: free */
	size_t count, entry_capacity, slot_count;
};

/* Look up a name in a scope. Returns true and sets *value if it is known. */
bool anim_map_get(const struct anim_map *, uint64_t scope, const void *name, size_t length, uint32_t *value);

/* Add or replace a name. The name is borrowed as long as the map lives. Returns 0, or -1 if out of memory. */
int anim_map_put(struct anim_map *, uint64_t scope, const void *name, size_t length, uint32_t value,
		 struct anim_error *);

void anim_map_clear(struct anim_map *); /* frees the memory and leaves an empty map */

/* ---- A set of texts ---- */

/* All-zero is an empty set. Texts may contain any bytes, including NUL. */
struct anim_text_set {
	struct anim_map texts;
	struct anim_arena arena;
};

/* Add a copy of the text. Returns 1 if it is new, 0 if the set already has it, or -1 if out of memory. */
int anim_text_set_add(struct anim_text_set *, const void *text, size_t length, struct anim_error *);
bool anim_text_set_has(const struct anim_text_set *, const void *text, size_t length);
void anim_text_set_reset(struct anim_text_set *); /* empties the set for reuse */
void anim_text_set_clear(struct anim_text_set *);

#endif
