/* anim-axes.c: from one engine's axes to another's. */
#include "cli/cli.h"
#include "filter/axes.h"

struct options {
	struct cli_common common;
	int flip;
	const char *from;
};

/* In the order of enum anim_mirror. */
static const char *const flips[] = {"x", "z", NULL};

#define AT(member) offsetof(struct options, member)
static const struct cli_option rows[] = {
    {0, "flip", "AXIS", "the axis to mirror: x (the default) or z", CLI_CHOICE, AT(flip), flips, false},
    {0, "from", "AXES", "what clips are in that do not say: godot, unity, resonite, gltf", CLI_TEXT, AT(from), NULL,
     false},
};
static const char *const examples[] = {
    "anim-parse walk.tscn | anim-axes resonite | anim-resample 30 | anim-emit -o walk.animj",
    "anim-axes --flip z unity walk.axs -o walk-unity.axs", NULL};
static const struct cli_program program = {.name = "anim-axes",
					   .summary = "brings animation from one engine's axes to another's",
					   .usage = "[OPTION...] godot|unity|resonite|gltf [FILE]",
					   .examples = examples,
					   .options = rows,
					   .option_count = sizeof rows / sizeof *rows,
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 2,
					   .first_operand = "target"};

static enum anim_axes read_axes(const struct cli *cli, const char *what, const char *word)
{
	int axes = anim_axes_find(word);

	if (axes < 0)
		cli_usage(cli, "%s'%s' is none of godot, unity, resonite, gltf", what, word);
	return (enum anim_axes)axes;
}

static struct anim_sink *make(void *context, struct anim_losses *losses, struct anim_sink *next,
			      struct anim_error *error)
{
	struct anim_axes_options *options = context;

	options->losses = losses;
	return anim_axes_new(options, next, error);
}

int main(int argc, char **argv)
{
	struct options options = {.flip = ANIM_MIRROR_X};
	struct anim_axes_options axes = {.from = ANIM_AXES_UNKNOWN};
	struct cli cli;

	cli_start(&cli, &program, &options, argc, argv);
	if (cli.operand_count == 0)
		cli_usage(&cli, "no target; try: anim-axes resonite");
	axes.target = read_axes(&cli, "", cli.operands[0]);
	if (options.from != NULL)
		axes.from = read_axes(&cli, "--from: ", options.from);
	axes.mirror = (enum anim_mirror)options.flip;
	return cli_filter(&cli, cli.operand_count > 1 ? cli.operands[1] : NULL, make, &axes);
}
