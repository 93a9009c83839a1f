// bench.mjs BROWSER PROGRAM FOLDER FILE...: measures how long the page in FOLDER takes to load and to convert each file to glTF,
// with the longest time for which the page did nothing. Environment as in run.mjs.
import { memory, start } from "./browser.mjs";
import { serve } from "./server.mjs";

const [,, name, program, folder, ...files] = process.argv;
const server = await serve(folder), times = [];
for (let n = 0; n < 3; n++) {
	const started = await start(name, program), it = await started.open("about:blank", false), begun = performance.now();
	await it.page.goto(server.address);
	await it.page.waitForSelector("#drop:not([hidden])");
	times.push(performance.now() - begun);
	await started.close();
}
console.log(`${name}: loaded in ${times.map(it => it.toFixed(0)).join(", ")} ms`);
const started = await start(name, program);
for (const file of files) {
	const it = await started.open(server.address);
	await it.page.evaluate(() => {
		globalThis.seen = { gap: 0, values: new Set(), last: performance.now() };
		setInterval(() => {
			const now = performance.now(), bar = document.getElementById("progress");
			seen.gap = Math.max(seen.gap, now - seen.last), seen.last = now;
			if (!document.getElementById("work").hidden) seen.values.add(bar.hasAttribute("value") ? bar.value.toFixed(2) : "moving");
		}, 10);
	});
	const clock = async (title, action) => {
		const begun = performance.now();
		await action();
		const { gap, values } = await it.page.evaluate(() => { const { gap, values } = seen; seen.gap = 0, seen.values = new Set(); return { gap, values: values.size }; });
		console.log(`${file.split("/").at(-1)}: ${title} ${((performance.now() - begun) / 1000).toFixed(2)} s, page idle ${gap.toFixed(0)} ms, ${values} positions of the bar, ${memory(started.browser).toFixed(0)} MB`);
	};
	await clock("info", () => it.add(file));
	for (const format of ["glb", "animj"]) {
		await it.set("format", format);
		await clock(format, () => it.convert());
	}
	await it.page.close();
}
await started.close();
server.close();
