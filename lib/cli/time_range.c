/* time_range.c: parts of time as people type them. */
#include "cli/time_range.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/input.h"
#include "base/number.h"

#define LONGEST 32u /* characters of a time */

/* A number of `length` characters, all of them. */
static bool read_number(const char *text, size_t length, double *value)
{
	char padded[LONGEST + 1 + ANIM_INPUT_SLACK] = "";

	if (length == 0 || length > LONGEST || strspn(text, "0123456789.") < length)
		return false;
	memcpy(padded, text, length);
	return anim_number_double(padded, padded + length, value) == padded + length;
}

/* A time of `length` characters: seconds, or two or three parts of which only the first may be 60 or more. */
static bool read_time(const char *text, size_t length, double *time_s)
{
	bool negative = length > 0 && text[0] == '-';
	const char *at = text + negative, *end = text + length;
	double sum = 0, part;

	for (unsigned parts = 1; parts <= 3; parts++) {
		const char *colon = memchr(at, ':', (size_t)(end - at));
		size_t size = (size_t)((colon == NULL ? end : colon) - at);

		if (!read_number(at, size, &part) || (colon != NULL && memchr(at, '.', size) != NULL) ||
		    (parts > 1 && part >= 60))
			return false;
		sum = sum * 60 + part;
		if (colon == NULL) {
			*time_s = negative ? -sum : sum;
			return true;
		}
		at = colon + 1;
	}
	return false;
}

/* A time, or nothing for an open end. */
static bool read_end(const char *text, size_t length, double open_s, double *time_s)
{
	*time_s = open_s;
	return length == 0 || read_time(text, length, time_s);
}

int cli_time_range_parse(const char *text, double *from_s, double *to_s, struct anim_error *error)
{
	const char *dots = strstr(text, "..");

	if (dots == NULL || strcmp(text, "..") == 0 ||
	    !read_end(text, (size_t)(dots - text), -(double)INFINITY, from_s) ||
	    !read_end(dots + 2, strlen(dots + 2), (double)INFINITY, to_s))
		return anim_fail(error, ANIM_BAD_INPUT,
				 "'%.100s' is no range of time; a range is FROM..TO in seconds or as h:mm:ss, "
				 "either one left out for the clip's own: 12..14.5, 0:12:00..0:12:02, 12.., ..14.5",
				 text);
	if (*from_s > *to_s)
		return anim_fail(error, ANIM_BAD_INPUT, "the range '%.100s' ends before it begins", text);
	return 0;
}
