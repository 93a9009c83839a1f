// page.js: what the other modules share: elements, words and messages.
import { told } from "./messages.js";

export const $ = id => document.getElementById(id);
export const make = (tag, more = {}, ...children) => {
	const it = Object.assign(document.createElement(tag), more);
	it.append(...children);
	return it;
};
export const button = (text, about, onclick) => {
	const it = make("button", { type: "button", onclick }, text);
	if (about) it.append(make("span", { className: "heard" }, ` ${about}`));
	return it;
};
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
export const base = path => path.split("/").at(-1);
export const say = text => { $("said").textContent = text; };
// Save a Blob as a file. The address is kept until a slow browser has read it.
export function download(blob, name) {
	const url = URL.createObjectURL(blob);
	make("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// Return the JSON of a glTF or GLB file, and the second chunk of a GLB file, which is not read.
const JSON_MOST = 64e6;
export async function glTF(blob) {
	const head = new DataView(await blob.slice(0, 20).arrayBuffer()), isBinary = head.byteLength === 20 && head.getUint32(0, true) === 0x46546c67;
	const [from, end] = isBinary ? [20, 20 + head.getUint32(12, true)] : [0, blob.size];
	if (end > JSON_MOST) throw new Error("its JSON is too large");
	return { json: JSON.parse(await blob.slice(from, end).text()), body: blob.slice(end + 8) };
}
export const line = (kind, ...text) => make("li", { className: `message ${kind}` }, ...text);

// Messages of a program as list items. Several notes are folded.
export function messages(printed, status, paths) {
	const all = told(printed, status, paths), notes = all.filter(it => it.kind === "note").map(it => line("note", it.text));
	const rest = all.filter(it => it.kind !== "note").map(it => line(it.kind, it.text));
	return notes.length < 3 ? [...rest, ...notes] : [...rest, make("li", {}, make("details", {}, make("summary", {}, count(notes.length, "note")), make("ul", {}, ...notes)))];
}

// A program that does not end well prints nothing itself.
export function broken(error, path) {
	if (error.message === "cancelled") return line("note", "Cancelled.");
	if (error.message.startsWith("changed ")) return line("error", `Error: ${error.message.slice(8) || path} changed on disk after it was chosen. `, button("Choose it again", "", () => $("files").click()));
	return line("error", `Error: the program stopped at ${path}: ${error.message}. The file may be too large for the browser's memory.`);
}
