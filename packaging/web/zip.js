// zip.js: writes a zip archive without compression.

const table = Uint32Array.from({ length: 256 }, (_, n) => {
	for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
	return n;
});

function crc32(bytes) {
	let crc = ~0;
	for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
	return ~crc >>> 0;
}

// Return little-endian bytes for a list of numbers, each with its size in bytes.
function pack(...fields) {
	const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0)), view = new DataView(bytes.buffer);
	let at = 0;
	for (const [size, value] of fields) {
		if (size === 2) view.setUint16(at, value, true);
		else view.setUint32(at, value, true);
		at += size;
	}
	return bytes;
}

// Bit 11 says that the name is UTF-8. The date is the first one that the format can store, so that the same files give
// the same archive.
const UTF8 = 1 << 11, FIRST_DAY = (1 << 5) | 1, VERSION = 20, LIMIT = 0xffffffff;

// Return a Blob with the files, a list of { name, blob }. Throw an Error if the archive would need the 64-bit format.
export async function zip(files) {
	const parts = [], entries = [];
	let at = 0;
	for (const { name, blob } of files) {
		const path = new TextEncoder().encode(name);
		const sums = [[4, crc32(new Uint8Array(await blob.arrayBuffer()))], [4, blob.size], [4, blob.size]];
		const common = [[2, VERSION], [2, UTF8], [2, 0], [2, 0], [2, FIRST_DAY], ...sums, [2, path.length], [2, 0]];
		entries.push(pack([4, 0x02014b50], [2, VERSION], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), path);
		const head = pack([4, 0x04034b50], ...common);
		parts.push(head, path, blob);
		at += head.length + path.length + blob.size;
		if (at > LIMIT || path.length > 0xffff || files.length > 0xfffe) throw new Error("too large for one zip file");
	}
	const size = entries.reduce((sum, it) => sum + it.length, 0);
	const end = pack([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, at], [2, 0]);
	return new Blob([...parts, ...entries, end], { type: "application/zip" });
}
