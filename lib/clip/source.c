/* source.c: plays the tracks of a value and converts it to the requested units. */
#include "clip/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "clip/cubic.h"
#include "clip/keys.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

enum anim_step anim_step_from_rest(const char *property, unsigned components)
{
	if (strcmp(property, "position") == 0 && components == 3)
		return ANIM_STEP_REST_POSITION;
	if (strcmp(property, "scale") == 0 && components == 3)
		return ANIM_STEP_REST_SCALE;
	return strcmp(property, "rotation") == 0 && components == 4 ? ANIM_STEP_REST_ROTATION : ANIM_STEP_KEEP;
}

const struct anim_track *anim_source_first(const struct anim_source *s)
{
	unsigned i = 0;

	while (i + 1 < s->count && s->tracks[i] == NULL)
		i++;
	return s->tracks[i];
}

void anim_source_open(struct anim_source *s, const struct anim_rest *rest)
{
	for (unsigned i = 0; i < s->count; i++) {
		const struct anim_track *track = s->tracks[i];

		memset(s->filler[i], 0, sizeof s->filler[i]);
		if (track != NULL && track->type != ANIM_STRING)
			anim_rest_filler(rest, track, s->filler[i]);
	}
}

void anim_source_close(struct anim_source *s)
{
	for (unsigned i = 0; i < s->count; i++)
		anim_sample_state_clear(&s->states[i]);
}

static void multiply(double out[4], const double a[4], const double b[4])
{
	out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
	out[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
	out[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
	out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* In Godot 3 a bone's pose is rest * track: the rest pose scales, rotates and moves the value of the track. */
static void from_rest(const struct anim_source *s, double v[ANIM_COMPONENTS_MAX])
{
	float scaled[3], turned[3];
	double rest[4], relative[4];

	if (s->step == ANIM_STEP_REST_ROTATION) {
		for (int i = 0; i < 4; i++) {
			rest[i] = (double)s->rest.rotation[i];
			relative[i] = v[i];
		}
		multiply(v, rest, relative);
		return;
	}
	for (int i = 0; i < 3; i++) {
		scaled[i] = (float)(v[i] * (double)s->rest.scale[i]);
		v[i] = (double)scaled[i];
	}
	if (s->step == ANIM_STEP_REST_SCALE)
		return;
	anim_quat_rotate(turned, s->rest.rotation, scaled);
	for (int i = 0; i < 3; i++)
		v[i] = (double)turned[i] + (double)s->rest.position[i];
}

/*
 * Convert back: the value from which `from_rest` makes v. If the rest pose has no size, the value cannot be
 * recovered.
 */
static void to_rest(const struct anim_source *s, double v[ANIM_COMPONENTS_MAX])
{
	float back[4] = {-s->rest.rotation[0], -s->rest.rotation[1], -s->rest.rotation[2], s->rest.rotation[3]};
	float moved[3], turned[3];
	double rest[4], absolute[4];

	if (s->step == ANIM_STEP_RELATIVE_ROTATION) {
		for (int i = 0; i < 4; i++) {
			rest[i] = (double)back[i];
			absolute[i] = v[i];
		}
		multiply(v, rest, absolute);
		return;
	}
	if (s->step == ANIM_STEP_RELATIVE_POSITION) {
		for (int i = 0; i < 3; i++)
			moved[i] = (float)(v[i] - (double)s->rest.position[i]);
		anim_quat_rotate(turned, back, moved);
		for (int i = 0; i < 3; i++)
			v[i] = (double)turned[i];
	}
	for (int i = 0; i < 3; i++)
		v[i] = s->rest.scale[i] != 0 ? v[i] / (double)s->rest.scale[i] : 0;
}

/* Get one part of a matrix, which is in the first components. 9 components are a basis without origin. */
static void from_matrix(enum anim_step step, bool basis, double v[ANIM_COMPONENTS_MAX])
{
	float m[16] = {0}, position[3], rotation[4], scale[3];
	unsigned width = basis ? 3 : 4;

	m[15] = 1;
	for (unsigned row = 0; row < width; row++)
		for (unsigned column = 0; column < width; column++)
			m[4 * row + column] = (float)v[width * row + column];
	anim_transform_decompose(position, rotation, scale, m);
	for (int i = 0; i < 4; i++)
		v[i] = step == ANIM_STEP_MATRIX_ROTATION ? (double)rotation[i]
		       : i == 3                          ? 0
		       : step == ANIM_STEP_MATRIX_SCALE  ? (double)scale[i]
							 : (double)position[i];
}

/* Convert one number to another engine's meaning. */
static double with_meaning(enum anim_step step, double v)
{
	switch (step) {
	case ANIM_STEP_TRUTH:
		return v != 0;
	case ANIM_STEP_INVERSE:
		return 1 / v;
	case ANIM_STEP_NOT:
		return 1 - v;
	case ANIM_STEP_DECIBELS: /* Godot's inspector calls -80 silence */
		return v > 1e-4 ? 20 * anim_log(v) / anim_log(10) : -80;
	case ANIM_STEP_LINEAR_VOLUME:
		return anim_pow(10, v / 20);
	case ANIM_STEP_PAUSE_MODE: /* inherit, stop, process -> inherit, pausable, always */
		return v == 2 ? 3 : v;
	default: /* inherit, pausable, when paused, always, disabled -> inherit, stop, process */
		return v == 3 ? 2 : fmin(v, 1);
	}
}

static void apply(const struct anim_source *s, double v[ANIM_COMPONENTS_MAX])
{
	const struct anim_track *track = anim_source_first(s);
	double angles[3] = {0, 0, v[0]};

	switch (s->step) {
	case ANIM_STEP_KEEP:
		break;
	case ANIM_STEP_EULER:
		memcpy(angles, v, sizeof angles);
		anim_quat_from_euler_double(v, angles, s->order);
		break;
	case ANIM_STEP_ANGLE:
		anim_quat_from_euler_double(v, angles, ANIM_EULER_XYZ);
		break;
	case ANIM_STEP_REST_POSITION:
	case ANIM_STEP_REST_ROTATION:
	case ANIM_STEP_REST_SCALE:
		from_rest(s, v);
		break;
	case ANIM_STEP_RELATIVE_POSITION:
	case ANIM_STEP_RELATIVE_ROTATION:
	case ANIM_STEP_RELATIVE_SCALE:
		to_rest(s, v);
		break;
	case ANIM_STEP_TRUTH:
	case ANIM_STEP_INVERSE:
	case ANIM_STEP_NOT:
	case ANIM_STEP_DECIBELS:
	case ANIM_STEP_LINEAR_VOLUME:
	case ANIM_STEP_PAUSE_MODE:
	case ANIM_STEP_PROCESS_MODE:
		for (unsigned i = 0; i < (s->joined ? s->count : anim_types[track->type].components); i++)
			v[i] = with_meaning(s->step, v[i]);
		break;
	default:
		from_matrix(s->step, anim_types[track->type].components == 9, v);
	}
	if (s->unit_length)
		anim_normalize(v);
}

double anim_source_in_unit(const struct anim_source *s, const struct anim_track *track, double v)
{
	if (s->factor != 0)
		v *= s->factor;
	if (s->radians && (track->flags & ANIM_DEGREES))
		return v * (ANIM_PI / 180);
	if (s->bytes)
		return v / 255;
	return s->fraction && (track->flags & ANIM_PERCENT) ? v / 100 : v;
}

/* Copy the components of element k of a column of the track's type to their places in the value. */
static void put_components(const struct anim_source *s, unsigned i, const void *column, size_t k,
			   double out[ANIM_COMPONENTS_MAX])
{
	const struct anim_track *track = s->tracks[i];

	if (s->joined) {
		out[i] = anim_source_in_unit(s, track, anim_component(track->type, column, k, 0));
		return;
	}
	anim_components(track->type, column, k, out);
	for (unsigned component = 0; component < anim_types[track->type].components &&
				     (s->radians || s->bytes || s->fraction || s->factor != 0);
	     component++)
		out[component] = anim_source_in_unit(s, track, out[component]);
}

/* Copy the floats of a track of all components that has a value at every time. */
static bool put_floats(const struct anim_source *s, const struct anim_track *track, const void *values,
		       const uint8_t *present, size_t count, double (*out)[ANIM_COMPONENTS_MAX])
{
	unsigned components = anim_types[track->type].components;
	/* the numbers of the track are already in the unit of the target */
	bool has_unit = s->factor == 0 && !(s->radians && (track->flags & ANIM_DEGREES)) && !s->bytes &&
			!(s->fraction && (track->flags & ANIM_PERCENT));
	const float *in = values;

	if (s->joined || !has_unit || anim_types[track->type].scalar != ANIM_SCALAR_F32 ||
	    memchr(present, 0, count) != NULL)
		return false;
	for (size_t k = 0; k < count; k++, in += components)
		anim_components_from_float(out[k], in, components);
	return true;
}

static int sample_track(struct anim_source *s, unsigned i, const double *t, size_t count,
			double (*out)[ANIM_COMPONENTS_MAX], struct anim_error *error)
{
	uint8_t present[ANIM_SOURCE_SAMPLES];
	_Alignas(16) uint8_t values[ANIM_SOURCE_SAMPLES * ANIM_VALUE_MAX];

	if (anim_sample(s->clip, s->tracks[i], t, count, values, present, &s->states[i], error) != 0)
		return -1;
	if (put_floats(s, s->tracks[i], values, present, count, out))
		return 0;
	for (size_t k = 0; k < count; k++) {
		s->absent += !present[k];
		if (present[k])
			put_components(s, i, values, k, out[k]);
		else
			put_components(s, i, s->filler[i], 0, out[k]);
	}
	return 0;
}

int anim_source_sample(struct anim_source *s, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		       struct anim_error *error)
{
	for (unsigned i = 0; i < s->count; i++) {
		for (size_t k = 0; k < count && s->tracks[i] == NULL; k++)
			out[k][i] = s->fixed[i];
		if (s->tracks[i] != NULL && sample_track(s, i, t, count, out, error) != 0)
			return -1;
	}
	for (size_t k = 0; k < count && (s->step != ANIM_STEP_KEEP || s->unit_length); k++)
		apply(s, out[k]);
	return 0;
}

void anim_source_element(const struct anim_source *s, size_t k, double out[ANIM_COMPONENTS_MAX])
{
	for (unsigned i = 0; i < s->count; i++) {
		if (s->tracks[i] == NULL)
			out[i] = s->fixed[i];
		else
			put_components(s, i, s->tracks[i]->value, k, out);
	}
	apply(s, out);
}

static bool is_godot(const struct anim_track *track)
{
	return track->kind != ANIM_RAW && anim_rules_are_godot(track->rules);
}

static int add(struct anim_buffer *out, double t, double start, double end, struct anim_error *error)
{
	float at = (float)t;

	if (!((double)at > start && (double)at < end))
		return 0;
	return anim_buffer_append(out, &at, sizeof at, error);
}

/* Repeat the keys as often as needed for an end of the track that repeats them. */
static int add_repeats(const struct anim_track *track, double start, double end, struct anim_buffer *out,
		       struct anim_error *error)
{
	double first = anim_track_time(track, 0), last = anim_track_time(track, track->n - 1), span = last - first;
	double from =
	    track->pre == ANIM_EXTRAPOLATION_LOOP || track->pre == ANIM_EXTRAPOLATION_PINGPONG ? start : first;
	double to = track->post == ANIM_EXTRAPOLATION_LOOP || track->post == ANIM_EXTRAPOLATION_PINGPONG ? end : last;
	double low, high;

	if (is_godot(track) || !(span > 0) || (from >= first && to <= last))
		return 0;
	low = fmin(floor((from - first) / span), 0);
	high = fmax(ceil((to - first) / span), 1);
	if ((high - low) * (double)track->n > (double)(ANIM_KEYS_MAX / 64))
		return anim_fail(error, ANIM_TOO_LARGE, "track '%s %s' repeats its keys too often", track->node,
				 track->property);
	for (double turn = low; turn < high; turn++) {
		uint8_t kind = turn < 0 ? track->pre : track->post;
		bool back = kind == ANIM_EXTRAPOLATION_PINGPONG && fmod(fabs(turn), 2) == 1;

		for (size_t k = 0; k < track->n && turn != 0; k++) {
			double into = anim_track_time(track, k) - first;

			if (add(out, first + turn * span + (back ? span - into : into), start, end, error) != 0)
				return -1;
		}
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return x < y ? -1 : x > y;
}

static void sort_unique(struct anim_buffer *out)
{
	float *t = (float *)(void *)out->data;
	size_t n = out->size / sizeof *t, kept = 0, k = 1;

	while (k < n && t[k] > t[k - 1])
		k++;
	if (k < n)
		qsort(t, n, sizeof *t, compare);
	for (k = 0; k < n; k++)
		if (kept == 0 || t[k] > t[kept - 1])
			t[kept++] = t[k];
	out->size = kept * sizeof *t;
}

/* Return the end of the clip. A clip without length ends at the last key, if its player continues playing. */
static float end_of(const struct anim_source *s)
{
	float end = s->clip->end_s;

	for (unsigned i = 0; i < s->count && s->clip->end_s <= s->clip->start_s; i++) {
		const struct anim_track *track = s->tracks[i];
		double last = track != NULL && track->n > 0 ? anim_track_time(track, track->n - 1) : 0;

		if (track != NULL && !is_godot(track) && last > (double)end)
			end = (float)last;
	}
	return end;
}

int anim_source_breaks(const struct anim_source *s, struct anim_buffer *out, struct anim_error *error)
{
	float start = s->clip->start_s, end = end_of(s);

	out->size = 0;
	if (anim_buffer_append(out, &start, sizeof start, error) != 0)
		return -1;
	for (unsigned i = 0; i < s->count; i++) {
		const struct anim_track *track = s->tracks[i];

		for (size_t k = 0; track != NULL && k < track->n; k++)
			if (add(out, anim_track_time(track, k), (double)start, (double)end, error) != 0)
				return -1;
		if (track != NULL && track->n > 0 && add_repeats(track, (double)start, (double)end, out, error) != 0)
			return -1;
	}
	if (end > start && anim_buffer_append(out, &end, sizeof end, error) != 0)
		return -1;
	sort_unique(out);
	return 0;
}

/* ---- Swings of rotations that are blended component by component ---- */

#define SWING_COSINE 0.99905 /* of the angle between quaternions, which is half of a rotation of 5 degrees */
#define SWING_PARTS 4        /* parts of a curve between two breaks, which may swing forwards and backwards */
#define SWING_NEAR 4e-7      /* seconds; at large times, a fraction of the time. Faster swings are jumps */

/*
 * Return whether the path from key k to the next leaves the half-space of the first: its straight line, or the hull
 * of the control values of a cubic.
 */
static bool segment_swings(const struct anim_track *track, size_t k)
{
	struct anim_cubic cubics[4];
	double dot[4] = {0};
	bool cubic = true;

	for (unsigned i = 0; i < 4; i++) {
		cubic = cubic && track->kind == ANIM_CURVE && anim_cubic_read(track, k, i, &cubics[i]);
		dot[3] += anim_component(track->type, track->value, k, i) *
			  anim_component(track->type, track->value, k + 1, i);
	}
	for (int point = 0; cubic && point < 4; point++) {
		dot[point] = 0;
		for (int i = 0; i < 4; i++)
			dot[point] += cubics[i].y[0] * cubics[i].y[point];
	}
	return dot[1] < 0 || dot[2] < 0 || dot[3] < 0;
}

/* Return whether any segment does. This is not known for components with tracks of their own. */
static bool may_swing(const struct anim_source *s)
{
	const struct anim_track *track = anim_source_first(s);
	bool turned =
	    s->step != ANIM_STEP_KEEP && s->step != ANIM_STEP_REST_ROTATION && s->step != ANIM_STEP_RELATIVE_ROTATION;

	if (turned || s->joined)
		return !turned && s->unit_length && s->count == 4;
	if (!anim_types[track->type].quaternion || track->kind == ANIM_DISCRETE)
		return false;
	for (size_t k = 0; k + 1 < track->n; k++)
		if (anim_segment_blends_components(s->clip, track, k) && segment_swings(track, k))
			return true;
	return false;
}

/* A time and its quaternion, with the signs as played. */
struct swing {
	double t, q[4];
};

static int play_swing(struct anim_source *s, struct swing *at, size_t count, struct anim_error *error)
{
	double t[SWING_PARTS + 1], v[SWING_PARTS + 1][ANIM_COMPONENTS_MAX] = {{0}};

	for (size_t i = 0; i < count; i++)
		t[i] = at[i].t;
	if (anim_source_sample(s, t, count, v, error) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		memcpy(at[i].q, v[i], sizeof at[i].q);
		anim_normalize(at[i].q);
	}
	return 0;
}

static bool rotates(const struct swing *a, const struct swing *b)
{
	double dot = a->q[0] * b->q[0] + a->q[1] * b->q[1] + a->q[2] * b->q[2] + a->q[3] * b->q[3];

	return !(dot > SWING_COSINE);
}

/* Halve the interval between two times until the rotation in it is small. */
static int follow_swing(struct anim_source *s, const struct swing *a, const struct swing *b, struct anim_buffer *out,
			struct anim_error *error)
{
	struct swing middle = {.t = a->t + (b->t - a->t) / 2};
	float at = (float)middle.t;

	if (!rotates(a, b) || !(b->t - a->t > SWING_NEAR * fmax(1, fabs(b->t))))
		return 0;
	if (play_swing(s, &middle, 1, error) != 0 || follow_swing(s, a, &middle, out, error) != 0 ||
	    anim_buffer_append(out, &at, sizeof at, error) != 0)
		return -1;
	return follow_swing(s, &middle, b, out, error);
}

/* Follow the path between two breaks. At the breaks the player may show the value beyond. */
static int follow_way(struct anim_source *s, double from, double to, struct anim_buffer *out, struct anim_error *error)
{
	struct swing at[SWING_PARTS + 1];
	float between;
	double near = SWING_NEAR * fmax(1, fabs(to));

	if (!(to - from > 4 * near))
		return 0;
	for (int i = 0; i <= SWING_PARTS; i++)
		at[i].t = from + near + (to - from - 2 * near) * i / SWING_PARTS;
	if (play_swing(s, at, SWING_PARTS + 1, error) != 0)
		return -1;
	for (int i = 0; i < SWING_PARTS; i++) {
		between = (float)at[i].t;
		if (i > 0 && (rotates(&at[i - 1], &at[i]) || rotates(&at[i], &at[i + 1])) &&
		    anim_buffer_append(out, &between, sizeof between, error) != 0)
			return -1;
		if (follow_swing(s, &at[i], &at[i + 1], out, error) != 0)
			return -1;
	}
	return 0;
}

int anim_source_add_swings(struct anim_source *s, struct anim_buffer *breaks, struct anim_error *error)
{
	size_t n = breaks->size / sizeof(float);

	if (!may_swing(s))
		return 0;
	for (size_t k = 0; k + 1 < n; k++) {
		float ends[2];

		memcpy(ends, breaks->data + k * sizeof *ends, sizeof ends);
		if (follow_way(s, (double)ends[0], (double)ends[1], breaks, error) != 0)
			return -1;
	}
	if (breaks->size == n * sizeof(float))
		return 0;
	sort_unique(breaks);
	return 1;
}

/* ---- The value at a time, or at all times ---- */

bool anim_source_is_key(const struct anim_source *s, float t)
{
	for (unsigned i = 0; i < s->count; i++) {
		const struct anim_track *track = s->tracks[i];
		ptrdiff_t k;

		if (track == NULL || track->kind == ANIM_RAW)
			continue;
		k = anim_find_key(track->time, track->n, (double)t);
		if (k >= 0 && track->time[k] == t)
			return true;
	}
	return false;
}

double anim_rules_near(enum anim_rules rules, double t)
{
	double size = fmax(1, fabs(t));

	/*
	 * Godot finds keys within 1e-5 of a time, relative above 1 s (is_equal_approx). Twice this distance is
	 * outside on both sides.
	 */
	return anim_rules_are_godot(rules) ? 2e-5 * size : 0x1p-40 * size;
}

double anim_rules_reach(enum anim_rules rules, double t)
{
	return anim_rules_are_godot(rules) ? 1.001e-5 * fmax(1, fabs(t)) : 0;
}

/* Return whether a key before t holds until the next. */
static bool holds_before(const struct anim_source *source, double t)
{
	const struct anim_track *track = anim_source_first(source);
	ptrdiff_t k = track->kind == ANIM_RAW ? -1 : anim_find_key(track->time, track->n, t);

	if (k < 0 || (size_t)k + 1 >= track->n)
		return false;
	return track->kind == ANIM_DISCRETE || anim_track_interp(track, (size_t)k) == ANIM_HOLD ||
	       (track->ease != NULL && track->ease[k] == 0);
}

int anim_source_jump(struct anim_source *source, const struct anim_buffer *breaks, size_t k,
		     double v[2][ANIM_COMPONENTS_MAX], struct anim_error *error)
{
	const float *at = (const float *)(const void *)breaks->data;
	size_t count = breaks->size / sizeof *at;
	double own = anim_rules_reach(anim_source_first(source)->rules, (double)at[k] - (double)source->clip->start_s);
	double beside = own > 0 ? own : 0x1p-22 * fmax(1, fabs((double)at[k])), t[2];
	bool near = (k > 0 && (double)at[k] - (double)at[k - 1] < 2 * own) ||
		    (k + 1 < count && (double)at[k + 1] - (double)at[k] < 2 * own);

	t[0] = (double)at[k] - beside;
	t[1] = (double)at[k] + beside;
	if (k == 0 || (own > 0 && !near && !holds_before(source, (double)at[k] - 2 * own)))
		t[0] = t[1];
	memset(v, 0, 2 * sizeof *v);
	return anim_source_sample(source, t, 2, v, error);
}

bool anim_source_is_late(const struct anim_source *source)
{
	const struct anim_track *track = anim_source_first(source);

	return track->rules == ANIM_RULES_RESONITE || track->post == ANIM_EXTRAPOLATION_LOOP;
}

double anim_time_just_after(double t)
{
	return t + 0x1p-40 * fmax(1, fabs(t)); /* far below a float's step, far above a double's */
}

bool anim_source_blends_linearly(const struct anim_source *source)
{
	for (unsigned i = 0; i < source->count; i++) {
		const struct anim_track *track = source->tracks[i];

		if (track == NULL || track->kind == ANIM_DISCRETE)
			continue;
		for (int mode = ANIM_LINEAR + 1; mode < ANIM_INTERP_COUNT; mode++)
			if (anim_track_has_interp(track, (enum anim_interp)mode))
				return false;
		if (track->ease != NULL)
			return false;
	}
	return true;
}
