/* face.c: the table of the shapes of a face. */
#include "clip/face.h"

#include <string.h>

#include "base/text.h"

const char *const anim_face_naming_names[] = {"arkit", "unified", "perfectsync", "vrm", "mmd", NULL};

/*
 * Unified Expressions as in the comparison table of the VRCFaceTracking documentation. If a shape of ARKit moves both
 * sides, its counterpart is a blended shape. The presets of VRM 1.0 (VRMC_vrm, expressions) mean the same only for two
 * shapes. Models with Perfect Sync have custom expressions with the names of ARKit, whose first letter is a capital.
 */
static const struct {
	const char *arkit, *perfect_sync, *unified, *vrm;
} shapes[ANIM_FACE_SHAPES] = {
    {"browDownLeft", "BrowDownLeft", "BrowDownLeft", NULL},
    {"browDownRight", "BrowDownRight", "BrowDownRight", NULL},
    {"browInnerUp", "BrowInnerUp", "BrowInnerUp", NULL},
    {"browOuterUpLeft", "BrowOuterUpLeft", "BrowOuterUpLeft", NULL},
    {"browOuterUpRight", "BrowOuterUpRight", "BrowOuterUpRight", NULL},
    {"cheekPuff", "CheekPuff", "CheekPuff", NULL},
    {"cheekSquintLeft", "CheekSquintLeft", "CheekSquintLeft", NULL},
    {"cheekSquintRight", "CheekSquintRight", "CheekSquintRight", NULL},
    {"eyeBlinkLeft", "EyeBlinkLeft", "EyeClosedLeft", "blinkLeft"},
    {"eyeBlinkRight", "EyeBlinkRight", "EyeClosedRight", "blinkRight"},
    {"eyeLookDownLeft", "EyeLookDownLeft", "EyeLookDownLeft", NULL},
    {"eyeLookDownRight", "EyeLookDownRight", "EyeLookDownRight", NULL},
    {"eyeLookInLeft", "EyeLookInLeft", "EyeLookInLeft", NULL},
    {"eyeLookInRight", "EyeLookInRight", "EyeLookInRight", NULL},
    {"eyeLookOutLeft", "EyeLookOutLeft", "EyeLookOutLeft", NULL},
    {"eyeLookOutRight", "EyeLookOutRight", "EyeLookOutRight", NULL},
    {"eyeLookUpLeft", "EyeLookUpLeft", "EyeLookUpLeft", NULL},
    {"eyeLookUpRight", "EyeLookUpRight", "EyeLookUpRight", NULL},
    {"eyeSquintLeft", "EyeSquintLeft", "EyeSquintLeft", NULL},
    {"eyeSquintRight", "EyeSquintRight", "EyeSquintRight", NULL},
    {"eyeWideLeft", "EyeWideLeft", "EyeWideLeft", NULL},
    {"eyeWideRight", "EyeWideRight", "EyeWideRight", NULL},
    {"jawForward", "JawForward", "JawForward", NULL},
    {"jawLeft", "JawLeft", "JawLeft", NULL},
    {"jawOpen", "JawOpen", "JawOpen", NULL},
    {"jawRight", "JawRight", "JawRight", NULL},
    {"mouthClose", "MouthClose", "MouthClosed", NULL},
    {"mouthDimpleLeft", "MouthDimpleLeft", "MouthDimpleLeft", NULL},
    {"mouthDimpleRight", "MouthDimpleRight", "MouthDimpleRight", NULL},
    {"mouthFrownLeft", "MouthFrownLeft", "MouthFrownLeft", NULL},
    {"mouthFrownRight", "MouthFrownRight", "MouthFrownRight", NULL},
    {"mouthFunnel", "MouthFunnel", "LipFunnel", NULL},
    {"mouthLeft", "MouthLeft", "MouthLeft", NULL},
    {"mouthLowerDownLeft", "MouthLowerDownLeft", "MouthLowerDownLeft", NULL},
    {"mouthLowerDownRight", "MouthLowerDownRight", "MouthLowerDownRight", NULL},
    {"mouthPressLeft", "MouthPressLeft", "MouthPressLeft", NULL},
    {"mouthPressRight", "MouthPressRight", "MouthPressRight", NULL},
    {"mouthPucker", "MouthPucker", "LipPucker", NULL},
    {"mouthRight", "MouthRight", "MouthRight", NULL},
    {"mouthRollLower", "MouthRollLower", "LipSuckLower", NULL},
    {"mouthRollUpper", "MouthRollUpper", "LipSuckUpper", NULL},
    {"mouthShrugLower", "MouthShrugLower", "MouthRaiserLower", NULL},
    {"mouthShrugUpper", "MouthShrugUpper", "MouthRaiserUpper", NULL},
    {"mouthSmileLeft", "MouthSmileLeft", "MouthSmileLeft", NULL},
    {"mouthSmileRight", "MouthSmileRight", "MouthSmileRight", NULL},
    {"mouthStretchLeft", "MouthStretchLeft", "MouthStretchLeft", NULL},
    {"mouthStretchRight", "MouthStretchRight", "MouthStretchRight", NULL},
    {"mouthUpperUpLeft", "MouthUpperUpLeft", "MouthUpperUpLeft", NULL},
    {"mouthUpperUpRight", "MouthUpperUpRight", "MouthUpperUpRight", NULL},
    {"noseSneerLeft", "NoseSneerLeft", "NoseSneerLeft", NULL},
    {"noseSneerRight", "NoseSneerRight", "NoseSneerRight", NULL},
    {"tongueOut", "TongueOut", "TongueOut", NULL},
};

/* Shapes that ARKit does not have: the vowels, both eyes, and emotions, which are custom rather than exact. */
static const struct {
	const char *vrm, *mmd, *synonyms; /* of MikuMikuDance, separated by blanks */
} others[ANIM_FACE_ALL - ANIM_FACE_SHAPES] = {
    {"aa", "あ", ""},
    {"ih", "い", ""},
    {"ou", "う", ""},
    {"ee", "え", ""},
    {"oh", "お", ""},
    {"blink", "まばたき", ""},
    {"happy", "笑い", "にこり 喜び"},
    {"angry", "怒り", ""},
    {"sad", "困る", "悲しい 哀しみ"},
    {"relaxed", "なごみ", ""},
    {"surprised", "びっくり", "驚き"},
};

/*
 * The winks of MikuMikuDance. Those with a 2 only close the eye. The others also smile, but most motions use them as plain
 * winks.
 */
static const struct {
	const char *arkit, *mmd, *synonyms;
} winks[] = {
    {"eyeBlinkLeft", "ウィンク２", "ウィンク"},
    {"eyeBlinkRight", "ｳｨﾝｸ２右", "ウィンク２右 ウィンク右"},
};

#define MMD_NAME_BYTES 15

/* Return the name of a shape in MikuMikuDance, which is ARKit's for most, and its synonyms. */
static const char *mmd_name(unsigned shape, const char **synonyms)
{
	*synonyms = "";
	if (shape >= ANIM_FACE_SHAPES) {
		*synonyms = others[shape - ANIM_FACE_SHAPES].synonyms;
		return others[shape - ANIM_FACE_SHAPES].mmd;
	}
	for (unsigned i = 0; i < sizeof winks / sizeof *winks; i++)
		if (strcmp(shapes[shape].arkit, winks[i].arkit) == 0) {
			*synonyms = winks[i].synonyms;
			return winks[i].mmd;
		}
	return shapes[shape].arkit;
}

/* Return whether a shape has this name in MikuMikuDance. Its motions may cut ARKit's names. */
static bool is_mmd_name(unsigned shape, const char *name, size_t length)
{
	const char *synonyms, *own = mmd_name(shape, &synonyms);
	const char *arkit = shape < ANIM_FACE_SHAPES ? shapes[shape].arkit : own;

	if (strncmp(arkit, name, length) == 0 && (arkit[length] == '\0' || length == MMD_NAME_BYTES))
		return true;
	return anim_text_has_word(own, name, length) || anim_text_has_word(synonyms, name, length);
}

bool anim_face_is_expression(enum anim_face_naming naming)
{
	return naming == ANIM_FACE_PERFECT_SYNC || naming == ANIM_FACE_VRM;
}

const char *anim_face_name(enum anim_face_naming naming, unsigned shape)
{
	const char *synonyms;

	if (naming == ANIM_FACE_MMD)
		return mmd_name(shape, &synonyms);
	if (shape >= ANIM_FACE_SHAPES)
		return naming == ANIM_FACE_VRM ? others[shape - ANIM_FACE_SHAPES].vrm : NULL;
	switch (naming) {
	case ANIM_FACE_ARKIT:
		return shapes[shape].arkit;
	case ANIM_FACE_UNIFIED:
		return shapes[shape].unified;
	case ANIM_FACE_PERFECT_SYNC:
		return shapes[shape].perfect_sync;
	default:
		return shapes[shape].vrm;
	}
}

int anim_face_find(enum anim_face_naming naming, const char *name, size_t length)
{
	for (unsigned i = 0; i < ANIM_FACE_ALL; i++) {
		const char *own = anim_face_name(naming, i);

		if (naming == ANIM_FACE_MMD ? is_mmd_name(i, name, length)
					    : own != NULL && strlen(own) == length && memcmp(own, name, length) == 0)
			return (int)i;
	}
	return -1;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Find a name in lower case without separators. */
static int find_plain(const char *name, size_t length)
{
	for (unsigned i = 0; i < ANIM_FACE_SHAPES; i++) {
		const char *own = shapes[i].arkit;
		size_t at = 0;

		while (at < length && own[at] != '\0' && lower(own[at]) == name[at])
			at++;
		if (at == length && own[at] == '\0')
			return (int)i;
	}
	return -1;
}

int anim_face_guess(const char *name, size_t length)
{
	char plain[32] = "";
	size_t size = 0;
	int found;

	for (size_t i = 0; i < length; i++) {
		if (strchr("_-. ", name[i]) != NULL && name[i] != '\0')
			continue;
		if (size + sizeof "right" > sizeof plain)
			return -1;
		plain[size++] = lower(name[i]);
	}
	found = find_plain(plain, size);
	if (found >= 0 || size < 2 || (plain[size - 1] != 'l' && plain[size - 1] != 'r'))
		return found;
	if (plain[size - 1] == 'l') {
		memcpy(plain + size - 1, "left", 4);
		return find_plain(plain, size + 3);
	}
	memcpy(plain + size - 1, "right", 5);
	return find_plain(plain, size + 4);
}
