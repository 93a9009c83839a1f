/* animation.c: reads one Animation resource: properties, list of tracks, compressed tracks, events and markers. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/godot/animation.h"
#include "format/godot/print.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ---- Godot values as JSON ---- */

static void json_float(struct anim_print *out, float number)
{
	if (isfinite(number))
		anim_print_float(out, number);
	else
		anim_print_text(out, "null");
}

/* Print the value as Godot source text, in a JSON string. */
static void json_source(struct anim_print *out, const struct godot_value *value)
{
	struct anim_buffer source = {0};

	if (out->failed || godot_value_print(value, &source, out->error) != 0)
		out->failed = true;
	else
		anim_print_json(out, (const char *)source.data, source.size);
	anim_buffer_clear(&source);
}

static void json_value(struct anim_print *, const struct godot_value *);

/* Return true if a JSON object can represent this dictionary without loss. */
static bool is_object(const struct godot_value *value)
{
	const struct godot_value *items = value->items;

	for (size_t i = 0; i < value->count; i++)
		if (items[2 * i].type != GODOT_STRING || godot_string_is(&items[2 * i].text, "godot"))
			return false;
	return true;
}

/*
 * Print the value so that it can be read back exactly: null, bool, int, float (always with '.' or 'e'), string, array,
 * dictionary with string keys. Any other value is {"godot":"source text"}.
 */
static void json_value(struct anim_print *out, const struct godot_value *value)
{
	bool plain = value->literal_type.length == 0;

	if (value->type == GODOT_NIL) {
		anim_print_text(out, "null");
	} else if (value->type == GODOT_BOOL) {
		anim_print_text(out, value->boolean ? "true" : "false");
	} else if (value->type == GODOT_INT) {
		anim_print_int64(out, value->integer);
	} else if (value->type == GODOT_FLOAT && isfinite(value->number)) {
		char text[ANIM_NUMBER_MAX];
		size_t length = anim_number_print_double(text, value->number);

		anim_print_bytes(out, text, length);
		if (memchr(text, '.', length) == NULL && memchr(text, 'e', length) == NULL)
			anim_print_text(out, ".0");
	} else if (value->type == GODOT_STRING) {
		anim_print_json(out, value->text.bytes, value->text.length);
	} else if (value->type == GODOT_ARRAY && plain) {
		const struct godot_value *items = value->items;

		anim_print_text(out, "[");
		for (size_t i = 0; i < value->count; i++) {
			anim_print_text(out, i == 0 ? "" : ",");
			json_value(out, &items[i]);
		}
		anim_print_text(out, "]");
	} else if (value->type == GODOT_DICTIONARY && plain && is_object(value)) {
		const struct godot_value *items = value->items;

		anim_print_text(out, "{");
		for (size_t i = 0; i < value->count; i++) {
			anim_print_text(out, i == 0 ? "" : ",");
			anim_print_json(out, items[2 * i].text.bytes, items[2 * i].text.length);
			anim_print_text(out, ":");
			json_value(out, &items[2 * i + 1]);
		}
		anim_print_text(out, "}");
	} else {
		anim_print_text(out, "{\"godot\":");
		json_source(out, value);
		anim_print_text(out, "}");
	}
}

/* ---- Events: calls of methods, sounds, animations, markers ---- */

/* Print {"method":"hit","args":[...]}. Like the next three functions, it returns false if the key lacks an entry. */
static bool method_text(struct anim_print *out, const struct godot_value *key)
{
	const struct godot_value *method = godot_dictionary_get(key, "method"),
				 *args = godot_dictionary_get(key, "args");

	if (method == NULL || args == NULL || !godot_value_is_name(method) || !godot_value_is_array(args))
		return false;
	anim_print_text(out, "{\"method\":");
	anim_print_json(out, method->text.bytes, method->text.length);
	anim_print_text(out, ",\"args\":[");
	for (size_t i = 0; i < godot_array_count(args); i++) {
		struct godot_value arg;

		godot_array_element(args, i, &arg);
		anim_print_text(out, i == 0 ? "" : ",");
		json_value(out, &arg);
	}
	anim_print_text(out, "]}");
	return true;
}

/* Print {"stream":"SubResource(\"1\")","start_offset":0,"end_offset":0}. A stream that is null stays null. */
static bool audio_text(struct anim_print *out, const struct godot_value *key)
{
	const struct godot_value *stream = godot_dictionary_get(key, "stream");
	const struct godot_value *start = godot_dictionary_get(key, "start_offset");
	const struct godot_value *end = godot_dictionary_get(key, "end_offset");

	if (stream == NULL || start == NULL || end == NULL)
		return false;
	anim_print_text(out, "{\"stream\":");
	if (stream->type == GODOT_NIL)
		anim_print_text(out, "null");
	else
		json_source(out, stream);
	anim_print_text(out, ",\"start_offset\":");
	json_float(out, (float)godot_to_double(start));
	anim_print_text(out, ",\"end_offset\":");
	json_float(out, (float)godot_to_double(end));
	anim_print_text(out, "}");
	return true;
}

/* Print {"clip":"walk"}. */
static bool clip_text(struct anim_print *out, const struct godot_value *key)
{
	anim_print_text(out, "{\"clip\":");
	anim_print_json_text(out, godot_to_text(key));
	anim_print_text(out, "}");
	return true;
}

/* Print {"name":"x","color":[1,1,1,1]}. The default colour of markers is white. */
static bool marker_text(struct anim_print *out, const struct godot_value *key)
{
	const struct godot_value *name = godot_dictionary_get(key, "name"), *color = godot_dictionary_get(key, "color");

	if (name == NULL || !godot_value_is_name(name) || godot_dictionary_get(key, "time") == NULL)
		return false;
	anim_print_text(out, "{\"name\":");
	anim_print_json(out, name->text.bytes, name->text.length);
	anim_print_text(out, ",\"color\":");
	for (size_t i = 0; i < 4; i++) {
		bool given = color != NULL && color->type == GODOT_COLOR && i < color->count;

		anim_print_text(out, i == 0 ? "[" : ",");
		json_float(out, given ? (float)color->numbers[i] : 1);
	}
	anim_print_text(out, "]}");
	return true;
}

/* The kind of events being read, and their destination. */
struct event_reading {
	/* prints a key; returns false if the value is not such a key */
	bool (*text)(struct anim_print *, const struct godot_value *);
	/* the dictionary entry that holds the keys; only for tracks */
	const char *values;
	struct godot_track_keys *keys;
	size_t dropped;
};

/* Add a key. A key that Godot would drop keeps its number with a null text until the times are known. */
static int add_event(struct godot_clip_reader *reader, const struct godot_value *value, void *context)
{
	struct event_reading *events = context;
	struct anim_texts *texts = &events->keys->column.texts;
	struct anim_print out = {.buffer = &texts->bytes, .error = reader->error};
	size_t start = texts->bytes.size;
	bool kept = events->text(&out, value);

	if (!kept)
		texts->bytes.size = start;
	if (out.failed || anim_texts_close(texts, start, reader->error) != 0)
		return -1;
	if (!kept) {
		uint32_t none = ANIM_NULL_STRING;

		events->dropped++;
		memcpy(texts->length.data + texts->length.size - sizeof none, &none, sizeof none);
	}
	return 0;
}

static int add_marker(struct godot_clip_reader *reader, const struct godot_value *value, void *context)
{
	struct event_reading *events = context;
	const struct godot_value *at = value->type == GODOT_DICTIONARY ? godot_dictionary_get(value, "time") : NULL;
	float time = at != NULL ? (float)godot_to_double(at) : 0;

	if (anim_buffer_append(&events->keys->time, &time, sizeof time, reader->error) != 0)
		return -1;
	return add_event(reader, value, events);
}

/* A key with its position in the file. */
struct timed_event {
	float time;
	uint32_t number;
};

/* Sort by time, then by position. NaN comes last. */
static int compare_timed(const void *a, const void *b)
{
	const struct timed_event *x = a, *y = b;
	bool x_nan = isnan(x->time), y_nan = isnan(y->time);

	if (x_nan != y_nan)
		return x_nan ? 1 : -1;
	if (!x_nan && x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

bool godot_equal_times(double a, double b)
{
	double tolerance = 1e-5 * fabs(a) > 1e-5 ? 1e-5 * fabs(a) : 1e-5;

	return a == b || fabs(a - b) < tolerance;
}

/*
 * Remove dropped keys. If Godot inserts the keys one by one, sort them as it does: only the last key of the file is
 * kept for each time. *replaced counts keys that later keys replace. Returns 0 or -1.
 */
static int arrange(struct godot_track_keys *keys, bool inserted, bool dropped, size_t *replaced,
		   struct anim_error *error)
{
	float *time = (float *)(void *)keys->time.data;
	const uint32_t *length = (const uint32_t *)(const void *)keys->column.texts.length.data;
	size_t count = keys->time.size / sizeof *time, kept = 0;
	struct anim_texts new = {0};
	struct anim_strings strings;
	bool changes = dropped;
	struct timed_event *order;
	int result = -1;

	for (size_t i = 1; i < count && inserted && !changes; i++)
		changes = !(time[i] > time[i - 1]) || godot_equal_times(time[i - 1], time[i]);
	if (!changes)
		return 0;
	order = count < SIZE_MAX / sizeof *order ? malloc(count * sizeof *order) : NULL;
	if (order == NULL)
		return anim_fail_memory(error);
	for (size_t i = 0; i < count; i++)
		if (length[i] != ANIM_NULL_STRING)
			order[kept++] = (struct timed_event){time[i], (uint32_t)i};
	if (inserted) {
		size_t before = kept;

		qsort(order, kept, sizeof *order, compare_timed);
		kept = 0;
		for (size_t i = 0; i < before; i++) {
			if (kept == 0 || !godot_equal_times(order[kept - 1].time, order[i].time))
				order[kept++] = order[i];
			else if (order[i].number > order[kept - 1].number)
				order[kept - 1] = order[i];
		}
		*replaced = before - kept;
	}

	/* Put times and texts in the new order. */
	anim_texts_view(&keys->column.texts, &strings);
	for (size_t i = 0; i < kept; i++) {
		uint32_t from = order[i].number;

		if (anim_texts_add(&new, strings.bytes + strings.start[from], strings.length[from], error) != 0)
			goto done;
		time[i] = order[i].time;
	}
	anim_texts_clear(&keys->column.texts);
	keys->column.texts = new;
	new = (struct anim_texts){0};
	keys->time.size = kept * sizeof *time;
	result = 0;
done:
	anim_texts_clear(&new);
	free(order);
	return result;
}

/* Put the keys in the order in which the engine has them. Returns 0 or -1. */
static int finish_events(struct godot_clip_reader *reader, const struct event_reading *events, bool inserted,
			 const char *label)
{
	struct godot_track_keys *keys = events->keys;
	size_t replaced = 0;

	if (anim_texts_count(&keys->column.texts) > UINT32_MAX)
		return anim_fail_at(reader->error, ANIM_TOO_LARGE, &reader->place, "too many keys in a track");
	if (arrange(keys, inserted, events->dropped > 0, &replaced, reader->error) != 0)
		return -1;
	keys->n = keys->time.size / sizeof(float);
	if (replaced == 0)
		return 0;
	return godot_warn(reader, "track",
			  "'%s' (%zu keys): only the last of several keys at the same time is kept, as in Godot", label,
			  replaced);
}

/* Read one entry of the dictionary of a track. Returns 0 or -1. */
static int read_entry(struct godot_clip_reader *reader, const struct godot_value *key, void *context)
{
	struct event_reading *events = context;
	int status = 0;

	if (godot_string_is(&key->text, "times")) {
		status = godot_read_floats(reader, &events->keys->time);
	} else if (godot_string_is(&key->text, events->values)) {
		anim_texts_reset(&events->keys->column.texts);
		events->dropped = 0;
		status = godot_read_elements(reader, add_event, events);
	}
	return status < 0 ? -1 : 0;
}

static int read_events(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	bool method = head->type == GODOT_TRACK_METHOD;
	struct event_reading events = {.values = method ? "values" : "clips", .keys = &reader->keys};
	size_t times, texts;

	events.text = method ? method_text : head->type == GODOT_TRACK_AUDIO ? audio_text : clip_text;
	if (godot_read_entries(reader, read_entry, &events) < 0)
		return -1;
	times = reader->keys.time.size / sizeof(float);
	texts = anim_texts_count(&reader->keys.column.texts);
	if (times != texts) {
		reader->keys.time.size = 0;
		anim_texts_reset(&reader->keys.column.texts);
		return godot_warn(reader, "track",
				  "'%s' (%zu times, %zu keys, %s): no key is read, because the numbers of times and "
				  "values differ, as in Godot",
				  godot_head_label(head), times, texts, godot_track_type_names[head->type]);
	}
	if (events.dropped > 0 && godot_warn(reader, "track",
					     "'%s': a key without a required entry is dropped, as in Godot" ANIM_DETAIL
					     " (needed in a track of type %s: %s)",
					     godot_head_label(head), godot_track_type_names[head->type],
					     method ? "'method' or 'args'" : "its stream or an offset") != 0)
		return -1;
	return finish_events(reader, &events, method, godot_head_label(head));
}

static int read_markers(struct godot_clip_reader *reader)
{
	struct event_reading events = {.text = marker_text, .keys = &reader->marker};

	godot_keys_reset(&reader->marker);
	if (godot_read_elements(reader, add_marker, &events) < 0)
		return -1;
	if (events.dropped > 0 && godot_warn(reader, "marker", "a marker without name or time is dropped") != 0)
		return -1;
	return finish_events(reader, &events, true, "markers");
}

static int store_events_of(struct godot_clip_reader *reader, const struct godot_track_head *head,
			   struct godot_track_keys *keys)
{
	static const char *const properties[GODOT_TRACK_TYPE_COUNT] = {
	    [GODOT_TRACK_METHOD] = "@method", [GODOT_TRACK_AUDIO] = "@audio", [GODOT_TRACK_ANIMATION] = "@animation"};

	return godot_events_store(reader, head, keys, properties[head->type]);
}

static const struct godot_keys_reader event_keys = {read_events, store_events_of};

/* ---- Compressed tracks of Godot 4: pages of bit-packed keys -> plain keys ---- */

#define FORMAT_VERSION 1 /* of _compression; the engine has only this version */
#define TRACK_HEAD 12    /* bytes per track at the start of a page: three u32 */
#define TIME_KEY 4       /* u16 frame, u16 offset and count */
#define BOX_FLOATS 6     /* an AABB: position, size */
#define BLEND_RANGE 8.0  /* blend shapes are in -8..8 */
#define COMPONENTS 3
#define SAME_TIME_S 1e-6

/* Reads bits, least significant first, and never beyond the page. */
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

/* Read `count` bits. Returns false if the page ends earlier. */
static bool read_bits(struct bit_reader *bits, unsigned count, uint32_t *value)
{
	*value = 0;
	if (bits->size * 8 - bits->bit < count)
		return false;
	for (unsigned i = 0; i < count; i++, bits->bit++)
		*value |= (uint32_t)(bits->bytes[bits->bit / 8] >> bits->bit % 8 & 1) << i;
	return true;
}

/* Decode a unit vector from two numbers in 0..1: octahedral mapping. */
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

/* Decode 16-bit numbers to the value that they represent. Returns the number of components. */
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

/* The state of decoding one track. */
struct page_decoder {
	struct godot_clip_reader *reader;
	enum godot_track_type type;
	size_t number;     /* number of the track in the pages */
	size_t components; /* count of 16-bit numbers per key */
	const float *box;
	double last_s;      /* time of the previous key */
	double tolerance_s; /* a quarter of a frame: times closer than this are equal */
	bool page_begins;   /* no key of the page has been decoded yet */
};

/* Remove keys after a time. The first of them is moved to this time, with the value of the straight segment there. */
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
 * Join a page to the previous one. A page is valid from its start on, so earlier keys after that time end there. If the
 * previous page ends earlier without a copy of this first key, the engine holds its last key, because it never reads
 * across pages.
 */
static int join_page(struct page_decoder *decoder, double first_s)
{
	struct godot_track_keys *keys = &decoder->reader->keys;

	if (keys->time.size > 0 && decoder->last_s < first_s && (float)first_s > 0) {
		float time_s = (float)first_s;
		size_t components = keys->component[0].size / keys->time.size;
		float value[4];
		uint32_t bits;

		/* Append a copy of the last key just before time_s. */
		memcpy(&bits, &time_s, sizeof bits);
		bits--; /* the next float below a positive float */
		memcpy(value, keys->component[0].data + keys->component[0].size - components * sizeof *value,
		       components * sizeof *value);
		if (anim_buffer_append(&keys->time, &bits, sizeof bits, decoder->reader->error) != 0)
			return -1;
		return anim_buffer_append(&keys->component[0], value, components * sizeof *value,
					  decoder->reader->error);
	}
	cut_at(keys, (float)first_s);
	return 0;
}

/*
 * Append a key. If several keys are on one frame, the engine interpolates to the first and continues from the last. The
 * plain rules do the same with keys of equal time. Returns 0 or -1.
 */
static int append_key(struct page_decoder *decoder, double time_s, const uint32_t in[COMPONENTS])
{
	struct godot_clip_reader *reader = decoder->reader;
	struct godot_track_keys *keys = &reader->keys;
	float value[4], time = (float)time_s;
	size_t components = decode_value(decoder->type, decoder->box, in, value), size = components * sizeof *value;
	double ahead_s = time_s - decoder->last_s;
	bool same = time_s < decoder->last_s + decoder->tolerance_s;

	/*
	 * If the first key of a page repeats the last key of the previous page, the previous key is kept, unless the
	 * page clearly begins before it: Godot 4.2 writes the times of pages with six digits.
	 */
	if (decoder->page_begins)
		same = keys->time.size > 0 && ahead_s > -SAME_TIME_S && ahead_s < decoder->tolerance_s;
	if (!same && decoder->page_begins && join_page(decoder, time_s) != 0)
		return -1;
	decoder->page_begins = false;
	if (same) {
		const struct anim_buffer *before = &keys->component[0];

		/* At the time of the previous key, a different value is a jump. */
		if (before->size < size || memcmp(before->data + before->size - size, value, size) == 0)
			return 0;
		memcpy(&time, keys->time.data + keys->time.size - sizeof time, sizeof time);
	} else {
		decoder->last_s = time_s;
	}
	if (anim_buffer_append(&keys->time, &time, sizeof time, reader->error) != 0)
		return -1;
	return anim_buffer_append(&keys->component[0], value, size, reader->error);
}

/*
 * Read the difference of one number: a sign bit above `width` bits. A width of 0 has no bits at all. Returns false if
 * the page ends earlier.
 */
static bool read_delta(struct bit_reader *bits, unsigned width, uint32_t *number)
{
	uint32_t raw, low;

	if (width == 0)
		return true;
	if (!read_bits(bits, width + 1, &raw))
		return false;
	low = raw & ((1u << width) - 1);
	*number = (*number + (raw >> width ? ~low : low)) & 0xFFFF;
	return true;
}

/*
 * Decode all keys of a packet: a time key, `count` (1..16) keys from this frame on, whose data begin at the offset `at`
 * of the page. Returns 1, 0 if the page ends earlier, or -1.
 */
static int decode_packet(struct page_decoder *decoder, const struct godot_compressed_page *page, uint32_t frame,
			 size_t at, unsigned count)
{
	struct godot_compression *compression = &decoder->reader->compression;
	double start_s = page->time_s + (double)frame / compression->fps;
	uint32_t numbers[COMPONENTS] = {0}, head, delta;
	struct bit_reader bits = {.bytes = page->bytes, .size = page->size};

	if (at > page->size || page->size - at < decoder->components * 2 || compression->keys_left < count)
		return 0;
	compression->keys_left -= count;
	for (size_t component = 0; component < decoder->components; component++, at += 2)
		numbers[component] = read_u16(page->bytes + at);
	/*
	 * The engine uses the last packet that has begun. Earlier packets may continue after that time: Godot writes
	 * them like this if all keys of a packet form one jump.
	 */
	if (!decoder->page_begins && start_s < decoder->last_s - decoder->tolerance_s) {
		cut_at(&decoder->reader->keys, (float)start_s);
		decoder->last_s = start_s;
	}
	if (append_key(decoder, start_s, numbers) != 0)
		return -1;
	if (count == 1)
		return 1;

	/* The other keys are differences, of which `head` has the widths. */
	if (at + 2 > page->size)
		return 0;
	head = read_u16(page->bytes + at);
	bits.bit = (at + 2) * 8;
	for (unsigned i = 1; i < count; i++) {
		if (!read_bits(&bits, (head >> 12) + 1, &delta))
			return 0;
		frame += delta;
		for (size_t component = 0; component < decoder->components; component++)
			if (!read_delta(&bits, head >> 4 * component & 15, &numbers[component]))
				return 0;
		if (append_key(decoder, page->time_s + (double)frame / compression->fps, numbers) != 0)
			return -1;
	}
	return 1;
}

/* Decode the part of the track in one page. Returns 1, 0 if the page is damaged, or -1. */
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

		status =
		    decode_packet(decoder, page, read_u16(key), data + (size_t)(word & 0xFFF) * 4, (word >> 12) + 1);
		whole = whole && status == 1;
	}
	return status < 0 ? -1 : whole;
}

/* Decode the compressed track head->compressed into reader->keys. Returns 0 or -1. */
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
	/* The engine never evaluates times after the length, but the last frame may be after it. */
	cut_at(&reader->keys, reader->clip->length_s);
	reader->keys.n = reader->keys.time.size / sizeof(float);
	return whole ? 0
		     : godot_warn(reader, "track",
				  "'%s': the compressed data are damaged and only partly read" ANIM_DETAIL ": %zu keys",
				  godot_head_label(head), reader->keys.n);
}

/* Add one AABB of `bounds`. */
static int add_box(struct godot_clip_reader *reader, const struct godot_value *value, void *context)
{
	float box[BOX_FLOATS] = {0};

	(void)context;
	for (size_t i = 0; value->type == GODOT_AABB && i < BOX_FLOATS && i < value->count; i++)
		box[i] = (float)value->numbers[i];
	return anim_buffer_append(&reader->compression.bounds, box, sizeof box, reader->error);
}

/* A page during reading. */
struct page_reading {
	struct godot_compressed_page page;
	bool has_data, has_time;
};

/* Read one entry of a page. The bytes are in the arena of the compression. Returns 0 or -1. */
static int read_page_entry(struct godot_clip_reader *reader, const struct godot_value *key, void *context)
{
	struct page_reading *reading = context;
	struct godot_value value;

	if (godot_string_is(&key->text, "data")) {
		if (godot_text_value(reader->text, &reader->compression.arena, &value) != 0)
			return -1;
		reading->page.bytes = value.type == GODOT_PACKED_BYTE ? value.items : NULL;
		reading->page.size = value.type == GODOT_PACKED_BYTE ? value.count : 0;
		reading->has_data = true;
	} else if (godot_string_is(&key->text, "time_offset")) {
		if (godot_read_element(reader, &value) != 0)
			return -1;
		reading->page.time_s = godot_to_double(&value);
		reading->has_time = true;
	}
	return 0;
}

/* Read the pages. Returns 1, 0 if a page lacks an entry, or -1. */
static int read_pages(struct godot_clip_reader *reader)
{
	bool whole = true;
	int status = godot_text_array(reader->text);

	if (status <= 0)
		return status;
	while ((status = godot_text_array_next(reader->text)) == 1) {
		struct page_reading reading = {0};

		if (godot_read_entries(reader, read_page_entry, &reading) < 0)
			return -1;
		if (!reading.has_data || !reading.has_time) {
			whole = false;
			continue;
		}
		reader->compression.keys_left += reading.page.size * 2;
		if (anim_buffer_append(&reader->compression.pages, &reading.page, sizeof reading.page, reader->error) !=
		    0)
			return -1;
	}
	return status < 0 ? -1 : whole;
}

#define SAW_FPS 1u
#define SAW_VERSION 2u
#define SAW_BOUNDS 4u
#define SAW_PAGES 8u

/* Read one entry of _compression. Returns 0 or -1. */
static int read_compression_entry(struct godot_clip_reader *reader, const struct godot_value *key, void *context)
{
	struct godot_compression *compression = &reader->compression;
	bool fps = godot_string_is(&key->text, "fps");
	unsigned *seen = context;
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
		status = godot_read_elements(reader, add_box, NULL);
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
	unsigned seen = 0;

	if (reader->heads.size > 0)
		return godot_warn(reader, "clip", "_compression after tracks is not read, as in Godot");
	reader->compression.keys_left = 0;
	reader->compression.enabled = false;
	anim_arena_reset(&reader->compression.arena);
	if (godot_read_entries(reader, read_compression_entry, &seen) < 0)
		return -1;
	reader->compression.enabled = seen == (SAW_FPS | SAW_VERSION | SAW_BOUNDS | SAW_PAGES);
	return reader->compression.enabled
		   ? 0
		   : godot_warn(reader, "clip",
				"_compression without fps, bounds, pages or a format_version of at most %d is not read",
				FORMAT_VERSION);
}

/* ---- Properties and tracks ---- */

#define LENGTH_MIN_S 0.001f   /* the minimum in the engine (ANIM_MIN_LENGTH) */
#define LENGTH_DEFAULT_S 1.0f /* of an Animation without this property; files omit the default */

int godot_report(struct godot_clip_reader *reader, enum anim_severity severity, const char *noun, const char *format,
		 ...)
{
	char message[400];
	va_list args;

	reader->faulty |= severity == ANIM_FAULT;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	return anim_diagnostics_add(reader->diagnostics, severity, &reader->place, noun, reader->error, "%s", message);
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

/* NULL for tracks of unknown type. */
static const struct godot_keys_reader *const keys_readers[GODOT_TRACK_TYPE_COUNT] = {
    [GODOT_TRACK_VALUE] = &godot_value_keys,     [GODOT_TRACK_POSITION] = &godot_row_keys,
    [GODOT_TRACK_ROTATION] = &godot_row_keys,    [GODOT_TRACK_SCALE] = &godot_row_keys,
    [GODOT_TRACK_BLEND_SHAPE] = &godot_row_keys, [GODOT_TRACK_TRANSFORM] = &godot_row_keys,
    [GODOT_TRACK_BEZIER] = &godot_bezier_keys,   [GODOT_TRACK_METHOD] = &event_keys,
    [GODOT_TRACK_AUDIO] = &event_keys,           [GODOT_TRACK_ANIMATION] = &event_keys,
};

/* Store the tracks below `end` that have not been stored. Tracks without keys are empty. */
static int store_below(struct godot_clip_reader *reader, size_t end)
{
	struct anim_place place = reader->place;

	for (; reader->stored < end; reader->stored++) {
		const struct godot_track_head *head = head_at(reader, reader->stored);
		const struct godot_keys_reader *keys = keys_readers[head->type];

		reader->place = head->place;
		if (head->compressed >= 0 && decode_compressed(reader, head) != 0)
			return -1;
		if (head->compressed < 0 && reader->keys.track != reader->stored)
			godot_keys_reset(&reader->keys);
		anim_arena_reset(&reader->names);
		if (keys != NULL && keys->store(reader, head, &reader->keys) != 0)
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

/* Read a text. It is valid until the next value is read. */
static int read_text(struct godot_clip_reader *reader, const char **text)
{
	struct godot_value value;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	*text = godot_to_text(&value);
	return 0;
}

/* Add a track. The property `type` of the next track number creates it. */
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
	    godot_warn(reader, "track", "an unknown type of track is not read" ANIM_DETAIL ": '%.64s'", name) != 0)
		return -1;
	if (head.type == GODOT_TRACK_TRANSFORM && !reader->old_file &&
	    godot_warn(reader, "track",
		       "a Godot 3 transform track is read as position, rotation and scale, but Godot 4 would drop it "
		       "and all later tracks of this Godot 4 file") != 0)
		return -1;
	return anim_buffer_append(&reader->heads, &head, sizeof head, reader->error);
}

static int set_flag(struct godot_clip_reader *reader, bool *flag)
{
	struct godot_value value;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	*flag = godot_to_bool(&value);
	return 0;
}

/* Read tracks/N/WHAT of an existing track. */
static int set_track_property(struct godot_clip_reader *reader, size_t track, const char *what)
{
	struct godot_track_head *head = head_at(reader, track);
	const char *path;
	int status;

	if (strcmp(what, "path") == 0) {
		if (read_text(reader, &path) != 0)
			return -1;
		head->path = anim_arena_text(reader->arena, path, strlen(path), reader->error);
		return head->path != NULL ? 0 : -1;
	}
	if (strcmp(what, "interp") == 0) {
		if (read_int(reader, &head->interp) != 0)
			return -1;
		if (head->interp >= GODOT_INTERP_NEAREST && head->interp <= GODOT_INTERP_CUBIC_ANGLE)
			return 0;
		return godot_warn(reader, "track", "an unknown interpolation is held, as in Godot" ANIM_DETAIL ": %lld",
				  (long long)head->interp);
	}
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
	if (strcmp(what, "compressed_track") == 0) {
		int64_t number;

		if (read_int(reader, &number) != 0)
			return -1;
		if (!reader->compression.enabled || number < 0 ||
		    (uint64_t)number >= reader->compression.bounds.size / (BOX_FLOATS * sizeof(float)) ||
		    head->type < GODOT_TRACK_POSITION || head->type > GODOT_TRACK_BLEND_SHAPE)
			return godot_warn(reader, "track",
					  "a compressed track without data is left empty, as in Godot" ANIM_DETAIL
					  ": %lld",
					  (long long)number);
		head->compressed = number;
		head->interp = GODOT_INTERP_LINEAR;
		head->loop_wrap = false; /* such tracks are not interpolated from the last key to the first */
		return 0;
	}
	if (strcmp(what, "keys") == 0 || strcmp(what, "key_values") == 0) {
		const struct godot_keys_reader *keys = keys_readers[head->type];

		/* There is room for the keys of one track, so the tracks before it are stored. */
		if (store_below(reader, track) != 0)
			return -1;
		godot_keys_reset(&reader->keys);
		if ((keys == NULL ? godot_text_skip(reader->text) : keys->read(reader, head)) != 0)
			return -1;
		if (reader->keys.n > ANIM_KEYS_MAX)
			return anim_fail_at(reader->error, ANIM_TOO_LARGE, &reader->place,
					    "more than %u keys in a track", ANIM_KEYS_MAX);
		reader->keys.track = track;
	}
	return 0;
}

/*
 * Copy the part of the name of a property up to the next '/'. Parts longer than any known name are truncated. Returns
 * the text after it.
 */
static const char *next_part(const char *name, char part[32])
{
	size_t length = strcspn(name, "/"), kept = length < 31 ? length : 31;

	memcpy(part, name, kept);
	part[kept] = '\0';
	return name + length + (name[length] == '/');
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
		return godot_fault(reader, "clip", "the length of the clip is not a finite number");
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
		return godot_warn(reader, "clip", "an unknown loop mode is read as none" ANIM_DETAIL ": %lld",
				  (long long)mode);
	reader->clip->loop_mode = (int)mode;
	return 0;
}

/* Keep the name as an attribute, because the library may give the clip another name. Writers restore it. */
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

/* Keep the snapping step of the editor as an attribute for writers. */
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

int godot_is_added(struct godot_text *text, struct anim_arena *arena, const char *property)
{
	struct godot_value value;

	if (strcmp(property, "script") != 0)
		return anim_text_after(property, "metadata/") != NULL;
	return godot_text_value(text, arena, &value) != 0 ? -1 : value.type != GODOT_NIL;
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
	int added;

	if (strncmp(name, "tracks/", 7) == 0) {
		char number[32], what[32];
		uint64_t track = UINT64_MAX;

		/*
		 * Read "tracks/N/WHAT". Godot creates track N when exactly N tracks exist, and ignores properties of
		 * other numbers.
		 */
		next_part(next_part(name + 7, number), what);
		for (size_t i = 0; number[i] >= '0' && number[i] <= '9' && i < 10; i++)
			track = (i == 0 ? 0 : track * 10) + (uint64_t)(number[i] - '0');
		if (track == track_count(reader) && strcmp(what, "type") == 0)
			return add_track(reader);
		if (track >= track_count(reader))
			return godot_warn(
			    reader, "property",
			    "'%s' of track %s: not read, because the track does not exist yet, as in Godot", what,
			    number);
		if (track < reader->stored)
			return godot_warn(reader, "property",
					  "'%s' of track %s: not read, because keys of a later track come before", what,
					  number);
		return set_track_property(reader, (size_t)track, what);
	}
	for (size_t i = 0; i < ANIM_COUNT(properties); i++)
		if (strcmp(name, properties[i].name) == 0)
			return properties[i].read(reader);
	anim_arena_reset(&reader->element);
	added = godot_is_added(reader->text, &reader->element, name);
	reader->clip->settings += added > 0;
	return added < 0 ? -1 : 0;
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
	/* The store needs a clip before its tracks. The caller replaces this head when the real head is known. */
	const struct anim_clip provisional = {.end_s = LENGTH_DEFAULT_S,
					      .axes = ANIM_AXES_GODOT,
					      .axes2d = ANIM_AXES2D_GODOT,
					      .name = "",
					      .root = "",
					      .source = "godot4"};
	const struct godot_track_head marker = {.path = "", .interp = GODOT_INTERP_LINEAR, .compressed = -1};
	const char *name;
	int status, got;

	*clip = (struct godot_animation){.resource_name = "", .length_s = LENGTH_DEFAULT_S};
	godot_keys_reset(&reader.keys);
	godot_keys_reset(&reader.marker);
	status = anim_sink_clip(anim_store_sink(store), &provisional, error);
	while (status == 0 && (got = godot_text_property(text, &name, &reader.place)) != 0)
		status = got == 1 ? read_property(&reader, name) : -1;
	if (status == 0)
		status = store_below(&reader, track_count(&reader));
	if (status == 0) {
		clip->is_godot2 = godot_generation(&reader) == 2;
		clip->is_godot3 = godot_generation(&reader) == 3;
		if (reader.marker.n > 0)
			status = godot_events_store(&reader, &marker, &reader.marker, "@marker");
	}
	anim_arena_clear(&reader.element);
	anim_arena_clear(&reader.names);
	anim_buffer_clear(&reader.heads);
	clear_keys(&reader.keys);
	clear_keys(&reader.marker);
	anim_arena_clear(&reader.compression.arena);
	anim_buffer_clear(&reader.compression.bounds);
	anim_buffer_clear(&reader.compression.pages);
	return status != 0 ? -1 : reader.faulty;
}
