/* animx.h: reader and writer of Resonite's AnimX format (binary). */
#ifndef ANIM_FORMAT_ANIMX_H
#define ANIM_FORMAT_ANIMX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "clip/caps.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/* Return true if the bytes begin like an AnimX file. */
bool anim_animx_is(const uint8_t *bytes, size_t size);

/*
 * Read one file into the sink: one clip of source "animx" with its tracks, without end(). Supports versions 0 and 1 and
 * all encodings. LZ4 and LZMA need their libraries at build time; without them they are errors (ANIM_UNSUPPORTED). The
 * tracks are kept in a store.
 *
 * The order of time and value in the keys of Curve tracks is decided once for the file. Some tracks can be read in one
 * order only: times must be finite, not negative and not decreasing, and quaternions must have length 1. If no track
 * decides, the reader chooses the order in which all keys are within the duration of the file, or the tracks end
 * together. If that does not decide either, it assumes time first, with a warning.
 *
 * Returns 0 or -1. Places are byte offsets in the file, or in the inflated body; the message then says so.
 */
int anim_animx_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* The capabilities of the writer. */
extern const struct anim_caps anim_animx_caps;

/*
 * Create a sink for exactly one clip. A second clip is an error: the caller chooses (filter/pick.h). end() writes the
 * file as version 1, and fails if no clip came or diagnostics forbid it. The start of the clip becomes time 0. Tracks
 * that the format cannot store are errors (ANIM_UNSUPPORTED) whose messages name a remedy. To avoid them, put
 * filter/convert with anim_animx_caps before the sink. The output is borrowed and not committed. Returns NULL on
 * failure, for example if this build lacks the library of the encoding.
 */
struct anim_sink *anim_animx_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

#endif
