/* document_keys.c: the keys of a curve, fast where their text is as Unity writes it, else out of libfyaml's events. */
#include "format/unity/document_build.h"
#include "format/unity/keys_fast.h"

/* A key that libfyaml reads. 0 or -1. */
static int read_slowly(struct unity_file *file, struct unity_columns *columns, const struct unity_yaml_event *event,
		       const char *name, struct anim_error *error)
{
	const struct unity_node *culprit = NULL;
	struct unity_node *node;
	struct anim_place place;

	anim_arena_reset(&file->key_arena);
	if (unity_build(file, &file->key_arena, event, name, false, &node, error) != 0)
		return -1;
	if (unity_columns_add(columns, node, &culprit, error) == 0)
		return 0;
	if (error->code == ANIM_NO_MEMORY)
		return -1;
	unity_place(file, culprit, &place);
	error->at = place.at;
	error->line = place.line;
	error->column = place.column;
	return anim_error_in_file(error, place.file);
}

/*
 * An item begins with the event. Where it is the line last given, as many keys from there on as the fast way knows are
 * read; libfyaml then sees no more of them than the first line of the first. 0 or -1.
 */
static int read_item(struct unity_file *file, struct unity_columns *columns, const struct unity_yaml_event *event,
		     const char *name, struct anim_error *error)
{
	if (event->type == UNITY_EVENT_MAP && file->fast != NULL && unity_feed_is_at(&file->feed, event->given)) {
		ptrdiff_t count = unity_fast_keys(file->fast, &file->lines, columns, event->column, error);

		if (count < 0)
			return -1;
		if (count > 0) {
			unity_feed_jumped(&file->feed);
			return unity_drop(file, event, error);
		}
	}
	return read_slowly(file, columns, event, name, error);
}

int unity_build_keys(struct unity_file *file, struct unity_node *node, struct anim_error *error)
{
	struct unity_columns *columns = unity_columns_take(&file->pool, error);
	struct unity_yaml_event event;
	int status;

	if (columns == NULL)
		return -1;
	while ((status = unity_next_event(file, &event, error)) > 0 && event.type != UNITY_EVENT_LIST_END)
		if (read_item(file, columns, &event, node->key, error) != 0)
			return -1;
	if (status <= 0)
		return status < 0 ? -1 : anim_fail(error, ANIM_BAD_INPUT, "not UnityYAML: it ends too early");
	unity_columns_finish(columns);
	node->kind = UNITY_KEYS;
	node->count = columns->n;
	node->keys = &columns->keys;
	return 0;
}
