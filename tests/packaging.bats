#!/usr/bin/env bats
# packaging/: what names a version names the same, each file that is installed is in a Debian package, and recipes can be read.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	not_bytewise "the programs are not run"
	not_sanitized "the programs are not run"
	cp -R "$ROOT/packaging" .
}

@test "programs, list of changes and all recipes are of one version" {
	version=$(anim --version | sed -n '1s/^[^0-9]*//p')
	[[ $version == *.*.* ]]
	[ "$(sed -n 's/^## \([0-9]\)/\1/p' "$ROOT/CHANGELOG.md" | head -n 1)" = "$version" ]
	[[ $(head -n 1 packaging/debian/changelog) == "anim-tools ($version) "* ]]
	grep -qx "pkgver=$version" packaging/PKGBUILD
	grep -q "/anim-tools-$version.tar.gz\"$" packaging/anim-tools.rb
	grep -q "^\.Pa libanim\.so\.${version%%.*}$" "$ROOT/man/anim-stream.5"
}

@test "every file that is installed goes into one Debian package, and none is named that is not installed" {
	make -s -C "$ROOT" B="$ANIM_BUILD" flags="$(cat "$ANIM_BUILD/flags")" DESTDIR="$PWD/root" PREFIX=/usr libdir=/usr/lib/any \
		zshcompletiondir=/usr/share/zsh/vendor-completions pythondir=/usr/lib/python3/dist-packages install install_lib >/dev/null
	cat packaging/debian/*.install >patterns
	(cd root && find usr ! -type d) >installed
	while IFS= read -r file; do
		count=0
		while IFS= read -r pattern; do
			# shellcheck disable=SC2053 # a pattern it is meant to be
			[[ $file != $pattern && $file != $pattern/* ]] || count=$((count + 1))
		done <patterns
		[ "$count" -eq 1 ] || { echo "$file: in $count packages" && false; }
	done <installed
	cd root
	while IFS= read -r pattern; do
		compgen -G "$pattern" >/dev/null || { echo "$pattern: not installed" && false; }
	done <../patterns
}

@test "the recipes can be read by what reads them" {
	bash -n packaging/PKGBUILD
	(. packaging/PKGBUILD && declare -F build check package >/dev/null && [ "${#source[@]}" -eq "${#sha256sums[@]}" ])
	! command -v ruby >/dev/null || ruby -c packaging/anim-tools.rb
	! command -v dpkg-parsechangelog >/dev/null || dpkg-parsechangelog -l packaging/debian/changelog >/dev/null
	for package in $(sed -n 's/^Package: //p' packaging/debian/control); do [ -s "packaging/debian/$package.install" ]; done
}
