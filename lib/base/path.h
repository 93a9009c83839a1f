/* path.h: where files lie, which folder is their project's, and which of them may be opened. */
#ifndef ANIM_BASE_PATH_H
#define ANIM_BASE_PATH_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/input.h"

/* Texts that functions here return live in the arena; NULL (or -1) is out of memory. */

/* The last name of a path; borrowed from it. */
const char *anim_path_last(const char *path);

/* True where the path ends in one of the suffixes, in letters of either case, and has more before it. */
bool anim_path_has_suffix(const char *path, const char *const *suffixes, size_t count);

/* folder/name; the folder may be empty or the root. */
char *anim_path_join(struct anim_arena *, const char *folder, const char *name, struct anim_error *);

/* The path up to its last name: "/" for one in the root, empty where there is no slash. */
char *anim_path_folder(struct anim_arena *, const char *path, struct anim_error *);

/* The path without links, "." and ".."; an empty one is the working folder. 1; 0 where it cannot be reached (errno); -1. */
int anim_path_real(struct anim_arena *, const char *path, const char **real, struct anim_error *);

/* True where a real path lies below a real folder. */
bool anim_path_is_below(const char *path, const char *folder);

/* Where a file lies and how it is called in messages. All NULL for a pipe. */
struct anim_location {
	const char *real;         /* resolved path */
	const char *folder;       /* resolved folder */
	const char *shown_folder; /* the same as a person would type it, empty: the working folder */
};

/* The location of an input: NULLs for a pipe and for what can no longer be reached. 0 or -1. */
int anim_locate(struct anim_location *, const struct anim_input *, struct anim_arena *, struct anim_error *);

/* Fills the folders of a location whose `real` stands; `shown`: the file as a person would type it. 0 or -1. */
int anim_locate_folders(struct anim_location *, const char *shown, struct anim_arena *, struct anim_error *);

/* The folder below which alone files are opened. folder NULL: there is none. */
struct anim_project {
	const char *folder, *shown_folder; /* as those of a location */
};

/* Whether the folder holds `name`, a folder where is_folder, else a regular file. 1, 0; -1 also where the system does not say. */
int anim_path_holds(const char *folder, const char *name, bool is_folder, struct anim_arena *, struct anim_error *);

/* Tells a project's folder. */
struct anim_project_test {
	int (*is_it)(void *context, const char *folder, struct anim_arena *, struct anim_error *); /* 1, 0, -1 */
	void *context;
};

/* Walks up from the file's folder to the nearest that is one. 1; 0 where none is: the project stays as it is; -1. */
int anim_project_find(struct anim_project *, const struct anim_location *from, struct anim_project_test,
		      struct anim_arena *, struct anim_error *);

/*
 * Whether the system refused a file that is there, or may be (EACCES, EIO), and not the name of one that is not. To be asked
 * of errno at once.
 */
bool anim_path_is_refused(int sys);

/* Fails where the file of this path is no longer what it was, or another by now: with its name in front. 0 or -1. */
int anim_path_unchanged(const char *path, const struct stat *before, struct anim_error *);

/*
 * Opens a regular file that was resolved before: no link at its end, no waiting for a FIFO. The fd; -1 and *why; -1 and
 * *why NULL where the system refused it (errno).
 */
int anim_open_regular(const char *real, const char **why);

#endif
