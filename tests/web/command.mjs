// command.mjs: the command lines of the page, without a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

// The folder has no package.json, so that Node would not take a .js file for a module.
const { readFile } = await import("node:fs/promises");
const source = await readFile(new URL("../../packaging/web/command.js", import.meta.url), "utf8");
const { asModel, formats, hasSkeleton, holdsClips, isUsed, MUSCLES, onlyClip, plan, presets, shell, words } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const file = (path, ...names) => {
	const clips = names.map(name => ({ name, player: "" }));
	return { path, clips, chosen: [...clips] };
};
const lines = (files, options, taken) => plan(files, { format: "glb", write: "file", ...options }, taken).map(it => shell(it.argv));

// A shell reads back each word.
const odd = ["plain", "two words", "it's", "$(x)", "a\nb", "", "-c", "*", "\\", "\u00e4", "`x`", '"'];
assert.equal(execFileSync("sh", ["-c", `printf '%s\\0' ${shell(odd)}`]).toString(), odd.map(it => it + "\0").join(""));
assert.deepEqual(words(` a  'b c' "d'e" f\\ g '' x"y"z `), ["a", "b c", "d'e", "f g", "", "xyz"]);
assert.throws(() => words("'a"), /quote/);

// Names: in the folder of the source, never that of a source or of another result.
assert.deepEqual(lines([file("a/walk.tscn", "walk")]), ["anim convert a/walk.tscn a/walk.glb"]);
assert.deepEqual(lines([file("a.b.axs.gz", "x")], { format: "axs" }), ["anim convert a.b.axs.gz a.b.axs"]);
assert.deepEqual(lines([file("w.glb", "x")]), ["anim convert w.glb w-new.glb"]);
assert.deepEqual(lines([file("w.tscn", "x"), file("w.fbx", "x"), file("w.fbx2", "x")]), ["anim convert w.tscn w.glb", "anim convert w.fbx w-fbx.glb", "anim convert w.fbx2 w-fbx2.glb"]);
assert.deepEqual(lines([file("w.tscn", "x")], {}, new Set(["w.glb"])), ["anim convert w.tscn w-tscn.glb"]);
assert.deepEqual(lines([file("-o.tscn", "x")]), ["anim convert ./-o.tscn ./-o.glb"]);
assert.deepEqual(lines([file("50%c.tscn", "x")]), ["anim convert 50%c.tscn 50_c.glb"]);
assert.deepEqual(lines([file("noname", "x")]), ["anim convert noname noname.glb"]);

// Clips: none are named if all are chosen; a format with one clip needs a file for each.
const two = file("w.tscn", "walk", "run[1]");
assert.deepEqual(lines([two], { format: "anim" }), ["anim convert w.tscn w-%c.anim"]);
two.chosen.shift();
assert.deepEqual(lines([two], { format: "anim" }), ["anim convert -c 'run\\[1]' w.tscn w.anim"]);
two.chosen.shift();
assert.deepEqual(lines([two]), []);
const same = [{ name: "walk", player: "A" }, { name: "lib/walk", player: "B" }];
assert.deepEqual(onlyClip(same[0], same), ["-c", "A:walk"]);

// Options, and where they are left out.
assert.deepEqual(lines([file("a.bvh", "x"), file("b.tscn", "x")], { unit: "cm", rate: "30", mirror: true, pin: true, inPlace: true, retarget: "b.tscn" }), [
	"anim convert -r 30 --unit cm --retarget b.tscn --mirror --pin --in-place a.bvh a.glb",
	"anim convert -r 30 --retarget b.tscn --mirror --pin --in-place b.tscn b.glb"]);
assert.deepEqual(lines([file("a.bvh", "x")], { part: "0.5..2", loop: "--loop wrap", reduce: "1mm@10cm" }), ["anim convert -t 0.5..2 --loop wrap --reduce 1mm@10cm a.bvh a.glb"]);
assert.deepEqual(lines([file("a.tscn", "x")], { format: "bvh" }), ["anim convert -r 30 a.tscn a.bvh"]);
assert.deepEqual(lines([file("a.bvh", "x")], { format: "bvh" }), ["anim convert -r source a.bvh a-new.bvh"]);
assert.deepEqual(lines([file("a.bvh", "x"), file("b.tscn", "x")], { format: "npz", write: "all" }).map(it => it.split(" ")[3]), ["source", "30"]);
assert.deepEqual(lines([file("a.tscn", "x"), file("b.tscn", "y")], { write: "all" }, new Set(["clips.glb"])), ["anim convert a.tscn b.tscn clips-new.glb"]);
assert.deepEqual(lines([file("a.tscn", "x"), file("b.tscn", "y")], { write: "clip" }), ["anim convert a.tscn a-%c.glb", "anim convert b.tscn b-%c.glb"]);

// Names of bones: VRM animations have VRM's, a skeleton keeps its own, and a list is for a skeleton.
const walk = [file("a.tscn", "x")];
assert.deepEqual(lines(walk, { format: "vrma" }), ["anim convert --humanoid auto:vrm a.tscn a.vrma"]);
assert.deepEqual(lines(walk, { format: "vrma", names: "unity" }), ["anim convert --humanoid auto:unity a.tscn a.vrma"]);
assert.deepEqual(lines(walk, { format: "vrma", names: "unity", retarget: "m.vrm", map: "bones.csv" }), ["anim convert --retarget m.vrm --map bones.csv a.tscn a.vrma"]);
assert.deepEqual(lines(walk, { map: "bones.csv" }), ["anim convert a.tscn a.glb"]);
assert.deepEqual(lines(walk, { format: "anim", retarget: MUSCLES, map: "bones.csv" }), ["anim convert --muscles --map bones.csv a.tscn a.anim"]);
for (const it of presets) assert.ok(formats.some(format => format.id === it.format), it.name);
assert.deepEqual(asModel(["anim", "convert", "--muscles", "a.tscn", "a.anim"], "m.glb"), ["anim", "convert", "a.tscn", "-q", "m.glb"]);
for (const path of ["a.glb", "b.VRMA", "c.fbx"]) assert.ok(hasSkeleton(path), path);
for (const path of ["a.tres", "b.anim", "c.animj", "d.vmd"]) assert.ok(!hasSkeleton(path), path);

// The formats are those of the programs, and files of a folder that nothing reads are left out.
const known = execFileSync("anim", ["convert", "--help"]).toString().replace(/\n {20,}/g, " ").match(/write this format.*: (axs, .*?)\n/)[1].split(", ");
assert.deepEqual([...new Set(formats.map(it => ({ anim: "unity", "axs.gz": "axs" })[it.id] ?? it.id))].sort(), known.sort());
for (const path of ["a.TSCN", "a.axs.gz", "b/c.fbx"]) assert.ok(holdsClips(path), path);
for (const path of ["a.tscn.meta", "buffer.bin", "project.godot"]) assert.ok(isUsed(path) && !holdsClips(path), path);
for (const path of ["a.png", "a.gz", "a.cs"]) assert.ok(!isUsed(path), path);
