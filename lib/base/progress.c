/* progress.c: long work shows between its reads that it continues, and can be cancelled. */
#include "base/progress.h"

#include <stddef.h>
#include <time.h>

#define EVERY_S 0.1

static _Thread_local struct {
	int (*report)(void *context);
	void *context;
	double last_s; /* monotonic */
} watcher;

void anim_progress_use(int (*report)(void *context), void *context)
{
	watcher.report = report;
	watcher.context = context;
	watcher.last_s = 0;
}

int anim_progress_report(struct anim_error *error)
{
	struct timespec now;
	double now_s;

	if (watcher.report == NULL)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &now);
	now_s = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
	if (now_s - watcher.last_s < EVERY_S)
		return 0;
	watcher.last_s = now_s;
	return watcher.report(watcher.context) == 0 ? 0 : anim_fail(error, ANIM_CANCELLED, "cancelled");
}
