/* members.h: reads the values of a document at the cursor, for asset.c and uses.c. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_MEMBERS_H
#define ANIM_FORMAT_GLTF_MEMBERS_H

#include "base/json.h"
#include "format/gltf/asset.h"

#define GLTF_STEPS_MAX 16                   /* maximum nesting of objects that are read (others are skipped) */
#define GLTF_NATURAL_MAX 9007199254740992.0 /* 2^53 */

/* A step of the path "animations[3].channels[7].target". */
struct gltf_step {
	const char *name; /* of the member, or NULL before the first one and for a skipped one */
	int64_t element;  /* negative if the member is not an array that is read element by element */
};

/* A document that is being read. */
struct gltf_reading {
	struct anim_json json; /* must be first, because print_path converts a pointer to it */
	struct anim_error *error;
	struct gltf_asset *asset;
	struct anim_spool *data;                /* for the bytes of data URIs, or NULL to skip them */
	struct gltf_step steps[GLTF_STEPS_MAX]; /* one for each object around the cursor */
	unsigned depth;
	unsigned nesting;              /* brackets around the cursor */
	const struct gltf_member *row; /* the table row of the current member, or NULL */
	uint64_t member_at;            /* offset of the current member, including the comma before it */
	bool is_first;                 /* the current member is the first of its object */
};

/* Begin a document, and skip its byte order mark. json must be cleared in either case. Return 0 or -1. */
int gltf_reading_begin(struct gltf_reading *, struct anim_json_text *, const struct gltf_container *,
		       struct anim_error *);

/* Return the number of bytes of the text before the cursor. */
uint64_t gltf_cursor(const struct gltf_reading *);

/* Read the number at the cursor, a uint32_t or a uint64_t, or fail with its place. Return 0 or -1. */
int gltf_read_index(struct gltf_reading *, void *index);
int gltf_read_natural(struct gltf_reading *, void *value);

#endif
