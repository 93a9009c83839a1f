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
	bool source_names;          /* node and property as the source had them */
	struct anim_losses *losses; /* must be there */
};

/*
 * A sink for exactly one clip (a second one is an error; choosing is the caller's: filter/pick.h). The document is closed
 * by end(). Member order trackType, valueType, data; node, property, interval, keyframes. The output is borrowed and
 * not committed.
 */
struct anim_sink *anim_animj_writer_new(struct anim_output *, const struct anim_animj_options *, struct anim_error *);

#endif
