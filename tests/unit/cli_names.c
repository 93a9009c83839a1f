/* cli_names.c: file names made from clips, make rules, files told by their first bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/depfile.h"
#include "cli/each.h"
#include "format/format.h"
#include "tap.h"

/* The name that the pattern gives, compared and freed. */
static bool gives(struct cli_file_names *names, const char *pattern, const char *clip, const char *expected)
{
	struct cli_name_parts parts = {clip, "Player", "walk"};
	struct anim_error error;
	char *name = cli_file_name(names, pattern, &parts, &error);
	bool same = name != NULL && strcmp(name, expected) == 0;

	CHECKF(same, "'%s' with '%s' is '%s'", pattern, clip, name == NULL ? "(none)" : name);
	free(name);
	return same;
}

TEST(cli_names_safe, "what is put into a file name cannot leave its folder, hide or deceive")
{
	struct cli_file_names names = {0};

	gives(&names, "d/%c.animj", "lib/walk", "d/lib_walk.animj");
	gives(&names, "d/%c.animj", "..", "d/_..animj");
	gives(&names, "%c", "-rf", "_rf");
	gives(&names, "%c", "", "_");
	gives(&names, "%c", "a\nb\x7f*?\"", "a_b____");
	gives(&names, "%c", "\xff\xc3\xa4\xc3", "_\xc3\xa4_");
	gives(&names, "%c", "x\xe2\x80\xaey", "x_y");
	gives(&names, "%p/%f-%c%%.x", "c", "Player/walk-c%.x");
	cli_file_names_clear(&names);
}

TEST(cli_names_windows, "no name that the input gives is one that Windows keeps for a device, or ends in a dot")
{
	struct cli_file_names names = {0};

	gives(&names, "%c", "CON", "_CON");
	gives(&names, "%c.animj", "aux", "_aux.animj");
	gives(&names, "%c", "nul.tar.gz", "_nul.tar.gz");
	gives(&names, "%c/x", "lpt1", "_lpt1/x");
	gives(&names, "a/%c/x", "walk.", "a/walk_/x");
	gives(&names, "%c", "Com0.x", "_Com0.x");
	gives(&names, "%c", "conx", "conx");
	gives(&names, "%c", "com", "com");
	gives(&names, "%cy", "con", "cony");
	gives(&names, "con/%c", "a", "con/a"); /* who types it knows it */
	cli_file_names_clear(&names);
}

TEST(cli_names_distinct, "names that differ only in case get numbers, before the suffix")
{
	struct cli_file_names names = {0};

	gives(&names, "a.b/%c.x", "Run", "a.b/Run.x");
	gives(&names, "a.b/%c.x", "run", "a.b/run-2.x");
	gives(&names, "a.b/%c.x", "RUN", "a.b/RUN-3.x");
	gives(&names, "a.b/%c.x", "run-2", "a.b/run-2-2.x");
	gives(&names, "a.b/%c", "\xc3\x84", "a.b/\xc3\x84");
	gives(&names, "a.b/%c", "\xc3\xa4", "a.b/\xc3\xa4-2");
	gives(&names, "a.b/%c", "\xd0\x96", "a.b/\xd0\x96");
	gives(&names, "a.b/%c", "\xd0\xb6", "a.b/\xd0\xb6-2");
	cli_file_names_clear(&names);
}

TEST(cli_names_long, "no part of a path becomes longer than 200 bytes, and no character is cut")
{
	struct cli_file_names names = {0};
	char clip[602] = "", *name;
	struct cli_name_parts parts = {clip, clip, clip};

	for (int i = 0; i < 200; i++)
		strcat(clip, "\xe2\x82\xac");
	name = cli_file_name(&names, "%p/a%c%f.animj", &parts, NULL);
	CHECK(name != NULL && strchr(name, '/') - name == 198);
	CHECKF(name != NULL && strlen(strchr(name, '/') + 1) == 199, "%zu", strlen(strchr(name, '/') + 1));
	CHECK(name != NULL && strcmp(name + strlen(name) - 9, "\xe2\x82\xac.animj") == 0);
	free(name);
	cli_file_names_clear(&names);
}

TEST(cli_names_patterns, "a pattern with an unknown letter, without a name or at an end of '%' is refused")
{
	CHECK(cli_file_pattern_fault("a/%c-%p-%f-%%.x") == NULL && cli_file_pattern_fault("%%c") == NULL);
	CHECK(cli_file_pattern_fault("") != NULL && cli_file_pattern_fault("%n") != NULL);
	CHECK(cli_file_pattern_fault("%c%") != NULL && cli_file_pattern_fault("%c/") != NULL);
}

TEST(cli_depfile_rule,
     "a make rule names each file once, escaped, with a rule of its own, and nothing that make cannot hold")
{
	static const char expected[] = "t: a\\ b \\\n c\\\\\\ \\#$$x\na\\ b:\nc\\\\\\ \\#$$x:\n";
	struct cli_depfile depfile = {0};
	struct anim_output *output;
	struct anim_error error;
	const uint8_t *text;
	size_t size;

	CHECK(cli_depfile_add(&depfile, "a b", &error) == 0 && cli_depfile_add(&depfile, "-", &error) == 0);
	CHECK(cli_depfile_add(&depfile, "c\\ #$x", &error) == 0 && cli_depfile_add(&depfile, "a b", &error) == 0);
	CHECK(cli_depfile_add(&depfile, "a\nb", &error) == -1);
	CHECK(cli_depfile_add(&depfile, "a=b", &error) == -1 && strstr(error.message, "'='") != NULL);
	CHECK(cli_depfile_add(&depfile, "a;b", &error) == -1);
	CHECK(anim_output_open_memory(&output, &error) == 0);
	CHECK(cli_depfile_write(&depfile, "100%", output, &error) == -1);
	CHECK(cli_depfile_write(&depfile, "t", output, &error) == 0);
	text = anim_output_memory(output, &size);
	CHECKF(size == strlen(expected) && memcmp(text, expected, size) == 0, "%.*s", (int)size, (const char *)text);
	anim_output_free(output);
	cli_depfile_clear(&depfile);
}

TEST(cli_kind_prefixes, "any prefix of a stream's first bytes counts as a stream, and no bytes are too few to look at")
{
	static const uint8_t head[] = {5, 'A', 'n', 'i', 'm', 'S', 1, 0};
	static const char *const texts[] = {"{\"asset\":1}", "; x\n\n [gd_scene ", "\xef\xbb\xbf[gd_resource ",
					    "<?xml?><COLLADA>", "{\"trackType\":1}"};
	static const char *const titles[] = {"glTF", "a Godot scene", "a Godot scene", "COLLADA", "AnimJ"};

	CHECK(anim_format_of(head, 0)->sort == ANIM_FORMAT_EMPTY);
	for (size_t size = 1; size <= sizeof head; size++)
		CHECK(anim_format_of(head, size)->sort == ANIM_FORMAT_STREAM);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		size_t length = strlen(texts[i]);

		CHECK(strcmp(anim_format_of((const uint8_t *)texts[i], length)->title, titles[i]) == 0);
		for (size_t size = 1; size < length; size++) {
			uint8_t *copy = malloc(size); /* its own block: a sanitizer sees a byte too far */

			memcpy(copy, texts[i], size);
			CHECK(anim_format_of(copy, size) == NULL ||
			      anim_format_of(copy, size)->sort != ANIM_FORMAT_STREAM);
			free(copy);
		}
	}
}
