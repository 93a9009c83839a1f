/* lint_help.h: records built by hand through the sink of anim-lint. */
#ifndef ANIM_TESTS_LINT_HELP_H
#define ANIM_TESTS_LINT_HELP_H

#include <string.h>

#include "filter/lint/lint.h"
#include "tap.h"

#define LINT_RUN_TEXT 4096

struct lint_run {
	struct anim_output *out;
	struct anim_sink *sink;
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	struct anim_clip clip;
	char text[LINT_RUN_TEXT];
	bool failed;
};

/* Begins with the file "a.axs"; `clip` is "walk" from 0 to 1 s, an AnimJ's, and may be changed before it is sent. */
void lint_run_begin(struct lint_run *, enum anim_lint_target, bool json);
void lint_run_clip(struct lint_run *);
void lint_run_track(struct lint_run *, const struct anim_track *);

/* Ends the file, of which `failure` was told (NULL: none), and the run; its text. */
const char *lint_run_finish(struct lint_run *, const struct anim_error *failure);

#define LINT_RUN_CHECK(run, failure, wanted)                             \
	do {                                                             \
		const char *text_ = lint_run_finish(run, failure);       \
		CHECKF(strcmp(text_, wanted) == 0, "found:\n%s", text_); \
	} while (0)

/* What is found of one track in the clip "walk" from 0 to 1 s; each line behind "a.axs: clip 'walk': ". */
void lint_run_check_track(enum anim_lint_target, const struct anim_track *, const char *wanted);

#endif
