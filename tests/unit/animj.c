/* animj.c: the AnimJ writer: its documents, modes, warnings and refusals, seen as text. */
#include <stdio.h>
#include <string.h>

#include "animj_document.h"
#include "base/advice.h"
#include "tap.h"

TEST(animj_raw, "a Raw track has members in Resonite's order, bare names and its interval")
{
	struct animj_document d;
	const float values[] = {1, 1, 1, 0.96666664f, 0.5f, -2};
	struct anim_track t = animj_make(ANIM_RAW, ANIM_FLOAT3, "scale", 2, NULL, values);

	animj_start(&d);
	d.clip.end_s = 1.5f;
	d.clip.name = "scale_down";
	t.rate_num = 30;
	t.rate_den = 1;
	animj_add(&d, &t);
	CHECKF(strcmp(animj_finish(&d),
		      "{\"name\":\"scale_down\",\"globalDuration\":1.5,\"tracks\":[\n"
		      "{\"trackType\":\"Raw\",\"valueType\":\"float3\",\"data\":{\"node\":\"Box\","
		      "\"property\":\"Scale\",\"interval\":0.033333335,\"keyframes\":["
		      "{\"x\":1,\"y\":1,\"z\":1},{\"x\":0.96666664,\"y\":0.5,\"z\":-2}]}}\n]}\n") == 0,
	       "%s", d.text);
	CHECK(d.diagnostics.count == 0);
	animj_discard(&d);
}

TEST(animj_pretty, "pretty text has one key a line")
{
	struct animj_document d;
	const float values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, animj_two_times, values);

	animj_start(&d);
	d.options.pretty = true;
	animj_add(&d, &t);
	CHECKF(strcmp(animj_finish(&d),
		      "{\n\t\"name\": \"walk\",\n\t\"globalDuration\": 1,\n\t\"tracks\": [\n\t\t{\n"
		      "\t\t\t\"trackType\": \"Curve\",\n\t\t\t\"valueType\": \"float\",\n\t\t\t\"data\": {\n"
		      "\t\t\t\t\"node\": \"Box\",\n\t\t\t\t\"property\": \"energy\",\n\t\t\t\t\"keyframes\": [\n"
		      "\t\t\t\t\t{\"time\":0,\"value\":1,\"interpolation\":\"Linear\"},\n"
		      "\t\t\t\t\t{\"time\":0.5,\"value\":2,\"interpolation\":\"Linear\"}\n"
		      "\t\t\t\t]\n\t\t\t}\n\t\t}\n\t]\n}\n") == 0,
	       "%s", d.text);
	animj_discard(&d);
}

TEST(animj_modes_of_keys, "each key of a Curve says its own interpolation")
{
	struct animj_document d;
	const float times[] = {0, 0.25f, 0.5f}, values[] = {1, 2, 3};
	const uint8_t modes[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HOLD};
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "energy", 3, times, values);

	animj_start(&d);
	t.interp = ANIM_INTERP_COLUMN;
	t.interps = modes;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":1,\"interpolation\":\"Hold\"},"
			     "{\"time\":0.25,\"value\":2,\"interpolation\":\"Linear\"},"
			     "{\"time\":0.5,\"value\":3,\"interpolation\":\"Hold\"}");
}

TEST(animj_bezier, "CubicBezier keys carry both tangents")
{
	struct animj_document d;
	const float values[] = {1, 2}, left[] = {0.5f, 1.5f}, right[] = {1.25f, 2.5f};
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, animj_two_times, values);

	animj_start(&d);
	t.interp = ANIM_CUBIC_BEZIER;
	t.left = left;
	t.right = right;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":1,\"interpolation\":\"CubicBezier\",\"leftTangent\":0.5,"
			     "\"rightTangent\":1.25},{\"time\":0.5,\"value\":2,\"interpolation\":\"CubicBezier\","
			     "\"leftTangent\":1.5,\"rightTangent\":2.5}");
}

TEST(animj_refused_modes, "a mode that AnimJ cannot hold is an error that says to resample")
{
	const float values[] = {1, 2};
	struct animj_document d;
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, animj_two_times, values);

	animj_start(&d);
	t.interp = ANIM_CUBIC_TIME;
	animj_add(&d, &t);
	animj_check_error(
	    &d, "track 'A/Box energy' is cubic (Godot 4); animj cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30"));
}

TEST(animj_ease, "transition 0 becomes Hold, another one than 1 is refused")
{
	const float values[] = {1, 2}, holds[] = {0, 2}, bends[] = {2, 1};
	struct animj_document d;
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, animj_two_times, values);

	animj_start(&d);
	t.ease = holds;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":1,\"interpolation\":\"Hold\"},"
			     "{\"time\":0.5,\"value\":2,\"interpolation\":\"Linear\"}");
	animj_start(&d);
	t.ease = bends;
	animj_add(&d, &t);
	animj_check_error(&d, "track 'A/Box energy' is eased; animj cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30"));
}

TEST(animj_one_key, "a single key is a constant whatever its mode")
{
	const float values[] = {7};
	struct animj_document d;
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "energy", 1, animj_two_times, values);

	animj_start(&d);
	t.interp = ANIM_CUBIC_ANGLE;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":7,\"interpolation\":\"Hold\"}");
}

TEST(animj_one_key_own, "a single key from Resonite keeps its mode")
{
	const float values[] = {7};
	struct animj_document d;
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "energy", 1, animj_two_times, values);

	animj_start(&d);
	t.rules = ANIM_RULES_RESONITE;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":7,\"interpolation\":\"Linear\"}");
}

TEST(animj_rests, "a track relative to the rest pose is warned of")
{
	const float values[] = {1, 2, 3};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT3, "scale", 1, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	t.flags = ANIM_REST_RELATIVE;
	animj_add(&d, &t);
	animj_finish(&d);
	CHECKF(strcmp(animj_diagnostic(&d, 0), "track 'A/Box scale': relative to an unknown rest pose, which Resonite "
					       "does not support") == 0,
	       "%s", animj_diagnostic(&d, 0));
	animj_discard(&d);
}

TEST(animj_autoplay, "autoplay has no place and is noted")
{
	const struct anim_attr autoplay = {"godot.autoplay", "true"};
	struct animj_document d;

	animj_start(&d);
	d.clip.attrs = (struct anim_attrs){&autoplay, 1};
	animj_finish(&d);
	CHECKF(strcmp(animj_diagnostic(&d, 0),
		      "clip 'walk': autoplay is not kept, because animj has none; the Animator sets it") == 0,
	       "%s", animj_diagnostic(&d, 0));
	animj_discard(&d);
}

TEST(animj_strict, "under --strict a warning forbids the end")
{
	const float values[] = {1, 2, 3};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT3, "position", 1, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	t.flags = ANIM_DISABLED;
	d.diagnostics.strict = true;
	animj_add(&d, &t);
	animj_finish(&d);
	CHECK(d.failed && d.error.code == ANIM_STRICT);
	animj_discard(&d);
}

TEST(animj_left_out, "disabled tracks, matrices and tracks without keys are left out with a warning each")
{
	const float values[16] = {1};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT4X4, "transform", 1, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	animj_add(&d, &t);
	t.type = ANIM_FLOAT;
	t.flags = ANIM_DISABLED;
	animj_add(&d, &t);
	t.flags = 0;
	t.n = 0;
	animj_add(&d, &t);
	CHECKF(strcmp(animj_finish(&d), "{\"name\":\"walk\",\"globalDuration\":1,\"tracks\":[]}\n") == 0, "%s", d.text);
	CHECK(strcmp(animj_diagnostic(&d, 0),
		     "track 'A/Box transform': left out, because animj cannot hold matrices (float4x4)") == 0);
	CHECK(strcmp(animj_diagnostic(&d, 1), "track 'A/Box transform': disabled; left out") == 0);
	CHECK(strcmp(animj_diagnostic(&d, 2), "track 'A/Box transform': no keys; left out") == 0);
	animj_discard(&d);
}

TEST(animj_loop, "a loop mode has no place and is noted")
{
	struct animj_document d;

	animj_start(&d);
	d.clip.loop = ANIM_LOOP_PINGPONG;
	animj_finish(&d);
	CHECKF(strcmp(animj_diagnostic(&d, 0),
		      "clip 'walk': the loop mode is not kept, because animj has none; the Animator sets it "
		      "(ping-pong)") == 0,
	       "%s", animj_diagnostic(&d, 0));
	CHECK(d.diagnostics.count == 1 && d.diagnostics.items[0].severity == ANIM_NOTE);
	animj_discard(&d);
}

TEST(animj_one_clip, "a second clip and no clip are errors")
{
	struct animj_document d;
	struct anim_output *out = NULL;
	struct anim_sink *sink;
	struct anim_error error = {0};

	animj_start(&d);
	animj_document_open(&d);
	CHECK(anim_sink_clip(d.sink, &d.clip, &d.error) != 0);
	CHECK(strcmp(d.error.message, "animj holds one clip; 'walk' is a second one") == 0);
	d.failed = true;
	animj_finish(&d);
	animj_discard(&d);
	animj_start(&d);
	d.options.diagnostics = &d.diagnostics;
	CHECK(anim_output_open_memory(&out, &error) == 0);
	sink = anim_animj_writer_new(out, &d.options, &error);
	CHECK(sink != NULL && anim_sink_end(sink, &error) != 0 && error.code == ANIM_BAD_INPUT);
	anim_sink_free(sink);
	anim_output_free(out);
}

TEST(animj_resting_components, "lanes that rest or are equal have the same text in each key")
{
	const float values[] = {0.1f, 0.1f, -2, 0.1f, -2, -2, -0.0f, 0, -2, 0, 0, -2};
	struct anim_track t = animj_make(ANIM_RAW, ANIM_FLOAT3, "scale", 4, NULL, values);
	struct animj_document d;

	animj_start(&d);
	t.step_s = 0.25;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"x\":0.1,\"y\":0.1,\"z\":-2},{\"x\":0.1,\"y\":-2,\"z\":-2},"
			     "{\"x\":-0,\"y\":0,\"z\":-2},{\"x\":0,\"y\":0,\"z\":-2}");
}

TEST(animj_long, "a track longer than any buffer is whole")
{
	enum { N = 200000 };
	static float times[N], values[N];
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "energy", N, times, values);
	struct animj_document d;
	const char *text;
	size_t size, keys = 0;

	for (size_t k = 0; k < N; k++) {
		times[k] = (float)k / 1024;
		values[k] = (float)k;
	}
	animj_start(&d);
	d.clip.end_s = 200;
	animj_add(&d, &t);
	CHECK(!d.failed && anim_sink_end(d.sink, &d.error) == 0);
	text = (const char *)anim_output_memory(d.out, &size);
	for (size_t at = 0; at + 8 < size; at++)
		keys += memcmp(text + at, "{\"time\":", 8) == 0;
	CHECKF(keys == N, "%zu keys", keys);
	CHECK(memcmp(text + size - 6, "}}\n]}\n", 6) == 0);
	anim_sink_free(d.sink);
	anim_output_free(d.out);
	animj_discard(&d);
}

TEST(animj_long_keys, "each key of a long track has its own value and its own tangents")
{
	enum { N = 300 };
	static float times[N], values[3 * N], left[3 * N], right[3 * N];
	static char keys[N * 300];
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT3, "position", N, times, values);
	struct animj_document d;
	size_t size = 0;

	for (int k = 0; k < N; k++) {
		times[k] = (float)k / 4;
		for (int i = 0; i < 3; i++) {
			values[3 * k + i] = (float)(10 * k + i);
			left[3 * k + i] = (float)(-10 * k - i - 1);
			right[3 * k + i] = i == 1 ? 1 : (float)k / 2;
		}
		size += (size_t)snprintf(
		    keys + size, sizeof keys - size,
		    "%s{\"time\":%g,\"value\":{\"x\":%d,\"y\":%d,\"z\":%d},\"interpolation\":\"CubicBezier\","
		    "\"leftTangent\":{\"x\":%d,\"y\":%d,\"z\":%d},\"rightTangent\":{\"x\":%g,\"y\":1,\"z\":%g}}",
		    k > 0 ? "," : "", k / 4.0, 10 * k, 10 * k + 1, 10 * k + 2, -10 * k - 1, -10 * k - 2, -10 * k - 3,
		    k / 2.0, k / 2.0);
	}
	animj_start(&d);
	d.clip.end_s = 75;
	t.interp = ANIM_CUBIC_BEZIER;
	t.left = left;
	t.right = right;
	animj_add(&d, &t);
	animj_check_keys(&d, keys);
}
