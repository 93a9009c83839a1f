/* read.c: what a source is called. */
#include "format/read.h"

#include <string.h>
#include <strings.h>

#include "base/path.h"

const char *anim_read_source_file(const struct anim_read_options *options, const struct anim_input *input)
{
	if (options->source_name != NULL)
		return options->source_name;
	return anim_input_is_pipe(input) ? "" : anim_path_last(anim_input_name(input));
}

const char *anim_read_base_name(const char *file, struct anim_arena *arena, struct anim_error *error)
{
	size_t length = strlen(file);

	if (length > 3 && strcasecmp(file + length - 3, ".gz") == 0)
		length -= 3;
	for (size_t i = length; i > 1; i--)
		if (file[i - 1] == '.') {
			length = i - 1;
			break;
		}
	return length == 0 ? "clip" : anim_arena_text(arena, file, length, error);
}
