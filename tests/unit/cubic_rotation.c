/* cubic_rotation.c: Godot 4's cubic through rotations: the prepared form against the plain one, bit by bit. */
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "clip/rules.h"
#include "math/basis.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "number_help.h"
#include "sample_help.h"

/* ---- The plain form: all that a time needs is found for it, in the engine's order ---- */

static void plain_logarithm(float out[3], const float q[4])
{
	float angle = 2.0f * (float)anim_acos((double)q[3]), scale = 1.0f;

	if (!(fabsf(q[3]) > 1.0f - 1e-5f))
		scale = 1.0f / sqrtf(1.0f - q[3] * q[3]);
	for (int i = 0; i < 3; i++)
		out[i] = q[i] * scale * angle;
}

static void plain_exponential(float out[4], const float v[3])
{
	float axis[3] = {v[0], v[1], v[2]}, angle = anim_vec3_length(v), sine;

	anim_vec3_normalize(axis);
	out[0] = out[1] = out[2] = 0;
	out[3] = 1;
	if (!(angle >= 1e-5f))
		return;
	sine = (float)anim_sin((double)(angle * 0.5f)) / anim_vec3_length(axis);
	for (int i = 0; i < 3; i++)
		out[i] = axis[i] * sine;
	out[3] = (float)anim_cos((double)(angle * 0.5f));
}

static void plain_slerp(float out[4], const float from[4], const float to[4], float weight)
{
	float dot = anim_quat_dot(from, to), c = fabsf(dot), a = 1.0f - weight, b = weight, angle, sine;

	if (1.0f - c > 1e-5f) {
		angle = (float)anim_acos((double)c);
		sine = (float)anim_sin((double)angle);
		a = (float)(anim_sin((1.0 - (double)weight) * (double)angle) / (double)sine);
		b = (float)anim_sin((double)(b * angle)) / sine;
	}
	b = dot < 0 ? -b : b;
	for (int i = 0; i < 4; i++)
		out[i] = a * from[i] + b * to[i];
}

enum { FROM, TO, BEFORE, AFTER };

static void flip(float q[4])
{
	for (int i = 0; i < 4; i++)
		q[i] = -q[i];
}

static void plain_align(float n[4][4])
{
	bool flipped;

	if (signbit(anim_quat_dot(n[FROM], n[BEFORE])))
		flip(n[BEFORE]);
	flipped = signbit(anim_quat_dot(n[FROM], n[TO]));
	if (flipped)
		flip(n[TO]);
	if (flipped ? anim_quat_dot(n[TO], n[AFTER]) <= 0 : signbit(anim_quat_dot(n[TO], n[AFTER])))
		flip(n[AFTER]);
}

/* Weight and the three times. */
struct place {
	float weight, to_t, before_t, after_t;
};

static void plain_seen_from(float out[4], float n[4][4], int end, const struct place *at)
{
	float inverse[4] = {-n[end][0], -n[end][1], -n[end][2], n[end][3]}, turned[4], logs[4][3], sum[3];

	for (int i = 0; i < 4; i++) {
		anim_quat_multiply(turned, inverse, n[i]);
		if (i == end)
			logs[i][0] = logs[i][1] = logs[i][2] = 0;
		else
			plain_logarithm(logs[i], turned);
	}
	for (int i = 0; i < 3; i++)
		sum[i] = anim_cubic_in_time(logs[FROM][i], logs[TO][i], logs[BEFORE][i], logs[AFTER][i], at->weight,
					    at->to_t, at->before_t, at->after_t);
	plain_exponential(turned, sum);
	anim_quat_multiply(out, n[end], turned);
}

static void plain(float out[4], float keys[4][4], const struct place *at)
{
	float n[4][4], m[9], first[4], second[4];

	for (int i = 0; i < 4; i++) {
		anim_basis_from_quat(m, keys[i]);
		anim_basis_rotation(n[i], m);
	}
	plain_align(n);
	plain_seen_from(first, n, FROM, at);
	plain_seen_from(second, n, TO, at);
	plain_slerp(out, first, second, at->weight);
}

/* ---- Random keys ---- */

#define KEYS 400

static float uniform(uint64_t *state, double low, double high)
{
	return (float)(low + (high - low) * (double)(next_random(state) >> 11) * 0x1p-53);
}

/* A key that may be anything next to the one before it: any rotation, a small turn of that, its negative, itself, no rotation. */
static void make_key(uint64_t *state, const float before[4], float key[4])
{
	unsigned kind = (unsigned)(next_random(state) % 10);
	double reach = kind < 4 ? 1 : ldexp(1, -(int)(next_random(state) % 24));

	for (int i = 0; i < 4; i++)
		key[i] = (kind < 4 ? 0 : before[i]) + (kind == 7 ? 0 : uniform(state, -reach, reach));
	anim_quat_normalize(key, key);
	if (kind == 8)
		flip(key);
	if (kind == 9 && next_random(state) % 8 == 0) {
		memset(key, 0, 4 * sizeof *key);
		key[next_random(state) % 4] = next_random(state) % 2 == 0 ? -1.0f : NAN;
	}
	if (kind == 9 && next_random(state) % 16 == 0)
		memset(key, 0, 4 * sizeof *key);
}

static void make_keys(uint64_t *state, float keys[KEYS][4])
{
	const float none[4] = {0, 0, 0, 1};

	for (int k = 0; k < KEYS; k++)
		make_key(state, k == 0 ? none : keys[k - 1], keys[k]);
}

/* The same bits; not-a-number is one value. */
static bool is_same(const float a[4], const float b[4])
{
	for (int i = 0; i < 4; i++)
		if (float_bits(a[i]) != float_bits(b[i]) && !(isnan(a[i]) && isnan(b[i])))
			return false;
	return true;
}

static void take_window(float window[4][4], float keys[KEYS][4], size_t k)
{
	static const int offset[4] = {1, 2, 0, 3};

	for (int i = 0; i < 4; i++)
		memcpy(window[i], keys[k + (size_t)offset[i]], sizeof window[i]);
}

static struct place any_place(uint64_t *state)
{
	struct place at = {.weight = uniform(state, -0.1, 1.1), .to_t = uniform(state, 0, 1)};

	at.before_t = next_random(state) % 8 == 0 ? 0 : uniform(state, -1, 0);
	at.after_t = next_random(state) % 8 == 0 ? at.to_t : at.to_t + uniform(state, 0, 1);
	return at;
}

TEST(cubic_prepared,
     "a cubic rotation prepared once for its keys has the bits of one computed whole, whatever was before it")
{
	static float keys[KEYS][4];
	struct anim_quat_cubic cubic = {0};
	uint64_t state = 7;
	size_t different = 0;

	for (int round = 0; round < 100; round++) {
		make_keys(&state, keys);
		for (size_t k = 0; k + 3 < KEYS; k += next_random(&state) % 16 == 0 ? 5 : 1) {
			float window[4][4], out[2][4];

			take_window(window, keys, k);
			anim_quat_cubic_prepare(&cubic, window[FROM], window[TO], window[BEFORE], window[AFTER]);
			for (int i = 0; i < 4; i++) {
				struct place at = any_place(&state);

				anim_quat_cubic_at(out[0], &cubic, at.weight, at.to_t, at.before_t, at.after_t);
				plain(out[1], window, &at);
				different += !is_same(out[0], out[1]);
			}
		}
	}
	CHECKF(different == 0, "%zu samples differ", different);
}

static void plain_sample(const struct anim_clip *clip, const struct anim_track *track, double t, float out[4])
{
	static const float none[4], refused[4] = {0, 0, 0, 1};
	const float *value = track->value;
	struct anim_sample_state state = {0};
	struct anim_sampler sampler;
	struct anim_segment at;
	float window[4][4];

	memset(&at, 0, sizeof at);
	memcpy(out, none, sizeof none);
	if (!CHECK(anim_sampler_open(&sampler, clip, track, &state, NULL) == 0) ||
	    !sampler.rules->locate(&sampler, t, &at))
		return;
	memcpy(window[FROM], value + 4 * at.from, sizeof window[FROM]);
	memcpy(window[TO], value + 4 * at.to, sizeof window[TO]);
	memcpy(window[BEFORE], value + 4 * at.before, sizeof window[BEFORE]);
	memcpy(window[AFTER], value + 4 * at.after, sizeof window[AFTER]);
	if (track->rules == ANIM_RULES_GODOT4 &&
	    (anim_godot_refuses(window[FROM]) || (!at.hold && anim_godot_refuses(window[TO]))))
		memcpy(out, refused, sizeof refused);
	else if (at.hold)
		memcpy(out, window[FROM], sizeof window[FROM]);
	else
		plain(out, window, &(struct place){(float)at.weight, at.to_t, at.before_t, at.after_t});
	anim_sample_state_clear(&state);
}

#define SAMPLES 2000

static void check_row(uint64_t *state, enum anim_rules rules, enum anim_loop loop)
{
	static float keys[KEYS][4], time[KEYS], out[SAMPLES][4];
	static double t[SAMPLES];
	static uint8_t present[SAMPLES];
	struct anim_sample_state sample = {0};
	struct anim_track track = sample_curve(rules, ANIM_CUBIC_TIME, ANIM_FLOATQ, KEYS, time, keys);
	struct anim_clip clip = sample_clip(KEYS / 10.0, loop);
	size_t different = 0;
	float expected[4];

	make_keys(state, keys);
	track.flags = loop != ANIM_LOOP_NONE ? ANIM_LOOP_WRAP_KEYS : 0;
	for (int k = 0; k < KEYS; k++)
		time[k] = (float)k / 10 + uniform(state, 0, 0.09);
	for (int i = 0; i < SAMPLES; i++)
		t[i] = i % 50 == 49 ? (double)uniform(state, -1, KEYS / 10.0 + 1) : (double)i * (KEYS / 10.0) / SAMPLES;
	CHECK(anim_sample(&clip, &track, t, SAMPLES, out, present, &sample, NULL) == 0);
	for (int i = 0; i < SAMPLES; i++) {
		plain_sample(&clip, &track, t[i], expected);
		different += !is_same(out[i], expected);
	}
	CHECKF(different == 0, "%s, loop %d: %zu samples differ", anim_rules_names[rules], (int)loop, different);
	anim_sample_state_clear(&sample);
}

TEST(cubic_row, "a row of samples of a cubic rotation has the bits of each sample alone, under every loop mode")
{
	uint64_t state = 11;

	for (int round = 0; round < 10; round++)
		for (int loop = ANIM_LOOP_NONE; loop <= ANIM_LOOP_PINGPONG; loop++) {
			check_row(&state, ANIM_RULES_GODOT4, (enum anim_loop)loop);
			check_row(&state, ANIM_RULES_PLAIN, (enum anim_loop)loop);
		}
}
