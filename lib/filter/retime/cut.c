/* cut.c: cut a track to a range of its clip, piece by piece. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clip/cubic.h"
#include "clip/deviation.h"
#include "clip/keys.h"
#include "clip/source.h"
#include "filter/common/components.h"
#include "filter/retime/cut.h"
#include "math/curve.h"
#include "math/elementary.h"

/* A range of time without keys inside. */
struct retime_window {
	double start_s, end_s;
	ptrdiff_t opens, closes; /* the keys at its ends, -1: none */
};

/* --- Tracks that grow key by key with all their columns --- */

static void load_components(const struct anim_track *track, const void *column, size_t k,
			    double out[ANIM_COMPONENTS_MAX])
{
	for (unsigned component = 0; column != NULL && component < anim_types[track->type].components; component++)
		out[component] = anim_component(track->type, column, k, component);
}

static void load_floats(const struct anim_track *track, const float *column, size_t k, float out[ANIM_COMPONENTS_MAX])
{
	size_t components = anim_types[track->type].components;

	if (column != NULL)
		memcpy(out, column + k * components, components * sizeof *out);
}

void retime_key_load(const struct anim_track *track, size_t k, struct retime_key *key)
{
	memset(key, 0, sizeof *key);
	key->time_s = track->time[k];
	key->mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, k);
	anim_value_copy(track, k, &key->value);
	load_components(track, track->left, k, key->left);
	load_components(track, track->right, k, key->right);
	load_floats(track, track->left_x, k, key->left_x);
	load_floats(track, track->right_x, k, key->right_x);
	key->ease = track->ease == NULL ? 1 : track->ease[k];
	key->weighted = track->weighted == NULL ? 0 : track->weighted[k];
}

void retime_keys_clear(struct retime_keys *keys)
{
	anim_keys_clear(&keys->keys);
}

int retime_keys_begin(struct retime_keys *keys, const struct anim_track *like, struct anim_error *error)
{
	unsigned columns = 0;

	for (enum anim_column id = ANIM_COLUMN_LEFT; id < ANIM_COLUMN_HINT; id++)
		columns |= like->column[id] != NULL ? 1u << id : 0;
	anim_keys_reset(&keys->keys, like->type);
	keys->bends = keys->reaches = keys->weighs = false;
	return anim_keys_reserve(&keys->keys, columns, like->n, error);
}

static int set_components(struct retime_keys *keys, enum anim_column id, const double components[ANIM_COMPONENTS_MAX],
			  struct anim_error *error)
{
	union retime_value value;

	anim_value_store(keys->keys.type, components, &value);
	return anim_keys_set(&keys->keys, id, &value, error);
}

int retime_keys_add(struct retime_keys *keys, const struct anim_track *like, const struct retime_key *key,
		    struct anim_error *error)
{
	struct anim_keys *to = &keys->keys;

	keys->bends |= key->mode >= ANIM_TANGENT && key->mode <= ANIM_BEZIER_2D;
	keys->reaches |= key->mode == ANIM_WEIGHTED || key->mode == ANIM_BEZIER_2D;
	keys->weighs |= key->mode == ANIM_WEIGHTED;
	if (anim_keys_add(to, key->time_s, &key->value, key->mode, error) != 0)
		return -1;
	if (like->kind == ANIM_DISCRETE)
		return 0;
	if ((like->left != NULL || keys->bends) && (set_components(keys, ANIM_COLUMN_LEFT, key->left, error) != 0 ||
						    set_components(keys, ANIM_COLUMN_RIGHT, key->right, error) != 0))
		return -1;
	if (like->left_x != NULL && (anim_keys_set(to, ANIM_COLUMN_LEFT_X, key->left_x, error) != 0 ||
				     anim_keys_set(to, ANIM_COLUMN_RIGHT_X, key->right_x, error) != 0))
		return -1;
	if (like->ease != NULL && anim_keys_set(to, ANIM_COLUMN_EASE, &key->ease, error) != 0)
		return -1;
	return like->weighted == NULL ? 0 : anim_keys_set(to, ANIM_COLUMN_WEIGHTED, &key->weighted, error);
}

void retime_keys_track(struct retime_keys *keys, const struct anim_track *like, struct anim_track *out)
{
	*out = *like;
	out->record = NULL;
	out->flags &= ~ANIM_UNSORTED;
	out->n = keys->keys.n;
	if (out->n == 0)
		return;
	anim_keys_finish(&keys->keys, out);
	if (!keys->reaches)
		out->left_x = out->right_x = NULL;
	if (!keys->weighs)
		out->weighted = NULL;
}

/* Append a key after the last piece. */
static int append(struct anim_cutter *cut, struct retime_key *key, struct anim_error *error)
{
	unsigned components = anim_types[cut->track->type].components;

	if (cut->arrives) {
		memcpy(key->left, cut->arriving.left, components * sizeof *key->left);
		memcpy(key->left_x, cut->arriving.left_x, components * sizeof *key->left_x);
		key->weighted = (uint8_t)((key->weighted & 2) | (cut->arriving.weighted & 1));
	}
	cut->arrives = false;
	return retime_keys_add(&cut->keys, cut->track, key, error);
}

/* Find the value at t. Returns false without a value, or on failure (*result -1). */
static bool value_at(struct anim_cutter *cut, double t, union retime_value *value, int *result,
		     struct anim_error *error)
{
	uint8_t present = 0;

	*result = anim_sample(cut->clip, cut->track, &t, 1, value, &present, &cut->state, error);
	return *result == 0 && present;
}

/* --- Approximation: straight pieces within a tolerance, or a key at each step --- */

#define DEPTH 22         /* maximum number of halvings of a window */
#define CHANGES_MAX 4096 /* maximum number of keys for a window of steps */
#define PROBES 64
#define MEASURED 0.8 /* fraction of the tolerance that samples may use; errors between samples may be larger */
#define SPARE 1.25   /* factor by which the error between two samples may be larger */

/* A time and the value at it. */
struct point {
	float t;
	double v[ANIM_COMPONENTS_MAX];
};

struct fit {
	struct anim_cutter *cut;
	const struct retime_window *window;
	enum anim_interp mode;
	struct anim_error *error;
};

static bool is_angle(enum anim_interp mode)
{
	return mode == ANIM_LINEAR_ANGLE || mode == ANIM_CUBIC_ANGLE;
}

/*
 * Find the value at t: of the key at the window's end if there is one, otherwise the value that the player shows.
 * Returns 1, 0 if there is no value, or -1.
 */
static int find_point(const struct fit *fit, double t, ptrdiff_t key, struct point *point)
{
	struct anim_cutter *cut = fit->cut;
	union retime_value value;
	int result = 0;

	point->t = (float)t;
	memset(point->v, 0, sizeof point->v);
	if (key >= 0) {
		anim_components(cut->track->type, cut->track->value, (size_t)key, point->v);
		return 1;
	}
	if (!value_at(cut, t, &value, &result, fit->error))
		return result;
	anim_components(cut->track->type, &value, 0, point->v);
	return 1;
}

/*
 * Return the distance of two values: degrees for rotations, radians the short way for angles, otherwise the largest
 * difference of a component.
 */
static double deviation(const struct fit *fit, const double a[ANIM_COMPONENTS_MAX], const double b[ANIM_COMPONENTS_MAX])
{
	if (is_angle(fit->mode))
		return fabs(a[0] - b[0] - ANIM_TAU * rint((a[0] - b[0]) / ANIM_TAU));
	return anim_values_apart(fit->cut->track->type, a, b);
}

/* Compute the value of a straight piece at a share of its length. */
static void straight(const struct fit *fit, const struct point *a, const struct point *b, double share,
		     double out[ANIM_COMPONENTS_MAX])
{
	const struct anim_track *track = fit->cut->track;
	bool slerps = track->rules != ANIM_RULES_UNITY && track->rules != ANIM_RULES_RESONITE;

	if (is_angle(fit->mode)) {
		out[0] = (double)anim_lerp_angle((float)a->v[0], (float)b->v[0], (float)share);
		return;
	}
	if (anim_types[track->type].quaternion && slerps) {
		anim_blend_linear(track->type, a->v, b->v, share, out);
		return;
	}
	for (unsigned component = 0; component < anim_types[track->type].components; component++)
		out[component] = a->v[component] + (b->v[component] - a->v[component]) * share;
}

#define PARTS 16 /* number of parts of a straight piece between which the error is measured */

/* Return the error of the straight piece, or -1 on failure. */
static double measure(const struct fit *fit, const struct point *a, const struct point *b)
{
	double worst = 0;

	for (int i = 1; i < PARTS; i++) {
		double share = (double)i / PARTS, t = (double)a->t + ((double)b->t - (double)a->t) * share,
		       line[ANIM_COMPONENTS_MAX] = {0};
		struct point real;
		int found = find_point(fit, t, -1, &real);

		if (found < 0)
			return -1;
		if (found == 0)
			continue;
		straight(fit, a, b, share, line);
		worst = fmax(worst, deviation(fit, line, real.v));
	}
	return worst;
}

/* A straight piece that was accepted. */
struct straight_piece {
	const struct fit *fit;
	const struct point *a, *b;
};

static int errors_at(void *context, const double *t, size_t count, double *off, struct anim_error *error)
{
	const struct straight_piece *piece = context;
	double from_s = (double)piece->a->t, length = (double)piece->b->t - from_s;

	(void)error;
	for (size_t i = 0; i < count; i++) {
		double line[ANIM_COMPONENTS_MAX] = {0};
		struct point real;
		int found = find_point(piece->fit, t[i], -1, &real);

		if (found < 0)
			return -1;
		straight(piece->fit, piece->a, piece->b, (t[i] - from_s) / length, line);
		off[i] = found > 0 ? deviation(piece->fit, line, real.v) : 0;
	}
	return 0;
}

#define NEAREST 0x1p-30 /* seconds, multiplied by large times: minimum distance of samples from the ends of a piece */

/*
 * Append a straight piece and record its error, measured densely. In a Bezier track it is a Bezier segment with handles
 * along the line.
 */
static int add_straight(const struct fit *fit, const struct point *a, const struct point *b)
{
	struct anim_cutter *cut = fit->cut;
	struct straight_piece piece = {fit, a, b};
	struct anim_deviation dense = {.at = errors_at, .context = &piece, .quiet = cut->worst};
	/* Nearer to an end, Godot's player shows the key's value, for the source as well as the result. */
	double reach = anim_rules_reach(cut->track->rules, (double)b->t - (double)cut->clip->start_s);
	double from_s = (double)a->t + reach, to_s = (double)b->t - reach;
	struct retime_key key;

	if (to_s > from_s &&
	    anim_deviation_between(&dense, from_s, to_s, NEAREST * fmax(1, fabs(to_s)), fit->error) != 0)
		return -1;
	cut->worst = fmax(cut->worst, SPARE * dense.worst);

	memset(&key, 0, sizeof key);
	key.ease = 1;
	key.time_s = a->t;
	key.mode = is_angle(fit->mode) ? ANIM_LINEAR_ANGLE : fit->mode == ANIM_BEZIER_2D ? ANIM_BEZIER_2D : ANIM_LINEAR;
	anim_value_store(cut->track->type, a->v, &key.value);
	if (key.mode == ANIM_BEZIER_2D) {
		key.right[0] = (b->v[0] - a->v[0]) / 3;
		key.right_x[0] = (float)(((double)b->t - (double)a->t) / 3);
	}
	if (append(cut, &key, fit->error) != 0)
		return -1;
	memset(&cut->arriving, 0, sizeof cut->arriving);
	cut->arriving.left[0] = -key.right[0];
	cut->arriving.left_x[0] = -key.right_x[0];
	cut->arrives = cut->has_end = true;
	cut->end_mode = key.mode;
	memcpy(cut->end, b->v, sizeof cut->end);
	return 0;
}

/* Append a straight piece, or halve it until its error is within the tolerance. */
static int fit_part(const struct fit *fit, const struct point *a, const struct point *b, unsigned depth)
{
	struct anim_cutter *cut = fit->cut;
	double off = measure(fit, a, b), scale = anim_types[cut->track->type].quaternion ? 100 : 1;
	struct point middle;
	bool one_key;
	int found;

	if (off < 0)
		return -1;
	/* Godot treats keys less than 1e-5 s apart (multiplied by large times) as one. Shorter halves would not be played. */
	one_key =
	    anim_rules_are_godot(cut->track->rules) && (double)b->t - (double)a->t < 4e-5 * fmax(1, fabs((double)b->t));
	middle.t = (float)((double)a->t + ((double)b->t - (double)a->t) / 2);
	if (!(off > MEASURED * cut->tol * scale) || depth == DEPTH || !(middle.t > a->t && middle.t < b->t) || one_key)
		return add_straight(fit, a, b);
	if ((found = find_point(fit, (double)middle.t, -1, &middle)) <= 0)
		return found;
	return fit_part(fit, a, &middle, depth + 1) != 0 ? -1 : fit_part(fit, &middle, b, depth + 1);
}

/* Approximate a window by straight pieces within the tolerance. A window of steps gets one key at each change. */
static int retime_fit(struct anim_cutter *cut, const struct retime_window *window, enum anim_interp mode,
		      struct anim_error *error)
{
	const struct fit fit = {cut, window, mode, error};
	struct point a, b;
	int found;

	if ((found = find_point(&fit, window->start_s, window->opens, &a)) <= 0 ||
	    (found = find_point(&fit, window->end_s, window->closes, &b)) <= 0)
		return found;
	cut->approximated = true;
	return fit_part(&fit, &a, &b, 0);
}

/* A time and its value. Texts are in the arena. */
struct piece_step {
	float t;
	union retime_value value;
};

static int find_step(const struct fit *fit, double t, struct piece_step *step)
{
	struct anim_cutter *cut = fit->cut;
	struct anim_text *text = &step->value.text;
	int result = 0;

	step->t = (float)t;
	if (!value_at(cut, t, &step->value, &result, fit->error))
		return result;
	if (cut->track->type == ANIM_STRING && text->length != ANIM_NULL_STRING) {
		text->bytes = anim_arena_text(&cut->texts, text->bytes, text->length, fit->error);
		return text->bytes == NULL ? -1 : 1;
	}
	return 1;
}

static int add_change(const struct fit *fit, const struct piece_step *step)
{
	struct retime_key key;

	memset(&key, 0, sizeof key);
	key.ease = 1;
	key.time_s = step->t;
	key.mode = ANIM_HOLD;
	key.value = step->value;
	return append(fit->cut, &key, fit->error);
}

/*
 * Add a key for each change after a, up to b, with at most `most` keys in total. Each halving comes closer to the
 * float32 time of a change.
 */
static int find_changes(const struct fit *fit, const struct piece_step *a, const struct piece_step *b, size_t most)
{
	struct anim_cutter *cut = fit->cut;
	struct piece_step middle;
	float t = (float)((double)a->t + ((double)b->t - (double)a->t) / 2);
	int found;

	if (anim_value_equal(cut->track->type, &a->value, &b->value))
		return 0;
	if (cut->keys.keys.n >= most)
		cut->approximated = true;
	if (cut->keys.keys.n >= most || !(t > a->t && t < b->t))
		return add_change(fit, b);
	if ((found = find_step(fit, (double)t, &middle)) <= 0)
		return found;
	return find_changes(fit, a, &middle, most) != 0 ? -1 : find_changes(fit, &middle, b, most);
}

/*
 * Measure how far integer values move up and down in the window. This is the minimum number of keys for their steps. It
 * is 0 for other values.
 */
static int measure_way(const struct fit *fit, double *way)
{
	const struct retime_window *window = fit->window;
	enum anim_type type = fit->cut->track->type;
	struct point at, next;
	int found;

	*way = 0;
	if (type == ANIM_STRING || anim_types[type].scalar == ANIM_SCALAR_BOOL)
		return 1;
	if ((found = find_point(fit, window->start_s, window->opens, &at)) <= 0)
		return found;
	for (int i = 1; i <= PROBES; i++, at = next) {
		double t = window->start_s + (window->end_s - window->start_s) * i / PROBES, most = 0;

		if ((found = find_point(fit, t, i < PROBES ? -1 : window->closes, &next)) <= 0)
			return found;
		for (unsigned component = 0; component < anim_types[type].components; component++)
			most = fmax(most, fabs(next.v[component] - at.v[component]));
		*way += most;
	}
	return 1;
}

/* Add a key for each change in a window of steps, or straight pieces if there are too many changes. */
static int retime_fit_steps(struct anim_cutter *cut, const struct retime_window *window, struct anim_error *error)
{
	const struct fit fit = {cut, window, ANIM_HOLD, error};
	double way;
	size_t most = cut->keys.keys.n + CHANGES_MAX;
	double seconds = window->end_s - window->start_s;
	struct piece_step at, next;
	int found = measure_way(&fit, &way);

	if (found <= 0)
		return found;
	if (way > CHANGES_MAX) {
		/*
		 * These integers change too often for a key at each change. Straight pieces approximate them with an
		 * error of at most 1, except for huge values.
		 */
		double tol = cut->tol;

		cut->tol = fmax(1, way * 1e-6);
		found = retime_fit(cut, window, ANIM_LINEAR, error);
		cut->tol = tol;
		return found;
	}
	found = find_step(&fit, window->start_s, &at);
	cut->end_mode = ANIM_HOLD;
	if (found <= 0 || add_change(&fit, &at) != 0)
		return found <= 0 ? found : -1;
	for (int i = 1; i <= PROBES; i++) {
		/* At the very end, the closing key may already be visible. */
		double t = window->start_s + seconds * (i < PROBES ? (double)i / PROBES : 1 - 1e-7);

		if ((found = find_step(&fit, t, &next)) <= 0)
			return found;
		if (find_changes(&fit, &at, &next, most) != 0)
			return -1;
		at = next;
	}
	return 0;
}

/* --- One window of a track as separate keys: a part of a segment with the same curve --- */

/* A window as the player sees it. */
struct view {
	struct anim_cutter *cut;
	const struct retime_window *window;
	struct anim_segment segment;
	enum anim_interp mode;
	double from, to; /* start and end in the segment; from > to if the track runs backwards there */
	double seconds;
};

/* Return whether a segment of this mode can be cut exactly, without keys in between. */
static bool piece_is_exact(const struct anim_cutter *cut, enum anim_interp mode)
{
	const struct anim_type_info *info = &anim_types[cut->track->type];

	if (mode == ANIM_HOLD)
		return true;
	if (!anim_type_is_real(cut->track->type) || (anim_rules_are_godot(cut->track->rules) && info->matrix) ||
	    mode == ANIM_CUBIC_ANGLE)
		return false;
	return !info->quaternion || (mode != ANIM_CUBIC_TIME && mode != ANIM_CUBIC_UNIFORM);
}

/* Return the transition of the key, or 1 if the player ignores transitions. */
static double ease_of(const struct anim_track *track, size_t k)
{
	bool ignores = track->rules == ANIM_RULES_RESONITE ||
		       (anim_rules_are_godot(track->rules) && track->interp == ANIM_BEZIER_2D);

	return track->ease == NULL || ignores ? 1 : (double)track->ease[k];
}

static double weight_at(struct view *v, double t)
{
	struct anim_segment segment;
	bool seconds = anim_rules_are_godot(v->cut->track->rules) && v->cut->track->interp == ANIM_BEZIER_2D;

	memset(&segment, 0, sizeof segment);
	v->cut->sampler.rules->locate(&v->cut->sampler, t, &segment);
	return seconds && segment.duration > 0 ? segment.weight / segment.duration : segment.weight;
}

/* Find the window's position in its segment. The position is exact if the segment runs from one key to the next. */
static void locate_window(struct view *v)
{
	const struct anim_track *track = v->cut->track;
	const struct retime_window *w = v->window;
	size_t from = v->segment.from, to = v->segment.to;

	v->seconds = w->end_s - w->start_s;
	if (to == from + 1 && w->start_s >= (double)track->time[from] && w->end_s <= (double)track->time[to]) {
		double start = (double)track->time[from], length = (double)track->time[to] - start;

		v->from = (w->start_s - start) / length;
		v->to = (w->end_s - start) / length;
	} else {
		double early = weight_at(v, w->start_s + v->seconds / 4),
		       late = weight_at(v, w->end_s - v->seconds / 4);

		v->from = early - (late - early) / 2;
		v->to = late + (late - early) / 2;
	}
	v->from = w->opens >= 0 ? rint(v->from) : v->from;
	v->to = w->closes >= 0 ? rint(v->to) : v->to;
}

static void begin_key(const struct view *v, struct retime_key *key)
{
	memset(key, 0, sizeof *key);
	key->ease = 1;
	if (v->window->opens >= 0)
		retime_key_load(v->cut->track, (size_t)v->window->opens, key);
	if (v->mode != ANIM_HOLD)
		key->ease = 1;
	key->time_s = (float)v->window->start_s;
	key->mode = v->mode;
}

static void end_piece(const struct view *v, const struct retime_key *key, const double end[ANIM_COMPONENTS_MAX])
{
	struct anim_cutter *cut = v->cut;

	cut->arriving = *key;
	cut->arrives = true;
	cut->has_end = true;
	cut->end_mode = key->mode;
	memcpy(cut->end, end, sizeof cut->end);
}

/* Append a straight line between the values at both ends, in the segment's own mode. */
static int add_line(const struct view *v, struct anim_error *error)
{
	struct anim_cutter *cut = v->cut;
	struct retime_key key;
	union retime_value value;
	double end[ANIM_COMPONENTS_MAX] = {0};
	int result = 0;

	begin_key(v, &key);
	if (v->window->opens < 0 && !value_at(cut, v->window->start_s, &key.value, &result, error))
		return result;
	if (v->window->closes < 0) {
		if (!value_at(cut, v->window->end_s, &value, &result, error))
			return result;
		anim_components(cut->track->type, &value, 0, end);
	}
	if (append(cut, &key, error) != 0)
		return -1;
	end_piece(v, &key, end);
	memset(cut->arriving.left, 0, sizeof cut->arriving.left);
	memset(cut->arriving.left_x, 0, sizeof cut->arriving.left_x);
	cut->arriving.weighted = 0;
	return 0;
}

/* Convert control values of a cubic to the tangents of the mode. */
static void set_tangents(const struct view *v, unsigned component, const struct anim_cubic *l, struct retime_key *key,
			 struct retime_key *next)
{
	const double *x = l->x, *y = l->y;
	bool weighs = v->mode == ANIM_WEIGHTED && ((key->weighted & 2) || (next->weighted & 1));
	double right = weighs ? x[1] : 1.0 / 3, left = weighs ? 1 - x[2] : 1.0 / 3;

	switch (v->mode) {
	case ANIM_CUBIC_BEZIER:
		key->right[component] = y[1];
		next->left[component] = y[2];
		break;
	case ANIM_BEZIER_2D:
		key->right[component] = y[1] - y[0];
		next->left[component] = y[2] - y[3];
		key->right_x[component] = (float)(x[1] * v->seconds);
		next->left_x[component] = (float)((x[2] - 1) * v->seconds);
		break;
	case ANIM_TANGENT:
		key->right[component] = 3 * (y[1] - y[0]);
		next->left[component] = 3 * (y[3] - y[2]);
		break;
	default: /* a handle without length has no effect and keeps its slope */
		key->right[component] = right != 0 ? (y[1] - y[0]) / (right * v->seconds) : key->right[component];
		next->left[component] = left != 0 ? (y[3] - y[2]) / (left * v->seconds) : next->left[component];
		if (weighs) {
			key->right_x[component] = (float)right;
			next->left_x[component] = (float)left;
		}
	}
}

/* Read the component's curve inside the window. Returns false if it is not a cubic with one value at each time. */
static bool read_part(const struct view *v, unsigned component, struct anim_cubic *l)
{
	bool reversed = v->from > v->to;
	double a, b, c;

	if (v->segment.to != v->segment.from + 1 || !anim_cubic_read(v->cut->track, v->segment.from, component, l))
		return false;
	if (l->steps)
		return true;
	/* Time must increase along the curve, so that each time has exactly one value. */
	a = l->x[1] - l->x[0];
	b = l->x[2] - l->x[1];
	c = l->x[3] - l->x[2];
	if (!(a >= 0 && c >= 0 && (b >= 0 || b * b <= a * c)))
		return false;
	if (v->from != 0 || v->to != 1)
		anim_cubic_cut(l, reversed ? v->to : v->from, reversed ? v->from : v->to);
	if (reversed) {
		const struct anim_cubic old = *l;

		for (int i = 0; i < 4; i++) {
			l->x[i] = 1 - old.x[3 - i];
			l->y[i] = old.y[3 - i];
		}
	}
	return true;
}

/*
 * Append a curve with tangents, cut by de Casteljau's algorithm, in two dimensions if handles have times. Returns 1, 0
 * if a component is not such a curve, or -1.
 */
static int add_curve(const struct view *v, struct anim_error *error)
{
	struct anim_cutter *cut = v->cut;
	const struct anim_track *track = cut->track;
	struct anim_cubic components[ANIM_COMPONENTS_MAX];
	unsigned count = anim_types[track->type].components;
	double start[ANIM_COMPONENTS_MAX] = {0}, end[ANIM_COMPONENTS_MAX] = {0};
	struct retime_key key, next;
	bool weighs;

	for (unsigned component = 0; component < count; component++)
		if (!read_part(v, component, &components[component]))
			return 0;
	begin_key(v, &key);
	memset(&next, 0, sizeof next);
	next.mode = v->mode;
	/* Use the segment's weight flags. A weight on one side gives both sides a weight. */
	weighs = track->weighted != NULL && track->left_x != NULL && v->mode == ANIM_WEIGHTED &&
		 ((track->weighted[v->segment.from] & 2) || (track->weighted[v->segment.to] & 1));
	key.weighted = (uint8_t)((key.weighted & 1) | (weighs ? 2 : 0));
	next.weighted = weighs ? 1 : 0;
	for (unsigned component = 0; component < count; component++) {
		start[component] = components[component].y[0];
		end[component] = components[component].y[3];
		if (!components[component].steps)
			set_tangents(v, component, &components[component], &key, &next);
		else /* an infinite slope holds the component in the source */
			key.right[component] = next.left[component] = INFINITY;
	}
	if (v->window->opens < 0)
		anim_value_store(track->type, start, &key.value);
	if (append(cut, &key, error) != 0)
		return -1;
	end_piece(v, &next, end);
	return 1;
}

/*
 * Append a cubic of Godot. Barry and Goldman's pyramid and Catmull-Rom are cubic polynomials in time between two keys,
 * for any neighbours. Four values define them. They are stored as Hermite, which does not depend on neighbours.
 */
static int add_cubic(const struct view *v, struct anim_error *error)
{
	struct anim_cutter *cut = v->cut;
	unsigned count = anim_types[cut->track->type].components;
	double p[4][ANIM_COMPONENTS_MAX];
	struct retime_key key, next;
	union retime_value value;

	/* At both ends of the window and at its thirds. */
	for (int i = 0; i < 4; i++) {
		struct anim_segment segment = v->segment;

		segment.weight = v->from + (v->to - v->from) * i / 3;
		if (cut->sampler.rules->blend(&cut->sampler, v->mode, &segment, &value, error) != 0)
			return -1;
		anim_components(cut->track->type, &value, 0, p[i]);
	}
	begin_key(v, &key);
	key.mode = ANIM_HERMITE;
	memset(&next, 0, sizeof next);
	next.mode = ANIM_HERMITE;
	for (unsigned component = 0; component < count; component++) {
		double a = p[0][component], b = p[1][component], c = p[2][component], d = p[3][component];

		key.right[component] = (-11 * a + 18 * b - 9 * c + 2 * d) / 2 / v->seconds;
		next.left[component] = (11 * d - 18 * c + 9 * b - 2 * a) / 2 / v->seconds;
	}
	if (v->window->opens < 0)
		anim_value_store(cut->track->type, p[0], &key.value);
	if (append(cut, &key, error) != 0)
		return -1;
	end_piece(v, &next, p[3]);
	return 0;
}

static double length_of(const double q[4])
{
	return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/*
 * Append a part of a quaternion segment whose components are linear and normalised afterwards. The ends of a part are
 * shorter than 1. Unity normalises all values that it plays. For other players, a linear factor gives the ends length
 * 1. It makes the components quadratic but changes no rotation.
 */
static int add_normalised(const struct view *v, struct anim_error *error)
{
	struct anim_cutter *cut = v->cut;
	struct retime_key key, next;
	double a[ANIM_COMPONENTS_MAX], b[ANIM_COMPONENTS_MAX], start[ANIM_COMPONENTS_MAX] = {0},
							       end[ANIM_COMPONENTS_MAX] = {0};
	double first, last;
	bool bends;

	anim_components(cut->track->type, cut->track->value, v->segment.from, a);
	anim_components(cut->track->type, cut->track->value, v->segment.to, b);
	for (int i = 0; i < 4; i++) {
		start[i] = a[i] + (b[i] - a[i]) * v->from;
		end[i] = a[i] + (b[i] - a[i]) * v->to;
	}
	bends = cut->track->rules != ANIM_RULES_UNITY && length_of(start) > 0 && length_of(end) > 0;
	first = bends && v->window->opens < 0 ? 1 / length_of(start) : 1;
	last = bends && v->window->closes < 0 ? 1 / length_of(end) : 1;
	begin_key(v, &key);
	memset(&next, 0, sizeof next);
	key.mode = next.mode = first == 1 && last == 1 ? ANIM_LINEAR : ANIM_CUBIC_BEZIER;
	for (int i = 0; i < 4; i++) {
		double middle = (first * end[i] + last * start[i]) / 2;

		start[i] *= first;
		end[i] *= last;
		key.right[i] = (start[i] + 2 * middle) / 3;
		next.left[i] = (end[i] + 2 * middle) / 3;
	}
	if (v->window->opens < 0)
		anim_value_store(cut->track->type, start, &key.value);
	if (append(cut, &key, error) != 0)
		return -1;
	end_piece(v, &next, end);
	return 0;
}

/* Append the keys of one window, except its closing key. Returns 0 or -1. */
static int retime_piece(struct anim_cutter *cut, const struct retime_window *window, struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	struct view v = {.cut = cut, .window = window};
	double middle = window->start_s + (window->end_s - window->start_s) / 2;
	int result = 0;

	cut->has_end = false;
	cut->end_mode = ANIM_HOLD;
	if (!cut->sampler.rules->locate(&cut->sampler, middle, &v.segment)) {
		cut->arrives = false;
		return 0;
	}
	v.mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, v.segment.from);
	if (v.mode == ANIM_HOLD || v.segment.hold || v.segment.from == v.segment.to ||
	    ease_of(track, v.segment.from) == 0 ||
	    (track->rules == ANIM_RULES_GODOT3 &&
	     (cut->sampler.shape == ANIM_SHAPE_PLANE || anim_types[track->type].scalar == ANIM_SCALAR_BOOL))) {
		/* The value is constant inside the window. */
		struct retime_key key;

		begin_key(&v, &key);
		key.mode = ANIM_HOLD;
		if ((window->opens < 0 || (size_t)window->opens != v.segment.from) &&
		    !value_at(cut, middle, &key.value, &result, error))
			return result;
		return append(cut, &key, error);
	}
	locate_window(&v);
	if (!anim_type_is_real(track->type))
		return retime_fit_steps(cut, window, error);
	if (ease_of(track, v.segment.from) != 1 || !piece_is_exact(cut, v.mode))
		return retime_fit(cut, window, v.mode, error);
	if (v.mode == ANIM_LINEAR && anim_types[track->type].quaternion &&
	    anim_rules_blend_components(cut->clip, track->rules))
		return add_normalised(&v, error);
	if (v.mode == ANIM_LINEAR || v.mode == ANIM_LINEAR_ANGLE)
		return add_line(&v, error);
	if (v.mode == ANIM_CUBIC_TIME || v.mode == ANIM_CUBIC_UNIFORM)
		return add_cubic(&v, error);
	result = add_curve(&v, error);
	return result == 0 ? retime_fit(cut, window, v.mode, error) : result < 0 ? -1 : 0;
}

/* --- A range of a track: the keys inside, and keys that replace the parts outside --- */

#define WINDOWS_MAX ((size_t)1 << 24) /* maximum number of windows in the repetitions of one track */

/* The keys inside the range: first to end - 1. */
struct kept_part {
	size_t first, end;
	bool cuts;  /* part of the track is outside */
	bool wraps; /* Godot blends over the clip's end */
	bool repeats_pre, repeats_post;
	bool all; /* convert all segments */
};

/* Return whether a player repeats the track beyond its end. */
static bool repeats(const struct anim_track *track, uint8_t ends)
{
	return track->n > 1 && track->time[0] < track->time[track->n - 1] &&
	       (track->rules == ANIM_RULES_PLAIN || track->rules == ANIM_RULES_UNITY) &&
	       (ends == ANIM_EXTRAPOLATION_LOOP || ends == ANIM_EXTRAPOLATION_PINGPONG);
}

static void find_part(const struct anim_cutter *cut, bool all, struct kept_part *part)
{
	static const enum anim_interp cubics[] = {ANIM_CUBIC_TIME, ANIM_CUBIC_UNIFORM, ANIM_CUBIC_ANGLE};
	const struct anim_track *track = cut->track;
	struct anim_span_counts counts;

	memset(part, 0, sizeof *part);
	anim_span_count(&counts, track->time, track->n, &cut->range);
	part->first = counts.before_start;
	part->end = counts.to_end;
	part->wraps = retime_wraps(cut->clip, track);
	part->cuts = part->first > 0 || part->end < track->n ||
		     (part->wraps && (cut->unroll || !anim_range_is_whole(&cut->range, cut->clip)));
	part->repeats_pre = repeats(track, track->pre) && cut->range.start_s < track->time[0];
	part->repeats_post = repeats(track, track->post) && cut->range.end_s > track->time[track->n - 1];
	part->cuts |= cut->unroll && (part->repeats_pre || part->repeats_post);
	/*
	 * Added keys would become the neighbours of cubics. If cubics cannot be cut exactly, no segment may depend on
	 * neighbours.
	 */
	part->all = all;
	for (size_t i = 0; part->cuts && i < sizeof cubics / sizeof *cubics; i++)
		if (anim_track_has_interp(track, cubics[i]) && (!piece_is_exact(cut, cubics[i]) || track->ease != NULL))
			part->all = true;
}

static int too_many(const struct anim_track *track, struct anim_error *error)
{
	return anim_fail(error, ANIM_TOO_LARGE, "track '%.100s %.100s': too many repetitions in the range", track->node,
			 track->property);
}

static int add_window(struct anim_cutter *cut, double start_s, double end_s, ptrdiff_t opens, ptrdiff_t closes,
		      struct anim_error *error)
{
	const struct retime_window window = {start_s, end_s, opens, closes};

	if (cut->windows.size / sizeof window >= WINDOWS_MAX)
		return too_many(cut->track, error);
	return anim_buffer_append(&cut->windows, &window, sizeof window, error);
}

/* Add the windows between from_s and to_s of one pass through the keys, which begins at start_s. */
static int add_run(struct anim_cutter *cut, double start_s, bool mirrored, double from_s, double to_s,
		   struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	ptrdiff_t last = (ptrdiff_t)track->n - 1;
	double origin = (double)track->time[mirrored ? last : 0];
	double near_s = 1e-9 * ((double)track->time[last] - (double)track->time[0]); /* possible rounding error */

	for (ptrdiff_t i = 0; i < last; i++) {
		ptrdiff_t opens = mirrored ? last - i : i, closes = mirrored ? opens - 1 : opens + 1;
		double a = start_s + fabs((double)track->time[opens] - origin);
		double b = start_s + fabs((double)track->time[closes] - origin);

		if (a < from_s) {
			opens = a < from_s - near_s ? -1 : opens;
			a = from_s;
		}
		if (b > to_s) {
			closes = b > to_s + near_s ? -1 : closes;
			b = to_s;
		}
		if (b - a > near_s && add_window(cut, a, b, opens, closes, error) != 0)
			return -1;
	}
	return 0;
}

/* Add the repetitions of the keys between two times. */
static int add_runs(struct anim_cutter *cut, uint8_t ends, double from_s, double to_s, struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	double first = (double)track->time[0], span = (double)track->time[track->n - 1] - first;
	double run = floor((from_s - first) / span), last = ceil((to_s - first) / span);

	if (!((last - run) * (double)track->n < (double)WINDOWS_MAX))
		return too_many(track, error);
	for (; run < last; run++)
		if (add_run(cut, first + run * span, ends == ANIM_EXTRAPOLATION_PINGPONG && fmod(run, 2) != 0, from_s,
			    to_s, error) != 0)
			return -1;
	return 0;
}

/* Append the window's closing key, with the left side that the last piece requires. */
static int add_closing(struct anim_cutter *cut, const struct anim_track *track, const struct retime_window *window,
		       struct anim_error *error)
{
	struct retime_key key;

	memset(&key, 0, sizeof key);
	key.ease = 1;
	if (window->closes >= 0)
		retime_key_load(track, (size_t)window->closes, &key);
	else if (!cut->has_end)
		return 0;
	else
		anim_value_store(track->type, cut->end, &key.value);
	key.time_s = (float)window->end_s;
	key.mode = cut->end_mode;
	return append(cut, &key, error);
}

static bool same_value(const struct anim_track *track, ptrdiff_t a, ptrdiff_t b)
{
	struct anim_text x, y;

	return anim_value_equal(track->type, anim_value_at(track, (size_t)a, &x), anim_value_at(track, (size_t)b, &y));
}

/* Append the pieces of all collected windows. The last closing key is appended only if `closed` is set. */
static int play_windows(struct anim_cutter *cut, bool closed, struct anim_error *error)
{
	const struct retime_window *w = (const struct retime_window *)(const void *)cut->windows.data;
	size_t count = cut->windows.size / sizeof *w;

	for (size_t i = 0; i < count; i++) {
		bool jumps = i + 1 < count && w[i].closes >= 0 && w[i + 1].opens >= 0 &&
			     w[i].closes != w[i + 1].opens && !same_value(cut->track, w[i].closes, w[i + 1].opens);

		if (retime_piece(cut, &w[i], error) != 0)
			return -1;
		if ((jumps || (i + 1 == count && closed)) && add_closing(cut, cut->track, &w[i], error) != 0)
			return -1;
	}
	cut->windows.size = 0;
	return 0;
}

/* Append the part before the first key inside: from the track's own keys or its repetition. */
static int play_front(struct anim_cutter *cut, const struct kept_part *part, struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	bool inside = part->first < part->end;
	double from_s = (double)cut->range.start_s, to_s = (double)cut->range.end_s;
	double first_s = inside ? (double)track->time[part->first] : to_s;
	const struct retime_window *w;
	size_t count;
	bool jumps;

	if (from_s == first_s)
		return 0;
	if (part->first == 0 && part->repeats_pre) {
		if (add_runs(cut, track->pre, from_s, first_s, error) != 0)
			return -1;
	} else if (part->first == track->n && part->repeats_post) {
		if (add_runs(cut, track->post, from_s, first_s, error) != 0)
			return -1;
	} else if ((part->first > 0 || part->wraps || !inside) &&
		   add_window(cut, from_s, first_s, -1, inside ? (ptrdiff_t)part->first : -1, error) != 0) {
		return -1;
	}
	/* The last window may end at another value than the following key. */
	w = (const struct retime_window *)(const void *)cut->windows.data;
	count = cut->windows.size / sizeof *w;
	jumps = inside && count > 0 && w[count - 1].closes >= 0 && w[count - 1].closes != (ptrdiff_t)part->first &&
		!same_value(track, w[count - 1].closes, (ptrdiff_t)part->first);
	return play_windows(cut, !inside || jumps, error);
}

/* Append the part after the last key inside. */
static int play_back(struct anim_cutter *cut, const struct kept_part *part, struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	ptrdiff_t last = (ptrdiff_t)part->end - 1;
	double last_s = (double)track->time[last], to_s = (double)cut->range.end_s;
	struct retime_key key;

	if (last_s < to_s) {
		if (part->end == track->n && part->repeats_post) {
			if (add_runs(cut, track->post, last_s, to_s, error) != 0)
				return -1;
		} else if ((part->end < track->n || part->wraps) &&
			   add_window(cut, last_s, to_s, last, -1, error) != 0) {
			return -1;
		}
	}
	if (cut->windows.size > 0 && (!part->repeats_post || part->end < track->n ||
				      track->post == ANIM_EXTRAPOLATION_PINGPONG || same_value(track, last, 0)))
		return play_windows(cut, true, error);
	retime_key_load(track, (size_t)last, &key);
	return append(cut, &key, error) != 0 ? -1 : play_windows(cut, true, error);
}

/* Append the keys of the range: before the first key inside, between the keys inside, and after the last one. */
static int play(struct anim_cutter *cut, const struct kept_part *part, struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	struct retime_key key;
	int result = 0;

	if (part->cuts && cut->range.start_s == cut->range.end_s) {
		/* A range without length is one key. */
		memset(&key, 0, sizeof key);
		key.ease = 1;
		key.time_s = cut->range.start_s;
		key.mode = track->interp == ANIM_INTERP_COLUMN ? ANIM_HOLD : (enum anim_interp)track->interp;
		if (!value_at(cut, (double)key.time_s, &key.value, &result, error))
			return result;
		return append(cut, &key, error);
	}
	if (play_front(cut, part, error) != 0)
		return -1;
	if (part->first >= part->end)
		return 0;
	for (size_t k = part->first; k + 1 < part->end; k++) {
		const struct retime_window window = {(double)track->time[k], (double)track->time[k + 1], (ptrdiff_t)k,
						     (ptrdiff_t)k + 1};
		/* A cubic changes if a neighbour of its keys is removed. */
		bool loses_neighbour = track->kind == ANIM_CURVE && anim_interp_is_cubic(anim_track_interp(track, k)) &&
				       ((k == part->first && (k > 0 || part->wraps)) ||
					(k + 2 == part->end && (part->end < track->n || part->wraps)));

		if ((part->all || loses_neighbour) && window.start_s < window.end_s) {
			if (retime_piece(cut, &window, error) != 0)
				return -1;
			continue;
		}
		retime_key_load(track, k, &key);
		if (append(cut, &key, error) != 0)
			return -1;
	}
	return play_back(cut, part, error);
}

void retime_cut_clear(struct anim_cutter *cut)
{
	retime_keys_clear(&cut->keys);
	anim_buffer_clear(&cut->windows);
	anim_arena_clear(&cut->texts);
	anim_sample_state_clear(&cut->state);
}

int retime_cut_track(struct anim_cutter *cut, const struct anim_track *track, bool all, struct anim_track *out,
		     struct anim_error *error)
{
	struct anim_sample_state state = {0};
	struct kept_part part;
	int result;

	*out = *track;
	cut->approximated = cut->arrives = cut->has_end = false;
	cut->worst = 0;
	cut->track = track;
	if (track->n == 0)
		return 0;
	anim_arena_reset(&cut->texts);
	anim_sample_state_clear(&cut->state);
	cut->windows.size = 0;
	if (anim_sampler_open(&cut->sampler, cut->clip, track, &state, error) != 0)
		return -1;
	cut->sampler.neighbours = track->kind == ANIM_CURVE;
	find_part(cut, all, &part);
	result = part.cuts || part.all ? retime_keys_begin(&cut->keys, track, error) : 1;
	if (result == 0)
		result = play(cut, &part, error);
	anim_sample_state_clear(&state);
	if (result != 0)
		return result < 0 ? -1 : 0;
	retime_keys_track(&cut->keys, track, out);
	/* An unrolled end, or an end with a new key, does not repeat. */
	if (out->pre == ANIM_EXTRAPOLATION_LOOP || out->pre == ANIM_EXTRAPOLATION_PINGPONG)
		out->pre = part.cuts ? ANIM_EXTRAPOLATION_HOLD : out->pre;
	if (out->post == ANIM_EXTRAPOLATION_LOOP || out->post == ANIM_EXTRAPOLATION_PINGPONG)
		out->post = part.cuts ? ANIM_EXTRAPOLATION_HOLD : out->post;
	return 0;
}

struct anim_cutter *anim_cutter_new(struct anim_error *error)
{
	return anim_zeroed(sizeof(struct anim_cutter), error);
}

void anim_cutter_free(struct anim_cutter *cutter)
{
	if (cutter != NULL)
		retime_cut_clear(cutter);
	free(cutter);
}

int anim_cutter_cut(struct anim_cutter *cut, const struct anim_cut_range *range, const struct anim_track *track,
		    struct anim_track *out, double *worst, struct anim_error *error)
{
	cut->clip = range->clip;
	cut->range = range->range;
	cut->tol = range->tol;
	cut->unroll = range->unroll;
	if (retime_cut_track(cut, track, false, out, error) != 0)
		return -1;
	*worst = cut->approximated ? cut->worst : -1;
	return 0;
}
