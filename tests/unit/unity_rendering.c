/* unity_rendering.c: all that format/unity/document.h hands out of a file, as text to be compared. */
#include "unity_rendering.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/track.h"
#include "format/unity/document.h"

static void render_floats(FILE *out, const char *name, const float *column, size_t count)
{
	if (column == NULL)
		return;
	fprintf(out, " %s", name);
	for (size_t i = 0; i < count; i++) {
		uint32_t bits;

		memcpy(&bits, &column[i], sizeof bits);
		fprintf(out, " %08" PRIx32, bits);
	}
}

static void render_keys(FILE *out, const struct anim_track *keys)
{
	size_t components = anim_types[keys->type].components;

	fprintf(out, "keys %zu of %zu mode %u", keys->n, components, keys->interp);
	render_floats(out, "time", keys->time, keys->n);
	render_floats(out, "value", keys->value, keys->n * components);
	render_floats(out, "left", keys->left, keys->n * components);
	render_floats(out, "right", keys->right, keys->n * components);
	render_floats(out, "left_x", keys->left_x, keys->n * components);
	render_floats(out, "right_x", keys->right_x, keys->n * components);
	for (size_t i = 0; keys->weighted != NULL && i < keys->n; i++)
		fprintf(out, " m%u", keys->weighted[i]);
	for (size_t i = 0; keys->hint != NULL && i < keys->n; i++)
		fprintf(out, " h%" PRIu32, keys->hint[i]);
}

static void render_node(FILE *out, const struct unity_node *node, int depth)
{
	fprintf(out, "%*s%" PRIu32 ":%" PRIu32 " %s: ", depth, "", node->line, node->column, node->key);
	switch (node->kind) {
	case UNITY_SCALAR:
		fprintf(out, "%s%s%s\n", node->quoted ? "\"" : "", node->text, node->quoted ? "\"" : "");
		break;
	case UNITY_KEYS:
		render_keys(out, node->keys);
		break;
	default:
		fprintf(out, "%s of %zu\n", node->kind == UNITY_MAP ? "map" : "list", node->count);
	}
	for (const struct unity_node *member = node->first; member != NULL; member = member->next)
		render_node(out, member, depth + 1);
}

static void render_error(FILE *out, const struct anim_error *error)
{
	fprintf(out, "fault %s:%" PRIu32 ":%" PRIu32 " %s\n", error->file, error->line, error->column, error->message);
}

/* Whether a field is read: its name is none of the words in the context. */
static bool is_wanted(void *context, const char *name)
{
	const char *found = context == NULL ? NULL : strstr(context, name);
	size_t length = strlen(name);

	return found == NULL || (found[length] != ' ' && found[length] != '\0');
}

static void render_clip(FILE *out, struct unity_file *file, struct anim_arena *arena, const struct anim_error *error)
{
	struct unity_field field;
	int status;

	while ((status = unity_clip_next(file, arena, &field)) > 0) {
		if (field.is_item)
			fprintf(out, "%s %zu\n", field.name, field.item);
		else
			fprintf(out, "%s\n", field.name);
		render_node(out, field.node, 1);
		anim_arena_reset(arena);
	}
	if (status < 0)
		render_error(out, error);
	if (unity_clip_next(file, arena, &field) != 0)
		fprintf(out, "goes on behind its end\n");
}

static void render_document(FILE *out, struct unity_file *file, const struct unity_document *document,
			    struct anim_arena *arena, const struct anim_error *error)
{
	const struct unity_node *root;

	fprintf(out, "document %" PRId32 " %" PRId64 "%s line %" PRIu32 "\n", document->class_id, document->id,
		document->stripped ? " stripped" : "", document->line);
	anim_arena_reset(arena);
	if (document->class_id == 74)
		render_clip(out, file, arena, error);
	else if (unity_document_tree(file, arena, &root) == 0)
		render_node(out, root, 0);
	else
		render_error(out, error);
}

static void render_file(FILE *out, struct anim_input *input, bool slow, const char *unwanted)
{
	struct unity_file *file;
	struct unity_document document;
	struct anim_arena arena = {0};
	struct anim_error error = {0};
	int status, faults = 0;

	if (unity_file_open(&file, input, &error) != 0) {
		render_error(out, &error);
		return;
	}
	if (slow)
		unity_file_slow(file);
	unity_clip_want(file, is_wanted, (void *)(uintptr_t)unwanted);
	while ((status = unity_file_next(file, &document)) != 0 && faults < 20) {
		if (status > 0) {
			render_document(out, file, &document, &arena, &error);
			continue;
		}
		render_error(out, &error);
		faults++;
	}
	unity_file_close(file);
	anim_arena_clear(&arena);
}

/* *from is set where the bytes come from a file, to be closed behind the input. 0 or -1. */
static int open_input(struct anim_input **input, FILE **from, enum unity_way way, const void *bytes, size_t size)
{
	static const struct anim_input_options one_byte = {.read_max = 1};

	*from = NULL;
	if (way != UNITY_BYTES)
		return anim_input_open_memory(input, bytes, size, "x.anim", NULL);
	*from = tmpfile();
	if (*from == NULL)
		return -1;
	fwrite(bytes, 1, size, *from);
	rewind(*from);
	return anim_input_open_fd(input, fileno(*from), "x.anim", &one_byte, NULL);
}

char *unity_render(enum unity_way way, const void *bytes, size_t size, const char *unwanted)
{
	struct anim_input *input;
	char *text = NULL;
	size_t length;
	FILE *from, *out;

	if (open_input(&input, &from, way, bytes, size) != 0)
		return NULL;
	out = open_memstream(&text, &length);
	if (out != NULL) {
		render_file(out, input, way == UNITY_SLOW, unwanted);
		fclose(out);
	}
	anim_input_close(input);
	if (from != NULL)
		fclose(from);
	return text;
}

char *unity_load(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;
	long length;

	if (file == NULL)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
	    (bytes = malloc((size_t)length + 1)) != NULL)
		*size = fread(bytes, 1, (size_t)length, file);
	fclose(file);
	return bytes;
}
