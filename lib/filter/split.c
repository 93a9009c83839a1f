/* split.c: one sink for every clip of a stream, each with the provenance of all. */
#include "filter/split.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "stream/record.h"

struct split {
	struct anim_filter filter; /* its next is a pick */
	struct anim_pick_options options;
	struct anim_buffer progs; /* and records of other tags that stand among them */
	bool begun;               /* something but those came */
};

/* The caller's sink for a clip, with the provenance in it. */
static struct anim_sink *make(void *context, const struct anim_clip *clip, struct anim_error *error)
{
	const struct split *split = context;
	struct anim_sink *sink = split->options.make(split->options.context, clip, error);
	struct anim_record record;

	for (size_t at = 0; sink != NULL && at < split->progs.size; at += record.size) {
		anim_record_at(split->progs.data + at, at, &record);
		if (anim_sink_record(sink, &record, error) != 0) {
			anim_sink_free(sink);
			return NULL;
		}
	}
	return sink;
}

static int finish(void *context, struct anim_error *error)
{
	const struct split *split = context;

	return split->options.finish(split->options.context, error);
}

static int saw_tree(void *context, const struct anim_tree *tree, struct anim_error *error)
{
	const struct split *split = context;

	return split->options.saw_tree == NULL ? 0 : split->options.saw_tree(split->options.context, tree, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	((struct split *)sink)->begun = true;
	return anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	((struct split *)sink)->begun = true;
	return anim_filter_clip(sink, clip, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct split *split = (struct split *)sink;

	if (memcmp(record->tag, "iNDX", 4) == 0)
		return 0;
	if (memcmp(record->tag, "prog", 4) == 0 || (split->progs.size > 0 && !split->begun))
		return anim_buffer_append(&split->progs, record->bytes, record->size, error);
	return anim_filter_record(sink, record, error);
}

static void on_free(struct anim_sink *sink)
{
	anim_buffer_clear(&((struct split *)sink)->progs);
	anim_filter_free(sink);
}

struct anim_sink *anim_split_new(const struct anim_pick_options *options, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree,   anim_filter_node, on_clip, anim_filter_track,
						 on_record, anim_filter_end,  on_free};
	struct split *split = calloc(1, sizeof *split);
	struct anim_pick_options pick = *options;

	if (split == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	split->options = *options;
	pick.each = true;
	pick.clip = NULL;
	pick.format = "stream";
	pick.make = make;
	pick.finish = finish;
	pick.saw_tree = saw_tree;
	pick.context = split;
	split->filter.sink.ops = &ops;
	split->filter.next = anim_pick_new(&pick, error);
	if (split->filter.next == NULL) {
		free(split);
		return NULL;
	}
	return &split->filter.sink;
}
