/* pick.h: one clip out of a stream, or one sink per clip, for targets that hold one. */
#ifndef ANIM_FILTER_PICK_H
#define ANIM_FILTER_PICK_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/losses.h"
#include "clip/sink.h"

struct anim_pick_options {
	/*
	 * -c: NAME or PLAYER:NAME, or a glob that only one fits; a name to the letter goes before a glob. NULL: the only
	 * one (RESET does not count beside another).
	 */
	const char *clip;
	bool each;           /* every clip, through make */
	const char *format;  /* for messages: "animj" */
	const char *suffix;  /* of its files, for messages; NULL: the format's name */
	size_t store_memory; /* for a RESET clip that must wait for what comes */
	struct anim_losses *losses;
	/*
	 * make gives the sink for a clip, once or (each) for every clip; pick frees it. finish is called after its end()
	 * succeeded and it was freed, before the next make, to commit.
	 */
	struct anim_sink *(*make)(void *context, const struct anim_clip *, struct anim_error *);
	int (*finish)(void *context, struct anim_error *);
	/* Told of each TREE before the clips behind it; may be NULL. 0 or -1. */
	int (*saw_tree)(void *context, const struct anim_tree *, struct anim_error *);
	void *context;
};

/*
 * A sink. The chosen clip's tree and nodes go to its sink before it. No clip at all, a name that is not there, or
 * several where one was wanted: -1 from end (or earlier) with a message that names the clips and both ways out.
 */
struct anim_sink *anim_pick_new(const struct anim_pick_options *, struct anim_error *);

#endif
