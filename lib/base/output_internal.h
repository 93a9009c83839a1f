/* output_internal.h: the resolved target of an output and the temporary beside it. Internal to base/output. */
#ifndef ANIM_BASE_OUTPUT_INTERNAL_H
#define ANIM_BASE_OUTPUT_INTERNAL_H

#include <sys/stat.h>

enum { ANIM_TARGET_FILE, ANIM_TARGET_STRAIGHT };

/*
 * What stands behind path: ANIM_TARGET_FILE for a regular file or none yet, *target (owned by the caller) is then its
 * name with symbolic links followed, a link that leads nowhere included; ANIM_TARGET_STRAIGHT for a device, FIFO and
 * the like; -1 with errno (a directory, a file that may not be written, a folder that is not there).
 */
int anim_resolve_target(const char *path, char **target, struct stat *info);

/* A file that is removed when the process ends early. */
struct anim_temporary;

/* Creates one in the target's folder, open for writing: its descriptor, or -1 with errno. */
int anim_temporary_open(const char *target, struct anim_temporary **);

/* Gives what `target` names a second, temporary name, or, where that is not to be had, this instead. 0, or -1 with errno. */
int anim_temporary_link(const char *target, struct anim_temporary **);

/* Gives it its name; it is then no temporary. 0, or -1 with errno: it stays. */
int anim_temporary_rename(struct anim_temporary *, const char *target);
/* The same for what anim_temporary_link kept; where even that fails the file stays under its temporary name. */
void anim_temporary_restore(struct anim_temporary *, const char *target);
void anim_temporary_remove(struct anim_temporary *); /* NULL is allowed */

/* Waits until a non-blocking descriptor can be written. 0, or -1 with errno. */
int anim_wait_writable(int fd);

#endif
