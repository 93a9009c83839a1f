/* anim.c: runs the other programs: anim list, anim help resample, anim resample 30. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/count.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/programs.h"
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

/* ---- Pages of the manual, and a search in all help ---- */

/* The tasks of the cookbook with their commands, and the pages that are not about a program. Made from their texts. */
static const struct {
	const char *task, *command;
} recipes[] = {
#include "cli/recipes.inc"
};
static const struct page {
	const char *name, *section, *about;
} pages[] = {
#include "cli/pages.inc"
};

/* Find the file of a page: installed, or in the source tree of the program that runs. Returns whether there is one. */
static bool find_page(const char *folder, const char *name, const char *section, char path[4096])
{
	for (int form = 0; folder != NULL && form < 3; form++) {
		int length = form < 2 ? snprintf(path, 4096, "%s/../share/man/man%s/%s.%s%s", folder, section, name,
						 section, form == 0 ? "" : ".gz")
				      : snprintf(path, 4096, "%s/../../../man/%s.%s", folder, name, section);

		if (length < 4096 && anim_sys_may(path, ANIM_MAY_READ))
			return true;
	}
	return false;
}

/* Become man with a page. Returns only on failure. */
static void show(const char *page)
{
	char name[] = "man", *arguments[] = {name, (char *)(uintptr_t)page, NULL};

	anim_sys_become(name, arguments);
}

/* Show the page that `anim help mocap` names. Returns the exit status. */
static int show_page(struct cli *cli, const struct cli_programs *others, const struct page *page)
{
	struct anim_error error = {0};
	char path[4096];

	if (find_page(others->folder, page->name, page->section, path)) {
		fflush(stdout);
		show(path);
		anim_fail_system(&error, "cannot run man to show %s", path);
	} else {
		anim_fail(&error, ANIM_UNSUPPORTED, "the manual page %s(%s) is not installed", page->name,
			  page->section);
	}
	return cli_finish(cli, &error);
}

/*
 * Words of other programs and of people, and texts in the help that mean the same. A text of several words must be there as
 * a whole.
 */
static const struct {
	const char *word, *others[5];
} synonyms[] = {
    {"foot", {"feet"}},
    {"slide", {"pin", "keep feet", "feet that slide"}},
    {"sliding", {"pin", "keep feet", "feet that slide"}},
    {"skating", {"pin", "keep feet", "feet that slide"}},
    {"t-pose", {"FILE@SECONDS", "rest pose"}},
    {"tpose", {"FILE@SECONDS", "rest pose", "T-pose"}},
    {"python", {"NumPy", "libanim", "anim(3)"}},
    {"javascript", {"browser", "HTML", "web"}},
    {"fov", {"camera", "anim-formats"}},
    {"camera", {"anim-formats", "fov", "Camera"}},
    {"lip", {"face", "blend shape", "morphs"}},
    {"sync", {"face", "blend shape", "morphs"}},
    {"lipsync", {"face", "blend shape", "morphs"}},
    {"root", {"hips", "on the spot"}},
    {"motion", {"walk", "spot"}},
    {"slow", {"half speed", "--speed"}},
    {"slower", {"half speed", "--speed"}},
    {"down", {"--speed"}},
    {"fast", {"--speed"}},
    {"faster", {"--speed", "twice as fast"}},
    {"half", {"--speed"}},
    {"cut", {"-t ", "--time"}},
    {"crop", {"cut", "-t ", "--trim"}},
    {"trim", {"cut", "stillness"}},
    {"join", {"--append", "--merge", "anim cat"}},
    {"concatenate", {"--append", "anim cat"}},
    {"combine", {"merge", "--append", "join"}},
    {"sprite", {"--ppu", "2-D", "images", "two-dimensional"}},
    {"2d", {"2-D", "two-dimensional", "two dimensions"}},
    {"timeline", {".playable", "controller", "prefab"}},
    {"vtuber", {"VTubers", "VRM", "VMC"}},
    {"blendshape", {"blend shape", "face", "morphs"}},
    {"blendshapes", {"blend shape", "face", "morphs"}},
    {"blend", {"face", "morphs"}},
    {"crossfade", {"a blend of"}},
    {"mapping", {"bone names", "--map"}},
    {"parallel", {"at once"}},
    {"jobs", {"at once"}},
    {"two", {"at once"}},
    {"time", {"at once"}},
    {"which", {"see its"}},
    {"knee", {"bend, twist", "flexion"}},
    {"knees", {"bend, twist", "flexion"}},
    {"shapes", {"face", "morphs"}},
    {"shape", {"face", "morphs"}},
    {"morph", {"blend shape", "face"}},
    {"unreal", {".fbx", "FBX"}},
    {"maya", {".fbx", "FBX"}},
    {"3dsmax", {".fbx", "FBX"}},
    {"motionbuilder", {".fbx", "FBX"}},
    {"blender", {".fbx", ".glb"}},
    {"mixamo", {".fbx", "humanoid"}},
    {"flip", {"mirror", "swap left"}},
    {"mirror", {"swap left"}},
    {"resize", {"scale", "--height"}},
    {"size", {"scale", "smaller"}},
    {"compress", {"smaller", "fewer keys", "archive"}},
    {"smaller", {"fewer keys", "archive"}},
    {"shrink", {"smaller", "fewer keys", "archive"}},
    {"optimize", {"smaller", "fewer keys"}},
    {"simplify", {"fewer keys"}},
    {"keyframes", {"keys"}},
    {"keyframe", {"keys"}},
    {"fps", {"--rate", "-r "}},
    {"framerate", {"--rate", "-r "}},
    {"resample", {"sample"}},
    {"backwards", {"reverse"}},
    {"cycle", {"loop"}},
    {"loop", {"cycle"}},
    {"seamless", {"loop"}},
    {"merge", {"--append", "join"}},
    {"excel", {"csv", "table"}},
    {"spreadsheet", {"csv", "table"}},
    {"export", {"convert", "write"}},
    {"import", {"convert", "read"}},
    {"batch", {"folder"}},
    {"directory", {"folder"}},
    {"bones", {"bone", "skeleton"}},
    {"rig", {"skeleton"}},
    {"armature", {"skeleton"}},
    {"character", {"skeleton", "avatar"}},
    {"view", {"plot", "browser"}},
    {"preview", {"plot", "browser"}},
    {"vrchat", {"muscles", "humanoid"}},
    {"difference", {"compare", "diff"}},
    {"validate", {"lint", "find out", "problems"}},
    {"check", {"lint", "problems", "compare"}},
    {"exclude", {"leave out"}},
    {"without", {"leave out"}},
    {"split", {"cut ", "one file per clip"}},
    {"pieces", {"into two clips"}},
    {"chunks", {"into two clips"}},
    {"parts", {"into two clips"}},
    {"%", {"--speed"}},
    {"drop", {"leave out"}},
    {"remove", {"leave out", "drop"}},
    {"delete", {"leave out", "drop"}},
    {"additive", {"difference from a pose"}},
    {"standing", {"on the spot"}},
    {"place", {"on the spot"}},
    {"ci", {"github", "sarif"}},
};

/* Return whether one of the texts has the word. Words of two letters must be whole, as many longer ones contain them. */
static bool has_text(const char *const texts[4], const char *word)
{
	const size_t length = strlen(word);
	const bool whole = length == 2 && isalpha((unsigned char)word[0]) && isalpha((unsigned char)word[1]);

	for (int t = 0; t < 4; t++)
		for (const char *at = texts[t]; at != NULL && *at != '\0'; at++)
			if (strncasecmp(at, word, length) == 0 &&
			    (!whole || ((at == texts[t] || !isalpha((unsigned char)at[-1])) &&
					!isalpha((unsigned char)at[length]))))
				return true;
	return false;
}

/* Return whether one of the texts has a text that means the same as the word. */
static bool has_synonym(const char *const texts[4], const char *word)
{
	for (size_t s = 0; s < ANIM_COUNT(synonyms); s++) {
		if (strcasecmp(synonyms[s].word, word) != 0)
			continue;
		for (size_t k = 0; k < ANIM_COUNT(synonyms[s].others); k++)
			if (synonyms[s].others[k] != NULL && has_text(texts, synonyms[s].others[k]))
				return true;
	}
	return false;
}

/* The words of the operands after `help -s`, without words that say nothing, if others are left. */
struct wanted {
	char text[512];
	const char *words[32];
	size_t count;
};

static void read_words(const struct cli *cli, struct wanted *wanted)
{
	static const char *const empty[] = {"a",  "an",   "the", "my",   "this", "that", "of",  "from",
					    "to", "in",   "on",  "with", "for",  "it",   "its", "and",
					    "by", "into", "as",  "i",    "is",   "are",  "only"};
	size_t used = 0, all = 0;

	*wanted = (struct wanted){.count = 0};
	for (int i = 2; i < cli->operand_count && used < sizeof wanted->text; i++)
		used += (size_t)snprintf(wanted->text + used, sizeof wanted->text - used, "%s ", cli->operands[i]);
	for (char *next, *word = strtok_r(wanted->text, " ", &next); word != NULL && all < ANIM_COUNT(wanted->words);
	     word = strtok_r(NULL, " ", &next))
		wanted->words[all++] = word;
	for (size_t i = 0; i < all; i++)
		if (!anim_text_is_one_of(wanted->words[i], empty, ANIM_COUNT(empty)))
			wanted->words[wanted->count++] = wanted->words[i];
	wanted->count = wanted->count == 0 ? all : wanted->count;
}

/* Return whether the word is in one of the texts (NULL: none), whatever its case. `loosely`: or a word that means the same. */
static bool has_word(const char *const texts[4], const char *word, bool loosely)
{
	return has_text(texts, word) || (loosely && has_synonym(texts, word));
}

/* Return whether all words are in one of the texts. */
static bool has_words(const struct wanted *wanted, const char *const texts[4], bool loosely)
{
	size_t i = 0;

	while (i < wanted->count && has_word(texts, wanted->words[i], loosely))
		i++;
	return i == wanted->count;
}

/* Read the first 256 KiB of a page (owned). Returns NULL if the page is not installed. */
static char *read_page(const char *folder, const struct page *page)
{
	char path[4096], *text = NULL;
	FILE *file = find_page(folder, page->name, page->section, path) ? anim_file_read(path) : NULL;
	const size_t most = (size_t)1 << 18;

	if (file != NULL && (text = calloc(most + 1, 1)) != NULL)
		text[fread(text, 1, most, file)] = '\0';
	if (file != NULL)
		fclose(file);
	return text;
}

/* Print the tasks and options that have all words, with their commands. Returns their number. */
static size_t print_found(const struct wanted *wanted, bool loosely)
{
	const char *last = NULL;
	size_t found = 0;

	for (size_t i = 0; i < ANIM_COUNT(recipes); i++) {
		/* "the same with ..." continues the row before it */
		const char *before = strncmp(recipes[i].task, "the same", 8) == 0 ? last : NULL;

		if (has_words(wanted, (const char *const[4]){recipes[i].task, recipes[i].command, before}, loosely) &&
		    ++found > 0)
			printf("%s%s%s\n    %s\n", before != NULL ? before : "", before != NULL ? ": " : "",
			       recipes[i].task, recipes[i].command);
		last = recipes[i].task;
	}
	for (size_t p = 0; programs[p] != NULL; p++) {
		const struct cli_program *program = programs[p]->command_line;

		for (size_t i = 0; i < program->option_count; i++) {
			const struct cli_option *row = &program->options[i];
			char values[512] = "";

			/* Choices are searched, and shown after a help that ends in a colon. */
			for (size_t k = 0, used = 0;
			     row->kind == CLI_CHOICE && row->choices[k] != NULL && used < sizeof values; k++)
				used += (size_t)snprintf(values + used, sizeof values - used, "%s%s",
							 k == 0 ? " " : ", ", row->choices[k]);
			if (row->name != NULL && row->help != NULL &&
			    has_words(wanted,
				      (const char *const[4]){row->help, row->name, short_name(programs[p]), values},
				      loosely) &&
			    ++found > 0)
				printf("%s%s\n    anim %s --%s%s%s\n", row->help,
				       anim_text_ends(row->help, ":") ? values : "", short_name(programs[p]), row->name,
				       row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
		}
	}
	return found;
}

/* Print the pages that have all words. Returns their number. */
static size_t print_pages(const struct wanted *wanted, const struct cli_programs *others)
{
	size_t found = 0;

	for (size_t i = 0; i < ANIM_COUNT(pages); i++) {
		char *text = read_page(others->folder, &pages[i]);

		if (has_words(wanted, (const char *const[4]){pages[i].about, pages[i].name, text}, false) &&
		    ++found > 0)
			printf("%s\n    anim help %s\n", pages[i].about, pages[i].name + strlen("anim-"));
		free(text);
	}
	return found;
}

#define NEAREST 4 /* tasks that are printed if none has all words */

/*
 * Print the tasks with the most words, of which rare words count more. Tasks with less than half of the words are not near. Returns
 * their number.
 */
static size_t print_nearest(const struct wanted *wanted)
{
	double weights[ANIM_COUNT(wanted->words)] = {0}, scores[ANIM_COUNT(recipes)] = {0};
	size_t found = 0;

	for (size_t w = 0; w < wanted->count; w++) {
		for (size_t i = 0; i < ANIM_COUNT(recipes); i++)
			weights[w] += has_word((const char *const[4]){recipes[i].task, recipes[i].command, NULL},
					       wanted->words[w], true);
		weights[w] = weights[w] > 0 ? 1 / weights[w] : 0;
	}
	for (size_t i = 0; i < ANIM_COUNT(recipes); i++) {
		size_t count = 0;

		for (size_t w = 0; w < wanted->count; w++)
			if (has_word((const char *const[4]){recipes[i].task, recipes[i].command, NULL},
				     wanted->words[w], true)) {
				scores[i] += weights[w];
				count++;
			}
		scores[i] = 2 * count >= wanted->count ? scores[i] : 0;
	}
	for (; found < NEAREST; found++) {
		size_t best = 0;

		for (size_t i = 1; i < ANIM_COUNT(recipes); i++)
			best = scores[i] > scores[best] ? i : best;
		if (!(scores[best] > 0))
			break;
		printf("%s%s\n    %s\n", found == 0 ? "The nearest tasks:\n" : "", recipes[best].task,
		       recipes[best].command);
		scores[best] = 0;
	}
	return found;
}

/*
 * Print the tasks, options and pages about all words after `help -s`, with their commands. If no task has the words
 * themselves, words that mean the same also count. If no task or option has all words, the nearest tasks follow. Returns the exit status.
 */
static int search(struct cli *cli, const struct cli_programs *others)
{
	struct anim_error error = {0};
	bool in_task = false;
	struct wanted wanted;
	size_t found;

	if (cli->operand_count < 3)
		cli_usage(cli, "help -s requires words; try: anim help -s loop walk");
	read_words(cli, &wanted);
	for (size_t i = 0; i < ANIM_COUNT(recipes) && !in_task; i++)
		in_task = has_words(&wanted, (const char *const[4]){recipes[i].task, recipes[i].command, NULL}, false);
	found = print_found(&wanted, !in_task);
	if (found == 0)
		found = print_nearest(&wanted);
	found += print_pages(&wanted, others);
	if (fflush(stdout) != 0)
		anim_fail_system(&error, "cannot write standard output");
	else if (found == 0)
		anim_fail(&error, ANIM_UNSUPPORTED,
			  "no task, option or page has these words; try fewer words, or: anim");
	return cli_finish(cli, error.code != 0 ? &error : NULL);
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
	char name[] = "anim", option[] = "--help", *arguments[] = {name, option, NULL}, page[4096];

	if (found->own != NULL && anim_sys_is_terminal(STDOUT_FILENO) &&
	    find_page(others->folder, found->own->command_line->name, "1", page))
		show(page);
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
	struct found found;

	if (cli->operand_count == 0)
		return finish_printing(cli, fputs(tasks, stdout) >= 0);
	if (searches)
		return search(cli, others);
	if ((wants_help || wants_list) && cli->operand_count > most)
		cli_usage(cli, "unexpected operand '%s'", cli->operands[most]);
	if (wants_list)
		return list(cli, others);
	for (size_t i = 0; wants_help && i < ANIM_COUNT(pages); i++)
		if (program_find(cli->operands[1]) == NULL &&
		    (strcmp(pages[i].name, cli->operands[1]) == 0 ||
		     strcmp(pages[i].name + strlen("anim-"), cli->operands[1]) == 0))
			return show_page(cli, others, &pages[i]);
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
