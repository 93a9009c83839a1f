#!/usr/bin/env bats
# anim-undump: the text of anim-dump back into the stream, byte for byte.

load helper

@test "every stream that is at hand comes back from its dump byte for byte" {
	local count=0
	for file in "$DATA"/axs/good/*.axs; do
		anim-dump "$file" | anim-undump >back.axs
		same "$file" back.axs || { echo "$file"; return 1; }
		count=$((count + 1))
	done
	[ "$count" -ge 40 ]
	for file in "$ROOT"/examples/*.tscn; do
		anim-parse -q "$file" | anim-resample -q 30 >made.axs
		anim-dump --force -o made.txt made.axs
		anim-undump --force -o back.axs made.txt
		same made.axs back.axs
	done
}

@test "an archive comes back as the stream that gunzip makes of it, prepared columns, index and all" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-resample -q 1000 | anim-pack >crane.axs.gz
	gunzip <crane.axs.gz >crane.axs
	grep -qa 'iNDX' crane.axs
	anim-dump crane.axs.gz >crane.txt
	grep -q '^	prepared ' crane.txt
	anim-undump crane.txt >back.axs
	same crane.axs back.axs
}

@test "each block of a prepared column is prepared by its own orders" {
	anim-dump "$DATA/axs/good/prepared_float_700.axs" >same.txt
	sed 's/^\(\tprepared [a-z]* block=256\) .*/\1 0 3 1/' same.txt >own.txt
	[ "$(grep -c 'block=256 0 3 1$' own.txt)" = 2 ]
	anim-undump own.txt >own.axs
	anim-dump own.axs | same own.txt -
	run ! cmp -s own.axs "$DATA/axs/good/prepared_float_700.axs"
}

@test "a text that was edited becomes the stream that it says" {
	anim-parse -q "$ROOT/examples/crane.tscn" -o crane.axs
	anim-dump crane.axs | sed 's/:hook"/:claw"/; s/^\t0 1.5,-0.25,0$/\t0 2.5,-0.25,0/' | anim-undump >claw.axs
	run -0 anim-info claw.axs
	[[ $output == *"Skeleton3D:claw  position "*"-1.75 .. 2.5"* ]]
	[[ $output != *hook* ]]
}

@test "provenance stays as it is, and can be dropped" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-dump >crane.txt
	[ "$(anim-undump crane.txt | anim-dump | grep -c '^prog')" = 1 ]
	[ "$(anim-undump --no-provenance crane.txt | anim-dump | grep -c '^prog')" = 0 ]
}

@test "a text that is cut, or was made by a program that failed, ends no stream" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-dump | sed '$d' >cut.txt
	run -1 --separate-stderr anim-undump -o cut.axs cut.txt
	[[ $stderr == "anim-undump: cut.txt:"*": the text is cut off: the line 'end' is missing" ]]
	[ ! -e cut.axs ]
}

@test "what is no such text is said to be none, cut or not" {
	anim-parse -q "$ROOT/examples/crane.tscn" >crane.axs
	for file in crane.axs "$ROOT/examples/crane.tscn" "$DATA/animx/good/"*.animx; do
		run -1 --separate-stderr anim-undump "$file"
		[ -z "$output" ]
		[ "$stderr" = "anim-undump: $file:1:1: not the text of anim-dump, which begins 'anim-dump 1'" ]
	done
	run -1 --separate-stderr anim-undump /dev/null
	[ "$stderr" = "anim-undump: /dev/null: the input is empty" ]
	printf 'anim-dump 1' >cut.txt
	run -1 --separate-stderr anim-undump cut.txt
	[ "$stderr" = "anim-undump: cut.txt:1:12: the text is cut off: its last line has no line feed" ]
}

@test "the text is a format: any program reads it, -o x.axt writes it" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-dump >crane.txt
	anim-emit -q -o crane.axt "$ROOT/examples/crane.tscn"
	cmp <(sed "/^prog/,+1d" crane.txt) <(sed "/^prog/,+1d" crane.axt)
	cmp <(anim-undump crane.txt) <(anim-parse -q "$ROOT/examples/crane.tscn")
	for text in crane.txt crane.axt; do cmp <(anim-resample -q 30 $text | anim-emit animj) <(anim-resample -q 30 "$ROOT/examples/crane.tscn" | anim-emit animj); done
	anim-convert -q crane.axt crane.axs
	cmp <(anim-undump crane.axt | anim-dump | sed "/^prog/,+1d") <(anim-dump crane.axs | sed "/^prog/,+1d")
}

@test "git shows a changed stream as changed lines of its dump" {
	command -v git >/dev/null || skip "git is not there"
	export GIT_CONFIG_NOSYSTEM=1 HOME=$PWD
	git init -q .
	git config diff.anim.textconv anim-dump
	echo '*.axs diff=anim' >.gitattributes
	anim-parse -q --no-provenance "$ROOT/examples/crane.tscn" -o crane.axs
	git add crane.axs
	anim-dump crane.axs | sed 's/name="lift"/name="raise"/' | anim-undump >new.axs
	mv new.axs crane.axs
	run -0 git diff crane.axs
	[[ $output == *$'\n-clip name="lift" '*$'\n+clip name="raise" '* ]]
}

@test "memory follows the largest track, not the text" {
	command -v python3 >/dev/null || skip "python3 is not there"
	not_bytewise "a measure of memory"
	not_sanitized "they reserve address space"
	python3 - >big.txt <<-'TEXT'
		print("anim-dump 1")
		print('clip name="a" root="." source="godot4" start=0 end=9 loop=none axes=godot axes2d=godot flags=- rate=0/0')
		for track in range(60):
		    print(f'track node="N{track}" property="p" component=- kind=Curve type=float rules=plain flags=- before=hold after=hold interp=Linear keys=5000')
		    print("\tcolumns time value")
		    for key in range(5000):
		        print(f"\t{key} {key * 0.37}")
		print("end")
	TEXT
	(ulimit -v 40000; anim-undump big.txt >big.axs)
	[ "$(stat -c %s big.axs)" -gt 2000000 ]
}
