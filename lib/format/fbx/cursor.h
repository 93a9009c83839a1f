/* cursor.h: the records of an FBX file, binary or text, one after the other. Private to this folder. */
#ifndef ANIM_FORMAT_FBX_CURSOR_H
#define ANIM_FORMAT_FBX_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/input.h"

#define FBX_DEPTH 32          /* lists that are open at once, at most */
#define FBX_NAME_MAX 255      /* bytes of a record's name */
#define FBX_TEXT_VERSION 7400 /* of a text that does not say its version */

/*
 * A file is a list of records. A record has a name, values, and maybe a list of records below it. All-zero but for `input`
 * is before the first byte. Clear it with fbx_cursor_clear.
 */
struct fbx_cursor {
	struct anim_input *input;
	const char *begin, *at, *end; /* the window, and the next byte in it */
	bool is_last;                 /* nothing comes after the window */

	bool is_binary, is_big_endian;
	uint32_t version;      /* such as 7500; a text without its first comment has FBX_TEXT_VERSION at first */
	bool is_version_known; /* the head of the file has the version */

	char name[FBX_NAME_MAX + 1]; /* of the record at hand */
	unsigned depth;              /* of open lists */
	enum fbx_state {
		FBX_BETWEEN, /* no record is at hand */
		FBX_VALUES,  /* its values may follow */
		FBX_ARRAY,   /* text: within the braces of an array */
		FBX_BODY     /* its values are over */
	} state;
	uint64_t list_end[FBX_DEPTH];    /* binary: where the open lists end */
	uint64_t values_end, record_end; /* binary */
	uint64_t values_left;            /* binary: values of the record not read; text: of the array */
	uint64_t line_start;             /* text: offset of the line's first byte */
	uint32_t line;                   /* text: lines before the one at hand */
	bool is_named;                   /* text: `name` is that of a record that is not yet at hand */
	struct anim_buffer text;         /* of the value at hand */
};

enum fbx_kind { FBX_INT, FBX_REAL, FBX_TEXT, FBX_NUMBERS };

/* A value. FBX_NUMBERS is a binary array that was passed over. */
struct fbx_value {
	enum fbx_kind kind;
	int64_t integer; /* FBX_INT: the number; FBX_REAL: rounded towards 0; of a character its code */
	double real;     /* FBX_INT, FBX_REAL */
	bool is_letter;  /* FBX_TEXT of one character that is written without quotes; FBX_INT: of a C property */
	/* FBX_TEXT, with a NUL at its end; borrowed until the next call. */
	const char *text;
	size_t length;
};

/* Read the head of the file, and its version. 0 or -1. */
int fbx_open(struct fbx_cursor *, struct anim_error *);
void fbx_cursor_clear(struct fbx_cursor *);

/*
 * Go on to the next record of the list that was opened last; what was not read of the record before it is passed over.
 * Return 1; 0 at the end of the list, which is closed then; -1.
 */
int fbx_next(struct fbx_cursor *, struct anim_error *);

/* Read the next value of the record at hand. Return 1; 0 after the last one; -1. */
int fbx_value(struct fbx_cursor *, struct fbx_value *, struct anim_error *);

/* Open the list below the record at hand. Return 1; 0 where there is none; -1. */
int fbx_enter(struct fbx_cursor *, struct anim_error *);

/* What the numbers of an array become. BITS: float32 as its bits, also where they are told as a whole number. */
enum fbx_element { FBX_AS_INT64, FBX_AS_DOUBLE, FBX_AS_BITS };

/* Append all numbers of the record at hand, an array or single values, to the buffer: int64_t, double or uint32_t. 0 or -1. */
int fbx_numbers(struct fbx_cursor *, enum fbx_element, struct anim_buffer *out, struct anim_error *);

/* Fail with the place of the next byte. Return -1. */
int fbx_fail(const struct fbx_cursor *, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
