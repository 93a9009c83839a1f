/*
 * refusing.c: a shared object for LD_PRELOAD: a system that refuses one file.
 *   ANIM_REFUSE_OPEN=NAME  what has this last name cannot be opened: EACCES
 *   ANIM_REFUSE_PATH=NAME  nor resolved: EACCES
 *   ANIM_REFUSE_STAT=NAME  nor looked at: EIO
 *   ANIM_REFUSE_READ=NAME  it can be opened, but not read: EIO
 *   ANIM_REFUSE_PREAD=NAME it can be read, but not at a place of its own: EIO
 *   ANIM_SHORT_READS=1     each read gives at most three bytes, and each second one is interrupted first: EINTR
 *   ANIM_SHORT_WRITES=1    the same for writes
 *   ANIM_REFUSE_UNLINK=END what ends in this cannot be removed: EIO
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int unreadable = -1, placeless = -1;

static int is_it(const char *path, const char *variable)
{
	const char *name = getenv(variable), *slash = strrchr(path, '/');

	return name != NULL && strcmp(slash == NULL ? path : slash + 1, name) == 0;
}

static int open_it(int folder, const char *path, int flags, mode_t mode)
{
	int (*next)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
	int fd;

	if (is_it(path, "ANIM_REFUSE_OPEN")) {
		errno = EACCES;
		return -1;
	}
	fd = next(folder, path, flags, mode);
	if (fd >= 0 && is_it(path, "ANIM_REFUSE_READ"))
		unreadable = fd;
	if (fd >= 0 && is_it(path, "ANIM_REFUSE_PREAD"))
		placeless = fd;
	return fd;
}

static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

#define OPEN(name)                                           \
	int name(const char *path, int flags, ...)           \
	{                                                    \
		va_list args;                                \
		mode_t mode;                                 \
                                                             \
		va_start(args, flags);                       \
		mode = mode_of(flags, args);                 \
		va_end(args);                                \
		return open_it(AT_FDCWD, path, flags, mode); \
	}
#define OPENAT(name)                                           \
	int name(int folder, const char *path, int flags, ...) \
	{                                                      \
		va_list args;                                  \
		mode_t mode;                                   \
                                                               \
		va_start(args, flags);                         \
		mode = mode_of(flags, args);                   \
		va_end(args);                                  \
		return open_it(folder, path, flags, mode);     \
	}
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

char *realpath(const char *path, char *resolved)
{
	char *(*next)(const char *, char *) = (char *(*)(const char *, char *))dlsym(RTLD_NEXT, "realpath");

	if (!is_it(path, "ANIM_REFUSE_PATH"))
		return next(path, resolved);
	errno = EACCES;
	return NULL;
}

static int stat_it(int folder, const char *path, void *info, int flags)
{
	int (*next)(int, const char *, void *, int) =
	    (int (*)(int, const char *, void *, int))dlsym(RTLD_NEXT, "fstatat");

	if (!is_it(path, "ANIM_REFUSE_STAT"))
		return next(folder, path, info, flags);
	errno = EIO;
	return -1;
}

int fstatat(int folder, const char *path, struct stat *info, int flags)
{
	return stat_it(folder, path, info, flags);
}

int fstatat64(int folder, const char *path, struct stat64 *info, int flags)
{
	return stat_it(folder, path, info, flags);
}

int stat(const char *path, struct stat *info)
{
	return stat_it(AT_FDCWD, path, info, 0);
}

int stat64(const char *path, struct stat64 *info)
{
	return stat_it(AT_FDCWD, path, info, 0);
}

#define SHORT 3

/* Return whether the call is interrupted. Otherwise shorten it. */
static int interrupts(const char *variable, size_t *size)
{
	static unsigned calls;

	if (getenv(variable) == NULL)
		return 0;
	errno = EINTR;
	*size = *size < SHORT ? *size : SHORT;
	return calls++ % 2 == 0;
}

ssize_t read(int fd, void *to, size_t size)
{
	ssize_t (*next)(int, void *, size_t) = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");

	if (fd != unreadable)
		return interrupts("ANIM_SHORT_READS", &size) ? -1 : next(fd, to, size);
	errno = EIO;
	return -1;
}

ssize_t writev(int fd, const struct iovec *pieces, int count)
{
	ssize_t (*next)(int, const struct iovec *, int) =
	    (ssize_t(*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
	struct iovec first = {0};

	for (int i = 0; i < count && first.iov_len == 0; i++)
		first = pieces[i];
	if (getenv("ANIM_SHORT_WRITES") == NULL)
		return next(fd, pieces, count);
	return interrupts("ANIM_SHORT_WRITES", &first.iov_len) ? -1 : next(fd, &first, 1);
}

#define PREAD(name, offset_type)                                                                    \
	ssize_t name(int fd, void *to, size_t size, offset_type at)                                 \
	{                                                                                           \
		ssize_t (*next)(int, void *, size_t, offset_type) =                                 \
		    (ssize_t(*)(int, void *, size_t, offset_type))dlsym(RTLD_NEXT, #name);          \
                                                                                                    \
		if (fd != placeless && fd != unreadable)                                            \
			return interrupts("ANIM_SHORT_READS", &size) ? -1 : next(fd, to, size, at); \
		errno = EIO;                                                                        \
		return -1;                                                                          \
	}
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define PWRITE(name, offset_type)                                                                \
	ssize_t name(int fd, const void *from, size_t size, offset_type at)                      \
	{                                                                                        \
		ssize_t (*next)(int, const void *, size_t, offset_type) =                        \
		    (ssize_t(*)(int, const void *, size_t, offset_type))dlsym(RTLD_NEXT, #name); \
                                                                                                 \
		return interrupts("ANIM_SHORT_WRITES", &size) ? -1 : next(fd, from, size, at);   \
	}
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

int unlink(const char *path)
{
	int (*next)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
	const char *end = getenv("ANIM_REFUSE_UNLINK");

	if (end == NULL || strlen(path) < strlen(end) || strcmp(path + strlen(path) - strlen(end), end) != 0)
		return next(path);
	errno = EIO;
	return -1;
}

int close(int fd)
{
	int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");

	if (fd == unreadable)
		unreadable = -1;
	if (fd == placeless)
		placeless = -1;
	return next(fd);
}
