/* api.c: the library as a program sees it: what is written is read back, by path, descriptor and memory; faults; copies. */
#include "api/anim.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static const double key_times[] = {0, 1, 2};

/* A tree of two nodes, a clip of four tracks: smooth angles, samples, steps, texts. */
static int write_all(struct anim_writer *w, struct anim_fault *fault)
{
	static const double angles[] = {0, 1, 0.5}, slopes[] = {0, 0.25, 0}, on[] = {0, 1, 0};
	static const float samples[] = {0, 0, 0, 1, 2, 3, 2, 4, 6, 3, 6, 9, 4, 8, 12};
	static const char *const texts[] = {"a", NULL, "b"};
	const struct anim_attribute attributes[] = {{"z", "1"}, {"a", "2"}};
	const struct anim_tree_info tree = {.size = sizeof tree, .root_name = "Root", .axes = "unity"};
	const struct anim_node_info root = {.size = sizeof root, .path = ".", .parent = -1};
	const struct anim_node_info arm = {
	    .size = sizeof arm, .path = "Arm", .kind = "bone", .has = 1, .position = {1, 0, 0}};
	const struct anim_clip_info clip = {.size = sizeof clip,
					    .name = "wave",
					    .end_s = 2,
					    .loop = "wrap",
					    .root = ".",
					    .attributes = attributes,
					    .attribute_count = 2};
	struct anim_track_info track = {
	    .size = sizeof track, .node = "Arm", .keys = 3, .component = ANIM_ALL_COMPONENTS};
	struct anim_key_data keys = {.size = sizeof keys, .times = key_times, .left = slopes, .right = slopes};
	int result = anim_write_tree(w, &tree, fault) | anim_write_node(w, &root, fault) |
		     anim_write_node(w, &arm, fault) | anim_write_clip(w, &clip, fault);

	track.property = "light", track.type = "float", track.kind = "Curve", track.mode = "Hermite";
	keys.doubles = angles;
	result |= anim_write_track(w, &track, &keys, NULL, 0, fault);
	track.property = "visible", track.type = "bool", track.kind = "Discrete", track.mode = "";
	keys.doubles = on;
	result |= anim_write_track(w, &track, &keys, attributes, 2, fault);
	track.property = "word", track.type = "string", keys.doubles = NULL, keys.texts = texts;
	result |= anim_write_track(w, &track, &keys, NULL, 0, fault);
	track.property = "position", track.type = "float3", track.kind = "Raw", track.mode = "Linear";
	track.keys = 5, track.rate_num = 2, track.rate_den = 1;
	keys = (struct anim_key_data){.size = sizeof keys, .floats = samples};
	return result | anim_write_track(w, &track, &keys, NULL, 0, fault);
}

static void write_file(const char *path)
{
	struct anim_fault fault = {0};
	struct anim_writer *w = anim_write_open(path, NULL, &fault);

	CHECKF(w != NULL && write_all(w, &fault) == 0 && anim_write_commit(w, &fault) == 0, "%s", fault.text);
	anim_write_close(w);
}

static size_t read_file(const char *path, char *bytes, size_t capacity)
{
	FILE *file = fopen(path, "rb");
	size_t size = file == NULL ? 0 : fread(bytes, 1, capacity, file);

	if (file != NULL)
		fclose(file);
	return size;
}

static void check_values(struct anim *h)
{
	static const double at[] = {0.25, 1.5, -1};
	struct anim_fault fault = {0};
	double values[9];
	float floats[9];
	const char *texts[3];
	unsigned char present[3];

	CHECKF(anim_sample_doubles(h, 0, 3, at, 3, values, 9, present, &fault) == 0, "%s", fault.text);
	CHECK(values[0] == 0.5 && values[1] == 1 && values[2] == 1.5 && values[3] == 3 && values[5] == 9);
	CHECK(values[6] == 0 && present[0] == 1 && present[2] == 1);
	CHECK(anim_sample_floats(h, 0, 3, at, 3, floats, 9, NULL, NULL) == 0 && floats[4] == 6);
	CHECK(anim_sample_doubles(h, 0, 1, at, 3, values, 3, NULL, NULL) == 0 && values[0] == 0 && values[1] == 1);
	CHECK(anim_sample_texts(h, 0, 2, at, 3, texts, NULL) == 0 && strcmp(texts[0], "a") == 0 && texts[1] == NULL);
	CHECK(anim_key_texts(h, 0, 2, texts, 3, NULL) == 0 && texts[1] == NULL && strcmp(texts[2], "b") == 0);
	CHECK(anim_key_doubles(h, 0, 0, ANIM_KEY_RIGHT, values, 3, NULL) == 1 && values[1] == 0.25);
	CHECK(anim_key_doubles(h, 0, 1, ANIM_KEY_RIGHT, values, 3, NULL) == 0);
	CHECK(anim_key_floats(h, 0, 0, ANIM_KEY_TIMES, floats, 3, NULL) == 1 && floats[2] == 2);
	CHECK(anim_key_modes(h, 0, 0, texts, 3, NULL) == 0 && strcmp(texts[0], "Hermite") == 0);
}

static void check_heads(struct anim *h)
{
	struct anim_clip_info clip = {.size = sizeof clip};
	struct anim_track_info track = {.size = sizeof track};
	struct anim_tree_info tree = {.size = sizeof tree};
	struct anim_node_info node = {.size = sizeof node};
	const struct anim_attribute *items;

	CHECK(anim_clip_count(h) == 1 && anim_tree_count(h) == 1);
	CHECK(anim_get_clip(h, 0, &clip, NULL) == 0 && strcmp(clip.name, "wave") == 0 &&
	      strcmp(clip.loop, "wrap") == 0);
	CHECK(clip.size == sizeof clip && clip.tracks == 4 && clip.tree == 0 && clip.end_s == 2);
	CHECK(clip.attribute_count == 2 && strcmp(clip.attributes[0].key, "a") == 0);
	CHECK(anim_get_track(h, 0, 3, &track, NULL) == 0 && strcmp(track.kind, "Raw") == 0 && track.components == 3);
	CHECK(track.step_s == 0.5 && track.rate_num == 2 && track.component == ANIM_ALL_COMPONENTS && track.keys == 5);
	CHECK(anim_get_track_attributes(h, 0, 1, &items, NULL) == 2 && strcmp(items[1].value, "1") == 0);
	CHECK(anim_get_tree(h, 0, &tree, NULL) == 0 && tree.nodes == 2 && strcmp(tree.axes, "unity") == 0);
	CHECK(anim_get_node(h, 0, 1, &node, NULL) == 0 && strcmp(node.name, "Arm") == 0 && node.parent == 0);
	CHECK(strcmp(node.kind, "bone") == 0 && node.position[0] == 1 && node.scale[2] == 1);
	CHECK(anim_find_clip(h, "wave") == 0 && anim_find_clip(h, "no") == -1 && anim_find_node(h, 0, "Arm") == 1);
	CHECK(anim_find_track(h, 0, 0, "Arm", "word") == 2 && anim_find_track(h, 0, 3, "Arm", "word") == -1);
	CHECK(anim_find_driven(h, 0, "Arm") == 1 && anim_find_driven(h, 0, "Leg") == -1);
}

TEST(api_ways, "a stream is the same by path, by descriptor and from memory, before and behind a gap in its tracks")
{
	static char bytes[8192];
	struct anim *handles[3];
	struct anim_fault fault = {0};
	size_t size;
	int fd;

	write_file("ways.axs");
	size = read_file("ways.axs", bytes, sizeof bytes);
	fd = open("ways.axs", O_RDONLY);
	handles[0] = anim_open("ways.axs", NULL, &fault);
	handles[1] = anim_open_fd(fd, NULL, &fault);
	handles[2] = anim_open_memory(bytes, size, NULL, &fault);
	close(fd);
	memset(bytes, 0, sizeof bytes);
	for (int i = 0; i < 3; i++) {
		CHECKF(handles[i] != NULL, "%d: %s", i, fault.text);
		if (handles[i] == NULL)
			continue;
		check_heads(handles[i]);
		check_values(handles[i]);
		anim_close(handles[i]);
	}
	unlink("ways.axs");
}

TEST(api_times, "times of a clip are those of its grid, counted without room and stored as far as there is")
{
	struct anim *h;
	double times[8] = {9, 9, 9, 9, 9, 9, 9, 9};
	struct anim_fault fault = {0};

	write_file("times.axs");
	h = anim_open("times.axs", NULL, &fault);
	CHECK(anim_clip_times(h, 0, 3, 2, ANIM_TIMES_COVER, NULL, 0, NULL) == 4);
	CHECK(anim_clip_times(h, 0, 2, 1, ANIM_TIMES_COVER, times, 2, NULL) == 5);
	CHECK(times[1] == 0.5 && times[2] == 9);
	CHECK(anim_clip_times(h, 0, 2, 1, ANIM_TIMES_LOOP, NULL, 0, NULL) == 4);
	CHECK(anim_clip_times(h, 0, 0, 0, ANIM_TIMES_COVER, NULL, 0, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
	anim_close(h);
	unlink("times.axs");
}

TEST(api_world, "nodes stand where their tracks put them, others at their rest, all or one of them")
{
	static const double at[] = {0, 1};
	struct anim *h;
	double all[48], one[24];
	struct anim_fault fault = {0};

	write_file("world.axs");
	h = anim_open("world.axs", NULL, &fault);
	CHECKF(anim_world(h, 0, ANIM_ALL_NODES, at, 2, all, 48, &fault) == 0, "%s", fault.text);
	CHECK(all[0] == 1 && all[3] == 0 && all[24 + 12 + 3] == 2 && all[24 + 12 + 7] == 4 && all[24 + 12 + 11] == 6);
	CHECK(anim_world(h, 0, 1, at, 2, one, 24, &fault) == 0 && one[3] == 0 && one[12 + 11] == 6);
	CHECK(anim_world(h, 0, 2, at, 2, one, 24, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
	anim_close(h);
	unlink("world.axs");
}

TEST(api_copy, "a copied tree and clip come back equal, and a track under another clip")
{
	static char a[8192], b[8192];
	struct anim_fault fault = {0};
	struct anim_clip_info clip = {.size = sizeof clip};
	struct anim_writer *w;
	struct anim *h;

	write_file("from.axs");
	h = anim_open("from.axs", NULL, &fault);
	w = anim_write_open("to.axs", NULL, &fault);
	CHECK(anim_copy_tree(w, h, 0, &fault) == 0 && anim_copy_clip(w, h, 0, &fault) == 0);
	CHECKF(anim_write_commit(w, &fault) == 0, "%s", fault.text);
	anim_write_close(w);
	CHECK(read_file("from.axs", a, sizeof a) == read_file("to.axs", b, sizeof b) && memcmp(a, b, sizeof a) == 0);
	w = anim_write_open("to.axs", NULL, &fault);
	anim_get_clip(h, 0, &clip, NULL);
	clip.name = "other", clip.tree = -1;
	CHECK(anim_write_clip(w, &clip, &fault) == 0 && anim_copy_track(w, h, 0, 2, &fault) == 0);
	CHECK(anim_write_commit(w, &fault) == 0);
	anim_write_close(w);
	anim_close(h);
	h = anim_open("to.axs", NULL, &fault);
	CHECK(h != NULL && anim_find_track(h, 0, 0, "Arm", "word") == 0 && anim_tree_count(h) == 0);
	anim_close(h);
	unlink("from.axs"), unlink("to.axs");
}

TEST(api_abandoned, "what is not committed leaves nothing, and what failed cannot be committed")
{
	const struct anim_track_info track = {.size = sizeof track, .type = "float9"};
	const struct anim_key_data keys = {.size = sizeof keys};
	struct anim_fault fault = {0};
	struct anim_writer *w = anim_write_open("gone.axs", NULL, &fault);

	CHECK(write_all(w, &fault) == 0);
	anim_write_close(w);
	CHECK(access("gone.axs", F_OK) != 0);
	w = anim_write_open("gone.axs", NULL, &fault);
	CHECK(anim_write_track(w, &track, &keys, NULL, 0, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
	CHECKF(strcmp(fault.text, "'float9' is not a value type") == 0, "%s", fault.text);
	CHECK(anim_write_commit(w, &fault) == -1 && strstr(fault.text, "before this failed") != NULL);
	anim_write_close(w);
	CHECK(access("gone.axs", F_OK) != 0);
}

TEST(api_misuse, "numbers that are too high, sizes that are not set and words that are none are faults of the call")
{
	const struct anim_options options = {.size = sizeof options, .format = "abc"}, unset = {.format = "godot"};
	const struct anim_options named = {.size = sizeof named, .name = "shown"};
	struct anim_clip_info clip = {0};
	struct anim_fault fault = {0};
	double values[8];
	struct anim *h;

	write_file("mis.axs");
	h = anim_open("mis.axs", NULL, &fault);
	CHECK(anim_get_clip(h, 0, &clip, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
	clip.size = sizeof clip;
	CHECK(anim_get_clip(h, 1, &clip, &fault) == -1 &&
	      strcmp(fault.text, "clip 1: there are 1, counted from 0") == 0);
	CHECK(anim_sample_doubles(h, 0, 4, values, 0, values, 8, NULL, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
	CHECK(anim_sample_doubles(h, 0, 2, values, 0, values, 8, NULL, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
	CHECK(anim_key_doubles(h, 0, 0, (enum anim_key_part)99, values, 8, &fault) == -1);
	CHECK(anim_message(h, 0) == NULL && anim_message_count(h) == 0);
	anim_close(h);
	CHECK(anim_open("mis.axs", &options, &fault) == NULL && strstr(fault.text, "'abc'") != NULL);
	CHECK(anim_open("mis.axs", &unset, &fault) == NULL && fault.code == ANIM_FAULT_CALL);
	CHECK(anim_open("nothing", NULL, &fault) == NULL && fault.code == ANIM_FAULT_SYSTEM);
	CHECK(strcmp(fault.text, "nothing: cannot open: No such file or directory") == 0);
	CHECK(anim_open("nothing", &named, &fault) == NULL && strncmp(fault.text, "shown: cannot open", 18) == 0);
	unlink("mis.axs");
}

/* One track with these values, written alone: the fault's text, or NULL. */
static const char *refused_track(struct anim_track_info track, struct anim_key_data keys)
{
	static struct anim_fault fault;
	const struct anim_clip_info clip = {.size = sizeof clip, .end_s = 1};
	struct anim_writer *w = anim_write_open("refused.axs", NULL, NULL);
	int result;

	track.size = sizeof track, track.node = "A";
	keys.size = sizeof keys;
	fault = (struct anim_fault){0};
	result = anim_write_clip(w, &clip, &fault) | anim_write_track(w, &track, &keys, NULL, 0, &fault);
	anim_write_close(w);
	return result != 0 && fault.code == ANIM_FAULT_CALL ? fault.text : NULL;
}

TEST(api_refused, "the writer refuses numbers that are not finite and tracks that no program could use")
{
	static const double numbers[] = {0, NAN, 0}, good[] = {0, 1, 0}, slopes[] = {0, INFINITY, 0};
	const struct anim_track_info linear = {.property = "x",
					       .type = "float",
					       .kind = "Curve",
					       .mode = "Linear",
					       .component = ANIM_ALL_COMPONENTS,
					       .keys = 3};
	const struct anim_key_data keys = {.times = key_times, .doubles = good};
	struct anim_track_info track = linear;

	CHECK(refused_track(linear, keys) == NULL);
	CHECK(strstr(refused_track(linear, (struct anim_key_data){.times = key_times, .doubles = numbers}), "key 1"));
	track.mode = "Hermite";
	CHECK(refused_track(track, (struct anim_key_data){
				       .times = key_times, .doubles = good, .left = slopes, .right = slopes}) == NULL);
	track = linear, track.type = "bool";
	CHECK(strstr(refused_track(track, keys), "Hold") != NULL);
	track = linear, track.property = "position", track.component = 7;
	CHECK(strcmp(refused_track(track, keys), "property 'position' has no component 7") == 0);
	track = linear, track.kind = "Raw";
	CHECK(strstr(refused_track(track, (struct anim_key_data){.doubles = good}), "without a rate") != NULL);
}

/* Nodes of these paths and parents, written after a root: whether the last one is refused. */
static bool refuses_node(const char *const paths[], const ptrdiff_t parents[], size_t count)
{
	const struct anim_tree_info tree = {.size = sizeof tree};
	struct anim_node_info node = {.size = sizeof node, .path = ".", .parent = -1};
	struct anim_writer *w = anim_write_open("refused.axs", NULL, NULL);
	int result = anim_write_tree(w, &tree, NULL) | anim_write_node(w, &node, NULL);

	for (size_t i = 0; i < count; i++) {
		CHECK(result == 0);
		node.path = paths[i], node.parent = parents[i];
		result = anim_write_node(w, &node, NULL);
	}
	anim_write_close(w);
	return result != 0;
}

TEST(api_nodes, "the writer refuses two nodes of one path and a node that is not below its parent")
{
	CHECK(!refuses_node((const char *const[]){"A", "A/S", "A/S:Hips", "A/S:Spine"}, (const ptrdiff_t[]){0, 1, 2, 3},
			    4));
	CHECK(refuses_node((const char *const[]){"A", "A"}, (const ptrdiff_t[]){0, 0}, 2));
	CHECK(refuses_node((const char *const[]){"A", "B/C"}, (const ptrdiff_t[]){0, 1}, 2));
	CHECK(refuses_node((const char *const[]){"A", "AB"}, (const ptrdiff_t[]){0, 1}, 2));
	CHECK(refuses_node((const char *const[]){""}, (const ptrdiff_t[]){0}, 1));
}

TEST(api_arguments, "a pointer that is NULL, a time that is not finite and an array too small are faults, not crashes")
{
	static const double at[] = {0, 1}, never[] = {0, INFINITY};
	struct anim_fault fault = {0};
	struct anim_clip_info clip = {.size = sizeof clip};
	double values[24];
	const char *texts[3];
	uint32_t num, den;
	struct anim *h;

	write_file("arg.axs");
	h = anim_open("arg.axs", NULL, &fault);
	CHECK(anim_sample_doubles(h, 0, 3, at, 2, values, 5, NULL, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
	CHECK(strcmp(fault.text, "an array of 5 elements for 2 x 3") == 0);
	CHECK(anim_sample_doubles(h, 0, 3, at, 2, values, 6, NULL, &fault) == 0);
	CHECK(anim_sample_doubles(h, 0, 3, at, SIZE_MAX / 2, values, 24, NULL, &fault) == -1);
	CHECK(anim_sample_doubles(h, 0, 3, never, 2, values, 24, NULL, &fault) == -1);
	CHECK(strcmp(fault.text, "time 1 is not finite") == 0);
	CHECK(anim_sample_doubles(h, 0, 3, NULL, 2, values, 24, NULL, &fault) == -1);
	CHECK(anim_sample_doubles(h, 0, 3, at, 2, NULL, 24, NULL, &fault) == -1);
	CHECK(anim_sample_doubles(NULL, 0, 3, at, 2, values, 24, NULL, &fault) == -1);
	CHECK(anim_key_doubles(h, 0, 3, ANIM_KEY_VALUES, values, 14, &fault) == -1);
	CHECK(anim_key_doubles(h, 0, 3, ANIM_KEY_VALUES, values, 15, &fault) == 1);
	CHECK(anim_key_texts(h, 0, 2, texts, 2, &fault) == -1 && anim_key_modes(h, 0, 0, texts, 2, &fault) == -1);
	CHECK(anim_world(h, 0, ANIM_ALL_NODES, at, 1, values, 23, &fault) == -1);
	CHECK(anim_world(h, 0, ANIM_ALL_NODES, never, 2, values, 24, &fault) == -1);
	CHECK(anim_world(NULL, 0, ANIM_ALL_NODES, at, 1, values, 24, &fault) == -1);
	CHECK(anim_get_clip(h, 0, NULL, &fault) == -1 && anim_get_clip(NULL, 0, &clip, &fault) == -1);
	CHECK(anim_clip_count(NULL) == 0 && anim_message_count(NULL) == 0 && anim_find_clip(h, NULL) == -1);
	CHECK(anim_find_track(h, 0, 0, NULL, "x") == -1 && anim_find_node(h, 0, NULL) == -1);
	CHECK(anim_open(NULL, NULL, &fault) == NULL && fault.code == ANIM_FAULT_CALL);
	CHECK(anim_write_clip(NULL, &clip, &fault) == -1 && anim_write_commit(NULL, &fault) == -1);
	CHECK(anim_parse_rate("29.97002997002997", &num, &den, &fault) == 0 && num == 30000 && den == 1001);
	CHECK(anim_parse_rate("often", &num, &den, &fault) == -1 && anim_parse_rate(NULL, &num, &den, &fault) == -1);
	anim_close(h);
	unlink("arg.axs");
}

TEST(api_size, "a caller's shorter struct is filled as far as it goes, a longer one has 0 behind")
{
	struct {
		struct anim_clip_info info;
		long more;
	} longer = {.info = {.size = sizeof longer}, .more = 7};
	struct anim_clip_info shorter = {.size = offsetof(struct anim_clip_info, start_s), .end_s = 9};
	struct anim *h;

	write_file("size.axs");
	h = anim_open("size.axs", NULL, NULL);
	CHECK(anim_get_clip(h, 0, &longer.info, NULL) == 0 && longer.more == 0 && longer.info.end_s == 2);
	CHECK(anim_get_clip(h, 0, &shorter, NULL) == 0 && strcmp(shorter.name, "wave") == 0 && shorter.end_s == 9);
	anim_close(h);
	unlink("size.axs");
}

TEST(api_changed, "a stream's file that changes under the handle is a fault of the track that is asked for")
{
	struct anim_fault fault = {0};
	double value;
	struct anim *h;
	int fd;

	write_file("changed.axs");
	h = anim_open("changed.axs", NULL, &fault);
	fd = open("changed.axs", O_WRONLY);
	CHECK(lseek(fd, -60, SEEK_END) > 0 && write(fd, "X", 1) == 1);
	CHECK(anim_sample_doubles(h, 0, 0, key_times, 1, &value, 1, NULL, &fault) == 0);
	CHECK(anim_sample_doubles(h, 0, 3, key_times, 1, &value, 1, NULL, &fault) == -1 &&
	      fault.code == ANIM_FAULT_INPUT);
	CHECKF(strcmp(fault.text, "changed.axs: was changed while it was read") == 0, "%s", fault.text);
	CHECK(ftruncate(fd, 100) == 0);
	close(fd);
	anim_close(h);
	unlink("changed.axs");
}

TEST(api_faults, "a fault of a file has its place, and the first of several is told with their number")
{
	static const char scene[] = "[gd_resource type=\"Animation\" format=3]\n[resource]\nlength = what\n";
	struct anim_options options = {.size = sizeof options, .name = "broken.tres"};
	struct anim_fault fault = {0};

	CHECK(anim_open_memory(scene, sizeof scene - 1, &options, &fault) == NULL && fault.code == ANIM_FAULT_INPUT);
	CHECKF(strncmp(fault.text, "broken.tres:3:", 14) == 0 && fault.line == 3, "%s", fault.text);
}

TEST(api_lanes, "components of a transform that have tracks of their own move the node together, others rest")
{
	static const double at = 1, angle[] = {0, 90, 90};
	const struct anim_tree_info tree = {.size = sizeof tree};
	const struct anim_node_info root = {.size = sizeof root, .path = ".", .parent = -1};
	const struct anim_node_info arm = {.size = sizeof arm, .path = "Arm", .has = 1, .position = {1, 2, 3}};
	const struct anim_clip_info clip = {.size = sizeof clip, .name = "turn", .end_s = 2, .root = "."};
	struct anim_track_info track = {.size = sizeof track,
					.node = "Arm",
					.property = "euler",
					.type = "float",
					.kind = "Curve",
					.mode = "Linear",
					.keys = 3,
					.component = 2,
					.flags = ANIM_TRACK_DEGREES};
	const struct anim_key_data keys = {.size = sizeof keys, .times = key_times, .doubles = angle};
	struct anim_fault fault = {0};
	struct anim_writer *w = anim_write_open("lanes.axs", NULL, &fault);
	double m[12];
	struct anim *h;
	int result = anim_write_tree(w, &tree, &fault) | anim_write_node(w, &root, &fault) |
		     anim_write_node(w, &arm, &fault) | anim_write_clip(w, &clip, &fault) |
		     anim_write_track(w, &track, &keys, NULL, 0, &fault);

	track.property = "position", track.component = 1, track.flags = 0;
	result |= anim_write_track(w, &track, &keys, NULL, 0, &fault);
	CHECKF(result == 0 && anim_write_commit(w, &fault) == 0, "%s", fault.text);
	anim_write_close(w);
	h = anim_open("lanes.axs", NULL, &fault);
	CHECKF(anim_world(h, 0, 1, &at, 1, m, 12, &fault) == 0, "%s", fault.text);
	CHECK(fabs(m[0]) < 1e-6 && fabs(m[1] + 1) < 1e-6 && fabs(m[4] - 1) < 1e-6 && fabs(m[10] - 1) < 1e-6);
	CHECK(m[3] == 1 && m[7] == 90 && m[11] == 3);
	anim_close(h);
	unlink("lanes.axs");
}

TEST(api_flat, "a node of the plane is placed by two numbers, scaled by two, and turned by one about z")
{
	static const double ends_s[] = {0, 2}, at = 1;
	static const double values[3][4] = {{0, 0, 100, -50}, {0, 180, 0, 0}, {1, 1, 5, 3}};
	static const char *const properties[] = {"position", "angle", "scale"};
	const struct anim_tree_info tree = {.size = sizeof tree, .axes = "godot", .axes2d = "godot"};
	const struct anim_node_info node = {.size = sizeof node,
					    .path = ".",
					    .has = ANIM_NODE_HAS_2D,
					    .parent = -1,
					    .rotation = {0, 0, 0, 1},
					    .scale = {1, 1, 1}};
	const struct anim_clip_info clip = {.size = sizeof clip, .name = "slide", .end_s = 2, .root = "."};
	struct anim_fault fault = {0};
	struct anim_writer *w = anim_write_open("flat.axs", NULL, &fault);
	int result =
	    anim_write_tree(w, &tree, &fault) | anim_write_node(w, &node, &fault) | anim_write_clip(w, &clip, &fault);
	double m[12];
	struct anim *h;

	for (int i = 0; i < 3; i++) {
		const struct anim_key_data keys = {.size = sizeof keys, .times = ends_s, .doubles = values[i]};
		const struct anim_track_info track = {.size = sizeof track,
						      .node = ".",
						      .property = properties[i],
						      .type = i == 1 ? "float" : "float2",
						      .kind = "Curve",
						      .mode = "Linear",
						      .keys = 2,
						      .component = ANIM_ALL_COMPONENTS,
						      .flags = i == 1 ? ANIM_TRACK_DEGREES : 0};

		result |= anim_write_track(w, &track, &keys, NULL, 0, &fault);
	}
	CHECKF(result == 0 && anim_write_commit(w, &fault) == 0, "%s", fault.text);
	anim_write_close(w);
	h = anim_open("flat.axs", NULL, &fault);
	CHECKF(anim_world(h, 0, 0, &at, 1, m, 12, &fault) == 0, "%s", fault.text);
	/* a quarter of a turn: what was x, three times as long, points along y */
	CHECK(fabs(m[0]) < 1e-6 && fabs(m[4] - 3) < 1e-6 && fabs(m[1] + 2) < 1e-6 && fabs(m[5]) < 1e-6);
	CHECK(m[3] == 50 && m[7] == -25 && m[11] == 0 && m[10] == 1);
	anim_close(h);
	unlink("flat.axs");
}

/* What the header forbids, with arguments that are wrong one at a time. */
TEST(api_forbidden, "each misuse that the header names is a fault of the call and not a crash")
{
	static const double zeros[4] = {0};
	static const size_t sizes[] = {0, 7, 12, 4096, SIZE_MAX, 0xaaaaaaaaaaaaaaaa};
	const struct anim_attribute lacking[] = {{"key", NULL}, {NULL, "value"}};
	struct anim_fault fault = {0};
	struct anim_writer *w;
	struct anim *h;
	const struct anim_attribute *items;
	double numbers[64];
	const char *texts[8];

	CHECK(anim_open_memory(NULL, 10, NULL, &fault) == NULL && fault.code == ANIM_FAULT_CALL);
	CHECKF(strcmp(fault.text, "the bytes are NULL") == 0, "%s", fault.text);
	CHECK(anim_open_memory(NULL, SIZE_MAX, NULL, NULL) == NULL && anim_open_memory(NULL, 0, NULL, &fault) == NULL);
	CHECK(anim_open_memory("", SIZE_MAX, NULL, &fault) == NULL && fault.code == ANIM_FAULT_CALL);
	CHECK(anim_open_fd(-1, NULL, &fault) == NULL && anim_open_fd(9999, NULL, &fault) == NULL);
	CHECK(anim_write_open(NULL, NULL, &fault) == NULL && anim_write_open_fd(-1, NULL, &fault) == NULL);
	CHECK(anim_write_open("", NULL, &fault) == NULL && anim_write_open(".", NULL, &fault) == NULL);
	write_file("forbidden.axs");
	h = anim_open("forbidden.axs", NULL, &fault);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct anim_options options = {.size = sizes[i]};
		struct anim_writer_options writing = {.size = sizes[i]};
		struct anim_clip_info clip = {.size = sizes[i]};
		struct anim_track_info track = {.size = sizes[i]};
		struct anim_tree_info tree = {.size = sizes[i]};
		struct anim_node_info node = {.size = sizes[i]};

		CHECK(anim_open("forbidden.axs", &options, &fault) == NULL && fault.code == ANIM_FAULT_CALL);
		CHECK(anim_open_memory("", 0, &options, &fault) == NULL && fault.code == ANIM_FAULT_CALL);
		CHECK(anim_write_open("no.axs", &writing, &fault) == NULL && fault.code == ANIM_FAULT_CALL);
		CHECK(anim_get_clip(h, 0, &clip, &fault) == -1 && anim_get_track(h, 0, 0, &track, &fault) == -1);
		CHECK(anim_get_tree(h, 0, &tree, &fault) == -1 && anim_get_node(h, 0, 0, &node, &fault) == -1);
		CHECKF(strstr(fault.text, "whose size is not set") != NULL, "%s", fault.text);
		w = anim_write_open("no.axs", NULL, NULL);
		CHECK(anim_write_tree(w, &tree, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
		anim_write_close(w);
	}
	CHECK(anim_get_track(h, 0, 0, NULL, &fault) == -1 && anim_get_tree(h, 0, NULL, &fault) == -1);
	CHECK(anim_get_node(h, 0, 0, NULL, &fault) == -1 && anim_get_track_attributes(h, 0, 0, NULL, &fault) == -1);
	CHECK(anim_get_track(h, SIZE_MAX, 0, NULL, NULL) == -1 && anim_get_node(h, 0, SIZE_MAX, NULL, NULL) == -1);
	CHECK(anim_clip_times(h, 0, 1, 0, ANIM_TIMES_COVER, NULL, 0, &fault) == -1);
	CHECK(anim_clip_times(h, 0, 0, 1, ANIM_TIMES_COVER, NULL, 0, &fault) == -1);
	CHECK(anim_clip_times(h, 0, 0, 0, ANIM_TIMES_COVER, NULL, 0, &fault) == -1);
	CHECK(anim_clip_times(h, 0, UINT32_MAX, 1, ANIM_TIMES_COVER, NULL, 0, &fault) == -1);
	CHECK(anim_clip_times(h, 0, 30, 1, (enum anim_times_end)7, NULL, 0, &fault) == -1);
	CHECK(anim_clip_times(h, 0, 1, 1, ANIM_TIMES_COVER, NULL, SIZE_MAX, &fault) == 3);
	CHECK(anim_world(h, 0, -2, zeros, 1, numbers, 64, &fault) == -1);
	CHECK(anim_world(h, 0, PTRDIFF_MAX, zeros, 1, numbers, 64, &fault) == -1);
	CHECK(anim_world(h, 0, 0, zeros, SIZE_MAX / 4, numbers, 64, &fault) == -1);
	CHECK(anim_sample_texts(h, 0, 0, zeros, 1, texts, &fault) == -1 &&
	      anim_sample_texts(h, 0, 2, zeros, 1, NULL, &fault) == -1);
	CHECK(anim_key_texts(h, 0, 2, NULL, SIZE_MAX, &fault) == -1 &&
	      anim_key_modes(h, 0, 0, NULL, SIZE_MAX, &fault) == -1);
	CHECK(anim_key_floats(h, 0, 0, ANIM_KEY_TIMES, NULL, SIZE_MAX, &fault) == -1);
	CHECK(anim_key_floats(h, 0, 2, ANIM_KEY_VALUES, (float *)(void *)numbers, 64, &fault) == -1);
	CHECK(anim_key_doubles(NULL, 0, 0, ANIM_KEY_TIMES, numbers, 64, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
	CHECK(anim_get_track_attributes(NULL, 0, 0, &items, &fault) == -1 && anim_message(NULL, 0) == NULL);
	CHECK(anim_find_track(h, 0, SIZE_MAX, "Arm", "word") == -1 && anim_find_node(h, SIZE_MAX, "Arm") == -1);
	CHECK(anim_find_driven(h, 9, "Arm") == -1 && anim_find_driven(h, 0, NULL) == -1 && anim_tree_count(NULL) == 0);
	CHECK(anim_find_driven(NULL, 0, "Arm") == -1 && anim_find_track(NULL, 0, 0, "Arm", "word") == -1);
	CHECK(anim_message_is_warning(NULL, 0) == 0 && anim_find_clip(NULL, "wave") == -1);
	anim_close(h);
	anim_close(NULL);
	anim_write_close(NULL);
	CHECK(strstr(refused_track((struct anim_track_info){.property = "x", .type = "float", .keys = SIZE_MAX},
				   (struct anim_key_data){.times = zeros, .doubles = zeros}),
		     "keys, at most") != NULL);
	CHECK(
	    strstr(refused_track((struct anim_track_info){.property = "x", .type = "float", .kind = "Curve", .keys = 1},
				 (struct anim_key_data){.times = zeros, .doubles = (const double[]){1e39}}),
		   "is not a value of type float") != NULL);
	for (size_t i = 0; i < 4; i++) {
		const struct anim_attribute *attributes = i < 2 ? &lacking[i] : i == 2 ? NULL : lacking;
		const struct anim_clip_info clip = {
		    .size = sizeof clip, .attributes = attributes, .attribute_count = i < 2 ? 1 : SIZE_MAX};

		w = anim_write_open("no.axs", NULL, NULL);
		fault.code = 0;
		CHECK(anim_write_clip(w, &clip, &fault) == -1 && fault.code == ANIM_FAULT_CALL);
		CHECK(anim_write_commit(w, NULL) == -1);
		anim_write_close(w);
	}
	CHECK(access("no.axs", F_OK) != 0);
	unlink("forbidden.axs");
}

/* Write records in the order of the letters: Tree, Node (root), Clip, traK, commit (E), copies of them in small. */
static bool refuses_order(struct anim *h, const char *order)
{
	const struct anim_tree_info tree = {.size = sizeof tree};
	const struct anim_node_info node = {.size = sizeof node, .path = ".", .parent = -1};
	const struct anim_clip_info clip = {.size = sizeof clip, .tree = 5};
	const struct anim_track_info track = {.size = sizeof track, .type = "float", .kind = "Curve", .keys = 1};
	const struct anim_key_data keys = {.size = sizeof keys, .times = key_times, .doubles = key_times};
	struct anim_fault fault = {0};
	struct anim_writer *w = anim_write_open("order.axs", NULL, NULL);
	int result = 0;

	for (const char *at = order; *at != '\0' && result == 0; at++)
		result = *at == 'T'   ? anim_write_tree(w, &tree, &fault)
			 : *at == 'N' ? anim_write_node(w, &node, &fault)
			 : *at == 'C' ? anim_write_clip(w, &clip, &fault)
			 : *at == 'K' ? anim_write_track(w, &track, &keys, NULL, 0, &fault)
			 : *at == 't' ? anim_copy_tree(w, h, 0, &fault)
			 : *at == 'c' ? anim_copy_clip(w, h, 0, &fault)
			 : *at == 'k' ? anim_copy_track(w, h, 0, 0, &fault)
				      : anim_write_commit(w, &fault);
	anim_write_close(w);
	unlink("order.axs");
	return result == -1 && fault.code != 0 && fault.text[0] != '\0';
}

TEST(api_order, "records in a wrong order, or after the end, are faults")
{
	static const char *const wrong[] = {"N", "K",  "TK", "TNK", "TNN", "tN",  "CN",  "TCN",
					    "k", "tk", "c",  "CET", "CEE", "CEK", "CEc", "TNCTK"};
	static const char *const right[] = {"TNCKE", "CKE", "tcE", "tckE", "TNCKTNCKE", "CE", "tCkKE"};
	struct anim *h;

	write_file("source.axs");
	h = anim_open("source.axs", NULL, NULL);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECKF(refuses_order(h, wrong[i]), "%s", wrong[i]);
	for (size_t i = 0; i < sizeof right / sizeof *right; i++)
		CHECKF(!refuses_order(h, right[i]), "%s", right[i]);
	CHECK(refuses_order(NULL, "t") && refuses_order(NULL, "c") && refuses_order(NULL, "Ck"));
	anim_close(h);
	unlink("source.axs");
}

TEST(api_fork, "a child cannot write to its parent's file, and leaves it alone when it closes it")
{
	struct anim_fault fault = {0};
	struct anim_writer *w = anim_write_open("parent.axs", NULL, &fault);
	const struct anim_tree_info tree = {.size = sizeof tree};
	char bytes[2][8192];
	int status;
	pid_t child;

	CHECK(w != NULL);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		bool right = anim_write_tree(w, &tree, &fault) == -1 && fault.code == ANIM_FAULT_CALL &&
			     strstr(fault.text, "belongs to the process that opened it") != NULL;

		right &= anim_write_commit(w, &fault) == -1;
		anim_write_close(w);
		write_file("child.axs");
		_exit(right ? 0 : 1);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECKF(write_all(w, &fault) == 0 && anim_write_commit(w, &fault) == 0, "%s", fault.text);
	anim_write_close(w);
	CHECK(read_file("parent.axs", bytes[0], sizeof bytes[0]) == read_file("child.axs", bytes[1], sizeof bytes[1]));
	unlink("parent.axs");
	unlink("child.axs");
}
