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

/* How the tracks behind the header are stored. */
enum anim_animx_encoding { ANIM_ANIMX_PLAIN, ANIM_ANIMX_LZ4, ANIM_ANIMX_LZMA, ANIM_ANIMX_ENCODING_COUNT };

/* What is disputed: which half of a Curve key comes first. */
enum anim_animx_key_order { ANIM_ANIMX_TIME_VALUE, ANIM_ANIMX_VALUE_TIME };
enum anim_animx_tangent_order { ANIM_ANIMX_LEFT_RIGHT, ANIM_ANIMX_RIGHT_LEFT };

/* All-zero but for losses is the default. */
struct anim_animx_options {
	enum anim_animx_encoding encoding;
	enum anim_animx_key_order key_order;
	enum anim_animx_tangent_order tangent_order;
	bool keep_double;           /* do not narrow Godot's double scalars to float */
	bool source_names;          /* node and property as the stream has them */
	bool axes_keep;             /* no warning where the clip's axes are not Resonite's */
	size_t store_memory;        /* bytes that tracks may take before they go to a file */
	struct anim_losses *losses; /* must be there */
};

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
 * end(), which fails where no clip came or losses forbid it. The clip's start becomes time 0. Tracks that it has no place for
 * are errors (ANIM_UNSUPPORTED) that name the way round: put filter/convert with anim_animx_caps before it. Output is
 * borrowed and not committed. NULL on failure, also where the encoding's library was not there when this was built.
 */
struct anim_sink *anim_animx_writer_new(struct anim_output *, const struct anim_animx_options *, struct anim_error *);

#endif
