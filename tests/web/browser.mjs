// browser.mjs: a headless browser of the system, and a page of it that has been loaded.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.ANIM_WEB_MODULES, "x.js"));
const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")));
export const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
	"--disable-dev-shm-usage", "--enable-unsafe-swiftshader", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost"];
const preferences = folder => ({
	"browser.download.folderList": 2, "browser.download.dir": folder, "browser.download.useDownloadDir": true, "browser.helperApps.neverAsk.saveToDisk": "application/octet-stream,application/zip,text/csv",
	"browser.download.always_ask_before_handling_new_types": false, "browser.download.alwaysOpenPanel": false, "network.captive-portal-service.enabled": false, "network.connectivity-service.enabled": false,
	"dom.min_background_timeout_value": 4, "dom.ipc.processPrelaunch.enabled": false,
});

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
export { sleep };

// Start the browser "chromium" or "firefox". PROGRAM names its executable.
export async function start(name, program) {
	const downloads = mkdtempSync(join(tmpdir(), "downloads-"));
	const browser = await puppeteer.launch(name === "firefox"
		? { browser: "firefox", executablePath: program, headless: true, extraPrefsFirefox: preferences(downloads) }
		: { executablePath: program, headless: true, args: quiet });
	if (name !== "firefox") await (await browser.target().createCDPSession()).send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
	const close = async () => {
		await browser.close();
		rmSync(downloads, { recursive: true, force: true });
	};
	return { name, browser, downloads, close, open: (address, waits = true) => open(browser, address, downloads, waits) };
}

// Open the page at the address, and wait until it is ready. problems: what the console or a script complained about.
// addresses: the addresses that were asked.
async function open(browser, address, downloads, waits) {
	const page = await browser.newPage(), problems = [], addresses = [];
	page.on("console", message => ["error", "warn"].includes(message.type()) && !/GL Driver Message/.test(message.text()) && problems.push(message.text()));
	page.on("pageerror", error => problems.push(String(error)));
	page.on("request", request => addresses.push(request.url()));
	await page.goto(address);
	if (waits) await page.waitForSelector("#drop:not([hidden])", { timeout: 20000 });
	return { page, problems, addresses, ...actions(page, downloads) };
}

function actions(page, downloads) {
	const text = selector => page.$eval(selector, it => it.textContent);
	const idle = () => page.waitForFunction(() => document.getElementById("work").hidden, { timeout: 120000, polling: 30 });
	return {
		text, idle,
		async add(...paths) {
			await (await page.$("#files")).uploadFile(...paths);
			await page.waitForFunction(count => document.querySelectorAll("#list .card").length === count && !document.getElementById("list").textContent.includes("Reading ..."),
				{ timeout: 60000, polling: 30 }, paths.length);
			await idle();
		},
		async set(id, value) {
			await page.$eval(`#${id}`, (it, value) => {
				if (it.type === "checkbox") it.checked = value;
				else it.value = value;
				for (const type of ["input", "change"]) it.dispatchEvent(new Event(type, { bubbles: true }));
			}, value);
		},
		async convert() {
			await page.$eval("#said", it => { it.textContent = ""; });
			await page.$eval("#start", it => it.click());
			await page.waitForFunction(() => /ready|Cancelled/.test(document.getElementById("said").textContent), { timeout: 240000, polling: 30 });
		},
		messages: selector => page.$$eval(`${selector} .message`, list => list.map(it => it.textContent)),
		// Click the link, wait for the file, and return its bytes.
		async save(selector, index = 0) {
			const name = await page.$$eval(selector, (list, index) => (list[index].click(), list[index].download || { "bones-save": "bones.csv" }[list[index].id] || "clips.zip"), index);
			const file = join(downloads, name);
			for (let n = 0; n < 1000; n++) {
				if (existsSync(file) && !readdirSync(downloads).some(it => /\.(part|crdownload)$/.test(it))) {
					const bytes = readFileSync(file);
					if (bytes.length) return rmSync(file), { name, bytes };
				}
				await sleep(30);
			}
			throw new Error(`${name} was not downloaded`);
		},
	};
}

// Return the memory of the browser's processes in MB, without what other processes share.
export function memory(browser) {
	const parents = new Map(), root = browser.process().pid;
	for (const pid of readdirSync("/proc").filter(it => /^\d+$/.test(it))) {
		try {
			parents.set(+pid, +readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ")[1]);
		} catch {}
	}
	const below = pid => pid === root || parents.has(pid) && below(parents.get(pid));
	let sum = 0;
	for (const pid of parents.keys()) {
		if (!below(pid)) continue;
		try {
			sum += +/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))[1];
		} catch {}
	}
	return sum / 1024;
}
