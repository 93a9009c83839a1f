// messages.js: what the programs print, in the words of the page.

const words = { note: "Note", warning: "Warning", error: "Error" };
const units = { cm: "centimetres", in: "inches", cmu: "Carnegie Mellon" };

// Return { kind, text } for each message. The page has no programs, and its cards name the files in `paths`. A usage is for those who
// type the command.
export function told(printed, status, paths = []) {
	const names = paths.flatMap(path => [`./${path}`, path, path.split("/").at(-1)]);
	return printed.split("\n").filter(line => line.trim() !== "" && !line.startsWith("usage: ")).map(line => {
		let text = line.replace(/^anim(-[a-z]+)?: /, "");
		const name = names.find(it => text.startsWith(`${it}: `));
		if (name !== undefined) text = text.slice(name.length + 2);
		const mark = /(?:^|: )(note|warning): /.exec(text), kind = mark ? mark[1] : status ? "error" : "note";
		if (mark) text = text.slice(0, mark.index) + (mark.index ? ": " : "") + text.slice(mark.index + mark[0].length);
		text = text.replace(/('Unit of motion capture files') (cm|in|cmu)\b/, (_, field, unit) => `${field}: ${units[unit]}`);
		return { kind, text: `${words[kind]}: ${text}` };
	});
}
