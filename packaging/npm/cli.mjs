#!/usr/bin/env node
// cli.mjs: the commands anim and anim-tools.

import fs from 'node:fs';
import tty from 'node:tty';

import { Host } from './host.mjs';
import { NodeFiles, standardHandle } from './node_files.mjs';
import { argumentFromHost } from './paths.mjs';

const isWindows = process.platform === 'win32';

/** Variables of the system as the programs expect them. Windows has no TERM, but its terminals show colours. */
function environment() {
	if (!isWindows)
		return process.env;
	return { TERM: 'xterm', COLORTERM: 'truecolor', ...process.env, TMPDIR: process.env.TEMP ?? '.', PATH: '' };
}

function window({ fd }) {
	const [columns, rows] = new tty.WriteStream(fd).getWindowSize();

	return { columns, rows };
}

const host = new Host({
	files: new NodeFiles(), streams: [0, 1, 2].map(standardHandle), environment: environment(), number: process.pid, window,
});
const bytes = fs.readFileSync(new URL('anim.wasm', import.meta.url));
host.start(new WebAssembly.Instance(new WebAssembly.Module(bytes), host.imports()));
process.exit(host.main(['anim', ...process.argv.slice(2).map(argumentFromHost)]));
