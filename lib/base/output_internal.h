/* output_internal.h: the resolved target of an output and the temporary beside it. Internal to base/output. */
#ifndef ANIM_BASE_OUTPUT_INTERNAL_H
#define ANIM_BASE_OUTPUT_INTERNAL_H

/* A file that is removed when the process ends early. */
struct anim_temporary;

/* Creates one in the target's folder, open for writing: its descriptor, or -1 with errno. */
int anim_temporary_open(const char *target, struct anim_temporary **);

/* Gives what `target` names a second, temporary name, or, where that is not to be had, this instead. 0, or -1 with errno. */
int anim_temporary_link(const char *target, struct anim_temporary **);

void anim_temporary_remove(struct anim_temporary *); /* NULL is allowed */

#endif
