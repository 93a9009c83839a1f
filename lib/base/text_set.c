/* text_set.c: a hash set of texts. */
#include "base/text_set.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64u

struct anim_text_entry {
	const char *text; /* NULL: empty */
	uint32_t length, hash;
};

/* FNV-1a. */
static uint32_t hash_of(const unsigned char *text, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ text[i]) * 16777619u;
	return hash;
}

/* The entry of the text, or the empty one where it belongs. */
static struct anim_text_entry *find(const struct anim_text_set *set, const struct anim_text_entry *wanted)
{
	size_t at = wanted->hash & (set->capacity - 1);

	for (;;) {
		struct anim_text_entry *entry = &set->entries[at];

		if (entry->text == NULL || (entry->hash == wanted->hash && entry->length == wanted->length &&
					    memcmp(entry->text, wanted->text, wanted->length) == 0))
			return entry;
		at = (at + 1) & (set->capacity - 1);
	}
}

static int grow(struct anim_text_set *set, struct anim_error *error)
{
	struct anim_text_set larger = {.capacity = set->capacity == 0 ? FIRST_CAPACITY : 2 * set->capacity};

	larger.entries = calloc(larger.capacity, sizeof *larger.entries);
	if (larger.entries == NULL)
		return anim_fail_memory(error);
	for (size_t i = 0; i < set->capacity; i++)
		if (set->entries[i].text != NULL)
			*find(&larger, &set->entries[i]) = set->entries[i];
	free(set->entries);
	set->entries = larger.entries;
	set->capacity = larger.capacity;
	return 0;
}

int anim_text_set_add(struct anim_text_set *set, const void *text, size_t length, struct anim_error *error)
{
	struct anim_text_entry wanted = {text, (uint32_t)length, hash_of(text, length)}, *entry;

	if (length > UINT32_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "a text of %zu bytes", length);
	if (set->count >= set->capacity / 4 * 3 && grow(set, error) != 0)
		return -1;
	entry = find(set, &wanted);
	if (entry->text != NULL)
		return 0;
	wanted.text = anim_arena_text(&set->arena, text, length, error);
	if (wanted.text == NULL)
		return -1;
	*entry = wanted;
	set->count++;
	return 1;
}

void anim_text_set_clear(struct anim_text_set *set)
{
	free(set->entries);
	anim_arena_clear(&set->arena);
	*set = (struct anim_text_set){0};
}
