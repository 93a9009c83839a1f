#!/usr/bin/env node
// link.cjs: sets up an Animator in Resonite for a clip, over ResoniteLink on this machine. See README.md.
"use strict";
const fs = require("fs");
const http = require("http");
const path = require("path");
const WebSocket = require("ws");

const usage = `usage: node link.cjs PORT RIG SHEET.json CLIP
  PORT   of ResoniteLink, which Resonite shows when you switch it on
  RIG    name of the slot that has all animated slots below it
  SHEET  of anim convert --bind-sheet SHEET.json
  CLIP   an .animx, which this program serves, or an .animj, which you drop into the world`;
const provider = "[FrooxEngine]FrooxEngine.StaticAnimationProvider";
const animator = "[FrooxEngine]FrooxEngine.Animator";
const driver = "[FrooxEngine]FrooxEngine.DynamicBlendShapeDriver";
const renderer = "[FrooxEngine]FrooxEngine.SkinnedMeshRenderer";
const prefix = "BlendShape."; // of blend shapes in the sheet
const fields = { Position: "position", Rotation: "rotation", Scale: "scale", Active: "isActive" };

// ---- The connection: a request waits for the response with its id ----

class Link {
	constructor(port) {
		this.waiting = new Map();
		this.count = 0;
		this.socket = new WebSocket(`ws://127.0.0.1:${port}`);
		this.open = new Promise((resolve, reject) => {
			this.socket.on("open", resolve);
			this.socket.on("error", error => reject(new Error(`no ResoniteLink at port ${port}: ${error.message}`)));
		});
		this.socket.on("message", data => this.receive(JSON.parse(data)));
		this.socket.on("close", () => this.waiting.forEach(({ reject }) => reject(new Error("Resonite closed the connection"))));
	}

	receive(response) {
		const request = this.waiting.get(response.sourceMessageId);
		this.waiting.delete(response.sourceMessageId);
		if (!request)
			return;
		const failed = [response, ...(response.responses ?? [])].find(one => one.success === false);
		if (failed)
			request.reject(new Error(`Resonite refused ${request.type}: ${failed.errorInfo}`));
		else
			request.resolve(response);
	}

	send(message) {
		const messageId = `anim-tools ${++this.count}`;
		return new Promise((resolve, reject) => {
			this.waiting.set(messageId, { resolve, reject, type: message.$type });
			this.socket.send(JSON.stringify({ ...message, messageId }));
		});
	}

	batch(operations) {
		return this.send({ $type: "dataModelOperationBatch", operations });
	}
}

// ---- The world ----

// Yield the slot and all slots below it. A chain of 10,000 bones would be too deep for a recursion.
function* slotsBelow(slot) {
	for (const left = [slot]; left.length > 0;) {
		const next = left.pop();
		yield next;
		for (const child of [...next.children ?? []].reverse())
			left.push(child);
	}
}

const nameOf = slot => slot.name?.value ?? "";
const componentsOf = (slot, type) => (slot.components ?? []).filter(component => component.componentType === type);
const getWorld = async link => (await link.send({ $type: "getSlot", slotId: "Root", depth: -1, includeComponentData: true })).data;

function providersOf(world) {
	return [...slotsBelow(world)].flatMap(slot => componentsOf(slot, provider)).map(component => component.id);
}

// Return the names above the last name of a path: "A/Skeleton3D:Hips" gives A and Skeleton3D.
function namesAbove(nodePath) {
	const names = nodePath.split("/"), last = names.pop(), colon = last.lastIndexOf(":");
	return colon > 0 ? [...names, last.slice(0, colon)] : names;
}

/*
 * Return a function that returns the slot of a track below the rig, or undefined with one warning for each path. If several slots
 * have the name, the slot counts that has most names of the path above it, in their order, and among these the fewest others.
 */
function makeFinder(rig, warn) {
	const named = new Map(), parents = new Map(), found = new Map();
	for (const slot of slotsBelow(rig)) {
		named.has(nameOf(slot)) ? named.get(nameOf(slot)).push(slot) : named.set(nameOf(slot), [slot]);
		for (const child of slot.children ?? [])
			parents.set(child, slot);
	}
	const score = (slot, names) => {
		let left = names.length, others = 0;
		for (let above = parents.get(slot); above; above = parents.get(above))
			left > 0 && nameOf(above) === names[left - 1] ? left-- : others++;
		return left + others / 1e6;
	};
	const choose = track => {
		const slots = named.get(track.node) ?? [], names = namesAbove(track.path);
		const scores = slots.length > 1 ? slots.map(slot => score(slot, names)) : [0], best = Math.min(...scores);
		const same = slots.filter((_, i) => scores[i] === best);
		if (same.length !== 1)
			warn(same.length === 0 ? `no slot '${track.node}' below '${nameOf(rig)}'` : `${same.length} slots for '${track.path}'`);
		return same.length === 1 ? same[0] : undefined;
	};
	return track => {
		if (!found.has(track.path))
			found.set(track.path, choose(track));
		return found.get(track.path);
	};
}

// ---- The clip as an asset ----

// Serve the file to Resonite on this machine. It is there only while this program runs.
async function serve(file) {
	const server = http.createServer((request, response) => fs.createReadStream(file).pipe(response));
	await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${server.address().port}/${encodeURIComponent(path.basename(file))}`;
}

// Wait until the user has dropped the file, and return its provider. Nothing but its being new shows which it is.
async function waitForDrop(link, before, file) {
	console.log(`drop ${file} into the world`);
	for (;;) {
		await new Promise(resolve => setTimeout(resolve, 1000));
		const dropped = providersOf(await getWorld(link)).find(id => !before.includes(id));
		if (dropped)
			return dropped;
	}
}

// ---- The messages that set up the Animator ----

const reference = targetId => ({ $type: "reference", targetId });
const nothing = count => ({ $type: "list", elements: Array.from({ length: count }, () => reference(null)) });
const update = (id, members) => ({ $type: "updateComponent", data: { id, members } });
const add = (slot, id, componentType, members) =>
	({ $type: "addComponent", containerSlotId: slot, data: { id, componentType, members } });

// Return the drivers that the blend shapes of the sheet need: one for each mesh.
function findDrivers(tracks, find, id, warn) {
	const drivers = new Map();
	for (const track of tracks) {
		if (!track.property.startsWith(prefix) || track.type !== "float")
			continue;
		const slot = find(track);
		const mesh = slot && componentsOf(slot, renderer)[0];
		if (slot && !mesh)
			warn(`'${track.node}' has no SkinnedMeshRenderer for '${track.property}'`);
		if (!mesh)
			continue;
		if (!drivers.has(slot))
			drivers.set(slot, { id: `${id}_driver${drivers.size}`, slot, mesh: mesh.id, tracks: [] });
		drivers.get(slot).tracks.push(track);
	}
	return [...drivers.values()];
}

/*
 * Bind the tracks. Elements given for a new list arrive empty (ResoniteLink issue 79). So lists are written with empty elements, then
 * read for their ids, and written again with these ids. Entries of a driver that come after its Renderer are not linked to the mesh,
 * so the Renderer is set last. A track without a field keeps an empty element, so that no number shifts.
 */
async function bind(link, world, rig, clip, asset) {
	const warn = text => console.error(`link: ${text}`);
	const find = makeFinder(rig, warn), id = `anim-tools_${Date.now().toString(36)}_${process.pid}`;
	const tracks = clip.tracks, drivers = findDrivers(tracks, find, id, warn), source = asset.provider ?? `${id}_provider`;
	const lists = component => component.data.members;
	const targets = new Map();

	await link.batch([
		{ $type: "addSlot", data: { id, parent: reference(rig.id), name: { $type: "string", value: clip.clip } } },
		...(asset.provider ? [] : [add(id, source, provider, { URL: { $type: "Uri", value: asset.url } })]),
		add(id, `${id}_animator`, animator, { Clip: reference(source), Fields: nothing(tracks.length) }),
		...drivers.map(one => add(one.slot.id, one.id, driver, {
			BlendShapes: { $type: "list", elements: one.tracks.map(() => ({ $type: "syncObject", members: {} })) } })),
	]);
	for (const one of drivers)
		one.elements = lists(await link.send({ $type: "getComponent", componentId: one.id })).BlendShapes.elements;
	const animatorNow = lists(await link.send({ $type: "getComponent", componentId: `${id}_animator` }));

	for (const track of tracks) {
		const slot = track.field && find(track), field = slot && slot[fields[track.field]];
		if (field)
			targets.set(track.number, field.id);
	}
	for (const one of drivers)
		one.tracks.forEach((track, i) => targets.set(track.number, one.elements[i].members.Value.id));
	await link.batch([
		...drivers.map(one => update(one.id, { BlendShapes: { $type: "list", elements: one.elements.map((element, i) => ({
			$type: "syncObject", id: element.id, members: { BlendShapeName: { $type: "string",
				id: element.members.BlendShapeName.id, value: one.tracks[i].property.slice(prefix.length) } } })) } })),
		...drivers.map(one => update(one.id, { Renderer: reference(one.mesh) })),
		update(`${id}_animator`, { Fields: { $type: "list", elements: animatorNow.Fields.elements.map((element, i) =>
			({ ...reference(targets.get(i) ?? null), id: element.id })) } }),
		update(`${id}_animator`, { _playback: { $type: "playback", play: true, loop: true, position: 0, speed: 1 } }),
	]);
	console.log(`${clip.clip}: ${targets.size} of ${tracks.length} tracks bound, ${link.count} messages`);
	for (const track of tracks)
		if (!targets.has(track.number))
			console.log(`  ${track.number} ${track.path} ${track.property}: ${track.why ?? "no such slot"}`);
}

async function main([port, name, sheet, file]) {
	const clips = JSON.parse(fs.readFileSync(sheet, "utf8"));
	if (clips.length !== 1)
		throw new Error(`${sheet} has ${clips.length} clips; make one sheet for each clip`);
	const link = new Link(port);
	await link.open;
	const world = await getWorld(link);
	const rigs = [...slotsBelow(world)].filter(slot => nameOf(slot) === name);
	if (rigs.length !== 1)
		throw new Error(rigs.length === 0 ? `no slot '${name}'` : `${rigs.length} slots '${name}'; rename one`);
	const isServed = /\.animx$/i.test(file);
	const asset = isServed ? { url: await serve(file) } : { provider: await waitForDrop(link, providersOf(world), file) };
	await bind(link, world, rigs[0], clips[0], asset);
	if (isServed && !process.env.ANIM_LINK_ONCE)
		console.log("the clip plays as long as this program runs; press Ctrl-C to end it");
	else
		process.exit(0);
}

if (process.argv.length !== 6) {
	console.error(usage);
	process.exit(2);
}
main(process.argv.slice(2)).catch(error => {
	console.error(`link: ${error.message}`);
	process.exit(1);
});
