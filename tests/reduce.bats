#!/usr/bin/env bats
# anim-reduce: fewer keys, and no more off than was proven.

load helper

# keys FILE: how many there are in all.
keys() {
	anim-dump "$1" | sed -n 's/^track .* keys=\([0-9]*\).*/\1/p' | awk '{n += $1} END {print n}'
}

@test "a straight line needs two keys, a constant one, and steps those at which something changes" {
	cat >s.json <<-'TEXT'
		{"anim_json":1}
		{"clip":{"name":"c","end":4}}
		{"track":{"node":"A","property":"position","kind":"Curve","type":"float3","interp":"Linear","columns":{"time":[0,1,2,3,4],"value":[[0,0,0],[1,2,0],[2,4,0],[3,6,0],[4,8,0]]}}}
		{"track":{"node":"A","property":"scale","kind":"Curve","type":"float3","interp":"Linear","columns":{"time":[0,1,4],"value":[[1,1,1],[1,1.0001,1],[1,1,1]]}}}
		{"track":{"node":"A","property":"visible","kind":"Discrete","type":"bool","columns":{"time":[0,1,2,3],"value":[true,true,false,false]}}}
		{"track":{"node":"A","property":"energy","kind":"Curve","type":"float","interp":"Linear","columns":{"time":[0,1,2,3,4],"value":[0,1,0,1,0]}}}
		{"end":true}
	TEXT
	anim-parse -f json s.json >s.axs
	pipe "anim-reduce s.axs | anim-dump | grep -E '^(track|	[0-9])' | sed 's/ component.*keys=/ /'"
	[[ $stderr == "anim-reduce: s.axs: note: clip 'c': 10 of 17 keys are left"* ]]
	cat >wanted <<-'TEXT'
		track node="A" property="position" 2
		>0 0,0,0
		>4 4,8,0
		track node="A" property="scale" 1
		>0 1,1,1
		track node="A" property="visible" 2
		>0 1
		>2 0
		track node="A" property="energy" 5
		>0 0
		>1 1
		>2 0
		>3 1
		>4 0
	TEXT
	[ "$output" = "$(sed 's/^>/\t/' wanted)" ] || { echo "$output"; false; }
}

@test "what it proves, anim-diff confirms: by track, and for joints in space" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 120 >c.axs
	for tol in 0.1mm,0.1deg,0.1% 0.01mm,0.02deg,0.01% 5mm,1deg,2%; do
		for fast in '' --fast; do
			anim-reduce -q $fast --tol "$tol" c.axs >r.axs
			run -0 anim-diff -r 997 --max "$tol" c.axs r.axs
			[ "$(keys r.axs)" -lt "$(($(keys c.axs) * 6 / 10))" ]
		done
	done
	for tol in 1mm@10cm 0.1mm@10cm 1cm@0m 3mm@1m; do
		for target in godot unity resonite gltf; do
			anim-reduce -q --for $target --tol "$tol,0.1%" c.axs >r.axs
			run -0 anim-diff -r 997 --max "$tol,0.1%" c.axs r.axs
		done
	done
	run -0 --separate-stderr anim-reduce -o r.axs c.axs
	[[ $stderr =~ ^"anim-reduce: crane.tscn: note: clip 'lift': "[0-9]+" of "[0-9]+" keys are left, joints at most 0."[0-9]+" mm off"(", tracks at most "[^:]*" off")?$ ]]
}

@test "a looser limit keeps no more keys, and reducing twice takes nothing more" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 120 >c.axs
	local before=100000
	for tol in 0.01 0.03 0.1 0.3 1 3; do
		anim-reduce -q --tol "${tol}mm,${tol}deg,${tol}%" c.axs >r.axs
		[ "$(keys r.axs)" -le "$before" ]
		before=$(keys r.axs)
		anim-reduce -q --tol 0mm,0deg,0% r.axs >again.axs
		[ "$(keys again.axs)" -eq "$before" ]
	done
	# one that turns evenly, 6 degrees a frame, there and back: all its chords are off alike
	awk 'BEGIN {
		print "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 100 0\n}\n}"
		print "MOTION\nFrames: 61\nFrame Time: 0.033333333"
		for (f = 0; f < 61; f++)
			print 6 * (f < 30 ? f : 60 - f), 0, 0
	}' | anim-parse -q --unit cm - | anim-bake -q >c.axs
	before=61
	for tol in 0.02 0.05 0.1 0.15 0.2 0.5 1; do
		anim-reduce -q --for unity --tol "${tol}deg" c.axs >r.axs
		[ "$(keys r.axs)" -le "$before" ] || { echo "$tol: $(keys r.axs) for $before"; false; }
		before=$(keys r.axs)
	done
}

@test "random tracks: an evaluator of another hand finds none farther off than its limit" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	cat >make.py <<-'PY'
		import json, math, random, sys
		random.seed(int(sys.argv[1]))
		print('{"anim_json":1}\n{"clip":{"name":"c","end":100}}')
		def unit(v):
		    n = math.sqrt(sum(x * x for x in v)); return [x / n for x in v]
		for i in range(40):
		    n, t, q, p = random.choice([2, 3, 30, 200]), 0.0, unit([random.gauss(0, 1) for _ in range(4)]), [0.0] * 3
		    size = random.choice([1e-4, 1e-3, 0.01, 0.1, 1]); drift = [random.gauss(0, size) for _ in range(4)]
		    times, turns, places = [], [], []
		    for k in range(n):
		        times.append(t); turns.append(q); places.append(p)
		        t += random.choice([1 / 120, 1 / 30, random.random() * 0.3])
		        how = i % 4
		        d = drift if how == 0 else [random.gauss(0, size) for _ in range(4)] if how == 1 else \
		            [x * math.sin(k * 0.1) for x in drift] if how == 2 else [x * (-1) ** k for x in drift]
		        q = unit([a + b for a, b in zip(q, d)])
		        if random.random() < 0.02: q = [-x for x in q]
		        p = [a + b for a, b in zip(p, d)]
		    for name, kind, values in (("rotation", "floatQ", turns), ("position", "float3", places), ("x", "float3", places)):
		        print(json.dumps({"track": {"node": f"N{i}", "property": name, "kind": "Curve", "type": kind, "interp": "Linear",
		            "rules": sys.argv[2], "columns": {"time": times, "value": values}}}))
		print('{"end":true}')
	PY
	cat >check.py <<-'PY'
		import bisect, json, math, struct, sys
		# texts are the shortest of a float32
		def single(x): return [single(y) for y in x] if isinstance(x, list) else struct.unpack("f", struct.pack("f", x))[0]
		rules, tol = sys.argv[1], float(sys.argv[2])
		def read(name):
		    out = {}
		    for line in open(name):
		        (kind, d), = json.loads(line).items()
		        if kind != "track": continue
		        columns = {name: single(column) for name, column in d["columns"].items()}
		        out[d["node"], d["property"]] = columns["time"], columns["value"], columns
		    return out
		def cubic(columns, k, t):
		    a, b, m, n = (columns[c][i] for c, i in (("value", k), ("value", k + 1), ("right", k), ("left", k + 1)))
		    long = columns["time"][k + 1] - columns["time"][k]
		    u = (t - columns["time"][k]) / long
		    h = 2*u**3 - 3*u*u + 1, 3*u*u - 2*u**3, (u**3 - 2*u*u + u) * long, (u**3 - u*u) * long
		    return [h[0] * w + h[1] * x + h[2] * y + h[3] * z for w, x, y, z in zip(a, b, m, n)]
		def at(times, values, t, rules, quaternion, columns={}):
		    if t <= times[0]: return values[0]
		    if t >= times[-1]: return values[-1]
		    k = bisect.bisect_right(times, t) - 1
		    a, b, w = values[k], values[k + 1], (t - times[k]) / (times[k + 1] - times[k])
		    if "left" in columns:
		        v = cubic(columns, k, t)
		        n = math.sqrt(sum(x * x for x in v)) if quaternion else 1
		        return [x / n for x in v]
		    if not quaternion: return [x + w * (y - x) for x, y in zip(a, b)]
		    dot = sum(x * y for x, y in zip(a, b))
		    if rules in ("plain", "godot4"):
		        if dot < 0: b, dot = [-y for y in b], -dot
		        angle = math.acos(min(1, dot))
		        if angle > 1e-4:
		            return [(math.sin((1 - w) * angle) * x + math.sin(w * angle) * y) / math.sin(angle) for x, y in zip(a, b)]
		    v = [x + w * (y - x) for x, y in zip(a, b)]
		    n = math.sqrt(sum(x * x for x in v))
		    return [x / n for x in v]
		source, results = read(sys.argv[3]), [read(name) for name in sys.argv[4:]]
		before, after = 0, [0] * len(results)
		def off_by(key, a, b):
		    if key[1] == "position": return math.dist(a, b), tol
		    if key[1] != "rotation": return max(abs(x - y) for x, y in zip(a, b)), tol * 10
		    m, p = math.dist(a, b), math.dist(a, [-x for x in b])
		    return math.degrees(4 * math.asin(min(1, min(m, p) / 2))), tol * 100
		for key, (times, values, _) in source.items():
		    before += len(times)
		    for i, result in enumerate(results):
		        after[i] += len(result[key][0])
		        assert (set(result[key][0]) <= set(times) or key[1] == "rotation") and result[key][0][0] == times[0]
		    # at the keys and between them; the source once for all results
		    for t in [s + (e - s) * i / 4 for s, e in zip(times, times[1:]) for i in range(4)] + times[-1:]:
		        a = at(times, values, t, rules, key[1] == "rotation")
		        for result in results:
		            b = at(*result[key][:2], t, rules, key[1] == "rotation", result[key][2])
		            off, most = off_by(key, a, b)
		            # what float32 makes of the values is not counted
		            assert off <= most * 1.000001 + 4e-7 * max(map(abs, a)) * (57 if key[1] == "rotation" else 1), (key, t, off, most)
		assert max(after) < before, (before, after)
	PY
	local seed=0
	for tol in 0.00001 0.001 0.05; do
		for rules in plain godot4; do
			seed=$((seed + 1))
			python3 make.py $seed $rules >s.json
			anim-parse -q -f json s.json >s.axs
			anim-emit -q json s.axs >"s.$tol.$rules"
			for how in '' --fast --keys=hermite; do
				# shellcheck disable=SC2086
				anim-reduce -q $how --tol "$(awk -v t=$tol 'BEGIN {printf "%gm,%gdeg,%g%%", t, 100 * t, 1000 * t}')" s.axs |
					anim-emit -q json >"r$how.$tol.$rules"
			done
		done
	done
	not_sanitized "the evaluator's part, a check of values"
	for tol in 0.00001 0.001 0.05; do
		for rules in plain godot4; do
			python3 check.py $rules $tol "s.$tol.$rules" {r,r--fast,r--keys=hermite}".$tol.$rules"
		done
	done
}

@test "other curves, texts and tracks out of order stay as they were" {
	local count=0
	for file in "$DATA"/axs/good/*.axs; do
		anim-reduce -q --tol 0 "$file" -o r.axs 2>/dev/null || continue
		anim-diff -q --max 0 "$file" "$file" >/dev/null 2>&1 || continue
		anim-diff -q --max 0 "$file" r.axs || { echo "$file"; false; }
		count=$((count + 1))
	done
	[ "$count" -gt 30 ]
}

@test "motion capture: joints are as far off as they may be, and no farther" {
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no motion capture in $ANIM_CORPUS"
	local file unit most
	while read -r file unit most; do
		anim-parse -q --unit "$unit" "$ANIM_CORPUS/bvh/$file.bvh" | anim-bake -q >c.axs
		anim-reduce --force -o r.axs c.axs 2>note
		anim-diff --world -r 1009 --max 1mm@10cm c.axs r.axs >diff
		[ "$(keys r.axs)" -le "$most" ] || { keys r.axs; false; }
		# the bound is near to what is there
		awk 'NR == FNR {bound = $(NF - 2) / 1000; next} /^worst:/ {n = 1; exit !($2 <= bound && $2 > 0.8 * bound)}
			END {exit !n}' note diff
	done <<-'TEXT'
		cmu_01_01 cmu 40280
		cmu_12_01_walk cmu 6900
		test_mocapbank cm 4150
	TEXT
}

# chain SEED JOINTS FRAMES STEP [LENGTH]: joints one below the other, each of which turns at random. If LENGTH is given, the turns
# are waves.
chain() {
	awk -v seed="$1" -v joints="$2" -v frames="$3" -v step="$4" -v length_cm="${5:-0}" 'BEGIN {
		srand(seed)
		print "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
		for (j = 1; j < joints; j++)
			print "JOINT b" j "\n{\nOFFSET 0 " (length_cm ? length_cm : 20) " 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
		print "End Site\n{\nOFFSET 0 5 0\n}"
		for (j = 0; j < joints; j++)
			print "}"
		print "MOTION\nFrames: " frames "\nFrame Time: 0.041667"
		for (f = 0; f < frames; f++) {
			for (c = 0; c < 3 * joints; c++)
				printf "%.3f ", length_cm ? 40 * sin(f * step * (1 + c % 5) + c) : v[c] += step * (rand() - 0.5)
			print ""
		}
	}' | anim-parse -q --unit cm - | anim-bake -q
}

@test "what one joint is off another makes up for: fewer keys, and all of them written as they were measured" {
	local most tol how
	chain 4 6 120 1 >c.axs
	while read -r most tol how; do
		anim-reduce -q $how --tol "$tol" c.axs >r.axs
		run -0 anim-diff -q --world -r 499 --max "$tol" c.axs r.axs
		[ "$(keys r.axs)" -le "$most" ] || { keys r.axs; false; }
	done <<-'TEXT'
		530 2mm@10cm
		328 5mm@10cm
		540 5mm@10cm --fast
		150 5mm@10cm --for unity --keys auto
	TEXT
	chain 4 5 18 12 >c.axs
	for tol in 5mm@10cm 10mm@10cm; do
		anim-reduce -q --for gltf --move --tol "$tol" c.axs >r.axs
		run -0 anim-diff -q --world --max "$tol" c.axs r.axs
	done
}

@test "a chain of 45 m loses keys, although float32 alone moves its end by .2 mm" {
	chain 4 50 60 0.0025 90 >c.axs
	anim-reduce -q c.axs >r.axs
	run -0 anim-diff -q --world -r 499 --max 1mm@10cm c.axs r.axs
	[ "$(keys r.axs)" -le 2150 ] || { keys r.axs; false; }
}

@test "a track that belongs to no joint changes no key of the joints" {
	chain 4 6 120 1 | anim-emit json >c.json
	awk '/"end":true/ {
		printf "{\"track\":{\"node\":\"lamp\",\"property\":\"energy\",\"kind\":\"Curve\",\"type\":\"float\",\"interp\":\"Linear\",\"columns\":{\"time\":["
		for (i = 0; i < 300; i++)
			printf "%s%.4f", (i > 0 ? "," : ""), i * 0.0161 + 0.003
		printf "],\"value\":["
		for (i = 0; i < 300; i++)
			printf "%s%d", (i > 0 ? "," : ""), i % 7
		print "]}}}"
	} { print }' c.json >lamp.json
	for name in c lamp; do
		anim-parse $name.json | anim-reduce -q --tol 5mm@10cm | anim-emit json | grep '^{"track' | grep -v '"energy"' >$name.tracks
	done
	same c.tracks lamp.tracks
}

@test "cubics with slopes need at most 0.4 of the keys that straight lines need, under a player that takes them" {
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no motion capture in $ANIM_CORPUS"
	not_sanitized "much arithmetic of values"
	for file in cmu_12_01_walk test_mocapbank; do
		anim-parse -q --unit cmu "$ANIM_CORPUS/bvh/$file.bvh" | anim-bake -q >c.axs
		for tol in 0.05 0.1 0.5; do
			anim-reduce -q --for gltf --tol "1m,${tol}deg" c.axs >linear.axs
			for target in unity gltf; do
				anim-reduce -q --for $target --keys hermite --tol "1m,${tol}deg" c.axs >r.axs
				[ "$(($(keys r.axs) * 10))" -le "$(($(keys linear.axs) * 4))" ] || { keys r.axs; keys linear.axs; false; }
				run -0 anim-diff -r 2003 --max "1m,${tol}deg" c.axs r.axs
			done
		done
	done
	# joints in space, where what curves are off on the whole counts
	anim-reduce -q --for unity --keys auto c.axs >r.axs
	run -0 anim-diff --world -r 1009 --max 1mm@10cm c.axs r.axs
	[ "$(keys r.axs)" -le 3450 ] || { keys r.axs; false; }
	# an arc of 170 degrees from one key to the next becomes no chord
	cat >s.json <<-'TEXT'
		{"anim_json":1}
		{"clip":{"name":"c","end":3}}
		{"track":{"node":"A","property":"rotation","kind":"Curve","type":"floatQ","interp":"Linear","columns":{"time":[0,1,2,3],"value":[[0,0,0,1],[0.9961947,0,0,0.08715574],[0,0,0,1],[0,0.6,0,0.8]]}}}
		{"end":true}
	TEXT
	anim-parse -f json s.json >s.axs
	for keys in linear hermite; do
		anim-reduce --strict --for unity --keys $keys --tol 0.05deg s.axs >r.axs
		run -0 anim-diff -r 3001 --max 0.05deg s.axs r.axs
	done
	# nor does the way from one spelling of a rotation to the other; what is not of length 1 stays
	for half in 0.5 0.49999; do
		cat >s.json <<-TEXT
			{"anim_json":1}
			{"clip":{"name":"c","end":3}}
			{"track":{"node":"A","property":"rotation","kind":"Curve","type":"floatQ","interp":"Linear","columns":{"time":[0,1,2,3],"value":[[$half,$half,$half,0.5],[-0.5,-0.5,-0.5,-0.5],[0.5,0.5,0.5,0.5],[-0.50434423,-0.50434423,-0.49561769,-0.49561769]]}}}
			{"end":true}
		TEXT
		anim-parse -f json s.json >s.axs
		for keys in linear hermite; do
			anim-reduce -q --for unity --keys $keys --tol 0.05deg s.axs >r.axs
			run -0 anim-diff -r 3001 --max 0.05deg s.axs r.axs
			[ $half != 0.5 ] || anim-dump r.axs | grep -q '^track.*rules=unity'
		done
	done
	run -2 --separate-stderr anim-reduce --for godot --keys hermite s.axs
	[[ ${stderr_lines[0]} == "anim-reduce: --keys hermite: "* ]]
}

@test "under another player, too, nothing is farther off than the limit: keys are added, or a track stays as it came" {
	# wide turns from key to key, which chords do not follow
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 3 >c.axs
	local tol how
	for tol in 0.00001 0.001 0.1 1 10; do
		for how in "unity" "unity --keys hermite" "gltf --keys hermite" godot; do
			# shellcheck disable=SC2086
			anim-reduce --for $how --tol "${tol}mm@10cm,0.1%" -o r.axs c.axs 2>note
			# anim-diff reckons in float32
			run -0 anim-diff --world -r 997 \
				--max "$(awk -v t=$tol 'BEGIN {printf "%.6f", (t > 0.001 ? t : 0.001)}')mm@10cm,0.1%" c.axs r.axs
			awk -v t=$tol '/joints at most/ && $(NF - 2) > t {exit 1}' note || { cat note; false; }
			[ "$tol$how" != "0.00001unity" ] || grep -q "2 tracks: not reduced: the source" note
		done
	done
	# a player that turns as the source's needs no more keys
	[ "$(keys c.axs)" -ge "$(keys r.axs)" ]
	printf '%s\n' '{"anim_json":1}' '{"clip":{"name":"c","end":3}}' \
		'{"track":{"node":"A","property":"rotation","kind":"Curve","type":"floatQ","interp":"Linear","columns":{"time":[0,1,2],"value":[[0,0,0,1],[0.7071068,0,0,0.7071068],[0,0,0,1]]}}}' \
		'{"end":true}' >s.json
	anim-parse -f json s.json >s.axs
	run -0 --separate-stderr anim-reduce --force --for unity --tol 0.1deg -o r.axs s.axs
	[[ $stderr =~ ": note: clip 'c': "[0-9]+" keys for 3, because its player interpolates rotations differently, tracks at most "[0-9.]+" degrees off"$ ]]
	anim-reduce -q --for gltf --keys hermite --tol 0.1deg -o r.axs s.axs
	[ "$(keys r.axs)" -le 3 ]
}

@test "curves whose keys have slopes lose keys, too; steps and arcs between them stay" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	cat >make.py <<-'PY'
		import json, math, random, sys
		random.seed(int(sys.argv[1])); rules = sys.argv[2]
		print('{"anim_json":1}\n{"clip":{"name":"c","end":4}}')
		for i in range(12):
		    times = sorted({round(random.random() * 240) / 60 for _ in range(random.choice([3, 40, 200]))} | {0, 4})
		    speed, phase = [random.uniform(.2, 3) for _ in range(4)], [random.uniform(0, 6) for _ in range(4)]
		    size = [random.choice([1e-4, .1, 1]) for _ in range(4)]
		    def waves(lanes, slope):
		        return [[size[c] * (speed[c] * math.cos(speed[c] * t + phase[c]) if slope else math.sin(speed[c] * t + phase[c]))
		            + (1.5 if c == 3 and not slope else 0) for c in range(lanes)] for t in times]
		    for name, kind, lanes in (("rotation", "floatQ", 4), ("position", "float3", 3), ("x", "float", 1)):
		        value, slope = waves(lanes, False), waves(lanes, True)
		        for k, v in enumerate(value if lanes == 4 else []):
		            length = math.sqrt(sum(x * x for x in v)); value[k], slope[k] = ([x / length for x in w] for w in (v, slope[k]))
		        if lanes == 1: value, slope = [x[0] for x in value], [x[0] for x in slope]
		        columns, mode = {"time": times, "value": value, "left": slope, "right": slope}, "Hermite"
		        if i % 3 == 0: columns["interp"], mode = [random.choice(["Hermite"] * 9 + ["Hold", "Linear"]) for _ in times], None
		        print(json.dumps({"track": {"node": f"N{i}", "property": name, "kind": "Curve", "type": kind, "rules": rules,
		            "interp": mode, "columns": columns}}))
		print('{"end":true}')
	PY
	local tol limits rules left
	for rules in unity plain resonite; do
		python3 make.py 3 $rules | anim-parse -q -f json - >s.axs
		left=$(keys s.axs)
		for tol in 0.00001 0.001 0.05; do
			limits=$(awk -v t=$tol 'BEGIN {printf "%gm,%gdeg,%g%%", t, 100 * t, 100 * t}')
			anim-reduce -q --strict --tol "$limits" s.axs >r.axs
			run -0 anim-diff -q -r 997 --max "$limits" s.axs r.axs
			[ "$(($(keys r.axs) * 10))" -lt "$((left * 8))" ]
			left=$(keys r.axs)
			anim-reduce -q --tol 0m,0deg,0 r.axs >again.axs
			[ "$(keys again.axs)" -eq "$left" ]
		done
	done
	# no track of Godot has slopes for these
	run -0 --separate-stderr anim-reduce --for godot -o r.axs s.axs
	[[ $stderr == *"note: 36 tracks: not reduced, because the player of the result does not have such cubic keys; put 'anim-bake' before this"* ]]
	# in space, cubics of cubics
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 60 |
		anim-reduce -q --for unity --keys hermite --tol 0.1mm@10cm >c.axs
	for tol in 2mm 2cm; do
		anim-reduce --force --tol "$tol@10cm" -o r.axs c.axs 2>note
		run -0 anim-diff --world -r 997 --max "$tol@10cm,0.1%" c.axs r.axs
		[ "$(keys r.axs)" -lt "$(keys c.axs)" ]
		grep -q 'joints at most [0-9.]* mm off$' note
	done
}

@test "curves with handles of their own lengths stay as they came, as do Godot's cubics, and a note says so" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	cat >make.py <<-'PY'
		import math
		times = [i / 30 for i in range(91)]
		array = lambda numbers: f"PackedFloat32Array({', '.join(map(repr, numbers))})"
		wave = [math.sin(3 * t) + .3 * math.sin(7 * t) for t in times]
		points = []
		for i, t in enumerate(times):
		    x, slope = (.2 + .025 * (7 * i % 10)) / 30, 3 * math.cos(3 * t) + 2.1 * math.cos(7 * t)
		    points += [wave[i], -x, -x * slope, x, x * slope]
		vectors = sum(([t, 1.0, math.sin(2 * t), math.cos(3 * t), t] for t in times), [])
		value = '{"times": %s, "transitions": %s, "update": 0, "values": %s}' % (array(times), array([1.0] * 91), wave)
		bezier = '{"points": %s, "times": %s}' % (array(points), array(times))
		print('[gd_resource type="Animation" format=3]\n[resource]\nlength = 3.0')
		for i, row in enumerate((("value", "Lamp:light_energy", 2, value), ("position_3d", "Lamp", 2, array(vectors)),
		        ("bezier", "Box:position:x", 1, bezier))):
		    print('tracks/%d/type = "%s"\ntracks/%d/path = NodePath("%s")\ntracks/%d/interp = %d\ntracks/%d/keys = %s' %
		        (i, row[0], i, row[1], i, row[2], i, row[3]))
	PY
	python3 make.py >s.tres
	anim-parse -q s.tres >s.axs
	[ "$(keys s.axs)" -eq 273 ]
	for target in unity resonite gltf godot; do
		run -0 --separate-stderr anim-reduce --strict --for $target --tol 1mm,0.1% -o r.axs s.axs
		[[ $stderr == *"note: 3 tracks: not reduced, because the player of the result does not have such cubic keys; put 'anim-bake' before this"* ]]
		anim-diff -q -r 997 --max 0 s.axs r.axs
		[ "$(keys r.axs)" -eq 273 ]
	done
	# Unity's weights are such handles, too; those of the usual length go
	anim-filter -q -n Box s.axs | anim-emit -q unity --axes keep 2>/dev/null | anim-parse -q -f unity - >w.axs
	anim-info w.axs | grep -q Weighted
	for tol in 0.1mm 1mm 1cm; do
		anim-reduce -q --strict --tol $tol w.axs >r.axs
		anim-diff -q -r 997 --max $tol w.axs r.axs
		[ "$(keys r.axs)" -eq "$(keys w.axs)" ]
	done
	anim-emit -q unity --axes keep w.axs 2>/dev/null | sed 's/weightedMode: [123]/weightedMode: 0/' |
		anim-parse -q -f unity - >free.axs
	anim-reduce -q --strict --tol 1mm free.axs >r.axs
	anim-diff -q -r 997 --max 1mm free.axs r.axs
	[ "$(keys r.axs)" -lt "$(keys free.axs)" ]
}

@test "--loop leaves the ends' slopes alone, --drop-constant takes what stays at its rest, --json is for programs" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 120 | anim-emit -q json >s.json
	# one at its rest but for a hair, one constant elsewhere
	sed '/"end":true/d' s.json >t.json
	cat >>t.json <<-'TEXT'
		{"track":{"node":"Skeleton3D:hook","property":"scale","kind":"Curve","type":"float3","interp":"Linear","columns":{"time":[0,1,2],"value":[[1,1,1],[1.0000001,1,1],[1,1,1]]}}}
		{"track":{"node":"Skeleton3D:arm","property":"scale","kind":"Curve","type":"float3","interp":"Linear","columns":{"time":[0,1,2],"value":[[2,2,2],[2,2,2],[2,2,2]]}}}
		{"end":true}
	TEXT
	anim-parse -q -f json t.json >t.axs
	for how in '' --fast; do
		anim-reduce -q $how --drop-constant --tol 1mm@10cm,1% t.axs >r.axs
		run -1 grep -c '^track.*hook.*"scale"' <(anim-dump r.axs)
		anim-dump r.axs | grep -q 'arm.*"scale".* keys=1$'
		run -0 anim-diff -q --world -r 997 --max 1mm@10cm,1% t.axs r.axs
	done
	anim-reduce -q --drop-constant --tol 1mm,0.1deg,1% t.axs | anim-dump >r
	run -1 grep -c '^track.*hook.*"scale"' r
	sed 's/1.0000001/1/' t.json | anim-parse -q -f json - | anim-reduce -q --drop-constant --tol 0mm,0deg,0% | anim-dump >r
	run -1 grep -c '^track.*hook.*"scale"' r

	anim-parse -q -f json s.json >s.axs
	anim-reduce -q --loop --tol 1mm@10cm,1% s.axs -o r.axs --json report
	run -0 anim-diff -q --world -r 997 --max 1mm@10cm,1% s.axs r.axs
	for file in s r; do
		anim-emit -q csv $file.axs | grep 'arm,rotation' | cut -d, -f10-13 >rows
		sed -n 1,2p rows >$file.ends
		tail -n 2 rows >>$file.ends
	done
	[ -s s.ends ]
	cmp s.ends r.ends
	grep -q '^\[{"clip":"lift","keys_before":967,"keys_after":[0-9]*,"bound_m":0.0009[0-9]*,"measured_m":0.0009[0-9]*,"measured_at_s":[0-9.]*,"joint":"Skeleton3D:hook"}\]$' report
	anim-reduce -q --tol 1mm,1deg,1% s.axs -o r.axs --json report
	grep -q ',"bound_m":null,"measured_m":null,"measured_at_s":null,"joint":null}\]$' report
	run -1 anim-reduce -q s.axs -o r.axs --json no/such/report
	# both appear, or neither
	rm -f r.axs report
	run -1 --separate-stderr anim-reduce -q s.axs -o r.txt --json r.txt
	[ "$stderr" = "anim-reduce: r.txt: is named as two different outputs" ]
	[ ! -e r.txt ]
	[ -w /dev/full ] || skip "no /dev/full on this system"
	run -1 anim-reduce -q s.axs -o /dev/full --json report
	[ ! -e report ]
}

@test "--move: keys are on the source's lines, between its keys too; fewer are left, and the limit holds" {
	cat >s.json <<-'TEXT'
		{"anim_json":1}
		{"clip":{"name":"c","end":6}}
		{"track":{"node":"A","property":"energy","kind":"Curve","type":"float","interp":"Linear","columns":{"time":[0,1,2,3,4,5,6],"value":[0,8,0,8,0,8,8]}}}
		{"end":true}
	TEXT
	anim-parse -q -f json s.json >s.axs
	[ "$(anim-reduce -q --tol 300% s.axs | anim-dump | grep -c '^	[0-9]')" -eq 7 ]
	pipe "anim-reduce -q --move --tol 300% s.axs | anim-dump | grep '^	[0-9]'"
	[ "$output" = "$(printf '\t%s\n' '0 0' '1 8' '2 0' '3 8' '3.75 2' '6 8')" ] || { echo "$output"; false; }

	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 30 >c.axs
	local fewer tol how
	while read -r fewer tol how; do
		anim-reduce -q $how --tol "$tol" c.axs >plain.axs
		anim-reduce -q --move $how --tol "$tol" c.axs >r.axs
		run -0 anim-diff -q --world -r 997 --max "$tol" c.axs r.axs
		[ "$(keys r.axs)" -le "$(($(keys plain.axs) - fewer))" ]
	done <<-'TEXT'
		1 1mm@10cm,0.1%
		1 1mm@10cm,0.1% --fast
		0 1mm@10cm,0.1% --for unity
		1 1mm@10cm,0.1% --for gltf
		0 1mm@10cm,0.1% --for unity --keys hermite
		1 1mm@10cm,0.1% --loop
	TEXT
	# rotations and positions, too: at quarters of a frame, some of which are none of the source's
	anim-resample -q 120 c.axs | anim-dump >samples
	anim-reduce -q --move c.axs | anim-dump >r
	awk '/^track/ {track = $2 $3; k = 0}
		NR == FNR && /^\t[-0-9]/ {value[track, k++] = $1}
		NR > FNR && /^\t[0-9]/ && track ~ /rotation|position/ {
			frame = int($1 * 120 + 0.5)
			n = split(value[track, frame], a, ",")
			off += n != split($2, b, ",") || ($1 * 120 - frame) ^ 2 > 1e-6
			for (c = 1; c <= n; c++)
				off += (a[c] - b[c]) ^ 2 > 1e-10
			between += frame % 4 > 0
		}
		END {exit off > 0 || !between}' samples r
}

@test "a joint that moves late or rests early keeps its first key and its last, whoever plays it" {
	# a turns all the time, b from 0.4 to 0.8 s, c up to 0.8 s
	awk 'BEGIN {
		print "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
		for (j = 0; j < 2; j++)
			print "JOINT " (j ? "c" : "b") "\n{\nOFFSET 0 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
		print "End Site\n{\nOFFSET 0 5 0\n}\n}\n}\n}\nMOTION\nFrames: 40\nFrame Time: 0.04"
		for (f = 0; f < 40; f++)
			print f, 0, 0, (f < 10 ? 0 : f < 20 ? (f - 10) * 5 : 50), 0, 0, (f < 20 ? 2 * f : 40), 0, 0
	}' | anim-parse -q --unit cm - | anim-bake -q >s.axs
	local times how
	while read -r times how; do
		anim-reduce -q $how --tol 5mm@10cm s.axs >r.axs
		run -0 anim-diff -q --world -r 499 --max 5mm@10cm s.axs r.axs
		[ "$(anim-dump r.axs | awk -F'[\t ]' '/^track/ {if (all) all = all ";"; n = 0} /^\t[0-9]/ {all = all (n++ ? "," : "") $2}
			END {print all}')" = "$times" ] || { anim-dump r.axs; false; }
	done <<-'TEXT'
		0,1.56;0,0.4,0.8,1.56;0,0.8,1.56
		0,1.56;0,0.4,0.8,1.56;0,0.8,1.56 --for godot
		0,1.56;0,0.4,0.8,1.56;0,0.8,1.56 --for resonite
		0,1.56;0,0.4,0.8,1.56;0,0.8,1.56 --for gltf
		0,1.56;0,0.4,0.8,1.56;0,0.8,1.56 --for unity
		0,0.04,1.52,1.56;0,0.04,0.4,0.8,1.52,1.56;0,0.04,0.8,1.52,1.56 --for gltf --loop
	TEXT
	# as long as before, where no other track has keys
	anim-filter -q --node b s.axs | anim-reduce -q --for gltf | anim-dump | grep -q "^	1.56 "
}

@test "--override: joints and tracks that fit have limits of their own, which hold as those of all others do" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 120 >c.axs
	local target own
	for target in godot "unity --keys hermite"; do
		for own in 0.02mm@5cm 5mm@1m; do
			# the last that fits and tells a limit in space
			# shellcheck disable=SC2086
			anim-reduce --for $target --tol 1mm@10cm,1% --override 'hook=1m@0m' --override "h*=$own" \
				--override '*=0.5%' -o r.axs c.axs 2>note
			grep -q "joints at most 0.[0-9]* mm off, 'h\*' at most [0-9.]* mm" note
			anim-diff --world -r 997 --max "$own,0.5%" c.axs r.axs >own || true
			anim-diff --world -r 997 --max 1mm@10cm,0.5% c.axs r.axs >others || true
			run ! grep 'hook .* m$' own
			run ! grep -E '(arm|base|Lamp) .* m$' others
			anim-diff --world -r 997 --max 1mm@10cm,0.4% c.axs r.axs | grep -q light_energy
		done
		grep -q '^worst: .*hook' others
	done
	anim-reduce -q --tol 1mm@10cm --override hook=5mm@1m -o r.axs c.axs --json report
	grep -q ',"bound_m":0.000[0-9]*,.*,"joint":"Skeleton3D:arm","overrides":\[{"nodes":"hook","bound_m":0.00[0-9]*,.*"joint":"Skeleton3D:hook"}\]}\]$' report
	# nothing may be off; and limits that concern nothing
	run -0 --separate-stderr anim-reduce --tol 1mm@10cm --override hook=0mm@0m --override 'nobody=1mm@1m' --override arm=1mm -o r.axs c.axs
	[[ $stderr == *"warning: 'nobody' matches no track or joint with such a limit; run anim-info to list the tracks"*"'arm' matches no "* ]]
	run -0 anim-diff -q --max 0,1% c.axs r.axs
	anim-reduce -q --tol 0mm@10cm,1% -o r.axs c.axs
	run -0 anim-diff -q --max 0,1% c.axs r.axs
	run -2 --separate-stderr anim-reduce --override 1mm@10cm c.axs
	[[ ${stderr_lines[0]} == "anim-reduce: --override: '1mm@10cm' is not a glob with limits. "* ]]
	run -1 --separate-stderr anim-reduce --tol 1mm --override hook=1mm@10cm c.axs
	[[ $stderr == *"'hook' limits joints in space. --tol then also needs such a limit, for example 1mm@10cm" ]]
}

@test "cubics with slopes are never more keys than straight lines, which are taken where these are fewer" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 60 >c.axs
	local tol target
	for tol in 0.001mm@10cm 0.1mm@10cm 1mm@10cm 0.001mm,0.0001deg,0.001% 1mm,1deg,1%; do
		for target in unity gltf; do
			anim-reduce -q --for $target --tol "$tol" c.axs >linear.axs
			anim-reduce -q --for $target --keys hermite --tol "$tol" c.axs >r.axs
			[ "$(keys r.axs)" -le "$(keys linear.axs)" ] || { echo "$target $tol"; false; }
		done
	done
}

@test "keys chosen together are never more than those that each track would have alone" {
	# a scale that goes down to 0 within 1 of 1.5 s: one arc with slopes, which all the limit is for
	anim-parse -q "$ROOT/examples/box.tscn" | anim-bake -q -r 12 >c.axs
	anim-reduce -q --for unity --keys hermite --tol 5mm@10cm c.axs >r.axs
	[ "$(anim-dump r.axs | grep '^track' | grep -c 'keys=[12]$')" -eq 2 ] || { anim-dump r.axs; false; }
	run -0 anim-diff -q --world -r 997 --max 5mm@10cm c.axs r.axs
}

# two_joints: the tree of a clip in lines of JSON.
two_joints() {
	cat <<-'TEXT'
		{"anim_json":1}
		{"tree":{"root":"root"}}
		{"node":{"path":".","parent":null}}
		{"node":{"path":"a","has":["position"],"parent":0,"position":[0,1,0]}}
		{"node":{"path":"a/b","has":["position"],"parent":1,"position":[0,1,0]}}
	TEXT
}

@test "a scale that is 1 at all its keys and swells between them does so in the proof, too" {
	{
		two_joints
		cat <<-'TEXT'
			{"clip":{"name":"swell","root":".","end":0.4,"flags":["in_tree"]}}
			{"track":{"node":"a","property":"scale","kind":"Curve","type":"float3","interp":"Hermite","columns":{"time":[0,0.1,0.2,0.3,0.4],"value":[[1,1,1],[1,1,1],[1,1,1],[1,1,1],[1,1,1]],"left":[[-0.5,-0.5,-0.5],[-0.5,-0.5,-0.5],[-0.5,-0.5,-0.5],[-0.5,-0.5,-0.5],[-0.5,-0.5,-0.5]],"right":[[0.5,0.5,0.5],[0.5,0.5,0.5],[0.5,0.5,0.5],[0.5,0.5,0.5],[0.5,0.5,0.5]]}}}
			{"end":true}
		TEXT
	} >s.json
	anim-parse -q -f json s.json >s.axs
	local how tol
	for how in unity "unity --fast" resonite "gltf --keys hermite"; do
		for tol in 0.1mm 1mm 10mm 100mm; do
			anim-reduce -q --for $how --tol $tol@10cm,1% s.axs >r.axs
			run -0 anim-diff -q --world -r 997 --max $tol@10cm,1% s.axs r.axs
		done
	done
	[ "$(keys r.axs)" -lt 5 ]
}

# begins_to_scale SEED: two joints that sway, of which the upper scales now and then.
begins_to_scale() {
	local sways='[%.6f,1,%.6f]' track='{"track":{"node":"%s","property":"%s","kind":"Curve","type":"float3","interp":"Linear","columns":{"time":[0,1,2,3,4,5,6,7,8,9,10,11,12],"value":[%s]}}}\n' values

	values=$(awk -v seed="$1" -v sways="$sways" 'BEGIN {
		for (k = 0; k < 13; k++)
			printf sways (k < 12 ? "," : ""), 0.004 * sin(k * 1.3 + seed), 0.004 * sin(k * k * 7.7 + seed)}')
	two_joints
	echo '{"clip":{"name":"c","root":".","end":12,"flags":["in_tree"]}}'
	# shellcheck disable=SC2059
	printf "$track" a position "$values" a/b position "$values" a scale \
		'[1,1,1],[1,1,1],[1,1,1],[2,2,2],[1,1,1],[1,1,1],[1,1,1],[2,2,2],[1,1,1],[1,1,1],[1,1,1],[2,2,2],[1,1,1]'
	echo '{"end":true}'
}

@test "where a joint begins to scale it is as far off as it is" {
	local seed tol how
	for seed in 1 2 3 4 5 6; do
		begins_to_scale $seed | anim-parse -q -f json >s.axs
		for tol in 1mm 2mm 3mm; do
			for how in "unity --fast" unity gltf; do
				anim-reduce -q --for $how --tol $tol@10cm s.axs >r.axs
				run -0 anim-diff -q --world -r 97 --max $tol@10cm,1% s.axs r.axs
			done
		done
	done
	[ "$(keys r.axs)" -lt 39 ]
}

@test "provenance has the sum of what one reduction after another may be off" {
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 60 | anim-reduce -q >once.axs
	anim-reduce -q --tol 2mm@5cm,scale=1% --override 'arm=3deg' --override 'hook=5mm@1m' once.axs >twice.axs
	[ "$(anim-dump twice.axs | grep tol-sum)" = '	attr "tol-sum" "1mm@100mm,0.1mm,0.1deg,0.1%,0.1px"
	attr "tol-sum" "6mm@50mm,0.2mm,3.1deg,1.1%,0.2px"' ]
	# without a limit in space the sum has none, then or later
	anim-reduce -q --tol 1mm,1deg,1% once.axs | anim-reduce -q | anim-dump | grep tol-sum >sums
	[ "$(sed -n '2,3s/.* //p' sums)" = '"1.1mm,1.1deg,1.1%,0.2px"
"1.2mm,1.2deg,1.2%,0.3px"' ]
}

@test "limits that are none" {
	run -2 --separate-stderr anim-reduce --tol 1foo
	[[ ${stderr_lines[0]} == "anim-reduce: --tol: '1foo' is not a limit. "*"1mm@10cm"* ]]
}

@test "Euler angles become rotations, which lose keys; --keep-euler leaves them" {
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no motion capture in $ANIM_CORPUS"
	anim-parse -q --unit cm "$ANIM_CORPUS/bvh/test_mocapbank.bvh" >s.axs
	anim-reduce -q -o r.axs s.axs
	[ "$(keys r.axs)" -lt "$(($(keys s.axs) / 2))" ]
	anim-diff -q -r 120 --max 1mm@10cm s.axs r.axs
	run -0 --separate-stderr anim-reduce --keep-euler -o k.axs s.axs
	[[ $stderr == *"note: 19 tracks of Euler angles: not reduced; put 'anim-bake' before this"* ]]
	[ "$(anim-info k.axs | grep -c ' euler ')" = 19 ]
}

@test "Euler angles stay where rotations would have no fewer keys, and no component of them is lost" {
	cat >few.tscn <<-'TEXT'
		[gd_scene format=3]
		[sub_resource type="Animation" id="a"]
		resource_name = "turn"
		length = 2.0
		tracks/0/type = "value"
		tracks/0/path = NodePath("Wheel:rotation")
		tracks/0/interp = 1
		tracks/0/keys = { "times": PackedFloat32Array(0, 1, 2), "transitions": PackedFloat32Array(1, 1, 1), "update": 0, "values": [Vector3(0, 0, 0), Vector3(0, 6, 2), Vector3(0, 0, 9)] }
		tracks/1/type = "bezier"
		tracks/1/path = NodePath("Door:rotation:y")
		tracks/1/keys = { "handle_modes": PackedInt32Array(0, 0, 0), "points": PackedFloat32Array(0, 0, 0, 0.3, 0, 1, -0.3, 0, 0.3, 0, 3, -0.3, 0, 0, 0), "times": PackedFloat32Array(0, 1, 2) }
		[sub_resource type="AnimationLibrary" id="l"]
		_data = { "turn": SubResource("a") }
		[node name="Root" type="Node3D"]
		[node name="Wheel" type="Node3D" parent="."]
		[node name="Door" type="Node3D" parent="."]
		[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
		libraries = { "": SubResource("l") }
	TEXT
	anim-parse -q few.tscn >s.axs
	run -0 --separate-stderr anim-reduce -o r.axs s.axs
	[ "$(keys r.axs)" -le 6 ]
	[ "$(anim-info r.axs | grep -c ' euler')" = 2 ]
	[[ $stderr != *quaternions* ]]
	anim-diff -q --max 1mm@10cm s.axs r.axs
}

@test "curves of Euler angles become rotations with a bound" {
	{
		printf '{"anim_json":1}\n{"clip":{"name":"c","end":2}}\n'
		awk 'BEGIN { for (k = 0; k <= 60; k++) { t = t (k ? "," : "") k / 30
			v = v (k ? "," : "") sprintf("[%.6f,%.6f,%.6f]", 0.8 * sin(k / 9), k / 60, 0.5 * cos(k / 11)) }
			printf "{\"track\":{\"node\":\"A\",\"property\":\"euler\",\"kind\":\"Curve\",\"type\":\"float3\",\"interp\":\"Linear\",\"columns\":{\"time\":[%s],\"value\":[%s]}}}\n{\"end\":true}\n", t, v }'
	} >s.json
	anim-parse -q -f json s.json >s.axs
	run -0 --separate-stderr anim-reduce --tol 0.5deg -o r.axs s.axs
	[[ $stderr =~ "note: track of Euler angles 'A euler': became quaternions, at most 0.00"[0-9]+" degrees off" ]] || { echo "$stderr" && false; }
	[ "$(keys r.axs)" -lt 30 ]
	anim-bake -q -r 300 s.axs >b.axs
	anim-diff -q -r 300 --max 0.502deg b.axs r.axs
}

@test "what takes too much work ends as --fast does, and says so" {
	not_bytewise "it takes seconds"
	not_sanitized "it takes seconds"
	cp "$DATA/axs/chain_of_turns.axs" s.axs
	(ulimit -t 30 && anim-reduce --tol 1mm@10cm --for unity --keys hermite -o r.axs s.axs 2>said) # 8 of processor time
	stderr=$(cat said)
	[[ $stderr == *"note: clip 'c': finding the fewest keys takes too long, so not all keys were tried, as with --fast"* ]]
	anim-reduce -q --fast --tol 1mm@10cm --for unity --keys hermite s.axs >f.axs
	[ "$(keys r.axs)" -le "$(keys f.axs)" ]
	anim-reduce -q --tol 1mm@10cm --for unity --keys hermite s.axs | cmp - r.axs
}

@test "--smaller keeps samples where few of them would go" {
	[ -d "$ANIM_CORPUS/bvh" ] || skip "no motion capture in $ANIM_CORPUS"
	anim-parse -q --unit cm "$ANIM_CORPUS/bvh/walk01.bvh" | anim-bake -q -o s.axs
	for target in gltf resonite; do
		anim-reduce -q --for $target s.axs >r.axs
		anim-reduce -q --for $target --smaller s.axs >k.axs
		[ "$(keys k.axs)" -gt "$(keys r.axs)" ]
		[ "$(anim-info k.axs | grep -c ' Raw ')" -gt 0 ]
		anim-diff -q --max 1mm@10cm s.axs k.axs
	done
}

@test "a chord that goes on over many of the source's keys does not rotate evenly in each: that is in the limit" {
	{
		printf 'anim-dump 1\nclip name="c" root="." source="" start=0 end=1 loop=none axes=unknown axes2d=unknown flags=- rate=0/0\n'
		printf 'track node="A" property="rotation" component=- kind=Curve type=floatQ rules=unity flags=- before=hold after=hold interp=Linear keys=11\n'
		printf '\tcolumns time value\n'
		awk 'BEGIN { for (k = 0; k <= 10; k++) { # on one chord, 2.4 radians wide, of which players show the direction
			x = sin(1.2) * k / 10; w = 1 + (cos(1.2) - 1) * k / 10; n = sqrt(x * x + w * w)
			printf "\t%.9g %.9g,0,0,%.9g\n", k / 10, x / n, w / n } print "end" }'
	} | anim-undump -o chord.axs
	for limit in 0.02deg 0.1deg 0.5deg; do
		anim-reduce -q --tol $limit chord.axs -o less.axs --force
		anim-diff -r 997 --max $limit chord.axs less.axs
	done
}

@test "a limit has a unit, and the note has the largest error that was reached" {
	local limit
	anim-parse -q "$ROOT/examples/crane.tscn" | anim-bake -q -r 30 >c.axs
	for limit in 1 0.001 1,0.1deg 0.1deg,1 position=1 '*=1' rotation=2 euler=1; do
		run -2 --separate-stderr anim-reduce --tol "$limit" c.axs
		[[ ${stderr_lines[0]} == "anim-reduce: --tol: '"*"' has no unit, so it could be metres. Use for example 1mm, 1deg or 1%" ]]
		run -2 --separate-stderr anim convert --reduce "$limit" c.axs x.tres
		run -2 --separate-stderr anim-reduce --override "*=$limit" c.axs
		run -2 --separate-stderr anim-diff --max "$limit" c.axs c.axs
		run -2 --separate-stderr anim-plot --against c.axs --max "$limit" c.axs
		run -2 --separate-stderr anim-pack --tol "$limit" c.axs -o x.axs.gz
		run -2 --separate-stderr anim-root --in-place --tol "$limit" c.axs
	done
	for limit in 0 0,0.1deg light_energy=0.5 scale=0.1; do
		anim-reduce -q --tol "$limit" c.axs >/dev/null
	done
	run -0 --separate-stderr anim-reduce --tol 1mm,2deg,1% c.axs -o r.axs
	[[ $stderr =~ ^"anim-reduce: crane.tscn: note: clip 'lift': "[0-9]+" of "[0-9]+" keys are left, tracks at most "(.*" mm, ")?([0-9.]+)" degrees, "([0-9.]+)" % off"$ ]]
	within() { awk "BEGIN { exit !($1 > 0 && $1 <= $2) }"; }
	within "${BASH_REMATCH[2]}" 2
	within "${BASH_REMATCH[3]}" 1
	# no less than what another program measures
	run -0 anim-diff -r 997 --max "${BASH_REMATCH[2]}01deg,${BASH_REMATCH[3]}01%,1mm" c.axs r.axs
}
