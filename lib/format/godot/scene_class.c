/* scene_class.c: what a node is, by the name of its class. */
#include <stdlib.h>
#include <string.h>

#include "format/godot/scene.h"

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
