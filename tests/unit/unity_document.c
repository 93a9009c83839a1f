/* unity_document.c: Unity files document by document, clips field by field, faults where they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/unity/document.h"
#include "tap.h"
#include "unity_rendering.h"

/* The rendering of a text in two ways that must agree, against what is wanted of it. */
static void check(const char *text, const char *wanted)
{
	char *got = unity_render(UNITY_FAST, text, strlen(text), NULL);
	char *bytes = unity_render(UNITY_BYTES, text, strlen(text), NULL);

	if (!CHECK(got != NULL && bytes != NULL))
		return;
	CHECKF(strcmp(got, wanted) == 0, "%s", got);
	CHECKF(strcmp(bytes, wanted) == 0, "one byte a read: %s", bytes);
	free(got);
	free(bytes);
}

TEST(document_heads, "a document's line tells class, id and stripped, or the type's name below it does")
{
	check("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!4 &8 stripped\nTransform: \n"
	      "--- !u!114 &-5183674891237468912\nMonoBehaviour:\n  a: 1\n%TAG !u! x\n"
	      "--- !u!1 &18446744073709551615\nGameObject:\n  m_Name: x\n---\nAnimationClip:\n  m_Name: y\n--- {a: b}\n"
	      "Unknown:\n  a: b\n--- !u!4294967370\nUnknown:\n--- !u!74\n",
	      "document 4 8 stripped line 3\n4:1 Transform: \ndocument 114 -5183674891237468912 line 5\n"
	      "7:3 MonoBehaviour: map of 1\n 7:6 a: 1\ndocument 1 -1 line 9\n11:3 GameObject: map of 1\n 11:11 m_Name: "
	      "x\n"
	      "document 74 0 line 12\nm_Name\n 14:11 m_Name: y\ndocument -1 0 line 15\n17:3 Unknown: map of 1\n 17:6 "
	      "a: b\n"
	      "document -1 0 line 18\n19:1 Unknown: \ndocument 74 0 line 20\n");
}

TEST(document_line_ends, "line feeds, both, lone carriage returns and a byte order mark are read alike")
{
	static const char *const ends[] = {"\n", "\r\n", "\r"};
	static const char *const rows[] = {"%YAML 1.1",          "--- !u!1 &6",    "GameObject:", "  m_Component:",
					   "  - 4: {fileID: 8}", "  - ",           "  m_Name: a", "    b",
					   "--- !u!74 &5",       "AnimationClip:", "  m_Name: x", "  skip: 'y'",
					   "  m_Events: []"};
	char text[1024];

	for (int mark = 0; mark < 2; mark++)
		for (size_t end = 0; end < 3; end++) {
			strcpy(text, mark ? "\xef\xbb\xbf" : "");
			for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
				strcat(text, rows[i]);
				strcat(text, ends[end]);
			}
			check(text,
			      "document 1 6 line 2\n4:3 GameObject: map of 2\n 5:3 m_Component: list of 2\n"
			      "  5:5 m_Component: map of 1\n   5:8 4: map of 1\n    5:17 fileID: 8\n"
			      "  6:5 m_Component: \"\"\n 7:11 m_Name: a b\ndocument 74 5 line 9\nm_Name\n"
			      " 11:11 m_Name: x\nskip\n 12:9 skip: \"y\"\nm_Events\n 13:13 m_Events: list of 0\n");
		}
}

TEST(document_refused, "what is no UnityYAML is refused by name before it is parsed")
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *message;
	} cases[] = {
	    {"", 0, "the file is empty"},
	    {"\xef\xbb\xbf", 3, "the file is empty"},
	    {"UnityFS\0\0\0", 10, "an asset bundle; unpack it first"},
	    {"version https://git-lfs.github.com/spec/v1\n", 43,
	     "a Git LFS pointer, not the file itself; run 'git lfs pull'"},
	    {"\xff\xfe-\0-\0", 6, "UTF-16; save it as UTF-8"},
	    {"\0%\0Y\0A", 6, "UTF-16; save it as UTF-8"},
	    {"\0\0\x12\x34\0\0\xff\xff", 8,
	     "a binary Unity asset; set Asset Serialization to Force Text in Unity and save it again"},
	    {"../a/walk.anim", 14, "the text of a symbolic link; read the file that it names"},
	    {"GameObject:\n  m_Name: x\n", 24, "not a Unity text file: no line begins with '--- '"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct anim_input *input;
		struct unity_file *file = NULL;
		struct anim_error error = {0};

		if (!CHECK(anim_input_open_memory(&input, cases[i].bytes, cases[i].size, "x.anim", NULL) == 0))
			return;
		CHECKF(unity_file_open(&file, input, &error) == -1 && file == NULL &&
			   strcmp(error.message, cases[i].message) == 0 && strcmp(error.file, "x.anim") == 0,
		       "%zu: %s", i, error.message);
		anim_input_close(input);
	}
}

TEST(document_faults, "a fault is its document's alone: the next one is read")
{
	check("--- !u!1 &1\nGameObject:\n  a: b: c\n--- !u!1 &2\nGameObject:\n\tm_Name: x\n--- !u!1 &3\nGameObject:\n  "
	      "m_Name: \xe9x\n"
	      "--- !u!1 &4\n- a\n--- !u!1 &5\nA:\n  x: 1\nB:\n  y: 1\n--- !u!1 &6\nA:\n  ? [b]\n  : c\n--- !u!1 "
	      "&7\nA:\n  x: \"\\0\"\n"
	      "--- !u!74 &8\nAnimationClip:\n  m_Name: x\n  m_Events: {a\n--- !u!1 &9\nA: 5\n...\nB: 6\n",
	      "document 1 1 line 1\nfault x.anim:3:7 not UnityYAML: invalid nested block mapping on the same line\n"
	      "document 1 2 line 4\nfault x.anim:6:1 not UnityYAML: tab character may not be used as indentation\n"
	      "document 1 3 line 7\nfault x.anim:9:11 bytes that are not UTF-8\n"
	      "document 1 4 line 10\nfault x.anim:11:1 an object that does not begin with the name of its type\n"
	      "document 1 5 line 12\nfault x.anim:15:1 more than one type in an object\n"
	      "document 1 6 line 17\nfault x.anim:19:5 a key of a map is not a text\n"
	      "document 1 7 line 21\nfault x.anim:23:6 a text contains a NUL, or an escape that is not a character\n"
	      "document 74 8 line 24\nm_Name\n 26:11 m_Name: x\nfault x.anim:28:1 not UnityYAML: missing "
	      "comma in flow mapping\n"
	      "document 1 9 line 28\n29:4 A: 5\n");
}

TEST(document_broken, "a NUL or the marks of a merge conflict end the whole file, in documents that are not read too")
{
	static const char nul[] = "--- !u!1 &1\nA:\n  x: a\0b\n--- !u!1 &2\nA: 1\n";
	static const char *const marks[] = {"<<<<<<< HEAD", "=======", ">>>>>>> topic"};
	char text[256], wanted[256], *got;
	struct anim_input *input;
	struct unity_file *file;
	struct unity_document document;
	struct anim_error error = {0};

	got = unity_render(UNITY_FAST, nul, sizeof nul - 1, NULL);
	CHECKF(got != NULL && strstr(got, "document 1 1 line 1\nfault x.anim:3:1 a NUL byte") == got &&
		   strstr(got, "document 1 2") == NULL,
	       "%s", got);
	free(got);
	for (size_t i = 0; i < 3; i++) {
		snprintf(text, sizeof text, "--- !u!1 &1\nA:\n%s\n  x: 1\n--- !u!1 &2\nA: 1\n", marks[i]);
		snprintf(
		    wanted, sizeof wanted,
		    "document 1 1 line 1\nfault x.anim:3:1 an unresolved merge conflict; resolve it with the version "
		    "control first\n");
		check(text, wanted);
		if (!CHECK(anim_input_open_memory(&input, text, strlen(text), "x", NULL) == 0 &&
			   unity_file_open(&file, input, &error) == 0))
			return;
		CHECK(unity_file_next(file, &document) == 1 && unity_file_next(file, &document) == -1 &&
		      error.code == ANIM_BAD_INPUT && error.line == 3 && unity_file_next(file, &document) == 0);
		unity_file_close(file);
		anim_input_close(input);
	}
}

TEST(document_items, "a list hands out its items one by one, an empty one itself, with a list of references as a list")
{
	check("--- !u!74 &1\nAnimationClip:\n  m_PPtrCurves:\n  - curve:\n    - time: 0\n      value: {fileID: 1, "
	      "guid: 2,\n"
	      "        type: 3}\n    path: a\n  - {path: b}\n  m_FloatCurves: []\n  m_Events:\n    - time: 1\n  "
	      "m_Bounds:\n    m_Center: {x: 0}\n",
	      "document 74 1 line 1\nm_PPtrCurves 0\n 4:5 m_PPtrCurves: map of 2\n  5:5 curve: list of 1\n"
	      "   5:7 curve: map of 2\n    5:13 time: 0\n    6:14 value: map of 3\n     6:23 fileID: 1\n     6:32 "
	      "guid: 2\n"
	      "     7:15 type: 3\n  8:11 path: a\nm_PPtrCurves 1\n 9:5 m_PPtrCurves: map of 1\n  9:12 path: b\n"
	      "m_FloatCurves\n 10:18 m_FloatCurves: list of 0\nm_Events 0\n 12:7 m_Events: map of 1\n  12:13 time: 1\n"
	      "m_Bounds\n 14:5 m_Bounds: map of 1\n  14:15 m_Center: map of 1\n   14:19 x: 0\n");
}

/* Asked for every field: all that stand before it were handed out then. */
struct asked {
	const char *handed_out[16], *order[16];
	size_t count, questions;
	bool late;
};

static bool not_the_editors(void *context, const char *name)
{
	struct asked *asked = context;

	if (asked->questions > 0 &&
	    (asked->count == 0 || strcmp(asked->handed_out[asked->count - 1], "m_Skipped") == 0))
		asked->late = true;
	asked->questions++;
	return strncmp(name, "m_Editor", 8) != 0;
}

TEST(document_wanted,
     "a field is asked for when those before it were handed out, and passed over unread where it is not wanted")
{
	static const char text[] =
	    "--- !u!74 &1\nAnimationClip:\n  m_A: 1\n  m_EditorCurves:\n  - curve:\n    broken: 'it\n  - {{{\n"
	    "\tx\n    path: \n\n  # y\n  m_B: 2\n  m_EditorFlow: {a: 1,\n    b: 2}\n  m_EditorText: 'x\n    y'\n"
	    "  m_C:\n  - 1\n  - 2\n  m_EditorLast:\n  - x\n--- !u!1 &2\nA: 3\n";
	struct anim_input *input;
	struct unity_file *file;
	struct unity_document document;
	struct unity_field field;
	struct anim_arena arena = {0};
	struct anim_error error = {0};
	struct asked asked = {0};
	char seen[256] = "";

	if (!CHECK(anim_input_open_memory(&input, text, sizeof text - 1, "x", NULL) == 0 &&
		   unity_file_open(&file, input, &error) == 0))
		return;
	unity_clip_want(file, not_the_editors, &asked);
	CHECK(unity_file_next(file, &document) == 1);
	while (unity_clip_next(file, &arena, &field) > 0) {
		size_t length = strlen(seen);

		asked.handed_out[asked.count++] = field.name;
		snprintf(seen + length, sizeof seen - length, "%s=%s@%u ", field.name, field.node->text,
			 field.node->line);
	}
	CHECKF(strcmp(seen, "m_A=1@3 m_B=2@12 m_C=1@18 m_C=2@19 ") == 0 && error.code == 0, "%s %s", seen,
	       error.message);
	CHECK(asked.questions == 7 && !asked.late);
	CHECK(unity_file_next(file, &document) == 1 && document.line == 22);
	unity_file_close(file);
	anim_input_close(input);
	anim_arena_clear(&arena);
}

TEST(document_long, "lines longer than the window are read; a value beyond the limit of texts is refused")
{
	size_t size = (size_t)17 << 20, length = (size_t)300000;
	char *text = malloc(size + 100), *got;

	if (!CHECK(text != NULL))
		return;
	memset(text, 'a', size + 100);
	memcpy(text, "--- !u!1 &1\nA: ", 15);
	strcpy(text + 15 + length, "\n--- !u!1 &2\nB: 1\n");
	got = unity_render(UNITY_FAST, text, strlen(text), NULL);
	CHECK(got != NULL &&
	      strlen(got) == length + strlen("document 1 1 line 1\n2:4 A: \ndocument 1 2 line 3\n4:4 B: 1\n"));
	free(got);
#ifndef __SANITIZE_ADDRESS__ /* libfyaml takes 4 KB more at a time, which the sanitizer copies each time */
	memset(text + 15, 'a', size - 15);
	strcpy(text + size, "\n--- !u!1 &2\nB: 1\n");
	got = unity_render(UNITY_FAST, text, strlen(text), NULL);
	CHECKF(got != NULL && strcmp(got, "document 1 1 line 1\nfault x.anim:2:1 a value of more than 16777216 bytes\n"
					  "document 1 2 line 3\n4:4 B: 1\n") == 0,
	       "%.300s", got);
	free(got);
#endif
	free(text);
}
