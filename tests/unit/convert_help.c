/* convert_help.c: one track through the conversion, and the result played beside the source. */
#include "convert_help.h"

#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/sample.h"
#include "math/quaternion.h"
#include "tap.h"

#define ALL_TYPES (((uint64_t)1 << ANIM_TYPE_COUNT) - 1)
#define MATRICES                                                                                      \
	((uint64_t)1 << ANIM_FLOAT2X2 | (uint64_t)1 << ANIM_FLOAT3X3 | (uint64_t)1 << ANIM_FLOAT4X4 | \
	 (uint64_t)1 << ANIM_DOUBLE2X2 | (uint64_t)1 << ANIM_DOUBLE3X3 | (uint64_t)1 << ANIM_DOUBLE4X4)

const struct anim_caps caps_resonite = {.format = "animj",
					.kinds = 7,
					.types = ALL_TYPES & ~MATRICES,
					.interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_CUBIC_BEZIER,
					.rules = ANIM_RULES_RESONITE,
					.mixed_interps = true,
					.raw_start = true,
					.continuous_rotations = true};

void convert_begin(struct convert_bench *b, const struct anim_caps *caps, const struct anim_clip *clip)
{
	bool strict = b->strict;

	memset(b, 0, sizeof *b);
	b->clip = *clip;
	b->filter =
	    anim_convert_new(caps, ANIM_TOLERANCE, strict, &b->diagnostics, capture_sink(&b->capture), &b->error);
	CHECK(b->filter != NULL);
}

void convert_add(struct convert_bench *b, const struct anim_track *track)
{
	if (b->capture.clip_count == 0 && !b->failed)
		b->failed = anim_sink_clip(b->filter, &b->clip, &b->error) != 0;
	if (!b->failed && anim_track_validate(track, &b->error) != 0)
		b->failed = true;
	if (!b->failed)
		b->failed = anim_sink_track(b->filter, track, &b->error) != 0;
}

void convert_finish(struct convert_bench *b)
{
	if (!b->failed)
		b->failed = anim_sink_end(b->filter, &b->error) != 0;
	anim_sink_free(b->filter);
	b->filter = NULL;
}

void convert_clear(struct convert_bench *b)
{
	capture_clear(&b->capture);
	anim_diagnostics_clear(&b->diagnostics);
}

double convert_told(const struct convert_bench *b)
{
	double worst = 0;

	for (size_t i = 0; i < b->diagnostics.count; i++)
		worst = fmax(worst, fmax(b->diagnostics.items[i].worst, b->diagnostics.items[i].peak));
	return worst;
}

double convert_lasting(const struct convert_bench *b)
{
	double worst = 0;

	for (size_t i = 0; i < b->diagnostics.count; i++)
		worst = fmax(worst, b->diagnostics.items[i].worst);
	return worst;
}

bool convert_tells(const struct convert_bench *b, const char *part)
{
	char text[700];

	for (size_t i = 0; i < b->diagnostics.count; i++) {
		anim_diagnostic_print(&b->diagnostics.items[i], text, sizeof text);
		if (strstr(text, part) != NULL)
			return true;
	}
	return false;
}

static bool is_near_key(const struct anim_track *t, double at)
{
	for (size_t k = 0; k < t->n; k++)
		if (fabs(at - (double)t->time[k]) < 3e-5 * fmax(1, fabs(at)))
			return true;
	return false;
}

static double deviation(enum anim_type type, const void *a, const void *b)
{
	double off = 0;
	float p[4], q[4];

	if (anim_types[type].quaternion) {
		memcpy(p, a, sizeof p);
		memcpy(q, b, sizeof q);
		return anim_quat_angle(p, q) * 57.29577951308232;
	}
	for (unsigned i = 0; i < anim_types[type].components; i++)
		off = fmax(off, fabs(anim_component(type, a, 0, i) - anim_component(type, b, 0, i)));
	return off;
}

double convert_compare(const struct convert_bench *b, const struct anim_track *source, size_t number, int points)
{
	const struct anim_track *track = &b->capture.tracks[number];
	struct anim_sample_state from = {0}, to = {0};
	_Alignas(16) uint8_t one[128], two[128];
	uint8_t present[2] = {1, 1};
	double worst = 0, length = (double)b->clip.end_s - (double)b->clip.start_s;

	for (int i = 0; i <= points; i++) {
		double t = (double)b->clip.start_s + length * i / points;

		if (is_near_key(source, t) && i != 0 && i != points)
			continue;
		CHECK(anim_sample(&b->clip, source, &t, 1, one, &present[0], &from, NULL) == 0);
		CHECK(anim_sample(&b->clip, track, &t, 1, two, &present[1], &to, NULL) == 0);
		if (present[0])
			worst = fmax(worst, present[1] ? deviation(source->type, one, two) : (double)INFINITY);
	}
	anim_sample_state_clear(&from);
	anim_sample_state_clear(&to);
	return worst;
}
