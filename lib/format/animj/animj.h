/* animj.h: reader and writer of Resonite's AnimJ format (JSON). */
#ifndef ANIM_FORMAT_ANIMJ_H
#define ANIM_FORMAT_ANIMJ_H

#include <stdbool.h>

#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/*
 * Create a sink for exactly one clip. A second clip is an error: the caller chooses (filter/pick.h). end() closes the
 * document, and fails if no clip came or diagnostics forbid it. The order of members is trackType, valueType, data
 * (node, property, interval, keyframes). The start of the clip becomes time 0. The output is borrowed and not
 * committed. Returns NULL on failure.
 *
 * The sink supports Raw and Discrete tracks, and Curve tracks with Hold, Linear, Tangent and CubicBezier keys, of all
 * types except matrices. Other modes, times before the start of the clip, eased Linear keys, and numbers that JSON
 * cannot store are errors (ANIM_UNSUPPORTED). To avoid them, put filter/convert with anim_animj_caps before the sink.
 * It also makes the signs of quaternions continuous. Changes (names, doubles to floats) and dropped data are reported
 * to diagnostics.
 */
extern const struct anim_caps anim_animj_caps;
struct anim_sink *anim_animj_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* Return true if the first bytes of a file look like AnimJ: an object that contains "globalDuration" or "trackType". */
bool anim_animj_is(const uint8_t *, size_t);

/*
 * Read one document, from the first byte of the input to its end, and pass its clip and tracks on, without end().
 * Nothing reaches the sink unless the whole document was valid. Data that Resonite would refuse, or read differently
 * than intended, is reported to diagnostics. Returns 0, or -1 with line, column and the path in the document
 * ("tracks[3].data.keyframes[7].value"). Every number is rounded once to its type. A number outside the range of the
 * type is an error, and so are an unpaired surrogate and a NUL.
 */
int anim_animj_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

#endif
