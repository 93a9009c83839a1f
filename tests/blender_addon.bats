#!/usr/bin/env bats
# The add-on of integrations/blender in a real Blender (BLENDER, else blender): import, export, errors.

load helper

: "${BLENDER:=blender}"

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "Blender runs the programs on the same bytes"
	not_bytewise "Blender runs the programs on the same bytes"
	command -v "$BLENDER" >/dev/null || skip "BLENDER names no Blender"
	[ -e "$ANIM_BUILD/lib/libanim.so.1" ] || make -s -C "$ROOT" lib >/dev/null
	mkdir -p addon
	cp -R "$ROOT/integrations/blender/anim_tools" addon
	cp "$ROOT/lib/api/anim.py" addon/anim_tools
	export PYTHONPATH=$ROOT/lib/api ANIM_LIBRARY=$ANIM_BUILD/lib/libanim.so.1
	need_numpy
	export BLENDER_USER_CONFIG=$PWD/config BLENDER_USER_SCRIPTS=$PWD/scripts
}

# poses WORD...: imports the files and compares the poses. The result is in said.
poses() {
	"$BLENDER" -b --factory-startup --python-exit-code 1 -P "$ROOT/tests/engine/blender_addon.py" -- addon "$@" >said 2>&1 || {
		cat said
		false
	}
	[ "$(grep -c ' poses, ' said)" -eq $# ]
	run ! grep OFF said
}

# script: runs the Python of standard input in Blender, after that of `start`.
script() {
	{ echo "$start" && sed "/^$/d" -; } >script.py
	"$BLENDER" -b --factory-startup --python-exit-code 1 -P script.py </dev/null >said 2>&1 || {
		cat said
		false
	}
}

start='
import os, sys, bpy
sys.path.insert(0, "addon")
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.preferences.addon_enable(module="anim_tools")
from anim_tools.importing import curves_of
load, save = bpy.ops.import_scene.anim_tools, bpy.ops.export_scene.anim_tools
def refused(call, **options):
    try:
        call(**options)
    except RuntimeError as error:
        return str(error)
    raise AssertionError(options)
'

@test "bones are where the files of every format put them, at frames and between them" {
	local walker=$ROOT/examples/walker.tscn suffix

	for suffix in animj animx anim tres axt json fbx glb vrma bvh; do
		anim-convert -q $([ $suffix != vrma ] || echo "--humanoid auto:vrm") "$walker" "w.$suffix" 2>/dev/null
	done
	poses "$walker" "$ROOT/examples/crane.tscn" "$DATA/rests/b01_eyes_low.vrma" "$DATA/vrm/look.vrma" "$DATA/limb/knee.bvh" \
		"$DATA/fbx/walk.fbx" "$DATA/fbx/mixamo.fbx" "$DATA/rests/b09_smpl_tpose.npz" w.json w.fbx w.glb w.vrma w.bvh
	poses "w.animj=$walker" "w.animx=$walker" "w.anim=$walker" "w.tres=$walker" "w.axt=$walker" "w.bvh=$walker" "w.vrma=$walker" "$DATA/rests/b01_eyes_low.vrma=$walker"
}

@test "keys that are nearer than Blender keeps apart are moved apart, not merged" {
	cat >jump.tscn <<-'TEXT'
		[gd_scene load_steps=3 format=3]

		[sub_resource type="Animation" id="1"]
		length = 1.0
		tracks/0/type = "position_3d"
		tracks/0/path = NodePath("Arm")
		tracks/0/keys = PackedFloat32Array(0, 1, 0, 0, 0, 0.00001, 1, 2, 0, 0, 0.5, 1, 3, 1, 0, 0.50001, 1, -3, 4, 0, 0.50002, 1, 5, 4, 0, 1, 1, 6, 0, 2)

		[sub_resource type="AnimationLibrary" id="2"]
		_data = {
		"jump": SubResource("1")
		}

		[node name="Root" type="Node3D"]

		[node name="Arm" type="Node3D" parent="."]

		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = {
		"": SubResource("2")
		}
	TEXT
	script <<-PY
		load(filepath="jump.tscn")
		curve = next(c for c in curves_of(bpy.data.actions[0], None) if c.data_path.endswith("location") and c.array_index == 0)
		at = [point.co.x for point in curve.keyframe_points]
		assert at[0] == 0 and at[-1] == 24 and all(b - a > 0.0105 for a, b in zip(at, at[1:])), at
		for frame, x in (0, 0), (0.02, 2), (6, 2.5), (11.97, 3), (12.001, 5), (18, 5.5), (24, 6):
		    assert abs(curve.evaluate(frame) - x) < 0.01, (frame, curve.evaluate(frame))
	PY
}

@test "bones of files by others are where the files put them" {
	local file files=()

	for file in gltf/CesiumMan.glb gltf/RobotExpressive.glb gltf/Fox.glb bvh/cmu_12_01_walk.bvh bvh/test_mocapbank.bvh gltf/test.vrma \
		fbx/quaternius_Shark.fbx fbx/blender_293_barbarian_7400_binary.fbx gltf/24_animation_pointer.gltf \
		"mmd/made/dance.vmd::-x model=$ANIM_CORPUS/mmd/made/biped.pmx" "humanoid/zombie_Run_humanoid.anim=$ROOT/examples/walker.tscn"; do
		[ ! -e "$ANIM_CORPUS/${file%%[:=]*}" ] || files+=("$ANIM_CORPUS/$file")
	done
	[ ${#files[@]} -gt 0 ] || skip "ANIM_CORPUS has no files"
	poses "${files[@]}"
}

@test "an export has the keys that the import kept, and plays as its source" {
	script <<-PY
		load(filepath="$ROOT/examples/walker.tscn")
		save(filepath="kept.json", format="json")
		save(filepath="sampled.json", format="json", sampled=True)
		save(filepath="kept.glb", format="glb")
		save(filepath="kept.animj", format="animj")
		save(filepath="kept.tres", format="tres", further="-x library")
		load(filepath="kept.json")
		save(filepath="again.json", format="json")
	PY
	# positions at the keys of the file and between them, in the axes of the file
	anim-convert -q --axes gltf "$ROOT/examples/walker.tscn" source.axs
	anim-info -q --csv source.axs | cut -d, -f 2-3,6 | head -n 20 >/dev/null
	for file in kept sampled again; do
		anim-bake -q --world -r 120 $file.json | anim-emit -q csv | sed 's/^[^,]*,//' >$file.csv
	done
	python3 - "$DATA" <<-'PY'
		import os
		import anim
		source = anim.open("source.axs")[0]
		for name, limit in ("kept.json", 2e-4), ("again.json", 2e-4), ("sampled.json", 2e-4), ("kept.glb", 5e-4):
		    clip = anim.open(name, warn=False)[0]
		    times = [k / 24 for k in range(25)] + ([0.01, 0.13, 0.777] if name != "sampled.json" else [])
		    for node in source.nodes:
		        if node.kind != "bone":
		            continue
		        other = next(n for n in clip.nodes if n.name == node.name)
		        a, b = source.world(times=times, node=node), clip.world(times=times, node=other)
		        worst = max(abs(x - y) for x, y in zip(a.ravel(), b.ravel()))
		        assert worst < limit, (name, node.name, worst)
		hips = source.find("Skeleton3D:Hips", "position")
		kept = next(t for t in anim.open("kept.json")[0] if t.property == "position" and t.node.endswith("Hips"))
		assert kept.count in (hips.count, hips.count + 1), (kept.count, hips.count)
		again = {(t.node, t.property): list(t.times) for t in anim.open("again.json")[0]}
		for t in anim.open("kept.json")[0]:
		    if t.count > 1:
		        assert max(abs(x - y) for x, y in zip(t.times, again[t.node, t.property])) < 1e-6 and len(t.times) == len(again[t.node, t.property]), t
	PY
	anim-info -q kept.animj kept.tres >/dev/null
}

@test "several actions, NLA tracks, shape keys, a camera and an object come back" {
	script <<-PY
		load(filepath="$ROOT/examples/walker.tscn")
		arm = bpy.context.object
		load(filepath="$DATA/limb/knee.bvh")
		save(filepath="all.glb", format="glb", what="ALL")
		save(filepath="all.animj", format="animj", what="ALL")
		for action in list(bpy.data.actions):
		    track = arm.animation_data.nla_tracks.new()
		    track.name = "strip " + action.name
		    track.strips.new(action.name, int(action.frame_range[0]), action)
		current = arm.animation_data.action
		save(filepath="nla.json", format="json", what="NLA")
		assert arm.animation_data.action == current and not any(t.mute or t.is_solo for t in arm.animation_data.nla_tracks)
		bpy.ops.mesh.primitive_cube_add()
		cube = bpy.context.object
		cube.name = "Face"
		cube.shape_key_add(name="Basis")
		key = cube.shape_key_add(name="smile")
		for frame, value in (0, 0), (12, 1.5), (24, 0.25):
		    key.slider_max = 2
		    key.value = value
		    key.keyframe_insert("value", frame=frame)
		bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, 24
		save(filepath="face.json", format="json")
		key.id_data.animation_data_clear()
		key.slider_max = 1
		load(filepath="face.json")
		curve = curves_of(key.id_data.animation_data.action, key.id_data)[0]
		assert key.slider_max >= 1.5 and abs(curve.evaluate(12) - 1.5) < 1e-6 and abs(curve.evaluate(24) - 0.25) < 1e-6 and len(curve.keyframe_points) == 3
		bpy.ops.object.camera_add()
		camera = bpy.context.object
		for frame, lens, x in (0, 35, 0), (24, 70, 3):
		    camera.data.lens, camera.location = lens, (x, 1, 2)
		    camera.data.keyframe_insert("lens", frame=frame)
		    camera.keyframe_insert("location", frame=frame)
		save(filepath="camera.json", format="json", what="SCENE")
		camera.data.animation_data_clear()
		camera.animation_data_clear()
		height = camera.data.sensor_height
		load(filepath="camera.json")
		bpy.context.scene.frame_set(12)
		assert abs(camera.location.x - 1.5) < 1e-4 and abs(camera.data.lens / camera.data.sensor_height - 52.5 / height) < 0.3, (camera.location, camera.data.lens)
		bpy.context.scene.frame_set(24)
		assert abs(camera.data.lens - 70) < 1e-3 and abs(camera.location.x - 3) < 1e-5
		bpy.ops.object.empty_add()
		empty = bpy.context.object
		for frame, z in (0, 0), (24, 2):
		    empty.location.z = z
		    empty.keyframe_insert("location", frame=frame)
		save(filepath="empty.json", format="json")
		empty.animation_data_clear()
		load(filepath="empty.json")
		bpy.context.scene.frame_set(24)
		assert abs(empty.location.z - 2) < 1e-5
	PY
	[ "$(anim-info -q --list all.glb | grep -c ' tracks, .* keys')" -ge 2 ]
	[ -e all-walk.animj ]
	[ -e all-knee.animj ]
	anim-info -q --list nla.json | grep -q '^strip walk: 1.2'
}

@test "errors and warnings are shown in Blender: no programs, a broken file, no skeleton, an option that is wrong" {
	head -c 300 "$DATA/limb/knee.bvh" >cut.bvh
	anim-convert -q "$ROOT/examples/walker.tscn" walk.animj 2>/dev/null
	script <<-PY
		assert "cut.bvh:16:13: three numbers of an OFFSET expected" in refused(load, filepath="cut.bvh")
		assert "Select the armature" in refused(load, filepath="walk.animj")
		assert not bpy.data.actions and not bpy.data.objects
		assert "rate" in refused(load, filepath="$ROOT/examples/walker.tscn", rate="often")
		assert "select the armature" in refused(save, filepath="x.glb")
		load(filepath="$ROOT/examples/walker.tscn", rate="10", mirror=True)
		hips = [curve for curve in curves_of(bpy.data.actions[0], None) if curve.data_path == 'pose.bones["Hips"].location']
		assert len(hips) == 3 and len(hips[0].keyframe_points) == 13
		assert "no NLA strips" in refused(save, filepath="x.glb", what="NLA")
		assert "sample at this many frames per second" in bpy.ops.import_scene.anim_tools.get_rna_type().properties["rate"].description.lower()
		bpy.context.preferences.addons["anim_tools"].preferences.programs = "/nowhere"
		message = refused(load, filepath="$ROOT/examples/walker.tscn")
		assert "there is no program anim in /nowhere" in message and "Preferences" in message, message
	PY
}

@test "dialogs show every option with a text; of several files, the ones that are right are imported" {
	head -c 300 "$DATA/limb/knee.bvh" >cut.bvh
	cp "$DATA/limb/knee.bvh" .
	script <<-PY
		import anim_tools
		class Layout:
		    def __init__(self):
		        self.shown, self.texts = [], []
		    def box(self):
		        return self
		    def label(self, text="", icon=None):
		        self.texts.append(text)
		    def prop(self, owner, name):
		        self.shown.append(name)
		class Shown:
		    def __init__(self, cls):
		        self.__dict__.update(layout=Layout(), first=getattr(cls, "first", ()), tables=getattr(cls, "tables", {}), programs="")
		for cls, call in (anim_tools.ImportAnimation, load), (anim_tools.ExportAnimation, save):
		    dialog, properties = Shown(cls), call.get_rna_type().properties
		    cls.draw(dialog, bpy.context)
		    assert len(dialog.layout.shown) > 15 and "further" in dialog.layout.shown
		    for name in dialog.layout.shown:
		        assert properties[name].name and (properties[name].description or properties[name].type == "ENUM"), name
		        assert "See anim convert" not in properties[name].description, name
		preferences = Shown(anim_tools.Preferences)
		anim_tools.Preferences.draw(preferences, bpy.context)
		assert preferences.layout.texts[0].startswith("anim-tools ") or preferences.layout.texts[0].startswith("anim "), preferences.layout.texts
		message = refused(load, filepath="", files=[{"name": "cut.bvh"}, {"name": "knee.bvh"}], directory=os.getcwd())
		assert "cut.bvh:16:13" in message and [action.name for action in bpy.data.actions] == ["knee"], message
	PY
}

@test "without libanim curves are sampled by the programs" {
	rm addon/anim_tools/anim.py
	script <<-PY
		import anim_tools.clips
		anim_tools.clips.library = lambda program: None
		load(filepath="$ROOT/examples/walker.tscn")
		save(filepath="sampled.json", format="json")
	PY
	anim-convert -q --axes gltf "$ROOT/examples/walker.tscn" source.axs
	python3 - <<-'PY'
		import anim
		source, clip = anim.open("source.axs")[0], anim.open("sampled.json")[0]
		times = [k / 24 for k in range(25)]
		for node in source.nodes:
		    if node.kind == "bone":
		        a = source.world(times=times, node=node)
		        b = clip.world(times=times, node=next(n for n in clip.nodes if n.name == node.name))
		        assert max(abs(x - y) for x, y in zip(a.ravel(), b.ravel())) < 2e-4, node.name
	PY
}
