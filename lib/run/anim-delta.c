/* anim-delta.c: clips as differences from a pose, and back. */
#include <string.h>

#include "base/system.h"
#include "cli/cli.h"
#include "filter/common/rotations.h"
#include "filter/delta.h"
#include "run/source.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	const char *from, *apply;
	int order, scale, target; /* -1: not given */
	bool keep_euler;
	struct anim_delta_options delta;
	struct anim_delta_pose pose; /* the pose of a file */
};

static const char *const targets[] = {"godot", "unity", "unreal", "ozz", NULL};
static const struct {
	enum anim_delta_order order;
	enum anim_delta_scale scale;
} conventions[] = {{ANIM_DELTA_OWN, ANIM_DELTA_DIFFERENCE},
		   {ANIM_DELTA_OWN, ANIM_DELTA_RATIO},
		   {ANIM_DELTA_PARENT, ANIM_DELTA_OFFSET},
		   {ANIM_DELTA_OWN, ANIM_DELTA_RATIO}};

static const struct cli_option rows[] = {
    {0, "from", "POSE", "subtract this pose: first (the default), last, @SECONDS, rest, or the start of a file",
     CLI_TEXT, AT(from), NULL, false},
    {0, "apply", "POSE", "add the differences to this pose: rest, or the start of a file", CLI_TEXT, AT(apply), NULL,
     false},
    {0, "for", "TARGET", "use the order and scale of this player: godot, unity, unreal, ozz", CLI_CHOICE, AT(target),
     targets, false},
    {0, "order", "ORDER", "rotate about the axes of the bone (own, the default) or of its parent (parent)", CLI_CHOICE,
     AT(order), anim_delta_orders, false},
    {0, "scale", "HOW", "store scale as a difference, a ratio (the default) or an offset (ratio - 1)", CLI_CHOICE,
     AT(scale), anim_delta_scales, false},
    {0, "keep-euler", NULL, "keep Euler angles instead of converting them to rotations", CLI_FLAG, AT(keep_euler), NULL,
     false},
};
static const char *const examples[] = {"anim-parse -c run hero.tscn | anim-delta --from idle.axs > lean.axs",
				       "anim-delta --from rest --for unreal hero.glb > layers.axs",
				       "anim-delta --from first walk.axs | anim-delta --apply idle.axs > onto-idle.axs",
				       NULL};
static const struct cli_program program = {.name = "anim-delta",
					   .summary =
					       "makes additive clips from the difference to a pose, or applies them",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

static int read_file(struct cli *cli, const char *path, bool keep_euler, struct anim_delta_pose *pose,
		     struct anim_error *error)
{
	/* Messages about the pose are dropped, because the clips cause the same ones. */
	struct anim_diagnostics quiet = {0};
	const struct anim_rotations_options rotations = {.keep = keep_euler, .hermite = true, .diagnostics = &quiet};
	struct anim_sink *sink = anim_rotations_new(&rotations, anim_delta_pose_sink_new(pose, error), error);
	int result = source_read_aside(cli, path, NULL, sink, error);

	anim_diagnostics_clear(&quiet);
	if (result != 0)
		return -1;
	if (pose->values.count > 0)
		return 0;
	anim_fail(error, ANIM_UNSUPPORTED, "has no tracks with values, so no pose");
	return anim_error_in_file(error, path);
}

/* Read "@1.5", "first", "last" or "rest". Returns false for the name of a file. */
static bool read_word(struct cli *cli, const char *word, struct anim_delta_options *delta)
{
	static const char *const words[] = {"first", "last", "@", "rest", NULL};
	int from = 0;

	while (words[from] != NULL && strcmp(words[from], word) != 0)
		from++;
	if (word[0] == '@') {
		if (!cli_number(word + 1, &delta->time_s))
			cli_usage(cli, "%s: '%s' is not a time in seconds", cli_spelled(cli, "from"), word);
		from = ANIM_DELTA_TIME;
	}
	if (words[from] == NULL && cli_number(word, &delta->time_s) && !anim_sys_may(word, ANIM_EXISTS))
		cli_usage(cli, "%s: '%s' is not a file; for the pose at this time, use @%s", cli_spelled(cli, "from"),
			  word, word);
	delta->from = words[from] == NULL ? ANIM_DELTA_POSE : (enum anim_delta_from)from;
	return words[from] != NULL;
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	struct anim_delta_options *delta = &options->delta;
	const char *word;

	if (options->from != NULL && options->apply != NULL)
		cli_usage(cli, "--from and --apply cannot be combined");
	delta->diagnostics = &cli->diagnostics;
	delta->apply = options->apply != NULL;
	delta->given = options->target >= 0 || options->order >= 0 || options->scale >= 0;
	delta->scale = ANIM_DELTA_RATIO;
	if (options->target >= 0) {
		delta->order = conventions[options->target].order;
		delta->scale = conventions[options->target].scale;
	}
	if (options->order >= 0)
		delta->order = (enum anim_delta_order)options->order;
	if (options->scale >= 0)
		delta->scale = (enum anim_delta_scale)options->scale;
	word = delta->apply ? options->apply : options->from != NULL ? options->from : "first";
	if (!read_word(cli, word, delta)) {
		delta->pose = &options->pose;
		return read_file(cli, word, options->keep_euler, &options->pose, error);
	}
	if (delta->apply && delta->from != ANIM_DELTA_REST)
		cli_usage(cli, "%s: '%s' is a pose of the clip itself; use rest or a file", cli_spelled(cli, "apply"),
			  word);
	return 0;
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct options *options = job;
	const struct anim_rotations_options rotations = {
	    .keep = options->keep_euler, .hermite = true, .diagnostics = &cli->diagnostics};

	return anim_rotations_new(&rotations, anim_delta_new(&options->delta, next, error), error);
}

static void clear(void *job)
{
	anim_delta_pose_clear(&((struct options *)job)->pose);
}

static const struct options defaults = {.order = -1, .scale = -1, .target = -1};
const struct step_kind program_delta = {.command_line = &program,
					.size = sizeof(struct options),
					.defaults = &defaults,
					.begin = begin,
					.make = make,
					.clear = clear};
