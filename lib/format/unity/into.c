/* into.c: a clip put into a .anim that is there: fields that no clip has stay as they stand. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/input.h"
#include "base/text.h"
#include "format/unity/writer.h"

/* ---- What the file's own clip keeps: settings, version, what else its fields say ---- */

/* Takes the attributes of the clip that is read; its tracks go nowhere. */
struct kept_sink {
	struct anim_sink sink;
	struct anim_arena *arena;
	struct anim_attrs attrs;
	size_t clips;
};

static int keep_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct kept_sink *kept = (struct kept_sink *)sink;

	kept->clips++;
	for (size_t i = 0; i < clip->attrs.count; i++) {
		const struct anim_attrs before = kept->attrs;

		if (anim_attrs_with(&kept->attrs, &before, clip->attrs.items[i].key, clip->attrs.items[i].value,
				    kept->arena, error) != 0)
			return -1;
	}
	return 0;
}

/* The first thing that reading told of and that replacing would lose; NULL: nothing. */
static const char *first_warning(const struct anim_diagnostics *told)
{
	for (size_t i = 0; i < told->count; i++)
		if (told->items[i].severity != ANIM_NOTE)
			return told->items[i].one;
	return NULL;
}

static int read_kept(struct unity_writer *writer, struct kept_sink *kept)
{
	const struct anim_into *into = &writer->options.into;
	struct anim_diagnostics told = {0};
	const struct anim_read_options options = {
	    .store_memory = writer->options.store_memory, .no_external = true, .diagnostics = &told};
	struct anim_input *input = NULL;
	const char *warning;
	int result = anim_input_open(&input, into->file, NULL, writer->error);

	if (result == 0)
		result = anim_unity_read(input, &options, &kept->sink, writer->error);
	warning = first_warning(&told);
	if (result == 0 && kept->clips != 1)
		result = anim_fail(writer->error, ANIM_BAD_INPUT,
				   "it holds %zu clips; a clip is put into a file of one", kept->clips);
	else if (result == 0 && warning != NULL && !into->force)
		result =
		    anim_fail(writer->error, ANIM_BAD_INPUT,
			      "what it has cannot be read whole and would be lost: %s; --force replaces it", warning);
	anim_input_close(input);
	anim_diagnostics_clear(&told);
	return result == 0 ? 0 : anim_error_in_file(writer->error, into->file);
}

/* Sets the attribute, or takes it away where value is NULL. 0 or -1. */
static int set(struct unity_writer *writer, struct anim_clip *clip, const char *key, const char *value)
{
	const struct anim_attrs before = clip->attrs;

	clip->record = NULL;
	return anim_attrs_with(&clip->attrs, &before, key, value, &writer->kept, writer->error);
}

int unity_into_clip(struct unity_writer *writer, const struct anim_clip *clip, struct anim_clip *out)
{
	static const struct anim_sink_ops ops = {.clip = keep_clip};
	/* how the file is to be read is not the clip's to say */
	static const char *const of_file[] = {UNITY_ATTR_PREFIX UNITY_VERSION, UNITY_ATTR_PREFIX "m_Legacy"};
	struct kept_sink kept = {.sink = {.ops = &ops}, .arena = &writer->kept};

	*out = *clip;
	if (stat(writer->options.into.file, &writer->into_info) != 0) {
		anim_fail_system(writer->error, "cannot open");
		return anim_error_in_file(writer->error, writer->options.into.file);
	}
	if (read_kept(writer, &kept) != 0)
		return -1;
	for (size_t i = 0; i < sizeof of_file / sizeof *of_file; i++)
		if (set(writer, out, of_file[i], NULL) != 0)
			return -1;
	for (size_t i = 0; i < kept.attrs.count; i++) {
		const struct anim_attr *attr = &kept.attrs.items[i];

		if (anim_text_behind(attr->key, UNITY_ATTR_PREFIX) != NULL &&
		    anim_attrs_get(&out->attrs, attr->key) == NULL && set(writer, out, attr->key, attr->value) != 0)
			return -1;
	}
	return 0;
}

/* ---- Writing: the file line by line, with the clip's fields in the place of its own ---- */

/* The name of a field of the document, NULL: the line goes on with the field before it. */
static const char *key_of(const struct anim_lines *lines, char *key, size_t capacity)
{
	size_t length = (size_t)(lines->end - lines->at), end = 2;

	if (length < 4 || lines->at[0] != ' ' || lines->at[1] != ' ')
		return NULL;
	while (end < length && end - 2 < capacity - 1 && lines->at[end] != ':' && lines->at[end] != ' ' &&
	       lines->at[end] != '-')
		end++;
	if (end == 2 || end == length || lines->at[end] != ':')
		return NULL;
	memcpy(key, lines->at + 2, end - 2);
	key[end - 2] = '\0';
	return key;
}

static int put_line(struct unity_writer *writer, const struct anim_lines *lines)
{
	if (anim_output_write(writer->out, lines->at, (size_t)(lines->end - lines->at), writer->error) != 0)
		return -1;
	return lines->is_whole ? anim_output_write(writer->out, "\n", 1, writer->error) : 0;
}

/* What the document of the file did not have. 0 or -1. */
static int end_document(struct unity_writer *writer)
{
	return unity_document_part(writer, "m_RotationCurves") < 0 ||
		       (!writer->wrote_events && unity_document_part(writer, "m_Events") < 0)
		   ? -1
		   : 0;
}

static int write_lines(struct unity_writer *writer, struct anim_lines *lines)
{
	bool in_clip = false, passed = false;
	char key[64];
	int got;

	while ((got = anim_lines_next(lines, writer->error)) > 0) {
		size_t length = (size_t)(lines->end - lines->at);
		bool starts = length >= 3 && memcmp(lines->at, "---", 3) == 0;

		if (starts && in_clip && end_document(writer) != 0)
			return -1;
		if (starts) {
			in_clip = length >= 9 && memcmp(lines->at, "--- !u!74", 9) == 0;
			passed = false;
		}
		if (in_clip && key_of(lines, key, sizeof key) != NULL) {
			int part = unity_document_part(writer, key);

			if (part < 0)
				return -1;
			passed = part > 0;
		}
		if (!passed && put_line(writer, lines) != 0)
			return -1;
	}
	return got < 0 || (in_clip && end_document(writer) != 0) ? -1 : 0;
}

int unity_into_write(struct unity_writer *writer)
{
	const char *file = writer->options.into.file;
	struct anim_lines lines = {0};
	struct stat info;
	int result = anim_input_open(&lines.input, file, NULL, writer->error);

	if (result == 0)
		result = write_lines(writer, &lines);
	if (result == 0 && (stat(file, &info) != 0 || info.st_size != writer->into_info.st_size ||
			    info.st_mtim.tv_sec != writer->into_info.st_mtim.tv_sec ||
			    info.st_mtim.tv_nsec != writer->into_info.st_mtim.tv_nsec)) {
		anim_fail(writer->error, ANIM_BAD_INPUT, "it changed while the stream was read; nothing was written");
		result = anim_error_in_file(writer->error, file);
	}
	anim_input_close(lines.input);
	return result;
}

int anim_unity_into(struct anim_write_options *options, struct anim_error *error)
{
	struct anim_input *input = NULL;
	const uint8_t *at;
	int result = anim_input_open(&input, options->into.file, NULL, error);

	if (result == 0 && anim_input_peek(input, 1, &at, error) < 0)
		result = -1;
	anim_input_close(input);
	return result == 0 ? 0 : anim_error_in_file(error, options->into.file);
}
