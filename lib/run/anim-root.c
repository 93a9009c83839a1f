/* anim-root.c: moves the motion of the whole body from the hips to the root, and back. */
#include <string.h>

#include "cli/cli.h"
#include "filter/compare/compare.h"
#include "filter/root/root.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	const char *extract, *to, *axes;
	struct cli_texts limits;
	int target; /* -1: not given */
	bool yaw, in_place, fold, loop;
	struct anim_root_options root;
};

static const char *const targets[] = {"godot", "unity", "ozz", NULL};
/* The motion that each target takes from the hips by default. */
static const char *const target_axes[] = {"xz", "xyz", "xz"};
static const bool target_headings[] = {false, false, true};

static const struct cli_option rows[] = {
    {0, "extract", "HIPS", "the node with the motion of the body: a path or name (default: the hips)", CLI_TEXT,
     AT(extract), NULL, false},
    {0, "to", "ROOT", "the node above it that gets the motion (default: its parent)", CLI_TEXT, AT(to), NULL, false},
    {0, "axes", "AXES", "the directions to move: x, y (up) and z, or none (default: xz)", CLI_TEXT, AT(axes), NULL,
     false},
    {0, "yaw", NULL, "also move the rotation about y", CLI_FLAG, AT(yaw), NULL, false},
    {0, "for", "TARGET", "use the axes and yaw of this player: godot, unity, ozz", CLI_CHOICE, AT(target), targets,
     false},
    {0, "in-place", NULL, "remove the motion, so that the body stays on the spot", CLI_FLAG, AT(in_place), NULL, false},
    {0, "loop", NULL, "let the hips end where they start; the difference is spread over the clip", CLI_FLAG, AT(loop),
     NULL, false},
    {0, "fold", NULL, "do the opposite: give the motion of the root back to the hips", CLI_FLAG, AT(fold), NULL, false},
    {0, "tol", "LIMITS", "largest error between keys of an extracted rotation (default: 0.1mm,0.01deg)", CLI_TEXTS,
     AT(limits), NULL, false},
};
static const char *const examples[] = {"anim-root --extract Hips --yaw hero.glb -o out.glb",
				       "anim-root --extract Hips --in-place walk.bvh > spot.axs",
				       "anim-root --extract Hips --fold walk.axs > whole.axs", NULL};
static const struct cli_program program = {.name = "anim-root",
					   .summary =
					       "moves the motion of the body from the hips to a root node, or back",
					   .usage = "[--extract HIPS] [OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

static void read_options(struct cli *cli, const struct options *options, struct anim_root_options *root)
{
	static const char letters[] = "xyz";
	const char *axes = options->axes != NULL  ? options->axes
			   : options->target >= 0 ? target_axes[options->target]
						  : "xz";
	struct anim_limits limits = {0};
	struct anim_error error = {0};

	if (options->fold && (options->axes != NULL || options->yaw || options->target >= 0 || options->in_place))
		cli_usage(cli, "--fold cannot be combined with the options for moving motion to the root");
	if (anim_limits_parse(&limits, "0.1mm,0.01deg", &error) != 0)
		cli_usage(cli, "%s", error.message);
	for (size_t i = 0; i < options->limits.count; i++)
		if (anim_limits_parse(&limits, options->limits.items[i], &error) != 0)
			cli_usage(cli, "%s: %s", cli_spelled(cli, "tol"), error.message);
	root->hips = options->extract;
	root->root = options->to;
	root->yaw = options->yaw || options->target >= 0;
	root->heading = options->target >= 0 && target_headings[options->target];
	root->in_place = options->in_place;
	root->fold = options->fold;
	root->loop = options->loop;
	root->tolerance_m = anim_limits_find(&limits, ANIM_UNIT_LENGTH, "position");
	root->tolerance_deg = anim_limits_find(&limits, ANIM_UNIT_ANGLE, "rotation");
	root->diagnostics = &cli->diagnostics;
	if (options->fold || strcmp(axes, "none") == 0)
		return;
	for (const char *at = axes; *at != '\0' || at == axes; at++) {
		const char *letter = *at != '\0' ? strchr(letters, *at) : NULL;

		if (letter == NULL)
			cli_usage(cli, "%s: '%s' is not made of x, y and z", cli_spelled(cli, "axes"), axes);
		root->axes[letter - letters] = true;
	}
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;

	(void)error;
	read_options(cli, options, &options->root);
	return 0;
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct anim_root_options *root = &((struct options *)job)->root;

	(void)cli;
	return anim_root_humanoid_new(root, anim_root_new(root, next, error), error);
}

static const struct options defaults = {.target = -1};
const struct step_kind program_root = {
    .command_line = &program, .size = sizeof(struct options), .defaults = &defaults, .begin = begin, .make = make};
