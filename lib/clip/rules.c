/* rules.c: values as arrays of numbers, their blends, and the rules of all players except Godot. */
#include "clip/rules.h"

#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

/* ---- Values as components, with their linear and cubic blends ---- */

static int64_t to_int64(double number)
{
	return number >= -9223372036854775808.0 && number < 9223372036854775808.0 ? (int64_t)number : INT64_MIN;
}

static int64_t clamp(double number, int64_t low, int64_t high)
{
	if (number != number)
		return 0;
	return number <= (double)low ? low : number >= (double)high ? high : (int64_t)number;
}

/* Store an integer as an integer component. */
static void store_integer(enum anim_scalar scalar, double number, unsigned char *at)
{
	static const int64_t low[] = {0, 0, 0, 0, 0, INT8_MIN, INT16_MIN, INT32_MIN};
	static const int64_t high[] = {0, UINT8_MAX, UINT16_MAX, UINT32_MAX, 0, INT8_MAX, INT16_MAX, INT32_MAX};
	uint64_t bits;

	if (scalar == ANIM_SCALAR_I64)
		bits = (uint64_t)to_int64(number);
	else if (scalar == ANIM_SCALAR_U64)
		bits = number >= 0x1p64 ? UINT64_MAX : number > 0 ? (uint64_t)number : 0;
	else
		bits = (uint64_t)clamp(number, low[scalar], high[scalar]);
	switch (scalar) {
	case ANIM_SCALAR_U8:
	case ANIM_SCALAR_I8:
		*at = (uint8_t)bits;
		break;
	case ANIM_SCALAR_U16:
	case ANIM_SCALAR_I16:
		memcpy(at, &(uint16_t){(uint16_t)bits}, 2);
		break;
	case ANIM_SCALAR_U32:
	case ANIM_SCALAR_I32:
		memcpy(at, &(uint32_t){(uint32_t)bits}, 4);
		break;
	default:
		memcpy(at, &bits, 8);
	}
}

void anim_value_store(enum anim_type type, const double components[ANIM_COMPONENTS_MAX], void *out)
{
	const struct anim_type_info *info = &anim_types[type];
	unsigned char *at = out;

	memset(out, 0, info->size);
	for (unsigned component = 0; component < info->components; component++) {
		if (info->scalar == ANIM_SCALAR_BOOL)
			*at = (unsigned char)(*at | (components[component] >= 0.5) << component);
		else if (info->scalar == ANIM_SCALAR_F32)
			memcpy(at + (size_t)4 * component, &(float){(float)components[component]}, 4);
		else if (info->scalar == ANIM_SCALAR_F64)
			memcpy(at + (size_t)8 * component, &components[component], 8);
		else
			store_integer(info->scalar, anim_round(components[component]),
				      at + (size_t)info->component_size * component);
	}
}

void anim_value_copy(const struct anim_track *track, size_t k, void *out)
{
	size_t size = anim_types[track->type].size;

	if (track->type == ANIM_STRING) {
		struct anim_text *text = out;

		text->length = track->strings->length[k];
		text->bytes =
		    text->length == ANIM_NULL_STRING ? NULL : track->strings->bytes + track->strings->start[k];
		return;
	}
	memcpy(out, (const char *)track->value + size * k, size);
}

static void blend_quat(enum anim_type type, const double from[ANIM_COMPONENTS_MAX],
		       const double to[ANIM_COMPONENTS_MAX], double weight, double out[ANIM_COMPONENTS_MAX])
{
	float a[4], b[4];

	if (type == ANIM_DOUBLEQ) {
		anim_quat_slerp_double(out, from, to, weight);
		return;
	}
	anim_components_to_float(a, from, 4);
	anim_components_to_float(b, to, 4);
	anim_quat_slerp(a, a, b, (float)weight);
	anim_components_from_float(out, a, 4);
}

void anim_blend_linear(enum anim_type type, const double from[ANIM_COMPONENTS_MAX],
		       const double to[ANIM_COMPONENTS_MAX], double weight, double out[ANIM_COMPONENTS_MAX])
{
	if (anim_types[type].quaternion) {
		blend_quat(type, from, to, weight, out);
		return;
	}
	for (unsigned component = 0; component < anim_types[type].components; component++)
		out[component] = anim_types[type].scalar == ANIM_SCALAR_F32
				     ? (double)anim_lerp((float)from[component], (float)to[component], (float)weight)
				     : from[component] + (to[component] - from[component]) * weight;
}

void anim_cubic_keys_load(const struct anim_track *track, const struct anim_segment *segment,
			  struct anim_cubic_keys *keys)
{
	anim_components(track->type, track->value, segment->from, keys->from);
	anim_components(track->type, track->value, segment->to, keys->to);
	anim_components(track->type, track->value, segment->before, keys->before);
	anim_components(track->type, track->value, segment->after, keys->after);
}

double anim_blend_cubic_component(const struct anim_cubic_keys *keys, const struct anim_segment *segment,
				  unsigned component, bool single)
{
	double a = keys->from[component], b = keys->to[component], before = keys->before[component],
	       after = keys->after[component];

	if (single)
		return (double)anim_cubic_in_time((float)a, (float)b, (float)before, (float)after,
						  (float)segment->weight, segment->to_t, segment->before_t,
						  segment->after_t);
	return anim_cubic_in_time_double(a, b, before, after, segment->weight, (double)segment->to_t,
					 (double)segment->before_t, (double)segment->after_t);
}

void anim_blend_cubic_quat(const struct anim_cubic_keys *keys, const struct anim_segment *segment, bool in_time,
			   double out[ANIM_COMPONENTS_MAX])
{
	float from[4], to[4], before[4], after[4];

	anim_components_to_float(from, keys->from, 4);
	anim_components_to_float(to, keys->to, 4);
	anim_components_to_float(before, keys->before, 4);
	anim_components_to_float(after, keys->after, 4);
	if (in_time)
		anim_quat_cubic_in_time(from, from, to, before, after, (float)segment->weight, segment->to_t,
					segment->before_t, segment->after_t);
	else
		anim_quat_cubic_slerp(from, from, to, before, after, (float)segment->weight);
	anim_components_from_float(out, from, 4);
}

double anim_blend_angle(const struct anim_track *track, const struct anim_segment *segment, bool cubic)
{
	struct anim_cubic_keys keys;
	float weight = (float)segment->weight, angle;

	anim_cubic_keys_load(track, segment, &keys);
	if (cubic)
		angle = anim_cubic_angle_in_time((float)keys.from[0], (float)keys.to[0], (float)keys.before[0],
						 (float)keys.after[0], weight, segment->to_t, segment->before_t,
						 segment->after_t);
	else
		angle = anim_lerp_angle((float)keys.from[0], (float)keys.to[0], weight);
	return (double)anim_wrap_angle(angle);
}

/* ---- Curves with tangents or handles, one component at a time, solved in double ---- */

/* One component of a segment: its keys, and the tangents at its inner ends. */
struct span {
	double from, to, right, left; /* values; right of the first key, left of the second */
	double duration, weight;
};

static double slope_curve(const struct span *s)
{
	if (!isfinite(s->right) || !isfinite(s->left))
		return s->from;
	return anim_hermite(s->from, s->right, s->to, s->left, s->duration, s->weight);
}

static bool is_weighted(const struct anim_track *track, const float *column, size_t key, int bit)
{
	return column != NULL && track->weighted != NULL && (track->weighted[key] & bit) != 0;
}

/* Return the length of a handle as a fraction of the segment. Components are side by side as in the value. */
static double handle_share(const struct anim_track *track, const float *column, size_t key, unsigned component, int bit)
{
	if (!is_weighted(track, column, key, bit))
		return 1.0 / 3.0;
	return (double)column[key * anim_types[track->type].components + component];
}

static double weighted_curve(const struct anim_track *track, const struct anim_segment *segment, unsigned component,
			     const struct span *s)
{
	double right = handle_share(track, track->right_x, segment->from, component, 2);
	double left = handle_share(track, track->left_x, segment->to, component, 1);
	double u;

	if (!isfinite(s->right) || !isfinite(s->left))
		return s->from;
	if (!is_weighted(track, track->right_x, segment->from, 2) && !is_weighted(track, track->left_x, segment->to, 1))
		return slope_curve(s);
	u = anim_bezier_parameter(0, right, 1 - left, 1, s->weight);
	return anim_bezier(s->from, s->from + s->right * right * s->duration, s->to - s->left * left * s->duration,
			   s->to, u);
}

static double handle_curve(const struct anim_track *track, const struct anim_segment *segment, const struct span *s)
{
	double x1 = (double)track->right_x[segment->from];
	double x2 = s->duration + (double)track->left_x[segment->to];
	double u = anim_bezier_parameter(0, x1, x2, s->duration, s->weight * s->duration);

	return anim_bezier(s->from, s->from + s->right, s->to + s->left, s->to, u);
}

static double curve_component(const struct anim_track *track, enum anim_interp mode, const struct anim_segment *segment,
			      unsigned component)
{
	const struct span s = {anim_component(track->type, track->value, segment->from, component),
			       anim_component(track->type, track->value, segment->to, component),
			       anim_component(track->type, track->right, segment->from, component),
			       anim_component(track->type, track->left, segment->to, component),
			       segment->duration,
			       segment->weight};

	switch (mode) {
	case ANIM_HERMITE:
		return slope_curve(&s);
	case ANIM_WEIGHTED:
		return weighted_curve(track, segment, component, &s);
	case ANIM_CUBIC_BEZIER:
		return anim_bezier(s.from, s.right, s.left, s.to, s.weight);
	default:
		return handle_curve(track, segment, &s);
	}
}

void anim_normalize(double q[4])
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	if (!(length > 0 && length < INFINITY))
		return;
	for (int i = 0; i < 4; i++)
		q[i] /= length;
}

/*
 * Blend curves with tangents as the stream defines them: Hermite, Weighted, CubicBezier, Bezier2D. Quaternions are
 * normalised. Returns false for another mode.
 */
static bool blend_curve(const struct anim_track *track, enum anim_interp mode, const struct anim_segment *segment,
			double out[ANIM_COMPONENTS_MAX])
{
	if (mode != ANIM_HERMITE && mode != ANIM_WEIGHTED && mode != ANIM_CUBIC_BEZIER && mode != ANIM_BEZIER_2D)
		return false;
	for (unsigned component = 0; component < anim_types[track->type].components; component++)
		out[component] = segment->from == segment->to
				     ? anim_component(track->type, track->value, segment->from, component)
				     : curve_component(track, mode, segment, component);
	if (anim_types[track->type].quaternion)
		anim_normalize(out);
	return true;
}

/* ---- Tracks without an engine: ends as in the track, modes as the stream defines them ---- */

static void plain_prepare(struct anim_sampler *s)
{
	const struct anim_track *track = s->track;
	size_t last = track->n > 1 ? track->n - 1 : 0;
	double shown = track->flags & ANIM_LAST_AT_END ? anim_track_shown_s(track, last, s->clip) : 0;

	if ((track->flags & ANIM_LAST_AT_END) && last > 0 && shown < anim_track_time(track, last))
		s->early = (shown - anim_track_time(track, last - 1)) / anim_track_step(track);
	s->usable = track->n;
	s->tolerance = 0x1p-1000; /* a key counts from its exact time on */
}

/* Move `t` between the first and last key by the extrapolation. Returns false if there is no value. */
static bool bring_inside(enum anim_extrapolation end, double first, double last, double *t)
{
	double span = last - first, turns;

	if (end == ANIM_EXTRAPOLATION_NONE)
		return false;
	if (end == ANIM_EXTRAPOLATION_HOLD || !(span > 0)) {
		*t = *t < first ? first : last;
		return true;
	}
	turns = fmod(*t - first, end == ANIM_EXTRAPOLATION_PINGPONG ? 2 * span : span);
	if (turns < 0)
		turns += end == ANIM_EXTRAPOLATION_PINGPONG ? 2 * span : span;
	if (turns > span)
		turns = 2 * span - turns;
	*t = first + turns;
	return true;
}

static size_t at_most(size_t k, size_t last)
{
	return k < last ? k : last;
}

static void fill_neighbours(const struct anim_track *track, struct anim_segment *segment)
{
	double start = anim_track_time(track, segment->from);

	segment->before = segment->from > 0 ? segment->from - 1 : 0;
	segment->after = at_most(segment->to + 1, track->n - 1);
	segment->to_t = (float)(anim_track_time(track, segment->to) - start);
	segment->before_t = (float)(anim_track_time(track, segment->before) - start);
	segment->after_t = (float)(anim_track_time(track, segment->after) - start);
}

/*
 * Return the sample at or before t, and the distance of t from it as 0..1. A time that equals a sample time up to
 * rounding counts as that sample. Samples that hold begin early by the tolerance of a full frame, so that a grid in
 * float32 does not show the previous sample.
 */
static size_t raw_position(const struct anim_track *track, double t, double *weight)
{
	double at, whole, near;

	if (track->rate_num != 0)
		at = (t - track->start_s) * (double)track->rate_num / (double)track->rate_den;
	else
		at = (t - track->start_s) / track->step_s;
	whole = rint(at);
	near = fabs(at) * (track->interp == ANIM_HOLD ? 0x1p-23 : 0x1p-50);
	if (track->interp == ANIM_HOLD)
		near = near < 1e-4 ? 1e-4 : near > 0.01 ? 0.01 : near;
	if (fabs(at - whole) > near)
		whole = floor(at);
	whole = whole < 0 ? 0 : whole > (double)(track->n - 1) ? (double)(track->n - 1) : whole;
	*weight = at - whole > 0 && fabs(at - whole) > near ? at - whole : 0;
	return (size_t)whole;
}

#define REACHED (1 - 1e-6) /* rounding of the share of an interval at which the last sample counts */

static void locate_raw(const struct anim_sampler *s, double t, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;

	segment->from = raw_position(track, t, &segment->weight);
	if (s->early > 0 && segment->from + 2 == track->n) {
		segment->weight /= s->early;
		if (segment->weight > REACHED) {
			segment->from++;
			segment->weight = 0;
		}
	}
	segment->to = at_most(segment->from + 1, track->n - 1);
	segment->duration = anim_track_time(track, segment->to) - anim_track_time(track, segment->from);
	segment->hold = segment->from == segment->to;
}

/* Return the last key at or before t, or -1. Sorted keys are searched from the cursor on. */
static ptrdiff_t find_key(const struct anim_sampler *s, double t)
{
	const struct anim_track *track = s->track;

	return (track->flags & ANIM_UNSORTED) != 0 ? anim_find_key(track->time, track->n, t)
						   : anim_find_key_near(track->time, track->n, t, s->state->cursor);
}

/* Return whether key k is the last at or before t. */
static bool is_at(const struct anim_track *track, size_t k, double t)
{
	return (track->flags & ANIM_UNSORTED) == 0 && k < track->n && (double)track->time[k] <= t &&
	       (k + 1 == track->n || t < (double)track->time[k + 1]);
}

static void locate_curve(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;
	size_t cursor = s->state->cursor, from;

	if (is_at(track, cursor, t)) {
		from = cursor;
	} else if (is_at(track, cursor + 1, t)) {
		from = cursor + 1;
	} else {
		ptrdiff_t found = find_key(s, t);

		from = found < 0 ? 0 : (size_t)found;
	}
	s->state->cursor = from;
	segment->from = from;
	segment->to = at_most(from + 1, track->n - 1);
	segment->duration = (double)track->time[segment->to] - (double)track->time[from];
	segment->weight = segment->duration > 0 ? (t - (double)track->time[from]) / segment->duration : 0;
	segment->weight = segment->weight > 0 ? segment->weight : 0;
	segment->hold = from == segment->to;
}

static bool plain_locate(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;
	double first, last;

	if (track->n == 0)
		return false;
	first = anim_track_time(track, 0);
	last = anim_track_time(track, track->n - 1);
	if (track->kind == ANIM_RAW && track->n == 1)
		first = last = track->start_s;
	if (t < first && !bring_inside((enum anim_extrapolation)track->pre, first, last, &t))
		return false;
	if (t > last && !bring_inside((enum anim_extrapolation)track->post, first, last, &t))
		return false;
	if (track->kind == ANIM_RAW && track->n > 1)
		locate_raw(s, t, segment);
	else if (track->kind == ANIM_RAW)
		*segment = (struct anim_segment){.hold = true};
	else
		locate_curve(s, t, segment);
	segment->weight = anim_segment_ease(track, segment->from, segment->weight);
	if (s->neighbours)
		fill_neighbours(track, segment);
	return true;
}

static void plain_cubic(const struct anim_track *track, bool in_time, const struct anim_segment *segment,
			double out[ANIM_COMPONENTS_MAX])
{
	const struct anim_type_info *info = &anim_types[track->type];
	struct anim_cubic_keys keys;

	anim_cubic_keys_load(track, segment, &keys);
	if (info->quaternion) {
		anim_blend_cubic_quat(&keys, segment, in_time, out);
		return;
	}
	for (unsigned component = 0; component < info->components; component++)
		out[component] =
		    in_time ? anim_blend_cubic_component(&keys, segment, component, info->scalar == ANIM_SCALAR_F32)
			    : anim_catmull_rom_double(keys.from[component], keys.to[component], keys.before[component],
						      keys.after[component], segment->weight);
}

/* Blend angles whose rotation takes the shorter arc, as angles near the first. */
static void plain_angles(const struct anim_track *track, const struct anim_segment *segment,
			 double out[ANIM_COMPONENTS_MAX])
{
	double unit = (track->flags & ANIM_DEGREES) != 0 ? ANIM_PI / 180 : 1, to[ANIM_COMPONENTS_MAX], a[4], b[4];
	int order = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));

	order = order < 0 ? ANIM_EULER_YXZ : order;
	anim_components(track->type, track->value, segment->from, out);
	anim_components(track->type, track->value, segment->to, to);
	for (int i = 0; i < 3; i++) {
		out[i] *= unit;
		to[i] *= unit;
	}
	anim_quat_from_euler_double(a, out, (enum anim_euler_order)order);
	anim_quat_from_euler_double(b, to, (enum anim_euler_order)order);
	anim_quat_slerp_double(a, a, b, segment->weight);
	anim_euler_near(out, a, (enum anim_euler_order)order);
	for (int i = 0; i < 3; i++)
		out[i] /= unit;
}

bool anim_rules_blend_components(const struct anim_clip *clip, enum anim_rules rules)
{
	const char *slerp = anim_attrs_get(&clip->attrs, "resonite.slerp");

	return rules == ANIM_RULES_UNITY ||
	       (rules == ANIM_RULES_RESONITE && (slerp == NULL || strcmp(slerp, "true") != 0));
}

bool anim_segment_blends_components(const struct anim_clip *clip, const struct anim_track *track, size_t k)
{
	enum anim_interp mode = anim_track_interp(track, k);

	return mode == ANIM_LINEAR ? anim_rules_blend_components(clip, track->rules)
				   : mode >= ANIM_TANGENT && mode <= ANIM_BEZIER_2D;
}

static void plain_linear(const struct anim_sampler *s, const struct anim_segment *segment,
			 double out[ANIM_COMPONENTS_MAX])
{
	const struct anim_track *track = s->track;
	double to[ANIM_COMPONENTS_MAX];

	anim_components(track->type, track->value, segment->from, out);
	anim_components(track->type, track->value, segment->to, to);
	if (!anim_types[track->type].quaternion || !anim_rules_blend_components(s->clip, track->rules) ||
	    (track->kind == ANIM_RAW && !(segment->weight > 0))) { /* a sample at its own time is returned unchanged */
		anim_blend_linear(track->type, out, to, segment->weight, out);
		return;
	}
	/*
	 * Quaternions are blended component by component, then normalised. The signs of the keys stay, so a change of sign
	 * between them makes the rotation swing.
	 */
	for (unsigned i = 0; i < 4; i++)
		out[i] += (to[i] - out[i]) * segment->weight;
	anim_normalize(out);
}

/* Return whether the Raw samples have no values in between. */
static bool raw_holds(const struct anim_track *track)
{
	return track->kind == ANIM_RAW && !anim_type_is_real(track->type);
}

static int plain_blend(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		       struct anim_error *error)
{
	const struct anim_track *track = s->track;
	double components[ANIM_COMPONENTS_MAX];

	if (raw_holds(track) || track->type == ANIM_STRING || anim_types[track->type].scalar == ANIM_SCALAR_BOOL) {
		bool second = !raw_holds(track) && segment->weight >= 0.5;

		anim_value_copy(track, second ? segment->to : segment->from, out);
		return 0;
	}
	switch (mode) {
	case ANIM_LINEAR:
		if (segment->weight > 0 && anim_track_is_captured(track))
			plain_angles(track, segment, components);
		else
			plain_linear(s, segment, components);
		break;
	case ANIM_CUBIC_TIME:
	case ANIM_CUBIC_UNIFORM:
		plain_cubic(track, mode == ANIM_CUBIC_TIME, segment, components);
		break;
	case ANIM_LINEAR_ANGLE:
	case ANIM_CUBIC_ANGLE:
		components[0] = anim_blend_angle(track, segment, mode == ANIM_CUBIC_ANGLE);
		break;
	default:
		if (!blend_curve(track, mode, segment, components))
			return anim_fail(error, ANIM_UNSUPPORTED, "%s keys are not played under %s rules",
					 anim_interp_names[mode], anim_rules_names[track->rules]);
	}
	anim_value_store(track->type, components, out);
	return 0;
}

const struct anim_rules_ops anim_rules_plain = {plain_prepare, plain_locate, plain_blend};

/* ---- Unity's AnimationCurve: ends by m_PreInfinity and m_PostInfinity, each component is a separate curve ---- */

/*
 * At the exact time of a key the following segment counts; at the last key of a curve that repeats, the first key.
 * Rotations are also normalised at their outermost keys and beyond, so these are not treated as single keys.
 */
static bool unity_locate(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;

	if (track->post == ANIM_EXTRAPOLATION_LOOP && track->n > 1 && t == anim_track_time(track, track->n - 1))
		t = anim_track_time(track, 0);
	if (!anim_rules_plain.locate(s, t, segment))
		return false;
	segment->hold = segment->hold && !anim_types[track->type].quaternion;
	return true;
}

const struct anim_rules_ops anim_rules_unity = {plain_prepare, unity_locate, plain_blend};

/* ---- Resonite's player ---- */

/* At the exact time of a key, the segment that ends there still counts. */
static bool resonite_locate(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;
	size_t at = s->state->cursor, before;

	if ((track->flags & ANIM_UNSORTED) == 0 && at + 1 < track->n && (double)track->time[at] < t &&
	    t <= (double)track->time[at + 1])
		before = at + 1;
	else
		before = (size_t)(find_key(s, nextafter(t, (double)-INFINITY)) + 1);
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
 * This is CubicLerp of Elements, the most probable reading: a Hermite curve with tangents per segment instead of per
 * second.
 */
static void blend_tangent(const struct anim_track *track, const struct anim_segment *segment,
			  double out[ANIM_COMPONENTS_MAX])
{
	double from[ANIM_COMPONENTS_MAX], to[ANIM_COMPONENTS_MAX], leaving[ANIM_COMPONENTS_MAX],
	    arriving[ANIM_COMPONENTS_MAX];

	anim_components(track->type, track->value, segment->from, from);
	anim_components(track->type, track->value, segment->to, to);
	anim_components(track->type, track->right, segment->from, leaving);
	anim_components(track->type, track->left, segment->to, arriving);
	for (unsigned i = 0; i < anim_types[track->type].components; i++)
		out[i] = anim_hermite(from[i], leaving[i], to[i], arriving[i], 1, segment->weight);
	if (anim_types[track->type].quaternion)
		anim_normalize(out);
}

static int resonite_blend(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
			  struct anim_error *error)
{
	const struct anim_track *track = s->track;
	double components[ANIM_COMPONENTS_MAX];

	if (track->type == ANIM_STRING || anim_types[track->type].scalar == ANIM_SCALAR_BOOL) {
		anim_value_copy(track, segment->weight < 0.5 ? segment->from : segment->to, out);
		return 0;
	}
	if (mode == ANIM_TANGENT)
		blend_tangent(track, segment, components);
	else if (mode != ANIM_CUBIC_BEZIER || !blend_curve(track, mode, segment, components))
		return anim_rules_plain.blend(s, mode, segment, out, error);
	anim_value_store(track->type, components, out);
	return 0;
}

const struct anim_rules_ops anim_rules_resonite = {plain_prepare, resonite_locate, resonite_blend};
