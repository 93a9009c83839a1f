/* text.h: a Godot file as a source of tags, properties and values, without their meaning. Internal to format/godot. */

#ifndef ANIM_FORMAT_GODOT_TEXT_H
#define ANIM_FORMAT_GODOT_TEXT_H

#include "base/input.h"
#include "format/godot/value.h"

/*
 * A reader of Animations, libraries and nodes asks for the next property, then takes its value completely, element by
 * element, or as numbers. A binary file (binary.h), which is recognised by its first bytes, gives the same items as a
 * text file.
 */
struct godot_text;

/* Open a file. The input and the error are borrowed. Later failures set the same error. Returns 0 or -1. */
int godot_text_new(struct godot_text **, struct anim_input *, struct anim_error *);
void godot_text_free(struct godot_text *);
bool godot_text_is_binary(const struct godot_text *);

/* ---- Properties and values ---- */

/*
 * Move to the next property of the section. *name is NUL-terminated and valid until the next call of a godot_text
 * function that reads. The cursor is then after the '='. The caller reads or skips the value; otherwise the next call
 * skips it. Returns 1, 0 at the end of the section, or -1.
 */
int godot_text_property(struct godot_text *, const char **name, struct anim_place *);

/* Read the complete value at the cursor into the arena. Returns 0 or -1. */
int godot_text_value(struct godot_text *, struct anim_arena *, struct godot_value *);
int godot_text_skip(struct godot_text *); /* skip the value without storing it */

/* The engine version whose name a packed array has: FloatArray, PoolRealArray, PackedFloat32Array. */
enum godot_spelling { GODOT_SPELLING_NONE, GODOT_SPELLING_2, GODOT_SPELLING_3, GODOT_SPELLING_4 };

/*
 * Read the numbers of an array at the cursor, and append them to `floats`, converted as Godot stores doubles in a
 * float32. This is the fast method for keys. The array is a packed array of bytes, ints or floats, or a plain array
 * with any elements: vectors and quaternions give all their numbers, other elements give 0. *spelling is set if the
 * array is packed, whatever its elements are. The arena is for single elements; it is reset. Returns 1, 0 if the value
 * is something else (nothing is consumed), or -1. After -1, godot_text_property still finds the property after the
 * value.
 */
int godot_text_floats(struct godot_text *, struct anim_arena *, struct anim_buffer *floats, enum godot_spelling *);

/*
 * Read a dictionary at the cursor key by key without storing it. Call godot_text_dictionary, then
 * godot_text_dictionary_next: it returns 1 and the key, with the cursor at the value, 0 after the closing brace, or -1.
 * The value may be read, skipped, entered or left. Containers inside must be read to their end, but godot_text_property
 * and godot_text_tag leave all of them.
 */
int godot_text_dictionary(struct godot_text *); /* 1 if the value is a dictionary, which is entered; 0 if not; -1 */
int godot_text_dictionary_next(struct godot_text *, struct anim_arena *, struct godot_value *key);

/*
 * Read an array "[" or Array[T]([ ]) in the same way: begin, then next, which returns 1 with the cursor at an element,
 * 0 after the bracket, or -1.
 */
int godot_text_array(struct godot_text *);
int godot_text_array_next(struct godot_text *);

/* Get the place of the cursor. */
void godot_text_place(struct godot_text *, struct anim_place *);

/*
 * Offsets in bytes from the start of the file, for editing it: the cursor; the first letter of the current property;
 * the end of the value, tag or opening bracket before the current property or entry; the comma after that end (or 0).
 */
struct godot_marks {
	uint64_t cursor, begin, end, comma;
};
struct godot_marks godot_text_marks(const struct godot_text *);

/* ---- Tags, and unusual content of a file ---- */

/* A tag: [name key=value ...]. It is valid until the next godot_text_tag. */
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

const struct godot_value *godot_tag_get(const struct godot_tag *, const char *key); /* may be NULL */

/*
 * Read the next tag, and skip the remaining properties of the section before it. Returns 1, 0 at the end of the file,
 * or -1.
 */
int godot_text_tag(struct godot_text *, struct godot_tag *);

/*
 * Content that is wrong but accepted, as in the engine. Callers warn about it. Each has a count and the place of the
 * first occurrence.
 */
struct godot_oddity {
	size_t count;
	struct anim_place first;
};
struct godot_oddities {
	/* invalid sequences in strings and names, replaced by U+FFFD; the place is the start of the string */
	struct godot_oddity bad_utf8;
	struct godot_oddity bad_colors; /* #colours without 3, 4, 6 or 8 digits, which become black */
	struct godot_oddity cut;        /* the file ends inside the name of a property */
	/* Only in binary files: */
	struct godot_oddity big_endian;
	/* references to resources that follow later or are not in the file; they become null */
	struct godot_oddity lost_references;
	struct godot_oddity gap;               /* bytes that belong to no resource */
	struct godot_oddity no_end, after_end; /* the mark at the end is missing; bytes follow it */
};

/* Return the oddities found so far. */
const struct godot_oddities *godot_text_oddities(const struct godot_text *);

/* Return whether the error concerns only the content at this place, so that the content after it can be read. */
bool godot_text_can_continue(const struct godot_text *, const struct anim_error *);

/*
 * Move to the next line that begins a tag with a known name, after such an error, to find further errors. In a binary
 * file, move to the next resource. godot_text_tag then reads it. Returns 1, 0 at the end, or -1.
 */
int godot_text_recover(struct godot_text *);

#endif
