/* output.c: writes bytes through a buffer into a temporary file, which gets the name of the target only on success. */
#include "base/output.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/named.h"
#include "base/output_internal.h"
#include "base/path.h"
#include "base/system.h"

/* ---- The file that a path leads to, and the table of temporary files that signal handlers remove ---- */

enum { TARGET_FILE, TARGET_STRAIGHT };

#define LINKS_MAX 40 /* as in Linux */
#define TRIES_MAX 10000u

/*
 * A list that only grows, so that a signal handler may walk it at any moment. Entries are reused, never freed, and an
 * entry counts while its path is set. The list belongs to the process, as its files do, so it is static: the only
 * static data of the library that change. Threads change it without a lock, because a fork copies a lock as another
 * thread holds it. A fork copies the entries as well: a child leaves the files of its parent alone.
 */
struct anim_temporary {
	_Atomic(char *) path; /* owned */
	pid_t owner;          /* the process that made the file */
	/* number of the entry, part of the path: thousands of files may be open before the first is finished */
	unsigned number;
	struct anim_temporary *next;
	struct anim_temporary *next_free; /* valid while it is free; not used by the handler */
};
static _Atomic(struct anim_temporary *) temporaries;
static _Atomic(struct anim_temporary *) free_temporaries;

/* Put a list of entries, linked by next_free, before the free ones. Usually that list is empty now. */
static void give_back(struct anim_temporary *entries)
{
	struct anim_temporary *last = entries, *before = NULL;

	if (entries == NULL || atomic_compare_exchange_strong(&free_temporaries, &before, entries))
		return;
	while (last->next_free != NULL)
		last = last->next_free;
	do
		last->next_free = before;
	while (!atomic_compare_exchange_weak(&free_temporaries, &before, entries));
}

/* The whole list is taken for a moment: if one entry were taken, another thread could do so and return it meanwhile. */
static struct anim_temporary *free_entry(void)
{
	struct anim_temporary *entry = atomic_exchange(&free_temporaries, NULL);

	if (entry != NULL) {
		give_back(entry->next_free);
		entry->next_free = NULL;
		return entry;
	}
	entry = calloc(1, sizeof *entry);
	if (entry == NULL)
		return NULL;
	entry->next = atomic_load(&temporaries);
	do
		entry->number = entry->next == NULL ? 0 : entry->next->number + 1;
	while (!atomic_compare_exchange_weak(&temporaries, &entry->next, entry));
	return entry;
}

void anim_output_unlink_all(void)
{
	struct anim_temporary *entry;

	for (entry = atomic_load(&temporaries); entry != NULL; entry = entry->next) {
		const char *path = atomic_load(&entry->path);

		if (path != NULL && entry->owner == getpid())
			(void)anim_sys_remove(path);
	}
}

static void forget(struct anim_temporary *entry)
{
	free(atomic_exchange(&entry->path, NULL));
	give_back(entry);
}

/* Return the length of the folder part of path, including its slash; 0 without a slash. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/*
 * Create and register the file in one step as far as signals can see: a signal between the two steps would leave the
 * file behind. Its name does not contain the name of the target, which may already have the maximum length.
 */
static int create(char *path, size_t size, size_t folder, struct anim_temporary *entry)
{
	struct anim_signals before;
	int fd = -1, sys;

	anim_sys_hold_signals(&before);
	errno = EEXIST;
	for (unsigned i = 0; fd < 0 && errno == EEXIST && i < TRIES_MAX; i++) {
		snprintf(path + folder, size - folder, ".anim-%ld-%u-%u.tmp", (long)getpid(), entry->number, i);
		fd = anim_sys_open(path, ANIM_OPEN_NEW);
	}
	sys = errno;
	entry->owner = getpid();
	if (fd >= 0)
		atomic_store(&entry->path, path);
	anim_sys_release_signals(&before);
	errno = sys;
	return fd;
}

/* Release the entry and the path (NULL: not yet made). Returns -1 with errno. */
static int give_up(struct anim_temporary *entry, char *path, int sys)
{
	if (entry != NULL)
		give_back(entry);
	free(path);
	errno = sys;
	return -1;
}

int anim_temporary_open(const char *target, struct anim_temporary **out)
{
	size_t folder = folder_length(target), size = folder + 64;
	struct anim_temporary *entry = free_entry();
	char *path = malloc(size);
	int fd;

	if (entry == NULL || path == NULL)
		return give_up(entry, path, ENOMEM);
	memcpy(path, target, folder);
	fd = create(path, size, folder, entry);
	if (fd < 0)
		return give_up(entry, path, errno);
	*out = entry;
	return fd;
}

int anim_temporary_link(const char *target, struct anim_temporary **out)
{
	size_t folder = folder_length(target), size = folder + 64;
	struct anim_temporary *entry = free_entry();
	char *path = malloc(size);
	int result = -1;

	if (entry == NULL || path == NULL)
		return give_up(entry, path, ENOMEM);
	memcpy(path, target, folder);
	errno = EEXIST;
	for (unsigned i = 0; result != 0 && errno == EEXIST && i < TRIES_MAX; i++) {
		snprintf(path + folder, size - folder, ".anim-%ld-%u-%u.old", (long)getpid(), entry->number, i);
		result = anim_sys_link(target, path);
	}
	if (result != 0 && errno != EEXIST && !anim_sys_may(path, ANIM_EXISTS))
		result = anim_sys_rename(target, path);
	if (result != 0)
		return give_up(entry, path, errno);
	entry->owner = getpid();
	atomic_store(&entry->path, path);
	*out = entry;
	return 0;
}

bool anim_temporary_remove(struct anim_temporary *entry, char **left)
{
	bool stays;

	if (entry == NULL)
		return true;
	stays = entry->owner == getpid() && anim_sys_remove(atomic_load(&entry->path)) != 0 && errno != ENOENT;
	if (stays)
		*left = strdup(atomic_load(&entry->path));
	forget(entry);
	return !stays;
}

/* Return `name` in the folder of `path`, or `name` alone if it is absolute. Returns NULL if out of memory. */
static char *beside(const char *path, const char *name)
{
	size_t folder = name[0] == '/' ? 0 : folder_length(path), length = strlen(name);
	char *joined = malloc(folder + length + 1);

	if (joined == NULL)
		return NULL;
	memcpy(joined, path, folder);
	memcpy(joined + folder, name, length + 1);
	return joined;
}

/* Follow links by hand if realpath cannot, because the last link points to a file that does not exist yet. */
static int follow_links(const char *path, char **target)
{
	char *at = strdup(path), *link, *next;

	for (int i = 0; at != NULL && i < LINKS_MAX; i++) {
		link = anim_sys_link_target(at);
		if (link == NULL) {
			*target = at;
			return 0;
		}
		next = beside(at, link);
		free(link);
		free(at);
		at = next;
	}
	free(at);
	errno = at == NULL ? ENOMEM : ELOOP;
	return -1;
}

/*
 * Find the file that path leads to. Returns TARGET_FILE for a regular or new file: *target (owned by the caller) is its name
 * with symbolic links resolved, including a link to a missing file. Returns TARGET_STRAIGHT for a device, FIFO and
 * the like, or -1 with errno (a directory, a file that may not be written, a missing folder).
 */
static int resolve_target(const char *path, char **target)
{
	struct anim_stat info;
	size_t length = strlen(path);

	*target = NULL;
	if (anim_sys_stat(path, &info) != 0) {
		if (errno == ENOENT && length > 0 && path[length - 1] == '/')
			errno = EISDIR;
		if (errno != ENOENT || length == 0)
			return -1;
		return follow_links(path, target) != 0 ? -1 : TARGET_FILE;
	}
	if (info.kind == ANIM_FOLDER) {
		errno = EISDIR;
		return -1;
	}
	if (info.kind != ANIM_FILE)
		return TARGET_STRAIGHT;
	if (!anim_sys_may(path, ANIM_MAY_WRITE) || (*target = anim_sys_real_path(path)) == NULL)
		return -1;
	return TARGET_FILE;
}

/* ---- The output ---- */

#define BUFFER_SIZE ((size_t)256 * 1024)
#define RESERVE_MAX ((size_t)64 * 1024)

struct anim_output {
	int fd;      /* -1: memory, or closed */
	pid_t owner; /* the process that opened it */
	bool is_memory, failed;
	struct anim_named *named; /* gets the bytes of the memory at the commit, or NULL */
	char *name;               /* as typed, for messages; NULL: standard output */
	char *target;             /* the final name of the temporary file; NULL: written directly */
	struct anim_temporary *temporary;
	struct anim_temporary *before; /* second name of the replaced file while other files are committed */
	bool replaces, no_sync;        /* a file of the target's name exists; no fsync is needed */
	bool succeeds;                 /* the replaced file was read before, and must still match `read` */
	struct anim_stat read;
	char *lost_attribute, *left; /* as in output.h; owned */
	struct anim_buffer buffer;   /* bytes not yet written; for memory: all bytes */
	uint64_t offset;
};

/* Set an error that names the output. It says "standard output", because "-" stands for the input. */
static int fail_write(struct anim_output *output, const char *what, struct anim_error *error)
{
	output->failed = true;
	if (output->name == NULL)
		return anim_fail_system(error, "cannot %s standard output", what);
	anim_fail_system(error, "cannot %s", what);
	return anim_error_in_file(error, output->name);
}

/* Write the buffer, then `count` bytes without copying them, with one system call if it takes them all. */
static int flush_with(struct anim_output *output, const void *bytes, size_t count, struct anim_error *error)
{
	const uint8_t *first = output->buffer.data;
	size_t size = output->buffer.size;

	if (output->failed)
		return anim_fail(error, ANIM_SYSTEM, "the output failed before");
	output->buffer.size = 0;
	while (size + count > 0) {
		ssize_t written = anim_sys_write_both(output->fd, first, size, bytes, count);
		size_t part;

		if (written < 0 && (errno == EINTR || (errno == EAGAIN && anim_sys_poll(output->fd, true) == 0)))
			continue;
		if (written < 0)
			return fail_write(output, "write", error);
		part = (size_t)written < size ? (size_t)written : size;
		first += part;
		size -= part;
		part = (size_t)written - part;
		bytes = (const uint8_t *)bytes + part;
		count -= part;
	}
	return 0;
}

int anim_output_replace(struct anim_output *output, const char *path, const char **lost, struct anim_error *error)
{
	struct anim_stat *info = &output->read;
	int file;

	if (lost != NULL)
		*lost = NULL;
	if (output->temporary == NULL)
		return 0;
	file = anim_sys_open(path, ANIM_OPEN_READ);
	if (file < 0 || anim_sys_fstat(file, info) != 0) {
		fail_write(output, "read", error);
		if (file >= 0)
			(void)close(file);
		return -1;
	}
	output->succeeds = true;
	if (anim_sys_give_rights(output->fd, info) != 0) {
		(void)close(file);
		return fail_write(output, "write", error);
	}
	output->lost_attribute = anim_copy_attributes(file, output->fd);
	(void)close(file);
	if (lost != NULL)
		*lost = output->lost_attribute;
	return 0;
}

void anim_output_no_sync(struct anim_output *output)
{
	output->no_sync = true;
}

const char *anim_output_left(const struct anim_output *output)
{
	return output->left;
}

static int flush(struct anim_output *output, struct anim_error *error)
{
	return flush_with(output, NULL, 0, error);
}

bool anim_output_replaces(const struct anim_output *output, const char **existing, const char **successor,
			  bool *was_read)
{
	if (output->temporary == NULL || !anim_is_file(output->target))
		return false;
	if (was_read != NULL)
		*was_read = output->succeeds;
	*existing = output->name;
	*successor = atomic_load(&output->temporary->path);
	return true;
}

/* Open a temporary file, or the target itself if it is not a regular file. */
static int open_target(struct anim_output *output, const char *path, struct anim_error *error)
{
	int kind = resolve_target(path, &output->target);

	if (kind < 0)
		return fail_write(output, "write", error);
	if (kind == TARGET_STRAIGHT) {
		output->fd = anim_sys_open(path, ANIM_OPEN_WRITE);
		return output->fd < 0 ? fail_write(output, "write", error) : 0;
	}
	output->replaces = anim_sys_may(output->target, ANIM_EXISTS);
	output->fd = anim_temporary_open(output->target, &output->temporary);
	return output->fd < 0 ? fail_write(output, "create", error) : 0;
}

static struct anim_output *new_output(struct anim_error *error)
{
	struct anim_output *output = anim_zeroed(sizeof *output, error);

	if (output == NULL)
		return NULL;
	output->fd = -1;
	output->owner = getpid();
	if (anim_buffer_reserve(&output->buffer, BUFFER_SIZE, error) != 0) {
		free(output);
		return NULL;
	}
	return output;
}

/*
 * /dev/stdout is also standard output: if it were opened by its name, a file behind it would be written from its
 * start.
 */
bool anim_output_is_standard(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
	       strcmp(path, "/dev/fd/1") == 0;
}

int anim_output_open(struct anim_output **out, const char *path, struct anim_error *error)
{
	struct anim_output *output = new_output(error);

	*out = NULL;
	if (output == NULL)
		return -1;
	if (anim_output_is_standard(path)) {
		output->fd = STDOUT_FILENO;
	} else if (anim_named_is(path)) {
		output->is_memory = true;
		output->named = anim_named_output(path);
		if (output->named == NULL) {
			anim_output_free(output);
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "the format needs a second file, which memory has no place for");
		}
	} else if ((output->name = strdup(path)) == NULL) {
		anim_output_free(output);
		return anim_fail_memory(error);
	} else if (open_target(output, path, error) != 0) {
		anim_output_free(output);
		return -1;
	}
	*out = output;
	return 0;
}

int anim_output_open_fd(struct anim_output **out, int fd, const char *name, struct anim_error *error)
{
	struct anim_output *output = new_output(error);

	*out = NULL;
	if (output == NULL)
		return -1;
	output->name = strdup(name);
	output->fd = output->name == NULL ? -1 : anim_sys_duplicate(fd);
	if (output->fd < 0) {
		anim_fail_system(error, "cannot write");
		anim_output_free(output);
		return anim_error_in_file(error, name);
	}
	*out = output;
	return 0;
}

int anim_output_open_memory(struct anim_output **out, struct anim_error *error)
{
	*out = new_output(error);
	if (*out == NULL)
		return -1;
	(*out)->is_memory = true;
	return 0;
}

const uint8_t *anim_output_memory(const struct anim_output *output, size_t *size)
{
	*size = output->buffer.size;
	return output->buffer.data;
}

uint8_t *anim_output_release(struct anim_output *output, size_t *size)
{
	uint8_t *bytes = output->buffer.data;

	*size = output->buffer.size;
	output->buffer = (struct anim_buffer){.data = NULL};
	return bytes;
}

int anim_output_write(struct anim_output *output, const void *bytes, size_t count, struct anim_error *error)
{
	output->offset += count;
	/* Most writes are a few bytes that fit. */
	if (count > 0 && count < RESERVE_MAX && count <= output->buffer.capacity - output->buffer.size) {
		memcpy(output->buffer.data + output->buffer.size, bytes, count);
		output->buffer.size += count;
		return 0;
	}
	if (!output->is_memory && count >= RESERVE_MAX)
		return flush_with(output, bytes, count, error);
	if (!output->is_memory && count > BUFFER_SIZE - output->buffer.size && flush(output, error) != 0)
		return -1;
	return anim_buffer_append(&output->buffer, bytes, count, error);
}

uint8_t *anim_output_reserve(struct anim_output *output, size_t count, struct anim_error *error)
{
	assert(count <= RESERVE_MAX);
	if (output->is_memory) {
		if (anim_buffer_reserve(&output->buffer, count, error) != 0)
			return NULL;
	} else if (count > BUFFER_SIZE - output->buffer.size && flush(output, error) != 0) {
		return NULL;
	}
	return output->buffer.data + output->buffer.size;
}

void anim_output_advance(struct anim_output *output, size_t count)
{
	assert(count <= output->buffer.capacity - output->buffer.size);
	output->buffer.size += count;
	output->offset += count;
}

uint64_t anim_output_offset(const struct anim_output *output)
{
	return output->offset;
}

bool anim_output_is_inherited(const struct anim_output *output)
{
	return output->owner != getpid();
}

int anim_output_seal(struct anim_output *output, struct anim_error *error)
{
	int fd = output->fd;

	if (output->is_memory || fd < 0)
		return 0;
	if (flush(output, error) != 0)
		return -1;
	if (output->replaces && !output->no_sync && anim_sys_sync(fd) != 0)
		return fail_write(output, "write", error);
	anim_buffer_clear(&output->buffer);
	output->fd = -1;
	if (close(fd) != 0 && errno != EINTR)
		return fail_write(output, "write", error);
	return 0;
}

int anim_output_commit(struct anim_output *output, struct anim_error *error)
{
	return anim_outputs_commit(&output, 1, error);
}

/* Undo a commit. A replaced file that cannot be restored stays under its temporary name. */
static void restore(struct anim_output *output)
{
	if (output->before != NULL) {
		const char *path = atomic_load(&output->before->path);

		if (anim_sys_rename(path, output->target) == 0)
			(void)anim_sys_remove(path); /* rename leaves both of two names of one file */
		forget(output->before);
	} else if (output->target != NULL) {
		(void)anim_sys_remove(output->target);
	}
	output->before = NULL;
}

/*
 * Find a new file, among several, whose name has been taken since: either another program made it, or the file system
 * takes two of the names for one, as some do that ignore case or the encoding of an accent. Returns 0 or -1.
 */
static int check_new(struct anim_output *output, struct anim_error *error)
{
	struct anim_stat info;

	if (output->replaces || anim_sys_lstat(output->target, &info) != 0 || info.kind != ANIM_FILE)
		return 0;
	anim_fail(error, ANIM_UNSUPPORTED,
		  "was created meanwhile by another program, or under a name that the file system treats as the same");
	return anim_error_in_file(error, output->name);
}

/*
 * Give the output its name. The replaced file is locked against other programs of this project until then, and must still
 * be the file that was read. The lock is never waited for: its holder is replacing the file. Returns 0 or -1.
 */
static int rename_output(struct anim_output *output, bool is_last, struct anim_error *error)
{
	bool is_taken = false;
	int lock = -1, result = 0;

	if (output->succeeds) {
		lock = anim_sys_lock(output->target, &is_taken);
		if (is_taken) {
			anim_fail(error, ANIM_BAD_INPUT, "another program is replacing it; nothing was written");
			result = anim_error_in_file(error, output->name);
		} else {
			result = anim_path_unchanged(output->name, &output->read, error);
		}
	}
	/*
	 * The existing file gets a second name, from which it can be restored. If the file system does not support this
	 * (FAT), the file is moved, and the name of the target is free for a moment. After the last output nothing can fail
	 * for which it would have to be undone.
	 */
	if (result == 0 && !is_last && anim_sys_may(output->target, ANIM_EXISTS) &&
	    anim_temporary_link(output->target, &output->before) != 0)
		result = fail_write(output, "replace", error);
	if (result == 0 && anim_sys_rename(atomic_load(&output->temporary->path), output->target) != 0)
		result = fail_write(output, "create", error);
	if (lock >= 0)
		anim_sys_unlock(lock);
	if (result == 0) {
		forget(output->temporary);
		output->temporary = NULL;
	}
	return result;
}

static int commit_all(struct anim_output *const *outputs, size_t count, struct anim_error *error)
{
	for (size_t i = 0; i < count; i++) {
		if (outputs[i]->temporary == NULL || ((count == 1 || check_new(outputs[i], error) == 0) &&
						      rename_output(outputs[i], i + 1 == count, error) == 0))
			continue;
		if (outputs[i]->before != NULL)
			restore(outputs[i]);
		while (i-- > 0)
			restore(outputs[i]);
		return -1;
	}
	return 0;
}

/*
 * Return the target with the real name of its folder, so that "x" and "./x" are equal. Owned by the caller; NULL with
 * errno.
 */
static char *whole_name(const char *target)
{
	const char *name = target + folder_length(target);
	char *folder = beside(target, "."), *real = folder == NULL ? NULL : anim_sys_real_path(folder), *whole = NULL;
	size_t size = real == NULL ? 0 : strlen(real) + strlen(name) + 2;

	if (real != NULL && (whole = malloc(size)) != NULL)
		snprintf(whole, size, "%s/%s", real, name);
	free(folder);
	free(real);
	return whole;
}

/* Two outputs with the same name are refused, because the second would replace the first. */
static int check_distinct(struct anim_output *const *outputs, size_t count, struct anim_error *error)
{
	struct anim_text_set names = {0};
	int result = 1;

	for (size_t i = 0; i < count && result == 1; i++) {
		const char *target = outputs[i]->target;
		char *whole;

		if (target == NULL || count == 1)
			continue;
		whole = whole_name(target);
		result = whole == NULL ? fail_write(outputs[i], "replace", error)
				       : anim_text_set_add(&names, whole, strlen(whole), error);
		free(whole);
		if (result == 0) {
			anim_fail(error, ANIM_UNSUPPORTED, "is named as two different outputs");
			anim_error_in_file(error, outputs[i]->name);
		}
	}
	anim_text_set_clear(&names);
	return result == 1 ? 0 : -1;
}

static bool in_one_folder(const struct anim_output *a, const struct anim_output *b)
{
	size_t length = a->target == NULL ? 0 : folder_length(a->target);

	return a->target != NULL && b->target != NULL && a->replaces == b->replaces &&
	       folder_length(b->target) == length && memcmp(a->target, b->target, length) == 0;
}

int anim_outputs_commit(struct anim_output *const *outputs, size_t count, struct anim_error *error)
{
	int result = check_distinct(outputs, count, error);
	struct anim_signals before;

	for (size_t i = 0; i < count && result == 0; i++)
		result = anim_output_seal(outputs[i], error);
	if (result != 0)
		return -1;
	anim_sys_hold_signals(&before); /* a signal between two renames would leave some files new and some old */
	result = commit_all(outputs, count, error);
	for (size_t i = 0; i < count; i++) {
		(void)anim_temporary_remove(outputs[i]->before, &outputs[i]->left);
		outputs[i]->before = NULL;
	}
	/* Without this, a power failure may still lose the new names. The old files are then there, complete. */
	for (size_t i = 0; i < count && result == 0; i++) {
		const struct anim_output *output = outputs[i];
		char *folder;

		if (!output->replaces || output->no_sync || (i + 1 < count && in_one_folder(output, outputs[i + 1])))
			continue;
		folder = beside(output->target, ".");
		if (folder != NULL)
			anim_sys_sync_folder(folder);
		free(folder);
	}
	anim_sys_release_signals(&before);
	for (size_t i = 0; i < count && result == 0; i++)
		if (outputs[i]->named != NULL)
			outputs[i]->named->written = anim_output_release(outputs[i], &outputs[i]->named->size);
	return result;
}

void anim_output_free(struct anim_output *output)
{
	if (output == NULL)
		return;
	if (output->fd >= 0 && output->fd != STDOUT_FILENO)
		close(output->fd);
	(void)anim_temporary_remove(output->temporary, &output->left);
	anim_buffer_clear(&output->buffer);
	free(output->lost_attribute);
	free(output->left);
	free(output->target);
	free(output->name);
	free(output);
}
