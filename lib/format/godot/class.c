/* class.c: the classes of nodes: what they are, and what other Godots call them. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "format/godot/scene.h"
#include "format/godot/writer.h"

/* --- What a node is, by the name of its class --- */

enum anim_node_kind godot_class_kind(const char *type)
{
	static const struct {
		enum anim_node_kind kind;
		const char *types;
	} kinds[] = {
	    {ANIM_NODE_BONE, "Bone2D"},
	    {ANIM_NODE_CAMERA, "Camera Camera2D Camera3D ClippedCamera InterpolatedCamera ARVRCamera XRCamera3D"},
	    {ANIM_NODE_LIGHT, "DirectionalLight DirectionalLight2D DirectionalLight3D Light2D OmniLight OmniLight3D "
			      "PointLight2D SpotLight SpotLight3D"},
	    {ANIM_NODE_MESH, "ImporterMeshInstance3D MeshInstance MeshInstance2D MeshInstance3D"},
	};

	for (size_t i = 0; i < ANIM_COUNT(kinds); i++)
		if (anim_text_is_word(kinds[i].types, type))
			return kinds[i].kind;
	return ANIM_NODE;
}

/* The Controls and canvas items of Godot 2, 3 and 4 whose names do not end in "2D". */
static const char flat_classes[] =
    "AcceptDialog AnimatedSprite AspectRatioContainer BackBufferCopy BaseButton BoxContainer "
    "Button ButtonArray CanvasGroup CanvasItem CanvasLayer CanvasModulate CenterContainer "
    "CheckBox CheckButton CodeEdit ColorPicker ColorPickerButton ColorRect ConfirmationDialog "
    "Container Control FileDialog FlowContainer FoldableContainer GraphEdit GraphElement "
    "GraphFrame GraphNode GridContainer HBoxContainer HButtonArray HFlowContainer HScrollBar "
    "HSeparator HSlider HSplitContainer ItemList Label LineEdit LinkButton MarginContainer "
    "MenuBar MenuButton NinePatchRect OptionButton Panel PanelContainer ParallaxBackground "
    "ParallaxLayer Patch9Frame Popup PopupDialog PopupMenu PopupPanel ProgressBar Range "
    "ReferenceFrame ReferenceRect RichTextLabel ScrollBar ScrollContainer Separator Slider "
    "SpinBox SplitContainer Sprite SubViewportContainer TabBar TabContainer Tabs TextEdit "
    "TextureButton TextureFrame TextureProgress TextureProgressBar TextureRect TileMap "
    "TileMapLayer ToolButton TouchScreenButton Tree VBoxContainer VButtonArray VFlowContainer "
    "VScrollBar VSeparator VSlider VSplitContainer VideoPlayer VideoStreamPlayer "
    "ViewportContainer ViewportSprite WindowDialog YSort";

bool godot_class_is_2d(const char *type)
{
	return (strlen(type) > 2 && anim_text_ends(type, "2D")) ||
	       (!anim_text_ends(type, "3D") && anim_text_is_word(flat_classes, type));
}

/* --- Classes that Godot 4 calls otherwise than Godot 3 and 2 --- */

/* Godot 4's class and Godot 3's. */
static const char *const both[][2] = {
    {"AnimatedSprite2D", "AnimatedSprite"},
    {"Area3D", "Area"},
    {"AudioListener2D", "Listener2D"},
    {"AudioListener3D", "Listener"},
    {"BoneAttachment3D", "BoneAttachment"},
    {"CPUParticles3D", "CPUParticles"},
    {"CSGBox3D", "CSGBox"},
    {"CSGCombiner3D", "CSGCombiner"},
    {"CSGCylinder3D", "CSGCylinder"},
    {"CSGMesh3D", "CSGMesh"},
    {"CSGPolygon3D", "CSGPolygon"},
    {"CSGSphere3D", "CSGSphere"},
    {"CSGTorus3D", "CSGTorus"},
    {"Camera3D", "Camera"},
    {"CharacterBody2D", "KinematicBody2D"},
    {"CharacterBody3D", "KinematicBody"},
    {"CollisionPolygon3D", "CollisionPolygon"},
    {"CollisionShape3D", "CollisionShape"},
    {"ConeTwistJoint3D", "ConeTwistJoint"},
    {"DirectionalLight3D", "DirectionalLight"},
    {"GPUParticles2D", "Particles2D"},
    {"GPUParticles3D", "Particles"},
    {"Generic6DOFJoint3D", "Generic6DOFJoint"},
    {"HingeJoint3D", "HingeJoint"},
    {"LightmapGI", "BakedLightmap"},
    {"Marker2D", "Position2D"},
    {"Marker3D", "Position3D"},
    {"MeshInstance3D", "MeshInstance"},
    {"MultiMeshInstance3D", "MultiMeshInstance"},
    {"NavigationAgent3D", "NavigationAgent"},
    {"NavigationObstacle3D", "NavigationObstacle"},
    {"NavigationRegion2D", "NavigationPolygonInstance"},
    {"NavigationRegion3D", "NavigationMeshInstance"},
    {"Node3D", "Spatial"},
    {"OccluderInstance3D", "Occluder"},
    {"OmniLight3D", "OmniLight"},
    {"Path3D", "Path"},
    {"PathFollow3D", "PathFollow"},
    {"PhysicalBone3D", "PhysicalBone"},
    {"PinJoint3D", "PinJoint"},
    {"PointLight2D", "Light2D"},
    {"RayCast3D", "RayCast"},
    {"RemoteTransform3D", "RemoteTransform"},
    {"RigidBody3D", "RigidBody"},
    {"ShapeCast3D", "ShapeCast"},
    {"Skeleton3D", "Skeleton"},
    {"SkeletonIK3D", "SkeletonIK"},
    {"SliderJoint3D", "SliderJoint"},
    {"SoftBody3D", "SoftBody"},
    {"SpotLight3D", "SpotLight"},
    {"SpringArm3D", "SpringArm"},
    {"Sprite2D", "Sprite"},
    {"StaticBody3D", "StaticBody"},
    {"SubViewport", "Viewport"},
    {"SubViewportContainer", "ViewportContainer"},
    {"TabBar", "Tabs"},
    {"TextureProgressBar", "TextureProgress"},
    {"VehicleBody3D", "VehicleBody"},
    {"VehicleWheel3D", "VehicleWheel"},
    {"VideoStreamPlayer", "VideoPlayer"},
    {"VisibleOnScreenEnabler2D", "VisibilityEnabler2D"},
    {"VisibleOnScreenEnabler3D", "VisibilityEnabler"},
    {"VisibleOnScreenNotifier2D", "VisibilityNotifier2D"},
    {"VisibleOnScreenNotifier3D", "VisibilityNotifier"},
    {"VoxelGI", "GIProbe"},
    {"Window", "WindowDialog"},
    {"XRAnchor3D", "ARVRAnchor"},
    {"XRCamera3D", "ARVRCamera"},
    {"XRController3D", "ARVRController"},
    {"XROrigin3D", "ARVROrigin"},
};

/* What became of the classes of Godot 2 and 3 that are no more; not told backwards. */
static const char *const gone[][2] = {
    {"AnimationTree", "AnimationTreePlayer"},
    {"AudioStreamPlayer", "EventPlayer SamplePlayer StreamPlayer"},
    {"AudioStreamPlayer2D", "SamplePlayer2D"},
    {"AudioStreamPlayer3D", "SpatialSamplePlayer SpatialStreamPlayer"},
    {"Button", "ToolButton"},
    {"Camera3D", "ClippedCamera InterpolatedCamera"},
    {"HBoxContainer", "HButtonArray"},
    {"MeshInstance3D", "ImmediateGeometry TestCube"},
    {"NinePatchRect", "Patch9Frame"},
    {"Node", "Tween"},
    {"Node2D", "Navigation2D ParticleAttractor2D YSort"},
    {"Node3D", "LOD MergeGroup Navigation Portal ProximityGroup Room RoomGroup RoomManager"},
    {"Popup", "PopupDialog"},
    {"ReferenceRect", "ReferenceFrame"},
    {"Sprite2D", "ViewportSprite"},
    {"TextureRect", "TextureFrame"},
    {"VBoxContainer", "VButtonArray"},
};

const char *godot_class_in(bool godot3, const char *class)
{
	unsigned to = godot3 ? 1 : 0;

	for (size_t i = 0; i < ANIM_COUNT(both); i++)
		if (strcmp(both[i][1 - to], class) == 0)
			return both[i][to];
	for (size_t i = 0; !godot3 && i < ANIM_COUNT(gone); i++)
		if (anim_text_is_word(gone[i][1], class))
			return gone[i][0];
	return class;
}

bool godot_class_is_unity(const char *type)
{
	return anim_text_is_word(
	    "Transform RectTransform GameObject Light MeshRenderer SkinnedMeshRenderer SpriteRenderer MeshFilter",
	    type);
}
