/* completion.c: completion files for bash, zsh and fish, made from a table of options. */
#include "cli/command_line.h"

#include <stdio.h>
#include <string.h>

const char *const cli_shell_names[] = {"bash", "zsh", "fish", NULL};

/*
 * Print `text` with a backslash before each character of `special`. `quote` replaces an apostrophe if it is not NULL.
 */
static void print_escaped(const char *text, const char *special, const char *quote)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'' && quote != NULL)
			fputs(quote, stdout);
		else if (strchr(special, *text) != NULL)
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

static void print_words(const char *const *words)
{
	for (size_t i = 0; words[i] != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", words[i]);
}

static void print_operand_words(const struct cli_program *program)
{
	if (program->operand_words != NULL)
		print_words(program->operand_words);
}

static bool takes_file(const struct cli_option *row)
{
	return row->argument != NULL && strstr(row->argument, "FILE") != NULL;
}

/* Not every shell allows a '-' in the name of a function. */
static void print_function_name(const struct cli_program *program)
{
	putchar('_');
	for (const char *at = program->name; *at != '\0'; at++)
		putchar(*at == '-' ? '_' : *at);
}

/* If COMPREPLY is empty, bash itself completes files. */
static void print_bash(const struct cli_program *program, const struct cli_rows *rows)
{
	const char *space = "";

	printf("# Completion of %s in bash, made from its table of options.\n", program->name);
	print_function_name(program);
	fputs("()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]} words= before= other\n\tCOMPREPLY=()\n", stdout);
	/* Words after the name of a program are completed as on that program's own command line. */
	if (program->flags & CLI_DISPATCHES)
		printf("\tif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != help && ${COMP_WORDS[1]} != -* ]]; then\n"
		       "\t\tlocal name=%s-${COMP_WORDS[1]}\n"
		       "\t\tlocal file=${BASH_SOURCE[0]%%/"
		       "*}/$name\n"
		       "\t\t[[ -r $file ]] || return 0\n"
		       "\t\tCOMP_WORDS=(\"$name\" \"${COMP_WORDS[@]:2}\")\n"
		       "\t\tCOMP_CWORD=$((COMP_CWORD - 1))\n"
		       "\t\t. \"$file\" && \"_${name//-/_}\"\n"
		       "\t\treturn\n"
		       "\tfi\n",
		       program->name);
	fputs("\t((COMP_CWORD > 1)) && before=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tif [[ $word == '=' ]]; then\n\t\tword=\n"
	      "\telif [[ $before == '=' ]]; then\n\t\tbefore=${COMP_WORDS[COMP_CWORD - 2]}\n\tfi\n"
	      "\tcase $before in\n",
	      stdout);
	/* "--end) words=...;;" for each option with a list of allowed words. */
	for (size_t i = 0; i < rows->count; i++) {
		const struct cli_option *row = rows->row[i];

		if (row->help == NULL || rows->place[i].is_set || row->kind == CLI_FLAG)
			continue;
		fputs("\t", stdout);
		if (row->letter != '\0')
			printf("-%c | ", row->letter);
		printf("--%s) words='", row->name);
		if (row->kind == CLI_CHOICE)
			print_words(row->choices);
		fputs("' ;;\n", stdout);
	}
	if (program->flags & CLI_DISPATCHES) {
		fputs("\thelp) words='", stdout);
		print_operand_words(program);
		fputs("' ;;\n", stdout);
	}
	fputs("\t*)\n\t\tif [[ $word == -* ]]; then\n\t\t\twords='", stdout);
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->row[i]->help == NULL || rows->place[i].is_set)
			continue;
		if (rows->row[i]->letter != '\0') {
			printf("%s-%c", space, rows->row[i]->letter);
			space = " ";
		}
		printf("%s--%s", space, rows->row[i]->name);
		space = " ";
	}
	fputs("'\n\t\telse\n\t\t\twords='", stdout);
	print_operand_words(program);
	fputs("'\n\t\t\tfor other in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
	      "\t\t\t\t[[ \" $words \" == *\" $other \"* ]] && words=\n"
	      "\t\t\tdone\n\t\tfi\n\t\t;;\n\tesac\n"
	      "\twhile IFS= read -r other; do\n\t\tCOMPREPLY+=(\"$other\")\n"
	      "\tdone < <(compgen -W \"$words\" -- \"$word\")\n}\ncomplete -o bashdefault -o default -F ",
	      stdout);
	print_function_name(program);
	printf(" %s\n", program->name);
}

/* Print one specification for zsh's _arguments, such as '(-o --output)'{-o+,--output=}'[help]:FILE:_files'. */
static void print_zsh_row(const struct cli_option *row, bool many)
{
	const char *equals = row->kind == CLI_FLAG ? "" : "=", *plus = row->kind == CLI_FLAG ? "" : "+";

	fputs(" \\\n\t'", stdout);
	if (many)
		putchar('*');
	else if (row->letter != '\0')
		printf("(-%c --%s)", row->letter, row->name);
	if (row->letter != '\0')
		printf("'{-%c%s,--%s%s}'", row->letter, plus, row->name, equals);
	else
		printf("--%s%s", row->name, equals);
	putchar('[');
	print_escaped(row->help, "\\[]:", "'\\''");
	putchar(']');
	if (row->kind != CLI_FLAG) {
		printf(":%s:", row->argument);
		if (row->kind == CLI_CHOICE) {
			putchar('(');
			print_words(row->choices);
			putchar(')');
		} else {
			fputs(takes_file(row) ? "_files" : " ", stdout);
		}
	}
	putchar('\'');
}

static void print_zsh(const struct cli_program *program, const struct cli_rows *rows)
{
	printf("#compdef %s\n# Completion of %s in zsh, made from its table of options.\n", program->name,
	       program->name);
	if (program->flags & CLI_DISPATCHES)
		fputs("local curcontext=$curcontext state line\n", stdout);
	printf("_arguments -s -S%s", program->flags & CLI_DISPATCHES ? " -C" : "");
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i]->help != NULL && !rows->place[i].is_set)
			print_zsh_row(rows->row[i], rows->row[i]->kind == CLI_TEXTS || rows->row[i] == &rows->set);
	if (program->operand_words != NULL) {
		fputs(" \\\n\t'1: :(", stdout);
		print_words(program->operand_words);
		fputs(")'", stdout);
	} else if (program->first_operand != NULL) {
		printf(" \\\n\t'1:%s: '", program->first_operand);
	}
	fputs(program->flags & CLI_DISPATCHES ? " \\\n\t'(-)*::: :->rest'\n" : " \\\n\t'*: :_files'\n", stdout);
	if (program->flags & CLI_DISPATCHES) {
		fputs("if [[ $state == rest && $line[1] == help ]]; then\n\tcompadd ", stdout);
		print_operand_words(program);
		printf("\nelif [[ $state == rest ]]; then\n\twords=(%s-$line[1] \"$words[@]\")\n\t(( CURRENT++ ))\n"
		       "\t(( $+functions[_$words[1]] )) && _$words[1]\nfi\n",
		       program->name);
	}
}

static void print_fish(const struct cli_program *program, const struct cli_rows *rows)
{
	const char *const *words = program->operand_words;

	printf("# Completion of %s in fish, made from its table of options.\n", program->name);
	for (size_t i = 0; i < rows->count; i++) {
		const struct cli_option *row = rows->row[i];

		if (row->help == NULL || rows->place[i].is_set)
			continue;
		printf("complete -c %s", program->name);
		if (program->flags & CLI_DISPATCHES)
			fputs(" -n __fish_is_first_token", stdout);
		if (row->letter != '\0')
			printf(" -s %c", row->letter);
		printf(" -l %s", row->name);
		if (row->kind == CLI_CHOICE) {
			fputs(" -x -a '", stdout);
			print_words(row->choices);
			putchar('\'');
		} else if (row->kind != CLI_FLAG) {
			fputs(takes_file(row) ? " -r -F" : " -x", stdout);
		}
		fputs(" -d '", stdout);
		print_escaped(row->help, "\\'", NULL);
		fputs("'\n", stdout);
	}
	if (words != NULL) {
		printf("complete -c %s -n 'not __fish_seen_subcommand_from ", program->name);
		print_words(words);
		printf("' %s-a '", program->flags & CLI_DISPATCHES ? "-f " : "");
		print_words(words);
		fputs("'\n", stdout);
	}
	if (program->flags & CLI_DISPATCHES) {
		printf("complete -c %s -n '__fish_seen_subcommand_from help' -f -a '", program->name);
		print_operand_words(program);
		fputs("'\n", stdout);
		printf(
		    "complete -c %s -n 'not __fish_is_first_token; and not __fish_seen_subcommand_from help' "
		    "-f -a '(complete -C \"%s-\"(string join -- \" \" (commandline -opc)[2..-1] \"\")\"$(commandline "
		    "-ct)\")'\n",
		    program->name, program->name);
	}
}

int cli_print_completion(const struct cli_program *program, enum cli_shell shell)
{
	struct cli_rows rows;

	cli_rows_of(program, &rows);
	if (shell == CLI_BASH)
		print_bash(program, &rows);
	else if (shell == CLI_ZSH)
		print_zsh(program, &rows);
	else
		print_fish(program, &rows);
	return ferror(stdout) ? -1 : 0;
}
