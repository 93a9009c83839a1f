/* advice.c: words for the advices in messages. */
#include "base/advice.h"

#include <stdio.h>
#include <string.h>

#include "tap.h"

static void words_of(const struct anim_advisor *advisor, const char *code, const char *const *arguments, char *out,
		     size_t capacity)
{
	(void)advisor;
	if (strcmp(code, "NESTED") == 0)
		snprintf(out, capacity, "%s", "put " ANIM_ADVICE_TO(SAMPLE, "60") " first");
	else if (strcmp(code, "ENDLESS") == 0)
		snprintf(out, capacity, "%s", "x" ANIM_ADVICE(ENDLESS));
	else if (strcmp(code, "SILENT") != 0)
		snprintf(out, capacity, "%s(%s|%s|%s)", code, arguments[0], arguments[1], arguments[2]);
}

static bool becomes(const char *text, const char *wanted)
{
	static const struct anim_advisor advisor = {words_of};
	char out[128];

	anim_advice_print(&advisor, text, out, sizeof out);
	return strcmp(out, wanted) == 0;
}

TEST(advice_words, "an advice becomes its words, with its arguments, and one in words as well")
{
	CHECK(becomes("plain", "plain"));
	CHECK(becomes("it has keys; " ANIM_ADVICE_TO(SAMPLE, "30"), "it has keys; SAMPLE(30||)"));
	CHECK(becomes("use " ANIM_OPTION("parse", "up") " here", "use OPTION(parse|up|) here"));
	CHECK(becomes("use " ANIM_OPTION_TO("parse", "up", "z"), "use OPTION(parse|up|z)"));
	CHECK(becomes(ANIM_ADVICE(NESTED), "put SAMPLE(60||) first"));
	CHECK(becomes(ANIM_ADVICE(ENDLESS), "xxx"));
}

TEST(advice_silent, "an advice without words, or without its end, is left out with the punctuation before it")
{
	char out[8];

	CHECK(becomes("it has keys; " ANIM_ADVICE(SILENT), "it has keys"));
	CHECK(becomes("it has keys: " ANIM_ADVICE(SILENT) ".", "it has keys."));
	CHECK(becomes("it has keys, " ANIM_ADVICE_BEGIN "SAMP", "it has keys"));
	CHECK(becomes(ANIM_ADVICE_END "a" ANIM_ADVICE_NEXT, ANIM_ADVICE_END "a" ANIM_ADVICE_NEXT));
	anim_advice_print(NULL, "keys; " ANIM_ADVICE(SAMPLE), out, sizeof out);
	CHECK(strcmp(out, "keys") == 0);
	anim_advice_print(NULL, "too long for it", out, sizeof out);
	CHECK(strcmp(out, "too lon") == 0);
}
