/* container.c: GLB's head and its chunks, each checked against the lengths that stand around it. */
#include "format/gltf/container.h"

#include <inttypes.h>
#include <string.h>

#define VERSION 2u

static uint32_t get32(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

__attribute__((format(printf, 4, 5))) static int refuse(const struct gltf_container *container, uint64_t offset,
							struct anim_error *error, const char *format, ...)
{
	const struct anim_place place = {
	    .file = anim_input_name(container->input), .at = ANIM_AT_BYTE, .offset = offset};
	va_list args;

	va_start(args, format);
	anim_fail_va(error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

/* What is missing at the input's end. -1. */
static int cut(const struct gltf_container *container, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t got = anim_input_peek(container->input, 1, &at, error);
	uint64_t end = anim_input_offset(container->input);

	if (got < 0)
		return -1;
	return refuse(container, end + (uint64_t)got, error, "the file is cut: it ends here, of %" PRIu64 " bytes",
		      container->length);
}

/* A chunk's head at the input's place. 0 or -1. */
static int read_chunk(const struct gltf_container *container, uint32_t *type, uint64_t *size, struct anim_error *error)
{
	uint64_t offset = anim_input_offset(container->input);
	const uint8_t *at;
	ssize_t got = anim_input_peek(container->input, GLTF_CHUNK_HEAD_BYTES, &at, error);

	if (got < 0)
		return -1;
	if (container->length - offset < GLTF_CHUNK_HEAD_BYTES)
		return refuse(container, offset, error,
			      "the GLB's length of %" PRIu64 " bytes ends within a chunk's head", container->length);
	if (got < (ssize_t)GLTF_CHUNK_HEAD_BYTES)
		return refuse(container, offset + (uint64_t)got, error,
			      "the file is cut: it ends here, of %" PRIu64 " bytes", container->length);
	*size = get32(at);
	*type = get32(at + 4);
	anim_input_skip(container->input, GLTF_CHUNK_HEAD_BYTES);
	if (*size > container->length - offset - GLTF_CHUNK_HEAD_BYTES)
		return refuse(container, offset, error,
			      "a chunk of %" PRIu64 " bytes goes beyond the GLB's length of %" PRIu64, *size,
			      container->length);
	return 0;
}

/* The head of a GLB, whose magic was seen, and that of its first chunk. */
static int open_glb(struct gltf_container *container, struct anim_error *error)
{
	uint32_t type, version;
	const uint8_t *at;
	ssize_t got = anim_input_peek(container->input, GLTF_HEAD_BYTES, &at, error);

	if (got < 0)
		return -1;
	if (got < (ssize_t)GLTF_HEAD_BYTES)
		return refuse(container, (uint64_t)got, error, "the file is cut: it ends within the GLB's head");
	version = get32(at + 4);
	container->is_glb = true;
	container->length = get32(at + 8);
	if (version != VERSION)
		return refuse(container, 4, error, "GLB of version %" PRIu32 "%s is not read; version 2 is", version,
			      version == 1 ? ", which is glTF 1.0," : "");
	anim_input_skip(container->input, GLTF_HEAD_BYTES);
	if (container->length < GLTF_HEAD_BYTES)
		return refuse(container, 8, error, "a GLB's length of %" PRIu64 " bytes cannot be", container->length);
	if (read_chunk(container, &type, &container->json_size, error) != 0)
		return -1;
	if (type != GLTF_CHUNK_JSON)
		return refuse(container, GLTF_HEAD_BYTES, error, "the first chunk is not JSON");
	if (container->json_size == 0)
		return refuse(container, GLTF_HEAD_BYTES, error, "the JSON is empty");
	return 0;
}

int gltf_container_open(struct gltf_container *container, struct anim_input *input, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t got = anim_input_peek(input, 4, &at, error);

	*container = (struct gltf_container){.input = input};
	if (got < 0)
		return -1;
	return got >= 4 && memcmp(at, "glTF", 4) == 0 ? open_glb(container, error) : 0;
}

int gltf_container_next(const struct gltf_container *container, uint32_t *type, uint64_t *size, bool *extra,
			struct anim_error *error)
{
	const uint8_t *at;
	ssize_t got;

	*extra = false;
	if (anim_input_offset(container->input) < container->length)
		return read_chunk(container, type, size, error) == 0 ? 1 : -1;
	got = anim_input_peek(container->input, 1, &at, error);
	*extra = got > 0;
	return got < 0 ? -1 : 0;
}

int gltf_container_skip(const struct gltf_container *container, uint64_t size, struct anim_error *error)
{
	while (size > 0) {
		const uint8_t *at;
		ssize_t got = anim_input_peek(container->input, 1, &at, error);

		if (got <= 0)
			return got < 0 ? -1 : cut(container, error);
		if ((uint64_t)got > size)
			got = (ssize_t)size;
		anim_input_skip(container->input, (size_t)got);
		size -= (uint64_t)got;
	}
	return 0;
}
