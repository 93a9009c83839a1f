/* motion.c: anim_amc_read. Finds the skeleton, keeps the motion of all bones, then sends tree and tracks. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/advice.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "format/asf/asf.h"
#include "format/asf/skeleton.h"
#include "math/elementary.h"
#include "stream/frames.h"

#define DEFAULT_RATE 120 /* Carnegie Mellon University's takes, in which nearly all files are */
#define NEVER SIZE_MAX

/* The motion of one bone. In a frame, its rotation comes before its position. */
struct moved_bone {
	bool rotates, moves;
	size_t first;      /* of its numbers in a frame */
	size_t last_frame; /* the last frame that has a line of it, or NEVER */
};

struct motion_reading {
	const struct anim_read_options *options;
	struct anim_error *error;
	struct asf_lines lines;
	struct asf_skeleton skeleton;
	struct anim_buffer moved; /* struct moved_bone, for each bone */
	bool in_radians, in_frame, warned_gap;
	double rate;     /* in the file, or 0 */
	double step_s;   /* if the rate is not a simple fraction, otherwise 0 */
	uint64_t number; /* of the current frame in the file */
	uint32_t next;   /* the bone that probably comes next */

	size_t frames;
	size_t seen, expected; /* bones with a line in this frame, and in the first frame */
	struct anim_frames motion;
	float *frame; /* numbers of the current frame */
	struct anim_buffer values, path;
	struct anim_clip clip;
};

static struct moved_bone *moved_at(const struct motion_reading *reading, uint32_t number)
{
	return (struct moved_bone *)(void *)reading->moved.data + number;
}

/* ---- The skeleton ---- */

/* Open a regular file if it exists. Return 1, 0 if it does not, or -1. */
static int open_beside(struct motion_reading *reading, const char *path, struct anim_arena *arena, int *fd)
{
	const char *real, *why = NULL;
	int found = anim_path_real(arena, path, &real, reading->error);

	if (found < 0)
		return -1;
	if (found == 0 && !anim_path_is_refused(errno))
		return 0;
	*fd = found > 0 ? anim_open_regular(real, &why) : -1;
	if (*fd >= 0)
		return 1;
	if (why != NULL)
		return 0;
	anim_fail_system(reading->error, "cannot open");
	return anim_error_in_file(reading->error, path);
}

/*
 * Find the skeleton of "01_02.amc": 01_02.asf, or 01.asf. Names are cut at each '_' from the last one on. Return 1 with
 * *fd and *shown, 0 if it does not exist, or -1.
 */
static int find_beside(struct motion_reading *reading, const char *motion, struct anim_arena *arena, int *fd,
		       const char **shown)
{
	char *stem = anim_arena_text(arena, motion, strlen(motion), reading->error);
	char *last = stem == NULL ? NULL : strrchr(stem, '/'), *dot;
	int got = 0;

	if (stem == NULL)
		return -1;
	last = last == NULL ? stem : last + 1;
	dot = strrchr(last, '.');
	if (dot != NULL && strcmp(dot, ".gz") == 0) {
		*dot = '\0';
		dot = strrchr(last, '.');
	}
	for (char *end = dot != NULL ? dot : last + strlen(last); got == 0 && end != NULL && end > last;
	     end = strrchr(last, '_')) {
		*end = '\0';
		*shown = anim_arena_printf(arena, reading->error, "%s.asf", stem);
		got = *shown == NULL ? -1 : open_beside(reading, *shown, arena, fd);
	}
	return got;
}

/* Read the skeleton that options->asf names, or the one beside the motion. Return 0 or -1. */
static int read_skeleton(struct motion_reading *reading, const struct anim_input *motion)
{
	const struct anim_read_options *options = reading->options;
	const char *name = anim_input_name(motion), *shown = options->asf;
	struct anim_input *input = NULL;
	struct anim_arena arena = {0};
	int got = 1, fd = -1; /* got: 1, 0 without a skeleton, or -1 */

	if (shown == NULL)
		got = anim_input_is_pipe(motion) || options->no_external
			  ? 0
			  : find_beside(reading, name, &arena, &fd, &shown);
	if (got == 0) {
		anim_fail(reading->error, ANIM_UNSUPPORTED,
			  "the skeleton of a motion is in an .asf file%s%.200s%s; to name it, use " ANIM_OPTION_TO(
			      "parse", "asf", "FILE"),
			  shown == NULL ? "" : ", and the folder has no '", shown == NULL ? "" : anim_path_last(shown),
			  shown == NULL ? "" : "'");
		got = anim_error_in_file(reading->error, name);
	}
	if (got > 0)
		got = anim_read_open(options, fd, shown, &input, reading->error);
	anim_arena_clear(&arena);
	if (got == 0)
		got = asf_skeleton_read(&reading->skeleton, input, options, reading->error);
	anim_input_close(input);
	if (fd >= 0)
		close(fd);
	return got;
}

/* Give each bone that has degrees of freedom its place in a frame. Return 0 or -1. */
static int lay_out(struct motion_reading *reading)
{
	uint32_t count = asf_bone_count(&reading->skeleton);
	size_t width = 0;

	if (anim_buffer_extend(&reading->moved, count * sizeof(struct moved_bone), reading->error) == NULL)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		const struct asf_bone *bone = asf_bone_at(&reading->skeleton, i);
		struct moved_bone moved = {.first = width, .last_frame = NEVER};

		for (size_t k = 0; k < bone->dof_count; k++) {
			moved.rotates |= bone->dofs[k] >= ASF_ROTATION && bone->dofs[k] < ASF_LENGTH;
			moved.moves |= bone->dofs[k] < ASF_ROTATION;
		}
		width += (moved.rotates ? 4 : 0) + (moved.moves ? 3 : 0);
		*moved_at(reading, i) = moved;
	}
	reading->motion.width = width;
	return 0;
}

/* ---- Frames ---- */

/* Compute the rotation of a bone in its parent's space. Motion is measured in the frame of the bone's axis. */
static void compute_rotation(const struct motion_reading *reading, uint32_t number, const float *angles, float *out)
{
	const double unit = reading->in_radians ? 1 : ANIM_PI / 180;
	const struct asf_bone *bone = asf_bone_at(&reading->skeleton, number);
	double q[4], inverse[4], radians[3];

	for (size_t i = 0; i < 3; i++)
		radians[i] = (double)angles[i] * unit;
	anim_quat_from_euler_double(q, radians, bone->order);
	if (number == 0) {
		anim_quat_multiply_double(q, reading->skeleton.orientation, q);
	} else {
		anim_quat_conjugate_double(inverse, bone->axis);
		anim_quat_multiply_double(q, q, inverse);
		anim_quat_multiply_double(q, bone->axis, q);
	}
	out[0] = (float)q[0];
	out[1] = (float)(reading->skeleton.z_up ? q[2] : q[1]);
	out[2] = (float)(reading->skeleton.z_up ? -q[1] : q[2]);
	out[3] = (float)q[3];
}

/* Compute the place of a bone in its parent's space: its rest place and its motion, in the frame of its axis. */
static void compute_position(const struct motion_reading *reading, uint32_t number, const float *moved, float *out)
{
	const struct asf_bone *bone = asf_bone_at(&reading->skeleton, number);
	double v[3] = {(double)moved[0], (double)moved[1], (double)moved[2]};
	float rotated[3], offset[3];

	if (number != 0)
		anim_quat_rotate_double(v, bone->axis, v);
	for (size_t i = 0; i < 3; i++)
		rotated[i] = (float)v[i];
	asf_in_space(&reading->skeleton, rotated, rotated);
	asf_bone_offset(&reading->skeleton, number, offset);
	for (size_t i = 0; i < 3; i++)
		out[i] = offset[i] + rotated[i];
}

/* Finish the current frame, if there is one. Return 0 or -1. */
static int end_frame(struct motion_reading *reading)
{
	if (reading->seen == 0)
		return asf_fail(&reading->lines, "frame %llu has no lines", (unsigned long long)reading->number);
	if (reading->frames == 0)
		reading->expected = reading->seen;

	/* Check that the frame has the bones of the first one. */
	for (uint32_t i = 0; i < asf_bone_count(&reading->skeleton) && reading->seen < reading->expected; i++) {
		const struct moved_bone *moved = moved_at(reading, i);
		if (moved->last_frame != NEVER && moved->last_frame != reading->frames)
			return asf_fail(&reading->lines, "frame %llu has no line for '%s'",
					(unsigned long long)reading->number, asf_bone_at(&reading->skeleton, i)->name);
	}
	reading->frames++;
	return 0;
}

/* ---- Lines ---- */

static int begin_frame(struct motion_reading *reading, uint64_t number)
{
	struct anim_place place = anim_lines_place(&reading->lines.lines, reading->lines.word);

	if (reading->in_frame && end_frame(reading) != 0)
		return -1;
	if (reading->frames > 0 && number != reading->number + 1 && !reading->warned_gap) {
		reading->warned_gap = true; /* frames have no times, so one warning about their numbers is enough */
		if (anim_diagnostics_add(
			reading->options->diagnostics, ANIM_WARNING, &place, NULL, reading->error,
			"frame %llu comes after frame %llu; frames are read as if no frame were missing",
			(unsigned long long)number, (unsigned long long)reading->number) != 0)
			return -1;
	}
	if (reading->frames >= ANIM_KEYS_MAX)
		return asf_fail(&reading->lines, "more than %u frames", ANIM_KEYS_MAX);
	reading->frame = anim_frames_add(&reading->motion, reading->error);
	if (reading->frame == NULL)
		return -1;
	reading->in_frame = true;
	reading->number = number;
	reading->seen = 0;
	return 0;
}

static int read_header(struct motion_reading *reading)
{
	struct asf_lines *lines = &reading->lines;
	float rate;
	int got;

	if (asf_is_word(lines, ":degrees") || asf_is_word(lines, ":radians"))
		reading->in_radians = asf_is_word(lines, ":radians");
	if (!asf_is_word(lines, ":samples-per-second"))
		return 0;
	got = asf_numbers(lines, &rate, 1);
	if (got != 1 || !(rate >= 0.001F && rate <= 1e6F))
		return got < 0 ? -1 : asf_fail(lines, "a rate from 0.001 to 1e6 expected");
	reading->rate = (double)rate;
	return 0;
}

/* Read the numbers of a line. The fast path reads usual ones, and the other path reads the rest. */
static int read_values(struct motion_reading *reading, float *values, size_t count)
{
	struct asf_lines *lines = &reading->lines;
	const char *next;
	size_t done;
	int more;

	while (lines->at < lines->end && (*lines->at == ' ' || *lines->at == '\t'))
		lines->at++;
	done = anim_number_row(lines->at, lines->end, values, count, &next);
	for (size_t i = 0; i < done; i++)
		if (!isfinite(values[i]))
			return asf_numbers(lines, values, count); /* which reports the number */
	if (done > 0)
		lines->at = next;
	more = asf_numbers(lines, values + done, count - done);
	return more < 0 ? -1 : (int)done + more;
}

static int read_bone_line(struct motion_reading *reading)
{
	struct asf_lines *lines = &reading->lines;
	const struct asf_bone *bone = asf_bone_at(&reading->skeleton, reading->next);
	uint32_t number = reading->next;
	float values[ASF_DOFS] = {0}, by_dof[ASF_DOFS] = {0}, *to;
	struct moved_bone *moved;
	size_t dofs;
	char shown[64];
	int got;

	/* Frames list the bones in the same order, so the expected one is tried first. */
	if (strlen(bone->name) != lines->length || memcmp(bone->name, lines->word, lines->length) != 0)
		number = asf_bone_find(&reading->skeleton, lines->word, lines->length);
	anim_text_safe(shown, sizeof shown, lines->word, lines->length);
	if (number == ASF_NO_BONE)
		return asf_fail(lines, "'%s' is not a bone of %s", shown, reading->skeleton.shown);
	bone = asf_bone_at(&reading->skeleton, number);
	dofs = bone->dof_count;
	got = read_values(reading, values, dofs);
	if (got < 0)
		return -1;
	if ((size_t)got != dofs)
		return asf_fail(lines, "'%s' has %s numbers than degrees of freedom in %s, which are %zu", shown,
				(size_t)got < dofs ? "fewer" : "more", reading->skeleton.shown, dofs);
	moved = moved_at(reading, number);
	if (moved->last_frame == reading->frames)
		return asf_fail(lines, "a second line for '%s' in frame %llu", shown,
				(unsigned long long)reading->number);
	if (moved->last_frame == NEVER && reading->frames > 0)
		return asf_fail(lines, "'%s' has no line in the first frame", shown);
	moved->last_frame = reading->frames;
	reading->seen++;
	reading->next = number + 1 < asf_bone_count(&reading->skeleton) ? number + 1 : 0;

	for (size_t i = 0; i < dofs; i++)
		by_dof[bone->dofs[i]] = values[i];
	to = reading->frame + moved->first;
	if (moved->rotates)
		compute_rotation(reading, number, by_dof + ASF_ROTATION, to);
	if (moved->moves)
		compute_position(reading, number, by_dof, to + (moved->rotates ? 4 : 0));
	return 0;
}

/* Read a line that is only the number of a frame. Lines of bones, whose names may begin with digits, have numbers after it. */
static bool is_frame(const struct asf_lines *lines, uint64_t *number)
{
	struct asf_lines rest = *lines;
	const char *end = lines->word + lines->length;

	return lines->word[0] >= '0' && lines->word[0] <= '9' && lines->length <= 19 && !asf_next_word(&rest) &&
	       anim_number_uint64(lines->word, end, number) == end;
}

static int read_motion(struct motion_reading *reading)
{
	struct asf_lines *lines = &reading->lines;
	uint64_t number;
	int got;

	while ((got = asf_next_line(lines)) > 0) {
		int result;

		if (lines->word[0] == ':')
			result =
			    reading->in_frame ? asf_fail(lines, "a keyword inside the motion") : read_header(reading);
		else if (is_frame(lines, &number))
			result = begin_frame(reading, number);
		else
			result = reading->in_frame ? read_bone_line(reading)
						   : asf_fail(lines, "the number of a frame expected");
		if (result != 0)
			return -1;
	}
	if (got == 0)
		got = reading->in_frame ? end_frame(reading) : asf_fail(lines, "the file ends before its first frame");
	return got != 0 ? -1 : anim_frames_end(&reading->motion, reading->error);
}

/* ---- Into the sink ---- */

static int push_track(struct motion_reading *reading, uint32_t bone, bool rotation, struct anim_sink *sink)
{
	const struct moved_bone *moved = moved_at(reading, bone);
	struct anim_track track = {.kind = ANIM_RAW,
				   .type = rotation ? ANIM_FLOATQ : ANIM_FLOAT3,
				   .property = rotation ? "rotation" : "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = reading->frames,
				   .step_s = reading->step_s,
				   .rate_num = reading->clip.rate_num,
				   .rate_den = reading->clip.rate_den};

	size_t count = rotation ? 4 : 3;
	float *values;

	if (!(rotation ? moved->rotates : moved->moves) || moved->last_frame == NEVER)
		return 0;
	track.node = asf_bone_path(&reading->skeleton, bone, &reading->path, reading->error);
	reading->values.size = 0;
	values = anim_buffer_extend(&reading->values, reading->frames * count * sizeof *values, reading->error);
	if (track.node == NULL || values == NULL ||
	    anim_frames_copy(&reading->motion, moved->first + (rotation || !moved->rotates ? 0 : 4), count, values,
			     count, reading->error) != 0)
		return -1;
	if (rotation)
		anim_quat_smooth_signs(values, reading->frames);
	track.value = reading->values.data;
	return anim_sink_track(sink, &track, reading->error);
}

static int push(struct motion_reading *reading, const char *file, struct anim_sink *sink)
{
	const struct anim_read_options *options = reading->options;
	struct anim_clip *clip = &reading->clip;
	double step_s;
	const char *name = anim_read_base_name(file, &reading->skeleton.arena, reading->error);

	if (name == NULL)
		return -1;

	clip->rate_den = 1;
	clip->rate_num = DEFAULT_RATE;
	if (options->rate_num > 0) {
		clip->rate_num = options->rate_num;
		clip->rate_den = options->rate_den;
	} else if (reading->rate > 0) {
		if (!anim_read_rate(reading->rate, ANIM_READ_RATE_FLOAT, &clip->rate_num, &clip->rate_den)) {
			clip->rate_num = clip->rate_den = 0;
			reading->step_s = 1 / reading->rate;
		}
	} else if (options->bvh.unit_option != NULL &&
		   anim_diagnostics_note(
		       options->diagnostics, "file", reading->error,
		       "no frame rate, so 120 per second is assumed; to change it, use " ANIM_OPTION_TO("parse", "fps",
													"RATE")) != 0) {
		return -1;
	}

	/* Warn about motion that was not read: bones without lines, and bones that change their length. */
	for (uint32_t i = 0; i < asf_bone_count(&reading->skeleton); i++) {
		const struct asf_bone *bone = asf_bone_at(&reading->skeleton, i);

		if (bone->dof_count > 0 && moved_at(reading, i)->last_frame == NEVER &&
		    anim_diagnostics_warn(options->diagnostics, "bone", reading->error,
					  "'%s': free to move, but without motion in the file", bone->name) != 0)
			return -1;
		if (memchr(bone->dofs, ASF_LENGTH, bone->dof_count) != NULL &&
		    anim_diagnostics_warn(options->diagnostics, "bone", reading->error,
					  "'%s': changes of length are not read", bone->name) != 0)
			return -1;
	}

	if (asf_skeleton_push(&reading->skeleton, name, file, sink, reading->error) != 0)
		return -1;
	clip->name = name;
	step_s = clip->rate_num == 0 ? reading->step_s : (double)clip->rate_den / clip->rate_num;
	clip->end_s = reading->frames == 0 ? 0 : (float)((double)(reading->frames - 1) * step_s);
	clip->axes = ANIM_AXES_GLTF;
	clip->flags = ANIM_IN_TREE;
	clip->root = ".";
	clip->source = "asf";
	if (anim_sink_clip(sink, clip, reading->error) != 0)
		return -1;
	for (uint32_t i = 0; i < asf_bone_count(&reading->skeleton); i++)
		if (push_track(reading, i, false, sink) != 0 || push_track(reading, i, true, sink) != 0)
			return -1;
	return 0;
}

int anim_amc_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct motion_reading reading = {.options = options, .error = error};
	int result = read_skeleton(&reading, input);

	asf_lines_init(&reading.lines, input, error);
	reading.in_radians = reading.skeleton.in_radians;
	anim_frames_init(&reading.motion, options->store_memory);
	if (result == 0)
		result = lay_out(&reading);
	if (result == 0 && read_motion(&reading) != 0)
		result = anim_error_in_file(error, anim_input_name(input));
	if (result == 0)
		result = push(&reading, anim_read_source_file(options, input), sink);
	asf_skeleton_clear(&reading.skeleton);
	anim_frames_clear(&reading.motion);
	anim_buffer_clear(&reading.moved);
	anim_buffer_clear(&reading.values);
	anim_buffer_clear(&reading.path);
	return result;
}
