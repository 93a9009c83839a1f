/* csv.h: sinks that print all keys as comma-separated values. */
#ifndef ANIM_FORMAT_CSV_CSV_H
#define ANIM_FORMAT_CSV_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/*
 * Return a sink that prints RFC 4180 with line feeds: a row of names, then one row for each key of each clip, in the
 * order of the stream. anim-emit(1) describes the columns. Disabled tracks are left out with a warning. end() fails for
 * a stream without clips. The output is borrowed and not committed. The diagnostics are borrowed. Return NULL on
 * failure.
 */
struct anim_sink *anim_csv_writer_new(struct anim_output *, struct anim_diagnostics *, struct anim_error *);

/*
 * Return a sink that prints one row for each time and one column for each component of each track of one clip. All its
 * tracks must have the same times. It keeps up to memory_max bytes of values in memory, and the others in a file. A
 * second clip is an error.
 */
struct anim_sink *anim_csv_wide_writer_new(struct anim_output *, size_t memory_max, struct anim_diagnostics *,
					   struct anim_error *);

/* Return whether the bytes begin, by their column names, rows of keys or of anim-info, of any version, or a wide table. */
bool anim_csv_is(const uint8_t *bytes, size_t size);

#endif
