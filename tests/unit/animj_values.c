/* animj_values.c: values in AnimJ: types, strings, quaternions of zeros, units. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "animj_document.h"
#include "tap.h"

TEST(animj_types, "every type but matrices has its JSON")
{
	const struct {
		enum anim_type type;
		const void *value;
		const char *json;
	} cases[] = {
	    {ANIM_BOOL, (const uint8_t[]){1}, "true"},
	    {ANIM_BOOL2, (const uint8_t[]){2}, "{\"x\":false,\"y\":true}"},
	    {ANIM_BOOL3, (const uint8_t[]){5}, "{\"x\":true,\"y\":false,\"z\":true}"},
	    {ANIM_BOOL4, (const uint8_t[]){8}, "{\"x\":false,\"y\":false,\"z\":false,\"w\":true}"},
	    {ANIM_BYTE, (const uint8_t[]){255}, "255"},
	    {ANIM_SBYTE, (const int8_t[]){-128}, "-128"},
	    {ANIM_USHORT, (const uint16_t[]){65535}, "65535"},
	    {ANIM_SHORT, (const int16_t[]){-32768}, "-32768"},
	    {ANIM_UINT, (const uint32_t[]){4294967295u}, "4294967295"},
	    {ANIM_INT, (const int32_t[]){-2147483647}, "-2147483647"},
	    {ANIM_ULONG, (const uint64_t[]){UINT64_MAX}, "18446744073709551615"},
	    {ANIM_LONG, (const int64_t[]){INT64_MIN}, "-9223372036854775808"},
	    {ANIM_INT2, (const int32_t[]){-1, 2}, "{\"x\":-1,\"y\":2}"},
	    {ANIM_UINT3, (const uint32_t[]){1, 2, 3}, "{\"x\":1,\"y\":2,\"z\":3}"},
	    {ANIM_LONG4, (const int64_t[]){1, -2, 3, -4}, "{\"x\":1,\"y\":-2,\"z\":3,\"w\":-4}"},
	    {ANIM_FLOAT, (const float[]){0.1f}, "0.1"},
	    {ANIM_FLOAT2, (const float[]){-0.5f, 1e20f}, "{\"x\":-0.5,\"y\":1e20}"},
	    {ANIM_FLOAT4, (const float[]){1, 2, 3, 4}, "{\"x\":1,\"y\":2,\"z\":3,\"w\":4}"},
	    {ANIM_DOUBLE3, (const double[]){0.1, 2, 1e300}, "{\"x\":0.1,\"y\":2,\"z\":1e300}"},
	    {ANIM_DOUBLEQ, (const double[]){0, 0, 0, 1}, "{\"x\":0,\"y\":0,\"z\":0,\"w\":1}"},
	    {ANIM_COLOR, (const float[]){1, 0.5f, 0, 1}, "{\"r\":1,\"g\":0.5,\"b\":0,\"a\":1}"},
	    {ANIM_COLOR32, (const uint8_t[]){1, 2, 3, 255}, "{\"r\":1,\"g\":2,\"b\":3,\"a\":255}"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct animj_document d;
		struct anim_track t =
		    animj_make(ANIM_DISCRETE, cases[i].type, "thing", 1, animj_two_times, cases[i].value);
		char keys[256];

		animj_start(&d);
		animj_add(&d, &t);
		snprintf(keys, sizeof keys, "{\"time\":0,\"value\":%s}", cases[i].json);
		animj_check_keys(&d, keys);
	}
}

static struct anim_strings make_strings(const uint32_t *length, const uint64_t *start_of, const char *bytes)
{
	return (struct anim_strings){.length = length, .start = start_of, .bytes = bytes, .bytes_size = strlen(bytes)};
}

TEST(animj_strings, "strings are escaped, null is null and UTF-8 stays")
{
	struct animj_document d;
	const uint32_t lengths[] = {9, ANIM_NULL_STRING, 0, 2};
	const uint64_t starts[] = {0, 0, 9, 9};
	const float times[] = {0, 0.25f, 0.5f, 1};
	struct anim_strings strings = make_strings(lengths, starts, "a\"b\\c\n\t\x01\x7fé");
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_STRING, "@method", 4, times, NULL);

	animj_start(&d);
	t.strings = &strings;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":\"a\\\"b\\\\c\\n\\t\\u0001\x7f\"},{\"time\":0.25,\"value\":null},"
			     "{\"time\":0.5,\"value\":\"\"},{\"time\":1,\"value\":\"é\"}");
}

TEST(animj_typewriter, "strings that blend are held and warned of")
{
	struct animj_document d;
	const uint32_t lengths[] = {1, 1};
	const uint64_t starts[] = {0, 1};
	struct anim_strings strings = make_strings(lengths, starts, "ab");
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_STRING, "text", 2, animj_two_times, NULL);

	animj_start(&d);
	t.strings = &strings;
	animj_add(&d, &t);
	animj_document_open(&d);
	CHECKF(strcmp(animj_diagnostic(&d, 0),
		      "track 'A/Box text': animj cannot blend between texts; each text is held") == 0,
	       "%s", animj_diagnostic(&d, 0));
	animj_check_keys(&d, "{\"time\":0,\"value\":\"a\",\"interpolation\":\"Hold\"},"
			     "{\"time\":0.5,\"value\":\"b\",\"interpolation\":\"Hold\"}");
}

TEST(animj_not_finite, "a number that JSON has not is an error with the key")
{
	const float values[] = {1, 2, 3, 4, NAN, 6};
	struct animj_document d;
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT3, "position", 2, animj_two_times, values);

	animj_start(&d);
	animj_add(&d, &t);
	animj_check_error(&d, "track 'A/Box position': key 1 is not a finite number, which JSON cannot store");
}

TEST(animj_not_finite_far, "each place of a long track is looked at")
{
	enum { N = 200 };
	static float times[N], values[N];
	const size_t places[] = {0, 1, 63, 64, 127, 128, 191, 192, 199};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", N, times, values);
		struct animj_document d;
		char message[128];

		values[places[i]] = i % 2 == 0 ? -INFINITY : NAN;
		animj_start(&d);
		animj_add(&d, &t);
		snprintf(message, sizeof message,
			 "track 'A/Box energy': key %zu is not a finite number, which JSON cannot store", places[i]);
		animj_check_error(&d, message);
		values[places[i]] = 0;
	}
}

TEST(animj_too_large, "a double that float cannot hold is an error")
{
	const double values[] = {1, 1e300};
	struct animj_document d;
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_DOUBLE, "energy", 2, animj_two_times, values);

	animj_start(&d);
	animj_add(&d, &t);
	animj_check_error(&d, "track 'A/Box energy': key 1 is not a finite number, which JSON cannot store");
}

TEST(animj_narrow, "Godot's doubles become floats, others and those of --double stay")
{
	const double values[] = {0.1, 0.30000000000000004};
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_DOUBLE, "energy", 2, animj_two_times, values);
	const char *wide = "{\"time\":0,\"value\":0.1,\"interpolation\":\"Linear\"},"
			   "{\"time\":0.5,\"value\":0.30000000000000004,\"interpolation\":\"Linear\"}";
	struct animj_document d;

	animj_start(&d);
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":0.1,\"interpolation\":\"Linear\"},"
			     "{\"time\":0.5,\"value\":0.3,\"interpolation\":\"Linear\"}");
	CHECK(strstr(d.text, "\"valueType\":\"float\"") != NULL);
	animj_start(&d);
	d.options.keep_double = true;
	animj_add(&d, &t);
	animj_check_keys(&d, wide);
	animj_start(&d);
	d.clip.source = "unity";
	animj_add(&d, &t);
	animj_check_keys(&d, wide);
	CHECK(strstr(d.text, "\"valueType\":\"double\"") != NULL);
}

TEST(animj_zero_quaternion, "a quaternion of zeros is written as it is and warned of")
{
	const float values[] = {0, 0, 0, 1, 0, 0, 0, 0};
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOATQ, "rotation", 2, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	animj_add(&d, &t);
	CHECKF(strstr(animj_diagnostic(&d, 0), "'A/Box rotation' (key 1): a zero quaternion") != NULL, "%s",
	       animj_diagnostic(&d, 0));
	animj_check_keys(&d, "{\"time\":0,\"value\":{\"x\":0,\"y\":0,\"z\":0,\"w\":1},\"interpolation\":\"Linear\"},"
			     "{\"time\":0.5,\"value\":{\"x\":0,\"y\":0,\"z\":0,\"w\":0},\"interpolation\":\"Linear\"}");
}

TEST(animj_percent, "blend shapes in percent become 0..1")
{
	const float values[] = {0, 35};
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "blend_shape/Smile", 2, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	t.flags = ANIM_PERCENT;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":0,\"interpolation\":\"Linear\"},"
			     "{\"time\":0.5,\"value\":0.35,\"interpolation\":\"Linear\"}");
	CHECK(strstr(d.text, "\"property\":\"BlendShape.Smile\"") != NULL);
}

TEST(animj_visible, "visible becomes a Discrete bool Active")
{
	const uint8_t values[] = {1, 0};
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_BOOL, "visible", 2, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	t.interp = ANIM_HOLD;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":true},{\"time\":0.5,\"value\":false}");
	CHECK(strstr(d.text, "\"trackType\":\"Discrete\"") != NULL && strstr(d.text, "\"Active\"") != NULL);
}
