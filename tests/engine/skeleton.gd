# skeleton.gd: plays res://in/dance.tres on a skeleton that has its bones; res://baked/dance.tres gets the poses at 240 Hz.
extends SceneTree

const RATE := 240.0


func _initialize():
	var animation = ResourceLoader.load("res://in/dance.tres")
	var scene = Node3D.new()
	var armature = Node3D.new()
	var skeleton = Skeleton3D.new()
	var player = AnimationPlayer.new()
	var library = AnimationLibrary.new()
	armature.name = "Armature"
	skeleton.name = "Skeleton3D"
	for track in animation.get_track_count():
		var path = animation.track_get_path(track)
		if path.get_concatenated_names() == "Armature/Skeleton3D" and skeleton.find_bone(path.get_subname(0)) < 0:
			skeleton.add_bone(path.get_subname(0))
	library.add_animation("dance", animation)
	player.add_animation_library("", library)
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	armature.add_child(skeleton)
	scene.add_child(armature)
	scene.add_child(player)
	root.add_child(scene)
	player.play("dance")
	ResourceSaver.save(poses(animation, skeleton, player), "res://baked/dance.tres")
	print("BONES ", skeleton.get_bone_count())
	scene.free()
	quit()


func poses(animation: Animation, skeleton: Skeleton3D, player: AnimationPlayer) -> Animation:
	var out = Animation.new()
	out.length = animation.length
	for track in animation.get_track_count():
		if animation.track_get_path(track).get_concatenated_names() == "Armature/Skeleton3D":
			out.track_set_path(out.add_track(animation.track_get_type(track)), animation.track_get_path(track))
	for step in int(floor(animation.length * RATE)):
		player.seek(step / RATE, true)
		for track in out.get_track_count():
			var bone = skeleton.find_bone(out.track_get_path(track).get_subname(0))
			match out.track_get_type(track):
				Animation.TYPE_POSITION_3D:
					out.track_insert_key(track, step / RATE, skeleton.get_bone_pose_position(bone))
				Animation.TYPE_ROTATION_3D:
					out.track_insert_key(track, step / RATE, skeleton.get_bone_pose_rotation(bone))
				Animation.TYPE_SCALE_3D:
					out.track_insert_key(track, step / RATE, skeleton.get_bone_pose_scale(bone))
	return out
