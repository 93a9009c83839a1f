/* scope.h: tells losses which file and clip they are about, from what flows by. */
#ifndef ANIM_CLIP_SCOPE_H
#define ANIM_CLIP_SCOPE_H

#include "clip/losses.h"
#include "clip/sink.h"

/*
 * A sink to be put in front of the first of a chain, by whoever pumps a stream through it: what the chain tells while a
 * clip flows is told of that clip. A sink that keeps things back keeps losses->scope with them, and sets it again when
 * it comes back to them. All members are private.
 */
struct anim_scope_sink {
	struct anim_sink sink;
	struct anim_sink *next;
	struct anim_losses *losses;
	const struct anim_scope *tree, *clip; /* the last ones; NULL: none came */
	const char *input;                    /* for clips whose file is not known; NULL: none */
	bool several;                         /* files */
};

/* Nothing is owned: next, losses and input outlive the sink, and there is nothing to free. */
struct anim_sink *anim_scope_sink_init(struct anim_scope_sink *, struct anim_losses *, const char *input,
				       struct anim_sink *next);

#endif
