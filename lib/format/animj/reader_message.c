/* reader_message.c: what the AnimJ reader says: the path in the document, then what is wrong there. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "format/animj/reader.h"

#define PATH_MAX_BYTES 200

struct anim_place animj_here(struct animj_reader *reader)
{
	struct anim_place place;

	animj_place(reader->text, &place);
	return place;
}

/*
 * From the place that was asked for last, forwards or back: a warning per member of a long key must not count the key's
 * lines from its begin each time.
 */
struct anim_place animj_json_place(struct animj_reader *reader, const uint8_t *at)
{
	struct animj_json *json = &reader->json;
	const uint8_t *text = json->text.data, *known = text + json->known_at, *line;
	size_t size = (size_t)(at > known ? at - known : known - at);
	size_t lines = animj_count_lines(at > known ? known : at, size);

	if (at > known)
		json->known_line += lines;
	else
		json->known_line -= lines;
	if (lines > 0) {
		line = anim_byte_last(text, (size_t)(at - text), '\n');
		json->line_start = line == NULL ? 0 : (size_t)(line + 1 - text);
	}
	json->known_at = (size_t)(at - text);
	return (struct anim_place){.file = json->begin.file,
				   .at = json->begin.at,
				   .line = json->begin.line + (uint32_t)json->known_line,
				   .column = (json->line_start > 0 ? 1 : json->begin.column) +
					     (uint32_t)(json->known_at - json->line_start),
				   .offset = json->begin.offset + json->known_at};
}

void animj_json_begin(struct animj_reader *reader)
{
	struct animj_json *json = &reader->json;

	json->text.size = json->capitals = 0;
	json->begin = animj_here(reader);
	json->known_at = json->known_line = json->line_start = 0;
}

void animj_path_name(struct animj_reader *reader, const uint8_t *name, size_t size)
{
	anim_text_safe(reader->path.unknown, sizeof reader->path.unknown, (const char *)name, size);
	reader->path.member = reader->path.unknown;
}

/* "tracks[3].data.keyframes[7].value.x", empty for the document itself. */
static void print_path(const struct animj_path *path, char out[PATH_MAX_BYTES])
{
	int used = 0;

	out[0] = '\0';
	if (path->track >= 0)
		used = snprintf(out, PATH_MAX_BYTES, "tracks[%lld]%s", (long long)path->track,
				path->in_data ? ".data" : "");
	if (path->key >= 0)
		used += snprintf(out + used, PATH_MAX_BYTES - (size_t)used, ".keyframes[%lld]", (long long)path->key);
	if (path->member != NULL)
		used += snprintf(out + used, PATH_MAX_BYTES - (size_t)used, "%s%s", used > 0 ? "." : "", path->member);
	if (path->lane != NULL)
		snprintf(out + used, PATH_MAX_BYTES - (size_t)used, ".%s", path->lane);
}

__attribute__((format(printf, 2, 0))) static void print_message(const struct animj_path *path, const char *format,
								va_list args, char out[512])
{
	char where[PATH_MAX_BYTES];
	int used;

	print_path(path, where);
	used = snprintf(out, 512, "%s%s", where, where[0] != '\0' ? ": " : "");
	vsnprintf(out + used, 512 - (size_t)used, format, args);
}

int animj_refuse(struct animj_reader *reader, const struct anim_place *place, struct anim_error *error,
		 const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	print_message(&reader->path, format, args, message);
	va_end(args);
	return anim_fail_at(error, ANIM_BAD_INPUT, place, "%s", message);
}

int animj_warn(struct animj_reader *reader, const struct anim_place *place, const char *many, struct anim_error *error,
	       const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	print_message(&reader->path, format, args, message);
	va_end(args);
	return anim_losses_add(reader->options->losses, ANIM_WARNING, place, many, error, "%s", message);
}

static bool begins(const uint8_t *at, const uint8_t *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

/* What people and programs write in JSON that is none. */
static const char *known_mistake(const uint8_t *at, const uint8_t *end)
{
	static const struct {
		const char *begin, *says;
	} mistakes[] = {
	    {"//", "a comment; JSON has none"},
	    {"/*", "a comment; JSON has none"},
	    {"#", "a comment; JSON has none"},
	    {"'", "a single quote; JSON's strings stand in double quotes"},
	    {"NaN", "NaN, which JSON does not have"},
	    {"nan", "NaN, which JSON does not have"},
	    {"Infinity", "Infinity, which JSON does not have"},
	    {"-Infinity", "Infinity, which JSON does not have"},
	    {"inf", "Infinity, which JSON does not have"},
	    {"-inf", "Infinity, which JSON does not have"},
	    {"+", "a number with a plus sign, which JSON does not have"},
	    {".", "a number without a digit before its point, which JSON does not have"},
	};

	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
		if (begins(at, end, mistakes[i].begin))
			return mistakes[i].says;
	return NULL;
}

int animj_unexpected(struct animj_reader *reader, const struct anim_place *place, const uint8_t *at, const uint8_t *end,
		     const char *needed, struct anim_error *error)
{
	uint32_t code;
	size_t length = at < end ? anim_utf8_decode(at, (size_t)(end - at), &code) : 0;
	char shown[32];

	if (at == end)
		return animj_refuse(reader, place, error, "the document ends here, %s is needed", needed);
	if (known_mistake(at, end) != NULL)
		return animj_refuse(reader, place, error, "%s", known_mistake(at, end));
	anim_text_safe(shown, sizeof shown, (const char *)at, length > 0 ? length : 1);
	return animj_refuse(reader, place, error, "%s is needed, found '%s'", needed, shown);
}

int animj_bad_word(struct animj_reader *reader, const struct anim_place *place, const uint8_t *at, size_t size,
		   struct anim_error *error)
{
	char shown[48];

	if (known_mistake(at, at + size) != NULL)
		return animj_refuse(reader, place, error, "%s", known_mistake(at, at + size));
	anim_text_safe(shown, sizeof shown, (const char *)at, size);
	if (*at == '-' || (*at >= '0' && *at <= '9'))
		return animj_refuse(reader, place, error, "'%s' is not a number that JSON has", shown);
	return animj_refuse(reader, place, error, "'%s' is not a value that JSON has", shown);
}

int animj_unexpected_here(struct animj_reader *reader, const char *needed, struct anim_error *error)
{
	struct anim_place place;

	if (animj_more(reader->text, 16, error) < 0)
		return -1;
	place = animj_here(reader);
	return animj_unexpected(reader, &place, reader->text->at, reader->text->end, needed, error);
}
