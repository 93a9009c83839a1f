/* filter.c: what filters have in common: passing on, and ending together with the sink behind. */
#include "filter/filter.h"

#include <stdlib.h>

static struct anim_sink *next_of(struct anim_sink *sink)
{
	return ((struct anim_filter *)sink)->next;
}

void *anim_filter_new(size_t size, const struct anim_sink_ops *ops, struct anim_sink *next, struct anim_error *error)
{
	struct anim_filter *filter = calloc(1, size);

	if (filter == NULL) {
		anim_fail_memory(error);
		anim_sink_free(next);
		return NULL;
	}
	filter->sink.ops = ops;
	filter->next = next;
	return filter;
}

int anim_filter_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return anim_sink_tree(next_of(sink), tree, error);
}

int anim_filter_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(next_of(sink), node, error);
}

int anim_filter_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(next_of(sink), clip, error);
}

int anim_filter_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(next_of(sink), track, error);
}

int anim_filter_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return anim_sink_record(next_of(sink), record, error);
}

int anim_filter_end(struct anim_sink *sink, struct anim_error *error)
{
	return anim_sink_end(next_of(sink), error);
}

void anim_filter_free(struct anim_sink *sink)
{
	anim_sink_free(next_of(sink));
	free(sink);
}
