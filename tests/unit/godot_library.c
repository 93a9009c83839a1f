/* godot_library.c: players and libraries as the Godot reader reads them: which clips come under which names. */
#include <stdio.h>

#include "godot_lines.h"
#include "tap.h"

TEST(spelling_of_4_0, "a dictionary of libraries gives its clips in order: lib/anim, or anim in the unnamed library")
{
	lines_expect(lines_read(SCENE ANIMATION("a") ANIMATION(
			 "b") "length = 2.5\nloop_mode = 2\n"
			      "[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n"
			      "_data = {\n&\"run\": SubResource(\"b\"),\n\"RESET\": SubResource(\"a\")\n}\n" ROOT PLAYER
			      "autoplay = \"extra/run\"\n"
			      "libraries = {\n\"\": SubResource(\"L\"),\n&\"extra\": SubResource(\"L\")\n}\n"),
		     TREE "node Player <0 AnimationPlayer\n"
			  "clip run at . godot4 in tree ping-pong end2.5 player=Player\n"
			  "clip RESET at . godot4 in tree end1 player=Player\n"
			  "clip extra/run at . godot4 in tree ping-pong end2.5 godot.autoplay=true player=Player\n"
			  "clip extra/RESET at . godot4 in tree end1 player=Player\n");
}

TEST(spelling_of_4_6, "one property a library, the unnamed one too")
{
	lines_expect(lines_read(SCENE ANIMATION(
			 "a") "[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n"
			      "_data = {\n&\"run\": SubResource(\"a\")\n}\n" ROOT PLAYER
			      "libraries/ = SubResource(\"L\")\n\"libraries/\xc3\xbcnit lib\" = SubResource(\"L\")\n"
			      "autoplay = &\"run\"\n"),
		     TREE "node Player <0 AnimationPlayer\n"
			  "clip run at . godot4 in tree end1 godot.autoplay=true player=Player\n"
			  "clip \xc3\xbcnit lib/run at . godot4 in tree end1 player=Player\n");
}

TEST(spelling_of_3, "anims/NAME with numbers as ids, and root_node with a colon behind")
{
	lines_expect(
	    lines_read(
		"[gd_scene format=2]\n[sub_resource type=\"Animation\" id=1]\nloop = true\n"
		"[node name=\"Root\" type=\"Spatial\"]\n[node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\n"
		"root_node = NodePath(\"..:\")\nautoplay = \"walk\"\nanims/walk = SubResource( 1 )\nanims/run = "
		"SubResource( 1 )\n"
		"anims/gone = SubResource( 2 )\nanims/nil = null\n"),
	    "tree Root from walk.tscn\nnode . Spatial\nnode Player <0 AnimationPlayer\n"
	    "clip walk at . godot3 in tree wrap end1 godot.autoplay=true player=Player\n"
	    "clip run at . godot3 in tree wrap end1 player=Player\n"
	    "warning walk.tscn:10:14: clip 'gone' is not read from '2': no such sub_resource in this file\n"
	    "warning walk.tscn:11:13: clip 'nil' is not read from 'null': it is not a resource\n");
}

TEST(players_of_every_kind,
     "trees and typeless nodes play too, other classes' properties of the same name are passed over")
{
	lines_expect(lines_read(SCENE ANIMATION(
			 "a") "[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n"
			      "_data = {\n&\"run\": SubResource(\"a\")\n}\n" ROOT
			      "[node name=\"T\" type=\"AnimationTree\" parent=\".\"]\nlibraries/ = SubResource(\"L\")\n"
			      "[node name=\"N\" parent=\".\"]\nlibraries/x = SubResource(\"L\")\n"
			      "[node name=\"S\" type=\"Node\" parent=\".\"]\nlibraries = {\"y\": SubResource(\"L\")}\n"
			      "autoplay = true\nroot_node = 5\n"),
		     TREE "node T <0 AnimationTree\nnode N <0\nnode S <0 Node\n"
			  "clip run at . godot4 in tree end1 player=T\nclip x/run at . godot4 in tree end1 player=N\n");
}

TEST(root_of_player, "the root is what root_node says, seen from the player: names, .., %Name, outside, absolute")
{
	lines_expect(
	    lines_read(SCENE ANIMATION("a") ROOT
		       "[node name=\"A\" type=\"Node\" parent=\".\"]\nunique_name_in_owner = true\n"
		       "[node name=\"P\" type=\"AnimationPlayer\" parent=\"A\"]\nanims/x = SubResource(\"a\")\n"
		       "[node name=\"Q\" type=\"AnimationPlayer\" parent=\"A\"]\nanims/x = SubResource(\"a\")\n"
		       "root_node = NodePath(\"../../B/./C\")\n"
		       "[node name=\"R\" type=\"AnimationPlayer\" parent=\".\"]\nanims/x = SubResource(\"a\")\n"
		       "root_node = NodePath(\"%A/../D\")\n"
		       "[node name=\"S\" type=\"AnimationPlayer\" parent=\".\"]\nanims/x = SubResource(\"a\")\n"
		       "root_node = NodePath(\"../../../E\")\n"
		       "[node name=\"T\" type=\"AnimationPlayer\" parent=\".\"]\nanims/x = SubResource(\"a\")\n"
		       "root_node = NodePath(\"/root/Main\")\n"
		       "[node name=\"U\" type=\"AnimationPlayer\" parent=\".\"]\nanims/x = SubResource(\"a\")\n"
		       "root_node = NodePath(\".\")\n"),
	    TREE "node A <0 Node godot.unique_name=true\nnode A/P <1 AnimationPlayer\nnode A/Q <1 "
		 "AnimationPlayer\nnode R <0 AnimationPlayer\n"
		 "node S <0 AnimationPlayer\nnode T <0 AnimationPlayer\nnode U <0 AnimationPlayer\n"
		 "clip x at A godot4 in tree end1 player=A/P\nclip x at B/C godot4 in tree end1 player=A/Q\n"
		 "clip x at D godot4 in tree end1 player=R\nclip x at ../../E godot4 in tree end1 player=S\n"
		 "clip x at /root/Main godot4 in tree end1 player=T\nclip x at U godot4 in tree end1 player=U\n");
}

TEST(player_as_root, "a player that is the scene's root animates what lies outside of it")
{
	lines_expect(lines_read(SCENE ANIMATION(
			 "a") "[node name=\"P\" type=\"AnimationPlayer\"]\nanims/x = SubResource(\"a\")\n"),
		     "tree P from walk.tscn\nnode . AnimationPlayer\nclip x at .. godot4 in tree end1 player=.\n");
}

TEST(unused_resources, "libraries and animations that nothing refers to come out last, under what names they have")
{
	lines_expect(
	    lines_read(SCENE ANIMATION("a") ANIMATION("b") "resource_name = \"jump\"\n" ANIMATION("c")
			   ANIMATION("d") "[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n_data = {\n\"in lib\": "
					  "SubResource(\"c\")\n}\n" ROOT PLAYER "anims/first = SubResource(\"d\")\n"),
	    TREE "node Player <0 AnimationPlayer\n"
		 "clip first at . godot4 in tree end1 player=Player\n"
		 "clip in lib at . godot4 in tree end1\nclip a at . godot4 in tree end1\n"
		 "clip jump at . godot4 in tree end1 godot.resource_name=jump\n");
}

TEST(doubled_names, "of two keys or ids that are equal the later one counts")
{
	lines_expect(
	    lines_read(SCENE ANIMATION("a") "length = 2.0\n" ANIMATION("a") "length = 3.0\n" ANIMATION("b") ROOT PLAYER
		       "anims/x = SubResource(\"b\")\nanims/y = SubResource(\"b\")\nanims/x = SubResource(\"a\")\n"),
	    TREE "node Player <0 AnimationPlayer\nclip x at . godot4 in tree end3 player=Player\n"
		 "clip y at . godot4 in tree end1 player=Player\n"
		 "warning walk.tscn:4:1: two sub_resources have the id 'a': the later one counts\n");
}

TEST(doubled_libraries, "of two libraries with one id the later one counts and the earlier gives no clips")
{
	lines_expect(
	    lines_read(SCENE ANIMATION("a") ANIMATION(
		"b") "[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n_data = {\"x\": SubResource(\"a\")}\n"
		     "[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n_data = {\"y\": SubResource(\"b\")}\n" ROOT
			   PLAYER "libraries/ = SubResource(\"L\")\n"),
	    TREE "node Player <0 AnimationPlayer\nclip y at . godot4 in tree end1 player=Player\n"
		 "clip a at . godot4 in tree end1\n"
		 "warning walk.tscn:6:1: two sub_resources have the id 'L': the later one counts\n");
}

TEST(missing_libraries, "a library that cannot be read is named with the reason")
{
	lines_expect(
	    lines_read(SCENE "[ext_resource type=\"AnimationLibrary\" path=\"res://moves.tres\" id=\"1\"]\n" ROOT PLAYER
			     "libraries/ = ExtResource(\"1\")\nlibraries/x = SubResource(\"L\")\nlibraries/y = "
			     "ExtResource(\"2\")\n"),
	    TREE "node Player <0 AnimationPlayer\n"
		 "warning walk.tscn:5:14: the clips of the unnamed library are not read from 'res://moves.tres': "
		 "input from a pipe has no folder to search\n"
		 "warning walk.tscn:6:15: the clips of library 'x' are not read from 'L': no such sub_resource in this "
		 "file\n"
		 "warning walk.tscn:7:15: the clips of library 'y' are not read from '2': no such ext_resource in this "
		 "file\n");
}

TEST(animation_file, "an Animation file is called by its resource_name, else by the file")
{
	lines_expect(lines_read("[gd_resource type=\"Animation\" format=3]\n[resource]\n"),
		     "clip walk at . godot4 end1\n");
	lines_expect(lines_read("[gd_resource type=\"Animation\" format=3]\n[resource]\nresource_name = \"jump\"\n"),
		     "clip jump at . godot4 end1 godot.resource_name=jump\n");
}

TEST(library_file, "a library file gives its clips without a player")
{
	lines_expect(lines_read("[gd_resource type=\"AnimationLibrary\" format=3]\n" ANIMATION(
			 "a") "[resource]\n_data = {\n&\"run\": SubResource(\"a\")\n}\n"),
		     "clip run at . godot4 end1 godot.library=true\n");
}

TEST(euler_order_of_track, "an Euler track gets the order of its node, which stands behind it in the file")
{
	static const char keys[] =
	    "tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"A:rotation\")\n"
	    "tracks/0/keys = {\"times\": PackedFloat32Array(0), \"values\": [Vector3(1, 2, 3)]}\n"
	    "tracks/1/type = \"value\"\ntracks/1/path = NodePath(\"A:scale\")\n"
	    "tracks/1/keys = {\"times\": PackedFloat32Array(0), \"values\": [Vector3(1, 2, 3)]}\n";
	char text[2048];

	snprintf(text, sizeof text, "%s%s%s%s", SCENE ANIMATION("a"), keys,
		 ROOT
		 "[node name=\"A\" type=\"Node3D\" parent=\".\"]\nrotation_order = 0\n"
		 "[node name=\"B\" type=\"Node3D\" parent=\".\"]\n[node name=\"A\" type=\"Node3D\" parent=\"B\"]\n",
		 PLAYER "anims/x = SubResource(\"a\")\n"
			"[node name=\"Q\" type=\"AnimationPlayer\" parent=\"B\"]\nanims/y = SubResource(\"a\")\n");
	lines_expect(lines_read(text),
		     TREE "node A <0 Node3D rotation_order=XYZ\nnode B <0 Node3D\nnode B/A <2 Node3D\n"
			  "node Player <0 AnimationPlayer\nnode B/Q <2 AnimationPlayer\n"
			  "clip x at . godot4 in tree end1 player=Player\ntrack A euler n=1 XYZ\n"
			  "track A scale n=1\n"
			  "clip y at B godot4 in tree end1 player=B/Q\ntrack A euler n=1 YXZ\n"
			  "track A scale n=1\n");
}
