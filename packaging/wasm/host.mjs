// host.mjs: the system calls of the module anim.wasm, on any files with the interface of files.mjs. The numbers below are those
// of emscripten's C library, which has the errors of WASI and the flags of Linux.

const ERRORS = {
	E2BIG: 1, EACCES: 2, EAGAIN: 6, EBADF: 8, EBUSY: 10, EEXIST: 20, EFBIG: 22, EINTR: 27, EINVAL: 28, EIO: 29, EISDIR: 31,
	ELOOP: 32, EMFILE: 33, EMLINK: 34, ENAMETOOLONG: 37, ENFILE: 41, ENODEV: 43, ENOENT: 44, ENOMEM: 48, ENOSPC: 51,
	ENOSYS: 52, ENOTDIR: 54, ENOTEMPTY: 55, ENOTTY: 59, ENXIO: 60, EPERM: 63, EPIPE: 64, EROFS: 69, ESPIPE: 70, ETXTBSY: 74,
	EXDEV: 75, ENOTSUP: 138,
};
const O_WRONLY = 1, O_RDWR = 2, O_CREAT = 64, O_EXCL = 128, O_TRUNC = 512, O_APPEND = 1024, O_DIRECTORY = 65536,
	O_NOFOLLOW = 131072;
const AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 256;
const F_DUPFD = 0, F_GETFD = 1, F_SETFD = 2, F_GETFL = 3, F_SETFL = 4, F_DUPFD_CLOEXEC = 1030;
const TIOCGWINSZ = 0x5413;
const ENTRY_TYPES = { folder: 4, file: 8, other: 0 };
const MEMORY_MAX = 0x100000000, PAGE = 65536, GROWTH_MAX = 96 << 20;
const FD_MAX = 1024;

/** Thrown through the module when a program ends. */
class Exit {
	constructor(status) {
		this.status = status;
	}
}

/** Thrown through the module by longjmp(), up to the call that has the setjmp(). */
class Jump {}

/** Return the number of an error with a code in C, or throw everything else. */
function errorNumber(error) {
	if (error instanceof Exit || typeof error?.code !== 'string')
		throw error;
	return ERRORS[error.code] ?? ERRORS.EIO;
}

/** Return the function with errors as negative numbers, as the system calls of Linux have them. */
function negative(call) {
	return (...values) => {
		try {
			return call(...values) ?? 0;
		} catch (error) {
			return -errorNumber(error);
		}
	};
}

/** Return the function with errors as positive numbers, as WASI has them. */
function positive(call) {
	return (...values) => {
		try {
			call(...values);
			return 0;
		} catch (error) {
			return errorNumber(error);
		}
	};
}

function fail(code) {
	throw Object.assign(new Error(code), { code });
}

/** One run of a program: its descriptors, arguments and memory. */
export class Host {
	/**
	 * @param files a file system
	 * @param streams the handles of standard input, output and messages
	 * @param environment an object of texts
	 * @param number of the process
	 * @param window is called with a terminal and returns {columns, rows}
	 * @param execute is called with a path and a command line, runs that program and returns its status
	 * @param onread is called with a handle and its position after a read
	 */
	constructor({ files, streams, environment = {}, number = 1, window, execute, onread }) {
		Object.assign(this, { files, environment, number, window, execute, onread });
		this.opened = streams.map((handle, i) => handle && ({ handle, position: 0, flags: i === 0 ? 0 : O_WRONLY, uses: 1 }));
	}

	// ---- Memory ----

	get bytes() {
		if (this.u8 === undefined || this.u8.buffer !== this.memory.buffer)
			this.view();
		return this.u8;
	}

	get data() {
		if (this.dv === undefined || this.dv.buffer !== this.memory.buffer)
			this.view();
		return this.dv;
	}

	view() {
		this.u8 = new Uint8Array(this.memory.buffer);
		this.dv = new DataView(this.memory.buffer);
	}

	/** Return the text that ends with NUL. */
	text(at) {
		const { bytes } = this, start = at >>> 0;

		return new TextDecoder().decode(bytes.subarray(start, bytes.indexOf(0, start)));
	}

	/** Return the texts of an array that ends with NULL. */
	texts(list) {
		const texts = [];

		for (let at; (at = this.u32(list + 4 * texts.length)) !== 0;)
			texts.push(this.text(at));
		return texts;
	}

	u32(at) {
		return this.data.getUint32(at >>> 0, true);
	}

	put32(at, value) {
		this.data.setUint32(at >>> 0, value, true);
	}

	put64(at, value) {
		this.data.setBigUint64(at >>> 0, BigInt(value), true);
	}

	/** Grow the memory to at least `size` bytes. Returns whether it did. */
	grow(size) {
		const old = this.memory.buffer.byteLength, wanted = size >>> 0;
		const generous = Math.min(old + Math.min(old / 4, GROWTH_MAX), MEMORY_MAX);

		for (const goal of [Math.max(wanted, generous), wanted]) {
			try {
				this.memory.grow(Math.ceil((goal - old) / PAGE));
				return 1;
			} catch (error) {
				if (!(error instanceof RangeError))
					throw error;
			}
		}
		return 0;
	}

	// ---- Descriptors ----

	fd(number) {
		return this.opened[number] ?? fail('EBADF');
	}

	/** Give the lowest free number, at least `from`, to an open file. */
	take(open, from = 0) {
		let number = from;

		while (this.opened[number] !== undefined)
			number++;
		if (number >= FD_MAX)
			fail('EMFILE');
		this.opened[number] = open;
		return number;
	}

	open(path, flags, mode) {
		const access = flags & 3;
		const handle = this.files.open(path, {
			mode, read: access !== O_WRONLY, write: access !== 0, create: (flags & O_CREAT) !== 0,
			exclusive: (flags & O_EXCL) !== 0, truncate: (flags & O_TRUNC) !== 0, folder: (flags & O_DIRECTORY) !== 0,
			append: (flags & O_APPEND) !== 0, stays: (flags & O_NOFOLLOW) !== 0,
		});

		return this.take({ handle, position: 0, flags: flags & (3 | O_APPEND), uses: 1, path });
	}

	close(number) {
		const open = this.fd(number);

		this.opened[number] = undefined;
		if (--open.uses === 0)
			open.handle.close();
	}

	/** Duplicate a descriptor. Both share the position. */
	duplicate(number, from) {
		const open = this.fd(number), copy = this.take(open, from);

		open.uses++;
		return copy;
	}

	/** Return the path relative to an open folder. */
	at(folder, path) {
		return folder === AT_FDCWD || path.startsWith('/') ? path : `${this.fd(folder).path}/${path}`;
	}

	/** Move bytes between a file and an array of buffers. `position` is undefined for the file's own position. */
	move(number, buffers, count, position, transfer) {
		const open = this.fd(number);
		let moved = 0, at = position ?? open.position;

		if (position !== undefined && !open.handle.isSeekable)
			fail('ESPIPE');
		for (let i = 0; i < count; i++) {
			const start = this.u32(buffers + 8 * i), size = this.u32(buffers + 8 * i + 4);

			if (size === 0)
				continue;
			const done = transfer(open, this.bytes.subarray(start, start + size), at);
			moved += done;
			at += done;
			if (done < size)
				break;
		}
		if (position === undefined)
			open.position = at;
		return moved;
	}

	read(number, buffers, count, position) {
		const moved = this.move(number, buffers, count, position, (open, target, at) => {
			if ((open.flags & 3) === O_WRONLY)
				fail('EBADF');
			return open.handle.read(target, at);
		});

		if (this.onread !== undefined && position === undefined)
			this.onread(this.fd(number).handle, this.fd(number).position);
		return moved;
	}

	write(number, buffers, count, position) {
		return this.move(number, buffers, count, position, (open, source, at) => {
			if ((open.flags & 3) === 0)
				fail('EBADF');
			if ((open.flags & O_APPEND) !== 0)
				at = open.handle.stat().size;
			return this.send(open.handle, source, at);
		});
	}

	send(handle, source, at) {
		try {
			return handle.write(source, at);
		} catch (error) {
			if (error.code === 'EPIPE')
				this.instance.exports.host_pipe_closed();
			throw error;
		}
	}

	seek(number, offset, whence) {
		const open = this.fd(number);

		if (!open.handle.isSeekable)
			fail('ESPIPE');
		const goal = offset + [0, open.position, open.handle.stat().size][whence];
		if (!(goal >= 0))
			fail('EINVAL');
		open.position = goal;
		return goal;
	}

	// ---- Structs of C ----

	putStat(at, stat) {
		this.bytes.fill(0, at >>> 0, (at >>> 0) + 88);
		this.put32(at, stat.device);
		this.put32(at + 12, stat.mode);
		this.put32(at + 16, stat.links);
		this.put32(at + 20, stat.user);
		this.put32(at + 24, stat.group);
		this.put64(at + 40, stat.size);
		this.put32(at + 48, 4096);
		this.put32(at + 52, Math.ceil(stat.size / 512));
		for (const time of [56, 64, 72]) {
			this.put32(at + time, stat.seconds);
			this.put32(at + time + 4, stat.nanoseconds);
		}
		this.put64(at + 80, stat.number);
	}

	/** Write as many directory entries as fit. Returns their bytes, 0 at the end. */
	entries(number, buffer, size) {
		const open = this.fd(number), HEAD = 19;
		let used = 0;

		open.entries ??= [{ name: '.', type: 'folder' }, { name: '..', type: 'folder' }, ...this.files.list(open.path)];
		for (; open.position < open.entries.length; open.position++) {
			const { name, type } = open.entries[open.position], text = new TextEncoder().encode(name);
			const length = (HEAD + text.length + 1 + 7) & ~7, at = (buffer >>> 0) + used;

			if (used + length > size)
				break;
			this.put64(at, open.position + 1);
			this.put64(at + 8, open.position + 1);
			this.data.setUint16(at + 16, length, true);
			this.bytes[at + 18] = ENTRY_TYPES[type];
			this.bytes.set(text, at + HEAD);
			this.bytes[at + HEAD + text.length] = 0;
			used += length;
		}
		return used;
	}

	control(number, command, values) {
		const open = this.fd(number);

		switch (command) {
		case F_DUPFD:
		case F_DUPFD_CLOEXEC:
			return this.duplicate(number, this.u32(values));
		case F_GETFD:
		case F_SETFD:
		case F_SETFL:
			return 0;
		case F_GETFL:
			return open.flags;
		default:
			return fail('EINVAL');
		}
	}

	/** The size of a terminal is the only question that is answered. */
	terminal(number, command, values) {
		const { handle } = this.fd(number), size = handle.isTerminal ? this.window?.(handle) : undefined;

		if (command !== TIOCGWINSZ || size === undefined)
			fail('ENOTTY');
		const at = this.u32(values);
		this.put32(at, size.rows | (size.columns << 16));
		this.put32(at + 4, 0);
	}

	/** All files and pipes are ready, because reads and writes wait. */
	poll(items, count) {
		for (let i = 0; i < count; i++) {
			const at = (items >>> 0) + 8 * i;

			this.data.setInt16(at + 6, this.data.getInt16(at + 4, true), true);
		}
		return count;
	}

	/** Write the time of a clock: 0 is the time of day. */
	clock(kind, at) {
		const now = kind === 0 ? Date.now() : performance.now(), seconds = Math.floor(now / 1000);

		this.put32(at, seconds);
		this.put32(at + 4, Math.floor((now - 1000 * seconds) * 1e6));
		return 0;
	}

	/** Write an array of texts and their bytes. */
	putTexts(texts, list, at) {
		for (const [i, text] of texts.entries()) {
			this.put32(list + 4 * i, at);
			this.bytes.set(text, at >>> 0);
			this.bytes[(at >>> 0) + text.length] = 0;
			at += text.length + 1;
		}
	}

	get environmentTexts() {
		return Object.entries(this.environment).map(([name, value]) => new TextEncoder().encode(`${name}=${value}`));
	}

	// ---- The imports of the module ----

	imports() {
		const path = at => this.text(at), { files } = this;
		const env = {
			exit: status => this.exit(status),
			clock_gettime: (kind, at) => this.clock(kind, at),
			__clock_gettime: (kind, at) => this.clock(kind, at),
			emscripten_memcpy_big: (to, from, size) => {
				this.bytes.copyWithin(to >>> 0, from >>> 0, (from >>> 0) + (size >>> 0));
			},
			emscripten_get_heap_max: () => MEMORY_MAX - PAGE,
			emscripten_resize_heap: size => this.grow(size),
			_mmap_js: () => -ERRORS.ENOSYS,
			_munmap_js: () => -ERRORS.ENOSYS,
			__call_sighandler: (handler, signal) => this.instance.exports.__indirect_function_table.get(handler)(signal),
			_emscripten_throw_longjmp: () => {
				throw new Jump();
			},
			getTempRet0: () => this.second,
			setTempRet0: value => {
				this.second = value;
			},
			invoke_vi: (call, context) => this.invoke(call, context),
			host_message: at => this.onmessage?.(at),
			host_getpid: () => this.number,
			host_raise: signal => {
				throw new Exit(128 + signal);
			},
			host_exec: negative((at, list) => this.exec(path(at), this.texts(list))),
			host_link: negative((from, to) => files.link(path(from), path(to))),
		};
		const calls = {
			open: (at, flags, values) => this.open(path(at), flags, flags & O_CREAT ? this.u32(values) : 0),
			openat: (folder, at, flags, values) =>
				this.open(this.at(folder, path(at)), flags, flags & O_CREAT ? this.u32(values) : 0),
			fcntl64: (number, command, values) => this.control(number, command, values),
			ioctl: (number, command, values) => this.terminal(number, command, values),
			faccessat: (folder, at, mode) => files.access(this.at(folder, path(at)), mode),
			fchmod: (number, mode) => this.fd(number).handle.chmod?.(mode),
			chmod: (at, mode) => files.chmod(path(at), mode),
			fchown32: (number, user, group) => this.fd(number).handle.chown?.(user, group),
			chown32: () => fail('ENOSYS'),
			stat64: (at, to) => this.putStat(to, files.stat(path(at), true)),
			lstat64: (at, to) => this.putStat(to, files.stat(path(at), false)),
			fstat64: (number, to) => this.putStat(to, this.fd(number).handle.stat()),
			fstatat64: (folder, at, to, flags) =>
				this.putStat(to, files.stat(this.at(folder, path(at)), (flags & AT_SYMLINK_NOFOLLOW) === 0)),
			ftruncate64: (number, size) => this.fd(number).handle.truncate(Number(size)),
			mkdir: (at, mode) => files.mkdir(path(at), mode),
			rmdir: at => files.rmdir(path(at)),
			unlink: at => files.unlink(path(at)),
			rename: (from, to) => files.rename(path(from), path(to)),
			readlink: (at, to, size) => this.putPart(to, size, files.readlink(path(at))),
			getcwd: (to, size) => this.putPart(to, size, files.cwd + '\0'),
			getdents64: (number, to, size) => this.entries(number, to, size),
			poll: (items, count) => this.poll(items, count),
			_newselect: () => fail('ENOSYS'),
			dup3: () => fail('ENOSYS'), // of a child process
		};
		for (const [name, call] of Object.entries(calls))
			env[`__syscall_${name}`] = negative(call);
		return { env, wasi_snapshot_preview1: this.wasi() };
	}

	/** Call a function of C that may leave by longjmp(). The caller looks at what setThrew sets. */
	invoke(call, ...values) {
		const { __indirect_function_table: functions, stackSave, stackRestore, setThrew } = this.instance.exports, stack = stackSave();

		try {
			return functions.get(call)(...values);
		} catch (error) {
			if (!(error instanceof Jump))
				throw error;
			stackRestore(stack);
			setThrew(1, 0);
			return undefined;
		}
	}

	/** Write at most `size` bytes of a text. Returns their number. */
	putPart(to, size, text) {
		const bytes = new TextEncoder().encode(text).subarray(0, size >>> 0);

		this.bytes.set(bytes, to >>> 0);
		return bytes.length;
	}

	wasi() {
		return {
			proc_exit: status => {
				throw new Exit(status);
			},
			fd_close: positive(number => this.close(number)),
			fd_read: positive((number, list, count, to) => this.put32(to, this.read(number, list, count))),
			fd_write: positive((number, list, count, to) => this.put32(to, this.write(number, list, count))),
			fd_pread: positive((number, list, count, at, to) =>
				this.put32(to, this.read(number, list, count, Number(at)))),
			fd_pwrite: positive((number, list, count, at, to) =>
				this.put32(to, this.write(number, list, count, Number(at)))),
			fd_seek: positive((number, offset, whence, to) => this.put64(to, this.seek(number, Number(offset), whence))),
			fd_sync: positive(number => this.fd(number).handle.sync?.()),
			fd_fdstat_get: positive((number, to) => {
				const { handle } = this.fd(number);

				this.bytes.fill(0, to >>> 0, (to >>> 0) + 24);
				this.bytes[to >>> 0] = handle.isTerminal ? 2 : 4;
			}),
			environ_sizes_get: positive((count, size) => {
				const texts = this.environmentTexts;

				this.put32(count, texts.length);
				this.put32(size, texts.reduce((sum, text) => sum + text.length + 1, 0));
			}),
			environ_get: positive((list, at) => this.putTexts(this.environmentTexts, list, at)),
		};
	}

	// ---- A run ----

	exit(status) {
		const { __funcs_on_exit, __stdio_exit } = this.instance.exports;

		__funcs_on_exit();
		__stdio_exit();
		throw new Exit(status);
	}

	/** Run another program in place of this one. */
	exec(path, argv) {
		if (this.execute === undefined)
			fail('ENOSYS');
		throw new Exit(this.execute(path, argv));
	}

	/** Start an instance of the module in memory of its own. */
	start(instance) {
		this.instance = instance;
		this.memory = instance.exports.memory;
		instance.exports.__wasm_call_ctors();
	}

	/** Run main() with these texts. Returns the status. */
	main(argv) {
		const { malloc, main } = this.instance.exports, texts = argv.map(text => new TextEncoder().encode(text));
		const size = texts.reduce((sum, text) => sum + text.length + 1, 0);
		const list = malloc(4 * (texts.length + 1) + size), end = list + 4 * texts.length;

		this.put32(end, 0);
		this.putTexts(texts, list, end + 4);
		try {
			return this.exit(main(texts.length, list));
		} catch (error) {
			if (error instanceof Exit)
				return error.status;
			throw error;
		}
	}
}
