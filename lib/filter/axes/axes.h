/* axes.h: from one engine's axes to another's. */
#ifndef ANIM_FILTER_AXES_H
#define ANIM_FILTER_AXES_H

#include <stdbool.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"

enum anim_mirror { ANIM_MIRROR_X, ANIM_MIRROR_Z };

#define ANIM_AXES_PPU 100.0 /* Unity's own pixels per unit */

struct anim_axes_options {
	enum anim_axes target;     /* ANIM_AXES_UNKNOWN: that of two dimensions below */
	enum anim_axes2d target2d; /* where it is not ANIM_AXES2D_UNKNOWN, only two-dimensional things change */
	/* What clips and trees are in that do not say; unknown: they are an error. */
	enum anim_axes from;
	enum anim_axes2d from2d;
	enum anim_mirror mirror;
	/* The user did not ask for it: clips of unknown axes stay as they are, and a note tells of what changes. */
	bool by_default;
	double ppu;                           /* Godot's pixels that are one of Unity's units, above 0 */
	struct anim_diagnostics *diagnostics; /* must be there */
};

/* A filter in front of `next` (owned, freed on failure too). NULL on failure. */
struct anim_sink *anim_axes_new(const struct anim_axes_options *, struct anim_sink *next, struct anim_error *);

/*
 * The axes called `name` (godot, unity, resonite, gltf; godot2d, unity2d): one of *axes and *axes2d is set, the other one
 * unknown. 0, or -1 for another name.
 */
int anim_axes_find(const char *name, enum anim_axes *axes, enum anim_axes2d *axes2d);

/*
 * True where the two differ in handedness, so that 3-D values must be mirrored (godot and gltf agree, unity and resonite agree).
 */
bool anim_axes_differ(enum anim_axes a, enum anim_axes b);

#endif
