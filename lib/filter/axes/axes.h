/* axes.h: conversion of coordinate axes from one engine to another. */
#ifndef ANIM_FILTER_AXES_H
#define ANIM_FILTER_AXES_H

#include <stdbool.h>

#include "clip/diagnostics.h"
#include "clip/rest.h"
#include "clip/sink.h"

enum anim_mirror { ANIM_MIRROR_X, ANIM_MIRROR_Z };

#define ANIM_AXES_PPU 100.0 /* Unity's default number of pixels per unit */

struct anim_axes_options {
	enum anim_axes target;     /* ANIM_AXES_UNKNOWN: use target2d */
	enum anim_axes2d target2d; /* if it is not ANIM_AXES2D_UNKNOWN, only two-dimensional nodes and tracks change */
	/*
	 * Axes of clips and trees that do not record any. If these are also unknown, such clips and trees are an error.
	 */
	enum anim_axes from;
	enum anim_axes2d from2d;
	enum anim_mirror mirror;
	bool mirror_given, from_given; /* the user chose them: a note says if they change nothing */
	/*
	 * The user did not ask for the conversion: clips of unknown axes stay unchanged, and a note reports a
	 * conversion.
	 */
	bool by_default;
	bool follows; /* the first tree or clip of known axes sets the target */
	bool asks;    /* add a note about clips that may be meant as two-dimensional, if the target is Godot's plane */
	struct anim_rests *scene; /* borrowed or NULL: finds cameras and lights that the tree does not have */
	double ppu;               /* Godot pixels per Unity unit, above 0 */
	struct anim_diagnostics *diagnostics; /* must not be NULL */
};

/* Return a filter that passes its result to `next` (owned, also freed on failure), or NULL on failure. */
struct anim_sink *anim_axes_new(const struct anim_axes_options *, struct anim_sink *next, struct anim_error *);

/*
 * Find axes by name: godot, unity, resonite, gltf, godot2d, unity2d. Sets one of *axes and *axes2d, and the other to
 * unknown. Returns 0, or -1 if the name is unknown.
 */
int anim_axes_find(const char *name, enum anim_axes *axes, enum anim_axes2d *axes2d);

/*
 * Return whether the two axes differ in handedness, so that 3-D values must be mirrored. godot and gltf agree, and
 * unity and resonite agree.
 */
bool anim_axes_differ(enum anim_axes a, enum anim_axes b);

#endif
