/* name.h: the new name of one node, property or clip. Internal to rename. */
#ifndef ANIM_FILTER_RENAME_NAME_H
#define ANIM_FILTER_RENAME_NAME_H

#include "filter/rename/rename.h"

/* All-zero but for the options. */
struct anim_renamer {
	struct anim_rename_options options;
	struct anim_arena arena;       /* of what was returned; reset by the caller */
	struct anim_buffer text, tail; /* scratch */
	bool matched;                  /* something was found to rename since this was set false */
};

void anim_renamer_clear(struct anim_renamer *);

/* Whether the selection takes the text: one of `count` globs fits, or there are none. */
bool anim_rename_selects(const char *const *globs, size_t count, const char *text);

/* True where names of nodes are changed at all. */
bool anim_renamer_has_nodes(const struct anim_renamer *);

/* The new path of a node that a track is played on; the path itself where it stays. NULL on failure. */
const char *anim_renamer_node(struct anim_renamer *, const char *path, struct anim_error *);

/* The new name of a property or clip, by map and expressions. NULL on failure, also where nothing is left of it. */
const char *anim_renamer_name(struct anim_renamer *, const char *name, struct anim_error *);

#endif
