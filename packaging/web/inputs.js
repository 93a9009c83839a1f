// inputs.js: collects the files that a person drops or chooses, as { path, file, loose }. loose: the file was chosen
// itself, and not as a part of a folder.

// Return a relative path that stays inside its folder.
export function clean(path) {
	const names = path.replaceAll("\0", "").split(/[/\\]/).filter(name => name !== "" && name !== "." && name !== "..");
	return names.join("/") || "file";
}

const fileOf = entry => new Promise((resolve, reject) => entry.file(resolve, reject));
const readSome = reader => new Promise((resolve, reject) => reader.readEntries(resolve, reject));

// readEntries returns a part of the entries at a time, and none at the end.
async function* walk(entry) {
	if (entry.isFile) yield { path: clean(entry.fullPath), file: await fileOf(entry) };
	if (!entry.isDirectory) return;
	const reader = entry.createReader();
	for (let some = await readSome(reader); some.length > 0; some = await readSome(reader))
		for (const inner of some) yield* walk(inner);
}

// Read a drop. The browser clears the list of items when the event ends, so the entries are taken at once.
export async function dropped(transfer, isWanted) {
	const items = [...transfer.items].filter(it => it.kind === "file");
	const entries = items.map(it => it.webkitGetAsEntry?.() ?? null), plain = [...transfer.files], found = [];
	if (!entries.length || entries.includes(null)) return chosen(plain, isWanted);
	for (const entry of entries)
		for await (const it of walk(entry)) if (entry.isFile || isWanted(it.path)) found.push({ ...it, loose: entry.isFile });
	return found;
}

// Read the files of an input element. A file of a chosen folder has a relative path.
export function chosen(list, isWanted) {
	return [...list].map(file => ({ path: clean(file.webkitRelativePath || file.name), file, loose: !file.webkitRelativePath }))
		.filter(it => it.loose || isWanted(it.path));
}

const units = ["bytes", "kB", "MB", "GB"];
export function size(bytes) {
	const power = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)), value = bytes / 1000 ** power;
	return `${power && value < 10 ? value.toFixed(1) : Math.round(value)} ${bytes === 1 ? "byte" : units[power]}`;
}
