# options.awk: makes the types of the options of anim.convert from `anim convert --help all`.

function finish() {
	if (name != "")
		printf "\t/** %s */\n\t%s?: %s;\n", help, name, type
	name = ""
}

BEGIN {
	print "// Options of anim.convert: those of anim-convert(1), made from its help.\n"
	print "type Value = string | number | (string | number)[];\n"
	print "export interface ConversionOptions {"
}

/^  (-.,|   ) --|^  -x [a-z]/ {
	finish()
	help = substr($0, substr($0, 3, 2) == "-x" && $0 !~ / --set/ ? 6 : 9)
	match(help, /^[a-z0-9-]+/)
	name = substr(help, 1, RLENGTH)
	help = substr(help, RLENGTH + 1)
	while (match(name, /-[a-z]/))
		name = substr(name, 1, RSTART - 1) toupper(substr(name, RSTART + 1, 1)) substr(name, RSTART + 2)
	type = help ~ /^ ?\[/ ? "Value | boolean" : help ~ /^[ =][^ ]/ ? "Value" : "boolean"
	sub(type == "boolean" ? "^ +" : "^ ?[^ ]+ *", "", help)
	if (name ~ /^(output|help|version|verbose|dryRun|set|list|jobs|quiet)$/)
		name = ""
	next
}

name != "" && /^                    / {
	sub(/^ +/, "")
	help = help (help == "" || help ~ / $/ ? "" : " ") $0
	next
}

{ finish() }

END {
	finish()
	print "}"
}
