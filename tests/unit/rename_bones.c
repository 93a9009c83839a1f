/* rename_bones.c: nodes that become bones of a skeleton. */
#include <string.h>

#include "rename_help.h"
#include "tap.h"

TEST(bones_tree, "moved nodes and what is plain around them become bones with their rests, meshes hang at attachments")
{
	struct rename_run run;
	const char *bone;

	rename_run_init(&run);
	rename_run_bones(&run, "Armature/Skeleton3D");
	rename_run_tree(&run);
	rename_run_node(&run, "Armature", ANIM_NODE, 0);
	rename_run_node(&run, "Armature/Hips", ANIM_NODE, 1);
	rename_run_node(&run, "Armature/Hips/Spine", ANIM_NODE, 2);
	rename_run_node(&run, "Armature/Hips/Spine/Tip", ANIM_NODE, 3);
	rename_run_node(&run, "Armature/Hips/Spine/Sword", ANIM_NODE_MESH, 3);
	rename_run_node(&run, "Armature/Hips/Spine/Sword/Gem", ANIM_NODE_LIGHT, 5);
	rename_run_node(&run, "Body", ANIM_NODE_MESH, 0);
	rename_run_clip(&run);
	rename_run_track(&run, "Armature", "position");
	rename_run_track(&run, "Armature/Hips/Spine", "position");
	rename_run_track(&run, "Armature/Hips/Spine", "visible");
	rename_run_track(&run, "Armature/Hips/Spine/Sword", "visible");
	rename_run_track(&run, "Body", "position");
	rename_run_track(&run, "Armature/Hips/Spine/Sword", "position");
	rename_run_end(&run);

	rename_run_has_node(&run, 1, "Armature", ".");
	rename_run_has_node(&run, 2, "Armature/Skeleton3D", "Armature");
	rename_run_has_node(&run, 3, "Armature/Skeleton3D:Hips", "Armature/Skeleton3D");
	rename_run_has_node(&run, 4, "Armature/Skeleton3D:Spine", "Armature/Skeleton3D:Hips");
	rename_run_has_node(&run, 5, "Armature/Skeleton3D:Tip", "Armature/Skeleton3D:Spine");
	rename_run_has_node(&run, 6, "Armature/Skeleton3D/Spine", "Armature/Skeleton3D");
	rename_run_has_node(&run, 7, "Armature/Skeleton3D/Spine/Sword", "Armature/Skeleton3D/Spine");
	rename_run_has_node(&run, 8, "Armature/Skeleton3D/Spine/Sword/Gem", "Armature/Skeleton3D/Spine/Sword");
	rename_run_has_node(&run, 9, "Body", ".");
	CHECK(run.out.node_count == 10);
	CHECK(strcmp(run.out.nodes[2].type, "Skeleton3D") == 0 && run.out.nodes[2].has == 0);
	CHECK(run.out.nodes[4].kind == ANIM_NODE_BONE && run.out.nodes[4].position[0] == 3);
	bone = anim_attrs_get(&run.out.nodes[6].attrs, "godot.bone");
	CHECK(strcmp(run.out.nodes[6].type, "BoneAttachment3D") == 0 && bone != NULL && strcmp(bone, "Spine") == 0);

	rename_run_has_track(&run, 0, "Armature");
	rename_run_has_track(&run, 1, "Armature/Skeleton3D:Spine");
	rename_run_has_track(&run, 2, "Armature/Skeleton3D/Spine");
	rename_run_has_track(&run, 3, "Armature/Skeleton3D/Spine/Sword");
	rename_run_has_track(&run, 4, "Body");
	rename_run_has_track(&run, 5, "Armature/Skeleton3D/Spine/Sword");
	rename_run_warned(&run, NULL);
	rename_run_close(&run);
}

TEST(bones_any_count, "an attachment is made in trees of any size, wherever the list of nodes has to move for it")
{
	static const char *const others[] = {"B0", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9"};

	for (uint32_t count = 0; count <= 10; count++) {
		struct rename_run run;

		rename_run_init(&run);
		rename_run_bones(&run, "Skeleton3D");
		rename_run_tree(&run);
		for (uint32_t i = 0; i < count; i++)
			rename_run_node(&run, others[i], ANIM_NODE_MESH, 0);
		rename_run_node(&run, "Hips", ANIM_NODE, 0);
		rename_run_node(&run, "Hips/Sword", ANIM_NODE_MESH, count + 1);
		rename_run_clip(&run);
		rename_run_track(&run, "Hips", "position");
		rename_run_end(&run);
		rename_run_has_node(&run, count + 3, "Skeleton3D/Hips", "Skeleton3D");
		rename_run_has_node(&run, count + 4, "Skeleton3D/Hips/Sword", "Skeleton3D/Hips");
		rename_run_close(&run);
	}
}

static void two_tracks(struct rename_run *run, const char *path, const char *first, const char *second)
{
	rename_run_init(run);
	rename_run_bones(run, path);
	rename_run_clip(run);
	rename_run_track(run, first, "rotation");
	rename_run_track(run, second, "rotation");
	rename_run_end(run);
}

TEST(bones_anchor, "where tracks are below the skeleton or the node above it, only those are its bones'; else all are")
{
	struct rename_run run;

	two_tracks(&run, "Armature/Skeleton3D", "Armature/Hips", "Door");
	rename_run_has_track(&run, 0, "Armature/Skeleton3D:Hips");
	rename_run_has_track(&run, 1, "Door");
	rename_run_close(&run);
	two_tracks(&run, "Armature/Skeleton3D", "Hips", "Hips/Spine");
	rename_run_has_track(&run, 0, "Armature/Skeleton3D:Hips");
	rename_run_has_track(&run, 1, "Armature/Skeleton3D:Spine");
	rename_run_close(&run);
	two_tracks(&run, "Armature/Skeleton3D", "Armature", "Hips");
	rename_run_has_track(&run, 0, "Armature");
	rename_run_has_track(&run, 1, "Armature/Skeleton3D:Hips");
	rename_run_close(&run);
	two_tracks(&run, "Armature", "Door", "Armature/Hips");
	rename_run_has_track(&run, 0, "Door");
	rename_run_has_track(&run, 1, "Armature:Hips");
	rename_run_close(&run);
	two_tracks(&run, "%GeneralSkeleton", ".", "A/m:Hips");
	rename_run_has_track(&run, 0, ".");
	rename_run_has_track(&run, 1, "%GeneralSkeleton:m_Hips");
	rename_run_close(&run);
}

TEST(bones_scopes, "clips of a tree and those outside of it have bones of their own")
{
	struct rename_run run;

	rename_run_init(&run);
	rename_run_bones(&run, "Armature/Skeleton3D");
	rename_run_tree(&run);
	rename_run_node(&run, "Door", ANIM_NODE, 0);
	rename_run_clip(&run);
	rename_run_track(&run, "Door", "position");
	run.clip.flags = 0;
	rename_run_clip(&run);
	rename_run_track(&run, "Armature/Hips", "position");
	rename_run_track(&run, "Door", "position");
	rename_run_end(&run);
	rename_run_has_track(&run, 0, "Armature/Skeleton3D:Door");
	rename_run_has_track(&run, 1, "Armature/Skeleton3D:Hips");
	rename_run_has_track(&run, 2, "Door");
	rename_run_close(&run);
}

TEST(bones_collide, "bones of one name are warned of")
{
	struct rename_run run;

	two_tracks(&run, "Skeleton3D", "L/Hand", "R/Hand");
	rename_run_has_track(&run, 1, "Skeleton3D:Hand");
	rename_run_warned(&run, "track 'Skeleton3D:Hand rotation.x': same new name as another track of the clip");
	rename_run_close(&run);
	/* not of two clips */
	rename_run_init(&run);
	rename_run_bones(&run, "Skeleton3D");
	rename_run_clip(&run);
	rename_run_track(&run, "L/Hand", "rotation");
	rename_run_clip(&run);
	rename_run_track(&run, "R/Hand", "rotation");
	rename_run_end(&run);
	rename_run_warned(&run, NULL);
	rename_run_close(&run);
}

TEST(bones_none, "where no track moves a node, that is warned of, and bones stay bones")
{
	struct rename_run run;

	rename_run_init(&run);
	run.clip.source = "godot4";
	rename_run_bones(&run, "Skeleton3D");
	rename_run_tree(&run);
	rename_run_node(&run, "Rig", ANIM_NODE, 0);
	rename_run_node(&run, "Rig:Hips", ANIM_NODE_BONE, 1);
	rename_run_clip(&run);
	rename_run_track(&run, "Rig:Hips", "rotation");
	rename_run_track(&run, "Rig", "visible");
	rename_run_end(&run);
	rename_run_has_node(&run, 2, "Rig:Hips", "Rig");
	rename_run_has_track(&run, 0, "Rig:Hips");
	rename_run_has_track(&run, 1, "Rig");
	rename_run_warned(&run, "no track was moved to a bone of 'Skeleton3D'");
	rename_run_close(&run);
}

TEST(bones_selected, "tracks of nodes that are not selected stay")
{
	static const char *const nodes[] = {"Hips"};
	struct rename_run run;

	rename_run_init(&run);
	run.options.select.nodes = nodes;
	run.options.select.node_count = 1;
	rename_run_bones(&run, "Skeleton3D");
	rename_run_clip(&run);
	rename_run_track(&run, "Hips", "rotation");
	rename_run_track(&run, "Door", "rotation");
	rename_run_end(&run);
	rename_run_has_track(&run, 0, "Skeleton3D:Hips");
	rename_run_has_track(&run, 1, "Door");
	rename_run_close(&run);
}
