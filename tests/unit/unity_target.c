/* unity_target.c: the paths of Unity's curves. */
#include "format/unity/writer.h"

#include <string.h>

#include "tap.h"

struct place {
	const char *node, *path; /* path NULL: outside */
	enum unity_placing placing;
};

static void check_places(const struct unity_target *target, const struct place *places, size_t count)
{
	struct anim_arena arena = {0};
	struct anim_error error = {0};

	for (size_t i = 0; i < count; i++) {
		const char *path = "?";
		enum unity_placing placing;

		if (!CHECK(unity_target_path(target, places[i].node, &path, &placing, &arena, &error) == 0))
			continue;
		CHECKF(places[i].path == NULL ? path == NULL : path != NULL && strcmp(path, places[i].path) == 0,
		       "%s: %s", places[i].node, path == NULL ? "(outside)" : path);
		CHECKF(placing == places[i].placing, "%s: %d", places[i].node, (int)placing);
	}
	anim_arena_clear(&arena);
}
#define COUNT(table) (sizeof(table) / sizeof *(table))

static void add(struct unity_target *target, enum anim_node_kind kind, uint32_t parent, const char *path)
{
	const struct anim_node node = {.kind = (uint8_t)kind, .parent = parent, .path = path, .type = "Node3D"};
	struct anim_error error = {0};

	CHECK(unity_target_node(target, &node, &error) == 0);
}

/* A hero with a skeleton of three bones in a row, and a skeleton at the root of all. */
static void add_hero(struct unity_target *target)
{
	unity_target_tree(target);
	add(target, ANIM_NODE, ANIM_NO_PARENT, ".");
	add(target, ANIM_NODE, 0, "Hero");
	add(target, ANIM_NODE, 1, "Hero/Skeleton3D");
	add(target, ANIM_NODE_BONE, 2, "Hero/Skeleton3D:Hips");
	add(target, ANIM_NODE_BONE, 3, "Hero/Skeleton3D:Spine");
	add(target, ANIM_NODE_BONE, 4, "Hero/Skeleton3D:Head");
	add(target, ANIM_NODE_BONE, 0, ".:Top");
	add(target, ANIM_NODE_BONE, 6, ".:Tip");
	add(target, ANIM_NODE, 1, "Hero/Sword");
	add(target, ANIM_NODE, 1, "Hero/Twin");
	add(target, ANIM_NODE, 0, "Twin");
}

static void begin(struct unity_target *target, const char *source, const char *root, bool in_tree)
{
	const struct anim_clip clip = {.source = source, .root = root, .flags = in_tree ? ANIM_IN_TREE : 0};
	struct anim_error error = {0};

	CHECK(unity_target_clip(target, &clip, &error) == 0);
}

TEST(unity_target_bones, "a bone's path goes through its skeleton and its parent bones")
{
	static const struct place places[] = {{".", "", UNITY_PLACED},
					      {"Hero/Sword", "Hero/Sword", UNITY_PLACED},
					      {"Hero/./Sword/..", "Hero", UNITY_PLACED},
					      {"/Hero", "Hero", UNITY_PLACED},
					      {"Hero/Skeleton3D:Hips", "Hero/Skeleton3D/Hips", UNITY_PLACED},
					      {"Hero/Skeleton3D:Head", "Hero/Skeleton3D/Hips/Spine/Head", UNITY_PLACED},
					      {".:Tip", "Top/Tip", UNITY_PLACED},
					      {"Hero/Skeleton3D:Tail", "Hero/Skeleton3D/Tail", UNITY_LOOSE_BONE},
					      {"../Other", NULL, UNITY_OUTSIDE}};
	struct unity_target target = {0};

	add_hero(&target);
	begin(&target, "godot4", ".", true);
	check_places(&target, places, COUNT(places));
	unity_target_clear(&target);
}

TEST(unity_target_root, "paths are seen from the animation's root, and nothing beside it has one")
{
	static const struct place places[] = {{".", "", UNITY_PLACED},
					      {"Sword", "Sword", UNITY_PLACED},
					      {"Skeleton3D:Spine", "Skeleton3D/Hips/Spine", UNITY_PLACED},
					      {"../Hero/Sword", "Sword", UNITY_PLACED},
					      {"%Sword", "Sword", UNITY_PLACED},
					      {"..", NULL, UNITY_OUTSIDE},
					      {"../Twin", NULL, UNITY_OUTSIDE},
					      {"../HeroX", NULL, UNITY_OUTSIDE}};
	struct unity_target target = {0};

	add_hero(&target);
	begin(&target, "godot4", "Hero", true);
	check_places(&target, places, COUNT(places));
	unity_target_clear(&target);
}

TEST(unity_target_unique, "a unique name is looked up in the tree; two of a name, or no tree, leave it loose")
{
	static const struct place places[] = {{"%Sword", "Hero/Sword", UNITY_PLACED},
					      {"%Sword/Tip", "Hero/Sword/Tip", UNITY_PLACED},
					      {"Hero/%Skeleton3D:Hips", "Hero/Skeleton3D/Hips", UNITY_PLACED},
					      {"%Twin", "Twin", UNITY_LOOSE_NAME},
					      {"%Ghost/Arm", "Ghost/Arm", UNITY_LOOSE_NAME},
					      {"A/%", "A/%", UNITY_PLACED}};
	static const struct place alone[] = {{"%Sword", "Sword", UNITY_LOOSE_NAME},
					     {"Hero/Skeleton3D:Head", "Hero/Skeleton3D/Head", UNITY_LOOSE_BONE}};
	struct unity_target target = {0};

	add_hero(&target);
	begin(&target, "godot4", ".", true);
	check_places(&target, places, COUNT(places));
	begin(&target, "godot4", ".", false);
	check_places(&target, alone, COUNT(alone));
	unity_target_clear(&target);
}

TEST(unity_target_sources, "colons and percents are letters in Unity's and Resonite's names")
{
	static const struct place unity[] = {{".", "", UNITY_PLACED},
					     {"mixamorig:Hips/%x/..", "mixamorig:Hips/%x/..", UNITY_PLACED}};
	static const struct place bare[] = {{".", "", UNITY_PLACED},
					    {"mixamorig:Hips", "mixamorig:Hips", UNITY_LOOSE_NAME}};
	static const struct place other[] = {{"A/%x", "A/%x", UNITY_PLACED}, {"A:b", "A/b", UNITY_LOOSE_BONE}};
	struct unity_target target = {0};

	begin(&target, "unity", ".", false);
	check_places(&target, unity, COUNT(unity));
	begin(&target, "animj", ".", false);
	check_places(&target, bare, COUNT(bare));
	begin(&target, "other", ".", false);
	check_places(&target, other, COUNT(other));
	unity_target_clear(&target);
}

TEST(unity_target_long, "a chain of bones longer than a name may be is refused")
{
	struct unity_target target = {0};
	struct anim_arena arena = {0};
	struct anim_error error = {0};
	char name[1100] = "S:";
	const char *path;
	enum unity_placing placing;

	unity_target_tree(&target);
	add(&target, ANIM_NODE, ANIM_NO_PARENT, ".");
	add(&target, ANIM_NODE, 0, "S");
	memset(name + 2, 'b', 1000);
	for (uint32_t i = 0; i < 80; i++) {
		name[1002] = (char)('!' + i);
		add(&target, ANIM_NODE_BONE, i + 1, name);
	}
	begin(&target, "godot4", ".", true);
	CHECK(unity_target_path(&target, name, &path, &placing, &arena, &error) != 0);
	CHECKF(error.code == ANIM_TOO_LARGE, "%s", error.message);
	anim_arena_clear(&arena);
	unity_target_clear(&target);
}
