/* advice.h: remedies in messages, as codes inside the text. */
#ifndef ANIM_BASE_ADVICE_H
#define ANIM_BASE_ADVICE_H

#include <stddef.h>

/*
 * lib/ does not know how it was called: by a program in a pipe, anim convert, a button of the web page or a user of the
 * library. So its messages never spell a program or an option. They contain advices. An advice is a code with
 * arguments, between bytes that no readable text has. Whoever prints the message replaces it by words that are right
 * there: lib/cli/advice.c has them. The code is a part of the text, because messages become parts of other messages.
 */
#define ANIM_ADVICE_BEGIN "\1"
#define ANIM_ADVICE_NEXT "\2"
#define ANIM_ADVICE_END "\3"

/* The advices. Arguments are literals or conversions of printf, such as "%s". */
#define ANIM_ADVICE(code) ANIM_ADVICE_BEGIN #code ANIM_ADVICE_END
#define ANIM_ADVICE_TO(code, argument) ANIM_ADVICE_BEGIN #code ANIM_ADVICE_NEXT argument ANIM_ADVICE_END

/*
 * The name of an option as the user would type it: "--up", "-x digits". `home` is a program that has the option
 * ("parse"), named if the one that was typed lacks it. With a value: "--up z", "-x digits=6".
 */
#define ANIM_OPTION(home, name) ANIM_ADVICE_BEGIN "OPTION" ANIM_ADVICE_NEXT home ANIM_ADVICE_NEXT name ANIM_ADVICE_END
#define ANIM_OPTION_TO(home, name, value) \
	ANIM_ADVICE_BEGIN "OPTION" ANIM_ADVICE_NEXT home ANIM_ADVICE_NEXT name ANIM_ADVICE_NEXT value ANIM_ADVICE_END

/* The reason why a file that another one names is not read. */
#define ANIM_NO_SUCH_FILE "no such file; " ANIM_ADVICE(ADD_FILE)

#define ANIM_ADVICE_ARGUMENTS 3

/* Whoever prints messages. The struct is the first member of a larger one. */
struct anim_advisor {
	/*
	 * Print the words of an advice (cut at the capacity), which may contain advices, or nothing if the front has no
	 * remedy. Arguments that the advice lacks are empty.
	 */
	void (*words)(const struct anim_advisor *, const char *code, const char *const *arguments, char *out,
		      size_t capacity);
};

/*
 * Copy a text and replace its advices by words. If an advice has no words, the punctuation before it is left
 * out. The text is cut at the capacity. NULL: no advice has words.
 */
void anim_advice_print(const struct anim_advisor *, const char *text, char *out, size_t capacity);

#endif
