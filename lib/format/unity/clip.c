/* clip.c: read one AnimationClip: its fields, and its lists, which become tracks. */
#include "format/unity/clip.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/print.h"
#include "base/text.h"
#include "clip/caps.h"
#include "clip/keys.h"
#include "clip/track.h"
#include "format/unity/event.h"
#include "format/unity/names.h"

/* A scalar or flow map of the document that becomes an attribute. The texts are in the caller's arena. */
struct kept_field {
	const char *path, *text;
	size_t number; /* in the file */
};

#define LISTS 3

/* Attributes of the clip that list the nodes with curves of these classes and properties (NULL: all). */
static const struct {
	const char *classes, *properties, *key;
} node_lists[LISTS] = {{"108", "m_SpotAngle", ANIM_ATTR_SPOTS},
		       {"20 108", NULL, ANIM_ATTR_LOOKS},
		       {"82", "MinDistance MaxDistance", ANIM_ATTR_SOUNDS}};

/* The fields of the file for the clip's own members. */
struct clip_facts {
	const char *name;
	bool legacy, loop_time, has_start, has_stop;
	bool has_any;             /* any field */
	bool has_first, has_last; /* m_ObjectHideFlags and m_Events, which Unity always writes */
	bool has_flat, has_solid; /* curves of sprites, and of components that are in space only */
	float rate_hz, start_s, stop_s;
	struct anim_buffer nodes[LISTS]; /* the texts of the attributes in node_lists */
};

struct clip_reading {
	struct unity_file *file;
	const struct unity_clip_options *options;
	struct unity_clip *clip;
	struct anim_error *error;
	struct anim_arena item; /* for the current field or item */
	struct clip_facts facts;
	struct anim_buffer texts; /* struct kept_field */
	size_t curves;            /* of the runtime lists so far */
	float last_s;             /* last key of any curve so far, at least 0 */
	struct anim_keys events;
};

/* A list of the clip, which becomes tracks item by item. */
struct curve_list {
	const char *name;
	bool is_curves; /* played by the engine; without them, the editor's curves are read */
	/* Read an item. Returns 0, 1 after a fault, or -1. */
	int (*read)(struct clip_reading *, const struct curve_list *, const struct unity_node *item);
	enum anim_type type;
	const char *property; /* NULL: each item has its own */
};

/* ---- Messages, and numbers that may be faults ---- */

/* Add a message at a node, with a noun. A fault makes the clip unusable. Returns 0 or -1. */
__attribute__((format(printf, 5, 6))) static int say(struct clip_reading *reader, enum anim_severity severity,
						     const struct unity_node *node, const char *noun,
						     const char *format, ...)
{
	struct anim_place place;
	char text[512];
	va_list args;

	reader->clip->faulty |= severity == ANIM_FAULT;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	unity_place(reader->file, node, &place);
	return anim_diagnostics_add(reader->options->diagnostics, severity, &place, noun, reader->error, "%s", text);
}

#define warn(reader, ...) say(reader, ANIM_WARNING, __VA_ARGS__)

/* Add a fault. Returns 1, which callers pass on while reading continues, or -1. */
#define fault(reader, node, ...) (say(reader, ANIM_FAULT, node, NULL, __VA_ARGS__) != 0 ? -1 : 1)

/* Do the same with the error of the last call. Errors that are not in the input are passed on. */
static int fault_again(struct clip_reading *reader, const struct unity_node *node)
{
	char text[sizeof reader->error->message];

	if (!anim_error_is_of_input(reader->error))
		return -1;
	memcpy(text, reader->error->message, sizeof text);
	return fault(reader, node, "%s", text);
}

/* Read numbers of a member. They stay unchanged if the member is missing or invalid. Returns 0 or -1. */
static int get_float(struct clip_reading *reader, const struct unity_node *map, const char *key, float *value)
{
	if (unity_float(map, key, value, reader->error) >= 0)
		return 0;
	return fault_again(reader, unity_get(map, key)) < 0 ? -1 : 0;
}

static int get_integer(struct clip_reading *reader, const struct unity_node *map, const char *key, int64_t *value)
{
	if (unity_int64(map, key, value, reader->error) >= 0)
		return 0;
	return fault_again(reader, unity_get(map, key)) < 0 ? -1 : 0;
}

/* ---- Storing a track ---- */

/* Attributes of a track. Their keys come in order. */
struct track_attrs {
	struct anim_attr items[8];
	size_t count;
};

static void add_attr(struct track_attrs *attrs, const char *key, const char *value)
{
	attrs->items[attrs->count++] = (struct anim_attr){key, value};
}

/* Set path, rules, attributes and flags for the times, and store the track of the list's item. Returns 0 or -1. */
static int store_track(struct clip_reading *reader, const struct unity_node *item, const char *path,
		       struct anim_track *track, const struct track_attrs *attrs)
{
	static const char *const texts[] = {"path", "m_Path", "attribute"};

	for (size_t i = 0; i < ANIM_COUNT(texts); i++) {
		const struct unity_node *text = unity_get(item, texts[i]);

		if (text != NULL && text->kind != UNITY_SCALAR)
			return fault(reader, text, "%s is not a text", texts[i]);
	}
	if (strlen(path) > ANIM_NAME_MAX || strlen(track->property) > ANIM_NAME_MAX)
		return fault(reader, item, "a path or attribute of more than %u bytes", ANIM_NAME_MAX);
	track->node = path[0] == '\0' ? "." : path;
	track->rules = ANIM_RULES_UNITY;
	track->attrs = (struct anim_attrs){attrs->items, attrs->count};
	if (!anim_times_are_sorted(track->time, track->n))
		track->flags |= ANIM_UNSORTED;
	if (strcmp(track->property, "@event") != 0)
		for (size_t i = 0; i < track->n; i++)
			if (isfinite(track->time[i]) && track->time[i] > reader->last_s)
				reader->last_s = track->time[i];
	if (anim_sink_track(anim_store_sink(reader->options->store), track, reader->error) != 0)
		return fault_again(reader, item);
	return 0;
}

/* ---- The property of a float or PPtr curve ---- */

/* The names of a property in a curve's item. */
struct curve_name {
	struct unity_meaning meaning;
	char class_id[ANIM_NUMBER_MAX + 1], flags[ANIM_NUMBER_MAX + 1];
	const char *attribute, *script;
	bool keep_flags;
};

static int read_name(struct clip_reading *reader, const struct unity_node *item, bool reference,
		     struct curve_name *name)
{
	const struct unity_node *script = unity_get(item, "script");
	struct unity_reference script_reference;
	int64_t class_id = 0, flags;
	int status;

	name->attribute = unity_text(item, "attribute", "");
	name->script = NULL;
	if (get_integer(reader, item, "classID", &class_id) != 0)
		return -1;
	/* the script of a script's curve, as text */
	status = unity_reference_read(script, &script_reference, reader->error);
	if (status < 0 && fault_again(reader, script) < 0)
		return -1;
	if (status > 0 && script_reference.file_id != 0 &&
	    (name->script = unity_flow_text(script, &reader->item, reader->error)) == NULL)
		return -1;
	reader->facts.has_flat |= unity_class_is_flat(class_id);
	reader->facts.has_solid |= unity_class_is_solid(class_id);
	flags = unity_default_flags(class_id, name->attribute);
	if (get_integer(reader, item, "flags", &flags) != 0)
		return -1;
	name->keep_flags = flags != unity_default_flags(class_id, name->attribute);
	name->class_id[anim_number_print_int64(name->class_id, class_id)] = '\0';
	name->flags[anim_number_print_int64(name->flags, flags)] = '\0';
	return unity_name_read(class_id, name->attribute, reference, &name->meaning, &reader->item, reader->error);
}

static void add_name_attrs(struct track_attrs *attrs, const struct curve_name *name)
{
	const struct unity_meaning *meaning = &name->meaning;

	if (meaning->order != NULL)
		add_attr(attrs, "order", meaning->order);
	if (meaning->keep_attribute)
		add_attr(attrs, UNITY_ATTR_ATTRIBUTE, name->attribute);
	if (meaning->keep_class)
		add_attr(attrs, UNITY_ATTR_CLASS, name->class_id);
	if (name->keep_flags)
		add_attr(attrs, UNITY_ATTR_FLAGS, name->flags);
	if (meaning->humanoid != NULL)
		add_attr(attrs, UNITY_ATTR_HUMANOID, meaning->humanoid);
	if (name->script != NULL)
		add_attr(attrs, UNITY_ATTR_SCRIPT, name->script);
}

/* ---- Curves ---- */

/* Read 0 as ping-pong, 1 as repeat, 2 as clamp. These numbers differ from WrapMode. */
static int read_end(struct clip_reading *reader, const struct unity_node *map, const char *key, uint8_t *end)
{
	int64_t number = 2;

	if (get_integer(reader, map, key, &number) != 0)
		return -1;
	*end = number == 0   ? ANIM_EXTRAPOLATION_PINGPONG
	       : number == 1 ? ANIM_EXTRAPOLATION_LOOP
			     : ANIM_EXTRAPOLATION_HOLD;
	if (number >= 0 && number <= 2)
		return 0;
	return warn(reader, unity_get(map, key), "curve",
		    "an unknown infinity is read as 2 (clamp)" ANIM_DETAIL ": %s %lld", key, (long long)number);
}

/* Set the extrapolation from m_PreInfinity and m_PostInfinity of a map. Returns 0 or -1. */
static int read_ends(struct clip_reading *reader, const struct unity_node *map, struct anim_track *track)
{
	if (read_end(reader, map, "m_PreInfinity", &track->pre) != 0)
		return -1;
	return read_end(reader, map, "m_PostInfinity", &track->post);
}

static bool has_nan(const float *numbers, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++)
		found |= isnan(numbers[i]);
	return found;
}

/* Set the columns, borrowed from the keys. Returns 0, 1 after a fault, or -1. */
static int fill_columns(struct clip_reading *reader, const struct unity_node *item, const struct anim_track *keys,
			struct anim_track *track)
{
	unsigned components = anim_types[track->type].components, found = anim_types[keys->type].components;
	size_t count;

	track->interp = keys->interp;
	track->n = keys->n;
	if (keys->n == 0)
		return 0;
	if (found != components)
		return fault(reader, item, "keys have %u components instead of %u", found, components);
	memcpy(track->column, keys->column, sizeof track->column);
	count = track->n * anim_types[track->type].components;
	if (!has_nan(track->left, count) && !has_nan(track->right, count))
		return 0;
	return warn(reader, item, "key", "a slope that is NaN is played as a step");
}

/* Read the `curve` of a track whose type is set. Returns 0, 1 after a fault, or -1. */
static int read_curve(struct clip_reading *reader, const struct unity_node *item, struct anim_track *track)
{
	const struct unity_node *curve = unity_get(item, "curve"), *keys = unity_get(curve, "m_Curve");
	static const struct anim_track none = {.interp = ANIM_HERMITE};

	track->kind = ANIM_CURVE;
	if (read_ends(reader, curve, track) != 0)
		return -1;
	if (keys != NULL && keys->kind == UNITY_KEYS)
		return fill_columns(reader, item, keys->keys, track);
	if (keys == NULL || keys->count == 0)
		return fill_columns(reader, item, &none, track);
	return fault(reader, keys, "m_Curve is not a list of keys");
}

/* Read a complete property of a Transform. */
static int read_whole(struct clip_reading *reader, const struct curve_list *list, const struct unity_node *item)
{
	struct anim_track track = {.type = list->type, .property = list->property, .component = ANIM_WHOLE};
	struct track_attrs attrs = {0};
	int status;

	if (strcmp(list->property, "euler") == 0) {
		const struct unity_node *curve = unity_get(item, "curve");
		int64_t order = UNITY_ORDER_DEFAULT;

		track.flags = ANIM_DEGREES;
		if (get_integer(reader, curve, "m_RotationOrder", &order) != 0)
			return -1;
		if (unity_order_name(order) == NULL) {
			if (warn(reader, unity_get(curve, "m_RotationOrder"), "curve",
				 "an unknown m_RotationOrder is read as 4 (ZXY)" ANIM_DETAIL ": %lld",
				 (long long)order) != 0)
				return -1;
			order = UNITY_ORDER_DEFAULT;
		}
		add_attr(&attrs, "order", unity_order_name(order));
	}
	status = read_curve(reader, item, &track);
	return status != 0 ? status : store_track(reader, item, unity_text(item, "path", ""), &track, &attrs);
}

static int read_float(struct clip_reading *reader, const struct curve_list *list, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOAT};
	struct track_attrs attrs = {0};
	struct curve_name name;
	const char *path = unity_text(item, "path", "");
	int status = read_name(reader, item, false, &name);

	(void)list;
	if (status == 0)
		status = read_curve(reader, item, &track);
	if (status != 0)
		return status;
	track.property = name.meaning.property;
	track.component = name.meaning.component;
	track.flags |= name.meaning.flags;
	reader->clip->humanoid += name.meaning.humanoid != NULL;
	add_name_attrs(&attrs, &name);
	/* Append the node to the lists for its property, unless it is already the last one of the list. */
	for (unsigned i = 0; i < LISTS; i++) {
		struct anim_buffer *nodes = &reader->facts.nodes[i];
		const char *node = path[0] == '\0' ? "." : path;
		size_t length = strlen(node);

		/* Lists that are too long for an attribute are dropped. */
		if (nodes->size > ANIM_NAME_MAX || !anim_text_is_word(node_lists[i].classes, name.class_id) ||
		    (node_lists[i].properties != NULL && !anim_text_is_word(node_lists[i].properties, name.attribute)))
			continue;
		if (nodes->size > length && memcmp(nodes->data + nodes->size - length - 1, node, length) == 0 &&
		    (nodes->size == length + 1 || nodes->data[nodes->size - length - 2] == '\n'))
			continue;
		if (anim_buffer_append(nodes, node, length, reader->error) != 0 ||
		    anim_buffer_append(nodes, "\n", 1, reader->error) != 0)
			return -1;
	}
	return store_track(reader, item, path, &track, &attrs);
}

/* ---- Bit-packed rotations of legacy clips ---- */

/* Read one packed vector of the item. Returns 0, 1 after a fault, or -1. */
static int read_packed(struct clip_reading *reader, const struct unity_node *item, const char *name,
		       struct unity_packed *packed)
{
	const struct unity_node *map = unity_get(item, name), *data = unity_get(map, "m_Data");
	size_t faults = reader->options->diagnostics->faults;
	int64_t count = 0, bits = 0;

	*packed =
	    (struct unity_packed){.data = data != NULL ? data->text : "", .digits = data != NULL ? data->length : 0};
	if (get_integer(reader, map, "m_NumItems", &count) != 0 || get_integer(reader, map, "m_BitSize", &bits) != 0)
		return -1;
	if (count < 0 || count > ANIM_KEYS_MAX || bits < 0 || bits > 32)
		return fault(reader, map != NULL ? map : item, "%s has an invalid size: %lld items of %lld bits", name,
			     (long long)count, (long long)bits);
	packed->count = (uint64_t)count;
	packed->bits = (unsigned)bits;
	return reader->options->diagnostics->faults > faults;
}

static int read_compressed(struct clip_reading *reader, const struct curve_list *list, const struct unity_node *item)
{
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = list->type,
				   .property = list->property,
				   .component = ANIM_WHOLE,
				   .interp = ANIM_HERMITE};
	struct track_attrs attrs = {0};
	struct unity_packed times, values;
	int status = read_packed(reader, item, "m_Times", &times);

	if (status == 0)
		status = read_packed(reader, item, "m_Values", &values);
	if (status != 0)
		return status;
	if (unity_packed_read(&times, &values, &reader->item, &track, reader->error) != 0)
		return fault_again(reader, item);
	if (read_ends(reader, item, &track) != 0 ||
	    say(reader, ANIM_NOTE, item, "curve", "compressed rotations; slopes are computed from neighbouring keys") !=
		0)
		return -1;
	add_attr(&attrs, UNITY_ATTR_COMPRESSED, "1");
	return store_track(reader, item, unity_text(item, "m_Path", ""), &track, &attrs);
}

/* ---- PPtr curves, which step from one object to the next -> references as texts ---- */

#define NOTHING "{fileID: 0}"

/* Append ", NAME: [1, 2]". */
static void print_numbers(struct anim_print *print, const char *name, const float *numbers, size_t count)
{
	anim_print_texts(print, ", ", name, ": [");
	for (size_t i = 0; i < count; i++) {
		anim_print_text(print, i > 0 ? ", " : "");
		anim_print_float(print, numbers[i]);
	}
	anim_print_text(print, "]");
}

/*
 * Append the asset to the members of the reference: , path: "Assets/run.png", name: "run_3", index: 3. A sprite also has
 * the part of the image that it shows. Rows count from the top, as in the image.
 */
static int append_asset(struct anim_buffer *out, const struct unity_asset *asset, struct anim_error *error)
{
	struct anim_print print = {.buffer = out, .error = error};
	const struct unity_sprite *sprite = asset->sprite;
	float size[2];

	anim_print_text(&print, ", path: ");
	anim_print_json_text(&print, asset->path);
	if (sprite == NULL)
		return print.failed ? -1 : 0;
	if (sprite->name == NULL) {
		anim_print_text(&print, ", whole: 1");
	} else {
		anim_print_text(&print, ", name: ");
		anim_print_json_text(&print, sprite->name);
	}
	if (sprite->index >= 0) {
		anim_print_text(&print, ", index: ");
		anim_print_int64(&print, sprite->index);
	}
	size[0] = (float)sprite->image[0];
	size[1] = (float)sprite->image[1];
	if (size[0] > 0 && (sprite->name == NULL || sprite->rect[2] > 0)) {
		const float whole[4] = {0, 0, size[0], size[1]};
		const float part[4] = {sprite->rect[0], size[1] - sprite->rect[1] - sprite->rect[3], sprite->rect[2],
				       sprite->rect[3]};

		print_numbers(&print, "region", sprite->name == NULL ? whole : part, 4);
		print_numbers(&print, "image", size, 2);
	}
	if (sprite->pivot[0] != 0.5f || sprite->pivot[1] != 0.5f)
		print_numbers(&print, "pivot", sprite->pivot, 2);
	if (sprite->pixels_per_unit != UNITY_PIXELS_PER_UNIT) {
		anim_print_text(&print, ", pixelsPerUnit: ");
		anim_print_float(&print, sprite->pixels_per_unit);
	}
	return print.failed ? -1 : 0;
}

/* Append the text of one key. Returns 0, 1 after a fault, or -1. */
static int append_reference(struct clip_reading *reader, const struct unity_node *value, float time_s,
			    struct anim_keys *keys)
{
	const struct unity_clip_options *options = reader->options;
	struct unity_reference reference;
	struct unity_asset asset = {.path = NULL};
	struct anim_buffer *bytes = &keys->texts.bytes;
	size_t start = bytes->size;
	const char *text = NOTHING;
	int status = unity_reference_read(value, &reference, reader->error), found = 0;

	if (status < 0)
		return fault_again(reader, value);
	if (status > 0) {
		text = unity_flow_text(value, &reader->item, reader->error);
		if (text == NULL)
			return -1;
		/* a reference to another file */
		if (options->resolve != NULL && reference.guid[0] != '\0')
			found = options->resolve(options->resolve_context, reference.guid, reference.file_id, &asset,
						 reader->error);
	}
	/* Further members go before the closing brace. */
	if (found < 0 || anim_buffer_append(bytes, text, strlen(text) - 1, reader->error) != 0)
		return -1;
	if (found > 0 && append_asset(bytes, &asset, reader->error) != 0)
		return -1;
	if (anim_buffer_append_text(bytes, "}", reader->error) != 0 ||
	    anim_keys_add_text(keys, time_s, start, ANIM_HOLD, reader->error) != 0)
		return fault_again(reader, value);
	return 0;
}

static int read_pptr(struct clip_reading *reader, const struct curve_list *list, const struct unity_node *item)
{
	struct anim_keys keys = {.type = ANIM_STRING};
	struct anim_track track = {.kind = ANIM_DISCRETE};
	struct track_attrs attrs = {0};
	struct curve_name name;
	const struct unity_node *references = unity_get(item, "curve"), *key;
	int status = 0;

	(void)list;
	if (references != NULL && references->kind != UNITY_LIST && references->count + references->length > 0)
		return fault(reader, references, "the member 'curve' of a PPtr curve is not a list of keys");
	for (key = unity_items(references); key != NULL && status == 0; key = key->next) {
		float time_s = 0;

		status = get_float(reader, key, "time", &time_s);
		if (status == 0)
			status = append_reference(reader, unity_get(key, "value"), time_s, &keys);
	}
	if (status == 0)
		status = read_name(reader, item, true, &name);
	if (status == 0) {
		anim_keys_finish(&keys, &track);
		track.property = name.meaning.property;
		track.component = name.meaning.component;
		add_attr(&attrs, "literal", "PPtr");
		add_name_attrs(&attrs, &name);
		status = store_track(reader, item, unity_text(item, "path", ""), &track, &attrs);
	}
	anim_keys_clear(&keys);
	return status;
}

/* ---- AnimationEvents -> one track of JSON objects ---- */

static int read_event(struct clip_reading *reader, const struct curve_list *list, const struct unity_node *item)
{
	const struct unity_node *object = unity_get(item, "objectReferenceParameter");
	struct unity_event event = {.function = unity_text(item, "functionName", ""),
				    .data = unity_text(item, "data", "")};
	struct unity_reference reference = {0};
	struct anim_buffer *bytes = &reader->events.texts.bytes;
	size_t start = bytes->size;
	float time = 0;

	(void)list;

	/* Missing numbers are 0. */
	if (get_float(reader, item, "time", &time) != 0 ||
	    get_float(reader, item, "floatParameter", &event.number) != 0 ||
	    get_integer(reader, item, "intParameter", &event.integer) != 0 ||
	    get_integer(reader, item, "messageOptions", &event.options) != 0)
		return -1;
	if (unity_reference_read(object, &reference, reader->error) < 0 && fault_again(reader, object) < 0)
		return -1;
	event.file_id = reference.file_id;
	event.type = reference.type;
	event.guid = reference.guid[0] != '\0' ? reference.guid : NULL;
	if (unity_event_print(&event, bytes, reader->error) != 0)
		return -1;
	if (anim_keys_add_text(&reader->events, time, start, ANIM_HOLD, reader->error) != 0)
		return fault_again(reader, item);
	return 0;
}

/* ---- The lists ---- */

static const struct curve_list lists[] = {
    {"m_RotationCurves", true, read_whole, ANIM_FLOATQ, "rotation"},
    {"m_CompressedRotationCurves", true, read_compressed, ANIM_FLOATQ, "rotation"},
    {"m_EulerCurves", true, read_whole, ANIM_FLOAT3, "euler"},
    {"m_PositionCurves", true, read_whole, ANIM_FLOAT3, "position"},
    {"m_ScaleCurves", true, read_whole, ANIM_FLOAT3, "scale"},
    {"m_FloatCurves", true, read_float, ANIM_FLOAT, NULL},
    {"m_PPtrCurves", true, read_pptr, ANIM_STRING, NULL},
    {"m_EditorCurves", false, read_float, ANIM_FLOAT, NULL},
    {"m_Events", false, read_event, ANIM_STRING, NULL},
};

/* ---- Fields other than lists ---- */

#define START UNITY_SETTINGS ".m_StartTime"
#define STOP UNITY_SETTINGS ".m_StopTime"
#define LOOP UNITY_SETTINGS ".m_LoopTime"

#define PATH_BYTES_MAX 1024u /* ten times as long as any path of a Unity field */
#define FIELDS_MAX 4000u     /* attributes of the clip, a few fewer than a record may have */

#define TYPE_LEGACY 1 /* m_AnimationType of Unity 4 (2 is Mecanim, 3 humanoid) */

/* The names of the maps around a field and its own name, joined by dots. */
struct field_path {
	char text[PATH_BYTES_MAX + 1];
	size_t length;
};

static int keep_text(struct clip_reading *reader, const struct unity_node *node, const char *path, const char *text)
{
	struct anim_arena *arena = reader->options->arena;
	size_t count = reader->texts.size / sizeof(struct kept_field), length = strlen(text);
	struct kept_field kept = {.number = count};

	if (count >= FIELDS_MAX)
		return fault(reader, node, "more than %u fields", FIELDS_MAX);
	if (length > ANIM_TEXT_MAX)
		return fault(reader, node, "a field of more than 16 MiB of text");
	kept.path = anim_arena_text(arena, path, strlen(path), reader->error);
	kept.text = anim_arena_text(arena, text, length, reader->error);
	if (kept.path == NULL || kept.text == NULL)
		return -1;
	return anim_buffer_append(&reader->texts, &kept, sizeof kept, reader->error);
}

static bool is_flat(const struct unity_node *map)
{
	for (const struct unity_node *member = map->first; member != NULL; member = member->next)
		if (member->kind != UNITY_SCALAR)
			return false;
	return true;
}

/* Keep a scalar or a map of scalars as text, under its path. Lists are not kept. */
static int keep_field(struct clip_reading *reader, const struct unity_node *node, struct field_path *path)
{
	size_t length = path->length, dot = length > 0, added = strlen(node->key);
	const char *text = node->text;
	int result = 0;

	if (added > PATH_BYTES_MAX || length + dot + added > PATH_BYTES_MAX)
		return fault(reader, node, "the path of a field has more than %u bytes", PATH_BYTES_MAX);
	if (dot)
		path->text[length] = '.';
	memcpy(path->text + length + dot, node->key, added + 1);
	path->length += dot + added;
	if (node->kind == UNITY_MAP && (!is_flat(node) || strcmp(path->text, UNITY_SETTINGS) == 0)) {
		for (const struct unity_node *member = node->first; member != NULL && result >= 0;
		     member = member->next)
			result = keep_field(reader, member, path);
	} else if (node->kind == UNITY_SCALAR || node->kind == UNITY_MAP) {
		if (node->kind == UNITY_MAP)
			text = unity_flow_text(node, &reader->item, reader->error);
		result = text == NULL ? -1 : keep_text(reader, node, path->text, text);
	}
	path->length = length;
	path->text[length] = '\0';
	return result;
}

static int read_flag(struct clip_reading *reader, const struct unity_node *map, const char *key, bool *flag)
{
	int64_t number = *flag;

	if (get_integer(reader, map, key, &number) != 0)
		return -1;
	*flag = number != 0;
	return 0;
}

/* Read a time of the settings. A time that is not finite counts as missing. */
static int read_time(struct clip_reading *reader, const struct unity_node *settings, const char *key, float *time,
		     bool *has)
{
	float read = 0;

	if (get_float(reader, settings, key, &read) != 0)
		return -1;
	if (isfinite(read)) {
		*time = read;
		*has = unity_get(settings, key) != NULL;
		return 0;
	}
	return warn(reader, unity_get(settings, key), NULL,
		    "%s is not a finite time; the keys determine the length of the clip", key);
}

/* Read the number of one field. */
static int read_number(struct clip_reading *reader, const struct unity_node *fields, const char *name)
{
	struct clip_facts *facts = &reader->facts;
	int64_t type = 0;

	if (strcmp(name, "m_SampleRate") == 0)
		return get_float(reader, fields, name, &facts->rate_hz);
	if (strcmp(name, "m_WrapMode") == 0)
		return get_integer(reader, fields, name, &reader->clip->wrap);
	if (strcmp(name, "m_Legacy") == 0)
		return read_flag(reader, fields, name, &facts->legacy);
	if (strcmp(name, UNITY_VERSION) == 0) {
		int64_t version = 0;

		/* Keep the version of the clip only if its curves are written differently because of it. */
		if (get_integer(reader, fields, UNITY_VERSION, &version) != 0)
			return -1;
		return version < UNITY_VERSION_FLAGS ? 0
						     : keep_text(reader, fields, UNITY_VERSION, fields->first->text);
	}
	if (strcmp(name, "m_AnimationType") != 0)
		return 0;
	if (get_integer(reader, fields, name, &type) != 0)
		return -1;
	facts->legacy = type == TYPE_LEGACY;
	return facts->legacy ? keep_text(reader, fields, "m_Legacy", "1") : 0;
}

/* Read a field that is not a list. Returns 0, 1 after a fault, or -1. */
static int read_plain_field(struct clip_reading *reader, const struct unity_node *node)
{
	struct unity_node field = *node;
	const struct unity_node fields = {.kind = UNITY_MAP, .key = "", .text = "", .count = 1, .first = &field};
	struct field_path path = {.length = 0};

	field.next = NULL;
	reader->facts.has_first |= strcmp(node->key, "m_ObjectHideFlags") == 0;
	if (strcmp(node->key, "m_Name") == 0) {
		if (node->length > ANIM_NAME_MAX)
			return fault(reader, node, "a name of more than %u bytes", ANIM_NAME_MAX);
		reader->facts.name = anim_arena_text(reader->options->arena, node->text, node->length, reader->error);
		return reader->facts.name != NULL ? 0 : -1;
	}
	if (read_number(reader, &fields, node->key) < 0)
		return -1;
	if (unity_clip_field_is_foreign(node->key))
		return 0;
	if (strcmp(node->key, UNITY_SETTINGS) == 0) {
		struct clip_facts *facts = &reader->facts;
		static const struct {
			const char *key, *text;
		} effects[] = {
		    {"m_LoopBlend", "curves are read without blending the end into the start (loop pose)"},
		    {"m_CycleOffset", "curves are read without the offset of the cycle"},
		    {"m_Mirror", "curves are read without being mirrored by the engine"},
		};

		if (read_time(reader, node, "m_StartTime", &facts->start_s, &facts->has_start) != 0 ||
		    read_time(reader, node, "m_StopTime", &facts->stop_s, &facts->has_stop) != 0 ||
		    read_flag(reader, node, "m_LoopTime", &facts->loop_time) != 0)
			return -1;

		/* Report processing by the engine besides playing the curves. */
		for (size_t i = 0; i < ANIM_COUNT(effects); i++) {
			float value = 0;
			if (get_float(reader, node, effects[i].key, &value) != 0)
				return -1;
			if (value != 0 &&
			    say(reader, ANIM_NOTE, unity_get(node, effects[i].key), "clip", "%s", effects[i].text) != 0)
				return -1;
		}
	}
	return keep_field(reader, node, &path);
}

/* Return true if a writer restores the text of the field from the members of the head. */
static bool head_says(const struct clip_facts *facts, const struct anim_clip *head, const char *path)
{
	if (strcmp(path, "m_SampleRate") == 0)
		return head->rate_den != 0;
	if (strcmp(path, START) == 0)
		return facts->has_start && facts->start_s == head->start_s;
	if (strcmp(path, STOP) == 0)
		return facts->has_stop && facts->stop_s == head->end_s;
	return strcmp(path, LOOP) == 0 && facts->loop_time == (head->loop == ANIM_LOOP_WRAP);
}

static int compare_texts(const void *a, const void *b)
{
	const struct kept_field *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

/*
 * Make attributes of the texts that a writer needs, sorted by path. If a path has several, the last one is used.
 * Returns 0 or -1.
 */
static int fill_attrs(struct clip_reading *reader, struct anim_clip *head)
{
	struct kept_field *texts = (struct kept_field *)(void *)reader->texts.data;
	size_t count = reader->texts.size / sizeof *texts;
	struct anim_attr *items;

	if (count == 0)
		return 0;
	qsort(texts, count, sizeof *texts, compare_texts);
	items = anim_arena_zeroed(reader->options->arena, count, sizeof *items, reader->error);
	if (items == NULL)
		return -1;
	head->attrs.items = items;
	for (size_t i = 0; i < count; i++) {
		const char *path = texts[i].path;
		const struct unity_clip_field *field = unity_clip_field_find(path);

		/* no attribute for a text that the writer restores from the head, or that is the default */
		if ((i + 1 < count && strcmp(path, texts[i + 1].path) == 0) || head_says(&reader->facts, head, path) ||
		    (field != NULL && field->value != NULL && strcmp(field->value, texts[i].text) == 0))
			continue;
		items[head->attrs.count].key =
		    anim_arena_printf(reader->options->arena, reader->error, UNITY_ATTR_PREFIX "%s", path);
		items[head->attrs.count].value = texts[i].text;
		if (items[head->attrs.count++].key == NULL)
			return -1;
	}
	return 0;
}

static int make_head(struct clip_reading *reader)
{
	const struct unity_node document = {.line = reader->clip->line, .column = 1};
	const struct clip_facts *facts = &reader->facts;
	struct anim_arena *arena = reader->options->arena;
	struct anim_clip *head = &reader->clip->head;
	struct anim_attrs own;
	const char *name = facts->name, *text;
	bool cut = !facts->legacy && facts->has_stop && facts->stop_s > facts->start_s;

	*head = (struct anim_clip){.axes = ANIM_AXES_UNITY,
				   .axes2d = ANIM_AXES2D_UNITY,
				   .name = name != NULL && name[0] != '\0' ? name : reader->options->base_name,
				   .root = ".",
				   .source = "unity"};
	reader->clip->legacy = facts->legacy;

	/*
	 * Warn about a file that may be cut. UnityYAML has no end mark, so a file that was cut between two lines, or within
	 * a number, is still valid.
	 */
	if (!facts->has_any && !reader->clip->faulty) {
		if (warn(reader, &document, "clip", "a clip without fields; the file may be cut after its header") != 0)
			return -1;
	} else if (facts->has_first && !facts->has_last && !reader->clip->faulty) {
		if (warn(reader, &document, "clip", "no m_Events, which Unity writes last; the file may be cut") != 0)
			return -1;
	}

	/* Legacy clips last until their last key, others play the range in the settings. */
	head->start_s = facts->legacy ? 0 : facts->start_s;
	head->end_s = cut ? facts->stop_s : reader->last_s > head->start_s ? reader->last_s : head->start_s;
	if (!cut)
		head->flags = ANIM_END_DERIVED;
	head->loop = (uint8_t)(facts->legacy      ? unity_loop_of_wrap(reader->clip->wrap)
			       : facts->loop_time ? ANIM_LOOP_WRAP
						  : ANIM_LOOP_NONE);
	unity_rate_fraction(facts->rate_hz, &head->rate_num, &head->rate_den);

	if (fill_attrs(reader, head) != 0)
		return -1;
	for (unsigned i = 0; i < LISTS; i++) {
		const struct anim_buffer *nodes = &facts->nodes[i];

		if (nodes->size == 0 || nodes->size > ANIM_NAME_MAX)
			continue;
		own = head->attrs;
		text = anim_arena_text(arena, (const char *)nodes->data, nodes->size, reader->error);
		if (text == NULL ||
		    anim_attrs_with(&head->attrs, &own, node_lists[i].key, text, arena, reader->error) != 0)
			return -1;
	}
	own = head->attrs;
	if (!facts->has_flat || facts->has_solid || reader->clip->humanoid > 0)
		return 0;
	return anim_attrs_with(&head->attrs, &own, ANIM_ATTR_2D, "1", arena, reader->error);
}

/* ---- The clip ---- */

/* Skip data that the engine derives from other fields, and the editor's curves if the clip has its own. */
static bool is_wanted(void *context, const char *name)
{
	const struct clip_reading *reader = context;

	if (strcmp(name, "m_EditorCurves") == 0)
		return reader->curves == 0;
	return strcmp(name, "m_EulerEditorCurves") != 0 && strcmp(name, "m_ClipBindingConstant") != 0;
}

static int read_field(struct clip_reading *reader, const struct unity_field *field)
{
	const struct curve_list *list = NULL;

	for (size_t i = 0; i < ANIM_COUNT(lists) && list == NULL; i++)
		if (strcmp(lists[i].name, field->name) == 0)
			list = &lists[i];
	reader->facts.has_any = true;
	reader->facts.has_last |= strcmp(field->name, "m_Events") == 0;
	if (list == NULL)
		return field->is_item ? 0 : read_plain_field(reader, field->node);
	if (!field->is_item) {
		if (field->node->count == 0 && field->node->length == 0)
			return 0;
		return fault(reader, field->node, "%s is not a list", field->name);
	}
	reader->curves += list->is_curves;
	return list->read(reader, list, field->node);
}

/* Report an error in the syntax of the document at its own place. The rest of the document cannot be read. */
static int report_syntax(struct clip_reading *reader)
{
	const struct anim_error wrong = *reader->error;
	struct anim_place place = {
	    .file = wrong.file, .at = wrong.at, .line = wrong.line, .column = wrong.column, .offset = wrong.offset};

	if (!anim_error_is_of_input(&wrong))
		return -1;
	reader->clip->faulty = true;
	return anim_diagnostics_add(reader->options->diagnostics, ANIM_FAULT, &place, NULL, reader->error, "%s",
				    wrong.message);
}

int unity_clip_read(struct unity_file *file, const struct unity_document *document,
		    const struct unity_clip_options *options, struct unity_clip *clip, struct anim_error *error)
{
	struct clip_reading reader = {
	    .file = file, .options = options, .clip = clip, .error = error, .events.type = ANIM_STRING};
	/* The store requires a clip before its tracks. The caller replaces this head. */
	const struct anim_clip no_head = {
	    .axes = ANIM_AXES_UNITY, .axes2d = ANIM_AXES2D_UNITY, .name = "", .root = ".", .source = "unity"};
	struct anim_track events = {.kind = ANIM_DISCRETE, .property = "@event", .component = ANIM_WHOLE};
	const struct unity_node events_node = {.line = document->line, .column = 1};
	struct unity_field field;
	int result, got = 0;

	*clip =
	    (struct unity_clip){.id = document->id, .line = document->line, .clip = anim_store_clips(options->store)};
	result = anim_sink_clip(anim_store_sink(options->store), &no_head, error);
	unity_clip_want(file, is_wanted, &reader);
	while (result == 0 && (got = unity_clip_next(file, &reader.item, &field)) == 1) {
		result = read_field(&reader, &field) < 0 ? -1 : 0;
		anim_arena_reset(&reader.item);
	}
	if (result == 0 && got < 0)
		result = report_syntax(&reader);
	if (result == 0 && reader.events.n > 0 && !clip->faulty) {
		anim_keys_finish(&reader.events, &events);
		result = store_track(&reader, &events_node, "", &events, &(struct track_attrs){0}) < 0 ? -1 : 0;
	}
	if (result == 0)
		result = make_head(&reader);
	if (clip->faulty && anim_store_clips(options->store) > clip->clip)
		anim_store_drop_last(options->store);
	anim_arena_clear(&reader.item);
	anim_buffer_clear(&reader.texts);
	for (unsigned i = 0; i < LISTS; i++)
		anim_buffer_clear(&reader.facts.nodes[i]);
	anim_keys_clear(&reader.events);
	return result;
}
