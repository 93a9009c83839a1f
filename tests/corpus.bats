#!/usr/bin/env bats
# Real files of others, where ANIM_CORPUS (default ../shared/corpus) has them; they are not part of this repository.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	[ -d "$ANIM_CORPUS/godot" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
}

scenes() { find "$ANIM_CORPUS/godot" -name '*.tscn' -o -name '*.escn' -o -name '*.tres' | sort; }

# The tracks that a file declares, counted by another route: transform tracks give three, AABB values two.
declared() {
	awk '/^tracks\/[0-9]+\/type = /{ n += /"transform"/ ? 3 : 1 } END { print n + 0 }' "$1"
}

@test "every real Godot file parses without error" {
	local bad=0
	while read -r file; do
		anim-parse -q "$file" >out.axs 2>err || { echo "$file: $(cat err)"; bad=1; }
	done < <(scenes)
	[ "$bad" = 0 ]
}

@test "every real Godot file goes through the whole line, and what comes out is JSON" {
	local bad=0 out
	while read -r file; do
		out=$(basename "$file")
		mkdir "$out"
		bash -o pipefail -c "anim-parse -q '$file' | anim-axes resonite | anim-resample 30 | anim-emit animj --each '$out/%c.animj'" 2>err ||
			grep -q 'no clip' err || { echo "$file: $(cat err)"; bad=1; }
	done < <(scenes)
	[ "$bad" = 0 ]
	all_json */*.animj
}

@test "anim-info counts the tracks that the files declare" {
	local bad=0 counted
	while read -r file; do
		counted=$(anim-info --json "$file" 2>/dev/null | grep -o '"property":' | wc -l)
		markers=$(grep -c '^markers = \[{' "$file" || true)
		[ "$counted" -eq $(($(declared "$file") + markers)) ] || { echo "$file: $counted tracks, $(declared "$file") declared"; bad=1; }
	done < <(scenes)
	[ "$bad" = 0 ]
}

@test "a real file reads the same from a file, a pipe and gzip" {
	local bad=0
	while read -r file; do
		name=$(basename "$file")
		anim-parse -q --no-external --no-provenance --source-name "$name" "$file" >a.axs 2>/dev/null
		anim-parse -q --no-external --no-provenance --source-name "$name" <"$file" >b.axs 2>/dev/null
		gzip -c "$file" | anim-parse -q --no-external --no-provenance --source-name "$name" >c.axs 2>/dev/null
		cmp a.axs b.axs && cmp a.axs c.axs || { echo "$file"; bad=1; }
	done < <(scenes)
	[ "$bad" = 0 ]
}

# assets: the real Unity files.
assets() { find "$ANIM_CORPUS/unity" -type f ! -name README ! -name '*.tsv' | sort; }

# why FILE: a part of what must be said of a file that is no text asset, or a damaged one; nothing for the others.
why() {
	case ${1##*/} in
	git_symlink_text.controller) echo 'the text of a symbolic link' ;;
	conflict.anim) echo '18:1: an unresolved merge conflict' ;;
	nul_in_middle.anim) echo 'a NUL byte' ;;
	truncated.anim) echo ': not UnityYAML' ;;
	utf16le_bom.anim) echo 'UTF-16' ;;
	esac
}

@test "every Unity file is read, or refused for what is wrong with it" {
	[ -d "$ANIM_CORPUS/unity" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	local bad=0 reason count=0
	while read -r file; do
		reason=$(why "$file")
		count=$((count + 1))
		if anim-parse -q "$file" >out.axs 2>err; then
			[ -z "$reason" ] || { echo "$file: read"; bad=1; }
		else
			[ -n "$reason" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF "$reason" err || { echo "$file: $(cat err)"; bad=1; }
		fi
	done < <(assets)
	[ "$count" -ge 20 ]
	[ "$bad" = 0 ]
}

# curves FILE: how many curves it has in the lists that are read, counted by another route.
curves() {
	tr -d '\r' <"$1" | awk '/^--- /{ list = 0 } /^  m_(Editor|EulerEditor)Curves:/{ list = 0; next }
		/^  m_(Rotation|CompressedRotation|Euler|Position|Scale|Float|PPtr)Curves:/{ list = 1; next } /^  [A-Za-z]/{ list = 0 }
		list && /^  - /{ n++ } END { print n + 0 }'
}

@test "every curve of a Unity clip is a track" {
	[ -d "$ANIM_CORPUS/unity" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	local bad=0 counted events
	while read -r file; do
		[ -z "$(why "$file")" ] || continue
		counted=$(anim-parse -q --no-external "$file" 2>/dev/null | anim-dump | grep -c '^track ' || true)
		events=$(anim-parse -q --no-external "$file" 2>/dev/null | anim-dump | grep -c '^track .*property="@event"' || true)
		[ "$((counted - events))" -eq "$(curves "$file")" ] || { echo "$file: $counted tracks, $(curves "$file") curves"; bad=1; }
	done < <(assets)
	[ "$bad" = 0 ]
}

@test "a Unity file reads the same from a file, a pipe, gzip and one-byte windows" {
	[ -d "$ANIM_CORPUS/unity" ] || skip "no files in ANIM_CORPUS=$ANIM_CORPUS"
	local bad=0
	while read -r file; do
		[ -z "$(why "$file")" ] || continue
		name=$(basename "$file")
		anim-parse -q --no-external --no-provenance --source-name "$name" "$file" >a.axs 2>/dev/null
		anim-parse -q --no-external --no-provenance --source-name "$name" <"$file" >b.axs 2>/dev/null
		gzip -c "$file" | anim-parse -q --no-external --no-provenance --source-name "$name" >c.axs 2>/dev/null
		ANIM_READ_MAX=1 anim-parse -q --no-external --no-provenance --source-name "$name" "$file" >d.axs 2>/dev/null
		cmp a.axs b.axs && cmp a.axs c.axs && cmp a.axs d.axs || { echo "$file"; bad=1; }
	done < <(assets)
	[ "$bad" = 0 ]
}

# Positions of a wrong order, of a wrong rest, or in other units differ from the source here, whatever format writes them.
@test "no conversion differs from its source in world space by more than it reported" {
	local each=4

	not_sanitized "the programs are looked at elsewhere"
	not_bytewise "it looks at values"
	[ -d "$ANIM_CORPUS/fbx" ] || skip "no files of others in ANIM_CORPUS"
	[ -z "${ANIM_LONG:-}" ] || each=1
	cd "$BATS_TEST_TMPDIR"
	for folder in fbx/*.fbx gltf/*.glb gltf/*.gltf bvh/*.bvh godot/*.tscn; do
		ls "$ANIM_CORPUS"/$folder | awk -v each=$each 'NR % each == 1 % each'
	done >files
	ls "$DATA"/poses/* >>files
	run -0 python3 "$ROOT/tests/world_told.py" tscn glb fbx <files
	[[ "${lines[-1]}" =~ ^([0-9]+)' conversions compared' ]]
	[ "${BASH_REMATCH[1]}" -ge 50 ]
}
