// player.js: the player: the page that anim plot makes, in a frame that can do nothing but show it.
import { hasSkeleton, asModel, onlyClip, operand } from "./command.js";
import { $, broken, line, make, messages, say } from "./page.js";

// A file plays without a click if it has at most this many bytes, and its clip this many seconds, summed over its tracks. The
// player gets all clips of a file up to that sum. It samples each track 60 times per second.
const SMALL_BYTES = 20e6, SMALL_S = 3000;
const seconds = clips => clips.reduce((sum, it) => sum + it.tracks * (it.end - it.start), 0);
export const isSmall = source => source.file.size <= SMALL_BYTES && seconds([source.clips[0]]) <= SMALL_S;

export class Player {
	#jobs;
	#opener = null; // the button that opened the player

	constructor(jobs) {
		this.#jobs = jobs;
		$("close").onclick = () => this.close();
		$("full").onclick = () => document.fullscreenElement ? document.exitFullscreen() : $("stage").requestFullscreen().catch(error => say(`No full screen: ${error.message}.`));
		$("full").hidden = !document.fullscreenEnabled;
	}

	// Play a file that the programs can open, or compare it with another one. title: the name for people. clip, clips: of the file, or
	// null. from: the button that was pressed, or null. against: the path of the result. files: more files for the programs. note: a
	// sentence about them.
	async play({ path, title = path, clip = null, clips = [], from = null, against = null, files = [], note = "" }) {
		const shown = clip ? `${clip.name} of ${title}` : title, out = ".player.html";
		this.#begin(from);
		try {
			const extra = [...against ? ["--against", operand(against)] : [], ...clip && seconds(clips) > SMALL_S ? onlyClip(clip, clips) : []];
			const { status, stderr, results: [made] } = await this.#jobs.run(`Playing ${shown}`, ["anim", "plot", ...extra, "-o", out, operand(path)], { files, soon: true });
			$("player-messages").replaceChildren(...note ? [line("note", `Note: ${note}`)] : [], ...messages(stderr, status, [path]));
			$("stage").replaceChildren();
			if (status !== 0 || !made) return say(stderr);
			const frame = make("iframe", { title: `Player: ${shown}`, sandbox: "allow-scripts" });
			const url = URL.createObjectURL(new Blob([made.blob], { type: "text/html;charset=utf-8" }));
			frame.onload = () => { URL.revokeObjectURL(url), from && say(`The player shows ${shown}.`); };
			frame.src = url + (clip ? `#${new URLSearchParams({ clip: clip.name })}` : "");
			$("stage").append(frame);
		} catch (error) {
			$("stage").replaceChildren();
			$("player-messages").replaceChildren(broken(error, path));
		}
	}

	// Play a result, or compare it with its source. A format without a skeleton is shown as the same conversion to glTF.
	async playResult(result, together, from, compare) {
		const files = together.map(it => [it.name, it.blob]), [source] = result.inputs;
		let name = result.name, note = "";
		this.#begin(from);
		if (!hasSkeleton(name) && result.argv) {
			name = `${result.name.replace(/%/g, "_")}.glb`;
			try {
				result.model ??= (await this.#jobs.run(`Playing ${result.name}`, asModel(result.argv, name), { soon: true })).results[0]?.blob;
			} catch (error) {
				return $("player-messages").replaceChildren(broken(error, result.name));
			}
			if (result.model) files.push([name, result.model]), note = `${result.name} has no skeleton. The player shows the same conversion as glTF.`;
			else if (compare) return $("player-messages").replaceChildren(line("error", `Error: ${result.name} has no skeleton, and the same conversion to glTF failed. It cannot be compared in space.`));
			else name = result.name, note = `${result.name} has no skeleton, so the player shows curves only.`;
		}
		if (compare) await this.play({ path: source, title: `${source} against ${result.name}`, from, against: name, files, note });
		else await this.play({ path: name, title: result.name, from, files, note });
	}

	#begin(from) {
		this.#opener = from;
		$("player").hidden = false;
		if (from) $("player-title").focus(), $("player").scrollIntoView({ block: "start" });
		$("player-messages").replaceChildren();
	}

	close() {
		$("stage").replaceChildren();
		$("player").hidden = true;
		(this.#opener?.isConnected ? this.#opener : $("sources-title")).focus();
	}
}
