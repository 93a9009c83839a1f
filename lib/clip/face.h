/* face.h: the names of the shapes of a face in face tracking and avatars. */
#ifndef ANIM_CLIP_FACE_H
#define ANIM_CLIP_FACE_H

#include <stdbool.h>
#include <stddef.h>

/* The shapes of ARKit (ARFaceAnchor.BlendShapeLocation), which MediaPipe and Audio2Face also use. */
#define ANIM_FACE_SHAPES 52

/* All shapes: first the shapes of ARKit, and then others, such as the vowels of VRM and MikuMikuDance. */
#define ANIM_FACE_ALL (ANIM_FACE_SHAPES + 11)

enum anim_face_naming {
	ANIM_FACE_ARKIT,        /* jawOpen */
	ANIM_FACE_UNIFIED,      /* Unified Expressions of VRCFaceTracking: MouthClosed */
	ANIM_FACE_PERFECT_SYNC, /* custom expressions of VRM models: JawOpen */
	ANIM_FACE_VRM,          /* preset expressions of VRM 1.0: blinkLeft */
	ANIM_FACE_MMD,          /* morphs of MikuMikuDance: まばたき, and names of ARKit */
	ANIM_FACE_NAMING_COUNT
};

/* Names of the namings, with NULL at the end. */
extern const char *const anim_face_naming_names[];

/* Return whether shapes of this naming are expressions of a VRM model, not blend shapes of a mesh. */
bool anim_face_is_expression(enum anim_face_naming);

/* Return the name of a shape (below ANIM_FACE_ALL), or NULL if the naming has no shape that means exactly the same. */
const char *anim_face_name(enum anim_face_naming, unsigned shape);

/*
 * Return the shape that a naming calls by this name, or -1. Names of MikuMikuDance may be cut at 15 bytes, as in its motions,
 * and have synonyms.
 */
int anim_face_find(enum anim_face_naming, const char *name, size_t length);

/*
 * Return the ARKit shape that a name means, or -1. Case and separators do not matter, and the side can be one letter:
 * "JawOpen", "jaw_open", "eyeBlink_L".
 */
int anim_face_guess(const char *name, size_t length);

#endif
