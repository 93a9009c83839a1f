/* turns.c: which of many rotations, and of the ways between them, come outermost as vectors: by a rough look. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/plot/internal.h"
#include "math/elementary.h"
#include "math/lanes.h"
#include "math/quaternion.h"

#define STEP 8                             /* rotations that are looked at together */
#define NEAR ((float)(2 * PLOT_TURNS_OFF)) /* degrees */
#define DEGREES 57.29578f

/* --- How a vector goes and bends where its quaternion goes a way --- */

#define WIDEST 1.52f  /* half of the largest angle of a rough vector that counts from none, in radians */
#define FARTHEST 2.6f /* the same of one that counts from another */

/*
 * Degrees that a vector goes for a way of its quaternion: 2 * x / sin x at half its angle x; and a sixth more, for control values
 * leave the sphere. Up to WIDEST the ratio is convex by x * x, and below its chord.
 */
static float speed_at(float x)
{
	return 2 * DEGREES * 1.17f * (x <= WIDEST ? 1 + 0.2275f * x * x : x / (float)anim_sin((double)x));
}

/*
 * How fast its way bends where the quaternion goes along a great circle: its second derivative by the way is at most
 * 2 * (x - sin x cos x) / sin^2 x (the geodesic equation in normal coordinates), and the way at most 1.11 times its chord.
 */
static float bend_at(float x)
{
	float sine = x <= WIDEST ? 1 : (float)anim_sin((double)x);

	return 2 * DEGREES * 1.24f *
	       (x <= WIDEST ? x * (0.667f + 0.132f * x * x) : (x - sine * (float)anim_cos((double)x)) / (sine * sine));
}

/* --- Rough vectors --- */

/* The vectors of a step, lane by lane. */
struct vectors {
	float lane[3][STEP];
};

/* Of several steps, elementwise: the outermost, the least real part, the farthest from unit length. */
struct outline {
	struct vectors least, most;
	float real[STEP], off[STEP];
};

static float lesser(float a, float b)
{
	return a < b ? a : b;
}

static float greater(float a, float b)
{
	return a > b ? a : b;
}

/* How rotations are seen. */
struct view {
	float columns
	    [4]
	    [4]; /* what turns the first into a quaternion, as sums of its components: of each the four numbers it counts */
	float near
	    [4]; /* the turn that others are near to: of both quaternions of a rotation that is meant which is nearer */
	bool far; /* that is no small one: real parts may be below 0 */
};

/* The components of a step's rotations, column by column. */
static void turn_columns(const float *restrict q, float out[4][STEP])
{
	for (size_t j = 0; j < STEP; j += ANIM_LANES) {
		anim_lanes v[4];

		for (size_t i = 0; i < 4; i++)
			v[i] = anim_lanes_load(q + 4 * (j + i));
		anim_lanes_turn(v);
		for (size_t i = 0; i < 4; i++)
			memcpy(out[i] + j, &v[i], sizeof v[i]);
	}
}

/* Half of an angle by its sine, of real parts from 0 on; what is meant of quaternions of either sign: that of a real part from 0 on. */
static void find_scales(const float *restrict real, float *restrict scales, float *restrict sure)
{
	for (int j = 0; j < STEP; j++) {
		float size = fabsf(real[j]), sum = 1 + size;
		float scale = anim_arc_cosine_ratio(size) / sqrtf(sum > 0 ? sum : 0);

		scales[j] = real[j] < 0 ? -scale : scale;
		sure[j] = size;
	}
}

/* The same of what is meant by being nearer to `near`, whose real parts may be below 0. */
static void find_far_scales(const float near[4], float turn[4][STEP], float *restrict scales, float *restrict sure)
{
	for (int j = 0; j < STEP; j++) {
		float side = turn[0][j] * near[0] + turn[1][j] * near[1] + turn[2][j] * near[2] + turn[3][j] * near[3];
		float real = side < 0 ? -turn[3][j] : turn[3][j], size = fabsf(real), square = 1 - size * size;
		float scale = anim_arc_cosine_ratio(size) / sqrtf(1 + size);

		scale = real < 0 ? 3.14159265f / sqrtf(square > 0.01f ? square : 0.01f) - scale : scale;
		scales[j] = side < 0 ? -scale : scale;
		sure[j] = real < -0.85f ? 0 : fabsf(side);
	}
}

/*
 * Off by PLOT_TURNS_OFF at most, where no turn is of more than 174 degrees from what they are near to, nor of more than 300, and
 * nothing but rotations is there.
 */
static void find_vectors(const struct view *view, const float *restrict q, struct vectors *restrict out,
			 struct outline *restrict o)
{
	float columns[4][STEP], turn[4][STEP], scales[STEP], sure[STEP];

	turn_columns(q, columns);
	for (int i = 0; i < 4; i++) {
		float a = view->columns[0][i], b = view->columns[1][i], c = view->columns[2][i],
		      d = view->columns[3][i];

		for (int j = 0; j < STEP; j++)
			turn[i][j] = columns[0][j] * a + columns[1][j] * b + columns[2][j] * c + columns[3][j] * d;
	}
	for (int j = 0; j < STEP; j++) {
		float x = columns[0][j], y = columns[1][j], z = columns[2][j], w = columns[3][j];
		float off = fabsf(x * x + y * y + z * z + w * w - 1);

		o->off[j] = off < o->off[j] ? o->off[j] : off;
	}
	if (view->far)
		find_far_scales(view->near, turn, scales, sure);
	else
		find_scales(turn[3], scales, sure);
	for (int j = 0; j < STEP; j++)
		o->real[j] = sure[j] > o->real[j] ? o->real[j] : sure[j]; /* NaN, too */
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < STEP; j++) {
			float v = 2 * DEGREES * scales[j] * turn[i][j];

			out->lane[i][j] = v;
			o->least.lane[i][j] = lesser(v, o->least.lane[i][j]);
			o->most.lane[i][j] = greater(v, o->most.lane[i][j]);
		}
}

/* Folds what the outline has of each lane into one number; false where no rough look tells. */
static bool fold_outline(const struct outline *o, float least[3], float most[3])
{
	bool rough = true;

	for (int j = 0; j < STEP; j++) {
		rough = rough && o->real[j] > 0.05f && o->off[j] < 1e-5f;
		for (int i = 0; i < 3; i++) {
			least[i] = lesser(o->least.lane[i][j], least[i]);
			most[i] = greater(o->most.lane[i][j], most[i]);
		}
	}
	return rough;
}

static void clear_outline(struct outline *o)
{
	for (int j = 0; j < STEP; j++) {
		o->real[j] = 1;
		o->off[j] = 0;
		for (int i = 0; i < 3; i++) {
			o->least.lane[i][j] = INFINITY;
			o->most.lane[i][j] = -INFINITY;
		}
	}
}

static void find_all_vectors(struct plot_turns *turns, const struct view *view, const float *q, struct outline *o)
{
	float copies[4 * STEP];
	struct vectors vectors;

	clear_outline(o);
	for (size_t k = 0; k < turns->count; k += STEP) {
		size_t left = turns->count - k;

		for (size_t j = 0; j < STEP && left < STEP; j++) /* the last comes again and again */
			memcpy(copies + 4 * j, q + 4 * (k + (j < left ? j : left - 1)), 4 * sizeof *q);
		find_vectors(view, left < STEP ? copies : q + 4 * k, &vectors, o);
		for (int i = 0; i < 3; i++)
			memcpy(turns->lane[i] + 1 + k, vectors.lane[i], sizeof vectors.lane[i]);
	}
}

/* False where the vector before is that of nearly a whole turn, or of more. */
static bool open_view(struct view *view, const double first[4], const double before[3])
{
	const float back[4] = {-(float)first[0], -(float)first[1], -(float)first[2], (float)first[3]};
	double size = sqrt(before[0] * before[0] + before[1] * before[1] + before[2] * before[2]);
	double half = size / (2 * (double)DEGREES), sine = anim_sin(half);

	for (int i = 0; i < 4; i++)
		anim_quat_multiply(view->columns[i], (const float[4]){i == 0, i == 1, i == 2, i == 3}, back);
	for (int i = 0; i < 3; i++)
		view->near[i] = size > 0 ? (float)(before[i] / size * sine) : 0;
	view->near[3] = (float)anim_cos(half);
	view->far = size > 90;
	return size < 300;
}

int plot_turns_read(struct plot_turns *turns, const double first[4], const double before[3],
		    const struct anim_track *track, size_t from, size_t count, struct anim_error *error)
{
	size_t padded = count + 2 * STEP;
	struct outline outline;
	struct view view = {.far = false};
	float *room;

	if (!open_view(&view, first, before))
		return 0;
	turns->room.size = 0;
	room = anim_buffer_extend(&turns->room, padded * (4 * sizeof *room + sizeof *turns->keys), error);
	if (room == NULL)
		return -1;
	turns->keys = (size_t *)(void *)room;
	turns->bend = (float *)(void *)(turns->keys + padded);
	for (size_t i = 0; i < 3; i++)
		turns->lane[i] = turns->bend + (i + 1) * padded;
	turns->track = track;
	turns->from = from;
	turns->count = count;
	for (int i = 0; i < 3; i++) {
		turns->least[i] = INFINITY;
		turns->most[i] = -INFINITY;
	}
	find_all_vectors(turns, &view, (const float *)track->value + 4 * from, &outline);
	return fold_outline(&outline, turns->least, turns->most);
}

/* Each of a step that comes nearly as far out as the outermost; true where one does. */
static bool are_outer(const struct plot_turns *turns, size_t k, int *restrict outer)
{
	int any = 0;

	for (int j = 0; j < STEP; j++)
		outer[j] = 0;
	for (int i = 0; i < 3; i++) {
		const float *restrict at = turns->lane[i] + k;
		float low = turns->least[i] + NEAR, high = turns->most[i] - NEAR;

		for (int j = 0; j < STEP; j++)
			outer[j] |= (at[j] < low) | (at[j] > high);
	}
	for (int j = 0; j < STEP; j++)
		any |= outer[j];
	return any != 0;
}

/* No vector is so far from the one before that another, whole turns away, may be nearer to it. */
static bool are_near(const struct plot_turns *turns)
{
	float farthest[STEP] = {0}, all = 0;

	for (int i = 0; i < 3; i++)
		for (size_t k = 0; k <= turns->count && turns->most[i] - turns->least[i] > 100; k += STEP)
			for (size_t j = 0; j < STEP; j++)
				farthest[j] =
				    greater(fabsf(turns->lane[i][k + j + 1] - turns->lane[i][k + j]), farthest[j]);
	for (int j = 0; j < STEP; j++)
		all = greater(farthest[j], all);
	return all < 100;
}

bool plot_turns_join(struct plot_turns *turns, const double *before, const double *after)
{
	for (int i = 0; i < 3; i++) {
		float ends[2] = {(float)before[i], (float)after[i]};

		turns->lane[i][0] = ends[0];
		for (size_t j = 1; j <= STEP; j++) /* again and again: what is looked at together may be more */
			turns->lane[i][turns->count + j] = ends[1];
		turns->least[i] = lesser(lesser(ends[0], ends[1]), turns->least[i]);
		turns->most[i] = greater(greater(ends[0], ends[1]), turns->most[i]);
	}
	return are_near(turns);
}

void plot_turns_find(struct plot_turns *turns)
{
	int outer[STEP];

	turns->found = 0;
	for (size_t k = 1; k <= turns->count; k += STEP) {
		if (!are_outer(turns, k, outer))
			continue;
		for (size_t j = 0; j < STEP && k + j <= turns->count; j++)
			if (outer[j])
				turns->keys[turns->found++] = turns->from + k + j - 1;
	}
}

/* --- How far the ways between them may leave them --- */

/* What the inner control values of a cubic have beyond those of its chord. */
struct bow {
	anim_lanes one, other;
};

static const float *key_of(const void *column, size_t k)
{
	return (const float *)column + 4 * k;
}

static struct bow find_handles(const struct anim_track *track, size_t k)
{
	anim_lanes a = anim_lanes_load(key_of(track->value, k)), b = anim_lanes_load(key_of(track->value, k + 1));
	anim_lanes right = anim_lanes_load(key_of(track->right, k)), left = anim_lanes_load(key_of(track->left, k + 1));
	anim_lanes way = (b - a) * anim_lanes_all(1.0f / 3), third;

	if (track->interp == ANIM_CUBIC_BEZIER)
		return (struct bow){right - a - way, way - (b - left)};
	third = anim_lanes_all(track->interp == ANIM_HERMITE ? (track->time[k + 1] - track->time[k]) / 3 : 1.0f / 3);
	return (struct bow){right * third - way, way - left * third};
}

/*
 * A curve through its neighbours takes its slopes from them; half as much again, for logarithms are but nearly as far apart as
 * rotations. A uniform one goes 2 u (1 - u) of the way to what is between the neighbours. Not a number where one lacks.
 */
static struct bow find_slopes(const struct anim_track *track, size_t k)
{
	const float *t = track->time + k;
	anim_lanes a, b, way, before, after;
	float one, other;

	if (k == 0 || k + 2 >= track->n)
		return (struct bow){anim_lanes_all(NAN), anim_lanes_all(NAN)};
	a = anim_lanes_load(key_of(track->value, k));
	b = anim_lanes_load(key_of(track->value, k + 1));
	way = b - a;
	before = a - anim_lanes_load(key_of(track->value, k - 1));
	after = anim_lanes_load(key_of(track->value, k + 2)) - b;
	if (track->interp == ANIM_CUBIC_UNIFORM)
		return (struct bow){before * anim_lanes_all(-2.0f / 3), after * anim_lanes_all(2.0f / 3)};
	one = (t[1] - t[0]) / (t[0] - t[-1]);
	other = (t[1] - t[0]) / (t[2] - t[1]);
	return (struct bow){(before * anim_lanes_all(one) - way) * anim_lanes_all(one / (1 + one) / 2),
			    (way - after * anim_lanes_all(other)) * anim_lanes_all(other / (1 + other) / 2)};
}

static float square_of(anim_lanes v)
{
	v *= v;
	return v[0] + v[1] + v[2] + v[3];
}

/* The second derivative of a cubic's bow, at most: it is at one of its ends. */
static float bend_of(const struct bow *bow)
{
	anim_lanes twelve = anim_lanes_all(12), six = anim_lanes_all(6);
	float start = square_of(twelve * bow->one - six * bow->other);
	float end = square_of(twelve * bow->other - six * bow->one);

	return sqrtf(start > end ? start : end);
}

/* Of both signs of a rotation the player takes the nearer one. */
static bool takes_nearer(const struct anim_track *track)
{
	return track->interp == ANIM_LINEAR && track->rules != ANIM_RULES_UNITY && track->rules != ANIM_RULES_RESONITE;
}

/* The square of the way to the next rotation, to either sign where a player takes the nearer one. */
static float square_of_way(const struct anim_track *track, size_t k)
{
	anim_lanes a = anim_lanes_load(key_of(track->value, k)), b = anim_lanes_load(key_of(track->value, k + 1));
	float same = square_of(b - a), other = takes_nearer(track) ? square_of(b + a) : same;

	return other < same ? other : same;
}

#define HALF_TURN 1.99f /* square of a way, which half a turn is, nearly */
#define SHORT 0.5f      /* below which logarithms are as far apart as rotations, nearly */

/*
 * How the way behind key k bends at most, of keys whose half angles are up to `half`. Infinite where nothing bounds it: it goes the
 * long way round, or steps; not a number where a neighbour lacks, so that it has to be looked at.
 */
static float bend_of_way(const struct anim_track *track, size_t k, float half)
{
	enum anim_interp mode = (enum anim_interp)track->interp;
	float square = square_of_way(track, k), bend;
	struct bow bow;

	half += 1.3f * sqrtf(square); /* it may lead away from both */
	if (half > FARTHEST)
		return INFINITY;
	if (mode == ANIM_LINEAR)
		return square < HALF_TURN ? bend_at(half) * square : INFINITY;
	bow = mode >= ANIM_TANGENT && mode <= ANIM_HERMITE ? find_handles(track, k) : find_slopes(track, k);
	bend = bend_at(half) * square + speed_at(half) * bend_of(&bow);
	return square < SHORT ? bend : INFINITY;
}

bool plot_turns_may(const struct anim_track *track)
{
	enum anim_interp mode = (enum anim_interp)track->interp;

	return mode == ANIM_LINEAR || (track->kind == ANIM_CURVE && track->ease == NULL &&
				       (mode == ANIM_HERMITE || mode == ANIM_TANGENT || mode == ANIM_CUBIC_BEZIER ||
					mode == ANIM_CUBIC_TIME || mode == ANIM_CUBIC_UNIFORM));
}

/* Half of the largest angle of the vectors, in radians. */
static float half_of(const struct plot_turns *turns)
{
	float square = 0;

	for (int i = 0; i < 3; i++) {
		float far = greater(fabsf(turns->least[i]), fabsf(turns->most[i]));

		square += far * far;
	}
	return (sqrtf(square) + NEAR) / (2 * DEGREES);
}

/* The part of the way behind key k that lies between two times. */
static float part_of_way(const struct anim_track *track, size_t k, double from, double to)
{
	double start = anim_track_time(track, k), end = anim_track_time(track, k + 1);
	double part = (fmin(to, end) - fmax(from, start)) / (end - start);

	return part >= 0 && part <= 1 ? (float)part : 1;
}

bool plot_turns_bound(struct plot_turns *turns, double from, double to)
{
	bool jumps = turns->track->interp == ANIM_CUBIC_UNIFORM; /* where its neighbours are near to each other */
	float half = jumps ? greater(half_of(turns), WIDEST) : half_of(turns), part;
	size_t k = 0;

	for (; k <= turns->count; k++) {
		size_t key = turns->from + k;

		turns->bend[k] = key > 0 && key < turns->track->n ? bend_of_way(turns->track, key - 1, half) : 0;
		if (isinf(turns->bend[k]))
			return false;
		if (turns->bend[k] > 0 && !jumps && (k == 0 || k == turns->count)) {
			part = part_of_way(turns->track, key - 1, from, to) * 1.001f;
			turns->bend[k] *= part * part;
		}
	}
	return true;
}

/*
 * Vectors are at least as far apart as their quaternions: the sphere's normal coordinates stretch no way. A player that goes lane by
 * lane may go the long way round.
 */
double plot_turns_away(const struct plot_turns *turns)
{
	float farthest[STEP] = {0}, all = 0, half;

	if (!takes_nearer(turns->track))
		return (double)INFINITY;
	for (size_t k = 0; k <= turns->count; k += STEP)
		for (size_t j = 0; j < STEP; j++) {
			float x = turns->lane[0][k + j + 1] - turns->lane[0][k + j];
			float y = turns->lane[1][k + j + 1] - turns->lane[1][k + j];
			float z = turns->lane[2][k + j + 1] - turns->lane[2][k + j];

			farthest[j] = greater(x * x + y * y + z * z, farthest[j]);
		}
	for (int j = 0; j < STEP; j++)
		all = greater(farthest[j], all);
	all = (sqrtf(all) + NEAR) / (2 * DEGREES);
	half = half_of(turns) + 1.3f * all;
	return half < FARTHEST ? (double)(bend_at(half) * all * all / 8) : (double)INFINITY;
}

/* How far a way may leave its ends in a lane, where they are `low` and `high`. */
static float away_of(float bend, float low, float high)
{
	float apart = greater(high - low - 2 * NEAR, 0), over = bend - 2 * apart;

	return over > 0 ? over * over / (8 * bend) : 0;
}

bool plot_turns_reach(const struct plot_turns *turns, size_t way, const double *least, const double *most)
{
	if (isnan(turns->bend[way]))
		return true;
	for (int i = 0; i < 3; i++) {
		float a = turns->lane[i][way], b = turns->lane[i][way + 1], low = lesser(a, b), high = greater(a, b);
		float away = away_of(turns->bend[way], low, high);

		if (away > (float)PLOT_TURNS_ROUNDING &&
		    ((double)(low - away) < least[i] + NEAR || (double)(high + away) > most[i] - NEAR))
			return true;
	}
	return false;
}

double plot_turns_beyond(const struct plot_turns *turns)
{
	float beyond = 0;

	for (size_t k = 0; k <= turns->count; k++)
		if (isnan(turns->bend[k]))
			return (double)INFINITY;
	for (int i = 0; i < 3; i++)
		for (size_t k = 0; k <= turns->count; k++) {
			float a = turns->lane[i][k], b = turns->lane[i][k + 1], low = lesser(a, b),
			      high = greater(a, b);
			float away = away_of(turns->bend[k], low, high);

			beyond = greater(turns->least[i] - low + away, beyond);
			beyond = greater(high - turns->most[i] + away, beyond);
		}
	return (double)beyond;
}
