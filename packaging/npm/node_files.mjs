// node_files.mjs: the system's own files, with the interface that host.mjs needs.

import fs from 'node:fs';
import tty from 'node:tty';

import { fromHost, toHost } from './paths.mjs';

const isWindows = process.platform === 'win32';
const PAUSE_MS = 5;
const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
const { S_IFMT, S_IFREG, S_IFIFO = 0o010000 } = fs.constants;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Repeat a call as long as a pipe or terminal that does not block has nothing to give or no room. */
function wait(call) {
	for (;;) {
		try {
			return call();
		} catch (error) {
			if (error.code !== 'EAGAIN')
				throw error;
			Atomics.wait(pause, 0, 0, PAUSE_MS);
		}
	}
}

function stat(info) {
	const nanoseconds = info.mtimeNs, seconds = nanoseconds / 1000000000n;

	return { mode: Number(info.mode), number: info.ino, device: Number(info.dev & 0xffffffffn), links: Number(info.nlink),
		user: Number(info.uid), group: Number(info.gid), size: Number(info.size), seconds: Number(seconds),
		nanoseconds: Number(nanoseconds - 1000000000n * seconds) };
}

/** An open file, pipe or terminal. */
export class NodeHandle {
	constructor(fd, name) {
		const info = fs.fstatSync(fd, { bigint: true });

		this.fd = fd;
		this.name = name;
		this.isSeekable = info.isFile();
		this.isTerminal = tty.isatty(fd);
		this.isFolder = info.isDirectory();
	}

	read(target, position) {
		if (this.isSeekable)
			return fs.readSync(this.fd, target, 0, target.length, position);
		try {
			return wait(() => fs.readSync(this.fd, target, 0, target.length, null));
		} catch (error) {
			if (error.code === 'EOF') // on Windows, from a pipe that was closed
				return 0;
			throw error;
		}
	}

	write(source, position) {
		return wait(() => fs.writeSync(this.fd, source, 0, source.length, this.isSeekable ? position : null));
	}

	truncate(size) {
		fs.ftruncateSync(this.fd, size);
	}

	stat() {
		return stat(fs.fstatSync(this.fd, { bigint: true }));
	}

	sync() {
		if (!(isWindows && this.isFolder)) // Windows has no such call
			fs.fsyncSync(this.fd);
	}

	chmod(mode) {
		if (!isWindows)
			fs.fchmodSync(this.fd, mode & 0o7777);
	}

	chown(user, group) {
		if (!isWindows)
			fs.fchownSync(this.fd, user, group);
	}

	close() {
		fs.closeSync(this.fd);
	}
}

/** A standard stream. Node cannot move in it, so a file looks like a pipe. */
class StandardHandle extends NodeHandle {
	constructor(fd) {
		super(fd, '-');
		this.isSeekable = false;
	}

	stat() {
		const info = super.stat();

		return (info.mode & S_IFMT) === S_IFREG ? { ...info, mode: info.mode - S_IFREG + S_IFIFO, size: 0 } : info;
	}

	close() {} // Node needs its own descriptors
}

/** A terminal of Windows. Its own calls show UTF-8 and colours, which writes to its descriptor do not. */
class WindowsTerminal extends StandardHandle {
	write(source) {
		(this.fd === 2 ? process.stderr : process.stdout).write(source.slice());
		return source.length;
	}
}

/** Return a standard stream, or undefined if it is closed. */
export function standardHandle(fd) {
	try {
		return new (isWindows && fd > 0 && tty.isatty(fd) ? WindowsTerminal : StandardHandle)(fd);
	} catch (error) {
		if (error.code === 'EBADF')
			return undefined;
		throw error;
	}
}

function flagsOf({ read, write, create, exclusive, truncate, append, folder, stays }) {
	return (write ? (read ? O_RDWR : O_WRONLY) : O_RDONLY) | (create ? O_CREAT : 0) | (exclusive ? O_EXCL : 0) |
		(truncate ? O_TRUNC : 0) | (append ? O_APPEND : 0) | (folder ? O_DIRECTORY : 0) | (stays ? O_NOFOLLOW : 0);
}

/** The command anim-tools is another name of anim, not a program that anim would list. */
function isShown(entry) {
	return entry.name !== 'anim-tools' || entry.isDirectory();
}

/** The file system of this machine. */
export class NodeFiles {
	/** Files that were created to be renamed. They are left if the module crashes. */
	temporary = new Set();

	/** Remove the temporary files, as the programs do when a signal ends them. */
	clear() {
		this.temporary.forEach(path => fs.rmSync(toHost(path), { force: true }));
	}

	get cwd() {
		return fromHost(process.cwd());
	}

	open(path, options) {
		const fd = fs.openSync(toHost(path), flagsOf(options), options.mode);

		if (options.exclusive)
			this.temporary.add(path);
		return new NodeHandle(fd, path);
	}

	stat(path, follow) {
		return stat((follow ? fs.statSync : fs.lstatSync)(toHost(path), { bigint: true }));
	}

	access(path, mode) {
		fs.accessSync(toHost(path), mode);
	}

	list(path) {
		const entries = fs.readdirSync(toHost(path), { withFileTypes: true });

		return entries.filter(isShown).map(entry => (
			{ name: entry.name, type: entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other' }));
	}

	readlink(path) {
		try {
			return fromHost(fs.readlinkSync(toHost(path)));
		} catch (error) {
			if (isWindows && error.code !== 'ENOENT')
				error.code = 'EINVAL'; // it has several codes there for a file that is not a link
			throw error;
		}
	}

	unlink(path) {
		fs.unlinkSync(toHost(path));
		this.temporary.delete(path);
	}

	link(from, to) {
		fs.linkSync(toHost(from), toHost(to));
	}

	rename(from, to) {
		fs.renameSync(toHost(from), toHost(to));
		this.temporary.delete(from);
	}

	mkdir(path, mode) {
		fs.mkdirSync(toHost(path), mode);
	}

	rmdir(path) {
		fs.rmdirSync(toHost(path));
	}

	chmod(path, mode) {
		fs.chmodSync(toHost(path), mode);
	}
}
