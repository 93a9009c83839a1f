/* time_range.c: parts of time as people type them. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cli/cli.h"

#include "tap.h"

TEST(time_ranges, "a range of time is read in seconds, minutes and hours, each side on its own and either one open")
{
	static const struct {
		const char *text;
		double from, to;
	} rows[] = {{"12..14.5", 12, 14.5},
		    {"0:12:00..0:12:02", 720, 722},
		    {"0..0", 0, 0},
		    {"-1.25..2", -1.25, 2},
		    {"-0:01.5..-0.5", -1.5, -0.5},
		    {"1:30..100", 90, 100},
		    {"100:00:00.125..400000", 360000.125, 400000},
		    {"90..1:59.875", 90, 119.875},
		    {"12..", 12, INFINITY},
		    {"-0.5..", -0.5, INFINITY},
		    {"0:12:00..", 720, INFINITY},
		    {"..14.5", -INFINITY, 14.5},
		    {".5..1:.25", 0.5, 60.25},
		    {"-.5..-.25", -0.5, -0.25},
		    {"..-1", -INFINITY, -1},
		    {"..0:12:02", -INFINITY, 722},
		    {"12f..36f", 12, 36},
		    {"-2f..", -2, INFINITY},
		    {"..1.5f", -INFINITY, 1.5}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct anim_time_range range = {.given = false};
		int status = cli_time_range_parse(rows[i].text, &range, NULL);

		CHECKF(status == 0 && range.given && range.from == rows[i].from && range.to == rows[i].to &&
			   range.frames == (strchr(rows[i].text, 'f') != NULL),
		       "%s: %d %g %g", rows[i].text, status, range.from, range.to);
	}
}

TEST(time_ranges_refused, "what is no range of time is refused whole, not read in part")
{
	static const char *const rows[] = {
	    "",        "..",         "1",          "1-2",         "1...5",
	    "...",     "....",       "1...",       "...1",        "1....",
	    "-..",     "..-",        "-..2",       ":..2",        "1..:",
	    " ..2",    "1.. ",       "..2..",      "..inf",       "-inf..",
	    "1..2..3", "1..2s",      "1s..2",      "0x1..0x2",    "nan..1",
	    "1..inf",  "1:60..1:70", "0:0:0:1..2", "1.5:00..100", "--1..2",
	    ".5...75", "0:...1",     "-...1",      "1...:5",      "..1:.",
	    "1..2 ",   " 1..2",      "+1..2",      "1,5..2",      ":30..40",
	    "1:..2",   "1e1..20",    "2..1",       "0:02..0:01",  "12345678901234567890123456789012345..1e40",
	    "1f..2",   "1..2f",      "f..2f",      "1f..f",       "0:01f..3f",
	    "3f..1f",  "--1f..2f",   "1ff..2f"};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct anim_error error = {0};
		struct anim_time_range range;

		CHECKF(cli_time_range_parse(rows[i], &range, &error) == -1 && error.code == ANIM_BAD_INPUT &&
			   error.message[0] != '\0',
		       "'%s'", rows[i]);
	}
}
