# motion_scale.gd: plays "up" of each scene in res://in; said: the height of the bone "Hips" at 0, 0.5 and 1 s.
extends SceneTree


func _initialize():
	for file in DirAccess.get_files_at("res://in"):
		var scene = load("res://in/" + file).instantiate()
		root.add_child(scene)
		var skeleton = scene.find_children("*", "Skeleton3D")[0]
		var player = scene.find_children("*", "AnimationPlayer")[0]
		var heights = []
		player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
		player.play("up")
		for time in [0.0, 0.5, 1.0]:
			player.seek(time, true)
			heights.append(snappedf(skeleton.get_bone_pose_position(skeleton.find_bone("Hips")).y, 0.0001))
		print(file, " ", heights)
		scene.free()
	quit()
