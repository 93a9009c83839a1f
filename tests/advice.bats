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
	told . 'is a folder, not a file; name the files in it'
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
	for change in '--scale 2' '-e s/a/b/' '--axes unity'; do
		# shellcheck disable=SC2086 # the option and its value
		run --separate-stderr anim convert $change mesh.gltf a.glb --force
		[[ $stderr != *"use --into"* ]] || { echo "$change: $stderr" && false; }
	done
	warned '--scale changes the size of the clips, but the nodes and meshes of mesh.gltf keep theirs' anim convert --scale 2 --into mesh.gltf mesh.gltf
}

@test "the advices on the way to a VRM animation lead to one" {
	anim convert -q -e 's/Left/odd/g' --on node walker.tscn odd.glb
	advised "rightHand; add --humanoid auto:vrm" anim convert odd.glb a.vrma
	advised "; rename with -e 's/OLD/NEW/'" anim convert --humanoid auto:vrm odd.glb a.vrma
	fixed anim convert --humanoid auto:vrm -e 's/odd/left/g' odd.glb a.vrma
	# muscles
	advised 'add --retarget MODEL' anim convert "$DATA/unity/clip_humanoid.anim" a.vrma
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
