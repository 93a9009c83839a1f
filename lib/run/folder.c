/* folder.c: the files of a folder that a command converts, with the names of their outputs. */
#include "run/folder.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/map.h"
#include "base/path.h"
#include "base/system.h"
#include "format/format.h"

#define DEPTH_MAX 100u

struct walk {
	struct cli *cli;
	const char *suffix;
	struct anim_stat out; /* the folder of the outputs, if has_out */
	bool has_out;
	struct anim_text_set taken; /* the names of outputs in lower case, because file systems may ignore case */
	struct anim_buffer *files;
	struct anim_error *error;
};

static bool is_input(const char *name)
{
	static const char *const streams[] = {".axs", ".axs.gz"};
	const struct anim_format *format = anim_format_of_name(name);

	return anim_path_has_suffix(name, streams, ANIM_COUNT(streams)) ||
	       (format != NULL && format->read != NULL && !format->is_model);
}

/* Return 1 if no output has the name, and take it. Return 0 if one has, or -1. */
static int take(struct walk *walk, const char *out)
{
	char lower[PATH_MAX];
	size_t length = 0;

	for (; length < sizeof lower && out[length] != '\0'; length++)
		lower[length] =
		    out[length] >= 'A' && out[length] <= 'Z' ? (char)(out[length] + 'a' - 'A') : out[length];
	return anim_text_set_add(&walk->taken, lower, length, walk->error);
}

static int add_file(struct walk *walk, const char *in, const char *to)
{
	const char *dot = strrchr(to, '.');
	int stem = (int)(dot == NULL || strchr(dot, '/') != NULL ? strlen(to) : (size_t)(dot - to)), is_free;
	struct folder_file file = {in, cli_printf(walk->cli, "%.*s", stem, to), NULL};

	file.out = cli_printf(walk->cli, "%s.%s", file.folder, walk->suffix);
	if ((is_free = take(walk, file.out)) < 0)
		return -1;
	if (is_free == 0) {
		file.folder = to;
		file.out = cli_printf(walk->cli, "%s.%s", to, walk->suffix);
	}
	return anim_buffer_append(walk->files, &file, sizeof file, walk->error);
}

static int walk_folder(struct walk *walk, const char *folder, const char *to, unsigned depth)
{
	struct anim_buffer names = {0};
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
	errno = sys;
	if (sys != 0)
		result = anim_fail_system(walk->error, "cannot read folder '%s'", folder);
	name = (const char *const *)(const void *)names.data;
	for (size_t i = 0; i < names.size / sizeof *name; i++) {
		const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
		const char *in = cli_printf(walk->cli, "%s%s%s", folder, slash, name[i]);
		const char *out = cli_printf(walk->cli, "%s/%s", to, name[i]);
		struct anim_stat info, target;

		if (result != 0 || name[i][0] == '.' || anim_sys_lstat(in, &info) != 0 ||
		    anim_sys_stat(in, &target) != 0)
			continue;
		if (info.kind == ANIM_FOLDER && !(walk->has_out && anim_is_same_file(&info, &walk->out)))
			result = walk_folder(walk, in, out, depth + 1);
		else if (target.kind == ANIM_FILE && is_input(in))
			result = add_file(walk, in, out);
	}
	anim_buffer_clear(&names);
	return result;
}

int folder_list(struct cli *cli, const char *folder, const char *to, const char *suffix, struct anim_buffer *files,
		struct anim_error *error)
{
	struct walk walk = {.cli = cli, .suffix = suffix, .files = files, .error = error};
	int result;

	walk.has_out = anim_sys_stat(to, &walk.out) == 0;
	result = walk_folder(&walk, folder, to, 0);
	anim_text_set_clear(&walk.taken);
	return result;
}
