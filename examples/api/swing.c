/* swing.c: writes a stream: a door that swings open in a second and a half, with a lamp that goes on. */
#include <anim.h>
#include <stdio.h>

static int fail(const struct anim_fault *fault)
{
	fprintf(stderr, "swing: %s\n", fault->text);
	return 1;
}

int main(int argc, char **argv)
{
	static const double times[] = {0, 1, 1.5}, angles[] = {0, 1.6, 1.5}, slopes[] = {0, 0, 0}, on[] = {0, 1, 1};
	const struct anim_writer_options options = {.size = sizeof options, .program = "swing", .version = "1"};
	const struct anim_tree_info tree = {.size = sizeof tree, .root_name = "House", .axes = "godot"};
	const struct anim_node_info root = {.size = sizeof root, .path = ".", .parent = -1};
	const struct anim_node_info door = {.size = sizeof door,
					    .path = "Door",
					    .has = ANIM_NODE_HAS_POSITION,
					    .position = {2, 0, 0}};
	const struct anim_clip_info clip = {.size = sizeof clip, .name = "open", .end_s = 1.5, .root = "."};
	struct anim_track_info track = {.size = sizeof track, .node = "Door", .keys = 3, .component = ANIM_ALL_COMPONENTS};
	struct anim_key_data keys = {.size = sizeof keys, .times = times, .left = slopes, .right = slopes};
	struct anim_fault fault = {0};
	struct anim_writer *out = anim_write_open(argc > 1 ? argv[1] : "-", &options, &fault);
	int failed;

	if (out == NULL)
		return fail(&fault);
	failed = anim_write_tree(out, &tree, &fault) != 0 || anim_write_node(out, &root, &fault) != 0 ||
		 anim_write_node(out, &door, &fault) != 0 || anim_write_clip(out, &clip, &fault) != 0;
	track.property = "euler", track.component = 1, track.type = "float", track.kind = "Curve", track.mode = "Hermite";
	keys.doubles = angles;
	failed = failed || anim_write_track(out, &track, &keys, NULL, 0, &fault) != 0;
	track.property = "lit", track.component = ANIM_ALL_COMPONENTS, track.type = "bool", track.kind = "Discrete";
	track.mode = NULL;
	keys.doubles = on;
	failed = failed || anim_write_track(out, &track, &keys, NULL, 0, &fault) != 0 || anim_write_commit(out, &fault) != 0;
	anim_write_close(out); /* without the commit nothing is left of the file */
	return failed ? fail(&fault) : 0;
}
