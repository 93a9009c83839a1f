/* names.h: the names of human bones and expressions in the VMC protocol. Private to lib/format/vmc. */
#ifndef ANIM_FORMAT_VMC_NAMES_H
#define ANIM_FORMAT_VMC_NAMES_H

#include "clip/track.h"

#define VMC_BONES 55
#define VMC_BONE_NAME_MAX 32 /* bytes with the NUL */

/* A bone of Unity's HumanBodyBones, which is its name in the protocol. Parents are before their children. */
struct vmc_bone {
	const char *name;
	int parent; /* -1: none */
};
extern const struct vmc_bone vmc_bones[VMC_BONES];

/* Return the number of a bone by its name in Unity, or -1. */
int vmc_bone_find(const char *name);

/* Write the name of a bone in VRM 1.0: "leftUpperArm". */
void vmc_bone_vrm(int bone, char out[VMC_BONE_NAME_MAX]);

/* Return the number of a bone by its name in VRM 1.0, or -1. */
int vmc_bone_find_vrm(const char *name);

/* Return the number of a node's bone, by the name that a VRM file gives it, or by its own name in VRM or Unity, or -1. */
int vmc_bone_of(const char *path, const struct anim_attrs *);

/* Convert the name of a preset expression between VRM 0.x ("Joy") and VRM 1.0 ("happy"). Other names are returned unchanged. */
const char *vmc_expression_vrm1(const char *name);
const char *vmc_expression_vrm0(const char *name);

#endif
