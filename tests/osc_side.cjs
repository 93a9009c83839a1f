// osc_side.cjs NODE_MODULES listen PORT COUNT: npm's osc prints the messages of COUNT datagrams, each as a line of JSON with its arrival.
// osc_side.cjs NODE_MODULES send PORT FRAMES: it sends frames of VMC as bundles, and fails if anything comes back.
"use strict";
const [modules, mode, port, count] = process.argv.slice(2);
const osc = require(modules + "/osc");
const udp = new osc.UDPPort(mode === "listen"
	? { localAddress: "127.0.0.1", localPort: Number(port), metadata: true }
	: { localAddress: "127.0.0.1", localPort: 0, remoteAddress: "127.0.0.1", remotePort: Number(port), metadata: true });

if (mode === "listen") {
	let left = Number(count);
	udp.on("raw", () => --left || setTimeout(() => process.exit(0), 50));
	udp.on("message", message => console.log(JSON.stringify([performance.now(), message.address, ...message.args.map(a => a.value)])));
	udp.on("ready", () => console.log("ready"));
	setTimeout(() => process.exit(1), 20000);
} else {
	udp.on("raw", () => process.exit(3));
	udp.on("ready", () => {
		const f = value => ({ type: "f", value });
		for (let k = 0; k < Number(count); k++)
			setTimeout(() => udp.send({ timeTag: osc.timeTag(0), packets: [
				{ address: "/VMC/Ext/Bone/Pos", args: [{ type: "s", value: "Hips" }, ...[k, 1, 0, 0, 0, 0, 1].map(f)] },
				{ address: "/VMC/Ext/Blend/Val", args: [{ type: "s", value: "Joy" }, f(k / 16)] },
				{ address: "/VMC/Ext/T", args: [f(10 + k / 50)] }] }), 20 * k);
		setTimeout(() => process.exit(0), 20 * Number(count) + 100);
	});
}
udp.open();
