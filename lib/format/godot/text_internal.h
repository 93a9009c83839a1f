/* text_internal.h: the lexer, and the state of a text file during reading. Private to lexer.c, text.c, text_value.c. */
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
 * The cursor is `at`. The rest of the window is at..end, followed by zero bytes. Lines are counted only when a place is
 * needed or the window moves, so that scanning loops need not look for line breaks.
 */
struct godot_lexer {
	struct anim_input *input;
	struct anim_error *error;
	const uint8_t *window, *at, *end;
	uint64_t offset;        /* of window[0] */
	const uint8_t *counted; /* line breaks before it are counted in `line` */
	uint64_t line_start;    /* offset of the line that contains `counted` */
	uint32_t line;
	struct anim_buffer scratch; /* a word or number that crosses the end of a window */
	struct anim_buffer repaired;
	struct godot_oddities oddities;
};

#define GODOT_LEXER_END (-1)
#define GODOT_LEXER_ERROR (-2)

/* Initialise a lexer. The input and the error are borrowed. Later failures set the same error. */
void godot_lexer_init(struct godot_lexer *, struct anim_input *, struct anim_error *);

/*
 * Make `want` bytes from the cursor on available, unless the input ends earlier. Returns the number of available bytes,
 * or -1.
 */
ssize_t godot_lexer_more(struct godot_lexer *, size_t want);

/* Return the byte at the cursor, GODOT_LEXER_END or GODOT_LEXER_ERROR. */
static inline int godot_lexer_byte(struct godot_lexer *lexer)
{
	ssize_t got;

	if (lexer->at < lexer->end)
		return *lexer->at;
	got = godot_lexer_more(lexer, 1);
	return got > 0 ? *lexer->at : got == 0 ? GODOT_LEXER_END : GODOT_LEXER_ERROR;
}

/*
 * Skip blanks and comments. Returns the byte at the cursor without consuming it, 0 at the end of the input or at a NUL
 * (where the engine also stops), or -1 on error.
 */
int godot_lexer_token(struct godot_lexer *);
int godot_lexer_skip_comment(struct godot_lexer *); /* skip from the ';' to after the line break */

/* Consume `byte` if it is the next token, otherwise fail with "expected WANTED, found ...". Returns 0 or -1. */
int godot_lexer_expect(struct godot_lexer *, char byte, const char *wanted);
int godot_lexer_unexpected(struct godot_lexer *, const char *wanted); /* always returns -1 */

static inline bool godot_is_word_start(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Return the byte after the '-' at the cursor, as godot_lexer_byte does, without consuming either. */
int godot_lexer_after_minus(struct godot_lexer *);

/*
 * Consume a word (the cursor is at its first letter, or at a '-' before it) or a number (the cursor is at a digit or
 * '-'). The text is valid until the next call. It is followed by a byte that does not continue it, and by readable
 * slack. Returns 0 or -1.
 */
int godot_lexer_word(struct godot_lexer *, const char **text, size_t *length);
int godot_lexer_number(struct godot_lexer *, const char **text, size_t *length, bool *is_integer);

/*
 * Consume the string whose opening quote is at the cursor, and append its decoded text to `out`, as UTF-8 without NUL.
 * A text of more than `limit` bytes is an error. Returns 0 or -1.
 */
int godot_lexer_string(struct godot_lexer *, struct anim_buffer *out, size_t limit);

/* Replace each maximal part of an invalid UTF-8 sequence from `from` on by U+FFFD, and count them. Returns 0 or -1. */
int godot_lexer_repair(struct godot_lexer *, struct anim_buffer *, size_t from, const struct anim_place *);

/*
 * Skip text without storing it. The skipped text without comments is appended to `copy`, up to ANIM_TEXT_MAX bytes, if
 * `copy` is not NULL. String: the cursor is at its opening quote. Brackets: `depth` of them are open at the cursor, and
 * skipping ends after the bracket that closes the outermost. Returns 0 or -1.
 */
int godot_lexer_skip_string(struct godot_lexer *, struct anim_buffer *copy);
int godot_lexer_skip_brackets(struct godot_lexer *, size_t depth, struct anim_buffer *copy);

/* Return 1 if the cursor is at the first byte of a line that begins a tag with a known name, 0 if not, or -1. */
int godot_lexer_tag_ahead(struct godot_lexer *);
/*
 * Return 0 if there is no tag at the cursor, or -1 with an error if a tag is in the place of a value. Its bracket is
 * not consumed, for the recovery.
 */
int godot_lexer_not_a_tag(struct godot_lexer *);

/* Set the error of a value inside too many others. Returns -1. */
int godot_lexer_too_deep(struct godot_lexer *);

void godot_lexer_place(struct godot_lexer *, struct anim_place *);

/* Set the error ANIM_BAD_INPUT at the cursor. Returns -1. */
int godot_lexer_fail(struct godot_lexer *, const char *format, ...) __attribute__((format(printf, 2, 3)));

void godot_note(struct godot_oddity *, const struct anim_place *);

/* ---- The state of a file during reading ---- */

/* A container that is being read element by element. */
struct godot_level {
	char close;
	bool typed; /* a ')' follows the closing bracket: Array[T]([ ... ]) */
	bool begun; /* its first element has been returned */
};

struct godot_text {
	struct godot_binary *binary; /* the source of everything if the file is binary; NULL for text */
	struct godot_lexer lexer;
	bool started; /* the first tag has been looked for */
	bool pending; /* the cursor is at a value that has not been read */
	/* the end of the section has been found, so that bytes after its last value are skipped */
	bool ended;
	uint64_t begin, end, comma; /* see godot_text_marks */
	unsigned depth;
	struct godot_level levels[ANIM_NESTING_GODOT];
	struct anim_buffer name;       /* of the property at the cursor */
	struct anim_buffer attributes; /* struct godot_attribute of the last tag */
	struct anim_arena tag_arena;   /* holds the values of the attributes */
	/* temporary: a string, word or piece of source before it is copied to an arena */
	struct anim_buffer text;
	struct anim_buffer values; /* a stack: elements of the arrays and dictionaries being read */
	struct anim_buffer items;  /* elements of the packed array being read */
};

struct godot_number {
	double real; /* both are always set; integer is truncated and saturated if the text is a float */
	int64_t integer;
	bool is_integer;
	const char *digits; /* its text, valid until the next number or word is read; not set for words */
	size_t length;
};

/* Read the digits at the cursor, which is at a digit or at a '-' before it. Returns 0 or -1. */
int godot_number_digits(struct godot_text *, struct godot_number *);

/* Read the value at the cursor. `nesting` containers are open around it. Returns 0 or -1. */
int godot_value_read(struct godot_text *, struct anim_arena *, struct godot_value *, unsigned nesting);

/* Consume "[T](" after the word Array or Dictionary. *type becomes T if `type` is not NULL. Returns 0 or -1. */
int godot_typed_begin(struct godot_text *, struct anim_arena *, struct godot_string *type);

#endif
