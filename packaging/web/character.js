// character.js: shows characters with their skins, and skeletons where there is no skin. web/copy bundles it with three.js and three-vrm,
// and the page loads it only for files with a mesh. It opens no address: buffers and pictures come from files that the page has.
import {
	AmbientLight, AnimationMixer, Box3, BufferAttribute, BufferGeometry, DirectionalLight, DynamicDrawUsage, Group, GridHelper, Matrix4, Mesh,
	MeshLambertMaterial, OctahedronGeometry, PerspectiveCamera, Quaternion, Scene, Texture, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";
import { VRMLoaderPlugin, VRMUtils } from "@pixiv/three-vrm";
import { download, glTF, make, say } from "./page.js";

// ---- Reading ----
async function blobOf(uri, read) {
	const data = /^data:[^,]*?(;base64)?,(.*)$/s.exec(uri);
	if (!data) return read(decodeURIComponent(uri));
	const text = data[1] ? atob(data[2]) : decodeURIComponent(data[2]), bytes = new Uint8Array(text.length);
	for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
	return new Blob([bytes]);
}

// Whether the processor draws. Then a material has one small picture and a simple shader, and each vertex is moved once: textures took
// most of the time before the first picture, and vertices most of the time of a frame.
let slow = false;

// A picture as large as the stage needs.
async function decode(blob) {
	const head = new DataView(await blob.slice(0, 26).arrayBuffer()), isJpeg = head.getUint16(0) === 0xffd8, isPng = head.getUint32(0) === 0x89504e47;
	const opaque = isJpeg || isPng && [0, 2].includes(head.getUint8(25)); // then a browser decodes it a fifth faster
	const same = { imageOrientation: "none", premultiplyAlpha: opaque ? "default" : "none", colorSpaceConversion: opaque ? "default" : "none" }, image = await createImageBitmap(blob, same);
	const part = (slow ? 512 : 4096) / Math.max(image.width, image.height);
	if (part >= 1) return image;
	const small = await createImageBitmap(image, { ...same, resizeWidth: Math.max(1, Math.round(image.width * part)), resizeHeight: Math.max(1, Math.round(image.height * part)), resizeQuality: "low" });
	image.close();
	return small;
}

// A plug-in of the loader that takes the parts of buffers and the pictures from `body`, the second chunk of a GLB file, or from `read`,
// which returns the file of a relative path. A part is read from its file when it is needed, so a picture is decoded without a copy.
const ownFiles = (read, body) => parser => {
	const { json } = parser, buffers = [];
	const bufferOf = index => buffers[index] ??= Promise.resolve(json.buffers[index].uri === undefined ? body : blobOf(json.buffers[index].uri, read));
	const viewOf = async index => {
		const { buffer, byteOffset = 0, byteLength } = json.bufferViews[index];
		return (await bufferOf(buffer)).slice(byteOffset, byteOffset + byteLength);
	};
	parser.loadBuffer = async index => (await bufferOf(index)).arrayBuffer();
	parser.loadBufferView = async index => (await viewOf(index)).arrayBuffer();
	parser.loadImageSource = async index => {
		const { uri, bufferView, mimeType } = json.images[index];
		const texture = new Texture();
		try {
			texture.image = await decode(uri === undefined ? (await viewOf(bufferView)).slice(0, Infinity, mimeType) : await blobOf(uri, read));
			texture.flipY = false, texture.needsUpdate = true, texture.userData.mimeType = mimeType;
		} catch {} // the model is shown without this picture
		return texture;
	};
	return { name: "own files" };
};

// Leave the colour of each material. Materials of VRM are then those that the file has for other programs.
function simplify({ materials = [], extensions = {} }) {
	for (const it of materials) {
		const { baseColorTexture, baseColorFactor } = it.pbrMetallicRoughness ?? {}, { KHR_materials_unlit } = it.extensions ?? {};
		it.pbrMetallicRoughness = { baseColorTexture, baseColorFactor, metallicFactor: 0 };
		it.extensions = KHR_materials_unlit ? { KHR_materials_unlit } : {};
		delete it.normalTexture, delete it.occlusionTexture, delete it.emissiveTexture, delete it.emissiveFactor;
	}
	if (extensions.VRM) extensions.VRM.materialProperties = [];
}

async function load(blob, read, isModel) {
	const loader = new GLTFLoader(), { json, body } = await glTF(blob);
	if (slow) simplify(json);
	loader.register(ownFiles(read, body)), loader.setMeshoptDecoder(MeshoptDecoder);
	if (isModel) loader.register(parser => new VRMLoaderPlugin(parser));
	const gltf = await loader.parseAsync(json, "");
	return { gltf, nodes: nodesOf(gltf) };
}

// The objects of a file by the paths of their nodes, or by their names if these are unique.
function nodesOf({ parser }) {
	const { nodes = [] } = parser.json, above = new Map(), paths = new Map(), names = new Map();
	nodes.forEach(({ children = [] }, n) => children.forEach(child => above.set(child, n)));
	const path = n => (above.has(n) ? `${path(above.get(n))}/` : "") + (nodes[n].name ?? `node${n}`);
	for (const [object, link] of parser.associations) {
		const n = link?.nodes;
		if (n === undefined || !object.isObject3D || object.isMesh && object.parent && parser.associations.get(object.parent)?.nodes === n) continue;
		const name = nodes[n].name ?? `node${n}`;
		paths.set(path(n), object), names.set(name, names.has(name) ? null : object);
	}
	return { paths, names };
}

const twin = ({ paths, names }, path) => paths.get(path) ?? names.get(path.split("/").at(-1)) ?? null;

// A mesh whose vertices are moved here instead of in a shader, which reads four matrices from a texture for each corner of a triangle.
// Meshes of one model often have the same vertices: done has those that were moved, by the attribute of their places.
class Skin {
	constructor(mesh, done) {
		const { geometry: { attributes, index, groups } } = mesh, { position, normal, skinIndex, skinWeight } = attributes, known = done.get(position);
		const floats = (it, size) => Float32Array.from({ length: it.count * size }, (_, i) => it.getComponent(Math.floor(i / size), i % size));
		this.mesh = mesh, this.twin = known?.mesh.skeleton === mesh.skeleton && known.mesh.bindMatrix.equals(mesh.bindMatrix) && known.mesh.parent === mesh.parent ? known : null;
		if (!this.twin) {
			this.from = [position, normal].filter(Boolean).map(it => floats(it, 3));
			this.to = this.from.map(it => new BufferAttribute(it.slice(), 3).setUsage(DynamicDrawUsage));
			this.index = Uint16Array.from(floats(skinIndex, 4)), this.weight = floats(skinWeight, 4);
			done.set(position, this);
		}
		const own = mesh.geometry = new BufferGeometry(), [place, side] = (this.twin ?? this).to;
		Object.assign(own.attributes, attributes, { position: place }, side ? { normal: side } : {});
		delete own.attributes.skinIndex, delete own.attributes.skinWeight;
		own.setIndex(index), own.groups = groups, mesh.isSkinnedMesh = false;
		own.computeBoundingSphere(), mesh.boundingSphere = own.boundingSphere; // by which transparent meshes are sorted
	}

	// Move the vertices to the current pose.
	update() {
		if (this.twin) return;
		const { mesh: { skeleton, bindMatrix, bindMatrixInverse }, from: [places, sides], to, index, weight } = this, one = new Matrix4(), sum = new Float32Array(12);
		skeleton.update();
		const matrices = skeleton.bones.map((_, n) => one.fromArray(skeleton.boneMatrices, n * 16).premultiply(bindMatrixInverse).multiply(bindMatrix).toArray());
		for (let v = 0, i = 0; i < places.length; v += 4, i += 3) {
			sum.fill(0);
			for (let k = v; k < v + 4; k++) {
				const w = weight[k], m = matrices[index[k]];
				if (w && m) for (let c = 0; c < 4; c++) for (let r = 0; r < 3; r++) sum[c * 3 + r] += w * m[c * 4 + r];
			}
			const x = places[i], y = places[i + 1], z = places[i + 2];
			for (let r = 0; r < 3; r++) to[0].array[i + r] = sum[r] * x + sum[3 + r] * y + sum[6 + r] * z + sum[9 + r];
			if (sides) for (let r = 0; r < 3; r++) to[1].array[i + r] = sum[r] * sides[i] + sum[3 + r] * sides[i + 1] + sum[6 + r] * sides[i + 2];
		}
		for (const it of to) it.needsUpdate = true;
	}
}

const JUMP = -1; // in place of seconds since the last pose: hair and skirts hang still at once

// ---- A side: a model or a skeleton, and the motion that moves it ----
// The motion has nodes of its own. After each step their values are copied to the model's nodes, so that all curves of glTF are played
// as three.js plays them.
class Side {
	skins = []; // meshes that are moved here

	static async load({ model, motion, read }) {
		const side = new Side(), [body, moves] = await Promise.all([model && load(model, read, true), motion && load(motion, read, false)]);
		side.moves = moves, side.nodes = (body ?? moves).nodes, side.root = new Group(), side.clips = moves?.gltf.animations ?? [];
		side.mixer = moves && new AnimationMixer(moves.gltf.scene);
		if (body) {
			side.vrm = body.gltf.userData.vrm ?? null;
			if (side.vrm) {
				side.vrm.humanoid.autoUpdateHumanBones = false;
				VRMUtils.rotateVRM0(side.vrm);
			}
			side.object = body.gltf.scene;
			side.object.traverse(it => { it.frustumCulled = false; });
			if (slow) side.lighten();
			side.pairs = moves ? [...moves.nodes.paths].map(([path, from]) => [from, twin(body.nodes, path)]).filter(([, to]) => to) : [];
			side.fits = !moves || side.pairs.length * 2 >= moves.nodes.paths.size;
		} else {
			side.object = moves.gltf.scene, side.pairs = [], side.fits = true;
			side.drawSkeleton();
		}
		side.root.add(side.object);
		return side;
	}

	// Give the meshes materials and vertices that the processor draws fast. Shapes of faces are left to the shader.
	lighten() {
		const done = new Map(), simple = new Map(), plain = ({ color, map, transparent, opacity, alphaTest, side, vertexColors, flatShading, depthWrite }) =>
			new MeshLambertMaterial({ color, map, transparent, opacity, alphaTest, side, vertexColors, flatShading, depthWrite });
		this.object.traverse(it => {
			if (it.isMesh && it.material.isMeshStandardMaterial) simple.set(it.material, simple.get(it.material) ?? plain(it.material)), it.material = simple.get(it.material);
			if (it.isSkinnedMesh && !it.morphTargetInfluences) this.skins.push(new Skin(it, done));
		});
	}

	// Bones as thin octahedra from joint to joint, of the nodes that the player of skeletons draws.
	drawSkeleton() {
		const colors = { left: 0xe08a1e, right: 0x2f7fd1, "": 0x9aa0a6 }, shape = new OctahedronGeometry(1), { scene } = this.moves.gltf, nodes = [];
		const known = new Set(this.moves.nodes.paths.values()), moved = new Set(this.clips.flatMap(it => it.tracks).map(it => scene.getObjectByName(it.name.replace(/\.\w+$/, ""))));
		scene.traverse(it => known.has(it) && nodes.push(it)); // parents first
		const bony = nodes.some(it => it.isBone), drawn = nodes.filter(it => !bony || it.isBone || moved.has(it)), all = new Set(drawn), above = new Map();
		for (const it of drawn) {
			let up = it.parent;
			while (up && !all.has(up)) up = up.parent;
			above.set(it, up);
		}
		// An armature above the hips is no bone: without it, there is no third leg.
		const below = it => drawn.filter(child => above.get(child) === it);
		for (let top; drawn.length > 2 && !moved.has(top = drawn[0]) && below(top).length === 1 && below(drawn[1]).length >= (top.isBone ? 3 : 2) && drawn.slice(1).every(it => above.get(it));)
			above.set(drawn[1], null), drawn.shift();
		this.bones = drawn.filter(it => above.get(it)).map(joint => {
			const hand = /left|(^|[^a-z])l([^a-z]|$)/i.test(joint.name) ? "left" : /right|(^|[^a-z])r([^a-z]|$)/i.test(joint.name) ? "right" : "";
			return { joint, above: above.get(joint), mesh: new Mesh(shape, new MeshLambertMaterial({ color: colors[hand], transparent: true })) };
		});
		this.root.add(...this.bones.map(it => it.mesh));
	}

	choose(name) {
		this.mixer?.stopAllAction();
		this.clip = this.clips.find(it => it.name === name) ?? this.clips[0] ?? null;
		if (this.clip) this.mixer.clipAction(this.clip).play();
		const track = this.clip?.tracks.find(it => it.name.endsWith(".position"));
		const from = track && this.moves.gltf.scene.getObjectByName(track.name.replace(/\.position$/, ""));
		this.hips = this.pairs.find(it => it[0] === from)?.[1] ?? (this.pairs.length ? null : from) ?? null;
	}

	seek(time, delta) {
		if (this.clip) this.mixer.setTime(Math.min(time, this.clip.duration * 0.999999));
		for (const [from, to] of this.pairs) {
			to.position.copy(from.position), to.quaternion.copy(from.quaternion), to.scale.copy(from.scale);
			const names = from.morphTargetDictionary ?? {}; // shapes have equal names, or no names
			for (const it of from.morphTargetInfluences ? [to, ...to.children] : [])
				for (const [name, i] of Object.entries(it.morphTargetDictionary ?? {})) it.morphTargetInfluences[i] = from.morphTargetInfluences[names[name] ?? names[`morph_${i}`] ?? i] ?? 0;
		}
		this.root.updateMatrixWorld(true);
		if (delta === JUMP || delta > 0.2) this.vrm?.springBoneManager?.reset(), this.vrm?.update(0);
		else this.vrm?.update(delta);
		const a = new Vector3(), b = new Vector3(), up = new Vector3(0, 1, 0), turn = new Quaternion();
		for (const { joint, above, mesh } of this.bones ?? []) {
			joint.getWorldPosition(b), above.getWorldPosition(a), this.root.worldToLocal(a), this.root.worldToLocal(b);
			const long = a.distanceTo(b);
			mesh.visible = long > 1e-6;
			mesh.position.copy(a).add(b).multiplyScalar(0.5);
			mesh.quaternion.copy(turn.setFromUnitVectors(up, b.sub(a).normalize()));
			mesh.scale.set(long * 0.12, long / 2, long * 0.12);
		}
	}

	// The joints that are drawn, or that move the skin, with their names in the file.
	joints() {
		const used = new Set(this.bones?.flatMap(it => [it.joint, it.above]) ?? []);
		if (!this.bones) this.object.traverse(it => it.skeleton?.bones.forEach(bone => used.add(bone)));
		return [...this.nodes.paths].filter(([, joint]) => used.has(joint)).map(([path, joint]) => [path.split("/").at(-1), joint]);
	}

	// The box around the joints or the skin in the current pose.
	box() {
		const box = new Box3(), at = new Vector3();
		if (this.bones) for (const { joint, above } of this.bones) box.expandByPoint(joint.getWorldPosition(at)), box.expandByPoint(above.getWorldPosition(at));
		else {
			this.object.traverse(it => {
				if (it.skeleton) it.skeleton.bones.forEach(bone => box.expandByPoint(bone.getWorldPosition(at)));
				else if (it.isMesh) box.expandByObject(it);
			});
			if (!box.isEmpty()) box.expandByScalar(0.07 * box.getSize(at).y); // the skin is outside the joints
		}
		return box;
	}

	free() {
		VRMUtils.deepDispose(this.root);
		this.mixer?.stopAllAction();
	}
}

// ---- The stage ----
const NO_WEBGL = "this browser has no WebGL 2. Turn on hardware acceleration in its settings, or use another browser";

// Return whether the processor draws, for which smooth edges cost half of the time.
function isSoftware() {
	const probe = document.createElement("canvas").getContext("webgl2"), names = probe?.getExtension("WEBGL_debug_renderer_info");
	const found = names ? /swiftshader|llvmpipe|software|basic render/i.test(probe.getParameter(names.UNMASKED_RENDERER_WEBGL)) : false;
	probe?.getExtension("WEBGL_lose_context")?.loseContext();
	return found;
}

// Show one or two sides in an element. sides: { name, model: Blob or null, motion: Blob or null in glTF, read }. clip: a name, or
// undefined. Return { close } and, for tests, what is shown, or throw an Error.
export async function show(stage, { sides, clip, label }) {
	const canvas = make("canvas", { className: "scene" });
	canvas.setAttribute("role", "img"), canvas.setAttribute("aria-label", `${label}; drag to turn it, use the right button to move it, and the wheel to zoom`);
	slow = isSoftware();
	const context = canvas.getContext("webgl2", { antialias: !slow, alpha: true });
	if (!context) throw new Error(NO_WEBGL);
	const all = await Promise.all(sides.map(Side.load));
	if (!all.every(it => it.fits)) throw all.forEach(it => it.free()), context.getExtension("WEBGL_lose_context")?.loseContext(), new Error("the nodes of the motion are not those of the model");
	const renderer = new WebGLRenderer({ canvas, context });
	renderer.setClearColor(0, 0);
	const scene = new Scene(), camera = new PerspectiveCamera(30, 1, 0.01, 1000), controls = new OrbitControls(camera, canvas), sun = new DirectionalLight(0xffffff, 2.2);
	sun.position.set(1, 3, 2), scene.add(sun, new AmbientLight(0xffffff, 1.2), ...all.map(it => it.root));

	// Controls: the same as in the player of skeletons.
	const names = [...new Set(all.at(-1).clips.map(it => it.name))], field = (text, it) => make("label", {}, `${text} `, it);
	const which = make("select", {}, ...names.map(name => new Option(name, name))), named = make("input", { type: "checkbox" }), follow = make("input", { type: "checkbox" }), loop = make("input", { type: "checkbox", checked: true });
	const speed = make("select", {}, ...[0.1, 0.25, 0.5, 1, 2, 4].map(it => new Option(it, it, it === 1, it === 1))), bar = make("input", { type: "range", min: 0, step: "any", value: 0 }), clock = make("span", { className: "clock" });
	const playing = make("button", { type: "button" }, "Pause"), views = [["Front", 0, 0], ["Left", 90, 0], ["Back", 180, 0], ["Top", 0, 89]].map(([name, yaw, pitch]) => make("button", { type: "button", onclick: () => frame(yaw, pitch) }, name));
	const picture = make("button", { type: "button", onclick: () => { render(), canvas.toBlob(blob => download(blob, "picture.png")); } }, "Picture");
	const video = make("button", { type: "button", onclick: record, hidden: !globalThis.MediaRecorder }, "Video");
	bar.setAttribute("aria-label", "time");
	const captions = make("p", { className: "captions" }, ...all.length > 1 ? sides.map(it => make("span", {}, it.name)) : ["drag: turn, right button: move, wheel: zoom"]);
	const labels = make("div", { className: "labels", hidden: true, ariaHidden: "true" });
	let times;
	stage.replaceChildren(make("div", { className: "character" },
		make("div", { className: "bar" }, ...names.length > 1 ? [field("clip", which)] : [], make("span", { className: "views", role: "group", ariaLabel: "view" }, ...views), make("label", {}, follow, " follow"), make("label", {}, named, " names"), picture, video),
		make("div", { className: "place" }, canvas, labels, captions),
		times = make("div", { className: "bar" }, playing, bar, clock, field("speed", speed), make("label", {}, loop, " loop"))));

	let time = 0, length = 1, runs = false, closed = false, dirty = true, size = 1, recorder = null;
	const last = new Vector3(), now = new Vector3(), centre = new Vector3();
	let before = performance.now();
	const hips = to => { const it = all.at(-1).hips; return it ? it.getWorldPosition(to) : to.set(0, 0, 0); };

	function seek(at, delta) {
		time = at;
		for (const it of all) it.seek(at, delta);
		if (follow.checked) controls.target.add(now.copy(hips(centre)).sub(last).setY(0)), camera.position.add(now);
		hips(last);
		bar.value = at, clock.textContent = `${at.toFixed(3)} s of ${length.toFixed(2)} s`, dirty = true;
	}

	// Look at all sides from an angle in degrees, so that all their poses fit.
	let whole = new Box3();
	function frame(yaw, pitch) {
		const place = whole.getCenter(new Vector3()), half = whole.getSize(new Vector3()).multiplyScalar(0.5), [a, b] = [yaw, pitch].map(it => it * Math.PI / 180);
		if (follow.checked) place.add(new Vector3().copy(last).sub(start).setY(0));
		const toward = new Vector3(Math.sin(a) * Math.cos(b), Math.sin(b), Math.cos(a) * Math.cos(b)), right = new Vector3(Math.cos(a), 0, -Math.sin(a)), up = toward.clone().cross(right), tan = Math.tan(camera.fov * Math.PI / 360);
		const reach = axis => Math.abs(axis.x) * half.x + Math.abs(axis.y) * half.y + Math.abs(axis.z) * half.z;
		const far = reach(toward) + 1.1 * Math.max(reach(up) / tan, reach(right) / (tan * camera.aspect));
		camera.near = far / 100, camera.far = far * 20, camera.updateProjectionMatrix();
		controls.target.copy(place), camera.position.copy(place).addScaledVector(toward, far), controls.update(), dirty = true;
	}

	const start = new Vector3();
	let ground = null;
	function choose(name) {
		all.forEach(it => it.choose(name));
		length = Math.max(...all.map(it => it.clip?.duration ?? 0)) || 1, bar.max = length;
		all.forEach((it, side) => { it.root.position.set(0, 0, 0), it.root.scale.setScalar(1), it.seek(0, JUMP); });
		// Units may differ: both sides are then shown in the height of the result.
		const high = all.map(it => it.box().getSize(new Vector3()).y), last1 = all.length - 1;
		if (last1 && (high[0] > 2 * high[1] || high[1] > 2 * high[0])) all[0].root.scale.setScalar(high[1] / high[0]), all[0].seek(0, JUMP);
		const wide = Math.max(...all.map(it => Math.max(...it.box().getSize(new Vector3()).toArray())));
		all.forEach((it, side) => { it.root.position.x = last1 ? (side - 0.5) * wide * 0.75 : 0; });
		size = wide;
		// The box of all poses: as they are, or around the hips if the figure travels by more than half its size.
		const measure = follows => {
			const sum = new Box3(), from = new Vector3(), at = new Vector3();
			for (let k = 0; k <= 24; k++) {
				all.forEach(it => it.seek(length * k / 24, JUMP));
				hips(at);
				if (!k) from.copy(at);
				for (const it of all) sum.union(it.box().translate(follows ? from.clone().sub(at).setY(0) : new Vector3()));
			}
			return sum;
		};
		const still = measure(true);
		whole = measure(false);
		follow.checked = whole.getSize(new Vector3()).setY(0).length() > still.getSize(new Vector3()).setY(0).length() + size / 2;
		if (follow.checked) whole = still;
		ground?.removeFromParent(), ground?.geometry.dispose(), ground?.material.dispose();
		ground = new GridHelper(size * 4, 8, 0x888888, 0x888888), ground.material.transparent = true, ground.material.opacity = 0.25, ground.position.y = Math.min(0, still.min.y);
		scene.add(ground);
		const follows = follow.checked;
		follow.checked = false, seek(0, JUMP), follow.checked = follows, start.copy(last);
		frame(-30, 12);
	}

	// A slow machine draws fewer pixels while the clip plays: fine is their part in each direction. late: frames in a row that took long.
	let fine = 1, late = 0;
	function hurry(took) {
		late = took > 0.036 ? late + 1 : 0;
		if (late < 8 || fine < 0.5) return;
		fine *= 0.7, late = 0, fit();
	}

	function fit() {
		const { clientWidth: width, clientHeight: height } = canvas.parentElement;
		if (!width || !height) return;
		renderer.setPixelRatio(Math.min(2, devicePixelRatio) * (runs ? fine : 1)), renderer.setSize(width, height, false);
		camera.aspect = width / height, camera.updateProjectionMatrix(), dirty = true;
	}

	function render() {
		scene.updateMatrixWorld();
		for (const { skins } of all) for (const it of skins) it.update();
		renderer.render(scene, camera);
		if (named.checked) writeNames();
	}

	// Write the names of nodes beside their joints, at the side where they cover no other: a table of bones has these names.
	function writeNames() {
		const { clientWidth: width, clientHeight: height } = canvas, at = new Vector3(), taken = [];
		labels.replaceChildren(...all.flatMap(it => it.joints()).flatMap(([name, joint]) => {
			joint.getWorldPosition(at).project(camera);
			const x = Math.round((at.x + 1) / 2 * width), y = Math.round((1 - at.y) / 2 * height), long = 14 + 7 * name.length;
			const found = [["", x], ["before", x - long]].find(([, from]) => !taken.some(it => it.from < from + long && from < it.from + it.long && Math.abs(it.y - y) < 14));
			if (Math.abs(at.z) > 1 || !found) return [];
			const [className, from] = found, it = make("span", { className }, name);
			taken.push({ from, y, long });
			it.style.setProperty("left", `${x}px`), it.style.setProperty("top", `${y}px`);
			return [it];
		}));
	}
	function play(on) {
		if (on !== runs && fine < 1) runs = on, fit();
		runs = on, playing.textContent = on ? "Pause" : "Play", before = performance.now();
		if (on && time >= length) seek(0, JUMP);
	}
	function step(at) {
		if (closed) return;
		requestAnimationFrame(step);
		const delta = Math.max(0, at - before) / 1000 * Number(speed.value);
		if (runs) hurry((at - before) / 1000);
		before = Math.max(at, before);
		if (runs) {
			const next = time + delta, over = next >= length;
			if (over && !loop.checked) seek(length, delta), play(false);
			else seek(over ? next % length : next, over ? JUMP : delta);
		}
		if (controls.update() || dirty) dirty = false, render();
	}

	// Record the clip once, as WebM or what the browser writes.
	function record() {
		if (recorder) return recorder.stop();
		const type = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find(it => MediaRecorder.isTypeSupported(it)), parts = [];
		recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 });
		const mine = recorder;
		mine.ondataavailable = ({ data }) => parts.push(data);
		mine.onstop = () => { recorder = null, video.textContent = "Video", download(new Blob(parts, { type }), `clip.${type.includes("mp4") ? "mp4" : "webm"}`); };
		seek(0, JUMP), play(true), video.textContent = "Stop", mine.start();
		setTimeout(() => mine.state === "recording" && mine.stop(), length * 1000 / Number(speed.value));
		say("The video is being recorded.");
	}

	playing.onclick = () => play(!runs), bar.oninput = () => { play(false), seek(Number(bar.value), JUMP); };
	which.onchange = () => choose(which.value), follow.onchange = () => hips(last), named.onchange = () => { labels.hidden = !named.checked, dirty = true; }, controls.addEventListener("change", () => { dirty = true; });
	const watcher = new ResizeObserver(fit);
	watcher.observe(canvas.parentElement);
	fit();
	if (names.includes(clip)) which.value = clip;
	choose(which.value || clip);
	const moves = all.some(it => it.clip);
	times.hidden = !moves;
	play(moves && !matchMedia("(prefers-reduced-motion: reduce)").matches);
	render(), requestAnimationFrame(step);
	return { sides: all, camera, render, seek(at) { play(false), seek(at, JUMP), render(); }, close() {
		closed = true, recorder?.stop(), watcher.disconnect(), controls.dispose(), all.forEach(it => it.free());
		ground.geometry.dispose(), renderer.dispose(), renderer.forceContextLoss(), stage.replaceChildren();
	} };
}
