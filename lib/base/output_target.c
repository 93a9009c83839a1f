/* output_target.c: finds the file behind a path, and keeps the table of temporaries that signals remove. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/output_internal.h"

#define LINKS_MAX 40
#define TRIES_MAX 10000u

/*
 * A list that only grows and that a signal handler may walk at any moment: entries are reused, never freed, and an
 * entry counts while its path is set. It belongs to the process as its files do, hence the statics.
 */
struct anim_temporary {
	_Atomic(char *) path; /* owned */
	unsigned number; /* of the entry, part of the path: thousands of files may be open before the first is done */
	struct anim_temporary *next;
	struct anim_temporary *next_free; /* valid while it is free; not for the handler */
};
static _Atomic(struct anim_temporary *) temporaries;
static struct anim_temporary *free_temporaries;

static struct anim_temporary *free_entry(void)
{
	struct anim_temporary *entry = free_temporaries;

	if (entry != NULL) {
		free_temporaries = entry->next_free;
		return entry;
	}
	entry = calloc(1, sizeof *entry);
	if (entry == NULL)
		return NULL;
	entry->next = atomic_load(&temporaries);
	entry->number = entry->next == NULL ? 0 : entry->next->number + 1;
	atomic_store(&temporaries, entry);
	return entry;
}

void anim_output_unlink_all(void)
{
	struct anim_temporary *entry;

	for (entry = atomic_load(&temporaries); entry != NULL; entry = entry->next) {
		const char *path = atomic_load(&entry->path);

		if (path != NULL)
			(void)unlink(path);
	}
}

static void give_back(struct anim_temporary *entry)
{
	entry->next_free = free_temporaries;
	free_temporaries = entry;
}

static void forget(struct anim_temporary *entry)
{
	free(atomic_exchange(&entry->path, NULL));
	give_back(entry);
}

/* The length of the folder part of path, its slash included; 0 where there is none. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/*
 * Creates and enters the file in one step as far as signals can see: one that came between the two would leave the
 * file behind. The name does not hold the target's: that may already be as long as a name can be.
 */
static int create(char *path, size_t size, size_t folder, struct anim_temporary *entry)
{
	sigset_t all, before;
	int fd = -1, sys;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	errno = EEXIST;
	for (unsigned i = 0; fd < 0 && errno == EEXIST && i < TRIES_MAX; i++) {
		snprintf(path + folder, size - folder, ".anim-%ld-%u-%u.tmp", (long)getpid(), entry->number, i);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	sys = errno;
	if (fd >= 0)
		atomic_store(&entry->path, path);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = sys;
	return fd;
}

/* What was begun (NULL: not even that) is given back. -1 with errno. */
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
		result = link(target, path);
	}
	if (result != 0 && errno != EEXIST && access(path, F_OK) != 0)
		result = rename(target, path);
	if (result != 0)
		return give_up(entry, path, errno);
	atomic_store(&entry->path, path);
	*out = entry;
	return 0;
}

int anim_temporary_rename(struct anim_temporary *entry, const char *target)
{
	if (rename(atomic_load(&entry->path), target) != 0)
		return -1;
	forget(entry);
	return 0;
}

void anim_temporary_restore(struct anim_temporary *entry, const char *target)
{
	const char *path = atomic_load(&entry->path);

	if (rename(path, target) == 0)
		(void)unlink(path); /* of two names of one file rename leaves both */
	forget(entry);
}

void anim_temporary_remove(struct anim_temporary *entry)
{
	if (entry == NULL)
		return;
	(void)unlink(atomic_load(&entry->path));
	forget(entry);
}

/* The folder of `path` with `name` in it, or `name` alone where it is absolute. NULL out of memory. */
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

/* Follows links by hand where realpath cannot: the last one leads to a file that is not there yet. */
static int follow_links(const char *path, char **target)
{
	char link[PATH_MAX], *at = strdup(path), *next;

	for (int i = 0; at != NULL && i < LINKS_MAX; i++) {
		ssize_t length = readlink(at, link, sizeof link - 1);

		if (length < 0) {
			*target = at;
			return 0;
		}
		link[length] = '\0';
		next = beside(at, link);
		free(at);
		at = next;
	}
	free(at);
	errno = at == NULL ? ENOMEM : ELOOP;
	return -1;
}

int anim_resolve_target(const char *path, char **target, struct stat *info)
{
	size_t length = strlen(path);

	*target = NULL;
	if (stat(path, info) != 0) {
		if (errno == ENOENT && length > 0 && path[length - 1] == '/')
			errno = EISDIR;
		if (errno != ENOENT || length == 0)
			return -1;
		return follow_links(path, target) != 0 ? -1 : ANIM_TARGET_FILE;
	}
	if (S_ISDIR(info->st_mode)) {
		errno = EISDIR;
		return -1;
	}
	if (!S_ISREG(info->st_mode))
		return ANIM_TARGET_STRAIGHT;
	if (access(path, W_OK) != 0 || (*target = realpath(path, NULL)) == NULL)
		return -1;
	return ANIM_TARGET_FILE;
}

int anim_wait_writable(int fd)
{
	struct pollfd wait = {.fd = fd, .events = POLLOUT};

	return poll(&wait, 1, -1) < 0 && errno != EINTR ? -1 : 0;
}
