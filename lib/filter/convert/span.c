/* span.c: segments of the target: how far they are from the source, and the best that a cubic can do. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "clip/cubic.h"
#include "clip/keys.h"
#include "filter/convert/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define DEGREES (180 / ANIM_PI)

/* What fmax says, without the call. */
static inline double larger(double most, double other)
{
	return other > most ? other : most;
}

double convert_deviation(const struct convert_meter *m, const double a[ANIM_COMPONENTS_MAX],
			 const double b[ANIM_COMPONENTS_MAX])
{
	const struct anim_type_info *type = &anim_types[m->fit->type];
	float p[4], q[4];
	double off = 0, angle;

	for (unsigned i = 0; i < 4 && type->quaternion; i++) {
		p[i] = (float)a[i];
		q[i] = (float)b[i];
	}
	if (type->quaternion) {
		angle = anim_quat_angle(p, q);
		return angle == angle ? angle * DEGREES : 0;
	}
	for (unsigned i = 0; i < type->components; i++)
		off = larger(off, fabs(a[i] - b[i]));
	return m->fit->rotation ? off * DEGREES : off;
}

/* Godot looks for the time of a Bezier curve in float32, to a 1024th and on along a straight line. */
static bool is_solver(const struct convert_fitting *fit)
{
	return fit->keys->cubic == ANIM_BEZIER_2D;
}

double convert_noise(const struct convert_meter *m, const struct convert_span *span)
{
	const struct anim_type_info *type = &anim_types[m->fit->type];
	double size = 0;

	if (type->quaternion)
		return 1e-4; /* degrees: float32 quaternions tell no less apart */
	for (int i = 0; i < CONVERT_POINTS; i++)
		for (unsigned component = 0; component < type->components; component++)
			size = larger(size, fabs(span->v[i][component]));
	size = (is_solver(m->fit) ? 32 : 8) * 0x1p-24 * size * (m->fit->rotation ? DEGREES : 1);
	return fmax(size, 1e-3 * m->fit->tolerance); /* sums of large keys near zero round coarsely */
}

#define STRIDE 4 /* samples over which a speed is taken: between two alone, values may be noise */

double convert_grain(const struct convert_meter *m, const struct convert_span *span)
{
	double speed = 0, end = (double)span->piece.to_s;

	for (int i = 0; i + STRIDE < CONVERT_POINTS; i++) {
		double seconds = span->t[i + STRIDE] - span->t[i];

		if (seconds > 0)
			speed = fmax(speed, convert_deviation(m, span->v[i], span->v[i + STRIDE]) / seconds);
	}
	return speed * 0x1p-23 * fabs(end);
}

/* A track of the piece alone. */
struct piece_track {
	float time[2], left_x[2], right_x[2];
	uint8_t weighted[2];
	_Alignas(16) uint8_t value[2 * ANIM_VALUE_MAX], left[2 * ANIM_VALUE_MAX], right[2 * ANIM_VALUE_MAX];
};

static void make_pair(const struct convert_meter *m, const struct convert_piece *piece, float end,
		      struct piece_track *pair, struct anim_track *track)
{
	static const struct anim_track none;
	size_t size = anim_types[m->fit->type].size;
	double right[ANIM_COMPONENTS_MAX], left[ANIM_COMPONENTS_MAX];

	memset(pair, 0, sizeof *pair);
	*track = none;
	track->kind = ANIM_CURVE;
	track->type = m->fit->type;
	track->rules = m->fit->caps->rules;
	track->node = track->property = "";
	track->component = ANIM_WHOLE;
	track->interp = (uint8_t)piece->mode;
	track->n = 2;
	track->time = pair->time;
	track->value = pair->value;
	pair->time[0] = piece->from_s;
	pair->time[1] = end;
	anim_value_store(track->type, piece->from, pair->value);
	anim_value_store(track->type, piece->to, pair->value + size);
	if (piece->mode == ANIM_HOLD || piece->mode == ANIM_LINEAR)
		return;
	convert_controls(piece, piece->mode, right, left, &pair->right_x[0], &pair->left_x[1]);
	anim_value_store(track->type, right, pair->right);
	anim_value_store(track->type, left, pair->left + size);
	track->left = pair->left;
	track->right = pair->right;
	if (piece->mode != ANIM_BEZIER_2D && !piece->weighted)
		return;
	track->left_x = pair->left_x;
	track->right_x = pair->right_x;
	pair->weighted[0] = 2;
	pair->weighted[1] = 1;
	track->weighted = piece->weighted ? pair->weighted : NULL;
}

double convert_margin(const struct convert_fitting *fit, double t, bool at_break)
{
	double own = anim_rules_near(fit->caps->rules, t);

	return at_break ? fmax(own, anim_rules_near(anim_source_first(fit->source)->rules, t)) : own;
}

#define CLOSER 14  /* halvings between two samples */
#define SPARE 1.25 /* what is told is larger than what was found by so much */
/* What is looked at between the samples. */
struct deviation_look {
	struct convert_meter *m;
	const struct convert_span *span;
	const struct anim_track *piece;
	double limit, off;
	struct anim_error *error;
};

static double deviation_at(const struct deviation_look *look, size_t i, const void *values, const uint8_t *present,
			   const double real[ANIM_COMPONENTS_MAX])
{
	const struct convert_meter *m = look->m;
	double v[ANIM_COMPONENTS_MAX];

	if (!present[i])
		return (double)INFINITY;
	anim_components(look->piece->type, values, i, v);
	if (m->turn > 0)
		v[0] += m->turn * rint((real[0] - v[0]) / m->turn);
	return convert_deviation(m, v, real);
}

/* The deviation at one time. 0 or -1. */
static int look_at(struct deviation_look *look, double t, double *off)
{
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	double real[1][ANIM_COMPONENTS_MAX] = {{0}};
	uint8_t present;

	if (anim_source_sample(look->m->fit->source, &t, 1, real, look->error) != 0 ||
	    anim_sample(&look->m->clip, look->piece, &t, 1, value, &present, &look->m->state, look->error) != 0)
		return -1;
	*off = deviation_at(look, 0, value, &present, real[0]);
	if (*off > look->off)
		look->off = *off;
	return 0;
}

/* True where what lies between may be farther off than will be told. */
static bool is_worth(const struct deviation_look *look, double most, double bend)
{
	return most + bend > SPARE * fmax(look->off, look->limit);
}

/* Between two times whose deviations are known. */
static int look_between(struct deviation_look *look, double a, double b, double off_a, double off_b, int depth)
{
	double middle = a + (b - a) / 2, off;

	if (!(middle > a && middle < b))
		return 0;
	if (look_at(look, middle, &off) != 0)
		return -1;
	if (depth == 0 || !is_worth(look, fmax(off, fmax(off_a, off_b)), fabs(off_a + off_b - 2 * off)))
		return 0;
	return look_between(look, a, middle, off_a, off, depth - 1) != 0
		   ? -1
		   : look_between(look, middle, b, off, off_b, depth - 1);
}

/* As near to the ends as players tell a time from a key's, where the samples keep farther away. */
static int look_at_ends(struct deviation_look *look)
{
	const struct convert_span *span = look->span;
	double start = (double)span->piece.from_s, end = (double)span->piece.to_s, off;

	start += CONVERT_NEARER * convert_margin(look->m->fit, start, span->starts);
	end -= CONVERT_NEARER * convert_margin(look->m->fit, end, span->ends);
	if (start < span->t[1] - 1e-6 && look_at(look, start, &off) != 0)
		return -1;
	return end > span->t[CONVERT_POINTS - 1] + 1e-6 ? look_at(look, end, &off) : 0;
}

/* Where the deviation bends between the samples, it is looked for there. */
static int look_closer(struct deviation_look *look, const double off[CONVERT_POINTS])
{
	const struct convert_span *span = look->span;
	double last;

	for (int i = 0; i + 1 < CONVERT_POINTS; i++) {
		double step = off[i + 1] - off[i], bend = 0;

		if (i > 0)
			bend = fmax(bend, fabs(step - (off[i] - off[i - 1])));
		if (i + 2 < CONVERT_POINTS)
			bend = fmax(bend, fabs(off[i + 2] - off[i + 1] - step));
		if (is_worth(look, fmax(off[i], off[i + 1]), bend / 4) &&
		    look_between(look, span->t[i], span->t[i + 1], off[i], off[i + 1], CLOSER) != 0)
			return -1;
	}
	last = fmax(off[1], off[CONVERT_POINTS - 1]);
	return span->jumps || last > look->limit / 4 ? look_at_ends(look) : 0;
}

/* A piece that jumps ends a float's step before the jump, which is seen where it is fast. */
static float end_of(const struct convert_meter *m, const struct convert_span *span, double limit)
{
	const struct convert_piece *piece = &span->piece;
	float before = nextafterf(piece->to_s, piece->from_s);

	if (!span->jumps || piece->mode == ANIM_HOLD || !(before > piece->from_s))
		return piece->to_s;
	return convert_grain(m, span) > limit / 8 ? before : piece->to_s;
}

int convert_measure(struct convert_meter *m, const struct convert_span *span, double limit, bool closely, double *off,
		    struct anim_error *error)
{
	_Alignas(16) uint8_t values[CONVERT_POINTS * ANIM_VALUE_MAX];
	uint8_t present[CONVERT_POINTS];
	double offs[CONVERT_POINTS];
	struct anim_track track;
	struct deviation_look look = {.m = m, .span = span, .piece = &track, .limit = limit, .error = error};
	struct piece_track pair;

	make_pair(m, &span->piece, end_of(m, span, limit), &pair, &track);
	m->state.track = NULL; /* another track at the same address */
	if (anim_sample(&m->clip, &track, span->t, CONVERT_POINTS, values, present, &m->state, error) != 0)
		return -1;
	for (int i = 0; i < CONVERT_POINTS; i++) {
		offs[i] = deviation_at(&look, (size_t)i, values, present, span->v[i]);
		look.off = larger(look.off, offs[i]);
	}
	if ((closely || look.off <= limit) && isfinite(look.off) && look_closer(&look, offs) != 0)
		return -1;
	*off = look.off;
	return 0;
}

void convert_least_squares(struct convert_span *span)
{
	double a = (double)span->piece.from_s, length = (double)span->piece.to_s - a;
	double aa = 0, ab = 0, bb = 0, determinant;
	double u[CONVERT_POINTS];

	for (int i = 0; i < CONVERT_POINTS; i++) {
		double v, first, second;

		u[i] = (span->t[i] - a) / length;
		v = 1 - u[i];
		first = 3 * v * v * u[i];
		second = 3 * v * u[i] * u[i];
		aa += first * first;
		ab += first * second;
		bb += second * second;
	}
	determinant = aa * bb - ab * ab;
	if (!(determinant > 1e-12 * aa * bb)) { /* the times are too few */
		for (int component = 0; component < ANIM_COMPONENTS_MAX; component++)
			span->piece.inner[0][component] = span->piece.inner[1][component] =
			    (span->piece.from[component] + span->piece.to[component]) / 2;
		return;
	}
	for (int component = 0; component < ANIM_COMPONENTS_MAX; component++) {
		double p = span->piece.from[component], q = span->piece.to[component], x = 0, y = 0;

		for (int i = 0; i < CONVERT_POINTS; i++) {
			double v = 1 - u[i], rest = span->v[i][component] - v * v * v * p - u[i] * u[i] * u[i] * q;

			x += 3 * v * v * u[i] * rest;
			y += 3 * v * u[i] * u[i] * rest;
		}
		span->piece.inner[0][component] = (x * bb - y * ab) / determinant;
		span->piece.inner[1][component] = (y * aa - x * ab) / determinant;
	}
}

/* ---- What is a cubic already ---- */

/* Before the first key or behind the last. */
static bool read_end(const struct anim_track *track, bool first, double to, unsigned component, struct anim_cubic *l)
{
	if (anim_rules_are_godot(track->rules) || (first ? track->pre : track->post) != ANIM_EXTRAPOLATION_HOLD ||
	    (first && to > (double)track->time[0]))
		return false;
	anim_cubic_hold(l, anim_component(track->type, track->value, first ? 0 : track->n - 1, component));
	return true;
}

/* The component between two times, false where it is no single polynomial there. */
static bool read_component(const struct anim_track *track, unsigned component, double from, double to,
			   struct anim_cubic *l)
{
	double start, length;
	ptrdiff_t k;
	bool whole;

	anim_cubic_hold(l, 0);
	if (track->kind == ANIM_RAW || (track->flags & ANIM_UNSORTED) || track->n == 0)
		return false;
	k = anim_find_key(track->time, track->n, from);
	if (k < 0 || (size_t)k + 1 == track->n)
		return read_end(track, k < 0, to, component, l);
	start = (double)track->time[k];
	length = (double)track->time[k + 1] - start;
	whole = from == start && to == start + length;
	/* Which keys behind a cut Godot plays, the rules alone know. */
	if (to > start + length || (!whole && anim_rules_are_godot(track->rules)) ||
	    !anim_cubic_read(track, (size_t)k, component, l))
		return false;
	l->whole = whole;
	if (!whole)
		anim_cubic_cut(l, (from - start) / length, (to - start) / length);
	return true;
}

/* A share beyond the segment by no more than the rounding of floats ends at its end. */
static double inside(double share)
{
	return share > 1 && share < 1 + 1e-6 ? 1 : share;
}

/* Handles that the target can say: none beyond the segment, and slopes that are numbers. */
static bool set_shares(const struct anim_cubic *l, struct convert_piece *piece)
{
	double right = inside(l->x[1]), left = inside(1 - l->x[2]);
	double most = (double)FLT_MAX * ((double)piece->to_s - (double)piece->from_s);

	if (!(right >= 0 && right <= 1 && left >= 0 && left <= 1) || fabs(l->y[1] - l->y[0]) > right * most ||
	    fabs(l->y[2] - l->y[3]) > left * most)
		return false;
	piece->weighted = true;
	piece->share[0] = right;
	piece->share[1] = left;
	return true;
}

/* Brings the control values of a rotation to the side that the values of the piece are on. */
static void turn(struct anim_cubic components[4], const double from[4], const double to[4])
{
	double first = 0, last = 0;

	for (int i = 0; i < 4; i++) {
		first += from[i] * components[i].y[0];
		last += to[i] * components[i].y[3];
	}
	for (int i = 0; i < 4; i++) {
		components[i].y[1] = first < 0 ? 0.0 - components[i].y[1] : components[i].y[1];
		components[i].y[2] = last < 0 ? 0.0 - components[i].y[2] : components[i].y[2];
	}
}

static bool read_components(const struct anim_source *s, enum anim_type type, const struct convert_piece *piece,
			    struct anim_cubic components[ANIM_COMPONENTS_MAX])
{
	bool cubic = false;

	for (unsigned i = 0; i < anim_types[type].components; i++) {
		const struct anim_track *track = s->tracks[s->joined ? i : 0];

		if (track == NULL) {
			anim_cubic_hold(&components[i], s->fixed[i]);
			continue;
		}
		if (!read_component(track, s->joined ? 0 : i, (double)piece->from_s, (double)piece->to_s,
				    &components[i]))
			return false;
		/* Keys of rotations are of length 1, what lies between them in a component's curve is not. */
		if (anim_types[type].quaternion && (!components[i].whole || components[i].steps))
			return false;
		for (int k = 0; k < 4; k++)
			components[i].y[k] = anim_source_in_unit(s, track, components[i].y[k]);
		cubic = cubic || components[i].cubic;
	}
	return cubic;
}

bool convert_exact(const struct anim_source *s, enum anim_type type, bool uneven, struct convert_span *span)
{
	struct anim_cubic components[ANIM_COMPONENTS_MAX];
	unsigned count = anim_types[type].components;
	struct convert_piece *piece = &span->piece;

	if (s->step != ANIM_STEP_KEEP || !read_components(s, type, piece, components))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!anim_cubic_is_even(&components[i]) && (!uneven || count > 1 || !set_shares(&components[i], piece)))
			return false;
	if (anim_types[type].quaternion)
		turn(components, piece->from, piece->to);
	for (unsigned i = 0; i < count; i++) {
		piece->inner[0][i] = components[i].y[1];
		piece->inner[1][i] = components[i].y[2];
		if (span->jumps && !anim_types[type].quaternion)
			piece->to[i] = components[i].y[3];
	}
	return true;
}
