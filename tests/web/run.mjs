// run.mjs BROWSER PROGRAM FOLDER: checks of the page in FOLDER in a browser, for web.bats. PROGRAM is its executable. Prints a
// line "ok NAME", "skip NAME: reason" or "not ok NAME: reason" for each check. ANIM_WEB_MODULES has the npm packages, ANIM_WEB_ONLY is the name of one
// check. The native programs are in PATH.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { axe, memory, sleep, start } from "./browser.mjs";
import { serve } from "./server.mjs";

const [,, name, program, folder] = process.argv;
const root = fileURLToPath(new URL("../..", import.meta.url)), data = process.env.ANIM_DATA ?? join(root, "tests/data");
const scratch = mkdtempSync(join(tmpdir(), "web-"));
const walker = join(root, "examples/walker.tscn"), crane = join(root, "examples/crane.tscn"), arm = join(data, "bvh/arm.bvh");
const isChromium = name !== "firefox";
const { told } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(join(root, "packaging/web/messages.js"), "utf8"))}`);

// Run a shell command with copies of the files. Return the status, the messages and the files that it wrote.
function native(command, ...files) {
	const place = mkdtempSync(join(scratch, "native-"));
	for (const file of files) cpSync(file, join(place, file.split("/").at(-1)), { recursive: true });
	const before = new Set(readdirSync(place, { recursive: true }));
	const { status, stderr } = spawnSync("sh", ["-c", command], { cwd: place, encoding: "utf8", env: { ...process.env, ANIM_FRONT: "page" } });
	const made = readdirSync(place, { recursive: true }).filter(it => !before.has(it)).map(it => [it, readFileSync(join(place, it))]);
	return { status, messages: told(stderr, status, files.map(file => relative(dirname(file), file))).map(it => it.text), made: Object.fromEntries(made) };
}

// Messages in any order, without their first words: the page shows notes last, and a shell forgets which command failed.
const plain = lines => lines.map(it => it.replace(/^(Note|Warning|Error): /, "")).sort();

// A file with a name and a text.
function file(name, text) {
	const path = join(mkdtempSync(join(scratch, "file-")), name);
	writeFileSync(path, text);
	return path;
}

// A Godot library of about `size` bytes: one clip with many keys.
function large(size, name = "large.tscn") {
	const keys = Array.from({ length: Math.floor(size / 32 / 8) }, (_, i) => i), tracks = [];
	const number = (i, n) => ((i * 7919 + n * 104729) % 99991 / 99991 - 0.5).toFixed(6);
	for (let n = 0; n < 8; n++) {
		const values = keys.map(i => `${(i / 30).toFixed(4)},1,${number(i, n)},${number(i, n + 9)},${number(i, n + 5)}`).join(",");
		tracks.push(`tracks/${n}/type = "position_3d"\ntracks/${n}/imported = true\ntracks/${n}/path = NodePath("N${n}")\ntracks/${n}/interp = 1\ntracks/${n}/loop_wrap = true\ntracks/${n}/keys = PackedFloat32Array(${values})\n`);
	}
	const nodes = Array.from({ length: 8 }, (_, n) => `[node name="N${n}" type="Node3D" parent="."]\n`).join("\n");
	return file(name, `[gd_scene load_steps=3 format=3]\n\n[sub_resource type="Animation" id="a"]\nlength = ${keys.length / 30}\n${tracks.join("")}\n[sub_resource type="AnimationLibrary" id="l"]\n_data = {\n"clip": SubResource("a")\n}\n\n[node name="Root" type="Node3D"]\n\n${nodes}\n[node name="AnimationPlayer" type="AnimationPlayer" parent="."]\nlibraries = {\n"": SubResource("l")\n}\n`);
}

// Drag a file or folder over the page and drop it, as a person does with a mouse.
async function drag(page, path) {
	const session = await page.createCDPSession(), data = { items: [], files: [path], dragOperationsMask: 1 };
	for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
}

// In Firefox no folder can be dropped from outside, so the page gets an event with entries of the same kind.
function pretendDrop(files) {
	const entry = (path, level) => {
		const inside = files.filter(([name]) => name.startsWith(`${path}/`)), own = files.find(([name]) => name === path);
		const names = [...new Set(inside.map(([name]) => name.split("/").slice(0, level + 1).join("/")))], parts = [names.slice(0, 1), names.slice(1), []];
		return { isFile: !!own, isDirectory: !own, fullPath: `/${path}`, file: done => done(new File([own[1]], path.split("/").at(-1))),
			createReader: () => ({ readEntries: done => done(parts.length ? parts.shift().map(it => entry(it, level + 1)) : []) }) };
	};
	const item = { kind: "file", webkitGetAsEntry: () => entry(files[0][0].split("/")[0], 1) };
	dispatchEvent(Object.assign(new Event("drop", { cancelable: true }), { dataTransfer: { items: [item], files: [] } }));
}

// Whether the page has the libraries that show skins, and the browser WebGL. Returns the reason, or null.
async function noSkins(page) {
	if (!readFileSync(join(folder, "character.js"), "utf8").includes("WebGL")) return "three.js is not installed: packaging/web/modules";
	return await page.evaluate(() => document.createElement("canvas").getContext("webgl2") !== null) ? null : "this browser has no WebGL 2";
}

// Move the time of the characters, and return a picture of them.
async function pictureAt(page, time) {
	await page.$eval(".character input[type=range]", (bar, time) => {
		bar.value = time;
		bar.dispatchEvent(new Event("input", { bubbles: true }));
	}, time);
	await page.$eval("#player", it => it.scrollIntoView({ behavior: "instant" }));
	await sleep(400);
	return (await page.$(".character canvas")).screenshot();
}

const checks = {
	// ---- What the page shows ----
	async "loads without a complaint and asks its own files alone"(open) {
		const it = await open();
		assert.deepEqual(it.addresses.filter(address => !address.startsWith(it.address) && !address.startsWith("blob:")), []);
		assert.deepEqual(await it.page.$$eval("section:not([hidden]) h2", list => list.map(it => it.textContent)), ["Drop files or a folder here"]);
	},
	async "lists the clips of dropped files and plays the first one"(open) {
		const it = await open();
		await it.page.evaluate(files => {
			const transfer = new DataTransfer();
			for (const [name, text] of files) transfer.items.add(new File([text], name));
			for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
		}, [walker, crane].map(path => [path.split("/").at(-1), readFileSync(path, "utf8")]));
		await it.page.waitForSelector("iframe");
		await it.idle();
		const rows = await it.page.$$eval("#list tbody tr", list => list.map(row => [...row.cells].slice(0, 4).map(cell => cell.textContent.trim())));
		assert.deepEqual(rows, [["walk", "1.2 s", "17", "136"], ["lift", "2 s", "5", "13"]]);
		await it.page.$eval("#player", it => it.scrollIntoView()); // a frame that is out of sight does not play
		const frame = await (await it.page.$("iframe")).contentFrame();
		await frame.waitForFunction(() => document.getElementById("time")?.textContent.includes("frame"));
		const shown = () => frame.$eval("#time", it => it.textContent), before = await shown();
		await frame.waitForFunction(before => document.getElementById("time").textContent !== before, {}, before);
		assert.equal(await frame.$eval("#title", it => it.textContent), "walker.tscn");
		await it.page.$$eval("#list td button", list => list[1].click());
		await it.page.waitForSelector("iframe[title='Player: lift of crane.tscn']");
	},
	async "reads a dropped folder with the files that a scene refers to"(open) {
		const place = join(scratch, "project");
		mkdirSync(join(place, "rigs"), { recursive: true });
		writeFileSync(join(place, "project.godot"), "config_version=5\n");
		writeFileSync(join(place, "notes.txt.png"), "not used");
		cpSync(walker, join(place, "rigs/walker.tscn"));
		writeFileSync(join(place, "main.tscn"), '[gd_scene load_steps=2 format=3]\n\n[ext_resource type="PackedScene" path="res://rigs/walker.tscn" id="1"]\n\n[node name="Main" type="Node3D"]\n\n[node name="Hero" parent="." instance=ExtResource("1")]\n');
		const it = await open();
		if (isChromium) await drag(it.page, place);
		else await it.page.evaluate(pretendDrop, readdirSync(place, { recursive: true, withFileTypes: true }).filter(it => it.isFile()).map(it =>
			[relative(dirname(place), join(it.parentPath, it.name)), readFileSync(join(it.parentPath, it.name), "utf8")]));
		await it.page.waitForFunction(() => document.querySelectorAll("#list .card").length === 1);
		await it.idle();
		assert.equal(await it.text("#list h3"), "project/rigs/walker.tscn");
		assert.match(await it.text("#others"), /^2 more files have no clips/);
		await it.convert();
		const { made } = native(await it.text("#command"), place);
		assert.deepEqual((await it.save(".files a")).bytes, Object.values(made)[0]);
	},
	async "shows each message without the names of programs and files, beside its file"(open) {
		const it = await open();
		await it.add(crane, arm, join(root, "LICENSE"));
		assert.deepEqual(await it.messages("#list"), native("anim info --json LICENSE >/dev/null", join(root, "LICENSE")).messages);
		await it.set("format", "glb");
		await it.convert();
		const cards = await it.page.$$eval("#made .card", list => list.map(card => [card.querySelector("h3").textContent, [...card.querySelectorAll(".message")].map(it => it.textContent)]));
		const lines = (await it.text("#command")).split("\n");
		assert.equal(lines.length, 2);
		assert.deepEqual(cards.map(it => plain(it[1])), lines.map(line => plain(native(line, crane, arm).messages)));
		assert.ok(cards.every(it => it[1].every(text => /^(Note|Warning): /.test(text) && !/anim-|crane\.tscn: |arm\.bvh: /.test(text))), JSON.stringify(cards));
		assert.deepEqual(cards.map(it => it[0]), ["crane.tscn", "arm.bvh"]);
	},

	// ---- Conversion ----
	async "writes the bytes of the native programs, in each format"(open) {
		const it = await open(), ids = [];
		await it.add(walker, crane);
		for (const id of await it.page.$$eval("#format option", list => list.map(it => it.value))) {
			await it.set("format", id);
			await it.convert();
			const { made, messages, status } = native(`{ ${(await it.text("#command")).replaceAll("\n", " || f=1; } && { ")}; }`, walker, crane);
			const got = {};
			for (let n = 0; n < await it.page.$$eval(".files a", list => list.length); n++) {
				const { name, bytes } = await it.save(".files a", n);
				got[name] = bytes;
			}
			assert.deepEqual(Object.keys(got).sort(), Object.keys(made).sort(), `${id}: ${messages.join()}`);
			for (const [name, bytes] of Object.entries(got)) assert.ok(bytes.equals(made[name]), `${name} differs`);
			assert.deepEqual(plain(await it.messages("#made")), plain(messages), `${id} ${status}`);
			if (Object.keys(got).length === 2) ids.push(id);
		}
		assert.ok(ids.length >= 12, `only ${ids.join()}`);
	},
	async "writes the bytes of the native programs, for files by others"(open) {
		const corpus = process.env.ANIM_CORPUS ?? join(root, "../shared/corpus"), place = mkdtempSync(join(scratch, "corpus-"));
		if (!existsSync(corpus)) return "there is no ANIM_CORPUS";
		const all = readdirSync(corpus, { recursive: true }).filter(it => /\.(tscn|tres|res|scn|anim|glb|gltf|bvh|fbx|animj|animx)$/.test(it) && !/bad/.test(it)).sort();
		const step = Math.max(1, all.length / (process.env.ANIM_LONG ? 60 : 15)), files = [];
		for (let n = 0; n < all.length; n += step) files.push(join(place, `${files.length}-${all[Math.floor(n)].split("/").at(-1)}`)), cpSync(join(corpus, all[Math.floor(n)]), files.at(-1));
		const it = await open();
		await it.add(...files);
		let compared = 0;
		for (const id of ["glb", "anim", "tscn", "fbx", "bvh", "csv"]) {
			await it.set("format", id);
			await it.convert();
			const { bytes } = await it.save("#save-all"), inside = mkdtempSync(join(scratch, "zip-"));
			assert.equal(spawnSync("python3", ["-c", "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])", file("all.zip", bytes), inside]).status, 0);
			const { made } = native((await it.text("#command")).replaceAll("\n", "; "), ...files);
			assert.deepEqual(readdirSync(inside).sort(), Object.keys(made).sort(), id);
			for (const [name, wanted] of Object.entries(made)) assert.ok(readFileSync(join(inside, name)).equals(wanted), name), compared++;
		}
		assert.ok(compared > (process.env.ANIM_LONG ? 200 : 45), `only ${compared} files`);
		console.log(`# ${compared} files of ${files.length} by others`);
	},
	async "passes on the options, the clips and the skeleton"(open) {
		const it = await open(), two = file("two.axt", "");
		native("anim cat walker.tscn crane.tscn | anim emit axt", walker, crane);
		spawnSync("sh", ["-c", `anim cat '${walker}' '${crane}' | anim emit axt -o '${two}' --force`]);
		await it.add(two, arm);
		await it.set("format", "tres");
		await it.set("rate", "24");
		await it.set("reduce", "1mm@10cm");
		await it.set("unit", "cm");
		await it.set("more", "--speed '2' --loop wrap");
		await it.page.$$eval("#list tbody input", list => list[1].click());
		assert.deepEqual((await it.text("#command")).split("\n"), [
			"anim convert -r 24 --reduce 1mm@10cm --speed 2 --loop wrap -c walk two.axt two.tres",
			"anim convert -r 24 --unit cm --reduce 1mm@10cm --speed 2 --loop wrap arm.bvh arm.tres"]);
		await it.convert();
		const wanted = native(await it.text("#command"), two, arm).made;
		for (const n of [0, 1]) {
			const { name, bytes } = await it.save(".files a", n);
			assert.ok(bytes.equals(wanted[name]), name);
		}
		// A value that the browser refuses is shown, and not hidden in closed settings.
		await it.set("rate", "1e9");
		await it.page.$eval("#start", it => it.click());
		await it.page.waitForFunction(() => document.activeElement.id === "rate" && document.getElementById("settings").open);
		await it.set("rate", "24");
		await it.set("more", "--speed 'x");
		assert.match(await it.text("#refused"), /a quote is not closed/);
		await it.set("more", "");
		await it.set("write", "all");
		assert.match(await it.text("#command"), / two\.axt arm\.bvh clips\.tres$/);
		await it.set("retarget", "two.axt");
		assert.equal(await it.text("#command"), "anim convert -r 24 --unit cm --reduce 1mm@10cm --retarget two.axt arm.bvh arm.tres");
	},
	async "writes a file for each clip, and all files as a zip archive"(open) {
		const it = await open(), two = file("two.axt", "");
		spawnSync("sh", ["-c", `anim cat '${walker}' '${crane}' | anim emit axt -o '${two}' --force`]);
		await it.add(two);
		await it.set("format", "animj");
		assert.equal(await it.text("#command"), "anim convert two.axt two-%c.animj");
		await it.convert();
		const { bytes } = await it.save("#save-all"), archive = file("clips.zip", bytes), place = mkdtempSync(join(scratch, "zip-"));
		assert.equal(spawnSync("python3", ["-c", "import sys, zipfile; it = zipfile.ZipFile(sys.argv[1]); assert it.testzip() is None; it.extractall(sys.argv[2])", archive, place]).status, 0);
		const wanted = native(await it.text("#command"), two).made;
		assert.deepEqual(readdirSync(place).sort(), ["two-lift.animj", "two-walk.animj"]);
		for (const [name, bytes] of Object.entries(wanted)) assert.ok(bytes.equals(readFileSync(join(place, name))), name);
	},
	async "compares a result with its source"(open) {
		const it = await open();
		await it.add(walker);
		await it.convert();
		await it.page.$$eval(".files button", list => list.at(-1).click());
		await it.page.waitForSelector("iframe[title='Player: walker.tscn against walker.glb']");
		const frame = await (await it.page.$("iframe")).contentFrame();
		await frame.waitForFunction(() => document.getElementById("title")?.textContent === "walker.tscn against walker.glb");
	},

	async "plays a result without a skeleton on the skeleton of its conversion"(open) {
		const it = await open(), target = join(root, "tests/data/rests/b10_target.vrm");
		await it.add(walker, target);
		await it.set("retarget", "b10_target.vrm");
		await it.set("format", "tres");
		await it.convert();
		await it.page.$$eval(".files button", list => list.at(-1).click());
		await it.page.waitForSelector("iframe[title='Player: walker.tscn against walker.tres']");
		const frame = await (await it.page.$("iframe")).contentFrame();
		await frame.waitForFunction(() => document.getElementById("scale")?.textContent.startsWith("the skeletons differ"));
		assert.match((await it.messages("#player-messages")).join(), /walker\.tres has no skeleton\. The player shows it on the skeleton/);
		// Muscles have no skeleton of their own, so the result cannot be compared with them.
		const muscles = file("muscles.anim", "");
		spawnSync("anim", ["convert", "-q", "--force", "--muscles", walker, "-o", muscles]);
		await (await it.page.$("#files")).uploadFile(muscles);
		await it.page.waitForFunction(() => document.querySelectorAll("#list tbody tr").length === 2);
		await it.idle();
		await it.set("retarget", "walker.tscn");
		await it.page.$eval("#close", it => it.click());
		await it.convert();
		assert.deepEqual(await it.page.$$eval(".files button", list => list.map(button => button.textContent)), ["Play muscles.tres"]);
		await it.page.$$eval(".files button", list => list[0].click());
		await it.page.waitForSelector("iframe[title='Player: muscles.tres']");
		assert.match((await it.messages("#player-messages")).join(), /muscles\.tres has no skeleton/);
		await it.page.$$eval("#list .card", list => list.find(it => it.textContent.startsWith("muscles.anim")).querySelector("button").click());
		// What is shown is the file itself: the writer of a library keeps keys that the one of glTF removes.
		await it.set("retarget", "");
		await it.set("reduce", "2cm@10cm");
		for (const format of ["tres", "anim"]) {
			await it.set("format", format);
			await it.page.$eval("#close", it => it.click());
			await it.convert();
			await it.page.$$eval(".files button", list => list.at(-1).click());
			await it.page.waitForSelector(`iframe[title='Player: walker.tscn against walker.${format}']`);
			const inside = await (await it.page.$("iframe")).contentFrame();
			await inside.waitForFunction(() => document.getElementById("scale")?.textContent.includes("joint"));
			assert.match((await it.messages("#player-messages")).join(), /shows it on the skeleton/);
			const off = await inside.$eval("#scale", it => /, ([\d.]+) mm at/.exec(it.textContent)?.[1] ?? "0");
			assert.equal(native(`${await it.text("#command")} && anim diff --world --max ${Number(off) * 1.03 + 0.2}mm@10cm walker.tscn walker.${format}`, walker).status, 0, `${format}: ${off} mm`);
		}
	},
	async "shows a character with its skin, beside its source, and as a skeleton"(open) {
		const it = await open(), why = await noSkins(it.page);
		assert.deepEqual(it.addresses.filter(address => address.includes("character.js")), [], "loaded without a mesh");
		await it.add(walker, join(folder, "robot.glb"));
		if (why) return why;
		await it.page.$$eval("#list .head button", list => list.find(it => it.textContent.startsWith("Show")).click());
		await it.page.waitForSelector(".character canvas");
		await it.page.$$eval(".character label", list => list.find(it => it.textContent.trim() === "names").click());
		await it.page.waitForFunction(() => [...document.querySelectorAll(".labels span")].some(it => it.textContent === "pelvis" && it.getBoundingClientRect().width > 0));
		for (const [format, skeleton] of [["glb", "robot.glb"], ["tres", "robot.glb"], ["fbx", "robot.glb"]]) {
			await it.set("format", format), await it.set("retarget", skeleton);
			await it.page.$eval("#close", it => it.click());
			await it.convert();
			await it.page.$$eval(".files button", list => list[0].click());
			await it.page.waitForFunction(() => document.querySelector(".character .clock:not([hidden])")?.textContent.includes("1.20"));
			const pictures = [await pictureAt(it.page, 0), await pictureAt(it.page, 0.6), await pictureAt(it.page, 0)];
			assert.ok(!pictures[0].equals(pictures[1]) && pictures[0].equals(pictures[2]), `${format}: the picture does not follow the time`);
			assert.deepEqual(await it.messages("#player-messages"), []);
		}
		await it.page.$$eval(".files button", list => list.at(-1).click());
		await it.page.waitForFunction(() => document.querySelectorAll(".captions span").length === 2);
		assert.deepEqual(await it.page.$$eval(".captions span", list => list.map(it => it.textContent)), ["walker.tscn", "walker.fbx"]);
		for (const name of ["Front", "Left", "Back", "Top"]) await it.page.$$eval(".views button", (list, name) => list.find(it => it.textContent === name).click(), name);
		await it.page.$eval("#other-view", it => it.click());
		await it.page.waitForSelector("iframe");
		await it.idle();
		assert.equal(await it.text("#other-view"), "Character");
		await it.page.$eval("#other-view", it => it.click());
		await it.page.waitForSelector(".character canvas");
		await it.page.$eval("#close", it => it.click());
		assert.equal(await it.page.$$eval("#stage *", list => list.length), 0);
		return undefined;
	},
	async "plays a VRM animation as three-vrm does"(open, { browser }) {
		const modules = process.env.ANIM_WEB_MODULES, place = mkdtempSync(join(scratch, "vrm-")), it = await open();
		if (await noSkins(it.page)) return await noSkins(it.page);
		if (!existsSync(join(modules, "@pixiv/three-vrm-animation"))) return "npm's @pixiv/three-vrm-animation is not installed";
		const run = (...argv) => assert.equal(spawnSync(argv[0], argv.slice(1), { cwd: place, env: { ...process.env, NODE_PATH: modules } }).status, 0, argv.join(" "));
		run("node", join(root, "packaging/web/robot.mjs"), "robot.vrm");
		run("anim", "convert", "-q", "--retarget", "robot.vrm", walker, "walk.vrma");
		run("anim", "convert", "-q", "--retarget", "robot.vrm", "walk.vrma", "walk.glb");
		for (const script of ["character.js", "page.js", "messages.js"]) cpSync(join(folder, script), join(place, script));
		cpSync(join(root, "tests/web/vrm.js"), join(place, "vrm.js"));
		run(readdirSync(join(modules, "@esbuild")).map(name => join(modules, "@esbuild", name, "bin/esbuild"))[0], "vrm.js", "--bundle", "--format=esm", "--external:./character.js", "--outfile=test.js", "--log-level=error");
		writeFileSync(join(place, "index.html"), '<!DOCTYPE html><style>div, canvas { width: 500px; height: 500px }</style><div id="left"></div><div id="right"></div><script type="module" src="test.js"></script>');
		const server = await serve(place);
		for (const where of ["", "#software"]) {
			const page = await browser.newPage();
			await page.goto(server.address + where);
			await page.waitForFunction(() => globalThis.found, { timeout: 60000 });
			const { times, drawn, differ, moved } = await page.evaluate(() => globalThis.found);
			await page.close();
			console.log(`# VRMA on VRM${where}: ${differ} of ${drawn} pixels differ at the worst of ${times} times; ${moved} move`);
			assert.ok(drawn > 5000 && moved > drawn / 10 && differ < drawn / 200, `${where} ${differ} of ${drawn} pixels differ, ${moved} move`);
		}
		server.close();
		return undefined;
	},
	async "shows a skeleton where a skin cannot be shown"(open) {
		const it = await open(), bytes = readFileSync(join(folder, "robot.glb"));
		if (await noSkins(it.page)) return await noSkins(it.page);
		const size = bytes.readUInt32LE(12), text = bytes.subarray(20, 20 + size).toString(), broken = Buffer.from(bytes);
		broken.write(text.replace('"componentType":5126', '"componentType":9999'), 20); // of the positions
		await it.add(walker, file("broken.glb", broken));
		await it.set("retarget", "broken.glb");
		await it.set("format", "glb");
		await it.convert();
		await it.page.$$eval(".files button", list => list[0].click());
		await it.page.waitForSelector("iframe");
		assert.match((await it.messages("#player-messages")).join(), /the skin cannot be shown|^$/);
		it.problems.length = 0;
		// A vertex with a joint that the skin does not have.
		const odd = Buffer.from(bytes), json = JSON.parse(text), { byteOffset = 0 } = json.bufferViews[json.accessors[json.meshes[0].primitives[0].attributes.JOINTS_0].bufferView];
		odd.writeUInt16LE(999, 28 + size + byteOffset);
		await (await it.page.$("#files")).uploadFile(file("odd.glb", odd));
		await it.page.waitForFunction(() => [...document.querySelectorAll("#list .card")].some(it => it.textContent.startsWith("odd.glb") && it.textContent.includes("Show")));
		await it.page.$$eval("#list .card", list => [...list.find(it => it.textContent.startsWith("odd.glb")).querySelectorAll("button")].find(it => it.textContent.startsWith("Show")).click());
		await it.page.waitForFunction(() => document.querySelector("#other-view:not([hidden])"));
		assert.equal(await it.text("#other-view"), "Skeleton and curves");
		return undefined;
	},
	async "says what a browser without WebGL 2 lacks, and shows the skeleton"(open) {
		const it = await open();
		if (readFileSync(join(folder, "character.js"), "utf8").length < 1000) return "three.js is not installed: packaging/web/modules";
		await it.page.evaluate(() => { HTMLCanvasElement.prototype.getContext = () => null; });
		await it.add(walker, join(folder, "robot.glb"));
		await it.set("retarget", "robot.glb");
		await it.set("format", "glb");
		await it.convert();
		for (const button of [0, 1]) {
			await it.page.$eval("#close", it => it.click());
			await it.page.$$eval(".files button", (list, button) => list[button].click(), button);
			await it.page.waitForSelector("iframe");
			await it.idle();
			assert.match((await it.messages("#player-messages")).join("\n"), /Note: the skin cannot be shown: this browser has no WebGL 2\. Turn on hardware acceleration .*\. The player shows the skeleton\./);
		}
		return undefined;
	},
	async "sets the format, the names and the rate for a program"(open) {
		const it = await open();
		await it.add(walker);
		const wanted = { "VRM player (.vrma)": "--humanoid auto:vrm walker.tscn walker.vrma", "VRChat (humanoid .anim)": "--muscles walker.tscn walker.anim", "Resonite avatar (.animj)": "walker.tscn walker.animj",
			"Godot character (.tres)": "--humanoid auto:godot walker.tscn walker.tres", "Unity, generic (.anim)": "walker.tscn walker.anim", "Blender (.fbx)": "walker.tscn walker.fbx", "Motion capture (.bvh)": "-r 30 walker.tscn walker.bvh" };
		const names = await it.page.$$eval("#preset option", list => list.slice(1).map(it => it.textContent));
		assert.deepEqual(names, Object.keys(wanted));
		for (const [n, name] of names.entries()) {
			await it.set("preset", String(n));
			assert.equal(await it.text("#command"), `anim convert ${wanted[name]}`);
			await it.convert();
			assert.equal(await it.page.$$eval("#made .error", list => list.length), 0, name);
		}
		// The search for bones that a preset begins does not replace what the conversion says.
		await it.page.reload();
		await it.page.waitForSelector("#drop:not([hidden])");
		await it.add(walker);
		await it.page.evaluate(preset => {
			document.getElementById("preset").value = preset;
			document.getElementById("preset").dispatchEvent(new Event("change", { bubbles: true }));
			document.getElementById("start").click();
		}, String(names.indexOf("VRChat (humanoid .anim)")));
		await it.page.waitForSelector("#made .files");
		await it.idle();
		assert.equal(await it.text("#said"), "1 file is ready.");
		await it.set("format", "vrma");
		assert.equal(await it.page.$eval("#preset", it => it.value), "");
	},
	async "shows the bones of both skeletons, and passes on, saves and loads a list"(open) {
		const it = await open(), target = join(folder, "robot.glb");
		const bones = () => it.page.$$eval("#bones tbody tr", list => Object.fromEntries(list.map(row => [row.cells[0].textContent, [row.cells[1], row.cells[2]].map(cell => cell.querySelector("select")?.value ?? cell.textContent).concat(row.cells[3].textContent)])));
		await it.add(walker, target);
		await it.set("retarget", "robot.glb");
		await it.page.waitForSelector("#bones:not([hidden])");
		assert.match(await it.text("#bones-title"), /^Bones: \d+ pairs/);
		await it.page.$eval("#bones", it => { it.open = true; });
		const before = await bones();
		assert.deepEqual(before.Hips, ["Hips", "pelvis", "found by its name"]);
		assert.ok(!(await it.text("#command")).includes("--map"));
		await it.page.select("select[aria-label='Head, source']", "Neck");
		assert.equal((await bones())["Head"][0], "Neck");
		assert.equal((await bones())["Head"][2], "also used for Neck");
		assert.match(await it.text("#command"), /--retarget robot\.glb --map bones\.csv walker\.tscn/);
		const { bytes } = await it.save("#bones-save").catch(error => { throw error; });
		assert.match(bytes.toString(), /^from,to\n(.*\n)*Neck,.*\n/);
		const list = `from,to\nNeck,${before["Head"][1]}\n`;
		await it.convert();
		const wanted = native(`printf '${list.replaceAll("\n", "\\n")}' >bones.csv; ${await it.text("#command")}`, walker, target);
		const { name, bytes: made } = await it.save(".files a");
		assert.ok(made.equals(wanted.made[name]), `${name}: ${wanted.messages}`);
		await it.page.$eval("#bones-reset", it => it.click());
		assert.deepEqual(await bones(), before);
		await (await it.page.$("#bones-file")).uploadFile(file("list.csv", list));
		await it.page.waitForFunction(() => document.getElementById("command").textContent.includes("--map"));
		assert.equal((await bones())["Head"][0], "Neck");
		await it.set("retarget", "\0muscles");
		await it.page.waitForFunction(() => document.getElementById("bones-to").textContent === "Unity's muscles");
		assert.equal((await bones())["Left Upper Leg"][1], "LeftUpperLeg");
		await it.set("retarget", "robot.glb");
		await it.page.waitForFunction(() => document.getElementById("bones-to").textContent === "robot.glb");
		const [left, right] = ["Left Foot", "Right Foot"].map(bone => before[bone][1]);
		await it.page.select("select[aria-label='Left Foot, target']", right);
		assert.match((await bones())["Left Foot"][2], /^left and right are exchanged|^also/, `${left}, ${right}`);
	},
	async "goes to the results, and shows a help text"(open) {
		const it = await open();
		await it.add(walker);
		await it.page.setViewport({ width: 390, height: 844 });
		await it.convert();
		const { focus, top, start, high } = await it.page.evaluate(() => ({ focus: document.activeElement.id, top: document.getElementById("results-title").getBoundingClientRect().top,
			start: document.getElementById("start").getBoundingClientRect().bottom + scrollY, high: innerHeight }));
		assert.equal(focus, "results-title");
		assert.ok(top >= 0 && top < 200, `the results are at ${top}`);
		assert.ok(start <= 1.5 * high, `the button ends at ${start} of ${high}`);
		await it.set("more", "--help");
		await it.convert();
		assert.match(await it.text("#made .printed"), /usage: anim-convert/);
	},
	async "leads from what looks wrong to the fields that change it"(open) {
		const it = await open(), shown = () => it.page.$$eval("#wrong [data-field]", list => list.filter(it => it.getBoundingClientRect().height > 0).map(it => it.dataset.field));
		await it.add(walker);
		await it.page.$eval("#wrong", it => { it.open = true; });
		assert.deepEqual(await shown(), ["more", "preset", "more", "retarget", "pin", "loop"]);
		for (const field of await shown()) {
			await it.page.$eval(`#wrong [data-field=${field}]`, it => it.click());
			assert.equal(await it.page.evaluate(() => document.activeElement.id), field);
		}
		await it.page.$eval("#clear", it => it.click());
		await it.add(arm, join(folder, "robot.glb"));
		await it.set("retarget", "robot.glb");
		await it.page.waitForSelector("#bones:not([hidden])");
		assert.deepEqual(await shown(), ["unit", "more", "preset", "more", "retarget", "bones-title", "pin", "loop"]);
		await it.page.$eval("#wrong [data-field=bones-title]", it => it.click());
		assert.equal(await it.page.$eval("#bones", it => it.open), true);
	},
	async "says what a target lacks, and reads it again when that is there"(open) {
		const it = await open(), scene = file("hero.tscn", '[gd_scene load_steps=2 format=3]\n\n[ext_resource type="PackedScene" path="res://models/body.glb" id="1"]\n\n[node name="Hero" type="Node3D"]\n\n[node name="Mesh" type="Node3D" parent="."]\n\n[node name="Body" parent="." instance=ExtResource("1")]\n');
		await it.add(walker, scene);
		await it.set("retarget", "hero.tscn");
		assert.equal(await it.text("#retarget-note"), "This scene has its skeleton from body.glb. Add that file, and choose it here.");
		assert.deepEqual(await it.messages("#list"), ["Warning: this file uses body.glb. Add that file, or choose the whole folder."]);
		assert.equal(await it.page.$eval("#bones", it => it.hidden), true);
		await it.convert();
		assert.equal((await it.messages("#made"))[0], "Error: the skeleton is in body.glb. Add that file, and convert again.");
		await (await it.page.$("#files")).uploadFile(file("body.glb", readFileSync(join(folder, "robot.glb"))));
		await it.page.waitForFunction(() => document.getElementById("retarget").value === "body.glb");
		await it.page.waitForSelector("#bones:not([hidden])");
		await it.convert();
		assert.deepEqual(await it.page.$$eval("#made .error", list => list.length), 0);
		const { made } = native("anim convert -q --bin walker.tscn body.gltf", walker);
		const [model, numbers] = ["body.gltf", "body.bin"].map(name => file(name, made[name]));
		await it.page.$eval("#clear", it => it.click());
		await it.add(model);
		assert.match((await it.messages("#list")).join(), /^Error: .*body\.bin/);
		await (await it.page.$("#files")).uploadFile(numbers);
		await it.page.waitForFunction(() => document.querySelector("#list td"));
		assert.deepEqual(await it.messages("#list"), []);
	},
	async "says how high motion capture is, and offers its unit"(open) {
		const it = await open(), text = readFileSync(arm, "utf8");
		await it.add(file("tall.bvh", text.replace(/OFFSET\s+\S+\s+\S+\s+\S+/g, (() => { let n = 0; return () => `OFFSET 0 ${n++ ? 60 : 0} 0`; })())));
		assert.match(await it.text("#list .card p"), /^The figure is \d+ units high.*In centimetres, it is \d\.\d+ m high\. Read as centimetres$/);
		await it.convert();
		assert.match((await it.messages("#made"))[0], /^Warning: the figure is \d+ m high, because the file does not name its unit\. Choose centimetres/);
		assert.deepEqual((await it.messages("#made")).filter(it => it.includes("no unit of length")), []);
		await it.set("unit", "in");
		await it.convert();
		assert.match((await it.messages("#made"))[0], /^Warning: the figure is [\d.]+ m high\. Choose centimetres/);
		await it.set("unit", "");
		await it.page.$eval("#list .card p button", it => it.click());
		assert.match(await it.text("#command"), /--unit cm tall\.bvh/);
		let told = ""; // by the player, which comes again
		for (let n = 0; n < 100 && !/grid of 0\.\d+ m/.test(told); n++) {
			await sleep(100);
			told = await it.page.$("iframe").then(it => it.contentFrame()).then(it => it.$eval("#told", it => it.textContent)).catch(() => "");
		}
		assert.match(told, /grid of 0\.\d+ m/);
	},

	// ---- Bad input ----
	async "keeps two files of one name, and asks again for a file that changed"(open) {
		const it = await open(), [a, b] = [1, 2].map(n => file("x.tscn", readFileSync(walker, "utf8") + " ".repeat(n)));
		await it.add(a);
		await (await it.page.$("#files")).uploadFile(b);
		await it.page.waitForFunction(() => document.querySelectorAll("#list .card").length === 2);
		await it.idle();
		assert.deepEqual(await it.page.$$eval("#list h3", list => list.map(it => it.textContent)), ["x.tscn", "x-2.tscn"]);
		if (!isChromium) return undefined; // Firefox reads what is there
		const big = large(3e6, "big.tscn");
		await (await it.page.$("#files")).uploadFile(big);
		await it.page.waitForFunction(() => document.querySelectorAll("#list tbody tr").length === 3);
		await sleep(1200); // the time of a change has a resolution of a second
		writeFileSync(big, readFileSync(big, "utf8") + "\n");
		await it.convert();
		assert.match((await it.messages("#made")).join("\n"), /Error: big\.tscn changed on disk after it was chosen\. Choose it again/);
		await (await it.page.$("#files")).uploadFile(big);
		await it.page.waitForFunction(() => document.getElementById("said").textContent.startsWith("1 clip in 1 file"));
		assert.equal(await it.page.$$eval("#list .card", list => list.length), 3);
		await it.convert();
		assert.equal(await it.page.$$eval("#made .error", list => list.length), 0);
		return undefined;
	},
	async "refuses damaged files with the message of the program, and goes on"(open) {
		const it = await open(), cases = readdirSync(join(root, "tests/errors")).filter(it => /^(animj|bvh|gltf|godot|unity|animx)-/.test(it)), paths = [];
		for (const [n, area] of cases.entries()) {
			const input = readdirSync(join(root, "tests/errors", area)).find(it => it.startsWith("input"));
			// A track may have fewer keys there, so that this file has too many before it has too many zeros.
			if (n % 12 || !input || area === "gltf-zeros-too-many") continue;
			paths.push(join(mkdtempSync(join(scratch, "bad-")), `${n}-${input}`));
			cpSync(join(root, "tests/errors", area, input), paths.at(-1));
		}
		assert.ok(paths.length > 15);
		await it.add(...paths, walker);
		const cards = await it.page.$$eval("#list .card", list => list.map(card => [card.querySelector("h3").textContent, [...card.querySelectorAll(".message")].map(it => it.textContent)]));
		assert.equal(cards.length, paths.length + 1);
		for (const path of paths) {
			const name = path.split("/").at(-1);
			// Only the largest number of keys is smaller, because it depends on the size of an address.
			const same = lines => plain(lines).map(it => it.replace(/at most \d{8,} are allowed/, "at most N are allowed"));
			assert.deepEqual(same(cards.find(it => it[0] === name)[1]), same(native(`anim info --json '${name}' >/dev/null`, path).messages), name);
		}
		await it.convert();
		assert.match(await it.text("#made"), /walker\.glb/);
	},
	async "shows hostile names as text and never as options or tags"(open) {
		const it = await open(), text = readFileSync(walker, "utf8");
		const names = ["<img src=x onerror=alert(1)>.tscn", "-o x.tscn", "$(touch x)'\"`%c.tscn", "\u202eevil\n.tscn"];
		await it.add(...names.map(name => file(name, text)));
		assert.deepEqual(await it.page.$$eval("#list h3", list => list.map(it => it.textContent)), names);
		await it.convert();
		assert.equal(await it.page.$$eval("#made .message.error", list => list.length), 0);
		assert.equal(await it.page.$$eval("img, script:not([src])", list => list.length), 0);
		const command = await it.text("#command"), place = mkdtempSync(join(scratch, "names-"));
		for (const name of names) writeFileSync(join(place, name), text);
		assert.equal(spawnSync("sh", ["-c", command], { cwd: place }).status, 0);
		const wanted = readdirSync(place).filter(it => it.endsWith(".glb")).sort();
		assert.deepEqual(await it.page.$$eval(".files .name", list => list.map(it => it.textContent.replace(/^\.\//, "")).sort()), wanted);
	},
	async "sends nothing: its policy refuses other addresses, and code in a text"(open, { other }) {
		const it = await open();
		await it.add(walker);
		await it.page.waitForSelector("iframe");
		const attempt = address => fetch(address).then(() => "sent", () => "refused");
		assert.equal(await it.page.evaluate(attempt, other.address), "refused");
		assert.equal(await (await (await it.page.$("iframe")).contentFrame()).evaluate(attempt, other.address), "refused");
		if (isChromium) for (const worker of it.page.workers()) assert.equal(await worker.evaluate(attempt, other.address), "refused");
		if (isChromium) assert.ok(it.page.workers().length >= 1);
		assert.equal(await it.page.evaluate(() => {
			document.body.append(Object.assign(document.createElement("script"), { textContent: "document.title = 'run'" }));
			document.body.insertAdjacentHTML("beforeend", "<img src='x.png' onerror='document.title = `run`'>");
			return document.title;
		}), "Try anim-tools in your browser");
		await sleep(200);
		assert.notEqual(await it.page.title(), "run");
		assert.deepEqual(other.asked, []);
		it.problems.length = 0; // each refusal is a line in the console
	},

	// ---- Large files ----
	async "stays responsive while a large file is converted, with progress, and cancels"(open) {
		const it = await open(), path = large(24e6);
		await it.add(path);
		await it.page.evaluate(() => {
			globalThis.seen = { gap: 0, values: new Set(), last: performance.now() };
			setInterval(() => {
				const now = performance.now(), bar = document.getElementById("progress");
				seen.gap = Math.max(seen.gap, now - seen.last), seen.last = now;
				if (!document.getElementById("work").hidden) seen.values.add(bar.hasAttribute("value") ? bar.value : "moving");
			}, 10);
		});
		await it.set("format", "glb");
		await it.convert();
		const { gap, values } = await it.page.evaluate(() => ({ gap: seen.gap, values: [...seen.values] }));
		assert.ok(gap < 400, `the page did nothing for ${gap} ms`);
		const numbers = values.filter(it => it !== "moving");
		assert.ok(numbers.length >= 3 && numbers[0] < 0.3 && numbers.every((it, n) => n === 0 || it > numbers[n - 1]), `progress: ${values.join()}`);
		const { made } = native(await it.text("#command"), path);
		assert.ok((await it.save(".files a")).bytes.equals(made["large.glb"]));
		await it.page.$eval("#start", it => it.click());
		await it.page.waitForFunction(() => document.getElementById("progress").value > 0.1, { polling: 20 });
		await it.page.$eval("#cancel", it => it.click());
		assert.deepEqual(await it.messages("#made"), ["Cancelled."]);
		assert.equal(await it.page.$eval("#work", it => it.hidden), true);
		await it.convert();
		assert.match(await it.text("#made"), /large\.glb/);
	},
	async "needs no more memory after 50 conversions than after 5"(open, { browser }) {
		const it = await open(), path = large(2e6, "some.tscn"), used = [];
		await it.add(path);
		await it.page.$eval("#close", it => it.click());
		const least = async () => {
			let least = Infinity;
			// Chromium keeps results that the page has dropped until it collects garbage, which it does every minute or so.
			if (isChromium) await (await it.page.createCDPSession()).send("HeapProfiler.collectGarbage");
			for (let n = 0; n < 12; n++) {
				await sleep(250);
				least = Math.min(least, memory(browser));
			}
			return least;
		};
		for (let n = 1; n <= 50; n++) {
			await it.convert();
			if (n === 5 || n === 50) used.push(await least());
		}
		assert.ok(used[1] <= used[0] * 1.05, `${used[0].toFixed(0)} MB, then ${used[1].toFixed(0)} MB`);
	},
	async "works without its server, after a cancellation and when it is loaded again"(open, { server }) {
		const it = await open();
		await it.page.waitForFunction(() => navigator.serviceWorker.ready.then(() => true));
		await it.page.reload();
		await it.page.waitForFunction(() => navigator.serviceWorker.controller !== null && !document.getElementById("drop").hidden);
		await sleep(500); // for what is still on its way into the cache
		server.close();
		await it.page.reload();
		await it.page.waitForSelector("#drop:not([hidden])");
		await it.page.click("#example");
		await it.page.waitForSelector("iframe");
		await it.idle();
		await it.page.evaluate(() => { document.getElementById("start").click(), document.getElementById("cancel").click(); });
		await it.page.waitForSelector("#made .message");
		assert.deepEqual(await it.messages("#made"), ["Cancelled."]);
		await it.convert();
		assert.match(await it.text("#made"), /walker\.glb/);
	},

	// ---- Access ----
	async "can be used with the keyboard alone"(open) {
		const it = await open(), reached = new Set(), press = key => it.page.keyboard.press(key);
		const focus = () => it.page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
		const go = async wanted => {
			for (let n = 0; n < 60; n++) {
				if (await focus() === wanted) return;
				await press("Tab");
				reached.add(await focus());
			}
			throw new Error(`${wanted} cannot be reached: ${[...reached].join()}`);
		};
		await go("example");
		await press("Enter");
		await it.page.waitForSelector("iframe");
		await it.idle();
		await go("Play walk");
		await press("Enter");
		await it.page.waitForFunction(() => document.activeElement.id === "player-title");
		await go("close");
		await press("Enter");
		assert.equal(await focus(), "Play walk");
		await go("format");
		await press("ArrowDown");
		await go("More settings");
		await press("Enter");
		await go("copy"); // then back: a walk past the end leaves the page for the browser's own buttons
		await it.page.keyboard.down("Shift");
		for (const id of ["command", "start"]) {
			await press("Tab");
			assert.equal(await focus(), id);
		}
		await it.page.keyboard.up("Shift");
		await press("Enter");
		await it.page.waitForFunction(() => /1 file is ready/.test(document.getElementById("said").textContent));
		await go("Download walker.gltf");
		for (const id of ["preset", "rate", "reduce", "names", "retarget", "more", "in-place", "mirror", "pin", "write"]) assert.ok(reached.has(id), id);
	},
	async "has no violation that axe finds, light, dark and narrow"(open) {
		const it = await open();
		const look = async title => {
			await it.page.evaluate(axe);
			const found = await it.page.evaluate(() => globalThis.axe.run({ iframes: false }).then(({ violations }) => violations.map(it => `${it.id}: ${it.nodes[0].target}`)));
			assert.deepEqual(found, [], title);
		};
		for (const [scheme, width] of [["light", 1000], ["dark", 1000], ["dark", 360], ["light", 360]]) {
			await it.page.setViewport({ width, height: 800 });
			if (isChromium) await it.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
			await look(`${scheme} ${width}`);
			if (await it.page.$eval("#sources", it => it.hidden)) {
				await it.add(walker, crane, join(root, "LICENSE"));
				await it.set("retarget", "walker.tscn");
				await it.page.waitForSelector("#bones:not([hidden])");
				await it.page.$$eval("#convert details, #wrong", list => list.forEach(it => { it.open = true; }));
				await it.convert();
				await look(`${scheme} ${width} with results`);
				if (!await noSkins(it.page)) {
					await (await it.page.$("#files")).uploadFile(join(folder, "robot.glb"));
					await it.page.waitForFunction(() => [...document.querySelectorAll("#list button")].some(it => it.textContent.startsWith("Show")));
					await it.page.$$eval("#list button", list => list.find(it => it.textContent.startsWith("Show")).click());
					await it.page.waitForSelector(".character canvas");
					await look(`${scheme} ${width} with a character`);
				}
			}
			assert.ok(await it.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width}`);
		}
	},
};

// All checks share a browser, and none an address: each has a server, a page and its own storage. What is measured as memory has a
// browser of its own, and so has what follows a failure.
const other = await serve(scratch);
let started = null;
const close = async () => {
	await started?.close().catch(() => {});
	started = null;
};
// Run a check, and say how it ended. A browser on a busy machine can lose a click or a download, so a check that fails has a second try
// with a new browser. What failed first is then a line of its own.
async function run(title, check, isLast) {
	const server = await serve(folder), opened = [], begun = Date.now();
	try {
		started ??= await start(name, program);
		const skipped = await check(async () => {
			opened.push(await started.open(server.address));
			return { ...opened.at(-1), address: server.address };
		}, { browser: started.browser, server, other });
		const problems = opened.flatMap(it => it.problems);
		assert.deepEqual(problems, []);
		for (const { page } of opened) await page.close();
		console.log(skipped ? `skip ${title}: ${skipped}` : `ok ${title} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
		return true;
	} catch (error) {
		console.log(`${isLast ? "not ok" : "# second try:"} ${title}: ${error.stack.replaceAll("\n", "\n# ")}`);
		await close();
		return false;
	} finally {
		server.close();
	}
}

for (const [title, check] of Object.entries(checks)) {
	if (process.env.ANIM_WEB_ONLY && !title.includes(process.env.ANIM_WEB_ONLY)) continue;
	if (title.includes("memory")) await close();
	await run(title, check, false) || await run(title, check, true);
	if (title.includes("memory")) await close();
}
await close();
other.close();
rmSync(scratch, { recursive: true });
