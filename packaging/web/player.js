// player.js: the player: the page that anim plot makes, in a frame that can do nothing but show it, or characters with their skins.
import { asModel, hasSkeleton, isCapture, onlyClip, operand } from "./command.js";
import { clean } from "./inputs.js";
import { $, broken, glTF, line, make, messages, say } from "./page.js";

// A file plays without a click if it has at most this many bytes, and its clip this many seconds, summed over its tracks. The
// player gets all clips of a file up to that sum. It samples each track 60 times per second.
const SMALL_BYTES = 20e6, SMALL_S = 3000;
const seconds = clips => clips.reduce((sum, it) => sum + it.tracks * (it.end - it.start), 0);
export const isSmall = source => source.file.size <= SMALL_BYTES && seconds([source.clips[0]]) <= SMALL_S;

// Return whether a glTF or VRM file has a mesh. Only its JSON is read.
export async function hasMesh({ path, file }) {
	if (!/\.(glb|gltf|vrm)$/i.test(path)) return false;
	return glTF(file).then(it => it.json.meshes?.length > 0, () => false);
}

export class Player {
	#jobs;
	#sources;
	#opener = null; // the button that opened the player
	#scene = null; // the characters that are shown
	#why = ""; // a message: why the skin is not shown
	#last = null; // what play() showed last, without a character
	#shown = 0; // number of requests, so that a late answer does not replace a newer one

	// sources: the page's files by their paths.
	constructor(jobs, sources) {
		this.#jobs = jobs, this.#sources = sources;
		$("close").onclick = () => this.close();
		$("full").onclick = () => document.fullscreenElement ? document.exitFullscreen() : $("stage").requestFullscreen().catch(error => say(`No full screen: ${error.message}.`));
		$("full").hidden = !document.fullscreenEnabled;
	}

	// Play a file that the programs can open, or compare it with another one. title: the name for people. clip, clips: of the file, or
	// null. from: the button that was pressed, or null. against: the path of the result. files: more files for the programs. note: a
	// sentence about them.
	async play({ path, title = path, clip = null, clips = [], from = null, against = null, files = [], note = "", skin = true, why = "" }) {
		const shown = clip ? `${clip.name} of ${title}` : title, out = ".player.html", source = this.#sources.get(path);
		this.#begin(from);
		this.#why = why;
		const skeleton = () => this.play({ path, title, clip, clips, from: $("other-view"), against, files, note, skin: false });
		const character = () => this.#character([{ name: title, model: source, motion: clip && (() => this.#motion(path, [])) }], shown, clip?.name, from, skeleton);
		if (skin && !against && source?.mesh && await character()) return;
		if (!skin) this.#offer("Character", () => this.play({ path, title, clip, clips, from: $("other-view"), files, note }));
		const request = this.#shown;
		this.#last = { path, title, clip, clips, against, files, note, skin, why };
		try {
			// A picture of motion capture has the unit that the person has chosen.
			const unit = $("unit").value, inUnit = [];
			for (const it of unit ? [path, against].filter(it => it && isCapture(it)) : []) inUnit.push([it, await this.#motion(it, files, ["--unit", unit], ".motion.axs")]);
			const extra = [...against ? ["--against", operand(against)] : [], ...clip && seconds(clips) > SMALL_S ? onlyClip(clip, clips) : []];
			const { status, stderr, results: [made] } = await this.#jobs.run(`Playing ${shown}`, ["anim", "plot", ...extra, "-o", out, operand(path)], { files: [...files, ...inUnit], soon: true });
			if (request !== this.#shown) return;
			$("player-messages").replaceChildren(...[this.#why].filter(Boolean), ...note ? [line("note", `Note: ${note.trim()}`)] : [], ...messages(stderr.replace(/; set 'Samples per second' higher, to \d+/g, ""), status, [path])); // that field is not for the player
			this.#clear();
			if (status !== 0 || !made) return say(stderr);
			const frame = make("iframe", { title: `Player: ${shown}`, sandbox: "allow-scripts" });
			const url = URL.createObjectURL(new Blob([made.blob], { type: "text/html;charset=utf-8" }));
			frame.onload = () => { URL.revokeObjectURL(url), from && say(`The player shows ${shown}.`); };
			frame.src = url + (clip ? `#${new URLSearchParams({ clip: clip.name })}` : "");
			$("stage").append(frame);
		} catch (error) {
			if (request !== this.#shown) return;
			this.#clear();
			$("player-messages").replaceChildren(broken(error, path));
		}
	}

	// Show motion capture again, after its unit has changed.
	again() {
		if (this.#last && [this.#last.path, this.#last.against].some(it => it && isCapture(it))) this.play(this.#last);
	}

	// Put a result without a skeleton on the skeleton of its conversion: the same conversion to glTF has it. Return { blob, exact } or
	// null. exact: the motion is that of the file. Otherwise, as for a table, it is that of the glTF.
	async #onSkeleton(result, files) {
		if (result.model !== undefined) return result.model;
		const run = async (argv, more = []) => (await this.#jobs.run(`Playing ${result.name}`, ["anim", ...argv], { files: [...files, ...more], soon: true })).results.map(it => [it.name, it.blob]);
		const skeleton = await run(asModel(result.argv, ".model.glb").slice(1));
		if (!skeleton.length) return result.model = null;
		const clips = await run(["convert", "-q", "--axes", "gltf", operand(result.name), ".clips.axs"]);
		const posed = clips.length ? await run(["retarget", "-q", "--from", ".model.glb", "--to", ".model.glb", "-o", ".posed.axs", ".clips.axs"], [...skeleton, ...clips]) : [];
		const made = posed.length ? await run(["convert", "-q", ".posed.axs", ".posed.glb"], posed) : [];
		return result.model = made.length ? { blob: made[0][1], exact: true } : { blob: skeleton[0][1], exact: false };
	}

	// Play a result, or compare it with its source. A format without a skeleton is shown on the skeleton of its conversion.
	async playResult(result, together, from, compare, skin = true) {
		const files = together.map(it => [it.name, it.blob]), [source] = result.inputs, { name } = result;
		let note = "";
		this.#begin(from);
		if (skin && await this.#playOnMesh(result, files, from, compare, () => this.playResult(result, together, $("other-view"), compare, false))) return;
		if (!skin) this.#offer("Character", () => this.playResult(result, together, $("other-view"), compare));
		if (!hasSkeleton(name) && result.argv) {
			let model;
			try {
				model = await this.#onSkeleton(result, files);
			} catch (error) {
				return $("player-messages").replaceChildren(broken(error, result.name));
			}
			// It takes the place of the result: the programs look at the bytes, not at the suffix.
			if (model) files.push([name, model.blob]), note += `${result.name} has no skeleton. The player shows ${model.exact ? "it on the skeleton of the conversion" : "the same conversion as glTF"}.`;
			else if (compare) return $("player-messages").replaceChildren(line("error", `Error: ${result.name} has no skeleton, and the same conversion to glTF failed. It cannot be compared in space.`));
			else note += `${result.name} has no skeleton, so the player shows curves only.`;
		}
		if (compare) await this.play({ path: source, title: `${source} against ${result.name}`, from, against: name, files, note, why: this.#why });
		else await this.play({ path: name, title: result.name, from, files, note, why: this.#why });
		if (!skin) $("other-view").hidden = false;
	}

	// ---- Characters ----
	// Return a file as glTF, which moves a model, or in another format.
	async #motion(path, files, more = [], out = ".motion.glb") {
		const { results: [made], stderr } = await this.#jobs.run(`Playing ${path}`, ["anim", "convert", "-q", ...more, operand(path), out], { files, soon: true });
		if (!made) throw new Error(stderr.trim());
		return made.blob;
	}

	// Play a result on the mesh of its target or of its source, beside its source if it is compared. Return whether there is a mesh.
	async #playOnMesh(result, files, from, compare, skeleton) {
		const { argv, inputs, name } = result, value = option => argv.includes(option) ? argv[argv.indexOf(option) + 1].replace(/^\.\/(?=-)/, "") : undefined;
		const source = this.#sources.get(inputs[0]), target = this.#sources.get(value("--retarget"));
		const own = source?.mesh, model = [target ?? source].find(it => it?.mesh);
		if (inputs.length !== 1 || !model && !(compare && own)) return false;
		const motion = async () => {
			if (/\.glb$/i.test(name)) return result.blob;
			if (/\.vrma$/i.test(name) && model) return this.#motion(name, files, ["--retarget", operand(model.path)]);
			if (hasSkeleton(name)) return this.#motion(name, files);
			const made = await this.#onSkeleton(result, files);
			if (!made) throw new Error("the same conversion to glTF failed");
			return made.blob;
		};
		const unit = value("--unit"), sides = [{ name, model, motion }];
		if (compare) sides.unshift({ name: inputs[0], model: own ? source : null, motion: () => this.#motion(inputs[0], [], unit ? ["--unit", unit] : []) });
		return this.#character(sides, compare ? `${inputs[0]} against ${name}` : name, undefined, from, skeleton);
	}

	// Show sides { name, model: a source or null, motion: a function that returns a Blob, or null }. skeleton: shows the same without a
	// skin. Return whether the sides can be shown.
	async #character(sides, shown, clip, from, skeleton) {
		const request = this.#shown;
		try {
			const { show } = await import("./character.js");
			if (!show) return false;
			const loaded = await Promise.all(sides.map(async ({ name, model, motion }) => ({ name, model: model?.file ?? null, motion: motion ? await motion() : null, read: this.#reader(model?.path ?? "") })));
			if (request !== this.#shown) return true;
			this.#clear();
			const scene = await show($("stage"), { sides: loaded, clip, label: shown });
			if (request !== this.#shown) scene.close();
			else this.#scene = scene, this.#offer("Skeleton and curves", skeleton);
			if (from) say(`The player shows ${shown}.`);
			return true;
		} catch (error) {
			if (error.message === "cancelled") return $("player-messages").replaceChildren(broken(error, shown)), true;
			this.#why = line("note", `Note: the skin cannot be shown: ${error.message.split("\n")[0]}. The player shows the skeleton.`);
			return false;
		}
	}

	// A function that reads a file to which a model refers.
	#reader(path) {
		const folder = path.split("/").slice(0, -1);
		return name => {
			const parts = [...folder];
			for (const part of name.split("/")) part === ".." ? parts.pop() : parts.push(part);
			const found = this.#sources.get(clean(parts.join("/")));
			if (!found) throw new Error(`${name} is not among the files`);
			return found.file;
		};
	}

	#offer(text, onclick) {
		$("other-view").textContent = text, $("other-view").onclick = onclick, $("other-view").hidden = false;
	}

	#clear() {
		this.#scene?.close();
		this.#scene = null;
		$("stage").replaceChildren();
	}

	#begin(from) {
		this.#shown++, this.#last = null;
		$("other-view").hidden = true;
		if (from !== $("other-view")) this.#opener = from;
		$("player").hidden = false;
		if (from) $("player-title").focus(), $("player").scrollIntoView({ block: "start" });
		$("player-messages").replaceChildren(), this.#why = "";
	}

	close() {
		this.#shown++, this.#last = null;
		this.#clear();
		$("player").hidden = true;
		(this.#opener?.isConnected ? this.#opener : $("sources-title")).focus();
	}
}
