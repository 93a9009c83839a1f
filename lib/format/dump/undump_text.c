/* undump_text.c: words, numbers and quoted texts of anim-dump, read. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/dump/undump_internal.h"

#define WORD_MAX 40 /* bytes of a word that a message shows */

int undump_fail(struct undump *undump, const char *at, const char *format, ...)
{
	struct anim_place place = anim_lines_place(&undump->lines, at);
	va_list arguments;

	va_start(arguments, format);
	anim_fail_va(undump->error, ANIM_BAD_INPUT, &place, format, arguments);
	va_end(arguments);
	return -1;
}

int undump_place(struct undump *undump)
{
	char message[sizeof undump->error->message];
	int code = undump->error->code;

	if (!anim_error_is_of_input(undump->error))
		return -1;
	memcpy(message, undump->error->message, sizeof message);
	return anim_fail_at(undump->error, code, &undump->place, "%s", message);
}

int undump_begin_line(struct undump *undump)
{
	undump->at = undump->lines.at;
	if (!undump->lines.is_whole)
		return undump_fail(undump, undump->lines.end, "the text is cut: its last line has no line feed");
	undump->has_line = true;
	return 0;
}

int undump_line(struct undump *undump)
{
	int got;

	if (undump->has_line)
		return 1;
	got = anim_lines_next(&undump->lines, undump->error);
	if (got <= 0)
		return got;
	return undump_begin_line(undump) != 0 ? -1 : 1;
}

int undump_below(struct undump *undump)
{
	int got = undump_line(undump);

	return got == 1 ? *undump->lines.at == '\t' : got;
}

int undump_ended(struct undump *undump)
{
	if (undump->at != undump->lines.end)
		return undump_fail(undump, undump->at,
				   *undump->at == '\r' ? "a carriage return; lines end in a line feed alone"
						       : "nothing more is expected in this line");
	undump->has_line = false;
	return 0;
}

bool undump_accept(struct undump *undump, const char *text)
{
	size_t length = strlen(text);

	if ((size_t)(undump->lines.end - undump->at) < length || memcmp(undump->at, text, length) != 0)
		return false;
	undump->at += length;
	return true;
}

int undump_expect(struct undump *undump, const char *text)
{
	return undump_accept(undump, text) ? 0 : undump_fail(undump, undump->at, "'%s' is expected", text);
}

/* What a backslash at the cursor means. */
static int unescape(struct undump *undump, char *meant)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = undump->at, *high, *low;
	size_t left = (size_t)(undump->lines.end - at);

	undump->at += 2;
	*meant = left < 2 ? '\0' : at[1];
	if (*meant == '"' || *meant == '\\')
		return 0;
	if (*meant == 'n' || *meant == 't') {
		*meant = *meant == 'n' ? '\n' : '\t';
		return 0;
	}
	high = left < 4 ? NULL : memchr(digits, at[2], 16);
	low = left < 4 ? NULL : memchr(digits, at[3], 16);
	if (*meant != 'x' || high == NULL || low == NULL)
		return undump_fail(undump, at, "an escape that is none of \\\" \\\\ \\n \\t \\xNN");
	undump->at += 2;
	*meant = (char)((high - digits) << 4 | (low - digits));
	return 0;
}

int undump_quoted(struct undump *undump, size_t limit, struct anim_buffer *out)
{
	const char *begin = undump->at, *end = undump->lines.end;
	size_t start = out->size;

	/* Of an empty text, too, `data` is something. */
	if (undump_expect(undump, "\"") != 0 || anim_buffer_reserve(out, 1, undump->error) != 0)
		return -1;
	for (;;) {
		const char *run = undump->at;
		char meant;

		while (undump->at < end && *undump->at != '"' && *undump->at != '\\')
			undump->at++;
		if (anim_buffer_append(out, run, (size_t)(undump->at - run), undump->error) != 0)
			return -1;
		if (undump->at == end)
			return undump_fail(undump, begin, "a text without its closing quote");
		if (*undump->at == '"')
			break;
		if (unescape(undump, &meant) != 0 || anim_buffer_append(out, &meant, 1, undump->error) != 0)
			return -1;
	}
	undump->at++;
	if (out->size - start > limit)
		return undump_fail(undump, begin, "a text of %zu bytes, at most %zu are allowed", out->size - start,
				   limit);
	if (anim_utf8_prefix(out->data + start, out->size - start) != out->size - start)
		return undump_fail(undump, begin, "a text that is not UTF-8 or holds a NUL");
	return 0;
}

/* A quoted text into the arena. */
static int take_text(struct undump *undump, size_t limit, const char **text)
{
	undump->text.size = 0;
	if (undump_quoted(undump, limit, &undump->text) != 0)
		return -1;
	*text = anim_arena_text(&undump->arena, (const char *)undump->text.data, undump->text.size, undump->error);
	return *text == NULL ? -1 : 0;
}

int undump_text(struct undump *undump, const char *before, const char **text)
{
	return undump_expect(undump, before) != 0 ? -1 : take_text(undump, ANIM_NAME_MAX, text);
}

/* Letters, digits and '_' at the cursor, which moves behind them. */
static size_t take_word(struct undump *undump, const char **word)
{
	*word = undump->at;
	while (undump->at < undump->lines.end && strchr(" ,\t", *undump->at) == NULL)
		undump->at++;
	return (size_t)(undump->at - *word);
}

/* The word's number among the names. */
static int find_word(struct undump *undump, const char *const *names, unsigned count, uint8_t *number)
{
	char shown[WORD_MAX];
	const char *word;
	size_t length = take_word(undump, &word);

	for (unsigned i = 0; i < count; i++)
		if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0) {
			*number = (uint8_t)i;
			return 0;
		}
	anim_text_safe(shown, sizeof shown, word, length);
	return undump_fail(undump, word, "'%s' is no word that may stand here", shown);
}

int undump_word(struct undump *undump, const char *before, const char *const *names, unsigned count, uint8_t *number)
{
	return undump_expect(undump, before) != 0 ? -1 : find_word(undump, names, count, number);
}

int undump_bits(struct undump *undump, const char *before, const char *const *names, unsigned count, unsigned *bits)
{
	*bits = 0;
	if (undump_expect(undump, before) != 0)
		return -1;
	if (undump_accept(undump, "-"))
		return 0;
	do {
		const char *word = undump->at;
		uint8_t number;

		if (find_word(undump, names, count, &number) != 0)
			return -1;
		if (*bits >> number != 0)
			return undump_fail(undump, word, "twice, or not in order");
		*bits |= 1u << number;
	} while (undump_accept(undump, ","));
	return 0;
}

int undump_count(struct undump *undump, const char *before, uint64_t most, uint64_t *value)
{
	const char *number, *end;

	if (undump_expect(undump, before) != 0)
		return -1;
	number = undump->at;
	end = anim_number_uint64(number, undump->lines.end, value);
	if (end == NULL || *value > most)
		return undump_fail(undump, number, "a whole number from 0 to %llu is expected",
				   (unsigned long long)most);
	undump->at = end;
	return 0;
}

/* A double where `wide` is set, else a float: each is rounded once. */
static int read_number(struct undump *undump, double *wide, float *single)
{
	const char *at = undump->at, *line_end = undump->lines.end;
	const char *end = wide != NULL ? anim_number_special_double(at, line_end, wide)
				       : anim_number_special_float(at, line_end, single);
	bool is_special = end != NULL;

	if (!is_special)
		end = wide != NULL ? anim_number_double(at, line_end, wide) : anim_number_float(at, line_end, single);
	if (end == NULL)
		return undump_fail(undump, at, "a number is expected");
	if (!is_special && !isfinite(wide != NULL ? *wide : (double)*single))
		return undump_fail(undump, at, "too large for a %s", wide != NULL ? "double" : "float");
	undump->at = end;
	return 0;
}

int undump_float(struct undump *undump, float *value)
{
	return read_number(undump, NULL, value);
}

int undump_double(struct undump *undump, double *value)
{
	return read_number(undump, value, NULL);
}

int undump_floats(struct undump *undump, const char *before, float *numbers, int count)
{
	if (undump_expect(undump, before) != 0)
		return -1;
	for (int i = 0; i < count; i++)
		if ((i > 0 && undump_expect(undump, ",") != 0) || undump_float(undump, &numbers[i]) != 0)
			return -1;
	return 0;
}

int undump_rate(struct undump *undump, uint32_t *num, uint32_t *den)
{
	uint64_t wide_num, wide_den;

	if (undump_count(undump, " rate=", UINT32_MAX, &wide_num) != 0 ||
	    undump_count(undump, "/", UINT32_MAX, &wide_den) != 0)
		return -1;
	*num = (uint32_t)wide_num;
	*den = (uint32_t)wide_den;
	return 0;
}

int undump_attrs(struct undump *undump, struct anim_attrs *attrs)
{
	int below;

	undump->attrs.size = 0;
	attrs->count = 0;
	while ((below = undump_below(undump)) == 1 && undump_accept(undump, "\tattr ")) {
		struct anim_attr *attr;

		if (attrs->count++ == ANIM_ATTRS_MAX)
			return undump_fail(undump, undump->lines.at, "more than %u attributes", ANIM_ATTRS_MAX);
		attr = anim_buffer_extend(&undump->attrs, sizeof *attr, undump->error);
		if (attr == NULL || take_text(undump, ANIM_NAME_MAX, &attr->key) != 0 ||
		    undump_expect(undump, " ") != 0 || take_text(undump, ANIM_TEXT_MAX, &attr->value) != 0 ||
		    undump_ended(undump) != 0)
			return -1;
	}
	attrs->items = (const struct anim_attr *)(const void *)undump->attrs.data;
	return below < 0 ? -1 : 0;
}

/* One byte of two digits. */
static int take_byte(struct undump *undump, struct anim_buffer *out)
{
	static const char digits[] = "0123456789abcdef";
	const char *high, *low;
	uint8_t byte;

	if (undump->lines.end - undump->at < 2 || (high = memchr(digits, undump->at[0], 16)) == NULL ||
	    (low = memchr(digits, undump->at[1], 16)) == NULL)
		return undump_fail(undump, undump->at, "two hexadecimal digits are expected");
	byte = (uint8_t)((high - digits) << 4 | (low - digits));
	undump->at += 2;
	return anim_buffer_append(out, &byte, 1, undump->error);
}

int undump_bytes(struct undump *undump, const char *indent, uint64_t size, struct anim_buffer *out)
{
	while (size > 0) {
		int below = undump_below(undump);

		if (below < 0)
			return -1;
		if (below == 0 || !undump_accept(undump, indent)) {
			anim_fail(undump->error, ANIM_BAD_INPUT,
				  size == 1 ? "%llu byte is missing" : "%llu bytes are missing",
				  (unsigned long long)size);
			return undump_place(undump);
		}
		do {
			if (take_byte(undump, out) != 0)
				return -1;
			size--;
		} while (size > 0 && undump->at < undump->lines.end);
		if (undump_ended(undump) != 0)
			return -1;
	}
	return 0;
}
