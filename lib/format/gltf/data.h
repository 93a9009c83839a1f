/* data.h: the bytes of a file: chunks of a GLB, spans of buffers that are kept, the numbers of accessors. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_DATA_H
#define ANIM_FORMAT_GLTF_DATA_H

#include "format/gltf/asset.h"

/* ---- GLB's head and chunks ---- */

#define GLTF_HEAD_BYTES 12u
#define GLTF_CHUNK_HEAD_BYTES 8u
#define GLTF_CHUNK_JSON 0x4E4F534Au
#define GLTF_CHUNK_BIN 0x004E4942u

/* All-zero but for the input, which is borrowed. */
struct gltf_container {
	struct anim_input *input;
	bool is_glb;        /* else the input is the document itself */
	uint64_t length;    /* of the whole GLB, as its head has it */
	uint64_t json_size; /* bytes of its JSON chunk; 0: not a GLB */
};

/* Look at the first bytes; of a GLB the input is then at the JSON. Return 0, or -1 with the byte that is wrong. */
int gltf_container_open(struct gltf_container *, struct anim_input *, struct anim_error *);

/*
 * Go to the next chunk, from the end of the one before. Return 1 with its type and size, the input at its first byte; 0 at the
 * end of the GLB (*extra: the input has more bytes); -1.
 */
int gltf_container_next(const struct gltf_container *, uint32_t *type, uint64_t *size, bool *extra,
			struct anim_error *);

/* Pass over bytes that must be there. Return 0 or -1. */
int gltf_container_skip(const struct gltf_container *, uint64_t size, struct anim_error *);

/* ---- Spans of buffers: wanted first, then kept when the buffer is read ---- */

/* Bytes of a buffer, and where they are kept. */
struct gltf_span {
	uint64_t from, to, place;
	uint32_t buffer;
};

/*
 * Lists of spans. Adding an empty span does nothing: return 0 or -1. In a sorted list spans of one buffer follow each other in
 * order and do not overlap.
 */
int gltf_spans_add(struct anim_buffer *, uint32_t buffer, uint64_t from, uint64_t to, struct anim_error *);
void gltf_spans_sort(struct anim_buffer *);

/* Return the last span of the buffer, in a sorted list, that begins at `from` or before it; NULL if there is none. */
struct gltf_span *gltf_spans_find(const struct anim_buffer *, uint32_t buffer, uint64_t from);

/* To be begun with anim_spool_init. Bytes of data URIs are all in the spool. */
struct gltf_data {
	struct anim_spool spool;
	struct anim_buffer spans; /* struct gltf_span: those that are wanted; sorted before any is kept */
	struct anim_buffer joined;
};
void gltf_data_clear(struct gltf_data *);

/*
 * Keep the wanted bytes of a buffer, whose first byte the input is at. *read is how far the input was moved: up to the last
 * wanted byte, less if it ends before. Return 0 or -1.
 */
int gltf_data_keep(struct gltf_data *, uint32_t buffer, struct anim_input *, uint64_t *read, struct anim_error *);

/* Return the bytes at a place, borrowed until the next call, aligned to 4 if the place is. NULL on error. */
const uint8_t *gltf_data_read(struct gltf_data *, uint64_t place, size_t size, struct anim_error *);

/* Append zeros up to the next multiple of 8; append bytes. Return 0 or -1. */
int gltf_data_align(struct anim_spool *, struct anim_error *);
int gltf_data_append(struct anim_spool *, const void *bytes, size_t size, struct anim_error *);

/* ---- Accessors ---- */

/*
 * Check accessor `number` against its views and buffers, and want its bytes. `matrices`: 4 x 4 floats are needed, else the
 * numbers of an animation. Return 0, or -1 with "accessors[3]: ..." if it cannot be read.
 */
int gltf_accessor_want(struct gltf_data *, const struct gltf_asset *, uint32_t number, bool matrices,
		       struct anim_error *);

/* After all bytes are kept, unpack the compressed views of an accessor, each once. Return 0 or -1. */
int gltf_accessor_unpack(struct gltf_data *, struct gltf_asset *, uint32_t number, struct anim_error *);

/*
 * Return elements first .. first + count - 1 as floats, normalised ones decoded: in `out`, or borrowed until the next call if
 * they are stored as floats. NULL on error, also if one is not finite.
 */
const float *gltf_accessor_floats(struct gltf_data *, const struct gltf_asset *, uint32_t number, uint64_t first,
				  size_t count, float *out, struct anim_error *);

/* Bytes of a view. Of an accessor of unknown type they are the whole view, and not exact. */
struct gltf_bytes {
	uint32_t view;
	uint64_t from, to;
	bool exact;
};

/* Find the bytes of an accessor's elements, its own and its sparse ones, as far as views have them. Return how many: 0 to 3. */
unsigned gltf_accessor_bytes(const struct gltf_asset *, uint32_t number, struct gltf_bytes out[3]);

#endif
