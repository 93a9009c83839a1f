/* diagnostics.c: counting what could not be kept. */
#include "clip/diagnostics.h"
#include "base/advice.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "tap.h"

TEST(diagnostics_merge, "losses of one kind merge: the first one's text and place, the count, the largest error")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_error error;
	struct anim_place place = {.file = "walk.tscn", .at = ANIM_AT_LINE, .line = 3, .column = 7};
	char noun[] = "track", text[256];

	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, &place, "track", &error, "'%s' in 1: odd", "a") == 0);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, noun, &error, "'%s': odd" ANIM_DETAIL " (%d)", "b",
				   7) == 0);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_NOTE, NULL, "track", &error, "'a': odd") == 0);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, NULL, &error, "alone") == 0);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, NULL, &error, "alone") == 0);
	CHECK(anim_diagnostics_add_error(&diagnostics, "value", 0.5, "degrees", &error, "bent") == 0);
	CHECK(anim_diagnostics_add_error(&diagnostics, "value", 0.25, "degrees", &error, "bent") == 0);
	CHECK(diagnostics.count == 4 && diagnostics.warnings == 7 && diagnostics.faults == 0);
	CHECK(diagnostics.items[0].count == 3 && strcmp(diagnostics.items[0].text, "'a' in 1: odd") == 0);
	CHECK(diagnostics.items[0].place.line == 3 && strcmp(diagnostics.items[0].place.file, "walk.tscn") == 0);
	CHECK(diagnostics.items[0].place.file != place.file && diagnostics.items[0].unit == NULL);
	CHECK(diagnostics.items[3].count == 2 && diagnostics.items[3].worst == 0.5 &&
	      strcmp(diagnostics.items[3].unit, "degrees") == 0);
	anim_diagnostic_print(&diagnostics.items[1], text, sizeof text);
	CHECKF(strcmp(text, "alone") == 0, "%s", text);
	anim_diagnostics_clear(&diagnostics);
	CHECK(diagnostics.count == 0 && diagnostics.items == NULL);
}

TEST(diagnostics_words, "a message is printed for one and for many subjects, details only for one")
{
	static const struct {
		const char *noun, *text, *one, *many;
	} rows[] = {
	    {"track of Euler angles", "became rotations", "1 track of Euler angles: became rotations",
	     "2 tracks of Euler angles: became rotations"},
	    {"property", "'a:b' (was 'c'): gone", "property 'a:b' (was 'c'): gone", "2 properties: gone (first 'a:b')"},
	    {"file", "no unit" ANIM_DETAIL ": cm", "no unit: cm", "2 files: no unit"},
	    {"humanoid clip", "no goals", "no goals", "2 humanoid clips: no goals"},
	    {"key", "tracks[0].data: no time", "tracks[0].data: no time", "2 keys: no time"},
	    {"node", "'it's': odd; mend it", "node 'it's': odd; mend it", "2 nodes: odd; mend it (first 'it's')"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct anim_diagnostics diagnostics = {0};
		struct anim_error error;
		char text[256];

		for (int k = 0; k < 2; k++) {
			CHECK(anim_diagnostics_note(&diagnostics, rows[i].noun, &error, "%s", rows[i].text) == 0);
			anim_diagnostic_print(&diagnostics.items[0], text, sizeof text);
			CHECKF(strcmp(text, k == 0 ? rows[i].one : rows[i].many) == 0, "%s", text);
		}
		anim_diagnostics_repeat(&diagnostics, 40);
		anim_diagnostic_print(&diagnostics.items[0], text, sizeof text);
		CHECKF(strncmp(text, "42 ", 3) == 0, "%s", text);
		anim_diagnostics_clear(&diagnostics);
	}
}

TEST(diagnostics_peak,
     "an error that is far larger for moments is printed with how long they last; of several, the largest")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_error error;
	char text[256];

	CHECK(anim_diagnostics_add_error(&diagnostics, "curve", 0.0219, "units", &error, "'a': bent") == 0);
	anim_diagnostics_peak(&diagnostics, 14.78, 3e-7);
	anim_diagnostic_print(&diagnostics.items[0], text, sizeof text);
	CHECKF(strcmp(text, "curve 'a': bent, at most 15 units off for less than 1 microsecond beside a jump, 0.022 "
			    "elsewhere") == 0,
	       "%s", text);
	CHECK(anim_diagnostics_add_error(&diagnostics, "curve", 0.01, "units", &error, "'b': bent") == 0);
	anim_diagnostics_peak(&diagnostics, 3, 1.001e-5);
	anim_diagnostic_print(&diagnostics.items[0], text, sizeof text);
	CHECKF(strcmp(text, "2 curves: bent, at most 15 units off for less than 11 microseconds beside a jump, 0.022 "
			    "elsewhere (first 'a')") == 0,
	       "%s", text);
	CHECK(anim_diagnostics_add_error(&diagnostics, "curve", 8, "units", &error, "'c': bent") == 0);
	anim_diagnostic_print(&diagnostics.items[0], text, sizeof text);
	CHECKF(strstr(text, "at most 15 units off") != NULL && strstr(text, "jump") == NULL, "%s", text);
	anim_diagnostics_clear(&diagnostics);
	/* a conversion within 0.1 mm, rounded to floats, with a jump that nobody sees */
	CHECK(anim_diagnostics_add_error(&diagnostics, "curve", 0.000107, "units", &error, "'d': bent") == 0);
	anim_diagnostics_peak(&diagnostics, 178.3, 1e-4);
	anim_diagnostic_print(&diagnostics.items[0], text, sizeof text);
	CHECKF(diagnostics.warnings == 0 && strstr(text, "at most 180 units off for less than 100") != NULL, "%s",
	       text);
	anim_diagnostics_clear(&diagnostics);
}

TEST(diagnostics_name, "the first few different names of an entry are kept, a long one is cut between characters")
{
	static const char *const names[] = {"a", "b", "a", "c", "d", "b", "e"};
	struct anim_diagnostics diagnostics = {0};
	struct anim_error error = {0};
	char text[401] = "", line[256];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, "model", &error, "odd; mend it") == 0 &&
		      anim_diagnostics_name(&diagnostics, &error, "%s", names[i]) == 0);
	CHECK(diagnostics.count == 1 && diagnostics.items[0].count == 7 && diagnostics.items[0].name_count == 3);
	CHECK(strcmp(diagnostics.items[0].names[2], "c") == 0 && diagnostics.items[0].named == 5);
	anim_diagnostic_print(&diagnostics.items[0], line, sizeof line);
	CHECKF(strcmp(line, "7 models: odd (a, b, c and 2 more); mend it") == 0, "%s", line);
	for (size_t i = 0; i < 200; i++)
		memcpy(text + 2 * i, "\xc3\xa4", 2);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_NOTE, NULL, "model", &error, "another") == 0);
	CHECK(anim_diagnostics_name(&diagnostics, &error, ".%s", text) == 0);
	CHECK(strlen(diagnostics.items[1].names[0]) == ANIM_DIAGNOSTIC_NAME_BYTES - 1 + 3);
	anim_diagnostics_clear(&diagnostics);
}

TEST(diagnostics_scope, "an entry knows the file and clip of its first, how many there were, and which track it named")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_error error = {0};
	const struct anim_scope *run;
	char text[256];

	run = anim_diagnostics_enter(&diagnostics, "a.tscn", "run", &error);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, "track", &error, "'it's': Ada's") == 0);
	anim_diagnostic_scope(&diagnostics, &diagnostics.items[0], text, sizeof text);
	CHECK(strcmp(text, "a.tscn: 'run'") == 0);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, "track", &error, "'b': Ada's") == 0);
	anim_diagnostic_print(&diagnostics.items[0], text, sizeof text);
	CHECKF(strcmp(text, "2 tracks: Ada's (first 'it's'; " ANIM_ADVICE(LIST_ALL) ")") == 0, "%s", text);
	CHECK(anim_diagnostics_enter(&diagnostics, "a.tscn", "walk", &error) != run &&
	      diagnostics.scope->file == run->file);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, "track", &error, "'c': Ada's") == 0);
	anim_diagnostic_scope(&diagnostics, &diagnostics.items[0], text, sizeof text);
	CHECK(strcmp(text, "a.tscn") == 0 && diagnostics.items[0].clips == 2 && diagnostics.items[0].files == 1);
	diagnostics.scope = run;
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_NOTE, NULL, NULL, &error, "clip 'run' ends") == 0);
	anim_diagnostic_scope(&diagnostics, &diagnostics.items[1], text, sizeof text);
	CHECK(strcmp(text, "a.tscn") == 0);
	CHECK(anim_diagnostics_enter(&diagnostics, "b.tscn", "run", &error) != NULL);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_NOTE, NULL, NULL, &error, "clip 'run' ends") == 0 &&
	      diagnostics.count == 2);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, "track", &error, "'d': Ada's") == 0);
	anim_diagnostic_print(&diagnostics.items[0], text, sizeof text);
	CHECKF(strcmp(text, "4 tracks: Ada's (first 'it's' in 'run' of a.tscn; 3 clips of 2 files; " ANIM_ADVICE(
				LIST_ALL) ")") == 0,
	       "%s", text);
	anim_diagnostic_print(&diagnostics.items[1], text, sizeof text);
	CHECK(strcmp(text, "clip 'run' ends (first 'run' of a.tscn; 2 clips of 2 files)") == 0);
	anim_diagnostics_clear(&diagnostics);
}

TEST(diagnostics_hash, "many kinds are told apart, and found again in no time that grows with them")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_error error = {0};

	for (int round = 0; round < 50; round++)
		for (int i = 0; i < 900; i++)
			CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, "key", &error, "k%d", i) == 0);
	CHECK(diagnostics.count == 900 && diagnostics.items[899].count == 50);
	anim_diagnostics_clear(&diagnostics);
}

TEST(diagnostics_check, "the end is forbidden by faults, and by warnings where they are errors")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_error error = {0};

	CHECK(anim_diagnostics_check(NULL, &error) == 0 && anim_diagnostics_check(&diagnostics, &error) == 0);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_NOTE, NULL, NULL, &error, "n") == 0);
	diagnostics.strict = true;
	CHECK(anim_diagnostics_check(&diagnostics, &error) == 0);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, NULL, &error, "w") == 0);
	CHECK(anim_diagnostics_check(&diagnostics, &error) == -1 && error.code == ANIM_STRICT);
	CHECK(strcmp(error.message, "stopped by " ANIM_OPTION("emit", "strict") ", which makes warnings errors") == 0);
	diagnostics.strict = false;
	CHECK(anim_diagnostics_check(&diagnostics, &error) == 0);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_FAULT, NULL, NULL, &error, "f") == 0);
	CHECK(anim_diagnostics_check(&diagnostics, &error) == -1 && error.code == ANIM_BAD_INPUT);
	CHECK(strcmp(error.message, "1 fault") == 0);
	anim_diagnostics_clear(&diagnostics);
}

TEST(diagnostics_limits, "reading stops after the faults that are shown, and stand-alone warnings do not pile up")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_error error = {0};

	for (int i = 0; i < ANIM_FAULTS_SHOWN; i++)
		CHECK(anim_diagnostics_add(&diagnostics, ANIM_FAULT, NULL, NULL, &error, "fault %d", i) == 0);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_FAULT, NULL, NULL, &error, "one more") == -1);
	CHECK(error.code == ANIM_BAD_INPUT && strncmp(error.message, "too many errors", 15) == 0);
	for (int i = 0; i < 5000; i++)
		CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, NULL, &error, "warning %d", i) == 0);
	CHECK(diagnostics.count <= 1001 && diagnostics.warnings == 5000);
	anim_diagnostics_clear(&diagnostics);
}
