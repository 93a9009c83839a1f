/* cat.c: tracks that grow part by part, and which tracks of several clips are the same. */
#include <string.h>

#include "capture.h"
#include "clip/keys.h"
#include "filter/cat/cat.h"
#include "tap.h"

static const float two_times[2] = {0, 1};
static const float values[2] = {3, 4};

static struct anim_track curve(enum anim_interp mode)
{
	return (struct anim_track){.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT,
				   .rules = ANIM_RULES_UNITY,
				   .node = "A",
				   .property = "x",
				   .component = ANIM_WHOLE,
				   .interp = (uint8_t)mode,
				   .n = 2,
				   .time = two_times,
				   .value = values};
}

/* Key k once more, without slopes and handles of its own. */
static int add_rest(struct anim_keys *keys, const struct anim_track *track, size_t k, float time_s)
{
	struct anim_text text;

	return anim_keys_add(keys, time_s, anim_value_at(track, k, &text), anim_track_interp(track, k), NULL);
}

TEST(cat_columns, "a column that only one part has is filled with what changes nothing")
{
	static const float slopes[2] = {5, 6}, eases[2] = {2, 3};
	struct anim_keys keys = {.type = ANIM_FLOAT};
	struct anim_track linear = curve(ANIM_LINEAR), hermite = curve(ANIM_HERMITE), out = curve(ANIM_LINEAR);

	linear.ease = eases;
	hermite.left = hermite.right = slopes;
	anim_keys_reset(&keys, ANIM_FLOAT);
	CHECK(anim_keys_add_part(&keys, &linear, 0, 2, 0, NULL) == 0);
	CHECK(anim_keys_add_part(&keys, &hermite, 0, 2, 10, NULL) == 0);
	CHECK(add_rest(&keys, &hermite, 1, 12) == 0);
	anim_keys_finish(&keys, &out);
	CHECK(out.n == 5 && out.interp == ANIM_INTERP_COLUMN && anim_track_validate(&out, NULL) == 0);
	CHECK(out.interps[1] == ANIM_LINEAR && out.interps[2] == ANIM_HERMITE);
	CHECK(out.time[1] == 1 && out.time[2] == 10 && out.time[4] == 12);
	CHECK(((const float *)out.right)[0] == 0 && ((const float *)out.right)[3] == 6);
	CHECK(((const float *)out.right)[4] == 0 && ((const float *)out.value)[4] == 4);
	CHECK(out.ease[1] == 3 && out.ease[2] == 1 && out.ease[4] == 1);
	anim_keys_clear(&keys);
}

TEST(cat_rest, "a key at rest has handles on its value where the mode has such, and shares of a third")
{
	static const float handles[2] = {1, 2};
	struct anim_keys keys = {.type = ANIM_FLOAT};
	struct anim_track bezier = curve(ANIM_CUBIC_BEZIER), weighted = curve(ANIM_WEIGHTED), out = curve(ANIM_LINEAR);

	bezier.left = bezier.right = handles;
	anim_keys_reset(&keys, ANIM_FLOAT);
	CHECK(anim_keys_add_part(&keys, &bezier, 0, 1, 0, NULL) == 0);
	CHECK(add_rest(&keys, &bezier, 0, 0.5f) == 0);
	anim_keys_finish(&keys, &out);
	CHECK(((const float *)out.left)[0] == 1 && ((const float *)out.left)[1] == 3);
	weighted.left = weighted.right = weighted.left_x = weighted.right_x = handles;
	anim_keys_reset(&keys, ANIM_FLOAT);
	CHECK(anim_keys_add_part(&keys, &weighted, 0, 1, 0, NULL) == 0);
	CHECK(add_rest(&keys, &weighted, 0, 0.5f) == 0);
	anim_keys_finish(&keys, &out);
	CHECK(out.left_x[0] == 1 && out.left_x[1] == 1.0f / 3.0f && ((const float *)out.left)[1] == 0);
	anim_keys_clear(&keys);
}

TEST(cat_strings, "strings grow with their nulls, and forgotten samples take their bytes with them")
{
	static const uint32_t length[3] = {2, ANIM_NULL_STRING, 1};
	static const uint64_t start[3] = {0, 2, 2};
	static const float time[3] = {0, 1, 2};
	const struct anim_strings strings = {length, start, "abc", 3};
	struct anim_track track = curve(ANIM_HOLD), out;
	struct anim_keys keys = {.type = ANIM_STRING};

	track.kind = ANIM_RAW;
	track.interp = ANIM_HOLD;
	track.type = ANIM_STRING;
	track.strings = &strings;
	track.value = NULL;
	track.time = NULL;
	track.n = 3;
	out = track;
	anim_keys_reset(&keys, ANIM_STRING);
	CHECK(anim_keys_add_part(&keys, &track, 0, 3, 0, NULL) == 0 &&
	      anim_keys_add_part(&keys, &track, 0, 3, 0, NULL) == 0);
	anim_keys_cut(&keys, 4);
	anim_keys_finish(&keys, &out);
	CHECK(out.n == 4 && out.strings->length[1] == ANIM_NULL_STRING && out.strings->bytes_size == 5);
	CHECK(memcmp(out.strings->bytes, "abcab", 5) == 0 && anim_track_validate(&out, NULL) == 0);
	track.kind = out.kind = ANIM_DISCRETE;
	track.time = time;
	anim_keys_reset(&keys, ANIM_STRING);
	CHECK(anim_keys_add_part(&keys, &track, 1, 2, 5, NULL) == 0);
	anim_keys_finish(&keys, &out);
	CHECK(out.n == 2 && out.time[0] == 6 && anim_track_validate(&out, NULL) == 0);
	anim_keys_clear(&keys);
}

TEST(cat_empty, "a track to which no key came is a track without keys")
{
	struct anim_keys keys = {.type = ANIM_FLOAT};
	struct anim_track track = curve(ANIM_HERMITE), out = track;

	track.left = track.right = values;
	anim_keys_reset(&keys, ANIM_FLOAT);
	CHECK(anim_keys_add_part(&keys, &track, 0, 0, 0, NULL) == 0);
	anim_keys_finish(&keys, &out);
	CHECK(out.n == 0 && anim_track_validate(&out, NULL) == 0);
	anim_keys_clear(&keys);
}

static const struct anim_clip walk = {.end_s = 1, .name = "walk", .root = ".", .source = "unity"};

static void push(struct anim_sink *sink, const char *file, size_t tracks, float value)
{
	const float column[2] = {value, value};
	struct anim_track track = curve(ANIM_LINEAR);

	anim_join_begin(sink, file);
	track.value = column;
	CHECK(anim_sink_clip(sink, &walk, NULL) == 0);
	for (size_t i = 0; i < tracks; i++)
		CHECK(anim_sink_track(sink, &track, NULL) == 0);
}

TEST(cat_occurrences, "of equal tracks in one clip the first meets the first of the other clip, and so on")
{
	struct capture capture;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_join_options options = {
	    .how = ANIM_JOIN_MERGE, .store_memory = 1 << 16, .diagnostics = &diagnostics};
	struct anim_sink *sink = anim_join_new(&options, capture_sink(&capture), NULL);

	push(sink, "a", 2, 1);
	push(sink, "b", 1, 2);
	CHECK(anim_sink_end(sink, NULL) == 0);
	CHECK(capture.clip_count == 1 && capture.track_count == 2 && diagnostics.warnings == 1);
	CHECK(*(const float *)capture.tracks[0].value == 1 && *(const float *)capture.tracks[1].value == 2);
	anim_sink_free(sink);
	capture_clear(&capture);
	anim_diagnostics_clear(&diagnostics);
}

TEST(cat_weighted, "of three clips in a row each keeps its values, and slopes do not reach over the seams")
{
	static const float steep[2] = {100, 100};
	struct capture capture;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_join_options options = {
	    .how = ANIM_JOIN_APPEND, .store_memory = 1 << 16, .diagnostics = &diagnostics};
	struct anim_sink *sink = anim_join_new(&options, capture_sink(&capture), NULL);
	struct anim_track track = curve(ANIM_HERMITE);
	struct anim_clip clip = walk;

	clip.end_s = 2;
	track.left = track.right = steep;
	for (int i = 0; i < 3; i++) {
		anim_join_begin(sink, "a");
		CHECK(anim_sink_clip(sink, &clip, NULL) == 0 && anim_sink_track(sink, &track, NULL) == 0);
	}
	CHECK(anim_sink_end(sink, NULL) == 0);
	CHECK(capture.track_count == 1 && capture.clip.end_s == 6 && diagnostics.count == 0);
	track = capture.tracks[0];
	/* Each clip but the last: two keys, the last one again at rest, and at rest at the seam. */
	CHECK(track.n == 10 && track.time[2] == 1 && track.time[3] == 2 && track.time[4] == 2);
	CHECK(((const float *)track.right)[2] == 0 && ((const float *)track.left)[3] == 0);
	CHECK(((const float *)track.value)[3] == 4 && ((const float *)track.value)[4] == 3);
	anim_sink_free(sink);
	capture_clear(&capture);
	anim_diagnostics_clear(&diagnostics);
}

TEST(cat_late, "clips in a row that start late follow each other without a gap")
{
	struct capture capture;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_join_options options = {
	    .how = ANIM_JOIN_APPEND, .store_memory = 1 << 16, .diagnostics = &diagnostics};
	struct anim_sink *sink = anim_join_new(&options, capture_sink(&capture), NULL);
	struct anim_clip clip = walk;

	clip.start_s = 0.5f;
	clip.end_s = 2;
	for (int i = 0; i < 3; i++) {
		anim_join_begin(sink, "a");
		CHECK(anim_sink_clip(sink, &clip, NULL) == 0);
	}
	CHECK(anim_sink_end(sink, NULL) == 0);
	CHECK(capture.clip_count == 1 && capture.clip.start_s == 0.5f && capture.clip.end_s == 5);
	anim_sink_free(sink);
	capture_clear(&capture);
	anim_diagnostics_clear(&diagnostics);
}
