/* system.h: the functions that differ between systems. system_posix.c and system_windows.c implement it, and nothing else knows the system. */
#ifndef ANIM_BASE_SYSTEM_H
#define ANIM_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>
#ifndef _WIN32
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#endif

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

/*
 * Paths are UTF-8 (POSIX: any bytes) with slashes. On Windows a real path begins with a slash, as in "/C:/clips/walk.tscn", and all
 * before a drive is ignored, so that paths can be joined. Functions that return an int or a pointer fail with -1 or NULL and errno.
 */

/* The longest last name, and the longest folder of PATH. */
#define ANIM_PATH_LAST_MAX 255
#define ANIM_PATH_MAX 4096

/* ---- Files ---- */

enum anim_file_kind { ANIM_FILE, ANIM_FOLDER, ANIM_PIPE, ANIM_DEVICE, ANIM_LINK, ANIM_OTHER_FILE };

struct anim_stat {
	enum anim_file_kind kind;
	uint64_t volume, number; /* the same for all names of a file */
	uint64_t size, links;
	int64_t changed_s, changed_ns;
	uint32_t mode, owner, group; /* POSIX only */
};

/* Get the state of a file, of a link itself, or of an open file. */
int anim_sys_stat(const char *path, struct anim_stat *);
int anim_sys_lstat(const char *path, struct anim_stat *);
int anim_sys_fstat(int fd, struct anim_stat *);
bool anim_is_file(const char *path);
bool anim_is_folder(const char *path);
FILE *anim_file_read(const char *path); /* open to read, or NULL with errno */
bool anim_is_same_file(const struct anim_stat *, const struct anim_stat *);

/* ANIM_OPEN_PLAIN refuses a link and does not wait for a FIFO. ANIM_OPEN_NEW fails if the file exists. */
enum anim_open { ANIM_OPEN_READ, ANIM_OPEN_PLAIN, ANIM_OPEN_WRITE, ANIM_OPEN_NEW };
int anim_sys_open(const char *path, enum anim_open);
int anim_sys_open_unnamed(const char **folder); /* a file that vanishes. *folder (NULL: unknown) is for messages */
/* Write two pieces, with one system call if it takes them all. Returns how many bytes were written. */
ssize_t anim_sys_write_both(int fd, const void *first, size_t first_size, const void *second, size_t second_size);
int anim_sys_sync(int fd); /* 0 also if the file system cannot */

char *anim_sys_link_target(const char *path); /* owned by the caller, NULL also for other files */

/*
 * Lock a file against other programs of this project, without waiting. Returns a lock, or -1. *is_taken says whether another program
 * has it.
 */
int anim_sys_lock(const char *path, bool *is_taken);

/* ---- Folders ---- */

struct anim_folder;
struct anim_folder *anim_folder_open(const char *path, bool may_be_link);
int anim_folder_open_file(struct anim_folder *, const char *name); /* ANIM_OPEN_PLAIN */
int anim_folder_lstat(struct anim_folder *, const char *name, struct anim_stat *);
void anim_folder_close(struct anim_folder *); /* NULL is allowed */
/* Append the remaining names (const char *) but "." and ".." in byte order. Returns 0 with *sys 0 or an errno, or -1 if out of memory. */
int anim_folder_names(struct anim_folder *, struct anim_arena *, struct anim_buffer *, int *sys, struct anim_error *);

/* ---- The process ---- */

/*
 * Prepare a program: arguments in UTF-8, binary standard descriptors, all of them open. `at_end` runs if a signal or the console ends
 * the program, and must be async-signal-safe.
 */
void anim_sys_start(int *argc, char ***argv, void (*at_end)(void));
/* Hold signals back in this thread until they are released. */
struct anim_signals {
	uint64_t set[16];
};
void anim_sys_hold_signals(struct anim_signals *);
void anim_sys_release_signals(const struct anim_signals *);
void anim_sys_end_closed(void); /* end as a program does whose output was closed */
int anim_sys_random(void *bytes, size_t size);
unsigned anim_sys_processors(void);
/* Replace the process with a program. A name without a slash is looked up in PATH. Returns only on failure. */
void anim_sys_become(const char *program, char *const *arguments);

/* ---- The terminal ---- */

bool anim_sys_terminal_size(unsigned *columns, unsigned *rows); /* of standard output */

/* ---- Datagrams: UDP over IPv4 ---- */

struct anim_address {
	uint8_t ip[4];
	uint16_t port;
};
/* Set the ip from a text such as "192.168.0.7". Names are not looked up. */
bool anim_udp_address(const char *text, struct anim_address *);
/* Open a socket that receives datagrams at an address of this machine, or that sends them to an address. */
int anim_udp_open(const struct anim_address *, bool receives);
/* Wait for a datagram. Returns its size, or -1 with errno: EAGAIN if none came in this time. */
ssize_t anim_udp_receive(int socket, struct anim_address *sender, void *to, size_t capacity, unsigned wait_ms);
int anim_udp_send(int socket, const void *bytes, size_t size); /* errno ECONNREFUSED: no program listens */
/* Return the number of datagrams that the system dropped, because its buffer was full. 0 if it does not count. */
unsigned anim_udp_lost(int socket);
void anim_udp_close(int socket);

/* ---- Functions of POSIX ---- */

#ifdef _WIN32

#define ANIM_EXISTS 0
#define ANIM_MAY_RUN 1
#define ANIM_MAY_WRITE 2
#define ANIM_MAY_READ 4
#define ANIM_PATH_SEPARATOR ";"
#define ANIM_PROGRAM_SUFFIX ".exe"
#define anim_sys_sync_folder(folder) ((void)(folder))
#define anim_sys_give_rights(fd, like) ((void)(fd), (void)(like), 0)
#define anim_sys_poll(fd, for_writing) ((void)(fd), -1)
#define anim_sys_shows_utf8() anim_sys_is_terminal(1)
struct anim_folder *anim_sys_search(const char *pattern); /* the files that fit, or NULL without any */
#define anim_sys_aligned malloc /* to 16 bytes, which are enough for all that is loaded at once */
bool anim_sys_may(const char *path, int how);
int anim_sys_duplicate(int fd);
ssize_t anim_sys_read(int fd, void *to, size_t size);
ssize_t anim_sys_read_at(int fd, void *to, size_t size, uint64_t offset);
ssize_t anim_sys_write_at(int fd, const void *bytes, size_t size, uint64_t offset);
int anim_sys_rename(const char *from, const char *to);
int anim_sys_link(const char *file, const char *path);
int anim_sys_remove(const char *path);
int anim_sys_make_folder(const char *path);
int anim_sys_remove_folder(const char *path);
char *anim_sys_real_path(const char *path);
void anim_sys_unlock(int lock);
bool anim_sys_is_terminal(int fd);
void anim_sys_reason(int sys, char *text, size_t capacity);

const char *anim_folder_next(struct anim_folder *);

#else

/* Return the next name, also "." and "..", or NULL at the end or with errno. */
static inline const char *anim_folder_next(struct anim_folder *folder)
{
	const struct dirent *entry = readdir((DIR *)(void *)folder);

	return entry == NULL ? NULL : entry->d_name;
}

int anim_sys_poll(int fd, bool for_writing); /* until a descriptor that does not block is ready */
void anim_sys_sync_folder(const char *folder);
int anim_sys_give_rights(int fd, const struct anim_stat *like);

#define ANIM_EXISTS F_OK
#define ANIM_MAY_RUN X_OK
#define ANIM_MAY_WRITE W_OK
#define ANIM_MAY_READ R_OK
#define ANIM_PATH_SEPARATOR ":"
#define ANIM_PROGRAM_SUFFIX ""
#define anim_sys_shows_utf8() false
#define anim_sys_search(pattern) ((void)(pattern), NULL) /* the shell did it */
#define anim_sys_aligned(size) aligned_alloc(64, size)
#define anim_sys_may(path, how) (access(path, how) == 0)
#define anim_sys_duplicate(fd) fcntl(fd, F_DUPFD_CLOEXEC, 0)
#define anim_sys_read read
#define anim_sys_read_at(fd, to, size, offset) pread(fd, to, size, (off_t)(offset))
#define anim_sys_write_at(fd, bytes, size, offset) pwrite(fd, bytes, size, (off_t)(offset))
#define anim_sys_rename rename
#define anim_sys_link link
#define anim_sys_remove unlink
#define anim_sys_make_folder(path) mkdir(path, 0777)
#define anim_sys_remove_folder rmdir
#define anim_sys_real_path(path) realpath(path, NULL)
#define anim_sys_unlock(lock) ((void)close(lock))
#define anim_sys_is_terminal isatty
#define anim_sys_reason (void)strerror_r /* all threads share the text of strerror */

#endif

#endif
