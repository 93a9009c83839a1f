/* anim-retime.c: changes the times of clips: cut, shift, speed, reverse, snap to frames, loop. */
#include "cli/cli.h"
#include "filter/common/rotations.h"
#include "filter/compare/compare.h"
#include "filter/convert/convert.h"
#include "filter/resample.h"
#include "filter/retime/retime.h"
#include "format/format.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	struct cli_texts clips, times;
	const char *shift, *speed, *duration, *snap, *rate, *tol, *trim;
	int loop; /* enum anim_loop; -1: unchanged */
	bool reverse, find_loop;
	struct anim_retime_options retime;
};

static const struct cli_option rows[] = {
    {'t', "time", "FROM..TO",
     "keep only this part, which then starts at 0: 12..14.5, 0:12:00..0:12:02, 360f..435f (frames), 12..; several make "
     "a clip each",
     CLI_TEXTS, AT(times), NULL, false},
    {0, "find-loop", NULL, "cut to the best loop, by the poses and speeds of all joints, and close it", CLI_FLAG,
     AT(find_loop), NULL, false},
    {0, "trim", "LIMIT",
     "leave out stillness at both ends: 1mm@10cm (points up to 10 cm around each joint move by at most 1 mm)", CLI_TEXT,
     AT(trim), NULL, false},
    {0, "reverse", NULL, "play backwards", CLI_FLAG, AT(reverse), NULL, false},
    {0, "speed", "X", "play this many times as fast: 2, 0.5, 30/24", CLI_TEXT, AT(speed), NULL, false},
    {0, "duration", "S", "change the speed so that the clip lasts this many seconds", CLI_TEXT, AT(duration), NULL,
     false},
    {0, "shift", "S", "start this many seconds later; negative: earlier", CLI_TEXT, AT(shift), NULL, false},
    {0, "snap", "RATE", "move keys to the nearest frame at this rate", CLI_TEXT, AT(snap), NULL, false},
    {0, "rate", "RATE", "the frame rate of clips and samples that do not have one", CLI_TEXT, AT(rate), NULL, false},
    {0, "loop", "HOW", "at the end of the clip: none, wrap, ping-pong", CLI_CHOICE, AT(loop), anim_loop_names, false},
    {'c', "clip", "NAME", "change only this clip: NAME, PLAYER:NAME or a glob; can be repeated", CLI_TEXTS, AT(clips),
     NULL, false},
    {0, "tol", "X", "largest error of curves that cannot be cut exactly (default: 0.0001)", CLI_TEXT, AT(tol), NULL,
     false},
};
static const char *const examples[] = {
    "anim-retime -t 12..14.5 take.anim -o jump.anim", "anim-retime --speed 2 walk.axs > run.axs",
    "anim-retime --reverse -c open door.axs > close.axs", "anim-retime --find-loop walk.axs > loop.axs", NULL};
static const struct cli_program program = {.name = "anim-retime",
					   .summary = "cuts, shifts, stretches, reverses and loops clips",
					   .usage = "OPTION... [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

/* Read a finite number that is the complete text. */
static double read_number(const struct cli *cli, const char *text, bool above_zero, const char *what)
{
	double value;

	if (cli_number(text, &value) && (value > 0 || !above_zero))
		return value;
	cli_usage(cli, "'%s' is not a %s such as %s", text, what, above_zero ? "2.5" : "-0.5");
}

/* Read a rate. "source" is refused. Errors name `option`. */
static void read_rate(const struct cli *cli, const char *option, const char *text, uint32_t *num, uint32_t *den)
{
	struct anim_error error = {0};

	if (anim_rate_parse(text, num, den, &error) != 0)
		cli_usage(cli, "%s: %s", option, error.message);
	if (*num == 0)
		cli_usage(cli, "%s: '%s' is not a rate such as 30", option, text);
}

static void read_options(struct cli *cli, const struct options *options, struct anim_retime_options *retime)
{
	struct anim_limits limits = {0};
	struct anim_error error = {0};
	struct anim_time_range *ranges =
	    anim_arena_zeroed(&cli->arena, options->times.count + 1, sizeof *ranges, &error);

	if (ranges == NULL)
		cli_no_memory(cli);
	retime->ranges = ranges;
	retime->range_count = options->times.count;
	retime->store_memory = cli_store_memory();
	for (size_t i = 0; i < options->times.count; i++)
		if (cli_time_range_parse(options->times.items[i], &ranges[i], &error) != 0)
			cli_usage(cli, "%s", error.message);
	if (options->speed != NULL && options->duration != NULL)
		cli_usage(cli, "--speed and --duration cannot be combined");
	if (options->speed != NULL && options->speed[0] == '-')
		cli_usage(cli, "'%s' is not above 0; to play backwards, use --reverse", options->speed);
	if (options->speed != NULL && anim_ratio_parse(options->speed, &retime->speed_num, &retime->speed_den) != 0)
		cli_usage(cli, "'%s' is not a speed such as 2, 0.5 or 30/24", options->speed);
	if (options->duration != NULL)
		retime->duration_s = read_number(cli, options->duration, true, "duration in seconds");
	if (options->shift != NULL)
		retime->shift_s = read_number(cli, options->shift, false, "number of seconds");
	if (options->snap != NULL)
		read_rate(cli, "--snap", options->snap, &retime->snap_num, &retime->snap_den);
	if (options->rate != NULL)
		read_rate(cli, "--rate", options->rate, &retime->rate_num, &retime->rate_den);
	retime->find_loop = options->find_loop;
	/* The limit of --trim is a length, and the distance of points around the joints. */
	if (options->trim != NULL) {
		if (anim_limits_parse(&limits, options->trim, &error) != 0)
			cli_usage(cli, "--trim: %s", error.message);
		retime->trim_m = limits.items[0].value;
		retime->trim_shell_m = limits.shell_m;
		if (limits.count != 1 || limits.items[0].unit != ANIM_UNIT_LENGTH || !(retime->trim_m > 0) ||
		    (limits.items[0].property[0] != '\0' && !limits.world))
			cli_usage(cli, "--trim: '%s' is not a length such as 1mm or 1mm@10cm", options->trim);
	}
	if (options->find_loop && options->trim != NULL)
		cli_usage(cli, "--find-loop and --trim cannot be combined");
	retime->sets_loop = options->loop >= 0;
	retime->loop = (enum anim_loop)options->loop;
	if (options->tol != NULL)
		retime->tol = read_number(cli, options->tol, true, "tolerance");
	retime->diagnostics = &cli->diagnostics;
	retime->reverse = options->reverse;
	retime->clips = options->clips.items;
	retime->clip_count = options->clips.count;
	if (retime->range_count == 0 && !retime->reverse && !retime->find_loop && options->trim == NULL &&
	    options->speed == NULL && options->duration == NULL && options->shift == NULL && options->snap == NULL &&
	    options->rate == NULL && !retime->sets_loop)
		cli_usage(cli, "nothing to do; try: %s --speed 2", cli_command_line(cli, NULL, NULL));
}

int retime_warn_shift(struct cli *cli, const struct anim_format *format, struct anim_error *error)
{
	if (format == NULL || !format->starts_at_0)
		return 0;
	return anim_diagnostics_warn(
	    &cli->diagnostics, NULL, error,
	    "--shift has no effect, because clips start at 0 in .%s; .axs, .anim and .fbx keep the start",
	    format->suffix);
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;

	read_options(cli, options, &options->retime);
	return options->shift == NULL ? 0 : retime_warn_shift(cli, anim_format_to_write(options->common.output), error);
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct options *options = job;
	struct anim_sink *sink = anim_retime_new(&options->retime, next, error);

	if (!options->find_loop)
		return sink;
	/* a loop is closed by rotations */
	return anim_rotations_new(&(struct anim_rotations_options){.diagnostics = &cli->diagnostics}, sink, error);
}

static const struct options defaults = {.loop = -1, .retime = {.tol = ANIM_TOLERANCE}};
const struct step_kind program_retime = {
    .command_line = &program, .size = sizeof(struct options), .defaults = &defaults, .begin = begin, .make = make};
