/* animation_events.c: method, audio and animation tracks, and markers: one JSON object a key. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "format/godot/animation.h"
#include "format/godot/print.h"

/* ---- Values of Godot as JSON ---- */

static void json_float(struct anim_print *out, float number)
{
	if (isfinite(number))
		anim_print_float(out, number);
	else
		anim_print_text(out, "null");
}

static void json_double(struct anim_print *out, double number)
{
	char text[ANIM_NUMBER_MAX];
	size_t length = anim_number_print_double(text, number);

	anim_print_bytes(out, text, length);
	if (memchr(text, '.', length) == NULL && memchr(text, 'e', length) == NULL)
		anim_print_text(out, ".0");
}

/* The value as Godot writes it, in a JSON string. */
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

static void json_array(struct anim_print *out, const struct godot_value *value)
{
	const struct godot_value *items = value->items;

	anim_print_text(out, "[");
	for (size_t i = 0; i < value->count; i++) {
		anim_print_text(out, i == 0 ? "" : ",");
		json_value(out, &items[i]);
	}
	anim_print_text(out, "]");
}

/* True where a JSON object can be read back as this dictionary. */
static bool is_object(const struct godot_value *value)
{
	const struct godot_value *items = value->items;

	for (size_t i = 0; i < value->count; i++)
		if (items[2 * i].type != GODOT_STRING || godot_string_is(&items[2 * i].text, "godot"))
			return false;
	return true;
}

static void json_object(struct anim_print *out, const struct godot_value *value)
{
	const struct godot_value *items = value->items;

	anim_print_text(out, "{");
	for (size_t i = 0; i < value->count; i++) {
		anim_print_text(out, i == 0 ? "" : ",");
		anim_print_json(out, items[2 * i].text.bytes, items[2 * i].text.length);
		anim_print_text(out, ":");
		json_value(out, &items[2 * i + 1]);
	}
	anim_print_text(out, "}");
}

/*
 * The value so that a reader can tell it exactly: null, bool, int, float (always with '.' or 'e'), string, array, dictionary
 * with string keys; anything else is {"godot":"source text"}.
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
		json_double(out, value->number);
	} else if (value->type == GODOT_STRING) {
		anim_print_json(out, value->text.bytes, value->text.length);
	} else if (value->type == GODOT_ARRAY && plain) {
		json_array(out, value);
	} else if (value->type == GODOT_DICTIONARY && plain && is_object(value)) {
		json_object(out, value);
	} else {
		anim_print_text(out, "{\"godot\":");
		json_source(out, value);
		anim_print_text(out, "}");
	}
}

/* ---- The keys ---- */

/* {"method":"hit","args":[...]} */
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

/* {"stream":"SubResource(\"1\")","start_offset":0,"end_offset":0}; a stream that is null stays. */
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

/* {"clip":"walk"} */
static bool clip_text(struct anim_print *out, const struct godot_value *key)
{
	anim_print_text(out, "{\"clip\":");
	anim_print_json_text(out, godot_to_text(key));
	anim_print_text(out, "}");
	return true;
}

/* {"name":"x","color":[1,1,1,1]}; markers are white where nothing else is said. */
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

/* What kind of events is being read, and into what. */
struct event_reading {
	bool (*text)(struct anim_print *, const struct godot_value *); /* false: not such a key */
	struct godot_track_keys *keys;
	size_t dropped;
};

/* Keys that Godot would drop keep their number with a null text until the times are known. */
static int take_event(struct godot_clip_reader *reader, const struct godot_value *value, void *context)
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

static int take_marker(struct godot_clip_reader *reader, const struct godot_value *value, void *context)
{
	struct event_reading *events = context;
	const struct godot_value *at = value->type == GODOT_DICTIONARY ? godot_dictionary_get(value, "time") : NULL;
	float time = at != NULL ? (float)godot_to_double(at) : 0;

	if (anim_buffer_append(&events->keys->time, &time, sizeof time, reader->error) != 0)
		return -1;
	return take_event(reader, value, events);
}

/* A key with its place in the file. */
struct timed_event {
	float time;
	uint32_t number;
};

/* By time, then by place; what is not a number comes last. */
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

/* Of keys at one time the last in the file stays, as Godot's insertion leaves it. The number that remains. */
static size_t merge_equal(struct timed_event *order, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || !godot_equal_times(order[kept - 1].time, order[i].time))
			order[kept++] = order[i];
		else if (order[i].number > order[kept - 1].number)
			order[kept - 1] = order[i];
	}
	return kept;
}

/* Puts times and texts into the new order. 0 or -1. */
static int reorder(struct godot_track_keys *keys, const struct timed_event *order, size_t count,
		   struct anim_error *error)
{
	struct anim_texts old = keys->column.texts, new = {0};
	struct anim_strings strings;
	float *time = (float *)(void *)keys->time.data;

	anim_texts_view(&old, &strings);
	for (size_t i = 0; i < count; i++) {
		uint32_t from = order[i].number;

		if (anim_texts_add(&new, strings.bytes + strings.start[from], strings.length[from], error) != 0) {
			anim_texts_clear(&new);
			return -1;
		}
		time[i] = order[i].time;
	}
	keys->column.texts = new;
	keys->time.size = count * sizeof *time;
	anim_texts_clear(&old);
	return 0;
}

/* Takes dropped keys out; keys that Godot inserts one by one get its order, *replaced of them go. 0 or -1. */
static int arrange(struct godot_track_keys *keys, bool inserted, bool dropped, size_t *replaced,
		   struct anim_error *error)
{
	const float *time = (const float *)(const void *)keys->time.data;
	const uint32_t *length = (const uint32_t *)(const void *)keys->column.texts.length.data;
	size_t count = keys->time.size / sizeof *time, kept = 0;
	bool changes = dropped;
	struct timed_event *order;
	int result = 0;

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
		kept = merge_equal(order, kept);
		*replaced = before - kept;
	}
	result = reorder(keys, order, kept, error);
	free(order);
	return result;
}

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
	return godot_warn(reader, "tracks have several keys at one time, of which the last is kept, as in Godot",
			  "%s: %zu of its keys give way to later ones at the same time, as in Godot", label, replaced);
}

static int read_entries(struct godot_clip_reader *reader, const char *values, struct event_reading *events)
{
	struct godot_value key;
	int status = godot_text_dictionary(reader->text);

	for (; status == 1; status = 1) {
		anim_arena_reset(&reader->element);
		status = godot_text_dictionary_next(reader->text, &reader->element, &key);
		if (status <= 0)
			return status;
		if (godot_string_is(&key.text, "times")) {
			status = godot_read_floats(reader, &events->keys->time);
		} else if (godot_string_is(&key.text, values)) {
			anim_texts_reset(&events->keys->column.texts);
			events->dropped = 0;
			status = godot_read_elements(reader, take_event, events);
		}
		if (status < 0)
			return -1;
	}
	return status;
}

static int read_keys(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	struct event_reading events = {.keys = &reader->keys};
	bool method = head->type == GODOT_TRACK_METHOD;
	size_t times, texts;

	events.text = method ? method_text : head->type == GODOT_TRACK_AUDIO ? audio_text : clip_text;
	if (read_entries(reader, method ? "values" : "clips", &events) != 0)
		return -1;
	times = reader->keys.time.size / sizeof(float);
	texts = anim_texts_count(&reader->keys.column.texts);
	if (times != texts) {
		reader->keys.time.size = 0;
		anim_texts_reset(&reader->keys.column.texts);
		return godot_warn(reader, "tracks with unequal numbers of times and values are left empty, as in Godot",
				  "%s: %zu times but %zu keys in a %s track; none is read, as in Godot",
				  godot_head_label(head), times, texts, godot_track_type_names[head->type]);
	}
	if (events.dropped > 0 && godot_warn(reader, "keys that lack what Godot demands are dropped, as in Godot",
					     "%s: a key of the %s track lacks %s; it is dropped, as in Godot",
					     godot_head_label(head), godot_track_type_names[head->type],
					     method ? "'method' or 'args'" : "its stream or an offset") != 0)
		return -1;
	return finish_events(reader, &events, method, godot_head_label(head));
}

static int read_markers(struct godot_clip_reader *reader, const struct godot_track_head *none)
{
	struct event_reading events = {.text = marker_text, .keys = &reader->marker};

	(void)none;
	godot_keys_reset(&reader->marker);
	if (godot_read_elements(reader, take_marker, &events) < 0)
		return -1;
	if (events.dropped > 0 && godot_warn(reader, "markers without name or time are dropped",
					     "a marker has no name or no time; it is dropped") != 0)
		return -1;
	return finish_events(reader, &events, true, "markers");
}

static int store_events(struct godot_clip_reader *reader, const struct godot_track_head *head,
			const struct godot_track_keys *keys, const char *property)
{
	struct godot_track_notes notes = {0};
	struct anim_track track = {.kind = ANIM_DISCRETE, .type = ANIM_STRING};
	struct anim_strings strings;
	struct godot_target target;

	if (godot_target_of_node(head->path, property, &reader->names, &target, reader->error) != 0)
		return -1;
	godot_target_apply(&target, &track, &notes);
	anim_texts_view(&keys->column.texts, &strings);
	track.strings = &strings;
	return godot_track_emit(reader, head, keys, &track, &notes);
}

static int store_keys(struct godot_clip_reader *reader, const struct godot_track_head *head,
		      struct godot_track_keys *keys)
{
	static const char *const properties[GODOT_TRACK_TYPE_COUNT] = {
	    [GODOT_TRACK_METHOD] = "@method", [GODOT_TRACK_AUDIO] = "@audio", [GODOT_TRACK_ANIMATION] = "@animation"};

	return store_events(reader, head, keys, properties[head->type]);
}

static int store_markers(struct godot_clip_reader *reader, const struct godot_track_head *none,
			 struct godot_track_keys *keys)
{
	struct godot_track_head head = {.path = "", .interp = GODOT_INTERP_LINEAR, .compressed = -1};

	(void)none;
	return keys->n == 0 ? 0 : store_events(reader, &head, keys, "@marker");
}

const struct godot_keys_reader godot_event_keys = {read_keys, store_keys};

const struct godot_keys_reader godot_marker_keys = {read_markers, store_markers};
