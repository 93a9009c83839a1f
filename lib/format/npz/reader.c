/* reader.c: anim_npz_read. Sorts the arrays of a file by their names, and sends the bones and tracks of a SMPL body. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/print.h"
#include "base/text.h"
#include "format/npz/internal.h"
#include "format/npz/npz.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ---- The arrays by their names ---- */

enum role {
	ROLE_POSES, /* all rotations */
	ROLE_ROOT,
	ROLE_BODY,
	ROLE_HANDS, /* from `first` on */
	ROLE_FACE,  /* from `first` on */
	ROLE_TRANSLATION,
	ROLE_RATE,
	ROLE_SCALING,
	ROLE_GENDER,
	ROLE_BETAS
};

/*
 * AMASS and its successors write poses, or parts from root_orient on. The smplx package calls the parts global_orient
 * and so on, as do programs that estimate motion from video. AIST++ writes smpl_poses.
 */
static const struct name {
	const char *name;
	enum role role;
	uint8_t first;
	bool is_y_up;
} array_names[] = {
    {"poses", ROLE_POSES, 0, false},
    {"smpl_poses", ROLE_POSES, 0, true},
    {"fullpose", ROLE_POSES, 0, false},
    {"full_pose", ROLE_POSES, 0, false},
    {"root_orient", ROLE_ROOT, 0, false},
    {"global_orient", ROLE_ROOT, 0, true},
    {"pose_body", ROLE_BODY, 0, false},
    {"body_pose", ROLE_BODY, 0, false},
    {"pose_hand", ROLE_HANDS, SMPL_HANDS, false},
    {"left_hand_pose", ROLE_HANDS, SMPL_HANDS, false},
    {"right_hand_pose", ROLE_HANDS, SMPL_HANDS + 15, false},
    {"pose_jaw", ROLE_FACE, SMPL_JAW, false},
    {"jaw_pose", ROLE_FACE, SMPL_JAW, false},
    {"pose_eye", ROLE_FACE, SMPL_EYES, false},
    {"leye_pose", ROLE_FACE, SMPL_EYES, false},
    {"reye_pose", ROLE_FACE, SMPL_EYES + 1, false},
    {"trans", ROLE_TRANSLATION, 0, false},
    {"transl", ROLE_TRANSLATION, 0, false},
    {"smpl_trans", ROLE_TRANSLATION, 0, false},
    {"mocap_framerate", ROLE_RATE, 0, false},
    {"mocap_frame_rate", ROLE_RATE, 0, false},
    {"mocap_fps", ROLE_RATE, 0, false},
    {"framerate", ROLE_RATE, 0, false},
    {"frame_rate", ROLE_RATE, 0, false},
    {"fps", ROLE_RATE, 0, false},
    {"smpl_scaling", ROLE_SCALING, 0, false},
    {"scaling", ROLE_SCALING, 0, false},
    {"gender", ROLE_GENDER, 0, false},
    {"betas", ROLE_BETAS, 0, false},
};

/* Joints in the order of an array with this number of rotations. */
static const uint8_t smpl_order[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,         11,
				     12, 13, 14, 15, 16, 17, 18, 19, 20, 21, SMPL_PALMS, SMPL_PALMS + 1};
static const uint8_t smplh_order[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
				      18, 19, 20, 21, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
				      39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54};
static const uint8_t smplx_order[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18,
				      19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37,
				      38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54};

/* Return the joints of an array with `count` rotations in this role, or NULL if no model has so many. */
static const uint8_t *joints_of(const struct name *name, uint64_t count)
{
	switch (name->role) {
	case ROLE_POSES:
		return count == 24                         ? smpl_order
		       : count == 52                       ? smplh_order
		       : count == 55 || count == SMPL_BODY ? smplx_order
							   : NULL;
	case ROLE_ROOT:
		return count == 1 ? smplx_order : NULL;
	case ROLE_BODY:
		return count == 21 ? smplx_order + 1 : count == 23 ? smpl_order + 1 : NULL;
	case ROLE_HANDS:
		return count == 15 || (count == 30 && name->first == SMPL_HANDS) ? smplx_order + name->first : NULL;
	default:
		return count == 1 || (count == 2 && name->first == SMPL_EYES) ? smplx_order + name->first : NULL;
	}
}

/* ---- Rotations and positions ---- */

#define TILE_NUMBERS ((size_t)1 << 18) /* numbers that are sorted by joint at once: 2 MiB */

/* Convert a rotation about an axis by its length in radians. */
static void rotation_value(const double v[3], float q[4])
{
	double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), sine, cosine, scale;

	anim_sincos(angle / 2, &sine, &cosine);
	scale = angle > 0 ? sine / angle : 0.5;
	for (unsigned i = 0; i < 3; i++)
		q[i] = (float)(v[i] * scale);
	q[3] = (float)cosine;
}

/*
 * Convert an item of `frames` frames. `stride` is the distance of its frames and `step` the distance of its three components.
 * Return the first frame whose numbers are not finite, or `frames`.
 */
static size_t convert_item(const double *from, size_t stride, size_t step, size_t frames, bool is_rotation, float *to)
{
	for (size_t k = 0; k < frames; k++, from += stride, to += 4) {
		const double v[3] = {from[0], from[step], from[2 * step]};

		if (!(fabs(v[0]) + fabs(v[1]) + fabs(v[2]) < 1e30))
			return k;
		if (is_rotation) {
			rotation_value(v, to);
		} else {
			for (unsigned i = 0; i < 3; i++)
				to[i] = (float)v[i];
			to[3] = 0;
		}
	}
	return frames;
}

/* Add up the directions of the root's Y axis, which show the axis along which a body is upright. */
static void add_upright(struct npz_reader *reader, const float *q, size_t frames)
{
	for (size_t k = 0; k < frames; k++, q += 4) {
		double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];

		reader->upright[1] += 1 - 2 * (x * x + z * z);
		reader->upright[2] += 2 * (y * z + w * x);
	}
}

/* Convert items of the tile into the run and append them. `first` is the first frame, for a message. Return 0 or -1. */
static int append_items(struct npz_reader *reader, struct npy_array *array, const struct npz_block *block, size_t items,
			size_t first, size_t frames)
{
	const double *from = (const double *)(const void *)reader->tile.data;
	size_t stride = array->by_columns ? 1 : 3 * items, step = array->by_columns ? frames : 1, done;
	float *to;

	reader->run.size = 0;
	to = anim_buffer_extend(&reader->run, items * frames * 4 * sizeof *to, reader->error);
	if (to == NULL)
		return -1;
	for (size_t i = 0; i < items; i++) {
		float *values = to + 4 * frames * i;

		done = convert_item(from + 3 * i * step, stride, step, frames, block->joints != NULL, values);
		if (done < frames)
			return npy_refuse(array, "a number in frame %zu is not finite or too large", first + done);
	}
	return npz_block_append(reader, items, frames);
}

/* Read numbers into the tile, which grows as they arrive. Return 0 or -1. */
static int read_tile(struct npz_reader *reader, struct npy_array *array, size_t numbers)
{
	reader->tile.size = 0;
	for (size_t done = 0, part; done < numbers; done += part) {
		double *to;

		part = numbers - done < TILE_NUMBERS ? numbers - done : TILE_NUMBERS;
		to = anim_buffer_extend(&reader->tile, part * sizeof *to, reader->error);
		if (to == NULL || npy_doubles(array, to, part) != 0)
			return -1;
	}
	return 0;
}

/* Read an array of rows, in tiles of frames. Return 0 or -1. */
static int read_rows(struct npz_reader *reader, struct npy_array *array, struct npz_block *block)
{
	size_t width = 3 * block->items;

	block->tile_frames = TILE_NUMBERS / width;
	for (size_t first = 0, frames; first < block->frames; first += frames) {
		size_t left = block->frames - first;

		frames = left < block->tile_frames ? left : block->tile_frames;
		if (read_tile(reader, array, frames * width) != 0 ||
		    append_items(reader, array, block, block->items, first, frames) != 0)
			return -1;
		if (block->joints != NULL && block->joints[0] == 0)
			add_upright(reader, (const float *)(const void *)reader->run.data, frames);
	}
	return 0;
}

/* Read an array in Fortran order, in which the three columns of a joint are one after the other. Return 0 or -1. */
static int read_columns(struct npz_reader *reader, struct npy_array *array, struct npz_block *block)
{
	block->tile_frames = block->frames > 0 ? block->frames : 1;
	for (size_t i = 0; i < block->items && block->frames > 0; i++) {
		if (read_tile(reader, array, 3 * block->frames) != 0 ||
		    append_items(reader, array, block, 1, 0, block->frames) != 0)
			return -1;
		if (i == 0 && block->joints != NULL && block->joints[0] == 0)
			add_upright(reader, (const float *)(const void *)reader->run.data, block->frames);
	}
	return 0;
}

/* Check that an array holds numbers, one row per frame. Set *items to the number of triples in a row. Return 0 or -1. */
static int check_rows(struct npy_array *array, uint64_t *items)
{
	uint64_t width = 1;

	if (array->kind == NPY_OBJECTS)
		return npy_refuse(array, "holds pickled Python objects, which are never loaded; save it again as "
					 "plain numbers, with numpy.savez and an array of floats");
	if (array->kind > NPY_UNSIGNED)
		return npy_refuse(array, "holds no numbers");
	if (array->dimensions < 2 || array->dimensions > 3 || array->shape[0] > ANIM_KEYS_MAX)
		return npy_refuse(array, "needs one row of numbers per frame");
	if (array->by_columns && array->dimensions > 2)
		return npy_refuse(array, "is in Fortran order; save it again with numpy.ascontiguousarray");
	for (unsigned i = 1; i < array->dimensions; i++)
		width = array->shape[i] > 0 && width < UINT32_MAX / array->shape[i] ? width * array->shape[i] : 0;
	if (width == 0 || width % 3 != 0)
		return npy_refuse(array, "needs rows of three numbers per joint");
	*items = width / 3;
	return 0;
}

static int read_block(struct npz_reader *reader, struct npy_array *array, const uint8_t *joints, size_t items)
{
	struct npz_block *block = npz_block_begin(reader, array, items, (size_t)array->shape[0]);

	if (block == NULL)
		return -1;
	block->joints = joints;
	for (size_t i = 0; i < items && joints != NULL; i++) {
		reader->of[joints[i]].block = (uint8_t)(reader->block_count - 1);
		reader->of[joints[i]].item = (uint8_t)i;
	}
	if (joints == NULL) {
		reader->root.block = (uint8_t)(reader->block_count - 1);
		reader->root.item = 0;
	}
	return array->by_columns ? read_columns(reader, array, block) : read_rows(reader, array, block);
}

/* Leave out an array that repeats others, or that has numbers for a learned space. Return 0 or -1. */
static int leave_out(struct npz_reader *reader, struct npy_array *array, uint64_t numbers)
{
	return anim_diagnostics_warn(
	    reader->options->diagnostics, NULL, reader->error,
	    "array '%.80s' is left out: %llu numbers per frame are not rotations of its joints", array->name,
	    (unsigned long long)numbers);
}

static int read_rotations(struct npz_reader *reader, struct npy_array *array, const struct name *name)
{
	const uint8_t *joints;
	uint64_t items;

	if (reader->has_poses)
		return 0;
	if ((name->role == ROLE_HANDS || name->role == ROLE_FACE) && array->dimensions == 2 && array->shape[1] % 3 != 0)
		return leave_out(reader, array, array->shape[1]);
	if (check_rows(array, &items) != 0)
		return -1;
	joints = joints_of(name, items);
	if (joints == NULL && (name->role == ROLE_HANDS || name->role == ROLE_FACE))
		return leave_out(reader, array, 3 * items);
	if (joints == NULL)
		return npy_refuse(array,
				  "%llu numbers per frame are not the rotations of SMPL (72), SMPL-H (156) or "
				  "SMPL-X (165)",
				  (unsigned long long)items * 3);
	if (name->role == ROLE_POSES) {
		reader->has_poses = true;
		memset(reader->of, SMPL_NO_JOINT, sizeof reader->of);
		reader->block_count = reader->root.block == SMPL_NO_JOINT ? 0 : reader->block_count;
		memset(reader->upright, 0, sizeof reader->upright);
	}
	reader->is_y_up |= name->is_y_up;
	return read_block(reader, array, joints, (size_t)items);
}

static int read_translation(struct npz_reader *reader, struct npy_array *array)
{
	uint64_t items;

	if (reader->root.block != SMPL_NO_JOINT)
		return 0;
	if (check_rows(array, &items) != 0)
		return -1;
	return items == 1 ? read_block(reader, array, NULL, 1) : npy_refuse(array, "needs three numbers per frame");
}

#define NUMBER_LEAST 1e-3 /* of a frame rate or a scale */
#define NUMBER_MAX 1e6

/* Read an array of one number. Return 0 or -1. */
static int read_number(struct npy_array *array, double *value)
{
	if (array->kind > NPY_UNSIGNED || array->count != 1)
		return npy_refuse(array, "needs one number");
	if (npy_doubles(array, value, 1) != 0)
		return -1;
	if (!(*value >= NUMBER_LEAST && *value <= NUMBER_MAX))
		return npy_refuse(array, "the number is not between 0.001 and 1000000");
	return 0;
}

#define BETAS_MAX 400u

static int read_betas(struct npz_reader *reader, struct npy_array *array)
{
	struct anim_print print = {.buffer = &reader->betas, .error = reader->error};
	double value;

	if (array->kind > NPY_UNSIGNED || array->count > BETAS_MAX)
		return anim_diagnostics_warn(reader->options->diagnostics, NULL, reader->error,
					     "array '%.80s' is left out: it is not the shape of one body", array->name);
	reader->betas.size = 0;
	for (uint64_t i = 0; i < array->count; i++) {
		if (npy_doubles(array, &value, 1) != 0)
			return -1;
		anim_print_text(&print, i > 0 ? " " : "");
		anim_print_double(&print, value);
	}
	anim_print_bytes(&print, "", 1);
	return print.failed ? -1 : 0;
}

static int read_gender(struct npz_reader *reader, struct npy_array *array)
{
	if ((array->kind != NPY_TEXT && array->kind != NPY_BYTES) || array->count != 1)
		return 0;
	reader->gender.size = 0;
	if (npy_text(array, &reader->gender) != 0)
		return -1;
	return anim_buffer_append(&reader->gender, "", 1, reader->error);
}

/* Append a name to a list of a few, for a message. */
static int note_name(struct npz_reader *reader, struct anim_buffer *list, const char *name)
{
	if (list->size > 100)
		return 0;
	if (list->size > 0 && anim_buffer_append_text(list, ", ", reader->error) != 0)
		return -1;
	return anim_buffer_append_text(list, name, reader->error);
}

static int read_array(struct npz_reader *reader, struct npy_array *array)
{
	const struct name *name = array_names;

	while (name < array_names + ANIM_COUNT(array_names) && strcmp(name->name, array->name) != 0)
		name++;
	if (name == array_names + ANIM_COUNT(array_names))
		return note_name(reader, array->kind == NPY_OBJECTS ? &reader->objects : &reader->others, array->name);
	switch (name->role) {
	case ROLE_TRANSLATION:
		return read_translation(reader, array);
	case ROLE_RATE:
		return read_number(array, &reader->rate);
	case ROLE_SCALING:
		return read_number(array, &reader->scaling);
	case ROLE_GENDER:
		return read_gender(reader, array);
	case ROLE_BETAS:
		return read_betas(reader, array);
	default:
		return read_rotations(reader, array, name);
	}
}

/* ---- Files ---- */

#define SUFFIX ".npy"

/* Return whether a file in the archive is an array. Its name then loses the suffix. */
static bool take_name(struct npz_reader *reader)
{
	struct anim_buffer *name = &reader->zip.name;
	size_t length = name->size - 1, suffix = sizeof SUFFIX - 1;

	if (length < suffix || memcmp(name->data + length - suffix, SUFFIX, suffix) != 0)
		return false;
	name->data[length - suffix] = '\0';
	return true;
}

int npz_next_array(struct npz_reader *reader, struct npy_array *array)
{
	int more;

	while ((more = zip_next(&reader->zip)) > 0)
		if (take_name(reader)) {
			*array = (struct npy_array){
			    .zip = &reader->zip, .error = reader->error, .name = (const char *)reader->zip.name.data};
			return npy_begin(array) == 0 ? 1 : -1;
		}
	return more;
}

/* Fail because the arrays have no motion. Return -1. */
static int refuse_arrays(struct npz_reader *reader)
{
	struct anim_place place = {.file = anim_input_name(reader->input), .at = ANIM_AT_FILE};
	struct anim_buffer *list = reader->objects.size > 0 ? &reader->objects : &reader->others;
	char shown[200];

	anim_text_safe(shown, sizeof shown, list->size > 0 ? (const char *)list->data : "", list->size);
	if (reader->objects.size > 0)
		return anim_fail_at(reader->error, ANIM_UNSUPPORTED, &place,
				    "no motion: %s holds pickled Python objects, which are never loaded; save its "
				    "arrays with numpy.savez",
				    shown);
	return anim_fail_at(reader->error, ANIM_UNSUPPORTED, &place,
			    "no motion among the arrays (%s); known are poses and trans (SMPL, AMASS), root_orient and "
			    "pose_body, smpl_poses (AIST++), and times, names and values (anim-emit npz)",
			    list->size > 0 ? shown : "none");
}

/* ---- Into the sink ---- */

#define DEFAULT_RATE 30u
#define POSITIONS_RATE 20u /* of HumanML3D */

static const char *path_of(struct npz_reader *reader, unsigned joint)
{
	uint8_t chain[SMPL_JOINTS];
	unsigned depth = 0;

	reader->path.size = 0;
	for (; joint != SMPL_NO_JOINT; joint = smpl_joints[joint].parent)
		chain[depth++] = (uint8_t)joint;
	while (depth-- > 0)
		if (anim_buffer_append_text(&reader->path, smpl_joints[chain[depth]].name, reader->error) != 0 ||
		    anim_buffer_append(&reader->path, depth > 0 ? "/" : "", 1, reader->error) != 0)
			return NULL;
	return (const char *)reader->path.data;
}

/* Mark the joints of the tree: those with rotations, and their ancestors. */
static void find_joints(const struct npz_reader *reader, bool in_tree[SMPL_JOINTS])
{
	for (unsigned i = 0; i < SMPL_JOINTS; i++)
		in_tree[i] = reader->of[i].block != SMPL_NO_JOINT;
	for (unsigned i = SMPL_JOINTS; i-- > 1;)
		in_tree[smpl_joints[i].parent] |= in_tree[i];
}

static int push_tree(struct npz_reader *reader, struct anim_sink *sink)
{
	const char *file = anim_read_source_file(reader->options, reader->input);
	struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .source_file = file};
	struct anim_node node = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	uint32_t numbers[SMPL_JOINTS], count = 1;
	bool in_tree[SMPL_JOINTS];

	find_joints(reader, in_tree);
	reader->clip.name = tree.root_name = anim_read_base_name(file, &reader->texts, reader->error);
	if (tree.root_name == NULL || anim_sink_tree(sink, &tree, reader->error) != 0 ||
	    anim_sink_node(sink, &node, reader->error) != 0)
		return -1;
	node.kind = ANIM_NODE_BONE;
	node.has = ANIM_HAS_POSITION;
	for (unsigned i = 0; i < SMPL_JOINTS; i++) {
		if (!in_tree[i])
			continue;
		numbers[i] = count++;
		node.parent = i == 0 ? 0 : numbers[smpl_joints[i].parent];
		for (unsigned axis = 0; axis < 3; axis++)
			node.position[axis] = (float)reader->offsets[i][axis];
		node.path = path_of(reader, i);
		if (node.path == NULL || anim_sink_node(sink, &node, reader->error) != 0)
			return -1;
	}
	return 0;
}

/* Set the rate of the clip from the option, the file, or a usual one, with a note. Return 0 or -1. */
static int find_clip_rate(struct npz_reader *reader)
{
	const struct anim_read_options *options = reader->options;
	struct anim_clip *clip = &reader->clip;
	uint32_t usual = reader->has_offsets ? POSITIONS_RATE : DEFAULT_RATE;

	clip->rate_num = options->rate_num;
	clip->rate_den = options->rate_den;
	if (options->rate_num != 0)
		return 0;
	if (reader->rate > 0) {
		if (!anim_read_rate(reader->rate, ANIM_READ_RATE_FLOAT, &clip->rate_num, &clip->rate_den))
			reader->step_s = 1 / reader->rate;
		return 0;
	}
	clip->rate_num = usual;
	clip->rate_den = 1;
	if (options->bvh.unit_option == NULL)
		return 0;
	return anim_diagnostics_note(options->diagnostics, "files do not say their frame rate", reader->error,
				     "the file does not say its frame rate: %u frames per second are assumed%s; "
				     "to choose another one, use -x fps=RATE",
				     usual, reader->has_offsets ? ", as in HumanML3D" : "");
}

static int push_clip(struct npz_reader *reader, struct anim_sink *sink)
{
	struct anim_clip *clip = &reader->clip;
	struct anim_attr attrs[2];
	double step_s;

	if (find_clip_rate(reader) != 0)
		return -1;
	step_s = clip->rate_num != 0 ? (double)clip->rate_den / clip->rate_num : reader->step_s;
	clip->end_s = reader->frames == 0 ? 0 : (float)((double)(reader->frames - 1) * step_s);
	clip->axes = ANIM_AXES_GLTF;
	clip->flags = ANIM_IN_TREE;
	clip->root = ".";
	clip->source = "smpl";
	clip->attrs.items = attrs;
	if (reader->betas.size > 0)
		attrs[clip->attrs.count++] = (struct anim_attr){"smpl.betas", (const char *)reader->betas.data};
	if (reader->gender.size > 0)
		attrs[clip->attrs.count++] = (struct anim_attr){"smpl.gender", (const char *)reader->gender.data};
	return anim_sink_clip(sink, clip, reader->error);
}

static int push_track(struct npz_reader *reader, unsigned joint, bool is_rotation, struct anim_sink *sink)
{
	struct anim_track track = {.kind = ANIM_RAW,
				   .type = is_rotation ? ANIM_FLOATQ : ANIM_FLOAT3,
				   .node = path_of(reader, joint),
				   .property = is_rotation ? "rotation" : "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = reader->frames,
				   .step_s = reader->step_s,
				   .rate_num = reader->clip.rate_num,
				   .rate_den = reader->clip.rate_den};

	if (track.node == NULL)
		return -1;
	track.value = reader->values.data;
	return anim_sink_track(sink, &track, reader->error);
}

/* Turn the root's rotations from Z up to Y up: a quarter turn about X. */
static void turn_rotations(float *q, size_t frames)
{
	static const double up[4] = {-0.70710678118654752440, 0, 0, 0.70710678118654752440};

	for (size_t k = 0; k < frames; k++, q += 4) {
		double wide[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};

		anim_quat_multiply_double(wide, up, wide);
		for (unsigned i = 0; i < 4; i++)
			q[i] = (float)wide[i];
	}
}

/*
 * Convert the root's positions to three floats each: in metres, from the origin of the world, Y up. A translation moves
 * the origin of the model, in which the root has a place of its own.
 */
static void place_root(const struct npz_reader *reader, float *values, bool is_z_up)
{
	const float *from = values;

	for (size_t k = 0; k < reader->frames; k++, from += 4, values += 3) {
		double at[3];

		for (unsigned i = 0; i < 3; i++)
			at[i] = (double)from[i] / reader->scaling + (reader->has_offsets ? 0 : smpl_root[i]);
		values[0] = (float)at[0];
		values[1] = (float)(is_z_up ? at[2] : at[1]);
		values[2] = (float)(is_z_up ? -at[1] : at[2]);
	}
}

/* Decide which axis is up: by the option, by the axis along which the body is upright, or by the names. Return 0 or -1. */
static int find_up(struct npz_reader *reader, bool *is_z_up)
{
	double y = reader->upright[1], z = reader->upright[2], most = (double)reader->frames;

	*is_z_up =
	    reader->options->up == ANIM_READ_UP_Z || (reader->options->up == ANIM_READ_UP_ANY && !reader->is_y_up);
	if (reader->options->up != ANIM_READ_UP_ANY || fabs(y - z) <= most / 2 || *is_z_up == (z > y))
		return 0;
	*is_z_up = z > y;
	return anim_diagnostics_note(reader->options->diagnostics, "files do not say which axis is up", reader->error,
				     "the body is upright along %s, so this axis is taken as up; if that is wrong, use "
				     "--up %s",
				     *is_z_up ? "Z" : "Y", *is_z_up ? "y" : "z");
}

static int push_tracks(struct npz_reader *reader, struct anim_sink *sink)
{
	bool is_z_up;

	if (find_up(reader, &is_z_up) != 0)
		return -1;
	if (reader->root.block != SMPL_NO_JOINT) {
		if (npz_block_gather(reader, &reader->blocks[reader->root.block], reader->root.item) != 0)
			return -1;
		place_root(reader, (float *)(void *)reader->values.data, is_z_up);
		if (push_track(reader, 0, false, sink) != 0)
			return -1;
	}
	for (unsigned i = 0; i < SMPL_JOINTS; i++) {
		if (reader->of[i].block == SMPL_NO_JOINT)
			continue;
		if (npz_block_gather(reader, &reader->blocks[reader->of[i].block], reader->of[i].item) != 0)
			return -1;
		if (i == 0 && is_z_up)
			turn_rotations((float *)(void *)reader->values.data, reader->frames);
		if (push_track(reader, i, true, sink) != 0)
			return -1;
	}
	return 0;
}

/* Check that all arrays have as many frames as the root's rotations. Return 0 or -1. */
static int check_frames(struct npz_reader *reader)
{
	struct anim_place place = {.file = anim_input_name(reader->input), .at = ANIM_AT_FILE};

	reader->frames = reader->blocks[reader->of[0].block].frames;
	for (unsigned i = 0; i <= SMPL_JOINTS; i++) {
		unsigned block = i < SMPL_JOINTS ? reader->of[i].block : reader->root.block;

		if (block != SMPL_NO_JOINT && reader->blocks[block].frames != reader->frames)
			return anim_fail_at(reader->error, ANIM_BAD_INPUT, &place,
					    "arrays have different numbers of frames: the root has %zu, %s %zu",
					    reader->frames, i < SMPL_JOINTS ? smpl_joints[i].name : "the translation",
					    reader->blocks[block].frames);
	}
	return 0;
}

/* Use the mean offsets, with a warning, if the file has none. Return 0 or -1. */
static int find_offsets(struct npz_reader *reader)
{
	if (reader->has_offsets)
		return 0;
	for (unsigned i = 1; i < SMPL_JOINTS; i++)
		for (unsigned axis = 0; axis < 3; axis++)
			reader->offsets[i][axis] = smpl_joints[i].offset[axis] / 100.0;
	reader->offsets[0][1] = SMPL_ROOT_HEIGHT;
	if (reader->options->bvh.unit_option == NULL)
		return 0;
	return anim_diagnostics_warn(reader->options->diagnostics, "files do not hold their skeleton", reader->error,
				     "the file does not hold the skeleton: joints get the mean lengths of adults, "
				     "rounded to centimetres; to put the motion on a skeleton of yours: "
				     "anim-retarget --to FILE");
}

#define RESIDUAL_WARNED 0.01 /* metres */

/* Report how far the joints of the rotations are from the positions in the file. Return 0 or -1. */
static int report_residual(struct npz_reader *reader)
{
	if (!reader->has_offsets)
		return 0;
	return anim_diagnostics_add(
	    reader->options->diagnostics, reader->residual > RESIDUAL_WARNED ? ANIM_WARNING : ANIM_NOTE, NULL, NULL,
	    reader->error,
	    "rotations are found from positions of joints, with the lengths in the first frame: "
	    "joints are up to %.2g mm from their positions, and twists are the smallest possible",
	    reader->residual * 1000);
}

static int push(struct npz_reader *reader, struct anim_sink *sink)
{
	if (reader->of[0].block == SMPL_NO_JOINT)
		return refuse_arrays(reader);
	if (check_frames(reader) != 0 || find_offsets(reader) != 0 || report_residual(reader) != 0 ||
	    push_tree(reader, sink) != 0 || push_clip(reader, sink) != 0)
		return -1;
	return push_tracks(reader, sink);
}

/* Read an archive up to its end. Return 1 if it was a table, which is complete, 0, or -1. */
static int read_archive(struct npz_reader *reader, struct anim_sink *sink)
{
	struct npy_array array;
	bool is_first = true;
	int more;

	for (; (more = npz_next_array(reader, &array)) > 0; is_first = false) {
		if (is_first && strcmp(array.name, "times") == 0)
			return npz_read_table(reader, &array, sink) == 0 ? 1 : -1;
		if (read_array(reader, &array) != 0)
			return -1;
	}
	return more;
}

/* Read a file with a single array: rotations of all joints, or positions. Return 0 or -1. */
static int read_single(struct npz_reader *reader)
{
	struct npy_array array = {.input = reader->input, .error = reader->error, .name = ""};
	static const struct name poses = {"", ROLE_POSES, 0, false};

	if (npy_begin(&array) != 0)
		return -1;
	if (array.dimensions == 2 && array.shape[1] == 263)
		return npy_refuse(&array, "263 numbers per frame are features of HumanML3D; convert them to positions "
					  "of joints first (recover_from_ric)");
	if (array.dimensions == 3 && array.shape[2] == 3 && (array.shape[1] == SMPL_BODY || array.shape[1] == 24)) {
		if (npz_read_positions(reader, &array) != 0)
			return -1;
	} else if (read_rotations(reader, &array, &poses) != 0) {
		return -1;
	}
	return npy_end(&array);
}

static void clear(struct npz_reader *reader)
{
	zip_clear(&reader->zip);
	anim_spool_clear(&reader->spool);
	anim_buffer_clear(&reader->tile);
	anim_buffer_clear(&reader->run);
	anim_buffer_clear(&reader->values);
	anim_buffer_clear(&reader->gender);
	anim_buffer_clear(&reader->betas);
	anim_buffer_clear(&reader->objects);
	anim_buffer_clear(&reader->others);
	anim_buffer_clear(&reader->path);
	anim_arena_clear(&reader->texts);
}

int anim_npz_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct npz_reader reader = {.options = options,
				    .error = error,
				    .input = input,
				    .zip = {.input = input, .trust_size = options->trust_size, .error = error},
				    .scaling = 1};
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, 4, &at, error);
	int result = -1;

	memset(reader.of, SMPL_NO_JOINT, sizeof reader.of);
	memset(&reader.root, SMPL_NO_JOINT, sizeof reader.root);
	anim_spool_init(&reader.spool, options->store_memory);
	if (size >= 0)
		result = anim_bytes_begin(at, (size_t)size, "PK") ? read_archive(&reader, sink) : read_single(&reader);
	anim_buffer_clear(&reader.tile);
	if (result == 0)
		result = push(&reader, sink);
	if (result < 0)
		anim_error_in_file(error, anim_input_name(input));
	clear(&reader);
	return result < 0 ? -1 : 0;
}

/* The first file of an archive of arrays is an array. */
bool anim_npy_is(const uint8_t *bytes, size_t size)
{
	size_t length;

	if (anim_bytes_begin(bytes, size, "\x93NUMPY"))
		return true;
	if (size < 30 || !anim_bytes_begin(bytes, size, "PK\003\004"))
		return false;
	length = (size_t)bytes[26] | (size_t)bytes[27] << 8;
	return length >= sizeof SUFFIX - 1 && length <= size - 30 &&
	       memcmp(bytes + 30 + length - (sizeof SUFFIX - 1), SUFFIX, sizeof SUFFIX - 1) == 0;
}
