/* source.c: reads the files of a command line. */
#include "run/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/system.h"
#include "base/text.h"
#include "filter/axes/axes.h"
#include "filter/cat/cat.h"
#include "filter/clips.h"
#include "filter/common/rotations.h"
#include "filter/retarget/retarget.h"
#include "format/bvh/bvh.h"
#include "stream/stream.h"

void source_options_init(struct anim_load_options *options, struct cli *cli)
{
	memset(options, 0, sizeof *options);
	options->read.store_memory = cli_store_memory();
	options->read.diagnostics = &cli->diagnostics;
	options->read.kept = &cli->kept;
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

/* ---- Several files: the prog records of all streams first, then the rest ---- */

int source_is_stream(struct anim_input *input, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, 8, &at, error);

	return size < 0 ? -1 : size >= 8 && anim_stream_is(at, (size_t)size);
}

void source_check_blend(const struct cli *cli, bool append, const char *blend)
{
	double blend_s;

	if (blend != NULL && !append)
		cli_usage(cli, "--blend requires --append");
	if (blend != NULL && (!cli_number(blend, &blend_s) || blend_s <= 0))
		cli_usage(cli, "--blend: '%s' is not a number of seconds such as 0.3", blend);
}

struct anim_sink *source_join_new(struct source_join *joins, struct cli *cli, bool merge, bool append,
				  const char *blend, const struct cli_texts *order, struct anim_sink *next,
				  struct anim_error *error)
{
	struct anim_join_options options = {.how = append ? ANIM_JOIN_APPEND : ANIM_JOIN_MERGE,
					    .store_memory = cli_store_memory(),
					    .diagnostics = &cli->diagnostics};

	if (!merge && !append)
		return next;
	if (order != NULL) {
		options.order = order->items;
		options.order_count = order->count;
	}
	if (blend != NULL)
		(void)cli_number(blend, &options.blend_s);
	next = joins->join = anim_join_new(&options, next, error);
	if (next != NULL && joins->converts_axes)
		next = anim_axes_new(
		    &(struct anim_axes_options){
			.by_default = true, .follows = true, .ppu = ANIM_AXES_PPU, .diagnostics = &cli->diagnostics},
		    next, error);
	/* blends of rotations are slerps */
	return blend == NULL ? next
			     : anim_rotations_new(&(struct anim_rotations_options){.diagnostics = &cli->diagnostics},
						  next, error);
}

struct anim_sink *source_cat_new(struct source_join *joins, struct anim_sink *next, struct anim_error *error)
{
	return joins->cat = next == NULL ? NULL : anim_cat_new(next, error);
}

int source_join_next(struct source_join *joins, const char *path, struct anim_error *error)
{
	if (joins->join != NULL)
		anim_join_begin(joins->join, path);
	return joins->cat == NULL ? 0 : anim_cat_begin(joins->cat, error);
}

/* A file is open while input is not NULL. */
struct file {
	struct anim_input *input;
	struct anim_stream_reader *reader;
	bool is_stream, progs_read, failed;
};

static void close_file(struct file *file)
{
	anim_stream_reader_free(file->reader);
	anim_input_close(file->input);
	file->reader = NULL;
	file->input = NULL;
}

static int open_file(struct cli *cli, const char *path, struct file *file, struct anim_error *error)
{
	int stream = cli_open_input(cli, path, &file->input, error) != 0 ? -1 : source_is_stream(file->input, error);

	if (stream < 0)
		return -1;
	file->is_stream = stream;
	return file->is_stream ? anim_stream_reader_new(&file->reader, file->input, error) : 0;
}

/* Read the prog records of one file. A pipe stays open. */
static int read_progs(const struct source_files *files, const char *path, struct file *file, struct anim_sink *sink,
		      struct anim_error *error)
{
	if (open_file(files->cli, path, file, error) != 0) {
		close_file(file);
		return error->code == ANIM_NO_MEMORY ? -1 : 0; /* other errors occur again when the rest is read */
	}
	if (file->is_stream && anim_stream_pump_progs(file->reader, sink, error) != 0)
		return anim_input_name_error(file->input, error);
	file->progs_read = true;
	if (!anim_input_is_pipe(file->input))
		close_file(file);
	return 0;
}

static int read_rest(const struct source_files *files, const char *path, struct file *file, struct anim_sink *sink,
		     struct anim_error *error)
{
	bool heads = files->options->heads, again = file->progs_read && file->input == NULL;

	if (file->input == NULL && open_file(files->cli, path, file, error) != 0)
		return -1;
	if (!file->is_stream)
		return anim_load(file->input, files->options, sink, error);
	if (files->options->read_as != NULL)
		*files->options->read_as = anim_format_of(anim_stream_head, ANIM_STREAM_HEAD);
	if (again && anim_stream_pump_progs(file->reader, NULL, error) != 0)
		return anim_input_name_error(file->input, error);
	if ((heads ? anim_stream_pump_heads : anim_stream_pump)(file->reader, sink, error) != 0)
		return anim_input_name_error(file->input, error);
	return 0;
}

static int read_files(const struct source_files *files, struct file *items, size_t count, struct anim_sink *sink,
		      struct anim_error *error)
{
	static int (*const read[2])(const struct source_files *, const char *, struct file *, struct anim_sink *,
				    struct anim_error *) = {read_progs, read_rest};

	for (size_t pass = count == 1; pass < 2; pass++)
		for (size_t i = 0; i < count; i++) {
			const char *path = files->cli->operand_count > 0 ? files->cli->operands[i] : "-";

			if (items[i].failed)
				continue;
			if (files->begin(files->context, path, error) != 0)
				return -1;
			if (read[pass](files, path, &items[i], sink, error) != 0) {
				items[i].failed = true; /* the caller may continue without it */
				if (files->failed == NULL || files->failed(files->context, error) != 0)
					return -1;
			}
			if (pass == 1)
				close_file(&items[i]);
			if (pass == 1 && files->done != NULL)
				files->done(files->context);
		}
	return 0;
}

int source_read_files(const struct source_files *files, struct anim_sink *sink, struct anim_error *error)
{
	size_t count = files->cli->operand_count > 0 ? (size_t)files->cli->operand_count : 1;
	struct file *items = calloc(count, sizeof *items);
	int result;

	if (items == NULL)
		return anim_fail_memory(error);
	result = read_files(files, items, count, sink, error);
	for (size_t i = 0; i < count; i++)
		close_file(&items[i]);
	free(items);
	return result;
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

bool source_has_unit(const struct anim_format *format)
{
	return format != NULL && format->read_options != NULL && anim_text_is_word(format->read_options, "unit");
}

void source_check_unit(struct cli *cli, const struct source_unit *unit)
{
	double metres;

	if (unit->name != NULL && !anim_bvh_unit(unit->name, &metres))
		cli_usage(cli, "%s '%s' is not a unit: use cm, m, in, cmu or a number of metres",
			  cli_spelled(cli, "unit"), unit->name);
}

/* How a side input is read: unchanged, as Godot imports it, or with joints in the pose of their bound skin. */
enum aside { AS_IS, IMPORTED, BOUND };

static int read_aside(struct cli *cli, const char *path, struct source_unit *unit, enum aside aside,
		      struct anim_sink *sink, struct anim_error *error)
{
	struct anim_load_options options;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_diagnostic *fault;
	const struct anim_format *format = NULL;
	int result;

	source_options_init(&options, cli);
	options.streams = true;
	options.read.diagnostics = &diagnostics;
	options.read_as = &format;
	options.read.godot_paths = aside == IMPORTED;
	options.read.bind_rests = aside == BOUND;
	if (unit != NULL && unit->name != NULL && anim_bvh_unit(unit->name, &options.read.unit_m))
		options.read.bvh.unit = unit->name;
	result = sink == NULL ? -1 : source_read(cli, &options, path, sink, error);
	/* The reader's own error only counts its faults. The first of them is the error. */
	if (sink != NULL && (result == 0 || diagnostics.faults > 0) && error->code != ANIM_NO_MEMORY) {
		fault = anim_diagnostics_first(&diagnostics, ANIM_FAULT);
		result = 0;
		if (fault != NULL) {
			anim_fail_at(error, ANIM_BAD_INPUT, &fault->place, "%s", fault->text);
			result = anim_error_in_file(error, path);
		}
	}
	if (result == 0 && unit != NULL)
		unit->taken = unit->taken || source_has_unit(format);
	anim_sink_free(sink);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

int source_read_aside(struct cli *cli, const char *path, struct source_unit *unit, struct anim_sink *sink,
		      struct anim_error *error)
{
	return read_aside(cli, path, unit, AS_IS, sink, error);
}

int source_read_bound(struct cli *cli, const char *path, struct source_unit *unit, struct anim_sink *sink,
		      struct anim_error *error)
{
	return read_aside(cli, path, unit, BOUND, sink, error);
}

size_t source_find_time(const char *path, double *time_s)
{
	const char *at = strrchr(path, '@');
	struct anim_stat status;

	if (at == NULL || at == path || at[1] == '\0' || anim_sys_stat(path, &status) == 0 ||
	    anim_number_typed(at + 1, strlen(at + 1), time_s) != strlen(at + 1))
		return 0;
	return (size_t)(at - path);
}

static int check_rests(const char *path, const struct anim_rests *rests, struct anim_error *error)
{
	if (rests->count > 0)
		return 0;
	anim_fail(error, ANIM_UNSUPPORTED, "has no nodes, so no rest poses; use a scene or a model");
	return anim_error_in_file(error, path);
}

int source_read_rests(struct cli *cli, const char *path, struct anim_rests *rests, struct anim_error *error)
{
	if (source_read_aside(cli, path, NULL, anim_rests_sink_new(rests, error), error) != 0)
		return -1;
	return check_rests(path, rests, error);
}

int source_read_imported(struct cli *cli, const char *path, struct anim_rests *rests, struct anim_error *error)
{
	return read_aside(cli, path, NULL, IMPORTED, anim_rests_sink_new(rests, error), error);
}

int source_read_poses(struct cli *cli, const char *path, struct source_unit *unit, struct anim_poses *poses,
		      struct anim_error *error)
{
	double time_s;
	size_t length = source_find_time(path, &time_s);
	struct anim_skeleton posed;
	int result = -1;

	if (length == 0)
		return source_read_aside(cli, path, unit, anim_poses_sink_new(poses, error), error) != 0
			   ? -1
			   : check_rests(path, &poses->rests, error);
	anim_skeleton_init(&posed);
	path = anim_arena_text(&cli->arena, path, length, error);
	if (path != NULL && anim_skeleton_keep_clips(&posed, error) == 0 &&
	    source_read_aside(cli, path, unit, anim_skeleton_sink_new(&posed, false, error), error) == 0)
		result = anim_skeleton_pose(&posed, time_s, error) == 0 ? 0 : anim_error_in_file(error, path);
	if (result == 0) {
		anim_poses_clear(poses);
		*poses = posed.poses;
		anim_poses_init(&posed.poses, 0);
	}
	anim_skeleton_clear(&posed);
	return result;
}

int source_read_map(struct cli *cli, const char *path, struct anim_rename_map *map, struct anim_error *error)
{
	struct anim_input *input;
	bool done = cli_open_input(cli, path, &input, error) == 0 && anim_rename_map_read(map, input, error) == 0;

	anim_input_close(input);
	return done ? 0 : anim_error_in_file(error, path);
}
