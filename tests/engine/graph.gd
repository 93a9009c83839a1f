# graph.gd: play res://hero.tscn, change parameters of its AnimationTree, and print the state and the clip after each change.
extends SceneTree

var tree: AnimationTree

func play(seconds: float) -> void:
	for i in int(seconds * 60):
		tree.advance(1.0 / 60)

# Only the clip Jump moves the hips along z.
func report(what: String) -> void:
	play(0.3)
	var hips: Node3D = tree.get_parent().get_node("Hips")
	var state: String = tree.get("parameters/playback").get_current_node()
	print(what, ": ", state, " ", "Jump" if absf(hips.position.z) > 0.001 else "Walk")

func _initialize() -> void:
	var scene: Node = load("res://hero.tscn").instantiate()
	root.add_child(scene)
	await process_frame
	tree = scene.get_node("AnimationTree")
	tree.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	tree.set_param("Speed", 0.0)
	play(1)
	report("start")
	tree.set_param("Speed", 1.0)
	play(0.3)
	report("Speed 1")
	tree.set_param("Speed", 0.0)
	play(0.6)
	report("Speed 0")
	tree.set_param("Jump", true)
	report("Jump")
	play(0.5)
	report("a second later")
	quit()
