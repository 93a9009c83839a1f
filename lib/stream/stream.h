/* stream.h: reads a stream into a sink; a sink that writes a stream. */
#ifndef ANIM_STREAM_STREAM_H
#define ANIM_STREAM_STREAM_H

#include "base/input.h"
#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "stream/record.h"

struct anim_stream_reader;

/*
 * Start reading a stream from the input (borrowed; it must be at the first byte of the stream). CRC, order, tag and
 * padding of each record are checked, and END against all records. Nothing is read before the first next. Returns 0
 * or -1.
 */
int anim_stream_reader_new(struct anim_stream_reader **, struct anim_input *, struct anim_error *);

/*
 * Get the next record except END, borrowed until the next call. Returns 1, 0 after a valid END at the end of the
 * input, or -1.
 */
int anim_stream_next(struct anim_stream_reader *, struct anim_record *, struct anim_error *);
void anim_stream_reader_free(struct anim_stream_reader *);

/*
 * Read everything into the sink: tree, node, clip and track are decoded, and other records go to record(). Does NOT
 * call end: 0 means that END was verified, and the caller makes its remaining checks before it ends the sink.
 */
int anim_stream_pump(struct anim_stream_reader *, struct anim_sink *, struct anim_error *);

/* The same for sinks that need only heads. Tracks have ->record and the complete head, but no columns. */
int anim_stream_pump_heads(struct anim_stream_reader *, struct anim_sink *, struct anim_error *);

/*
 * Read the records before the first TREE or CLIP, the prog records, into the sink; NULL: skip them. A later pump
 * continues after them. Returns 0 or -1.
 */
int anim_stream_pump_progs(struct anim_stream_reader *, struct anim_sink *, struct anim_error *);

/* Return true if the bytes (a peeked window of at least 8 bytes) begin a stream. */
bool anim_stream_is(const uint8_t *bytes, size_t size);

struct anim_stream_writer_options {
	/* appended after the prog records of the input; NULL, or without a program: none (cat, split, pack) */
	const struct anim_prog *own;
	bool no_provenance; /* drop all prog records */
	/* This program changes records, so records that describe others (second letter upper case) are dropped. */
	bool changes;
	const struct anim_diagnostics *diagnostics; /* end() checks them before it writes END; NULL: no check */
};

/*
 * Return a sink that writes a stream. Unchanged tracks, clips, trees and nodes (->record set) are copied; others are
 * encoded. end() writes END, and does not commit the output (borrowed). If there are options, an anim_boundary_new
 * is put in front of it. NULL on failure.
 */
struct anim_sink *anim_stream_writer_new(struct anim_output *, const struct anim_stream_writer_options *,
					 struct anim_error *);

#endif
