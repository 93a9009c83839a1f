/* anim-lint.c: finds problems of an animation, in any player or in a certain one. */
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/count.h"
#include "base/system.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/cli.h"
#include "filter/lint/lint.h"
#include "format/format.h"
#include "programs.h"
#include "run/folder.h"
#include "run/source.h"

struct options {
	struct cli_common common;
	struct cli_texts clips, ignored;
	const char *target; /* NULL: no certain player */
	unsigned feet;      /* UINT_MAX: not checked */
	int form;
	bool json, loop_seam;
};

/* In the order of enum anim_lint_form. */
static const char *const forms[] = {"text", "json", "sarif", "github", NULL};

/* Engines as targets: from ANIM_LINT_RESONITE on. Other targets are formats. */
static const char *const engines[] = {"resonite", "unity", "godot", "gltf"};

static const struct cli_option rows[] = {
    {'c', "clip", "CLIP", "use only clips with this name: a glob, or PLAYER:NAME; can be repeated", CLI_TEXTS,
     AT(clips), NULL, false},
    {0, "feet", "PERCENT", "report feet that slide, float or sink farther than this part of the leg", CLI_COUNT,
     AT(feet), NULL, false},
    {0, "for", "TARGET",
     "also report the losses of a conversion to resonite, unity, godot, gltf or a format that anim-emit writes",
     CLI_TEXT, AT(target), NULL, false},
    {0, "format", "FORM", "print the findings as:", CLI_CHOICE, AT(form), forms, false},
    {0, "ignore", "KIND",
     "ignore findings of these kinds: KIND,KIND; KIND:GLOB only for matching nodes, clips or files", CLI_TEXTS,
     AT(ignored), NULL, false},
    {0, "loop-seam", NULL, "report tracks of looping clips that do not end where they start", CLI_FLAG, AT(loop_seam),
     NULL, false},
    {0, "json", NULL, "print one JSON document; the same as --format json", CLI_FLAG, AT(json), NULL, false},
};
static const char *const examples[] = {"anim-lint --for resonite walk.animj", "anim-lint --json *.tscn",
				       "anim-lint Assets", "anim-axes resonite walk.tscn | anim-lint --for resonite",
				       NULL};
static const struct cli_program program = {.name = "anim-lint",
					   .summary = "finds problems in animation before an engine does",
					   .usage = "[OPTION...] [FILE...]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_FINDS,
					   .most_operands = -1};

/* Earlier ids of losses of a conversion. */
static const char *const retired[] = {"clip-name",     "humanoid", "loop-lost",     "mode",
				      "ease",          "ends",     "type",          "value-range",
				      "rest-relative", "disabled", "property-gone", "modes"};

/* Return the rule with this id. If it is unknown, exit with the nearest id or a list. */
static unsigned find_rule(const struct cli *cli, const char *id)
{
	const char *ids[ANIM_LINT_RULES_MAX], *near;
	char list[1024];
	unsigned found = 0;

	for (unsigned i = 0; i < ANIM_LINT_RULES_MAX; i++)
		ids[i] = anim_lint_rules[i].id;
	while (ids[found] != NULL && strcasecmp(ids[found], id) != 0)
		found++;
	for (size_t i = 0; ids[found] == NULL && i < ANIM_COUNT(retired); i++)
		if (strcasecmp(retired[i], id) == 0)
			return find_rule(cli, "lost");
	if (ids[found] != NULL)
		return found;
	near = cli_nearest(id, ids);
	if (near != NULL)
		cli_usage(cli, "--ignore: unknown kind of finding '%s'; did you mean %s?", id, near);
	cli_list_words(ids, list, sizeof list);
	cli_usage(cli, "--ignore: unknown kind of finding '%s'; known are %s", id, list);
}

/*
 * Add the findings to ignore to the buffer and to the options, given as "mode", "mode,ease" or "mode:*Hand*". Returns 0 or
 * -1.
 */
static int read_ignored(struct cli *cli, const struct cli_texts *words, struct anim_buffer *ignored,
			struct anim_lint_options *lint, struct anim_error *error)
{
	for (size_t i = 0; i < words->count; i++)
		for (const char *at = words->items[i]; at != NULL; at = *at == ',' ? at + 1 : NULL) {
			size_t size = strcspn(at, ",");
			char *word = anim_arena_text(&cli->arena, at, size, error), *colon;
			struct anim_lint_ignored *one = anim_buffer_extend(ignored, sizeof *one, error);

			if (word == NULL || one == NULL)
				return -1;
			colon = strchr(word, ':');
			if (colon != NULL)
				*colon = '\0';
			one->rule = find_rule(cli, word);
			one->glob = colon == NULL ? NULL : colon + 1;
			at += size;
		}
	lint->ignored = (const struct anim_lint_ignored *)(const void *)ignored->data;
	lint->ignored_count = ignored->size / sizeof *lint->ignored;
	return 0;
}

/* Input goes to `first`. It is the lint itself, or a filter that owns the lint if only some clips are checked. */
struct sinks {
	struct anim_sink *first, *lint;
	const struct anim_format *format; /* of the target; NULL: none */
};

/* Check one file. *trouble is set if it could not be read to its end. Returns 0, or -1 if the run must end. */
static int lint_file(struct cli *cli, const struct anim_load_options *source, const char *path,
		     const struct sinks *sinks, bool *trouble, struct anim_error *error)
{
	struct anim_error failure = {0};
	struct step trial = {.kind = NULL};
	int result = sinks->format == NULL ? 0 : emit_try(&trial, sinks->format, error);
	bool failed;

	if (result == 0)
		result = anim_lint_begin_file(sinks->lint, path == NULL ? "-" : path, trial.sink,
					      trial.kind == NULL ? NULL : &trial.cli->diagnostics, error);
	failed = result == 0 && source_read(cli, source, path, sinks->first, &failure) != 0;
	/* These make it useless to read further files. */
	if (failed &&
	    (anim_lint_is_broken(sinks->lint) || failure.code == ANIM_NO_MEMORY || failure.code == ANIM_CLOSED)) {
		*error = failure;
		result = -1;
	}
	if (result == 0) {
		if (failed && !anim_lint_is_fault(&failure)) {
			cli_progress_clear(cli);
			cli_message(cli, NULL, &failure, failure.message);
		}
		*trouble = *trouble || failed || cli->diagnostics.faults > 0;
		result = anim_lint_end_file(sinks->lint, &cli->diagnostics, failed ? &failure : NULL, error);
		anim_diagnostics_clear(&cli->diagnostics);
	}
	if (trial.kind != NULL) {
		step_clear(&trial);
		cli_clear(trial.cli);
	}
	return result;
}

/* Check all files with animation below a folder, sorted by name, and say how many have findings. */
static int lint_folder(struct cli *cli, const struct anim_load_options *source, const char *path,
		       const struct sinks *sinks, bool *trouble, struct anim_error *error)
{
	struct anim_buffer files = {0};
	struct folder_walk *walk = folder_walk_new(cli, "", "", &files, error);
	int result = walk == NULL ? -1 : folder_walk_below(walk, path);
	const struct folder_file *file = (const struct folder_file *)(const void *)files.data;
	size_t found = 0;

	folder_walk_free(walk);
	if (result == 0 && files.size == 0) {
		struct anim_error failure = {0};

		anim_fail(&failure, ANIM_BAD_INPUT, "the folder has no files with animation");
		anim_error_in_file(&failure, path);
		cli_message(cli, NULL, &failure, failure.message);
		*trouble = true;
	}
	for (size_t i = 0; i < files.size / sizeof *file && result == 0; i++) {
		const size_t before = anim_lint_findings(sinks->lint);

		result = lint_file(cli, source, file[i].in, sinks, trouble, error);
		found += anim_lint_findings(sinks->lint) > before;
	}
	if (result == 0 && files.size > 0 && !cli->options->quiet)
		cli_message(cli, NULL, NULL,
			    cli_printf(cli, "%s: %zu files checked, %zu with findings", path, files.size / sizeof *file,
				       found));
	anim_buffer_clear(&files);
	return result;
}

static int run_program(int argc, char **argv)
{
	struct options options = {.feet = UINT_MAX};
	struct anim_load_options source;
	struct anim_lint_options lint = {.target = ANIM_LINT_ANY};
	struct anim_error error = {0};
	struct anim_output *output = NULL;
	struct anim_buffer ignored = {0};
	struct sinks sinks = {.first = NULL};
	bool trouble = false, found, done;
	const char *file;
	struct cli cli;

	cli_start(&cli, &program, &options, argc, argv);
	source_options_init(&source, &cli);
	source.streams = true;
	if (options.target != NULL) {
		sinks.format = cli_target(&cli, "for", options.target);
		lint.target = ANIM_LINT_OTHER;
		lint.target_name = options.target;
		for (unsigned i = 0; i < ANIM_COUNT(engines); i++)
			if (sinks.format->lint != NULL && strcmp(sinks.format->lint, engines[i]) == 0)
				lint.target = ANIM_LINT_RESONITE + i;
	}
	source.read.godot_paths = lint.target == ANIM_LINT_GODOT;

	if (options.json && cli_was_given(&cli, "format") && options.form != ANIM_LINT_JSON)
		cli_usage(&cli, "--json is --format json, and not %s", forms[options.form]);
	/* The suffix of -o names a form if no option does. */
	file = options.common.output != NULL ? options.common.output : "";
	if (options.json || cli_was_given(&cli, "format"))
		lint.form = options.json ? ANIM_LINT_JSON : (enum anim_lint_form)options.form;
	else
		lint.form = anim_text_ends(file, ".sarif")  ? ANIM_LINT_SARIF
			    : anim_text_ends(file, ".json") ? ANIM_LINT_JSON
							    : ANIM_LINT_TEXT;
	lint.advisor = &cli.advisor.advisor;
	lint.version = ANIM_TOOLS_VERSION;
	lint.loop_seam = options.loop_seam;
	lint.feet = options.feet != UINT_MAX;
	lint.feet_percent = options.feet;
	lint.memory_max = cli_store_memory();

	done = read_ignored(&cli, &options.ignored, &ignored, &lint, &error) == 0 &&
	       cli_open_report(&cli, &output, &error) == 0 &&
	       (sinks.lint = anim_lint_new(output, &lint, &error)) != NULL &&
	       (sinks.first = source_pick(sinks.lint, &options.clips, &error)) != NULL;
	for (int i = 0; done && (i < cli.operand_count || i == 0); i++) {
		const char *path = i < cli.operand_count ? cli.operands[i] : NULL;

		done = (path != NULL && anim_is_folder(path)
			    ? lint_folder(&cli, &source, path, &sinks, &trouble, &error)
			    : lint_file(&cli, &source, path, &sinks, &trouble, &error)) == 0;
	}
	done = done && anim_sink_end(sinks.first, &error) == 0 && cli_commit(&cli, &output, 1, &error) == 0;
	found = sinks.first != NULL && anim_lint_findings(sinks.lint) > 0;
	anim_sink_free(sinks.first);
	anim_output_free(output);
	anim_buffer_clear(&ignored);
	if (cli_finish(&cli, done ? NULL : &error) != CLI_DONE || trouble)
		return CLI_TROUBLE;
	return found ? CLI_FOUND : CLI_DONE;
}

const struct step_kind program_lint = {.command_line = &program, .main = run_program};
