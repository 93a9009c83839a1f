/* sample_hermite.c: Hermite tracks of a few floats, without the look at types that every other blend takes. */
#include <math.h>
#include <string.h>

#include "clip/blend.h"
#include "math/cubic.h"

bool anim_sample_hermite_plays(const struct anim_sampler *s)
{
	const struct anim_track *track = s->track;
	enum anim_type type = track->type;

	if (s->rules != &anim_rules_unity && s->rules != &anim_rules_plain)
		return false;
	return track->kind == ANIM_CURVE && track->interp == ANIM_HERMITE &&
	       (type == ANIM_COLOR || (type >= ANIM_FLOAT && type <= ANIM_FLOATQ));
}

/* The columns of such a track. */
struct columns {
	const float *value, *left, *right;
	unsigned lanes;
	bool quaternion;
};

static void blend(const struct columns *c, const struct anim_segment *segment, float *out)
{
	const float *from = c->value + c->lanes * segment->from, *to = c->value + c->lanes * segment->to;
	const float *right = c->right + c->lanes * segment->from, *left = c->left + c->lanes * segment->to;
	double v[ANIM_LANES_MAX];

	for (unsigned i = 0; i < c->lanes; i++)
		v[i] = segment->from != segment->to && isfinite(right[i]) && isfinite(left[i])
			   ? anim_hermite((double)from[i], (double)right[i], (double)to[i], (double)left[i],
					  segment->duration, segment->weight)
			   : (double)from[i];
	if (c->quaternion)
		anim_normalize(v);
	anim_lanes_to_float(out, v, c->lanes);
}

void anim_sample_hermite(struct anim_sampler *s, const double *t, size_t count, float *out, uint8_t *present)
{
	const struct anim_track *track = s->track;
	const struct columns columns = {track->value, track->left, track->right, anim_types[track->type].lanes,
					anim_types[track->type].quaternion};
	struct anim_segment segment;

	s->neighbours = false;
	memset(&segment, 0, sizeof segment);
	for (size_t i = 0; i < count; i++, out += columns.lanes) {
		present[i] = isfinite(t[i]) && s->rules->locate(s, t[i], &segment);
		if (present[i] == 0)
			memset(out, 0, columns.lanes * sizeof *out);
		else if (segment.hold)
			memcpy(out, columns.value + columns.lanes * segment.from, columns.lanes * sizeof *out);
		else
			blend(&columns, &segment, out);
	}
}
