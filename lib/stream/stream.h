/* stream.h: a stream read into a sink, and the sink that writes one. */
#ifndef ANIM_STREAM_STREAM_H
#define ANIM_STREAM_STREAM_H

#include "base/input.h"
#include "base/output.h"
#include "clip/diagnostics.h"
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

struct anim_stream_writer_options {
	const struct anim_prog *own; /* appended behind upstream's prog records; NULL: none (cat, split, pack) */
	bool no_provenance;          /* drop all prog records */
	/* This program changes records: those that describe others (second letter upper case) are dropped. */
	bool changes;
	const struct anim_diagnostics *diagnostics; /* asked by end() before END is written; NULL: not asked */
};

/*
 * A sink. Unchanged tracks, clips, trees and nodes (->record set) are copied; others are encoded. end() writes END; it
 * does not commit the output (borrowed). With options an anim_stream_pass_new stands in front of it. NULL on failure.
 */
struct anim_sink *anim_stream_writer_new(struct anim_output *, const struct anim_stream_writer_options *,
					 struct anim_error *);

/*
 * A sink in front of `next` (owned, freed on failure too) that passes on what one program gives to the next: it adds and drops
 * records as the options say, and ends only if the diagnostics permit it. NULL on failure. Options are copied, what they point
 * to is borrowed.
 */
struct anim_sink *anim_stream_pass_new(const struct anim_stream_writer_options *, struct anim_sink *next,
				       struct anim_error *);

#endif
