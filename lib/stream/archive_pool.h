/* archive_pool.h: members of an archive: filled in order, deflated by several threads, written in order. Internal to stream. */
#ifndef ANIM_STREAM_ARCHIVE_POOL_H
#define ANIM_STREAM_ARCHIVE_POOL_H

#include "base/output.h"
#include "stream/archive.h"
#include "stream/archive_member.h"

struct anim_member_pool;

/*
 * `jobs` threads (1 to ANIM_ARCHIVE_JOBS_MAX) deflate, the caller's among them while it waits; where the system gives fewer, fewer do, and the bytes
 * are the same. Holds about 1 MiB for each. The output is borrowed. NULL on failure.
 */
struct anim_member_pool *anim_member_pool_new(struct anim_output *, unsigned jobs, int level, struct anim_error *);

/* The member to be filled next, empty at first; borrowed until the next submit. */
struct anim_member *anim_member_pool_current(struct anim_member_pool *);

/* Hands the current one (not empty) over to be deflated and written. 0 or -1. */
int anim_member_pool_submit(struct anim_member_pool *, struct anim_error *);

/* Waits until all that was handed over is written. 0 or -1. */
int anim_member_pool_finish(struct anim_member_pool *, struct anim_error *);

/* The file offset behind the last member written; after a finish. */
uint64_t anim_member_pool_end(const struct anim_member_pool *);

/* Where the byte at `offset` of the inflated stream lies: in what was written, or at the start of the next member. */
struct anim_archive_place anim_member_pool_place(const struct anim_member_pool *, uint64_t offset);

void anim_member_pool_free(struct anim_member_pool *); /* waits for its threads; NULL is allowed */

#endif
