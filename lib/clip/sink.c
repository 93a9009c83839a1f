/* sink.c: calls the functions of a sink, some of which may be missing. */
#include "clip/sink.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/progress.h"

#ifdef NDEBUG
#define COUNT(sink, what) ((void)0)
#else
#define COUNT(sink, what) ((sink)->what++)

void *anim_sink_made_by(void *sink, const char *file)
{
	if (sink != NULL)
		((struct anim_sink *)sink)->file = file;
	return sink;
}

void (*anim_sink_trace)(const struct anim_sink *);
#endif

void *(anim_sink_new)(size_t size, const struct anim_sink_ops *ops, struct anim_error *error)
{
	struct anim_sink *sink = anim_zeroed(size, error);

	if (sink != NULL)
		sink->ops = ops;
	return sink;
}

int anim_sink_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	COUNT(sink, trees);
	return sink->ops->tree == NULL ? 0 : sink->ops->tree(sink, tree, error);
}

int anim_sink_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	COUNT(sink, nodes);
	return sink->ops->node == NULL ? 0 : sink->ops->node(sink, node, error);
}

int anim_sink_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	COUNT(sink, clips);
	return sink->ops->clip == NULL ? 0 : sink->ops->clip(sink, clip, error);
}

int anim_sink_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	COUNT(sink, tracks);
	if (anim_progress_report(error) != 0)
		return -1;
	return sink->ops->track == NULL ? 0 : sink->ops->track(sink, track, error);
}

int anim_sink_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	COUNT(sink, records);
	return sink->ops->record == NULL ? 0 : sink->ops->record(sink, record, error);
}

int anim_sink_end(struct anim_sink *sink, struct anim_error *error)
{
#ifndef NDEBUG
	if (anim_sink_trace != NULL)
		anim_sink_trace(sink);
#endif
	return sink->ops->end == NULL ? 0 : sink->ops->end(sink, error);
}

void anim_sink_free(struct anim_sink *sink)
{
	if (sink != NULL && sink->ops->free != NULL)
		sink->ops->free(sink);
	else
		free(sink);
}
