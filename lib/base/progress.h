/* progress.h: long work shows between its reads that it continues, and can be cancelled. */
#ifndef ANIM_BASE_PROGRESS_H
#define ANIM_BASE_PROGRESS_H

#include "base/error.h"

/*
 * Let work of this thread call `report` (NULL: no function) until the next call. The context is borrowed. `report` returns 0, or
 * another number to cancel.
 */
void anim_progress_use(int (*report)(void *context), void *context);

/*
 * Report that the work continues, at most ten times a second. For loops whose rounds take a microsecond or more. Returns 0, or -1
 * with ANIM_CANCELLED.
 */
int anim_progress_report(struct anim_error *);

#endif
