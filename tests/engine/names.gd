# Plays the clip of a scene and tells the tracks whose property its node does not have, or whose value it does not take.
extends SceneTree

func _init():
	var root = load("res://" + OS.get_cmdline_user_args()[0]).instantiate()
	get_root().add_child(root)
	var player: AnimationPlayer = root.get_node("AnimationPlayer")
	var clip = player.get_animation("a")
	for node in root.get_children():
		if node is MeshInstance3D:
			node.mesh = BoxMesh.new()
			node.set_surface_override_material(0, StandardMaterial3D.new())
		for name in ["material_override", "environment", "shape", "material", "physics_material_override"]:
			if name in node and node.get(name) == null:
				node.set(name, {"material_override": StandardMaterial3D.new(), "environment": Environment.new(),
						"shape": BoxShape3D.new() if node is Node3D else RectangleShape2D.new(),
						"material": null, "physics_material_override": PhysicsMaterial.new()}[name])
	for i in clip.get_track_count():
		var path: NodePath = clip.track_get_path(i)
		var node = root.get_node_or_null(NodePath(path.get_concatenated_names()))
		var names = path.get_concatenated_subnames()
		var object = node
		var last = path.get_subname(0)
		if node != null and path.get_subname_count() > 1 and node.get(last) is Resource:
			object = node.get(last)
			last = path.get_subname(1)
		var known = object != null and (last in object or last.begins_with("theme_override_") or "shader_param" in last)
		print("%s %s %s" % ["ok" if known else "missing", node.get_class() if node != null else "-", names])
	quit()
