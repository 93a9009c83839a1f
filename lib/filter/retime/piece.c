/* piece.c: one window of a track as keys of its own: the part of a segment that is the same curve. */
#include <math.h>
#include <string.h>

#include "clip/cubic.h"
#include "clip/deviation.h"
#include "clip/keys.h"
#include "clip/source.h"
#include "filter/retime/internal.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* --- What no mode can follow: straight pieces within a tolerance, a key at each change of what steps --- */

#define DEPTH 22         /* halvings of a window, at most */
#define CHANGES_MAX 4096 /* keys that one window of steps may take */
#define PROBES 64
#define MEASURED 0.8 /* of the tolerance: the rest is for what lies between those */
#define SPARE 1.25   /* the error between two times that were looked at may be larger by so much */

/* A time and the value there. */
struct point {
	float t;
	double v[ANIM_COMPONENTS_MAX];
};

struct fit {
	struct retime_cut *cut;
	const struct retime_window *window;
	enum anim_interp mode;
	struct anim_error *error;
};

static bool is_angle(enum anim_interp mode)
{
	return mode == ANIM_LINEAR_ANGLE || mode == ANIM_CUBIC_ANGLE;
}

/* The value of a key that stands at the window's end, else what the player shows. 1, 0 where there is none, -1. */
static int find_point(const struct fit *fit, double t, ptrdiff_t key, struct point *point)
{
	struct retime_cut *cut = fit->cut;
	union retime_value value;
	int result = 0;

	point->t = (float)t;
	memset(point->v, 0, sizeof point->v);
	if (key >= 0) {
		anim_components(cut->track->type, cut->track->value, (size_t)key, point->v);
		return 1;
	}
	if (!retime_value_at(cut, t, &value, &result, fit->error))
		return result;
	anim_components(cut->track->type, &value, 0, point->v);
	return 1;
}

/* Degrees between rotations, radians the short way between angles, else the largest difference of a component. */
static double deviation(const struct fit *fit, const double a[ANIM_COMPONENTS_MAX], const double b[ANIM_COMPONENTS_MAX])
{
	const struct anim_type_info *info = &anim_types[fit->cut->track->type];
	double worst = 0;
	float x[4], y[4];

	if (info->quaternion) {
		anim_components_to_float(x, a, 4);
		anim_components_to_float(y, b, 4);
		return anim_quat_angle(x, y) * 180 / ANIM_PI;
	}
	if (is_angle(fit->mode))
		return fabs(a[0] - b[0] - ANIM_TAU * rint((a[0] - b[0]) / ANIM_TAU));
	for (unsigned component = 0; component < info->components; component++)
		worst = fmax(worst, fabs(a[component] - b[component]));
	return worst;
}

/* What a straight piece shows at a share of it. */
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

#define PARTS 16 /* of a straight piece, between which it is looked at */

/* How far the straight piece is off. -1 on failure. */
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

/* Bezier tracks stay such: their straight pieces have handles along them. */
static int add_straight(const struct fit *fit, const struct point *a, const struct point *b)
{
	struct retime_cut *cut = fit->cut;
	double seconds = (double)b->t - (double)a->t;
	struct retime_key key;

	memset(&key, 0, sizeof key);
	key.ease = 1;
	key.time_s = a->t;
	key.mode = is_angle(fit->mode) ? ANIM_LINEAR_ANGLE : fit->mode == ANIM_BEZIER_2D ? ANIM_BEZIER_2D : ANIM_LINEAR;
	anim_value_store(cut->track->type, a->v, &key.value);
	if (key.mode == ANIM_BEZIER_2D) {
		key.right[0] = (b->v[0] - a->v[0]) / 3;
		key.right_x[0] = (float)(seconds / 3);
	}
	if (retime_append(cut, &key, fit->error) != 0)
		return -1;
	memset(&cut->arriving, 0, sizeof cut->arriving);
	cut->arriving.left[0] = -key.right[0];
	cut->arriving.left_x[0] = -key.right_x[0];
	cut->arrives = cut->has_end = true;
	cut->end_mode = key.mode;
	memcpy(cut->end, b->v, sizeof cut->end);
	return 0;
}

/* A straight piece that is taken. */
struct taken {
	const struct fit *fit;
	const struct point *a, *b;
};

static int errors_at(void *context, const double *t, size_t count, double *off, struct anim_error *error)
{
	const struct taken *taken = context;
	double from_s = (double)taken->a->t, length = (double)taken->b->t - from_s;

	(void)error;
	for (size_t i = 0; i < count; i++) {
		double line[ANIM_COMPONENTS_MAX] = {0};
		struct point real;
		int found = find_point(taken->fit, t[i], -1, &real);

		if (found < 0)
			return -1;
		straight(taken->fit, taken->a, taken->b, (t[i] - from_s) / length, line);
		off[i] = found > 0 ? deviation(taken->fit, line, real.v) : 0;
	}
	return 0;
}

#define NEAREST 0x1p-30 /* seconds, at large times times them: how near to its ends a piece is looked at */

/* Adds the piece, with how far it is off when it is looked at densely. */
static int take_straight(const struct fit *fit, const struct point *a, const struct point *b)
{
	struct taken taken = {fit, a, b};
	struct anim_deviation look = {.at = errors_at, .context = &taken, .quiet = fit->cut->worst};
	/* Nearer to either end Godot's player shows its key, of the source and of what becomes of it. */
	double reach = anim_rules_reach(fit->cut->track->rules, (double)b->t - (double)fit->cut->clip->start_s);
	double from_s = (double)a->t + reach, to_s = (double)b->t - reach;

	if (to_s > from_s &&
	    anim_deviation_between(&look, from_s, to_s, NEAREST * fmax(1, fabs(to_s)), fit->error) != 0)
		return -1;
	fit->cut->worst = fmax(fit->cut->worst, SPARE * look.worst);
	return add_straight(fit, a, b);
}

/* Keys nearer than 1e-5 s, at large times times them, are one to Godot: halves of less would not be played. */
static bool is_one_key(const struct anim_track *track, float a, float b)
{
	bool godot = anim_rules_are_godot(track->rules);

	return godot && (double)b - (double)a < 4e-5 * fmax(1, fabs((double)b));
}

static int fit_part(const struct fit *fit, const struct point *a, const struct point *b, unsigned depth)
{
	struct retime_cut *cut = fit->cut;
	double off = measure(fit, a, b), scale = anim_types[cut->track->type].quaternion ? 100 : 1;
	struct point middle;
	int found;

	if (off < 0)
		return -1;
	if (!(off > MEASURED * cut->tol * scale) || depth == DEPTH)
		return take_straight(fit, a, b);
	middle.t = (float)((double)a->t + ((double)b->t - (double)a->t) / 2);
	if (!(middle.t > a->t && middle.t < b->t) || is_one_key(cut->track, a->t, b->t))
		return take_straight(fit, a, b);
	if ((found = find_point(fit, (double)middle.t, -1, &middle)) <= 0)
		return found;
	return fit_part(fit, a, &middle, depth + 1) != 0 ? -1 : fit_part(fit, &middle, b, depth + 1);
}

/* A window by straight pieces within the tolerance, and one of what only steps by a key at each change. */
static int retime_fit(struct retime_cut *cut, const struct retime_window *window, enum anim_interp mode,
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

/* A time and the value there, texts in the arena. */
struct piece_step {
	float t;
	union retime_value value;
};

static int find_step(const struct fit *fit, double t, struct piece_step *step)
{
	struct retime_cut *cut = fit->cut;
	struct anim_text *text = &step->value.text;
	int result = 0;

	step->t = (float)t;
	if (!retime_value_at(cut, t, &step->value, &result, fit->error))
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
	return retime_append(fit->cut, &key, fit->error);
}

/* The changes behind a up to b, at most `most` keys in all; each halving comes nearer to the float at which one happens. */
static int find_changes(const struct fit *fit, const struct piece_step *a, const struct piece_step *b, size_t most)
{
	struct retime_cut *cut = fit->cut;
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
 * How far whole numbers go up and down in the window, which is how many keys their steps would take at the least. 0 for
 * what is no number.
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

/* Whole numbers that change too often for a key at each change: straight pieces, 1 off at the most but for huge ones. */
static int fit_numbers(const struct fit *fit, double way)
{
	struct retime_cut *cut = fit->cut;
	double tol = cut->tol;
	int result;

	cut->tol = fmax(1, way * 1e-6);
	result = retime_fit(cut, fit->window, ANIM_LINEAR, fit->error);
	cut->tol = tol;
	return result;
}

static int retime_fit_steps(struct retime_cut *cut, const struct retime_window *window, struct anim_error *error)
{
	const struct fit fit = {cut, window, ANIM_HOLD, error};
	double way;
	size_t most = cut->keys.keys.n + CHANGES_MAX;
	double seconds = window->end_s - window->start_s;
	struct piece_step at, next;
	int found = measure_way(&fit, &way);

	if (found <= 0)
		return found;
	if (way > CHANGES_MAX)
		return fit_numbers(&fit, way);
	found = find_step(&fit, window->start_s, &at);
	cut->end_mode = ANIM_HOLD;
	if (found <= 0 || add_change(&fit, &at) != 0)
		return found <= 0 ? found : -1;
	for (int i = 1; i <= PROBES; i++) {
		/* at its very end the key that closes it may show already */
		double t = window->start_s + seconds * (i < PROBES ? (double)i / PROBES : 1 - 1e-7);

		if ((found = find_step(&fit, t, &next)) <= 0)
			return found;
		if (find_changes(&fit, &at, &next, most) != 0)
			return -1;
		at = next;
	}
	return 0;
}

/* --- One window of a track as keys of its own: the part of a segment that is the same curve --- */

/* A window and how the player sees it. */
struct view {
	struct retime_cut *cut;
	const struct retime_window *window;
	struct anim_segment segment;
	enum anim_interp mode;
	double from, to; /* where in the segment it begins and ends, from > to where the track runs backwards there */
	double seconds;
};

static bool is_matrix(const struct retime_cut *cut)
{
	return anim_rules_are_godot(cut->track->rules) && anim_types[cut->track->type].matrix;
}

bool retime_piece_is_exact(const struct retime_cut *cut, enum anim_interp mode)
{
	const struct anim_type_info *info = &anim_types[cut->track->type];

	if (mode == ANIM_HOLD)
		return true;
	if (!anim_type_is_real(cut->track->type) || is_matrix(cut) || mode == ANIM_CUBIC_ANGLE)
		return false;
	return !info->quaternion || (mode != ANIM_CUBIC_TIME && mode != ANIM_CUBIC_UNIFORM);
}

/* The player heeds the transition of this key. */
static double ease_of(const struct anim_track *track, size_t k)
{
	bool deaf = track->rules == ANIM_RULES_RESONITE ||
		    (anim_rules_are_godot(track->rules) && track->interp == ANIM_BEZIER_2D);

	return track->ease == NULL || deaf ? 1 : (double)track->ease[k];
}

static double weight_at(struct view *v, double t)
{
	struct anim_segment segment;
	bool seconds = anim_rules_are_godot(v->cut->track->rules) && v->cut->track->interp == ANIM_BEZIER_2D;

	memset(&segment, 0, sizeof segment);
	v->cut->sampler.rules->locate(&v->cut->sampler, t, &segment);
	return seconds && segment.duration > 0 ? segment.weight / segment.duration : segment.weight;
}

/* Where the window lies in its segment; exactly where that runs from key to key. */
static void place(struct view *v)
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
	struct retime_cut *cut = v->cut;

	cut->arriving = *key;
	cut->arrives = true;
	cut->has_end = true;
	cut->end_mode = key->mode;
	memcpy(cut->end, end, sizeof cut->end);
}

/* The value stays what it is inside the window. */
static int add_step(const struct view *v, struct anim_error *error)
{
	const struct retime_window *w = v->window;
	struct retime_key key;
	int result = 0;

	begin_key(v, &key);
	key.mode = ANIM_HOLD;
	v->cut->has_end = false;
	v->cut->end_mode = ANIM_HOLD;
	if ((w->opens < 0 || (size_t)w->opens != v->segment.from) &&
	    !retime_value_at(v->cut, w->start_s + (w->end_s - w->start_s) / 2, &key.value, &result, error))
		return result;
	return retime_append(v->cut, &key, error);
}

/* Straight between the values at both ends, in whatever way the mode is. */
static int add_line(const struct view *v, struct anim_error *error)
{
	struct retime_cut *cut = v->cut;
	struct retime_key key;
	union retime_value value;
	double end[ANIM_COMPONENTS_MAX] = {0};
	int result = 0;

	begin_key(v, &key);
	if (v->window->opens < 0 && !retime_value_at(cut, v->window->start_s, &key.value, &result, error))
		return result;
	if (v->window->closes < 0) {
		if (!retime_value_at(cut, v->window->end_s, &value, &result, error))
			return result;
		anim_components(cut->track->type, &value, 0, end);
	}
	if (retime_append(cut, &key, error) != 0)
		return -1;
	end_piece(v, &key, end);
	memset(cut->arriving.left, 0, sizeof cut->arriving.left);
	memset(cut->arriving.left_x, 0, sizeof cut->arriving.left_x);
	cut->arriving.weighted = 0;
	return 0;
}

/* Control values of a cubic as the tangents of its mode. */
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
	default: /* a handle without length keeps its slope, which moves nothing */
		key->right[component] = right != 0 ? (y[1] - y[0]) / (right * v->seconds) : key->right[component];
		next->left[component] = left != 0 ? (y[3] - y[2]) / (left * v->seconds) : next->left[component];
		if (weighs) {
			key->right_x[component] = (float)right;
			next->left_x[component] = (float)left;
		}
	}
}

/* A component that an infinite slope holds goes on being held. */
static void set_held(struct retime_key *key, struct retime_key *next, unsigned component)
{
	key->right[component] = INFINITY;
	next->left[component] = INFINITY;
}

/* Time runs forward along the handles, so that one value stands at each time. */
static bool is_steady(const struct anim_cubic *l)
{
	double a = l->x[1] - l->x[0], b = l->x[2] - l->x[1], c = l->x[3] - l->x[2];

	return a >= 0 && c >= 0 && (b >= 0 || b * b <= a * c);
}

static void turn_component(struct anim_cubic *l)
{
	const struct anim_cubic old = *l;

	for (int i = 0; i < 4; i++) {
		l->x[i] = 1 - old.x[3 - i];
		l->y[i] = old.y[3 - i];
	}
}

/* The component's part in the window. False where it is no cubic of which one value stands at each time. */
static bool read_part(const struct view *v, unsigned component, struct anim_cubic *l)
{
	bool turned = v->from > v->to;

	if (v->segment.to != v->segment.from + 1 || !anim_cubic_read(v->cut->track, v->segment.from, component, l))
		return false;
	if (l->steps)
		return true;
	if (!is_steady(l))
		return false;
	if (v->from != 0 || v->to != 1)
		anim_cubic_cut(l, turned ? v->to : v->from, turned ? v->from : v->to);
	if (turned)
		turn_component(l);
	return true;
}

/* Which sides have weights of their own: those of the segment, both where any has one and it is cut. */
static void set_weights(const struct view *v, struct retime_key *key, struct retime_key *next)
{
	const struct anim_track *track = v->cut->track;
	bool any = track->weighted != NULL && track->left_x != NULL && v->mode == ANIM_WEIGHTED &&
		   ((track->weighted[v->segment.from] & 2) || (track->weighted[v->segment.to] & 1));

	key->weighted = (uint8_t)((key->weighted & 1) | (any ? 2 : 0));
	next->weighted = any ? 1 : 0;
}

/* Curves with tangents: de Casteljau, in the plane where handles have times. 1, 0 where a component is none, -1. */
static int add_curve(const struct view *v, struct anim_error *error)
{
	struct retime_cut *cut = v->cut;
	struct anim_cubic components[ANIM_COMPONENTS_MAX];
	unsigned count = anim_types[cut->track->type].components;
	double start[ANIM_COMPONENTS_MAX] = {0}, end[ANIM_COMPONENTS_MAX] = {0};
	struct retime_key key, next;

	for (unsigned component = 0; component < count; component++)
		if (!read_part(v, component, &components[component]))
			return 0;
	begin_key(v, &key);
	memset(&next, 0, sizeof next);
	next.mode = v->mode;
	set_weights(v, &key, &next);
	for (unsigned component = 0; component < count; component++) {
		start[component] = components[component].y[0];
		end[component] = components[component].y[3];
		if (components[component].steps)
			set_held(&key, &next, component);
		else
			set_tangents(v, component, &components[component], &key, &next);
	}
	if (v->window->opens < 0)
		anim_value_store(cut->track->type, start, &key.value);
	if (retime_append(cut, &key, error) != 0)
		return -1;
	end_piece(v, &next, end);
	return 1;
}

/* Four values of the segment, at both ends of the window and its thirds. */
static int read_thirds(const struct view *v, double p[4][ANIM_COMPONENTS_MAX], struct anim_error *error)
{
	union retime_value value;

	for (int i = 0; i < 4; i++) {
		struct anim_segment segment = v->segment;

		segment.weight = v->from + (v->to - v->from) * i / 3;
		if (v->cut->sampler.rules->blend(&v->cut->sampler, v->mode, &segment, &value, error) != 0)
			return -1;
		anim_components(v->cut->track->type, &value, 0, p[i]);
	}
	return 0;
}

/*
 * Barry and Goldman's pyramid and Catmull and Rom's are polynomials of third degree in time between two keys, whatever the
 * neighbours: four values make them. Written as Hermite, which needs no neighbours.
 */
static int add_cubic(const struct view *v, struct anim_error *error)
{
	struct retime_cut *cut = v->cut;
	unsigned count = anim_types[cut->track->type].components;
	double p[4][ANIM_COMPONENTS_MAX];
	struct retime_key key, next;

	if (read_thirds(v, p, error) != 0)
		return -1;
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
	if (retime_append(cut, &key, error) != 0)
		return -1;
	end_piece(v, &next, p[3]);
	return 0;
}

static double length_of(const double q[4])
{
	return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/*
 * Components that run straight and are normalised afterwards. The ends of a part are shorter than 1; Unity normalises all
 * that it plays, elsewhere a factor that runs straight, too, makes the ends 1 long and the components quadratic, which changes no
 * direction.
 */
static int add_normalised(const struct view *v, struct anim_error *error)
{
	struct retime_cut *cut = v->cut;
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
	if (retime_append(cut, &key, error) != 0)
		return -1;
	end_piece(v, &next, end);
	return 0;
}

static bool is_normalised_line(const struct retime_cut *cut)
{
	return anim_types[cut->track->type].quaternion && anim_rules_blend_lanes(cut->clip, cut->track->rules);
}

static int add_part(const struct view *v, struct anim_error *error)
{
	struct retime_cut *cut = v->cut;
	int result;

	if (!anim_type_is_real(cut->track->type))
		return retime_fit_steps(cut, v->window, error);
	if (ease_of(cut->track, v->segment.from) != 1 || !retime_piece_is_exact(cut, v->mode))
		return retime_fit(cut, v->window, v->mode, error);
	if (v->mode == ANIM_LINEAR && is_normalised_line(cut))
		return add_normalised(v, error);
	if (v->mode == ANIM_LINEAR || v->mode == ANIM_LINEAR_ANGLE)
		return add_line(v, error);
	if (v->mode == ANIM_CUBIC_TIME || v->mode == ANIM_CUBIC_UNIFORM)
		return add_cubic(v, error);
	result = add_curve(v, error);
	return result == 0 ? retime_fit(cut, v->window, v->mode, error) : result < 0 ? -1 : 0;
}

int retime_piece(struct retime_cut *cut, const struct retime_window *window, struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	struct view v = {.cut = cut, .window = window};
	double middle = window->start_s + (window->end_s - window->start_s) / 2;

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
	     (cut->sampler.shape == ANIM_SHAPE_PLANE || anim_types[track->type].scalar == ANIM_SCALAR_BOOL)))
		return add_step(&v, error);
	place(&v);
	return add_part(&v, error);
}
