#!/usr/bin/env bats
# Unity's sprites in Godot: frames, parts of images, images and offsets, from the .meta and the size of the image.

load helper

A=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa B=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v python3 >/dev/null || skip "python3 is not installed"
	mkdir -p project/Assets
	cd project/Assets
}

make() {
	python3 "$ROOT/tests/sprites.py" "$@"
}

# sheet FILE WIDTH HEIGHT [SETTING...] CELL...: cells of 16 by 16 by their numbers, in rows from the top.
sheet() {
	local file=$1 width=$2 height=$3 words=() word
	shift 3
	for word in "$@"; do
		case $word in
		*=*) words+=("$word") ;;
		*) words+=("s_$word:$((word % (width / 16) * 16)),$((height - 16 - word / (width / 16) * 16)),16,16") ;;
		esac
	done
	make image "$file" "$width" "$height"
	make meta "$file" $A "${words[@]}"
}

# tracks FILE: its tracks as "Body:frame [7, 8]", and the settings of sprites.
tracks() {
	sed -n 's/^tracks.*path = NodePath("\(.*\)")/\1/p; s/^"values": //p' "$1" | paste -d' ' - -
	sed -n '/^\[node name="Body"/,/^$/{/^[a-z]/p}' "$1"
}

@test "a sprite is the cell of its rectangle: Unity drops empty cells and counts rows from the lower edge" {
	for file in sheet.png sheet.jpg; do
		sheet $file 128 64 0 1 2 7 8 9 10 14 15 16 17
		make clip Move.anim $A:{103,104,105,106,107,108,109,110}
		run -0 --separate-stderr anim convert --force Move.anim Move.tscn
		[ "$stderr" = "anim-emit: Move.anim: 'Move': note: sprite 'Body': set the texture to Assets/$file" ]
		[ "$(tracks Move.tscn)" = 'Body:frame [7, 8, 9, 10, 14, 15, 16, 17]
hframes = 8
vframes = 4' ]
		run -0 --separate-stderr anim convert --force Move.anim Move.tres
		[[ $stderr == *"set the texture to Assets/$file; set hframes to 8 and vframes to 4" ]]
		rm $file*
	done
}

@test "a sheet of one cell, and one in a package, are sheets as well" {
	sheet one.png 16 16 0
	make clip One.anim $A:100 $A:100
	anim convert -q One.anim One.tscn
	[ "$(tracks One.tscn)" = 'Body:frame [0, 0]' ]
	sheet one.png 64 16 1 3
	printf 'fileFormatVersion: 2\nguid: %s\n' $B >One.anim.meta
	python3 "$ROOT/tests/unitypackage.py" .. ../../one.unitypackage
	anim convert -q --force ../../one.unitypackage One.tscn
	[ "$(tracks One.tscn)" = 'Body:frame [1, 1]
hframes = 4' ]
}

@test "a clip that animates only the colour of a sprite makes a sprite" {
	{
		printf '%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: Fade\n  m_FloatCurves:\n  - curve:\n      m_Curve:\n'
		for key in 0 1; do
			printf '      - time: %d\n        value: %d\n        inSlope: 0\n        outSlope: 0\n' $key $((1 - key))
		done
		printf '    attribute: m_Color.a\n    path: Body\n    classID: 212\n  m_SampleRate: 60\n'
	} >Fade.anim
	run -0 --separate-stderr anim convert --force Fade.anim Fade.tscn
	grep -q 'NodePath("Body:self_modulate:a")' Fade.tscn
	grep -q '^\[node name="Body" type="Sprite2D"' Fade.tscn
}

@test "sprites that are no cells of one grid become parts of the image, with the offset from their pivots" {
	make image atlas.png 100 50
	make meta atlas.png $A ppu=16 a:3,5,20,30,0.5,0 b:30,5,10,40,0.5,0 c:50,0,50,50,0,1
	make clip Atlas.anim $A:100 $A:101 $A:102
	anim convert -q Atlas.anim Atlas.tscn
	[ "$(tracks Atlas.tscn)" = 'Body:region_rect [Rect2(3, 15, 20, 30), Rect2(30, 5, 10, 40), Rect2(50, 0, 50, 50)]
Body:offset [Vector2(0, -15), Vector2(0, -20), Vector2(25, 25)]
region_enabled = true
region_rect = Rect2(3, 15, 20, 30)' ]
	run -0 --separate-stderr anim convert Atlas.anim Atlas.tres
	[[ $stderr == *"; set region_enabled" ]]
	# gaps between the cells, and a last column that the image cuts
	make meta atlas.png $A a:0,18,32,32 b:33,18,32,32
	make clip Atlas.anim $A:100 $A:101
	anim convert -q --force Atlas.anim Atlas.tscn
	[[ $(tracks Atlas.tscn) == "Body:region_rect [Rect2(0, 0, 32, 32), Rect2(33, 0, 32, 32)]"* ]]
}

@test "one pivot of all sprites is the offset of the node, upwards in space" {
	make image strip.png 64 32
	make meta strip.png $A ppu=16 a:0,0,32,32,0.5,0 b:32,0,32,32,0.5,0
	make clip Strip.anim $A:100 $A:101
	anim convert -q Strip.anim Strip.tscn
	[ "$(tracks Strip.tscn)" = 'Body:frame [0, 1]
offset = Vector2(0, -16)
hframes = 2' ]
	sed -i 's/^  m_PPtrCurves:/  m_PositionCurves:\n  - curve:\n      m_Curve:\n      - {time: 0, value: {x: 1, y: 2, z: 3}}\n    path: Body\n&/' Strip.anim
	anim convert -q --force Strip.anim Strip.tscn 2>/dev/null
	[[ $(tracks Strip.tscn) == *'
offset = Vector2(0, -16)
hframes = 2' ]]
	anim convert -q --axes godot --force Strip.anim Strip.tscn
	[[ $(tracks Strip.tscn) == *'
pixel_size = 0.0625
offset = Vector2(0, 16)
hframes = 2' ]]
	anim convert -q --axes godot Strip.anim Strip.tres
	grep -qxF '"values": [Vector2(0, 16)]' Strip.tres
}

@test "whole images need -x images: a warning names it, and with it they are textures" {
	make image one.png 16 16
	make image two.png 24 16
	make meta one.png $A mode=1 old:0,0,8,8
	make meta two.png $B mode=1
	make clip Pair.anim $A:21300000 $B:21300000 0
	run -1 --separate-stderr anim convert Pair.anim Pair.tscn
	[[ $stderr == *"warning: node 'Body': left out, because whole images are shown (Assets/one.png, Assets/two.png); use -x images=res://FOLDER"* ]]
	[ ! -e Pair.tscn ]
	for class in 212 114; do
		make clip Pair.anim class=$class $A:21300000 $B:21300000 0
		anim convert -x images=res://art Pair.anim Pair.tscn --force
		[ "$(tracks Pair.tscn)" = 'Body:texture [ExtResource("1"), ExtResource("2"), null]
texture = ExtResource("1")' ]
		grep -qx '\[ext_resource type="Texture2D" path="res://art/two.png" id="2"\]' Pair.tscn
	done
	# Without the sizes of the images as well. One image needs no track.
	rm ./*.png
	anim convert -q -x images=res://art Pair.anim Pair.tscn --force
	[[ $(tracks Pair.tscn) == 'Body:texture '* ]]
	make clip Still.anim $A:21300000
	anim convert -q Still.anim Still.tscn
	[ "$(tracks Still.tscn)" = 'Body:frame [0]' ]
	run -2 anim convert -x images=art Pair.anim Pair.tscn
}

@test "a Unity Image has no frame: parts of an image are left out, with a warning" {
	sheet sheet.png 64 16 0 1 2
	make clip Ui.anim class=114 $A:100 $A:101
	for option in '' '-x images=res://'; do
		run -1 --separate-stderr anim convert $option Ui.anim Ui.tscn
		[[ $stderr == *"warning: node 'Body': left out, because a Unity Image shows parts of images, but a TextureRect whole ones (Assets/sheet.png)"* ]]
	done
}

@test "keys that show nothing show an empty part of the image, or no image" {
	sheet sheet.png 64 16 0 1 2
	make clip Blink.anim $A:102 0
	anim convert -q Blink.anim Blink.tscn
	[[ $(tracks Blink.tscn) == 'Body:region_rect [Rect2(32, 0, 16, 16), Rect2(0, 0, 0, 0)]'* ]]
	anim convert -q -x images=res:// --force Blink.anim Blink.tscn
	[ "$(tracks Blink.tscn)" = 'Body:frame [2, 0]
Body:texture [ExtResource("1"), null]
texture = ExtResource("1")
hframes = 4' ]
}

@test "clips of one node with several images: one form of tracks in all of them, and a warning without -x images" {
	sheet sheet.png 64 16 0 1 2
	make image other.png 60 20
	make meta other.png $B a:20,0,20,20
	make clip First.anim $A:101
	make clip Second.anim $B:100
	run -0 --separate-stderr anim convert First.anim Second.anim both.tscn
	[ "$stderr" = "anim-emit: First.anim: 'First': warning: sprite 'Body' (Assets/sheet.png, Assets/other.png): several images, but one texture; use -x images=res://FOLDER" ]
	anim convert -x images=res:// --force First.anim Second.anim both.tscn
	[ "$(tracks both.tscn)" = 'Body:region_rect [Rect2(16, 0, 16, 16)]
Body:texture [ExtResource("1")]
Body:region_rect [Rect2(20, 0, 20, 20)]
Body:texture [ExtResource("2")]
texture = ExtResource("1")
region_enabled = true
region_rect = Rect2(16, 0, 16, 16)' ]
	# Files of their own do not know of each other.
	anim convert -q First.anim Second.anim --each '%c.tscn'
	[ "$(tracks First.tscn)" = 'Body:frame [1]
hframes = 4' ]
	[ "$(tracks Second.tscn)" = 'Body:frame [1]
hframes = 3' ]
}

@test "without an image that has its size, frames count the list, with a warning" {
	make meta gone.png $A s0:0,0,20,20 s1:20,0,20,20
	make clip Gone.anim $A:101 $A:100
	warned() {
		run -0 --separate-stderr anim convert --force Gone.anim Gone.tscn
		[[ $stderr == *"warning: sprite 'Body': the places in an image are unknown; \`frame\` counts the sprites in a .meta, but Assets/gone.png (PNG or JPEG) and its .meta do not have the place of each sprite"* ]]
		[ "$(tracks Gone.tscn)" = 'Body:frame [1, 0]
hframes = 2' ]
	}
	warned
	# cut, of size 0, too large, a JPEG whose segments run over its end
	printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40' >gone.png
	warned
	printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\0\x8\2\0\0\0' >gone.png
	warned
	printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\0\0\0\x10\x8\2\0\0\0' >gone.png
	warned
	printf '\xff\xd8\xff\xe0\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >gone.png
	warned
	: >gone.png
	warned
	# rectangles that are none
	make image gone.png 40 20
	make meta gone.png $A s0:0,0,-20,20 s1:nan,0,20,20
	warned
	make meta gone.png $A s0:0,0,1e-30,20 s1:20,0,1e30,20
	anim convert -q --force Gone.anim Gone.tscn
	grep -q region_rect Gone.tscn
}

@test "sprites are known by the names of the newest sheets, whose table of ids is in the sheet" {
	sheet sheet.png 64 16 0 2
	sed -i 's/^      internalID: .*/      internalID: 0/; $a\    nameFileIdTable:\n      s_0: 7\n      s_2: -9' sheet.png.meta
	make clip Table.anim $A:-9 $A:7
	anim convert -q Table.anim Table.tscn
	[ "$(tracks Table.tscn)" = 'Body:frame [2, 0]
hframes = 4' ]
}

@test "a scene of sprites is written again without --force, and so is one of another sheet" {
	local options
	make image one.png 64 32
	make meta one.png $A ppu=16 a:0,0,32,32,0.5,0 b:32,0,32,32,0.5,0
	make clip Strip.anim $A:100 $A:101
	make image two.png 24 16
	make meta two.png $B mode=1
	make clip Pair.anim $A:100 $B:21300000 0
	sheet sheet.png 128 64 0 9 17
	make clip Sheet.anim $A:100 $A:101
	for options in '' '--axes godot' '-x images=res://art' '--godot 3'; do
		for file in Strip Pair Sheet; do
			anim convert -q $options $file.anim new.tscn 2>/dev/null || continue
			anim convert -q $options $file.anim new.tscn || { echo "$options $file" && false; }
			rm new.tscn
		done
	done
	anim convert -q Sheet.anim Strip.tscn
	anim convert -q -e 's/.*/Sheet/' --on clip Strip.anim Strip.tscn # other cells, an offset
	anim convert -q Sheet.anim Strip.tscn
	# A texture and a setting of a person are kept.
	sed -i '/^\[node name="Body"/a z_index = 3' Strip.tscn
	run -1 --separate-stderr anim convert -q Sheet.anim Strip.tscn
	[ "$stderr" = "anim-convert: Strip.tscn: holds a setting of a node that would be lost; --into Strip.tscn changes its clips and keeps the rest, --force replaces it" ]
	sed -i '/^z_index/d; 1a [ext_resource type="Texture2D" path="res://mine.png" id="1"]' Strip.tscn
	run -1 --separate-stderr anim convert -q Sheet.anim Strip.tscn
	[[ $stderr == *"holds a texture that would be lost"* ]]
}
