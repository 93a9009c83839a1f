/* dump.h: prints streams as exact text (.axt files) and reads them back. anim-dump(1) has the grammar. */
#ifndef ANIM_FORMAT_DUMP_DUMP_H
#define ANIM_FORMAT_DUMP_DUMP_H

#include "base/input.h"
#include "base/output.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/*
 * Return a sink that prints every field of every record, so that anim_undump restores the same bytes from the text. The
 * output is borrowed and not committed. Return NULL on failure.
 */
struct anim_sink *anim_dump_new(struct anim_output *, struct anim_error *);

/*
 * Read such a text into the sink. Each record is passed on with ->record set, and is checked like a record of a stream.
 * Do not end the sink. Return 0 if the line "end" came and the input ended there, or -1 with line and column.
 */
int anim_undump(struct anim_input *, struct anim_sink *, struct anim_error *);

/* The same two functions with the signatures of a format. */
int anim_dump_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);
struct anim_sink *anim_dump_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

#endif
