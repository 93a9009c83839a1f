/* animx_help.h: AnimX files in memory, read and written, for tests. */
#ifndef ANIM_TESTS_ANIMX_HELP_H
#define ANIM_TESTS_ANIMX_HELP_H

#include "format/animx/animx.h"
#include "stream/store.h"

/* What reading or writing came to; all-zero before, cleared with animx_clear. */
struct animx_trial {
	struct anim_store *store; /* what was read */
	struct anim_output *out;  /* what was written */
	struct anim_diagnostics diagnostics;
	struct anim_error error;
};

/* Reads the bytes into a new store. True where that worked. */
bool animx_read_bytes(struct animx_trial *, const void *bytes, size_t size);
bool animx_read_file(struct animx_trial *, const char *path); /* below tests/data */

/* Writes clip and tracks (diagnostics of the options are set). True where that worked. */
bool animx_write(struct animx_trial *, const struct anim_write_options *, const struct anim_clip *,
		 const struct anim_track *, size_t count);

/* Writes the first clip of the store. */
bool animx_write_store(struct animx_trial *, const struct anim_write_options *, struct anim_store *);

void animx_clear(struct animx_trial *);

/* True where both hold the same bytes. */
bool animx_same_output(const struct animx_trial *, const struct animx_trial *);

/* The path below tests/data in a buffer that the next call reuses. */
const char *animx_path(const char *name);

#endif
