# sequence.gd SCENE...: the transform of the node N at the end of the clips a, b and a again, which are played one after the other.
extends SceneTree


func _initialize():
	for file in OS.get_cmdline_user_args():
		var scene = load("res://" + file).instantiate()
		root.add_child(scene)
		var player = scene.get_node_or_null("M/Clips")
		if player == null:
			player = scene.get_node_or_null("Anim")
		if player == null:
			player = scene.find_children("*", "AnimationPlayer", true, false)[0]
		var poses = []
		player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
		for title in ["a", "b", "a"]:
			player.play(title)
			player.advance(player.get_animation(title).length)
			poses.append(scene.find_child("N", true, false).transform)
		print("a b a: ", poses)
		scene.free()
	quit()
