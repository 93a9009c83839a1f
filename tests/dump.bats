#!/usr/bin/env bats
# anim-dump: the stream as exact text.

load helper

@test "the dump of a scene has every record, attribute and key on a line" {
	run -0 --separate-stderr anim-dump "$ROOT/examples/box.tscn"
	[ "${lines[0]}" = "anim-dump 1" ]
	[[ $output == *$'\nclip name="scale_down" root="." source="godot4" start=0 end=1.5 loop=ping-pong axes=godot axes2d=godot flags=in_tree rate=0/0\n'* ]]
	[[ $output == *$'\ntrack node="Box" property="scale" component=- kind=Curve type=float3 rules=godot4 flags=loop_wrap before=hold after=hold interp=Linear keys=2\n'* ]]
	[[ $output == *$'\n\tcolumns time value\n\t0 1,1,1\n\t1 0,0,0\n'* ]]
	[ "${lines[-1]}" = end ]
}

@test "the bits of a NaN and the sign of a zero are shown" {
	run -0 anim-dump "$DATA/axs/good/nan_values.axs"
	[[ $output == *nan:7fc00000* ]]
	run -0 anim-dump "$DATA/axs/good/minus_zero_times.axs"
	[[ $output == *$'\n\t-0 '* ]]
}

@test "columns of others and records of others are shown as bytes" {
	run -0 anim-dump "$DATA/axs/good/unknown_column.axs"
	[[ $output == *$'\n\tother column=128 bytes=3\n\t\t616263\n\tother column=200 bytes=0\n\tother column=255 bytes=17\n\t\t0000000000000000000000000000000000\n\tcolumns time value\n'* ]]
	run -0 anim-dump "$DATA/axs/good/stale_index.axs"
	[[ $output == *$'\nrecord tag="iNDX" bytes=21\n\tffffffffffffffffffffffffffffffffffffffffff\nrecord tag="abcd" bytes=0\nend' ]]
}

@test "prepared columns keep their blocks and orders" {
	run -0 anim-dump "$DATA/axs/good/prepared_float3_700.axs"
	[[ $output =~ $'\n\tprepared time block='[0-9]+' '[0-3] ]]
	[[ $output =~ $'\n\tprepared value block='[0-9]+' '[0-3],[0-3],[0-3]' '[0-3],[0-3],[0-3] ]]
}

@test "no two of the crafted streams have one dump, and each line is safe to show" {
	for file in "$DATA"/axs/good/*.axs; do
		anim-dump "$file" >dump
		[ -s dump ]
		if tr -d '\200-\377' <dump | grep -q '[^[:print:][:blank:]]'; then
			echo "$file" && false
		fi
		cksum <dump >>sums
	done
	[ -z "$(sort sums | uniq -d)" ]
}

@test "a cut stream is an error and prints no end" {
	anim-parse "$ROOT/examples/box.tscn" | head -c 600 >cut.axs
	run -1 --separate-stderr anim-dump cut.axs
	[[ $output != *end ]]
	[[ $stderr == "anim-dump: cut.axs: byte "* ]]
}
