/* archive_write.h: the sink that writes an archive (.axs.gz). */
#ifndef ANIM_STREAM_ARCHIVE_WRITE_H
#define ANIM_STREAM_ARCHIVE_WRITE_H

#include <stdbool.h>

#include "base/output.h"
#include "clip/sink.h"

#define ANIM_ARCHIVE_JOBS_MAX 256u

/* All-zero is one thread and the default way. */
struct anim_archive_writer_options {
	unsigned jobs; /* threads, at most ANIM_ARCHIVE_JOBS_MAX, 0 counts as 1; the bytes do not depend on it */
	int level;     /* 1 to 9: zlib's levels for all that is deflated; 0: the fast way that suits prepared columns */
	bool no_provenance; /* drop all prog records */
};

/*
 * A sink. Records keep their order and content; columns are prepared where that makes them smaller, records that describe
 * others (iNDX among them) are left out, and a new iNDX comes before END. end() writes all to the last byte, the trailer;
 * it does not commit the output (borrowed), which must stand at the beginning of the archive. NULL on failure.
 */
struct anim_sink *anim_archive_writer_new(struct anim_output *, const struct anim_archive_writer_options *,
					  struct anim_error *);

#endif
