/*
 * fuzz_gltf_into.c: a clip goes into any bytes: they are refused with a message, or the file that comes out is glTF again,
 * with as many nodes, and longer lists. With what nothing uses any more dropped it has the same clips, key by key, and when it
 * is done again to that, as many bytes as before.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/gltf/asset.h"
#include "format/gltf/data.h"
#include "format/gltf/gltf.h"
#include "format/gltf/uses.h"
#include "fuzz.h"
#include "stream/stream.h"

#define FILE_MAX ((size_t)1 << 20)

static void send_track(struct anim_sink *sink, const char *node, const char *property, enum anim_type type,
		       const float *value, int *result)
{
	static const float times[2] = {0, 1};
	const struct anim_track track = {.kind = ANIM_CURVE,
					 .type = type,
					 .node = node,
					 .property = property,
					 .component = ANIM_WHOLE,
					 .interp = ANIM_LINEAR,
					 .n = 2,
					 .time = times,
					 .value = value};
	struct anim_error error = {0};

	if (*result == 0)
		*result = anim_sink_track(sink, &track, &error);
}

/* Clips for nodes that the corpus has; 0 where all went well. */
static int send_clips(struct anim_sink *sink, struct anim_error *error)
{
	static const float numbers[8] = {0, 0, 0, 1, 0, 1, 0, 0};
	static const char *const names[] = {"walk", "new"}, *const nodes[] = {"A", "B", "Armature", "node_0", "."};
	int result = 0;

	for (size_t i = 0; i < 2 && result == 0; i++) {
		const struct anim_clip clip = {
		    .end_s = 2, .axes = ANIM_AXES_GLTF, .name = names[i], .root = ".", .source = ""};

		result = anim_sink_clip(sink, &clip, error);
		for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++) {
			send_track(sink, nodes[k], "rotation", ANIM_FLOATQ, numbers, &result);
			send_track(sink, nodes[k], "blend_shape/morph_0", ANIM_FLOAT, numbers, &result);
		}
	}
	return result == 0 ? anim_sink_end(sink, error) : -1;
}

struct way {
	bool only, compact;
};

/* Bytes as a file that has a name. To be closed. */
static int open_file(const uint8_t *data, size_t size, char path[64])
{
	int file = memfd_create("hero", 0);

	DEMAND(file >= 0 && write(file, data, size) == (ssize_t)size);
	snprintf(path, 64, "/proc/self/fd/%d", file);
	return file;
}

/* Puts the clips into a file of these bytes. What comes out; NULL: it was refused, with a message. */
static struct anim_output *put_into(const uint8_t *data, size_t size, struct way way)
{
	char path[64];
	int file = open_file(data, size, path), result;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_write_options options = {.diagnostics = &diagnostics,
						   .pointers = true,
						   .into = {.file = path, .only = way.only, .compact = way.compact}};
	struct anim_error error = {0};
	struct anim_output *output;
	struct anim_sink *sink;

	DEMAND(anim_output_open_memory(&output, NULL) == 0);
	sink = anim_glb_writer_new(output, &options, &error);
	result = sink == NULL ? -1 : send_clips(sink, &error);
	DEMAND(result == 0 || error.code == ANIM_OK || error.message[0] != '\0');
	anim_sink_free(sink);
	anim_diagnostics_clear(&diagnostics);
	close(file);
	if (result == 0)
		return output;
	anim_output_free(output);
	return NULL;
}

static int read_asset(struct anim_input *input, struct gltf_asset *asset, struct anim_error *error)
{
	struct gltf_container container;

	if (gltf_container_open(&container, input, error) != 0)
		return -1;
	return gltf_asset_read(asset, &container, NULL, error);
}

static struct anim_input *open_output(const struct anim_output *output)
{
	struct anim_input *input = NULL;
	size_t size;
	const uint8_t *bytes = anim_output_memory(output, &size);

	DEMAND(anim_input_open_memory(&input, bytes, size, "x", NULL) == 0);
	return input;
}

/* What came out of what went in. */
static void compare(const uint8_t *data, size_t size, const struct anim_output *output, struct way way)
{
	struct anim_input *before = NULL, *after = open_output(output);
	struct gltf_asset a = {0}, b = {0};
	struct anim_error error = {0};

	DEMAND(anim_input_open_memory(&before, data, size, "x", NULL) == 0);
	DEMAND(read_asset(before, &a, &error) == 0 && read_asset(after, &b, &error) == 0);
	DEMAND(a.nodes.size == b.nodes.size && a.meshes.size == b.meshes.size);
	DEMAND(way.compact || (a.accessors.size < b.accessors.size && a.views.size < b.views.size));
	DEMAND(way.compact || a.buffers.size <= b.buffers.size);
	DEMAND(b.animations.size > 0);
	gltf_asset_clear(&a);
	gltf_asset_clear(&b);
	anim_input_close(before);
	anim_input_close(after);
}

/* The stream that it reads as; NULL: it cannot be read. */
static struct anim_output *read_stream(const struct anim_output *file)
{
	static const struct anim_stream_writer_options plain;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {.no_external = true, .diagnostics = &diagnostics};
	struct anim_input *input = open_output(file);
	struct anim_error error = {0};
	struct anim_output *output;
	struct anim_sink *writer;
	int result;

	DEMAND(anim_output_open_memory(&output, NULL) == 0);
	writer = anim_stream_writer_new(output, &plain, &error);
	DEMAND(writer != NULL);
	result = anim_gltf_read(input, &options, writer, &error);
	if (result == 0)
		result = anim_sink_end(writer, &error);
	anim_sink_free(writer);
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	if (result == 0)
		return output;
	anim_output_free(output);
	return NULL;
}

static void demand_same_clips(const struct anim_output *plain, const struct anim_output *compact)
{
	struct anim_output *a = read_stream(plain), *b = a == NULL ? NULL : read_stream(compact);

	if (a != NULL) {
		size_t a_size, b_size;
		const uint8_t *a_bytes = anim_output_memory(a, &a_size), *b_bytes;

		DEMAND(b != NULL);
		b_bytes = anim_output_memory(b, &b_size);
		DEMAND(a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0);
	}
	anim_output_free(a);
	anim_output_free(b);
}

static bool all_below(const struct anim_buffer *numbers, uint32_t count)
{
	for (size_t i = 0; i < numbers->size / sizeof(uint32_t); i++)
		if (((const uint32_t *)(const void *)numbers->data)[i] >= count)
			return false;
	return true;
}

/* Nothing refers to what is not there: that would become something once more is there. */
static bool is_complete(const struct gltf_asset *asset, const struct gltf_uses *uses)
{
	uint32_t accessors = GLTF_COUNT(asset, accessors, struct gltf_accessor);
	uint32_t views = GLTF_COUNT(asset, views, struct gltf_view);
	uint32_t buffers = GLTF_COUNT(asset, buffers, struct gltf_buffer);
	bool complete = strcmp(asset->version, "2.0") == 0 && all_below(&uses->accessors, accessors) &&
			all_below(&uses->views, views);

	for (uint32_t i = 0; i < GLTF_COUNT(asset, samplers, struct gltf_sampler); i++) {
		const struct gltf_sampler *sampler = GLTF_AT(asset, samplers, struct gltf_sampler, i);

		complete = complete && sampler->input < accessors && sampler->output < accessors;
	}
	for (uint32_t i = 0; i < accessors; i++) {
		const struct gltf_accessor *accessor = GLTF_AT(asset, accessors, struct gltf_accessor, i);

		complete = complete && accessor->sparse == GLTF_NONE &&
			   (accessor->view == GLTF_NONE || accessor->view < views);
	}
	for (uint32_t i = 0; i < views; i++)
		complete = complete && GLTF_AT(asset, views, struct gltf_view, i)->buffer < buffers;
	return complete && uses->texts[GLTF_ACCESSORS].size / sizeof(struct gltf_range) == accessors &&
	       uses->texts[GLTF_VIEWS].size / sizeof(struct gltf_range) == views &&
	       uses->texts[GLTF_BUFFERS].size / sizeof(struct gltf_range) == buffers;
}

static bool may_be_steady(const uint8_t *data, size_t size)
{
	struct anim_input *input = NULL;
	struct gltf_container container;
	struct gltf_asset asset = {0};
	struct gltf_uses uses = {.unknown = ""};
	struct anim_error error = {0};
	bool may;

	DEMAND(anim_input_open_memory(&input, data, size, "x", NULL) == 0 && read_asset(input, &asset, &error) == 0);
	anim_input_close(input);
	DEMAND(anim_input_open_memory(&input, data, size, "x", NULL) == 0 &&
	       gltf_container_open(&container, input, &error) == 0);
	may = gltf_uses_read(&uses, &container, &error) == 0 && uses.unknown[0] == '\0' && is_complete(&asset, &uses);
	gltf_uses_clear(&uses);
	gltf_asset_clear(&asset);
	anim_input_close(input);
	return may;
}

/* What was done once and is done again changes no size. */
static void demand_steady(const struct anim_output *first, struct way way)
{
	size_t size, again_size, third_size;
	const uint8_t *bytes = anim_output_memory(first, &size);
	struct anim_output *again = put_into(bytes, size, way), *third;

	DEMAND(again != NULL);
	bytes = anim_output_memory(again, &again_size);
	third = put_into(bytes, again_size, way);
	DEMAND(third != NULL);
	(void)anim_output_memory(third, &third_size);
	DEMAND(third_size == again_size);
	anim_output_free(again);
	anim_output_free(third);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > FILE_MAX || is_gzip(data, size))
		return 0;
	for (int only = 0; only < 2; only++) {
		struct way way = {only == 1, false};
		struct anim_output *plain = put_into(data, size, way), *compact;

		way.compact = true;
		compact = put_into(data, size, way);
		DEMAND(plain != NULL || compact == NULL);
		if (plain != NULL)
			compare(data, size, plain, (struct way){only == 1, false});
		if (compact != NULL) {
			compare(data, size, compact, way);
			demand_same_clips(plain, compact);
			if (may_be_steady(data, size))
				demand_steady(compact, way);
		}
		anim_output_free(plain);
		anim_output_free(compact);
	}
	return 0;
}
