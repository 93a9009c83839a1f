/* rules_resonite.c: Resonite's player: which keys a time lies between, and its blends. */
#include <string.h>

#include "clip/blend.h"
#include "math/cubic.h"

static void prepare(struct anim_sampler *s)
{
	s->usable = s->track->n;
	s->tolerance = 0x1p-1000;
}

/* How many keys lie before t: at the very time of a key the segment that ends there still counts. */
static size_t keys_before(const float *time, size_t n, double t)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((double)time[middle] < t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_under_cursor(const struct anim_sampler *s, double t)
{
	const float *time = s->track->time;
	size_t at = s->state->cursor;

	return (s->track->flags & ANIM_UNSORTED) == 0 && at + 1 < s->track->n && (double)time[at] < t &&
	       t <= (double)time[at + 1];
}

static bool locate(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;
	size_t before = is_under_cursor(s, t) ? s->state->cursor + 1 : keys_before(track->time, track->n, t);

	memset(segment, 0, sizeof *segment);
	if (track->n == 0)
		return false;
	segment->from = segment->to = before > 0 ? before - 1 : 0;
	segment->hold = before == 0 || before == track->n;
	if (segment->hold)
		return true;
	s->state->cursor = segment->from;
	segment->to = before;
	segment->duration = (double)track->time[before] - (double)track->time[segment->from];
	segment->weight = segment->duration > 0 ? (t - (double)track->time[segment->from]) / segment->duration : 1;
	return true;
}

/*
 * Quaternions: the lanes as they are, then normalised, the long way where the signs say so (what users see); the clip's
 * attribute chooses the other reading, the shortest slerp.
 */
static void blend_linear(const struct anim_sampler *s, const struct anim_segment *segment, double out[ANIM_LANES_MAX])
{
	const struct anim_type_info *info = &anim_types[s->track->type];
	const char *slerp = anim_attrs_get(&s->clip->attrs, "resonite.slerp");
	double from[ANIM_LANES_MAX], to[ANIM_LANES_MAX];

	anim_value_load(s->track, segment->from, from);
	anim_value_load(s->track, segment->to, to);
	if (!info->quaternion || (slerp != NULL && strcmp(slerp, "true") == 0)) {
		anim_blend_linear(s->track->type, from, to, segment->weight, out);
		return;
	}
	for (int i = 0; i < 4; i++)
		out[i] = from[i] + (to[i] - from[i]) * segment->weight;
	anim_normalize(out);
}

/* Elements' CubicLerp, the likeliest reading: a Hermite curve whose tangents are per segment, not per second. */
static void blend_tangent(const struct anim_track *track, const struct anim_segment *segment,
			  double out[ANIM_LANES_MAX])
{
	double from[ANIM_LANES_MAX], to[ANIM_LANES_MAX], leaving[ANIM_LANES_MAX], arriving[ANIM_LANES_MAX];
	struct anim_track tangents = *track;

	anim_value_load(track, segment->from, from);
	anim_value_load(track, segment->to, to);
	tangents.value = track->right;
	anim_value_load(&tangents, segment->from, leaving);
	tangents.value = track->left;
	anim_value_load(&tangents, segment->to, arriving);
	for (unsigned i = 0; i < anim_types[track->type].lanes; i++)
		out[i] = anim_hermite(from[i], leaving[i], to[i], arriving[i], 1, segment->weight);
	if (anim_types[track->type].quaternion)
		anim_normalize(out);
}

static int blend(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		 struct anim_error *error)
{
	const struct anim_track *track = s->track;
	double lanes[ANIM_LANES_MAX];

	if (track->type == ANIM_STRING || anim_types[track->type].scalar == ANIM_SCALAR_BOOL) {
		anim_value_copy(track, segment->weight < 0.5 ? segment->from : segment->to, out);
		return 0;
	}
	if (mode == ANIM_LINEAR)
		blend_linear(s, segment, lanes);
	else if (mode == ANIM_TANGENT)
		blend_tangent(track, segment, lanes);
	else if (mode != ANIM_CUBIC_BEZIER || !anim_blend_curve(track, mode, segment, lanes))
		return anim_rules_plain.blend(s, mode, segment, out, error);
	anim_value_store(track->type, lanes, out);
	return 0;
}

const struct anim_rules_ops anim_rules_resonite = {prepare, locate, blend};
