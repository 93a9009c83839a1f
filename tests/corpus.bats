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
	local bad=0
	while read -r file; do
		mkdir -p out
		bash -o pipefail -c "anim-parse -q '$file' | anim-axes resonite | anim-resample 30 | anim-emit animj --each 'out/%c.animj' --force" 2>err ||
			grep -q 'no clip' err || { echo "$file: $(cat err)"; bad=1; }
		for made in out/*.animj; do
			[ -e "$made" ] || continue
			if command -v python3 >/dev/null; then python3 -m json.tool "$made" >/dev/null || { echo "$file: $made"; bad=1; }; fi
		done
		rm -rf out
	done < <(scenes)
	[ "$bad" = 0 ]
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
