/* reduce_prove.c: what anim-reduce takes for enough where it proves, against what it is short for. */
#include "tap.h"

#include <math.h>
#include <string.h>

#include "filter/reduce/joints.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "number_help.h"

static double part(uint64_t *seed)
{
	return (double)(next_random(seed) >> 11) / 9007199254740992.0 - 0.5;
}

/* ---- Of one track: a rough bound for most ways, and the exact one ---- */

#ifdef __SANITIZE_ADDRESS__ /* what is told of values is a matter of the plain build */
enum { PIECES = 2000, ROUNDS = 400 };
#else
enum { PIECES = 10000, ROUNDS = 2000 };
#endif
#define KEYS 12u /* of a piece; all of them are looked at in one batch */

struct piece {
	double time[KEYS], value[KEYS * 4], limit[KEYS];
	float time_s[KEYS], written[KEYS * 4], angle[KEYS];
	uint8_t keep[KEYS];
	struct anim_track track;
	struct reduce_run run;
};

static const struct {
	enum reduce_metric metric;
	unsigned components;
	enum anim_type type;
	bool arcs, chords; /* of the source, of the result */
} players[] = {{REDUCE_ANGLE, 4, ANIM_FLOATQ, true, false},  {REDUCE_ANGLE, 4, ANIM_FLOATQ, true, true},
	       {REDUCE_ANGLE, 4, ANIM_FLOATQ, false, false}, {REDUCE_ANGLE, 4, ANIM_FLOATQ, false, true},
	       {REDUCE_LENGTH, 3, ANIM_FLOAT3, true, false}, {REDUCE_LARGEST, 3, ANIM_FLOAT3, true, false}};
#define PLAYERS (sizeof players / sizeof *players)

/* Steps of any size up to a wide angle, and keys of which any stay; Raw tracks have times that float32 moves. */
static void make_piece(struct piece *p, size_t player, uint64_t *seed)
{
	unsigned components = players[player].components;
	double size = anim_pow(10, 4 * (part(seed) - 0.5)), at[4] = {0, 0, 0, 1};
	bool raw = next_random(seed) >> 62 == 0;

	for (unsigned k = 0; k < KEYS; k++) {
		p->time[k] = raw ? k / 29.97 : (k > 0 ? p->time[k - 1] : 0) + 0.01 + 0.04 * (part(seed) + 0.5);
		p->time[k] = raw ? p->time[k] : (double)(float)p->time[k];
		p->time_s[k] = (float)p->time[k];
		for (unsigned c = 0; c < components; c++)
			at[c] += size * part(seed) * (components == 4 && c == 3 ? 0 : 1);
		for (unsigned c = 0; c < components; c++)
			p->written[components * k + c] = (float)at[c];
		if (components == 4)
			anim_quat_unit_double(p->value + 4 * k, p->written + 4 * k);
		for (unsigned c = 0; c < components; c++) {
			p->written[components * k + c] = components == 4 ? (float)p->value[4 * k + c] : (float)at[c];
			p->value[components * k + c] = (double)p->written[components * k + c];
		}
		p->keep[k] = k == 0 || k + 1 == KEYS || next_random(seed) >> 62 == 0;
	}
	if (components == 4)
		reduce_normalise(p->value, KEYS);
	p->track = (struct anim_track){.kind = raw ? ANIM_RAW : ANIM_CURVE,
				       .type = players[player].type,
				       .n = KEYS,
				       .time = p->time_s,
				       .value = p->written};
	p->run = (struct reduce_run){.metric = players[player].metric,
				     .components = components,
				     .by_component = players[player].chords,
				     .pieces = 1,
				     .n = KEYS,
				     .time = p->time,
				     .value = p->value,
				     .limit = p->limit,
				     .angle = p->angle};
	if (components == 4)
		reduce_angles(&p->run, p->angle);
}

/* With that limit; what is above it is looked at exactly. */
static double proven(const struct piece *p, size_t player, double limit)
{
	struct reduce_proof proof;
	uint8_t keep[KEYS];
	bool more;

	memcpy(keep, p->keep, sizeof keep);
	reduce_prove(&p->run, &p->track, players[player].arcs, limit, keep, &more, &proof);
	return proof.bound;
}

TEST(rough_bounds, "a rough bound is never below the exact one, and hardly above it if angles are small")
{
	static struct piece p;
	uint64_t seed = 11;
	size_t near = 0, small = 0;

	for (unsigned i = 0; i < PIECES; i++) {
		size_t player = i % PLAYERS;
		double rough, exact;

		make_piece(&p, player, &seed);
		rough = proven(&p, player, 1e9);
		exact = proven(&p, player, -1);
		CHECKF(rough >= exact, "piece %u: %.17g for %.17g", i, rough, exact);
		small += exact < 0.1;
		near += exact < 0.1 && rough <= 1.02 * exact + 1e-6;
	}
	CHECKF(small > PIECES / 4 && 10 * near > 8 * small, "%zu of %zu are near", near, small);
}

/* ---- Of poses: how they go apart between two samples ---- */

#define JOINTS 5u
#define POINTS 9u

struct chain {
	float position[2][2][JOINTS][3], rotation[2][2][JOINTS][4]; /* of each side, at each of two samples */
	bool chords;
};

static void turn_by(float q[4], double size, uint64_t *seed)
{
	double angle[4] = {size * part(seed), size * part(seed), size * part(seed), 1}, old[4], out[4], length = 0;

	for (int c = 0; c < 4; c++)
		old[c] = (double)q[c];
	anim_quat_multiply_double(out, old, angle);
	for (int c = 0; c < 4; c++)
		length += out[c] * out[c];
	for (int c = 0; c < 4; c++)
		q[c] = (float)(out[c] / sqrt(length));
}

/* A source that moves by so much, a result that is off it by much less at both samples. */
static void make_chain(struct chain *c, double step, double off, uint64_t *seed)
{
	memset(c, 0, sizeof *c);
	for (unsigned j = 0; j < JOINTS; j++) {
		float *q = c->rotation[0][0][j], *p = c->position[0][0][j];
		bool moves = next_random(seed) >> 62 == 0, still = next_random(seed) >> 62 == 0;

		q[3] = 1;
		turn_by(q, 4, seed);
		p[1] = 0.3f;
		for (int side = 0; side < 2; side++)
			for (int end = 0; end < 2; end++) {
				float *to = c->rotation[side][end][j], *at = c->position[side][end][j];

				memmove(to, c->rotation[0][side == 0 ? 0 : end][j], sizeof c->rotation[0][0][0]);
				memmove(at, c->position[0][side == 0 ? 0 : end][j], sizeof c->position[0][0][0]);
				if ((side == 1 || end == 1) && !still)
					turn_by(to, side == 0 ? step : off, seed);
				for (int i = 0; i < 3 && moves && (side == 1 || end == 1); i++)
					at[i] += (float)((side == 0 ? step : off) * part(seed));
			}
	}
}

static void put_chain(struct anim_poses *poses, const struct chain *c, int side)
{
	char path[16];
	struct anim_error error = {0};

	anim_poses_init(poses, 1 << 20);
	for (unsigned j = 0; j < JOINTS; j++) {
		struct anim_node node = {.parent = j == 0 ? ANIM_NO_PARENT : j - 1,
					 .rotation = {0, 0, 0, 1},
					 .scale = {1, 1, 1},
					 .path = path};

		path[0] = (char)('a' + j);
		path[1] = '\0';
		CHECK(anim_poses_add(poses, &node, &error) == 0);
	}
	poses->follows = true;
	anim_poses_begin(poses, 2);
	for (unsigned j = 0; j < JOINTS; j++) {
		CHECK(anim_poses_open(poses, j, ANIM_POSE_POSITION, &error) == 1);
		for (int end = 0; end < 2; end++)
			CHECK(anim_poses_put(poses, c->position[side][end][j], 3, &error) == 0);
		CHECK(anim_poses_open(poses, j, ANIM_POSE_ROTATION, &error) == 1);
		for (int end = 0; end < 2; end++)
			CHECK(anim_poses_put(poses, c->rotation[side][end][j], 4, &error) == 0);
		if (c->chords) {
			double dot = (double)anim_quat_dot(c->rotation[side][0][j], c->rotation[side][1][j]);

			anim_poses_chords(poses, j, anim_acos(fmin(fabs(dot), 1)) + 1e-6);
		}
	}
	CHECK(anim_poses_ready(poses, &error) == 0);
	CHECK(anim_poses_tile(poses, 0, 2, &error) == 0);
}

/* The transform of joint j at a part of the way. */
static void place(const struct chain *c, int side, unsigned j, double w, double out[ANIM_POSE_NUMBERS])
{
	double whole[ANIM_POSE_NUMBERS] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

	for (unsigned i = 0; i <= j; i++) {
		double a[4], b[4], q[4], dot = 0, local[ANIM_POSE_NUMBERS], x, y, z, s, square = 0,
					 next[ANIM_POSE_NUMBERS];

		for (int k = 0; k < 4; k++) {
			a[k] = (double)c->rotation[side][0][i][k];
			b[k] = (double)c->rotation[side][1][i][k];
			dot += a[k] * b[k];
		}
		anim_quat_slerp_double(q, a, b, w);
		for (int k = 0; k < 4 && c->chords; k++)
			q[k] = (1 - w) * a[k] + w * (dot < 0 ? -b[k] : b[k]);
		for (int k = 0; k < 4; k++)
			square += q[k] * q[k];
		s = 2 / square;
		x = q[0], y = q[1], z = q[2];
		for (int r = 0; r < 3; r++)
			local[4 * r + 3] =
			    (1 - w) * (double)c->position[side][0][i][r] + w * (double)c->position[side][1][i][r];
		local[0] = 1 - s * (y * y + z * z), local[1] = s * (x * y - z * q[3]),
		local[2] = s * (x * z + y * q[3]);
		local[4] = s * (x * y + z * q[3]), local[5] = 1 - s * (x * x + z * z),
		local[6] = s * (y * z - x * q[3]);
		local[8] = s * (x * z - y * q[3]), local[9] = s * (y * z + x * q[3]),
		local[10] = 1 - s * (x * x + y * y);
		anim_pose_multiply(next, whole, local);
		memcpy(whole, next, sizeof whole);
	}
	memcpy(out, whole, sizeof whole);
}

/* How far the difference is from the straight line between its ends: of the origin, and of the basis along an axis. */
static void bulge(const struct chain *c, unsigned j, double w, double *origin, double *basis)
{
	double at[3][ANIM_POSE_NUMBERS], squares[4] = {0};
	const double weights[3] = {0, w, 1};

	for (int i = 0; i < 3; i++) {
		double sides[2][ANIM_POSE_NUMBERS];

		place(c, 0, j, weights[i], sides[0]);
		place(c, 1, j, weights[i], sides[1]);
		for (int k = 0; k < ANIM_POSE_NUMBERS; k++)
			at[i][k] = sides[0][k] - sides[1][k];
	}
	for (int k = 0; k < ANIM_POSE_NUMBERS; k++) {
		double off = at[1][k] - (1 - w) * at[0][k] - w * at[2][k];

		squares[k % 4] += off * off;
	}
	*origin = sqrt(squares[3]);
	*basis = sqrt(fmax(squares[0], fmax(squares[1], squares[2])));
}

/* The largest part of what is told that is met; of bases and origins. */
static void check_chain(const struct chain *c, double used[2])
{
	struct anim_poses poses[2];
	struct reduce_apart apart = {0};
	struct anim_error error = {0};

	for (int side = 0; side < 2; side++)
		put_chain(&poses[side], c, side);
	CHECK(reduce_apart_begin(&apart, poses, &error) == 0);
	reduce_apart_tile(&apart, poses, 2);
	for (unsigned j = 0; j < JOINTS; j++)
		for (unsigned i = 1; i < POINTS; i++) {
			const struct reduce_bend *bend = reduce_apart_at(&apart, j, 0);
			double w = (double)i / POINTS, origin, basis;

			bulge(c, j, w, &origin, &basis);
			CHECKF(basis <= w * (1 - w) / 2 * bend->basis2 + 1e-12 &&
				   origin <= w * (1 - w) / 2 * bend->origin2 + 1e-12,
			       "joint %u: %g of %g, %g of %g", j, basis, bend->basis2, origin, bend->origin2);
			if (bend->basis2 > 1e-9)
				used[0] = fmax(used[0], 2 * basis / (w * (1 - w)) / bend->basis2);
			if (bend->origin2 > 1e-9)
				used[1] = fmax(used[1], 2 * origin / (w * (1 - w)) / bend->origin2);
		}
	reduce_apart_clear(&apart);
	for (int side = 0; side < 2; side++)
		anim_poses_clear(&poses[side]);
}

TEST(poses_apart,
     "two poses go apart between samples by no more than is told, along arcs and chords, and by a fifth of that")
{
	static struct chain c;
	double used[2] = {0};
	uint64_t seed = 5;

	for (unsigned i = 0; i < ROUNDS; i++) {
		double step = anim_pow(10, 3 * part(&seed) - 1.5), off = step * anim_pow(10, 3 * (part(&seed) - 0.5));

		make_chain(&c, step, off, &seed);
		c.chords = i % 2 == 1;
		check_chain(&c, used);
	}
	CHECKF(used[0] > 0.2 && used[1] > 0.2, "at most %g and %g of it", used[0], used[1]);
}
