/*
 * failing_alloc.c: a shared object for LD_PRELOAD that refuses one allocation, or all from one on.
 *   ANIM_FAIL_ALLOC=N      the N-th allocation of the process (from 1) fails
 *   ANIM_FAIL_ALLOC=N+     so does every later one
 *   ANIM_COUNT_ALLOC=FILE  how many there were goes to FILE at the end
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The C library's own entry points, which need no dlsym (that allocates). */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long done;

static int fails(void)
{
	const char *wish = getenv("ANIM_FAIL_ALLOC");
	char *behind;
	long number, at = atomic_fetch_add(&done, 1) + 1;

	if (wish == NULL)
		return 0;
	number = strtol(wish, &behind, 10);
	if (at != number && !(*behind == '+' && at > number))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *at, size_t size)
{
	return fails() ? NULL : __libc_realloc(at, size);
}

void *reallocarray(void *at, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return fails() ? NULL : __libc_realloc(at, bytes);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("ANIM_COUNT_ALLOC");
	int fd = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd >= 0) {
		dprintf(fd, "%ld\n", atomic_load(&done));
		close(fd);
	}
}
