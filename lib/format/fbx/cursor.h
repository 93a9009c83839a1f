/* cursor.h: reads the records of a binary or text FBX file in order. Private to this folder. */
#ifndef ANIM_FORMAT_FBX_CURSOR_H
#define ANIM_FORMAT_FBX_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/input.h"

#define FBX_DEPTH 32          /* nested lists, at most */
#define FBX_NAME_MAX 255      /* bytes of a record name */
#define FBX_TEXT_VERSION 7400 /* the version of a text that does not give one */

/*
 * A file is a list of records. A record has a name, values, and optionally a list of records of its own. To start
 * before the first byte, set `input` and `trust_size` and zero the rest. Free with fbx_cursor_clear.
 */
struct fbx_cursor {
	struct anim_input *input;
	const char *begin, *at, *end; /* the window, and the next byte in it */
	bool is_last;                 /* the window reaches the end of the file */

	bool is_binary, is_big_endian;
	uint32_t version;      /* for example 7500, or FBX_TEXT_VERSION for a text without its first comment */
	bool is_version_known; /* the version is from the beginning of the file */

	char name[FBX_NAME_MAX + 1]; /* the name of the current record */
	unsigned depth;              /* number of open lists */
	enum fbx_state {
		FBX_BETWEEN, /* no current record */
		FBX_VALUES,  /* values of the current record may follow */
		FBX_ARRAY,   /* text only: inside the braces of an array */
		FBX_BODY     /* the current record has no more values */
	} state;
	uint64_t list_end[FBX_DEPTH];    /* binary only: the ends of the open lists */
	uint64_t values_end, record_end; /* binary only: offsets */
	bool trust_size;                 /* accept arrays that inflate to far more than their bytes */
	uint64_t inflated, packed;       /* bytes of the deflated arrays that were read, and their bytes in the file */
	uint64_t values_left;    /* values of the current record (binary) or array (text) that are not read yet */
	uint64_t line_start;     /* text only: offset of the first byte of the line */
	uint32_t line;           /* text only: number of lines before the current one */
	bool is_named;           /* text only: `name` belongs to the next record */
	bool is_skipping;        /* text only: the values are not needed, and may be anything */
	struct anim_buffer text; /* the text of the current value */
};

enum fbx_kind { FBX_INT, FBX_REAL, FBX_TEXT, FBX_NUMBERS };

/* One value. FBX_NUMBERS is a binary array whose contents were skipped. */
struct fbx_value {
	enum fbx_kind kind;
	int64_t integer; /* the number (rounded towards 0 for FBX_REAL), or the code of a character */
	double real;     /* the number, for FBX_INT and FBX_REAL */
	bool is_letter;  /* a single character: without quotes in a text, of type C in a binary file */
	/* FBX_TEXT: the text with a final NUL, borrowed until the next call */
	const char *text;
	size_t length;
};

/* Read the beginning of the file and its version. Return 0 or -1. */
int fbx_open(struct fbx_cursor *, struct anim_error *);
void fbx_cursor_clear(struct fbx_cursor *);

/*
 * Move to the next record of the innermost open list, and skip the unread rest of the current record. Return 1, 0 at
 * the end of the list (which closes it), or -1 on error.
 */
int fbx_next(struct fbx_cursor *, struct anim_error *);

/* Read the next value of the current record. Return 1, 0 after the last value, or -1 on error. */
int fbx_value(struct fbx_cursor *, struct fbx_value *, struct anim_error *);

/* Open the list of the current record. Return 1, 0 if it has none, or -1 on error. */
int fbx_enter(struct fbx_cursor *, struct anim_error *);

/*
 * The form in which fbx_numbers stores numbers. FBX_AS_BITS: the bits of 32-bit floats, even if the file writes them
 * as integers.
 */
enum fbx_element { FBX_AS_INT64, FBX_AS_DOUBLE, FBX_AS_BITS };

/*
 * Append all numbers of the current record to the buffer, as int64_t, double or uint32_t. They can be arrays or
 * single values. Return 0 or -1.
 */
int fbx_numbers(struct fbx_cursor *, enum fbx_element, struct anim_buffer *out, struct anim_error *);

/* Fail with the position of the next byte. Return -1. */
int fbx_fail(const struct fbx_cursor *, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
