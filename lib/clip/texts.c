/* texts.c: strings of a track, one behind the other. */
#include "clip/texts.h"

#include "base/limits.h"

size_t anim_texts_count(const struct anim_texts *texts)
{
	return texts->length.size / sizeof(uint32_t);
}

int anim_texts_close(struct anim_texts *texts, size_t start, struct anim_error *error)
{
	uint32_t length;
	uint64_t at = start;

	if (texts->bytes.size - start > ANIM_TEXT_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "a key of more than 16 MiB of text");
	length = (uint32_t)(texts->bytes.size - start);
	if (anim_buffer_append(&texts->length, &length, sizeof length, error) != 0)
		return -1;
	return anim_buffer_append(&texts->start, &at, sizeof at, error);
}

int anim_texts_add(struct anim_texts *texts, const char *bytes, size_t length, struct anim_error *error)
{
	size_t start = texts->bytes.size;

	if (length > 0 && anim_buffer_append(&texts->bytes, bytes, length, error) != 0)
		return -1;
	return anim_texts_close(texts, start, error);
}

void anim_texts_view(const struct anim_texts *texts, struct anim_strings *strings)
{
	static const uint32_t no_length;
	static const uint64_t no_start;
	bool empty = texts->length.size == 0;

	strings->length = empty ? &no_length : (const uint32_t *)(const void *)texts->length.data;
	strings->start = empty ? &no_start : (const uint64_t *)(const void *)texts->start.data;
	strings->bytes = texts->bytes.size == 0 ? "" : (const char *)texts->bytes.data;
	strings->bytes_size = texts->bytes.size;
}

void anim_texts_reset(struct anim_texts *texts)
{
	texts->length.size = texts->start.size = texts->bytes.size = 0;
}

void anim_texts_clear(struct anim_texts *texts)
{
	anim_buffer_clear(&texts->length);
	anim_buffer_clear(&texts->start);
	anim_buffer_clear(&texts->bytes);
}
