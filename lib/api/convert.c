/* convert.c: converts files, memory and handles, and applies filters to handles, with the programs' own steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"
#include "base/input.h"
#include "base/named.h"
#include "base/output.h"
#include "base/path.h"
#include "base/progress.h"
#include "clip/diagnostics.h"
#include "run/run.h"

/* A call: the receiver of messages, and the options. */
struct call {
	struct cli_host host;
	const struct anim_conversion *conversion; /* NULL: without functions of the caller */
	struct anim_fault *fault;
	struct anim_error error; /* of the call itself */
	bool failed;             /* the fault is set */
	struct anim_arena arena;
	struct anim_buffer arguments; /* struct cli_argument */
	struct anim_named_set named;
	struct anim_buffer streams;  /* void *, owned: the bytes of handles */
	struct anim_buffer messages; /* struct api_message: of a filter */
};

/* ---- Messages ---- */

static void report_message(const struct call *call, const struct anim_diagnostic *item, const char *text)
{
	static const enum anim_level levels[] = {ANIM_LEVEL_NOTE, ANIM_LEVEL_WARNING, ANIM_LEVEL_FAULT};
	const struct anim_conversion *to = call->conversion;
	struct anim_message_info info = {.size = sizeof info, .level = levels[item->severity], .text = text};

	if (to == NULL || to->message == NULL)
		return;
	info.file = item->place.file;
	if (info.file == NULL && item->scope != NULL)
		info.file = item->scope->file;
	if (info.file != NULL && strncmp(info.file, ANIM_NAMED, strlen(ANIM_NAMED)) == 0)
		info.file += strlen(ANIM_NAMED);
	info.clip = item->scope != NULL ? item->scope->clip : NULL;
	info.subject = item->name_count > 0 ? item->names[0] : NULL;
	if (item->place.at == ANIM_AT_LINE) {
		info.line = item->place.line;
		info.column = item->place.column;
	}
	info.count = item->count;
	info.unit = item->unit;
	info.worst = item->unit == NULL ? 0 : item->worst;
	to->message(to->context, &info);
}

/* Take a message or an error. The first fault or error is the fault of the call. */
static void report(struct cli_host *host, const char *program, const struct anim_diagnostic *item,
		   const struct anim_error *place, const char *line)
{
	struct call *call = (struct call *)host;
	char text[sizeof call->fault->text];
	size_t used = 0;

	(void)program;
	/* The line without the marks of names of memory. */
	while (*line != '\0' && used + 1 < sizeof text)
		if (strncmp(line, ANIM_NAMED, strlen(ANIM_NAMED)) == 0)
			line += strlen(ANIM_NAMED);
		else
			text[used++] = *line++;
	text[used] = '\0';
	if (item != NULL)
		report_message(call, item, text);
	/* The new handle of anim_apply gets the messages. Without memory a message is lost. */
	if (item != NULL && item->severity != ANIM_FAULT && call->conversion == NULL) {
		struct api_message message = {anim_arena_text(&call->arena, text, used, NULL),
					      item->severity == ANIM_WARNING};

		if (message.text != NULL)
			(void)anim_buffer_append(&call->messages, &message, sizeof message, &call->error);
	}
	if ((item != NULL && item->severity != ANIM_FAULT) || call->failed)
		return;
	call->failed = true;
	if (call->fault == NULL)
		return;
	call->fault->code = item != NULL    ? (int)ANIM_FAULT_INPUT
			    : place != NULL ? api_fault_code(place->code)
					    : (int)ANIM_FAULT_CALL;
	if (item != NULL && item->place.at == ANIM_AT_LINE) {
		call->fault->line = item->place.line;
		call->fault->column = item->place.column;
	} else if (item == NULL && place != NULL && place->at == ANIM_AT_LINE) {
		call->fault->line = place->line;
		call->fault->column = place->column;
	}
	memcpy(call->fault->text, text, sizeof text);
}

static int show_progress(struct cli_host *host, uint64_t read_bytes, uint64_t source_bytes)
{
	const struct anim_conversion *to = ((struct call *)host)->conversion;

	return to->progress(to->context, read_bytes, source_bytes);
}

/* ---- Options ---- */

/* Add an option, whose value is NULL for a flag, or an operand if the name is NULL. All texts are borrowed. */
static int add(struct call *call, const char *name, const char *value)
{
	struct cli_argument argument = {name, value};

	if (name != NULL && name[0] == '-')
		return api_misuse(&call->error, "'%s' is not the name of an option: write it without dashes", name);
	return anim_buffer_append(&call->arguments, &argument, sizeof argument, &call->error);
}

static int add_options(struct call *call, const struct anim_attribute *options, size_t count)
{
	if (options == NULL && count > 0)
		return api_misuse(&call->error, "the options are NULL");
	for (size_t i = 0; i < count; i++) {
		const char *value = options[i].value;

		if (options[i].key == NULL && value == NULL)
			return api_misuse(&call->error, "an option has neither a name nor a value");
		/* the value may name a source aside */
		for (size_t k = 0; k < call->named.count && options[i].value != NULL; k++)
			if (strcmp(call->named.items[k]->name + strlen(ANIM_NAMED), options[i].value) == 0) {
				value = call->named.items[k]->name;
				break;
			}
		if (add(call, options[i].key, value) != 0)
			return -1;
	}
	return 0;
}

/* ---- Memory ---- */

/* Give bytes a name that the steps open. Returns the name, or NULL. */
static const char *name_bytes(struct call *call, const char *name, const void *bytes, size_t size, bool is_output)
{
	char text[280];
	const char *kept;
	struct anim_named *named;

	snprintf(text, sizeof text, ANIM_NAMED "%.255s", anim_path_last(name));
	kept = anim_arena_text(&call->arena, text, strlen(text), &call->error);
	named = kept == NULL ? NULL : anim_named_add(&call->named, kept, is_output);
	if (named == NULL)
		return NULL;
	if (bytes != NULL)
		named->bytes = bytes;
	named->size = size;
	return kept;
}

/* Read a descriptor to memory, which belongs to the call. */
static const char *name_descriptor(struct call *call, const char *name, int fd)
{
	const struct anim_input_options options = {.keep_gzip = true};
	struct anim_buffer bytes = {.data = NULL};
	struct anim_input *input;
	const uint8_t *at;
	ssize_t size;

	if (anim_input_open_fd(&input, fd, name, &options, &call->error) != 0)
		return NULL;
	while ((size = anim_input_peek(input, 1, &at, &call->error)) > 0) {
		if (anim_buffer_append(&bytes, at, (size_t)size, &call->error) != 0)
			break;
		anim_input_skip(input, (size_t)size);
	}
	anim_input_close(input);
	if (size == 0 && anim_buffer_append(&call->streams, &bytes.data, sizeof bytes.data, &call->error) == 0)
		return name_bytes(call, name, bytes.data, bytes.size, false);
	anim_buffer_clear(&bytes);
	return NULL;
}

/* Write the trees and clips of a handle as a stream to memory, which belongs to the call. */
static const char *name_handle(struct call *call, struct anim *handle)
{
	void *bytes;
	size_t size;

	if (api_stream_of(handle, &bytes, &size, &call->error) != 0)
		return NULL;
	if (anim_buffer_append(&call->streams, &bytes, sizeof bytes, &call->error) != 0) {
		free(bytes);
		return NULL;
	}
	return name_bytes(call, handle->name, bytes, size, false);
}

static int add_source(struct call *call, const struct anim_convert_source *source, bool aside)
{
	struct anim_convert_source own;
	const char *name, *path;

	if (api_copy_struct(&own, sizeof own, source, &call->error) != 0)
		return -1;
	if ((own.is_aside != 0) != aside)
		return 0;
	if ((own.path != NULL) + (own.bytes != NULL || own.byte_count > 0) + (own.handle != NULL) + (own.has_fd != 0) !=
	    1)
		return api_misuse(&call->error, "a source is a path, bytes, a handle or a descriptor");
	if (own.bytes == NULL && own.byte_count > 0)
		return api_misuse(&call->error, "the bytes of a source are NULL");
	if (own.is_aside && (own.bytes == NULL || own.name == NULL))
		return api_misuse(&call->error, "a source aside has bytes and a name");
	name = own.name != NULL ? own.name : "input";
	path = own.path != NULL     ? own.path
	       : own.handle != NULL ? name_handle(call, own.handle)
	       : own.has_fd         ? name_descriptor(call, name, own.fd)
				    : name_bytes(call, name, own.bytes, own.byte_count, false);
	return path == NULL ? -1 : own.is_aside ? 0 : add(call, NULL, path);
}

/* Add the sources that are aside, or all others. */
static int add_sources(struct call *call, const struct anim_conversion *own, bool aside)
{
	int result = 0;

	for (size_t i = 0; i < own->source_count && result == 0; i++)
		result = add_source(call,
				    (const struct anim_convert_source *)(const void *)((const char *)own->sources +
										       i * own->sources->size),
				    aside);
	return result;
}

static void clear_messages(struct call *call)
{
	anim_buffer_clear(&call->messages);
	anim_arena_clear(&call->arena);
}

/* Give the messages of the filter to the handle that it made. Returns 0 or -1. */
static int give_messages(struct call *call, struct anim *made)
{
	struct api_message *messages = (struct api_message *)(void *)call->messages.data;

	for (size_t i = 0; i < call->messages.size / sizeof *messages; i++) {
		messages[i].text =
		    anim_arena_text(&made->kept, messages[i].text, strlen(messages[i].text), &call->error);
		if (messages[i].text == NULL)
			return -1;
	}
	return anim_buffer_append(&made->messages, call->messages.data, call->messages.size, &call->error);
}

/*
 * Run the program. If it is a filter that succeeded, its messages stay until clear_messages. The caller owns the
 * memory that an output wrote. Returns 0 or -1 with the fault.
 */
static int end(struct call *call, int result, const char *filter, struct anim_named *written)
{
	const struct anim_conversion *to = call->conversion;
	int status = -1;

	if (result == 0)
		result = add(call, NULL, NULL); /* the end */
	if (result == 0) {
		const struct cli_argument *arguments = (const struct cli_argument *)(void *)call->arguments.data;

		anim_named_use(&call->named);
		status =
		    filter == NULL ? run_convert(&call->host, arguments) : run_step(&call->host, filter, arguments);
		anim_named_use(NULL);
		anim_progress_use(NULL, NULL);
		if (status < 0)
			api_misuse(&call->error, "'%s' is not a filter", filter);
	}
	/* The caller gets each file in memory: the output itself, or a part. */
	for (size_t i = 0; i < call->named.count && status == 0; i++) {
		struct anim_named *named = call->named.items[i];

		if (!named->is_output || named->written == NULL)
			continue;
		if (to != NULL && to->part != NULL && (named->own_name != NULL || (to->bytes == NULL && !to->has_fd)))
			to->part(to->context, named->name + strlen(ANIM_NAMED), named->written, named->size);
		else if (written != NULL) {
			*written = *named;
			named->written = NULL;
		}
	}
	anim_named_clear(&call->named);
	if (status != 0 && !call->failed) {
		if (call->error.code == 0)
			anim_fail_memory(&call->error);
		api_fault(call->fault, &call->error);
	}
	for (size_t i = 0; i < call->streams.size / sizeof(void *); i++)
		free(((void **)(void *)call->streams.data)[i]);
	anim_buffer_clear(&call->streams);
	anim_buffer_clear(&call->arguments);
	if (status != 0 || filter == NULL)
		clear_messages(call);
	return status == 0 ? 0 : -1;
}

/* ---- The two calls ---- */

static int write_all(int fd, const struct anim_named *written, struct anim_error *error)
{
	struct anim_output *output = NULL;
	int result = anim_output_open_fd(&output, fd, "output", error);

	if (result == 0)
		result = anim_output_write(output, written->written, written->size, error);
	if (result == 0)
		result = anim_output_commit(output, error);
	anim_output_free(output);
	return result;
}

int anim_convert(const struct anim_conversion *conversion, struct anim_fault *fault)
{
	struct call call = {.host = {.message = report}, .fault = fault};
	struct anim_conversion own = {0};
	struct anim_named written = {.name = NULL};
	int result = conversion == NULL ? api_misuse(&call.error, "the conversion is NULL")
					: api_copy_struct(&own, sizeof own, conversion, &call.error);

	if (result == 0 &&
	    (own.output != NULL) + (own.has_fd != 0) + (own.bytes != NULL || (own.part != NULL && !own.has_fd)) != 1)
		result = api_misuse(&call.error, "the output is either a path, a descriptor or memory");
	if (result == 0 &&
	    (own.source_count == 0 || own.sources == NULL || (own.bytes != NULL && own.byte_count == NULL)))
		result = api_misuse(&call.error, "a conversion needs sources, and memory a place for its size");
	call.conversion = &own;
	call.named.takes_parts = own.part != NULL;
	call.host.progress = own.progress == NULL ? NULL : show_progress;
	if (result == 0)
		result = add_sources(&call, &own, true);
	if (result == 0)
		result = add_options(&call, own.options, own.option_count);
	if (result == 0 && own.output != NULL)
		result = add(&call, "output", own.output);
	else if (result == 0) {
		const char *name = name_bytes(&call, own.name != NULL ? own.name : "output", NULL, 0, true);

		result = name == NULL ? -1 : add(&call, "output", name);
	}
	if (result == 0)
		result = add_sources(&call, &own, false);
	result = end(&call, result, NULL, &written);
	if (result == 0 && own.bytes != NULL) {
		*own.bytes = written.written;
		*own.byte_count = written.size;
	}
	if (result == 0 && own.has_fd) {
		if (write_all(own.fd, &written, &call.error) != 0)
			result = api_fault(fault, &call.error);
		free(written.written);
	}
	return result;
}

struct anim *anim_apply(struct anim *handle, const char *filter, const struct anim_attribute *options,
			size_t option_count, struct anim_fault *fault)
{
	struct call call = {.host = {.message = report}, .fault = fault};
	struct anim_named written = {.name = NULL};
	struct anim_options opening = {.size = sizeof opening};
	struct anim *made;
	const char *in = NULL, *out;
	int result = handle == NULL || filter == NULL
			 ? api_misuse(&call.error, "the handle or the name of the filter is NULL")
			 : add_options(&call, options, option_count);

	if (result == 0 && (out = name_bytes(&call, "output.axs", NULL, 0, true)) != NULL)
		result = add(&call, "output", out);
	else
		result = -1;
	if (result == 0)
		result = (in = name_handle(&call, handle)) == NULL ? -1 : add(&call, NULL, in);
	if (end(&call, result, filter, &written) != 0)
		return NULL;
	opening.name = handle->name;
	opening.memory = handle->memory;
	made = anim_open_memory(written.written, written.size, &opening, fault);
	free(written.written);
	if (made != NULL && give_messages(&call, made) != 0) {
		api_fault(fault, &call.error);
		anim_close(made);
		made = NULL;
	}
	clear_messages(&call);
	return made;
}

void anim_free(void *bytes)
{
	free(bytes);
}
