/* texts.c: strings of a track, one behind the other. */
#include "clip/texts.h"

#include <string.h>

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

bool anim_texts_are_quoted(const struct anim_track *track)
{
	static const char *const kinds[] = {"StringName", "NodePath", "Nil", "Object", "mixed"};
	const char *literal = track->type == ANIM_STRING ? anim_attrs_get(&track->attrs, "literal") : NULL;

	for (size_t i = 0; literal != NULL && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(literal, kinds[i]) == 0)
			return true;
	return false;
}

char anim_texts_unescaped(char c)
{
	static const char escapes[] = "n\nt\tr\rb\bf\fa\av\v";

	for (const char *e = escapes; *e != '\0'; e += 2)
		if (c == *e)
			return e[1];
	return c;
}

/* What lies between the quotes of the source text of one string, name or path. False for any other. */
static bool find_quoted(const char **bytes, size_t *length)
{
	static const struct {
		const char *before, *behind;
	} forms[] = {{"\"", "\""}, {"&\"", "\""}, {"NodePath(\"", "\")"}};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		size_t before = strlen(forms[i].before), behind = strlen(forms[i].behind);

		if (*length < before + behind || memcmp(*bytes, forms[i].before, before) != 0 ||
		    memcmp(*bytes + *length - behind, forms[i].behind, behind) != 0)
			continue;
		*bytes += before;
		*length -= before + behind;
		return true;
	}
	return false;
}

static int add_null(struct anim_texts *texts, struct anim_error *error)
{
	uint32_t length = ANIM_NULL_STRING;
	uint64_t start = texts->bytes.size;

	if (anim_buffer_append(&texts->length, &length, sizeof length, error) != 0)
		return -1;
	return anim_buffer_append(&texts->start, &start, sizeof start, error);
}

static int add_meant(struct anim_texts *texts, const char *bytes, size_t length, struct anim_error *error)
{
	size_t start = texts->bytes.size;
	char *out;

	if (length == 4 && memcmp(bytes, "null", 4) == 0)
		return add_null(texts, error);
	if (!find_quoted(&bytes, &length) || length == 0)
		return anim_texts_add(texts, bytes, length, error);
	if ((out = anim_buffer_extend(&texts->bytes, length, error)) == NULL)
		return -1;
	for (size_t i = 0; i < length; i++)
		*out++ = bytes[i] == '\\' && i + 1 < length ? anim_texts_unescaped(bytes[++i]) : bytes[i];
	texts->bytes.size = (size_t)(out - (char *)texts->bytes.data);
	return anim_texts_close(texts, start, error);
}

int anim_texts_unquote(struct anim_texts *texts, const struct anim_track *track, struct anim_error *error)
{
	const struct anim_strings *from = track->strings;

	for (size_t k = 0; k < track->n; k++)
		if (from->length[k] == ANIM_NULL_STRING
			? add_null(texts, error) != 0
			: add_meant(texts, from->bytes + from->start[k], from->length[k], error) != 0)
			return -1;
	return 0;
}
