/* piece.c: one window of a track as keys of its own: the part of a segment that is the same curve. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/convert/exact.h"
#include "filter/retime/internal.h"

/* A window and how the player sees it. */
struct view {
	struct retime_cut *cut;
	const struct retime_window *window;
	struct anim_segment segment;
	enum anim_interp mode;
	double from, to; /* where in the segment it begins and ends, from > to where the track runs backwards there */
	double seconds;
};

static bool is_godot(const struct anim_track *track)
{
	return track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_GODOT3;
}

static bool is_matrix(const struct retime_cut *cut)
{
	return is_godot(cut->track) && anim_types[cut->track->type].matrix;
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
	bool deaf = track->rules == ANIM_RULES_RESONITE || (is_godot(track) && track->interp == ANIM_BEZIER_2D);

	return track->ease == NULL || deaf ? 1 : (double)track->ease[k];
}

static double weight_at(struct view *v, double t)
{
	struct anim_segment segment;
	bool seconds = is_godot(v->cut->track) && v->cut->track->interp == ANIM_BEZIER_2D;

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

static void end_piece(const struct view *v, const struct retime_key *key, const double end[ANIM_LANES_MAX])
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
	struct anim_track one = *cut->track;
	union retime_value value;
	double end[ANIM_LANES_MAX] = {0};
	int result = 0;

	begin_key(v, &key);
	if (v->window->opens < 0 && !retime_value_at(cut, v->window->start_s, &key.value, &result, error))
		return result;
	if (v->window->closes < 0) {
		if (!retime_value_at(cut, v->window->end_s, &value, &result, error))
			return result;
		one.value = &value;
		anim_value_load(&one, 0, end);
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
static void set_tangents(const struct view *v, unsigned lane, const struct convert_lane *l, struct retime_key *key,
			 struct retime_key *next)
{
	const double *x = l->x, *y = l->y;
	bool weighs = v->mode == ANIM_WEIGHTED && ((key->weighted & 2) || (next->weighted & 1));
	double right = weighs ? x[1] : 1.0 / 3, left = weighs ? 1 - x[2] : 1.0 / 3;

	switch (v->mode) {
	case ANIM_CUBIC_BEZIER:
		key->right[lane] = y[1];
		next->left[lane] = y[2];
		break;
	case ANIM_BEZIER_2D:
		key->right[lane] = y[1] - y[0];
		next->left[lane] = y[2] - y[3];
		key->right_x[lane] = (float)(x[1] * v->seconds);
		next->left_x[lane] = (float)((x[2] - 1) * v->seconds);
		break;
	case ANIM_TANGENT:
		key->right[lane] = 3 * (y[1] - y[0]);
		next->left[lane] = 3 * (y[3] - y[2]);
		break;
	default: /* a handle without length keeps its slope, which moves nothing */
		key->right[lane] = right != 0 ? (y[1] - y[0]) / (right * v->seconds) : key->right[lane];
		next->left[lane] = left != 0 ? (y[3] - y[2]) / (left * v->seconds) : next->left[lane];
		if (weighs) {
			key->right_x[lane] = (float)right;
			next->left_x[lane] = (float)left;
		}
	}
}

/* A lane that an infinite slope holds goes on being held. */
static void set_held(struct retime_key *key, struct retime_key *next, unsigned lane)
{
	key->right[lane] = INFINITY;
	next->left[lane] = INFINITY;
}

/* Time runs forward along the handles, so that one value stands at each time. */
static bool is_steady(const struct convert_lane *l)
{
	double a = l->x[1] - l->x[0], b = l->x[2] - l->x[1], c = l->x[3] - l->x[2];

	return a >= 0 && c >= 0 && (b >= 0 || b * b <= a * c);
}

static void turn_lane(struct convert_lane *l)
{
	const struct convert_lane old = *l;

	for (int i = 0; i < 4; i++) {
		l->x[i] = 1 - old.x[3 - i];
		l->y[i] = old.y[3 - i];
	}
}

/* The lane's part in the window. False where it is no cubic of which one value stands at each time. */
static bool read_part(const struct view *v, unsigned lane, struct convert_lane *l)
{
	bool turned = v->from > v->to;

	if (v->segment.to != v->segment.from + 1 || !convert_read_segment(v->cut->track, v->segment.from, lane, l))
		return false;
	if (l->steps)
		return true;
	if (!is_steady(l))
		return false;
	if (v->from != 0 || v->to != 1)
		convert_cut_lane(l, turned ? v->to : v->from, turned ? v->from : v->to);
	if (turned)
		turn_lane(l);
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

/* Curves with tangents: de Casteljau, in the plane where handles have times. 1, 0 where a lane is none, -1. */
static int add_curve(const struct view *v, struct anim_error *error)
{
	struct retime_cut *cut = v->cut;
	struct convert_lane lanes[ANIM_LANES_MAX];
	unsigned count = anim_types[cut->track->type].lanes;
	double start[ANIM_LANES_MAX] = {0}, end[ANIM_LANES_MAX] = {0};
	struct retime_key key, next;

	for (unsigned lane = 0; lane < count; lane++)
		if (!read_part(v, lane, &lanes[lane]))
			return 0;
	begin_key(v, &key);
	memset(&next, 0, sizeof next);
	next.mode = v->mode;
	set_weights(v, &key, &next);
	for (unsigned lane = 0; lane < count; lane++) {
		start[lane] = lanes[lane].y[0];
		end[lane] = lanes[lane].y[3];
		if (lanes[lane].steps)
			set_held(&key, &next, lane);
		else
			set_tangents(v, lane, &lanes[lane], &key, &next);
	}
	if (v->window->opens < 0)
		anim_value_store(cut->track->type, start, &key.value);
	if (retime_append(cut, &key, error) != 0)
		return -1;
	end_piece(v, &next, end);
	return 1;
}

/* Four values of the segment, at both ends of the window and its thirds. */
static int read_thirds(const struct view *v, double p[4][ANIM_LANES_MAX], struct anim_error *error)
{
	struct anim_track one = *v->cut->track;
	union retime_value value;

	one.value = &value;
	for (int i = 0; i < 4; i++) {
		struct anim_segment segment = v->segment;

		segment.weight = v->from + (v->to - v->from) * i / 3;
		if (v->cut->sampler.rules->blend(&v->cut->sampler, v->mode, &segment, &value, error) != 0)
			return -1;
		anim_value_load(&one, 0, p[i]);
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
	unsigned count = anim_types[cut->track->type].lanes;
	double p[4][ANIM_LANES_MAX];
	struct retime_key key, next;

	if (read_thirds(v, p, error) != 0)
		return -1;
	begin_key(v, &key);
	key.mode = ANIM_HERMITE;
	memset(&next, 0, sizeof next);
	next.mode = ANIM_HERMITE;
	for (unsigned lane = 0; lane < count; lane++) {
		double a = p[0][lane], b = p[1][lane], c = p[2][lane], d = p[3][lane];

		key.right[lane] = (-11 * a + 18 * b - 9 * c + 2 * d) / 2 / v->seconds;
		next.left[lane] = (11 * d - 18 * c + 9 * b - 2 * a) / 2 / v->seconds;
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
 * Lanes that run straight and are normalised afterwards. The ends of a part are shorter than 1; Unity normalises all
 * that it plays, elsewhere a factor that runs straight, too, makes the ends 1 long and the lanes quadratic, which changes no
 * direction.
 */
static int add_normalised(const struct view *v, struct anim_error *error)
{
	struct retime_cut *cut = v->cut;
	struct retime_key key, next;
	double a[ANIM_LANES_MAX], b[ANIM_LANES_MAX], start[ANIM_LANES_MAX] = {0}, end[ANIM_LANES_MAX] = {0};
	double first, last;
	bool bends;

	anim_value_load(cut->track, v->segment.from, a);
	anim_value_load(cut->track, v->segment.to, b);
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
	const char *slerp = anim_attrs_get(&cut->clip->attrs, "resonite.slerp");

	if (!anim_types[cut->track->type].quaternion)
		return false;
	return cut->track->rules == ANIM_RULES_UNITY ||
	       (cut->track->rules == ANIM_RULES_RESONITE && (slerp == NULL || strcmp(slerp, "true") != 0));
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
