/* json.h: the stream as JSON Lines: one object a line for each tree, node, clip and track. */
#ifndef ANIM_FORMAT_JSON_JSON_H
#define ANIM_FORMAT_JSON_JSON_H

#include <stdbool.h>

#include "base/output.h"
#include "clip/sink.h"
#include "format/read.h"

/*
 * A sink. The lines are described in anim-emit(1); every field of the model is kept, prog and unknown records, forms and
 * columns of others are not. A stream with neither a tree nor a clip is refused by end(). Output borrowed, not committed;
 * diagnostics borrowed. NULL on failure.
 */
struct anim_sink *anim_json_writer_new(struct anim_output *, const struct anim_diagnostics *, struct anim_error *);

/* True where bytes begin such a text, whose first line is {"anim_json":1}. */
bool anim_json_is(const uint8_t *bytes, size_t size);

/* Reads it into the sink, without its end. 0, or -1 with line and column. */
int anim_json_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

#endif
