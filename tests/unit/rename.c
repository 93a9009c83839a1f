/* rename.c: names and trees through anim-rename. */
#include <stdio.h>
#include <string.h>

#include "rename_help.h"
#include "tap.h"

TEST(rename_expressions, "expressions do to a name what sed does: groups, &, delimiters, flags, empty matches")
{
	static const char *const cases[][3] = {
	    {"s/a/b/", "banana", "bbnana"},
	    {"s/a/b/g", "banana", "bbnbnb"},
	    {"s/A/b/gi", "banana", "bbnbnb"},
	    {"s|^Rig/||", "Rig/Hips", "Hips"},
	    {"s|a\\|b|x|", "a|b", "x"},
	    {"s,a\\,b,x,", "a,b", "x"},
	    {"s/(.*)_(L|R)$/\\2.\\1/", "Hand_L", "L.Hand"},
	    {"s/n/<&>/g", "nun", "<n>u<n>"},
	    {"s/n/\\&\\\\\\//", "nun", "&\\/un"},
	    {"s/x*/-/g", "abc", "-a-b-c-"},
	    {"s/b*/-/g", "abb", "-a-"},
	    {"s/^a/b/g", "aaa", "baa"},
#ifdef __GLIBC__ /* POSIX has no \b; musl's finds one wherever a search goes on */
	    {"s/\\ba/b/g", "aaa", "baa"},
#endif
	    {"s/(x)?b/[\\1]/", "abc", "a[]c"},
	    {"s/^/Armature\\//", "Hips", "Armature/Hips"},
	    {"s/$/ (old)/", "Hips", "Hips (old)"},
	    {"s/z/y/", "banana", NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct anim_expression expression;
		struct anim_error error = {0};
		struct anim_buffer out = {0};
		int found;

		if (!CHECKF(anim_expression_parse(&expression, cases[i][0], &error) == 0, "%s: %s", cases[i][0],
			    error.message))
			continue;
		found = anim_expression_apply(&expression, cases[i][1], &out, &error);
		CHECKF(found == (cases[i][2] != NULL), "%s returned %d", cases[i][0], found);
		if (found == 1 && cases[i][2] != NULL)
			CHECKF(strcmp((const char *)out.data, cases[i][2]) == 0, "%s made %s", cases[i][0],
			       (const char *)out.data);
		anim_buffer_clear(&out);
		anim_expression_clear(&expression);
	}
}

TEST(rename_expression_faults, "an expression that is none is refused with what is wrong")
{
	static const char *const cases[][2] = {
	    {"", "an expression looks like s/OLD/NEW/"},
	    {"a/b/c/", "an expression looks like s/OLD/NEW/"},
	    {"s/a/b", "an expression looks like s/OLD/NEW/"},
	    {"s/a\\/b/", "an expression looks like s/OLD/NEW/"},
	    {"s/a/b\\", "an expression looks like s/OLD/NEW/"},
	    {"sxaxbx", "an expression looks like s/OLD/NEW/"},
	    {"s//b/", "the pattern between the first two '/' is empty"},
	    {"s/a/b/p", "unknown flag 'p'; use g or i"},
	    {"s/(a)/\\2/", "the expression has no group 2"},
	    {"s/a/\\U&/", "'\\U' is not supported in the new text; use & or \\1 to \\9"},
	    {"s/a/b\\n/", "'\\n' is not supported in the new text; use & or \\1 to \\9"},
	    {"s/a/\\0/", "'\\0' is not supported in the new text; use & or \\1 to \\9"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct anim_expression expression;
		struct anim_error error = {0};

		CHECKF(anim_expression_parse(&expression, cases[i][0], &error) != 0, "%s was taken", cases[i][0]);
		CHECKF(strcmp(error.message, cases[i][1]) == 0, "%s: %s", cases[i][0], error.message);
		anim_expression_clear(&expression);
	}
}

static void map_refuses(const char *csv, unsigned line, const char *message)
{
	struct anim_rename_map map = {0};
	struct anim_error error = {0};
	struct anim_input *input = NULL;

	CHECK(anim_input_open_memory(&input, csv, strlen(csv), "m.csv", &error) == 0);
	CHECKF(anim_rename_map_read(&map, input, &error) != 0, "taken: %s", csv);
	CHECKF(error.line == line && strcmp(error.message, message) == 0, "line %u: %s", error.line, error.message);
	anim_input_close(input);
	anim_rename_map_clear(&map);
}

TEST(rename_map_reads, "a map has quoted fields, either line end, a head, a byte order mark and empty lines")
{
	struct rename_run run;

	rename_run_init(&run);
	rename_run_map(&run, "\xef\xbb\xbf"
			     "from,to\r\na,\"x,\"\"y\"\"\"\r\n\n\"b\nc\",z\nlast,end");
	CHECK(strcmp(anim_rename_map_get(&run.map, "a", 1), "x,\"y\"") == 0);
	CHECK(strcmp(anim_rename_map_get(&run.map, "b\nc", 3), "z") == 0);
	CHECK(strcmp(anim_rename_map_get(&run.map, "last", 4), "end") == 0);
	CHECK(anim_rename_map_get(&run.map, "from", 4) == NULL && anim_rename_map_get(&run.map, "", 0) == NULL);
	anim_rename_map_clear(&run.map);
}

TEST(rename_map_faults, "a map that is none is refused with its line")
{
	map_refuses(",b\n", 1, "a name is empty");
	map_refuses("a,b\nc\n", 2, "'c' has no new name; write it after a comma");
	map_refuses("a,b,c\n", 1, "the line has more fields than from,to");
	map_refuses("a,b\n\"c", 2, "a quoted field is not closed");
	map_refuses("a,b\n\"c\"d,e\n", 2, "the line has more fields than from,to");
	map_refuses("a,b\n\na,c\n", 3, "'a' has two new names: 'b' and 'c'");
	map_refuses("\"a\nb\",c\nd\n", 3, "'d' has no new name; write it after a comma");
	map_refuses("a,\n", 1, "a name is empty");
	map_refuses("a,\xff\n", 1, "a name is not UTF-8");
}

static const char *const limbs[] = {"Eye",  "Shoulder", "UpperArm", "LowerArm", "Hand",
				    "Foot", "UpperLeg", "LowerLeg", "Toes"};
static const char *const fingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
static const char *const finger_bones[] = {"Proximal", "Intermediate", "Distal"};

static void goes_and_comes(const char *side, const char *first, const char *second)
{
	char name[64];

	(void)snprintf(name, sizeof name, "%s%s%s", side, first, second);
	for (int to = 0; to < ANIM_HUMANOID_COUNT; to++) {
		const char *there = anim_humanoid_find(ANIM_HUMANOID_UNITY, to, name, strlen(name)), *back;

		if (there == NULL && (to == ANIM_HUMANOID_CMU || to == ANIM_HUMANOID_ROKOKO) &&
		    (second[0] != '\0' || strcmp(first, "Eye") == 0))
			continue; /* no fingers, no eyes */

		back = there == NULL ? NULL : anim_humanoid_find(to, ANIM_HUMANOID_UNITY, there, strlen(there));
		CHECKF(back != NULL && strcmp(back, name) == 0, "%s became %s", name, there);
	}
}

TEST(rename_humanoid, "each bone of a human's limbs goes to every engine and back")
{
	static const char *const sides[] = {"Left", "Right"};

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++)
			goes_and_comes(sides[side], limbs[i], "");
		for (int i = 0; i < 15; i++)
			goes_and_comes(sides[side], fingers[i / 3], finger_bones[i % 3]);
	}
}

static void becomes(enum anim_humanoid from, enum anim_humanoid to, const char *name, const char *wanted)
{
	const char *found = anim_humanoid_find(from, to, name, strlen(name));

	CHECKF((found == NULL) == (wanted == NULL), "%s is %s", name, found);
	if (found != NULL && wanted != NULL)
		CHECKF(strcmp(found, wanted) == 0, "%s is %s", name, found);
}

TEST(rename_humanoid_spelling, "names of bones are known by their engine's spelling, thumbs by their place")
{
	becomes(ANIM_HUMANOID_MIXAMO, ANIM_HUMANOID_GODOT, "mixamorig:LeftForeArm", "LeftLowerArm");
	becomes(ANIM_HUMANOID_MIXAMO, ANIM_HUMANOID_GODOT, "mixamorig_LeftForeArm", "LeftLowerArm");
	becomes(ANIM_HUMANOID_MIXAMO, ANIM_HUMANOID_GODOT, "mixamorig90:LeftForeArm", "LeftLowerArm");
	becomes(ANIM_HUMANOID_MIXAMO, ANIM_HUMANOID_GODOT, "LeftForeArm", "LeftLowerArm");
	becomes(ANIM_HUMANOID_MIXAMO, ANIM_HUMANOID_VRM, "mixamorig:Spine2", "upperChest");
	becomes(ANIM_HUMANOID_UNITY, ANIM_HUMANOID_VRM, "Left Thumb Proximal", "leftThumbMetacarpal");
	becomes(ANIM_HUMANOID_VRM0, ANIM_HUMANOID_VRM, "leftThumbProximal", "leftThumbMetacarpal");
	becomes(ANIM_HUMANOID_GODOT, ANIM_HUMANOID_UNITY, "LeftThumbProximal", "LeftThumbIntermediate");
	becomes(ANIM_HUMANOID_UNITY, ANIM_HUMANOID_MIXAMO, "Jaw", NULL);
	becomes(ANIM_HUMANOID_CMU, ANIM_HUMANOID_GODOT, "LowerBack", "Spine");
	becomes(ANIM_HUMANOID_CMU, ANIM_HUMANOID_UNITY, "Spine1", "UpperChest");
	becomes(ANIM_HUMANOID_CMU, ANIM_HUMANOID_VRM, "LThumb", "leftThumbMetacarpal");
	becomes(ANIM_HUMANOID_CMU, ANIM_HUMANOID_GODOT, "LHipJoint", NULL);
	becomes(ANIM_HUMANOID_ROKOKO, ANIM_HUMANOID_UNITY, "RightShin", "RightLowerLeg");
	becomes(ANIM_HUMANOID_UNITY, ANIM_HUMANOID_ROKOKO, "LeftHand", "LeftHand");
	becomes(ANIM_HUMANOID_UNITY, ANIM_HUMANOID_ROKOKO, "LeftIndexDistal", NULL);
	becomes(ANIM_HUMANOID_SMPL, ANIM_HUMANOID_UNITY, "left_shoulder", "LeftUpperArm");
	becomes(ANIM_HUMANOID_SMPL, ANIM_HUMANOID_VRM, "right_foot", "rightToes");
	becomes(ANIM_HUMANOID_VRM, ANIM_HUMANOID_SMPL, "leftThumbMetacarpal", "left_thumb1");
	becomes(ANIM_HUMANOID_GODOT, ANIM_HUMANOID_SMPL, "RightLittleDistal", "right_pinky3");
	becomes(ANIM_HUMANOID_NEURON, ANIM_HUMANOID_GODOT, "LeftHandPinky2", "LeftLittleIntermediate");
	becomes(ANIM_HUMANOID_GODOT, ANIM_HUMANOID_NEURON, "LeftUpperLeg", "LeftUpLeg");
	becomes(ANIM_HUMANOID_NEURON, ANIM_HUMANOID_MIXAMO, "Spine2", "mixamorig:Spine2");
	becomes(ANIM_HUMANOID_UNITY, ANIM_HUMANOID_GODOT, "leftHand", NULL);
	becomes(ANIM_HUMANOID_MIXAMO, ANIM_HUMANOID_GODOT, "mixamorig:", NULL);
	becomes(ANIM_HUMANOID_UNITY, ANIM_HUMANOID_GODOT, "LeftHand2", NULL);
}

/* The bones that a name means, the one that counts if nothing decides first; `prefix` is what it begins with in plain form. */
static void means(const char *name, const char *prefix, const char *first, const char *second)
{
	struct anim_plain_name plain;
	struct anim_bone_guess guess = {0};
	bool found = anim_plain_name(&plain, name) && strncmp(plain.text, prefix, strlen(prefix)) == 0 &&
		     anim_bone_guess(&guess, &plain, strlen(prefix));
	const char *bones[2] = {anim_human_bone_name(guess.bones[guess.lower]),
				anim_human_bone_name(guess.bones[!guess.lower])};

	CHECKF(found == (first != NULL), "%s", name);
	if (found && first != NULL)
		CHECKF(strcmp(bones[0], first) == 0, "%s is %s", name, bones[0]);
	CHECKF(guess.doubtful == (second != NULL), "%s", name);
	if (guess.doubtful && second != NULL)
		CHECKF(strcmp(bones[1], second) == 0, "%s may be %s", name, bones[1]);
}

TEST(rename_guess,
     "a bone is known in any case, with any prefix, separators, numbers and mark of its side; what it may be else, too")
{
	means("LEFT_HAND", "", "LeftHand", NULL);
	means("hand.l", "", "LeftHand", NULL);
	means("Hand_R.001", "", "RightHand", NULL);
	means("r-hand", "", "RightHand", NULL);
	means("LHand", "", "LeftHand", NULL);
	means("HandL", "", "LeftHand", NULL);
	means("lhand", "", "LeftHand", NULL);
	means("lefthand", "", "LeftHand", NULL);
	means("hand", "", NULL, NULL);
	means("ik_hand_l", "", NULL, NULL);
	means("upperarm_twist_01_l", "", NULL, NULL);
	means("Bip01 L Finger01", "bip01", "LeftThumbIntermediate", NULL);
	means("Bip01 R Finger1", "bip01", "RightIndexProximal", NULL);
	means("index_01_l", "", "LeftIndexProximal", NULL);
	means("DEF-f_index.02.R", "def", "RightIndexIntermediate", NULL);
	means("thumb_01_03_l", "", "LeftThumbProximal", NULL);
	means("J_Bip_C_Head", "jbip", "Head", NULL);
	means("mixamorig1:LeftForeArm_09", "mixamorig1", "LeftLowerArm", NULL);
	means("hip", "", "Hips", NULL);
	means("lHip", "", "LeftUpperLeg", NULL);
	means("LHipJoint", "", NULL, NULL);
	means("LeftShoulder", "", "LeftUpperArm", "LeftShoulder");
	means("Leg.R", "", "RightUpperLeg", "RightLowerLeg");
	means("leftThumbProximal", "", "LeftThumbProximal", "LeftThumbIntermediate");
	means("left_hand_joint", "", "LeftHand", NULL);
	means("hips_JNT", "", "Hips", NULL);
	means("Left_Upper_Arm_Joint_01", "", "LeftUpperArm", NULL);
	means("Right_Index_Finger_Joint_02", "", "RightIndexIntermediate", NULL);
	means("left_handIndex_1_joint", "", "LeftIndexProximal", NULL);
	means("forearm_stretch.l", "", "LeftLowerArm", NULL);
	means("neck.x", "", "Neck", NULL);
	means("mShoulderLeft", "", "LeftUpperArm", "LeftShoulder");
	means("handr", "", "RightHand", NULL);
	means("LFArm", "", "LeftLowerArm", NULL);
	means("jambe droite", "", "RightUpperLeg", "RightLowerLeg");
	means("tête", "", "Head", NULL);
	means("t\xc3\xaate_end", "", NULL, NULL);
	means("左ひざ", "", "LeftLowerLeg", NULL);
	means("右人指２", "", "RightIndexIntermediate", NULL);
	means("左足ＩＫ", "", NULL, NULL);
	means("\xe5\xb7", "", NULL, NULL);
	means("", "", NULL, NULL);
	means("L", "", NULL, NULL);
	means("a_name_that_goes_on_and_on_and_is_longer_than_the_name_of_any_bone_LeftHand", "", NULL, NULL);
}

static void finds(const struct anim_crc_names *names, const char *node, bool is_crc, const char *wanted)
{
	const char *path;

	CHECKF(anim_crc_names_find(names, node, &path) == is_crc, "%s", node);
	CHECKF((path == NULL) == (wanted == NULL) && (path == NULL || strcmp(path, wanted) == 0), "%s is %s", node,
	       path == NULL ? "unknown" : path);
}

TEST(rename_crc, "a node that is the CRC of a known path, from any root, is found; other numbers and names are not")
{
	struct anim_crc_names names = {0};

	CHECK(anim_crc_names_add(&names, "Hero/Armature/Body", NULL) == 0);
	finds(&names, "2073732236", true, "Body");
	finds(&names, "path_2073732236", true, "Body");
	finds(&names, "2073732237", true, NULL);
	finds(&names, "0", true, ".");
	finds(&names, "4294967296", false, NULL);
	finds(&names, "20737322360", false, NULL);
	finds(&names, "Body", false, NULL);
	finds(&names, "12a", false, NULL);
	finds(&names, "path_", false, NULL);
	finds(&names, "", false, NULL);
	anim_crc_names_clear(&names);
}

/* Tree: Hips with Spine with Hand_L, and Body; tracks of all four. */
static void small_scene(struct rename_run *run)
{
	static const char *const paths[] = {"Hips", "Hips/Spine", "Hips/Spine/Hand_L", "Body"};

	rename_run_tree(run);
	for (uint32_t i = 0; i < 4; i++)
		rename_run_node(run, paths[i], ANIM_NODE, i < 3 ? i : 0);
	rename_run_clip(run);
	for (int i = 0; i < 4; i++)
		rename_run_track(run, paths[i], "position");
	rename_run_end(run);
}

TEST(rename_follows, "what is below a renamed node follows it, in the tree as in the tracks")
{
	struct rename_run run;

	rename_run_init(&run);
	rename_run_expression(&run, "s/Spine$/Chest/");
	rename_run_expression(&run, "s/_L$/.L/");
	rename_run_open(&run);
	small_scene(&run);
	rename_run_has_node(&run, 1, "Hips", ".");
	rename_run_has_node(&run, 2, "Hips/Chest", "Hips");
	rename_run_has_node(&run, 3, "Hips/Chest/Hand.L", "Hips/Chest");
	rename_run_has_node(&run, 4, "Body", ".");
	rename_run_has_track(&run, 0, "Hips");
	rename_run_has_track(&run, 1, "Hips/Chest");
	rename_run_has_track(&run, 2, "Hips/Chest/Hand.L");
	CHECK(run.out.nodes[3].position[0] == 3);
	rename_run_warned(&run, NULL);
	rename_run_close(&run);
}

TEST(rename_moves, "a node that moves below a later one or a new one comes behind it")
{
	struct rename_run run;

	rename_run_init(&run);
	rename_run_expression(&run, "s|^Hips|Body/New/Hips|");
	rename_run_open(&run);
	small_scene(&run);
	rename_run_has_node(&run, 1, "Body", ".");
	rename_run_has_node(&run, 2, "Body/New", "Body");
	rename_run_has_node(&run, 3, "Body/New/Hips", "Body/New");
	rename_run_has_node(&run, 4, "Body/New/Hips/Spine", "Body/New/Hips");
	rename_run_has_node(&run, 5, "Body/New/Hips/Spine/Hand_L", "Body/New/Hips/Spine");
	CHECK(run.out.node_count == 6 && run.out.nodes[2].has == 0 && run.out.nodes[3].position[0] == 1);
	rename_run_has_track(&run, 2, "Body/New/Hips/Spine/Hand_L");
	rename_run_close(&run);
}

TEST(rename_takes_out, "names that are taken out leave no empty ones, and nothing left is the root")
{
	struct rename_run run;

	rename_run_init(&run);
	rename_run_expression(&run, "s/Spine|^Body$//");
	rename_run_expression(&run, "s/^Hips//");
	rename_run_open(&run);
	rename_run_clip(&run);
	rename_run_track(&run, "Hips/Spine/Hand_L", "position");
	rename_run_track(&run, "Body", "position");
	rename_run_track(&run, "/Hips/Spine", "position");
	rename_run_track(&run, "Rig/Spine/Hand_L", "position");
	rename_run_end(&run);
	rename_run_has_track(&run, 0, "Hand_L");
	rename_run_has_track(&run, 1, ".");
	rename_run_has_track(&run, 2, "/Hips");
	rename_run_has_track(&run, 3, "Rig/Hand_L");
	rename_run_close(&run);
}

TEST(rename_by_map, "a row with a slash moves a path and what is below it, one without is a name wherever it stands")
{
	struct rename_run run;

	rename_run_init(&run);
	rename_run_map(&run, "Hips/Spine,Rig\n./Hips,Top\nHand_L,Hand\nSpine,Never\n");
	rename_run_open(&run);
	rename_run_clip(&run);
	rename_run_track(&run, "Hips/Spine/Hand_L", "position");
	rename_run_track(&run, "Hips/Spine2/Hips", "position");
	rename_run_track(&run, "A/Skeleton3D:Hand_L", "position");
	rename_run_track(&run, "Hips:Hand_L", "position");
	rename_run_track(&run, "", "position");
	rename_run_end(&run);
	rename_run_has_track(&run, 0, "Rig/Hand");
	rename_run_has_track(&run, 1, "Top/Spine2/Hips");
	rename_run_has_track(&run, 2, "A/Skeleton3D:Hand");
	rename_run_has_track(&run, 3, "Hips:Hand_L");
	rename_run_has_track(&run, 4, "");
	rename_run_close(&run);
	rename_run_init(&run);
	rename_run_map(&run, "./Hips,Top\nHand_L,Hand\n");
	run.clip.source = "godot4";
	rename_run_open(&run);
	rename_run_clip(&run);
	rename_run_track(&run, "Hips:Hand_L", "position");
	rename_run_end(&run);
	rename_run_has_track(&run, 0, "Top:Hand");
	rename_run_close(&run);
}

TEST(rename_root, "nodes are renamed as the tracks see them from their clip's root, the root as the tree has it")
{
	struct rename_run run;

	rename_run_init(&run);
	rename_run_expression(&run, "s/^Hips/Pelvis/");
	rename_run_expression(&run, "s/^Hero/Champ/");
	rename_run_open(&run);
	rename_run_tree(&run);
	rename_run_node(&run, "Hero", ANIM_NODE, 0);
	rename_run_node(&run, "Hero/Hips", ANIM_NODE, 1);
	rename_run_node(&run, "Hips", ANIM_NODE, 0);
	run.clip.root = "Hero";
	rename_run_clip(&run);
	rename_run_track(&run, "Hips", "position");
	rename_run_end(&run);
	rename_run_has_node(&run, 1, "Champ", ".");
	rename_run_has_node(&run, 2, "Champ/Pelvis", "Champ");
	CHECK(strcmp(run.out.clip.root, "Champ") == 0);
	rename_run_has_track(&run, 0, "Pelvis");
	rename_run_close(&run);
}

TEST(rename_selects, "a selection of properties turns tracks to other nodes and leaves the tree")
{
	static const char *const properties[] = {"visible"};
	struct rename_run run;

	rename_run_init(&run);
	rename_run_expression(&run, "s/^Body$/Mesh/");
	run.options.select.properties = properties;
	run.options.select.property_count = 1;
	rename_run_open(&run);
	rename_run_tree(&run);
	rename_run_node(&run, "Body", ANIM_NODE, 0);
	rename_run_clip(&run);
	rename_run_track(&run, "Body", "visible");
	rename_run_track(&run, "Body", "position");
	rename_run_end(&run);
	rename_run_has_node(&run, 1, "Body", ".");
	rename_run_has_track(&run, 0, "Mesh");
	rename_run_has_track(&run, 1, "Body");
	rename_run_close(&run);
}

TEST(rename_selects_nodes, "a selection of nodes keeps the others' names, but what is below a node follows it")
{
	static const char *const nodes[] = {"Spine"};
	struct rename_run run;

	rename_run_init(&run);
	rename_run_expression(&run, "s/[^\\/]*$/<&>/");
	run.options.select.nodes = nodes;
	run.options.select.node_count = 1;
	rename_run_open(&run);
	small_scene(&run);
	rename_run_has_track(&run, 0, "Hips");
	rename_run_has_track(&run, 1, "Hips/<Spine>");
	rename_run_has_track(&run, 2, "Hips/<Spine>/Hand_L");
	rename_run_has_node(&run, 3, "Hips/<Spine>/Hand_L", "Hips/<Spine>");
	rename_run_close(&run);
}

TEST(rename_collides, "tracks and nodes that become one are warned of, but not those that were one before")
{
	struct rename_run run;

	rename_run_init(&run);
	rename_run_expression(&run, "s/Body/Hips/");
	rename_run_open(&run);
	rename_run_clip(&run);
	rename_run_track(&run, "Hips", "position");
	rename_run_track(&run, "Hips", "position");
	rename_run_warned(&run, NULL);
	rename_run_track(&run, "Body", "position");
	rename_run_end(&run);
	rename_run_warned(&run, "track 'Hips position.x': same new name as another track of the clip");
	rename_run_close(&run);

	rename_run_init(&run);
	rename_run_expression(&run, "s/Body/Hips/");
	rename_run_open(&run);
	rename_run_tree(&run);
	rename_run_node(&run, "Hips", ANIM_NODE, 0);
	rename_run_node(&run, "Body", ANIM_NODE, 0);
	rename_run_clip(&run);
	rename_run_end(&run);
	rename_run_warned(&run, "node 'Body' (now 'Hips'): same path as another node, 'Hips'");
	rename_run_close(&run);
}

TEST(rename_nothing, "where no name matches, that is warned of, and everything is as it was")
{
	struct rename_run run;

	rename_run_init(&run);
	rename_run_expression(&run, "s/Tail/Tale/");
	rename_run_open(&run);
	small_scene(&run);
	rename_run_has_node(&run, 3, "Hips/Spine/Hand_L", "Hips/Spine");
	rename_run_has_track(&run, 3, "Body");
	rename_run_warned(&run, "nothing was renamed: no name matches");
	rename_run_close(&run);
}

TEST(rename_spelling, "Unity's own spelling of a property goes along with it")
{
	struct anim_attr attr = {"unity.attribute", "material._Color.r"};
	float time = 0, value = 1;
	struct anim_track track = {.kind = ANIM_DISCRETE,
				   .type = ANIM_FLOAT,
				   .node = "Body",
				   .property = "material._Color",
				   .n = 1,
				   .time = &time,
				   .value = &value,
				   .attrs = {&attr, 1}};
	struct rename_run run;
	const char *spelling;

	rename_run_init(&run);
	run.options.on = ANIM_RENAME_PROPERTY;
	rename_run_expression(&run, "s/_Color$/_Tint/");
	rename_run_open(&run);
	rename_run_clip(&run);
	CHECK(anim_sink_track(run.filter, &track, NULL) == 0);
	rename_run_end(&run);
	spelling = anim_attrs_get(&run.out.tracks[0].attrs, "unity.attribute");
	CHECK(strcmp(run.out.tracks[0].property, "material._Tint") == 0);
	CHECK(spelling != NULL && strcmp(spelling, "material._Tint.r") == 0);
	rename_run_close(&run);
}

TEST(rename_refuses, "a name of which nothing or half a letter is left is refused")
{
	struct rename_run run;
	struct anim_error error = {0};

	rename_run_init(&run);
	run.options.on = ANIM_RENAME_CLIP;
	rename_run_expression(&run, "s/.*//");
	rename_run_open(&run);
	CHECK(anim_sink_clip(run.filter, &run.clip, &error) != 0);
	CHECK(strcmp(error.message, "nothing is left of the name 'c'") == 0);
	rename_run_close(&run);

	rename_run_init(&run);
	run.options.on = ANIM_RENAME_CLIP;
	run.clip.name = "\xc3\xa4";
	rename_run_expression(&run, "s/.$//");
	rename_run_open(&run);
	CHECK(anim_sink_clip(run.filter, &run.clip, &error) != 0);
	CHECKF(strstr(error.message, "is not UTF-8") != NULL, "%s", error.message);
	rename_run_close(&run);
}
