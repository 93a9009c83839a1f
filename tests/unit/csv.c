/* csv.c: the rows of anim-emit csv. */
#include <string.h>

#include "axs.h"
#include "base/print.h"
#include "format/csv/csv.h"
#include "tap.h"

/* The rows of one track in a clip, in `out` (memory, to be freed); what they are without the row of names. */
static const char *rows_of(const struct anim_track *track, struct anim_diagnostics *diagnostics,
			   struct anim_output **out)
{
	struct anim_error error = {0};
	struct anim_clip clip = axs_clip();
	struct anim_sink *sink;
	const char *text;
	size_t size;

	clip.name = "a \"b\",c";
	CHECK(anim_output_open_memory(out, &error) == 0);
	sink = anim_csv_writer_new(*out, diagnostics, &error);
	CHECKF(anim_sink_clip(sink, &clip, &error) == 0 && anim_sink_track(sink, track, &error) == 0 &&
		   anim_sink_end(sink, &error) == 0,
	       "%s", error.message);
	anim_output_write(*out, "", 1, &error);
	anim_sink_free(sink);
	text = strchr((const char *)anim_output_memory(*out, &size), '\n');
	return text == NULL ? "" : text + 1;
}

static void check_rows(const struct anim_track *track, const char *wanted)
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_output *out;
	const char *rows = rows_of(track, &diagnostics, &out);

	CHECKF(strcmp(rows, wanted) == 0, "%s", rows);
	anim_output_free(out);
	anim_diagnostics_clear(&diagnostics);
}

TEST(csv_strings, "cells with quotes, commas or line ends are quoted, an empty string too, and null is nothing")
{
	const uint32_t lengths[] = {6, ANIM_NULL_STRING, 0};
	const uint64_t starts[] = {0, 0, 6};
	const struct anim_strings strings = {lengths, starts, "x\ny\r\"z", 6};
	struct anim_track track = axs_strings();

	track.strings = &strings;
	track.node = "N";
	track.property = "p,q";
	track.component = ANIM_WHOLE;
	check_rows(&track, "\"a \"\"b\"\",c\",N,\"p,q\",,string,Discrete,0,0,Hold,\"x\ny\r\"\"z\",,,,,,,,,,,,,,,,,\n"
			   "\"a \"\"b\"\",c\",N,\"p,q\",,string,Discrete,1,1,Hold,,,,,,,,,,,,,,,,,,\n"
			   "\"a \"\"b\"\",c\",N,\"p,q\",,string,Discrete,2,2,Hold,\"\",,,,,,,,,,,,,,,,,\n");
}

TEST(csv_numbers, "numbers are exact, those of all widths, and a sample's time is its grid's in double")
{
	const uint64_t values[] = {UINT64_MAX, 0};
	struct anim_track track = axs_raw();

	track.type = ANIM_ULONG;
	track.node = "N";
	track.property = "p";
	track.component = 3;
	track.n = 2;
	track.value = values;
	check_rows(&track, "\"a \"\"b\"\",c\",N,p,3,ulong,Raw,0,0,Linear,18446744073709551615,,,,,,,,,,,,,,,,,\n"
			   "\"a \"\"b\"\",c\",N,p,3,ulong,Raw,1,0.03333333333333333,Linear,0,,,,,,,,,,,,,,,,,\n");
	track.rate_num = track.rate_den = 0;
	track.n = 1;
	check_rows(&track, "\"a \"\"b\"\",c\",N,p,3,ulong,Raw,0,,Linear,18446744073709551615,,,,,,,,,,,,,,,,,\n");
}

TEST(csv_disabled, "a disabled track is left out with a warning")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_output *out;
	struct anim_track track = axs_curve();

	track.flags |= ANIM_DISABLED;
	CHECK(*rows_of(&track, &diagnostics, &out) == '\0');
	CHECK(diagnostics.warnings == 1);
	anim_output_free(out);
	anim_diagnostics_clear(&diagnostics);
}
