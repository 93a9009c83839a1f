/* animx.h: Resonite's AnimX (binary), read and written. */
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

/* True where the bytes begin as AnimX does. */
bool anim_animx_is(const uint8_t *bytes, size_t size);

/*
 * Reads one file into the sink: one clip of source "animx" with its tracks, without end. Versions 0 and 1, all encodings
 * (LZ4 and LZMA only where this was built with their libraries, else ANIM_UNSUPPORTED). Which half of a Curve key
 * comes first is decided once for the file: by the tracks of which only one reading gives times that are finite, not
 * negative and do not decrease, or quaternions of length 1; else by the one in which all keys lie within the file's duration or
 * the tracks end together; where nothing tells, time first, with a warning. The tracks go through a store.
 * 0 or -1; places are byte offsets in the file, or in the inflated body, which the message then says.
 */
int anim_animx_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* What the writer holds. */
extern const struct anim_caps anim_animx_caps;

/*
 * A sink for exactly one clip (a second one is an error; choosing is the caller's: filter/pick.h), written as version 1 by
 * end(), which fails where no clip came or diagnostics forbid it. The clip's start becomes time 0. Tracks that it has no place
 * for are errors (ANIM_UNSUPPORTED) that name the way round: put filter/convert with anim_animx_caps before it. Output is
 * borrowed and not committed. NULL on failure, also where the encoding's library was not there when this was built.
 */
struct anim_sink *anim_animx_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

#endif
