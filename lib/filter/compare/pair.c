/* pair.c: compares pairs of tracks: plays both at the same times and measures the error between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/text.h"
#include "clip/deviation.h"
#include "clip/keys.h"
#include "clip/track.h"
#include "filter/common/components.h"
#include "filter/compare/comparison.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* --- Items, prepared to be played in units that both sides share --- */

/*
 * Copy a stored track, so that it outlives the next call of the store, by decoding its record again. Returns 0 or
 * -1.
 */
static int copy_track(struct compare_view *view, size_t number, struct anim_track *out, struct anim_error *error)
{
	struct anim_record record;
	struct anim_track track;
	uint8_t *bytes;

	if (anim_store_read(view->side->store, view->clip, number, &track, error) != 0)
		return -1;
	if ((bytes = anim_arena_alloc(&view->arena, track.record->size, error)) == NULL)
		return -1;
	memcpy(bytes, track.record->bytes, track.record->size);
	anim_record_at(bytes, track.record->offset, &record);
	return anim_record_track(&record, out, &view->arena, error);
}

/* Find the rest value of a component without a track. Returns false if the tree has none. */
static bool rest_component(const struct anim_rest *rest, const struct anim_track *like, unsigned component, double *out)
{
	double values[ANIM_COMPONENTS_JOINED];

	if (component >= anim_components_of_rest(rest, like, values))
		return false;
	*out = values[component];
	return true;
}

/*
 * Complete the components of a value if only some have tracks. The others get their rest value, or else a value that
 * changes nothing.
 */
static void fill_components(struct compare_source *s, const struct anim_rest *rest, const struct anim_rest *fallback)
{
	const char *property = s->first->property;
	bool euler = strcmp(property, "euler") == 0, rotation = strcmp(property, "rotation") == 0;
	unsigned least = rotation                                                                       ? 4
			 : euler || strcmp(property, "scale") == 0 || strcmp(property, "position") == 0 ? 3
													: 0;

	if ((rest != NULL ? rest->has : fallback != NULL ? fallback->has : 0) & ANIM_HAS_2D)
		least = least == 3 && !euler ? 2 : least;
	s->components = s->play.count > least ? s->play.count : least;
	s->play.count = s->components;
	for (unsigned i = 0; i < s->components; i++) {
		bool known = s->play.tracks[i] != NULL;

		s->play.fixed[i] = (rotation && i == 3) || strcmp(property, "scale") == 0 ? 1 : 0;
		known = known || rest_component(rest, s->first, i, &s->play.fixed[i]) ||
			rest_component(fallback, s->first, i, &s->play.fixed[i]);
		s->known |= known ? 1u << i : 0;
	}
}

int compare_source_open(struct compare_source *s, struct compare_view *view, const struct compare_item *item,
			const struct anim_rest *fallback, struct anim_error *error)
{
	const struct anim_rest *rest = anim_rests_find(view->rests, view->head->root, item->node);

	memset(s, 0, sizeof *s);
	if (anim_rests_check(view->rests, error) != 0)
		return -1;

	unsigned highest = 0;

	anim_arena_reset(&view->arena);
	s->play.joined = item->joined;
	for (unsigned i = 0; i < ANIM_COMPONENTS_JOINED; i++) {
		if (item->tracks[i] == COMPARE_NO_TRACK)
			continue;
		if ((item->joined
			 ? copy_track(view, item->tracks[i], &s->tracks[i], error)
			 : anim_store_read(view->side->store, view->clip, item->tracks[i], &s->tracks[i], error)) != 0)
			return -1;
		s->play.tracks[i] = &s->tracks[i];
		highest = i;
	}
	s->play.count = highest + 1;
	s->first = anim_source_first(&s->play);

	s->play.clip = view->head;
	s->play.order = (enum anim_euler_order)anim_track_order(s->first);
	s->play.fraction = true;
	s->play.bytes = s->first->type == ANIM_COLOR32;
	s->text = s->first->type == ANIM_STRING;
	s->relative = (s->first->flags & ANIM_REST_RELATIVE) != 0;
	if (s->text)
		return 0;
	s->components = anim_types[s->first->type].components;
	s->known = (1u << s->components) - 1;
	if (item->joined) {
		s->known = 0;
		fill_components(s, s->relative ? NULL : rest, s->relative ? NULL : fallback);
	}
	s->logic = anim_types[s->first->type].scalar == ANIM_SCALAR_BOOL ||
		   (strcmp(s->first->property, "visible") == 0 && s->components == 1);

	/* Convert rotations of all spellings to quaternions. */
	const char *property = s->first->property;
	bool real = anim_type_is_real(s->first->type) && anim_track_is_transform(s->first);

	s->angle = true;
	if (real && strcmp(property, "euler") == 0 && s->components == 3)
		s->play.step = ANIM_STEP_EULER;
	else if (real && strcmp(property, "angle") == 0 && s->components == 1)
		s->play.step = ANIM_STEP_ANGLE;
	else
		s->angle =
		    real && s->components == 4 &&
		    (anim_types[s->first->type].quaternion || (s->play.joined && strcmp(property, "rotation") == 0));
	s->play.unit_length = s->angle && s->play.step == ANIM_STEP_KEEP && s->play.joined;
	s->play.radians = s->angle;
	if (s->angle) {
		s->components = 4;
		s->known = 15;
	}

	anim_source_open(&s->play, rest != NULL ? rest : fallback);
	return 0;
}

bool compare_make_absolute(struct compare_source *s, const struct anim_rest *rest)
{
	static const unsigned needs[] = {ANIM_HAS_POSITION, ANIM_HAS_ROTATION, ANIM_HAS_SCALE};
	enum anim_step step = anim_step_from_rest(s->first->property, s->components);

	if (step == ANIM_STEP_KEEP || rest == NULL || !(rest->has & needs[step - ANIM_STEP_REST_POSITION]))
		return false;
	s->play.rest = *rest;
	s->play.step = step;
	return true;
}

/* --- Texts of two tracks, key by key --- */

struct reader {
	const struct anim_clip *clip;
	const struct anim_track *track;
	size_t k;
};

/* Return the time of the current key in seconds from the start of the clip, or infinity after the last key. */
static double time_of(const struct reader *r)
{
	double t;

	if (r->k >= r->track->n)
		return (double)INFINITY;
	t = anim_track_time(r->track, r->k) - (double)r->clip->start_s;
	return t == t ? t : 0; /* samples with an unknown interval are compared by number */
}

/*
 * Return a text track with its quoted texts unquoted, because one side may have Godot source text and the other the
 * text itself. The texts live in *texts, which the caller clears with anim_texts_clear, and in *strings. Returns 0
 * or -1.
 */
static int unquote(const struct anim_track *track, struct anim_track *out, struct anim_texts *texts,
		   struct anim_strings *strings, struct anim_error *error)
{
	*out = *track;
	if (!anim_texts_are_quoted(track))
		return 0;
	if (anim_texts_unquote(texts, track, error) != 0)
		return -1;
	anim_texts_view(texts, strings);
	out->strings = strings;
	return 0;
}

#define STEP 4e-7 /* scaled by large times: keys this near are neighbouring floats that form a step */

double anim_compare_epsilon(enum anim_rules a, enum anim_rules b, double t)
{
	return fmax(fmax(anim_rules_near(a, t), anim_rules_near(b, t)), STEP * fmax(1, fabs(t)));
}

/* --- Play two tracks at the same times and measure the error between them --- */

/* Points of the grid between two keys, so that hours without keys are not compared sixty times per second. */
#define STRETCH_MAX 4096.0

/* The keys of both sides and the grid, in seconds from the starts of the clips, in increasing order. */
struct moments {
	const float *breaks[2];
	size_t counts[2], at[2];
	double start_s[2], end_s, step_s;
	double left_s; /* the last break so far */
	bool loops;    /* the clip leaves its end at once when it arrives there; otherwise the last pose stays */
	enum anim_rules rules[2];
};

/*
 * The times to compare around one moment. Values that are shown only for an instant are ignored, for example if one
 * side has a step slightly earlier.
 */
#define AROUND 4
#define FINER 1e-5 /* of the largest error: the least gain that makes a closer search worthwhile */
#define CLOSER 12  /* halvings at most */
struct around {
	double t[AROUND];
	bool instant[AROUND];
	/* an instant counts if its error is at most this many times the lasting error around it; 1 at a step */
	double most;
	unsigned count;
	/* indices of the first breaks at this moment; `at` in struct moments has the next ones; the grid has none */
	size_t first[2];
};

static double next_break(const struct moments *m)
{
	double best = (double)INFINITY;

	for (int i = 0; i < 2; i++)
		if (m->at[i] < m->counts[i])
			best = fmin(best, fmax((double)m->breaks[i][m->at[i]] - m->start_s[i], 0));
	return best;
}

static double epsilon_at(const struct moments *m, double t)
{
	return anim_compare_epsilon(m->rules[0], m->rules[1], t + fmax(fabs(m->start_s[0]), fabs(m->start_s[1])));
}

static void add_moment(struct around *around, double t, bool instant)
{
	around->t[around->count] = t;
	around->instant[around->count++] = instant;
}

static bool is_instant(const struct moments *m, double t, double epsilon)
{
	return m->end_s > epsilon && (m->loops || t < m->end_s);
}

/*
 * Find the next moment. Returns false at the end of the clips. `passed` is the last time that counted, -1 at first.
 */
static bool next_moment(struct moments *m, double passed, struct around *around)
{
	double at = next_break(m);
	/* The next point of the grid before the break `at`, or infinity if the grid has no such point. */
	double right = fmin(at, m->end_s), stretch = right - m->left_s, from = fmax(passed, m->left_s);
	double whole = floor(from / m->step_s), t = (whole + 1) * m->step_s;

	if (stretch > STRETCH_MAX * m->step_s)
		t = from + stretch / STRETCH_MAX;
	else if (t <= from) /* the quotient was rounded down */
		t = (whole + 2) * m->step_s;
	double grid = t > from && t < m->end_s && t < at - 2 * epsilon_at(m, right) ? t : (double)INFINITY;
	double epsilon, end, last, after;

	around->count = 0;
	around->most = 2;
	memcpy(around->first, m->at, sizeof around->first);
	if (isfinite(grid)) {
		add_moment(around, grid, false);
		return true;
	}
	if (at > m->end_s)
		return false;
	epsilon = epsilon_at(m, at);
	/* Skip the breaks that are that near, up to the last of them. */
	end = at + 2 * epsilon;
	last = 0;
	for (int i = 0; i < 2; i++)
		for (; m->at[i] < m->counts[i] && (double)m->breaks[i][m->at[i]] - m->start_s[i] <= end; m->at[i]++)
			last = fmax(last, (double)m->breaks[i][m->at[i]] - m->start_s[i]);
	last = fmax(fmin(last, m->end_s), at);
	m->left_s = last;
	around->most = last > at && last - at <= STEP * fmax(1, at) ? 1 : 2;
	if (at - epsilon > fmax(passed, 0))
		add_moment(around, at - epsilon, false);
	add_moment(around, at, is_instant(m, at, epsilon));
	if (last > at)
		add_moment(around, last, is_instant(m, last, epsilon));
	after = fmin(last + epsilon, (last + next_break(m)) / 2);
	if (after < m->end_s)
		add_moment(around, after, false);
	return true;
}

static double quaternion_error(const double a[4], const double b[4])
{
	float p[4], q[4];
	double angle;

	for (int i = 0; i < 4; i++) {
		p[i] = (float)a[i];
		q[i] = (float)b[i];
	}
	angle = anim_quat_angle(p, q) * (180 / ANIM_PI);
	if (angle == angle)
		return angle;
	return memcmp(p, q, sizeof p) == 0 ? 0 : (double)INFINITY;
}

/* The input and the result of one comparison. */
struct errors {
	struct compare_source *sides[2];
	struct compare_row *row;
	unsigned components;
	double start_s[2], end_s[2];
	double step_s, noise; /* of the grid, and the largest error that rounding can cause so far */
	bool bends;           /* one side has curves other than straight lines and steps */
	/* the last sample that counted; the integral of the squared error and its duration */
	double passed, last, square, seconds;
	double beyond_s, longest_s; /* duration of the current excess over the limit, and longest duration */
	/* one player snaps times to near keys, and the sides bend or have different rules: measure beside each key */
	bool near;
	struct anim_deviation beside;
	double jump; /* a jump that both sides have at the current times */
};

/* Return the distance of positions. For other values, return the largest error of a component. */
static double error_of(const struct errors *e, const double a[ANIM_COMPONENTS_MAX], const double b[ANIM_COMPONENTS_MAX])
{
	bool distance = e->row->unit == ANIM_UNIT_LENGTH || e->row->unit == ANIM_UNIT_PIXELS;
	bool logic = e->sides[0]->logic || e->sides[1]->logic;
	double largest = 0, sum = 0;

	if (e->row->unit == ANIM_UNIT_ANGLE)
		return quaternion_error(a, b);
	for (unsigned i = 0; i < ANIM_COMPONENTS_MAX; i++) {
		double off;

		if (!(e->components >> i & 1) || a[i] == b[i] || (isnan(a[i]) && isnan(b[i])))
			continue;
		off = logic ? (double)((a[i] >= 0.5) != (b[i] >= 0.5)) : fabs(a[i] - b[i]);
		off = isnan(off) ? (double)INFINITY : off;
		largest = fmax(largest, off);
		sum += off * off;
	}
	return distance && sum > largest * largest ? sqrt(sum) : largest;
}

/* A time and its error. */
struct spot {
	double t, off;
};

static void note_worst(struct errors *e, struct spot spot)
{
	if (spot.off > e->row->worst) {
		e->row->worst = spot.off;
		e->row->at_s = spot.t;
	}
}

/*
 * Add the time beyond the limit between two samples. The error is taken to be linear between them, as long as it
 * exceeds the limit.
 */
static void count_beyond(struct errors *e, double length, double from, double to)
{
	double limit = e->row->limit;

	if (from > limit)
		e->beyond_s += to > limit ? length : length * (from - limit) / (from - to);
	else if (to > limit)
		e->beyond_s = length * (to - limit) / (to - from);
	e->longest_s = fmax(e->longest_s, e->beyond_s);
	e->beyond_s = to > limit ? e->beyond_s : 0;
}

/* Count an error. It is taken to be linear between two samples. */
static void count_error(struct errors *e, double t, double off)
{
	double length = t - e->passed;

	if (e->passed >= 0 && length > 0)
		count_beyond(e, length, e->last, off);

	if (e->passed >= 0 && length > 0) {
		e->square += length * (e->last * e->last + e->last * off + off * off) / 3;
		e->seconds += length;
	}
	note_worst(e, (struct spot){t, off});
	e->last = off;
	e->passed = t;
}

#define INNER 5       /* times in a gap, because each piece of a curve that is inside the gap has its own error; odd */
#define SAMPLES INNER /* largest number per call, at least AROUND */

static int sample(struct errors *e, int side, const double *at, unsigned count, double (*out)[ANIM_COMPONENTS_MAX],
		  struct anim_error *error)
{
	double t[SAMPLES];

	for (unsigned i = 0; i < count; i++)
		t[i] = fmin(e->start_s[side] + at[i], e->end_s[side]);
	memset(out, 0, SAMPLES * sizeof *out);
	return anim_source_sample(&e->sides[side]->play, t, count, out, error);
}

/* Return the rounding error of such values. float32 quaternions cannot represent smaller angles. */
static double noise_of(const struct errors *e, const double v[ANIM_COMPONENTS_MAX])
{
	double size = 0;

	if (e->row->unit == ANIM_UNIT_ANGLE)
		return 1e-5;
	for (unsigned i = 0; i < ANIM_COMPONENTS_MAX; i++)
		if (e->components >> i & 1 && fabs(v[i]) > size)
			size = fabs(v[i]);
	return 0x1p-24 * size;
}

/* Return the errors at up to SAMPLES times. Returns 0 or -1. */
static int errors_at(struct errors *e, const double *t, unsigned count, double *off, struct anim_error *error)
{
	double a[SAMPLES][ANIM_COMPONENTS_MAX], b[SAMPLES][ANIM_COMPONENTS_MAX];

	if (sample(e, 0, t, count, a, error) != 0 || sample(e, 1, t, count, b, error) != 0)
		return -1;
	for (unsigned i = 0; i < count; i++)
		off[i] = error_of(e, a[i], b[i]);
	e->noise = fmax(e->noise, count > 0 ? noise_of(e, a[0]) : 0);
	return 0;
}

/*
 * Search for a peak between two times, but not nearer to them than `epsilon`. It stops if no peak can exceed the
 * largest error by more than the printed precision. The error rises above its chord by an eighth of its second
 * difference, and twice as much is assumed here.
 */
static int find_peak(struct errors *e, struct spot a, struct spot b, double bend, double epsilon, int depth,
		     struct anim_error *error)
{
	struct spot middle = {.t = a.t + (b.t - a.t) / 2};
	double least = e->row->worst + fmax(FINER * e->row->worst, e->noise);

	if (depth == 0 || b.t - a.t <= epsilon / 64 || !(fmax(a.off, b.off) + bend / 4 > least))
		return 0;
	if (errors_at(e, &middle.t, 1, &middle.off, error) != 0)
		return -1;
	note_worst(e, middle);
	bend = fabs(a.off + b.off - 2 * middle.off);
	return find_peak(e, a, middle, bend, epsilon, depth - 1, error) != 0
		   ? -1
		   : find_peak(e, middle, b, bend, epsilon, depth - 1, error);
}

/* Integrate the squared error over spots at equal distances, by Simpson's rule. */
static void integrate(struct errors *e, const struct spot *spots, unsigned count)
{
	double step = spots[1].t - spots[0].t;

	for (unsigned i = 0; i + 2 < count; i += 2)
		e->square += step / 3 *
			     (spots[i].off * spots[i].off + 4 * spots[i + 1].off * spots[i + 1].off +
			      spots[i + 2].off * spots[i + 2].off);
	for (unsigned i = 1; i < count; i++)
		count_beyond(e, spots[i].t - spots[i - 1].t, spots[i - 1].off, spots[i].off);
	e->seconds += spots[count - 1].t - spots[0].t;
	e->passed = spots[count - 1].t;
	e->last = spots[count - 1].off;
}

/* Measure between the last sample and the next one, if a curve bends there. */
static int measure_between(struct errors *e, struct spot next, double epsilon, struct anim_error *error)
{
	double length = next.t - e->passed, from = e->passed, t[INNER], off[INNER], bend = 0;
	unsigned inner = length > 0.99 * e->step_s ? 1 : INNER; /* otherwise the grid does it */
	struct spot spots[INNER + 2] = {{e->passed, e->last}};

	if (!e->bends || e->passed < 0 || length <= 4 * epsilon)
		return 0;
	for (unsigned i = 0; i < inner; i++)
		t[i] = from + length * (i + 1) / (inner + 1);
	if (errors_at(e, t, inner, off, error) != 0)
		return -1;
	for (unsigned i = 0; i < inner; i++) {
		spots[i + 1] = (struct spot){t[i], off[i]};
		note_worst(e, spots[i + 1]);
	}
	spots[inner + 1] = next;
	integrate(e, spots, inner + 2);
	for (unsigned i = 0; i <= inner; i++) {
		double step = spots[i + 1].off - spots[i].off;

		if (i < inner)
			bend = fmax(bend, fabs(spots[i + 2].off - spots[i + 1].off - step));
		if (find_peak(e, spots[i], spots[i + 1], bend, epsilon, CLOSER, error) != 0)
			return -1;
		bend = i < inner ? fabs(spots[i + 2].off - spots[i + 1].off - step) : 0;
	}
	return 0;
}

/*
 * An error that exists only beside keys counts if it is larger than this. Smaller ones are the effect of how Godot's
 * player finds keys. For rotations it is 100 times as many degrees.
 */
#define TIMING 1e-4
#define NEAREST 0x1p-30 /* seconds, scaled by large times: smallest useful distance from a break */

static int errors_beside(void *context, const double *t, size_t count, double *off, struct anim_error *error)
{
	struct errors *e = context;

	for (size_t k = 0; k < count; k += SAMPLES) {
		unsigned some = count - k < SAMPLES ? (unsigned)(count - k) : SAMPLES;

		if (errors_at(e, t + k, some, off + k, error) != 0)
			return -1;
	}
	for (size_t k = 0; k < count; k++)
		off[k] = fmax(off[k] - e->jump, 0);
	return 0;
}

/* Measure all of an interval, which is short. */
static int measure_densely(struct errors *e, double from, double to, struct anim_error *error)
{
	double near = NEAREST * fmax(1, fabs(to) + fmax(fabs(e->start_s[0]), fabs(e->start_s[1])));

	return to - from > 2 * near ? anim_deviation_between(&e->beside, from, to, near, error) : 0;
}

/* Separate the next samples from the previous ones, because they are not neighbours. */
static void interrupt(struct errors *e)
{
	double lasts_s;

	anim_deviation_finish(&e->beside, &lasts_s);
	e->beside.started = false;
}

/* Find the jump that both sides have at this moment, each at its breaks. */
static int find_jump(struct errors *e, const struct compare_meter *meter, const struct moments *m,
		     const struct around *around, struct anim_error *error)
{
	double v[2][ANIM_COMPONENTS_MAX], jumps[2] = {0, 0};

	for (int i = 0; i < 2; i++)
		for (size_t k = around->first[i]; k < m->at[i]; k++) {
			if (anim_source_jump(&e->sides[i]->play, &meter->breaks[i], k, v, error) != 0)
				return -1;
			jumps[i] += error_of(e, v[0], v[1]);
		}
	e->jump = fmin(jumps[0], jumps[1]);
	return 0;
}

static int add_time(struct compare_meter *meter, double t, double from, double to, struct anim_error *error)
{
	return t >= from && t <= to ? anim_buffer_append(&meter->times, &t, sizeof t, error) : 0;
}

/* Find the breaks of one moment, and the times at which Godot's player begins and stops to show each of them. */
static int find_times(struct compare_meter *meter, const struct moments *m, const struct around *around, double from,
		      double to, struct anim_error *error)
{
	meter->times.size = 0;
	if (add_time(meter, from, from, to, error) != 0 || add_time(meter, to, from, to, error) != 0)
		return -1;
	for (int i = 0; i < 2; i++)
		for (size_t k = around->first[i]; k < m->at[i]; k++) {
			double t = (double)m->breaks[i][k] - m->start_s[i], reach = anim_rules_reach(m->rules[i], t);

			if (add_time(meter, t - reach, from, to, error) != 0 ||
			    add_time(meter, t, from, to, error) != 0 ||
			    add_time(meter, t + reach, from, to, error) != 0)
				return -1;
		}
	return 0;
}

static void set_moments(const struct compare_meter *meter, const struct errors *e, struct moments *m)
{
	*m = (struct moments){.end_s = fmin(e->end_s[0] - e->start_s[0], e->end_s[1] - e->start_s[1]),
			      .step_s = (double)meter->rate_den / (double)meter->rate_num};
	for (int i = 0; i < 2; i++) {
		m->breaks[i] = (const float *)(const void *)meter->breaks[i].data;
		m->counts[i] = meter->breaks[i].size / sizeof(float);
		m->start_s[i] = e->start_s[i];
		m->rules[i] = e->sides[i]->first->rules;
		m->loops = m->loops || e->sides[i]->play.clip->loop != ANIM_LOOP_NONE;
	}
}

bool compare_has_no_times(const struct anim_track *track)
{
	return track != NULL && track->kind == ANIM_RAW && isnan(anim_track_time(track, 0));
}

/*
 * Compare samples by number if both sides are samples with unknown times, in equal number. Returns false for other
 * tracks.
 */
static bool compare_samples(struct compare_source s[2], unsigned components, struct compare_row *row)
{
	const struct errors e = {.sides = {&s[0], &s[1]}, .row = row, .components = components};
	double square = 0;
	size_t n = s[0].first->n;

	if (s[0].play.joined || s[1].play.joined || !compare_has_no_times(s[0].first) ||
	    !compare_has_no_times(s[1].first) || n != s[1].first->n || s[0].first->interp != s[1].first->interp)
		return false;
	for (size_t k = 0; k < n; k++) {
		double one[ANIM_COMPONENTS_MAX] = {0}, other[ANIM_COMPONENTS_MAX] = {0}, off;

		anim_source_element(&s[0].play, k, one);
		anim_source_element(&s[1].play, k, other);
		off = error_of(&e, one, other);
		square += off * off;
		row->worst = fmax(row->worst, off);
	}
	row->rms = n > 0 ? sqrt(square / (double)n) : 0;
	row->at_s = (double)s[0].play.clip->start_s;
	return true;
}

/* Return the last break. It is the end of the clip, or the last key of a clip without length. */
static double end_of_breaks(const struct anim_buffer *breaks)
{
	return (double)((const float *)(const void *)breaks->data)[breaks->size / sizeof(float) - 1];
}

/* Data for anim_compare_errors. */
struct compare_error_source {
	struct compare_source *sides;
	unsigned components;
	enum anim_unit unit;
	double start_s[2], end_s[2];
};

int anim_compare_errors(const struct anim_compare_shown *shown, const int sides[2], const double *t, unsigned count,
			double later_s, double *off, struct anim_error *error)
{
	const struct compare_error_source *source = shown->errors;
	struct compare_row row = {.unit = source->unit};
	struct errors e = {.sides = {&source->sides[sides[0]], &source->sides[sides[1]]},
			   .row = &row,
			   .components = source->components,
			   .start_s = {source->start_s[sides[0]], source->start_s[sides[1]] + later_s},
			   .end_s = {source->end_s[sides[0]], source->end_s[sides[1]]}};

	return errors_at(&e, t, count, off, error);
}

static bool are_equal_clips(const struct anim_clip *a, const struct anim_clip *b)
{
	bool equal = a->start_s == b->start_s && a->end_s == b->end_s && a->loop == b->loop && a->axes == b->axes &&
		     a->axes2d == b->axes2d && a->flags == b->flags && a->rate_num == b->rate_num &&
		     a->rate_den == b->rate_den && strcmp(a->source, b->source) == 0 &&
		     a->attrs.count == b->attrs.count;

	for (size_t i = 0; equal && i < a->attrs.count; i++)
		equal = strcmp(a->attrs.items[i].key, b->attrs.items[i].key) == 0 &&
			strcmp(a->attrs.items[i].value, b->attrs.items[i].value) == 0;
	return equal;
}

/*
 * Return true if both sides surely play the same: they have the same record, and were prepared in the same way. Most
 * tracks of two versions of a file are like this, and comparing bytes is much faster than sampling.
 */
static bool are_equal(const struct compare_source s[2])
{
	const struct anim_source *a = &s[0].play, *b = &s[1].play;
	const struct anim_track *track = a->tracks[0], *other = b->tracks[0];
	size_t size;

	if (a->joined || b->joined || a->step != b->step || a->order != b->order || a->radians != b->radians ||
	    a->fraction != b->fraction || a->bytes != b->bytes || a->factor != b->factor ||
	    a->unit_length != b->unit_length || memcmp(&a->rest, &b->rest, sizeof a->rest) != 0 ||
	    memcmp(a->filler, b->filler, sizeof a->filler) != 0)
		return false;
	if (track->record == NULL || other->record == NULL || track->record->size != other->record->size ||
	    track->type != other->type || track->n != other->n || track->flags != other->flags ||
	    track->rules != other->rules || track->type == ANIM_STRING)
		return false;
	size = track->n * anim_types[track->type].size;
	return memcmp(track->record->bytes, other->record->bytes, track->record->size) == 0 &&
	       (size == 0 || memcmp(track->value, other->value, size) == 0) && are_equal_clips(a->clip, b->clip);
}

/*
 * Measure the error between two sources of one kind. `components` has a bit for each component that counts. Samples
 * with unknown times are compared one by one if both sides have the same number. Their at_s is the start of the
 * clip. Sets worst, rms and at_s. Returns 0 or -1.
 */
static int measure_error(struct compare_meter *meter, struct compare_source s[2], unsigned components,
			 struct compare_row *row, struct anim_error *error)
{
	struct errors e = {.sides = {&s[0], &s[1]}, .row = row, .components = components, .passed = -1};
	struct moments moments;
	struct around around;

	if (compare_samples(s, components, row))
		return 0;
	for (int i = 0; i < 2; i++) {
		struct anim_buffer *breaks = &meter->breaks[i];
		const struct anim_clip *clip = e.sides[i]->play.clip;
		int swings;

		if (anim_source_breaks(&e.sides[i]->play, breaks, error) != 0)
			return -1;
		swings = anim_source_add_swings(&e.sides[i]->play, breaks, error);
		if (swings < 0)
			return -1;
		e.bends = e.bends || swings > 0 || !anim_source_blends_linearly(&e.sides[i]->play);
		e.start_s[i] = (double)clip->start_s;
		e.end_s[i] = end_of_breaks(breaks);
	}
	if (are_equal(s)) {
		double off; /* 0, or a player refuses the track */

		row->at_s = e.start_s[0];
		return errors_at(&e, (const double[]){0}, 1, &off, error);
	}
	set_moments(meter, &e, &moments);
	e.step_s = moments.step_s;
	e.near = (e.bends || moments.rules[0] != moments.rules[1]) &&
		 (anim_rules_are_godot(moments.rules[0]) || anim_rules_are_godot(moments.rules[1]));
	e.beside = (struct anim_deviation){.at = errors_beside, .context = &e};
	while (next_moment(&moments, e.passed, &around)) {
		double off[AROUND], lasting = 0, epsilon = epsilon_at(&moments, around.t[0]);

		if (errors_at(&e, around.t, around.count, off, error) != 0)
			return -1;

		/*
		 * Ignore a step of both sides at the very end, because one player shows only the value before its last
		 * key.
		 */
		unsigned last = around.count - 1;

		if (!(around.t[last] < moments.end_s) && off[last] != 0) {
			if (find_jump(&e, meter, &moments, &around, error) != 0)
				return -1;
			off[last] = fmax(off[last] - e.jump, 0);
			e.jump = 0;
		}

		for (unsigned i = 0; i < around.count; i++)
			lasting = around.instant[i] ? lasting : fmax(lasting, off[i]);
		for (unsigned i = 0; i < around.count; i++) {
			if (around.instant[i] && off[i] > around.most * lasting)
				continue;
			if (i == 0 && e.near && e.passed >= 0 && around.t[0] - e.passed <= 4 * epsilon) {
				if (measure_densely(&e, e.passed, around.t[0], error) != 0)
					return -1;
				interrupt(&e);
			}
			if (measure_between(&e, (struct spot){around.t[i], off[i]}, epsilon, error) != 0)
				return -1;
			count_error(&e, around.t[i], off[i]);
		}

		/*
		 * Measure beside the breaks of a moment, where players snap times to a key. A jump of both sides may occur
		 * that much earlier or later.
		 */
		double *t;
		size_t count;

		if (e.near && (around.first[0] != moments.at[0] || around.first[1] != moments.at[1])) {
			if (find_jump(&e, meter, &moments, &around, error) != 0 ||
			    find_times(meter, &moments, &around, around.t[0], around.t[around.count - 1], error) != 0)
				return -1;
			t = (double *)(void *)meter->times.data;
			count = meter->times.size / sizeof *t;
			qsort(t, count, sizeof *t, anim_compare_doubles);
			for (size_t k = 0; k + 1 < count; k++)
				if (measure_densely(&e, t[k], t[k + 1], error) != 0)
					return -1;
			e.jump = 0;
			interrupt(&e);
		}
	}
	row->beyond_s = e.longest_s;
	if (e.beside.worst > (row->unit == ANIM_UNIT_ANGLE ? 100 * TIMING : TIMING)) {
		note_worst(&e, (struct spot){e.beside.at_s, e.beside.worst});
		row->beyond_s = fmax(row->beyond_s, anim_deviation_longest(&e.beside, row->limit));
	}
	row->rms = e.seconds > 0 ? sqrt(e.square / e.seconds) : row->worst;
	row->at_s += e.start_s[0];
	return 0;
}

/* --- The tracks of two clips: units, limits and rows --- */

static enum anim_unit unit_of(const struct compare_source *s, const struct anim_clip *clip)
{
	if (s->text)
		return ANIM_UNIT_KEYS;
	if (s->angle)
		return ANIM_UNIT_ANGLE;
	if (strcmp(s->first->property, "position") != 0 || !anim_track_is_transform(s->first))
		return ANIM_UNIT_PLAIN;
	return s->components == 2 && clip->axes2d == ANIM_AXES2D_GODOT ? ANIM_UNIT_PIXELS : ANIM_UNIT_LENGTH;
}

static int show(struct anim_compare *c, struct compare_source s[2], unsigned components, const struct compare_row *row,
		struct anim_error *error)
{
	struct compare_error_source errors;
	const struct anim_compare_shown shown = {.couple = c->couple,
						 .plays = {&s[0].play, &s[1].play},
						 .node = row->items[0]->node,
						 .property = row->items[0]->property,
						 .component = compare_component(row->items[0]),
						 .unit = row->unit,
						 .worst = row->worst,
						 .at_s = row->at_s,
						 .limit = row->limit,
						 .errors = &errors};

	errors = (struct compare_error_source){.sides = s, .components = components, .unit = row->unit};
	if (compare_has_no_times(s[0].first) || compare_has_no_times(s[1].first))
		return 0;
	for (int i = 0; i < 2; i++) {
		errors.start_s[i] = (double)s[i].play.clip->start_s;
		errors.end_s[i] = end_of_breaks(&c->meter.breaks[i]);
	}

	return c->options.show(c->options.show_context, &shown, error);
}

/* Compare the values of both sides, after their types have been found equal. Returns 0 or -1. */
static int compare_values(struct anim_compare *c, struct compare_source s[2], const struct anim_rest *const rests[2],
			  struct compare_row *row, struct anim_error *error)
{
	unsigned components;

	/* If only one side is relative to its rest pose, convert it to the other's form. */
	if (s[0].relative != s[1].relative) {
		if (!compare_make_absolute(&s[s[0].relative ? 0 : 1], rests[s[0].relative ? 0 : 1]))
			row->note = "relative to an unknown rest pose";
	}

	/* Compare the components that both sides know, and note components that only one side has. */
	unsigned common = s[0].known & s[1].known, tracks[2] = {0, 0};

	for (int side = 0; side < 2; side++) {
		for (unsigned i = 0; i < s[side].components && !s[side].angle; i++) {
			bool there =
			    !s[side].play.joined || (i < ANIM_COMPONENTS_JOINED && s[side].play.tracks[i] != NULL);

			tracks[side] |= there ? 1u << i : 0;
		}
	}
	if (((tracks[0] | tracks[1]) & ~common) != 0) {
		row->status = COMPARE_DIFFERS;
		row->note = "the other side lacks some components";
	}
	components = common;

	if (measure_error(&c->meter, s, components, row, error) != 0)
		return -1;
	return c->options.show == NULL ? 0 : show(c, s, components, row, error);
}

/* Report once for each unit that limits were given, but none for this difference, with an example of one. */
static int report_no_limit(struct anim_compare *c, const struct compare_row *row, struct anim_error *error)
{
	static const struct {
		const char *what, *limit;
	} units[ANIM_UNIT_COUNT] = {[ANIM_UNIT_PLAIN] = {"plain numbers", "1%"},
				    [ANIM_UNIT_LENGTH] = {"positions", "0.1mm"},
				    [ANIM_UNIT_PIXELS] = {"pixels", "0.1px"},
				    [ANIM_UNIT_ANGLE] = {"rotations", "0.05deg"}};
	const struct compare_item *item = row->items[0] != NULL ? row->items[0] : row->items[1];

	if (row->status != COMPARE_DIFFERS || row->limit > 0 || c->options.limits.count == 0 ||
	    c->options.limits_joints || units[row->unit].what == NULL || (c->reported >> row->unit & 1))
		return 0;
	c->reported |= 1u << row->unit;
	return anim_diagnostics_note(
	    c->options.diagnostics, NULL, error,
	    ANIM_OPTION("diff", "max") " has no limit for %s such as '%s %s'. Add '%s' or '%s=%s'",
	    units[row->unit].what, item->node, item->property, units[row->unit].limit, item->property,
	    units[row->unit].limit);
}

/*
 * Return true for a position or scale in space that stays in a plane. Unity has no other form of Godot's
 * two-dimensional values.
 */
static bool stays_flat(const struct compare_source *s)
{
	const struct anim_track *track = s->first;

	if (s->play.joined || s->components != 3 || track->type != ANIM_FLOAT3 || !anim_track_is_transform(track) ||
	    (strcmp(track->property, "position") != 0 && strcmp(track->property, "scale") != 0))
		return false;
	for (size_t k = 0; k < track->n; k++)
		if (anim_component(track->type, track->value, k, 2) != anim_component(track->type, track->value, 0, 2))
			return false;
	return true;
}

static int compare_sources(struct anim_compare *c, struct compare_source s[2], const struct anim_rest *const rests[2],
			   struct compare_row *row, struct anim_error *error)
{
	const struct anim_clip *clips[2] = {s[0].play.clip, s[1].play.clip};
	enum anim_unit units[2];
	int known;

	/* Convert a value in space that stays in its plane to the two components of the other side. */
	for (int i = 0; i < 2; i++)
		if (!s[0].text && !s[1].text && s[!i].components == 2 && stays_flat(&s[i])) {
			s[i].components = 2;
			s[i].known &= 3;
		}
	/*
	 * Choose the unit and the limit by the side that knows them. In Resonite a Position of two numbers is a field
	 * like any other.
	 */
	units[0] = unit_of(&s[0], clips[0]);
	units[1] = unit_of(&s[1], clips[1]);
	known = units[0] == ANIM_UNIT_PLAIN && units[1] != ANIM_UNIT_PLAIN ? 1 : 0;
	row->unit = units[known];
	row->limit = anim_limits_find(&c->options.limits, row->unit, row->items[known]->property);
	if (s[0].text != s[1].text ||
	    (!s[0].text && (s[0].angle != s[1].angle || s[0].components != s[1].components))) {
		row->status = COMPARE_TYPES;
		row->note = anim_arena_printf(&c->notes, error, "%s against %s", anim_types[s[0].first->type].name,
					      anim_types[s[1].first->type].name);
		return row->note == NULL ? -1 : 0;
	}
	if (s[0].text) {
		/* Compare texts key by key. */
		struct anim_texts texts[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
		struct anim_strings strings[2];
		struct anim_track tracks[2];
		int result = unquote(s[0].first, &tracks[0], &texts[0], &strings[0], error);

		if (result == 0)
			result = unquote(s[1].first, &tracks[1], &texts[1], &strings[1], error);
		if (result == 0) {
			struct reader first = {clips[0], &tracks[0], 0}, second = {clips[1], &tracks[1], 0};
			double found = (double)INFINITY;

			while (first.k < tracks[0].n || second.k < tracks[1].n) {
				double t = time_of(&first), u = time_of(&second), earlier = fmin(t, u);
				bool together = t == u || fabs(t - u) <= anim_compare_epsilon(tracks[0].rules,
											      tracks[1].rules, earlier);
				struct anim_text one, other;
				bool same = together && first.k < tracks[0].n && second.k < tracks[1].n &&
					    anim_value_equal(ANIM_STRING, anim_value_at(&tracks[0], first.k, &one),
							     anim_value_at(&tracks[1], second.k, &other));

				row->worst += !same;
				found = same ? found : fmin(found, earlier);
				first.k += together || t < u;
				second.k += together || u < t;
			}
			row->at_s = (isfinite(found) ? found : 0) + (double)clips[0]->start_s;
		}
		anim_texts_clear(&texts[0]);
		anim_texts_clear(&texts[1]);
		if (result != 0)
			return -1;
	} else if (compare_values(c, s, rests, row, error) != 0) {
		/* Count a track that no player plays as a difference, so that the others can still be compared. */
		bool unknown = false;

		if (error->code != ANIM_UNSUPPORTED)
			return -1;
		for (int i = 0; i < 2; i++)
			for (unsigned k = 0; k < s[i].play.count; k++)
				unknown = unknown || compare_has_no_times(s[i].play.tracks[k]);
		row->status = COMPARE_TYPES;
		row->note = unknown
				? "the interval of its samples is unknown. Set it with " ANIM_OPTION("retime", "rate")
				: anim_arena_text(&c->notes, error->message,
						  anim_utf8_prefix(error->message, strlen(error->message)), error);
		if (row->note == NULL)
			return -1;
		*error = (struct anim_error){0};
		return 0;
	}
	if (row->status != COMPARE_DIFFERS)
		row->status = row->worst == 0            ? COMPARE_SAME
			      : row->worst <= row->limit ? COMPARE_WITHIN
							 : COMPARE_DIFFERS;
	return report_no_limit(c, row, error);
}

static bool is_placed(const struct compare_view *view, size_t item)
{
	return view->placed.size > 0 && view->placed.data[item];
}

int compare_add_row(struct anim_compare *c, const struct compare_row *row, struct anim_error *error)
{
	c->statuses[row->status]++;
	if (row->status == COMPARE_SAME && !c->options.all_tracks && !c->options.json)
		return 0;
	return anim_buffer_append(&c->rows, row, sizeof *row, error);
}

/* Report an item of each side, or of one side only (the other is NULL), to the viewer. Returns 0 or -1. */
static int show_keys(struct anim_compare *c, struct compare_view views[2], const struct compare_item *const items[2],
		     struct anim_error *error)
{
	const struct compare_item *first = items[items[0] == NULL];
	struct anim_compare_keys shown = {.couple = c->couple,
					  .clips = {views[0].head, views[1].head},
					  .node = first->node,
					  .property = first->property,
					  .component = compare_component(first)};
	struct anim_texts texts[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
	struct anim_strings strings[2];
	struct compare_source s[2];
	int result = 0;

	memset(s, 0, sizeof s);
	for (int i = 0; i < 2 && result == 0; i++) {
		if (items[i] == NULL)
			continue;
		result = compare_source_open(&s[i], &views[i], items[i], NULL, error);
		if (result == 0 && s[i].text)
			result = unquote(s[i].first, &s[i].tracks[0], &texts[i], &strings[i], error);
		if (result != 0)
			anim_error_in_file(error, c->options.names[i]);
		shown.plays[i] = &s[i].play;
	}
	if (result == 0)
		result = c->options.show_keys(c->options.show_context, &shown, error);
	for (int i = 0; i < 2; i++) {
		anim_source_close(&s[i].play);
		anim_texts_clear(&texts[i]);
	}
	return result;
}

int compare_tracks(struct anim_compare *c, struct compare_view views[2], struct anim_error *error)
{
	size_t counts[2];
	const struct compare_item *items[2] = {compare_items(&views[0], &counts[0]),
					       compare_items(&views[1], &counts[1])};

	/* Viewers of keys get all pairs and all other items, instead of rows. */
	for (int side = 0; side < 2 && c->options.show_keys != NULL; side++)
		for (size_t i = 0; i < counts[side]; i++) {
			size_t partner = compare_partners(&views[side])[i];
			const struct compare_item *couple[2] = {NULL, NULL};

			couple[side] = &items[side][i];
			if (side == 1 && partner != COMPARE_NONE)
				continue;
			if (partner != COMPARE_NONE)
				couple[1] = &items[1][partner];
			if (show_keys(c, views, couple, error) != 0)
				return -1;
		}
	if (c->options.show_keys != NULL)
		return 0;

	for (size_t i = 0; i < counts[0]; i++) {
		size_t partner = compare_partners(&views[0])[i];
		struct compare_row row = {.status = COMPARE_ONLY_A, .items = {&items[0][i], NULL}};

		if (is_placed(&views[0], i))
			continue;
		if (partner != COMPARE_NONE) {
			row.status = COMPARE_SAME;
			row.items[1] = &items[1][partner];

			const struct anim_rest *rests[2];
			struct compare_source s[2];
			int result = 0;

			memset(s, 0, sizeof s);
			for (int k = 0; k < 2; k++)
				rests[k] = anim_rests_find(views[k].rests, views[k].head->root, row.items[k]->node);
			for (int k = 0; k < 2 && result == 0; k++) {
				result = compare_source_open(&s[k], &views[k], row.items[k], rests[!k], error);
				if (result != 0)
					anim_error_in_file(error, c->options.names[k]);
			}
			if (result == 0 && anim_track_is_placed(s[0].first) != anim_track_is_placed(s[1].first))
				row.note = "one is in the space of the tree's root. Use " ANIM_OPTION(
				    "diff", "world") " to compare positions in space";
			if (result == 0)
				result = compare_sources(c, s, rests, &row, error);
			for (int k = 0; k < 2; k++)
				anim_source_close(&s[k].play);
			if (result != 0)
				return -1;
		}
		if (compare_add_row(c, &row, error) != 0)
			return -1;
	}
	for (size_t i = 0; i < counts[1]; i++) {
		const struct compare_row row = {.status = COMPARE_ONLY_B, .items = {NULL, &items[1][i]}};

		if (compare_partners(&views[1])[i] == COMPARE_NONE && !is_placed(&views[1], i) &&
		    compare_add_row(c, &row, error) != 0)
			return -1;
	}
	return 0;
}
