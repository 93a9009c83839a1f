# library.awk: a Godot library of CLIPS clips with TRACKS positions each; the key KEY of track TRACK of clip CLIP is off by OFF.
BEGIN {
	print "[gd_resource type=\"AnimationLibrary\" format=3]\n"
	for (c = 0; c < CLIPS; c++) {
		printf "[sub_resource type=\"Animation\" id=\"a%d\"]\nlength = 1.0\n", c
		for (t = 0; t < TRACKS; t++) {
			printf "tracks/%d/type = \"position_3d\"\ntracks/%d/path = NodePath(\"Skeleton:bone%d\")\ntracks/%d/interp = 1\n", t, t, t, t
			printf "tracks/%d/keys = PackedFloat32Array(", t
			for (k = 0; k < 5; k++) {
				x = (t % 7) / 4 + k / 8
				if (c == CLIP && t == TRACK && k == KEY) x += OFF
				printf "%s%g, 1, %.9g, %g, 0.5", (k > 0 ? ", " : ""), k / 4, x, (c % 5) / 2
			}
			print ")"
		}
	}
	print "\n[resource]\n_data = {"
	for (c = 0; c < CLIPS; c++) printf "&\"clip%d\": SubResource(\"a%d\")%s\n", c, c, (c + 1 < CLIPS ? "," : "")
	print "}"
}
