/* measure.c: plays two tracks at the same times and measures the error between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "clip/deviation.h"
#include "clip/keys.h"
#include "clip/track.h"
#include "filter/compare/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* --- Limits as people type them: "0.1mm,rotation=0.05deg" --- */

const char *const anim_unit_names[ANIM_UNIT_COUNT] = {
    [ANIM_UNIT_PLAIN] = "",    [ANIM_UNIT_LENGTH] = "m",  [ANIM_UNIT_PIXELS] = "px",
    [ANIM_UNIT_ANGLE] = "deg", [ANIM_UNIT_KEYS] = "keys", [ANIM_UNIT_TIME] = "s"};

static const struct suffix {
	const char *text;
	enum anim_unit unit;
	double times, divided; /* a power of ten is exact only as a divisor */
} suffixes[] = {
    {"mm", ANIM_UNIT_LENGTH, 1, 1000}, {"cm", ANIM_UNIT_LENGTH, 1, 100}, {"m", ANIM_UNIT_LENGTH, 1, 1},
    {"px", ANIM_UNIT_PIXELS, 1, 1},    {"deg", ANIM_UNIT_ANGLE, 1, 1},   {"rad", ANIM_UNIT_ANGLE, 57.29577951308232, 1},
    {"%", ANIM_UNIT_PLAIN, 1, 100},    {"ms", ANIM_UNIT_TIME, 1, 1000},  {"s", ANIM_UNIT_TIME, 1, 1},
};

/* Return false for a property whose unit is known to be another one. */
static bool suits(const char *property, enum anim_unit unit)
{
	if (strcmp(property, "position") == 0)
		return unit == ANIM_UNIT_LENGTH || unit == ANIM_UNIT_PIXELS;
	if (strcmp(property, "rotation") == 0)
		return unit == ANIM_UNIT_ANGLE;
	return strcmp(property, "scale") != 0 || unit == ANIM_UNIT_PLAIN;
}

static int bad(const char *text, size_t length, struct anim_error *error)
{
	return anim_fail(
	    error, ANIM_BAD_INPUT,
	    "'%.*s' is not a limit. Use for example 0.1mm, 0.05deg, 1%%, 0.001, position=0.1mm, or 1mm@10cm "
	    "for joints in space",
	    length < 100 ? (int)length : 100, text);
}

static int read_value(struct anim_limit *limit, const char *text, size_t length)
{
	size_t number = anim_number_typed(text, length, &limit->value), after = length - number;

	if (number == 0 || !(limit->value >= 0) || !isfinite(limit->value))
		return -1;
	limit->any_unit = after == 0;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		if (strlen(suffixes[i].text) != after || memcmp(text + number, suffixes[i].text, after) != 0)
			continue;
		limit->unit = suffixes[i].unit;
		limit->value = limit->value * suffixes[i].times / suffixes[i].divided;
		return 0;
	}
	return limit->any_unit ? 0 : -1;
}

int anim_length_parse(double *metres, const char *text, struct anim_error *error)
{
	struct anim_limit limit = {.property = ""};

	if (read_value(&limit, text, strlen(text)) != 0 || limit.any_unit || limit.unit != ANIM_UNIT_LENGTH)
		return anim_fail(error, ANIM_BAD_INPUT, "'%.100s' is not a length. Use for example 10cm or 0.1m", text);
	*metres = limit.value;
	return 0;
}

/* Read "1mm@10cm": the limit for points at that distance from their joint. */
static int read_world(struct anim_limits *limits, struct anim_limit *limit, const char *text, const char *at,
		      size_t length, struct anim_error *error)
{
	struct anim_limit shell = {.property = ""};

	*limit = (struct anim_limit){.property = ANIM_LIMIT_WORLD};
	if (read_value(limit, text, (size_t)(at - text)) != 0 || limit->any_unit || limit->unit != ANIM_UNIT_LENGTH ||
	    read_value(&shell, at + 1, length - (size_t)(at + 1 - text)) != 0 || shell.any_unit ||
	    shell.unit != ANIM_UNIT_LENGTH)
		return anim_fail(error, ANIM_BAD_INPUT,
				 "'%.*s' is not a limit for points around a joint. Use for example 1mm@10cm",
				 length < 100 ? (int)length : 100, text);
	limits->world = true;
	limits->shell_m = shell.value;
	return 0;
}

static int read_limit(struct anim_limit *limit, const char *text, size_t length, struct anim_error *error)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals == NULL ? 0 : (size_t)(equals - text), after = equals == NULL ? 0 : name + 1;

	*limit = (struct anim_limit){.property = ""};
	if (name >= sizeof limit->property || (equals != NULL && name == 0))
		return bad(text, length, error);
	memcpy(limit->property, text, name);
	if (read_value(limit, text + after, length - after) != 0)
		return bad(text, length, error);
	if (name == 0 || limit->any_unit || suits(limit->property, limit->unit))
		return 0;
	return anim_fail(error, ANIM_BAD_INPUT, "'%.*s': errors of %s have another unit", (int)length, text,
			 limit->property);
}

int anim_limits_parse(struct anim_limits *limits, const char *text, struct anim_error *error)
{
	const char *at;

	for (;;) {
		size_t length = strcspn(text, ",");

		if (limits->count == ANIM_LIMITS_MAX)
			return anim_fail(error, ANIM_BAD_INPUT, "more than %u limits", ANIM_LIMITS_MAX);
		at = memchr(text, '@', length);
		if ((at != NULL ? read_world(limits, &limits->items[limits->count], text, at, length, error)
				: read_limit(&limits->items[limits->count], text, length, error)) != 0)
			return -1;
		limits->count++;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

bool anim_limits_get(const struct anim_limits *limits, enum anim_unit unit, const char *property, double *value)
{
	int best = 0;

	if (strcmp(property, "euler") == 0 || strcmp(property, "angle") == 0)
		property = unit == ANIM_UNIT_ANGLE ? "rotation" : property;
	for (size_t i = 0; i < limits->count; i++) {
		const struct anim_limit *limit = &limits->items[i];
		bool named = limit->property[0] != '\0';
		int rank = named ? 3 : limit->any_unit ? 1 : 2;

		if (named && !anim_glob_match(limit->property, property))
			continue;
		/* A number without unit applies to values, but not to texts or lengths of clips. */
		if (limit->any_unit ? !named && unit >= ANIM_UNIT_KEYS : limit->unit != unit)
			continue;
		if (rank >= best) {
			best = rank;
			*value = limit->value;
		}
	}
	return best > 0;
}

double anim_limits_find(const struct anim_limits *limits, enum anim_unit unit, const char *property)
{
	double value = 0;

	anim_limits_get(limits, unit, property, &value);
	return value;
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

static bool same_text(const struct reader *a, const struct reader *b)
{
	struct anim_text texts[2];

	return anim_value_equal(ANIM_STRING, anim_value_at(a->track, a->k, &texts[0]),
				anim_value_at(b->track, b->k, &texts[1]));
}

int compare_unquote(const struct anim_track *track, struct anim_track *out, struct anim_texts *texts,
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

int compare_texts(const struct anim_clip *const clips[2], const struct anim_track *a, const struct anim_track *b,
		  struct compare_row *row, struct anim_error *error)
{
	struct anim_texts texts[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
	struct anim_strings strings[2];
	struct anim_track tracks[2];
	int result = compare_unquote(a, &tracks[0], &texts[0], &strings[0], error);

	if (result == 0)
		result = compare_unquote(b, &tracks[1], &texts[1], &strings[1], error);
	if (result == 0) {
		struct reader first = {clips[0], &tracks[0], 0}, second = {clips[1], &tracks[1], 0};
		double found = (double)INFINITY;

		while (first.k < tracks[0].n || second.k < tracks[1].n) {
			double t = time_of(&first), u = time_of(&second), earlier = fmin(t, u);
			bool together =
			    t == u || fabs(t - u) <= anim_compare_epsilon(tracks[0].rules, tracks[1].rules, earlier);
			bool same =
			    together && first.k < tracks[0].n && second.k < tracks[1].n && same_text(&first, &second);

			row->worst += !same;
			found = same ? found : fmin(found, earlier);
			first.k += together || t < u;
			second.k += together || u < t;
		}
		row->at_s = (isfinite(found) ? found : 0) + (double)clips[0]->start_s;
	}
	anim_texts_clear(&texts[0]);
	anim_texts_clear(&texts[1]);
	return result;
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

/* Skip the breaks up to t, and return the last of them. */
static double take_breaks(struct moments *m, double t)
{
	double last = 0;

	for (int i = 0; i < 2; i++)
		for (; m->at[i] < m->counts[i] && (double)m->breaks[i][m->at[i]] - m->start_s[i] <= t; m->at[i]++)
			last = fmax(last, (double)m->breaks[i][m->at[i]] - m->start_s[i]);
	return last;
}

static double epsilon_at(const struct moments *m, double t)
{
	return anim_compare_epsilon(m->rules[0], m->rules[1], t + fmax(fabs(m->start_s[0]), fabs(m->start_s[1])));
}

static void look(struct around *around, double t, bool instant)
{
	around->t[around->count] = t;
	around->instant[around->count++] = instant;
}

static bool is_instant(const struct moments *m, double t, double epsilon)
{
	return m->end_s > epsilon && (m->loops || t < m->end_s);
}

/* Return the next point of the grid before the break `at`, or infinity if the grid has no such point. */
static double next_grid(const struct moments *m, double passed, double at)
{
	double right = fmin(at, m->end_s), stretch = right - m->left_s, from = fmax(passed, m->left_s);
	double whole = floor(from / m->step_s), t = (whole + 1) * m->step_s;

	if (stretch > STRETCH_MAX * m->step_s)
		t = from + stretch / STRETCH_MAX;
	else if (t <= from) /* the quotient was rounded down */
		t = (whole + 2) * m->step_s;
	return t > from && t < m->end_s && t < at - 2 * epsilon_at(m, right) ? t : (double)INFINITY;
}

/*
 * Find the next moment. Returns false at the end of the clips. `passed` is the last time that counted, -1 at first.
 */
static bool next_moment(struct moments *m, double passed, struct around *around)
{
	double at = next_break(m), grid = next_grid(m, passed, at), epsilon, last, after;

	around->count = 0;
	around->most = 2;
	memcpy(around->first, m->at, sizeof around->first);
	if (isfinite(grid)) {
		look(around, grid, false);
		return true;
	}
	if (at > m->end_s)
		return false;
	epsilon = epsilon_at(m, at);
	last = fmin(take_breaks(m, at + 2 * epsilon), m->end_s);
	last = fmax(last, at);
	m->left_s = last;
	around->most = last > at && last - at <= STEP * fmax(1, at) ? 1 : 2;
	if (at - epsilon > fmax(passed, 0))
		look(around, at - epsilon, false);
	look(around, at, is_instant(m, at, epsilon));
	if (last > at)
		look(around, last, is_instant(m, last, epsilon));
	after = fmin(last + epsilon, (last + next_break(m)) / 2);
	if (after < m->end_s)
		look(around, after, false);
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

static double component_error(double a, double b, bool logic)
{
	double off = logic ? (double)((a >= 0.5) != (b >= 0.5)) : fabs(a - b);

	if (a == b || (a != a && b != b))
		return 0;
	return off == off ? off : (double)INFINITY;
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
	/* one player snaps times to near keys, and the sides bend or have different rules: look beside each key */
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
		double off = e->components >> i & 1 ? component_error(a[i], b[i], logic) : 0;

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
static int look_for_peak(struct errors *e, struct spot a, struct spot b, double bend, double epsilon, int depth,
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
	return look_for_peak(e, a, middle, bend, epsilon, depth - 1, error) != 0
		   ? -1
		   : look_for_peak(e, middle, b, bend, epsilon, depth - 1, error);
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

/* Look between the last sample and the next one, if a curve bends there. */
static int look_between(struct errors *e, struct spot next, double epsilon, struct anim_error *error)
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
		if (look_for_peak(e, spots[i], spots[i + 1], bend, epsilon, CLOSER, error) != 0)
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

/* Look at all of an interval, which is short. */
static int look_densely(struct errors *e, double from, double to, struct anim_error *error)
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
static int find_jump(struct errors *e, const struct compare_meter *measure, const struct moments *m,
		     const struct around *around, struct anim_error *error)
{
	double v[2][ANIM_COMPONENTS_MAX], jumps[2] = {0, 0};

	for (int i = 0; i < 2; i++)
		for (size_t k = around->first[i]; k < m->at[i]; k++) {
			if (anim_source_jump(&e->sides[i]->play, &measure->breaks[i], k, v, error) != 0)
				return -1;
			jumps[i] += error_of(e, v[0], v[1]);
		}
	e->jump = fmin(jumps[0], jumps[1]);
	return 0;
}

static int add_time(struct compare_meter *measure, double t, double from, double to, struct anim_error *error)
{
	return t >= from && t <= to ? anim_buffer_append(&measure->times, &t, sizeof t, error) : 0;
}

/* Find the breaks of one moment, and the times at which Godot's player begins and stops to show each of them. */
static int find_times(struct compare_meter *measure, const struct moments *m, const struct around *around, double from,
		      double to, struct anim_error *error)
{
	measure->times.size = 0;
	if (add_time(measure, from, from, to, error) != 0 || add_time(measure, to, from, to, error) != 0)
		return -1;
	for (int i = 0; i < 2; i++)
		for (size_t k = around->first[i]; k < m->at[i]; k++) {
			double t = (double)m->breaks[i][k] - m->start_s[i], reach = anim_rules_reach(m->rules[i], t);

			if (add_time(measure, t - reach, from, to, error) != 0 ||
			    add_time(measure, t, from, to, error) != 0 ||
			    add_time(measure, t + reach, from, to, error) != 0)
				return -1;
		}
	return 0;
}

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/*
 * Look beside the breaks of a moment, where players snap times to a key. A jump of both sides may occur that much
 * earlier or later.
 */
static int look_beside(struct errors *e, struct compare_meter *measure, const struct moments *m,
		       const struct around *around, struct anim_error *error)
{
	double *t;
	size_t count;

	if (!e->near || (around->first[0] == m->at[0] && around->first[1] == m->at[1]))
		return 0;
	if (find_jump(e, measure, m, around, error) != 0 ||
	    find_times(measure, m, around, around->t[0], around->t[around->count - 1], error) != 0)
		return -1;
	t = (double *)(void *)measure->times.data;
	count = measure->times.size / sizeof *t;
	qsort(t, count, sizeof *t, compare_times);
	for (size_t k = 0; k + 1 < count; k++)
		if (look_densely(e, t[k], t[k + 1], error) != 0)
			return -1;
	e->jump = 0;
	interrupt(e);
	return 0;
}

/* Ignore a step of both sides at the very end, because one player shows only the value before its last key. */
static int forgive_end(struct errors *e, const struct compare_meter *measure, const struct moments *m,
		       const struct around *around, double off[AROUND], struct anim_error *error)
{
	unsigned last = around->count - 1;

	if (around->t[last] < m->end_s || off[last] == 0)
		return 0;
	if (find_jump(e, measure, m, around, error) != 0)
		return -1;
	off[last] = fmax(off[last] - e->jump, 0);
	e->jump = 0;
	return 0;
}

static int look_around(struct errors *e, const struct compare_meter *measure, const struct moments *m,
		       const struct around *around, struct anim_error *error)
{
	double off[AROUND], lasting = 0, epsilon = epsilon_at(m, around->t[0]);

	if (errors_at(e, around->t, around->count, off, error) != 0 ||
	    forgive_end(e, measure, m, around, off, error) != 0)
		return -1;
	for (unsigned i = 0; i < around->count; i++)
		lasting = around->instant[i] ? lasting : fmax(lasting, off[i]);
	for (unsigned i = 0; i < around->count; i++) {
		if (around->instant[i] && off[i] > around->most * lasting)
			continue;
		if (i == 0 && e->near && e->passed >= 0 && around->t[0] - e->passed <= 4 * epsilon) {
			if (look_densely(e, e->passed, around->t[0], error) != 0)
				return -1;
			interrupt(e);
		}
		if (look_between(e, (struct spot){around->t[i], off[i]}, epsilon, error) != 0)
			return -1;
		count_error(e, around->t[i], off[i]);
	}
	return 0;
}

static void set_moments(const struct compare_meter *measure, const struct errors *e, struct moments *m)
{
	*m = (struct moments){.end_s = fmin(e->end_s[0] - e->start_s[0], e->end_s[1] - e->start_s[1]),
			      .step_s = (double)measure->rate_den / (double)measure->rate_num};
	for (int i = 0; i < 2; i++) {
		m->breaks[i] = (const float *)(const void *)measure->breaks[i].data;
		m->counts[i] = measure->breaks[i].size / sizeof(float);
		m->start_s[i] = e->start_s[i];
		m->rules[i] = e->sides[i]->first->rules;
		m->loops = m->loops || e->sides[i]->play.clip->loop != ANIM_LOOP_NONE;
	}
}

bool compare_has_no_times(const struct anim_track *track)
{
	return track != NULL && track->kind == ANIM_RAW && isnan(anim_track_time(track, 0));
}

/* Return true if both sides are samples with unknown times, in equal number. */
static bool are_bare_samples(const struct compare_source s[2])
{
	return !s[0].play.joined && !s[1].play.joined && compare_has_no_times(s[0].first) &&
	       compare_has_no_times(s[1].first) && s[0].first->n == s[1].first->n &&
	       s[0].first->interp == s[1].first->interp;
}

/* Compare samples by number. */
static void compare_samples(struct compare_source s[2], unsigned components, struct compare_row *row)
{
	const struct errors e = {.sides = {&s[0], &s[1]}, .row = row, .components = components};
	double square = 0;
	size_t n = s[0].first->n;

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
}

/* Return the last break. It is the end of the clip, or the last key of a clip without length. */
static double end_of_breaks(const struct anim_buffer *breaks)
{
	return (double)((const float *)(const void *)breaks->data)[breaks->size / sizeof(float) - 1];
}

bool compare_error_source_init(struct compare_error_source *out, const struct compare_meter *measure,
			       struct compare_source s[2], unsigned components, enum anim_unit unit)
{
	*out = (struct compare_error_source){.sides = s, .components = components, .unit = unit};
	if (compare_has_no_times(s[0].first) || compare_has_no_times(s[1].first))
		return false;
	for (int i = 0; i < 2; i++) {
		out->start_s[i] = (double)s[i].play.clip->start_s;
		out->end_s[i] = end_of_breaks(&measure->breaks[i]);
	}
	return true;
}

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

int compare_measure(struct compare_meter *measure, struct compare_source s[2], unsigned components,
		    struct compare_row *row, struct anim_error *error)
{
	struct errors e = {.sides = {&s[0], &s[1]}, .row = row, .components = components, .passed = -1};
	struct moments moments;
	struct around around;

	if (are_bare_samples(s)) {
		compare_samples(s, components, row);
		return 0;
	}
	for (int i = 0; i < 2; i++) {
		struct anim_buffer *breaks = &measure->breaks[i];
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
	set_moments(measure, &e, &moments);
	e.step_s = moments.step_s;
	e.near = (e.bends || moments.rules[0] != moments.rules[1]) &&
		 (anim_rules_are_godot(moments.rules[0]) || anim_rules_are_godot(moments.rules[1]));
	e.beside = (struct anim_deviation){.at = errors_beside, .context = &e};
	while (next_moment(&moments, e.passed, &around))
		if (look_around(&e, measure, &moments, &around, error) != 0 ||
		    look_beside(&e, measure, &moments, &around, error) != 0)
			return -1;
	row->beyond_s = e.longest_s;
	if (e.beside.worst > (row->unit == ANIM_UNIT_ANGLE ? 100 * TIMING : TIMING)) {
		note_worst(&e, (struct spot){e.beside.at_s, e.beside.worst});
		row->beyond_s = fmax(row->beyond_s, anim_deviation_longest(&e.beside, row->limit));
	}
	row->rms = e.seconds > 0 ? sqrt(e.square / e.seconds) : row->worst;
	row->at_s += e.start_s[0];
	return 0;
}
