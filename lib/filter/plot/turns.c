/* turns.c: which of many rotations, and of the ways between them, come outermost as vectors: by a rough look. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/plot/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define STEP 8      /* rotations that are looked at together */
#define NEAR ((float)(2 * PLOT_TURNS_OFF)) /* degrees */
#define NONE 2e-5f  /* degrees: as much as the rounding of quaternions */
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
	       (x <= WIDEST ? x * (0.667f + 0.132f * x * x)
			    : (x - sine * (float)anim_cos((double)x)) / (sine * sine));
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
	float columns[4][4]; /* what turns the first into a quaternion, as sums of its components: of each the four numbers it counts */
	float near[4];       /* the turn that others are near to: of both quaternions of a rotation that is meant which is nearer */
	bool far;            /* that is no small one: real parts may be below 0 */
};

/*
 * Off by PLOT_TURNS_OFF at most, where no turn is of more than 174 degrees from what they are near to, nor of more than 300, and
 * nothing but rotations is there.
 */
static inline void find_vectors(const struct view *view, bool far, const float *restrict q,
				struct vectors *restrict out, struct outline *restrict o)
{
	float c[4][4], n[4];

	memcpy(c, view->columns, sizeof c);
	memcpy(n, view->near, sizeof n);
	for (int j = 0; j < STEP; j++) {
		float x = q[4 * j], y = q[4 * j + 1], z = q[4 * j + 2], w = q[4 * j + 3];
		float tx = x * c[0][0] + y * c[1][0] + z * c[2][0] + w * c[3][0];
		float ty = x * c[0][1] + y * c[1][1] + z * c[2][1] + w * c[3][1];
		float tz = x * c[0][2] + y * c[1][2] + z * c[2][2] + w * c[3][2];
		float real = x * c[0][3] + y * c[1][3] + z * c[2][3] + w * c[3][3], size = fabsf(real);
		float side = far ? tx * n[0] + ty * n[1] + tz * n[2] + real * n[3] : real, sure = fabsf(side);
		float close = size < 1 ? size : 1, off = fabsf(x * x + y * y + z * z + w * w - 1);
		float scale = anim_arc_cosine_ratio(close) / sqrtf(1 + close); /* of half the angle to its sine */

		if (far) {
			float sine = sqrtf(1 - close * close), whole = side < 0 ? -real : real;

			scale = whole < 0 ? 3.14159265f / (sine > 0.1f ? sine : 0.1f) - scale : scale;
			sure = whole < -0.85f ? 0 : sure;
		}
		scale = 2 * DEGREES * (side < 0 ? -scale : scale);
		out->lane[0][j] = scale * tx;
		out->lane[1][j] = scale * ty;
		out->lane[2][j] = scale * tz;
		o->real[j] = sure > o->real[j] ? o->real[j] : sure; /* NaN, too */
		o->off[j] = off < o->off[j] ? o->off[j] : off;
	}
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < STEP; j++) {
			o->least.lane[i][j] = lesser(out->lane[i][j], o->least.lane[i][j]);
			o->most.lane[i][j] = greater(out->lane[i][j], o->most.lane[i][j]);
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
		if (view->far)
			find_vectors(view, true, left < STEP ? copies : q + 4 * k, &vectors, o);
		else
			find_vectors(view, false, left < STEP ? copies : q + 4 * k, &vectors, o);
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
	struct view view;
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
			for (int j = 0; j < STEP; j++)
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
	float one[4], other[4];
};

static void find_handles(const struct anim_track *track, size_t k, struct bow *bow)
{
	const float *a = (const float *)track->value + 4 * k, *right = (const float *)track->right + 4 * k,
		    *left = (const float *)track->left + 4 * (k + 1);
	float third = track->interp == ANIM_HERMITE ? (track->time[k + 1] - track->time[k]) / 3 : 1.0f / 3;
	bool values = track->interp == ANIM_CUBIC_BEZIER;

	for (int i = 0; i < 4; i++) {
		float way = (a[4 + i] - a[i]) / 3;

		bow->one[i] = (values ? right[i] - a[i] : right[i] * third) - way;
		bow->other[i] = way - (values ? a[4 + i] - left[i] : left[i] * third);
	}
}

/*
 * A curve through its neighbours takes its slopes from them; half as much again, for logarithms are but nearly as far apart as
 * rotations. A uniform one goes 2 u (1 - u) of the way to what is between the neighbours. Not a number where one lacks.
 */
static void find_slopes(const struct anim_track *track, size_t k, struct bow *bow)
{
	const float *q = (const float *)track->value + 4 * k, *t = track->time + k;
	bool uniform = track->interp == ANIM_CUBIC_UNIFORM;
	float one, other;

	if (k == 0 || k + 2 >= track->n) {
		bow->one[0] = NAN;
		return;
	}
	one = (t[1] - t[0]) / (t[0] - t[-1]);
	other = (t[1] - t[0]) / (t[2] - t[1]);
	for (int i = 0; i < 4; i++) {
		float way = q[4 + i] - q[i], before = q[i] - q[i - 4], after = q[8 + i] - q[4 + i];

		bow->one[i] = uniform ? before / -1.5f : (before * one - way) * one / (1 + one) / 2;
		bow->other[i] = uniform ? after / 1.5f : (way - after * other) * other / (1 + other) / 2;
	}
}

/* The second derivative of a cubic's bow, at most: it is at one of its ends. */
static float bend_of(const struct bow *bow)
{
	float start = 0, end = 0;

	for (int i = 0; i < 4; i++) {
		float at_start = 12 * bow->one[i] - 6 * bow->other[i], at_end = 12 * bow->other[i] - 6 * bow->one[i];

		start += at_start * at_start;
		end += at_end * at_end;
	}
	return sqrtf(start > end ? start : end);
}

/* The square of the way to the next rotation, to either sign where a player takes the nearer one. */
static float square_of_way(const struct anim_track *track, size_t k)
{
	const float *q = (const float *)track->value + 4 * k;
	bool nearer =
	    track->interp == ANIM_LINEAR && track->rules != ANIM_RULES_UNITY && track->rules != ANIM_RULES_RESONITE;
	float same = 0, other = 0;

	for (int i = 0; i < 4; i++) {
		same += (q[4 + i] - q[i]) * (q[4 + i] - q[i]);
		other += (q[4 + i] + q[i]) * (q[4 + i] + q[i]);
	}
	return nearer && other < same ? other : same;
}

#define HALF_TURN 1.99f /* square of a way, which half a turn is, nearly */
#define SHORT 0.5f      /* below which logarithms are as far apart as rotations, nearly */

/*
 * How the way behind key k bends at most, of keys whose half angles are up to `half`; infinite where nothing bounds it: it goes the
 * long way round, or steps.
 */
static float bend_of_way(const struct anim_track *track, size_t k, float half)
{
	enum anim_interp mode = (enum anim_interp)track->interp;
	float square = square_of_way(track, k), bend;
	struct bow bow = {{0}, {0}};

	half += 1.3f * sqrtf(square); /* it may lead away from both */
	if (half > FARTHEST)
		return INFINITY;
	if (mode == ANIM_LINEAR)
		return square < HALF_TURN ? bend_at(half) * square : INFINITY;
	if (mode >= ANIM_TANGENT && mode <= ANIM_CUBIC_BEZIER)
		find_handles(track, k, &bow);
	else
		find_slopes(track, k, &bow);
	bend = bend_at(half) * square + speed_at(half) * bend_of(&bow);
	return square < SHORT && isfinite(bend) ? bend : INFINITY;
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
		if (!isfinite(turns->bend[k]))
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
	bool nearer = turns->track->rules != ANIM_RULES_UNITY && turns->track->rules != ANIM_RULES_RESONITE;
	float farthest[STEP] = {0}, all = 0, half;

	if (turns->track->interp != ANIM_LINEAR || !nearer)
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

bool plot_turns_reach(const struct plot_turns *turns, size_t way, const double *least, const double *most)
{
	float bend = turns->bend[way];

	for (int i = 0; i < 3; i++) {
		float a = turns->lane[i][way], b = turns->lane[i][way + 1], low = lesser(a, b), high = greater(a, b);
		float apart = greater(high - low - 2 * NEAR, 0), over = bend - 2 * apart;
		float away = over > 0 ? over * over / (8 * bend) : 0;

		if (away > NONE && ((double)(low - away) < least[i] + NEAR || (double)(high + away) > most[i] - NEAR))
			return true;
	}
	return false;
}
