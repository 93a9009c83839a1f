// core.mjs: programs on files in memory. It imports nothing from the system, so it runs in any worker.

import { BytesHandle, CollectingHandle, MemoryFiles } from './files.mjs';
import { Host } from './host.mjs';
import { AnimError, mainName, openFile } from './open.mjs';

export { AnimError } from './open.mjs';

const EMPTY = new Uint8Array(0), STATUS_CRASHED = 134;

/** The programs, compiled. Get one from load(). */
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
			if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError))
				throw error;
			messages.write(new TextEncoder().encode(`${argv[0]}: the program crashed: ${error.message}\n`));
			return { ...result(STATUS_CRASHED), files: {} };
		}
	}

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
	 * @param options.arguments options of anim-convert(1), for example ['-r', '30']
	 * @param options.onmessage is called with each warning and note
	 * @returns {name: bytes} of the written files
	 * @throws AnimError
	 */
	async convert(source, { to, name, arguments: more = [], onmessage } = {}) {
		if (typeof to !== 'string')
			throw new AnimError('the option to names the output, for example walk.glb', { code: 'call' });
		const isBytes = source instanceof Uint8Array, input = isBytes ? name ?? 'input' : mainName(source, name);
		const files = isBytes ? { [input]: source } : source;
		const folder = to.includes('/') ? [to.slice(0, to.lastIndexOf('/'))] : [];
		const result = await this.run(['anim', 'convert', '--force', ...more, '--', input, to], { files, folders: folder });
		const messages = result.stderr.split('\n').filter(line => line !== '');

		if (result.status !== 0)
			throw new AnimError(messages.find(line => !/: (warning|note): /.test(line)) ?? 'failed',
				{ code: result.status === 2 ? 'call' : 'input', status: result.status, messages });
		messages.forEach(message => onmessage?.(message));
		return result.files;
	}
}

/** Compile the bytes of anim.wasm. */
export async function compile(bytes) {
	return new Anim(await WebAssembly.compile(bytes));
}
