/* sample.c: nanoseconds per sample of position and rotation tracks, and of their kernels in each form. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clip/sample.h"
#include "math/block.h"
#include "math/elementary.h"
#include "math/quaternion.h"

enum { KEYS = 9000, ROUNDS = 15 };

struct bench {
	struct anim_clip clip;
	struct anim_track track;
	float time[KEYS], position[3 * KEYS], rotation[4 * KEYS];
	double *t;
	size_t count;
	float *out;
	uint8_t *present;
};

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* Keys at key_rate, each a little off its frame where jitter is not 0; a smooth movement. */
static void fill(struct bench *b, double key_rate, double jitter)
{
	for (int k = 0; k < KEYS; k++) {
		double t = (k + jitter * anim_sin(12.9898 * k)) / key_rate;
		float *q = b->rotation + 4 * k;

		b->time[k] = k == 0 ? 0 : (float)t;
		for (int i = 0; i < 3; i++)
			b->position[3 * k + i] = (float)anim_sin(t * (1 + i));
		for (int i = 0; i < 4; i++)
			q[i] = (float)anim_sin(t * 0.7 * (1 + i) + i);
		anim_quat_normalize(q, q);
	}
	b->clip = (struct anim_clip){.end_s = b->time[KEYS - 1], .name = "", .root = "", .source = ""};
}

static void grid(struct bench *b, double rate)
{
	b->count = (size_t)floor((double)b->clip.end_s * rate) + 1;
	b->t = malloc(b->count * sizeof *b->t);
	b->out = malloc(b->count * 4 * sizeof *b->out);
	b->present = malloc(b->count);
	if (b->t == NULL || b->out == NULL || b->present == NULL)
		exit(1);
	for (size_t i = 0; i < b->count; i++)
		b->t[i] = (double)i / rate;
}

static void ungrid(struct bench *b)
{
	free(b->t);
	free(b->out);
	free(b->present);
}

/* The best of the rounds, ns a sample. */
static double measure(struct bench *b, enum anim_type type, enum anim_interp interp, enum anim_rules rules)
{
	struct anim_sample_state state = {0};
	double best = 1e9;

	b->track = (struct anim_track){.kind = ANIM_CURVE,
				       .type = type,
				       .rules = rules,
				       .node = "",
				       .property = "",
				       .component = ANIM_WHOLE,
				       .interp = (uint8_t)interp,
				       .n = KEYS,
				       .time = b->time,
				       .value = type == ANIM_FLOATQ ? b->rotation : b->position};
	for (int round = 0; round < ROUNDS; round++) {
		double start = now_s(), took;

		state.cursor = 0;
		if (anim_sample(&b->clip, &b->track, b->t, b->count, b->out, b->present, &state, NULL) != 0)
			exit(1);
		took = 1e9 * (now_s() - start) / (double)b->count;
		best = took < best ? took : best;
	}
	anim_sample_state_clear(&state);
	return best;
}

static void show_tracks(struct bench *b, double key_rate, double jitter, double rate)
{
	static const enum anim_rules rules[] = {ANIM_RULES_GODOT4, ANIM_RULES_PLAIN};

	fill(b, key_rate, jitter);
	grid(b, rate);
	for (int r = 0; r < 2; r++) {
		double p = measure(b, ANIM_FLOAT3, ANIM_LINEAR, rules[r]);
		double q = measure(b, ANIM_FLOATQ, ANIM_LINEAR, rules[r]);

		printf("%g -> %g%s, %s: position %.1f + rotation %.1f = %.1f ns a sample\n", key_rate, rate,
		       jitter != 0 ? " jittered" : "", anim_rules_names[rules[r]], p, q, p + q);
	}
	ungrid(b);
}

static void show_cubics(struct bench *b)
{
	fill(b, 24, 0.2);
	grid(b, 60);
	printf("cubic, godot4: position %.0f, rotation %.0f ns a sample\n",
	       measure(b, ANIM_FLOAT3, ANIM_CUBIC_TIME, ANIM_RULES_GODOT4),
	       measure(b, ANIM_FLOATQ, ANIM_CUBIC_TIME, ANIM_RULES_GODOT4));
	ungrid(b);
}

static void show_kernel(const struct bench *b, enum anim_block_form form, const char *name)
{
	struct anim_block block;
	float out[4 * ANIM_BLOCK];
	double best[2] = {1e9, 1e9};

	for (unsigned i = 0; i < ANIM_BLOCK; i++) {
		block.from[i] = i / 2;
		block.to[i] = i / 2 + 1;
		block.elapsed[i] = 0.3f;
		block.duration[i] = 1;
	}
	for (int round = 0; round < ROUNDS * 2; round++) {
		double start = now_s();

		for (int i = 0; i < 2000; i++) {
			if (round % 2 == 0)
				anim_block_lerp(form, &block, b->position, KEYS, 3, ANIM_BLOCK, out);
			else
				anim_block_slerp(form, &block, b->rotation, ANIM_BLOCK, out);
		}
		start = 1e9 * (now_s() - start) / (2000 * ANIM_BLOCK);
		best[round % 2] = start < best[round % 2] ? start : best[round % 2];
	}
	printf("kernels, %s: lerp %.1f, slerp %.1f ns\n", name, best[0], best[1]);
}

int main(void)
{
	struct bench *b = calloc(1, sizeof *b);

	if (b == NULL)
		return 1;
	show_tracks(b, 24, 0.2, 60);
	show_tracks(b, 30, 0, 30);
	show_tracks(b, 60, 0, 30);
	show_cubics(b);
	show_kernel(b, ANIM_BLOCK_PLAIN, "plain");
	if (anim_block_has(ANIM_BLOCK_AVX2))
		show_kernel(b, ANIM_BLOCK_AVX2, "avx2");
	free(b);
	return 0;
}
