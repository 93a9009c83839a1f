#!/usr/bin/env bats
# anim-parse on Unity's assets: trees, prefabs in prefabs, players, guids that lead to other files, faults.

load helper

PROJECT=$DATA/unity/scene_project

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	cp -r "$PROJECT" project
	chmod -R u+w project
	ASSETS=project/Assets
}

# clips [OPTION...] FILE: "name root player file", one clip a line, - where there is none.
clips() {
	anim-parse "$@" | anim-dump | awk '
		function show() { if (name != "") print name, root, player, file }
		function text(field) { sub(/^[^"]*"/, "", field); sub(/"$/, "", field); gsub(/ /, "_", field); return field }
		/^clip / { show(); line = $0; sub(/" source=.*/, "", line); split(line, half, "\" root=")
			name = text(half[1]); root = text(half[2]); player = file = "-" }
		$1 == "attr" && $2 == "\"player\"" { sub(/^[^"]*"player" /, ""); player = text($0) }
		$1 == "attr" && $2 == "\"file\"" { file = text($3) }
		END { show() }'
}

# nodes FILE: the paths of its nodes, one a line.
nodes() {
	anim-parse "$@" | anim-dump | sed -n 's/^node path="\([^"]*\)".*/\1/p'
}

# guid FILE GUID: writes its .meta.
guid() {
	printf 'fileFormatVersion: 2\nguid: %s\n' "$2" >"$1.meta"
}

# digits HEX: a guid of 32 times that digit.
digits() { printf "%0.s$1" {1..32}; }

# object ID NAME FATHER [LINE]: a GameObject, and its Transform ID + 1 below the Transform FATHER.
object() {
	printf -- '--- !u!1 &%d\nGameObject:\n  m_Name: %s\n' "$1" "$2"
	printf -- '--- !u!4 &%d\nTransform:\n  m_GameObject: {fileID: %d}\n  m_Father: {fileID: %d}\n' $(($1 + 1)) "$1" "$3"
}

# instance ID PARENT GUID: an instance of the prefab of that guid below the Transform PARENT.
instance() {
	printf -- '--- !u!1001 &%d\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: %d}\n' "$1" "$2"
	printf '    m_Modifications: []\n  m_SourcePrefab: {fileID: 100100000, guid: %s, type: 3}\n' "$3"
}

# instances: a project of tests/data/unity/instances, in $ASSETS.
instances() {
	rm -r project
	mkdir -p "$ASSETS"
	cp "$DATA"/unity/instances/* "$ASSETS"
	chmod -R u+w project
}

@test "a scene shows its prefabs in place, with the changes that it makes, and plays what their players name" {
	anim-parse "$ASSETS/Level.unity" | anim-dump >level.dump
	[ -z "$REGOLD" ] || cp level.dump "$ROOT/tests/golden/unity_level.dump"
	same "$ROOT/tests/golden/unity_level.dump" level.dump
}

@test "a controller plays its states' clips in order: layers, states, blend trees, nested machines, each clip once" {
	run -0 --separate-stderr clips "$ASSETS/Hero.controller"
	[ "$output" = "Idle . - Assets/Anims/Idle.anim
Walk . - Assets/Anims/Walk.anim
Run . - Assets/Anims/Run.anim
Jump . - Hero.controller
Swing . - Assets/Anims/Swing.anim
Unused . - Hero.controller" ]
	[ -z "$stderr" ]
}

@test "an override controller puts its clips in the place of its controller's, in that one's order" {
	run -0 --separate-stderr clips "$ASSETS/Hero.overrideController"
	[ "$output" = "Idle . - Assets/Anims/Idle.anim
Limp . - Assets/Anims/Limp.anim
Run . - Assets/Anims/Run.anim
Swing . - Assets/Anims/Swing.anim" ]
	[ -z "$stderr" ]
}

@test "without its controller an override controller gives the clips that it puts in" {
	rm "$ASSETS/Hero.controller.meta"
	run -0 --separate-stderr clips "$ASSETS/Hero.overrideController"
	[ "$output" = "Limp . - Assets/Anims/Limp.anim
Swing . - Assets/Anims/Swing.anim" ]
	[ "$stderr" = "anim-parse: $ASSETS/Hero.overrideController:3:1: warning: controller '9100000' of guid $(digits a): not found in a file below the project" ]
}

@test "override controllers in a ring are warned of, once, and give the clips that they put in" {
	# ring OVERRIDE GUID: its controller is the override controller of that guid
	ring() {
		sed -i "s/^  m_Controller: .*/  m_Controller: {fileID: 22100000, guid: $2, type: 2}/" "$1"
	}
	local one=$ASSETS/Hero.overrideController other=$ASSETS/Other.overrideController told
	told="3:1: warning: only replacement clips are read, because of a cycle of override controllers"
	own=$(sed -n 's/^guid: //p' "$one.meta")
	ring "$one" "$own"
	run -0 --separate-stderr clips "$one"
	[ "$output" = "Limp . - Assets/Anims/Limp.anim
Swing . - Assets/Anims/Swing.anim" ]
	[ "$stderr" = "anim-parse: $one:$told" ]
	ring "$one" "$(digits 7)"
	printf '%s\n' '%YAML 1.1' '%TAG !u! tag:unity3d.com,2011:' '--- !u!221 &22100000' 'AnimatorOverrideController:' \
		'  m_Name: Other' '  m_Controller: none' '  m_Clips: []' >"$other"
	guid "$other" "$(digits 7)"
	ring "$other" "$own"
	run -0 --separate-stderr clips "$one"
	[ "$output" = "Limp . - Assets/Anims/Limp.anim
Swing . - Assets/Anims/Swing.anim" ]
	[ "$stderr" = "anim-parse: $other:$told" ]
	run -1 anim-parse --strict "$one" -o ring.axs
}

@test "the clip that is replaced need not be there" {
	rm "$ASSETS/Anims/Walk.anim"*
	run -0 --separate-stderr clips "$ASSETS/Hero.overrideController"
	[ "${lines[1]}" = "Limp . - Assets/Anims/Limp.anim" ]
	[ -z "$stderr" ]
}

@test "each player names its clips, with its path in the tree, the components of prefabs too" {
	run -0 clips "$ASSETS/Level.unity"
	[ "$output" = "Nod Spawn/Second_Hero/Hand/Sword Spawn/Second_Hero/Hand/Sword Assets/Anims/Nod.anim
Idle Spawn/Second_Hero/Hand/Sword Spawn/Second_Hero/Hand/Sword Assets/Anims/Idle.anim
Idle Spawn/Second_Hero Spawn/Second_Hero Assets/Anims/Idle.anim
Limp Spawn/Second_Hero Spawn/Second_Hero Assets/Anims/Limp.anim
Run Spawn/Second_Hero Spawn/Second_Hero Assets/Anims/Run.anim
Swing Spawn/Second_Hero Spawn/Second_Hero Assets/Anims/Swing.anim" ]
}

@test "a legacy clip without a wrap mode of its own loops as its Animation component says" {
	anim-parse "$ASSETS/Level.unity" | anim-dump | grep -q '^clip name="Nod".* loop=wrap '
	sed -i 's/m_WrapMode: 2/m_WrapMode: 4/' "$ASSETS/Level.unity"
	anim-parse "$ASSETS/Level.unity" | anim-dump | grep -q '^clip name="Nod".* loop=ping-pong '
	anim-parse "$ASSETS/Anims/Nod.anim" | anim-dump | grep -q '^clip name="Nod".* loop=none '
}

@test "a timeline's tracks play on what the director binds them to" {
	run -0 --separate-stderr clips "$ASSETS/Stage.unity"
	[ "$output" = "Walk Actor Stage Assets/Anims/Walk.anim
Recorded Actor Stage Assets/Cut.playable" ]
	[ -z "$stderr" ]
}

@test "a timeline by itself gives the clips on its tracks" {
	run -0 clips "$ASSETS/Cut.playable"
	[ "$output" = "Walk . - Assets/Anims/Walk.anim
Recorded . - Cut.playable" ]
}

@test "the clips on the tracks of a timeline merge into one clip" {
	anim convert -q --each 'clip-%c.axs' "$ASSETS/Cut.playable"
	run -0 --separate-stderr anim convert --merge clip-*.axs cut.tres
	[ "$(anim-parse -q cut.tres | anim-dump | grep -c '^clip ')" = 1 ]
	[ "$(anim-parse -q cut.tres | anim-dump | grep -c '^track ')" = "$(anim-parse -q "$ASSETS/Cut.playable" | anim-dump | grep -c '^track ')" ]
}

@test "it does not matter from where the file is named" {
	anim-parse "$PWD/$ASSETS/Level.unity" -o absolute.axs --no-provenance
	(cd "$ASSETS" && anim-parse Level.unity --no-provenance) >inside.axs
	(cd "$ASSETS/Anims" && anim-parse ../Level.unity --no-provenance) >beside.axs
	ln -s project/Assets link
	anim-parse link/Level.unity --no-provenance >linked.axs
	same absolute.axs inside.axs
	same absolute.axs beside.axs
	same absolute.axs linked.axs
}

@test "the rule of --depfile names every file that was read, as a person would type it" {
	anim-parse "$ASSETS/Level.unity" -o level.axs --depfile level.d --target level.axs
	[ "$(grep -c '^[^ ]*:$' level.d)" = 9 ]
	grep -v ':$' level.d | tr -d '\\\n' >one.d
	run -0 cat one.d
	[ "$output" = "level.axs: $ASSETS/Level.unity  $ASSETS/Hero.prefab  $ASSETS/Anims/Nod.anim  $ASSETS/Anims/Idle.anim  $ASSETS/Hero.overrideController  $ASSETS/Hero.controller  $ASSETS/Anims/Limp.anim  $ASSETS/Anims/Run.anim  $ASSETS/Anims/Swing.anim" ]
}

@test "what is not there is named; several are counted" {
	rm "$ASSETS/Anims/Walk.anim.meta"
	run -0 --separate-stderr anim-parse --force "$ASSETS/Hero.controller" -o x.axs
	[ "$stderr" = "anim-parse: $ASSETS/Hero.controller:44:1: warning: clip '7400000' of guid $(digits 2): not found in a file below the project" ]
	rm "$ASSETS/Anims/Run.anim.meta"
	run -0 --separate-stderr anim-parse --force "$ASSETS/Hero.controller" -o x.axs
	[ "$stderr" = "anim-parse: $ASSETS/Hero.controller:44:1: warning: 2 clips: not found in a file below the project (clip 7400000 of guid $(digits 2), clip 7400000 of guid $(digits 3))" ]
}

@test "a clip in a model, and one that a file does not hold, are named with the reason" {
	mv "$ASSETS/Anims/Walk.anim.meta" "$ASSETS/Anims/Walk.fbx.meta"
	printf 'Kaydara FBX Binary\0' >"$ASSETS/Anims/Walk.fbx"
	run -0 --separate-stderr anim-parse --force "$ASSETS/Hero.controller" -o x.axs
	[[ $stderr == *": warning: clip '7400000' in 'Assets/Anims/Walk.fbx': the model is read only as an input; give it instead" ]]
	sed -i 's/&7400000/\&7400008/' "$ASSETS/Anims/Idle.anim"
	mv "$ASSETS/Anims/Walk.fbx.meta" "$ASSETS/Anims/Walk.anim.meta"
	run -0 --separate-stderr anim-parse --force "$ASSETS/Hero.controller" -o x.axs
	[[ $stderr == *": warning: clip '7400000' in 'Assets/Anims/Idle.anim' (the file does not contain it): not read from another file" ]]
}

@test "of many clips in models the first few files are named, once each, with what to do" {
	local name
	for name in Walk Run Idle; do
		mv "$ASSETS/Anims/$name.anim.meta" "$ASSETS/Anims/$name.FBX.meta"
		printf 'Kaydara FBX Binary\0' >"$ASSETS/Anims/$name.FBX"
	done
	run -0 --separate-stderr anim-parse "$ASSETS/Hero.controller" -o x.axs
	[ "$stderr" = "anim-parse: $ASSETS/Hero.controller:36:1: warning: 3 clips: the model is read only as an input ('Assets/Anims/Idle.FBX', 'Assets/Anims/Walk.FBX', 'Assets/Anims/Run.FBX'); give it instead" ]
}

@test "nothing outside of the project is opened, and no FIFO is waited for" {
	mkdir outside
	mv "$ASSETS/Anims/Walk.anim" outside
	ln -s ../../../outside/Walk.anim "$ASSETS/Anims/Walk.anim"
	rm "$ASSETS/Anims/Run.anim"
	mkfifo "$ASSETS/Anims/Run.anim"
	run -0 --separate-stderr clips "$ASSETS/Hero.controller"
	[[ $output != *Walk* && $output != *Run* ]]
	[ "$stderr" = "anim-parse: $ASSETS/Hero.controller:44:1: warning: 2 clips: not read from another file (clip 7400000 of 'Assets/Anims/Walk.anim' (it is outside the project folder), clip 7400000 of 'Assets/Anims/Run.anim' (it is not a regular file))" ]
}

@test "what comes from a pipe, or under --no-external, names files that are not followed" {
	pipe "anim-parse <$ASSETS/Hero.controller | anim-info"
	[ "$status" -eq 0 ]
	[[ $stderr == *"anim-parse: -:36:1: warning: 4 clips: not searched for, because input from a pipe has no folder to search (clip 7400000 of guid $(digits 1), clip 7400000 of guid $(digits 2), clip 7400000 of guid $(digits 3) and 1 more)"* ]]
	run -0 --separate-stderr anim-parse --no-external "$ASSETS/Hero.prefab" -o x.axs
	[ "$stderr" = "anim-parse: $ASSETS/Hero.prefab:42:1: warning: controller '9100000' of guid $(digits a): not searched for, because other files are not followed" ]
}

@test "a folder Assets is a project's where it holds the file" {
	instances
	mkdir "$ASSETS/Controllers" "$ASSETS/Controllers/Assets"
	mv "$ASSETS/c.controller" "$ASSETS/c.controller.meta" "$ASSETS/Controllers"
	run -0 --separate-stderr clips "$ASSETS/Controllers/c.controller"
	[ "$output" = "walk . - Assets/walk.anim" ]
	[ -z "$stderr" ]
	mkdir project/Packages project/Packages/com.x
	mv "$ASSETS/Controllers/c.controller" project/Packages/com.x
	run -0 --separate-stderr clips project/Packages/com.x/c.controller
	[ "$output" = "walk . - Assets/walk.anim" ]
}

@test "what lies in no project is looked for in its package, else in its own folder" {
	instances
	mkdir -p com.x/Controllers com.x/Clips
	cp "$ASSETS/c.controller" com.x/Controllers
	cp "$ASSETS"/walk.anim* com.x/Clips
	echo '{}' >com.x/package.json
	run -0 --separate-stderr clips com.x/Controllers/c.controller
	[ "$output" = "walk . - Clips/walk.anim" ]
	[ -z "$stderr" ]
	rm "com.x/Clips/walk.anim.meta"
	run -0 --separate-stderr clips com.x/Controllers/c.controller
	[[ $stderr == "anim-parse: com.x/Controllers/c.controller:"*": warning: clip '7400000' of guid $(digits a): not found in a file in the package" ]]
	rm com.x/package.json
	run -0 --separate-stderr clips com.x/Controllers/c.controller
	[[ $stderr == "anim-parse: com.x/Controllers/c.controller:"*": warning: clip '7400000' of guid $(digits a): not found in a file beside or below it, and it is not in a project" ]]
	mkdir com.x/Controllers/Clips
	cp "$ASSETS"/walk.anim* com.x/Controllers/Clips
	run -0 --separate-stderr clips com.x/Controllers/c.controller
	[ "$output" = "walk . - Clips/walk.anim" ]
	[ -z "$stderr" ]
}

@test "files of several projects in one run, each with the clips of its own" {
	local folder order=(one/Assets two/Assets one/Assets one/Assets/sub two/Assets/sub ./one/Assets)
	instances
	for folder in one two; do
		cp -r project $folder
		mkdir $folder/Assets/sub
		cp "$ASSETS/c.controller" $folder/Assets/sub
		mv $folder/Assets/walk.anim $folder/Assets/$folder.anim
		mv $folder/Assets/walk.anim.meta $folder/Assets/$folder.anim.meta
	done
	cp "$ASSETS"/walk.anim* two/Assets/sub # the nearest file with the guid
	for folder in "${order[@]}"; do clips $folder/c.controller; done >each
	clips "${order[@]/%//c.controller}" >together
	[ "$(cut -d' ' -f4 each | tr '\n' ' ')" = "Assets/one.anim Assets/two.anim Assets/one.anim Assets/one.anim Assets/sub/walk.anim Assets/one.anim " ]
	[ "$(cut -d' ' -f4 together)" = "$(cut -d' ' -f4 each)" ]
	# A file in no project, a clip that none has, and a pipe between files of the same folder.
	mkdir loose
	cp "$ASSETS/c.controller" loose
	run -0 --separate-stderr anim-info -l one/Assets/c.controller loose/c.controller - one/Assets/c.controller <"$ASSETS/c.controller"
	[ "$(grep -o 'Assets/.*anim,' <<<"$output")" = "Assets/one.anim,
Assets/one.anim," ]
	[[ $stderr == *"loose/c.controller:"*"not found in a file beside or below it"* ]]
	[[ $stderr == *"-:"*"input from a pipe has no folder to search"* ]]
}

@test "what a prefab's objects are called in its instance is both ids exclusive-or'ed, without the sign" {
	{ object -5 A 0; object -15 B -4; } >"$ASSETS/a.prefab"
	guid "$ASSETS/a.prefab" "$(digits 7)"
	{ object 10 Root 0; instance 90 11 "$(digits 7)"; object 30 Hat $(((-14 ^ 90) & 0x7fffffffffffffff)); } >"$ASSETS/b.prefab"
	run -0 --separate-stderr nodes "$ASSETS/b.prefab"
	[ "$output" = ".
A
A/B
A/B/Hat" ]
}

@test "a controller beside the player that plays it is not listed twice, one that nobody plays is" {
	{
		printf -- '--- !u!95 &7\nAnimator:\n  m_GameObject: {fileID: 1}\n  m_Controller: {fileID: 8}\n'
		printf -- '--- !u!91 &8\nAnimatorController:\n  m_AnimatorLayers:\n  - m_StateMachine: {fileID: 9}\n'
		printf -- '--- !u!91 &18\nAnimatorController:\n  m_AnimatorLayers:\n  - m_StateMachine: {fileID: 9}\n'
		printf -- '--- !u!1107 &9\nAnimatorStateMachine:\n  m_ChildStates:\n  - m_State: {fileID: 10}\n'
		printf -- '--- !u!1102 &10\nAnimatorState:\n  m_Motion: {fileID: 74}\n'
		printf -- '--- !u!74 &74\nAnimationClip:\n  m_Name: Wave\n'
		object 1 Hero 0
	} >both.prefab
	run -0 clips both.prefab
	[ "$output" = "Wave . . -
Wave . - -" ]
}

@test "one note says what a controller's states do to their clips" {
	{
		printf -- '--- !u!91 &8\nAnimatorController:\n  m_AnimatorLayers:\n  - m_StateMachine: {fileID: 9}\n'
		printf -- '--- !u!1107 &9\nAnimatorStateMachine:\n  m_ChildStates:\n  - m_State: {fileID: 10}\n  - m_State: {fileID: 11}\n'
		printf -- '--- !u!1102 &10\nAnimatorState:\n  m_Name: Go\n  m_Speed: 2\n  m_CycleOffset: 0\n  m_Mirror: 1\n  m_Motion: {fileID: 74}\n'
		printf -- '--- !u!1102 &11\nAnimatorState:\n  m_Name: Stay\n  m_Speed: 1\n  m_CycleOffset: 0.25\n  m_Mirror: 0\n  m_Motion: {fileID: 74}\n'
		printf -- '--- !u!74 &74\nAnimationClip:\n  m_Name: Wave\n'
	} >states.controller
	run -0 --separate-stderr anim-parse -o s.axs states.controller
	[[ $stderr == *"note: 3 states: the setting is not kept (m_Speed of 'Go', m_Mirror of 'Go', m_CycleOffset of 'Stay'); the clip is read unchanged"* ]]
}

@test "the colour of an Image and the alpha of a CanvasGroup become colours of a Control" {
	# curve ATTRIBUTE CLASS SCRIPT
	curve() {
		printf '  - curve:\n      m_Curve:\n'
		printf '      - {time: %s, value: %s, inSlope: 1, outSlope: 1}\n' 0 0 1 1
		printf '    attribute: %s\n    path: Panel\n    classID: %s\n    script: %s\n' "$1" "$2" "$3"
	}
	local image='{fileID: 11500000, guid: fe87c0e1cc204ed48ad3b37840f39efc, type: 3}'
	local own='{fileID: 11500000, guid: fe87c0e1cc204ed48ad3b37840f39000, type: 3}'
	{
		printf -- '--- !u!74 &7400000\nAnimationClip:\n  m_Name: ui\n  m_FloatCurves:\n'
		curve m_Color.a 114 "$image"
		curve m_Alpha 225 '{fileID: 0}'
		curve m_Color.r 114 "$own"
	} >ui.anim
	run -0 --separate-stderr anim-convert ui.anim ui.tscn
	[[ $stderr == *"warning: "*"properties of Unity that Godot's nodes do not have"* || $stderr == *"'Panel m_Color.r'"* ]]
	run -0 grep -o 'path = NodePath(.*' ui.tscn
	[ "$output" = 'path = NodePath("Panel:self_modulate:a")
path = NodePath("Panel:modulate:a")
path = NodePath("Panel:m_Color:r")' ]
	# in Unity they stay fields of their scripts
	anim-convert -q ui.anim again.anim
	grep -qF "script: $image" again.anim
}

# rect ID OBJECT PARENT MIN MAX POSITION SIZE PIVOT: a RectTransform, whose vectors are "x y".
rect() {
	printf -- '--- !u!224 &%d\nRectTransform:\n  m_GameObject: {fileID: %d}\n  m_Father: {fileID: %d}\n' "$1" "$2" "$3"
	shift 3
	local name
	for name in AnchorMin AnchorMax AnchoredPosition SizeDelta Pivot; do
		printf '  m_%s: {x: %s, y: %s}\n' "$name" "${1% *}" "${1#* }"
		shift
	done
}

# menu TRACK...: a prefab with a panel, and a clip with these curves of it: "attribute=first,last[,time of the last]".
menu() {
	local track values
	{
		printf -- '--- !u!1 &1\nGameObject:\n  m_Name: Menu\n--- !u!1 &2\nGameObject:\n  m_Name: Panel\n'
		rect 11 1 0 "0 0" "0 0" "0 0" "800 600" "0.5 0.5"
		rect 21 2 11 "0.5 0.5" "0.5 1" "10 20" "100 50" "0.25 0.5"
		printf -- '--- !u!111 &12\nAnimation:\n  m_GameObject: {fileID: 1}\n  m_Animation: {fileID: 7400000, guid: %s, type: 2}\n' "$(digits 5)"
	} >"$ASSETS/Menu.prefab"
	guid "$ASSETS/menu.anim" "$(digits 5)"
	printf -- '--- !u!74 &7400000\nAnimationClip:\n  m_Name: slide\n  m_FloatCurves:\n' >"$ASSETS/menu.anim"
	for track in "$@"; do
		IFS=, read -ra values <<<"${track#*=}"
		printf '  - curve:\n      m_Curve:\n'
		printf '      - {time: %s, value: %s, inSlope: 8, outSlope: 8}\n' 0 "${values[0]}" "${values[2]-1}" "${values[1]}"
		printf '    attribute: %s\n    path: Panel\n    classID: 224\n' "${track%%=*}"
	done >>"$ASSETS/menu.anim"
}

# sides FILE: the name of each animated side of the panel, and its first and last value.
sides() {
	anim-parse -q "$1" | anim-dump | awk '/^track/ { split($3, a, "\""); name = a[2]; first = "" }
		/^\t[0-9]/ { split($2, v, ","); if (first == "") order[++n] = name; first = 1; all[name] = all[name] " " v[1] }
		END { for (i = 1; i <= n; i++) print order[i] all[order[i]] }' | sort
}

@test "a RectTransform becomes a Control with its anchors and offsets, whose y points down" {
	menu m_AnchoredPosition.x=10,110 m_SizeDelta.y=50,80
	run -0 --separate-stderr anim-convert "$ASSETS/Menu.prefab" menu.tscn
	[ -z "$stderr" ]
	run -0 sides menu.tscn
	[ "$output" = "anchor_bottom 0.5
anchor_left 0.5
anchor_right 0.5
anchor_top 0
offset_bottom 5 20
offset_left -15 85
offset_right 85 185
offset_top -45 -60" ]
	# the nodes rest there
	grep -q '^\[node name="Panel" type="Control"' menu.tscn
	for side in anchor_bottom=0.5 offset_left=-15 offset_top=-45; do grep -q "^${side%=*} = ${side#*=}" menu.tscn; done
	grep -qF 'pivot_offset = Vector2(400, 300)' menu.tscn
	# curves with the same keys are added, and so are a pivot and numbers
	menu m_AnchoredPosition.x=10,110 m_SizeDelta.x=100,200 m_Pivot.y=0.5,1 m_AnchorMin.y=0,0.25
	anim-convert -q "$ASSETS/Menu.prefab" menu.tscn --force
	run -0 sides menu.tscn
	[ "$output" = "anchor_bottom 1 0.75
anchor_left 0.5
anchor_right 0.5
anchor_top 0
offset_bottom 5 30
offset_left -15 60
offset_right 85 260
offset_top -45 -20" ]
	# other sums are not exact
	menu m_AnchoredPosition.x=10,110 m_SizeDelta.x=100,200,2 m_Pivot.y=0.5,1 m_SizeDelta.y=50,80
	run -0 --separate-stderr anim-convert "$ASSETS/Menu.prefab" menu.tscn --force
	[[ $stderr == *"2 tracks: not the offset of a Control: its position and size have different keys; bake the clip first (first 'Panel m_AnchoredPosition.x'"* ]]
	[[ $stderr == *"2 tracks: not the offset of a Control: its pivot moves together with its position or size (first 'Panel m_SizeDelta.y'"* ]]
	# in Unity they stay as they are
	anim-convert -q "$ASSETS/Menu.prefab" again.anim
	grep -q 'attribute: m_SizeDelta.x' again.anim
}

@test "prefabs that hold each other come to an end" {
	{ object 10 A 0; instance 90 11 "$(digits 8)"; } >"$ASSETS/a.prefab"
	{ object 20 B 0; instance 91 21 "$(digits 7)"; } >"$ASSETS/b.prefab"
	guid "$ASSETS/a.prefab" "$(digits 7)"
	guid "$ASSETS/b.prefab" "$(digits 8)"
	run -0 --separate-stderr nodes "$ASSETS/a.prefab"
	[ "$output" = ".
B
B/?1" ]
	[[ $stderr == *"b.prefab:8:1: warning: prefab 'a.prefab' (the files refer to each other in a cycle): not read, so nodes are missing or named ?ID"* ]]
}

@test "prefabs in prefabs are followed eight deep" {
	local n
	for n in 0 1 2 3 4 5 6 7 8 9; do
		{ object 10 "N$n" 0; instance $((1 << (20 + n))) 11 "$(printf 'deadbeef%024d' $((n + 1)))"; } >"$ASSETS/p$n.prefab"
		guid "$ASSETS/p$n.prefab" "$(printf 'deadbeef%024d' "$n")"
	done
	run -0 --separate-stderr nodes "$ASSETS/p0.prefab"
	[ "${lines[8]}" = "N1/N2/N3/N4/N5/N6/N7/N8" ]
	[[ $stderr == *"p8.prefab:8:1: warning: prefab 'guid deadbeef000000000000000000000009': not searched for, because files refer to other files too deeply"* ]]
}

@test "small prefabs that multiply each other's nodes stop at the limit" {
	local n i
	object 10 L 0 >"$ASSETS/m0.prefab"
	for n in 0 1 2 3 4 5 6; do
		guid "$ASSETS/m$n.prefab" "$(printf 'deadbeef%024d' "$n")"
		[ "$n" -eq 0 ] || {
			object 10 M 0
			for i in {1..10}; do instance $((i << (8 + 4 * n))) 11 "$(printf 'deadbeef%024d' $((n - 1)))"; done
		} >"$ASSETS/m$n.prefab"
	done
	run -0 --separate-stderr bash -c "anim-parse '$ASSETS/m6.prefab' | anim-dump | grep -c ^node"
	[ "$output" -lt 300000 ]
	[[ $stderr == *"prefabs: not read, so nodes are missing or named ?ID ('"*" (there are too many nodes)"* ]]
}

@test "a prefab's removed object is gone with all below it, an added camera makes its node one" {
	sed -i '/m_RemovedComponents/c\    m_RemovedComponents: []\
    m_RemovedGameObjects:\
    - {fileID: 1003, guid: cccccccccccccccccccccccccccccccc, type: 3}\
    m_AddedComponents:\
    - targetCorrespondingSourceObject: {fileID: 1002, guid: cccccccccccccccccccccccccccccccc, type: 3}\
      addedObject: {fileID: 231}' "$ASSETS/Level.unity"
	sed -i 's/^--- !u!23 &231/--- !u!20 \&231/' "$ASSETS/Level.unity"
	run -0 --separate-stderr bash -c "anim-parse -q '$ASSETS/Level.unity' | anim-info --tree"
	[[ $output == *"Body camera Camera"* && $output == *"Ground camera Camera"* ]]
	[[ $output != *Hand* && $output != *Sword* ]]
}

@test "an old scene with the objects of a prefab instance in full has them once, as the scene has them" {
	instances
	[[ $(anim-parse "$ASSETS/Old.unity" | anim-dump) == *'node path="." '*'position=5,0,0 '* ]]
	[ "$(nodes "$ASSETS/Old.unity")" = "." ]
	[ "$(clips "$ASSETS/Old.unity")" = "walk . . Assets/walk.anim" ]
	sed -i 's/^  m_PrefabInternal/  m_PrefabInstance/' "$ASSETS/Old.unity"
	[ "$(nodes "$ASSETS/Old.unity")" = "." ]
	rm "$ASSETS/P.prefab"
	run -0 --separate-stderr nodes "$ASSETS/Old.unity"
	[ "$output" = "." ]
	[ -z "$stderr" ]
}

@test "a controller that an instance gives a model is played at its root" {
	instances
	printf 'FBX' >"$ASSETS/Hero.fbx"
	guid "$ASSETS/Hero.fbx" "$(digits f)"
	run -0 --separate-stderr clips "$ASSETS/Hero.prefab"
	[ "$output" = "walk . . Assets/walk.anim" ]
	[ "$stderr" = "anim-parse: $ASSETS/Hero.prefab:3:1: warning: prefab 'Assets/Hero.fbx' (a model): not read, so nodes are missing or named ?ID" ]
	{ object 10 Root 0; instance 90 11 "$(digits e)"; } >"$ASSETS/Scene.prefab"
	guid "$ASSETS/Hero.prefab" "$(digits e)"
	run -0 --separate-stderr clips "$ASSETS/Scene.prefab"
	[ "$output" = "walk Hero Hero Assets/walk.anim" ]
	rm "$ASSETS/Hero.fbx" "$ASSETS/Hero.fbx.meta"
	[ "$(clips "$ASSETS/Hero.prefab")" = "walk . . Assets/walk.anim" ]
}

@test "clips that an instance adds to a model's Animation are played, each once" {
	instances
	sed -i 's/propertyPath: m_Controller/propertyPath: m_Animations.Array.data[0]/
		s/fileID: 9100000, guid: c*,/fileID: 7400000, guid: '"$(digits a)"',/' "$ASSETS/Hero.prefab"
	sed -n '/9500000/,/objectReference/p' "$ASSETS/Hero.prefab" | sed 's/data.0./data[1]/' >again
	sed -i '/m_RemovedComponents/{
		r again
		N
	}' "$ASSETS/Hero.prefab"
	[ "$(clips "$ASSETS/Hero.prefab")" = "walk . . Assets/walk.anim" ]
}

# coin ID NAME CONTROLLER: an object below Transform 11 with an Animator of its own.
coin() {
	object "$1" "$2" 11
	printf -- '--- !u!95 &%d\nAnimator:\n  m_GameObject: {fileID: %d}\n' $(($1 + 2)) "$1"
	printf '  m_Controller: {fileID: 9100000, guid: %s, type: 2}\n' "$3"
}

@test "equal clips of siblings of one name count once" {
	instances
	{ object 10 Level 0; for n in {1..50}; do coin $((n * 100)) Coin "$(digits c)"; done; coin 7000 Door "$(digits c)"; } >"$ASSETS/Coins.unity"
	[ "$(clips "$ASSETS/Coins.unity")" = "walk Coin Coin Assets/walk.anim
walk Door Door Assets/walk.anim" ]
	anim-parse "$ASSETS/Coins.unity" -o coins.axs
	anim-emit animj -c Coin:walk -o coin.animj coins.axs
}

@test "one of different clips of one name and player is chosen by its number, or all are written" {
	instances
	sed 's/value: 1$/value: 2/' "$ASSETS/walk.anim" >"$ASSETS/other.anim"
	guid "$ASSETS/other.anim" "$(digits b)"
	sed "s/$(digits a)/$(digits b)/" "$ASSETS/c.controller" >"$ASSETS/d.controller"
	guid "$ASSETS/d.controller" "$(digits e)"
	{ object 10 Level 0; coin 100 Coin "$(digits c)"; coin 200 Coin "$(digits e)"; } >"$ASSETS/Coins.unity"
	anim-parse "$ASSETS/Coins.unity" -o coins.axs
	run -1 --separate-stderr anim-emit animj coins.axs
	[ "$stderr" = "anim-emit: animj holds one clip, but there are 2: Coin:walk, Coin:walk; pick one with -c NAME#1, or write all with --each '%c.animj' in place of the output" ]
	run -1 --separate-stderr anim-emit animj -c Coin:walk coins.axs
	[ "$stderr" = "anim-emit: 2 clips match 'Coin:walk': Coin:walk, Coin:walk; pick one with -c NAME#1" ]
	anim-emit --each '%c.animj' coins.axs
	[ -e walk.animj ]
	[ -e walk-2.animj ]
	anim convert -q -c 'Coin:walk#2' "$ASSETS/Coins.unity" second.animj
	cmp <(anim dump second.animj | grep -v '^prog') <(anim dump walk-2.animj | grep -v '^prog') || { anim dump second.animj walk-2.animj && false; }
	anim-emit animj -c 'Coin:walk#2' -o emitted.animj coins.axs
	cmp emitted.animj walk-2.animj
	run -1 anim convert -c 'walk#3' "$ASSETS/Coins.unity" third.animj
}

@test "the tracks and sounds of a timeline are no clips that are missing" {
	sed -i 's/^  - {fileID: 501}/&\n  - {fileID: 502}/' "$ASSETS/Cut.playable"
	cat >>"$ASSETS/Cut.playable" <<-END
		--- !u!114 &502
		MonoBehaviour:
		  m_Name: Sounds
		  m_Children: []
		  m_Clips:
		  - m_Start: 0
		    m_Asset: {fileID: 602}
		    m_AnimationCurves: {fileID: 0}
		  - m_Start: 1
		    m_Asset: {fileID: 603}
		--- !u!114 &602
		MonoBehaviour:
		  m_Name: Sound
		  m_Clip: {fileID: 8300000, guid: $(digits 9), type: 3}
		--- !u!114 &603
		MonoBehaviour:
		  m_Name: Signal
	END
	run -0 --separate-stderr clips "$ASSETS/Cut.playable"
	[ "$output" = "Walk . - Assets/Anims/Walk.anim
Recorded . - Cut.playable" ]
	[ -z "$stderr" ]
	sed -i 's/fileID: 603/fileID: 604/' "$ASSETS/Cut.playable"
	run -0 --separate-stderr clips "$ASSETS/Cut.playable"
	[[ $stderr == *": warning: clip '604': referenced, but missing in this file" ]]
}

@test "a broken script does not keep the clips beside it from being read" {
	printf -- '--- !u!114 &5\nMonoBehaviour:\n  m_Clip: {fileID: [\n  m_Tracks:\n\t- x\n' >>"$ASSETS/Anims/Walk.anim"
	printf -- '--- !u!74 &6\nAnimationClip:\n  m_Name: After\n' >>"$ASSETS/Anims/Walk.anim"
	run -0 --separate-stderr clips "$ASSETS/Anims/Walk.anim"
	[ "$output" = "Walk . - Walk.anim
After . - Walk.anim" ]
	[ -z "$stderr" ]
}

@test "a fault in a file that is led to counts like one in the file itself" {
	sed -i '0,/time: 0/s/time: 0/time: soon/' "$ASSETS/Anims/Walk.anim"
	run -1 --separate-stderr anim-parse "$ASSETS/Hero.controller" -o x.axs
	[[ $stderr == *"Assets/Anims/Walk.anim:17:15: time is not a number: 'soon'"* ]]
	[ ! -e x.axs ]
	run -0 --separate-stderr clips --keep-going "$ASSETS/Hero.controller"
	[[ $output != *Walk* && $output == *Run* ]]
	[[ $stderr == *"Assets/Anims/Walk.anim:3:1: warning: clip 'Walk' is left out: it has faults"* ]]
}

@test "a clip of Unity's that was cut is refused or reported" {
	file=$DATA/unity/emit_all.anim
	grep -q '^  m_ObjectHideFlags: ' "$file" && anim-parse -q --strict "$file" >whole.axs
	end=$(grep -b -o '^  m_Events' "$file" | cut -d: -f1)
	for ((bytes = 150; bytes < end; bytes += 183)); do
		head -c "$bytes" "$file" >cut.anim
		run anim-parse -q --strict cut.anim -o cut.axs
		[ "$status" -eq 1 ] || { echo "$bytes" && false; }
	done
	head -c "$end" "$file" >cut.anim
	run -0 --separate-stderr anim-parse -q cut.anim -o cut.axs
	[ "$stderr" = "anim-parse: cut.anim:3:1: warning: no m_Events, which Unity writes last; the file may be cut" ]
}

@test "components of a placement that are not recorded are those of none" {
	cat >part.prefab <<-'TEXT'
		--- !u!1 &1
		GameObject:
		  m_Component:
		  - component: {fileID: 2}
		  m_Name: A
		--- !u!4 &2
		Transform:
		  m_GameObject: {fileID: 1}
		  m_LocalRotation: {x: , y: 0, z: 0, w: 1}
		  m_LocalPosition: {y: 1, z: 2}
		  m_LocalScale: {z: 3}
		  m_Father: {fileID: 0}
	TEXT
	anim-parse -q part.prefab 2>/dev/null | anim-dump | grep -q ' position=0,1,2 rotation=0,0,0,1 scale=1,1,3$'
}

@test "a path that grows too long is named with its Transform" {
	awk 'BEGIN {
		for (i = 1; i <= 1000; i++)
			name = name "n"
		for (i = 1; i <= 80; i++)
			printf "--- !u!1 &%d\nGameObject:\n  m_Name: %s\n--- !u!4 &%d\nTransform:\n" \
				"  m_GameObject: {fileID: %d}\n  m_Father: {fileID: %d}\n", i, name, i + 100, i, (i > 1 ? i + 99 : 0)
	}' >deep.prefab
	run -1 --separate-stderr anim-parse deep.prefab -o deep.axs
	[ "$stderr" = "anim-parse: deep.prefab:466:1: the path of a node is longer than 65535 bytes" ]
	[ ! -e deep.axs ]
}

@test "a timeline gives the part of a clip that it plays, at its place and speed" {
	placed() {
		sed -e "s/m_Start: .*/m_Start: $1/; s/m_ClipIn: .*/m_ClipIn: $2/; s/m_Duration: .*/m_Duration: $3/" \
			-e "s/m_TimeScale: .*/m_TimeScale: $4/" "$DATA/unity/timeline.playable" >cut.playable
		run -0 --separate-stderr anim-parse cut.playable -o cut.axs
		[ -z "$stderr" ]
		[ "$(anim-dump cut.axs | sed -n 's/^clip name="Anim".* start=\([^ ]*\) end=\([^ ]*\) .*/\1 \2/p')" = "$5" ]
	}
	placed 2 0 3 1 "2 5"
	placed 0 0 2 1 "0 2"
	placed 0 0 1.5 2 "0 1.5"
	placed 0 0 3 1 "0 3"
	placed 2 0.5 1 2 "2 3"
	# seconds 0 and 3 of the clip
	anim-dump cut.axs | grep -q '^	1.75 0,0,0 0,0,0 0,0,0$'
	anim-dump cut.axs | grep -q '^	3.25 3,0,0 0,0,0 0,0,0$'
	sed -i 's/m_DisplayName: part/m_EaseInDuration: 0.1/' cut.playable
	run -0 --separate-stderr anim-parse cut.playable -o cut.axs
	[ "$stderr" = "anim-parse: cut.playable:31:1: note: clip 'Anim': fades at an end on the timeline, but is read with its full weight" ]
}

@test "sprites are named by the texture's path, their name and their number in its sheet" {
	local guid
	guid=$(digits 9)
	printf 'fileFormatVersion: 2\nguid: %s\nTextureImporter:\n  internalIDToNameTable:\n  - first:\n      213: 77\n    second: run_1\n  spriteSheet:\n    sprites:\n    - name: run_0\n      internalID: 76\n    - name: run_1\n      internalID: 77\n' "$guid" >"$ASSETS/run.png.meta"
	cat >"$ASSETS/Flip.anim" <<-TEXT
		--- !u!74 &7400000
		AnimationClip:
		  m_Name: Flip
		  m_PPtrCurves:
		  - curve:
		    - time: 0
		      value: {fileID: 77, guid: $guid, type: 3}
		    - time: 0.5
		      value: {fileID: 99, guid: $guid, type: 3}
		    attribute: m_Sprite
		    path: 
		    classID: 212
		    script: {fileID: 0}
	TEXT
	anim-parse "$ASSETS/Flip.anim" --depfile flip.d --target x >flip.axs
	run -0 anim-dump flip.axs
	[[ $output == *"{fileID: 77, guid: $guid, type: 3, path: \\\"Assets/run.png\\\", name: \\\"run_1\\\", index: 1}"* ]]
	[[ $output == *"{fileID: 99, guid: $guid, type: 3, path: \\\"Assets/run.png\\\"}"* ]]
	grep -q "$ASSETS/run.png.meta" flip.d
}

# meta FORM: the .meta of a sheet with the sprites walk_0, walk_1 and walk_2 as that version of Unity writes it.
meta() {
	printf 'fileFormatVersion: 2\nguid: %s\nTextureImporter:\n' "$(digits 9)"
	case $1 in
	table) printf '  fileIDToRecycleName:\n    21300004: walk_0\n    21300000: walk_2\n' ;;
	empty) printf '  fileIDToRecycleName: {}\n' ;;
	new) printf '  internalIDToNameTable: []\n' ;;
	esac
	printf '  serializedVersion: 2\n  spriteSheet:\n    sprites:\n'
	for i in 0 1 2; do
		printf '    - name: walk_%d\n      rect:\n        x: %d\n' $i $((16 * i))
		[ "$1" != new ] || printf '      internalID: 0\n'
	done
}

@test "sprites of a sheet without ids are numbered by their order, unless a table has them" {
	printf '%s\n' '--- !u!74 &7400000' AnimationClip: '  m_Name: Walk' '  m_PPtrCurves:' '  - curve:' >"$ASSETS/Walk.anim"
	for i in 0 1 2; do
		printf '    - time: %d\n      value: {fileID: %d, guid: %s, type: 3}\n' $i $((21300000 + 2 * i)) "$(digits 9)"
	done >>"$ASSETS/Walk.anim"
	printf '    %s\n' 'attribute: m_Sprite' 'path: ' 'classID: 212' 'script: {fileID: 0}' >>"$ASSETS/Walk.anim"
	sprites() {
		meta "$1" >"$ASSETS/walk.png.meta"
		anim-parse "$ASSETS/Walk.anim" | anim-dump | grep -o 'name: ..walk_.*index: [0-9]' | tr -d '\\"'
	}
	by_order='name: walk_0, index: 0
name: walk_1, index: 1
name: walk_2, index: 2'
	[ "$(sprites none)" = "$by_order" ]
	[ "$(sprites empty)" = "$by_order" ]
	[ "$(sprites table)" = "name: walk_2, index: 2
name: walk_0, index: 0" ]
	[ "$(sprites new)" = "" ]
}

@test "the documented example shows its tree, and a warning that there is no animation" {
	cat >cube.prefab <<-'TEXT'
		--- !u!1 &6
		GameObject:
		  m_Component:
		  - 4: {fileID: 8}
		  - 23: {fileID: 11}
		  m_Name: Cube
		--- !u!4 &8
		Transform:
		  m_GameObject: {fileID: 6}
		  m_LocalPosition: {x: -2.618721, y: 1.028581, z: 1.131627}
		  m_Father: {fileID: 0}
	TEXT
	run -0 --separate-stderr anim-info --tree cube.prefab
	[ "$output" = "tree of Cube, from cube.prefab, unity axes
  . mesh MeshRenderer position (-2.6187, 1.0286, 1.1316)" ]
	[ "$stderr" = "anim-info: cube.prefab: warning: no animation in this file" ]
}

@test "the parse is the same from a store in memory, a store in a file, one-byte windows, CRLF and gzip" {
	anim-parse --no-provenance "$ASSETS/Level.unity" -o plain.axs
	ANIM_STORE_MEMORY=0 anim-parse --no-provenance "$ASSETS/Level.unity" -o stored.axs
	ANIM_READ_MAX=1 anim-parse --no-provenance "$ASSETS/Level.unity" -o narrow.axs
	same plain.axs stored.axs
	same plain.axs narrow.axs
	find project -type f -exec sed -i 's/$/\r/' {} +
	anim-parse --no-provenance "$ASSETS/Level.unity" -o crlf.axs
	same plain.axs crlf.axs
	gzip "$ASSETS/Level.unity"
	anim-parse --no-provenance --source-name Level.unity "$ASSETS/Level.unity.gz" -o gzip.axs
	same plain.axs gzip.axs
}

@test "the format is known by the content, by the suffix where that says nothing, or by -f" {
	cp "$ASSETS/Anims/Walk.anim" x
	anim-parse --source-name w --no-provenance x -o x.axs
	{ printf '# a comment\n'; tail -n +3 x; } >y
	anim-parse --source-name w --no-provenance y -o y.axs
	{ printf 'text\n'; cat x; } >z.anim
	anim-parse --source-name w --no-provenance z.anim -o z.axs
	cp z.anim z
	run -1 anim-parse z -o w.axs
	anim-parse -f unity --source-name w --no-provenance z -o w.axs
	same x.axs y.axs
	same x.axs z.axs
	same x.axs w.axs
}

# times COUNT TEXT
times() { printf "%.0s$2" $(seq "$1"); }

# clip VALUE: a clip with a member that is not known.
clip() { printf -- '--- !u!74 &7400000\nAnimationClip:\n  m_Name: walk\n  m_Other: %s\n  m_Events: []\n' "$1"; }

@test "brackets are counted before the YAML reader holds what is in them" {
	local deep
	for deep in "$(times 3000 '{a: [], ')" "$(times 3000 '[')" "&x $(times 3000 '{"a":[')" "{'it''s': $(times 3000 '[')" \
		"{a: \"\\\"\", b: $(times 3000 '[')" "$(times 3000 '[x,
 ')"; do
		clip "$deep" >deep.anim
		run -1 --separate-stderr anim-parse -o x.axs deep.anim
		[[ $stderr == "anim-parse: deep.anim:"*": nested more than 256 deep" ]]
	done
	clip "[[$(times 70000 '0,')0]]" >wide.anim
	run -1 --separate-stderr anim-parse -o x.axs wide.anim
	[[ $stderr == "anim-parse: wide.anim:4:"*": a value in brackets of more than 65536 parts" ]]
	clip "[$(times 70000 '0,')0]" | anim-parse -o x.axs
}

@test "brackets in texts, comments and names are none" {
	local many text
	many=$(times 300 '[{')
	for text in "a$many" "a #$many" "'it''s $many'" "\"\\\"$many\"" "plain
    $many
    $many" "'quoted
    $many'" "|
    $many" "{a: '$many', \"b\":\"$many\", c: d} #$many" "
    $(times 300 '- [a]
    - ')x" "
  - 'a'
  #$many
  - {a: b,
  c: d}
  - e
    $many"; do
		clip "$text" >text.anim
		run -0 --separate-stderr anim-parse -o x.axs text.anim
		[ -z "$stderr" ]
	done
}
