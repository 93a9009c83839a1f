/* json.h: JSON: strings and numbers, the structure of a document, complete values as tokens. */
#ifndef ANIM_BASE_JSON_H
#define ANIM_BASE_JSON_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/input.h"

/*
 * Append the decoded text of a string; `text` is without its quotes. Returns 0, or -1 with *bad on the wrong byte and
 * *why (static). If out of memory, *bad is NULL.
 */
int anim_json_decode(const uint8_t *text, size_t size, struct anim_buffer *, const uint8_t **bad, const char **why);

/*
 * Return the end of the longest number (RFC 8259, section 6) at `at`, or NULL if there is none. The byte after the
 * text must be readable and must not continue a number, for example a blank, a comma or NUL.
 */
const uint8_t *anim_json_number_end(const uint8_t *at);

/* Append a string with its quotes, as anim_print_json prints it. Returns 0 or -1. */
int anim_json_append(struct anim_buffer *, const char *text, size_t length, struct anim_error *);

/* ---- A text that arrives in windows ---- */

/*
 * The cursor is `at`; at..end is the unread part of the window, and zero bytes follow it. Lines are counted lazily,
 * when a place is requested or the window moves.
 */
struct anim_json_text {
	struct anim_input *input;
	const uint8_t *window, *at, *end;
	uint64_t offset;     /* of window[0] */
	uint64_t limit;      /* bytes of the input that are text; 0: all */
	uint64_t counted;    /* line feeds before this offset are counted in `line` */
	uint64_t line_start; /* offset of the line of `counted`; may wrap below 0 in a text cut out of another */
	uint32_t line;
};

#define ANIM_JSON_END (-1)
#define ANIM_JSON_ERROR (-2)

/* Start reading an input. `place` is NULL, or the place where this text began in the text that contained it. */
void anim_json_text_init(struct anim_json_text *, struct anim_input *, const struct anim_place *place);

/*
 * Make `want` bytes visible from the cursor on, unless the input ends before. Returns the number of visible bytes, or
 * -1.
 */
ssize_t anim_json_more(struct anim_json_text *, size_t want, struct anim_error *);

/* Return the byte at the cursor, ANIM_JSON_END or ANIM_JSON_ERROR. */
static inline int anim_json_byte(struct anim_json_text *text, struct anim_error *error)
{
	ssize_t got;

	if (text->at < text->end)
		return *text->at;
	got = anim_json_more(text, 1, error);
	return got > 0 ? *text->at : got == 0 ? ANIM_JSON_END : ANIM_JSON_ERROR;
}

/* Skip blanks. Returns the same as anim_json_byte. */
int anim_json_blank(struct anim_json_text *, struct anim_error *);

/*
 * Append the bytes of the value at the cursor and move after it. Brackets and strings are copied unchanged, and the
 * value is not checked otherwise. `depth` is the number of levels around the value. True and False are converted to
 * lower case and counted in *capitals. Returns 0, ANIM_JSON_CUT if the input ends inside the value, ANIM_JSON_DEEP if
 * it exceeds the nesting limit (the bytes up to the first bracket beyond the limit are appended), or -1 on error or
 * if it exceeds a size limit.
 */
#define ANIM_JSON_CUT 1
#define ANIM_JSON_DEEP 2
int anim_json_read_text(struct anim_json_text *, struct anim_buffer *, unsigned depth, size_t *capitals,
			struct anim_error *);

/* ---- A document ---- */

/*
 * A document that is being read. All-zero except `text` is a document at its beginning. Messages begin with the text
 * that the function `where` prints. The reader of a document type has this struct as its first member, and its
 * `where` prints the position in the document. The caller clears it with anim_json_clear.
 */
#define ANIM_JSON_WHERE_MAX 200
struct anim_json {
	struct anim_json_text *text; /* the cursor, borrowed */
	void (*where)(const struct anim_json *,
		      char *out); /* prints at most ANIM_JSON_WHERE_MAX bytes with the NUL; may be NULL */
	const char *member;       /* the current member, borrowed; NULL: none */
	char unknown[40];         /* its name if it is an unknown member, safe to print */
	struct anim_buffer name;  /* of the member just read, followed by NUL */
	struct anim_buffer scalar;

	/* Complete values as tokens. */
	unsigned depth;            /* levels around the values; messages name the members of the values */
	const char *what;          /* noun for the values in messages, for example "a key" */
	int64_t element;           /* number of the current value; below 0: values are not counted */
	struct anim_buffer values; /* separated by ',' as in the document; slack bytes follow */
	struct anim_buffer tokens; /* jsmn tokens, reused */
	size_t count;
	struct anim_place begin; /* the place of values.data[0] */
	size_t capitals;         /* number of True and False converted to lower case in `values` */
	size_t known_at;         /* byte of `values` whose place was requested last */
	size_t known_line;       /* lines before that byte */
	size_t line_start;       /* byte where its line begins; 0: it is on the first line */
};
void anim_json_clear(struct anim_json *);

/* Return the place of the cursor, or of a byte of `values`. */
struct anim_place anim_json_here(struct anim_json *);
struct anim_place anim_json_place(struct anim_json *, const uint8_t *at);
/* Empty `values`. The next values begin at the cursor. */
void anim_json_begin(struct anim_json *);

/* Set the current member to this name, which is copied and cut at the size of `unknown`. */
void anim_json_name_member(struct anim_json *, const uint8_t *name, size_t size);

/* Print the message after the text of `where`. It is cut at the capacity. */
void anim_json_message(const struct anim_json *, char *out, size_t capacity, const char *format, va_list)
    __attribute__((format(printf, 4, 0)));
/* Fail with this message. Returns -1. */
int anim_json_refuse(struct anim_json *, const struct anim_place *, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Fail with "',' or ']' is needed, found 'x'" at the cursor. Known mistakes (comments, NaN, quotes) get a more
 * precise message, and an error of the input is returned as it is. Returns -1.
 */
int anim_json_unexpected_here(struct anim_json *, const char *needed, struct anim_error *);

/*
 * Read the next member of an object whose '{' was taken. Returns 1 with its name in json->name and the cursor on the
 * value, 0 after '}', or -1. *first must be true before the first call.
 */
int anim_json_next_member(struct anim_json *, bool *first, struct anim_error *);
/* Move to the next element of an array whose '[' was read. Returns 1 with the cursor on it, 0 after ']', or -1. */
int anim_json_next_element(struct anim_json *, bool *first, struct anim_error *);
/* Read the opening bracket, or fail, for example with "WHAT needs an object". Returns 0 or -1. */
int anim_json_expect(struct anim_json *, char bracket, const char *what, struct anim_error *);
/* Read a string, decoded into the buffer with a NUL after it, or null (*is_null is set). Returns 0 or -1. */
int anim_json_read_string(struct anim_json *, struct anim_buffer *, bool *is_null, const char *what,
			  struct anim_error *);
int anim_json_read_number(struct anim_json *, double *value, const char *what, struct anim_error *);
/* Read "null" if it is at the cursor. Returns 1 if it was read, 0 if another value is there, or -1. */
int anim_json_read_null(struct anim_json *, struct anim_error *);
/* Check and skip a value of any type. `depth` is the number of levels around it. Returns 0 or -1. */
int anim_json_skip(struct anim_json *, unsigned depth, struct anim_error *);

/* ---- Complete values as tokens, with the checks that jsmn does not make ---- */

/* A jsmn token. A primitive is a number, true, false or null. The text of a string is without its quotes. */
enum anim_json_type { ANIM_JSON_OBJECT, ANIM_JSON_ARRAY, ANIM_JSON_STRING, ANIM_JSON_PRIMITIVE };
struct anim_json_token {
	enum anim_json_type type;
	uint32_t start, end; /* in json.values */
};

/*
 * Tokenise and check json.values, which holds values separated by ','; blanks around them are allowed. Returns 0 or
 * -1.
 */
int anim_json_tokenise(struct anim_json *, struct anim_error *);

/*
 * Read values separated by ',' with the plain parser, to report the first error in them. `begin` is the place of the
 * first byte in the document and `depth` the number of levels around the values. json->element must be the number of
 * the first value. Returns 0 if there is no error, or -1.
 */
int anim_json_explain(struct anim_json *, const uint8_t *from, size_t size, const struct anim_place *begin,
		      unsigned depth, struct anim_error *);

struct anim_json_token anim_json_token_at(const struct anim_json *, size_t token);

/* Return the first token after a value and all its contents. */
size_t anim_json_after(const struct anim_json *, size_t token);

/* Return "a number", "an object" ... */
const char *anim_json_token_name(const struct anim_json *, size_t token);

const uint8_t *anim_json_token_text(const struct anim_json *, size_t token);
size_t anim_json_token_size(const struct anim_json *, size_t token);

/* Return whether a token is the word null, and whether it is a number. */
bool anim_json_is_null(const struct anim_json *, size_t token);
bool anim_json_is_number(const struct anim_json *, size_t token);
/* Return whether a name in the text, with its escapes decoded, equals `name`. */
bool anim_json_is_named(const struct anim_json *, size_t token, const char *name);

#endif
