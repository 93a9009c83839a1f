#!/usr/bin/env bats
# anim-udp: takes are recorded and played over the network of this machine.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$ROOT/tests/vmc_file.py" frames take.vmc
	port=$(python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
}

# recording [OPTION...]: records in the background, and returns when it listens. `recorder` is the process.
recording() {
	anim-udp record "$port" "$@" 2>record.err &
	recorder=$!
	for ((i = 0; i < 100; i++)); do
		! grep -q listening record.err || return 0
		sleep 0.05
	done
	cat record.err
	return 1
}

# recorded: ends the recording as Ctrl-C does.
recorded() {
	sleep 0.1
	kill -TERM $recorder
	wait $recorder
}

# need_osc: skips without npm's osc.
need_osc() {
	modules=$ROOT/build/live/node_modules
	command -v node >/dev/null || skip "node is not installed"
	[ -d "$modules/osc" ] || skip "npm's osc is not installed: npm install --prefix build/live osc ws"
}

@test "a take that is played and recorded has the same datagrams" {
	recording -o copy.vmc
	anim-udp play take.vmc "127.0.0.1:$port"
	recorded
	cmp <(python3 "$ROOT/tests/vmc_file.py" list take.vmc | cut -d' ' -f2-) <(python3 "$ROOT/tests/vmc_file.py" list copy.vmc | cut -d' ' -f2-)
	anim-diff --max 1e-6m,1e-6deg take.vmc copy.vmc
	grep -q "^anim-udp: note: listening on 127.0.0.1:$port, for this machine only; for others, add an address such as 0.0.0.0:$port$" record.err
	grep -q '^anim-udp: note: 4 datagrams recorded, 0 of other senders ignored$' record.err
	# the times of arrival are those of the take, for example within a tenth of a second
	python3 "$ROOT/tests/vmc_file.py" list copy.vmc | awk '{ off = $1 - (NR - 1) / 8; exit !(off < 0.1 && off > -0.1) }'
}

@test "a recording to standard output is read by the next program" {
	anim-udp record -q --time 2.5 "$port" | anim-parse -f vmc -o copy.axs &
	sleep 0.5
	anim-udp play take.vmc "127.0.0.1:$port"
	wait $!
	anim-diff --max 1e-6m,1e-6deg take.vmc copy.axs
}

@test "the first sender wins, nobody gets an answer, and datagrams of any size arrive" {
	recording -o copy.vmc
	python3 - "$port" <<-'PY'
		import socket, sys, time
		to = ("127.0.0.1", int(sys.argv[1]))
		first, other = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
		for sock, data in (other, b"stray"), (first, b"/VMC/Ext/T"), (other, b"forged"), (first, b"b" * 65507), (other, b"x" * 65507), (first, b""):
		    sock.sendto(data, to)
		    time.sleep(0.05)
		for sock in first, other:
		    sock.settimeout(0.1)
		    try:
		        sock.recv(1)
		        sys.exit("an answer")
		    except TimeoutError:
		        pass
	PY
	recorded
	grep -q '3 datagrams recorded, 3 of other senders ignored' record.err
	grep -q 'warning: another sender, 127.0.0.1:[0-9]*, is ignored' record.err
	[ "$(stat -c %s copy.vmc)" -eq $((8 + 3 * 12 + 10 + 65507)) ]
	! grep -q 'forged\|stray' copy.vmc || false
	printf AnimVMC1 >empty.vmc
	run -1 --separate-stderr anim-udp play --loop empty.vmc "127.0.0.1:$port"
	[ "$stderr" = "anim-udp: the take has no datagrams" ]
}

@test "a recording that is killed has everything that arrived" {
	recording -o copy.vmc
	anim-udp play take.vmc "127.0.0.1:$port"
	sleep 0.1
	kill -KILL $recorder
	wait $recorder || true
	anim-diff --max 1e-6m,1e-6deg take.vmc copy.vmc
}

@test "a take is played in a loop until it is stopped" {
	recording -o copy.vmc
	anim-udp play --loop take.vmc "127.0.0.1:$port" &
	sleep 1.2
	kill $!
	recorded
	python3 "$ROOT/tests/vmc_file.py" list copy.vmc >list
	[ "$(wc -l <list)" -ge 8 ]
	# the rate of the take goes on at the seam: the second round begins after 0.5 s
	awk 'NR == 5 { exit !($1 > 0.45 && $1 < 0.6) }' list
	run -2 --separate-stderr anim-udp play --loop - "127.0.0.1:$port" <take.vmc
	[ "${stderr_lines[0]}" = "anim-udp: --loop needs a file, and not a pipe" ]
}

@test "a take that is cut is played to its last whole datagram, and fails with the place, or warns in a loop" {
	head -c -5 take.vmc >cut.vmc
	recording -o copy.vmc
	run -1 --separate-stderr anim-udp play cut.vmc "127.0.0.1:$port"
	[ "$stderr" = "anim-udp: cut.vmc: byte 1208: the take was not ended: its last datagram is cut off and left out" ]
	recorded
	[ "$(python3 "$ROOT/tests/vmc_file.py" list copy.vmc | wc -l)" -eq 3 ]
	recording --force -o copy.vmc
	anim-udp play --loop cut.vmc "127.0.0.1:$port" 2>told &
	sleep 1
	kill $!
	recorded
	[ "$(cat told)" = "anim-udp: cut.vmc: byte 1208: warning: the take was not ended: its last datagram is cut off and left out" ]
	[ "$(python3 "$ROOT/tests/vmc_file.py" list copy.vmc | wc -l)" -ge 5 ]
}

@test "a recording stops after a time, which may have a fraction" {
	run -1 --separate-stderr timeout 5 anim-udp record -q --time 0.25 -o none.vmc "$port"
	[ "$stderr" = "anim-udp: no datagram arrived" ]
	for time in 0 -1 2.5s nan 1e10 ""; do
		run -2 --separate-stderr timeout 5 anim-udp record "--time=$time" -o none.vmc "$port"
		[ "${stderr_lines[0]}" = "anim-udp: --time: '$time' is not a number of seconds above 0, such as 2.5" ]
	done
	run -2 --separate-stderr timeout 5 anim-udp record -o none.vmc.gz "$port"
	[ "${stderr_lines[0]}" = "anim-udp: a take is not compressed while it is recorded; use -o none.vmc" ]
}

@test "existing files, wrong addresses and other files are refused" {
	run -1 --separate-stderr timeout 5 anim-udp record -q -o take.vmc "$port"
	[ "$stderr" = "anim-udp: take.vmc: use --force to replace it: File exists" ]
	run -1 --separate-stderr timeout 5 anim-udp record -q -o x.vmc "8.8.8.8:$port"
	[[ $stderr == "anim-udp: 8.8.8.8:$port: this is not an address of this machine: "* ]]
	mkfifo fifo
	run -2 --separate-stderr timeout 5 anim-udp record --force -o fifo "$port"
	[ "${stderr_lines[0]}" = "anim-udp: 'fifo' is not a file" ]
	run -2 --separate-stderr timeout 5 anim-udp record -o x.glb "$port"
	[ "${stderr_lines[0]}" = "anim-udp: a take is not a glb file: record a .vmc file, and convert it" ]
	[ "$(anim-info take.vmc | wc -l)" -gt 5 ]
	run -1 --separate-stderr timeout 5 anim-udp record -q --time 1 -o none.vmc "$port"
	[ "$stderr" = "anim-udp: no datagram arrived" ]
	[ ! -e none.vmc ]
	cp take.vmc old.vmc
	run -1 timeout 5 anim-udp record -q --time 1 --force -o old.vmc "$port"
	cmp take.vmc old.vmc
	for words in "record 0 -o x" "record 70000 -o x" "record localhost:99 -o x" "record $port $port -o x" "play take.vmc" \
		"play take.vmc 127.0.0.1" "play take.vmc 127.0.0.1: " "play --time 3 take.vmc 127.0.0.1:$port" "record --loop $port" "listen $port"; do
		run -2 --separate-stderr timeout 5 anim-udp $words
		[ "${#stderr_lines[@]}" -eq 2 ]
	done
	run -1 --separate-stderr anim-udp play "$ROOT/examples/box.tscn" "127.0.0.1:$port"
	[[ $stderr == "anim-udp: $ROOT/examples/box.tscn: byte 0: not a take of VMC, which begins with AnimVMC1"* ]]
	run -1 --separate-stderr anim-udp play take.vmc 255.255.255.255:$port
	[[ $stderr == "anim-udp: 255.255.255.255:$port: "* ]]
	run -0 --separate-stderr anim-udp play take.vmc "127.0.0.1:$port"
	[ "$stderr" = "anim-udp: note: no program listens at 127.0.0.1:$port" ]
}

@test "npm's osc receives each frame of a clip that is played" {
	need_osc
	anim convert -q -r 60 "$ROOT/examples/walker.tscn" w.vmc
	node "$ROOT/tests/osc_side.cjs" "$modules" listen "$port" 146 >got &
	for ((i = 0; i < 100; i++)); do ! grep -q ready got || break; sleep 0.05; done
	anim-udp play w.vmc "127.0.0.1:$port"
	wait $!
	python3 - <<-PY
		import json, sys
		sys.path.insert(0, "$ROOT/tests")
		from vmc_file import *
		got = [json.loads(line)[1:] for line in open("got") if line.startswith("[")]
		sent = [list(m) for _, data in read("w.vmc") for m in parse(data)]
		assert len(got) == len(sent) and all(a == b for a, b in zip(got, sent)), (len(got), len(sent))
	PY
}

@test "a motion of npm's osc becomes a clip" {
	need_osc
	recording -o osc.vmc
	node "$ROOT/tests/osc_side.cjs" "$modules" send "$port" 10
	recorded
	run -0 --separate-stderr anim-info osc.vmc
	[ -z "$stderr" ]
	[[ ${lines[0]} == "osc: 0.18 s, 50/s, from vmc, unity axes" ]]
	[[ $output == *"Hips "*"position"*"0 .. 9"* && $output == *"expression/happy"*"0 .. 0.5625"* ]]
}

@test "datagrams that the system drops are counted" {
	[ "$(uname)" = Linux ] || skip "only Linux counts them"
	recording -o copy.vmc
	kill -STOP $recorder
	python3 - "$port" <<-'PY'
		import socket, sys
		to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
		for i in range(20000):
		    to.sendto(b'/VMC/Ext/OK\0' + b',i\0\0' + bytes(2000), ('127.0.0.1', int(sys.argv[1])))
	PY
	kill -CONT $recorder
	sleep 0.5
	recorded
	taken=$(sed -n 's/.*note: \([0-9]*\) datagrams recorded, 0 .*/\1/p' record.err)
	lost=$(sed -n 's/^anim-udp: warning: \([0-9]*\) datagrams are lost, because they came faster than they were written$/\1/p' record.err)
	[ "$lost" -gt 0 ]
	[ $((taken + lost)) -eq 20000 ]
}
