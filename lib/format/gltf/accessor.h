/* accessor.h: the numbers that accessors stand for, whatever they are stored as. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_ACCESSOR_H
#define ANIM_FORMAT_GLTF_ACCESSOR_H

#include "format/gltf/data.h"

/*
 * Checks what accessor `number` says against its views and buffers, and asks for its bytes. 0, or -1 with
 * "accessors[3]: ..." where it cannot be read.
 */
int gltf_accessor_want(struct gltf_data *, const struct gltf_asset *, uint32_t number, struct anim_error *);

/* The same of the 4 x 4 floats of matrices, which are no animation's. */
int gltf_accessor_want_matrices(struct gltf_data *, const struct gltf_asset *, uint32_t number, struct anim_error *);

/* After the bytes came: unpacks the compressed views that its numbers lie in, each once. 0 or -1. */
int gltf_accessor_unpack(struct gltf_data *, struct gltf_asset *, uint32_t number, struct anim_error *);

/*
 * Elements first .. first + count - 1 as floats, normalised ones decoded; *out is filled, or, where the floats lie there as
 * they are, points at them until the next call: the floats, NULL on error. Refuses what is not finite.
 */
const float *gltf_accessor_floats(struct gltf_data *, const struct gltf_asset *, uint32_t number, uint64_t first,
				  size_t count, float *out, struct anim_error *);

/* Bytes of a view. Of a type that is not known they are the whole view, and not exact. */
struct gltf_bytes {
	uint32_t view;
	uint64_t from, to;
	bool exact;
};

/* Where an accessor's elements lie, its own and its sparse ones, as far as their views have them; at most 3. How many. */
unsigned gltf_accessor_bytes(const struct gltf_asset *, uint32_t number, struct gltf_bytes out[3]);

#endif
