// worker.js: runs one program after the other, each in a new instance with its own file system. copy joins it with the modules
// that it imports.
import { Anim } from "./core.mjs";

const WINDOW = 1 << 20, EVERY_MS = 50;
const reader = new FileReaderSync();
let anim = null;

// The bytes of a file, which are read when a program asks for them. It has the members of Uint8Array that core.mjs uses.
class LazyBytes {
	#blob;
	#start = 0;
	#window = new Uint8Array(0);

	constructor(blob) {
		this.#blob = blob;
		this.length = blob.size;
	}

	subarray(from = 0, to = this.length) {
		if (from < this.#start || to > this.#start + this.#window.length) {
			const end = Math.min(this.length, Math.max(to, from + WINDOW));
			this.#start = from;
			this.#window = new Uint8Array(reader.readAsArrayBuffer(this.#blob.slice(from, end)));
		}
		return this.#window.subarray(from - this.#start, to - this.#start);
	}
}

// A short description of the clips: the document itself can be larger than the file.
function describe(stdout) {
	const { clips, totals } = JSON.parse(new TextDecoder().decode(stdout));
	return {
		nodes: totals.nodes,
		clips: clips.map(it => ({
			name: it.name, player: it.attributes.player ?? "", start: it.start, end: it.end, tracks: it.tracks.length,
			keys: it.tracks.reduce((sum, track) => sum + track.keys, 0),
		})),
	};
}

// Return a function that posts how much of the operands has been read, as a part of 1.
function progress(id, argv, files) {
	const operands = argv.map(it => it.replace(/^\.\//, "")).filter(it => files[it]), places = new Map();
	const total = operands.reduce((sum, it) => sum + files[it].size, 0);
	let last = performance.now();
	return (path, position) => {
		const name = path.replace(/^\.\//, ""), now = performance.now();
		if (!operands.includes(name)) return;
		places.set(name, Math.max(places.get(name) ?? 0, position));
		if (now - last < EVERY_MS) return;
		last = now;
		postMessage({ id, part: [...places.values()].reduce((sum, it) => sum + it, 0) / total });
	};
}

async function run({ id, argv, files, describes }) {
	const lazy = Object.fromEntries(Object.entries(files).map(([name, blob]) => [name, new LazyBytes(blob)]));
	const { status, stdout, stderr, files: made } = await anim.run(argv, { files: lazy, onread: progress(id, argv, files) });
	const info = describes && status === 0 ? describe(stdout) : null;
	postMessage({ id, status, stderr, info, results: Object.entries(made).map(([name, bytes]) => ({ name, blob: new Blob([bytes]) })) });
}

onmessage = async ({ data }) => {
	try {
		if (data.module) anim = new Anim(data.module);
		else await run(data);
	} catch (error) {
		postMessage({ id: data.id, failed: String(error?.message ?? error) });
	}
};
