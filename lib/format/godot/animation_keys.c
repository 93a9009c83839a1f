/* animation_keys.c: keys that are rows of numbers: position, rotation, scale, blend shape, transform, Bezier. */
#include <string.h>

#include "base/limits.h"
#include "format/godot/animation_internal.h"

/* A row of a 3-D track: time, transition, then the lanes of one or three values. */
#define ROW_HEAD 2
#define VALUES_MAX 3

struct row {
	uint8_t width[VALUES_MAX]; /* lanes of each value, 0 behind the last */
};

static const struct row rows[GODOT_TRACK_TYPE_COUNT] = {
    [GODOT_TRACK_POSITION] = {{3}},    [GODOT_TRACK_ROTATION] = {{4}},        [GODOT_TRACK_SCALE] = {{3}},
    [GODOT_TRACK_BLEND_SHAPE] = {{1}}, [GODOT_TRACK_TRANSFORM] = {{3, 4, 3}},
};

void godot_keys_reset(struct godot_track_keys *keys)
{
	keys->track = GODOT_NO_TRACK;
	keys->n = 0;
	keys->update = GODOT_CONTINUOUS;
	keys->raw.size = keys->time.size = keys->ease.size = keys->modes.size = 0;
	for (size_t i = 0; i < GODOT_LANES; i++)
		keys->lane[i].size = 0;
	godot_column_reset(&keys->column);
}

void godot_keys_clear(struct godot_track_keys *keys)
{
	anim_buffer_clear(&keys->raw);
	anim_buffer_clear(&keys->time);
	anim_buffer_clear(&keys->ease);
	anim_buffer_clear(&keys->modes);
	for (size_t i = 0; i < GODOT_LANES; i++)
		anim_buffer_clear(&keys->lane[i]);
	godot_column_clear(&keys->column);
}

void godot_keys_ease(struct godot_track_keys *keys)
{
	const float *ease = (const float *)(const void *)keys->ease.data;
	size_t count = keys->ease.size / sizeof *ease;
	unsigned other = 0;

	for (size_t i = 0; i < count; i++)
		other |= ease[i] != 1;
	if (other == 0)
		keys->ease.size = 0;
}

/* Lanes first..first+width of every row of `stride` floats, packed. 0 or -1. */
static int take_lanes(const struct anim_buffer *raw, size_t n, size_t stride, size_t first, size_t width,
		      struct anim_buffer *out, struct anim_error *error)
{
	const float *from;
	float *to;

	out->size = 0;
	if (n == 0)
		return 0;
	from = (const float *)(const void *)raw->data + first;
	to = anim_buffer_extend(out, n * width * sizeof *to, error);
	if (to == NULL)
		return -1;
	switch (width) {
	case 1:
		for (size_t i = 0; i < n; i++)
			to[i] = from[i * stride];
		break;
	case 3:
		for (size_t i = 0; i < n; i++)
			memcpy(to + i * 3, from + i * stride, 3 * sizeof *to);
		break;
	default:
		for (size_t i = 0; i < n; i++)
			memcpy(to + i * 4, from + i * stride, 4 * sizeof *to);
		break;
	}
	return 0;
}

/* Time, transitions and values of rows of numbers. */
static int read_rows(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	struct godot_track_keys *keys = &reader->keys;
	const uint8_t *width = rows[head->type].width;
	size_t stride = ROW_HEAD, count, lane = ROW_HEAD, n;
	int status = godot_read_floats(reader, &keys->raw);

	if (status < 0)
		return -1;
	for (size_t i = 0; i < VALUES_MAX; i++)
		stride += width[i];
	count = keys->raw.size / sizeof(float);
	if (status == 1)
		return godot_warn(reader, "tracks whose keys are no numbers are left empty",
				  "%s: the keys of a %s track are no array of numbers; none is read",
				  godot_head_label(head), godot_track_type_names[head->type]);
	if (count % stride != 0)
		return godot_warn(reader, "tracks whose last key is cut are left empty, as Godot leaves them",
				  "%s: %zu numbers are no whole keys of %zu; none is read, as in Godot",
				  godot_head_label(head), count, stride);
	n = count / stride;
	if (take_lanes(&keys->raw, n, stride, 0, 1, &keys->time, reader->error) != 0 ||
	    take_lanes(&keys->raw, n, stride, 1, 1, &keys->ease, reader->error) != 0)
		return -1;
	for (size_t i = 0; i < VALUES_MAX && width[i] > 0; lane += width[i++])
		if (take_lanes(&keys->raw, n, stride, lane, width[i], &keys->lane[i], reader->error) != 0)
			return -1;
	godot_keys_ease(keys);
	keys->n = n;
	return 0;
}

/* Columns of Bezier keys: value, then the handles' numbers in the order of the columns: in.y, out.y, in.x, out.x. */
static int split_points(struct godot_clip_reader *reader, size_t n)
{
	static const uint8_t order[GODOT_LANES] = {0, 2, 4, 1, 3};
	struct godot_track_keys *keys = &reader->keys;

	for (size_t i = 0; i < GODOT_LANES; i++)
		if (take_lanes(&keys->raw, n, GODOT_LANES, order[i], 1, &keys->lane[i], reader->error) != 0)
			return -1;
	keys->n = n;
	return 0;
}

/* Handle modes come as numbers; those that are not one for each key are nobody's. */
static int keep_modes(struct godot_track_keys *keys, struct anim_error *error)
{
	const float *from = (const float *)(const void *)keys->ease.data;
	uint32_t *to;

	keys->modes.size = 0;
	if (keys->ease.size / sizeof *from != keys->n || keys->n == 0)
		return 0;
	to = anim_buffer_extend(&keys->modes, keys->n * sizeof *to, error);
	if (to == NULL)
		return -1;
	for (size_t i = 0; i < keys->n; i++)
		to[i] = from[i] >= 0 && from[i] < 256 ? (uint32_t)from[i] : 0;
	return 0;
}

/* One entry of a Bezier track's dictionary; *seen gathers which came. */
static int read_bezier_entry(struct godot_clip_reader *reader, const struct godot_value *key, unsigned *seen)
{
	static const char *const names[] = {"times", "points", "handle_modes"};
	struct anim_buffer *buffers[] = {&reader->keys.time, &reader->keys.raw, &reader->keys.ease};

	for (unsigned i = 0; i < 3; i++)
		if (godot_string_is(&key->text, names[i])) {
			*seen |= 1u << i;
			return godot_read_floats(reader, buffers[i]) < 0 ? -1 : 0;
		}
	return 0;
}

static int read_bezier(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	struct godot_track_keys *keys = &reader->keys;
	struct godot_value key;
	unsigned seen = 0;
	size_t times, points;
	int status = godot_text_dictionary(reader->text, reader->error);

	while (status == 1 &&
	       (status = godot_text_dictionary_next(reader->text, &reader->element, &key, reader->error)) == 1)
		if (read_bezier_entry(reader, &key, &seen) != 0)
			return -1;
	if (status < 0)
		return -1;
	times = keys->time.size / sizeof(float);
	points = keys->raw.size / sizeof(float);
	if ((seen & 3) == 3 && points == times * GODOT_LANES) {
		if (split_points(reader, times) != 0 || keep_modes(keys, reader->error) != 0)
			return -1;
		keys->ease.size = 0;
		return 0;
	}
	keys->ease.size = 0;
	return godot_warn(
	    reader, "Bezier tracks without five numbers a key are left empty, as Godot leaves them",
	    "%s: a Bezier track needs five numbers in 'points' for each of its %zu times, not %zu; no key "
	    "is read, as in Godot",
	    godot_head_label(head), times, points);
}

int godot_read_keys(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	int status;

	godot_keys_reset(&reader->keys);
	switch (head->type) {
	case GODOT_TRACK_UNKNOWN:
		return godot_text_skip(reader->text, reader->error);
	case GODOT_TRACK_VALUE:
		status = godot_read_value_keys(reader, head);
		break;
	case GODOT_TRACK_BEZIER:
		status = read_bezier(reader, head);
		break;
	case GODOT_TRACK_METHOD:
	case GODOT_TRACK_AUDIO:
	case GODOT_TRACK_ANIMATION:
		status = godot_read_event_keys(reader, head);
		break;
	default:
		status = read_rows(reader, head);
		break;
	}
	if (status == 0 && reader->keys.n > ANIM_KEYS_MAX)
		return anim_fail_at(reader->error, ANIM_TOO_LARGE, &reader->place, "more than %u keys in a track",
				    ANIM_KEYS_MAX);
	return status;
}
