// worker.js: runs one program after the other, each in a new instance with its own file system. copy joins it with the modules
// that it imports.
import { Anim } from "./core.mjs";

const WINDOW = 1 << 20, SMALL = 1 << 16, EVERY_MS = 50;
const reader = new FileReaderSync();
let anim = null, shared = {};

// The bytes of a file, which are read when a program asks for them. It has the members of Uint8Array that core.mjs uses. A small
// file is kept for the next run, because each one may look at all .meta files of a project.
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
			try {
				this.#window = new Uint8Array(reader.readAsArrayBuffer(this.#blob.slice(from, end)));
			} catch (error) { // a browser does not read a file that has been written again since it was chosen
				throw new Error(error.name === "NotReadableError" || error.name === "NotFoundError" ? `changed ${this.#blob.name}` : error.message);
			}
		}
		return this.#window.subarray(from - this.#start, to - this.#start);
	}

	forget() {
		if (this.length > SMALL) this.#window = new Uint8Array(0);
	}
}

const lazy = files => Object.fromEntries(files.map(([name, blob]) => [name, new LazyBytes(blob)]));

// Return the product of two rotations, and a vector after a rotation.
const times = ([a, b, c, d], [x, y, z, w]) => [d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x, d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z];
const rotated = ([a, b, c, d], v) => times(times([a, b, c, d], [...v, 0]), [-a, -b, -c, d]).slice(0, 3);

// The nodes of a skeleton with their places in its rest pose, and the size of the box around them. Scales do not count.
function skeleton(nodes) {
	const places = [], rotations = [], least = [0, 0, 0], most = [0, 0, 0];
	nodes.forEach(({ parent, position, rotation }, n) => {
		const above = rotations[parent] ?? [0, 0, 0, 1];
		rotations[n] = times(above, rotation ?? [0, 0, 0, 1]);
		places[n] = rotated(above, position ?? [0, 0, 0]).map((v, i) => v + (places[parent]?.[i] ?? 0));
		places[n].forEach((v, i) => { least[i] = Math.min(least[i], v), most[i] = Math.max(most[i], v); });
	});
	return { size: Math.max(...most.map((v, i) => v - least[i])), nodes: nodes.map(({ path, parent, attributes }, n) => ({ path, parent, place: places[n], human: attributes["gltf.vrm"] })) };
}

// A short description of the clips: the document itself can be larger than the file.
function describe(stdout) {
	const { clips, trees, totals } = JSON.parse(new TextDecoder().decode(stdout));
	return {
		nodes: totals.nodes,
		muscles: totals.humanoid > 0,
		skeleton: skeleton(trees.at(-1)?.nodes ?? []),
		clips: clips.map(it => ({
			name: it.name, player: it.attributes.player ?? "", start: it.start, end: it.end, tracks: it.tracks.length,
			keys: it.tracks.reduce((sum, track) => sum + track.keys, 0),
		})),
	};
}

// Return a function that posts how much of the operands has been read, as a part of 1. bytes: their size.
function progress(id, operands, bytes) {
	const places = new Map();
	let last = performance.now();
	return (path, position) => {
		const name = path.replace(/^\.\//, ""), now = performance.now();
		if (!operands.includes(name)) return;
		places.set(name, Math.max(places.get(name) ?? 0, position));
		if (now - last < EVERY_MS) return;
		last = now;
		postMessage({ id, part: [...places.values()].reduce((sum, it) => sum + it, 0) / bytes });
	};
}

async function run({ id, argv, files: own, describes }) {
	const files = { ...shared, ...lazy(own) }, operands = argv.map(it => it.replace(/^\.\//, "")).filter(it => Object.hasOwn(files, it));
	const bytes = operands.reduce((sum, it) => sum + files[it].length, 0);
	const { status, stdout, stderr, files: made } = await anim.run(argv, { files, environment: { ANIM_FRONT: "page" }, onread: progress(id, operands, bytes) });
	for (const it of Object.values(files)) it.forget();
	const info = describes && status === 0 ? describe(stdout) : null;
	const printed = describes ? "" : new TextDecoder().decode(stdout.subarray(0, SMALL)); // a help text
	postMessage({ id, bytes, status, stderr, info, printed, results: Object.entries(made).map(([name, bytes]) => ({ name, blob: new Blob([bytes]) })) });
}

onmessage = async ({ data }) => {
	try {
		if (data.module) anim = new Anim(data.module);
		else if (data.shared) shared = lazy(data.shared);
		else await run(data);
	} catch (error) {
		postMessage({ id: data.id, failed: String(error?.message ?? error) });
	}
};
