/* animj_times.c: key times, intervals and durations in AnimJ. */
#include <math.h>
#include <string.h>

#include "animj_document.h"
#include "base/advice.h"
#include "tap.h"

TEST(animj_ends, "a loop that runs on between its outer keys is warned of")
{
	const float values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_CURVE, ANIM_FLOAT, "energy", 2, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	d.clip.loop = ANIM_LOOP_WRAP;
	t.rules = ANIM_RULES_GODOT4;
	t.flags = ANIM_LOOP_WRAP_KEYS;
	animj_add(&d, &t);
	animj_finish(&d);
	CHECKF(strcmp(animj_diagnostic(&d, 1),
		      "track 'A/Box energy': extrapolated beyond the outer keys, but animj holds: " ANIM_ADVICE_TO(
			  SAMPLE, "30")) == 0,
	       "%s", animj_diagnostic(&d, 1));
	animj_discard(&d);
}

TEST(animj_unsorted, "keys out of order are sorted stably and warned of")
{
	const float times[] = {0.5f, 0, 0.5f, 0.25f}, values[] = {1, 2, 3, 4};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 4, times, values);
	struct animj_document d;

	animj_start(&d);
	t.flags = ANIM_UNSORTED;
	animj_add(&d, &t);
	CHECK(strcmp(animj_diagnostic(&d, 0), "track 'A/Box energy': keys out of order were sorted") == 0);
	animj_check_keys(&d, "{\"time\":0,\"value\":2},{\"time\":0.25,\"value\":4},{\"time\":0.5,\"value\":1},"
			     "{\"time\":0.5,\"value\":3}");
}

TEST(animj_unsorted_nan, "a time that is no number is an error")
{
	const float times[] = {0.5f, NAN}, values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, times, values);
	struct animj_document d;

	animj_start(&d);
	t.flags = ANIM_UNSORTED;
	animj_add(&d, &t);
	animj_check_error(&d, "track 'A/Box energy': the time of key 1 is not a finite number");
}

TEST(animj_late_clip, "the clip's start becomes 0")
{
	const float times[] = {2, 2.5f}, values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, times, values);
	struct animj_document d;

	animj_start(&d);
	d.clip.start_s = 2;
	d.clip.end_s = 3;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":1},{\"time\":0.5,\"value\":2}");
	CHECK(strstr(d.text, "\"globalDuration\":1,") != NULL);
}

TEST(animj_negative, "a key before the clip's start is an error that says how far to shift")
{
	const float times[] = {-0.25f, 0.5f}, values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, times, values);
	struct animj_document d;

	animj_start(&d);
	animj_add(&d, &t);
	animj_check_error(&d, "track 'A/Box energy' has keys up to 0.25 s before the clip's start, animj has no such "
			      "times: " ANIM_ADVICE_TO(SHIFT_OR_SAMPLE, "0.25"));
}

TEST(animj_minus_zero, "a time of -0 is written as 0")
{
	const float times[] = {-0.0f, 0.5f}, values[] = {1, -0.0f};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, times, values);
	struct animj_document d;

	animj_start(&d);
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":1},{\"time\":0.5,\"value\":-0}");
}

TEST(animj_late_raw, "Raw that does not begin with its clip becomes Linear keys")
{
	const float values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_RAW, ANIM_FLOAT, "energy", 2, NULL, values);
	struct animj_document d;

	animj_start(&d);
	t.start_s = 0.25;
	t.step_s = 0.5;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0.25,\"value\":1,\"interpolation\":\"Linear\"},"
			     "{\"time\":0.75,\"value\":2,\"interpolation\":\"Linear\"}");
	animj_start(&d);
	d.options.raw_as_curve = true;
	t.start_s = 0;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":1,\"interpolation\":\"Linear\"},"
			     "{\"time\":0.5,\"value\":2,\"interpolation\":\"Linear\"}");
}

TEST(animj_held_raw, "samples that hold become Discrete, for Raw is interpolated")
{
	const float values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_RAW, ANIM_FLOAT, "energy", 2, NULL, values);
	struct animj_document d;

	animj_start(&d);
	t.interp = ANIM_HOLD;
	t.step_s = 0.5;
	animj_add(&d, &t);
	animj_check_keys(&d, "{\"time\":0,\"value\":1},{\"time\":0.5,\"value\":2}");
}

TEST(animj_no_interval, "Raw of unknown interval is written without one and warned of")
{
	const float values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_RAW, ANIM_FLOAT, "energy", 2, NULL, values);
	struct animj_document d;

	animj_start(&d);
	animj_add(&d, &t);
	CHECK(strcmp(animj_diagnostic(&d, 0),
		     "track 'A/Box energy': samples of unknown interval, written without one") == 0);
	animj_check_keys(&d, "1,2");
	CHECK(strstr(d.text, "interval") == NULL);
}

TEST(animj_duration, "a clip of length 0 whose keys go on has the last key's time as its duration")
{
	const float values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	d.clip.end_s = 0;
	animj_add(&d, &t);
	CHECK(strstr(animj_finish(&d), "],\"globalDuration\":0.5}\n") != NULL);
	animj_discard(&d);
	animj_start(&d);
	d.clip.end_s = 0;
	t.n = 1;
	animj_add(&d, &t);
	CHECK(strstr(animj_finish(&d), "],\"globalDuration\":0}\n") != NULL);
	animj_discard(&d);
}

TEST(animj_shared_times, "times shared with the track before come out the same, others anew")
{
	const float other[] = {0, 0.75f}, values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 2, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	animj_add(&d, &t);
	t.property = "b";
	animj_add(&d, &t);
	t.property = "c";
	t.time = other;
	animj_add(&d, &t);
	animj_finish(&d);
	CHECK(strstr(d.text, "\"b\",\"keyframes\":[{\"time\":0,\"value\":1},{\"time\":0.5,\"value\":2}]") != NULL);
	CHECK(strstr(d.text, "\"c\",\"keyframes\":[{\"time\":0,\"value\":1},{\"time\":0.75,\"value\":2}]") != NULL);
	animj_discard(&d);
}
