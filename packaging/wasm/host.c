/* host.c: calls that emscripten's C library answers itself. Here the system that runs the module answers them. */
#include <errno.h>
#include <unistd.h>

#define IMPORTED(name) __attribute__((import_module("env"), import_name(name)))

/* Both are in host.mjs. */
IMPORTED("host_getpid") int host_getpid(void);
IMPORTED("host_link") int host_link(const char *from, const char *to);

pid_t getpid(void)
{
	return host_getpid();
}

int link(const char *from, const char *to)
{
	int result = host_link(from, to);

	if (result == 0)
		return 0;
	errno = -result;
	return -1;
}
