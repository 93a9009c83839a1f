/* system_posix.c: the system interface on POSIX.1-2008. */
#define _DARWIN_C_SOURCE /* macOS: O_NOFOLLOW, flock */
#include "base/system.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/named.h"

#ifdef __linux__
#include <asm/socket.h>
#include <linux/sock_diag.h>
#include <sys/prctl.h>
#include <sys/random.h>
#endif

/* ---- Files ---- */

static enum anim_file_kind kind_of(mode_t mode)
{
	return S_ISREG(mode)    ? ANIM_FILE
	       : S_ISDIR(mode)  ? ANIM_FOLDER
	       : S_ISFIFO(mode) ? ANIM_PIPE
	       : S_ISCHR(mode)  ? ANIM_DEVICE
	       : S_ISLNK(mode)  ? ANIM_LINK
				: ANIM_OTHER_FILE;
}

/* `result` comes from the system call. */
static int fill_stat(int result, const struct stat *info, struct anim_stat *out)
{
	if (result == 0)
		*out = (struct anim_stat){.kind = kind_of(info->st_mode),
					  .volume = (uint64_t)info->st_dev,
					  .number = info->st_ino,
					  .size = (uint64_t)info->st_size,
					  .links = info->st_nlink,
#ifdef __APPLE__
					  .changed_s = info->st_mtimespec.tv_sec,
					  .changed_ns = info->st_mtimespec.tv_nsec,
#else
					  .changed_s = info->st_mtim.tv_sec,
					  .changed_ns = info->st_mtim.tv_nsec,
#endif
					  .mode = (uint32_t)info->st_mode,
					  .owner = info->st_uid,
					  .group = info->st_gid};
	return result;
}

int anim_sys_stat(const char *path, struct anim_stat *out)
{
	struct stat info;

	if (anim_named_is(path)) {
		errno = ENOENT;
		return -1;
	}
	return fill_stat(stat(path, &info), &info, out);
}

int anim_sys_lstat(const char *path, struct anim_stat *out)
{
	struct stat info;

	return fill_stat(lstat(path, &info), &info, out);
}

int anim_sys_fstat(int fd, struct anim_stat *out)
{
	struct stat info;

	return fill_stat(fstat(fd, &info), &info, out);
}

#define PLAIN (O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)

int anim_sys_open(const char *path, enum anim_open how)
{
	static const int flags[] = {O_RDONLY | O_CLOEXEC | O_NOCTTY, PLAIN, O_WRONLY | O_CLOEXEC | O_NOCTTY,
				    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC};

	return open(path, flags[how], 0666);
}

/* In $TMPDIR. */
int anim_sys_open_unnamed(const char **folder)
{
	char name[4096];
	int fd;

	*folder = getenv("TMPDIR");
	if (*folder == NULL || **folder == '\0')
		*folder = "/tmp";
	if ((size_t)snprintf(name, sizeof name, "%s/anim-XXXXXX", *folder) >= sizeof name) {
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

ssize_t anim_sys_write_both(int fd, const void *first, size_t first_size, const void *second, size_t second_size)
{
	const struct iovec pieces[2] = {{(void *)(uintptr_t)first, first_size},
					{(void *)(uintptr_t)second, second_size}};

	return writev(fd, pieces, 2);
}

int anim_sys_poll(int fd, bool for_writing)
{
	struct pollfd ready = {.fd = fd, .events = for_writing ? POLLOUT : POLLIN};

	return poll(&ready, 1, -1) < 0 && errno != EINTR ? -1 : 0;
}

int anim_sys_sync(int fd)
{
	int result;

	do
		result = fsync(fd);
	while (result != 0 && errno == EINTR);
	return result != 0 && (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EROFS) ? 0 : result;
}

void anim_sys_sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)anim_sys_sync(fd);
	(void)close(fd);
}

int anim_sys_give_rights(int fd, const struct anim_stat *like)
{
	if (fchown(fd, like->owner, like->group) != 0 && fchown(fd, (uid_t)-1, like->group) != 0)
		errno = 0; /* the file of another user that its group may write becomes ours, as with any editor */
	return fchmod(fd, like->mode & 0777);
}

char *anim_sys_link_target(const char *path)
{
	char target[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof target - 1);

	return length < 0 ? NULL : strndup(target, (size_t)length);
}

int anim_sys_lock(const char *path, bool *is_taken)
{
	int fd = anim_sys_open(path, ANIM_OPEN_READ);

	*is_taken = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	return fd;
}

/* ---- Folders: a folder is its DIR ---- */

struct anim_folder *anim_folder_open(const char *path, bool may_be_link)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (may_be_link ? 0 : O_NOFOLLOW));
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (folder == NULL && fd >= 0)
		close(fd);
	return (struct anim_folder *)folder;
}

int anim_folder_open_file(struct anim_folder *folder, const char *name)
{
	return openat(dirfd((DIR *)folder), name, PLAIN);
}

int anim_folder_lstat(struct anim_folder *folder, const char *name, struct anim_stat *out)
{
	struct stat info;

	return fill_stat(fstatat(dirfd((DIR *)folder), name, &info, AT_SYMLINK_NOFOLLOW), &info, out);
}

void anim_folder_close(struct anim_folder *folder)
{
	if (folder != NULL)
		closedir((DIR *)folder);
}

/* ---- The process ---- */

/* The last five are crashes: libfyaml has them if memory is missing. */
static const int deadly[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGALRM, SIGXCPU, SIGXFSZ, SIGUSR1,
			     SIGUSR2, SIGPIPE, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT};
static void (*at_end_of_program)(void);

static void end_and_die(int signal_number)
{
	at_end_of_program();
	raise(signal_number); /* SA_RESETHAND: the default action follows */
}

/*
 * A closed standard descriptor would be reused by the next open, and messages would be written into that file. Each
 * is filled with a descriptor that fails like a closed one.
 */
void anim_sys_start(int *argc, char ***argv, void (*at_end)(void))
{
	struct sigaction action = {.sa_handler = end_and_die, .sa_flags = (int)SA_RESETHAND}, before;

	(void)argc;
	(void)argv;
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(1);
	at_end_of_program = at_end;
	/*
	 * Ignored signals stay ignored, and a sanitizer keeps its handlers. An ignored SIGPIPE arrives as EPIPE, and
	 * anim_sys_end_closed then ends the program by the signal.
	 */
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
		if (sigaction(deadly[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			(void)sigaction(deadly[i], &action, NULL);
}

void anim_sys_hold_signals(struct anim_signals *before)
{
	sigset_t all;

	_Static_assert(sizeof(sigset_t) <= sizeof before->set, "a set of signals fits");
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, (sigset_t *)(void *)before->set);
}

void anim_sys_release_signals(const struct anim_signals *before)
{
	pthread_sigmask(SIG_SETMASK, (const sigset_t *)(const void *)before->set, NULL);
}

void anim_sys_end_closed(void)
{
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
}

int anim_sys_random(void *bytes, size_t size)
{
	int fd;
	ssize_t got;

#ifdef __linux__
	if (getrandom(bytes, size, GRND_NONBLOCK) == (ssize_t)size)
		return 0;
#endif
	fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? 0 : read(fd, bytes, size);
	if (fd >= 0)
		(void)close(fd);
	return got == (ssize_t)size ? 0 : -1;
}

unsigned anim_sys_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count < 1 ? 1 : (unsigned)count;
}

void anim_sys_become(const char *program, char *const *arguments)
{
	if (strchr(program, '/') != NULL)
		execv(program, arguments);
	else
		execvp(program, arguments);
}

/* ---- The terminal ---- */

bool anim_sys_terminal_size(unsigned *columns, unsigned *rows)
{
	struct winsize size = {0};

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return false;
	*columns = size.ws_col;
	*rows = size.ws_row;
	return true;
}

/* ---- Datagrams ---- */

#define RECEIVE_BUFFER (4 << 20) /* bytes that wait in the kernel while a disk is slow */

#ifndef MSG_DONTWAIT
#define MSG_DONTWAIT 0 /* POSIX lacks it. After poll, nothing waits. */
#endif

bool anim_udp_address(const char *text, struct anim_address *out)
{
	return inet_pton(AF_INET, text, out->ip) == 1;
}

int anim_udp_open(const struct anim_address *address, bool receives)
{
	struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(address->port)};
	int size = RECEIVE_BUFFER, fd = socket(AF_INET, SOCK_DGRAM, 0), sys;

	if (fd < 0)
		return -1;
	memcpy(&name.sin_addr, address->ip, sizeof address->ip);
	if (receives)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
#ifdef __linux__
	else
		(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* otherwise sleep lasts up to 0.05 ms longer */
#endif
	if ((receives ? bind : connect)(fd, (struct sockaddr *)&name, sizeof name) == 0)
		return fd;
	sys = errno;
	close(fd);
	errno = sys;
	return -1;
}

ssize_t anim_udp_receive(int fd, struct anim_address *sender, void *to, size_t capacity, unsigned wait_ms)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	struct sockaddr_in name = {.sin_port = 0};
	socklen_t size = sizeof name;
	ssize_t got = -1;

	if (poll(&ready, 1, (int)wait_ms) > 0)
		got = recvfrom(fd, to, capacity, MSG_DONTWAIT, (struct sockaddr *)&name, &size);
	else
		errno = EAGAIN;
	if (got < 0 && errno == EINTR)
		errno = EAGAIN;
	memcpy(sender->ip, &name.sin_addr, sizeof sender->ip);
	sender->port = ntohs(name.sin_port);
	return got;
}

int anim_udp_send(int fd, const void *bytes, size_t size)
{
	return send(fd, bytes, size, 0) < 0 ? -1 : 0;
}

unsigned anim_udp_lost(int fd)
{
#if defined __linux__ && defined SO_MEMINFO
	uint32_t counts[SK_MEMINFO_VARS] = {0};
	socklen_t size = sizeof counts;

	return getsockopt(fd, SOL_SOCKET, SO_MEMINFO, counts, &size) == 0 ? counts[SK_MEMINFO_DROPS] : 0;
#else
	(void)fd;
	return 0;
#endif
}

void anim_udp_close(int fd)
{
	close(fd);
}
