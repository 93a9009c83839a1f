/* retime_steps.c: steps, events, samples, rates, durations and whole frames in other times. */
#include <stdio.h>
#include <string.h>

#include "clip/sample.h"
#include "retime_help.h"
#include "tap.h"

static const char *text_at(const struct anim_clip *clip, const struct anim_track *track, double t)
{
	static char copy[32];
	struct anim_sample_state state = {0};
	struct anim_text text;
	uint8_t present = 0;

	CHECK(anim_sample(clip, track, &t, 1, &text, &present, &state, NULL) == 0);
	snprintf(copy, sizeof copy, "%.*s", present ? (int)text.length : 6, present ? text.bytes : "(none)");
	anim_sample_state_clear(&state);
	return copy;
}

static const uint32_t lengths[] = {1, 1, 1};
static const uint64_t starts[] = {0, 1, 2};
static const struct anim_strings letters = {lengths, starts, "abc", 3};
static const float letter_times[] = {0, 1, 3};
static const struct anim_track steps = {.kind = ANIM_DISCRETE,
					.type = ANIM_STRING,
					.node = "A",
					.property = "text",
					.component = ANIM_WHOLE,
					.n = 3,
					.time = letter_times,
					.strings = &letters};
static const struct anim_clip four = {.end_s = 4, .name = "c", .root = ".", .source = "x"};

TEST(steps_backward, "what a key began ends at it backwards, and a second time back all keys are the same")
{
	struct anim_retime_options turn = {.reverse = true};
	struct retime_result once, twice;
	const struct anim_track *track = &once.capture.tracks[0];

	retime_run(&once, turn, &four, &steps);
	CHECK(track->n == 3 && track->time[0] == 0 && track->time[1] == 1 && track->time[2] == 3);
	CHECK(strcmp(text_at(&four, track, 0.5), "c") == 0 && strcmp(text_at(&four, track, 2.9), "b") == 0);
	CHECK(strcmp(text_at(&four, track, 3.5), "a") == 0);
	retime_run(&twice, turn, &once.capture.clip, track);
	track = &twice.capture.tracks[0];
	CHECK(track->n == 3 && memcmp(track->time, letter_times, sizeof letter_times) == 0);
	CHECK(strcmp(text_at(&four, track, 2), "b") == 0 && strcmp(text_at(&four, track, 3.5), "c") == 0);
	retime_finish(&once);
	retime_finish(&twice);
}

TEST(steps_cut, "a part of what steps begins with a key of the value that held, and events stay events")
{
	struct anim_retime_options cut = {PART(0.5, 2)}, turn = cut;
	struct anim_track events = steps;
	struct retime_result r;
	const struct anim_track *track = &r.capture.tracks[0];

	retime_run(&r, cut, &four, &steps);
	CHECK(track->n == 2 && track->time[0] == 0 && track->time[1] == 0.5f && r.capture.clip.end_s == 1.5f);
	CHECK(strcmp(text_at(&four, track, 0.2), "a") == 0 && strcmp(text_at(&four, track, 1), "b") == 0);
	retime_finish(&r);
	events.property = "@event";
	turn.reverse = true;
	turn.ranges = &(const struct anim_time_range){true, false, 0.5, 3};
	retime_run(&r, turn, &four, &events);
	CHECK(track->n == 2 && track->time[0] == 0 && track->time[1] == 2);
	CHECK(strcmp(text_at(&four, track, 0), "c") == 0 && strcmp(text_at(&four, track, 2), "b") == 0);
	retime_finish(&r);
}

TEST(whole_numbers, "a cut curve of whole numbers steps where it stepped")
{
	static const float t[] = {0, 4};
	static const int32_t v[] = {0, 8};
	struct anim_retime_options cut = {PART(1, 3)};
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_INT,
				   .rules = ANIM_RULES_GODOT4,
				   .node = "A",
				   .property = "p",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = 2,
				   .time = t,
				   .value = v};
	struct retime_result r;

	retime_run(&r, cut, &four, &track);
	CHECK(r.diagnostics.count == 0 && r.capture.tracks[0].interp == ANIM_HOLD && r.capture.tracks[0].n == 5);
	CHECK(retime_compare(&four, &track, &r, 1, 3, 1) == 0);
	retime_finish(&r);
}

static const float ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static struct anim_track samples(uint8_t interp)
{
	return (struct anim_track){.kind = ANIM_RAW,
				   .type = ANIM_FLOAT,
				   .node = "A",
				   .property = "p",
				   .component = ANIM_WHOLE,
				   .interp = interp,
				   .n = 10,
				   .value = ten,
				   .rate_num = 30,
				   .rate_den = 12};
}

TEST(raw, "samples are cut on whole ones, turned, and their rate changes exactly")
{
	for (unsigned i = 0; i < 8; i++) {
		struct anim_retime_options options = {PART(0.5, 2.7), .reverse = i & 1, .speed_num = 3, .speed_den = 2};
		struct anim_track track = samples(i & 2 ? ANIM_HOLD : ANIM_LINEAR);
		const struct anim_track *got;
		struct retime_result r;

		if (i & 4)
			options.range_count = 0;
		retime_run(&r, options, &four, &track);
		got = &r.capture.tracks[0];
		CHECK(got->rate_num == 15 && got->rate_den == 4 && got->kind == ANIM_RAW);
		CHECK(got->n == (i & 4 ? 10 : 7));
		CHECKF(retime_compare(&four, &track, &r, i & 4 ? 0 : 0.5, i & 4 ? 4 : (double)2.7f,
				      i & 1 ? -2.0 / 3 : 2.0 / 3) < 2e-6,
		       "way %u", i);
		retime_finish(&r);
	}
}

TEST(rate, "a rate is given to samples that have none and to the clip, and speed changes the clip's own")
{
	struct anim_retime_options rate = {.rate_num = 24, .rate_den = 1}, speed = {.speed_num = 5, .speed_den = 2};
	struct anim_track track = samples(ANIM_LINEAR);
	struct anim_clip clip = four;
	struct retime_result r;

	clip.rate_num = 30000;
	clip.rate_den = 1001;
	retime_run(&r, speed, &clip, &track);
	CHECK(r.capture.clip.rate_num == 75000 && r.capture.clip.rate_den == 1001 && r.capture.clip.end_s == 1.6f);
	retime_finish(&r);
	track.rate_num = track.rate_den = 0;
	retime_run(&r, rate, &clip, &track);
	CHECK(r.capture.tracks[0].rate_num == 24 && r.capture.tracks[0].rate_den == 1);
	CHECK(r.capture.clip.rate_num == 24 && r.capture.clip.rate_den == 1);
	retime_finish(&r);
}

TEST(duration, "a duration is met to the bit, and a pose stays one with a note")
{
	struct anim_retime_options three = {.duration_s = 3, .shift_s = 1};
	struct anim_track track = samples(ANIM_LINEAR);
	struct anim_clip pose = four;
	struct retime_result r;

	retime_run(&r, three, &four, &track);
	CHECK(r.capture.clip.start_s == 1 && r.capture.clip.end_s == 4 && r.diagnostics.count == 0);
	CHECK(r.capture.tracks[0].rate_num == 10 && r.capture.tracks[0].rate_den == 3);
	retime_finish(&r);
	pose.end_s = 0;
	retime_run(&r, three, &pose, &track);
	CHECK(r.capture.clip.start_s == 1 && r.capture.clip.end_s == 1);
	CHECK(r.diagnostics.count == 1 && r.diagnostics.items[0].severity == ANIM_NOTE);
	retime_finish(&r);
}

TEST(snapped, "keys come to whole frames, the last of a frame stays, and the clip ends on one")
{
	static const float t[] = {0.02f, 0.98f, 1.04f, 3.97f}, v[] = {1, 2, 3, 4};
	struct anim_retime_options snap = {.snap_num = 10, .snap_den = 1};
	struct anim_track track = samples(ANIM_LINEAR);
	struct anim_clip clip = four;
	struct retime_result r;
	const struct anim_track *got = &r.capture.tracks[0];

	clip.end_s = 4.03f;
	track.kind = ANIM_CURVE;
	track.n = 4;
	track.time = t;
	track.value = v;
	track.rate_num = track.rate_den = 0;
	retime_run(&r, snap, &clip, &track);
	CHECK(got->n == 3 && got->time[0] == 0 && got->time[1] == 1 && got->time[2] == 4);
	CHECK(((const float *)got->value)[1] == 3 && r.capture.clip.end_s == 4 && r.diagnostics.warnings == 1);
	retime_finish(&r);
}

TEST(thousands, "cut whole numbers that run through thousands stay a line, those that run through few step")
{
	static const float t[] = {0, 4};
	static const int32_t few[] = {0, 40}, many[] = {0, 4000000};
	struct anim_retime_options cut = {PART(1, 3)};
	struct anim_track track = samples(ANIM_LINEAR);
	struct retime_result r;
	const struct anim_track *got = &r.capture.tracks[0];

	track.kind = ANIM_CURVE;
	track.type = ANIM_INT;
	track.n = 2;
	track.time = t;
	track.value = few;
	track.rate_num = track.rate_den = 0;
	retime_run(&r, cut, &four, &track);
	CHECK(got->interp == ANIM_HOLD && got->n == 21 && r.diagnostics.count == 0);
	CHECK(retime_compare(&four, &track, &r, 1, 3, 1) == 0);
	retime_finish(&r);
	track.value = many;
	retime_run(&r, cut, &four, &track);
	CHECK(got->interp == ANIM_LINEAR && got->n == 2 && r.diagnostics.warnings == 1 &&
	      r.diagnostics.items[0].worst <= 1);
	CHECK(((const int32_t *)got->value)[0] == 1000000 && ((const int32_t *)got->value)[1] == 3000000);
	retime_finish(&r);
}

TEST(unsorted, "keys out of order are sorted and that is said")
{
	static const float t[] = {2, 1, 3}, v[] = {2, 1, 3};
	struct anim_retime_options shift = {.shift_s = 1};
	struct anim_track track = samples(ANIM_LINEAR);
	struct retime_result r;

	track.kind = ANIM_CURVE;
	track.n = 3;
	track.time = t;
	track.value = v;
	track.rate_num = track.rate_den = 0;
	track.flags = ANIM_UNSORTED;
	retime_run(&r, shift, &four, &track);
	CHECK(r.capture.tracks[0].flags == 0 && r.capture.tracks[0].time[0] == 2 && r.diagnostics.warnings == 1);
	CHECK(*(const float *)r.capture.tracks[0].value == 1);
	retime_finish(&r);
}

TEST(endless, "repetitions without number are refused, not made")
{
	static const float t[] = {0, 1e-9f, 1}, v[] = {1, 2, 3};
	struct anim_retime_options options = {PART(5, 1e9), .tol = 1};
	struct anim_clip clip = four;
	struct anim_track track = samples(ANIM_LINEAR);
	struct capture capture;
	struct anim_diagnostics diagnostics = {0};
	struct anim_error error = {0};
	struct anim_sink *filter;

	clip.end_s = 2e9f;
	track.kind = ANIM_CURVE;
	track.n = 3;
	track.time = t;
	track.value = v;
	track.rate_num = track.rate_den = 0;
	track.post = ANIM_EXTRAPOLATION_LOOP;
	options.diagnostics = &diagnostics;
	filter = anim_retime_new(&options, capture_sink(&capture), &error);
	CHECK(anim_sink_clip(filter, &clip, &error) == 0 && anim_sink_track(filter, &track, &error) == -1);
	CHECKF(error.code == ANIM_TOO_LARGE, "%s", error.message);
	anim_sink_free(filter);
	capture_clear(&capture);
}
