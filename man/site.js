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
	let index = null;

	// Called by the index with its sections: address, page, heading, text.
	globalThis.searchIndex = list => {
		index = list.map(([address, page, heading, text]) => ({ address, page, heading, text, low: [heading, page, text].map(it => it.toLowerCase()) }));
		show();
	};
	function load() {
		if (index) return;
		index = [];
		document.head.append(make("script", { src: `${up}man/search.js` }));
	}

	// Points of a section: all words must be in it. The heading counts most, then the page, then the text.
	function points({ low: [heading, page, text] }, words) {
		let sum = 0;
		for (const word of words) {
			const part = (heading.split(/[^\w-]+/).includes(word) ? 12 : heading.includes(word) ? 6 : 0) + (page.includes(word) ? 5 : 0) + (text.includes(word) ? 1 : 0);
			if (!part) return 0;
			sum += part;
		}
		return sum;
	}

	function show() {
		const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
		const best = words.length ? (index ?? []).map(it => ({ it, points: points(it, words) })).filter(it => it.points).sort((a, b) => b.points - a.points).slice(0, 12) : [];
		found.replaceChildren(...best.map(({ it }) => {
			const at = Math.max(0, it.text.toLowerCase().indexOf(words[0]) - 40);
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
