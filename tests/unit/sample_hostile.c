/* sample_hostile.c: tracks that no engine writes: sampling them may give anything, but must end and stay in bounds. */
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample_help.h"

enum { KEYS = 12, TIMES = 40 };

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static float odd_float(uint64_t *state)
{
	static const float odd[] = {0,
				    -0.0f,
				    1,
				    -1,
				    0.5f,
				    1e-6f,
				    1e30f,
				    -3.4e38f,
				    0x1p-149f,
				    0x1p-126f,
				    1e-5f,
				    (float)INFINITY,
				    -(float)INFINITY,
				    (float)NAN};
	uint64_t pick = next_random(state) % 40;

	return pick < sizeof odd / sizeof *odd ? odd[pick] : (float)(next_random(state) % 1000) / 300;
}

static double odd_time(uint64_t *state)
{
	static const double odd[] = {0, -1, 1e300, -1e300, 1e-300, (double)INFINITY, (double)NAN, 2.9999999999, 3};
	uint64_t pick = next_random(state) % 30;

	return pick < sizeof odd / sizeof *odd ? odd[pick] : (double)(next_random(state) % 5000) / 1000 - 1;
}

struct columns {
	float time[KEYS], ease[KEYS], x[2][KEYS * 16];
	float value[3][KEYS * 32]; /* 128 bytes a key: any bits for any type */
	uint8_t modes[KEYS], weighted[KEYS];
	struct anim_strings strings;
};

static void fill(struct columns *c, bool sorted, uint64_t *state)
{
	for (int k = 0; k < KEYS; k++) {
		c->time[k] =
		    sorted ? (k > 0 ? c->time[k - 1] : 0) + (float)(next_random(state) % 4) * 0.1f : odd_float(state);
		c->ease[k] = odd_float(state);
		c->modes[k] = (uint8_t)(next_random(state) % 2);
		c->weighted[k] = next_random(state) & 3;
	}
	for (int i = 0; i < KEYS * 16; i++) {
		c->x[0][i] = odd_float(state);
		c->x[1][i] = odd_float(state);
	}
	for (int i = 0; i < 3 * KEYS * 32; i++)
		c->value[i / (KEYS * 32)][i % (KEYS * 32)] = odd_float(state);
}

static void build(struct anim_track *track, struct columns *c, uint64_t *state)
{
	static const char *const texts[KEYS] = {"",   "a",          "häß", "&\"x\\", "&\"\"", NULL,
						"\\", "&\"a\\\"\"", "zz",  "&",      "\"",    "y"};
	static const struct anim_attr names[] = {{"literal", "StringName"},       {"literal", "mixed"},
						 {"godot.variant", "Plane"},      {"godot.variant", "Transform2D"},
						 {"godot.variant", "Projection"}, {"godot.type", "blend_shape"}};
	bool sorted = next_random(state) & 1;
	uint64_t pick = next_random(state);

	fill(c, sorted, state);
	*track = sample_curve((enum anim_rules)(pick % 3), (enum anim_interp)(pick / 8 % ANIM_INTERP_COUNT),
			      (enum anim_type)(pick / 1024 % ANIM_TYPE_COUNT), next_random(state) % (KEYS + 1), c->time,
			      c->value[0]);
	track->flags = (sorted ? 0 : ANIM_UNSORTED) | (pick >> 32 & ANIM_LOOP_WRAP_KEYS);
	track->pre = pick >> 33 & 3;
	track->post = pick >> 35 & 3;
	track->ease = pick >> 37 & 1 ? c->ease : NULL;
	track->left = c->value[1];
	track->right = c->value[2];
	track->left_x = c->x[0];
	track->right_x = c->x[1];
	track->weighted = pick >> 38 & 1 ? c->weighted : NULL;
	track->interps = c->modes;
	if (pick >> 39 & 1)
		track->interp = ANIM_INTERP_COLUMN;
	if (pick >> 40 & 1)
		track->attrs = (struct anim_attrs){&names[pick >> 41 & 3], 1};
	if (track->type == ANIM_STRING) {
		track->interp &= 1;
		track->strings = sample_strings(KEYS, texts);
	}
	if (pick >> 43 & 1 && track->interp != ANIM_INTERP_COLUMN) {
		track->kind = ANIM_RAW;
		track->interp &= 1;
		track->ease = NULL;
		track->rate_num = (uint32_t)(pick >> 44 & 1) * 30;
		track->rate_den = track->rate_num != 0;
		track->step_s = track->rate_num != 0 ? 0 : (double)(pick >> 45 & 7) * 0.1;
	}
}

/* Angles and handles go with one component, tangents with reals: the invariants hold, whatever the numbers. */
static bool is_legal(const struct anim_track *track)
{
	unsigned components = anim_types[track->type].components;
	bool one =
	    track->interp == ANIM_BEZIER_2D || track->interp == ANIM_LINEAR_ANGLE || track->interp == ANIM_CUBIC_ANGLE;
	bool real = track->interp >= ANIM_CUBIC_BEZIER && track->interp <= ANIM_BEZIER_2D;

	return track->kind == ANIM_RAW || ((!one || components == 1) && (!real || anim_type_is_real(track->type)));
}

TEST(hostile, "tracks of odd numbers, sorted or not, can be sampled anywhere under any rules")
{
	static struct columns columns;
	static char out[TIMES * 128 + 128];
	uint64_t state = 11;
	size_t sampled = 0;

	for (int round = 0; round < 30000; round++) {
		struct anim_clip clip = sample_clip(odd_float(&state), (enum anim_loop)(round % ANIM_LOOP_COUNT));
		struct anim_sample_state sample = {0};
		struct anim_error error = {0};
		struct anim_track track;
		double t[TIMES];
		uint8_t present[TIMES];
		int status;

		build(&track, &columns, &state);
		for (int i = 0; i < TIMES; i++)
			t[i] = odd_time(&state);
		if (!is_legal(&track) || !isfinite(clip.end_s) || clip.end_s < 0)
			continue;
		status = anim_sample(&clip, &track, t, TIMES, out, present, &sample, &error);
		CHECK(status == 0 || (status == -1 && error.code == ANIM_UNSUPPORTED));
		sampled += status == 0;
		anim_sample_state_clear(&sample);
	}
	CHECKF(sampled > 5000, "only %zu tracks were sampled", sampled);
}
