/* csv.h: a sink that prints all keys as comma-separated values. */
#ifndef ANIM_FORMAT_CSV_CSV_H
#define ANIM_FORMAT_CSV_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/*
 * RFC 4180 with line feeds: a row of names, then a row for each key of each clip, in the stream's order; the columns are
 * described in anim-emit(1). Disabled tracks are left out, warned. A stream without clips is refused by end(). Output
 * borrowed, not committed; diagnostics borrowed. NULL on failure.
 */
struct anim_sink *anim_csv_writer_new(struct anim_output *, struct anim_diagnostics *, struct anim_error *);

/*
 * The same with a row for each time and a column for each component of each track, of one clip, whose tracks are all at
 * the same times; memory_max: what may wait in memory, in bytes, the rest in a file. A second clip is an error.
 */
struct anim_sink *anim_csv_wide_writer_new(struct anim_output *, size_t memory_max, struct anim_diagnostics *,
					   struct anim_error *);

/* True where the bytes begin rows of keys, or those of anim-info, of this version or another, or a wide table: by their columns. */
bool anim_csv_is(const uint8_t *bytes, size_t size);

#endif
