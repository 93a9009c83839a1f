/* map.c: hash tables with open addressing. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* ---- A hash table of names within scopes ---- */

struct anim_map_entry {
	uint64_t scope;
	const void *name;
	uint32_t length, value;
};

#define FIRST_SLOTS ((size_t)16)

static bool entry_is(const struct anim_map_entry *entry, uint64_t scope, const void *name, size_t length)
{
	return entry->scope == scope && entry->length == length && memcmp(entry->name, name, length) == 0;
}

/* Return the slot of the name, or the free slot for it. There is always a free slot. */
static uint32_t *find_slot(const struct anim_map *map, uint64_t scope, const void *name, size_t length)
{
	size_t mask = map->slot_count - 1, at = (size_t)anim_hash(scope, name, length) & mask;

	while (map->slots[at] != 0 && !entry_is(&map->entries[map->slots[at] - 1], scope, name, length))
		at = (at + 1) & mask;
	return &map->slots[at];
}

bool anim_map_get(const struct anim_map *map, uint64_t scope, const void *name, size_t length, uint32_t *value)
{
	const uint32_t *slot;

	if (map->slot_count == 0 || *(slot = find_slot(map, scope, name, length)) == 0)
		return false;
	*value = map->entries[*slot - 1].value;
	return true;
}

static int grow_slots(struct anim_map *map, struct anim_error *error)
{
	size_t count = map->slot_count == 0 ? FIRST_SLOTS : 2 * map->slot_count, i;
	uint32_t *slots = calloc(count, sizeof *slots);

	if (slots == NULL)
		return anim_fail_memory(error);
	free(map->slots);
	map->slots = slots;
	map->slot_count = count;
	for (i = 0; i < map->count; i++)
		*find_slot(map, map->entries[i].scope, map->entries[i].name, map->entries[i].length) = (uint32_t)i + 1;
	return 0;
}

int anim_map_put(struct anim_map *map, uint64_t scope, const void *name, size_t length, uint32_t value,
		 struct anim_error *error)
{
	uint32_t *slot;

	if (length > UINT32_MAX || map->count >= UINT32_MAX / 4)
		return anim_fail(error, ANIM_TOO_LARGE, "too many names");
	if (4 * (map->count + 1) > 3 * map->slot_count && grow_slots(map, error) != 0)
		return -1;
	slot = find_slot(map, scope, name, length);
	if (*slot != 0) {
		map->entries[*slot - 1].value = value;
		return 0;
	}
	if (map->count == map->entry_capacity) {
		size_t capacity = map->entry_capacity == 0 ? FIRST_SLOTS : 2 * map->entry_capacity;
		struct anim_map_entry *entries = realloc(map->entries, capacity * sizeof *entries);

		if (entries == NULL)
			return anim_fail_memory(error);
		map->entries = entries;
		map->entry_capacity = capacity;
	}
	map->entries[map->count] = (struct anim_map_entry){scope, name, (uint32_t)length, value};
	*slot = (uint32_t)++map->count;
	return 0;
}

void anim_map_clear(struct anim_map *map)
{
	free(map->entries);
	free(map->slots);
	*map = (struct anim_map){0};
}

/* ---- A set of texts ---- */

int anim_text_set_add(struct anim_text_set *set, const void *text, size_t length, struct anim_error *error)
{
	const char *kept;
	uint32_t seen;

	if (anim_map_get(&set->texts, 0, text, length, &seen))
		return 0;
	kept = anim_arena_text(&set->arena, text, length, error);
	return kept == NULL || anim_map_put(&set->texts, 0, kept, length, 0, error) != 0 ? -1 : 1;
}

bool anim_text_set_has(const struct anim_text_set *set, const void *text, size_t length)
{
	uint32_t value;

	return anim_map_get(&set->texts, 0, text, length, &value);
}

/* The table is freed: clearing a large one again and again would cost more than inserting. */
void anim_text_set_reset(struct anim_text_set *set)
{
	anim_map_clear(&set->texts);
	anim_arena_reset(&set->arena);
}

void anim_text_set_clear(struct anim_text_set *set)
{
	anim_map_clear(&set->texts);
	anim_arena_clear(&set->arena);
}
