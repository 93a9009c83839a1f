/* options.c: parses a command line into the options of a program. */
#include "cli/command_line.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/buffer.h"
#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/advice.h"
#include "cli/cli.h"
#include "format/format.h"

/* ---- The word that a mistyped word meant ---- */

/* tolower would depend on the locale. */
static char lower(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

/* The number of edits, by three rows of the table: two letters that changed places count once. */
size_t cli_letters_wrong(const char *a, const char *b)
{
	size_t rows[3][CLI_WORD_MAX + 1], count = 0, length = strlen(b);

	for (size_t j = 0; j <= length; j++)
		rows[0][j] = j;
	for (; a[count] != '\0'; count++) {
		size_t *row = rows[(count + 1) % 3];
		const size_t *above = rows[count % 3], *second = rows[(count + 2) % 3];

		row[0] = count + 1;
		for (size_t j = 0; j < length; j++) {
			size_t added = row[j] < above[j + 1] ? row[j] + 1 : above[j + 1] + 1;
			size_t replaced = above[j] + (lower(a[count]) != lower(b[j]));

			row[j + 1] = added < replaced ? added : replaced;
			if (count > 0 && j > 0 && lower(a[count]) == lower(b[j - 1]) &&
			    lower(a[count - 1]) == lower(b[j]) && second[j - 1] + 1 < row[j + 1])
				row[j + 1] = second[j - 1] + 1;
		}
	}
	return rows[count % 3][length];
}

size_t cli_letters_allowed(const char *word)
{
	return (strlen(word) + 2) / 3;
}

const char *cli_nearest(const char *word, const char *const *words)
{
	const char *nearest = NULL;
	size_t limit = cli_letters_allowed(word) + 1;

	for (size_t i = 0; strlen(word) <= CLI_WORD_MAX && words[i] != NULL; i++) {
		size_t wrong = strlen(words[i]) <= CLI_WORD_MAX ? cli_letters_wrong(word, words[i]) : limit;

		if (wrong < limit && wrong < strlen(word)) { /* at least one letter is right */
			limit = wrong;
			nearest = words[i];
		}
	}
	return nearest;
}

/* ---- Parsing a command line with a table of options ---- */

static const struct cli_option output_row = {.letter = 'o',
					     .name = "output",
					     .argument = "FILE",
					     .help = "write this file; it is replaced only if everything succeeds",
					     .kind = CLI_TEXT,
					     .offset = offsetof(struct cli_common, output),
					     .not_provenance = true};
static const struct cli_option force_row = {
    .name = "force",
    .help = "replace an existing file even if the new one lacks some of its content",
    .offset = offsetof(struct cli_common, force),
    .not_provenance = true};
static const struct cli_option no_sync_row = {.name = "no-sync",
					      .help = "do not wait until replaced files are on the disk",
					      .offset = offsetof(struct cli_common, no_sync),
					      .not_provenance = true};
static const struct cli_option quiet_row = {.letter = 'q',
					    .name = "quiet",
					    .help = "print no notes",
					    .offset = offsetof(struct cli_common, quiet),
					    .not_provenance = true};
static const struct cli_option strict_row = {
    .name = "strict", .help = "treat warnings as errors", .offset = offsetof(struct cli_common, strict)};
static const struct cli_option no_provenance_row = {.name = "no-provenance",
						    .help = "leave out the record of the programs that made the stream",
						    .offset = offsetof(struct cli_common, no_provenance),
						    .not_provenance = true};
static const struct cli_option help_row = {
    .letter = 'h', .name = "help", .help = "print this help; --help all: every option", .not_provenance = true};
static const struct cli_option version_row = {
    .letter = 'V', .name = "version", .help = "print the version", .not_provenance = true};
/* This option is for the installation, so the help does not show it. */
static const struct cli_option completion_row = {
    .name = "completion", .argument = "SHELL", .kind = CLI_CHOICE, .choices = cli_shell_names, .not_provenance = true};

static void add_row(struct cli_rows *rows, const struct cli_option *row, struct cli_place place)
{
	rows->row[rows->count] = row;
	rows->place[rows->count++] = place;
}

void cli_rows_of(const struct cli_program *program, struct cli_rows *rows)
{
	struct cli_place place = {.section = NULL};
	size_t count = 0, used = 0;

	/* The options of the program's own table. */
	rows->count = 0;
	for (size_t i = 0; i < program->option_count && rows->count < CLI_ROWS_MAX - 10; i++) {
		const struct cli_option *row = &program->options[i];

		if (row->kind == CLI_SECTION)
			place = (struct cli_place){.section = row->help};
		else if (row->kind == CLI_MORE)
			place.is_more = true;
		else if (row->kind == CLI_SET)
			place = (struct cli_place){.section = row->help, .is_set = true};
		else
			add_row(rows, row, place);
	}
	place = (struct cli_place){.section = place.section == NULL && !place.is_set ? NULL : "General"};

	/* -x with the words that may follow it. */
	for (size_t i = 0; i < rows->count; i++) {
		const struct cli_option *row = rows->row[i];
		char *word = rows->set_text + used;
		size_t length = strlen(row->name);

		if (!rows->place[i].is_set)
			continue;
		memcpy(word, row->name, length);
		strcpy(word + length, row->kind == CLI_FLAG ? "" : "=");
		rows->set_words[count++] = word;
		used += strlen(word) + 1;
	}
	rows->set_words[count] = NULL;
	rows->set = (struct cli_option){.letter = 'x',
					.name = "set",
					.argument = "NAME=VALUE",
					.help = "set an option of one format; --help all lists them",
					.kind = CLI_CHOICE,
					.choices = rows->set_words};
	if (count > 0)
		add_row(rows, &rows->set, place);

	/* The options of every program. */
	if (program->flags & CLI_HAS_OUTPUT) {
		add_row(rows, &output_row, place);
		add_row(rows, &force_row, place);
	}
	if (program->flags & CLI_HAS_STRICT)
		add_row(rows, &strict_row, place);
	add_row(rows, &quiet_row, place);
	add_row(rows, &help_row, place);
	place.is_more = true;
	add_row(rows, &version_row, place);
	if (program->flags & CLI_HAS_OUTPUT)
		add_row(rows, &no_sync_row, place);
	if (program->flags & CLI_WRITES_STREAM)
		add_row(rows, &no_provenance_row, place);
	add_row(rows, &completion_row, place);
}

/*
 * ---- The words of a command line, read as by getopt_long, which only one thread of a process may use, or options by name and
 * value ----
 */

struct words {
	const struct cli_rows *rows;
	const struct cli_argument *arguments; /* the first that was not read (NULL: words are read) */
	char **next;                          /* the first word that was not read */
	const char *letters;                  /* the rest of a word of joined letters (-qv), or NULL */
	const char *word;                     /* the last word that was read */
	bool operands_end;                    /* the first operand ends the options */
};

enum found { FOUND_END, FOUND_OPERAND, FOUND_OPTION, FOUND_UNKNOWN, FOUND_WITHOUT_VALUE, FOUND_WITH_VALUE };

/* Find a long option by its name or by a beginning that no other one has. Returns the number of its row, or the row count. */
static size_t find_long(const struct cli_rows *rows, const char *name, size_t length)
{
	size_t found = rows->count;
	bool several = false;

	for (size_t i = 0; i < rows->count; i++) {
		if (strncmp(rows->row[i]->name, name, length) != 0)
			continue;
		if (rows->row[i]->name[length] == '\0')
			return i;
		several = found < rows->count;
		found = i;
	}
	return several ? rows->count : found;
}

/* Read the value of an option from the next word if it does not have one yet. */
static enum found read_value(struct words *words, struct cli_given *given)
{
	const struct cli_option *row = given->row;

	if (given->value == NULL && row->kind == CLI_COUNT && row->choices != NULL &&
	    (*words->next == NULL || isdigit((unsigned char)**words->next) == 0))
		given->value = row->choices[0];
	if (given->value == NULL && *words->next != NULL)
		given->value = *words->next++;
	return given->value == NULL ? FOUND_WITHOUT_VALUE : FOUND_OPTION;
}

/* Read a long option with this name. `value`: after an equals sign, or NULL. */
static enum found read_long(struct words *words, const char *name, size_t length, const char *value,
			    struct cli_given *given)
{
	size_t i = find_long(words->rows, name, length);

	if (i == words->rows->count)
		return FOUND_UNKNOWN;
	*given = (struct cli_given){words->rows->row[i], value, words->rows->place[i].is_set};
	if (given->row->kind == CLI_FLAG)
		return value == NULL ? FOUND_OPTION : FOUND_WITH_VALUE;
	return read_value(words, given);
}

static enum found read_letter(struct words *words, struct cli_given *given)
{
	const char *letter = words->letters, *rest = letter + 1;

	words->letters = *rest == '\0' ? NULL : rest;
	for (size_t i = 0; i < words->rows->count && given->row == NULL; i++)
		if (words->rows->row[i]->letter == *letter)
			given->row = words->rows->row[i];
	if (given->row == NULL) {
		given->value = letter;
		return FOUND_UNKNOWN;
	}
	if (given->row->kind == CLI_FLAG)
		return FOUND_OPTION;
	given->value = words->letters;
	words->letters = NULL;
	return read_value(words, given);
}

/* Read the next option or operand. An operand is words->word. A letter that is unknown is given->value. */
static enum found read_word(struct words *words, struct cli_given *given)
{
	const struct cli_argument *argument = words->arguments;
	size_t length;

	*given = (struct cli_given){.row = NULL};
	if (argument != NULL && (argument->name != NULL || argument->value != NULL)) {
		words->arguments++;
		words->word = argument->name != NULL ? argument->name : argument->value;
		return argument->name == NULL
			   ? FOUND_OPERAND
			   : read_long(words, argument->name, strlen(argument->name), argument->value, given);
	}
	if (words->letters != NULL)
		return read_letter(words, given);
	words->word = *words->next;
	if (words->word == NULL)
		return FOUND_END;
	words->next++;
	if (strcmp(words->word, "--") == 0)
		return FOUND_END;
	length = strcspn(words->word, "=");
	if (words->word[0] == '-' && words->word[1] == '-')
		return read_long(words, words->word + 2, length - 2,
				 words->word[length] == '=' ? words->word + length + 1 : NULL, given);
	if (words->word[0] == '-' && words->word[1] != '\0') {
		words->letters = words->word + 1;
		return read_letter(words, given);
	}
	if (!words->operands_end)
		return FOUND_OPERAND;
	words->next--;
	return FOUND_END;
}

void cli_leave(const struct cli *cli, int status)
{
	struct cli_host *host = cli_host(cli);

	if (host != NULL) {
		host->status = status;
		host->leave(host);
	}
	exit(status);
}

void cli_no_memory(const struct cli *cli)
{
	cli_message(cli, NULL, NULL, "out of memory");
	cli_leave(cli, cli_failure(cli));
}

static void store_text(struct cli *cli, struct cli_texts *texts, const char *value)
{
	size_t count = texts->count;

	if ((count & (count - 1)) == 0) {
		const char **items = anim_arena_zeroed(&cli->arena, count == 0 ? 1 : 2 * count, sizeof *items, NULL);

		if (items == NULL)
			cli_no_memory(cli);
		if (count > 0)
			memcpy(items, texts->items, count * sizeof *items);
		texts->items = items;
	}
	texts->items[texts->count++] = value;
}

bool cli_number(const char *text, double *value)
{
	size_t length = strlen(text);

	return length > 0 && anim_number_typed(text, length, value) == length && isfinite(*value);
}

bool cli_whole_number(const char *text, uint64_t *value)
{
	char padded[32 + ANIM_INPUT_SLACK] = "";
	size_t length = strlen(text);

	if (length == 0 || length >= 32)
		return false;
	memcpy(padded, text, length);
	return anim_number_uint64(padded, padded + length, value) == padded + length;
}

static unsigned read_count(struct cli *cli, const struct cli_option *row, const char *value)
{
	const char *percent = strcmp(row->argument, "PERCENT") == 0 ? strchr(value, '%') : NULL;
	char text[24];
	uint64_t number;

	if (percent != NULL && percent[1] == '\0' && (size_t)(percent - value) < sizeof text) {
		snprintf(text, sizeof text, "%.*s", (int)(percent - value), value);
		value = text;
	}
	if (!cli_whole_number(value, &number) || number > INT_MAX)
		cli_usage(cli, "%s: '%s' is not a whole number%s from 0 to %d", cli_spelled(cli, row->name), value,
			  strcmp(row->argument, "PERCENT") == 0 ? " of percent" : "", INT_MAX);
	return (unsigned)number;
}

void cli_list_words(const char *const *words, char *out, size_t capacity)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	anim_text_list(out, capacity, words, count);
}

const char *cli_formats_read[64], *cli_formats_written[64]; /* far more than there are formats: the last stays NULL */

static pthread_once_t formats_listed = PTHREAD_ONCE_INIT;

static void list_formats(void)
{
	const struct anim_format *format = NULL;

	for (size_t i = 0; i < 63 && (format = anim_format_next(format, false)) != NULL; i++)
		cli_formats_read[i] = format->name;
	format = NULL;
	for (size_t i = 0; i < 63 && (format = anim_format_next(format, true)) != NULL; i++)
		cli_formats_written[i] = format->name;
}

/* Return whether a format takes an option. Formats that are read share one name: tres and tscn are "godot". */
static bool takes_option(const struct anim_format *format, const char *option, bool written)
{
	const char *options = written ? format->options : format->read_options;

	return options != NULL && anim_text_is_word(options, option) && (written || format->title != NULL);
}

bool cli_list_takers(const char *option, bool written, char *list, size_t capacity)
{
	const struct anim_format *format = NULL;
	size_t used = 0, count = 0, at = 0;

	while ((format = anim_format_next(format, written)) != NULL)
		count += takes_option(format, option, written);
	while (at < count && used < capacity) {
		format = anim_format_next(format, written);
		if (!takes_option(format, option, written))
			continue;
		used += (size_t)snprintf(list + used, capacity - used, "%s%s",
					 at == 0           ? ""
					 : at + 1 == count ? " and "
							   : ", ",
					 format->name);
		at++;
	}
	return used > 0;
}

void cli_check_written(const struct cli *cli, const char *option, const char *file)
{
	const struct anim_format *format = anim_format_of_name(file);
	const char *way = "write a .glb, which Blender imports";

	if (format == NULL || format->title == NULL || format->writer != NULL)
		return;
	if (format->name != NULL)
		way = format->way;
	if (way != NULL)
		cli_usage(cli, "%s'%s': %s is not written; %s", option, file, format->title, way);
}

void cli_usage_word(const struct cli *cli, const char *option, const char *word, const char *const *words)
{
	const char *nearest = cli_nearest(word, words);
	char list[256];

	cli_list_words(words, list, sizeof list);
	if (nearest != NULL)
		cli_usage(cli, "%s'%s' is not one of %s; did you mean %s?", option, word, list, nearest);
	cli_usage(cli, "%s'%s' is not one of %s", option, word, list);
}

const struct anim_format *cli_target(struct cli *cli, const char *option, const char *word)
{
	static const char *const engines[][2] = {
	    {"resonite", "animj"}, {"unity", "unity"}, {"godot", "tres"}, {"gltf", "glb"}};
	const struct anim_format *format = anim_format_find(word, true);
	const char *words[64 + ANIM_COUNT(engines)];
	size_t count = 0;

	for (size_t i = 0; i < ANIM_COUNT(engines); i++) {
		words[count++] = engines[i][0];
		if (strcasecmp(engines[i][0], word) == 0)
			format = anim_format_find(engines[i][1], true);
	}
	for (size_t i = 0; cli_formats_written[i] != NULL; i++)
		if (strcmp(cli_formats_written[i], "unity") != 0 && strcmp(cli_formats_written[i], "gltf") != 0)
			words[count++] = cli_formats_written[i];
	words[count] = NULL;
	if (format == NULL)
		cli_usage_word(cli, cli_printf(cli, "%s: ", cli_spelled(cli, option)), word, words);
	return format;
}

static int read_choice(struct cli *cli, const struct cli_option *row, const char *value)
{
	for (int i = 0; row->choices[i] != NULL; i++)
		if (strcasecmp(row->choices[i], value) == 0)
			return i;
	cli_usage_word(cli, cli_printf(cli, "%s: ", cli_spelled(cli, row->name)), value, row->choices);
}

static void store(struct cli *cli, const struct cli_given *given)
{
	char *at = (char *)cli->options + given->row->offset;

	if (given->row->offset == CLI_NOWHERE) {
		if (given->row->kind == CLI_CHOICE)
			(void)read_choice(cli, given->row, given->value);
		return;
	}
	switch (given->row->kind) {
	case CLI_FLAG:
		*(bool *)(void *)at = true;
		break;
	case CLI_TEXT:
		*(const char **)(void *)at = given->value;
		break;
	case CLI_TEXTS:
		store_text(cli, (struct cli_texts *)(void *)at, given->value);
		break;
	case CLI_COUNT:
		*(unsigned *)(void *)at = read_count(cli, given->row, given->value);
		break;
	case CLI_CHOICE:
		*(int *)(void *)at = read_choice(cli, given->row, given->value);
		break;
	default:
		break;
	}
}

static const char *const foreign[][2] = {{"fps", "rate"},
					 {"framerate", "rate"},
					 {"frame-rate", "rate"},
					 {"sample-rate", "rate"},
					 {"resample", "rate"},
					 {"crop", "time"},
					 {"cut", "time"},
					 {"range", "time"},
					 {"start", "time"},
					 {"frames", "time"},
					 {"trim", "time"},
					 {"loop", "find-loop"},
					 {"json", "format"},
					 {"csv", "format"},
					 {"output-format", "format"},
					 {"to", "format"},
					 {"input-format", "read"},
					 {"from", "read"},
					 {"simplify", "reduce"},
					 {"optimize", "reduce"},
					 {"compress", "reduce"},
					 {"decimate", "reduce"},
					 {"tolerance", "tol"},
					 {"error", "tol"},
					 {"overwrite", "force"},
					 {"silent", "quiet"},
					 {"bones", "node"},
					 {"exclude", "node '!GLOB'"},
					 {"name", "clip"},
					 {"animation", "clip"},
					 {"resize", "scale"},
					 {"target", "retarget"},
					 {"units", "unit"},
					 {"target", "for"},
					 {"tol", "max"},
					 {"reduce", "tol"},
					 {"retarget", "to"},
					 {"output", "to"}};

/* Return the long option that "--fromat=x" meant, or NULL if none is near. */
static const char *meant(const struct cli_rows *rows, const char *word)
{
	const char *names[CLI_ROWS_MAX + 1], *begin = word + strspn(word, "-");
	char name[CLI_WORD_MAX + 1];
	size_t count = 0, length = strcspn(begin, "=");

	if (length > CLI_WORD_MAX || length < 3)
		return NULL;
	memcpy(name, begin, length);
	name[length] = '\0';
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i]->help != NULL && !rows->place[i].is_set)
			names[count++] = rows->row[i]->name;
	names[count] = NULL;
	/* words of other tools, whose options are called otherwise here */
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		for (size_t k = 0; k < count && strcmp(foreign[i][0], name) == 0; k++)
			if (strncmp(names[k], foreign[i][1], strcspn(foreign[i][1], " ")) == 0 &&
			    names[k][strcspn(foreign[i][1], " ")] == '\0')
				return foreign[i][1];
	return cli_nearest(name, names);
}

/* Parse "digits=6" after -x as the option that it stands for. */
static struct cli_given read_set(const struct cli *cli, const struct cli_rows *rows, const char *text)
{
	size_t length = strcspn(text, "=");
	const struct cli_option *row = NULL, *plain = NULL; /* plain: typed without -x */
	const char *nearest;

	for (size_t i = 0; i < rows->count && row == NULL; i++)
		if (strlen(rows->row[i]->name) == length && strncmp(rows->row[i]->name, text, length) == 0)
			*(rows->place[i].is_set ? &row : &plain) = rows->row[i];
	nearest = row != NULL ? NULL : cli_nearest(text, rows->set_words);
	if (nearest != NULL)
		cli_usage(cli, "unknown option '-x %s'; did you mean -x %s?", text, nearest);
	if (row == NULL && plain != NULL)
		cli_usage(cli, "'-x %s': this option is typed without -x: --%s%s%s", text, plain->name,
			  text[length] == '=' ? " " : "", text[length] == '=' ? text + length + 1 : "");
	if (row == NULL)
		cli_usage(cli, "unknown option '-x %s'; " ANIM_ADVICE(LIST_OPTIONS), text);
	if (row->kind == CLI_FLAG && text[length] != '\0')
		cli_usage(cli, "-x %s takes no value", row->name);
	if (row->kind != CLI_FLAG && text[length] == '\0')
		cli_usage(cli, "-x %s needs a value: -x %s=%s", row->name, row->name, row->argument);
	return (struct cli_given){row, row->kind == CLI_FLAG ? NULL : text + length + 1, true};
}

/* Report an option that is unknown or lacks a value, or a flag that has one. */
static void refuse(const struct cli *cli, const struct words *words, enum found found, const struct cli_given *given)
{
	const struct cli_rows *rows = words->rows;

	if (found == FOUND_WITHOUT_VALUE)
		cli_usage(cli, "--%s needs a value: %s", given->row->name, given->row->argument);
	if (found == FOUND_WITH_VALUE)
		cli_usage(cli, "--%s takes no value", given->row->name);
	if (given->value != NULL && *given->value == 'o' && meant(rows, "--output") != NULL)
		cli_usage(cli, "unknown option '-o'; did you mean --%s?", meant(rows, "--output"));
	if (given->value != NULL)
		cli_usage(cli, "unknown option '-%c'", *given->value);
	if (meant(rows, words->word) != NULL)
		cli_usage(cli, "unknown option '%s'; did you mean --%s?", words->word, meant(rows, words->word));
	cli_usage(cli, "unknown option '%s'", words->word);
}

/*
 * Handle --help, --version and --completion: print, then end the program. `next` is the word after the option, or
 * NULL.
 */
static void leave_by(struct cli *cli, const struct cli_given *given, const char *next)
{
	int status = 0;

	if (cli_host(cli) != NULL)
		cli_usage(cli, "the option %s is for the program", given->row->name);
	if (given->row == &help_row)
		status = cli_print_help(cli->program, next != NULL && strcmp(next, "all") == 0);
	else if (given->row == &completion_row)
		status = cli_print_completion(cli->program, (enum cli_shell)read_choice(cli, given->row, given->value));
	else
		printf("%s %s\n", cli->program->name, ANIM_TOOLS_VERSION);
	if (status != 0 || fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0) {
		cli_message(cli, NULL, NULL, "cannot write standard output");
		exit(cli_failure(cli));
	}
	exit(CLI_DONE);
}

/* ---- The provenance record ---- */

/* Append the value, made safe, after a line feed if it is not the first. */
static void append_value(const struct cli *cli, struct anim_buffer *joined, const char *value)
{
	size_t length = strlen(value), need = anim_text_safe(NULL, 0, value, length) + 1;

	if (joined->size > 0 && anim_buffer_append(joined, "\n", 1, NULL) != 0)
		cli_no_memory(cli);
	if (anim_buffer_reserve(joined, need, NULL) != 0)
		cli_no_memory(cli);
	anim_text_safe((char *)joined->data + joined->size, need, value, length);
	joined->size += need - 1;
}

static void set_attribute(struct cli *cli, const char *key, struct anim_buffer *value)
{
	struct anim_attrs before = cli->prog.attrs;

	if (anim_buffer_append(value, "", 1, NULL) != 0 ||
	    anim_attrs_with(&cli->prog.attrs, &before, key, (const char *)value->data, &cli->arena, NULL) != 0)
		cli_no_memory(cli);
	anim_buffer_clear(value);
}

void cli_provenance(struct cli *cli, const char *key, const char *value)
{
	struct anim_buffer joined = {0};

	append_value(cli, &joined, value);
	set_attribute(cli, key, &joined);
}

bool cli_was_given(const struct cli *cli, const char *name)
{
	for (size_t i = 0; i < cli->given_count; i++)
		if (strcmp(cli->given[i].row->name, name) == 0)
			return true;
	return false;
}

const char *cli_value(const struct cli *cli, const char *name)
{
	for (size_t i = cli->given_count; i-- > 0;)
		if (strcmp(cli->given[i].row->name, name) == 0)
			return cli->given[i].value;
	return NULL;
}

const char *cli_spelled(struct cli *cli, const char *name)
{
	const struct cli_program *typed = cli_typed(cli)->program;
	const char *here = cli->front == NULL ? name : cli->front->option_of(cli->program->name, name);
	bool is_set = false;

	name = here != NULL ? here : name;
	for (size_t i = 0; i < typed->option_count; i++) {
		const struct cli_option *row = &typed->options[i];

		if (row->kind == CLI_SECTION || row->kind == CLI_SET)
			is_set = row->kind == CLI_SET;
		else if (row->name != NULL && strcmp(row->name, name) == 0)
			return cli_printf(cli, "%s%s", is_set ? "-x " : "--", name);
	}
	return cli_printf(cli, "--%s", name);
}

int cli_first_file(const struct cli *cli)
{
	const char *unless = cli->program->first_operand_unless;
	bool is_there = cli->program->first_operand != NULL;

	for (size_t i = 0; i < cli->given_count && is_there && unless != NULL; i++)
		is_there = !anim_text_is_word(unless, cli->given[i].row->name);
	if (!is_there && unless != NULL &&
	    cli->program->operand_words != NULL) /* still allowed, if it is one of its words */
		for (const char *const *word = cli->program->operand_words; *word != NULL && !is_there; word++)
			is_there = cli->operand_count > 0 && strcasecmp(*word, cli->operands[0]) == 0;
	return is_there;
}

const char *cli_file(const struct cli *cli)
{
	return cli->operand_count > cli_first_file(cli) ? cli->operands[cli_first_file(cli)] : NULL;
}

static void record_provenance(struct cli *cli)
{
	const struct cli_given *given = cli->given;
	struct anim_buffer files = {0};
	size_t count = cli->given_count;

	cli->prog.program = cli->program->name;
	cli->prog.version = ANIM_TOOLS_VERSION;
	for (size_t i = 0; i < count; i++) {
		struct anim_buffer joined = {0};

		if (given[i].row->not_provenance)
			continue;
		for (size_t j = 0; j < count && given[i].value != NULL; j++)
			if (given[j].row == given[i].row)
				append_value(cli, &joined, given[j].value);
		if (given[i].value == NULL)
			append_value(cli, &joined, "true");
		set_attribute(cli, given[i].row->name, &joined);
	}
	if (cli_first_file(cli) > 0 && cli->operand_count > 0)
		cli_provenance(cli, cli->program->first_operand, cli->operands[0]);
	/* The base names of the operands that are files, without standard input. */
	for (int i = cli_first_file(cli); i < cli->operand_count; i++)
		if (strcmp(cli->operands[i], "-") != 0)
			append_value(cli, &files, anim_path_last(cli->operands[i]));
	if (files.size > 0)
		set_attribute(cli, "files", &files);
	anim_buffer_clear(&files);
}

/* ---- A complete command line ---- */

/* Add an operand, or all files that fit it: shells of Windows expand no patterns. */
static void add_operand(struct cli *cli, const char *word)
{
	bool is_file = cli->front == NULL && (cli->program->flags & CLI_DISPATCHES) == 0;
	struct anim_folder *found = is_file && strpbrk(word, "*?") != NULL ? anim_sys_search(word) : NULL;
	struct anim_buffer names = {.data = NULL};
	const char *slash = strrchr(word, '/'), *const * name;
	char **operands;
	size_t count;
	int sys;

	if (found == NULL) {
		cli->operands[cli->operand_count++] = (char *)(uintptr_t)word;
		return;
	}
	if (anim_folder_names(found, &cli->arena, &names, &sys, NULL) != 0)
		cli_no_memory(cli);
	anim_folder_close(found);
	name = (const char *const *)(const void *)names.data;
	count = names.size / sizeof *name;
	operands = anim_arena_zeroed(&cli->arena, cli->operand_count + count + cli->argument_count + 1,
				     sizeof *operands, NULL);
	if (operands == NULL)
		cli_no_memory(cli);
	memcpy(operands, cli->operands, cli->operand_count * sizeof *operands);
	cli->operands = operands;
	for (size_t i = 0; i < count; i++)
		operands[cli->operand_count++] =
		    (char *)cli_printf(cli, "%.*s%s", slash == NULL ? 0 : (int)(slash + 1 - word), word, name[i]);
	anim_buffer_clear(&names);
}

/* Read the arguments, or if they are NULL, the words of cli->arguments. */
static void read_options(struct cli *cli, const struct cli_argument *arguments)
{
	char *none = NULL;
	struct cli_rows rows;
	struct words words = {.rows = &rows,
			      .arguments = arguments,
			      .next = arguments != NULL ? &none : cli->arguments,
			      .operands_end = (cli->program->flags & CLI_DISPATCHES) != 0};
	struct cli_given *given, one;
	enum found found;
	size_t room = (size_t)cli->argument_count + 1;

	/* Letters may be joined, as in -qv. */
	for (int i = 0; i < cli->argument_count && arguments == NULL; i++)
		room += cli->arguments[i][0] == '-' ? strlen(cli->arguments[i]) : 0;
	cli->given = given = anim_arena_zeroed(&cli->arena, room, sizeof *given, NULL);
	cli_rows_of(cli->program, &rows);
	cli->operands = anim_arena_zeroed(&cli->arena, (size_t)cli->argument_count + 1, sizeof *cli->operands, NULL);
	if (given == NULL || cli->operands == NULL)
		cli_no_memory(cli);
	while ((found = read_word(&words, &one)) != FOUND_END) {
		if (found == FOUND_OPERAND) {
			add_operand(cli, words.word);
			continue;
		}
		if (found == FOUND_UNKNOWN && arguments != NULL)
			words.word = cli_printf(cli, "--%s", words.word);
		if (found != FOUND_OPTION)
			refuse(cli, &words, found, &one);
		if (one.row == &help_row || one.row == &version_row || one.row == &completion_row)
			leave_by(cli, &one, *words.next);
		if (one.row == &rows.set)
			one = read_set(cli, &rows, one.value);
		store(cli, &one);
		given[cli->given_count++] = one;
	}
	while (*words.next != NULL)
		add_operand(cli, *words.next++);
	record_provenance(cli);
}

static void check_operands(const struct cli *cli)
{
	const struct cli_program *program = cli->program;
	const char *first = cli->operand_count > 0 ? cli->operands[0] : "";

	for (size_t i = 0; i < program->option_count; i++)
		if (program->options[i].letter == 'e' && strncmp(first, "s/", 2) == 0 && !anim_is_file(first))
			cli_usage(cli, "unexpected operand '%s'; did you mean -e '%s'?", first, first);
	if (cli->operand_count < program->least_operands)
		cli_usage(cli, "missing operand");
	/* The name of an output is typed like an input, before or after it. */
	if ((program->flags & CLI_HAS_OUTPUT) && program->most_operands == 1 && cli->operand_count == 2 &&
	    anim_is_file(first) != anim_is_file(cli->operands[1])) {
		const char *output = cli->operands[anim_is_file(first)];

		cli_usage(cli, "unexpected operand '%s'; did you mean -o %s?", output, output);
	}
	if (program->most_operands >= 0 && cli->operand_count > program->most_operands)
		cli_usage(cli, "unexpected operand '%s'", cli->operands[program->most_operands]);
}

/* ---- The two lines of a wrong command line ---- */

void cli_refuse(const struct cli *cli, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	cli_message(cli, NULL, NULL, text);
	cli_leave(cli, cli_failure(cli));
}

void cli_usage(const struct cli *cli, const char *format, ...)
{
	const struct cli *typed = cli_typed(cli);
	char text[1024], advised[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	cli_advise(cli, text, advised, sizeof advised);
	cli_message(typed, NULL, NULL, advised);
	if (typed->host == NULL)
		fprintf(stderr, "usage: %s %s\n", typed->program->name, typed->program->usage);
	cli_leave(typed, CLI_USAGE);
}

/* ---- Time ranges as people type them ---- */

#define LONGEST 32u /* characters of a time */

/* Read a number that has exactly `length` characters. */
static bool read_number(const char *text, size_t length, double *value)
{
	return length > 0 && length <= LONGEST && strspn(text, "0123456789.") >= length &&
	       anim_number_typed(text, length, value) == length;
}

/* Read a time of `length` characters: seconds, or two or three parts of which only the first may be 60 or more. */
static bool read_time(const char *text, size_t length, double *time_s)
{
	bool negative = length > 0 && text[0] == '-';
	const char *at = text + negative, *end = text + length;
	double sum = 0, part;

	for (unsigned parts = 1; parts <= 3; parts++) {
		const char *colon = memchr(at, ':', (size_t)(end - at));
		size_t size = (size_t)((colon == NULL ? end : colon) - at);

		if (!read_number(at, size, &part) || (colon != NULL && memchr(at, '.', size) != NULL) ||
		    (parts > 1 && part >= 60))
			return false;
		sum = sum * 60 + part;
		if (colon == NULL) {
			*time_s = negative ? -sum : sum;
			return true;
		}
		at = colon + 1;
	}
	return false;
}

/*
 * Read a time in seconds, a frame such as 12f, or nothing for an open end. The letter of the unit is appended to
 * `units`.
 */
static bool read_end(const char *text, size_t length, double open, double *end, char *units)
{
	bool negative = length > 0 && text[0] == '-';

	*end = open;
	if (length == 0)
		return true;
	if (text[length - 1] != 'f') {
		strcat(units, "s");
		return read_time(text, length, end);
	}
	strcat(units, "f");
	if (!read_number(text + negative, length - negative - 1, end))
		return false;
	*end = negative ? -*end : *end;
	return true;
}

int cli_time_range_parse(const char *text, struct anim_time_range *range, struct anim_error *error)
{
	const char *dots = strstr(text, "..");
	char units[3] = "";

	/* "1...5" could be ".." and ".5", or a mistyped ".." */
	if (dots == NULL || strcmp(text, "..") == 0 || dots[2] == '.' ||
	    !read_end(text, (size_t)(dots - text), -(double)INFINITY, &range->from, units) ||
	    !read_end(dots + 2, strlen(dots + 2), (double)INFINITY, &range->to, units) ||
	    (units[1] != '\0' && units[1] != units[0]))
		return anim_fail(error, ANIM_BAD_INPUT,
				 "'%.100s' is not a range of time; write FROM..TO in seconds, as h:mm:ss or in frames, "
				 "with one left out for the clip's own: 12..14.5, 0:12:00..0:12:02, 360f..435f, 12..",
				 text);
	range->given = true;
	range->frames = units[0] == 'f';
	if (range->from > range->to)
		return anim_fail(error, ANIM_BAD_INPUT, "the range '%.100s' ends before it begins", text);
	return 0;
}

/* ---- Start of a program ---- */

void cli_start(struct cli *cli, const struct cli_program *program, void *options, int argc, char **argv)
{
	cli_start_call(cli, &(struct cli_call){.argc = argc, .argv = argv}, program, options);
}

void cli_start_call(struct cli *cli, const struct cli_call *call, const struct cli_program *program, void *options)
{
	const struct cli_argument *argument = call->arguments;

	*cli = (struct cli){
	    .front = call->front,
	    .host = call->host,
	    .advisor = {{cli_words}, cli},
	    .program = program,
	    .options = options,
	};
	if (argument == NULL) {
		cli->arguments = anim_arena_zeroed(&cli->arena, (size_t)call->argc + 1, sizeof *call->argv, NULL);
		if (cli->arguments == NULL)
			cli_no_memory(cli);
		for (int i = 1; i < call->argc; i++)
			cli->arguments[cli->argument_count++] = call->argv[i];
	} else
		while (argument[cli->argument_count].name != NULL || argument[cli->argument_count].value != NULL)
			cli->argument_count++;
	(void)pthread_once(&formats_listed, list_formats);
	read_options(cli, argument);
	cli->diagnostics.strict = cli->options->strict;
	check_operands(cli);
}
