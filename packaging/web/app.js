// app.js: the page. It keeps the files, asks the worker to run the programs, and shows what they print and write.
import { chosen, dropped, size } from "./inputs.js";
import { formats, holdsClips, isCapture, isUsed, onlyClip, operand, plan, shell } from "./command.js";
import { Jobs } from "./jobs.js";
import { zip } from "./zip.js";

const $ = id => document.getElementById(id);
const make = (tag, more = {}, ...children) => {
	const it = Object.assign(document.createElement(tag), more);
	it.append(...children);
	return it;
};
const button = (text, about, onclick) => {
	const it = make("button", { type: "button", onclick }, text);
	if (about) it.append(make("span", { className: "heard" }, ` ${about}`));
	return it;
};
const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
const base = path => path.split("/").at(-1);
const say = text => { $("said").textContent = text; };

// A file plays without a click if it has at most this many bytes, and its clip this many seconds, summed over its tracks. The
// player gets all clips of a file up to that sum. It samples each track 60 times per second.
const SMALL_BYTES = 20e6, SMALL_S = 3000;
const seconds = clips => clips.reduce((sum, it) => sum + it.tracks * (it.end - it.start), 0);

const sources = new Map(); // the files by their paths
let results = []; // { name, blob, inputs }
let opener = null; // the button that opened the player

// ---- Messages: each line as the program printed it ----
function messages(text, status) {
	const lines = text.split("\n").filter(line => line.trim() !== "");
	return lines.map(line => {
		const kind = /: warning: /.test(line) ? "warning" : /: note: /.test(line) ? "note" : status ? "error" : "note";
		return make("li", { className: `message ${kind}` }, line);
	});
}

// A program that does not end well prints nothing itself.
function broken(error, path) {
	if (error.message === "cancelled") return make("li", { className: "message note" }, "Cancelled.");
	return make("li", { className: "message error" }, `The program stopped at ${path}: ${error.message}. The file may be too large for the browser's memory.`);
}

// ---- Work: progress and cancel ----
let busy = false;
function watch({ label, part, done, waiting }) {
	const starts = label !== null && !busy;
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
	listen();
	$("broken").remove();
	$("drop").hidden = false;
	navigator.serviceWorker?.register("offline.js").catch(() => {}); // without it, the page needs its server
}

const share = () => jobs.share([...sources.values()].map(it => [it.path, it.file]));

// ---- The files ----
async function add(found) {
	if (!found.length) return say("There are no animation files.");
	const fresh = [];
	for (const it of found) {
		remove(sources.get(it.path));
		const source = { ...it, clips: [], chosen: [], nodes: 0, row: make("li") };
		source.reads = it.loose || holdsClips(it.path) && !/\.json$/i.test(it.path);
		sources.set(it.path, source);
		if (source.reads) fresh.push(source);
		if (it.loose && source.reads) showSource(source, [make("li", { className: "soft" }, "Reading ...")]);
	}
	share(), showAll();
	say(`${count(found.length, "file")} added.`);
	await Promise.all(fresh.map(read));
	const ready = fresh.filter(it => it.clips.length);
	say(`${count(ready.reduce((sum, it) => sum + it.clips.length, 0), "clip")} in ${count(ready.length, "file")}.`);
	const first = ready.find(it => it.file.size <= SMALL_BYTES && seconds([it.clips[0]]) <= SMALL_S);
	if (first && $("player").hidden && sources.get(first.path) === first) play(first.path, first.path, first.clips[0]);
}

async function read(source) {
	try {
		const { status, stderr, info } = await jobs.run(`Reading ${base(source.path)}`, ["anim", "info", "--json", operand(source.path)], { describes: true });
		Object.assign(source, info ?? {}, { failed: status !== 0 });
		source.chosen = [...source.clips];
		if (source.clips.length) suggest(source.path);
		showSource(source, messages(stderr, status));
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
	source.row.className = "card";
	source.row.replaceChildren(make("div", { className: "head" }, make("h3", {}, path), make("span", { className: "soft" }, about), drop),
		make("ul", { className: "messages" }, ...lines), ...clips.length ? [clipTable(source)] : []);
	if (source.loose || clips.length) $("list").append(source.row);
	else if (source.failed) $("rest").append(source.row);
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
		make("td", {}, button("Play", clip.name, event => play(source.path, source.path, clip, event.target)))));
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
	$("retarget").replaceChildren(new Option("keep the skeleton", ""), ...skeletons.map(it => new Option(it.path, it.path)));
	$("retarget").value = skeletons.some(it => it.path === before) ? before : "";
	showOptions();
}

// ---- The options and the command line ----
function options() {
	const value = id => $(id).value.trim();
	return { format: value("format"), write: value("write"), rate: value("rate"), reduce: value("reduce"), retarget: value("retarget"),
		unit: value("unit"), more: value("more"), inPlace: $("in-place").checked, mirror: $("mirror").checked,
		pin: $("pin").checked };
}

// The file with the skeleton is not converted itself.
function planned() {
	const wanted = options();
	return plan([...sources.values()].filter(it => it.clips.length && it.path !== wanted.retarget), wanted, sources.keys());
}

function showOptions() {
	const format = formats.find(it => it.id === $("format").value);
	const skeleton = $("retarget").value, chosenFiles = [...sources.values()].filter(it => it.chosen.length && it.path !== skeleton);
	$("retarget-note").textContent = skeleton ? "This file is not converted itself." : "";
	$("unit-field").hidden = !chosenFiles.some(it => isCapture(it.path));
	$("rate").placeholder = format.rate ?? "keep the curves";
	$("rate-note").textContent = format.rate ? `The format stores frames. Default: ${format.rate}.` : "";
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
}

// ---- The player: the page that anim plot makes, in a frame that can do nothing but show it ----
async function play(path, title, clip, from = null, extra = [], more = []) {
	const shown = clip ? `${clip.name} of ${title}` : title, out = ".player.html", { clips = [] } = sources.get(path) ?? {};
	opener = from;
	$("player").hidden = false;
	if (from) $("player-title").focus();
	$("player-messages").replaceChildren();
	try {
		const { status, stderr, results: [made] } = await jobs.run(`Playing ${shown}`, ["anim", "plot", ...extra, ...clip && seconds(clips) > SMALL_S ? onlyClip(clip, clips) : [], "-o", out, operand(path)], { files: more, soon: true });
		$("player-messages").replaceChildren(...messages(stderr, status));
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

function closePlayer() {
	$("stage").replaceChildren();
	$("player").hidden = true;
	(opener?.isConnected ? opener : $("sources-title")).focus();
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
	$("results-title").scrollIntoView({ block: "nearest" });
}

async function convertOne({ argv, inputs }, card) {
	const title = inputs.length > 1 ? count(inputs.length, "file") : inputs[0];
	const show = (...rest) => card.replaceChildren(make("div", { className: "head" }, make("h3", {}, title)), ...rest);
	show(make("p", { className: "soft" }, "Waiting ..."));
	try {
		const { status, stderr, results: made } = await jobs.run(`Converting ${base(title)}`, argv);
		const files = made.map(it => ({ ...it, inputs }));
		files.forEach(it => it.url = URL.createObjectURL(it.blob));
		results.push(...files);
		show(make("ul", { className: "files" }, ...files.map(it => resultRow(it, files))), make("ul", { className: "messages" }, ...messages(stderr, status)));
		return status === 0;
	} catch (error) {
		show(make("ul", { className: "messages" }, broken(error, title)));
		return false;
	}
}

function resultRow(it, together) {
	const save = make("a", { href: it.url, download: base(it.name), className: "button" }, "Download", make("span", { className: "heard" }, ` ${it.name}`));
	const more = together.map(other => [other.name, other.blob]), actions = [save];
	if (holdsClips(it.name)) {
		actions.push(button("Play", it.name, event => play(it.name, it.name, null, event.target, [], more)));
		if (it.inputs.length === 1) actions.push(button("Compare with the source", it.name, event =>
			play(it.inputs[0], `${it.inputs[0]} against ${it.name}`, null, event.target, ["--against", operand(it.name)], more)));
	}
	return make("li", {}, make("span", { className: "name" }, it.name), make("span", { className: "soft" }, size(it.blob.size)), make("span", { className: "buttons" }, ...actions));
}

async function saveAll() {
	try {
		const url = URL.createObjectURL(await zip(results));
		make("a", { href: url, download: "clips.zip" }).click();
		setTimeout(() => URL.revokeObjectURL(url), 60000);
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
async function example() {
	const names = ["walker.tscn"];
	const found = await Promise.all(names.map(async name => new File([await (await fetch(name)).blob()], name)));
	await add(chosen(found, isUsed));
}

function listen() {
	const pick = event => { const { files } = event.target; add(chosen(files, isUsed)).then(() => event.target.value = ""); };
	$("choose-files").onclick = () => $("files").click();
	$("choose-folder").onclick = () => $("folder").click();
	$("files").onchange = $("folder").onchange = pick;
	$("example").onclick = example;
	$("clear").onclick = () => {
		[...sources.values()].forEach(remove);
		share(), showAll();
		$("choose-files").focus(), say("All files removed.");
	};
	$("close").onclick = closePlayer;
	$("cancel").onclick = () => { jobs.cancel(), say("Cancelled."); };
	$("options").oninput = showOptions;
	$("format").onchange = () => { suggests = false; };
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

$("format").replaceChildren(...formats.map(it => new Option(it.name, it.id)));
showAll();
begin().catch(error => {
	$("broken").textContent = `The programs cannot be loaded: ${error.message}`;
});
