#!/usr/bin/env bats
# Completion files: what bash, zsh and fish offer, from the tables of options.

load helper

# bash_offers WORD...: what bash would offer for the last of these words, one a line.
bash_offers() {
	bash -c '
		for file in ./bash/*; do . "$file"; done
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		"_${1//-/_}" && printf "%s\n" "${COMPREPLY[@]}"' - "$@"
}

fish_offers() {
	fish --no-config -c 'for file in ./fish/*; source $file; end; complete -C $argv[1] | string split -f 1 \t' "$1"
}

setup_file() {
	mkdir -p "$BATS_FILE_TMPDIR/bash" "$BATS_FILE_TMPDIR/zsh" "$BATS_FILE_TMPDIR/fish"
	for program in "$ANIM_BUILD"/bin/anim "$ANIM_BUILD"/bin/anim-*; do
		name=${program##*/}
		"$program" --completion bash >"$BATS_FILE_TMPDIR/bash/$name"
		"$program" --completion zsh >"$BATS_FILE_TMPDIR/zsh/_$name"
		"$program" --completion fish >"$BATS_FILE_TMPDIR/fish/$name.fish"
	done
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

@test "every option in a program's help is offered in each shell, and no other" {
	for program in "$ANIM_BUILD"/bin/anim "$ANIM_BUILD"/bin/anim-*; do
		name=${program##*/}
		"$program" --help all | sed -n 's/^  \(-.,\|   \) --\([a-z-]*\).*/--\2/p' | sort >"$name.help"
		[ -s "$name.help" ]
		bash_offers "$name" -- | grep '^--' | sort | diff "$name.help" -
		sed -n 's/^\t.*[^a-z]--\([a-z-]*\)[]={}[].*/--\1/p' "zsh/_$name" | sort | diff "$name.help" -
		sed -n 's/^complete .* -l \([a-z-]*\) .*/--\1/p' "fish/$name.fish" | sort | diff "$name.help" -
	done
}

@test "bash offers the words that an option takes, after a space or an equals sign" {
	[ "$(bash_offers anim-resample --end '' | tr '\n' ' ')" = "cover grid fit loop " ]
	[ "$(bash_offers anim-resample --end = 'f')" = fit ]
	[ "$(bash_offers anim-resample --end =  | tr '\n' ' ')" = "cover grid fit loop " ]
	[ "$(bash_offers anim-resample --str)" = --strict ]
}

@test "bash offers the words of the first operand once, and leaves files to itself" {
	[ "$(bash_offers anim-axes 'unity' | tr '\n' ' ')" = "unity unity2d " ]
	[ "$(bash_offers anim-emit --pretty anim | tr '\n' ' ')" = "animj animx " ]
	[ -z "$(bash_offers anim-axes unity '')" ]
	[ -z "$(bash_offers anim-parse --output '')" ]
	bash -c '. bash/anim-parse; complete -p anim-parse' | grep -q -- '-o bashdefault -o default -F _anim_parse anim-parse'
}

@test "bash completes what follows anim as that program's own command line" {
	[ "$(bash_offers anim resam)" = resample ]
	[ "$(bash_offers anim help resam)" = resample ]
	[ "$(bash_offers anim resample --end c)" = cover ]
	[ "$(bash_offers anim axes res)" = resonite ]
	[ -z "$(bash_offers anim nothing --)" ]
}

@test "zsh loads each file, and offers options, their words and what follows anim" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	need_terminal
	for file in zsh/*; do zsh -n "$file"; done
	# A terminal of zsh's own, in which a key asks for the list of what fits.
	cat >ask.zsh <<-'TEXT'
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "PS1=; fpath=($PWD/zsh \$fpath); autoload -Uz compinit; compinit -u -D"
		zpty -w shell 'zstyle ":completion:*" list-prompt ""; LISTMAX=1000; setopt no_beep; bindkey "^I" list-choices; stty columns 200; print READ''Y'
		zpty -r -m shell line '*READY*'
		zpty -w -n shell "$1"$'\t'
		sleep 1
		zpty -w -n shell $'\x15'
		zpty -w shell "print DON''E"
		zpty -r -m shell line '*DONE*'
		print -r -- "$line"
	TEXT
	[[ $(timeout 20 zsh -f ask.zsh 'anim-resample --end ') == *cover*fit*grid*loop* ]]
	[[ $(timeout 20 zsh -f ask.zsh 'anim-resample --') == *--no-provenance*'drop the records'* ]]
	[[ $(timeout 20 zsh -f ask.zsh 'anim resample --end ') == *cover*fit*grid*loop* ]]
	[[ $(timeout 20 zsh -f ask.zsh 'anim axes --f') == *--flip*--from* ]]
	touch out-1 out-2
	[[ $(timeout 20 zsh -f ask.zsh 'anim-parse --target out-') != *out-1*out-2* ]]
	[[ $(timeout 20 zsh -f ask.zsh 'anim-parse --output out-') == *out-1*out-2* ]]
	[[ $(timeout 20 zsh -f ask.zsh 'anim-axes ') == *gltf*godot2d*resonite* ]]
}

@test "fish offers options, their words and what follows anim" {
	command -v fish >/dev/null || skip "fish is not installed"
	[ "$(fish_offers 'anim-resample --end ' | sort | tr '\n' ' ')" = "cover fit grid loop " ]
	fish_offers 'anim-resample --' | grep -qx -- --no-provenance
	[ "$(fish_offers 'anim-parse --output fis')" = fish/ ]
	[ -z "$(fish_offers 'anim-parse --target fis')" ]
	[ "$(fish_offers 'anim-axes unity' | sort | tr '\n' ' ')" = "unity unity2d " ]
	[ "$(fish_offers 'anim resam')" = resample ]
	[ "$(fish_offers 'anim help resam')" = resample ]
	[ "$(fish_offers "anim parse --for" | sort | tr "\n" " ")" = "--format " ]
	[ "$(fish_offers 'anim resample --end ' | sort | tr '\n' ' ')" = "cover fit grid loop " ]
}

@test "a shell that is none is refused" {
	run -2 --separate-stderr anim-axes --completion tcsh
	[ "${stderr_lines[0]}" = "anim-axes: --completion: 'tcsh' is not one of bash, zsh, fish; did you mean bash?" ]
}
