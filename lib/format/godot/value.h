/* value.h: Godot's types and values, whatever kind of file they come from. Internal to format/godot. */
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

/* All that is known of a type. Names are constructors' words where there are such. */
struct godot_type_info {
	const char *name, *name3; /* Godot 4's ("Object" for resources and OTHER), Godot 3's: NULL: it has none */
	uint8_t numbers;          /* that a constructor takes; in an element of a packed array; 0: no numbers */
	uint8_t components;       /* of a column of such values; 0: they are no components */
	enum anim_type type;      /* of a track of such values */
	enum godot_type element;  /* of a packed array */
	bool variant;             /* the track's type does not say it, attribute godot.variant does */
	const char *name2;        /* Godot 2's, NULL: as in Godot 3 */
	const uint8_t
	    *map; /* number i is component map[i]; the other components are 0, the last 1; NULL: component i */
};
extern const struct godot_type_info godot_types[GODOT_TYPE_COUNT];
bool godot_type_is_packed(enum godot_type);

/* "lib/walk", or "walk" in the unnamed library: the name itself. In the arena; NULL out of memory. */
const char *godot_full_name(const char *library, const char *name, struct anim_arena *, struct anim_error *);

/* ---- Words of the text ---- */

/* What a word of the file means: the name of a type, or a value of one without parentheses. */
struct godot_word {
	const char *name;
	enum godot_type type;
	double number; /* true is 1; of FLOAT, the number */
};

const struct godot_word *godot_word_find(const char *text, size_t length); /* NULL where unknown */
bool godot_word_is_constant(const struct godot_word *);                    /* stands without parentheses */
int godot_word_unknown(const char *text, size_t length, const struct anim_place *, struct anim_error *); /* -1 */

static inline bool godot_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* ---- Questions to values ---- */

/* True for a String or StringName; for arrays and packed arrays. */
bool godot_value_is_name(const struct godot_value *);
bool godot_value_is_array(const struct godot_value *);

bool godot_string_is(const struct godot_string *, const char *text);
const struct godot_value *godot_dictionary_get(const struct godot_value *dictionary,
					       const char *key); /* String or StringName key; NULL */

/* The number that a bool, an int or a float is to Godot where it needs a float. False for other types. */
bool godot_value_number(const struct godot_value *, double *number);

/* Of pairs with equal keys the last value stays, at the place of the first. *pairs is lowered. 0 or -1. */
int godot_dictionary_settle(struct godot_value *items, size_t *pairs, struct anim_error *);

/* What Godot's Variant makes of a value where another type is wanted. */
double godot_to_double(const struct godot_value *);
int64_t godot_to_int(const struct godot_value *);
bool godot_to_bool(const struct godot_value *);
const char *godot_to_text(const struct godot_value *);
bool godot_exact_float32(double); /* the shortest text of (float)x is the number x */

/* Element i of an array or packed array as a value of its own. */
void godot_array_element(const struct godot_value *array, size_t i, struct godot_value *element);
size_t godot_array_count(const struct godot_value *array); /* 0 for anything else */

#endif
