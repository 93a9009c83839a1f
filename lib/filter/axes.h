/* axes.h: from one engine's axes to another's. */
#ifndef ANIM_FILTER_AXES_H
#define ANIM_FILTER_AXES_H

#include <stdbool.h>

#include "clip/losses.h"
#include "clip/sink.h"

enum anim_mirror { ANIM_MIRROR_X, ANIM_MIRROR_Z };

struct anim_axes_options {
	enum anim_axes target;
	enum anim_axes from; /* what clips and trees of unknown axes are in; ANIM_AXES_UNKNOWN: they are an error */
	enum anim_mirror mirror;
	struct anim_losses *losses; /* must be there */
};

/* A filter in front of `next` (owned, freed on failure too). NULL on failure. */
struct anim_sink *anim_axes_new(const struct anim_axes_options *, struct anim_sink *next, struct anim_error *);

/* The axes called `name` (godot, unity, resonite, gltf), or -1. */
int anim_axes_find(const char *name);

/* True where the two differ in handedness, so that 3-D values must be mirrored (godot and gltf agree, unity and resonite agree). */
bool anim_axes_differ(enum anim_axes a, enum anim_axes b);

#endif
