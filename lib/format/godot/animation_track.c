/* animation_track.c: a track's path, its keys that are rows of numbers, and the track itself -> a TRAK of the store. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/track.h"
#include "format/godot/animation.h"

/* ---- The NodePath of a track: node, property and component ---- */

/* What Godot calls a property, and what the model calls it. `euler` and `angle` are told apart by the type. */
struct property_name {
	const char *godot, *name;
};

static const struct property_name property_names[] = {
    {"translation", "position"},           {"quaternion", "rotation"},   {"transform/pos", "position"},
    {"transform/translation", "position"}, {"transform/scale", "scale"}, {"visibility/visible", "visible"},
};

/* Length of the path without colons at its end, which Blender's exporter writes. */
static size_t trimmed_length(const char *path)
{
	size_t length = strlen(path);

	while (length > 0 && path[length - 1] == ':')
		length--;
	return length;
}

static int copy_node(struct godot_target *target, const char *path, size_t length, struct anim_arena *arena,
		     struct anim_error *error)
{
	target->node = length == 0 ? "." : anim_arena_text(arena, path, length, error);
	return target->node != NULL ? 0 : -1;
}

/* True for `Path/Skeleton:Bone`. */
static bool path_is_bone(const char *path)
{
	const char *colon = strchr(path, ':');

	return colon != NULL && (size_t)(colon - path) < trimmed_length(path);
}

int godot_target_of_node(const char *path, const char *property, struct anim_arena *arena, struct godot_target *target,
			 struct anim_error *error)
{
	*target = (struct godot_target){.property = property, .component = ANIM_WHOLE};
	return copy_node(target, path, trimmed_length(path), arena, error);
}

/* Of a blend_shape track `Mesh:NAME`. 0 or -1. */
static int target_of_blend_shape(const char *path, struct anim_arena *arena, struct godot_target *target,
				 struct anim_error *error)
{
	size_t length = trimmed_length(path);
	const char *colon = memchr(path, ':', length);
	size_t node = colon != NULL ? (size_t)(colon - path) : length;
	size_t name = colon != NULL ? node + 1 : length;

	*target = (struct godot_target){.component = ANIM_WHOLE};
	target->property = anim_arena_printf(arena, error, "blend_shape/%.*s", (int)(length - name), path + name);
	return target->property != NULL ? copy_node(target, path, node, arena, error) : -1;
}

static bool is_one_number(enum anim_type type)
{
	return type == ANIM_FLOAT || type == ANIM_DOUBLE || type == ANIM_INT || type == ANIM_LONG;
}

/* The component that a subname of one letter means, or ANIM_WHOLE. */
static uint8_t component_of_letter(char letter)
{
	static const char letters[] = "xyzwrgba";
	const char *at = letter != '\0' ? strchr(letters, letter) : NULL;

	return (uint8_t)(at != NULL ? (at - letters) % 4 : (ptrdiff_t)ANIM_WHOLE);
}

/* Takes ":x" or ".x" off the end of a property whose values are numbers: the length that remains. */
static size_t split_component(const char *property, size_t length, struct godot_target *target)
{
	uint8_t component;

	if (length < 3 || (property[length - 2] != ':' && property[length - 2] != '.'))
		return length;
	component = component_of_letter(property[length - 1]);
	if (component == ANIM_WHOLE)
		return length;
	target->component = component;
	target->dotted = property[length - 2] == '.';
	return length - 2;
}

static bool equals(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* `rotation` and `rotation_degrees` are Euler angles in 3-D, one angle in 2-D; a quaternion stays `rotation`. */
static const char *rotation_name(enum anim_type type, bool degrees, struct godot_target *target)
{
	const char *name = NULL;

	if (type == ANIM_FLOAT3 || target->component != ANIM_WHOLE)
		name = "euler";
	else if (is_one_number(type))
		name = "angle";
	target->euler = name != NULL && name[0] == 'e';
	target->degrees = name != NULL && degrees;
	return name;
}

/* The canonical name of a property, or NULL where its own text stays. */
static const char *canonical_name(const char *text, size_t length, enum anim_type type, struct godot_target *target)
{
	if (equals(text, length, "rotation"))
		return rotation_name(type, false, target);
	if (equals(text, length, "rotation_degrees"))
		return rotation_name(type, true, target);
	/* Godot 2 turned the other way round, so the angle keeps its name; the unit is known. */
	if (equals(text, length, "transform/rot"))
		target->degrees = is_one_number(type);
	target->spatial = equals(text, length, "translation");
	for (size_t i = 0; i < ANIM_COUNT(property_names); i++)
		if (equals(text, length, property_names[i].godot))
			return property_names[i].name;
	return NULL;
}

int godot_target_of_property(const char *path, enum anim_type type, struct anim_arena *arena,
			     struct godot_target *target, struct anim_error *error)
{
	static const char shapes[] = "blend_shapes/";
	size_t length = trimmed_length(path);
	const char *colon = memchr(path, ':', length);
	size_t node = colon != NULL ? (size_t)(colon - path) : length;
	const char *text = path + (colon != NULL ? node + 1 : length);

	*target = (struct godot_target){.component = ANIM_WHOLE};
	if (copy_node(target, path, node, arena, error) != 0)
		return -1;
	length -= (size_t)(text - path);
	if (length >= sizeof shapes && memcmp(text, shapes, sizeof shapes - 1) == 0) {
		target->property = anim_arena_printf(arena, error, "blend_shape/%.*s",
						     (int)(length - (sizeof shapes - 1)), text + sizeof shapes - 1);
		return target->property != NULL ? 0 : -1;
	}
	if (is_one_number(type))
		length = split_component(text, length, target);
	target->property = canonical_name(text, length, type, target);
	if (target->property == NULL)
		target->property = anim_arena_text(arena, text, length, error);
	return target->property != NULL ? 0 : -1;
}

/* ---- The resources that a key's value names ---- */

static int dangles(struct godot_clip_reader *reader, const struct godot_value *value)
{
	const char *call = value->type == GODOT_EXT_RESOURCE   ? "ExtResource"
			   : value->type == GODOT_SUB_RESOURCE ? "SubResource"
							       : "Resource";
	struct anim_place place = reader->place;
	int status;

	reader->place = value->place;
	status = godot_warn(reader, "values name resources that are not there, which Godot does not load",
			    "%s(\"%.200s\") is not there; Godot does not load such a file", call, value->text.bytes);
	reader->place = place;
	return status;
}

/*
 * ExtResource("id") inside the value becomes Resource("uid", "path") where the file says what the
 * id is; a warning where what is named is not there. 0 or -1.
 */
static int check_references(struct godot_clip_reader *reader, struct godot_value *value)
{
	struct godot_value *items = value->items;
	size_t count = value->type == GODOT_DICTIONARY ? value->count * 2 : value->count;
	int missing;

	if (reader->externals == NULL)
		return 0;
	if (value->type == GODOT_ARRAY || value->type == GODOT_DICTIONARY) {
		for (size_t i = 0; i < count; i++)
			if (check_references(reader, &items[i]) != 0)
				return -1;
		return 0;
	}
	missing = godot_externals_resolve(reader->externals, value, reader->error);
	return missing > 0 ? dangles(reader, value) : missing;
}

/* ---- Arrays in all the forms that Godot takes them in ---- */

int godot_read_element(struct godot_clip_reader *reader, struct godot_value *value)
{
	anim_arena_reset(&reader->element);
	return godot_text_value(reader->text, &reader->element, value);
}

static int append_number(struct godot_clip_reader *reader, const struct godot_value *value, void *buffer)
{
	float number = (float)godot_to_double(value);

	return anim_buffer_append(buffer, &number, sizeof number, reader->error);
}

int godot_read_floats(struct godot_clip_reader *reader, struct anim_buffer *buffer)
{
	int status;

	buffer->size = 0;
	status = godot_text_floats(reader->text, &reader->element, buffer, &reader->spelling);
	if (status != 0)
		return status < 0 ? -1 : 0;
	return godot_read_elements(reader, append_number, buffer);
}

/* An array that is no "[": its elements from the value read whole. */
static int take_packed(struct godot_clip_reader *reader,
		       int (*take)(struct godot_clip_reader *, const struct godot_value *, void *), void *context)
{
	struct godot_value array, element;
	size_t count;

	if (godot_read_element(reader, &array) != 0)
		return -1;
	if (!godot_value_is_array(&array))
		return 1;
	count = godot_array_count(&array);
	for (size_t i = 0; i < count; i++) {
		godot_array_element(&array, i, &element);
		if (take(reader, &element, context) != 0)
			return -1;
	}
	return 0;
}

/* The first Name(...) in the value that no version of Godot knows, or NULL. */
static const struct godot_value *unknown_word(const struct godot_value *value)
{
	const struct godot_value *items = value->items, *found = NULL;
	size_t count = value->type == GODOT_DICTIONARY ? value->count * 2 : value->count;

	if (value->type == GODOT_ARRAY || value->type == GODOT_DICTIONARY) {
		for (size_t i = 0; i < count && found == NULL; i++)
			found = unknown_word(&items[i]);
		return found;
	}
	if (value->type != GODOT_OTHER)
		return NULL;
	return anim_text_is_word("Object RID Signal Callable Image InputEvent", value->text2.bytes) ? NULL : value;
}

/* Words that Godot refuses make the clip faulty; reading goes on. */
static int check_words(struct godot_clip_reader *reader, const struct godot_value *value)
{
	const struct godot_value *unknown = unknown_word(value);
	struct anim_place place = reader->place;
	int status;

	if (unknown == NULL)
		return 0;
	reader->place = unknown->place;
	status = godot_fault(reader, NULL, "unknown word '%.64s'", unknown->text2.bytes);
	reader->place = place;
	return status;
}

int godot_read_elements(struct godot_clip_reader *reader,
			int (*take)(struct godot_clip_reader *, const struct godot_value *, void *), void *context)
{
	struct godot_value value;
	int status = godot_text_array(reader->text);

	if (status < 0)
		return -1;
	if (status == 0)
		return take_packed(reader, take, context);
	while ((status = godot_text_array_next(reader->text)) == 1) {
		if (godot_read_element(reader, &value) != 0)
			return -1;
		if (check_words(reader, &value) != 0 || check_references(reader, &value) != 0 ||
		    take(reader, &value, context) != 0)
			return -1;
	}
	return status;
}

/* ---- Rows of numbers: position, rotation, scale, blend shape, transform, Bezier ---- */

/* A row of a 3-D track: time, transition, then the components of one or three values. */
#define ROW_HEAD 2
#define VALUES_MAX 3

/* The values of a row, each of which becomes a track. */
struct row_shape {
	struct row_value {
		uint8_t width; /* components; 0 behind the last */
		enum anim_type type;
		const char *property; /* NULL: the path tells the blend shape */
	} value[VALUES_MAX];
};

static const struct row_shape row_shapes[GODOT_TRACK_TYPE_COUNT] = {
    [GODOT_TRACK_POSITION] = {{{3, ANIM_FLOAT3, "position"}}},
    [GODOT_TRACK_ROTATION] = {{{4, ANIM_FLOATQ, "rotation"}}},
    [GODOT_TRACK_SCALE] = {{{3, ANIM_FLOAT3, "scale"}}},
    [GODOT_TRACK_BLEND_SHAPE] = {{{1, ANIM_FLOAT, NULL}}},
    [GODOT_TRACK_TRANSFORM] = {{{3, ANIM_FLOAT3, "position"}, {4, ANIM_FLOATQ, "rotation"}, {3, ANIM_FLOAT3, "scale"}}},
};

void godot_keys_reset(struct godot_track_keys *keys)
{
	keys->track = GODOT_NO_TRACK;
	keys->n = 0;
	keys->update = GODOT_CONTINUOUS;
	keys->raw.size = keys->time.size = keys->ease.size = keys->modes.size = 0;
	for (size_t i = 0; i < GODOT_COMPONENTS; i++)
		keys->component[i].size = 0;
	godot_column_reset(&keys->column);
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

/* Components first..first+width of every row of `stride` floats, packed. 0 or -1. */
static int take_components(const struct anim_buffer *raw, size_t n, size_t stride, size_t first, size_t width,
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
	const struct row_value *value = row_shapes[head->type].value;
	size_t stride = ROW_HEAD, count, component = ROW_HEAD, n;
	int status = godot_read_floats(reader, &keys->raw);

	if (status < 0)
		return -1;
	for (size_t i = 0; i < VALUES_MAX; i++)
		stride += value[i].width;
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
	if (take_components(&keys->raw, n, stride, 0, 1, &keys->time, reader->error) != 0 ||
	    take_components(&keys->raw, n, stride, 1, 1, &keys->ease, reader->error) != 0)
		return -1;
	for (size_t i = 0; i < VALUES_MAX && value[i].width > 0; component += value[i++].width)
		if (take_components(&keys->raw, n, stride, component, value[i].width, &keys->component[i],
				    reader->error) != 0)
			return -1;
	godot_keys_ease(keys);
	keys->n = n;
	return 0;
}

/* Columns of Bezier keys: value, then the handles' numbers in the order of the columns: in.y, out.y, in.x, out.x. */
static int split_points(struct godot_clip_reader *reader, size_t n)
{
	static const uint8_t order[GODOT_COMPONENTS] = {0, 2, 4, 1, 3};
	struct godot_track_keys *keys = &reader->keys;

	for (size_t i = 0; i < GODOT_COMPONENTS; i++)
		if (take_components(&keys->raw, n, GODOT_COMPONENTS, order[i], 1, &keys->component[i], reader->error) !=
		    0)
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
	int status = godot_text_dictionary(reader->text);

	while (status == 1 && (status = godot_text_dictionary_next(reader->text, &reader->element, &key)) == 1)
		if (read_bezier_entry(reader, &key, &seen) != 0)
			return -1;
	if (status < 0)
		return -1;
	times = keys->time.size / sizeof(float);
	points = keys->raw.size / sizeof(float);
	if ((seen & 3) == 3 && points == times * GODOT_COMPONENTS) {
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

/* ---- Head and keys -> TRAK ---- */

const char *const godot_track_type_names[GODOT_TRACK_TYPE_COUNT] = {
    "unknown",   "value",  "position_3d", "rotation_3d", "scale_3d",  "blend_shape",
    "transform", "bezier", "method",      "audio",       "animation",
};

#define ATTRS_MAX 9

/* What columns without keys point to. */
static const uint64_t nothing;

static const void *column_or_nothing(const struct anim_buffer *buffer)
{
	return buffer->size > 0 ? (const void *)buffer->data : (const void *)&nothing;
}

void godot_target_apply(const struct godot_target *target, struct anim_track *track, struct godot_track_notes *notes)
{
	track->node = target->node;
	track->property = target->property;
	track->component = target->component;
	if (target->degrees)
		track->flags |= ANIM_DEGREES;
	notes->order = target->euler;
	notes->spatial = target->spatial && target->component != ANIM_WHOLE;
}

int64_t godot_told_interp(const struct anim_track *track)
{
	if (track->kind == ANIM_DISCRETE)
		return GODOT_INTERP_LINEAR;
	switch (track->interp) {
	case ANIM_HOLD:
		return GODOT_INTERP_NEAREST;
	case ANIM_CUBIC_TIME:
	case ANIM_CUBIC_UNIFORM:
		return GODOT_INTERP_CUBIC;
	case ANIM_LINEAR_ANGLE:
		return GODOT_INTERP_LINEAR_ANGLE;
	case ANIM_CUBIC_ANGLE:
		return GODOT_INTERP_CUBIC_ANGLE;
	default:
		return GODOT_INTERP_LINEAR;
	}
}

/* Attributes in the order of their keys. `number` is room for the text of interp. */
static size_t fill_attrs(const struct godot_track_head *head, const struct anim_track *track,
			 const struct godot_track_notes *notes, char number[24], struct anim_attr *attrs)
{
	size_t count = 0;

	if (head->imported)
		attrs[count++] = (struct anim_attr){"godot.imported", "true"};
	if (godot_told_interp(track) != head->interp) {
		snprintf(number, 24, "%lld", (long long)head->interp);
		attrs[count++] = (struct anim_attr){"godot.interp", number};
	}
	if (notes->spatial)
		attrs[count++] = (struct anim_attr){"godot.property", "translation"};
	if (head->type != GODOT_TRACK_UNKNOWN)
		attrs[count++] = (struct anim_attr){"godot.type", godot_track_type_names[head->type]};
	if (notes->update != NULL)
		attrs[count++] = (struct anim_attr){"godot.update", notes->update};
	if (head->has_blend)
		attrs[count++] = (struct anim_attr){"godot.use_blend", head->use_blend ? "true" : "false"};
	if (notes->variant != NULL)
		attrs[count++] = (struct anim_attr){"godot.variant", notes->variant};
	if (notes->literal != NULL)
		attrs[count++] = (struct anim_attr){"literal", notes->literal};
	if (notes->order)
		attrs[count++] = (struct anim_attr){"order", "YXZ"};
	return count;
}

int godot_track_emit(struct godot_clip_reader *reader, const struct godot_track_head *head,
		     const struct godot_track_keys *keys, struct anim_track *track,
		     const struct godot_track_notes *notes)
{
	struct anim_attr attrs[ATTRS_MAX];
	char number[24];

	if (strlen(track->node) > ANIM_NAME_MAX || strlen(track->property) > ANIM_NAME_MAX)
		return godot_fault(reader, NULL, "a path of more than %u bytes", ANIM_NAME_MAX);
	/* Compressed keys are searched without the tolerance of others, and never round the end. */
	if (track->rules == ANIM_RULES_PLAIN && head->compressed < 0)
		track->rules = godot_generation(reader) >= 4 ? ANIM_RULES_GODOT4 : ANIM_RULES_GODOT3;
	track->flags |= (head->loop_wrap ? ANIM_LOOP_WRAP_KEYS : 0) | (head->disabled ? ANIM_DISABLED : 0);
	track->n = keys->n;
	track->time = column_or_nothing(&keys->time);
	if (!anim_times_are_sorted(track->time, track->n))
		track->flags |= ANIM_UNSORTED;
	if (track->kind == ANIM_CURVE && keys->ease.size > 0)
		track->ease = (const float *)(const void *)keys->ease.data;
	if (keys->modes.size > 0)
		track->hint = (const uint32_t *)(const void *)keys->modes.data;
	else if (track->kind == ANIM_DISCRETE && keys->ease.size > 0) /* bends nothing: an editor's note, as its bits */
		track->hint = (const uint32_t *)(const void *)keys->ease.data;
	if (track->type != ANIM_STRING && track->value == NULL)
		track->value = &nothing;
	track->attrs.items = attrs;
	track->attrs.count = fill_attrs(head, track, notes, number, attrs);
	if (anim_sink_track(anim_store_sink(reader->store), track, reader->error) != 0)
		return -1;
	reader->clip->tracks++;
	return 0;
}

/* The mode of keys that are rows of numbers. Angles are a mode of single floats; Godot blends vectors without. */
static uint8_t row_mode(struct godot_clip_reader *reader, const struct godot_track_head *head, enum anim_type type,
			enum anim_rules rules)
{
	bool old = rules == ANIM_RULES_GODOT3 || godot_generation(reader) < 4;

	switch (head->interp) {
	case GODOT_INTERP_LINEAR:
		return ANIM_LINEAR;
	case GODOT_INTERP_CUBIC:
		return old ? ANIM_CUBIC_UNIFORM : ANIM_CUBIC_TIME;
	case GODOT_INTERP_LINEAR_ANGLE:
		return old ? ANIM_HOLD : type == ANIM_FLOAT ? ANIM_LINEAR_ANGLE : ANIM_LINEAR;
	case GODOT_INTERP_CUBIC_ANGLE:
		return old ? ANIM_HOLD : type == ANIM_FLOAT ? ANIM_CUBIC_ANGLE : ANIM_CUBIC_TIME;
	default:
		return ANIM_HOLD;
	}
}

static int store_row_value(struct godot_clip_reader *reader, const struct godot_track_head *head,
			   const struct godot_track_keys *keys, size_t component, const struct row_value *value)
{
	struct godot_track_notes notes = {0};
	struct anim_track track = {
	    .kind = ANIM_CURVE, .type = value->type, .value = column_or_nothing(&keys->component[component])};
	struct godot_target target;
	int status;

	status = value->property == NULL
		     ? target_of_blend_shape(head->path, &reader->names, &target, reader->error)
		     : godot_target_of_node(head->path, value->property, &reader->names, &target, reader->error);
	if (status != 0)
		return -1;
	if (head->type == GODOT_TRACK_TRANSFORM) {
		track.rules = ANIM_RULES_GODOT3;
		/* Godot 3 plays such a track on a bone as a change of its rest, on a node as its transform. */
		track.flags = path_is_bone(head->path) ? ANIM_REST_RELATIVE : 0;
	}
	track.interp = row_mode(reader, head, value->type, track.rules);
	godot_target_apply(&target, &track, &notes);
	return godot_track_emit(reader, head, keys, &track, &notes);
}

static int store_rows(struct godot_clip_reader *reader, const struct godot_track_head *head,
		      struct godot_track_keys *keys)
{
	const struct row_value *value = row_shapes[head->type].value;

	for (size_t i = 0; i < VALUES_MAX && value[i].width > 0; i++)
		if (store_row_value(reader, head, keys, i, &value[i]) != 0)
			return -1;
	return 0;
}

static int store_bezier(struct godot_clip_reader *reader, const struct godot_track_head *head,
			struct godot_track_keys *keys)
{
	struct godot_track_notes notes = {0};
	struct anim_track track = {.kind = ANIM_CURVE, .type = ANIM_FLOAT, .interp = ANIM_BEZIER_2D};
	struct godot_target target;

	if (godot_target_of_property(head->path, ANIM_FLOAT, &reader->names, &target, reader->error) != 0)
		return -1;
	track.value = column_or_nothing(&keys->component[0]);
	track.left = column_or_nothing(&keys->component[1]);
	track.right = column_or_nothing(&keys->component[2]);
	track.left_x = column_or_nothing(&keys->component[3]);
	track.right_x = column_or_nothing(&keys->component[4]);
	godot_target_apply(&target, &track, &notes);
	return godot_track_emit(reader, head, keys, &track, &notes);
}

const struct godot_keys_reader godot_row_keys = {read_rows, store_rows};

const struct godot_keys_reader godot_bezier_keys = {read_bezier, store_bezier};
