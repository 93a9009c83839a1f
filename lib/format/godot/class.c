/* class.c: the type of a node, from the name of its class. */
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "format/godot/scene.h"

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

/* Controls and canvas items of Godot 2, 3 and 4 whose names do not end in "2D". */
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
