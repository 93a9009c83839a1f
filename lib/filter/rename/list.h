/* list.h: what renaming would do, as a list. */
#ifndef ANIM_FILTER_RENAME_LIST_H
#define ANIM_FILTER_RENAME_LIST_H

#include "base/output.h"
#include "clip/losses.h"
#include "clip/sink.h"

/*
 * Two sinks with the filters that rename between them: what comes in at the front is compared with what comes out at
 * the back, clip by clip and track by track, whose order the filters keep.
 */
struct anim_rename_list;

struct anim_rename_list *anim_rename_list_new(struct anim_error *); /* NULL on failure */
void anim_rename_list_free(struct anim_rename_list *);              /* after both sinks; NULL is allowed */

/* In front of `next` (owned, freed on failure too). NULL on failure. */
struct anim_sink *anim_rename_list_front(struct anim_rename_list *, struct anim_sink *next, struct anim_error *);

/*
 * The last sink: its end writes a line "old -> new" for each name of a node, property or clip that changed, once, in
 * the order of the stream, the arrows below each other. `out` is borrowed and not committed. NULL on failure.
 */
struct anim_sink *anim_rename_list_back(struct anim_rename_list *, struct anim_output *out, const struct anim_losses *,
					struct anim_error *);

#endif
