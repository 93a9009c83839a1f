/* fields.c: the tables of fields, and the elements of columns. */
#include "format/fields.h"

#include <string.h>

#include "base/limits.h"
#include "stream/record.h"

#define MEMBER(type, member) .offset = offsetof(struct type, member), .size = sizeof(((struct type *)NULL)->member)

const struct record_field record_prog_fields[] = {
    {"program", RECORD_FIELD_TEXT, MEMBER(anim_prog, program)},
    {"version", RECORD_FIELD_TEXT, MEMBER(anim_prog, version)},
    {"attributes", RECORD_FIELD_ATTRS, MEMBER(anim_prog, attrs)},
    {.name = NULL},
};

const struct record_field record_tree_fields[] = {
    {"root", RECORD_FIELD_TEXT, MEMBER(anim_tree, root_name)},
    {"source", RECORD_FIELD_TEXT, MEMBER(anim_tree, source_file)},
    {"axes", RECORD_FIELD_WORD, MEMBER(anim_tree, axes), anim_axes_names, ANIM_AXES_COUNT},
    {"axes2d", RECORD_FIELD_WORD, MEMBER(anim_tree, axes2d), anim_axes2d_names, ANIM_AXES2D_COUNT},
    {"attributes", RECORD_FIELD_ATTRS, MEMBER(anim_tree, attrs)},
    {.name = NULL},
};

const struct record_field record_node_fields[] = {
    {"path", RECORD_FIELD_TEXT, MEMBER(anim_node, path), .required = true},
    {"type", RECORD_FIELD_TEXT, MEMBER(anim_node, type)},
    {"kind", RECORD_FIELD_WORD, MEMBER(anim_node, kind), anim_node_kind_names, ANIM_NODE_KIND_COUNT},
    {"has", RECORD_FIELD_BITS, MEMBER(anim_node, has), anim_node_has_names, ANIM_NODE_HAS_COUNT},
    {"parent", RECORD_FIELD_NATURAL, MEMBER(anim_node, parent), .none = ANIM_NO_PARENT},
    {"position", RECORD_FIELD_FLOATS, MEMBER(anim_node, position)},
    {"rotation", RECORD_FIELD_FLOATS, MEMBER(anim_node, rotation)},
    {"scale", RECORD_FIELD_FLOATS, MEMBER(anim_node, scale)},
    {"attributes", RECORD_FIELD_ATTRS, MEMBER(anim_node, attrs)},
    {.name = NULL},
};

const struct record_field record_clip_fields[] = {
    {"name", RECORD_FIELD_TEXT, MEMBER(anim_clip, name)},
    {"root", RECORD_FIELD_TEXT, MEMBER(anim_clip, root)},
    {"source", RECORD_FIELD_TEXT, MEMBER(anim_clip, source)},
    {"start", RECORD_FIELD_FLOATS, MEMBER(anim_clip, start_s)},
    {"end", RECORD_FIELD_FLOATS, MEMBER(anim_clip, end_s), .required = true},
    {"loop", RECORD_FIELD_WORD, MEMBER(anim_clip, loop), anim_loop_names, ANIM_LOOP_COUNT},
    {"axes", RECORD_FIELD_WORD, MEMBER(anim_clip, axes), anim_axes_names, ANIM_AXES_COUNT},
    {"axes2d", RECORD_FIELD_WORD, MEMBER(anim_clip, axes2d), anim_axes2d_names, ANIM_AXES2D_COUNT},
    {"flags", RECORD_FIELD_BITS, MEMBER(anim_clip, flags), anim_clip_flag_names, ANIM_CLIP_FLAG_COUNT},
    {"rate", RECORD_FIELD_RATE, MEMBER(anim_clip, rate_num)},
    {"attributes", RECORD_FIELD_ATTRS, MEMBER(anim_clip, attrs)},
    {.name = NULL},
};

const struct record_field record_track_fields[] = {
    {"node", RECORD_FIELD_TEXT, MEMBER(anim_track, node)},
    {"property", RECORD_FIELD_TEXT, MEMBER(anim_track, property), .required = true},
    {"component", RECORD_FIELD_NATURAL, MEMBER(anim_track, component), .none = ANIM_WHOLE},
    {"kind", RECORD_FIELD_WORD, MEMBER(anim_track, kind), anim_kind_names, ANIM_CURVE + 1, .required = true},
    {"type", RECORD_FIELD_TYPE, MEMBER(anim_track, type), .required = true},
    {"rules", RECORD_FIELD_WORD, MEMBER(anim_track, rules), anim_rules_names, ANIM_RULES_COUNT},
    {"flags", RECORD_FIELD_BITS, MEMBER(anim_track, flags), anim_track_flag_names, ANIM_TRACK_FLAG_COUNT},
    {"before", RECORD_FIELD_WORD, MEMBER(anim_track, pre), anim_extrapolation_names, ANIM_EXTRAPOLATION_COUNT},
    {"after", RECORD_FIELD_WORD, MEMBER(anim_track, post), anim_extrapolation_names, ANIM_EXTRAPOLATION_COUNT},
    {"interp", RECORD_FIELD_INTERP, MEMBER(anim_track, interp)},
    {"keys", RECORD_FIELD_KEYS, MEMBER(anim_track, n)},
    {"start", RECORD_FIELD_DOUBLE, MEMBER(anim_track, start_s), .of_raw = true},
    {"step", RECORD_FIELD_DOUBLE, MEMBER(anim_track, step_s), .of_raw = true},
    {"rate", RECORD_FIELD_RATE, MEMBER(anim_track, rate_num), .of_raw = true},
    {"attributes", RECORD_FIELD_ATTRS, MEMBER(anim_track, attrs)},
    {"columns", RECORD_FIELD_COLUMNS, .required = true},
    {.name = NULL},
};

uint64_t record_field_number(const struct record_field *field, const void *record)
{
	uint64_t number = 0;

	memcpy(&number, (const char *)record + field->offset, field->size); /* little-endian, like the whole stream */
	return number;
}

const char *record_field_word(const struct record_field *field, const void *record)
{
	uint64_t number = record_field_number(field, record);

	if (field->kind == RECORD_FIELD_WORD)
		return field->names[number];
	if (field->kind == RECORD_FIELD_TYPE)
		return anim_types[number].name;
	return number == ANIM_INTERP_COLUMN ? NULL : anim_interp_names[number];
}

void record_field_set(const struct record_field *field, void *record, uint64_t number)
{
	memcpy((char *)record + field->offset, &number, field->size);
}

struct record_element record_element_of(enum anim_column column, enum anim_type type)
{
	const struct anim_type_info *info = &anim_types[type];

	switch (column) {
	case ANIM_COLUMN_VALUE:
	case ANIM_COLUMN_LEFT:
	case ANIM_COLUMN_RIGHT:
		if (type == ANIM_STRING)
			return (struct record_element){.kind = RECORD_ELEMENT_TEXT};
		return (struct record_element){RECORD_ELEMENT_NUMBERS, type, info->components, 0, info->size};
	case ANIM_COLUMN_LEFT_X:
	case ANIM_COLUMN_RIGHT_X:
		return (struct record_element){RECORD_ELEMENT_NUMBERS, ANIM_FLOAT, info->components, 0,
					       info->components * sizeof(float)};
	case ANIM_COLUMN_TIME:
	case ANIM_COLUMN_EASE:
		return (struct record_element){RECORD_ELEMENT_NUMBERS, ANIM_FLOAT, 1, 0, sizeof(float)};
	case ANIM_COLUMN_INTERP:
		return (struct record_element){.kind = RECORD_ELEMENT_INTERP, .size = 1};
	case ANIM_COLUMN_WEIGHTED:
		return (struct record_element){.kind = RECORD_ELEMENT_NATURAL, .most = 3, .size = 1};
	default:
		return (struct record_element){.kind = RECORD_ELEMENT_NATURAL, .most = UINT32_MAX, .size = 4};
	}
}
