# paths.gd: for each model in res://models that the editor has imported, the tracks of res://in/MODEL.tres that find
# nothing in the imported scene.
extends SceneTree


func _initialize():
	var tracks = 0
	for file in DirAccess.get_files_at("res://models"):
		if not file.get_extension() in ["gltf", "glb", "fbx"] or not FileAccess.file_exists("res://in/" + file + ".tres"):
			continue
		var scene = load("res://models/" + file).instantiate()
		var library = load("res://in/" + file + ".tres")
		var clips = [library] if library is Animation else []
		if library is AnimationLibrary:
			for title in library.get_animation_list():
				clips.append(library.get_animation(title))
		for clip in clips:
			for track in clip.get_track_count():
				tracks += 1
				if not finds(scene, clip, track):
					print("DEAD ", file, ": ", clip.track_get_path(track))
		scene.free()
	print("TRACKS ", tracks)
	quit()


func finds(scene: Node, clip: Animation, track: int) -> bool:
	var path = clip.track_get_path(track)
	var node = scene.get_node_or_null(NodePath(path.get_concatenated_names()))
	var type = clip.track_get_type(track)
	if node == null:
		return false
	if type == Animation.TYPE_BLEND_SHAPE:
		return node is MeshInstance3D and node.find_blend_shape_by_name(path.get_subname(0)) >= 0
	if type >= Animation.TYPE_POSITION_3D and type <= Animation.TYPE_SCALE_3D:
		return node is Node3D and (path.get_subname_count() == 0 or (node is Skeleton3D and node.find_bone(path.get_subname(0)) >= 0))
	return typeof(node.get_indexed(NodePath(path.get_concatenated_subnames()))) != TYPE_NIL
