// bones.js: the table of human bones: which node has which bone in the source and in the target, and the list for --map.

const sides = names => ["Left", "Right"].flatMap(side => names.map(name => side + name));
const fingers = sides(["Thumb", "Index", "Middle", "Ring", "Little"].flatMap(finger => ["Proximal", "Intermediate", "Distal"].map(part => finger + part)));
const main = ["Hips", "Spine", "Chest", "UpperChest", "Neck", "Head", ...sides(["Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes"])];
export const bones = [...main, "LeftEye", "RightEye", "Jaw", ...fingers];
const optional = new Set(["Chest", "UpperChest", "Neck", "LeftShoulder", "RightShoulder", "LeftToes", "RightToes"]);
const isNeeded = bone => main.includes(bone) && !optional.has(bone);

const last = path => path.split(/[/:]/).at(-1);
const text = bone => bone.replace(/(?<=[a-z])(?=[A-Z])/g, " ");

// Return for each node of a skeleton the name by which a list means it: its own name, or its path if others have that name.
function namesOf(nodes) {
	const uses = new Map();
	for (const { path } of nodes) uses.set(last(path), (uses.get(last(path)) ?? 0) + 1);
	return nodes.map(({ path }) => uses.get(last(path)) > 1 && path.includes("/") ? path : last(path));
}

// A skeleton for the table. nodes: as the worker describes them. renamed: the paths of the same nodes with Unity's names of bones,
// or null.
export function figure(nodes, renamed) {
	const names = namesOf(nodes), found = new Map();
	renamed?.forEach((path, n) => {
		if (bones.includes(last(path)) && !found.has(last(path))) found.set(last(path), n);
	});
	const listed = nodes.map((_, n) => n).filter(n => nodes[n].path !== ".");
	return { nodes, names, found, listed, recorded: n => nodes[n].human !== undefined };
}

// Return the bones that are on the wrong side of a skeleton, if chosen(bone) is the number of the node of a bone, or undefined. The
// shoulders and the upper ends of arms and legs say where left is: those that the programs found, or otherwise most of the chosen ones.
// Bones below an end on its own side are wrong if they belong to the other limb.
export function wrongSides({ nodes, found }, chosen) {
	const ends = ["Shoulder", "UpperArm", "UpperLeg"], limbs = { UpperArm: ["LowerArm", "Hand"], UpperLeg: ["LowerLeg", "Foot", "Toes"] };
	const across = node => ends.map(end => {
		const [left, right] = [`Left${end}`, `Right${end}`].map(bone => nodes[node(bone)]?.place);
		const way = left && right ? left.map((v, i) => v - right[i]) : [0, 0, 0], size = Math.hypot(...way) || 1;
		return way.map(v => v / size);
	});
	const sum = list => list.reduce((all, it) => all.map((v, i) => v + it[i]), [0, 0, 0]), now = across(chosen), wrong = [];
	const axis = [sum(across(bone => found.get(bone))), sum(now)].find(it => Math.hypot(...it) > 0.5) ?? [0, 0, 0];
	now.forEach((way, n) => { if (way.reduce((all, v, i) => all + v * axis[i], 0) < -0.3) wrong.push(`Left${ends[n]}`, `Right${ends[n]}`); });
	const isBelow = (n, above) => nodes[n] !== undefined && (n === above || isBelow(nodes[n].parent, above));
	for (const [end, parts] of Object.entries(limbs).filter(([end]) => !wrong.includes(`Left${end}`)))
		for (const [side, other] of [["Left", "Right"], ["Right", "Left"]])
			wrong.push(...parts.map(it => side + it).filter(bone => chosen(other + end) !== undefined && isBelow(chosen(bone), chosen(other + end))));
	return wrong;
}

// Return "left" or "right" if the name of a bone says on which side it is: LeftHand, hand_l, Hand.L, lShldr, UpperArmR.
export function sideOf(name) {
	const is = (word, letter) => new RegExp(`${word}`, "i").test(name) || new RegExp(`(^|[^A-Za-z])[${letter}${letter.toLowerCase()}]([^A-Za-z]|$)|^${letter.toLowerCase()}[A-Z]|[a-z0-9]${letter}$`).test(name);
	const left = is("left|左", "L"), right = is("right|右", "R");
	return left === right ? "" : left ? "left" : "right";
}

// The values that a person changed, for a source and a target. null: Unity's muscles, which have the names of the bones.
export class BoneMap {
	#source;
	#target;
	#changed = new Map(); // bone: [name in the source, name in the target]

	constructor(source, target) {
		this.#source = source, this.#target = target;
	}

	// Return { bone, text, source, target, state, changed, twice } for each row. twice: another row has the same source. crossed: of the other side. source, target: a name or "".
	get rows() {
		const own = bones.map(bone => {
			const [n, m] = [this.#source, this.#target].map(it => it?.found.get(bone));
			const found = [[this.#source, n], [this.#target, m]].map(([it, n]) => !it ? bone : n === undefined ? "" : it.names[n]);
			const [source, target] = this.#changed.get(bone) ?? found, changed = this.#changed.has(bone);
			const sure = [[this.#source, n], [this.#target, m]].every(([it, n]) => !it || n !== undefined && it.recorded(n));
			const state = changed && source && target ? "chosen" : source && target ? sure ? "recorded in the file" : "found by its name"
				: isNeeded(bone) ? `missing${source ? " in the target" : target ? " in the source" : ""}` : "";
			return { bone, text: text(bone), source, target, state, changed, missing: state.startsWith("missing"), shown: main.includes(bone) || source && (target || !this.#target) || changed };
		});
		const more = [...this.#changed].filter(([bone]) => !bones.includes(bone));
		const all = [...own.filter(it => it.shown), ...more.map(([bone, [source, target]]) => ({ bone, text: "other", source, target, state: "chosen", changed: true, missing: false }))];
		const node = (it, name) => name ? it.names.indexOf(name) : undefined;
		const wrong = [this.#source, this.#target].flatMap((it, side) => !it ? [] : wrongSides(it, bone => {
			const row = own.find(it => it.bone === bone);
			return node(it, side ? row?.target : row?.source);
		}));
		for (const row of all.filter(it => it.source && it.target)) {
			const twin = all.find(it => it !== row && it.target && it.source === row.source);
			if (twin) row.twice = true, row.state = `also used for ${twin.text}`;
			const named = sideOf(row.source) && sideOf(row.target) && sideOf(row.source) !== sideOf(row.target);
			row.crossed = named || wrong.includes(row.bone);
			if (row.crossed) row.state = named ? `${sideOf(row.source)} and ${sideOf(row.target)} are exchanged` : "on the other side of the body";
		}
		return all;
	}

	get choices() {
		return [this.#source, this.#target].map(it => it ? [...new Set(it.listed.map(n => it.names[n]))] : null);
	}

	set(bone, source, target) {
		this.#changed.set(bone, [source, target]);
	}

	reset() {
		this.#changed.clear();
	}

	// Return the lines of all pairs, or only of those that differ from what the programs find.
	csv(all) {
		const quote = name => /[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
		const pairs = this.rows.filter(it => it.source && it.target && (all || it.changed));
		return pairs.length ? `from,to\n${pairs.map(it => `${quote(it.source)},${quote(it.target)}\n`).join("")}` : "";
	}

	// Read such lines. Return the number of pairs.
	load(csv) {
		const pairs = csv.replaceAll("\r", "").split("\n").map(line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(it => (it[1]?.replaceAll('""', '"') ?? it[2]).trim()))
			.filter(([from, to], n) => from && to && !(n === 0 && from === "from" && to === "to"));
		const boneOf = (it, name) => it ? [...it.found].find(([, n]) => it.names[n] === name)?.[0] : bones.includes(name) ? name : undefined;
		this.reset();
		for (const [from, to] of pairs) {
			const bone = [boneOf(this.#target, to), boneOf(this.#source, from)].find(it => it && !this.#changed.has(it));
			this.set(bone ?? `${from},${to}`, from, to);
		}
		return pairs.length;
	}
}
