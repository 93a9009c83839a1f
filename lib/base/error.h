/* error.h: errors with a place. Functions of lib/ report failure only in this way. */
#ifndef ANIM_BASE_ERROR_H
#define ANIM_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum anim_code {
	ANIM_OK,
	ANIM_BAD_INPUT, /* the input is wrong */
	ANIM_SYSTEM,    /* a system call failed; `sys` holds errno */
	ANIM_NO_MEMORY,
	ANIM_TOO_LARGE,   /* beyond a limit of base/limits.h */
	ANIM_UNSUPPORTED, /* valid, but not supported; the message contains a remedy */
	ANIM_CLOSED,      /* the reader of the output has closed it (EPIPE): programs end without a message */
	ANIM_STRICT,      /* warnings count as errors: with --strict, or because nothing is left to write */
	ANIM_CANCELLED,   /* by the caller, while the input was read */
	ANIM_SEVERAL      /* several clips for a file of one clip */
};

/* Which fields of a place are set. UNPACKED: `offset` counts the bytes after decompression. */
enum anim_at { ANIM_AT_FILE, ANIM_AT_LINE, ANIM_AT_BYTE, ANIM_AT_UNPACKED };

/*
 * All-zero means no error. `file` is the name as the user typed it, "-" for standard input, or empty if the error is not about a
 * file. `line` and `column` count from 1, columns in bytes.
 */
struct anim_error {
	int code, sys;
	enum anim_at at;
	uint32_t line, column;
	uint64_t offset;
	char file[256], message[512];
};

/* A position in an input. It is kept beside values that are checked later. */
struct anim_place {
	const char *file;
	enum anim_at at;
	uint32_t line, column;
	uint64_t offset;
};

/* Set code and message and clear the place. The error may be NULL. Returns -1, so that callers can `return anim_fail(...)`. */
int anim_fail(struct anim_error *, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Like anim_fail, and append the text of errno: "cannot open: No such file or directory". ENOMEM gives the message of
 * anim_fail_memory.
 */
int anim_fail_system(struct anim_error *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like anim_fail, with a place. */
int anim_fail_at(struct anim_error *, int code, const struct anim_place *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int anim_fail_va(struct anim_error *, int code, const struct anim_place *, const char *format, va_list)
    __attribute__((format(printf, 4, 0)));

/* Set the error "out of memory". Returns -1. */
int anim_fail_memory(struct anim_error *);

/* Set the place of an input error that has none yet. Returns -1. */
int anim_error_at(struct anim_error *, const struct anim_place *);

/* Set the file name if it is still empty. Returns -1. */
int anim_error_in_file(struct anim_error *, const char *file);

#define ANIM_LINE_MAX 4096 /* bytes; names may have 64 KiB, but messages are cut here */

/*
 * Print "[place:] [kind:] text", for example "walk.tscn:3:8: warning: ...", with unsafe characters escaped. `place` and `kind`
 * may be NULL. The text is cut at the capacity.
 */
void anim_error_print(const struct anim_error *place, const char *kind, const char *text, char *out, size_t capacity);

/* Return whether the error is about the input itself, not about memory or the system. */
bool anim_error_is_of_input(const struct anim_error *);

#endif
