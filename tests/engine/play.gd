# Prints the values of all tracks of each clip at 11 times: "clip path time value".
extends SceneTree

func _init():
	var args = OS.get_cmdline_user_args()
	var scene = load("res://" + args[0])
	for name in args.slice(1):
		var root = scene.instantiate()
		get_root().add_child(root)
		var player: AnimationPlayer
		for node in root.find_children("*", "AnimationPlayer"):
			player = node
		var clip = player.get_animation(name)
		for i in 11:
			var t = clip.length * i / 10
			player.play(name)
			player.seek(t, true)
			for k in clip.get_track_count():
				var path: NodePath = clip.track_get_path(k)
				var node = root.get_node(NodePath(path.get_concatenated_names()))
				print("%s %s %.3f %s" % [name, path, t, node.get_indexed(NodePath(":" + path.get_concatenated_subnames()))])
		root.free()
	quit()
