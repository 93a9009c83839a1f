/* rules_godot.c: what Godot 3 and 4 share: which keys exist, how they are found, transitions, Bezier tracks. */
#include <math.h>
#include <string.h>

#include "clip/blend.h"
#include "clip/lane.h"
#include "math/bezier.h"

#define EPSILON 1e-5

double anim_godot_key(const struct anim_sampler *s, size_t k)
{
	return (double)s->track->time[k] - s->origin;
}

/* is_equal_approx(t, key) */
static bool is_at(double t, double key)
{
	double tolerance = EPSILON * fabs(t);

	return t == key || fabs(t - key) < (tolerance < EPSILON ? EPSILON : tolerance);
}

/* Animation::_find: the bisection may stop at any key that is near enough, and goes astray where keys are unsorted. */
static ptrdiff_t bisect(const struct anim_sampler *s, size_t n, double t)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, middle = -1;

	while (low <= high) {
		double key;

		middle = (low + high) / 2;
		key = anim_godot_key(s, (size_t)middle);
		if (is_at(t, key))
			return middle;
		if (t < key)
			high = middle - 1;
		else
			low = middle + 1;
	}
	return middle >= 0 && anim_godot_key(s, (size_t)middle) > t ? middle - 1 : middle;
}

/* Starts at the cursor, where the next time of a rising row is found at once; falls back where two keys are near t. */
ptrdiff_t anim_godot_find(const struct anim_sampler *s, size_t n, double t)
{
	size_t at = s->state->cursor;
	bool near, near_next;

	if ((s->track->flags & ANIM_UNSORTED) != 0 || at + 2 >= n || anim_godot_key(s, at) > t)
		return bisect(s, n, t);
	if (anim_godot_key(s, at + 1) <= t)
		at++;
	if (anim_godot_key(s, at + 1) <= t)
		return bisect(s, n, t);
	near = is_at(t, anim_godot_key(s, at));
	near_next = is_at(t, anim_godot_key(s, at + 1));
	if ((near && near_next) || (near && at > 0 && is_at(t, anim_godot_key(s, at - 1))) ||
	    (near_next && at + 2 < n && is_at(t, anim_godot_key(s, at + 2))))
		return bisect(s, n, t);
	s->state->cursor = at;
	return (ptrdiff_t)at + near_next;
}

static enum anim_shape shape_of(const struct anim_track *track)
{
	static const struct {
		const char *name;
		enum anim_shape shape;
	} variants[] = {{"Rect2", ANIM_SHAPE_RECT},
			{"Plane", ANIM_SHAPE_PLANE},
			{"Transform2D", ANIM_SHAPE_TRANSFORM2D},
			{"Projection", ANIM_SHAPE_PROJECTION}};
	const char *literal = anim_attrs_get(&track->attrs, "literal");
	const char *variant = anim_attrs_get(&track->attrs, "godot.variant");
	const char *type = anim_attrs_get(&track->attrs, "godot.type");

	if (track->type == ANIM_STRING && literal != NULL)
		return strcmp(literal, "StringName") == 0 ? ANIM_SHAPE_NAME : ANIM_SHAPE_LITERAL;
	if (type != NULL && strcmp(type, "blend_shape") == 0)
		return ANIM_SHAPE_SINGLE;
	for (size_t i = 0; i < sizeof variants / sizeof *variants && variant != NULL; i++)
		if (strcmp(variant, variants[i].name) == 0)
			return variants[i].shape;
	return track->type == ANIM_FLOAT4X4 ? ANIM_SHAPE_TRANSFORM3D : ANIM_SHAPE_LANES;
}

void anim_godot_prepare(struct anim_sampler *s)
{
	const struct anim_track *track = s->track;

	s->shape = shape_of(track);
	s->origin = (double)s->clip->start_s;
	s->length = (double)s->clip->end_s - s->origin;
	s->wraps = s->clip->loop != ANIM_LOOP_NONE && (track->flags & ANIM_LOOP_WRAP_KEYS) != 0;
	s->tolerance = EPSILON;
	s->usable = track->n == 0 ? 0 : (size_t)(bisect(s, track->n, s->length) + 1);
}

bool anim_godot_ease(const struct anim_sampler *s, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;

	if (track->ease == NULL || track->ease[segment->from] == 1)
		return true;
	if (track->ease[segment->from] == 0)
		return false;
	segment->weight = (double)(float)anim_segment_ease(track, segment->from, segment->weight);
	return true;
}

/* Numbers with a fraction, Vector2, Vector3, Rect2 (3.x: AABB, which are float3 here), quaternions. */
bool anim_godot_old_cubic(const struct anim_sampler *s)
{
	switch (s->track->type) {
	case ANIM_FLOAT:
	case ANIM_DOUBLE:
	case ANIM_FLOAT2:
	case ANIM_FLOAT3:
	case ANIM_FLOATQ:
		return true;
	case ANIM_FLOAT4:
		return s->shape == ANIM_SHAPE_RECT;
	default:
		return false;
	}
}

/* bezier_track_interpolate: no loop, no transition; keys behind the clip's end count, unless all are there. */
bool anim_godot_locate_bezier(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	size_t n = s->track->n;
	ptrdiff_t at;

	if (n == 0)
		return false;
	memset(segment, 0, sizeof *segment);
	segment->hold = true;
	if (s->usable <= 1)
		return true;
	at = anim_godot_find(s, n, t - s->origin);
	if (at < 0)
		return true;
	segment->from = segment->to = (size_t)at;
	if ((size_t)at + 1 >= n)
		return true;
	segment->hold = false;
	segment->to++;
	segment->duration = (double)(float)(anim_godot_key(s, segment->to) - anim_godot_key(s, segment->from));
	segment->weight = t - s->origin - anim_godot_key(s, segment->from);
	return true;
}

/* Here the weight is in seconds; a track whose keys all lie behind the end is 0. */
void anim_godot_blend_bezier(const struct anim_sampler *s, const struct anim_segment *segment, void *out)
{
	const struct anim_track *track = s->track;
	double lanes[ANIM_LANES_MAX] = {0};
	float from = (float)anim_lane(track->type, track->value, segment->from, 0);
	float to = (float)anim_lane(track->type, track->value, segment->to, 0), duration = (float)segment->duration;
	const struct anim_bezier_point points[4] = {
	    {0, from},
	    {track->right_x[segment->from], from + (float)anim_lane(track->type, track->right, segment->from, 0)},
	    {duration + track->left_x[segment->to], to + (float)anim_lane(track->type, track->left, segment->to, 0)},
	    {duration, to}};

	if (segment->hold)
		lanes[0] = s->usable == 0 ? 0 : (double)from;
	else
		lanes[0] = (double)anim_bezier_godot(points, segment->weight);
	anim_value_store(track->type, lanes, out);
}
