/* sample_rows.c: rows of samples that share what their segment says, against each sample alone, bit by bit. */
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "clip/rules.h"
#include "math/curve.h"
#include "math/quaternion.h"
#include "number_help.h"
#include "sample_help.h"

#define KEYS 200
#define SAMPLES 3000

struct row {
	float time[KEYS], value[4 * KEYS], left[4 * KEYS], right[4 * KEYS], left_x[4 * KEYS], right_x[4 * KEYS];
	double t[SAMPLES];
	float out[4 * SAMPLES];
	uint8_t present[SAMPLES];
};

static float uniform(uint64_t *state, double low, double high)
{
	return (float)(low + (high - low) * (double)(next_random(state) >> 11) * 0x1p-53);
}

static void make_row(uint64_t *state, struct row *row)
{
	for (int k = 0; k < KEYS; k++) {
		row->time[k] = (float)k / 10 + uniform(state, 0, 0.1);
		row->right_x[k] = uniform(state, 0, 0.2);
		row->left_x[k] = -uniform(state, 0, 0.2);
	}
	for (int k = 0; k < 4 * KEYS; k++) {
		row->value[k] = uniform(state, -1, 1);
		row->left[k] = next_random(state) % 64 == 0 ? INFINITY : uniform(state, -9, 9);
		row->right[k] = next_random(state) % 64 == 0 ? INFINITY : uniform(state, -9, 9);
	}
	for (int i = 0; i < SAMPLES; i++)
		row->t[i] =
		    i % 50 == 49 ? (double)uniform(state, -1, KEYS / 10.0 + 1) : (double)i * (KEYS / 10.0) / SAMPLES;
}

/* One sample as its rules blend it. */
static void sample_alone(const struct anim_clip *clip, const struct anim_track *track, double t, float out[4])
{
	struct anim_sample_state state = {0};
	struct anim_sampler sampler;
	struct anim_segment at;

	memset(&at, 0, sizeof at);
	memset(out, 0, 4 * sizeof *out);
	if (!CHECK(anim_sampler_open(&sampler, clip, track, &state, NULL) == 0) ||
	    !sampler.rules->locate(&sampler, t, &at))
		return;
	if (at.hold && track->interp != ANIM_BEZIER_2D)
		anim_value_copy(track, at.from, out);
	else
		CHECK(sampler.rules->blend(&sampler, (enum anim_interp)track->interp, &at, out, NULL) == 0);
	anim_sample_state_clear(&state);
}

static void check_row(uint64_t *state, enum anim_rules rules, enum anim_interp interp, enum anim_type type)
{
	static struct row row;
	struct anim_track track = sample_curve(rules, interp, type, KEYS, row.time, row.value);
	struct anim_clip clip = sample_clip(KEYS / 10.0, ANIM_LOOP_NONE);
	struct anim_sample_state sample = {0};
	size_t components = anim_types[type].components, different = 0;
	float alone[4];

	make_row(state, &row);
	track.left = row.left;
	track.right = row.right;
	track.left_x = interp == ANIM_BEZIER_2D ? row.left_x : NULL;
	track.right_x = interp == ANIM_BEZIER_2D ? row.right_x : NULL;
	CHECK(anim_sample(&clip, &track, row.t, SAMPLES, row.out, row.present, &sample, NULL) == 0);
	for (size_t i = 0; i < SAMPLES; i++) {
		sample_alone(&clip, &track, row.t[i], alone);
		for (size_t k = 0; k < components; k++)
			different += float_bits(row.out[components * i + k]) != float_bits(alone[k]) &&
				     !(isnan(alone[k]) && isnan(row.out[components * i + k]));
	}
	CHECKF(different == 0, "%s %s: %zu numbers differ", anim_rules_names[rules], anim_interp_names[interp],
	       different);
	anim_sample_state_clear(&sample);
}

TEST(hermite_rows, "a row of samples of Hermite keys has the bits of each sample alone, infinite slopes included")
{
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT2, ANIM_FLOAT3, ANIM_FLOATQ};
	uint64_t state = 3;

	for (int i = 0; i < 40; i++) {
		check_row(&state, ANIM_RULES_UNITY, ANIM_HERMITE, types[i % 4]);
		check_row(&state, ANIM_RULES_PLAIN, ANIM_HERMITE, types[i % 4]);
	}
}

TEST(bezier_rows, "a row of samples of Godot's Bezier keys has the bits of each sample alone")
{
	uint64_t state = 5;

	for (int i = 0; i < 20; i++) {
		check_row(&state, ANIM_RULES_GODOT4, ANIM_BEZIER_2D, ANIM_FLOAT);
		check_row(&state, ANIM_RULES_GODOT3, ANIM_BEZIER_2D, ANIM_FLOAT);
	}
}

TEST(angles_compare, "of rotations near each other the one of the larger tangent is the farther one")
{
	uint64_t state = 9;

	for (int i = 0; i < 10000; i++) {
		float a[4], b[4];
		double tangent;

		for (int k = 0; k < 4; k++) {
			a[k] = uniform(&state, -1, 1);
			b[k] = a[k] + uniform(&state, -1, 1) * (float)ldexp(1, -(i % 20));
		}
		tangent = tan(anim_quat_angle(a, b) / 2);
		CHECK(fabs(anim_quat_tangent_squared(a, b) - tangent * tangent) <= 1e-12 * tangent * tangent);
	}
}
