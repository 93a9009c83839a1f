// mmd_play.mjs MODEL.pmx MOTION.vmd FRAME...: plays the motion on the model in babylon-mmd, without a graphics card. Prints lines as
// mmd_values.py reads them: frame, number and name of a bone, its place in units, its rotation in space, its own rotation (not
// known, so none) and two zeros.
// Imports are found beside the script: copy it to a folder with node_modules of babylon-mmd and @babylonjs/core.
import fs from "fs";
import { register } from "module";

// both packages leave out the suffixes of files that they import
register(`data:text/javascript,${encodeURIComponent(`
	export async function resolve(name, context, next) {
		const ways = /^(\\.|@babylonjs|babylon-mmd)/.test(name) && !name.endsWith(".js") ? [name + ".js", name + "/index.js"] : [name];
		for (const way of ways)
			try { return await next(way, context); } catch (error) { if (way === ways.at(-1)) throw error; }
	}
	export async function load(name, context, next) {
		return next(name, name.endsWith(".js") && name.includes("babylon") ? { ...context, format: "module" } : context);
	}`)}`);
const { NullEngine } = await import("@babylonjs/core/Engines/nullEngine");
const { Scene } = await import("@babylonjs/core/scene");
const { Matrix, Quaternion, Vector3 } = await import("@babylonjs/core/Maths/math.vector");
const { Logger } = await import("@babylonjs/core/Misc/logger");
const { LoadAssetContainerAsync } = await import("@babylonjs/core/Loading/sceneLoader");
await import("babylon-mmd/esm/Loader/pmxLoader");
await import("babylon-mmd/esm/Runtime/Animation/mmdRuntimeModelAnimation");
const { VmdLoader } = await import("babylon-mmd/esm/Loader/vmdLoader");
const { MmdRuntime } = await import("babylon-mmd/esm/Runtime/mmdRuntime");

const [model, motion, ...frames] = process.argv.slice(2);
const bytes = (path) => { const data = fs.readFileSync(path); return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength); };
Logger.LogLevels = Logger.NoneLogLevel;
const scene = new Scene(new NullEngine());
const container = await LoadAssetContainerAsync(new Uint8Array(bytes(model)), scene, { pluginExtension: ".pmx" });
const runtime = new MmdRuntime(scene, null);
const player = runtime.createMmdModel(container.meshes[0], { materialProxyConstructor: null });
const animation = await new VmdLoader(scene).loadFromBufferAsync("motion", bytes(motion));
player.setRuntimeAnimation(player.createRuntimeAnimation(animation));
for (const frame of frames) {
	player.beforePhysics(Number(frame));
	player.afterPhysics();
	player.runtimeBones.forEach((bone, number) => {
		const place = new Vector3(), rotation = new Quaternion();
		Matrix.FromArray(bone.worldMatrix).decompose(undefined, rotation, place);
		console.log([frame, number, bone.name, ...place.asArray(), ...rotation.asArray(), 0, 0, 0, 1, 0, 0].join("\t"));
	});
}
process.exit(0);
