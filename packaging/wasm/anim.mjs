// anim.mjs: the programs of anim-tools as a module for browsers and Node.

import { Anim } from './open.mjs';

export { Anim, AnimError } from './open.mjs';

/** Compile the bytes of anim.wasm. */
export async function compile(bytes) {
	return new Anim(await WebAssembly.compile(bytes));
}

/** Return the bytes of anim.wasm, which is beside this file. */
async function ownBytes() {
	const place = new URL('anim.wasm', import.meta.url);

	if (place.protocol === 'file:' && typeof process === 'object') {
		const { readFile } = await import('node:fs/promises');

		return readFile(place);
	}
	const response = await fetch(place);
	if (!response.ok)
		throw new Error(`${place}: ${response.status} ${response.statusText}`);
	return response.arrayBuffer();
}

/** Load the programs from these bytes of anim.wasm, or from the file beside this module. */
export async function load(bytes) {
	return compile(bytes ?? await ownBytes());
}
