/* text.h: the grammar of Godot's text files: tags, properties, values; without meaning. */
#ifndef ANIM_FORMAT_GODOT_TEXT_H
#define ANIM_FORMAT_GODOT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/input.h"

enum godot_type {
	GODOT_NIL,
	GODOT_BOOL,
	GODOT_INT,
	GODOT_FLOAT,
	GODOT_STRING,
	GODOT_STRING_NAME,
	GODOT_NODE_PATH,
	/* number-only constructors: `numbers` in the order of the text */
	GODOT_VECTOR2,
	GODOT_VECTOR2I,
	GODOT_VECTOR3,
	GODOT_VECTOR3I,
	GODOT_VECTOR4,
	GODOT_VECTOR4I,
	GODOT_RECT2,
	GODOT_RECT2I,
	GODOT_PLANE,
	GODOT_QUATERNION,
	GODOT_AABB,
	GODOT_BASIS,
	GODOT_TRANSFORM2D,
	GODOT_TRANSFORM3D,
	GODOT_PROJECTION,
	GODOT_COLOR,
	GODOT_ARRAY,
	GODOT_DICTIONARY,
	/* packed arrays of every spelling */
	GODOT_PACKED_BYTE,
	GODOT_PACKED_INT32,
	GODOT_PACKED_INT64,
	GODOT_PACKED_FLOAT32,
	GODOT_PACKED_FLOAT64,
	GODOT_PACKED_STRING,
	GODOT_PACKED_VECTOR2,
	GODOT_PACKED_VECTOR3,
	GODOT_PACKED_VECTOR4,
	GODOT_PACKED_COLOR,
	GODOT_SUB_RESOURCE,
	GODOT_EXT_RESOURCE,
	GODOT_RESOURCE, /* text = path, text2 = uid; either may be empty */
	/* RID, Signal, Callable, Object(...), Image(...), InputEvent(...), ...: text = source text, text2 = the word */
	GODOT_OTHER,
	GODOT_TYPE_COUNT
};

/*
 * A value. All-zero is nil. Everything is borrowed from the arena it was read into.
 * NUMBER constructors: up to 16 doubles in `numbers`, `count` of them. Vector*i and Rect2i hold integers in them.
 * packed numeric arrays: `items` points to count elements of their own kind: uint8_t, int64_t (both ints), double
 * (both floats, vectors and colours: 2, 3, 4 a piece, count = number of doubles). Packed strings: struct
 * godot_string. Array: count godot_values; dictionary: 2 * count, key and value in turn, in the order of the file. Of
 * a doubled key the last value counts, at the place of the first.
 */
struct godot_string {
	const char *bytes;
	size_t length;
}; /* UTF-8 without NUL, and a NUL behind it */
struct godot_value {
	enum godot_type type;
	struct anim_place place; /* of its first byte; file is borrowed from the reader */
	bool boolean;
	int64_t integer;
	double number;         /* FLOAT */
	bool float_is_exact32; /* FLOAT: the shortest text of (float)number is the file's decimal */
	struct godot_string text, text2;
	size_t count;
	double *numbers;
	void *items;
	struct godot_string literal_type; /* typed arrays and dictionaries: the text between the brackets, else empty */
};

struct godot_text;

int godot_text_new(struct godot_text **, struct anim_input *, struct anim_error *);
void godot_text_free(struct godot_text *);

/* A tag: [name key=value ...]. Borrowed until the next godot_text_tag. */
struct godot_attribute {
	const char *key;
	struct godot_value value;
};
struct godot_tag {
	char name[32];
	struct anim_place place;
	const struct godot_attribute *attributes;
	size_t count;
};

const struct godot_value *godot_tag_get(const struct godot_tag *, const char *key); /* NULL where it has none */

/* The next tag, skipping what is left of the section before it. 1, 0 at the end of the file, -1. */
int godot_text_tag(struct godot_text *, struct godot_tag *, struct anim_error *);

/*
 * The next property of the section: its name (NUL-terminated, borrowed until the next call of any godot_text function
 * that reads), the cursor behind the '='. 1; 0 where the section ends; -1.
 * The caller then reads or skips the value; a value not read is skipped by the next call.
 */
int godot_text_property(struct godot_text *, const char **name, struct anim_place *, struct anim_error *);

/* Reads the value at the cursor whole into the arena. 0 or -1. */
int godot_text_value(struct godot_text *, struct anim_arena *, struct godot_value *, struct anim_error *);
int godot_text_skip(struct godot_text *, struct anim_error *); /* passes over the value without holding it */

/*
 * The fast way for keys. Looks whether the value at the cursor is an array of numbers (any packed array of bytes,
 * ints or floats, or a plain [ ... ] that is empty or begins with a number) and, if so, appends its numbers to
 * `floats`: float elements, as Godot stores doubles in a float32 place. 1 read; 0 it is something else, nothing was
 * taken; -1. An array that goes on with something else than numbers is -1 with the place; godot_text_property then
 * still finds what is behind the value.
 */
int godot_text_floats(struct godot_text *, struct anim_buffer *floats, struct anim_error *);

/*
 * The same for a plain array [ ... ] whatever its elements are: numbers fast, vectors and quaternions one number
 * after the other, anything else as 0. 1 read; 0 it is no plain array, nothing was taken; -1. The arena is for single
 * elements; it is reset.
 */
int godot_text_flat(struct godot_text *, struct anim_arena *, struct anim_buffer *floats, struct anim_error *);

/* Which engine's name of a packed array is at the cursor: FloatArray, PoolRealArray, PackedFloat32Array. 0 or -1. */
enum godot_spelling { GODOT_SPELLING_NONE, GODOT_SPELLING_2, GODOT_SPELLING_3, GODOT_SPELLING_4 };
int godot_text_spelling(struct godot_text *, enum godot_spelling *, struct anim_error *);

/*
 * Walks a dictionary at the cursor key by key without holding it: begin; then next: 1 and the key, cursor at its
 * value (read, skipped, walked or left), 0 behind the closing brace; -1. A walk inside must be gone to its end, but
 * godot_text_property and godot_text_tag leave all of them.
 */
int godot_text_dictionary(struct godot_text *, struct anim_error *); /* 1 it is one, taken; 0 not; -1 */
int godot_text_dictionary_next(struct godot_text *, struct anim_arena *, struct godot_value *key, struct anim_error *);

/* The same for an array "[": begin; then next: 1 cursor at an element, 0 behind the bracket; -1. Array[T]([ ]) too. */
int godot_text_array(struct godot_text *, struct anim_error *);
int godot_text_array_next(struct godot_text *, struct anim_error *);

/* The place of the cursor. */
void godot_text_place(const struct godot_text *, struct anim_place *);

/*
 * What was read although it is wrong, as the engine does, to be warned of. How many so far; `first` (may be NULL) is
 * set where there is one. bad_utf8: sequences of a string or name that are no UTF-8 and became U+FFFD (the place is
 * the string's). bad_colors: #colours without 3, 4, 6 or 8 digits, which are black. cut: the file ends inside a
 * property's name.
 */
size_t godot_text_bad_utf8(const struct godot_text *, struct anim_place *first);
size_t godot_text_bad_colors(const struct godot_text *, struct anim_place *first);
bool godot_text_cut(const struct godot_text *, struct anim_place *first);

/*
 * After an error of grammar: moves to the next line that begins a tag of a known name, so that more faults can be
 * found; godot_text_tag then reads it. 1, 0 at the end, -1.
 */
int godot_text_recover(struct godot_text *, struct anim_error *);

/*
 * Prints a value as Godot 4.5+ writes it (shortest numbers, keys in their order, UTF-8 raw): literals of string
 * tracks. Resources keep SubResource("id"); the caller rewrites ExtResource. Appends to the buffer. 0 or -1.
 */
int godot_value_print(const struct godot_value *, struct anim_buffer *, struct anim_error *);

/* How a byte is written inside quotes, NULL: as it is. Strings keep their line ends (multiline), names and paths do not. */
const char *godot_escape_of(char, bool multiline);

/* Godot 4's name of a type, a constructor's where there is one; "Object" for resources and GODOT_OTHER. */
const char *godot_type_name(enum godot_type);

/* True for a String or StringName; for arrays and packed arrays. */
bool godot_value_is_name(const struct godot_value *);
bool godot_value_is_array(const struct godot_value *);

bool godot_string_is(const struct godot_string *, const char *text);
const struct godot_value *godot_dictionary_get(const struct godot_value *dictionary,
					       const char *key); /* String or StringName key; NULL */

/* The number that a bool, an int or a float is to Godot where it needs a float. False for other types. */
bool godot_value_number(const struct godot_value *, double *number);

#endif
