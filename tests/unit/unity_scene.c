/* unity_scene.c: GameObjects, Transforms and prefab instances as the Unity reader makes a tree of them. */
#include <stdio.h>
#include <string.h>

#include "format/unity/unity.h"
#include "godot_lines.h"
#include "tap.h"

#define NO_CLIP "warning: no animation in this file\n"
#define PLACE " p0,0,0 r0,0,0,1 s1,1,1\n"

/* Reads the text as walk.prefab. */
static struct lines *read_text(const char *text)
{
	static struct lines lines;
	struct anim_read_options options = {.store_memory = 1 << 20, .no_external = true};

	lines_read_by(&lines, anim_unity_read, "walk.prefab", text, &options);
	return &lines;
}

/* Documents put one behind the other; the same text each time. */
static char text[1 << 16];

static void add(const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, sizeof text - length, "%s", more);
}

/* A GameObject of id 100 + n, its Transform 400 + n below 400 + father (0: a root). */
static void add_node(int n, const char *name, int father, const char *more)
{
	char made[1024];

	snprintf(made, sizeof made,
		 "--- !u!1 &%d\nGameObject:\n  m_Component:\n  - component: {fileID: %d}\n  m_Name: %s\n"
		 "--- !u!4 &%d\nTransform:\n  m_GameObject: {fileID: %d}\n  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}\n"
		 "  m_LocalPosition: {x: 0, y: 0, z: 0}\n  m_LocalScale: {x: 1, y: 1, z: 1}\n"
		 "  m_Father: {fileID: %d}\n%s",
		 100 + n, 500 + n, name, 400 + n, 100 + n, father == 0 ? 0 : 400 + father, more);
	add(made);
}

static void expect(const char *lines)
{
	lines_expect(read_text(text), lines);
	text[0] = '\0';
}

TEST(unity_documented_example, "the two objects of Unity's own page of the format are a tree of one node")
{
	add("--- !u!1 &6\nGameObject:\n  m_Component:\n  - 4: {fileID: 8}\n  - 33: {fileID: 12}\n"
	    "  - 65: {fileID: 13}\n  - 23: {fileID: 11}\n  m_Name: Cube\n  m_IsActive: 1\n"
	    "--- !u!4 &8\nTransform:\n  m_GameObject: {fileID:6}\n"
	    "  m_LocalRotation: {x: 0.000000, y: 0.000000, z: 0.000000, w: 1.000000}\n"
	    "  m_LocalPosition: {x: -2.618721, y: 1.028581, z: 1.131627}\n"
	    "  m_LocalScale: {x: 1.000000, y: 1.000000, z: 1.000000}\n  m_Children: []\n  m_Father: {fileID: 0}\n");
	expect("tree Cube from walk.prefab\n"
	       "node . MeshRenderer (mesh) p-2.618721,1.028581,1.131627 r0,0,0,1 s1,1,1\n" NO_CLIP);
}

TEST(unity_sibling_order, "siblings stand as their father lists them, those that it does not list behind them")
{
	add_node(3, "Late", 1, "");
	add_node(4, "B", 1, "");
	add_node(2, "A", 1, "");
	add_node(1, "Root", 0, "  m_Children:\n  - {fileID: 402}\n  - {fileID: 404}\n");
	expect("tree Root from walk.prefab\nnode . Transform" PLACE "node A <0 Transform" PLACE
	       "node B <0 Transform" PLACE "node Late <0 Transform" PLACE NO_CLIP);
}

TEST(unity_father_counts, "a Transform hangs below the father that it names, whoever lists it as a child")
{
	add_node(1, "Root", 0, "  m_Children:\n  - {fileID: 402}\n  - {fileID: 403}\n");
	add_node(2, "A", 1, "");
	add_node(3, "B", 2, "");
	expect("tree Root from walk.prefab\nnode . Transform" PLACE "node A <0 Transform" PLACE
	       "node A/B <1 Transform" PLACE NO_CLIP);
}

TEST(unity_several_roots, "several roots get one above them, named after the file; they stand by their m_RootOrder")
{
	add_node(1, "Second", 0, "  m_RootOrder: 1\n");
	add_node(2, "First", 0, "  m_RootOrder: 0\n");
	add_node(3, "Child", 1, "");
	expect("tree walk from walk.prefab\nnode .\nnode First <0 Transform" PLACE "node Second <0 Transform" PLACE
	       "node Second/Child <2 Transform" PLACE NO_CLIP);
}

TEST(unity_scene_roots, "where a scene lists its roots they stand in that order")
{
	add_node(1, "A", 0, "");
	add_node(2, "B", 0, "");
	add_node(3, "C", 0, "");
	add("--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_Roots:\n  - {fileID: 403}\n  - {fileID: 401}\n");
	expect("tree walk from walk.prefab\nnode .\nnode C <0 Transform" PLACE "node A <0 Transform" PLACE
	       "node B <0 Transform" PLACE NO_CLIP);
}

TEST(unity_kinds, "the component that makes a camera, a light or a mesh of an object gives its kind and type")
{
	add("--- !u!1 &1\nGameObject:\n  m_Component:\n  - component: {fileID: 4}\n  - component: {fileID: 33}\n"
	    "  - component: {fileID: 23}\n  - component: {fileID: 20}\n  m_Name: Rig\n  m_IsActive: 0\n"
	    "--- !u!224 &4\nRectTransform:\n  m_GameObject: {fileID: 1}\n  m_Father: {fileID: 0}\n"
	    "--- !u!33 &33\nMeshFilter:\n--- !u!23 &23\nMeshRenderer:\n--- !u!20 &20\nCamera:\n"
	    "--- !u!1 &2\nGameObject:\n  m_Component:\n  - component: {fileID: 108}\n  m_Name: Lamp\n"
	    "--- !u!108 &108\nLight:\n"
	    "--- !u!224 &5\nRectTransform:\n  m_GameObject: {fileID: 2}\n  m_Father: {fileID: 4}\n"
	    "--- !u!1 &3\nGameObject:\n  m_Name: Panel\n"
	    "--- !u!224 &6\nRectTransform:\n  m_GameObject: {fileID: 3}\n  m_Father: {fileID: 4}\n");
	expect("tree Rig from walk.prefab\nnode . Camera (camera) unity.inactive=1\n"
	       "node Lamp <0 Light (light)\nnode Panel <0 RectTransform\n" NO_CLIP);
}

TEST(unity_missing_parts, "a father that is missing makes a root, an object that is missing is called by its number")
{
	add_node(1, "Lost", 9, "");
	add("--- !u!4 &7\nTransform:\n  m_GameObject: {fileID: -55}\n  m_Father: {fileID: 401}\n");
	add("--- !u!1 &8\nGameObject:\n  m_Name: Bare\n");
	expect("tree walk from walk.prefab\nnode .\nnode Lost <0 Transform" PLACE "node Lost/?-55 <1 Transform\n"
	       "node Bare <0 GameObject\n" NO_CLIP
	       "warning walk.prefab:6:1: Transform '401': the parent is missing, so it is attached to the root\n");
}

TEST(unity_ring, "Transforms whose fathers run in a ring are left out with a warning")
{
	add_node(1, "Root", 0, "");
	add_node(2, "A", 3, "");
	add_node(3, "B", 2, "");
	add_node(4, "Self", 4, "");
	expect("tree Root from walk.prefab\nnode . Transform" PLACE NO_CLIP
	       "warning: 3 Transforms are in a cycle of parents and are left out\n");
}

TEST(unity_odd_values, "a slash in a name and a placement that is not finite are warned of")
{
	add_node(1, "Root", 0, "");
	add_node(2, "a/b", 1, "");
	add("--- !u!1 &9\nGameObject:\n  m_Name: Far\n--- !u!4 &10\nTransform:\n  m_GameObject: {fileID: 9}\n"
	    "  m_LocalPosition: {x: Infinity, y: 0, z: 0}\n  m_LocalScale: {x: 2, y: 2, z: 2}\n"
	    "  m_Father: {fileID: 401}\n");
	expect("tree Root from walk.prefab\nnode . Transform" PLACE "node a/b <0 Transform" PLACE
	       "node Far <0 Transform s2,2,2\n" NO_CLIP
	       "warning walk.prefab:18:1: name 'a/b': no path leads to a name with a '/', not even in Unity\n"
	       "warning walk.prefab:28:1: Transform '10': values that are not finite are left out\n");
}

TEST(unity_instance_unread,
     "an instance of a model is a node by what it changes; what stands for its inside is called by number")
{
	add_node(1, "Root", 0, "  m_Children:\n  - {fileID: 77}\n");
	add("--- !u!1001 &5000\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 401}\n"
	    "    m_Modifications:\n"
	    "    - target: {fileID: 400000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
	    "      propertyPath: m_LocalPosition.x\n      value: 3\n      objectReference: {fileID: 0}\n"
	    "    - target: {fileID: 100000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
	    "      propertyPath: m_Name\n      value: Robot\n      objectReference: {fileID: 0}\n"
	    "  m_SourcePrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
	    "--- !u!4 &77 stripped\nTransform:\n"
	    "  m_CorrespondingSourceObject: {fileID: 400000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
	    "  m_PrefabInstance: {fileID: 5000}\n"
	    "--- !u!4 &78 stripped\nTransform:\n"
	    "  m_CorrespondingSourceObject: {fileID: 400002, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
	    "  m_PrefabInstance: {fileID: 5000}\n");
	add("--- !u!1 &9\nGameObject:\n  m_Name: Sword\n--- !u!4 &10\nTransform:\n  m_GameObject: {fileID: 9}\n"
	    "  m_Father: {fileID: 78}\n");
	expect("tree Root from walk.prefab\nnode . Transform" PLACE "node Robot <0 Transform p3,0,0\n"
	       "node Robot/?78 <1 Transform\nnode Robot/?78/Sword <2 Transform\n"
	       "warning walk.prefab:15:1: prefab 'guid 0123456789abcdef0123456789abcdef': not searched for, because "
	       "other files are not followed; nodes are missing or named ?ID\n" NO_CLIP);
}

TEST(unity_old_instance, "instances and stand-ins are known by the names that they had before Unity 2018.3, too")
{
	add_node(1, "Root", 0, "");
	add("--- !u!1001 &5000\nPrefab:\n  m_Modification:\n    m_TransformParent: {fileID: 401}\n"
	    "    m_Modifications:\n"
	    "    - target: {fileID: 400000, guid: 0123456789abcdef0123456789abcdef, type: 2}\n"
	    "      propertyPath: m_RootOrder\n      value: 0\n      objectReference: {fileID: 0}\n"
	    "  m_ParentPrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 2}\n"
	    "--- !u!4 &77 stripped\nTransform:\n"
	    "  m_PrefabParentObject: {fileID: 400000, guid: 0123456789abcdef0123456789abcdef, type: 2}\n"
	    "  m_PrefabInternal: {fileID: 5000}\n");
	add("--- !u!1001 &100100000\nPrefab:\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n"
	    "  m_ParentPrefab: {fileID: 0}\n  m_RootGameObject: {fileID: 101}\n");
	expect("tree Root from walk.prefab\nnode . Transform" PLACE "node ?5000 <0 Transform\n"
	       "warning walk.prefab:13:1: prefab 'guid 0123456789abcdef0123456789abcdef': not searched for, because "
	       "other files are not followed; nodes are missing or named ?ID\n" NO_CLIP);
}

TEST(unity_faulty_object, "an object that cannot be read is a fault with its place, the others are read on")
{
	struct lines *lines;

	add_node(1, "Root", 0, "");
	add("--- !u!1 &2\nGameObject:\n  m_Name: [a\n  m_Layer: 0\n--- !u!114 &3\nMonoBehaviour:\n  x: [a\n  y: 0\n");
	lines = read_text(text);
	CHECK(lines->result == -1);
	CHECKF(strncmp(lines->text, "fault walk.prefab:1", 19) == 0, "%s", lines->text);
	CHECKF(strstr(lines->text, "error: 1 fault\n") != NULL, "%s", lines->text);
	text[0] = '\0';
}
