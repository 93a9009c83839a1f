// vrm_play.mjs ANIM MODEL.vrm ANIMATION.vrma: plays the animation on the model in three-vrm, and the output of the program ANIM in
// three.js. Prints how far bones of the model differ at 21 times, in degrees, then the lowest and highest place of the hips.
// Imports are found beside the script: copy it to a folder with node_modules of three, @pixiv/three-vrm and
// @pixiv/three-vrm-animation.
import { execFileSync } from "child_process";
import fs from "fs";
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { VRMLoaderPlugin } from "@pixiv/three-vrm";
import { VRMAnimationLoaderPlugin, createVRMAnimationClip } from "@pixiv/three-vrm-animation";

globalThis.self = globalThis;
console.warn = () => {};

function load(file, Plugin) {
	const loader = new GLTFLoader();
	const bytes = fs.readFileSync(file);
	if (Plugin) loader.register((parser) => new Plugin(parser));
	loader.register(() => ({ name: "none", loadTexture: async () => new THREE.Texture() }));
	return new Promise((done, fail) =>
		loader.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "", done, fail));
}

const [anim, model, animation] = process.argv.slice(2);
const { vrm } = (await load(model, VRMLoaderPlugin)).userData;
const [played] = (await load(animation, VRMAnimationLoaderPlugin)).userData.vrmAnimations;
const clip = createVRMAnimationClip(played, vrm);
execFileSync(anim, ["convert", "-q", "--force", "--retarget", model, animation, "vrm_play.glb"], { stdio: "ignore" });
const ours = await load("vrm_play.glb");
const mixers = [new THREE.AnimationMixer(vrm.scene), new THREE.AnimationMixer(ours.scene)];
mixers[0].clipAction(clip).play();
mixers[1].clipAction(ours.animations[0]).play();
let worst = 0, count = 0;
const heights = [];
for (let k = 0; k <= 20; k++) {
	for (const mixer of mixers) mixer.setTime((clip.duration * 0.999 * k) / 20);
	vrm.humanoid.update();
	for (const scene of [vrm.scene, ours.scene]) scene.updateMatrixWorld(true);
	for (const name of Object.keys(vrm.humanoid.humanBones)) {
		const theirs = vrm.humanoid.getRawBoneNode(name), bone = theirs && ours.scene.getObjectByName(theirs.name);
		if (!bone) continue;
		const [a, b] = [theirs, bone].map((node) => node.getWorldQuaternion(new THREE.Quaternion()));
		const way = a.invert().multiply(b); // an arc cosine of nearly 1 is only right to .02 degrees
		const off = (2 * Math.atan2(Math.hypot(way.x, way.y, way.z), Math.abs(way.w)) * 180) / Math.PI;
		worst = off <= worst ? worst : off; // NaN stays
		count++;
		if (name === "hips") heights.push(theirs.getWorldPosition(new THREE.Vector3()).y);
	}
}
console.log(`${count} ${worst.toFixed(4)} ${Math.min(...heights).toFixed(3)} ${Math.max(...heights).toFixed(3)}`);
