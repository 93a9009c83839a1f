#!/usr/bin/env bats
# Unity packages: the clips in one equal the clips of the unpacked folder, and hostile archives are refused in one line.

load helper

PROJECT=$DATA/unity/scene_project

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v python3 >/dev/null || skip "python3 is not installed"
}

# pack OUT CHANGE...: the project as a package, changed as tests/unitypackage.py says.
pack() {
	python3 "$ROOT/tests/unitypackage.py" "${FROM:-$PROJECT}" "$@"
}

# clips FILE...: the clips as JSON, without the tree and the names of files.
clips() {
	anim-parse -q --no-provenance "$@" | anim-emit json | grep -v '^{"tree"' | sed 's/"file":"[^"]*",\?//'
}

@test "the clips of a package equal the clips of the unpacked folder" {
	local files
	pack a.unitypackage
	files=$(cd "$PROJECT" && find . -name '*.anim' | LC_ALL=C sort | sed 's|^\./||')
	[ "$(wc -w <<<"$files")" -eq 6 ]
	(cd "$PROJECT" && clips $files) >wanted
	clips -c Idle -c Limp -c Nod -c Run -c Swing -c Walk a.unitypackage >got
	same wanted got
	pipe "anim-parse -q a.unitypackage | anim-info -l | grep -o '^[A-Z][a-z]*:\|file [^,]*'"
	same <(printf '%s\n' "$output" | paste - -) - <<-'EOT'
		Idle:	file Assets/Anims/Idle.anim
		Limp:	file Assets/Anims/Limp.anim
		Nod:	file Assets/Anims/Nod.anim
		Run:	file Assets/Anims/Run.anim
		Swing:	file Assets/Anims/Swing.anim
		Walk:	file Assets/Anims/Walk.anim
		Recorded:	file Assets/Cut.playable
		Jump:	file Assets/Hero.controller
		Unused:	file Assets/Hero.controller
	EOT
}

@test "-x asset reads prefabs, scenes and controllers with their nodes, as if they were unpacked" {
	pack a.unitypackage
	for asset in Assets/Hero.prefab Assets/Stage.unity Assets/Level.unity Assets/Hero.overrideController Assets/Cut.playable; do
		anim-parse -q --no-provenance "$PROJECT/$asset" | anim-emit json | sed "s|\"source\":\"${asset##*/}\"|\"source\":\"$asset\"|" >wanted
		anim-parse -q --no-provenance -x asset=$asset a.unitypackage | anim-emit json >got
		same <(grep -v '"file":"' wanted) <(grep -v '"file":"' got)
		[ "$(grep -c '^{"clip"' wanted)" -eq "$(grep -c '^{"clip"' got)" ]
	done
	grep -q '"root":"Hero"\|"path"' wanted || grep -q '^{"clip"' wanted
	[ "$(clips -x asset='*.prefab' a.unitypackage)" = "$(clips -x asset=Assets/Hero.prefab a.unitypackage)" ]
	[ "$(clips -x asset=Walk.anim a.unitypackage)" = "$(clips "$PROJECT/Assets/Anims/Walk.anim")" ]
	run -0 --separate-stderr anim-parse --force -o a.axs a.unitypackage
	[ "$stderr" = "anim-parse: a.unitypackage: note: clips are read without nodes; to read them with the nodes that they move, use -x asset=Assets/Hero.prefab" ]
	run -1 --separate-stderr anim-parse -x asset=Gone.prefab a.unitypackage --force -o b.axs
	[ "$stderr" = "anim-parse: a.unitypackage: no asset of the package matches 'Gone.prefab' (it has 'Assets/Hero.prefab')" ]
	[ ! -e b.axs ]
	run -0 --separate-stderr anim convert -q -x asset=Hero.prefab a.unitypackage hero.glb
	[ -z "$stderr" ]
	pipe "anim-info -l hero.glb | grep -c '^[A-Z]'"
	[ "$output" -eq 5 ]
}

@test "the order of entries, their spelling and the program that packed them make no difference" {
	pack a.unitypackage
	clips a.unitypackage >wanted
	clips -x asset=Hero.prefab a.unitypackage >hero
	for change in tar last dot old upper pax gnu noise noend; do
		pack b.unitypackage $change
		clips b.unitypackage >got
		same wanted got || { echo "$change" && false; }
		clips -x asset=Hero.prefab b.unitypackage >got
		same hero got || { echo "$change" && false; }
	done
	clips - <a.unitypackage >got
	same wanted got
	ANIM_READ_MAX=1 clips a.unitypackage >got
	same wanted got
	ANIM_STORE_MEMORY=0 clips a.unitypackage >got
	same wanted got
}

@test "sprites are named by the .meta file of their texture in the package" {
	local guid=0123456789abcdef0123456789abcdef
	mkdir -p project/Assets
	printf 'PNG\n' >project/Assets/run.png
	printf 'fileFormatVersion: 2\nguid: %s\nTextureImporter:\n  internalIDToNameTable:\n  - first:\n      213: 77\n    second: run_1\n  spriteSheet:\n    sprites:\n    - name: run_0\n      internalID: 76\n    - name: run_1\n      internalID: 77\n' $guid >project/Assets/run.png.meta
	printf '%%YAML 1.1\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: run\n  m_PPtrCurves:\n  - curve:\n    - time: 0\n      value: {fileID: 77, guid: %s, type: 3}\n    attribute: m_Sprite\n    path: \n    classID: 212\n    script: {fileID: 0}\n' $guid >project/Assets/run.anim
	printf 'fileFormatVersion: 2\nguid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n' >project/Assets/run.anim.meta
	FROM=project pack a.unitypackage
	clips project/Assets/run.anim >wanted
	grep -q run_1 wanted
	same wanted <(clips a.unitypackage)
}

@test "the import settings of a humanoid model give a prefab its human bones, and are read by the name of the model" {
	mkdir -p project/Assets
	anim-parse -q "$ROOT/examples/walker.tscn" | anim-axes -q unity | anim-emit -q -o hero.json
	python3 "$ROOT/tests/avatar.py" settings hero.json project/Assets/Hero.fbx.meta
	python3 "$ROOT/tests/avatar.py" prefab hero.json project/Assets/Hero.prefab 5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e
	printf 'binary\0' >project/Assets/Hero.fbx
	printf 'fileFormatVersion: 2\nguid: cccccccccccccccccccccccccccccccc\n' >project/Assets/Hero.prefab.meta
	FROM=project pack a.unitypackage
	anim-parse -q project/Assets/Hero.prefab | anim-dump | sed -n '/^node/,$p' >wanted
	[ "$(grep -c unity.human wanted)" -ge 15 ]
	same wanted <(anim-parse -q -x asset=Hero.prefab a.unitypackage | anim-dump | sed -n '/^node/,$p')
	anim-parse -q project/Assets/Hero.fbx.meta | anim-dump | sed -n '/^node/,$p' >wanted
	same wanted <(anim-parse -q -x asset=Assets/Hero.fbx a.unitypackage | anim-dump | sed -n '/^node/,$p')
	same wanted <(anim-parse -q -x asset=Hero.fbx a.unitypackage | anim-dump | sed -n '/^node/,$p')
}

@test "motion of other programs is named, and read with -x asset" {
	mkdir -p project/Assets
	cp "$DATA/bvh/arm.bvh" project/Assets/arm.bvh
	anim-convert -q --unit cm "$DATA/bvh/arm.bvh" project/Assets/take.fbx
	anim-convert -q --unit cm "$DATA/bvh/arm.bvh" project/Assets/take.glb
	for file in arm.bvh take.fbx take.glb; do
		printf 'fileFormatVersion: 2\nguid: %s\n' "$(echo $file | md5sum | cut -c 1-32)" >project/Assets/$file.meta
	done
	FROM=project pack a.unitypackage
	run -0 --separate-stderr anim-parse a.unitypackage --force -o a.axs
	[ "${stderr_lines[0]}" = "anim-parse: a.unitypackage: warning: no clips of Unity in this package" ]
	[ "${stderr_lines[1]}" = "anim-parse: a.unitypackage: note: motion in 3 files of other programs is not read; to read the first one, use -x asset=Assets/arm.bvh" ]
	for file in arm.bvh take.fbx take.glb; do
		anim-parse -q --no-provenance project/Assets/$file | anim-dump | grep -v 'attr "file"' >wanted
		anim-parse -q --no-provenance -x asset=$file a.unitypackage | anim-dump | grep -v 'attr "file"' >got
		same wanted got
	done
	pack b.unitypackage
	run -0 --separate-stderr anim-parse b.unitypackage --force -o b.axs
	[[ $stderr != *"other programs"* ]]
	# The command in the note is safe to type.
	(cd project/Assets && for file in arm.bvh take.fbx take.glb; do mv $file "It's \$(touch bad) $file"; mv $file.meta "It's \$(touch bad) $file.meta"; done)
	FROM=project pack c.unitypackage
	run -0 --separate-stderr anim-parse c.unitypackage --force -o c.axs
	[[ $stderr == *"to read the first one, use -x asset="* ]]
	eval "anim-parse -q ${stderr##*, use } c.unitypackage --force -o c.axs"
	[[ $(anim-info c.axs) == "It's \$(touch bad) arm: "* && ! -e bad ]]
}

@test "an asset with a path that no project has is left out with a warning, and the rest is read" {
	while IFS='	' read -r change said; do
		pack bad.unitypackage "$change"
		run -0 --separate-stderr anim-parse bad.unitypackage --force -o bad.axs
		[[ $stderr == *"warning: asset 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee': left out because of the path, which $said: '"*"'"* ]] || { echo "$change: $stderr" && false; }
		[[ $stderr != *$'\x1b'* && $(anim-info bad.axs) == *Walk* ]]
	done <<-'EOT'
		path=Assets/\udc83_\udcff.anim	is not UTF-8
		path=/etc/passwd	is not below the project folder
		path=../x.anim	is not below the project folder
		path=Assets/../../x.anim	is not below the project folder
		path=Assets/..	is not below the project folder
		path=	is empty
		path=\n/x	is empty
		path=\0x	is empty
		path=Assets/\x1b[2J.anim	has characters that no path of Unity has
	EOT
}

@test "hostile archives are refused in one line that names the file and the fault" {
	while IFS='	' read -r change said; do
		pack bad.unitypackage "$change"
		run -1 --separate-stderr anim-parse -q bad.unitypackage --force -o bad.axs
		[[ $stderr == "anim-parse: bad.unitypackage: "*"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee/$said" ]] || { echo "$change: $stderr" && false; }
		[ "${#stderr_lines[@]}" -eq 1 ]
		[ ! -e bad.axs ]
	done <<-'EOT'
		twice=asset	asset is in the archive twice
		twice=asset.meta	asset.meta is in the archive twice
		twice=pathname	pathname is in the archive twice
		link=asset	asset is not a regular file
		link=pathname	pathname is not a regular file
		link=asset.meta	asset.meta is not a regular file
	EOT
	pack long.unitypackage "path=$(printf 'a%.0s' {1..5000})"
	run -1 --separate-stderr anim-parse -q long.unitypackage --force -o bad.axs
	[[ $stderr == *"/pathname is too long" ]]
}

@test "a name that does not belong to a package is passed over, and nothing is written anywhere" {
	pack a.unitypackage name=../../../escape
	run -0 --separate-stderr anim-parse -q a.unitypackage --force -o a.axs
	[ -z "$stderr" ]
	[ ! -e ../../../escape ]
	pack a.unitypackage guid=zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz
	run -0 --separate-stderr anim-parse -q a.unitypackage --force -o a.axs
	[ -z "$stderr" ]
}

@test "every beginning of an archive is refused, and so is a changed header" {
	local cut size
	pack a.tar tar
	size=$(($(wc -c <a.tar) / 1024 * 1024))
	while [ "$(tail -c +$((size - 1023)) a.tar | head -c 1024 | tr -d '\0' | wc -c)" -eq 0 ]; do size=$((size - 1024)); done
	for ((cut = 1; cut < size; cut += $(stride 997))); do
		head -c $cut a.tar >cut.tar
		run --separate-stderr anim-parse -q -f unitypackage --force -o cut.axs cut.tar
		[ "$status" -eq 1 ] && [[ $stderr == "anim-parse: cut.tar:"* ]] || { echo "$cut: $status $stderr" && false; }
	done
	pack a.unitypackage
	head -c -20 a.unitypackage >cut.unitypackage
	run -1 --separate-stderr anim-parse -q --force -o cut.axs cut.unitypackage
	[[ $stderr == "anim-parse: cut.unitypackage: "*"the gzip data are cut" ]]
	python3 - <<-'PY'
		data = bytearray(open("a.tar", "rb").read())
		data[124] ^= 1
		open("sum.tar", "wb").write(data)
		data = bytearray(open("a.tar", "rb").read())
		data[512 + 124:512 + 136] = b"\x80" + b"\xff" * 11
		data[512 + 148:512 + 156] = b" " * 8
		data[512 + 148:512 + 156] = b"%06o\0 " % sum(data[512:1024])
		open("size.tar", "wb").write(data)
	PY
	run -1 --separate-stderr anim-parse -q -f unitypackage --force -o cut.axs sum.tar
	[[ $stderr == "anim-parse: sum.tar: "*"not a tar archive" ]]
	run -1 --separate-stderr anim-parse -q --force -o cut.axs size.tar
	[[ $stderr == "anim-parse: size.tar: "*"the tar archive is damaged: a file of "*" bytes" ]]
}

@test "another tar archive is refused with the way round" {
	mkdir folder
	cp "$PROJECT"/Assets/Anims/Walk.anim folder
	tar -cf a.tar folder
	run -1 --separate-stderr anim-parse -q --force -o a.axs a.tar
	[ "$stderr" = "anim-parse: a.tar: a tar archive, but not a Unity package: unpack it first: tar xf FILE" ]
}

@test "an asset with errors is named by its path in the package, and left out with --keep-going" {
	cp -R "$PROJECT" project
	sed -i 's/value: .*/value: {/' project/Assets/Anims/Run.anim
	FROM=project pack a.unitypackage
	run -1 --separate-stderr anim-parse -q --force -o a.axs a.unitypackage
	[[ ${stderr_lines[0]} == "anim-parse: a.unitypackage:Assets/Anims/Run.anim:"* ]]
	[ ! -e a.axs ]
	run -0 --separate-stderr anim-parse -q --keep-going --force -o a.axs a.unitypackage
	[[ $stderr == *"a.unitypackage:Assets/Anims/Run.anim"* ]]
	pipe "anim-info -l a.axs | grep -c '^[A-Z]'"
	[ "$output" -eq 8 ]
	printf 'binary\0' >project/Assets/Anims/Run.anim
	FROM=project pack a.unitypackage
	run -0 --separate-stderr anim-parse -q --force -o a.axs a.unitypackage
	[ "$stderr" = "anim-parse: a.unitypackage: warning: clip 'Assets/Anims/Run.anim': left out, because of binary data: set Asset Serialization to Force Text" ]
	# nobody asks for the binary one
	run -0 --separate-stderr anim-parse -q -x asset=Walk.anim --force -o a.axs a.unitypackage
	[ -z "$stderr" ]
}

@test "a clip without a path is left out with a warning, a reference out of the package is named" {
	pack a.unitypackage name=eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeef/asset
	rm -rf project && mkdir -p project/Assets
	cp "$PROJECT"/Assets/Hero.prefab* "$PROJECT"/Assets/Hero.overrideController* project/Assets
	FROM=project pack b.unitypackage
	run -0 --separate-stderr anim-parse -q -x asset=Hero.prefab --force -o b.axs b.unitypackage
	[[ $stderr == *"b.unitypackage:Assets/Hero."*"not found in"*"in the package"* ]]
	run -0 --separate-stderr anim-parse -q --force -o b.axs b.unitypackage
	[ "$stderr" = "anim-parse: b.unitypackage: warning: no animation in this package" ]
}

@test "an archive that inflates far more text than its size is refused, unless its size is trusted" {
	not_bytewise "inflating is what it is about"
	not_sanitized "inflating is what it is about"
	mkdir -p project/Assets
	printf 'fileFormatVersion: 2\nguid: eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\n' >project/Assets/a.anim.meta
	{
		printf '%%YAML 1.1\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: a\n  m_Bounds:\n'
		head -c $((100 << 20)) /dev/zero | tr '\0' ' '
	} >project/Assets/a.anim
	FROM=project pack a.unitypackage
	[ "$(wc -c <a.unitypackage)" -lt 200000 ]
	run -1 --separate-stderr anim-parse -q --force -o a.axs a.unitypackage
	[[ $stderr == "anim-parse: a.unitypackage: "*"more than 67108864 bytes of text inflate from "*"; if you trust the file, use -x trust-size" ]]
}

@test "textures and models are passed over, in little memory" {
	not_sanitized "its own memory would be measured"
	not_bytewise "it is about memory"
	"${CC:-cc}" -O1 -std=c11 -D_XOPEN_SOURCE=700 -o peak "$ROOT/tests/bench/peak.c"
	pack a.unitypackage huge
	clips a.unitypackage >got
	[ "$(grep -c '^{"clip"' got)" -eq 9 ]
	./peak 3>size anim-parse -q a.unitypackage --force -o a.axs
	[ "$(cat size)" -le 8192 ] || { cat size && false; }
	pack a.tar huge tar
	./peak 3>size anim-parse -q a.tar --force -o a.axs
	[ "$(cat size)" -le 8192 ] || { cat size && false; }
}
