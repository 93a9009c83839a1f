/* humanoid_names.h: what the bones of a human are called by Unity, Godot, Mixamo and VRM. */
#ifndef ANIM_FILTER_HUMANOID_NAMES_H
#define ANIM_FILTER_HUMANOID_NAMES_H

#include <stddef.h>

enum anim_humanoid {
	ANIM_HUMANOID_UNITY,  /* HumanBodyBones: LeftUpperArm */
	ANIM_HUMANOID_GODOT,  /* SkeletonProfileHumanoid: the same but for the thumb */
	ANIM_HUMANOID_MIXAMO, /* mixamorig:LeftArm */
	ANIM_HUMANOID_VRM,    /* VRM 1.0: leftUpperArm */
	ANIM_HUMANOID_VRM0,   /* VRM 0.x: the same but for the thumb */
	ANIM_HUMANOID_COUNT
};

/* In lower case, NULL at the end. */
extern const char *const anim_humanoid_names[];

/*
 * What `to` calls the bone that `from` calls `name`; NULL where it is none of the bones, or where `to` has no such
 * bone. Names are those to the letter, but Mixamo's may stand with or without "mixamorig:", "mixamorig_",
 * "mixamorig1:" and the like; all others' with blanks in them ("Left Thumb Proximal").
 */
const char *anim_humanoid_find(enum anim_humanoid from, enum anim_humanoid to, const char *name, size_t length);

#endif
