/* feet.c: which nodes of a tree are feet, by what their names mean, and how far they slide. */
#include <math.h>
#include <string.h>

#include "axs.h"
#include "filter/common/feet.h"
#include "tap.h"

/* Adds a leg of two bones, one below the other, each as long as 1; the paths of thigh, shin and foot are the names joined. */
static bool add_leg(struct anim_feet *feet, const char *const names[3], char path[256], struct anim_error *error)
{
	struct anim_node node = {.has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION,
				 .parent = ANIM_NO_PARENT,
				 .position = {0, 2, 0},
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1},
				 .path = ".",
				 .type = ""};

	anim_feet_tree(feet);
	if (anim_feet_node(feet, &node, NULL, error) != 0)
		return false;
	path[0] = '\0';
	for (uint32_t i = 0; i < 3; i++) {
		strcat(strcat(path, i > 0 ? "/" : ""), names[i]);
		node.parent = i;
		node.path = path;
		node.position[1] = i == 0 ? 0 : -1;
		if (anim_feet_node(feet, &node, NULL, error) != 0)
			return false;
	}
	return true;
}

/* Moves the last node of the leg by 1 to the side while it stays on the ground; the share of its leg, 0: it is no foot. */
static double slide(struct anim_feet *feet, const char *path, struct anim_error *error)
{
	static const float time[] = {0, 1}, value[] = {0, -1, 0, 1, -1, 0};
	const struct anim_clip clip = {
	    .end_s = 1, .name = "slide", .root = ".", .source = "bvh", .flags = ANIM_IN_TREE, .loop = ANIM_LOOP_NONE};
	struct anim_track track = axs_curve();
	const struct anim_slide *slides;

	track.node = path;
	track.property = "position";
	track.type = ANIM_FLOAT3;
	track.interp = ANIM_LINEAR;
	track.n = 2;
	track.time = time;
	track.value = value;
	track.left = track.right = NULL;
	track.interps = NULL;
	anim_feet_clip(feet, &clip);
	if (anim_feet_track(feet, &clip, &track, error) != 0 || anim_feet_end(feet, error) != 0)
		return -1;
	slides = (const struct anim_slide *)(const void *)feet->slides.data;
	return feet->slides.size == sizeof *slides && strcmp(slides->node, path) == 0 ? slides->share : 0;
}

TEST(feet_names, "feet and their upper legs are found by what their names mean, in whatever naming")
{
	static const char *const legs[][3] = {{"LeftUpperLeg", "LeftLowerLeg", "LeftFoot"},
					      {"mixamorig:RightUpLeg", "mixamorig:RightLeg", "mixamorig:RightFoot"},
					      {"LeftThigh", "LeftShin", "LeftToe"},
					      {"Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot"},
					      {"thigh_r", "calf_r", "foot_r"},
					      {"LeftHip", "LeftKnee", "LeftAnkle"},
					      {"Armature_upper_leg.L", "Armature_shin.L", "Armature_foot.L"},
					      {"LeftLeg", "LeftShin", "LeftFoot"},
					      {"leftLeg", "leftLeg", "leftFoot"}};
	static const char *const others[][3] = {{"LeftUpperLeg", "LeftLowerLeg", "Football"},
						{"Table", "LeftBoard", "LeftFoot"},
						{"LeftUpperArm", "LeftLowerArm", "LeftHand"}};
	struct anim_feet feet = {.percent = 5};
	struct anim_error error = {0};
	char path[256];

	anim_poses_init(&feet.posing.poses, 1 << 20);
	for (size_t i = 0; i < sizeof legs / sizeof *legs; i++) {
		double share = add_leg(&feet, legs[i], path, &error) ? slide(&feet, path, &error) : -1;

		/* the leg is as long as the way from the hip to the foot at the end */
		CHECKF(fabs(share - 1 / sqrt(5)) < 1e-6, "%s: %g", path, share);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		double share = add_leg(&feet, others[i], path, &error) ? slide(&feet, path, &error) : -1;

		CHECKF(share == 0, "%s: %g", path, share);
	}
	anim_feet_clear(&feet);
}
