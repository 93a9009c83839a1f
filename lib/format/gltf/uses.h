/* uses.h: finds references to accessors and views outside animations. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_USES_H
#define ANIM_FORMAT_GLTF_USES_H

#include "format/gltf/asset.h"

/* The lists whose elements are identified by their indices. */
enum gltf_list { GLTF_ACCESSORS, GLTF_VIEWS, GLTF_BUFFERS, GLTF_LISTS };

/* The meaning of a number in the text. */
enum gltf_number_kind {
	GLTF_VIEW_OFFSET,
	GLTF_VIEW_LENGTH,
	GLTF_PACKED_OFFSET, /* of a compressed view */
	GLTF_ACCESSOR_OFFSET,
	GLTF_INDICES_OFFSET, /* of sparse elements */
	GLTF_VALUES_OFFSET
};
struct gltf_number {
	struct gltf_range text;
	uint64_t value;
	uint32_t owner; /* index of the view or accessor */
	enum gltf_number_kind kind;
};

/* All-zero is empty. */
struct gltf_uses {
	struct anim_buffer accessors, views;  /* uint32_t: the referenced indices, with repetitions */
	struct anim_buffer extras;            /* uint32_t: integers in `extras`, which could be references */
	struct anim_buffer texts[GLTF_LISTS]; /* struct gltf_range of each element */
	struct anim_buffer numbers;           /* struct gltf_number, in the text's order */
	/* The first extension that may contain unknown references, cut to this size, or an empty text. */
	char unknown[80];
};

struct gltf_container;
/*
 * Read the complete document at the container's position, which gltf_asset_read has already accepted. References from
 * samplers to accessors, and from accessors to views, are in the asset and not listed here. Return 0 or -1. The uses
 * must be cleared in both cases.
 */
int gltf_uses_read(struct gltf_uses *, const struct gltf_container *, struct anim_error *);
void gltf_uses_clear(struct gltf_uses *);

#endif
