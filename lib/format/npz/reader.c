/* reader.c: anim_npz_read. Sorts the arrays of a file by their names, and sends the bones and tracks of a SMPL body. */
#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/number.h"
#include "base/print.h"
#include "base/text.h"
#include "format/npz/npz.h"
#include "format/npz/reader.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

/* ---- The arrays by their names ---- */

enum role {
	ROLE_ANY,   /* rotations of all joints, or positions, by its shape and values */
	ROLE_POSES, /* all rotations */
	ROLE_POSITIONS,
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

/* Numbers of joints of SMPL, SMPL-H, SMPL-X and the body alone, of these with other points after them, and of parts. */
static const uint16_t all_counts[] = {24, 52, 55, 22, NPZ_MOTION_X, 0};
static const uint16_t point_counts[] = {24, 52, 55, 22, NPZ_MOTION_X, 45, 73, 127, 144, 0};
static const uint16_t one_count[] = {1, 0}, body_counts[] = {21, 23, 0}, hand_counts[] = {15, 0};
static const uint16_t hands_counts[] = {30, 15, 0}, eyes_counts[] = {2, 1, 0};

/*
 * AMASS and its successors write poses, or parts from root_orient on. The smplx package calls the parts global_orient
 * and so on, as do programs that estimate motion from video. AIST++ writes smpl_poses. WHAM also writes its poses in the
 * axes of a world and not of the camera. Of several arrays with all rotations, the one of the highest rank counts.
 */
static const struct name {
	const char *name;
	enum role role;
	uint8_t first;
	const uint16_t *counts;
	bool is_y_up;
	unsigned rank;
} array_names[] = {
    {"poses", ROLE_POSES, 0, all_counts, false, 3},
    {"smpl_poses", ROLE_POSES, 0, all_counts, true, 3},
    {"fullpose", ROLE_POSES, 0, all_counts, false, 3},
    {"full_pose", ROLE_POSES, 0, all_counts, false, 3},
    {"pose", ROLE_POSES, 0, all_counts, true, 2},
    {"pose_world", ROLE_POSES, 0, all_counts, true, 4},
    {"motion", ROLE_ANY, 0, point_counts, true, 1},
    {"arr_0", ROLE_ANY, 0, point_counts, false, 1},
    {"joints", ROLE_POSITIONS, 0, point_counts, true, 1},
    {"joints3d", ROLE_POSITIONS, 0, point_counts, true, 1},
    {"joints_3d", ROLE_POSITIONS, 0, point_counts, true, 1},
    {"positions", ROLE_POSITIONS, 0, point_counts, true, 1},
    {"joint_positions", ROLE_POSITIONS, 0, point_counts, true, 1},
    {"keypoints3d", ROLE_POSITIONS, 0, point_counts, true, 1},
    {"root_orient", ROLE_ROOT, 0, one_count, false, 0},
    {"global_orient", ROLE_ROOT, 0, one_count, true, 0},
    {"pose_body", ROLE_BODY, 1, body_counts, false, 0},
    {"body_pose", ROLE_BODY, 1, body_counts, false, 0},
    {"pose_hand", ROLE_HANDS, SMPL_HANDS, hands_counts, false, 0},
    {"left_hand_pose", ROLE_HANDS, SMPL_HANDS, hand_counts, false, 0},
    {"right_hand_pose", ROLE_HANDS, SMPL_HANDS + 15, hand_counts, false, 0},
    {"pose_jaw", ROLE_FACE, SMPL_JAW, one_count, false, 0},
    {"jaw_pose", ROLE_FACE, SMPL_JAW, one_count, false, 0},
    {"pose_eye", ROLE_FACE, SMPL_EYES, eyes_counts, false, 0},
    {"leye_pose", ROLE_FACE, SMPL_EYES, one_count, false, 0},
    {"reye_pose", ROLE_FACE, SMPL_EYES + 1, one_count, false, 0},
    {"trans", ROLE_TRANSLATION, 0, one_count, false, 2},
    {"transl", ROLE_TRANSLATION, 0, one_count, false, 2},
    {"smpl_trans", ROLE_TRANSLATION, 0, one_count, false, 2},
    {"trans_world", ROLE_TRANSLATION, 0, one_count, false, 3},
    {"mocap_framerate", ROLE_RATE, 0, NULL, false, 0},
    {"mocap_frame_rate", ROLE_RATE, 0, NULL, false, 0},
    {"mocap_fps", ROLE_RATE, 0, NULL, false, 0},
    {"framerate", ROLE_RATE, 0, NULL, false, 0},
    {"frame_rate", ROLE_RATE, 0, NULL, false, 0},
    {"fps", ROLE_RATE, 0, NULL, false, 0},
    {"smpl_scaling", ROLE_SCALING, 0, NULL, false, 0},
    {"scaling", ROLE_SCALING, 0, NULL, false, 0},
    {"gender", ROLE_GENDER, 0, NULL, false, 0},
    {"betas", ROLE_BETAS, 0, NULL, false, 0},
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
/* A frame of Motion-X: body, hands and jaw, then 150 numbers of the face, the translation and the shape. */
static const uint8_t motion_x_order[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,      17,
					 18, 19, 20, 21, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37,      38,
					 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, SMPL_JAW};
#define MOTION_X_TRANSLATION 309u

/* Return the joints of an array with so many items. *count becomes their number. Other points may follow them. */
static const uint8_t *joints_of(const struct name *name, size_t *count)
{
	if (name->role > ROLE_POSITIONS)
		return *count == 23 ? smpl_order + 1 : smplx_order + name->first;
	if (*count == NPZ_MOTION_X)
		*count = sizeof motion_x_order;
	else if (*count == 45)
		*count = 24;
	else if (*count == 73)
		*count = 52;
	else if (*count > 73)
		*count = 55;
	return *count == 24                      ? smpl_order
	       : *count == 52                    ? smplh_order
	       : *count == sizeof motion_x_order ? motion_x_order
						 : smplx_order;
}

/* ---- Rotations and positions ---- */

#define NO_COLUMN SIZE_MAX

/*
 * Convert the items of a tile, but not axes and angles, and append them to the block: rotations of `components`
 * numbers, and if there is a `root_column`, the root's position from there. `first` is the first frame, for a message. Return 0 or -1.
 */
static int append_items(struct npz_reader *reader, const struct npz_rows *rows, const struct npz_block *block,
			size_t components, size_t root_column, size_t first, size_t frames)
{
	const double *tile = (const double *)(const void *)reader->tile.data;
	size_t rotations = block->items - (root_column != NO_COLUMN);
	float *to;

	reader->run.size = 0;
	to = anim_buffer_extend(&reader->run, block->items * frames * 4 * sizeof *to, reader->error);
	if (to == NULL)
		return -1;
	for (size_t i = 0; i < rotations; i++)
		for (size_t k = 0; k < frames; k++, to += 4) {
			const double *from = tile + k * rows->width + i * components;

			if (block->form ==
			    NPZ_AXIS) { /* it becomes a rotation in find_conventions, which knows all angles */
				double length = sqrt(anim_vec3_dot_double(from, from));

				for (unsigned c = 0; c < 3; c++)
					to[c] = (float)from[c];
				to[3] = 0;
				reader->angle_sum += length;
				reader->angles += length > 0;
				continue;
			}
			if (!npz_rotation(block->form, from, to))
				return npy_refuse(rows->array,
						  "%zu numbers of joint %zu in frame %zu are not a rotation",
						  components, i, first + k);
			if (block->form == NPZ_QUATERNION) {
				reader->first_sum += fabs((double)to[0]);
				reader->last_sum += fabs((double)to[3]);
			}
		}
	for (size_t k = 0; k < frames && root_column != NO_COLUMN; k++, to += 4) {
		for (unsigned c = 0; c < 3; c++)
			to[c] = (float)tile[k * rows->width + root_column + c];
		to[3] = 0;
	}
	return npz_block_append(reader, block->items, frames);
}

#define CHANGES_OF_POSITIONS 0.3 /* measured: below 0.1 for positions, 0.5 and more for rotations */
#define OFF_OF_POSITIONS 0.5 /* of a body that does not move: below 0.6 for positions, 0.57 and more for rotations */
#define ANGLE_MOST 1.2       /* radians: joints of humans rotate less on average, by 0.35 to 0.48 in three takes */
#define SIZE_LEAST 0.4
#define SIZE_MOST 2.5

/*
 * Find the meaning of the numbers of a joint by their count, the name of the array, the options and the first tile.
 * Find the unit of positions from the lengths of the bones. Return 0 or -1.
 */
static int find_form(struct npz_reader *reader, const struct npz_rows *rows, const struct name *name, size_t joints,
		     size_t frames, enum npz_form *form)
{
	const struct anim_read_options *options = reader->options;
	const double *tile = (const double *)(const void *)reader->tile.data;
	unsigned as = options->read_as;
	struct npz_body body = {0};
	const char *unit;
	double unit_m;

	*form = rows->components == 4                                           ? NPZ_QUATERNION
		: rows->components == 9                                         ? NPZ_MATRIX
		: rows->components == 6                                         ? NPZ_SIX
		: name->role == ROLE_POSITIONS || (as & ANIM_AS_POSITIONS) != 0 ? NPZ_POSITIONS
										: NPZ_AXIS;
	if (rows->components == 6 && (as & (ANIM_AS_6D_ROWS | ANIM_AS_6D_COLUMNS)) == 0 &&
	    ((as & ANIM_AS_6D_PAIRS) != 0 || npz_six_is_pairs(tile, frames * rows->items)))
		*form = NPZ_SIX_PAIRS;
	if (rows->components != 3 || joints < SMPL_BODY || frames == 0)
		return 0;
	if (name->role == ROLE_ANY || name->role == ROLE_POSITIONS)
		npz_body_measure(tile, rows->width, frames, &body);

	/* Decide whether three numbers per joint are positions. MDM writes positions of 22 joints with the frames last. */
	if (name->role == ROLE_ANY && rows->items == joints && (as & (ANIM_AS_POSITIONS | ANIM_AS_ROTATIONS)) == 0) {
		bool is_mdm = rows->items == SMPL_BODY && rows->frame_step == 1 && !rows->array->by_columns;
		bool fits = body.moves ? body.changes < CHANGES_OF_POSITIONS : body.off < OFF_OF_POSITIONS;
		int result = 0;

		*form = is_mdm || body.mean > ANGLE_MOST || fits ? NPZ_POSITIONS : NPZ_AXIS;
		if (options->bvh.unit_option != NULL && *form == NPZ_POSITIONS)
			result = anim_diagnostics_note(
			    options->diagnostics, NULL, reader->error,
			    "three numbers per joint are read as positions, because %s; for axes and angles of "
			    "rotations, use " ANIM_OPTION_TO("parse", "read-as", "rotations"),
			    fits     ? "bones have the lengths of a body"
			    : is_mdm ? "the array has the shape of MDM's"
				     : "they are too large for angles");
		else if (options->bvh.unit_option != NULL)
			result = anim_diagnostics_note(
			    options->diagnostics, NULL, reader->error,
			    "three numbers per joint are read as axes and angles of rotations, because as positions "
			    "bones would %s; for positions, use " ANIM_OPTION_TO("parse", "read-as", "positions"),
			    body.moves ? "not keep their lengths" : "not have the lengths of a body");
		if (result != 0)
			return -1;
	}
	if (rows->items > joints) /* other points follow the joints */
		*form = NPZ_POSITIONS;
	if (*form != NPZ_POSITIONS || options->unit_m > 0)
		return 0;

	/* Choose the usual unit in which the bones are about as long as a human's. */
	unit = body.size < 25 ? "m" : body.size < 250 ? "cm" : "0.001";
	unit_m = body.size < 25 ? 1 : body.size < 250 ? 0.01 : 0.001;
	reader->unit_m = unit_m;
	if (options->bvh.unit_option == NULL || (unit_m == 1 && body.size >= SIZE_LEAST && body.size <= SIZE_MOST))
		return 0;
	return anim_diagnostics_note(options->diagnostics, "file", reader->error,
				     "no unit of length" ANIM_DETAIL
				     ", and bones are %.3g times as long as in metres: %s is assumed; to choose "
				     "another one, use %s m, cm or a number of metres",
				     body.size, unit, options->bvh.unit_option);
}

/* Read an array of rotations or positions of `count` joints, or without joints of the root's positions. Return 0 or -1. */
static int read_block(struct npz_reader *reader, const struct npz_rows *rows, const struct name *name,
		      const uint8_t *joints, size_t count)
{
	size_t tile_frames = NPZ_TILE_NUMBERS / rows->width, components = rows->components, root_column = NO_COLUMN;
	struct npz_block *block = NULL;
	enum npz_form form = NPZ_AXIS;
	bool has_root;

	if (joints == NULL)
		root_column = 0;
	if (rows->width == NPZ_MOTION_X) {
		components = 3;
		root_column = MOTION_X_TRANSLATION;
	}
	for (size_t first = 0, frames; first < rows->frames || block == NULL; first += frames) {
		const double *tile;

		frames = rows->frames - first < tile_frames ? rows->frames - first : tile_frames;
		if (npz_rows_tile(reader, rows, first, frames) != 0)
			return -1;
		/* Check that the numbers of a tile are finite. */
		tile = (const double *)(const void *)reader->tile.data;
		for (size_t i = 0; i < frames * rows->width; i++)
			if (!(fabs(tile[i]) < 1e15))
				return npy_refuse(rows->array, "a number in frame %zu is not finite or too large",
						  first + i / rows->width);
		if (block == NULL) {
			if (joints != NULL && find_form(reader, rows, name, count, frames, &form) != 0)
				return -1;
			has_root = root_column != NO_COLUMN || form == NPZ_POSITIONS;
			block = npz_block_begin(reader, rows->array, count + has_root, rows->frames);
			if (block == NULL)
				return -1;
			block->tile_frames = tile_frames;
			block->form = form;
			for (size_t i = 0; i < count; i++) {
				reader->of[joints[i]].block = (uint8_t)(reader->block_count - 1);
				reader->of[joints[i]].item = (uint8_t)i;
			}
			if (has_root) {
				reader->root.block = (uint8_t)(reader->block_count - 1);
				reader->root.item = (uint8_t)count;
			}
			if (form == NPZ_POSITIONS)
				npz_solver_begin(reader, joints, (unsigned)count);
		}
		if ((form == NPZ_POSITIONS
			 ? npz_solve(reader, (double *)(void *)reader->tile.data, rows->width, frames, first == 0)
			 : append_items(reader, rows, block, components, root_column, first, frames)) != 0)
			return -1;
	}
	reader->is_y_up |= name->is_y_up || form == NPZ_POSITIONS;
	return 0;
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

static int refuse_shape(struct npy_array *array)
{
	char shape[80];

	npy_print_shape(array, shape, sizeof shape);
	if (array->dimensions > 1 && array->shape[array->dimensions - 1] == 263)
		return npy_refuse(array, "263 numbers per frame are features of HumanML3D; convert them to positions "
					 "of joints first (recover_from_ric)");
	if (array->dimensions > 3)
		return npy_refuse(array,
				  "the shape %s is not frames x joints x numbers; if its first axis counts motions, "
				  "save one of them with numpy.save('one.npy', a[0])",
				  shape);
	return npy_refuse(array,
			  "the shape %s is not frames x joints x numbers: known are 24, 52, 55 and 22 joints (SMPL, "
			  "SMPL-H, SMPL-X, HumanML3D) with 3, 4, 6 or 9 numbers, and 322 numbers (Motion-X)",
			  shape);
}

static int read_rotations(struct npz_reader *reader, struct npy_array *array, const struct name *name)
{
	bool is_part = name->role > ROLE_POSITIONS;
	const uint8_t *joints;
	struct npz_rows rows;
	size_t count;
	int got;

	/* Skip an array that adds nothing to the ones before it. */
	if (is_part ? reader->poses_rank > 1
		    : reader->poses_rank >= name->rank || (name->rank == 1 && reader->of[0].block != SMPL_NO_JOINT))
		return 0;
	got = npz_rows_begin(reader, array, name->counts, name->role == ROLE_POSITIONS, &rows);
	if (got < 0)
		return -1;
	count = rows.items;
	joints = joints_of(name, &count);
	if (got == 0 || (count < rows.items && rows.components != 3 && rows.width != NPZ_MOTION_X)) {
		if (name->role == ROLE_HANDS || name->role == ROLE_FACE) {
			char shape[80];

			/* Leave out an array that is not understood, with a warning. */
			npy_print_shape(array, shape, sizeof shape);
			return anim_diagnostics_warn(
			    reader->options->diagnostics, NULL, reader->error,
			    "array '%.80s' is left out: its shape %s is not rotations of its joints", array->name,
			    shape);
		}
		return array->zip != NULL && (name->role == ROLE_POSITIONS || name->rank == 2)
			   ? note_name(reader, &reader->others, array->name)
			   : refuse_shape(array);
	}
	if (!is_part || reader->poses_rank == 1) {
		/* Forget rotations that an array of a lower rank gave, and positions. */
		memset(reader->of, SMPL_NO_JOINT, sizeof reader->of);
		reader->first_sum = reader->last_sum = reader->angle_sum = 0;
		reader->angles = 0;
		if (reader->has_offsets)
			memset(&reader->root, SMPL_NO_JOINT, sizeof reader->root);
		reader->has_offsets = false;
		reader->poses_rank = is_part ? 0 : name->rank;
	}
	return read_block(reader, &rows, name, joints, count);
}

#define NUMBER_LEAST 1e-3 /* of a frame rate or a scale */
#define NUMBER_MAX 1e6

static bool is_number(double value)
{
	return value >= NUMBER_LEAST && value <= NUMBER_MAX;
}

/* Read the frame rate, a number or its text. Another value is left out, because an option can replace it. Return 0 or -1. */
static int read_rate(struct npz_reader *reader, struct npy_array *array)
{
	struct anim_buffer *text = &reader->path;
	double rate = 0;

	if (reader->options->rate_num != 0)
		return 0;
	text->size = 0;
	if (array->count == 1 && array->kind <= NPY_UNSIGNED && npy_doubles(array, &rate, 1) != 0)
		return -1;
	if (array->count == 1 && (array->kind == NPY_TEXT || array->kind == NPY_BYTES)) {
		if (npy_text(array, text) != 0)
			return -1;
		if (text->size == 0 || anim_number_typed((const char *)text->data, text->size, &rate) == 0)
			rate = 0;
	}
	/* A number below 1 is the time of a frame, or another mistake. */
	if (rate >= 1 && is_number(rate)) {
		reader->rate = rate;
		return 0;
	}
	return anim_diagnostics_warn(
	    reader->options->diagnostics, NULL, reader->error,
	    "array '%.80s' is left out: it is not a frame rate from 1 to 1000000; to set one, use " ANIM_OPTION_TO(
		"parse", "fps", "RATE"),
	    array->name);
}

#define BETAS_MAX 400u

/* Read the shape of the body. Some files repeat it for each frame. Return 0 or -1. */
static int read_betas(struct npz_reader *reader, struct npy_array *array)
{
	struct anim_print print = {.buffer = &reader->betas, .error = reader->error};
	uint64_t count = array->dimensions > 1 ? array->shape[array->dimensions - 1] : array->count;
	double first[BETAS_MAX], value;
	bool changes = false;

	if (array->kind > NPY_UNSIGNED || count > BETAS_MAX || (array->by_columns && array->dimensions > 1))
		return anim_diagnostics_warn(reader->options->diagnostics, NULL, reader->error,
					     "array '%.80s' is left out: it is not the shape of one body", array->name);
	reader->betas.size = 0;
	for (uint64_t i = 0; i < array->count; i++) {
		if (npy_doubles(array, &value, 1) != 0)
			return -1;
		if (i < count)
			first[i] = value;
		changes |= i >= count && value != first[i % count];
	}
	for (uint64_t i = 0; i < count && array->count > 0; i++) {
		anim_print_text(&print, i > 0 ? " " : "");
		anim_print_double(&print, first[i]);
	}
	anim_print_bytes(&print, "", 1);
	if (print.failed)
		return -1;
	return !changes ? 0
			: anim_diagnostics_note(reader->options->diagnostics, NULL, reader->error,
						"array '%.80s' has several shapes of a body; the first one is kept",
						array->name);
}

static int read_array(struct npz_reader *reader, struct npy_array *array)
{
	const struct name *name = array_names;

	while (name < array_names + ANIM_COUNT(array_names) && strcmp(name->name, array->name) != 0)
		name++;
	if (name == array_names + ANIM_COUNT(array_names))
		return note_name(reader, array->kind == NPY_OBJECTS ? &reader->objects : &reader->others, array->name);
	switch (name->role) {
	case ROLE_TRANSLATION: {
		struct npz_rows rows;
		int got;

		if (reader->root.block != SMPL_NO_JOINT && reader->root_rank >= name->rank)
			return 0;
		got = npz_rows_begin(reader, array, name->counts, true, &rows);
		if (got == 0)
			return npy_refuse(array, "needs three numbers per frame");
		reader->root_rank = name->rank;
		return got < 0 ? -1 : read_block(reader, &rows, name, NULL, 0);
	}
	case ROLE_RATE:
		return read_rate(reader, array);
	case ROLE_SCALING:
		if (array->kind > NPY_UNSIGNED || array->count != 1)
			return npy_refuse(array, "needs one number");
		if (npy_doubles(array, &reader->scaling, 1) != 0)
			return -1;
		return is_number(reader->scaling) ? 0
						  : npy_refuse(array, "the number is not between 0.001 and 1000000");
	case ROLE_GENDER:
		if ((array->kind != NPY_TEXT && array->kind != NPY_BYTES) || array->count != 1)
			return 0;
		reader->gender.size = 0;
		if (npy_text(array, &reader->gender) != 0)
			return -1;
		return anim_buffer_append(&reader->gender, "", 1, reader->error);
	case ROLE_BETAS:
		return read_betas(reader, array);
	default:
		return read_rotations(reader, array, name);
	}
}

/* ---- Files ---- */

#define SUFFIX ".npy"

int npz_next_array(struct npz_reader *reader, struct npy_array *array)
{
	const struct anim_buffer *name = &reader->zip.name;
	int more;

	/* Skip files of the archive without the suffix. Names of arrays lose it. */
	while ((more = zip_next(&reader->zip)) > 0) {
		size_t length = name->size - 1, suffix = sizeof SUFFIX - 1;

		if (length < suffix || memcmp(name->data + length - suffix, SUFFIX, suffix) != 0)
			continue;
		name->data[length - suffix] = '\0';
		*array =
		    (struct npy_array){.zip = &reader->zip, .error = reader->error, .name = (const char *)name->data};
		return npy_begin(array) == 0 ? 1 : -1;
	}
	return more;
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

static int push_tree(struct npz_reader *reader, struct anim_sink *sink)
{
	const char *file = anim_read_source_file(reader->options, reader->input);
	struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .source_file = file};
	struct anim_node node = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	uint32_t numbers[SMPL_JOINTS], count = 1;
	bool in_tree[SMPL_JOINTS];

	/* The joints of the tree are those with rotations, and their ancestors. */
	for (unsigned i = 0; i < SMPL_JOINTS; i++)
		in_tree[i] = reader->of[i].block != SMPL_NO_JOINT;
	for (unsigned i = SMPL_JOINTS; i-- > 1;)
		in_tree[smpl_joints[i].parent] |= in_tree[i];
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

static int push_clip(struct npz_reader *reader, struct anim_sink *sink)
{
	struct anim_clip *clip = &reader->clip;
	struct anim_attr attrs[2];
	const struct anim_read_options *options = reader->options;
	bool is_humanml = reader->has_offsets && reader->solver.count <= 24;
	uint32_t usual = is_humanml ? POSITIONS_RATE : DEFAULT_RATE;
	double step_s;

	/* The rate is from the option, the file, or a usual one, with a note. */
	if (options->rate_num != 0) {
		clip->rate_num = options->rate_num;
		clip->rate_den = options->rate_den;
	} else if (reader->rate > 0) {
		if (!anim_read_rate(reader->rate, ANIM_READ_RATE_FLOAT, &clip->rate_num, &clip->rate_den)) {
			clip->rate_num = clip->rate_den = 0;
			reader->step_s = 1 / reader->rate;
		}
	} else {
		clip->rate_num = usual;
		clip->rate_den = 1;
		if (options->bvh.unit_option != NULL &&
		    anim_diagnostics_note(options->diagnostics, "file", reader->error,
					  "no frame rate" ANIM_DETAIL
					  ": %u frames per second are assumed%s; to choose another one, "
					  "use " ANIM_OPTION_TO("parse", "fps", "RATE"),
					  usual, is_humanml ? ", as in HumanML3D" : "") != 0)
			return -1;
	}
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

/* The rotations that bring the root's rotations and positions to Y up. A camera's Y axis points down. */
enum up { UP_Y, UP_Z, UP_MINUS_Y };
static const double up_rotations[][4] = {
    [UP_Y] = {0, 0, 0, 1},
    [UP_Z] = {-0.70710678118654752440, 0, 0, 0.70710678118654752440},
    [UP_MINUS_Y] = {1, 0, 0, 0},
};

/*
 * Convert the root's positions to three floats each: in metres, from the origin of the world, Y up. A translation moves
 * the origin of the model, in which the root has a place of its own.
 */
static void place_root(const struct npz_reader *reader, float *values, enum up up)
{
	const double unit_m = reader->has_offsets ? 1 : reader->unit_m / reader->scaling;
	const float *from = values;

	for (size_t k = 0; k < reader->frames; k++, from += 4, values += 3) {
		double at[3];

		for (unsigned i = 0; i < 3; i++)
			at[i] = (double)from[i] * unit_m + (reader->has_offsets ? 0 : smpl_root[i]);
		values[0] = (float)at[0];
		values[1] = (float)(up == UP_Y ? at[1] : up == UP_Z ? at[2] : -at[1]);
		values[2] = (float)(up == UP_Y ? at[2] : up == UP_Z ? -at[1] : -at[2]);
	}
}

/*
 * Read the rotations of a joint into reader->values, as x y z w, with the sign that is nearer to the frame before. Return 0
 * or -1.
 */
static int gather_rotations(struct npz_reader *reader, unsigned joint)
{
	const struct npz_block *block = &reader->blocks[reader->of[joint].block];
	float *q;

	if (npz_block_gather(reader, block, reader->of[joint].item) != 0)
		return -1;
	q = (float *)(void *)reader->values.data;
	for (size_t k = 0; k < reader->frames; k++, q += 4) {
		const float first = q[0];

		if (block->form == NPZ_QUATERNION && reader->w_first) {
			memmove(q, q + 1, 3 * sizeof *q);
			q[3] = first;
		}
		if (block->form == NPZ_AXIS) {
			double axis[3];

			for (unsigned i = 0; i < 3; i++)
				axis[i] = (double)q[i] * (reader->degrees ? ANIM_PI / 180 : 1);
			npz_rotation(NPZ_AXIS, axis, q);
		}
		for (unsigned i = 0; block->form == NPZ_SIX && reader->six_columns && i < 3; i++)
			q[i] = -q[i];
		if (k == 0 || anim_quat_dot(q, q - 4) >= 0)
			continue;
		for (unsigned i = 0; i < 4; i++)
			q[i] = -q[i];
	}
	return 0;
}

static bool has_form(const struct npz_reader *reader, unsigned joint, enum npz_form form)
{
	return reader->of[joint].block != SMPL_NO_JOINT && reader->blocks[reader->of[joint].block].form == form;
}

/*
 * Sum up how far six numbers look like columns: knees and elbows bend one way only, and a body whose head is down as rows
 * and up as columns is more likely the latter. Above 0: columns. Return 0 or -1.
 */
static int measure_columns(struct npz_reader *reader, double *columns)
{
	/* Knees bend about X, the left elbow about -Y and the right elbow about Y. */
	static const struct {
		uint8_t joint, axis;
		int8_t sign;
	} hinges[] = {{4, 0, 1}, {5, 0, 1}, {18, 1, -1}, {19, 1, 1}};

	*columns = 0;
	for (unsigned i = 0; i < ANIM_COUNT(hinges); i++) {
		const float *q;

		if (!has_form(reader, hinges[i].joint, NPZ_SIX))
			continue;
		if (gather_rotations(reader, hinges[i].joint) != 0)
			return -1;
		q = (const float *)(const void *)reader->values.data;
		for (size_t k = 0; k < reader->frames; k++, q += 4)
			*columns -= 2 * (double)q[hinges[i].axis] * (double)q[3] * hinges[i].sign;
	}
	if (has_form(reader, 0, NPZ_SIX)) {
		double rows_up = 0, columns_up = 0;
		const float *q;

		if (gather_rotations(reader, 0) != 0)
			return -1;
		q = (const float *)(const void *)reader->values.data;
		for (size_t k = 0; k < reader->frames; k++, q += 4) {
			rows_up += 2 * ((double)q[1] * (double)q[2] + (double)q[3] * (double)q[0]);
			columns_up += 2 * ((double)q[1] * (double)q[2] - (double)q[3] * (double)q[0]);
		}
		if (fabs(rows_up) > (double)reader->frames / 2 && rows_up * columns_up < 0)
			*columns = columns_up;
	}
	return 0;
}

/*
 * Decide the unit of angles, the order of quaternions and whether six numbers are rows or columns, with notes. Angles in
 * radians are at most pi, and so is their mean. In degrees, joints of humans rotate by 20 on average.
 * Return 0 or -1.
 */
static int find_conventions(struct npz_reader *reader)
{
	const struct anim_read_options *options = reader->options;
	bool has_quaternions = false, has_six = false, notes = options->bvh.unit_option != NULL;
	double columns = 0, angle = reader->angles == 0 ? 0 : reader->angle_sum / (double)reader->angles;

	reader->degrees = angle > ANIM_PI;
	if (reader->degrees && notes &&
	    anim_diagnostics_note(options->diagnostics, NULL, reader->error,
				  "angles of rotations are read as degrees, because they are too large for radians: "
				  "%.3g on average",
				  angle) != 0)
		return -1;
	for (unsigned i = 0; i < SMPL_JOINTS; i++) {
		has_quaternions |= has_form(reader, i, NPZ_QUATERNION);
		has_six |= has_form(reader, i, NPZ_SIX);
	}
	reader->w_first = (options->read_as & ANIM_AS_WXYZ) != 0 ||
			  ((options->read_as & ANIM_AS_XYZW) == 0 && reader->first_sum > reader->last_sum);
	if (has_quaternions && notes && (options->read_as & (ANIM_AS_WXYZ | ANIM_AS_XYZW)) == 0 &&
	    anim_diagnostics_note(options->diagnostics, NULL, reader->error,
				  "four numbers per joint are read as quaternions %s, because %s is the largest on "
				  "average; for %s, use " ANIM_OPTION_TO("parse", "read-as", "%s"),
				  reader->w_first ? "w x y z" : "x y z w", reader->w_first ? "the first" : "the last",
				  reader->w_first ? "x y z w" : "w x y z", reader->w_first ? "xyzw" : "wxyz") != 0)
		return -1;
	if (!has_six)
		return 0;
	if (measure_columns(reader, &columns) != 0)
		return -1;
	reader->six_columns =
	    (options->read_as & ANIM_AS_6D_COLUMNS) != 0 || ((options->read_as & ANIM_AS_6D_ROWS) == 0 && columns > 0);
	if (!notes || (options->read_as & (ANIM_AS_6D_ROWS | ANIM_AS_6D_COLUMNS)) != 0)
		return 0;
	return anim_diagnostics_note(
	    options->diagnostics, NULL, reader->error,
	    "six numbers per joint are read as two %s of a rotation matrix, because knees, elbows and head then look "
	    "more like a human's; for %s, use " ANIM_OPTION_TO("parse", "read-as", "6d-%s"),
	    reader->six_columns ? "columns" : "rows", reader->six_columns ? "rows" : "columns",
	    reader->six_columns ? "rows" : "columns");
}

/* Decide which axis is up: by the option, by the axis along which the body is upright, or by the names. Return 0 or -1. */
static int find_up(struct npz_reader *reader, enum up *up)
{
	static const char *const names[] = {"Y", "Z", "-Y"}, *const others[] = {"z", "y", "y"};
	enum anim_read_up option = reader->options->up;
	double upright[3] = {0}; /* by up: the sum of the parts of the root's Y axis along it */
	enum up best;
	const float *q;

	*up = option == ANIM_READ_UP_Z || (option == ANIM_READ_UP_ANY && !reader->is_y_up) ? UP_Z : UP_Y;
	if (option != ANIM_READ_UP_ANY)
		return 0;
	if (gather_rotations(reader, 0) != 0)
		return -1;
	q = (const float *)(const void *)reader->values.data;
	for (size_t k = 0; k < reader->frames; k++, q += 4) {
		upright[UP_Y] += 1 - 2 * ((double)q[0] * (double)q[0] + (double)q[2] * (double)q[2]);
		upright[UP_Z] += 2 * ((double)q[1] * (double)q[2] + (double)q[3] * (double)q[0]);
	}
	/* Only programs that analyse video have the axes of a camera. */
	upright[UP_MINUS_Y] = reader->is_y_up ? -upright[UP_Y] : -(double)reader->frames;
	best = upright[UP_Z] > upright[UP_Y] ? UP_Z : UP_Y;
	best = upright[UP_MINUS_Y] > upright[best] ? UP_MINUS_Y : best;
	if (upright[best] - upright[*up] <= (double)reader->frames / 2)
		return 0;
	*up = best;
	return anim_diagnostics_note(
	    reader->options->diagnostics, "file", reader->error,
	    "no upward axis" ANIM_DETAIL
	    ": the body is upright along %s, so this axis is taken; if that is wrong, use " ANIM_OPTION_TO("parse",
													   "up", "%s"),
	    names[best], others[best]);
}

#define HEIGHT_MOST 20 /* metres of a root above the ground, on average, without a note */

static int push_tracks(struct npz_reader *reader, struct anim_sink *sink)
{
	enum up up;

	if (find_conventions(reader) != 0 || find_up(reader, &up) != 0)
		return -1;
	if (reader->root.block != SMPL_NO_JOINT) {
		const float *values;
		double height;

		if (npz_block_gather(reader, &reader->blocks[reader->root.block], reader->root.item) != 0)
			return -1;
		place_root(reader, (float *)(void *)reader->values.data, up);
		/* Note a height of the root that is unusual in metres. */
		values = (const float *)(const void *)reader->values.data;
		height = 0;
		for (size_t k = 0; k < reader->frames; k++)
			height += (double)values[3 * k + 1] / (double)reader->frames;
		if (!(fabs(height) <= HEIGHT_MOST) && !reader->has_offsets && !(reader->options->unit_m > 0) &&
		    reader->options->bvh.unit_option != NULL &&
		    anim_diagnostics_note(reader->options->diagnostics, "file", reader->error,
					  "no unit of length" ANIM_DETAIL
					  ": in metres, the root is at a height of %.3g; if that is wrong, use %s cm "
					  "or a number of metres",
					  height, reader->options->bvh.unit_option) != 0)
			return -1;
		if (push_track(reader, 0, false, sink) != 0)
			return -1;
	}
	for (unsigned i = 0; i < SMPL_JOINTS; i++) {
		if (reader->of[i].block == SMPL_NO_JOINT)
			continue;
		if (gather_rotations(reader, i) != 0)
			return -1;
		for (size_t k = 0; i == 0 && up != UP_Y && k < reader->frames; k++) {
			float *q = (float *)(void *)reader->values.data + 4 * k;
			double wide[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};

			anim_quat_multiply_double(wide, up_rotations[up], wide);
			for (unsigned c = 0; c < 4; c++)
				q[c] = (float)wide[c];
		}
		if (push_track(reader, i, true, sink) != 0)
			return -1;
	}
	return 0;
}

#define RESIDUAL_WARNED 0.01 /* metres */

static int push(struct npz_reader *reader, struct anim_sink *sink)
{
	struct anim_place place = {.file = anim_input_name(reader->input), .at = ANIM_AT_FILE};

	if (reader->of[0].block == SMPL_NO_JOINT) {
		struct anim_buffer *list = reader->objects.size > 0 ? &reader->objects : &reader->others;
		char shown[200];

		anim_text_safe(shown, sizeof shown, list->size > 0 ? (const char *)list->data : "", list->size);
		if (reader->objects.size > 0)
			return anim_fail_at(reader->error, ANIM_UNSUPPORTED, &place, "no motion: %s " NPZ_PICKLED,
					    shown);
		return anim_fail_at(
		    reader->error, ANIM_UNSUPPORTED, &place,
		    "no motion among the arrays (%s); known are poses and trans (SMPL, AMASS), root_orient and "
		    "pose_body, smpl_poses (AIST++), joints, and times, names and values of our own files",
		    list->size > 0 ? shown : "none");
	}
	/* All arrays must have as many frames as the root's rotations. */
	reader->frames = reader->blocks[reader->of[0].block].frames;
	for (unsigned i = 0; i <= SMPL_JOINTS; i++) {
		unsigned block = i < SMPL_JOINTS ? reader->of[i].block : reader->root.block;

		if (block != SMPL_NO_JOINT && reader->blocks[block].frames != reader->frames)
			return anim_fail_at(reader->error, ANIM_BAD_INPUT, &place,
					    "arrays have different numbers of frames: the root has %zu, %s %zu",
					    reader->frames, i < SMPL_JOINTS ? smpl_joints[i].name : "the translation",
					    reader->blocks[block].frames);
	}
	/* Use the mean offsets, with a note, if the file has none. */
	if (!reader->has_offsets) {
		for (unsigned i = 1; i < SMPL_JOINTS; i++)
			for (unsigned axis = 0; axis < 3; axis++)
				reader->offsets[i][axis] = smpl_joints[i].offset[axis] / 100.0;
		reader->offsets[0][1] = SMPL_ROOT_HEIGHT;
		if (reader->options->bvh.unit_option != NULL &&
		    anim_diagnostics_note(reader->options->diagnostics, "file", reader->error,
					  "no skeleton, so joints get the mean lengths of adults, rounded to "
					  "centimetres; " ANIM_ADVICE(TO_MODEL)) != 0)
			return -1;
	} else if (anim_diagnostics_add(
		       reader->options->diagnostics, reader->residual > RESIDUAL_WARNED ? ANIM_WARNING : ANIM_NOTE,
		       NULL, NULL, reader->error,
		       "rotations are found from positions of joints, with the lengths in the first frame: "
		       "joints are up to %.2g mm from their positions, and twists are the smallest possible",
		       reader->residual * 1000) != 0) {
		return -1;
	}
	if (push_tree(reader, sink) != 0 || push_clip(reader, sink) != 0)
		return -1;
	return push_tracks(reader, sink);
}

/*
 * Read an archive of arrays, or a file with a single array: rotations of all joints, or positions. Return 1 if it was a
 * table, which is complete, 0, or -1.
 */
static int read_file(struct npz_reader *reader, bool is_archive, struct anim_sink *sink)
{
	static const struct name any = {"", ROLE_ANY, 0, point_counts, false, 1};
	struct npy_array array = {.input = reader->input, .error = reader->error, .name = ""};
	bool is_first = true;
	int more;

	if (!is_archive) {
		if (npy_begin(&array) != 0 || read_rotations(reader, &array, &any) != 0)
			return -1;
		return npy_end(&array);
	}
	for (; (more = npz_next_array(reader, &array)) > 0; is_first = false) {
		if (is_first && strcmp(array.name, "times") == 0)
			return npz_read_table(reader, &array, sink) == 0 ? 1 : -1;
		if (read_array(reader, &array) != 0)
			return -1;
	}
	return more;
}

int anim_npz_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct npz_reader reader = {.options = options,
				    .error = error,
				    .input = input,
				    .zip = {.input = input, .trust_size = options->trust_size, .error = error},
				    .scaling = 1,
				    .unit_m = options->unit_m > 0 ? options->unit_m : 1};
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, 4, &at, error);
	int result = -1;

	memset(reader.of, SMPL_NO_JOINT, sizeof reader.of);
	memset(&reader.root, SMPL_NO_JOINT, sizeof reader.root);
	anim_spool_init(&reader.spool, options->store_memory);
	if (size >= 0)
		result = read_file(&reader, anim_bytes_begin(at, (size_t)size, "PK"), sink);
	anim_buffer_clear(&reader.tile);
	if (result == 0)
		result = push(&reader, sink);
	if (result < 0)
		anim_error_in_file(error, anim_input_name(input));
	zip_clear(&reader.zip);
	anim_spool_clear(&reader.spool);
	anim_buffer_clear(&reader.tile);
	anim_buffer_clear(&reader.run);
	anim_buffer_clear(&reader.values);
	anim_buffer_clear(&reader.gender);
	anim_buffer_clear(&reader.betas);
	anim_buffer_clear(&reader.objects);
	anim_buffer_clear(&reader.others);
	anim_buffer_clear(&reader.path);
	anim_arena_clear(&reader.texts);
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
