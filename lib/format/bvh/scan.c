/* scan.c: a file as words and numbers, in windows that know nothing of lines. */
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/scan.h"
#include "base/text.h"
#include "format/bvh/internal.h"

static uint64_t offset_of(const struct bvh_scan *scan, const char *at)
{
	return anim_input_offset(scan->input) + (uint64_t)(at - scan->begin);
}

struct anim_place bvh_scan_place(const struct bvh_scan *scan, const char *at)
{
	uint64_t column = offset_of(scan, at) - scan->line_start + 1;

	return (struct anim_place){.file = anim_input_name(scan->input),
				   .at = ANIM_AT_LINE,
				   .line = scan->line + 1,
				   .column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX};
}

int bvh_scan_fail(const struct bvh_scan *scan, const char *at, struct anim_error *error, const char *format, ...)
{
	struct anim_place place = bvh_scan_place(scan, at);
	va_list args;

	va_start(args, format);
	anim_fail_va(error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

/* Makes `want` bytes stand at scan->at, or all there are. 0 or -1. */
static int need(struct bvh_scan *scan, size_t want, struct anim_error *error)
{
	const uint8_t *window;
	ssize_t got;

	if (scan->last || (size_t)(scan->end - scan->at) >= want)
		return 0;
	if (scan->begin != NULL)
		anim_input_skip(scan->input, (size_t)(scan->at - scan->begin));
	got = anim_input_peek(scan->input, want, &window, error);
	if (got < 0)
		return -1;
	scan->begin = scan->at = (const char *)window;
	scan->end = scan->begin + got;
	scan->last = (size_t)got < want;
	return 0;
}

int bvh_scan_mark(struct bvh_scan *scan, struct anim_error *error)
{
	if (need(scan, 3, error) != 0)
		return -1;
	if (anim_bytes_begin(scan->at, (size_t)(scan->end - scan->at), "\xef\xbb\xbf"))
		scan->at += 3;
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Passes over one. A line ends with a carriage return, a line feed, or both. */
static void skip_blank(struct bvh_scan *scan, char before)
{
	if (*scan->at == '\n' || *scan->at == '\r') {
		scan->line += *scan->at != '\n' || before != '\r';
		scan->line_start = offset_of(scan, scan->at) + 1;
	}
	scan->at++;
}

/* 1 before something, 0 at the end of the file, -1. */
static int skip_blanks(struct bvh_scan *scan, struct anim_error *error)
{
	char before = ' ';

	for (;;) {
		while (scan->at < scan->end && is_blank(*scan->at)) {
			char blank = *scan->at;

			skip_blank(scan, before);
			before = blank;
		}
		if (scan->at < scan->end)
			return 1;
		if (scan->last)
			return 0;
		if (need(scan, 1, error) != 0)
			return -1;
	}
}

/* Where the word at `at` ends, within the window. */
static const char *word_end(const struct bvh_scan *scan)
{
	const char *end = scan->at;

	while (end < scan->end && (unsigned char)*end > ' ' && *end != '{' && *end != '}')
		end++;
	return end;
}

int bvh_scan_word(struct bvh_scan *scan, const char **word, size_t *length, struct anim_error *error)
{
	int more = skip_blanks(scan, error);
	const char *end;

	if (more <= 0)
		return more;
	if (need(scan, BVH_WORD_MAX, error) != 0)
		return -1;
	end = word_end(scan);
	if (end == scan->at)
		end++;
	if (end - scan->at >= BVH_WORD_MAX)
		return bvh_scan_fail(scan, scan->at, error, "a word of more than %d bytes", BVH_WORD_MAX);
	*word = scan->at;
	*length = (size_t)(end - scan->at);
	scan->at = end;
	return 1;
}

int bvh_scan_line(struct bvh_scan *scan, size_t most, const char **text, size_t *length, struct anim_error *error)
{
	const char *end, *line_end;

	if (need(scan, 2 * most, error) != 0)
		return -1;
	for (end = scan->at; end < scan->end && *end != '\n' && *end != '\r' && *end != '{'; end++)
		continue;
	line_end = end;
	while (scan->at < end && is_blank(*scan->at))
		scan->at++;
	while (scan->at < end && is_blank(end[-1]))
		end--;
	if ((size_t)(end - scan->at) > most)
		return bvh_scan_fail(scan, scan->at, error, "a name of more than %zu bytes", most);
	*text = scan->at;
	*length = (size_t)(end - scan->at);
	scan->at = line_end;
	return 0;
}

/* ---- Numbers ---- */

/* ".5" and "+1", which base/number.h does not know, become what it does. */
static const char *plain_number(const char *word, size_t length, char copy[2 * BVH_WORD_MAX])
{
	size_t used = 0, from = 0;

	memset(copy, 0, 2 * BVH_WORD_MAX);
	if (word[0] == '-')
		copy[used++] = '-';
	from = word[0] == '-' || word[0] == '+';
	if (from < length && word[from] == '.' && from + 1 < length)
		copy[used++] = '0';
	memcpy(copy + used, word + from, length - from);
	return copy + used + length - from;
}

/* Any number: 1, 0 at the end of the file, -1. */
static int scan_float(struct bvh_scan *scan, float *value, struct anim_error *error)
{
	char copy[2 * BVH_WORD_MAX], shown[64];
	const char *word, *end, *behind;
	size_t length;
	int more = bvh_scan_word(scan, &word, &length, error);

	if (more <= 0)
		return more;
	end = plain_number(word, length, copy);
	behind = anim_number_float_of_double(copy, end, value);
	anim_text_safe(shown, sizeof shown, word, length);
	if (behind != end || (!anim_is_digit(end[-1]) && end[-1] != '.'))
		return bvh_scan_fail(scan, word, error, "'%s' is no number", shown);
	if (!(*value >= -FLT_MAX && *value <= FLT_MAX))
		return bvh_scan_fail(scan, word, error, "%s is too large for a float", shown);
	return 1;
}

static bool are_finite(const float *values, size_t count)
{
	bool finite = true;

	for (size_t i = 0; i < count; i++)
		finite &= values[i] >= -FLT_MAX && values[i] <= FLT_MAX;
	return finite;
}

#define RUN_MAX ((size_t)4096) /* numbers read at once: so many are read again where one of them is too large */

int bvh_scan_floats(struct bvh_scan *scan, float *values, size_t count, size_t *done, struct anim_error *error)
{
	for (*done = 0; *done < count;) {
		size_t most = count - *done < RUN_MAX ? count - *done : RUN_MAX, plain;
		float *run = values + *done;
		int more = skip_blanks(scan, error);
		const char *next;

		if (more <= 0)
			return more;
		plain = anim_number_row(scan->at, scan->end, run, most, &next);
		if (plain > 0 && are_finite(run, plain)) {
			scan->at = next;
			*done += plain;
		} else if (scan_float(scan, run, error) == 1) {
			++*done;
		} else {
			return -1;
		}
	}
	return 0;
}
