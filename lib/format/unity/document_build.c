/* document_build.c: libfyaml's events made into nodes. */
#include "format/unity/document_build.h"

#include <string.h>

#include "base/limits.h"

/* A map or list that is being read. */
struct frame {
	struct unity_node *node, *last;
	const char *key; /* of a map, where its value comes next */
};

struct builder {
	struct unity_file *file;
	struct anim_arena *arena;
	struct anim_error *error;
	bool curves;
	unsigned depth; /* frames */
	struct frame stack[ANIM_NESTING_YAML];
};

int unity_fault_at(struct unity_file *file, uint32_t given, uint32_t column, struct anim_error *error)
{
	struct anim_place place = {.file = anim_input_name(file->lines.input),
				   .at = ANIM_AT_LINE,
				   .line = unity_feed_line(&file->feed, given),
				   .column = column + 1};
	struct anim_error plain;

	if (error == NULL || error->at != ANIM_AT_FILE || error->code == ANIM_SYSTEM || error->code == ANIM_NO_MEMORY)
		return -1;
	plain = *error;
	return anim_fail_at(error, plain.code, &place, "%s", plain.message);
}

int unity_next_event(struct unity_file *file, struct unity_yaml_event *event, struct anim_error *error)
{
	int status = unity_yaml_events_next(&file->events, event, error);

	file->feed.silent = file->feed.nesting.parts = 0;
	if (file->feed.failed) {
		if (error != NULL)
			*error = file->feed.error;
		return -1;
	}
	if (status >= 0)
		return status;
	return unity_fault_at(file, event->given, event->column, error);
}

int unity_drop(struct unity_file *file, const struct unity_yaml_event *first, struct anim_error *error)
{
	struct unity_yaml_event event = *first;
	size_t depth = 0;

	for (;;) {
		int status;

		if (event.type == UNITY_EVENT_MAP || event.type == UNITY_EVENT_LIST)
			depth++;
		else if (event.type != UNITY_EVENT_SCALAR)
			depth--;
		if (depth == 0)
			return 0;
		if (depth > ANIM_NESTING_YAML) {
			anim_fail(error, ANIM_TOO_LARGE, "nested more than %d deep", ANIM_NESTING_YAML);
			return unity_fault_at(file, event.given, event.column, error);
		}
		status = unity_next_event(file, &event, error);
		if (status <= 0)
			return status < 0 ? -1 : anim_fail(error, ANIM_BAD_INPUT, "not UnityYAML: it ends too early");
	}
}

struct unity_node *unity_new_node(struct unity_file *file, struct anim_arena *arena,
				  const struct unity_yaml_event *event, const char *key, struct anim_error *error)
{
	struct unity_node *node = anim_arena_zeroed(arena, 1, sizeof *node, error);

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

/* Hangs the node into the innermost frame. */
static void hang(struct builder *builder, struct unity_node *node)
{
	struct frame *frame;

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

static int set_text(struct builder *builder, struct unity_node *node, const struct unity_yaml_event *event)
{
	node->quoted = event->quoted;
	node->length = event->length;
	node->text =
	    event->length == 0 ? "" : anim_arena_text(builder->arena, event->text, event->length, builder->error);
	return node->text == NULL ? -1 : 0;
}

/* "{fileID:6}" is a key "fileID:6" without value to YAML. */
static int split_key(struct builder *builder, struct unity_node *node)
{
	const char *colon = strchr(node->key, ':');

	if (colon == NULL || builder->depth == 0 || builder->stack[builder->depth - 1].node->kind != UNITY_MAP)
		return 0;
	node->text = colon + 1;
	node->length = strlen(node->text);
	node->key = anim_arena_text(builder->arena, node->key, (size_t)(colon - node->key), builder->error);
	return node->key == NULL ? -1 : 0;
}

static int push(struct builder *builder, struct unity_node *node, const struct unity_yaml_event *event)
{
	if (builder->depth == ANIM_NESTING_YAML) {
		anim_fail(builder->error, ANIM_TOO_LARGE, "nested more than %d deep", ANIM_NESTING_YAML);
		return unity_fault_at(builder->file, event->given, event->column, builder->error);
	}
	builder->stack[builder->depth++] = (struct frame){.node = node};
	return 0;
}

/* Adds what begins with the event below the innermost frame, whose key is `key`. 0 or -1. */
static int add(struct builder *builder, const struct unity_yaml_event *event, const char *key, struct unity_node **made)
{
	struct unity_node *node = unity_new_node(builder->file, builder->arena, event, key, builder->error);

	if (node == NULL)
		return -1;
	*made = node;
	if (event->type == UNITY_EVENT_SCALAR) {
		if (set_text(builder, node, event) != 0)
			return -1;
		if (node->length == 0 && !node->quoted && split_key(builder, node) != 0)
			return -1;
		hang(builder, node);
		return 0;
	}
	hang(builder, node);
	if (event->type == UNITY_EVENT_LIST && builder->curves && strcmp(key, "m_Curve") == 0)
		return unity_build_keys(builder->file, node, builder->error);
	return push(builder, node, event);
}

static int take_key(struct builder *builder, struct frame *frame, const struct unity_yaml_event *event)
{
	if (event->type != UNITY_EVENT_SCALAR) {
		anim_fail(builder->error, ANIM_BAD_INPUT, "a key of a map that is no text");
		return unity_fault_at(builder->file, event->given, event->column, builder->error);
	}
	frame->key = anim_arena_text(builder->arena, event->text, event->length, builder->error);
	return frame->key == NULL ? -1 : 0;
}

/* One event behind the first. 0 or -1. */
static int take(struct builder *builder, const struct unity_yaml_event *event)
{
	struct frame *frame = &builder->stack[builder->depth - 1];
	struct unity_node *made;

	if (event->type == UNITY_EVENT_MAP_END || event->type == UNITY_EVENT_LIST_END) {
		builder->depth--;
		return 0;
	}
	if (frame->node->kind == UNITY_MAP && frame->key == NULL)
		return take_key(builder, frame, event);
	return add(builder, event, frame->node->kind == UNITY_MAP ? frame->key : frame->node->key, &made);
}

int unity_build(struct unity_file *file, struct anim_arena *arena, const struct unity_yaml_event *first,
		const char *key, bool curves, struct unity_node **node, struct anim_error *error)
{
	struct builder builder = {.file = file, .arena = arena, .error = error, .curves = curves};
	struct unity_yaml_event event;

	if (add(&builder, first, key, node) != 0)
		return -1;
	while (builder.depth > 0) {
		int status = unity_next_event(file, &event, error);

		if (status <= 0)
			return status < 0 ? -1 : anim_fail(error, ANIM_BAD_INPUT, "not UnityYAML: it ends too early");
		if (take(&builder, &event) != 0)
			return -1;
	}
	return 0;
}
