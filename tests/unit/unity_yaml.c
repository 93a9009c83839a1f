/* unity_yaml.c: looking things up in trees of UnityYAML, and writing them in one line. */
#include <stdio.h>
#include <string.h>

#include "format/unity/document.h"
#include "tap.h"

/* The tree of one small document. */
struct tree {
	struct anim_input *input;
	struct unity_file *file;
	struct anim_arena arena;
	const struct unity_node *root; /* NULL where it could not be read */
	struct anim_error error;
	char text[4096];
};

static void grow(struct tree *tree, const char *fields)
{
	struct unity_document document;

	memset(tree, 0, sizeof *tree);
	snprintf(tree->text, sizeof tree->text, "--- !u!1 &1\nGameObject:\n%s", fields);
	if (anim_input_open_memory(&tree->input, tree->text, strlen(tree->text), "x.prefab", &tree->error) == 0 &&
	    unity_file_open(&tree->file, tree->input, &tree->error) == 0 &&
	    unity_file_next(tree->file, &document) == 1 &&
	    unity_document_tree(tree->file, &tree->arena, &tree->root) != 0)
		tree->root = NULL;
}

static void fell(struct tree *tree)
{
	unity_file_close(tree->file);
	anim_input_close(tree->input);
	anim_arena_clear(&tree->arena);
}

static bool is_text(const struct tree *tree, const char *key, const char *wanted)
{
	const char *text = unity_text(tree->root, key, NULL);

	return CHECKF(text != NULL && strcmp(text, wanted) == 0, "%s: %s, not %s", key, text == NULL ? "none" : text,
		      wanted);
}

TEST(unity_scalars, "texts are unquoted, unescaped and unfolded; aliases, anchors and tags are texts")
{
	struct tree t;

	grow(
	    &t,
	    "  plain: a b\n  single: 'it''s'\n  double: \"\\u65E5\\x41\\uD83D\\uDE00\"\n  folded: Bip001/L\n    Thigh\n"
	    "  empty: \n  quoted: ''\n  alias: *x\n  anchor: &x\n  both: &x y\n  tag: !x\n  open: 'ends with a "
	    "line\n\n'\n"
	    "  colon: a:b\n  percent: 5%\n");
	is_text(&t, "plain", "a b");
	is_text(&t, "single", "it's");
	is_text(&t, "double",
		"\xe6\x97\xa5"
		"A\xf0\x9f\x98\x80");
	is_text(&t, "folded", "Bip001/L Thigh");
	is_text(&t, "empty", "");
	is_text(&t, "quoted", "");
	is_text(&t, "alias", "*x");
	is_text(&t, "anchor", "&x");
	is_text(&t, "both", "&x y");
	is_text(&t, "tag", "!x");
	is_text(&t, "open", "ends with a line\n");
	is_text(&t, "colon", "a:b");
	is_text(&t, "percent", "5%");
	CHECK(strcmp(unity_text(t.root, "missing", "otherwise"), "otherwise") == 0);
	fell(&t);
}

TEST(unity_maps, "of a key that is there twice the last counts; a flow map needs no blank behind its colons")
{
	struct tree t;
	struct unity_reference reference;
	int64_t number = 0;

	grow(&t, "  a: 1\n  a: 2\n  tight: {fileID:6, guid:0123456789ABCDEF0123456789abcdef, type:3}\n  list:\n  - 4: "
		 "{fileID: 8}\n"
		 "  - \n  - 33: {fileID: -12}\n  m_Name: Cube\n");
	CHECK(t.root != NULL && strcmp(t.root->key, "GameObject") == 0);
	CHECK(unity_int64(t.root, "a", &number, NULL) == 1 && number == 2);
	CHECK(unity_reference_read(unity_get(t.root, "tight"), &reference, NULL) == 1 && reference.file_id == 6 &&
	      strcmp(reference.guid, "0123456789abcdef0123456789abcdef") == 0 && reference.type == 3);
	CHECK(unity_get(t.root, "list")->count == 3 && unity_get(t.root, "list")->first->next->length == 0);
	CHECK(strcmp(unity_get(t.root, "list")->first->first->key, "4") == 0);
	CHECK(unity_get(t.root, "list")->line == 7 && unity_get(t.root, "a")->line == 4 &&
	      unity_get(t.root, "a")->column == 6);
	is_text(&t, "m_Name", "Cube");
	fell(&t);
}

TEST(unity_members, "a number that is missing or empty leaves what was there; one that is none names itself")
{
	struct tree t;
	struct unity_reference reference;
	float value = 9, components[4] = {9, 9, 9, 9};
	unsigned count;
	int64_t id;

	grow(&t, "  f: 0x3f800000(1)\n  empty: \n  word: abc\n  id: 18446744073709551615\n  low: -9223372036854775808\n"
		 "  over: 18446744073709551616\n  zero: 0\n  p: {x: 1, y: 2, z: 3}\n  c: {r: 1, g: 2, b: 3, a: 4}\n"
		 "  bad: {x: 1, y: two}\n  none: {q: 1}\n  short: {fileID: 1, guid: 12}\n");
	CHECK(unity_float(t.root, "f", &value, NULL) == 1 && value == 1);
	CHECK(unity_float(t.root, "empty", &value, NULL) == 0 && unity_float(t.root, "none of it", &value, NULL) == 0 &&
	      value == 1);
	CHECK(unity_float(t.root, "word", &value, &t.error) == -1 &&
	      strcmp(t.error.message, "word is not a number: 'abc'") == 0);
	CHECK(unity_float(t.root, "p", &value, &t.error) == -1 && strcmp(t.error.message, "p is not a number") == 0);
	CHECK(unity_int64(t.root, "id", &id, NULL) == 1 && id == -1);
	CHECK(unity_int64(t.root, "low", &id, NULL) == 1 && id == INT64_MIN);
	CHECK(unity_int64(t.root, "over", &id, NULL) == -1 && unity_int64(t.root, "f", &id, NULL) == -1);
	CHECK(unity_int64(t.root, "zero", &id, NULL) == 1 && id == 0);
	CHECK(unity_vector(t.root, "p", components, &count, NULL) == 1 && count == 3 && components[2] == 3 &&
	      components[3] == 9);
	CHECK(unity_vector(t.root, "c", components, &count, NULL) == 1 && count == 4 && components[3] == 4);
	CHECK(unity_vector(t.root, "bad", components, &count, NULL) == -1 &&
	      unity_vector(t.root, "none", components, &count, NULL) == -1 &&
	      unity_vector(t.root, "f", components, &count, NULL) == -1);
	CHECK(unity_reference_read(unity_get(t.root, "short"), &reference, &t.error) == -1 &&
	      strcmp(t.error.message, "guid is not 32 hexadecimal digits: '12'") == 0);
	CHECK(unity_reference_read(unity_get(t.root, "p"), &reference, NULL) == -1 &&
	      unity_reference_read(NULL, &reference, NULL) == 0);
	fell(&t);
}

TEST(unity_flow, "a value comes back in one line as Unity writes it")
{
	static const char *const cases[] = {
	    "{fileID: 21300000, guid: 0123456789abcdef0123456789abcdef, type: 3}",
	    "{x: 0, y: -0, z: 0.33333334}",
	    "[1, 2, {a: b}]",
	    "[]",
	    "{m: {fileID: 0}, n: 'a, b', o: it's, p: \"\\u65E5\\U0001F600\\n\", q: '[x]', r: a:b}",
	    "'- x'",
	    "'@x'",
	    "'a: b'",
	    "'a #b'",
	    "'a:'",
	    "it's",
	    "-x",
	    "\"\\t\\\"\\xE9\"",
	};
	struct tree t;
	char fields[512];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *text;

		snprintf(fields, sizeof fields, "  v: %s\n", cases[i]);
		grow(&t, fields);
		text = t.root == NULL ? NULL : unity_flow_text(unity_get(t.root, "v"), &t.arena, NULL);
		CHECKF(text != NULL && strcmp(text, cases[i]) == 0, "%s: %s", cases[i],
		       text == NULL ? t.error.message : text);
		fell(&t);
	}
}

TEST(unity_depth, "maps and lists are read up to the limit of nesting and refused with their place beyond it")
{
	struct tree t;
	char fields[2000] = "  v: ";

	for (int deep = 254; deep <= 257; deep++) {
		memset(fields + 5, '[', (size_t)deep);
		memset(fields + 5 + deep, ']', (size_t)deep);
		strcpy(fields + 5 + 2 * deep, "\n");
		grow(&t, fields);
		CHECKF((t.root != NULL) == (deep <= 255), "%d: %s", deep, t.error.message);
		if (deep == 257)
			CHECK(t.error.code == ANIM_TOO_LARGE && t.error.line == 3 && t.error.column == 261);
		fell(&t);
	}
}
