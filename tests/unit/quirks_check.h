/* quirks_check.h: an odd file as we read it, against what an engine made of it. */
#ifndef ANIM_TESTS_QUIRKS_CHECK_H
#define ANIM_TESTS_QUIRKS_CHECK_H

#include <stdbool.h>

enum quirk_verdict {
	QUIRK_SAME,      /* the engine loads it: the same clip, tracks, keys and samples */
	QUIRK_OTHERWISE, /* the engine loads it, we read something else, for a reason */
	QUIRK_REFUSED,   /* no engine loads it, nor do we */
	QUIRK_ANYWAY,    /* no engine loads it, we do, with a warning, for a reason */
	QUIRK_VERDICTS
};

struct quirk {
	const char *name; /* tests/data/oracle/quirks/NAME.tres */
	enum quirk_verdict verdict;
	const char *says;     /* the first message, "LINE:COLUMN: text"; NULL: none may come */
	const char *reason;   /* of OTHERWISE, ANYWAY, and of silence where the engine complains */
	const char *texts[3]; /* keys of a string track whose texts the engine spells otherwise */
	bool no_samples;      /* the engine's samples are not the file's */
	int tracks;           /* of OTHERWISE and ANYWAY: how many there are, 0 where no clip is */
};

/* Reads the file and checks everything that the row says against the engines' verdicts. */
void quirk_check(const struct quirk *);

/* Calls `each` with the name of every file that the engines were given. */
void quirk_names(void (*each)(const char *name, void *context), void *context);

#endif
