/* handle.c: open, index and close a file or a stream, and report faults and messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/handle.h"
#include "base/system.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/advice.h"
#include "format/bvh/bvh.h"
#include "format/load.h"
#include "stream/stream.h"

#define MEMORY ((size_t)64 << 20) /* default for tracks */
#define STRUCT_GROWTH 1024u       /* bytes by which later versions may enlarge a struct */

const char *anim_version(void)
{
	return ANIM_TOOLS_VERSION;
}

/* ---- Faults ---- */

_Static_assert((int)ANIM_FAULT_INPUT == (int)ANIM_BAD_INPUT && (int)ANIM_FAULT_SYSTEM == (int)ANIM_SYSTEM &&
		   (int)ANIM_FAULT_MEMORY == (int)ANIM_NO_MEMORY && (int)ANIM_FAULT_TOO_LARGE == (int)ANIM_TOO_LARGE &&
		   (int)ANIM_FAULT_UNSUPPORTED == (int)ANIM_UNSUPPORTED && (int)ANIM_FAULT_CLOSED == (int)ANIM_CLOSED,
	       "faults have the numbers of errors");

int api_fault_code(int code)
{
	return code == ANIM_SEVERAL ? (int)ANIM_FAULT_INPUT : code;
}

int api_fault(struct anim_fault *fault, const struct anim_error *error)
{
	char text[ANIM_LINE_MAX];

	if (fault == NULL)
		return -1;
	fault->code = api_fault_code(error->code);
	fault->line = error->at == ANIM_AT_LINE ? error->line : 0;
	fault->column = error->at == ANIM_AT_LINE ? error->column : 0;
	anim_advice_print(&cli_library_advisor, error->message, text, sizeof text);
	anim_error_print(error, NULL, text, fault->text, sizeof fault->text);
	return -1;
}

int api_misuse(struct anim_error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	anim_fail_va(error, ANIM_FAULT_CALL, NULL, format, args);
	va_end(args);
	return -1;
}

/*
 * Read the size of a struct of the caller. A size that no version can have was not set: it is memory of something
 * else. All members are aligned, so that a size between two multiples would cut a pointer in two.
 */
static int read_size(size_t *size, const void *theirs, size_t own_size, struct anim_error *error)
{
	memcpy(size, theirs, sizeof *size);
	if (*size < sizeof *size || *size > own_size + STRUCT_GROWTH || *size % sizeof *size != 0)
		return api_misuse(error, "a struct whose size is not set: %zu", *size);
	return 0;
}

int api_copy_struct(void *own, size_t own_size, const void *theirs, struct anim_error *error)
{
	size_t size;

	memset(own, 0, own_size);
	if (theirs == NULL)
		return 0;
	if (read_size(&size, theirs, own_size, error) != 0)
		return -1;
	memcpy(own, theirs, size < own_size ? size : own_size);
	return 0;
}

int api_give(void *theirs, const void *own, size_t own_size, struct anim_error *error)
{
	size_t size;

	if (theirs == NULL)
		return api_misuse(error, "the struct to fill is NULL");
	if (read_size(&size, theirs, own_size, error) != 0)
		return -1;
	if (size > own_size) { /* a member unknown to this version must be 0 */
		memset((char *)theirs + own_size, 0, size - own_size);
		size = own_size;
	}
	memcpy((char *)theirs + sizeof size, (const char *)own + sizeof size, size - sizeof size);
	return 0;
}

/* ---- The sink of the reader ---- */

struct api_tree *api_tree(const struct anim *h, size_t number)
{
	return ((struct api_tree **)(void *)h->trees.data)[number];
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *head, struct anim_error *error)
{
	struct anim *h = (struct anim *)sink;
	struct api_tree *tree = anim_arena_zeroed(&h->kept, 1, sizeof *tree, error), **place;

	if (tree == NULL || anim_tree_copy(&tree->head, head, &h->kept, error) != 0)
		return -1;
	anim_poses_init(&tree->posing.poses, h->memory);
	place = anim_buffer_extend(&h->trees, sizeof *place, error);
	if (place == NULL)
		return -1;
	*place = tree;
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim *h = (struct anim *)sink;
	size_t count = anim_tree_count(h);
	struct api_tree *tree = count == 0 ? NULL : api_tree(h, count - 1);
	struct anim_node *kept = tree == NULL ? NULL : anim_buffer_extend(&tree->nodes, sizeof *kept, error);

	if (tree == NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "a node before any tree");
	if (kept == NULL || anim_node_copy(kept, node, &h->kept, error) != 0)
		return -1;
	return anim_poses_add(&tree->posing.poses, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim *h = (struct anim *)sink;
	ptrdiff_t tree = clip->flags & ANIM_IN_TREE ? (ptrdiff_t)anim_tree_count(h) - 1 : -1;

	if (anim_buffer_append(&h->clip_trees, &tree, sizeof tree, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(h->store), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(anim_store_sink(((struct anim *)sink)->store), track, error);
}

/* ---- Opening ---- */

static int keep_messages(struct anim *h, const struct anim_diagnostics *diagnostics, enum anim_severity severity,
			 struct anim_error *error)
{
	char line[ANIM_LINE_MAX];

	for (size_t i = 0; i < diagnostics->count; i++) {
		struct api_message message = {.is_warning = severity == ANIM_WARNING};

		if (diagnostics->items[i].severity != severity)
			continue;
		anim_diagnostic_line(diagnostics, &diagnostics->items[i], &cli_library_advisor, line, sizeof line);
		message.text = anim_arena_text(&h->kept, line, strlen(line), error);
		if (message.text == NULL || anim_buffer_append(&h->messages, &message, sizeof message, error) != 0)
			return -1;
	}
	return 0;
}

/*
 * Return a descriptor for the stream at the current position, which must be the start of a regular file, or -1 if
 * there is no such stream.
 */
static int stream_of(const struct anim_input *input, uint64_t *size)
{
	int fd = anim_input_descriptor(input);
	struct anim_stat info;
	uint8_t head[ANIM_STREAM_HEAD];

	if (fd < 0 || anim_sys_fstat(fd, &info) != 0 || info.kind != ANIM_FILE || lseek(fd, 0, SEEK_CUR) != 0 ||
	    anim_read_at(fd, head, sizeof head, 0) != (ssize_t)sizeof head || !anim_stream_is(head, sizeof head))
		return -1;
	*size = info.size;
	return anim_sys_duplicate(fd);
}

/* Fail if readers of the format (NULL: unknown) do not take an option of anim-parse. Returns 0 or -1. */
static int check_used(const struct anim_format *format, const char *name, const char *purpose, struct anim_error *error)
{
	if (format == NULL || (format->read_options != NULL && anim_text_is_word(format->read_options, name)))
		return 0;
	return api_misuse(error, "the option %s, such as bvh, not for %s", purpose,
			  format->name != NULL ? format->name : format->title);
}

static int read_all(struct anim *h, struct anim_input *input, const struct anim_options *options,
		    struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	uint64_t size = 0;
	const struct anim_format *format = NULL;
	double metres;
	int over = options->format == NULL ? stream_of(input, &size) : -1;
	struct anim_load_options load = {.streams = true, .heads = over >= 0};

	h->store = over >= 0 ? anim_store_new_over(over, size, error) : anim_store_new(h->memory, error);
	if (h->store == NULL)
		return -1;
	load.read = (struct anim_read_options){.store_memory = h->memory,
					       .no_external = options->no_external != 0,
					       .keep_going = options->keep_going != 0,
					       .diagnostics = diagnostics,
					       .input_options = &load.input,
					       .bvh = {options->unit, "unit", options->z_up != 0, false}};
	if (options->format != NULL && (load.format = anim_format_find(options->format, false)) == NULL)
		return api_misuse(error, "unknown format '%s'", options->format);
	if (options->unit != NULL && !anim_bvh_unit(options->unit, &metres))
		return api_misuse(error, "'%s' is not a unit: use cm, m, in, cmu or a number of metres", options->unit);
	load.read.unit_m = options->unit == NULL ? 0 : metres;
	load.read_as = &format;
	if (anim_load(input, &load, &h->sink, error) != 0 || anim_diagnostics_check(diagnostics, error) != 0)
		return -1;
	if ((options->z_up != 0 && check_used(format, "up", "z_up is for motion capture", error) != 0) ||
	    (options->unit != NULL &&
	     check_used(format, "unit", "unit is for files without a length unit", error) != 0))
		return -1;
	return keep_messages(h, diagnostics, ANIM_WARNING, error) != 0
		   ? -1
		   : keep_messages(h, diagnostics, ANIM_NOTE, error);
}

static struct anim *new_handle(const struct anim_options *options, const char *name, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track};
	struct anim *h = anim_zeroed(sizeof *h, error);

	if (h == NULL)
		return NULL;
	h->sink.ops = &ops;
	h->memory = options->memory != 0 ? options->memory : MEMORY;
	h->name = strdup(name);
	if (h->name != NULL)
		return h;
	free(h);
	anim_fail_memory(error);
	return NULL;
}

/* Read the input, which is owned (NULL: it could not be opened, see the error), to its end and close it. */
static struct anim *open_input(struct anim_input *input, const struct anim_options *options, struct anim_error *error,
			       struct anim_fault *fault)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_diagnostic *first;
	struct anim *h = input == NULL ? NULL : new_handle(options, anim_input_name(input), error);
	int result = h == NULL ? -1 : read_all(h, input, options, &diagnostics, error);

	if (result != 0)
		api_fault(fault, error);
	/* The first fault is reported instead of the error that only gives their number. */
	first = anim_diagnostics_first(&diagnostics, ANIM_FAULT);
	if (result != 0 && first != NULL && fault != NULL) {
		size_t used;

		fault->line = first->place.at == ANIM_AT_LINE ? first->place.line : 0;
		fault->column = first->place.at == ANIM_AT_LINE ? first->place.column : 0;
		anim_diagnostic_line(&diagnostics, first, &cli_library_advisor, fault->text, sizeof fault->text);
		used = strlen(fault->text);
		if (diagnostics.faults > 1)
			snprintf(fault->text + used, sizeof fault->text - used, " (the first of %zu faults)",
				 diagnostics.faults);
	}
	anim_diagnostics_clear(&diagnostics);
	anim_input_close(input);
	if (result == 0)
		return h;
	anim_close(h);
	return NULL;
}

/* Open the file of this path or, if it is NULL, the descriptor. */
static struct anim *open_file(const char *path, int fd, const struct anim_options *options, struct anim_fault *fault)
{
	struct anim_options own = {0};
	struct anim_input_options input_options = {0};
	struct anim_error error = {0};
	struct anim_input *input = NULL;

	if (path == NULL && fd < 0)
		api_misuse(&error, "neither a path nor a descriptor");
	else if (api_copy_struct(&own, sizeof own, options, &error) == 0) {
		input_options.name = own.name;
		if ((path != NULL ? anim_input_open(&input, path, &input_options, &error)
				  : anim_input_open_fd(&input, fd, "-", &input_options, &error)) != 0)
			input = NULL;
	}
	return open_input(input, &own, &error, fault);
}

struct anim *anim_open(const char *path, const struct anim_options *options, struct anim_fault *fault)
{
	return open_file(path, -1, options, fault);
}

struct anim *anim_open_fd(int fd, const struct anim_options *options, struct anim_fault *fault)
{
	return open_file(NULL, fd, options, fault);
}

struct anim *anim_open_memory(const void *bytes, size_t size, const struct anim_options *options,
			      struct anim_fault *fault)
{
	struct anim_options own;
	struct anim_error error = {0};
	struct anim_input *input = NULL;

	if (api_copy_struct(&own, sizeof own, options, &error) == 0 && bytes == NULL && size > 0)
		api_misuse(&error, "the bytes are NULL");
	else if (error.code == 0 && size > PTRDIFF_MAX)
		api_misuse(&error, "the size is larger than any memory");
	else if (error.code != 0 ||
		 anim_input_open_memory(&input, bytes, size, own.name != NULL ? own.name : "-", &error) != 0)
		input = NULL;
	return open_input(input, &own, &error, fault);
}

void anim_close(struct anim *h)
{
	if (h == NULL)
		return;
	for (size_t i = 0; i < anim_tree_count(h); i++) {
		anim_buffer_clear(&api_tree(h, i)->nodes);
		anim_posing_clear(&api_tree(h, i)->posing);
	}
	anim_store_free(h->store);
	anim_sample_state_clear(&h->state);
	anim_buffer_clear(&h->trees);
	anim_buffer_clear(&h->clip_trees);
	anim_buffer_clear(&h->messages);
	anim_buffer_clear(&h->values);
	anim_buffer_clear(&h->present);
	anim_arena_clear(&h->texts);
	anim_arena_clear(&h->kept);
	free(h->name);
	free(h);
}

/* ---- Messages ---- */

static const struct api_message *message_at(const struct anim *h, size_t number)
{
	return number < anim_message_count(h) ? (const struct api_message *)(void *)h->messages.data + number : NULL;
}

size_t anim_message_count(const struct anim *h)
{
	return h == NULL ? 0 : h->messages.size / sizeof(struct api_message);
}

const char *anim_message(const struct anim *h, size_t number)
{
	const struct api_message *message = message_at(h, number);

	return message == NULL ? NULL : message->text;
}

int anim_message_is_warning(const struct anim *h, size_t number)
{
	const struct api_message *message = message_at(h, number);

	return message != NULL && message->is_warning;
}
