/* text_internal.h: the lexer and the state of the text layer. Private to lexer.c, text.c, text_value.c. */
#ifndef ANIM_FORMAT_GODOT_TEXT_INTERNAL_H
#define ANIM_FORMAT_GODOT_TEXT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/input.h"
#include "base/limits.h"
#include "format/godot/text.h"

/* ---- The lexer ---- */

/*
 * The cursor is `at`; at..end is what is left of the window, zero bytes follow it. Lines are counted late, when a
 * place is asked for or the window moves, so that scanning loops need not look at newlines.
 */
struct godot_lexer {
	struct anim_input *input;
	struct anim_error *error;
	const uint8_t *window, *at, *end;
	uint64_t offset;        /* of window[0] */
	const uint8_t *counted; /* newlines before it are in `line` */
	uint64_t line_start;    /* offset of the line that holds `counted` */
	uint32_t line;
	struct anim_buffer scratch; /* a word or number that crosses a window's end */
	struct anim_buffer repaired;
	struct godot_oddities oddities;
};

#define GODOT_LEXER_END (-1)
#define GODOT_LEXER_ERROR (-2)

/* Input and error are borrowed; all that fails later tells that error. */
void godot_lexer_init(struct godot_lexer *, struct anim_input *, struct anim_error *);

/* Makes `want` bytes visible from the cursor on, unless the input ends before. Returns how many there are, or -1. */
ssize_t godot_lexer_more(struct godot_lexer *, size_t want);

/* The byte at the cursor, GODOT_LEXER_END or GODOT_LEXER_ERROR. */
static inline int godot_lexer_byte(struct godot_lexer *lexer)
{
	ssize_t got;

	if (lexer->at < lexer->end)
		return *lexer->at;
	got = godot_lexer_more(lexer, 1);
	return got > 0 ? *lexer->at : got == 0 ? GODOT_LEXER_END : GODOT_LEXER_ERROR;
}

/*
 * Passes over blanks and comments. Returns the byte at the cursor, not taken; 0 at the end, which a NUL is too (the
 * engine stops there); -1 on error.
 */
int godot_lexer_token(struct godot_lexer *);
int godot_lexer_skip_comment(struct godot_lexer *); /* from the ';' to behind the newline */

/* Takes `byte` where it is the next token, else fails with "expected WANTED, found ...". 0 or -1. */
int godot_lexer_expect(struct godot_lexer *, char byte, const char *wanted);
int godot_lexer_unexpected(struct godot_lexer *, const char *wanted); /* always -1 */

static inline bool godot_is_word_start(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A '-' at the cursor: what is behind it, as godot_lexer_byte says it, without taking either. */
int godot_lexer_after_minus(struct godot_lexer *);

/*
 * Takes a word (the cursor is at its first letter, or at a '-' before one) or a number (at a digit or '-'). The text
 * is borrowed until the next call; a byte that does not continue it and readable slack follow it. 0 or -1.
 */
int godot_lexer_word(struct godot_lexer *, const char **text, size_t *length);
int godot_lexer_number(struct godot_lexer *, const char **text, size_t *length, bool *is_integer);

/*
 * Takes the string whose opening quote is at the cursor and appends what it means, as UTF-8 without NUL, to `out`.
 * More than `limit` bytes are refused. 0 or -1.
 */
int godot_lexer_string(struct godot_lexer *, struct anim_buffer *out, size_t limit);

/* Bytes from `from` on that are no UTF-8 become U+FFFD each (one for each maximal part of a sequence); counted. */
int godot_lexer_repair(struct godot_lexer *, struct anim_buffer *, size_t from, const struct anim_place *);

/*
 * Passing over text without holding it; what was passed, but for comments, is appended to `copy` where that is not
 * NULL, up to ANIM_TEXT_MAX bytes. String: the cursor is at its opening quote. Brackets: `depth` of them are open at
 * the cursor; it ends behind the one that closes the outermost. 0 or -1.
 */
int godot_lexer_skip_string(struct godot_lexer *, struct anim_buffer *copy);
int godot_lexer_skip_brackets(struct godot_lexer *, size_t depth, struct anim_buffer *copy);

/* True (1) where the cursor is at the first byte of a line that begins a tag of a known name; 0 or -1. */
int godot_lexer_tag_ahead(struct godot_lexer *);

void godot_lexer_place(struct godot_lexer *, struct anim_place *);

/* Fails with ANIM_BAD_INPUT at the cursor. Returns -1. */
int godot_lexer_fail(struct godot_lexer *, const char *format, ...) __attribute__((format(printf, 2, 3)));

void godot_note(struct godot_oddity *, const struct anim_place *);

/* ---- The state of a file that is read ---- */

/* A container that is being walked. */
struct godot_level {
	char close;
	bool typed; /* a ')' follows the closing bracket: Array[T]([ ... ]) */
	bool begun; /* its first element has been given out */
};

struct godot_text {
	struct godot_binary *binary; /* where all comes from; NULL: from the lexer */
	struct godot_lexer lexer;
	bool started;               /* the first tag was looked for */
	bool pending;               /* the cursor is at a value that nobody has taken */
	bool ended;                 /* the section's end was seen: what is behind its last value is passed over */
	uint64_t begin, end, comma; /* as godot_text_marks tells */
	unsigned depth;
	struct godot_level levels[ANIM_NESTING_GODOT];
	struct anim_buffer name;       /* of the property at the cursor */
	struct anim_buffer attributes; /* struct godot_attribute of the last tag */
	struct anim_arena tag_arena;   /* what they hold */
	struct anim_buffer text;       /* a string, word or piece of source on its way into an arena */
	struct anim_buffer values;     /* a stack: elements of the arrays and dictionaries that are being read */
	struct anim_buffer items;      /* elements of the packed array that is being read */
};

struct godot_number {
	double real; /* both are set; integer is truncated and saturated where the text is a float */
	int64_t integer;
	bool is_integer;
	const char *digits; /* its text, borrowed until the next number or word is read; not of words */
	size_t length;
};

/* A number, or one of the words inf, -inf, inf_neg, nan; `wanted` says in the message what is not there. 0 or -1. */
int godot_number_read(struct godot_text *, const char *wanted, struct godot_number *);
/* The digits at the cursor, which is at a digit or at a '-' before one. 0 or -1. */
int godot_number_digits(struct godot_text *, struct godot_number *);

/* The value at the cursor; `nesting` containers are open around it. 0 or -1. */
int godot_value_read(struct godot_text *, struct anim_arena *, struct godot_value *, unsigned nesting);

/* A tag where a value should be: 0 where there is none, -1; its bracket is left for the recovery. */
int godot_text_not_a_tag(struct godot_text *);
int godot_text_too_deep(struct godot_text *); /* fails at the cursor: -1 */

/* Behind the word Array or Dictionary: "[T](" is taken, T goes to *type where that is not NULL. 0 or -1. */
int godot_typed_begin(struct godot_text *, struct anim_arena *, struct godot_string *type);

/* A string at the cursor into the arena; base64 text into text->items. 0 or -1. */
int godot_base64_read(struct godot_text *);

#endif
