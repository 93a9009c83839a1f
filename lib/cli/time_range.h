/* time_range.h: parts of time as people type them: -t FROM..TO. */
#ifndef ANIM_CLI_TIME_RANGE_H
#define ANIM_CLI_TIME_RANGE_H

#include "base/error.h"

/*
 * "12..14.5" in seconds, or "0:12:00..0:12:02" (hours:minutes:seconds or minutes:seconds, seconds with a fraction), each
 * side on its own, a minus before it where it lies before 0. One side may be left out ("12..", "..14.5"): it is then
 * -INFINITY or INFINITY, which anim_range_of_clip makes each clip's own start or end. FROM is not later than TO. 0, or -1
 * (ANIM_BAD_INPUT) with a message that says what a range looks like.
 */
int cli_time_range_parse(const char *text, double *from_s, double *to_s, struct anim_error *);

#endif
