/* names.h: globs or regular expressions, several of which are or'ed. */
#ifndef ANIM_FILTER_SELECT_NAMES_H
#define ANIM_FILTER_SELECT_NAMES_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "clip/track.h"

/* All-zero fits everything. The texts are borrowed. */
struct anim_patterns {
	const char *const *globs; /* of anim_glob_match */
	regex_t *regexes;         /* instead of them, owned; NULL: globs */
	size_t count;
};

/*
 * `regular`: POSIX extended regular expressions, which fit where any part of the name does. 0, or -1 with a message that
 * names the one that is wrong.
 */
int anim_patterns_init(struct anim_patterns *, const char *const *texts, size_t count, bool regular,
		       struct anim_error *);
void anim_patterns_clear(struct anim_patterns *);

/* True where one of the patterns fits, and where there is none. */
bool anim_patterns_fit_node(const struct anim_patterns *, const struct anim_track *);
/* Either form fits: the property, and for a component "position.x" or "modulate.a". */
bool anim_patterns_fit_property(const struct anim_patterns *, const struct anim_track *);
/* Either form fits: NAME, and PLAYER:NAME. */
bool anim_patterns_fit_clip(const struct anim_patterns *, const struct anim_clip *);

#endif
