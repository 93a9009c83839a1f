/* resample.c: what becomes Raw, what stays Discrete, and what is said. */
#include "filter/resample.h"

#include <string.h>

#include "capture.h"
#include "tap.h"

struct bench {
	struct anim_diagnostics diagnostics;
	struct capture capture;
	struct anim_sink *filter;
};

static void begin(struct bench *b, const char *rate, bool all, const struct anim_clip *clip)
{
	struct anim_resample_options options = {.all = all, .diagnostics = &b->diagnostics};

	memset(&b->diagnostics, 0, sizeof b->diagnostics);
	CHECK(anim_rate_parse(rate, &options.rate_num, &options.rate_den, NULL) == 0);
	b->filter = anim_resample_new(&options, capture_sink(&b->capture), NULL);
	CHECK(anim_sink_clip(b->filter, clip, NULL) == 0);
}

static void finish(struct bench *b)
{
	CHECK(anim_sink_end(b->filter, NULL) == 0 && b->capture.ended);
	anim_sink_free(b->filter);
	CHECK(b->capture.freed);
	capture_clear(&b->capture);
	anim_diagnostics_clear(&b->diagnostics);
}

static const float two_times[] = {0, 1};

static struct anim_track linear(enum anim_type type, const void *value)
{
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = type,
				   .node = "A",
				   .property = "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = 2,
				   .time = two_times,
				   .value = value};

	return track;
}

static const struct anim_clip second = {.end_s = 1, .name = "c", .root = ".", .source = "godot4"};

TEST(raw, "a linear curve becomes Raw with a sample per grid point and the rate in it")
{
	static const float v[] = {0, 0, 0, 4, 8, 12};
	struct anim_track track = linear(ANIM_FLOAT3, v), *got;
	struct bench b;

	begin(&b, "4", false, &second);
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	got = &b.capture.tracks[0];
	CHECK(got->kind == ANIM_RAW && got->n == 5 && got->rate_num == 4 && got->rate_den == 1 && got->start_s == 0);
	CHECK(((const float *)got->value)[3] == 1 && ((const float *)got->value)[14] == 12);
	CHECK(got->rules == ANIM_RULES_PLAIN && got->interp == ANIM_LINEAR);
	CHECK(b.capture.clip.rate_num == 4 && b.diagnostics.count == 0);
	finish(&b);
}

TEST(shifted, "a clip that starts elsewhere starts at 0 afterwards and keeps its length")
{
	static const float t[] = {-1, 3}, v[] = {0, 4};
	struct anim_clip clip = second;
	struct anim_track track = linear(ANIM_FLOAT, v);
	struct bench b;

	track.time = t;
	clip.start_s = 1;
	clip.end_s = 2;
	begin(&b, "2", false, &clip);
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	CHECK(b.capture.clip.start_s == 0 && b.capture.clip.end_s == 1);
	CHECK(((const float *)b.capture.tracks[0].value)[0] == 2 && ((const float *)b.capture.tracks[0].value)[2] == 3);
	finish(&b);
}

TEST(steps, "a Discrete track keeps its keys, cut to the clip, with the one that holds at its start")
{
	static const float t[] = {-1, 0.5f, 1.25f, 3};
	static const uint8_t v[] = {1, 0, 1, 0};
	struct anim_clip clip = second;
	struct anim_track track = linear(ANIM_BOOL, v), *got;
	struct bench b;

	clip.start_s = 0.25f;
	clip.end_s = 2;
	track.kind = ANIM_DISCRETE;
	track.interp = ANIM_HOLD;
	track.n = 4;
	track.time = t;
	begin(&b, "30", false, &clip);
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	got = &b.capture.tracks[0];
	CHECK(got->kind == ANIM_DISCRETE && got->n == 3);
	CHECK(got->time[0] == 0 && got->time[1] == 0.25f && got->time[2] == 1);
	CHECK(memcmp(got->value, v, 3) == 0);
	finish(&b);
}

TEST(events, "events before the clip are not fired at its start")
{
	static const float t[] = {-1, 0.5f};
	static const uint32_t length[] = {2, 2};
	static const uint64_t start[] = {0, 2};
	static const struct anim_strings strings = {length, start, "{}{}", 4};
	struct anim_track track = linear(ANIM_STRING, NULL);
	struct bench b;

	track.kind = ANIM_DISCRETE;
	track.interp = ANIM_HOLD;
	track.property = "@method";
	track.time = t;
	track.strings = &strings;
	begin(&b, "30", false, &second);
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	CHECK(b.capture.tracks[0].n == 1 && b.capture.tracks[0].time[0] == 0.5f);
	finish(&b);
}

TEST(bools, "an interpolated bool becomes Discrete with a key where the engine's value changes, Raw with --all")
{
	static const uint8_t v[] = {0, 1};
	struct anim_track track = linear(ANIM_BOOL, v), *got;
	struct bench b;

	track.rules = ANIM_RULES_GODOT4;
	begin(&b, "10", false, &second);
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	got = &b.capture.tracks[0];
	CHECK(got->kind == ANIM_DISCRETE && got->n == 2 && got->time[1] == 0.5f);
	finish(&b);
	begin(&b, "10", true, &second);
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	got = &b.capture.tracks[0];
	CHECK(got->kind == ANIM_RAW && got->n == 11 && got->interp == ANIM_HOLD);
	CHECK(((const uint8_t *)got->value)[4] == 0 && ((const uint8_t *)got->value)[5] == 1);
	finish(&b);
}

TEST(left_out, "disabled tracks and tracks without keys are left out; nothing of an empty one is lost")
{
	static const float v[] = {0, 1};
	struct anim_track disabled = linear(ANIM_FLOAT, v), empty = linear(ANIM_FLOAT, NULL);
	struct bench b;

	disabled.flags = ANIM_DISABLED;
	empty.n = 0;
	begin(&b, "30", false, &second);
	CHECK(anim_sink_track(b.filter, &disabled, NULL) == 0 && anim_sink_track(b.filter, &empty, NULL) == 0);
	CHECK(b.capture.track_count == 0 && b.diagnostics.warnings == 1 && b.diagnostics.count == 2);
	finish(&b);
}

TEST(rest_fill, "where the player sets nothing, the node's rest is put, and a warning says so")
{
	static const float t[] = {0.5f, 1}, v[] = {1, 1, 1, 2, 2, 2};
	struct anim_tree tree = {.root_name = "R", .source_file = "r.tscn"};
	struct anim_node root = {.parent = ANIM_NO_PARENT,
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1},
				 .path = ".",
				 .type = "Node"},
			 node = {.has = ANIM_HAS_POSITION,
				 .position = {7, 8, 9},
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1},
				 .path = "A",
				 .type = "Spatial"};
	struct anim_resample_options options = {.rate_num = 2, .rate_den = 1};
	struct anim_track track = linear(ANIM_FLOAT3, v);
	struct anim_clip clip = second;
	struct bench b = {0};
	const float *got;

	options.diagnostics = &b.diagnostics;
	clip.flags |= ANIM_IN_TREE;
	track.rules = ANIM_RULES_GODOT3;
	track.time = t;
	b.filter = anim_resample_new(&options, capture_sink(&b.capture), NULL);
	CHECK(anim_sink_tree(b.filter, &tree, NULL) == 0 && anim_sink_node(b.filter, &root, NULL) == 0 &&
	      anim_sink_node(b.filter, &node, NULL) == 0 && anim_sink_clip(b.filter, &clip, NULL) == 0);
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	got = b.capture.tracks[0].value;
	CHECK(got[0] == 7 && got[1] == 8 && got[3] == 1 && got[6] == 2);
	CHECK(b.diagnostics.warnings == 1);
	finish(&b);
}

TEST(no_rate, "the source's rate is asked for only where there is one")
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_resample_options options = {.diagnostics = &diagnostics};
	struct capture capture;
	struct anim_sink *filter = anim_resample_new(&options, capture_sink(&capture), NULL);
	struct anim_clip clip = second;
	struct anim_error error;

	CHECK(anim_sink_clip(filter, &clip, &error) == -1 && strstr(error.message, "no rate") != NULL);
	clip.rate_num = 24;
	clip.rate_den = 1;
	CHECK(anim_sink_clip(filter, &clip, &error) == 0 && capture.clip.rate_num == 24);
	anim_sink_free(filter);
	capture_clear(&capture);
}

TEST(long_grid, "a grid too long to keep gives the same samples")
{
	static const float v[] = {0, 100000};
	struct anim_track track = linear(ANIM_FLOAT, v);
	struct bench b;
	const float *got;

	begin(&b, "100000", false, &second);
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	got = b.capture.tracks[0].value;
	CHECK(b.capture.tracks[0].n == 100001 && got[1] == 1 && got[70000] == 70000 && got[100000] == 100000);
	finish(&b);
}
