// resonite_host.cjs SHEET: a host that behaves like ResoniteLink, with the slots that a bind sheet names below the slot "Rig". It prints
// its port, and at the end of the connection what each element of Fields drives.
"use strict";
const fs = require("fs");
const { WebSocketServer } = require("ws");
const tracks = JSON.parse(fs.readFileSync(process.argv[2], "utf8"))[0].tracks;
const things = new Map(); // id -> slot, component, or the name of a field
let messages = 0, next = 0;
const newId = what => { const id = `Reso_${next++}`; things.set(id, what); return id; };

function makeSlot(name, parent) {
	const path = parent?.path ? `${parent.path}/${name}` : parent?.name.value === "RootNode" ? name : "";
	const slot = { id: "", name: { value: name }, components: [], children: [], path };
	slot.id = newId(slot);
	for (const field of ["position", "rotation", "scale", "isActive"])
		slot[field] = { id: newId(`${slot.path} ${field}`) };
	parent?.children.push(slot);
	return slot;
}

// Slots are at the paths of the nodes, below a slot that only Resonite has.
const world = makeSlot("Root"), rig = makeSlot("Rig", world), top = makeSlot("RootNode", rig);
for (const track of tracks) {
	const names = track.path === "." ? [track.node] : track.path.split(/[/:]/);
	let slot = top;
	for (const name of names)
		slot = slot.children.find(one => one.name.value === name) ?? makeSlot(name, slot);
	if (track.property.startsWith("BlendShape.") && slot.components.length === 0) {
		const mesh = { componentType: "[FrooxEngine]FrooxEngine.SkinnedMeshRenderer", members: {} };
		mesh.id = newId(mesh);
		slot.components.push(mesh);
	}
}

// Write a list. Elements of a new list arrive empty, and get their ids here (issue 79). Later an element is found by its id.
function writeList(component, name, list) {
	const old = component.members[name];
	if (!old) {
		component.members[name] = { $type: "list", elements: list.elements.map(element => element.$type === "reference"
			? { $type: "reference", id: newId("element"), targetId: null }
			: { $type: "syncObject", id: newId("element"), members: {
				BlendShapeName: { $type: "string", id: newId("name"), value: null }, Value: { $type: "float", id: newId(null), linked: false } } }) };
		return;
	}
	for (const element of list.elements) {
		const mine = old.elements.find(one => one.id === element.id);
		if (!mine)
			throw new Error(`no element ${element.id}`);
		if (element.$type === "reference" && element.targetId !== null && !things.has(element.targetId))
			throw new Error(`no target ${element.targetId}`);
		if (element.$type === "reference")
			mine.targetId = element.targetId;
		else
			mine.members.BlendShapeName.value = element.members.BlendShapeName.value;
	}
}

function write(component, members) {
	for (const [name, member] of Object.entries(members)) {
		if (member.$type === "list")
			writeList(component, name, member);
		else
			component.members[name] = member;
		if (member.$type === "reference" && !things.has(member.targetId))
			throw new Error(`no target ${member.targetId}`);
		if (name === "Renderer") // only the entries that have names by now are linked
			for (const element of component.members.BlendShapes.elements)
				things.set(element.members.Value.id, element.members.BlendShapeName.value === null ? null : `shape ${element.members.BlendShapeName.value}`);
	}
}

function answer(message) {
	switch (message.$type) {
	case "dataModelOperationBatch":
		return { responses: message.operations.map(one => ({ success: true, ...answer(one) })) };
	case "getSlot":
		return { data: world };
	case "addSlot": {
		const slot = makeSlot(message.data.name.value, things.get(message.data.parent.targetId));
		things.set(slot.id = message.data.id, slot);
		return { entityId: slot.id };
	}
	case "addComponent": {
		const component = { id: message.data.id, componentType: message.data.componentType, members: {} };
		things.get(message.containerSlotId).components.push(component);
		things.set(component.id, component);
		write(component, message.data.members);
		return { entityId: component.id };
	}
	case "updateComponent":
		write(things.get(message.data.id), message.data.members);
		return {};
	case "getComponent":
		return { data: JSON.parse(JSON.stringify(things.get(message.componentId))) };
	}
	throw new Error(`unknown message ${message.$type}`);
}

function report() {
	for (const component of things.values())
		if (component?.componentType === "[FrooxEngine]FrooxEngine.Animator") {
			const { Fields, Clip, _playback } = component.members;
			Fields.elements.forEach((element, i) => console.log(`${i} ${element.targetId === null ? "-" : things.get(element.targetId)}`));
			console.log(`${things.get(Clip.targetId).members.URL.value.replace(/:\d+/, "")} ${_playback.play} messages ${messages}`);
		}
	process.exit(0);
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 }, () => console.log(server.address().port));
server.on("connection", socket => {
	socket.on("message", data => {
		const message = JSON.parse(data);
		messages++;
		let response;
		try {
			response = { success: true, ...answer(message) };
		} catch (error) {
			response = { success: false, errorInfo: error.message };
		}
		socket.send(JSON.stringify({ sourceMessageId: message.messageId, ...response }));
	});
	socket.on("close", report);
});
setTimeout(() => process.exit(1), 20000);
