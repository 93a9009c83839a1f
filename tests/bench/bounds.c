/*
 * bounds.c: bench_bounds STREAM [N]: converts each curve of a stream, or one of N, for every target, and plays source and result beside each
 * other: at 100,000 points a second (fewer of long clips), and at points ever nearer to each key. Prints a row for each track:
 * the error that was reported, but for moments; the error that was seen, but for moments (those that the points of 40 microseconds
 * do not all have); target, clip, node, property. What a target shows of a jump up to its player's tolerance sooner or later is
 * left out, and so are tracks that change their meaning on the way (units, rests) or were joined of components.
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/source.h"
#include "filter/common/components.h"
#include "filter/convert/convert.h"
#include "format/animj/animj.h"
#include "format/animx/animx.h"
#include "format/gltf/gltf.h"
#include "format/godot/godot.h"
#include "format/unity/unity.h"
#include "math/elementary.h"
#include "stream/stream.h"

#define RATE 1e5
#define POINTS 100000.0 /* of a track, at most */
#define MOMENT 5        /* points */
#define UNITS (ANIM_REST_RELATIVE | ANIM_PERCENT)

static const struct anim_caps *const targets[] = {&anim_animj_caps, &anim_animx_caps, &anim_gltf_caps,
						  &anim_unity_caps, &anim_godot_caps, &anim_godot3_caps};

/* One track beside what it became. */
struct look {
	struct anim_source source;
	const struct anim_clip *clip;
	const struct anim_track *target;
	struct anim_sample_state state;
	int component; /* of the source, which the target holds alone; -1: whole */
	bool godot, floats, degrees;
	struct anim_buffer jumps; /* double: time, how far, how near */
	size_t jump;
	double worst, at_s, lasting, row[MOMENT];
	size_t count;
};

struct judge {
	struct anim_sink sink, collector;
	struct anim_arena arena;
	struct anim_clip clip;
	const struct anim_caps *caps;
	const struct anim_track *track;
	struct look looks[16]; /* of the tracks that the one at hand became */
	size_t count, number, stride;
};

static void fail(const struct anim_error *error)
{
	fprintf(stderr, "bench_bounds: %s\n", error->message);
	exit(2);
}

static double apart(const struct look *look, const double *a, const double *b)
{
	const struct anim_type_info *type = &anim_types[look->target->type];
	double off = 0, turn = 0;
	float p[4], q[4];

	if (type->quaternion) {
		for (int i = 0; i < 4; i++) {
			p[i] = (float)a[i];
			q[i] = (float)b[i];
		}
		off = anim_quat_angle(p, q) * (180 / ANIM_PI);
		return off == off ? off : 0;
	}
	for (unsigned i = 0; i < type->components; i++) {
		double one = a[look->component < 0 ? i : (unsigned)look->component];

		if (look->degrees)
			turn = ANIM_TAU * rint((one - b[i]) / ANIM_TAU);
		off = fmax(off, fabs(one - b[i] - turn));
	}
	return look->degrees ? off * (180 / ANIM_PI) : off;
}

/* Of a jump alone. */
static bool is_jump(struct look *look, double t, double off)
{
	const double *jumps = (const double *)(const void *)look->jumps.data;
	size_t n = look->jumps.size / sizeof(double) / 3;

	while (look->jump > 0 && jumps[3 * look->jump - 3] + jumps[3 * look->jump - 1] >= t)
		look->jump--;
	while (look->jump < n && jumps[3 * look->jump] + jumps[3 * look->jump + 2] < t)
		look->jump++;
	return look->jump < n && fabs(t - jumps[3 * look->jump]) <= jumps[3 * look->jump + 2] &&
	       off <= 1.02 * jumps[3 * look->jump + 1];
}

static bool is_key(const struct anim_track *track, double t)
{
	ptrdiff_t k = anim_find_key(track->time, track->n, t + 1e-12);

	return k >= 0 && fabs((double)track->time[k] - t) <= 0x1p-39 * fmax(1, fabs(t));
}

static double error_at(struct look *look, double t)
{
	double real[1][ANIM_COMPONENTS_MAX] = {{0}}, shown[ANIM_COMPONENTS_MAX], off;
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	struct anim_error error = {0};
	uint8_t present;

	if (is_key(look->target, t) || is_key(anim_source_first(&look->source), t))
		return 0;
	if (anim_source_sample(&look->source, &t, 1, real, &error) != 0 ||
	    anim_sample(look->clip, look->target, &t, 1, value, &present, &look->state, &error) != 0)
		fail(&error);
	anim_components(look->target->type, value, 0, shown);
	off = present ? apart(look, real[0], shown) : 0;
	return look->godot && is_jump(look, t, off) ? 0 : off;
}

static double look_at(struct look *look, double t)
{
	double off;

	if (look->floats)
		t = (double)(float)t;
	if (t < (double)look->clip->start_s || t > (double)look->clip->end_s)
		return 0;
	off = error_at(look, t);
	if (off > look->worst) {
		look->worst = off;
		look->at_s = t;
	}
	return off;
}

/* Ever nearer to each key from both sides. */
static void look_beside(struct look *look, const struct anim_track *keys)
{
	for (size_t k = 0; k < keys->n && k < 20000; k++) {
		double at = (double)keys->time[k], size = fmax(1, fabs(at));

		for (double way = 1e-9; way < 2e-4; way *= 2) {
			look_at(look, at - way * size);
			look_at(look, at + way * size);
		}
		for (int i = -3; i <= 3; i++) /* where Godot's player begins and ends to show the key */
			look_at(look, at - size * 1e-5 * (1 + 1e-3 * i)),
			    look_at(look, at + size * 1e-5 * (1 + 1e-3 * i));
	}
}

static void look_evenly(struct look *look)
{
	double from = (double)look->clip->start_s, length = (double)look->clip->end_s - from;
	double count = ceil(fmin(length * RATE, POINTS));

	for (double i = 0; i <= count; i++) {
		double least;

		look->row[look->count++ % MOMENT] = look_at(look, from + length * i / fmax(count, 1));
		least = look->row[0];
		for (int k = 1; k < MOMENT; k++)
			least = fmin(least, look->row[k]);
		if (look->count >= MOMENT)
			look->lasting = fmax(look->lasting, least);
	}
}

/* Where the source jumps, and players that take times for a key's may show it sooner or later. */
static void find_jumps(struct look *look)
{
	const struct anim_track *track = anim_source_first(&look->source);
	bool godot = anim_rules_are_godot(track->rules);

	for (size_t k = 0; k < track->n; k++) {
		double at = (double)track->time[k], size = fmax(1, fabs(at)), v[2][ANIM_COMPONENTS_MAX] = {{0}};
		double own = godot ? 1.002e-5 * size : 3e-7 * size, t[2] = {at - own, at + own},
		       jump[3] = {at, 0, 1.002e-5 * size};
		bool near = (k > 0 && at - (double)track->time[k - 1] < 2 * own) ||
			    (k + 1 < track->n && (double)track->time[k + 1] - at < 2 * own) ||
			    (k > 0 && anim_track_interp(track, k - 1) == ANIM_HOLD);
		struct anim_error error = {0};

		if (godot && !near)
			continue;
		if (anim_source_sample(&look->source, t, 2, v, &error) != 0)
			fail(&error);
		jump[1] = apart(look, v[0], (double[ANIM_COMPONENTS_MAX]){0});
		for (unsigned i = 0; look->component >= 0 && i < 1; i++)
			v[1][0] = v[1][look->component];
		jump[1] = apart(look, v[0], v[1]);
		if (anim_buffer_append(&look->jumps, jump, sizeof jump, &error) != 0)
			fail(&error);
	}
}

static bool becomes_rotation(const struct anim_track *from, const struct anim_track *to)
{
	return anim_types[to->type].quaternion &&
	       ((strcmp(from->property, "euler") == 0 && anim_types[from->type].components == 3 &&
		 from->component == ANIM_WHOLE) ||
		(strcmp(from->property, "angle") == 0 && anim_types[from->type].components == 1));
}

/* False where what it became is not to be compared with it. */
static bool prepare(struct look *look, const struct anim_clip *clip, const struct anim_track *from,
		    const struct anim_track *to, enum anim_rules rules)
{
	bool rotation = becomes_rotation(from, to);
	bool whole = anim_types[to->type].components == anim_types[from->type].components;

	memset(look, 0, sizeof *look);
	if (to->kind != ANIM_CURVE || !anim_type_is_real(to->type) || ((from->flags ^ to->flags) & UNITS) ||
	    (!rotation && strcmp(from->property, to->property) != 0) ||
	    (!rotation && !whole && !(anim_types[to->type].components == 1 && to->component != ANIM_WHOLE)))
		return false;
	look->clip = clip;
	look->target = to;
	look->component = rotation || whole ? -1 : to->component;
	look->godot = anim_rules_are_godot(rules) || anim_rules_are_godot(from->rules);
	look->floats = rules == ANIM_RULES_UNITY || rules == ANIM_RULES_GODOT3 || from->rules == ANIM_RULES_UNITY ||
		       from->rules == ANIM_RULES_GODOT3;
	look->degrees = !rotation && (strcmp(to->property, "euler") == 0 || strcmp(to->property, "angle") == 0);
	look->source =
	    (struct anim_source){.clip = clip,
				 .tracks = {from},
				 .count = 1,
				 .order = (enum anim_euler_order)anim_track_order(from),
				 .radians = rotation || ((from->flags & ANIM_DEGREES) && !(to->flags & ANIM_DEGREES)),
				 .unit_length = anim_types[to->type].quaternion && from->rules == ANIM_RULES_GODOT3,
				 .step = !rotation                  ? ANIM_STEP_KEEP
					 : from->property[0] == 'e' ? ANIM_STEP_EULER
								    : ANIM_STEP_ANGLE};
	look->degrees = look->degrees && !(to->flags & ANIM_DEGREES);
	anim_source_open(&look->source, NULL);
	return true;
}

static int collect(struct anim_sink *sink, const struct anim_track *out, struct anim_error *error)
{
	struct judge *judge = (struct judge *)(void *)((char *)sink - offsetof(struct judge, collector));
	struct look *look = &judge->looks[judge->count];

	(void)error;
	if (out->value == judge->track->value || judge->count == 16 ||
	    !prepare(look, &judge->clip, judge->track, out, judge->caps->rules))
		return 0;
	find_jumps(look);
	look_evenly(look);
	look_beside(look, judge->track);
	look_beside(look, out);
	anim_source_close(&look->source);
	anim_sample_state_clear(&look->state);
	anim_buffer_clear(&look->jumps);
	judge->count++;
	return 0;
}

static void keep(struct anim_sink *sink)
{
	(void)sink;
}

/* All tracks of one are told together: the largest of all. */
static void print(const struct judge *judge, const struct anim_diagnostics *diagnostics, const char *format)
{
	double worst = 0, lasting = 0, told = 0, moments = 0, at_s = 0, peak_s = 0;

	for (size_t i = 0; i < judge->count; i++) {
		at_s = judge->looks[i].worst > worst ? judge->looks[i].at_s : at_s;
		worst = fmax(worst, judge->looks[i].worst);
		lasting = fmax(lasting, judge->looks[i].lasting);
	}
	for (size_t i = 0; i < diagnostics->count; i++) {
		moments = fmax(moments, diagnostics->items[i].worst);
		told = fmax(told, fmax(diagnostics->items[i].worst, diagnostics->items[i].peak));
		peak_s = fmax(peak_s, diagnostics->items[i].peak_s);
	}
	if (judge->count > 0)
		printf("%.6g %.6g %.3g %.6g %.6g %.9g %s %s '%s' '%s'\n", told, moments, peak_s, worst, lasting, at_s,
		       format, anim_rules_names[judge->track->rules], judge->track->node, judge->track->property);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.track = collect, .free = keep};
	struct judge *judge = (struct judge *)sink;

	if (judge->number++ % judge->stride != 0)
		return 0;
	if (track->n < 2 || track->kind != ANIM_CURVE || !anim_type_is_real(track->type) ||
	    (track->flags & (ANIM_UNSORTED | ANIM_DISABLED)))
		return 0;
	judge->track = track;
	judge->collector.ops = &ops;
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		struct anim_diagnostics diagnostics = {0};
		struct anim_sink *convert =
		    anim_convert_new(targets[i], ANIM_TOLERANCE, false, &diagnostics, &judge->collector, error);

		judge->caps = targets[i];
		judge->count = 0;
		if (convert == NULL || anim_sink_clip(convert, &judge->clip, error) != 0 ||
		    anim_sink_track(convert, track, error) != 0 || anim_sink_end(convert, error) != 0)
			fail(error);
		print(judge, &diagnostics, targets[i] == &anim_godot3_caps ? "godot3" : targets[i]->format);
		anim_sink_free(convert);
		anim_diagnostics_clear(&diagnostics);
	}
	return 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct judge *judge = (struct judge *)sink;

	anim_arena_reset(&judge->arena);
	return anim_clip_copy(&judge->clip, clip, &judge->arena, error);
}

int main(int argc, char **argv)
{
	static const struct anim_sink_ops ops = {.clip = on_clip, .track = on_track};
	static struct judge judge = {.sink = {.ops = &ops}};
	struct anim_stream_reader *reader = NULL;
	struct anim_input *input = NULL;
	struct anim_error error = {0};

	judge.stride = argc > 2 ? (size_t)atoi(argv[2]) : 1;
	if (argc < 2 || judge.stride == 0 || anim_input_open(&input, argv[1], NULL, &error) != 0 ||
	    anim_stream_reader_new(&reader, input, &error) != 0 || anim_stream_pump(reader, &judge.sink, &error) != 0)
		fail(&error);
	anim_stream_reader_free(reader);
	anim_input_close(input);
	anim_arena_clear(&judge.arena);
	return 0;
}
