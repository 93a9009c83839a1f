/* input.h: bytes in windows, from a file, a pipe or memory, inflated where they are gzip; never mapped. */
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
	size_t read_max;  /* at most so many bytes a read, 0: as large as is good; 1 tests every window border */
	bool keep_gzip;   /* hand gzip bytes on as they are */
	const char *name; /* shown in messages instead of the path */
	/* Told after each read how much came from the source, and of how much (0: unknown); may be NULL. */
	void (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes);
	void *progress_context;
};

/* Bytes behind the window that may be read (they are 0, and no part of the input): fast loops need no end test. */
#define ANIM_INPUT_SLACK 64

/*
 * Opens path; "-" is standard input (not closed by close). The file may be anything that can be read but a directory.
 * gzip is known by its magic and inflated, all members; a cut or damaged gzip is an error of peek, an archive (first
 * member with "AX") whose trailer is missing too: "the archive is cut". 0 or -1. Nothing is read before the first peek.
 */
int anim_input_open(struct anim_input **, const char *path, const struct anim_input_options *, struct anim_error *);
int anim_input_open_fd(struct anim_input **, int fd, const char *name, const struct anim_input_options *,
		       struct anim_error *);

/* Reads from the caller's bytes, which must stay; for tests and fuzzing (gzip is inflated here too). */
int anim_input_open_memory(struct anim_input **, const void *bytes, size_t size, const char *name, struct anim_error *);

/*
 * The window: *at points to the bytes at the current offset. Returns how many there are, at least `want` (0 counts as
 * 1) but at the end of the input, then fewer, 0 when nothing is left; -1 on error. The window stays until the next peek
 * (skip keeps it). *at is congruent to the offset modulo 16, and ANIM_INPUT_SLACK readable zero bytes follow the
 * window. The buffer behind it is 64 KiB to 256 KiB; for a larger `want` it grows as bytes arrive, to at most twice
 * what has come plus 1 MiB, and shrinks again when the large window was skipped (memory follows the largest one).
 */
ssize_t anim_input_peek(struct anim_input *, size_t want, const uint8_t **at, struct anim_error *);

/* Moves on over `bytes` of the last window (assert: no more than it had). */
void anim_input_skip(struct anim_input *, size_t bytes);

uint64_t anim_input_offset(const struct anim_input *);  /* of the window's first byte, after inflating */
const char *anim_input_name(const struct anim_input *); /* for messages: the path as typed, "-" for standard input */
uint64_t anim_input_source_bytes(const struct anim_input *); /* of the whole source as it lies there, 0 where unknown */
uint64_t anim_input_read_bytes(const struct anim_input *);   /* of the source, so far */
uint64_t anim_input_members(const struct anim_input *);      /* gzip members inflated to their end, so far */
bool anim_input_was_gzip(const struct anim_input *);         /* known after the first peek */
int anim_input_descriptor(const struct anim_input *);        /* that it reads from; -1: memory */
/*
 * Where the error is of a byte that has no file yet, gives it the input's name; where its file is the input, which is a
 * gzip file, says that the byte is one of what that unpacks to. Returns -1.
 */
int anim_input_name_error(const struct anim_input *, struct anim_error *);
bool anim_input_is_pipe(const struct anim_input *); /* standard input or not a regular file: no base name */
void anim_input_close(struct anim_input *);         /* NULL is allowed */

/* ---- Text line by line, with numbers for messages ---- */

/* All-zero but for `input`, which is borrowed, is before the first line. */
struct anim_lines {
	struct anim_input *input;
	const char *at,
	    *end;        /* the line at hand, without its line feed; ANIM_INPUT_SLACK bytes behind it are readable */
	bool is_whole;   /* a line feed ends it: not the input's last, cut one */
	uint32_t number; /* counts from 1 */
	size_t size;     /* of the window's bytes that it takes */
};

/* Goes on to the next line: 1, borrowed until the next call; 0 behind the last one; -1. Memory follows the longest. */
int anim_lines_next(struct anim_lines *, struct anim_error *);

/* The place of a byte of the line at hand. */
struct anim_place anim_lines_place(const struct anim_lines *, const char *at);

#endif
