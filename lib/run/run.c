/* run.c: runs one filter in a call of the library. */
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "run/steps.h"

static const struct step_kind *find_filter(const char *name)
{
	static const struct step_kind *const filters[] = {
	    &program_axes,   &program_bake,   &program_delta,    &program_filter,   &program_mirror, &program_pin,
	    &program_reduce, &program_rename, &program_resample, &program_retarget, &program_retime, &program_root};

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		if (strcmp(filters[i]->command_line->name + strlen("anim-"), name) == 0)
			return filters[i];
	return NULL;
}

int run_step(struct cli_host *host, const char *name, int argc, char **argv)
{
	const struct step_kind *kind = find_filter(name);
	struct step *steps = kind == NULL ? NULL : anim_zeroed(2 * sizeof *steps, NULL);
	struct anim_error error = {0};
	size_t count = 1;
	int result, status = CLI_FAILED;

	if (kind == NULL)
		return -1;
	if (steps == NULL)
		return CLI_FAILED;
	if (setjmp(host->escape) == 0) {
		result = step_start(&steps[0], kind, NULL, host, argc, argv, &error);
		if (result == 0)
			result = kind->alone == NULL ? 1 : kind->alone(steps[0].cli, steps[0].job, &error);
		if (result == 1)
			result = step_run(steps, &count, &error);
		for (size_t i = 0; i < 2; i++)
			step_clear(&steps[i]);
		status = cli_finish(steps[0].cli, result == 0 ? NULL : &error);
	} else {
		for (size_t i = 0; i < 2; i++)
			step_clear(&steps[i]);
		cli_clear(&steps[0].own);
	}
	free(steps);
	return status;
}
