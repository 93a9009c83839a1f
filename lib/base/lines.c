/* lines.c: text line by line. */
#include "base/lines.h"

#include <string.h>

/* The window with the next line feed in it, or all that is left. Its size, -1 on error. */
static ssize_t find_line(struct anim_lines *lines, const uint8_t **at, const uint8_t **feed, struct anim_error *error)
{
	size_t want = 1, searched = 0;

	for (;;) {
		ssize_t got = anim_input_peek(lines->input, want, at, error);

		*feed = NULL;
		if (got <= 0)
			return got;
		*feed = memchr(*at + searched, '\n', (size_t)got - searched);
		if (*feed != NULL || (size_t)got < want)
			return got;
		searched = (size_t)got;
		want = 2 * searched;
	}
}

int anim_lines_next(struct anim_lines *lines, struct anim_error *error)
{
	const uint8_t *at, *feed;
	ssize_t got;

	anim_input_skip(lines->input, lines->size);
	lines->size = 0;
	got = find_line(lines, &at, &feed, error);
	if (got <= 0)
		return (int)got;
	lines->is_whole = feed != NULL;
	lines->at = (const char *)at;
	lines->end = lines->is_whole ? (const char *)feed : lines->at + got;
	lines->size = (size_t)(lines->end - lines->at) + lines->is_whole;
	lines->number += lines->number < UINT32_MAX;
	return 1;
}

struct anim_place anim_lines_place(const struct anim_lines *lines, const char *at)
{
	size_t column = (size_t)(at - lines->at) + 1;

	return (struct anim_place){.file = anim_input_name(lines->input),
				   .at = ANIM_AT_LINE,
				   .line = lines->number,
				   .column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX};
}
