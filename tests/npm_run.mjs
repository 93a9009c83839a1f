// npm_run.mjs PACKAGE: runs the programs of the npm package on the system's files, all in this process. Each line of standard
// input is JSON: the name of a result and a command line. The files NAME.out and NAME.err get the output and the messages.

import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const from = name => import(pathToFileURL(path.resolve(process.argv[2], name)));
const { Host } = await from('host.mjs');
const { BytesHandle, CollectingHandle } = await from('files.mjs');
const { NodeFiles } = await from('node_files.mjs');
const module = new WebAssembly.Module(fs.readFileSync(path.join(process.argv[2], 'anim.wasm')));

function run(name, argv) {
	const output = new CollectingHandle(), messages = new CollectingHandle();
	const streams = [new BytesHandle(new Uint8Array(0)), output, messages];
	const host = new Host({ files: new NodeFiles(), streams, environment: process.env, number: process.pid });

	host.start(new WebAssembly.Instance(module, host.imports()));
	const status = host.main(argv);
	fs.writeFileSync(`${name}.out`, output.take());
	fs.writeFileSync(`${name}.err`, messages.take());
	if (status !== 0)
		fs.appendFileSync(`${name}.err`, `status ${status}\n`);
}

for await (const line of readline.createInterface({ input: process.stdin }))
	run(...JSON.parse(line));
