/* members.h: objects of a glTF document by tables of their members; with the path to what is wrong. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_MEMBERS_H
#define ANIM_FORMAT_GLTF_MEMBERS_H

#include <stddef.h>

#include "base/json.h"
#include "format/gltf/asset.h"

#define GLTF_STEPS_MAX 16 /* nesting of objects that are read; others are passed over */

/* A step of the path "animations[3].channels[7].target". */
struct gltf_step {
	const char *name; /* of the member; NULL: none yet, or one that is passed over */
	int64_t element;  /* below 0: it is no array that is read element by element */
};

/* The document while it is read. */
struct gltf_reading {
	struct anim_json json; /* first: the path is found by it */
	const struct gltf_source *source;
	struct gltf_asset *asset;
	struct gltf_step steps[GLTF_STEPS_MAX]; /* one for each object around the cursor */
	unsigned depth;
	unsigned nesting; /* brackets around it */
	/* Of the member at hand: the bytes before it, its comma left out; it is its object's first. */
	uint64_t member_at;
	bool is_first;
};

/* At the document's begin, behind a byte order mark; json is to be cleared in either case. 0 or -1. */
int gltf_reading_begin(struct gltf_reading *, struct anim_json_text *, const struct gltf_source *, struct anim_error *);

enum gltf_member_kind {
	GLTF_TAKEN,   /* by its function */
	GLTF_INDEX,   /* uint32_t */
	GLTF_NATURAL, /* uint64_t */
	GLTF_FLAG,    /* bool */
	GLTF_TEXT,    /* const char *, in the arena */
	GLTF_NUMBERS, /* struct gltf_run of asset.numbers */
	GLTF_INDICES, /* struct gltf_run of asset.indices */
	GLTF_VECTOR3, /* float[3] */
	GLTF_VECTOR4,
	GLTF_AMOUNT /* uint32_t: how many elements the array has */
};
struct gltf_member {
	const char *name; /* NULL: the last row; its `take`, if there is one, takes the members that no row names */
	enum gltf_member_kind kind;
	size_t at; /* in the object */
	int (*take)(struct gltf_reading *, void *object, struct anim_error *);
};

/*
 * All take the value at the cursor, or refuse it with its place. 0 or -1. Members of an object that the table does not have are
 * passed over, unless its last row takes them; of members with the same name the last counts.
 */
int gltf_take_object(struct gltf_reading *, const struct gltf_member *, void *object, struct anim_error *);
int gltf_take_array(struct gltf_reading *, int (*take)(struct gltf_reading *, void *, struct anim_error *),
		    void *object, struct anim_error *);
int gltf_take_index(struct gltf_reading *, uint32_t *, struct anim_error *);
int gltf_take_natural(struct gltf_reading *, double most, uint64_t *, struct anim_error *);
int gltf_take_flag(struct gltf_reading *, bool *, struct anim_error *);
int gltf_take_text(struct gltf_reading *, const char **, struct anim_error *);
int gltf_take_vector(struct gltf_reading *, float *, unsigned count, struct anim_error *);
int gltf_skip(struct gltf_reading *, struct anim_error *);

/* Into an object and out of it; where something fails the path stays as it is, for the message. */
void gltf_push(struct gltf_reading *);
void gltf_pop(struct gltf_reading *);

#define GLTF_NATURAL_MAX 9007199254740992.0 /* 2^53 */

/* Bytes of the text before the cursor. */
uint64_t gltf_cursor(const struct gltf_reading *);

int gltf_refuse(struct gltf_reading *, const struct anim_place *, const char *what, struct anim_error *);

#endif
