/* each.c: one file per clip. */
#include "cli/each.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/named.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"
#include "format/load.h"

/* ---- Safe and distinct file names ---- */

/* Bytes of a name: file systems allow 255, and a number and the additions of a temporary name also need room. */
#define PART_MAX 200u

bool cli_file_pattern_is(const char *name)
{
	for (name = strchr(name, '%'); name != NULL && name[1] != '\0'; name = strchr(name + 2, '%'))
		if (strchr("cpf", name[1]) != NULL)
			return true;
	return false;
}

const char *cli_file_pattern_fault(const char *pattern)
{
	if (pattern[0] == '\0')
		return "the pattern is empty";
	for (const char *at = strchr(pattern, '%'); at != NULL; at = strchr(at + 2, '%'))
		if (at[1] == '\0' || strchr("cpf%", at[1]) == NULL)
			return "a '%' must be followed by c (clip), p (player), f (source file) or %";
	if (pattern[strlen(pattern) - 1] == '/')
		return "the pattern names a folder";
	return NULL;
}

/* Return the length of the character at `text` if it may stay, or 0 if it becomes '_'. */
static size_t good_length(const char *text)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	uint32_t code;
	size_t length;

	if ((unsigned char)text[0] < 0x80)
		return strchr(good, text[0]) != NULL;
	length = anim_utf8_decode((const uint8_t *)text, strlen(text), &code);
	return length > 0 && anim_code_is_unsafe(code) ? 0 : length;
}

static int append_safe(struct anim_buffer *out, const char *text, size_t budget, struct anim_error *error)
{
	bool at_start = true;
	uint32_t code;

	if (text == NULL || text[0] == '\0')
		text = "_";
	while (*text != '\0') {
		bool leading = at_start && (*text == '.' || *text == '-');
		size_t keep = leading ? 0 : good_length(text), add = keep == 0 ? 1 : keep;

		if (add > budget)
			return 0;
		if (anim_buffer_append(out, keep == 0 ? "_" : text, add, error) != 0)
			return -1;
		if (keep == 0) /* one '_' replaces a complete character */
			keep = anim_utf8_decode((const uint8_t *)text, strlen(text), &code);
		text += keep == 0 ? 1 : keep;
		budget -= add;
		at_start = false;
	}
	return 0;
}

/* Return how many bytes the pattern itself puts into the part of the path that begins here. */
static size_t literal_length(const char *part)
{
	size_t length = 0;

	for (; *part != '\0' && *part != '/'; part++) {
		bool code = *part == '%' && part[1] != '%';

		part += *part == '%';
		length += !code;
	}
	return length;
}

/* Windows takes these names for devices, whatever follows their first dot. */
static bool is_reserved(const char *part, size_t length)
{
	static const char *const names[] = {"con", "prn", "aux", "nul", "com", "lpt"};
	const char *dot = memchr(part, '.', length);
	size_t stem = dot == NULL ? length : (size_t)(dot - part);

	for (size_t i = 0; i < sizeof names / sizeof *names && (stem == 3 || stem == 4); i++)
		if ((i < 4 ? stem == 3 : stem == 4 && part[3] >= '0' && part[3] <= '9') &&
		    strncasecmp(part, names[i], 3) == 0)
			return true;
	return false;
}

/*
 * Make the part of the path that begins at `at` valid on Windows, which does not allow a dot at the end. Returns 0 or
 * -1.
 */
static int end_part(struct anim_buffer *out, size_t at, bool is_made, struct anim_error *error)
{
	if (!is_made || out->size == at)
		return 0;
	if (out->data[out->size - 1] == '.')
		out->data[out->size - 1] = '_';
	if (!is_reserved((const char *)out->data + at, out->size - at))
		return 0;
	if (anim_buffer_append(out, "_", 1, error) != 0)
		return -1;
	memmove(out->data + at + 1, out->data + at, out->size - at - 1);
	out->data[at] = '_';
	return 0;
}

static int expand(const char *pattern, const struct cli_name_parts *parts, struct anim_buffer *out,
		  struct anim_error *error)
{
	size_t part_at = 0, literal = literal_length(pattern);
	bool is_made = false; /* the part contains a name from the input */

	for (; *pattern != '\0'; pattern++) {
		size_t used = out->size - part_at + literal;
		int result;

		if (*pattern == '%' && pattern[1] != '%') {
			const char code = *++pattern;

			result = append_safe(out,
					     code == 'c'   ? parts->clip
					     : code == 'p' ? parts->player
							   : parts->file,
					     used < PART_MAX ? PART_MAX - used : 1, error);
			is_made = true;
		} else if (*pattern == '/') {
			result = end_part(out, part_at, is_made, error);
			if (result == 0)
				result = anim_buffer_append(out, "/", 1, error);
			is_made = false;
		} else {
			pattern += *pattern == '%';
			literal--;
			result = anim_buffer_append(out, pattern, 1, error);
		}
		if (result != 0)
			return -1;
		if (*pattern == '/') {
			part_at = out->size;
			literal = literal_length(pattern + 1);
		}
	}
	return end_part(out, part_at, is_made, error) != 0 ? -1 : anim_buffer_append(out, "", 1, error);
}

/*
 * Return the lower case of a code, as far as file systems that ignore case commonly need it: ASCII, Latin-1, Greek,
 * Cyrillic. If a pair is missed here, the second file is refused when it is renamed.
 */
static uint32_t fold_code(uint32_t code)
{
	if ((code >= 'A' && code <= 'Z') || (code >= 0xC0 && code <= 0xDE && code != 0xD7) ||
	    (code >= 0x391 && code <= 0x3A9) || (code >= 0x410 && code <= 0x42F))
		return code + 32;
	return code >= 0x400 && code <= 0x40F ? code + 80 : code;
}

/* Return a copy in lower case, or NULL if out of memory. Folding never changes the number of bytes of a character. */
static char *folded_copy(const char *name)
{
	size_t size = strlen(name), at = 0;
	char *copy = malloc(size + 4); /* room for a complete character at the end */

	while (copy != NULL && at < size) {
		uint32_t code;

		if (anim_utf8_decode((const uint8_t *)name + at, size - at, &code) > 0) {
			at += anim_utf8_encode(fold_code(code), copy + at);
		} else {
			copy[at] = name[at];
			at++;
		}
	}
	if (copy != NULL)
		copy[at] = '\0';
	return copy;
}

/* Return the name with "-number" before its suffix. */
static char *numbered(const char *name, unsigned number)
{
	const char *base = anim_path_last(name), *dot = strrchr(base, '.');
	size_t stem = dot == NULL || dot == base ? strlen(name) : (size_t)(dot - name), size = strlen(name) + 16;
	char *out = malloc(size);

	if (out == NULL)
		return NULL;
	memcpy(out, name, stem);
	if (number > 1)
		snprintf(out + stem, size - stem, "-%u%s", number, name + stem);
	else
		memcpy(out + stem, name + stem, strlen(name + stem) + 1);
	return out;
}

/* All numbers below the remembered number of a name were given out. */
char *cli_file_name(struct cli_file_names *names, const char *pattern, const struct cli_name_parts *parts,
		    struct anim_error *error)
{
	struct anim_buffer plain = {0};
	uint32_t number = 1;
	char *name = NULL, *folded, *key;
	bool known;
	int added = 0;

	if (expand(pattern, parts, &plain, error) != 0) {
		anim_buffer_clear(&plain);
		return NULL;
	}
	known = anim_map_get(&names->next, 0, plain.data, plain.size, &number);
	while (added == 0 && number < 1u << 30) {
		name = numbered((const char *)plain.data, number++);
		folded = name == NULL ? NULL : folded_copy(name);
		added = folded == NULL ? -1 : anim_text_set_add(&names->taken, folded, strlen(folded), error);
		free(folded);
		if (added == 1)
			break;
		free(name);
		name = NULL;
	}
	if (name == NULL)
		anim_fail_memory(error);
	names->numbered = number > 2;
	key = (char *)plain.data;
	if (name != NULL && !known)
		key = anim_arena_text(&names->keys, key, plain.size, error);
	if (name != NULL && (key == NULL || anim_map_put(&names->next, 0, key, plain.size, number, error) != 0)) {
		free(name);
		name = NULL;
	}
	anim_buffer_clear(&plain);
	return name;
}

void cli_file_names_clear(struct cli_file_names *names)
{
	anim_text_set_clear(&names->taken);
	anim_map_clear(&names->next);
	anim_arena_clear(&names->keys);
	memset(names, 0, sizeof *names);
}

/* ---- One file per clip, all of which appear together, or none ---- */

int cli_each_tree(struct cli_each *each, const struct anim_tree *tree, struct anim_error *error)
{
	free(each->tree_file);
	each->tree_file = strdup(tree->source_file);
	return each->tree_file == NULL ? anim_fail_memory(error) : 0;
}

char *cli_each_path(struct cli_each *each, const struct anim_clip *clip, struct anim_diagnostics *diagnostics,
		    struct anim_error *error)
{
	const char *file = anim_path_last(anim_clip_file(clip, each->tree_file));
	struct anim_arena arena = {0};
	struct cli_name_parts parts = {clip->name, anim_attrs_get(&clip->attrs, "player"), ""};
	char *path = NULL;

	if (file[0] != '\0')
		parts.file = anim_read_base_name(file, &arena, error);
	if (parts.file != NULL)
		path = cli_file_name(&each->names, each->pattern, &parts, error);
	anim_arena_clear(&arena);
	if (path != NULL && each->names.numbered && strstr(each->pattern, "%c") == NULL &&
	    anim_diagnostics_add(diagnostics, ANIM_WARNING, NULL, "file", error,
				 "'%s': numbered, because the pattern has no %%c (the name of the clip)", path) != 0) {
		free(path);
		path = NULL;
	}
	return path;
}

int cli_make_folders(struct anim_buffer *made, const char *path, struct anim_error *error)
{
	char *folder;
	int result;

	if (anim_named_is(path))
		return 0;
	folder = strdup(path);
	result = folder == NULL ? anim_fail_memory(error) : 0;
	for (size_t i = 1; result == 0 && path[i] != '\0'; i++) {
		if (path[i] != '/')
			continue;
		folder[i] = '\0';
		if (anim_sys_make_folder(folder) == 0)
			result = anim_buffer_append(made, folder, i + 1, error);
		else if (errno == ENOENT || errno == EACCES || errno == EROFS)
			result = anim_fail_system(error, "folder '%s' cannot be made", folder);
		folder[i] = '/';
	}
	free(folder);
	return result;
}

void cli_remove_folders(struct anim_buffer *folders)
{
	while (folders->size > 0) {
		size_t start = folders->size - 1;

		while (start > 0 && folders->data[start - 1] != '\0')
			start--;
		(void)anim_sys_remove_folder((const char *)folders->data + start);
		folders->size = start;
	}
	anim_buffer_clear(folders);
}

int cli_each_open(struct cli_each *each, const char *path, struct anim_output **output, struct anim_error *error)
{
	*output = NULL;
	return cli_make_folders(&each->folders, path, error) != 0
		   ? -1
		   : cli_open_file(each->cli, path, false, output, error);
}

int cli_each_seal(struct cli_each *each, struct anim_output *output, struct anim_error *error)
{
	struct anim_output **place = anim_buffer_extend(&each->sealed, sizeof *place, error);

	if (place == NULL) {
		anim_output_free(output);
		return -1;
	}
	*place = output;
	return anim_output_seal(output, error);
}

static struct anim_output **sealed_of(const struct cli_each *each)
{
	return (struct anim_output **)(void *)each->sealed.data;
}

int cli_each_commit(struct cli_each *each, struct anim_error *error)
{
	int result = cli_commit(each->cli, sealed_of(each), each->sealed.size / sizeof(struct anim_output *), error);

	if (result == 0)
		each->folders.size = 0;
	return result;
}

void cli_each_clear(struct cli_each *each)
{
	for (size_t i = 0; i < each->sealed.size / sizeof(struct anim_output *); i++)
		anim_output_free(sealed_of(each)[i]);
	cli_remove_folders(&each->folders);
	anim_buffer_clear(&each->sealed);
	free(each->tree_file);
	cli_file_names_clear(&each->names);
}
