/* host.c: calls that emscripten's C library answers itself. Here the system that runs the module answers them. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "api/anim.h"

#define IMPORTED(name) __attribute__((import_module("env"), import_name(name)))

/* These are in host.mjs. */
IMPORTED("host_getpid") int host_getpid(void);
IMPORTED("host_link") int host_link(const char *from, const char *to);
IMPORTED("host_exec") int host_exec(const char *path, char *const argv[]);
IMPORTED("host_raise") _Noreturn void host_raise(int signal);
IMPORTED("host_message") void host_message(const struct anim_message_info *);

pid_t getpid(void)
{
	return host_getpid();
}

static int result_of(int result)
{
	if (result >= 0)
		return result;
	errno = -result;
	return -1;
}

int link(const char *from, const char *to)
{
	return result_of(host_link(from, to));
}

int execv(const char *path, char *const argv[])
{
	return result_of(host_exec(path, argv));
}

/* The programs raise a signal only to end by it. */
int raise(int signal)
{
	host_raise(signal);
}

static void on_message(void *context, const struct anim_message_info *info)
{
	(void)context;
	host_message(info);
}

/* Call anim_convert with the function for messages of host.mjs, to which C has no pointer. */
__attribute__((visibility("default"))) int host_convert(struct anim_conversion *, struct anim_fault *);
int host_convert(struct anim_conversion *conversion, struct anim_fault *fault)
{
	conversion->message = on_message;
	return anim_convert(conversion, fault);
}

/* A write to a closed pipe is a signal in POSIX. host.mjs calls this function then. */
__attribute__((visibility("default"))) void host_pipe_closed(void);
void host_pipe_closed(void)
{
	struct sigaction action;

	if (sigaction(SIGPIPE, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
		return;
	if (action.sa_handler == SIG_DFL)
		host_raise(SIGPIPE);
	action.sa_handler(SIGPIPE);
}

/*
 * The function of the C library compares four bytes at a time. Files are searched for line ends with this one. printf
 * gives it a size that is larger than the memory, so the end is never computed.
 */
void *memchr(const void *bytes, int byte, size_t size)
{
	const unsigned char *at = bytes;
	const uint64_t ones = 0x0101010101010101u, wanted = ones * (unsigned char)byte;

	for (; size >= 8; at += 8, size -= 8) {
		uint64_t eight, differs;

		memcpy(&eight, at, sizeof eight);
		differs = eight ^ wanted;
		if (((differs - ones) & ~differs & (ones << 7)) != 0)
			break;
	}
	for (; size > 0; at++, size--)
		if (*at == (unsigned char)byte)
			return (void *)(uintptr_t)at;
	return NULL;
}
