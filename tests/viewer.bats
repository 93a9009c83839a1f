#!/usr/bin/env bats
# anim-plot -o x.html: the page that plays an animation; what it holds, and in a browser, where one is installed, what it shows.

load helper

# Starting a browser takes longer than all that is asked of the pages: it is started once for all of them.
setup_file() {
	for BROWSER in chromium chromium-browser google-chrome none; do
		! command -v "$BROWSER" >/dev/null || break
	done
	export BROWSER
	[ "$BROWSER" != none ] && [ "${ANIM_READ_MAX:-}" != 1 ] && ! sanitized || return 0
	cd "$BATS_FILE_TMPDIR" || return 1
	export TMPDIR=$PWD
	set -- hostile joints against shell between numbers axes unlike skinless plays events curves differs empty starts hud lost whole armature
	for page; do
		"page_$page"
		look "$page"
	done
	{
		printf '%s\n' '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><script>' 'const values = [];' \
			"addEventListener('message', ({ data }) => { if (values.push(data.join(' ')) < $#) return;" \
			'	const it = document.createElement("pre"); it.id = "done"; it.textContent = values.join("\n"); document.body.append(it); });' '</script>'
		for page; do printf '<iframe width="1280" height="800" src="copy-%s.html#%s"></iframe>\n' "$page" "$(cat "$page.hash" 2>/dev/null)"; done
		echo '</body></html>'
	} >all.html
	# One that shares its machine may come late; it is asked twice.
	for _ in 1 2; do
		timeout 100 "$BROWSER" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/profile" \
			--host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr --virtual-time-budget=20000 --window-size=1280,800 \
			--dump-dom "file://$PWD/all.html" >dom 2>log || true
		! grep -q '<pre id="done">' dom || break
	done
	grep CONSOLE log >console || true
	sed -n '/<pre id="done">/,/<\/pre>/p' dom | sed 's/.*<pre id="done">//; s/<\/pre>.*//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >shown
}

# look NAME: makes a copy of NAME.html, with NAME.js behind its own script, which calls done(VALUE), and may ask for joints(SIDE), the
# places of all nodes of the pose that is shown. NAME.hash is what it begins with.
look() {
	{
		sed '/^<\/body>$/,$d' "$1.html"
		printf '<script>\nconst joints = side => figures[side].nodes.map(({ path }, n) => [path, ...origin(figures[side], n)]), done = value => { console.log("its own mark"); parent.postMessage(["%s", JSON.stringify(value)], "*"); };\n' "$1"
		cat "$1.js"
		printf '</script>\n</body>\n</html>\n'
	} >"copy-$1.html"
}

# seen NAME: what that page called done with, as JSON, on stdout; skips without a browser. No name was looked up. Whatever the
# page logged, its own mark apart, is a failure.
seen() {
	not_bytewise "a browser looks at the page, which is the same"
	not_sanitized "a browser is waited for"
	[ "$BROWSER" != none ] || skip "chromium is not installed"
	grep "/copy-$1.html" "$BATS_FILE_TMPDIR/console" >own || true
	[ "$(wc -l <own)" -eq 1 ] && grep -q 'its own mark' own || { tail -n 20 own "$BATS_FILE_TMPDIR/log" && false; } >&2
	sed -n "s/^$1 //p" "$BATS_FILE_TMPDIR/shown" >seen
	[ -s seen ] || { head -c 3000 "$BATS_FILE_TMPDIR/shown" && false; } >&2
}

# lines PAGE: its data.
lines() {
	sed -n 's/^\({"is":.*}\),$/\1/p' "$1"
}

need_python() {
	command -v python3 >/dev/null || skip "python3 is not installed"
}

@test "the page holds what the player shows at each frame, as float32" {
	need_python
	anim-parse "$ROOT/examples/crane.tscn" -o a.axs
	run -0 --separate-stderr anim-plot -o a.html a.axs
	[ "$output$stderr" = "" ]
	anim-plot -o a.html a.axs # what it wrote before is replaced
	LC_ALL=tr_TR.UTF-8 anim-plot -o b.html a.axs
	same a.html b.html
	lines a.html >data
	anim-resample --all 60 a.axs | anim-emit csv >a.csv
	python3 - <<-'PY'
		import base64, csv, json, struct
		data = [json.loads(line) for line in open("data", encoding="utf-8")]
		tracks = {(t["name"], t["property"]): t for t in data if t["is"] == "track"}
		wanted = {}
		for row in csv.DictReader(open("a.csv")):
		    wanted.setdefault((row["node"], row["property"]), []).append([float(row["v%d" % i]) for i in range(4) if row["v%d" % i]])
		assert len(wanted) == 5 and wanted.keys() == tracks.keys(), tracks.keys()
		for name, values in wanted.items():
		    raw = base64.b64decode(tracks[name]["data"], validate=True)
		    got = struct.unpack("<%df" % (len(raw) // 4), raw)
		    assert len(values) == 121 and list(got) == [struct.unpack("<f", struct.pack("<f", v))[0] for row in values for v in row], name
		clip = [it for it in data if it["is"] == "clip"]
		assert [(c["name"], c["length"], c["rate"], c["tree"]) for c in clip] == [("lift", 2, 60, 1)], clip
		keys = {(k["name"], k["property"]): k for k in data if k["is"] == "keys"}
		assert struct.unpack("<3f", base64.b64decode(keys["Skeleton3D:arm", "rotation"]["data"])) == (0, 0.75, 2)
		nodes = [it for it in data if it["is"] == "node"]
		assert nodes[tracks["Skeleton3D:arm", "rotation"]["node"]]["path"] == "Skeleton3D:arm"
	PY
}

@test "a part of a clip, some of its tracks, and what is not shown" {
	anim-parse "$ROOT/examples/crane.tscn" -o a.axs
	anim-plot -t 0.5..1 -n '*arm' --as euler --palette safe -o a.html a.axs
	lines a.html >data
	[ "$(grep -c '"is":"track"' data)" -eq 1 ]
	grep -q '"start":0.5,"length":0.5,' data
	grep -q '"as":"euler","safe":true,' data
	anim-dump a.axs | sed '/property="light_energy"/s/flags=[a-z_]*/flags=disabled/' | anim-undump -o b.axs
	anim-plot --strict -o b.html b.axs
	lines b.html | grep -qF '{"is":"left","clip":0,"name":"Lamp light_energy","why":"disabled"}'
	[ "$(lines b.html | grep -c '"is":"track"')" -eq 4 ]
	anim-plot -q -o d.html "$DATA/axs/good/all_modes.axs" # keys that no player plays under its rules
	lines d.html | grep -qF '"why":"not played"}'
	run -2 anim-plot --heat --against b.axs -o c.html a.axs
	run -1 anim-plot -o c.html missing.axs
	[ ! -e c.html ]
}

@test "a page with more samples than it may hold has thirty a second, and says so" {
	printf 'anim-dump 1\nclip name="c" root="." source="x" start=0 end=100000 loop=none axes=unknown axes2d=unknown flags=- rate=0/0\n' >dump
	printf 'track node="N" property="position" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=2\n' >>dump
	printf '\tcolumns time value\n\t0 0,0,0\n\t100000 1,2,3\nend\n' >>dump
	not_sanitized "a hundred megabytes are written"
	not_bytewise "a hundred megabytes are written"
	anim-undump -o a.axs dump
	run -0 --separate-stderr anim-plot -o a.html a.axs
	[ "$stderr" = "anim-plot: note: the page would hold 69 MB of samples, so it has only 30 per second. Select clips with -c, or a part with -t" ]
	[ "$(wc -c <a.html)" -lt 50000000 ]
	head -c 60000 a.html | grep -q '"reduced":true}'
	sed -i 's/end=100000/end=9000000/; s/^\t100000/\t9000000/' dump
	anim-undump -o a.axs dump
	run -1 --separate-stderr anim-plot -o b.html a.axs
	[[ $stderr == *"the page would hold "*" MB even at 30 samples per second"* ]]
	[ ! -e b.html ]
}

# hostile: a stream on stdout, all of whose names would do harm where one of them got into the page as it is.
hostile() {
	local name='</script><img src=x onerror=alert(1)><!--<script>'
	printf 'anim-dump 1\ntree root="%s" source="%s" axes=gltf axes2d=unknown\n' "$name" "$name"
	printf 'node path="." type="%s" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1\n' "$name"
	printf 'node path="%s" type="" kind=node has=position parent=0 position=0,1,0 rotation=0,0,0,1 scale=1,1,1\n' "$name"
	printf 'clip name="%s" root="." source="x" start=0 end=1 loop=none axes=gltf axes2d=unknown flags=in_tree rate=0/0\n\tattr "player" "%s"\n' "$name" "$name"
	for property in position "$name"; do
		printf 'track node="%s" property="%s" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=2\n\tcolumns time value\n\t0 0,2,0\n\t1 1,2,0\n' "$name" "$property"
	done
	printf 'track node="%s" property="@method" component=- kind=Discrete type=string rules=plain flags=- before=hold after=hold interp=Hold keys=2\n\tcolumns time value\n\t0 "%s"\n\t0.5 "\\" onclick=\\"alert(1)"\n' "$name" "$name"
	printf 'track node="%s" property="%s" component=- kind=Discrete type=string rules=plain flags=- before=hold after=hold interp=Hold keys=0\n\tcolumns time value\nend\n' "$name" "$name"
}

page_hostile() {
	mkdir hostile
	hostile | anim-undump -o 'hostile/<img src=x onerror=alert(1)>.axs'
	anim-plot -q -o hostile.html hostile/*.axs
	echo 'done([document.images.length, document.scripts.length, document.title, document.querySelector("#node option:last-child").textContent, document.querySelectorAll("#plots figure").length, [...document.querySelectorAll("#events button")].map(it => [it.textContent, it.getAttributeNames().join()]), [...document.querySelector("#plots figcaption").children].map(it => it.tagName).join()])' >hostile.js
}

@test "names that look like tags stay names" {
	hostile | anim-undump -o '<img src=x onerror=alert(1)>.axs'
	anim-plot -q -o a.html *.axs
	anim-parse "$ROOT/examples/crane.tscn" | anim-plot -o b.html
	for tag in '<script' '</script' '<img' '<!--'; do
		[ "$(grep -o "$tag" a.html | wc -l)" -eq "$(grep -o "$tag" b.html | wc -l)" ]
	done
	seen hostile
	[ "$(cat seen)" = '[0,2,"<img src=x onerror=alert(1)>.axs","script><img src=x onerror=alert(1)><!--<script>",2,[["script><img src=x onerror=alert(1)><!--<script>","title,style"],["\" onclick=\"alert(1","title,style"]],"BDI,BDI,SMALL"]' ] || { cat seen && false; }
}

page_joints() {
	mkdir joints
	flat | anim-undump -o joints/flat.axs
	for file in "$ROOT/examples/crane.tscn" "$ROOT/examples/assets/scenes/gate.tscn" "$ROOT/examples/assets/scenes/hero.tscn" \
		"$DATA/bvh/arm.bvh" "$DATA/gltf/types.gltf" "$DATA/gltf/vrm.vrma"; do
		anim-parse -q "$file" -o "joints/$(basename "$file").axs"
	done
	anim-axes -q unity joints/hero.tscn.axs -o joints/left.axs
	anim-cat -q joints/*.axs -o joints.axs
	anim-plot -q -o joints.html joints.axs
	cat >joints.js <<-'JS'
		done(clips.map((it, i) => {
			choose(i);
			return [it.sides[0].name, it.sides[0].player, it.sides[0].rate, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(part => {
				seek(Math.floor((frames - 2) * part / 9));
				return [frame, joints(0)]; })]; }));
	JS
}

# A chain of the plane: a body that goes and turns, an arm, a hand that grows.
flat() {
	printf 'anim-dump 1\ntree root="Root" source="x" axes=godot axes2d=godot\n'
	printf 'node path="." type="Node2D" kind=node has=2d parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1\n'
	printf 'node path="Body" type="Node2D" kind=node has=position,2d parent=0 position=100,300,0 rotation=0,0,0,1 scale=1,1,1\n'
	printf 'node path="Body/Arm" type="Bone2D" kind=bone has=position,2d parent=1 position=40,-60,0 rotation=0,0,0,1 scale=1,1,1\n'
	printf 'node path="Body/Arm/Hand" type="Bone2D" kind=bone has=position,2d parent=2 position=50,0,0 rotation=0,0,0,1 scale=1,1,1\n'
	printf 'clip name="plane" root="." source="godot4" start=0 end=1 loop=none axes=godot axes2d=godot flags=in_tree rate=0/0\n'
	printf 'track node="%s" property="%s" component=- kind=Curve type=%s rules=plain flags=- before=hold after=hold interp=Linear keys=2\n\tcolumns time value\n\t0 %s\n\t1 %s\n' \
		Body position float2 100,300 400,200 Body angle float 0 7 Body/Arm angle float 0.25 -1.5 Body/Arm scale float2 1,1 3,3
	echo end
}

@test "in a browser joints are where anim-bake puts them, at ten times of every clip" {
	need_python
	seen joints
	anim-bake -q --world -r 120 "$BATS_FILE_TMPDIR/joints.axs" | anim-emit -q csv >world.csv
	python3 - <<-'PY'
		import csv, json
		world, compared, kinds = {}, 0, set()
		number, seen = -1, None
		for row in csv.DictReader(open("world.csv")):
		    clip = (row["source"], row["clip"], row["player"])
		    if clip != seen:
		        number, seen = number + 1, clip
		    if row["property"] == "position":
		        world[number, row["node"], round(float(row["time"]) * 120)] = [float(row["v%d" % i] or 0) for i in range(3)]
		shown = json.load(open("seen"))
		assert len(shown) == number + 1 >= 9, (len(shown), number)
		for number, (name, player, rate, poses) in enumerate(shown):
		    heights = [joint[2] for _, joints in poses for joint in joints]
		    height = max(heights) - min(heights) or 1
		    for frame, joints in poses:
		        for path, *at in joints:
		            wanted = world.get((number, path, round(frame / rate * 120)))
		            kinds.add((name == "plane") if wanted else None)
		            if wanted:
		                compared += 1
		                assert max(abs(a - b) for a, b in zip(wanted, at)) <= 1e-4 * height, (name, path, frame, wanted, at)
		assert compared > 150 and {True, False} <= kinds, (compared, kinds)
	PY
}

@test "a result is shown beside its source, and the numbers are those of anim-diff" {
	anim-parse "$ROOT/examples/crane.tscn" -o a.axs
	anim-resample 5 a.axs -o b.axs
	run -0 --separate-stderr anim-plot --against b.axs --max 1mm -o a.html a.axs
	[ -z "$stderr" ]
	lines a.html >data
	grep -q '"is":"page","source":"a.axs","result":"b.axs",.*"limit":0.001,' data
	anim-diff a.axs b.axs >table || [ $? -eq 1 ]
	awk '/^  [^ ]/ && $1 != "node" { sub(/^  */, ""); gsub(/  +/, "|"); split($0, c, "|"); printf "\"node\":\"%s\",\"property\":\"%s\",\"worst\":\"%s\",\"at\":\"%s\"}\n", c[1], c[2], c[3], c[5] }' table >wanted
	[ "$(wc -l <wanted)" -eq 4 ]
	while read -r row; do grep -qF "$row" data || { echo "$row" && false; }; done <wanted
	[ "$(grep -c '"is":"track","side":1' data)" -eq 5 ]
	[ "$(grep -c '"is":"clip"' data)" -eq 2 ]
	flat | anim-undump --force -o a.axs
	anim-plot --against a.axs --max 1mm,3px -o b.html a.axs
	lines b.html | grep -q '"is":"page",.*"limit":0.001,"pixels":3,'
}

page_against() {
	flat | anim-undump -o against.axs
	flat | sed 's/1 -1.5/1 -1/' | anim-undump -o than.axs
	anim-plot -q --against than.axs --max 3px -o against.html against.axs
	{
		echo 'seek(60); const told = [limit, worst.off.toFixed(2), $("scale").textContent];'
		echo 'trees.flat().forEach(tree => tree.down = false), page.shell = 0.07, lookAt(), done([...told, $("scale").textContent])' # as in the planes of others
	} >against.js
}

@test "in the plane joints are off in pixels, in that of others in metres" {
	seen against
	# half a radian at a hand that is 150 px away and three times as large, and 10 px around it
	off=$(awk 'BEGIN { printf "%.2f", 2 * sin(0.25) * (150 + 30) }')
	run -1 anim-diff --world "$BATS_FILE_TMPDIR/against.axs" "$BATS_FILE_TMPDIR/than.axs"
	[[ $output == *"Hand  world     $off px"* ]]
	[[ $(cat seen) == '[3,"'"$off"'","joints off by 0.003 px3 pxmorelargest error: Hand, '"$off"' px at 1 s (skin 10 px from the joint)",'* ]] || { cat seen && false; }
	[[ $(cat seen) == *',"joints off by '*' m at 1 s (skin 7 cm from the joint)"]' ]] || { cat seen && false; }
}

page_shell() {
	anim-parse "$ROOT/examples/crane.tscn" -o shell.axs
	anim-dump shell.axs | awk '/^track/ { turns = /rotation/ } /^\t[0-9]/ && turns { split($2, q, ","); $0 = "\t" $1 " " q[1] + 0.2 "," q[2] - 0.1 "," q[3] + 0.3 "," q[4] substr($0, length($1 $2) + 3) } { print }' |
		sed '/^clip/s/end=2 /end=1.5 /' | anim-undump -o shelled.axs # what lies behind the shorter one's end is not compared
	anim-plot -q --against shelled.axs -o shell.html shell.axs
	echo 'done($("scale").textContent)' >shell.js
}

@test "in space a page reports the points around joints that anim-diff does" {
	seen shell
	run -0 anim-plot --heat -n 'Skeleton3D:*' --against "$BATS_FILE_TMPDIR/shelled.axs" "$BATS_FILE_TMPDIR/shell.axs"
	[[ ${lines[0]} =~ "worst: "([a-z]+)" "([0-9.]+" "m+)" at "([0-9.]+) ]] || { echo "${lines[0]}" && false; }
	[[ $(cat seen) == *"largest error: ${BASH_REMATCH[1]}, ${BASH_REMATCH[2]} at ${BASH_REMATCH[3]} s (skin 10 cm from the joint)\"" ]] || { cat seen && echo "${lines[0]}" && false; }
}

# The frames of this page are those of a clip with a low rate, where nothing is off.
page_between() {
	anim-convert -q -r 7 "$ROOT/examples/walker.tscn" between.axs
	anim-plot -q --against "$ROOT/examples/walker.tscn" -o between.html between.axs
	echo 'const told = $("scale").textContent; measure(), done([told, worst.off])' >between.js
}

@test "the largest error is that of anim-diff and anim-plot, between frames too" {
	seen between
	run -0 anim-plot --heat --against "$ROOT/examples/walker.tscn" "$BATS_FILE_TMPDIR/between.axs"
	[[ ${lines[0]} =~ "worst: "([A-Za-z]+)" "([0-9.]+)" mm at "([0-9.]+) ]] || { echo "${lines[0]}" && false; }
	[[ $(cat seen) == *"largest error: ${BASH_REMATCH[1]}, ${BASH_REMATCH[2]} mm at ${BASH_REMATCH[3]} s (skin 10 cm from the joint)\","* ]] || { cat seen && echo "${lines[0]}" && false; }
	[[ $(cat seen) =~ ,([0-9.e-]+)\]$ ]]
	awk -v at="${BASH_REMATCH[1]}" 'BEGIN { exit !(at < 0.01) }'
	run -1 anim-diff --world "$BATS_FILE_TMPDIR/between.axs" "$ROOT/examples/walker.tscn"
	[ "$(awk '$2 == "world" && $3 * 1000 > most { most = $3 * 1000 } END { print most }' <<<"$output")" = "$(sed -n 's/.*largest error: [A-Za-z]*, \([0-9.]*\) mm.*/\1/p' seen)" ]
}

# Values that are no numbers, and a clip in which nothing moves.
page_still() {
	printf 'anim-dump 1\nclip name="c" root="." source="x" start=0 end=2 loop=none axes=unknown axes2d=unknown flags=- rate=0/0\n'
	printf 'track node="A" property="position" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=2\n\tcolumns time value\n\t0 5000,2e-3,inf\n\t2 5003,4e-3,-inf\n'
	printf 'track node="B" property="energy" component=- kind=Curve type=float rules=plain flags=- before=hold after=hold interp=Linear keys=1\n\tcolumns time value\n\t0 nan\n'
	printf 'clip name="still" root="." source="x" start=0 end=0.5 loop=none axes=unknown axes2d=unknown flags=- rate=30/1\n'
	printf 'track node="A" property="energy" component=- kind=Curve type=float rules=plain flags=- before=hold after=hold interp=Linear keys=1\n\tcolumns time value\n\t0 1\nend\n'
}

page_numbers() {
	page_still | anim-undump -o numbers.axs
	anim-plot -q -o numbers.html numbers.axs
	echo 'const told = [...document.querySelectorAll("#plots p")].map(p => p.textContent); choose(1), seek(99), done([told, frame, $("time").textContent])' >numbers.js
}

@test "components without a number say so, each has digits of its own, and a clip in which nothing moves plays" {
	seen numbers
	[ "$(cat seen)" = '[["x 5000 .. 5003, y 0.002 .. 0.004, z no value; 2 keys","no value; 1 keys"],15,"0.500 s, frame 15 of 15"]' ] || { cat seen && false; }
}

page_axes() {
	anim-parse "$ROOT/examples/crane.tscn" -o axes.axs
	anim-axes resonite axes.axs | anim-resample 30 | anim-emit -q -o axes.animj
	anim-plot --against axes.animj -o axes.html axes.axs
	cat >axes.js <<-'JS'
		seek(60);
		const far = joints(0).map(([path, x, y, z], i) => Math.hypot(x - joints(1)[i][1], y - joints(1)[i][2], z - joints(1)[i][3]));
		done([figures.length, Math.max(...far) < 1e-3, frames, $("besides").hidden, [...document.querySelectorAll("#plots p")].filter(p => p.textContent.includes("off by")).length > 2]);
	JS
}

@test "a result in other axes, without a tree of its own, moves its source's nodes" {
	seen axes
	[ "$(cat seen)" = '[2,true,121,false,true]' ]
}

page_unlike() {
	anim-parse -q "$DATA/rename/classic_names.bvh" -o unlike.axs
	anim-retarget -q --to "$ROOT/examples/walker.tscn" -o unlike.tscn unlike.axs 2>/dev/null
	anim-plot -q --against unlike.tscn -o unlike.html unlike.axs
	cat >unlike.js <<-'JS'
		const heights = figures.map(figure => heightOf(figure));
		done([figures.length, unlike, $("beside").value, heights[0] / heights[1] < 2 && heights[1] / heights[0] < 2, worst.off, $("scale").textContent, figures[1].drawn.every(n => figures[1].nodes[n].path.startsWith("Skeleton3D:"))]);
	JS
}

@test "a result on another skeleton is shown beside its source, without errors" {
	seen unlike
	[ "$(cat seen)" = '[2,true,"1",true,0,"the skeletons differ: source at the left, result at the right, without errors",true]' ] || { cat seen && false; }
}

page_skinless() {
	anim-parse -q "$ROOT/examples/walker.tscn" -o skinless.axs
	anim-dump skinless.axs | sed 's/Skeleton3D:/&_/; s/kind=bone/kind=node/' | anim-undump -o renamed.axs
	anim-plot -q --against renamed.axs -o skinless.html skinless.axs
	echo 'done([figures.length, unlike, $("beside").value]);' >skinless.js
}

@test "a result of nodes with other names, without bones, is beside its source" {
	seen skinless
	[ "$(cat seen)" = '[2,true,"1"]' ] || { cat seen && false; }
}

page_plays() {
	anim-plot -q -o plays.html "$ROOT/examples/crane.tscn"
	echo 't=0.5&node=Skeleton3D:arm' >plays.hash
	cat >plays.js <<-'JS'
		const key = key => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true })), told = [frame];
		const point = (type, x, y) => stage.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x + stage.getBoundingClientRect().x, clientY: y + stage.getBoundingClientRect().y, buttons: 1 }));
		stage.setPointerCapture = () => {};
		key("ArrowLeft"), told.push(frame), key("End"), told.push(frame), key("Home"), told.push(frame);
		const { yaw, far } = view, arm = hits.find(hit => hit.p !== hit.q), [x, y] = [0, 1].map(i => (arm.p[i] + arm.q[i]) / 2);
		point("pointerdown", x, y), point("pointerup", x, y), told.push(chosen === arm.n, $("node").value === figures[0].nodes[arm.n].path);
		point("pointerdown", 5, 5), point("pointermove", 50, 5), point("pointerup", 50, 5), told.push(view.yaw !== yaw);
		stage.dispatchEvent(new WheelEvent("wheel", { deltaY: 100, cancelable: true })), told.push(view.far > far);
		let step;
		globalThis.requestAnimationFrame = then => step = then;
		const after = s => { step(performance.now() + s * 1000); return frame; }, near = (a, b) => Math.abs(a - b) < 5;
		key("Home"), key(" "), told.push(near(after(0.5), 30), near(after(1), 60), near(after(2.5), 30)), $("loop").checked = false;
		told.push(after(2.5), playing), done(told);
	JS
}

@test "the page plays, steps, rotates, zooms, and shows the curves of what is clicked" {
	seen plays
	[ "$(cat seen)" = '[30,29,120,0,true,true,true,true,true,true,true,120,null]' ] || { cat seen && false; }
}

# calls FILE: a stream whose clip begins at 2 s, with events at half of it, too late, and at its end.
calls() {
	printf 'anim-dump 1\nclip name="c" root="." source="x" start=2 end=4 loop=none axes=unknown axes2d=unknown flags=- rate=0/0\n'
	printf 'track node="." property="@method" component=- kind=Discrete type=string rules=plain flags=- before=hold after=hold interp=Hold keys=3\n'
	printf '\tcolumns time value\n\t3 "{\\"method\\":\\"step\\",\\"args\\":[7]}"\n\t4 "{\\"method\\":\\"%s\\",\\"args\\":[]}"\n\t5 "{\\"method\\":\\"late\\",\\"args\\":[]}"\n' "$1"
	printf 'track node="N" property="energy" component=- kind=Curve type=float rules=plain flags=- before=hold after=hold interp=Linear keys=2\n\tcolumns time value\n\t2 0\n\t4 1\n'
	printf 'track node="Sound" property="@audio" component=- kind=Discrete type=string rules=plain flags=- before=hold after=hold interp=Hold keys=600\n\tcolumns time value\n'
	for i in {1..600}; do printf '\t%s "{\\"stream\\":\\"res://a/bark.wav\\"}"\n' "$(awk "BEGIN { print 2 + $i / 400 }")"; done
	echo end
}

page_events() {
	calls stop | anim-undump -o events.axs
	{ # in front of a clip of the same name one that is shown with none
		calls never | sed '$d; s/name="c"/name="other"/'
		calls halt | tail -n +2
	} | anim-undump -o others.axs
	anim-plot -q --against others.axs -o events.html events.axs
	cat >events.js <<-'JS'
		const rows = [...document.querySelectorAll("#events div")], flags = [...rows[0].children], boxes = flags.map(it => it.getBoundingClientRect());
		flags[0].click();
		done([rows.map(it => [it.className, it.title, it.children.length]), flags.map(it => [it.textContent, it.title]), [...rows[2].children].map(it => it.textContent), frame,
			boxes[0].right <= boxes[1].left + 1, Math.abs(boxes[0].left - rows[0].getBoundingClientRect().left - rows[0].clientWidth / 2) < 1, $("events").hidden, $("left").textContent.split(".")[0]]);
	JS
}

@test "events are flags over the time line, of a result and its source each" {
	seen events
	[ "$(cat seen)" = '[[["source",". @method",2],["source","Sound @audio",500],["",". @method",2],["","Sound @audio",500]],[["step",". @method at 3 s: {\"method\":\"step\",\"args\":[7]}"],["stop",". @method at 4 s: {\"method\":\"stop\",\"args\":[]}"]],["step","halt"],60,true,true,false,"200 more events"]' ] || { cat seen && false; }
}

page_curves() {
	anim-resample 30 <(anim-parse "$ROOT/examples/crane.tscn") | anim-emit -q animj >curves.animj
	anim-plot -q -o curves.html curves.animj
	echo 'done([document.body.className, document.querySelectorAll("#plots figure").length, document.querySelector("#plots figcaption").textContent + " " + document.querySelector("#plots p").textContent, $("events").hidden])' >curves.js
}

page_differs() {
	flat | sed '/^end$/d' | cat - <(flat | sed '/^clip/,$!d; s/name="plane"/name="other"/') | anim-undump -o one.axs
	flat | sed '/^end$/d' | cat - <(flat | sed '/^clip/,$!d; s/name="plane"/name="other"/; s/1 -1.5/1 -1/') | anim-undump -o two.axs
	anim-plot -q --against two.axs -o differs.html one.axs
	echo 'done($("clip").selectedOptions[0].text)' >differs.js
}

@test "a page of two files begins with the first clip in which they differ" {
	seen differs
	[ "$(cat seen)" = '"other"' ] || { cat seen && false; }
}

page_empty() {
	printf 'anim-dump 1\nend\n' | anim-undump -o empty.axs
	anim-plot -q -o empty.html empty.axs
	echo 'dispatchEvent(new Event("resize")), done($("left").textContent)' >empty.js
}

@test "without a tree the page has the curves alone, and without a clip it says so" {
	seen curves
	[ "$(cat seen)" = '["flat",5,"Lamp light_energy  0 .. 4",true]' ]
	seen empty
	[ "$(cat seen)" = '"No clip."' ]
}

@test "the page's script is short" {
	lines=$(sed -n '/^<script>$/,/^<\/script>$/p' "$ROOT/lib/filter/plot/viewer.html" | wc -l)
	[ "$lines" -gt 100 ]
	[ "$lines" -lt 500 ]
}

page_starts() {
	anim-plot -q -o starts.html "$ROOT/examples/crane.tscn"
	cat >starts.js <<-'JS'
		const told = [playing !== null], values = () => document.querySelector("#plots output").textContent;
		play(false), chooseNode(figures[0].nodes.findIndex(node => node.path === "Skeleton3D:arm"));
		for (const at of [0, 45, 120]) seek(at), told.push(values());
		told.push(document.querySelector("#plots figcaption").textContent, [...$("node").options].map(option => option.text));
		$("find").value = "LAMP", $("find").oninput(), told.push([...$("node").options].map(option => option.text), $("node").value, document.querySelectorAll("#plots figure").length);
		done(told);
	JS
}

@test "a page plays when it opens, finds nodes by a part of their names, and has the values at the playhead" {
	seen starts
	[ "$(cat seen)" = '[true,"0.000 s: x 0, y 0, z 0","0.750 s: x 30, y 0, z 0","2.000 s: x 60, y 0, z 0","rotation vector deg",["curves that travel farthest","base","arm","hook","Lamp"],["Lamp"],"Lamp",2]' ] || { cat seen && false; }
}

# A ball in space that goes, under one node of the plane that does.
hud() {
	printf 'anim-dump 1\ntree root="R" source="x" axes=godot axes2d=godot\n'
	printf 'node path="%s" type="Node3D" kind=node has=%s parent=%s position=0,%s,0 rotation=0,0,0,1 scale=1,1,1\n' . - - 0 A position 0 1 B position 0 2 Bar 2d 0 0
	clip='clip name="c" root="." source="godot4" start=0 end=1 loop=none axes=godot axes2d=godot flags=in_tree rate=0/0'
	printf '%s\n' "$clip"
	printf 'track node="%s" property="position" component=- kind=Curve type=%s rules=plain flags=- before=hold after=hold interp=Linear keys=2\n\tcolumns time value\n\t0 %s\n\t1 %s\n' \
		A float3 0,1,0 1,1,0 B float3 0,2,0 0,2,1 Bar float2 0,0 50,0 Gone float3 0,0,0 1,0,0 Away float3 0,0,0 1,0,0 Lost float3 0,0,0 1,0,0
	echo end
}

page_hud() {
	hud | sed '/node="\(Gone\|Away\|Lost\)"/,+3d' | anim-undump -o hud.axs
	anim-plot -q -o hud.html hud.axs
	echo 'play(false), done([figures[0].flat, figures[0].drawn.map(n => figures[0].nodes[n].path), $("left").textContent.split(". ")[0], $("why").textContent])' >hud.js
}

page_lost() {
	hud | sed '/node="\(A\|B\|Bar\)"/,+3d' | anim-undump -o lost.axs
	anim-plot -q -o lost.html lost.axs
	echo 'play(false), done($("why").textContent)' >lost.js
}

@test "a page draws the space in which most nodes move, and says what it has no nodes for" {
	seen hud
	[ "$(cat seen)" = '[false,["A","B"],"Not drawn, because they move in the plane: Bar",""]' ] || { cat seen && false; }
	seen lost
	[ "$(cat seen)" = '"The tree has no nodes for the tracks of Gone, Away, Lost: an instanced scene may be missing. "' ] || { cat seen && false; }
	hud | sed '/node="\(Gone\|Away\|Lost\)"/,+3d' | anim-undump -o hud.axs
	run -0 anim-plot --strip 2 hud.axs
	[[ ${lines[0]} == "c: 1 s, 2 poses, "*" m (1 m/s); not drawn, because they move in the plane: Bar" ]] || { echo "${lines[0]}" && false; }
}

# A whole turn about y, as float32 has it.
whole() {
	printf 'anim-dump 1\nclip name="c" root="." source="x" start=0 end=2 loop=none axes=unknown axes2d=unknown flags=- rate=30/1\n'
	printf 'track node="N" property="rotation" component=- kind=Curve type=floatQ rules=plain flags=- before=hold after=hold interp=Linear keys=41\n\tcolumns time value\n'
	awk 'BEGIN { for (k = 0; k <= 40; k++) { a = k * 3.14159265358979 / 40; printf "\t%g %.4e,%.8f,%.4e,%.8f\n", k / 20, 3e-8 * sin(5 * k), sin(a), 3e-8 * cos(7 * k), cos(a) } print "end" }'
}

page_whole() {
	whole | anim-undump -o whole.axs
	anim-plot -q -o whole.html whole.axs
	echo 'done(document.querySelector("#plots p").textContent)' >whole.js
}

@test "a full rotation about an axis is a line, without noise of the other axes" {
	whole | anim-undump -o whole.axs
	[[ $(anim-plot whole.axs) =~ "N rotation vector: x "[-0-9.e]+" .. 0.000"[0-9]+", y 0 .. 360, z " ]] || { anim-plot whole.axs && false; }
	seen whole
	[ "$(cat seen)" = '"x 0, y 0 .. 360, z 0; 41 keys"' ] || { cat seen && false; }
}

# An armature in centimetres, whose hips travel by three metres.
page_armature() {
	{
		printf 'anim-dump 1\ntree root="R" source="x" axes=gltf axes2d=unknown\n'
		printf 'node path="." type="" kind=node has=- parent=- position=0,0,0 rotation=0,0,0,1 scale=1,1,1\n'
		printf 'node path="%s" type="" kind=node has=position,scale parent=%s position=%s rotation=0,0,0,1 scale=%s\n' A 0 0,0,0 0.01,0.01,0.01 A/Hips 1 0,90,0 1,1,1 \
			A/Hips/Spine 2 0,50,0 1,1,1 A/Hips/LeftLeg 2 10,-5,0 1,1,1 A/Hips/LeftLeg/Foot 4 0,-80,0 1,1,1
		printf 'clip name="c" root="." source="x" start=0 end=1 loop=none axes=gltf axes2d=unknown flags=in_tree rate=30/1\n'
		printf 'track node="A/Hips" property="position" component=- kind=Curve type=float3 rules=plain flags=- before=hold after=hold interp=Linear keys=2\n\tcolumns time value\n\t0 0,90,0\n\t1 0,90,300\nend\n'
	} | anim-undump -o armature.axs
	anim-plot -q -o armature.html armature.axs
	cat >armature.js <<-'JS'
		const inside = () => joints(0).filter(([path]) => path.includes("Hips")).every((_, i) => { const [x, y] = project(place(figures[0], i + 2)); return x > 0 && x < wide && y > 0 && y < high; });
		const seen = [];
		for (const at of [0, 15, 30]) seek(at), seen.push(inside());
		done([figures[0].drawn.map(n => last(figures[0].nodes[n].path)), $("follow").checked, document.querySelector("#plots small").textContent, seen]);
	JS
}

@test "an armature above the hips is no bone, its unit is shown, and a figure that travels is followed as a whole" {
	seen armature
	[ "$(cat seen)" = '[["Hips","Spine","LeftLeg","Foot"],true,"× 0.01 m",[true,true,true]]' ] || { cat seen && false; }
}

@test "the data of a page is one JSON array, which ends with its last record" {
	need_python
	anim-parse "$ROOT/examples/crane.tscn" | anim-plot -o a.html
	sed -n '/<script type="application\/json" id="data">/,/<\/script>/p' a.html | sed '1d;$d' >a.json
	python3 -c 'import json; a = json.load(open("a.json")); assert a[-1] == {"is": "end"} and {it["is"] for it in a} == {"page", "tree", "node", "clip", "track", "keys", "end"}, {it["is"] for it in a}'
}
