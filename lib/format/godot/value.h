/* value.h: Godot types and values, for text and binary files. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_VALUE_H
#define ANIM_FORMAT_GODOT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "clip/track.h"

/* ---- Types and values ---- */

enum godot_type {
	GODOT_NIL,
	GODOT_BOOL,
	GODOT_INT,
	GODOT_FLOAT,
	GODOT_STRING,
	GODOT_STRING_NAME,
	GODOT_NODE_PATH,
	/* constructors with only numbers: `numbers` in the order of the text */
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
 * A value. All-zero is nil. All pointers are borrowed from the arena into which it was read. Constructors of numbers:
 * `numbers` has `count` doubles, at most 16. For Vector*i and Rect2i they are integers. Packed numeric arrays: `items`
 * has `count` elements of uint8_t, int64_t (both sizes of int) or double (both sizes of float, and vectors and colours
 * with 2, 3 or 4 doubles each; count is the number of doubles). Packed strings: struct godot_string. Array: `count`
 * godot_values. Dictionary: 2 * count values, key and value alternating, in the order of the file. If a key occurs
 * twice, the last value counts, at the position of the first.
 */
struct godot_string {
	const char *bytes;
	size_t length;
}; /* UTF-8 without NUL inside, followed by a NUL */
struct godot_value {
	enum godot_type type;
	struct anim_place place; /* of its first byte; the file name is borrowed from the reader */
	bool boolean;
	int64_t integer;
	double number;         /* FLOAT */
	bool float_is_exact32; /* FLOAT: the shortest text of (float)number is the decimal in the file */
	struct godot_string text, text2;
	size_t count;
	double *numbers;
	void *items;
	/* typed arrays and dictionaries: the text between the brackets, otherwise empty */
	struct godot_string literal_type;
};

/* The properties of a type. Names are the words of constructors if the type has one. */
struct godot_type_info {
	/* name in Godot 4 ("Object" for resources and OTHER) and in Godot 3; NULL if it does not exist there */
	const char *name, *name3;
	/* count of numbers in a constructor, or in an element of a packed array; 0 if it has none */
	uint8_t numbers;
	/* count of components in a column of such values; 0 if the values are not components */
	uint8_t components;
	enum anim_type type;     /* type of a track of such values */
	enum godot_type element; /* element type of a packed array */
	bool variant;            /* the type of the track is ambiguous, so the attribute godot.variant records it */
	const char *name2;       /* name in Godot 2; NULL if it is the same as in Godot 3 */
	const uint8_t
	    /* number i is component map[i]; the other components are 0, the last is 1; NULL: number i is component i */
	    *map;
};
extern const struct godot_type_info godot_types[GODOT_TYPE_COUNT];
bool godot_type_is_packed(enum godot_type);

/*
 * Return the full name of a clip: "lib/walk", or just "walk" in the unnamed library. It is in the arena; NULL if out of
 * memory.
 */
const char *godot_full_name(const char *library, const char *name, struct anim_arena *, struct anim_error *);

/* ---- Words in text files ---- */

/* The meaning of a word in a file: the name of a type, or a value without parentheses. */
struct godot_word {
	const char *name;
	enum godot_type type;
	double number; /* 1 for true; the number for a FLOAT */
};

const struct godot_word *godot_word_find(const char *text, size_t length); /* NULL if unknown */
bool godot_word_is_constant(const struct godot_word *);                    /* it has no parentheses */
/* sets an error; returns -1 */
int godot_word_unknown(const char *text, size_t length, const struct anim_place *, struct anim_error *);

static inline bool godot_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* ---- Properties of values ---- */

/* Return whether the value is a String or StringName; whether it is an array, plain or packed. */
bool godot_value_is_name(const struct godot_value *);
bool godot_value_is_array(const struct godot_value *);

bool godot_string_is(const struct godot_string *, const char *text);
/* Return the value of a String or StringName key, or NULL. */
const struct godot_value *godot_dictionary_get(const struct godot_value *dictionary, const char *key);

/*
 * Convert a bool, an int or a float to the number that Godot uses when it needs a float. Returns false for other types.
 */
bool godot_value_number(const struct godot_value *, double *number);

/* Keep only the last value for each key, at the position of the first. *pairs is reduced. Returns 0 or -1. */
int godot_dictionary_unique(struct godot_value *items, size_t *pairs, struct anim_error *);

/* Convert a value as the Variant of Godot does when another type is needed. */
double godot_to_double(const struct godot_value *);
int64_t godot_to_int(const struct godot_value *);
bool godot_to_bool(const struct godot_value *);
const char *godot_to_text(const struct godot_value *);
bool godot_exact_float32(double); /* the shortest text of (float)x is the number x */

/* Get element i of an array or packed array as a value. */
void godot_array_element(const struct godot_value *array, size_t i, struct godot_value *element);
size_t godot_array_count(const struct godot_value *array); /* 0 for any other value */

#endif
