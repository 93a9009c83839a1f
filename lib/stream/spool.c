/* spool.c: bytes that are appended and read back, first in memory, then in an unnamed file. */
#include "stream/spool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/system.h"

#define PENDING_BYTES ((size_t)64 << 10) /* collected before a write */
#define WINDOW_BYTES ((size_t)256 << 10) /* read at a time: a replay reads the file in order */
#define LEAP_BYTES ((size_t)4 << 10)     /* random access needs little of the surrounding bytes */

void anim_spool_init(struct anim_spool *log, size_t memory_max)
{
	*log = (struct anim_spool){.memory_max = memory_max, .fd = -1};
}

void anim_spool_clear(struct anim_spool *log)
{
	anim_buffer_clear(&log->memory);
	anim_buffer_clear(&log->pending);
	anim_buffer_clear(&log->window);
	if (log->fd >= 0)
		close(log->fd);
	anim_spool_init(log, log->memory_max);
}

uint64_t anim_spool_size(const struct anim_spool *log)
{
	return log->memory.size + log->file_size + log->pending.size;
}

static int write_file(struct anim_spool *log, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	while (size > 0) {
		ssize_t written = anim_sys_write_at(log->fd, bytes, size, log->file_size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return anim_fail_system(error, "cannot write a temporary file");
		bytes += written;
		size -= (size_t)written;
		log->file_size += (uint64_t)written;
	}
	return 0;
}

static int flush(struct anim_spool *log, struct anim_error *error)
{
	if (write_file(log, log->pending.data, log->pending.size, error) != 0)
		return -1;
	log->pending.size = 0;
	return 0;
}

int anim_spool_begin(struct anim_spool *log, uint64_t size, struct anim_error *error)
{
	const char *folder;

	log->spilling = log->file_size + log->pending.size > 0 || size > log->memory_max - log->memory.size;
	if (!log->spilling)
		return anim_buffer_reserve(&log->memory, (size_t)size, error);
	if (log->fd < 0 && (log->fd = anim_sys_open_unnamed(&folder)) < 0)
		return anim_fail_system(error, "cannot create a temporary file in %s", folder);
	return 0;
}

int anim_spool_append(struct anim_spool *log, const void *bytes, size_t size, struct anim_error *error)
{
	if (!log->spilling)
		return anim_buffer_append(&log->memory, bytes, size, error);
	if (log->pending.size + size >= PENDING_BYTES && flush(log, error) != 0)
		return -1;
	if (size >= PENDING_BYTES)
		return write_file(log, bytes, size, error);
	return anim_buffer_append(&log->pending, bytes, size, error);
}

void anim_spool_truncate(struct anim_spool *log, uint64_t place)
{
	uint64_t in_file;

	log->window.size = 0;
	if (place <= log->memory.size) {
		log->memory.size = (size_t)place;
		log->file_size = log->pending.size = 0;
		return;
	}
	in_file = place - log->memory.size;
	if (in_file <= log->file_size) {
		log->file_size = in_file;
		log->pending.size = 0;
	} else {
		log->pending.size = (size_t)(in_file - log->file_size);
	}
}

/* Read `size` bytes of the file, which must exist. */
static int read_file(const struct anim_spool *log, uint64_t from, uint8_t *to, size_t size, struct anim_error *error)
{
	ssize_t got = anim_read_at(log->fd, to, size, from);

	if (got < 0)
		return anim_fail_system(error, "cannot read a temporary file");
	return (size_t)got == size ? 0 : anim_fail(error, ANIM_SYSTEM, "a temporary file has become shorter");
}

/* Fill the window from `place`, a position in the file, with at least `size` bytes. */
static int fill_window(struct anim_spool *log, uint64_t place, size_t size, struct anim_error *error)
{
	uint64_t from = place - log->memory.size, left = log->file_size - from;
	uint64_t end = log->window_at + log->window.size;
	size_t least = place >= end && place - end < LEAP_BYTES ? WINDOW_BYTES : LEAP_BYTES;
	size_t want = size < least ? least : size;

	if (want > left)
		want = (size_t)left;
	log->window.size = 0;
	if (want > log->window.capacity)
		anim_buffer_clear(&log->window);
	if (anim_buffer_reserve(&log->window, want, error) != 0)
		return -1;
	log->window_at = place;
	if (read_file(log, from, log->window.data, want, error) != 0)
		return -1;
	log->window.size = want;
	return 0;
}

int anim_spool_copy(struct anim_spool *log, uint64_t place, void *to, size_t size, struct anim_error *error)
{
	if (place < log->memory.size) {
		memcpy(to, log->memory.data + place, size);
		return 0;
	}
	if (log->pending.size > 0 && flush(log, error) != 0)
		return -1;
	return read_file(log, place - log->memory.size, to, size, error);
}

const uint8_t *anim_spool_read(struct anim_spool *log, uint64_t place, uint64_t size, struct anim_error *error)
{
	if (place < log->memory.size)
		return log->memory.data + place;
	if (log->pending.size > 0 && flush(log, error) != 0)
		return NULL;
	if (place < log->window_at || place + size > log->window_at + log->window.size)
		if (fill_window(log, place, (size_t)size, error) != 0)
			return NULL;
	return log->window.data + (place - log->window_at);
}
