#!/usr/bin/env bats
# The library of anim(3) as it is installed: what it exports, programs built against it, and their values.

load helper

# Installed once, with the flags of the build under test; programs are compiled against that.
setup_file() {
	prefix=$BATS_FILE_TMPDIR/prefix
	make -s -C "$ROOT" B="$ANIM_BUILD" flags="$(cat "$ANIM_BUILD/flags")" PREFIX="$prefix" install_lib
	export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	prefix=$BATS_FILE_TMPDIR/prefix
}

# compile [-x LANGUAGE] OUT SOURCE...: with pkg-config's words alone, and the sanitizers where the library has them.
compile() {
	local compiler=${CC:-cc} standard=-std=c11 out=$1
	case $2 in *.cpp) compiler=${CXX:-c++} standard=-std=c++11 ;; esac
	command -v pkg-config >/dev/null || skip "pkg-config is not installed"
	command -v "${compiler%% *}" >/dev/null || skip "${compiler%% *} is not installed"
	# shellcheck disable=SC2046,SC2086 # lists of words
	$compiler $standard -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Werror $(! sanitized || echo -fsanitize=address,undefined) \
		-o "$out" "${@:2}" $(pkg-config --cflags --libs anim) -pthread
}

@test "the shared library exports what anim.map names, each under its version, and nothing else" {
	command -v nm >/dev/null || skip "nm is not installed"
	awk '$2 == "{" { version = $1 } $1 ~ /^anim_/ { sub(";", "", $1); print $1 "@@" version }' "$ROOT/lib/api/anim.map" | sort >named
	nm -D --defined-only "$prefix/lib/libanim.so" | awk '$2 == "T" { print $3 }' | sort | diff named -
	grep -vE '^ ?(/\*| \*|\*)' "$ROOT/lib/api/anim.h" | grep -oE 'anim_[a-z_]+\(' | tr -d '(' | sort | diff <(sed 's/@.*//' named) -
	[ "$(readlink "$prefix/lib/libanim.so")" = libanim.so.1 ]
}

@test "the shared library calls nothing that other threads disturb" {
	command -v nm >/dev/null || skip "nm is not installed"
	not_sanitized "assertions are for tests"
	nm -D --undefined-only "$prefix/lib/libanim.so" | awk '{ sub("@.*", "", $2); print $2 }' | sort >called
	grep -q '^malloc$' called
	# The programs' part of the library ends the process and prints only without a host, see the test of conversions below;
	# tests/layers.sh looks for such calls in all other parts.
	run -1 grep -xE '__assert(_fail)?|abort|_Exit|kill|strerror|strtok|setlocale|signal|perror|getopt(_long)?' called
}

@test "the static library shows no other names than the shared one" {
	command -v nm >/dev/null || skip "nm is not installed"
	nm -g --defined-only "$prefix/lib/libanim.a" | awk '$2 == "T" { print $3 }' | sort >shown
	diff <(grep -oE 'anim_[a-z_]+;' "$ROOT/lib/api/anim.map" | tr -d ';' | sort) shown
	not_sanitized "they have data of their own"
	[ "$(nm -g --defined-only "$prefix/lib/libanim.a" | awk 'NF == 3 && $2 != "T"' | wc -l)" -eq 0 ]
}

@test "no static of the library changes but lists of files and tables made once, and names that belong to a thread" {
	command -v nm >/dev/null || skip "nm is not installed"
	not_sanitized "they have data of their own"
	nm --format=sysv "$prefix/lib/libanim.a" | awk -F'|' '$7 ~ /^\.(data|bss)/ && $7 !~ /\.ro/ && $4 ~ /OBJECT/ { gsub(/ /, "", $1); print $1 }' |
		sort | diff <(printf '%s\n' at_end_of_program cli_formats_read cli_formats_written formats_listed free_temporaries hash_key rows rows_made temporaries) -
}

@test "every function is on the page" {
	for name in $(grep -oE 'anim_[a-z_]+;' "$ROOT/lib/api/anim.map" | tr -d ';'); do
		grep -qE "^\.F[no] $name\b" "$ROOT/man/anim.3" || { echo "$name" && false; }
	done
}

@test "uninstall leaves nothing of the library" {
	not_sanitized "of the Makefile"
	ours() { make -s -C "$ROOT" B="$ANIM_BUILD" flags="$(cat "$ANIM_BUILD/flags")" DESTDIR="$PWD/root" PREFIX=/usr libdir=/usr/lib/x "$@"; }
	ours install_lib
	grep -qx 'libdir=/usr/lib/x' root/usr/lib/x/pkgconfig/anim.pc
	[ -e root/usr/lib/x/libanim.so.1 ]
	[ -e root/usr/include/anim.h ]
	[ -e root/usr/share/man/man3/anim.3 ]
	[ -e root/usr/share/anim-tools/python/anim.py ]
	[ -e root/usr/share/anim-tools/python/anim.pyi ]
	ours uninstall
	[ -z "$(find root ! -type d)" ]
}

@test "a program in C sees the values of anim-resample, in all scenes of the oracles" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	compile evaluate "$ROOT/examples/api/evaluate.c"
	not_bytewise "the library does not read in such windows"
	set -- "$DATA"/oracle/*/*.t??? "$DATA"/oracle/*/*.anim "$DATA"/unity/*.anim "$DATA"/gltf/*.gl?? "$DATA"/bvh/*.bvh "$DATA"/animj/*.animj
	! sanitized || set -- "$1" "$2" "$3" "$DATA"/oracle/*/walk.tres
	for file; do
		[ -e "$file" ] || continue
		anim-parse -q "$file" 2>err | anim-resample -q --all 30 >in.axs 2>>err || continue
		anim-emit -q csv in.axs >>expected 2>>err || continue
		./evaluate "$file" 30 >>got 2>>err
		echo "$file" >>compared
	done
	sanitized || [ "$(wc -l <compared)" -gt 60 ]
	python3 "$ROOT/tests/api_values.py" expected got
}

@test "a program in C writes a stream that the programs read" {
	compile swing "$ROOT/examples/api/swing.c"
	./swing swing.axs
	[ "$(anim-dump swing.axs | grep -c '^track')" -eq 2 ]
	./swing | cmp - swing.axs
	run -1 --separate-stderr ./swing no/folder.axs
	[[ $stderr == "swing: no/folder.axs: cannot "* ]]
}

@test "a program in C++ sees where the nodes are" {
	compile where "$ROOT/examples/api/where.cpp"
	./where "$ROOT/examples/crane.tscn" 0.5 | grep -qxF "Skeleton3D:hook	1.3101	1.9071	-0.7567"
	run -1 --separate-stderr ./where "$ROOT/README.md" 0
	[[ $stderr == "where: $ROOT/README.md: unknown file format"* ]]
}

@test "a conversion in the process writes the bytes of anim convert, and ends and prints nothing" {
	local file format
	compile conversions "$ROOT/tests/conversions.c"
	set -- "$ROOT"/examples/*.tscn "$DATA"/gltf/interpolations.gltf "$DATA"/unity/clip_humanoid.anim "$DATA"/bvh/*.bvh "$DATA"/animj/*.animj
	[ -z "${ANIM_LONG:-}" ] || set -- "$@" "$ANIM_CORPUS"/{bvh,gltf,godot,humanoid,fbx}/*.{bvh,glb,tscn,tres,anim,fbx}
	! sanitized || set -- "$1" "$2"
	for file; do
		[ -f "$file" ] || continue
		for format in tscn glb animj anim bvh fbx; do
			rm -f "want.$format" "got.$format"
			anim-convert -q "$file" "want.$format" 2>/dev/null || true
			mkdir -p out && rm -f out/*
			run --separate-stderr ./conversions "$file" "out/want.$format" quiet
			[ -z "$output" ]
			if [ ! -e "want.$format" ]; then
				[ "$status" -eq 1 ] && [ ! -e "out/want.$format" ] || { echo "$file $format: $status" && false; }
				continue
			fi
			[ "$status" -eq 0 ] || { echo "$file $format: $stderr" && false; }
			cmp "want.$format" "out/want.$format"
			echo "$file" >>same
		done
	done
	sanitized || [ "$(wc -l <same)" -gt 40 ]
}

@test "faults, options and cancelling of a conversion in the process" {
	compile conversions "$ROOT/tests/conversions.c"
	cp "$ROOT/examples/walker.tscn" .
	failing() { # failing CODE WORDS ARGUMENT...
		run -1 --separate-stderr ./conversions "${@:3}"
		[[ -z $output && $stderr == "$1 "*"$2"* ]] || { echo "$stderr" && false; }
		[ ! -e x.glb ]
	}
	failing 100 "unknown option '--no-such'" walker.tscn x.glb no-such=1
	failing 100 "not the name of an option" walker.tscn x.glb -r=30
	failing 100 "the option help is for the program" walker.tscn x.glb help
	failing 100 "dry-run and verbose are for the program" walker.tscn x.glb dry-run
	failing 100 "'x.gbl'" walker.tscn x.gbl
	failing 100 "'abc' is not a rate" walker.tscn x.glb rate=abc
	failing 2 'none.tscn: cannot open' none.tscn x.glb
	failing 8 cancelled walker.tscn x.glb cancel
	failing 7 'strict' "$ROOT/examples/crane.tscn" x.glb strict
	printf '[gd_scene format=3]\n[node name="A" type=' >cut.tscn
	failing 1 'cut.tscn:2' cut.tscn x.glb
	failing 1 'no clip is named' walker.tscn x.glb clip=none
	printf 'mine' >x.tscn
	run -1 ./conversions walker.tscn x.tscn
	[ "$(cat x.tscn)" = mine ]
}

@test "a conversion reads a descriptor from its position, and writes one only after success" {
	compile conversions "$ROOT/tests/conversions.c"
	cp "$ROOT/examples/walker.tscn" .
	anim convert -q -r 24 walker.tscn want.glb
	# shellcheck disable=SC2002 # a pipe
	cat walker.tscn | ./conversions walker.tscn x.glb descriptors rate=24 >got.glb
	cmp want.glb got.glb
	{ echo before && cat walker.tscn; } >joined
	{ read -r _ && ./conversions walker.tscn x.glb descriptors rate=24 >>got.glb; } <joined
	cat want.glb want.glb | cmp - got.glb
	anim convert -q walker.tscn walker.axs.gz
	anim convert -q walker.axs.gz want.tres
	./conversions walker.axs.gz x.tres descriptors <walker.axs.gz | cmp want.tres -
	run -1 ./conversions walker.tscn x.glb descriptors < <(head -c 900 walker.tscn)
	[[ $output == "1 "*walker.tscn:* ]]
	run -1 bash -c './conversions walker.tscn x.glb descriptors <&-'
	[[ $output == "2 "*walker.tscn* ]]
	[ ! -e /dev/full ] || run -1 bash -c './conversions walker.tscn x.glb descriptors <walker.tscn >/dev/full'
	[[ $output == "2 "*output:* ]]
}

@test "a program in C retargets and converts in memory, and eight threads convert at once" {
	compile convert "$ROOT/examples/api/convert.c"
	compile conversions "$ROOT/tests/conversions.c"
	[ "$(wc -l <"$ROOT/examples/api/convert.c")" -le 30 ]
	anim convert -q --humanoid godot:mixamo "$ROOT/examples/walker.tscn" walk.fbx
	cp "$DATA/rests/b10_target.vrm" hero.vrm
	./convert walk.fbx hero.vrm got.glb got.tres
	for name in glb tres; do
		anim convert -q --retarget hero.vrm walk.fbx want.$name
		cmp want.$name got.$name
	done
	run -1 --separate-stderr ./convert walk.fbx none.vrm x.glb
	[[ $stderr == *model:* && ! -e x.glb ]]
	# From the end of the model to the first output, no call names a file.
	if command -v strace >/dev/null && ! sanitized; then
		strace -o calls ./convert walk.fbx hero.vrm got.glb got.tres
		sed -n '/^open.*"hero.vrm"/,/^open.*"got.tres"/p' calls >between
		[ "$(grep -c '^open.*"got\.' between)" -eq 2 ]
		run -1 grep -E '^[a-z0-9_]*(open|stat|access|link|rename|chdir|cwd|mkdir|pwrite|pread)[a-z0-9_]*\(' <(grep -vE '^open.*"(hero\.vrm|got\.glb|got\.tres)"|^newfstatat\([0-9]+, ""|^fstat\(' between)
		[ -z "$output" ]
	fi
	./conversions -t "$ROOT"/examples/*.tscn "$DATA"/gltf/*.glb "$DATA"/unity/clip_humanoid.anim "$DATA"/bvh/*.bvh
	if command -v valgrind >/dev/null && ! sanitized; then
		valgrind -q --error-exitcode=9 --leak-check=full ./convert walk.fbx hero.vrm x.glb x.tres
		valgrind -q --tool=helgrind --error-exitcode=9 ./conversions -h "$ROOT/examples/walker.tscn" "$DATA/unity/clip_humanoid.anim" \
			"$DATA/bvh/arm.bvh" walk.fbx
	fi
}

@test "every struct is on the page as it is in the header" {
	structs() { # member by member, without comments, in one line each
		awk '/^struct [a-z_]* {/ { on = 1 } on { sub(/\/\*.*/, ""); text = text " " $0 } on && /^}/ { print text; text = ""; on = 0 }' "$1" |
			sed 's/\*\([^ ]\)/* \1/g; s/[{},;]/ & /g' | awk '
			{ type = name = ""; for (i = 4; i < NF - 1; i++) {
				if ($i == ";") { print $2 type, name; type = ""; name = "" }
				else if ($i == ",") { print $2 type, name; name = "" }
				else { if (name != "" && name != "*") type = type " " name; name = name == "*" ? "*" $i : $i } } }'
	}
	structs "$ROOT/lib/api/anim.h" | sort >header
	structs "$ROOT/man/anim.3" | sort | diff header -
}

@test "the program on the page and the one in the cookbook can be compiled unchanged" {
	awk '/^\.Sh EXAMPLES/ { on = 1 } on && /^\.Ed/ { exit } on && block { print } on && /^\.Bd/ { block = 1 }' "$ROOT/man/anim.3" |
		sed 's/\\e/\\/g; s/\\&//g' >page.c
	compile page page.c
	cp "$ROOT/examples/crane.tscn" .
	./page crane.tscn | grep -qxF "lift Skeleton3D:hook position 0.5 1 -0.625"
	sed -n '/^## C and Python/,/^## Speed/s/^    //p' "$ROOT/COOKBOOK.md" >section
	sed -n '/^#include/,/^}/p' section >hook.c
	compile hook hook.c
	./hook | diff <(sed -n '/\.\/hook$/{n;p;}' section) -
}

@test "eight threads with a handle each come to the same bytes" {
	compile threads "$ROOT/tests/threads.c"
	run -0 ./threads "$ROOT"/examples/*.tscn "$DATA"/oracle/godot-4.7/walk.tres "$DATA"/unity/*.anim "$DATA"/gltf/*.glb "$DATA"/animj/*.animj
	[[ $output =~ ^[0-9a-f]{16}$ ]]
}

@test "numbers for kinds, types and modes, tracks by the name of a bone, and times in one call" {
	cat >ids.c <<-'C'
		#include <anim.h>
		#include <assert.h>
		#include <string.h>

		int main(void)
		{
			struct anim *h = anim_open("crane.tscn", NULL, NULL);
			struct anim_clip_info clip = {.size = sizeof clip};
			struct anim_track_info track = {.size = sizeof track};
			struct anim_writer *w = anim_write_open("ids.axs", NULL, NULL);
			ptrdiff_t found = anim_find_named(h, 0, 0, "base", "rotation"), count;
			double *times, own[64], modes[64];

			assert(found >= 0 && found == anim_find_track(h, 0, 0, "Skeleton3D:base", "rotation"));
			assert(anim_find_named(h, 0, 0, "base", NULL) == found && anim_find_named(h, 0, 0, "Skeleton3D:base", NULL) < 0);
			assert(anim_find_named(h, 0, (size_t)found + 1, "base", NULL) < 0 && anim_find_named(NULL, 0, 0, "base", NULL) < 0);
			assert(anim_get_clip(h, 0, &clip, NULL) == 0 && anim_get_track(h, 0, (size_t)found, &track, NULL) == 0);
			assert(clip.axes_id == ANIM_SPACE_GODOT && strcmp(clip.axes, "godot") == 0 && clip.loop_id == ANIM_REPEAT_NONE);
			assert(track.kind_id == ANIM_KIND_CURVE && track.type_id == ANIM_VALUE_FLOATQ && track.rules_id == ANIM_PLAYER_GODOT4);
			assert(track.pre_id == ANIM_OUTSIDE_HOLD && (track.mode_id == ANIM_MODE_CUBIC_TIME || track.mode_id == ANIM_MODE_LINEAR));
			assert(anim_key_doubles(h, 0, (size_t)found, ANIM_KEY_MODES, modes, 64, NULL) == 1 && modes[0] == track.mode_id);
			count = anim_clip_times_new(h, 0, 10, 1, ANIM_TIMES_COVER, &times, NULL);
			assert(count == 21 && anim_clip_times(h, 0, 10, 1, ANIM_TIMES_COVER, own, 64, NULL) == count);
			assert(memcmp(times, own, 21 * sizeof *own) == 0 && anim_clip_times_new(h, 5, 0, 0, ANIM_TIMES_GRID, &times, NULL) < 0);
			anim_free(times);
			anim_close(h);
			clip = (struct anim_clip_info){.size = sizeof clip, .name = "ids", .end_s = 1, .loop_id = ANIM_REPEAT_WRAP, .axes_id = ANIM_SPACE_UNITY};
			track = (struct anim_track_info){.size = sizeof track, .node = "N", .property = "position", .component = ANIM_ALL_COMPONENTS, .keys = 2,
							 .kind_id = ANIM_KIND_CURVE, .type_id = ANIM_VALUE_FLOAT3, .mode_id = ANIM_MODE_LINEAR};
			assert(anim_write_clip(w, &clip, NULL) == 0);
			assert(anim_write_track(w, &track, &(struct anim_key_data){.size = sizeof(struct anim_key_data), .times = (double[]){0, 1},
				.doubles = (double[]){0, 0, 0, 1, 2, 3}}, NULL, 0, NULL) == 0 && anim_write_commit(w, NULL) == 0);
			anim_write_close(w);
			w = anim_write_open("bad.axs", NULL, NULL);
			clip.loop_id = 9;
			assert(anim_write_clip(w, &clip, NULL) < 0);
			anim_write_close(w);
			return 0;
		}
	C
	cp "$ROOT/examples/crane.tscn" .
	compile ids ids.c
	./ids
	anim-dump ids.axs | grep -q 'wrap'
	anim-dump ids.axs | grep -q 'Linear'
	[ ! -e bad.axs ]
}
