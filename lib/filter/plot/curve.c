/* curve.c: the values that a player shows of a track, and their minimum and maximum in each column of a picture. */
#include <math.h>
#include <string.h>

#include "filter/common/components.h"
#include "filter/plot/curve.h"
#include "math/elementary.h"

#define DEGREES (180 / ANIM_PI)

/* --- Rotations as components that do not jump --- */

static void normalize(double q[4])
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

	for (int i = 0; i < 4 && length > 0; i++)
		q[i] /= length;
}

#define WHOLE 1e-3 /* sine of half the angle to a full rotation, below which float32 cannot represent the axis */

/*
 * Return in `out` the rotation vector that is nearest to the last one. Rotation vectors of one rotation are
 * multiples of a full rotation apart. Near a full rotation, the axis of float32 quaternions is noise, so the last
 * axis is kept.
 */
static void to_vector(const double rotation[4], const double last[3], double out[3])
{
	double sine = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
	double size = sqrt(last[0] * last[0] + last[1] * last[1] + last[2] * last[2]);
	double angle = 2 * DEGREES * anim_atan2(sine, rotation[3]), along = 0, axis[3];
	bool whole = sine < WHOLE && size > 180;

	for (int i = 0; i < 3; i++) {
		axis[i] = sine > 1e-12 ? rotation[i] / sine : size > 0 ? last[i] / size : 0;
		along += axis[i] * last[i];
	}
	angle = whole ? 360 * rint(size / 360) + angle * along / size : angle + 360 * rint((along - angle) / 360);
	for (int i = 0; i < 3; i++)
		out[i] = (whole ? last[i] / size : axis[i]) * angle;
}

/* Compute the components of a rotation. They continue from the last ones. */
static void components_of_rotation(struct plot_curve *curve, const double v[ANIM_COMPONENTS_MAX],
				   double out[PLOT_COMPONENTS])
{
	const double back[4] = {-curve->first[0], -curve->first[1], -curve->first[2], curve->first[3]};
	const double *last = curve->last;
	double rotation[4], angles[3];

	switch (curve->rotation) {
	case ANIM_PLOT_QUAT: /* of the two signs the nearer one */
		for (int i = 0; i < 4; i++)
			out[i] = v[0] * last[0] + v[1] * last[1] + v[2] * last[2] + v[3] * last[3] < 0 ? -v[i] : v[i];
		break;
	case ANIM_PLOT_EULER:
		for (int i = 0; i < 3; i++)
			angles[i] = last[i] / DEGREES;
		anim_euler_near(angles, v, curve->order);
		for (int i = 0; i < 3; i++)
			out[i] = angles[i] * DEGREES;
		break;
	default: /* from the first key on, with a w that is not negative */
		anim_quat_multiply_double(rotation, v, back);
		normalize(rotation);
		for (int i = 0; i < 4 && rotation[3] < 0; i++)
			rotation[i] = -rotation[i];
		if (curve->rotation == ANIM_PLOT_ROTVEC)
			to_vector(rotation, last, out);
		else
			out[0] = 2 * DEGREES *
				 anim_atan2(sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] +
						 rotation[2] * rotation[2]),
					    rotation[3]);
	}
	if (isfinite(out[0]))
		memcpy(curve->last, out, sizeof curve->last);
}

/* --- A curve --- */

const char *anim_plot_refusal(const struct anim_track *track)
{
	if (track->flags & ANIM_DISABLED)
		return "disabled";
	if (track->n == 0)
		return "no keys";
	if (track->type == ANIM_STRING)
		return "texts";
	return track->kind == ANIM_RAW && track->n > 1 && isnan(anim_track_time(track, 1)) ? "interval unknown" : NULL;
}

double plot_factor_of(const struct anim_track *track)
{
	bool angle = anim_track_is_transform(track) && anim_property_is_angle(track->property);

	return angle && !(track->flags & ANIM_DEGREES) ? DEGREES : 1;
}

int plot_curve_open(struct plot_curve *curve, struct anim_source *play, enum anim_plot_rotation rotation,
		    struct anim_error *error)
{
	const struct anim_track *track = anim_source_first(play);
	double first = anim_track_time(track, 0), value[1][ANIM_COMPONENTS_MAX] = {{0}};

	*curve = (struct plot_curve){.play = play, .rotation = rotation};
	curve->rotates = anim_types[track->type].quaternion || play->step == ANIM_STEP_EULER ||
			 play->step == ANIM_STEP_ANGLE || play->unit_length;
	curve->factor = play->radians ? DEGREES : plot_factor_of(track);
	curve->order = (enum anim_euler_order)anim_track_order(track);
	if (!curve->rotates) {
		curve->components = play->joined ? play->count : anim_types[track->type].components;
		curve->straight = anim_source_blends_linearly(play) && !anim_track_is_captured(track);
		return 0;
	}
	curve->components = rotation == ANIM_PLOT_QUAT ? 4 : rotation == ANIM_PLOT_ANGLE ? 1 : 3;
	if (anim_source_sample(play, &first, 1, value, error) != 0)
		return -1;
	memcpy(curve->first, value[0], sizeof curve->first);
	normalize(curve->first);
	if (rotation == ANIM_PLOT_QUAT)
		memcpy(curve->last, value[0], sizeof curve->first);
	return 0;
}

int plot_curve_at(struct plot_curve *curve, const double *t, unsigned count, double (*out)[PLOT_COMPONENTS],
		  struct anim_error *error)
{
	double values[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX];
	size_t absent = curve->play->absent;
	bool gaps;

	if (anim_source_sample(curve->play, t, count, values, error) != 0)
		return -1;
	gaps = curve->play->absent != absent;
	for (unsigned i = 0; i < count; i++) {
		absent = curve->play->absent;
		if (gaps && anim_source_sample(curve->play, t + i, 1, values + i, error) != 0)
			return -1;
		if (curve->play->absent != absent)
			for (unsigned component = 0; component < curve->components; component++)
				out[i][component] = (double)NAN;
		else if (curve->rotates)
			components_of_rotation(curve, values[i], out[i]);
		else
			for (unsigned component = 0; component < curve->components; component++)
				out[i][component] = values[i][component] * curve->factor;
	}
	return 0;
}

/* --- Columns --- */

int plot_columns_init(struct plot_columns *columns, double start_s, double end_s, size_t count, unsigned components,
		      struct anim_arena *arena, struct anim_error *error)
{
	size_t room = 3 * count + 1;
	double *values = anim_arena_zeroed(arena, components * room, sizeof *values, error);

	if (values == NULL)
		return -1;
	*columns = (struct plot_columns){.start_s = start_s, .end_s = end_s, .count = count, .components = components};
	for (unsigned i = 0; i < components; i++) {
		columns->component[i] = (struct plot_component){values, values + count, values + 2 * count};
		for (size_t c = 0; c < count; c++) {
			columns->component[i].least[c] = (double)INFINITY;
			columns->component[i].most[c] = -(double)INFINITY;
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

/*
 * The number of times that are played in a column, divided among the intervals between its keys. With more keys,
 * only the keys are played.
 */
#define SAMPLES 64
/*
 * The same number for each interval of Euler angles that are played as rotations, because these leave the range of
 * their keys.
 */
#define ROTATED 5
/* The number of searches for the extreme value of a component, and how much closer the times of each search are. */
#define ROUNDS 3
#define CLOSER 15

/* The extreme value of a component so far. */
struct peak {
	double value, t, reach; /* reach: distance to the nearest other times that were played */
	double last[PLOT_COMPONENTS];
};

/* A time that waits to be played, in its column. A border is also the end of the previous column. */
struct add_time {
	double t, reach;
	size_t column;
	bool border;
};

struct measure {
	struct plot_curve *curve;
	struct plot_columns *columns;
	struct add_time times[ANIM_SOURCE_SAMPLES];
	unsigned count;
	struct peak peaks[PLOT_COMPONENTS][2];
	const float *keys; /* the times at which the source may bend */
	size_t key_count;
	size_t next; /* for floats: the first key that is not before the current column */
	struct anim_error *error;
};

static void widen(struct plot_columns *columns, unsigned component, size_t c, double v)
{
	if (c >= columns->count)
		return;
	if (v < columns->component[component].least[c])
		columns->component[component].least[c] = v;
	if (v > columns->component[component].most[c])
		columns->component[component].most[c] = v;
}

/* Play all times that wait. Returns 0 or -1. */
static int play_times(struct measure *m)
{
	double t[ANIM_SOURCE_SAMPLES], v[ANIM_SOURCE_SAMPLES][PLOT_COMPONENTS];
	struct plot_columns *columns = m->columns;

	for (unsigned i = 0; i < m->count; i++)
		t[i] = m->times[i].t;
	if (m->count > 0 && plot_curve_at(m->curve, t, m->count, v, m->error) != 0)
		return -1;
	for (unsigned i = 0; i < m->count; i++) {
		const struct add_time *add_time = &m->times[i];

		for (unsigned component = 0; component < columns->components; component++) {
			double value = v[i][component];

			widen(columns, component, add_time->column, value);
			if (add_time->border) {
				columns->component[component].edge[add_time->column] = value;
				widen(columns, component, add_time->column - 1, value);
			}
			for (int side = 0; side < 2; side++) {
				struct peak *peak = &m->peaks[component][side];

				if (!(side == 0 ? value < peak->value : value > peak->value))
					continue;
				peak->value = value;
				peak->t = add_time->t;
				peak->reach = add_time->reach;
				memcpy(peak->last, v[i], sizeof peak->last);
			}
		}
	}
	m->count = 0;
	return 0;
}

static int add_time(struct measure *m, double t, size_t column, double reach, bool border)
{
	m->times[m->count++] = (struct add_time){t, reach, column, border};
	return m->count == ANIM_SOURCE_SAMPLES ? play_times(m) : 0;
}

/*
 * Return the distance from a key at t within which a player may treat a time as the time of the key. The times of
 * keys that are repeated are rounded.
 */
static double near_key(const struct measure *m, double t)
{
	const struct anim_track *track = anim_source_first(m->curve->play);
	bool repeats = track->pre != ANIM_EXTRAPOLATION_HOLD || track->post != ANIM_EXTRAPOLATION_HOLD;

	return fmax(anim_rules_near(track->rules, t), repeats ? 5e-7 * fmax(1, fabs(t)) : 0);
}

/* Return t, or the time of a key that is so near that the key that a player takes is uncertain. */
static double off_keys(const struct measure *m, double t)
{
	ptrdiff_t k = anim_find_key(m->keys, m->key_count, t);

	for (ptrdiff_t i = k < 0 ? 0 : k; i <= k + 1 && i < (ptrdiff_t)m->key_count; i++)
		if (fabs((double)m->keys[i] - t) < near_key(m, t))
			return (double)m->keys[i];
	return t;
}

/* Keys of a column that are played even if they are not extreme, so that full rotations are followed. */
#define EVENLY 16

/*
 * Play only the extreme keys of many keys in a column, because playing all of them would take longer than reading
 * the file. For rotations a rough search finds them: it knows the rotation vectors to a hundredth of an angle, which
 * is less than one row. Returns 0 or -1.
 */
static int play_outermost(struct measure *m, size_t c, double from, double to, size_t count)
{
	const struct anim_track *track = m->curve->play->tracks[0];
	unsigned components = anim_types[track->type].components;
	const float *value = (const float *)track->value;
	const double *a = m->curve->first, back[4] = {-a[0], -a[1], -a[2], a[3]};
	double best[8];
	size_t outermost[8] = {0}, first, k;

	for (int i = 0; i < 8; i++)
		best[i] = -(double)INFINITY;
	while (m->next < track->n && anim_track_time(track, m->next) < from)
		m->next++;
	first = m->next;
	for (k = first; k < track->n && anim_track_time(track, k) < to; k++) {
		double v[4] = {0}, rotation[4];

		for (unsigned i = 0; i < components; i++)
			v[i] = (double)value[k * components + i];
		if (m->curve->rotates) { /* axis times angle, from a polynomial of the cosine */
			anim_quat_multiply_double(rotation, v, back);
			v[3] = fabs(rotation[3]);
			for (int i = 0; i < 3; i++)
				v[i] = copysign(rotation[i], rotation[i] * rotation[3]) *
				       (2 + (1 - v[3]) * (0.68 + 0.46 * (1 - v[3])));
		}
		for (unsigned i = 0; i < 2 * components; i++)
			if ((i % 2 == 0 ? -v[i / 2] : v[i / 2]) > best[i]) {
				best[i] = i % 2 == 0 ? -v[i / 2] : v[i / 2];
				outermost[i] = k;
			}
	}
	for (m->next = k, k = first; k < m->next; k++) {
		bool chosen = (k - first) % (count / EVENLY) == 0;

		for (unsigned i = 0; i < 2 * components && !chosen; i++)
			chosen = k == outermost[i];
		if (chosen && add_time(m, anim_track_time(track, k), c, 0, false) != 0)
			return -1;
	}
	return 0;
}

/*
 * Play one column: its left border, its keys, the values before and after a jump just beside them, and times between
 * the keys.
 */
static int measure_column(struct measure *m, size_t c, const float *keys, size_t count)
{
	const struct anim_source *play = m->curve->play;
	const struct anim_track *track = anim_source_first(play);
	double from = plot_column_time(m->columns, c), to = plot_column_time(m->columns, c + 1), a = off_keys(m, from);
	bool turned = anim_track_is_captured(track);
	size_t most = turned && count * ROTATED > SAMPLES ? count * ROTATED : SAMPLES;
	size_t share = m->curve->straight || count >= most ? 0 : most / (count + 1);
	/* Up to four floats each, which the source shows unchanged, with keys from one time to the other. */
	bool floats = !play->joined && play->step == ANIM_STEP_KEEP &&
		      anim_types[play->tracks[0]->type].scalar == ANIM_SCALAR_F32 &&
		      anim_types[play->tracks[0]->type].components <= 4 && !(play->tracks[0]->flags & ANIM_UNSORTED) &&
		      anim_track_time(play->tracks[0], 0) <= from &&
		      to <= anim_track_time(play->tracks[0], play->tracks[0]->n - 1);

	if (count >= SAMPLES && !turned && floats)
		return add_time(m, a, c, 0, true) != 0 ? -1 : play_outermost(m, c, from, to, count);
	for (size_t k = 0; k <= count; k++) {
		double b = k < count ? (double)keys[k] : to, step = (b - a) / (double)(share + 1);
		double near_a = near_key(m, a), near_b = near_key(m, b);
		bool sides = count < most && b - a > near_a + near_b;

		if (add_time(m, a, c, step, k == 0) != 0 || (sides && add_time(m, a + near_a, c, step, false) != 0))
			return -1;
		for (size_t i = 1; sides && i <= share; i++)
			if (add_time(m, fmin(fmax(a + step * (double)i, a + near_a), b - near_b), c, step, false) != 0)
				return -1;
		if (sides && add_time(m, b - near_b, c, step, false) != 0)
			return -1;
		a = b;
	}
	return 0;
}

/*
 * Search for the minimum and the maximum of each component more closely, so that the printed numbers are correct to
 * their last digit.
 */
static int refine_peaks(struct measure *m)
{
	double t[2 * CLOSER + 1], v[2 * CLOSER + 1][PLOT_COMPONENTS];

	for (unsigned i = 0; i < 2 * m->columns->components; i++) {
		struct peak *peak = &m->peaks[i / 2][i % 2];

		for (int round = 0; round < ROUNDS && isfinite(peak->value) && peak->reach > 0; round++) {
			double reach = peak->reach;

			for (int k = 0; k <= 2 * CLOSER; k++)
				t[k] =
				    off_keys(m, fmin(fmax(peak->t + reach * (k - CLOSER) / CLOSER, m->columns->start_s),
						     m->columns->end_s));
			memcpy(m->curve->last, peak->last, sizeof peak->last);
			if (plot_curve_at(m->curve, t, 2 * CLOSER + 1, v, m->error) != 0)
				return -1;
			for (int k = 0; k <= 2 * CLOSER; k++) {
				double value = v[k][i / 2];

				widen(m->columns, i / 2, plot_column_of(m->columns, t[k]), value);
				if (!(i % 2 == 0 ? value < peak->value : value > peak->value))
					continue;
				peak->value = value;
				peak->t = t[k];
				memcpy(peak->last, v[k], sizeof peak->last);
			}
			peak->reach = reach / CLOSER;
		}
	}
	return 0;
}

int plot_measure(struct plot_curve *curve, struct plot_columns *columns, struct anim_error *error)
{
	struct measure m = {.curve = curve, .columns = columns, .error = error};
	struct anim_buffer breaks = {0};
	size_t k = 0, end = 0;
	int result = anim_source_breaks(curve->play, &breaks, error);

	m.keys = (const float *)(const void *)breaks.data;
	m.key_count = breaks.size / sizeof *m.keys;
	for (unsigned component = 0; component < columns->components; component++) {
		m.peaks[component][0].value = (double)INFINITY;
		m.peaks[component][1].value = -(double)INFINITY;
	}
	for (size_t c = 0; result == 0 && c < columns->count; c++) {
		while (k < m.key_count && (double)m.keys[k] <= plot_column_time(columns, c))
			k++;
		for (end = k; end < m.key_count && (double)m.keys[end] < plot_column_time(columns, c + 1);)
			end++;
		result = measure_column(&m, c, m.keys + k, end - k);
	}
	if (result == 0)
		result = add_time(&m, columns->end_s, columns->count, 0, true);
	if (result == 0)
		result = play_times(&m);
	if (result == 0 && !curve->straight)
		result = refine_peaks(&m);
	anim_buffer_clear(&breaks);
	return result;
}

void plot_component_widen(const struct plot_component *component, size_t columns, double *least, double *most)
{
	for (size_t c = 0; c < columns; c++) {
		*least = isfinite(component->least[c]) ? fmin(*least, component->least[c]) : *least;
		*most = isfinite(component->most[c]) ? fmax(*most, component->most[c]) : *most;
	}
}
