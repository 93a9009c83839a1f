# fbx.gd: import each res://in/NAME.fbx with Godot's own importer, and compare it with NAME.json: one clip in world space, as
# anim-emit json prints it. NAME.clip has the name of the clip in Godot. Positions must be equal. Godot may choose other axes
# for a node, so only the change of its rotation since the start of the clip is compared.
extends "res://gltf.gd"


func _initialize():
	await process_frame
	for file in DirAccess.get_files_at("res://in"):
		if file.get_extension() == "fbx":
			check(file)
	quit()


func check(file: String):
	var document := FBXDocument.new()
	var state := FBXState.new()
	if document.append_from_file("res://in/" + file, state) != OK:
		print("FAULT ", file, ": is not loaded")
		return
	var scene = document.generate_scene(state, 30, true)
	var players = scene.find_children("*", "AnimationPlayer", true, false)
	var clip := FileAccess.get_file_as_string("res://in/" + file.get_basename() + ".clip").strip_edges()
	root.add_child(scene)
	if players.is_empty() or not players[-1].has_animation(clip):
		print("FAULT ", file, ": has no clip ", clip)
	else:
		players[-1].assigned_animation = clip
		play(file, scene, players[-1])
	scene.free()


func play(file: String, scene: Node, player: AnimationPlayer):
	var wanted := truth("res://in/" + file.get_basename() + ".json")
	var found := places(scene)
	var size := 0.0
	var off := 0.0
	var turned := 0.0
	var times := 0
	var first := {}
	wanted.tracks = wanted.tracks.filter(func(track): return track.name in found)
	for track in wanted.tracks:
		times = max(times, track.value.size())
		for value in track.value if not track.turn else []:
			size = max(size, abs(value[0]), abs(value[1]), abs(value[2]))
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	player.play(player.assigned_animation)
	for k in times:
		player.seek(k / wanted.rate, true)
		for track in wanted.tracks:
			var at := place(found[track.name])
			var value = track.value[min(k, track.value.size() - 1)]
			if not track.turn:
				off = max(off, distance(at, track, value, size))
				continue
			var rotation := Quaternion(value[0], value[1], value[2], value[3]).normalized()
			var own := rotation.inverse() * at.basis.get_rotation_quaternion()
			var start: Quaternion = first.get_or_add(track.name, own)
			turned = max(turned, min((own - start).length(), (own + start).length()))
	print(file, ": ", wanted.tracks.size(), " tracks, ", times, " times, ", String.num_scientific(off), ", ", turned, " off")
	if max(off, turned) > LIMIT or wanted.tracks.is_empty():
		print("FAULT ", file, ": has other poses")
