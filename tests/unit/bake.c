/* bake.c: rests, RESET clips behind several clips, repeating ends, and what is said. */
#include "filter/bake.h"

#include <math.h>
#include <string.h>

#include "capture.h"
#include "tap.h"

struct bench {
	struct anim_diagnostics diagnostics;
	struct capture capture;
	struct anim_sink *filter;
};

static void begin(struct bench *b, const struct anim_bake_options *options)
{
	struct anim_bake_options copy = *options;

	memset(&b->diagnostics, 0, sizeof b->diagnostics);
	copy.diagnostics = &b->diagnostics;
	copy.rate_num = 2;
	copy.rate_den = 1;
	b->filter = anim_bake_new(&copy, capture_sink(&b->capture), NULL);
}

static void finish(struct bench *b)
{
	anim_sink_free(b->filter);
	CHECK(b->capture.freed);
	capture_clear(&b->capture);
	anim_diagnostics_clear(&b->diagnostics);
}

static const float two_times[] = {0, 1};
static const struct anim_clip second = {.end_s = 1, .name = "c", .root = ".", .source = "godot4"};

static struct anim_track linear(enum anim_type type, const char *property, uint8_t component, const void *value)
{
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = type,
				   .node = "A",
				   .property = property,
				   .component = component,
				   .interp = ANIM_LINEAR,
				   .n = 2,
				   .time = two_times,
				   .value = value};

	return track;
}

static void send_clip(struct bench *b, const char *name, const struct anim_track *track)
{
	struct anim_clip clip = second;

	clip.name = name;
	CHECK(anim_sink_clip(b->filter, &clip, NULL) == 0 && anim_sink_track(b->filter, track, NULL) == 0);
}

static const float *samples(const struct bench *b, size_t track)
{
	return b->capture.tracks[track].value;
}

TEST(reset_late, "clips wait for a RESET behind them and keep their order")
{
	static const float x[] = {0, 2}, pose[] = {5, 6, 7, 5, 6, 7};
	struct anim_track component = linear(ANIM_FLOAT, "position", 0, x);
	struct anim_track whole = linear(ANIM_FLOAT3, "position", ANIM_WHOLE, pose);
	struct bench b;

	begin(&b, &(struct anim_bake_options){0});
	send_clip(&b, "one", &component);
	send_clip(&b, "two", &whole);
	send_clip(&b, "three", &component);
	CHECK(b.capture.clip_count == 1 && b.capture.track_count == 0);
	send_clip(&b, "RESET", &whole);
	send_clip(&b, "four", &component);
	CHECK(b.capture.clip_count == 5 && b.capture.track_count == 4);
	CHECK(anim_sink_end(b.filter, NULL) == 0 && b.capture.track_count == 5);
	CHECK(samples(&b, 0)[3] == 1 && samples(&b, 0)[4] == 6 && samples(&b, 0)[5] == 7);
	CHECK(samples(&b, 1)[0] == 5 && samples(&b, 2)[1] == 6 && samples(&b, 4)[2] == 7);
	CHECK(b.diagnostics.count == 0);
	finish(&b);
}

TEST(reset_other, "a RESET of another player is not taken, and the end of the stream ends the waiting")
{
	static const struct anim_attr player = {"player", "P"};
	static const float x[] = {0, 2}, pose[] = {5, 6, 7, 5, 6, 7};
	struct anim_track component = linear(ANIM_FLOAT, "scale", 0, x);
	struct anim_track whole = linear(ANIM_FLOAT3, "scale", ANIM_WHOLE, pose);
	struct anim_clip reset = second;
	struct bench b;

	reset.name = "RESET";
	reset.attrs = (struct anim_attrs){&player, 1};
	begin(&b, &(struct anim_bake_options){0});
	send_clip(&b, "one", &component);
	CHECK(anim_sink_clip(b.filter, &reset, NULL) == 0 && anim_sink_track(b.filter, &whole, NULL) == 0);
	CHECK(b.capture.track_count == 0);
	CHECK(anim_sink_end(b.filter, NULL) == 0 && b.capture.track_count == 2);
	CHECK(samples(&b, 0)[1] == 1 && samples(&b, 0)[2] == 1 && b.diagnostics.warnings == 1);
	finish(&b);
}

TEST(unity, "clips of other sources than Godot wait for nothing")
{
	static const float x[] = {0, 2};
	struct anim_track component = linear(ANIM_FLOAT, "position", 0, x);
	struct anim_clip clip = second;
	struct bench b;

	clip.source = "unity";
	begin(&b, &(struct anim_bake_options){0});
	CHECK(anim_sink_clip(b.filter, &clip, NULL) == 0 && anim_sink_track(b.filter, &component, NULL) == 0);
	CHECK(anim_sink_clip(b.filter, &clip, NULL) == 0 && b.capture.track_count == 1);
	CHECK(anim_sink_end(b.filter, NULL) == 0);
	finish(&b);
}

TEST(relative, "what is relative to a rest becomes absolute, and stays with a warning where none is known")
{
	static const float v[] = {1, 0, 0, 3, 0, 0};
	static const struct anim_tree tree = {.root_name = "R", .source_file = "s"};
	struct anim_node root = {.path = ".", .type = "Node", .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}};
	struct anim_node node = {.path = "A",
				 .type = "Bone",
				 .has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE,
				 .position = {10, 0, 0},
				 .rotation = {0, 0, 0, 1},
				 .scale = {2, 2, 2}};
	struct anim_track track = linear(ANIM_FLOAT3, "position", ANIM_WHOLE, v);
	struct bench b;

	track.flags = ANIM_REST_RELATIVE;
	begin(&b, &(struct anim_bake_options){0});
	CHECK(anim_sink_tree(b.filter, &tree, NULL) == 0 && anim_sink_node(b.filter, &root, NULL) == 0 &&
	      anim_sink_node(b.filter, &node, NULL) == 0);
	send_clip(&b, "c", &track);
	CHECK(samples(&b, 0)[0] == 12 && samples(&b, 0)[3] == 14 && samples(&b, 0)[6] == 16);
	CHECK(!(b.capture.tracks[0].flags & ANIM_REST_RELATIVE) && b.diagnostics.count == 0);
	track.node = "B";
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	CHECK(samples(&b, 1)[0] == 1 && (b.capture.tracks[1].flags & ANIM_REST_RELATIVE) &&
	      b.diagnostics.warnings == 1);
	finish(&b);
}

TEST(order, "Euler angles turn by their own order, in degrees or radians, and steps stay steps")
{
	static const struct anim_attr order = {"order", "XYZ"};
	static const float v[] = {90, 0, 90, 90, 0, 90};
	struct anim_track track = linear(ANIM_FLOAT3, "euler", ANIM_WHOLE, v), *got;
	struct bench b;

	track.flags = ANIM_DEGREES;
	track.attrs = (struct anim_attrs){&order, 1};
	begin(&b, &(struct anim_bake_options){0});
	send_clip(&b, "c", &track);
	track.interp = ANIM_HOLD;
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	got = b.capture.tracks;
	CHECK(strcmp(got[0].property, "rotation") == 0 && got[0].type == ANIM_FLOATQ && got[0].attrs.count == 0);
	CHECK(got[0].flags == 0 && got[0].kind == ANIM_RAW && got[1].kind == ANIM_DISCRETE && got[1].n == 2);
	/* x x z: (s, 0, 0, c)(0, 0, s, c) = (sc, -ss, cs, cc) */
	for (size_t i = 0; i < 2; i++)
		CHECK(fabsf(samples(&b, i)[0] - 0.5f) < 1e-6f && fabsf(samples(&b, i)[1] + 0.5f) < 1e-6f &&
		      fabsf(samples(&b, i)[2] - 0.5f) < 1e-6f && fabsf(samples(&b, i)[3] - 0.5f) < 1e-6f);
	finish(&b);
}

TEST(joined, "lanes that only step make samples that step")
{
	static const float x[] = {0, 2};
	struct anim_track component = linear(ANIM_FLOAT, "position", 0, x);
	struct bench b;

	component.interp = ANIM_HOLD;
	begin(&b, &(struct anim_bake_options){0});
	send_clip(&b, "c", &component);
	CHECK(anim_sink_end(b.filter, NULL) == 0);
	CHECK(b.capture.tracks[0].kind == ANIM_RAW && b.capture.tracks[0].interp == ANIM_HOLD);
	finish(&b);
}

TEST(lone, "a lane that makes no whole value stays single, with a warning")
{
	static const float x[] = {0, 2};
	struct anim_track component = linear(ANIM_FLOAT, "speed", 0, x);
	struct bench b;

	begin(&b, &(struct anim_bake_options){0});
	send_clip(&b, "c", &component);
	CHECK(anim_sink_end(b.filter, NULL) == 0);
	CHECK(b.capture.tracks[0].component == 0 && b.capture.tracks[0].kind == ANIM_RAW &&
	      b.diagnostics.warnings == 1);
	finish(&b);
}

TEST(unsorted, "keys out of order are sorted, and it is said")
{
	static const float times[] = {1, 0}, v[] = {4, 0};
	struct anim_track track = linear(ANIM_FLOAT, "speed", ANIM_WHOLE, v);
	struct bench b;

	track.time = times;
	track.flags = ANIM_UNSORTED;
	begin(&b, &(struct anim_bake_options){0});
	send_clip(&b, "c", &track);
	CHECK(samples(&b, 0)[0] == 0 && samples(&b, 0)[1] == 2 && samples(&b, 0)[2] == 4 &&
	      b.diagnostics.warnings == 1);
	finish(&b);
}

TEST(loops, "runs of a loop are written one behind the other, with the keys of what steps and of what repeats itself")
{
	static const float v[] = {0, 4}, half[] = {0, 0.5f};
	struct anim_track track = linear(ANIM_FLOAT, "speed", ANIM_WHOLE, v);
	struct anim_clip clip = second;
	struct bench b;

	clip.loop = ANIM_LOOP_WRAP;
	begin(&b, &(struct anim_bake_options){.loops = 3});
	CHECK(anim_sink_clip(b.filter, &clip, NULL) == 0 && anim_sink_track(b.filter, &track, NULL) == 0);
	CHECK(b.capture.clip.end_s == 3 && b.capture.clip.loop == ANIM_LOOP_NONE);
	CHECK(b.capture.tracks[0].n == 7 && samples(&b, 0)[1] == 2 && samples(&b, 0)[2] == 0 &&
	      samples(&b, 0)[5] == 2 && samples(&b, 0)[6] == 4);
	track.kind = ANIM_DISCRETE;
	track.interp = ANIM_HOLD;
	track.time = half;
	CHECK(anim_sink_track(b.filter, &track, NULL) == 0);
	CHECK(b.capture.tracks[1].n == 6 && b.capture.tracks[1].time[2] == 1 && b.capture.tracks[1].time[5] == 2.5f);
	finish(&b);
}
