/* measure_plain.c: columns of plain keys: of all of them the outermost are found, and played together. */
#include <math.h>
#include <string.h>

#include "clip/cubic.h"
#include "clip/keys.h"
#include "filter/plot/measure.h"
#include "math/curve.h"

/* To be played, unless it lies outside the column. */
static void add_time(struct plot_measure *m, const struct plot_stretch *s, double t)
{
	unsigned i = m->time_count;

	if (!(t > s->from && t < s->to))
		return;
	for (; i > m->own && m->times[i - 1] >= t; i--)
		if (m->times[i - 1] == t)
			return;
	memmove(m->times + i + 1, m->times + i, (m->time_count - i) * sizeof *m->times);
	m->times[i] = t;
	m->columns_of[m->time_count++] = m->column;
}

int plot_measure_play(struct plot_measure *m, unsigned least)
{
	struct plot_values values;
	double lanes[PLOT_LANES];

	for (unsigned done = 0, count; m->time_count >= least && done < m->time_count; done += count) {
		count = m->time_count - done < ANIM_SOURCE_SAMPLES ? m->time_count - done : ANIM_SOURCE_SAMPLES;
		if (plot_curve_play(m->curve, m->times + done, count, &values, m->error) != 0)
			return -1;
		for (unsigned i = 0; i < count; i++) {
			plot_curve_show(m->curve, &values, i, lanes);
			for (unsigned lane = 0; lane < m->columns->lanes; lane++)
				plot_measure_widen_lane(&m->columns->lane[lane], m->columns_of[done + i], lanes[lane]);
		}
	}
	m->time_count = m->time_count >= least ? 0 : m->time_count;
	return 0;
}

/* A turn behind a key, no nearer to a key than a player tells apart from it. */
static void add_turn(struct plot_measure *m, const struct plot_stretch *s, size_t k, double u)
{
	const struct anim_track *track = &m->curve->keys;
	double start = anim_track_time(track, k), end = anim_track_time(track, k + 1);
	double low = start + plot_measure_hair(m->curve, start), high = end - plot_measure_hair(m->curve, end);

	add_time(m, s, low < high ? fmin(fmax(start + u * (end - start), low), high) : start + (end - start) / 2);
}

/* A key, at which a player may show what is on either side of it, or a turn behind it. */
static void add_outer(struct plot_measure *m, const struct plot_stretch *s, unsigned lane, double value, size_t key,
		      double u)
{
	const struct anim_track *track = &m->curve->keys;
	double t = anim_track_time(track, key), hair = plot_measure_hair(m->curve, t);

	if (u > 0) {
		add_turn(m, s, key, u);
		return;
	}
	if (t - hair > s->from && t + hair < s->to && plot_measure_stands_alone(m->curve, track, key) &&
	    isfinite(value)) { /* it is shown as it is, which needs no player */
		plot_measure_widen_lane(&m->columns->lane[lane], m->column, value * m->curve->factor);
		return;
	}
	add_time(m, s, t - hair);
	add_time(m, s, t);
	add_time(m, s, t + hair);
}

void plot_measure_be_off(struct plot_measure *m, double off)
{
	double size = fmax(fabs(m->lowest), fabs(m->highest));

	m->columns->slack[m->column] = (float)((off + PLOT_FLOATS * size) * 1.001);
}

/* Where a key stands at a border, what is within. */
static void add_borders(struct plot_measure *m, const struct plot_stretch *s, size_t first, size_t last)
{
	const struct anim_track *track = &m->curve->keys;
	double low = plot_measure_hair(m->curve, s->from), high = plot_measure_hair(m->curve, s->to);

	if (s->from - anim_track_time(track, first) <= 2 * low)
		add_time(m, s, s->from + low);
	if (s->to - anim_track_time(track, last) <= 2 * high ||
	    (last + 1 < track->n && anim_track_time(track, last + 1) - s->to <= 2 * high))
		add_time(m, s, s->to - high);
}

/* A turn that is farther out by more than `apart`: it is played, or taken as it is. */
static void look_at_outer_turn(struct plot_measure *m, const struct plot_stretch *s, size_t k, unsigned lane, double y,
			       double part)
{
	const struct anim_track *track = &m->curve->keys;
	double start = anim_track_time(track, k), t = start + part * (anim_track_time(track, k + 1) - start);

	if (m->apart == 0)
		add_turn(m, s, k, part);
	else if (t > s->from && t < s->to)
		plot_measure_widen_lane(&m->columns->lane[lane], m->column, y * m->curve->factor);
}

/* The turns of a segment that a border may cut, where they lie farther out; *rest grows by those that are left. 0 or -1. */
static int add_turns(struct plot_measure *m, const struct plot_stretch *s, size_t k, const struct plot_outer *outer,
		     double apart, double *rest)
{
	const struct anim_track *track = &m->curve->keys;
	double start = anim_track_time(track, k), end = anim_track_time(track, k + 1), u[2], ends[2][PLOT_LANES];
	double low = fmax(start, s->from), high = fmin(end, s->to);
	struct anim_cubic cubic;

	for (unsigned lane = 0; lane < m->columns->lanes; lane++) {
		unsigned turns;

		if (!plot_controls_of(track, k, lane, &cubic))
			return high < low ? 0 : plot_measure_piece(m, low, high, ends);
		turns = cubic.cubic ? plot_turns_of(cubic.y, u) : 0;
		for (unsigned i = 0; i < turns; i++) {
			double y = anim_bezier(cubic.y[0], cubic.y[1], cubic.y[2], cubic.y[3], u[i]);
			double out = fmax(outer[lane].least - y, y - outer[lane].most);

			if (out > apart / PLOT_FINER)
				look_at_outer_turn(m, s, k, lane, y, plot_part_of(&cubic, u[i]));
			else if (out > *rest)
				*rest = out;
		}
	}
	return 0;
}

/* A key so near to a border that the player may not jump to it within. */
static bool may_jump_later(const struct plot_measure *m, size_t k, double border)
{
	const struct anim_track *track = &m->curve->keys;
	double t = anim_track_time(track, k);

	return (track->kind == ANIM_DISCRETE || track->interp == ANIM_HOLD) &&
	       fabs(t - border) <= plot_measure_hair(m->curve, t);
}

/* What is known to be outermost: it is played, or taken as it is. */
static void look_at_outermost(struct plot_measure *m, const struct plot_stretch *s, const struct plot_outer *outer)
{
	for (unsigned lane = 0; lane < m->columns->lanes; lane++) {
		const struct plot_outer *o = &outer[lane];

		if (o->sinks && m->apart > 0)
			plot_measure_widen_lane(&m->columns->lane[lane], m->column, o->least * m->curve->factor);
		else if (o->sinks)
			add_outer(m, s, lane, o->least, o->lowest, o->least_u);
		if (o->rises && m->apart > 0)
			plot_measure_widen_lane(&m->columns->lane[lane], m->column, o->most * m->curve->factor);
		else if (o->rises)
			add_outer(m, s, lane, o->most, o->highest, o->most_u);
	}
}

int plot_measure_plain(struct plot_measure *m, const struct plot_stretch *s, size_t first, size_t last)
{
	const struct anim_track *track = &m->curve->keys;
	struct plot_outer outer[PLOT_PLAIN_LANES] = {{0}};
	size_t inner = m->curve->straight || last + 1 < track->n ? last : track->n - 2;
	const struct plot_lengths *lengths = m->curve->even ? &m->curve->lengths : NULL;
	double apart, rest = 0;

	if (may_jump_later(m, first + (first + 1 < track->n), s->from) || may_jump_later(m, last, s->to))
		m->apart = 0;
	apart = m->apart / m->curve->factor;
	m->own = m->time_count;
	for (unsigned lane = 0; lane < m->columns->lanes; lane++) {
		outer[lane].least = m->columns->lane[lane].least[m->column] / m->curve->factor;
		outer[lane].most = m->columns->lane[lane].most[m->column] / m->curve->factor;
	}
	if (inner > first && !plot_find_outermost(track, lengths, first + 1, inner, apart, outer, &rest)) {
		if (m->apart == 0)
			return 0;
		m->apart = 0; /* keys may be so near to each other that a player shows but one */
		return plot_measure_plain(m, s, first, last);
	}
	add_borders(m, s, first, last);
	look_at_outermost(m, s, outer);
	for (size_t k = first; !m->curve->straight && k <= last && k + 1 < track->n; k = k < inner ? inner : k + 1)
		if (add_turns(m, s, k, outer, apart, &rest) != 0)
			return -1;
	if (m->apart > 0 && (rest > 0 || !m->curve->straight))
		plot_measure_be_off(m, rest * fabs(m->curve->factor));
	return plot_measure_play(m, ANIM_SOURCE_SAMPLES) != 0 ? -1 : 1;
}
