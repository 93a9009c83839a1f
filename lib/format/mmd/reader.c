/* reader.c: anim_vmd_read and anim_mmd_model_read: finds the model of a motion, and sends tree, clip and tracks. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "format/mmd/mmd.h"
#include "format/mmd/reading.h"

/* ---- The model of a motion ---- */

static const char *const suffixes[] = {".pmx", ".pmd"};

/* Find the only model in the folder of the motion. Return 1 with *path, 0 if there are zero or *several, or -1. */
static int find_beside(struct mmd_reading *reading, const struct anim_input *motion, const char **path, bool *several)
{
	struct anim_location location;
	struct anim_folder *folder;
	const char *entry;
	size_t count = 0;
	char *name = NULL;

	if (anim_locate(&location, motion, &reading->arena, reading->error) != 0)
		return -1;
	folder = location.folder == NULL ? NULL : anim_folder_open(location.folder, true);
	if (folder == NULL)
		return 0;
	while (count < 2 && (entry = anim_folder_next(folder)) != NULL)
		if (anim_path_has_suffix(entry, suffixes, ANIM_COUNT(suffixes))) {
			name = anim_arena_text(&reading->arena, entry, strlen(entry), reading->error);
			count = name == NULL ? 3 : count + 1;
		}
	anim_folder_close(folder);
	if (count == 3)
		return -1;
	if (count != 1) {
		*several = count == 2;
		return 0;
	}
	*path = anim_path_join(&reading->arena, location.shown_folder, name, reading->error);
	return *path == NULL ? -1 : 1;
}

/* Find and read the model, if there is one. Motions of cameras need none. Return 0 or -1. */
static int find_model(struct mmd_reading *reading, const struct anim_input *motion)
{
	const struct anim_read_options *options = reading->options;
	const char *path = options->model;
	struct anim_input *input = NULL;
	bool is_found = path == NULL, several = false;
	int got = path != NULL, result;

	if (got == 0 && mmd_track_count(&reading->motion.bones) + mmd_track_count(&reading->motion.morphs) == 0)
		return 0;
	if (got == 0 && !options->no_external && !anim_input_is_pipe(motion))
		got = find_beside(reading, motion, &path, &several);
	if (got == 0 && mmd_track_count(&reading->motion.bones) > 0)
		return anim_diagnostics_add(
		    options->diagnostics, options->no_external ? ANIM_NOTE : ANIM_WARNING, NULL, "file", reading->error,
		    "no model%s, so bones have no rest poses and IK moves nothing; name the model with " ANIM_OPTION_TO(
			"parse", "model", "FILE"),
		    several ? ", because the folder has several" : "");
	if (got <= 0)
		return got;

	if (anim_read_open(options, -1, path, &input, reading->error) != 0)
		return anim_error_in_file(reading->error, path);
	result = mmd_model_read(&reading->model, input, options, reading->error);
	if (result != 0)
		anim_input_name_error(input, reading->error);
	anim_input_close(input);
	if (result != 0 || mmd_name_bones(&reading->model, reading->error) != 0 || mmd_bind(reading) != 0)
		return anim_error_in_file(reading->error, path);
	reading->model_file = path;
	return is_found ? anim_diagnostics_note(options->diagnostics, NULL, reading->error,
						"the model is %s, the only one in the folder", path)
			: 0;
}

/* ---- Tree and tracks ---- */

/* Push a node that is not a bone of a model. Return 0 or -1. */
static int push_node(struct mmd_reading *reading, enum anim_node_kind kind, uint32_t parent, const char *path,
		     const char *name)
{
	const struct anim_attr attr = {ANIM_MMD_NAME, name};
	const struct anim_node node = {.kind = (uint8_t)kind,
				       .parent = parent,
				       .rotation = {0, 0, 0, 1},
				       .scale = {1, 1, 1},
				       .path = path,
				       .type = "",
				       .attrs = {&attr, name != NULL && strcmp(name, path) != 0}};

	return anim_sink_node(reading->sink, &node, reading->error);
}

/* Push the tree of a motion without a model, in which all bones are below the root. Return the number of nodes, or 0. */
static uint32_t push_bare_tree(struct mmd_reading *reading, const char *root_name, const char *source_file)
{
	const struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .root_name = root_name, .source_file = source_file};
	const struct mmd_section *bones = &reading->motion.bones, *ik = &reading->motion.ik;
	uint32_t count = (uint32_t)mmd_track_count(bones), pushed = 1;

	if (mmd_name_tracks(reading) != 0 || anim_sink_tree(reading->sink, &tree, reading->error) != 0 ||
	    push_node(reading, ANIM_NODE, ANIM_NO_PARENT, ".", NULL) != 0)
		return 0;
	for (uint32_t i = 0; i < count + mmd_track_count(ik); i++) {
		const struct mmd_track *track = i < count ? mmd_track_at(bones, i) : mmd_track_at(ik, i - count);
		uint32_t bone;

		if (i >= count && anim_map_get(&bones->names, 0, track->name, strlen(track->name), &bone))
			continue;
		if (push_node(reading, ANIM_NODE_BONE, 0, reading->own_names[i], track->name) != 0)
			return 0;
		pushed++;
	}
	return pushed;
}

/* Push the tracks of all bones of the model. Return 0 or -1. */
static int push_bones(struct mmd_reading *reading, struct mmd_bake *bake)
{
	for (uint32_t i = 0; i < mmd_bone_count(&reading->model); i++) {
		const struct mmd_bound *bound = &reading->bound[i];
		const char *node;
		float rest[3];
		int result = 0;

		if (bound->track == MMD_NONE && !bound->bakes_rotation && !bound->bakes_position)
			continue;
		node = mmd_bone_path(&reading->model, i, &reading->path, reading->error);
		if (node == NULL)
			return -1;
		mmd_bone_offset(&reading->model, i, rest);
		if (bound->bakes_position)
			result = mmd_bake_push(bake, reading, i, false, node);
		else if (bound->track != MMD_NONE)
			result = mmd_push_position(reading, bound->track, node, rest);
		if (result == 0 && bound->bakes_rotation)
			result = mmd_bake_push(bake, reading, i, true, node);
		else if (result == 0 && bound->track != MMD_NONE)
			result = mmd_push_rotation(reading, bound->track, node);
		if (result != 0)
			return -1;
	}
	return 0;
}

/* Push the tree, the clip and all tracks. Return 0 or -1. */
static int push(struct mmd_reading *reading, struct mmd_bake *bake, const char *file)
{
	static const float no_rest[3];
	const struct mmd_motion *motion = &reading->motion;
	const struct anim_attr attr = {ANIM_MMD_MODEL, motion->model};
	struct anim_clip clip = {.end_s = (float)((double)motion->last_frame / MMD_RATE),
				 .axes = ANIM_AXES_GLTF,
				 .flags = ANIM_IN_TREE,
				 .rate_num = MMD_RATE,
				 .rate_den = 1,
				 .root = ".",
				 .source = "mmd",
				 .attrs = {&attr, attr.value[0] != '\0'}};
	uint32_t count; /* of the nodes, or 0 after an error */

	clip.name = anim_read_base_name(file, &reading->arena, reading->error);
	if (clip.name == NULL)
		return -1;

	if (reading->model_file == NULL)
		count = push_bare_tree(reading, clip.name, file);
	else if (mmd_bake_run(bake, reading) != 0 ||
		 mmd_push_model(&reading->model, reading->unit_m, clip.name, file, reading->sink, reading->error) != 0)
		count = 0;
	else
		count = mmd_bone_count(&reading->model) + 1;
	if (count == 0)
		return -1;
	if (mmd_track_count(&motion->cameras) > 0 &&
	    (push_node(reading, ANIM_NODE, 0, ANIM_MMD_TARGET, NULL) != 0 ||
	     push_node(reading, ANIM_NODE_CAMERA, count, ANIM_MMD_TARGET "/" ANIM_MMD_CAMERA, NULL) != 0))
		return -1;
	if (mmd_track_count(&motion->lights) + mmd_track_count(&motion->shadows) > 0 &&
	    push_node(reading, ANIM_NODE_LIGHT, 0, ANIM_MMD_LIGHT, NULL) != 0)
		return -1;

	if (bake->samples > 0) {
		clip.rate_num = bake->rate_num;
		clip.rate_den = bake->rate_den;
	}
	if (anim_sink_clip(reading->sink, &clip, reading->error) != 0)
		return -1;
	if (reading->model_file != NULL && push_bones(reading, bake) != 0)
		return -1;
	for (uint32_t i = 0; i < mmd_track_count(&motion->bones) && reading->model_file == NULL; i++)
		if (mmd_push_position(reading, i, reading->own_names[i], no_rest) != 0 ||
		    mmd_push_rotation(reading, i, reading->own_names[i]) != 0 ||
		    mmd_push_physics(reading, i, reading->own_names[i]) != 0)
			return -1;
	return mmd_push_others(reading);
}

static double unit_of(const struct anim_read_options *options)
{
	return options->unit_m > 0 ? options->unit_m : ANIM_MMD_UNIT_M;
}

int anim_vmd_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct mmd_reading reading = {.options = options,
				      .error = error,
				      .sink = sink,
				      .motion_file = anim_input_name(input),
				      .unit_m = unit_of(options)};
	struct mmd_bake bake = {.samples = 0};
	int result;

	anim_frames_init(&bake.motion, 0);
	result = mmd_motion_read(&reading.motion, input, options, error);
	if (result != 0)
		anim_error_in_file(error, anim_input_name(input));
	if (result == 0)
		result = find_model(&reading, input);
	if (result == 0)
		result = push(&reading, &bake, anim_read_source_file(options, input));
	mmd_bake_clear(&bake);
	mmd_motion_clear(&reading.motion);
	mmd_model_clear(&reading.model);
	anim_keys_clear(&reading.keys);
	anim_buffer_clear(&reading.path);
	anim_buffer_clear(&reading.text);
	anim_arena_clear(&reading.arena);
	return result;
}

/* ---- A model by itself ---- */

bool anim_pmx_is(const uint8_t *bytes, size_t size)
{
	return anim_bytes_begin(bytes, size, "PMX ");
}

bool anim_pmd_is(const uint8_t *bytes, size_t size)
{
	return mmd_is_pmd(bytes, size);
}

int anim_mmd_model_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
			struct anim_error *error)
{
	struct mmd_model model;
	const char *file = anim_read_source_file(options, input), *name = NULL;
	int result = mmd_model_read(&model, input, options, error);

	if (result != 0)
		anim_error_in_file(error, anim_input_name(input));
	else
		name = anim_read_base_name(file, &model.arena, error);
	if (name == NULL || mmd_name_bones(&model, error) != 0 ||
	    anim_diagnostics_warn(options->diagnostics, NULL, error,
				  "no animation in this file; the motion for the skeleton is in .vmd files") != 0)
		result = -1;
	if (result == 0)
		result = mmd_push_model(&model, unit_of(options), name, file, sink, error);
	mmd_model_clear(&model);
	return result;
}
