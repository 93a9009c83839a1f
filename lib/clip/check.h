/* check.h: the model's invariants, told with the field that breaks them, so that a decoder can name its place. */
#ifndef ANIM_CLIP_CHECK_H
#define ANIM_CLIP_CHECK_H

#include "base/error.h"
#include "clip/track.h"

/* Fields of all records; those of columns come last, ANIM_FIELD_COLUMN + id. */
enum anim_field {
	ANIM_FIELD_RECORD, /* no single field: several that do not go together */
	ANIM_FIELD_KIND,
	ANIM_FIELD_TYPE,
	ANIM_FIELD_NODE,
	ANIM_FIELD_PROPERTY,
	ANIM_FIELD_KEYS,
	ANIM_FIELD_COMPONENT,
	ANIM_FIELD_RULES,
	ANIM_FIELD_FLAGS,
	ANIM_FIELD_BEFORE,
	ANIM_FIELD_AFTER,
	ANIM_FIELD_INTERP,
	ANIM_FIELD_ATTRS,
	ANIM_FIELD_START,
	ANIM_FIELD_STEP,
	ANIM_FIELD_RATE,
	ANIM_FIELD_END,
	ANIM_FIELD_LOOP,
	ANIM_FIELD_AXES,
	ANIM_FIELD_AXES2D,
	ANIM_FIELD_NAME,
	ANIM_FIELD_ROOT,
	ANIM_FIELD_SOURCE,
	ANIM_FIELD_PARENT,
	ANIM_FIELD_TRANSFORM,
	ANIM_FIELD_COLUMN
};

#define ANIM_FIELD_COUNT (ANIM_FIELD_COLUMN + ANIM_COLUMN_COUNT)

/* Names of columns 0 to 9, as anim-dump prints them. */
extern const char *const anim_column_names[ANIM_COLUMN_COUNT];

/*
 * Each returns 0, or -1 with ANIM_BAD_INPUT, a message, and *field set. The head of a track is all but its columns;
 * columns: bit i of `present` says that column i stands (with n = 0 a column may stand without elements). Columns are
 * only looked at after the head was found right.
 */
int anim_track_check_head(const struct anim_track *, enum anim_field *field, struct anim_error *);
int anim_track_check_columns(const struct anim_track *, unsigned present, enum anim_field *field, struct anim_error *);
int anim_clip_check(const struct anim_clip *, bool tree_before, enum anim_field *field, struct anim_error *);
int anim_tree_check(const struct anim_tree *, enum anim_field *field, struct anim_error *);
int anim_node_check(const struct anim_node *, uint32_t number, enum anim_field *field, struct anim_error *);

/* True where all are finite and none is smaller than the one before it: no ANIM_UNSORTED is needed. */
bool anim_times_are_sorted(const float *time, size_t n);

/* Bits of the columns that a track has (pointers set), with n = 0 also those that it must have. */
unsigned anim_track_columns(const struct anim_track *);

#endif
