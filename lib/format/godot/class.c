/* class.c: the classes of nodes: what they are, and what other Godots call them. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "format/godot/scene.h"
#include "format/godot/writer.h"

/* --- What a node is, by the name of its class --- */

enum anim_node_kind godot_class_kind(const char *type)
{
	static const struct {
		const char *type;
		enum anim_node_kind kind;
	} kinds[] = {
	    {"Bone2D", ANIM_NODE_BONE},
	    {"Camera", ANIM_NODE_CAMERA},
	    {"Camera2D", ANIM_NODE_CAMERA},
	    {"Camera3D", ANIM_NODE_CAMERA},
	    {"ClippedCamera", ANIM_NODE_CAMERA},
	    {"InterpolatedCamera", ANIM_NODE_CAMERA},
	    {"ARVRCamera", ANIM_NODE_CAMERA},
	    {"XRCamera3D", ANIM_NODE_CAMERA},
	    {"DirectionalLight", ANIM_NODE_LIGHT},
	    {"DirectionalLight2D", ANIM_NODE_LIGHT},
	    {"DirectionalLight3D", ANIM_NODE_LIGHT},
	    {"Light2D", ANIM_NODE_LIGHT},
	    {"OmniLight", ANIM_NODE_LIGHT},
	    {"OmniLight3D", ANIM_NODE_LIGHT},
	    {"PointLight2D", ANIM_NODE_LIGHT},
	    {"SpotLight", ANIM_NODE_LIGHT},
	    {"SpotLight3D", ANIM_NODE_LIGHT},
	    {"ImporterMeshInstance3D", ANIM_NODE_MESH},
	    {"MeshInstance", ANIM_NODE_MESH},
	    {"MeshInstance2D", ANIM_NODE_MESH},
	    {"MeshInstance3D", ANIM_NODE_MESH},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].type, type) == 0)
			return kinds[i].kind;
	return ANIM_NODE;
}

static int compare(const void *type, const void *entry)
{
	return strcmp(type, *(const char *const *)entry);
}

/* The Controls and canvas items of Godot 2, 3 and 4 whose names do not end in "2D"; sorted. */
static const char *const flat_classes[] = {"AcceptDialog",
					   "AnimatedSprite",
					   "AspectRatioContainer",
					   "BackBufferCopy",
					   "BaseButton",
					   "BoxContainer",
					   "Button",
					   "ButtonArray",
					   "CanvasGroup",
					   "CanvasItem",
					   "CanvasLayer",
					   "CanvasModulate",
					   "CenterContainer",
					   "CheckBox",
					   "CheckButton",
					   "CodeEdit",
					   "ColorPicker",
					   "ColorPickerButton",
					   "ColorRect",
					   "ConfirmationDialog",
					   "Container",
					   "Control",
					   "FileDialog",
					   "FlowContainer",
					   "FoldableContainer",
					   "GraphEdit",
					   "GraphElement",
					   "GraphFrame",
					   "GraphNode",
					   "GridContainer",
					   "HBoxContainer",
					   "HButtonArray",
					   "HFlowContainer",
					   "HScrollBar",
					   "HSeparator",
					   "HSlider",
					   "HSplitContainer",
					   "ItemList",
					   "Label",
					   "LineEdit",
					   "LinkButton",
					   "MarginContainer",
					   "MenuBar",
					   "MenuButton",
					   "NinePatchRect",
					   "OptionButton",
					   "Panel",
					   "PanelContainer",
					   "ParallaxBackground",
					   "ParallaxLayer",
					   "Patch9Frame",
					   "Popup",
					   "PopupDialog",
					   "PopupMenu",
					   "PopupPanel",
					   "ProgressBar",
					   "Range",
					   "ReferenceFrame",
					   "ReferenceRect",
					   "RichTextLabel",
					   "ScrollBar",
					   "ScrollContainer",
					   "Separator",
					   "Slider",
					   "SpinBox",
					   "SplitContainer",
					   "Sprite",
					   "SubViewportContainer",
					   "TabBar",
					   "TabContainer",
					   "Tabs",
					   "TextEdit",
					   "TextureButton",
					   "TextureFrame",
					   "TextureProgress",
					   "TextureProgressBar",
					   "TextureRect",
					   "TileMap",
					   "TileMapLayer",
					   "ToolButton",
					   "TouchScreenButton",
					   "Tree",
					   "VBoxContainer",
					   "VButtonArray",
					   "VFlowContainer",
					   "VScrollBar",
					   "VSeparator",
					   "VSlider",
					   "VSplitContainer",
					   "VideoPlayer",
					   "VideoStreamPlayer",
					   "ViewportContainer",
					   "ViewportSprite",
					   "WindowDialog",
					   "YSort"};

bool godot_class_is_2d(const char *type)
{
	size_t length = strlen(type);

	return (length > 2 && strcmp(type + length - 2, "2D") == 0) ||
	       bsearch(type, flat_classes, sizeof flat_classes / sizeof *flat_classes, sizeof *flat_classes, compare) !=
		   NULL;
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
    {"AudioStreamPlayer", "EventPlayer"},
    {"AudioStreamPlayer", "SamplePlayer"},
    {"AudioStreamPlayer", "StreamPlayer"},
    {"AudioStreamPlayer2D", "SamplePlayer2D"},
    {"AudioStreamPlayer3D", "SpatialSamplePlayer"},
    {"AudioStreamPlayer3D", "SpatialStreamPlayer"},
    {"Button", "ToolButton"},
    {"Camera3D", "ClippedCamera"},
    {"Camera3D", "InterpolatedCamera"},
    {"HBoxContainer", "HButtonArray"},
    {"MeshInstance3D", "ImmediateGeometry"},
    {"MeshInstance3D", "TestCube"},
    {"NinePatchRect", "Patch9Frame"},
    {"Node", "Tween"},
    {"Node2D", "Navigation2D"},
    {"Node2D", "ParticleAttractor2D"},
    {"Node2D", "YSort"},
    {"Node3D", "LOD"},
    {"Node3D", "MergeGroup"},
    {"Node3D", "Navigation"},
    {"Node3D", "Portal"},
    {"Node3D", "ProximityGroup"},
    {"Node3D", "Room"},
    {"Node3D", "RoomGroup"},
    {"Node3D", "RoomManager"},
    {"Popup", "PopupDialog"},
    {"ReferenceRect", "ReferenceFrame"},
    {"Sprite2D", "ViewportSprite"},
    {"TextureRect", "TextureFrame"},
    {"VBoxContainer", "VButtonArray"},
};

const char *godot_class_in(bool godot3, const char *class)
{
	unsigned to = godot3 ? 1 : 0;

	for (size_t i = 0; i < sizeof both / sizeof *both; i++)
		if (strcmp(both[i][1 - to], class) == 0)
			return both[i][to];
	for (size_t i = 0; !godot3 && i < sizeof gone / sizeof *gone; i++)
		if (strcmp(gone[i][1], class) == 0)
			return gone[i][0];
	return class;
}

bool godot_class_is_unity(const char *type)
{
	static const char *const types[] = {"Transform",    "RectTransform",       "GameObject",     "Light",
					    "MeshRenderer", "SkinnedMeshRenderer", "SpriteRenderer", "MeshFilter"};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i], type) == 0)
			return true;
	return false;
}
