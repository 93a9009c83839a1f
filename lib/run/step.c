/* step.c: runs programs as steps of a chain. anim-convert makes long chains. */
#include "run/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "run/source.h"
#include "run/steps.h"
#include "stream/stream.h"

/* Return the initial job of a kind, before its options are read, or NULL if out of memory. */
static void *new_job(const struct step_kind *kind, struct anim_error *error)
{
	void *job = anim_zeroed(kind->size, error);

	if (job != NULL && kind->defaults != NULL)
		memcpy(job, kind->defaults, kind->size);
	return job;
}

int step_start(struct step *step, const struct step_kind *kind, const struct cli_call *call, struct anim_error *error)
{
	*step = (struct step){.kind = kind, .cli = &step->own, .job = new_job(kind, error)};
	step->own.program = kind->command_line; /* needed by the message about memory */
	step->own.options = &step->common;
	step->own.front = call->front;
	step->own.host = call->host;
	if (step->job == NULL)
		return -1;
	cli_start_call(step->cli, call, kind->command_line, step->job);
	memcpy(&step->common, step->job, sizeof step->common);
	step->cli->options = &step->common; /* the job is freed before the last message */
	return kind->begin == NULL ? 0 : kind->begin(step->cli, step->job, error);
}

void step_clear(struct step *step)
{
	anim_sink_free(step->sink);
	if (step->kind != NULL && step->kind->clear != NULL && step->job != NULL)
		step->kind->clear(step->job);
	anim_output_free(step->own.report);
	free(step->job);
	step->sink = NULL;
	step->job = NULL;
	step->own.report = NULL;
}

/* ---- The step that writes the output ---- */

/*
 * Append a step that writes the result of the last one. It shares the command line and the messages of that step.
 * Returns 0 or -1.
 */
static int add_writer(struct step *steps, size_t *count, struct anim_error *error)
{
	static const char *const archives[] = {".gz"};
	struct step *last = &steps[*count - 1], *writer = last + 1;
	const char *output = last->cli->options->output;
	const struct anim_format *format = output == NULL ? NULL : anim_format_to_write(output);
	const struct step_kind *kind = &stream_writer;

	if (output != NULL && anim_path_has_suffix(output, archives, 1))
		kind = &program_pack;
	else if (format != NULL && format->sort != ANIM_FORMAT_STREAM)
		kind = &program_emit;

	*writer = (struct step){.kind = kind, .cli = last->cli, .job = new_job(kind, error)};
	(*count)++;
	if (writer->job == NULL)
		return -1;
	memcpy(writer->job, last->cli->options, sizeof(struct cli_common));
	return kind->begin == NULL ? 0 : kind->begin(writer->cli, writer->job, error);
}

/* ---- The sinks, built from the last step to the first ---- */

static int make(struct step *steps, size_t count, struct anim_error *error)
{
	struct anim_sink *next = NULL;

	for (size_t i = count; i-- > 0;) {
		struct step *step = &steps[i], *before = i == 0 ? NULL : step - 1;
		/* A writer that was appended has the messages of the step before it, and the scopes that this step gets. */
		struct anim_diagnostics *diagnostics = step->cli == &step->own ? &step->cli->diagnostics : NULL;
		struct anim_stream_writer_options options;

		step->sink = step->kind->make == NULL ? next : step->kind->make(step->cli, step->job, next, error);
		if (step->sink == NULL)
			return -1;
		/* The step before this one adds its own prog record after those of the steps before it. */
		if (before != NULL)
			options =
			    (struct anim_stream_writer_options){.own = before->kind->no_own ? NULL : &before->cli->prog,
								.no_provenance = before->cli->options->no_provenance,
								.changes = !before->kind->changes_nothing,
								.diagnostics = &before->cli->diagnostics};
		next =
		    anim_boundary_init(&step->before, before == NULL ? NULL : &options, diagnostics, NULL, step->sink);
	}
	return 0;
}

/* ---- A run ---- */

/* Readers of formats set the scope of messages themselves. For a stream, the scope sink sets it. */
static int read_file(struct step *first, bool heads, struct anim_error *error)
{
	struct anim_load_options options;
	struct anim_input *input;
	int result = cli_open_input(first->cli, cli_file(first->cli), &input, error), stream;

	source_options_init(&options, first->cli);
	options.streams = true;
	options.names_clips = true;
	options.heads = heads;
	options.read.bvh.unit_option = ANIM_OPTION("parse", "unit");
	if (result == 0) {
		first->before.input = anim_input_is_pipe(input) ? NULL : anim_input_name(input);
		stream = source_is_stream(input, error);
		result =
		    stream < 0 ? -1 : anim_load(input, &options, stream ? &first->before.sink : first->sink, error);
	}
	if (result == 0)
		result = anim_sink_end(&first->before.sink, error);
	anim_input_close(input); /* messages at the end still use its name */
	return result;
}

static int commit(struct step *steps, size_t count, struct anim_error *error)
{
	struct step *last = &steps[count - 1];
	struct anim_output *reports[STEPS_MAX];
	size_t report_count = 0;
	bool selects = false;

	last->cli->reader = steps[0].cli;
	for (size_t i = 0; i < count; i++) {
		struct step *step = &steps[i];

		selects |= step->kind == &program_filter || step->kind == &program_unpack;
		last->cli->retargets |= step->kind == &program_retarget;
		if (step->kind->report != NULL && step->kind->report(step->cli, step->job, error) != 0)
			return -1;
		if (step->own.report != NULL)
			reports[report_count++] = step->own.report;
		step->own.report = NULL;
	}
	last->cli->retargets &= !selects;
	return last->kind->commit(last->cli, last->job, reports, report_count, error);
}

#ifndef NDEBUG
static void print_sink(const struct anim_sink *sink)
{
	fprintf(stderr, "sink %s: %lu trees, %lu nodes, %lu clips, %lu tracks, %lu records\n",
		sink->file == NULL ? "(part of another)" : sink->file, sink->trees, sink->nodes, sink->clips,
		sink->tracks, sink->records);
}
#endif

int step_run(struct step *steps, size_t *count, struct anim_error *error)
{
	struct step *first = &steps[0];
	const bool *failed = NULL;
	bool heads;
#ifndef NDEBUG
	anim_sink_trace = getenv("ANIM_TRACE") == NULL ? NULL : print_sink;
#endif
	if (steps[*count - 1].kind->commit == NULL && add_writer(steps, count, error) != 0)
		return -1;
	if (make(steps, *count, error) != 0)
		return -1;
	heads = steps[*count - 1].kind == &stream_writer; /* every step needs only the heads of tracks */
	for (size_t i = 0; i + 1 < *count; i++)
		heads = heads && (steps[i].kind->command_line->flags & CLI_READS_HEADS) != 0;
	/* Without filters of the first step, its sink is the boundary of the next one. */
	if (*count > 1 && first->sink == &steps[1].before.sink)
		failed = &steps[1].before.failed;
	if (first->kind->read == NULL
		? read_file(first, heads, error) != 0
		: first->kind->read(first->cli, first->job, heads, first->sink, failed, error) != 0 ||
		      anim_sink_end(first->sink, error) != 0)
		return -1;
	return commit(steps, *count, error);
}

int step_finish(struct step *steps, size_t count, struct cli *printer, const struct anim_error *error)
{
	bool is_reported = false;

	/* An error comes from the last step that it passed, or from the reader. Advices are for that step. */
	for (size_t i = 0; i < count; i++)
		if (i == 0 || steps[i].before.failed)
			printer->advisor.cli = steps[i].cli;
	for (size_t i = 0; i < count; i++) {
		struct step *step = &steps[i];

		step_clear(step);
		if (step->cli != &step->own)
			continue;
		if (error == NULL) {
			(void)cli_finish(step->cli, NULL);
			continue;
		}
		/* The warnings of the reader may name the cause, such as a file that was not found. */
		if (i == 0 && count > 1 && error->code != ANIM_STRICT)
			cli_warn(step->cli);
		is_reported = cli_explain(step->cli, error) || is_reported;
		cli_clear(step->cli);
	}
	if (!is_reported)
		return cli_finish(printer, error);
	(void)cli_finish(printer, NULL);
	return cli_failure(printer);
}

int step_single(struct step *steps, const struct step_kind *kind, const struct cli_call *call)
{
	struct anim_error error = {0};
	size_t count = 1;
	int result = step_start(&steps[0], kind, call, &error);

	if (result == 0)
		result = kind->alone == NULL ? 1 : kind->alone(steps[0].cli, steps[0].job, &error);
	if (result == 1)
		result = step_run(steps, &count, &error);
	for (size_t i = 0; i < count; i++)
		step_clear(&steps[i]);
	return cli_finish(steps[0].cli, result == 0 ? NULL : &error);
}

int step_main(const struct step_kind *kind, int argc, char **argv)
{
	struct step steps[2];

	return step_single(steps, kind, &(struct cli_call){.argc = argc, .argv = argv});
}

/* ---- The kind of step that writes a stream ---- */

int step_commit(struct cli *cli, struct anim_output *output, struct anim_output **reports, size_t count,
		struct anim_error *error)
{
	struct anim_output *outputs[STEPS_MAX + 1];
	int result;

	memcpy(outputs, reports, count * sizeof *outputs);
	outputs[count] = output;
	result = cli_commit(cli, outputs, count + 1, error);
	for (size_t i = 0; i < count; i++)
		anim_output_free(reports[i]);
	return result;
}

struct stream_job {
	struct cli_common common;
	struct anim_output *output;
};

static struct anim_sink *make_stream(struct cli *cli, void *context, struct anim_sink *next, struct anim_error *error)
{
	struct stream_job *job = context;

	(void)next;
	return cli_open_stream(cli, &job->output, error) != 0 ? NULL : anim_stream_writer_new(job->output, NULL, error);
}

static int commit_stream(struct cli *cli, void *context, struct anim_output **reports, size_t count,
			 struct anim_error *error)
{
	return step_commit(cli, ((struct stream_job *)context)->output, reports, count, error);
}

static void clear_stream(void *context)
{
	anim_output_free(((struct stream_job *)context)->output);
}

const struct step_kind stream_writer = {
    .size = sizeof(struct stream_job), .make = make_stream, .commit = commit_stream, .clear = clear_stream};
