/* json.h: the stream as JSON Lines, with one object per line for each tree, node, clip and track. */
#ifndef ANIM_FORMAT_JSON_JSON_H
#define ANIM_FORMAT_JSON_JSON_H

#include <stdbool.h>

#include "base/output.h"
#include "clip/sink.h"
#include "format/read.h"

/*
 * Return a sink that prints the lines that anim-emit(1) describes. Every field of the model is kept. Prog and unknown
 * records, and forms and columns of other programs, are not. end() fails for a stream with neither a tree nor a clip.
 * The output is borrowed and not committed. The diagnostics are borrowed. Return NULL on failure.
 */
struct anim_sink *anim_json_writer_new(struct anim_output *, const struct anim_diagnostics *, struct anim_error *);

/* Return whether the bytes begin such a text, whose first line is {"anim_json":1}. */
bool anim_json_is(const uint8_t *bytes, size_t size);

/* Read the text into the sink, but do not end the sink. Return 0, or -1 with line and column. */
int anim_json_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

#endif
