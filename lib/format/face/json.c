/* json.c: a face as JSON: a matrix of weights, or frames with weights by name or by category. */
/*
 * Audio2Face writes names and a matrix (facsNames, weightMat). Other programs write a list of frames with weights by
 * name, or, like MediaPipe, with categories (categoryName, score).
 */
#include <string.h>

#include "base/count.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "clip/face.h"
#include "format/face/take.h"

#define DEPTH_MAX 6u /* levels of objects and arrays around the weights of a frame */

struct reader {
	struct anim_json json; /* must be first */
	struct anim_json_text text;
	struct face_take *take; /* borrowed */
	struct anim_error *error;

	struct anim_buffer names; /* const char *: names for the columns of a matrix */
	struct anim_buffer word;
	bool by_index, by_name; /* how frames give their weights */
	size_t frame;           /* number of the current frame, for messages */
	size_t given;           /* weights in the current frame */
	bool has_gaps;
	struct face_time time;
	bool has_time;
};

static void print_nothing(const struct anim_json *json, char *out)
{
	(void)json;
	out[0] = '\0';
}

static int refuse(struct reader *reader, const char *what)
{
	struct anim_place place = anim_json_here(&reader->json);

	return anim_json_refuse(&reader->json, &place, reader->error, "frame %zu: %s", reader->frame, what);
}

/* ---- Weights ---- */

/* Set the weight of a column, which the first frame adds. Return 0 or -1. */
static int set_weight(struct reader *reader, ptrdiff_t column, double value)
{
	if (column < 0)
		return -1;
	if (!(value > -1e30 && value < 1e30))
		return refuse(reader, "a weight is too large");
	face_take_row(reader->take)[column] = (float)value;
	reader->given++;
	return 0;
}

static int set_named(struct reader *reader, const char *name, size_t length, double value)
{
	uint32_t column;

	if (anim_map_get(&reader->take->names, FACE_NAME, name, length, &column))
		return set_weight(reader, column, value);
	if (reader->take->frames > 0)
		return refuse(reader, "has a shape that the frames before it do not have");
	if (length > ANIM_NAME_MAX / 2)
		return refuse(reader, "a name is too long");
	reader->by_name = true;
	return set_weight(reader, face_take_add(reader->take, name, length), value);
}

static int set_numbered(struct reader *reader, size_t number, double value)
{
	ptrdiff_t column = (ptrdiff_t)number;

	if (number >= face_take_width(reader->take)) {
		if (reader->take->frames > 0 || reader->by_name)
			return refuse(reader, "has more weights than the frames before it");
		column = face_take_add(reader->take, "", 0); /* its name is known at the end */
	}
	reader->by_index = true;
	return set_weight(reader, column, value);
}

static int read_weights(struct reader *reader, unsigned depth);

static bool is_member(const struct reader *reader, const char *const *names)
{
	while (*names != NULL && strcmp(*names, (const char *)reader->json.name.data) != 0)
		names++;
	return *names != NULL;
}

static bool is_number_at(int byte)
{
	return byte == '-' || (byte >= '0' && byte <= '9');
}

/* Read {"categoryName": "jawOpen", "score": 0.5} after its '{', or an object of weights by name. Return 0 or -1. */
static int read_object(struct reader *reader, unsigned depth)
{
	static const char *const names[] = {"categoryName", "category_name", "name", NULL};
	static const char *const values[] = {"score", "value", "weight", NULL};
	static const char *const lists[] = {"categories", "blendshapes", NULL};
	bool first = true, has_name = false, has_value = false, is_null;
	double value = 0, number;
	int more;

	while ((more = anim_json_next_member(&reader->json, &first, reader->error)) > 0) {
		int byte = anim_json_byte(&reader->text, reader->error);

		if (byte == '"' && is_member(reader, names)) {
			reader->word.size = 0;
			if (anim_json_read_string(&reader->json, &reader->word, &is_null, "a name", reader->error) != 0)
				return -1;
			has_name = true;
		} else if (is_number_at(byte)) {
			if (anim_json_read_number(&reader->json, &number, "a weight", reader->error) != 0)
				return -1;
			if (is_member(reader, values)) {
				value = number;
				has_value = true;
			} else if (!has_name && strcmp((const char *)reader->json.name.data, "index") != 0 &&
				   set_named(reader, (const char *)reader->json.name.data,
					     strlen((const char *)reader->json.name.data), number) != 0) {
				return -1;
			}
		} else if (byte == '[' && is_member(reader, lists)) {
			if (read_weights(reader, depth + 1) != 0)
				return -1;
		} else if (anim_json_skip(&reader->json, depth, reader->error) != 0) {
			return -1;
		}
	}
	if (more < 0 || !has_name || !has_value)
		return more;
	return set_named(reader, (const char *)reader->word.data, strlen((const char *)reader->word.data), value);
}

/* Read weights: an object, a list of numbers or a list of objects. Return 0 or -1. */
static int read_weights(struct reader *reader, unsigned depth)
{
	int byte = anim_json_blank(&reader->text, reader->error), more;
	bool first = true;
	double value;

	if (depth > DEPTH_MAX)
		return refuse(reader, "too many levels");
	if (byte == '{') {
		reader->text.at++;
		return read_object(reader, depth);
	}
	if (anim_json_expect(&reader->json, '[', "weights", reader->error) != 0)
		return -1;
	for (size_t i = 0; (more = anim_json_next_element(&reader->json, &first, reader->error)) > 0; i++) {
		byte = anim_json_byte(&reader->text, reader->error);
		if (byte == '{' || byte == '[') {
			if (read_weights(reader, depth + 1) != 0)
				return -1;
		} else if (anim_json_read_number(&reader->json, &value, "a weight", reader->error) != 0 ||
			   set_numbered(reader, i, value) != 0) {
			return -1;
		}
	}
	return more;
}

/* ---- Frames ---- */

static int read_time(struct reader *reader, bool is_milliseconds, bool is_frame)
{
	enum face_clock clock = FACE_SECONDS;
	struct face_time time = {0};
	bool is_null;

	if (anim_json_byte(&reader->text, reader->error) == '"') {
		reader->word.size = 0;
		if (anim_json_read_string(&reader->json, &reader->word, &is_null, "a time", reader->error) != 0)
			return -1;
		if (!face_time_read((const char *)reader->word.data, strlen((const char *)reader->word.data), &clock,
				    &time))
			return refuse(reader, "a time is not a number or a timecode");
	} else if (anim_json_read_number(&reader->json, &time.seconds, "a time", reader->error) != 0) {
		return -1;
	}
	if (!(time.seconds >= 0 && time.seconds < 1e19))
		return refuse(reader, "a time is below 0 or too large");
	reader->take->has_unit |= is_milliseconds;
	if (is_milliseconds)
		time.seconds /= 1000;
	if (is_frame) {
		if (reader->has_time)
			return 0;
		time = (struct face_time){.frames = time.seconds};
		clock = FACE_FRAMES;
	} else if (reader->has_time && reader->take->clock == FACE_FRAMES && reader->take->frames == 0) {
		reader->take->clock = FACE_NO_CLOCK;
	}
	if (reader->take->frames == 0 && reader->take->clock == FACE_NO_CLOCK)
		reader->take->clock = clock;
	if (clock != reader->take->clock)
		return is_frame ? 0 : refuse(reader, "its time is not like those before it");
	reader->time = time;
	reader->has_time = true;
	return 0;
}

/* Read a frame that is an object, after its '{'. Return 0 or -1. */
static int read_frame_object(struct reader *reader)
{
	static const char *const seconds[] = {"time", "timestamp", "t", "timeCode", "timecode", "Timecode", NULL};
	static const char *const milliseconds[] = {"timestampMs", "timestamp_ms", "time_ms", "timeMs", NULL};
	static const char *const numbers[] = {"frame", "frame_index", "frameIndex", NULL};
	static const char *const weights[] = {"blendshapes", "blendShapes", "blend_shapes",    "blendshape", "weights",
					      "values",      "shapes",      "faceBlendshapes", "categories", NULL};
	bool first = true;
	int more;

	while ((more = anim_json_next_member(&reader->json, &first, reader->error)) > 0) {
		const char *name = (const char *)reader->json.name.data;
		int byte = anim_json_byte(&reader->text, reader->error), result;
		bool is_scalar = is_number_at(byte) || byte == '"';
		double value;

		if (is_scalar && is_member(reader, seconds))
			result = read_time(reader, false, false);
		else if (is_scalar && is_member(reader, milliseconds))
			result = read_time(reader, true, false);
		else if (is_scalar && is_member(reader, numbers))
			result = read_time(reader, false, true);
		else if ((byte == '{' || byte == '[') && is_member(reader, weights))
			result = read_weights(reader, 3);
		else if (is_number_at(byte) && anim_face_guess(name, strlen(name)) >= 0)
			result = anim_json_read_number(&reader->json, &value, "a weight", reader->error) != 0
				     ? -1
				     : set_named(reader, name, strlen(name), value);
		else
			result = anim_json_skip(&reader->json, 2, reader->error);
		if (result != 0)
			return -1;
	}
	return more;
}

/* End a frame. A frame without weights, in which no face was seen, leaves a gap in the times. Return 0 or -1. */
static int end_frame(struct reader *reader)
{
	struct face_take *take = reader->take;
	size_t width = face_take_width(take);

	if (reader->given == 0 && (width > 0 || take->frames == 0))
		return 0;
	if (take->clock != FACE_NO_CLOCK && !reader->has_time)
		return refuse(reader, "has no time");
	if (reader->given < width && reader->by_index)
		return refuse(reader, "has fewer weights than the frames before it");
	reader->has_gaps |= reader->given < width;
	return face_take_end_frame(take, reader->time);
}

/* Read a list of frames. Return 0 or -1. */
static int read_frames(struct reader *reader)
{
	bool first = true;
	int more;

	if (reader->take->frames > 0)
		return refuse(reader, "a second list of frames");
	if (anim_json_expect(&reader->json, '[', "a list of frames", reader->error) != 0)
		return -1;
	while ((more = anim_json_next_element(&reader->json, &first, reader->error)) > 0) {
		int byte = anim_json_byte(&reader->text, reader->error), result;

		reader->frame++;
		reader->given = 0;
		reader->has_time = false;
		reader->time = (struct face_time){0};
		if (byte == '{') {
			reader->text.at++;
			result = read_frame_object(reader);
		} else {
			result = read_weights(reader, 2);
		}
		if (result != 0 || end_frame(reader) != 0)
			return -1;
	}
	return more;
}

/* ---- The document ---- */

static int read_names(struct reader *reader)
{
	bool first = true, is_null;
	int more;

	reader->names.size = 0;
	if (anim_json_expect(&reader->json, '[', "a list of names", reader->error) != 0)
		return -1;
	while ((more = anim_json_next_element(&reader->json, &first, reader->error)) > 0) {
		const char *name;

		reader->word.size = 0;
		if (anim_json_read_string(&reader->json, &reader->word, &is_null, "a name", reader->error) != 0)
			return -1;
		name = is_null ? "" : (const char *)reader->word.data;
		if (strlen(name) > ANIM_NAME_MAX / 2)
			return refuse(reader, "a name is too long");
		name = anim_arena_text(&reader->take->texts, name, strlen(name), reader->error);
		if (name == NULL || anim_buffer_append(&reader->names, &name, sizeof name, reader->error) != 0)
			return -1;
	}
	return more;
}

static int read_members(struct reader *reader, unsigned depth)
{
	static const char *const rates[] = {"exportFps", "fps", "frameRate", "frame_rate", "framerate", NULL};
	static const char *const names[] = {"facsNames", "names", "blendshape_names", "blendshapeNames", NULL};
	static const char *const frames[] = {"weightMat", "frames", "weights", "blendshapes", "data", NULL};
	static const char *const inner[] = {"metadata", "blendshape", "result", NULL};
	bool first = true;
	int more;

	while ((more = anim_json_next_member(&reader->json, &first, reader->error)) > 0) {
		int byte = anim_json_byte(&reader->text, reader->error), result;

		if (is_number_at(byte) && is_member(reader, rates)) {
			result = anim_json_read_number(&reader->json, &reader->take->rate, "a rate", reader->error);
			if (result == 0 && !(reader->take->rate >= 1e-3 && reader->take->rate <= 1e6))
				return refuse(reader, "a frame rate is not between 0.001 and 1000000");
		} else if (byte == '[' && is_member(reader, names)) {
			result = read_names(reader);
		} else if (byte == '[' && is_member(reader, frames)) {
			result = read_frames(reader);
		} else if (byte == '{' && depth < 2 && is_member(reader, inner)) {
			reader->text.at++;
			result = read_members(reader, depth + 1);
		} else {
			result = anim_json_skip(&reader->json, depth, reader->error);
		}
		if (result != 0)
			return -1;
	}
	return more;
}

/* Give the columns of a matrix their names. Return 0 or -1. */
static int name_columns(struct reader *reader)
{
	const char *const *names = (const char *const *)(const void *)reader->names.data;
	size_t count = reader->names.size / sizeof *names, width = face_take_width(reader->take);

	if (!reader->by_index)
		return 0;
	if (count != width)
		return anim_fail(reader->error, ANIM_BAD_INPUT, "frames have %zu weights, but there are %zu names",
				 width, count);
	reader->take->columns.size = reader->take->row.size = 0;
	for (size_t i = 0; i < count; i++)
		if (face_take_add(reader->take, names[i], strlen(names[i])) < 0)
			return -1;
	return 0;
}

static int read_document(struct reader *reader)
{
	int byte = anim_json_blank(&reader->text, reader->error), result;

	if (byte == '[') {
		result = read_frames(reader);
	} else {
		if (anim_json_expect(&reader->json, '{', "a face capture", reader->error) != 0)
			return -1;
		result = read_members(reader, 1);
	}
	if (result != 0)
		return -1;
	byte = anim_json_blank(&reader->text, reader->error);
	if (byte != ANIM_JSON_END)
		return anim_json_unexpected_here(&reader->json, "the end of the file", reader->error);
	if (reader->take->frames == 0)
		return anim_fail(reader->error, ANIM_BAD_INPUT, "no frame has weights");
	if (name_columns(reader) != 0)
		return -1;
	return !reader->has_gaps ? 0
				 : anim_diagnostics_warn(reader->take->options->diagnostics, NULL, reader->error,
							 "shapes that a frame does not have keep the weight of the "
							 "frame before it");
}

int face_json_read(struct face_take *take)
{
	struct reader reader = {.take = take, .error = take->error};
	int result;

	anim_json_text_init(&reader.text, take->input, NULL);
	reader.json.text = &reader.text;
	reader.json.where = print_nothing;
	if (anim_json_more(&reader.text, 3, take->error) >= 3 && memcmp(reader.text.at, "\xef\xbb\xbf", 3) == 0)
		reader.text.at += 3;
	result = take->error->code != ANIM_OK ? -1 : read_document(&reader);
	anim_json_clear(&reader.json);
	anim_buffer_clear(&reader.names);
	anim_buffer_clear(&reader.word);
	return result;
}

unsigned face_json_shapes(const char *at, size_t size)
{
	const char *end = at + size;
	unsigned shapes = 0;

	while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
		const char *stop = memchr(at + 1, '"', (size_t)(end - at) - 1);

		if (stop == NULL)
			break;
		shapes += anim_face_guess(at + 1, (size_t)(stop - at) - 1) >= 0;
		at = stop + 1;
	}
	return shapes;
}
