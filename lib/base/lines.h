/* lines.h: text line by line, with numbers for messages. */
#ifndef ANIM_BASE_LINES_H
#define ANIM_BASE_LINES_H

#include <stdbool.h>

#include "base/input.h"

/* All-zero but for `input`, which is borrowed, is before the first line. */
struct anim_lines {
	struct anim_input *input;
	const char *at,
	    *end;        /* the line at hand, without its line feed; ANIM_INPUT_SLACK bytes behind it are readable */
	bool is_whole;   /* a line feed ends it: not the input's last, cut one */
	uint32_t number; /* counts from 1 */
	size_t size;     /* of the window's bytes that it takes */
};

/* Goes on to the next line: 1, borrowed until the next call; 0 behind the last one; -1. Memory follows the longest. */
int anim_lines_next(struct anim_lines *, struct anim_error *);

/* The place of a byte of the line at hand. */
struct anim_place anim_lines_place(const struct anim_lines *, const char *at);

#endif
