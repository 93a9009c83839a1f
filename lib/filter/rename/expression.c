/* expression.c: s/ERE/TEXT/ as sed has it, on names. */
#include "filter/rename/expression.h"

#include <string.h>

#include "base/limits.h"

/* A piece of TEXT: bytes, or what a group matched. */
struct anim_expression_part {
	const char *bytes; /* NULL: the group */
	size_t length;
	unsigned group; /* 0: the whole match */
};

#define GROUPS 10

static bool is_delimiter(char c)
{
	unsigned char letter = (unsigned char)(c | 32);

	return c > ' ' && (unsigned char)c < 0x7f && c != '\\' && !(c >= '0' && c <= '9') &&
	       !(letter >= 'a' && letter <= 'z');
}

/* The delimiter that ends the part, a '\' guarding the byte behind it; NULL where there is none. */
static const char *end_of_part(const char *text, char delimiter)
{
	for (; *text != '\0' && *text != delimiter; text++)
		if (*text == '\\' && *++text == '\0')
			return NULL;
	return *text == '\0' ? NULL : text;
}

/*
 * The ERE without the '\' of guarded delimiters. Where the delimiter means something in an ERE the '\' stays:
 * guarded, it is the byte itself.
 */
static char *bare_pattern(const char *from, const char *end, char delimiter, struct anim_arena *arena,
			  struct anim_error *error)
{
	char *pattern = anim_arena_alloc(arena, (size_t)(end - from) + 1, error), *to = pattern;
	bool special = strchr(".[]()*+?{}|^$", delimiter) != NULL;

	if (pattern == NULL)
		return NULL;
	while (from < end) {
		if (*from == '\\') {
			if (special || from[1] != delimiter)
				*to++ = '\\';
			from++;
		}
		*to++ = *from++;
	}
	*to = '\0';
	return pattern;
}

static int compile(struct anim_expression *expression, const char *pattern, int flags, struct anim_error *error)
{
	char message[128];
	int code = regcomp(&expression->regex, pattern, REG_EXTENDED | flags);

	if (code == REG_ESPACE)
		return anim_fail_memory(error);
	if (code != 0) {
		(void)regerror(code, &expression->regex, message, sizeof message);
		return anim_fail(error, ANIM_BAD_INPUT, "'%.200s' is not a regular expression: %s", pattern, message);
	}
	expression->compiled = true;
	return 0;
}

/* Reads one piece of TEXT: the bytes up to the next '&' or '\', or what stands for these two. Returns its end. */
static const char *read_part(const char *at, const char *end, struct anim_expression_part *part)
{
	const char *from = at;

	*part = (struct anim_expression_part){NULL, 0, 0};
	if (*at == '&')
		return at + 1;
	if (*at == '\\' && at[1] >= '1' && at[1] <= '9') {
		part->group = (unsigned)(at[1] - '0');
		return at + 2;
	}
	if (*at == '\\')
		from = at++;
	for (at++; at < end && *at != '&' && *at != '\\';)
		at++;
	from += *from == '\\';
	part->bytes = from;
	part->length = (size_t)(at - from);
	return at;
}

/* Before a letter or 0 a '\' means something to one sed or another, but not here. */
static int check_replacement(const char *text, const char *end, struct anim_error *error)
{
	for (; text < end; text++) {
		unsigned char letter;

		if (*text != '\\')
			continue;
		text++;
		letter = (unsigned char)(*text | 32);
		if (*text == '0' || (letter >= 'a' && letter <= 'z'))
			return anim_fail(error, ANIM_BAD_INPUT,
					 "'\\%c' has no meaning in the new text; & and \\1 to \\9 have", *text);
	}
	return 0;
}

static int read_replacement(struct anim_expression *expression, const char *text, const char *end,
			    struct anim_error *error)
{
	size_t length = (size_t)(end - text);
	const char *at = anim_arena_text(&expression->arena, text, length, error);

	expression->parts = anim_arena_zeroed(&expression->arena, length + 1, sizeof *expression->parts, error);
	if (at == NULL || expression->parts == NULL)
		return -1;
	for (end = at + length; at < end;) {
		struct anim_expression_part *part = &expression->parts[expression->part_count++];

		at = read_part(at, end, part);
		if (part->bytes == NULL && part->group > expression->regex.re_nsub)
			return anim_fail(error, ANIM_BAD_INPUT, "there is no group %u", part->group);
	}
	return 0;
}

static int read_flags(struct anim_expression *expression, const char *flags, int *ignore_case, struct anim_error *error)
{
	*ignore_case = 0;
	for (; *flags != '\0'; flags++) {
		if (*flags == 'g')
			expression->all = true;
		else if (*flags == 'i' || *flags == 'I')
			*ignore_case = REG_ICASE;
		else
			return anim_fail(error, ANIM_BAD_INPUT, "'%.20s' is no flag, g and i are", flags);
	}
	return 0;
}

int anim_expression_parse(struct anim_expression *expression, const char *text, struct anim_error *error)
{
	const char *pattern_end, *text_end;
	char *pattern;
	int flags;

	memset(expression, 0, sizeof *expression);
	if (text[0] != 's' || !is_delimiter(text[1]) || (pattern_end = end_of_part(text + 2, text[1])) == NULL ||
	    (text_end = end_of_part(pattern_end + 1, text[1])) == NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "an expression looks like s/OLD/NEW/");
	if (pattern_end == text + 2)
		return anim_fail(error, ANIM_BAD_INPUT, "nothing stands between the first two '%c'", text[1]);
	if (read_flags(expression, text_end + 1, &flags, error) != 0 ||
	    (pattern = bare_pattern(text + 2, pattern_end, text[1], &expression->arena, error)) == NULL ||
	    compile(expression, pattern, flags, error) != 0)
		return -1;
	if (check_replacement(pattern_end + 1, text_end, error) != 0)
		return -1;
	return read_replacement(expression, pattern_end + 1, text_end, error);
}

void anim_expression_clear(struct anim_expression *expression)
{
	if (expression->compiled)
		regfree(&expression->regex);
	anim_arena_clear(&expression->arena);
	memset(expression, 0, sizeof *expression);
}

static int append_replacement(const struct anim_expression *expression, const char *name, const regmatch_t *match,
			      struct anim_buffer *out, struct anim_error *error)
{
	for (size_t i = 0; i < expression->part_count; i++) {
		const struct anim_expression_part *part = &expression->parts[i];
		const regmatch_t *group = &match[part->group];
		const char *bytes = part->bytes;
		size_t length = part->length;

		if (bytes == NULL && group->rm_so < 0)
			continue;
		if (bytes == NULL) {
			bytes = name + group->rm_so;
			length = (size_t)(group->rm_eo - group->rm_so);
		}
		if (anim_buffer_append(out, bytes, length, error) != 0)
			return -1;
	}
	return 0;
}

/* The next match from `at` on; its places count from the beginning of the name. */
static int match_from(const struct anim_expression *expression, const char *name, size_t at, regmatch_t *match,
		      struct anim_error *error)
{
#ifdef REG_STARTEND
	/* What is before `at` counts for anchors and borders of words. */
	const size_t from = 0;
	int code;

	match[0].rm_so = (regoff_t)at;
	match[0].rm_eo = (regoff_t)strlen(name);
	code = regexec(&expression->regex, name, GROUPS, match, REG_STARTEND);
#else
	const size_t from = at;
	int code = regexec(&expression->regex, name + at, GROUPS, match, at == 0 ? 0 : REG_NOTBOL);
#endif

	for (size_t i = 0; code == 0 && i < GROUPS; i++)
		if (match[i].rm_so >= 0) {
			match[i].rm_so += (regoff_t)from;
			match[i].rm_eo += (regoff_t)from;
		}
	return code == 0 ? 1 : code == REG_NOMATCH ? 0 : anim_fail_memory(error);
}

int anim_expression_apply(const struct anim_expression *expression, const char *name, struct anim_buffer *out,
			  struct anim_error *error)
{
	regmatch_t match[GROUPS];
	size_t at = 0, length = strlen(name);
	bool behind_match = false; /* an empty match right behind another is none */
	int found = match_from(expression, name, 0, match, error);

	if (found <= 0)
		return found;
	out->size = 0;
	do {
		size_t start = (size_t)match[0].rm_so, end = (size_t)match[0].rm_eo;
		bool empty = start == end;

		if (anim_buffer_append(out, name + at, start - at, error) != 0)
			return -1;
		if (!(empty && behind_match && start == at) &&
		    append_replacement(expression, name, match, out, error) != 0)
			return -1;
		at = end;
		behind_match = !empty;
		if (empty && at < length && anim_buffer_append(out, name + at, 1, error) != 0)
			return -1;
		at += empty;
		if (out->size > 2 * (size_t)ANIM_NAME_MAX)
			break;
		found = expression->all && at <= length ? match_from(expression, name, at, match, error) : 0;
	} while (found > 0);
	at = at < length ? at : length;
	return found < 0 || anim_buffer_append(out, name + at, length - at + 1, error) != 0 ? -1 : 1;
}
