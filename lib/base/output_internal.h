/* output_internal.h: the resolved target of an output and the temporary beside it. Internal to base/output. */
#ifndef ANIM_BASE_OUTPUT_INTERNAL_H
#define ANIM_BASE_OUTPUT_INTERNAL_H

#include <stdbool.h>

/* A file that is removed when the process ends early. */
struct anim_temporary;

/* Creates one in the target's folder, open for writing: its descriptor, or -1 with errno. */
int anim_temporary_open(const char *target, struct anim_temporary **);

/* Gives what `target` names a second, temporary name, or, where that is not to be had, this instead. 0, or -1 with errno. */
int anim_temporary_link(const char *target, struct anim_temporary **);

/* Removes it. NULL is allowed. True, or false where it stays: its name, owned by the caller, is then in *left. */
bool anim_temporary_remove(struct anim_temporary *, char **left);

/*
 * output_attributes.c: gives the file `to` the extended attributes of `from`, the access control list among them, and takes
 * all others from it. The name of the first that could not be kept, owned by the caller; NULL: all were.
 */
char *anim_copy_attributes(int from, int to);

#endif
