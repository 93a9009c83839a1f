# binary.gd: saves every file of res://in as text to res://saved, and in each form of the engine's binary files to res://binary.
extends SceneTree


func _initialize():
	for folder in ["saved", "binary"]:
		DirAccess.make_dir_absolute("res://" + folder)
	var forms = {
		"plain": 0,
		"zstd": ResourceSaver.FLAG_COMPRESS,
		"big": ResourceSaver.FLAG_SAVE_BIG_ENDIAN,
		"bigzstd": ResourceSaver.FLAG_COMPRESS | ResourceSaver.FLAG_SAVE_BIG_ENDIAN,
	}
	for file in DirAccess.get_files_at("res://in"):
		var resource = ResourceLoader.load("res://in/" + file)
		if resource == null:
			print("FAULT ", file, ": is not loaded")
			continue
		var suffix = ".scn" if resource is PackedScene else ".res"
		ResourceSaver.save(resource, "res://saved/" + file)
		for form in forms:
			ResourceSaver.save(resource, "res://binary/" + file.get_basename() + "." + form + suffix, forms[form])
	quit()
