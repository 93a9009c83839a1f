/* yaml_events.c: libfyaml's events with Unity's reading of them. */
#include "format/unity/yaml_events.h"

#include <libfyaml.h>
#include <string.h>

#include "base/text.h"

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

/* The parser, with its complaints kept instead of printed. 0 or -1. */
static int create(struct unity_yaml_events *events, struct anim_error *error)
{
	struct fy_diag_cfg how;
	struct fy_parse_cfg config = {.flags = FYPCF_SLOPPY_FLOW_INDENTATION | FYPCF_JSON_NONE};

	fy_diag_cfg_default(&how);
	how.fp = NULL;
	how.output_fn = NULL;
	events->faults = fy_diag_create(&how);
	if (events->faults == NULL)
		return anim_fail_memory(error);
	fy_diag_set_collect_errors(events->faults, true);
	config.diag = events->faults;
	events->parser = fy_parser_create(&config);
	return events->parser == NULL ? anim_fail_memory(error) : 0;
}

int unity_yaml_events_begin(struct unity_yaml_events *events, ssize_t (*give)(void *, void *, size_t), void *context,
			    struct anim_error *error)
{
	drop_held(events);
	/* A parser that was left in the middle of a text does not read the next one. */
	if (events->failed || !events->ended || (events->parser != NULL && fy_parser_reset(events->parser) != 0))
		unity_yaml_events_clear(events);
	if (events->parser == NULL && create(events, error) != 0) {
		events->failed = true;
		return -1;
	}
	events->began = events->ended = false;
	events->given = events->column = 0;
	if (fy_parser_set_input_callback(events->parser, context, give) != 0) {
		events->failed = true;
		return anim_fail_memory(error);
	}
	return 0;
}

static void set_place(struct unity_yaml_event *event, struct fy_token *token)
{
	const struct fy_mark *mark = token == NULL ? NULL : fy_token_start_mark(token);

	if (mark == NULL)
		return;
	event->given = (uint32_t)mark->line;
	event->column = (uint32_t)mark->column;
}

static int fault(struct unity_yaml_events *events, struct unity_yaml_event *event, struct anim_error *error)
{
	void *at = NULL;
	const struct fy_diag_error *first = fy_diag_errors_iterate(events->faults, &at);

	events->failed = true;
	if (first == NULL || first->msg == NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "not UnityYAML");
	if (first->line > 0) {
		event->given = (uint32_t)first->line - 1;
		event->column = first->column > 0 ? (uint32_t)first->column - 1 : 0;
	}
	return anim_fail(error, ANIM_BAD_INPUT, "not UnityYAML: %s", first->msg);
}

/* Mark, text of the token, and a blank before what follows. 0 or -1. */
static int put_prefix(struct unity_yaml_events *events, const char *mark, struct fy_token *token,
		      struct anim_error *error)
{
	size_t length = 0;
	const char *text = fy_token_get_text(token, &length);

	if (text == NULL)
		length = 0;
	if (length > 0 && *mark == *text)
		mark = "";
	if (anim_buffer_append(&events->text, mark, strlen(mark), error) != 0)
		return -1;
	return anim_buffer_append(&events->text, text, length, error);
}

/* A plain scalar behind an anchor, a tag or both, as it stood there. 0 or -1. */
static int with_prefix(struct unity_yaml_events *events, const struct fy_event *from, struct unity_yaml_event *event,
		       struct anim_error *error)
{
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
		event->text = fy_token_get_text(value, &event->length);
	}
	if (event->text == NULL) {
		event->text = "";
		event->length = 0;
	}
	if (anim_utf8_prefix(event->text, event->length) != event->length)
		return anim_fail(error, ANIM_BAD_INPUT, "a text with a NUL, or an escape that is no character");
	return from->scalar.anchor == NULL && from->scalar.tag == NULL ? 0 : with_prefix(events, from, event, error);
}

static int set_alias(struct unity_yaml_events *events, const struct fy_event *from, struct unity_yaml_event *event,
		     struct anim_error *error)
{
	event->type = UNITY_EVENT_SCALAR;
	set_place(event, from->alias.anchor);
	events->text.size = 0;
	if (put_prefix(events, "*", from->alias.anchor, error) != 0)
		return -1;
	event->text = (const char *)events->text.data;
	event->length = events->text.size;
	return 0;
}

/* 1 it is one for the caller, 0 not, -1. */
static int translate(struct unity_yaml_events *events, const struct fy_event *from, struct unity_yaml_event *event,
		     struct anim_error *error)
{
	switch (from->type) {
	case FYET_SCALAR:
		return set_scalar(events, from, event, error) == 0 ? 1 : -1;
	case FYET_ALIAS:
		return set_alias(events, from, event, error) == 0 ? 1 : -1;
	case FYET_MAPPING_START:
		event->type = UNITY_EVENT_MAP;
		set_place(event, from->mapping_start.mapping_start);
		return 1;
	case FYET_SEQUENCE_START:
		event->type = UNITY_EVENT_LIST;
		set_place(event, from->sequence_start.sequence_start);
		return 1;
	case FYET_MAPPING_END:
		event->type = UNITY_EVENT_MAP_END;
		return 1;
	case FYET_SEQUENCE_END:
		event->type = UNITY_EVENT_LIST_END;
		return 1;
	default:
		return 0;
	}
}

int unity_yaml_events_next(struct unity_yaml_events *events, struct unity_yaml_event *event, struct anim_error *error)
{
	int status = 0;

	*event = (struct unity_yaml_event){.text = "", .given = events->given, .column = events->column};
	while (status == 0) {
		drop_held(events);
		events->held = fy_parser_parse(events->parser);
		if (events->held == NULL || fy_parser_get_stream_error(events->parser))
			return fault(events, event, error);
		if (events->held->type == FYET_STREAM_END) {
			events->ended = true;
			return 0;
		}
		if (events->held->type == FYET_DOCUMENT_START && events->began) {
			events->failed = true;
			return anim_fail(error, ANIM_BAD_INPUT,
					 "not UnityYAML: more text behind the end of the object");
		}
		events->began = events->began || events->held->type == FYET_DOCUMENT_START;
		status = translate(events, events->held, event, error);
	}
	events->given = event->given;
	events->column = event->column;
	return status;
}
