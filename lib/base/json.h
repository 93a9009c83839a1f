/* json.h: JSON: its strings and numbers, a document's frame, whole values as tokens. */
#ifndef ANIM_BASE_JSON_H
#define ANIM_BASE_JSON_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/input.h"

/*
 * Appends what a string's text (without its quotes) means. 0, or -1 with *bad on the byte that is wrong and *why (static).
 * Out of memory: *bad NULL.
 */
int anim_json_decode(const uint8_t *text, size_t size, struct anim_buffer *, const uint8_t **bad, const char **why);

/*
 * The end of the number at `at` by RFC 8259, section 6, as far as it goes; NULL where there is none. The byte behind the
 * text must be readable and go on no number: a blank, a comma, NUL.
 */
const uint8_t *anim_json_number_end(const uint8_t *at);

/* Appends a string with its quotes, as anim_print_json prints it. 0 or -1. */
int anim_json_append(struct anim_buffer *, const char *text, size_t length, struct anim_error *);

/* ---- a text that comes in windows ---- */

/*
 * The cursor is `at`; at..end is what is left of the window, zero bytes follow it. Lines are counted late, when a
 * place is asked for or the window moves.
 */
struct anim_json_text {
	struct anim_input *input;
	const uint8_t *window, *at, *end;
	uint64_t offset;  /* of window[0] */
	uint64_t limit;   /* bytes of the input that are text; 0: all */
	uint64_t counted; /* newlines before this offset are in `line` */
	uint64_t
	    line_start; /* offset of the line that holds `counted`; may wrap below 0 in a text cut out of another */
	uint32_t line;
};

#define ANIM_JSON_END (-1)
#define ANIM_JSON_ERROR (-2)

/* Of an input; NULL, or of a text that was cut out of another and began at `place` there. */
void anim_json_text_init(struct anim_json_text *, struct anim_input *, const struct anim_place *place);

/* Makes `want` bytes visible from the cursor on, unless the input ends before. Returns how many there are, or -1. */
ssize_t anim_json_more(struct anim_json_text *, size_t want, struct anim_error *);

/* The byte at the cursor, ANIM_JSON_END or ANIM_JSON_ERROR. */
static inline int anim_json_byte(struct anim_json_text *text, struct anim_error *error)
{
	ssize_t got;

	if (text->at < text->end)
		return *text->at;
	got = anim_json_more(text, 1, error);
	return got > 0 ? *text->at : got == 0 ? ANIM_JSON_END : ANIM_JSON_ERROR;
}

/* Passes over blanks; then as anim_json_byte. */
int anim_json_blank(struct anim_json_text *, struct anim_error *);

/*
 * Appends the bytes of one value at the cursor (its brackets and strings as they are; it is not checked otherwise) and
 * moves behind it. `depth` is the nesting around it. Capitals of True and False become small, *capitals counts them. 0,
 * ANIM_JSON_CUT where the input ends inside it, ANIM_JSON_DEEP where it is nested deeper than JSON may be (its bytes up to the
 * bracket that is too much were appended), -1 on error or where it is larger than a limit.
 */
#define ANIM_JSON_CUT 1
#define ANIM_JSON_DEEP 2
int anim_json_take_text(struct anim_json_text *, struct anim_buffer *, unsigned depth, size_t *capitals,
			struct anim_error *);

/* ---- a document ---- */

/*
 * All-zero but for `text` is a document at its beginning. Messages begin with what `where` says; whoever reads the document
 * has it as the first member and says there how deep in it things are. To be cleared.
 */
#define ANIM_JSON_WHERE_MAX 200
struct anim_json {
	struct anim_json_text *text; /* the cursor, borrowed */
	void (*where)(const struct anim_json *,
		      char *out); /* at most ANIM_JSON_WHERE_MAX bytes with the NUL; NULL: nothing */
	const char *member;       /* the one at hand, borrowed; NULL: none */
	char unknown[40];         /* its name where it is not known, safe to show */
	struct anim_buffer name;  /* of the member just read; NUL behind it */
	struct anim_buffer scalar;

	/* Whole values as tokens. */
	unsigned depth;            /* nesting around them; the names of their members are told in messages */
	const char *what;          /* what they are: "a key" */
	int64_t element;           /* the number of the value at hand; below 0: they are not counted */
	struct anim_buffer values; /* with ',' between them, as in the document; slack behind */
	struct anim_buffer tokens; /* jsmn's, reused */
	size_t count;
	struct anim_place begin; /* the place of values.data[0] */
	size_t capitals;         /* True and False that were made lower case in `values` */
	size_t known_at;         /* the byte of `values` whose place was told last */
	size_t known_line;       /* lines before that byte */
	size_t line_start;       /* the byte where its line begins; 0: it is on the first */
};
void anim_json_clear(struct anim_json *);

/* The place of the cursor, and of a byte of `values`. */
struct anim_place anim_json_here(struct anim_json *);
struct anim_place anim_json_place(struct anim_json *, const uint8_t *at);
/* `values` is empty from now on and begins at the cursor. */
void anim_json_begin(struct anim_json *);

/* The member is the one of this name, which is copied as far as there is room. */
void anim_json_name_member(struct anim_json *, const uint8_t *name, size_t size);

/* The message with what `where` says in front of it; cut to the capacity. */
void anim_json_message(const struct anim_json *, char *out, size_t capacity, const char *format, va_list)
    __attribute__((format(printf, 4, 0)));
/* Fails with it. -1. */
int anim_json_refuse(struct anim_json *, const struct anim_place *, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Fails with "',' or ']' is needed, found 'x'" at the cursor, with what is better known of it (comments, NaN, quotes), or
 * with the error that reading met. -1.
 */
int anim_json_unexpected_here(struct anim_json *, const char *needed, struct anim_error *);

/* The next member of an object whose '{' is taken: 1 with its name in json->name and the cursor on the value, 0 behind
 * '}', -1. *first is true before the first call. */
int anim_json_next_member(struct anim_json *, bool *first, struct anim_error *);
/* The next element of an array whose '[' is taken: 1 with the cursor on it, 0 behind ']', -1. */
int anim_json_next_element(struct anim_json *, bool *first, struct anim_error *);
/* Takes the opening bracket, or refuses: "what needs an object". 0 or -1. */
int anim_json_expect(struct anim_json *, char bracket, const char *what, struct anim_error *);
/* A string, decoded into the buffer with a NUL behind it, or null (*is_null). 0 or -1. */
int anim_json_take_string(struct anim_json *, struct anim_buffer *, bool *is_null, const char *what,
			  struct anim_error *);
int anim_json_take_number(struct anim_json *, double *value, const char *what, struct anim_error *);
/* Takes "null" where it stands at the cursor: 1 taken, 0 something else, -1. */
int anim_json_take_null(struct anim_json *, struct anim_error *);
/* Passes over a value of any kind, checked; `depth` is the nesting around it. 0 or -1. */
int anim_json_skip(struct anim_json *, unsigned depth, struct anim_error *);

/* ---- whole values as tokens, checked for what jsmn lets through ---- */

/* A token of jsmn's: a primitive is a number, true, false or null; a string's text is without its quotes. */
enum anim_json_type { ANIM_JSON_OBJECT, ANIM_JSON_ARRAY, ANIM_JSON_STRING, ANIM_JSON_PRIMITIVE };
struct anim_json_token {
	enum anim_json_type type;
	uint32_t start, end; /* in json.values */
};

/* `json.values` holds values with ',' between them, blanks around them allowed. Tokens and checks them; 0 or -1. */
int anim_json_tokenise(struct anim_json *, struct anim_error *);

/*
 * Reads values with ',' between them by hand and refuses what is wrong in them. `begin` is the place of the first byte in
 * the document, `depth` the nesting around them; the path is on the first. 0 where nothing is, or -1.
 */
int anim_json_explain(struct anim_json *, const uint8_t *from, size_t size, const struct anim_place *begin,
		      unsigned depth, struct anim_error *);

struct anim_json_token anim_json_token_at(const struct anim_json *, size_t token);

/* The token behind a value and all that is inside it. */
size_t anim_json_behind(const struct anim_json *, size_t token);

/* "a number", "an object" ... */
const char *anim_json_token_name(const struct anim_json *, size_t token);

const uint8_t *anim_json_token_text(const struct anim_json *, size_t token);
size_t anim_json_token_size(const struct anim_json *, size_t token);

/* Whether a token is the word null, and whether it is a number. */
bool anim_json_is_null(const struct anim_json *, size_t token);
bool anim_json_is_number(const struct anim_json *, size_t token);
/* Whether a name, as it is spelled in the text, is this one; escapes in it are decoded. */
bool anim_json_is_named(const struct anim_json *, size_t token, const char *name);

#endif
