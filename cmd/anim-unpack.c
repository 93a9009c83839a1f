/* anim-unpack.c: an archive, or a part of it, as a plain stream. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "clip/diagnostics.h"
#include "filter/clips.h"
#include "filter/cut.h"
#include "filter/filter.h"
#include "stream/archive.h"
#include "stream/stream.h"

struct options {
	struct cli_common common;
	struct cli_texts clips, nodes, properties;
	const char *time;
	bool stats;
};

static const struct cli_option rows[] = {
    {'c', "clip", "NAME", "this clip: NAME, PLAYER:NAME or a glob; may be given again", CLI_TEXTS, AT(clips), NULL,
     false},
    {'n', "node", "GLOB", "tracks of these nodes; may be given again", CLI_TEXTS, AT(nodes), NULL, false},
    {'p', "property", "GLOB", "tracks of these properties; may be given again", CLI_TEXTS, AT(properties), NULL, false},
    {'t', "time", "FROM..TO", "this part of each clip: 12..14.5, 0:12:00..0:12:02, 12.., ..14.5", CLI_TEXT, AT(time),
     NULL, false},
    {0, "stats", NULL, "tell what was read of the archive", CLI_FLAG, AT(stats), NULL, true},
};
static const char *const examples[] = {"anim-unpack take.axs.gz | anim-info",
				       "anim-unpack -t 12..14.5 take.axs.gz | anim-emit -o part.animx",
				       "anim-unpack -c walk -n '*Hand*' --stats take.axs.gz > hands.axs", NULL};
static const struct cli_program program = {.name = "anim-unpack",
					   .summary = "takes an archive, or a part of it, out as a plain stream",
					   .usage = "[OPTION...] [ARCHIVE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

/* What flows through a run, and what it read. */
struct unpacking {
	struct cli *cli;
	const struct options *options;
	struct anim_cut_options cut;
	bool selects;
	struct anim_sink *clips_sink, *cut_sink; /* NULL: not wanted. Owned by `first` */
	struct anim_sink *first;
	struct anim_archive_stats read;
};

static bool may_fit(void *context, const char *name)
{
	const struct unpacking *run = context;

	return run->clips_sink == NULL || anim_clips_may_fit(run->clips_sink, name);
}

static bool wants_track(void *context, const char *node, const char *property)
{
	return anim_cut_wants_track(((const struct unpacking *)context)->cut_sink, node, property);
}

/* The part of the archive that is wanted, by its index. */
static int read_archive(struct unpacking *run, const char *path, struct anim_archive *archive, struct anim_error *error)
{
	const struct anim_archive_wanted wanted = {may_fit,         wants_track,     run,
						   run->cut.ranged, run->cut.from_s, run->cut.to_s};
	struct anim_input_options watched;
	struct anim_scope_sink scope;
	struct anim_sink *first = anim_scope_sink_init(&scope, &run->cli->diagnostics, path, run->first);

	cli_watched_input_options(run->cli, &watched);
	anim_archive_watch(archive, watched.progress, watched.progress_context);
	if (anim_archive_read(archive, &wanted, first, error) != 0)
		return -1;
	anim_archive_stats_get(archive, &run->read);
	return anim_sink_end(first, error);
}

/* All of it, from its first byte to its last. */
static int read_stream(struct unpacking *run, const char *path, struct anim_error *error)
{
	struct anim_input *input;
	int result;

	if (cli_open_input(run->cli, path, &input, error) != 0)
		return -1;
	result = cli_pump(run->cli, input, run->first, error);
	run->read.file_bytes = anim_input_source_bytes(input);
	run->read.bytes_read = anim_input_read_bytes(input);
	run->read.members_inflated = anim_input_members(input);
	anim_input_close(input);
	return result;
}

/* Puts the filters that are wanted before a stream writer. 0 or -1; run->first is to be freed either way. */
static int build(struct unpacking *run, struct anim_output *output, bool was_cut, struct anim_error *error)
{
	const struct anim_stream_writer_options writer = {
	    .no_provenance = run->cli->options->no_provenance, .changes = true, .diagnostics = &run->cli->diagnostics};
	const struct cli_texts *clips = &run->options->clips;

	run->first = anim_stream_writer_new(output, &writer, error);
	if (run->first != NULL)
		run->first = anim_plain_new(run->first, error);
	if (run->first != NULL && run->selects) {
		run->cut.was_cut = was_cut;
		run->first = run->cut_sink = anim_cut_new(&run->cut, run->first, error);
	}
	if (run->first != NULL && clips->count > 0)
		run->first = run->clips_sink = anim_clips_new(clips->items, clips->count, run->first, error);
	return run->first == NULL ? -1 : 0;
}

static int unpack(struct unpacking *run, const char *path, struct anim_output *output, struct anim_error *error)
{
	struct anim_archive *archive = NULL;
	int result = run->selects ? anim_archive_open(&archive, path, error) : 0;

	if (result >= 0)
		result = build(run, output, archive != NULL, error);
	if (result == 0)
		result = archive != NULL ? read_archive(run, path, archive, error) : read_stream(run, path, error);
	anim_sink_free(run->first);
	anim_archive_close(archive);
	return result;
}

static void tell_stats(const struct unpacking *run, const char *path)
{
	const struct anim_archive_stats *read = &run->read;
	struct anim_error place = {.file = ""};
	char text[160], of[40] = "";

	anim_error_in_file(&place, path == NULL ? "-" : path);
	if (read->file_bytes > 0)
		snprintf(of, sizeof of, " of %" PRIu64, read->file_bytes);
	snprintf(text, sizeof text, "%" PRIu64 "%s bytes read, %" PRIu64 " members inflated", read->bytes_read, of,
		 read->members_inflated);
	cli_message(run->cli, NULL, &place, text);
}

static void read_options(const struct cli *cli, const struct options *options, struct unpacking *run)
{
	struct anim_error error = {0};

	run->cut.nodes = (struct anim_cut_patterns){options->nodes.items, options->nodes.count};
	run->cut.properties = (struct anim_cut_patterns){options->properties.items, options->properties.count};
	run->cut.ranged = options->time != NULL;
	if (run->cut.ranged && cli_time_range_parse(options->time, &run->cut.from_s, &run->cut.to_s, &error) != 0)
		cli_usage(cli, "%s", error.message);
	run->selects = run->cut.ranged || options->clips.count + options->nodes.count + options->properties.count > 0;
}

int main(int argc, char **argv)
{
	struct options options = {.stats = false};
	struct anim_error error = {0};
	struct anim_output *output = NULL;
	struct cli cli;
	struct unpacking run = {.cli = &cli, .options = &options};
	const char *path;
	bool done;

	cli_start(&cli, &program, &options, argc, argv);
	read_options(&cli, &options, &run);
	run.cut.diagnostics = &cli.diagnostics;
	path = cli_file(&cli);

	done = cli_open_output(&cli, &output, &error) == 0 && unpack(&run, path, output, &error) == 0 &&
	       anim_output_commit(output, &error) == 0;
	anim_output_free(output);
	if (done && options.stats)
		tell_stats(&run, path);
	return cli_finish(&cli, done ? NULL : &error);
}
