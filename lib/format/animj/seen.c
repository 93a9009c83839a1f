/* seen.c: the set of names that the AnimJ writer has used. */
#include <stdlib.h>
#include <string.h>

#include "format/animj/writer.h"

#define SEEN_FIRST 64u

/* FNV-1a. */
static uint32_t hash_of(const char *text, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash;
}

/* Texts may hold NUL, so each is kept behind its length. */
static bool is_same(const char *kept, const char *text, size_t length)
{
	size_t size;

	memcpy(&size, kept, sizeof size);
	return size == length && memcmp(kept + sizeof size, text, length) == 0;
}

/* The place of the text, or the empty one where it belongs. */
static size_t place_of(const struct animj_seen *seen, const char *text, size_t length, uint32_t hash)
{
	size_t at = hash & (seen->capacity - 1);

	while (seen->texts[at] != NULL && (seen->hashes[at] != hash || !is_same(seen->texts[at], text, length)))
		at = (at + 1) & (seen->capacity - 1);
	return at;
}

static int grow(struct animj_seen *seen, struct anim_error *error)
{
	size_t capacity = seen->capacity == 0 ? SEEN_FIRST : seen->capacity * 2;
	struct animj_seen larger = {.capacity = capacity, .count = seen->count};

	larger.texts = calloc(capacity, sizeof *larger.texts);
	larger.hashes = calloc(capacity, sizeof *larger.hashes);
	if (larger.texts == NULL || larger.hashes == NULL) {
		animj_seen_clear(&larger);
		return anim_fail_memory(error);
	}
	for (size_t i = 0; i < seen->capacity; i++) {
		size_t at = seen->hashes[i] & (capacity - 1);

		if (seen->texts[i] == NULL)
			continue;
		while (larger.texts[at] != NULL)
			at = (at + 1) & (capacity - 1);
		larger.texts[at] = seen->texts[i];
		larger.hashes[at] = seen->hashes[i];
	}
	animj_seen_clear(seen);
	*seen = larger;
	return 0;
}

int animj_seen_add(struct animj_seen *seen, const char *text, size_t length, struct anim_arena *arena,
		   struct anim_error *error)
{
	uint32_t hash = hash_of(text, length);
	size_t at;
	char *kept;

	if (seen->count >= seen->capacity / 2 && grow(seen, error) != 0)
		return -1;
	at = place_of(seen, text, length, hash);
	if (seen->texts[at] != NULL)
		return 0;
	kept = anim_arena_alloc(arena, sizeof length + length, error);
	if (kept == NULL)
		return -1;
	memcpy(kept, &length, sizeof length);
	memcpy(kept + sizeof length, text, length);
	seen->texts[at] = kept;
	seen->hashes[at] = hash;
	seen->count++;
	return 1;
}

void animj_seen_clear(struct animj_seen *seen)
{
	free(seen->texts);
	free(seen->hashes);
	*seen = (struct animj_seen){0};
}
