/* anim-unpack.c: unpacks an archive, or a part of it, to a plain stream. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "clip/diagnostics.h"
#include "filter/clips.h"
#include "filter/cut.h"
#include "filter/filter.h"
#include "run/source.h"
#include "run/steps.h"
#include "stream/archive.h"
#include "stream/boundary.h"

struct options {
	struct cli_common common;
	struct cli_texts clips, nodes, properties;
	const char *time;
	bool stats;

	struct anim_cut_options cut;
	bool selects;
	/* opened through its index; NULL: everything is read from the first byte to the last */
	struct anim_archive *archive;
	struct anim_sink *clips_sink, *cut_sink; /* NULL: not used. Owned by the step */
	struct anim_archive_stats read_stats;
};

static const struct cli_option rows[] = {
    {'c', "clip", "NAME", "extract this clip: NAME, PLAYER:NAME or a glob; can be repeated", CLI_TEXTS, AT(clips), NULL,
     false},
    {'n', "node", "GLOB", "keep tracks of these nodes: a glob, or '!GLOB' for all others; can be repeated", CLI_TEXTS,
     AT(nodes), NULL, false},
    {'p', "property", "GLOB", "extract tracks of these properties; can be repeated", CLI_TEXTS, AT(properties), NULL,
     false},
    {'t', "time", "FROM..TO", "extract this part of each clip: 12..14.5, 0:12:00..0:12:02, 12.., ..14.5", CLI_TEXT,
     AT(time), NULL, false},
    {0, "stats", NULL, "print how much of the archive was read", CLI_FLAG, AT(stats), NULL, true},
};
static const char *const examples[] = {"anim-unpack take.axs.gz | anim-info",
				       "anim-unpack -t 12..14.5 take.axs.gz | anim-emit -o part.animx",
				       "anim-unpack -c walk -n '*Hand*' --stats take.axs.gz > hands.axs", NULL};
static const struct cli_program program = {.name = "anim-unpack",
					   .summary = "extracts an archive, or parts of it, as a stream",
					   .usage = "[OPTION...] [ARCHIVE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

static bool may_fit(void *context, const char *name)
{
	const struct options *options = context;

	return options->clips_sink == NULL || anim_clips_may_fit(options->clips_sink, name);
}

static bool wants_track(void *context, const char *node, const char *property)
{
	return anim_cut_wants_track(((const struct options *)context)->cut_sink, node, property);
}

static int print_stats(struct cli *cli, void *job, struct anim_error *error)
{
	const struct anim_archive_stats *read = &((struct options *)job)->read_stats;
	const char *path = cli_file(cli);
	struct anim_error place = {.file = ""};
	char text[160], of[40] = "";

	(void)error;
	if (!((struct options *)job)->stats)
		return 0;
	anim_error_in_file(&place, path == NULL ? "-" : path);
	if (read->file_bytes > 0)
		snprintf(of, sizeof of, " of %" PRIu64, read->file_bytes);
	snprintf(text, sizeof text, "%" PRIu64 "%s bytes read, %" PRIu64 " members inflated", read->bytes_read, of,
		 read->members_inflated);
	cli_message(cli, NULL, &place, text);
	return 0;
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;

	options->cut.nodes = (struct anim_cut_patterns){options->nodes.items, options->nodes.count};
	options->cut.properties = (struct anim_cut_patterns){options->properties.items, options->properties.count};
	if (options->time != NULL && cli_time_range_parse(options->time, &options->cut.range, error) != 0)
		cli_usage(cli, "%s", error->message);
	options->selects =
	    options->cut.range.given || options->clips.count + options->nodes.count + options->properties.count > 0;
	options->cut.diagnostics = &cli->diagnostics;
	return options->selects && anim_archive_open(&options->archive, cli_file(cli), error) < 0 ? -1 : 0;
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	struct options *options = job;

	(void)cli;
	next = anim_plain_new(next, error);
	if (next != NULL && options->selects) {
		options->cut.was_cut = options->archive != NULL;
		next = options->cut_sink = anim_cut_new(&options->cut, next, error);
	}
	if (next != NULL && options->clips.count > 0)
		next = options->clips_sink = anim_clips_new(options->clips.items, options->clips.count, next, error);
	return next;
}

/* Read the selected part of an archive through its index, or a complete stream. */
static int read_all(struct cli *cli, void *job, bool heads, struct anim_sink *sink, const bool *failed,
		    struct anim_error *error)
{
	struct options *options = job;
	struct anim_archive_stats *stats = &options->read_stats;
	const struct anim_archive_wanted wanted = {may_fit, wants_track, options, options->cut.range};
	struct anim_input_options watched;
	struct anim_load_options source;
	struct anim_input *input;
	struct anim_boundary scope;
	const char *path = cli_file(cli);
	int result;

	(void)heads;
	(void)failed;
	sink = anim_boundary_init(&scope, NULL, &cli->diagnostics, path, sink);
	if (options->archive != NULL) {
		cli_watched_input_options(cli, &watched);
		anim_archive_watch(options->archive, watched.progress, watched.progress_context);
		result = anim_archive_read(options->archive, &wanted, sink, error);
		if (result == 0)
			anim_archive_stats_get(options->archive, stats);
	} else {
		source_options_init(&source, cli);
		source.streams = true;
		result = cli_open_input(cli, path, &input, error);
		if (result == 0)
			result = anim_load(input, &source, sink, error);
		if (result == 0) {
			stats->file_bytes = anim_input_source_bytes(input);
			stats->bytes_read = anim_input_read_bytes(input);
			stats->members_inflated = anim_input_members(input);
		}
		anim_input_close(input);
	}
	if (result != 0 || anim_diagnostics_enter(&cli->diagnostics, path, NULL, error) == NULL)
		return -1;
	return 0;
}

static void clear(void *job)
{
	anim_archive_close(((struct options *)job)->archive);
}

const struct step_kind program_unpack = {.command_line = &program,
					 .size = sizeof(struct options),
					 .begin = begin,
					 .make = make,
					 .read = read_all,
					 .report = print_stats,
					 .clear = clear,
					 .no_own = true};
