// server.mjs: a web server for the files of one folder, without any header that the page could depend on.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";

const types = { html: "text/html", css: "text/css", js: "text/javascript", mjs: "text/javascript", svg: "image/svg+xml", wasm: "application/wasm" };

// Return { address, asked, close }. asked: the method and the path of each request.
export async function serve(folder) {
	const asked = [];
	const server = createServer((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)).replace(/\/$/, "/index.html");
		const file = join(folder, path), size = statSync(file, { throwIfNoEntry: false })?.size;
		response.writeHead(size === undefined ? 404 : 200, { "content-type": types[file.split(".").at(-1)] ?? "application/octet-stream" });
		if (size === undefined) response.end();
		else createReadStream(file).pipe(response);
	});
	await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
	return { address: `http://localhost:${server.address().port}/`, asked, close: () => { server.close(), server.closeAllConnections(); } };
}
