/* plot.c: the picture in braille, within a row of dots, against one made by playing every track at thousands of times a column. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/keys.h"
#include "filter/plot/plot.h"
#include "sample_help.h"
#include "tap.h"

#define WIDTH 30 /* characters of a line: 20 of them the picture's */
#define ACROSS 40
#define DOWN 16
#define KEYS_MAX 400
#ifdef __SANITIZE_ADDRESS__ /* several times slower */
#define TRACKS 40
#else
#define TRACKS 200
#endif
#define LANES 4

/* ANIM_PLOT_POINTS: how often a column is played. */
static size_t points_of_column(void)
{
	const char *text = getenv("ANIM_PLOT_POINTS");

	return text == NULL ? 500 : (size_t)strtoul(text, NULL, 10);
}

static uint64_t state = 1;

static double uniform(double low, double high)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static unsigned below(unsigned n)
{
	return (unsigned)uniform(0, n);
}

/* --- A random track --- */

struct random_track {
	struct anim_track track;
	struct anim_clip clip;
	float time[KEYS_MAX], ease[KEYS_MAX];
	float value[LANES * KEYS_MAX], left[LANES * KEYS_MAX], right[LANES * KEYS_MAX], left_x[LANES * KEYS_MAX],
	    right_x[LANES * KEYS_MAX];
	uint8_t weighted[KEYS_MAX], interps[KEYS_MAX];
};

static const uint8_t modes_of[ANIM_RULES_COUNT][10] = {
    [ANIM_RULES_PLAIN] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE, ANIM_WEIGHTED, ANIM_CUBIC_BEZIER, ANIM_CUBIC_TIME,
			  ANIM_CUBIC_UNIFORM},
    [ANIM_RULES_GODOT4] = {ANIM_HOLD, ANIM_LINEAR, ANIM_CUBIC_TIME, ANIM_BEZIER_2D, ANIM_LINEAR_ANGLE, ANIM_LINEAR,
			   ANIM_CUBIC_ANGLE},
    [ANIM_RULES_GODOT3] = {ANIM_HOLD, ANIM_LINEAR, ANIM_CUBIC_UNIFORM, ANIM_BEZIER_2D, ANIM_LINEAR, ANIM_LINEAR,
			   ANIM_CUBIC_UNIFORM},
    [ANIM_RULES_UNITY] = {ANIM_HERMITE, ANIM_WEIGHTED, ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE, ANIM_WEIGHTED,
			  ANIM_HERMITE},
    [ANIM_RULES_RESONITE] = {ANIM_HOLD, ANIM_LINEAR, ANIM_TANGENT, ANIM_CUBIC_BEZIER, ANIM_LINEAR, ANIM_TANGENT,
			     ANIM_CUBIC_BEZIER},
};

static bool is_of_one_number(enum anim_interp mode)
{
	return mode == ANIM_BEZIER_2D || mode == ANIM_LINEAR_ANGLE || mode == ANIM_CUBIC_ANGLE;
}

/* A rotation within 100 degrees of none. */
static void random_turn(float *q)
{
	double v[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}, half = uniform(0, 0.8);
	double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 1e-9;

	for (int i = 0; i < 3; i++)
		q[i] = (float)(v[i] / length * sin(half));
	q[3] = (float)cos(half);
}

static void random_times(struct random_track *r, size_t n, double length)
{
	double t = uniform(-0.2, 0.2) * below(2);

	for (size_t k = 0; k < n; k++) {
		r->time[k] = (float)t;
		if (k % 7 != 5 || r->track.rules != ANIM_RULES_UNITY) /* there two keys may stand at one time */
			t += uniform(0.02, 2) * length / (double)n;
	}
}

static void random_columns(struct random_track *r, unsigned lanes)
{
	for (size_t k = 0; k < r->track.n; k++) {
		double span = k + 1 < r->track.n ? (double)(r->time[k + 1] - r->time[k]) : 1;

		r->ease[k] = (float)(below(3) == 0 ? uniform(-3, 3) : 1);
		r->weighted[k] = (uint8_t)below(4);
		for (unsigned i = 0; i < lanes; i++) {
			size_t at = k * lanes + i;
			bool handle = r->track.interp == ANIM_BEZIER_2D;

			r->value[at] = (float)(k % 5 == 3 ? r->value[at - lanes] : uniform(-2, 3));
			r->left[at] = (float)uniform(-6, 6);
			r->right[at] = (float)uniform(-6, 6);
			r->left_x[at] = (float)(handle ? -uniform(0, span) : uniform(0, 1));
			r->right_x[at] = (float)(handle ? uniform(0, span) : uniform(0, 1));
		}
		if (r->track.type == ANIM_FLOATQ)
			random_turn(r->value + 4 * k);
	}
}

/* A wave of rotations, noisy or not, whose slopes are their own, nearly; some of the other sign where that is the same. */
static void wave_of_turns(struct random_track *r)
{
	double wave = uniform(0.01, 0.3), noise = uniform(0, 0.1) * below(2), size = uniform(0.05, 0.4);
	bool either = r->track.interp == ANIM_LINEAR && r->track.rules < ANIM_RULES_UNITY && below(2);

	for (size_t k = 0; k < r->track.n; k++) {
		double v[3], half = 1e-9, sign = either && below(3) == 0 ? -1 : 1;

		for (unsigned i = 0; i < 3; i++) {
			v[i] = size * (sin(wave * (double)k * (1 + 0.3 * i) + i) + noise * uniform(-1, 1));
			half += v[i] * v[i];
		}
		half = sqrt(half);
		for (unsigned i = 0; i < 3; i++)
			r->value[4 * k + i] = (float)(sign * v[i] / half * sin(half));
		r->value[4 * k + 3] = (float)(sign * cos(half));
	}
	for (size_t k = 0; k < r->track.n; k++)
		for (size_t at = 4 * k; at < 4 * k + 4; at++) {
			bool inner = k > 0 && k + 1 < r->track.n;
			double step =
			    inner && r->track.interp == ANIM_HERMITE ? (double)(r->time[k + 1] - r->time[k]) : 1;
			double slope = inner ? ((double)r->value[at + 4] - (double)r->value[at - 4]) / 2 / step : 0;

			r->left[at] = r->right[at] = (float)(slope * uniform(0.8, 1.2));
			if (r->track.interp == ANIM_CUBIC_BEZIER) {
				r->left[at] = (float)((double)r->value[at] - slope / 3);
				r->right[at] = (float)((double)r->value[at] + slope / 3);
			}
		}
}

static void set_columns(struct random_track *r)
{
	enum anim_interp mode = (enum anim_interp)r->track.interp;

	if (mode >= ANIM_TANGENT && mode <= ANIM_BEZIER_2D) {
		r->track.left = r->left;
		r->track.right = r->right;
	}
	if (mode == ANIM_WEIGHTED || mode == ANIM_BEZIER_2D) {
		r->track.left_x = r->left_x;
		r->track.right_x = r->right_x;
	}
	if (mode == ANIM_WEIGHTED)
		r->track.weighted = r->weighted;
	if (r->track.rules != ANIM_RULES_RESONITE && mode != ANIM_BEZIER_2D && below(3) == 0)
		r->track.ease = r->ease;
	for (size_t k = 0; k < r->track.n; k++)
		r->interps[k] = (uint8_t)(k == 0 || below(2) ? mode : below(2) ? ANIM_HOLD : ANIM_LINEAR);
	if (!is_of_one_number(mode) && below(4) == 0) {
		r->track.interp = ANIM_INTERP_COLUMN;
		r->track.interps = r->interps;
	}
}

static void random_track(struct random_track *r, enum anim_rules rules)
{
	enum anim_interp mode = (enum anim_interp)modes_of[rules][below(7)];
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT3, ANIM_FLOATQ, ANIM_FLOAT};
	enum anim_type type = is_of_one_number(mode) ? ANIM_FLOAT : types[below(4)];
	size_t n = below(20) == 0 ? KEYS_MAX : 2 + below(14);
	double length = uniform(0.5, 4);

	memset(r, 0, sizeof *r);
	if (type == ANIM_FLOATQ && below(2))
		n = KEYS_MAX / 2;
	else if (type == ANIM_FLOATQ && mode != ANIM_HOLD && mode != ANIM_LINEAR && mode != ANIM_CUBIC_TIME &&
		 mode != ANIM_CUBIC_UNIFORM)
		type = ANIM_FLOAT3;
	r->track = sample_curve(rules, mode, type, n, r->time, r->value);
	random_times(r, n, length);
	random_columns(r, anim_types[type].components);
	if (type == ANIM_FLOATQ && n == KEYS_MAX / 2)
		wave_of_turns(r);
	set_columns(r);
	if (below(8) == 0) {
		r->track.kind = ANIM_DISCRETE;
		r->track.interp = ANIM_HOLD;
		r->track.interps = NULL;
		r->track.left = r->track.right = NULL;
		r->track.left_x = r->track.right_x = r->track.ease = NULL;
		r->track.weighted = NULL;
	} else if (below(10) == 0 && rules == ANIM_RULES_PLAIN && r->track.interp == ANIM_LINEAR) {
		r->track.kind = ANIM_RAW;
		r->track.time = NULL;
		r->track.ease = NULL;
		r->track.rate_num = 1 + below(300);
		r->track.rate_den = 7;
	}
	if (rules == ANIM_RULES_PLAIN || rules == ANIM_RULES_UNITY) {
		r->track.pre = (uint8_t)below(3);
		r->track.post = (uint8_t)below(3);
	}
	if (anim_rules_are_godot(rules) && below(2))
		r->track.flags |= ANIM_LOOP_WRAP_KEYS;
	r->clip = sample_clip(length * uniform(0.8, 1.3), (enum anim_loop)below(3));
}

/* --- The picture that is made --- */

static uint8_t picture[ACROSS][DOWN]; /* 1: a dot */

static void set_dots(size_t cell, unsigned row, unsigned bits)
{
	static const struct {
		unsigned x, y;
	} dots[8] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}};

	for (unsigned i = 0; i < 8; i++)
		if (bits >> i & 1)
			picture[2 * cell + dots[i].x][4 * row + dots[i].y] = 1;
}

/* The four lines behind the track's title. False where they are not there. */
static bool read_picture(const char *text, size_t size)
{
	const char *end = text + size;

	memset(picture, 0, sizeof picture);
	for (int line = 0; line < 2 && text != NULL; line++)
		text = memchr(text, '\n', (size_t)(end - text)) == NULL
			   ? NULL
			   : (const char *)memchr(text, '\n', (size_t)(end - text)) + 1;
	for (unsigned row = 0; row < DOWN / 4 && text != NULL; row++) {
		const char *next = memchr(text, '\n', (size_t)(end - text));
		const char *at = next == NULL ? NULL : strstr(text, "│");

		if (at == NULL || at > next)
			return false;
		at += strlen("│");
		for (size_t cell = 0; at < next && cell < ACROSS / 2; cell++) {
			uint32_t code = 0;

			at += anim_utf8_decode((const uint8_t *)at, (size_t)(next - at), &code);
			set_dots(cell, row, code - 0x2800);
		}
		text = next + 1;
	}
	return text != NULL;
}

static bool draw(const struct random_track *r, enum anim_plot_rotation rotation)
{
	struct anim_diagnostics diagnostics = {0};
	struct anim_plot_options options = {
	    .rotation = rotation, .width = WIDTH, .all = true, .diagnostics = &diagnostics};
	struct anim_error error = {0};
	struct anim_output *out;
	struct anim_sink *sink;
	const uint8_t *text;
	size_t size;
	bool drawn = false;

	if (!CHECK(anim_output_open_memory(&out, &error) == 0))
		return false;
	sink = anim_plot_new(out, &options, &error);
	if (CHECKF(sink != NULL && anim_sink_clip(sink, &r->clip, &error) == 0 &&
		       anim_sink_track(sink, &r->track, &error) == 0 && anim_sink_end(sink, &error) == 0,
		   "%s", error.message)) {
		text = anim_output_memory(out, &size);
		drawn = read_picture((const char *)text, size);
	}
	anim_sink_free(sink);
	anim_output_free(out);
	anim_diagnostics_clear(&diagnostics);
	return drawn;
}

/* --- The reference: what the player shows, very often --- */

struct reference {
	const struct random_track *r;
	enum anim_plot_rotation rotation;
	unsigned lanes;
	double first[4], last[4];
	double seen[ACROSS][4];                                                 /* what each column began with */
	double least[LANES][ACROSS], most[LANES][ACROSS], doubt[LANES][ACROSS]; /* doubt: what it cannot tell */
};

static void lanes_of_turn(struct reference *ref, const float *q, double out[LANES])
{
	double a[4] = {-ref->first[0], -ref->first[1], -ref->first[2], ref->first[3]}, r[4], angle, sine, dot;

	if (ref->rotation == ANIM_PLOT_QUAT) {
		dot = 0;
		for (int i = 0; i < 4; i++)
			dot += (double)q[i] * ref->last[i];
		for (int i = 0; i < 4; i++)
			out[i] = dot < 0 ? -(double)q[i] : (double)q[i];
		memcpy(ref->last, out, sizeof ref->last);
		return;
	}
	r[0] = q[3] * a[0] + q[0] * a[3] + q[1] * a[2] - q[2] * a[1];
	r[1] = q[3] * a[1] + q[1] * a[3] + q[2] * a[0] - q[0] * a[2];
	r[2] = q[3] * a[2] + q[2] * a[3] + q[0] * a[1] - q[1] * a[0];
	r[3] = q[3] * a[3] - q[0] * a[0] - q[1] * a[1] - q[2] * a[2];
	sine = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
	angle = 2 * atan2(sine, ref->rotation == ANIM_PLOT_ANGLE ? fabs(r[3]) : r[3]) * 180 / 3.14159265358979323846;
	dot = 0; /* how far the last vector reaches along this axis: the turn that is nearest to it counts */
	for (int i = 0; i < 3; i++)
		dot += sine > 1e-12 ? r[i] / sine * ref->last[i] : 0;
	while (ref->rotation == ANIM_PLOT_ROTVEC && angle - dot > 180)
		angle -= 360;
	while (ref->rotation == ANIM_PLOT_ROTVEC && dot - angle > 180)
		angle += 360;
	for (int i = 0; i < 3; i++)
		out[i] = ref->rotation == ANIM_PLOT_ANGLE ? angle : sine > 1e-12 ? r[i] / sine * angle : 0;
	memcpy(ref->last, out, sizeof ref->last);
}

#define SLICE 100

static void play(struct reference *ref, const double *t, size_t count, double (*out)[LANES])
{
	struct anim_sample_state sample = {0};
	struct anim_error error = {0};
	unsigned components = anim_types[ref->r->track.type].components;
	float values[SLICE * LANES];
	uint8_t present[SLICE];

	CHECK(anim_sample(&ref->r->clip, &ref->r->track, t, count, values, present, &sample, &error) == 0);
	for (size_t i = 0; i < count; i++) {
		if (ref->r->track.type == ANIM_FLOATQ)
			lanes_of_turn(ref, values + 4 * i, out[i]);
		else
			for (unsigned lane = 0; lane < components; lane++)
				out[i][lane] = (double)values[i * components + lane];
		for (unsigned lane = 0; lane < LANES && !present[i]; lane++)
			out[i][lane] = (double)NAN;
	}
	anim_sample_state_clear(&sample);
}

static void take(struct reference *ref, size_t column, const double v[LANES])
{
	for (unsigned lane = 0; lane < ref->lanes; lane++) {
		ref->least[lane][column] = fmin(ref->least[lane][column], v[lane]);
		ref->most[lane][column] = fmax(ref->most[lane][column], v[lane]);
	}
}

/* A peak between two samples is higher than they by an eighth of how the curve bends there at most, taken twice. */
static void doubt(struct reference *ref, size_t column, const double a[LANES], const double b[LANES],
		  const double c[LANES])
{
	for (unsigned lane = 0; lane < ref->lanes; lane++) {
		double off = fabs(a[lane] - 2 * b[lane] + c[lane]) / 4 + 2e-7 * fabs(b[lane]);

		if (off > 0.005) /* a jump: either side goes on to it */
			off = fmin(off, fmin(fabs(b[lane] - a[lane]), fabs(c[lane] - b[lane])));
		if (off > ref->doubt[lane][column])
			ref->doubt[lane][column] = off;
	}
}

/* Godot takes a time that is so near to a key for the key's, and is asked for none there. */
static double hair_of(const struct anim_track *track, double at)
{
	return (anim_rules_are_godot(track->rules) ? 2e-5 : 1e-9) * fmax(1, fabs(at));
}

/* A key is played itself: a corner there hides nothing. */
static bool has_key(const struct anim_track *track, double from, double to)
{
	size_t low = 0, high = track->n;

	while (low < high) { /* the first key that does not lie before */
		size_t middle = low + (high - low) / 2;
		double at = anim_track_time(track, middle);

		if (at + hair_of(track, at) < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < track->n && anim_track_time(track, low) - hair_of(track, anim_track_time(track, low)) <= to;
}

static void play_column(struct reference *ref, size_t column, double from, double to)
{
	size_t points = points_of_column();
	double t[SLICE], v[SLICE + 2][LANES];

	memcpy(ref->seen[column], ref->last, sizeof ref->last);
	for (size_t i = 0; i <= points; i += SLICE) {
		size_t count = points + 1 - i < SLICE ? points + 1 - i : SLICE;

		for (size_t j = 0; j < count; j++)
			t[j] = i + j == points ? to : from + (to - from) * (double)(i + j) / (double)points;
		play(ref, t, count, v + 2);
		for (size_t j = 0; j < count; j++) {
			if ((i + j == 0 || i + j == points || !has_key(&ref->r->track, t[j], t[j])))
				take(ref, column, v[j + 2]);
			if (i + j >= 2 && !has_key(&ref->r->track, t[j] - 2 * (to - from) / (double)points, t[j]))
				doubt(ref, column, v[j], v[j + 1], v[j + 2]);
		}
		memcpy(v[0], v[count], sizeof v[0]);
		memcpy(v[1], v[count + 1], sizeof v[0]);
	}
}

/* The keys, and what shows a hair on both sides of them. */
static void play_keys(struct reference *ref, double start, double end)
{
	const struct anim_track *track = &ref->r->track;

	for (size_t k = 0; k < track->n; k++) {
		double at = anim_track_time(track, k), hair = hair_of(track, at);
		double t[3] = {at - hair, at, at + hair}, v[3][LANES];

		for (int i = 0; i < 3; i++) {
			double place = (t[i] - start) / (end - start) * ACROSS;

			if (t[i] < start || t[i] > end)
				continue;
			memcpy(ref->last, ref->seen[place < ACROSS ? (size_t)place : ACROSS - 1], sizeof ref->last);
			play(ref, &t[i], 1, &v[i]);
			take(ref, place < ACROSS ? (size_t)place : ACROSS - 1, v[i]);
		}
	}
}

static void make_reference(struct reference *ref)
{
	double start = (double)ref->r->clip.start_s, end = (double)ref->r->clip.end_s;
	double first = anim_track_time(&ref->r->track, 0);
	bool turns = ref->r->track.type == ANIM_FLOATQ;

	ref->lanes = !turns                             ? anim_types[ref->r->track.type].components
		     : ref->rotation == ANIM_PLOT_QUAT  ? 4
		     : ref->rotation == ANIM_PLOT_ANGLE ? 1
							: 3;
	for (unsigned lane = 0; lane < LANES; lane++)
		for (size_t c = 0; c < ACROSS; c++) {
			ref->least[lane][c] = (double)INFINITY;
			ref->most[lane][c] = -(double)INFINITY;
		}
	if (turns) {
		float q[4] = {0, 0, 0, 1};

		CHECK(sample_value(&ref->r->clip, &ref->r->track, first, q) || true);
		for (int i = 0; i < 4; i++)
			ref->first[i] = (double)q[i];
		memcpy(ref->last, ref->rotation == ANIM_PLOT_QUAT ? ref->first : (double[4]){0}, sizeof ref->last);
	}
	for (size_t c = 0; c < ACROSS; c++)
		play_column(ref, c, start + (end - start) * (double)c / ACROSS,
			    c + 1 == ACROSS ? end : start + (end - start) * (double)(c + 1) / ACROSS);
	play_keys(ref, start, end);
}

/* --- Both held against each other --- */

static double height_of(double value, double bottom, double top)
{
	return (top - value) / (top - bottom) * DOWN;
}

static size_t row_of(double height)
{
	return height < 0 ? 0 : height < DOWN - 1 ? (size_t)height : DOWN - 1;
}

struct counts {
	size_t dots, wrong, doubtful, pictures;
};

/* A dot in this row of a column, or in a row beside it. */
static bool has_near(const uint8_t *column, size_t y)
{
	return column[y] || (y > 0 && column[y - 1]) || (y + 1 < DOWN && column[y + 1]);
}

/* Each dot that the reference has without doubt is there, and none that it has not, within a row. */
static void compare(const struct reference *ref, struct counts *counts)
{
	static uint8_t must[ACROSS][DOWN], may[ACROSS][DOWN];
	double bottom = (double)INFINITY, top = -(double)INFINITY, ends = 0;

	for (unsigned lane = 0; lane < ref->lanes; lane++)
		for (size_t c = 0; c < ACROSS; c++) {
			bottom = fmin(bottom, ref->least[lane][c]);
			top = fmax(top, ref->most[lane][c]);
			if (ref->least[lane][c] <= bottom || ref->most[lane][c] >= top)
				ends = fmax(ends, ref->doubt[lane][c]);
		}
	if (!(top - bottom > 1e-6) ||
	    top - bottom > 400) /* flat, which the picture says; turns about all axes at once */
		return;
	memset(must, 0, sizeof must);
	memset(may, 0, sizeof may);
	for (unsigned lane = 0; lane < ref->lanes; lane++)
		for (size_t c = 0; c < ACROSS; c++) {
			double off = 1e-9 + DOWN * (ref->doubt[lane][c] + ends) / (top - bottom);
			double high = height_of(ref->most[lane][c], bottom, top);
			double low = height_of(ref->least[lane][c], bottom, top);

			if (ref->least[lane][c] > ref->most[lane][c])
				continue;
			for (size_t y = row_of(high - off); y <= row_of(low + off); y++)
				may[c][y] = 1;
			for (size_t y = row_of(high + off); y <= row_of(low - off); y++)
				must[c][y] = 1;
		}
	for (size_t c = 0; c < ACROSS; c++)
		for (size_t y = 0; y < DOWN; y++) {
			counts->dots += picture[c][y];
			counts->wrong +=
			    (picture[c][y] && !has_near(may[c], y)) || (must[c][y] && !has_near(picture[c], y));
			counts->doubtful += may[c][y] != must[c][y];
		}
	counts->pictures++;
}

static void draw_and_compare(enum anim_rules rules)
{
	static struct random_track r;
	static const enum anim_plot_rotation rotations[] = {ANIM_PLOT_ROTVEC, ANIM_PLOT_QUAT, ANIM_PLOT_ANGLE};
	static struct reference ref;
	struct counts counts = {0};
	struct anim_error error = {0};
	size_t wrong = 0;

	state = 1 + (uint64_t)rules;
	for (int i = 0; i < TRACKS; i++) {
		random_track(&r, rules);
		CHECKF(anim_track_validate(&r.track, &error) == 0, "track %d: %s", i, error.message);
		memset(&ref, 0, sizeof ref);
		ref.r = &r;
		ref.rotation = rotations[i % 3];
		if (!draw(&r, ref.rotation)) /* one that says that it does not move has no picture */
			continue;
		make_reference(&ref);
		compare(&ref, &counts);
		CHECKF(counts.wrong == wrong, "track %d: %zu dots are wrong (mode %d, type %s, kind %d, %zu keys)", i,
		       counts.wrong - wrong, r.track.interp, anim_types[r.track.type].name, r.track.kind, r.track.n);
		wrong = counts.wrong;
	}
	CHECKF(counts.pictures > TRACKS * 9 / 10, "%zu pictures", counts.pictures);
	CHECKF(counts.doubtful * 16 < counts.dots, "of %zu dots %zu are in doubt", counts.dots, counts.doubtful);
	if (getenv("ANIM_PLOT_POINTS") != NULL)
		fprintf(stderr, "# %s: %zu pictures, %zu dots, %zu wrong, %zu in doubt\n", anim_rules_names[rules],
			counts.pictures, counts.dots, counts.wrong, counts.doubtful);
}

TEST(plot_plain, "the picture of tracks of no engine is that of playing them, within a row of dots")
{
	draw_and_compare(ANIM_RULES_PLAIN);
}

TEST(plot_godot4, "the picture of Godot 4's tracks is that of playing them, within a row of dots")
{
	draw_and_compare(ANIM_RULES_GODOT4);
}

TEST(plot_godot3, "the picture of Godot 3's tracks is that of playing them, within a row of dots")
{
	draw_and_compare(ANIM_RULES_GODOT3);
}

TEST(plot_unity, "the picture of Unity's tracks is that of playing them, within a row of dots")
{
	draw_and_compare(ANIM_RULES_UNITY);
}

TEST(plot_resonite, "the picture of Resonite's tracks is that of playing them, within a row of dots")
{
	draw_and_compare(ANIM_RULES_RESONITE);
}
