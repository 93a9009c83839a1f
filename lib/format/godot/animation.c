/* animation.c: the properties of one Animation resource, and its table of tracks. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "format/godot/animation.h"

#define LENGTH_MIN_S 0.001f
#define LENGTH_DEFAULT_S 1.0f

__attribute__((format(printf, 4, 0))) static int say(struct godot_clip_reader *reader, enum anim_severity severity,
						     const char *many, const char *format, va_list args)
{
	char message[400];

	vsnprintf(message, sizeof message, format, args);
	return anim_losses_add(reader->losses, severity, &reader->place, many, reader->error, "%s", message);
}

int godot_warn(struct godot_clip_reader *reader, const char *many, const char *format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = say(reader, ANIM_WARNING, many, format, args);
	va_end(args);
	return result;
}

int godot_fault(struct godot_clip_reader *reader, const char *many, const char *format, ...)
{
	va_list args;
	int result;

	reader->faulty = true;
	va_start(args, format);
	result = say(reader, ANIM_FAULT, many, format, args);
	va_end(args);
	return result;
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

/* Stores the tracks below `end` that have not been; those whose keys never came are empty. */
static int store_below(struct godot_clip_reader *reader, size_t end)
{
	struct anim_place place = reader->place;

	for (; reader->stored < end; reader->stored++) {
		struct godot_track_head *head = head_at(reader, reader->stored);

		if (head->compressed >= 0) {
			reader->place = head->place;
			if (godot_decode_compressed(reader, head) != 0)
				return -1;
		} else if (reader->keys.track != reader->stored) {
			godot_keys_reset(&reader->keys);
		}
		if (godot_track_store(reader, head, &reader->keys) != 0)
			return -1;
		reader->keys.track = GODOT_NO_TRACK;
	}
	reader->place = place;
	return 0;
}

/* A track is made by its type, when it is the next. */
static int add_track(struct godot_clip_reader *reader)
{
	struct godot_track_head head = {
	    .place = reader->place, .path = "", .interp = GODOT_INTERP_LINEAR, .compressed = -1, .loop_wrap = true};
	struct godot_value value;
	const char *name;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	name = godot_to_text(&value);
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
	struct godot_value value;
	const char *path;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	path = godot_to_text(&value);
	head->path = anim_arena_text(reader->arena, path, strlen(path), reader->error);
	return head->path != NULL ? 0 : -1;
}

static int set_interp(struct godot_clip_reader *reader, struct godot_track_head *head)
{
	struct godot_value value;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	head->interp = godot_to_int(&value);
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
	struct godot_value value;
	int64_t number;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	number = godot_to_int(&value);
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

static int set_keys(struct godot_clip_reader *reader, size_t track)
{
	if (store_below(reader, track) != 0 || godot_read_keys(reader, head_at(reader, track)) != 0)
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
	struct godot_value value;
	int64_t mode;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	mode = godot_to_int(&value);
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
	struct godot_value value;
	const char *name;

	if (godot_read_element(reader, &value) != 0)
		return -1;
	name = godot_to_text(&value);
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

static int read_property(struct godot_clip_reader *reader, const char *name)
{
	static const struct {
		const char *name;
		int (*read)(struct godot_clip_reader *);
	} properties[] = {
	    {"length", read_length},         {"loop", read_loop},
	    {"loop_mode", read_loop_mode},   {"step", read_step},
	    {"resource_name", read_name},    {"resource/name", read_name},
	    {"markers", godot_read_markers}, {"_compression", godot_read_compression},
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

	while ((status = godot_text_property(reader->text, &name, &reader->place, reader->error)) == 1)
		if (read_property(reader, name) != 0)
			return -1;
	if (status < 0 || store_below(reader, track_count(reader)) != 0)
		return -1;
	reader->clip->is_godot2 = godot_generation(reader) == 2;
	reader->clip->is_godot3 = godot_generation(reader) == 3;
	return godot_marker_store(reader);
}

static void clear(struct godot_clip_reader *reader)
{
	anim_arena_clear(&reader->element);
	anim_arena_clear(&reader->names);
	anim_buffer_clear(&reader->heads);
	godot_keys_clear(&reader->keys);
	godot_keys_clear(&reader->marker);
	anim_arena_clear(&reader->compression.arena);
	anim_buffer_clear(&reader->compression.bounds);
	anim_buffer_clear(&reader->compression.pages);
}

int godot_animation_read(struct godot_text *text, struct godot_externals *externals, bool is_godot3_file,
			 struct anim_store *store, struct anim_losses *losses, struct anim_arena *arena,
			 struct godot_animation *clip, struct anim_error *error)
{
	struct godot_clip_reader reader = {.text = text,
					   .externals = externals,
					   .store = store,
					   .losses = losses,
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
