/* engine_names.c: names and meanings of properties and classes in different engines, and names of nodes for Godot. */
#include "clip/engine_names.h"

#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "math/elementary.h"

/* ---- Classes with different names in Godot 4 and in Godot 3 and 2 ---- */

/* The name in Godot 4 and in Godot 3. */
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

/* Replacements for classes of Godot 2 and 3 that no longer exist. They are not used in the other direction. */
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

const char *anim_godot_class(bool godot3, const char *class)
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

/* ---- Properties with another name or meaning in Godot 4 ---- */

/* How a row is used. */
enum {
	SURE = 1,    /* no other class has a property of this name, so the type of the node need not be known */
	ONE_WAY = 2, /* only to Godot 4 */
	BACK = 4,    /* only from Godot 4 */
	OLD_4 = 8    /* also in Godot 4.0 to 4.3 */
};

/*
 * One property. `classes`: Godot 4's types of nodes that have it ("": any). `other`: its name in the other engine.
 * `godot`: its name in Godot 4, with ':' and the letter of a component if it is one. The engine whose name is NULL has
 * nothing like the names of the other one, between spaces.
 * `step` is applied to a number of the other engine, which then is multiplied by `factor` (0: 1) for Godot 4.
 */
struct row {
	const char *unity; /* the number of the component's class, or NULL */
	const char *classes, *other, *godot;
	unsigned use;
	enum anim_step step;
	double factor;
};

#define RADIANS (ANIM_PI / 180)

#define LIGHTS "DirectionalLight3D OmniLight3D SpotLight3D"
#define PLAYERS "AudioStreamPlayer AudioStreamPlayer2D AudioStreamPlayer3D"
#define PARTICLES "GPUParticles2D GPUParticles3D"
#define SPRITES_2D "Sprite2D AnimatedSprite2D"
#define SPRITES_3D "Sprite3D AnimatedSprite3D"
#define AREAS "Area2D Area3D"
#define FOLLOWERS "PathFollow2D PathFollow3D"
#define SHAPES "CollisionShape2D CollisionShape3D"
#define RIGID "RigidBody2D RigidBody3D"
#define BUTTONS \
	"BaseButton Button CheckBox CheckButton ColorPickerButton LinkButton MenuButton OptionButton TextureButton"
#define TEXT_BUTTONS "Button CheckBox CheckButton ColorPickerButton MenuButton OptionButton"
#define BOXES "ReflectionProbe VoxelGI"
#define WINDOWS "AcceptDialog ConfirmationDialog FileDialog Popup PopupPanel Window"
#define CPU_PARTICLES "CPUParticles2D CPUParticles3D"
#define CONTROLS                                                                                                      \
	"AspectRatioContainer BoxContainer CenterContainer CodeEdit ColorPicker ColorRect Container Control "         \
	"FlowContainer GraphEdit GraphNode GridContainer HBoxContainer HFlowContainer HScrollBar HSeparator HSlider " \
	"HSplitContainer ItemList Label LineEdit MarginContainer NinePatchRect Panel PanelContainer ProgressBar "     \
	"Range ReferenceRect RichTextLabel ScrollBar ScrollContainer Separator Slider SpinBox SplitContainer "        \
	"SubViewportContainer TabBar TabContainer TextEdit TextureProgressBar TextureRect Tree VBoxContainer "        \
	"VFlowContainer VScrollBar VSeparator VSlider VSplitContainer VideoStreamPlayer " BUTTONS

/*
 * Unity: the manual of each component, and its serialized fields. The size of an orthographic camera is half its
 * height, and the angle of a spot is the whole cone. In Godot they are the height and half the cone. A sprite's colour
 * does not reach its children. Volumes are linear, for which Godot has a property since 4.4.
 */
static const struct row unity_rows[] = {
    {"20", "Camera3D", "field of view", "fov", SURE, 0, 0}, /* vertical in both (keep_aspect) */
    {"20", "Camera3D", "near clip plane", "near", 0, 0, 0},
    {"20", "Camera3D", "far clip plane", "far", 0, 0, 0},
    {"20", "Camera3D", "orthographic size", "size", 0, 0, 2},
    {"20", "Camera3D", "orthographic", "projection", 0, 0, 0},
    {"108", LIGHTS, "m_Intensity", "light_energy", 0, 0, 0},
    {"108", LIGHTS, "m_Color", "light_color", 0, 0, 0},
    {"108", "OmniLight3D", "m_Range", "omni_range", 0, 0, 0},
    {"108", "SpotLight3D", "m_Range", "spot_range", 0, 0, 0},
    {"108", "SpotLight3D", "m_SpotAngle", "spot_angle", 0, 0, 0.5},
    {"108", LIGHTS, "m_BounceIntensity", "light_indirect_energy", 0, 0, 0},
    {"108", LIGHTS, "m_Shadows.m_Strength", "shadow_opacity", 0, 0, 0},
    {"108", LIGHTS, "m_ColorTemperature", "light_temperature", 0, 0, 0},
    {"212", SPRITES_2D, "m_Color", "self_modulate", 0, 0, 0},
    {"212", SPRITES_2D, "m_Color", "modulate", BACK, 0, 0},
    {"212", SPRITES_3D, "m_Color", "modulate", 0, 0, 0},
    {"212", SPRITES_2D " " SPRITES_3D, "m_FlipX", "flip_h", 0, 0, 0},
    {"212", SPRITES_2D " " SPRITES_3D, "m_FlipY", "flip_v", 0, 0, 0},
    {"212", SPRITES_2D, "m_SortingOrder", "z_index", 0, 0, 0},
    {"225", CONTROLS, "m_Alpha", "modulate:a", 0, 0, 0},
    {ANIM_UNITY_GRAPHIC, CONTROLS, "m_Color", "self_modulate", ONE_WAY, 0, 0},
    {"82", PLAYERS, "m_Volume", "volume_linear", 0, 0, 0},
    {"82", PLAYERS, "m_Volume", "volume_db", BACK, ANIM_STEP_DECIBELS, 0},
    {"82", PLAYERS, "m_Pitch", "pitch_scale", 0, 0, 0},
    {"82", "AudioStreamPlayer2D AudioStreamPlayer3D", "MaxDistance", "max_distance", 0, 0, 0},
    {"82", "AudioStreamPlayer3D", "MinDistance", "unit_size", 0, 0, 0},
    {"198", PARTICLES, "EmissionModule.enabled", "emitting", 0, 0, 0},
    {"198", PARTICLES, "simulationSpeed", "speed_scale", 0, 0, 0},
    {"54", "RigidBody3D", "m_Mass", "mass", 0, 0, 0},
    {"50", "RigidBody2D", "m_Mass", "mass", 0, 0, 0},
    {"50", "RigidBody2D", "m_GravityScale", "gravity_scale", 0, 0, 0},
};

/*
 * FBX: the properties of lights and cameras in Autodesk's SDK. An intensity is in per cent, and an angle is the whole
 * cone. The field of view of a camera follows from its focal length and film, which no track has.
 */
static const struct row fbx_rows[] = {
    {NULL, LIGHTS, "Intensity", "light_energy", 0, 0, 0.01},
    {NULL, LIGHTS, "Color", "light_color", 0, 0, 0},
    {NULL, "SpotLight3D", "OuterAngle", "spot_angle", 0, 0, 0.5},
    {NULL, LIGHTS " Camera3D",
     "InnerAngle OuterAngle Fog DecayStart FocalLength FieldOfView FieldOfViewX FieldOfViewY FilmWidth FilmHeight "
     "NearPlane FarPlane FocusDistance OrthoZoom",
     NULL, 0, 0, 0},
};

/*
 * Godot 3 and 2: the list of renames of Godot 4's project converter (editor/project_upgrade), and for names that it
 * leaves out the properties in the class references of 3.2 and 4.6. The values: the notes on those properties in
 * Godot's guide for upgrading, and 4.6, which still takes some of the old names and converts their values.
 */
static const struct row godot3_rows[] = {
    {NULL, "AudioStreamPlayer3D", "unit_db", "volume_linear", BACK, ANIM_STEP_LINEAR_VOLUME, 0},
    {NULL, "", "volume_db", "volume_linear", SURE | BACK | OLD_4, ANIM_STEP_LINEAR_VOLUME, 0},
    /* Camera2D: half the zoom shows twice as much in Godot 4. */
    {NULL, "Camera2D", "zoom", "zoom", SURE, ANIM_STEP_INVERSE, 0},
    {NULL, "Camera2D", "rotating", "ignore_rotation", SURE, ANIM_STEP_NOT, 0},
    {NULL, "Camera2D", "current", NULL, 0, 0, 0},
    {NULL, "Camera2D", "offset_h", "drag_horizontal_offset", SURE, 0, 0},
    {NULL, "Camera2D", "offset_v", "drag_vertical_offset", SURE, 0, 0},
    {NULL, "Camera2D", "smoothing_enabled", "position_smoothing_enabled", SURE, 0, 0},
    {NULL, "Camera2D", "smoothing_speed", "position_smoothing_speed", SURE, 0, 0},
    {NULL, "Camera2D", "drag_margin_bottom", "drag_bottom_margin", SURE, 0, 0},
    {NULL, "Camera2D", "drag_margin_left", "drag_left_margin", SURE, 0, 0},
    {NULL, "Camera2D", "drag_margin_right", "drag_right_margin", SURE, 0, 0},
    {NULL, "Camera2D", "drag_margin_top", "drag_top_margin", SURE, 0, 0},
    {NULL, "Camera2D", "drag_margin_h_enabled", "drag_horizontal_enabled", SURE, 0, 0},
    {NULL, "Camera2D", "drag_margin_v_enabled", "drag_vertical_enabled", SURE, 0, 0},
    /* Nodes in space and in the plane */
    {NULL, FOLLOWERS, "offset", "progress", 0, 0, 0},
    {NULL, FOLLOWERS, "unit_offset", "progress_ratio", SURE, 0, 0},
    {NULL, "PathFollow2D", "rotate", "rotates", 0, 0, 0},
    {NULL, "PathFollow2D", "lookahead", NULL, SURE, 0, 0},
    {NULL, SPRITES_3D, "opacity", "modulate:a", SURE, 0, 0},
    {NULL, "Sprite2D", "region_filter_clip", "region_filter_clip_enabled", SURE, 0, 0},
    {NULL, "AnimatedSprite2D AnimatedSprite3D", "frames", "sprite_frames", 0, 0, 0},
    {NULL, "AnimatedSprite2D AnimatedSprite3D", "playing", NULL, 0, 0, 0},
    {NULL, "PointLight2D", "mode", "blend_mode", 0, 0, 0},
    {NULL, "PointLight2D", "range_height", "height", SURE, 0, 0},
    {NULL, "PointLight2D", "shadow_gradient_length", NULL, SURE, 0, 0},
    {NULL, "PointLight2D", "shadow_buffer_size", NULL, SURE, 0, 0},
    {NULL, LIGHTS, "shadow_color", NULL, 0, 0, 0},
    {NULL, LIGHTS, "shadow_contact", NULL, SURE, 0, 0},
    {NULL, LIGHTS, NULL, "light_temperature light_intensity_lumens light_intensity_lux light_volumetric_fog_energy", 0,
     0, 0},
    {NULL, LIGHTS, NULL, "light_angular_distance shadow_opacity shadow_blur", 0, 0, 0},
    {NULL, "RayCast2D RayCast3D", "cast_to", "target_position", SURE, 0, 0},
    {NULL, AREAS, "gravity_vec", "gravity_direction", SURE, 0, 0},
    {NULL, AREAS, "gravity_distance_scale", "gravity_point_unit_distance", SURE, ANIM_STEP_INVERSE, 0},
    {NULL, AREAS, "space_override", "gravity_space_override", SURE, 0, 0},
    {NULL, "Area3D", "reverb_bus_enable", "reverb_bus_enabled", SURE, 0, 0},
    {NULL, "CSGBox3D", "width", "size:x", 0, 0, 0},
    {NULL, "CSGBox3D", "height", "size:y", 0, 0, 0},
    {NULL, "CSGBox3D", "depth", "size:z", 0, 0, 0},
    {NULL, "CSGBox3D CSGCylinder3D CSGMesh3D CSGPolygon3D CSGSphere3D CSGTorus3D", "invert_faces", "flip_faces", SURE,
     0, 0},
    {NULL, SHAPES, "shape:extents", "shape:size", SURE, 0, 2},
    {NULL, SHAPES, "shape:d", "shape:distance", SURE, 0, 0},
    {NULL, SHAPES, "shape:slips_on_slope", "shape:slide_on_slope", SURE, 0, 0},
    {NULL, BOXES, "extents", "size", SURE, 0, 2},
    {NULL, "ReflectionProbe", "interior_enable", "interior", SURE, 0, 0},
    {NULL, "ReflectionProbe", "interior_ambient_color", "ambient_color", SURE, 0, 0},
    {NULL, "ReflectionProbe", "interior_ambient_energy", "ambient_color_energy", SURE, 0, 0},
    {NULL, "ReflectionProbe", "interior_ambient_contrib", NULL, SURE, 0, 0},
    {NULL, "RigidBody2D", "applied_force", "constant_force", SURE, 0, 0},
    {NULL, "RigidBody2D", "applied_torque", "constant_torque", SURE, 0, 0},
    {NULL, RIGID, "contacts_reported", "max_contacts_reported", SURE, 0, 0},
    {NULL, RIGID " StaticBody2D StaticBody3D", "bounce", "physics_material_override:bounce", 0, 0, 0},
    {NULL, RIGID " StaticBody2D StaticBody3D", "friction", "physics_material_override:friction", 0, 0, 0},
    {NULL, RIGID, "mode", NULL, 0, 0, 0},
    {NULL, RIGID " VehicleBody3D PhysicalBone3D", "weight", NULL, 0, 0, 0},
    {NULL, "CharacterBody2D CharacterBody3D", "collision/safe_margin", "safe_margin", SURE, 0, 0},
    {NULL, "CharacterBody3D", "move_lock_x", "axis_lock_linear_x", SURE, 0, 0},
    {NULL, "CharacterBody3D", "move_lock_y", "axis_lock_linear_y", SURE, 0, 0},
    {NULL, "CharacterBody3D", "move_lock_z", "axis_lock_linear_z", SURE, 0, 0},
    {NULL, "AudioStreamPlayer3D", "unit_db", "volume_db", SURE, 0, 0},
    {NULL, "AudioStreamPlayer3D", "out_of_range_mode", NULL, SURE, 0, 0},
    {NULL, "Polygon2D", "texture_rotation_degrees", "texture_rotation", SURE, 0, RADIANS},
    {NULL, "Polygon2D", "invert_enable", "invert_enabled", SURE, 0, 0},
    {NULL, "CanvasLayer ParallaxBackground", "follow_viewport_enable", "follow_viewport_enabled", SURE, 0, 0},
    {NULL, "", "lod_min_distance", "visibility_range_begin", SURE, 0, 0},
    {NULL, "", "lod_max_distance", "visibility_range_end", SURE, 0, 0},
    {NULL, "", "lod_min_hysteresis", "visibility_range_begin_margin", SURE, 0, 0},
    {NULL, "", "lod_max_hysteresis", "visibility_range_end_margin", SURE, 0, 0},
    {NULL, "", "use_in_baked_light", NULL, SURE, 0, 0},
    {NULL, "", "global_translation", "global_position", 0, 0, 0},
    {NULL, "", "show_on_top", NULL, SURE, 0, 0},
    {NULL, CPU_PARTICLES,
     "angle angular_velocity anim_offset anim_speed damping hue_variation initial_velocity "
     "linear_accel orbit_velocity radial_accel scale_amount tangential_accel",
     NULL, 0, 0, 0},
    {NULL, CPU_PARTICLES,
     "angle_random angular_velocity_random anim_offset_random anim_speed_random damping_random "
     "hue_variation_random initial_velocity_random linear_accel_random orbit_velocity_random radial_accel_random "
     "scale_amount_random tangential_accel_random",
     NULL, SURE, 0, 0},
    {NULL, CPU_PARTICLES, "flag_align_y", "particle_flag_align_y", SURE, 0, 0},
    {NULL, "CPUParticles3D", "flag_rotate_y", "particle_flag_rotate_y", SURE, 0, 0},
    {NULL, "CPUParticles3D", "flag_disable_z", "particle_flag_disable_z", SURE, 0, 0},
    {NULL, "TileMap", "cell_size mode collision_friction collision_bounce", NULL, 0, 0, 0},
    {NULL, "VoxelGI", "dynamic_range energy bias normal_bias propagation interior", NULL, 0, 0, 0},
    /* Players, timers and all nodes */
    {NULL, "", "pause_mode", "process_mode", SURE, ANIM_STEP_PAUSE_MODE, 0},
    {NULL, "AnimationPlayer Node", "playback_speed", "speed_scale", SURE, 0, 0},
    {NULL, "AnimationPlayer", "playback_active", "active", SURE, 0, 0},
    {NULL, "AnimationPlayer", "playback_process_mode", "callback_mode_process", SURE, 0, 0},
    {NULL, "AnimationPlayer", "method_call_mode", "callback_mode_method", SURE, 0, 0},
    /* Controls */
    {NULL, CONTROLS, "rect_position", "position", SURE, 0, 0},
    {NULL, CONTROLS, "rect_size", "size", SURE, 0, 0},
    {NULL, CONTROLS, "rect_scale", "scale", SURE, 0, 0},
    {NULL, CONTROLS, "rect_rotation", "rotation_degrees", SURE, 0, 0},
    {NULL, CONTROLS, "rect_rotation", "angle", BACK, 0, RADIANS},
    {NULL, CONTROLS, "rect_global_position", "global_position", SURE, 0, 0},
    {NULL, "", "rect_min_size", "custom_minimum_size", SURE, 0, 0},
    {NULL, "", "rect_pivot_offset", "pivot_offset", SURE, 0, 0},
    {NULL, "", "rect_clip_content", "clip_contents", SURE, 0, 0},
    {NULL, CONTROLS, "margin_left", "offset_left", SURE, 0, 0},
    {NULL, CONTROLS, "margin_top", "offset_top", SURE, 0, 0},
    {NULL, CONTROLS, "margin_right", "offset_right", SURE, 0, 0},
    {NULL, CONTROLS, "margin_bottom", "offset_bottom", SURE, 0, 0},
    {NULL, "", "hint_tooltip", "tooltip_text", SURE, 0, 0},
    {NULL, "", "focus_neighbour_left", "focus_neighbor_left", SURE, 0, 0},
    {NULL, "", "focus_neighbour_top", "focus_neighbor_top", SURE, 0, 0},
    {NULL, "", "focus_neighbour_right", "focus_neighbor_right", SURE, 0, 0},
    {NULL, "", "focus_neighbour_bottom", "focus_neighbor_bottom", SURE, 0, 0},
    {NULL, "Label RichTextLabel", "percent_visible", "visible_ratio", SURE, 0, 0},
    {NULL, "ProgressBar", "percent_visible", "show_percentage", 0, 0, 0},
    {NULL, "RichTextLabel", "bbcode_text", "text", SURE | ONE_WAY, 0, 0},
    {NULL, "RichTextLabel", "fit_content_height", "fit_content", SURE, 0, 0},
    {NULL, "RichTextLabel TextEdit", "override_selected_font_color", NULL, SURE, 0, 0},
    {NULL, "Label", "align", "horizontal_alignment", 0, 0, 0},
    {NULL, "Label", "valign", "vertical_alignment", SURE, 0, 0},
    {NULL, "Label", "autowrap", NULL, 0, 0, 0},
    {NULL, TEXT_BUTTONS " LineEdit SpinBox", "align", "alignment", 0, 0, 0},
    {NULL, "TabBar TabContainer", "tab_align", "tab_alignment", SURE, 0, 0},
    {NULL, BUTTONS, "pressed", "button_pressed", 0, 0, 0},
    {NULL, BUTTONS, "group", "button_group", 0, 0, 0},
    {NULL, BUTTONS, "enabled_focus_mode", "focus_mode", SURE | ONE_WAY, 0, 0},
    {NULL, "TouchScreenButton", "normal", "texture_normal", 0, 0, 0},
    {NULL, "TouchScreenButton", "pressed", "texture_pressed", 0, 0, 0},
    {NULL, "TextureRect", "expand", "expand_mode", 0, 0, 0},
    {NULL, "TextureButton", "expand", "ignore_texture_size", 0, 0, 0},
    {NULL, "ScrollContainer", "scroll_horizontal_enabled", "horizontal_scroll_mode", SURE | ONE_WAY, 0, 0},
    {NULL, "ScrollContainer", "scroll_vertical_enabled", "vertical_scroll_mode", SURE | ONE_WAY, 0, 0},
    {NULL, "LineEdit TextEdit", "caret_blink_speed", "caret_blink_interval", SURE, 0, 0},
    {NULL, "LineEdit", "caret_position", "caret_column", SURE, 0, 0},
    {NULL, "LineEdit", "placeholder_alpha", NULL, SURE, 0, 0},
    {NULL, "TextEdit", "readonly", "editable", SURE | ONE_WAY, ANIM_STEP_NOT, 0},
    {NULL, "TextEdit", "wrap_enabled", "wrap_mode", SURE | ONE_WAY, 0, 0},
    {NULL, "TextEdit", "smooth_scrolling", "scroll_smooth", SURE, 0, 0},
    {NULL, "TextEdit", "v_scroll_speed", "scroll_v_scroll_speed", SURE, 0, 0},
    {NULL, "GraphNode", "offset", "position_offset", 0, 0, 0},
    {NULL, "GraphEdit", "snap_distance", "snapping_distance", SURE, 0, 0},
    {NULL, "GraphEdit", "use_snap", "snapping_enabled", SURE, 0, 0},
    {NULL, WINDOWS, "window_title", "title", SURE, 0, 0},
    {NULL, WINDOWS, "popup_exclusive", "exclusive", SURE, 0, 0},
    {NULL, WINDOWS, "resizable", "unresizable", 0, ANIM_STEP_NOT, 0},
    {NULL, "SubViewport", "size_override_stretch", "size_2d_override_stretch", SURE, 0, 0},
    {NULL, "SubViewport", "msaa", "msaa_3d", 0, 0, 0},
    {NULL, "SubViewport", "own_world", "own_world_3d", SURE, 0, 0},
    /* Items of themes. A size of a font was a property of the font. */
    {NULL, "", "custom_fonts/font:size", "theme_override_font_sizes/font_size", SURE, 0, 0},
    {NULL, "", "custom_fonts/font:outline_size", "theme_override_constants/outline_size", SURE, 0, 0},
    {NULL, "", "custom_fonts/font:outline_color", "theme_override_colors/font_outline_color", SURE | ONE_WAY, 0, 0},
    {NULL, "", "custom_colors/font_color_disabled", "theme_override_colors/font_disabled_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_hover", "theme_override_colors/font_hover_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_hover_pressed", "theme_override_colors/font_hover_pressed_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_pressed", "theme_override_colors/font_pressed_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_selected", "theme_override_colors/font_selected_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_shadow", "theme_override_colors/font_shadow_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_uneditable", "theme_override_colors/font_uneditable_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_readonly", "theme_override_colors/font_readonly_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_accel", "theme_override_colors/font_accelerator_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_bg", "theme_override_colors/font_unselected_color", SURE, 0, 0},
    {NULL, "", "custom_colors/font_color_fg", "theme_override_colors/font_selected_color", SURE | ONE_WAY, 0, 0},
    {NULL, "", "custom_colors/font_outline_modulate", "theme_override_colors/font_outline_color", SURE, 0, 0},
    {NULL, "", "custom_colors/cursor_color", "theme_override_colors/caret_color", SURE, 0, 0},
    {NULL, "", "custom_constants/hseparation", "theme_override_constants/h_separation", SURE, 0, 0},
    {NULL, "", "custom_constants/vseparation", "theme_override_constants/v_separation", SURE, 0, 0},
    {NULL, "", "custom_constants/check_vadjust", "theme_override_constants/check_v_offset", SURE, 0, 0},
    {NULL, "", "custom_constants/table_hseparation", "theme_override_constants/table_h_separation", SURE, 0, 0},
    {NULL, "", "custom_constants/table_vseparation", "theme_override_constants/table_v_separation", SURE, 0, 0},
    {NULL, "", "custom_constants/shadow_as_outline", NULL, SURE, 0, 0},
    /* Environments */
    {NULL, "", "environment:background_energy", "environment:background_energy_multiplier", SURE, 0, 0},
    {NULL, "", "environment:background_sky", "environment:sky", SURE, 0, 0},
    {NULL, "", "environment:background_sky_custom_fov", "environment:sky_custom_fov", SURE, 0, 0},
    {NULL, "", "environment:background_sky_rotation", "environment:sky_rotation", SURE, 0, 0},
    {NULL, "", "environment:background_sky_rotation_degrees", "environment:sky_rotation", SURE | ONE_WAY, 0, RADIANS},
    {NULL, "", "environment:fog_color", "environment:fog_light_color", SURE, 0, 0},
    {NULL, "", "environment:fog_sun_amount", "environment:fog_sun_scatter", SURE, 0, 0},
    {NULL, "", "environment:ss_reflections_enabled", "environment:ssr_enabled", SURE, 0, 0},
    {NULL, "", "environment:ss_reflections_depth_tolerance", "environment:ssr_depth_tolerance", SURE, 0, 0},
    {NULL, "", "environment:ss_reflections_fade_in", "environment:ssr_fade_in", SURE, 0, 0},
    {NULL, "", "environment:ss_reflections_fade_out", "environment:ssr_fade_out", SURE, 0, 0},
    {NULL, "", "environment:ss_reflections_max_steps", "environment:ssr_max_steps", SURE, 0, 0},
    /* Godot 2 */
    {NULL, "", "visibility/opacity", "modulate:a", SURE | ONE_WAY, 0, 0},
    {NULL, "", "visibility/self_opacity", "self_modulate:a", SURE | ONE_WAY, 0, 0},
    {NULL, "", "config/emitting", "emitting", SURE | ONE_WAY, 0, 0},
    {NULL, "", "z/z", "z_index", SURE | ONE_WAY, 0, 0},
};

/* Properties of Godot 3's materials and environments, at any place in a node: the part of the path after the last ':'. */
static const struct row resource_rows[] = {
    {NULL, "", "emission_energy", "emission_energy_multiplier", SURE, 0, 0},
    {NULL, "", "depth_scale", "heightmap_scale", SURE, 0, 0},
    {NULL, "", "params_grow_amount", "grow_amount", SURE, 0, 0},
    {NULL, "", "params_alpha_scissor_threshold", "alpha_scissor_threshold", SURE, 0, 0},
    {NULL, "", "params_point_size", "point_size", SURE, 0, 0},
    {NULL, "", "params_billboard_mode", "billboard_mode", SURE, 0, 0},
    {NULL, "", "params_blend_mode", "blend_mode", SURE, 0, 0},
    {NULL, "", "params_cull_mode", "cull_mode", SURE, 0, 0},
    {NULL, "", "flags_no_depth_test", "no_depth_test", SURE, 0, 0},
    {NULL, "", "flags_fixed_size", "fixed_size", SURE, 0, 0},
    {NULL, "", "proximity_fade_enable", "proximity_fade_enabled", SURE, 0, 0},
    {NULL, "", "transmission", "backlight", SURE, 0, 0},
    {NULL, "", "transmission_enabled", "backlight_enabled", SURE, 0, 0},
    {NULL, "", "oneshot", "one_shot", SURE, 0, 0},
    {NULL, "",
     "clearcoat_gloss flags_transparent flags_unshaded flags_vertex_lighting params_line_width "
     "params_use_alpha_scissor fog_depth_enabled fog_height_enabled fog_height_min fog_height_max fog_height_curve "
     "fog_sun_color fog_transmit_enabled fog_transmit_curve auto_exposure_enabled auto_exposure_scale "
     "auto_exposure_min_luma auto_exposure_max_luma auto_exposure_speed dof_blur_far_enabled dof_blur_far_distance "
     "dof_blur_far_transition dof_blur_far_amount dof_blur_near_enabled dof_blur_near_distance "
     "dof_blur_near_transition dof_blur_near_amount glow_bicubic_upscale ssao_color ssao_bias",
     NULL, SURE, 0, 0},
};

/* Prefixes in Godot 3 and in Godot 4, also of the materials of a mesh, whose names end in a number. */
static const char *const prefixes[][2] = {
    {"custom_colors/", "theme_override_colors/"}, {"custom_constants/", "theme_override_constants/"},
    {"custom_fonts/", "theme_override_fonts/"},   {"custom_icons/", "theme_override_icons/"},
    {"custom_styles/", "theme_override_styles/"}, {"material/", "surface_material_override/"},
};
/* Names of shader parameters can be anywhere: "next_pass:shader_param/x". */
static const char *const parameters[] = {":shader_param/", ":shader_parameter/"};

/* Return the text before `at`, then `to`, then the text after `from`, which is at `at`. NULL if out of memory. */
static const char *replace_at(const char *text, const char *at, const char *from, const char *to,
			      struct anim_arena *arena, struct anim_error *error)
{
	return anim_arena_printf(arena, error, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/*
 * Return the property with the other version's name of a prefix or a shader parameter. from = 0: the older version's
 * name is replaced.
 */
static const char *rename_prefix(const char *property, unsigned from, struct anim_arena *arena,
				 struct anim_error *error)
{
	const char *at;

	for (size_t i = 0; i < ANIM_COUNT(prefixes) && property != NULL; i++) {
		const char *behind = anim_text_after(property, prefixes[i][from]);

		if (behind == NULL || (i + 1 == ANIM_COUNT(prefixes) && !(*behind >= '0' && *behind <= '9')))
			continue;
		property = replace_at(property, property, prefixes[i][from], prefixes[i][1 - from], arena, error);
		break;
	}
	at = property == NULL ? NULL : strstr(property, parameters[from]);
	return at == NULL ? property : replace_at(property, at, parameters[from], parameters[1 - from], arena, error);
}

/* Return the letter of the component that the name ends with after ':', or NULL. */
static const char *letter_of(const char *name)
{
	size_t length = strlen(name);

	return length > 2 && name[length - 2] == ':' ? name + length - 1 : NULL;
}

/* The rows of an engine, or of all versions of Godot. */
static const struct row *rows_of(enum anim_engine engine, size_t *count)
{
	*count = engine == ANIM_ENGINE_UNITY ? ANIM_COUNT(unity_rows)
		 : engine == ANIM_ENGINE_FBX ? ANIM_COUNT(fbx_rows)
					     : ANIM_COUNT(godot3_rows);
	return engine == ANIM_ENGINE_UNITY ? unity_rows : engine == ANIM_ENGINE_FBX ? fbx_rows : godot3_rows;
}

/* Return whether a row's name is the property, or one of its names is if the other engine has nothing like them. */
static bool has_name(const char *name, const char *partner, const char *property)
{
	return name != NULL && (strcmp(name, property) == 0 || (partner == NULL && anim_text_is_word(name, property)));
}

/* Return the row for a property of another engine or an older version (`unity`: its class in Unity), or NULL. */
static const struct row *find_to_godot4(enum anim_engine from, const char *unity, const char *property,
					const char *type)
{
	size_t count;
	const struct row *rows = rows_of(from, &count), *first = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct row *row = &rows[i];

		if ((row->use & BACK) || (unity != NULL && strcmp(row->unity, unity) != 0) ||
		    !has_name(row->other, row->godot, property))
			continue;
		/* A row of no class is for all. If the type of the node is unknown, only sure rows count. */
		if (*row->classes == '\0' ||
		    (type == NULL || *type == '\0' ? (row->use & SURE) != 0 : anim_text_is_word(row->classes, type)))
			return row;
		/* A field keeps its class, even if the type of the node has another name for it. */
		first = unity != NULL && first == NULL ? row : first;
	}
	return first;
}

/* Return the row for a property of Godot 4, or for one of its components (`letter`, or 0), or NULL. */
static const struct row *find_from_godot4(enum anim_engine to, const char *property, char letter, const char *type)
{
	size_t count, length = strlen(property);
	const struct row *rows = rows_of(to, &count);

	for (size_t i = 0; i < count; i++) {
		const struct row *row = &rows[i];
		const char *own = row->godot == NULL ? NULL : letter_of(row->godot);
		bool fits = own == NULL ? has_name(row->godot, row->other, property)
					: *own == letter && strlen(row->godot) == length + 2 &&
					      strncmp(row->godot, property, length) == 0;

		if (fits && !(row->use & ONE_WAY) && (to != ANIM_ENGINE_GODOT4_0 || (row->use & OLD_4)) &&
		    (*row->classes == '\0' || (to == ANIM_ENGINE_UNITY && (type == NULL || *type == '\0'))
			 ? (row->use & SURE) != 0
			 : type != NULL && anim_text_is_word(row->classes, type)))
			return row;
	}
	return NULL;
}

/* Return the row for the last part of a path through resources, or NULL. Sets *part to that part of the path. */
static const struct row *find_resource(bool back, const char *property, const char **part)
{
	const char *colon = strrchr(property, ':');

	*part = colon == NULL ? NULL : colon + 1;
	for (size_t i = 0; i < ANIM_COUNT(resource_rows) && colon != NULL; i++) {
		const struct row *row = &resource_rows[i];
		const char *name = back ? row->godot : row->other;

		if (name != NULL && (row->godot == NULL ? anim_text_is_word(name, *part) : strcmp(name, *part) == 0))
			return row;
	}
	return NULL;
}

static enum anim_step reversed(enum anim_step step)
{
	return step == ANIM_STEP_PAUSE_MODE      ? ANIM_STEP_PROCESS_MODE
	       : step == ANIM_STEP_DECIBELS      ? ANIM_STEP_LINEAR_VOLUME
	       : step == ANIM_STEP_LINEAR_VOLUME ? ANIM_STEP_DECIBELS
						 : step;
}

/* Change the names from an older version or another engine to Godot 4. Returns 0 or -1. */
static int to_godot4(enum anim_engine from, const char *unity, const char *type, struct anim_engine_property *p,
		     struct anim_arena *arena, struct anim_error *error)
{
	const struct row *row = find_to_godot4(from, unity, p->property, type);
	const char *part, *renamed;

	if (row == NULL && from == ANIM_ENGINE_GODOT3 && (row = find_resource(false, p->property, &part)) != NULL &&
	    row->godot != NULL) {
		p->property = replace_at(p->property, part, part, row->godot, arena, error);
	} else if (row != NULL) {
		p->gone = row->godot == NULL;
		p->property = p->gone ? p->property : row->godot;
		p->step = row->step;
		p->factor = row->factor == 0 ? 1 : row->factor;
		p->unity_class = NULL;
		return 0;
	}
	if (from != ANIM_ENGINE_GODOT3 || p->property == NULL)
		return p->property == NULL ? -1 : 0;
	renamed = rename_prefix(p->property, 0, arena, error);
	p->property = renamed;
	return renamed == NULL ? -1 : 0;
}

/* Change the names from Godot 4 to an older version or Unity. Returns 0 or -1. */
static int from_godot4(enum anim_engine to, const char *type, struct anim_engine_property *p, struct anim_arena *arena,
		       struct anim_error *error)
{
	const struct row *row = find_from_godot4(to, p->property, p->letter, type);
	const char *part;

	if (row != NULL && row->other == NULL) {
		p->gone = true;
		return 0;
	}
	if (row != NULL) {
		p->property = row->other;
		p->unity_class = row->unity;
		p->letter = letter_of(row->godot) != NULL ? '\0' : p->letter;
		p->step = p->step == ANIM_STEP_KEEP ? reversed(row->step) : p->step;
		p->factor = row->factor == 0 ? p->factor : p->factor / row->factor;
		return 0;
	}
	if (to != ANIM_ENGINE_GODOT3)
		return 0;
	row = find_resource(true, p->property, &part);
	if (row != NULL)
		p->property = replace_at(p->property, part, part, row->other, arena, error);
	p->property = p->property == NULL ? NULL : rename_prefix(p->property, 1, arena, error);
	return p->property == NULL ? -1 : 0;
}

enum anim_engine anim_engine_of(const char *source)
{
	if (strcmp(source, "unity") == 0)
		return ANIM_ENGINE_UNITY;
	if (strcmp(source, "fbx") == 0)
		return ANIM_ENGINE_FBX;
	if (strcmp(source, "gltf") == 0)
		return ANIM_ENGINE_GODOT4;
	if (!anim_source_is_godot(source))
		return ANIM_ENGINE_OTHER;
	return strcmp(source, "godot4") == 0 ? ANIM_ENGINE_GODOT4 : ANIM_ENGINE_GODOT3;
}

int anim_engine_property(enum anim_engine from, enum anim_engine to, const char *type, struct anim_engine_property *p,
			 struct anim_arena *arena, struct anim_error *error)
{
	const char *unity = from == ANIM_ENGINE_UNITY ? p->unity_class : NULL, *letter, *own = p->property;

	p->step = ANIM_STEP_KEEP;
	p->factor = 1;
	p->gone = false;
	if (from == to || from == ANIM_ENGINE_OTHER || to == ANIM_ENGINE_OTHER ||
	    (from == ANIM_ENGINE_UNITY && (unity == NULL || *unity == '\0')))
		return 0;
	type = type == NULL ? NULL : anim_godot_class(false, type);
	if (from != ANIM_ENGINE_GODOT4 && to_godot4(from, unity, type, p, arena, error) != 0)
		return -1;
	if (to != ANIM_ENGINE_GODOT4 && !p->gone && p->unity_class == NULL &&
	    from_godot4(to, type, p, arena, error) != 0)
		return -1;
	letter = letter_of(p->property);
	if (strcmp(own, p->property) != 0 && letter != NULL && p->letter == '\0') {
		p->letter = *letter;
		p->property = anim_arena_text(arena, p->property, strlen(p->property) - 2, error);
	}
	if (p->property == NULL)
		return -1;
	return strcmp(own, p->property) != 0 || p->step != ANIM_STEP_KEEP || p->factor != 1 || p->gone;
}

const char *anim_godot4_property(const char *property, const char *unity_class, bool other, struct anim_arena *arena,
				 struct anim_error *error)
{
	struct anim_engine_property p = {.property = property};

	for (size_t i = ANIM_COUNT(unity_rows); i-- > 0 && other && *unity_class != '\0';)
		if (!(unity_rows[i].use & BACK) && strcmp(unity_rows[i].unity, unity_class) == 0 &&
		    strcmp(unity_rows[i].other, property) == 0)
			return unity_rows[i].godot;
	if (to_godot4(*unity_class == '\0' ? ANIM_ENGINE_GODOT3 : ANIM_ENGINE_UNITY,
		      *unity_class == '\0' ? NULL : unity_class, NULL, &p, arena, error) != 0)
		return NULL;
	return p.property;
}

const char *anim_godot2_renamed(const char *property)
{
	for (size_t i = 0; i < ANIM_COUNT(godot3_rows); i++)
		if (has_name(godot3_rows[i].other, "", property) && strchr(property, '/') != NULL &&
		    godot3_rows[i].use == (SURE | ONE_WAY) && strncmp(property, "custom_", 7) != 0)
			return godot3_rows[i].godot;
	return property;
}

/* ---- Names of nodes ---- */

/* A path may begin with parent steps and with the one name that belongs to the scene itself. */
static size_t head_length(const char *node, const char *bone)
{
	size_t length = 0;

	while (strncmp(node + length, "../", 3) == 0)
		length += 3;
	if (strcmp(node + length, "..") == 0)
		return length + 2;
	return length + (bone != NULL && node[length] == '%');
}

const char *anim_godot_node(const char *node, const char *bone, struct anim_arena *arena, struct anim_error *error)
{
	size_t end = bone == NULL ? strlen(node) : (size_t)(bone - 1 - node), head = head_length(node, bone);
	char *copy;

	if (strcmp(node, ".") == 0 || strpbrk(node, ".@\"%:") == NULL)
		return node;
	copy = anim_arena_text(arena, node, strlen(node), error);
	for (size_t i = head; copy != NULL && i < end; i++)
		if (strchr(".@\"%:", copy[i]) != NULL)
			copy[i] = '_';
	for (size_t i = end + 1; copy != NULL && bone != NULL && copy[i] != '\0'; i++)
		if (copy[i] == ':')
			copy[i] = '_';
	return copy;
}

const char *anim_godot_root(const char *name, struct anim_arena *arena, struct anim_error *error)
{
	char *copy = anim_arena_text(arena, name, strlen(name), error);

	for (char *at = copy; at != NULL && *at != '\0'; at++)
		if (strchr(".:@/\"%", *at) != NULL)
			*at = '_';
	return copy;
}
