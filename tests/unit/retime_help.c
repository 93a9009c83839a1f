/* retime_help.c: tracks made by a seed, retimed, and played before and after. */
#include "retime_help.h"

#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "filter/convert/convert.h"
#include "math/quaternion.h"
#include "tap.h"

double retime_uniform(struct retime_maker *m, double low, double high)
{
	m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(m->seed >> 40) / (double)(1 << 24);
}

unsigned retime_pick(struct retime_maker *m, unsigned count)
{
	return (unsigned)retime_uniform(m, 0, count) % count;
}

static void make_values(struct retime_maker *m, unsigned components)
{
	for (unsigned k = 0; k < RETIME_KEYS; k++) {
		float *v = m->value + k * components;

		for (unsigned i = 0; i < components; i++) {
			v[i] = (float)retime_uniform(m, -2, 2) + (components == 4 && i == 3 ? 3.0f : 0.0f);
			m->left[k * components + i] = (float)retime_uniform(m, -3, 3);
			m->right[k * components + i] = (float)retime_uniform(m, -3, 3);
			m->left_x[k * components + i] = (float)retime_uniform(m, 0.1, 0.7);
			m->right_x[k * components + i] = (float)retime_uniform(m, 0.1, 0.7);
		}
		if (components == 4)
			anim_quat_normalize(v, v);
	}
}

/* Handles of Bezier tracks in seconds, none longer than a segment. */
static void make_handles(struct retime_maker *m)
{
	for (unsigned k = 0; k < RETIME_KEYS; k++) {
		m->left_x[k] *= k > 0 ? m->time[k - 1] - m->time[k] : 0;
		m->right_x[k] *= k + 1 < RETIME_KEYS ? m->time[k + 1] - m->time[k] : 0;
	}
}

void retime_make(struct retime_maker *m, uint64_t seed, enum anim_rules rules, enum anim_interp mode,
		 enum anim_type type)
{
	static const struct anim_clip clip = {.name = "c", .root = ".", .source = "x", .start_s = 0.5f, .end_s = 9};
	bool godot = rules == ANIM_RULES_GODOT4 || rules == ANIM_RULES_GODOT3;
	unsigned components = anim_types[type].components;
	float t = (float)(godot ? 0.5 : 1.25);

	memset(m, 0, sizeof *m);
	m->seed = seed * 7919 + 1;
	m->clip = clip;
	for (unsigned k = 0; k < RETIME_KEYS; k++) {
		m->time[k] = t;
		t += (float)retime_uniform(m, 0.3, 1.2);
		m->ease[k] = 1;
		m->weighted[k] = (uint8_t)retime_pick(m, 4);
	}
	make_values(m, components);
	if (mode == ANIM_BEZIER_2D)
		make_handles(m);
	m->track = (struct anim_track){.kind = ANIM_CURVE,
				       .type = type,
				       .rules = rules,
				       .node = "A",
				       .property = "p",
				       .component = ANIM_WHOLE,
				       .interp = (uint8_t)mode,
				       .n = RETIME_KEYS,
				       .time = m->time,
				       .value = m->value};
	if (mode >= ANIM_TANGENT && mode <= ANIM_BEZIER_2D) {
		m->track.left = m->left;
		m->track.right = m->right;
	}
	if (mode == ANIM_WEIGHTED || mode == ANIM_BEZIER_2D) {
		m->track.left_x = m->left_x;
		m->track.right_x = m->right_x;
		m->track.weighted = mode == ANIM_WEIGHTED ? m->weighted : NULL;
	}
}

void retime_run(struct retime_result *r, struct anim_retime_options options, const struct anim_clip *clip,
		const struct anim_track *track)
{
	struct anim_error error = {0};
	struct anim_sink *filter;

	memset(&r->diagnostics, 0, sizeof r->diagnostics);
	options.diagnostics = &r->diagnostics;
	if (!(options.tol > 0))
		options.tol = ANIM_TOLERANCE;
	filter = anim_retime_new(&options, capture_sink(&r->capture), &error);
	CHECKF(anim_sink_clip(filter, clip, &error) == 0 && anim_sink_track(filter, track, &error) == 0 &&
		   anim_sink_end(filter, &error) == 0,
	       "%s", error.message);
	CHECKF(anim_track_validate(&r->capture.tracks[0], &error) == 0, "%s", error.message);
	CHECK(anim_clip_validate(&r->capture.clip, false, NULL) == 0);
	anim_sink_free(filter);
}

void retime_finish(struct retime_result *r)
{
	capture_clear(&r->capture);
	anim_diagnostics_clear(&r->diagnostics);
}

static bool sample(const struct anim_clip *clip, const struct anim_track *track, double t,
		   double out[ANIM_COMPONENTS_MAX])
{
	struct anim_sample_state state = {0};
	struct anim_track one = *track;
	struct anim_error error = {0};
	double value[16];
	uint8_t present = 0;

	CHECKF(anim_sample(clip, track, &t, 1, value, &present, &state, &error) == 0, "%s", error.message);
	one.value = value;
	memset(out, 0, ANIM_COMPONENTS_MAX * sizeof *out);
	if (present)
		anim_components(one.type, one.value, 0, out);
	anim_sample_state_clear(&state);
	if (anim_types[track->type].quaternion && present)
		anim_normalize(out);
	return present;
}

/* A player may take a time that is near a key as the key's. */
static double nearness(const struct anim_track *track, double t)
{
	bool godot = track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_GODOT3;

	return (godot ? 4e-5 : 1e-6) * fmax(1, fabs(t));
}

/* How far a value lies outside of what the source shows just around t. */
static double outside(const struct anim_clip *clip, const struct anim_track *track, double t, const double *got)
{
	double v[3][ANIM_COMPONENTS_MAX], worst = 0, near_s = nearness(track, t);

	for (int i = 0; i < 3; i++)
		if (!sample(clip, track, t + (i - 1) * near_s, v[i]))
			return 0;
	for (unsigned component = 0; component < anim_types[track->type].components; component++) {
		double low = fmin(v[0][component], fmin(v[1][component], v[2][component]));
		double high = fmax(v[0][component], fmax(v[1][component], v[2][component]));

		worst = fmax(worst, fmax(low - got[component], got[component] - high));
	}
	return worst;
}

/* So near to a key Godot's player may begin the segment there too early, and runs past the key the wrong way. */
static bool is_near_key(const struct anim_track *track, double t)
{
	bool godot = track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_GODOT3;

	for (size_t k = 0; godot && k < track->n; k++)
		if (fabs((double)track->time[k] - t) < 2e-5 * fmax(1, fabs(t)))
			return true;
	return false;
}

/* The largest difference at 500 times of the range; `scale` seconds become of one, backwards where negative. */
double retime_compare(const struct anim_clip *clip, const struct anim_track *track, const struct retime_result *r,
		      double from, double to, double scale)
{
	const struct anim_clip *out = &r->capture.clip;
	double worst = 0;

	for (int i = 0; i < 500; i++) {
		double t = from + (to - from) * (i + 0.37) / 500, got[ANIM_COMPONENTS_MAX], off;
		double at = (double)out->start_s + (scale > 0 ? t - from : t - to) * scale;

		if (is_near_key(&r->capture.tracks[0], at) || !sample(out, &r->capture.tracks[0], at, got))
			continue;
		off = outside(clip, track, t, got);
		if (anim_types[track->type].quaternion) {
			for (int component = 0; component < 4; component++)
				got[component] = -got[component];
			off = fmin(off, outside(clip, track, t, got));
		}
		worst = fmax(worst, off);
	}
	return worst;
}

/* What is cut, turned and hurried, in every mixture. */
void retime_check_all(struct retime_maker *m, double tolerance, const char *name)
{
	for (unsigned i = 0; i < 8; i++) {
		double from = retime_uniform(m, 0.6, 4), to = retime_uniform(m, 4.5, 8.9), scale;
		struct anim_time_range part = {.given = true};
		struct anim_retime_options options = {.ranges = &part, .range_count = i & 1, .reverse = (i & 2) != 0};
		struct retime_result r;
		double worst;

		part.from = from = i & 1 ? (double)(float)from : (double)m->clip.start_s;
		part.to = to = i & 1 ? (double)(float)to : (double)m->clip.end_s;
		options.speed_num = i & 4 ? 3 : 0;
		options.speed_den = i & 4 ? 2 : 0;
		scale = (i & 4 ? 2.0 / 3 : 1) * (options.reverse ? -1 : 1);
		retime_run(&r, options, &m->clip, &m->track);
		worst = retime_compare(&m->clip, &m->track, &r, from, to, scale);
		CHECKF(worst <= tolerance, "%s seed %u, way %u: %g off", name, (unsigned)m->seed, i, worst);
		retime_finish(&r);
	}
}
