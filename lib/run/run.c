/* run.c: runs one filter in a call of the library. */
#include "run/run.h"

#include <setjmp.h>
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

/*
 * The only jump in the project: 150 places of the programs end the process, each deep inside other functions. In WebAssembly, which
 * has no such jumps, host.mjs throws and catches an error.
 */
static void leave(struct cli_host *host) __attribute__((noreturn));
static void leave(struct cli_host *host)
{
	longjmp(*(jmp_buf *)host->escape, 1);
}

/* Run the function. Returns whether it left by host->leave. */
static bool leaves(struct cli_host *host, void (*run)(void *), void *context)
{
	jmp_buf escape;

	host->leave = leave;
	/* cppcheck-suppress autoVariables */
	host->escape = &escape;
	if (setjmp(escape) != 0)
		return true;
	run(context);
	return false;
}

int run_convert(struct cli_host *host, const struct cli_argument *arguments)
{
	struct convert_call *call = convert_call_new(&(struct cli_call){.host = host, .arguments = arguments});

	return call == NULL ? CLI_FAILED : convert_call_end(call, leaves(host, convert_call_run, call));
}

struct filter_call {
	const struct step_kind *kind;
	struct cli_call call;
	int status;
	struct step steps[2];
};

static void run_filter(void *context)
{
	struct filter_call *call = context;

	call->status = step_single(call->steps, call->kind, &call->call);
}

int run_step(struct cli_host *host, const char *name, const struct cli_argument *arguments)
{
	const struct step_kind *kind = find_filter(name);
	struct filter_call *call = kind == NULL ? NULL : anim_zeroed(sizeof *call, NULL);
	int status;

	if (kind == NULL)
		return -1;
	if (call == NULL)
		return CLI_FAILED;
	*call = (struct filter_call){kind, {.host = host, .arguments = arguments}, .status = CLI_FAILED};
	if (leaves(host, run_filter, call)) {
		for (size_t i = 0; i < 2; i++)
			step_clear(&call->steps[i]);
		cli_clear(&call->steps[0].own);
	}
	status = call->status;
	free(call);
	return status;
}
