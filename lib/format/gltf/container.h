/* container.h: GLB's head and chunks. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_CONTAINER_H
#define ANIM_FORMAT_GLTF_CONTAINER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/input.h"

#define GLTF_HEAD_BYTES 12u
#define GLTF_CHUNK_HEAD_BYTES 8u
#define GLTF_CHUNK_JSON 0x4E4F534Au
#define GLTF_CHUNK_BIN 0x004E4942u

/* All-zero but for the input, which is borrowed. */
struct gltf_container {
	struct anim_input *input;
	bool is_glb;        /* else the input is the document itself */
	uint64_t length;    /* of the whole GLB, as its head has it */
	uint64_t json_size; /* bytes of its JSON chunk */
};

/* Looks at the first bytes; of a GLB the input then stands at the JSON. 0, or -1 with the byte that is wrong. */
int gltf_container_open(struct gltf_container *, struct anim_input *, struct anim_error *);

/*
 * Goes on to the next chunk, the input standing behind the one before. 1 with its type and size, the input at its first
 * byte; 0 at the end, which the input ends at, too (*extra: it goes on behind it); -1.
 */
int gltf_container_next(const struct gltf_container *, uint32_t *type, uint64_t *size, bool *extra,
			struct anim_error *);

/* Passes over bytes that must be there. 0 or -1. */
int gltf_container_skip(const struct gltf_container *, uint64_t size, struct anim_error *);

#endif
