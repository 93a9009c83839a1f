// core.mjs: programs on files in memory. It imports nothing from the system, so it runs in any worker.

import { BytesHandle, CollectingHandle, MemoryFiles } from './files.mjs';
import { Host } from './host.mjs';

const EMPTY = new Uint8Array(0);

export const STATUS_CRASHED = 134;

/** Return whether an error ended the module itself, because its stack or memory is too small. */
export function isCrash(error) {
	return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/** The programs, compiled. */
export class Anim {
	constructor(module) {
		this.module = module;
	}

	/**
	 * Run a program in memory of its own.
	 *
	 * @param argv its command line, for example ['anim', 'convert', 'walk.tscn', 'walk.glb']
	 * @param options.files bytes by name. A name may have folders. The names are relative to the folder of the run.
	 * @param options.folders names of empty folders
	 * @param options.stdin bytes of standard input
	 * @param options.environment variables, for example {COLUMNS: '100'}
	 * @param options.onread is called with (name, position, size) as the program reads
	 * @returns {status, stdout, stderr, files}, with the files that the program wrote or changed
	 */
	async run(argv, options = {}) {
		const files = new MemoryFiles(), output = new CollectingHandle(), messages = new CollectingHandle();
		const { onread } = options;

		for (const folder of options.folders ?? [])
			files.makeFolders(folder);
		for (const [name, bytes] of Object.entries(options.files ?? {}))
			files.add(name, bytes);
		const host = new Host({
			files, streams: [new BytesHandle(options.stdin ?? EMPTY), output, messages], environment: options.environment,
			onread: onread && ((handle, position) => onread(handle.name, position, handle.size)),
		});
		const result = status => ({
			status, stdout: output.take(), stderr: new TextDecoder().decode(messages.take()), files: files.changed(),
		});

		host.start(await WebAssembly.instantiate(this.module, host.imports()));
		try {
			return result(host.main(argv));
		} catch (error) {
			if (!isCrash(error))
				throw error;
			messages.write(new TextEncoder().encode(`${argv[0]}: the program crashed: ${error.message}\n`));
			return { ...result(STATUS_CRASHED), files: {} };
		}
	}
}

/** Compile the bytes of anim.wasm. */
export async function compile(bytes) {
	return new Anim(await WebAssembly.compile(bytes));
}
