/* writer_reference.c: references to other assets, the values of PPtr curves. */
#include <string.h>

#include "format/unity/writer_internal.h"

#define INTEGER_MAX 20u
#define GUID_MAX 64u

/* The text behind `word`, blanks before it passed over; NULL where it does not stand there. */
static const char *behind(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);

	while (at < end && *at == ' ')
		at++;
	return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

/*
 * Appends ", NAME: " and the characters of `set` that stand behind "NAME:" at `at`. Where they end, NULL where there
 * are none.
 */
static const char *copy_member(const char *at, const char *end, const char *name, const char *set, size_t most,
			       char **out)
{
	const char *from = at == NULL ? NULL : behind(at, end, name);
	size_t count = 0;

	if (from == NULL)
		return NULL;
	while (from < end && *from == ' ')
		from++;
	while (from + count < end && from[count] != '\0' && strchr(set, from[count]) != NULL)
		count++;
	if (count == 0 || count > most)
		return NULL;
	memcpy(*out, name, strlen(name));
	*out += strlen(name);
	*(*out)++ = ' ';
	memcpy(*out, from, count);
	*out += count;
	return from + count;
}

static char *put(char *at, const char *text)
{
	memcpy(at, text, strlen(text));
	return at + strlen(text);
}

/* ", guid: ..., type: N"; the text behind it, NULL where it is spelled otherwise. */
static const char *copy_asset(const char *at, const char *end, char **out)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	*out = put(*out, ", ");
	at = copy_member(at, end, "guid:", digits, GUID_MAX, out);
	at = at == NULL ? NULL : behind(at, end, ",");
	*out = put(*out, ", ");
	return copy_member(at, end, "type:", "-0123456789", INTEGER_MAX, out);
}

void unity_write_reference(const char *text, size_t length, char out[UNITY_REFERENCE_MAX], bool *bad)
{
	const char *end = text + length, *at = behind(text, end, "{"), *more;
	char *to = put(out, "{");

	at = copy_member(at, end, "fileID:", "-0123456789", INTEGER_MAX, &to);
	more = at == NULL ? NULL : behind(at, end, ",");
	if (more != NULL)
		at = copy_asset(more, end, &to);
	if (at == NULL || (behind(at, end, "}") == NULL && behind(at, end, ",") == NULL)) {
		*bad = *bad || length > 0;
		to = put(out, "{fileID: 0");
	}
	to = put(to, "}");
	*to = '\0';
}

/* Key k of a string track as a reference. */
static void reference_of(const struct anim_track *t, size_t k, char out[UNITY_REFERENCE_MAX], bool *bad)
{
	uint32_t length = t->strings->length[k];

	unity_write_reference(t->strings->bytes + t->strings->start[k], length == ANIM_NULL_STRING ? 0 : length, out,
			      bad);
}

int unity_references_add(struct unity_writer *writer, const struct anim_track *t, const char *label,
			 struct anim_error *error)
{
	char text[UNITY_REFERENCE_MAX];
	bool bad = false;

	for (size_t k = 0; k < t->n; k++) {
		int added;

		reference_of(t, k, text, &bad);
		added = anim_text_set_add(&writer->references, text, strlen(text), error);
		if (added < 0 || (added == 1 && (anim_buffer_append(&writer->mapping, "    - ", 6, error) != 0 ||
						 anim_buffer_append(&writer->mapping, text, strlen(text), error) != 0 ||
						 anim_buffer_append(&writer->mapping, "\n", 1, error) != 0)))
			return -1;
	}
	if (!bad)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       "tracks have keys that are no references; they became {fileID: 0}", error,
			       "track '%s' has keys that are no references; they became {fileID: 0}", label);
}

void unity_references_print(struct anim_print *print, const struct anim_track *t)
{
	char text[UNITY_REFERENCE_MAX];
	bool bad = false;

	for (size_t k = 0; k < t->n && !print->failed; k++) {
		reference_of(t, k, text, &bad);
		anim_print_text(print, "    - time: ");
		unity_put_float(print, t->time[k]);
		anim_print_text(print, "\n      value: ");
		anim_print_text(print, text);
		anim_print_text(print, "\n");
	}
}
