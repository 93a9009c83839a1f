/* anim-mirror.c: exchanges left and right. */
#include "cli/cli.h"
#include "filter/common/rotations.h"
#include "filter/mirror/mirror.h"
#include "run/source.h"
#include "run/steps.h"

struct options {
	struct cli_common common;
	int plane; /* -1: not given */
	const char *pairs, *rest;
	struct source_unit unit; /* of the file of --rest */
	bool keep_euler;
	struct anim_mirror_options mirror;
	struct anim_rename_map named; /* from --pairs */
	struct anim_poses rests;      /* from --rest */
};

/* In the order of enum anim_mirror_plane, after ANIM_MIRROR_FIND. */
static const char *const planes[] = {"x", "y", "z", NULL};

static const struct cli_option rows[] = {
    {0, "plane", "AXIS", "the axis from left to right: x, y or z (default: found from the pairs)", CLI_CHOICE,
     AT(plane), planes, false},
    {0, "pairs", "FILE", "read pairs of names from this CSV file; a name paired with itself stays", CLI_TEXT, AT(pairs),
     NULL, false},
    {0, "rest", "FILE",
     "use the rest poses of this file, or with FILE@SECONDS its pose at this time, instead of the rest poses of the "
     "input",
     CLI_TEXT, AT(rest), NULL, false},
    {0, "unit", "UNIT", "length unit of a bvh or asf that --rest names, as in anim-parse", CLI_TEXT, AT(unit.name),
     NULL, false},
    {0, "keep-euler", NULL, "keep Euler angles instead of converting them to rotations", CLI_FLAG, AT(keep_euler), NULL,
     false},
};
static const char *const examples[] = {
    "anim-mirror hero.glb -o mirrored.glb",
    "anim-axes gltf walk.axs | anim-mirror --rest hero.glb -o walk-mirrored.axs",
    "anim-parse --unit cm take.bvh | anim-mirror --unit cm --rest take.bvh@0 -o mirrored.axs",
    "anim-mirror --pairs pairs.csv walk.axs > walk-mirrored.axs", NULL};
static const struct cli_program program = {.name = "anim-mirror",
					   .summary = "swaps left and right",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	struct anim_mirror_options *mirror = &options->mirror;
	double time_s;

	source_check_unit(cli, &options->unit);
	anim_poses_init(&options->rests, 0);
	mirror->plane = (enum anim_mirror_plane)(options->plane + 1);
	mirror->diagnostics = &cli->diagnostics;
	mirror->pairs = options->pairs == NULL ? NULL : &options->named;
	mirror->rests = options->rest == NULL ? NULL : &options->rests;
	mirror->posed = options->rest != NULL && source_find_time(options->rest, &time_s) > 0;
	if (options->pairs != NULL && source_read_map(cli, options->pairs, &options->named, error) != 0)
		return -1;
	if (options->rest == NULL)
		return 0;
	if (source_read_poses(cli, options->rest, &options->unit, &options->rests, error) != 0)
		return -1;
	return options->unit.name == NULL || options->unit.taken
		   ? 0
		   : anim_fail(error, ANIM_UNSUPPORTED, "--unit is for a bvh, amc or asf that --rest names");
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct options *options = job;
	const struct anim_rotations_options rotations = {
	    .keep = options->keep_euler, .hermite = true, .fits = anim_mirror_fits, .diagnostics = &cli->diagnostics};

	return anim_rotations_new(&rotations, anim_mirror_new(&options->mirror, next, error), error);
}

static void clear(void *job)
{
	struct options *options = job;

	anim_rename_map_clear(&options->named);
	anim_poses_clear(&options->rests);
}

static const struct options defaults = {.plane = -1};
const struct step_kind program_mirror = {.command_line = &program,
					 .size = sizeof(struct options),
					 .defaults = &defaults,
					 .begin = begin,
					 .make = make,
					 .clear = clear};
