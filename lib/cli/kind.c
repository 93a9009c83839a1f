/* kind.c: recognises files by their first bytes. */
#include "cli/kind.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

#define IMPORT_IT "import it in Godot and save the animations as .tres"

const struct cli_kind_info cli_kind_infos[CLI_FILE_KINDS] = {
    [CLI_FILE_UNKNOWN] = {"not a format that is known", NULL},
    [CLI_FILE_EMPTY] = {"the input is empty", NULL},
    [CLI_FILE_STREAM] = {"a stream", NULL},
    [CLI_FILE_GODOT] = {"a Godot scene", NULL},
    [CLI_FILE_GODOT_BINARY] = {"a binary Godot file", "open it in Godot and save it as .tscn or .tres"},
    [CLI_FILE_ANIMJ] = {"AnimJ", NULL},
    [CLI_FILE_ANIMX] = {"AnimX", NULL},
    [CLI_FILE_UNITY] = {"Unity YAML", NULL},
    [CLI_FILE_GLTF] = {"glTF", IMPORT_IT},
    [CLI_FILE_FBX] = {"FBX", IMPORT_IT},
    [CLI_FILE_BVH] = {"BVH", "import it in Blender, from there in Godot, and save the animations as .tres"},
    [CLI_FILE_COLLADA] = {"COLLADA", IMPORT_IT},
    [CLI_FILE_BLEND] = {"a Blender file", IMPORT_IT},
    [CLI_FILE_USD] = {"USD", "import it in Blender, from there in Godot, and save the animations as .tres"},
    [CLI_FILE_JSON] = {"JSON without animation", NULL},
    [CLI_FILE_LINES] = {"anim-emit's JSON", NULL},
    [CLI_FILE_DUMP] = {"anim-dump's text", "make a stream of it: anim-undump FILE | ..."},
    [CLI_FILE_HTML] = {"HTML", NULL},
    [CLI_FILE_ZIP] = {"a zip archive", "unpack it first"},
    [CLI_FILE_UTF16] = {"UTF-16 text", "save it as UTF-8"},
    [CLI_FILE_UNITY_BUNDLE] = {"a Unity asset bundle", "unpack it first"},
    [CLI_FILE_LFS] = {"a Git LFS pointer", "run 'git lfs pull' to get the file itself"},
};

struct text {
	const char *bytes;
	size_t size;
};

static bool begins(struct text text, const char *with)
{
	size_t length = strlen(with);

	return text.size >= length && memcmp(text.bytes, with, length) == 0;
}

static bool begins_anyhow(struct text text, const char *with)
{
	size_t length = strlen(with);

	return text.size >= length && strncasecmp(text.bytes, with, length) == 0;
}

static bool holds(struct text text, const char *what)
{
	return anim_text_find(text.bytes, text.size, what) != NULL;
}

/* Files that are told by fixed bytes at their start. */
static enum cli_kind_of_file kind_by_magic(struct text text)
{
	static const struct {
		const char *magic;
		enum cli_kind_of_file kind;
	} magics[] = {
	    {"\005AnimX", CLI_FILE_ANIMX},
	    {"RSRC", CLI_FILE_GODOT_BINARY},
	    {"RSCC", CLI_FILE_GODOT_BINARY},
	    {"glTF", CLI_FILE_GLTF},
	    {"Kaydara FBX", CLI_FILE_FBX},
	    {"; FBX", CLI_FILE_FBX},
	    {"BLENDER", CLI_FILE_BLEND},
	    {"PXR-USDC", CLI_FILE_USD},
	    {"#usda", CLI_FILE_USD},
	    {"HIERARCHY", CLI_FILE_BVH},
	    {"PK\003\004", CLI_FILE_ZIP},
	    {"\xff\xfe", CLI_FILE_UTF16},
	    {"\xfe\xff", CLI_FILE_UTF16},
	    {"anim-dump ", CLI_FILE_DUMP},
	    {"{\"anim_json\":", CLI_FILE_LINES},
	    {"UnityFS", CLI_FILE_UNITY_BUNDLE},
	    {"UnityRaw", CLI_FILE_UNITY_BUNDLE},
	    {"UnityWeb", CLI_FILE_UNITY_BUNDLE},
	    {"version https://git-lfs", CLI_FILE_LFS},
	};

	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (begins(text, magics[i].magic))
			return magics[i].kind;
	return CLI_FILE_UNKNOWN;
}

static struct text skip_blanks(struct text text)
{
	if (begins(text, "\xef\xbb\xbf")) {
		text.bytes += 3;
		text.size -= 3;
	}
	while (text.size > 0 && strchr(" \t\r\n", text.bytes[0]) != NULL && text.bytes[0] != '\0') {
		text.bytes++;
		text.size--;
	}
	return text;
}

static struct text skip_comments(struct text text)
{
	text = skip_blanks(text);
	while (text.size > 0 && text.bytes[0] == ';') {
		const char *end = memchr(text.bytes, '\n', text.size);

		if (end == NULL)
			text.size = 0;
		else
			text = skip_blanks((struct text){end, text.size - (size_t)(end - text.bytes)});
	}
	return text;
}

static enum cli_kind_of_file kind_of_text(struct text text)
{
	struct text section = skip_comments(text);

	text = skip_blanks(text);
	if (begins(section, "[gd_") || begins(section, "[sub_resource") || begins(section, "[ext_resource"))
		return CLI_FILE_GODOT;
	if (begins(text, "%YAML") || begins(text, "%TAG !u!") || begins(text, "--- !u!"))
		return CLI_FILE_UNITY;
	if (begins_anyhow(text, "<!doctype html") || begins_anyhow(text, "<html"))
		return CLI_FILE_HTML;
	if (begins(text, "<?xml") || begins(text, "<COLLADA"))
		return holds(text, "<COLLADA") ? CLI_FILE_COLLADA : CLI_FILE_UNKNOWN;
	if (!begins(text, "{"))
		return CLI_FILE_UNKNOWN;
	if (holds(text, "\"globalDuration\"") || holds(text, "\"trackType\""))
		return CLI_FILE_ANIMJ;
	return holds(text, "\"asset\"") ? CLI_FILE_GLTF : CLI_FILE_JSON;
}

enum cli_kind_of_file cli_kind_of(const uint8_t *bytes, size_t size)
{
	static const char head[] = "\005AnimS";
	struct text text = {(const char *)bytes, size};
	enum cli_kind_of_file kind;

	if (size == 0)
		return CLI_FILE_EMPTY;
	if (memcmp(bytes, head, size < sizeof head - 1 ? size : sizeof head - 1) == 0)
		return CLI_FILE_STREAM;
	kind = kind_by_magic(text);
	return kind != CLI_FILE_UNKNOWN ? kind : kind_of_text(text);
}
