/* plot_bounds.c: the outermost of many keys and turns, against every key and every segment looked at. */
#include <math.h>
#include <string.h>

#include "filter/plot/internal.h"
#include "math/quaternion.h"
#include "tap.h"

#define KEYS 4000

static uint64_t state;

static double uniform(double low, double high)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static float time[KEYS], value[4 * KEYS], left[4 * KEYS], right[4 * KEYS], left_x[4 * KEYS], right_x[4 * KEYS];
static uint8_t weighted[KEYS];

/* Waves with noise: few keys are near the outermost. */
static void random_track(struct anim_track *track, unsigned components, enum anim_interp mode)
{
	double noise = uniform(0, 0.3), wave = uniform(0.001, 0.1), t = 0;

	*track = (struct anim_track){.kind = mode == ANIM_HOLD ? ANIM_DISCRETE : ANIM_CURVE,
				     .type = (enum anim_type)(ANIM_FLOAT + components - 1),
				     .interp = (uint8_t)mode,
				     .n = KEYS,
				     .time = time,
				     .value = value,
				     .left = left,
				     .right = right};
	if (mode == ANIM_WEIGHTED || mode == ANIM_BEZIER_2D) {
		track->left_x = left_x;
		track->right_x = right_x;
	}
	track->weighted = mode == ANIM_WEIGHTED ? weighted : NULL;
	for (size_t k = 0; k < KEYS; k++) {
		time[k] = (float)t;
		t += uniform(0.5, 1.5) / 30;
		weighted[k] = (uint8_t)uniform(0, 4);
		for (unsigned i = 0; i < components; i++) {
			size_t at = k * components + i;

			value[at] = (float)(sin(wave * (double)k + i) + noise * uniform(-1, 1));
			left[at] = (float)uniform(-9, 9);
			right[at] = k % 97 == 5 ? INFINITY : (float)uniform(-9, 9);
			left_x[at] = (float)(mode == ANIM_BEZIER_2D ? uniform(-0.4 / 30, 0) : uniform(0, 0.9));
			right_x[at] = -left_x[at];
			right_x[at] = mode == ANIM_WEIGHTED ? (float)uniform(0, 0.9) : right_x[at];
		}
	}
}

static void look_at_all(const struct anim_track *track, size_t first, size_t last, unsigned lane, double *least,
			double *most)
{
	struct plot_reach reach;

	for (size_t k = first; k <= last; k++) {
		double v = (double)value[k * anim_types[track->type].components + lane];

		*least = fmin(*least, v);
		*most = fmax(*most, v);
		if (k < last && plot_reach_of(track, lane, k, &reach)) {
			*least = fmin(*least, reach.least);
			*most = fmax(*most, reach.most);
		}
	}
}

TEST(plot_bounds, "of many keys and turns the outermost are found")
{
	static const enum anim_interp modes[] = {ANIM_HOLD,         ANIM_LINEAR,        ANIM_HERMITE,
						 ANIM_CUBIC_TIME,   ANIM_CUBIC_UNIFORM, ANIM_TANGENT,
						 ANIM_CUBIC_BEZIER, ANIM_WEIGHTED,      ANIM_BEZIER_2D};
	static const size_t count_of_modes = sizeof modes / sizeof *modes;
	struct anim_track track;

	state = 7;
	for (int i = 0; i < 720; i++) {
		unsigned components = 1 + (unsigned)i / 9 % 4;
		size_t count = (size_t)uniform(0, i % 3 == 0 ? 20 : KEYS - 3);
		size_t first = 1 + (size_t)uniform(0, (double)(KEYS - 3 - count)), last = first + count;
		struct plot_outer outer[PLOT_PLAIN_LANES] = {{0}};
		double apart = i % 2 ? 0 : 0.02, rest;
		const struct plot_lengths *known;
		struct plot_lengths lengths;

		random_track(&track, components, modes[(size_t)i % count_of_modes]);
		CHECK(plot_is_plain(&track));
		for (unsigned lane = 0; lane < components; lane++)
			outer[lane] = (struct plot_outer){.least = INFINITY, .most = -INFINITY};
		plot_is_even(&track, &lengths); /* of the whole track, even or not, or of these keys: it is the same */
		known = i / 18 % 2 == 0 || track.interp == ANIM_BEZIER_2D ? NULL : &lengths;
		CHECK(plot_find_outermost(&track, known, first, last, apart, outer, &rest));
		CHECK(rest <= apart);
		for (unsigned lane = 0; lane < components; lane++) {
			double least = INFINITY, most = -INFINITY;

			look_at_all(&track, first, last, lane, &least, &most);
			CHECKF(fabs(outer[lane].least - least) < 3e-7 + rest &&
				   fabs(outer[lane].most - most) < 3e-7 + rest,
			       "%d, lane %u: %.9g .. %.9g, not %.9g .. %.9g", i, lane, outer[lane].least,
			       outer[lane].most, least, most);
			CHECK(outer[lane].sinks && outer[lane].rises && outer[lane].lowest >= first &&
			      outer[lane].highest <= last);
		}
	}
}

TEST(plot_bounds_equal_times, "two keys at one time, of which a player may never show one, are left to the caller")
{
	static const enum anim_interp modes[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE, ANIM_CUBIC_TIME};
	struct plot_outer outer[PLOT_PLAIN_LANES] = {{0}};
	struct anim_track track;
	double rest;

	for (int i = 0; i < 4; i++) {
		random_track(&track, 1, modes[i]);
		time[100] = time[101];
		CHECK(!plot_find_outermost(&track, NULL, 90, 110, 0, outer, &rest));
		CHECK(!plot_find_outermost(&track, NULL, 90, 110, 1, outer, &rest));
		CHECK(plot_find_outermost(&track, NULL, 110, 120, 0, outer, &rest));
		CHECK(plot_find_outermost(&track, NULL, 110, 120, 1, outer, &rest));
	}
}

TEST(plot_bounds_even,
     "keys stand evenly where no two are farther apart than others by more than their times' rounding")
{
	struct plot_lengths lengths;
	struct anim_track track;

	random_track(&track, 1, ANIM_LINEAR);
	CHECK(!plot_is_even(&track, &lengths));
	for (size_t k = 0; k < track.n; k++)
		time[k] = (float)k / 32;
	CHECK(plot_is_even(&track, &lengths) && lengths.least == 1.0f / 32 && lengths.most == 1.0f / 32);
	time[track.n - 1] += 0.01f;
	CHECK(!plot_is_even(&track, &lengths) && lengths.least == 1.0f / 32);
	track.n--;
	CHECK(plot_is_even(&track, &lengths));
}

TEST(plot_bounds_handles, "handles that reach beyond their segment are left to the caller")
{
	struct plot_outer outer[PLOT_PLAIN_LANES] = {{0}};
	struct anim_track track;
	double rest;

	random_track(&track, 1, ANIM_BEZIER_2D);
	right_x[100] = 1;
	CHECK(!plot_find_outermost(&track, NULL, 90, 110, 0, outer, &rest));
	CHECK(!plot_find_outermost(&track, NULL, 90, 110, 1, outer, &rest));
	CHECK(plot_find_outermost(&track, NULL, 110, 120, 0, outer, &rest));
	CHECK(plot_find_outermost(&track, NULL, 110, 120, 1, outer, &rest));
}

TEST(plot_bounds_samples, "of samples of a rate the outermost are found")
{
	struct plot_outer outer = {.least = INFINITY, .most = -INFINITY};
	struct anim_track track;
	double least = INFINITY, most = -INFINITY, rest;

	random_track(&track, 1, ANIM_LINEAR);
	track.kind = ANIM_RAW;
	track.time = NULL;
	track.rate_num = 30;
	track.rate_den = 1;
	CHECK(plot_find_outermost(&track, NULL, 10, 1010, 0, &outer, &rest));
	for (size_t k = 10; k <= 1010; k++) {
		least = fmin(least, (double)value[k]);
		most = fmax(most, (double)value[k]);
	}
	CHECK(outer.least == least && outer.most == most);
}

/* What turns `first` into q, as axis times angle in degrees. */
static void vector_of(const double first[4], const float *q, double out[3])
{
	const double a[4] = {-first[0], -first[1], -first[2], first[3]};
	double r[4], sine, angle;

	r[0] = (double)q[3] * a[0] + (double)q[0] * a[3] + (double)q[1] * a[2] - (double)q[2] * a[1];
	r[1] = (double)q[3] * a[1] + (double)q[1] * a[3] + (double)q[2] * a[0] - (double)q[0] * a[2];
	r[2] = (double)q[3] * a[2] + (double)q[2] * a[3] + (double)q[0] * a[1] - (double)q[1] * a[0];
	r[3] = (double)q[3] * a[3] - (double)q[0] * a[0] - (double)q[1] * a[1] - (double)q[2] * a[2];
	sine = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
	angle = 2 * atan2(sine, fabs(r[3])) * 180 / 3.14159265358979323846;
	for (int i = 0; i < 3; i++)
		out[i] = sine > 0 ? r[i] / sine * (r[3] < 0 ? -angle : angle) : 0;
}

/* A turn of up to so many degrees about any axis; of either sign. */
static void random_turn(double most, float *q)
{
	double v[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)},
	       half = uniform(0, most) * 3.14159265358979323846 / 360;
	double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 1e-9, sign = uniform(0, 2) < 1 ? -1 : 1;

	for (int i = 0; i < 3; i++)
		q[i] = (float)(sign * v[i] / length * sin(half));
	q[3] = (float)(sign * cos(half));
}

static void check_turned(size_t count)
{
	static const double none[3] = {0};
	const double first[4] = {0.5, -0.5, 0.5, 0.5};
	const struct anim_track track = {.type = ANIM_FLOATQ, .n = count, .value = value};
	struct plot_turns turns = {.count = 0};
	struct anim_error error = {0};
	double v[3], least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
	size_t seen[2][3] = {{0}}, hits = 0;

	for (size_t k = 0; k < count; k++) {
		vector_of(first, value + 4 * k, v);
		for (int i = 0; i < 3; i++) {
			seen[0][i] = v[i] < least[i] ? k : seen[0][i];
			seen[1][i] = v[i] > most[i] ? k : seen[1][i];
			least[i] = fmin(least[i], v[i]);
			most[i] = fmax(most[i], v[i]);
		}
	}
	CHECK(plot_turns_read(&turns, first, none, &track, 0, count, &error) == 1);
	plot_turns_join(&turns, v, v);
	plot_turns_find(&turns);
	for (size_t n = 0; n < turns.found; n++)
		for (int i = 0; i < 6; i++)
			hits |= (size_t)(turns.keys[n] == seen[i / 3][i % 3]) << i;
	CHECKF(hits == 63, "%zu keys: %zu, %zu found", count, hits, turns.found);
	CHECK(turns.found <= 6 + count / 50);
	anim_buffer_clear(&turns.room);
}

TEST(plot_bounds_turned, "of many rotations those are found whose vectors come outermost, up to 174 degrees")
{
	static const float first[4] = {0.5f, -0.5f, 0.5f, 0.5f};
	const struct anim_track track = {.type = ANIM_FLOATQ, .n = 3, .value = value};
	struct plot_turns turns = {.count = 0};
	struct anim_error error = {0};
	float turn[4];

	state = 3;
	for (int i = 0; i < 60; i++) {
		size_t count = (size_t)uniform(1, i % 2 ? 30 : KEYS);

		for (size_t k = 0; k < count; k++) {
			random_turn(i < 30 ? 170 : 5, turn);
			anim_quat_multiply(value + 4 * k, turn, first);
		}
		check_turned(count);
	}
	random_turn(170, turn);
	for (int i = 0; i < 4; i++)
		value[4 * 2 + i] = i == 3 ? first[3] * 1.1f : first[i];
	CHECK(plot_turns_read(&turns, (const double[]){0.5, -0.5, 0.5, 0.5}, (const double[3]){0}, &track, 0, 3,
			      &error) == 0);
	anim_buffer_clear(&turns.room);
}

TEST(plot_bounds_far, "rotations that go on beyond half a turn are vectors of more, up to 300 degrees")
{
	static const float first[4] = {0.5f, -0.5f, 0.5f, 0.5f};
	const double start[4] = {0.5, -0.5, 0.5, 0.5}, radians = 3.14159265358979323846 / 180;
	const struct anim_track track = {.type = ANIM_FLOATQ, .n = 64, .value = value};
	struct plot_turns turns = {.count = 0};
	struct anim_error error = {0};

	state = 5;
	for (int i = 0; i < 200; i++) {
		double angle = uniform(95, 260), axis[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}, before[3];
		double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), off = 0, angles[64];

		for (int j = 0; j < 3; j++) {
			axis[j] /= length;
			before[j] = axis[j] * angle;
		}
		for (size_t k = 0; k < 64; k++) {
			double half = (angles[k] = angle + uniform(-35, 35)) * radians / 2;
			float sign = uniform(0, 2) < 1 ? -1 : 1, turn[4] = {0};

			for (int j = 0; j < 4; j++)
				turn[j] = sign * (float)(j == 3 ? cos(half) : axis[j] * sin(half));
			anim_quat_multiply(value + 4 * k, turn, first);
		}
		CHECK(plot_turns_read(&turns, start, before, &track, 0, 64, &error) == 1);
		for (size_t k = 0; k < 64; k++)
			for (int j = 0; j < 3; j++)
				off = fmax(off, fabs((double)turns.lane[j][k + 1] - axis[j] * angles[k]));
		CHECKF(off < PLOT_TURNS_OFF, "off by %g degrees", off);
	}
	CHECK(plot_turns_read(&turns, start, (const double[]){301, 0, 0}, &track, 0, 64, &error) == 0);
	anim_buffer_clear(&turns.room);
}

TEST(plot_bounds_swings, "a rotation's handles bound how far it swings, whatever its neighbours are")
{
	const double first[4] = {0, 0, 0, 1}, none[3] = {0};
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_FLOATQ,
				   .interp = ANIM_HERMITE,
				   .n = 12,
				   .time = time,
				   .value = value,
				   .left = left,
				   .right = right};
	struct plot_turns turns = {.count = 0};
	struct anim_error error = {0};

	state = 11;
	for (int round = 0; round < 200; round++) {
		double out = 0, v[3], after[3];

		for (size_t k = 0; k < 12; k++) {
			time[k] = (float)k;
			random_turn(0.5, value + 4 * k);
			for (size_t i = 4 * k; i < 4 * k + 4; i++) {
				value[i] *= value[4 * k + 3] < 0 ? -1 : 1;
				left[i] = right[i] = i % 4 < 3 ? (float)uniform(-0.3, 0.3) : 0;
			}
		}
		CHECK(plot_turns_read(&turns, first, none, &track, 3, 6, &error) == 1);
		vector_of(first, value + 4 * 2, v);
		vector_of(first, value + 4 * 9, after);
		CHECK(plot_turns_join(&turns, v, after));
		CHECK(plot_turns_bound(&turns, 2, 9));
		for (size_t k = 2; k < 9; k++)
			for (int step = 0; step <= 50; step++) {
				double u = step / 50.0, b = u * u * (3 - 2 * u), l = u * u * (u - 1),
				       r = u * (1 - u) * (1 - u);
				float q[4];

				for (size_t i = 0; i < 4; i++)
					q[i] = (float)((1 - b) * (double)value[4 * k + i] +
						       b * (double)value[4 * k + 4 + i] + r * (double)right[4 * k + i] +
						       l * (double)left[4 * k + 4 + i]);
				vector_of(first, q, v);
				for (int i = 0; i < 3; i++)
					out = fmax(out,
						   fmax((double)turns.least[i] - v[i], v[i] - (double)turns.most[i]));
			}
		CHECKF(out <= plot_turns_beyond(&turns), "%g degrees, not %g", out, plot_turns_beyond(&turns));
	}
	anim_buffer_clear(&turns.room);
}
