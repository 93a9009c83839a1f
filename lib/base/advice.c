/* advice.c: replaces the advices of a message by words. */
#include "base/advice.h"

#include <stdio.h>
#include <string.h>

#define DEEPEST 3u /* advices within words of advices */
#define ADVICE_MAX 512u

struct advised {
	const struct anim_advisor *advisor;
	char *out;
	size_t used, capacity; /* one byte of the capacity is for the NUL */
};

static void add(struct advised *to, const char *text, size_t length)
{
	size_t room = to->capacity - 1 - to->used;

	if (length > room)
		length = room;
	memcpy(to->out + to->used, text, length);
	to->used += length;
}

static void drop_separator(struct advised *to)
{
	if (to->used >= 2 && to->out[to->used - 1] == ' ' && strchr(";:,", to->out[to->used - 2]) != NULL)
		to->used -= 2;
}

/*
 * Print a text with the words of its advices, such as "OPTION\2parse\2up". An advice without its end was cut with the
 * message, and is left out.
 */
static void print_text(struct advised *to, const char *text, unsigned depth)
{
	while (*text != '\0') {
		char advice[ADVICE_MAX], words[ADVICE_MAX] = "", *at = advice;
		const char *arguments[ANIM_ADVICE_ARGUMENTS];
		size_t plain = strcspn(text, ANIM_ADVICE_BEGIN), length;

		add(to, text, plain);
		text += plain;
		if (*text == '\0')
			return;
		length = strcspn(++text, ANIM_ADVICE_END);
		if (text[length] == '\0') {
			drop_separator(to);
			return;
		}
		snprintf(advice, sizeof advice, "%.*s", (int)(length < ADVICE_MAX ? length : ADVICE_MAX - 1), text);
		text += length + 1;
		for (size_t i = 0; i < ANIM_ADVICE_ARGUMENTS; i++) {
			at += strcspn(at, ANIM_ADVICE_NEXT);
			if (*at != '\0')
				*at++ = '\0';
			arguments[i] = at;
		}
		at[strcspn(at, ANIM_ADVICE_NEXT)] = '\0';
		if (to->advisor != NULL)
			to->advisor->words(to->advisor, advice, arguments, words, sizeof words);
		if (words[0] == '\0')
			drop_separator(to);
		else if (depth < DEEPEST)
			print_text(to, words, depth + 1);
	}
}

void anim_advice_print(const struct anim_advisor *advisor, const char *text, char *out, size_t capacity)
{
	struct advised to = {advisor, out, 0, capacity};

	print_text(&to, text, 0);
	out[to.used] = '\0';
}
