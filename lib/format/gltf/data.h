/* data.h: the bytes of buffers that animation needs, asked for first, then kept as they come by. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_DATA_H
#define ANIM_FORMAT_GLTF_DATA_H

#include "format/gltf/asset.h"

/* Bytes of a buffer, and where they are kept. */
struct gltf_span {
	uint64_t from, to, place;
	uint32_t buffer;
};

/* Lists of them. Adding none is nothing: 0 or -1. Sorted, those of one buffer stand together, in order, and overlap no more. */
int gltf_spans_add(struct anim_buffer *, uint32_t buffer, uint64_t from, uint64_t to, struct anim_error *);
void gltf_spans_sort(struct anim_buffer *);

/* Of sorted ones the last of the buffer that begins at `from` or before it; NULL: there is none. */
struct gltf_span *gltf_spans_find(const struct anim_buffer *, uint32_t buffer, uint64_t from);

/* To be begun with gltf_data_init. */
struct gltf_data {
	struct anim_spool spool;
	struct anim_buffer spans; /* struct gltf_span */
	struct anim_buffer joined;
};
void gltf_data_init(struct gltf_data *, size_t memory_max);
void gltf_data_clear(struct gltf_data *);

/* Asks for bytes of a buffer (of no data URI: those are all there). 0 or -1. */
int gltf_data_want(struct gltf_data *, uint32_t buffer, uint64_t from, uint64_t to, struct anim_error *);

/* After the last of them. */
void gltf_data_sort(struct gltf_data *);

/* Whether bytes of the buffer are wanted at all. */
bool gltf_data_wants(const struct gltf_data *, uint32_t buffer);

/*
 * Keeps the wanted bytes of a buffer, whose first byte the input is at and which has `size` bytes; *read tells how many
 * the input was moved on: up to the last wanted one, fewer where it ends before. 0 or -1.
 */
int gltf_data_keep(struct gltf_data *, uint32_t buffer, struct anim_input *, uint64_t *read, struct anim_error *);

/* Whether all its wanted bytes are among the first `size`. */
bool gltf_data_has(const struct gltf_data *, uint32_t buffer, uint64_t size);

/* Where bytes of a buffer lie that were asked for and kept. */
uint64_t gltf_data_place(const struct gltf_data *, const struct gltf_asset *, uint32_t buffer, uint64_t from);

/* The bytes at a place, borrowed until the next call; aligned to 4 where the place is. NULL on error. */
const uint8_t *gltf_data_read(struct gltf_data *, uint64_t place, size_t size, struct anim_error *);

/* Zeros up to the next place that is a multiple of 8; appends bytes. 0 or -1. */
int gltf_data_align(struct anim_spool *, struct anim_error *);
int gltf_data_append(struct anim_spool *, const void *bytes, size_t size, struct anim_error *);

#endif
