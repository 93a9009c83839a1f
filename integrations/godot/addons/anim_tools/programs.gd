@tool
extends RefCounted
## Find and run the programs of anim-tools, without a shell.

const SETTING := "anim_tools/programs/path_of_anim"
const TIME_LIMIT_S := 600.0
const WORK := "res://.godot/anim_tools"
const MISSING := "anim-tools is not installed, or its place is not known. Install it (see addons/anim_tools/README.md), then set the program anim in Editor > Editor Settings > Anim Tools, or the environment variable ANIM_TOOLS."


## Return the path of the program anim: from the editor's settings, ANIM_TOOLS, this add-on, PATH or a usual place. "": there is none.
static func find() -> String:
	var name := "anim.exe" if OS.get_name() == "Windows" else "anim"
	var settings := EditorInterface.get_editor_settings()
	var chosen := str(settings.get_setting(SETTING)) if settings.has_setting(SETTING) else ""
	chosen = chosen.strip_edges().trim_prefix("\"").trim_suffix("\"")
	var places := PackedStringArray([chosen, OS.get_environment("ANIM_TOOLS"), ProjectSettings.globalize_path("res://addons/anim_tools/bin")])
	if chosen.is_empty():
		places.append_array(OS.get_environment("PATH").split(";" if OS.get_name() == "Windows" else ":"))
		places.append_array([OS.get_environment("HOME") + "/.local/bin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"])
	for place in places:
		for path in [place, place.path_join(name)] if not place.is_empty() else []:
			if FileAccess.file_exists(path):
				return path
	return ""


## Run anim. Return {ok, text}: the text has the messages.
static func run(arguments: PackedStringArray) -> Dictionary:
	var program := find()
	if program.is_empty():
		return {ok = false, text = MISSING}
	if not OS.has_method("execute_with_pipe"): # before 4.3
		return _run_quoted(program, arguments)
	# OS.execute() would give the names of files to a shell.
	var started: Dictionary = OS.callv("execute_with_pipe", [program, arguments] + ([false] if Engine.get_version_info().hex >= 0x040400 else []))
	if started.is_empty():
		return {ok = false, text = "%s cannot be started. %s" % [program, MISSING]}
	var text := PackedByteArray()
	var since := Time.get_ticks_msec()
	var running := true
	while running:
		running = OS.is_process_running(started.pid)
		for pipe: FileAccess in [started.stderr, started.stdio]:
			var part := pipe.get_buffer(65536)
			while not part.is_empty():
				text.append_array(part)
				part = pipe.get_buffer(65536)
		if Time.get_ticks_msec() - since > TIME_LIMIT_S * 1000:
			OS.kill(started.pid)
			return {ok = false, text = "%s was ended after %d seconds" % [program, TIME_LIMIT_S]}
		if running:
			OS.delay_msec(5)
	return {ok = OS.get_process_exit_code(started.pid) == 0, text = text.get_string_from_utf8().strip_edges()}


static func _run_quoted(program: String, arguments: PackedStringArray) -> Dictionary:
	for word in arguments:
		for sign in ["\"", "$", "`", "\\"]:
			if word.contains(sign) and OS.get_name() != "Windows":
				return {ok = false, text = "Godot before 4.3 cannot pass '%s', because it has %s" % [word, sign]}
	var output := []
	var code := OS.execute(program, arguments, output, true)
	return {ok = code == 0, text = "\n".join(output).strip_edges()}


## Return the path of a file for the time of one job, in a folder that Godot does not import.
static func work_file(key: String, suffix: String) -> String:
	DirAccess.make_dir_recursive_absolute(ProjectSettings.globalize_path(WORK))
	return ProjectSettings.globalize_path(WORK.path_join("%s-%d.%s" % [key.md5_text(), OS.get_process_id(), suffix]))


## Show warnings, but not notes.
static func warn(text: String) -> void:
	for line in text.split("\n"):
		if line.contains(": warning: "):
			push_warning(line)


## Split a text into words, as a shell does with quotes.
static func words(text: String) -> PackedStringArray:
	var out := PackedStringArray()
	var pattern := RegEx.create_from_string("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)")
	for found in pattern.search_all(text):
		out.append(found.get_string(1) + found.get_string(2) + found.get_string(3))
	return out
