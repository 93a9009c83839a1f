/* cat.h: several streams as one. */
#ifndef ANIM_FILTER_CAT_H
#define ANIM_FILTER_CAT_H

#include "clip/diagnostics.h"
#include "clip/sink.h"

/* --- Several streams, read one after another, as one --- */

/*
 * A filter in front of `next` (owned, freed on failure too) that takes the records of several inputs. What stands before
 * their first TREE or CLIP, the prog records, must come first, of all inputs; then the rest of each. A chain of prog
 * records that an earlier input had byte for byte is left out, and so is a TREE that is the last one again: what
 * anim-split took apart becomes whole. NULL on failure.
 */
struct anim_sink *anim_cat_new(struct anim_sink *next, struct anim_error *);

/* What comes from now on is of another input. 0 or -1. */
int anim_cat_begin(struct anim_sink *, struct anim_error *);

/* --- Makes one clip of clips of several inputs: their tracks side by side, or one after another in time --- */

enum anim_join {
	ANIM_JOIN_MERGE, /* tracks side by side; of a track that several have, the later input's */
	ANIM_JOIN_APPEND /* each clip's time behind the end of the one before; what only one has holds */
};

struct anim_join_options {
	enum anim_join how;
	size_t store_memory;
	struct anim_diagnostics *diagnostics; /* must be there */
};

/*
 * A filter in front of `next` (owned, freed on failure too). A clip joins the clip of an earlier input that has its name;
 * where there are several, that of its player. To append, the only clips (but RESET) of all inputs are joined whatever
 * their names are; RESET clips are merged. Trees of joined clips are united by path. Everything but prog records waits in
 * a store for end(); unknown records are left out. NULL on failure.
 */
struct anim_sink *anim_join_new(const struct anim_join_options *, struct anim_sink *next, struct anim_error *);

/* What comes from now on is of another input; its name (borrowed for the filter's life) is for messages. */
void anim_join_begin(struct anim_sink *, const char *name);

#endif
