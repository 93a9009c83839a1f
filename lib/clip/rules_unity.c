/* rules_unity.c: Unity's AnimationCurve: ends by m_PreInfinity and m_PostInfinity, every lane a curve of its own. */
#include <math.h>

#include "clip/blend.h"

static void prepare(struct anim_sampler *s)
{
	anim_rules_plain.prepare(s);
}

/*
 * At a key's very time what follows counts: at the last key of a curve that repeats, the first. Rotations are normalised
 * at their outermost keys and beyond them too, so those do not count as mere keys.
 */
static bool locate(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;

	if (track->after == ANIM_ENDS_LOOP && track->n > 1 && t == anim_track_time(track, track->n - 1))
		t = anim_track_time(track, 0);
	if (!anim_rules_plain.locate(s, t, segment))
		return false;
	segment->hold = segment->hold && !anim_types[track->type].quaternion;
	return true;
}

/* Curves of quaternions are four curves, then normalised; the signs of the keys stay, and a flip between them swings. */
static void blend_linear(const struct anim_track *track, const struct anim_segment *segment, double out[ANIM_LANES_MAX])
{
	double to[ANIM_LANES_MAX];

	anim_value_load(track, segment->from, out);
	anim_value_load(track, segment->to, to);
	for (unsigned i = 0; i < 4; i++)
		out[i] += (to[i] - out[i]) * segment->weight;
	anim_normalize(out);
}

static int blend(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		 struct anim_error *error)
{
	double lanes[ANIM_LANES_MAX];

	if (mode != ANIM_LINEAR || !anim_types[s->track->type].quaternion)
		return anim_rules_plain.blend(s, mode, segment, out, error);
	blend_linear(s->track, segment, lanes);
	anim_value_store(s->track->type, lanes, out);
	return 0;
}

const struct anim_rules_ops anim_rules_unity = {prepare, locate, blend};
