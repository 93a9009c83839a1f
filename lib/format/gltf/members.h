/* members.h: the values of a document at the cursor, for asset.c and uses.c. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_MEMBERS_H
#define ANIM_FORMAT_GLTF_MEMBERS_H

#include "base/json.h"
#include "format/gltf/asset.h"

#define GLTF_STEPS_MAX 16                   /* nesting of objects that are read; others are passed over */
#define GLTF_NATURAL_MAX 9007199254740992.0 /* 2^53 */

/* A step of the path "animations[3].channels[7].target". */
struct gltf_step {
	const char *name; /* of the member; NULL: none yet, or one that is passed over */
	int64_t element;  /* below 0: it is no array that is read element by element */
};

/* The document while it is read. */
struct gltf_reading {
	struct anim_json json; /* first: the path is found by it */
	struct anim_error *error;
	struct gltf_asset *asset;
	struct anim_spool *data;                /* of data URIs; NULL: passed over */
	struct gltf_step steps[GLTF_STEPS_MAX]; /* one for each object around the cursor */
	unsigned depth;
	unsigned nesting;              /* brackets around it */
	const struct gltf_member *row; /* of the table, of the member at hand; NULL: it has none */
	uint64_t member_at;            /* bytes before the member at hand and its comma */
	bool is_first;                 /* it is the first of its object */
};

/* Begin a document, after its byte order mark; json is to be cleared in either case. Return 0 or -1. */
int gltf_reading_begin(struct gltf_reading *, struct anim_json_text *, const struct gltf_container *,
		       struct anim_error *);

/* Return how many bytes of the text are before the cursor. */
uint64_t gltf_cursor(const struct gltf_reading *);

/* Take the number at the cursor, a uint32_t or a uint64_t, or refuse it with its place. Return 0 or -1. */
int gltf_take_index(struct gltf_reading *, void *index);
int gltf_take_natural(struct gltf_reading *, void *value);

#endif
