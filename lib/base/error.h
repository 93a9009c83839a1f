/* error.h: what went wrong and where; the only way lib/ tells of failure. */
#ifndef ANIM_BASE_ERROR_H
#define ANIM_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum anim_code {
	ANIM_OK,
	ANIM_BAD_INPUT, /* the bytes are not what they should be */
	ANIM_SYSTEM,    /* a system call failed; `sys` holds errno */
	ANIM_NO_MEMORY,
	ANIM_TOO_LARGE,   /* beyond a limit of base/limits.h */
	ANIM_UNSUPPORTED, /* well-formed, but not read or not written; the message names the way round */
	ANIM_CLOSED,      /* the reader of our output has gone (EPIPE): programs end in silence */
	ANIM_STRICT       /* warnings forbid the end: under --strict, or as nothing is left */
};

/* Which of the place fields mean something. UNPACKED: the offset is in what a gzip file unpacks to. */
enum anim_at { ANIM_AT_FILE, ANIM_AT_LINE, ANIM_AT_BYTE, ANIM_AT_UNPACKED };

/*
 * All-zero is "no error". `file` is the name a person would type, "-" for standard input, empty where no file is
 * concerned. `line` and `column` count from 1, columns in bytes.
 */
struct anim_error {
	int code, sys;
	enum anim_at at;
	uint32_t line, column;
	uint64_t offset;
	char file[256], message[512];
};

/* A position in an input, to be carried beside values that may be complained of later. */
struct anim_place {
	const char *file;
	enum anim_at at;
	uint32_t line, column;
	uint64_t offset;
};

/* Sets the code and the message, clears the place. A NULL error is allowed. Returns -1, for `return anim_fail(...)`. */
int anim_fail(struct anim_error *, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * The same with errno (taken on entry) and its text appended: "cannot open: No such file or directory". ENOMEM is told as
 * anim_fail_memory does.
 */
int anim_fail_system(struct anim_error *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with a place. */
int anim_fail_at(struct anim_error *, int code, const struct anim_place *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int anim_fail_va(struct anim_error *, int code, const struct anim_place *, const char *format, va_list)
    __attribute__((format(printf, 4, 0)));

/* "out of memory"; returns -1. */
int anim_fail_memory(struct anim_error *);

/* Gives an error of the input that has no place this one; returns -1. */
int anim_error_at(struct anim_error *, const struct anim_place *);

/* Fills the file name where it is still empty; returns -1. */
int anim_error_in_file(struct anim_error *, const char *file);

#define ANIM_LINE_MAX 4096 /* bytes: names may be 64 KiB long; nobody reads more of a line than this */

/*
 * "[place:] [kind:] text", made safe to show; place and kind (NULL: none) as anim_error has them and as they are called:
 * "walk.tscn:3:8: warning: ...". Cut at the capacity.
 */
void anim_error_print(const struct anim_error *place, const char *kind, const char *text, char *out, size_t capacity);

/* True for what is wrong with an input itself, not with memory or the system. */
bool anim_error_is_of_input(const struct anim_error *);

#endif
