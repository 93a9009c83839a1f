#!/usr/bin/env bats
# The Makefile: what is compiled again, what is installed and where, the source archive; what .ci/deps installs, and when not.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_sanitized "of the Makefile and .ci/deps"
}

# ours ARGUMENT...: make in the source tree on the build under test, with the flags that this one was made with.
ours() {
	make -s -C "$ROOT" B="$ANIM_BUILD" flags="$(cat "$ANIM_BUILD/flags")" "$@"
}

# Commands that .ci/deps calls, first in PATH: id tells $USER_ID, apt-get and sudo write down how they were called.
system() {
	mkdir bin
	printf '#!/bin/sh\necho "$USER_ID"\n' >bin/id
	printf '#!/bin/sh\necho "apt-get $*" >>called\n' >bin/apt-get
	printf '#!/bin/sh\necho "sudo $*" >>called\n' >bin/sudo
	chmod +x bin/*
	PATH=$PWD/bin:$PATH
}

@test "other flags compile all again, once, and the same ones nothing" {
	cp "$ROOT/Makefile" .
	mkdir -p lib/base
	cp "$ROOT/lib/base/machine.h" lib/base
	echo 'int a(void); int a(void) { return 0; }' >lib/base/a.c
	goal=build/release/lib/base/a.o
	make -s "$goal"
	run -0 make -s -q "$goal"
	run -0 make -s -q WERROR=-Werror "$goal"
	for flag in CFLAGS=-O3 CPPFLAGS=-DA="'b'" LDFLAGS=-s CC="${CC:-cc} -pipe"; do
		run -1 make -s -q "$flag" "$goal"
		make -s "$flag" "$goal"
		run -0 make -s -q "$flag" "$goal"
		run -1 make -s -q "$goal"
	done
}

# refuses 'COMPILER' PATTERN: make with it stops before it compiles, and its last line fits the pattern.
refuses() {
	run -2 --separate-stderr make -s -C "$ROOT" B="$PWD/none" CC="$1" all
	[[ ${stderr_lines[-1]} == *"*** "$2".  Stop." ]] || { echo "$stderr" && false; }
	[ "${#stderr_lines[@]}" -eq 1 ]
	[ -z "$output" ]
}

@test "without a library or a compiler the last line of make names the remedy" {
	refuses "${CC:-cc} -nostdinc" "*zlib.h*. 'make deps' installs or names missing packages"
	refuses no-such-compiler "*no-such-compiler: *. 'make deps' installs or names missing packages"
}

@test "machines and flags with which results would differ are refused with one sentence" {
	refuses "${CC:-cc} -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__" "anim-tools supports little-endian machines only*"
	refuses "${CC:-cc} -U__FLT_EVAL_METHOD__ -D__FLT_EVAL_METHOD__=2" "anim-tools needs arithmetic without excess precision*"
	refuses "${CC:-cc} -ffast-math" "anim-tools needs exact arithmetic*"
}

@test "INSTALL.md and the Debian package list the same machines" {
	machines=$(sed -n '/^Package: anim-tools/,/^Package: libanim1/s/^Architecture: //p' "$ROOT/packaging/debian/control")
	[ "$(grep -c "^Architecture: $machines\$" "$ROOT/packaging/debian/control")" -eq 3 ]
	for machine in $machines; do grep -q "^| .*\`$machine\`" "$ROOT/INSTALL.md"; done
	[[ $machines == "amd64 arm64 "* ]]
}

@test "make that cleans before it builds still links with the libraries" {
	run -0 --separate-stderr make -n -C "$ROOT" B="$PWD/none" clean all
	[[ $output == *'-o '*'/libanim-tools.so '*-lfyaml* ]]
}

@test "install puts programs, pages and completion where each belongs, uninstall takes all away" {
	ours DESTDIR="$PWD/root" PREFIX=/usr install
	[ -x root/usr/bin/anim ]
	[ -x root/usr/bin/anim-parse ]
	[ -e root/usr/share/man/man1/anim-parse.1 ]
	[ -e root/usr/share/man/man1/anim.1 ]
	anim-axes --completion bash | cmp - root/usr/share/bash-completion/completions/anim-axes
	anim-axes --completion zsh | cmp - root/usr/share/zsh/site-functions/_anim-axes
	anim-axes --completion fish | cmp - root/usr/share/fish/vendor_completions.d/anim-axes.fish
	grep -q ' resample ' root/usr/share/bash-completion/completions/anim
	ours DESTDIR="$PWD/root" PREFIX=/usr uninstall
	[ -z "$(find root ! -type d)" ]
}

@test "each folder of an installation has its variable, for install and uninstall alike" {
	folders="bindir=/b datadir=/d mandir=/m bashcompletiondir=/c/bash zshcompletiondir=/c/zsh"
	# shellcheck disable=SC2086 # five words
	ours DESTDIR="$PWD/root" $folders install
	[ -x root/b/anim ]
	[ -e root/m/man1/anim.1 ]
	[ -e root/c/bash/anim ]
	[ -e root/c/zsh/_anim ]
	[ -e root/d/fish/vendor_completions.d/anim.fish ]
	[ "$(ls root)" = "$(printf '%s\n' b c d lib m)" ]
	# shellcheck disable=SC2086 # as above
	ours DESTDIR="$PWD/root" $folders uninstall
	[ -z "$(find root ! -type d)" ]
}

@test "programs that do not run here are installed without completion, or with that of a build that does" {
	run -0 ours DESTDIR="$PWD/root" PREFIX=/usr NATIVE=none install
	[[ $output == *"note: no completion files: none/bin/anim does not run here"* ]]
	[ -x root/usr/bin/anim ]
	[ ! -e root/usr/share/zsh ]
	mkdir -p foreign/bin foreign/completion
	for program in "$ANIM_BUILD"/bin/anim "$ANIM_BUILD"/bin/anim-*; do echo foreign >"foreign/bin/${program##*/}"; done
	cp -r "$ANIM_BUILD/lib" foreign
	make -s -C "$ROOT" B="$PWD/foreign" NATIVE="$ANIM_BUILD" flags= STRIP=no DESTDIR="$PWD/root" PREFIX=/usr -o all install
	anim-axes --completion zsh | cmp - root/usr/share/zsh/site-functions/_anim-axes
}

@test "the source archive makes itself again, byte for byte, whatever the mask and the time zone are" {
	[ -w "$ROOT" ] || skip "the source tree may not be written"
	archive=$(make -s -C "$ROOT" dist)
	tar -xzf "$ROOT/$archive"
	cd anim-tools-*
	[ ! -e .git ]
	make -n all >/dev/null
	(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 make -s dist)
	cmp "$archive" "$ROOT/$archive"
}

@test "root installs what is missing after a line that says so, unless DEPS=no" {
	system
	run -0 env -u DEPS USER_ID=0 CC=no-such-compiler "$ROOT/.ci/deps" build
	[[ $output == "installing with apt-get (DEPS=no would only name them): no-such-compiler "* ]]
	grep -q '^apt-get install .* no-such-compiler ' called
	rm called
	run -1 env USER_ID=0 DEPS=no CC=no-such-compiler "$ROOT/.ci/deps" build
	[[ $output == "not installed yet; as root: apt-get install no-such-compiler "* ]]
	[ ! -e called ]
}

@test "a user who is not root gets a list of missing packages, and asks for them with DEPS=yes" {
	system
	run -1 env -u DEPS USER_ID=1000 CC=no-such-compiler "$ROOT/.ci/deps" test
	[ "${lines[1]}" = "make deps does so with sudo, for the build and the tests" ]
	[ ! -e called ]
	run -0 env USER_ID=1000 DEPS=yes CC=no-such-compiler "$ROOT/.ci/deps" test
	grep -q '^sudo apt-get install .* no-such-compiler ' called
}

@test "the hook refuses subjects that are long, empty or made for a merge" {
	hook() { printf '%b' "$1" >message && "$ROOT/.ci/hooks/commit-msg" message; }
	hook 'reader: skip empty clips\n\nA reason.\n# a comment\n'
	hook "$(printf 'x%.0s' {1..65})"
	for subject in "$(printf 'x%.0s' {1..66})" '' '# only a comment\n' 'Merge branch "a" into b' 'Ends with a stop.' 'one\ntwo'; do
		run -1 hook "$subject"
	done
}
