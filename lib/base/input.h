/* input.h: windowed input from a file, a pipe or memory. gzip is inflated. Files are never mapped. */
#ifndef ANIM_BASE_INPUT_H
#define ANIM_BASE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* ---- Windows ---- */

struct anim_input;

/* All-zero is the default. */
struct anim_input_options {
	size_t read_max;  /* most bytes per read; 0: the default. 1 tests every window border */
	bool keep_gzip;   /* do not inflate gzip */
	const char *name; /* shown in messages instead of the path */
	/*
	 * Called after each read with the bytes read so far and the size of the source (0: unknown). May be NULL. Returns 0,
	 * or another number to fail with ANIM_CANCELLED.
	 */
	int (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes);
	void *progress_context;
};

/* This many zero bytes after the window are readable, so that fast loops need no end test. */
#define ANIM_INPUT_SLACK 64

/*
 * Open path; "-" is standard input, which close does not close. Anything readable is allowed except a directory. gzip is
 * detected by its magic bytes and all members are inflated. Nothing is read before the first peek, which also reports a cut or
 * damaged gzip file, and an archive (its first member has an "AX" field) without its trailer. Returns 0 or -1.
 */
int anim_input_open(struct anim_input **, const char *path, const struct anim_input_options *, struct anim_error *);
int anim_input_open_fd(struct anim_input **, int fd, const char *name, const struct anim_input_options *,
		       struct anim_error *);

/* Read from borrowed memory, for tests and fuzzing. gzip is also inflated here. */
int anim_input_open_memory(struct anim_input **, const void *bytes, size_t size, const char *name, struct anim_error *);

/* Bytes from a function, such as a part of a spool. */
struct anim_input_part {
	/* Copy `size` bytes at `place`, which exist. Returns 0 or -1. */
	int (*copy)(void *context, uint64_t place, void *to, size_t size, struct anim_error *);
	void *context; /* borrowed */
	uint64_t place, size;
};

/* Read such bytes. gzip is not inflated, so that a part of a compressed file cannot grow again. */
int anim_input_open_part(struct anim_input **, const struct anim_input_part *, const char *name,
			 const struct anim_input_options *, struct anim_error *);

/*
 * Get the window at the current offset. Returns its size: at least `want` (0 counts as 1), less at the end of the input, 0 if
 * nothing is left, -1 on error. *at stays valid until the next peek, also after a skip. *at is congruent to the offset modulo 16,
 * and ANIM_INPUT_SLACK readable zero bytes follow the window. The buffer has 64 to 256 KiB. For a larger `want` it grows as bytes
 * arrive, to at most twice their number plus 1 MiB, and shrinks after the large window was skipped.
 */
ssize_t anim_input_peek(struct anim_input *, size_t want, const uint8_t **at, struct anim_error *);

/* Advance by `bytes`, at most the size of the last window. */
void anim_input_skip(struct anim_input *, size_t bytes);

/*
 * Advance by at most `bytes`, beyond the window if possible: large parts of a regular file are passed over without being read.
 * Returns the number of bytes, at least those in the window. Peek again for the rest.
 */
uint64_t anim_input_pass(struct anim_input *, uint64_t bytes);

uint64_t anim_input_offset(const struct anim_input *);  /* of the first byte of the window, after inflating */
const char *anim_input_name(const struct anim_input *); /* for messages: the path as typed, "-" for standard input */
uint64_t anim_input_source_bytes(const struct anim_input *); /* size of the source, before inflating; 0: unknown */
uint64_t anim_input_read_bytes(const struct anim_input *);   /* read from the source so far */
uint64_t anim_input_members(const struct anim_input *);      /* number of gzip members that were inflated completely */
bool anim_input_was_gzip(const struct anim_input *);         /* known after the first peek */
int anim_input_descriptor(const struct anim_input *);        /* -1: memory */
/*
 * Complete an error: set the file name if it has a byte offset but no file, and mark the offset as ANIM_AT_UNPACKED if the file is
 * this input and was gzip. Returns -1.
 */
int anim_input_name_error(const struct anim_input *, struct anim_error *);
bool anim_input_is_pipe(const struct anim_input *); /* standard input or not a regular file: no base name */
void anim_input_close(struct anim_input *);         /* NULL is allowed */

/*
 * Read `size` bytes of a file at an offset, also if the system returns them in parts or a signal interrupts it. Returns their number,
 * smaller only at the end of the file, or -1 with errno.
 */
ssize_t anim_read_at(int fd, void *to, size_t size, uint64_t offset);

/* ---- Text line by line, with numbers for messages ---- */

/* Set `input` (borrowed) and zero the rest to start before the first line. */
struct anim_lines {
	struct anim_input *input;
	const char *at, *end; /* the current line without its line feed; ANIM_INPUT_SLACK bytes after it are readable */
	bool is_whole;        /* it ends with a line feed; false only for a last line without one */
	uint32_t number;      /* counts from 1 */
	size_t size;          /* bytes of the window, with the line feed */
};

/* Get the next line, borrowed until the next call. Returns 1, 0 after the last line, or -1. Memory follows the longest line. */
int anim_lines_next(struct anim_lines *, struct anim_error *);

/* Return the place of a byte of the current line. */
struct anim_place anim_lines_place(const struct anim_lines *, const char *at);

#endif
