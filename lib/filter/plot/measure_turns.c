/* measure_turns.c: columns of rotations whose keys bound what lies between them. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/plot/measure.h"

/* What comes next is the vector that is nearest to that at the column's left border: none is half a turn from it. */
static void go_on(struct plot_measure *m)
{
	memcpy(m->curve->last, m->edge, sizeof m->edge);
}

/* The lanes of a key as it is. */
static void show_key(struct plot_measure *m, size_t k, double out[PLOT_LANES])
{
	double v[ANIM_COMPONENTS_MAX] = {0};

	anim_components(m->curve->keys.type, m->curve->keys.value, k, v);
	go_on(m);
	plot_curve_lanes(m->curve, v, out);
}

/* A key of rotations. That which stands alone is shown as it is, which needs no player; of others both sides are played. */
static int look_at_turn(struct plot_measure *m, const struct plot_stretch *s, size_t k)
{
	const struct anim_track *track = &m->curve->keys;
	double at = anim_track_time(track, k), hair = plot_measure_hair(m->curve, at);
	double t[3] = {fmax(at - hair, s->from), at, fmin(at + hair, s->to)}, lanes[3][PLOT_LANES] = {{0}};

	if (!plot_measure_stands_alone(m->curve, track, k))
		return plot_measure_look(m, t, 3, lanes);
	show_key(m, k, lanes[0]);
	plot_measure_widen(m, lanes[0]);
	return 0;
}

/* Lanes of a way at even distances: through them goes a polynomial of fourth degree, which counts these from the middle. */
struct way {
	double t[5], v[5][PLOT_LANES];
};

static void fit_way(const struct way *way, unsigned lane, double a[5])
{
	double v[5];

	for (int i = 0; i < 5; i++)
		v[i] = way->v[i][lane];
	a[0] = v[2];
	a[1] = (v[0] - 8 * v[1] + 8 * v[3] - v[4]) / 12;
	a[2] = (16 * (v[1] + v[3]) - 30 * v[2] - v[0] - v[4]) / 24;
	a[3] = (v[4] - v[0] + 2 * (v[1] - v[3])) / 12;
	a[4] = (v[0] + v[4] - 4 * (v[1] + v[3]) + 6 * v[2]) / 24;
}

/* Where the polynomial has its peak (times `sign`) near x, and how much it bends there: by Newton's steps. False: nowhere. */
static bool find_peak(const double a[5], double sign, double *x, double *bend)
{
	double slope;

	for (int i = 0; i < 5; i++) {
		slope = a[1] + *x * (2 * a[2] + *x * (3 * a[3] + *x * 4 * a[4]));
		*bend = -sign * (2 * a[2] + *x * (6 * a[3] + *x * 12 * a[4]));
		if (!(*bend > 0))
			return false;
		*x += sign * slope / *bend;
	}
	return fabs(*x) <= 2;
}

/* What may be a peak of a lane: its time, its value, and the middle of the three values that bend over there. */
struct peak {
	double t, value, sign, bend;
	unsigned lane;
	int middle;
};

#define PEAKS 12 /* of a way: more are more than polynomials of fourth degree have */

/* The peaks of a lane that may reach beyond what the column has. */
static unsigned find_peaks(const struct plot_measure *m, const struct way *way, unsigned lane, double sign,
			   struct peak *peaks, unsigned count)
{
	const struct plot_lane *values = &m->columns->lane[lane];
	double best = sign > 0 ? values->most[m->column] : -values->least[m->column], a[5];

	fit_way(way, lane, a);
	for (int i = 1; i < 4 && count < PEAKS; i++) {
		double before = way->v[i - 1][lane], at = way->v[i][lane], after = way->v[i + 1][lane];
		double bend = sign * (2 * at - before - after), rise = sign * (after - before) / 2, x, value;

		if (!(bend > 0) || fabs(rise) > 1.25 * bend)
			continue;
		x = i - 2 + rise / bend;
		if (!find_peak(a, sign, &x, &bend)) { /* no polynomial tells: it is climbed where it may be worth it */
			x = i - 2;
			bend = 0;
		} else if (x < i - 2.5 - (i == 1) || x > i - 1.5 + (i == 3)) {
			continue; /* that of other three */
		}
		value = a[0] + x * (a[1] + x * (a[2] + x * (a[3] + x * a[4])));
		if (sign * value + fabs(a[4]) + (bend > 0 ? 0 : fabs(rise)) + PLOT_TURNS_ROUNDING > best)
			peaks[count++] =
			    (struct peak){way->t[2] + x * (way->t[3] - way->t[2]), value, sign, bend, lane, i};
	}
	return count;
}

/*
 * A way between two keys, or part of it, that bends little, with the lanes at both ends. Where the polynomial has its peaks the way
 * has them nearly: by so little off that they are as high, unless what is shown there is not what the polynomial has.
 */
static int look_at_way(struct plot_measure *m, struct way *way)
{
	double t[PEAKS], v[PEAKS][PLOT_LANES];
	struct peak peaks[PEAKS];
	unsigned count = 0;

	for (int i = 1; i < 4; i++)
		way->t[i] = way->t[0] + (way->t[4] - way->t[0]) * i / 4;
	if (plot_measure_look(m, way->t + 1, 3, way->v + 1) != 0)
		return -1;
	for (unsigned lane = 0; lane < 3; lane++)
		for (int sign = -1; sign <= 1; sign += 2)
			count = find_peaks(m, way, lane, sign, peaks, count);
	for (unsigned i = 0; i < count; i++)
		t[i] = peaks[i].t;
	if (count > 0 && plot_measure_look(m, t, count, v) != 0)
		return -1;
	for (unsigned i = 0; i < count; i++) {
		const struct peak *peak = &peaks[i];

		if (fabs(v[i][peak->lane] - peak->value) > 1e-3 * peak->bend + PLOT_TURNS_ROUNDING &&
		    plot_measure_climb(m, peak->lane, peak->sign, way->t + peak->middle - 1,
				       way->v + peak->middle - 1) != 0)
			return -1;
	}
	return 0;
}

/* The way that ends at key k of the column, or at its right border; it is no part of a hair. 0 or -1. */
static int look_at_one_way(struct plot_measure *m, const struct plot_stretch *s, size_t k, double edges[2][PLOT_LANES])
{
	const struct anim_track *track = &m->curve->keys;
	size_t key = m->turns.from + k, count = m->turns.count;
	struct way way = {.t = {k > 0 ? anim_track_time(track, key - 1) : s->from}};
	double ends[2][PLOT_LANES];

	way.t[4] = k < count ? anim_track_time(track, key) : s->to;
	go_on(m);
	if (track->interp == ANIM_CUBIC_UNIFORM || isnan(m->turns.bend[k]) || /* it may jump; nothing is known of it */
	    way.t[4] - way.t[0] < 16 * plot_measure_hair(m->curve, way.t[4]) ||
	    (k > 0 && !plot_measure_stands_alone(m->curve, track, key - 1)) ||
	    (k < count && !plot_measure_stands_alone(m->curve, track, key)))
		return plot_measure_piece(m, way.t[0], way.t[4], ends);
	memcpy(way.v[0], edges[0], sizeof way.v[0]);
	memcpy(way.v[4], edges[1], sizeof way.v[4]);
	if (k > 0)
		show_key(m, key - 1, way.v[0]);
	if (k < count)
		show_key(m, key, way.v[4]);
	go_on(m);
	return look_at_way(m, &way);
}

/* The ways between keys and borders, but for those that what was seen since lies beyond. */
static int look_at_ways(struct plot_measure *m, const struct plot_stretch *s, double edges[2][PLOT_LANES])
{
	double least[3], most[3];

	for (size_t k = 0; k <= m->turns.count; k++) {
		for (int i = 0; i < 3; i++) {
			least[i] = m->columns->lane[i].least[m->column];
			most[i] = m->columns->lane[i].most[m->column];
		}
		if (plot_turns_reach(&m->turns, k, least, most) && look_at_one_way(m, s, k, edges) != 0)
			return -1;
	}
	return 0;
}

/* Whether a key may come beyond what the column has. */
static bool comes_out(const struct plot_measure *m, size_t key)
{
	for (int i = 0; i < 3; i++) {
		double v = (double)m->turns.lane[i][key - m->turns.from + 1];

		if (v < m->columns->lane[i].least[m->column] + PLOT_TURNS_OFF ||
		    v > m->columns->lane[i].most[m->column] - PLOT_TURNS_OFF)
			return true;
	}
	return false;
}

/* The keys that may come outermost, and the ways between them. 0 or -1. */
static int look_at_turns(struct plot_measure *m, const struct plot_stretch *s, bool ways, double edges[2][PLOT_LANES])
{
	plot_turns_find(&m->turns);
	for (size_t i = 0; i < m->turns.found; i++) {
		if (!comes_out(m, m->turns.keys[i]))
			continue;
		go_on(m);
		if (look_at_turn(m, s, m->turns.keys[i]) != 0)
			return -1;
	}
	return ways ? look_at_ways(m, s, edges) : 0;
}

/* Takes the rough vectors as they are; false where ways may come out farther than need not be seen. */
static bool take_turns(struct plot_measure *m, const struct plot_stretch *s, bool ways)
{
	double away = ways ? plot_turns_away(&m->turns) : 0;

	if (!(m->apart > 4 * PLOT_TURNS_OFF))
		return false;
	if (away > m->apart / 2 && plot_turns_bound(&m->turns, s->from, s->to))
		away = plot_turns_beyond(&m->turns);
	if (away > 2 * m->apart)
		return false;
	for (unsigned i = 0; i < 3; i++) {
		plot_measure_widen_lane(&m->columns->lane[i], m->column, (double)m->turns.least[i]);
		plot_measure_widen_lane(&m->columns->lane[i], m->column, (double)m->turns.most[i]);
	}
	plot_measure_be_off(m, away + PLOT_TURNS_OFF);
	return true;
}

int plot_measure_turned(struct plot_measure *m, const struct plot_stretch *s, double edges[2][PLOT_LANES])
{
	const struct anim_track *track = &m->curve->keys;
	size_t first, last, count;
	bool ways;
	int rough;

	plot_measure_keys_before(m, s, &first, &last);
	first++;
	count = last + 1 - first - (anim_track_time(track, last) == s->to);
	ways = count < PLOT_DENSE;
	if (s->from < anim_track_time(track, 0) || s->to > anim_track_time(track, track->n - 1) ||
	    (ways && !plot_turns_may(track)))
		return 0;
	rough = plot_turns_read(&m->turns, m->curve->first, edges[0], track, first, count, m->error);
	if (rough <= 0)
		return rough;
	go_on(m);
	if (plot_measure_border(m, m->column + 1, edges[1]) != 0)
		return -1;
	if (!plot_turns_join(&m->turns, edges[0], edges[1])) {
		go_on(m);
		return 0;
	}
	plot_measure_widen(m, edges[1]);
	if (!take_turns(m, s, ways)) {
		go_on(m);
		if (ways && !plot_turns_bound(&m->turns, s->from, s->to))
			return 0;
		if (look_at_turns(m, s, ways, edges) != 0)
			return -1;
	}
	memcpy(m->curve->last, edges[1], sizeof m->curve->last);
	return 1;
}
