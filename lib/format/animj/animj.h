/* animj.h: Resonite's AnimJ (JSON). The writer. */
#ifndef ANIM_FORMAT_ANIMJ_H
#define ANIM_FORMAT_ANIMJ_H

#include <stdbool.h>

#include "base/output.h"
#include "clip/losses.h"
#include "clip/sink.h"

struct anim_animj_options {
	bool pretty;                /* one key a line instead of one track a line */
	bool raw_as_curve;          /* Raw tracks as Curve with Linear keys */
	bool keep_double;           /* do not narrow Godot's double scalars to float */
	bool source_names;          /* node and property as the stream has them; Euler tracks stay Euler */
	bool axes_keep;             /* no warning where the clip's axes are not Resonite's */
	struct anim_losses *losses; /* must be there */
};

/*
 * A sink for exactly one clip (a second one is an error; choosing is the caller's: filter/pick.h). The document is closed
 * by end(), which fails where no clip came or losses forbid it. Member order trackType, valueType, data; node, property,
 * interval, keyframes. The clip's start becomes time 0. The output is borrowed and not committed.
 *
 * Held: Raw, Discrete, and Curve with Hold, Linear and CubicBezier keys, of all types but matrices. Other modes, times
 * before the clip's start, eased Linear keys, and numbers that JSON has not are errors (ANIM_UNSUPPORTED) that name the way round.
 * What is changed on the way (names, Euler angles to quaternions, doubles to floats) or left out goes to losses.
 */
struct anim_sink *anim_animj_writer_new(struct anim_output *, const struct anim_animj_options *, struct anim_error *);

#endif
