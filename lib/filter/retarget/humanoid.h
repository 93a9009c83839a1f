/* humanoid.h: convert clips of Unity's humanoid to tracks of bones. Internal. */
#ifndef ANIM_FILTER_RETARGET_HUMANOID_H
#define ANIM_FILTER_RETARGET_HUMANOID_H

#include "filter/retarget/retarget.h"

struct retarget_humanoid;

struct retarget_humanoid *retarget_humanoid_new(const struct anim_retarget_options *, struct anim_error *);
void retarget_humanoid_free(struct retarget_humanoid *); /* NULL is allowed */

/* Return whether the track is a curve of an Animator that moves a humanoid: its class says so, not its name alone. */
bool retarget_is_humanoid_curve(const struct anim_track *);

/* Add such a track of the current clip. Returns 0 or -1. */
int retarget_humanoid_track(struct retarget_humanoid *, const struct anim_clip *, const struct anim_track *,
			    struct anim_error *);

/* Return whether the current clip has any. */
bool retarget_humanoid_has(const struct retarget_humanoid *);

/*
 * End the clip. Calls `send` for each new track, which has no node name yet, with the number of its bone in the target.
 * Returns 0 or -1.
 */
typedef int retarget_send(void *context, struct anim_track *, uint32_t node, struct anim_error *);
int retarget_humanoid_finish(struct retarget_humanoid *, retarget_send *, void *context, struct anim_error *);

#endif
