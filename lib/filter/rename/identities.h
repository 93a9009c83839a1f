/* identities.h: the selected tracks of a clip, under their old and new names. Private to rename. */
#ifndef ANIM_FILTER_RENAME_IDENTITIES_H
#define ANIM_FILTER_RENAME_IDENTITIES_H

#include "base/map.h"
#include "clip/track.h"
#include "filter/rename/rename.h"

/* Return whether the selection matches the text: one of `count` globs matches, or the list is empty. */
bool anim_rename_selects(const char *const *globs, size_t count, const char *text);

/* The tracks of the current clip under their old and new names. All-zero is empty. Needs about 100 bytes per track. */
struct anim_identities {
	struct anim_text_set before, after;
	struct anim_buffer text;
};

/* Add a track under its old and its new name. Warns if only the new name is already in the set. Returns 0 or -1. */
int anim_identities_add(struct anim_identities *, const struct anim_track *, const struct anim_track *renamed,
			struct anim_diagnostics *, struct anim_error *);
void anim_identities_clear(struct anim_identities *);

#endif
