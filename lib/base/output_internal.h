/* output_internal.h: temporary files beside the target of an output. Internal to base/output. */
#ifndef ANIM_BASE_OUTPUT_INTERNAL_H
#define ANIM_BASE_OUTPUT_INTERNAL_H

#include <stdbool.h>

/* A file that is removed if the process ends early. */
struct anim_temporary;

/* Create a temporary file in the folder of the target, open for writing. Returns its descriptor, or -1 with errno. */
int anim_temporary_open(const char *target, struct anim_temporary **);

/*
 * Give the file at `target` a second, temporary name. If the file system does not allow this, rename it to the
 * temporary name. Returns 0, or -1 with errno.
 */
int anim_temporary_link(const char *target, struct anim_temporary **);

/*
 * Remove the temporary file. NULL is allowed. Returns true, or false if it could not be removed: *left is then its
 * name, owned by the caller.
 */
bool anim_temporary_remove(struct anim_temporary *, char **left);

/*
 * output_attributes.c: copy the extended attributes, including the access control list, from file `from` to file
 * `to`, and remove all others of `to`. Returns the name of the first attribute that could not be kept, owned by the
 * caller, or NULL.
 */
char *anim_copy_attributes(int from, int to);

#endif
