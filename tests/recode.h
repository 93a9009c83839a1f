/* recode.h: a filter that makes the sink behind it encode everything anew; for tests and fuzz targets. */
#ifndef ANIM_TESTS_RECODE_H
#define ANIM_TESTS_RECODE_H

#include "clip/sink.h"
#include "stream/stream.h"

/* `next` is borrowed. */
struct recode {
	struct anim_sink sink;
	struct anim_sink *next;
};

static int recode_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_tree copy = *tree;

	copy.record = NULL;
	return anim_sink_tree(((struct recode *)sink)->next, &copy, error);
}

static int recode_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_node copy = *node;

	copy.record = NULL;
	return anim_sink_node(((struct recode *)sink)->next, &copy, error);
}

static int recode_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_clip copy = *clip;

	copy.record = NULL;
	return anim_sink_clip(((struct recode *)sink)->next, &copy, error);
}

static int recode_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track copy = *track;

	copy.record = NULL;
	return anim_sink_track(((struct recode *)sink)->next, &copy, error);
}

static int recode_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return anim_sink_record(((struct recode *)sink)->next, record, error);
}

static int recode_end(struct anim_sink *sink, struct anim_error *error)
{
	return anim_sink_end(((struct recode *)sink)->next, error);
}

static void recode_free(struct anim_sink *sink)
{
	(void)sink;
}

static inline void recode_init(struct recode *recode, struct anim_sink *next)
{
	static const struct anim_sink_ops ops = {recode_tree,   recode_node, recode_clip, recode_track,
						 recode_record, recode_end,  recode_free};

	recode->sink.ops = &ops;
	recode->next = next;
}

/* Reads the stream in `bytes` into the sink and ends it: 0, or -1 with the error. */
static inline int pump_bytes(const void *bytes, size_t size, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_input *input = NULL;
	struct anim_stream_reader *reader = NULL;
	int status = -1;

	if (anim_input_open_memory(&input, bytes, size, "test.axs", error) == 0 &&
	    anim_stream_reader_new(&reader, input, error) == 0)
		status = anim_stream_pump(reader, sink, error);
	if (status == 0)
		status = anim_sink_end(sink, error);
	anim_stream_reader_free(reader);
	anim_input_close(input);
	return status;
}

/* The stream read and written into `output` (memory): copied record by record, or all encoded anew. 0 or -1. */
static inline int rewrite_bytes(const void *bytes, size_t size, const struct anim_stream_writer_options *options,
				bool anew, struct anim_output *output, struct anim_error *error)
{
	struct anim_sink *writer = anim_stream_writer_new(output, options, error);
	struct recode recode;
	int status;

	if (writer == NULL)
		return -1;
	recode_init(&recode, writer);
	status = pump_bytes(bytes, size, anew ? &recode.sink : writer, error);
	anim_sink_free(writer);
	return status;
}

#endif
