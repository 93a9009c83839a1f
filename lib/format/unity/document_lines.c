/* document_lines.c: the lines of a Unity text file in the windows of its input. */
#include "format/unity/document_lines.h"

#include <stdarg.h>
#include <string.h>

int unity_lines_fault(const struct unity_lines *lines, uint32_t column, struct anim_error *error, const char *format,
		      ...)
{
	struct anim_place place = {
	    .file = anim_input_name(lines->input), .at = ANIM_AT_LINE, .line = lines->line, .column = column};
	va_list arguments;

	va_start(arguments, format);
	anim_fail_va(error, ANIM_BAD_INPUT, &place, format, arguments);
	va_end(arguments);
	return -1;
}

int unity_lines_more(struct unity_lines *lines, size_t want, struct anim_error *error)
{
	size_t known = lines->left;
	ssize_t got;

	if (lines->window != NULL)
		anim_input_skip(lines->input, (size_t)(lines->at - lines->window));
	got = anim_input_peek(lines->input, want, &lines->window, error);
	lines->at = lines->window;
	if (got < 0) {
		lines->window = lines->at = NULL;
		lines->left = 0;
		lines->broken = true;
		return -1;
	}
	lines->left = (size_t)got;
	lines->all = lines->left < want;
	/* A NUL that was seen before and is not passed yet stands at the same distance. */
	if (lines->has_zero)
		known = 0;
	lines->zero = memchr(lines->at + known, 0, lines->left - known);
	lines->has_zero = lines->zero != NULL;
	return 0;
}

/* A NUL at the cursor or before `end`, which are in one line. */
static int check_zero(struct unity_lines *lines, const uint8_t *end, struct anim_error *error)
{
	if (!lines->has_zero || lines->zero >= end)
		return 0;
	lines->broken = true;
	return unity_lines_fault(lines, 1, error,
				 "a NUL byte: the asset is binary or damaged; set Asset Serialization to Force Text in "
				 "Unity and save it again");
}

/* Where the line ends that is at the cursor: behind the line feed, NULL where that is not in the window. */
static const uint8_t *line_end(struct unity_lines *lines)
{
	const uint8_t *feed = memchr(lines->at, '\n', lines->left), *at = lines->at;

	if (!lines->lone_cr)
		return feed == NULL ? NULL : feed + 1;
	at = memchr(at, '\r', feed == NULL ? lines->left : (size_t)(feed - at));
	if (at == NULL || at + 1 == feed)
		return feed == NULL ? NULL : feed + 1;
	/* One at the window's end may have its line feed in the next. */
	return at + 1 == lines->at + lines->left && !lines->all ? NULL : at + 1;
}

ptrdiff_t unity_lines_length(struct unity_lines *lines, bool *whole, struct anim_error *error)
{
	const uint8_t *end = line_end(lines);

	if (end == NULL && !lines->all) {
		if (unity_lines_more(lines, lines->left + UNITY_LINE_START, error) != 0)
			return -1;
		end = line_end(lines);
	}
	*whole = end != NULL || lines->all;
	if (end == NULL) {
		end = lines->at + lines->left;
		if (lines->lone_cr && !lines->all && end[-1] == '\r')
			end--;
	}
	if (check_zero(lines, end, error) != 0)
		return -1;
	return end - lines->at;
}

void unity_lines_pass(struct unity_lines *lines, size_t length, bool whole)
{
	lines->at += length;
	lines->left -= length;
	lines->line += whole && length > 0 && lines->line < UINT32_MAX;
}

int unity_lines_skip(struct unity_lines *lines, struct anim_error *error)
{
	const uint8_t *end = line_end(lines);

	while (end == NULL && !lines->all) {
		size_t keep = lines->lone_cr && lines->left > 0; /* a carriage return at the end */

		if (check_zero(lines, lines->at + lines->left, error) != 0)
			return -1;
		unity_lines_pass(lines, lines->left - keep, false);
		if (unity_lines_more(lines, UNITY_LINE_START, error) != 0)
			return -1;
		end = line_end(lines);
	}
	if (end == NULL)
		end = lines->at + lines->left;
	if (check_zero(lines, end, error) != 0)
		return -1;
	unity_lines_pass(lines, (size_t)(end - lines->at), true);
	return 0;
}

int unity_lines_check(struct unity_lines *lines, struct anim_error *error)
{
	const uint8_t *at = lines->at;

	if ((at[0] != '<' && at[0] != '=' && at[0] != '>') || lines->left < 7)
		return 0;
	for (int i = 1; i < 7; i++)
		if (at[i] != at[0])
			return 0;
	if (at[7] != ' ' && at[7] != '\n' && at[7] != '\r' && at[7] != '\0')
		return 0;
	lines->broken = true;
	return unity_lines_fault(lines, 1, error,
				 "an unresolved merge conflict; resolve it with the version control first");
}
