/* anim-mirror.c: left and right exchanged. */
#include "cli/cli.h"
#include "filter/mirror/mirror.h"
#include "filter/rotations.h"
#include "source.h"

struct options {
	struct cli_common common;
	int plane; /* -1: not given */
	const char *pairs, *rest;
	bool keep_euler;
};

/* In the order of enum anim_mirror_plane behind ANIM_MIRROR_FIND. */
static const char *const planes[] = {"x", "y", "z", NULL};

static const struct cli_option rows[] = {
    {0, "plane", "AXIS", "the axis from left to right: x, y or z (else the one that most pairs lie along)", CLI_CHOICE,
     AT(plane), planes, false},
    {0, "pairs", "FILE", "a CSV file of names that belong together, two a line; a name twice stays where it is",
     CLI_TEXT, AT(pairs), NULL, false},
    {0, "rest", "FILE", "a file whose nodes tell the rests, in the place of the stream's tree", CLI_TEXT, AT(rest),
     NULL, false},
    {0, "keep-euler", NULL, "leave Euler angles as they are, instead of making rotations of them", CLI_FLAG,
     AT(keep_euler), NULL, false},
};
static const char *const examples[] = {"anim-parse hero.glb | anim-mirror | anim-emit -o mirrored.glb",
				       "anim-axes gltf walk.axs | anim-mirror --rest hero.glb -o walk-mirrored.axs",
				       "anim-mirror --pairs pairs.csv walk.axs > walk-mirrored.axs", NULL};
static const struct cli_program program = {.name = "anim-mirror",
					   .summary = "exchanges left and right",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

struct job {
	struct anim_rotations_options rotations;
	const struct anim_mirror_options *mirror;
};

static struct anim_sink *make(void *context, struct anim_sink *next, struct anim_error *error)
{
	const struct job *job = context;

	return anim_rotations_new(&job->rotations, anim_mirror_new(job->mirror, next, error), error);
}

int main(int argc, char **argv)
{
	struct options options = {.plane = -1};
	struct anim_mirror_options mirror = {0};
	struct anim_rename_map pairs = {0};
	struct anim_poses rests;
	struct anim_error error = {0};
	struct cli cli;
	struct job job;
	bool done = true;
	int status;

	cli_start(&cli, &program, &options, argc, argv);
	anim_poses_init(&rests, 0);
	mirror.plane = (enum anim_mirror_plane)(options.plane + 1);
	mirror.diagnostics = &cli.diagnostics;
	if (options.pairs != NULL) {
		done = source_read_map(&cli, options.pairs, &pairs, &error) == 0;
		mirror.pairs = &pairs;
	}
	if (done && options.rest != NULL) {
		done = source_read_poses(&cli, options.rest, &rests, &error) == 0;
		mirror.rests = &rests;
	}
	job = (struct job){
	    {.keep = options.keep_euler, .hermite = true, .fits = anim_mirror_fits, .diagnostics = &cli.diagnostics},
	    &mirror};
	status = done ? cli_filter(&cli, make, &job) : cli_finish(&cli, &error);
	anim_rename_map_clear(&pairs);
	anim_poses_clear(&rests);
	return status;
}
