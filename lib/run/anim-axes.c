/* anim-axes.c: converts between the axes of engines, and scales lengths. */
#include <stdio.h>

#include "cli/cli.h"
#include "filter/axes/axes.h"
#include "filter/compare/compare.h"
#include "filter/scale.h"
#include "run/source.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	int flip; /* -1: not given */
	const char *from, *ppu, *rest, *scale, *height;
	struct anim_axes_options axes;
	struct anim_scale_options sizes;
	bool has_target;
	struct anim_rests scene; /* from --rest */
};

/* In the order of enum anim_mirror. The default is ANIM_MIRROR_X. */
static const char *const flips[] = {"x", "z", NULL};

static const struct cli_option rows[] = {
    {0, "flip", "AXIS", "mirror this axis: x (the default) or z", CLI_CHOICE, AT(flip), flips, false},
    {0, "from", "AXES", "axes of clips that do not name theirs: one of the targets", CLI_TEXT, AT(from), NULL, false},
    {0, "ppu", "PIXELS", "godot2d, unity2d: Godot pixels per Unity unit (default: 100)", CLI_TEXT, AT(ppu), NULL,
     false},
    {0, "rest", "FILE", "find cameras and lights that the input does not have in this file", CLI_TEXT, AT(rest), NULL,
     false},
    {0, "scale", "X", "multiply the lengths of skeletons and clips by this factor: 0.01, 2.54", CLI_TEXT, AT(scale),
     NULL, false},
    {0, "height", "LENGTH", "scale each skeleton, with its clips, to this height: 1.7m", CLI_TEXT, AT(height), NULL,
     false},
};
static const char *const examples[] = {"anim-axes resonite walk.tscn -o walk.axs",
				       "anim-axes --flip z unity walk.axs -o walk-unity.axs",
				       "anim-axes --scale 0.01 hero.glb -o small.glb", NULL};
static const char *const targets[] = {"godot", "unity", "resonite", "gltf", "godot2d", "unity2d", NULL};
static const struct cli_program program = {.name = "anim-axes",
					   .summary = "converts the axes of clips between engines, and scales lengths",
					   .usage = "[OPTION...] [godot|unity|resonite|gltf|godot2d|unity2d] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 2,
					   .first_operand = "target",
					   .first_operand_unless = "scale height",
					   .operand_words = targets};

static void read_axes(struct cli *cli, const char *what, const char *word, enum anim_axes *axes,
		      enum anim_axes2d *axes2d)
{
	if (anim_axes_find(word, axes, axes2d) != 0)
		cli_usage_word(cli, what, word, targets);
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	struct anim_axes_options *axes = &options->axes;

	options->sizes.diagnostics = &cli->diagnostics;
	options->sizes.store_memory = cli_store_memory();
	if (options->scale != NULL && options->height != NULL)
		cli_usage(cli, "--scale and --height cannot be combined");
	if (options->scale != NULL &&
	    (!cli_number(options->scale, &options->sizes.factor) || options->sizes.factor <= 0))
		cli_usage(cli, "%s: '%s' is not a factor such as 0.01", cli_spelled(cli, "scale"), options->scale);
	if (options->height != NULL &&
	    (anim_length_parse(&options->sizes.height_m, options->height, error) != 0 || options->sizes.height_m <= 0))
		cli_usage(cli, "%s: '%s' is not a length such as 1.7m or 170cm", cli_spelled(cli, "height"),
			  options->height);
	options->has_target = cli_first_file(cli) > 0;
	if (!options->has_target) {
		if (options->flip >= 0 || options->from != NULL || options->ppu != NULL || options->rest != NULL)
			cli_usage(cli, "no target; try: %s resonite", cli_command_line(cli, NULL, NULL));
		if (cli->operand_count > 1)
			cli_usage_word(cli, "", cli->operands[0], targets);
		return 0;
	}
	if (cli->operand_count == 0)
		cli_usage(cli, "no target; try: %s resonite", cli_command_line(cli, NULL, NULL));
	if (cli->operand_count > 1 && anim_axes_find(cli->operands[0], &axes->target, &axes->target2d) != 0 &&
	    anim_axes_find(cli->operands[1], &axes->target, &axes->target2d) == 0)
		cli_usage(cli, "'%s' is not a target; try: anim-axes %s %s", cli->operands[0], cli->operands[1],
			  cli_quoted(cli, cli->operands[0]));
	read_axes(cli, cli->front != NULL ? "--axes: " : "", cli->operands[0], &axes->target, &axes->target2d);
	if (options->from != NULL) {
		read_axes(cli, "--from: ", options->from, &axes->from, &axes->from2d);
		if ((axes->from2d == ANIM_AXES2D_UNKNOWN) != (axes->target2d == ANIM_AXES2D_UNKNOWN))
			cli_usage(cli, "%s: '%s' and the target '%s' are not of the same dimensions",
				  cli_spelled(cli, "from"), options->from, cli->operands[0]);
	}
	if (options->ppu != NULL && axes->target2d == ANIM_AXES2D_UNKNOWN)
		cli_usage(cli, "--ppu is for two-dimensional clips, whose axes are godot2d or unity2d");
	if (options->flip >= 0 && axes->target2d != ANIM_AXES2D_UNKNOWN)
		cli_usage(cli, "--flip is for godot, unity, resonite and gltf");
	if (options->ppu != NULL && (!cli_number(options->ppu, &axes->ppu) || axes->ppu <= 0))
		cli_usage(cli, "%s: '%s' is not a number above 0", cli_spelled(cli, "ppu"), options->ppu);
	axes->diagnostics = &cli->diagnostics;
	axes->mirror_given = options->flip >= 0;
	axes->from_given = options->from != NULL && axes->from2d == ANIM_AXES2D_UNKNOWN; /* others are guesses */
	if (axes->mirror_given)
		axes->mirror = (enum anim_mirror)options->flip;
	if (options->rest == NULL)
		return 0;
	axes->scene = &options->scene;
	return source_read_rests(cli, options->rest, &options->scene, error);
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct options *options = job;

	(void)cli;
	if (options->scale != NULL || options->height != NULL)
		next = anim_scale_new(&options->sizes, next, error);
	return next == NULL || !options->has_target ? next : anim_axes_new(&options->axes, next, error);
}

static void clear(void *job)
{
	anim_rests_clear(&((struct options *)job)->scene);
}

static const struct options defaults = {.flip = -1, .axes = {.ppu = ANIM_AXES_PPU}};
const struct step_kind program_axes = {.command_line = &program,
				       .size = sizeof(struct options),
				       .defaults = &defaults,
				       .begin = begin,
				       .make = make,
				       .clear = clear};
