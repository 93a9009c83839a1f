/* meshopt.h: bytes of EXT_meshopt_compression and KHR_meshopt_compression, mode ATTRIBUTES. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_MESHOPT_H
#define ANIM_FORMAT_GLTF_MESHOPT_H

#include "format/gltf/data.h"

/*
 * Decodes packed->length bytes, one at least, at `from` and appends packed->count elements to the spool, at *place; filters
 * are undone. The stride was checked. Memory follows a block, 8 KiB. 0, or -1 with what is wrong with the bytes.
 */
int gltf_meshopt_unpack(struct gltf_data *, const struct gltf_packed *, uint64_t from, uint64_t *place,
			struct anim_error *);

#endif
