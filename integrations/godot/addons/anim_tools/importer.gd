@tool
extends EditorImportPlugin
## Import an animation file as an AnimationLibrary that follows the file.

const Programs := preload("programs.gd")
const LOOPS := ["", "none", "wrap", "ping-pong"]
const FLAGS := {
	"motion/in_place": "--in-place", "motion/root_motion": "--root-motion", "motion/pin_feet": "--pin", "motion/mirror": "--mirror",
}
## The skeleton of SkeletonProfileHumanoid, for retargeting.
const PROFILE := "res://.godot/anim_tools/humanoid.tscn"
enum Bones { KEEP, PROFILE, RENAME }

## True: files that only this importer reads. False: models and files of other importers, which use it if it is chosen.
var own := true
var unity := false


func _get_importer_name() -> String:
	return "anim_tools.library" if own else "anim_tools.library_of_model"


func _get_visible_name() -> String:
	return "Animation Library (anim-tools)"


func _get_recognized_extensions() -> PackedStringArray:
	if not own:
		return ["fbx", "glb", "gltf"]
	return PackedStringArray(["animj", "animx", "vrma", "bvh", "npz", "amc", "vmd", "axs"]) + PackedStringArray(["anim"] if unity else [])


func _get_priority() -> float:
	return 1.0 if own else 0.5


func _get_import_order() -> int:
	return IMPORT_ORDER_SCENE + 10 # after the scenes that the clips may be retargeted to


func _get_save_extension() -> String:
	return "res"


func _get_resource_type() -> String:
	return "AnimationLibrary"


func _get_preset_count() -> int:
	return 3


func _get_preset_name(preset: int) -> String:
	return ["Curves", "Humanoid", "Small (30 samples per second, reduced)"][preset]


func _get_option_visibility(_path: String, _option: StringName, _options: Dictionary) -> bool:
	return true


func _get_import_options(path: String, preset: int) -> Array[Dictionary]:
	var scenes := "*.tscn,*.scn,*.glb,*.gltf,*.vrm,*.fbx,*.bvh"
	var options: Array[Dictionary] = [
		{name = "clips/only", default_value = ""},
		{name = "clips/loop", default_value = 0, property_hint = PROPERTY_HINT_ENUM, hint_string = "As in the file,None,Wrap,Ping-pong"},
		{name = "clips/rate", default_value = 30.0 if preset == 2 else 0.0, property_hint = PROPERTY_HINT_RANGE, hint_string = "0,240,0.01,or_greater"},
		{name = "clips/reduce", default_value = "1mm@10cm" if preset == 2 else ""},
		{name = "skeleton/bones", default_value = Bones.PROFILE if preset == 1 else Bones.KEEP, property_hint = PROPERTY_HINT_ENUM,
			hint_string = "As in the file,Retarget to SkeletonProfileHumanoid,Rename to SkeletonProfileHumanoid"},
		{name = "skeleton/retarget_to", default_value = "", property_hint = PROPERTY_HINT_FILE, hint_string = scenes},
		{name = "skeleton/rest_pose_of_source", default_value = "", property_hint = PROPERTY_HINT_FILE, hint_string = scenes},
		{name = "skeleton/path", default_value = ""},
		{name = "motion/in_place", default_value = false},
		{name = "motion/root_motion", default_value = false},
		{name = "motion/pin_feet", default_value = false},
		{name = "motion/mirror", default_value = false},
		{name = "advanced/options", default_value = ""},
	]
	if path.is_empty() or path.get_extension().to_lower() in ["bvh", "npz", "amc"]:
		options.append({name = "file/unit", default_value = ""})
		options.append({name = "file/up_axis", default_value = 0, property_hint = PROPERTY_HINT_ENUM, hint_string = "As usual for the format,Y,Z"})
	return options


func _import(source: String, save_path: String, options: Dictionary, _variants: Array[String], _files: Array[String]) -> Error:
	var out := Programs.work_file(source, "tres")
	var done := _convert(source, out, options)
	if not done.ok or not FileAccess.file_exists(out):
		push_error("%s: %s" % [source, done.text if not done.text.is_empty() else "the program wrote nothing"])
		return FAILED
	Programs.warn(done.text)
	var library: AnimationLibrary = ResourceLoader.load(out, "AnimationLibrary", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(out)
	if library == null:
		push_error("%s: Godot cannot load the converted file" % source)
		return FAILED
	# The paths of the temporary file must not get into the resource.
	library.resource_path = ""
	for name in library.get_animation_list():
		library.get_animation(name).resource_path = ""
		if options.get("skeleton/bones") == Bones.PROFILE:
			_name_skeleton(library.get_animation(name))
	return ResourceSaver.save(library, save_path + ".res", ResourceSaver.FLAG_COMPRESS)


## Run the programs. Return {ok, text}.
func _convert(source: String, out: String, options: Dictionary) -> Dictionary:
	var path := ProjectSettings.globalize_path(source)
	var target: String = options.get("skeleton/retarget_to", "")
	var rest: String = options.get("skeleton/rest_pose_of_source", "")
	if options.get("skeleton/bones") == Bones.PROFILE:
		target = _write_profile()
	var reading := PackedStringArray()
	var writing := PackedStringArray(["-f", "tres", "-x", "library", "--godot", _version()])
	_add(reading, "--clip", options.get("clips/only", ""))
	_add(reading, "--unit", options.get("file/unit", ""))
	_add(reading, "--up", ["", "y", "z"][options.get("file/up_axis", 0)])
	_add(writing, "--loop", LOOPS[options.get("clips/loop", 0)])
	_add(writing, "--rate", "" if options.get("clips/rate", 0.0) <= 0 else str(options["clips/rate"]))
	_add(writing, "--reduce", options.get("clips/reduce", ""))
	_add(writing, "--skeleton", options.get("skeleton/path", ""))
	for flag in FLAGS:
		if options.get(flag, false):
			writing.append(FLAGS[flag])
	if options.get("skeleton/bones") == Bones.RENAME:
		writing.append_array(["--humanoid", "auto:godot"])
	writing.append_array(Programs.words(options.get("advanced/options", "")))
	if target.is_empty() or rest.is_empty():
		if not target.is_empty():
			writing.append_array(["--retarget", ProjectSettings.globalize_path(target)])
		return Programs.run(PackedStringArray(["convert"]) + reading + writing + PackedStringArray(["--force", "-o", out, path]))
	# anim-convert takes the rest pose of the source from the source itself, so this takes three steps.
	var read := out + ".read.axs"
	var fitted := out + ".fitted.axs"
	var done := Programs.run(PackedStringArray(["convert", "--axes", "godot"]) + reading + PackedStringArray(["--force", "-o", read, path]))
	if done.ok:
		done = Programs.run(["retarget", "--to", ProjectSettings.globalize_path(target), "--from", ProjectSettings.globalize_path(rest), "--force", "-o", fitted, read])
	if done.ok:
		done = Programs.run(PackedStringArray(["convert"]) + writing + PackedStringArray(["--force", "-o", out, fitted]))
	for file in [read, fitted]:
		DirAccess.remove_absolute(file)
	return done


static func _add(arguments: PackedStringArray, option: String, value: String) -> void:
	if not value.strip_edges().is_empty():
		arguments.append_array([option, value.strip_edges()])


## The version to write for: one that anim-tools knows.
static func _version() -> String:
	return "4.5" if Engine.get_version_info().hex >= 0x040500 else "4.2"


## Write a scene with the skeleton of SkeletonProfileHumanoid in its reference pose, as the importer of scenes names it.
static func _write_profile() -> String:
	if FileAccess.file_exists(PROFILE):
		return PROFILE
	var profile := SkeletonProfileHumanoid.new()
	var skeleton := Skeleton3D.new()
	for i in profile.bone_size:
		skeleton.add_bone(profile.get_bone_name(i))
	for i in profile.bone_size:
		skeleton.set_bone_parent(i, skeleton.find_bone(profile.get_bone_parent(i)))
		skeleton.set_bone_rest(i, profile.get_reference_pose(i))
	# Positions in a library for the profile are in units of the height of the hips, as the engine's importer writes them.
	skeleton.motion_scale = skeleton.get_bone_global_rest(skeleton.find_bone("Hips")).origin.y
	skeleton.name = "GeneralSkeleton"
	var root := Node3D.new()
	root.name = "Humanoid"
	root.add_child(skeleton)
	skeleton.owner = root
	skeleton.unique_name_in_owner = true
	var scene := PackedScene.new()
	scene.pack(root)
	DirAccess.make_dir_recursive_absolute(ProjectSettings.globalize_path(PROFILE.get_base_dir()))
	var file := Programs.work_file("humanoid", "tscn")
	ResourceSaver.save(scene, file)
	DirAccess.rename_absolute(file, ProjectSettings.globalize_path(PROFILE))
	root.free()
	return PROFILE


## Scenes of the engine's importer find the skeleton as %GeneralSkeleton.
static func _name_skeleton(animation: Animation) -> void:
	for i in animation.get_track_count():
		var path := animation.track_get_path(i)
		if path.get_name_count() > 0 and path.get_name(path.get_name_count() - 1) == "GeneralSkeleton":
			animation.track_set_path(i, NodePath("%GeneralSkeleton:" + path.get_concatenated_subnames()))
