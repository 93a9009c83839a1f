/* path.h: locations of files, the folder of their project, and which files may be opened. */
#ifndef ANIM_BASE_PATH_H
#define ANIM_BASE_PATH_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/input.h"
#include "base/system.h"

/* Texts returned here live in the arena. NULL (or -1) means out of memory. */

/* Return the last name of a path, borrowed from it. */
const char *anim_path_last(const char *path);

/* Return true if the path ends in one of the suffixes, in either case of letters, and has more before it. */
bool anim_path_has_suffix(const char *path, const char *const *suffixes, size_t count);

/* Return folder/name. The folder may be empty or the root. */
char *anim_path_join(struct anim_arena *, const char *folder, const char *name, struct anim_error *);

/* Return the path up to its last name: "/" for a path in the root, empty without a slash. */
char *anim_path_folder(struct anim_arena *, const char *path, struct anim_error *);

/*
 * Resolve links, "." and ".." of a path. An empty path is the working folder. Returns 1, 0 if it cannot be reached
 * (errno), or -1.
 */
int anim_path_real(struct anim_arena *, const char *path, const char **real, struct anim_error *);

/* Return true if a real path is below a real folder. */
bool anim_path_is_below(const char *path, const char *folder);

/* Where a file is, and its name in messages. All members are NULL for a pipe. */
struct anim_location {
	const char *real;         /* resolved path */
	const char *folder;       /* resolved folder */
	const char *shown_folder; /* the same as a person would type it; empty: the working folder */
};

/*
 * Get the location of an input. The members are NULL for a pipe and for a file that can no longer be reached. Returns
 * 0 or -1.
 */
int anim_locate(struct anim_location *, const struct anim_input *, struct anim_arena *, struct anim_error *);

/*
 * Fill the folders of a location whose `real` is set. `shown` is the file as a person would type it. Returns 0 or -1.
 */
int anim_locate_folders(struct anim_location *, const char *shown, struct anim_arena *, struct anim_error *);

/* The project folder. Only files below it are opened. folder is NULL without a project. */
struct anim_project {
	const char *folder, *shown_folder; /* as in struct anim_location */
};

/*
 * Return whether the folder holds `name`: a folder if is_folder, otherwise a regular file. Returns 1, 0, or -1, also
 * if the system does not answer.
 */
int anim_path_holds(const char *folder, const char *name, bool is_folder, struct anim_arena *, struct anim_error *);

/* Recognises the folder of a project. */
struct anim_project_test {
	/* returns 1, 0 or -1 */
	int (*is_it)(void *context, const char *folder, struct anim_arena *, struct anim_error *);
	void *context;
};

/*
 * Walk up from the folder of the file to the nearest project folder. Returns 1, 0 if there is none (the project stays
 * unchanged), or -1.
 */
int anim_project_find(struct anim_project *, const struct anim_location *from, struct anim_project_test,
		      struct anim_arena *, struct anim_error *);

/*
 * Return whether the system refused access to a file that exists or may exist (EACCES, EIO), as opposed to a name
 * that does not exist. Call it at once, with errno.
 */
bool anim_path_is_refused(int sys);

/*
 * Fail if the file of this path has changed or was replaced by another since `before`. The error names the file.
 * Returns 0 or -1.
 */
int anim_path_unchanged(const char *path, const struct anim_stat *before, struct anim_error *);

/*
 * Open a regular file whose path was already resolved. A link at its end is refused, and opening a FIFO does not
 * wait. Returns the descriptor, or -1 with *why. If the system refused access, *why is NULL and errno is set.
 */
int anim_open_regular(const char *real, const char **why);

#endif
