# retarget.gd: each res://NAME.gltf as its importer made it becomes a text scene, res://NAME.tscn, without meshes.
extends SceneTree


func _initialize():
	for file in DirAccess.get_files_at("res://"):
		if file.get_extension() == "gltf":
			var scene = load("res://" + file).instantiate()
			var packed = PackedScene.new()
			for mesh in scene.find_children("*", "MeshInstance3D", true, false):
				mesh.free()
			packed.pack(scene)
			ResourceSaver.save(packed, "res://" + file.get_basename() + ".tscn")
			scene.free()
	quit()
