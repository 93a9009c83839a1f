/* folder.c: the files of folders and lists that a command converts, with the names of their outputs. */
#include "run/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/map.h"
#include "base/path.h"
#include "base/system.h"
#include "format/format.h"

#define DEPTH_MAX 100u

struct folder_walk {
	struct cli *cli;
	const char *to, *suffix;
	struct anim_stat out; /* the folder of the outputs, if has_out */
	bool has_out;
	struct anim_text_set taken; /* the names of outputs in lower case, because file systems may ignore case */
	struct anim_text_set inputs;
	struct anim_map numbers; /* of the last output that has one, by the name without it */
	struct anim_buffer *files;
	size_t left_out; /* folders */
	struct anim_error *error;
};

static bool is_input(const char *name)
{
	static const char *const streams[] = {".axs", ".axs.gz"};
	const struct anim_format *format = anim_format_of_name(name);

	return anim_path_has_suffix(name, streams, ANIM_COUNT(streams)) ||
	       (format != NULL && format->read != NULL && !format->is_model);
}

/*
 * Try to give the file an output whose name without its suffix is `stem`. Returns 1, 0 if another file has this output, or
 * -1.
 */
static int try_stem(struct folder_walk *walk, struct folder_file *file, const char *stem)
{
	const char *out = cli_printf(walk->cli, "%s.%s", stem, walk->suffix);
	char lower[ANIM_PATH_MAX];
	size_t length = 0;

	file->folder = stem;
	file->out = out;
	for (; length < sizeof lower && out[length] != '\0'; length++)
		lower[length] =
		    out[length] >= 'A' && out[length] <= 'Z' ? (char)(out[length] + 'a' - 'A') : out[length];
	if (length == sizeof lower)
		return anim_fail(walk->error, ANIM_TOO_LARGE, "'%.60s...': the name of an output is too long", out);
	return anim_text_set_add(&walk->taken, lower, length, walk->error);
}

static int add_file(struct folder_walk *walk, const char *in, const char *to)
{
	const char *dot = strrchr(to, '.');
	int stem = (int)(dot == NULL || strchr(dot, '/') != NULL ? strlen(to) : (size_t)(dot - to)), is_free;
	struct folder_file file = {in, NULL, NULL};
	uint32_t number = 1;

	is_free = anim_text_set_add(&walk->inputs, in, strlen(in), walk->error);
	if (is_free <= 0)
		return is_free;
	is_free = try_stem(walk, &file, cli_printf(walk->cli, "%.*s", stem, to));
	if (is_free == 0)
		is_free = try_stem(walk, &file, to);
	if (is_free == 0)
		(void)anim_map_get(&walk->numbers, 0, to, strlen(to), &number);
	while (is_free == 0)
		is_free = try_stem(walk, &file, cli_printf(walk->cli, "%s.%u", to, (unsigned)++number));
	if (is_free < 0 || (number > 1 && anim_map_put(&walk->numbers, 0, to, strlen(to), number, walk->error) != 0))
		return -1;
	return anim_buffer_append(walk->files, &file, sizeof file, walk->error);
}

static int walk_folder(struct folder_walk *walk, const char *folder, const char *to, unsigned depth)
{
	struct anim_buffer names = {0};
	struct anim_error error = {0};
	struct anim_folder *opened;
	int sys = 0, result = -1;
	const char *const *name;

	if (depth > DEPTH_MAX)
		return anim_diagnostics_warn(&walk->cli->diagnostics, "folder", walk->error,
					     "'%s': more than %u folders deep, left out", folder, DEPTH_MAX);
	opened = anim_folder_open(folder, true);
	if (opened != NULL)
		result = anim_folder_names(opened, &walk->cli->arena, &names, &sys, walk->error);
	else
		sys = errno;
	anim_folder_close(opened);
	/* A folder that cannot be read is left out, with a line. A folder of the command line is an error. */
	if (sys != 0) {
		errno = sys;
		anim_fail_system(&error, "cannot read folder '%s'", folder);
		result = depth == 0 || error.code != ANIM_SYSTEM ? -1 : 0;
		if (result != 0) {
			*walk->error = error;
		} else {
			cli_message(walk->cli, NULL, NULL, error.message);
			walk->left_out++;
		}
	}
	name = (const char *const *)(const void *)names.data;
	for (size_t i = 0; i < names.size / sizeof *name && result == 0; i++) {
		const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
		const char *in = cli_printf(walk->cli, "%s%s%s", folder, slash, name[i]);
		const char *out = cli_printf(walk->cli, "%s/%s", to, name[i]);
		struct anim_stat info, target;

		if (name[i][0] == '.' || anim_sys_lstat(in, &info) != 0 || anim_sys_stat(in, &target) != 0)
			continue;
		if (info.kind == ANIM_FOLDER && !(walk->has_out && anim_is_same_file(&info, &walk->out)))
			result = walk_folder(walk, in, out, depth + 1);
		else if (target.kind == ANIM_FILE && is_input(in))
			result = add_file(walk, in, out);
	}
	anim_buffer_clear(&names);
	return result;
}

struct folder_walk *folder_walk_new(struct cli *cli, const char *to, const char *suffix, struct anim_buffer *files,
				    struct anim_error *error)
{
	struct folder_walk *walk = anim_zeroed(sizeof *walk, error);

	if (walk == NULL)
		return NULL;
	*walk = (struct folder_walk){.cli = cli, .to = to, .suffix = suffix, .files = files, .error = error};
	walk->has_out = anim_sys_stat(to, &walk->out) == 0;
	return walk;
}

void folder_walk_free(struct folder_walk *walk)
{
	if (walk != NULL) {
		anim_text_set_clear(&walk->taken);
		anim_text_set_clear(&walk->inputs);
		anim_map_clear(&walk->numbers);
	}
	free(walk);
}

int folder_walk_below(struct folder_walk *walk, const char *folder)
{
	return walk_folder(walk, folder, walk->to, 0);
}

size_t folder_walk_left_out(const struct folder_walk *walk)
{
	return walk->left_out;
}

/* ---- Lists ---- */

/* Return the path of the output of a listed file, still with the suffix of the input: never outside of the folder `to`. */
static const char *output_below(struct folder_walk *walk, const char *in)
{
	const char *out = walk->to;

	while (*in != '\0') {
		size_t length = strcspn(in, "/");
		bool is_dots = length <= 2 && strncmp(in, "..", length) == 0;

		if (!is_dots)
			out = cli_printf(walk->cli, "%s/%.*s", out, (int)length, in);
		in += length + (in[length] == '/');
	}
	return out;
}

static int add_lines(struct folder_walk *walk, const char *text, size_t size)
{
	int end = memchr(text, '\0', size) != NULL ? '\0' : '\n', result = 0;
	const char *in, *out;

	while (size > 0 && result == 0) {
		const char *stop = memchr(text, end, size);
		size_t length = stop == NULL ? size : (size_t)(stop - text);
		size_t name = length - (end == '\n' && length > 0 && text[length - 1] == '\r');

		if (name >= ANIM_PATH_MAX)
			return anim_fail(walk->error, ANIM_TOO_LARGE,
					 "'%.60s...': a name in the list has %zu bytes, and the system takes %d", text,
					 name, (int)ANIM_PATH_MAX - 1);
		in = anim_arena_text(&walk->cli->arena, text, name, walk->error);
		if (in == NULL)
			return -1;
		out = output_below(walk, in);
		result = out == walk->to ? 0 : add_file(walk, in, out);
		size -= length + (stop != NULL);
		text += length + (stop != NULL);
	}
	return result;
}

int folder_walk_list(struct folder_walk *walk, const char *list)
{
	struct anim_buffer text = {0};
	struct anim_input *input = NULL;
	const uint8_t *at;
	ssize_t size = -1;

	if (cli_open_input(walk->cli, list, &input, walk->error) == 0)
		while ((size = anim_input_peek(input, 0, &at, walk->error)) > 0) {
			if (anim_buffer_append(&text, at, (size_t)size, walk->error) != 0) {
				size = -1;
				break;
			}
			anim_input_skip(input, (size_t)size);
		}
	anim_input_close(input);
	if (size == 0 && text.size > 0)
		size = add_lines(walk, (const char *)text.data, text.size);
	anim_buffer_clear(&text);
	return (int)size;
}
