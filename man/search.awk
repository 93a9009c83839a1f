# search.awk PAGE: the sections of an HTML page of the site, as elements of a JavaScript list: address, page, heading, text. A section begins
# at a heading, a term of a list or a row of a table. `name` is the address of the page, `title` its name.
function plain(text) {
	gsub(/<[^>]*>/, " ", text)
	gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&#[x0-9A-Fa-f]*;|&nbsp;/, " ", text); gsub(/&amp;/, "\\&", text)
	gsub(/[ \t\r\n]+/, " ", text); sub(/^ /, "", text); sub(/ $/, "", text)
	return text
}
function json(text) {
	gsub(/[\\"]/, "\\\\&", text); gsub(/</, "\\\\u003c", text)
	return "\"" text "\""
}
function flush() {
	text = plain(text)
	if (heading != "" || text != "")
		printf "[%s,%s,%s,%s],\n", json(name (id == "" ? "" : "#" id)), json(title), json(heading), json(text)
	text = heading = ""
}
/^<(nav|header)/ { skipped = 1 }
/^<main>/ { inside = 1; next }
/^<\/main>/ { inside = 0 }
/<\/nav>/ { skipped = 0; next }
!inside || skipped { next }
# A row of a table of Markdown: its first cell is a heading.
/^<tr>/ { flush(); row = 1; next }
# A term without an address of its own has that of the heading before it.
match($0, /^ *<dt>/) { flush(); heading = plain($0); next }
row && /^<td>/ { row = 0; heading = plain($0); next }
match($0, /<(h[123]|dt)[^>]* id="[^"]*"/) {
	flush()
	id = substr($0, RSTART, RLENGTH)
	sub(/.* id="/, "", id); sub(/"$/, "", id)
	heading = plain($0)
	next
}
{ text = text " " $0 }
END { flush() }
