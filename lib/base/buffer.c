/* buffer.c: byte buffers that grow. Sizes are checked before memory is allocated. */
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "base/system.h"

void anim_buffer_clear(struct anim_buffer *buffer)
{
	free(buffer->data);
	buffer->data = NULL;
	buffer->size = buffer->capacity = 0;
}

/* Return the next capacity that holds `need`: doubled, a multiple of 64; 0 if it overflows a size_t. */
static size_t next_capacity(size_t old, size_t need)
{
	size_t capacity = old < 256 ? 256 : old;

	if (need > SIZE_MAX / 2 - ANIM_BUFFER_SLACK)
		return 0;
	while (capacity < need)
		capacity *= 2;
	return capacity;
}

int anim_buffer_reserve(struct anim_buffer *buffer, size_t more, struct anim_error *error)
{
	uint8_t *moved;
	size_t capacity;

	if (more <= buffer->capacity - buffer->size)
		return 0;
	if (more > SIZE_MAX / 2 - buffer->size)
		return anim_fail_memory(error);
	capacity = next_capacity(buffer->capacity, buffer->size + more);
	if (capacity == 0 || (moved = anim_sys_aligned(capacity + ANIM_BUFFER_SLACK)) == NULL)
		return anim_fail_memory(error);
	if (buffer->size > 0)
		memcpy(moved, buffer->data, buffer->size);
	memset(moved + capacity, 0, ANIM_BUFFER_SLACK);
	free(buffer->data);
	buffer->data = moved;
	buffer->capacity = capacity;
	return 0;
}

void *anim_buffer_extend(struct anim_buffer *buffer, size_t count, struct anim_error *error)
{
	void *at;

	if (anim_buffer_reserve(buffer, count, error) != 0)
		return NULL;
	at = buffer->data + buffer->size;
	buffer->size += count;
	return at;
}

int anim_buffer_append(struct anim_buffer *buffer, const void *bytes, size_t count, struct anim_error *error)
{
	if (anim_buffer_reserve(buffer, count, error) != 0)
		return -1;
	if (count > 0)
		memcpy(buffer->data + buffer->size, bytes, count);
	buffer->size += count;
	return 0;
}

int anim_buffer_append_text(struct anim_buffer *buffer, const char *text, struct anim_error *error)
{
	return anim_buffer_append(buffer, text, strlen(text), error);
}

int anim_buffer_align8(struct anim_buffer *buffer, struct anim_error *error)
{
	static const uint8_t zeros[8];

	return anim_buffer_append(buffer, zeros, -buffer->size & 7, error);
}

void *anim_zeroed(size_t size, struct anim_error *error)
{
	void *memory = calloc(1, size);

	if (memory == NULL)
		anim_fail_memory(error);
	return memory;
}

int anim_size_multiply(size_t a, size_t b, size_t *product, struct anim_error *error)
{
	if (__builtin_mul_overflow(a, b, product))
		return anim_fail(error, ANIM_TOO_LARGE, "a size of %zu times %zu is too large", a, b);
	return 0;
}
