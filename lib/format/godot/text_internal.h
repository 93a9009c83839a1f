/* text_internal.h: the state of the text layer, and its value parser; private to text*.c. */
#ifndef ANIM_FORMAT_GODOT_TEXT_INTERNAL_H
#define ANIM_FORMAT_GODOT_TEXT_INTERNAL_H

#include "base/limits.h"
#include "format/godot/text.h"
#include "format/godot/text_lexer.h"

/* A container that is being walked. */
struct godot_level {
	char close;
	bool typed; /* a ')' follows the closing bracket: Array[T]([ ... ]) */
	bool begun; /* its first element has been given out */
};

struct godot_text {
	struct godot_lexer lexer;
	bool started; /* the first tag was looked for */
	bool pending; /* the cursor is at a value that nobody has taken */
	unsigned depth;
	struct godot_level levels[ANIM_NESTING_GODOT];
	struct godot_note cut, bad_colors;
	struct anim_buffer name;       /* of the property at the cursor */
	struct anim_buffer attributes; /* struct godot_attribute of the last tag */
	struct anim_arena tag_arena;   /* what they hold */
	struct anim_buffer text;       /* a string, word or piece of source on its way into an arena */
	struct anim_buffer values;     /* a stack: elements of the arrays and dictionaries that are being read */
	struct anim_buffer items;      /* elements of the packed array that is being read */
};

/* What a word of the file means. */
enum godot_word_kind {
	GODOT_WORD_NIL,
	GODOT_WORD_TRUE,
	GODOT_WORD_FALSE,
	GODOT_WORD_INF,
	GODOT_WORD_MINUS_INF,
	GODOT_WORD_NAN,
	GODOT_WORD_NUMBERS,  /* a constructor of exactly `count` numbers */
	GODOT_WORD_INTEGERS, /* the same, truncated to int32 */
	GODOT_WORD_PACKED,   /* any number of numbers, a multiple of `count` */
	GODOT_WORD_STRINGS,
	GODOT_WORD_NODE_PATH,
	GODOT_WORD_ID, /* SubResource, ExtResource */
	GODOT_WORD_RESOURCE,
	GODOT_WORD_ARRAY,
	GODOT_WORD_DICTIONARY
};
struct godot_word {
	const char *name;
	enum godot_word_kind kind;
	enum godot_type type;
	uint8_t count;
};

const struct godot_word *godot_word_find(const char *text, size_t length); /* NULL where unknown */
bool godot_word_is_constant(const struct godot_word *);                    /* stands without parentheses */
int godot_word_unknown(const char *text, size_t length, const struct anim_place *, struct anim_error *); /* -1 */

struct godot_number {
	double real; /* both are set; integer is truncated and saturated where the text is a float */
	int64_t integer;
	bool is_integer;
	const char *digits; /* its text, borrowed until the next number or word is read; not of words */
	size_t length;
};

/* The numbers of the window from the cursor on, at most some thousands, appended; *count of them. 0 or -1. */
int godot_number_run(struct godot_text *, struct anim_buffer *floats, size_t *count, struct anim_error *);

/* A number, or one of the words inf, -inf, inf_neg, nan; `wanted` says in the message what is not there. 0 or -1. */
int godot_number_read(struct godot_text *, const char *wanted, struct godot_number *, struct anim_error *);
/* The digits at the cursor, which is at a digit or at a '-' before one. 0 or -1. */
int godot_number_digits(struct godot_text *, struct godot_number *, struct anim_error *);
/* Whether the shortest text of the nearest float is the number's decimal: godot_value.float_is_exact32. */
bool godot_number_is_exact32(const struct godot_number *);

/* The value at the cursor; `nesting` containers are open around it. 0 or -1. */
int godot_value_read(struct godot_text *, struct anim_arena *, struct godot_value *, unsigned nesting,
		     struct anim_error *);
int godot_value_skip(struct godot_text *, struct anim_error *);
int godot_text_too_deep(struct godot_text *, struct anim_error *); /* fails at the cursor: -1 */

/* The rest of a constructor whose word has been taken; value->type and place are set. 0 or -1. */
int godot_construct(struct godot_text *, struct anim_arena *, struct godot_value *, const struct godot_word *,
		    struct anim_error *);

/* Behind the word Array or Dictionary: "[T](" is taken, T goes to *type where that is not NULL. 0 or -1. */
int godot_typed_begin(struct godot_text *, struct anim_arena *, struct godot_string *type, struct anim_error *);

/* A string at the cursor into the arena; base64 text into text->items. 0 or -1. */
int godot_string_read(struct godot_text *, struct anim_arena *, struct godot_string *, struct anim_error *);
int godot_base64_read(struct godot_text *, struct anim_error *);
int godot_base64_print(struct anim_buffer *, const uint8_t *bytes, size_t size, struct anim_error *); /* with quotes */

/* Of pairs with equal keys the last value stays, at the place of the first. *pairs is lowered. 0 or -1. */
int godot_dictionary_settle(struct godot_value *items, size_t *pairs, struct anim_error *);

#endif
