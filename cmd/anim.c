/* anim.c: runs the other programs: anim list, anim help resample, anim resample 30. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/programs.h"
#include "help.h"
#include "programs.h"

struct options {
	struct cli_common common;
};

static const char *const examples[] = {"anim list", "anim convert walk.tscn walk.animj", "anim help resample",
				       "anim help -s loop walk", NULL};

static const char *short_name(const struct step_kind *kind)
{
	return kind->command_line->name + strlen("anim-");
}

static void print_name(const char *name, const char *text)
{
	char safe[1024];

	anim_text_safe(safe, sizeof safe, text, strlen(text));
	printf("%-10s  %s\n", name, safe);
}

/* The programs by their jobs. */
static const struct {
	const char *job, *names;
} jobs[] = {{"Convert files:", "convert"},
	    {"Look and check:", "info plot diff lint"},
	    {"Times and keys:", "retime resample bake reduce"},
	    {"Skeletons and names:", "retarget rename mirror pin root delta axes"},
	    {"Choose and join:", "filter cat split"},
	    {"Read and write:", "parse emit pack unpack dump undump udp"}};

/* End a run that printed to standard output. Returns the exit status. */
static int finish_printing(struct cli *cli, bool printed)
{
	struct anim_error error = {0};

	if (printed && fflush(stdout) == 0)
		return cli_finish(cli, NULL);
	anim_fail_system(&error, "cannot write standard output");
	return cli_finish(cli, &error);
}

/*
 * Print the programs of this project by their jobs, with their summaries, and then other programs in PATH named like them,
 * with their paths. Returns the exit status.
 */
static int list(struct cli *cli, const struct cli_programs *found)
{
	bool others = false;

	for (size_t i = 0; i < ANIM_COUNT(jobs); i++) {
		printf("%s%s\n", i > 0 ? "\n" : "", jobs[i].job);
		for (const char *name = jobs[i].names; *name != '\0';
		     name += strcspn(name, " "), name += *name == ' ') {
			char word[CLI_WORD_MAX + 1] = "";

			memcpy(word, name, strcspn(name, " "));
			print_name(word, program_find(word)->command_line->summary);
		}
	}
	for (size_t i = 0; i < found->count; i++) {
		if (program_find(found->items[i].name) != NULL)
			continue;
		if (!others)
			puts("\nOther programs in PATH:");
		others = true;
		print_name(found->items[i].name, found->items[i].path);
	}
	return finish_printing(cli, true);
}

/* Tasks and their commands. Each line can be typed unchanged if such a file exists. */
static const char tasks[] = "see what a file holds         anim info walk.tscn\n"
			    "list its clips                anim info -l hero.tscn\n"
			    "look at its curves            anim plot walk.tscn\n"
			    "watch it in a browser         anim plot -o walk.html walk.tscn\n"
			    "convert a file                anim convert walk.tscn walk.animj\n"
			    "  a file for each clip        anim convert hero.tscn 'out/%c.animj'\n"
			    "  one clip, a part of it      anim convert -c walk -t 0.5..1 hero.tscn walk.anim\n"
			    "  at 30 samples per second    anim convert -r 30 walk.tscn walk.anim\n"
			    "  with fewer keys             anim convert --reduce 1mm@10cm walk.tscn small.tres\n"
			    "  for another skeleton        anim convert --retarget hero.tscn take.bvh take.tres\n"
			    "  with other bone names       anim convert --humanoid godot:unity hero.tscn hero.glb\n"
			    "  left and right swapped      anim convert --mirror walk.tscn mirrored.tres\n"
			    "  with feet that stay         anim convert --pin steps.glb pinned.glb\n"
			    "  walking on the spot         anim convert --in-place walk.tscn spot.tres\n"
			    "  cut to its best loop        anim convert --find-loop walk.tscn loop.tres\n"
			    "  twice as fast, backwards    anim convert --speed 2 --reverse walk.tscn back.tres\n"
			    "  as a table of numbers       anim convert --wide --all -r 30 walk.tscn walk.csv\n"
			    "  as a small archive          anim convert walk.tscn walk.axs.gz\n"
			    "put clips into a scene        anim convert --into hero.tscn idle.tres\n"
			    "change a clip in its scene    anim convert -c walk --speed 2 --into hero.tscn hero.tscn\n"
			    "compare two files             anim diff walk.tscn walk.axs\n"
			    "find what would go wrong      anim lint --for resonite walk.animj\n"
			    "\n"
			    "all programs: anim list       options: anim convert --help, anim convert --help all\n"
			    "search: anim help -s loop     tutorials: anim help mocap\n";

/* A program of this project, or another in PATH. */
struct found {
	const struct step_kind *own;
	const struct cli_found *other;
};

/* Return the program that `anim NAME` runs, or exit with a usage error that suggests the nearest one. */
static struct found find(const struct cli *cli, const struct cli_programs *others, const char *name)
{
	const struct step_kind *own = program_find(name);
	const struct cli_found *other = own != NULL ? NULL : cli_programs_get(others, name);
	const char *bare = strncmp(name, "anim-", strlen("anim-")) == 0 ? name + strlen("anim-") : name, *nearest;

	if (own != NULL || other != NULL)
		return (struct found){own, other};
	nearest = strlen(bare) > CLI_WORD_MAX ? NULL : cli_nearest(bare, cli->program->operand_words + 2);
	if (nearest != NULL)
		cli_usage(cli, "unknown program '%s'; did you mean %s?", name, nearest);
	cli_usage(cli, "unknown program '%s'; anim list shows all programs", name);
}

/* Run a program of this project in this process, or replace the process with another. Returns the exit status. */
static int become(struct cli *cli, const struct found *found, int count, char **arguments)
{
	struct anim_error error = {0};

	if (found->own != NULL) {
		(void)cli_finish(cli, NULL);
		return program_run(found->own, count, arguments);
	}
	arguments[0] = found->other->path;
	anim_sys_become(found->other->path, arguments);
	anim_fail_system(&error, "cannot run %s", found->other->path);
	return cli_finish(cli, &error);
}

/* Show the manual page if it is installed and the output is a terminal, otherwise the program's own help. */
static int help(struct cli *cli, const struct cli_programs *others, const struct found *found)
{
	char name[] = "anim", option[] = "--help", *arguments[] = {name, option, NULL};
	struct anim_error ignored = {0};

	if (found->own != NULL && anim_sys_is_terminal(STDOUT_FILENO))
		(void)help_page_show(others, found->own->command_line->name, "1", &ignored);
	return become(cli, found, 2, arguments);
}

/* `anim FILE...`, also of files that were dropped on the program. Returns the exit status. */
static int show_files(struct cli *cli)
{
	struct anim_error error = {0};
	char **arguments = calloc((size_t)cli->operand_count + 2, sizeof *arguments), name[] = "anim-info";
	int status;

	if (arguments == NULL) {
		anim_fail_memory(&error);
		return cli_finish(cli, &error);
	}
	arguments[0] = name;
	memcpy(arguments + 1, cli->operands, (size_t)cli->operand_count * sizeof *arguments);
	status = become(cli, &(struct found){program_find("info"), NULL}, cli->operand_count + 1, arguments);
	free(arguments);
	return status;
}

static int run(struct cli *cli, const struct cli_programs *others)
{
	bool wants_help = cli->operand_count > 0 && strcmp(cli->operands[0], "help") == 0;
	bool wants_list = cli->operand_count > 0 && strcmp(cli->operands[0], "list") == 0;
	bool searches = wants_help && cli->operand_count > 1 && strcmp(cli->operands[1], "-s") == 0;
	int most = wants_help ? 2 : 1;
	const struct help_page *page;
	struct anim_error error = {0};
	struct found found;

	if (cli->operand_count == 0)
		return finish_printing(cli, fputs(tasks, stdout) >= 0);
	if (searches)
		return help_search(cli, others);
	if ((wants_help || wants_list) && cli->operand_count > most)
		cli_usage(cli, "unexpected operand '%s'", cli->operands[most]);
	if (wants_list)
		return list(cli, others);
	if (wants_help && program_find(cli->operands[1]) == NULL && (page = help_page_find(cli->operands[1])) != NULL) {
		(void)help_page_show(others, page->name, page->section, &error);
		return cli_finish(cli, &error);
	}
	if (!wants_help && program_find(cli->operands[0]) == NULL &&
	    cli_programs_get(others, cli->operands[0]) == NULL &&
	    (anim_is_file(cli->operands[0]) || strpbrk(cli->operands[0], "*?") != NULL))
		return show_files(cli);
	found = find(cli, others, cli->operands[wants_help]);
	return wants_help ? help(cli, others, &found) : become(cli, &found, cli->operand_count, cli->operands);
}

int anim_main(int argc, char **argv)
{
	static const char *first_words[64] = {"help", "list"}; /* the words of this program, and the programs */
	const struct cli_program program = {
	    .name = "anim",
	    .summary = "runs the programs of anim-tools",
	    .usage = "list | help [PROGRAM|PAGE] | help -s WORD... | FILE... | PROGRAM [OPTION...] [OPERAND...]",
	    .examples = examples,
	    .flags = CLI_DISPATCHES,
	    .most_operands = -1,
	    .first_operand = "program",
	    .operand_words = first_words};
	struct cli_programs others = {0};
	struct options options = {0};
	bool wants_help =
	    argc == 2 && (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
	struct anim_error error = {0};
	struct cli cli;
	int status;

	for (size_t i = 0; i < 61 && programs[i] != NULL; i++)
		first_words[i + 2] = short_name(programs[i]);
	cli_start(&cli, &program, &options, wants_help ? 1 : argc, argv);
	cli.operands = argv + argc - cli.operand_count; /* they are used after cli_finish */
	if (cli_programs_find(&others, argc > 0 ? argv[0] : "anim", &error) != 0) {
		status = cli_finish(&cli, &error);
	} else if (wants_help) {
		(void)cli_print_help(&program, false);
		fputs("\nprograms:\n", stdout);
		fflush(stdout); /* before the other programs write */
		status = list(&cli, &others);
	} else {
		status = run(&cli, &others);
	}
	cli_programs_clear(&others);
	return status;
}
