/* programs.c: the table of all programs, and their entry point. */
#include "programs.h"

#include <string.h>

#include "base/output.h"
#include "base/path.h"
#include "base/system.h"

#define PREFIX "anim-"

const struct step_kind *const programs[] = {&program_axes,     &program_bake,     &program_cat,
					    &program_convert,  &program_delta,    &program_diff,
					    &program_dump,     &program_emit,     &program_filter,
					    &program_info,     &program_lint,     &program_mirror,
					    &program_pack,     &program_parse,    &program_pin,
					    &program_plot,     &program_reduce,   &program_rename,
					    &program_resample, &program_retarget, &program_retime,
					    &program_root,     &program_split,
#ifndef ANIM_NO_SOCKETS
					    &program_udp,
#endif
					    &program_undump,   &program_unpack,   NULL};

const struct step_kind *program_find(const char *name)
{
	if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
		name += strlen(PREFIX);
	for (size_t i = 0; programs[i] != NULL; i++)
		if (strcmp(programs[i]->command_line->name + strlen(PREFIX), name) == 0)
			return programs[i];
	return NULL;
}

int program_run(const struct step_kind *kind, int argc, char **argv)
{
	return kind->main != NULL ? kind->main(argc, argv) : step_main(kind, argc, argv);
}

int anim_tools_main(const char *name, int argc, char **argv)
{
	const struct step_kind *kind = NULL;

	anim_sys_start(&argc, &argv, anim_output_unlink_all);
	if (name == NULL)
		name = argc > 0 ? anim_path_last(argv[0]) : "anim";
	if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
		kind = program_find(name);
	return kind == NULL ? anim_main(argc, argv) : program_run(kind, argc, argv);
}
