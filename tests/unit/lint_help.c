/* lint_help.c: records built by hand through the sink of anim-lint. */
#include "lint_help.h"

#include <stdio.h>
#include <string.h>

#include "axs.h"

void lint_run_begin(struct lint_run *run, enum anim_lint_target target, bool json)
{
	/* the tracks of these tests have names of their own */
	static struct anim_lint_ignored unbound;
	const struct anim_lint_options options = {.target = target,
						  .form = json ? ANIM_LINT_JSON : ANIM_LINT_TEXT,
						  .ignored = &unbound,
						  .ignored_count = target == ANIM_LINT_RESONITE};

	while (strcmp(anim_lint_rules[unbound.rule].id, "unbound") != 0)
		unbound.rule++;
	*run = (struct lint_run){.clip = axs_clip()};
	run->clip.axes = ANIM_AXES_RESONITE;
	run->clip.source = "animj";
	run->failed = anim_output_open_memory(&run->out, &run->error) != 0 ||
		      (run->sink = anim_lint_new(run->out, &options, &run->error)) == NULL ||
		      anim_lint_begin_file(run->sink, "a.axs", NULL, NULL, &run->error) != 0;
}

void lint_run_clip(struct lint_run *run)
{
	run->failed = run->failed || anim_sink_clip(run->sink, &run->clip, &run->error) != 0;
}

void lint_run_track(struct lint_run *run, const struct anim_track *track)
{
	CHECKF(anim_track_validate(track, &run->error) == 0, "%s", run->error.message);
	run->failed = run->failed || anim_sink_track(run->sink, track, &run->error) != 0;
}

const char *lint_run_finish(struct lint_run *run, const struct anim_error *failure)
{
	const uint8_t *bytes;
	size_t size;

	run->failed = run->failed || anim_lint_end_file(run->sink, &run->diagnostics, failure, &run->error) != 0 ||
		      anim_sink_end(run->sink, &run->error) != 0;
	CHECKF(!run->failed, "%s", run->error.message);
	bytes = anim_output_memory(run->out, &size);
	CHECK(size < LINT_RUN_TEXT);
	memcpy(run->text, bytes, size < LINT_RUN_TEXT ? size : 0);
	anim_sink_free(run->sink);
	anim_output_free(run->out);
	anim_diagnostics_clear(&run->diagnostics);
	return run->text;
}

void lint_run_check_track(enum anim_lint_target target, const struct anim_track *track, const char *wanted)
{
	struct lint_run run;
	char whole[LINT_RUN_TEXT] = "";

	if (wanted[0] != '\0')
		snprintf(whole, sizeof whole, "a.axs: clip 'walk': %s\n", wanted);
	lint_run_begin(&run, target, false);
	lint_run_clip(&run);
	lint_run_track(&run, track);
	LINT_RUN_CHECK(&run, NULL, whole);
}
