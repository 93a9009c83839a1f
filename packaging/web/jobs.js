// jobs.js: a queue of program runs in a worker. A worker ends after some runs or when there is nothing to do, which gives
// its memory back. Another one is always ready.

const RUNS = 25, BYTES = 64e6, IDLE_MS = 1000;

export class Jobs {
	#module;
	#script;
	#spare = null;
	#worker = null;
	#runs = 0;
	#bytes = 0;
	#queue = [];
	#current = null;
	#done = 0;
	#idle = 0;
	#shared = [];
	#watch;

	// module: the compiled programs. script: the text of the worker. watch is called when the queue or the progress changes.
	// A worker from a blob has the policy of the page and needs no server. A worker from an address would have no policy.
	constructor(module, script, watch) {
		this.#module = module;
		this.#script = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
		this.#watch = watch;
		this.#prepare();
	}

	#prepare() {
		const worker = new Worker(this.#script);
		worker.onmessage = ({ data }) => this.#receive(worker, data);
		worker.onerror = event => {
			event.preventDefault();
			worker.failed = event.message || "the worker did not start";
			if (worker === this.#worker) this.#receive(worker, { id: this.#current?.id, failed: worker.failed });
		};
		worker.postMessage({ module: this.#module });
		this.#spare = worker;
	}

	#start() {
		clearTimeout(this.#idle);
		if (!this.#current && !this.#queue.length) this.#idle = setTimeout(() => this.#end(), IDLE_MS);
		if (this.#current || !this.#queue.length) return this.#watch(this.state);
		if (!this.#worker) {
			this.#worker = this.#spare;
			this.#runs = this.#bytes = 0;
			this.#prepare();
		}
		const job = this.#current = this.#queue.shift(), { id, argv, files, describes } = job;
		if (this.#worker.shared !== this.#shared) this.#worker.postMessage({ shared: this.#shared });
		this.#worker.shared = this.#shared;
		this.#worker.postMessage({ id, argv, files, describes });
		if (this.#worker.failed) this.#receive(this.#worker, { id, failed: this.#worker.failed });
		this.#watch(this.state);
	}

	#receive(worker, data) {
		const job = this.#current;
		if (worker !== this.#worker || data.id !== job?.id) return;
		if (data.part !== undefined) {
			job.part = data.part;
			return this.#watch(this.state);
		}
		this.#current = null;
		this.#done++, this.#runs++, this.#bytes += data.bytes ?? 0;
		if (data.failed !== undefined || this.#runs >= RUNS || this.#bytes > BYTES) this.#end();
		if (data.failed !== undefined) job.reject(new Error(data.failed));
		else job.resolve(data);
		this.#start();
	}

	#end() {
		this.#worker?.terminate();
		this.#worker = null;
	}

	// Set the files that all programs can open: [path, Blob] of each.
	share(files) {
		this.#shared = files;
	}

	// Run a program. files: more files that it can open. soon: before the jobs that wait.
	// Return { status, stderr, info, results }. The promise is rejected if the job is cancelled or the program breaks.
	run(label, argv, { files = [], describes = false, soon = false } = {}) {
		if (!this.#current) this.#done = 0;
		return new Promise((resolve, reject) => {
			this.#queue[soon ? "unshift" : "push"]({ id: crypto.randomUUID?.() ?? Math.random(), label, argv, files, describes, soon, resolve, reject, part: 0 });
			this.#start();
		});
	}

	cancel() {
		const jobs = [this.#current, ...this.#queue].filter(Boolean);
		this.#current = null, this.#queue = [];
		this.#end();
		for (const job of jobs) job.reject(new Error("cancelled"));
		this.#watch(this.state);
	}

	// The label and the part of the current job, or null, whether it went before others, and the numbers of jobs that have ended since
	// there was nothing to do and of jobs that wait.
	get state() {
		const { label = null, part = null, soon = false } = this.#current ?? {};
		return { label, part, soon, done: this.#done, waiting: this.#queue.length };
	}
}
