/* cursor.c: the fields of a payload, one after another. */
#include "stream/cursor.h"

#include <string.h>

#include "base/limits.h"
#include "base/text.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "columns are used where they lie in the stream, which is little-endian"
#endif

void anim_cursor_init(struct anim_cursor *cursor, const struct anim_record *record, struct anim_arena *arena,
		      struct anim_error *error)
{
	cursor->record = record;
	cursor->at = record->bytes + ANIM_RECORD_HEAD;
	cursor->end = cursor->at + record->length;
	cursor->arena = arena;
	cursor->error = error;
}

int anim_cursor_place(const struct anim_cursor *cursor, const uint8_t *place)
{
	if (cursor->error != NULL) {
		cursor->error->at = ANIM_AT_BYTE;
		cursor->error->offset = cursor->record->offset + (uint64_t)(place - cursor->record->bytes);
	}
	return -1;
}

int anim_cursor_fail(const struct anim_cursor *cursor, const uint8_t *place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	anim_fail_va(cursor->error, ANIM_BAD_INPUT, NULL, format, args);
	va_end(args);
	return anim_cursor_place(cursor, place);
}

int anim_cursor_take(struct anim_cursor *cursor, uint64_t size, const uint8_t **at)
{
	*at = cursor->at;
	if (size > (uint64_t)(cursor->end - cursor->at))
		return anim_cursor_fail(cursor, cursor->at, "%s ends inside a field", cursor->record->tag);
	cursor->at += size;
	return 0;
}

int anim_cursor_get(struct anim_cursor *cursor, void *to, size_t size)
{
	const uint8_t *at;

	if (anim_cursor_take(cursor, size, &at) != 0)
		return -1;
	memcpy(to, at, size);
	return 0;
}

int anim_cursor_varint(struct anim_cursor *cursor, uint64_t *value)
{
	const uint8_t *start = cursor->at;
	unsigned shift = 0;
	uint8_t byte;

	*value = 0;
	do {
		if (shift > 56)
			return anim_cursor_fail(cursor, start, "a number of 2^63 or more in %s", cursor->record->tag);
		if (anim_cursor_get(cursor, &byte, 1) != 0)
			return -1;
		*value |= (uint64_t)(byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	if (byte == 0 && shift > 7)
		return anim_cursor_fail(cursor, start, "a number that is not in its shortest form in %s",
					cursor->record->tag);
	return 0;
}

int anim_cursor_text(struct anim_cursor *cursor, size_t limit, const char **text)
{
	const uint8_t *start = cursor->at, *bytes;
	uint64_t size;

	if (anim_cursor_varint(cursor, &size) != 0)
		return -1;
	if (size > limit)
		return anim_cursor_fail(cursor, start, "a string of %llu bytes in %s, at most %zu are allowed",
					(unsigned long long)size, cursor->record->tag, limit);
	if (anim_cursor_take(cursor, size, &bytes) != 0)
		return -1;
	if (anim_utf8_prefix(bytes, size) != size)
		return anim_cursor_fail(cursor, start, "a string in %s that is not UTF-8 or holds a NUL",
					cursor->record->tag);
	*text = anim_arena_text(cursor->arena, (const char *)bytes, size, cursor->error);
	return *text == NULL ? -1 : 0;
}

int anim_cursor_name(struct anim_cursor *cursor, const char **name)
{
	return anim_cursor_text(cursor, ANIM_NAME_MAX, name);
}

int anim_cursor_attrs(struct anim_cursor *cursor, struct anim_attrs *attrs)
{
	const uint8_t *start = cursor->at;
	struct anim_attr *items;
	uint64_t count;

	if (anim_cursor_varint(cursor, &count) != 0)
		return -1;
	if (count > ANIM_ATTRS_MAX || count * 2 > (uint64_t)(cursor->end - cursor->at))
		return anim_cursor_fail(cursor, start, "%llu attributes in %s", (unsigned long long)count,
					cursor->record->tag);
	items = anim_arena_alloc(cursor->arena, count * sizeof *items, cursor->error);
	if (items == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *here = cursor->at;

		if (anim_cursor_name(cursor, &items[i].key) != 0)
			return -1;
		if (i > 0 && strcmp(items[i - 1].key, items[i].key) >= 0)
			return anim_cursor_fail(cursor, here, "attributes of %s not sorted or not unique",
						cursor->record->tag);
		if (anim_cursor_text(cursor, ANIM_TEXT_MAX, &items[i].value) != 0)
			return -1;
	}
	attrs->items = items;
	attrs->count = count;
	return 0;
}

int anim_cursor_zeros(struct anim_cursor *cursor, size_t size)
{
	const uint8_t *at;

	if (anim_cursor_take(cursor, size, &at) != 0)
		return -1;
	for (size_t i = 0; i < size; i++)
		if (at[i] != 0)
			return anim_cursor_fail(cursor, at + i, "padding or a reserved byte of %s that is not zero",
						cursor->record->tag);
	return 0;
}

int anim_cursor_align8(struct anim_cursor *cursor)
{
	return anim_cursor_zeros(cursor, (size_t)(cursor->record->bytes - cursor->at) & 7);
}

int anim_cursor_done(const struct anim_cursor *cursor)
{
	if (cursor->at != cursor->end)
		return anim_cursor_fail(cursor, cursor->at, "%zu bytes after the last field of %s",
					(size_t)(cursor->end - cursor->at), cursor->record->tag);
	return 0;
}
