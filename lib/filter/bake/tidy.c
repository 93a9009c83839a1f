/* tidy.c: the last touch on samples: quaternions on one side, and constants short or gone. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/bake/internal.h"

#define NEARLY 1e-6 /* so much, in parts of the value from 1 on, is rounding */

struct tidy {
	struct anim_filter filter;
	struct bake *bake;
	struct anim_buffer values;
};

static void turn_round(enum anim_type type, void *value)
{
	double lanes[ANIM_LANES_MAX];

	for (unsigned i = 0; i < 4; i++)
		lanes[i] = 0.0 - anim_lane(type, value, 0, i);
	anim_value_store(type, lanes, value);
}

/* A copy of the samples in which each lies on the side of the one before. 0 or -1. */
static int stay_on_side(struct tidy *tidy, struct anim_track *track, struct anim_error *error)
{
	size_t bytes = track->n * anim_types[track->type].size;

	tidy->values.size = 0;
	if (anim_buffer_append(&tidy->values, track->value, bytes, error) != 0)
		return -1;
	track->value = tidy->values.data;
	for (size_t k = 1; k < track->n; k++) {
		double dot = 0;

		for (unsigned i = 0; i < 4; i++)
			dot +=
			    anim_lane(track->type, track->value, k - 1, i) * anim_lane(track->type, track->value, k, i);
		if (dot < 0)
			turn_round(track->type, tidy->values.data + k * anim_types[track->type].size);
	}
	return 0;
}

/* Whether two elements of the track's type are the same up to rounding; -1 for sign: the opposite quaternion. */
static bool is_near(enum anim_type type, const void *a, size_t i, const void *b, double sign)
{
	for (unsigned lane = 0; lane < anim_types[type].lanes; lane++) {
		double x = anim_lane(type, a, i, lane), y = sign * anim_lane(type, b, 0, lane);

		if (!(x == y) && !(fabs(x - y) <= NEARLY * fmax(1, fabs(x))))
			return false;
	}
	return true;
}

static bool is_constant(const struct anim_track *track)
{
	const uint8_t *value = track->value;
	size_t size = anim_types[track->type].size;
	bool real = anim_type_is_real(track->type);

	for (size_t k = 1; k < track->n; k++)
		if (real ? !is_near(track->type, value, k, value, 1) : memcmp(value + k * size, value, size) != 0)
			return false;
	return true;
}

static bool is_at_rest(struct bake *b, const struct anim_track *track)
{
	_Alignas(16) uint8_t rest[128];

	if (!anim_rest_value(bake_rest(b, track->node), track, rest) || !anim_track_is_transform(track))
		return false;
	return is_near(track->type, track->value, 0, rest, 1) ||
	       (anim_types[track->type].quaternion && is_near(track->type, track->value, 0, rest, -1));
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct tidy *tidy = (struct tidy *)sink;
	struct anim_track out = *track;

	if (track->kind != ANIM_RAW || track->type == ANIM_STRING)
		return anim_filter_track(sink, track, error);
	out.record = NULL;
	if (anim_types[track->type].quaternion && stay_on_side(tidy, &out, error) != 0)
		return -1;
	if (tidy->bake->options.drop_constant && is_constant(&out)) {
		if (is_at_rest(tidy->bake, &out))
			return 0;
		out.n = 1;
	}
	return anim_filter_track(sink, &out, error);
}

static void on_free(struct anim_sink *sink)
{
	anim_buffer_clear(&((struct tidy *)sink)->values);
	anim_filter_free(sink);
}

struct anim_sink *bake_tidy_new(struct bake *b, struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {anim_filter_tree,   anim_filter_node, anim_filter_clip, on_track,
						 anim_filter_record, anim_filter_end,  on_free};
	struct tidy *tidy = anim_filter_new(sizeof *tidy, &ops, next, error);

	if (tidy == NULL)
		return NULL;
	tidy->bake = b;
	return &tidy->filter.sink;
}
