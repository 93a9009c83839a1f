/* measure.c: plays two tracks at the same times and tells how far they are apart. */
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

/* --- How far errors may go, as people type it: "0.1mm,rotation=0.05deg" --- */

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

/* Properties whose unit is known. */
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
	return anim_fail(error, ANIM_BAD_INPUT,
			 "'%.*s' is not a limit; a limit is 0.1mm, 0.05deg, 1%%, 0.001, position=0.1mm, or 1mm@10cm "
			 "for joints in space",
			 length < 100 ? (int)length : 100, text);
}

static int read_value(struct anim_limit *limit, const char *text, size_t length)
{
	size_t number = anim_number_typed(text, length, &limit->value), behind = length - number;

	if (number == 0 || !(limit->value >= 0) || !isfinite(limit->value))
		return -1;
	limit->any_unit = behind == 0;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		if (strlen(suffixes[i].text) != behind || memcmp(text + number, suffixes[i].text, behind) != 0)
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
		return anim_fail(error, ANIM_BAD_INPUT, "'%.100s' is not a length; 10cm and 0.1m are", text);
	*metres = limit.value;
	return 0;
}

/* "1mm@10cm": what may be off of points that far from their joint. */
static int read_world(struct anim_limits *limits, struct anim_limit *limit, const char *text, const char *at,
		      size_t length, struct anim_error *error)
{
	struct anim_limit shell = {.property = ""};

	*limit = (struct anim_limit){.property = ANIM_LIMIT_WORLD};
	if (read_value(limit, text, (size_t)(at - text)) != 0 || limit->any_unit || limit->unit != ANIM_UNIT_LENGTH ||
	    read_value(&shell, at + 1, length - (size_t)(at + 1 - text)) != 0 || shell.any_unit ||
	    shell.unit != ANIM_UNIT_LENGTH)
		return anim_fail(error, ANIM_BAD_INPUT, "'%.*s' is not a limit of points around a joint; 1mm@10cm is",
				 length < 100 ? (int)length : 100, text);
	limits->world = true;
	limits->shell_m = shell.value;
	return 0;
}

static int read_limit(struct anim_limit *limit, const char *text, size_t length, struct anim_error *error)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals == NULL ? 0 : (size_t)(equals - text), behind = equals == NULL ? 0 : name + 1;

	*limit = (struct anim_limit){.property = ""};
	if (name >= sizeof limit->property || (equals != NULL && name == 0))
		return bad(text, length, error);
	memcpy(limit->property, text, name);
	if (read_value(limit, text + behind, length - behind) != 0)
		return bad(text, length, error);
	if (name == 0 || limit->any_unit || suits(limit->property, limit->unit))
		return 0;
	return anim_fail(error, ANIM_BAD_INPUT, "'%.*s': errors of %s are not measured in that unit", (int)length, text,
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

bool anim_limits_tell(const struct anim_limits *limits, enum anim_unit unit, const char *property, double *value)
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
		/* A bare number bounds values, not texts or lengths of clips. */
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

	anim_limits_tell(limits, unit, property, &value);
	return value;
}

/* --- Texts of two tracks, key by key --- */

struct reader {
	const struct anim_clip *clip;
	const struct anim_track *track;
	size_t k;
};

/* Seconds from the clip's start of the key at hand; infinity behind the last. */
static double time_of(const struct reader *r)
{
	double t;

	if (r->k >= r->track->n)
		return (double)INFINITY;
	t = anim_track_time(r->track, r->k) - (double)r->clip->start_s;
	return t == t ? t : 0; /* samples of unknown interval: by their numbers */
}

static bool same_text(const struct reader *a, const struct reader *b)
{
	struct anim_text texts[2];

	return anim_value_equal(ANIM_STRING, anim_value_at(a->track, a->k, &texts[0]),
				anim_value_at(b->track, b->k, &texts[1]));
}

int compare_meant(const struct anim_track *track, struct anim_track *out, struct anim_texts *texts,
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

#define STEP 4e-7 /* at large times, times them: keys so near are neighbours as floats, for a step */

double anim_compare_hair(enum anim_rules a, enum anim_rules b, double t)
{
	return fmax(fmax(anim_rules_near(a, t), anim_rules_near(b, t)), STEP * fmax(1, fabs(t)));
}

int compare_texts(const struct anim_clip *const clips[2], const struct anim_track *a, const struct anim_track *b,
		  struct compare_row *row, struct anim_error *error)
{
	struct anim_texts texts[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
	struct anim_strings strings[2];
	struct anim_track tracks[2];
	int result = compare_meant(a, &tracks[0], &texts[0], &strings[0], error);

	if (result == 0)
		result = compare_meant(b, &tracks[1], &texts[1], &strings[1], error);
	if (result == 0) {
		struct reader first = {clips[0], &tracks[0], 0}, second = {clips[1], &tracks[1], 0};
		double found = (double)INFINITY;

		while (first.k < tracks[0].n || second.k < tracks[1].n) {
			double t = time_of(&first), u = time_of(&second), earlier = fmin(t, u);
			bool together =
			    t == u || fabs(t - u) <= anim_compare_hair(tracks[0].rules, tracks[1].rules, earlier);
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

/* --- Plays two tracks at the same times and tells how far they are apart --- */

#define STRETCH_MAX \
	4096.0 /* points of the grid between two keys: hours without any are not looked at sixty times a second */

/* The keys of both sides and the grid, in seconds from the clips' starts, rising. */
struct moments {
	const float *breaks[2];
	size_t counts[2], at[2];
	double start_s[2], end_s, step_s;
	double left_s; /* the last break so far */
	bool loops;    /* the end is left as soon as it is reached; elsewhere its pose stays */
	enum anim_rules rules[2];
};

/* Where to look around one moment. What shows at an instant alone, as where one side steps a hair earlier, is not seen. */
#define AROUND 4
#define FINER 1e-5 /* of the largest error: what a closer look has to promise */
#define CLOSER 12  /* halvings at most */
struct around {
	double t[AROUND];
	bool instant[AROUND];
	double
	    most; /* times what lasts around it: so much an instant may be off to count; nothing more where a side steps */
	unsigned count;
	size_t first[2]; /* of breaks at this moment, up to those that come next; none of the grid's */
};

static double next_break(const struct moments *m)
{
	double best = (double)INFINITY;

	for (int i = 0; i < 2; i++)
		if (m->at[i] < m->counts[i])
			best = fmin(best, fmax((double)m->breaks[i][m->at[i]] - m->start_s[i], 0));
	return best;
}

/* Passes over the breaks up to t; returns the last of them. */
static double take_breaks(struct moments *m, double t)
{
	double last = 0;

	for (int i = 0; i < 2; i++)
		for (; m->at[i] < m->counts[i] && (double)m->breaks[i][m->at[i]] - m->start_s[i] <= t; m->at[i]++)
			last = fmax(last, (double)m->breaks[i][m->at[i]] - m->start_s[i]);
	return last;
}

static double hair_at(const struct moments *m, double t)
{
	return anim_compare_hair(m->rules[0], m->rules[1], t + fmax(fabs(m->start_s[0]), fabs(m->start_s[1])));
}

static void look(struct around *around, double t, bool instant)
{
	around->t[around->count] = t;
	around->instant[around->count++] = instant;
}

static bool is_instant(const struct moments *m, double t, double hair)
{
	return m->end_s > hair && (m->loops || t < m->end_s);
}

/* The next point of the grid before the break `at`; infinity where there is none. */
static double next_grid(const struct moments *m, double passed, double at)
{
	double right = fmin(at, m->end_s), stretch = right - m->left_s, from = fmax(passed, m->left_s);
	double whole = floor(from / m->step_s), t = (whole + 1) * m->step_s;

	if (stretch > STRETCH_MAX * m->step_s)
		t = from + stretch / STRETCH_MAX;
	else if (t <= from) /* the quotient was rounded down */
		t = (whole + 2) * m->step_s;
	return t > from && t < m->end_s && t < at - 2 * hair_at(m, right) ? t : (double)INFINITY;
}

/* The next moment; false where the clips have ended. `passed`: the last one that counted, -1 at first. */
static bool next_moment(struct moments *m, double passed, struct around *around)
{
	double at = next_break(m), grid = next_grid(m, passed, at), hair, last, behind;

	around->count = 0;
	around->most = 2;
	memcpy(around->first, m->at, sizeof around->first);
	if (isfinite(grid)) {
		look(around, grid, false);
		return true;
	}
	if (at > m->end_s)
		return false;
	hair = hair_at(m, at);
	last = fmin(take_breaks(m, at + 2 * hair), m->end_s);
	last = fmax(last, at);
	m->left_s = last;
	around->most = last > at && last - at <= STEP * fmax(1, at) ? 1 : 2;
	if (at - hair > fmax(passed, 0))
		look(around, at - hair, false);
	look(around, at, is_instant(m, at, hair));
	if (last > at)
		look(around, last, is_instant(m, last, hair));
	behind = fmin(last + hair, (last + next_break(m)) / 2);
	if (behind < m->end_s)
		look(around, behind, false);
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

/* What one comparison needs at each sample, and what it has come to. */
struct errors {
	struct compare_source *sides[2];
	struct compare_row *row;
	unsigned components;
	double start_s[2], end_s[2];
	double step_s, noise;                 /* of the grid; what rounding may make of the values so far */
	bool bends;                           /* one side does more than straight lines and steps */
	double passed, last, square, seconds; /* the last sample that counted; the integral of the squared error */
	double beyond_s, longest_s; /* for how long the limit is exceeded now; was exceeded at one go at the most */
	bool near; /* one side's player takes times for a key's, and one side bends: each is looked at */
	struct anim_deviation beside;
	double jump; /* that both sides have at the times at hand */
};

/* Positions by their distance, all else by the component that is farthest off. */
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

/* A time and the error there. */
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

/* From one sample to the next, between which the error is taken for straight, as long as the limit is exceeded. */
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

/* Between two samples the error is taken for straight. */
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

#define INNER 5       /* times in a gap that a piece of a curve may lie in, for each has its own error; odd */
#define SAMPLES INNER /* of one call at most; no less than AROUND */

static int sample(struct errors *e, int side, const double *at, unsigned count, double (*out)[ANIM_COMPONENTS_MAX],
		  struct anim_error *error)
{
	double t[SAMPLES];

	for (unsigned i = 0; i < count; i++)
		t[i] = fmin(e->start_s[side] + at[i], e->end_s[side]);
	memset(out, 0, SAMPLES * sizeof *out);
	return anim_source_sample(&e->sides[side]->play, t, count, out, error);
}

/* Of values such as this: float32 quaternions tell no angles apart that are smaller. */
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

/* The errors at up to SAMPLES times. 0 or -1. */
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
 * The peak between two times, and no nearer to them than `hair`, where there may be one that is larger than any before by
 * more than what is printed: the error rises above its chord by an eighth of how it bends, here taken twice.
 */
static int look_for_peak(struct errors *e, struct spot a, struct spot b, double bend, double hair, int depth,
			 struct anim_error *error)
{
	struct spot middle = {.t = a.t + (b.t - a.t) / 2};
	double least = e->row->worst + fmax(FINER * e->row->worst, e->noise);

	if (depth == 0 || b.t - a.t <= hair / 64 || !(fmax(a.off, b.off) + bend / 4 > least))
		return 0;
	if (errors_at(e, &middle.t, 1, &middle.off, error) != 0)
		return -1;
	note_worst(e, middle);
	bend = fabs(a.off + b.off - 2 * middle.off);
	return look_for_peak(e, a, middle, bend, hair, depth - 1, error) != 0
		   ? -1
		   : look_for_peak(e, middle, b, bend, hair, depth - 1, error);
}

/* The integral of the squared error over spots as far apart from each other, by Simpson's rule. */
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

/* Between the last sample and the next, where something bends. */
static int look_between(struct errors *e, struct spot next, double hair, struct anim_error *error)
{
	double length = next.t - e->passed, from = e->passed, t[INNER], off[INNER], bend = 0;
	unsigned inner = length > 0.99 * e->step_s ? 1 : INNER; /* elsewhere the grid does it */
	struct spot spots[INNER + 2] = {{e->passed, e->last}};

	if (!e->bends || e->passed < 0 || length <= 4 * hair)
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
		if (look_for_peak(e, spots[i], spots[i + 1], bend, hair, CLOSER, error) != 0)
			return -1;
		bend = i < inner ? fabs(spots[i + 2].off - spots[i + 1].off - step) : 0;
	}
	return 0;
}

/* Of what is off beside keys alone: so little is how Godot's player finds them, and no difference; rotations 100 times as many degrees. */
#define TIMING 1e-4
#define NEAREST 0x1p-30 /* seconds, at large times times them: how near to a break it is worth to look */

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

/* All of an interval, which is short. */
static int look_densely(struct errors *e, double from, double to, struct anim_error *error)
{
	double near = NEAREST * fmax(1, fabs(to) + fmax(fabs(e->start_s[0]), fabs(e->start_s[1])));

	return to - from > 2 * near ? anim_deviation_between(&e->beside, from, to, near, error) : 0;
}

/* Samples that follow are not next to the ones before. */
static void interrupt(struct errors *e)
{
	double lasts_s;

	anim_deviation_finish(&e->beside, &lasts_s);
	e->beside.started = false;
}

/* How far both sides jump at this moment, each at its breaks. */
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

/* The breaks of one moment, and the times from which on and up to which Godot's player shows one. */
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

/* Beside the breaks of a moment, where players take times for a key's; a jump of both may come as much sooner or later. */
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

/* At the very end a step of both is no difference where one player shows only what is before its last key. */
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
	double off[AROUND], lasting = 0, hair = hair_at(m, around->t[0]);

	if (errors_at(e, around->t, around->count, off, error) != 0 ||
	    forgive_end(e, measure, m, around, off, error) != 0)
		return -1;
	for (unsigned i = 0; i < around->count; i++)
		lasting = around->instant[i] ? lasting : fmax(lasting, off[i]);
	for (unsigned i = 0; i < around->count; i++) {
		if (around->instant[i] && off[i] > around->most * lasting)
			continue;
		if (i == 0 && e->near && e->passed >= 0 && around->t[0] - e->passed <= 4 * hair) {
			if (look_densely(e, e->passed, around->t[0], error) != 0)
				return -1;
			interrupt(e);
		}
		if (look_between(e, (struct spot){around->t[i], off[i]}, hair, error) != 0)
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

/* Both sides are samples of unknown times, and as many. */
static bool are_bare_samples(const struct compare_source s[2])
{
	return !s[0].play.joined && !s[1].play.joined && compare_has_no_times(s[0].first) &&
	       compare_has_no_times(s[1].first) && s[0].first->n == s[1].first->n &&
	       s[0].first->interp == s[1].first->interp;
}

/* By their numbers. */
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

/* The last break is the clip's end, or where a clip without length ends. */
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
