@tool
extends EditorPlugin
## Animation (anim-tools): importers for animation files, and export of the clips of an AnimationPlayer.

const Importer := preload("importer.gd")
const Programs := preload("programs.gd")
const UNITY := "anim_tools/import/unity_anim_files"
## {suffix: [title, whether a file holds several clips]}
const FORMATS := {
	"animj": ["AnimJ (Resonite)", false], "animx": ["AnimX (Resonite)", false], "vrma": ["VRM animation", false], "glb": ["glTF", true],
	"bvh": ["BVH", false], "fbx": ["FBX", true], "anim": ["Unity clip", false], "vmd": ["MikuMikuDance", false], "tres": ["Godot library", true],
	"csv": ["Table", true], "axs": ["Stream of anim-tools", true],
}

var importers: Array[EditorImportPlugin] = []
var menu: PopupMenu
var dialog: EditorFileDialog
var program := ""


func _enter_tree() -> void:
	if not ProjectSettings.has_setting(UNITY):
		ProjectSettings.set_setting(UNITY, false)
	ProjectSettings.set_initial_value(UNITY, false)
	ProjectSettings.set_as_basic(UNITY, true)
	var settings := EditorInterface.get_editor_settings()
	if not settings.has_setting(Programs.SETTING):
		settings.set_setting(Programs.SETTING, "")
	settings.set_initial_value(Programs.SETTING, "", false)
	settings.add_property_info({name = Programs.SETTING, type = TYPE_STRING, hint = PROPERTY_HINT_GLOBAL_FILE})
	settings.settings_changed.connect(_settings_changed)
	program = Programs.find()
	for own in [true, false]:
		var importer := Importer.new()
		importer.own = own
		importer.unity = ProjectSettings.get_setting(UNITY, false)
		add_import_plugin(importer)
		importers.append(importer)
	menu = PopupMenu.new()
	for title in ["Export animation as ...", "Re-import all", "Test the programs"]:
		menu.add_item(title)
	menu.index_pressed.connect(_chosen)
	add_tool_submenu_item("Animation (anim-tools)", menu)


func _exit_tree() -> void:
	EditorInterface.get_editor_settings().settings_changed.disconnect(_settings_changed)
	for importer in importers:
		remove_import_plugin(importer)
	importers.clear()
	remove_tool_menu_item("Animation (anim-tools)")
	if dialog != null:
		dialog.queue_free()


func _chosen(index: int) -> void:
	match index:
		0: _ask_export()
		1: _reimport(false)
		2: _tell(Programs.run(["--version"]).text + "\n" + Programs.find())


func _tell(text: String) -> void:
	if DisplayServer.get_name() == "headless":
		print(text)
		return
	var box := AcceptDialog.new()
	box.title = "Animation (anim-tools)"
	box.dialog_text = text
	box.visibility_changed.connect(func() -> void: if not box.visible: box.queue_free())
	EditorInterface.popup_dialog_centered(box)


# ---- Import ----

## The editor never tries a failed import again, so the files that failed are imported if the program is found elsewhere.
func _settings_changed() -> void:
	if Programs.find() != program:
		program = Programs.find()
		_reimport(true)


func _reimport(only_failed: bool) -> void:
	var paths := PackedStringArray()
	_collect("res://", only_failed, paths)
	if not paths.is_empty():
		EditorInterface.get_resource_filesystem().reimport_files(paths)


func _collect(folder: String, only_failed: bool, paths: PackedStringArray) -> void:
	for name in DirAccess.get_files_at(folder):
		var config := ConfigFile.new()
		if name.ends_with(".import") and config.load(folder.path_join(name)) == OK \
				and str(config.get_value("remap", "importer", "")).begins_with("anim_tools.") \
				and (not only_failed or not config.get_value("remap", "valid", true)):
			paths.append(folder.path_join(name.trim_suffix(".import")))
	for name in DirAccess.get_directories_at(folder):
		if not name.begins_with("."):
			_collect(folder.path_join(name), only_failed, paths)


# ---- Export ----

func _selected_player() -> AnimationPlayer:
	for node in EditorInterface.get_selection().get_selected_nodes():
		if node is AnimationPlayer:
			return node
	return null


func _ask_export() -> void:
	if _selected_player() == null:
		_tell("Select an AnimationPlayer in the scene first.")
		return
	if dialog == null:
		dialog = EditorFileDialog.new()
		dialog.file_mode = EditorFileDialog.FILE_MODE_SAVE_FILE
		dialog.access = EditorFileDialog.ACCESS_FILESYSTEM
		for suffix: String in FORMATS:
			dialog.add_filter("*." + suffix, FORMATS[suffix][0])
		dialog.file_selected.connect(func(path: String) -> void: _tell(export_player(_selected_player(), path)))
		EditorInterface.get_base_control().add_child(dialog)
	dialog.popup_file_dialog()


## Write the clips of a player to a file, also those that are not saved yet. Return what to tell the user.
func export_player(player: AnimationPlayer, path: String, options := PackedStringArray()) -> String:
	var suffix := path.get_extension().to_lower()
	if not FORMATS.has(suffix):
		return "%s: choose one of these suffixes: %s" % [path, ", ".join(FORMATS.keys())]
	var root := EditorInterface.get_edited_scene_root()
	if root == null:
		root = player.owner if player.owner != null else player
	var scene := PackedScene.new()
	scene.pack(root)
	# A file outside the project could not refer to its resources.
	var file := Programs.work_file(path, "tscn")
	if ResourceSaver.save(scene, file) != OK:
		return "the scene cannot be written to %s" % file
	var where := str(root.get_path_to(player))
	var out := path
	if not FORMATS[suffix][1] and player.get_animation_list().size() > 1:
		out = path.get_basename() + "-%c." + suffix
	var name := root.scene_file_path.get_file() if not root.scene_file_path.is_empty() else root.name + ".tscn"
	var arguments := PackedStringArray(["convert", "--force", "--source-name", name, "-c", where + ":*"]) + options
	arguments.append_array(["--each" if out.contains("%") else "-o", out, file])
	var done := Programs.run(arguments)
	DirAccess.remove_absolute(file)
	return ("%s is written.\n%s" if done.ok else "%s is not written:\n%s") % [out.replace("%c", "CLIP"), done.text]
