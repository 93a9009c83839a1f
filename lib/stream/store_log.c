/* store_log.c: bytes that are appended and read back, beyond memory_max from an unlinked file. */
#include "stream/store_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PENDING_BYTES ((size_t)64 << 10) /* collected before a write */
#define WINDOW_BYTES ((size_t)256 << 10) /* read at once: a replay goes through the file in order */

void anim_log_init(struct anim_log *log, size_t memory_max)
{
	*log = (struct anim_log){.memory_max = memory_max, .fd = -1};
}

void anim_log_clear(struct anim_log *log)
{
	anim_buffer_clear(&log->memory);
	anim_buffer_clear(&log->pending);
	anim_buffer_clear(&log->window);
	if (log->fd >= 0)
		close(log->fd);
	anim_log_init(log, log->memory_max);
}

uint64_t anim_log_size(const struct anim_log *log)
{
	return log->memory.size + log->file_size + log->pending.size;
}

/* A new file without a name in $TMPDIR; -1 with errno. */
static int open_unnamed(const char *folder)
{
	char name[4096];
	int fd;

	if ((size_t)snprintf(name, sizeof name, "%s/anim-XXXXXX", folder) >= sizeof name) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkstemp(name);
	if (fd >= 0) {
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		unlink(name);
	}
	return fd;
}

static int open_file(struct anim_log *log, struct anim_error *error)
{
	const char *folder = getenv("TMPDIR");

	if (folder == NULL || folder[0] == '\0')
		folder = "/tmp";
	log->fd = open_unnamed(folder);
	return log->fd >= 0 ? 0 : anim_fail_system(error, "cannot create a temporary file in %s", folder);
}

static int write_file(struct anim_log *log, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	while (size > 0) {
		ssize_t written = pwrite(log->fd, bytes, size, (off_t)log->file_size);

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

static int flush(struct anim_log *log, struct anim_error *error)
{
	if (write_file(log, log->pending.data, log->pending.size, error) != 0)
		return -1;
	log->pending.size = 0;
	return 0;
}

int anim_log_begin(struct anim_log *log, uint64_t size, struct anim_error *error)
{
	log->spilling = log->file_size + log->pending.size > 0 || size > log->memory_max - log->memory.size;
	if (!log->spilling)
		return anim_buffer_reserve(&log->memory, (size_t)size, error);
	return log->fd >= 0 ? 0 : open_file(log, error);
}

int anim_log_append(struct anim_log *log, const void *bytes, size_t size, struct anim_error *error)
{
	if (!log->spilling)
		return anim_buffer_append(&log->memory, bytes, size, error);
	if (log->pending.size + size >= PENDING_BYTES && flush(log, error) != 0)
		return -1;
	if (size >= PENDING_BYTES)
		return write_file(log, bytes, size, error);
	return anim_buffer_append(&log->pending, bytes, size, error);
}

void anim_log_truncate(struct anim_log *log, uint64_t place)
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

/* Fills the window from `place`, a place in the file, with at least `size` bytes. */
static int fill_window(struct anim_log *log, uint64_t place, size_t size, struct anim_error *error)
{
	uint64_t from = place - log->memory.size, left = log->file_size - from;
	size_t want = size < WINDOW_BYTES ? WINDOW_BYTES : size;

	if (want > left)
		want = (size_t)left;
	log->window.size = 0;
	if (want > log->window.capacity)
		anim_buffer_clear(&log->window);
	if (anim_buffer_reserve(&log->window, want, error) != 0)
		return -1;
	log->window_at = place;
	while (log->window.size < want) {
		ssize_t got = pread(log->fd, log->window.data + log->window.size, want - log->window.size,
				    (off_t)(from + log->window.size));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return anim_fail_system(error, "cannot read a temporary file");
		if (got == 0)
			return anim_fail(error, ANIM_SYSTEM, "a temporary file has become shorter");
		log->window.size += (size_t)got;
	}
	return 0;
}

const uint8_t *anim_log_read(struct anim_log *log, uint64_t place, uint64_t size, struct anim_error *error)
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
