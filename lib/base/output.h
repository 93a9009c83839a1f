/* output.h: atomic file output. A file is replaced on commit or not at all. */
#ifndef ANIM_BASE_OUTPUT_H
#define ANIM_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct anim_output;

/*
 * Open path for writing; NULL or "-" is standard output. For a regular or new file, a temporary file is created beside the resolved
 * target with mode 0666 & ~umask. Commit renames it. Free and anim_output_unlink_all remove it. Devices and FIFOs are written
 * directly. Returns 0 or -1.
 *
 * A file that replaces another is on the disk (fsync) before it takes the name, and so is the folder afterwards, so that a power
 * failure leaves the old or the new file complete. New files are not synced.
 */
int anim_output_open(struct anim_output **, const char *path, struct anim_error *);

/* Like anim_output_open, for a file descriptor (duplicated). Writes directly, from its current offset. `name` is for messages. */
int anim_output_open_fd(struct anim_output **, int fd, const char *name, struct anim_error *);

/* Do not sync a file that replaces another. For callers who can make it again. */
void anim_output_no_sync(struct anim_output *);

/*
 * Prepare to replace the existing file at `path`, which the caller reads next. The new file gets its mode, extended attributes,
 * access control list and, if the system permits, owner. Commit fails if another program has replaced or changed the file by then.
 * *lost (may be NULL) is set to an attribute that could not be kept, in memory of the output, or to NULL. Returns 0 or -1.
 */
int anim_output_replace(struct anim_output *, const char *path, const char **lost, struct anim_error *);

/* Return whether path is standard output: NULL, "-" or /dev/stdout. */
bool anim_output_is_standard(const char *path);

/* Collect the output in memory, for tests. */
int anim_output_open_memory(struct anim_output **, struct anim_error *);
const uint8_t *anim_output_memory(const struct anim_output *, size_t *size);
uint8_t *anim_output_release(struct anim_output *, size_t *size); /* the caller frees the bytes with free() */

/* Append bytes. The buffer has 256 KiB; larger pieces are not copied. Returns 0 or -1; EPIPE gives ANIM_CLOSED. */
int anim_output_write(struct anim_output *, const void *bytes, size_t count, struct anim_error *);

/* Reserve `count` bytes of the buffer, at most 64 KiB. Fill them, then call anim_output_advance. Returns NULL on error. */
uint8_t *anim_output_reserve(struct anim_output *, size_t count, struct anim_error *);
void anim_output_advance(struct anim_output *, size_t count);

uint64_t anim_output_offset(const struct anim_output *); /* bytes written so far */

/*
 * Return whether another process opened the output, and a fork brought it here. The file belongs to that process alone: freeing the
 * output does not remove it, and the caller must not write, because both processes would write the same bytes.
 */
bool anim_output_is_inherited(const struct anim_output *);

/* Flush and close, but do not rename yet: commit does that later, for many files at once. Returns 0 or -1. */
int anim_output_seal(struct anim_output *, struct anim_error *);

/* Flush, close and rename. Returns 0, or -1 with no file left. The output must still be freed. */
int anim_output_commit(struct anim_output *, struct anim_error *);

/*
 * Commit several outputs: all or none. If one fails, files that were replaced already are restored. Two outputs with the same name
 * are an error (ANIM_UNSUPPORTED). Returns 0 or -1.
 */
int anim_outputs_commit(struct anim_output *const *, size_t count, struct anim_error *);

/*
 * Return whether a commit will replace an existing file. *existing is its name as typed, *successor the name of the new file until
 * then, both in memory of the output. *was_read (may be NULL): it was read for that, see anim_output_replace.
 */
bool anim_output_replaces(const struct anim_output *, const char **existing, const char **successor, bool *was_read);

/* Return the name of a replaced file that could not be removed and is still beside its successor, or NULL. */
const char *anim_output_left(const struct anim_output *);

/* Free the output. Without a commit, remove the temporary file. NULL is allowed. */
void anim_output_free(struct anim_output *);

/* Remove every temporary file that this process made. Async-signal-safe, for signal handlers. */
void anim_output_unlink_all(void);

#endif
