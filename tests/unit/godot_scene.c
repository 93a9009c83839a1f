/* godot_scene.c: trees, bones and sections as the Godot reader makes them, and its faults. */
#include <string.h>

#include "godot_lines.h"
#include "tap.h"

TEST(tree_of_scene, "nodes come with their paths, classes, kinds and transforms")
{
	lines_expect(lines_read(SCENE ROOT "[node name=\"Arm\" type=\"Node3D\" parent=\".\"]\n"
					   "transform = Transform3D(0, 0, 2, 0, 2, 0, -2, 0, 0, 1, 2, 3)\n"
					   "[node name=\"Eye\" type=\"Camera3D\" parent=\"Arm\"]\n"
					   "[node name=\"Box\" type=\"MeshInstance3D\" parent=\"Arm/Eye\"]\n"
					   "position = Vector3(1, 0, 0)\nscale = Vector3(1, 2, 1)\n"
					   "[node name=\"Sun\" type=\"OmniLight\" parent=\"Arm\"]\n"
					   "quaternion = Quaternion(0, 1, 0, 0)\n"),
		     TREE "node Arm <0 Node3D p1,2,3 r0,0.70710677,0,0.70710677 s2,2,2\n"
			  "node Arm/Eye <1 Camera3D (camera)\n"
			  "node Arm/Eye/Box <2 MeshInstance3D (mesh) p1,0,0 s1,2,1\n"
			  "node Arm/Sun <1 OmniLight (light) r0,1,0,0\n" NOTHING);
}

TEST(euler_rotation, "Euler angles are read in the node's order, radians or degrees, wherever the order stands")
{
	lines_expect(lines_read(SCENE ROOT "[node name=\"A\" type=\"Node3D\" parent=\".\"]\n"
					   "rotation = Vector3(0, 3.1415927, 0)\nrotation_order = 5\n"
					   "[node name=\"B\" type=\"Spatial\" parent=\".\"]\n"
					   "rotation_degrees = Vector3(90, 0, 0)\ntranslation = Vector3(0, 1, 0)\n"),
		     TREE "node A <0 Node3D r0,1,0,-4.371139e-8 rotation_order=ZYX\n"
			  "node B <0 Spatial p0,1,0 r0.70710677,0,0,0.70710677\n" NOTHING);
}

TEST(two_dimensions, "2-D nodes have positions, angles, scales and skews in the plane, in each engine's spelling")
{
	lines_expect(lines_read(SCENE "[node name=\"Root\" type=\"Node2D\"]\n"
				      "[node name=\"A\" type=\"Sprite2D\" parent=\".\"]\nposition = Vector2(3, 4)\n"
				      "rotation = 3.1415927\nscale = Vector2(2, 2)\nskew = 0.5\n"
				      "[node name=\"B\" type=\"Polygon2D\" parent=\".\"]\n"
				      "transform = Transform2D(0, 2, -3, 0, 5, 6)\n"
				      "[node name=\"C\" type=\"Sprite\" parent=\".\"]\n"
				      "transform/pos = Vector2( 1, 2 )\ntransform/rot = -90.0\n"
				      "[node name=\"D\" type=\"Label\" parent=\".\"]\nrect_rotation = 90.0\n"),
		     "tree Root from walk.tscn\nnode . Node2D 2d\n"
		     "node A <0 Sprite2D 2d p3,4,0 r0,0,1,-4.371139e-8 s2,2,1 godot.skew=0.5\n"
		     "node B <0 Polygon2D 2d p5,6,0 r0,0,0.70710677,0.70710677 s2,3,1\n"
		     "node C <0 Sprite 2d p1,2,0 r0,0,0.70710677,0.70710677\n"
		     "node D <0 Label 2d r0,0,0.70710677,0.70710677\n" NOTHING);
}

TEST(two_dimensions_by_class, "a Control or a sprite that nothing was said of is two-dimensional all the same")
{
	lines_expect(lines_read(SCENE "[node name=\"Root\" type=\"Control\"]\n"
				      "[node name=\"A\" type=\"PanelContainer\" parent=\".\"]\n"
				      "[node name=\"B\" type=\"AnimatedSprite\" parent=\".\"]\n"
				      "[node name=\"C\" type=\"YSort\" parent=\".\"]\n"
				      "[node name=\"D\" type=\"Sprite3D\" parent=\".\"]\n"
				      "[node name=\"E\" type=\"Node\" parent=\".\"]\n"),
		     "tree Root from walk.tscn\nnode . Control 2d\nnode A <0 PanelContainer 2d\n"
		     "node B <0 AnimatedSprite 2d\nnode C <0 YSort 2d\nnode D <0 Sprite3D\nnode E <0 Node\n" NOTHING);
}

TEST(odd_transforms,
     "a transform that is not finite is left out with a warning, one that flattens an axis has no rotation")
{
	lines_expect(lines_read(SCENE ROOT
				"[node name=\"A\" type=\"Node3D\" parent=\".\"]\nposition = Vector3(1, nan, 1)\n"
				"scale = Vector3(1, 2, 3)\n"
				"[node name=\"B\" type=\"Node3D\" parent=\".\"]\n"
				"transform = Transform3D(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3)\n"
				"[node name=\"C\" type=\"Node3D\" parent=\".\"]\nposition = \"none\"\n"),
		     TREE "node A <0 Node3D s1,2,3\nnode B <0 Node3D p1,2,3 r0,0,0,1 s0,0,0\nnode C <0 Node3D\n" NOTHING
			  "warning: node 'A': a transform that is not finite is left out\n");
}

TEST(bones_of_skeleton, "bones stand behind their skeleton, parents first, with rests, and poses that differ")
{
	lines_expect(lines_read(SCENE ROOT
				"[node name=\"Skel\" type=\"Skeleton3D\" parent=\".\"]\n"
				"bones/0/name = \"hand\"\nbones/0/parent = 1\n"
				"bones/0/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0)\n"
				"bones/0/position = Vector3(0, 2, 0)\nbones/0/rotation = Quaternion(0, 0, 0, -1)\n"
				"bones/1/name = \"arm\"\nbones/1/parent = -1\nbones/1/enabled = false\n"
				"bones/1/rest = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0)\n"
				"bones/1/position = Vector3(0.5, 0, 0)\n"
				"bones/7/rotation = Quaternion(1, 0, 0, 0)\n"
				"[node name=\"Hat\" type=\"BoneAttachment3D\" parent=\"Skel\"]\nbone_idx = 1\n"
				"[node name=\"Ring\" type=\"BoneAttachment3D\" parent=\"Skel\"]\n"
				"bone_name = \"hand\"\nbone_idx = 0\n"),
		     TREE "node Skel <0 Skeleton3D\n"
			  "node Skel:arm <1 (bone) p0,1,0 r0,0,0,1 s1,1,1 godot.enabled=false "
			  "godot.pose=0.5 0 0 0 0 0 1 1 1 1\n"
			  "node Skel:hand <2 (bone) p0,2,0 r0,0,0,1 s1,1,1\n"
			  "node Skel:#7 <1 (bone) godot.pose=0 0 0 1 0 0 0 1 1 1\n"
			  "node Skel/Hat <2 BoneAttachment3D godot.bone=arm\n"
			  "node Skel/Ring <3 BoneAttachment3D godot.bone=hand\n" NOTHING);
}

TEST(pose_of_godot3, "a Godot 3 pose is relative to the rest and comes out absolute")
{
	lines_expect(lines_read("[gd_scene format=2]\n[node name=\"S\" type=\"Skeleton\"]\n"
				"bones/0/name = \"a\"\nbones/0/parent = -1\n"
				"bones/0/rest = Transform( 0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 2, 3 )\n"
				"bones/0/pose = Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 5 )\n"),
		     "tree S from walk.tscn\nnode . Skeleton\n"
		     "node .:a <0 (bone) p1,2,3 r0,0.70710677,0,0.70710677 s1,1,1 "
		     "godot.pose=6 2 3 0 0.70710677 0 0.70710677 1 1 1\n" NOTHING);
}

TEST(bone_parents_in_a_ring, "bones whose parents form a cycle or are missing become children of the skeleton")
{
	lines_expect(
	    lines_read(SCENE ROOT
		       "[node name=\"S\" type=\"Skeleton3D\" parent=\".\"]\n"
		       "bones/0/name = \"a\"\nbones/0/parent = 1\nbones/1/name = \"b\"\nbones/1/parent = 0\n"
		       "bones/2/name = \"c\"\nbones/2/parent = 99\nbones/3/name = \"d\"\nbones/3/parent = 3\n"),
	    TREE "node S <0 Skeleton3D\nnode S:b <1 (bone)\nnode S:a <2 (bone)\nnode S:c <1 (bone)\nnode S:d <1 "
		 "(bone)\n" NOTHING "warning: 2 bones: a cycle of parents ('S'); the skeleton becomes the parent\n");
}

TEST(bone_of_2d_skeleton, "the rest of a Bone2D is its transform, where the scene puts it is its pose")
{
	lines_expect(lines_read(SCENE "[node name=\"S\" type=\"Skeleton2D\"]\n"
				      "[node name=\"Hip\" type=\"Bone2D\" parent=\".\"]\nposition = Vector2(1, 2)\n"
				      "rest = Transform2D(1, 0, 0, 1, 5, 6)\n"),
		     "tree S from walk.tscn\nnode . Skeleton2D 2d\n"
		     "node Hip <0 Bone2D (bone) 2d p5,6,0 r0,0,0,1 s1,1,1 godot.pose=1 2 0 0 0 0 1 1 1 1\n" NOTHING);
}

TEST(lost_parents, "nodes without their parent and second roots are hung under the root with a warning")
{
	lines_expect(lines_read(SCENE ROOT "[node name=\"A\" type=\"Node\" parent=\"Gone/Away\"]\n"
					   "[node name=\"B\" type=\"Node\"]\n"),
		     TREE "node A <0 Node\nnode B <0 Node\n"
			  "warning walk.tscn:3:1: node 'A' (parent 'Gone/Away'): the parent does not exist; the root "
			  "becomes the parent\n"
			  "warning walk.tscn:4:1: a second root, 'B', becomes a child of the first\n" NOTHING);
}

TEST(nodes_below_a_model, "what lies below an instance that is not read keeps its path, the nodes between are made up")
{
	lines_expect(lines_read(SCENE "[ext_resource type=\"PackedScene\" path=\"res://robot.glb\" id=\"1\"]\n" ROOT
				      "[node name=\"robot\" parent=\".\" instance=ExtResource(\"1\")]\n"
				      "[node name=\"Skeleton3D\" parent=\"robot/rig\" index=\"0\"]\n"
				      "bones/2/position = Vector3(1, 0, 0)\n"
				      "[node name=\"Hat\" parent=\"robot/rig/Skeleton3D/Head\"]\n"
				      "bone_idx = 2\n"),
		     TREE
		     "node robot <0 godot.instance=res://robot.glb\nnode robot/rig <1\nnode robot/rig/Skeleton3D <2\n"
		     "node robot/rig/Skeleton3D:#2 <3 (bone) godot.pose=1 0 0 0 0 0 1 1 1 1\n"
		     "node robot/rig/Skeleton3D/Head <3\nnode robot/rig/Skeleton3D/Head/Hat <5\n"
		     "note walk.tscn:4:1: instanced scene 'res://robot.glb': not read, so nodes are missing: input "
		     "from a pipe has no folder to "
		     "search\n" NOTHING);
	lines_expect(lines_read(SCENE ROOT "[node name=\"A\" parent=\".\" instance=ExtResource(\"9\")]\n"),
		     TREE "node A <0\nwarning walk.tscn:3:1: node 'A': an instance of a resource that is not in the "
			  "file\n" NOTHING);
}

TEST(other_resource, "a resource of another class has no animation, which is said")
{
	lines_expect(lines_read("[gd_resource type=\"Curve\" format=3]\n[resource]\nlength = 2.0\n"), NOTHING);
	lines_expect(lines_read("[gd_scene format=3]\n"), "tree  from walk.tscn\n" NOTHING);
}

TEST(fragment, "a fragment without header is read with a warning, missing nodes are made up")
{
	lines_expect(lines_read(ANIMATION("a") "[node name=\"mesh\" type=\"MeshInstance3D\" parent=\"Armature\"]\n"),
		     "tree walk from walk.tscn\nnode .\nnode Armature <0\nnode Armature/mesh <1 MeshInstance3D (mesh)\n"
		     "clip a at . godot4 in tree end1\n"
		     "warning walk.tscn:1:1: no [gd_scene] or [gd_resource] at the start: read as a fragment\n");
}

TEST(refused_heads, "what is newer, empty or lacks its type or resource is refused with its place")
{
	lines_expect(lines_read("[gd_scene format=5]\n" ROOT),
		     "error: format 5 is newer than the newest supported format, 4\n");
	lines_expect(lines_read(" ; nothing\n"), "error: empty, not a Godot scene or resource\n");
	lines_expect(lines_read("[gd_resource format=3]\n[resource]\n"),
		     "fault walk.tscn:1:1: [gd_resource] has no type\nerror: 1 fault\n");
	lines_expect(
	    lines_read("[gd_resource type=\"Animation\"]\nlength = 2.0\n"),
	    "fault walk.tscn:2:1: 'length' precedes the first section; is '[resource]' missing?\nerror: 1 fault\n");
	lines_expect(
	    lines_read("[gd_resource type=\"Animation\"]\n[resource]\nlength = 1.0\n[resource]\nlength = 2.0\n"),
	    "fault walk.tscn:4:1: a second [resource]\nerror: 1 fault\n");
	lines_expect(lines_read("[gd_resource type=\"Animation\"]\n"),
		     "fault walk.tscn:2:1: the file ends before '[resource]'\nerror: 1 fault\n");
}

TEST(many_faults, "reading goes on after a fault so that more of them show, and nothing is written")
{
	lines_expect(
	    lines_read(SCENE "[wrong]\n" ANIMATION("a") "length = oops\n[sub_resource id=\"b\"]\n" ANIMATION("c") ROOT
		       "[node type=\"Node\"]\nposition = Vector3(1)\n" PLAYER "anims/x = SubResource(\"c\")\n"),
	    "fault walk.tscn:2:1: unknown section [wrong]\nfault walk.tscn:4:10: unknown word 'oops'\n"
	    "fault walk.tscn:5:1: a [sub_resource] without a type\n"
	    "fault walk.tscn:8:1: a [node] without a name\nerror: 4 faults\n");
}

TEST(keep_going, "with keep_going the faulty clips are left out, by name, and the others come")
{
	static struct lines lines;
	struct anim_read_options options = {.keep_going = true};

	lines_read_with(&lines,
			SCENE ANIMATION("a") "length = oops\n" ANIMATION("b") ROOT PLAYER
			"anims/x = SubResource(\"a\")\nanims/y = SubResource(\"b\")\n",
			&options);
	lines_expect(&lines, TREE "node Player <0 AnimationPlayer\nclip y at . godot4 in tree end1 player=Player\n"
				  "warning walk.tscn:3:10: unknown word 'oops'\n"
				  "warning: clip 'x' is left out: it has faults\n");
}

TEST(twenty_faults, "after twenty faults reading stops")
{
	char text[4096] = SCENE;

	for (int i = 0; i < 30; i++)
		strcat(text, "[wrong]\n");
	CHECK(strstr(lines_read(text)->text, "error: too many errors") != NULL);
}
