/* text.h: a Godot file as a source of tags, properties and values; without meaning. Internal to format/godot. */

#ifndef ANIM_FORMAT_GODOT_TEXT_H
#define ANIM_FORMAT_GODOT_TEXT_H

#include "base/input.h"
#include "format/godot/value.h"

/*
 * What reads Animations, libraries and nodes asks for the next property, and takes its value whole, piece by piece or as
 * numbers. The same comes from a binary file (binary.h), known by its first bytes, as from text.
 */
struct godot_text;

/* Input and error are borrowed; what fails later tells that error. 0 or -1. */
int godot_text_new(struct godot_text **, struct anim_input *, struct anim_error *);
void godot_text_free(struct godot_text *);
bool godot_text_is_binary(const struct godot_text *);

/* ---- Properties and values ---- */

/*
 * The next property of the section: its name (NUL-terminated, borrowed until the next call of any godot_text function
 * that reads), the cursor behind the '='. 1; 0 where the section ends; -1.
 * The caller then reads or skips the value; a value not read is skipped by the next call.
 */
int godot_text_property(struct godot_text *, const char **name, struct anim_place *);

/* Reads the value at the cursor whole into the arena. 0 or -1. */
int godot_text_value(struct godot_text *, struct anim_arena *, struct godot_value *);
int godot_text_skip(struct godot_text *); /* passes over the value without holding it */

/* Which engine's name a packed array has: FloatArray, PoolRealArray, PackedFloat32Array. */
enum godot_spelling { GODOT_SPELLING_NONE, GODOT_SPELLING_2, GODOT_SPELLING_3, GODOT_SPELLING_4 };

/*
 * The fast way for keys: the numbers of an array at the cursor, appended to `floats` as Godot stores doubles in a float32
 * place. A packed array of bytes, ints or floats; or a plain one, whatever its elements are: vectors and quaternions one
 * number after the other, anything else as 0. *spelling is set where the array is packed, of whatever elements. The arena
 * is for single elements; it is reset. 1 read; 0 it is something else, nothing was taken; -1, after which
 * godot_text_property still finds what is behind the value.
 */
int godot_text_floats(struct godot_text *, struct anim_arena *, struct anim_buffer *floats, enum godot_spelling *);

/*
 * Walks a dictionary at the cursor key by key without holding it: begin; then next: 1 and the key, cursor at its
 * value (read, skipped, walked or left), 0 behind the closing brace; -1. A walk inside must be gone to its end, but
 * godot_text_property and godot_text_tag leave all of them.
 */
int godot_text_dictionary(struct godot_text *); /* 1 it is one, taken; 0 not; -1 */
int godot_text_dictionary_next(struct godot_text *, struct anim_arena *, struct godot_value *key);

/* The same for an array "[": begin; then next: 1 cursor at an element, 0 behind the bracket; -1. Array[T]([ ]) too. */
int godot_text_array(struct godot_text *);
int godot_text_array_next(struct godot_text *);

/* The place of the cursor. */
void godot_text_place(struct godot_text *, struct anim_place *);

/*
 * Where things stand, in bytes from the file's start, for who writes into it: the cursor; the first letter of the property
 * at hand; the end of the value, tag or opening bracket before the property or entry at hand; the comma behind that (0: none).
 */
struct godot_marks {
	uint64_t cursor, begin, end, comma;
};
struct godot_marks godot_text_marks(const struct godot_text *);

/* ---- Tags, and what is odd about a file ---- */

/* A tag: [name key=value ...]. Borrowed until the next godot_text_tag. */
struct godot_attribute {
	const char *key;
	struct godot_value value;
};
struct godot_tag {
	char name[32];
	struct anim_place place; /* of its '[' */
	const struct godot_attribute *attributes;
	size_t count;
};

const struct godot_value *godot_tag_get(const struct godot_tag *, const char *key); /* NULL where it has none */

/* The next tag, skipping what is left of the section before it. 1, 0 at the end of the file, -1. */
int godot_text_tag(struct godot_text *, struct godot_tag *);

/* What was read although it is wrong, as the engine does, to be warned of: how often, and where first. */
struct godot_oddity {
	size_t count;
	struct anim_place first;
};
struct godot_oddities {
	struct godot_oddity bad_utf8; /* sequences of a string or name that became U+FFFD; the place is the string's */
	struct godot_oddity bad_colors; /* #colours without 3, 4, 6 or 8 digits, which are black */
	struct godot_oddity cut;        /* the file ends inside a property's name */
	/* Of binary files alone: */
	struct godot_oddity big_endian;
	struct godot_oddity lost_references;    /* to resources that come later, or are none of the file's: null */
	struct godot_oddity gap;                /* bytes of no resource */
	struct godot_oddity no_end, behind_end; /* the mark at its end is missing; bytes behind that */
};

/* Those so far. */
const struct godot_oddities *godot_text_oddities(const struct godot_text *);

/* Whether the error is of what stands here, and something may be read behind it. */
bool godot_text_goes_on(const struct godot_text *, const struct anim_error *);

/*
 * After such an error: moves to the next line that begins a tag of a known name, so that more faults can be
 * found, of a binary file to the next resource; godot_text_tag then reads it. 1, 0 at the end, -1.
 */
int godot_text_recover(struct godot_text *);

#endif
