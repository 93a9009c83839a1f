/* meshopt.h: decodes EXT_meshopt_compression and KHR_meshopt_compression, mode ATTRIBUTES. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_MESHOPT_H
#define ANIM_FORMAT_GLTF_MESHOPT_H

#include "format/gltf/data.h"

/*
 * Decode packed->length bytes (at least one) at `from`, undo filters, and append packed->count elements to the spool.
 * Set *place to their place. The caller has checked the stride. It needs memory for one block, 8 KiB. Return 0, or -1
 * with a description of the error in the bytes.
 */
int gltf_meshopt_unpack(struct gltf_data *, const struct gltf_packed *, uint64_t from, uint64_t *place,
			struct anim_error *);

#endif
