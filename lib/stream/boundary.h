/* boundary.h: the sink between two programs of a chain. */
#ifndef ANIM_STREAM_BOUNDARY_H
#define ANIM_STREAM_BOUNDARY_H

#include "base/buffer.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "stream/stream.h"

/*
 * A sink that passes the records of one program to the next. For the first, it adds and drops records by the options. For the
 * second, it sets the scope of messages: while a clip passes, they are about this clip. A sink that keeps data for later
 * keeps diagnostics->scope with them, and restores it when it returns to them. All members but `failed` are private.
 */
struct anim_boundary {
	struct anim_sink sink;
	struct anim_sink *next;
	bool failed; /* the next sink failed */

	struct anim_stream_writer_options options;
	bool own_written; /* the own prog was written or dropped */
	bool dropping;    /* a known record was dropped: unknown ones up to the next known one are also dropped */
	struct anim_buffer small; /* the own record */

	struct anim_diagnostics *diagnostics; /* of `next`, or NULL */
	const struct anim_scope *tree, *clip; /* the last ones, or NULL */
	const char *input;                    /* the file of clips that name none, or NULL */
	bool several;                         /* there are several files */
};

/*
 * Initialise a boundary in front of `next`. Options (copied) and diagnostics can be NULL: then nothing is added or dropped,
 * and no scope is set. Everything is borrowed, and the free of the sink frees only its own memory. Returns the sink.
 */
struct anim_sink *anim_boundary_init(struct anim_boundary *, const struct anim_stream_writer_options *options,
				     struct anim_diagnostics *, const char *input, struct anim_sink *next);

/* A boundary that owns `next` (also freed on failure) and itself, without scopes. Returns NULL on failure. */
struct anim_sink *anim_boundary_new(const struct anim_stream_writer_options *, struct anim_sink *next,
				    struct anim_error *);

#endif
