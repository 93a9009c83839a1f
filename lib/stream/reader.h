/* reader.h: records out of bytes, proved whole. */
#ifndef ANIM_STREAM_READER_H
#define ANIM_STREAM_READER_H

#include "base/input.h"
#include "clip/sink.h"
#include "stream/record.h"

struct anim_stream_reader;

/*
 * Reads a stream from the input (borrowed; it must be at the stream's first byte). Each record's CRC, order, tag,
 * padding are checked, and END against what came. Nothing is read before the first next.
 */
int anim_stream_reader_new(struct anim_stream_reader **, struct anim_input *, struct anim_error *);

/* 1: the next record but END, borrowed until the next call; 0: END came, was right and the input ended there; -1. */
int anim_stream_next(struct anim_stream_reader *, struct anim_record *, struct anim_error *);
void anim_stream_reader_free(struct anim_stream_reader *);

/*
 * Reads all of it into the sink: decodes tree, node, clip, track; passes other records through record(). Does NOT call
 * end: 0 says END was proven, and the caller does what else must be right before it ends the sink.
 */
int anim_stream_pump(struct anim_stream_reader *, struct anim_sink *, struct anim_error *);

/* The same for sinks that look at heads only: tracks come with ->record and all of the head, but without their columns. */
int anim_stream_pump_heads(struct anim_stream_reader *, struct anim_sink *, struct anim_error *);

/*
 * Reads what stands before the first TREE or CLIP, the prog records, into the sink; NULL: it is passed over. A pump goes
 * on behind them. 0 or -1.
 */
int anim_stream_pump_progs(struct anim_stream_reader *, struct anim_sink *, struct anim_error *);

/* True where bytes (a peeked window of at least 8 bytes) begin a stream. */
bool anim_stream_is(const uint8_t *bytes, size_t size);

#endif
