/* axes.c: whether what a track moves is in axes that are known, and the target's. */
#include <string.h>

#include "filter/lint/find.h"

static bool is_property(const struct anim_track *track, const char *name)
{
	return strcmp(track->property, name) == 0 && anim_track_is_transform(track);
}

/* What is told where two-dimensional axes are known; NULL where they are right. */
static const char *fault_of_flat_axes(const struct anim_clip *clip, enum anim_lint_target target)
{
	if (target == ANIM_LINT_GODOT && clip->axes2d == ANIM_AXES2D_UNITY)
		return "its two-dimensional axes are Unity's, of units with +Y up; anim-axes godot2d turns them";
	if (target != ANIM_LINT_UNITY || clip->axes2d != ANIM_AXES2D_GODOT)
		return NULL;
	return "its two-dimensional axes are Godot's, of pixels with +Y down; anim-axes unity2d turns them";
}

static const char *other_than_godots(unsigned axes)
{
	return axes == ANIM_AXES_UNITY ? "it is in unity axes, Godot plays in its own; anim-axes godot turns it"
				       : "it is in resonite axes, Godot plays in its own; anim-axes godot turns it";
}

/* The same of three dimensions. */
static const char *fault_of_axes_in_space(const struct anim_clip *clip, enum anim_lint_target target)
{
	static const char *const faults[2][2] = {
	    {"it is in godot axes, Resonite plays in its own; anim-axes resonite turns it",
	     "it is in gltf axes, Resonite plays in its own; anim-axes resonite turns it"},
	    {"it is in godot axes, Unity plays in its own; anim-axes unity turns it",
	     "it is in gltf axes, Unity plays in its own; anim-axes unity turns it"}};
	unsigned axes = clip->axes;

	if (target == ANIM_LINT_GODOT)
		return axes == ANIM_AXES_GODOT || axes == ANIM_AXES_GLTF ? NULL : other_than_godots(axes);
	if (target == ANIM_LINT_ANY || axes == ANIM_AXES_RESONITE || axes == ANIM_AXES_UNITY)
		return NULL;
	return faults[target == ANIM_LINT_UNITY][axes == ANIM_AXES_GLTF];
}

const char *lint_axes(const struct anim_clip *clip, const struct anim_track *track, enum anim_lint_target target,
		      enum lint_kind *kind)
{
	bool placed = is_property(track, "position") || is_property(track, "rotation") || is_property(track, "euler");
	bool flat = is_property(track, "angle") || (placed && anim_types[track->type].lanes == 2);
	unsigned axes = clip->axes;

	*kind = LINT_AXES_UNKNOWN;
	if (flat && clip->axes2d == ANIM_AXES2D_UNKNOWN)
		return "which way its two-dimensional axes point is not known";
	if (placed && !flat && axes == ANIM_AXES_UNKNOWN)
		return "which way its axes point is not known";
	*kind = LINT_AXES_OTHER;
	if (flat)
		return fault_of_flat_axes(clip, target);
	return placed ? fault_of_axes_in_space(clip, target) : NULL;
}
