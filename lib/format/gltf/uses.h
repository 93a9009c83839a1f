/* uses.h: who in a document refers to accessors and views beside its animations, and where their numbers stand. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_USES_H
#define ANIM_FORMAT_GLTF_USES_H

#include "format/gltf/asset.h"

/* The lists whose elements are known by their numbers. */
enum gltf_list { GLTF_ACCESSORS, GLTF_VIEWS, GLTF_BUFFERS, GLTF_LISTS };

/* What a number in the text tells. */
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
	uint32_t owner; /* the number of the view or accessor */
	enum gltf_number_kind kind;
};

/* All-zero is empty. */
struct gltf_uses {
	struct anim_buffer accessors, views;  /* uint32_t: those that are referred to, as often as they are */
	struct anim_buffer extras;            /* uint32_t: whole numbers in `extras`, which may refer to some */
	struct anim_buffer texts[GLTF_LISTS]; /* struct gltf_range of each element */
	struct anim_buffer numbers;           /* struct gltf_number, in the text's order */
	/* The first extension of which it is not known whether it refers to some, cut; empty: there is none. */
	char unknown[80];
};

struct gltf_container;
/*
 * Reads the document that the container is at, all of it, as gltf_asset_read did before. Accessors that
 * samplers refer to, and views that accessors do, are the asset's to tell. 0 or -1; to be cleared in either case.
 */
int gltf_uses_read(struct gltf_uses *, const struct gltf_container *, struct anim_error *);
void gltf_uses_clear(struct gltf_uses *);

#endif
