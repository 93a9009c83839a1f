/* output.h: bytes out, committed or nothing. */
#ifndef ANIM_BASE_OUTPUT_H
#define ANIM_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct anim_output;

/*
 * Opens path for writing; NULL or "-" is standard output. A regular file (or a new one) gets a temporary beside the
 * resolved target, mode 0666 & ~umask, renamed on commit and removed on abandon and by anim_output_unlink_all; anything
 * else (a device, a FIFO) is written straight. Pipes get F_SETPIPE_SZ 1 MiB, failure ignored. 0 or -1.
 *
 * If a file is replaced, its successor is on the disk (fsync) before it takes the name, and its folder afterwards: a loss of
 * power leaves the old file or the new one, whole. A file that is new is left to the system: there is nothing to lose.
 */
int anim_output_open(struct anim_output **, const char *path, struct anim_error *);

/* The same of a descriptor, of which a copy is kept: written straight from where it stands. `name` is for messages. */
int anim_output_open_fd(struct anim_output **, int fd, const char *name, struct anim_error *);

/* Do not wait for the disk if a file is replaced: for those who can make it again. */
void anim_output_no_sync(struct anim_output *);

/*
 * Make the output the successor of the file at `path`, which is about to be read: with its mode, extended attributes, access
 * control list and, as far as the system permits, owner. Commit fails if another program replaced or changed the file
 * meanwhile. *lost (NULL: nobody asks) names an attribute that could not be kept, in memory of the output; NULL: none.
 * 0 or -1.
 */
int anim_output_take_place(struct anim_output *, const char *path, const char **lost, struct anim_error *);

bool anim_output_is_standard(const char *path); /* NULL, "-", /dev/stdout */

/* Collects in memory; for tests. */
int anim_output_open_memory(struct anim_output **, struct anim_error *);
const uint8_t *anim_output_memory(const struct anim_output *, size_t *size);

/* Buffered to 256 KiB; larger pieces go through without a copy. 0 or -1 (EPIPE: code ANIM_CLOSED). */
int anim_output_write(struct anim_output *, const void *bytes, size_t count, struct anim_error *);

/* Room in the buffer for at least `count` (at most 64 KiB) bytes, to be filled in place and then told of; NULL on error. */
uint8_t *anim_output_reserve(struct anim_output *, size_t count, struct anim_error *);
void anim_output_advance(struct anim_output *, size_t count);

uint64_t anim_output_offset(const struct anim_output *); /* bytes written so far */

/*
 * Flush and checked close without the rename, which commit does later: for many files that come into being together. 0
 * or -1.
 */
int anim_output_seal(struct anim_output *, struct anim_error *);

/* Flush, checked close, rename. The output is done with either way but must still be freed. 0 or -1 with nothing left. */
int anim_output_commit(struct anim_output *, struct anim_error *);

/*
 * Commits several: all get their names or, where one cannot, none does, and what stood under a name stands there again. Two
 * of one name are refused (ANIM_UNSUPPORTED). 0 or -1.
 */
int anim_outputs_commit(struct anim_output *const *, size_t count, struct anim_error *);

/* Return the name of the replaced file, which stayed beside its successor because it could not be removed; NULL: none did. */
const char *anim_output_left(const struct anim_output *);

void anim_output_free(struct anim_output *); /* without commit: abandons, the temporary is removed. NULL is allowed */

/* Async-signal-safe: removes every temporary of this process; for signal handlers. */
void anim_output_unlink_all(void);

#endif
