/* anim-retarget.c: transfers animation from one skeleton to another. */
#include <limits.h>

#include "cli/cli.h"
#include "filter/axes/axes.h"
#include "filter/common/rotations.h"
#include "filter/retarget/retarget.h"
#include "run/source.h"
#include "run/steps.h"

/*
 * Degrees. If a bone and its partner differ by more in the rest pose, the bone is aligned with its partner. The first
 * is Godot's.
 */
#define SILHOUETTE 15

struct options {
	struct cli_common common;
	const char *from, *to, *map, *hips, *character;
	struct source_unit unit; /* of the files of --to and --from */
	unsigned silhouette;
	bool muscles, partial, keep_positions, scale, keep_euler;
	struct anim_retarget_options retarget;
	struct anim_rename_map bones; /* from --map */
	struct anim_skeleton source, target;
	struct anim_skeleton bound[2]; /* both again, in the pose in which their skin was bound */
};

static const struct cli_option rows[] = {
    {0, "to", "FILE", "put the clips on the skeleton in this file, or on the usual bones of MikuMikuDance (mmd)",
     CLI_TEXT, AT(to), NULL, false},
    {0, "muscles", NULL, "turn bones into muscles: write humanoid clips for Unity and VRChat", CLI_FLAG, AT(muscles),
     NULL, false},
    {0, "from", "FILE", "read the skeleton of the clips from this file instead of the input", CLI_TEXT, AT(from), NULL,
     false},
    {0, "map", "FILE", "pair bones by the from,to lines of this CSV file", CLI_TEXT, AT(map), NULL, false},
    {0, "hips", "NAME", "the bone of the input that moves the whole body", CLI_TEXT, AT(hips), NULL, false},
    {0, "character", "NAME", "if the input has several characters, use the one at this node (default: the first)",
     CLI_TEXT, AT(character), NULL, false},
    {0, "partial", NULL, "continue if hips, spine, limbs, hands or feet of a human have no counterpart", CLI_FLAG,
     AT(partial), NULL, false},
    {0, "unit", "UNIT", "length unit of a bvh or asf that --to or --from names, as in anim-parse", CLI_TEXT,
     AT(unit.name), NULL, false},
    {0, "silhouette", "DEGREES", "align bones whose rest poses differ by more than this angle (default: 15)", CLI_COUNT,
     AT(silhouette), NULL, false},
    {0, "keep-positions", NULL, "also keep the positions of the bones of the face", CLI_FLAG, AT(keep_positions), NULL,
     false},
    {0, "scale", NULL, "keep scales", CLI_FLAG, AT(scale), NULL, false},
    {0, "keep-euler", NULL, "keep Euler angles instead of converting them to rotations", CLI_FLAG, AT(keep_euler), NULL,
     false},
};
static const char *const examples[] = {"anim-retarget --to hero.glb walk.glb -o hero-walk.axs",
				       "anim-axes gltf walk.axs | anim-retarget --from old.glb --to hero.glb > new.axs",
				       "anim-retarget --to hero.tscn --map bones.csv walk.axs > hero-walk.axs",
				       "anim-retarget --muscles dance.vrma -o dance.anim", NULL};
static const struct cli_program program = {.name = "anim-retarget",
					   .summary = "puts the animation of one skeleton on another",
					   .usage = "--to FILE | --muscles [OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

/* The name of the usual skeleton of MikuMikuDance, which --to accepts instead of a file. */
#define TO_MMD "mmd"

static bool is_to_mmd(const struct options *options)
{
	return options->to != NULL && strcmp(options->to, TO_MMD) == 0;
}

/* Return a filter that converts to axes without asking, in front of `next`. */
static struct anim_sink *convert_axes(struct anim_diagnostics *diagnostics, enum anim_axes target,
				      struct anim_sink *next, struct anim_error *error)
{
	const struct anim_axes_options axes = {
	    .target = target, .ppu = ANIM_AXES_PPU, .by_default = true, .diagnostics = diagnostics};

	return next == NULL || target == ANIM_AXES_UNKNOWN ? next : anim_axes_new(&axes, next, error);
}

/*
 * Read the file again, with joints in the pose in which their skin was bound, if its rest is not a T-pose, and use this pose for the axes of
 * bones if it is nearer to one. A file that cannot be read twice has none.
 */
static int find_bound(struct cli *cli, const char *path, struct source_unit *unit, struct anim_skeleton *skeleton,
		      struct anim_skeleton *bound, enum anim_axes axes, struct anim_error *error)
{
	struct anim_error ignored = {0};
	int doubt = anim_skeleton_doubt(skeleton, error), other;

	if (doubt <= 0)
		return doubt;
	if (source_read_bound(
		cli, path, unit,
		convert_axes(&cli->diagnostics, axes, anim_skeleton_sink_new(bound, false, &ignored), &ignored),
		&ignored) != 0)
		return ignored.code == ANIM_NO_MEMORY ? anim_fail_memory(error) : 0;
	other = anim_skeleton_doubt(bound, error);
	if (other >= 0 && other < doubt && bound->poses.rests.count == skeleton->poses.rests.count)
		skeleton->bound = bound;
	return other < 0 ? -1 : 0;
}

/* Read the only tree of a file, in its own axes (unknown) or in others. FILE@SECONDS: posed as its first clip is then. */
static int read_skeleton(struct cli *cli, const char *path, struct source_unit *unit, struct anim_skeleton *skeleton,
			 struct anim_skeleton *bound, bool records, enum anim_axes axes, struct anim_error *error)
{
	struct anim_sink *sink;
	double time_s;
	size_t length = source_find_time(path, &time_s);
	const bool posed = length > 0;

	if (posed) {
		path = anim_arena_text(&cli->arena, path, length, error);
		if (path == NULL || anim_skeleton_keep_clips(skeleton, error) != 0)
			return -1;
	}
	sink = anim_skeleton_sink_new(skeleton, records, error);
	if (source_read_aside(cli, path, unit, convert_axes(&cli->diagnostics, axes, sink, error), error) != 0)
		return -1;
	if (skeleton->trees == 1 && skeleton->poses.rests.count > 0 && !posed)
		return find_bound(cli, path, unit, skeleton, bound, axes, error);
	if (skeleton->trees == 1 && skeleton->poses.rests.count > 0)
		return anim_skeleton_pose(skeleton, time_s, error) == 0 ? 0 : anim_error_in_file(error, path);
	if (skeleton->trees > 1)
		anim_fail(error, ANIM_UNSUPPORTED, "holds %u trees; name a file that contains only the skeleton",
			  skeleton->trees);
	else
		anim_fail(error, ANIM_UNSUPPORTED, "has no nodes, so no skeleton; use a scene");
	return anim_error_in_file(error, path);
}

static void check_options(struct cli *cli, const struct options *options)
{
	static const char *const unused[] = {"to", "hips", "partial", "keep-positions", "scale", "keep-euler"};
	static const char *const none_of_mmd[] = {"from",           "map",  "hips", "partial", "silhouette",
						  "keep-positions", "scale"};

	source_check_unit(cli, &options->unit);
	if (options->to == NULL && !options->muscles)
		cli_usage(cli, "--to FILE is missing: the skeleton that the clips are for");
	if (options->character != NULL && options->from != NULL)
		cli_usage(cli, "--character is for the skeleton in the input, so it cannot be combined with --from");
	for (size_t i = 0; i < sizeof none_of_mmd / sizeof *none_of_mmd && is_to_mmd(options); i++)
		if (cli_was_given(cli, none_of_mmd[i]))
			cli_usage(cli, "--to mmd and --%s cannot be combined", none_of_mmd[i]);
	for (size_t i = 0; i < sizeof unused / sizeof *unused && options->muscles; i++)
		if (cli_was_given(cli, unused[i]))
			cli_usage(cli, "--muscles and --%s cannot be combined", unused[i]);
}

/* Return the axes of the target. The clips and the file of --from are converted to them. */
static enum anim_axes target_axes(const struct options *options)
{
	return options->muscles     ? ANIM_AXES_UNITY
	       : is_to_mmd(options) ? ANIM_AXES_GLTF
				    : (enum anim_axes)options->target.poses.axes;
}

/* Read the files of --to and --from. */
static int read_skeletons(struct cli *cli, struct options *options, struct anim_error *error)
{
	if (!options->muscles && !is_to_mmd(options) &&
	    read_skeleton(cli, options->to, &options->unit, &options->target, &options->bound[0], true,
			  ANIM_AXES_UNKNOWN, error) != 0)
		return -1;
	if (options->from != NULL && read_skeleton(cli, options->from, &options->unit, &options->source,
						   &options->bound[1], false, target_axes(options), error) != 0)
		return -1;
	if (options->unit.name == NULL || options->unit.taken)
		return 0;
	return anim_fail(
	    error, ANIM_UNSUPPORTED,
	    "--unit is for a bvh, amc or asf that --to or --from names; to read the clips in this unit, use "
	    "anim-parse --unit first");
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	unsigned degrees = options->silhouette;

	anim_skeleton_init(&options->source);
	anim_skeleton_init(&options->target);
	for (int i = 0; i < 2; i++)
		anim_skeleton_init(&options->bound[i]);
	check_options(cli, options);
	options->retarget = (struct anim_retarget_options){
	    .from = options->from == NULL ? NULL : &options->source,
	    .to = &options->target,
	    .from_name = options->from,
	    .to_name = options->to,
	    .map = options->map == NULL ? NULL : &options->bones,
	    .silhouette_degrees = degrees == UINT_MAX ? SILHOUETTE : degrees,
	    .hips = options->hips,
	    .partial = options->partial,
	    .keep_positions = options->keep_positions,
	    .scale = options->scale,
	    /* anim-pin reports how far feet slide before and after it */
	    .feet = !options->common.quiet && !(cli->front != NULL && cli_was_given(cli->front->cli, "pin")),
	    .store_memory = cli_store_memory(),
	    .diagnostics = &cli->diagnostics};
	if (options->map != NULL && source_read_map(cli, options->map, &options->bones, error) != 0)
		return -1;
	return read_skeletons(cli, options, error);
}

struct anim_sink *retarget_muscles(const struct anim_read_options *read, struct anim_sink *next,
				   struct anim_error *error)
{
	const struct anim_retarget_options retarget = {
	    .silhouette_degrees = SILHOUETTE, .store_memory = read->store_memory, .diagnostics = read->diagnostics};

	return convert_axes(read->diagnostics, ANIM_AXES_UNITY, anim_muscles_new(&retarget, next, error), error);
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct options *options = job;
	const struct anim_retarget_options tpose = {.only_poseless = true,
						    .silhouette_degrees = options->retarget.silhouette_degrees,
						    .partial = true,
						    .store_memory = options->retarget.store_memory,
						    .diagnostics = &cli->diagnostics};
	const struct anim_rotations_options rotations = {
	    .keep = options->keep_euler, .hermite = true, .diagnostics = &cli->diagnostics};

	if (options->muscles)
		next = anim_muscles_new(&options->retarget, next, error);
	else if (is_to_mmd(options))
		next = anim_rotations_new(
		    &rotations, anim_retarget_mmd_new(options->retarget.store_memory, &cli->diagnostics, next, error),
		    error);
	else
		next = anim_rotations_new(&rotations, anim_retarget_new(&options->retarget, next, error), error);
	/* Muscles are relative to a T-pose, which --from names. */
	if (next != NULL && options->muscles && options->from == NULL)
		next = anim_retarget_new(&tpose, next, error);
	if (next != NULL && options->from == NULL)
		next = anim_character_new(options->character, options->muscles ? NULL : options->retarget.to,
					  &cli->diagnostics, next, error);
	return convert_axes(&cli->diagnostics, target_axes(options), next, error);
}

static void clear(void *job)
{
	struct options *options = job;

	anim_rename_map_clear(&options->bones);
	anim_skeleton_clear(&options->source);
	anim_skeleton_clear(&options->target);
	for (int i = 0; i < 2; i++)
		anim_skeleton_clear(&options->bound[i]);
}

static const struct options defaults = {.silhouette = UINT_MAX};
const struct step_kind program_retarget = {.command_line = &program,
					   .size = sizeof(struct options),
					   .defaults = &defaults,
					   .begin = begin,
					   .make = make,
					   .clear = clear};
