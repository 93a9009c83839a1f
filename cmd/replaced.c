/* replaced.c: what a file holds that is to be written over: what anim-tools writes may go, all else is somebody's work. */
#include "replaced.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/kind.h"
#include "format/csv/csv.h"
#include "format/godot/godot.h"
#include "format/json/json.h"
#include "format/unity/unity.h"

/* AnimJ is told from other JSON by what stands behind its name, which may take 64 KiB and six times that escaped. */
#define LOOK_AT ((size_t)512 * 1024)

static bool begins(const uint8_t *bytes, size_t size, const char *with)
{
	return size >= strlen(with) && memcmp(bytes, with, strlen(with)) == 0;
}

/* The JSON of anim-info, anim-diff and anim-lint. */
static bool is_report(const uint8_t *bytes, size_t size)
{
	return begins(bytes, size, "{\"clips\":[") || begins(bytes, size, "{\"a\":\"") ||
	       begins(bytes, size, "{\"target\":");
}

/* Text as people read and programs print it, as far as it was looked at. */
static bool is_plain(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] < ' ' && (bytes[i] == '\0' || strchr("\t\n\r\f", bytes[i]) == NULL))
			return false;
	return size - anim_utf8_prefix(bytes, size) < 4; /* the last letter may be cut */
}

static int name_it(const char *name, char *text, size_t capacity)
{
	snprintf(text, capacity, "%s", name);
	return CLI_HOLDS_MORE;
}

static int describe_unknown(const uint8_t *bytes, size_t size, char *text, size_t capacity)
{
	if (anim_csv_is(bytes, size))
		return CLI_HOLDS_OURS;
	name_it("something else than animation", text, capacity);
	return is_plain(bytes, size) ? CLI_HOLDS_TEXT : CLI_HOLDS_MORE;
}

int replaced_describe(struct anim_input *input, char *text, size_t capacity, struct anim_error *error)
{
	const uint8_t *bytes;
	ssize_t got = anim_input_peek(input, LOOK_AT, &bytes, error);
	size_t size = got < 0 ? 0 : (size_t)got;
	enum cli_kind_of_file kind = cli_kind_of(bytes, size);

	text[0] = '\0';
	if (got < 0)
		return -1;
	if (anim_godot_is(bytes, size))
		return anim_godot_describe(input, cli_store_memory(), text, capacity, error) != 0 ? -1
		       : text[0] == '\0'                                                          ? CLI_HOLDS_OURS
												  : CLI_HOLDS_MORE;
	if (anim_unity_is(bytes, size))
		return anim_unity_describe(input, text, capacity, error) != 0 ? -1
		       : text[0] == '\0'                                      ? CLI_HOLDS_OURS
									      : CLI_HOLDS_MORE;
	switch (kind) {
	case CLI_FILE_EMPTY:
	case CLI_FILE_STREAM:
	case CLI_FILE_ANIMJ:
	case CLI_FILE_ANIMX:
	case CLI_FILE_LINES:
	case CLI_FILE_DUMP:
		return CLI_HOLDS_OURS;
	case CLI_FILE_UNKNOWN:
		return describe_unknown(bytes, size, text, capacity);
	case CLI_FILE_JSON:
		name_it("JSON that is no animation", text, capacity);
		return is_report(bytes, size) ? CLI_HOLDS_TEXT : CLI_HOLDS_MORE;
	default:
		return name_it(cli_kind_infos[kind].name, text, capacity);
	}
}
