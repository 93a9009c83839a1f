# values.gd: what Godot 4's Animation returns for every enabled track with keys of some files: one JSON object a track.
# godot --headless --path DIR --script values.gd -- RATE OUT FILE...
# Numbers are the hexadecimal bytes of doubles, texts those of UTF-8: nothing is rounded on the way.
extends SceneTree


func _init():
	var args := OS.get_cmdline_user_args()
	var out := FileAccess.open(args[1], FileAccess.WRITE)

	for path in args.slice(2):
		var thing = ResourceLoader.load(path)
		if thing is Animation:
			write_animation(out, path, thing, float(args[0]))
		else:
			printerr("no animation: ", path)
	out.close()
	quit()


func write_animation(out: FileAccess, path: String, animation: Animation, rate: float):
	var played := range(animation.get_track_count()).filter(
		func(i): return animation.track_is_enabled(i) and animation.track_get_key_count(i) > 0)

	for place in played.size():
		var track: int = played[place]
		var numbers := PackedFloat64Array()
		var texts := []
		var k := 0
		while k / rate <= animation.length:
			var value = sample(animation, track, k / rate)
			if value is String or value is StringName:
				texts.append(str(value).to_utf8_buffer().hex_encode())
			else:
				numbers.append_array(lanes(value))
			k += 1
		out.store_line(JSON.stringify({"file": path, "track": place, "path": str(animation.track_get_path(track)),
			"count": k, "numbers": numbers.to_byte_array().hex_encode(), "texts": texts}))


func sample(animation: Animation, track: int, t: float):
	var value = interpolate(animation, track, t)
	# Its player rounds what is not discrete to the type of the first key.
	if (value is float and animation.track_get_type(track) == Animation.TYPE_VALUE and animation.track_get_key_count(track) > 0
			and animation.track_get_key_value(track, 0) is int
			and animation.value_track_get_update_mode(track) != Animation.UPDATE_DISCRETE):
		value = round(value)
	if value is Quaternion and not value.is_normalized() and not is_discrete(animation, track):
		return Quaternion() # which AnimationPlayer makes of it when it blends it into what was there
	return value


func is_discrete(animation: Animation, track: int) -> bool:
	return (animation.track_get_type(track) == Animation.TYPE_VALUE
		and animation.value_track_get_update_mode(track) == Animation.UPDATE_DISCRETE)


func interpolate(animation: Animation, track: int, t: float):
	match animation.track_get_type(track):
		Animation.TYPE_VALUE: return animation.value_track_interpolate(track, t)
		Animation.TYPE_POSITION_3D: return animation.position_track_interpolate(track, t)
		Animation.TYPE_ROTATION_3D: return animation.rotation_track_interpolate(track, t)
		Animation.TYPE_SCALE_3D: return animation.scale_track_interpolate(track, t)
		Animation.TYPE_BLEND_SHAPE: return animation.blend_shape_track_interpolate(track, t)
		Animation.TYPE_BEZIER: return animation.bezier_track_interpolate(track, t)
	return null


# In the order of the stream's lanes: matrices row after row.
func lanes(v) -> Array:
	match typeof(v):
		TYPE_BOOL, TYPE_INT, TYPE_FLOAT: return [float(v)]
		TYPE_VECTOR2, TYPE_VECTOR2I: return [v.x, v.y]
		TYPE_VECTOR3, TYPE_VECTOR3I: return [v.x, v.y, v.z]
		TYPE_VECTOR4, TYPE_VECTOR4I, TYPE_QUATERNION: return [v.x, v.y, v.z, v.w]
		TYPE_COLOR: return [v.r, v.g, v.b, v.a]
		TYPE_RECT2, TYPE_RECT2I, TYPE_AABB: return lanes(v.position) + lanes(v.size)
		TYPE_PLANE: return [v.normal.x, v.normal.y, v.normal.z, v.d]
		TYPE_BASIS: return [v.x.x, v.y.x, v.z.x, v.x.y, v.y.y, v.z.y, v.x.z, v.y.z, v.z.z]
		TYPE_TRANSFORM2D: return [v.x.x, v.y.x, v.origin.x, v.x.y, v.y.y, v.origin.y, 0, 0, 1]
		TYPE_TRANSFORM3D:
			var b := lanes(v.basis)
			return b.slice(0, 3) + [v.origin.x] + b.slice(3, 6) + [v.origin.y] + b.slice(6, 9) + [v.origin.z, 0, 0, 0, 1]
		TYPE_PROJECTION: return [v.x.x, v.y.x, v.z.x, v.w.x, v.x.y, v.y.y, v.z.y, v.w.y,
			v.x.z, v.y.z, v.z.z, v.w.z, v.x.w, v.y.w, v.z.w, v.w.w]
	return []
