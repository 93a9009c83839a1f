/* animation_reference.c: the resources that a key's value names. */
#include <string.h>

#include "format/godot/animation_internal.h"

static int dangles(struct godot_clip_reader *reader, const struct godot_value *value, const char *call)
{
	struct anim_place place = reader->place;
	int status;

	reader->place = value->place;
	status = godot_warn(reader, "values name resources that are not there, which Godot does not load",
			    "%s(\"%.200s\") is not there; Godot does not load such a file", call, value->text.bytes);
	reader->place = place;
	return status;
}

/* ExtResource("id") becomes Resource("uid", "path") where the file says what the id is. */
static int resolve_external(struct godot_clip_reader *reader, struct godot_value *value)
{
	const char *uid = NULL, *type = NULL;
	const char *path = godot_external_path(reader->externals, value->text.bytes, value->text.length, &uid, &type);

	if (path == NULL)
		return dangles(reader, value, "ExtResource");
	value->type = GODOT_RESOURCE;
	value->text = (struct godot_string){path, strlen(path)};
	value->text2 = uid != NULL ? (struct godot_string){uid, strlen(uid)} : (struct godot_string){"", 0};
	return 0;
}

/* With a uid the engine may know where the file has moved to. */
static int check_file(struct godot_clip_reader *reader, const struct godot_value *value)
{
	int missing;

	if (value->text2.length > 0)
		return 0;
	missing = godot_external_is_missing(reader->externals, &value->text, reader->error);
	return missing > 0 ? dangles(reader, value, "Resource") : missing;
}

int godot_check_references(struct godot_clip_reader *reader, struct godot_value *value)
{
	struct godot_value *items = value->items;
	size_t count = value->type == GODOT_DICTIONARY ? value->count * 2 : value->count;

	if (reader->externals == NULL)
		return 0;
	switch (value->type) {
	case GODOT_ARRAY:
	case GODOT_DICTIONARY:
		for (size_t i = 0; i < count; i++)
			if (godot_check_references(reader, &items[i]) != 0)
				return -1;
		return 0;
	case GODOT_EXT_RESOURCE:
		return resolve_external(reader, value);
	case GODOT_SUB_RESOURCE:
		return godot_external_has_sub(reader->externals, &value->text) ? 0
									       : dangles(reader, value, "SubResource");
	case GODOT_RESOURCE:
		return check_file(reader, value);
	default:
		return 0;
	}
}
