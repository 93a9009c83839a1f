# shellcheck shell=bash
# hosts.bash: machines for a farm: each an sshd of its own on this one, with a folder below far/ as its home; or nodes of
# Slurm's. Keys, ports and sockets are in the folder where it is called; nothing of the system's or the user's is read.

# hosts_missing: says why there can be none; nothing where there can.
hosts_missing() {
	[ -x "$(PATH=$PATH:/usr/sbin command -v sshd)" ] || { echo "openssh-server is not installed" && return; }
	command -v rsync >/dev/null || { echo "rsync is not installed" && return; }
	[ "$(id -u)" != 0 ] || [ -d /run/sshd ] || echo "sshd of root needs a folder /run/sshd"
}

# start_host NAME: starts it, on a port that is free; `bin/ssh NAME` reaches it. Its number is in far/NAME.pid.
start_host() {
	local name=$1 port sshd here=$PWD
	sshd=$(PATH=$PATH:/usr/sbin command -v sshd)
	mkdir -p "far/$name" bin
	[ -e key ] || ssh-keygen -q -t ed25519 -N '' -f key
	printf '#!/bin/sh\nexec %s -F %s/ssh_config "$@"\n' "$(PATH=${PATH#"$here/bin:"} command -v ssh)" "$here" >bin/ssh
	chmod +x bin/ssh
	# A home of its own, and our programs. Of a first shell (SHLVL) under ssh bash takes ~/.bashrc to be wanted.
	for _ in 1 2 3 4 5; do
		port=$((20000 + RANDOM % 12000))
		cat >"far/$name.conf" <<-TEXT
			Port $port
			ListenAddress 127.0.0.1
			HostKey $here/key
			AuthorizedKeysFile $here/key.pub
			PidFile none
			StrictModes no
			PasswordAuthentication no
			SetEnv "HOME=$here/far/$name" "PATH=$PATH" SHLVL=2
			ForceCommand cd && exec bash -c "\$SSH_ORIGINAL_COMMAND"
		TEXT
		setsid "$sshd" -D -f "$here/far/$name.conf" -E "$here/far/$name.log" >/dev/null 2>&1 3>&- &
		echo $! >"far/$name.pid"
		for _ in {1..50}; do
			! (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break 2
			kill -0 "$(cat "far/$name.pid")" 2>/dev/null || continue 2
			sleep 0.1
		done
	done
	cat >>ssh_config <<-TEXT
		Host $name
		  HostName 127.0.0.1
		  Port $port
		  IdentityFile $here/key
		  IdentitiesOnly yes
		  StrictHostKeyChecking no
		  UserKnownHostsFile /dev/null
		  LogLevel ERROR
	TEXT
}

# signal_host SIGNAL NAME: to its sshd and all that runs below it.
signal_host() {
	local pid below
	pid=$(cat "far/$2.pid")
	for below in $(host_processes "$pid") $pid; do kill "-$1" "$below" 2>/dev/null || :; done
}

host_processes() {
	local child
	for child in $(ps -o pid= --ppid "$1"); do
		host_processes "$child"
		echo "$child"
	done
}

stop_hosts() {
	local file name
	for file in far/*.pid; do
		[ -e "$file" ] || continue
		name=${file##*/}
		signal_host CONT "${name%.pid}"
		signal_host KILL "${name%.pid}"
		rm "$file"
	done 2>/dev/null
}

# Nodes of Slurm's: a controller, nodes n1 and n2 of one processor each and the munge by which they know each other. What is
# theirs is in slurm/; each of their processes, those that have left the family too, has that folder in its environment.

# slurm_missing: says why there can be none; nothing where there can.
slurm_missing() {
	local name
	for name in munged slurmctld slurmd sbatch; do
		[ -x "$(PATH=$PATH:/usr/sbin command -v $name)" ] || { echo "$name is not installed" && return; }
	done
	[ "$(id -u)" = 0 ] || echo "nodes of Slurm's need to be root's"
}

# of_slurm COMMAND...: runs it as one that belongs to them.
of_slurm() {
	SLURM_CONF=$PWD/slurm/slurm.conf PATH=$PATH:/usr/sbin "$@"
}

# start_slurm: returns 0 when both nodes wait for work, 1 when they do not come.
start_slurm() {
	local here=$PWD/slurm port
	mkdir -p slurm/state
	head -c 1024 /dev/urandom >slurm/key
	chmod 600 slurm/key
	port=$(free_ports 3)
	cat >slurm/slurm.conf <<-TEXT
		ClusterName=farm
		SlurmctldHost=$(hostname -s)(127.0.0.1)
		SlurmctldPort=$port
		SlurmUser=root
		AuthInfo=socket=$here/munge
		StateSaveLocation=$here/state
		SlurmdSpoolDir=$here/%n
		SlurmctldPidFile=$here/slurmctld.pid
		SlurmdPidFile=$here/%n.pid
		SlurmctldLogFile=$here/slurmctld.log
		SlurmdLogFile=$here/%n.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		MpiDefault=none
		SelectType=select/cons_tres
		NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
		NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
		PartitionName=all Nodes=n1,n2 Default=YES State=UP
	TEXT
	slurm_daemon munged --foreground --force --key-file="$here/key" --socket="$here/munge" --pid-file="$here/munged.pid" \
		--seed-file="$here/seed" --log-file="$here/munged.log"
	# A test that is interrupted has no teardown.
	(
		trap '' INT TERM HUP
		while kill -0 $$ 2>/dev/null; do sleep 1; done
		stop_slurm
	) >/dev/null 2>&1 3>&- &
	for _ in {1..50}; do [ -S slurm/munge ] && break || sleep 0.1; done
	slurm_daemon slurmctld -D
	slurm_daemon slurmd -D -N n1
	slurm_daemon slurmd -D -N n2
	for _ in {1..100}; do
		[ "$(of_slurm sinfo -h -N -o %t 2>/dev/null | sort -u)" != idle ] || return 0
		sleep 0.1
	done
	return 1
}

slurm_daemon() {
	of_slurm setsid "$@" >>slurm/daemons.log 2>&1 3>&- &
}

# free_ports N: the first of N ports in a row that nobody listens on.
free_ports() {
	local first port
	while :; do
		first=$((20000 + RANDOM % 12000))
		for ((port = first; port < first + $1; port++)); do
			! (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
		done
		echo $first
		return
	done
}

stop_slurm() {
	local left
	for _ in {1..50}; do
		left=$(grep -lzxF "SLURM_CONF=$PWD/slurm/slurm.conf" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3) || :
		[ -n "$left" ] || return 0
		# shellcheck disable=SC2086 # numbers
		kill -KILL $left 2>/dev/null || :
		sleep 0.1
	done
	return 1
}
