/* animation_events.c: method, audio and animation tracks, and markers: one JSON object a key. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "format/godot/animation.h"

/* --- Values of Godot as JSON --- */

/* Appends the NUL-terminated JSON source as it is. 0 or -1. */
static int json_raw(struct anim_buffer *buffer, const char *source, struct anim_error *error)
{
	return anim_buffer_append(buffer, source, strlen(source), error);
}

/* Appends a string in quotes. */
static int json_text(struct anim_buffer *buffer, const char *bytes, size_t length, struct anim_error *error)
{
	return anim_json_append(buffer, bytes, length, error);
}

/* Appends the shortest text of a float32, null where it is not finite. */
static int json_float(struct anim_buffer *buffer, float number, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX];

	if (!isfinite(number))
		return json_raw(buffer, "null", error);
	return anim_buffer_append(buffer, text, anim_number_print_float(text, number), error);
}

static int append_double(struct anim_buffer *buffer, double number, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX + 2];
	size_t length = anim_number_print_double(text, number);

	if (memchr(text, '.', length) == NULL && memchr(text, 'e', length) == NULL) {
		memcpy(text + length, ".0", 2);
		length += 2;
	}
	return anim_buffer_append(buffer, text, length, error);
}

/* The value as Godot writes it, in a JSON object that says so. */
static int append_source(struct anim_buffer *buffer, const struct godot_value *value, struct anim_error *error)
{
	struct anim_buffer source = {0};
	int result = -1;

	if (godot_value_print(value, &source, error) == 0 && json_raw(buffer, "{\"godot\":", error) == 0 &&
	    json_text(buffer, (const char *)source.data, source.size, error) == 0)
		result = json_raw(buffer, "}", error);
	anim_buffer_clear(&source);
	return result;
}

static int json_value(struct anim_buffer *, const struct godot_value *, struct anim_error *);

static int append_array(struct anim_buffer *buffer, const struct godot_value *value, struct anim_error *error)
{
	const struct godot_value *items = value->items;

	for (size_t i = 0; i < value->count; i++)
		if (json_raw(buffer, i == 0 ? "[" : ",", error) != 0 || json_value(buffer, &items[i], error) != 0)
			return -1;
	return json_raw(buffer, value->count == 0 ? "[]" : "]", error);
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

static int append_object(struct anim_buffer *buffer, const struct godot_value *value, struct anim_error *error)
{
	const struct godot_value *items = value->items;

	for (size_t i = 0; i < value->count; i++)
		if (json_raw(buffer, i == 0 ? "{" : ",", error) != 0 ||
		    json_text(buffer, items[2 * i].text.bytes, items[2 * i].text.length, error) != 0 ||
		    json_raw(buffer, ":", error) != 0 || json_value(buffer, &items[2 * i + 1], error) != 0)
			return -1;
	return json_raw(buffer, value->count == 0 ? "{}" : "}", error);
}

/*
 * Appends a value so that a reader can tell it exactly: null, bool, int, float (always with '.' or 'e'), string, array,
 * dictionary with string keys; anything else is {"godot":"source text"}.
 */
static int json_value(struct anim_buffer *buffer, const struct godot_value *value, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX];

	switch (value->type) {
	case GODOT_NIL:
		return json_raw(buffer, "null", error);
	case GODOT_BOOL:
		return json_raw(buffer, value->boolean ? "true" : "false", error);
	case GODOT_INT:
		return anim_buffer_append(buffer, text, anim_number_print_int64(text, value->integer), error);
	case GODOT_FLOAT:
		if (isfinite(value->number))
			return append_double(buffer, value->number, error);
		break;
	case GODOT_STRING:
		return json_text(buffer, value->text.bytes, value->text.length, error);
	case GODOT_ARRAY:
		if (value->literal_type.length == 0)
			return append_array(buffer, value, error);
		break;
	case GODOT_DICTIONARY:
		if (value->literal_type.length == 0 && is_object(value))
			return append_object(buffer, value, error);
		break;
	default:
		break;
	}
	return append_source(buffer, value, error);
}

/* --- The keys --- */

/* {"method":"hit","args":[...]} */
static int method_text(struct anim_buffer *out, const struct godot_value *key, struct anim_error *error)
{
	const struct godot_value *method = godot_dictionary_get(key, "method"),
				 *args = godot_dictionary_get(key, "args");
	size_t count;

	if (method == NULL || args == NULL || !godot_value_is_name(method) || !godot_value_is_array(args))
		return 1;
	if (json_raw(out, "{\"method\":", error) != 0 ||
	    json_text(out, method->text.bytes, method->text.length, error) != 0 ||
	    json_raw(out, ",\"args\":[", error) != 0)
		return -1;
	count = godot_array_count(args);
	for (size_t i = 0; i < count; i++) {
		struct godot_value arg;

		godot_array_element(args, i, &arg);
		if ((i > 0 && json_raw(out, ",", error) != 0) || json_value(out, &arg, error) != 0)
			return -1;
	}
	return json_raw(out, "]}", error);
}

/* The stream resource as Godot's source text, in a JSON string; null stays. */
static int stream_text(struct anim_buffer *out, const struct godot_value *stream, struct anim_error *error)
{
	struct anim_buffer source = {0};
	int result = -1;

	if (stream->type == GODOT_NIL)
		return json_raw(out, "null", error);
	if (godot_value_print(stream, &source, error) == 0)
		result = json_text(out, (const char *)source.data, source.size, error);
	anim_buffer_clear(&source);
	return result;
}

/* {"stream":"SubResource(\"1\")","start_offset":0,"end_offset":0} */
static int audio_text(struct anim_buffer *out, const struct godot_value *key, struct anim_error *error)
{
	const struct godot_value *stream = godot_dictionary_get(key, "stream");
	const struct godot_value *start = godot_dictionary_get(key, "start_offset");
	const struct godot_value *end = godot_dictionary_get(key, "end_offset");

	if (stream == NULL || start == NULL || end == NULL)
		return 1;
	if (json_raw(out, "{\"stream\":", error) != 0 || stream_text(out, stream, error) != 0 ||
	    json_raw(out, ",\"start_offset\":", error) != 0 ||
	    json_float(out, (float)godot_to_double(start), error) != 0 ||
	    json_raw(out, ",\"end_offset\":", error) != 0 || json_float(out, (float)godot_to_double(end), error) != 0)
		return -1;
	return json_raw(out, "}", error);
}

/* {"clip":"walk"} */
static int clip_text(struct anim_buffer *out, const struct godot_value *key, struct anim_error *error)
{
	const char *name = godot_to_text(key);

	if (json_raw(out, "{\"clip\":", error) != 0 || json_text(out, name, strlen(name), error) != 0)
		return -1;
	return json_raw(out, "}", error);
}

/* {"name":"x","color":[1,1,1,1]}; markers are white where nothing else is said. */
static int marker_text(struct anim_buffer *out, const struct godot_value *key, struct anim_error *error)
{
	const struct godot_value *name = godot_dictionary_get(key, "name"), *color = godot_dictionary_get(key, "color");

	if (name == NULL || !godot_value_is_name(name) || godot_dictionary_get(key, "time") == NULL)
		return 1;
	if (json_raw(out, "{\"name\":", error) != 0 ||
	    json_text(out, name->text.bytes, name->text.length, error) != 0 || json_raw(out, ",\"color\":", error) != 0)
		return -1;
	for (size_t i = 0; i < 4; i++) {
		bool given = color != NULL && color->type == GODOT_COLOR && i < color->count;

		if (json_raw(out, i == 0 ? "[" : ",", error) != 0 ||
		    json_float(out, given ? (float)color->numbers[i] : 1, error) != 0)
			return -1;
	}
	return json_raw(out, "]}", error);
}

/* What kind of events is being read, and into what. */
struct events {
	int (*text)(struct anim_buffer *, const struct godot_value *, struct anim_error *); /* 1: not such a key */
	struct godot_track_keys *keys;
	size_t dropped;
};

/* Keys that Godot would drop keep their number with a null text until the times are known. */
static int take_event(struct godot_clip_reader *reader, const struct godot_value *value, void *context)
{
	struct events *events = context;
	struct anim_texts *texts = &events->keys->column.texts;
	size_t start = texts->bytes.size;
	int status = events->text(&texts->bytes, value, reader->error);

	if (status < 0)
		return -1;
	if (status == 1) {
		uint32_t none = ANIM_NULL_STRING;

		events->dropped++;
		texts->bytes.size = start;
		if (anim_texts_close(texts, start, reader->error) != 0)
			return -1;
		memcpy(texts->length.data + texts->length.size - sizeof none, &none, sizeof none);
		return 0;
	}
	return anim_texts_close(texts, start, reader->error);
}

static int take_marker(struct godot_clip_reader *reader, const struct godot_value *value, void *context)
{
	struct events *events = context;
	const struct godot_value *at = value->type == GODOT_DICTIONARY ? godot_dictionary_get(value, "time") : NULL;
	float time = at != NULL ? (float)godot_to_double(at) : 0;

	if (anim_buffer_append(&events->keys->time, &time, sizeof time, reader->error) != 0)
		return -1;
	return take_event(reader, value, events);
}

/* A key with its place in the file. */
struct timed {
	float time;
	uint32_t number;
};

/* By time, then by place; what is not a number comes last. */
static int compare_timed(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;
	bool x_nan = isnan(x->time), y_nan = isnan(y->time);

	if (x_nan != y_nan)
		return x_nan ? 1 : -1;
	if (!x_nan && x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Godot's is_equal_approx in double. */
static bool equal_times(double a, double b)
{
	double tolerance = 1e-5 * fabs(a) > 1e-5 ? 1e-5 * fabs(a) : 1e-5;

	return a == b || fabs(a - b) < tolerance;
}

/* Of keys at one time the last in the file stays, as Godot's insertion leaves it. The number that remains. */
static size_t merge_equal(struct timed *order, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || !equal_times(order[kept - 1].time, order[i].time))
			order[kept++] = order[i];
		else if (order[i].number > order[kept - 1].number)
			order[kept - 1] = order[i];
	}
	return kept;
}

/* Puts times and texts into the new order. 0 or -1. */
static int reorder(struct godot_track_keys *keys, const struct timed *order, size_t count, struct anim_error *error)
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

/* Takes dropped keys out; keys that Godot inserts one by one get its order. 0 or -1. */
static int arrange(struct godot_track_keys *keys, bool inserted, bool dropped, struct anim_error *error)
{
	const float *time = (const float *)(const void *)keys->time.data;
	const uint32_t *length = (const uint32_t *)(const void *)keys->column.texts.length.data;
	size_t count = keys->time.size / sizeof *time, kept = 0;
	bool changes = dropped;
	struct timed *order;
	int result = 0;

	for (size_t i = 1; i < count && inserted && !changes; i++)
		changes = !(time[i] > time[i - 1]) || equal_times(time[i - 1], time[i]);
	if (!changes)
		return 0;
	order = count < SIZE_MAX / sizeof *order ? malloc(count * sizeof *order) : NULL;
	if (order == NULL)
		return anim_fail_memory(error);
	for (size_t i = 0; i < count; i++)
		if (length[i] != ANIM_NULL_STRING)
			order[kept++] = (struct timed){time[i], (uint32_t)i};
	if (inserted) {
		qsort(order, kept, sizeof *order, compare_timed);
		kept = merge_equal(order, kept);
	}
	result = reorder(keys, order, kept, error);
	free(order);
	return result;
}

static int finish_events(struct godot_clip_reader *reader, const struct events *events, bool inserted)
{
	struct godot_track_keys *keys = events->keys;

	if (anim_texts_count(&keys->column.texts) > UINT32_MAX)
		return anim_fail_at(reader->error, ANIM_TOO_LARGE, &reader->place, "too many keys in a track");
	if (arrange(keys, inserted, events->dropped > 0, reader->error) != 0)
		return -1;
	keys->n = keys->time.size / sizeof(float);
	return 0;
}

static int read_entries(struct godot_clip_reader *reader, const char *values, struct events *events)
{
	struct godot_value key;
	int status = godot_text_dictionary(reader->text, reader->error);

	for (; status == 1; status = 1) {
		anim_arena_reset(&reader->element);
		status = godot_text_dictionary_next(reader->text, &reader->element, &key, reader->error);
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

int godot_read_event_keys(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	struct events events = {.keys = &reader->keys};
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
	return finish_events(reader, &events, method);
}

int godot_read_markers(struct godot_clip_reader *reader)
{
	struct events events = {.text = marker_text, .keys = &reader->marker};

	godot_keys_reset(&reader->marker);
	if (godot_read_elements(reader, take_marker, &events) < 0)
		return -1;
	if (events.dropped > 0 && godot_warn(reader, "markers without name or time are dropped",
					     "a marker has no name or no time; it is dropped") != 0)
		return -1;
	return finish_events(reader, &events, true);
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

int godot_event_store(struct godot_clip_reader *reader, const struct godot_track_head *head,
		      struct godot_track_keys *keys)
{
	static const char *const properties[GODOT_TRACK_TYPE_COUNT] = {
	    [GODOT_TRACK_METHOD] = "@method", [GODOT_TRACK_AUDIO] = "@audio", [GODOT_TRACK_ANIMATION] = "@animation"};

	return store_events(reader, head, keys, properties[head->type]);
}

int godot_marker_store(struct godot_clip_reader *reader)
{
	struct godot_track_head head = {.path = "", .interp = GODOT_INTERP_LINEAR, .compressed = -1};

	return reader->marker.n == 0 ? 0 : store_events(reader, &head, &reader->marker, "@marker");
}
