#!/bin/sh
# sheet.sh: one clip of the contact sheet: sheet.sh OUT CLIP BUDGET
# Of OUT/CLIP.axs, the clip as its source has it, and OUT/CLIP.animj, what is shipped, it makes a picture, OUT/CLIP.svg, and a
# page that plays both, OUT/CLIP.html; prints what the sheet says of them.
set -eu
out=$1 clip=$2 budget=$3
source=$out/$clip.axs made=$out/$clip.animj

escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }
address() { printf '%s\n' "$clip$1" | sed 's/%/%25/g; s/#/%23/g; s/?/%3F/g' | escape; }
counts() { anim-info "$1" | grep -E '^[0-9]+ clips?, ' | escape; }

# Where no tree tells of joints, or they are all in one place, there is no figure to be drawn, and curves stand in its place.
if ! anim-plot -q --force --strip 8 -o "$out/$clip.svg" "$source" 2>/dev/null || grep -q '; 0 m high,' "$out/$clip.svg"; then
	anim-plot -q --force -o "$out/$clip.svg" "$source"
fi
anim-plot -q --force --against "$made" --max "$budget" -o "$out/$clip.html" "$source"
class=within
off=$(anim-diff --max "$budget" "$source" "$made") || class=beyond

cat <<HTML
<figure class="$class">
<a href="$(address .html)"><img src="$(address .svg)" alt="poses"></a>
<figcaption>$(printf '%s\n' "$clip" | escape)</figcaption>
<p>source: $(counts "$source")<br>
shipped: $(counts "$made"), a file of $(wc -c <"$made" | tr -d ' ') bytes</p>
<p class="off">$(printf '%s\n' "$off" | sed -n '1p; s/^worst: /off by /p' | escape | sed '$!s/$/<br>/')</p>
</figure>
HTML
