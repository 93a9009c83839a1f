/* animation_value.c: value tracks. */
#include <string.h>

#include "format/godot/animation_internal.h"

static int take_value(struct godot_clip_reader *reader, const struct godot_value *value, void *column)
{
	return godot_column_add(column, value, reader->error);
}

#define SAW_TIMES 1u
#define SAW_VALUES 2u
#define SAW_UPDATE 4u

/* `cont` is Godot 2's oldest spelling; `update` outweighs it. */
static int read_update(struct godot_clip_reader *reader, bool cont, unsigned *seen)
{
	struct godot_value value;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	if (cont) {
		reader->saw_cont = true;
		if ((*seen & SAW_UPDATE) == 0)
			reader->keys.update = godot_to_bool(&value) ? GODOT_CONTINUOUS : GODOT_DISCRETE;
		return 0;
	}
	*seen |= SAW_UPDATE;
	reader->keys.update = godot_to_int(&value);
	if (reader->keys.update < 0)
		reader->keys.update = 0;
	if (reader->keys.update > 3)
		reader->keys.update = 3;
	return 0;
}

/* One entry of the dictionary, the cursor at its value. */
static int read_entry(struct godot_clip_reader *reader, const struct godot_value *key, unsigned *seen)
{
	struct godot_track_keys *keys = &reader->keys;

	if (godot_string_is(&key->text, "times")) {
		*seen |= SAW_TIMES;
		return godot_read_floats(reader, &keys->time) < 0 ? -1 : 0;
	}
	if (godot_string_is(&key->text, "transitions"))
		return godot_read_floats(reader, &keys->ease) < 0 ? -1 : 0;
	if (godot_string_is(&key->text, "values")) {
		*seen |= SAW_VALUES;
		godot_column_reset(&keys->column);
		return godot_read_elements(reader, take_value, &keys->column) < 0 ? -1 : 0;
	}
	if (godot_string_is(&key->text, "update") || godot_string_is(&key->text, "cont"))
		return read_update(reader, key->text.bytes[0] == 'c', seen);
	return 0;
}

/* As Godot: without both arrays, or with arrays of different sizes, there are no keys; bad transitions alone do no harm. */
static int settle(struct godot_clip_reader *reader, const struct godot_track_head *head, unsigned seen)
{
	struct godot_track_keys *keys = &reader->keys;
	size_t times = keys->time.size / sizeof(float), values = keys->column.n,
	       eases = keys->ease.size / sizeof(float);

	if ((seen & SAW_TIMES) == 0 || (seen & SAW_VALUES) == 0 || times != values) {
		keys->time.size = keys->ease.size = 0;
		godot_column_reset(&keys->column);
		if ((seen & (SAW_TIMES | SAW_VALUES)) != (SAW_TIMES | SAW_VALUES))
			return godot_warn(reader,
					  "tracks without 'times' and 'values' are left empty, as Godot leaves them",
					  "%s: the keys have no '%s'; none is read, as in Godot",
					  godot_head_label(head), (seen & SAW_TIMES) == 0 ? "times" : "values");
		return godot_warn(reader, "tracks with unequal numbers of times and values are left empty, as in Godot",
				  "%s: %zu times but %zu values; no key is read, as in Godot", godot_head_label(head),
				  times, values);
	}
	keys->n = times;
	if (eases != 0 && eases != times) {
		keys->ease.size = 0;
		return godot_warn(reader,
				  "tracks with a wrong number of transitions are read without them, as in Godot",
				  "%s: %zu times but %zu transitions; these are not read, as in Godot",
				  godot_head_label(head), times, eases);
	}
	godot_keys_ease(keys);
	return 0;
}

int godot_read_value_keys(struct godot_clip_reader *reader, const struct godot_track_head *head)
{
	struct godot_value key;
	unsigned seen = 0;
	int status = godot_text_dictionary(reader->text, reader->error);

	if (status < 0)
		return -1;
	if (status == 0)
		return godot_warn(reader, "tracks without 'times' and 'values' are left empty, as Godot leaves them",
				  "%s: the keys are no dictionary; none is read, as in Godot", godot_head_label(head));
	for (;;) {
		anim_arena_reset(&reader->element);
		status = godot_text_dictionary_next(reader->text, &reader->element, &key, reader->error);
		if (status <= 0)
			break;
		if (read_entry(reader, &key, &seen) != 0)
			return -1;
	}
	return status < 0 ? -1 : settle(reader, head, seen);
}

/* The stream's mode for what the file's number means to this engine; text and values that do not blend are held. */
static enum anim_interp curve_mode(int generation, int64_t interp, enum anim_type type, const char *literal)
{
	bool angle = generation >= 4 && (type == ANIM_FLOAT || type == ANIM_DOUBLE);

	if (interp <= GODOT_INTERP_NEAREST ||
	    interp > (generation >= 4 ? GODOT_INTERP_CUBIC_ANGLE : GODOT_INTERP_CUBIC))
		return ANIM_HOLD;
	if (literal != NULL && strcmp(literal, "StringName") != 0)
		return ANIM_HOLD;
	if (type == ANIM_STRING || interp == GODOT_INTERP_LINEAR)
		return ANIM_LINEAR;
	if (interp == GODOT_INTERP_LINEAR_ANGLE)
		return angle ? ANIM_LINEAR_ANGLE : ANIM_LINEAR;
	if (interp == GODOT_INTERP_CUBIC_ANGLE && angle)
		return ANIM_CUBIC_ANGLE;
	return generation >= 4 ? ANIM_CUBIC_TIME : ANIM_CUBIC_UNIFORM;
}

/* Kind, mode and the attribute that tells an update mode which these do not tell. */
static void set_mode(struct godot_clip_reader *reader, const struct godot_track_head *head,
		     const struct godot_track_keys *keys, struct anim_track *track, struct godot_track_notes *notes)
{
	int generation = godot_generation(reader);
	bool trigger = generation < 4 && keys->update == GODOT_TRIGGER_3;

	track->kind = keys->update == GODOT_DISCRETE || trigger ? ANIM_DISCRETE : ANIM_CURVE;
	if (track->kind == ANIM_CURVE)
		track->interp = (uint8_t)curve_mode(generation, head->interp, track->type, notes->literal);
	if (trigger)
		notes->update = "trigger";
	else if (keys->update == (generation < 4 ? GODOT_CAPTURE_3 : GODOT_CAPTURE_4))
		notes->update = "capture";
	else if (keys->update == 3)
		notes->update = "3";
}

/* Values that Godot blends and the stream cannot: told once for all tracks. */
static int warn_of_held(struct godot_clip_reader *reader, const struct godot_track_head *head,
			const struct godot_track_keys *keys, const struct anim_track *track, const char *literal)
{
	if (literal == NULL || !keys->column.blends || track->kind == ANIM_DISCRETE || track->interp != ANIM_HOLD ||
	    head->interp <= GODOT_INTERP_NEAREST)
		return 0;
	if (strcmp(literal, "mixed") == 0)
		return godot_warn(reader,
				  "tracks with values of several types, which Godot interpolates in part, are held",
				  "%s: values of several types are held, where Godot interpolates between some of them",
				  godot_head_label(head));
	return godot_warn(reader, "tracks of arrays, which Godot interpolates, are held",
			  "%s: arrays are held, where Godot interpolates them", godot_head_label(head));
}

/* An AABB leaves as two tracks, `P:position` and `P:size`. */
static int store_boxes(struct godot_clip_reader *reader, const struct godot_track_head *head,
		       struct godot_track_keys *keys, struct anim_track *track, const struct godot_track_notes *notes)
{
	static const char *const parts[] = {":position", ":size"};
	const char *base = track->property;
	const float *from = (const float *)(const void *)keys->column.values.data;
	size_t length = strlen(base);

	for (size_t part = 0; part < 2; part++) {
		char *name = anim_arena_alloc(&reader->names, length + sizeof ":position", reader->error);
		float *to;

		keys->lane[0].size = 0;
		to = anim_buffer_extend(&keys->lane[0], keys->n * 3 * sizeof *to, reader->error);
		if (name == NULL || to == NULL)
			return -1;
		memcpy(name, base, length);
		memcpy(name + length, parts[part], strlen(parts[part]) + 1);
		for (size_t i = 0; i < keys->n; i++)
			memcpy(to + 3 * i, from + 6 * i + 3 * part, 3 * sizeof *to);
		track->property = name;
		track->value = to;
		if (godot_track_emit(reader, head, keys, track, notes) != 0)
			return -1;
	}
	return 0;
}

int godot_value_store(struct godot_clip_reader *reader, const struct godot_track_head *head,
		      struct godot_track_keys *keys)
{
	struct godot_column *column = &keys->column;
	struct godot_track_notes notes = {.variant = godot_column_variant(column),
					  .literal = column->literal ? column->literal_name : NULL};
	struct anim_track track = {.type = godot_column_finish(column)};
	struct anim_strings strings;
	struct godot_target target;

	if (godot_target_of_property(head->path, track.type, &reader->names, &target, reader->error) != 0)
		return -1;
	if (target.dotted &&
	    godot_warn(reader, "paths with '.x' are read as the component ':x'",
		       "%s: its end is read as a component, which Godot spells ':x'", godot_head_label(head)) != 0)
		return -1;
	set_mode(reader, head, keys, &track, &notes);
	if (warn_of_held(reader, head, keys, &track, notes.literal) != 0)
		return -1;
	godot_target_apply(&target, &track, &notes);
	if (track.type == ANIM_STRING) {
		anim_texts_view(&column->texts, &strings);
		track.strings = &strings;
	} else {
		track.value = column->values.data;
	}
	if (column->n > 0 && column->kind == GODOT_AABB && !column->literal)
		return store_boxes(reader, head, keys, &track, &notes);
	return godot_track_emit(reader, head, keys, &track, &notes);
}
