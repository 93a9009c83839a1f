/* writer.h: the sink that writes a stream. */
#ifndef ANIM_STREAM_WRITER_H
#define ANIM_STREAM_WRITER_H

#include "base/output.h"
#include "clip/losses.h"
#include "clip/sink.h"
#include "stream/record.h"

struct anim_stream_writer_options {
	const struct anim_prog *own; /* appended behind upstream's prog records; NULL: none (cat, split, pack) */
	bool no_provenance;          /* drop all prog records */
	/* This program changes records: those that describe others (second letter upper case) are dropped. */
	bool changes;
	const struct anim_losses *losses; /* asked by end() before END is written; NULL: not asked */
};

/*
 * A sink. Unchanged tracks, clips, trees and nodes (->record set) are copied; others are encoded. end() writes END; it
 * does not commit the output (borrowed). NULL on failure. Options are copied, what they point to is borrowed.
 */
struct anim_sink *anim_stream_writer_new(struct anim_output *, const struct anim_stream_writer_options *,
					 struct anim_error *);

#endif
