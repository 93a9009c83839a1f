// offline.js: a service worker that keeps the page's own files, so that the page works without a network.
const files = ["./", "app.js", "bones.js", "character.js", "command.js", "inputs.js", "jobs.js", "messages.js", "page.js", "player.js", "zip.js", "worker.js", "style.css", "icon.svg", "anim.wasm", "walker.tscn", "robot.glb"];
const kept = () => caches.open("anim-tools");

addEventListener("install", event => event.waitUntil(kept().then(cache => cache.addAll(files)).then(() => skipWaiting())));
addEventListener("activate", event => event.waitUntil(clients.claim()));

// The network comes first, so that a new version of the page is never hidden by an old one.
async function answer(event) {
	const { request } = event, cache = await kept();
	try {
		const response = await fetch(request);
		if (response.ok) event.waitUntil(cache.put(request, response.clone()).catch(() => {})); // the disk may be full
		return response;
	} catch (error) {
		const found = await cache.match(request, { ignoreSearch: true });
		if (!found) throw error;
		return found;
	}
}

addEventListener("fetch", event => {
	const { method, url } = event.request;
	if (method === "GET" && url.startsWith(registration.scope)) event.respondWith(answer(event));
});
