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

int anim_buffer_reserve(struct anim_buffer *buffer, size_t more, struct anim_error *error)
{
	uint8_t *moved;
	size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity; /* doubled: a multiple of 64 */

	if (more <= buffer->capacity - buffer->size)
		return 0;
	if (more > SIZE_MAX / 2 - buffer->size || buffer->size + more > SIZE_MAX / 2 - ANIM_BUFFER_SLACK)
		return anim_fail_memory(error);
	while (capacity < buffer->size + more)
		capacity *= 2;
	moved = anim_sys_aligned(capacity + ANIM_BUFFER_SLACK);
	if (moved == NULL)
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
	if (count > buffer->capacity - buffer->size && anim_buffer_reserve(buffer, count, error) != 0)
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
