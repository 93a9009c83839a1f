/* losses.h: what could not be kept, counted by kind; shared by the sinks of a command, printed by it. */
#ifndef ANIM_CLIP_LOSSES_H
#define ANIM_CLIP_LOSSES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * FAULT: the input is wrong, reading goes on only to find more of them. WARNING: what is seen would differ. NOTE: a
 * playback setting that the target has no place for.
 */
enum anim_severity { ANIM_NOTE, ANIM_WARNING, ANIM_FAULT };

#define ANIM_LOSS_NAMES 3
#define ANIM_LOSS_NAME_BYTES 160 /* of a name; a longer one is cut */

struct anim_loss {
	enum anim_severity severity;
	struct anim_place place; /* of the first one; file copied and owned */
	char *one;               /* the first one's message, owned */
	const char *many;        /* what follows the count, static; NULL: never merged */
	const char *unit;        /* of `worst`, NULL: no error is known */
	size_t count;
	char *names[ANIM_LOSS_NAMES]; /* the first different ones, owned */
	size_t name_count, named;     /* names; how many of `count` they stand for */
	double worst;
};

/* All-zero is empty. */
struct anim_losses {
	struct anim_loss *items;
	size_t count, capacity, last; /* last: the item that was counted last */
	size_t faults, warnings;      /* totals */
	bool strict;                  /* set by the command: warnings forbid the end */
};

/*
 * Counts one. Entries with the same severity and `many` (compared as text) merge: the first's message is kept; printed
 * as `one` when there was one, as "<count> <many>" when there were more. With many NULL each stands alone.
 * 0, or -1 out of memory, or -1 (ANIM_BAD_INPUT, "too many faults") after ANIM_FAULTS_SHOWN faults.
 */
int anim_losses_add(struct anim_losses *, enum anim_severity, const struct anim_place *, const char *many,
		    struct anim_error *, const char *one, ...) __attribute__((format(printf, 6, 7)));

/* The same with an error that was accepted; the largest is kept and printed ", at most 0.013 degrees off". */
int anim_losses_add_error(struct anim_losses *, const char *many, double off, const char *unit, struct anim_error *,
			  const char *one, ...) __attribute__((format(printf, 6, 7)));

/*
 * Names the one that was counted last: what it is, and where they differ why. The first few different ones are printed
 * behind the count of an entry: "3 clips are in models: 'A.fbx', 'B.fbx'; duplicate them in Unity". 0 or -1.
 */
int anim_losses_name(struct anim_losses *, struct anim_error *, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Called by every writer at the top of its end(), before anything that says "whole": -1 with ANIM_STRICT where warnings
 * are forbidden and there were some, -1 with ANIM_BAD_INPUT where there were faults. NULL losses: 0.
 */
int anim_losses_check(const struct anim_losses *, struct anim_error *);

/* Makes warnings of all faults so far: what --keep-going leaves out. */
void anim_losses_forgive(struct anim_losses *);

void anim_losses_clear(struct anim_losses *);

#endif
