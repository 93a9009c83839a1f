/* reader.c: anim_bvh_read: the joints, then the motion in tiles into a spool, then the tree and the tracks into the sink. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/number.h"
#include "base/text.h"
#include "format/bvh/bvh.h"
#include "format/bvh/internal.h"
#include "stream/store.h"

#define NO_JOINT UINT32_MAX
#define TILE_FLOATS ((size_t)1 << 17) /* numbers that are put in the joints' order at once */
#define TILE_FRAMES 8                 /* at least, however many channels there are */

struct joint {
	const char *name;     /* no other joint's */
	const char *original; /* what the file has instead; NULL: the same */
	uint32_t parent;      /* NO_JOINT: a root */
	bool end, named;      /* an End Site; it has a name in the file */
	bool has_offset, has_channels;
	float offset[3];
	size_t first; /* of its channels among a frame's */
	struct bvh_channels channels;
};

struct reader {
	struct bvh_scan scan;
	const struct anim_read_options *options;
	struct anim_buffer joints; /* struct joint */
	uint32_t joint;            /* the one whose braces are open; NO_JOINT: none */
	unsigned depth;
	struct anim_arena names;
	struct anim_text_set taken; /* names */
	struct anim_map doubles;    /* name -> the number that its last double got */
	bool latin;                 /* a name is no UTF-8 */
	double unit;
	size_t width, frames; /* numbers of a frame */
	struct anim_clip clip;
	double step_s; /* of a frame, where the clip has no rate */
	char frame_time[BVH_FRAME_TIME_TEXT];
	struct anim_spool motion; /* tiles; in each the numbers of a joint lie together, frame by frame */
	size_t tile_frames;
	struct anim_buffer tile, run, values; /* run: a joint's part of a tile; values: of the track at hand */
	struct anim_buffer path;
};

static struct joint *joint_at(const struct reader *reader, uint32_t number)
{
	return (struct joint *)(void *)reader->joints.data + number;
}

static uint32_t joint_count(const struct reader *reader)
{
	return (uint32_t)(reader->joints.size / sizeof(struct joint));
}

/* ---- Names ---- */

/* Bytes that are no UTF-8 are taken for Latin-1. */
static int append_latin(struct reader *reader, const char *text, size_t length, struct anim_error *error)
{
	reader->latin = true;
	for (size_t i = 0; i < length; i++) {
		char code[4];
		size_t size = anim_utf8_encode((uint8_t)text[i], code);

		if (anim_buffer_append(&reader->path, code, size, error) != 0)
			return -1;
	}
	return 0;
}

/* The file's name as a text, control characters and NULs being blanks. NULL out of memory. */
static char *decode_name(struct reader *reader, const char *text, size_t length, struct anim_error *error)
{
	char *name;

	reader->path.size = 0;
	if ((anim_utf8_prefix(text, length) == length ? anim_buffer_append(&reader->path, text, length, error)
						      : append_latin(reader, text, length, error)) != 0)
		return NULL;
	name = anim_arena_text(&reader->names, length == 0 ? "" : (const char *)reader->path.data, reader->path.size,
			       error);
	for (size_t i = 0; name != NULL && i < reader->path.size; i++)
		if ((unsigned char)name[i] < ' ')
			name[i] = ' ';
	return name;
}

/* The name as a part of a path can have it. */
static char *path_name(struct reader *reader, const char *original, struct anim_error *error)
{
	char *name = anim_arena_text(&reader->names, original, strlen(original), error);

	for (char *at = name; at != NULL && *at != '\0'; at++)
		if (*at == '/')
			*at = '_';
	if (name == NULL || (name[0] != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0))
		return name;
	return anim_arena_text(&reader->names, "joint", 5, error);
}

/* "Name", or "Name-2" where that is taken, and so on. NULL out of memory. */
static const char *unique_name(struct reader *reader, const char *name, struct anim_error *error)
{
	const char *unique = name;
	size_t length = strlen(name);
	uint32_t number = 1;
	int added;

	anim_map_get(&reader->doubles, 0, name, length, &number);
	while ((added = anim_text_set_add(&reader->taken, unique, strlen(unique), error)) == 0) {
		unique = anim_arena_printf(&reader->names, error, "%s-%u", name, ++number);
		if (unique == NULL)
			return NULL;
	}
	if (added < 0 || (number > 1 && anim_map_put(&reader->doubles, 0, name, length, number, error) != 0))
		return NULL;
	return unique;
}

static int name_joint(struct reader *reader, struct joint *joint, const char *text, size_t length,
		      struct anim_error *error)
{
	char *name = decode_name(reader, text, length, error);

	if (name != NULL && strlen(name) > ANIM_BVH_NAME_MAX)
		return bvh_scan_fail(&reader->scan, text, error, "a name of more than %u bytes of UTF-8",
				     ANIM_BVH_NAME_MAX);
	joint->named = length > 0;
	joint->original = name;
	if (name != NULL && joint->end && length == 0)
		name = anim_arena_printf(&reader->names, error, "%s_end", joint_at(reader, joint->parent)->name);
	name = name == NULL ? NULL : path_name(reader, name, error);
	joint->name = name == NULL ? NULL : unique_name(reader, name, error);
	if (joint->name == NULL)
		return -1;
	if (strcmp(joint->name, joint->original) == 0 || (joint->end && length == 0))
		joint->original = NULL;
	return 0;
}

/* ---- The joints ---- */

static bool is_word(const char *word, size_t length, const char *wanted)
{
	return strlen(wanted) == length && strncasecmp(word, wanted, length) == 0;
}

/* Fails with what stands there instead of `wanted`. */
static int refuse(const struct reader *reader, const char *word, size_t length, const char *wanted,
		  struct anim_error *error)
{
	char shown[64];

	anim_text_safe(shown, sizeof shown, word, length);
	return bvh_scan_fail(&reader->scan, word, error, "%s expected, found '%s'", wanted, shown);
}

/* The next word, which must be there. 0 or -1. */
static int some_word(struct reader *reader, const char **word, size_t *length, const char *wanted,
		     struct anim_error *error)
{
	int more = bvh_scan_word(&reader->scan, word, length, error);

	if (more == 0)
		return bvh_scan_fail(&reader->scan, reader->scan.at, error, "%s expected, the file ends here", wanted);
	return more < 0 ? -1 : 0;
}

static int expect(struct reader *reader, const char *wanted, struct anim_error *error)
{
	const char *word;
	size_t length;

	if (some_word(reader, &word, &length, wanted, error) != 0)
		return -1;
	return is_word(word, length, wanted) ? 0 : refuse(reader, word, length, wanted, error);
}

/* ROOT, JOINT or End Site: up to its opening brace. */
static int begin_joint(struct reader *reader, bool end, struct anim_error *error)
{
	struct joint joint = {.parent = reader->joint, .end = end};
	const char *text;
	size_t length;

	if (reader->depth == ANIM_NESTING_BVH)
		return bvh_scan_fail(&reader->scan, reader->scan.at, error, "joints are nested deeper than %d",
				     ANIM_NESTING_BVH);
	if (joint_count(reader) == NO_JOINT - 1)
		return bvh_scan_fail(&reader->scan, reader->scan.at, error, "too many joints");
	if (bvh_scan_line(&reader->scan, ANIM_BVH_NAME_MAX, &text, &length, error) != 0 ||
	    name_joint(reader, &joint, text, length, error) != 0 || expect(reader, "{", error) != 0)
		return -1;
	reader->joint = joint_count(reader);
	reader->depth++;
	return anim_buffer_append(&reader->joints, &joint, sizeof joint, error);
}

static int read_offset(struct reader *reader, const char *word, struct anim_error *error)
{
	struct joint *joint = joint_at(reader, reader->joint);
	float offset[3];
	size_t done;

	if (joint->has_offset)
		return bvh_scan_fail(&reader->scan, word, error, "a second OFFSET of '%s'", joint->name);
	if (bvh_scan_floats(&reader->scan, offset, 3, &done, error) != 0)
		return -1;
	if (done < 3)
		return bvh_scan_fail(&reader->scan, reader->scan.at, error,
				     "three numbers of an OFFSET expected, the file ends here");
	joint->has_offset = true;
	memcpy(joint->offset, offset, sizeof offset);
	return 0;
}

static int read_channel(struct reader *reader, struct joint *joint, struct anim_error *error)
{
	const char *word;
	size_t length;
	int channel;

	if (some_word(reader, &word, &length, "a channel", error) != 0)
		return -1;
	channel = bvh_channel_find(word, length);
	if (channel < 0)
		return refuse(reader, word, length, "a channel (Xposition to Zrotation)", error);
	if (bvh_channels_have(&joint->channels, (unsigned)channel))
		return bvh_scan_fail(&reader->scan, word, error, "'%s' has %s twice", joint->name,
				     bvh_channel_name((unsigned)channel));
	bvh_channels_add(&joint->channels, (unsigned)channel);
	return 0;
}

static int read_channels(struct reader *reader, const char *word, struct anim_error *error)
{
	struct joint *joint = joint_at(reader, reader->joint);
	uint64_t count = 0;
	size_t length;

	if (joint->has_channels)
		return bvh_scan_fail(&reader->scan, word, error, "a second list of CHANNELS of '%s'", joint->name);
	if (some_word(reader, &word, &length, "a count of channels", error) != 0)
		return -1;
	if (length > 3 || anim_number_uint64(word, word + length, &count) != word + length)
		return refuse(reader, word, length, "a count of channels", error);
	if (count > (joint->end ? 0 : BVH_CHANNELS_MAX))
		return bvh_scan_fail(&reader->scan, word, error,
				     joint->end ? "an End Site has no channels" : "%d channels are the most",
				     BVH_CHANNELS_MAX);
	joint->has_channels = true;
	joint->first = reader->width;
	reader->width += count;
	while (count-- > 0)
		if (read_channel(reader, joint, error) != 0)
			return -1;
	return 0;
}

/* What stands between the braces of a joint. */
static int read_item(struct reader *reader, const char *word, size_t length, struct anim_error *error)
{
	bool end = joint_at(reader, reader->joint)->end;

	if (is_word(word, length, "OFFSET"))
		return read_offset(reader, word, error);
	if (is_word(word, length, "CHANNELS"))
		return read_channels(reader, word, error);
	if (is_word(word, length, "JOINT") && !end)
		return begin_joint(reader, false, error);
	if (is_word(word, length, "End") && !end)
		return expect(reader, "Site", error) != 0 ? -1 : begin_joint(reader, true, error);
	if (!is_word(word, length, "}"))
		return refuse(reader, word, length, end ? "OFFSET or }" : "OFFSET, CHANNELS, JOINT, End Site or }",
			      error);
	reader->joint = joint_at(reader, reader->joint)->parent;
	reader->depth--;
	return 0;
}

/* Up to MOTION. */
static int read_hierarchy(struct reader *reader, struct anim_error *error)
{
	const char *word, *wanted = "ROOT";
	size_t length;

	if (expect(reader, "HIERARCHY", error) != 0)
		return -1;
	for (;;) {
		if (some_word(reader, &word, &length, reader->depth > 0 ? "}" : wanted, error) != 0)
			return -1;
		if (reader->depth == 0 && joint_count(reader) > 0 && is_word(word, length, "MOTION"))
			return 0;
		if (reader->depth > 0) {
			if (read_item(reader, word, length, error) != 0)
				return -1;
		} else if (is_word(word, length, "ROOT") || is_word(word, length, "JOINT")) {
			wanted = "ROOT or MOTION";
			if (begin_joint(reader, false, error) != 0)
				return -1;
		} else {
			return refuse(reader, word, length, wanted, error);
		}
	}
}

/* ---- The motion ---- */

/* A word that ends in ':', or has one behind it; *rest is what follows the colon in the same word. 0 or -1. */
static int expect_label(struct reader *reader, const char *wanted, const char **word, size_t *length,
			struct anim_error *error)
{
	size_t size = strlen(wanted);

	if (some_word(reader, word, length, wanted, error) != 0)
		return -1;
	if (*length < size - 1 || strncasecmp(*word, wanted, *length < size ? *length : size) != 0)
		return refuse(reader, *word, *length, wanted, error);
	if (*length == size - 1 && expect(reader, ":", error) != 0)
		return -1;
	if (*length > size) {
		*word += size;
		*length -= size;
		return 0;
	}
	return some_word(reader, word, length, "a number", error);
}

static int read_head(struct reader *reader, struct anim_error *error)
{
	const char *word;
	uint64_t frames = 0;
	size_t length;

	if (expect_label(reader, "Frames:", &word, &length, error) != 0)
		return -1;
	if (length > 20 || anim_number_uint64(word, word + length, &frames) != word + length)
		return refuse(reader, word, length, "a count of frames", error);
	if (frames > ANIM_KEYS_MAX)
		return bvh_scan_fail(&reader->scan, word, error, "more than %u frames", ANIM_KEYS_MAX);
	reader->frames = (size_t)frames;
	if (expect(reader, "Frame", error) != 0 || expect_label(reader, "Time:", &word, &length, error) != 0)
		return -1;
	if (!bvh_frame_time_read(word, length, &reader->clip.rate_num, &reader->clip.rate_den, &reader->step_s))
		return refuse(reader, word, length, "a frame's time from 1e-9 to 1e9 seconds", error);
	memcpy(reader->frame_time, word, length);
	return 0;
}

/* The tile's numbers, frame by frame, into `runs`, joint by joint. */
static void sort_tile(const struct reader *reader, size_t frames, float *runs)
{
	const float *from = (const float *)(const void *)reader->tile.data;
	const struct joint *joints = joint_at(reader, 0), *end = joints + joint_count(reader);

	for (size_t k = 0; k < frames; k++, from += reader->width)
		for (const struct joint *joint = joints; joint < end; joint++) {
			size_t count = joint->channels.count;
			float *to = runs + frames * joint->first + k * count;

			for (size_t i = 0; i < count; i++)
				to[i] = from[joint->first + i];
		}
}

static int spool_tile(struct reader *reader, size_t frames, struct anim_error *error)
{
	size_t size = frames * reader->width * sizeof(float);
	void *runs;

	reader->run.size = 0;
	if ((runs = anim_buffer_extend(&reader->run, size, error)) == NULL)
		return -1;
	sort_tile(reader, frames, runs);
	if (anim_spool_begin(&reader->motion, size, error) != 0)
		return -1;
	return anim_spool_append(&reader->motion, runs, size, error);
}

/* Says how many frames there are: `frames`, and what `done` numbers make more. */
static int refuse_end(const struct reader *reader, size_t frames, size_t done, struct anim_error *error)
{
	size_t more = done / reader->width, rest = done % reader->width;

	if (rest == 0)
		return bvh_scan_fail(&reader->scan, reader->scan.at, error, "Frames: says %zu, but %zu are there",
				     reader->frames, frames + more);
	return bvh_scan_fail(&reader->scan, reader->scan.at, error,
			     "frame %zu of %zu ends after %zu of its %zu numbers", frames + more + 1, reader->frames,
			     rest, reader->width);
}

/* What stands behind the last frame: nothing, or more frames (warning). */
static int read_rest(struct reader *reader, struct anim_error *error)
{
	struct anim_place place = bvh_scan_place(&reader->scan, reader->scan.at);
	uint64_t count = 0;
	float numbers[256];
	size_t done;

	do {
		if (bvh_scan_floats(&reader->scan, numbers, ANIM_COUNT(numbers), &done, error) != 0)
			return -1;
		count += done;
	} while (done > 0);
	if (count == 0)
		return 0;
	if (reader->width == 0 || count < reader->width)
		return anim_diagnostics_add(reader->options->diagnostics, ANIM_WARNING, &place, NULL, error,
					    "%llu numbers stand behind the last frame; they are left out",
					    (unsigned long long)count);
	return anim_diagnostics_add(reader->options->diagnostics, ANIM_WARNING, &place, NULL, error,
				    "Frames: says %zu, but %llu are there; the others are left out", reader->frames,
				    (unsigned long long)(reader->frames + count / reader->width));
}

static int read_motion(struct reader *reader, struct anim_error *error)
{
	size_t frames = 0, tile_frames = reader->width == 0 ? 0 : TILE_FLOATS / reader->width;

	tile_frames = tile_frames < TILE_FRAMES ? TILE_FRAMES : tile_frames;
	reader->tile_frames = tile_frames;
	while (reader->width > 0 && frames < reader->frames) {
		size_t part = reader->frames - frames < tile_frames ? reader->frames - frames : tile_frames, done;

		reader->tile.size = 0;
		if (anim_buffer_reserve(&reader->tile, part * reader->width * sizeof(float), error) != 0 ||
		    bvh_scan_floats(&reader->scan, (float *)(void *)reader->tile.data, part * reader->width, &done,
				    error) != 0)
			return -1;
		if (done < part * reader->width)
			return refuse_end(reader, frames, done, error);
		if (spool_tile(reader, part, error) != 0)
			return -1;
		frames += part;
	}
	return read_rest(reader, error);
}

/* ---- Into the sink ---- */

/* The path of a joint, with its NUL, in reader->path. */
static const char *path_of(struct reader *reader, uint32_t number, struct anim_error *error)
{
	uint32_t chain[ANIM_NESTING_BVH];
	size_t depth = 0;

	reader->path.size = 0;
	for (; number != NO_JOINT; number = joint_at(reader, number)->parent)
		chain[depth++] = number;
	while (depth-- > 0)
		if (anim_buffer_append_text(&reader->path, joint_at(reader, chain[depth])->name, error) != 0 ||
		    anim_buffer_append(&reader->path, depth > 0 ? "/" : "", 1, error) != 0)
			return NULL;
	return (const char *)reader->path.data;
}

/* A number of the file's on this axis as it is with Y up, in the unit asked for. */
static float in_space(const struct reader *reader, unsigned axis, float value)
{
	value = reader->options->bvh.z_up && axis == BVH_MIRRORED ? -value : value;
	return reader->unit == 1 ? value : (float)((double)value * reader->unit);
}

static float angle_in_space(const struct reader *reader, unsigned axis, float value)
{
	return reader->options->bvh.z_up && axis == BVH_MIRRORED ? -value : value;
}

/* The joints' offsets and channels as they are with Y up; the channels' places among the numbers stay. */
static void stand_up(struct reader *reader)
{
	for (uint32_t i = 0; i < joint_count(reader); i++) {
		struct joint *joint = joint_at(reader, i);
		float offset[3];

		memcpy(offset, joint->offset, sizeof offset);
		for (unsigned axis = 0; axis < 3; axis++)
			joint->offset[axis] =
			    in_space(reader, axis, offset[reader->options->bvh.z_up ? bvh_other_axis(axis) : axis]);
		if (reader->options->bvh.z_up)
			bvh_channels_turn_up(&joint->channels);
	}
}

static int push_joint(struct reader *reader, uint32_t number, struct anim_sink *sink, struct anim_error *error)
{
	const struct joint *joint = joint_at(reader, number);
	struct anim_attr attrs[2];
	struct anim_node node = {.kind = ANIM_NODE_BONE,
				 .has = ANIM_HAS_POSITION,
				 .parent = joint->parent == NO_JOINT ? 0 : joint->parent + 1,
				 .position = {joint->offset[0], joint->offset[1], joint->offset[2]},
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1},
				 .path = path_of(reader, number, error),
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
	return anim_sink_node(sink, &node, error);
}

static int push_tree(struct reader *reader, struct anim_sink *sink, struct anim_error *error)
{
	const char *file = anim_read_source_file(reader->options, reader->scan.input);
	const char *name = anim_read_base_name(file, &reader->names, error);
	const struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .root_name = name, .source_file = file};
	const struct anim_node root = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};

	reader->clip.name = name;
	if (name == NULL || anim_sink_tree(sink, &tree, error) != 0 || anim_sink_node(sink, &root, error) != 0)
		return -1;
	for (uint32_t i = 0; i < joint_count(reader); i++)
		if (push_joint(reader, i, sink, error) != 0)
			return -1;
	return 0;
}

static int push_clip(struct reader *reader, struct anim_sink *sink, struct anim_error *error)
{
	const struct anim_read_options *options = reader->options;
	struct anim_clip *clip = &reader->clip;
	struct anim_attr attrs[3];
	double step_s = clip->rate_num > 0 ? (double)clip->rate_den / (double)clip->rate_num : reader->step_s;

	clip->end_s = reader->frames == 0 ? 0 : (float)((double)(reader->frames - 1) * step_s);
	clip->axes = ANIM_AXES_GLTF;
	clip->flags = ANIM_IN_TREE;
	clip->root = ".";
	clip->source = "bvh";
	clip->attrs.items = attrs;
	attrs[clip->attrs.count++] = (struct anim_attr){BVH_ATTR_FRAME_TIME, reader->frame_time};
	if (options->bvh.unit != NULL)
		attrs[clip->attrs.count++] = (struct anim_attr){BVH_ATTR_UNIT, options->bvh.unit};
	if (options->bvh.z_up)
		attrs[clip->attrs.count++] = (struct anim_attr){BVH_ATTR_UP, "z"};
	return anim_sink_clip(sink, clip, error);
}

/* Whether the joint has channels that turn, or such that move. */
static bool has_track(const struct joint *joint, bool turns)
{
	for (unsigned i = 0; i < joint->channels.count; i++)
		if ((joint->channels.items[i] >= BVH_TURNS) == turns)
			return true;
	return false;
}

/* The joint's numbers of `frames` frames from `first` on into the values, whose other components stand. */
static void put_values(struct reader *reader, const struct joint *joint, bool turns, size_t first, size_t frames)
{
	float *values = (float *)(void *)reader->values.data + 3 * first;
	const float *run = (const float *)(const void *)reader->run.data;
	size_t count = joint->channels.count;

	for (size_t i = 0; i < count; i++) {
		unsigned channel = joint->channels.items[i], axis = channel % BVH_TURNS;

		if ((channel >= BVH_TURNS) != turns)
			continue;
		for (size_t k = 0; k < frames; k++)
			values[3 * k + axis] = turns ? angle_in_space(reader, axis, run[k * count + i])
						     : in_space(reader, axis, run[k * count + i]);
		for (size_t k = 0; !turns && reader->options->bvh.add_offset && k < frames; k++)
			values[3 * k + axis] += joint->offset[axis];
	}
}

/* All values of one track of a joint. */
static int gather(struct reader *reader, const struct joint *joint, bool turns, struct anim_error *error)
{
	static const float no_turn[3];
	const float *other = turns ? no_turn : joint->offset;
	size_t size = joint->channels.count * sizeof *other;
	float *values;

	reader->values.size = 0;
	values = anim_buffer_extend(&reader->values, reader->frames * sizeof no_turn + 1, error);
	for (size_t k = 0; values != NULL && k < reader->frames; k++)
		memcpy(values + 3 * k, other, sizeof no_turn);
	for (size_t first = 0; values != NULL && first < reader->frames; first += reader->tile_frames) {
		size_t left = reader->frames - first, frames = left < reader->tile_frames ? left : reader->tile_frames;
		uint64_t place = (uint64_t)first * reader->width + (uint64_t)frames * joint->first;

		reader->run.size = 0;
		if (anim_buffer_extend(&reader->run, frames * size, error) == NULL ||
		    anim_spool_copy(&reader->motion, place * sizeof *other, reader->run.data, frames * size, error) !=
			0)
			return -1;
		put_values(reader, joint, turns, first, frames);
	}
	return values == NULL ? -1 : 0;
}

static int push_track(struct reader *reader, uint32_t number, bool turns, struct anim_sink *sink,
		      struct anim_error *error)
{
	const struct joint *joint = joint_at(reader, number);
	char channels[BVH_CHANNELS_TEXT];
	const struct anim_attr attrs[2] = {{BVH_ATTR_CHANNELS, channels},
					   {"order", anim_euler_order_names[bvh_channels_order(&joint->channels)]}};
	struct anim_track track = {.kind = ANIM_RAW,
				   .type = ANIM_FLOAT3,
				   .node = path_of(reader, number, error),
				   .property = turns ? "euler" : "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .flags = turns ? ANIM_DEGREES : 0,
				   .n = reader->frames,
				   .step_s = reader->step_s,
				   .rate_num = reader->clip.rate_num,
				   .rate_den = reader->clip.rate_den,
				   .attrs = {attrs, turns ? 2 : 0}};

	bvh_channels_print(&joint->channels, channels);
	if (!has_track(joint, turns))
		return 0;
	if (track.node == NULL || gather(reader, joint, turns, error) != 0)
		return -1;
	track.value = reader->values.data;
	return anim_sink_track(sink, &track, error);
}

#define LOWEST_HIPS_M 0.6 /* of a human who stands, with room for children and crouching */
#define HIGHEST_HIPS_M 1.2

/* The unit that makes hips as high as a human's, if any does; no height fits two of them. */
static const struct {
	const char *name, *many;
} units[] = {
    {"cm", "files tell no unit, with hips as high as a human's in centimetres"},
    {"cmu", "files tell no unit, with hips as high as a human's in the Carnegie Mellon files' unit"},
    {"in", "files tell no unit, with hips as high as a human's in inches"},
    {"m", "files tell no unit, with hips as high as a human's in metres"},
    {NULL, "files tell no unit, with hips higher or lower than a human's in every known unit"},
};

/* What nobody can tell of a file: how large its unit is. The hips say it to people. */
static int tell_unit(struct reader *reader, struct anim_error *error)
{
	const struct joint *joint = joint_at(reader, 0);
	double height, metres;
	const char *unit;
	size_t i = 0;

	if (reader->options->bvh.unit_option == NULL || reader->options->bvh.unit != NULL)
		return 0;
	if (reader->frames > 0 && bvh_channels_have(&joint->channels, 1)) {
		if (gather(reader, joint, false, error) != 0)
			return -1;
		height = (double)((const float *)(const void *)reader->values.data)[1];
	} else {
		height = (double)joint->offset[1];
	}
	while (units[i].name != NULL && anim_bvh_unit(units[i].name, &metres) &&
	       !(height * metres >= LOWEST_HIPS_M && height * metres <= HIGHEST_HIPS_M))
		i++;
	unit = units[i].name;
	if (unit == NULL)
		return anim_diagnostics_note(reader->options->diagnostics, units[i].many, error,
					     "the file tells no unit: '%.100s' is at a height of %g; %s cm, in, cmu or "
					     "any number of metres makes metres of it",
					     joint->name, height, reader->options->bvh.unit_option);
	return anim_diagnostics_note(reader->options->diagnostics, units[i].many, error,
				     "the file tells no unit: '%.100s' is at a height of %g; %s %s makes it %g m",
				     joint->name, height, reader->options->bvh.unit_option, unit, height * metres);
}

static int push(struct reader *reader, struct anim_sink *sink, struct anim_error *error)
{
	stand_up(reader);
	if (reader->latin && anim_diagnostics_warn(reader->options->diagnostics, NULL, error,
						   "names that are not UTF-8 are taken for Latin-1") != 0)
		return -1;
	if (push_tree(reader, sink, error) != 0 || tell_unit(reader, error) != 0 || push_clip(reader, sink, error) != 0)
		return -1;
	for (uint32_t i = 0; i < joint_count(reader); i++)
		if (push_track(reader, i, false, sink, error) != 0 || push_track(reader, i, true, sink, error) != 0)
			return -1;
	return 0;
}

static void clear(struct reader *reader)
{
	anim_buffer_clear(&reader->joints);
	anim_arena_clear(&reader->names);
	anim_text_set_clear(&reader->taken);
	anim_map_clear(&reader->doubles);
	anim_spool_clear(&reader->motion);
	anim_buffer_clear(&reader->tile);
	anim_buffer_clear(&reader->run);
	anim_buffer_clear(&reader->values);
	anim_buffer_clear(&reader->path);
}

int anim_bvh_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct reader reader = {.scan = {.input = input}, .options = options, .joint = NO_JOINT, .unit = 1};
	int result;

	if (options->bvh.unit != NULL)
		anim_bvh_unit(options->bvh.unit, &reader.unit);
	anim_spool_init(&reader.motion, options->store_memory);
	result = bvh_scan_mark(&reader.scan, error);
	if (result == 0)
		result = read_hierarchy(&reader, error);
	if (result == 0)
		result = read_head(&reader, error);
	if (result == 0)
		result = read_motion(&reader, error);
	if (result != 0)
		anim_error_in_file(error, anim_input_name(input));
	anim_buffer_clear(&reader.tile);
	if (result == 0)
		result = push(&reader, sink, error);
	clear(&reader);
	return result;
}

bool anim_bvh_is(const uint8_t *bytes, size_t size)
{
	static const char first[] = "HIERARCHY";
	const char *at = (const char *)bytes, *end = at + size;

	if (anim_bytes_begin(at, size, "\xef\xbb\xbf"))
		at += 3;
	while (at < end && (*at == ' ' || (*at >= '\t' && *at <= '\r')))
		at++;
	return (size_t)(end - at) >= sizeof first - 1 && strncasecmp(at, first, sizeof first - 1) == 0;
}
