# gltf.gd: what the engine makes of each res://in/NAME.glb or .fbx, whose one clip is beside it as NAME.json: what anim-emit json printed
# of it, sampled in world space. Every node and bone that both have must stand there at every sample. FAULT tells of what is not.
extends SceneTree

const LIMIT := 1e-4
const LIMIT_OF_FBX := 1e-2 # what is imported are samples, some left out


func _initialize():
	await process_frame
	for file in DirAccess.get_files_at("res://in"):
		if file.get_extension() in ["glb", "fbx"]:
			check(file)
	quit()


func check(file: String):
	var document: GLTFDocument = GLTFDocument.new() if file.get_extension() == "glb" else FBXDocument.new()
	var state: GLTFState = GLTFState.new() if file.get_extension() == "glb" else FBXState.new()
	if document.append_from_file("res://in/" + file, state) != OK:
		print("FAULT ", file, ": is not loaded")
		return
	var scene = document.generate_scene(state)
	var players = scene.find_children("*", "AnimationPlayer", true, false)
	root.add_child(scene)
	if players.is_empty():
		print("FAULT ", file, ": nothing is played")
	else:
		play(file, scene, players[-1])
	scene.free()


func play(file: String, scene: Node, player: AnimationPlayer):
	var wanted := truth("res://in/" + file.get_basename() + ".json")
	var found := places(scene)
	var attachments := scene.find_children("*", "BoneAttachment3D", true, false)
	var size := 1.0
	var off := 0.0
	var times := 0
	var count := 0
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	player.play(player.get_animation_list()[0])
	for track in wanted.tracks:
		if not track.name in found:
			continue
		count += 1
		times = max(times, track.value.size())
		for value in track.value if not track.turn else []:
			size = max(size, abs(value[0]), abs(value[1]), abs(value[2]))
	for k in times:
		player.seek(k / wanted.rate, true)
		for held in attachments: # which else wait for the frame's end
			held.on_skeleton_update()
		for track in wanted.tracks:
			if track.name in found:
				off = max(off, distance(place(found[track.name]), track, track.value[min(k, track.value.size() - 1)], size))
	print(file, ": ", count, " tracks, ", times, " times, ", String.num_scientific(off), " off")
	if off > (LIMIT_OF_FBX if file.ends_with(".fbx") else LIMIT) or count == 0:
		print("FAULT ", file, ": stands elsewhere")


# The clip's positions and turns in world space, of nodes whose last name no other has.
func truth(path: String) -> Dictionary:
	var out := {"rate": 0.0, "tracks": []}
	var often := {}
	for line in FileAccess.get_file_as_string(path).split("\n", false):
		var record = JSON.parse_string(line)
		if "node" in record:
			often[last(record.node.path)] = often.get(last(record.node.path), 0) + 1
		if "track" in record and record.track.property in ["position", "rotation"]:
			var track = record.track
			out.rate = track.rate.num / track.rate.den
			out.tracks.append({"name": last(track.node), "turn": track.property == "rotation", "value": track.columns.value})
	out.tracks = out.tracks.filter(func(track): return often.get(track.name, 1) == 1)
	return out


# Behind a skeleton's ':' stands a bone; another ':' is a letter of a name, which the engine has as '_'.
func last(path: String) -> String:
	var name := path.get_file()
	var skeleton := name.get_slice(":", 0)
	if skeleton != name and "Skeleton" in skeleton:
		name = name.substr(skeleton.length() + 1)
	return name.replace(":", "_")


# Nodes and [skeleton, bone] by their names, but for those that the engine itself adds or that two have.
func places(scene: Node) -> Dictionary:
	var out := {}
	var often := {}
	for node in [scene] + scene.find_children("*", "Node3D", true, false):
		for bone in node.get_bone_count() if node is Skeleton3D else 0:
			out[node.get_bone_name(bone)] = [node, bone]
			often[node.get_bone_name(bone)] = often.get(node.get_bone_name(bone), 0) + 1
		if not node is Skeleton3D and not node is BoneAttachment3D:
			out[str(node.name)] = [node]
			often[str(node.name)] = often.get(str(node.name), 0) + 1
	for title in often:
		if often[title] > 1:
			out.erase(title)
	return out


func place(thing: Array) -> Transform3D:
	if thing.size() == 1:
		return thing[0].global_transform
	return thing[0].global_transform * thing[0].get_bone_global_pose(thing[1])


func distance(at: Transform3D, track: Dictionary, value: Array, size: float) -> float:
	if not track.turn:
		return at.origin.distance_to(Vector3(value[0], value[1], value[2])) / size
	var turn := at.basis.get_rotation_quaternion()
	var other := Quaternion(value[0], value[1], value[2], value[3]).normalized()
	return min((turn - other).length(), (turn + other).length())
