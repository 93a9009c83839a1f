# clips.gd: play each clip of each res://in/NAME.tscn, and compare its poses with NAME.json, which has all clips of the source in world
# space, as anim-emit json prints them. Of several players, the one of the clip's root plays it. A scene is instantiated anew for each
# clip. Then one scene plays all its clips, one after another, and once more with a deterministic mixer. FAULT names each clip whose nodes are elsewhere.
extends SceneTree

const LIMIT := 1e-4 # of the size of the clip


func _initialize():
	await process_frame
	for file in DirAccess.get_files_at("res://in"):
		if file.get_extension() == "tscn":
			check(file)
	quit()


func check(file: String):
	var packed: PackedScene = load("res://in/" + file)
	var clips := read("res://in/" + file.get_basename() + ".json")
	if packed == null:
		print("FAULT ", file, ": is not loaded")
		return
	for clip in clips:
		compare(file, [clip], packed, false, "anew")
	if clips.size() > 1:
		compare(file, clips, packed, false, "one after another")
		compare(file, clips, packed, true, "deterministic")


func compare(file: String, clips: Array, packed: PackedScene, deterministic: bool, how: String):
	var scene := packed.instantiate()
	var players := scene.find_children("*", "AnimationPlayer", true, false)
	root.add_child(scene)
	for clip in clips:
		var found := false
		var base := scene.get_node_or_null(NodePath(clip.root))
		for player: AnimationPlayer in players:
			var own := players.size() == 1 or player.get_node(player.root_node) == base
			if own and player.has_animation(clip.name):
				player.deterministic = deterministic
				play(file, base if base != null else scene, player, clip, how)
				found = true
		if not found:
			print("FAULT ", file, ": has no clip ", clip.name)
	scene.free()


func play(file: String, scene: Node, player: AnimationPlayer, clip: Dictionary, how: String):
	var off := 0.0
	var turned := 0.0
	var worst := ""
	var times := 0
	var count := 0
	var found := []
	for track in clip.tracks:
		times = max(times, track.value.size())
		found.append(place(scene, track.node))
		count += 1 if found[-1].size() > 0 else 0
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	player.play(clip.name)
	if player.get_animation(clip.name).loop_mode != Animation.LOOP_NONE: # the end is the start
		times -= 1
	var skeletons := scene.find_children("*", "Skeleton3D", true, false)
	for k in times:
		player.seek(min(clip.start + k / clip.rate, clip.end) - clip.start, true)
		for skeleton in skeletons: # moves what is attached to bones now, instead of at the end of the frame
			skeleton.notification(Skeleton3D.NOTIFICATION_UPDATE_SKELETON)
		for i in clip.tracks.size():
			if found[i].size() == 0:
				continue
			var track = clip.tracks[i]
			var value = track.value[min(k, track.value.size() - 1)]
			var at: Transform3D = transform(found[i]) if track.world else found[i][0].transform
			if not track.turn:
				var far: float = at.origin.distance_to(Vector3(value[0], value[1], value[2])) / clip.size
				if far > off:
					off = far
					worst = "%s at %s" % [track.node, k / clip.rate]
				continue
			var rotation := Quaternion(value[0], value[1], value[2], value[3]).normalized()
			if at.basis.determinant() > 1e-12:
				var own := at.basis.orthonormalized().get_rotation_quaternion()
				turned = max(turned, min((own - rotation).length(), (own + rotation).length()))
	print(file, ": ", clip.name, ", ", how, ": ", count, " of ", clip.tracks.size(), " tracks, ", times, " times, ",
			String.num_scientific(off), ", ", String.num_scientific(turned), " off, ", worst)
	if off > LIMIT or (count == 0 and clip.tracks.size() > 0):
		print("FAULT ", file, ": ", clip.name, ", ", how, ": other poses")


# All clips, with the positions and rotations of their nodes. Tracks of nodes that no tree has are in the space of the parent.
func read(path: String) -> Array:
	var out := []
	for line in FileAccess.get_file_as_string(path).split("\n", false):
		var record = JSON.parse_string(line)
		if "clip" in record:
			var clip = record.clip
			out.append({"name": clip.name, "root": clip.root, "start": clip.start, "end": clip.end, "rate": 30.0, "size": 1e-6, "tracks": []})
		if "track" in record and record.track.property in ["position", "rotation"]:
			var track = record.track
			var turn: bool = track.property == "rotation"
			out[-1].rate = track.rate.num / track.rate.den
			out[-1].tracks.append({"node": track.node, "turn": turn, "world": "space" in track.attributes, "value": track.columns.value})
			for value in track.columns.value if not turn else []:
				out[-1].size = max(out[-1].size, abs(value[0]), abs(value[1]), abs(value[2]))
	return out


# The node or [skeleton, bone] of a path. Names have '_' for the characters that Godot does not allow.
func place(scene: Node, path: String) -> Array:
	var node := scene.get_node_or_null(NodePath(path.get_slice(":", 0)))
	if node is Skeleton3D and ":" in path:
		var bone: int = node.find_bone(path.get_slice(":", 1))
		return [] if bone < 0 else [node, bone]
	var names := []
	for name in path.split("/"):
		names.append(name if name in [".", ".."] else name.validate_node_name())
	node = scene.get_node_or_null(NodePath("/".join(names)))
	return [node] if node is Node3D else []


func transform(thing: Array) -> Transform3D:
	if thing.size() == 1:
		return thing[0].global_transform
	return thing[0].global_transform * thing[0].get_bone_global_pose(thing[1])
