# shellcheck shell=bash
# hosts.bash: machines for a farm: each an sshd of its own on this one, with a folder below far/ as its home. Keys, ports and
# sockets are in the folder where it is called; nothing of the system's or the user's ssh is read.

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
	done 2>/dev/null
}
