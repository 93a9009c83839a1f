/* fit.c: what no mode can follow: straight pieces within a tolerance, a key at each change of what steps. */
#include <math.h>
#include <string.h>

#include "filter/retime/internal.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define DEPTH 22         /* halvings of a window, at most */
#define CHANGES_MAX 4096 /* keys that one window of steps may take */
#define PROBES 64

/* A time and the value there. */
struct point {
	float t;
	double v[ANIM_LANES_MAX];
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
	struct anim_track one = *cut->track;
	union retime_value value;
	int result = 0;

	point->t = (float)t;
	memset(point->v, 0, sizeof point->v);
	if (key >= 0) {
		anim_value_load(cut->track, (size_t)key, point->v);
		return 1;
	}
	if (!retime_value_at(cut, t, &value, &result, fit->error))
		return result;
	one.value = &value;
	anim_value_load(&one, 0, point->v);
	return 1;
}

/* Degrees between rotations, radians the short way between angles, else the largest difference of a lane. */
static double deviation(const struct fit *fit, const double a[ANIM_LANES_MAX], const double b[ANIM_LANES_MAX])
{
	const struct anim_type_info *info = &anim_types[fit->cut->track->type];
	double worst = 0;
	float x[4], y[4];

	if (info->quaternion) {
		anim_lanes_to_float(x, a, 4);
		anim_lanes_to_float(y, b, 4);
		return anim_quat_angle(x, y) * 180 / ANIM_PI;
	}
	if (is_angle(fit->mode))
		return fabs(a[0] - b[0] - ANIM_TAU * rint((a[0] - b[0]) / ANIM_TAU));
	for (unsigned lane = 0; lane < info->lanes; lane++)
		worst = fmax(worst, fabs(a[lane] - b[lane]));
	return worst;
}

/* What a straight piece shows at a share of it. */
static void straight(const struct fit *fit, const struct point *a, const struct point *b, double share,
		     double out[ANIM_LANES_MAX])
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
	for (unsigned lane = 0; lane < anim_types[track->type].lanes; lane++)
		out[lane] = a->v[lane] + (b->v[lane] - a->v[lane]) * share;
}

#define PARTS 16 /* of a straight piece, between which it is looked at */

/* How far the straight piece is off. -1 on failure. */
static double measure(const struct fit *fit, const struct point *a, const struct point *b)
{
	double worst = 0;

	for (int i = 1; i < PARTS; i++) {
		double share = (double)i / PARTS, t = (double)a->t + ((double)b->t - (double)a->t) * share,
		       line[ANIM_LANES_MAX] = {0};
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

/* Keys nearer than 1e-5 s, at large times times them, are one to Godot: halves of less would not be played. */
static bool is_one_key(const struct anim_track *track, float a, float b)
{
	bool godot = track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_GODOT3;

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
	if (!(off > cut->tol * scale) || depth == DEPTH) {
		cut->worst = fmax(cut->worst, off);
		return add_straight(fit, a, b);
	}
	middle.t = (float)((double)a->t + ((double)b->t - (double)a->t) / 2);
	if (!(middle.t > a->t && middle.t < b->t) || is_one_key(cut->track, a->t, b->t)) {
		cut->worst = fmax(cut->worst, off);
		return add_straight(fit, a, b);
	}
	if ((found = find_point(fit, (double)middle.t, -1, &middle)) <= 0)
		return found;
	return fit_part(fit, a, &middle, depth + 1) != 0 ? -1 : fit_part(fit, &middle, b, depth + 1);
}

int retime_fit(struct retime_cut *cut, const struct retime_window *window, enum anim_interp mode,
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
struct step {
	float t;
	union retime_value value;
};

static int find_step(const struct fit *fit, double t, struct step *step)
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

static int add_change(const struct fit *fit, const struct step *step)
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
static int find_changes(const struct fit *fit, const struct step *a, const struct step *b, size_t most)
{
	struct retime_cut *cut = fit->cut;
	struct step middle;
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
		for (unsigned lane = 0; lane < anim_types[type].lanes; lane++)
			most = fmax(most, fabs(next.v[lane] - at.v[lane]));
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

int retime_fit_steps(struct retime_cut *cut, const struct retime_window *window, struct anim_error *error)
{
	const struct fit fit = {cut, window, ANIM_HOLD, error};
	double way;
	size_t most = cut->keys.keys.n + CHANGES_MAX;
	double seconds = window->end_s - window->start_s;
	struct step at, next;
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
