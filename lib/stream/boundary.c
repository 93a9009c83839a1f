/* boundary.c: the sink between two programs of a chain: adds and drops records for one, and sets scopes for the other. */
#include "stream/boundary.h"

#include <stdlib.h>
#include <string.h>

#include "stream/record.h"

/* Return the result of the next sink, and note a failure. */
static int note(struct anim_boundary *b, int result)
{
	b->failed = b->failed || result != 0;
	return result;
}

/* Write the own prog before the first record that is not a prog, after the progs of the input. */
static int write_own(struct anim_boundary *b, struct anim_error *error)
{
	bool wanted =
	    !b->own_written && b->options.own != NULL && b->options.own->program != NULL && !b->options.no_provenance;
	struct anim_record record;

	b->dropping = false;
	b->own_written = true;
	if (!wanted)
		return 0;
	if (anim_encode_prog(&b->small, b->options.own, error) != 0)
		return -1;
	anim_record_at(b->small.data, 0, &record);
	return note(b, anim_sink_record(b->next, &record, error));
}

/* Clips of a later TREE may be from another file. The file of clips without a TREE is unknown. */
static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_boundary *b = (struct anim_boundary *)sink;
	const char *file = tree->source_file[0] != '\0' ? tree->source_file : b->input;

	if (write_own(b, error) != 0)
		return -1;
	if (b->diagnostics != NULL && (b->tree = anim_diagnostics_enter(b->diagnostics, file, NULL, error)) == NULL)
		return -1;
	return note(b, anim_sink_tree(b->next, tree, error));
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_boundary *b = (struct anim_boundary *)sink;

	return write_own(b, error) != 0 ? -1 : note(b, anim_sink_node(b->next, node, error));
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_boundary *b = (struct anim_boundary *)sink;
	const char *file = anim_clip_file(clip, b->tree == NULL ? NULL : b->tree->file);

	if (write_own(b, error) != 0)
		return -1;
	if (b->diagnostics != NULL) {
		if (file[0] == '\0')
			file = b->input;
		if (b->clip != NULL && (b->clip->file == NULL || file == NULL))
			b->several = b->several || b->clip->file != file;
		else if (b->clip != NULL)
			b->several = b->several || strcmp(b->clip->file, file) != 0;
		if ((b->clip = anim_diagnostics_enter(b->diagnostics, file, clip->name, error)) == NULL)
			return -1;
	}
	return note(b, anim_sink_clip(b->next, clip, error));
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_boundary *b = (struct anim_boundary *)sink;

	if (write_own(b, error) != 0)
		return -1;
	if (b->diagnostics != NULL)
		b->diagnostics->scope = b->clip;
	return note(b, anim_sink_track(b->next, track, error));
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct anim_boundary *b = (struct anim_boundary *)sink;
	/* other records than in the input make offsets and totals wrong */
	bool changes = b->options.changes || b->options.own != NULL || b->options.no_provenance;
	bool describes = record->tag[1] >= 'A' && record->tag[1] <= 'Z';

	if (anim_record_is(record, "prog")) {
		b->dropping = b->options.no_provenance;
	} else if (anim_record_is(record, "iNDX")) {
		if (write_own(b, error) != 0)
			return -1;
		b->dropping = changes;
	} else if (describes && changes) {
		return 0;
	}
	return b->dropping ? 0 : note(b, anim_sink_record(b->next, record, error));
}

/* Messages at the end are about the complete input. Filters that held a clip back know its scope. */
static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct anim_boundary *b = (struct anim_boundary *)sink;
	const char *file = b->several ? NULL : b->clip == NULL ? b->input : b->clip->file;

	if (anim_diagnostics_check(b->options.diagnostics, error) != 0 || write_own(b, error) != 0)
		return -1;
	if (b->diagnostics != NULL && anim_diagnostics_enter(b->diagnostics, file, NULL, error) == NULL)
		return -1;
	return note(b, anim_sink_end(b->next, error));
}

static void on_free(struct anim_sink *sink)
{
	anim_buffer_clear(&((struct anim_boundary *)sink)->small);
}

static void free_all(struct anim_sink *sink)
{
	struct anim_boundary *b = (struct anim_boundary *)sink;

	anim_sink_free(b->next);
	anim_buffer_clear(&b->small);
	free(b);
}

struct anim_sink *anim_boundary_init(struct anim_boundary *b, const struct anim_stream_writer_options *options,
				     struct anim_diagnostics *diagnostics, const char *input, struct anim_sink *next)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};

	*b = (struct anim_boundary){.sink.ops = &ops, .next = next, .diagnostics = diagnostics, .input = input};
	if (options != NULL)
		b->options = *options;
#ifndef NDEBUG
	b->sink.file = __FILE__;
#endif
	return &b->sink;
}

struct anim_sink *anim_boundary_new(const struct anim_stream_writer_options *options, struct anim_sink *next,
				    struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, free_all};
	struct anim_boundary *b = anim_sink_new(sizeof *b, &ops, error);

	if (b == NULL) {
		anim_sink_free(next);
		return NULL;
	}
	b->next = next;
	b->options = *options;
	return &b->sink;
}
