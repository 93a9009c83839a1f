// command.js: the formats that the page offers, and the command lines that it runs.

// many: a file can hold several clips. rate: the format stores frames, so a rate is needed.
export const formats = [
	{ id: "glb", name: "glTF, binary (.glb)", many: true },
	{ id: "gltf", name: "glTF (.gltf)", many: true },
	{ id: "vrma", name: "VRM animation (.vrma)" },
	{ id: "tres", name: "Godot 4 library (.tres)", many: true },
	{ id: "tscn", name: "Godot 4 scene (.tscn)", many: true },
	{ id: "anim", name: "Unity clip (.anim)" },
	{ id: "fbx", name: "FBX (.fbx)", many: true },
	{ id: "animj", name: "Resonite AnimJ (.animj)" },
	{ id: "animx", name: "Resonite AnimX (.animx)" },
	{ id: "bvh", name: "BVH motion capture (.bvh)", rate: 30 },
	{ id: "vmd", name: "MikuMikuDance motion (.vmd)" },
	{ id: "vmc", name: "VMC live motion (.vmc)", rate: 60 },
	{ id: "csv", name: "Table (.csv)", many: true },
	{ id: "npz", name: "NumPy (.npz)", rate: 30, more: ["--all"] },
	{ id: "json", name: "JSON Lines (.json)", many: true },
	{ id: "axt", name: "Exact text (.axt)", many: true },
	{ id: "axs", name: "Stream (.axs)", many: true },
	{ id: "axs.gz", name: "Archive (.axs.gz)", many: true, whole: true },
];

// What a program or a game needs. model: what moves, if the file has paths of its nodes. The other members are the values of the fields of the same names.
export const MUSCLES = "\0muscles"; // in place of the path of a file, which has no such character
export const presets = [
	{ name: "VRM player (.vrma)", format: "vrma", names: "vrm" },
	{ name: "VRChat (humanoid .anim)", format: "anim", retarget: MUSCLES },
	{ name: "Resonite avatar (.animj)", format: "animj", model: "avatar" },
	{ name: "Godot character (.tres)", format: "tres", names: "godot", model: "character" },
	{ name: "Unity, generic (.anim)", format: "anim", model: "model" },
	{ name: "Blender (.fbx)", format: "fbx" },
	{ name: "Motion capture (.bvh)", format: "bvh" },
];

// The formats whose files have a skeleton. The player shows other results as the same conversion to glTF.
export const hasSkeleton = path => /\.(glb|gltf|vrma|vrm|tscn|escn|scn|fbx|bvh|axs|axt|json|npz)$/i.test(path);

const suffixes = /\.(tscn|tres|escn|scn|res|anim|prefab|controller|overridecontroller|unity|asset|playable|unitypackage|animj|animx|gltf|glb|vrma|vrm|bvh|asf|amc|vmd|vmc|pmx|pmd|fbx|npz|npy|json|axt|axs|axs\.gz)$/i;

// Return whether the file is motion capture without a unit.
export const isCapture = path => /\.(bvh|amc|asf)$/i.test(path);

// Return whether the file can hold clips, and whether another file can refer to it.
export const holdsClips = path => suffixes.test(path);
export const isUsed = path => holdsClips(path) || /(\.(meta|bin|import|remap|godot|uid|csv|txt|map)|\.gd)$/i.test(path);

// Return the path without its suffix, and the suffix.
function split(path) {
	const [, stem, suffix = ""] = /^(.*?[^/]*?)((?:\.axs)?\.[^./]*)?$/.exec(path);
	return { stem: stem || path, suffix: suffix.slice(1) };
}

// A path that begins with '-' would be an option.
export const operand = path => path.startsWith("-") ? `./${path}` : path;

// Return the glob that matches this clip and no other one of the same file, if that is possible.
function glob(clip, clips) {
	const literal = text => text.replace(/[\\*?[]/g, "\\$&"), base = name => name.split(/[/:]/).at(-1);
	const alone = clips.every(it => it === clip || base(it.name) !== base(clip.name));
	return alone || !clip.player ? literal(clip.name) : `${literal(clip.player)}:${literal(clip.name)}`;
}

export const onlyClip = (clip, clips) => ["-c", glob(clip, clips)];

// Options that choose the clips. There are none if all clips are chosen.
function choice(files) {
	if (files.every(it => it.chosen.length === it.clips.length)) return [];
	return [...new Set(files.flatMap(it => it.chosen.map(clip => glob(clip, it.clips))))].flatMap(it => ["-c", it]);
}

// Return the names of bones to write. A VRM animation has names of its own, and a skeleton keeps its names.
export const namesOf = ({ format, names, retarget }) => retarget ? "" : names || (format === "vrma" ? "vrm" : "");

// Options that are the same for all files. framed: the sources are frames themselves, so none is added or left out.
function common(options, format) {
	const rate = options.rate || (format.rate && options.framed ? "source" : format.rate);
	return [
		...rate ? ["-r", String(rate)] : [], ...rate && format.more || [],
		...options.unit ? ["--unit", options.unit] : [],
		...options.part ? ["-t", options.part] : [],
		...words(options.loop ?? ""),
		...options.reduce ? ["--reduce", options.reduce] : [],
		...namesOf(options) ? ["--humanoid", `auto:${namesOf(options)}`] : [],
		...options.retarget === MUSCLES ? ["--muscles"] : options.retarget ? ["--retarget", operand(options.retarget)] : [],
		...options.retarget && options.map ? ["--map", options.map] : [],
		...options.mirror ? ["--mirror"] : [],
		...options.pin ? ["--pin"] : [],
		...options.inPlace ? ["--in-place"] : [],
		...words(options.more ?? ""),
	];
}

// Return the jobs of a conversion: { argv, inputs, source }. Each file has a path, its clips and the chosen ones.
// No result has the path of a file or one in `taken`.
export function plan(files, options, taken = new Set()) {
	const format = formats.find(it => it.id === options.format), used = new Set([...taken, ...files.map(it => it.path)]);
	const chosen = files.filter(it => it.chosen.length);
	const free = (stem, suffix, end) => { // a path that is not in use
		stem = stem.replaceAll("%", "_");
		const name = [stem, `${stem}-${suffix || "new"}`].map(it => it + end).find(it => !used.has(it));
		let found = name;
		for (let n = 2; used.has(found ?? stem + end); n++) found = `${stem}-${n}${end}`;
		used.add(found ??= stem + end);
		return operand(found);
	};
	const job = (inputs, out) => ({
		argv: ["anim", "convert", ...common({ ...options, unit: inputs.some(it => isCapture(it.path)) && options.unit, framed: inputs.every(it => isCapture(it.path)),
			...inputs.every(it => it.muscles) && { names: "" } }, format),
			...choice(inputs), ...inputs.map(it => operand(it.path)), out],
		inputs: inputs.map(it => it.path),
	});
	if (options.write === "all" && format.many && chosen.length > 1)
		return [job(chosen, free("clips", "", `.${format.id}`))];
	return chosen.map(it => {
		const { stem, suffix } = split(it.path), each = options.write === "clip" && !format.whole || !format.many && it.chosen.length > 1;
		return job([it], free(stem, suffix === format.id ? "new" : suffix, `${each ? "-%c" : ""}.${format.id}`));
	});
}

// Return the arguments of the same conversion to glTF, with the skeleton that the result lacks.
export function asModel(argv, out) {
	return [...argv.slice(0, -1).filter(it => it !== "--muscles"), "-q", out];
}

// Return the command line as a shell reads it.
export const shell = argv => argv.map(it => /^[\w@%+=:,./-]+$/.test(it) ? it : `'${it.replaceAll("'", "'\\''")}'`).join(" ");

// Return the words of a text, split as a shell does. Throw an Error if a quote is open.
export function words(text) {
	const found = [];
	let word = null, quote = "";
	for (let i = 0; i < text.length; i++) {
		const c = text[i];
		if (quote ? c === quote : c === "'" || c === '"') quote = quote ? "" : c, word ??= "";
		else if (c === "\\" && quote !== "'" && i + 1 < text.length) word = (word ?? "") + text[++i];
		else if (!quote && /\s/.test(c)) {
			if (word !== null) found.push(word);
			word = null;
		} else word = (word ?? "") + c;
	}
	if (quote) throw new Error("a quote is not closed");
	return word === null ? found : [...found, word];
}
