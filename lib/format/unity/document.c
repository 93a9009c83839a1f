/* document.c: a Unity text file document by document. */
#include "format/unity/document.h"

#include <stdlib.h>

#include "format/unity/document_build.h"
#include "format/unity/keys_fast.h"

#define REFUSE_WINDOW ((size_t)64 * 1024)

/* Whether a carriage return stands alone in the first window: an old kind of line end. */
static bool has_lone_return(const struct unity_lines *lines)
{
	for (size_t i = 0; i + 1 < lines->left; i++)
		if (lines->at[i] == '\r' && lines->at[i + 1] != '\n')
			return true;
	return lines->left > 0 && lines->all && lines->at[lines->left - 1] == '\r';
}

int unity_file_open(struct unity_file **opened, struct anim_input *input, struct anim_error *error)
{
	struct unity_file *file = calloc(1, sizeof *file);
	struct unity_lines *lines;

	*opened = NULL;
	if (file == NULL)
		return anim_fail_memory(error);
	lines = &file->lines;
	*lines = (struct unity_lines){.input = input, .line = 1};
	if (unity_lines_more(lines, REFUSE_WINDOW, error) != 0)
		goto failed;
	if (lines->left >= 3 && lines->at[0] == 0xef && lines->at[1] == 0xbb && lines->at[2] == 0xbf)
		unity_lines_pass(lines, 3, false);
	if (unity_refuse(lines, error) != 0) {
		anim_error_in_file(error, anim_input_name(input));
		goto failed;
	}
	lines->lone_cr = has_lone_return(lines);
	if (unity_fast_new(&file->fast, error) != 0)
		goto failed;
	*opened = file;
	return 0;
failed:
	unity_file_close(file);
	return -1;
}

void unity_file_close(struct unity_file *file)
{
	if (file == NULL)
		return;
	unity_yaml_events_clear(&file->events);
	unity_columns_pool_clear(&file->pool);
	unity_fast_free(file->fast);
	anim_buffer_clear(&file->field);
	anim_arena_clear(&file->key_arena);
	free(file);
}

bool unity_file_is_broken(const struct unity_file *file)
{
	return file->lines.broken;
}

void unity_file_slow(struct unity_file *file)
{
	unity_fast_free(file->fast);
	file->fast = NULL;
}

int unity_file_next(struct unity_file *file, struct unity_document *document, struct anim_error *error)
{
	struct unity_lines *lines = &file->lines;
	int status;

	if (file->in_document && unity_feed_leave(&file->feed, error) != 0)
		return -1;
	file->in_document = false;
	unity_columns_release(&file->pool);
	while ((status = unity_lines_start(lines, error)) > 0 && !unity_is_document(lines))
		if (unity_lines_check(lines, error) != 0 || unity_lines_skip(lines, error) != 0)
			return -1;
	if (status <= 0)
		return status;
	unity_read_head(lines, &file->document);
	*document = file->document;
	file->in_document = true;
	file->stage = UNITY_AT_START;
	file->feed = (struct unity_feed){.lines = lines};
	if (unity_feed_begin(&file->feed, lines, error) != 0)
		return -1;
	return 1;
}

void unity_place(const struct unity_file *file, const struct unity_node *node, struct anim_place *place)
{
	*place = (struct anim_place){
	    .file = anim_input_name(file->lines.input), .at = ANIM_AT_LINE, .line = node->line, .column = node->column};
}
