// app.js: the page. It keeps the files, asks the worker to run the programs, and shows what they print and write.
import { chosen, dropped, size } from "./inputs.js";
import { BoneMap, figure } from "./bones.js";
import { formats, hasSkeleton, holdsClips, isCapture, isUsed, MUSCLES, namesOf, operand, plan, presets, shell } from "./command.js";
import { Jobs } from "./jobs.js";
import { $, base, broken, button, count, download, line, make, messages, say } from "./page.js";
import { hasMesh, isSmall, Player } from "./player.js";
import { zip } from "./zip.js";

const sources = new Map(); // the files by their paths
let results = []; // { name, blob, inputs, argv }
let player;

// ---- Work: progress and cancel ----
let busy = false;
function watch({ label, part, soon, done, waiting }) {
	const starts = label !== null && !busy && !soon; // a search for bones must not replace "1 file is ready."
	busy = label !== null;
	$("work").hidden = !busy;
	if (!busy) return;
	const bar = $("progress"), whole = done + 1 + waiting;
	const writes = part >= 1 && whole === 1;
	$("label").textContent = `${label}${writes ? ", writing" : ""}${waiting ? `, ${waiting} to do` : ""}`;
	if (writes) bar.removeAttribute("value");
	else bar.value = (done + part) / whole;
	if (starts) say(label);
}

let jobs;
async function load(name) {
	const response = await fetch(name);
	if (!response.ok) throw new Error(`${name}: status ${response.status}`);
	return response;
}

// Not every web server knows the type of a .wasm file, so the bytes are compiled and not the response.
async function begin() {
	const [module, script] = await Promise.all([
		load("anim.wasm").then(it => it.arrayBuffer()).then(it => WebAssembly.compile(it)), load("worker.js").then(it => it.text())]);
	jobs = new Jobs(module, script, watch);
	player = new Player(jobs, sources);
	listen();
	$("broken").remove();
	$("drop").hidden = false;
	navigator.serviceWorker?.register("offline.js").catch(() => {}); // without it, the page needs its server
}

// The list of bones has a name for the programs, because --map reads a file. It has only the pairs that were changed: the programs find
// the others themselves, and say which of them they guess.
const LIST = "bones.csv";
const share = () => jobs.share([...[...sources.values()].map(it => [it.path, it.file]), ...bones?.csv() ? [[LIST, new Blob([bones.csv()])]] : []]);

// ---- The files ----
async function add(found) {
	if (!found.length) return say("There are no animation files.");
	const fresh = [];
	for (const it of found) {
		if (it.loose) it.path = await nameFor(it);
		remove(sources.get(it.path));
		const source = { ...it, clips: [], chosen: [], lacks: [], nodes: 0, row: make("li") };
		source.reads = holdsClips(it.path) ? it.loose || !/\.json$/i.test(it.path) : it.loose && !isUsed(it.path); // others, such as a .bin, are for files that refer to them
		sources.set(it.path, source);
		if (source.reads) fresh.push(source);
		if (it.loose && source.reads) showSource(source, [make("li", { className: "soft" }, "Reading ...")]);
	}
	// A file that lacked others, such as a .gltf without its .bin, is read again.
	const again = [...sources.values()].filter(it => it.reads && !fresh.includes(it) && (it.failed || it.lacks.length));
	fresh.push(...again);
	share(), showAll();
	say(`${count(found.length, "file")} added.`);
	await Promise.all(fresh.map(read));
	const body = lacksBody(sources.get($("retarget").value)), model = body && fresh.find(it => base(it.path) === body && it.nodes > 1);
	if (model) $("retarget").value = model.path, showOptions(); // the scene was chosen before the file with its skeleton came
	const ready = fresh.filter(it => it.clips.length);
	say(`${count(ready.reduce((sum, it) => sum + it.clips.length, 0), "clip")} in ${count(ready.length, "file")}.`);
	const first = ready.find(isSmall);
	if (first && $("player").hidden && sources.get(first.path) === first) player.play({ path: first.path, clip: first.clips[0], clips: first.clips });
}

// Two files of one name, from two folders, are both kept. A file that was written again replaces its old version.
async function nameFor({ path, file }) {
	const isOther = async before => before && !(before.size === file.size && before.lastModified === file.lastModified) &&
		await before.slice(0, 1).arrayBuffer().then(() => true, () => false);
	let name = path;
	for (let n = 2; await isOther(sources.get(name)?.file); n++) name = path.replace(/(?=\.[^./]*$)|$/, `-${n}`);
	return name;
}

// The names of the files that a message misses, or that Godot has not imported.
const lacking = stderr => [...stderr.matchAll(/'([^']+)'[^']*?(?:no such file|has not imported it)/g)].map(it => base(it[1]));

async function read(source) {
	try {
		const { status, stderr, info } = await jobs.run(`Reading ${base(source.path)}`, ["anim", "info", "--json", operand(source.path)], { describes: true });
		Object.assign(source, info ?? {}, { failed: status !== 0, lacks: lacking(stderr) });
		source.chosen = [...source.clips];
		if (source.clips.length) suggest(source.path);
		const lines = messages(stderr, status, [source.path]), isModel = status === 0 && !source.clips.length && source.nodes > 1;
		source.mesh = await hasMesh(source);
		const lost = source.lacks.length ? line("warning", `Warning: this file uses ${source.lacks.join(", ")}. Add ${source.lacks.length === 1 ? "that file" : "those files"}, or choose the whole folder.`) : null;
		showSource(source, !isModel ? lines : lost ? [lost] : [line("note", "No animation: it can be the skeleton of a conversion.")]);
	} catch (error) {
		source.failed = true;
		showSource(source, [broken(error, source.path)]);
	}
	showAll();
}

function remove(source) {
	if (!source) return;
	source.row.remove();
	sources.delete(source.path);
}

// A file of a folder has a card if it has clips. If it cannot be read, it is in a list below.
function showSource(source, lines) {
	if (sources.get(source.path) !== source) return;
	const { path, file, clips } = source;
	const about = clips.length ? `${count(clips.length, "clip")}, ${size(file.size)}` : size(file.size);
	const drop = button("Remove", path, () => {
		const next = source.row.nextElementSibling ?? source.row.previousElementSibling;
		remove(source), share(), showAll();
		(next?.querySelector("button") ?? $("choose-files")).focus();
		say(`${path} removed.`);
	});
	const unit = unitButton(source);
	source.row.className = "card";
	source.row.replaceChildren(make("div", { className: "head" }, make("h3", {}, path), make("span", { className: "soft" }, about), ...source.mesh && !clips.length ? [button("Show", path, event => player.play({ path, from: event.target }))] : [], drop),
		make("ul", { className: "messages" }, ...lines), ...unit ? [unit] : [], ...clips.length ? [clipTable(source)] : []);
	if (source.loose || clips.length) $("list").append(source.row);
	else if (source.failed) $("rest").append(source.row);
}

// Motion capture does not name its unit. Say how high the figure is, and offer the unit in which that is a human.
const units = [["cm", 0.01, "centimetres"], ["cmu", 0.0254 / 0.45, "Carnegie Mellon units"], ["in", 0.0254, "inches"], ["m", 1, "metres"]];
const unitOf = size => units.find(([, metres]) => size * metres > 1.1 && size * metres < 2.4);
function unitButton({ path, skeleton }) {
	if (!isCapture(path) || !(skeleton?.size > 0) || $("unit").value) return null;
	const found = unitOf(skeleton.size), high = `The figure is ${+skeleton.size.toPrecision(3)} units high, and the file does not name its unit.`;
	if (!found) return make("p", {}, `${high} In no usual unit is that a human.`);
	const it = make("p", {}, `${high} In ${found[2]}, it is ${(skeleton.size * found[1]).toFixed(2)} m high. `);
	it.append(button(`Read as ${found[2]}`, "", () => {
		$("unit").value = found[0], it.remove();
		showOptions(), player.again(), $("unit").focus(), say(`Files of motion capture are read as ${found[2]}.`);
	}));
	return it;
}

function clipTable(source) {
	const boxes = source.clips.map(clip => make("input", { type: "checkbox", checked: true, onchange: () => choose() }));
	const choose = () => {
		source.chosen = source.clips.filter((_, i) => boxes[i].checked);
		all.checked = source.chosen.length > 0, all.indeterminate = all.checked && source.chosen.length < boxes.length;
		showOptions();
	};
	const all = make("input", { type: "checkbox", checked: true, onchange: () => { boxes.forEach(it => it.checked = all.checked), choose(); } });
	const rows = source.clips.map((clip, i) => make("tr", {},
		make("td", {}, make("label", {}, boxes[i], " ", clip.name, clip.player && clip.player !== "AnimationPlayer" ? make("span", { className: "soft" }, ` (${clip.player})`) : "")),
		make("td", {}, `${+(clip.end - clip.start).toFixed(3)} s`), make("td", {}, clip.tracks), make("td", {}, clip.keys),
		make("td", {}, button("Play", clip.name, event => player.play({ path: source.path, clip, clips: source.clips, from: event.target })))));
	const head = ["Length", "Tracks", "Keys"].map(text => make("th", { scope: "col" }, text));
	const first = make("th", { scope: "col" }, boxes.length > 1 ? make("label", {}, all, " All clips") : "Clip");
	return make("div", { className: "scroll" }, make("table", {},
		make("thead", {}, make("tr", {}, first, ...head, make("th", { scope: "col" }, make("span", { className: "heard" }, "Play")))), make("tbody", {}, ...rows)));
}

function showAll() {
	const all = [...sources.values()], lost = all.filter(it => it.failed && !it.loose);
	const kept = all.filter(it => !it.loose && !it.clips.length && !it.failed);
	$("sources").hidden = !all.length;
	$("convert").hidden = !all.some(it => it.clips.length);
	$("others").hidden = !kept.length;
	$("others").textContent = `${count(kept.length, "more file has", "more files have")} no clips. Other files may refer to ${kept.length === 1 ? "it" : "them"}.`;
	$("unread").hidden = !lost.length;
	$("unread-title").textContent = `${count(lost.length, "file")} cannot be read`;
	const before = $("retarget").value, skeletons = all.filter(it => it.reads && it.nodes > 1);
	$("retarget").replaceChildren(new Option("keep the skeleton", ""), new Option("Unity's humanoid (muscles)", MUSCLES), ...skeletons.map(it => new Option(it.path, it.path)));
	$("retarget").value = before === MUSCLES || skeletons.some(it => it.path === before) ? before : "";
	document.body.classList.toggle("used", all.length > 0);
	showOptions();
}

// ---- The options and the command line ----
function options() {
	const value = id => $(id).value.trim();
	return { format: value("format"), write: value("write"), rate: value("rate"), part: value("part"), loop: value("loop"), reduce: value("reduce"), retarget: value("retarget"),
		unit: value("unit"), names: value("names"), map: bones?.csv() ? LIST : "", more: value("more"), inPlace: $("in-place").checked, mirror: $("mirror").checked,
		pin: $("pin").checked };
}

// Return whether the unit of a source does not matter: the skeleton of another file has a size of its own, and so has a height.
const isSized = argv => argv.includes("--retarget") || argv.includes("--height") || isCapture(argv.at(-1));

// Warn if a figure of motion capture is no human in the chosen unit.
function sizeWarning({ argv, inputs }) {
	const source = sources.get(inputs[0]), size = source?.skeleton?.size, unit = units.find(([id]) => id === $("unit").value);
	const high = size * (unit?.[1] ?? 1), found = unitOf(size);
	if (!isCapture(inputs[0]) || !(size > 0) || high > 0.5 && high < 3 || isSized(argv) || found === unit) return [];
	const advice = found ? `Choose ${found[2]} under "Unit of motion capture files", and convert again` : 'In no usual unit is that a human: type --height 1.7m under "More options"';
	return [line("warning", `Warning: the figure is ${+high.toPrecision(2)} m high${unit ? "" : ", because the file does not name its unit"}. ${advice}.`)];
}

// The file with the skeleton is not converted itself.
function planned() {
	const wanted = options();
	return plan([...sources.values()].filter(it => it.clips.length && it.path !== wanted.retarget), wanted, sources.keys());
}

// The model from which a scene has its skeleton, if that file is missing.
const lacksBody = source => source?.lacks.find(it => /\.(glb|gltf|vrm|fbx|blend|dae)$/i.test(it));

const isThere = name => [...sources.keys()].some(it => base(it) === name);

// What to know about the chosen skeleton: { note, warns }.
function aboutSkeleton(path, format, files) {
	const skeleton = sources.get(path), model = presets[$("preset").value]?.model;
	const lost = skeleton?.lacks ?? [], body = lacksBody(skeleton);
	if (path === MUSCLES) return { note: format.id === "anim" ? "" : "Only Unity's .anim files have muscles.", warns: format.id !== "anim" };
	if (body) return { note: `This scene has its skeleton from ${body}. ${isThere(body) ? "Choose" : "Add that file, and choose"} it here.`, warns: true };
	if (lost.length) return { note: `${lost.join(", ")} ${lost.length === 1 ? "is" : "are"} missing, so nodes may be, too. Add ${lost.length === 1 ? "it" : "them"}, or choose the whole folder.`, warns: true };
	if (skeleton) return { note: "This file is not converted itself.", warns: false };
	if (format.id !== "anim" && files.some(it => it.muscles)) return { note: "Unity's muscles move no nodes of their own. Add the file of a character (.glb, .vrm, .fbx, .tscn), and choose it here.", warns: true };
	if (format.id === "vrma" && files.length) return { note: "A VRM animation is for any VRM. If yours is chosen here, its proportions count.", warns: false };
	if (model && files.some(it => !it.path.endsWith(`.${format.id}`))) return { note: `The clips move nodes with the names and paths of the source. To play them on your ${model}, add its file (.glb, .vrm, .fbx, .tscn), and choose it here.`, warns: false };
	return { note: "", warns: false };
}

// Show what the options mean together: a skeleton has names of its own, and some formats need a rate.
function showOptions() {
	const format = formats.find(it => it.id === $("format").value);
	const skeleton = $("retarget").value, chosenFiles = [...sources.values()].filter(it => it.chosen.length && it.path !== skeleton);
	const { note, warns } = aboutSkeleton(skeleton, format, chosenFiles);
	$("retarget-note").textContent = note, $("retarget-note").className = warns ? "message warning" : "soft";
	$("names").disabled = !!skeleton;
	$("names-note").textContent = skeleton ? "The names of that skeleton." : namesOf(options()) && !$("names").value ? "VRM animations have VRM's names." : "";
	$("unit-field").hidden = !chosenFiles.some(it => isCapture(it.path));
	const rate = format.rate && chosenFiles.length && chosenFiles.every(it => isCapture(it.path)) ? "as in the source" : format.rate;
	$("rate").placeholder = rate ?? "keep the curves";
	$("rate-note").textContent = rate ? `The format stores frames. Default: ${rate}.` : "";
	$("write").options[2].disabled = !format.many || chosenFiles.length < 2;
	if ($("write").selectedOptions[0]?.disabled) $("write").value = "file";
	let list = [], why = chosenFiles.length ? "" : `Choose at least one clip${skeleton ? " of another file" : ""}.`;
	try {
		list = planned();
	} catch (error) {
		why = `More options: ${error.message}.`;
	}
	$("command").textContent = list.map(it => shell(it.argv)).join("\n");
	$("refused").textContent = why, $("refused").hidden = !why;
	$("start").disabled = $("copy").disabled = !list.length;
	showBones(chosenFiles[0]);
}

function choosePreset() {
	const preset = presets[$("preset").value], muscles = $("retarget").value === MUSCLES;
	if (!preset) return;
	$("format").value = preset.format, $("rate").value = "", $("names").value = preset.names ?? "";
	if (preset.retarget || muscles) $("retarget").value = preset.retarget ?? "";
	suggests = false;
	showOptions();
}

// ---- The bones of the source and the target ----
let bones = null, bonesOf = ""; // the table, and the paths of its two files
const figures = new Map(); // what the programs find in the files that are there: promises

function figureOf(source) {
	const before = figures.get(source.path);
	if (before?.file === source.file) return before.figure;
	const look = async () => {
		const nodes = source.skeleton?.nodes ?? [], run = (argv, files) => jobs.run(`Looking for bones in ${base(source.path)}`, argv, { files, soon: true, describes: argv[1] === "info" });
		let renamed = null;
		const { results: [plain] } = await run(["anim", "parse", "-q", "-o", ".plain.axs", operand(source.path)]);
		const { results: [named] } = plain ? await run(["anim", "rename", "-q", "--humanoid", "auto:unity", "-o", ".named.axs", ".plain.axs"], [[".plain.axs", plain.blob]]) : { results: [] };
		if (named) renamed = (await run(["anim", "info", "--json", ".named.axs"], [[".named.axs", named.blob]])).info?.skeleton.nodes.map(it => it.path);
		return figure(nodes, renamed?.length === nodes.length ? renamed : null);
	};
	const found = look();
	figures.set(source.path, { file: source.file, figure: found });
	return found;
}

// Show the table of a source and the chosen target, once the programs have looked for the bones.
async function showBones(source) {
	const path = $("retarget").value, target = sources.get(path), wanted = source && !lacksBody(target) && (target || path === MUSCLES && !source.muscles) && source.skeleton ? JSON.stringify([source.path, path]) : "";
	if (wanted === bonesOf) return;
	bones = null, bonesOf = wanted, $("bones").hidden = true;
	share();
	if (!wanted) return;
	try {
		const found = await Promise.all([source.muscles ? null : figureOf(source), target ? figureOf(target) : null]);
		if (bonesOf !== wanted) return;
		bones = new BoneMap(...found);
	} catch {
		return; // the conversion says what is wrong with the file
	}
	$("bones-from").textContent = source.muscles ? "Unity's muscles" : source.path, $("bones-to").textContent = target?.path ?? "Unity's muscles";
	showTable(), $("bones").hidden = false;
	$("bones").open = bones.rows.some(it => it.missing); // each needs a choice
}

function showTable() {
	const { rows, choices } = bones, lost = rows.filter(it => it.missing).length, twice = rows.filter(it => it.twice).length, crossed = rows.filter(it => it.crossed).length, pairs = rows.filter(it => it.source && it.target);
	$("bones-title").textContent = `Bones: ${count(pairs.length, "pair")}${lost ? `, ${lost} missing` : ""}${twice ? `, ${twice} with the same source` : ""}${crossed ? `, ${crossed} with the other side` : ""}${bones.csv() ? ", changed" : ""}`;
	$("bones-note").textContent = "Nodes that were found by their names are guesses. Nodes without a bone, which are not of a human, are paired by their names." +
		(lost && sources.get($("retarget").value)?.mesh ? ` To see which node is which, press "Show" at ${$("retarget").value}, and turn on "names" there.` : "");
	$("bones-reset").disabled = !bones.csv();
	$("bones-table").tBodies[0].replaceChildren(...rows.map(row => {
		const field = side => {
			if (!choices[side]) return side ? row.target : row.source;
			const it = make("select", { onchange: () => change(row.bone, selects.map((select, i) => select.value ?? [row.source, row.target][i]), side) },
				new Option("none", ""), ...choices[side].map(name => new Option(name, name)));
			it.value = [row.source, row.target][side];
			it.setAttribute("aria-label", `${row.text}, ${side ? "target" : "source"}`);
			return it;
		};
		const selects = [field(0), field(1)];
		return make("tr", { className: row.missing || row.twice || row.crossed ? "missing" : "" }, make("th", { scope: "row" }, row.text), ...selects.map(it => make("td", {}, it)), make("td", {}, row.state));
	}));
}

function change(bone, [source, target], side) {
	bones.set(bone, source, target);
	share(), showTable(), showOptions();
	[...$("bones-table").querySelectorAll("select")].find(it => it.getAttribute("aria-label") === `${bones.rows.find(it => it.bone === bone)?.text}, ${side ? "target" : "source"}`)?.focus();
}

async function loadBones(event) {
	const [file] = event.target.files;
	if (file && bones) say(`${count(bones.load(await file.text()), "pair")} read.`), share(), showTable(), showOptions();
	event.target.value = "";
}

// ---- Conversion ----
async function convert() {
	const list = planned();
	for (const it of results) URL.revokeObjectURL(it.url);
	results = [];
	$("made").replaceChildren(), $("save-all").hidden = true, $("results").hidden = false;
	const cards = list.map(() => make("li", { className: "card" }));
	$("made").append(...cards);
	const good = await Promise.all(list.map((job, i) => convertOne(job, cards[i])));
	$("save-all").hidden = results.length < 2;
	const bad = good.filter(it => !it).length;
	say(`${count(results.length, "file is", "files are")} ready.${bad ? ` ${count(bad, "conversion")} failed.` : ""}`);
	$("results-title").focus({ preventScroll: true });
	$("results").scrollIntoView({ block: "start" });
}

async function convertOne({ argv, inputs }, card) {
	const title = inputs.length > 1 ? count(inputs.length, "file") : inputs[0], skeleton = $("retarget").value;
	const show = (...rest) => card.replaceChildren(make("div", { className: "head" }, make("h3", {}, title)), ...rest);
	show(make("p", { className: "soft" }, "Waiting ..."));
	try {
		const { status, stderr, printed, results: made } = await jobs.run(`Converting ${base(title)}`, argv);
		const files = made.map(it => ({ ...it, inputs, argv }));
		files.forEach(it => it.url = URL.createObjectURL(it.blob));
		results.push(...files);
		const size = status === 0 ? sizeWarning({ argv, inputs }) : [], body = status !== 0 && lacksBody(sources.get(skeleton));
		const why = body ? [line("error", `Error: the skeleton is in ${body}. ${isThere(body) ? "Choose" : "Add"} that file, and convert again.`)] : [];
		show(make("ul", { className: "files" }, ...files.map(it => resultRow(it, files))),
			make("ul", { className: "messages" }, ...why, ...size, ...messages(size.length ? stderr.replace(/^.*: note: no unit of length.*\n/gm, "") : isSized(argv) ? stderr : stderr.replace(/: note: (?=no unit of length)/g, ": warning: "), status, inputs)),
			...printed ? [make("pre", { className: "printed", tabIndex: 0 }, printed)] : []);
		return status === 0;
	} catch (error) {
		show(make("ul", { className: "messages" }, broken(error, title)));
		return false;
	}
}

// A source without a skeleton, and above all muscles, cannot be drawn beside the character that it moves.
const canCompare = ({ inputs: [path], argv }) => !sources.get(path)?.muscles && (hasSkeleton(path) || !argv.includes("--retarget"));

function resultRow(it, together) {
	const save = make("a", { href: it.url, download: base(it.name), className: "button" }, "Download", make("span", { className: "heard" }, ` ${it.name}`));
	const actions = [save];
	if (holdsClips(it.name)) {
		actions.push(button("Play", it.name, event => player.playResult(it, together, event.target, false)));
		if (it.inputs.length === 1 && canCompare(it)) actions.push(button("Compare with the source", it.name, event => player.playResult(it, together, event.target, true)));
	}
	return make("li", {}, make("span", { className: "name" }, it.name), make("span", { className: "soft" }, size(it.blob.size)), make("span", { className: "buttons" }, ...actions));
}

async function saveAll() {
	try {
		download(await zip(results), "clips.zip");
	} catch (error) {
		say(`The zip file cannot be made: ${error.message}.`);
	}
}

// The first file suggests another format than its own, until the person chooses one.
let suggests = true;
function suggest(path) {
	if (suggests && /\.(glb|gltf|vrma)$/i.test(path)) $("format").value = "tres";
	suggests = false;
}

// ---- Events ----
async function example(...names) {
	const found = await Promise.all(names.map(async name => new File([await (await fetch(name)).blob()], name)));
	await add(chosen(found, isUsed));
}

// A walk, another character, and the options that put the one on the other.
async function exampleTwo() {
	await example("walker.tscn", "robot.glb");
	$("retarget").value = "robot.glb", $("format").value = "glb", $("preset").value = "";
	showOptions(), $("convert").scrollIntoView({ block: "start" }), $("convert-title").focus({ preventScroll: true });
}

// The help on results that look wrong has buttons that lead to fields. style.css hides those whose field is not there.
function leadToFields() {
	for (const it of document.querySelectorAll("#wrong [data-field]")) {
		const field = $(it.dataset.field);
		it.onclick = () => {
			const folded = field.closest("details");
			if (folded) folded.open = true;
			field.scrollIntoView({ block: "center" }), field.focus();
		};
	}
}

function listen() {
	leadToFields();
	const pick = event => { const { files } = event.target; add(chosen(files, isUsed)).then(() => event.target.value = ""); };
	$("choose-files").onclick = () => $("files").click();
	$("choose-folder").onclick = () => $("folder").click();
	$("files").onchange = $("folder").onchange = pick;
	$("example").onclick = () => example("walker.tscn");
	$("example-two").onclick = exampleTwo;
	$("clear").onclick = () => {
		[...sources.values()].forEach(remove);
		share(), showAll();
		$("choose-files").focus(), say("All files removed.");
	};
	$("preset").onchange = choosePreset, $("unit").onchange = () => player.again();
	$("bones-save").onclick = () => download(new Blob([bones.csv(true)], { type: "text/csv" }), LIST);
	$("bones-load").onclick = () => $("bones-file").click(), $("bones-file").onchange = loadBones;
	$("bones-reset").onclick = () => { bones.reset(), share(), showTable(), showOptions(), $("bones-title").focus(); };
	$("cancel").onclick = () => { jobs.cancel(), say("Cancelled."); };
	$("options").oninput = showOptions;
	$("format").onchange = () => { suggests = false, $("preset").value = ""; };
	$("options").addEventListener("invalid", () => { $("settings").open = true; }, true); // the browser shows why at the field
	$("options").onsubmit = event => { event.preventDefault(), convert(); };
	$("copy").onclick = async () => {
		try {
			await navigator.clipboard.writeText($("command").textContent);
			say("Copied.");
		} catch {
			getSelection().selectAllChildren($("command"));
			say("The command is selected. Copy it with the keyboard.");
		}
	};
	$("save-all").onclick = saveAll;
	const over = event => { event.preventDefault(), document.body.classList.toggle("over", event.type === "dragover"); };
	for (const type of ["dragover", "dragleave", "drop"]) addEventListener(type, over);
	addEventListener("drop", event => dropped(event.dataTransfer, isUsed).then(add, error => say(error.message)));
}

$("preset").replaceChildren(new Option("a format of your choice", ""), ...presets.map((it, n) => new Option(it.name, n)));
$("format").replaceChildren(...formats.map(it => new Option(it.name, it.id)));
showAll();
begin().catch(error => {
	$("broken").textContent = `The programs cannot be loaded: ${error.message}`;
});
