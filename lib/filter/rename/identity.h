/* identity.h: tracks of a clip that were two things and are one under their new names. Internal to rename. */
#ifndef ANIM_FILTER_RENAME_IDENTITY_H
#define ANIM_FILTER_RENAME_IDENTITY_H

#include "base/buffer.h"
#include "base/map.h"
#include "clip/losses.h"
#include "clip/track.h"

/* All-zero is empty. About 100 bytes a track of the clip at hand. */
struct anim_identities {
	struct anim_text_set before, after;
	struct anim_buffer text;
};

/* Adds a track as it came and as it goes on; warns where only the latter was there before. 0 or -1. */
int anim_identities_add(struct anim_identities *, const struct anim_track *, const struct anim_track *renamed,
			struct anim_losses *, struct anim_error *);
void anim_identities_clear(struct anim_identities *);

#endif
