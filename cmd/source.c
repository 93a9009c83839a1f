/* source.c: reads the files of a command line. */
#include "source.h"

#include <string.h>

#include "filter/clips.h"

void source_options_init(struct anim_load_options *options, struct cli *cli)
{
	memset(options, 0, sizeof *options);
	options->read.store_memory = cli_store_memory();
	options->read.diagnostics = &cli->diagnostics;
	cli_input_options(&options->input);
	options->read.input_options = &options->input;
}

int source_read(struct cli *cli, const struct anim_load_options *options, const char *path, struct anim_sink *sink,
		struct anim_error *error)
{
	struct anim_input *input;
	bool done = cli_open_input(cli, path, &input, error) == 0 && anim_load(input, options, sink, error) == 0;

	anim_input_close(input);
	return done ? 0 : -1;
}

struct anim_sink *source_pick(struct anim_sink *sink, const struct cli_texts *clips, struct anim_error *error)
{
	return sink == NULL || clips->count == 0 ? sink : anim_clips_new(clips->items, clips->count, sink, error);
}

int source_read_all(struct cli *cli, const struct anim_load_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	for (int i = 0; i < cli->operand_count || i == 0; i++)
		if (source_read(cli, options, i < cli->operand_count ? cli->operands[i] : NULL, sink, error) != 0)
			return -1;
	return anim_diagnostics_check(&cli->diagnostics, error) != 0 ? -1 : anim_sink_end(sink, error);
}

int source_read_aside(struct cli *cli, const char *path, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_load_options options;
	struct anim_diagnostics diagnostics = {0};
	int result;

	source_options_init(&options, cli);
	options.streams = true;
	options.read.diagnostics = &diagnostics;
	result = sink == NULL ? -1 : source_read(cli, &options, path, sink, error);
	if (result == 0)
		result = anim_diagnostics_check(&diagnostics, error);
	anim_sink_free(sink);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

static int check_rests(const char *path, const struct anim_rests *rests, struct anim_error *error)
{
	if (rests->count > 0)
		return 0;
	anim_fail(error, ANIM_UNSUPPORTED, "has no nodes, so no rests; a scene has them");
	return anim_error_in_file(error, path);
}

int source_read_rests(struct cli *cli, const char *path, struct anim_rests *rests, struct anim_error *error)
{
	if (source_read_aside(cli, path, anim_rests_sink_new(rests, error), error) != 0)
		return -1;
	return check_rests(path, rests, error);
}

int source_read_poses(struct cli *cli, const char *path, struct anim_poses *poses, struct anim_error *error)
{
	if (source_read_aside(cli, path, anim_poses_sink_new(poses, error), error) != 0)
		return -1;
	return check_rests(path, &poses->rests, error);
}

int source_read_map(struct cli *cli, const char *path, struct anim_rename_map *map, struct anim_error *error)
{
	struct anim_input *input;
	bool done = cli_open_input(cli, path, &input, error) == 0 && anim_rename_map_read(map, input, error) == 0;

	anim_input_close(input);
	return done ? 0 : anim_error_in_file(error, path);
}
