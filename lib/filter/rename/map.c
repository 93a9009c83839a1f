/* map.c: a list of names and what each becomes, as a CSV file has it. */
#include "filter/rename/map.h"

#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/text.h"

/* Scopes of the map. */
enum { NAMES, PATHS };

/* A CSV file being read, byte by byte out of its windows. */
struct csv {
	struct anim_input *input;
	const uint8_t *at, *end;
	struct anim_place place; /* of the line at hand */
	uint32_t line;           /* that is being read */
	struct anim_buffer field;
	struct anim_error *error;
};

#define AT_END (-1)
#define FAILED (-2)

/* The next byte, not taken: AT_END or FAILED where there is none. */
static int peek(struct csv *csv)
{
	ssize_t size;

	if (csv->at < csv->end)
		return *csv->at;
	size = anim_input_peek(csv->input, 1, &csv->at, csv->error);
	csv->end = csv->at + (size > 0 ? size : 0);
	if (size > 0)
		anim_input_skip(csv->input, (size_t)size);
	return size > 0 ? *csv->at : size == 0 ? AT_END : FAILED;
}

static int add(struct csv *csv, int byte)
{
	uint8_t one = (uint8_t)byte;

	csv->at++;
	csv->line += byte == '\n';
	if (csv->field.size > ANIM_NAME_MAX)
		return anim_fail_at(csv->error, ANIM_TOO_LARGE, &csv->place, "a name is longer than %u bytes",
				    ANIM_NAME_MAX);
	return anim_buffer_append(&csv->field, &one, 1, csv->error);
}

static int read_quoted(struct csv *csv)
{
	for (csv->at++;;) {
		int byte = peek(csv);

		if (byte == FAILED)
			return -1;
		if (byte == AT_END)
			return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "a quoted field has no end");
		if (byte == '"') {
			csv->at++;
			if (peek(csv) != '"')
				return 0;
		}
		if (add(csv, byte) != 0)
			return -1;
	}
}

static int read_bare(struct csv *csv)
{
	for (;;) {
		int byte = peek(csv);

		if (byte == FAILED)
			return -1;
		if (byte == AT_END || byte == ',' || byte == '\n' || byte == '\r')
			return 0;
		if (add(csv, byte) != 0)
			return -1;
	}
}

/* Reads a field into the arena, *text; the separator behind it stays. 0 or -1. */
static int read_field(struct csv *csv, struct anim_arena *arena, const char **text)
{
	int first = peek(csv);
	const char *bytes;

	csv->field.size = 0;
	if (first == FAILED || (first == '"' ? read_quoted(csv) : read_bare(csv)) != 0)
		return -1;
	bytes = csv->field.size > 0 ? (const char *)csv->field.data : "";
	if (anim_utf8_prefix(bytes, csv->field.size) != csv->field.size)
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "a name is not UTF-8");
	*text = anim_arena_text(arena, bytes, csv->field.size, csv->error);
	return *text == NULL ? -1 : 0;
}

/* Takes the line's end; anything else there is a fault. */
static int end_line(struct csv *csv)
{
	int byte = peek(csv);

	if (byte == '\r') {
		csv->at++;
		byte = peek(csv);
	}
	if (byte == FAILED)
		return -1;
	if (byte != '\n' && byte != AT_END)
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "more than from,to stands in the line");
	csv->at += byte == '\n';
	csv->line++;
	return 0;
}

static bool is_head(const struct csv *csv, const char *from, const char *to)
{
	return csv->place.line == 1 && ((strcasecmp(from, "from") == 0 && strcasecmp(to, "to") == 0) ||
					(strcasecmp(from, "old") == 0 && strcasecmp(to, "new") == 0));
}

static int add_row(struct anim_rename_map *map, const struct csv *csv, const char *from, const char *to)
{
	uint32_t number = (uint32_t)(map->to.size / sizeof to);
	size_t length = strlen(from);
	const char *other = anim_rename_map_get(map, from, length);

	if (from[0] == '\0' || to[0] == '\0')
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "a name is empty");
	if (other != NULL && strcmp(other, to) != 0)
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "'%.100s' becomes '%.100s' and '%.100s'",
				    from, other, to);
	if (length > map->longest)
		map->longest = length;
	if (anim_map_put(&map->rows, NAMES, from, length, number, csv->error) != 0 ||
	    anim_buffer_append(&map->to, &to, sizeof to, csv->error) != 0)
		return -1;
	if (strchr(from, '/') == NULL)
		return 0;
	from += strncmp(from, "./", 2) == 0 ? 2 : 0;
	return anim_map_put(&map->rows, PATHS, from, strlen(from), number, csv->error);
}

/* 1, 0 at the end, -1. */
static int read_line(struct csv *csv, struct anim_rename_map *map)
{
	const char *from, *to = NULL;

	csv->place.line = csv->line;
	if (peek(csv) == AT_END)
		return 0;
	if (read_field(csv, &map->arena, &from) != 0)
		return -1;
	if (peek(csv) == ',') {
		csv->at++;
		if (read_field(csv, &map->arena, &to) != 0)
			return -1;
	}
	if (end_line(csv) != 0)
		return -1;
	if (to == NULL && from[0] == '\0')
		return 1;
	if (to == NULL)
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "'%.100s' has no new name behind a comma",
				    from);
	return is_head(csv, from, to) || add_row(map, csv, from, to) == 0 ? 1 : -1;
}

/* A byte order mark at the beginning is no part of the first name. */
static int skip_mark(struct csv *csv)
{
	const uint8_t *at;
	ssize_t size = anim_input_peek(csv->input, 3, &at, csv->error);

	if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		anim_input_skip(csv->input, 3);
	return size < 0 ? -1 : 0;
}

int anim_rename_map_read(struct anim_rename_map *map, struct anim_input *input, struct anim_error *error)
{
	struct csv csv = {.input = input, .line = 1, .error = error};
	int result;

	csv.place = (struct anim_place){.file = anim_input_name(input), .at = ANIM_AT_LINE, .column = 1};
	result = skip_mark(&csv);
	if (result == 0)
		while ((result = read_line(&csv, map)) > 0)
			;
	anim_buffer_clear(&csv.field);
	return result;
}

static const char *get(const struct anim_rename_map *map, uint64_t scope, const char *name, size_t length)
{
	uint32_t number;

	if (length > map->longest || !anim_map_get(&map->rows, scope, name, length, &number))
		return NULL;
	return ((const char *const *)(const void *)map->to.data)[number];
}

const char *anim_rename_map_get(const struct anim_rename_map *map, const char *name, size_t length)
{
	return get(map, NAMES, name, length);
}

const char *anim_rename_map_get_path(const struct anim_rename_map *map, const char *path, size_t length)
{
	return get(map, PATHS, path, length);
}

void anim_rename_map_clear(struct anim_rename_map *map)
{
	anim_map_clear(&map->rows);
	anim_buffer_clear(&map->to);
	anim_arena_clear(&map->arena);
	map->longest = 0;
}
