/* animation.c: the properties of one Animation resource, its table of tracks, and compressed tracks. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "format/godot/animation.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ---- Compressed tracks of Godot 4: pages of bit-packed keys -> plain keys ---- */

#define FORMAT_VERSION 1 /* of _compression; the engine has no other yet */
#define TRACK_HEAD 12    /* bytes of a page that each track has: three u32 */
#define TIME_KEY 4       /* u16 frame, u16 offset and count */
#define BOX_FLOATS 6     /* an AABB: position, size */
#define BLEND_RANGE 8.0  /* blend shapes lie in -8..8 */
#define COMPONENTS 3
#define SAME_TIME_S 1e-6

/* A packet: a time key with its data. Positions are bytes of the page. */
struct key_packet {
	uint32_t frame;
	size_t data;
	unsigned count; /* keys, 1..16 */
};

/* Reads bits, least significant first, never beyond the page. */
struct bit_reader {
	const uint8_t *bytes;
	size_t size, bit;
};

static uint32_t read_u16(const uint8_t *at)
{
	return (uint32_t)(at[0] | at[1] << 8);
}

static uint32_t read_u32(const uint8_t *at)
{
	return read_u16(at) | read_u16(at + 2) << 16;
}

/* False where the page ends before. */
static bool take_bits(struct bit_reader *bits, unsigned count, uint32_t *value)
{
	*value = 0;
	if (bits->size * 8 - bits->bit < count)
		return false;
	for (unsigned i = 0; i < count; i++, bits->bit++)
		*value |= (uint32_t)(bits->bytes[bits->bit / 8] >> bits->bit % 8 & 1) << i;
	return true;
}

/* A unit vector from two numbers of 0..1: octahedral mapping. */
static void decode_axis(double x, double y, double axis[3])
{
	double fx = x * 2 - 1, fy = y * 2 - 1, z = 1 - fabs(fx) - fabs(fy), fold = z < 0 ? -z : 0, length;

	fold = fold > 1 ? 1 : fold;
	axis[0] = fx + (fx >= 0 ? -fold : fold);
	axis[1] = fy + (fy >= 0 ? -fold : fold);
	axis[2] = z;
	length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
	for (size_t i = 0; i < 3 && length > 0; i++)
		axis[i] /= length;
}

/* 16-bit numbers -> the value that they stand for. The number of components. */
static size_t decode_value(enum godot_track_type type, const float *box, const uint32_t in[COMPONENTS], float out[4])
{
	double axis[3], angle;

	switch (type) {
	case GODOT_TRACK_BLEND_SHAPE:
		out[0] = (float)((in[0] / 65535.0 * 2 - 1) * BLEND_RANGE);
		return 1;
	case GODOT_TRACK_ROTATION:
		decode_axis(in[0] / 65535.0, in[1] / 65535.0, axis);
		angle = in[2] / 65535.0 * ANIM_TAU;
		for (size_t i = 0; i < 3; i++)
			out[i] = (float)(axis[i] * anim_sin(angle / 2));
		out[3] = (float)anim_cos(angle / 2);
		return 4;
	default:
		for (size_t i = 0; i < 3; i++)
			out[i] = (float)(box[i] + in[i] / 65535.0 * box[3 + i]);
		return 3;
	}
}

/* What decoding one track needs and has reached. */
struct page_decoder {
	struct godot_clip_reader *reader;
	enum godot_track_type type;
	size_t number;     /* of the track in the pages */
	size_t components; /* of the 16-bit numbers */
	const float *box;
	double last_s;      /* time of the key before */
	double tolerance_s; /* a quarter of a frame: times nearer than this are one */
	bool page_begins;   /* no key of the page has come */
};

/* Appends a copy of the last key just before time_s. 0 or -1. */
static int hold_until(struct godot_track_keys *keys, float time_s, struct anim_error *error)
{
	size_t components = keys->component[0].size / keys->time.size;
	float value[4];
	uint32_t bits;

	memcpy(&bits, &time_s, sizeof bits);
	bits--; /* the float below a positive one */
	memcpy(value, keys->component[0].data + keys->component[0].size - components * sizeof *value,
	       components * sizeof *value);
	if (anim_buffer_append(&keys->time, &bits, sizeof bits, error) != 0)
		return -1;
	return anim_buffer_append(&keys->component[0], value, components * sizeof *value, error);
}

/* Cuts off what lies behind a time. The first key there moves to the time itself, where the straight way to it ends. */
static void cut_at(struct godot_track_keys *keys, float end_s)
{
	float *time = (float *)(void *)keys->time.data, *value = (float *)(void *)keys->component[0].data;
	size_t n = keys->time.size / sizeof *time, k = n,
	       components = n == 0 ? 0 : keys->component[0].size / keys->time.size;
	float weight;

	while (k > 0 && time[k - 1] > end_s)
		k--;
	if (k == 0 || k == n)
		return;
	weight = (end_s - time[k - 1]) / (time[k] - time[k - 1]);
	if (components == 4)
		anim_quat_slerp(value + 4 * k, value + 4 * (k - 1), value + 4 * k, weight);
	else
		for (size_t i = 0; i < components; i++)
			value[components * k + i] =
			    value[components * (k - 1) + i] +
			    (value[components * k + i] - value[components * (k - 1) + i]) * weight;
	time[k] = end_s;
	keys->time.size = (k + 1) * sizeof *time;
	keys->component[0].size = (k + 1) * components * sizeof *value;
}

/*
 * A page counts from its start on, where keys of the page before end. If that page ends earlier, without a copy of this first
 * key, the engine holds its last one, since it never looks from one page into the next.
 */
static int join_page(struct page_decoder *decoder, double first_s)
{
	struct godot_track_keys *keys = &decoder->reader->keys;

	if (keys->time.size > 0 && decoder->last_s < first_s && (float)first_s > 0)
		return hold_until(keys, (float)first_s, decoder->reader->error);
	cut_at(keys, (float)first_s);
	return 0;
}

/*
 * True where this first key of a page repeats the last of the page before. That one stays, unless the page begins clearly
 * before it: Godot 4.2 writes the pages' times with six digits.
 */
static bool repeats(const struct page_decoder *decoder, double time_s)
{
	double ahead_s = time_s - decoder->last_s;

	return decoder->reader->keys.time.size > 0 && ahead_s > -SAME_TIME_S && ahead_s < decoder->tolerance_s;
}

/* The key before is at this time: the value jumps from its own to this one, unless they are the same. */
static bool is_jump(const struct godot_track_keys *keys, const float *value, size_t size)
{
	return keys->component[0].size >= size &&
	       memcmp(keys->component[0].data + keys->component[0].size - size, value, size) != 0;
}

/*
 * Appends a key. Of several on one frame the engine comes to the first and goes on from the last, as rules plain do with
 * keys of one time. 0 or -1.
 */
static int append_key(struct page_decoder *decoder, double time_s, const uint32_t in[COMPONENTS])
{
	struct godot_clip_reader *reader = decoder->reader;
	struct godot_track_keys *keys = &reader->keys;
	float value[4], time = (float)time_s;
	size_t components = decode_value(decoder->type, decoder->box, in, value), size = components * sizeof *value;
	bool same = decoder->page_begins ? repeats(decoder, time_s) : time_s < decoder->last_s + decoder->tolerance_s;

	if (!same && decoder->page_begins && join_page(decoder, time_s) != 0)
		return -1;
	decoder->page_begins = false;
	if (same && !is_jump(keys, value, size))
		return 0;
	if (same)
		memcpy(&time, keys->time.data + keys->time.size - sizeof time, sizeof time);
	else
		decoder->last_s = time_s;
	if (anim_buffer_append(&keys->time, &time, sizeof time, reader->error) != 0)
		return -1;
	return anim_buffer_append(&keys->component[0], value, size, reader->error);
}

/* One number's difference: a sign bit above `width` bits; no bits at all where the width is 0. */
static bool take_delta(struct bit_reader *bits, unsigned width, uint32_t *number)
{
	uint32_t raw, low;

	if (width == 0)
		return true;
	if (!take_bits(bits, width + 1, &raw))
		return false;
	low = raw & ((1u << width) - 1);
	*number = (*number + (raw >> width ? ~low : low)) & 0xFFFF;
	return true;
}

/* The keys behind the first of a packet. 1, 0 where the page ends before they do, -1. */
static int decode_deltas(struct page_decoder *decoder, const struct godot_compressed_page *page,
			 const struct key_packet *packet, uint32_t numbers[COMPONENTS])
{
	size_t at = packet->data + decoder->components * 2;
	struct bit_reader bits = {page->bytes, page->size, (at + 2) * 8};
	uint32_t frame = packet->frame, head;

	if (at + 2 > page->size)
		return 0;
	head = read_u16(page->bytes + at);
	for (unsigned i = 1; i < packet->count; i++) {
		uint32_t delta;

		if (!take_bits(&bits, (head >> 12) + 1, &delta))
			return 0;
		frame += delta;
		for (size_t component = 0; component < decoder->components; component++)
			if (!take_delta(&bits, head >> 4 * component & 15, &numbers[component]))
				return 0;
		if (append_key(decoder, page->time_s + (double)frame / decoder->reader->compression.fps, numbers) != 0)
			return -1;
	}
	return 1;
}

/* All keys of a packet. 1, 0 where the page ends before they do, -1. */
static int decode_packet(struct page_decoder *decoder, const struct godot_compressed_page *page,
			 const struct key_packet *packet)
{
	struct godot_compression *compression = &decoder->reader->compression;
	double start_s = page->time_s + (double)packet->frame / compression->fps;
	uint32_t numbers[COMPONENTS] = {0};

	if (packet->data > page->size || page->size - packet->data < decoder->components * 2 ||
	    compression->keys_left < packet->count)
		return 0;
	compression->keys_left -= packet->count;
	for (size_t component = 0; component < decoder->components; component++)
		numbers[component] = read_u16(page->bytes + packet->data + component * 2);
	/* The engine takes the last packet that has begun. Those before it may go on: it writes them so where all is one jump. */
	if (!decoder->page_begins && start_s < decoder->last_s - decoder->tolerance_s) {
		cut_at(&decoder->reader->keys, (float)start_s);
		decoder->last_s = start_s;
	}
	if (append_key(decoder, start_s, numbers) != 0)
		return -1;
	return packet->count == 1 ? 1 : decode_deltas(decoder, page, packet, numbers);
}

/* The share of the track in one page. 1, 0 where the page is damaged, -1. */
static int decode_page(struct page_decoder *decoder, const struct godot_compressed_page *page)
{
	const uint8_t *head = page->bytes + decoder->number * TRACK_HEAD;
	uint32_t times, count, data;
	bool whole = true;
	int status = 1;

	if (page->size / TRACK_HEAD <= decoder->number)
		return 0;
	times = read_u32(head);
	count = read_u32(head + 4);
	data = read_u32(head + 8);
	decoder->page_begins = true;
	if (times > page->size || (page->size - times) / TIME_KEY < count)
		return 0;
	for (uint32_t i = 0; i < count && status >= 0; i++) {
		const uint8_t *key = page->bytes + times + (size_t)i * TIME_KEY;
		uint32_t word = read_u16(key + 2);
		struct key_packet packet = {read_u16(key), data + (size_t)(word & 0xFFF) * 4, (word >> 12) + 1};

		status = decode_packet(decoder, page, &packet);
		whole = whole && status == 1;
	}
	return status < 0 ? -1 : whole;
}

/* Decodes compressed track head->compressed into r->keys. 0 or -1. */
static int decode_compressed(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	const struct godot_compression *compression = &reader->compression;
	const struct godot_compressed_page *pages =
	    (const struct godot_compressed_page *)(const void *)compression->pages.data;
	size_t count = compression->pages.size / sizeof *pages;
	struct page_decoder decoder = {.reader = reader,
				       .type = head->type,
				       .number = (size_t)head->compressed,
				       .components = head->type == GODOT_TRACK_BLEND_SHAPE ? 1 : COMPONENTS,
				       .tolerance_s = 0.25 / compression->fps};
	bool whole = true;
	int status = 1;

	godot_keys_reset(&reader->keys);
	decoder.box = (const float *)(const void *)compression->bounds.data + decoder.number * BOX_FLOATS;
	for (size_t i = 0; i < count && status >= 0; i++) {
		status = decode_page(&decoder, &pages[i]);
		whole = whole && status == 1;
	}
	if (status < 0)
		return -1;
	/* The engine never asks beyond the length, but the last frame may lie there. */
	cut_at(&reader->keys, reader->clip->length_s);
	reader->keys.n = reader->keys.time.size / sizeof(float);
	return whole ? 0
		     : godot_warn(reader, "compressed tracks are damaged and read in part",
				  "%s: the compressed data are damaged; %zu keys are read", godot_head_label(head),
				  reader->keys.n);
}

/* One AABB of `bounds`. */
static int take_box(struct godot_clip_reader *reader, const struct godot_value *value, void *context)
{
	float box[BOX_FLOATS] = {0};

	(void)context;
	for (size_t i = 0; value->type == GODOT_AABB && i < BOX_FLOATS && i < value->count; i++)
		box[i] = (float)value->numbers[i];
	return anim_buffer_append(&reader->compression.bounds, box, sizeof box, reader->error);
}

/* One page: its bytes stay in the arena of the compression. 1 read, 0 it lacks something, -1. */
static int read_page(struct godot_clip_reader *reader)
{
	struct godot_compressed_page page = {0};
	struct godot_value key, value;
	unsigned seen = 0;
	int status = godot_text_dictionary(reader->text);

	while (status == 1 && (status = godot_text_dictionary_next(reader->text, &reader->element, &key)) == 1) {
		if (godot_string_is(&key.text, "data")) {
			if (godot_text_value(reader->text, &reader->compression.arena, &value) != 0)
				return -1;
			page.bytes = value.type == GODOT_PACKED_BYTE ? value.items : NULL;
			page.size = value.type == GODOT_PACKED_BYTE ? value.count : 0;
			seen |= 1;
		} else if (godot_string_is(&key.text, "time_offset")) {
			if (godot_read_element(reader, &value) != 0)
				return -1;
			page.time_s = godot_to_double(&value);
			seen |= 2;
		}
	}
	if (status < 0)
		return -1;
	if (seen != 3)
		return 0;
	reader->compression.keys_left += page.size * 2;
	return anim_buffer_append(&reader->compression.pages, &page, sizeof page, reader->error) == 0 ? 1 : -1;
}

/* 1, 0 where a page is wrong, -1. */
static int read_pages(struct godot_clip_reader *reader)
{
	bool whole = true;
	int status = godot_text_array(reader->text);

	if (status <= 0)
		return status;
	while ((status = godot_text_array_next(reader->text)) == 1) {
		int page = read_page(reader);

		if (page < 0)
			return -1;
		whole = whole && page == 1;
	}
	return status < 0 ? -1 : whole;
}

#define SAW_FPS 1u
#define SAW_VERSION 2u
#define SAW_BOUNDS 4u
#define SAW_PAGES 8u

/* One entry of _compression. 0 or -1. */
static int read_entry(struct godot_clip_reader *reader, const struct godot_value *key, unsigned *seen)
{
	struct godot_compression *compression = &reader->compression;
	bool fps = godot_string_is(&key->text, "fps");
	struct godot_value value;
	int status;

	if (fps || godot_string_is(&key->text, "format_version")) {
		if (godot_read_element(reader, &value) != 0)
			return -1;
		if (fps && godot_to_int(&value) > 0 && godot_to_int(&value) <= UINT32_MAX) {
			compression->fps = (uint32_t)godot_to_int(&value);
			*seen |= SAW_FPS;
		} else if (!fps && godot_to_int(&value) >= 0 && godot_to_int(&value) <= FORMAT_VERSION) {
			*seen |= SAW_VERSION;
		}
		return 0;
	}
	if (godot_string_is(&key->text, "bounds")) {
		compression->bounds.size = 0;
		status = godot_read_elements(reader, take_box, NULL);
		*seen |= status == 0 ? SAW_BOUNDS : 0;
		return status < 0 ? -1 : 0;
	}
	if (!godot_string_is(&key->text, "pages"))
		return 0;
	compression->pages.size = 0;
	status = read_pages(reader);
	*seen |= status == 1 ? SAW_PAGES : 0;
	return status < 0 ? -1 : 0;
}

static int read_compression(struct godot_clip_reader *reader)
{
	struct godot_value key;
	unsigned seen = 0;
	int status;

	if (reader->heads.size > 0)
		return godot_warn(reader, "_compression behind tracks is not read, as in Godot",
				  "_compression stands behind tracks; it is not read, as in Godot");
	reader->compression.keys_left = 0;
	reader->compression.enabled = false;
	anim_arena_reset(&reader->compression.arena);
	status = godot_text_dictionary(reader->text);
	while (status == 1 && (status = godot_text_dictionary_next(reader->text, &reader->element, &key)) == 1)
		if (read_entry(reader, &key, &seen) != 0)
			return -1;
	if (status < 0)
		return -1;
	reader->compression.enabled = seen == (SAW_FPS | SAW_VERSION | SAW_BOUNDS | SAW_PAGES);
	return reader->compression.enabled
		   ? 0
		   : godot_warn(
			 reader, "_compression of another form is not read",
			 "_compression lacks fps, bounds, pages or a format_version of at most %d; it is not read",
			 FORMAT_VERSION);
}

/* ---- Properties and tracks ---- */

#define LENGTH_MIN_S 0.001f   /* the engine raises shorter ones to it (ANIM_MIN_LENGTH) */
#define LENGTH_DEFAULT_S 1.0f /* of an Animation that says nothing, which no file repeats */

int godot_say(struct godot_clip_reader *reader, enum anim_severity severity, const char *many, const char *format, ...)
{
	char message[400];
	va_list args;

	reader->faulty |= severity == ANIM_FAULT;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	return anim_diagnostics_add(reader->diagnostics, severity, &reader->place, many, reader->error, "%s", message);
}

int godot_generation(struct godot_clip_reader *reader)
{
	if (reader->generation != 0)
		return reader->generation;
	if (!reader->old_file || reader->saw_3d)
		reader->generation = 4;
	else if (reader->saw_transform)
		reader->generation = 3;
	else if (reader->spelling != GODOT_SPELLING_NONE)
		reader->generation = (int)reader->spelling - GODOT_SPELLING_2 + 2;
	else if (reader->saw_loop_mode || reader->saw_imported_first)
		reader->generation = 4;
	else
		reader->generation = reader->saw_cont ? 2 : 3;
	return reader->generation;
}

static struct godot_track_head *head_at(struct godot_clip_reader *reader, size_t track)
{
	return (struct godot_track_head *)(void *)reader->heads.data + track;
}

static size_t track_count(const struct godot_clip_reader *reader)
{
	return reader->heads.size / sizeof(struct godot_track_head);
}

/* NULL: tracks of a type that is not known. */
static const struct godot_keys_reader *const keys_readers[GODOT_TRACK_TYPE_COUNT] = {
    [GODOT_TRACK_VALUE] = &godot_value_keys,     [GODOT_TRACK_POSITION] = &godot_row_keys,
    [GODOT_TRACK_ROTATION] = &godot_row_keys,    [GODOT_TRACK_SCALE] = &godot_row_keys,
    [GODOT_TRACK_BLEND_SHAPE] = &godot_row_keys, [GODOT_TRACK_TRANSFORM] = &godot_row_keys,
    [GODOT_TRACK_BEZIER] = &godot_bezier_keys,   [GODOT_TRACK_METHOD] = &godot_event_keys,
    [GODOT_TRACK_AUDIO] = &godot_event_keys,     [GODOT_TRACK_ANIMATION] = &godot_event_keys,
};

static int store_track(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	const struct godot_keys_reader *keys = keys_readers[head->type];

	anim_arena_reset(&reader->names);
	reader->place = head->place;
	return keys == NULL ? 0 : keys->store(reader, head, &reader->keys);
}

/* Stores the tracks below `end` that have not been; those whose keys never came are empty. */
static int store_below(struct godot_clip_reader *reader, size_t end)
{
	struct anim_place place = reader->place;

	for (; reader->stored < end; reader->stored++) {
		struct godot_track_head *head = head_at(reader, reader->stored);

		if (head->compressed >= 0) {
			reader->place = head->place;
			if (decode_compressed(reader, head) != 0)
				return -1;
		} else if (reader->keys.track != reader->stored) {
			godot_keys_reset(&reader->keys);
		}
		if (store_track(reader, head) != 0)
			return -1;
		reader->keys.track = GODOT_NO_TRACK;
	}
	reader->place = place;
	return 0;
}

static int read_int(struct godot_clip_reader *reader, int64_t *number)
{
	struct godot_value value;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	*number = godot_to_int(&value);
	return 0;
}

/* Borrowed until the next value is read. */
static int read_text(struct godot_clip_reader *reader, const char **text)
{
	struct godot_value value;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	*text = godot_to_text(&value);
	return 0;
}

/* A track is made by its type, when it is the next. */
static int add_track(struct godot_clip_reader *reader)
{
	struct godot_track_head head = {
	    .place = reader->place, .path = "", .interp = GODOT_INTERP_LINEAR, .compressed = -1, .loop_wrap = true};
	const char *name;

	if (read_text(reader, &name) != 0)
		return -1;
	for (int type = GODOT_TRACK_VALUE; type < GODOT_TRACK_TYPE_COUNT; type++)
		if (strcmp(name, godot_track_type_names[type]) == 0)
			head.type = (enum godot_track_type)type;
	if (head.type >= GODOT_TRACK_POSITION && head.type <= GODOT_TRACK_BLEND_SHAPE)
		reader->saw_3d = true;
	if (head.type == GODOT_TRACK_TRANSFORM)
		reader->saw_transform = true;
	if (head.type == GODOT_TRACK_UNKNOWN &&
	    godot_warn(reader, "tracks of unknown types are not read",
		       "unknown track type '%.64s'; the track is not read", name) != 0)
		return -1;
	if (head.type == GODOT_TRACK_TRANSFORM && !reader->old_file &&
	    godot_warn(
		reader, "tracks of Godot 3 in a file of Godot 4, which would drop them, are read",
		"a transform track of Godot 3 in a file of Godot 4, which would drop it and all behind it; it is read "
		"as position, rotation and scale") != 0)
		return -1;
	return anim_buffer_append(&reader->heads, &head, sizeof head, reader->error);
}

static int set_path(struct godot_clip_reader *reader, struct godot_track_head *head)
{
	const char *path;

	if (read_text(reader, &path) != 0)
		return -1;
	head->path = anim_arena_text(reader->arena, path, strlen(path), reader->error);
	return head->path != NULL ? 0 : -1;
}

static int set_interp(struct godot_clip_reader *reader, struct godot_track_head *head)
{
	if (read_int(reader, &head->interp) != 0)
		return -1;
	if (head->interp >= GODOT_INTERP_NEAREST && head->interp <= GODOT_INTERP_CUBIC_ANGLE)
		return 0;
	return godot_warn(reader, "tracks of unknown interpolation are held, as in Godot",
			  "interpolation %lld is not known; the track is held, as in Godot", (long long)head->interp);
}

static int set_flag(struct godot_clip_reader *reader, bool *flag)
{
	struct godot_value value;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	*flag = godot_to_bool(&value);
	return 0;
}

static int set_compressed(struct godot_clip_reader *reader, struct godot_track_head *head)
{
	int64_t number;

	if (read_int(reader, &number) != 0)
		return -1;
	if (!reader->compression.enabled || number < 0 ||
	    (uint64_t)number >= reader->compression.bounds.size / (6 * sizeof(float)) ||
	    head->type < GODOT_TRACK_POSITION || head->type > GODOT_TRACK_BLEND_SHAPE)
		return godot_warn(reader, "compressed tracks without their data are left empty, as in Godot",
				  "compressed track %lld is not there; no key is read, as in Godot", (long long)number);
	head->compressed = number;
	head->interp = GODOT_INTERP_LINEAR;
	head->loop_wrap = false; /* such tracks are not blended from the last key to the first */
	return 0;
}

/* The keys at the cursor -> reader->keys. 0 or -1. */
static int read_keys(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	const struct godot_keys_reader *keys = keys_readers[head->type];

	godot_keys_reset(&reader->keys);
	if (keys == NULL)
		return godot_text_skip(reader->text);
	if (keys->read(reader, head) != 0)
		return -1;
	if (reader->keys.n > ANIM_KEYS_MAX)
		return anim_fail_at(reader->error, ANIM_TOO_LARGE, &reader->place, "more than %u keys in a track",
				    ANIM_KEYS_MAX);
	return 0;
}

static int set_keys(struct godot_clip_reader *reader, size_t track)
{
	if (store_below(reader, track) != 0 || read_keys(reader, head_at(reader, track)) != 0)
		return -1;
	reader->keys.track = track;
	return 0;
}

/* tracks/N/WHAT of a track that exists. */
static int set_track_property(struct godot_clip_reader *reader, size_t track, const char *what)
{
	struct godot_track_head *head = head_at(reader, track);
	int status;

	if (strcmp(what, "path") == 0)
		return set_path(reader, head);
	if (strcmp(what, "interp") == 0)
		return set_interp(reader, head);
	if (strcmp(what, "loop_wrap") == 0)
		return set_flag(reader, &head->loop_wrap);
	if (strcmp(what, "imported") == 0) {
		if (head->path[0] == '\0')
			reader->saw_imported_first = true;
		return set_flag(reader, &head->imported);
	}
	if (strcmp(what, "enabled") == 0) {
		status = set_flag(reader, &head->disabled);
		head->disabled = !head->disabled;
		return status;
	}
	if (strcmp(what, "use_blend") == 0 && head->type == GODOT_TRACK_AUDIO) {
		head->has_blend = true;
		return set_flag(reader, &head->use_blend);
	}
	if (strcmp(what, "compressed_track") == 0)
		return set_compressed(reader, head);
	if (strcmp(what, "keys") == 0 || strcmp(what, "key_values") == 0)
		return set_keys(reader, track);
	return 0;
}

/* The part of a property's name up to the next '/', copied; longer ones than any known name are cut. */
static const char *next_part(const char *name, char part[32])
{
	size_t length = strcspn(name, "/"), kept = length < 31 ? length : 31;

	memcpy(part, name, kept);
	part[kept] = '\0';
	return name + length + (name[length] == '/');
}

/* "tracks/N/WHAT". Godot makes track N when exactly N tracks exist, and knows no other. */
static int read_track_property(struct godot_clip_reader *reader, const char *name)
{
	char number[32], what[32];
	uint64_t track = UINT64_MAX;

	next_part(next_part(name, number), what);
	for (size_t i = 0; number[i] >= '0' && number[i] <= '9' && i < 10; i++)
		track = (i == 0 ? 0 : track * 10) + (uint64_t)(number[i] - '0');
	if (track == track_count(reader) && strcmp(what, "type") == 0)
		return add_track(reader);
	if (track >= track_count(reader))
		return godot_warn(reader, "properties of tracks that do not exist are not read, as in Godot",
				  "there is no track %s yet to have '%s'; Godot does not read it either", number, what);
	if (track < reader->stored)
		return godot_warn(reader, "properties of a track behind the keys of a later one are not read",
				  "'%s' of track %s stands behind the keys of a later track; it is not read", what,
				  number);
	return set_track_property(reader, (size_t)track, what);
}

static int read_length(struct godot_clip_reader *reader)
{
	struct godot_value value;
	float length;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	length = (float)godot_to_double(&value);
	if (length < LENGTH_MIN_S)
		length = LENGTH_MIN_S;
	if (!isfinite(length))
		return godot_fault(reader, "clips have a length that is no number",
				   "the length of the clip is no finite number");
	reader->clip->length_s = length;
	return 0;
}

static int read_loop(struct godot_clip_reader *reader)
{
	bool loop = false;

	if (set_flag(reader, &loop) != 0)
		return -1;
	reader->clip->loop_mode = loop ? ANIM_LOOP_WRAP : ANIM_LOOP_NONE;
	return 0;
}

static int read_loop_mode(struct godot_clip_reader *reader)
{
	int64_t mode;

	if (read_int(reader, &mode) != 0)
		return -1;
	reader->saw_loop_mode = true;
	if (mode < ANIM_LOOP_NONE || mode >= ANIM_LOOP_COUNT)
		return godot_warn(reader, "unknown loop modes are read as none",
				  "loop mode %lld is not known; read as none", (long long)mode);
	reader->clip->loop_mode = (int)mode;
	return 0;
}

/* The clip may be called otherwise, by its library; writers put this name back. */
static int read_name(struct godot_clip_reader *reader)
{
	struct anim_attrs before = reader->clip->attrs;
	const char *name;

	if (read_text(reader, &name) != 0)
		return -1;
	reader->clip->resource_name = anim_arena_text(reader->arena, name, strlen(name), reader->error);
	if (reader->clip->resource_name == NULL)
		return -1;
	return anim_attrs_with(&reader->clip->attrs, &before, "godot.resource_name", name[0] != '\0' ? name : NULL,
			       reader->arena, reader->error);
}

/* The editor's snapping; kept for writers. */
static int read_step(struct godot_clip_reader *reader)
{
	struct godot_value value;
	char text[ANIM_NUMBER_MAX + 1];
	struct anim_attrs before = reader->clip->attrs;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	text[anim_number_print_float(text, (float)godot_to_double(&value))] = '\0';
	return anim_attrs_with(&reader->clip->attrs, &before, "godot.step", text, reader->arena, reader->error);
}

static int read_markers(struct godot_clip_reader *reader)
{
	return godot_marker_keys.read(reader, NULL);
}

static int read_property(struct godot_clip_reader *reader, const char *name)
{
	static const struct {
		const char *name;
		int (*read)(struct godot_clip_reader *);
	} properties[] = {
	    {"length", read_length},       {"loop", read_loop},
	    {"loop_mode", read_loop_mode}, {"step", read_step},
	    {"resource_name", read_name},  {"resource/name", read_name},
	    {"markers", read_markers},     {"_compression", read_compression},
	};

	if (strncmp(name, "tracks/", 7) == 0)
		return read_track_property(reader, name + 7);
	for (size_t i = 0; i < ANIM_COUNT(properties); i++)
		if (strcmp(name, properties[i].name) == 0)
			return properties[i].read(reader);
	return 0;
}

/* The store wants a clip before its tracks; the caller replaces this head when it knows more. */
static int begin_clip(struct godot_clip_reader *reader)
{
	struct anim_clip clip = {.end_s = LENGTH_DEFAULT_S,
				 .axes = ANIM_AXES_GODOT,
				 .axes2d = ANIM_AXES2D_GODOT,
				 .name = "",
				 .root = "",
				 .source = "godot4"};

	return anim_sink_clip(anim_store_sink(reader->store), &clip, reader->error);
}

static int read_properties(struct godot_clip_reader *reader)
{
	const char *name;
	int status;

	while ((status = godot_text_property(reader->text, &name, &reader->place)) == 1)
		if (read_property(reader, name) != 0)
			return -1;
	if (status < 0 || store_below(reader, track_count(reader)) != 0)
		return -1;
	reader->clip->is_godot2 = godot_generation(reader) == 2;
	reader->clip->is_godot3 = godot_generation(reader) == 3;
	return godot_marker_keys.store(reader, NULL, &reader->marker);
}

static void clear_keys(struct godot_track_keys *keys)
{
	anim_buffer_clear(&keys->raw);
	anim_buffer_clear(&keys->time);
	anim_buffer_clear(&keys->ease);
	anim_buffer_clear(&keys->modes);
	for (size_t i = 0; i < GODOT_COMPONENTS; i++)
		anim_buffer_clear(&keys->component[i]);
	anim_buffer_clear(&keys->column.values);
	anim_buffer_clear(&keys->column.integer);
	anim_texts_clear(&keys->column.texts);
}

static void clear(struct godot_clip_reader *reader)
{
	anim_arena_clear(&reader->element);
	anim_arena_clear(&reader->names);
	anim_buffer_clear(&reader->heads);
	clear_keys(&reader->keys);
	clear_keys(&reader->marker);
	anim_arena_clear(&reader->compression.arena);
	anim_buffer_clear(&reader->compression.bounds);
	anim_buffer_clear(&reader->compression.pages);
}

int godot_animation_read(struct godot_text *text, struct godot_externals *externals, bool is_godot3_file,
			 struct anim_store *store, struct anim_diagnostics *diagnostics, struct anim_arena *arena,
			 struct godot_animation *clip, struct anim_error *error)
{
	struct godot_clip_reader reader = {.text = text,
					   .externals = externals,
					   .store = store,
					   .diagnostics = diagnostics,
					   .arena = arena,
					   .clip = clip,
					   .error = error,
					   .old_file = is_godot3_file};
	int status;

	*clip = (struct godot_animation){.resource_name = "", .length_s = LENGTH_DEFAULT_S};
	godot_keys_reset(&reader.keys);
	godot_keys_reset(&reader.marker);
	status = begin_clip(&reader);
	if (status == 0)
		status = read_properties(&reader);
	clear(&reader);
	return status != 0 ? -1 : reader.faulty;
}
