#!/usr/bin/env bats
# The npm package: the commands in Node print and write the same bytes as the native programs, and the module opens, converts and
# refuses files. `make npm` makes the package. Here it is made only if the libraries that it needs are in build/wasm-libraries,
# because compiling them takes minutes: .ci/deps wasm and packaging/wasm/build libraries.

load helper

TARGETS="glb anim tscn animj bvh csv fbx"

setup_file() {
	load helper
	! sanitized || return 0
	[ "${ANIM_READ_MAX:-}" != 1 ] || return 0
	local missing=
	for command in emcc wasm-opt node dpkg-source; do command -v $command >/dev/null || missing=$command; done
	[ -e "$ROOT/build/wasm-libraries/complete" ] || missing="libraries in build/wasm-libraries"
	[ -z "$missing" ] || { echo "no $missing: .ci/deps wasm and make npm" >"$BATS_FILE_TMPDIR/skip"; return 0; }
	make -s -C "$ROOT" npm >"$BATS_FILE_TMPDIR/log" 2>&1 || { cat "$BATS_FILE_TMPDIR/log"; return 1; }
	mkdir "$BATS_FILE_TMPDIR/user"
	cd "$BATS_FILE_TMPDIR/user" || return 1
	install_package "$ROOT"/build/anim-tools-*.tgz
}

# install_package FILE: as npm does it, which Debian's nodejs does not have.
install_package() {
	if command -v npm >/dev/null; then
		npm install --offline --no-audit --no-fund --silent "$1"
	else
		mkdir -p node_modules/.bin
		tar -xzf "$1" -C node_modules
		mv node_modules/package node_modules/anim-tools
		for name in anim anim-tools; do ln -s ../anim-tools/cli.mjs node_modules/.bin/$name; done
	fi
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_bytewise "native programs are compared with WebAssembly"
	not_sanitized "native programs are compared with WebAssembly"
	[ ! -e "$BATS_FILE_TMPDIR/skip" ] || skip "$(cat "$BATS_FILE_TMPDIR/skip")"
	PACKAGE=$BATS_FILE_TMPDIR/user/node_modules/anim-tools
	NPM=$BATS_FILE_TMPDIR/user/node_modules/.bin
	ln -s "$BATS_FILE_TMPDIR/user/node_modules" . # so that scripts find the package by its name
}

# both LINES: run each line, a name and a command line, natively in the folder ours and in Node in the folder theirs. Both
# folders have the same files.
both() {
	cp -R ours theirs
	(cd ours && while read -r name line; do
		# shellcheck disable=SC2086 # words
		"$ANIM_BUILD/bin/anim" $line >"$name.out" 2>"$name.err" </dev/null || echo "status $?" >>"$name.err"
	done <"../$1")
	sed 's/[^ ]*/"&"/g; s/ /,/g; s/^\("[^"]*"\),\(.*\)/[\1,["anim",\2]]/' "$1" | (cd theirs && node "$ROOT/tests/npm_run.mjs" "$PACKAGE")
	diff -rq ours theirs
}

# lines NAME COUNT "TARGET..." FILE...: command lines that show each file and convert it to COUNT of the targets, which take turns.
lines() {
	local n=0 i file target targets
	read -ra targets <<<"$3"
	for file in "${@:4}"; do
		n=$((n + 1))
		echo "$1$n.info info --json $file"
		for ((i = 0; i < $2; i++)); do
			target=${targets[$(((n + i) % ${#targets[@]}))]}
			echo "$1$n.$target convert --force $file $1$n.$target"
		done
	done
}

# found FOLDER...: the files to read. Compressed ones repeat others, and one has a size that a limit for 32 bits refuses.
found() { find "$@" -type f ! -name '*.gz' ! -name keys_2_63.animx ! -name '* *' | sort; }

@test "the commands are those of the package, and anim list does not name them as programs" {
	for name in anim anim-tools; do [ "$("$NPM/$name" --version)" = "$(anim --version)" ]; done
	PATH="$NPM:/usr/bin:/bin" run "$NPM/anim" list
	[ "$status" -eq 0 ]
	[[ $output == *resample* && $output != *tools* ]]
	run --separate-stderr "$NPM/anim-tools" convert "$ROOT/examples/walker.tscn" walk.glb
	[ "$status" -eq 0 ]
	anim convert "$ROOT/examples/walker.tscn" native.glb
	same native.glb walk.glb
}

# With ANIM_LONG, each file becomes several formats, otherwise one, and the formats take turns.
@test "all examples and test files give the same bytes and messages as the native programs" {
	local each=${ANIM_LONG:+3}
	mkdir -p ours/in
	cp -R "$ROOT"/examples/*.tscn "$DATA"/{godot,godot-binary,unity,animj,animx,gltf,bvh,bake,fbx} ours/in
	(
		cd ours
		lines a "${each:-1}" "$TARGETS" in/*.tscn $(found in/{godot,godot-binary,gltf,bvh,bake,fbx})
		lines b "${each:-1}" "anim animj csv tscn" $(found in/unity)
		lines c "${each:-1}" "animj csv glb" $(found in/anim[jx]) # their curves would be 100 MB as keys of Godot
	) >all
	[ "$(wc -l <all)" -gt 500 ]
	both all
	[ "$(ls theirs/*.{glb,anim,tscn,animj,bvh,csv} | wc -l)" -gt 100 ]
	[ -z "$(grep -l '^status 1[0-9][0-9]' theirs/*.err)" ]
}

@test "files by others give the same bytes and messages" {
	[ -d "$ANIM_CORPUS/godot" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	mkdir ours
	for folder in godot unity gltf bvh fbx resonite; do
		find "$(cd "$ANIM_CORPUS" && pwd)/$folder" -type f -size -2000k -regex '.*\.\(tscn\|tres\|escn\|anim\|glb\|gltf\|bvh\|fbx\|animx\|animj\)' |
			grep -v ' ' | sort | head -n 12
	done >files
	[ "$(wc -l <files)" -ge 60 ]
	# shellcheck disable=SC2046 # names without spaces
	lines a $((${ANIM_LONG:+5} + 1)) "$TARGETS" $(cat files) >all
	both all
}

@test "hostile files get the same message and never crash" {
	mkdir ours
	# Two limits are lower if addresses have 32 bits.
	find "$ROOT/tests/fuzz/corpus" -type f ! -name keys_2_63.animx ! -name frames-too-many.bvh ! -name '* *' | sort |
		awk '{ print NR " info " $0 }' >all
	both all
	[ -z "$(grep -l '^status 1[0-9][0-9]' theirs/*.err)" ]
}

@test "a pipe of commands gives the bytes of native programs, in both directions" {
	anim parse -q "$ROOT/examples/walker.tscn" >whole.axs
	anim resample -q 30 <whole.axs >native.axs
	pipe "'$NPM/anim' parse -q '$ROOT/examples/walker.tscn' | '$NPM/anim' resample -q 30 | '$NPM/anim' emit -q animj >theirs.animj"
	[ "$status" -eq 0 ]
	anim emit -q animj <native.axs >ours.animj
	same ours.animj theirs.animj
	"$NPM/anim" resample -q 30 <whole.axs >from_file.axs # the descriptor of a file, not of a pipe
	same native.axs from_file.axs
	cat whole.axs whole.axs | head -c 100 >short.axs
	run --separate-stderr "$NPM/anim" info short.axs
	[ "$status" -eq 1 ]
}

@test "errors have the status and the message of native programs, and leave no file" {
	run --separate-stderr "$NPM/anim" convert missing.tscn out.glb
	[ "$status" -eq 1 ]
	[ "$stderr" = "anim-convert: missing.tscn: cannot open: No such file or directory" ]
	run --separate-stderr "$NPM/anim" resample --no-such-option
	[ "$status" -eq 2 ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	head -c 2000 "$ROOT/examples/walker.tscn" >cut.tscn
	run --separate-stderr "$NPM/anim" convert cut.tscn out.glb
	[ "$status" -eq 1 ]
	[[ $stderr == *cut.tscn:* ]]
	[ "$(ls -A | grep -v -e node_modules -e '^separate')" = cut.tscn ]
	if [ -e /dev/full ]; then
		run --separate-stderr bash -c "'$NPM/anim' parse '$ROOT/examples/walker.tscn' >/dev/full"
		[ "$status" -eq 1 ]
		[[ $stderr == *"No space left on device"* ]]
	fi
}

@test "a reader that closes the pipe ends the command silently, as by SIGPIPE" {
	run --separate-stderr bash -c "{ '$NPM/anim' dump -q '$ROOT/examples/walker.tscn' || echo \$? >status; } | true"
	echo "$stderr"
	[ -z "$stderr" ]
	[ "$(cat status)" -eq 141 ]
}

@test "a terminal gets colours, and binary data is not written to it" {
	need_terminal
	run script -qec "'$NPM/anim' info '$ROOT/examples/walker.tscn'" /dev/null </dev/null
	[[ $output == *$'\e['* ]]
	run script -qec "'$NPM/anim' parse '$ROOT/examples/walker.tscn'" /dev/null </dev/null
	[ "$status" -ne 0 ]
	run "$NPM/anim" info "$ROOT/examples/walker.tscn"
	[[ $output != *$'\e['* ]]
	run script -qec "stty cols 50; NO_COLOR=1 '$NPM/anim' plot '$ROOT/examples/walker.tscn'" /dev/null </dev/null
	ours=$(script -qec "stty cols 50; NO_COLOR=1 anim plot '$ROOT/examples/walker.tscn'" /dev/null </dev/null)
	[ "$output" = "$ours" ]
}

@test "another program in PATH runs through anim, with its status" {
	mkdir bin
	printf '#!/bin/sh\necho "hello $1"; exit 7\n' >bin/anim-hello
	chmod +x bin/anim-hello
	PATH="$PWD/bin:$PATH" run "$NPM/anim" hello you
	[ "$status" -eq 7 ]
	[ "$output" = "hello you" ]
}

@test "paths of Windows: a drive after a joined folder, backslashes in arguments, patterns" {
	cat >test.mjs <<-'JS'
		import assert from 'node:assert';
		const { argumentFromWindows, posixFromWindows, windowsFromPosix } = await import(process.argv[2]);
		const is = assert.strictEqual, exists = folder => ['clips', 'clips\\walk'].includes(folder);

		is(posixFromWindows('C:\\Users\\me'), '/C:/Users/me');
		is(posixFromWindows('\\\\server\\share\\a'), '//server/share/a');
		is(posixFromWindows('\\\\?\\C:\\a'), '/C:/a');
		is(windowsFromPosix('/C:/Users/me/walk.tscn'), 'C:/Users/me/walk.tscn');
		is(windowsFromPosix('/C:/Users/me/D:/walk.tscn'), 'D:/walk.tscn');
		is(windowsFromPosix('//server/share/a'), '//server/share/a');
		is(windowsFromPosix('/dev/null'), '\\\\.\\nul');
		is(windowsFromPosix('folder/walk.tscn'), 'folder/walk.tscn');
		is(argumentFromWindows('clips\\walk.tscn', exists), 'clips/walk.tscn');
		is(argumentFromWindows('clips\\walk\\new.glb', exists), 'clips/walk/new.glb');
		is(argumentFromWindows('C:\\new\\walk.glb', exists), 'C:/new/walk.glb');
		is(argumentFromWindows('--output=clips\\walk.glb', exists), '--output=clips/walk.glb');
		is(argumentFromWindows('Hips\\*', exists), 'Hips\\*');
		is(argumentFromWindows('walk.tscn', exists), 'walk.tscn');
	JS
	node test.mjs "$PACKAGE/paths.mjs"
}

@test "a scene with line ends of Windows gives the same bytes" {
	sed 's/$/\r/' "$ROOT/examples/walker.tscn" >walk.tscn
	"$NPM/anim" convert -q walk.tscn theirs.glb
	anim convert -q walk.tscn ours.glb
	same ours.glb theirs.glb
}

@test "the module converts files in memory, and its errors have the message of the programs" {
	cp "$ROOT/examples/walker.tscn" walk.tscn
	anim convert -q walk.tscn walk.glb
	anim convert -q -n '*:Hips' -n '*:Spine' -r 24 walk.tscn some.tres
	cat >test.mjs <<-'JS'
		import { load, AnimError } from 'anim-tools';
		import assert from 'node:assert';
		import fs from 'node:fs';

		const anim = await load(), bytes = fs.readFileSync('walk.tscn'), messages = [], before = Buffer.from(bytes);
		const onmessage = (text, info) => messages.push({ text, ...info });
		const files = await anim.convert(bytes, { name: 'walk.tscn', to: 'out/walk.glb', onmessage });
		assert.deepEqual(Object.keys(files), ['out/walk.glb']);
		assert(fs.readFileSync('walk.glb').equals(files['out/walk.glb']));
		const [note] = messages.filter(({ text }) => text.startsWith("walk.tscn: 'walk': note: ") && text.includes('degrees'));
		assert.deepEqual([note.level, note.clip, note.unit], ['note', 'walk', 'degrees']);
		assert(note.count > 0 && note.worst > 0 && note.worst < 0.1);
		const some = await anim.convert(bytes, { name: 'walk.tscn', to: 'some.tres', options: { node: ['*:Hips', '*:Spine'], rate: 24 } });
		assert(fs.readFileSync('some.tres').equals(some['some.tres']));
		assert(before.equals(bytes));

		const fails = async (call, code, pattern) => assert.rejects(call, error => {
			assert(error instanceof AnimError && error instanceof Error);
			assert.equal(error.code, code, error.message);
			assert.match(error.message, pattern);
			return true;
		});
		await fails(anim.convert(bytes.subarray(0, 900), { name: 'walk.tscn', to: 'a.glb' }), 'input', /^walk\.tscn:\d+:/);
		await fails(anim.convert(bytes, { name: 'walk.tscn', to: 'a.glb', options: { rate: 'x' } }), 'call', /'x' is not a rate/);
		await fails(anim.convert(bytes, { name: 'walk.tscn', to: 'a.glb', options: { mirrored: true } }), 'call', /'--mirrored'; did you mean --mirror/);
		await fails(anim.convert(bytes, { name: 'walk.tscn', to: 'a.glb', options: { clip: 'none' } }), 'input', /no clip is named/);
		await fails(anim.convert(bytes, { name: 'walk.tscn' }), 'call', /the option to names the output/);
		await fails(anim.convert({ a: bytes, b: bytes }, { to: 'a.glb' }), 'call', /2 files are given/);
		await fails(anim.open(bytes.subarray(0, 900), { name: 'walk.tscn' }), 'input', /^walk\.tscn:\d+:/);
		await fails(anim.open(new Uint8Array(9)), 'input', /unknown file format/);

		const result = await anim.run(['anim', 'info', '-'], { stdin: bytes });
		assert.equal(result.status, 0);
		assert.match(new TextDecoder().decode(result.stdout), /^walk: 1.2 s/);
		const seen = [];
		await anim.run(['anim', 'info', 'w.tscn'], { files: { 'w.tscn': bytes }, onread: (...values) => seen.push(values) });
		assert.deepEqual(seen.at(-1), ['w.tscn', bytes.length, bytes.length]);
		const missing = await anim.run(['anim', 'info', 'other.tscn'], { files: { 'w.tscn': bytes } });
		assert.deepEqual([missing.status, Object.keys(missing.files)], [1, []]);
	JS
	node test.mjs
}

@test "a file may refer to others that are given, as in a folder" {
	mkdir -p project/part
	printf '[gd_scene load_steps=2 format=3]\n[ext_resource type="PackedScene" path="part/walker.tscn" id="1"]
		[node name="W" instance=ExtResource("1")]\n' >project/main.tscn
	cp "$ROOT/examples/walker.tscn" project/part
	(cd project && anim dump main.tscn >../ours)
	cat >test.mjs <<-'JS'
		import { load } from 'anim-tools';
		import fs from 'node:fs';

		const anim = await load(), names = ['main.tscn', 'part/walker.tscn'];
		const files = Object.fromEntries(names.map(name => [name, fs.readFileSync(`project/${name}`)]));
		const { stdout } = await anim.run(['anim', 'dump', 'main.tscn'], { files });
		const file = await anim.open(files, { name: 'main.tscn' });
		const alone = await anim.open(files, { name: 'main.tscn', external: false });

		fs.writeFileSync('theirs', stdout);
		console.log(file.clips.length, file.messages.length, file.trees[0].find('Skeleton3D:Hips').name, alone.trees[0].count);
	JS
	run node test.mjs
	echo "$output"
	[ "$output" = "1 0 Hips 1" ]
	same ours theirs
}

@test "a folder is converted, and its messages and status are those of native programs" {
	mkdir -p ours/in/sub
	cp "$ROOT/examples/box.tscn" ours/in
	cp "$ROOT/examples/crane.tscn" ours/in/sub
	echo broken >ours/in/bad.tscn
	printf '%s\n' 'glb convert -f glb in out-glb' 'animj convert -f animj in out-animj' >list
	both list
	[ "$(find theirs/out-glb theirs/out-animj -type f | wc -l)" -ge 4 ]
}

@test "clips, tracks, keys, samples, nodes and transforms are those of the native library" {
	cat >test.mjs <<-'JS'
		import { load, AnimError } from 'anim-tools';
		import assert from 'node:assert';
		import fs from 'node:fs';

		const anim = await load(), file = await anim.open(fs.readFileSync(process.argv[2]), { name: 'walker.tscn' });
		const [clip] = file.clips, times = clip.times('30'), hips = clip.find('Skeleton3D:Hips', 'rotation');
		const print = numbers => Array.from(numbers, number =>
			number !== 0 && Math.abs(number) < 1e-4 ? number.toExponential() : number.toString()).join(' '); // as Python does

		assert.equal(clip, file.clip('walk'));
		assert.equal(clip.find('Skeleton3D:Hips', 'nothing'), null);
		assert.throws(() => file.clip('none'), AnimError);
		assert.throws(() => clip.tree.find('none'), AnimError);
		assert.throws(() => clip.times(), /no rate of its own/);
		assert.throws(() => clip.world(times, 1000), AnimError);
		assert.throws(() => hips.keys('nothing'), AnimError);
		assert.equal(hips.keys('left'), null);
		assert.equal(hips.keys().length, 4 * hips.count);
		assert.deepEqual(hips.modes, Array(hips.count).fill('CubicTime'));
		console.log(clip.name, clip.duration, clip.loop, clip.source, clip.count, clip.attributes.player);
		console.log(print(times));
		for (const track of clip.tracks)
			console.log(track.node, track.property, track.type, track.count, print(track.keys('times')), print(track.sample(times)));
		for (const node of clip.tree.nodes)
			console.log(node.path, node.kind, node.parent ?? -1, print(node.position), print(node.rotation));
		console.log(print(clip.world([0, 0.3, 1.1])));
		console.log(print(clip.world([0.3], 'Skeleton3D:Hips')));
		file.close();
		assert.throws(() => clip.times(30), /closed/);
	JS
	node test.mjs "$ROOT/examples/walker.tscn" >theirs
	command -v python3 >/dev/null || skip "python3 is not installed"
	cat >test.py <<-'PY'
		import sys
		import anim
		anim.numpy = None
		def show(number):
		    return str(int(number)) if number == int(number) else repr(number)
		def text(numbers):
		    return " ".join(show(number) for number in numbers)
		with anim.open(sys.argv[1]) as file:
		    clip = file["walk"]
		    times = clip.times("30")
		    print(clip.name, show(clip.duration), clip.loop, clip.source, len(clip), clip.attributes["player"])
		    print(text(times))
		    for track in clip:
		        print(track.node, track.property, track.type, track.count, text(track.times), text(track.sample(times=times)))
		    for node in clip.tree.nodes:
		        print(node.path, node.kind, -1 if node.parent is None else node.parent, text(node.position), text(node.rotation))
		    print(text(clip.world(times=[0, 0.3, 1.1])))
		    print(text(clip.world(times=[0.3], node="Skeleton3D:Hips")))
	PY
	ANIM_LIBRARY="$ANIM_BUILD/lib/libanim.so" PYTHONPATH="$ROOT/lib/api" python3 test.py "$ROOT/examples/walker.tscn" >ours
	sed -i 's/e-0\([0-9]\)/e-\1/g' ours # Python writes two digits
	diff <(tr ' ' '\n' <ours) <(tr ' ' '\n' <theirs)
}

@test "two workers convert at the same time, and one instance several files, to the bytes of native programs" {
	cp "$ROOT"/examples/{walker,crane}.tscn .
	anim convert -q walker.tscn walker.glb
	anim convert -q crane.tscn crane.glb
	cat >test.mjs <<-'JS'
		import { load } from 'anim-tools';
		import assert from 'node:assert';
		import fs from 'node:fs';
		import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

		const convert = async (anim, name) => (await anim.convert(fs.readFileSync(`${name}.tscn`), { name: `${name}.tscn`, to: 'x.glb' }))['x.glb'];
		const same = (name, bytes) => assert(fs.readFileSync(`${name}.glb`).equals(bytes), name);
		const anim = await load(), names = ['walker', 'crane'];
		if (isMainThread) {
			const made = await Promise.all(names.map(workerData => new Promise((resolve, reject) => {
				new Worker(new URL(import.meta.url), { workerData }).on('message', resolve).on('error', reject);
			})));
			made.forEach((each, i) => each.forEach(bytes => same(names[i], bytes)));
			const mixed = await Promise.all([...names, ...names].map(name => convert(anim, name)));
			mixed.forEach((bytes, i) => same(names[i % 2], bytes));
		} else {
			const made = [];
			for (let i = 0; i < 5; i++)
				made.push(await convert(anim, workerData));
			parentPort.postMessage(made);
		}
	JS
	node test.mjs
}

@test "50 conversions need no more memory than 5" {
	cat >test.mjs <<-'JS'
		import { load } from 'anim-tools';
		import fs from 'node:fs';

		const anim = await load(), bytes = fs.readFileSync(process.argv[2]);
		const used = async count => {
			for (let i = 0; i < count; i++)
				await anim.convert(bytes, { name: 'walker.tscn', to: 'walker.glb' });
			globalThis.gc();
			await new Promise(resolve => setTimeout(resolve, 50));
			globalThis.gc();
			return process.memoryUsage().rss / 1e6;
		};
		const early = await used(5), late = await used(50);

		if (late > early + 64) // of the heap of V8, which the runs do not keep
			throw new Error(`${early} MB after 5, ${late} MB after 55`);
	JS
	node --expose-gc test.mjs "$ROOT/examples/walker.tscn"
}

@test "the module has at most 1.2 MB after gzip, and a start costs at most 150 ms of a processor" {
	[ "$(gzip -9c "$PACKAGE/anim.wasm" | wc -c)" -le 1200000 ]
	# The least processor time of eleven runs each, which take turns: neighbours on the machine come and go.
	local TIMEFORMAT='%U %S' i
	for i in 1 2 3 4 5 6 7 8 9 10 11; do
		{ time node -e 0; } 2>>plain
		{ time node "$PACKAGE/cli.mjs" --version >/dev/null; } 2>>ours
	done
	least() { awk '{ t = $1 + $2; if (NR == 1 || t < least) least = t } END { print least }' "$1"; }
	plain=$(least plain)
	ours=$(least ours)
	echo "node: $plain s, anim: $ours s"
	awk -v a="$plain" -v b="$ours" 'BEGIN { exit !(b - a <= 0.15) }'
}

@test "the package has the version of the programs, its types name all exports of the module" {
	node -e '
		const info = JSON.parse(require("fs").readFileSync(process.argv[1] + "/package.json"));
		if (`anim ${info.version}` !== process.argv[2]) throw new Error(info.version);
	' "$PACKAGE" "$(anim --version | head -n 1)"
	cat >test.mjs <<-'JS'
		import * as all from 'anim-tools';
		import { readFileSync } from 'node:fs';

		const types = readFileSync(process.argv[2] + '/anim.d.mts', 'utf8');
		const named = [...types.matchAll(/^export (?:class|function) (\w+)/gm)].map(match => match[1]).sort();
		if (named.join() !== Object.keys(all).sort().join())
			throw new Error(`types: ${named}, module: ${Object.keys(all)}`);
	JS
	node test.mjs "$PACKAGE"
	# One member for each option in the help, with the form of its value.
	for line in 'clip?: Value' 'keepGoing?: boolean' 'loopName?: boolean' 'expression?: Value' 'digits?: Value'; do
		grep -qxF "	$line;" "$PACKAGE/options.d.mts"
	done
	[ "$(grep -c '?: ' "$PACKAGE/options.d.mts")" -eq "$(anim convert --help all | grep -E '^  (-.,|   ) --|^  -x [a-z]' |
		grep -cvE -- '--(output|help|version|verbose|dry-run|set|list|jobs|quiet)( |$)')" ]
}

@test "the chain of determinism.bats gives the same files" {
	[ -n "${ANIM_LONG:-}" ] || skip "only with ANIM_LONG set: Node starts 400 times"
	mkdir bin
	for program in $(grep -o 'anim-[a-z]*' "$ROOT/tests/chain.sh" | sort -u); do
		printf '#!/bin/sh\nexec "%s/anim" %s "$@"\n' "$NPM" "${program#anim-}" >"bin/$program"
	done
	chmod +x bin/*
	"$ROOT/tests/chain.sh" "$ANIM_BUILD/bin" ours
	"$ROOT/tests/chain.sh" "$PWD/bin" theirs
	diff -rq ours theirs
}

@test "a crash ends a command with a message, and its temporary file is removed" {
	cat >crash.mjs <<-'JS'
		import fs from 'node:fs';
		fs.renameSync = () => { throw new RangeError('a trap'); }; // at the end of the run
	JS
	cp "$ROOT/examples/walker.tscn" walk.tscn
	run --separate-stderr node --import ./crash.mjs "$PACKAGE/cli.mjs" convert -q walk.tscn out.glb
	[ "$status" -eq 134 ]
	[ "$stderr" = "anim: the program crashed: a trap" ]
	[ -z "$(ls -A | grep -e '^\.anim' -e out.glb)" ]
}

@test "an interrupt ends a command by its signal, and its temporary file is removed" {
	local child ends=0
	cat >wait.mjs <<-'JS'
		import fs from 'node:fs';
		fs.renameSync = () => { fs.writeFileSync('ready', ''); for (;;); }; // at the end of the run
	JS
	cp "$ROOT/examples/walker.tscn" walk.tscn
	set -m # without it, background jobs ignore interrupts
	node --import ./wait.mjs "$PACKAGE/cli.mjs" convert -q walk.tscn out.glb 2>said &
	child=$!
	until [ -e ready ]; do sleep 0.05; done
	ls -A | grep '^\.anim'
	kill -INT "$child"
	wait "$child" || ends=$?
	[ "$ends" -eq 130 ]
	[ ! -s said ]
	[ -z "$(ls -A | grep -e '^\.anim' -e out.glb)" ]
}
