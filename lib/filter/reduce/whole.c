/* whole.c: a stream and its reduced form wait for the end of the input, and the smaller of the two is passed on. */
#include <stdlib.h>

#include "filter/filter.h"
#include "filter/reduce/sinks.h"
#include "filter/resample.h"
#include "stream/store.h"

/* Keeps all records except the provenance and records about other records. */
struct form {
	struct anim_sink sink;
	struct anim_store *store;
	struct anim_buffer places; /* size_t: the number of trees before each clip */
	size_t trees;
};

struct whole {
	struct anim_sink sink;
	struct anim_sink *next, *reduce;
	struct anim_reduce_options options;
	struct form forms[2];                /* unchanged, and reduced */
	struct anim_buffer progs;            /* the provenance of the input, and then of this program */
	struct anim_diagnostics diagnostics; /* of the reduced form */
};

static int form_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct form *form = (struct form *)sink;

	form->trees++;
	return anim_sink_tree(anim_store_sink(form->store), tree, error);
}

static int form_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(anim_store_sink(((struct form *)sink)->store), node, error);
}

static int form_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct form *form = (struct form *)sink;

	if (anim_buffer_append(&form->places, &form->trees, sizeof form->trees, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(form->store), clip, error);
}

static int form_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(anim_store_sink(((struct form *)sink)->store), track, error);
}

static int form_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct form *form = (struct form *)sink;

	if (anim_store_clips(form->store) > 0 || form->trees == 0 || anim_record_is(record, "prog") ||
	    anim_record_is(record, "iNDX") || (record->tag[1] >= 'A' && record->tag[1] <= 'Z'))
		return 0;
	return anim_store_keep_record(form->store, record, error);
}

static void form_free(struct anim_sink *sink)
{
	struct form *form = (struct form *)sink;

	anim_store_free(form->store);
	form->store = NULL;
	anim_buffer_clear(&form->places);
}

/* Push the records in their order. Returns 0 or -1. */
static int form_replay(struct form *form, struct anim_sink *to, struct anim_error *error)
{
	const size_t *places = (const size_t *)(const void *)form->places.data, clips = anim_store_clips(form->store);
	size_t pushed = 0;

	for (size_t i = 0; i <= clips; i++) {
		for (; pushed < (i < clips ? places[i] : form->trees); pushed++)
			if (anim_store_replay_tree(form->store, pushed, to, error) != 0)
				return -1;
		if (i < clips && anim_store_replay(form->store, i, NULL, to, error) != 0)
			return -1;
	}
	return 0;
}

/* Return the bytes of a form in the file, with the provenance so far. 0: unknown. */
static uint64_t count_bytes(struct whole *w, struct form *form)
{
	const struct anim_measure *by = &w->options.measure;
	struct anim_error ignored = {0};
	struct anim_sink *sink = by->begin(by->context, &ignored);
	struct anim_record record;
	bool written = sink != NULL;
	uint64_t count;

	for (size_t at = 0; at < w->progs.size && written; at += record.size) {
		anim_record_at(w->progs.data + at, 0, &record);
		written = anim_sink_record(sink, &record, &ignored) == 0;
	}
	written = written && form_replay(form, sink, &ignored) == 0;
	count = by->end(by->context);
	return written ? count : 0;
}

/* ---- Input, for both forms ---- */

#define PASS(kind)                                                                                                   \
	static int on_##kind(struct anim_sink *sink, const struct anim_##kind *it, struct anim_error *error)         \
	{                                                                                                            \
		struct whole *w = (struct whole *)sink;                                                              \
                                                                                                                     \
		w->diagnostics.scope = w->options.diagnostics->scope;                                                \
		return anim_sink_##kind(&w->forms[0].sink, it, error) != 0 ? -1                                      \
									   : anim_sink_##kind(w->reduce, it, error); \
	}
PASS(tree)
PASS(node)
PASS(clip)
PASS(track)

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct whole *w = (struct whole *)sink;

	if (anim_record_is(record, "prog") && (anim_buffer_append(&w->progs, record->bytes, record->size, error) != 0 ||
					       anim_sink_record(w->next, record, error) != 0))
		return -1;
	return anim_sink_record(&w->forms[0].sink, record, error) != 0 ? -1
								       : anim_sink_record(w->reduce, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct whole *w = (struct whole *)sink;
	uint64_t bytes[2];
	bool smaller;

	w->diagnostics.scope = w->options.diagnostics->scope;
	if (anim_sink_end(w->reduce, error) != 0)
		return -1;
	bytes[0] = count_bytes(w, &w->forms[0]);
	if (anim_encode_prog(&w->progs, w->options.prog, error) != 0)
		return -1;
	bytes[1] = count_bytes(w, &w->forms[1]);
	smaller = bytes[1] > 0 && bytes[1] < bytes[0];
	if (!smaller)
		w->options.prog->program = NULL;
	if (smaller ? anim_diagnostics_join(w->options.diagnostics, &w->diagnostics, error) != 0
		    : anim_diagnostics_note(
			  w->options.diagnostics, NULL, error,
			  w->options.measure.sample_hz > 0
			      ? "all keys are left, because samples with fewer keys would need no less room"
			      : "all keys are left, because an archive with fewer keys would not be "
				"smaller; " ANIM_ADVICE(PACK_TOL)) != 0)
		return -1;
	return form_replay(&w->forms[smaller], w->next, error) != 0 ? -1 : anim_sink_end(w->next, error);
}

static void on_free(struct anim_sink *sink)
{
	struct whole *w = (struct whole *)sink;

	anim_sink_free(w->reduce);
	anim_sink_free(w->next);
	for (int i = 0; i < 2; i++)
		form_free(&w->forms[i].sink);
	anim_buffer_clear(&w->progs);
	anim_diagnostics_clear(&w->diagnostics);
	free(w);
}

struct anim_sink *reduce_whole_new(const struct anim_reduce_options *options, struct anim_sink *next,
				   struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};
	static const struct anim_sink_ops form_ops = {.tree = form_tree,
						      .node = form_node,
						      .clip = form_clip,
						      .track = form_track,
						      .record = form_record,
						      .free = form_free};
	struct whole *w = anim_sink_new(sizeof *w, &ops, error);
	struct anim_reduce_options by_clip = *options;
	struct anim_resample_options sampling = {.rate_num = options->measure.sample_hz, .rate_den = 1};

	if (w == NULL) {
		anim_sink_free(next);
		return NULL;
	}
	w->next = next; /* the reduced form belongs to `reduce` */
	w->options = *options;
	w->diagnostics.units = options->diagnostics->units;
	w->diagnostics.degrees = options->diagnostics->degrees;
	by_clip.measure.whole = false;
	by_clip.diagnostics = &w->diagnostics;
	for (int i = 0; i < 2; i++) {
		w->forms[i].sink.ops = &form_ops;
		w->forms[i].store = anim_store_new(options->store_memory, error);
	}
	if (w->forms[0].store != NULL && w->forms[1].store != NULL)
		w->reduce = anim_reduce_new(&by_clip, &w->forms[1].sink, error);
	sampling.diagnostics = &w->diagnostics;
	if (w->reduce != NULL && sampling.rate_num > 0)
		w->reduce = anim_resample_new(&sampling, w->reduce, error);
	if (w->reduce != NULL)
		return &w->sink;
	on_free(&w->sink);
	return NULL;
}
