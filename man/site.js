// site.js: the search of the site. The index is a script, so that it also loads without a server. Without scripts, the pages are the same.
"use strict";
{
	const up = document.currentScript.dataset.up, make = (tag, more, ...children) => {
		const it = Object.assign(document.createElement(tag), more);
		it.append(...children);
		return it;
	};
	const field = make("input", { type: "search", id: "search", placeholder: "search the manual", autocomplete: "off" }), found = make("ol", { id: "found", hidden: true });
	const said = make("p", { className: "said", role: "status" });
	field.setAttribute("aria-label", "search the manual");
	let index = null, meanings = {};

	// Called by the index with its sections (address, page, heading, text), and with texts that mean the same as a word, none
	// for a word that says nothing.
	globalThis.searchIndex = (list, others) => {
		index = list.map(([address, page, heading, text]) => ({ address, page, heading, text, low: [heading, page, text].map(it => it.toLowerCase()) }));
		meanings = others;
		show();
	};
	function load() {
		if (index) return;
		index = [];
		document.head.append(make("script", { src: `${up}man/search.js` }));
	}

	// How well a section has a text: the heading counts most, then the page, then the text.
	function fit([heading, page, text], word) {
		const whole = it => { const at = it.indexOf(word); return at >= 0 && !/\w/.test(it[at - 1] ?? "") && !/\w/.test(it[at + word.length] ?? ""); };
		return (whole(heading) ? 12 : heading.includes(word) ? 6 : 0) + (page.includes(word) ? 5 : 0) + (text.includes(word) ? whole(text) ? 2 : 1 : 0);
	}

	// The sections with at least half of the words or texts that mean the same, best first. Rare words count more. A recipe counts
	// more than an old change, and a short heading more than a long one.
	function search(words) {
		const rows = (index ?? []).map(it => ({ it, points: 0, has: 0 }));
		for (const word of words) {
			const forms = [[word, 1], [word.replace(/(?<=\w{3})s$/, ""), 0.9], ...(meanings[word] ?? []).map(it => [it.toLowerCase(), 0.6])];
			const parts = rows.map(({ it }) => Math.max(...forms.map(([form, weight]) => weight * fit(it.low, form)))), uses = parts.filter(Boolean).length;
			rows.forEach((row, i) => { if (parts[i]) row.has++, row.points += parts[i] * Math.log(1 + rows.length / uses); });
		}
		const kind = ({ address }) => address.startsWith("COOKBOOK") ? 1.5 : address.startsWith("CHANGELOG") ? 0.4 : 1;
		for (const row of rows) row.points *= (row.has / words.length) ** 2 * kind(row.it) * (1 - row.it.heading.length / 2000);
		return rows.filter(it => 2 * it.has >= words.length && it.points).sort((a, b) => b.points - a.points).slice(0, 12);
	}

	function show() {
		const typed = field.value.toLowerCase().split(/[\s?!,]+/).filter(Boolean), useful = typed.filter(it => meanings[it]?.length !== 0), words = useful.length ? useful : typed;
		const best = words.length ? search(words) : [];
		found.replaceChildren(...best.map(({ it }) => {
			const places = words.map(word => it.low[2].indexOf(word)).filter(at => at >= 0), at = Math.max(0, Math.min(...places, it.text.length) - 40) % it.text.length || 0;
			return make("li", {}, make("a", { href: up + it.address }, it.page + (it.heading && it.heading !== it.page ? `: ${it.heading}` : "")), make("span", {}, ` ${at ? "..." : ""}${it.text.slice(at, at + 140)}`));
		}));
		found.hidden = !best.length;
		said.textContent = !words.length || !index?.length ? "" : best.length ? `${best.length} found` : "Nothing is found.";
	}

	field.onfocus = load;
	field.oninput = () => { load(), show(); };
	field.onkeydown = event => {
		if (event.key === "Escape") field.value = "", show();
		if (event.key === "Enter") found.querySelector("a")?.click();
	};
	document.querySelector("nav").append(make("div", { className: "search" }, field), said, found);
	addEventListener("keydown", event => {
		if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) event.preventDefault(), field.focus();
	});
}
