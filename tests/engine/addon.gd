# Compare imported libraries with the .tres that anim-convert writes: each line of pairs.txt is IMPORTED REFERENCE.
extends SceneTree


func of(path: String) -> AnimationLibrary:
	var found := ResourceLoader.load(path)
	if found is Animation:
		var library := AnimationLibrary.new()
		library.add_animation("one", found)
		return library
	return found


func differ(a: AnimationLibrary, b: AnimationLibrary) -> String:
	if a == null or b == null:
		return "is no library"
	if a.get_animation_list() != b.get_animation_list():
		return "clips %s, not %s" % [a.get_animation_list(), b.get_animation_list()]
	for name in a.get_animation_list():
		var x := a.get_animation(name)
		var y := b.get_animation(name)
		if x.get_track_count() != y.get_track_count() or x.length != y.length or x.loop_mode != y.loop_mode:
			return "%s: %d tracks, not %d; %f s, not %f" % [name, x.get_track_count(), y.get_track_count(), x.length, y.length]
		for i in x.get_track_count():
			if x.track_get_path(i) != y.track_get_path(i) or x.track_get_type(i) != y.track_get_type(i) or x.track_get_key_count(i) != y.track_get_key_count(i):
				return "%s: track %s" % [name, x.track_get_path(i)]
			for k in x.track_get_key_count(i):
				if x.track_get_key_value(i, k) != y.track_get_key_value(i, k) or x.track_get_key_time(i, k) != y.track_get_key_time(i, k):
					return "%s: key %d of %s" % [name, k, x.track_get_path(i)]
	return ""


func _init() -> void:
	for line in FileAccess.get_file_as_string("res://pairs.txt").strip_edges().split("\n"):
		var a := of(line.get_slice(" ", 0))
		var said := differ(a, of(line.get_slice(" ", 1)))
		var tracks := 0
		for name in a.get_animation_list() if a != null else []:
			tracks += a.get_animation(name).get_track_count()
		print("%s %s: %d tracks %s" % ["same" if said.is_empty() else "OFF", line.get_slice(" ", 0), tracks, said])
	quit()
