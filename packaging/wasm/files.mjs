// files.mjs: files in memory, with the interface that host.mjs needs. A path is a list of names below one root folder.

/** An error of a system call. `code` is its name in C, for example "ENOENT". */
export class FileError extends Error {
	constructor(code, path) {
		super(path === undefined ? code : `${code}: ${path}`);
		this.code = code;
	}
}

const FILE = 0o100644, FOLDER = 0o040755, DEVICE = 0o020666; // the only device is /dev/null
let nodes = 0;

function newNode(kind) {
	const node = { kind, number: ++nodes, time: Date.now() };

	if (kind === FOLDER)
		node.names = new Map();
	else
		Object.assign(node, { bytes: new Uint8Array(0), size: 0, isChanged: false, isOurs: true });
	return node;
}

/** Make room for `size` bytes. Bytes of the caller are copied before the first change. */
function reserve(node, size) {
	if (node.isOurs && node.bytes.length >= size)
		return;
	const bytes = new Uint8Array(Math.max(size, Math.min(2 * node.size, node.size + (64 << 20))));
	bytes.set(node.bytes.subarray(0, node.size));
	node.bytes = bytes;
	node.isOurs = true;
}

/** An open file. */
class MemoryHandle {
	constructor(node, name) {
		this.node = node;
		this.name = name;
		this.isSeekable = node.kind === FILE;
		this.isTerminal = false;
	}

	get size() {
		return this.node.size;
	}

	read(target, position) {
		if (this.node.kind === FOLDER)
			throw new FileError('EISDIR');
		const part = this.node.bytes.subarray(position, Math.min(this.node.size, position + target.length));
		target.set(part);
		return part.length;
	}

	write(source, position) {
		const end = position + source.length;

		if (this.node.kind === DEVICE)
			return source.length;
		reserve(this.node, end);
		this.node.bytes.fill(0, this.node.size, Math.max(this.node.size, position));
		this.node.bytes.set(source, position);
		this.node.size = Math.max(this.node.size, end);
		this.node.isChanged = true;
		return source.length;
	}

	truncate(size) {
		if (this.node.kind === DEVICE)
			return;
		reserve(this.node, size);
		this.node.bytes.fill(0, Math.min(size, this.node.size));
		this.node.size = size;
		this.node.isChanged = true;
	}

	stat() {
		return stat(this.node);
	}

	sync() {}
	close() {}
}

function stat(node) {
	const seconds = Math.floor(node.time / 1000);

	return { mode: node.kind, number: node.number, device: 1, links: 1, user: 0, group: 0, size: node.size ?? 0, seconds,
		nanoseconds: (node.time - 1000 * seconds) * 1e6 };
}

/** A file system in memory. It begins with the folders of `folders`. */
export class MemoryFiles {
	constructor(cwd = '/work', folders = ['/tmp']) {
		this.cwd = cwd;
		this.root = newNode(FOLDER);
		for (const folder of [cwd, '/dev', ...folders])
			this.makeFolders(folder);
		this.root.names.get('dev').names.set('null', newNode(DEVICE));
	}

	/** Return the names of a path, without "." and "..". */
	split(path) {
		const names = [];

		for (const name of (path.startsWith('/') ? path : `${this.cwd}/${path}`).split('/')) {
			if (name === '..')
				names.pop();
			else if (name !== '' && name !== '.')
				names.push(name);
		}
		return names;
	}

	/** Return the node of a path, or undefined. A name below a file is an error. */
	find(path) {
		let node = this.root;

		if (path === '')
			throw new FileError('ENOENT', path);
		for (const name of this.split(path)) {
			if (node === undefined)
				return undefined;
			if (node.kind !== FOLDER)
				throw new FileError('ENOTDIR', path);
			node = node.names.get(name);
		}
		if (node !== undefined && node.kind !== FOLDER && path.endsWith('/'))
			throw new FileError('ENOTDIR', path);
		return node;
	}

	get(path) {
		const node = this.find(path);

		if (node === undefined)
			throw new FileError('ENOENT', path);
		return node;
	}

	/** Return the folder that holds the last name of a path, and the name. */
	place(path) {
		const names = this.split(path), name = names.pop();
		const folder = this.get('/' + names.join('/'));

		if (name === undefined)
			throw new FileError('EBUSY', path);
		if (folder.kind !== FOLDER)
			throw new FileError('ENOTDIR', path);
		return { folder, name };
	}

	makeFolders(path) {
		let node = this.root;

		for (const name of this.split(path)) {
			if (!node.names.has(name))
				node.names.set(name, newNode(FOLDER));
			node = node.names.get(name);
			if (node.kind !== FOLDER)
				throw new FileError('ENOTDIR', path);
		}
	}

	/** Add a file and its folders. The bytes are not copied before a program changes them. */
	add(path, bytes) {
		this.makeFolders('/' + this.split(path).slice(0, -1).join('/'));
		const { folder, name } = this.place(path), node = newNode(FILE);

		if (folder.names.has(name))
			throw new FileError('EEXIST', path);
		Object.assign(node, { bytes, size: bytes.length, isOurs: false });
		folder.names.set(name, node);
	}

	/** Return the files that programs wrote or changed. Names are relative to the current folder. /tmp is left out. */
	changed() {
		const files = {}, prefix = this.cwd + '/';
		const visit = (node, path) => {
			if (node.kind === FOLDER)
				node.names.forEach((below, name) => visit(below, `${path}/${name}`));
			else if (node.isChanged)
				files[path.startsWith(prefix) ? path.slice(prefix.length) : path] = node.bytes.subarray(0, node.size);
		};

		this.root.names.forEach((node, name) => name === 'tmp' || visit(node, '/' + name));
		return files;
	}

	// ---- The interface of host.mjs ----

	open(path, { create, exclusive, truncate, folder, write }) {
		let node = this.find(path);

		if (node === undefined && !create)
			throw new FileError('ENOENT', path);
		if (node !== undefined && create && exclusive)
			throw new FileError('EEXIST', path);
		if (node === undefined) {
			const at = this.place(path);

			node = newNode(FILE);
			node.isChanged = true;
			at.folder.names.set(at.name, node);
		}
		if (folder && node.kind !== FOLDER)
			throw new FileError('ENOTDIR', path);
		if (write && node.kind === FOLDER)
			throw new FileError('EISDIR', path);
		const handle = new MemoryHandle(node, path);
		if (truncate && node.size > 0)
			handle.truncate(0);
		return handle;
	}

	stat(path) {
		return stat(this.get(path));
	}

	access(path) {
		this.get(path);
	}

	list(path) {
		const { names } = this.get(path);

		if (names === undefined)
			throw new FileError('ENOTDIR', path);
		return [...names].map(([name, node]) => ({ name, type: node.kind === FOLDER ? 'folder' : 'file' }));
	}

	readlink(path) {
		this.get(path);
		throw new FileError('EINVAL', path);
	}

	unlink(path) {
		const { folder, name } = this.place(path), node = this.get(path);

		if (node.kind === FOLDER)
			throw new FileError('EISDIR', path);
		folder.names.delete(name);
	}

	link(from, to) {
		const { folder, name } = this.place(to), node = this.get(from);

		if (node.kind === FOLDER)
			throw new FileError('EPERM', from);
		if (folder.names.has(name))
			throw new FileError('EEXIST', to);
		folder.names.set(name, node);
	}

	rename(from, to) {
		const source = this.place(from), target = this.place(to), node = this.get(from), old = target.folder.names.get(target.name);

		if (old === node)
			return;
		if (old !== undefined && (old.kind === FOLDER || node.kind === FOLDER))
			throw new FileError(old.kind === FOLDER ? 'EISDIR' : 'ENOTDIR', to);
		source.folder.names.delete(source.name);
		target.folder.names.set(target.name, node);
	}

	mkdir(path) {
		const { folder, name } = this.place(path);

		if (folder.names.has(name))
			throw new FileError('EEXIST', path);
		folder.names.set(name, newNode(FOLDER));
	}

	rmdir(path) {
		const { folder, name } = this.place(path), node = this.get(path);

		if (node.kind !== FOLDER)
			throw new FileError('ENOTDIR', path);
		if (node.names.size > 0)
			throw new FileError('ENOTEMPTY', path);
		folder.names.delete(name);
	}

	chmod(path) {
		this.get(path);
	}
}

/** A stream of given bytes, for standard input. */
export class BytesHandle {
	constructor(bytes, name = '-') {
		this.bytes = bytes;
		this.name = name;
		this.at = 0;
		this.isSeekable = false;
		this.isTerminal = false;
	}

	get size() {
		return this.bytes.length;
	}

	read(target) {
		const part = this.bytes.subarray(this.at, this.at + target.length);

		target.set(part);
		this.at += part.length;
		return part.length;
	}

	write() {
		throw new FileError('EBADF');
	}

	stat() {
		return PIPE;
	}

	close() {}
}

const PIPE = { mode: 0o010600, number: 0, device: 0, links: 1, user: 0, group: 0, size: 0, seconds: 0, nanoseconds: 0 };

/** A stream that keeps the written bytes, for standard output and for messages. */
export class CollectingHandle {
	constructor() {
		this.parts = [];
		this.size = 0;
		this.isSeekable = false;
		this.isTerminal = false;
	}

	read() {
		throw new FileError('EBADF');
	}

	write(source) {
		this.parts.push(source.slice());
		this.size += source.length;
		return source.length;
	}

	/** Return all bytes. */
	take() {
		const bytes = new Uint8Array(this.size);
		let at = 0;

		for (const part of this.parts) {
			bytes.set(part, at);
			at += part.length;
		}
		this.parts = [];
		return bytes;
	}

	stat() {
		return PIPE;
	}

	close() {}
}
