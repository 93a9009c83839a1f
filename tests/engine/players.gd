# players.gd SCENE...: the clips of each player of the scenes, and the positions of a bone and a node in the middle of each.
extends SceneTree


func _initialize():
	for file in OS.get_cmdline_user_args():
		var scene = load("res://" + file).instantiate()
		root.add_child(scene)
		var skeleton = scene.find_children("*", "Skeleton3D", true, false)[0]
		var sword = scene.find_child("Sword", true, false)
		for player in scene.find_children("*", "AnimationPlayer", true, false):
			print(file, " ", scene.get_path_to(player), ": ", " ".join(player.get_animation_list()))
			player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
			for title in player.get_animation_list():
				skeleton.reset_bone_poses()
				sword.position = Vector3()
				player.play(title)
				player.advance(player.get_animation(title).length / 2)
				print("  ", title, " at its half: Hips_2 ", skeleton.get_bone_pose_position(skeleton.find_bone("Hips_2")), ", Sword ", sword.position)
				player.stop()
		scene.free()
	quit()
