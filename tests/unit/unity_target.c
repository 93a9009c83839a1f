/* unity_target.c: the paths of Unity's curves. */
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "unity_emit.h"

/* What is said of a path. */
#define PLACED ""
#define LOOSE_BONE "the parents of the bone are unknown; it is written as a child of its skeleton"
#define LOOSE_NAME "no path of the node; Unity expects it directly below the animated object"
#define OUTSIDE "left out, because nodes outside the animation's root have no path in Unity"

struct place {
	const char *node, *path; /* path NULL: outside */
	const char *said;
};

/* A hero with a skeleton of three bones in a row, and a skeleton at the root of all. */
static void add_hero(struct unity_emit *d)
{
	emit_node(d, ANIM_NODE, ANIM_NO_PARENT, ".", "Node3D");
	emit_node(d, ANIM_NODE, 0, "Hero", "Node3D");
	emit_node(d, ANIM_NODE, 1, "Hero/Skeleton3D", "Node3D");
	emit_node(d, ANIM_NODE_BONE, 2, "Hero/Skeleton3D:Hips", "Node3D");
	emit_node(d, ANIM_NODE_BONE, 3, "Hero/Skeleton3D:Spine", "Node3D");
	emit_node(d, ANIM_NODE_BONE, 4, "Hero/Skeleton3D:Head", "Node3D");
	emit_node(d, ANIM_NODE_BONE, 0, ".:Top", "Node3D");
	emit_node(d, ANIM_NODE_BONE, 6, ".:Tip", "Node3D");
	emit_node(d, ANIM_NODE, 1, "Hero/Sword", "Node3D");
	emit_node(d, ANIM_NODE, 1, "Hero/Twin", "Node3D");
	emit_node(d, ANIM_NODE, 0, "Twin", "Node3D");
}

/* A document with one position of that node. */
static void emit_position(struct unity_emit *d, const char *node)
{
	static const float time[] = {0}, value[] = {1, 2, 3};
	struct anim_track track = emit_make(ANIM_CURVE, ANIM_FLOAT3, "position", 1, time, value);

	track.node = node;
	emit_track(d, &track);
	emit_finish(d);
}

static void check_place(const struct place *place, const char *source, const char *root, bool in_tree)
{
	static struct unity_emit d;
	char line[256];

	emit_start(&d);
	d.clip.source = source;
	d.clip.root = root;
	if (in_tree)
		add_hero(&d);
	emit_position(&d, place->node);
	CHECKF(!d.failed, "%s: %s", place->node, d.error.message);
	if (place->path == NULL) {
		CHECKF(strstr(d.text, "  m_PositionCurves: []\n") != NULL, "%s: %s", place->node, d.text);
	} else {
		snprintf(line, sizeof line, "    path: %s\n", place->path);
		CHECKF(strstr(d.text, line) != NULL, "%s: %s", place->node, d.text);
	}
	CHECKF(place->said[0] == '\0' ? d.diagnostics.count == 0 : strstr(emit_diagnostic(&d, 0), place->said) != NULL,
	       "%s: %s", place->node, emit_diagnostic(&d, 0));
	emit_discard(&d);
}

static void check_places(const struct place *places, size_t count, const char *source, const char *root, bool in_tree)
{
	for (size_t i = 0; i < count; i++)
		check_place(&places[i], source, root, in_tree);
}
#define COUNT(table) (sizeof(table) / sizeof *(table))

TEST(unity_target_bones, "a bone's path goes through its skeleton and its parent bones")
{
	static const struct place places[] = {{".", "", PLACED},
					      {"Hero/Sword", "Hero/Sword", PLACED},
					      {"Hero/./Sword/..", "Hero", PLACED},
					      {"/Hero", "Hero", PLACED},
					      {"Hero/Skeleton3D:Hips", "Hero/Skeleton3D/Hips", PLACED},
					      {"Hero/Skeleton3D:Head", "Hero/Skeleton3D/Hips/Spine/Head", PLACED},
					      {".:Tip", "Top/Tip", PLACED},
					      {"Hero/Skeleton3D:Tail", "Hero/Skeleton3D/Tail", LOOSE_BONE},
					      {"../Other", NULL, OUTSIDE}};

	check_places(places, COUNT(places), "godot4", ".", true);
}

TEST(unity_target_root, "paths are seen from the animation's root, and nothing beside it has one")
{
	static const struct place places[] = {{".", "", PLACED},
					      {"Sword", "Sword", PLACED},
					      {"Skeleton3D:Spine", "Skeleton3D/Hips/Spine", PLACED},
					      {"../Hero/Sword", "Sword", PLACED},
					      {"%Sword", "Sword", PLACED},
					      {"..", NULL, OUTSIDE},
					      {"../Twin", NULL, OUTSIDE},
					      {"../HeroX", NULL, OUTSIDE}};

	check_places(places, COUNT(places), "godot4", "Hero", true);
}

TEST(unity_target_unique, "a unique name is looked up in the tree; two of a name, or no tree, leave it loose")
{
	static const struct place places[] = {{"%Sword", "Hero/Sword", PLACED},
					      {"%Sword/Tip", "Hero/Sword/Tip", PLACED},
					      {"Hero/%Skeleton3D:Hips", "Hero/Skeleton3D/Hips", PLACED},
					      {"%Twin", "Twin", LOOSE_NAME},
					      {"%Ghost/Arm", "Ghost/Arm", LOOSE_NAME},
					      {"A/%", "A/%", PLACED}};
	static const struct place alone[] = {{"%Sword", "Sword", LOOSE_NAME},
					     {"Hero/Skeleton3D:Head", "Hero/Skeleton3D/Head", LOOSE_BONE}};

	check_places(places, COUNT(places), "godot4", ".", true);
	check_places(alone, COUNT(alone), "godot4", ".", false);
}

TEST(unity_target_sources, "colons and percents are letters in names of other engines than Godot")
{
	static const struct place unity[] = {{".", "", PLACED},
					     {"mixamorig:Hips/%x/..", "mixamorig:Hips/%x/..", PLACED}};
	static const struct place bare[] = {{".", "", PLACED}, {"mixamorig:Hips", "mixamorig:Hips", LOOSE_NAME}};
	static const struct place other[] = {{"A/%x", "A/%x", PLACED},
					     {"A:b/A:c", "A:b/A:c", PLACED},
					     {"A/Skeleton3D:b:c", "A/Skeleton3D/b:c", LOOSE_BONE}};

	check_places(unity, COUNT(unity), "unity", ".", false);
	check_places(bare, COUNT(bare), "animj", ".", false);
	check_places(other, COUNT(other), "other", ".", false);
}

TEST(unity_target_long, "a chain of bones longer than a name may be is refused")
{
	static struct unity_emit d;
	char name[1100] = "S:";

	emit_start(&d);
	emit_node(&d, ANIM_NODE, ANIM_NO_PARENT, ".", "Node3D");
	emit_node(&d, ANIM_NODE, 0, "S", "Node3D");
	memset(name + 2, 'b', 1000);
	for (uint32_t i = 0; i < 80; i++) {
		name[1002] = (char)('!' + i);
		emit_node(&d, ANIM_NODE_BONE, i + 1, name, "Node3D");
	}
	emit_position(&d, name);
	CHECKF(d.failed && d.error.code == ANIM_TOO_LARGE, "%s", d.error.message);
	emit_discard(&d);
}
