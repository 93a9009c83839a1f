/* track_type.h: the numbers and names that an Animation's tracks have in files. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_TRACK_TYPE_H
#define ANIM_FORMAT_GODOT_TRACK_TYPE_H

#include <stdint.h>

#include "clip/track.h"

enum godot_track_type {
	GODOT_TRACK_UNKNOWN,
	GODOT_TRACK_VALUE,
	GODOT_TRACK_POSITION,
	GODOT_TRACK_ROTATION,
	GODOT_TRACK_SCALE,
	GODOT_TRACK_BLEND_SHAPE,
	GODOT_TRACK_TRANSFORM,
	GODOT_TRACK_BEZIER,
	GODOT_TRACK_METHOD,
	GODOT_TRACK_AUDIO,
	GODOT_TRACK_ANIMATION,
	GODOT_TRACK_TYPE_COUNT
};

extern const char *const godot_track_type_names[GODOT_TRACK_TYPE_COUNT];

/* What a file's interp numbers mean. */
enum godot_interp {
	GODOT_INTERP_NEAREST,
	GODOT_INTERP_LINEAR,
	GODOT_INTERP_CUBIC,
	GODOT_INTERP_LINEAR_ANGLE,
	GODOT_INTERP_CUBIC_ANGLE
};

/* The number that kind and mode tell; another one is an attribute of the track. */
int64_t godot_told_interp(const struct anim_track *);

/* Of a value track; which number stands for trigger and capture depends on the engine. */
enum godot_update { GODOT_CONTINUOUS, GODOT_DISCRETE, GODOT_CAPTURE_4 = 2, GODOT_TRIGGER_3 = 2, GODOT_CAPTURE_3 = 3 };

#endif
