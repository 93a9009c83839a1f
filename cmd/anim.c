/* anim.c: runs the other programs: anim list, anim help resample, anim resample 30. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/programs.h"
#include "programs.h"

struct options {
	struct cli_common common;
};

static const char *const examples[] = {"anim list", "anim convert walk.tscn walk.animj", "anim help resample",
				       "anim resample 30 walk.axs > walk30.axs", NULL};

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

/*
 * Print the programs of this project with their summaries, and among them other programs in PATH named like them,
 * with their paths.
 */
static void print_list(const struct cli_programs *found)
{
	const struct step_kind *const *own = programs;
	size_t at = 0;

	while (*own != NULL || at < found->count) {
		const struct cli_found *other = at < found->count ? &found->items[at] : NULL;
		const char *name = *own == NULL ? NULL : short_name(*own);

		if (other != NULL && program_find(other->name) != NULL)
			at++;
		else if (other == NULL || (name != NULL && strcmp(name, other->name) < 0))
			print_name(name, (*own++)->command_line->summary);
		else
			print_name(other->name, found->items[at++].path);
	}
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
			    "  twice as fast, backwards    anim convert --speed 2 --reverse walk.tscn back.tres\n"
			    "  as a table of numbers       anim convert --wide --all -r 30 walk.tscn walk.csv\n"
			    "  as a small archive          anim convert walk.tscn walk.axs.gz\n"
			    "put clips into a scene        anim convert --into hero.tscn idle.tres\n"
			    "change a clip in its scene    anim convert -c walk --speed 2 --into hero.tscn hero.tscn\n"
			    "compare two files             anim diff walk.tscn walk.axs\n"
			    "find what would go wrong      anim lint --for resonite walk.animj\n"
			    "\n"
			    "all programs: anim list       options: anim convert --help, anim convert --help all\n";

static int print_tasks(struct cli *cli)
{
	struct anim_error error = {0};

	if (fputs(tasks, stdout) >= 0 && fflush(stdout) == 0)
		return cli_finish(cli, NULL);
	anim_fail_system(&error, "cannot write standard output");
	return cli_finish(cli, &error);
}

static int list(struct cli *cli, const struct cli_programs *others)
{
	struct anim_error error = {0};

	print_list(others);
	if (fflush(stdout) == 0)
		return cli_finish(cli, NULL);
	anim_fail_system(&error, "cannot write standard output");
	return cli_finish(cli, &error);
}

/* Print the help of this program, with the programs that it runs. */
static int own_help(struct cli *cli, const struct cli_programs *others)
{
	(void)cli_print_help(cli->program, false);
	fputs("\nprograms:\n", stdout);
	fflush(stdout); /* before the other programs write */
	return list(cli, others);
}

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
	execv(found->other->path, arguments);
	anim_fail_system(&error, "cannot run %s", found->other->path);
	return cli_finish(cli, &error);
}

/* Show the manual page if it is installed and the output is a terminal, otherwise the program's own help. */
static int help(struct cli *cli, const struct cli_programs *others, const struct found *found)
{
	static const char *const suffixes[] = {"1", "1.gz"};
	char name[] = "anim", option[] = "--help", *arguments[] = {name, option, NULL}, page[4096];

	for (size_t i = 0; found->own != NULL && isatty(STDOUT_FILENO) && i < sizeof suffixes / sizeof *suffixes; i++) {
		int length = snprintf(page, sizeof page, "%s/../share/man/man1/%s.%s", others->folder,
				      found->own->command_line->name, suffixes[i]);

		if (others->folder != NULL && length < (int)sizeof page && access(page, R_OK) == 0)
			execlp("man", "man", page, (char *)NULL);
	}
	return become(cli, found, 2, arguments);
}

/* Return the possible first operands: the two words of this program, and the programs. */
static const char *const *words(void)
{
	static const char *all[64] = {"help", "list"};

	for (size_t i = 0; i < 61 && programs[i] != NULL; i++)
		all[i + 2] = short_name(programs[i]);
	return all;
}

static int run(struct cli *cli, const struct cli_programs *others)
{
	bool wants_help = cli->operand_count > 0 && strcmp(cli->operands[0], "help") == 0;
	bool wants_list = cli->operand_count > 0 && strcmp(cli->operands[0], "list") == 0;
	int most = wants_help ? 2 : 1;
	struct found found;

	if (cli->operand_count == 0)
		return print_tasks(cli);
	if ((wants_help || wants_list) && cli->operand_count > most)
		cli_usage(cli, "unexpected operand '%s'", cli->operands[most]);
	if (wants_list)
		return list(cli, others);
	found = find(cli, others, cli->operands[wants_help]);
	return wants_help ? help(cli, others, &found) : become(cli, &found, cli->operand_count, cli->operands);
}

int anim_main(int argc, char **argv)
{
	const struct cli_program program = {.name = "anim",
					    .summary = "runs the programs of anim-tools",
					    .usage = "list | help [PROGRAM] | PROGRAM [OPTION...] [OPERAND...]",
					    .examples = examples,
					    .flags = CLI_DISPATCHES,
					    .most_operands = -1,
					    .first_operand = "program",
					    .operand_words = words()};
	struct cli_programs others = {0};
	struct options options = {0};
	bool wants_help =
	    argc == 2 && (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
	struct anim_error error = {0};
	struct cli cli;
	int status;

	cli_start(&cli, &program, &options, wants_help ? 1 : argc, argv);
	if (cli_programs_find(&others, argc > 0 ? argv[0] : "anim", &error) != 0)
		status = cli_finish(&cli, &error);
	else
		status = wants_help ? own_help(&cli, &others) : run(&cli, &others);
	cli_programs_clear(&others);
	return status;
}
