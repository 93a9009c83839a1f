/* fields.h: tables of the fields of records, for all code that prints or reads them as text. */
#ifndef ANIM_FORMAT_FIELDS_H
#define ANIM_FORMAT_FIELDS_H

#include "clip/track.h"

/* The kind of a field, and the type of the member that holds it. */
enum record_field_kind {
	RECORD_FIELD_TEXT,    /* const char * */
	RECORD_FIELD_WORD,    /* the number of one of `names` */
	RECORD_FIELD_TYPE,    /* enum anim_type */
	RECORD_FIELD_INTERP,  /* the mode of all keys, or ANIM_INTERP_COLUMN */
	RECORD_FIELD_BITS,    /* a bit for each of `names` */
	RECORD_FIELD_NATURAL, /* an integer below `none`, where `none` itself means "no number" */
	RECORD_FIELD_KEYS,    /* size_t: how many keys a track has */
	RECORD_FIELD_FLOATS,  /* one float, or an array of them */
	RECORD_FIELD_DOUBLE,
	RECORD_FIELD_RATE,   /* two uint32_t: numerator and denominator */
	RECORD_FIELD_ATTRS,  /* struct anim_attrs, the last field of a line of anim-dump */
	RECORD_FIELD_COLUMNS /* the columns of a track: no member */
};

struct record_field {
	const char *name; /* NULL after the last field */
	enum record_field_kind kind;
	size_t offset, size; /* of the member in the struct */
	const char *const *names;
	unsigned count; /* number of names */
	uint64_t none;
	bool required; /* required in JSON (other fields have a default there) */
	bool of_raw;   /* only Raw tracks have it */
};

/* The fields of struct anim_prog, anim_tree, anim_node, anim_clip and anim_track. The first field of each is a text. */
extern const struct record_field record_prog_fields[], record_tree_fields[], record_node_fields[], record_clip_fields[],
    record_track_fields[];

/* Return the word for a member of kind _WORD, _TYPE or _INTERP, or NULL for ANIM_INTERP_COLUMN. */
const char *record_field_word(const struct record_field *, const void *record);

/* Return or set a member that is a whole number. */
uint64_t record_field_number(const struct record_field *, const void *record);
void record_field_set(const struct record_field *, void *record, uint64_t number);

/* How a text writes the element of one key in a column. */
enum record_element_kind {
	RECORD_ELEMENT_TEXT,
	RECORD_ELEMENT_NUMBERS, /* `components` numbers of `type` */
	RECORD_ELEMENT_INTERP,  /* the name of a mode */
	RECORD_ELEMENT_NATURAL  /* a whole number up to `most` */
};
struct record_element {
	enum record_element_kind kind;
	enum anim_type type;
	unsigned components;
	uint64_t most;
	size_t size; /* in bytes */
};

/* Return the element of a column of a track of this type. */
struct record_element record_element_of(enum anim_column, enum anim_type);

#endif
