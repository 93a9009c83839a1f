// worker.js: runs one program after the other, each in a new instance with its own file system.
import { load } from "./anim.mjs";

let anim = null;

// A short description of the clips: the document itself can be larger than the file.
function describe(stdout) {
	const { clips, totals } = JSON.parse(new TextDecoder().decode(stdout));
	return {
		nodes: totals.nodes,
		clips: clips.map(it => ({
			name: it.name, player: it.attributes?.player ?? "", start: it.start, end: it.end, tracks: it.tracks.length,
			keys: it.tracks.reduce((sum, track) => sum + (track.keys ?? 0), 0),
		})),
	};
}

async function run({ id, argv, files, describes }) {
	const progress = (read, total) => postMessage({ id, read, total });
	const { status, stdout, stderr, files: made } = await anim.run(argv, { files, progress });
	const info = describes && status === 0 ? describe(stdout) : null;
	const results = Object.entries(made).map(([name, bytes]) => ({ name, bytes }));
	postMessage({ id, status, stderr, info, results }, [...new Set(results.map(it => it.bytes.buffer))]);
}

onmessage = async ({ data }) => {
	try {
		if (data.module) anim = await load(data.module);
		else await run(data);
		if (data.module) postMessage({ ready: true });
	} catch (error) {
		postMessage({ id: data.id, failed: String(error?.message ?? error) });
	}
};
