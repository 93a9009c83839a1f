// vrm.js: a page that plays walk.vrma on robot.vrm twice: with three-vrm's own player of animations, and with the glTF that the programs
// make from it, as the page shows it. It puts the largest differences into the global `found`. run.mjs bundles it. With #software, what the
// page shows where the processor draws is compared with three-vrm's picture: its colours are others, and only the outlines count.
import { AnimationMixer } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { createVRMAnimationClip, VRMAnimationLoaderPlugin } from "@pixiv/three-vrm-animation";
import { show } from "./character.js";

const blob = async name => (await fetch(name)).blob();
const [left, right] = ["left", "right"].map(id => document.getElementById(id)), model = await blob("robot.vrm");
// Tests run where the processor draws. The page then sees another name, unless it is to show what it shows there.
const onlyOutlines = location.hash === "#software", ask = WebGL2RenderingContext.prototype.getParameter;
let software = onlyOutlines;
WebGL2RenderingContext.prototype.getParameter = function (name) { return name === 0x9246 ? software ? "SwiftShader" : "a GPU" : ask.call(this, name); };
const ours = await show(left, { sides: [{ model, motion: await blob("walk.glb"), read: () => {} }], label: "ours" });
software = false;
const theirs = await show(right, { sides: [{ model, motion: null, read: () => {} }], label: "theirs" });
const loader = new GLTFLoader(), { vrm } = theirs.sides[0];
loader.register(parser => new VRMAnimationLoaderPlugin(parser));
const { userData } = await loader.loadAsync("walk.vrma"), clip = createVRMAnimationClip(userData.vrmAnimations[0], vrm), mixer = new AnimationMixer(vrm.scene);
mixer.clipAction(clip).play();
vrm.humanoid.autoUpdateHumanBones = true;
for (const { sides: [{ root }] } of [ours, theirs]) root.parent.children.filter(it => it.type === "GridHelper").forEach(it => { it.visible = false; });
for (const name of ["near", "far", "aspect"]) theirs.camera[name] = ours.camera[name];

const pixels = ({ render }, place) => {
	render();
	const canvas = document.createElement("canvas"), from = place.querySelector("canvas");
	canvas.width = from.width, canvas.height = from.height;
	const pen = canvas.getContext("2d", { willReadFrequently: true });
	pen.drawImage(from, 0, 0);
	return pen.getImageData(0, 0, canvas.width, canvas.height).data;
};
const found = { times: 0, drawn: 0, differ: 0, moved: 0 };
let first = null;
for (let k = 0; k <= 8; k++) {
	const time = clip.duration * 0.999 * k / 8;
	ours.seek(time);
	mixer.setTime(time), vrm.update(0), theirs.sides[0].root.position.copy(ours.sides[0].root.position);
	theirs.camera.position.copy(ours.camera.position), theirs.camera.quaternion.copy(ours.camera.quaternion), theirs.camera.updateProjectionMatrix(), theirs.sides[0].root.updateMatrixWorld(true);
	const [a, b] = [pixels(ours, left), pixels(theirs, right)];
	let differ = 0, drawn = 0, moved = 0;
	for (let i = 0; i < a.length; i += 4) {
		if (a[i + 3] > 200) drawn++;
		if (!onlyOutlines && (Math.abs(a[i] - b[i]) > 24 || Math.abs(a[i + 2] - b[i + 2]) > 24) || Math.abs(a[i + 3] - b[i + 3]) > (onlyOutlines ? 128 : 64)) differ++;
		if (first && Math.abs(a[i] - first[i]) > 24) moved++;
	}
	first ??= a;
	found.times++, found.drawn = Math.max(found.drawn, drawn), found.differ = Math.max(found.differ, differ), found.moved = Math.max(found.moved, moved);
}
globalThis.found = found;
