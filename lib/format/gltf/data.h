/* data.h: the bytes of a file: chunks of a GLB, kept spans of buffers, and the numbers of accessors. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_DATA_H
#define ANIM_FORMAT_GLTF_DATA_H

#include "format/gltf/asset.h"

/* ---- Header and chunks of a GLB ---- */

#define GLTF_HEAD_BYTES 12u
#define GLTF_CHUNK_HEAD_BYTES 8u
#define GLTF_CHUNK_JSON 0x4E4F534Au
#define GLTF_CHUNK_BIN 0x004E4942u

/* All-zero except the input, which is borrowed. */
struct gltf_container {
	struct anim_input *input;
	bool is_glb;        /* if false, the input is the document itself */
	uint64_t length;    /* of the whole GLB, according to its header */
	uint64_t json_size; /* bytes of its JSON chunk (0: not a GLB) */
};

/* Read the first bytes. For a GLB, leave the input at the JSON. Return 0, or -1 with the offset of the wrong byte. */
int gltf_container_open(struct gltf_container *, struct anim_input *, struct anim_error *);

/*
 * Move from the end of a chunk to the next one. Return 1 with its type and size and the input at its first byte. Return
 * 0 at the end of the GLB, with *extra set if the input has more bytes. Return -1 on error.
 */
int gltf_container_next(const struct gltf_container *, uint32_t *type, uint64_t *size, bool *extra,
			struct anim_error *);

/* Skip bytes. It is an error if the input has fewer. Return 0 or -1. */
int gltf_container_skip(const struct gltf_container *, uint64_t size, struct anim_error *);

/* ---- Spans of buffers: requested first, then kept when the buffer is read ---- */

/* A range of bytes of a buffer, and its place in the spool. */
struct gltf_span {
	uint64_t from, to, place;
	uint32_t buffer;
};

/*
 * Lists of spans. gltf_spans_add ignores an empty span, and returns 0 or -1. gltf_spans_sort sorts by buffer and
 * offset, and merges overlapping spans.
 */
int gltf_spans_add(struct anim_buffer *, uint32_t buffer, uint64_t from, uint64_t to, struct anim_error *);
void gltf_spans_sort(struct anim_buffer *);

/* Return the buffer's last span that begins at or before `from`, from a sorted list, or NULL. */
struct gltf_span *gltf_spans_find(const struct anim_buffer *, uint32_t buffer, uint64_t from);

/*
 * For a sorted list of deleted spans, each with the new offset of the bytes after it: return the new offset of a byte,
 * and find the next bytes from *from to `end` that are kept. gltf_spans_next_kept returns false if there are none.
 */
uint64_t gltf_spans_place(const struct anim_buffer *cuts, uint32_t buffer, uint64_t place);
bool gltf_spans_next_kept(const struct anim_buffer *cuts, uint32_t buffer, uint64_t end, uint64_t *from, uint64_t *to);

/* Initialise it with anim_spool_init. All bytes of data URIs are in the spool. */
struct gltf_data {
	struct anim_spool spool;
	struct anim_buffer spans; /* struct gltf_span: the requested ones, to be sorted before any is kept */
	struct anim_buffer joined;
};
void gltf_data_clear(struct gltf_data *);

/*
 * Keep the requested bytes of a buffer, whose first byte is at the input's position. *read is the distance that the
 * input moved: to the last requested byte, or less if the input ends before it. Return 0 or -1.
 */
int gltf_data_keep(struct gltf_data *, uint32_t buffer, struct anim_input *, uint64_t *read, struct anim_error *);

/* Return the bytes at a place, borrowed until the next call. They are aligned to 4 if the place is. Return NULL on error. */
const uint8_t *gltf_data_read(struct gltf_data *, uint64_t place, size_t size, struct anim_error *);

/* Append zeros up to the next multiple of 8, or bytes. Return 0 or -1. */
int gltf_data_align(struct anim_spool *, struct anim_error *);
int gltf_data_append(struct anim_spool *, const void *bytes, size_t size, struct anim_error *);

/* ---- Accessors ---- */

/*
 * Check accessor `number` against its views and buffers, and request its bytes. It must have 4 x 4 floats if `matrices`
 * is set, and otherwise numbers of an animation. Return 0, or -1 with "accessors[3]: ..." if it cannot be read.
 */
int gltf_accessor_want(struct gltf_data *, const struct gltf_asset *, uint32_t number, bool matrices,
		       struct anim_error *);

/* Unpack the compressed views of an accessor, each only once. All its bytes must have been kept. Return 0 or -1. */
int gltf_accessor_unpack(struct gltf_data *, struct gltf_asset *, uint32_t number, struct anim_error *);

/*
 * Return elements first .. first + count - 1 as floats, with normalised integers decoded. They are in `out`, or, if the
 * file stores floats, borrowed until the next call. Return NULL on error, for example if a number is not finite.
 */
const float *gltf_accessor_floats(struct gltf_data *, const struct gltf_asset *, uint32_t number, uint64_t first,
				  size_t count, float *out, struct anim_error *);

/* A range of bytes of a view. For an accessor of unknown type it is the whole view, and not exact. */
struct gltf_bytes {
	uint32_t view;
	uint64_t from, to;
	bool exact;
};

/*
 * Find the bytes of an accessor's elements, including its sparse ones, as far as they are in views. Return the number
 * of ranges, 0 to 3.
 */
unsigned gltf_accessor_bytes(const struct gltf_asset *, uint32_t number, struct gltf_bytes out[3]);

#endif
