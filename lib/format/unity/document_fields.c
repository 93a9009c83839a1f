/* document_fields.c: one document whole, or an AnimationClip's field by field. */
#include <string.h>

#include "format/unity/document_build.h"

static const struct unity_yaml_event nothing = {.type = UNITY_EVENT_SCALAR, .text = ""};

static int fault(struct unity_file *file, const struct unity_yaml_event *event, struct anim_error *error,
		 const char *message)
{
	anim_fail(error, ANIM_BAD_INPUT, "%s", message);
	return unity_fault_at(file, event->given, event->column, error);
}

/* Begins to read the document and goes to the type's name. 1; 0 where there is nothing; -1. */
static int begin(struct unity_file *file, struct unity_yaml_event *name, struct anim_error *error)
{
	struct unity_yaml_event event;
	int status;

	if (unity_yaml_events_begin(&file->events, unity_feed_give, &file->feed, error) != 0)
		return -1;
	status = unity_next_event(file, &event, error);
	if (status <= 0 || (event.type == UNITY_EVENT_SCALAR && event.length == 0 && !event.quoted))
		return status < 0 ? -1 : 0;
	if (event.type != UNITY_EVENT_MAP)
		return fault(file, &event, error, "an object that does not begin with its type's name");
	status = unity_next_event(file, name, error);
	if (status < 0)
		return -1;
	if (status == 0 || name->type != UNITY_EVENT_SCALAR)
		return fault(file, &event, error, "an object that does not begin with its type's name");
	return 1;
}

/* Behind the type's map nothing more may come. 0 or -1. */
static int finish(struct unity_file *file, struct anim_error *error)
{
	struct unity_yaml_event event;
	int status = unity_next_event(file, &event, error);

	if (status > 0 && event.type != UNITY_EVENT_MAP_END)
		return fault(file, &event, error, "more than one type in an object");
	while (status > 0)
		status = unity_next_event(file, &event, error);
	return status;
}

/* The field's or type's name, kept in file->field. 0 or -1. */
static int keep_name(struct unity_file *file, const struct unity_yaml_event *event, struct anim_error *error)
{
	if (event->type != UNITY_EVENT_SCALAR)
		return fault(file, event, error, "a key of a map that is no text");
	file->field.size = 0;
	if (anim_buffer_append(&file->field, event->text, event->length, error) != 0)
		return -1;
	return anim_buffer_append(&file->field, "", 1, error);
}

static const char *copy_name(const struct unity_file *file, struct anim_arena *arena, struct anim_error *error)
{
	return anim_arena_text(arena, (const char *)file->field.data, file->field.size - 1, error);
}

int unity_document_tree(struct unity_file *file, struct anim_arena *arena, const struct unity_node **root,
			struct anim_error *error)
{
	struct unity_yaml_event name = nothing, value = nothing;
	struct unity_node *node;
	const char *key;
	int status;

	if (file->stage != UNITY_AT_START)
		return anim_fail(error, ANIM_BAD_INPUT, "an object is read once");
	file->stage = UNITY_DONE;
	status = begin(file, &name, error);
	if (status < 0 || keep_name(file, &name, error) != 0)
		return -1;
	key = copy_name(file, arena, error);
	if (key == NULL || (status > 0 && unity_next_event(file, &value, error) < 0) ||
	    unity_build(file, arena, &value, key, false, &node, error) != 0)
		return -1;
	*root = node;
	return status > 0 ? finish(file, error) : 0;
}

void unity_clip_want(struct unity_file *file, bool (*wanted)(void *context, const char *name), void *context)
{
	file->wanted = wanted;
	file->wanted_context = context;
	file->entered = NULL;
	file->inside = false;
}

void unity_clip_enter(struct unity_file *file, const char *name)
{
	file->entered = name;
}

/* True where the value of the field at hand is not handed out, but what is in it. */
static bool enters(struct unity_file *file, const struct unity_yaml_event *value)
{
	if (value->type != UNITY_EVENT_MAP || file->entered == NULL || file->inside ||
	    strcmp((const char *)file->field.data, file->entered) != 0)
		return false;
	file->inside = true;
	return true;
}

/* True at the end of the fields; the end of those within one only leads out of it. */
static bool is_last(struct unity_file *file, const struct unity_yaml_event *event)
{
	return event->type == UNITY_EVENT_MAP_END && !file->inside;
}

/* Goes into the type's map of fields, if there is one. 0 or -1. */
static int enter(struct unity_file *file, struct anim_error *error)
{
	static const char type[] = "AnimationClip";
	struct unity_yaml_event name, value;
	int status = begin(file, &name, error);

	if (status <= 0)
		return status;
	if (file->document.class_id == 74 &&
	    (name.length != sizeof type - 1 || memcmp(name.text, type, sizeof type - 1) != 0))
		return fault(file, &name, error, "an object of class 74 that is not called AnimationClip");
	if (unity_next_event(file, &value, error) < 0)
		return -1;
	if (value.type == UNITY_EVENT_SCALAR && value.length == 0)
		return finish(file, error);
	if (value.type != UNITY_EVENT_MAP)
		return fault(file, &value, error, "an AnimationClip that is no map of fields");
	file->stage = UNITY_IN_FIELDS;
	return 0;
}

static int hand_out(struct unity_file *file, struct anim_arena *arena, const struct unity_yaml_event *event,
		    struct unity_field *field, struct anim_error *error)
{
	struct unity_node *node;

	field->name = copy_name(file, arena, error);
	if (field->name == NULL || unity_build(file, arena, event, field->name, true, &node, error) != 0)
		return -1;
	field->node = node;
	return 1;
}

/* An item of the list, or where there is none an end that leads back to the fields: 1, 0, -1. */
static int take_item(struct unity_file *file, struct anim_arena *arena, struct unity_field *field,
		     struct anim_error *error)
{
	struct unity_yaml_event event;
	int status = unity_next_event(file, &event, error);

	if (status <= 0)
		return status < 0 ? -1 : anim_fail(error, ANIM_BAD_INPUT, "not UnityYAML: it ends too early");
	if (event.type == UNITY_EVENT_LIST_END) {
		file->stage = UNITY_IN_FIELDS;
		return 0;
	}
	if (hand_out(file, arena, &event, field, error) < 0)
		return -1;
	file->stage = UNITY_IN_LIST;
	field->is_item = true;
	field->item = file->item++;
	return 1;
}

/* A list: its first item, or itself where it is empty. 1 or -1. */
static int take_list(struct unity_file *file, struct anim_arena *arena, const struct unity_yaml_event *event,
		     struct unity_field *field, struct anim_error *error)
{
	int status;

	file->item = 0;
	status = take_item(file, arena, field, error);
	if (status != 0)
		return status;
	field->name = copy_name(file, arena, error);
	if (field->name == NULL)
		return -1;
	field->node = unity_new_node(file, arena, event, field->name, error);
	return field->node == NULL ? -1 : 1;
}

/* Passes over the value of the field whose name the event was. 0 or -1. */
static int pass_field(struct unity_file *file, const struct unity_yaml_event *name, struct anim_error *error)
{
	struct unity_yaml_event value = nothing;

	if (unity_feed_skip(&file->feed, name->given, name->column, error) < 0 ||
	    unity_next_event(file, &value, error) < 0)
		return -1;
	return unity_drop(file, &value, error);
}

/* 1 a field or item, 0 there is no more, -1. */
static int take_field(struct unity_file *file, struct anim_arena *arena, struct unity_field *field,
		      struct anim_error *error)
{
	struct unity_yaml_event event;
	int status;

	while ((status = unity_next_event(file, &event, error)) > 0 && !is_last(file, &event)) {
		struct unity_yaml_event name = event;

		if (event.type == UNITY_EVENT_MAP_END) {
			file->inside = false;
			continue;
		}
		if (keep_name(file, &event, error) != 0)
			return -1;
		if (file->wanted != NULL && !file->wanted(file->wanted_context, (const char *)file->field.data)) {
			if (pass_field(file, &name, error) != 0)
				return -1;
			continue;
		}
		if (unity_next_event(file, &event, error) < 0)
			return -1;
		if (enters(file, &event))
			continue;
		if (event.type == UNITY_EVENT_LIST)
			return take_list(file, arena, &event, field, error);
		return hand_out(file, arena, &event, field, error);
	}
	return status > 0 ? finish(file, error) : status;
}

int unity_clip_next(struct unity_file *file, struct anim_arena *arena, struct unity_field *field,
		    struct anim_error *error)
{
	int status = 0;

	*field = (struct unity_field){0};
	unity_columns_release(&file->pool);
	if (file->stage == UNITY_AT_START) {
		file->stage = UNITY_DONE;
		status = enter(file, error);
	}
	if (file->stage == UNITY_IN_LIST)
		status = take_item(file, arena, field, error);
	if (status == 0 && file->stage == UNITY_IN_FIELDS)
		status = take_field(file, arena, field, error);
	if (status <= 0)
		file->stage = UNITY_DONE;
	return status;
}
