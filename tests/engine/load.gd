# load.gd: loads every file of res://in, plays the scenes, and tells of what is wrong on lines that begin with FAULT.
# res://saved gets each file as the engine saves it, res://baked each Animation with what the engine plays at 240 Hz.
extends SceneTree

const RATE := 240.0


func _initialize():
	for folder in ["saved", "baked"]:
		DirAccess.make_dir_absolute("res://" + folder)
	for file in DirAccess.get_files_at("res://in"):
		printerr("FILE ", file)
		var resource = ResourceLoader.load("res://in/" + file)
		if resource == null:
			print("FAULT ", file, ": is not loaded")
			continue
		ResourceSaver.save(resource, "res://saved/" + file)
		if resource is Animation:
			ResourceSaver.save(baked(resource), "res://baked/" + file)
		elif resource is AnimationLibrary and resource.get_animation_list().is_empty():
			print("FAULT ", file, ": an empty library")
		elif resource is PackedScene:
			play(file, resource.instantiate())
	quit()


func play(file: String, scene: Node):
	var players = scene.find_children("*", "AnimationPlayer", true, false)
	root.add_child(scene)
	for player in players:
		player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
		for title in player.get_animation_list():
			var animation = player.get_animation(title)
			for track in animation.get_track_count():
				bind(file, title, player.get_node(player.root_node), animation, track)
			player.play(title)
			for step in 9:
				player.advance(animation.length / 8)
			player.stop()
	if players.is_empty():
		print("FAULT ", file, ": no AnimationPlayer")
	scene.free()


func bind(file: String, title: String, base: Node, animation: Animation, track: int):
	var path = animation.track_get_path(track)
	var node = base.get_node_or_null(NodePath(path.get_concatenated_names()))
	var type = animation.track_get_type(track)
	var bound = node != null
	if bound and node is Skeleton3D and path.get_subname_count() == 1 and type <= Animation.TYPE_SCALE_3D:
		bound = type == Animation.TYPE_VALUE or node.find_bone(path.get_subname(0)) >= 0
	elif bound and type == Animation.TYPE_BLEND_SHAPE:
		bound = node is MeshInstance3D and node.find_blend_shape_by_name(path.get_subname(0)) >= 0
	elif bound and type >= Animation.TYPE_POSITION_3D and type <= Animation.TYPE_SCALE_3D:
		bound = node is Node3D
	elif bound and (type == Animation.TYPE_VALUE or type == Animation.TYPE_BEZIER):
		bound = typeof(node.get_indexed(NodePath(path.get_concatenated_subnames()))) != TYPE_NIL
	if not bound:
		print("FAULT ", file, ": ", title, ": nothing is bound to ", path)


func baked(animation: Animation) -> Animation:
	var out = Animation.new()
	out.length = animation.length
	for track in animation.get_track_count():
		var type = animation.track_get_type(track)
		var discrete = type == Animation.TYPE_VALUE and animation.value_track_get_update_mode(track) == Animation.UPDATE_DISCRETE
		if discrete or not animation.track_is_enabled(track) or animation.track_get_key_count(track) == 0:
			continue
		if type in [Animation.TYPE_METHOD, Animation.TYPE_AUDIO, Animation.TYPE_ANIMATION]:
			continue
		var to = out.add_track(Animation.TYPE_VALUE if type == Animation.TYPE_BEZIER else type)
		out.track_set_path(to, animation.track_get_path(track))
		out.track_set_interpolation_type(to, Animation.INTERPOLATION_LINEAR)
		for step in int(ceil(animation.length * RATE - 1e-4)) + 1:
			var time = step / RATE
			out.track_insert_key(to, time, value(animation, track, type, min(time, animation.length)))
	return out


func value(animation: Animation, track: int, type: int, time: float):
	match type:
		Animation.TYPE_POSITION_3D:
			return animation.position_track_interpolate(track, time)
		Animation.TYPE_ROTATION_3D:
			return animation.rotation_track_interpolate(track, time)
		Animation.TYPE_SCALE_3D:
			return animation.scale_track_interpolate(track, time)
		Animation.TYPE_BLEND_SHAPE:
			return animation.blend_shape_track_interpolate(track, time)
		Animation.TYPE_BEZIER:
			return animation.bezier_track_interpolate(track, time)
	return animation.value_track_interpolate(track, time)
