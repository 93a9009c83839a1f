/* unity_print.c: numbers and texts as Unity's YAML has them. */
#include "format/unity/yaml.h"

#include <math.h>
#include <string.h>

#include "tap.h"

TEST(unity_print_numbers, "numbers are shortest, plain down to 1e-9, with Unity's exponents beyond")
{
	static const struct {
		float value;
		const char *text;
	} rows[] = {{0, "0"},
		    {-0.0f, "-0"},
		    {1, "1"},
		    {-117.86376f, "-117.86376"},
		    {1.0f / 3, "0.33333334"},
		    {1e-5f, "0.00001"},
		    {-0.000013048743f, "-0.000013048743"},
		    {-5.3916693e-9f, "-0.0000000053916693"},
		    {4.371139e-8f, "0.00000004371139"},
		    {1e-9f, "0.000000001"},
		    {9.313226e-10f, "9.313226e-10"},
		    {-6.328272e-15f, "-6.328272e-15"},
		    {1e-45f, "1e-45"},
		    {9999999000.0f, "9999999000"},
		    {1e10f, "1e+10"},
		    {3.4028235e38f, "3.4028235e+38"},
		    {INFINITY, "Infinity"},
		    {-INFINITY, "-Infinity"},
		    {NAN, "NaN"},
		    {-NAN, "NaN"}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[ANIM_NUMBER_MAX + 1] = "";
		size_t length = unity_format_float(text, rows[i].value);

		text[length] = '\0';
		CHECKF(strcmp(text, rows[i].text) == 0, "%s instead of %s", text, rows[i].text);
		CHECK(length <= UNITY_FLOAT_MAX);
	}
}

TEST(unity_print_round_trip, "every number is read back as the same float")
{
	uint32_t seed = 1;
	unsigned wrong = 0;

	for (int i = 0; i < 200000; i++) {
		char text[ANIM_NUMBER_MAX + 65] = "";
		float value, again = 0;
		size_t length;

		seed = seed * 1664525u + 1013904223u;
		memcpy(&value, &seed, sizeof value);
		if (isnan(value))
			continue;
		length = unity_format_float(text, value);
		memset(text + length, 0, sizeof text - length);
		wrong += unity_number_float(text, text + length, &again) != text + length ||
			 memcmp(&value, &again, sizeof value) != 0 || length > UNITY_FLOAT_MAX;
	}
	CHECKF(wrong == 0, "%u", wrong);
}

static void check_kept(const char *text, const char *want)
{
	struct anim_error error = {0};
	struct anim_print print = {.error = &error};
	const uint8_t *bytes;
	size_t size;

	if (!CHECK(anim_output_open_memory(&print.out, &error) == 0))
		return;
	unity_put_kept(&print, text);
	bytes = anim_output_memory(print.out, &size);
	CHECKF(!print.failed && size == strlen(want) && memcmp(bytes, want, size) == 0, "%s: %.*s", text, (int)size,
	       (const char *)bytes);
	anim_output_free(print.out);
}

TEST(unity_print_kept, "flow maps that were kept are put back, and nothing else can pass as one")
{
	check_kept("0.5", "0.5");
	check_kept("", "");
	check_kept("{fileID: 7400000, guid: 0123456789abcdef0123456789abcdef, type: 2}",
		   "{fileID: 7400000, guid: 0123456789abcdef0123456789abcdef, type: 2}");
	check_kept("{a: {b: 1}, c: [1, 2], d: \"x}\\\" #\"}", "{a: {b: 1}, c: [1, 2], d: \"x}\\\" #\"}");
	check_kept("{x: 0}\n  m_Evil: 1", "\"{x: 0}\\n  m_Evil: 1\"");
	check_kept("{x: 0} y: {", "'{x: 0} y: {'");
	check_kept("{x: 0} {y: 0}", "'{x: 0} {y: 0}'");
	check_kept("{x: \"0}", "'{x: \"0}'");
	check_kept("{x: 0", "'{x: 0'");
	check_kept("{x: 0 #}", "'{x: 0 #}'");
	check_kept("1\n2", "\"1\\n2\"");
	check_kept("{x: \"\xc3\xa9\"}", "\"{x: \\\"\\xE9\\\"}\"");
}
