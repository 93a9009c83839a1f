/* reader.c: anim_bvh_read. Reads joints, keeps the motion, then sends the tree and the tracks. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/text.h"
#include "format/bvh/bvh.h"
#include "format/bvh/text.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "stream/frames.h"

#define NO_JOINT UINT32_MAX
#define WORD_MAX 512 /* bytes of a word or number */

struct joint {
	const char *name;     /* unique among the joints */
	const char *original; /* the name in the file, or NULL if `name` is the same */
	uint32_t parent;      /* NO_JOINT: a root */
	bool end, named;      /* end: it is an End Site, named: it has a name in the file */
	bool has_offset, has_channels;
	float offset[3];
	size_t first; /* number of its first channel in a frame */
	struct bvh_channels channels;
};

struct reader {
	const struct anim_read_options *options;
	struct anim_error *error;

	/* The cursor. Words come from windows of bytes. Lines are counted only for messages. */
	struct anim_input *input;
	const char *begin, *at, *end; /* the window, and its next byte */
	bool last;                    /* the window is the last one */
	uint32_t line;                /* lines before the current one */
	uint64_t line_start;          /* offset of its first byte */
	const char *word;             /* the last word or name, in the window */
	size_t length;

	/* The joints. */
	struct anim_buffer joints; /* struct joint */
	uint32_t joint;            /* the joint whose braces are open, or NO_JOINT */
	unsigned depth;
	struct anim_arena texts;
	struct anim_map names; /* name of a joint -> the number that its last duplicate got */
	bool latin;            /* a name is not UTF-8 */
	double unit;
	bool z_up; /* the Z axis of the file points up */

	/* The motion. */
	size_t width, frames; /* width: numbers per frame */
	struct anim_clip clip;
	double step_s; /* frame time, if the clip has no rate */
	char frame_time[BVH_FRAME_TIME_TEXT];
	struct anim_frames motion;
	struct anim_buffer values, path; /* values: of the current track */
};

static struct joint *joint_at(const struct reader *reader, uint32_t number)
{
	return (struct joint *)(void *)reader->joints.data + number;
}

static uint32_t joint_count(const struct reader *reader)
{
	return (uint32_t)(reader->joints.size / sizeof(struct joint));
}

/* ---- Words and numbers ---- */

static uint64_t offset_of(const struct reader *reader, const char *at)
{
	return anim_input_offset(reader->input) + (uint64_t)(at - reader->begin);
}

/* Return the line and column of a byte in the window. */
static struct anim_place place_of(const struct reader *reader, const char *at)
{
	uint64_t column = offset_of(reader, at) - reader->line_start + 1;

	return (struct anim_place){.file = anim_input_name(reader->input),
				   .at = ANIM_AT_LINE,
				   .line = reader->line + 1,
				   .column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX};
}

/* Fail at a byte of the window. Return -1. */
__attribute__((format(printf, 3, 4))) static int fail(const struct reader *reader, const char *at, const char *format,
						      ...)
{
	struct anim_place place = place_of(reader, at);
	va_list args;

	va_start(args, format);
	anim_fail_va(reader->error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

/* Make `want` bytes visible at the cursor, or all remaining bytes if there are fewer. Return 0 or -1. */
static int need(struct reader *reader, size_t want)
{
	const uint8_t *window;
	ssize_t got;

	if (reader->last || (size_t)(reader->end - reader->at) >= want)
		return 0;
	if (reader->begin != NULL)
		anim_input_skip(reader->input, (size_t)(reader->at - reader->begin));
	got = anim_input_peek(reader->input, want, &window, reader->error);
	if (got < 0)
		return -1;
	reader->begin = reader->at = (const char *)window;
	reader->end = reader->begin + got;
	reader->last = (size_t)got < want;
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skip blanks. A line ends with a carriage return, a line feed, or both. Return 1, 0 at the end of the file, or -1. */
static int skip_blanks(struct reader *reader)
{
	char before = ' ';

	for (;;) {
		for (; reader->at < reader->end && is_blank(*reader->at); before = *reader->at++)
			if (*reader->at == '\n' || *reader->at == '\r') {
				reader->line += *reader->at != '\n' || before != '\r';
				reader->line_start = offset_of(reader, reader->at) + 1;
			}
		if (reader->at < reader->end)
			return 1;
		if (reader->last)
			return 0;
		if (need(reader, 1) != 0)
			return -1;
	}
}

/* Read the next word, or a brace, into reader->word. Return 1, 0 at the end of the file, or -1. */
static int next_word(struct reader *reader)
{
	int more = skip_blanks(reader);
	const char *end;

	if (more <= 0)
		return more;
	if (need(reader, WORD_MAX) != 0)
		return -1;
	end = reader->at;
	while (end < reader->end && (unsigned char)*end > ' ' && *end != '{' && *end != '}')
		end++;
	end += end == reader->at;
	if (end - reader->at >= WORD_MAX)
		return fail(reader, reader->at, "a word of more than %d bytes", WORD_MAX);
	reader->word = reader->at;
	reader->length = (size_t)(end - reader->at);
	reader->at = end;
	return 1;
}

/* Read the rest of the line, or the text before a '{', without blanks around it, as a word. Return 0 or -1. */
static int read_name(struct reader *reader)
{
	const char *end, *line_end;

	if (need(reader, 2 * ANIM_BVH_NAME_MAX) != 0)
		return -1;
	for (end = reader->at; end < reader->end && *end != '\n' && *end != '\r' && *end != '{'; end++)
		continue;
	line_end = end;
	while (reader->at < end && is_blank(*reader->at))
		reader->at++;
	while (reader->at < end && is_blank(end[-1]))
		end--;
	if ((size_t)(end - reader->at) > ANIM_BVH_NAME_MAX)
		return fail(reader, reader->at, "a name of more than %zu bytes", (size_t)ANIM_BVH_NAME_MAX);
	reader->word = reader->at;
	reader->length = (size_t)(end - reader->at);
	reader->at = line_end;
	return 0;
}

static bool is_word(const struct reader *reader, const char *wanted)
{
	return strlen(wanted) == reader->length && strncasecmp(reader->word, wanted, reader->length) == 0;
}

/* Fail because the word is not `wanted`. Return -1. */
static int refuse(const struct reader *reader, const char *wanted)
{
	char shown[64];

	anim_text_safe(shown, sizeof shown, reader->word, reader->length);
	return fail(reader, reader->word, "%s expected, found '%s'", wanted, shown);
}

/* Read the next word. `wanted` names the expected word for the message. Return 0 or -1. */
static int some_word(struct reader *reader, const char *wanted)
{
	int more = next_word(reader);

	if (more == 0)
		return fail(reader, reader->at, "%s expected, the file ends here", wanted);
	return more < 0 ? -1 : 0;
}

static int expect(struct reader *reader, const char *wanted)
{
	if (some_word(reader, wanted) != 0)
		return -1;
	return is_word(reader, wanted) ? 0 : refuse(reader, wanted);
}

/* Read a number. Other programs also write ".5" and "+1", which become numbers that base/number.h can read. Return 0 or -1. */
static int read_float(struct reader *reader, float *value)
{
	char copy[2 * WORD_MAX] = "", shown[64], *end = copy;
	const char *from;
	size_t length;

	if (next_word(reader) < 0)
		return -1;
	from = reader->word;
	length = reader->length;
	if (*from == '-')
		*end++ = '-';
	if (*from == '-' || *from == '+') {
		from++;
		length--;
	}
	if (length > 1 && *from == '.')
		*end++ = '0';
	memcpy(end, from, length);
	end += length;
	anim_text_safe(shown, sizeof shown, reader->word, reader->length);
	if (anim_number_float_of_double(copy, end, value) != end || (!anim_is_digit(end[-1]) && end[-1] != '.'))
		return fail(reader, reader->word, "'%s' is not a number", shown);
	if (!(*value >= -FLT_MAX && *value <= FLT_MAX))
		return fail(reader, reader->word, "%s is too large for a float", shown);
	return 0;
}

#define RUN_MAX ((size_t)4096) /* numbers read at once (all of them again if one is too large) */

/* Read up to `count` numbers. Set *done to how many there were before the end of the file. Return 0 or -1. */
static int read_floats(struct reader *reader, float *values, size_t count, size_t *done)
{
	for (*done = 0; *done < count;) {
		size_t most = count - *done < RUN_MAX ? count - *done : RUN_MAX, plain;
		int more = skip_blanks(reader);
		bool is_finite = true;
		const char *next;

		if (more <= 0)
			return more;
		plain = anim_number_row(reader->at, reader->end, values + *done, most, &next);
		for (size_t i = 0; i < plain; i++)
			is_finite &= values[*done + i] >= -FLT_MAX && values[*done + i] <= FLT_MAX;
		if (plain > 0 && is_finite) {
			reader->at = next;
			*done += plain;
		} else if (read_float(reader, values + *done) != 0) {
			return -1;
		} else {
			++*done;
		}
	}
	return 0;
}

/* ---- Names ---- */

/*
 * Return the name in a form that a path can contain. If another joint has it, append a number: "Name-2". Return NULL if
 * out of memory.
 */
static const char *unique_name(struct reader *reader, const char *original)
{
	char *name = anim_arena_text(&reader->texts, original, strlen(original), reader->error);
	const char *unique;
	uint32_t number, other;

	for (char *at = name; at != NULL && *at != '\0'; at++)
		if (*at == '/')
			*at = '_';
	if (name != NULL && (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0))
		name = anim_arena_text(&reader->texts, "joint", 5, reader->error);
	unique = name;
	if (name != NULL && anim_map_get(&reader->names, 0, name, strlen(name), &number)) {
		do
			unique = anim_arena_printf(&reader->texts, reader->error, "%s-%u", name, ++number);
		while (unique != NULL && anim_map_get(&reader->names, 0, unique, strlen(unique), &other));
		if (anim_map_put(&reader->names, 0, name, strlen(name), number, reader->error) != 0)
			return NULL;
	}
	if (unique == NULL || anim_map_put(&reader->names, 0, unique, strlen(unique), 1, reader->error) != 0)
		return NULL;
	return unique;
}

/* Set the joint's name to the word. Control characters and NULs become blanks. Return 0 or -1. */
static int name_joint(struct reader *reader, struct joint *joint)
{
	struct anim_buffer *text = &reader->path;
	const char *name;
	char *original, code[4];

	text->size = 0;

	/* Append the word as UTF-8. If it is not valid UTF-8, read its bytes as Latin-1. */
	if (anim_utf8_prefix(reader->word, reader->length) == reader->length) {
		if (anim_buffer_append(text, reader->word, reader->length, reader->error) != 0)
			return -1;
	} else {
		reader->latin = true;
		for (size_t i = 0; i < reader->length; i++)
			if (anim_buffer_append(text, code, anim_utf8_encode((uint8_t)reader->word[i], code),
					       reader->error) != 0)
				return -1;
	}
	original =
	    anim_arena_text(&reader->texts, text->size == 0 ? "" : (const char *)text->data, text->size, reader->error);
	if (original == NULL)
		return -1;
	for (size_t i = 0; i < text->size; i++)
		if ((unsigned char)original[i] < ' ')
			original[i] = ' ';
	if (text->size > ANIM_BVH_NAME_MAX)
		return fail(reader, reader->word, "a name of more than %u bytes of UTF-8", ANIM_BVH_NAME_MAX);
	joint->named = reader->length > 0;
	name = joint->end && !joint->named
		   ? anim_arena_printf(&reader->texts, reader->error, "%s_end", joint_at(reader, joint->parent)->name)
		   : original;
	joint->name = name == NULL ? NULL : unique_name(reader, name);
	if (joint->name == NULL)
		return -1;
	if (strcmp(joint->name, original) != 0 && (!joint->end || joint->named))
		joint->original = original;
	return 0;
}

/* ---- The joints ---- */

/* Read ROOT, JOINT or End Site up to its opening brace. Return 0 or -1. */
static int begin_joint(struct reader *reader, bool end)
{
	struct joint joint = {.parent = reader->joint, .end = end};

	if (reader->depth == ANIM_NESTING_BVH)
		return fail(reader, reader->at, "joints are nested deeper than %d", ANIM_NESTING_BVH);
	if (joint_count(reader) == NO_JOINT - 1)
		return fail(reader, reader->at, "too many joints");
	if (read_name(reader) != 0 || name_joint(reader, &joint) != 0 || expect(reader, "{") != 0)
		return -1;
	reader->joint = joint_count(reader);
	reader->depth++;
	return anim_buffer_append(&reader->joints, &joint, sizeof joint, reader->error);
}

static int read_channels(struct reader *reader, struct joint *joint)
{
	uint64_t count = 0;

	if (joint->has_channels)
		return fail(reader, reader->word, "a second list of CHANNELS of '%s'", joint->name);
	if (some_word(reader, "a count of channels") != 0)
		return -1;
	if (reader->length > 3 ||
	    anim_number_uint64(reader->word, reader->word + reader->length, &count) != reader->word + reader->length)
		return refuse(reader, "a count of channels");
	if (count > (joint->end ? 0 : BVH_CHANNELS_MAX))
		return fail(reader, reader->word,
			    joint->end ? "an End Site has no channels" : "%d channels are the most", BVH_CHANNELS_MAX);
	joint->has_channels = true;
	joint->first = reader->width;
	reader->width += count;
	while (count-- > 0) {
		int channel;

		if (some_word(reader, "a channel") != 0)
			return -1;
		channel = bvh_channel_find(reader->word, reader->length);
		if (channel < 0)
			return refuse(reader, "a channel (Xposition to Zrotation)");
		if (bvh_channels_have(&joint->channels, (unsigned)channel))
			return fail(reader, reader->word, "'%s' has %s twice", joint->name, bvh_channel_names[channel]);
		bvh_channels_add(&joint->channels, (unsigned)channel);
	}
	return 0;
}

/* Read a document up to MOTION. Return 0 or -1. */
static int read_hierarchy(struct reader *reader)
{
	const char *wanted = "ROOT";
	int result;

	if (need(reader, 3) != 0)
		return -1;
	if (anim_bytes_begin(reader->at, (size_t)(reader->end - reader->at), "\xef\xbb\xbf"))
		reader->at += 3;
	result = expect(reader, "HIERARCHY");
	while (result == 0) {
		struct joint *joint;
		size_t done;

		if (some_word(reader, reader->depth > 0 ? "}" : wanted) != 0)
			return -1;
		if (reader->depth == 0) {
			if (joint_count(reader) > 0 && is_word(reader, "MOTION"))
				return 0;
			if (!is_word(reader, "ROOT") && !is_word(reader, "JOINT"))
				return refuse(reader, wanted);
			wanted = "ROOT or MOTION";
			result = begin_joint(reader, false);
			continue;
		}

		/* Between the braces of a joint. */
		joint = joint_at(reader, reader->joint);
		if (is_word(reader, "OFFSET")) {
			if (joint->has_offset)
				return fail(reader, reader->word, "a second OFFSET of '%s'", joint->name);
			if (read_floats(reader, joint->offset, 3, &done) != 0)
				return -1;
			if (done < 3)
				return fail(reader, reader->at,
					    "three numbers of an OFFSET expected, the file ends here");
			joint->has_offset = true;
		} else if (is_word(reader, "CHANNELS")) {
			result = read_channels(reader, joint);
		} else if (is_word(reader, "JOINT") && !joint->end) {
			result = begin_joint(reader, false);
		} else if (is_word(reader, "End") && !joint->end) {
			result = expect(reader, "Site") != 0 ? -1 : begin_joint(reader, true);
		} else if (is_word(reader, "}")) {
			reader->joint = joint->parent;
			reader->depth--;
		} else {
			return refuse(reader, joint->end ? "OFFSET or }" : "OFFSET, CHANNELS, JOINT, End Site or }");
		}
	}
	return -1;
}

/* ---- The motion ---- */

/* Read a label and the word after its ':', with or without a blank between them. Return 0 or -1. */
static int read_labelled(struct reader *reader, const char *label)
{
	size_t size = strlen(label);

	if (some_word(reader, label) != 0)
		return -1;
	if (reader->length < size - 1 ||
	    strncasecmp(reader->word, label, reader->length < size ? reader->length : size) != 0)
		return refuse(reader, label);
	if (reader->length > size) {
		reader->word += size;
		reader->length -= size;
		return 0;
	}
	if (reader->length == size - 1 && expect(reader, ":") != 0)
		return -1;
	return some_word(reader, "a number");
}

#define FRAME_TIME_OFF 2e-3 /* a rate whose frame time differs by more from the stated one gets a note */

/* Use the rate of the options, or note that Frame Time may mean another rate. Return 0 or -1. */
static int choose_rate(struct reader *reader)
{
	const struct anim_read_options *options = reader->options;
	struct anim_clip *clip = &reader->clip;
	double stated_s = reader->step_s, rate;

	if (options->rate_num != 0) {
		clip->rate_num = options->rate_num;
		clip->rate_den = options->rate_den;
		reader->frame_time[0] = '\0';
	}
	if (clip->rate_num == 0)
		return 0;
	reader->step_s = 0;
	rate = (double)clip->rate_num / (double)clip->rate_den;
	if (options->rate_num != 0 && stated_s > 0 && fabs(stated_s * rate - 1) > 0.01)
		return anim_diagnostics_note(
		    options->diagnostics, "file", reader->error,
		    "another frame rate than in the file" ANIM_DETAIL
		    ": %g in place of %.6g per second, so the clip lasts %.3g times as long; for "
		    "other samples of the same length, use " ANIM_OPTION_TO("resample", "rate", "%g"),
		    rate, 1 / stated_s, 1 / (stated_s * rate), rate);
	if (options->rate_num != 0 || reader->frames < 2 || options->bvh.unit_option == NULL)
		return 0;
	if (stated_s >= 1)
		return anim_diagnostics_note(
		    options->diagnostics, "file", reader->error,
		    "a frame of a second or more" ANIM_DETAIL
		    ": 'Frame Time: %s' is read as %g seconds per frame; if it means frames per second, "
		    "use " ANIM_OPTION_TO("parse", "fps", "%g") "; if it means milliseconds, use " ANIM_OPTION_TO(
			"parse", "fps", "%.6g"),
		    reader->frame_time, stated_s, stated_s, 1000 / stated_s);
	if (fabs(stated_s * rate - 1) <= FRAME_TIME_OFF)
		return 0;
	return anim_diagnostics_note(
	    options->diagnostics, "file", reader->error,
	    "a rounded frame time" ANIM_DETAIL
	    ": 'Frame Time: %s' is read as %g frames per second; if it is exact, use " ANIM_OPTION_TO("parse", "fps",
												      "%.6g"),
	    reader->frame_time, rate, 1 / stated_s);
}

static int read_head(struct reader *reader)
{
	uint64_t frames = 0;

	if (read_labelled(reader, "Frames:") != 0)
		return -1;
	if (reader->length > 20 ||
	    anim_number_uint64(reader->word, reader->word + reader->length, &frames) != reader->word + reader->length)
		return refuse(reader, "a count of frames");
	if (frames > ANIM_KEYS_MAX)
		return fail(reader, reader->word, "more than %u frames", ANIM_KEYS_MAX);
	reader->frames = (size_t)frames;
	if (expect(reader, "Frame") != 0 || read_labelled(reader, "Time:") != 0)
		return -1;
	if (!bvh_frame_time_read(reader->word, reader->length, &reader->clip.rate_num, &reader->clip.rate_den,
				 &reader->step_s))
		return refuse(reader, "a frame's time from 1e-9 to 1e9 seconds");
	memcpy(reader->frame_time, reader->word, reader->length);
	return choose_rate(reader);
}

/* Skip numbers after the last frame, with a warning. Return 0 or -1. */
static int read_rest(struct reader *reader)
{
	struct anim_place place = place_of(reader, reader->at);
	uint64_t count = 0;
	float numbers[256];
	size_t done;
	int more;

	/* Old editors end a text with Ctrl-Z, and some programs with NULs. */
	while ((more = skip_blanks(reader)) > 0 && (*reader->at == '\x1a' || *reader->at == '\0'))
		reader->at++;
	if (more < 0)
		return -1;
	do {
		if (read_floats(reader, numbers, ANIM_COUNT(numbers), &done) != 0)
			return -1;
		count += done;
	} while (done > 0);
	if (count == 0)
		return 0;
	if (reader->width == 0 || count < reader->width)
		return anim_diagnostics_add(reader->options->diagnostics, ANIM_WARNING, &place, NULL, reader->error,
					    "%llu numbers after the last frame are left out",
					    (unsigned long long)count);
	return anim_diagnostics_add(reader->options->diagnostics, ANIM_WARNING, &place, NULL, reader->error,
				    "Frames: says %zu, but the file has %llu; the others are left out", reader->frames,
				    (unsigned long long)(reader->frames + count / reader->width));
}

static int read_motion(struct reader *reader)
{
	reader->motion.width = reader->width;
	for (size_t frames = 0; reader->width > 0 && frames < reader->frames; frames++) {
		float *frame = anim_frames_add(&reader->motion, reader->error);
		size_t done;

		if (frame == NULL || read_floats(reader, frame, reader->width, &done) != 0)
			return -1;
		if (done == 0)
			return fail(reader, reader->at, "Frames: says %zu, but the file has %zu", reader->frames,
				    frames);
		if (done < reader->width)
			return fail(reader, reader->at, "frame %zu of %zu ends after %zu of its %zu numbers",
				    frames + 1, reader->frames, done, reader->width);
	}
	if (anim_frames_end(&reader->motion, reader->error) != 0)
		return -1;
	return read_rest(reader);
}

/* ---- Into the sink ---- */

/* Return the path of a joint, in reader->path, or NULL if out of memory. */
static const char *path_of(struct reader *reader, uint32_t number)
{
	uint32_t chain[ANIM_NESTING_BVH];
	size_t depth = 0;

	reader->path.size = 0;
	for (; number != NO_JOINT; number = joint_at(reader, number)->parent)
		chain[depth++] = number;
	while (depth-- > 0)
		if (anim_buffer_append_text(&reader->path, joint_at(reader, chain[depth])->name, reader->error) != 0 ||
		    anim_buffer_append(&reader->path, depth > 0 ? "/" : "", 1, reader->error) != 0)
			return NULL;
	return (const char *)reader->path.data;
}

/* Return the factor that converts the numbers of a channel to Y up and to the requested unit. */
static double factor_of(const struct reader *reader, unsigned channel)
{
	double unit = channel >= BVH_ROTATION ? 1 : reader->unit;

	return reader->z_up && channel % BVH_ROTATION == BVH_MIRRORED ? -unit : unit;
}

static int push_tree(struct reader *reader, struct anim_sink *sink)
{
	const char *file = anim_read_source_file(reader->options, reader->input);
	const char *name = anim_read_base_name(file, &reader->texts, reader->error);
	const struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .root_name = name, .source_file = file};
	const struct anim_node root = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};

	reader->clip.name = name;
	if (name == NULL || anim_sink_tree(sink, &tree, reader->error) != 0 ||
	    anim_sink_node(sink, &root, reader->error) != 0)
		return -1;
	for (uint32_t i = 0; i < joint_count(reader); i++) {
		const struct joint *joint = joint_at(reader, i);
		struct anim_attr attrs[2];
		struct anim_node node = {.kind = ANIM_NODE_BONE,
					 .has = ANIM_HAS_POSITION,
					 .parent = joint->parent == NO_JOINT ? 0 : joint->parent + 1,
					 .position = {joint->offset[0], joint->offset[1], joint->offset[2]},
					 .rotation = {0, 0, 0, 1},
					 .scale = {1, 1, 1},
					 .path = path_of(reader, i),
					 .type = "",
					 .attrs = {attrs, 1}};
		char channels[BVH_CHANNELS_TEXT];

		if (node.path == NULL)
			return -1;
		bvh_channels_print(&joint->channels, channels);
		attrs[0] = joint->end ? (struct anim_attr){BVH_ATTR_END, joint->named ? "named" : "true"}
				      : (struct anim_attr){BVH_ATTR_CHANNELS, channels};
		if (joint->original != NULL)
			attrs[node.attrs.count++] = (struct anim_attr){BVH_ATTR_NAME, joint->original};
		if (anim_sink_node(sink, &node, reader->error) != 0)
			return -1;
	}
	return 0;
}

/*
 * Gather all values of a joint's rotation or position. Components without a channel are 0 or the joint's offset. Return
 * 0 or -1.
 */
static int gather(struct reader *reader, const struct joint *joint, bool rotation)
{
	static const float none[3];
	float *values;

	reader->values.size = 0;
	values = anim_buffer_extend(&reader->values, reader->frames * sizeof none + 1, reader->error);
	if (values == NULL)
		return -1;
	for (size_t k = 0; k < reader->frames; k++)
		memcpy(values + 3 * k, rotation ? none : joint->offset, sizeof none);
	for (size_t i = 0; i < joint->channels.count; i++) {
		unsigned channel = joint->channels.items[i], axis = channel % BVH_ROTATION;
		double factor;

		if ((channel >= BVH_ROTATION) != rotation)
			continue;
		if (anim_frames_copy(&reader->motion, joint->first + i, 1, values + axis, 3, reader->error) != 0)
			return -1;
		factor = factor_of(reader, channel);
		for (size_t k = 0; factor != 1 && k < reader->frames; k++)
			values[3 * k + axis] = (float)((double)values[3 * k + axis] * factor);
		for (size_t k = 0; !rotation && reader->options->bvh.add_offset && k < reader->frames; k++)
			values[3 * k + axis] += joint->offset[axis];
	}
	return 0;
}

static int push_track(struct reader *reader, uint32_t number, bool rotation, struct anim_sink *sink)
{
	const struct joint *joint = joint_at(reader, number);
	char channels[BVH_CHANNELS_TEXT];
	const struct anim_attr attrs[2] = {{BVH_ATTR_CHANNELS, channels},
					   {"order", anim_euler_order_names[bvh_channels_order(&joint->channels)]}};
	struct anim_track track = {.kind = ANIM_RAW,
				   .type = ANIM_FLOAT3,
				   .node = path_of(reader, number),
				   .property = rotation ? "euler" : "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .flags = rotation ? ANIM_DEGREES : 0,
				   .n = reader->frames,
				   .step_s = reader->step_s,
				   .rate_num = reader->clip.rate_num,
				   .rate_den = reader->clip.rate_den,
				   .attrs = {attrs, rotation ? 2 : 0}};

	if (!bvh_channels_have_any(&joint->channels, rotation))
		return 0;
	bvh_channels_print(&joint->channels, channels);
	if (track.node == NULL || gather(reader, joint, rotation) != 0)
		return -1;
	track.value = reader->values.data;
	return anim_sink_track(sink, &track, reader->error);
}

#define LOWEST_HIPS_M 0.6 /* height of a standing human's hips, with a margin for children and crouching */
#define HIGHEST_HIPS_M 1.2

/* The unit is chosen that puts the hips at a human's height. No height fits two units. */
static const struct {
	const char *name, *text;
} units[] = {
    {"cm", "centimetres"}, {"cmu", "the unit of the Carnegie Mellon files"}, {"in", "inches"}, {"m", "metres"},
    {NULL, NULL},
};

#define HIPS_DEPTH 8 /* largest number of joints above the hips */

/*
 * Return the number of the hips: the highest joint with several children. Some files have a reference joint on the
 * ground above them. Joints follow their parents, so a joint that does not follow its parent directly shows that this
 * parent has several children.
 */
static uint32_t find_hips(const struct reader *reader)
{
	uint32_t hips = HIPS_DEPTH;

	for (uint32_t i = 1; i < joint_count(reader); i++)
		if (joint_at(reader, i)->parent < i - 1 && joint_at(reader, i)->parent < hips)
			hips = joint_at(reader, i)->parent;
	return hips < HIPS_DEPTH ? hips : 0;
}

/* ---- The axis that points up ---- */

#define UP_SAMPLES 64
#define UP_ALONG 0.8  /* cosine: the body of a person points up by more, on average over a motion */
#define UP_ACROSS 0.4 /* and less along the other axis */

/*
 * Return the joint that carries the arms: of the joints with several children below the hips, the one with the most joints
 * below it. Returns NO_JOINT if no joint is like this.
 */
static uint32_t find_chest(struct reader *reader, uint32_t hips)
{
	struct place {
		uint32_t below, children;
	} *places = anim_arena_zeroed(&reader->texts, joint_count(reader) + 1, sizeof *places, reader->error);
	uint32_t chest = NO_JOINT;

	for (uint32_t i = joint_count(reader); i-- > hips + 1 && places != NULL;) {
		uint32_t parent = joint_at(reader, i)->parent;

		if (parent == NO_JOINT)
			continue;
		places[parent].below += places[i].below + 1;
		places[parent].children++;
		if (places[i].children > 1 && (chest == NO_JOINT || places[i].below > places[chest].below))
			chest = i;
	}
	return chest;
}

static bool is_above(const struct reader *reader, uint32_t above, uint32_t joint)
{
	while (joint != NO_JOINT && joint > above)
		joint = joint_at(reader, joint)->parent;
	return joint == above;
}

/* Compute the direction from the hips to the chest at rest, and from the hips to the ends of the legs. */
static void find_rest(const struct reader *reader, uint32_t hips, uint32_t chest, double trunk[3], double legs[3])
{
	for (uint32_t i = hips + 1; i < joint_count(reader); i++) {
		uint32_t top = i; /* the child of the hips above the joint */

		if (!is_above(reader, hips, i))
			continue;
		while (joint_at(reader, top)->parent != hips)
			top = joint_at(reader, top)->parent;
		for (unsigned k = 0; k < 3; k++) {
			if (is_above(reader, i, chest))
				trunk[k] += (double)joint_at(reader, i)->offset[k];
			else if (!is_above(reader, top, chest))
				legs[k] += (double)joint_at(reader, i)->offset[k];
		}
	}
}

/* Add the direction from the hips to the chest in some frames. Return 0 or -1. */
static int add_directions(struct reader *reader, uint32_t hips, uint32_t chest, double sum[3])
{
	uint32_t chain[ANIM_NESTING_BVH];
	double rotations[UP_SAMPLES][4] = {{0}}, ways[UP_SAMPLES][3] = {{0}};
	size_t depth = 0, count = reader->frames < UP_SAMPLES ? reader->frames : UP_SAMPLES;

	for (size_t k = 0; k < count; k++)
		rotations[k][3] = 1;
	for (uint32_t i = chest; i != NO_JOINT; i = joint_at(reader, i)->parent)
		chain[depth++] = i;
	while (depth-- > 0) {
		const struct joint *joint = joint_at(reader, chain[depth]);

		for (int rotation = 0; rotation < 2; rotation++) {
			if (gather(reader, joint, rotation == 1) != 0)
				return -1;
			for (size_t k = 0; k < count; k++) {
				const float *at = (const float *)(const void *)reader->values.data;
				double v[3], q[4];

				at += 3 * (k * (reader->frames - 1) / (count > 1 ? count - 1 : 1));
				for (unsigned i = 0; i < 3; i++)
					v[i] = (double)at[i] * (rotation == 1 ? ANIM_PI / 180 : 1);
				if (rotation == 1) {
					anim_quat_from_euler_double(q, v, bvh_channels_order(&joint->channels));
					anim_quat_multiply_double(rotations[k], rotations[k], q);
				} else if (chain[depth] > hips) {
					anim_quat_rotate_double(v, rotations[k], v);
					for (unsigned i = 0; i < 3; i++)
						ways[k][i] += v[i];
				}
			}
		}
	}
	for (size_t k = 0; k < count; k++)
		for (unsigned i = 0; i < 3; i++)
			sum[i] += ways[k][i];
	return 0;
}

static bool is_along(const double v[3], unsigned up, unsigned other)
{
	double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

	return v[up] > UP_ALONG * length && fabs(v[other]) < UP_ACROSS * length;
}

/*
 * Decide whether Z points up, if no option says it: the trunk points along Z in rest and motion, and the legs point down.
 * An animal that walks along Z has legs along Y. If only the motion points along Z, it can be a sleeping person. Return 0
 * or -1.
 */
static int find_up(struct reader *reader)
{
	uint32_t hips = find_hips(reader), chest;
	double trunk[3] = {0}, legs[3] = {0}, moving[3] = {0}, down[3];

	reader->z_up = reader->options->bvh.z_up;
	if (reader->options->up != ANIM_READ_UP_ANY || reader->z_up || reader->frames == 0)
		return 0;
	chest = find_chest(reader, hips);
	if (chest == NO_JOINT || !is_above(reader, hips, chest))
		return 0;
	find_rest(reader, hips, chest, trunk, legs);
	if (add_directions(reader, hips, chest, moving) != 0)
		return -1;
	for (unsigned i = 0; i < 3; i++)
		down[i] = -legs[i];
	if (!is_along(moving, 2, 1))
		return 0;
	reader->z_up = is_along(trunk, 2, 1) && is_along(down, 2, 1);
	if (reader->z_up)
		return anim_diagnostics_note(
		    reader->options->diagnostics, "file", reader->error,
		    "no upward axis" ANIM_DETAIL
		    ": the body is upright along Z, so this axis is taken; if that is wrong, use " ANIM_OPTION_TO(
			"parse", "up", "y"));
	if (is_along(trunk, 2, 1))
		return 0;
	return anim_diagnostics_warn(reader->options->diagnostics, "file", reader->error,
				     "no upward axis" ANIM_DETAIL
				     ": the body is upright along Z in the motion, but not at rest; if it should not "
				     "be on its back, use " ANIM_OPTION_TO("parse", "up", "z"));
}

/* Note that the file does not name its unit, and which unit the height of the hips suggests. Return 0 or -1. */
static int note_unit(struct reader *reader)
{
	uint32_t hips = find_hips(reader);
	const struct joint *joint = joint_at(reader, hips);
	double height = 0, metres;
	const char *unit;
	size_t i = 0;

	if (reader->options->bvh.unit_option == NULL || reader->options->bvh.unit != NULL)
		return 0;

	/* Add the heights of the joints up to the hips over their parents in the first frame. */
	for (uint32_t number = 0; number <= hips; number++) {
		const struct joint *above = joint_at(reader, number);
		float offset = above->offset[1];

		if (reader->frames > 0 && bvh_channels_have(&above->channels, 1)) {
			if (gather(reader, above, false) != 0)
				return -1;
			offset = ((const float *)(const void *)reader->values.data)[1];
		}
		height += (double)offset;
	}
	while (units[i].name != NULL && anim_bvh_unit(units[i].name, &metres) &&
	       !(height * metres >= LOWEST_HIPS_M && height * metres <= HIGHEST_HIPS_M))
		i++;
	unit = units[i].name;
	if (unit == NULL)
		return anim_diagnostics_note(
		    reader->options->diagnostics, "file", reader->error,
		    "no unit of length; in every known unit, the hips are higher or lower than a human's" ANIM_DETAIL
		    ": '%.100s' is at a height of %g; to convert to metres, use %s cm, in, cmu or the length of the "
		    "unit "
		    "in metres",
		    joint->name, height, reader->options->bvh.unit_option);
	return anim_diagnostics_note(reader->options->diagnostics, "file", reader->error,
				     "no unit of length; in %s, the hips are at a human's height" ANIM_DETAIL
				     ": '%.100s' is at a height of %g; %s %s makes it %g m",
				     units[i].text, joint->name, height, reader->options->bvh.unit_option, unit,
				     height * metres);
}

int anim_bvh_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct reader reader = {.options = options, .error = error, .input = input, .joint = NO_JOINT, .unit = 1};
	struct anim_clip *clip = &reader.clip;
	struct anim_attr attrs[3];
	double step_s;
	int result = -1;

	if (options->bvh.unit != NULL)
		anim_bvh_unit(options->bvh.unit, &reader.unit);
	anim_frames_init(&reader.motion, options->store_memory);
	if (read_hierarchy(&reader) != 0 || read_head(&reader) != 0 || read_motion(&reader) != 0) {
		anim_error_in_file(error, anim_input_name(input));
		goto done;
	}
	if (find_up(&reader) != 0)
		goto done;

	/* Convert the offsets and channels of the joints to Y up. The channels keep their places among the numbers. */
	for (uint32_t i = 0; i < joint_count(&reader); i++) {
		struct joint *joint = joint_at(&reader, i);
		float offset[3];

		memcpy(offset, joint->offset, sizeof offset);
		for (unsigned axis = 0; axis < 3; axis++)
			joint->offset[axis] = (float)((double)offset[reader.z_up ? bvh_other_axis(axis) : axis] *
						      factor_of(&reader, axis));
		if (reader.z_up)
			bvh_channels_exchange_axes(&joint->channels);
	}
	if (reader.latin && anim_diagnostics_warn(options->diagnostics, NULL, error,
						  "names that are not UTF-8 are read as Latin-1") != 0)
		goto done;
	if (push_tree(&reader, sink) != 0 || note_unit(&reader) != 0)
		goto done;

	step_s = clip->rate_num > 0 ? (double)clip->rate_den / (double)clip->rate_num : reader.step_s;
	clip->end_s = reader.frames == 0 ? 0 : (float)((double)(reader.frames - 1) * step_s);
	clip->axes = ANIM_AXES_GLTF;
	clip->flags = ANIM_IN_TREE;
	clip->root = ".";
	clip->source = "bvh";
	clip->attrs.items = attrs;
	if (reader.frame_time[0] != '\0')
		attrs[clip->attrs.count++] = (struct anim_attr){BVH_ATTR_FRAME_TIME, reader.frame_time};
	if (options->bvh.unit != NULL)
		attrs[clip->attrs.count++] = (struct anim_attr){BVH_ATTR_UNIT, options->bvh.unit};
	if (reader.z_up)
		attrs[clip->attrs.count++] = (struct anim_attr){BVH_ATTR_UP, "z"};
	if (anim_sink_clip(sink, clip, error) != 0)
		goto done;
	for (uint32_t i = 0; i < joint_count(&reader); i++)
		if (push_track(&reader, i, false, sink) != 0 || push_track(&reader, i, true, sink) != 0)
			goto done;
	result = 0;
done:
	anim_buffer_clear(&reader.joints);
	anim_arena_clear(&reader.texts);
	anim_map_clear(&reader.names);
	anim_frames_clear(&reader.motion);
	anim_buffer_clear(&reader.values);
	anim_buffer_clear(&reader.path);
	return result;
}

bool anim_bvh_is(const uint8_t *bytes, size_t size)
{
	static const char first[] = "HIERARCHY";
	const char *at = (const char *)bytes, *end = at + size;

	if (anim_bytes_begin(at, size, "\xef\xbb\xbf"))
		at += 3;
	while (at < end && is_blank(*at))
		at++;
	return (size_t)(end - at) >= sizeof first - 1 && strncasecmp(at, first, sizeof first - 1) == 0;
}
