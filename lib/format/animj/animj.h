/* animj.h: Resonite's AnimJ (JSON). The writer and the reader. */
#ifndef ANIM_FORMAT_ANIMJ_H
#define ANIM_FORMAT_ANIMJ_H

#include <stdbool.h>

#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/*
 * A sink for exactly one clip (a second one is an error; choosing is the caller's: filter/pick.h). The document is closed
 * by end(), which fails where no clip came or diagnostics forbid it. Member order trackType, valueType, data; node, property,
 * interval, keyframes. The clip's start becomes time 0. The output is borrowed and not committed.
 *
 * Held: Raw, Discrete, and Curve with Hold, Linear and CubicBezier keys, of all types but matrices. Other modes, times
 * before the clip's start, eased Linear keys, and numbers that JSON has not are errors (ANIM_UNSUPPORTED): put filter/convert
 * with anim_animj_caps before it, which also gives quaternions signs that agree. What is changed on the way (names, doubles to
 * floats) or left out goes to diagnostics.
 */
extern const struct anim_caps anim_animj_caps;
struct anim_sink *anim_animj_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* Whether the first bytes of a file look like AnimJ: an object that names its tracks or its duration. */
bool anim_animj_is(const uint8_t *, size_t);

/*
 * Reads one document, from the input's first byte to its end, and passes on its clip and tracks, without end(). Nothing
 * reaches the sink unless the whole document was right. What Resonite itself would refuse, or read otherwise than it is
 * meant, goes to diagnostics. 0, or -1 with line, column and the path in the document ("tracks[3].data.keyframes[7].value").
 * Every number is rounded once to its type; one beyond the type's range is refused, as is a lone surrogate or a NUL.
 */
int anim_animj_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

#endif
