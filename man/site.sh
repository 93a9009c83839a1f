#!/usr/bin/env bash
# site.sh OUT [WASM]: writes the documentation as a web site into OUT: README, the maps of lib/ and tests/, what packaging/ promises,
# the list of changes, the manual pages, and the examples as they are, each where it lies in the source tree. Plain HTML
# with a script for the search, the same bytes each time.
# WASM is the folder that `make wasm` made: with it, try/ is the page that converts files in a browser.
# Needs mandoc and cmark-gfm.
set -euo pipefail

[ $# = 1 ] || [ $# = 2 ] || { echo "usage: site.sh OUT [WASM]" >&2; exit 2; }
for command in mandoc cmark-gfm; do
	command -v "$command" >/dev/null || { echo "site.sh: no $command; apt-get install mandoc cmark-gfm" >&2; exit 1; }
done
mkdir -p "$1"
out=$(cd "$1" && pwd)
wasm=${2:+$(cd "$2" && pwd)}
cd "$(dirname "$0")/.."
export LC_ALL=C
try=${wasm:+try/index.html}

page() { # page TITLE UP: the body from standard input, as a page; UP leads from its folder to that of README
	local tried=
	[ -z "$try" ] || tried=$'\n'"<a href=\"$2$try\">Try it</a>"
	cat <<-HTML
		<!DOCTYPE html>
		<html lang="en">
		<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width, initial-scale=1">
		<title>$1</title>
		<link rel="icon" href="$2man/icon.svg" type="image/svg+xml">
		<link rel="stylesheet" href="$2man/site.css">
		</head>
		<body>
		<nav>
		<a href="$2index.html">anim-tools</a>
		<a href="$2COOKBOOK.html">Cookbook</a>
		<a href="$2man/index.html#tutorials">Tutorials</a>
		<a href="$2man/index.html#programs">Programs</a>
		<a href="$2man/anim-formats.7.html">Formats</a>
		<a href="$2examples/index.html">Examples</a>$tried
		<a href="$2INSTALL.html">Download</a>
		<a href="$2CONTRIBUTING.html">Source</a>
		</nav>
		<script src="$2man/site.js" data-up="$2"></script>
	HTML
	outlined
	printf '</body>\n</html>\n'
}

# The body from standard input as <main>, after a list of its headings if there are many.
outlined() {
	# A heading or a term becomes one line.
	awk '{ while (/<(h[123]|dt)[ >]/ && !/<\/(h[123]|dt)>/ && (getline more) > 0) $0 = $0 " " more; print }' | awk '
		{ lines[NR] = $0 }
		match($0, /<h[12][^>]* id="[^"]*"/) {
			id = substr($0, RSTART, RLENGTH)
			level = id ~ /class="Sh"|^<h2 id/ ? "" : " class=\"inner\""
			is_title = substr(id, 3, 1) == 1 && id !~ /class=/
			sub(/.* id="/, "", id); sub(/"$/, "", id)
			text = $0
			gsub(/<[^>]*>/, "", text)
			if (!is_title) {
				list = list "<li" level "><a href=\"#" id "\">" text "</a></li>\n"
				count++
			}
		}
		END {
			if (count > 4) printf "<nav class=\"contents\" aria-label=\"On this page\">\n<ul>\n%s</ul>\n</nav>\n", list
			print "<main>"
			for (i = 1; i <= NR; i++) print lines[i]
			print "</main>"
		}'
}

# What a page of Markdown links to is shown as a page where there is one. Headings can be linked to, by their words.
markdown() {
	cmark-gfm -e table "$1" | awk '
		/^<h[123]>/ {
			id = tolower($0)
			gsub(/<[^>]*>/, "", id); gsub(/[^a-z0-9 -]/, "", id); gsub(/ /, "-", id)
			sub(/>/, " id=\"" id "\">")
		}
		{ print }' |
		sed -E 's,href="(man/[a-z-]+\.[1-7])",href="\1.html",g; s,href="((\.\./)*((lib|tests|packaging|packaging/npm|integrations|blender|godot)/README|lib/DECISIONS|DECISIONS|CHANGELOG|COOKBOOK|INSTALL|CONTRIBUTING))\.md(#[a-z-]*)?",href="\1.html\5",g
				s,href="(examples(/[a-z]+)*)/?",href="\1/index.html",g; s,<p>(<img ),<p class="picture">\1,'
}

# A command of a manual page that writes one of the pictures of README is followed by it, with the words that README has for it.
pictures() {
	awk '
		NR == FNR {
			if (match($0, /^!\[[^]]*\]\(examples\/pictures\/[a-z]+\.(svg|png)\)/)) {
				split(substr($0, 3, RLENGTH - 3), parts, /\]\(examples\/pictures\//)
				alt[parts[2]] = parts[1]
			}
			next
		}
		{ print }
		/<pre/ { name = "" }
		match($0, / -o [a-z]+\.svg/) { name = substr($0, RSTART + 4, RLENGTH - 4) }
		/<\/pre>/ && name in alt {
			printf "<p class=\"picture\"><img src=\"../examples/pictures/%s\" alt=\"%s\"></p>\n", name, alt[name]
			delete alt[name]
		}' README.md -
}

manual() { # manual PAGE: its HTML; what lies beside it is linked to on the site, what does not at Debian
	(cd man && mandoc -T html -O 'fragment,man=%N.%S.html;https://manpages.debian.org/%N.%S' "$1") |
		sed '/^<table class="head">/,/^<\/table>/d'
}

entries() { # entries PAGE...: a row for each of these manual pages
	echo '<dl>'
	for entry; do
		name=${entry#man/}
		printf '<dt><a href="%s.html">%s(%s)</a></dt>\n<dd>%s</dd>\n' "$name" "${name%.*}" "${name##*.}" \
			"$(sed -n 's/^\.Nd \(tutorial: \)\{0,1\}//p' "$entry")"
	done
	echo '</dl>'
}

contents() { # what man/ holds, by kind
	# shellcheck disable=SC2046 # names without blanks
	{
		printf '<h1>Manual</h1>\n<h2 id="tutorials">Tutorials</h2>\n'
		entries $(grep -l '^\.Nd tutorial: ' man/*.7)
		printf '<h2 id="programs">Programs</h2>\n'
		entries man/*.1
		printf '<h2 id="more">Overview, formats, programming</h2>\n'
		entries $(grep -L '^\.Nd tutorial: ' man/*.[357])
	}
}

folder() { # folder DIR: a page that lists its files and folders, each with its first comment or its picture
	printf '<h1>%s</h1>\n<dl class="files">\n' "$1"
	for name in "$1"/*; do
		[ "${name##*/}" != index.html ] || continue
		[ ! -d "$name" ] || name=$name/index.html
		link=${name#"$1"/}
		printf '<dt><a href="%s">%s</a></dt>\n' "$link" "${link%index.html}"
		case $link in
		*.svg | *.png) printf '<dd class="picture"><img src="%s" alt="%s"></dd>\n' "$link" "${link%.*}" ;;
		api/*) echo '<dd>The library libanim, called from C and C++.</dd>' ;;
		assets/*) echo '<dd>Many files at once: make, a farm, sheets of thumbnails.</dd>' ;;
		ci/*) echo '<dd>Checks of animations for continuous integration.</dd>' ;;
		dance/*) echo '<dd>A dance and a dancer of MikuMikuDance.</dd>' ;;
		pictures/*) echo '<dd>The pictures of README.</dd>' ;;
		*/*) ;;
		*.sh | Makefile | *.c | *.cpp | *.yml | *.slurm | *.html) printf '<dd>%s</dd>\n' "$(about "$name")" ;;
		walker.tscn) echo '<dd>A walk of a human, in a scene of Godot.</dd><dd class="picture"><img src="pictures/strip.svg" alt="Eight poses of the walk"></dd>' ;;
		box.tscn) echo '<dd>A box, the smallest scene of Godot that animates something.</dd>' ;;
		crane.tscn) echo '<dd>A crane that lifts a box, with a lamp and events, in a scene of Godot.</dd>' ;;
		esac
	done
	echo '</dl>'
}

about() { # about FILE: the first comment of the file, escaped
	awk 'NR > 12 { exit }
		/^#(!|include)/ || /^$/ || /^(<|---)/ { if (found) exit; next }
		/^(#|\/\*|\/\/| \*)/ { ends = /\*\/$/; sub(/^(# ?|\/\* ?|\/\/ ?| \* ?)/, ""); sub(/ *\*\/$/, ""); sub(/^[-A-Za-z.]+( [A-Z.]+)*: /, ""); if (/^ / || /^$/) exit; printf "%s%s", (found ? " " : ""), found++ ? $0 : toupper(substr($0, 1, 1)) substr($0, 2); if (ends) exit; next }
		{ exit }' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}

mkdir -p "$out/man" "$out/packaging"
cp man/site.css man/site.js man/pipeline.svg packaging/web/icon.svg "$out/man"

markdown README.md | sed "${try:+/<h2 id=\"try-it-in-your-browser\">/a <p><a href=\"$try\">Open the page</a>. To have it on a server of your own:</p>}" |
	page 'anim-tools: convert, edit and check animation data' '' >"$out/index.html"
markdown CHANGELOG.md | page 'anim-tools: changes' '' >"$out/CHANGELOG.html"
for name in COOKBOOK INSTALL CONTRIBUTING; do markdown $name.md | page "anim-tools: $(sed -n '1s/^# //p' $name.md)" '' >"$out/$name.html"; done
cp LICENSE "$out"
cp -R packaging/PKGBUILD packaging/anim-tools.rb packaging/debian "$out/packaging"
for name in lib tests packaging packaging/npm integrations integrations/blender integrations/godot; do
	mkdir -p "$out/$name"
	for picture in "$name"/*.png "$name"/*.svg; do [ ! -e "$picture" ] || cp "$picture" "$out/$name"; done
	markdown $name/README.md | page "$name/ of anim-tools" "$(echo "$name/" | sed 's,[^/]*/,../,g')" >"$out/$name/README.html"
done
markdown lib/DECISIONS.md | page 'anim-tools: decisions' ../ >"$out/lib/DECISIONS.html"
contents | page 'anim-tools: manual' ../ >"$out/man/index.html"
for file in man/*.[1357]; do
	name=${file#man/}
	manual "$name" | pictures | page "${name%.*}(${name##*.})" ../ >"$out/$file.html"
done
# The examples that are in git or, in an unpacked archive, all.
(git ls-files examples 2>/dev/null | grep . || find examples -type f) | while IFS= read -r file; do
	mkdir -p "$out/$(dirname "$file")"
	cp "$file" "$out/$file"
done
[ -z "$try" ] || packaging/web/copy "$out/try" "$wasm"
# And what else README names, wherever it is.
grep -o 'href="[^":#]*"' "$out/index.html" | sed 's/^href="//; s/"$//' | while IFS= read -r file; do
	if [ -e "$out/$file" ] || [ ! -f "$file" ]; then continue; fi
	mkdir -p "$out/$(dirname "$file")"
	cp "$file" "$out/$file"
done
find "$out/examples" -type d | sed "s,^$out/,," | while IFS= read -r folder; do
	up=$(echo "$folder/" | sed 's,[^/]*/,../,g')
	(cd "$out" && folder "$folder") | page "$folder of anim-tools" "$up" >"$out/$folder/index.html"
done
# The index of the search: all sections of the manual, README, cookbook, installation and changes, and words that mean the same.
{
	echo 'searchIndex(['
	(cd "$out" && printf '%s\n' index.html COOKBOOK.html INSTALL.html CHANGELOG.html man/*.[1357].html) | while IFS= read -r name; do
		case $name in
		index.html) title=anim-tools ;;
		man/*) title=${name#man/} title=${title%.html} title="${title%.*}(${title##*.})" ;;
		*) title=$(sed -n '1s/^# //p' "${name%.html}.md") ;;
		esac
		awk -v name="$name" -v title="$title" -f man/search.awk "$out/$name"
	done
	echo '], {'
	sed 's/^\(.*\) = *\(.*\)/"\1": [\2],/' man/words.txt
	echo '});'
} >"$out/man/search.js"
