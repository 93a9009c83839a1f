/* rules_godot.c: the Animation class of Godot 3 and Godot 4. */
#include "clip/rules.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "clip/keys.h"
#include "math/basis.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

/* ---- Shared by both versions: existing keys, their search, transitions, Bezier tracks ---- */

#define EPSILON 1e-5 /* CMP_EPSILON, the tolerance of is_equal_approx, times the number if it is above 1 */

static double key_time(const struct anim_sampler *s, size_t k)
{
	return (double)s->track->time[k] - s->origin;
}

/* is_equal_approx(t, key) */
static bool is_at(double t, double key)
{
	double tolerance = EPSILON * fabs(t);

	return t == key || fabs(t - key) < (tolerance < EPSILON ? EPSILON : tolerance);
}

/*
 * Animation::_find: the bisection may stop at any key that is near enough, and gives wrong keys if they are unsorted.
 */
static ptrdiff_t bisect(const struct anim_sampler *s, size_t n, double t)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, middle = -1;

	while (low <= high) {
		double key;

		middle = (low + high) / 2;
		key = key_time(s, (size_t)middle);
		if (is_at(t, key))
			return middle;
		if (t < key)
			high = middle - 1;
		else
			low = middle + 1;
	}
	return middle >= 0 && key_time(s, (size_t)middle) > t ? middle - 1 : middle;
}

/* Return whether key `at`, which at least two keys follow, is the last at or before t. n is 3 or more. */
static bool is_last_before(const struct anim_sampler *s, size_t n, size_t at, double t)
{
	return at < n - 2 && key_time(s, at) <= t && t < key_time(s, at + 1);
}

/*
 * Search from the cursor on, because the next time of an increasing sequence is near. Use bisection if two keys are
 * near t.
 */
static ptrdiff_t find_key(const struct anim_sampler *s, size_t n, double t)
{
	size_t at = s->state->cursor;
	bool near, near_next;

	if ((s->track->flags & ANIM_UNSORTED) != 0 || n < 3)
		return bisect(s, n, t);
	if (!is_last_before(s, n, at, t))
		at = (size_t)anim_find_key_near(s->track->time, n, t + s->origin, at);
	if (!is_last_before(s, n, at, t))
		return bisect(s, n, t);
	s->state->cursor = at;
	near = is_at(t, key_time(s, at));
	near_next = is_at(t, key_time(s, at + 1));
	if ((near && near_next) || (near && at > 0 && is_at(t, key_time(s, at - 1))) ||
	    (near_next && is_at(t, key_time(s, at + 2))))
		return bisect(s, n, t);
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
	for (size_t i = 0; i < ANIM_COUNT(variants) && variant != NULL; i++)
		if (strcmp(variant, variants[i].name) == 0)
			return variants[i].shape;
	return track->type == ANIM_FLOAT4X4 ? ANIM_SHAPE_TRANSFORM3D : ANIM_SHAPE_COMPONENTS;
}

static void prepare(struct anim_sampler *s)
{
	const struct anim_track *track = s->track;
	size_t n = track->n;

	s->shape = shape_of(track);
	s->origin = (double)s->clip->start_s;
	s->length = (double)s->clip->end_s - s->origin;
	s->wraps = s->clip->loop != ANIM_LOOP_NONE && (track->flags & ANIM_LOOP_WRAP_KEYS) != 0;
	s->tolerance = EPSILON;
	/* Usually a search for the end of the clip gives the last key. */
	if (n == 0 || (n > 1 && (track->flags & ANIM_UNSORTED) == 0 && key_time(s, n - 1) <= s->length &&
		       !is_at(s->length, key_time(s, n - 2))))
		s->usable = n;
	else
		s->usable = (size_t)(bisect(s, n, s->length) + 1);
}

bool anim_godot_refuses(const float q[4])
{
	/* Written out, because it is done for each key of each rotation. */
	return !(fabsf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0f) < 1e-3f);
}

bool anim_godot_refuses_some(const struct anim_track *track)
{
	const float *value = track->value;

	for (size_t k = 0; track->type == ANIM_FLOATQ && k < track->n; k++)
		if (anim_godot_refuses(value + 4 * k))
			return true;
	return false;
}

static bool ease(const struct anim_sampler *s, struct anim_segment *segment)
{
	const struct anim_track *track = s->track;

	if (track->ease == NULL || track->ease[segment->from] == 1)
		return true;
	if (track->ease[segment->from] == 0)
		return false;
	segment->weight = (double)(float)anim_segment_ease(track, segment->from, segment->weight);
	return true;
}

/* These are numbers with a fraction, Vector2, Vector3, Rect2 (3.x: AABB, which are float3 here), quaternions. */
static bool has_old_cubic(const struct anim_sampler *s)
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

/*
 * bezier_track_interpolate: no loop, no transition. Keys after the end of the clip count, unless all keys are there.
 */
static bool locate_bezier(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	size_t n = s->track->n;
	ptrdiff_t at;

	if (n == 0)
		return false;
	memset(segment, 0, sizeof *segment);
	segment->hold = true;
	if (s->usable <= 1)
		return true;
	at = find_key(s, n, t - s->origin);
	if (at < 0)
		return true;
	segment->from = segment->to = (size_t)at;
	if ((size_t)at + 1 >= n)
		return true;
	segment->hold = false;
	segment->to++;
	segment->duration = (double)(float)(key_time(s, segment->to) - key_time(s, segment->from));
	segment->weight = t - s->origin - key_time(s, segment->from);
	return true;
}

void anim_bezier_points(const struct anim_track *track, const struct anim_segment *segment,
			struct anim_bezier_point points[4])
{
	float from = (float)anim_component(track->type, track->value, segment->from, 0);
	float to = (float)anim_component(track->type, track->value, segment->to, 0);
	float right = (float)anim_component(track->type, track->right, segment->from, 0);
	float left = (float)anim_component(track->type, track->left, segment->to, 0);
	float duration = (float)segment->duration;

	points[0] = (struct anim_bezier_point){0, from};
	points[1] = (struct anim_bezier_point){track->right_x[segment->from], from + right};
	points[2] = (struct anim_bezier_point){duration + track->left_x[segment->to], to + left};
	points[3] = (struct anim_bezier_point){duration, to};
}

/* The weight is in seconds here. A track whose keys are all after the end is 0. */
static void blend_bezier(const struct anim_sampler *s, const struct anim_segment *segment, void *out)
{
	const struct anim_track *track = s->track;
	double components[ANIM_COMPONENTS_MAX] = {0};
	struct anim_bezier_point points[4];

	anim_bezier_points(track, segment, points);
	if (segment->hold)
		components[0] = s->usable == 0 ? 0 : (double)points[0].y;
	else
		components[0] = (double)anim_bezier_godot(points, segment->weight);
	anim_value_store(track->type, components, out);
}

/* ---- Strings: code points and lengths are interpolated between two texts ---- */

#define PADDING 64 /* code points that a blend may add; the engine has no limit */

/* Code points in the arena of the state, with room for the padding. */
struct points {
	uint32_t *items;
	size_t count;
};

static int decode(struct anim_sampler *s, size_t key, struct points *points, struct anim_error *error)
{
	bool name = s->shape == ANIM_SHAPE_NAME;
	struct anim_text text;
	size_t at = 0, length;

	anim_value_copy(s->track, key, &text);
	length = text.length == ANIM_NULL_STRING ? 0 : text.length;
	/* the text between the quotes of &"..." */
	if (name && length >= 3 && text.bytes[0] == '&' && text.bytes[1] == '"' && text.bytes[length - 1] == '"') {
		text.bytes += 2;
		length -= 3;
	}
	points->count = 0;
	points->items = anim_arena_alloc(&s->state->arena, (length + 1 + PADDING) * sizeof *points->items, error);
	if (points->items == NULL)
		return -1;
	while (at < length) {
		size_t step =
		    anim_utf8_decode((const uint8_t *)text.bytes + at, length - at, &points->items[points->count]);

		if (name && text.bytes[at] == '\\' && at + 1 < length) {
			points->items[points->count] = (unsigned char)anim_texts_unescaped(text.bytes[at + 1]);
			step = 2;
		}
		if (step == 0) { /* not UTF-8; impossible in a validated track */
			points->items[points->count] = 0xFFFD;
			step = 1;
		}
		points->count++;
		at += step;
	}
	return 0;
}

/* Write one code point as in the text; `name`: inside quotes. Returns the number of bytes. */
static size_t put(char *out, uint32_t code, bool name)
{
	static const char escapes[] = "\n\\n\t\\t\"\\\"\\\\\\";

	for (const char *e = escapes; name && *e != '\0'; e += 3)
		if (code == (unsigned char)*e) {
			memcpy(out, e + 1, 2);
			return 2;
		}
	return anim_utf8_encode(code, out);
}

static int encode(struct anim_sampler *s, const struct points *points, struct anim_text *text, struct anim_error *error)
{
	bool name = s->shape == ANIM_SHAPE_NAME;
	char *out = anim_arena_alloc(&s->state->arena, points->count * 4 + 4, error);
	size_t length = 0;

	if (out == NULL)
		return -1;
	if (name) {
		memcpy(out, "&\"", 2);
		length = 2;
	}
	for (size_t i = 0; i < points->count; i++)
		length += put(out + length, points->items[i], name);
	if (name)
		out[length++] = '"';
	text->bytes = out;
	text->length = (uint32_t)length;
	return 0;
}

static int decode_both(struct anim_sampler *s, const struct anim_segment *segment, struct points *a, struct points *b,
		       struct anim_error *error)
{
	return decode(s, segment->from, a, error) != 0 || decode(s, segment->to, b, error) != 0 ? -1 : 0;
}

/* Convert a number to a code point as the engine does. */
static uint32_t to_code(double number)
{
	double rounded = anim_round((double)(float)number);

	if (!(rounded >= 1 && rounded <= 0x10FFFF) || (rounded >= 0xD800 && rounded < 0xE000))
		return ' ';
	return (uint32_t)rounded;
}

/*
 * The length is also interpolated. Code points that only one text has are unchanged, unless the weight is that of the
 * other text. Texts are cut as in the engine: the longer one to the interpolated length. Beyond 0..1 this may make it
 * the shorter one; a length below 0 cuts nothing. Positions beyond both texts get spaces, or the last code point of
 * the first text.
 */
static int blend_text4(struct anim_sampler *s, const struct anim_segment *segment, struct anim_text *text,
		       struct anim_error *error)
{
	double weight = segment->weight, middle;
	struct points a, b, *longer, *more;
	size_t common, most;
	uint32_t last;
	bool complete;

	if (decode_both(s, segment, &a, &b, error) != 0)
		return -1;
	longer = a.count > b.count ? &a : &b;
	middle = anim_round((double)a.count + ((double)b.count - (double)a.count) * weight);
	most = longer->count + PADDING;
	last = longer == &b && a.count > 0 ? a.items[a.count - 1] : ' ';
	while (longer->count < most && (double)longer->count < middle)
		longer->items[longer->count++] = last;
	if (middle >= 0 && middle < (double)longer->count)
		longer->count = (size_t)middle;
	more = a.count > b.count ? &a : &b;
	common = more == &a ? b.count : a.count;
	complete = more == &a ? !(fabs(weight - 1) < 1e-5) : !(fabs(weight) < 1e-5);
	for (size_t i = 0; i < common; i++)
		more->items[i] = to_code((double)a.items[i] + ((double)b.items[i] - (double)a.items[i]) * weight);
	if (!complete)
		more->count = common;
	return encode(s, more, text, error);
}

/* Typewriter effect: the first half of the interpolated length comes from the first text, the rest from the second. */
static int blend_text3(struct anim_sampler *s, const struct anim_segment *segment, struct anim_text *text,
		       struct anim_error *error)
{
	struct points a, b, mixed;
	float size, most;

	if (decode_both(s, segment, &a, &b, error) != 0)
		return -1;
	size = (float)a.count + ((float)b.count - (float)a.count) * (float)segment->weight;
	most = (float)(a.count > b.count ? a.count : b.count); /* unsorted keys can give any weight */
	mixed.count = size > 0 ? (size_t)(size < most ? size : most) : 0;
	mixed.items = anim_arena_alloc(&s->state->arena, (mixed.count + 1) * sizeof *mixed.items, error);
	if (mixed.items == NULL)
		return -1;
	for (size_t i = 0; i < mixed.count; i++) {
		const struct points *first = i < mixed.count / 2 ? &a : &b, *second = first == &a ? &b : &a;

		mixed.items[i] = i < first->count ? first->items[i] : i < second->count ? second->items[i] : ' ';
	}
	return encode(s, &mixed, text, error);
}

/* ---- Godot 4's blends of values: Animation::interpolate_variant and its cubic counterpart ---- */

/*
 * The engine blends single numbers in double (FLOAT, INT, BOOL), vectors of any type in float32, and the distance of
 * a Plane in double.
 */
static bool is_single(const struct anim_sampler *s, unsigned component)
{
	const struct anim_type_info *info = &anim_types[s->track->type];

	if (info->components == 1)
		return s->shape == ANIM_SHAPE_SINGLE;
	return info->scalar != ANIM_SCALAR_F64 && info->scalar != ANIM_SCALAR_BOOL &&
	       !(s->shape == ANIM_SHAPE_PLANE && component == 3);
}

static void linear_components(const struct anim_sampler *s, const double from[ANIM_COMPONENTS_MAX],
			      const double to[ANIM_COMPONENTS_MAX], double weight, double out[ANIM_COMPONENTS_MAX])
{
	for (unsigned component = 0; component < anim_types[s->track->type].components; component++)
		out[component] = is_single(s, component)
				     ? (double)anim_lerp((float)from[component], (float)to[component], (float)weight)
				     : from[component] + (to[component] - from[component]) * weight;
}

static void blend_matrix(const struct anim_sampler *s, const double from[ANIM_COMPONENTS_MAX],
			 const double to[ANIM_COMPONENTS_MAX], float weight, double out[ANIM_COMPONENTS_MAX])
{
	float a[ANIM_COMPONENTS_MAX], b[ANIM_COMPONENTS_MAX];
	unsigned components = anim_types[s->track->type].components;

	anim_components_to_float(a, from, components);
	anim_components_to_float(b, to, components);
	if (components == 16)
		anim_transform_interpolate(a, a, b, weight);
	else if (s->shape == ANIM_SHAPE_TRANSFORM2D)
		anim_transform2d_interpolate(a, a, b, weight);
	else
		anim_basis_interpolate(a, a, b, weight);
	anim_components_from_float(out, a, components);
}

static void linear4(const struct anim_sampler *s, const struct anim_segment *segment, double out[ANIM_COMPONENTS_MAX])
{
	const struct anim_track *track = s->track;
	double from[ANIM_COMPONENTS_MAX], to[ANIM_COMPONENTS_MAX];

	anim_components(track->type, track->value, segment->from, from);
	anim_components(track->type, track->value, segment->to, to);
	if (s->shape == ANIM_SHAPE_PROJECTION)
		memcpy(out, segment->weight < 0.5 ? from : to, sizeof from);
	else if (anim_types[track->type].quaternion)
		anim_blend_linear(track->type, from, to, segment->weight, out);
	else if ((s->shape == ANIM_SHAPE_TRANSFORM3D && track->type == ANIM_FLOAT4X4) ||
		 (s->shape == ANIM_SHAPE_TRANSFORM2D && track->type == ANIM_FLOAT3X3))
		blend_matrix(s, from, to, (float)segment->weight, out);
	else
		linear_components(s, from, to, segment->weight, out);
}

/* Colours and the distance of a Plane are computed in double. */
static bool is_cubic_single(const struct anim_sampler *s, unsigned component)
{
	return s->track->type != ANIM_COLOR && is_single(s, component);
}

/* The engine passes the blended rows to a constructor that expects axes, so a cubic basis is transposed. */
static void turn_rows(double *m, int stride)
{
	for (int row = 0; row < 3; row++)
		for (int column = row + 1; column < 3; column++) {
			double other = m[stride * row + column];

			m[stride * row + column] = m[stride * column + row];
			m[stride * column + row] = other;
		}
}

static void cubic4(const struct anim_sampler *s, const struct anim_segment *segment, double out[ANIM_COMPONENTS_MAX])
{
	struct anim_cubic_keys keys;

	anim_cubic_keys_load(s->track, segment, &keys);
	if (anim_types[s->track->type].quaternion) {
		anim_blend_cubic_quat(&keys, segment, true, out);
		return;
	}
	for (unsigned component = 0; component < anim_types[s->track->type].components; component++)
		out[component] = anim_blend_cubic_component(&keys, segment, component, is_cubic_single(s, component));
	if (s->shape == ANIM_SHAPE_TRANSFORM3D ||
	    (s->track->type == ANIM_FLOAT3X3 && s->shape == ANIM_SHAPE_COMPONENTS))
		turn_rows(out, s->track->type == ANIM_FLOAT4X4 ? 4 : 3);
}

/* These types had cubics in 4.2. A cubic angle of a vector did not exist. */
static bool is_old_cubic(const struct anim_sampler *s)
{
	const char *interp = anim_attrs_get(&s->track->attrs, "godot.interp");

	return !(interp != NULL && strcmp(interp, "4") == 0) && has_old_cubic(s);
}

static int text4(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		 struct anim_error *error)
{
	if (s->shape == ANIM_SHAPE_LITERAL || mode != ANIM_LINEAR) {
		anim_value_copy(s->track, segment->from, out);
		return 0;
	}
	return blend_text4(s, segment, out, error);
}

/*
 * In vectors of integers, values beyond 32 bits become the smallest integer, as the engine's processors convert them.
 */
static void overflow(double components[ANIM_COMPONENTS_MAX], unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!(fabs(anim_round(components[i])) <= (double)INT32_MAX))
			components[i] = (double)INT32_MIN;
}

static int blend4(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		  struct anim_error *error)
{
	const struct anim_track *track = s->track;
	bool angle = mode == ANIM_LINEAR_ANGLE || mode == ANIM_CUBIC_ANGLE;
	bool cubic = mode == ANIM_CUBIC_TIME || mode == ANIM_CUBIC_ANGLE;
	double components[ANIM_COMPONENTS_MAX];

	if (track->type == ANIM_STRING)
		return text4(s, mode, segment, out, error);
	if (track->interp == ANIM_BEZIER_2D) {
		blend_bezier(s, segment, out);
		return 0;
	}
	if (angle && anim_type_is_real(track->type))
		components[0] = anim_blend_angle(track, segment, cubic);
	else if (cubic && s->shape != ANIM_SHAPE_PROJECTION && (!s->old_cubics || (!angle && is_old_cubic(s))))
		cubic4(s, segment, components);
	else if (cubic || angle || mode == ANIM_LINEAR)
		linear4(s, segment, components);
	else
		return anim_rules_plain.blend(s, mode, segment, out, error);
	if (anim_types[track->type].scalar == ANIM_SCALAR_I32 && anim_types[track->type].components > 1)
		overflow(components, anim_types[track->type].components);
	anim_value_store(track->type, components, out);
	return 0;
}

/* ---- Godot 4: the keys around a time in each loop mode ---- */

/*
 * "4.2", "4.2.1": before 4.3, cubics of colours, integers, bools and matrices and cubic angles of vectors were
 * linear.
 */
static bool is_old(const char *version)
{
	return version != NULL && strncmp(version, "4.", 2) == 0 && version[2] >= '0' && version[2] <= '2' &&
	       (version[3] == '\0' || version[3] == '.');
}

static void prepare4(struct anim_sampler *s)
{
	prepare(s);
	s->old_cubics = is_old(anim_attrs_get(&s->clip->attrs, "godot.version"));
}

/* Indices as in the engine's _interpolate: signed, -1 before the first key. */
struct position {
	ptrdiff_t at, next, before, after, last;
	bool at_start, at_end;
	float delta, elapsed; /* length of the segment, and elapsed time in it */
};

static ptrdiff_t clamp(ptrdiff_t k, ptrdiff_t last)
{
	return k < 0 ? 0 : k > last ? last : k;
}

static void place_once(struct position *p)
{
	if (p->at_start)
		p->at = 0;
	p->next = clamp(p->at + 1, p->last);
	p->before = clamp(p->at - 1, p->last);
	p->after = clamp(p->at + 2, p->last);
}

static ptrdiff_t modulo(ptrdiff_t k, ptrdiff_t n)
{
	return (k % n + n) % n;
}

static void place_wrapped(const struct anim_sampler *s, double t, struct position *p)
{
	ptrdiff_t n = p->last + 1;
	double at, next;

	if (p->at_start)
		p->at = p->last;
	p->next = modulo(p->at + 1, n);
	p->before = modulo(p->at - 1, n);
	p->after = modulo(p->at + 2, n);
	at = key_time(s, (size_t)p->at);
	next = key_time(s, (size_t)p->next);
	if (p->at_start) {
		float left = (float)(s->length - at);

		left = left < 0 ? 0 : left;
		p->delta = (float)((double)left + next);
		p->elapsed = (float)((double)left + t);
	} else if (p->at_end) {
		p->delta = (float)((s->length - at) + next);
		p->elapsed = (float)(t - at);
	}
}

/* Return key k of a sequence that is read forwards and backwards: 0 1 2 2 1 0 0 1 ... */
static ptrdiff_t mirrored(ptrdiff_t k, ptrdiff_t n)
{
	k = modulo(k, 2 * n);
	return k < n ? k : 2 * n - 1 - k;
}

static void place_mirrored(const struct anim_sampler *s, double t, struct position *p)
{
	ptrdiff_t n = p->last + 1, raw = p->at_start ? -1 : p->at;
	double at, next;

	p->next = mirrored(raw + 1, n);
	p->before = mirrored(raw - 1, n);
	p->after = mirrored(raw + 2, n);
	p->at = mirrored(raw, n);
	at = key_time(s, (size_t)p->at);
	next = key_time(s, (size_t)p->next);
	if (p->at_start) {
		float left = (float)at;

		left = left < 0 ? 0 : left;
		p->delta = (float)((double)left + next);
		p->elapsed = (float)((double)left + t);
	} else if (p->at_end) {
		p->delta = (float)(s->length * 2.0 - at - next);
		p->elapsed = (float)(t - at);
	}
}

static void times_mirrored(const struct anim_sampler *s, const struct position *p, struct anim_segment *segment)
{
	double at = key_time(s, segment->from), next = key_time(s, segment->to);
	double before = key_time(s, segment->before), after = key_time(s, segment->after);
	bool turns = p->at == p->next;

	if (turns && ((p->before > p->at && p->after < p->next) || (p->before < p->at && p->after > p->next)))
		segment->before_t = (float)(at - before);
	else if (p->before == p->at)
		segment->before_t = (float)(p->at < p->next ? -at * 2.0 : (s->length - at) * 2.0);
	if (turns) {
		segment->to_t = (float)(p->before < p->at ? (s->length - at) * 2.0 : -at * 2.0);
		segment->after_t = (float)(next - after + (double)segment->to_t);
	} else if (p->next == p->after) {
		segment->after_t =
		    (float)((p->at < p->next ? (s->length - next) * 2.0 : -next * 2.0) + (double)segment->to_t);
	}
}

/* Set the times of the keys of a cubic, relative to key `from` and continuing across the end of the clip. */
static void fill_times(const struct anim_sampler *s, const struct position *p, struct anim_segment *segment)
{
	double at = key_time(s, segment->from), next = key_time(s, segment->to);
	double before = key_time(s, segment->before), after = key_time(s, segment->after);
	bool wraps = s->wraps && s->clip->loop == ANIM_LOOP_WRAP;

	segment->before_t = (float)(wraps && p->before > p->at ? -s->length + before - at : before - at);
	segment->to_t = (float)(wraps && p->next < p->at ? s->length + next - at : next - at);
	segment->after_t =
	    (float)(wraps && (p->next < p->at || p->after <= p->at) ? s->length + after - at : after - at);
	if (s->wraps && !wraps)
		times_mirrored(s, p, segment);
}

static bool locate4(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	struct position p = {.last = (ptrdiff_t)s->usable - 1};

	if (s->track->interp == ANIM_BEZIER_2D)
		return locate_bezier(s, t, segment);
	memset(segment, 0, sizeof *segment);
	if (s->usable <= 1) {
		segment->hold = true;
		return s->usable == 1;
	}
	t -= s->origin;
	p.at = find_key(s, s->track->n, t);
	p.at_start = p.at < 0;
	p.at_end = p.at >= p.last;
	if (!s->wraps)
		place_once(&p);
	else if (s->clip->loop == ANIM_LOOP_WRAP)
		place_wrapped(s, t, &p);
	else
		place_mirrored(s, t, &p);
	if (!p.at_start && !p.at_end) {
		p.delta = (float)(key_time(s, (size_t)p.next) - key_time(s, (size_t)p.at));
		p.elapsed = (float)(t - key_time(s, (size_t)p.at));
	}
	segment->from = (size_t)p.at;
	segment->to = (size_t)p.next;
	segment->before = (size_t)p.before;
	segment->after = (size_t)p.after;
	segment->duration = (double)p.delta;
	segment->weight = fabsf(p.delta) < 1e-5f ? 0 : (double)(p.elapsed / p.delta);
	segment->hold = !ease(s, segment);
	if (s->neighbours)
		fill_times(s, &p, segment);
	return true;
}

const struct anim_rules_ops anim_rules_godot4 = {prepare4, locate4, blend4};

/* ---- Godot 3: everything in float32, uniform cubics, no value before the first key ---- */

static float key_time3(const struct anim_sampler *s, size_t k)
{
	return (float)key_time(s, k);
}

/* Find the segment of the time. Returns false before the first key of a clip that does not loop. */
static bool place3(struct anim_sampler *s, float t, struct anim_segment *segment, float *elapsed)
{
	ptrdiff_t at = find_key(s, s->track->n, (double)t), n = (ptrdiff_t)s->usable;
	float length = (float)s->length, left;

	segment->from = at < 0 ? 0 : (size_t)at;
	segment->to = segment->from;
	*elapsed = t - key_time3(s, segment->from);
	if (at < 0 && !s->wraps)
		return s->clip->loop != ANIM_LOOP_NONE;
	if (at >= 0 && at + 1 < n) {
		segment->to = (size_t)at + 1;
		segment->duration = (double)(key_time3(s, segment->to) - key_time3(s, segment->from));
	} else if (s->wraps) {
		segment->from = at < 0 ? (size_t)n - 1 : segment->from;
		segment->to = 0;
		left = length - key_time3(s, segment->from);
		left = at < 0 && left < 0 ? 0 : left;
		segment->duration = (double)(left + key_time3(s, 0));
		*elapsed = at < 0 ? left + t : *elapsed;
	}
	return true;
}

static bool locate3(struct anim_sampler *s, double t, struct anim_segment *segment)
{
	size_t last = s->usable - 1;
	float elapsed = 0;

	if (s->track->interp == ANIM_BEZIER_2D) {
		bool present = locate_bezier(s, s->origin + (double)(float)(t - s->origin), segment);

		segment->weight = (double)(float)segment->weight;
		return present;
	}
	memset(segment, 0, sizeof *segment);
	segment->hold = true;
	if (s->usable <= 1)
		return s->usable == 1;
	if (!place3(s, (float)(t - s->origin), segment, &elapsed))
		return false;
	if (fabs(segment->duration) >= 1e-5)
		segment->weight = (double)(elapsed / (float)segment->duration);
	segment->hold = segment->from == segment->to || !ease(s, segment);
	segment->before = segment->from > 0 ? segment->from - 1 : s->wraps ? last : 0;
	segment->after = segment->to < last ? segment->to + 1 : s->wraps ? 0 : segment->to;
	segment->to_t = (float)segment->duration;
	segment->before_t = -(float)segment->duration;
	segment->after_t = 2 * (float)segment->duration;
	return true;
}

/* Variant::interpolate. Integers are truncated towards zero; bools and Planes are not blended. */
static void linear3(const struct anim_sampler *s, const struct anim_segment *segment, double out[ANIM_COMPONENTS_MAX])
{
	const struct anim_track *track = s->track;
	const struct anim_type_info *info = &anim_types[track->type];
	double from[ANIM_COMPONENTS_MAX], to[ANIM_COMPONENTS_MAX];
	float weight = (float)segment->weight;

	anim_components(track->type, track->value, segment->from, from);
	anim_components(track->type, track->value, segment->to, to);
	if (info->scalar == ANIM_SCALAR_BOOL || s->shape == ANIM_SHAPE_PLANE) {
		memcpy(out, from, sizeof from);
	} else if (info->quaternion || (info->scalar == ANIM_SCALAR_F64 && info->components > 1)) {
		anim_blend_linear(track->type, from, to, segment->weight, out);
	} else if (track->type == ANIM_FLOAT3X3 || track->type == ANIM_FLOAT4X4) {
		blend_matrix(s, from, to, weight, out);
	} else {
		for (unsigned i = 0; i < info->components; i++) {
			out[i] = (double)anim_lerp((float)from[i], (float)to[i], weight);
			if (!anim_type_is_real(track->type))
				out[i] = trunc((double)((float)from[i] + (float)(to[i] - from[i]) * weight));
		}
	}
}

static void cubic3(const struct anim_sampler *s, const struct anim_segment *segment, double out[ANIM_COMPONENTS_MAX])
{
	struct anim_cubic_keys keys;

	anim_cubic_keys_load(s->track, segment, &keys);
	if (s->track->type == ANIM_FLOATQ) {
		anim_blend_cubic_quat(&keys, segment, false, out);
		return;
	}
	for (unsigned component = 0; component < anim_types[s->track->type].components; component++)
		out[component] = (double)anim_catmull_rom((float)keys.from[component], (float)keys.to[component],
							  (float)keys.before[component], (float)keys.after[component],
							  (float)segment->weight);
}

static int blend3(struct anim_sampler *s, enum anim_interp mode, const struct anim_segment *segment, void *out,
		  struct anim_error *error)
{
	const struct anim_track *track = s->track;
	double components[ANIM_COMPONENTS_MAX];

	if (track->interp == ANIM_BEZIER_2D) {
		blend_bezier(s, segment, out);
		return 0;
	}
	if (track->type == ANIM_STRING) {
		if (mode == ANIM_LINEAR && s->shape == ANIM_SHAPE_COMPONENTS)
			return blend_text3(s, segment, out, error);
		anim_value_copy(track, segment->from, out);
		return 0;
	}
	if (mode == ANIM_CUBIC_UNIFORM && has_old_cubic(s))
		cubic3(s, segment, components);
	else if (mode == ANIM_CUBIC_UNIFORM || mode == ANIM_LINEAR)
		linear3(s, segment, components);
	else
		return anim_rules_plain.blend(s, mode, segment, out, error);
	anim_value_store(track->type, components, out);
	return 0;
}

const struct anim_rules_ops anim_rules_godot3 = {prepare, locate3, blend3};
