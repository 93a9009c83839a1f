/* document.c: read a document of a Unity text file with libfyaml, completely or by fields. */
#include "format/unity/file.h"

#include <libfyaml.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"

/* ---- libfyaml's reading of the text ---- */

static void drop_held(struct unity_yaml_events *events)
{
	if (events->held != NULL)
		fy_parser_event_free(events->parser, events->held);
	events->held = NULL;
}

void unity_yaml_events_clear(struct unity_yaml_events *events)
{
	drop_held(events);
	if (events->parser != NULL)
		fy_parser_destroy(events->parser);
	if (events->faults != NULL)
		fy_diag_destroy(events->faults);
	anim_buffer_clear(&events->text);
	*events = (struct unity_yaml_events){0};
}

static void set_place(struct unity_yaml_event *event, struct fy_token *token)
{
	const struct fy_mark *mark = token == NULL ? NULL : fy_token_start_mark(token);

	if (mark == NULL)
		return;
	event->given = (uint32_t)mark->line;
	event->column = (uint32_t)mark->column;
}

static int grammar_fault(struct unity_yaml_events *events, struct unity_yaml_event *event, struct anim_error *error)
{
	void *at = NULL;
	const struct fy_diag_error *first = fy_diag_errors_iterate(events->faults, &at);

	events->failed = true;
	/* libfyaml has no message if it is out of memory. */
	if (first == NULL || first->msg == NULL)
		return anim_fail_memory(error);
	if (first->line > 0) {
		event->given = (uint32_t)first->line - 1;
		event->column = first->column > 0 ? (uint32_t)first->column - 1 : 0;
	}
	return anim_fail(error, ANIM_BAD_INPUT, "not UnityYAML: %s", first->msg);
}

/* Return the text of a token, or NULL if out of memory. libfyaml then gives an empty text. */
static const char *text_of(struct fy_token *token, size_t *length, struct anim_error *error)
{
	const char *text = fy_token_get_text(token, length);

	if (text != NULL && (*length > 0 || fy_token_get_text_length(token) == 0))
		return text;
	anim_fail_memory(error);
	return NULL;
}

/* Append the mark and the text of the token. Returns 0 or -1. */
static int put_prefix(struct unity_yaml_events *events, const char *mark, struct fy_token *token,
		      struct anim_error *error)
{
	size_t length = 0;
	const char *text = text_of(token, &length, error);

	if (text == NULL)
		return -1;
	if (length > 0 && *mark == *text)
		mark = "";
	if (anim_buffer_append(&events->text, mark, strlen(mark), error) != 0)
		return -1;
	return anim_buffer_append(&events->text, text, length, error);
}

static int set_scalar(struct unity_yaml_events *events, const struct fy_event *from, struct unity_yaml_event *event,
		      struct anim_error *error)
{
	struct fy_token *value = from->scalar.value;

	event->type = UNITY_EVENT_SCALAR;
	set_place(event, value != NULL ? value : from->scalar.anchor != NULL ? from->scalar.anchor : from->scalar.tag);
	if (value != NULL) {
		enum fy_scalar_style style = fy_token_scalar_style(value);

		event->quoted = style != FYSS_PLAIN;
		if ((style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) && event->column > 0)
			event->column--; /* the quote */
		event->text = text_of(value, &event->length, error);
		if (event->text == NULL)
			return -1;
	}
	if (event->text == NULL) {
		event->text = "";
		event->length = 0;
	}
	if (anim_utf8_prefix(event->text, event->length) != event->length)
		return anim_fail(error, ANIM_BAD_INPUT, "a text contains a NUL, or an escape that is not a character");
	if (from->scalar.anchor == NULL && from->scalar.tag == NULL)
		return 0;

	/* Restore a plain scalar with its anchor, its tag or both before it, as in the file. */
	events->text.size = 0;
	if (from->scalar.anchor != NULL && put_prefix(events, "&", from->scalar.anchor, error) != 0)
		return -1;
	if (from->scalar.anchor != NULL && from->scalar.tag != NULL &&
	    anim_buffer_append(&events->text, " ", 1, error) != 0)
		return -1;
	if (from->scalar.tag != NULL && put_prefix(events, "!", from->scalar.tag, error) != 0)
		return -1;
	if (event->length > 0 && (anim_buffer_append(&events->text, " ", 1, error) != 0 ||
				  anim_buffer_append(&events->text, event->text, event->length, error) != 0))
		return -1;
	event->text = (const char *)events->text.data;
	event->length = events->text.size;
	return 0;
}

/*
 * Read the next event of the single document. Returns 1, or 0 at its end. Returns -1 after a syntax error, with the
 * place in *event and a message without one, or after another error.
 */
static int read_event(struct unity_yaml_events *events, struct unity_yaml_event *event, struct anim_error *error)
{
	const struct fy_event *from;
	bool is_needed = false;

	*event = (struct unity_yaml_event){.text = "", .given = events->given, .column = events->column};
	while (!is_needed) {
		drop_held(events);
		from = events->held = fy_parser_parse(events->parser);
		if (from == NULL || fy_parser_get_stream_error(events->parser))
			return grammar_fault(events, event, error);
		if (from->type == FYET_STREAM_END) {
			events->ended = true;
			return 0;
		}
		if (from->type == FYET_DOCUMENT_START && events->began) {
			events->failed = true;
			return anim_fail(error, ANIM_BAD_INPUT, "not UnityYAML: text after the end of the object");
		}
		events->began = events->began || from->type == FYET_DOCUMENT_START;
		is_needed = true;
		switch (from->type) {
		case FYET_SCALAR:
			if (set_scalar(events, from, event, error) != 0)
				return -1;
			break;
		case FYET_ALIAS:
			event->type = UNITY_EVENT_SCALAR;
			set_place(event, from->alias.anchor);
			events->text.size = 0;
			if (put_prefix(events, "*", from->alias.anchor, error) != 0)
				return -1;
			event->text = (const char *)events->text.data;
			event->length = events->text.size;
			break;
		case FYET_MAPPING_START:
			event->type = UNITY_EVENT_MAP;
			set_place(event, from->mapping_start.mapping_start);
			break;
		case FYET_SEQUENCE_START:
			event->type = UNITY_EVENT_LIST;
			set_place(event, from->sequence_start.sequence_start);
			break;
		case FYET_MAPPING_END:
			event->type = UNITY_EVENT_MAP_END;
			break;
		case FYET_SEQUENCE_END:
			event->type = UNITY_EVENT_LIST_END;
			break;
		default:
			is_needed = false;
		}
	}
	events->given = event->given;
	events->column = event->column;
	return 1;
}

/* ---- Nodes from events ---- */

/* A map or list that is being read. */
struct open_node {
	struct unity_node *node, *last;
	const char *key; /* of a map, if its value comes next */
};

struct node_builder {
	struct unity_file *file;
	struct anim_arena *arena;
	struct anim_error *error;
	bool curves;
	unsigned depth; /* number of frames */
	struct open_node stack[ANIM_NESTING_YAML];
};

/* Fail at a line that libfyaml got. Line and column count from 0. Returns -1. */
static int fault_at(struct unity_file *file, uint32_t given, uint32_t column)
{
	struct anim_place place = {.file = anim_input_name(file->lines.input),
				   .at = ANIM_AT_LINE,
				   .line = unity_feed_line(&file->feed, given),
				   .column = column + 1};

	if (file->error == NULL || file->error->at != ANIM_AT_FILE)
		return -1;
	return anim_error_at(file->error, &place);
}

/* Read the next event, and add the place to its errors. Returns the same as read_event. */
static int next_event(struct unity_file *file, struct unity_yaml_event *event)
{
	int status = read_event(&file->events, event, file->error);

	file->feed.silent = file->feed.nesting.parts = 0;
	if (file->feed.failed) {
		if (file->error != NULL)
			*file->error = file->feed.error;
		return -1;
	}
	if (status >= 0)
		return status;
	return fault_at(file, event->given, event->column);
}

int unity_need_event(struct unity_file *file, struct unity_yaml_event *event)
{
	int status = next_event(file, event);

	if (status == 0)
		anim_fail(file->error, ANIM_BAD_INPUT, "not UnityYAML: it ends too early");
	return status > 0 ? 0 : -1;
}

int unity_node_drop(struct unity_file *file, const struct unity_yaml_event *first)
{
	struct unity_yaml_event event = *first;
	size_t depth = 0;

	for (;;) {
		if (event.type == UNITY_EVENT_MAP || event.type == UNITY_EVENT_LIST)
			depth++;
		else if (event.type != UNITY_EVENT_SCALAR)
			depth--;
		if (depth == 0)
			return 0;
		if (depth > ANIM_NESTING_YAML) {
			anim_fail(file->error, ANIM_TOO_LARGE, "nested more than %d deep", ANIM_NESTING_YAML);
			return fault_at(file, event.given, event.column);
		}
		if (unity_need_event(file, &event) != 0)
			return -1;
	}
}

/* Return a node that begins with this event, without members, or NULL if out of memory. */
static struct unity_node *new_node(struct unity_file *file, struct anim_arena *arena,
				   const struct unity_yaml_event *event, const char *key)
{
	struct unity_node *node = anim_arena_zeroed(arena, 1, sizeof *node, file->error);

	if (node == NULL)
		return NULL;
	node->key = key;
	node->text = "";
	node->line = unity_feed_line(&file->feed, event->given);
	node->column = event->column + 1;
	node->kind = event->type == UNITY_EVENT_MAP    ? UNITY_MAP
		     : event->type == UNITY_EVENT_LIST ? UNITY_LIST
						       : UNITY_SCALAR;
	return node;
}

/* Append the node to the innermost frame. */
static void append_node(struct node_builder *builder, struct unity_node *node)
{
	struct open_node *frame;

	if (builder->depth == 0)
		return;
	frame = &builder->stack[builder->depth - 1];
	if (frame->last == NULL)
		frame->node->first = node;
	else
		frame->last->next = node;
	frame->last = node;
	frame->node->count++;
	frame->key = NULL;
}

/* Add the node that begins with the event to the innermost frame, with this key. Returns 0 or -1. */
static int add(struct node_builder *builder, const struct unity_yaml_event *event, const char *key,
	       struct unity_node **made)
{
	struct unity_node *node = new_node(builder->file, builder->arena, event, key);
	const char *colon;

	if (node == NULL)
		return -1;
	*made = node;
	if (event->type == UNITY_EVENT_SCALAR) {
		node->quoted = event->quoted;
		node->length = event->length;
		node->text = event->length == 0
				 ? ""
				 : anim_arena_text(builder->arena, event->text, event->length, builder->error);
		if (node->text == NULL)
			return -1;
		/* For YAML, "{fileID:6}" is a key "fileID:6" without a value. Split it at the colon. */
		colon = node->length == 0 && !node->quoted ? strchr(key, ':') : NULL;
		if (colon != NULL && builder->depth > 0 && builder->stack[builder->depth - 1].node->kind == UNITY_MAP) {
			node->text = colon + 1;
			node->length = strlen(node->text);
			node->key = anim_arena_text(builder->arena, key, (size_t)(colon - key), builder->error);
			if (node->key == NULL)
				return -1;
		}
		append_node(builder, node);
		return 0;
	}
	append_node(builder, node);
	if (event->type == UNITY_EVENT_LIST && builder->curves && strcmp(key, "m_Curve") == 0)
		return unity_keys_build(builder->file, node);
	if (builder->depth == ANIM_NESTING_YAML) {
		anim_fail(builder->error, ANIM_TOO_LARGE, "nested more than %d deep", ANIM_NESTING_YAML);
		return fault_at(builder->file, event->given, event->column);
	}
	builder->stack[builder->depth++] = (struct open_node){.node = node};
	return 0;
}

int unity_node_build(struct unity_file *file, struct anim_arena *arena, const struct unity_yaml_event *first,
		     const char *key, bool curves, struct unity_node **node)
{
	struct node_builder builder = {.file = file, .arena = arena, .error = file->error, .curves = curves};
	struct unity_yaml_event event;
	struct unity_node *made;

	if (add(&builder, first, key, node) != 0)
		return -1;
	while (builder.depth > 0) {
		struct open_node *frame = &builder.stack[builder.depth - 1];
		bool is_map = frame->node->kind == UNITY_MAP;

		if (unity_need_event(file, &event) != 0)
			return -1;
		if (event.type == UNITY_EVENT_MAP_END || event.type == UNITY_EVENT_LIST_END) {
			builder.depth--;
		} else if (is_map && frame->key == NULL) {
			if (event.type != UNITY_EVENT_SCALAR) {
				anim_fail(file->error, ANIM_BAD_INPUT, "a key of a map is not a text");
				return fault_at(file, event.given, event.column);
			}
			frame->key = anim_arena_text(arena, event.text, event.length, file->error);
			if (frame->key == NULL)
				return -1;
		} else if (add(&builder, &event, is_map ? frame->key : frame->node->key, &made) != 0) {
			return -1;
		}
	}
	return 0;
}

/* ---- A document, completely or by fields ---- */

static const struct unity_yaml_event nothing = {.type = UNITY_EVENT_SCALAR, .text = ""};

static int fault(struct unity_file *file, const struct unity_yaml_event *event, const char *message)
{
	anim_fail(file->error, ANIM_BAD_INPUT, "%s", message);
	return fault_at(file, event->given, event->column);
}

/*
 * Begin to read the document, and get the name of the type. libfyaml keeps its errors instead of printing them. It gets 0
 * bytes at the end and also on failure, because it asks for ever after -1. Returns 1, 0 if the document is empty, or -1.
 */
static int begin(struct unity_file *file, struct unity_yaml_event *name)
{
	struct unity_yaml_events *events = &file->events;
	struct fy_diag_cfg how;
	struct fy_parse_cfg config = {.flags = FYPCF_SLOPPY_FLOW_INDENTATION | FYPCF_JSON_NONE};
	struct unity_yaml_event event;
	int status;

	drop_held(events);
	/* A parser that stopped in the middle of a text cannot read the next one. */
	if (events->failed || !events->ended || (events->parser != NULL && fy_parser_reset(events->parser) != 0))
		unity_yaml_events_clear(events);
	if (events->parser == NULL) {
		fy_diag_cfg_default(&how);
		how.fp = NULL;
		how.output_fn = NULL;
		events->faults = fy_diag_create(&how);
		if (events->faults != NULL) {
			fy_diag_set_collect_errors(events->faults, true);
			config.diag = events->faults;
			events->parser = fy_parser_create(&config);
		}
	}
	if (events->parser != NULL) {
		events->began = events->ended = false;
		events->given = events->column = 0;
	}
	if (events->parser == NULL || fy_parser_set_input_callback(events->parser, &file->feed, unity_feed_give) != 0) {
		events->failed = true;
		return anim_fail_memory(file->error);
	}
	status = next_event(file, &event);
	if (status <= 0 || (event.type == UNITY_EVENT_SCALAR && event.length == 0 && !event.quoted))
		return status < 0 ? -1 : 0;
	if (event.type != UNITY_EVENT_MAP)
		return fault(file, &event, "an object that does not begin with the name of its type");
	status = next_event(file, name);
	if (status < 0)
		return -1;
	if (status == 0 || name->type != UNITY_EVENT_SCALAR)
		return fault(file, &event, "an object that does not begin with the name of its type");
	return 1;
}

/* Check that nothing follows the map of the type. Returns 0 or -1. */
static int finish(struct unity_file *file)
{
	struct unity_yaml_event event;
	int status = next_event(file, &event);

	if (status > 0 && event.type != UNITY_EVENT_MAP_END)
		return fault(file, &event, "more than one type in an object");
	while (status > 0)
		status = next_event(file, &event);
	return status;
}

/* Keep the name of the field or type in file->field. Returns 0 or -1. */
static int keep_name(struct unity_file *file, const struct unity_yaml_event *event)
{
	if (event->type != UNITY_EVENT_SCALAR)
		return fault(file, event, "a key of a map is not a text");
	file->field.size = 0;
	if (anim_buffer_append(&file->field, event->text, event->length, file->error) != 0)
		return -1;
	return anim_buffer_append(&file->field, "", 1, file->error);
}

static const char *copy_name(const struct unity_file *file, struct anim_arena *arena)
{
	return anim_arena_text(arena, (const char *)file->field.data, file->field.size - 1, file->error);
}

int unity_document_tree(struct unity_file *file, struct anim_arena *arena, const struct unity_node **root)
{
	struct unity_yaml_event name = nothing, value = nothing;
	struct unity_node *node;
	const char *key;
	int status;

	if (file->stage != UNITY_AT_START)
		return anim_fail(file->error, ANIM_BAD_INPUT, "an object is read once");
	file->stage = UNITY_DONE;
	status = begin(file, &name);
	if (status < 0 || keep_name(file, &name) != 0)
		return -1;
	key = copy_name(file, arena);
	if (key == NULL || (status > 0 && next_event(file, &value) < 0) ||
	    unity_node_build(file, arena, &value, key, false, &node) != 0)
		return -1;
	*root = node;
	return status > 0 ? finish(file) : 0;
}

void unity_clip_want(struct unity_file *file, bool (*wanted)(void *context, const char *name), void *context)
{
	file->wanted = wanted;
	file->wanted_context = context;
	file->entered = NULL;
	file->inside = false;
}

void unity_clip_enter(struct unity_file *file, const char *names)
{
	file->entered = names;
}

/* Enter the type's map of fields, if it exists. Returns 0 or -1. */
static int enter(struct unity_file *file)
{
	static const char type[] = "AnimationClip";
	struct unity_yaml_event name, value;
	int status = begin(file, &name);

	if (status <= 0)
		return status;
	if (file->document.class_id == UNITY_CLIP_CLASS &&
	    (name.length != sizeof type - 1 || memcmp(name.text, type, sizeof type - 1) != 0))
		return fault(file, &name, "an object of class 74 that is not named AnimationClip");
	if (next_event(file, &value) < 0)
		return -1;
	if (value.type == UNITY_EVENT_SCALAR && value.length == 0)
		return finish(file);
	if (value.type != UNITY_EVENT_MAP)
		return fault(file, &value, "an AnimationClip is not a map of fields");
	file->stage = UNITY_IN_FIELDS;
	return 0;
}

static int read_value(struct unity_file *file, struct anim_arena *arena, const struct unity_yaml_event *event,
		      struct unity_field *field)
{
	struct unity_node *node;

	field->name = copy_name(file, arena);
	if (field->name == NULL || unity_node_build(file, arena, event, field->name, true, &node) != 0)
		return -1;
	field->node = node;
	return 1;
}

/*
 * Read an item of the list. At the end of the list, reading continues with the fields. Returns 1, 0 at the end, or -1.
 */
static int read_item(struct unity_file *file, struct anim_arena *arena, struct unity_field *field)
{
	struct unity_yaml_event event;

	if (unity_need_event(file, &event) != 0)
		return -1;
	if (event.type == UNITY_EVENT_LIST_END) {
		file->stage = UNITY_IN_FIELDS;
		return 0;
	}
	if (read_value(file, arena, &event, field) < 0)
		return -1;
	file->stage = UNITY_IN_LIST;
	field->is_item = true;
	field->item = file->item++;
	return 1;
}

/* Returns 1 for a field or item, 0 at the end, or -1. */
static int read_field(struct unity_file *file, struct anim_arena *arena, struct unity_field *field)
{
	struct unity_yaml_event event;
	int status;

	while ((status = next_event(file, &event)) > 0) {
		struct unity_yaml_event name = event;

		if (event.type == UNITY_EVENT_MAP_END && !file->inside)
			return finish(file);
		if (event.type == UNITY_EVENT_MAP_END) {
			file->inside = false;
			continue;
		}
		if (keep_name(file, &event) != 0)
			return -1;
		if (file->wanted != NULL && !file->wanted(file->wanted_context, (const char *)file->field.data)) {
			struct unity_yaml_event value = nothing;

			/* Skip the value of the field whose name the event was. */
			if (unity_feed_skip(&file->feed, name.given, name.column, file->error) < 0 ||
			    next_event(file, &value) < 0)
				return -1;
			if (unity_node_drop(file, &value) != 0)
				return -1;
			continue;
		}
		if (next_event(file, &event) < 0)
			return -1;
		if (event.type == UNITY_EVENT_MAP && file->entered != NULL && !file->inside &&
		    anim_text_is_word(file->entered, (const char *)file->field.data)) {
			file->inside = true;
			continue;
		}
		if (event.type == UNITY_EVENT_LIST) {
			file->item = 0;
			status = read_item(file, arena, field);
			if (status != 0)
				return status;
			/* an empty list is returned itself */
			field->name = copy_name(file, arena);
			field->node = field->name == NULL ? NULL : new_node(file, arena, &event, field->name);
			return field->node == NULL ? -1 : 1;
		}
		return read_value(file, arena, &event, field);
	}
	return status;
}

int unity_clip_next(struct unity_file *file, struct anim_arena *arena, struct unity_field *field)
{
	int status = 0;

	*field = (struct unity_field){0};
	file->pool.used = 0;
	if (file->stage == UNITY_AT_START) {
		file->stage = UNITY_DONE;
		status = enter(file);
	}
	if (file->stage == UNITY_IN_LIST)
		status = read_item(file, arena, field);
	if (status == 0 && file->stage == UNITY_IN_FIELDS)
		status = read_field(file, arena, field);
	if (status <= 0)
		file->stage = UNITY_DONE;
	return status;
}
