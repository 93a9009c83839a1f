// robot.mjs OUT.glb|OUT.vrm [RINGS [BYTES]]: writes a skinned robot in a T-pose, without animation: the second example of the page, and a
// character for its tests. RINGS: rings of each limb (default: 8), for models with more triangles. BYTES: size of an unused part.
import { writeFileSync } from "node:fs";

const [,, out, rings = 8, padding = 0] = process.argv;
// Name, parent, VRM's name, place in metres, end of the limb, its radius. A limb at the left is mirrored.
const half = [
	["pelvis", null, "hips", [0, 0.78, 0], [0, 0.9, 0], 0.13],
	["spine_01", "pelvis", "spine", [0, 0.9, 0], [0, 1.05, 0], 0.11],
	["spine_02", "spine_01", "chest", [0, 1.05, 0], [0, 1.28, 0], 0.16],
	["neck_01", "spine_02", "neck", [0, 1.28, 0], [0, 1.36, 0], 0.05],
	["head", "neck_01", "head", [0, 1.36, 0.01], [0, 1.66, 0.01], 0.15],
	["clavicle_l", "spine_02", "leftShoulder", [0.04, 1.24, 0], [0.17, 1.24, 0], 0.06],
	["upperarm_l", "clavicle_l", "leftUpperArm", [0.17, 1.24, 0], [0.42, 1.24, 0], 0.055],
	["lowerarm_l", "upperarm_l", "leftLowerArm", [0.42, 1.24, 0], [0.66, 1.24, 0.01], 0.05],
	["hand_l", "lowerarm_l", "leftHand", [0.66, 1.24, 0.01], [0.82, 1.24, 0.01], 0.045],
	["thigh_l", "pelvis", "leftUpperLeg", [0.09, 0.74, 0], [0.09, 0.4, 0.01], 0.085],
	["calf_l", "thigh_l", "leftLowerLeg", [0.09, 0.4, 0.01], [0.09, 0.08, 0], 0.07],
	["foot_l", "calf_l", "leftFoot", [0.09, 0.08, 0], [0.09, 0.04, 0.12], 0.05],
	["ball_l", "foot_l", "leftToes", [0.09, 0.04, 0.12], [0.09, 0.04, 0.19], 0.04],
];
const other = ([name, parent, bone, [x, y, z], [p, q, r], radius]) => [name.replace(/_l$/, "_r"), parent?.replace(/_l$/, "_r"), bone.replace("left", "right"), [-x, y, z], [-p, q, r], radius];
const bones = half.flatMap(it => it[0].endsWith("_l") ? [it, other(it)] : [it]);
const index = name => bones.findIndex(it => it[0] === name);
const minus = (a, b) => a.map((v, i) => v - b[i]), length = v => Math.hypot(...v), unit = v => v.map(x => x / length(v));
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];

// Each limb is a capsule around its bone. Its first quarter also follows the parent.
const points = [], normals = [], joints = [], weights = [], triangles = [[], []], AROUND = 12;
for (const [n, [name, parent, , from, to, radius]] of bones.entries()) {
	const way = minus(to, from), axis = unit(way), side = unit(cross(axis, Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1])), up = cross(axis, side);
	const first = points.length / 3, lines = Number(rings) + 1;
	for (let i = 0; i <= lines; i++) {
		const part = i / lines, wide = radius * Math.sqrt(Math.max(0.02, 1 - (2 * part - 1) ** 4));
		for (let k = 0; k < AROUND; k++) {
			const turn = 2 * Math.PI * k / AROUND, normal = side.map((v, c) => v * Math.cos(turn) + up[c] * Math.sin(turn));
			points.push(...normal.map((v, c) => from[c] + way[c] * (part * 1.1 - 0.05) + v * wide)), normals.push(...normal);
			const own = parent === null ? 1 : Math.min(1, 0.5 + 2 * part);
			joints.push(n, parent === null ? n : index(parent), 0, 0), weights.push(own, 1 - own, 0, 0);
		}
	}
	for (let i = 0; i < lines; i++)
		for (let k = 0; k < AROUND; k++) {
			const [a, b] = [k, (k + 1) % AROUND].map(it => first + i * AROUND + it);
			triangles[/_r$/.test(name) ? 1 : 0].push(a, b, a + AROUND, b, b + AROUND, a + AROUND);
		}
	for (const [ring, flip] of [[0, true], [lines, false]]) // the ends
		for (let k = 1; k < AROUND - 1; k++) {
			const [a, b, c] = [0, k, k + 1].map(it => first + ring * AROUND + it);
			triangles[/_r$/.test(name) ? 1 : 0].push(...flip ? [a, c, b] : [a, b, c]);
		}
}

const parts = [], views = [], accessors = [];
let at = 0;
function accessor(array, type, componentType, size, more = {}, target) {
	views.push({ buffer: 0, byteOffset: at, byteLength: array.byteLength, ...target ? { target } : {} }), parts.push(Buffer.from(array.buffer));
	at += array.byteLength;
	if (at % 4) parts.push(Buffer.alloc(4 - at % 4)), at += 4 - at % 4;
	return accessors.push({ bufferView: views.length - 1, componentType, count: array.length / size, type, ...more }) - 1;
}
const bounds = { min: [0, 1, 2].map(c => Math.min(...points.filter((_, i) => i % 3 === c))), max: [0, 1, 2].map(c => Math.max(...points.filter((_, i) => i % 3 === c))) };
const attributes = {
	POSITION: accessor(new Float32Array(points), "VEC3", 5126, 3, Object.fromEntries(Object.entries(bounds).map(([key, list]) => [key, list.map(Math.fround)])), 34962),
	NORMAL: accessor(new Float32Array(normals), "VEC3", 5126, 3, {}, 34962),
	JOINTS_0: accessor(new Uint16Array(joints), "VEC4", 5123, 4, {}, 34962), WEIGHTS_0: accessor(new Float32Array(weights), "VEC4", 5126, 4, {}, 34962),
};
const primitives = triangles.map((list, material) => ({ attributes, material, indices: accessor(new Uint32Array(list), "SCALAR", 5125, 1, {}, 34963) }));
const inverse = bones.flatMap(([, , , [x, y, z]]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]);
const inverseBindMatrices = accessor(new Float32Array(inverse), "MAT4", 5126, 16);
if (Number(padding)) views.push({ buffer: 0, byteOffset: at, byteLength: Number(padding) }), parts.push(Buffer.alloc(Number(padding))), at += Number(padding);
const nodes = bones.map(([name, parent, , place], n) => {
	const children = bones.flatMap((it, child) => it[1] === name ? [child] : []);
	return { name, translation: parent === null ? place : minus(place, bones[index(parent)][3]), ...children.length ? { children } : {} };
});
const material = (name, baseColorFactor) => ({ name, pbrMetallicRoughness: { baseColorFactor, metallicFactor: 0, roughnessFactor: 0.8 } });
const json = {
	asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0, bones.length] }],
	nodes: [...nodes, { name: "Body", mesh: 0, skin: 0 }],
	meshes: [{ name: "Body", primitives }], skins: [{ joints: bones.map((_, n) => n), inverseBindMatrices, skeleton: 0 }],
	materials: [material("left", [0.9, 0.55, 0.2, 1]), material("right", [0.25, 0.5, 0.85, 1])],
	accessors, bufferViews: views, buffers: [{ byteLength: at }],
};
if (out.endsWith(".vrm"))
	Object.assign(json, { extensionsUsed: ["VRMC_vrm"], extensions: { VRMC_vrm: {
		specVersion: "1.0", meta: { name: "robot", authors: ["anim-tools"], licenseUrl: "https://vrm.dev/licenses/1.0/" },
		humanoid: { humanBones: Object.fromEntries(bones.map(([, , bone], node) => [bone, { node }])) },
	} } });

const chunk = (type, bytes, fill) => {
	const whole = Buffer.concat([bytes, Buffer.alloc((4 - bytes.length % 4) % 4, fill)]), head = Buffer.alloc(8);
	head.writeUInt32LE(whole.length, 0), head.write(type, 4, "latin1");
	return Buffer.concat([head, whole]);
};
const body = Buffer.concat([chunk("JSON", Buffer.from(JSON.stringify(json)), " "), chunk("BIN\0", Buffer.concat(parts), 0)]), head = Buffer.alloc(12);
head.write("glTF", 0, "latin1"), head.writeUInt32LE(2, 4), head.writeUInt32LE(12 + body.length, 8);
writeFileSync(out, Buffer.concat([head, body]));
