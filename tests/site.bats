#!/usr/bin/env bats
# make site: the documentation as pages that lead to one another, need no script but for the search, and fit a telephone.

load helper

setup_file() {
	[ "${ANIM_READ_MAX:-}" = 1 ] || sanitized || ! have_tools || "$ROOT/man/site.sh" "$BATS_FILE_TMPDIR/site"
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
	not_bytewise "the programs are not run"
	not_sanitized "the programs are not run"
	have_tools || skip "mandoc or cmark-gfm is not installed"
}

have_tools() {
	command -v mandoc && command -v cmark-gfm
} >/dev/null

@test "every link leads to a page, a file or an id that is there, every page is led to, and no page has another script than the search" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	run -0 python3 "$ROOT/tests/site.py" site
	[[ $output == *" pages, "*" links within" ]]
	cp -R site broken
	sed -i '0,/anim-cat.1.html/s//anim-dog.1.html/' broken/man/index.html
	rm broken/man/pipeline.svg
	echo '<p id="a"><p id="a"><a href="#b">' >>broken/man/anim.7.html
	touch broken/alone.html
	run -1 python3 "$ROOT/tests/site.py" broken
	[ "${#lines[@]}" -eq 5 ]
}

@test "every manual page, every example, and the pictures of README are on the site" {
	for file in "$ROOT"/man/*.[1357]; do
		[ -s "site/man/${file##*/}.html" ]
		grep -qF "href=\"${file##*/}.html\"" site/man/index.html
	done
	for file in "$ROOT"/examples/*.* "$ROOT"/examples/pictures/*; do
		cmp "$file" "site/${file#"$ROOT"/}"
	done
	[ "$(grep -c '<img ' site/index.html)" -eq "$(grep -c '^!\[' "$ROOT/README.md")" ]
	grep -q '<img src="../examples/pictures/strip.svg" alt="[A-Z]' site/man/anim-avatars.7.html
	grep -q 'href="anim-parse.1.html">anim-parse(1)</a>' site/man/anim.7.html
}

@test "another folder, locale and mask give the same bytes" {
	(cd / && umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 "$ROOT/man/site.sh" "$BATS_TEST_TMPDIR/again")
	diff -r site "$BATS_TEST_TMPDIR/again"
}

@test "no page is wider than 360 pixels" {
	for browser in chromium chromium-browser google-chrome; do ! command -v "$browser" >/dev/null || break; done
	command -v "$browser" >/dev/null || skip "chromium is not installed"
	# One page that holds all others as frames, and prints what is too wide; it may ask other files only if told so.
	{
		echo '<!DOCTYPE html><body>'
		(cd site && find . -name '*.html' | sort) | sed 's,^\./,<iframe style="width:360px;border:0" src="site/,; s/$/"><\/iframe>/'
		cat <<-'HTML'
			<script>
			onload = () => {
				const lines = [...document.querySelectorAll("iframe")].map(it => it.getAttribute("src") + " " + it.contentDocument.documentElement.scrollWidth);
				document.body.innerHTML = "<pre>\n\n" + lines.join("\n") + "\n</pre>";
			};
			</script>
		HTML
	} >frames.html
	for _ in 1 2; do # a browser that shares its machine may come late
		timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/profile" \
			--allow-file-access-from-files --hide-scrollbars --virtual-time-budget=20000 --dump-dom "file://$PWD/frames.html" 2>log |
			grep '^site/' >widths || true
		[ ! -s widths ] || break
	done
	[ "$(wc -l <widths)" -eq "$(find site -name '*.html' | wc -l)" ]
	run -1 grep -v ' 360$' widths
}

@test "the search finds tasks, options and pages without a server, and long pages have a list of their headings" {
	for browser in chromium chromium-browser google-chrome; do ! command -v "$browser" >/dev/null || break; done
	command -v "$browser" >/dev/null || skip "chromium is not installed"
	cat >search.html <<-'HTML'
		<!DOCTYPE html><body><iframe src="site/man/anim-convert.1.html"></iframe><script>
		onload = async () => {
			const inside = document.querySelector("iframe").contentDocument, field = inside.getElementById("search"), lines = [];
			for (const words of ["in-place", "retarget a VRM animation", "RESET", "qqqq", "My character is too big!", "mixamo", "T-pose", "trim", "loop", "feet slide", "lies on its face"]) {
				field.dispatchEvent(new Event("focus")), field.focus(), field.value = words, field.dispatchEvent(new Event("input"));
				for (let n = 0; n < 100 && !inside.querySelector(".said").textContent; n++) await new Promise(done => setTimeout(done, 20));
				lines.push(`${words}: ${inside.querySelector("#found a")?.textContent ?? inside.querySelector(".said").textContent}`);
				field.value = "", field.dispatchEvent(new Event("input"));
			}
			lines.push(`contents: ${[...inside.querySelectorAll(".contents a")].map(it => it.textContent).slice(0, 3)}`);
			document.body.innerHTML = "<pre>\n\n" + lines.join("\n") + "\n</pre>";
		};
		</script>
	HTML
	for _ in 1 2; do # a browser that shares its machine may come late
		timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/profile2" \
			--allow-file-access-from-files --virtual-time-budget=20000 --dump-dom "file://$PWD/search.html" 2>log |
			grep -E '^(in-place|retarget|RESET|qqqq|My|mixamo|T-pose|trim|loop|feet|lies|contents)' >searched || true
		[ ! -s searched ] || break
	done
	cat searched
	grep -q '^in-place: anim-.*: --in-place' searched
	grep -q '^retarget a VRM animation: Cookbook: retarget a VRM animation' searched
	grep -q '^RESET: ' searched
	grep -q '^qqqq: Nothing is found\.' searched
	grep -q '^My character is too big!: Cookbook: scale a skeleton' searched
	grep -q '^mixamo: Cookbook: use the bone names of another humanoid' searched
	grep -q '^T-pose: anim-retarget(1): Different rest poses' searched
	grep -q '^trim: anim-convert(1): --trim' searched
	grep -q '^loop: Cookbook: make a clip loop' searched
	grep -q '^feet slide: Cookbook: keep feet in place' searched
	grep -q '^lies on its face: anim-avatars(7): .* is on its back or face' searched
	grep -q '^contents: NAME,SYNOPSIS,DESCRIPTION' searched
	run -1 grep -q 'class="contents"' site/examples/index.html
}

@test "a page has an icon, and links to the source, the download and the page to try" {
	for page in index man/anim.1 examples/index lib/README; do
		grep -q 'rel="icon"' "site/$page.html"
		grep -q 'INSTALL.html">Download</a>' "site/$page.html"
		grep -q 'CONTRIBUTING.html">Source</a>' "site/$page.html"
	done
	[ -s site/man/icon.svg ]
}
