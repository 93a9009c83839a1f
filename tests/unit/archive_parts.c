/* archive_parts.c: parts in time: the same by the index and out of the stream, with the values of the whole. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "archive_subject.h"
#include "axs.h"
#include "clip/keys.h"
#include "clip/sample.h"
#include "clip/span.h"
#include "stream/archive.h"
#include "tap.h"

/* Columns for tracks of many keys, the same numbers each time. */
#define KEYS 20000
struct columns {
	float time[KEYS], value[KEYS * 4], left[KEYS * 4], right[KEYS * 4], left_x[KEYS * 4], right_x[KEYS * 4];
	uint8_t interps[KEYS], weighted[KEYS];
	uint32_t length[KEYS];
	uint64_t start[KEYS];
	char text[KEYS * 3];
	struct anim_strings strings;
};

static struct columns *new_columns(void)
{
	struct columns *c = calloc(1, sizeof *c);
	uint32_t random = 1;

	for (size_t i = 0; i < KEYS; i++) {
		random = random * 1664525u + 1013904223u;
		/* here and there several keys at one time */
		c->time[i] = i % 50 == 7 ? c->time[i - 1] : (float)((double)i + (random >> 28) * 0.05) / 25;
		c->interps[i] = (uint8_t)(i % 5 == 0 ? ANIM_HOLD : i % 3 == 0 ? ANIM_CUBIC_TIME : ANIM_LINEAR);
		c->weighted[i] = (uint8_t)(random >> 30);
		c->length[i] = i % 11 == 0 ? ANIM_NULL_STRING : i % 4;
		c->start[i] =
		    i == 0 ? 0 : c->start[i - 1] + (c->length[i - 1] == ANIM_NULL_STRING ? 0 : c->length[i - 1]);
		for (size_t component = 0; component < 4; component++) {
			random = random * 1664525u + 1013904223u;
			c->value[4 * i + component] =
			    (float)(i % (300 + 70 * component)) / 64 - (float)(random >> 24) / 8192;
			c->left[4 * i + component] = (float)(random >> 26) - 31;
			c->right[4 * i + component] = (float)(random >> 25 & 31) - 11;
			c->left_x[4 * i + component] = -(float)(random >> 27) / 4096;
			c->right_x[4 * i + component] = (float)(random >> 27) / 4096;
		}
	}
	c->time[8191] = c->time[8192] = 327.7F; /* over the border of two blocks */
	memset(c->text, 'x', sizeof c->text);
	c->strings = (struct anim_strings){c->length, c->start, c->text,
					   c->start[KEYS - 1] +
					       (c->length[KEYS - 1] == ANIM_NULL_STRING ? 0 : c->length[KEYS - 1])};
	return c;
}

static struct anim_track curve_of(const struct columns *c, enum anim_rules rules, enum anim_type type,
				  enum anim_interp interp, size_t n)
{
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = type,
				   .rules = rules,
				   .node = "Arm",
				   .property = anim_interp_names[interp == ANIM_INTERP_COLUMN ? 0 : interp],
				   .component = ANIM_WHOLE,
				   .interp = (uint8_t)interp,
				   .n = n,
				   .time = c->time,
				   .value = c->value};

	if (interp == ANIM_INTERP_COLUMN)
		track.interps = c->interps;
	if (interp >= ANIM_TANGENT && interp <= ANIM_BEZIER_2D) {
		track.left = c->left;
		track.right = c->right;
	}
	if (interp == ANIM_WEIGHTED || interp == ANIM_BEZIER_2D) {
		track.left_x = c->left_x;
		track.right_x = c->right_x;
	}
	if (interp == ANIM_WEIGHTED)
		track.weighted = c->weighted;
	return track;
}

/* All tracks of the tests; those that follow the clip come last. Returns how many, *local: before those. */
static size_t make_tracks(const struct columns *c, struct anim_track tracks[40], size_t *local)
{
	static const struct {
		enum anim_rules rules;
		enum anim_type type;
		enum anim_interp interp;
		size_t n;
	} rows[] = {{ANIM_RULES_PLAIN, ANIM_FLOAT3, ANIM_LINEAR, KEYS},
		    {ANIM_RULES_PLAIN, ANIM_FLOAT, ANIM_CUBIC_TIME, KEYS},
		    {ANIM_RULES_PLAIN, ANIM_FLOAT2, ANIM_CUBIC_UNIFORM, 9000},
		    {ANIM_RULES_PLAIN, ANIM_FLOAT, ANIM_CUBIC_ANGLE, 300},
		    {ANIM_RULES_PLAIN, ANIM_FLOATQ, ANIM_INTERP_COLUMN, KEYS},
		    {ANIM_RULES_PLAIN, ANIM_FLOAT, ANIM_HOLD, 8192},
		    {ANIM_RULES_PLAIN, ANIM_FLOAT, ANIM_BEZIER_2D, 8193},
		    {ANIM_RULES_UNITY, ANIM_FLOAT3, ANIM_HERMITE, KEYS},
		    {ANIM_RULES_UNITY, ANIM_FLOAT, ANIM_WEIGHTED, 16384},
		    {ANIM_RULES_UNITY, ANIM_FLOATQ, ANIM_LINEAR, 9000},
		    {ANIM_RULES_RESONITE, ANIM_FLOAT3, ANIM_LINEAR, KEYS},
		    {ANIM_RULES_RESONITE, ANIM_FLOAT, ANIM_TANGENT, 9000},
		    {ANIM_RULES_RESONITE, ANIM_FLOAT3, ANIM_CUBIC_BEZIER, 9000},
		    {ANIM_RULES_RESONITE, ANIM_FLOAT, ANIM_HOLD, 9000},
		    {ANIM_RULES_PLAIN, ANIM_FLOAT, ANIM_LINEAR, 1},
		    {ANIM_RULES_PLAIN, ANIM_FLOAT, ANIM_LINEAR, 0},
		    {ANIM_RULES_GODOT4, ANIM_FLOAT3, ANIM_LINEAR, KEYS},
		    {ANIM_RULES_GODOT4, ANIM_FLOAT, ANIM_HOLD, 600},
		    {ANIM_RULES_GODOT4, ANIM_FLOAT, ANIM_BEZIER_2D, 600},
		    {ANIM_RULES_GODOT3, ANIM_FLOAT3, ANIM_LINEAR, 600},
		    {ANIM_RULES_GODOT4, ANIM_FLOAT3, ANIM_CUBIC_TIME, 600},
		    {ANIM_RULES_GODOT4, ANIM_FLOATQ, ANIM_CUBIC_TIME, 20},
		    {ANIM_RULES_GODOT4, ANIM_FLOAT, ANIM_INTERP_COLUMN, KEYS},
		    {ANIM_RULES_GODOT3, ANIM_FLOAT3, ANIM_CUBIC_UNIFORM, 600}};
	size_t count = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].rules == ANIM_RULES_GODOT4 && rows[i - 1].rules == ANIM_RULES_PLAIN) {
			struct anim_track raw = axs_raw(), texts = axs_strings();

			raw.type = ANIM_FLOAT3;
			raw.n = KEYS;
			raw.value = c->value;
			raw.start_s = 0.25;
			raw.rate_num = 30000;
			raw.rate_den = 1001;
			tracks[count++] = raw;
			raw.rate_num = raw.rate_den = 0;
			raw.step_s = 0.0407;
			raw.interp = ANIM_HOLD;
			raw.post = ANIM_EXTRAPOLATION_NONE;
			tracks[count++] = raw;
			raw.type = ANIM_STRING;
			raw.value = NULL;
			raw.strings = &c->strings;
			tracks[count++] = raw;
			raw.step_s = 0;
			tracks[count++] = raw;
			texts.n = KEYS;
			texts.time = c->time;
			texts.strings = &c->strings;
			tracks[count++] = texts;
			texts.property = "@method";
			tracks[count++] = texts;
			*local = count;
		}
		tracks[count++] = curve_of(c, rows[i].rules, rows[i].type, rows[i].interp, rows[i].n);
	}
	for (size_t i = 0; i < *local; i++) /* ends that repeat, where a part can do without the rest */
		if (i % 5 == 2 && tracks[i].post == ANIM_EXTRAPOLATION_HOLD)
			tracks[i].pre = tracks[i].post = i % 2 ? ANIM_EXTRAPOLATION_LOOP : ANIM_EXTRAPOLATION_PINGPONG;
	return count;
}

static struct anim_clip long_clip(void)
{
	struct anim_clip clip = axs_clip();

	clip.start_s = -1;
	clip.end_s = 900;
	return clip;
}

/* All tracks in one archive. */
static void subject_make(struct subject *subject, const struct anim_track *tracks, size_t count)
{
	static const struct anim_archive_writer_options options = {.jobs = 1};
	struct anim_clip clip = long_clip();
	struct anim_error error = {0};
	struct anim_output *output = NULL;
	struct anim_sink *sink;
	const uint8_t *bytes;
	size_t size;

	memset(subject, 0, sizeof *subject);
	archive_file_new(&subject->file);
	if (!CHECK(anim_output_open_memory(&output, &error) == 0) ||
	    !CHECK((sink = anim_archive_writer_new(output, &options, &error)) != NULL))
		return;
	CHECK(anim_sink_clip(sink, &clip, &error) == 0);
	for (size_t i = 0; i < count; i++)
		CHECKF(anim_sink_track(sink, &tracks[i], &error) == 0, "track %zu: %s", i, error.message);
	CHECKF(anim_sink_end(sink, &error) == 0, "%s", error.message);
	anim_sink_free(sink);
	bytes = anim_output_memory(output, &size);
	anim_buffer_append(&subject->bytes, bytes, size, NULL);
	anim_output_free(output);
	CHECK(archive_file_set(&subject->file, subject->bytes.data, subject->bytes.size));
}

/* Parts of long_clip: at block borders, on keys, between them, beyond the keys, outside the clip, a moment. */
static const double parts[][2] = {
    {12, 14.5},  {0, 0},    {327.6, 327.8}, {327.68, 327.68}, {-1, -0.5}, {-3, 3},       {655.3, 655.4}, {799.9, 801},
    {850, 2000}, {0.25, 1}, {333.33, 400},  {12.04, 12.04},   {-5, 1000}, {340, 340.04}, {327.7F, 328},  {100, 700}};

TEST(archive_parts, "a part in time read by the index is byte for byte what is cut out of the whole stream")
{
	struct columns *c = new_columns();
	struct anim_track tracks[40];
	size_t local = 0, count = make_tracks(c, tracks, &local);
	struct subject subject;
	struct anim_error error = {0};

	subject_make(&subject, tracks, count);
	CHECKF(archive_check(subject.file.path, &error) == 0, "%s", error.message);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const struct anim_cut_options cut = {.range = {true, false, parts[i][0], parts[i][1]}};
		struct outcome outcome;

		read_both(&subject, &cut, &outcome);
		CHECKF(outcome.same, "%g..%g: %d %s, %d %s", parts[i][0], parts[i][1], outcome.index,
		       outcome.index_error.message, outcome.stream, outcome.stream_error.message);
	}
	subject_clear(&subject);
	free(c);
}

/* Values of the track at 200 times of the range, ends included; strings by address and length. */
struct sampled {
	union {
		double align;
		uint8_t bytes[200 * 16];
		struct anim_text text[200];
	} value;
	uint8_t present[200];
};

static bool sample(const struct anim_clip *clip, const struct anim_track *track, const struct anim_range *range,
		   struct sampled *sampled)
{
	struct anim_sample_state state = {0};
	double t[200], length = (double)range->end_s - (double)range->start_s;
	struct anim_error error = {0};
	bool good;

	memset(sampled, 0, sizeof *sampled);
	for (size_t i = 0; i < 200; i++)
		t[i] = fmin((double)range->start_s + length * (double)i / 199, (double)range->end_s);
	good = anim_sample(clip, track, t, 200, &sampled->value, sampled->present, &state, &error) == 0;
	good = CHECKF(good, "%s %s: %s", anim_rules_names[track->rules], track->property, error.message);
	anim_sample_state_clear(&state);
	return good;
}

TEST(span_values, "the span of a range has all values in it, bit for bit, and few keys")
{
	struct columns *c = new_columns();
	struct anim_track tracks[40];
	struct anim_clip clip = long_clip();
	size_t local = 0;

	make_tracks(c, tracks, &local);
	for (size_t i = 0; i < local * (sizeof parts / sizeof *parts); i++) {
		const struct anim_track *track = &tracks[i % local];
		const double *part = parts[i / local];
		struct anim_span span = {0, track->n};
		struct anim_span_counts counts;
		struct anim_strings strings;
		struct anim_range range;
		const struct anim_time_range asked = {true, false, part[0], part[1]};
		struct anim_clip cut = clip;
		struct anim_track out;
		struct sampled before, after;

		if (!CHECK(anim_range_of_clip(&range, &clip, &asked, NULL) == 1) || track->property[0] == '@' ||
		    (track->kind == ANIM_RAW && track->rate_num == 0 && track->step_s == 0))
			continue;
		cut.start_s = range.start_s;
		cut.end_s = range.end_s;
		if (track->kind == ANIM_RAW) {
			anim_span_of_raw(&span, track, &range);
		} else if (track->n > 0) {
			anim_span_count(&counts, track->time, track->n, &range);
			anim_span_of_keys(&span, track, &range, &counts, (double)track->time[0],
					  (double)track->time[track->n - 1]);
		}
		anim_track_part(&out, &strings, track, span.first, span.count);
		if (sample(&clip, track, &range, &before) && sample(&cut, &out, &range, &after))
			CHECKF(memcmp(&before, &after, sizeof before) == 0, "track %zu, %g..%g", i % local, part[0],
			       part[1]);
		if (part[1] - part[0] < 3 && track->pre == ANIM_EXTRAPOLATION_HOLD)
			CHECKF(out.n < 100, "track %zu, %g..%g: %zu keys", i % local, part[0], part[1], out.n);
	}
	free(c);
}

/* Takes the tracks that come out of a cut and compares them with the whole ones. */
struct compare {
	struct anim_sink sink;
	const struct anim_track *tracks; /* the next one */
	struct anim_clip clip, cut;
	double worst;
};

static int compare_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	(void)error;
	((struct compare *)sink)->cut = *clip;
	return 0;
}

/* True where the engine may take the time as a key's: its tolerance grows with the time since the clip's start. */
static bool is_near_key(const struct anim_track *track, double start_s, double t)
{
	double hair = 2e-5 * fmax(t - start_s, 1);
	size_t low = 0, high = track->n;

	while (low < high) { /* the first key that is not so far before it */
		size_t middle = low + (high - low) / 2;

		if ((double)track->time[middle] <= t - hair)
			low = middle + 1;
		else
			high = middle;
	}
	return low < track->n && (double)track->time[low] < t + hair;
}

static int compare_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct compare *compare = (struct compare *)sink;
	const struct anim_range range = {compare->cut.start_s, compare->cut.end_s};
	const struct anim_track *whole = compare->tracks++;
	size_t components = anim_types[track->type].components;
	struct sampled before, after;

	CHECKF(anim_track_validate(track, error) == 0, "%s", error->message);
	if (!sample(&compare->clip, whole, &range, &before) || !sample(&compare->cut, track, &range, &after))
		return 0;
	CHECKF(memcmp(before.present, after.present, sizeof before.present) == 0, "%s %s %g..%g: present",
	       anim_rules_names[track->rules], track->property, (double)range.start_s, (double)range.end_s);
	for (size_t i = 0; i < 200 * components; i++) {
		double length = (double)range.end_s - (double)range.start_s;
		float a, b;

		if (is_near_key(whole, (double)compare->clip.start_s,
				(double)range.start_s + length * (double)(i / components) / 199))
			continue;
		memcpy(&a, before.value.bytes + 4 * i, 4);
		memcpy(&b, after.value.bytes + 4 * i, 4);
		compare->worst = fmax(compare->worst, fabs((double)a - (double)b));
	}
	return 0;
}

static int compare_end(struct anim_sink *sink, struct anim_error *error)
{
	(void)sink;
	(void)error;
	return 0;
}

static void compare_free(struct anim_sink *sink)
{
	(void)sink;
}

/* Cuts one track; *warned tells whether the cut said that it changes it. The largest difference in the part. */
static double cut_one(const struct anim_track *track, const struct anim_clip *clip, const double part[2], bool *warned)
{
	static const struct anim_sink_ops ops = {
	    .clip = compare_clip, .track = compare_track, .end = compare_end, .free = compare_free};
	struct anim_diagnostics diagnostics = {0};
	struct anim_cut_options options = {.range = {true, false, part[0], part[1]}, .diagnostics = &diagnostics};
	struct compare compare = {.sink = {&ops}, .tracks = track, .clip = *clip};
	struct anim_error error = {0};
	struct anim_sink *cut = anim_cut_new(&options, &compare.sink, &error);

	CHECKF(anim_sink_clip(cut, clip, &error) == 0 && anim_sink_track(cut, track, &error) == 0, "%s", error.message);
	*warned = diagnostics.warnings > 0;
	anim_sink_free(cut);
	anim_diagnostics_clear(&diagnostics);
	return compare.worst;
}

/*
 * The tolerance: Godot's times count from the clip's start in float32, so a segment's weight moves by some 2^-24 of its
 * time, and a value by that of its step between two keys (at most 12 here).
 */
TEST(cut_godot, "a part of a track that ends with its clip keeps all values, or a warning says that it does not")
{
	struct columns *c = new_columns();
	struct anim_track tracks[40];
	struct anim_clip clip = long_clip();
	size_t local = 0, count = make_tracks(c, tracks, &local), warnings = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts * 3 * (count - local); i++) {
		struct anim_track track = tracks[local + i % (count - local)];
		const double *part = parts[i / (count - local) / 3];
		bool warned;
		double worst;

		clip.loop = (uint8_t)(i / (count - local) % 3);
		track.flags |= clip.loop != ANIM_LOOP_NONE ? ANIM_LOOP_WRAP_KEYS : 0;
		worst = cut_one(&track, &clip, part, &warned);
		CHECKF(warned || worst < 1e-4, "%s %s %g..%g, loop %u: %g off", anim_rules_names[track.rules],
		       track.property, part[0], part[1], clip.loop, worst);
		CHECKF(!warned || (track.interp != ANIM_LINEAR && track.interp != ANIM_HOLD), "%s warned of",
		       track.property);
		warnings += warned;
	}
	CHECKF(warnings > 10 && warnings < 300, "%zu warnings", warnings);
	free(c);
}
