/* document_lines.h: the lines of a Unity text file in the windows of its input. Internal to document*.c and keys*.c. */
#ifndef ANIM_FORMAT_UNITY_DOCUMENT_LINES_H
#define ANIM_FORMAT_UNITY_DOCUMENT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/input.h"

/* Longest start of a line that is looked at to tell what it is. */
#define UNITY_LINE_START ((size_t)4096)

/*
 * The cursor is at `at`, `left` bytes of the window from there on; behind them are ANIM_INPUT_SLACK bytes that are 0. The
 * input itself is behind by what was passed over since the window was asked for.
 */
struct unity_lines {
	struct anim_input *input; /* borrowed */
	const uint8_t *at, *window;
	size_t left;
	bool all;      /* the window goes to the end of the input */
	bool lone_cr;  /* lines end with a carriage return alone, too */
	bool broken;   /* a fault of the whole file was found: nothing more is read */
	bool has_zero; /* the window has a NUL, the first at `zero` */
	const uint8_t *zero;
	uint32_t line; /* of the cursor, from 1 */
};

/* At least `want` bytes from the cursor on, fewer only at the end of the input. 0 or -1. */
int unity_lines_more(struct unity_lines *, size_t want, struct anim_error *);

/* At a line's start: enough of it to tell what it is. 1, 0 at the end of the input, -1. */
static inline int unity_lines_start(struct unity_lines *lines, struct anim_error *error)
{
	if (lines->left < UNITY_LINE_START && !lines->all && unity_lines_more(lines, UNITY_LINE_START, error) != 0)
		return -1;
	return lines->left > 0 && !lines->broken;
}

/*
 * The length of the line at the cursor with its end, or of as much of it as is in the window (*whole is false; at least
 * UNITY_LINE_START bytes). For lines that are looked at; -1 for a NUL.
 */
ptrdiff_t unity_lines_length(struct unity_lines *, bool *whole, struct anim_error *);

/* Moves on in a line, or with `whole` over its end. */
void unity_lines_pass(struct unity_lines *, size_t length, bool whole);

/* Passes the rest of the line at the cursor, however long. 0 or -1. */
int unity_lines_skip(struct unity_lines *, struct anim_error *);

/* Refuses the marks of a merge conflict at a line's start: 0, or -1. */
int unity_lines_check(struct unity_lines *, struct anim_error *);

/* A fault at the cursor's line. Returns -1. */
int unity_lines_fault(const struct unity_lines *, uint32_t column, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True where the line at the cursor begins with "---" and a blank, or is that. */
static inline bool unity_is_document(const struct unity_lines *lines)
{
	const uint8_t *at = lines->at; /* the slack may be read */

	return at[0] == '-' && at[1] == '-' && at[2] == '-' &&
	       (at[3] == ' ' || at[3] == '\n' || at[3] == '\r' || at[3] == '\t' || at[3] == '\0');
}

#endif
