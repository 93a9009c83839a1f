// open.mjs: an open animation file, on the functions of anim(3). Each file has an instance of the module of its own, so that
// nothing remains of it.

import { Anim as Programs, isCrash } from './core.mjs';
import { BytesHandle, CollectingHandle, MemoryFiles } from './files.mjs';
import { Host } from './host.mjs';

const CODES = { 1: 'input', 2: 'system', 3: 'memory', 4: 'too-large', 5: 'unsupported', 6: 'closed', 7: 'strict', 100: 'call' };
const LEVELS = ['note', 'warning', 'fault'];
const ENDS = ['cover', 'grid', 'fit', 'loop'];
const PARTS = { times: 0, values: 1, left: 2, right: 3, leftX: 4, rightX: 5, ease: 6 };
const ALL = -1;

/** An error with the message that the programs print. */
export class AnimError extends Error {
	constructor(text, { code = 'input', line = 0, column = 0, messages = [] } = {}) {
		super(text);
		this.name = 'AnimError';
		Object.assign(this, { code, line, column, messages });
	}
}

// ---- Structs of anim.h ----

const SIZES = { u32: 4, i32: 4, text: 4, f64: 8 };

/** Return the places of the members of a struct, which C aligns to their size. */
function struct(...members) {
	const places = {};
	let at = 0, widest = 1;

	for (const member of members) {
		const [name, type, count = 1] = member.split(':'), size = SIZES[type];

		at = Math.ceil(at / size) * size;
		places[name] = { at, type, count: Number(count) };
		at += size * count;
		widest = Math.max(widest, size);
	}
	return { places, size: Math.ceil(at / widest) * widest };
}

const FAULT = struct('code:i32', 'line:u32', 'column:u32'), FAULT_TEXT = FAULT.size, FAULT_SIZE = 1024;
const ATTRIBUTES = ['attributes:u32', 'attribute_count:u32'];
const OPTIONS = struct('size:u32', 'memory:u32', 'format:u32', 'name:u32', 'no_external:i32', 'keep_going:i32', 'unit:u32', 'z_up:i32');
const CLIP = struct('size:u32', 'name:text', 'start_s:f64', 'end_s:f64', 'loop:text', 'axes:text', 'axes2d:text', 'source:text',
	'root:text', 'rate_num:u32', 'rate_den:u32', 'tracks:u32', 'tree:i32', ...ATTRIBUTES);
const TRACK = struct('size:u32', 'node:text', 'property:text', 'kind:text', 'type:text', 'mode:text', 'rules:text', 'pre:text',
	'post:text', 'component:i32', 'components:u32', 'flags:u32', 'is_rotation:i32', 'keys:u32', 'start_s:f64', 'step_s:f64',
	'rate_num:u32', 'rate_den:u32');
const TREE = struct('size:u32', 'root_name:text', 'file:text', 'axes:text', 'axes2d:text', 'nodes:u32', ...ATTRIBUTES);
const NODE = struct('size:u32', 'path:text', 'name:text', 'kind:text', 'type:text', 'parent:i32', 'has:u32', 'position:u32:3',
	'rotation:u32:4', 'scale:u32:3', ...ATTRIBUTES);

const SOURCE = struct('size:u32', 'path:u32', 'bytes:u32', 'byte_count:u32', 'name:u32', 'handle:u32', 'is_aside:i32');
const CONVERSION = struct('size:u32', 'sources:u32', 'source_count:u32', 'output:u32', 'bytes:u32', 'byte_count:u32', 'name:u32',
	'options:u32', 'option_count:u32', 'message:u32', 'progress:u32', 'context:u32', 'part:u32');
const MESSAGE = struct('size:u32', 'level:u32', 'text:text', 'file:text', 'clip:text', 'subject:text', 'line:u32', 'column:u32',
	'count:u32', 'worst:f64', 'unit:text');

/** The functions of anim(3) on one instance of the module. */
class Library {
	constructor(host) {
		this.host = host;
		this.functions = host.instance.exports;
		this.fault = this.functions.malloc(FAULT_SIZE);
	}

	/** Return memory of C with room for `size` bytes, zeroed, which with() frees. */
	room(size) {
		const at = this.functions.calloc(1, Math.max(size, 8)) >>> 0;

		if (at === 0)
			throw new AnimError('out of memory', { code: 'memory' });
		this.kept.push(at);
		return at;
	}

	text(text) {
		if (text === undefined || text === null)
			return 0;
		const bytes = new TextEncoder().encode(text), at = this.room(bytes.length + 1);
		this.host.bytes.set(bytes, at);
		return at;
	}

	/** Return memory with pointers to these texts. */
	texts(texts) {
		const at = this.room(4 * texts.length);

		texts.forEach((text, i) => this.host.put32(at + 4 * i, this.text(text)));
		return at;
	}

	bytes(bytes) {
		const at = this.room(bytes.length);

		this.host.bytes.set(bytes, at);
		return at;
	}

	/** Call a function with memory that is freed afterwards. */
	with(call) {
		const outer = this.kept;

		this.kept = [];
		try {
			return call();
		} finally {
			this.kept.forEach(at => this.functions.free(at));
			this.kept = outer;
		}
	}

	plain(name, ...values) {
		try {
			return (this.functions[`anim_${name}`] ?? this.functions[`host_${name}`])(...values);
		} catch (error) {
			if (!isCrash(error))
				throw error;
			throw new AnimError(`the program crashed: ${error.message}`, { code: 'crash' });
		}
	}

	/** Call a function of anim(3) that returns a count, 0 or -1. */
	call(name, ...values) {
		const result = this.plain(name, ...values, this.cleared());

		if (result < 0)
			throw this.error();
		return result;
	}

	/** Call a function of anim(3) that returns a pointer or NULL. */
	pointer(name, ...values) {
		const result = this.plain(name, ...values, this.cleared()) >>> 0;

		if (result === 0)
			throw this.error();
		return result;
	}

	cleared() {
		this.host.bytes.fill(0, this.fault, this.fault + FAULT_SIZE);
		return this.fault;
	}

	error() {
		const { code, line, column } = this.read(FAULT, this.fault);

		return new AnimError(this.host.text(this.fault + FAULT_TEXT), { code: CODES[code], line, column });
	}

	/** Return memory with a struct that has these members, which are numbers or texts. */
	put({ places, size }, members) {
		const at = this.room(size);

		for (const [name, value] of Object.entries({ size, ...members }))
			this.host.put32(at + places[name].at, typeof value === 'string' ? this.text(value) : value ?? 0);
		return at;
	}

	/** Return the members of a struct. */
	read({ places }, at) {
		const values = {};

		for (const [name, place] of Object.entries(places))
			values[name] = place.count > 1 ? this.floats(at + place.at, place.count) : this.member(at + place.at, place.type);
		if (places.attributes !== undefined)
			values.attributes = this.attributes(values.attributes, values.attribute_count);
		return values;
	}

	member(at, type) {
		const { data } = this.host;

		switch (type) {
		case 'f64':
			return data.getFloat64(at, true);
		case 'i32':
			return data.getInt32(at, true);
		case 'text':
			return this.word(data.getUint32(at, true)) ?? '';
		default:
			return data.getUint32(at, true);
		}
	}

	word(at) {
		return at === 0 ? null : this.host.text(at);
	}

	words(at, count) {
		return Array.from({ length: count }, (_, i) => this.word(this.host.u32(at + 4 * i)));
	}

	attributes(at, count) {
		return Object.fromEntries(Array.from({ length: count }, (_, i) => [this.word(this.host.u32(at + 8 * i)),
			this.word(this.host.u32(at + 8 * i + 4))]));
	}

	floats(at, count) {
		return Array.from(new Float32Array(this.host.memory.buffer, at, count));
	}

	/** Return a copy of an array of numbers. */
	numbers(Kind, at, count) {
		return new Kind(this.host.memory.buffer, at, count).slice();
	}

	/** Fill the struct of a function that takes its size. */
	info(name, layout, ...place) {
		return this.with(() => {
			const at = this.room(layout.size);

			this.host.put32(at, layout.size);
			this.call(name, ...place, at);
			return this.read(layout, at);
		});
	}

	/** Return memory with these numbers. */
	doubles(values) {
		const at = this.room(8 * values.length);

		new Float64Array(this.host.memory.buffer, at, values.length).set(values);
		return at;
	}
}

function rateOf(num, den) {
	return den === 0 ? null : num / den;
}

/** Add members that are not shown when the object is printed. */
function hide(object, members) {
	for (const [name, value] of Object.entries(members))
		Object.defineProperty(object, name, { value, writable: true });
}

function whole(number, count, what) {
	if (!Number.isInteger(number) || number < 0 || number >= count)
		throw new AnimError(`${what} ${number}: there are ${count}`, { code: 'call' });
	return number;
}

// ---- The objects that users see ----

/** An open file: its clips, trees and messages. */
class AnimFile {
	constructor(library, handle) {
		const count = what => library.plain(`${what}_count`, handle);

		hide(this, { library, handle });
		this.messages = Array.from({ length: count('message') }, (_, i) => ({
			text: library.word(library.plain('message', handle, i) >>> 0),
			isWarning: library.plain('message_is_warning', handle, i) !== 0,
		}));
		this.trees = Array.from({ length: count('tree') }, (_, i) => new Tree(this, i));
		this.clips = Array.from({ length: count('clip') }, (_, i) => new Clip(this, i));
	}

	/** Return the clip of this name or number. */
	clip(name) {
		if (typeof name === 'number')
			return this.clips[whole(name, this.clips.length, 'clip')];
		const number = this.open.with(() => this.library.plain('find_clip', this.handle, this.library.text(name)));
		if (number < 0)
			throw new AnimError(`no clip named '${name}'`, { code: 'call' });
		return this.clips[number];
	}

	/** Free the memory. The objects of the file cannot be used any more, but their arrays can. */
	close() {
		this.library = undefined;
	}

	get open() {
		if (this.library === undefined)
			throw new AnimError('the file is closed', { code: 'call' });
		return this.library;
	}
}

/** One animation. */
class Clip {
	constructor(file, number) {
		const info = file.library.info('get_clip', CLIP, file.handle, number);

		hide(this, { file, number });
		Object.assign(this, { name: info.name, start: info.start_s, end: info.end_s, duration: info.end_s - info.start_s,
			loop: info.loop, axes: info.axes, axes2d: info.axes2d, source: info.source, root: info.root,
			rate: rateOf(info.rate_num, info.rate_den), attributes: info.attributes, count: info.tracks,
			tree: file.trees[info.tree] ?? null });
	}

	/** All tracks. */
	get tracks() {
		return Array.from({ length: this.count }, (_, i) => new Track(this, i));
	}

	/** Return the track of a property of a node, or null. Without a component, a track of all components comes first. */
	find(node, property, component = null) {
		const library = this.file.open;
		let first = null;

		return library.with(() => {
			const [at, what] = [library.text(node), library.text(property)];

			for (let i = -1; (i = library.plain('find_track', this.file.handle, this.number, i + 1, at, what)) >= 0;) {
				const track = new Track(this, i);

				if (track.component === component)
					return track;
				first ??= track;
			}
			return component === null ? first : null;
		});
	}

	/** Return the times at which anim-resample samples the clip. A rate is a number, a text, or null for the clip's own. */
	times(rate = null, end = 'cover') {
		const library = this.file.open, number = ENDS.indexOf(end);

		if (number < 0)
			throw new AnimError(`end is one of ${ENDS.join(', ')}, not '${end}'`, { code: 'call' });
		return library.with(() => {
			const fraction = library.room(8);

			if (rate !== null)
				library.call('parse_rate', library.text(String(rate)), fraction, fraction + 4);
			const place = [this.file.handle, this.number, library.host.u32(fraction), library.host.u32(fraction + 4), number];
			const count = library.call('clip_times', ...place, 0, 0), at = library.room(8 * count);
			library.call('clip_times', ...place, at, count);
			return library.numbers(Float64Array, at, count);
		});
	}

	/**
	 * Return transforms in the space of the tree: for each time and each node, three rows of the basis, each followed by its
	 * component of the origin. `node` is a number or a path in the tree, or null for all nodes.
	 */
	world(times, node = null) {
		const library = this.file.open;

		return library.with(() => {
			const number = node === null ? ALL : typeof node === 'number' ? node : this.tree?.find(node).number ?? 0;
			const nodes = node === null ? this.tree?.count ?? 0 : 1, size = 12 * times.length * nodes;
			const at = library.room(8 * size);

			library.call('world', this.file.handle, this.number, number, library.doubles(times), times.length, at, size);
			return library.numbers(Float64Array, at, size);
		});
	}
}

/** The keys of one property of one node, or of one component of it. */
class Track {
	constructor(clip, number) {
		const library = clip.file.open, info = library.info('get_track', TRACK, clip.file.handle, clip.number, number);

		hide(this, { clip, number });
		Object.assign(this, { node: info.node, property: info.property, kind: info.kind, type: info.type,
			mode: info.mode || null, rules: info.rules, pre: info.pre, post: info.post,
			component: info.component < 0 ? null : info.component, components: info.components, flags: info.flags,
			isRotation: info.is_rotation !== 0, isText: info.type === 'string', count: info.keys,
			rate: rateOf(info.rate_num, info.rate_den) });
	}

	get place() {
		return [this.clip.file.handle, this.clip.number, this.number];
	}

	/** Further data of the source about the track. */
	get attributes() {
		const library = this.clip.file.open;

		return library.with(() => {
			const list = library.room(4), count = library.call('get_track_attributes', ...this.place, list);

			return library.attributes(library.host.u32(list), count);
		});
	}

	/** Return the values at these times: numbers one time after another, or texts. */
	sample(times) {
		const library = this.clip.file.open, count = times.length;

		return library.with(() => {
			const at = library.doubles(times), size = count * this.components;

			if (this.isText)
				return this.texts('sample_texts', count, at, count);
			const values = library.room(8 * size);
			library.call('sample_doubles', ...this.place, at, count, values, size, 0);
			return library.numbers(Float64Array, values, size);
		});
	}

	texts(name, count, ...before) {
		const library = this.clip.file.open;

		return library.with(() => {
			const list = library.room(4 * count);

			library.call(name, ...this.place, ...before, list, ...(before.length === 0 ? [count] : []));
			return library.words(list, count);
		});
	}

	/** Return a part of all keys, or null if the track does not have it: times, values, left, right, leftX, rightX or ease. */
	keys(part = 'values') {
		const library = this.clip.file.open, number = PARTS[part];

		if (number === undefined)
			throw new AnimError(`a part of keys is one of ${Object.keys(PARTS).join(', ')}, not '${part}'`, { code: 'call' });
		if (this.isText && part === 'values')
			return this.texts('key_texts', this.count);
		const size = this.count * (part === 'times' || part === 'ease' ? 1 : this.components);
		return library.with(() => {
			const at = library.room(8 * size);

			return library.call('key_doubles', ...this.place, number, at, size) ? library.numbers(Float64Array, at, size) : null;
		});
	}

	/** The mode from each key to the next. */
	get modes() {
		return this.texts('key_modes', this.count);
	}
}

/** The nodes of a scene. */
class Tree {
	constructor(file, number) {
		const info = file.library.info('get_tree', TREE, file.handle, number);

		hide(this, { file, number });
		Object.assign(this, { rootName: info.root_name, source: info.file, axes: info.axes, axes2d: info.axes2d,
			attributes: info.attributes, count: info.nodes });
	}

	/** Return a node by its number. */
	node(number) {
		const { position, rotation, scale, ...info } = this.file.open.info('get_node', NODE, this.file.handle, this.number, number);

		return { number, path: info.path, name: info.name, kind: info.kind, type: info.type,
			parent: info.parent < 0 ? null : info.parent, has: info.has, position, rotation, scale, attributes: info.attributes };
	}

	/** All nodes, parents before their children. */
	get nodes() {
		return Array.from({ length: this.count }, (_, i) => this.node(i));
	}

	/** Return the node with this path. */
	find(path) {
		const library = this.file.open;
		const number = library.with(() => library.plain('find_node', this.file.handle, this.number, library.text(path)));

		if (number < 0)
			throw new AnimError(`no node '${path}'`, { code: 'call' });
		return this.node(number);
	}
}

/** Return the name of the main file of {name: bytes}: the one that is asked for, or the only one. */
function mainName(files, name) {
	const names = Object.keys(files);

	if (name !== undefined && !names.includes(name))
		throw new AnimError(`no file named '${name}' is given`, { code: 'call' });
	if (name === undefined && names.length !== 1)
		throw new AnimError(`${names.length} files are given; the option name chooses one`, { code: 'call' });
	return name ?? names[0];
}

/** Start an instance of the module on {name: bytes}. Returns its functions. */
async function start(module, sources, folders = []) {
	const files = new MemoryFiles(), streams = [new BytesHandle(new Uint8Array(0)), new CollectingHandle(), new CollectingHandle()];

	folders.forEach(folder => files.makeFolders(folder));
	for (const [path, bytes] of Object.entries(sources))
		files.add(path, bytes);
	const host = new Host({ files, streams });
	host.start(await WebAssembly.instantiate(module, host.imports()));
	return new Library(host);
}

/** Open bytes, or one file of {name: bytes}. */
async function openFile(module, source, options = {}) {
	const isBytes = source instanceof Uint8Array, name = isBytes ? options.name : mainName(source, options.name);
	const library = await start(module, isBytes ? {} : source);

	return library.with(() => {
		const at = library.put(OPTIONS, {
			memory: options.memory, format: options.format, name: isBytes ? name : undefined, // a path is its own name, and has a folder
			no_external: options.external === false ? 1 : 0, keep_going: options.keepGoing ? 1 : 0, unit: options.unit?.toString(),
			z_up: options.up === 'z' ? 1 : 0,
		});
		const handle = isBytes ? library.pointer('open_memory', library.bytes(source), source.length, at)
			: library.pointer('open', library.text(name), at);
		return new AnimFile(library, handle);
	});
}

/** Return [name, value] of the options of {keepGoing: true, 'loop-name': 'x', node: ['a', 'b']}. A flag has the value undefined. */
function listOptions(options) {
	return Object.entries(options).flatMap(([key, value]) => [value].flat().filter(one => one !== false && one != null).map(one =>
		[key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`), one === true ? undefined : String(one)]));
}

/** The programs, compiled, and the files that they read. Get one from load(). */
export class Anim extends Programs {
	/**
	 * Open an animation file: bytes, or one of {name: bytes}, which may refer to the others.
	 *
	 * @param options.name the name of the file, for messages and to recognise its format
	 * @param options others of anim(3): format, external, keepGoing, unit, up, memory
	 * @returns an AnimFile
	 * @throws AnimError
	 */
	async open(source, options = {}) {
		return openFile(this.module, source, options);
	}

	/**
	 * Convert a file: bytes, or one of {name: bytes}, which may refer to the others.
	 *
	 * @param options.to the name of the output. Its ending chooses the format, for example 'walk.glb'.
	 * @param options.name the name of the input, 'input' if only bytes are given
	 * @param options.options options of anim-convert(1) by their long names, for example {rate: 30, inPlace: true, node: ['Hips', 'Spine']}
	 * @param options.onmessage is called with each warning and note, and an object with its parts
	 * @returns {name: bytes} of the written files
	 * @throws AnimError
	 */
	async convert(source, { to, name, options = {}, onmessage } = {}) {
		if (typeof to !== 'string')
			throw new AnimError('the option to names the output, for example walk.glb', { code: 'call' });
		const isBytes = source instanceof Uint8Array, input = isBytes ? name ?? 'input' : mainName(source, name);
		const library = await start(this.module, isBytes ? { [input]: source } : source,
			to.includes('/') ? [to.slice(0, to.lastIndexOf('/'))] : []);
		const list = listOptions({ force: true, ...options }), messages = [];

		library.host.onmessage = at => {
			const { size, level, text, ...info } = library.read(MESSAGE, at);

			messages.push(text);
			if (LEVELS[level] !== 'fault')
				onmessage?.(text, { level: LEVELS[level], ...info });
		};
		try {
			library.with(() => library.call('convert', library.put(CONVERSION, {
				sources: library.put(SOURCE, { path: input }), source_count: 1, output: to,
				options: library.texts(list.flat()), option_count: list.length,
			})));
		} catch (error) {
			throw Object.assign(error, { messages });
		}
		return library.host.files.changed();
	}
}
