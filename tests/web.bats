#!/usr/bin/env bats
# The page that converts files in a browser (packaging/web), in headless Chromium and Firefox. web/run.mjs has the checks.

load helper

# The page needs what `make wasm` makes, and the browsers need npm's packages puppeteer-core and axe-core.
setup_file() {
	export MISSING=''
	modules=$ROOT/build/web/node_modules
	for module in puppeteer-core axe-core; do
		[ -d "$modules/$module" ] || MISSING="npm's $module is not installed: npm install --prefix build/web puppeteer-core axe-core"
	done
	[ -e "$ROOT/build/wasm-libraries/complete" ] || MISSING="there are no libraries in build/wasm-libraries: .ci/deps wasm and packaging/wasm/build libraries"
	command -v emcc >/dev/null || MISSING="emscripten is not installed"
	command -v node >/dev/null || MISSING="node is not installed"
	chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || true
	firefox=$(command -v firefox-esr || command -v firefox) || true
	[ -n "$chromium$firefox" ] || MISSING="neither chromium nor firefox-esr is installed"
	[ -z "$MISSING" ] && [ "${ANIM_READ_MAX:-}" != 1 ] && ! sanitized || return 0
	cd "$BATS_FILE_TMPDIR" || return 1
	export TMPDIR=$PWD HOME=$PWD ANIM_WEB_MODULES=$modules LC_ALL=C.UTF-8 # for names of files
	make -s -C "$ROOT" wasm >wasm.txt 2>&1 || { cat wasm.txt && return 1; }
	"$ROOT/packaging/web/copy" page
	[ -z "$chromium" ] || node "$ROOT/tests/web/run.mjs" chromium "$chromium" page >chromium.log 2>&1 || true
	[ -z "$firefox" ] || node "$ROOT/tests/web/run.mjs" firefox "$firefox" page >firefox.log 2>&1 || true
}

# passes: the check of run.mjs with the name of this test passed in each browser that has what it needs, and in one at least.
passes() {
	local name=${BATS_TEST_DESCRIPTION#the page } log why
	not_bytewise "a browser looks at the page, which is the same"
	not_sanitized "a browser is waited for"
	[ -z "$MISSING" ] || skip "$MISSING"
	why=$(sed -n "s/^skip $name: //p" "$BATS_FILE_TMPDIR"/*.log)
	for log in "$BATS_FILE_TMPDIR"/*.log; do
		grep -qF -e "ok $name (" -e "skip $name: " "$log" || {
			echo "$log"
			awk -v name="not ok $name" '/^(not )?ok / { found = index($0, name) == 1 } found' "$log"
			tail -n 3 "$log"
			return 1
		} >&2
	done
	grep -qF "ok $name (" "$BATS_FILE_TMPDIR"/*.log || skip "$why"
}

@test "the page loads without a complaint and asks its own files alone" {
	passes
}

@test "the page lists the clips of dropped files and plays the first one" {
	passes
}

@test "the page reads a dropped folder with the files that a scene refers to" {
	passes
}

@test "the page shows each message without the names of programs and files, beside its file" {
	passes
}

@test "the page writes the bytes of the native programs, in each format" {
	passes
}

@test "the page writes the bytes of the native programs, for files by others" {
	passes
}

@test "the page passes on the options, the clips and the skeleton" {
	passes
}

@test "the page writes a file for each clip, and all files as a zip archive" {
	passes
}

@test "the page compares a result with its source" {
	passes
}

@test "the page plays a result without a skeleton on the skeleton of its conversion" {
	passes
}

@test "the page shows a character with its skin, beside its source, and as a skeleton" {
	passes
}

@test "the page plays a VRM animation as three-vrm does" {
	passes
}

@test "the page shows a skeleton where a skin cannot be shown" {
	passes
}

@test "the page says what a browser without WebGL 2 lacks, and shows the skeleton" {
	passes
}

@test "the page sets the format, the names and the rate for a program" {
	passes
}

@test "the page shows the bones of both skeletons, and passes on, saves and loads a list" {
	passes
}

@test "the page goes to the results, and shows a help text" {
	passes
}

@test "the page leads from what looks wrong to the fields that change it" {
	passes
}

@test "the page says what a target lacks, and reads it again when that is there" {
	passes
}

@test "the page says how high motion capture is, and offers its unit" {
	passes
}

@test "the page keeps two files of one name, and asks again for a file that changed" {
	passes
}

@test "the page refuses damaged files with the message of the program, and goes on" {
	passes
}

@test "the page shows hostile names as text and never as options or tags" {
	passes
}

@test "the page sends nothing: its policy refuses other addresses, and code in a text" {
	passes
}

@test "the page stays responsive while a large file is converted, with progress, and cancels" {
	passes
}

@test "the page needs no more memory after 50 conversions than after 5" {
	passes
}

@test "the page works without its server, after a cancellation and when it is loaded again" {
	passes
}

@test "the page can be used with the keyboard alone" {
	passes
}

@test "the page has no violation that axe finds, light, dark and narrow" {
	passes
}

@test "command lines are quoted, split and named as a shell and the programs read them" {
	command -v node >/dev/null || skip "node is not installed"
	node "$ROOT/tests/web/command.mjs"
}

@test "the table of bones finds, marks, changes, saves and loads pairs" {
	command -v node >/dev/null || skip "node is not installed"
	node "$ROOT/tests/web/bones.mjs"
}

@test "the site has the page, and its links lead somewhere" {
	not_bytewise "the programs are not run"
	not_sanitized "the programs are not run"
	[ -z "$MISSING" ] || skip "$MISSING"
	command -v mandoc >/dev/null && command -v cmark-gfm >/dev/null || skip "mandoc or cmark-gfm is not installed"
	"$ROOT/man/site.sh" site "$ROOT/build/wasm"
	diff -r site/try "$BATS_FILE_TMPDIR/page"
	grep -qF '<a href="try/index.html">Try it</a>' site/index.html
	grep -qF '<a href="../try/index.html">Try it</a>' site/man/anim.7.html
	python3 "$ROOT/tests/site.py" site
}

@test "each check of run.mjs has a test here" {
	diff <(sed -n 's/^	async "\(.*\)"(.*/\1/p' "$ROOT/tests/web/run.mjs") <(sed -n 's/^@test "the page \(.*\)" {$/\1/p' "$BATS_TEST_FILENAME")
}
