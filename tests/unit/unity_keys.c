/* unity_keys.c: keys as columns: what they hold, and that the fast way and libfyaml agree on every file and mutation. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/unity/document.h"
#include "format/unity/file.h"
#include "tap.h"
#include "unity_rendering.h"

#define UNWANTED "m_EditorCurves m_EulerEditorCurves m_ClipBindingConstant"
#define MUTATIONS 2500
#define WEIGHT (1.0f / 3.0f)

static uint64_t state;

static size_t below(size_t bound)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % bound);
}

/* A clip of one float3 curve whose keys are `text`, then `behind`. */
static char *clip_of(const char *text, const char *behind)
{
	static char clip[65536];

	snprintf(clip, sizeof clip,
		 "--- !u!74 &7400000\nAnimationClip:\n  m_PositionCurves:\n  - curve:\n      serializedVersion: 2\n"
		 "      m_Curve:\n%s%s",
		 text, behind);
	return clip;
}

#define BEHIND "      m_PreInfinity: 2\n    path: Hips\n  m_SampleRate: 60\n"

/* One keyframe as versions from 2018.1 on write it. */
static const char *key(const char *time, const char *value, const char *slope, const char *mode, const char *weight)
{
	static char text[32768];
	static size_t at;

	at = (at + 1024) % sizeof text;
	snprintf(text + at, 1024,
		 "      - serializedVersion: 3\n        time: %s\n        value: %s\n        inSlope: %s\n        "
		 "outSlope: %s\n"
		 "        tangentMode: %s\n        weightedMode: 0\n        inWeight: %s\n        outWeight: %s\n",
		 time, value, slope, slope, mode, weight, weight);
	return text + at;
}

static const char *lines(const char *const *keys, size_t count)
{
	static char text[32768];

	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		strcat(text, keys[i]);
	return text;
}

/* A curve that was read, with what its node needs to stay. */
struct curve {
	struct anim_input *input;
	struct unity_file *file;
	struct anim_arena arena;
	const struct anim_track *keys; /* NULL: a fault */
	struct anim_error error;
};

static void read_curve(struct curve *curve, const char *clip, bool slow)
{
	struct unity_document document;
	struct unity_field field;
	const struct unity_node *node = NULL;

	memset(curve, 0, sizeof *curve);
	if (anim_input_open_memory(&curve->input, clip, strlen(clip), "x.anim", &curve->error) != 0 ||
	    unity_file_open(&curve->file, curve->input, &curve->error) != 0)
		return;
	if (slow)
		unity_file_slow(curve->file);
	if (unity_file_next(curve->file, &document) == 1 && unity_clip_next(curve->file, &curve->arena, &field) == 1)
		node = unity_get(unity_get(field.node, "curve"), "m_Curve");
	if (node != NULL && node->kind == UNITY_KEYS)
		curve->keys = node->keys;
}

static void clear_curve(struct curve *curve)
{
	unity_file_close(curve->file);
	anim_input_close(curve->input);
	anim_arena_clear(&curve->arena);
}

TEST(keys_columns, "keys become columns, lane by lane; what is 1/3 or 0 in all keys has no column")
{
	static const float value[] = {1, 2, 3, -4, 5, -0.5f},
			   left[] = {0, 0, 0, __builtin_inff(), 0, -__builtin_inff()};
	const char *keys[] = {
	    key("0", "{x: 1, y: 2, z: 3}", "{x: 0, y: 0, z: 0}", "0", "{x: 0.33333334, y: 0.33333334, z: 0.33333334}"),
	    key(".0333333351", "{x: -4, y: 5, z: -.5}", "{x: Infinity, y: 0, z: -Infinity}", "0",
		"{x: 0.33333334, y: 0.33333334, z: 0.33333334}")};
	struct curve c;

	for (int slow = 0; slow < 2; slow++) {
		read_curve(&c, clip_of(lines(keys, 2), BEHIND), slow);
		if (!CHECKF(c.keys != NULL && c.keys->n == 2 && c.keys->type == ANIM_FLOAT3, "%s", c.error.message))
			return;
		CHECK(c.keys->time[0] == 0 && c.keys->time[1] == 0.0333333351f);
		CHECK(memcmp(c.keys->value, value, sizeof value) == 0 && memcmp(c.keys->left, left, sizeof left) == 0 &&
		      memcmp(c.keys->right, left, sizeof left) == 0);
		CHECK(c.keys->left_x == NULL && c.keys->right_x == NULL && c.keys->weighted == NULL &&
		      c.keys->hint == NULL && c.keys->interp == ANIM_HERMITE);
		clear_curve(&c);
	}
}

TEST(keys_mixed,
     "weights, modes and hints that only some keys have are filled in for the others; hints of before 5.5 are made new")
{
	const char *keys[] = {"      - time: 0\n        value: 1\n        inSlope: 2\n        outSlope: 3\n        "
			      "tangentMode: 543649385\n",
			      key("1", "1", "0", "-1", "0.25"), key("2", "1", "0", "136", "0.33333334"),
			      "      - time: 3\n        value: 7\n        weightedMode: 3\n"};
	const float *value, *left, *right;
	struct curve c;

	for (int slow = 0; slow < 2; slow++) {
		read_curve(&c, clip_of(lines(keys, 4), BEHIND), slow);
		if (!CHECKF(c.keys != NULL && c.keys->n == 4 && c.keys->type == ANIM_FLOAT, "%s", c.error.message))
			return;
		CHECK(c.keys->left_x != NULL && c.keys->left_x[0] == WEIGHT && c.keys->left_x[1] == 0.25f &&
		      c.keys->right_x[2] == WEIGHT && c.keys->right_x[3] == WEIGHT);
		CHECK(c.keys->hint != NULL && c.keys->hint[0] == 33 && c.keys->hint[1] == 0xffffffff &&
		      c.keys->hint[2] == 136 && c.keys->hint[3] == 0);
		CHECK(c.keys->weighted != NULL && c.keys->weighted[0] == 0 && c.keys->weighted[3] == 3);
		CHECK(c.keys->interp == ANIM_WEIGHTED);
		value = c.keys->value;
		left = c.keys->left;
		right = c.keys->right;
		CHECK(value[3] == 7 && left[0] == 2 && right[0] == 3 && left[3] == 0);
		clear_curve(&c);
	}
}

TEST(keys_faults, "a key that cannot be read is a fault with the place of what is wrong in it")
{
	static const struct {
		const char *key;
		uint32_t line, column;
		const char *message;
	} cases[] = {
	    {"      - time: 1\n        value: one\n", 17, 16, "value is not a number: 'one'"},
	    {"      - time: 1\n        value: {x: 1, y: 2, z: 3}\n", 17, 16,
	     "a key has 3 components, but earlier keys have 1"},
	    {"      - time: 1\n        value: 1\n        inSlope: {x: 1, y: 1}\n", 18, 18,
	     "inSlope has 2 components, but the value has 1"},
	    {"      - time: 1\n        tangentMode: 4294967296\n", 17, 22, "tangentMode is out of range"},
	    {"      - 5\n", 16, 9, "a key is not a map of its members"},
	    {"      - time: 1\n       value: 1\n", 17, 8, "not UnityYAML: invalid indentation in mapping"},
	};
	struct curve c;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int slow = 0; slow < 2; slow++) {
			const char *keys[] = {key("0", "1", "0", "0", "0"), cases[i].key};

			read_curve(&c, clip_of(lines(keys, 2), BEHIND), slow);
			CHECKF(c.keys == NULL && c.error.line == cases[i].line && c.error.column == cases[i].column &&
				   strcmp(c.error.message, cases[i].message) == 0,
			       "%zu: %u:%u %s", i, c.error.line, c.error.column, c.error.message);
			clear_curve(&c);
		}
}

/* How many keys the fast way takes of a text that begins with an item at column 8. */
static ptrdiff_t take(const char *text, size_t *left)
{
	struct unity_lines window = {.line = 1};
	struct unity_keys keys = {0};
	struct unity_fast_keys *fast = NULL;
	ptrdiff_t count = -1;

	if (anim_input_open_memory(&window.input, text, strlen(text), "x", NULL) == 0 &&
	    unity_fast_new(&fast, NULL) == 0)
		count = unity_fast_read(fast, &window, &keys, 8, NULL);
	*left = window.left;
	CHECK(count < 0 || keys.columns.n == (size_t)count);
	unity_fast_free(fast);
	anim_keys_clear(&keys.columns);
	anim_input_close(window.input);
	return count;
}

TEST(keys_fast_takes,
     "keys as Unity writes them are read without libfyaml, however their numbers, weights and hints change")
{
	const char *same[] = {key("0", "1", "0", "0", "0"), key("1", "-2.5e-7", "Infinity", "0", "0"),
			      key("2", ".0166666675", "1", "136", "0.25"), key("3", "1", "0", "-5", "1")};
	static const char *const behind[] = {"", "      m_PreInfinity: 2\n", "  - curve:\n", "--- !u!1 &2\n", "...\n"};
	char text[8192];
	size_t left;

	for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
		snprintf(text, sizeof text, "%s%s", lines(same, 4), behind[i]);
		CHECKF(take(text, &left) == 4 && left == strlen(behind[i]), "before '%s'", behind[i]);
	}
}

TEST(keys_fast_leaves, "a key that goes on below, or may, is left to libfyaml, as is one with anything unusual")
{
	const char *same[] = {key("0", "1", "0", "0", "0"), key("1", "2", "0", "0", "0")};
	static const char *const behind[] = {"          5\n", "        more: 1\n", "\n",   "# x\n",
					     "       x\n",    "      \t\n",        "%x\n", "\xff\n"};
	static const char *const odd[] = {"\"1\"",        "{x: 1, y: 2,\n          z: 3}",
					  "{y: 1, x: 2}", "0x3f800000",
					  "+1",           "1 # x",
					  "&a 1",         "nan",
					  "1e",           "{x: 1,y: 2}",
					  " 1",           "1 "};
	char text[8192];
	size_t left;

	for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
		snprintf(text, sizeof text, "%s%s", lines(same, 2), behind[i]);
		CHECKF(take(text, &left) == 1 && left == strlen(same[1]) + strlen(behind[i]), "before '%s'", behind[i]);
	}
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		const char *keys[] = {same[0], key("1", odd[i], "0", "0", "0"), same[1]};

		CHECKF(take(lines(keys, 3), &left) == 1, "%s", odd[i]);
	}
}

/* All ways read the bytes alike. */
static bool check_ways(const char *name, const char *bytes, size_t size, enum unity_way last)
{
	char *wanted = unity_render(UNITY_FAST, bytes, size, UNWANTED);
	bool same = wanted != NULL;

	for (int way = UNITY_SLOW; way <= (int)last; way++) {
		char *other = unity_render((enum unity_way)way, bytes, size, UNWANTED);

		same = CHECKF(other != NULL && wanted != NULL && strcmp(wanted, other) == 0, "%s, way %d", name, way) &&
		       same;
		free(other);
	}
	free(wanted);
	return same;
}

/* Calls for every file of a folder; how many. */
static size_t each_file(const char *folder, void (*check)(const char *name, const char *bytes, size_t size))
{
	DIR *list = opendir(folder);
	const struct dirent *entry;
	size_t count = 0;

	while (list != NULL && (entry = readdir(list)) != NULL) {
		char path[4096];
		size_t size, length = strlen(entry->d_name);
		char *bytes;

		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (length < 6 || strcmp(entry->d_name + length - 5, ".anim") != 0 ||
		    (bytes = unity_load(path, &size)) == NULL)
			continue;
		check(path, bytes, size);
		free(bytes);
		count++;
	}
	if (list != NULL)
		closedir(list);
	return count;
}

static void check_file(const char *name, const char *bytes, size_t size)
{
	check_ways(name, bytes, size, UNITY_BYTES);
}

static const char *folder_of(const char *variable, const char *otherwise, const char *below_it)
{
	static char path[2048];
	const char *data = getenv(variable);

	snprintf(path, sizeof path, "%s%s", data != NULL ? data : otherwise, below_it);
	return path;
}

TEST(keys_files, "the fast way, libfyaml alone and reads of one byte give the same of every file")
{
	CHECK(each_file(folder_of("ANIM_DATA", "tests/data", "/unity"), check_file) > 5);
	each_file(folder_of("ANIM_CORPUS", "../shared/corpus", "/unity"), check_file);
	each_file(folder_of("ANIM_CORPUS", "../shared/corpus", "/unity/synthetic"), check_file);
}

static size_t insert(char *bytes, size_t size, size_t at, const char *what, size_t length)
{
	memmove(bytes + at + length, bytes + at, size - at);
	memcpy(bytes + at, what, length);
	return size + length;
}

static size_t cut(char *bytes, size_t size, size_t at, size_t length)
{
	length = length < size - at ? length : size - at;
	memmove(bytes + at, bytes + at + length, size - at - length);
	return size - length;
}

/* One change of the kinds that editors, merges and damage make. At most 64 bytes more. */
static size_t mutate(char *bytes, size_t size)
{
	static const char *const pieces[] = {"\"",
					     "'",
					     "{",
					     "}",
					     "[",
					     "]",
					     ":",
					     ": ",
					     " ",
					     "  ",
					     "\n",
					     "\r",
					     "\t",
					     "#",
					     " #x",
					     "|",
					     ">",
					     "- ",
					     "-",
					     "&a ",
					     "*a",
					     "!x ",
					     "0",
					     ".",
					     "e5",
					     "Infinity",
					     "\\",
					     "\xff",
					     "\xe6\x97\xa5",
					     "%",
					     "---\n",
					     "--- !u!74 &1\n",
					     "...\n",
					     "<<<<<<< a\n",
					     "x: 1\n",
					     "      - time: 0\n",
					     "        value: 3\n",
					     "? ",
					     ", ",
					     "m_Curve:\n",
					     "nan",
					     "0x3f800000",
					     "+"};
	const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
	size_t at = below(size), from, length;
	char copy[64];

	switch (below(5)) {
	case 0:
		return insert(bytes, size, at, piece, strlen(piece));
	case 1:
		return insert(bytes, cut(bytes, size, at, strlen(piece)), at, piece, strlen(piece));
	case 2:
		return cut(bytes, size, at, 1 + below(below(2) ? 3 : 40));
	case 3:
		while (at > 0 && bytes[at - 1] != '\n')
			at--;
		return below(2) || bytes[at] != ' ' ? insert(bytes, size, at, " ", 1) : cut(bytes, size, at, 1);
	default:
		from = below(size);
		length = below(sizeof copy);
		length = length < size - from ? length : size - from;
		memcpy(copy, bytes + from, length);
		return insert(bytes, size, at, copy, length);
	}
}

static void check_mutations(const char *name, const char *bytes, size_t size)
{
	char *changed = malloc(size + 256);

	for (int i = 0; changed != NULL && i < MUTATIONS / 5; i++) {
		char title[4200];
		size_t length = size;

		memcpy(changed, bytes, size);
		for (size_t times = 1 + below(3); times > 0 && length > 0; times--)
			length = mutate(changed, length);
		snprintf(title, sizeof title, "%s, mutation %d", name, i);
		if (!check_ways(title, changed, length, UNITY_SLOW))
			break;
	}
	free(changed);
}

TEST(keys_mutations, "mutated files are read alike, or refused alike, by the fast way and by libfyaml alone")
{
	const char *keys[] = {key("0", "1", "0", "0", "0"), key("0.5", "2.25", "1", "0", "0"),
			      key("1", "3", "-1", "136", "0")};
	const char *clip = clip_of(lines(keys, 3), BEHIND);

	state = 88172645463325252u;
	check_mutations("a curve", clip, strlen(clip));
	CHECK(each_file(folder_of("ANIM_DATA", "tests/data", "/unity"), check_mutations) > 4);
}
