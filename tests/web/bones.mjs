// bones.mjs: the table of bones of the page, without a browser.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const source = await readFile(new URL("../../packaging/web/bones.js", import.meta.url), "utf8");
const { BoneMap, figure, sideOf } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
const nodes = (...paths) => paths.map(path => ({ path, human: path === "Pelvis" ? "hips" : undefined }));
const robot = () => figure(nodes(".", "Pelvis", "Pelvis/Arm", "Pelvis/Arm/Hand, left", "Other/Arm"), [".", "Hips", "Hips/LeftUpperArm", "x", "y"]);
const human = () => figure(nodes("S:Hips", "S:LeftUpperArm", "S:LeftHand"), ["S:Hips", "S:LeftUpperArm", "S:LeftHand"]);
const row = (map, bone) => map.rows.find(it => it.bone === bone);

// A name that several nodes have is a path. What a file records is no guess, and the main bones can be missing.
const map = new BoneMap(robot(), human());
assert.deepEqual([row(map, "Hips").source, row(map, "Hips").target, row(map, "Hips").state], ["Pelvis", "Hips", "found by its name"]);
assert.equal(new BoneMap(robot(), null).rows[0].state, "recorded in the file");
assert.equal(row(map, "LeftUpperArm").source, "Pelvis/Arm");
assert.deepEqual([row(map, "LeftHand").state, row(map, "Chest").state, row(map, "Head").missing], ["missing in the source", "", true]);
assert.equal(row(map, "LeftIndexProximal"), undefined);

// The list has what was changed, or all pairs. It is read again as it was written.
assert.equal(map.csv(), "");
map.set("LeftHand", "Hand, left", "LeftHand");
assert.equal(map.csv(), 'from,to\n"Hand, left",LeftHand\n');
const again = new BoneMap(robot(), human());
assert.equal(again.load(map.csv(true).replaceAll("\n", "\r\n")), 3);
assert.deepEqual([row(again, "LeftHand").source, row(again, "Hips").source], ["Hand, left", "Pelvis"]);
assert.equal(again.csv(), map.csv(true));

// A source that has two bones is marked at both.
again.set("LeftHand", "Pelvis", "LeftHand");
assert.deepEqual([row(again, "LeftHand"), row(again, "Hips")].map(it => [it.twice, it.state]), [[true, "also used for Hips"], [true, "also used for Left Hand"]]);

// Pairs of no human bone stay, and a change can be undone.
assert.equal(again.load("Tail,Tail\n"), 1);
assert.equal(again.csv(), "from,to\nTail,Tail\n");
again.reset();
assert.equal(again.csv(), "");

// With muscles, the second name is Unity's.
const muscles = new BoneMap(robot(), null);
assert.equal(muscles.csv(true), "from,to\nPelvis,Hips\nPelvis/Arm,LeftUpperArm\n");
assert.equal(muscles.load("Pelvis,Hips\n"), 1);
assert.equal(row(muscles, "Hips").state, "chosen");

// Muscles as the source have Unity's names, too.
const avatar = new BoneMap(null, human());
assert.deepEqual([row(avatar, "Hips").source, row(avatar, "Head").state, row(avatar, "LeftIndexProximal")], ["Hips", "missing in the target", undefined]);
avatar.set("LeftUpperLeg", "LeftUpperLeg", "Thigh.R");
assert.deepEqual([row(avatar, "LeftUpperLeg").state, row(avatar, "LeftUpperLeg").crossed], ["left and right are exchanged", true]);

// A robot whose names have no sides: places say where left is, and parents which limb a bone is of.
const limb = (name, x, parent) => ({ path: name, place: [x, 1, 0], parent });
const numbered = [{ path: ".", place: [0, 0, 0], parent: null }, limb("a1", 1, 0), limb("a2", -1, 0), limb("b1", 1, 0), limb("b2", -1, 0), limb("c1", 1, 0), limb("c2", -1, 0), limb("d1", 1, 5), limb("d2", -1, 6)];
const counted = new BoneMap(null, figure(numbered, null)), choose = names => names.forEach(([bone, name]) => ["Left", "Right"].forEach((side, n) => counted.set(side + bone, side + bone, name + (n + 1))));
const marked = () => counted.rows.filter(it => it.crossed).map(it => it.bone);
choose([["Shoulder", "a"], ["UpperArm", "b"], ["UpperLeg", "c"], ["LowerLeg", "d"]]);
assert.deepEqual(marked(), []);
counted.set("LeftLowerLeg", "LeftLowerLeg", "d2");
assert.deepEqual(marked(), ["LeftLowerLeg"]);
counted.set("LeftUpperLeg", "LeftUpperLeg", "c2"), counted.set("RightUpperLeg", "RightUpperLeg", "c1");
assert.deepEqual(marked(), ["LeftUpperLeg", "RightUpperLeg"]);
assert.equal(row(counted, "LeftUpperLeg").state, "on the other side of the body");

for (const name of ["LeftHand", "hand_l", "Hand.L", "lShldr", "UpperArmL", "J_Bip_L_Hand", "Bip01 L Thigh", "左腕"]) assert.equal(sideOf(name), "left", name);
for (const name of ["RightHand", "hand_r", "Hand.R", "rThigh", "UpperArmR", "mixamorig:RightLeg", "右ひじ"]) assert.equal(sideOf(name), "right", name);
for (const name of ["Hips", "Pelvis", "Reel", "Ball", "robot", "leg", "Root", "Lower", "左右"]) assert.equal(sideOf(name), "", name);
