/* reader.c: anim_gltf_read: the document, the bytes that its animations need, then the tree and the clips. */
#include "format/gltf/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/text.h"

/* ---- is it one? ---- */

static size_t skip_blanks(const uint8_t *bytes, size_t size, size_t at)
{
	while (at < size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n'))
		at++;
	return at;
}

/* The asset may stand behind thousands of accessors; the first member is told by any beginning of the file. */
bool anim_gltf_is(const uint8_t *bytes, size_t size)
{
	static const char *const first[] = {
	    "\"accessors\"", "\"animations\"",         "\"bufferViews\"",
	    "\"buffers\"",   "\"extensionsRequired\"", "\"extensionsUsed\"",
	};
	size_t at = skip_blanks(bytes, size, anim_bytes_begin(bytes, size, "\xef\xbb\xbf") ? 3 : 0);

	if (anim_bytes_begin(bytes, size, "glTF"))
		return true;
	if (at == size || bytes[at] != '{')
		return false;
	at = skip_blanks(bytes, size, at + 1);
	for (size_t i = 0; i < ANIM_COUNT(first); i++)
		if (anim_bytes_begin(bytes + at, size - at, first[i]))
			return true;
	return anim_text_find(bytes, size, "\"asset\"") != NULL;
}

/* ---- what is said ---- */

int gltf_warn(struct gltf_reader *reader, const char *many, const char *one, ...)
{
	const struct anim_place place = {.file = anim_input_name(reader->input), .at = ANIM_AT_FILE};
	char text[sizeof reader->error->message];
	va_list args;

	va_start(args, one);
	vsnprintf(text, sizeof text, one, args);
	va_end(args);
	return anim_diagnostics_add(reader->options->diagnostics, ANIM_WARNING, &place, many, reader->error, "%s",
				    text);
}

static uint32_t animation_count(const struct gltf_reader *reader)
{
	return GLTF_COUNT(&reader->asset, animations, struct gltf_animation);
}

/* Under --keep-going an animation at fault is left out. 0 or -1. */
static int leave_out(struct gltf_reader *reader, uint32_t number)
{
	char why[sizeof reader->error->message];

	if (!anim_error_is_of_input(reader->error))
		return -1;
	snprintf(why, sizeof why, "%s", reader->error->message);
	if (!reader->options->keep_going) {
		if (animation_count(reader) > 1)
			snprintf(reader->error->message, sizeof reader->error->message,
				 "%.400s; anim-parse --keep-going leaves this clip out", why);
		return -1;
	}
	*reader->error = (struct anim_error){0};
	reader->left_out[number] = true;
	return gltf_warn(reader, NULL, "left out: %.400s", why);
}

/* ---- what is needed ---- */

static int want(struct gltf_reader *reader, const struct gltf_sampler *sampler, void *nothing)
{
	(void)nothing;
	if (gltf_accessor_want(&reader->data, &reader->asset, sampler->input, reader->error) != 0)
		return -1;
	return gltf_accessor_want(&reader->data, &reader->asset, sampler->output, reader->error);
}

static int unpack(struct gltf_reader *reader, const struct gltf_sampler *sampler, void *nothing)
{
	(void)nothing;
	if (gltf_accessor_unpack(&reader->data, &reader->asset, sampler->input, reader->error) != 0)
		return -1;
	return gltf_accessor_unpack(&reader->data, &reader->asset, sampler->output, reader->error);
}

static int for_animations(struct gltf_reader *reader, gltf_sampler_act *act)
{
	for (uint32_t i = 0; i < animation_count(reader); i++)
		if (!reader->left_out[i] && gltf_for_channels(reader, i, act, NULL) != 0 && leave_out(reader, i) != 0)
			return -1;
	return 0;
}

/* ---- external buffers: only regular files in the file's folder and those in it ---- */

static int refuse_uri(struct gltf_reader *reader, uint32_t number, const char *why)
{
	const struct gltf_buffer *buffer = GLTF_AT(&reader->asset, buffers, struct gltf_buffer, number);
	char shown[160];

	anim_text_safe(shown, sizeof shown, buffer->uri, strlen(buffer->uri));
	return anim_fail(reader->error, ANIM_BAD_INPUT, "buffers[%" PRIu32 "]: '%s': %s", number, shown, why);
}

/* Why a name cannot be followed at all; NULL: it can. */
static const char *why_not(const struct gltf_reader *reader, const char *uri)
{
	size_t scheme = strcspn(uri, ":/?#");

	if (reader->options->no_external)
		return "other files are not followed";
	if (reader->location.real == NULL)
		return "what comes from a pipe has no folder to look in";
	if (uri[0] == '\0')
		return "a file's name is needed";
	return uri[0] == '/' || uri[scheme] == ':' ? "only relative paths are followed" : NULL;
}

/* The file of a buffer, and what it is called in messages. The fd or -1. */
static int open_file(struct gltf_reader *reader, uint32_t number, const char **shown)
{
	const char *uri = GLTF_AT(&reader->asset, buffers, struct gltf_buffer, number)->uri, *real;
	const char *why = why_not(reader, uri);
	int found, fd = -1;

	if (why != NULL)
		return refuse_uri(reader, number, why);
	*shown = anim_path_join(&reader->arena, reader->location.shown_folder, uri, reader->error);
	found = *shown == NULL ? -1 : anim_path_real(&reader->arena, *shown, &real, reader->error);
	if (found < 0)
		return -1;
	if (found == 0 && !anim_path_is_refused(errno))
		why = errno == ENOENT ? "no such file" : "it cannot be reached";
	else if (found > 0 && !anim_path_is_below(real, reader->location.folder))
		why = "it lies outside the file's folder";
	else if (found > 0)
		fd = anim_open_regular(real, &why);
	if (fd >= 0)
		return fd;
	if (why != NULL)
		return refuse_uri(reader, number, why);
	anim_fail_system(reader->error, "cannot open");
	return anim_error_in_file(reader->error, *shown);
}

/* The wanted bytes of one, from the input. 0 or -1. */
static int keep_file(struct gltf_reader *reader, uint32_t number, struct anim_input *input)
{
	uint64_t length = GLTF_AT(&reader->asset, buffers, struct gltf_buffer, number)->length, read;

	if (gltf_data_keep(&reader->data, number, input, &read, reader->error) != 0)
		return -1;
	if (gltf_data_has(&reader->data, number, read))
		return 0;
	return anim_fail(reader->error, ANIM_BAD_INPUT,
			 "the file has %" PRIu64 " bytes, as buffers[%" PRIu32 "] it should have %" PRIu64, read,
			 number, length);
}

static int read_file(struct gltf_reader *reader, uint32_t number)
{
	const struct anim_read_options *options = reader->options;
	struct anim_input_options input_options = {0};
	struct anim_input *input = NULL;
	const char *shown = NULL;
	int fd = open_file(reader, number, &shown), result;

	if (fd < 0)
		return -1;
	if (options->input_options != NULL)
		input_options = *options->input_options;
	input_options.name = NULL;
	result = options->opened == NULL ? 0 : options->opened(options->opened_context, shown, reader->error);
	if (result == 0)
		result = anim_input_open_fd(&input, fd, shown, &input_options, reader->error);
	if (result == 0)
		result = keep_file(reader, number, input);
	if (result != 0)
		anim_error_in_file(reader->error, shown);
	anim_input_close(input);
	close(fd);
	return result;
}

/* Those that animations need. 0 or -1. */
static int read_files(struct gltf_reader *reader)
{
	for (uint32_t i = 0; i < GLTF_COUNT(&reader->asset, buffers, struct gltf_buffer); i++) {
		const struct gltf_buffer *buffer = GLTF_AT(&reader->asset, buffers, struct gltf_buffer, i);

		if (buffer->is_data || !gltf_data_wants(&reader->data, i) ||
		    (i == 0 && buffer->uri == NULL && reader->has_bin))
			continue;
		if (buffer->uri == NULL)
			return anim_fail(reader->error, ANIM_BAD_INPUT, "buffers[%" PRIu32 "] has no data", i);
		if (read_file(reader, i) != 0)
			return -1;
	}
	return 0;
}

/* ---- a GLB's chunks behind the JSON ---- */

static int keep_bin(struct gltf_reader *reader, uint64_t size)
{
	const struct gltf_buffer *buffer = GLTF_AT(&reader->asset, buffers, struct gltf_buffer, 0);
	uint64_t read = 0;

	reader->has_bin = true;
	if (buffer != NULL && buffer->uri == NULL && !buffer->is_data && gltf_data_wants(&reader->data, 0)) {
		if (buffer->length > size)
			return anim_fail(reader->error, ANIM_BAD_INPUT,
					 "buffers[0] has %" PRIu64 " bytes, the BIN chunk %" PRIu64, buffer->length,
					 size);
		if (gltf_data_keep(&reader->data, 0, reader->input, &read, reader->error) != 0)
			return -1;
	}
	return gltf_container_skip(&reader->container, size - read, reader->error);
}

static int refuse_chunk(struct gltf_reader *reader, const char *what)
{
	const struct anim_place place = {.file = anim_input_name(reader->input),
					 .at = ANIM_AT_BYTE,
					 .offset = anim_input_offset(reader->input) - GLTF_CHUNK_HEAD_BYTES};

	return anim_fail_at(reader->error, ANIM_BAD_INPUT, &place, "%s", what);
}

static int read_chunks(struct gltf_reader *reader)
{
	uint32_t type;
	uint64_t size;
	bool extra, other = false;
	int more;

	while ((more = gltf_container_next(&reader->container, &type, &size, &extra, reader->error)) == 1) {
		int result;

		if (type == GLTF_CHUNK_JSON)
			return refuse_chunk(reader, "a second JSON chunk");
		if (type == GLTF_CHUNK_BIN && (reader->has_bin || other))
			return refuse_chunk(reader, reader->has_bin ? "a second BIN chunk"
								    : "the BIN chunk is not the second one");
		other |= type != GLTF_CHUNK_BIN;
		result = type == GLTF_CHUNK_BIN ? keep_bin(reader, size)
						: gltf_container_skip(&reader->container, size, reader->error);
		if (result != 0)
			return -1;
	}
	if (more == 0 && extra)
		return gltf_warn(reader, NULL,
				 "there are bytes behind the %" PRIu64
				 " that the GLB should have; they are passed over",
				 reader->container.length);
	return more;
}

/* ---- the clips ---- */

/* "walk"; an animation without a name is called by the file, further ones are numbered. NULL out of memory. */
static const char *clip_name(struct gltf_reader *reader, uint32_t number, uint32_t *unnamed)
{
	const char *name = GLTF_AT(&reader->asset, animations, struct gltf_animation, number)->name;

	if (name != NULL && name[0] != '\0')
		return name;
	++*unnamed;
	return *unnamed == 1
		   ? reader->base_name
		   : anim_arena_printf(&reader->arena, reader->error, "%s-%" PRIu32, reader->base_name, *unnamed);
}

/* Into a store first: what is at fault is known only at its end. */
static int write_or_leave_out(struct gltf_reader *reader, uint32_t number, const char *name, struct anim_sink *sink)
{
	struct anim_store *store = anim_store_new(reader->options->store_memory, reader->error);
	int result = -1;

	if (store != NULL)
		result = gltf_clip_write(reader, number, name, anim_store_sink(store));
	if (result == 0)
		result = anim_store_replay(store, 0, NULL, sink, reader->error);
	else if (store != NULL)
		result = leave_out(reader, number);
	anim_store_free(store);
	return result;
}

static int write_clips(struct gltf_reader *reader, struct anim_sink *sink)
{
	uint32_t unnamed = 0;

	for (uint32_t i = 0; i < animation_count(reader); i++) {
		const char *name = clip_name(reader, i, &unnamed);

		if (name == NULL)
			return -1;
		if (reader->left_out[i])
			continue;
		if (reader->options->keep_going
			? write_or_leave_out(reader, i, name, sink) != 0
			: gltf_clip_write(reader, i, name, sink) != 0 && leave_out(reader, i) != 0)
			return -1;
	}
	return 0;
}

/* ---- the file ---- */

static int read_document(struct gltf_reader *reader)
{
	struct gltf_container *container = &reader->container;
	struct gltf_source source = {.input = reader->input, .data = &reader->data.spool};

	if (gltf_container_open(container, reader->input, reader->error) != 0)
		return -1;
	source.size = container->json_size;
	source.base = container->is_glb ? GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES : 0;
	if (gltf_asset_read(&reader->asset, &source, reader->error) != 0)
		return -1;
	return gltf_tree_make(&reader->tree, &reader->asset, reader->error);
}

static int read_data(struct gltf_reader *reader)
{
	reader->left_out =
	    anim_arena_zeroed(&reader->arena, animation_count(reader) + 1, sizeof *reader->left_out, reader->error);
	reader->times = anim_arena_zeroed(&reader->arena, GLTF_COUNT(&reader->asset, accessors, struct gltf_accessor),
					  sizeof *reader->times, reader->error);
	if (reader->left_out == NULL || reader->times == NULL || for_animations(reader, want) != 0)
		return -1;
	if (reader->options->bind_rests && gltf_bind_want(reader) != 0)
		return -1;
	gltf_data_sort(&reader->data);
	if (reader->container.is_glb && read_chunks(reader) != 0)
		return -1;
	if (anim_locate(&reader->location, reader->input, &reader->arena, reader->error) != 0 ||
	    read_files(reader) != 0)
		return -1;
	if (reader->options->bind_rests && gltf_bind_set(reader) != 0)
		return -1;
	return for_animations(reader, unpack);
}

static int note_first(struct gltf_reader *reader)
{
	const struct anim_place place = {.file = anim_input_name(reader->input), .at = ANIM_AT_FILE};

	if (!reader->asset.is_vrm || animation_count(reader) < 2)
		return 0;
	return anim_diagnostics_add(reader->options->diagnostics, ANIM_NOTE, &place, NULL, reader->error,
				    "of its %u animations VRM players show the first alone", animation_count(reader));
}

static int write_all(struct gltf_reader *reader, struct anim_sink *sink)
{
	if (gltf_tree_write(&reader->tree, &reader->asset, reader->file, reader->base_name, sink, reader->error) != 0)
		return -1;
	if (animation_count(reader) == 0)
		return gltf_warn(reader, NULL, "no animation in this file");
	return note_first(reader) != 0 ? -1 : write_clips(reader, sink);
}

static void clear(struct gltf_reader *reader)
{
	gltf_asset_clear(&reader->asset);
	gltf_tree_clear(&reader->tree);
	gltf_data_clear(&reader->data);
	anim_arena_clear(&reader->arena);
	anim_arena_clear(&reader->names);
	anim_map_clear(&reader->driven);
	anim_buffer_clear(&reader->time);
	for (int i = 0; i < 3; i++)
		anim_buffer_clear(&reader->columns[i]);
	anim_buffer_clear(&reader->piece);
}

int anim_gltf_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		   struct anim_error *error)
{
	struct gltf_reader reader = {.input = input, .options = options, .error = error, .time_accessor = GLTF_NONE};
	int result = -1;

	gltf_data_init(&reader.data, options->store_memory);
	reader.file = anim_read_source_file(options, input);
	reader.base_name = anim_read_base_name(reader.file, &reader.arena, error);
	if (reader.base_name != NULL)
		result = read_document(&reader);
	if (result == 0)
		result = read_data(&reader);
	if (result == 0)
		result = write_all(&reader, sink);
	if (result != 0 && anim_error_is_of_input(error))
		anim_error_in_file(error, anim_input_name(input));
	clear(&reader);
	return result;
}

/* ---- what else a file holds ---- */

struct held {
	const char *one, *many;
	uint32_t count;
};

static void print_held(const struct held *held, size_t count, char *text, size_t capacity)
{
	size_t used = 0, kinds = 0, shown = 0;

	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		kinds += held[i].count > 0;
	for (size_t i = 0; i < count && used < capacity; i++) {
		const char *between = shown == 0 ? "" : shown + 1 == kinds ? " and " : ", ";

		if (held[i].count == 0)
			continue;
		shown++;
		if (held[i].count == 1)
			used += (size_t)snprintf(text + used, capacity - used, "%s%s", between, held[i].one);
		else
			used += (size_t)snprintf(text + used, capacity - used, "%s%" PRIu32 " %s", between,
						 held[i].count, held[i].many);
	}
}

int anim_gltf_describe(struct anim_input *input, size_t store_memory, size_t *clips, char *text, size_t capacity,
		       struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {.diagnostics = &diagnostics};
	struct gltf_reader reader = {.input = input, .options = &options, .error = error};
	const struct gltf_asset *asset = &reader.asset;
	int result;

	gltf_data_init(&reader.data, store_memory);
	result = read_document(&reader);
	text[0] = '\0';
	*clips = result != 0 ? 0 : GLTF_COUNT(asset, animations, struct gltf_animation);
	if (result == 0 && (asset->generator == NULL || strcmp(asset->generator, GLTF_GENERATOR) != 0)) {
		const struct held held[] = {
		    {"a mesh", "meshes", GLTF_COUNT(asset, meshes, struct gltf_mesh)},
		    {"a material", "materials", asset->materials},
		    {"a texture", "textures", asset->textures},
		    {"an image", "images", asset->images},
		    {"a skin", "skins", GLTF_COUNT(asset, skins, struct gltf_skin)},
		    {"a camera", "cameras", asset->cameras},
		    {"an extension", "extensions", asset->others},
		};

		print_held(held, sizeof held / sizeof *held, text, capacity);
	} else if (result != 0) {
		anim_error_in_file(error, anim_input_name(input));
	}
	clear(&reader);
	anim_diagnostics_clear(&diagnostics);
	return result;
}
