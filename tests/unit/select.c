/* select.c: which tracks count as constant, and which records pass with them. */
#include "filter/select.h"

#include <math.h>
#include <string.h>

#include "axs.h"
#include "capture.h"
#include "stream/record.h"
#include "tap.h"

static const float times[3] = {0, 1, 2};
static const float sevens[3] = {7, 7, 7};
static const float zeros[3] = {0, 0, 0};

static struct anim_track flat(enum anim_interp mode)
{
	return (struct anim_track){.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT,
				   .node = "A",
				   .property = "x",
				   .component = ANIM_WHOLE,
				   .interp = (uint8_t)mode,
				   .n = 3,
				   .time = times,
				   .value = sevens,
				   .left = zeros,
				   .right = zeros};
}

TEST(constant_values, "a track of equal values is constant, of others it is not, nor where NaN is among them")
{
	static const float other[3] = {7, 7, 8}, nan_value[3] = {NAN, NAN, NAN}, signs[3] = {0, -0.0f, 0};
	struct anim_track track = flat(ANIM_LINEAR);

	CHECK(anim_track_is_constant(&track));
	track.value = other;
	CHECK(!anim_track_is_constant(&track));
	track.n = 2;
	CHECK(anim_track_is_constant(&track));
	track.value = nan_value;
	CHECK(!anim_track_is_constant(&track));
	track.value = signs;
	CHECK(anim_track_is_constant(&track));
	track.n = 0;
	CHECK(anim_track_is_constant(&track));
}

TEST(constant_slopes, "a slope or handle that moves the value between equal keys makes it change")
{
	static const float rising[3] = {0, 1, 0}, stepping[3] = {0, INFINITY, 0}, outside[3] = {1, 0, 0};
	struct anim_track track = flat(ANIM_HERMITE);

	CHECK(anim_track_is_constant(&track));
	track.right = rising;
	CHECK(!anim_track_is_constant(&track));
	track.right = stepping;
	CHECK(anim_track_is_constant(&track));
	track.interp = ANIM_LINEAR;
	track.right = rising;
	CHECK(anim_track_is_constant(&track));
	track = flat(ANIM_BEZIER_2D);
	track.left = outside; /* of the first key: before the curve */
	CHECK(anim_track_is_constant(&track));
	track.right = outside;
	CHECK(!anim_track_is_constant(&track));
	track = flat(ANIM_CUBIC_BEZIER);
	CHECK(!anim_track_is_constant(&track));
	track.left = track.right = sevens;
	CHECK(anim_track_is_constant(&track));
}

TEST(constant_integers, "integers that a double cannot tell apart are told apart")
{
	static const int64_t large[2] = {INT64_C(9007199254740992), INT64_C(9007199254740993)};
	struct anim_track track = flat(ANIM_HOLD);

	track.type = ANIM_LONG;
	track.value = large;
	track.n = 2;
	track.left = track.right = NULL;
	CHECK(!anim_track_is_constant(&track));
	track.n = 1;
	CHECK(anim_track_is_constant(&track));
}

TEST(constant_texts, "texts are compared whole, null is not the empty text, and an event is never constant")
{
	static const uint32_t lengths[3] = {2, 2, 2}, null_and_empty[2] = {ANIM_NULL_STRING, 0};
	static const uint64_t starts[3] = {0, 2, 4};
	struct anim_strings strings = {lengths, starts, "ababac", 6};
	struct anim_track track = flat(ANIM_HOLD);

	track.kind = ANIM_DISCRETE;
	track.type = ANIM_STRING;
	track.strings = &strings;
	track.value = track.left = track.right = NULL;
	CHECK(!anim_track_is_constant(&track));
	track.n = 2;
	CHECK(anim_track_is_constant(&track));
	strings.length = null_and_empty;
	CHECK(!anim_track_is_constant(&track));
	track.n = 1;
	CHECK(anim_track_is_constant(&track));
	track.property = "@method";
	CHECK(!anim_track_is_constant(&track));
}

/* Counts records that pass, and whether a clip came before each. */
struct counter {
	struct capture capture;
	struct anim_sink_ops ops;
	unsigned records;
	size_t clips_at_record;
};

static int count_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct counter *counter = (struct counter *)sink;

	(void)record, (void)error;
	counter->records++;
	counter->clips_at_record = counter->capture.clip_count;
	return 0;
}

static struct anim_sink *counter_sink(struct counter *counter)
{
	struct anim_sink *sink = capture_sink(&counter->capture);

	counter->ops = *sink->ops;
	counter->ops.record = count_record;
	sink->ops = &counter->ops;
	counter->records = 0;
	return sink;
}

static int push_unknown(struct anim_sink *sink)
{
	static const uint64_t bytes[2] = {0x64636261, 0};
	struct anim_record record;

	anim_record_at((const uint8_t *)bytes, 0, &record);
	return anim_sink_record(sink, &record, NULL);
}

/* A clip, an unknown record, a track of this node, an unknown record, the end. */
static void run(struct counter *counter, const char *node, const char *pattern, struct anim_diagnostics *diagnostics)
{
	const char *const globs[1] = {pattern};
	struct anim_select_options options = {.nodes = {.globs = globs, .count = 1}, .diagnostics = diagnostics};
	struct anim_sink *sink = anim_select_new(&options, counter_sink(counter), NULL);
	struct anim_clip clip = axs_clip();
	struct anim_track track = axs_curve();

	track.node = node;
	clip.flags &= (uint8_t)~ANIM_IN_TREE;
	CHECK(anim_sink_clip(sink, &clip, NULL) == 0 && push_unknown(sink) == 0);
	CHECK(anim_sink_track(sink, &track, NULL) == 0 && push_unknown(sink) == 0);
	CHECK(anim_sink_end(sink, NULL) == 0);
	anim_sink_free(sink);
}

TEST(select_records, "unknown records pass behind the clip and the track they stand behind, or go with them")
{
	struct counter counter;
	struct anim_diagnostics diagnostics = {0};

	run(&counter, "Hand", "Hand", &diagnostics);
	CHECK(counter.capture.clip_count == 1 && counter.capture.track_count == 1);
	CHECK(counter.records == 2 && counter.clips_at_record == 1 && diagnostics.count == 0);
	capture_clear(&counter.capture);
	run(&counter, "Foot", "Hand", &diagnostics);
	CHECK(counter.capture.clip_count == 0 && counter.capture.track_count == 0 && counter.records == 0);
	CHECK(diagnostics.count == 1 && diagnostics.items[0].severity == ANIM_NOTE);
	capture_clear(&counter.capture);
	anim_diagnostics_clear(&diagnostics);
}

TEST(patterns_long_names, "a component's second name is matched however long the property is")
{
	static char property[1000], pattern[1004];
	const char *const globs[1] = {pattern};
	struct anim_patterns patterns;
	struct anim_track track = flat(ANIM_LINEAR);

	memset(property, 'p', sizeof property - 1);
	memcpy(pattern, property, sizeof property - 1);
	memcpy(pattern + sizeof property - 1, ".y", 3);
	track.property = property;
	track.component = 1;
	CHECK(anim_patterns_init(&patterns, globs, 1, false, NULL) == 0);
	CHECK(anim_patterns_fit_property(&patterns, &track));
	track.component = 2;
	CHECK(!anim_patterns_fit_property(&patterns, &track));
	anim_patterns_clear(&patterns);
}
