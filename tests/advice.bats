#!/usr/bin/env bats
# Advices are codes in lib/, and words that are right where they are read.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$ROOT/examples/walker.tscn" "$ROOT/examples/crane.tscn" .
}

@test "every advice of lib/ has words, and all words are used" {
	find "$ROOT/lib" -name '*.[ch]' -exec cat {} + | tr -d '\n' | grep -oE 'ANIM_ADVICE(_TO)?\([[:space:]]*[A-Z_]+' | sed 's/.*(//; s/[[:space:]]//g' |
		grep -vx LIST_ALL | sort -u >used
	sed -n 's/^    {"\([A-Z_]*\)",.*/\1/p' "$ROOT/lib/cli/advice.c" | sort -u >worded
	[ -s worded ]
	same used worded
}

@test "every option that lib/ names exists in the program that it names" {
	local home name
	find "$ROOT/lib" -name '*.[ch]' ! -path '*/base/advice.h' -exec cat {} + | tr -d '\n' | grep -oE 'ANIM_OPTION(_TO)?\([[:space:]]*"[a-z]+",[[:space:]]*"[a-z-]+"' |
		sed 's/.*([[:space:]]*"//; s/",[[:space:]]*"/ /; s/"//' | sort -u >options
	[ "$(wc -l <options)" -gt 40 ]
	while read -r home name; do
		"anim-$home" --help all >help
		grep -qE -- "(--|^ *|-x )$name( |=|,|\$)" help || { echo "anim-$home has no option $name" && false; }
	done <options
}

@test "the options that are typed after -x are all known to the words for the libraries" {
	for name in parse emit; do "anim-$name" --help all; done | sed -n 's/^ *-x \([a-z-]*\).*/\1/p' | sort -u >typed
	[ "$(wc -l <typed)" -gt 20 ]
	sed -n '/set_options\[\] =/,/;/p' "$ROOT/lib/cli/advice.c" | grep -oE '"[^"]*"' | tr -d '"' | tr ' ' '\n' | grep . | sort -u >known
	same typed known
}

# advised WORDS COMMAND...: the command says so. fixed COMMAND...: this one does not, and works.
advised() {
	rm -f a.*
	run --separate-stderr "${@:2}"
	[[ $stderr == *"$1"* ]] || { echo "${*:2}: $stderr" && false; }
}
fixed() {
	rm -f a.*
	run -0 --separate-stderr "$@"
}

@test "anim convert advises its own options, and they work" {
	advised 'add --humanoid auto:vrm' anim convert walker.tscn a.vrma
	fixed anim convert --humanoid auto:vrm walker.tscn a.vrma
	advised 'add -r 30 --all' anim convert --wide -f csv crane.tscn a.csv
	fixed anim convert -r 30 --all --wide -f csv crane.tscn a.csv
	advised 'use --foot-height and --foot-speed to find more contacts, or --contacts' anim convert --pin walker.tscn a.glb
	fixed anim convert --pin --foot-height 50 --foot-speed 1000 walker.tscn a.glb
	advised 'name it with --pairs FILE' anim convert --mirror crane.tscn a.glb
	printf 'hook,hook\narm,arm\nbase,base\n' >pairs.csv
	fixed anim convert --mirror --pairs pairs.csv crane.tscn a.glb
	advised '-x pointer writes them' anim convert crane.tscn a.glb
	fixed anim convert -x pointer crane.tscn a.glb
	advised "rename with -e 's/OLD/NEW/'" anim convert --pin crane.tscn a.glb
}

@test "anim convert names options as they are typed, and prints its own usage" {
	run -2 --separate-stderr anim convert --reduce much walker.tscn a.glb
	[[ $stderr == "anim-convert: --reduce: "*"usage: anim-convert "* ]]
	run -2 --separate-stderr anim convert -r 0 walker.tscn a.glb
	[[ $stderr == "anim-convert: --rate: "*"usage: anim-convert "* ]]
	run -2 --separate-stderr anim-reduce --tol much walker.tscn
	[[ $stderr == "anim-reduce: --tol: "*"usage: anim-reduce "* ]]
}

@test "options of anim convert that need another one say so" {
	for line in 'pairs x.csv:mirror' 'foot-height 10:pin' 'foot-speed 10:pin' 'keep-scale:retarget' 'partial:retarget'; do
		# shellcheck disable=SC2086 # the option and its value
		run -2 --separate-stderr anim convert --${line%:*} walker.tscn a.glb
		[ "${stderr_lines[0]}" = "anim-convert: --${line%%[ :]*} requires --${line#*:}" ]
	done
}

@test "a pipe advises programs" {
	run -1 --separate-stderr anim-emit vrma walker.tscn
	[[ $stderr == *"put 'anim-rename --humanoid auto:vrm' before this" ]]
	run -1 --separate-stderr anim-emit csv --wide crane.tscn
	[[ $stderr == *"put 'anim-resample --all 30' before this" ]]
	run -1 --separate-stderr anim-pin crane.tscn
	[[ $stderr == *"rename with anim-rename" ]]
}

@test "the web page names its controls, and options under 'More options'" {
	export ANIM_FRONT=page
	advised "set 'Bone names' to the names of vrm, or choose the bones under 'Bones'" anim convert walker.tscn a.vrma
	advised "-x pointer under 'More options' writes them" anim convert crane.tscn a.glb
	advised "use --foot-height under 'More options'" anim convert --pin walker.tscn a.glb
}

@test "approximations that nobody sees are notes, and pass --strict; --tol says what is seen" {
	run -0 --separate-stderr anim convert --strict walker.tscn a.animj
	[[ $stderr == *"note: 16 rotations: approximated, at most "* && $stderr != *warning* ]]
	run -1 --separate-stderr anim convert --strict --tol 0.0000001mm,0.0000001deg walker.tscn a.animj
	run -0 --separate-stderr anim convert --tol 5deg walker.tscn b.animj
	[[ $stderr != *warning* ]]
}

@test "a file that is not what its name says is named, and so are an address and a folder" {
	told() {
		run -1 --separate-stderr anim-info "$1"
		[[ $stderr == *"$2"* ]] || { echo "$1: $stderr" && false; }
	}
	printf '\x89PNG\r\n\x1a\n' >a.fbx
	told a.fbx 'a picture is not read; it holds no animation of nodes'
	printf '\0\0\0\x18ftypmp42' >a.glb
	told a.glb 'a video is not read'
	printf '<!DOCTYPE html>' >a.bvh
	told a.bvh 'a web page, not an animation; download the file itself'
	told https://example.org/walk.glb 'is an address, not a file; download the file first'
	told . 'is a folder, not a file; name the files in it, as in FOLDER/*.glb'
	run -2 --separate-stderr anim convert walker.tscn out.gbl
	[ "${stderr_lines[0]}" = "anim-convert: the suffix of 'out.gbl' is not one of a format; did you mean .glb?" ]
}

# warned WORDS COMMAND...: the command works and warns so; with --strict, it fails.
warned() {
	run -0 --separate-stderr "${@:2}"
	[[ $stderr == *"warning: "*"$1"* ]] || { echo "${*:2}: $stderr" && false; }
	run -1 --separate-stderr "${@:2}" --strict --force
	[[ $stderr == *"$1"* ]] || { echo "${*:2} --strict: $stderr" && false; }
}

@test "a shift is kept, or a warning says that the format has no start of clips" {
	warned '--shift has no effect, because clips start at 0 in .glb' anim convert --shift 1 walker.tscn a.glb
	warned '--shift has no effect, because clips start at 0 in .tres' anim retime --shift 1 walker.tscn -o b.tres
	for suffix in axs json axt anim fbx; do
		run -0 --separate-stderr anim convert -c walk --shift 1 walker.tscn "c.$suffix"
		[[ $stderr != *shift* ]]
		pipe "anim-info c.$suffix | head -n 1"
		[[ $output == *" (1 .. "* ]]
	done
}

@test "root motion for an Animator beside tracks of bones advises no model" {
	sed 's/attribute: Spine Front-Back/attribute: RootT.y/; s/attribute: LeftHand.*/attribute: RootQ.x/; s/attribute: SpineTDOF.x/attribute: RootQ.y/' \
		"$DATA/unity/clip_humanoid.anim" >root.anim
	warned 'root motion for an Animator moves no node; only Unity plays it (8 curves)' anim convert root.anim a.animj
	[[ $stderr != *retarget* ]]
	warned 'muscle curves are not bones and move nothing; add --retarget MODEL' anim convert "$DATA/unity/clip_humanoid.anim" b.animj
}

@test "--into is advised only if the clips still fit the nodes of their file" {
	cp "$DATA/gltf/types.gltf" mesh.gltf
	run -0 --separate-stderr anim convert mesh.gltf a.glb
	[[ $stderr == *"mesh.gltf also holds a mesh, which the new file does not have; to keep them, copy the file and use --into"* ]]
	run -1 --separate-stderr anim convert --scale 2 mesh.gltf scaled.glb
	[ "$stderr" = "anim-convert: --scale does not change the mesh of mesh.gltf, which would not fit; scale the model in another program, such as Blender, and put the clips on it with --retarget SCALED_MODEL, or write the skeleton and its clips alone, as .axs" ]
	[ ! -e scaled.glb ]
	anim convert -q --scale 2 mesh.gltf scaled.axs
	for change in '-e s/a/b/' '--axes unity'; do
		# shellcheck disable=SC2086 # the option and its value
		run --separate-stderr anim convert $change mesh.gltf a.glb --force
		[[ $stderr != *"use --into"* ]] || { echo "$change: $stderr" && false; }
	done
	cp mesh.gltf copy.gltf
	for size in '--scale 2' '--height 1.7m'; do
		# shellcheck disable=SC2086 # the option and its value
		run -2 --separate-stderr anim convert $size --into copy.gltf mesh.gltf
		[[ $stderr == *"${size% *} and --into cannot be combined: the mesh and nodes of copy.gltf keep their size; scale the model in another program"* ]]
		cmp mesh.gltf copy.gltf
	done
	# no other file of these formats can be kept: only a note
	for pair in 'mesh.gltf b.fbx' "$DATA/fbx/walk_text_7100.fbx b.glb" "$DATA/fbx/walk_text_7100.fbx b.tscn"; do
		# shellcheck disable=SC2086 # the two files
		run -0 --separate-stderr anim convert $pair
		[[ $stderr == *"${pair% *} also holds "*mesh*", which the new file does not have"* && $stderr != *"use --into"* ]] || { echo "$pair: $stderr" && false; }
	done
	# a library has clips alone
	anim convert -q "$ROOT/examples/walker.tscn" lib.tres
	anim convert -q --scale 2 --into lib.tres lib.tres
}

@test "the advices on the way to a VRM animation lead to one" {
	anim convert -q -e 's/Left/odd/g' --on node walker.tscn odd.glb
	advised "rightHand; add --humanoid auto:vrm" anim convert odd.glb a.vrma
	advised "; rename with -e 's/OLD/NEW/'" anim convert --humanoid auto:vrm odd.glb a.vrma
	fixed anim convert --humanoid auto:vrm -e 's/odd/left/g' odd.glb a.vrma
	# muscles
	advised 'add --retarget MODEL' anim convert "$DATA/unity/clip_humanoid.anim" a.vrma
	advised 'BVH needs bones, but humanoid curves of Unity are muscles; add --retarget MODEL' anim convert "$DATA/unity/clip_humanoid.anim" a.bvh
	fixed anim convert --retarget walker.tscn "$DATA/unity/clip_humanoid.anim" a.bvh
	advised 'add --humanoid auto:vrm' anim convert --retarget walker.tscn "$DATA/unity/clip_humanoid.anim" a.vrma
	fixed anim convert --retarget walker.tscn --humanoid auto:vrm "$DATA/unity/clip_humanoid.anim" a.vrma
	run -0 anim convert --dry-run --retarget walker.tscn --humanoid auto:vrm "$DATA/unity/clip_humanoid.anim" a.vrma
	[[ $output == *"anim-retarget --to walker.tscn | anim-rename --humanoid auto:vrm | "* ]]
	# no bones
	anim filter -q -n Face "$DATA/unity/clip_generic.anim" >shapes.axs
	advised 'a VRM animation needs the bones of a human, but no track of the clip moves a bone' anim convert shapes.axs a.vrma
}

@test "sampling without a rate, and joining files of several rates, advise the rate and what else is necessary" {
	run -2 --separate-stderr anim convert --end loop walker.tscn a.glb
	[ "${stderr_lines[0]}" = "anim-convert: no rate; give one: -r 30" ]
	fixed anim convert -r 30 --end loop walker.tscn a.glb
	ANIM_FRONT=page run -2 --separate-stderr anim convert --end loop walker.tscn a.glb
	[ "${stderr_lines[0]}" = "anim-convert: no rate; set 'Samples per second'" ]
	anim convert -q -t 0..1 -x order=XYZ -r 24 walker.tscn one.bvh
	anim convert -q -t 0..1 -x order=ZYX -r 30 walker.tscn two.bvh
	advised 'give all the same rate first: anim convert --bake -r 30 IN OUT.axs' anim convert --append one.bvh two.bvh a.bvh
	for name in one two; do anim convert -q --bake -r 30 $name.bvh $name.axs; done
	fixed anim convert --append one.axs two.axs a.bvh
	ANIM_FRONT=page advised "bake each file first, with 30 in 'Samples per second' and --bake under 'More options'" anim convert --append one.bvh two.bvh a.bvh
}

@test "a clip that does not loop has a warning beside --loops, and the advised option lets it loop" {
	warned "played once, because it does not loop; make it loop first with --loop wrap" anim convert --loops 3 crane.tscn a.glb
	fixed anim convert --loop wrap --loops 3 crane.tscn a.glb
	[[ $stderr != *"played once"* ]]
}

# noted WORDS COMMAND...: the command works, and a note or warning says so.
noted() {
	run -0 --separate-stderr "${@:2}" --force
	[[ $stderr == *"$1"* ]] || { echo "${*:2}: $stderr" && false; }
}

@test "an option that changes nothing is named, with the reason" {
	local none='has no effect, because'
	noted "--source-rate $none .glb keeps no frame rate" anim convert --source-rate 24 walker.tscn a.glb
	noted "--flip $none no axis has to be mirrored" anim convert --flip z walker.tscn a.glb
	noted "--from $none all clips name their axes" anim convert --from unity walker.tscn a.glb
	noted "--rest $none no track needs a rest pose of this file" anim convert --rest "$DATA/bvh/arm.bvh" crane.tscn a.glb
	noted "--tol $none no curve was approximated" anim convert --tol 1mm crane.tscn a.tres
	warned "--tol $none no track has values of this kind; the default is 0.1mm,0.1deg" anim reduce --tol 50% walker.tscn -o a.axs
	noted "clip 'walk': the end comes before the end of the range, at " anim convert -c walk -t 0..9 walker.tscn a.glb
	noted "clip 'walk': the end comes before the time of the pose, so the last pose is used, at " anim convert -c walk --additive @9 walker.tscn a.glb
	for used in '--source-rate 24 a.csv' '--source-rate 24 -t 1f..2f a.glb' '--flip z a.anim' '--tol 1mm a.animj' '-t 0..0.5 a.glb'; do
		# shellcheck disable=SC2086 # options and the output
		run -0 --separate-stderr anim convert --force -c walk walker.tscn $used
		[[ $stderr != *"no effect"* && $stderr != *"the end comes before"* ]] || { echo "$used: $stderr" && false; }
	done
	run -0 --separate-stderr anim reduce --tol 1mm,50% walker.tscn -o a.axs --force
	[[ $stderr != *"no effect"* ]]
}

@test "samples that miss a fast motion have a warning with the rate, and beside a jump only a note" {
	move() { # the angle of a joint by the frame, of 120 a second
		printf 'HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 1 0\n\tCHANNELS 3 Zrotation Xrotation Yrotation\n\tEnd Site\n\t{\n\t\tOFFSET 0 1 0\n\t}\n}\nMOTION\nFrames: 121\nFrame Time: 0.0083333333\n'
		seq 0 120 | awk "{ print $1, 0, 0 }"
	}
	move '40 * sin($1 * 0.7)' >fast.bvh
	move '$1 < 61 ? 0 : 40' >jump.bvh
	warned "rotation 'Hips euler': too fast for this rate, at most 34" anim convert --unit m -r 30 fast.bvh a.glb
	[[ $stderr == *"degrees off; use a higher rate: -r 120"* ]]
	run -0 --separate-stderr anim convert --strict --unit m -r 120 fast.bvh a.glb --force
	run -0 --separate-stderr anim convert --strict --unit m -r 30 jump.bvh a.glb --force
	[[ $stderr == *"note: rotation 'Hips euler': too fast for this rate, at most "*" for less than 34 milliseconds beside a jump, 0 elsewhere"* ]]
	ANIM_FRONT=page run -0 --separate-stderr anim convert --unit m -r 30 fast.bvh a.glb --force
	[[ $stderr == *"; set 'Samples per second' higher, to 120"* ]]
}

@test "root motion goes into a joint of BVH above the hips" {
	{
		printf 'HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 1 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\tJOINT Spine\n\t{\n\t\tOFFSET 0 1 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 1 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 31\nFrame Time: 0.0333333\n'
		seq 0 30 | awk '{ print 0, 1, $1 / 10, 0, 0, 0, 0, $1, 0 }'
	} >walk.bvh
	run -0 --separate-stderr anim convert --unit m --hips Hips --root-motion walk.bvh a.bvh
	[[ $stderr != *"left out"* ]]
	[ "$(sed -n 's/^.*\(ROOT\|JOINT\) //p' a.bvh | tr '\n' ' ')" = "walk Hips Spine " ]
	run -0 anim info a.bvh
	[[ $output == *"walk  "*"position"*"0 .. 3"* ]]
}

@test "--unit is for the files that lack a length unit" {
	cp "$DATA/bvh/arm.bvh" arm.bvh
	for name in leg.vmd leg.pmx; do python3 "$ROOT/tests/mmd_file.py" $name $name; done
	run -0 --separate-stderr anim convert --dry-run --unit cm -x model=leg.pmx --retarget arm.bvh leg.vmd a.glb
	[[ $output == *"anim-retarget --to arm.bvh --unit cm"* && $output != *"anim-parse"*"--unit"*"|"*retarget* ]]
	[[ $stderr == *"--unit is for the files without a length unit, not for files of MikuMikuDance"* ]]
	run -0 anim convert --dry-run --unit m -x model=leg.pmx leg.vmd a.glb
	[[ $output == "anim-parse "*"--unit m"* ]]
	run -0 anim convert --dry-run --unit cm --retarget arm.bvh walker.tscn a.glb
	[[ $output == *"anim-retarget --to arm.bvh --unit cm"* && $output != *"anim-parse --unit"* ]]
}

@test "wrong values of options say what is meant" {
	refused() {
		run --separate-stderr "${@:2}"
		[ "$status" -ne 0 ]
		[[ ${stderr_lines[0]} == *"$1"* ]] || { echo "${*:2}: $stderr" && false; }
	}
	refused "'0.5' is not a file; for the pose at this time, use @0.5" anim convert --additive 0.5 walker.tscn a.glb
	refused "'-1' is not above 0; to play backwards, use --reverse" anim convert --speed -1 walker.tscn a.glb
	run anim lint --feet 5% walker.tscn
	[ "$status" -lt 2 ]
	refused "'x' is not a whole number of percent" anim lint --feet x walker.tscn
	refused "OUT is missing: 'walker.tscn' is the model of --retarget, and 'crane.tscn' the only other file" anim convert --retarget walker.tscn crane.tscn
	refused '--keys requires --reduce' anim convert --keys linear walker.tscn a.glb
	refused '--override requires --reduce, or an archive' anim convert --override '*=1mm' walker.tscn a.glb
	fixed anim convert --reduce 1mm@10cm --override '*Arm*=0.1mm@5cm' walker.tscn a.glb
	cp "$DATA/bvh/arm.bvh" arm.bvh
	refused "--ppu is for two-dimensional clips, and arm.bvh has none" anim convert --ppu 32 arm.bvh a.glb
	refused '-x fps is for bvh, ' anim convert --fps 30 walker.tscn a.glb
	[[ $stderr == *"; to sample at a rate, use -r"* ]]
	anim convert -q walker.tscn b.glb
	refused 'b.glb: the file is gltf, not fbx; leave out --read' anim convert --read fbx b.glb a.tres
	noted "'a.animj' gets the contents of a .glb file" anim emit glb -o a.animj walker.tscn
	cp "$DATA/bvh/arm.bvh" arm.bvh
	refused "'arm.bvh' is also an input; name another file" anim convert arm.bvh arm.bvh
}

@test "the page's words for missing files, units and unknown options" {
	export ANIM_FRONT=page
	cp "$DATA/bvh/arm.bvh" arm.bvh
	printf '{"asset":{"version":"2.0"},"buffers":[{"uri":"gone.bin","byteLength":4}],"bufferViews":[{"buffer":0,"byteLength":4}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"}],"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}],"samplers":[{"input":0,"output":0}]}],"nodes":[{}]}' >gone.gltf
	advised "'gone.bin': no such file; add this file to the input files" anim convert gone.gltf a.glb
	advised "'Unit of motion capture files' " anim convert arm.bvh a.glb
	advised "unknown option '-x bogus=1'" anim convert -x bogus=1 walker.tscn a.glb
	[[ $stderr != *--help* ]]
}
