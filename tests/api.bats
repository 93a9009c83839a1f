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

@test "the shared library can neither end its program nor print, and calls nothing that other threads disturb" {
	command -v nm >/dev/null || skip "nm is not installed"
	not_sanitized "assertions are for tests"
	nm -D --undefined-only "$prefix/lib/libanim.so" | awk '{ sub("@.*", "", $2); print $2 }' | sort >called
	grep -q '^malloc$' called
	# getenv reads TMPDIR alone, as anim(3) says.
	run -1 grep -xE '__assert(_fail)?|abort|_?exit|_Exit|raise|kill|strerror|strtok|setlocale|signal|sigaction|perror|v?printf|__v?printf_chk|puts|putchar' called
}

@test "the static library shows no other names than the shared one" {
	command -v nm >/dev/null || skip "nm is not installed"
	nm -g --defined-only "$prefix/lib/libanim.a" | awk '$2 == "T" { print $3 }' | sort >shown
	diff <(grep -oE 'anim_[a-z_]+;' "$ROOT/lib/api/anim.map" | tr -d ';') shown
	not_sanitized "they have data of their own"
	[ "$(nm -g --defined-only "$prefix/lib/libanim.a" | awk 'NF == 3 && $2 != "T"' | wc -l)" -eq 0 ]
}

@test "no static of the library changes but the list of temporary files and the key of hashes" {
	command -v nm >/dev/null || skip "nm is not installed"
	not_sanitized "they have data of their own"
	nm --format=sysv "$prefix/lib/libanim.a" | awk -F'|' '$7 ~ /^\.(data|bss)/ && $7 !~ /\.ro/ && $4 ~ /OBJECT/ { gsub(/ /, "", $1); print $1 }' |
		sort | diff <(printf '%s\n' free_temporaries hash_key temporaries) -
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

@test "the program on the page and the one in the cookbook can be compiled as they stand" {
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
