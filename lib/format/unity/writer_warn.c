/* writer_warn.c: what the .anim writer tells of. */
#include <string.h>

#include "format/unity/writer_internal.h"

static int warn(struct unity_writer *writer, const char *many, const char *one, const char *label,
		struct anim_error *error)
{
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL, many, error, "track '%s' %s", label, one);
}

int unity_tell_clip(struct unity_writer *writer, const struct anim_clip *clip, struct anim_error *error)
{
	const char *legacy = anim_attrs_get(&clip->attrs, "unity.m_Legacy");

	if (clip->loop == ANIM_LOOP_PINGPONG && (legacy == NULL || strcmp(legacy, "0") == 0) &&
	    anim_losses_add(writer->options.losses, ANIM_NOTE, NULL,
			    "clips will loop from their start: unity's Animator plays no ping-pong", error,
			    "unity's Animator plays no ping-pong: '%s' will loop from its start", clip->name) != 0)
		return -1;
	if (anim_attrs_get(&clip->attrs, "godot.autoplay") == NULL)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_NOTE, NULL,
			       "clips' autoplay is not kept; the Animator sets it", error,
			       "unity's clips have no autoplay: that of '%s' is not "
			       "kept; the Animator sets it",
			       clip->name);
}

int unity_tell_place(struct unity_writer *writer, enum unity_placing place, const char *label, struct anim_error *error)
{
	switch (place) {
	case UNITY_LOOSE_BONE:
		return warn(writer,
			    "tracks are of bones whose parents no tree tells; they are "
			    "written as children of their "
			    "skeletons",
			    "is of a bone whose parents no tree tells; it is written as a "
			    "child of its skeleton",
			    label, error);
	case UNITY_LOOSE_NAME:
		return warn(writer,
			    "tracks name their nodes without a path, which Unity looks for "
			    "right below the animated "
			    "object",
			    "names its node without a path, which Unity looks for right "
			    "below the animated object",
			    label, error);
	case UNITY_OUTSIDE:
		return warn(writer,
			    "tracks are of nodes beside the animation's root, which no "
			    "path of Unity's reaches, and "
			    "left out",
			    "is of a node beside the animation's root, which no path of "
			    "Unity's reaches, and left out",
			    label, error);
	case UNITY_PLACED:
		break;
	}
	return 0;
}

/* gltf's axes are godot's; resonite's are Unity's own. */
int unity_tell_axes(struct unity_writer *writer, const struct anim_track *t, const char *label,
		    struct anim_error *error)
{
	enum anim_axes axes = (enum anim_axes)unity_writer_clip(writer)->axes;
	bool gltf = axes == ANIM_AXES_GLTF;
	bool placed = strcmp(t->property, "position") == 0 || strcmp(t->property, "rotation") == 0 ||
		      strcmp(t->property, "euler") == 0;
	bool flat = anim_attrs_get(&t->attrs, ANIM_ATTR_FLAT) != NULL;
	bool spatial = !flat && (t->component != ANIM_WHOLE || anim_types[t->type].lanes >= 3);

	if (writer->options.axes_keep || !(axes == ANIM_AXES_GODOT || gltf) || !placed || !spatial)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       gltf ? "tracks are in gltf axes, unity plays in unity axes: put "
				      "'anim-axes unity' before this, or --axes keep"
				    : "tracks are in godot axes, unity plays in unity axes: put "
				      "'anim-axes unity' before this, or --axes "
				      "keep",
			       error,
			       "track '%s' is in %s axes, unity plays in unity axes: put 'anim-axes "
			       "unity' before this, or --axes keep",
			       label, anim_axes_names[axes]);
}

int unity_tell_left_out(struct unity_writer *writer, const struct anim_track *t, const char *label,
			struct anim_error *error)
{
	int result;

	if ((t->flags & ANIM_DISABLED) != 0)
		result = warn(writer, "disabled tracks are left out", "is disabled and left out", label, error);
	else if (t->n == 0 && t->rules != ANIM_RULES_UNITY)
		result = warn(writer, "tracks without keys are left out", "has no keys and is left out", label, error);
	else
		return 0;
	return result != 0 ? -1 : 1;
}

int unity_tell_part(struct unity_writer *writer, const char *label, struct anim_error *error)
{
	return warn(writer, "tracks are parts of a Transform with other lanes than Unity's, and left out",
		    "is a part of a Transform with other lanes than Unity's, and left out", label, error);
}

int unity_tell_unbound(struct unity_writer *writer, const struct anim_track *t, const char *label,
		       struct anim_error *error)
{
	if (t->type == ANIM_STRING && t->property[0] == '@')
		return warn(writer, "tracks of another engine's calls and events are left out",
			    "is of another engine's calls or events and left out", label, error);
	if (t->type == ANIM_STRING)
		return warn(writer, "tracks of text, which Unity cannot animate, are left out",
			    "is of text, which Unity cannot animate, and left out", label, error);
	return warn(writer, "tracks drive properties that Unity does not have and are left out",
		    "drives a property that Unity does not have and is left out", label, error);
}
