#!/usr/bin/env bats
# Every example is run, as it stands.

load helper

@test "the demo shows the one line first, then the pipe, and what changes in a scene that is written into" {
	run --separate-stderr env BIN="$ANIM_BUILD/bin" "$ROOT/examples/demo.sh"
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = '$ anim convert -v -r 30 crane.tscn lift.animj' ]
	[[ $output == *"lift: 2 s"* ]]
	[[ $output == *"anim-emit --into fast.tscn"*"< length = 2.0"*"> tracks"* ]]
	[[ $output == *"anim-parse crane.tscn | anim-axes resonite | anim-resample 30 | anim-emit animj > lift.animj"* ]]
	[[ $output == *'{"name":"lift","globalDuration":2,"tracks":['* ]]
}

@test "the pictures in README are those that its commands make" {
	OUT=$PWD/made BROWSER=none run -0 --separate-stderr env BIN="$ANIM_BUILD/bin" "$ROOT/examples/pictures.sh"
	[ "$(ls made)" = "$(cd "$ROOT/examples/pictures" && ls -- *.svg)" ]
	for file in made/*; do
		same "$file" "$ROOT/examples/pictures/${file##*/}"
		[ "$(wc -c <"$file")" -le 30000 ]
	done
	[ "$(wc -c <"$ROOT/examples/pictures/viewer.png")" -le 100000 ]
	[ "$(grep -c '^\$ ' <<<"$output")" -eq 5 ]
	while IFS= read -r line; do grep -qF -- "    ${line#\$ }" "$ROOT/README.md" || { echo "$line" && false; }; done < <(grep '^\$ anim' <<<"$output")
}

@test "the asset rules make every clip of every scene, once" {
	cp "$ROOT"/examples/*.tscn .
	make -s -f "$ROOT/examples/Makefile" OUT=out 2>err
	[ -f out/box-scale_down.animj ]
	[ -f out/crane-lift.animj ]
	[ "$(make -f "$ROOT/examples/Makefile" OUT=out 2>&1 | grep -c anim-)" -eq 0 ]
}

@test "the asset rules pass over a scene whose clips are elsewhere, and leave nothing of a clip that has another name" {
	printf '[gd_scene format=3]\n[node name="A" type="Node3D"]\n[node name="P" type="AnimationPlayer" parent="."]\n' >other.tscn
	cp "$ROOT"/examples/crane.tscn .
	make -s -f "$ROOT/examples/Makefile" OUT=out 2>err
	[ -e out/crane-lift.animj ]
	[ -e out/other.stamp ]
	sed -i 's/&"lift"/\&"raise"/; s/"lift"/"raise"/' crane.tscn
	touch -d '+2 seconds' crane.tscn
	make -s -f "$ROOT/examples/Makefile" OUT=out 2>err
	[ "$(ls out/*.animj)" = out/crane-raise.animj ]
}

@test "the asset rules make a clip again when the scene changes" {
	cp "$ROOT"/examples/crane.tscn .
	make -s -f "$ROOT/examples/Makefile" OUT=out
	sed -i 's/^length = 2.0/length = 1.0/' crane.tscn
	touch -d '+2 seconds' crane.tscn
	make -s -f "$ROOT/examples/Makefile" OUT=out
	grep -q '"globalDuration":1,' out/crane-lift.animj
}

@test "the seed's box shrinks: 46 values a thirtieth of a second apart, and the ping-pong is reported" {
	pipe "anim-parse '$ROOT/examples/box.tscn' | anim-axes resonite | anim-resample 30 | anim-emit animj"
	[ "$status" -eq 0 ]
	[[ $stderr == *"note: clip 'scale_down': the loop mode is not kept, because animj has none; the Animator sets it (ping-pong)"* ]]
	[ "$(grep -c trackType <<<"$output")" -eq 1 ]
	[[ $output == *'{"trackType":"Raw","valueType":"float3","data":{"node":"Box","property":"Scale","interval":0.033333335,"keyframes":[{"x":1,"y":1,"z":1},{"x":0.96666664,'* ]]
	[[ $output == *'{"x":0.03333336,"y":0.03333336,"z":0.03333336},{"x":0,"y":0,"z":0}'* ]]
	[[ $output == *'"globalDuration":1.5,'* ]]
	[ "$(grep -o '"x":' <<<"$output" | wc -l)" -eq 46 ]
}

@test "the workflow for continuous integration is YAML whose steps find what is wrong in a repository" {
	python3 -c 'import yaml' 2>/dev/null || skip "python3 with its yaml module is not installed"
	command -v git >/dev/null || skip "git is not installed"
	local step steps=0 status
	python3 - "$ROOT/examples/ci/animations.yml" <<-'PY'
		import sys, yaml
		flow = yaml.safe_load(open(sys.argv[1]))
		assert flow["permissions"] == {"contents": "read", "security-events": "write"}
		job, = flow["jobs"].values()
		assert job["defaults"]["run"]["shell"] == "bash"
		upload, = (s for s in job["steps"] if "upload-sarif" in s.get("uses", ""))
		assert upload["with"]["sarif_file"] == "anim-lint.sarif" and "always()" in upload["if"]
		open("env", "w").write("".join(f"export {k}='{v}'\n" for k, v in flow["env"].items()))
		runs = [s["run"] for s in job["steps"] if "run" in s]
		open("build", "w").write(runs[0])
		for i, text in enumerate(runs[1:]):
		    open(f"step{i}", "w").write(text)
	PY
	# It asks sudo for what the build misses, then for the installation.
	mkdir bin runner
	printf '#!/bin/sh\necho 1000\n' >bin/id
	printf '#!/bin/sh\necho "${0##*/} $*" >>called\n' | tee bin/sudo >bin/make
	chmod +x bin/*
	ln -s "$ROOT" runner/.anim-tools
	(cd runner && PATH=$PWD/../bin:$PATH CC=no-such-compiler GITHUB_PATH=path bash --noprofile --norc -eo pipefail ../build)
	[[ $(cat runner/called) == 'sudo apt-get install '*' no-such-compiler '*$'\nmake -C .anim-tools '*' install' ]]
	[ "$(cat runner/path)" = "$HOME/.local/bin" ]
	git init -q repo
	cp "$ROOT"/examples/*.tscn repo
	printf '[gd_scene format=3]\n[node name="Rock" type="Node3D"]\n' >repo/rock.tscn
	cp "$DATA/unity/lanes.tres" 'repo/a b.tres'
	git -C repo add .
	. ./env
	TARGET=unity # which is not what these are for
	for step in step?; do
		status=0
		(cd repo && bash --noprofile --norc -eo pipefail "../$step" >"../$step.out" 2>&1) || status=$?
		[ "$status" -eq $((steps++ == 2)) ] || { echo "$step $status" && cat "$step.out" && false; }
	done
	[ "$steps" -eq 3 ]
	grep -q '^::warning file=a b.tres,title=anim-lint' step2.out || { cat step2.out && false; }
	grep -q '"uri":"a%20b.tres"' repo/anim-lint.sarif
	[ "$(tr '\0' '\n' <repo/animations.list)" = "a b.tres
box.tscn
crane.tscn
walker.tscn" ]
	rm repo/*.t*
	git -C repo rm -qr --cached .
	rm repo/anim-lint.sarif
	for step in step?; do (cd repo && bash --noprofile --norc -eo pipefail "../$step"); done
	[ ! -e repo/anim-lint.sarif ]
}
