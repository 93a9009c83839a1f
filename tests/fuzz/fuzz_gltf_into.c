/*
 * fuzz_gltf_into.c: a clip goes into any bytes: they are refused with a message, or the file that comes out is glTF again,
 * with as many nodes, and longer lists.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/gltf/asset.h"
#include "format/gltf/container.h"
#include "format/gltf/gltf.h"
#include "fuzz.h"

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

/* Puts the clips into the file at `path`. 0 or -1. */
static int put_into(const char *path, bool only, struct anim_output *output, struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_write_options options = {
	    .diagnostics = &diagnostics, .pointers = true, .into = {.file = path, .only = only}};
	struct anim_sink *sink = anim_glb_writer_new(output, &options, error);
	int result = sink == NULL ? -1 : send_clips(sink, error);

	anim_sink_free(sink);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

static int read_asset(struct anim_input *input, struct gltf_asset *asset, struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	struct gltf_container container;
	struct gltf_source source = {.input = input, .diagnostics = &diagnostics};
	int result = gltf_container_open(&container, input, error);

	source.size = container.json_size;
	source.base = container.is_glb ? GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES : 0;
	if (result == 0)
		result = gltf_asset_read(asset, &source, error);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

/* What came out of what went in. */
static void compare(struct anim_input *before, struct anim_input *after)
{
	struct gltf_asset a = {0}, b = {0};
	struct anim_error error = {0};

	DEMAND(read_asset(before, &a, &error) == 0 && read_asset(after, &b, &error) == 0);
	DEMAND(a.nodes.size == b.nodes.size && a.meshes.size == b.meshes.size);
	DEMAND(a.accessors.size < b.accessors.size && a.views.size < b.views.size && a.buffers.size <= b.buffers.size);
	DEMAND(b.animations.size > 0);
	gltf_asset_clear(&a);
	gltf_asset_clear(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int file = memfd_create("hero", 0);
	char path[64];

	if (size > FILE_MAX || is_gzip(data, size)) {
		close(file);
		return 0;
	}
	DEMAND(file >= 0 && write(file, data, size) == (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	for (int only = 0; only < 2; only++) {
		struct anim_input *before = NULL, *after = NULL;
		struct anim_error error = {0};
		struct anim_output *output;
		const uint8_t *bytes;
		size_t count;

		DEMAND(anim_output_open_memory(&output, NULL) == 0);
		if (put_into(path, only == 1, output, &error) == 0) {
			bytes = anim_output_memory(output, &count);
			DEMAND(anim_input_open_memory(&before, data, size, "x", NULL) == 0 &&
			       anim_input_open_memory(&after, bytes, count, "x", NULL) == 0);
			compare(before, after);
		} else {
			DEMAND(error.code == ANIM_OK || error.message[0] != '\0');
		}
		anim_input_close(before);
		anim_input_close(after);
		anim_output_free(output);
	}
	close(file);
	return 0;
}
