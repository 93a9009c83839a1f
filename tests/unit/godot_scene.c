/* godot_scene.c: the Godot reader's tree, players and libraries, on small scenes held in memory and in folders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "clip/losses.h"
#include "format/godot/godot.h"
#include "tap.h"

/* A sink that writes what it is given as short lines, and what was complained of. */
struct lines {
	struct anim_sink sink;
	char text[1 << 16];
	size_t size;
	int result; /* of the reader */
	struct anim_error error;
};

__attribute__((format(printf, 2, 3))) static void add(struct lines *lines, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(lines->text + lines->size, sizeof lines->text - lines->size, format, args);
	va_end(args);
	if (length > 0 && (size_t)length < sizeof lines->text - lines->size)
		lines->size += (size_t)length;
}

static void add_numbers(struct lines *lines, const char *name, const float *numbers, size_t count)
{
	char digits[ANIM_NUMBER_MAX];

	add(lines, " %s", name);
	for (size_t i = 0; i < count; i++)
		add(lines, "%s%.*s", i == 0 ? "" : ",", (int)anim_number_print_float(digits, numbers[i]), digits);
}

static void add_attrs(struct lines *lines, const struct anim_attrs *attrs)
{
	for (size_t i = 0; i < attrs->count; i++)
		add(lines, " %s=%s", attrs->items[i].key, attrs->items[i].value);
	add(lines, "\n");
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	add((struct lines *)sink, "tree %s from %s\n", tree->root_name, tree->source_file);
	return anim_tree_validate(tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct lines *lines = (struct lines *)sink;

	add(lines, "node %s", node->path);
	if (node->parent != ANIM_NO_PARENT)
		add(lines, " <%u", node->parent);
	if (node->type[0] != '\0')
		add(lines, " %s", node->type);
	if (node->kind != ANIM_NODE)
		add(lines, " (%s)", anim_node_kind_names[node->kind]);
	if (node->has & ANIM_HAS_2D)
		add(lines, " 2d");
	if (node->has & ANIM_HAS_POSITION)
		add_numbers(lines, "p", node->position, 3);
	if (node->has & ANIM_HAS_ROTATION)
		add_numbers(lines, "r", node->rotation, 4);
	if (node->has & ANIM_HAS_SCALE)
		add_numbers(lines, "s", node->scale, 3);
	add_attrs(lines, &node->attrs);
	return anim_node_validate(node, node->parent == ANIM_NO_PARENT ? 0 : UINT32_MAX, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct lines *lines = (struct lines *)sink;

	add(lines, "clip %s at %s %s%s", clip->name, clip->root, clip->source,
	    clip->flags & ANIM_IN_TREE ? " in tree" : "");
	if (clip->loop != ANIM_LOOP_NONE)
		add(lines, " %s", anim_loop_names[clip->loop]);
	add_numbers(lines, "end", &clip->end_s, 1);
	add_attrs(lines, &clip->attrs);
	return anim_clip_validate(clip, true, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct lines *lines = (struct lines *)sink;
	const char *order = anim_attrs_get(&track->attrs, "order");

	add(lines, "track %s %s n=%zu", track->node, track->property, track->n);
	add(lines, order == NULL ? "%s\n" : " %s\n", order == NULL ? "" : order);
	return anim_track_validate(track, error);
}

static const struct anim_sink_ops lines_ops = {.tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track};

static void add_losses(struct lines *lines, const struct anim_losses *losses)
{
	static const char *const severities[] = {"note", "warning", "fault"};

	for (size_t i = 0; i < losses->count; i++) {
		const struct anim_loss *item = &losses->items[i];

		add(lines, "%s", severities[item->severity]);
		if (item->place.at == ANIM_AT_LINE)
			add(lines, " %s:%u:%u", item->place.file, item->place.line, item->place.column);
		if (item->count > 1)
			add(lines, ": %zu %s\n", item->count, item->many);
		else
			add(lines, ": %s\n", item->one);
	}
}

static void read_input(struct lines *lines, struct anim_input *input, struct anim_read_options *options)
{
	struct anim_losses losses = {0};

	lines->sink.ops = &lines_ops;
	options->losses = &losses;
	lines->result = anim_godot_read(input, options, &lines->sink, &lines->error);
	add_losses(lines, &losses);
	if (lines->result != 0)
		add(lines, "error: %s\n", lines->error.message);
	anim_losses_clear(&losses);
	anim_input_close(input);
}

static void read_text_with(struct lines *lines, const char *text, struct anim_read_options *options)
{
	struct anim_input *input;

	memset(lines, 0, sizeof *lines);
	if (CHECK(anim_input_open_memory(&input, text, strlen(text), "walk.tscn", &lines->error) == 0))
		read_input(lines, input, options);
}

static struct lines *read_text(const char *text)
{
	static struct lines lines;
	struct anim_read_options options = {.store_memory = 1 << 20};

	read_text_with(&lines, text, &options);
	return &lines;
}

static void expect(struct lines *lines, const char *text)
{
	CHECKF(strcmp(lines->text, text) == 0, "got:\n%s# wanted:\n%s", lines->text, text);
}

#define SCENE "[gd_scene format=3]\n"
#define ANIMATION(id) "[sub_resource type=\"Animation\" id=\"" id "\"]\n"
#define ROOT "[node name=\"Root\" type=\"Node3D\"]\n"
#define PLAYER "[node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\n"
#define TREE "tree Root from walk.tscn\nnode . Node3D\n"
#define NOTHING "warning: no animation in this file\n"

TEST(tree_of_scene, "nodes come with their paths, classes, kinds and transforms")
{
	expect(read_text(SCENE ROOT "[node name=\"Arm\" type=\"Node3D\" parent=\".\"]\n"
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
	expect(read_text(SCENE ROOT "[node name=\"A\" type=\"Node3D\" parent=\".\"]\n"
				    "rotation = Vector3(0, 3.1415927, 0)\nrotation_order = 5\n"
				    "[node name=\"B\" type=\"Spatial\" parent=\".\"]\n"
				    "rotation_degrees = Vector3(90, 0, 0)\ntranslation = Vector3(0, 1, 0)\n"),
	       TREE "node A <0 Node3D r0,1,0,-4.371139e-8 rotation_order=ZYX\n"
		    "node B <0 Spatial p0,1,0 r0.70710677,0,0,0.70710677\n" NOTHING);
}

TEST(two_dimensions, "2-D nodes have positions, angles, scales and skews in the plane, in each engine's spelling")
{
	expect(read_text(SCENE "[node name=\"Root\" type=\"Node2D\"]\n"
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

TEST(odd_transforms,
     "a transform that is not finite is left out with a warning, one that flattens an axis has no rotation")
{
	expect(read_text(SCENE ROOT "[node name=\"A\" type=\"Node3D\" parent=\".\"]\nposition = Vector3(1, nan, 1)\n"
				    "scale = Vector3(1, 2, 3)\n"
				    "[node name=\"B\" type=\"Node3D\" parent=\".\"]\n"
				    "transform = Transform3D(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3)\n"
				    "[node name=\"C\" type=\"Node3D\" parent=\".\"]\nposition = \"none\"\n"),
	       TREE "node A <0 Node3D s1,2,3\nnode B <0 Node3D p1,2,3 r0,0,0,1 s0,0,0\nnode C <0 Node3D\n" NOTHING
		    "warning: node 'A': its transform is not finite and is left out\n");
}

TEST(bones_of_skeleton, "bones stand behind their skeleton, parents first, with rests, and poses that differ")
{
	expect(read_text(SCENE ROOT "[node name=\"Skel\" type=\"Skeleton3D\" parent=\".\"]\n"
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
		    "node Skel/Hat <1 BoneAttachment3D godot.bone=arm\n"
		    "node Skel/Ring <1 BoneAttachment3D godot.bone=hand\n" NOTHING);
}

TEST(pose_of_godot3, "a Godot 3 pose is relative to the rest and comes out absolute")
{
	expect(read_text("[gd_scene format=2]\n[node name=\"S\" type=\"Skeleton\"]\n"
			 "bones/0/name = \"a\"\nbones/0/parent = -1\n"
			 "bones/0/rest = Transform( 0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 2, 3 )\n"
			 "bones/0/pose = Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 5 )\n"),
	       "tree S from walk.tscn\nnode . Skeleton\n"
	       "node .:a <0 (bone) p1,2,3 r0,0.70710677,0,0.70710677 s1,1,1 "
	       "godot.pose=6 2 3 0 0.70710677 0 0.70710677 1 1 1\n" NOTHING);
}

TEST(bone_parents_in_a_ring,
     "bones whose parents run in a ring are hung under the skeleton, as are those of missing ones")
{
	expect(read_text(SCENE ROOT
			 "[node name=\"S\" type=\"Skeleton3D\" parent=\".\"]\n"
			 "bones/0/name = \"a\"\nbones/0/parent = 1\nbones/1/name = \"b\"\nbones/1/parent = 0\n"
			 "bones/2/name = \"c\"\nbones/2/parent = 99\nbones/3/name = \"d\"\nbones/3/parent = 3\n"),
	       TREE "node S <0 Skeleton3D\nnode S:b <1 (bone)\nnode S:a <2 (bone)\nnode S:c <1 (bone)\nnode S:d <1 "
		    "(bone)\n" NOTHING
		    "warning: 2 bones have parents that run in a ring; they are hung under the skeleton\n");
}

TEST(bone_of_2d_skeleton, "the rest of a Bone2D is its transform, where the scene puts it is its pose")
{
	expect(read_text(SCENE "[node name=\"S\" type=\"Skeleton2D\"]\n"
			       "[node name=\"Hip\" type=\"Bone2D\" parent=\".\"]\nposition = Vector2(1, 2)\n"
			       "rest = Transform2D(1, 0, 0, 1, 5, 6)\n"),
	       "tree S from walk.tscn\nnode . Skeleton2D 2d\n"
	       "node Hip <0 Bone2D (bone) 2d p5,6,0 r0,0,0,1 s1,1,1 godot.pose=1 2 0 0 0 0 1 1 1 1\n" NOTHING);
}

TEST(lost_parents, "nodes without their parent and second roots are hung under the root with a warning")
{
	expect(
	    read_text(SCENE ROOT "[node name=\"A\" type=\"Node\" parent=\"Gone/Away\"]\n"
				 "[node name=\"B\" type=\"Node\"]\n"),
	    TREE
	    "node A <0 Node\nnode B <0 Node\n"
	    "warning walk.tscn:3:1: node 'A' has a parent that is not there, 'Gone/Away'; it is hung under the root\n"
	    "warning walk.tscn:4:1: a second root, 'B': it is hung under the first\n" NOTHING);
}

TEST(nodes_below_a_model, "what lies below an instance that is not read keeps its path, the nodes between are made up")
{
	expect(read_text(SCENE "[ext_resource type=\"PackedScene\" path=\"res://robot.glb\" id=\"1\"]\n" ROOT
			       "[node name=\"robot\" parent=\".\" instance=ExtResource(\"1\")]\n"
			       "[node name=\"Skeleton3D\" parent=\"robot/rig\" index=\"0\"]\n"
			       "bones/2/position = Vector3(1, 0, 0)\n"
			       "[node name=\"Hat\" parent=\"robot/rig/Skeleton3D/Head\"]\n"
			       "bone_idx = 2\n"),
	       TREE "node robot <0 godot.instance=res://robot.glb\nnode robot/rig <1\nnode robot/rig/Skeleton3D <2\n"
		    "node robot/rig/Skeleton3D:#2 <3 (bone) godot.pose=1 0 0 0 0 0 1 1 1 1\n"
		    "node robot/rig/Skeleton3D/Head <3\nnode robot/rig/Skeleton3D/Head/Hat <5\n" NOTHING);
}

TEST(spelling_of_4_0, "a dictionary of libraries gives its clips in order: lib/anim, or anim in the unnamed library")
{
	expect(read_text(SCENE ANIMATION("a") ANIMATION(
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
	expect(read_text(SCENE ANIMATION(
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
	expect(
	    read_text(
		"[gd_scene format=2]\n[sub_resource type=\"Animation\" id=1]\nloop = true\n"
		"[node name=\"Root\" type=\"Spatial\"]\n[node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\n"
		"root_node = NodePath(\"..:\")\nautoplay = \"walk\"\nanims/walk = SubResource( 1 )\nanims/run = "
		"SubResource( 1 )\n"
		"anims/gone = SubResource( 2 )\nanims/nil = null\n"),
	    "tree Root from walk.tscn\nnode . Spatial\nnode Player <0 AnimationPlayer\n"
	    "clip walk at . godot3 in tree wrap end1 godot.autoplay=true player=Player\n"
	    "clip run at . godot3 in tree wrap end1 player=Player\n"
	    "warning walk.tscn:10:14: clip 'gone' is not read from '2': no such sub_resource in this file\n"
	    "warning walk.tscn:11:13: clip 'nil' is not read from 'null': it names no resource\n");
}

TEST(players_of_every_kind,
     "trees and typeless nodes play too, other classes' properties of the same name are passed over")
{
	expect(read_text(SCENE ANIMATION(
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
	expect(read_text(SCENE ANIMATION("a") ROOT
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
	       TREE
	       "node A <0 Node\nnode A/P <1 AnimationPlayer\nnode A/Q <1 AnimationPlayer\nnode R <0 AnimationPlayer\n"
	       "node S <0 AnimationPlayer\nnode T <0 AnimationPlayer\nnode U <0 AnimationPlayer\n"
	       "clip x at A godot4 in tree end1 player=A/P\nclip x at B/C godot4 in tree end1 player=A/Q\n"
	       "clip x at D godot4 in tree end1 player=R\nclip x at ../../E godot4 in tree end1 player=S\n"
	       "clip x at /root/Main godot4 in tree end1 player=T\nclip x at U godot4 in tree end1 player=U\n");
}

TEST(player_as_root, "a player that is the scene's root animates what lies outside of it")
{
	expect(read_text(
		   SCENE ANIMATION("a") "[node name=\"P\" type=\"AnimationPlayer\"]\nanims/x = SubResource(\"a\")\n"),
	       "tree P from walk.tscn\nnode . AnimationPlayer\nclip x at .. godot4 in tree end1 player=.\n");
}

TEST(unused_resources, "libraries and animations that nothing refers to come out last, under what names they have")
{
	expect(read_text(SCENE ANIMATION("a") ANIMATION("b") "resource_name = \"jump\"\n" ANIMATION("c")
			     ANIMATION("d") "[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n_data = {\n\"in lib\": "
					    "SubResource(\"c\")\n}\n" ROOT PLAYER "anims/first = SubResource(\"d\")\n"),
	       TREE "node Player <0 AnimationPlayer\n"
		    "clip first at . godot4 in tree end1 player=Player\n"
		    "clip in lib at . godot4 in tree end1\nclip a at . godot4 in tree end1\n"
		    "clip jump at . godot4 in tree end1\n");
}

TEST(doubled_names, "of two keys or ids that are equal the later one counts")
{
	expect(read_text(SCENE ANIMATION("a") "length = 2.0\n" ANIMATION("a") "length = 3.0\n" ANIMATION("b")
			     ROOT PLAYER
			 "anims/x = SubResource(\"b\")\nanims/y = SubResource(\"b\")\nanims/x = SubResource(\"a\")\n"),
	       TREE "node Player <0 AnimationPlayer\nclip x at . godot4 in tree end3 player=Player\n"
		    "clip y at . godot4 in tree end1 player=Player\n"
		    "warning walk.tscn:4:1: two sub_resources have the id 'a': the later one counts\n");
}

TEST(animation_file, "an Animation file is called by its resource_name, else by the file")
{
	expect(read_text("[gd_resource type=\"Animation\" format=3]\n[resource]\n"), "clip walk at . godot4 end1\n");
	expect(read_text("[gd_resource type=\"Animation\" format=3]\n[resource]\nresource_name = \"jump\"\n"),
	       "clip jump at . godot4 end1\n");
}

TEST(library_file, "a library file gives its clips without a player")
{
	expect(read_text("[gd_resource type=\"AnimationLibrary\" format=3]\n" ANIMATION(
		   "a") "[resource]\n_data = {\n&\"run\": SubResource(\"a\")\n}\n"),
	       "clip run at . godot4 end1\n");
}

TEST(other_resource, "a resource of another class has no animation, which is said")
{
	expect(read_text("[gd_resource type=\"Curve\" format=3]\n[resource]\nlength = 2.0\n"), NOTHING);
	expect(read_text("[gd_scene format=3]\n"), "tree  from walk.tscn\n" NOTHING);
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
	expect(read_text(text), TREE "node A <0 Node3D rotation_order=XYZ\nnode B <0 Node3D\nnode B/A <2 Node3D\n"
				     "node Player <0 AnimationPlayer\nnode B/Q <2 AnimationPlayer\n"
				     "clip x at . godot4 in tree end1 player=Player\ntrack A euler n=1 XYZ\n"
				     "track A scale n=1\n"
				     "clip y at B godot4 in tree end1 player=B/Q\ntrack A euler n=1 YXZ\n"
				     "track A scale n=1\n");
}

TEST(fragment, "a fragment without header is read with a warning, missing nodes are made up")
{
	expect(read_text(ANIMATION("a") "[node name=\"mesh\" type=\"MeshInstance3D\" parent=\"Armature\"]\n"),
	       "tree walk from walk.tscn\nnode .\nnode Armature <0\nnode Armature/mesh <1 MeshInstance3D (mesh)\n"
	       "clip a at . godot4 in tree end1\n"
	       "warning walk.tscn:1:1: no [gd_scene] or [gd_resource] at its head: read as a fragment\n");
}

TEST(refused_heads, "what is newer, empty or lacks its type or resource is refused with its place")
{
	expect(read_text("[gd_scene format=5]\n" ROOT), "error: format 5 is newer than what is read here, 4\n");
	expect(read_text(" ; nothing\n"), "error: empty, not a Godot scene or resource\n");
	expect(read_text("[gd_resource format=3]\n[resource]\n"),
	       "fault walk.tscn:1:1: [gd_resource] has no type\nerror: 1 fault\n");
	expect(read_text("[gd_resource type=\"Animation\"]\nlength = 2.0\n"),
	       "fault walk.tscn:2:1: 'length' stands before any section; is '[resource]' missing?\nerror: 1 fault\n");
	expect(read_text("[gd_resource type=\"Animation\"]\n[resource]\nlength = 1.0\n[resource]\nlength = 2.0\n"),
	       "fault walk.tscn:4:1: a second [resource]\nerror: 1 fault\n");
	expect(read_text("[gd_resource type=\"Animation\"]\n"),
	       "fault walk.tscn:2:1: the file ends before '[resource]'\nerror: 1 fault\n");
}

TEST(many_faults, "reading goes on after a fault so that more of them show, and nothing is written")
{
	expect(read_text(SCENE "[wrong]\n" ANIMATION("a") "length = oops\n[sub_resource id=\"b\"]\n" ANIMATION("c") ROOT
			 "[node type=\"Node\"]\nposition = Vector3(1)\n" PLAYER "anims/x = SubResource(\"c\")\n"),
	       "fault walk.tscn:2:1: unknown section [wrong]\nfault walk.tscn:4:10: unknown word 'oops'\n"
	       "fault walk.tscn:5:1: a [sub_resource] without a type\n"
	       "fault walk.tscn:8:1: a [node] without a name\nerror: 4 faults\n");
}

TEST(keep_going, "with keep_going the faulty clips are left out, by name, and the others come")
{
	static struct lines lines;
	struct anim_read_options options = {.keep_going = true};

	read_text_with(&lines,
		       SCENE ANIMATION("a") "length = oops\n" ANIMATION("b") ROOT PLAYER
		       "anims/x = SubResource(\"a\")\nanims/y = SubResource(\"b\")\n",
		       &options);
	expect(&lines, TREE "node Player <0 AnimationPlayer\nclip y at . godot4 in tree end1 player=Player\n"
			    "warning walk.tscn:3:10: unknown word 'oops'\n"
			    "warning: clip 'x' is left out: it has faults\n");
}

TEST(twenty_faults, "after twenty faults reading stops")
{
	char text[4096] = SCENE;

	for (int i = 0; i < 30; i++)
		strcat(text, "[wrong]\n");
	CHECK(strstr(read_text(text)->text, "error: too many faults") != NULL);
}
