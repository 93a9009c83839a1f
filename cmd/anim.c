/* anim.c: finds the other programs: anim list, anim help resample, anim resample 30. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/programs.h"

struct options {
	struct cli_common common;
};

static const char *const examples[] = {"anim list", "anim convert walk.tscn walk.animj", "anim help resample",
				       "anim resample 30 walk.axs > walk30.axs", NULL};

/*
 * What the program "name" says of itself: the text behind "name: " in its help, with the lines behind it that are indented.
 * Empty where that did not come.
 */
static void read_summary(FILE *help, const char *name, char *summary, size_t capacity)
{
	char *line = NULL;
	size_t size = 0, length = strlen(name), used = 0;

	while (used < capacity && getline(&line, &size, help) > 0) {
		const char *text = line + 1; /* one of the blanks stays */

		if (used == 0 && strncmp(line, name, length) == 0 && strncmp(line + length, ": ", 2) == 0)
			text = line + length + 2;
		else if (used == 0)
			continue;
		else if (strncmp(line, "  ", 2) != 0)
			break;
		line[strcspn(line, "\n")] = '\0';
		used += (size_t)snprintf(summary + used, capacity - used, "%s", text);
	}
	free(line);
}

/* Runs "path --help" and keeps its summary. */
static void ask_summary(const struct cli_found *found, char *summary, size_t capacity)
{
	char name[80];
	int ends[2];
	pid_t child;
	FILE *help;

	summary[0] = '\0';
	snprintf(name, sizeof name, "anim-%s", found->name);
	if (pipe(ends) != 0)
		return;
	child = fork();
	if (child == 0) {
		if (dup2(ends[1], STDOUT_FILENO) < 0)
			_exit(CLI_FAILED);
		close(ends[0]);
		close(ends[1]);
		execl(found->path, name, "--help", (char *)NULL);
		_exit(CLI_FAILED);
	}
	close(ends[1]);
	help = child < 0 ? NULL : fdopen(ends[0], "r");
	if (help != NULL)
		read_summary(help, name, summary, capacity);
	if (help != NULL)
		(void)fclose(help);
	else
		close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
}

/* Programs elsewhere in PATH may be anybody's: they are not run to be listed, their place is shown. */
static void print_list(const struct cli_programs *programs)
{
	char text[512], safe[1024];

	for (size_t i = 0; i < programs->count; i++) {
		const struct cli_found *found = &programs->items[i];

		if (found->beside)
			ask_summary(found, text, sizeof text);
		else
			snprintf(text, sizeof text, "%s", found->path);
		anim_text_safe(safe, sizeof safe, text, strlen(text));
		printf("%-10s  %s\n", found->name, safe);
	}
}

/* What to type for what, each line to be typed as it is where there is such a file. */
static const char tasks[] = "see what a file holds         anim info walk.tscn\n"
			    "look at its curves            anim plot walk.tscn\n"
			    "convert a file                anim convert walk.tscn walk.animj\n"
			    "a file for each clip          anim convert hero.tscn 'out/%c.animj'\n"
			    "at 30 samples a second        anim convert -r 30 walk.tscn walk.anim\n"
			    "with fewer keys               anim convert --reduce 1mm@10cm walk.tscn small.tres\n"
			    "change a clip in its scene    anim convert -c walk --speed 2 --into hero.tscn hero.tscn\n"
			    "put clips into a scene        anim convert --into hero.tscn idle.tres\n"
			    "compare two files             anim diff walk.tscn walk.axs\n"
			    "find what would go wrong      anim lint --for resonite walk.animj\n"
			    "keep a stream, and go on      anim parse walk.tscn -o walk.axs\n"
			    "play it backwards             anim retime --reverse walk.axs | anim emit -o back.tres\n"
			    "\n"
			    "all programs: anim list       one of them: anim help convert\n";

static int print_tasks(struct cli *cli)
{
	struct anim_error error = {0};

	if (fputs(tasks, stdout) >= 0 && fflush(stdout) == 0)
		return cli_finish(cli, NULL);
	anim_fail_system(&error, "cannot write standard output");
	return cli_finish(cli, &error);
}

static int list(struct cli *cli, const struct cli_programs *programs)
{
	struct anim_error error = {0};

	print_list(programs);
	if (fflush(stdout) == 0)
		return cli_finish(cli, NULL);
	anim_fail_system(&error, "cannot write standard output");
	return cli_finish(cli, &error);
}

/* What this program does, and the programs that it runs. */
static int own_help(struct cli *cli, const struct cli_programs *programs)
{
	(void)cli_print_help(cli->program);
	fputs("\nprograms:\n", stdout);
	fflush(stdout); /* before others write */
	return list(cli, programs);
}

static const struct cli_found *find(const struct cli *cli, const struct cli_programs *programs, const char *name)
{
	const struct cli_found *found = cli_programs_get(programs, name);

	if (found == NULL)
		found = cli_programs_nearest(programs, name);
	else
		return found;
	if (found != NULL)
		cli_usage(cli, "'%s' is no program; did you mean %s?", name, found->name);
	cli_usage(cli, "'%s' is no program; anim list shows them", name);
}

/* Becomes the program; comes back only where that failed. */
static int become(struct cli *cli, const struct cli_found *found, char **arguments)
{
	struct anim_error error = {0};

	arguments[0] = found->path;
	execv(found->path, arguments);
	anim_fail_system(&error, "cannot run %s", found->path);
	return cli_finish(cli, &error);
}

/* The manual page where it is installed and somebody reads it on a terminal, else the program's own help. */
static int help(struct cli *cli, const struct cli_programs *programs, const struct cli_found *found)
{
	static const char *const suffixes[] = {"1", "1.gz"};
	char option[] = "--help", *arguments[] = {NULL, option, NULL}, page[4096];

	for (size_t i = 0; found->beside && isatty(STDOUT_FILENO) && i < sizeof suffixes / sizeof *suffixes; i++) {
		int length = snprintf(page, sizeof page, "%s/../share/man/man1/anim-%s.%s", programs->folder,
				      found->name, suffixes[i]);

		if (length < (int)sizeof page && access(page, R_OK) == 0)
			execlp("man", "man", page, (char *)NULL);
	}
	return become(cli, found, arguments);
}

/* The first operands that there are: the two of this program and the programs beside it. Owned by the caller. */
static const char **words_of(const struct cli_programs *programs)
{
	const char **words = calloc(programs->count + 3, sizeof *words);
	size_t count = 0;

	if (words == NULL)
		return NULL;
	words[count++] = "help";
	words[count++] = "list";
	for (size_t i = 0; i < programs->count; i++)
		if (programs->items[i].beside)
			words[count++] = programs->items[i].name;
	return words;
}

static int run(struct cli *cli, const struct cli_programs *programs)
{
	bool wants_help = cli->operand_count > 0 && strcmp(cli->operands[0], "help") == 0;
	bool wants_list = cli->operand_count > 0 && strcmp(cli->operands[0], "list") == 0;
	int most = wants_help ? 2 : 1;

	if (cli->operand_count == 0)
		return print_tasks(cli);
	if ((wants_help || wants_list) && cli->operand_count > most)
		cli_usage(cli, "'%s' is one operand too many", cli->operands[most]);
	if (wants_list)
		return list(cli, programs);
	if (wants_help)
		return help(cli, programs, find(cli, programs, cli->operands[1]));
	return become(cli, find(cli, programs, cli->operands[0]), cli->operands);
}

int main(int argc, char **argv)
{
	struct cli_programs programs = {0};
	bool found = cli_programs_find(&programs, argc > 0 ? argv[0] : "anim", NULL) == 0;
	const char **words = found ? words_of(&programs) : NULL;
	const struct cli_program program = {.name = "anim",
					    .summary = "finds and runs the animation programs",
					    .usage = "list | help [PROGRAM] | PROGRAM [OPTION...] [OPERAND...]",
					    .examples = examples,
					    .flags = CLI_DISPATCHES,
					    .most_operands = -1,
					    .first_operand = "program",
					    .operand_words = words};
	struct options options = {0};
	bool wants_help =
	    argc == 2 && (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
	struct cli cli;
	int status;

	cli_start(&cli, &program, &options, wants_help ? 1 : argc, argv);
	if (words == NULL) {
		struct anim_error error = {0};

		anim_fail_memory(&error);
		return cli_finish(&cli, &error);
	}
	status = wants_help ? own_help(&cli, &programs) : run(&cli, &programs);
	free(words);
	cli_programs_clear(&programs);
	return status;
}
