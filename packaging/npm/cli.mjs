#!/usr/bin/env node
// cli.mjs: the commands anim and anim-tools.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import vm from 'node:vm';

import { Host } from './host.mjs';
import { NodeFiles, standardHandle } from './node_files.mjs';
import { argumentFromHost, toHost } from './paths.mjs';

const isWindows = process.platform === 'win32';

/** Variables of the system as the programs expect them. Windows has no TERM, but its terminals show colours. */
function environment() {
	if (!isWindows)
		return process.env;
	return { TERM: 'xterm', COLORTERM: 'truecolor', ...process.env, TMPDIR: process.env.TEMP ?? '.', PATH: '' };
}

/** Return the size of a terminal. */
function window({ fd }) {
	return fd === 2 ? process.stderr : process.stdout;
}

/** Run a program that is not part of the module, and return its status. */
function execute(path, argv) {
	const { spawnSync } = createRequire(import.meta.url)('node:child_process'); // it is rarely needed
	const result = spawnSync(toHost(path), argv.slice(1), { argv0: argv[0], stdio: 'inherit' });

	if (result.error !== undefined)
		throw result.error;
	return result.status ?? 128 + os.constants.signals[result.signal];
}

const files = new NodeFiles();
const host = new Host({
	files, streams: [0, 1, 2].map(standardHandle), environment: environment(), number: process.pid, window, execute,
});
const bytes = fs.readFileSync(new URL('anim.wasm', import.meta.url));
host.start(new WebAssembly.Instance(new WebAssembly.Module(bytes), host.imports()));
const run = () => host.main(['anim', ...process.argv.slice(2).map(argumentFromHost)]);
try {
	// A handler of the signal would run after the program only.
	process.exitCode = vm.runInNewContext('run()', { run }, { breakOnSigint: true });
} catch (error) {
	if (error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') {
		files.clear();
		process.kill(process.pid, 'SIGINT'); // so that the shell sees the signal
	}
	if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError))
		throw error;
	files.clear();
	console.error(`anim: the program crashed: ${error.message}`);
	process.exitCode = 134;
}
