/* measure.c: the least and the most of a curve in each column of a picture. */
#include <math.h>
#include <string.h>

#include "clip/cubic.h"
#include "clip/keys.h"
#include "filter/plot/measure.h"
#include "math/curve.h"
#include "math/elementary.h"

/* --- The columns of a picture --- */

int plot_columns_init(struct plot_columns *columns, double start_s, double end_s, size_t count, unsigned lanes,
		      struct anim_arena *arena, struct anim_error *error)
{
	size_t room = 3 * count + 1;
	double *values = anim_arena_zeroed(arena, lanes * room, sizeof *values, error);

	if (values == NULL)
		return -1;
	*columns = (struct plot_columns){.start_s = start_s, .end_s = end_s, .count = count, .lanes = lanes};
	for (unsigned i = 0; i < lanes; i++) {
		columns->lane[i] = (struct plot_lane){values, values + count, values + 2 * count};
		for (size_t c = 0; c < count; c++) {
			columns->lane[i].least[c] = (double)INFINITY;
			columns->lane[i].most[c] = -(double)INFINITY;
		}
		values += room;
	}
	return 0;
}

double plot_column_time(const struct plot_columns *columns, size_t c)
{
	if (c == columns->count)
		return columns->end_s;
	return columns->start_s + (columns->end_s - columns->start_s) * (double)c / (double)columns->count;
}

size_t plot_column_of(const struct plot_columns *columns, double t)
{
	double length = columns->end_s - columns->start_s;
	double at = length > 0 ? (t - columns->start_s) / length * (double)columns->count : 0;

	if (!(t >= columns->start_s && t <= columns->end_s))
		return columns->count;
	return at < (double)columns->count ? (size_t)at : columns->count - 1;
}

#define PARTS 8   /* of a piece between two times at which the curve may bend */
#define CLOSER 40 /* steps of a search for a peak or a jump */

int plot_measure_look(struct plot_measure *m, const double *t, unsigned count, double (*out)[PLOT_LANES])
{
	if (plot_curve_at(m->curve, t, count, out, m->error) != 0)
		return -1;
	for (unsigned i = 0; i < count; i++)
		plot_measure_widen(m, out[i]);
	return 0;
}

/* What is known of a border; rotations go on from there. */
static void read_edge(struct plot_measure *m, size_t c, double out[PLOT_LANES])
{
	for (unsigned lane = 0; lane < m->columns->lanes; lane++)
		out[lane] = m->columns->lane[lane].edge[c];
	if (isfinite(out[0]))
		memcpy(m->curve->last, out, m->columns->lanes * sizeof *out);
}

int plot_measure_border(struct plot_measure *m, size_t c, double out[PLOT_LANES])
{
	double t[ANIM_SOURCE_SAMPLES];

	if (m->again) {
		read_edge(m, c, out);
		return 0;
	}
	if (c < m->border || c >= m->border + m->border_count) {
		m->border = c;
		for (m->border_count = 0; m->border_count < ANIM_SOURCE_SAMPLES && c <= m->columns->count; c++)
			t[m->border_count++] = plot_column_time(m->columns, c);
		if (plot_curve_play(m->curve, t, (unsigned)m->border_count, &m->borders, m->error) != 0)
			return -1;
		c = m->border;
	}
	plot_curve_show(m->curve, &m->borders, (unsigned)(c - m->border), out);
	return 0;
}

/* The vertex of the parabola through three points, and how far it is above the middle one; false where it has none between. */
static bool find_vertex(const double t[3], const double v[3], double *at, double *rise)
{
	double before = (v[1] - v[0]) / (t[1] - t[0]), after = (v[2] - v[1]) / (t[2] - t[1]);
	double bend = (before - after) / (t[2] - t[0]), slope = before - bend * (t[1] - t[0]);

	*at = t[1] + slope / (2 * bend);
	*rise = slope * slope / (4 * bend);
	return bend > 0 && *at > t[0] && *at < t[2];
}

/*
 * Parabolas, golden sections where there is none and each third time, for a curve may have corners. It is found where no more than a
 * float's rounding is to be gained.
 */
int plot_measure_climb(struct plot_measure *m, unsigned lane, double sign, const double times[3],
		       double (*lanes)[PLOT_LANES])
{
	double t[3] = {times[0], times[1], times[2]}, v[3], at, rise, rounding = 0, out[1][PLOT_LANES];

	for (int i = 0; i < 3; i++)
		v[i] = sign * lanes[i][lane];
	if (m->curve->shape == PLOT_ROTATION && m->curve->rotation != ANIM_PLOT_QUAT)
		rounding = 2e-6; /* degrees: quaternions of floats are as exact as ten times that */
	for (int i = 0; i < CLOSER; i++) {
		bool curved = find_vertex(t, v, &at, &rise);
		int side;

		if (curved && rise < fmax(5e-8 * fabs(v[1]), rounding))
			break;
		if (!curved || i % 3 == 2)
			at = t[1] - t[0] > t[2] - t[1] ? t[1] - 0.382 * (t[1] - t[0]) : t[1] + 0.382 * (t[2] - t[1]);
		if (at == t[1])
			break;
		if (plot_measure_look(m, &at, 1, out) != 0)
			return -1;
		side = at < t[1] ? 0 : 2;
		if (sign * out[0][lane] > v[1]) {
			t[2 - side] = t[1];
			v[2 - side] = v[1];
			side = 1;
		}
		t[side] = at;
		v[side] = sign * out[0][lane];
	}
	return 0;
}

/* Three values at even distances bend over and may reach beyond what the column has. */
static bool may_peak(const struct plot_measure *m, unsigned lane, double sign, double a, double b, double c)
{
	const struct plot_lane *values = &m->columns->lane[lane];
	double best = sign > 0 ? values->most[m->column] : -values->least[m->column], bend, rise;

	a *= sign;
	b *= sign;
	c *= sign;
	bend = 2 * b - a - c;
	rise = (c - a) / 2;
	if (!(bend > 1e-6 * fabs(b)) || fabs(rise) > 1.25 * bend) /* rounding; the vertex lies outside */
		return false;
	return b + rise * rise / (2 * bend) + bend / 4 > best;
}

static int look_for_peaks(struct plot_measure *m, const double *t, double (*v)[PLOT_LANES])
{
	double last[PLOT_LANES];

	memcpy(last, m->curve->last, sizeof last);
	for (unsigned lane = 0; lane < m->columns->lanes; lane++)
		for (int i = 1; i < PARTS; i++)
			for (int sign = -1; sign <= 1; sign += 2)
				if (may_peak(m, lane, sign, v[i - 1][lane], v[i][lane], v[i + 1][lane])) {
					memcpy(m->curve->last, v[i], sizeof v[i]);
					if (plot_measure_climb(m, lane, sign, t + i - 1, v + i - 1) != 0)
						return -1;
				}
	memcpy(m->curve->last, last, sizeof last); /* what comes next goes on from there */
	return 0;
}

/* Where a lane jumps between two times, both sides of the jump; what is not more than `least` is none. */
static int look_for_jump(struct plot_measure *m, double low, double high, double before, double after, double least)
{
	double middle, v[1][PLOT_LANES];

	for (int i = 0; i < CLOSER && fabs(after - before) > least; i++) {
		middle = low + (high - low) / 2;
		if (plot_measure_look(m, &middle, 1, v) != 0)
			return -1;
		if (fabs(v[0][0] - before) > fabs(v[0][0] - after)) {
			high = middle;
			after = v[0][0];
		} else {
			low = middle;
			before = v[0][0];
		}
	}
	return 0;
}

static int look_for_jumps(struct plot_measure *m, const double *t, double (*v)[PLOT_LANES])
{
	const struct plot_lane *lane = &m->columns->lane[0];
	double range = lane->most[m->column] - lane->least[m->column];
	double least = m->curve->wraps ? ANIM_PI * m->curve->factor : range / 16;

	for (unsigned i = 0; (m->curve->wraps || m->curve->leaps) && i < PARTS; i++)
		if (look_for_jump(m, t[i], t[i + 1], v[i][0], v[i + 1][0], least) != 0)
			return -1;
	return 0;
}

/* Handles with a time part may turn within a hair: their turns are told by the polynomials. */
static int look_at_turns(struct plot_measure *m, double from, double to)
{
	const struct anim_track *track = m->curve->play->joined ? NULL : m->curve->play->tracks[0];
	double u[2], t, v[1][PLOT_LANES], start, length;
	struct anim_cubic cubic;
	ptrdiff_t k;

	if (track == NULL || track->kind != ANIM_CURVE || (track->left_x == NULL && track->right_x == NULL))
		return 0;
	k = anim_find_key(track->time, track->n, from + (to - from) / 2);
	if (k < 0 || (size_t)k + 1 >= track->n)
		return 0;
	start = (double)track->time[k];
	length = (double)track->time[k + 1] - start;
	for (unsigned lane = 0; lane < m->columns->lanes; lane++) {
		unsigned count =
		    anim_cubic_read(track, (size_t)k, lane, &cubic) && cubic.cubic ? plot_turns_of(cubic.y, u) : 0;

		for (unsigned i = 0; i < count; i++) {
			t = start + length * anim_bezier(cubic.x[0], cubic.x[1], cubic.x[2], cubic.x[3], u[i]);
			if (t > from && t < to && plot_measure_look(m, &t, 1, v) != 0)
				return -1;
		}
	}
	return 0;
}

bool plot_measure_stands_alone(const struct plot_curve *curve, const struct anim_track *track, size_t k)
{
	double t = anim_track_time(track, k), apart = 2 * plot_measure_hair(curve, t);

	return (k == 0 || t - anim_track_time(track, k - 1) > apart) &&
	       (k + 1 == track->n || anim_track_time(track, k + 1) - t > apart);
}

int plot_measure_piece(struct plot_measure *m, double from, double to, double (*out)[PLOT_LANES])
{
	double low = from + plot_measure_hair(m->curve, from), high = to - plot_measure_hair(m->curve, to);
	double t[PARTS + 3], v[PARTS + 3][PLOT_LANES];
	unsigned parts = m->curve->straight ? 1 : PARTS;

	if (!(high > low))
		low = high = from + (to - from) / 2;
	t[0] = from;
	for (unsigned i = 0; i <= parts; i++)
		t[i + 1] = low + (high - low) * i / parts;
	t[parts + 2] = to;
	if (plot_measure_look(m, t, parts + 3, v) != 0)
		return -1;
	memcpy(out[0], v[0], sizeof v[0]);
	memcpy(out[1], v[parts + 2], sizeof v[0]);
	if (m->curve->straight)
		return 0;
	if (look_at_turns(m, low, high) != 0 || look_for_jumps(m, t + 1, v + 1) != 0)
		return -1;
	return look_for_peaks(m, t + 1, v + 1);
}

/* --- Bounds of what lies between two keys, so that of many only those are played that matter --- */

static void range_of(const double p[4], double *least, double *most)
{
	double low = p[0] < p[3] ? p[0] : p[3], high = p[0] < p[3] ? p[3] : p[0];

	low = p[1] < low ? p[1] : low;
	high = p[1] > high ? p[1] : high;
	*least = p[2] < low ? p[2] : low;
	*most = p[2] > high ? p[2] : high;
}

/* What bounds the segment: its control values. Everything, where there are none. */
static void bound_segment(const struct anim_track *track, size_t k, unsigned lane, double *least, double *most)
{
	struct anim_cubic cubic = {.cubic = false};

	*least = -(double)INFINITY;
	*most = (double)INFINITY;
	if (plot_controls_of(track, k, lane, &cubic) || cubic.cubic)
		range_of(cubic.y, least, most);
}

/* Which of the keys first .. last come lowest and highest. */
struct extremes {
	double least, most;
	size_t lowest, highest;
};

static void find_extremes(const struct anim_track *track, unsigned lane, size_t first, size_t last, struct extremes *e)
{
	*e = (struct extremes){(double)INFINITY, -(double)INFINITY, first, first};
	for (size_t k = first; k <= last; k++) {
		double v = anim_component(track->type, track->value, k, lane);

		if (v < e->least) {
			e->least = v;
			e->lowest = k;
		}
		if (v > e->most) {
			e->most = v;
			e->highest = k;
		}
	}
}

static void swap(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

/* A segment whose lanes are polynomials: both ends, both sides of them, and where the lane turns. 1: done; 0: it is none. */
static int look_at_polynomial(struct plot_measure *m, unsigned lane, size_t k, double from, double to)
{
	const struct anim_track *track = &m->curve->keys;
	double start = anim_track_time(track, k), length = anim_track_time(track, k + 1) - start, u[2];
	double low = from + plot_measure_hair(m->curve, from), high = to - plot_measure_hair(m->curve, to);
	double t[6] = {from, low}, v[6][PLOT_LANES];
	struct anim_cubic cubic;
	unsigned count = 2, turns;

	if (!(high > low))
		t[1] = low = high = from + (to - from) / 2;
	if (!plot_controls_of(track, k, lane, &cubic))
		return 0;
	turns = cubic.cubic ? plot_turns_of(cubic.y, u) : 0;
	for (unsigned i = 0; i < turns; i++) {
		t[count] = start + length * anim_bezier(cubic.x[0], cubic.x[1], cubic.x[2], cubic.x[3], u[i]);
		count += t[count] > low && t[count] < high;
	}
	t[count++] = high;
	t[count++] = to;
	if (count == 6 && t[2] > t[3]) /* times that rise are played sooner */
		swap(&t[2], &t[3]);
	return plot_measure_look(m, t, count, v) != 0 ? -1 : 1;
}

static int look_at_segment(struct plot_measure *m, unsigned lane, size_t k, double from, double to)
{
	const struct anim_track *track = &m->curve->keys;
	double low = fmax(anim_track_time(track, k), from), high = fmin(anim_track_time(track, k + 1), to);
	double ends[2][PLOT_LANES];
	int done = high < low ? 1 : look_at_polynomial(m, lane, k, low, high);

	if (done != 0)
		return done < 0 ? -1 : 0;
	return plot_measure_piece(m, low, high, ends);
}

/* True where a segment may show something beyond what the column has; a float's rounding does not count. */
static bool is_beyond(const struct plot_measure *m, unsigned lane, double least, double most)
{
	const struct plot_lane *values = &m->columns->lane[lane];
	double hair = 1e-7 * fmax(fabs(values->least[m->column]), fabs(values->most[m->column]));

	return least * m->curve->factor < values->least[m->column] - hair ||
	       most * m->curve->factor > values->most[m->column] + hair;
}

/* The last sample of a fixed rate at or before t, the first where there is none. */
static size_t find_sample(const struct anim_track *track, double t)
{
	double start = anim_track_time(track, 0), length = anim_track_time(track, track->n - 1) - start;
	double guess = length > 0 ? (t - start) / length * (double)(track->n - 1) : 0;
	size_t k = guess > 0 ? guess < (double)track->n ? (size_t)guess : track->n - 1 : 0;

	while (k > 0 && anim_track_time(track, k) > t)
		k--;
	while (k + 1 < track->n && anim_track_time(track, k + 1) <= t)
		k++;
	return k;
}

static size_t find_key(struct plot_measure *m, double t)
{
	const struct anim_track *track = &m->curve->keys;
	ptrdiff_t found;

	if (track->time == NULL)
		return find_sample(track, t);
	found = anim_find_key_near(track->time, track->n, t, m->key); /* not far behind the last that was found */
	m->key = found < 0 ? 0 : (size_t)found;
	return m->key;
}

void plot_measure_keys_before(struct plot_measure *m, const struct plot_stretch *s, size_t *first, size_t *last)
{
	const struct anim_track *track = &m->curve->keys;
	size_t at, end;

	if (!m->keyed) {
		*first = find_key(m, s->from);
		*last = find_key(m, s->to);
		return;
	}
	at = (size_t)(s->breaks - track->time);
	for (end = at + s->count; end < track->n && (double)track->time[end] <= s->to;)
		end++;
	*first = at > 0 ? at - 1 : 0;
	*last = end > 0 ? end - 1 : 0;
}

/* Looks at segment k where its bounds reach beyond what the column has so far. */
static int look_beyond(struct plot_measure *m, unsigned lane, size_t k, double from, double to)
{
	struct plot_reach reach;
	double least, most;

	bound_segment(&m->curve->keys, k, lane, &least, &most);
	if (!is_beyond(m, lane, least, most) ||
	    (plot_reach_of(&m->curve->keys, lane, k, &reach) && !is_beyond(m, lane, reach.least, reach.most)))
		return 0;
	return look_at_segment(m, lane, k, from, to);
}

/* The segments with keys in the column that come lowest and highest are played. *done: no other can. 0 or -1. */
static int look_at_extremes(struct plot_measure *m, unsigned lane, size_t first, size_t last, double from, double to,
			    bool *done)
{
	const struct anim_track *track = &m->curve->keys;
	struct extremes e;

	find_extremes(track, lane, first + 1, last, &e);
	e.lowest--;
	e.highest--;
	if (look_at_segment(m, lane, e.lowest, from, to) != 0 ||
	    (e.highest != e.lowest && look_at_segment(m, lane, e.highest, from, to) != 0))
		return -1;
	*done = m->curve->straight && !is_beyond(m, lane, e.least, e.most);
	return 0;
}

/* One lane of a column with segments first .. last, of which the outer two reach beyond it. 0 or -1. */
static int look_at_lane(struct plot_measure *m, unsigned lane, size_t first, size_t last, double from, double to)
{
	const struct anim_track *track = &m->curve->keys;
	bool done = false;

	if (last > first && look_at_extremes(m, lane, first, last, from, to, &done) != 0)
		return -1;
	for (size_t k = first; !done && k <= last && k + 1 < track->n; k++)
		if (look_beyond(m, lane, k, from, to) != 0)
			return -1;
	return 0;
}

/* --- Columns of any kind --- */

/* A part between the track's first key and its last: what may be the least or the most is played, the rest lies between. */
static int look_at_bounds(struct plot_measure *m, const struct plot_stretch *s)
{
	size_t first, last;
	int done = 0;

	plot_measure_keys_before(m, s, &first, &last);
	if (m->curve->plain)
		done = plot_measure_plain(m, s, first, last);
	for (unsigned lane = 0; done == 0 && lane < m->columns->lanes; lane++)
		if (look_at_lane(m, lane, first, last, s->from, s->to) != 0)
			return -1;
	return done < 0 ? -1 : 0;
}

/* Keys at these times, in their order. */
static int look_at_keys(struct plot_measure *m, const struct plot_stretch *s)
{
	double t[ANIM_SOURCE_SAMPLES], v[ANIM_SOURCE_SAMPLES][PLOT_LANES];

	for (size_t done = 0; done < s->count;) {
		unsigned count = 0;

		for (; count < ANIM_SOURCE_SAMPLES && done < s->count; done++)
			t[count++] = (double)s->breaks[done];
		if (plot_measure_look(m, t, count, v) != 0)
			return -1;
	}
	return 0;
}

static int look_at_pieces(struct plot_measure *m, const struct plot_stretch *s)
{
	double from = s->from, ends[2][PLOT_LANES];

	for (size_t i = 0; i <= s->count; i++) {
		double to = i < s->count ? (double)s->breaks[i] : s->to;

		if (plot_measure_piece(m, from, to, ends) != 0)
			return -1;
		from = to;
	}
	return 0;
}

/* The part of a stretch between two times. */
static struct plot_stretch part_of(const struct plot_stretch *s, double from, double to)
{
	struct plot_stretch part = {.from = fmax(from, s->from), .to = fmin(to, s->to), .breaks = s->breaks};
	const float *end = s->breaks + s->count;

	while (part.breaks < end && (double)*part.breaks <= part.from)
		part.breaks++;
	while (part.breaks + part.count < end && (double)part.breaks[part.count] < part.to)
		part.count++;
	return part;
}

/* Keys bound what lies between the first and the last of them. */
static int look_at_bounded(struct plot_measure *m, const struct plot_stretch *s)
{
	const struct anim_track *track = &m->curve->keys;
	double start = anim_track_time(track, 0), end = anim_track_time(track, track->n - 1);
	struct plot_stretch part;

	if (s->from >= start && s->to <= end)
		return look_at_bounds(m, s);
	if (s->to <= start || s->from >= end)
		return look_at_pieces(m, s);
	part = part_of(s, s->from, start);
	if (s->from < start && look_at_pieces(m, &part) != 0)
		return -1;
	part = part_of(s, end, s->to);
	if (s->to > end && look_at_pieces(m, &part) != 0)
		return -1;
	part = part_of(s, start, end);
	return look_at_bounds(m, &part);
}

/* What lies between the borders; rotations go on from the left one. 0 or -1. */
static int look_within(struct plot_measure *m, const struct plot_stretch *s)
{
	if (m->curve->bounded)
		return look_at_bounded(m, s);
	return s->count >= PLOT_DENSE && m->curve->shape == PLOT_ROTATION ? look_at_keys(m, s) : look_at_pieces(m, s);
}

/* What lies behind the left border, and the right one; of plain keys what reaches beyond both is looked for. 0 or -1. */
static int look_between(struct plot_measure *m, const struct plot_stretch *s, double right[PLOT_LANES])
{
	bool plain = m->curve->plain;

	if ((!plain && look_within(m, s) != 0) || plot_measure_border(m, m->column + 1, right) != 0)
		return -1;
	plot_measure_widen(m, right);
	return plain ? look_within(m, s) : 0;
}

static int look_at_column(struct plot_measure *m, const struct plot_stretch *s)
{
	double edges[2][PLOT_LANES];
	int turned;

	if (m->column == 0 && plot_measure_border(m, 0, m->edge) != 0)
		return -1;
	memcpy(edges[0], m->edge, sizeof m->edge);
	plot_measure_widen(m, edges[0]);
	turned = m->curve->turned ? plot_measure_turned(m, s, edges) : 0;
	if (turned < 0 || (turned == 0 && look_between(m, s, edges[1]) != 0))
		return -1;
	memcpy(m->edge, edges[1], sizeof m->edge);
	for (unsigned lane = 0; lane < m->columns->lanes; lane++) {
		m->columns->lane[lane].edge[m->column] = edges[0][lane];
		m->columns->lane[lane].edge[m->column + 1] = edges[1][lane];
	}
	return 0;
}

/* The keys' times are where it bends, and nothing else is. */
static bool are_breaks(const struct anim_track *keys)
{
	return keys->n >= 2 && keys->kind != ANIM_RAW && keys->pre == ANIM_EXTRAPOLATION_HOLD &&
	       keys->post == ANIM_EXTRAPOLATION_HOLD;
}

/* --- The columns, one after the other --- */

/* The times at which the curve bends. */
struct breaks {
	const float *times;
	size_t count;
};

static int find_breaks(struct plot_measure *m, struct anim_buffer *room, struct breaks *out)
{
	const struct anim_track *keys = &m->curve->keys;

	m->keyed = are_breaks(keys);
	if (m->keyed) {
		*out = (struct breaks){keys->time, keys->n};
		return 0;
	}
	if (anim_source_breaks(m->curve->play, room, m->error) != 0)
		return -1;
	*out = (struct breaks){(const float *)(const void *)room->data, room->size / sizeof(float)};
	return 0;
}

/* The column at hand, whose first break is breaks->times[*at]; *at becomes that of the next. 0 or -1. */
static int measure_column(struct plot_measure *m, const struct breaks *breaks, size_t *at)
{
	struct plot_stretch s = {.from = plot_column_time(m->columns, m->column),
				 .to = plot_column_time(m->columns, m->column + 1),
				 .breaks = breaks->times + *at};
	size_t end = breaks->count;

	if (*at < end) /* as many as in the column before */
		end = (size_t)(anim_find_key_near(breaks->times, end, s.to, *at + m->per_column) + 1);
	s.count = m->per_column = end - *at;
	s.count -= s.count > 0 && (double)s.breaks[s.count - 1] == s.to;
	*at = end;
	return look_at_column(m, &s);
}

/* Columns may be off by a part of what is drawn so far, unless rounding is as much. */
static void set_apart(struct plot_measure *m)
{
	double size;

	for (unsigned lane = 0; m->column > 0 && lane < m->columns->lanes; lane++) {
		double least = m->columns->lane[lane].least[m->column - 1];
		double most = m->columns->lane[lane].most[m->column - 1];

		m->lowest = least < m->lowest ? least : m->lowest;
		m->highest = most > m->highest ? most : m->highest;
	}
	size = fmax(fabs(m->lowest), fabs(m->highest));
	m->apart = (m->highest - m->lowest) * m->fine;
	if (!(m->apart > 4 * PLOT_FLOATS * size) || !isfinite(m->apart))
		m->apart = 0;
}

static int measure_all(struct plot_measure *m, const struct breaks *breaks)
{
	size_t at = (size_t)(anim_find_key(breaks->times, breaks->count, m->columns->start_s) + 1);

	for (; m->column < m->columns->count; m->column++) {
		if (m->columns->slack != NULL)
			set_apart(m);
		if (measure_column(m, breaks, &at) != 0)
			return -1;
	}
	return plot_measure_play(m, 1);
}

int plot_measure(struct plot_curve *curve, struct plot_columns *columns, struct anim_buffer *breaks,
		 struct anim_error *error)
{
	struct plot_measure m = {.curve = curve, .columns = columns, .error = error};
	struct breaks found;
	int result = find_breaks(&m, breaks, &found);

	if (result == 0)
		result = measure_all(&m, &found);
	anim_buffer_clear(&m.turns.room);
	return result;
}

/* --- Columns that are off, once more --- */

/* The least (side 0) and the most of a lane are its edges: each a bit. */
static unsigned bit_of(unsigned lane, int side)
{
	return 1u << (2 * lane + (unsigned)side);
}

static double *edge_of(const struct plot_measure *m, unsigned lane, int side, size_t c)
{
	return &(side == 0 ? m->columns->lane[lane].least : m->columns->lane[lane].most)[c];
}

static double slack_of(const struct plot_measure *m, size_t c, unsigned bit)
{
	return m->columns->sure[c] & bit ? 0 : (double)m->columns->slack[c];
}

/* These edges of a column. The others are brought out as far as they may be, so that no more is looked at. */
static int measure_again(struct plot_measure *m, const struct breaks *breaks, size_t c, unsigned edges)
{
	double kept[PLOT_PLAIN_LANES][2], sign;
	size_t at = (size_t)(anim_find_key(breaks->times, breaks->count, plot_column_time(m->columns, c)) + 1);

	m->column = c;
	m->apart = 0;
	m->again = true;
	for (unsigned lane = 0; lane < m->columns->lanes; lane++)
		for (int side = 0; side < 2; side++) {
			double *edge = edge_of(m, lane, side, c);

			sign = side == 0 ? -1 : 1;
			kept[lane][side] = *edge;
			*edge = edges & bit_of(lane, side) ? -sign * (double)INFINITY
							   : *edge + sign * slack_of(m, c, bit_of(lane, side));
		}
	read_edge(m, c, m->edge);
	if (measure_column(m, breaks, &at) != 0 || plot_measure_play(m, 1) != 0)
		return -1;
	for (unsigned lane = 0; lane < m->columns->lanes; lane++)
		for (int side = 0; side < 2; side++)
			if ((edges & bit_of(lane, side)) == 0)
				*edge_of(m, lane, side, c) = kept[lane][side];
	m->columns->sure[c] |= (uint8_t)edges;
	return 0;
}

/* The least or the most of a lane: columns that may have it are measured, those that may come farther out before others. */
static int settle_outermost(struct plot_measure *m, const struct breaks *breaks, unsigned lane, int side)
{
	const double *shown = edge_of(m, lane, side, 0);
	double sign = side == 0 ? -1 : 1;

	for (;;) {
		double best = -(double)INFINITY, most = best;
		size_t at = 0;

		for (size_t c = 0; c < m->columns->count; c++) {
			double slack = slack_of(m, c, bit_of(lane, side)), v = sign * shown[c];

			if (slack == 0 && v > best)
				best = v;
			if (slack > 0 && v + slack > most) {
				most = v + slack;
				at = c;
			}
		}
		if (!(most > best))
			return 0;
		if (measure_again(m, breaks, at, bit_of(lane, side)) != 0)
			return -1;
	}
}

/* The edges of a column that may fall into one row or another. */
static unsigned edges_in_doubt(const struct plot_measure *m, size_t c, unsigned rows)
{
	unsigned edges = 0;

	for (unsigned lane = 0; m->columns->slack[c] > 0 && lane < m->columns->lanes; lane++)
		for (int side = 0; side < 2; side++) {
			double slack = slack_of(m, c, bit_of(lane, side)), v = *edge_of(m, lane, side, c);

			if (plot_row_of(m->highest, m->lowest, v - slack, rows) !=
			    plot_row_of(m->highest, m->lowest, v + slack, rows))
				edges |= bit_of(lane, side);
		}
	return edges;
}

static int settle(struct plot_measure *m, const struct breaks *breaks, unsigned rows)
{
	m->lowest = (double)INFINITY;
	m->highest = -(double)INFINITY;
	for (unsigned lane = 0; lane < m->columns->lanes; lane++) {
		if (settle_outermost(m, breaks, lane, 0) != 0 || settle_outermost(m, breaks, lane, 1) != 0)
			return -1;
		plot_lane_widen(&m->columns->lane[lane], m->columns->count, &m->lowest, &m->highest);
	}
	for (size_t c = 0; c < m->columns->count && rows > 0; c++) {
		unsigned edges = edges_in_doubt(m, c, rows);

		if (edges != 0 && measure_again(m, breaks, c, edges) != 0)
			return -1;
	}
	return 0;
}

int plot_measure_rough(struct plot_curve *curve, struct plot_columns *columns, unsigned rows,
		       struct anim_buffer *breaks, struct anim_arena *arena, struct anim_error *error)
{
	struct plot_measure m = {.curve = curve,
				 .columns = columns,
				 .lowest = (double)INFINITY,
				 .highest = -(double)INFINITY,
				 .fine = rows > 0 ? 1.0 / PLOT_FINE : 0.25 / PLOT_FINE,
				 .error = error};
	struct breaks found;
	int result;

	if (columns->lanes > PLOT_PLAIN_LANES)
		return plot_measure(curve, columns, breaks, error);
	columns->slack = anim_arena_zeroed(arena, columns->count, sizeof *columns->slack + 1, error);
	if (columns->slack == NULL)
		return -1;
	columns->sure = (uint8_t *)(columns->slack + columns->count);
	result = find_breaks(&m, breaks, &found);
	if (result == 0)
		result = measure_all(&m, &found);
	if (result == 0)
		result = settle(&m, &found, rows);
	anim_buffer_clear(&m.turns.room);
	return result;
}
