/* face_names.c: names of shapes and bones in MikuMikuDance. */
#include <string.h>

#include "clip/face.h"
#include "filter/rename/rename.h"
#include "tap.h"

static const char *renamed(enum anim_face_naming from, enum anim_face_naming to, const char *name)
{
	int shape = anim_face_find(from, name, strlen(name));
	const char *out = shape < 0 ? NULL : anim_face_name(to, (unsigned)shape);

	return out == NULL ? "" : out;
}

TEST(face_names_mmd, "morphs of MikuMikuDance have the names of VRM and ARKit that mean the same")
{
	static const char *const pairs[][2] = {{"あ", "aa"},
					       {"お", "oh"},
					       {"まばたき", "blink"},
					       {"ウィンク", "blinkLeft"},
					       {"ｳｨﾝｸ２右", "blinkRight"},
					       {"笑い", "happy"},
					       {"びっくり", "surprised"},
					       {"jawOpen", ""},
					       {"ω", ""}};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		CHECKF(strcmp(renamed(ANIM_FACE_MMD, ANIM_FACE_VRM, pairs[i][0]), pairs[i][1]) == 0, "%s", pairs[i][0]);
	CHECK(strcmp(renamed(ANIM_FACE_VRM, ANIM_FACE_MMD, "blinkLeft"), "ウィンク２") == 0);
	CHECK(strcmp(renamed(ANIM_FACE_VRM, ANIM_FACE_MMD, "sad"), "困る") == 0);
	CHECK(strcmp(renamed(ANIM_FACE_ARKIT, ANIM_FACE_MMD, "jawOpen"), "jawOpen") == 0);
	/* cut at 15 bytes in a motion, but not at fewer */
	CHECK(strcmp(renamed(ANIM_FACE_MMD, ANIM_FACE_ARKIT, "mouthLowerDownL"), "mouthLowerDownLeft") == 0);
	CHECK(strcmp(renamed(ANIM_FACE_MMD, ANIM_FACE_ARKIT, "mouthLowerDown"), "") == 0);
	CHECK(strcmp(renamed(ANIM_FACE_MMD, ANIM_FACE_ARKIT, "eyeBlinkRight"), "eyeBlinkRight") == 0);
}

TEST(bone_names_mmd, "bones of MikuMikuDance are known by their names, in both widths, and its helpers are not")
{
	static const struct {
		const char *name;
		enum anim_human_bone bone;
	} bones[] = {{"下半身", ANIM_BONE_HIPS},     {"上半身２", ANIM_BONE_CHEST},
		     {"左腕", ANIM_BONE_UPPER_ARM},  {"右ひじ", ANIM_BONE_LOWER_ARM + 1},
		     {"左足先ＥＸ", ANIM_BONE_TOES}, {"右親指０", ANIM_BONE_FINGERS + 1},
		     {"左腕捩", ANIM_HUMAN_BONES},   {"左足ＩＫ", ANIM_HUMAN_BONES},
		     {"左足D", ANIM_HUMAN_BONES},    {"センター", ANIM_HUMAN_BONES}};

	for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
		struct anim_bone_guess guess;
		bool found = anim_bone_of_name(&guess, bones[i].name);

		CHECKF((found ? guess.bones[0] : ANIM_HUMAN_BONES) == bones[i].bone, "%s", bones[i].name);
	}
	CHECK(strcmp(anim_humanoid_find(ANIM_HUMANOID_MMD, ANIM_HUMANOID_VRM, "上半身２", strlen("上半身２")),
		     "chest") == 0);
	CHECK(strcmp(anim_humanoid_find(ANIM_HUMANOID_MIXAMO, ANIM_HUMANOID_MMD, "mixamorig:LeftArm", 17), "左腕") ==
	      0);
	CHECK(anim_humanoid_find(ANIM_HUMANOID_MMD, ANIM_HUMANOID_VRM, "右腕捩", strlen("右腕捩")) == NULL);
}
