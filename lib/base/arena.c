/* arena.c: many small allocations that are freed together. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

#define BLOCK_BYTES ((size_t)16 << 10)

struct anim_arena_block {
	struct anim_arena_block *next;
	size_t size;
	_Alignas(16) unsigned char bytes[];
};

void *anim_arena_alloc(struct anim_arena *arena, size_t size, struct anim_error *error)
{
	void *at;

	if (size > SIZE_MAX / 2) {
		anim_fail_memory(error);
		return NULL;
	}
	size = (size + 15) & ~(size_t)15;
	if (arena->current == NULL || arena->current->size - arena->used < size) {
		size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
		struct anim_arena_block *block = malloc(sizeof *block + room);

		if (block == NULL) {
			anim_fail_memory(error);
			return NULL;
		}
		block->next = NULL;
		block->size = room;
		if (arena->current == NULL)
			arena->first = block;
		else
			arena->current->next = block;
		arena->current = block;
		arena->used = 0;
	}
	at = arena->current->bytes + arena->used;
	arena->used += size;
	return at;
}

void *anim_arena_zeroed(struct anim_arena *arena, size_t count, size_t size, struct anim_error *error)
{
	size_t bytes;
	void *at;

	if (anim_size_multiply(count, size, &bytes, error) != 0 || (at = anim_arena_alloc(arena, bytes, error)) == NULL)
		return NULL;
	return memset(at, 0, bytes);
}

char *anim_arena_text(struct anim_arena *arena, const char *bytes, size_t length, struct anim_error *error)
{
	char *copy = anim_arena_alloc(arena, length + 1, error);

	if (copy == NULL)
		return NULL;
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	return copy;
}

char *anim_arena_vprintf(struct anim_arena *arena, struct anim_error *error, const char *format, va_list args)
{
	va_list again;
	size_t size;
	char *text;

	va_copy(again, args);
	size = (size_t)vsnprintf(NULL, 0, format, again) + 1;
	va_end(again);
	text = anim_arena_alloc(arena, size, error);
	if (text != NULL)
		vsnprintf(text, size, format, args);
	return text;
}

char *anim_arena_printf(struct anim_arena *arena, struct anim_error *error, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = anim_arena_vprintf(arena, error, format, args);
	va_end(args);
	return text;
}

static void free_blocks(struct anim_arena_block *block)
{
	while (block != NULL) {
		struct anim_arena_block *next = block->next;

		free(block);
		block = next;
	}
}

void anim_arena_reset(struct anim_arena *arena)
{
	if (arena->first == NULL)
		return;
	free_blocks(arena->first->next);
	arena->first->next = NULL;
	arena->current = arena->first;
	arena->used = 0;
}

void anim_arena_clear(struct anim_arena *arena)
{
	free_blocks(arena->first);
	arena->first = arena->current = NULL;
	arena->used = 0;
}
