/* clip_bind.c: what a float or PPtr curve says of the property that it animates. */
#include "base/number.h"
#include "format/unity/clip_internal.h"

static void print_number(char text[ANIM_NUMBER_MAX + 1], int64_t number)
{
	text[anim_number_print_int64(text, number)] = '\0';
}

/* The reference of a script's curve as text, NULL where it is none. 0 or -1. */
static int read_script(struct unity_clip_reader *reader, const struct unity_node *item, const char **script)
{
	const struct unity_node *node = unity_get(item, "script");
	struct unity_reference reference;
	int status = unity_reference(node, &reference, reader->error);

	*script = NULL;
	if (status < 0)
		return unity_clip_fault_again(reader, node);
	if (status == 0 || reference.file_id == 0)
		return 0;
	*script = unity_flow_text(node, &reader->item, reader->error);
	return *script == NULL ? -1 : 0;
}

int unity_clip_name(struct unity_clip_reader *reader, const struct unity_node *item, bool reference,
		    struct unity_curve_name *name)
{
	int64_t class_id = 0, flags;

	name->attribute = unity_text(item, "attribute", "");
	if (unity_clip_integer(reader, item, "classID", &class_id) != 0 ||
	    read_script(reader, item, &name->script) != 0)
		return -1;
	flags = unity_default_flags(class_id, name->attribute);
	if (unity_clip_integer(reader, item, "flags", &flags) != 0)
		return -1;
	name->keep_flags = flags != unity_default_flags(class_id, name->attribute);
	print_number(name->class_id, class_id);
	print_number(name->flags, flags);
	return unity_name_read(class_id, name->attribute, reference, &name->meaning, &reader->item, reader->error);
}

void unity_track_attr_name(struct unity_track_attrs *attrs, const struct unity_curve_name *name)
{
	const struct unity_meaning *meaning = &name->meaning;

	if (meaning->order != NULL)
		unity_track_attr(attrs, "order", meaning->order);
	if (meaning->keep_attribute)
		unity_track_attr(attrs, UNITY_ATTR_ATTRIBUTE, name->attribute);
	if (meaning->keep_class)
		unity_track_attr(attrs, UNITY_ATTR_CLASS, name->class_id);
	if (name->keep_flags)
		unity_track_attr(attrs, UNITY_ATTR_FLAGS, name->flags);
	if (meaning->humanoid != NULL)
		unity_track_attr(attrs, UNITY_ATTR_HUMANOID, meaning->humanoid);
	if (name->script != NULL)
		unity_track_attr(attrs, UNITY_ATTR_SCRIPT, name->script);
}
